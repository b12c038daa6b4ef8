// Values as Python's repr writes them.
#include <algorithm>
#include <cmath>

#include "lang/utf8.h"
#include "ops/files.h"
#include "ops/lent_memory.h"
#include "ops/number.h"
#include "ops/python/classes.h"
#include "ops/python/python.h"
#include "ops/python/set.h"
#include "ops/torch/nn/modules.h"
#include "ops/value.h"

namespace stridescope {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not deduce aggregates

/// How a value is written: until there are more than `limit` bytes, which the caller cuts off, with other texts for
/// some of its parts. Where there are such texts it is written as Python does it, else shorter.
struct Manner {
  size_t limit = 0;
  const Texts* told = nullptr;
};

void write(const Value& value, const Manner& how, std::string& out);

void write_bytes(const std::vector<Value>& bytes, const Manner& how, std::string& out) {
  const auto holds = [&](char c) {
    return std::any_of(bytes.begin(), bytes.end(),
                       [&](const Value& byte) { return std::get<int64_t>(byte.held) == c; });
  };
  const char quote = holds('\'') && !holds('"') ? '"' : '\'';
  constexpr char digits[] = "0123456789abcdef";
  (out += 'b') += quote;
  for (const Value& byte : bytes) {
    const auto code = static_cast<unsigned char>(std::get<int64_t>(byte.held));
    const char c = static_cast<char>(code);
    if (c == '\n' || c == '\t' || c == '\r')
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    else if (c == quote || c == '\\')
      (out += '\\') += c;
    else if (code < 0x20 || code >= 0x7f)
      ((out += "\\x") += digits[code / 16]) += digits[code % 16];
    else
      out += c;
    if (out.size() > how.limit) return;
  }
  out += quote;
}

/// "torch.return_types.max(\nvalues=.., \nindices=..)", or NumPy's in one line.
void write_ranked(const Sequence& ranked, const Manner& how, std::string& out) {
  const bool torch = !ranked.type && ranked.shown->starts_with("torch.");
  out += torch ? *ranked.shown + "(\n" : ranked.shown->substr(ranked.shown->rfind('.') + 1) + "(";
  std::string_view names = field_names(ranked);
  for (const Value& item : *ranked.items) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    if (&item != &ranked.items->front()) out += torch ? ",\n" : ", ";
    out += std::string(name) + "=";
    write(item, how, out);
  }
  out += ")";
}

void write_items(const Sequence& sequence, const Manner& how, std::string& out) {
  if (sequence.kind == Sequence::Kind::bytes) return write_bytes(*sequence.items, how, out);
  if (sequence.shown && sequence.kind == Sequence::Kind::range) return void(out += *sequence.shown);
  if (sequence.shown && sequence.kind == Sequence::Kind::generator)
    return void(out += "<generator object " + *sequence.shown + ">");
  if (sequence.kind == Sequence::Kind::nditer) return void(out += "<numpy.nditer object>");
  const bool list = sequence.kind == Sequence::Kind::list;
  if (sequence.kind == Sequence::Kind::ranked && !sequence.type &&
      sequence.shown->starts_with("_")) {  // what loading a state gives
    const Value &missing = sequence.items->front(), &unexpected = sequence.items->back();
    if (parts_of(missing).empty() && parts_of(unexpected).empty())
      return void(out += "<All keys matched successfully>");
    out += *sequence.shown + "(missing_keys=";
    write(missing, how, out);
    out += ", unexpected_keys=";
    write(unexpected, how, out);
    return void(out += ")");
  }
  if (sequence.kind == Sequence::Kind::ranked && (how.told || sequence.type)) return write_ranked(sequence, how, out);
  if (sequence.kind == Sequence::Kind::size) out += "torch.Size(";
  out += list || sequence.kind == Sequence::Kind::size ? "[" : "(";
  bool first = true;
  for (const Value& item : *sequence.items) {
    if (!first) out += ", ";
    first = false;
    write(item, how, out);
    if (out.size() > how.limit) return;
  }
  if (sequence.kind == Sequence::Kind::tuple && sequence.items->size() == 1) out += ",";
  out += list ? "]" : sequence.kind == Sequence::Kind::size ? "])" : ")";
}

