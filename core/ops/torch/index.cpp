#include "ops/torch/index.h"

#include <algorithm>

#include "ops/layout_words.h"
#include "ops/python/python.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

const char* const invalid_index =
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got ";
const char* const zero_dim_index =
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim "
    "tensor to a number";

bool is_mask(DType dtype) { return dtype == DType::boolean || dtype == DType::uint8; }

/// A list is read as a tuple of indices where it is short and holds anything but numbers.
bool reads_as_tuple(const Sequence& sequence) {
  if (is_tuple(sequence.kind)) return true;
  if (sequence.items->size() >= 32) return false;
  return std::any_of(sequence.items->begin(), sequence.items->end(), [](const Value& item) {
    return std::holds_alternative<std::string>(item.held) || std::holds_alternative<TensorRef>(item.held) ||
           std::holds_alternative<Sequence>(item.held) || std::holds_alternative<SliceValue>(item.held) ||
           std::holds_alternative<None>(item.held) || std::holds_alternative<Ellipsis>(item.held);
  });
}

std::vector<Value> entries_of(const Value& key) {
  const auto* sequence = std::get_if<Sequence>(&key.held);
  if (sequence && reads_as_tuple(*sequence)) return *sequence->items;
  return {key};
}

/// How many dimensions of the tensor an entry takes.
int dims_taken(const Value& entry) {
  if (std::holds_alternative<None>(entry.held) || std::holds_alternative<Ellipsis>(entry.held) ||
      std::holds_alternative<bool>(entry.held))
    return 0;
  const TensorPtr tensor = tensor_of(entry);
  return tensor && is_mask(tensor->dtype) ? tensor->layout.rank() : 1;
}

/// The walk over the entries of a key.
struct Walk {
  Call& call;
  Tensor part;  ///< an object of its own once an entry has made a view of the tensor
  int at = -1;  ///< the entry that is being read, where the key is a tuple
  int dim = 0;
  int tensor_at = -1;            ///< the entry that is a tensor of a dtype that is no index, which is found out last
  std::string_view wrong_dtype;  ///< what it is
  std::vector<Tensor> tensors;   ///< the entries that pick
  std::vector<std::pair<int, Elements>> indices;  ///< dimension of `part`, and what picks there

  bool integer(int64_t index, int position) {
    Layout& layout = part.layout;
    if (layout.rank() == 0 && index == 0)
      return call.about("key", at).fail("IndexError", zero_dim_index, Msg::scalar_has_no_dims, {position}), false;
    // Without dimensions, or where a second `...` has moved past the last, PyTorch reads a size that is not there: of
    // what had dimensions once, the one it had.
    const int64_t size = dim < layout.rank() ? layout.sizes[dim] : layout.rank() == 0 ? part.lost_size : 0;
    if (index < -size || index >= size) {
      call.about("key", at).fail(
          "IndexError", {"index ", index, " is out of bounds for dimension ", position, " with size ", size},
          Msg::index_out_of_range,
          {index, Slot{position, call.axis(std::max(std::min(dim, layout.rank() - 1), 0))}, size});
      return false;
    }
    if (layout.rank() == 0)
      return call.about("key", at).fail("IndexError", "select() cannot be applied to a 0-dim tensor.",
                                        Msg::scalar_has_no_dims, {position}),
             false;
    const int64_t place = index < 0 ? index + size : index;
    call.why(Msg::index_integer, {position, place, layout.strides[dim], place * layout.strides[dim]});
    layout = select(layout, dim, place);
    part.object = -1;
    return true;
  }

  bool slice(const SliceValue& written, int position) {
    Layout& layout = part.layout;
    std::optional<int64_t> parts[3];
    const std::shared_ptr<const Value>* values[] = {&written.start, &written.stop, &written.step};
    for (int i = 0; i < 3; ++i) {
      if (!*values[i] || std::holds_alternative<None>((*values[i])->held)) continue;
      parts[i] = as_index(**values[i]);
      if (!parts[i])
        return call.about("key", at).fail_parser("slice indices must be integers or None or have an __index__ method",
                                                 Msg::slice_needs_integers, {type_name(**values[i])}),
               false;
    }
    const int64_t step = parts[2].value_or(1);
    if (step == 0)
      return call.about("key", at).fail("ValueError", "slice step cannot be zero", Msg::slice_step_zero), false;
    if (step < 0) {
      call.about("key", at).fail("ValueError", "step must be greater than zero", Msg::slice_step_negative, {step});
      call.hint(Msg::hint_use_instead, {"torch.flip"});
      return false;
    }
    // A slice of all there is stands for the tensor itself when it is written; the size is the one that is not there.
    if (layout.rank() == 0 && call.form().kind == Form::Kind::store && parts[0].value_or(0) == 0 &&
        parts[1] == part.lost_size && step == 1)
      return true;
    if (layout.rank() == 0)
      return call.about("key", at).fail("IndexError", "slice() cannot be applied to a 0-dim tensor.",
                                        Msg::scalar_has_no_dims, {position}),
             false;
    if (!inside()) return false;
    const int64_t size = layout.sizes[dim];
    const auto clamped = [&](int64_t place, int64_t low) {
      return std::clamp(place < 0 ? place + size : place, low, size);
    };
    const int64_t start = clamped(parts[0].value_or(0), 0), stop = clamped(parts[1].value_or(size), start);
    const int64_t count = (stop - start) / step + ((stop - start) % step != 0 ? 1 : 0);
    const auto sliced = stridescope::slice(layout, dim, start, step, count);
    if (!sliced) return call.about("key", at).refuse(Msg::beyond_int64), false;
    if (start != 0 || stop != size || step != 1)
      call.why(Msg::index_slice,
               {position, start, stop, step, count, sliced->strides[dim], start * layout.strides[dim]});
    layout = *sliced;
    part.object = -1;
    if (step != 1 && !fits(part)) return call.about("key", at).refuse(Msg::beyond_int64), false;
    ++dim;
    return true;
  }

