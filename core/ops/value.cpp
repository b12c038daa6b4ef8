#include "ops/value.h"

#include <algorithm>

#include "ops/contents.h"
#include "ops/lent_memory.h"
#include "ops/python/classes.h"
#include "ops/python/set.h"

namespace stridescope {

Float::operator double() const { return known_ ? value_ : read_unknown(DType::float64).real; }
Scalar NumpyScalar::value() const { return known_ ? value_ : read_unknown(value_.dtype); }

bool is_unknown(const Value& value) {
  const auto* real = std::get_if<Float>(&value.held);
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  return (real && !real->is_known()) || (scalar && !scalar->is_known());
}

std::string_view device_name(const Value& value) {
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && symbol->path.starts_with("device.") ? std::string_view(symbol->path).substr(7) : std::string_view();
}

void use_up(const Value& value, size_t count) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence || !is_iterator(sequence->kind)) return;
  auto& items = const_cast<std::vector<Value>&>(*sequence->items);  // made as one that can change
  items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(count, items.size())));
}

bool is_partial(const Value& value) {
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && symbol->self && symbol->path == "functools.partial";
}

bool is_getter(const Value& value) {
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && symbol->self && (symbol->path == "operator.itemgetter" || symbol->path == "operator.attrgetter");
}

std::span<const Value> parts_of(const Value& value) {
  if (const auto* sequence = std::get_if<Sequence>(&value.held)) return *sequence->items;
  if (const auto* dictionary = std::get_if<Dictionary>(&value.held)) return dictionary->items->values;
  if (const auto* object = std::get_if<Object>(&value.held)) return object->attributes->values;
  if (const Set* set = set_in(value)) return set->items->items;
  if (is_partial(value)) return parts_of(*std::get<Symbol>(value.held).self);
  const auto* function = std::get_if<FunctionPtr>(&value.held);
  return function && (*function)->self ? std::span((*function)->self.get(), 1) : std::span<const Value>();
}

std::span<const Value> named_parts(const Value& value) {
  return memory_kept(value) ? std::span<const Value>() : parts_of(value);
}

std::string part_name(const std::string& name, const Value& value, size_t i, size_t limit) {
  if (const auto* object = std::get_if<Object>(&value.held))
    return name + "." + std::get<std::string>(object->attributes->keys[i].held);
  const auto* dictionary = std::get_if<Dictionary>(&value.held);
  return name + "[" + (dictionary ? to_string(dictionary->items->keys[i], limit) : std::to_string(i)) + "]";
}

const void* object_of(const Value& value) {
  if (const auto* dictionary = std::get_if<Dictionary>(&value.held)) return dictionary->items.get();
  if (const auto* object = std::get_if<Object>(&value.held)) return object->attributes.get();
  if (const Set* set = set_in(value)) return set->items.get();
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && sequence->kind == Sequence::Kind::list ? sequence->items.get() : nullptr;
}

bool holds_object(const Value& value, const void* object) {
  const auto any = [&](std::span<const Value> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](const Value& part) { return holds_object(part, object); });
  };
  const auto* own = std::get_if<Object>(&value.held);
  const auto* itself = std::get_if<ClassPtr>(&value.held);
  for (const Class* type = own ? own->type.get() : itself ? itself->get() : nullptr; type; type = type->base.get())
    if (type->members.get() == object || any(type->members->values)) return true;
  return object_of(value) == object || any(parts_of(value));
}

const TensorPtr& tensor_of(const Value& value) {
  static const TensorPtr none;
  const auto* ref = std::get_if<TensorRef>(&value.held);
  return ref != nullptr ? (*ref)->tensor : none;
}

bool is_of_torch(const Value& value) { return tensor_of(value) && tensor_of(value)->library == Library::torch; }

bool is_parameter(const Value& value) {
  const auto* ref = std::get_if<TensorRef>(&value.held);
  return ref && (*ref)->parameter;
}

bool has_dtype(const Value& value) {
  return std::holds_alternative<TensorRef>(value.held) || std::holds_alternative<NumpyScalar>(value.held);
}

TensorPtr first_tensor(const Value& value) {
  if (TensorPtr tensor = tensor_of(value)) return tensor;
  for (const Value& part : parts_of(value))
    if (TensorPtr tensor = first_tensor(part)) return tensor;
  return nullptr;
}

bool is_bytes(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && sequence->kind == Sequence::Kind::bytes;
}

bool is_flat(const Value& value) {
  const auto* facet = std::get_if<Facet>(&value.held);
  return facet && facet->name == "flat";
}

bool is_broadcast(const Value& value) {
  const auto* facet = std::get_if<Facet>(&value.held);
  return facet && facet->name == "broadcast";
}

