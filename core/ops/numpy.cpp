#include "ops/numpy.h"

#include <algorithm>
#include <numeric>

#include "ops/without_copy.h"

namespace stridescope {

int64_t nbytes(const Tensor& array) { return count_of(array) * unit_of(array); }

// Arguments.

NumpyOrder numpy_order(Call& call, std::string_view parameter, NumpyOrder fallback) {
  if (!call.given(parameter)) return fallback;
  const auto* text = std::get_if<std::string>(&call.value(parameter).held);
  if (!text) {
    call.about(parameter).fail_parser("order must be str, not " + type_name(call.value(parameter)), Msg::argument_has_type, {parameter, "str", type_name(call.value(parameter))});
    return fallback;
  }
  if (*text == "C" || *text == "c") return NumpyOrder::c;
  if (*text == "F" || *text == "f") return NumpyOrder::fortran;
  if (*text == "A" || *text == "a") return NumpyOrder::any;
  if (*text == "K" || *text == "k") return NumpyOrder::keep;
  call.about(parameter).fail("ValueError", "order must be one of 'C', 'F', 'A', or 'K' (got '" + *text + "')", Msg::np_bad_order, {*text});
  return fallback;
}

Order resolved_order(const Tensor& array, NumpyOrder order) {
  if (order == NumpyOrder::fortran) return Order::fortran;
  const bool fortran_only = is_f_contiguous(array.layout, unit_of(array)) && !is_contiguous(array.layout, unit_of(array));
  return order != NumpyOrder::c && fortran_only ? Order::fortran : Order::c;
}

std::string shape_text(const Dims& sizes) {
  std::string text = "(";
  for (int d = 0; d < sizes.size(); ++d) text += (d > 0 ? "," : "") + std::to_string(sizes[d]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

std::string requested_text(const Dims& sizes) {
  int first = 0;
  while (first < sizes.size() && sizes[first] < 0) ++first;
  if (first == sizes.size()) return "()";
  std::string text = "(" + std::to_string(sizes[first]);
  for (int d = first + 1; d < sizes.size(); ++d) text += "," + (sizes[d] < 0 ? std::string("newaxis") : std::to_string(sizes[d]));
  return text + (sizes.size() == 1 ? ",)" : ")");
}

int numpy_axis(Call& call, int64_t axis, int rank, std::string_view prefix, std::string_view parameter, int item) {
  if (axis >= -rank && axis < rank) return static_cast<int>(axis < 0 ? axis + rank : axis);
  call.about(parameter, item).fail("AxisError", std::string(prefix) + "axis " + std::to_string(axis) + " is out of bounds for array of dimension " + std::to_string(rank),
            Msg::np_axis_out_of_range, {axis, rank});
  return 0;
}

std::optional<std::vector<int64_t>> integer_list(Call& call, const Value& value) {
  std::vector<int64_t> result;
  const auto wrong = [&](const Value& item) {
    const std::string type = type_name(item);
    call.about(item).fail_parser("'" + type + "' object cannot be interpreted as an integer", Msg::np_not_an_integer, {type});
    return std::nullopt;
  };
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence) {
    const TensorPtr array = tensor_of(value);
    if (array && array->layout.rank() == 1 && (is_integer(array->dtype) || array->dtype == DType::boolean) && count_of(*array) <= small_cells) {
      for (int64_t i = 0; i < count_of(*array); ++i) result.push_back(element(elements_of(*array), i).integer);
      return result;
    }
    const auto number = std::holds_alternative<double>(value.held) ? std::nullopt : as_integer(value);
    if (!number) return wrong(value);
    return std::vector<int64_t>{*number};
  }
  for (const Value& item : *sequence->items) {
    const auto number = as_integer(item);
    if (!number) return wrong(item);
    result.push_back(*number);
  }
  return result;
}

Dims numpy_shape(Call& call, const Value& value) {
  const auto list = integer_list(call, value);
  if (!list) return {};
  if (list->size() > static_cast<size_t>(max_rank)) {
    call.about(value).fail("ValueError", "maximum supported dimension for an ndarray is currently 64, found " + std::to_string(list->size()), Msg::too_many_dims, {max_rank});
    return {};
  }
  return Dims(*list);
}

Dims numpy_axes(Call& call, const Value& axes, int rank, std::string_view repeated) {
  const auto list = integer_list(call, axes);
  Dims result;
  if (!list) return result;
  for (size_t k = 0; k < list->size(); ++k) {
    const int d = numpy_axis(call, (*list)[k], rank, "", "axis", static_cast<int>(k));
    if (call.failed()) return {};
    if (std::find(result.begin(), result.end(), d) != result.end()) {
      call.about("axis", static_cast<int>(k)).fail("ValueError", std::string(repeated), Msg::np_axis_repeated, {d});
      return {};
    }
    result.push_back(d);
  }
  return result;
}

// Arrays from values.

namespace {

/// A nested list read into a flat one.
struct Nested {
  Dims sizes;
  std::vector<Scalar> values;
  std::optional<DType> dtype;
};

constexpr int64_t max_listed = 65536;

void take(Nested& nested, const Scalar& value) {
  nested.dtype = nested.dtype ? numpy_promoted(*nested.dtype, value.dtype) : value.dtype;
  nested.values.push_back(value);
}

/// The shape of the first of everything, as NumPy finds it.
bool discover(Call& call, const Value& value, Dims& sizes) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const TensorPtr array = tensor_of(value);
  if (array) {
    for (const int64_t size : array->layout.sizes) {
      if (sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank}), false;
      sizes.push_back(size);
    }
    return true;
  }
  if (!sequence) return true;
  if (sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank}), false;
  sizes.push_back(static_cast<int64_t>(sequence->items->size()));
  return sequence->items->empty() || discover(call, sequence->items->front(), sizes);
}

