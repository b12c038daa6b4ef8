#include "ops/python/text.h"

#include <algorithm>

#include "ops/call.h"
#include "ops/files.h"
#include "ops/lent_memory.h"
#include "ops/members.h"
#include "ops/numpy/byte_order.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/exceptions.h"
#include "ops/python/format_spec.h"
#include "ops/python/set.h"
#include "ops/torch/grad_fn.h"
#include "ops/torch/nn/modules.h"
#include "ops/torch/torch.h"
#include "ops/trace.h"

namespace stridescope {
namespace {

bool is_known(const Value& value, const Texts& told);

bool are_known(std::span<const Value> parts, const Texts& told) {
  return std::all_of(parts.begin(), parts.end(), [&](const Value& part) { return is_known(part, told); });
}

/// Whether to_string(value, told) is what Python's repr gives.
bool is_known(const Value& value, const Texts& told) {
  if (told.contains(text_key(value))) return true;
  const auto part = [&](const std::shared_ptr<const Value>& one) { return !one || is_known(*one, told); };
  if (const auto* sequence = std::get_if<Sequence>(&value.held))
    return sequence->kind < Sequence::Kind::c_array && are_known(*sequence->items, told);
  if (const auto* dictionary = std::get_if<Dictionary>(&value.held))
    return (dictionary->view != Dictionary::View::whole || part(dictionary->items->makes)) &&
           are_known(parts_of(value), told);
  if (const Set* set = set_in(value)) return set->items->has_order() && are_known(set->items->items, told);
  if (is_module_value(value)) {
    const auto modules = modules_in(std::get<Object>(value.held));
    return std::none_of(modules.begin(), modules.end(),
                        [](const auto& one) { return writes_itself(std::get<Object>(one.second.held)); });
  }
  if (is_told_file(value)) return true;
  if (const TensorRef memory = bytes_of_file(value) ? nullptr : memory_kept(value))
    return stridescope::is_known(*memory->tensor->storage->contents);
  if (const auto* object = std::get_if<Object>(&value.held)) {
    // Another object shows where it is in memory.
    const Fields* const fields = class_member(*object->type, "__repr__") ? nullptr : fields_of(*object->type);
    const auto known = [&](const FunctionParameter& field) {
      const Value* const held = field_of(*object, field.name);
      return held && is_known(*held, told);
    };
    return fields && std::all_of(fields->parameters.begin() + 1, fields->parameters.end(), known);
  }
  if (const auto* slice = std::get_if<SliceValue>(&value.held))
    return part(slice->start) && part(slice->stop) && part(slice->step);
  if (const auto* symbol = std::get_if<Symbol>(&value.held))
    return symbol->self ? is_getter(value) || (is_partial(value) && are_known(parts_of(value), told))
                        : (is_dtype_object(value) || !device_name(value).empty() || to_string(value).starts_with("<") ||
                           symbol->path == "torch.strided" || type_name(value) == "torch.dtype" ||
                           type_name(value) == "torch.memory_format");
  if (const auto* caught = std::get_if<Caught>(&value.held)) return caught->worded && is_exception(caught->type);
  return !is_unknown(value) && !std::holds_alternative<Facet>(value.held) && !tensor_of(value) &&
         !std::holds_alternative<FunctionPtr>(value.held);
}

/// Whether a set is it or in it whose order is not known.
bool holds_unordered(const Value& value) {
  const auto parts = parts_of(value);
  return is_unordered(value) || std::any_of(parts.begin(), parts.end(), holds_unordered);
}

/// What format() goes by: of NumPy's scalars and of tensors without dimensions the number.
Value plain_number(const Value& value) {
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return python_value(scalar->value());
  const TensorPtr tensor = tensor_of(value);
  const bool number = tensor && tensor->layout.rank() == 0 && tensor->numbers() != DType::structured;
  return number ? python_value(element(elements_of(native(*tensor)), 0)) : value;
}

}  // namespace

bool holds_unknown(const Value& value) {
  const auto parts = parts_of(value);
  return is_unknown(value) || std::any_of(parts.begin(), parts.end(), holds_unknown);
}

/// Of a tensor or an array. One that was reckoned from what requires a gradient also names the function, if that is
/// known.
static std::optional<std::string> tensor_text(const Value& value, const Tensor& tensor) {
  if (tensor.library == Library::numpy) return numpy_printed(tensor, true);
  if (is_behind(tensor)) {
    Tensor again = tensor;
    again.way_back = way_of_view;
    again.seen_version = *tensor.version;
    return tensor_text(value, again);
  }
  const bool led = tensor.version && *tensor.version == tensor.seen_version && !tensor.way_back.empty();
  if (tensor.requires_grad && !tensor.is_leaf && !led) return std::nullopt;
  auto text = python_printed(tensor);
  return text && is_parameter(value) ? "Parameter containing:\n" + *text : text;
}

/// Adds those of all tensors and arrays that the value shows, as long as they take no more than `left` bytes.
/// @return whether they are known
static bool tell_tensors(const Value& value, Texts& told, size_t& left) {
  if (const TensorPtr tensor = tensor_of(value)) {
    const auto text = tensor_text(value, *tensor);
    if (!text || text->size() > left) return false;
    left -= text->size();
    told[text_key(value)] = *text;
    return true;
  }
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const bool shows = sequence ? sequence->kind <= Sequence::Kind::ranked
                              : std::holds_alternative<Dictionary>(value.held) || is_partial(value) ||
                                    (std::holds_alternative<Object>(value.held) && !is_module_value(value));
  const auto parts = shows && !told.contains(text_key(value)) ? parts_of(value) : std::span<const Value>();
  return std::all_of(parts.begin(), parts.end(), [&](const Value& part) { return tell_tensors(part, told, left); });
}

std::optional<std::string> python_repr(const Value& value, Texts told) {
  if (const TensorPtr tensor = tensor_of(value)) return tensor_text(value, *tensor);
  const auto* facet = std::get_if<Facet>(&value.held);
  if (facet && facet->name == "flags") return flags_text(*facet->tensor);
  if (facet && facet->name.ends_with("storage")) return storage_text(*facet);
  size_t left = max_output_bytes;
  if (!tell_tensors(value, told, left) || !is_known(value, told)) return std::nullopt;
  return to_string(value, told);
}

std::optional<std::string> python_str(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.held)) return *text;
  if (value.of_numpy) return python_str({value.held});  // bytes
  if (const auto* caught = std::get_if<Caught>(&value.held); caught && caught->worded) return caught->text;
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held); scalar && is_known(value, {}))
    return scalar_text(scalar->value());
  if (const std::string_view device = device_name(value); !device.empty()) return std::string(device);
  if (const TensorPtr array = tensor_of(value); array && array->library == Library::numpy)
    return numpy_printed(*array, false);
  if (is_dtype_object(value)) return std::string(name(*as_dtype(value)));
  if (const auto* structure = std::get_if<StructurePtr>(&value.held)) return to_string(**structure);
  if (const Dictionary* proxy = dictionary_in(value); proxy && proxy->items->fixed) {
    auto plain = std::make_shared<DictionaryItems>(*proxy->items);
    plain->fixed = false;
    return python_repr(Value{Dictionary{std::move(plain)}});
  }
  return python_repr(value);
}

