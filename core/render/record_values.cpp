#include "render/record_values.h"

#include <cmath>

#include "ops/call.h"
#include "ops/files.h"
#include "ops/number.h"
#include "ops/numpy/strings.h"
#include "ops/python/text.h"
#include "stridescope.h"

namespace stridescope {
namespace {

void write_real(Json& json, double value) {
  if (std::isfinite(value))
    json.raw(repr(value));
  else
    json.value(repr(value));
}

}  // namespace

void write_scalar(Json& json, const Scalar& value) {
  if (value.dtype == DType::boolean)
    json.value(value.integer != 0);
  else if (value.dtype == DType::uint64)
    json.value(static_cast<uint64_t>(value.integer));
  else if (is_integer(value.dtype))
    json.value(value.integer);
  else if (is_floating(value.dtype))
    write_real(json, value.real);
  else {
    json.array();
    write_real(json, value.real);
    write_real(json, value.imaginary);
    json.end();
  }
}

void write_scalar(Json& json, const NumpyScalar& scalar) {
  if (scalar.is_known())
    write_scalar(json, scalar.value());
  else
    json.null();
}

namespace {

/// A field from dimension `dim` of its own on.
void write_field(Json& json, const Contents& contents, const StructureField& field, int64_t byte, int dim) {
  if (dim < field.sizes.size()) {
    json.array();
    const int64_t stride = contiguous(field.sizes, field.unit()).strides[dim];
    for (int64_t i = 0; i < field.sizes[dim]; ++i) write_field(json, contents, field, byte + i * stride, dim + 1);
    json.end();
  } else if (field.structure) {
    write_structure(json, contents, *field.structure, byte);
  } else {
    write_scalar(json, read_at(contents, byte, field.dtype));
  }
}

}  // namespace

void write_structure(Json& json, const Contents& contents, const Structure& structure, int64_t byte) {
  if (structure.is_swapped()) return write_scalar(json, read_swapped(contents, byte, structure.number));
  if (!structure.has_fields()) {
    const auto text = string_at(contents, structure, byte);
    const auto* word = text ? std::get_if<std::string>(&text->held) : nullptr;
    return void(json.value(word   ? *word
                           : text ? to_string(*text, std::string::npos)
                                  : string_text(contents, structure, byte)));
  }
  json.array();
  for (const StructureField& field : structure.fields) write_field(json, contents, field, byte + field.offset, 0);
  json.end();
}

void write_plain(Json& json, const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (sequence && sequence->kind >= Sequence::Kind::range) {
    const std::string type = type_name(value);
    json.value(sequence->kind == Sequence::Kind::range   ? *sequence->shown
               : sequence->kind == Sequence::Kind::bytes ? to_string(value, std::string::npos)
                                                         : type.substr(type.rfind('.') + 1));
  } else if (sequence) {
    json.array();
    for (const Value& item : *sequence->items) write_plain(json, item);
    json.end();
  } else if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) {
    write_scalar(json, *scalar);
  } else if (const auto* truth = std::get_if<bool>(&value.held)) {
    json.value(*truth);
  } else if (const auto* integer = std::get_if<int64_t>(&value.held)) {
    json.value(*integer);
  } else if (const auto* real = std::get_if<Float>(&value.held)) {
    if (is_unknown(value))
      json.null();
    else
      write_real(json, *real);
  } else if (const auto* number = std::get_if<ComplexFloat>(&value.held)) {
    write_scalar(json, {DType::complex128, 0, number->real(), number->imag()});
  } else if (const auto* text = std::get_if<std::string>(&value.held)) {
    json.value(*text);
  } else if (std::holds_alternative<None>(value.held)) {
    json.null();
  } else if (const auto* structure = std::get_if<StructurePtr>(&value.held)) {
    json.value(to_string(**structure));
  } else if (is_dtype_object(value)) {
    json.value(name(*as_dtype(value)));  // str(x.dtype)
  } else if (const auto* made = std::get_if<Symbol>(&value.held);
             made && (made->path.ends_with("()") || made->path == "torch.Generator")) {
    const std::string path = made->path.substr(0, made->path.find('('));  // its repr ends in an address
    json.value(path.substr(path.rfind('.') + 1));
  } else if (const auto* symbol = std::get_if<Symbol>(&value.held);
             symbol && symbol->self && type_name(value) == "builtin_function_or_method") {
    json.value(type_name(value));  // its own text ends in an address, as that of objects and functions does
  } else if (!device_name(value).empty()) {
    json.value(device_name(value));  // str(x.device)
  } else if (const auto* facet = std::get_if<Facet>(&value.held); facet && facet->name == "flags") {
    json.value(flags_text(*facet->tensor));
  } else if (facet && facet->name == "Generator") {
    json.value(type_name(value));  // its repr ends in an address
  } else {
    const bool object = std::holds_alternative<Object>(value.held) || is_partial(value),
               whole =
                   object || std::holds_alternative<Dictionary>(value.held) || std::holds_alternative<Set>(value.held);
    const std::string type = type_name(value), shown = to_string(value, whole ? size_t{max_source_bytes} : 200);
    const auto* dictionary = std::get_if<Dictionary>(&value.held);
    if (dictionary && dictionary->items->fixed) return void(json.value(python_str(value).value_or(shown)));
    const bool addressed = is_partial(value) || (dictionary && dictionary->items->makes)
                               ? !python_repr(value)
                               : shown.starts_with('<') && !is_told_file(value) &&
                                     (object || std::holds_alternative<FunctionPtr>(value.held));
    json.value(addressed ? type.substr(type.rfind('.') + 1) : shown);
  }
}

}  // namespace stridescope
