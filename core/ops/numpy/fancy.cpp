// Indexing by lists, arrays and masks: copies, and writes element by element.
#include <algorithm>

#include "layout/access_path.h"
#include "ops/numpy/key.h"
#include "ops/numpy/structured.h"

namespace stridescope {
namespace {

/// Positions along one axis of the view.
struct Picked {
  int axis = 0;  ///< of the view
  Tensor index;  ///< integers
};

constexpr int64_t max_mask = 65536;

/// An index array, or a mask as the index arrays of its true elements (np.nonzero).
bool picked(Call& call, const std::vector<Entry>& entries, const BasicView& viewed, std::vector<Picked>& result) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (entry.kind != Entry::Kind::array && entry.kind != Entry::Kind::mask) continue;
    const int axis = static_cast<int>(std::find(viewed.entry_of.begin(), viewed.entry_of.end(), static_cast<int>(i)) -
                                      viewed.entry_of.begin());
    const Tensor& index = *entry.array->tensor;
    if (entry.kind == Entry::Kind::array) {
      result.push_back({axis, index});
      continue;
    }
    const int64_t count = count_of(index);
    if (count > max_mask) return call.refuse(Msg::np_too_costly), false;
    const int rank = std::max(index.layout.rank(), 1);
    std::vector<std::vector<Scalar>> positions(static_cast<size_t>(rank));
    const Elements elements = elements_of(index);
    for (int64_t n = 0; n < count; ++n) {
      if (!is_true(element(elements, n))) continue;
      const Dims at = index_at(index.layout.sizes, n);
      for (int d = 0; d < rank; ++d)
        positions[static_cast<size_t>(d)].push_back({DType::int64, at.empty() ? 0 : at[d]});
    }
    for (int d = 0; d < rank; ++d) {
      const auto& list = positions[static_cast<size_t>(d)];
      const int64_t found = static_cast<int64_t>(list.size());
      Tensor made;
      made.library = Library::numpy;
      made.layout = {{found}, {8}, 0};
      made.storage = std::make_shared<Storage>();
      made.storage->nbytes = 8 * found;
      made.storage->contents = literal_contents(list, DType::int64);
      result.push_back({axis + d, std::move(made)});
    }
  }
  return true;
}

/// What indexing by arrays reads or writes: the elements' sizes in NumPy's order, and where they are.
struct Fancy {
  Dims sizes;          ///< of the index arrays broadcast together, then of the axes left
  int index_rank = 0;  ///< how many of them are the index arrays'
  int place = 0;       ///< where the index axes stand in the result
  Elements from;       ///< of those sizes, index axes with stride 0
  std::vector<IndexedDim> dims;
  Layout rest;                  ///< the axes left, as in the array
  std::vector<Layout> indices;  ///< of the index arrays, broadcast
  /// The first index beyond its axis, if any.
  struct Outside {
    int64_t index;
    int axis;  ///< of the array
    int64_t size;
  };
  std::optional<Outside> outside;
};

bool inside(Call& call, const Fancy& found) {
  if (!found.outside) return true;
  const auto [index, axis, size] = *found.outside;
  Slots text{"index ", index, " is out of bounds for axis ", axis, " with size ", size};
  // Without an axis it is np.ndarray.flat that is indexed.
  if (call.name().ends_with("take_along_axis") && !call.given("axis"))
    text = {"index ", index, " is out of bounds for size ", size};
  call.about("key").fail("IndexError", text, Msg::np_index_out_of_bounds, {index, axis, size});
  return false;
}

/// An index array in the order in which its indices are held against the bounds while elements are read: as it lies in
/// memory, but from its first one, or row by row where each index picks several elements.
Layout as_read(const Layout& index, const Layout& rest) {
  return numel(rest.sizes) == 1 ? permute(index, slowest_first(index)) : index;
}