/// The deepest level down to which every list has the same length.
int regular_depth(const Value& value, const Dims& sizes, int depth) {
  if (depth == sizes.size()) return std::holds_alternative<Sequence>(value.held) || (tensor_of(value) && tensor_of(value)->layout.rank() > 0) ? -1 : depth;
  if (const TensorPtr array = tensor_of(value)) {
    int d = depth;
    for (const int64_t size : array->layout.sizes)
      if (d >= sizes.size() || sizes[d++] != size) return d - 1;
    return d;
  }
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence || static_cast<int64_t>(sequence->items->size()) != sizes[depth]) return depth;
  int least = sizes.size();
  for (const Value& item : *sequence->items) least = std::min(least, regular_depth(item, sizes, depth + 1));
  return least;
}

bool read_nested(Call& call, const Value& value, Nested& nested) {
  if (static_cast<int64_t>(nested.values.size()) > max_listed) return call.refuse(Msg::too_costly), false;
  if (const auto* sequence = std::get_if<Sequence>(&value.held)) {
    return std::all_of(sequence->items->begin(), sequence->items->end(), [&](const Value& item) { return read_nested(call, item, nested); });
  }
  if (const TensorPtr array = tensor_of(value)) {
    const int64_t count = count_of(*array);
    if (count > max_listed) return call.refuse(Msg::too_costly), false;
    const Elements elements = elements_of(*array);
    if (count == 0) nested.dtype = nested.dtype ? numpy_promoted(*nested.dtype, array->dtype) : array->dtype;
    for (int64_t i = 0; i < count; ++i) take(nested, element(elements, i));
    return true;
  }
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return take(nested, scalar->value), true;
  if (const auto* truth = std::get_if<bool>(&value.held)) return take(nested, {DType::boolean, *truth ? 1 : 0}), true;
  if (const auto* integer = std::get_if<int64_t>(&value.held)) return take(nested, {DType::int64, *integer}), true;
  if (const auto* real = std::get_if<double>(&value.held)) return take(nested, {DType::float64, 0, *real}), true;
  call.refuse(Msg::np_not_numeric, {type_name(value)});
  return false;
}

}  // namespace

