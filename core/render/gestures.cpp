#include <algorithm>

#include "layout/lookup.h"
#include "layout/shapes.h"
#include "layout/slack.h"
#include "layout/transform.h"
#include "layout/view.h"
#include "ops/gesture.h"
#include "render/report.h"
#include "render/report_parts.h"
#include "scene/picture.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr int64_t most_size = 64;  ///< of a dimension whose stride is 0
constexpr int most_splits = 8;
constexpr int most_of_a_rank = 256;
constexpr int64_t most_divisor = 4096;  ///< among which the inner size of a split is looked for

void write(Json& json, int64_t value, const Range& range) {
  json.object()
      .put("value", std::to_string(value))
      .put("lowest", std::to_string(range.lowest))
      .put("highest", std::to_string(range.highest))
      .end();
}

/// The layout with all its numbers divided by the item size: NumPy's byte strides, for ranges in whole elements.
Layout in_items(const Layout& layout, int64_t item) {
  Layout result = layout;
  for (int64_t& stride : result.strides) stride /= item;
  result.storage_offset /= item;
  return result;
}
Range times(const Range& range, int64_t item) { return {range.lowest * item, range.highest * item}; }

std::string strided(const Layout& layout) {
  std::string text = "as_strided";
  for (int64_t size : layout.sizes) text += " " + std::to_string(size);
  for (int64_t stride : layout.strides) text += " " + std::to_string(stride);
  return text + " " + std::to_string(layout.storage_offset);
}

/// A line as the matrix that is nearest to a square.
Layout as_matrix(const Layout& line) {
  const int64_t count = line.sizes[0], stride = line.strides[0];
  int64_t rows = 1;
  for (int64_t d = 2; d <= most_divisor && d * d <= count; ++d)
    if (count % d == 0) rows = d;
  return {{rows, count / rows}, {count / rows * stride, stride}, line.storage_offset};
}

/// The six layouts that strides are known for, made of the tensor's own strides; of a number, of what follows it in the
/// storage.
/// @pre  the tensor has elements
void write_idioms(Json& json, const Tensor& tensor, Language language) {
  const bool torch = tensor.library == Library::torch;
  const int64_t unit = tensor.unit(), cells = tensor.storage->nbytes / tensor.item_bytes();
  const auto put = [&](Msg label, const std::string& gesture) {
    json.object().put("label", plain({label, {}}, language)).put("gesture", gesture).end();
  };
  Layout own = tensor.layout;
  if (own.rank() == 0) own = {{cells - own.storage_offset / unit}, {unit}, own.storage_offset};
  json.key("idioms").array();
  // All others read what the tensor reads. NumPy's as_strided begins where the array does.
  Layout packed{own.sizes, contiguous(own.sizes, unit).strides, own.storage_offset};
  const int64_t count = *numel(own.sizes);
  if (torch && packed.storage_offset > cells - count) packed.storage_offset = std::max<int64_t>(cells - count, 0);
  if (packed.storage_offset / unit <= cells - count) put(Msg::label_idiom_contiguous, strided(packed));
  if (!own.sizes.full()) {
    Layout repeated = insert_dim(own, 0, 0);
    repeated.sizes[0] = 3;
    put(Msg::label_idiom_broadcast, strided(repeated));
  }
  const Layout matrix = own.rank() == 1 ? as_matrix(own) : own;
  const int column = matrix.rank() - 1, row = column - 1;
  put(Msg::label_idiom_transpose, strided(transpose(matrix, row, column)));
  if (tensor.layout.rank() > 0) put(Msg::label_idiom_flip, "flip " + std::to_string(tensor.layout.rank() - 1));
  Layout diagonal = matrix;
  diagonal.sizes[row] = std::min(matrix.sizes[row], matrix.sizes[column]);
  diagonal.strides[row] += matrix.strides[column];
  diagonal.sizes.erase(column), diagonal.strides.erase(column);
  put(Msg::label_idiom_diagonal, strided(diagonal));
  if (Layout windows = own; !own.sizes.full()) {
    const int64_t window = std::min<int64_t>(3, own.sizes.back());
    windows.sizes[own.rank() - 1] += 1 - window;
    windows.sizes.push_back(window), windows.strides.push_back(own.strides.back());
    put(Msg::label_idiom_window, strided(windows));
  }
  json.end();
}

}  // namespace

