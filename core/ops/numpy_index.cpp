// x[key] and x[key] = value: views by integers, slices, None and ..., copies by lists, arrays and masks.
#include <algorithm>

#include "ops/numpy.h"
#include "ops/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// One entry of a key, read.
struct Entry {
  enum class Kind : uint8_t { integer, slice, newaxis, ellipsis, array, mask };
  Kind kind = Kind::integer;
  int64_t integer = 0;
  std::optional<int64_t> start, stop;
  int64_t step = 1;
  TensorRef array;   ///< of integers; of a mask, the bools
  int at = -1;       ///< which item of the key it is, where that is a tuple
  bool scalar_array = false;  ///< a 0-d array of an integer: taken as one, but the result is a copy
};

constexpr std::string_view bad_index =
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices";

/// Python's __index__: integers, bools, NumPy's integers, 0-d integer arrays.
std::optional<int64_t> index_of_slice(Call& call, const std::shared_ptr<const Value>& part, int at) {
  if (!part || std::holds_alternative<None>(part->held)) return std::nullopt;
  if (const auto number = as_integer(*part)) return number;
  call.about("key", at).fail("TypeError", "slice indices must be integers or None or have an __index__ method", Msg::np_slice_parts, {type_name(*part)});
  return std::nullopt;
}

bool is_mask_value(const Value& value) {
  const TensorPtr array = tensor_of(value);
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  return std::holds_alternative<bool>(value.held) || (array && array->dtype == DType::boolean) || (scalar && scalar->value.dtype == DType::boolean);
}

/// How many axes of the array an entry takes.
int axes_taken(const Entry& entry) {
  switch (entry.kind) {
    case Entry::Kind::newaxis:
    case Entry::Kind::ellipsis: return 0;
    case Entry::Kind::mask: return entry.array->tensor->layout.rank();
    default: return 1;
  }
}

std::optional<Entry> read_entry(Call& call, const Value& value, int at) {
  Entry entry;
  entry.at = at;
  if (std::holds_alternative<None>(value.held)) return entry.kind = Entry::Kind::newaxis, entry;
  if (std::holds_alternative<Ellipsis>(value.held)) return entry.kind = Entry::Kind::ellipsis, entry;
  if (const auto* slice = std::get_if<SliceValue>(&value.held)) {
    entry.kind = Entry::Kind::slice;
    entry.start = index_of_slice(call, slice->start, at);
    entry.stop = index_of_slice(call, slice->stop, at);
    entry.step = index_of_slice(call, slice->step, at).value_or(1);
    return call.failed() ? std::nullopt : std::optional(entry);
  }
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  if (const auto* integer = std::get_if<int64_t>(&value.held)) return entry.integer = *integer, entry;
  if (scalar && is_integer(scalar->value.dtype)) return entry.integer = scalar->value.integer, entry;
  const bool list = std::holds_alternative<Sequence>(value.held);
  if (list || tensor_of(value) || is_mask_value(value)) {
    const auto* sequence = std::get_if<Sequence>(&value.held);
    entry.array = as_array(call, value, sequence && sequence->items->empty() ? std::optional(DType::int64) : std::nullopt);
    if (!entry.array) return std::nullopt;
    const Tensor& array = *entry.array->tensor;
    if (array.dtype == DType::boolean) return entry.kind = Entry::Kind::mask, entry;
    if (is_integer(array.dtype)) {
      if (array.layout.rank() == 0) {
        entry.integer = element(elements_of(array), 0).integer;
        entry.scalar_array = true;
      } else {
        entry.kind = Entry::Kind::array;
      }
      return entry;
    }
    if (list || array.layout.rank() > 0) {
      call.about("key", at).fail("IndexError", "arrays used as indices must be of integer (or boolean) type", Msg::np_index_type, {name(array.dtype)});
      return std::nullopt;
    }
  }
  call.about("key", at).fail("IndexError", std::string(bad_index), Msg::np_index_type, {type_name(value)});
  return std::nullopt;
}

