// What stands in brackets, read as NumPy reads it.
#include <algorithm>

#include "ops/numpy/key.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

constexpr std::string_view bad_index =
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
    "indices";

/// Python's __index__: integers, bools, NumPy's integers, 0-d integer arrays.
std::optional<int64_t> index_of_slice(Entry& entry, const std::shared_ptr<const Value>& part) {
  if (!part || std::holds_alternative<None>(part->held)) return std::nullopt;
  const auto number = as_index(*part);
  if (!number && entry.no_index.empty()) entry.no_index = type_name(*part);
  return number;
}

std::optional<Entry> read_entry(Call& call, const Value& value, int at) {
  Entry entry;
  entry.at = at;
  if (std::holds_alternative<None>(value.held)) return entry.kind = Entry::Kind::newaxis, entry;
  if (std::holds_alternative<Ellipsis>(value.held)) return entry.kind = Entry::Kind::ellipsis, entry;
  if (const auto* slice = std::get_if<SliceValue>(&value.held)) {
    entry.kind = Entry::Kind::slice;
    entry.start = index_of_slice(entry, slice->start);
    entry.stop = index_of_slice(entry, slice->stop);
    entry.step = index_of_slice(entry, slice->step).value_or(1);
    return entry;
  }
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  if (const auto* integer = std::get_if<int64_t>(&value.held)) return entry.integer = *integer, entry;
  if (scalar && is_integer(scalar->dtype())) return entry.integer = scalar->value().integer, entry;
  // A tensor of one whole number is that number: it is no array, and can be an index.
  if (const TensorPtr tensor = tensor_of(value); tensor && tensor->library == Library::torch) {
    const bool one = numel(tensor->layout.sizes) == 1;
    if (one && (is_integer(tensor->dtype) || tensor->dtype == DType::boolean))
      return entry.integer = element(elements_of(*tensor), 0).integer, entry;
    if (!is_integer(tensor->dtype) && tensor->dtype != DType::boolean) {
      call.about("key", at).fail("IndexError", std::string(bad_index), Msg::np_index_type, {type_name(value)});
      return std::nullopt;
    }
  }
  const bool list = std::holds_alternative<Sequence>(value.held);
  if (list && text_dtype(value)) {
    call.about("key", at).fail("IndexError", std::string(bad_index), Msg::np_index_type, {"str"});
    return std::nullopt;
  }
  if (list || tensor_of(value) || is_truth(value)) {
    const auto* sequence = std::get_if<Sequence>(&value.held);
    entry.array =
        as_array(call, value, sequence && sequence->items->empty() ? std::optional(DType::int64) : std::nullopt);
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
    if (std::holds_alternative<TensorRef>(value.held)) {
      call.about("key", at).fail("IndexError", "arrays used as indices must be of integer (or boolean) type",
                                 Msg::np_index_type, {name(array.dtype)});
      return std::nullopt;
    }
  }
  call.about("key", at).fail("IndexError", std::string(bad_index), Msg::np_index_type, {type_name(value)});
  return std::nullopt;
}

bool check_index(Call& call, const Tensor& array, int64_t index, int axis, int at) {
  const int64_t size = array.layout.sizes[axis];
  if (index >= -size && index < size) return true;
  call.about("key", at).fail("IndexError", {"index ", index, " is out of bounds for axis ", axis, " with size ", size},
                             Msg::np_index_out_of_bounds, {index, Slot{axis, call.axis(array, axis)}, size});
  return false;
}

}  // namespace

int axes_taken(const Entry& entry) {
  switch (entry.kind) {
    case Entry::Kind::newaxis:
    case Entry::Kind::ellipsis: return 0;
    case Entry::Kind::mask: return entry.array->tensor->layout.rank();
    default: return 1;
  }
}

std::optional<std::vector<Entry>> read_key(Call& call, const Tensor& array, const Value& key) {
  std::vector<Entry> entries;
  const auto* sequence = std::get_if<Sequence>(&key.held);
  const bool tuple = sequence && is_tuple(sequence->kind);
  const std::vector<Value> values = tuple ? *sequence->items : std::vector<Value>{key};
  int taken = 0;
  bool ellipsis = false;
  for (size_t i = 0; i < values.size(); ++i) {
    auto entry = read_entry(call, values[i], tuple ? static_cast<int>(i) : -1);
    if (!entry) return std::nullopt;
    if (entry->kind == Entry::Kind::ellipsis && std::exchange(ellipsis, true)) {
      call.about("key", entry->at)
          .fail("IndexError", "an index can only have a single ellipsis ('...')", Msg::np_one_ellipsis);
      return std::nullopt;
    }
    taken += axes_taken(*entry);
    entries.push_back(std::move(*entry));
  }
  const int rank = array.layout.rank();
  if (taken > rank) {
    call.about("key").fail(
        "IndexError", {"too many indices for array: array is ", rank, "-dimensional, but ", taken, " were indexed"},
        Msg::np_too_many_indices, {rank, taken});
    return std::nullopt;
  }
  if (taken < rank && !ellipsis) {
    entries.push_back({});
    entries.back().kind = Entry::Kind::ellipsis;
  }
  return entries;
}

