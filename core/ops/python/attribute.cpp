// What a dot gives: members of modules, attributes and methods of tensors.
#include <algorithm>
#include <complex>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/numpy/nditer.h"
#include "ops/numpy/numpy.h"
#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/numpy/ufunc.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/exceptions.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"
#include "ops/python/text.h"
#include "ops/suggest.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The name nearest to `word` among those that could stand after the dot.
std::optional<std::string> nearest_member(std::string_view word, const Value& owner) {
  const std::vector<Member> known = members(owner);
  std::vector<std::string_view> names;
  for (const Member& member : known) names.push_back(member.name);
  return nearest(word, names);
}

/// How NumPy 2 speaks of a member that arrays, or its scalars, had before; empty of any other.
std::string_view taken_away(std::string_view member, bool scalar) {
  if (member == "ptp")
    return scalar
               ? "`ptp` was removed from scalar types in NumPy 2.0. For a scalar, the range of values always equals 0."
               : "`ptp` was removed from the ndarray class in NumPy 2.0. Use np.ptp(arr, ...) instead.";
  if (member == "itemset")
    return scalar ? "`itemset` was removed from scalar types in NumPy 2.0 because scalars are immutable."
                  : "`itemset` was removed from the ndarray class in NumPy 2.0. Use `arr[index] = value` instead.";
  if (member == "newbyteorder")
    return scalar ? "`newbyteorder` was removed from scalar types in NumPy 2.0. Use "
                    "`sc.view(sc.dtype.newbyteorder(order))` instead."
                  : "`newbyteorder` was removed from the ndarray class in NumPy 2.0. Use "
                    "`arr.view(arr.dtype.newbyteorder(order))` instead.";
  return {};
}

}  // namespace

std::string attribute_type(const Value& value) {
  const std::string name = type_name(value);
  if (value.of_numpy) return "numpy." + name + "_";
  if (name == "ndarray" || name == "void" || std::holds_alternative<NumpyScalar>(value.held)) return "numpy." + name;
  if (name == "TypedStorage" || name == "UntypedStorage") return "torch.storage." + name;
  if (name == "numpy.flagsobj") return "numpy._core.multiarray.flagsobj";
  if (name == "broadcast" || name == "nditer") return "numpy." + name;
  if (name == "Generator") return generator_memory(value) ? "torch._C.Generator" : "numpy.random._generator.Generator";
  if (const Dictionary* made = dictionary_in(value); made && made->items->makes) return "collections." + name;
  return name == "Size" ? "torch.Size" : name;
}

Diagnostic unsettable(const Value& owner, const std::string& name) {
  const std::vector<Member> known = members(owner);
  const auto member = std::find_if(known.begin(), known.end(), [&](const Member& one) { return one.name == name; });
  const TensorPtr tensor = tensor_of(owner);
  const bool array = tensor != nullptr, scalar = std::holds_alternative<NumpyScalar>(owner.held);
  const std::string type = attribute_type(owner);
  const Message reason(Msg::not_settable, {name});
  // A method may be hidden behind a value, and what PyTorch has beside those set.
  const bool settable = name == "data" || name == "grad" || name == "requires_grad" || name == "names" ||
                        name == "real" || name == "imag";
  if (const auto* named = std::get_if<Sequence>(&owner.held);
      named && named->kind == Sequence::Kind::ranked && field_in(*named, name))
    return python_error("AttributeError",
                        named->shown->starts_with("torch.") ? "readonly attribute" : "can't set attribute", reason);
  if (has_list_method(owner, name))
    return python_error("AttributeError", {"'", type, "' object attribute '", name, "' is read-only"}, reason);
  const bool unread =
      settable || member == known.end() ? library_has("torch.Tensor", name) : member->kind == Member::Kind::method;
  if (const auto* structure = std::get_if<StructurePtr>(&owner.held);
      structure ? structure_attribute(*structure, name).has_value()
                : is_dtype_object(owner) && dtype_attribute(*as_dtype(owner), name))
    return limit(Msg::not_modelled, {"NumPy", "x.dtype." + name + " = .."});
  // What dtypes and types have is not listed.
  if (std::holds_alternative<Symbol>(owner.held)) return limit(Msg::not_modelled, {"Python", "x." + name + " = .."});
  if (is_of_torch(owner) && unread) return limit(Msg::not_modelled, {"PyTorch", "x." + name + " = .."});
  if (member == known.end() && !(array && (name == "data" || name == "ctypes")))
    return python_error(
        "AttributeError",
        {"'", type, "' object has no attribute '", name, "' and no __dict__ for setting new attributes"}, reason);
  if (member != known.end() && member->kind == Member::Kind::method)
    return python_error("AttributeError", {"'", type, "' object attribute '", name, "' is read-only"}, reason);
  return python_error("AttributeError",
                      {"attribute '", name, "' of '",
                       scalar               ? "numpy.generic"
                       : is_of_torch(owner) ? "torch._C.TensorBase"
                                            : type,
                       "' objects is not writable"},
                      reason);
}