  /// A second `...` may have moved past the last dimension.
  bool inside() { return call.wrap(dim, part.layout.rank(), false, "key", at), !call.failed(); }

  bool new_dim() {
    if (call.wrap(dim, part.layout.rank() + 1, false, "key", at), call.failed()) return false;
    if (part.layout.sizes.full()) return call.about("key", at).refuse(Msg::too_many_dims, {max_rank}), false;
    part.layout = unsqueeze(part.layout, dim);
    part.object = -1;
    return true;
  }

  bool pick(Elements elements) {
    indices.emplace_back(dim++, std::move(elements));
    return true;
  }

  /// True and False make a new dimension of which one element or none is picked.
  bool truth(bool value) {
    if (!new_dim()) return false;
    const Scalar zero{DType::int64};
    const int64_t count = value ? 1 : 0;
    return pick({constant_contents(zero, count), {{count}, {8}, 0}, DType::int64});
  }

  bool list(const Value& entry) {
    auto elements = index_elements(call, entry);
    if (!elements) return false;
    return pick(std::move(*elements));
  }

  bool tensor(const Tensor& index, int position) {
    const bool mask = is_mask(index.dtype);
    if (index.layout.rank() == 0 && mask) return truth(is_true(element(elements_of(index), 0)));
    if (index.layout.rank() == 0 && is_integer(index.dtype))
      return integer(element(elements_of(index), 0).integer, position);
    if (!mask && index.dtype != DType::int64 && index.dtype != DType::int32 && wrong_dtype.empty())
      tensor_at = at, wrong_dtype = name(index.dtype);
    if (!mask) tensors.push_back(index);
    return pick(elements_of(index));
  }

  bool entry(const Value& value, int position, int taken) {
    if (std::holds_alternative<None>(value.held)) return new_dim() && (++dim, true);
    if (std::holds_alternative<Ellipsis>(value.held)) return dim += call_rank - taken, true;
    if (const auto* truth_value = std::get_if<bool>(&value.held)) return truth(*truth_value);
    if (const auto* written = std::get_if<SliceValue>(&value.held)) return slice(*written, position);
    if (const TensorPtr index = tensor_of(value)) return tensor(*index, position);
    if (std::holds_alternative<Sequence>(value.held)) return list(value);
    if (std::holds_alternative<std::string>(value.held))
      return call.about("key", at).fail_parser("new(): invalid data type 'str'", Msg::index_dtype, {"str"}), false;
    if (const auto number = as_integer(value)) return integer(*number, position);
    const std::string_view library = std::holds_alternative<NumpyScalar>(value.held) ? "numpy." : "";
    return call.about("key", at).fail("IndexError", {invalid_index, library, type_name(value), ")"}, Msg::index_dtype,
                                      {type_name(value)}),
           false;
  }

  int call_rank = 0;
};

