#include "scene/reading.h"

#include "layout/extent.h"

namespace stridescope {
std::optional<Reading> read_through(const TensorPtr& tensor, std::string name, const Step& step) {
  Reading reading{.tensor = tensor, .name = std::move(name)};
  const Storage& storage = *tensor->storage;
  if (const auto layout = in_cells(*tensor)) {
    reading.layout = *layout;
    reading.cell_bytes = itemsize(storage.dtype);
  } else if (const auto bytes = in_bytes(*tensor)) {
    reading.layout = *bytes;
    reading.span = itemsize(tensor->dtype);
  } else {
    return std::nullopt;
  }
  const auto count = numel(reading.layout.sizes);
  if (!count) return std::nullopt;
  reading.count = *count;
  reading.cells = storage.nbytes / reading.cell_bytes;
  reading.contents = step.contents_of(storage).get();
  if (*count == 0) return reading;
  const auto reach = extent(reading.layout);
  if (!reach) return std::nullopt;
  reading.lowest = reach->lowest;
  reading.highest = reach->highest;
  return reading;
}

std::string cell_label(const Reading& reading, int64_t cell) {
  if (cell < 0 || cell >= reading.cells || !reading.contents) return "?";
  const Storage& storage = *reading.tensor->storage;
  return label(read(storage, *reading.contents, cell * reading.cell_bytes, reading.cell_dtype()));
}

Scalar element_value(const Reading& reading, int64_t element) {
  const int64_t cell = reading.cell_of(element);
  if (!reading.inside(cell) || !reading.contents) return {.dtype = reading.tensor->dtype};
  return reading.tensor->lens(
      read(*reading.tensor->storage, *reading.contents, cell * reading.cell_bytes, reading.tensor->dtype));
}

std::string element_label(const Reading& reading, int64_t element) {
  const bool known = reading.inside(reading.cell_of(element)) && reading.contents;
  return known ? label(element_value(reading, element)) : "?";
}

}  // namespace stridescope
