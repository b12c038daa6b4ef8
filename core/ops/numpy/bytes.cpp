// An array's memory as others see it: bytes, buffers, memory views and the array interface.
#include <algorithm>
#include <array>
#include <cmath>

#include "layout/extent.h"
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

/// The array that a memory view, x.ctypes or an array interface is of, as it is now.
const Tensor& shown_array(Call& call) { return *call.object_of(*std::get<Facet>(call.value("x").held).tensor)->tensor; }

Value array_facet(Call& call, const char* name) {
  const TensorRef array = receiver(call);
  call.why(Msg::np_memory_headline, {to_string(array->tensor->layout.sizes), to_string(array->tensor->layout.strides),
                                     array->tensor->layout.storage_offset});
  call.relation(Relation::none);
  return {Facet{name, std::make_shared<const Tensor>(*array->tensor)}};
}

/// The bytes of the elements in that order, as Python's bytes.
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
  const bool memory = is_memory(given);
  const TensorPtr array = memory ? call.object_of(*std::get<Facet>(given.held).tensor)->tensor : tensor_of(given);
  if (call.failed()) return {};
  if (std::holds_alternative<NumpyScalar>(given.held))
    return call.about("buffer").refuse(Msg::not_modelled, {"NumPy", "np.frombuffer(" + type_name(given) + ")"});
  if (!bytes && (!array || array->library != Library::numpy))
    return call.about("buffer").fail_parser({"a bytes-like object is required, not '", type_name(given), "'"},
                                            Msg::argument_has_type, {"buffer", "ndarray", type_name(given)});
  if (array && !is_contiguous(array->layout, unit_of(*array)))
    return call.about("buffer").fail("ValueError", "ndarray is not C-contiguous", Msg::np_buffer_in_pieces,
                                     {to_string(array->layout)});
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
    if (!memory) return numpy_view(call, seen, layout);
    explain_view(call, seen, layout);
    seen.layout = layout;
    return memory_view(call, seen);
  }
  return array_on_bytes(call, *bytes, {{count}, {unit}, start}, asked);
}

/// The codes of the struct module, and of what goes beyond it.
std::string struct_code(const Tensor& array) {
  if (array.structure) {
    Tensor numbers = array;
    numbers.structure = nullptr, numbers.dtype = array.numbers();
    return ">" + struct_code(numbers);
  }
  const DType dtype = array.dtype;
  if (is_complex(dtype)) return dtype == DType::complex64 ? "Zf" : "Zd";
  return {dtype_letter(dtype)};
}

/// Strides as the buffer protocol tells them: of contiguous memory those of its order, also where no element decides.
Dims told_strides(const Tensor& array) {
  const Layout& layout = array.layout;
  const bool c = is_contiguous(layout, unit_of(array)), fortran = is_f_contiguous(layout, unit_of(array));
  if (!c && !fortran) return layout.strides;
  Dims strides = layout.strides;
  int64_t step = unit_of(array);
  for (const int64_t d : c ? c_order(layout.rank()) : fortran_order(layout.rank())) {
    strides[static_cast<int>(d)] = step;
    step *= layout.sizes[static_cast<int>(d)];
  }
  return strides;
}

Value memory_attribute(Call& call) {
  const Tensor& array = shown_array(call);
  const std::string_view name = call.name().substr(call.name().find('.') + 1);
  const bool c = is_contiguous(array.layout, unit_of(array)), fortran = is_f_contiguous(array.layout, unit_of(array));
  if (name == "shape") return tuple_of(array.layout.sizes);
  if (name == "strides") return tuple_of(told_strides(array));
  if (name == "suboffsets") return tuple_of({});
  if (name == "itemsize") return Value{unit_of(array)};
  if (name == "nbytes") return Value{nbytes(array)};
  if (name == "ndim") return Value{int64_t{array.layout.rank()}};
  if (name == "format") return Value{struct_code(array)};
  if (name == "c_contiguous") return Value{c};
  if (name == "f_contiguous") return Value{fortran};
  if (name == "contiguous") return Value{c || fortran};
  if (name == "readonly") return Value{!array.writeable};
  return call.same(call.object_of(array));  // obj
}

/// Whether Python knows what the elements are; else the call failed.
bool readable(Call& call, const Tensor& array) {
  if (is_complex(array.dtype) || array.structure)
    call.fail("NotImplementedError", {"memoryview: unsupported format ", struct_code(array)}, Msg::np_memory_format,
              {dtype_text(array)});
  return !call.failed();
}

Value memory_list(Call& call) {
  const Tensor& array = shown_array(call);
  return readable(call, array) ? call.numbers(elements_of(array)) : Value{};
}

/// m[i], m[i, j]: one element; the call failed where the key names none.
std::optional<Layout> memory_place(Call& call) {
  const Tensor& array = shown_array(call);
  const Value& key = call.value("key");
  const auto* tuple = std::get_if<Sequence>(&key.held);
  if (!readable(call, array)) return std::nullopt;
  const std::vector<Value> indices = tuple && is_tuple(tuple->kind) ? *tuple->items : std::vector<Value>{key};
  const int rank = array.layout.rank(), count = static_cast<int>(indices.size());
  Layout place = array.layout;
  const auto refuse = [&](const Slots& text) {
    call.about("key").fail_parser(text, Msg::np_memory_part, {rank});
    return std::nullopt;
  };
  for (const Value& index : indices) {
    if (std::holds_alternative<SliceValue>(index.held))
      return call.about("key").refuse(Msg::not_modelled, {"Python", "memoryview[:]"}), std::nullopt;
    if (!as_integer(index)) return refuse("memoryview: invalid slice key");
  }
  if (rank == 0 && count > 0) return refuse("invalid indexing of 0-dim memory");
  if (count > rank) return refuse({"cannot index ", rank, "-dimension view with ", count, "-element tuple"});
  if (count < rank)
    return call.fail("NotImplementedError",
                     tuple ? "sub-views are not implemented" : "multi-dimensional sub-views are not implemented",
                     Msg::np_memory_part, {rank}),
           std::nullopt;
  for (int k = 0; k < count; ++k) {
    const int64_t index = *as_integer(indices[static_cast<size_t>(k)]), size = place.sizes[0];
    if (index < -size || index >= size)
      return call.about("key").fail("IndexError", {"index out of bounds on dimension ", k + 1},
                                    Msg::np_index_out_of_bounds, {index, k, size}),
             std::nullopt;
    place = select(place, 0, index < 0 ? index + size : index);
  }
  return place;
}

