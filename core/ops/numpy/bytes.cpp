// An array's memory as others see it: bytes, buffers, memory views and the array interface.
#include <algorithm>
#include <array>
#include <cmath>

#include "layout/extent.h"
#include "ops/lent_memory.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Memory is numbered; each piece gets an address of its own, aligned as allocators align.
int64_t memory_address(const Tensor& array) {
  return (int64_t{array.storage->id} + 1) * (int64_t{1} << 45) + array.layout.storage_offset;
}

/// np.lib.array_utils.byte_bounds
Value byte_bounds(Call& call) {
  const TensorRef source = receiver_with(call, "__array_interface__");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int64_t first = array.layout.storage_offset, address = memory_address(array);
  const auto reached = count_of(array) > 0 ? extent(array.layout) : Extent{first, first};
  const auto low = reached ? checked_add(address - first, reached->lowest) : std::nullopt;
  const auto last = reached ? checked_add(address - first, reached->highest) : std::nullopt;
  const auto high = checked_add(last, count_of(array) > 0 ? unit_of(array) : 0);
  if (!low || !high || *low < 0) return call.refuse(Msg::beyond_int64);
  if (count_of(array) > 0)
    call.why(Msg::np_byte_bounds,
             {reached->lowest, reached->highest + unit_of(array) - 1, array.storage->nbytes, nbytes(array)});
  return call.tuple({Value{*low}, Value{*high}});
}

/// x.ctypes.shape, x.ctypes.strides: an array of the language C, None where there is no axis.
Value c_numbers(const Dims& numbers) {
  if (numbers.size() == 0) return {};
  Value made = tuple_of(numbers, Sequence::Kind::c_array);
  std::get<Sequence>(made.held).shown =
      std::make_shared<const std::string>("c_long_Array_" + std::to_string(numbers.size()));
  return made;
}

}  // namespace

TensorPtr shown_array(Call& call) { return memory_seen(call, call.first()); }

Value array_facet(Call& call, const char* name) {
  const TensorRef array = receiver(call);
  call.why(Msg::np_memory_headline, {to_string(array->tensor->layout.sizes), to_string(array->tensor->layout.strides),
                                     array->tensor->layout.storage_offset});
  call.relation(Relation::none);
  return {Facet{name, std::make_shared<const Tensor>(*array->tensor)}};
}

Value bytes_of(Call& call, const Tensor& array, Order order) {
  const int64_t count = count_of(array), unit = unit_of(array);
  if (nbytes(array) > static_cast<int64_t>(max_text))
    return call.refuse(Msg::too_many_items, {static_cast<int64_t>(max_text)});
  const int rank = array.layout.rank();
  const Layout walked = order == Order::fortran ? permute(array.layout, c_order(rank)) : array.layout;
  const Elements from = copied_elements(array, walked);
  if (!call.quick(from, count * unit)) return {};
  const ContentsPtr packed = gather(from, from.dtype);
  if (!packed) return call.refuse(Msg::np_too_costly);
  std::vector<Value> items;
  for (int64_t byte = 0; byte < count * unit; ++byte) items.push_back({read_at(*packed, byte, DType::uint8).integer});
  call.why(Msg::np_tobytes_headline, {count * unit, order == Order::fortran ? "F" : "C"});
  return list_of(std::move(items), Sequence::Kind::bytes);
}