/// The key as entries with one ellipsis at most and every axis taken: what NumPy's prepare_index makes.
std::optional<std::vector<Entry>> read_key(Call& call, const Tensor& array, const Value& key) {
  std::vector<Entry> entries;
  const auto* sequence = std::get_if<Sequence>(&key.held);
  const bool tuple = sequence && sequence->kind != Sequence::Kind::list;
  const std::vector<Value> values = tuple ? *sequence->items : std::vector<Value>{key};
  int taken = 0;
  bool ellipsis = false;
  for (size_t i = 0; i < values.size(); ++i) {
    auto entry = read_entry(call, values[i], tuple ? static_cast<int>(i) : -1);
    if (!entry) return std::nullopt;
    if (entry->kind == Entry::Kind::ellipsis && std::exchange(ellipsis, true)) {
      call.about("key", entry->at).fail("IndexError", "an index can only have a single ellipsis ('...')", Msg::np_one_ellipsis);
      return std::nullopt;
    }
    taken += axes_taken(*entry);
    entries.push_back(std::move(*entry));
  }
  const int rank = array.layout.rank();
  if (taken > rank) {
    call.about("key").fail("IndexError", "too many indices for array: array is " + std::to_string(rank) + "-dimensional, but " + std::to_string(taken) + " were indexed", Msg::np_too_many_indices, {rank, taken});
    return std::nullopt;
  }
  if (taken < rank && !ellipsis) {
    entries.push_back({});
    entries.back().kind = Entry::Kind::ellipsis;
  }
  return entries;
}

/// A view as far as integers, slices, None and ... make one; arrays keep their whole axes for now.
struct Viewed {
  Layout layout;
  struct Line {
    Msg message;
    std::vector<Arg> args;
  };
  std::vector<Line> lines;
  /// Of each axis of the result: the entry that is an array or mask (and stands for several), or -1.
  std::vector<int> entry_of;
};

bool check_index(Call& call, const Tensor& array, int64_t index, int axis, int at) {
  const int64_t size = array.layout.sizes[axis];
  if (index >= -size && index < size) return true;
  call.about("key", at).fail("IndexError", "index " + std::to_string(index) + " is out of bounds for axis " + std::to_string(axis) + " with size " + std::to_string(size), Msg::np_index_out_of_bounds,
            {index, {axis, call.axis(array, axis)}, size});
  return false;
}

std::optional<Viewed> basic_view(Call& call, const Tensor& array, const std::vector<Entry>& entries) {
  const Layout& layout = array.layout;
  int taken = 0;
  for (const Entry& entry : entries) taken += axes_taken(entry);
  Viewed result{{{}, {}, layout.storage_offset}, {}, {}};
  const auto append = [&](int64_t size, int64_t stride, int entry) {
    if (result.layout.sizes.full()) return void(call.fail("IndexError", "number of dimensions must be within [0, 64], indexing result would have 65", Msg::too_many_dims, {max_rank}));
    result.layout.sizes.push_back(size);
    result.layout.strides.push_back(stride);
    result.entry_of.push_back(entry);
  };
  int axis = 0;
  for (size_t i = 0; i < entries.size() && !call.failed(); ++i) {
    const Entry& entry = entries[i];
    switch (entry.kind) {
      case Entry::Kind::newaxis:
        append(1, 0, -1);
        result.lines.push_back({Msg::np_newaxis, {result.layout.rank() - 1}});
        break;
      case Entry::Kind::ellipsis:
        for (int n = layout.rank() - taken; n > 0; --n, ++axis) append(layout.sizes[axis], layout.strides[axis], -1);
        break;
      case Entry::Kind::integer: {
        if (!check_index(call, array, entry.integer, axis, entry.at)) return std::nullopt;
        const int64_t index = entry.integer < 0 ? entry.integer + layout.sizes[axis] : entry.integer;
        result.layout.storage_offset += index * layout.strides[axis];
        result.lines.push_back({Msg::np_index_moves, {{axis, call.axis(array, axis)}, index, index * layout.strides[axis], layout.strides[axis]}});
        ++axis;
        break;
      }
      case Entry::Kind::slice: {
        if (entry.step == 0) return call.about("key", entry.at).fail("ValueError", "slice step cannot be zero", Msg::slice_step_zero), std::nullopt;
        SliceRange range = slice_range(entry.start, entry.stop, entry.step, layout.sizes[axis]);
        // NumPy takes an empty slice for [0:0:1]: the pointer stays, the stride stays.
        if (range.count <= 0) range = {0, 1, 0};
        const auto stride = checked_mul(layout.strides[axis], range.step);
        if (!stride) return call.refuse(Msg::beyond_int64), std::nullopt;
        result.layout.storage_offset += range.start * layout.strides[axis];
        append(range.count, *stride, -1);
        if (range.count == 0) result.lines.push_back({Msg::np_slice_empty, {{axis, call.axis(array, axis)}}});
        else if (range.start != 0 || range.step != 1 || range.count != layout.sizes[axis])
          result.lines.push_back({Msg::np_slice, {{axis, call.axis(array, axis)}, range.count, layout.sizes[axis], range.start * layout.strides[axis], layout.strides[axis], range.step, *stride}});
        ++axis;
        break;
      }
      case Entry::Kind::array: append(layout.sizes[axis], layout.strides[axis], static_cast<int>(i)), ++axis; break;
      case Entry::Kind::mask: {
        const Layout& mask = entry.array->tensor->layout;
        for (int d = 0; d < mask.rank(); ++d, ++axis) {
          if (mask.sizes[d] != layout.sizes[axis]) {
            call.about("key", entry.at).fail("IndexError", "boolean index did not match indexed array along axis " + std::to_string(axis) + "; size of axis is " + std::to_string(layout.sizes[axis]) +
                                        " but size of corresponding boolean axis is " + std::to_string(mask.sizes[d]), Msg::np_mask_size, {{axis, call.axis(array, axis)}, layout.sizes[axis], mask.sizes[d]});
            return std::nullopt;
          }
          append(layout.sizes[axis], layout.strides[axis], static_cast<int>(i));
        }
        if (mask.rank() == 0) append(1, 0, static_cast<int>(i));
        break;
      }
    }
  }
  return call.failed() ? std::nullopt : std::optional(std::move(result));
}

