// What dtype objects with fields, and others that are no numbers of the machine, answer.
#include <algorithm>

#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/python/dictionary.h"

namespace stridescope {
namespace {

/// What a field's dtype is, without the axes of one that is an array.
Value dtype_of_field(const StructureField& field) {
  return field.structure ? Value{field.structure} : dtype_object(field.dtype);
}

/// dt.descr: with what lies between the fields; nothing where they are not in the order of their bytes.
std::optional<Value> descr_of(const Structure& structure) {
  std::vector<Value> all;
  int64_t end = 0;
  const auto tuple = [](std::vector<Value> items) { return list_of(std::move(items), Sequence::Kind::tuple); };
  const auto pad = [&](int64_t upto) {
    if (upto > end) all.push_back(tuple({{std::string()}, {"|V" + std::to_string(upto - end)}}));
  };
  for (const StructureField& field : structure.fields) {
    if (field.offset < end) return std::nullopt;
    pad(field.offset);
    end = field.offset + field.nbytes();
    const bool plain = field.structure && !field.structure->has_fields();
    auto inner = plain             ? Value{to_string(*field.structure)}
                 : field.structure ? descr_of(*field.structure)
                                   : Value{type_code(field.dtype)};
    if (!inner) return std::nullopt;
    std::vector<Value> items{{field.name}, *std::move(inner)};
    if (!field.sizes.empty()) items.push_back(tuple_of(field.sizes));
    all.push_back(tuple(std::move(items)));
  }
  pad(structure.itemsize);
  return list_of(std::move(all));
}

/// dt.fields: of each name its dtype and offset.
std::optional<Value> fields_of(const Structure& structure) {
  Dictionary all{std::make_shared<DictionaryItems>()};
  for (const StructureField& field : structure.fields) {
    if (!field.sizes.empty()) return std::nullopt;
    store(all, {field.name}, list_of({dtype_of_field(field), {field.offset}}, Sequence::Kind::tuple));
  }
  all.items->fixed = true;
  return Value{all};
}

}  // namespace

/// Whether all numbers in it are in the byte order of the machine.
static bool is_native(const Structure& structure) {
  return !structure.is_swapped() &&
         std::all_of(structure.fields.begin(), structure.fields.end(),
                     [](const StructureField& field) { return !field.structure || is_native(*field.structure); });
}

std::optional<Outcome> structure_attribute(const StructurePtr& structure, std::string_view attribute) {
  const int64_t bytes = structure->itemsize;
  if (structure->is_swapped()) {
    auto value = swapped_attribute(structure, attribute);
    return value ? std::optional<Outcome>(*std::move(value)) : std::nullopt;
  }
  if (structure->is_string())
    if (auto value = string_attribute(structure, attribute)) return value;
  if (structure->is_raw() && (attribute == "names" || attribute == "fields")) return Value{};
  if (structure->is_raw() && attribute == "descr")
    return list_of({list_of({Value{std::string()}, Value{to_string(*structure)}}, Sequence::Kind::tuple)});
  if (attribute == "names") {
    std::vector<Value> names;
    for (const StructureField& field : structure->fields) names.push_back({field.name});
    return list_of(std::move(names), Sequence::Kind::tuple);
  }
  if (attribute == "fields") return fields_of(*structure);
  if (attribute == "descr") {
    if (auto descr = descr_of(*structure)) return *std::move(descr);
    return python_error("ValueError", "dtype.descr is not defined for types with overlapping or out-of-order fields",
                        Message(Msg::np_fields_out_of_order));
  }
  if (attribute == "itemsize") return Value{bytes};
  if (attribute == "alignment") return Value{structure->alignment};
  if (attribute == "isalignedstruct") return Value{structure->aligned};
  if (attribute == "kind" || attribute == "char") return Value{std::string("V")};
  if (attribute == "num") return Value{int64_t{20}};
  if (attribute == "str") return Value{"|V" + std::to_string(bytes)};
  if (attribute == "name") return Value{"void" + std::to_string(8 * bytes)};
  if (attribute == "byteorder") return Value{std::string("|")};
  if (attribute == "type") return Value{Symbol{"numpy.void", nullptr}};
  if (attribute == "base") return Value{structure};
  if (attribute == "isnative") return Value{is_native(*structure)};
  if (attribute == "hasobject") return Value{false};
  if (attribute == "isbuiltin" || attribute == "ndim") return Value{int64_t{0}};
  if (attribute == "shape") return list_of({}, Sequence::Kind::tuple);
  if (attribute == "subdtype" || attribute == "metadata") return Value{};
  return std::nullopt;
}

Outcome structure_item(const StructurePtr& structure, const Value& key) {
  if (!structure->has_fields())
    return python_error("KeyError", quoted("There are no fields in dtype " + to_string(*structure) + "."),
                        Message(Msg::np_field_key, {type_name(key)}));
  const auto& fields = structure->fields;
  const auto given = [](const StructureField& field) -> Outcome {
    if (!field.sizes.empty()) return limit(Msg::not_modelled, {"NumPy", "dtype[" + quoted(field.name) + "]"});
    return dtype_of_field(field);
  };
  const auto missing = [&](const std::string& text) {
    return python_error("KeyError", quoted(text), Message(Msg::np_no_field, {text, names_text(*structure)}));
  };
  if (const auto* name = std::get_if<std::string>(&key.held)) {
    const StructureField* field = structure->field(*name);
    return field ? given(*field) : missing("Field named " + quoted(*name) + " not found.");
  }
  if (const auto index = as_index(key)) {
    const auto count = static_cast<int64_t>(fields.size()), at = *index < 0 ? *index + count : *index;
    if (at >= 0 && at < count) return given(fields[static_cast<size_t>(at)]);
    return python_error("IndexError", {"Field index ", *index, " out of range."},
                        Message(Msg::sequence_index_out_of_range, {*index, count}));
  }
  if (const auto names = field_list(key)) {
    for (const std::string& name : *names)
      if (!structure->field(name)) return missing(name);
    return Value{std::make_shared<const Structure>(structure->only(*names))};
  }
  return python_error("TypeError",
                      "Field key must be an integer field offset, single field name, or list of field names.",
                      Message(Msg::np_field_key, {type_name(key)}));
}

}  // namespace stridescope
