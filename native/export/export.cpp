#include "export/export.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "export/faces.h"

namespace stridescope {
namespace {

constexpr double largest_side = 32'000, most_pixels = 64e6, points_per_pixel = 0.75;

double length(Unit units) { return units / 100.0; }

/// One scene onto one surface: a loop and a switch.
class Brush {
 public:
  Brush(cairo_t* cairo, Faces& faces, ThemeId theme) : cairo_(cairo), faces_(faces), theme_(theme) {
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo_, options);
    cairo_font_options_destroy(options);
  }

  void draw(const Scene& scene) {
    for (const Item& item : scene.items) {
      const Color ink = color(theme_, item.role, item.shade);
      cairo_set_source_rgba(cairo_, ink.r / 255.0, ink.g / 255.0, ink.b / 255.0, ink.a / 255.0);
      switch (item.shape.index()) {
        case 0: draw(*std::get_if<Rect>(&item.shape), item); break;
        case 1: draw(*std::get_if<Polyline>(&item.shape), item); break;
        case 2: draw(*std::get_if<Text>(&item.shape)); break;
        case 3: draw(*std::get_if<Image>(&item.shape), item.role); break;
      }
    }
  }

 private:
  void draw(const Rect& rect, const Item& item) {
    const double left = length(rect.x), top = length(rect.y), right = left + length(rect.width),
                 bottom = top + length(rect.height);
    const double radius = length(std::min({rect.radius, rect.width / 2, rect.height / 2}));
    cairo_new_path(cairo_);
    if (radius > 0) {
      constexpr double quarter = std::numbers::pi / 2;
      cairo_arc(cairo_, right - radius, top + radius, radius, -quarter, 0);
      cairo_arc(cairo_, right - radius, bottom - radius, radius, 0, quarter);
      cairo_arc(cairo_, left + radius, bottom - radius, radius, quarter, 2 * quarter);
      cairo_arc(cairo_, left + radius, top + radius, radius, 2 * quarter, 3 * quarter);
      cairo_close_path(cairo_);
    } else {
      cairo_rectangle(cairo_, left, top, right - left, bottom - top);
    }
    paint(item, item.stroke == 0);
  }

  void draw(const Polyline& line, const Item& item) {
    cairo_new_path(cairo_);
    for (const Point& point : line.points) cairo_line_to(cairo_, length(point.x), length(point.y));
    if (line.closed) cairo_close_path(cairo_);
    paint(item, line.filled);
  }

  /// The path that was built.
  void paint(const Item& item, bool filled) {
    if (filled) return cairo_fill(cairo_);
    static constexpr double dashes[] = {3, 4};  // as in the SVG
    cairo_set_dash(cairo_, dashes, item.dashed ? 2 : 0, 0);
    cairo_set_line_width(cairo_, length(item.stroke));
    cairo_stroke(cairo_);
  }

  /// Letters of the monospace face stand where core has measured them, whatever the face's own advance is.
  void draw(const Text& text) {
    struct Placed {
      Stretch stretch;
      std::vector<cairo_glyph_t> glyphs;
      std::vector<cairo_text_cluster_t> clusters;
    };
    std::vector<Placed> line;
    double end = 0;
    const Face face =
        text.mono ? (text.bold ? Face::mono_bold : Face::mono) : (text.bold ? Face::sans_bold : Face::sans);
    cairo_set_font_size(cairo_, length(text.size));
    for (const Stretch& stretch : faces_.stretches(face, text.text)) {
      if (!stretch.face) continue;
      cairo_set_font_face(cairo_, stretch.face);
      cairo_glyph_t* glyphs = nullptr;
      cairo_text_cluster_t* clusters = nullptr;
      int glyph_count = 0, cluster_count = 0;
      cairo_text_cluster_flags_t flags{};
      if (cairo_scaled_font_text_to_glyphs(cairo_get_scaled_font(cairo_), end, 0, stretch.text.data(),
                                           static_cast<int>(stretch.text.size()), &glyphs, &glyph_count, &clusters,
                                           &cluster_count, &flags) != CAIRO_STATUS_SUCCESS)
        continue;
      Placed placed{stretch, {glyphs, glyphs + glyph_count}, {clusters, clusters + cluster_count}};
      cairo_text_extents_t extents;
      cairo_glyph_extents(cairo_, glyphs, glyph_count, &extents);
      cairo_glyph_free(glyphs);
      cairo_text_cluster_free(clusters);
      end += extents.x_advance;
      if (text.mono) place(text, placed.stretch.text, placed.clusters, placed.glyphs);
      line.push_back(std::move(placed));
    }
    const double width = text.mono ? length(text_width(text.text, text.size)) : end;
    cairo_save(cairo_);
    cairo_translate(cairo_, length(text.at.x), length(text.at.y));
    if (text.vertical) cairo_rotate(cairo_, -std::numbers::pi / 2);
    cairo_translate(cairo_, text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? -width / 2 : -width, 0);
    for (const Placed& placed : line) {
      cairo_set_font_face(cairo_, placed.stretch.face);
      cairo_show_text_glyphs(cairo_, placed.stretch.text.data(), static_cast<int>(placed.stretch.text.size()),
                             placed.glyphs.data(), static_cast<int>(placed.glyphs.size()), placed.clusters.data(),
                             static_cast<int>(placed.clusters.size()), {});
    }
    cairo_restore(cairo_);
  }