void write_dictionary(const Dictionary& dictionary, const Manner& how, std::string& out) {
  constexpr std::string_view openers[] = {"{", "dict_keys([", "dict_values([", "dict_items(["};
  const auto view = dictionary.view;
  const bool whole = view == Dictionary::View::whole, pairs = view == Dictionary::View::items;
  const bool ordered = dictionary.items->ordered;
  if (ordered) out += whole ? "OrderedDict(" : "o";
  if (whole && dictionary.items->fixed) out += "mappingproxy(";
  const Value* const makes = whole ? dictionary.items->makes.get() : nullptr;
  if (makes) {
    out += "defaultdict(";
    write(*makes, how, out);
    out += ", ";
  }
  if (ordered && whole && dictionary.items->keys.empty()) return void(out += ")");
  out += openers[static_cast<size_t>(view)];
  for (size_t i = 0; i < dictionary.items->keys.size() && out.size() <= how.limit; ++i) {
    if (i > 0) out += ", ";
    if (pairs) out += "(";
    if (view != Dictionary::View::values) write(dictionary.items->keys[i], how, out);
    if (whole || pairs) out += whole ? ": " : ", ";
    if (view != Dictionary::View::keys) write(dictionary.items->values[i], how, out);
    if (pairs) out += ")";
  }
  out += whole ? "}" : "])";
  if (whole && (ordered || makes || dictionary.items->fixed)) out += ")";
}

void write_set(const Set& set, const Manner& how, std::string& out) {
  const bool none = set.items->size() == 0;
  out += set.fixed ? none ? "frozenset(" : "frozenset({" : none ? "set(" : "{";
  bool first = true;
  for (const Value& item : set.items->has_order() ? items_in_order(*set.items) : set.items->items) {
    if (!first) out += ", ";
    first = false;
    write(item, how, out);
    if (out.size() > how.limit) return;
  }
  out += none ? ")" : set.fixed ? "})" : "}";
}

/// Of those that are known by the name that programs write for them.
bool is_class(std::string_view path) {
  constexpr std::string_view names =
      " bool bytes complex dict enumerate float frozenset int list map memoryview range reversed set slice str tuple "
      "type zip collections.OrderedDict collections.defaultdict functools.partial numpy.bytes_ numpy.character "
      "numpy.complexfloating numpy.flexible numpy.floating numpy.generic numpy.inexact numpy.integer numpy.ndarray "
      "numpy.number numpy.signedinteger numpy.str_ numpy.unsignedinteger numpy.void operator.attrgetter "
      "operator.itemgetter torch.Size torch.Tensor torch.device ";
  return names.find(" " + std::string(path) + " ") != names.npos ||
         (path.starts_with("itertools.") && path != "itertools.chain.from_iterable") ||
         (path.starts_with("numpy.") && dtype_named(path.substr(6)));
}

std::string device_repr(const std::string& name) {
  const size_t colon = name.find(':');
  return "device(type='" + name.substr(0, colon) + "'" +
         (colon == std::string::npos ? "" : ", index=" + name.substr(colon + 1)) + ")";
}

/// "functools.partial(<built-in function pow>, 2, exp=3)"
void write_partial(std::span<const Value> parts, const Manner& how, std::string& out) {
  out += "functools.partial(";
  write(parts[0], how, out);
  for (const Value& argument : parts_of(parts[1])) {
    if (out.size() > how.limit) return;
    out += ", ";
    write(argument, how, out);
  }
  const DictionaryItems& named = *std::get<Dictionary>(parts[2].held).items;
  for (size_t i = 0; i < named.keys.size() && out.size() <= how.limit; ++i) {
    out += ", " + std::get<std::string>(named.keys[i].held) + "=";
    write(named.values[i], how, out);
  }
  out += ")";
}

