// Modules of torch.nn as values of a program: called, gone through, changed by their methods.
#include <algorithm>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/hooks.h"
#include "ops/python/interpreter.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {
namespace {

/// What modules can do here, the first three only a ModuleDict, the next two only lists of them; and the names of the
/// parameters, which may all be left out but those before an "!".
struct ModuleMethod {
  std::string_view name, parameters;
};
constexpr ModuleMethod module_methods[] = {{"items", ""},
                                           {"keys", ""},
                                           {"values", ""},
                                           {"append", "module!"},
                                           {"extend", "modules!"},
                                           {"forward", ""},
                                           {"add_module", "name module!"},
                                           {"apply", "fn!"},
                                           {"bfloat16", ""},
                                           {"buffers", "recurse"},
                                           {"children", ""},
                                           {"cpu", ""},
                                           {"double", ""},
                                           {"eval", ""},
                                           {"extra_repr", ""},
                                           {"float", ""},
                                           {"get_buffer", "target!"},
                                           {"get_parameter", "target!"},
                                           {"get_submodule", "target!"},
                                           {"half", ""},
                                           {"load_state_dict", "state_dict!strict"},
                                           {"modules", ""},
                                           {"named_buffers", "prefix recurse"},
                                           {"named_children", ""},
                                           {"named_modules", "memo prefix"},
                                           {"named_parameters", "prefix recurse"},
                                           {"parameters", "recurse"},
                                           {"register_buffer", "name tensor!persistent"},
                                           {"register_forward_hook", "hook!prepend with_kwargs"},
                                           {"register_forward_pre_hook", "hook!prepend with_kwargs"},
                                           {"register_full_backward_hook", "hook!prepend"},
                                           {"register_full_backward_pre_hook", "hook!prepend"},
                                           {"register_module", "name module!"},
                                           {"register_parameter", "name param!"},
                                           {"requires_grad_", "requires_grad"},
                                           {"state_dict", ""},
                                           {"to", ""},
                                           {"train", "mode"},
                                           {"zero_grad", "set_to_none"}};

std::vector<ModuleMethod> table_of(const Class& type) {
  if (!is_module_class(type)) return {};
  std::vector<ModuleMethod> table(std::begin(module_methods), std::end(module_methods));
  if (!is_list_of_modules(type)) table.erase(table.begin() + 3, table.begin() + 5);
  if (!is_dictionary_of_modules(type)) table.erase(table.begin(), table.begin() + 3);
  return table;
}

/// What other methods of a module go by, so that a class that has its own would change them.
constexpr std::string_view inner_methods[] = {"apply",           "buffers",
                                              "children",        "named_buffers",
                                              "named_children",  "modules",
                                              "add_module",      "parameters",
                                              "named_modules",   "named_parameters",
                                              "register_buffer", "_apply",
                                              "_named_members",  "register_parameter",
                                              "state_dict",      "_save_to_state_dict"};

/// Parameters that are read as truth values, and as text.
constexpr std::string_view flag_parameters =
                               " persistent prepend recurse requires_grad set_to_none strict with_kwargs ",
                           text_parameters = " prefix target ";

bool is_read(std::string_view name, const Value& value) {
  const std::string word = " " + std::string(name) + " ";
  return (flag_parameters.find(word) == flag_parameters.npos || std::holds_alternative<bool>(value.held)) &&
         (text_parameters.find(word) == text_parameters.npos || std::holds_alternative<std::string>(value.held));
}

/// One value a parameter, nothing where it is left out. Nothing at all: they are not taken, by Python or here.
std::optional<std::vector<std::optional<Value>>> fitted(const ModuleMethod& method, const Arguments& arguments) {
  const size_t required = method.parameters.find('!');
  std::string text(method.parameters);
  if (required != text.npos) text[required] = ' ';
  const auto names = words(text, ' ');
  const size_t least = required == text.npos ? 0 : words(text.substr(0, required), ' ').size();
  std::vector<std::optional<Value>> values(names.size());
  if (arguments.positional.size() > names.size()) return std::nullopt;
  std::copy(arguments.positional.begin(), arguments.positional.end(), values.begin());
  for (const auto& [name, value] : arguments.named) {
    const auto place = static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (place == names.size() || values[place]) return std::nullopt;
    values[place] = value;
  }
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] ? !is_read(names[i], *values[i]) : i < least) return std::nullopt;
  return values;
}

