// x[key] and x[key] = value.
#include <algorithm>

#include "ops/numpy/key.h"
#include "ops/numpy/structured.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// True, False, and arrays of one of them without axes.
bool is_one_truth(const Value& value) {
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  const TensorPtr array = tensor_of(value);
  return std::holds_alternative<bool>(value.held) || (scalar && scalar->dtype() == DType::boolean) ||
         (array && array->dtype == DType::boolean && array->layout.rank() == 0);
}

Value read_item(Call& call) {
  if (std::holds_alternative<NumpyScalar>(call.value("x").held)) {
    const Value& key = call.value("key");
    const auto* sequence = std::get_if<Sequence>(&key.held);
    const std::vector<Value> entries = sequence && is_tuple(sequence->kind) ? *sequence->items : std::vector{key};
    if (entries.empty()) return call.value("x");
    const auto dots = [](const Value& entry) { return std::holds_alternative<Ellipsis>(entry.held); };
    const auto adds = [&](const Value& entry) {
      return dots(entry) || std::holds_alternative<None>(entry.held) || is_one_truth(entry);
    };
    if (!std::all_of(entries.begin(), entries.end(), adds) || std::count_if(entries.begin(), entries.end(), dots) > 1)
      return call.fail("IndexError", "invalid index to scalar variable.", Msg::np_scalar_index);
  }
  const TensorRef source = receiver(call);
  const Tensor& array = *source->tensor;
  if (const auto part = read_fields(call, array, call.value("key"))) return *part;
  const auto entries = read_key(call, array, call.value("key"));
  if (!entries) return {};
  const auto viewed = basic_view(call, array, *entries);
  if (!viewed) return {};
  if (!is_basic(*entries)) return read_fancy(call, array, *entries, *viewed);
  Tensor read = array;
  read.layout = viewed->layout;
  const auto explain = [&] {
    for (const Message& line : viewed->lines) call.why(line);
  };
  if (all_integers(*entries)) {
    const Value scalar = numpy_scalar(call, read);
    explain();
    return scalar;
  }
  if (std::any_of(entries->begin(), entries->end(), [](const Entry& entry) { return entry.scalar_array; }))
    return numpy_copy(call, read, NumpyOrder::keep);
  const Value result = numpy_view(call, array, viewed->layout);
  explain();
  return result;
}

Value write_item(Call& call) {
  if (std::holds_alternative<NumpyScalar>(call.value("x").held)) {
    const std::string type = type_name(call.value("x"));
    return call.fail("TypeError", {"'numpy.", type, "' object does not support item assignment"}, Msg::not_assignable,
                     {"numpy." + type});
  }
  const TensorRef source = receiver(call);
  const Tensor& array = *source->tensor;
  if (!array.is_element && !numpy_writeable(call, array)) return {};
  if (write_fields(call, array, call.value("key"), call.value("value"))) return {};
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
  if (all_integers(*entries))
    numpy_store(call, target, call.value("value"));
  else
    numpy_assign(call, target, call.value("value"));
  for (const Message& line : viewed->lines) call.why(line);
  return {};
}

/// The positions that `indices` name along an axis of `size`, by mode 'r' (raise), 'w' (wrap) or 'c' (clip).
std::optional<std::vector<Scalar>> taken_positions(Call& call, const Tensor& indices, int axis, int64_t size,
                                                   char mode) {
  const int64_t count = count_of(indices);
  if (!call.few(indices)) return std::nullopt;
  std::vector<Scalar> positions;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t index = converted(element(elements_of(indices), i), DType::int64).integer;
    int64_t at = index < 0 ? index + size : index;
    if (mode == 'w') at = ((index % size) + size) % size;
    if (mode == 'c') at = std::clamp<int64_t>(index, 0, size - 1);
    if (at < 0 || at >= size) {
      call.about("indices").fail("IndexError",
                                 {"index ", index, " is out of bounds for axis ", axis, " with size ", size},
                                 Msg::np_index_out_of_bounds, {index, axis, size});
      return std::nullopt;
    }
    positions.push_back({DType::int64, at});
  }
  return positions;
}