namespace {

/// The owner of an attribute: as names.h has it, as a program writes it, and as the error names it.
struct OwnerNames {
  std::string path, written, subject;
};

OwnerNames named_of(const Value& owner) {
  const std::string type = attribute_type(owner);
  const auto* symbol = std::get_if<Symbol>(&owner.held);
  if (const auto* caught = std::get_if<Caught>(&owner.held))
    return {caught->type == "NameError" || caught->type == "AttributeError" ? caught->type : "Exception", "error",
            "'" + type + "' object"};
  // A method leaves the question to its function.
  if (std::holds_alternative<FunctionPtr>(owner.held)) return {"function", "f", "'function' object"};
  if (!symbol || symbol->self)
    return {is_of_torch(owner)                                ? "torch.Tensor"
            : type.starts_with("torch.return_types.")         ? "tuple"
            : std::holds_alternative<NumpyScalar>(owner.held) ? "numpy.int64"
                                                              : type,
            "x", "'" + type + "' object"};
  const std::string name(class_path(symbol->path));
  if (is_dtype_object(owner)) return {"numpy.dtype", "x.dtype", "'" + type + "' object"};
  const bool scalar = name.starts_with("numpy.") && as_dtype(owner);
  if (scalar || library_has(name, "__doc__"))
    return {scalar ? "numpy.int64" : name, name, "type object '" + (name == "torch.Tensor" ? "Tensor" : name) + "'"};
  return {type, name, "'" + type + "' object"};
}

/// What NumPy names in place of what it has no more, where that is a name: "Use `np.inf` instead", "use `int` by
/// itself".
std::optional<std::string> successor_in(std::string_view removed) {
  for (const std::string_view use : {"Use `", "use `"}) {
    const size_t at = removed.find(use);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = removed.substr(at + use.size()), word = rest.substr(0, rest.find('`'));
    const std::string_view name = word.substr(word.starts_with("np.") ? 3 : 0);
    if (name.find_first_of(".(-") == std::string_view::npos) return std::string(word);
  }
  return std::nullopt;
}

void suggest(Diagnostic& problem, const std::optional<std::string>& close, Span name, std::string_view written) {
  // A name that the library has is no typing mistake: its neighbour is what differs in nothing but an end, as min_ and
  // min, bitwise_left_shift and bitwise_left_shift_.
  const auto near = [&] {
    return written.starts_with(*close) || written.ends_with(*close) || close->starts_with(written) ||
           close->ends_with(written);
  };
  if (close && (problem.raised || (written.size() > 4 && near())))
    problem.hints.push_back(
        {{problem.raised ? Msg::did_you_mean : Msg::nearest_modelled, {*close}}, Fix{name, *close}});
}

}  // namespace

/// The parts of a number, of a slice and of what functools.partial gives.
static std::optional<Value> part_of(const Value& owner, std::string_view name) {
  const auto held = [](const std::shared_ptr<const Value>& part) { return part ? *part : Value{}; };
  if (const auto* slice = std::get_if<SliceValue>(&owner.held)) {
    if (name == "start") return held(slice->start);
    if (name == "stop") return held(slice->stop);
    if (name == "step") return held(slice->step);
    return std::nullopt;
  }
  if (is_partial(owner))
    return name == "func"       ? std::optional(parts_of(owner)[0])
           : name == "args"     ? std::optional(parts_of(owner)[1])
           : name == "keywords" ? std::optional(parts_of(owner)[2])
                                : std::nullopt;
  const bool real = name == "real";
  if (!real && name != "imag") return std::nullopt;
  if (const auto* pair = std::get_if<ComplexFloat>(&owner.held)) return Value{real ? pair->real() : pair->imag()};
  if (const auto* number = std::get_if<Float>(&owner.held)) return real ? Value{*number} : Value{0.0};
  const bool whole = std::holds_alternative<int64_t>(owner.held) || std::holds_alternative<bool>(owner.held);
  return whole ? std::optional(Value{real ? *as_integer(owner) : int64_t{0}}) : std::nullopt;
}

