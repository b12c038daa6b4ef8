#include <algorithm>

#include "layout/contiguity.h"
#include "render/report.h"
#include "render/report_parts.h"
#include "scene/picture.h"

namespace stridescope {
namespace {

/// A stretch of one dimension around the place where the head is.
struct Stretch {
  int64_t first = 0, count = 1, size = 1;

  Stretch() = default;
  Stretch(int64_t at, int64_t size_, int64_t most) : count(std::min(size_, most)), size(size_) {
    first = std::clamp<int64_t>(at - count / 2, 0, size - count);
  }
};

void write(Json& json, const Stretch& stretch) {
  json.object().put("first", std::to_string(stretch.first)).put("count", std::to_string(stretch.size)).end();
}

/// @pre  0 <= element < reading.count
void write(Json& json, const Reading& reading, int64_t element) {
  const int64_t place = offset(reading.tensor->layout, index_at(reading.tensor->layout.sizes, element));
  json.object()
      .put("element", std::to_string(element))
      .put("offset", std::to_string(place))
      .put("value", element_label(reading, element))
      .end();
}

/// Distances in cells; `unit` is the cells of one element.
void write_walk(Json& json, std::string_view key, const Layout& layout, int64_t reads, int64_t unit) {
  const AccessPath path(layout);
  const PathStatistics all = path.statistics(unit);
  const AccessPath::SoFar now = path.so_far(reads);
  const auto distance = [](std::optional<int64_t> travel) { return travel ? std::to_string(*travel) : "> 2**63"; };
  json.key(key)
      .object()
      .put("travel", distance(now.travel))
      .put("backward", std::to_string(now.backward))
      .put("repeats", std::to_string(now.repeats))
      .put("all_travel", distance(all.travel))
      .put("all_backward", std::to_string(all.backward))
      .put("all_repeats", std::to_string(all.repeats))
      .put("longest_run", std::to_string(all.longest_run))
      .end();
}

}  // namespace

std::string elements(const Trace& trace, const ViewState& view) {
  Json json;
  if (trace.steps.empty()) return std::move(json.null()).text();
  const Picture picture = compose_picture(trace, view);
  if (!picture.subject) return std::move(json.null()).text();
  const Reading& reading = *picture.subject;
  const Dims& sizes = reading.tensor->layout.sizes;
  json.object().put("name", reading.name).key("tensor");
  write(json, *reading.tensor);
  json.put("count", std::to_string(reading.count));
  if (reading.count == 0) {
    json.key("head").null().end();
    return std::move(json).text();
  }

  const Dims index = index_at(sizes, picture.head);
  const int rank = sizes.size();
  json.key("head");
  write(json, reading, picture.head);
  json.put("cell", to_string(reading.cell_target(reading.cell_of(picture.head))));
  json.key("index").array();
  for (const int64_t i : index) json.value(std::to_string(i));
  json.end();

  write_walk(json, "walk", reading.layout, picture.head + 1, reading.span);
  write_walk(json, "copy_walk", contiguous(sizes, reading.span), picture.head + 1, reading.span);

  const Stretch columns = rank >= 1 ? Stretch(index[rank - 1], sizes[rank - 1], 16) : Stretch();
  const Stretch rows = rank >= 2 ? Stretch(index[rank - 2], sizes[rank - 2], 8) : Stretch();
  json.key("rows");
  write(json, rows);
  json.key("columns");
  write(json, columns);
  // The first element of the plane that the head is in.
  const int64_t plane = columns.size * rows.size;
  const int64_t corner = picture.head / plane * plane;
  json.key("window").array();
  for (int64_t row = rows.first; row < rows.first + rows.count; ++row) {
    json.array();
    for (int64_t column = columns.first; column < columns.first + columns.count; ++column)
      write(json, reading, corner + row * columns.size + column);
    json.end();
  }
  json.end().end();
  return std::move(json).text();
}

}  // namespace stridescope
