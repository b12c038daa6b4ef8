// One step in characters. The same picture as the scene's, in what a terminal has: the statement, why, the grid as rows
// with the head's element in brackets, the storage with its offsets and the order in which it is read.
#include <algorithm>

#include "lang/utf8.h"
#include "layout/lookup.h"
#include "render/formats.h"
#include "scene/lettering.h"
#include "scene/picture.h"
#include "stridescope.h"

namespace stridescope {
namespace {

/// Columns of a terminal: a CJK character takes two.
int columns_of(std::string_view text) {
  int columns = 0;
  for (size_t at = 0; at < text.size();) {
    const auto bytes = static_cast<size_t>(decode(text, at).bytes);
    columns += text_width(text.substr(at, bytes), px(10)) > px(6) ? 2 : 1;
    at += bytes;
  }
  return columns;
}

std::string blanks(int count) { return std::string(static_cast<size_t>(std::max(count, 0)), ' '); }
std::string to_the_right(const std::string& text, int columns) { return blanks(columns - columns_of(text)) + text; }
std::string to_the_left(const std::string& text, int columns) { return text + blanks(columns - columns_of(text)); }

/// A row of cells: what stands in them, and which one the head is on.
struct Row {
  std::string label;
  std::vector<std::string> cells;
  int head = -1;
};

class TextPage {
 public:
  TextPage(const Picture& picture, int columns) : picture_(picture), columns_(columns) {}

  std::string text() && {
    line(picture_.step.text);
    if (picture_.view.ask) paragraph(picture_.say(Msg::ask_question));
    if (const Diagnostic* error = picture_.error()) {
      if (error->raised && error->raised->text.empty())
        paragraph(error->raised->type);
      else if (error->raised)
        paragraph(error->raised->type + ": " + error->raised->text);
      paragraph(plain(error->reason, picture_.view.language));
      for (const Hint& hint : error->hints) paragraph("> " + plain(hint.message, picture_.view.language));
    } else if (picture_.op) {
      for (const Message& why : picture_.op->why.lines) paragraph(plain(why, picture_.view.language));
    }
    if (!picture_.subject) return std::move(text_);
    const Reading& reading = *picture_.subject;
    line("");
    line(reading.name + "  " + to_string(reading.tensor->layout));
    if (reading.count == 0) {
      line(indent + picture_.say(Msg::scene_no_elements));
      return std::move(text_);
    }
    if (picture_.view.figures & figure_grid) grid(reading);
    if (picture_.view.figures & figure_strip) strip(reading);
    if (picture_.view.figures & figure_path) path(reading);
    return std::move(text_);
  }

 private:
  static constexpr const char* indent = "  ";

  void line(const std::string& content) {
    const std::string clean = printable(content);
    text_ += clean.substr(0, clean.find_last_not_of(' ') + 1) + "\n";
  }
  void paragraph(const std::string& sentence) {
    for (const std::string& part : wrapped(printable(sentence), px(10), px(6) * (columns_ - 2), 20))
      line(indent + part);
  }

  /// Rows below each other, all cells of one width: at least `cell`.
  void rows(const std::vector<Row>& all, int cell = 0) {
    int label = 0;
    for (const Row& row : all) {
      label = std::max(label, columns_of(row.label));
      for (const std::string& one : row.cells) cell = std::max(cell, columns_of(one));
    }
    for (const Row& row : all) {
      std::string text = indent + to_the_left(row.label, label);
      for (size_t k = 0; k < row.cells.size(); ++k) {
        const bool head = row.head == static_cast<int>(k), after = k > 0 && row.head == static_cast<int>(k) - 1;
        text += (after ? "]" : " ") + std::string(head ? "" : " ");
        text += head ? to_the_right("[" + row.cells[k], cell + 1) : to_the_right(row.cells[k], cell);
      }
      if (row.head >= 0 && row.head + 1 == static_cast<int>(row.cells.size())) text += "]";
      line(text);
    }
  }

  std::string label(const Reading& reading, int64_t element) const {
    return with_fewer_decimals(picture_.element_text(reading, element), 7);
  }

  /// How many cells of that width fit beside the labels of rows.
  int fitting(int cell, int labels) const { return std::max((columns_ - 2 - labels) / (cell + 2), 1); }

  void axis(const Reading& reading, int d, const char* arrow) {
    line(indent + std::string(arrow) + " " + axis_name(*reading.tensor, d) + "  " +
         picture_.say(Msg::axis_size, {reading.layout.sizes[d]}) + "  " +
         picture_.stride_words(*reading.tensor, reading.tensor->layout.strides[d]));
  }