TensorRef as_array(Call& call, const Value& value, std::optional<DType> dtype) {
  if (call.failed()) return nullptr;
  if (const auto* array = std::get_if<TensorRef>(&value.held)) {
    const Tensor& tensor = *(*array)->tensor;
    if (tensor.library == Library::numpy && (!dtype || *dtype == tensor.dtype)) return *array;
    if (tensor.library == Library::torch) {
      // np.asarray(tensor) shares the tensor's memory.
      const auto bytes = in_bytes(tensor);
      if (!bytes) return call.refuse(Msg::beyond_int64), nullptr;
      Tensor shared = tensor;
      shared.library = Library::numpy;
      shared.layout = *bytes;
      shared.is_view = true;
      shared.base = -1;
      shared.base_tensor = nullptr;
      const Value made = call.make(std::move(shared), Relation::view);
      return call.failed() ? nullptr : std::get<TensorRef>(made.held);
    }
    const Value made = numpy_copy(call, tensor, NumpyOrder::keep, dtype);
    return call.failed() ? nullptr : std::get<TensorRef>(made.held);
  }
  Nested nested;
  if (!discover(call, value, nested.sizes)) return nullptr;
  if (const int depth = regular_depth(value, nested.sizes, 0); depth != nested.sizes.size()) {
    const int known = std::max(depth, 0);
    Dims regular;
    for (int d = 0; d < (depth < 0 ? nested.sizes.size() : known); ++d) regular.push_back(nested.sizes[d]);
    call.fail("ValueError", "setting an array element with a sequence. The requested array has an inhomogeneous shape after " + std::to_string(regular.size()) +
                                " dimensions. The detected shape was " + to_string(regular) + " + inhomogeneous part.", Msg::np_ragged, {to_string(regular)});
    return nullptr;
  }
  if (!read_nested(call, value, nested)) return nullptr;
  const DType kind = dtype.value_or(nested.dtype.value_or(DType::float64));
  const Value made = numpy_fresh(call, nested.sizes, kind, literal_contents(nested.values, kind));
  return call.failed() ? nullptr : std::get<TensorRef>(made.held);
}

TensorRef receiver(Call& call) {
  const Form& first = first_form(*call.form().op);
  return as_array(call, call.value(first.parameters.front().name));
}

std::vector<TensorRef> as_arrays(Call& call, const Value& value) {
  std::vector<TensorRef> result;
  if (const auto* sequence = std::get_if<Sequence>(&value.held)) {
    for (const Value& item : *sequence->items)
      if (TensorRef array = as_array(call, item)) result.push_back(std::move(array));
    return result;
  }
  const TensorPtr array = tensor_of(value);
  if (!array || array->layout.rank() == 0) {
    call.fail_parser("arrays to stack must be passed as a \"sequence\" type such as list or tuple.", Msg::np_wants_arrays, {type_name(value)});
    return result;
  }
  if (array->layout.sizes[0] > int64_t{4096}) return call.refuse(Msg::too_costly), result;
  for (int64_t i = 0; i < array->layout.sizes[0] && !call.failed(); ++i)
    if (const Value row = call.view(*array, select(array->layout, 0, i)); !call.failed()) result.push_back(std::get<TensorRef>(row.held));
  return result;
}

// Results.

Layout owned_layout(Call& call, const Dims& sizes, DType dtype, Order order) {
  for (const int64_t size : sizes)
    if (size < 0) return call.fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size, {to_string(sizes)}), Layout{};
  // The product counts a size of 0 as 1, as NumPy's own check does.
  int64_t bytes = itemsize(dtype);
  for (const int64_t size : sizes) {
    const auto product = size == 0 ? bytes : checked_mul(bytes, size);
    if (!product)
      return call.fail("ValueError", "Maximum allowed dimension exceeded", Msg::storage_overflow, {to_string(sizes)}), Layout{};
    bytes = *product;
  }
  Layout layout = order == Order::c ? contiguous(sizes, itemsize(dtype)) : fortran(sizes, itemsize(dtype));
  if (numel(sizes) == 0) layout.strides = Dims::filled(sizes.size(), 0);
  return layout;
}

Dims strides_like(const Tensor& array, NumpyOrder order, int64_t unit) {
  const Layout& layout = array.layout;
  if (numel(layout.sizes) == 0) return Dims::filled(layout.rank(), 0);
  if (order != NumpyOrder::keep) return packed_strides(layout.sizes, resolved_order(array, order) == Order::c ? c_order(layout.rank()) : fortran_order(layout.rank()), unit);
  // The order of the axes is told by the array's own strides, the item size by the new dtype.
  const Dims own = k_order_strides(layout, unit_of(array));
  Dims result = own;
  for (int64_t& stride : result) stride = stride / unit_of(array) * unit;
  return result;
}

Value numpy_copy(Call& call, const Tensor& array, NumpyOrder order, std::optional<DType> dtype) {
  const DType kind = dtype.value_or(array.dtype);
  owned_layout(call, array.layout.sizes, kind);
  if (call.failed()) return {};
  Layout target{array.layout.sizes, strides_like(array, order, itemsize(kind)), 0};
  call.why(Msg::np_copy_headline, {count_of(array), count_of(array) * itemsize(kind), shape_text(target.sizes), shape_text(target.strides)});
  return call.copy(array, target, kind);
}

Value numpy_fresh(Call& call, const Dims& sizes, DType dtype, ContentsPtr contents, Relation relation) {
  const Layout layout = owned_layout(call, sizes, dtype);
  return call.failed() ? Value{} : call.fresh(dtype, layout, std::move(contents), relation);
}

