// Memory views: what Python itself knows of an array's memory by the buffer protocol, and what it makes of it.
// Source: Objects/memoryobject.c of CPython.
#include <algorithm>
#include <array>

#include "ops/lent_memory.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

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
  const TensorPtr shown = shown_array(call);
  const Tensor& array = *shown;
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
  const TensorRef& whole = call.object_of(array.object < 0 ? *array.base_tensor : array);
  const Value lender = as_lender(call, whole);
  return tensor_of(lender) ? call.same(whole) : lender;  // obj
}

/// Whether Python knows what the elements are; else the call failed.
bool readable(Call& call, const Tensor& array) {
  if (is_complex(array.dtype) || array.structure)
    call.fail("NotImplementedError", {"memoryview: unsupported format ", struct_code(array)}, Msg::np_memory_format,
              {dtype_text(array)});
  return !call.failed();
}

Value memory_list(Call& call) {
  const TensorPtr shown = shown_array(call);
  const Tensor& array = *shown;
  return readable(call, array) ? call.numbers(elements_of(array)) : Value{};
}

/// What a memory view shows, laid out otherwise, as a view of its own.
Value shown_as(Call& call, const Tensor& shown, const Layout& layout, DType dtype) {
  Tensor part = shown;
  part.dtype = dtype;
  part.layout = layout;
  if (!stridescope::fits(part)) return call.refuse(Msg::beyond_int64);
  if (part.object >= 0) {
    part.base = part.object;
    part.base_tensor = std::make_shared<const Tensor>(shown);
  }
  explain_view(call, part, layout);
  call.relation(Relation::none);
  part.object = -1;
  return {Facet{"data", std::make_shared<const Tensor>(std::move(part))}};
}

/// m[start:stop:step]: a part of the first dimension.
std::optional<Layout> memory_range(Call& call, const Tensor& array, const SliceValue& key) {
  const Layout& layout = array.layout;
  if (layout.rank() == 0)
    return call.about("key").fail_parser("invalid indexing of 0-dim memory", Msg::np_memory_part, {0}), std::nullopt;
  const auto [range, problem] = range_of(key, layout.sizes[0]);
  if (problem)
    return call.about("key").fail(problem->raised->type.c_str(), problem->raised->text, problem->reason), std::nullopt;
  const auto part = slice(layout, 0, range.start, range.step, range.count);
  if (!part) call.about("key").refuse(Msg::beyond_int64);
  return part;
}

