// Writing to elements by their number in C order, or where a mask is true: put, putmask, place.
#include <algorithm>
#include <map>

#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

using Writes = std::vector<std::pair<int64_t, Scalar>>;

/// The array that is written to: nothing else will do, and the call fails.
TensorRef written_array(Call& call, const Slots& text) {
  const auto* array = std::get_if<TensorRef>(&call.first().held);
  if (array && (*array)->tensor->library == Library::numpy) return *array;
  call.about_receiver().fail_parser(text, Msg::np_array_needed, {type_name(call.first())});
  return nullptr;
}

/// The values as elements of the array's dtype.
std::optional<Elements> values_for(Call& call, const char* parameter, const Tensor& array, Casting casting) {
  const Value& given = call.value(parameter);
  const bool cast = has_dtype(given);
  const TensorRef values = as_array(call, given, cast ? std::nullopt : std::optional(array.dtype));
  if (!values || (tensor_of(given) && !check_cast(call, *values->tensor, array.dtype, casting))) return std::nullopt;
  if (!call.few(*values->tensor)) return std::nullopt;
  return elements_of(*values->tensor);
}

Scalar nth(const Elements& values, int64_t count, int64_t n, DType dtype) {
  return converted(element(values, n % count), dtype);
}

int64_t byte_of(const Tensor& array, int64_t place) {
  return offset(array.layout, index_at(array.layout.sizes, place));
}

void write_places(Call& call, const Tensor& array, const Writes& writes) {
  call.why(Msg::np_flat_writes, {static_cast<int64_t>(writes.size())});
  if (!writes.empty())
    call.write(array, writes);
  else
    call.relation(Relation::none);
}

Value put(Call& call) {
  // A scalar's own method writes into an array that nobody keeps.
  const bool scalar = std::holds_alternative<NumpyScalar>(call.first().held);
  const TensorRef target =
      scalar ? as_array(call, call.first())
             : written_array(call, {"argument 1 must be numpy.ndarray, not ", type_name(call.first())});
  const auto writeable = [&] { return numpy_writeable(call, *target->tensor, "put: output array is read-only"); };
  // A number is looked at when all else is done.
  if (!target || (as_integer(call.value("mode")) && !writeable())) return {};
  const char how = clip_mode(call, call.value("mode"));
  if (call.failed() || !writeable()) return {};
  const Tensor array = *target->tensor;
  const Value& wanted = call.value("ind");
  const TensorRef indices = as_array(call, wanted, tensor_of(wanted) ? std::nullopt : std::optional(DType::int64));
  if (!indices || !check_cast(call, *indices->tensor, DType::int64, Casting::safe)) return {};
  const int64_t size = count_of(array), count = count_of(*indices->tensor);
  if (size == 0 && count > 0)
    return call.fail("IndexError", "cannot replace elements of an empty array", Msg::np_take_empty, {0});
  if (!call.few(*indices->tensor)) return {};
  const auto values = values_for(call, "v", array, Casting::unsafe);
  if (!values) return {};
  const int64_t have = *numel(values->layout.sizes);
  Writes writes;
  std::optional<int64_t> outside;
  for (int64_t i = 0; i < count && have > 0 && !outside; ++i) {
    const int64_t index = converted(element(elements_of(*indices->tensor), i), DType::int64).integer;
    int64_t at = index < 0 && how == 'r' ? index + size : index;
    if (how == 'w') at = ((index % size) + size) % size;
    if (how == 'c') at = std::clamp<int64_t>(index, 0, size - 1);
    if (at < 0 || at >= size)
      outside = index;
    else
      writes.emplace_back(byte_of(array, at), nth(*values, have, i, array.dtype));
  }
  // An array that is packed is written as the indices are read; any other through a copy.
  if (!scalar && (!outside || is_contiguous(array.layout, unit_of(array)))) write_places(call, array, writes);
  if (outside)
    call.about("ind").fail("IndexError", {"index ", *outside, " is out of bounds for axis 0 with size ", size},
                           Msg::np_index_out_of_bounds, {*outside, 0, size});
  return {};
}

