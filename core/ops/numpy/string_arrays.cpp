// Arrays of strings made, converted and written.
#include <algorithm>

#include "layout/access_path.h"
#include "layout/checked.h"
#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/python/builtin_numbers.h"

namespace stridescope {
namespace {

/// So many bytes may the elements have that are made one by one.
constexpr int64_t most_string_bytes = int64_t{1} << 18;

/// So many characters have the numbers of a dtype room in.
int64_t room_of(DType dtype) {
  if (dtype == DType::boolean) return 5;
  if (is_complex(dtype)) return 64;
  if (is_floating(dtype)) return 32;
  constexpr int64_t signed_[] = {4, 6, 11, 21}, unsigned_[] = {3, 5, 10, 20};
  const int size = itemsize(dtype), i = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
  return (is_unsigned(dtype) ? unsigned_ : signed_)[i];
}

/// "'\xe9' in position 0", as Python's codecs tell of it.
std::string escaped(char32_t character) {
  constexpr char digits[] = "0123456789abcdef";
  const int width = character < 0x100 ? 2 : character < 0x10000 ? 4 : 8;
  std::string text = width == 2 ? "\\x" : width == 4 ? "\\u" : "\\U";
  for (int i = width - 1; i >= 0; --i) text += digits[character >> (4 * i) & 15];
  return text;
}

/// Whether all of it is ASCII, as what is made bytes, or of bytes, must be; else the call failed.
bool check_ascii(Call& call, const Characters& characters, bool encodes) {
  const auto beyond = [](char32_t one) { return one > 127; };
  const auto first = std::find_if(characters.begin(), characters.end(), beyond);
  if (first == characters.end()) return true;
  const auto last = std::find_if_not(first, characters.end(), beyond);
  const int64_t at = first - characters.begin(), end = last - characters.begin();
  const std::string place = std::to_string(at);
  std::string text = "'ascii' codec can't ";
  if (!encodes)
    text += "decode byte 0x" + escaped(*first).substr(2) + " in position " + place;
  else if (end - at == 1)
    text += "encode character '" + escaped(*first) + "' in position " + place;
  else
    text += "encode characters in position " + place + "-" + std::to_string(end - 1);
  call.fail(encodes ? "UnicodeEncodeError" : "UnicodeDecodeError", text + ": ordinal not in range(128)",
            Msg::np_string_ascii, {at});
  return false;
}

/// What is written of it into a string of that dtype.
std::optional<Characters> fitting(Call& call, const Structure& string, const Value& value) {
  auto characters = characters_of(value);
  if (!characters) return call.refuse(Msg::np_not_numeric, {type_name(value)}), std::nullopt;
  const bool encodes = string.characters != 'U';
  if (encodes != is_bytes(value) && !check_ascii(call, *characters, encodes)) return std::nullopt;
  return characters;
}

}  // namespace

bool append_characters(std::vector<Scalar>& bytes, const Structure& string, const Characters& characters) {
  const int64_t each = string.character_bytes();
  for (int64_t i = 0; i < string.length(); ++i) {
    const auto at = static_cast<size_t>(i);
    const uint32_t code = at < characters.size() ? static_cast<uint32_t>(characters[at]) : 0;
    for (int64_t byte = 0; byte < each; ++byte) bytes.push_back({DType::uint8, code >> (8 * byte) & 255});
  }
  return static_cast<int64_t>(characters.size()) <= string.length();
}

std::vector<Scalar> string_bytes(Call& call, const Structure& string, const Value& value) {
  std::vector<Scalar> bytes;
  if (const auto characters = fitting(call, string, value)) append_characters(bytes, string, *characters);
  return bytes;
}

namespace {

/// Those that nested lists hold, none of which is an array.
bool leaves(Call& call, const Value& value, int depth, std::vector<const Value*>& found) {
  if (tensor_of(value)) return call.refuse(Msg::np_not_numeric, {type_name(value)}), false;
  if (depth == 0) return found.push_back(&value), true;
  const auto parts = parts_of(value);
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Value& part) { return leaves(call, part, depth - 1, found); });
}

/// What NumPy takes a number of Python's, or one of its own, for.
DType dtype_of_number(const Value& value) {
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return scalar->dtype();
  if (std::holds_alternative<bool>(value.held)) return DType::boolean;
  if (std::holds_alternative<Float>(value.held)) return DType::float64;
  return std::holds_alternative<ComplexFloat>(value.held) ? DType::complex128 : DType::int64;
}

