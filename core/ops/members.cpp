#include "ops/members.h"

#include <algorithm>
#include <map>

#include "ops/call.h"
#include "ops/numpy/nditer.h"
#include "ops/numpy/ufunc.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/python.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

constexpr std::string_view constant_names[] = {"pi",
                                               "e",
                                               "inf",
                                               "nan",
                                               "newaxis",
                                               "Tensor",
                                               "ndarray",
                                               "strided",
                                               "contiguous_format",
                                               "preserve_format",
                                               "channels_last",
                                               "channels_last_3d",
                                               "bool",
                                               "uint8",
                                               "int8",
                                               "uint16",
                                               "int16",
                                               "uint32",
                                               "int32",
                                               "uint64",
                                               "int64",
                                               "float16",
                                               "bfloat16",
                                               "float32",
                                               "float64",
                                               "complex64",
                                               "complex128"};

constexpr double pi = 3.141592653589793, euler = 2.718281828459045;

using Found = std::map<std::string, Member, std::less<>>;

void add(Found& found, std::string_view name, Member::Kind kind, const Form* form) {
  auto place = found.find(name);
  if (place == found.end()) place = found.emplace(name, Member{std::string(name), kind, {}}).first;
  if (form) place->second.forms.push_back(form);
}

void add_members_of_module(Found& found, const std::string& path) {
  const std::string start = path + ".";
  for (const std::string_view name : names_in_module(path)) add(found, name, Member::Kind::function, nullptr);
  for (const std::string_view name : constant_names)
    if (constant(start + std::string(name))) add(found, name, Member::Kind::constant, nullptr);
  for (const Form& form : forms()) {
    std::string_view name = form.name;
    if (!name.starts_with(start)) continue;
    name.remove_prefix(start.size());
    const size_t dot = name.find('.');
    if (dot != std::string_view::npos)
      add(found, name.substr(0, dot), Member::Kind::module, nullptr);
    else if (form.kind == Form::Kind::function)
      add(found, name, Member::Kind::function, &form);
    else
      add(found, name.substr(0, name.find('[')), Member::Kind::constant, &form);  // np.s_
  }
}

/// `prefix` is "" for arrays, "flags." for a facet of one.
void add_members_of_value(Found& found, Library library, std::string_view prefix) {
  for (const Form& form : forms()) {
    const bool method = form.kind == Form::Kind::method;
    if (form.op->library != library || (!method && form.kind != Form::Kind::attribute) ||
        !form.name.starts_with(prefix))
      continue;
    const std::string_view name = std::string_view(form.name).substr(prefix.size());
    if (name.find('.') == std::string_view::npos)
      add(found, name, method ? Member::Kind::method : Member::Kind::attribute, &form);
  }
}

/// Of a tuple whose items have names.
void add_fields(Found& found, const Sequence& ranked) {
  std::string_view names = field_names(ranked);
  while (!names.empty()) {
    add(found, names.substr(0, names.find(' ')), Member::Kind::attribute, nullptr);
    names.remove_prefix(std::min(names.find(' '), names.size() - 1) + 1);
  }
}

void add_members_of_object(Found& found, const Object& object) {
  for (const Class* type = object.from ? object.from.get() : object.type.get(); type; type = type->base.get())
    for (size_t i = 0; i < type->members->keys.size(); ++i) {
      const auto* function = std::get_if<FunctionPtr>(&type->members->values[i].held);
      const bool method = function && (*function)->kind != Function::Kind::property;
      add(found, std::get<std::string>(type->members->keys[i].held),
          method ? Member::Kind::method : Member::Kind::attribute, nullptr);
    }
  for (const std::string_view name : methods_of(*object.type)) add(found, name, Member::Kind::method, nullptr);
  if (object.from) return;
  for (const Value& name : object.attributes->keys)
    add(found, std::get<std::string>(name.held), Member::Kind::attribute, nullptr);
}

}  // namespace

std::vector<Member> members(const Value& owner) {
  Found found;
  const auto* symbol = std::get_if<Symbol>(&owner.held);
  const auto* facet = std::get_if<Facet>(&owner.held);
  const auto* sequence = std::get_if<Sequence>(&owner.held);
  if (symbol && !symbol->self &&
      (is_module(symbol->path) || is_module_of_python(symbol->path) || is_ufunc(symbol->path)))
    add_members_of_module(found, symbol->path);
  else if (facet)
    add_members_of_value(found, library_of(owner), facet->name + ".");
  else if (sequence && sequence->kind == Sequence::Kind::ranked)
    add_fields(found, *sequence);
  else if (sequence && sequence->kind == Sequence::Kind::size)
    add_members_of_value(found, Library::torch, "size.");
  else if (sequence && sequence->kind == Sequence::Kind::nditer)
    for (const bool called : {false, true})
      for (const std::string_view name : nditer_members(called))
        add(found, name, called ? Member::Kind::method : Member::Kind::attribute, nullptr);
  else if (is_array(owner))
    add_members_of_value(found, library_of(owner), "");
  else if (const auto* object = std::get_if<Object>(&owner.held))
    add_members_of_object(found, *object);
  else if (dictionary_in(owner))
    for (const std::string_view name : dictionary_methods()) add(found, name, Member::Kind::method, nullptr);
  else if (const Set* set = set_in(owner))
    for (const std::string_view name : set_methods(*set)) add(found, name, Member::Kind::method, nullptr);
  std::vector<Member> result;
  for (auto& [name, member] : found) result.push_back(std::move(member));
  return result;
}