/// "operator.itemgetter(1, 0)"
void write_getter(const Symbol& getter, const Manner& how, std::string& out) {
  std::string_view before = "(";
  out += getter.path;
  for (const Value& part : parts_of(*getter.self)) {
    out += before;
    write(part, how, out);
    before = ", ";
  }
  out += ")";
}

/// A function of Python's that shows no more than its name. Those of copy and dataclasses show where they are.
bool is_written_in_c(std::string_view path) {
  return find_builtin(path) && !path.starts_with("copy.") && !path.starts_with("dataclasses.") &&
         path != "itertools.chain.from_iterable";
}

/// "bytearray(b'ab')", "array('i', [1, 2])"
void write_memory(const Object& object, const Tensor& memory, const Manner& how, std::string& out) {
  const Elements items = elements_of(memory);
  std::vector<Value> read;
  for (int64_t i = 0; is_known(*items.contents) && i < memory.layout.sizes[0] && read.size() <= how.limit; ++i)
    read.push_back(python_value(element(items, i)));
  const size_t code = attribute_place(*object.attributes, "typecode");
  if (object.type->name == "builtins._Bytes")
    return is_known(*items.contents) ? write_bytes(read, how, out) : void(out += "b'?'");
  out += std::string(short_name(*object.type)) + "(";
  if (!is_known(*items.contents)) {
    out += "?";
  } else if (code < object.attributes->values.size()) {
    write(object.attributes->values[code], how, out);
    if (!read.empty()) write(list_of(std::move(read)), how, out += ", ");
  } else {
    write_bytes(read, how, out);
  }
  out += ")";
}

/// "<_io.BufferedReader name='x.bin'>", "NpzFile 'x.npz' with keys: a, b"
void write_file(const Object& object, const Manner& how, std::string& out) {
  constexpr size_t most_keys = 5;
  const bool archive = !is_opened({object});
  const Value *const name = attribute_of(object, archive ? "_name" : "name"), *files = attribute_of(object, "files");
  out += archive ? "NpzFile " : "<" + object.type->name + " name=";
  if (name) write(*name, how, out);
  const auto keys = archive && files ? parts_of(*files) : std::span<const Value>();
  for (size_t i = 0; i < std::min(keys.size(), most_keys); ++i)
    if (const auto* key = std::get_if<std::string>(&keys[i].held)) out += (i > 0 ? ", " : " with keys: ") + *key;
  out += !archive ? ">" : keys.size() > most_keys ? "..." : keys.empty() ? " with keys: " : "";
}

/// "Config(width=8, heads=2)"; "<Config object>" where its class says itself how it is written, or has no fields, or
/// the object lacks one.
void write_object(const Object& object, const Manner& how, std::string& out) {
  if (const TensorRef memory = memory_kept({object});
      memory && !class_member(*object.type, "__repr__") && !bytes_of_file({object}))
    return write_memory(object, *memory->tensor, how, out);
  if (is_told_file({object})) return write_file(object, how, out);
  const Fields* const fields = class_member(*object.type, "__repr__") ? nullptr : fields_of(*object.type);
  const auto lacks = [&](const FunctionParameter& field) { return !field_of(object, field.name); };
  if (!fields || std::any_of(fields->parameters.begin() + 1, fields->parameters.end(), lacks)) {
    const bool noted = object.type->name.starts_with("torch.autograd.");  // a grad_fn, which is of no module
    out += "<" + object.type->name.substr(noted ? object.type->name.rfind('.') + 1 : 0) + " object>";
    return;
  }
  out += object.type->name + "(";
  for (size_t i = 1; i < fields->parameters.size() && out.size() < how.limit; ++i) {
    out += (i > 1 ? ", " : "") + fields->parameters[i].name + "=";
    write(*field_of(object, fields->parameters[i].name), how, out);
  }
  out += ")";
}