Interpreter::Result Interpreter::eval_attribute(const Expr& expr) {
  const Result owner = eval(*expr.children[0]);
  return owner ? attribute(*owner, expr) : std::nullopt;
}

Interpreter::Result Interpreter::attribute(const Value& owner, const Expr& at) {
  if (!settings_.replaced.empty() && is_of_torch(owner) && settings_.replaced.count("torch.Tensor." + at.text))
    return fail(limit(Msg::not_modelled, {"Python", "torch.Tensor." + at.text + " = .."}), at.part);
  if (const auto* type = std::get_if<ClassPtr>(&owner.held)) return class_attribute(*type, at);
  if (std::holds_alternative<Object>(owner.held)) return object_attribute(owner, at);
  const auto* symbol = std::get_if<Symbol>(&owner.held);
  if (symbol && !symbol->self && is_ufunc(symbol->path)) {
    const std::string whole = symbol->path + "." + at.text;
    if (!find_forms(Library::numpy, Form::Kind::function, whole).empty()) return Value{Symbol{whole, nullptr}};
    if (auto value = ufunc_attribute(symbol->path, at.text)) return value;
  }
  if (at.text == "__class__" && !symbol) return settle(find_builtin("type")->function({owner}), at.part);
  if (symbol && !symbol->self && at.text == "__name__" && !is_module(symbol->path))
    return Value{symbol->path.substr(symbol->path.rfind('.') + 1)};
  if (const auto dtype = symbol && symbol->path.starts_with("torch.") ? as_dtype(owner) : std::nullopt) {
    if (at.text == "itemsize") return Value{int64_t{itemsize(*dtype)}};
    if (at.text == "is_floating_point") return Value{is_floating(*dtype)};
    if (at.text == "is_complex") return Value{is_complex(*dtype)};
    if (at.text == "is_signed") return Value{*dtype != DType::boolean && !is_unsigned(*dtype)};
  }
  if (const auto* caught = std::get_if<Caught>(&owner.held);
      caught && at.text == "args" && python_repr(owner) && (caught->bare || caught->type != "KeyError"))
    return list_of(caught->bare ? std::vector<Value>() : std::vector{Value{caught->text}}, Sequence::Kind::tuple);
  if (const auto* function = std::get_if<FunctionPtr>(&owner.held);
      function && (at.text.starts_with("__") || (*function)->given_before)) {
    if (at.text == "__name__") return Value{(*function)->name.substr((*function)->name.rfind('.') + 1)};
    return fail(limit(Msg::not_modelled, {"Python", at.text}), at.part);
  }
  if (const auto* generator = std::get_if<Sequence>(&owner.held);
      generator && generator->kind == Sequence::Kind::generator &&
      (at.text == "send" || at.text == "throw" || at.text == "close" || at.text.starts_with("gi_")))
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.part);
  if (const auto* named = std::get_if<Sequence>(&owner.held); named && named->type) {
    if (at.text == "_fields") return named_tuple_member(named->type, at);
    if (at.text == "_asdict" || at.text == "_replace")
      return Value{Symbol{"namedtuple." + at.text, std::make_shared<const Value>(owner)}};
    if (auto field = field_in(*named, at.text)) return *field;
  }
  if (auto part = part_of(owner, at.text)) return *part;
  if (walk_of(owner))
    if (auto told = nditer_attribute(owner, at.text)) return settle(*std::move(told), at.span);
  if (!device_name(owner).empty())
    if (auto value = device_attribute(owner, at.text)) return value;
  if (const Dictionary* items = dictionary_in(owner); items && is_dictionary_method(at.text, items->items->fixed))
    return Value{Symbol{"dict." + at.text, std::make_shared<const Value>(owner)}};
  if (const Dictionary* items = dictionary_in(owner); items && items->items->makes && at.text == "default_factory")
    return *items->items->makes;
  if (const Set* set = set_in(owner); set && is_set_method(*set, at.text))
    return Value{Symbol{"set." + at.text, std::make_shared<const Value>(owner)}};
  if (is_set_like(owner) && at.text == "isdisjoint") return settle(isdisjoint_of(owner), at.span);
  if (std::holds_alternative<std::string>(owner.held) && (at.text == "format" || is_string_method(at.text)))
    return Value{Symbol{"str." + at.text, std::make_shared<const Value>(owner)}};
  if (is_number_method(owner, at.text)) return Value{Symbol{"number." + at.text, std::make_shared<const Value>(owner)}};
  if (is_bytes(owner) && at.text == "hex") return Value{Symbol{"bytes.hex", std::make_shared<const Value>(owner)}};
  if (owner.of_numpy)
    if (auto value = string_scalar_attribute(owner, at.text)) return value;
  if (owner.of_numpy && (!find_forms(Library::numpy, Form::Kind::attribute, at.text).empty() ||
                         !find_forms(Library::numpy, Form::Kind::method, at.text).empty()))
    return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.part);
  if (has_list_method(owner, at.text)) return Value{Symbol{"list." + at.text, std::make_shared<const Value>(owner)}};
  if (symbol && !symbol->self && (is_module(symbol->path) || is_module_of_python(symbol->path)))
    return module_member(symbol->path, at.text, at);
  if (is_little_dtype(owner) && at.text == "byteorder") return Value{std::string("<")};
  if (is_dtype_object(owner))
    if (auto value = dtype_attribute(*as_dtype(owner), at.text)) return value;
  if (is_dtype(owner) && at.text == "newbyteorder")
    return Value{Symbol{"dtype.newbyteorder", std::make_shared<const Value>(owner)}};
  if (const auto* structure = std::get_if<StructurePtr>(&owner.held)) {
    if (auto told = structure_attribute(*structure, at.text)) return settle(*std::move(told), at.part);
    return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.part);
  }
  if (symbol && !symbol->self && (symbol->path == "numpy.ndarray" || symbol->path == "torch.Tensor") &&
      !find_forms(symbol->path == "torch.Tensor" ? Library::torch : Library::numpy, Form::Kind::method, at.text)
           .empty())
    return Value{Symbol{symbol->path + "." + at.text, nullptr}};
  if (const auto* tensor = std::get_if<TensorRef>(&owner.held))
    if (const auto own = attributes_.find({(*tensor)->id, at.text}); own != attributes_.end()) return own->second;
  const auto* facet = std::get_if<Facet>(&owner.held);
  const auto* sequence = std::get_if<Sequence>(&owner.held);
  const Library library = library_of(owner);
  const std::string name = facet ? facet->name + "." + at.text : sequence ? "size." + at.text : at.text;
  if (sequence && sequence->kind == Sequence::Kind::ranked)
    if (auto field = field_in(*sequence, at.text)) return *field;
  // What arrays have and NumPy's scalars have not.
  const bool missing =
      std::holds_alternative<NumpyScalar>(owner.held) && (at.text == "dot" || at.text == "mT" || at.text == "ctypes" ||
                                                          at.text == "partition" || at.text == "argpartition");
  if (!missing && (facet || is_array(owner) || (sequence && sequence->kind == Sequence::Kind::size))) {
    if (const auto attributes = find_forms(library, Form::Kind::attribute, name); !attributes.empty()) {
      const Span receiver = at.children.empty() ? Span{} : at.children[0]->span;
      return invoke(attributes, {{owner}, {}, {receiver, at.part, {}}}, at.span);
    }
    if (!find_forms(library, Form::Kind::method, name).empty())
      return Value{Symbol{name, std::make_shared<const Value>(owner)}};
  }
  if (is_array(owner) && library == Library::numpy)
    if (const std::string_view told = taken_away(at.text, std::holds_alternative<NumpyScalar>(owner.held));
        !told.empty())
      return fail(
          python_error("AttributeError", std::string(told), Msg::attribute_unknown, {attribute_type(owner), at.text}),
          at.part);
  const OwnerNames named = named_of(owner);
  const bool of_type = named.subject.starts_with("type object") && !library_has(named.path, at.text);
  Diagnostic problem =
      missing_attribute(of_type ? "type" : named.path, at.text, named.written + "." + at.text,
                        python_error("AttributeError", {named.subject, " has no attribute '", at.text, "'"},
                                     Msg::attribute_unknown, {attribute_type(owner), at.text}));
  suggest(problem, nearest_member(at.text, owner), at.part, at.text);
  // A method of the other library is no typing mistake.
  if (problem.raised && problem.hints.empty() && tensor_of(owner) &&
      !find_forms(library == Library::torch ? Library::numpy : Library::torch, Form::Kind::method, at.text).empty())
    problem.hints.push_back(
        {{Msg::belongs_to_other_library, {at.text, library == Library::torch ? "NumPy" : "PyTorch"}}, std::nullopt});
  return fail(std::move(problem), at.part);
}