/// A generator of the values, or of pairs with their names.
Value generator_of(std::vector<std::pair<std::string, Value>> named, bool pairs) {
  std::vector<Value> items;
  for (auto& [name, value] : named)
    items.push_back(pairs ? list_of({Value{name}, std::move(value)}, Sequence::Kind::tuple) : std::move(value));
  return list_of(std::move(items), Sequence::Kind::generator);
}

bool takes_images(const ModuleClass& row) { return row.name.starts_with("BatchNorm"); }

}  // namespace

bool has_method(const Class& type, std::string_view name) {
  const auto names = methods_of(type);
  return name == "__init__" || std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string_view> methods_of(const Class& type) {
  std::vector<std::string_view> names;
  for (const ModuleMethod& one : table_of(type)) names.push_back(one.name);
  return names;
}

bool has_besides(const Class& type, std::string_view name) {
  for (const Class* one = &type; one; one = one->base.get())
    if (one->name.starts_with("builtins.") || one->name.starts_with("array."))
      if (library_has(class_home(*one), name)) return true;
  if (is_optimizer(type)) return name == "state" || library_has("torch.optim.Optimizer", name);
  // Of the function that made a tensor only its name is known here.
  if (type.name.starts_with("torch.autograd."))
    return name.starts_with("_") || name.ends_with("hook") || name == "next_functions" || name == "metadata" ||
           name == "requires_grad";
  if (!is_module_class(type)) return false;
  const Class& own = built_in(type);
  // What modules have beside their class is not listed.
  for (const std::string_view word : {"hook", "_parameters", "_buffers", "_modules"})
    if (name.starts_with('_') && name.find(word) != name.npos) return true;
  if (library_has("torch.nn.Module", name)) return true;
  if (!own.row) return false;
  const bool grows = name == "insert" || name == "pop" || name == "clear" || name == "update";
  return name.starts_with('_') || (grows && (is_list_of_modules(own) || is_dictionary_of_modules(own))) ||
         name.starts_with("reset_") || name == "from_pretrained" ||
         (own.row->name.starts_with("Conv") && (name == "transposed" || name == "output_padding")) ||
         (own.row->name.starts_with("ZeroPad") && name == "value");
}

/// What a class of torch.nn does when it is called. `path` leads to the module from the one that the program calls.
Interpreter::Result Interpreter::forward(const Object& module, const Arguments& arguments, const Expr& at,
                                         const std::string& path) {
  const Class& type = built_in(seen_class(module));
  const std::string name(short_name(type));
  if (!type.row || type.row->written() || name == "ModuleList" || name == "ModuleDict")
    return fail(python_error("NotImplementedError",
                             {"Module [", short_name(*module.type), "] is missing the required \"forward\" function"},
                             Msg::attribute_unknown, {std::string(short_name(*module.type)), "forward"}),
                at.span);
  if (is_recurrent(*type.row)) return recur(module, arguments, at);
  // The class that has the method: of some one that is above theirs.
  const std::string called = (takes_images(*type.row) ? "_BatchNorm"
                              : name == "ReLU6"       ? "Hardtanh"
                                                      : name) +
                             ".forward()";
  const Applies applies = applied_by(*type.row);
  // A loss takes a target, too, and a distance a second tensor ("x2=target").
  std::string_view second;
  for (const std::string_view word : applies.arguments)
    if (word == "target" || word.ends_with("=target")) second = word.substr(0, word.find('='));
  const bool two = !second.empty();
  const std::string_view input = name == "RMSNorm" ? "x" : second == "x2" ? "x1" : "input";
  std::vector<Value> given = arguments.positional;
  if (two) {
    for (const std::string_view word : {input, second})
      for (const auto& [named, value] : arguments.named)
        if (named == word && given.size() == (word == input ? 0 : 1)) given.push_back(value);
    const size_t written = arguments.positional.size() + arguments.named.size();
    if (given.size() == 1 && written == 1)
      return fail(python_error("TypeError", {called, " missing 1 required positional argument: '", second, "'"},
                               Msg::missing_argument,
                               {name, second, "m(" + std::string(input) + ", " + std::string(second) + ")"}),
                  at.span);
    // Other arguments that do not fit are not told apart here.
    if (given.size() != 2 || written != 2) return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  }
  for (const auto& [word, value] : arguments.named) {
    if (two) break;
    if (name.starts_with("ConvTranspose") && word != input)
      return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
    if (word != input)
      return fail(python_error("TypeError", {called, " got an unexpected keyword argument '", word, "'"},
                               Msg::unexpected_argument, {name, word, "m(" + std::string(input) + ")"}),
                  at.span);
    if (!given.empty())
      return fail(python_error("TypeError", {called, " got multiple values for argument '", word, "'"},
                               Msg::argument_twice, {name, word}),
                  at.span);
    given.push_back(value);
  }
  if (given.empty())
    return fail(python_error("TypeError", {called, " missing 1 required positional argument: '", input, "'"},
                             Msg::missing_argument, {name, input, "m(" + std::string(input) + ")"}),
                at.span);
  if (given.size() == 2 && name.starts_with("ConvTranspose"))
    return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  if (given.size() > 1 && !two)
    return fail(
        python_error("TypeError", {called, " takes 2 positional arguments but ", given.size() + 1, " were given"},
                     Msg::too_many_arguments, {name, 1, given.size(), "m(input)"}),
        at.span);
  Value x = given[0];
  if (name == "Sequential") {
    for (const auto& [own, part] : children_of(module)) {
      Result next = call_object(part, {{x}, {}, {}, {}, {}}, at, path + "[" + own + "]");
      if (!next) return std::nullopt;
      x = std::move(*next);
    }
    return x;
  }
  const TensorPtr image = tensor_of(x);
  const auto lacks = [&](std::string_view member) {
    const std::string held = attribute_type(x);
    return fail(python_error("AttributeError", {"'", held, "' object has no attribute '", member, "'"},
                             Msg::attribute_unknown, {held, member}),
                at.span);
  };
  if (is_layer(*type.row)) {
    if (!image && !std::holds_alternative<NumpyScalar>(x.held)) return lacks("ndim");
    return run_layer(module, x, arguments.written, at, path);
  }
  if (takes_images(*type.row)) {
    if (!image || image->library != Library::torch) return lacks("dim");
    const int64_t dims = name[name.size() - 2] - '0', rank = image->layout.rank();
    if (rank != dims + 2 && !(dims == 1 && rank == 2))
      return fail(python_error("ValueError",
                               {"expected ", dims == 1 ? std::string("2D or 3") : std::to_string(dims + 2),
                                "D input (got ", rank, "D input)"},
                               Msg::product_rank, {dims + 2, rank}),
                  at.span);
    const auto add = find_forms(Library::torch, Form::Kind::method, "add_");
    if (is_set(module, "training") && is_set(module, "track_running_stats") &&
        !invoke(add, {{held_by(module, "num_batches_tracked"), Value{int64_t{1}}}, {}, {}, {}, {}}, at.span))
      return std::nullopt;
  }
  if (applies.function.empty()) return x;
  if (name.starts_with("CircularPad")) {
    if (!image || image->library != Library::torch) return lacks("dim");
    const int64_t least = name[name.size() - 2] - '0' + 1, rank = image->layout.rank();
    if (rank != least && rank != least + 1)
      return fail(
          python_error("ValueError", {"expected ", least, "D or ", least + 1, "D input (got ", rank, "D input)"},
                       Msg::layer_rank, {least, least + 1, rank}),
          at.span);
  }
  if (applies.method && !image) return lacks(applies.function);
  if (applies.method && image->library != Library::torch)
    return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  Arguments handed{{x}, {}, {}, {}, {}};
  if (!arguments.written.empty()) handed.written.push_back(arguments.written[0]);
  for (const std::string_view word : applies.arguments) {
    if (two && word.substr(0, word.find('=')) == second) {
      handed.named.emplace_back(second, given[1]);
      continue;
    }
    // "mode='reflect'", "pad=padding", or an attribute that is called as the parameter.
    const size_t equals = word.find('=');
    const std::string_view parameter = word.substr(0, equals), source = word.substr(equals + 1);
    Value value =
        source.front() == '\'' ? Value{std::string(source.substr(1, source.size() - 2))} : held_by(module, source);
    // Without statistics of its own a batch norm takes those of the batch.
    // Without a momentum the statistics are means over all batches so far.
    if (word == "momentum" && std::holds_alternative<None>(value.held)) {
      const auto batches = as_real(held_by(module, "num_batches_tracked"));
      value = Value{batches && is_set(module, "training") ? 1 / *batches : 0.0};
    }
    if (word == "training" && takes_images(*type.row) && !is_set(module, "track_running_stats")) value = Value{true};
    if (applies.method)
      handed.positional.push_back(std::move(value));
    else
      handed.named.emplace_back(parameter, std::move(value));
  }
  const auto overloads =
      find_forms(Library::torch, applies.method ? Form::Kind::method : Form::Kind::function, applies.function);
  const size_t done = step_->applied.size();
  Result result = invoke(overloads, handed, at.span);
  // Of several modules each says which it is: "net(x) [1] ReLU".
  if (!path.empty() && step_->applied.size() > done) step_->applied.back().title += " " + path + " " + name;
  return result;
}

/// A method that no class of the program has defined, of an object or, taken from a class, of its first argument.
Interpreter::Result Interpreter::object_method(std::string_view name, const Value& self, Arguments arguments,
                                               const Expr& at) {
  const auto not_modelled = [&] { return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span); };
  if (const auto* type = std::get_if<ClassPtr>(&self.held)) {
    const auto* object = arguments.positional.empty() ? nullptr : std::get_if<Object>(&arguments.positional[0].held);
    if (!object || object->from || !derives(*object->type, **type)) return not_modelled();
    const Value seen{Object{object->type, object->attributes, *type}};
    arguments.positional.erase(arguments.positional.begin());
    if (!arguments.written.empty()) arguments.written.erase(arguments.written.begin());
    return object_method(name, seen, std::move(arguments), at);
  }
  const Object& object = std::get<Object>(self.held);
  if (name == "__init__") return begin(object, arguments, at) ? Result(Value{}) : std::nullopt;
  if (name == "forward") return forward(object, arguments, at, "");
  const Object module{object.type, object.attributes};
  const auto modules = modules_in(module);
  const bool changed = std::any_of(modules.begin(), modules.end(), [&](const auto& one) {
    const Object& inner = std::get<Object>(one.second.held);
    const bool above = object.from && inner.attributes == module.attributes;  // what calls this one
    return std::any_of(std::begin(inner_methods), std::end(inner_methods), [&](std::string_view word) {
      return class_member(*inner.type, word) && !(above && word == name);
    });
  });
  const auto table = table_of(*object.type);
  const auto method = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.name == name; });
  const auto values = fitted(*method, arguments);
  const bool begun = has_begun(module) || name == "register_buffer" || name == "register_parameter";
  if (changed || (!values && name != "to") || !begun) return not_modelled();
  const Result done = name == "to" ? move(module, arguments, at) : module_method(module, name, *values, at);
  if (!done && !error_) return not_modelled();
  return done;
}