void write(const Value& value, const Manner& how, std::string& out) {
  if (how.told)
    if (const auto text = how.told->find(text_key(value)); text != how.told->end()) return void(out += text->second);
  const auto optional = [&](const std::shared_ptr<const Value>& part) {
    if (part)
      write(*part, how, out);
    else
      out += "None";
  };
  std::visit(Overloaded{
                 [&](const None&) { out += "None"; },
                 [&](bool truth) { out += truth ? "True" : "False"; },
                 [&](int64_t integer) { out += std::to_string(integer); },
                 [&](const Float& real) { out += real.is_known() ? repr(real) : "?"; },
                 [&](const ComplexFloat& number) {
                   const auto part = [](double real) {
                     const std::string text = repr(real);
                     return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
                   };
                   const std::string real = part(number.real()), imaginary = part(number.imag());
                   if (real == "0")
                     out += imaginary + "j";
                   else
                     out += "(" + real + (imaginary[0] == '-' ? "" : "+") + imaginary + "j)";
                 },
                 [&](const std::string& text) {
                   out += value.of_numpy ? "np.str_(" + quoted(text) + ")" : quoted(text);
                 },
                 [&](const Ellipsis&) { out += "Ellipsis"; },
                 [&](const Sequence& sequence) {
                   if (value.of_numpy) out += "np.bytes_(";
                   write_items(sequence, how, out);
                   if (value.of_numpy) out += ")";
                 },
                 [&](const Dictionary& dictionary) { write_dictionary(dictionary, how, out); },
                 [&](const Set& set) { write_set(set, how, out); },
                 [&](const SliceValue& slice) {
                   out += "slice(";
                   optional(slice.start);
                   out += ", ";
                   optional(slice.stop);
                   out += ", ";
                   optional(slice.step);
                   out += ")";
                 },
                 [&](const Symbol& symbol) {
                   const bool own = symbol.path.starts_with("class.");
                   if (is_partial(value))
                     write_partial(parts_of(value), how, out);
                   else if (is_getter(value))
                     write_getter(symbol, how, out);
                   else if (symbol.self)
                     out += symbol.path;
                   else if (symbol.path.starts_with("numpy.dtype."))
                     out += "dtype('" + symbol.path.substr(12) + "')";
                   else if (symbol.path.starts_with("device."))
                     out += device_repr(symbol.path.substr(7));
                   else if (symbol.path == "torch.nn.Parameter")
                     out += "<class 'torch.nn.parameter.Parameter'>";
                   else if (own || is_class(symbol.path))
                     out += "<class '" + symbol.path.substr(own ? 6 : 0) + "'>";
                   else if (is_written_in_c(symbol.path))
                     out += "<built-in function " + symbol.path.substr(symbol.path.rfind('.') + 1) + ">";
                   else
                     out += symbol.path;
                 },
                 [&](const NumpyScalar& scalar) {
                   const std::string type = "np." + std::string(name(scalar.dtype()));
                   const std::string number = scalar.is_known() ? scalar_text(scalar.value()) : "?";
                   out += scalar.is_known() && scalar.dtype() == DType::boolean ? "np." + number + "_"
                          : number.starts_with("(")                             ? type + number
                                                                                : type + "(" + number + ")";
                 },
                 [&](const Facet& facet) {
                   const bool torch = facet.tensor->library == Library::torch;
                   out += facet.name == "Generator" ? torch ? "<torch._C.Generator object>" : "Generator(PCG64)"
                          : facet.name == "flat"    ? "flatiter"
                          : facet.name == "data"    ? "memoryview"
                          : facet.name == "ctypes"  ? "_ctypes"
                                                    : facet.name;
                 },
                 [&](const FunctionPtr& function) {
                   out += (function->self ? "<bound method " : "<function ") + function->name + ">";
                 },
                 [&](const ClassPtr& type) { out += "<class '" + class_home(*type) + "'>"; },
                 [&](const Object& object) {
                   if (is_module_value(value) && !writes_itself(object))
                     out += module_text(object);
                   else
                     write_object(object, how, out);
                 },
                 // A key's text is its repr.
                 [&](const Caught& caught) {
                   const std::string text = caught.type == "KeyError" ? caught.text : quoted(caught.text);
                   out += caught.type + "(" + (caught.bare ? "" : text) + ")";
                 },
                 [&](const TensorRef& ref) {
                   const Tensor& tensor = *ref->tensor;
                   out += (tensor.library == Library::torch ? "tensor " : "array ") + to_string(tensor.layout);
                 },
                 [&](const StructurePtr& structure) { out += repr(*structure); },
             },
             value.held);
}

}  // namespace