/// Positions along one axis of the view.
struct Picked {
  int axis = 0;  ///< of the view
  Tensor index;  ///< integers
};

constexpr int64_t max_mask = 65536;

/// An index array, or a mask as the index arrays of its true elements (np.nonzero).
bool picked(Call& call, const Tensor& array, const std::vector<Entry>& entries, const Viewed& viewed, std::vector<Picked>& result) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (entry.kind != Entry::Kind::array && entry.kind != Entry::Kind::mask) continue;
    const int axis = static_cast<int>(std::find(viewed.entry_of.begin(), viewed.entry_of.end(), static_cast<int>(i)) - viewed.entry_of.begin());
    const Tensor& index = *entry.array->tensor;
    if (entry.kind == Entry::Kind::array) {
      result.push_back({axis, index});
      continue;
    }
    const int64_t count = count_of(index);
    if (count > max_mask) return call.refuse(Msg::too_costly), false;
    const int rank = std::max(index.layout.rank(), 1);
    std::vector<std::vector<Scalar>> positions(static_cast<size_t>(rank));
    const Elements elements = elements_of(index);
    for (int64_t n = 0; n < count; ++n) {
      if (!is_true(element(elements, n))) continue;
      const Dims at = index_at(index.layout.sizes, n);
      for (int d = 0; d < rank; ++d) positions[static_cast<size_t>(d)].push_back({DType::int64, at.empty() ? 0 : at[d]});
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
  static_cast<void>(array);
  return true;
}

/// What indexing by arrays reads or writes: the elements' sizes in NumPy's order, and where they are.
struct Fancy {
  Dims sizes;              ///< of the index arrays broadcast together, then of the axes left
  int index_rank = 0;      ///< how many of them are the index arrays'
  int place = 0;           ///< where the index axes stand in the result
  Elements from;           ///< of those sizes, index axes with stride 0
  std::vector<IndexedDim> dims;
  Layout rest;             ///< the axes left, as in the array
  std::vector<Layout> indices;  ///< of the index arrays, broadcast
};

