// The dtype of strings, and the strings that an array of them holds.
#include "ops/numpy/strings.h"

#include <algorithm>

#include "lang/utf8.h"
#include "layout/access_path.h"
#include "ops/python/python.h"
#include "ops/python/text.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// So many characters does NumPy give the elements of a dtype; more digits no number of it has.
constexpr int64_t most_room = (int64_t{1} << 29) - 1;

Characters characters_of(std::string_view text) {
  Characters all;
  for (size_t at = 0; at < text.size();) {
    const CodePoint one = decode(text, at);
    all.push_back(one.value);
    at += static_cast<size_t>(one.bytes);
  }
  return all;
}

}  // namespace

std::optional<Characters> characters_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.held)) return characters_of(*text);
  if (is_bytes(value)) {
    Characters all;
    for (const Value& byte : *std::get<Sequence>(value.held).items)
      all.push_back(static_cast<char32_t>(std::get<int64_t>(byte.held)));
    return all;
  }
  const bool number = as_real(value) || std::holds_alternative<ComplexFloat>(value.held) ||
                      std::holds_alternative<NumpyScalar>(value.held) || std::holds_alternative<None>(value.held);
  const auto text = number && !tensor_of(value) && !is_unknown(value) ? python_str(value) : std::nullopt;
  return text ? std::optional(characters_of(*text)) : std::nullopt;
}

StructurePtr read_string_dtype(const Value& value) {
  if (const auto* structure = std::get_if<StructurePtr>(&value.held))
    return (*structure)->characters == 0 ? nullptr : *structure;
  if (const auto* symbol = std::get_if<Symbol>(&value.held); symbol && !symbol->self) {
    const bool text = symbol->path == "str" || symbol->path == "numpy.str_";
    const bool bytes = symbol->path == "bytes" || symbol->path == "numpy.bytes_";
    return text || bytes ? string_structure(text ? 'U' : 'S', 0) : nullptr;
  }
  if (const auto* pair = std::get_if<Sequence>(&value.held); pair && is_tuple(pair->kind) && pair->items->size() == 2) {
    const StructurePtr string = read_string_dtype(pair->items->front());
    const auto length = as_index(pair->items->back());
    const auto* of = std::get_if<Symbol>(&pair->items->front().held);
    if (of && !of->self && of->path == "numpy.void" && length && *length > 0 && *length <= most_room)
      return string_structure('V', *length);
    const bool named = string && string->itemsize == 0 && length && *length >= 0 && *length <= most_room;
    return named ? string_structure(string->characters, *length) : nullptr;
  }
  const auto* text = std::get_if<std::string>(&value.held);
  if (!text) return nullptr;
  std::string_view code = *text;
  if (code == "str" || code == "str_" || code == "unicode") return string_structure('U', 0);
  if (code == "bytes" || code == "bytes_") return string_structure('S', 0);
  const bool swapped = code.starts_with('>');
  if (swapped || code.starts_with('<') || code.starts_with('=') || code.starts_with('|')) code.remove_prefix(1);
  const char kind = code.starts_with('a') ? 'S' : code.empty() ? '\0' : code.front();
  if ((kind != 'S' && kind != 'U' && kind != 'V') || (swapped && kind == 'U')) return nullptr;
  int64_t length = 0;
  for (const char digit : code.substr(1)) {
    if (digit < '0' || digit > '9' || length > most_room) return nullptr;
    length = 10 * length + (digit - '0');
  }
  return length <= most_room && (length > 0 || kind != 'V') ? string_structure(kind, length) : nullptr;
}

StructurePtr with_room(const StructurePtr& string) {
  return string && string->is_string() && string->itemsize == 0 ? string_structure(string->characters, 1) : string;
}

std::optional<Value> string_attribute(const StructurePtr& string, std::string_view attribute) {
  const bool text = string->characters == 'U';
  if (attribute == "kind" || attribute == "char") return Value{std::string(1, string->characters)};
  if (attribute == "num") return Value{int64_t{text ? 19 : 18}};
  if (attribute == "str") return Value{(text ? "<U" : "|S") + std::to_string(string->length())};
  if (attribute == "name") {
    const std::string bits = string->itemsize > 0 ? std::to_string(8 * string->itemsize) : "";
    return Value{(text ? "str" : "bytes") + bits};
  }
  if (attribute == "byteorder") return Value{std::string(text ? "=" : "|")};
  if (attribute == "type") return Value{Symbol{text ? "numpy.str_" : "numpy.bytes_", nullptr}};
  if (attribute == "fields" || attribute == "names") return Value{};
  if (attribute == "descr")
    return list_of({list_of({Value{std::string()}, Value{to_string(*string)}}, Sequence::Kind::tuple)});
  return std::nullopt;
}

StructurePtr dtype_of_string(const Value& value) {
  return string_structure(is_bytes(value) ? 'S' : 'U', static_cast<int64_t>(characters_of(value)->size()));
}