/// m[i], m[i, j]: one element; the call failed where the key names none.
std::optional<Layout> memory_place(Call& call, const Tensor& array) {
  const Value& key = call.value("key");
  const auto* tuple = std::get_if<Sequence>(&key.held);
  if (!readable(call, array)) return std::nullopt;
  const std::vector<Value> indices = tuple && is_tuple(tuple->kind) ? *tuple->items : std::vector<Value>{key};
  const int rank = array.layout.rank(), count = static_cast<int>(indices.size());
  Layout place = array.layout;
  const auto refuse = [&](const char* type, const Slots& text) {
    call.about("key").fail(type, text, Msg::np_memory_part, {rank});
    return std::nullopt;
  };
  const auto is_slice = [](const Value& index) { return std::holds_alternative<SliceValue>(index.held); };
  if (count > 0 && std::all_of(indices.begin(), indices.end(), is_slice))
    return refuse("NotImplementedError", "multi-dimensional slicing is not implemented");
  for (const Value& index : indices)
    if (!as_integer(index)) return refuse("TypeError", "memoryview: invalid slice key");
  if (rank == 0 && count > 0) return refuse("TypeError", "invalid indexing of 0-dim memory");
  if (count > rank)
    return refuse("TypeError", {"cannot index ", rank, "-dimension view with ", count, "-element tuple"});
  if (count < rank)
    return refuse("NotImplementedError",
                  tuple ? "sub-views are not implemented" : "multi-dimensional sub-views are not implemented");
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

/// m[start:stop] = bytes: as many items, of the same format.
Value set_memory_range(Call& call, Tensor part, const SliceValue& key) {
  const Value& value = call.value("value");
  const auto* bytes = is_bytes(value) ? std::get_if<Sequence>(&value.held) : nullptr;
  const TensorPtr given = bytes ? nullptr : lent_memory(call, value);
  if (!bytes && !given)
    return call.about("value").fail_parser({"a bytes-like object is required, not '", type_name(value), "'"},
                                           Msg::argument_has_type, {"value", "bytes", type_name(value)});
  if (part.layout.rank() > 1)
    return call.fail("NotImplementedError", "memoryview slice assignments are currently restricted to ndim = 1",
                     Msg::np_memory_part, {part.layout.rank()});
  const auto layout = memory_range(call, part, key);
  if (!layout) return {};
  std::vector<Scalar> items;
  if (bytes)
    for (const Value& item : *bytes->items) items.push_back({DType::uint8, std::get<int64_t>(item.held)});
  const auto length = static_cast<int64_t>(items.size());
  const Elements from =
      given ? elements_of(*given) : Elements{literal_contents(items, DType::uint8), {{length}, {1}, 0}, DType::uint8};
  if (from.dtype != part.dtype || from.layout.sizes != layout->sizes)
    return call.about("value").fail(
        "ValueError", "memoryview assignment: lvalue and rvalue have different structures", Msg::np_memory_differs,
        {to_string(layout->sizes), name(part.dtype), to_string(from.layout.sizes), name(from.dtype)});
  part.layout = *layout;
  call.why(Msg::np_write_headline, {count_of(part), nbytes(part)});
  call.write(part, from);
  return {};
}

/// m[key] = value
Value set_memory_item(Call& call) {
  Tensor one = *shown_array(call);
  if (!one.writeable)
    return call.about_receiver().fail_parser("cannot modify read-only memory", Msg::np_read_only_memory);
  if (const auto* range = std::get_if<SliceValue>(&call.value("key").held))
    return readable(call, one) ? set_memory_range(call, std::move(one), *range) : Value{};
  const auto place = memory_place(call, one);
  const auto number = place ? packed_number(call, call.value("value"), one) : std::nullopt;
  if (!number) return {};
  one.layout = *place;
  call.why(Msg::np_write_headline, {1, unit_of(one)});
  call.write(one, Elements{literal_contents(std::array{*number}, one.dtype), {{}, {}, 0}, one.dtype});
  return {};
}

Value memory_item(Call& call) {
  const TensorPtr shown = shown_array(call);
  if (const auto* range = std::get_if<SliceValue>(&call.value("key").held)) {
    const auto layout = readable(call, *shown) ? memory_range(call, *shown, *range) : std::nullopt;
    return layout ? shown_as(call, *shown, *layout, shown->dtype) : Value{};
  }
  const auto place = memory_place(call, *shown);
  if (!place) return {};
  Elements one = elements_of(*shown);
  one.layout = *place;
  return call.number(element(one, 0));
}

/// The dtype of a format that a cast can be to: one native letter.
std::optional<DType> cast_format(std::string_view format) {
  if (format.starts_with('@')) format.remove_prefix(1);
  constexpr DType formats[] = {DType::int8,    DType::uint8,   DType::int16,  DType::uint16,
                               DType::int32,   DType::uint32,  DType::int64,  DType::float16,
                               DType::float32, DType::float64, DType::uint64, DType::boolean};
  for (const DType dtype : formats)
    if (format.size() == 1 && format[0] == dtype_letter(dtype)) return dtype;
  return std::nullopt;
}

/// m.cast(format, shape): bytes as items, or items as bytes; into one dimension or out of one.
Value cast_memory(Call& call) {
  const TensorPtr shown = shown_array(call);
  const Value &format = call.value("format"), &given = call.value("shape");
  const auto* word = std::get_if<std::string>(&format.held);
  const auto refuse = [&](const char* parameter, const char* type, const Slots& text) {
    return call.about(parameter).fail(type, text, Msg::np_memory_cast, {to_string(shown->layout.sizes)});
  };
  if (!word) return refuse("format", "TypeError", {"cast() argument 'format' must be str, not ", type_name(format)});
  const int64_t unit = unit_of(*shown), bytes = nbytes(*shown);
  if (!is_contiguous(shown->layout, unit))
    return refuse("format", "TypeError", "memoryview: casts are restricted to C-contiguous views");
  const bool shaped = !std::holds_alternative<None>(given.held);
  if ((shaped || shown->layout.rank() != 1) && bytes == 0)
    return refuse("shape", "TypeError", "memoryview: cannot cast view with zeros in shape or strides");
  const auto* sizes = std::get_if<Sequence>(&given.held);
  if (shaped && (!sizes || (sizes->kind != Sequence::Kind::list && !is_tuple(sizes->kind))))
    return refuse("shape", "TypeError", "shape must be a list or a tuple");
  if (sizes && shown->layout.rank() != 1 && sizes->items->size() != 1)
    return refuse("shape", "TypeError", "memoryview: cast must be 1D -> ND or ND -> 1D");
  const auto dtype = cast_format(*word);
  if (!dtype) {
    constexpr std::string_view also = "cqQnNP";
    const std::string_view letter = word->starts_with('@') ? std::string_view(*word).substr(1) : *word;
    if (letter.size() == 1 && also.find(letter) != also.npos)
      return call.about("format").refuse(Msg::not_modelled, {"Python", "memoryview.cast('" + *word + "')"});
    return refuse("format", "ValueError",
                  "memoryview: destination format must be a native single character format prefixed with an optional "
                  "'@'");
  }
  if (is_complex(shown->dtype) || shown->structure)
    return refuse("format", "ValueError",
                  "memoryview: source format must be a native single character format prefixed with an optional '@'");
  const int64_t item = itemsize(*dtype);
  const bool from_bytes = unit == 1 && is_integer(shown->dtype), to_bytes = item == 1 && is_integer(*dtype);
  if (!from_bytes && !to_bytes)
    return refuse("format", "TypeError", "memoryview: cannot cast between two non-byte formats");
  if (bytes % item != 0) return refuse("format", "TypeError", "memoryview: length is not a multiple of itemsize");
  Dims shape{bytes / item};
  if (sizes) {
    shape = {};
    for (const Value& size : *sizes->items) {
      const auto number = as_integer(size);
      if (!number) return refuse("shape", "TypeError", "memoryview.cast(): elements of shape must be integers");
      if (*number <= 0)
        return refuse("shape", "ValueError", "memoryview.cast(): elements of shape must be integers > 0");
      if (shape.size() == max_rank)
        return refuse("shape", "ValueError", "memoryview: number of dimensions must not exceed 64");
      shape.push_back(*number);
    }
    if (checked_mul(numel(shape), item) != bytes)
      return refuse("shape", "TypeError", "memoryview: product(shape) * itemsize != buffer size");
  }
  Layout layout = contiguous(shape, item);
  layout.storage_offset = shown->layout.storage_offset;
  return shown_as(call, *shown, layout, *dtype);
}

Value readonly_memory(Call& call) {
  Tensor shown = *shown_array(call);
  shown.writeable = false;
  return shown_as(call, shown, shown.layout, shown.dtype);
}

}  // namespace

std::span<const Op> numpy_memory_rows() {
  static constexpr Op rows[] = {
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
         const TensorPtr shown = shown_array(call);
         return call.failed() ? Value{} : bytes_of(call, *shown, resolved_order(*shown, order));
       }},
      {Library::numpy, "x.data[key]", Msg::op_np_memory, "one element as Python's number; of a slice a view",
       "x = np.arange(6).reshape(2, 3)\nx.data[1, 0]", memory_item},
      {Library::numpy, "x.data.cast(format, shape=None)", Msg::op_np_memory_cast,
       "bytes as items or items as bytes, in C order", "x = np.arange(6)\nm = x.data.cast('B').cast('i', [3, 4])",
       cast_memory},
      {Library::numpy, "x.data.toreadonly()", Msg::op_np_memory, "the same, not to be written through",
       "x = np.arange(6)\nx.data.toreadonly().readonly", readonly_memory},
      {Library::numpy, "x.data[key] = value", Msg::op_np_setitem, "one element, or a slice, written where it lies",
       "x = np.arange(6).reshape(2, 3)\nx.data[1, 0] = 7", set_memory_item},
  };
  return rows;
}

}  // namespace stridescope