std::optional<Fancy> fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const Viewed& viewed) {
  std::vector<Picked> picks;
  if (!picked(call, array, entries, viewed, picks)) return std::nullopt;
  std::vector<Dims> shapes;
  for (const Picked& pick : picks) shapes.push_back(pick.index.layout.sizes);
  const auto common = broadcast_sizes(shapes);
  if (!common) {
    std::string text = "shape mismatch: indexing arrays could not be broadcast together with shapes";
    for (const Dims& shape : shapes) text += " " + shape_text(shape);
    call.about("key").fail("IndexError", text + " ", Msg::np_cannot_broadcast, {shape_text(shapes.front()), shape_text(shapes.back())});
    return std::nullopt;
  }
  Fancy result;
  result.index_rank = common->size();
  result.sizes = *common;
  Dims strides = Dims::filled(common->size(), 0);
  const auto is_picked = [&](int axis) { return std::any_of(picks.begin(), picks.end(), [&](const Picked& pick) { return pick.axis == axis; }); };
  result.rest.storage_offset = viewed.layout.storage_offset;
  for (int d = 0; d < viewed.layout.rank(); ++d) {
    if (is_picked(d)) continue;
    if (result.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank}), std::nullopt;
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
  if (last - first + 1 == count) {
    const int front = picks.front().axis;
    for (int d = 0; d < front; ++d) result.place += is_picked(d) ? 0 : 1;
  }
  for (const Picked& pick : picks) {
    const int64_t size = viewed.layout.sizes[pick.axis];
    const int64_t n = count_of(pick.index);
    if (n > max_mask) return call.refuse(Msg::too_costly), std::nullopt;
    const Elements elements = elements_of(pick.index);
    // Bounds are not looked at where nothing is read.
    for (int64_t i = 0; i < n; ++i) {
      const int64_t index = element(elements, i).integer;
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
      call.about("key").fail("IndexError", "index " + std::to_string(index) + " is out of bounds for axis " + std::to_string(axis) + " with size " + std::to_string(size), Msg::np_index_out_of_bounds,
                {index, axis, size});
      return std::nullopt;
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

Value read_fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const Viewed& viewed) {
  const auto found = fancy(call, array, entries, viewed);
  if (!found) return {};
  const int64_t unit = unit_of(array);
  owned_layout(call, found->sizes, array.dtype);
  if (call.failed()) return {};
  const int rank = found->sizes.size(), index_rank = found->index_rank;
  // Index axes come first in memory, then the axes left in the order of their strides.
  Dims slowest;
  if (found->rest.rank() == 0 && !found->indices.empty()) {
    slowest = iteration_order(found->indices);
  } else {
    for (int d = 0; d < index_rank; ++d) slowest.push_back(d);
    for (const int64_t d : slowest_first(found->rest)) slowest.push_back(index_rank + d);
  }
  const auto count = numel(found->sizes);
  Layout target{found->sizes, *count == 0 ? Dims::filled(rank, 0) : packed_slowest_first(found->sizes, slowest, unit), 0};
  // Cells in the order of memory.
  Elements from = found->from;
  from.layout = permute(from.layout, slowest);
  std::vector<IndexedDim> dims = found->dims;
  for (IndexedDim& dim : dims) dim.index.layout = permute(dim.index.layout, slowest);
  call.why(Msg::np_fancy_headline, {*count, *count * unit, shape_text(found->sizes)});
  for (const IndexedDim& dim : dims) call.why(Msg::np_fancy_axis, {dim.size, dim.stride});
  const Value copied = call.fresh(array.dtype, target, *count == 0 ? constant_contents(integer_scalar(0, array.dtype), 0) : gather_indexed(from, std::move(dims), array.dtype), Relation::copy);
  if (call.failed() || found->place == 0) return copied;
  // The index axes are moved to their place by a transpose of the copy.
  Dims order;
  for (int d = 0; d < rank; ++d)
    order.push_back(d < found->place ? index_rank + d : d < found->place + index_rank ? d - found->place : d);
  const Value result = call.view(*tensor_of(copied), permute(target, order));
  call.relation(Relation::copy);
  return result;
}

bool is_basic(const std::vector<Entry>& entries) {
  return std::none_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.kind == Entry::Kind::array || entry.kind == Entry::Kind::mask; });
}

bool all_integers(const std::vector<Entry>& entries) {
  return std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.kind == Entry::Kind::integer; });
}

Value read_item(Call& call) {
  if (std::holds_alternative<NumpyScalar>(call.value("x").held)) {
    const auto* tuple = std::get_if<Sequence>(&call.value("key").held);
    if ((tuple && tuple->items->empty()) ) return call.value("x");
    if (!std::holds_alternative<Ellipsis>(call.value("key").held)) return call.fail("IndexError", "invalid index to scalar variable.", Msg::np_scalar_index);
  }
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto entries = read_key(call, array, call.value("key"));
  if (!entries) return {};
  const auto viewed = basic_view(call, array, *entries);
  if (!viewed) return {};
  if (!is_basic(*entries)) return read_fancy(call, array, *entries, *viewed);
  Tensor read = array;
  read.layout = viewed->layout;
  const auto explain = [&] {
    for (const auto& line : viewed->lines) call.why(line.message, line.args);
  };
  if (all_integers(*entries)) {
    const Value scalar = numpy_scalar(call, read);
    explain();
    return scalar;
  }
  if (std::any_of(entries->begin(), entries->end(), [](const Entry& entry) { return entry.scalar_array; })) return numpy_copy(call, read, NumpyOrder::keep);
  const Value result = numpy_view(call, array, viewed->layout);
  explain();
  if (!call.failed() && count_of(*tensor_of(result)) < count_of(array)) call.why(Msg::np_view_keeps, {nbytes(*tensor_of(result)), array.storage->nbytes});
  return result;
}