std::optional<Fancy> fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const BasicView& viewed,
                           bool writing) {
  std::vector<Picked> picks;
  if (!picked(call, entries, viewed, picks)) return std::nullopt;
  std::vector<Dims> shapes;
  for (const Picked& pick : picks) shapes.push_back(pick.index.layout.sizes);
  const auto common = broadcast_sizes(shapes);
  if (!common) {
    std::string text = "shape mismatch: indexing arrays could not be broadcast together with shapes";
    for (const Dims& shape : shapes) text += " " + shape_text(shape);
    call.about("key").fail("IndexError", {text, " "}, Msg::np_cannot_broadcast,
                           {to_string(shapes.front()), to_string(shapes.back())});
    return std::nullopt;
  }
  Fancy result;
  result.index_rank = common->size();
  result.sizes = *common;
  Dims strides = Dims::filled(common->size(), 0);
  const auto is_picked = [&](int axis) {
    return std::any_of(picks.begin(), picks.end(), [&](const Picked& pick) { return pick.axis == axis; });
  };
  result.rest.storage_offset = viewed.layout.storage_offset;
  for (int d = 0; d < viewed.layout.rank(); ++d) {
    if (is_picked(d)) continue;
    if (result.sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank}), std::nullopt;
    result.sizes.push_back(viewed.layout.sizes[d]);
    strides.push_back(viewed.layout.strides[d]);
    result.rest.sizes.push_back(viewed.layout.sizes[d]);
    result.rest.strides.push_back(viewed.layout.strides[d]);
  }
  // Index arrays side by side put their axes in their place; apart (an integer counts as one), in front.
  int first = -1, last = -1, count = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto kind = entries[i].kind;
    if (kind != Entry::Kind::array && kind != Entry::Kind::mask && kind != Entry::Kind::integer) continue;
    if (first < 0) first = static_cast<int>(i);
    last = static_cast<int>(i);
    ++count;
  }
  if (last - first + 1 == count) result.place = picks.front().axis;
  const bool beforehand = writing || picks.size() > 1;
  for (const Picked& pick : picks) {
    const int64_t size = viewed.layout.sizes[pick.axis];
    const int64_t n = count_of(pick.index);
    if (n > max_mask) return call.refuse(Msg::np_too_costly), std::nullopt;
    const Elements elements = elements_of(pick.index);
    // Bounds are not looked at where nothing is read.
    Elements walked = elements;
    walked.layout = beforehand ? as_checked(elements.layout) : as_read(elements.layout, result.rest);
    for (int64_t i = 0; i < (numel(result.sizes) == 0 ? 0 : n); ++i) {
      const int64_t index = element(walked, i).integer;
      if (index >= -size && index < size) continue;
      // The axis of the array itself.
      int axis = 0, seen = 0;
      for (const Entry& entry : entries) {
        if (entry.kind == Entry::Kind::ellipsis) {
          int taken = 0;
          for (const Entry& one : entries) taken += axes_taken(one);
          axis += array.layout.rank() - taken;
        } else if (entry.kind == Entry::Kind::array) {
          if (seen++ == static_cast<int>(&pick - picks.data())) break;
          ++axis;
        } else {
          axis += axes_taken(entry);
          if (entry.kind == Entry::Kind::mask) seen += std::max(entry.array->tensor->layout.rank(), 1);
        }
      }
      if (!result.outside) result.outside = Fancy::Outside{index, axis, size};
      break;
    }
    Elements index = elements;
    index.layout = broadcast_to(index.layout, *common);
    result.indices.push_back(index.layout);
    for (int d = 0; d < result.rest.rank(); ++d) {
      index.layout.sizes.push_back(result.rest.sizes[d]);
      index.layout.strides.push_back(0);
    }
    result.dims.push_back({std::move(index), size, viewed.layout.strides[pick.axis]});
  }
  result.from = {array.storage->contents, {result.sizes, strides, viewed.layout.storage_offset}, array.dtype};
  return result;
}

/// The sizes of what reading would give.
Dims read_sizes(const Fancy& found) {
  Dims sizes;
  const int rank = found.sizes.size();
  for (int d = 0; d < rank; ++d)
    sizes.push_back(found.sizes[d < found.place                      ? found.index_rank + d
                                : d < found.place + found.index_rank ? d - found.place
                                                                     : d]);
  return sizes;
}