std::string gestures(const Trace& trace, const ViewState& view) {
  Json json;
  if (trace.steps.empty() || view.ask) return std::move(json.null()).text();
  const Picture picture = compose_picture(trace, view);
  // What is no tensor has no axes to move, only memory.
  const bool lent = picture.subject && picture.step.memory_named(*picture.subject->tensor) &&
                    !picture.step.named(*picture.subject->tensor);
  if (!picture.subject || picture.subject->count == 0 || lent) return std::move(json.null()).text();
  const Reading& reading = *picture.subject;
  const Tensor& tensor = *reading.tensor;
  const Layout& layout = tensor.layout;
  const int64_t item = tensor.unit();
  const int64_t cells = tensor.storage->nbytes / tensor.item_bytes();
  const Layout items = in_items(layout, item);

  json.object()
      .put("object", tensor.object)
      .put("name", reading.name)
      .put("library", tensor.library == Library::torch ? "torch" : "numpy")
      .key("axes")
      .array();
  for (int d = 0; d < layout.rank(); ++d) {
    const int64_t size = layout.sizes[d], stride = layout.strides[d];
    json.object()
        .put("name", axis_name(tensor, d))
        .put("color", static_cast<int>(axis_role(reading, d)) - static_cast<int>(Role::axis0));
    json.key("size");
    write(json, size, size_range(items, d, cells, std::max(size, most_size)));
    json.key("stride");
    Range strides = times(stride_range(items, d, cells), item);
    if (tensor.library == Library::torch) strides.lowest = std::max<int64_t>(strides.lowest, 0);
    write(json, stride, strides);
    json.key("splits").array();
    for (int64_t inner = 2, found = 0; inner < std::min(size, most_divisor) && found < most_splits; ++inner)
      if (size % inner == 0) json.value(std::to_string(inner)), ++found;
    json.end().key("merge");
    if (d + 1 == layout.rank()) {
      json.null();
    } else {
      const auto merged = rewrite(trace, picture.number, tensor, {Gesture::Kind::merge, {d}, {}});
      if (const auto* refused = std::get_if<Message>(&merged))
        write(json, *refused, view.language);
      else
        json.value(true);
    }
    json.end();
  }
  json.end().key("offset");
  const bool movable = tensor.library == Library::torch;  // NumPy's as_strided begins where the array does
  write(json, layout.storage_offset,
        movable ? offset_range(items, cells) : Range{layout.storage_offset, layout.storage_offset});
  write_idioms(json, tensor, view.language);
  json.end();
  return std::move(json).text();
}

std::string shapes(const Trace& trace, const ViewState& view, int rank) {
  Json json;
  if (trace.steps.empty() || view.ask) return std::move(json.null()).text();
  const Picture picture = compose_picture(trace, view);
  if (!picture.subject || picture.subject->count == 0) return std::move(json.null()).text();
  const Shapes all(picture.subject->tensor->layout);
  rank = std::clamp(rank, 1, max_shape_rank);
  const auto list = [&](int64_t count, Wanted wanted) {
    json.object().put("count", std::to_string(count)).key("shapes").array();
    for (const Shape& shape : all.of_rank(rank, wanted, most_of_a_rank)) {
      json.array();
      for (const int64_t size : shape.sizes) json.value(std::to_string(size));
      json.end();
    }
    json.end().end();
  };
  json.object().key("views");
  list(all.views(rank), Wanted::views);
  json.key("copies");
  list(all.copies(rank), Wanted::copies);
  json.end();
  return std::move(json).text();
}

std::string reader(const Trace& trace, const ViewState& view, const Target& cell) {
  if (trace.steps.empty() || cell.kind != Target::Kind::cell) return {};
  const Picture picture = compose_picture(trace, view);
  if (!picture.subject || picture.subject->count == 0 || picture.subject->tensor->storage->id != cell.owner) return {};
  const std::vector<int64_t> found = picture.subject->readers_of(cell.index, 1, 20'000);
  return found.empty() ? std::string{} : std::to_string(found.front());
}

std::string rewritten(const Trace& trace, const ViewState& view, std::string_view gesture) {
  Json json;
  const auto refuse = [&](const Message& reason) {
    json.object().key("refused");
    write(json, reason, view.language);
    json.end();
    return std::move(json).text();
  };
  const std::optional<Gesture> known = parse_gesture(gesture);
  if (!known) return refuse({Msg::gesture_unknown, {std::string(gesture.substr(0, 80))}});
  if (trace.steps.empty() || view.ask) return refuse({Msg::gesture_no_name, {}});
  const Picture picture = compose_picture(trace, view);
  if (!picture.subject) return refuse({Msg::gesture_no_name, {}});
  auto result = rewrite(trace, picture.number, *picture.subject->tensor, *known);
  if (const auto* refused = std::get_if<Message>(&result)) return refuse(*refused);
  const Rewritten& done = *std::get_if<Rewritten>(&result);
  json.object().put("code", done.source).put("step", done.step).put("line", done.line).end();
  return std::move(json).text();
}

}  // namespace stridescope