/// np.take: the axis gives way to the axes of the indices, in C order whatever the array's.
Value take(Call& call) {
  if (call.given("axis")) axis_argument(call);  // told of before the mode
  if (const auto index = as_integer(call.value("indices")); index && std::holds_alternative<None>(call.first().held)) {
    // None is an array of one object.
    if (call.given("axis") && (numpy_axis(call, axis_argument(call), 1), call.failed())) return {};
    if (*index == 0 || *index == -1) return call.relation(Relation::none), Value{};
    return call.about("indices").fail("IndexError", {"index ", *index, " is out of bounds for axis 0 with size 1"},
                                      Msg::np_index_out_of_bounds, {*index, 0, 1});
  }
  const char how = clip_mode(call, call.value("mode"));
  if (call.failed()) return {};
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  Tensor from = *source->tensor;
  if (from.layout.rank() == 0) from.layout = insert_dim(from.layout, 0, unit_of(from));
  const int axis = call.given("axis") ? numpy_axis(call, axis_argument(call), from.layout.rank()) : 0;
  if (!call.given("axis") && from.layout.rank() > 1) from = raveled(call, {from}).front();
  const Value& wanted = call.value("indices");
  const bool array = tensor_of(wanted) != nullptr;  // numbers and scalars are converted as they are read
  const TensorRef indices_ref = as_array(call, wanted, array ? std::nullopt : std::optional(DType::int64));
  if (call.failed() || !check_cast(call, *indices_ref->tensor, DType::int64, Casting::same_kind)) return {};
  const Tensor& indices = *indices_ref->tensor;
  const int64_t size = from.layout.sizes[axis], unit = unit_of(from);
  Dims sizes, index_strides;
  Layout read{{}, {}, from.layout.storage_offset};
  owned_layout(call, indices.layout.sizes, DType::int64);  // fails where they would be too big
  if (call.failed()) return {};
  const Dims packed = contiguous(indices.layout.sizes, 8).strides;
  if (from.layout.rank() - 1 + indices.layout.rank() > max_rank)
    return call.fail("ValueError", "number of dimensions must be within [0, 64]", Msg::np_too_many_axes, {max_rank});
  for (int d = 0; d < from.layout.rank(); ++d) {
    if (d != axis) {
      sizes.push_back(from.layout.sizes[d]);
      read.strides.push_back(from.layout.strides[d]);
      index_strides.push_back(0);
      continue;
    }
    for (int k = 0; k < indices.layout.rank(); ++k) {
      sizes.push_back(indices.layout.sizes[k]);
      read.strides.push_back(0);
      index_strides.push_back(packed[k]);
    }
  }
  const Layout target = owned_layout(call, sizes, unit);
  const TensorPtr out = tensor_of(call.value("out"));
  if (out && (from.structure || out->structure))
    return call.about("out").refuse(Msg::np_structures_not_modelled, {std::string(call.name())});
  if (out && out->layout.sizes != sizes)
    return call.about("out").fail("ValueError", "output array does not match result of ndarray.take", Msg::np_out_sizes,
                                  {to_string(out->layout.sizes), to_string(sizes)});
  if (out && check_cast(call, *out, from.dtype, Casting::safe))
    numpy_writeable(call, *out, "WRITEBACKIFCOPY base is read-only");
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  if (size == 0 && count > 0)
    return call.fail("IndexError", "cannot do a non-empty take from an empty axes.", Msg::np_take_empty, {axis});
  // Indices are looked at unless an axis before theirs has no elements.
  int64_t before = size > 0 || how == 'r' ? 1 : 0;
  for (int d = 0; d < axis; ++d) before *= from.layout.sizes[d];
  const auto positions = before == 0 ? std::vector<Scalar>{} : taken_positions(call, indices, axis, size, how);
  if (!positions) return {};
  call.why(Msg::np_take_headline, {count, count * unit, Slot{axis, call.axis(from, axis)}, to_string(sizes)});
  call.why(Msg::np_fancy_axis, {size, from.layout.strides[axis]});
  if (count == 0 && out) return call.value("out");
  read.sizes = sizes;
  if (count == 0) return numpy_gathered(call, from, target, read);
  const IndexedDim dim{{literal_contents(*positions, DType::int64), {sizes, index_strides, 0}, DType::int64},
                       size,
                       from.layout.strides[axis]};
  if (out) {
    const ContentsPtr taken = gather_indexed({from.storage->contents, read, from.dtype}, {dim}, from.dtype);
    call.write(*out, {taken, target, from.dtype});
    call.why(Msg::np_out_written, {to_string(sizes), name(from.dtype)});
    return call.value("out");
  }
  return scalar_if_0d(call, numpy_gathered(call, from, target, read, {dim}));
}

}  // namespace