/// @post nothing, and no error: what it was given is not modelled
Interpreter::Result Interpreter::module_method(const Object& module, std::string_view name,
                                               const std::vector<std::optional<Value>>& given, const Expr& at) {
  const Value self{module};
  const auto flag = [&](size_t i, bool otherwise) {
    const auto* truth = i < given.size() && given[i] ? std::get_if<bool>(&given[i]->held) : nullptr;
    return truth ? *truth : otherwise;
  };
  const auto word = [&](size_t i) {
    const auto* text = i < given.size() && given[i] ? std::get_if<std::string>(&given[i]->held) : nullptr;
    return text ? *text : std::string();
  };
  const bool named = name.starts_with("named_");
  if (name == "cpu") return self;  // everything is there
  if (name == "extra_repr") return Value{extra_text(module)};
  if (name == "zero_grad") return zero_gradients(module, flag(0, true), at) ? Result(Value{}) : std::nullopt;
  if (name == "eval" || name == "train") {
    if (name == "train" && given[0] && !std::holds_alternative<bool>(given[0]->held))
      return fail(python_error("ValueError", "training mode is expected to be boolean", Msg::argument_has_type,
                               {"mode", "bool", type_name(*given[0])}),
                  at.span);
    // A class of the program may have a train() of its own.
    if (const FunctionPtr own = name == "eval" ? class_function(*module.type, "train") : nullptr)
      return call(taken_from(module, own), {{Value{false}}, {}, {}, {}, {}}, at);
    return train(module, name == "train" && flag(0, true), at) ? Result(self) : std::nullopt;
  }
  if (name.ends_with("modules")) {
    if (named && given[0] && !std::holds_alternative<None>(given[0]->held)) return std::nullopt;
    return generator_of(modules_in(module, word(1)), named);
  }
  if (name.ends_with("children")) return generator_of(distinct(children_of(module)), named);
  if (name.ends_with("parameters") || name.ends_with("buffers"))
    return generator_of(
        registered_in(module, name.ends_with("buffers"), named ? word(0) : "", flag(named ? 1 : 0, true)), named);
  if (name == "keys" || name == "values" || name == "items") {
    const Value modules = dictionary_of();
    for (const auto& [own, part] : children_of(module))
      if (!settled(store(std::get<Dictionary>(modules.held), Value{own}, part), at.span)) return std::nullopt;
    return settle(call_dictionary(name, modules, {}), at.span);
  }
  if (name == "state_dict") return state_of(module);
  if (name == "load_state_dict") return load_state(module, *given[0], flag(1, true), at);
  if (name == "requires_grad_") {
    for (const auto& [own, parameter] : registered_in(module, false, "", true))
      if (!require_gradient(std::get<TensorRef>(parameter.held), flag(0, true), at)) return std::nullopt;
    return self;
  }
  if (name == "apply") {
    for (const auto& [own, part] : distinct(children_of(module)))
      if (!module_method(std::get<Object>(part.held), name, given, at)) return std::nullopt;
    return call(*given[0], {{self}, {}, {}, {}, {}}, at) ? Result(self) : std::nullopt;
  }
  if (name == "append" || name == "extend") {
    if (object_of(*given[0]) == object_of(self)) return std::nullopt;  // it would grow while it is gone through
    const auto added = name == "append" ? std::optional(std::vector{*given[0]}) : items_of(*given[0], at.span);
    if (!added && built_in(*module.type).row->name == "ModuleList" && error_->reason.id == Msg::not_iterable)
      error_->raised->text = "ModuleList.extend should be called with an iterable, but got " + type_name(*given[0]);
    for (size_t i = 0; added && i < added->size(); ++i)
      if (!enroll(module, std::to_string(children_of(module).size()), (*added)[i], Kept::module, at))
        return std::nullopt;
    return added ? Result(self) : std::nullopt;
  }
  if (name.starts_with("get_")) return registered_at(module, name, word(0), at);
  if (name.ends_with("hook")) {
    const int64_t number = numbering_.hooked++;
    numbering_.hooks[number] = {*given[0], flag(2, false)};
    const bool before = name.find("_pre_") != name.npos, back = name.find("backward") != name.npos;
    const WhichHooks which = back     ? before ? &ModuleHooks::before_back : &ModuleHooks::back
                             : before ? &ModuleHooks::before
                                      : &ModuleHooks::after;
    add_module_hook(numbering_, module, which, number, flag(1, false));
    add_applied(at.span).why.lines = {Message(back ? Msg::op_module_back_hook : Msg::op_module_hook)};
    return hook_handle(number);
  }
  if (name.starts_with("register_") || name == "add_module") {
    const auto* text = std::get_if<std::string>(&given[0]->held);
    const Kept kept = name == "register_parameter" ? Kept::parameter
                      : name != "register_buffer"  ? Kept::module
                      : flag(2, true)              ? Kept::buffer
                                                   : Kept::passing;
    if (!text) return std::nullopt;
    return enroll(module, *text, *given[1], kept, at) ? Result(Value{}) : std::nullopt;
  }
  return convert(module, {.dtype = constant("torch." + std::string(name))}, at) ? Result(self) : std::nullopt;
}

}  // namespace stridescope