  static void place(const Text& text, std::string_view stretch, const std::vector<cairo_text_cluster_t>& clusters,
                    std::vector<cairo_glyph_t>& glyphs) {
    size_t byte = static_cast<size_t>(stretch.data() - text.text.data()), glyph = 0;
    for (const cairo_text_cluster_t& cluster : clusters) {
      const double x = length(text_width(std::string_view(text.text).substr(0, byte), text.size));
      const double first = glyph < glyphs.size() ? glyphs[glyph].x : 0;
      for (int i = 0; i < cluster.num_glyphs; ++i, ++glyph) glyphs[glyph].x += x - first;
      byte += static_cast<size_t>(cluster.num_bytes);
    }
  }

  void draw(const Image& image, Role role) {
    cairo_surface_t* pixels = cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.columns, image.rows);
    unsigned char* bytes = cairo_image_surface_get_data(pixels);
    const int stride = cairo_image_surface_get_stride(pixels);
    for (int32_t row = 0; bytes && row < image.rows; ++row) {
      auto* to = reinterpret_cast<uint32_t*>(bytes + static_cast<ptrdiff_t>(row) * stride);
      for (int32_t column = 0; column < image.columns; ++column) {
        const Color shade = color(
            theme_, role,
            image.shades[static_cast<size_t>(row) * static_cast<size_t>(image.columns) + static_cast<size_t>(column)]);
        to[column] = uint32_t{shade.r} << 16 | uint32_t{shade.g} << 8 | shade.b;
      }
    }
    cairo_surface_mark_dirty(pixels);
    cairo_save(cairo_);
    cairo_translate(cairo_, length(image.frame.x), length(image.frame.y));
    cairo_scale(cairo_, length(image.frame.width) / image.columns, length(image.frame.height) / image.rows);
    cairo_set_source_surface(cairo_, pixels, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
    cairo_pattern_set_extend(cairo_get_source(cairo_), CAIRO_EXTEND_PAD);
    cairo_rectangle(cairo_, 0, 0, image.columns, image.rows);
    cairo_fill(cairo_);
    cairo_restore(cairo_);
    cairo_surface_destroy(pixels);
  }

  cairo_t* cairo_;
  Faces& faces_;
  ThemeId theme_;
};

cairo_status_t append(void* to, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

Message too_big(const Scene& scene, double scale, const char* format) {
  return {
      Msg::figure_too_big,
      {static_cast<int64_t>(length(scene.width) * scale), static_cast<int64_t>(length(scene.height) * scale), format}};
}

Message not_made(cairo_status_t status) { return {Msg::figure_not_made, {cairo_status_to_string(status)}}; }

Faces& faces() {
  static Faces all;
  return all;
}

}  // namespace

std::variant<std::string, Message> png(const Scene& scene, ThemeId theme, double scale, std::string_view carried) {
  const double width = std::round(length(scene.width) * scale), height = std::round(length(scene.height) * scale);
  if (width < 1 || height < 1 || width > largest_side || height > largest_side || width * height > most_pixels)
    return too_big(scene, scale, "PNG");
  cairo_surface_t* surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height));
  cairo_t* cairo = cairo_create(surface);
  cairo_scale(cairo, scale, scale);
  Brush(cairo, faces(), theme).draw(scene);
  cairo_status_t status = cairo_status(cairo);
  std::string bytes;
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_write_to_png_stream(surface, append, &bytes);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS) return not_made(status);
  return carried.empty() ? bytes : carrying(bytes, carried);
}

std::variant<std::string, Message> pdf(const std::vector<Scene>& pages, ThemeId theme, std::string_view carried,
                                       const Progress& progress) {
  std::string bytes;
  bool whole = true;
  int made = 0;
  cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(append, &bytes, 1, 1);
  // From 1.5 on Cairo may put the document information into a compressed stream, where what is carried cannot be found.
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, pages.front().title.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, pages.front().description.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Stridescope");
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                 "2000-01-01T00:00:00Z");  // the same bytes every time
  if (!carried.empty())
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS,
                                   ("stridescope:" + std::string(carried)).c_str());
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  for (const Scene& scene : pages) {
    whole = progress(made++, static_cast<int>(pages.size()));
    if (!whole) break;
    cairo_pdf_surface_set_size(surface, length(scene.width) * points_per_pixel,
                               length(scene.height) * points_per_pixel);
    cairo_t* cairo = cairo_create(surface);
    cairo_scale(cairo, points_per_pixel, points_per_pixel);
    Brush(cairo, faces(), theme).draw(scene);
    cairo_show_page(cairo);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_status(cairo);
    cairo_destroy(cairo);
  }
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS) return not_made(status);
  return whole ? bytes : std::string();
}

}  // namespace stridescope