Value numpy_view(Call& call, const Tensor& array, const Layout& layout) {
  call.why(Msg::np_view_headline, {shape_text(layout.sizes), shape_text(layout.strides), layout.storage_offset});
  return call.view(array, layout);
}

Value numpy_readonly_view(Call& call, const Tensor& array, const Layout& layout) {
  Tensor source = array;
  source.writeable = false;
  return numpy_view(call, source, layout);
}

Value numpy_same(Call& call, const TensorRef& array, Msg reason, std::vector<Arg> args) {
  call.why(reason, std::move(args));
  return call.same(array);
}

Value numpy_scalar(Call& call, const Tensor& array) {
  if (call.failed()) return {};
  const Scalar value = element(elements_of(array), 0);
  call.why(Msg::np_scalar, {label(value), name(value.dtype)});
  call.relation(Relation::none);
  return {NumpyScalar{value}};
}

Value scalar_if_0d(Call& call, const Value& value) {
  const TensorPtr array = tensor_of(value);
  return array && !call.failed() && array->layout.rank() == 0 ? numpy_scalar(call, *array) : value;
}

// Reshape.

std::optional<Dims> numpy_sizes(Call& call, const Tensor& array, const Dims& requested) {
  const int64_t count = count_of(array);
  const Resolved resolved = resolve_shape(requested, count);
  if (const Dims* sizes = std::get_if<Dims>(&resolved)) return *sizes;
  if (std::get<Unfitting>(resolved).kind == Unfitting::Kind::second_unknown)
    call.fail("ValueError", "can only specify one unknown dimension", Msg::view_two_unknown, {to_string(requested)});
  else
    call.fail("ValueError", "cannot reshape array of size " + std::to_string(count) + " into shape " + requested_text(requested), Msg::np_reshape_numel,
              {to_string(requested), count, shape_text(array.layout.sizes)});
  return std::nullopt;
}

Value numpy_reshape(Call& call, const Tensor& array, const Dims& requested, NumpyOrder wanted) {
  if (wanted == NumpyOrder::keep) return call.about("order").fail("ValueError", "order 'K' is not permitted for reshaping", Msg::np_order_k_reshape);
  const auto sizes = requested == array.layout.sizes ? requested : numpy_sizes(call, array, requested);
  if (!sizes) return {};
  const Order order = resolved_order(array, wanted);
  call.attempt(array, requested, *sizes, order);
  owned_layout(call, *sizes, array.dtype);
  if (call.failed()) return {};
  const Viewed viewed = reshape_without_copy(array.layout, *sizes, order, unit_of(array), requested == *sizes);
  if (const Layout* layout = as_layout(viewed)) {
    call.why(Msg::np_view_headline, {shape_text(layout->sizes), shape_text(layout->strides), layout->storage_offset});
    if (requested == array.layout.sizes) call.why(Msg::np_reshape_same);
    else if (order == Order::c ? is_contiguous(array.layout, unit_of(array)) : is_f_contiguous(array.layout, unit_of(array)))
      call.why(Msg::np_reshape_packed, {order == Order::c ? "C" : "F"});
    else
      for (const Joint& joint : joints(array.layout))
        if (joint.welded() && order == Order::c)
          call.why(Msg::np_weld, {{joint.outer, call.axis(array, joint.outer)}, {joint.inner, call.axis(array, joint.inner)}, joint.stride,
                                  array.layout.sizes[joint.inner], array.layout.strides[joint.inner]});
    return call.view(array, *layout);
  }
  const Joint& joint = as_crack(viewed)->joint;
  call.why(Msg::np_reshape_copies, {count_of(array), nbytes(array)});
  call.why(Msg::np_crack, {{joint.outer, call.axis(array, joint.outer)}, {joint.inner, call.axis(array, joint.inner)}, joint.stride, joint.needed,
                           array.layout.sizes[joint.inner], array.layout.strides[joint.inner]});
  explain_shapes(call, array.layout, *sizes, order);
  if (order == Order::c) explain_without_copy(call, array, *sizes);
  const Value copied = call.copy(array, {array.layout.sizes, strides_like(array, order == Order::c ? NumpyOrder::c : NumpyOrder::fortran, unit_of(array)), 0}, array.dtype);
  if (call.failed()) return {};
  const Layout packed = order == Order::c ? contiguous(*sizes, unit_of(array)) : fortran(*sizes, unit_of(array));
  const Value result = call.view(*tensor_of(copied), packed);
  call.relation(Relation::copy);
  return result;
}