/// getattr, hasattr and setattr: what stands after the dot, as a string.
Interpreter::Result Interpreter::member_of(std::string_view name, const std::vector<Value>& arguments, const Expr& at) {
  const auto* word = std::get_if<std::string>(&arguments[1].held);
  if (!word)
    return fail(python_error("TypeError", {"attribute name must be string, not '", type_name(arguments[1]), "'"},
                             Msg::argument_has_type, {"name", "str", type_name(arguments[1])}),
                at.span);
  Expr member;
  member.text = *word;
  member.span = member.part = at.span;
  if (name == "setattr" && !std::holds_alternative<Object>(arguments[0].held) &&
      !std::holds_alternative<ClassPtr>(arguments[0].held))
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (name == "setattr") return set_attribute(arguments[0], arguments[2], member) ? Result(Value{}) : std::nullopt;
  const size_t applied = step_->applied.size();
  const bool asks = name == "hasattr";
  const Result found = attribute(arguments[0], member);
  if (found) return asks ? Value{true} : *found;
  error_->hints.clear();
  // What Python has there, it has whether it is modelled or not.
  const bool built_in =
      !std::holds_alternative<Object>(arguments[0].held) && !std::holds_alternative<ClassPtr>(arguments[0].held);
  if (asks && built_in && !error_->raised && error_->reason.id == Msg::not_modelled && is_special(*word)) {
    error_.reset();
    return Value{true};
  }
  if (!error_->raised || error_->raised->type != "AttributeError" || (!asks && arguments.size() < 3))
    return std::nullopt;
  error_.reset();
  step_->applied.resize(std::min(applied, step_->applied.size()));
  return asks ? Value{false} : arguments[2];
}

