// The dtypes of such numbers.
#include <algorithm>

#include "ops/numpy/byte_order.h"

namespace stridescope {

StructurePtr read_swapped_dtype(const Value& value) {
  if (const auto* structure = std::get_if<StructurePtr>(&value.held))
    return (*structure)->is_swapped() ? *structure : nullptr;
  const auto* text = std::get_if<std::string>(&value.held);
  if (!text || !text->starts_with('>')) return nullptr;
  const auto number = numpy_dtype({"=" + text->substr(1)});
  return number && itemsize(*number) > 1 ? swapped_structure(*number) : nullptr;
}

std::optional<Value> swapped_attribute(const StructurePtr& swapped, std::string_view attribute) {
  if (attribute == "byteorder") return Value{std::string(">")};
  if (attribute == "isnative") return Value{false};
  if (attribute == "isbuiltin") return Value{int64_t{0}};
  if (attribute == "str") return Value{to_string(*swapped)};
  if (attribute == "base") return Value{swapped};
  if (attribute == "descr")
    return list_of({list_of({Value{std::string()}, Value{to_string(*swapped)}}, Sequence::Kind::tuple)});
  return dtype_attribute(swapped->number, attribute);
}

namespace {

enum class ByteOrder : uint8_t { turned, native, little, big, kept };

StructureField in_order(StructureField field, ByteOrder order);

/// The same numbers in that order; of the machine's where null.
StructurePtr in_order(DType number, bool swapped, ByteOrder order) {
  const bool big =
      order == ByteOrder::big || (order == ByteOrder::turned ? !swapped : swapped && order == ByteOrder::kept);
  return big && itemsize(number) > 1 ? swapped_structure(number) : nullptr;
}

Structure in_order(Structure structure, ByteOrder order) {
  for (StructureField& field : structure.fields) field = in_order(std::move(field), order);
  return structure;
}

StructureField in_order(StructureField field, ByteOrder order) {
  const bool swapped = field.structure && field.structure->is_swapped();
  if (field.structure && !swapped) {
    field.structure = std::make_shared<const Structure>(in_order(*field.structure, order));
    return field;
  }
  const DType number = swapped ? field.structure->number : field.dtype;
  field.structure = in_order(number, swapped, order);
  field.dtype = field.structure ? DType::structured : number;
  return field;
}

/// Whether a character is among its fields, whose order is not modelled.
bool holds_text(const Structure& structure) {
  return structure.characters == 'U' ||
         std::any_of(structure.fields.begin(), structure.fields.end(),
                     [](const StructureField& field) { return field.structure && holds_text(*field.structure); });
}

/// "S", "swap", ">", "little": only the first letter counts.
std::optional<ByteOrder> byte_order_named(const std::string& word) {
  switch (word.empty() ? '\0' : word[0]) {
    case 'S':
    case 's': return ByteOrder::turned;
    case '>':
    case 'B':
    case 'b': return ByteOrder::big;
    case '<':
    case 'L':
    case 'l': return ByteOrder::little;
    case '=':
    case 'N':
    case 'n': return ByteOrder::native;
    case '|':
    case 'I':
    case 'i': return ByteOrder::kept;
    default: return std::nullopt;
  }
}

}  // namespace

Outcome newbyteorder(const Value& dtype, const std::vector<Value>& arguments) {
  const auto* word = arguments.empty() ? nullptr : std::get_if<std::string>(&arguments.front().held);
  if (arguments.size() == 1 && as_real(arguments.front()))
    return python_error("TypeError", {"byteorder must be str, not ", type_name(arguments.front())},
                        Message(Msg::argument_has_type, {"new_order", "str", type_name(arguments.front())}));
  if (arguments.size() > 1 || (!arguments.empty() && !word))
    return limit(Msg::not_modelled, {"NumPy", "newbyteorder(..)"});
  const auto order = word ? byte_order_named(*word) : ByteOrder::turned;
  if (!order)
    return python_error("ValueError", {"byteorder not recognized (got ", quoted(*word), ")"},
                        Message(Msg::np_byte_order_unknown, {*word}));
  if (const auto* structure = std::get_if<StructurePtr>(&dtype.held); structure && !(*structure)->is_swapped()) {
    if (holds_text(**structure)) return limit(Msg::not_modelled, {"NumPy", "newbyteorder of " + repr(**structure)});
    return Value{std::make_shared<const Structure>(in_order(**structure, *order))};
  }
  const StructurePtr swapped = read_swapped_dtype(dtype);
  const DType number = swapped ? swapped->number : *as_dtype(dtype);
  if (StructurePtr made = in_order(number, swapped != nullptr, *order)) return Value{std::move(made)};
  const bool little = order == ByteOrder::little || (order == ByteOrder::turned && swapped) ||
                      (order == ByteOrder::kept && is_little_dtype(dtype));
  return little ? little_dtype_object(number) : dtype_object(number);
}

}  // namespace stridescope