/// The elements of a mask that is as large as the array, whatever its shape.
std::optional<Elements> mask_for(Call& call, const Tensor& array, std::string_view function) {
  const Value& given = call.value("mask");
  const TensorRef mask = as_array(call, given);
  if (!mask) return std::nullopt;
  if (count_of(*mask->tensor) != count_of(array))
    return call.about("mask").fail("ValueError", {function, ": mask and data must be the same size"},
                                   Msg::np_put_mask_size, {count_of(*mask->tensor), count_of(array)}),
           std::nullopt;
  if (!call.few(array)) return std::nullopt;
  return elements_of(*mask->tensor);
}

/// np.putmask(x, mask, v): x.flat[i] = v[i % len(v)];  np.place: the values one after the other.
Value put_where(Call& call) {
  const bool place = call.name().ends_with("place");
  const TensorRef target =
      written_array(call, place ? Slots{"place() argument 1 must be numpy.ndarray, not ", type_name(call.first())}
                                : Slots{"putmask: first argument must be an array"});
  if (!target || !numpy_writeable(call, *target->tensor,
                                  place ? "WRITEBACKIFCOPY base is read-only" : "putmask: output array is read-only"))
    return {};
  const Tensor array = *target->tensor;
  const auto mask = mask_for(call, array, place ? "place" : "putmask");
  const auto values = mask ? values_for(call, place ? "vals" : "values", array, Casting::safe) : std::nullopt;
  if (!values) return {};
  // Where neither is copied first, what is written is read again.
  const TensorPtr source = tensor_of(call.value("vals"));
  const int64_t unit = unit_of(array);
  const bool again = place && source && source->storage == array.storage && source->dtype == array.dtype &&
                     is_contiguous(source->layout, unit) && is_contiguous(array.layout, unit);
  if (again && (source->layout.storage_offset - array.layout.storage_offset) % unit != 0)
    return call.about("vals").refuse(Msg::not_modelled, {"NumPy", "np.place() of an array's own elements"});
  const int64_t have = *numel(values->layout.sizes);
  Writes writes;
  std::map<int64_t, Scalar> written;
  int64_t taken = 0;
  for (int64_t i = 0; i < count_of(array); ++i) {
    if (!is_true(element(*mask, i))) continue;
    if (have == 0 && place)
      return call.about("vals").fail("ValueError", "Cannot insert from an empty array!", Msg::np_nothing_to_insert);
    if (have > 0) writes.emplace_back(byte_of(array, i), nth(*values, have, place ? taken : i, array.dtype));
    if (const auto found =
            again && have > 0 ? written.find(source->layout.storage_offset + taken % have * unit) : written.end();
        found != written.end())
      writes.back().second = found->second;
    if (again && have > 0) written[writes.back().first] = writes.back().second;
    ++taken;
  }
  call.why(Msg::np_write_where);
  if (!writes.empty()) call.write(array, writes);
  return {};
}

}  // namespace

std::span<const Op> numpy_put_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.put(a, ind, v, mode='raise')\nx.put(indices, values, mode='raise')", Msg::op_np_put,
       "a.flat[ind] = v, over and over", "x = np.arange(6).reshape(2, 3).T\nnp.put(x, [0, 1], [7, 8])", put},
      {Library::numpy, "np.putmask(a, /, mask, values)", Msg::op_np_put,
       "a.flat[i] = values[i % len(values)] where mask.flat[i]", "x = np.arange(5)\nnp.putmask(x, x > 1, [10, 20])",
       put_where},
      {Library::numpy, "np.place(arr, mask, vals)", Msg::op_np_put,
       "the values one after the other where the mask is true", "x = np.arange(5)\nnp.place(x, x > 1, [10, 20])",
       put_where},
  };
  return rows;
}

}  // namespace stridescope