/// "\\x1b", "\\u200b"
static void append_escape(std::string& text, char32_t character) {
  const int digits = character < 0x100 ? 2 : character < 0x10000 ? 4 : 8;
  text += digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
  for (int digit = digits - 1; digit >= 0; --digit) text += "0123456789abcdef"[(character >> (4 * digit)) & 15];
}

/// Whether Python's repr writes a character as it is. Of those it does not, the ones that have no picture or turn the
/// direction of what follows; unassigned ones are taken as they are.
static bool is_printable(char32_t character) {
  constexpr std::pair<char32_t, char32_t> hidden[] = {
      {0, 0x1F},        {0x7F, 0xA0},     {0xAD, 0xAD},     {0x600, 0x605},     {0x61C, 0x61C},
      {0x6DD, 0x6DD},   {0x70F, 0x70F},   {0x890, 0x891},   {0x8E2, 0x8E2},     {0x1680, 0x1680},
      {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F},   {0x3000, 0x3000},
      {0xE000, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0001, 0xE007F}, {0xF0000, 0x10FFFF}};
  return std::none_of(std::begin(hidden), std::end(hidden),
                      [&](const auto& range) { return character >= range.first && character <= range.second; });
}

std::string quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  for (size_t at = 0; at < text.size();) {
    const CodePoint character = decode(text, at);
    const std::string_view bytes = std::string_view(text).substr(at, static_cast<size_t>(character.bytes));
    at += bytes.size();
    const char c = bytes[0];
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (c == '\r')
      result += "\\r";
    else if (c == quote || c == '\\')
      (result += '\\') += c;
    else if (!character.valid || is_printable(character.value))
      result += bytes;
    else
      append_escape(result, character.value);
  }
  return result + quote;
}

std::string shortest_text(double value, DType dtype) {
  return dtype == DType::float64   ? repr(value)
         : dtype == DType::float16 ? repr_half(value)
                                   : repr_single(static_cast<float>(value));
}

std::string scalar_text(const Scalar& value) {
  if (!is_floating(value.dtype) && !is_complex(value.dtype)) return label(value);
  const auto number = [&](double part) {
    const std::string text = shortest_text(part, real_of(value.dtype));
    // The float next to 0.0001 is less than that, and so NumPy writes an exponent.
    return text.ends_with("0.0001") && std::fabs(part) < 1e-4 ? text.substr(0, text.find('0')) + "1e-04" : text;
  };
  if (is_floating(value.dtype)) return number(value.real);
  const auto part = [&](double one) {
    const std::string text = number(one);
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
  };
  // A real part of 0 is left away, one of -0 is not.
  if (value.real == 0 && !std::signbit(value.real)) return part(value.imaginary) + "j";
  const bool minus = !std::isnan(value.imaginary) && std::signbit(value.imaginary);
  return "(" + part(value.real) + (minus ? "" : "+") + part(value.imaginary) + "j)";
}

const void* text_key(const Value& value) {
  const auto* tensor = std::get_if<TensorRef>(&value.held);
  return tensor ? tensor->get() : object_of(value);
}

std::string to_string(const Value& value, const Texts& told) {
  std::string out;
  write(value, {std::string::npos, &told}, out);
  return out;
}

std::string to_string(const Value& value, size_t limit) {
  std::string out;
  write(value, {limit}, out);
  if (out.size() <= limit) return out;
  size_t end = limit - 3;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 sequence
  return out.substr(0, end) + "...";
}

}  // namespace stridescope