namespace {

Value tobytes(Call& call) {
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
  const TensorRef array = receiver(call);
  if (call.failed()) return {};
  // 'K' is C here.
  return bytes_of(call, *array->tensor,
                  resolved_order(*array->tensor, order == NumpyOrder::keep ? NumpyOrder::c : order));
}

/// The bytes of each element in reverse order, of complex numbers those of each part: a copy, or in place.
Value byteswap(Call& call) {
  const TensorRef source = receiver(call);
  const bool in_place = call.truth("inplace");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const bool scalar = std::holds_alternative<NumpyScalar>(call.first().held);
  if (in_place && scalar)
    return call.fail("ValueError", "cannot byteswap a scalar in-place", Msg::np_scalar_stays, {name(array.dtype)});
  if (in_place && !numpy_writeable(call, array, "array to be byte-swapped is read-only")) return {};
  const int64_t count = count_of(array), unit = unit_of(array), part = is_complex(array.dtype) ? unit / 2 : unit;
  const ContentsPtr packed = count <= small_cells ? gather(elements_of(array), array.dtype) : nullptr;
  if (!packed) return call.refuse(Msg::np_too_costly);
  std::vector<Scalar> bytes;
  for (int64_t byte = 0; byte < count * unit; ++byte)
    bytes.push_back(read_at(*packed, byte - byte % part + part - 1 - byte % part, DType::uint8));
  const Elements swapped{literal_contents(bytes, DType::uint8), contiguous(array.layout.sizes, unit), array.dtype};
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(element(swapped, i));
    // Which of the many NaN it is nobody keeps.
    if (std::isnan(values.back().real) || std::isnan(values.back().imaginary))
      return call.about_receiver().refuse(Msg::np_byteswap_nan);
  }
  const Elements result{literal_contents(values, array.dtype), swapped.layout, array.dtype};
  if (in_place) {
    call.why(Msg::np_in_place_headline, {count, nbytes(array)});
    call.why(Msg::np_byteswap, {part});
    call.write(array, result);
    call.relation(Relation::write);
    return {source};
  }
  const Value copy = numpy_copy(call, array, NumpyOrder::any);
  if (call.failed()) return {};
  call.why(Msg::np_byteswap, {part});
  call.write(*tensor_of(copy), result);
  call.relation(Relation::copy);
  return scalar ? scalar_if_0d(call, copy) : copy;
}

/// np.frombuffer: the memory of an array, or of bytes that nobody may write.
Value frombuffer(Call& call) {
  if (call.given("like")) return call.about("like").refuse(Msg::not_modelled, {"NumPy", "like="});
  const AskedDtype asked = asked_dtype(call);
  if (asked.structure && asked.structure->itemsize == 0)
    return call.about("dtype").fail("ValueError", "itemsize cannot be zero in type", Msg::np_string_no_room);
  const Value& given = call.value("buffer");
  const auto* bytes = std::get_if<Sequence>(&given.held);
  if (bytes && bytes->kind != Sequence::Kind::bytes) bytes = nullptr;
  const TensorPtr array = lent_memory(call, given);
  if (call.failed()) return {};
  if (std::holds_alternative<NumpyScalar>(given.held))
    return call.about("buffer").refuse(Msg::not_modelled, {"NumPy", "np.frombuffer(" + type_name(given) + ")"});
  if (!bytes && !array)
    return call.about("buffer").fail_parser({"a bytes-like object is required, not '", type_name(given), "'"},
                                            Msg::argument_has_type, {"buffer", "ndarray", type_name(given)});
  if (array && !is_contiguous(array->layout, unit_of(*array))) {
    const bool seen = is_memory(given);
    return call.about("buffer").fail(seen ? "BufferError" : "ValueError",
                                     {seen ? "memoryview: underlying buffer" : "ndarray", " is not C-contiguous"},
                                     Msg::np_buffer_in_pieces, {to_string(array->layout)});
  }
  const int64_t length = array ? nbytes(*array) : static_cast<int64_t>(bytes->items->size());
  const int64_t start = call.integer("offset"), unit = unit_of(read_as({}, asked));
  int64_t count = call.integer("count");
  if (call.failed()) return {};
  if (start < 0 || start > length)
    return call.about("offset").fail("ValueError",
                                     {"offset must be non-negative and no greater than buffer length (", length, ")"},
                                     Msg::np_buffer_offset, {start, length});
  if (count < 0 && (length - start) % unit != 0)
    return call.fail("ValueError", "buffer size must be a multiple of element size", Msg::np_buffer_multiple,
                     {length - start, unit});
  if (count < 0)
    count = (length - start) / unit;
  else if (count > (length - start) / unit)
    return call.about("count").fail("ValueError", "buffer is smaller than requested size", Msg::np_buffer_too_small,
                                    {length, start, to_string(Dims{count}), unit});
  if (array) {
    Tensor seen = read_as(*array, asked);
    const Layout layout{{count}, {unit}, array->layout.storage_offset + start};
    if (tensor_of(given)) return numpy_view(call, seen, layout);
    explain_view(call, seen, layout);
    seen.layout = layout;
    return memory_view(call, seen);
  }
  return array_on_bytes(call, *bytes, {{count}, {unit}, start}, asked);
}