Interpreter::Result Interpreter::module_member(const std::string& path, std::string_view member, const Expr& at) {
  const std::string whole = path + "." + std::string(member);
  if (settings_.replaced.count(whole)) return fail(limit(Msg::not_modelled, {"Python", whole + " = .."}), at.part);
  if (auto value = known_member(whole)) return value;
  const std::string_view removed = path == "numpy" ? removed_from_numpy(member) : std::string_view{};
  const std::string unknown = "module '" + path + "' has no attribute '" + std::string(member) + "'";
  Diagnostic problem = missing_attribute(
      path, member, whole,
      python_error("AttributeError", removed.empty() ? unknown : removed, Msg::member_unknown, {path, member}));
  if (const auto successor = successor_in(removed))
    suggest(problem, successor, at.span, member);
  else
    suggest(problem, nearest_member(member, {Symbol{path, nullptr}}), at.part, member);
  return fail(std::move(problem), at.part);
}

namespace {

/// The class of x.dtype: "numpy.dtypes.Float64DType".
std::string dtype_class(DType dtype) {
  std::string own(name(dtype));
  own[0] = static_cast<char>(own[0] - 32);
  if (is_unsigned(dtype)) own[1] = 'I';
  return "numpy.dtypes." + own + "DType";
}

}  // namespace