/// The dtype of which the values are: asked for, or with room for each.
StructurePtr dtype_of(Call& call, const StructurePtr& asked, const std::vector<const Value*>& values) {
  if (asked && asked->itemsize > 0) return asked;
  const bool text =
      asked ? asked->characters == 'U' : std::any_of(values.begin(), values.end(), [](const Value* value) {
        return std::holds_alternative<std::string>(value->held);
      });
  int64_t room = 1;
  std::optional<DType> numbers;  // what those before the first string are together
  bool strings = asked != nullptr;
  for (const Value* value : values) {
    const auto characters = characters_of(*value);
    const bool word = std::holds_alternative<std::string>(value->held) || is_bytes(*value);
    if (!characters || (!asked && is_none(*value)))
      return call.refuse(Msg::np_not_numeric, {type_name(*value)}), nullptr;
    if (asked && std::holds_alternative<NumpyScalar>(value->held)) {
      room = std::max(room, room_of(dtype_of_number(*value)));
    } else if (word || asked) {
      room = std::max(room, static_cast<int64_t>(characters->size()));
      if (!strings && numbers) room = std::max(room, room_of(*numbers));
      strings = true;
    } else if (strings) {
      room = std::max(room, room_of(dtype_of_number(*value)));
    } else {
      numbers = numbers ? numpy_promoted(*numbers, dtype_of_number(*value)) : dtype_of_number(*value);
    }
  }
  return string_structure(text ? 'U' : 'S', room);
}

TensorRef made_of(Call& call, const StructurePtr& string, const Dims& sizes, const std::vector<const Value*>& values,
                  ReadBefore* before = nullptr) {
  std::vector<Scalar> bytes;
  bool whole = true;
  for (const Value* value : values) {
    const auto characters = fitting(call, *string, *value);
    if (characters) whole &= append_characters(bytes, *string, *characters);
    if (characters) continue;
    if (before) before->sizes = sizes;
    for (int64_t i = 0; before && i < static_cast<int64_t>(bytes.size()); ++i)
      before->cells.push_back({i / string->itemsize, i % string->itemsize, bytes[static_cast<size_t>(i)]});
    return nullptr;
  }
  const Value made = call.fresh(of_structure(string), owned_layout(call, sizes, string->itemsize),
                                literal_contents(bytes, DType::uint8));
  if (call.failed()) return nullptr;
  if (!whole) call.why(Msg::np_strings_cut, {string->length()});
  return std::get<TensorRef>(made.held);
}

}  // namespace

bool too_costly(Call& call, const Dims& sizes, int64_t itemsize) {
  const auto total = checked_mul(numel(sizes), itemsize);
  if (total && *total <= most_string_bytes) return false;
  return call.refuse(Msg::np_too_costly), true;
}

TensorRef string_array(Call& call, const StructurePtr& asked, const Value& value, std::optional<int> most,
                       ReadBefore* before) {
  const auto sizes = nested_sizes(call, value, most);
  std::vector<const Value*> values;
  if (!sizes || !leaves(call, value, sizes->size(), values)) return nullptr;
  const StructurePtr string = dtype_of(call, asked, values);
  if (!string || too_costly(call, *sizes, string->itemsize)) return nullptr;
  return made_of(call, string, *sizes, values, before);
}

TensorRef array_or_strings(Call& call, const Value& value) {
  return !tensor_of(value) && holds_strings(value) ? string_array(call, nullptr, value) : as_array(call, value);
}

TensorRef unknown_strings(Call& call, const StructurePtr& string, const Layout& layout) {
  const auto bytes = checked_mul(numel(layout.sizes), string->itemsize);
  if (!bytes) return call.refuse(Msg::beyond_int64), nullptr;
  const Value made = call.fresh(of_structure(string), layout, unknown_contents(DType::uint8, *bytes));
  return call.failed() ? nullptr : std::get<TensorRef>(made.held);
}

std::optional<std::vector<Value>> values_of(Call& call, const Tensor& array) {
  const Elements elements = elements_of(array);
  const int64_t count = count_of(array);
  if (too_costly(call, array.layout.sizes, array.item_bytes()) || !call.quick(elements, count)) return std::nullopt;
  std::vector<Value> values;
  for (int64_t i = 0; i < count; ++i) {
    if (!array.structure) {
      const Scalar number = element(elements, i);
      values.push_back(is_floating(number.dtype) || is_complex(number.dtype) ? Value{NumpyScalar{number}}
                                                                             : python_value(number));
      continue;
    }
    auto text = string_at(*elements.contents, *array.structure, offset_at(elements.layout, i));
    if (!text) return call.refuse(Msg::np_string_character), std::nullopt;
    values.push_back(*std::move(text));
  }
  return values;
}