/// x.__array_interface__[key]
Value interface_item(Call& call) {
  const TensorPtr shown = shown_array(call);
  const Tensor& array = *shown;
  const auto* key = std::get_if<std::string>(&call.value("key").held);
  if (key && *key == "shape") return tuple_of(array.layout.sizes);
  if (key && *key == "strides")
    return is_contiguous(array.layout, unit_of(array)) ? Value{} : tuple_of(array.layout.strides);
  if (key && *key == "version") return Value{int64_t{3}};
  if (key && *key == "data") return call.tuple({Value{memory_address(array)}, Value{!array.writeable}});
  const std::string type = array.structure ? to_string(*array.structure) : type_code(array.dtype);
  if (key && *key == "typestr") return Value{type};
  if (key && *key == "descr") return list_of({call.tuple({Value{std::string()}, Value{type}})});
  return call.about("key").fail("KeyError", to_string(call.value("key")), Msg::np_no_such_key,
                                {to_string(call.value("key"))});
}

}  // namespace

std::span<const Op> numpy_bytes_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.byteswap(inplace=False)", Msg::op_np_byteswap,
       "byte k of an element becomes byte itemsize - 1 - k; a copy, unless in place",
       "x = np.arange(3, dtype=np.int16)\ny = x.byteswap()", byteswap},
      {Library::numpy, "x.tobytes(order='C')\nx.tostring(order='C')", Msg::op_np_tobytes,
       "the elements in C or Fortran order, whatever the strides", "x = np.arange(3, dtype=np.int16)\nx.tobytes()",
       tobytes, Op::Structured::arrays},
      {Library::numpy, "np.frombuffer(buffer, dtype=float, count: int = -1, offset: int = 0, *, like=None)",
       Msg::op_np_frombuffer, "the same memory, read from a byte on as other elements; of bytes it is read-only",
       "x = np.arange(3)\ny = np.frombuffer(x, dtype=np.int32)", frombuffer, Op::Structured::arrays},
      {Library::numpy, "x.__array_interface__", Msg::op_np_interface, "",
       "x = np.arange(6).reshape(2, 3).T\nx.__array_interface__['strides']",
       [](Call& call) { return array_facet(call, "__array_interface__"); }},
      {Library::numpy, "x.__array_interface__[key]", Msg::op_np_interface,
       "'strides' is None where the array is C-contiguous",
       "x = np.arange(6).reshape(2, 3).T\nx.__array_interface__['shape']", interface_item},
      {Library::numpy, "x.ctypes", Msg::op_np_interface, "", "x = np.arange(6)\nx[1:].ctypes.data - x.ctypes.data",
       [](Call& call) { return array_facet(call, "ctypes"); }},
      {Library::numpy, "x.ctypes.data", Msg::op_data_ptr, "the address of element (0, .., 0)",
       "x = np.arange(6)\nx[1:].ctypes.data - x.ctypes.data",
       [](Call& call) { return Value{memory_address(*shown_array(call))}; }},
      {Library::numpy, "x.ctypes.shape", Msg::op_np_interface, "an array of C; None without axes",
       "x = np.arange(6).reshape(2, 3)\ntuple(x.ctypes.shape)",
       [](Call& call) { return c_numbers(shown_array(call)->layout.sizes); }},
      {Library::numpy, "x.ctypes.strides", Msg::op_np_interface, "an array of C; None without axes",
       "x = np.arange(6).reshape(2, 3)\ntuple(x.ctypes.strides)",
       [](Call& call) { return c_numbers(shown_array(call)->layout.strides); }},
      {Library::numpy, "np.lib.array_utils.byte_bounds(a)", Msg::op_np_byte_bounds,
       "(address, address behind the last byte); of no elements twice the same",
       "x = np.arange(6).reshape(2, 3)\nlow, high = np.lib.array_utils.byte_bounds(x[:, ::2])", byte_bounds},
  };
  return rows;
}

}  // namespace stridescope
