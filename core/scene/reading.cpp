#include "scene/reading.h"

#include "layout/extent.h"
#include "ops/contents.h"

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
  if (!is_valid(reading.layout)) return std::nullopt;
  reading.count = *numel(reading.layout.sizes);
  reading.cells = storage.nbytes / reading.cell_bytes;
  reading.contents = step.contents_of(storage).get();
  reading.unknown = reading.contents && !is_known(*reading.contents);
  if (reading.unknown) reading.contents = nullptr;
  reading.drawn = step.is_drawn(storage);
  if (reading.count == 0) return reading;
  const Extent reach = *extent(reading.layout);
  reading.lowest = reach.lowest;
  reading.highest = reach.highest;
  return reading;
}

std::string cell_label(const Reading& reading, int64_t cell) {
  if (!reading.contents) return "?";
  const Storage& storage = *reading.tensor->storage;
  return label(read(storage, *reading.contents, cell * reading.cell_bytes, reading.cell_dtype()));
}

Scalar element_value(const Reading& reading, int64_t element) {
  if (!reading.contents) return {.dtype = reading.tensor->dtype};
  return reading.tensor->lens(read(*reading.tensor->storage, *reading.contents,
                                   reading.cell_of(element) * reading.cell_bytes, reading.tensor->dtype));
}

std::string element_label(const Reading& reading, int64_t element) {
  return reading.contents ? label(element_value(reading, element)) : "?";
}

}  // namespace stridescope