namespace {

/// The row-major positions of the elements in the order in which NumPy goes over them, and meets what is none.
std::vector<size_t> walked(const Layout& layout) {
  const Layout places = permute(contiguous(layout.sizes), slowest_first(layout));
  std::vector<size_t> positions(static_cast<size_t>(numel(layout.sizes).value_or(0)));
  for (size_t i = 0; i < positions.size(); ++i)
    positions[i] = static_cast<size_t>(offset_at(places, static_cast<int64_t>(i)));
  return positions;
}

}  // namespace

int64_t string_room(const Tensor& array) { return array.structure ? array.structure->length() : room_of(array.dtype); }

TensorRef as_strings(Call& call, const Tensor& array, const StructurePtr& asked) {
  if (array.structure && !array.structure->is_string())
    return call.refuse(Msg::np_structures_not_modelled, {std::string(call.name())}), nullptr;
  const StructurePtr string = asked->itemsize > 0 ? asked : string_structure(asked->characters, string_room(array));
  const bool recodes = array.structure && array.structure->characters != string->characters;
  if (!is_known(*array.storage->contents) && recodes)  // whether all of it is ASCII
    return call.refuse(Msg::values_unknown), nullptr;
  if (!is_known(*array.storage->contents))
    return unknown_strings(call, string, owned_layout(call, array.layout.sizes, string->itemsize));
  const auto values = values_of(call, array);
  if (!values || too_costly(call, array.layout.sizes, string->itemsize)) return nullptr;
  for (const size_t i : walked(array.layout))
    if (!fitting(call, *string, (*values)[i])) return nullptr;
  std::vector<const Value*> all;
  for (const Value& value : *values) all.push_back(&value);
  return made_of(call, string, array.layout.sizes, all);
}

std::vector<Tensor> as_one_string(Call& call, const std::vector<Tensor>& arrays) {
  const bool text = std::any_of(arrays.begin(), arrays.end(), [](const Tensor& array) {
    return is_of_strings(array) && array.structure->characters == 'U';
  });
  int64_t room = 1;
  for (const Tensor& array : arrays) room = std::max(room, string_room(array));
  const StructurePtr string = string_structure(text ? 'U' : 'S', room);
  std::vector<Tensor> converted;
  for (const Tensor& array : arrays) {
    const bool as_it_is = array.structure && same_structure(*array.structure, *string);
    const TensorRef made = as_it_is ? nameless(array) : as_strings(call, array, string);
    if (!made) return {};
    converted.push_back(*made->tensor);
  }
  return converted;
}

TensorRef as_numbers(Call& call, const Tensor& strings, DType dtype) {
  if (!is_known(*strings.storage->contents)) return call.refuse(Msg::values_unknown), nullptr;  // whether they are any
  auto values = values_of(call, strings);
  if (!values) return nullptr;
  std::vector<Scalar> numbers(values->size());
  for (const size_t i : walked(strings.layout)) {
    Value& value = (*values)[i];
    const auto* text = std::get_if<std::string>(&value.held);
    value.of_numpy = text || !is_integer(dtype);  // as what fails tells of it
    if (dtype == DType::boolean) {
      numbers[i] = {dtype, characters_of(value)->empty() ? 0 : 1};
      continue;
    }
    if (is_complex(dtype)) return call.refuse(Msg::not_modelled, {"NumPy", "complex of a string"}), nullptr;
    const Outcome number = (is_integer(dtype) ? to_integer : to_real)({value});
    if (number.problem && !(number.problem->raised && (text || is_bytes(value))))
      return call.refuse(Msg::beyond_int64), nullptr;
    if (number.problem)
      return call.fail(number.problem->raised->type.c_str(), number.problem->raised->text, number.problem->reason),
             nullptr;
    numbers[i] = stored_scalar(call, number.value, dtype);
    if (call.failed()) return nullptr;
  }
  const Value made = numpy_fresh(call, strings.layout.sizes, dtype, literal_contents(numbers, dtype));
  return call.failed() ? nullptr : std::get<TensorRef>(made.held);
}

void assign_strings(Call& call, const Tensor& target, const Value& value) {
  if (!numpy_writeable(call, target)) return;
  const size_t said = call.said();
  ReadBefore before;
  TensorRef source = tensor_of(value) ? as_array(call, value)
                                      : string_array(call, target.structure, value, target.layout.rank(), &before);
  if (source && !copies_whole(target, *source->tensor))  // where nothing is written, nothing is made to fit
    source = count_of(target) > 0 ? as_strings(call, *source->tensor, target.structure)
                                  : unknown_strings(call, target.structure, source->tensor->layout);
  const bool cut = call.unsay(said);
  if (!source) return write_before(call, target, before);
  numpy_assign(call, target, source, Casting::unsafe);
  if (cut && !call.failed()) call.why(Msg::np_strings_cut, {target.structure->length()});
}

}  // namespace stridescope