namespace {

/// Other names of the types, NumPy's on 64-bit Linux.
constexpr std::pair<std::string_view, std::string_view> numpy_aliases[] = {
    {"int_", "int64"},     {"intp", "int64"},        {"long", "int64"},         {"longlong", "int64"},
    {"uint", "uint64"},    {"uintp", "uint64"},      {"ulong", "uint64"},       {"ulonglong", "uint64"},
    {"intc", "int32"},     {"uintc", "uint32"},      {"short", "int16"},        {"ushort", "uint16"},
    {"byte", "int8"},      {"ubyte", "uint8"},       {"half", "float16"},       {"single", "float32"},
    {"double", "float64"}, {"csingle", "complex64"}, {"cdouble", "complex128"}, {"bool_", "bool"}};
constexpr std::pair<std::string_view, std::string_view> torch_aliases[] = {
    {"short", "int16"},   {"int", "int32"},      {"long", "int64"},       {"half", "float16"},
    {"float", "float32"}, {"double", "float64"}, {"cfloat", "complex64"}, {"cdouble", "complex128"}};

}  // namespace

std::optional<Value> constant(std::string_view path) {
  const size_t dot = path.find('.');
  const std::string_view module = path.substr(0, dot), member = path.substr(dot + 1);
  if (module != "math" && member.find('.') == member.npos && as_dtype({Symbol{std::string(path), nullptr}}))
    return Value{Symbol{std::string(path), nullptr}};
  if (member == "pi") return Value{pi};
  if (member == "e") return Value{euler};
  if (member == "inf") return Value{__builtin_inf()};
  if (member == "nan") return Value{__builtin_nan("")};
  if (path == "math.tau") return Value{2 * pi};
  if (path == "torch.__version__") return Value{std::string("2.6.0")};  // those that are modelled
  if (path == "numpy.__version__") return Value{std::string("2.2.4")};
  if (path == "einops.__version__") return Value{std::string("0.8.1")};
  if (path == "numpy.True_" || path == "numpy.False_")
    return Value{NumpyScalar{{DType::boolean, path == "numpy.True_" ? 1 : 0}}};
  if (path == "numpy.newaxis" || path == "torch.newaxis") return Value{};
  if (path == "sys.maxsize") return Value{INT64_MAX};
  if (path == "sys.byteorder") return Value{std::string("little")};
  for (const auto& [alias, name] : numpy_aliases)
    if (module == "numpy" && member == alias) return Value{Symbol{"numpy." + std::string(name), nullptr}};
  for (const auto& [alias, name] : torch_aliases)
    if (module == "torch" && member == alias) return Value{Symbol{"torch." + std::string(name), nullptr}};
  for (const std::string_view kind : {"generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact",
                                      "floating", "complexfloating", "flexible", "character", "str_", "bytes_", "void"})
    if (module == "numpy" && member == kind) return Value{Symbol{std::string(path), nullptr}};
  const bool format = member == "contiguous_format" || member == "preserve_format" || member == "channels_last" ||
                      member == "channels_last_3d";
  if ((module == "torch" && (format || member == "Tensor" || member == "strided")) || path == "numpy.ndarray")
    return Value{Symbol{std::string(path), nullptr}};
  return std::nullopt;
}

bool is_array(const Value& value) {
  return std::holds_alternative<TensorRef>(value.held) || std::holds_alternative<NumpyScalar>(value.held);
}

Library library_of(const Value& value) {
  if (const auto* facet = std::get_if<Facet>(&value.held)) return facet->tensor->library;
  const TensorPtr tensor = tensor_of(value);
  return tensor ? tensor->library : std::holds_alternative<NumpyScalar>(value.held) ? Library::numpy : Library::torch;
}

Library library_of(const Value& a, const Value& b) {
  if (tensor_of(a)) return library_of(a);
  return library_of(is_array(b) ? b : a);
}

bool is_of(const Value& value, Library library) { return tensor_of(value) && tensor_of(value)->library == library; }

bool are_mixed(const Value& a, const Value& b) {
  return (is_of(a, Library::torch) && is_of(b, Library::numpy)) ||
         (is_of(a, Library::numpy) && is_of(b, Library::torch));
}

}  // namespace stridescope