/// A mask as the positions of what is true in it, one index a dimension.
bool expand_masks(Walk& walk) {
  std::vector<std::pair<int, Elements>> expanded;
  int shift = 0;
  for (auto& [dim, elements] : walk.indices) {
    if (!is_mask(elements.dtype)) {
      expanded.emplace_back(dim + shift, std::move(elements));
      continue;
    }
    const Dims& sizes = elements.layout.sizes;
    const auto count = numel(sizes);
    for (int j = 0; j < sizes.size(); ++j) {
      const int d = dim + shift + j;
      if (walk.call.wrap(d, walk.part.layout.rank(), false, "indices"), walk.call.failed()) return false;
      if (sizes[j] == walk.part.layout.sizes[d]) continue;
      about_indices(walk.call).fail(
          "IndexError",
          {"The shape of the mask ", list_text(sizes), " at index ", j,
           " does not match the shape of the indexed tensor ", list_text(walk.part.layout.sizes), " at index ", d},
          Msg::mask_shape, {to_string(sizes), to_string(walk.part.layout.sizes), j});
      return false;
    }
    if (*count > max_indices) return walk.call.refuse(Msg::too_many_indices, {*count, max_indices}), false;
    if (!walk.call.quick(elements, *count)) return false;
    std::vector<int64_t> found;
    for (int64_t i = 0; i < *count; ++i)
      if (is_true(element(elements, i))) found.push_back(i);
    const auto hits = static_cast<int64_t>(found.size());
    for (int j = 0; j < sizes.size(); ++j) {
      std::vector<Scalar> places;
      int64_t inner = 1;  // elements that one step of dimension j passes over
      for (int k = j + 1; k < sizes.size(); ++k) inner *= sizes[k];
      for (const int64_t position : found) places.push_back({DType::int64, position / inner % sizes[j]});
      // nonzero() makes one table of positions; each dimension's index is a column of it.
      expanded.emplace_back(dim + shift + j,
                            Elements{literal_contents(places, DType::int64), {{hits}, {8}, 0}, DType::int64});
    }
    shift += sizes.size() - 1;
  }
  walk.indices = std::move(expanded);
  return true;
}

/// What PyTorch looks at when it has read the whole key: how far the indices reach, whether what is written holds one
/// of them, then their dtypes.
bool check_indices(Walk& walk) {
  int reached = 0;
  for (const auto& [dim, elements] : walk.indices) reached = std::max(reached, dim + 1);
  const int rank = walk.part.layout.rank();
  if (reached > rank)
    about_indices(walk.call).fail("IndexError",
                                  {"too many indices for tensor of dimension ", rank, " (got ", reached, ")"},
                                  Msg::too_many_indices_for, {reached, rank});
  const auto apart = [&](const Tensor& index) { return check_apart(walk.call, walk.part, index); };
  if (is_written(walk.call) && !walk.call.failed() && !std::all_of(walk.tensors.begin(), walk.tensors.end(), apart))
    return false;
  if (!walk.wrong_dtype.empty())
    about_indices(walk.call, walk.tensor_at)
        .fail("IndexError", "tensors used as indices must be long, int, byte or bool tensors", Msg::index_places,
              {walk.wrong_dtype});
  return !walk.call.failed();
}

/// Puts the picked dimensions together: where they stood if they were neighbours, else in front.
bool combine(Walk& walk, Selection& selection) {
  Call& call = walk.call;
  Dims common;
  std::string shapes;
  for (const auto& [dim, elements] : walk.indices)
    shapes += (shapes.empty() ? "" : ", ") + list_text(elements.layout.sizes);
  for (const auto& [dim, elements] : walk.indices) {
    const auto joined = broadcast_of(common, elements.layout.sizes);
    if (!joined) {
      about_indices(call).fail(
          "IndexError", {"shape mismatch: indexing tensors could not be broadcast together with shapes ", shapes},
          Msg::index_shapes, {shapes});
      return false;
    }
    common = *joined;
  }
  for (const auto& [dim, elements] : walk.indices)
    if (call.wrap(dim, walk.part.layout.rank(), false, "indices"), call.failed())
      return false;
    else if (walk.part.layout.sizes[dim] == 0 && *numel(common) > 0)
      return about_indices(call).fail("IndexError", "index is out of bounds for dimension with size 0",
                                      Msg::index_out_of_range, {element(elements, 0).integer, dim, 0}),
             false;
  const auto bytes = in_bytes(walk.part);
  if (!bytes) return call.refuse(Msg::beyond_int64), false;
  const auto picked = [&](int d) {
    const auto found =
        std::find_if(walk.indices.begin(), walk.indices.end(), [&](const auto& index) { return index.first == d; });
    return found == walk.indices.end() ? nullptr : &*found;
  };
  bool neighbours = true;
  for (size_t k = 1; k < walk.indices.size(); ++k) neighbours &= walk.indices[k].first == walk.indices[k - 1].first + 1;
  const int front = neighbours ? walk.indices.front().first : 0;
  Layout& places = selection.places;
  places.storage_offset = bytes->storage_offset;
  const auto keep = [&](int from, int to) {
    for (int d = from; d < to; ++d) {
      if (picked(d)) continue;
      places.sizes.push_back(bytes->sizes[d]);
      places.strides.push_back(bytes->strides[d]);
    }
  };
  if (bytes->rank() - static_cast<int>(walk.indices.size()) + common.size() > max_rank)
    return call.refuse(Msg::too_many_dims, {max_rank}), false;
  keep(0, front);
  const int before = places.rank();
  for (int64_t size : common) {
    places.sizes.push_back(size);
    places.strides.push_back(0);
  }
  keep(front, bytes->rank());
  selection.operands = {places};
  for (const auto& [dim, elements] : walk.indices) {
    // The index seen under the result's sizes: its own strides where its dimensions stand, 0 elsewhere.
    const Layout spread = expand(elements.layout, common);
    // Reshaped to have a size of 1 for every dimension that is kept, then broadcast over them.
    Dims ones = Dims::filled(places.rank(), 1);
    for (int d = 0; d < common.size(); ++d) ones[before + d] = common[d];
    const Layout seen = *as_layout(view(spread, ones));
    selection.alike &= ones == places.sizes;
    Layout index{places.sizes, Dims::filled(places.rank(), 0), elements.layout.storage_offset};
    for (int d = 0; d < places.rank(); ++d)
      index.strides[d] = ones[d] == 1 && places.sizes[d] != 1 ? 0 : seen.strides[d];
    selection.operands.push_back(index);
    selection.picked.push_back(dim);
    selection.dims.push_back({{elements.contents, index, elements.dtype}, bytes->sizes[dim], bytes->strides[dim]});
  }
  return true;
}