/// Where each of the values, which have the sizes of what reading gives, belongs: in the order in which they are
/// written. With `bytes` a value is as many bytes from its first on, and so many are written.
std::vector<std::pair<int64_t, Scalar>> in_turn(const Fancy& found, Elements values, int64_t bytes = 0) {
  const int rank = found.sizes.size();
  const int64_t count = *numel(found.sizes);
  // Index axes first, as the places are reckoned.
  Dims order;
  for (int d = 0; d < rank; ++d)
    order.push_back(d < found.index_rank                 ? found.place + d
                    : d - found.index_rank < found.place ? d - found.index_rank
                                                         : d);
  values.layout = permute(values.layout, order);
  // What is written twice keeps the last: the indices are gone through as they and the values lie in memory, but in C
  // order where each of them leads to more than one element.
  std::vector<Layout> walked = found.indices;
  walked.push_back(values.layout);
  for (int d = rank; d-- > found.index_rank;) walked.back().sizes.erase(d), walked.back().strides.erase(d);
  Dims walk = numel(found.rest.sizes) == 1 ? iteration_order(walked) : fortran_order(found.index_rank);
  for (int d = found.index_rank; d < rank; ++d) walk.push_back(d);
  const Layout places = permute(found.from.layout, walk);
  values.layout = permute(values.layout, walk);
  std::vector<IndexedDim> dims = found.dims;
  for (IndexedDim& dim : dims) dim.index.layout = permute(dim.index.layout, walk);
  std::vector<std::pair<int64_t, Scalar>> writes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t byte = offset(places, index_at(places.sizes, i));
    for (const IndexedDim& dim : dims) {
      const int64_t index = element(dim.index, i).integer;
      byte += (index < 0 ? index + dim.size : index) * dim.stride;
    }
    if (bytes == 0) writes.emplace_back(byte, element(values, i));
    for (int64_t k = 0; k < bytes; ++k)
      writes.emplace_back(byte + k, read_at(*values.contents, offset_at(values.layout, i) + k, DType::uint8));
  }
  return writes;
}

}  // namespace

Layout as_checked(Layout index) {
  if (index.rank() > 1)
    for (int d = 0; d < index.rank(); ++d)
      if (index.strides[d] < 0) index = flip(index, d);
  return permute(index, slowest_first(index));
}

Value read_fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const BasicView& viewed) {
  const auto found = fancy(call, array, entries, viewed, false);
  if (!found || !inside(call, *found)) return {};
  const int64_t unit = unit_of(array);
  owned_layout(call, found->sizes, unit);
  if (call.failed()) return {};
  const int rank = found->sizes.size(), index_rank = found->index_rank;
  // Index axes come first in memory, then the axes left in the order of their strides.
  Dims slowest;
  if (numel(found->rest.sizes) == 1 && !found->indices.empty()) {
    // A single element is left for each index: nothing decides but the index arrays.
    // One array alone that picks of one axis is read as it lies, where that is in Fortran order.
    const Layout& index = found->indices.front();
    const int64_t index_unit = itemsize(found->dims.front().index.dtype);
    const bool alone = entries.size() == 1 && entries[0].kind == Entry::Kind::array && array.layout.rank() == 1;
    slowest = alone && is_f_contiguous(index, index_unit) && !is_contiguous(index, index_unit)
                  ? c_order(index_rank)  // the last axis is the slowest
                  : iteration_order(found->indices);
    for (int d = 0; d < found->rest.rank(); ++d) slowest.push_back(index_rank + d);
  } else {
    for (int d = 0; d < index_rank; ++d) slowest.push_back(d);
    for (const int64_t d : slowest_first(found->rest)) slowest.push_back(index_rank + d);
  }
  const auto count = numel(found->sizes);
  Layout target{found->sizes, *count == 0 ? Dims::filled(rank, 0) : packed_slowest_first(found->sizes, slowest, unit),
                0};
  // Cells in the order of memory.
  std::vector<IndexedDim> dims = found->dims;
  for (IndexedDim& dim : dims) dim.index.layout = permute(dim.index.layout, slowest);
  call.why(Msg::np_fancy_headline, {*count, *count * unit, to_string(found->sizes)});
  for (const IndexedDim& dim : dims) call.why(Msg::np_fancy_axis, {dim.size, dim.stride});
  const Value copied = numpy_gathered(call, array, target, permute(found->from.layout, slowest), std::move(dims));
  if (call.failed() || found->place == 0) return copied;
  // The index axes are moved to their place by a transpose of the copy.
  Dims order;
  for (int d = 0; d < rank; ++d)
    order.push_back(d < found->place ? index_rank + d : d < found->place + index_rank ? d - found->place : d);
  const Value result = call.view(*tensor_of(copied), permute(target, order));
  call.relation(Relation::copy);
  return result;
}

/// Of structures that are written through indices.
constexpr int64_t most_bytes = 1 << 16;