bool stored_exactly(int64_t number, DType dtype) {
  return dtype == DType::uint64 ? number >= 0 : integer_scalar(number, dtype).integer == number;
}

/// A number as an element of that format; the call failed where Python takes no such value for it.
std::optional<Scalar> packed_number(Call& call, const Value& value, const Tensor& array) {
  const std::string code = struct_code(array);
  const DType dtype = array.dtype;
  const auto number = as_integer(value);
  const bool real = std::holds_alternative<Float>(value.held) || number;
  if (dtype == DType::boolean) {
    const Outcome held = truth(value);
    if (!held.problem) return integer_scalar(std::get<bool>(held.value.held) ? 1 : 0, dtype);
  } else if (is_integer(dtype) && number) {
    if (stored_exactly(*number, dtype)) return integer_scalar(*number, dtype);
    call.about("value").fail("ValueError", {"memoryview: invalid value for format '", code, "'"},
                             Msg::np_number_out_of_bounds, {*number, name(dtype)});
    return std::nullopt;
  } else if (is_floating(dtype) && real) {
    return real_scalar(*as_real(value), dtype);
  }
  call.about("value").fail_parser({"memoryview: invalid type for format '", code, "'"}, Msg::argument_has_type,
                                  {"value", name(dtype), type_name(value)});
  return std::nullopt;
}

/// m[i] = value
Value set_memory_item(Call& call) {
  Tensor one = shown_array(call);
  if (!one.writeable)
    return call.about_receiver().fail_parser("cannot modify read-only memory", Msg::np_read_only_memory);
  const auto place = memory_place(call);
  const auto number = place ? packed_number(call, call.value("value"), one) : std::nullopt;
  if (!number) return {};
  one.layout = *place;
  call.why(Msg::np_write_headline, {1, unit_of(one)});
  call.write(one, Elements{literal_contents(std::array{*number}, one.dtype), {{}, {}, 0}, one.dtype});
  return {};
}

Value memory_item(Call& call) {
  const auto place = memory_place(call);
  if (!place) return {};
  Elements one = elements_of(shown_array(call));
  one.layout = *place;
  return call.number(element(one, 0));
}

/// x.__array_interface__[key]
Value interface_item(Call& call) {
  const Tensor& array = shown_array(call);
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
      {Library::numpy, "x.data", Msg::op_np_memory, "what the buffer protocol tells: shape, strides in bytes, format",
       "x = np.arange(6).reshape(2, 3).T\nx.data.strides", [](Call& call) { return array_facet(call, "data"); }},
      {Library::numpy,
       "x.data.shape\nx.data.strides\nx.data.itemsize\nx.data.nbytes\nx.data.ndim\nx.data.format\nx.data.contiguous\n"
       "x.data.c_contiguous\nx.data.f_contiguous\nx.data.readonly\nx.data.suboffsets\nx.data.obj",
       Msg::op_np_memory, "strides in bytes; of contiguous memory as if no size were 1",
       "x = np.arange(6).reshape(2, 3)\nx.data.contiguous", memory_attribute},
      {Library::numpy, "x.data.tolist()", Msg::op_np_tolist, "", "x = np.arange(6).reshape(2, 3)\nx.data.tolist()",
       memory_list},
      {Library::numpy, "x.data.tobytes(order='C')", Msg::op_np_tobytes, "the elements in C order",
       "x = np.arange(3, dtype=np.int8)\nx.data.tobytes()",
       [](Call& call) {
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
         return call.failed() ? Value{} : bytes_of(call, shown_array(call), resolved_order(shown_array(call), order));
       }},
      {Library::numpy, "x.data[key]", Msg::op_np_memory, "one element as Python's number",
       "x = np.arange(6).reshape(2, 3)\nx.data[1, 0]", memory_item},
      {Library::numpy, "x.data[key] = value", Msg::op_np_setitem, "one element, written where it lies",
       "x = np.arange(6).reshape(2, 3)\nx.data[1, 0] = 7", set_memory_item},
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
       [](Call& call) { return Value{memory_address(shown_array(call))}; }},
      {Library::numpy, "x.ctypes.shape", Msg::op_np_interface, "an array of C; None without axes",
       "x = np.arange(6).reshape(2, 3)\ntuple(x.ctypes.shape)",
       [](Call& call) { return c_numbers(shown_array(call).layout.sizes); }},
      {Library::numpy, "x.ctypes.strides", Msg::op_np_interface, "an array of C; None without axes",
       "x = np.arange(6).reshape(2, 3)\ntuple(x.ctypes.strides)",
       [](Call& call) { return c_numbers(shown_array(call).layout.strides); }},
      {Library::numpy, "np.lib.array_utils.byte_bounds(a)", Msg::op_np_byte_bounds,
       "(address, address behind the last byte); of no elements twice the same",
       "x = np.arange(6).reshape(2, 3)\nlow, high = np.lib.array_utils.byte_bounds(x[:, ::2])", byte_bounds},
  };
  return rows;
}

}  // namespace stridescope
