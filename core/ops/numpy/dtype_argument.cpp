// What NumPy takes for a dtype: those modelled here, those that are not, and what is none.
#include <algorithm>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"

namespace stridescope {

std::optional<DType> numpy_dtype(const Value& value) {
  if (const auto* symbol = std::get_if<Symbol>(&value.held))
    return symbol->path.starts_with("torch.") ? std::nullopt : as_dtype(value);
  // An object with a dtype stands for it.
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return scalar->dtype();
  const auto* text = std::get_if<std::string>(&value.held);
  if (!text) return std::nullopt;
  std::string code = *text;
  const bool big = code.starts_with('>');
  const bool ordered = big || code.starts_with('<') || code.starts_with('=') || code.starts_with('|');
  if (ordered) code.erase(0, 1);
  if (ordered && code.size() > 1 && (code[1] < '0' || code[1] > '9')) return std::nullopt;  // no name has a byte order
  static constexpr std::pair<std::string_view, DType> codes[] = {{"?", DType::boolean},
                                                                 {"b1", DType::boolean},
                                                                 {"u1", DType::uint8},
                                                                 {"B", DType::uint8},
                                                                 {"i1", DType::int8},
                                                                 {"b", DType::int8},
                                                                 {"u2", DType::uint16},
                                                                 {"H", DType::uint16},
                                                                 {"i2", DType::int16},
                                                                 {"h", DType::int16},
                                                                 {"u4", DType::uint32},
                                                                 {"I", DType::uint32},
                                                                 {"i4", DType::int32},
                                                                 {"i", DType::int32},
                                                                 {"u8", DType::uint64},
                                                                 {"L", DType::uint64},
                                                                 {"i8", DType::int64},
                                                                 {"l", DType::int64},
                                                                 {"q", DType::int64},
                                                                 {"f2", DType::float16},
                                                                 {"e", DType::float16},
                                                                 {"f4", DType::float32},
                                                                 {"f", DType::float32},
                                                                 {"f8", DType::float64},
                                                                 {"d", DType::float64},
                                                                 {"c8", DType::complex64},
                                                                 {"F", DType::complex64},
                                                                 {"c16", DType::complex128},
                                                                 {"D", DType::complex128},
                                                                 {"Q", DType::uint64},
                                                                 {"P", DType::uint64},
                                                                 {"p", DType::int64},
                                                                 {"int", DType::int64},
                                                                 {"float", DType::float64},
                                                                 {"complex", DType::complex128},
                                                                 {"half", DType::float16},
                                                                 {"single", DType::float32},
                                                                 {"double", DType::float64}};
  for (const auto& [name, dtype] : codes)
    if (name == code) return big && itemsize(dtype) > 1 ? std::nullopt : std::optional(dtype);
  // Names of np: "int16", "short".
  const auto member = code.find('.') == std::string::npos ? constant("numpy." + code) : std::nullopt;
  const auto named = member ? as_dtype(*member) : std::nullopt;
  return ordered || named == DType::bfloat16 ? std::nullopt : named;
}

namespace {

using Refusal = DtypeRefusal;

bool digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether NumPy has a type of that name or code beside those that hold numbers here: "S3", ">i4", "M8[s]", "object".
bool other_type(std::string_view code) {
  if (numpy_dtype({std::string(code)})) return true;
  if (code.starts_with('>') || code.starts_with('<') || code.starts_with('=') || code.starts_with('|')) {
    const std::string_view rest = code.substr(1);
    const bool named = rest.size() > 1 && !digits(rest.substr(1, 1));
    return !rest.empty() && other_type(rest) && (!named || rest.find("time") != std::string_view::npos);
  }
  for (const std::string_view name :
       {"str", "bytes", "object", "void", "longdouble", "clongdouble", "datetime64", "timedelta64", "str_", "bytes_",
        "object_", "float128", "complex256", "f16", "c32", "n", "N", "unicode"})
    if (code == name) return true;
  if (code.empty()) return false;
  for (const std::string_view kind : {"datetime64[", "timedelta64["})
    if (code.starts_with(kind) && code.ends_with(']')) return true;
  const std::string_view rest = code.substr(1);
  switch (code.front()) {
    case 'S':
    case 'U':
    case 'V':
    case 'a': return digits(rest);
    case 'O': return rest.empty() || rest == "8";
    case 'g':
    case 'G':
    case 'c': return rest.empty();
    case 'M':
    case 'm': return rest.empty() || rest == "8" || (rest.starts_with("8[") && rest.ends_with(']'));
    default: return false;
  }
}

std::optional<Refusal> unknown_type(std::string_view text) {
  return Refusal{"TypeError", "data type " + to_string({std::string(text)}) + " not understood"};
}

/// A name, or fields parted by commas, each with a number or a shape in front: "i4", "i4,(2,)f8".
std::optional<Refusal> text_refusal(std::string_view text) {
  if (other_type(text)) return std::nullopt;
  if (text.find(',') == std::string_view::npos && !text.starts_with('(') &&
      !(!text.empty() && digits(text.substr(0, 1))))
    return unknown_type(text);
  const bool several = text.find(',') != std::string_view::npos;
  while (!text.empty()) {
    if (text.starts_with('(')) text.remove_prefix(std::min(text.find(')'), text.size() - 1) + 1);
    while (!text.empty() && (digits(text.substr(0, 1)) || text.front() == ' ')) text.remove_prefix(1);
    const std::string_view field = text.substr(0, text.find(','));
    if (several && field.find_first_not_of(' ') == std::string_view::npos) return std::nullopt;  // a SyntaxError
    if (!other_type(field)) return unknown_type(field);
    text.remove_prefix(std::min(field.size() + 1, text.size()));
  }
  return std::nullopt;
}

}  // namespace

std::optional<DtypeRefusal> dtype_refusal(const Value& value) {
  if (std::holds_alternative<None>(value.held) || std::holds_alternative<StructurePtr>(value.held) ||
      numpy_dtype(value))
    return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&value.held)) return text_refusal(*text);
  if (names_fields(value)) return read_structure(value).refusal;
  if (const auto* pair = std::get_if<Sequence>(&value.held); pair && is_tuple(pair->kind)) {
    // (dtype, shape)
    const auto& items = *pair->items;
    if (items.size() != 2)
      return Refusal{"TypeError", "Tuple must have size 2, but has size " + std::to_string(items.size())};
    if (auto refused = dtype_refusal(items.front())) return refused;
    const auto* shape = std::get_if<Sequence>(&items.back().held);
    const bool whole = shape ? std::all_of(shape->items->begin(), shape->items->end(),
                                           [](const Value& size) { return as_integer(size).has_value(); })
                             : as_integer(items.back()).has_value();
    return whole || !numpy_dtype(items.front())
               ? std::nullopt
               : std::optional(Refusal{"ValueError", "invalid shape in fixed-type tuple."});
  }
  if (tensor_of(value)) return Refusal{"TypeError", "Cannot construct a dtype from an array"};
  // Any class is one, of objects.
  constexpr std::string_view classes[] = {"bool",
                                          "enumerate",
                                          "list",
                                          "range",
                                          "reversed",
                                          "slice",
                                          "str",
                                          "tuple",
                                          "type",
                                          "zip",
                                          "numpy.generic",
                                          "numpy.number",
                                          "numpy.integer",
                                          "numpy.signedinteger",
                                          "numpy.unsignedinteger",
                                          "numpy.inexact",
                                          "numpy.floating",
                                          "numpy.complexfloating"};
  if (const auto* symbol = std::get_if<Symbol>(&value.held);
      symbol && (type_name(value) == "type" ||
                 std::find(std::begin(classes), std::end(classes), symbol->path) != std::end(classes)))
    return std::nullopt;
  return Refusal{"TypeError", "Cannot interpret '" + to_string(value) + "' as a data type"};
}