// Broadcasting and dtypes.

std::optional<Dims> broadcast_sizes(std::vector<Dims> shapes) {
  int rank = 0;
  for (const Dims& shape : shapes) rank = std::max(rank, shape.size());
  Dims result = Dims::filled(rank, 1);
  for (const Dims& shape : shapes)
    for (int d = 0; d < shape.size(); ++d) {
      int64_t& size = result[rank - shape.size() + d];
      if (size == 1) size = shape[d];
      else if (shape[d] != 1 && shape[d] != size) return std::nullopt;
    }
  return result;
}

namespace {

int64_t significand(DType dtype) { return dtype == DType::float16 ? 11 : dtype == DType::float32 || dtype == DType::complex64 ? 24 : 53; }

/// The smallest floating dtype that holds the values of an integer one as NumPy sees it.
DType float_for(DType dtype) {
  if (dtype == DType::boolean || itemsize(dtype) == 1) return DType::float16;
  return itemsize(dtype) == 2 ? DType::float32 : DType::float64;
}

}  // namespace

DType numpy_promoted(DType a, DType b) {
  if (a == b) return a;
  if (is_complex(a) || is_complex(b)) {
    const auto part = [](DType dtype) { return is_complex(dtype) || is_floating(dtype) ? dtype : float_for(dtype); };
    return std::max(significand(part(a)), significand(part(b))) > 24 ? DType::complex128 : DType::complex64;
  }
  if (is_floating(a) || is_floating(b)) {
    const DType x = is_floating(a) ? a : float_for(a), y = is_floating(b) ? b : float_for(b);
    return significand(x) >= significand(y) ? x : y;
  }
  if (a == DType::boolean) return b;
  if (b == DType::boolean) return a;
  if (is_unsigned(a) == is_unsigned(b)) return itemsize(a) >= itemsize(b) ? a : b;
  const DType plain = is_unsigned(a) ? a : b, sign = is_unsigned(a) ? b : a;
  if (itemsize(sign) > itemsize(plain)) return sign;
  switch (itemsize(plain)) {
    case 1: return DType::int16;
    case 2: return DType::int32;
    case 4: return DType::int64;
    default: return DType::float64;
  }
}

Operand operand(Call& call, const Value& value) {
  const bool weak = std::holds_alternative<int64_t>(value.held) || std::holds_alternative<double>(value.held);
  return {as_array(call, value), weak, weak ? value : Value{}};
}

DType common_dtype(const Operand& a, const Operand& b) {
  const DType left = a.array->tensor->dtype, right = b.array->tensor->dtype;
  if (a.weak == b.weak) return numpy_promoted(left, right);
  const DType strong = a.weak ? right : left, weak = a.weak ? left : right;
  if (is_floating(weak)) return is_floating(strong) || is_complex(strong) ? strong : DType::float64;
  return strong == DType::boolean ? DType::int64 : strong;
}

Elements broadcast_elements(const Tensor& array, const Dims& sizes) {
  Elements elements = elements_of(array);
  elements.layout = broadcast_to(elements.layout, sizes);
  return elements;
}

bool numpy_writeable(Call& call, const Tensor& target, std::string_view text) {
  if (target.writeable) return true;
  call.about_receiver().fail("ValueError", std::string(text), Msg::np_readonly, {{"array", Call::whole(target)}});
  call.hint(Msg::np_hint_readonly);
  return false;
}

void numpy_assign(Call& call, const Tensor& target, const Value& value) {
  if (!numpy_writeable(call, target)) return;
  const TensorRef source = as_array(call, value);
  if (!source) return;
  Layout from = source->tensor->layout;
  // Leading sizes of 1 that the target has no room for are dropped.
  while (from.rank() > target.layout.rank() && from.sizes[0] == 1) from = select(from, 0, 0);
  if (!is_expandable(from, target.layout.sizes)) {
    call.fail("ValueError", "could not broadcast input array from shape " + shape_text(source->tensor->layout.sizes) + " into shape " + shape_text(target.layout.sizes),
              Msg::np_cannot_broadcast_into, {shape_text(source->tensor->layout.sizes), shape_text(target.layout.sizes)});
    return;
  }
  call.why(Msg::np_write_headline, {count_of(target), nbytes(target)});
  call.write(target, {source->tensor->storage->contents, broadcast_to(from, target.layout.sizes), source->tensor->dtype});
}

}  // namespace stridescope