/// What the walk has found, once its indices are together.
std::optional<Selection> selected(Walk& walk) {
  Selection selection;
  selection.part = walk.part;
  selection.advanced = !walk.indices.empty();
  if (selection.advanced && (!check_indices(walk) || !expand_masks(walk) || !combine(walk, selection)))
    return std::nullopt;
  return selection;
}

}  // namespace

std::optional<Selection> torch_select(Call& call, const Tensor& tensor, const Value& key) {
  const std::vector<Value> entries = entries_of(key);
  const int rank = tensor.layout.rank();
  int taken = 0;
  for (const Value& entry : entries) taken += dims_taken(entry);
  // A lone integer, slice, None or ... is looked at directly; anything else is counted first.
  const bool lone = std::holds_alternative<None>(key.held) || std::holds_alternative<Ellipsis>(key.held) ||
                    std::holds_alternative<SliceValue>(key.held) || (!tensor_of(key) && as_integer(key));
  if (taken > rank && !lone) {
    call.about("key").fail("IndexError", {"too many indices for tensor of dimension ", rank}, Msg::too_many_indices_for,
                           {taken, rank});
    return std::nullopt;
  }
  Walk walk{call, tensor};
  walk.call_rank = rank;
  const auto* sequence = std::get_if<Sequence>(&key.held);
  const bool tuple = sequence && reads_as_tuple(*sequence);
  for (size_t i = 0; i < entries.size(); ++i)
    if (walk.at = tuple ? static_cast<int>(i) : -1; !walk.entry(entries[i], static_cast<int>(i), taken))
      return std::nullopt;
  return selected(walk);
}

std::optional<Selection> torch_select(Call& call, const Tensor& tensor, const std::vector<TensorRef>& indices) {
  Walk walk{call, tensor};
  for (const TensorRef& index : indices) {
    const DType dtype = index->tensor->dtype;
    if (!is_mask(dtype)) walk.tensors.push_back(*index->tensor);
    if (!is_mask(dtype) && dtype != DType::int64 && dtype != DType::int32) walk.wrong_dtype = name(dtype);
    walk.pick(elements_of(*index->tensor));
  }
  return selected(walk);
}

std::span<const Op> torch_index_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x[key]", Msg::op_index,
       "an integer selects, a slice narrows and steps, None adds a 1, ... stands for the rest: views. Lists and "
       "tensors pick: copies",
       "x = torch.arange(24).view(4, 6)\ny = x[1:3, ::2]",
       [](Call& call) -> Value {
         const Tensor tensor = call.self();
         const auto selection = torch_select(call, tensor, call.value("key"));
         if (!selection) return {};
         if (!selection->advanced) {
           call.headline(Msg::index_view, {to_string(selection->part.layout)});
           return call.view(selection->part.layout);
         }
         if (!visit_picked(call, *selection, selection->operands)) return {};
         const Layout layout{selection->places.sizes,
                             iterator_strides(selection->places.sizes, selection->operands, selection->alike), 0};
         call.headline(Msg::index_copy);
         for (const IndexedDim& dim : selection->dims)
           call.why(Msg::picked_with, {dim.size, dim.stride / itemsize(tensor.dtype)});
         return call.gathered(layout, tensor.dtype, [&](const Dims& order) {
           // Every operand walked in the order of the new cells.
           const Elements from{tensor.storage->contents, permute(selection->places, order), tensor.dtype, tensor.lens};
           std::vector<IndexedDim> dims = selection->dims;
           for (IndexedDim& dim : dims) dim.index.layout = permute(dim.index.layout, order);
           return gather_indexed(from, std::move(dims), tensor.dtype);
         });
       }},
  };
  return rows;
}

}  // namespace stridescope