/// Writes through index arrays or masks.
void write_fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const Viewed& viewed, const Value& value) {
  const auto found = fancy(call, array, entries, viewed);
  const TensorRef source = found ? as_array(call, value) : nullptr;
  if (!source) return;
  // The sizes as the result of reading would have them.
  Dims sizes;
  const int rank = found->sizes.size();
  for (int d = 0; d < rank; ++d)
    sizes.push_back(found->sizes[d < found->place ? found->index_rank + d : d < found->place + found->index_rank ? d - found->place : d]);
  Layout from = source->tensor->layout;
  while (from.rank() > rank && from.sizes[0] == 1) from = select(from, 0, 0);
  if (!is_expandable(from, sizes)) {
    const bool mask = entries.size() == 1 && entries[0].kind == Entry::Kind::mask && entries[0].array->tensor->layout.rank() == array.layout.rank();
    if (mask && from.rank() <= 1)
      call.fail("ValueError", "NumPy boolean array indexing assignment cannot assign " + std::to_string(count_of(*source->tensor)) + " input values to the " + std::to_string(sizes[0]) +
                                  " output values where the mask is true", Msg::np_cannot_broadcast_into, {shape_text(from.sizes), shape_text(sizes)});
    else
      call.fail("ValueError", "shape mismatch: value array of shape " + shape_text(source->tensor->layout.sizes) + " could not be broadcast to indexing result of shape " + shape_text(sizes),
                Msg::np_cannot_broadcast_into, {shape_text(source->tensor->layout.sizes), shape_text(sizes)});
    return;
  }
  const int64_t count = *numel(sizes);
  if (count > small_cells) return void(call.refuse(Msg::too_costly));
  // Index axes first, as the places are reckoned.
  Elements values{source->tensor->storage->contents, broadcast_to(from, sizes), source->tensor->dtype};
  Dims order;
  for (int d = 0; d < rank; ++d) order.push_back(d < found->index_rank ? found->place + d : d - found->index_rank < found->place ? d - found->index_rank : d);
  values.layout = permute(values.layout, order);
  std::vector<std::pair<int64_t, Scalar>> writes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t byte = offset(found->from.layout, index_at(found->sizes, i));
    for (const IndexedDim& dim : found->dims) {
      const int64_t index = element(dim.index, i).integer;
      byte += (index < 0 ? index + dim.size : index) * dim.stride;
    }
    writes.emplace_back(byte, element(values, i));
  }
  call.relation(Relation::write);
  call.why(Msg::np_write_headline, {count, count * unit_of(array)});
  ContentsPtr written = scatter(array.storage->contents, array.dtype, writes);
  if (!written) return void(call.refuse(Msg::too_costly));
  array.storage->contents = std::move(written);
}

Value write_item(Call& call) {
  if (std::holds_alternative<NumpyScalar>(call.value("x").held)) {
    const std::string type = type_name(call.value("x"));
    return call.fail("TypeError", "'numpy." + type + "' object does not support item assignment", Msg::not_assignable, {"numpy." + type});
  }
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (!numpy_writeable(call, array)) return {};
  const auto entries = read_key(call, array, call.value("key"));
  if (!entries) return {};
  const auto viewed = basic_view(call, array, *entries);
  if (!viewed) return {};
  if (!is_basic(*entries)) {
    write_fancy(call, array, *entries, *viewed, call.value("value"));
    return {};
  }
  Tensor target = array;
  target.layout = viewed->layout;
  const TensorPtr given = tensor_of(call.value("value"));
  if (all_integers(*entries) && ((given && given->layout.rank() > 0) || std::holds_alternative<Sequence>(call.value("value").held)) ) {
    const TensorRef list = as_array(call, call.value("value"));
    if (!list) return {};
    if (count_of(*list->tensor) != 1 || list->tensor->layout.rank() > 0)
      return call.fail(count_of(*list->tensor) == 1 ? "TypeError" : "ValueError", "setting an array element with a sequence.", Msg::np_element_with_sequence, {shape_text(list->tensor->layout.sizes)});
  }
  numpy_assign(call, target, call.value("value"));
  return {};
}