std::optional<std::string> python_ascii(const Value& value) {
  std::optional<std::string> text = python_repr(value);
  const bool ascii =
      text && std::all_of(text->begin(), text->end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? text : std::nullopt;
}

Outcome text_or_limit(std::optional<std::string> text, std::string_view call, const Value& value) {
  if (text && text->size() > max_text) return limit(Msg::too_many_items, {static_cast<int64_t>(max_text)});
  if (text) return Value{*std::move(text)};
  if (holds_unknown(value)) return limit(Msg::values_unknown);
  if (holds_unordered(value)) return order_unknown();
  return limit(Msg::not_modelled, {"Python", std::string(call) + "(" + type_name(value) + ")"});
}

Outcome python_format(const Value& given, std::string_view spec) {
  const Value value = plain_number(given);
  if (spec.empty()) return text_or_limit(python_str(value), "str", given);
  const auto* text = std::get_if<std::string>(&value.held);
  const auto* number = std::get_if<Float>(&value.held);
  const auto* complex = std::get_if<ComplexFloat>(&value.held);
  const bool integer = std::holds_alternative<int64_t>(value.held) || std::holds_alternative<bool>(value.held);
  const std::string type = type_name(value);
  const Message reason(Msg::format_unfit, {spec, type});
  if (!text && !number && !complex && !integer)
    return python_error("TypeError", {"unsupported format string passed to ", attribute_type(value), ".__format__"},
                        reason);
  FormatSpec fields;
  std::string problem = fields.read(spec, type);
  if (problem.empty()) problem = fields.misfit(type);
  if (!problem.empty()) return python_error("ValueError", problem, reason);
  const int64_t whole = integer ? *as_integer(value) : 0;
  const bool character = fields.type == 'c', surrogate = whole >= 0xD800 && whole < 0xE000;
  if (character && (whole < 0 || whole > 0x10FFFF))
    return python_error("OverflowError", "%c arg not in range(0x110000)", reason);
  const bool reals = number || complex || (integer && !fields.is_whole());
  if ((reals && fields.alternate) || (character && surrogate))
    return limit(Msg::not_modelled, {"Python", "format(" + type + ", " + quoted(std::string(spec)) + ")"});
  const int64_t most = static_cast<int64_t>(max_items);
  if (fields.width > most || fields.precision > max_places)
    return limit(Msg::too_many_items, {fields.precision > max_places ? max_places : most});
  if (text) return Value{fields.written(*text)};
  if (complex) return Value{fields.written(*complex)};
  if (!reals) return Value{fields.written(whole)};
  return Value{fields.written(number ? double{*number} : static_cast<double>(whole))};
}

}  // namespace stridescope