bool is_empty_dtype(const Value& value) {
  const auto* fields = std::get_if<Sequence>(&value.held);
  return fields && fields->kind == Sequence::Kind::list && fields->items->empty();
}

bool is_foreign_dtype(const Value& value) {
  return !std::holds_alternative<None>(value.held) && !numpy_dtype(value) && !dtype_refusal(value);
}

Value refuse_cast_to_foreign(Call& call, const Tensor& array, Casting casting) {
  if (is_empty_dtype(call.value("dtype")) && casting != Casting::unsafe)
    return call.fail_parser({"Cannot cast array data from dtype('", name(array.dtype), "') to dtype([])"},
                            Msg::np_cast_refused, {name(array.dtype), "[]", to_string(call.value("casting"))});
  return dtype_argument(call), Value{};
}

std::optional<DType> dtype_argument(Call& call, const char* parameter) {
  return call.given(parameter) ? dtype_argument(call, call.value(parameter)) : std::nullopt;
}

std::optional<DType> dtype_argument(Call& call, const Value& value) {
  const auto found = numpy_dtype(value);
  if (found) return found;
  const std::string text = to_string(value);
  if (const auto refused = dtype_refusal(value))
    call.about(value).fail(refused->type, refused->text, Msg::np_dtype_unknown, {text});
  else
    call.about(value).refuse(Msg::np_dtype_not_modelled, {text});
  return std::nullopt;
}

std::string type_code(DType dtype) {
  const char kind = dtype == DType::boolean ? 'b'
                    : is_unsigned(dtype)    ? 'u'
                    : is_integer(dtype)     ? 'i'
                    : is_floating(dtype)    ? 'f'
                                            : 'c';
  return (itemsize(dtype) == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(itemsize(dtype));
}

char dtype_letter(DType dtype) {
  constexpr std::string_view own = "?BbHhIiLle fdFD";
  return own[static_cast<size_t>(dtype)];
}

std::optional<Value> dtype_attribute(DType dtype, std::string_view attribute) {
  const std::string code = type_code(dtype);
  // By their numbers; a blank is one that is not modelled.
  constexpr std::string_view numbered = "?bBhHiIlL  fd FD       e";
  if (attribute == "name") return Value{std::string(name(dtype))};
  if (attribute == "itemsize") return Value{int64_t{itemsize(dtype)}};
  if (attribute == "kind") return Value{code.substr(1, 1)};
  if (attribute == "char") return Value{std::string(1, dtype_letter(dtype))};
  if (attribute == "num") return Value{static_cast<int64_t>(numbered.find(dtype_letter(dtype)))};
  if (attribute == "alignment") return Value{int64_t{itemsize(dtype) / (is_complex(dtype) ? 2 : 1)}};
  if (attribute == "isnative") return Value{true};
  if (attribute == "hasobject" || attribute == "isalignedstruct") return Value{false};
  if (attribute == "byteorder") return Value{std::string(itemsize(dtype) == 1 ? "|" : "=")};
  if (attribute == "str") return Value{code};
  if (attribute == "descr") return list_of({list_of({Value{std::string()}, Value{code}}, Sequence::Kind::tuple)});
  if (attribute == "base") return dtype_object(dtype);
  if (attribute == "type") return Value{Symbol{"numpy." + std::string(name(dtype)), nullptr}};
  if (attribute == "ndim") return Value{int64_t{0}};
  if (attribute == "shape") return list_of({}, Sequence::Kind::tuple);
  if (attribute == "fields" || attribute == "names" || attribute == "subdtype" || attribute == "metadata")
    return Value{};
  return std::nullopt;
}

}  // namespace stridescope