Value take(Call& call) {
  const TensorRef source = receiver(call);
  const TensorRef index = as_array(call, call.value("indices"));
  if (call.failed()) return {};
  // np.take(a, i, axis) is a[:, .., i] with the axis of the index; without an axis, of the flattened array.
  Tensor array = *source->tensor;
  int axis = 0;
  if (call.given("axis")) {
    axis = numpy_axis(call, call.integer("axis"), array.layout.rank());
  } else {
    const Value flat = numpy_reshape(call, array, {-1}, NumpyOrder::c);
    if (!call.failed()) array = *tensor_of(flat);
  }
  if (call.failed()) return {};
  std::vector<Entry> entries(static_cast<size_t>(axis + 1));
  for (Entry& entry : entries) entry.kind = Entry::Kind::slice;
  const bool single = index->tensor->layout.rank() == 0;
  entries.back().kind = single ? Entry::Kind::integer : Entry::Kind::array;
  entries.back().array = index;
  if (single) entries.back().integer = element(elements_of(*index->tensor), 0).integer;
  if (axis + 1 < array.layout.rank()) {
    entries.push_back({});
    entries.back().kind = Entry::Kind::ellipsis;
  }
  const auto viewed = basic_view(call, array, entries);
  if (!viewed) return {};
  if (single) {
    array.layout = viewed->layout;
    return array.layout.rank() == 0 ? numpy_scalar(call, array) : numpy_copy(call, array, NumpyOrder::c);
  }
  const Value read = read_fancy(call, array, entries, *viewed);
  // take lays its result out in C order whatever the array's.
  return call.failed() || axis == 0 ? read : numpy_copy(call, *tensor_of(read), NumpyOrder::c);
}

}  // namespace

std::span<const Op> numpy_index_rows() {
  static const Op rows[] = {
      {Library::numpy, "x[key]", Msg::op_np_getitem, "start:stop:step gives offset + start * stride, stride * step;  an integer drops its axis;  None adds one of stride 0",
       "x = np.arange(24).reshape(4, 6)\ny = x[::-1, 1::2]", read_item},
      {Library::numpy, "x[key] = value", Msg::op_np_setitem, "value is broadcast to the shape of x[key] and written to the same bytes", "x = np.arange(6).reshape(2, 3)\nx[:, 1] = 9", write_item},
      {Library::numpy, "np.take(a, indices, axis=None)", Msg::op_np_take, "a[indices] along the axis, copied", "x = np.arange(12).reshape(3, 4)\ny = np.take(x, [2, 0], axis=0)", take},
      {Library::numpy, "x.take(indices, axis=None)", Msg::op_np_take, "x[indices] along the axis, copied", "x = np.arange(12).reshape(3, 4)\ny = x.take([2, 0], axis=1)", take},
      {Library::numpy, "np.s_[key]", Msg::op_np_s, "", "key = np.s_[1:, ::2]", [](Call& call) { return call.value("key"); }},
      {Library::numpy, "np.ix_(*args=())", Msg::op_np_ix, "argument k of n is seen with its elements along axis k", "x = np.arange(12).reshape(3, 4)\ny = x[np.ix_([0, 2], [1, 3])]",
       [](Call& call) -> Value {
         const auto arrays = as_arrays(call, call.value("args"));
         if (call.failed()) return {};
         std::vector<Value> items;
         const int rank = static_cast<int>(arrays.size());
         for (int k = 0; k < rank; ++k) {
           const Tensor& array = *arrays[static_cast<size_t>(k)]->tensor;
           if (array.layout.rank() != 1) return call.fail("ValueError", "Cross index must be 1 dimensional", Msg::np_one_or_two_axes, {array.layout.rank()});
           Dims sizes = Dims::filled(rank, 1);
           sizes[k] = array.layout.sizes[0];
           items.push_back(numpy_reshape(call, array, sizes, NumpyOrder::c));
           if (call.failed()) return {};
         }
         return call.tuple(std::move(items));
       }},
  };
  return rows;
}

}  // namespace stridescope