std::string type_name(const Value& value) {
  struct Names {
    std::string operator()(const None&) const { return "NoneType"; }
    std::string operator()(bool) const { return "bool"; }
    std::string operator()(int64_t) const { return "int"; }
    std::string operator()(const Float&) const { return "float"; }
    std::string operator()(const ComplexFloat&) const { return "complex"; }
    std::string operator()(const std::string&) const { return "str"; }
    std::string operator()(const Ellipsis&) const { return "ellipsis"; }
    std::string operator()(const Sequence& sequence) const {
      constexpr const char* names[] = {"list",  "tuple",  "Size",      "tuple",     "range",
                                       "bytes", "",       "zip",       "enumerate", "list_reverseiterator",
                                       "map",   "filter", "generator", "ndindex",   "ndenumerate",
                                       "nditer"};
      if (sequence.kind == Sequence::Kind::ranked || sequence.kind == Sequence::Kind::c_array ||
          sequence.kind == Sequence::Kind::iterator)
        return *sequence.shown;
      return names[static_cast<size_t>(sequence.kind)];
    }
    std::string operator()(const Dictionary& dictionary) const {
      constexpr const char* names[] = {"dict", "dict_keys", "dict_values", "dict_items"};
      const bool whole = dictionary.view == Dictionary::View::whole, ordered = dictionary.items->ordered;
      if (whole && dictionary.items->makes) return "defaultdict";
      if (whole && dictionary.items->fixed) return "mappingproxy";
      return whole && ordered ? "OrderedDict"
                              : (ordered ? "o" : "") + std::string(names[static_cast<size_t>(dictionary.view)]);
    }
    std::string operator()(const Set& set) const { return set.fixed ? "frozenset" : "set"; }
    std::string operator()(const SliceValue&) const { return "slice"; }
    std::string operator()(const Symbol& symbol) const {
      if (symbol.self && (symbol.path.ends_with("getter") || symbol.path == "functools.partial")) return symbol.path;
      if (symbol.self) return "builtin_function_or_method";
      if (symbol.path.ends_with("()"))
        return symbol.path.substr(symbol.path.rfind('.') + 1, symbol.path.size() - symbol.path.rfind('.') - 3);
      if (symbol.path.starts_with("device.")) return "torch.device";
      if (symbol.path.starts_with("class.") || symbol.path == "torch.Tensor" || symbol.path == "torch.device" ||
          symbol.path == "numpy.ndarray" || symbol.path == "numpy.str_" || symbol.path == "numpy.bytes_" ||
          symbol.path == "numpy.void")
        return "type";
      if (is_ufunc(symbol.path)) return "numpy.ufunc";
      if (is_module(symbol.path)) return "module";
      if (is_dtype_object({symbol})) return dtype_class(*as_dtype({symbol}));
      if (as_dtype({symbol})) return symbol.path.starts_with("torch.") ? "torch.dtype" : "type";
      return symbol.path.find("_format") != std::string::npos || symbol.path.find("channels_last") != std::string::npos
                 ? "torch.memory_format"
                 : "builtin_function_or_method";
    }
    std::string operator()(const NumpyScalar& scalar) const { return std::string(name(scalar.dtype())); }
    std::string operator()(const Facet& facet) const {
      if (facet.name.ends_with("info") && facet.tensor->library == Library::torch) return "torch." + facet.name;
      return facet.name == "flags"                  ? "numpy.flagsobj"
             : facet.name == "storage"              ? "TypedStorage"
             : facet.name == "untyped_storage"      ? "UntypedStorage"
             : facet.name == "flat"                 ? "numpy.flatiter"
             : facet.name == "data"                 ? "memoryview"
             : facet.name == "ctypes"               ? "_ctypes"
             : facet.name.ends_with("_interface__") ? "dict"
                                                    : facet.name;
    }
    std::string operator()(const Caught& caught) const { return caught.type; }
    std::string operator()(const FunctionPtr& function) const { return function->self ? "method" : "function"; }
    std::string operator()(const ClassPtr&) const { return "type"; }
    std::string operator()(const Object& object) const {
      return object.from ? "super" : std::string(short_name(*object.type));
    }
    std::string operator()(const StructurePtr& structure) const {
      if (structure->is_swapped()) return dtype_class(structure->number);
      return !structure->is_string()        ? "numpy.dtypes.VoidDType"
             : structure->characters == 'U' ? "numpy.dtypes.StrDType"
                                            : "numpy.dtypes.BytesDType";
    }
    std::string operator()(const TensorRef& tensor) const {
      if (tensor->tensor->is_element) return "void";
      return tensor->parameter ? "Parameter" : tensor->tensor->library == Library::torch ? "Tensor" : "ndarray";
    }
  };
  return std::visit(Names{}, value.held);
}

}  // namespace stridescope