  /// The planes of the last two dimensions, one below the other, each a window around the head where it is large.
  void grid(const Reading& reading) {
    constexpr int64_t most_rows = 12, most_planes = 4;
    const Dims& sizes = reading.layout.sizes;
    const int rank = sizes.size();
    line("");
    line(picture_.say(Msg::grid_heading, {reading.name}));
    for (int d = 0; d < rank; ++d) axis(reading, d, d == rank - 1 ? "->" : d == rank - 2 ? "v " : "# ");
    const int64_t columns = rank >= 1 ? sizes[rank - 1] : 1, height = rank >= 2 ? sizes[rank - 2] : 1;
    const int64_t plane = columns * height, planes = reading.count / plane;
    const Dims head = index_at(sizes, picture_.head);
    const int64_t head_plane = picture_.head / plane, head_row = rank >= 2 ? head[rank - 2] : 0,
                  head_column = rank >= 1 ? head[rank - 1] : 0;

    const int64_t shown_rows = std::min(height, most_rows), first_row = window_start(head_row, shown_rows, height);
    int cell = 1;
    for (int64_t k = 0; k < std::min<int64_t>(columns, 60); ++k)
      cell = std::max(cell, columns_of(label(reading, head_plane * plane + head_row * columns + k)));
    cell = std::max(cell, columns_of(label(reading, head_plane * plane + plane - 1)));
    const int64_t shown_columns = std::min<int64_t>(columns, fitting(cell, 4)),
                  first_column = window_start(head_column, shown_columns, columns);
    const int64_t shown_planes = std::min(planes, most_planes),
                  first_plane = window_start(head_plane, shown_planes, planes);
    for (int64_t p = first_plane; p < first_plane + shown_planes; ++p) {
      if (rank > 2) {
        const Dims index = index_at(sizes, p * plane);
        std::string name = "[";
        for (int d = 0; d < rank - 2; ++d) name += std::to_string(index[d]) + ", ";
        line(indent + name + ":, :]");
      }
      std::vector<Row> all;
      for (int64_t r = first_row; r < first_row + shown_rows; ++r) {
        Row row;
        if (first_column > 0) row.cells.push_back("…");
        for (int64_t c = first_column; c < first_column + shown_columns; ++c) {
          if (p == head_plane && r == head_row && c == head_column) row.head = static_cast<int>(row.cells.size());
          row.cells.push_back(label(reading, p * plane + r * columns + c));
        }
        if (first_column + shown_columns < columns) row.cells.push_back("…");
        all.push_back(std::move(row));
      }
      rows(all, cell);
      if (shown_rows < height) line(indent + picture_.say(Msg::figure_more, {height - shown_rows}));
    }
    if (shown_planes < planes) line(indent + picture_.say(Msg::figure_more, {planes - shown_planes}));
  }

  /// Cells of the storage, their offsets, and which reads come there: "0", "0 3", "0 .." where there are more.
  void strip(const Reading& reading) {
    const std::vector<std::string> names{picture_.say(Msg::strip_heading), picture_.say(Msg::figure_position),
                                         picture_.say(Msg::figure_reads)};
    int labels = 0;
    for (const std::string& name : names) labels = std::max(labels, columns_of(name));
    const int64_t place =
        std::clamp<int64_t>(reading.cell_of(picture_.head), 0, std::max<int64_t>(reading.cells - 1, 0));
    int cell = columns_of(std::to_string(std::max<int64_t>(reading.cells - 1, 0)));
    for (int64_t k = place; k < std::min(reading.cells, place + 40); ++k)
      cell = std::max(cell, columns_of(with_fewer_decimals(cell_label(reading, k), 7)));
    const int64_t shown = std::min<int64_t>(reading.cells, std::max(fitting(cell + 1, labels) - 2, 1));
    const int64_t first = window_start(place, shown, reading.cells);
    Row values{names[0], {}, -1}, offsets{names[1], {}, -1}, order{names[2], {}, -1};
    const auto ellipsis = [&] {
      for (Row* row : {&values, &offsets, &order}) row->cells.push_back("…");
    };
    if (first > 0) ellipsis();
    for (int64_t k = first; k < first + shown; ++k) {
      constexpr int few = 3;
      const std::vector<int64_t> by = reading.readers_of(k, few);
      if (k == place) values.head = static_cast<int>(values.cells.size());
      values.cells.push_back(with_fewer_decimals(cell_label(reading, k), 7));
      offsets.cells.push_back(std::to_string(k));
      order.cells.push_back(by.empty() ? "-" : std::to_string(by[0]) + (by.size() > 1 ? "+" : ""));
    }
    if (first + shown < reading.cells) ellipsis();
    line("");
    rows({values, offsets, order});
  }

  /// The hops of the head and what the walk costs.
  void path(const Reading& reading) {
    constexpr int64_t most = 24;
    const AccessPath path = reading.path();
    const PathStatistics all = path.statistics(reading.span);
    std::string hops = picture_.say(Msg::path_heading) + "  " + std::to_string(path.offset(0));
    const int64_t count = std::min(reading.count - 1, most);
    for (int64_t k = 0; k < count; ++k) {
      const int64_t hop = path.offset(k + 1) - path.offset(k);
      hops += (hop < 0 ? " " : " +") + std::to_string(hop);
    }
    if (count < reading.count - 1) hops += " …";
    line("");
    for (const std::string& part : wrapped(printable(hops), px(10), px(6) * columns_, 4)) line(part);
    paragraph(picture_.say(Msg::path_travel, {all.travel ? std::to_string(*all.travel) : "> 2**63"}) + ", " +
              picture_.say(Msg::path_back, {all.backward}) + ", " + picture_.say(Msg::path_repeats, {all.repeats}) +
              ", " + picture_.say(Msg::path_longest_run, {all.longest_run}));
  }

  const Picture& picture_;
  int columns_;
  std::string text_;
};

}  // namespace

std::string plain_text(const Trace& trace, const ViewState& view, int columns) {
  if (trace.steps.empty()) return draw(trace, view).title + "\n";
  return TextPage(compose_picture(trace, view), columns).text();
}

}  // namespace stridescope