void write_fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const BasicView& viewed,
                 const Value& value) {
  const TensorRef source = array.structure
                               ? structures_for(call, array.structure, value, true)
                               : as_array(call, value, has_dtype(value) ? std::nullopt : std::optional(array.dtype));
  if (source && !array.structure && source->tensor->structure)
    return void(call.refuse(Msg::np_structures_not_modelled, {"[..] = .."}));
  const auto found = call.failed() ? std::nullopt : fancy(call, array, entries, viewed, true);
  if (!found) return;
  const Dims sizes = read_sizes(*found);
  const int rank = sizes.size();
  Layout from = source->tensor->layout;
  const bool mask = entries.size() == 1 && entries[0].kind == Entry::Kind::mask &&
                    entries[0].array->tensor->layout.rank() == array.layout.rank();
  if (mask && from.rank() > 1)
    return void(call.fail("TypeError",
                          {"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has ",
                           from.rank(), " dimensions"},
                          Msg::np_cannot_broadcast_into, {to_string(from.sizes), to_string(sizes)}));
  while (from.rank() > rank && from.sizes[0] == 1) from = select(from, 0, 0);
  if (!is_expandable(from, sizes)) {
    if (mask)
      call.fail("ValueError",
                {"NumPy boolean array indexing assignment cannot assign ", count_of(*source->tensor),
                 " input values to the ", sizes[0], " output values where the mask is true"},
                Msg::np_cannot_broadcast_into, {to_string(from.sizes), to_string(sizes)});
    else
      call.fail("ValueError",
                {"shape mismatch: value array of shape ", shape_text(source->tensor->layout.sizes),
                 " could not be broadcast to indexing result of shape ", shape_text(sizes)},
                Msg::np_cannot_broadcast_into, {to_string(source->tensor->layout.sizes), to_string(sizes)});
    return;
  }
  if (!inside(call, *found)) return;
  const int64_t count = *numel(sizes);
  if (count == 0) return;
  for (const Entry& entry : entries)
    if (entry.array && entry.array->tensor->storage == array.storage &&
        // Any other index is copied first.
        (entry.kind == Entry::Kind::array ? entry.array->tensor->dtype == DType::int64
                                          : entry.kind == Entry::Kind::mask && entries.size() == 1 &&
                                                entry.array->tensor->layout.rank() == array.layout.rank() &&
                                                entry.array->tensor->layout != array.layout))
      return void(call.about("key").refuse(Msg::np_index_in_target));
  Tensor target = array;
  if (array.structure) target.dtype = DType::uint8, target.structure = nullptr;  // written byte by byte
  const int64_t bytes = array.structure ? unit_of(array) : 0;
  const Elements values{source->tensor->storage->contents, broadcast_to(from, sizes),
                        array.structure ? DType::uint8 : source->tensor->dtype};
  // Structures are written byte by byte, and of many it is not reckoned which.
  const bool unreckoned = array.structure && (count * bytes > most_bytes || !is_quick(values, count * bytes));
  if (unreckoned) call.why(Msg::np_write_headline, {count, count * bytes});
  if (unreckoned) return call.write_unknown(target);
  if (!array.structure && !call.few(values, count)) return;
  auto writes = in_turn(*found, values, bytes);
  if (array.structure && !is_gapless(*array.structure)) {  // what lies between the fields stays as it is
    const auto field = bytes_of_fields(*array.structure);
    size_t k = 0;
    std::erase_if(writes, [&](const auto&) { return !field[k++ % static_cast<size_t>(bytes)]; });
  }
  call.why(Msg::np_write_headline, {count, count * unit_of(array)});
  call.write(target, writes);
}

std::optional<std::vector<std::pair<int64_t, Scalar>>> fancy_turns(Call& call, const Tensor& array,
                                                                   const std::vector<Entry>& entries,
                                                                   const BasicView& viewed, const Tensor& source) {
  const auto found = fancy(call, array, entries, viewed, true);
  if (!found || !inside(call, *found)) return std::nullopt;
  const Dims sizes = read_sizes(*found);
  if (!is_expandable(source.layout, sizes))
    return call.fail("ValueError", "array is not broadcastable to correct shape", Msg::np_cannot_broadcast_into,
                     {to_string(source.layout.sizes), to_string(sizes)}),
           std::nullopt;
  const Elements values = broadcast_elements(source, sizes);
  if (!call.few(values, *numel(sizes))) return std::nullopt;
  if (*numel(sizes) == 0) return std::vector<std::pair<int64_t, Scalar>>();
  return in_turn(*found, values);
}

}  // namespace stridescope