namespace {

/// Nothing where it has nothing in it that can change, and so stays what it is.
std::optional<Value> frozen_objects(const Value& value) {
  if (const auto* ref = std::get_if<TensorRef>(&value.held)) return Value{std::make_shared<TensorObject>(**ref)};
  if (const auto* dictionary = std::get_if<Dictionary>(&value.held)) {
    auto items = std::make_shared<DictionaryItems>(*dictionary->items);
    for (Value& item : items->values) item = frozen(item);
    return Value{Dictionary{std::move(items), dictionary->view}};
  }
  if (const Set* set = set_in(value)) {
    auto items = std::make_shared<SetItems>(*set->items);
    for (Value& item : items->items) item = frozen(item);
    return Value{Set{std::move(items), set->fixed}};
  }
  if (is_partial(value)) {
    const Symbol& symbol = std::get<Symbol>(value.held);
    return Value{Symbol{symbol.path, std::make_shared<const Value>(frozen(*symbol.self))}};
  }
  if (const auto* object = std::get_if<Object>(&value.held)) {
    auto attributes = std::make_shared<DictionaryItems>(*object->attributes);
    for (Value& attribute : attributes->values) attribute = frozen(attribute);
    if (const TensorRef kept = memory_kept({Object{object->type, attributes}})) {
      Tensor now = *kept->tensor;
      now.storage = std::make_shared<Storage>(*now.storage);
      kept->tensor = std::make_shared<const Tensor>(std::move(now));
    }
    return Value{Object{object->type, std::move(attributes), object->from}};
  }
  const auto* sequence = std::get_if<Sequence>(&value.held);
  std::optional<std::vector<Value>> items;
  if (sequence && (sequence->kind == Sequence::Kind::list || is_iterator(sequence->kind))) items = *sequence->items;
  for (size_t i = 0; sequence && i < sequence->items->size(); ++i) {
    auto item = frozen_objects((*sequence->items)[i]);
    if (!item) continue;
    if (!items) items = *sequence->items;
    (*items)[i] = *std::move(item);
  }
  if (!items) return std::nullopt;
  return Value{Sequence{sequence->kind, std::make_shared<std::vector<Value>>(*std::move(items)), sequence->shown,
                        nullptr, sequence->type}};
}

}  // namespace

Value frozen(const Value& value) { return frozen_objects(value).value_or(value); }

namespace {

/// Tuples whose items have names: the function that gives them, what NumPy calls their type, and the names.
struct Ranked {
  std::string_view function, numpy, fields;
};
constexpr Ranked ranked_ones[] = {{"aminmax", "", "min max"},
                                  {"_IncompatibleKeys", "", "missing_keys unexpected_keys"},
                                  {"slogdet", "SlogdetResult", "sign logabsdet"},
                                  {"eig", "EigResult", "eigenvalues eigenvectors"},
                                  {"eigh", "EighResult", "eigenvalues eigenvectors"},
                                  {"qr", "QRResult", "Q R"},
                                  {"svd", "SVDResult", "U S Vh"},
                                  {"lu", "", "P L U"},
                                  {"lstsq", "", "solution residuals rank singular_values"},
                                  {"unique_counts", "UniqueCountsResult", "values counts"},
                                  {"unique_inverse", "UniqueInverseResult", "values inverse_indices"},
                                  {"unique_all", "UniqueAllResult", "values indices inverse_indices counts"},
                                  {"histogram", "", "hist bin_edges"},
                                  {"frexp", "", "mantissa exponent"},
                                  {"inv_ex", "", "inverse info"},
                                  {"solve_ex", "", "result info"},
                                  {"cholesky_ex", "", "L info"},
                                  {"lu_factor", "", "LU pivots"},
                                  {"lu_factor_ex", "", "LU pivots info"},
                                  {"triangular_solve", "", "solution cloned_coefficient"}};

}  // namespace

std::string ranked_type(std::string_view function) {
  const std::string name(function.substr(function.rfind('.') + 1));
  const bool linear = function.find("linalg.") != std::string_view::npos;
  if (!function.starts_with("numpy.")) return (linear ? "torch.return_types.linalg_" : "torch.return_types.") + name;
  const auto* one = std::find_if(std::begin(ranked_ones), std::end(ranked_ones),
                                 [&](const Ranked& each) { return each.function == name; });
  return std::string(one->numpy);
}

std::string_view field_names(const Sequence& ranked) {
  if (ranked.type) return ranked.type->fields->names;
  std::string_view type = *ranked.shown;
  type.remove_prefix(type.rfind('.') + 1);
  if (type.starts_with("linalg_")) type.remove_prefix(7);
  for (const Ranked& one : ranked_ones)
    if (one.function == type || one.numpy == type) return one.fields;
  return "values indices";
}

std::optional<Value> field_in(const Sequence& ranked, std::string_view name) {
  std::string_view fields = field_names(ranked);
  for (const Value& item : *ranked.items) {
    const std::string_view field = fields.substr(0, fields.find(' '));
    if (name == field) return item;
    fields.remove_prefix(std::min(field.size() + 1, fields.size()));
  }
  return std::nullopt;
}

}  // namespace stridescope