std::span<const Op> numpy_index_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x[key]", Msg::op_np_getitem,
       "start:stop:step gives offset + start * stride, stride * step;  an integer drops its axis;  None adds one of "
       "stride 0;  the name of a field adds its offset",
       "x = np.arange(24).reshape(4, 6)\ny = x[::-1, 1::2]", read_item, Op::Structured::elements},
      {Library::numpy, "x[key] = value", Msg::op_np_setitem,
       "value is broadcast to the shape of x[key] and written to the same bytes",
       "x = np.arange(6).reshape(2, 3)\nx[:, 1] = 9", write_item, Op::Structured::elements},
      {Library::numpy, "np.take(a, indices, axis=None, out=None, mode='raise')", Msg::op_np_take,
       "a[indices] along the axis, copied", "x = np.arange(12).reshape(3, 4)\ny = np.take(x, [2, 0], axis=0)", take,
       Op::Structured::arrays},
      {Library::numpy, "x.take(indices, axis=None, out=None, mode='raise')", Msg::op_np_take,
       "x[indices] along the axis, copied", "x = np.arange(12).reshape(3, 4)\ny = x.take([2, 0], axis=1)", take,
       Op::Structured::arrays},
      {Library::numpy, "np.s_[key]", Msg::op_np_s, "", "key = np.s_[1:, ::2]",
       [](Call& call) { return call.value("key"); }},
      {Library::numpy, "np.index_exp[key]", Msg::op_np_s, "always a tuple", "key = np.index_exp[1:, ::2]",
       [](Call& call) {
         const auto* tuple = std::get_if<Sequence>(&call.value("key").held);
         return tuple && is_tuple(tuple->kind) ? call.value("key") : call.tuple({call.value("key")});
       }},
      {Library::numpy, "np.ix_(*args: any = ())", Msg::op_np_ix,
       "argument k of n is seen with its elements along axis k",
       "x = np.arange(12).reshape(3, 4)\ny = x[np.ix_([0, 2], [1, 3])]",
       [](Call& call) -> Value {
         const auto arrays = as_arrays(call, call.value("args"));
         if (call.failed()) return {};
         std::vector<Value> items;
         const size_t said = call.said();
         const int rank = static_cast<int>(arrays.size());
         if (rank > max_rank) return too_many_axes(call, rank);
         for (int k = 0; k < rank; ++k) {
           TensorRef ref = arrays[static_cast<size_t>(k)];
           const int64_t count = count_of(*ref->tensor);
           if (ref->tensor->layout.rank() != 1)
             return call.fail("ValueError", "Cross index must be 1 dimensional", Msg::np_axes_wanted,
                              {ref->tensor->layout.rank(), 1});
           const bool mask = ref->tensor->dtype == DType::boolean;
           if (mask && count > small_cells) return call.refuse(Msg::np_too_costly);
           if (mask || (count == 0 &&
                        !tensor_of((*std::get<Sequence>(call.value("args").held).items)[static_cast<size_t>(k)]))) {
             // Booleans stand for the places that are True, an empty list for no places.
             std::vector<Scalar> places;
             for (int64_t i = 0; i < count; ++i)
               if (element(elements_of(*ref->tensor), i).integer != 0) places.push_back({DType::int64, i});
             const Value made = numpy_fresh(call, {static_cast<int64_t>(places.size())}, DType::int64,
                                            literal_contents(places, DType::int64), Relation::copy);
             ref = std::get<TensorRef>(made.held);
           }
           const Tensor& array = *ref->tensor;
           Dims sizes = Dims::filled(rank, 1);
           sizes[k] = array.layout.sizes[0];
           items.push_back(numpy_reshape(call, array, sizes, NumpyOrder::c));
         }
         call.unsay(said);
         for (int k = 0; k < rank; ++k)
           call.why(Msg::np_ix, {k, count_of(*arrays[static_cast<size_t>(k)]->tensor),
                                 to_string(tensor_of(items[static_cast<size_t>(k)])->layout.sizes)});
         return call.tuple(std::move(items));
       }},
  };
  return rows;
}

}  // namespace stridescope