namespace {

/// Whether masks have the sizes of the axes that they stand for; a size of 0 fits any other, nothing is chosen by it.
bool check_masks(Call& call, const Tensor& array, const std::vector<Entry>& entries, int taken) {
  const Layout& layout = array.layout;
  int axis = 0;
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::ellipsis) axis += layout.rank() - taken;
    if (entry.kind != Entry::Kind::mask) {
      axis += axes_taken(entry);
      continue;
    }
    for (const int64_t size : entry.array->tensor->layout.sizes) {
      if (size != layout.sizes[axis] && size != 0)
        return call.about("key", entry.at)
                   .fail("IndexError",
                         {"boolean index did not match indexed array along axis ", axis, "; size of axis is ",
                          layout.sizes[axis], " but size of corresponding boolean axis is ", size},
                         Msg::np_mask_size, {Slot{axis, call.axis(array, axis)}, layout.sizes[axis], size}),
               false;
      ++axis;
    }
  }
  return true;
}

/// How many dimensions the view has that is taken before anything is picked by arrays.
int viewed_rank(const Layout& layout, const std::vector<Entry>& entries, int taken) {
  int rank = 0;
  for (const Entry& entry : entries)
    if (entry.kind == Entry::Kind::ellipsis)
      rank += layout.rank() - taken;
    else if (entry.kind != Entry::Kind::integer)
      rank += std::max(axes_taken(entry), 1);
  return rank;
}

/// How many axes x[key] has; `rest` are those that an ellipsis stands for.
int rank_of_result(const std::vector<Entry>& entries, int rest) {
  int rank = 0, chosen = 0;
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::newaxis || entry.kind == Entry::Kind::slice) ++rank;
    if (entry.kind == Entry::Kind::ellipsis) rank += rest;
    if (entry.kind == Entry::Kind::mask) chosen = std::max(chosen, 1);
    if (entry.kind == Entry::Kind::array) chosen = std::max(chosen, entry.array->tensor->layout.rank());
  }
  return rank + chosen;
}

}  // namespace

std::optional<BasicView> basic_view(Call& call, const Tensor& array, const std::vector<Entry>& entries) {
  const Layout& layout = array.layout;
  int taken = 0;
  for (const Entry& entry : entries) taken += axes_taken(entry);
  if (const int rank = rank_of_result(entries, layout.rank() - taken); rank > max_rank)
    return call.fail("IndexError",
                     {"number of dimensions must be within [0, 64], indexing result would have ", int64_t{rank}},
                     Msg::np_too_many_axes, {max_rank}),
           std::nullopt;
  if (!check_masks(call, array, entries, taken)) return std::nullopt;
  if (viewed_rank(layout, entries, taken) > max_rank) return call.refuse(Msg::too_many_dims, {max_rank}), std::nullopt;
  BasicView result{{{}, {}, layout.storage_offset}, {}, {}};
  const auto append = [&](int64_t size, int64_t stride, int entry) {
    result.layout.sizes.push_back(size);
    result.layout.strides.push_back(stride);
    result.entry_of.push_back(entry);
  };
  int axis = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
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
        result.lines.push_back(
            {Msg::np_index_moves,
             {Slot{axis, call.axis(array, axis)}, index, index * layout.strides[axis], layout.strides[axis]}});
        ++axis;
        break;
      }
      case Entry::Kind::slice: {
        // Looked at in its turn, when all entries have been counted.
        if (!entry.no_index.empty())
          return call.about("key", entry.at)
                     .fail("TypeError", "slice indices must be integers or None or have an __index__ method",
                           Msg::np_slice_parts, {entry.no_index}),
                 std::nullopt;
        if (entry.step == 0)
          return call.about("key", entry.at).fail("ValueError", "slice step cannot be zero", Msg::slice_step_zero),
                 std::nullopt;
        SliceRange range = slice_range(entry.start, entry.stop, entry.step, layout.sizes[axis]);
        // NumPy takes an empty slice for [0:0:1]: the pointer stays, the stride stays.
        if (range.count <= 0) range = {0, 1, 0};
        const auto stride = checked_mul(layout.strides[axis], range.step);
        if (!stride) return call.refuse(Msg::beyond_int64), std::nullopt;
        result.layout.storage_offset += range.start * layout.strides[axis];
        append(range.count, *stride, -1);
        if (range.count == 0)
          result.lines.push_back({Msg::np_slice_empty, {Slot{axis, call.axis(array, axis)}}});
        else if (range.start != 0 || range.step != 1 || range.count != layout.sizes[axis])
          result.lines.push_back({Msg::np_slice,
                                  {Slot{axis, call.axis(array, axis)}, range.count, layout.sizes[axis],
                                   range.start * layout.strides[axis], layout.strides[axis], range.step, *stride}});
        ++axis;
        break;
      }
      case Entry::Kind::array: append(layout.sizes[axis], layout.strides[axis], static_cast<int>(i)), ++axis; break;
      default: {  // mask
        const Layout& mask = entry.array->tensor->layout;
        for (int d = 0; d < mask.rank(); ++d, ++axis)
          append(layout.sizes[axis], layout.strides[axis], static_cast<int>(i));
        if (mask.rank() == 0) append(1, 0, static_cast<int>(i));
        break;
      }
    }
  }
  return result;
}

bool is_basic(const std::vector<Entry>& entries) {
  return std::none_of(entries.begin(), entries.end(), [](const Entry& entry) {
    return entry.kind == Entry::Kind::array || entry.kind == Entry::Kind::mask;
  });
}

bool all_integers(const std::vector<Entry>& entries) {
  return std::all_of(entries.begin(), entries.end(),
                     [](const Entry& entry) { return entry.kind == Entry::Kind::integer; });
}

}  // namespace stridescope
