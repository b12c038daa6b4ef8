#include "scene/reading.h"

#include <numeric>

#include "lang/utf8.h"
#include "layout/extent.h"
#include "layout/stretches.h"
#include "ops/contents.h"
#include "ops/numpy/strings.h"

namespace stridescope {
namespace {

/// The largest cell, in bytes, that suits a tensor of this layout in bytes.
int64_t largest_cell(const Tensor& tensor, const Layout& bytes) {
  const auto piece = [](const auto& of) { return of.structure ? common_piece(*of.structure) : itemsize(of.dtype); };
  int64_t cell = std::gcd(piece(tensor), piece(*tensor.storage));
  if (numel(bytes.sizes) == 0) return cell;
  cell = std::gcd(cell, bytes.storage_offset);
  for (int d = 0; d < bytes.rank(); ++d)
    if (bytes.sizes[d] > 1) cell = std::gcd(cell, bytes.strides[d]);
  return cell;
}

/// What cells of so many bytes are read as: what the storage was made as, the parts of its complex numbers, what the
/// tensor reads, and else their bits as a number.
DType dtype_of_cells(const Tensor& tensor, int64_t bytes) {
  const DType own = tensor.storage->dtype;
  for (const DType dtype : {own, real_of(own), tensor.dtype, DType::uint64, DType::uint32, DType::uint16})
    if (dtype != DType::structured && itemsize(dtype) == bytes) return dtype;
  return DType::uint8;
}

/// A structure as Python writes a tuple, or a string, shortened where it is long.
std::string structure_label(const Reading& reading, const Structure& structure, int64_t byte) {
  constexpr size_t most = 24;
  if (structure.is_swapped()) return label(read_swapped(*reading.contents, byte, structure.number));
  if (!structure.has_fields()) {
    const std::string word = string_text(*reading.contents, structure, byte);
    const std::string cut = excerpt(word, most);
    return cut == word ? word : cut.substr(0, cut.size() - 3) + "…";
  }
  std::string text;
  for (const StructureField& field : structure.fields) {
    if (text.size() > most) return "(" + text + ", …)";
    text += text.empty() ? "" : ", ";
    if (!field.sizes.empty())
      text += "[…]";
    else if (field.structure)
      text += structure_label(reading, *field.structure, byte + field.offset);
    else
      text += label(read_at(*reading.contents, byte + field.offset, field.dtype));
  }
  return "(" + text + (structure.fields.size() == 1 ? ",)" : ")");
}

/// A character as Python's repr writes it; zeros end a string, or fill what is left of its room.
std::string character_label(char32_t character) {
  if (character == 0) return "\\0";
  std::string text;
  append_utf8(text, character);
  return quoted(text);
}

}  // namespace

void Reading::count_in(int64_t bytes, DType dtype) {
  layout = *in_bytes(*tensor);
  for (int64_t& stride : layout.strides) stride /= bytes;
  layout.storage_offset /= bytes;
  cell_bytes = bytes;
  cell_dtype = dtype;
  span = tensor->item_bytes() / bytes;
  cells = tensor->storage->nbytes / bytes;
  if (count == 0) return;
  const Extent reach = *extent(layout);
  lowest = reach.lowest;
  highest = reach.highest + span - 1;
}

Layout Reading::covered() const {
  if (span == 1) return layout;
  if (count == 0) return {{0}, {1}, 0};
  Layout all{{}, {}, layout.storage_offset};
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] > 1) all.sizes.push_back(layout.sizes[d]), all.strides.push_back(layout.strides[d]);
  all.sizes.push_back(span), all.strides.push_back(1);
  return all;
}

bool Reading::counted_quickly() const { return count <= 4096 || stretches(covered()).nest(); }

std::optional<int64_t> Reading::uncovered() const {
  const auto reached = counted_quickly() ? distinct_cells(covered()) : std::nullopt;
  return reached && *reached <= cells ? std::optional(cells - *reached) : std::nullopt;
}

std::vector<int64_t> Reading::readers_of(int64_t cell, int most, int64_t max_visits) const {
  std::vector<int64_t> found = readers(covered(), cell, most, max_visits);
  for (int64_t& place : found) place /= span;
  return found;
}

std::optional<Reading> read_through(const TensorPtr& tensor, std::string name, const Step& step) {
  Reading reading{.tensor = tensor, .name = std::move(name)};
  const Storage& storage = *tensor->storage;
  const auto bytes = in_bytes(*tensor);
  if (!bytes || !is_valid(*bytes)) return std::nullopt;
  reading.count = *numel(bytes->sizes);
  const int64_t cell = largest_cell(*tensor, *bytes);
  reading.count_in(cell, dtype_of_cells(*tensor, cell));
  reading.contents = step.contents_of(storage).get();
  reading.unknown = reading.contents && !is_known(*reading.contents);
  if (reading.unknown) reading.contents = nullptr;
  reading.drawn = step.is_drawn(storage);
  return reading;
}

std::string cell_label(const Reading& reading, int64_t cell) {
  if (!reading.contents) return "?";
  const Storage& storage = *reading.tensor->storage;
  const int64_t byte = cell * reading.cell_bytes;
  if (!storage.structure) return label(read(storage, *reading.contents, byte, reading.cell_dtype));
  // A number stands in its first cell; between the fields there is nothing.
  const auto leaf = leaf_at(*storage.structure, byte % storage.structure->itemsize);
  if (!leaf) return "·";
  if (leaf->begin < byte % storage.structure->itemsize) return "…";
  const Scalar value = read(storage, *reading.contents, byte, leaf->dtype);
  return leaf->characters == 0 ? label(value) : character_label(static_cast<char32_t>(value.integer));
}

Scalar element_value(const Reading& reading, int64_t element) {
  if (!reading.contents) return {.dtype = reading.tensor->dtype};
  return reading.tensor->lens(read(*reading.tensor->storage, *reading.contents,
                                   reading.cell_of(element) * reading.cell_bytes, reading.tensor->dtype));
}

std::string element_label(const Reading& reading, int64_t element) {
  if (!reading.contents) return "?";
  if (const Structure* structure = reading.tensor->structure.get())
    return structure_label(reading, *structure, reading.cell_of(element) * reading.cell_bytes);
  return label(element_value(reading, element));
}

}  // namespace stridescope