std::optional<Value> string_scalar_attribute(const Value& value, std::string_view attribute) {
  const StructurePtr string = dtype_of_string(value);
  if (attribute == "dtype") return Value{string};
  if (attribute == "itemsize" || attribute == "nbytes") return Value{string->itemsize};
  if (attribute == "shape" || attribute == "strides") return list_of({}, Sequence::Kind::tuple);
  if (attribute == "ndim") return Value{int64_t{0}};
  if (attribute == "size") return Value{int64_t{1}};
  if (attribute == "base") return Value{};
  return std::nullopt;
}

bool is_of_strings(const Tensor& array) { return array.structure && array.structure->is_string(); }

bool is_string_array(const Value& value) {
  const TensorPtr array = tensor_of(value);
  return array && is_of_strings(*array);
}

bool holds_strings(const Value& value) {
  if (std::holds_alternative<std::string>(value.held) || is_bytes(value)) return true;
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && (sequence->kind == Sequence::Kind::list || is_tuple(sequence->kind)) &&
         std::any_of(sequence->items->begin(), sequence->items->end(), holds_strings);
}

char string_kind(const Value& value) {
  if (const TensorPtr array = tensor_of(value)) return is_of_strings(*array) ? array->structure->characters : '\0';
  if (!holds_strings(value)) return '\0';
  if (std::holds_alternative<std::string>(value.held) || is_bytes(value)) return is_bytes(value) ? 'S' : 'U';
  const auto& items = *std::get<Sequence>(value.held).items;
  return std::any_of(items.begin(), items.end(), [](const Value& item) { return string_kind(item) == 'U'; }) ? 'U'
                                                                                                             : 'S';
}

namespace {

/// Its characters without the zeros at the end; of bytes without a meaning all.
Characters read_characters(const Contents& contents, const Structure& string, int64_t byte) {
  const int64_t each = string.character_bytes();
  Characters all;
  for (int64_t i = 0; i < string.length(); ++i)
    all.push_back(
        static_cast<char32_t>(read_at(contents, byte + i * each, each == 4 ? DType::uint32 : DType::uint8).integer));
  while (string.is_string() && !all.empty() && all.back() == 0) all.pop_back();
  return all;
}

bool is_unicode(char32_t code) { return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF); }

Value value_of(const Structure& string, const Characters& characters) {
  if (string.characters == 'U') {
    std::string text;
    for (const char32_t one : characters) append_utf8(text, one);
    return {std::move(text)};
  }
  std::vector<Value> bytes;
  for (const char32_t one : characters) bytes.push_back({static_cast<int64_t>(one)});
  return list_of(std::move(bytes), Sequence::Kind::bytes);
}

}  // namespace

std::optional<Value> string_at(const Contents& contents, const Structure& string, int64_t byte) {
  const Characters characters = read_characters(contents, string, byte);
  if (!std::all_of(characters.begin(), characters.end(), is_unicode)) return std::nullopt;
  return value_of(string, characters);
}

std::string string_text(const Contents& contents, const Structure& string, int64_t byte) {
  Characters characters = read_characters(contents, string, byte);
  if (string.is_raw()) {  // no byte is a letter
    constexpr char digits[] = "0123456789ABCDEF";
    std::string text = "b'";
    for (const char32_t one : characters) text += {'\\', 'x', digits[one >> 4 & 15], digits[one & 15]};
    return text + "'";
  }
  std::replace_if(
      characters.begin(), characters.end(), [](char32_t one) { return !is_unicode(one); }, U'?');
  return to_string(value_of(string, characters), std::string::npos);
}

Value string_element(Call& call, const Tensor& array) {
  const Elements elements = elements_of(array);
  if (!is_known(*elements.contents)) return call.refuse(Msg::values_unknown);
  auto text = string_at(*elements.contents, *array.structure, elements.layout.storage_offset);
  if (!text) return call.refuse(Msg::np_string_character);
  text->of_numpy = true;
  call.why(Msg::np_string_seen, {to_string(*text), array.structure->itemsize, array.structure->length()});
  call.relation(Relation::none);
  return *std::move(text);
}

std::optional<std::vector<Value>> strings_in(const Value& array) {
  const Tensor& strings = *tensor_of(array);
  const int64_t count = strings.layout.rank() == 1 ? count_of(strings) : max_listed + 1;
  if (count > max_listed || !is_known(*strings.storage->contents)) return std::nullopt;
  std::vector<Value> items;
  for (int64_t i = 0; i < count; ++i) {
    auto text = string_at(*strings.storage->contents, *strings.structure, offset_at(strings.layout, i));
    if (!text) return std::nullopt;
    text->of_numpy = true;
    items.push_back(*std::move(text));
  }
  return items;
}

}  // namespace stridescope
