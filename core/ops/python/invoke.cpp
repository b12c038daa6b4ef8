// Calls and subscripts: arguments evaluated, the form that takes them found, its row applied.
#include <algorithm>

#include "ops/explanation.h"
#include "ops/members.h"
#include "ops/names.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/nditer.h"
#include "ops/numpy/ordered.h"
#include "ops/python/dictionary.h"
#include "ops/python/exceptions.h"
#include "ops/python/interpreter.h"
#include "ops/python/standard_library.h"
#include "ops/python/text.h"
#include "ops/python/written.h"
#include "ops/torch/grad_fn.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// An exception without a text or with one: others are not known.
std::optional<Value> made_exception(std::string_view type, const Arguments& arguments) {
  const auto& given = arguments.positional;
  const auto* text = given.empty() ? nullptr : std::get_if<std::string>(&given[0].held);
  if (!arguments.named.empty() || given.size() > 1 || (!given.empty() && !text)) return std::nullopt;
  return Value{Caught{std::string(type), !text ? "" : type == "KeyError" ? quoted(*text) : *text, true, !text}};
}

/// As the lists of parameters name it: "torch.add", ".add".
std::string listed_name(const Form& form) { return (form.kind == Form::Kind::method ? "." : "") + form.name; }

/// A call's arguments without those that the library knows and our row does not.
struct Trimmed {
  Arguments arguments;
  std::optional<Value> out;  ///< of a function of PyTorch's, not None
  const Storage* generator = nullptr;  ///< of PyTorch's, that numbers are drawn from; null: the library's own
  std::string unknown;       ///< what asks for something that is not modelled; empty where nothing does
  Span place;                ///< of that
};

/// Whether no form of PyTorch's function that takes these arguments has an `out`, not even one that is None.
bool takes_no_out(std::string_view function, const Arguments& arguments) {
  const auto named = [&](std::string_view name) {
    return std::any_of(arguments.named.begin(), arguments.named.end(),
                       [&](const auto& argument) { return argument.first == name; });
  };
  const size_t count = arguments.positional.size() + arguments.named.size() - 1;  // without out
  if (function == "torch.sum" || function == "torch.prod" || function.ends_with("median"))
    return arguments.positional.size() < 2 && !named("dim") && !named("axis");
  if (function == "torch.where")
    return count < 3 || std::any_of(arguments.positional.begin(), arguments.positional.end(),
                                    [](const Value& one) { return !tensor_of(one); });
  return function == "torch.argsort" && !named("stable");
}

/// Nothing where the row has all names that are given.
std::optional<Trimmed> without_unknown(std::span<const Form* const> overloads, const Arguments& arguments) {
  const Form& form = *overloads.front();
  const Library library = form.op->library;
  const std::string function = listed_name(form);
  const auto unknown = [&](const std::pair<std::string, Value>& argument) {
    const auto& [name, value] = argument;
    const auto has = [&, &wanted = name](const Form* one) {
      return std::any_of(one->parameters.begin(), one->parameters.end(),
                         [&](const Parameter& parameter) { return parameter.name == wanted; });
    };
    if (name == "out" && std::holds_alternative<None>(value.held) && takes_no_out(function, arguments)) return false;
    if (name == "subok" && !std::holds_alternative<bool>(value.held)) return false;  // a TypeError in the library, too
    return std::none_of(overloads.begin(), overloads.end(), has) && library_takes(library, function, name);
  };
  if (std::none_of(arguments.named.begin(), arguments.named.end(), unknown)) return std::nullopt;
  Trimmed kept{arguments, {}, nullptr, {}, {}};
  kept.arguments.named.clear();
  kept.arguments.named_written.clear();
  for (size_t i = 0; i < arguments.named.size(); ++i) {
    const auto& [name, value] = arguments.named[i];
    const Written at = i < arguments.named_written.size() ? arguments.named_written[i] : Written{};
    const auto* symbol = std::get_if<Symbol>(&value.held);
    const auto* flag = std::get_if<bool>(&value.held);
    if (!unknown(arguments.named[i])) {
      kept.arguments.named.emplace_back(name, value);
      kept.arguments.named_written.push_back(at);
    } else if (std::holds_alternative<None>(value.held)) {
      continue;
    } else if (name == "out" && library == Library::torch) {
      kept.out = value;
    } else if (name == "generator" && generator_memory(value)) {
      kept.generator = generator_memory(value);
    } else if ((flag && (*flag ? name == "subok" || name == "where" : name != "where")) ||
               (symbol && (symbol->path == "torch.strided" || symbol->path == "torch.Generator"))) {
      continue;  // it asks for nothing: of subclasses there are none, and every generator gives the same
    } else if (kept.unknown.empty()) {
      kept.unknown = name;
      kept.place = at.argument;
    }
  }
  return kept;
}

/// What the numbers of PyTorch's own generator are made of becomes another generator's, and the other way round.
void swap_seeds(LibrarySettings& settings, const Storage* generator) {
  if (!generator) return;
  const std::pair<Library, const void*> own(Library::torch, nullptr), other(Library::torch, generator);
  auto first = settings.seeds.extract(own), second = settings.seeds.extract(other);
  if (!first.empty()) first.key() = other, settings.seeds.insert(std::move(first));
  if (!second.empty()) second.key() = own, settings.seeds.insert(std::move(second));
}

}  // namespace

void collect_tensors(const Value& value, std::vector<TensorPtr>& tensors) {
  if (const TensorPtr& tensor = tensor_of(value)) return tensors.push_back(tensor);
  if (const auto* facet = std::get_if<Facet>(&value.held)) return tensors.push_back(facet->tensor);
  if (const Walk* walk = walk_of(value))
    for (const Value& operand : walk->operands) collect_tensors(operand, tensors);
  for (const Value& part : parts_of(value)) collect_tensors(part, tensors);
}

Written written(const Expr& expr) {
  Written result{expr.span, {}, expr.span};
  const auto starred = [](const ExprPtr item) { return item->kind == Expr::Kind::starred; };
  if ((expr.kind == Expr::Kind::tuple || expr.kind == Expr::Kind::list) &&
      std::none_of(expr.children.begin(), expr.children.end(), starred))
    for (const ExprPtr item : expr.children) result.items.push_back(item->span);
  return result;
}

Interpreter::Result Interpreter::eval_call(const Expr& expr) {
  if (expr.children[0]->kind == Expr::Kind::name && expr.children[0]->text == "super" && !find("super"))
    return super_of(expr);
  const Result callee = eval(*expr.children[0]);
  if (!callee) return std::nullopt;
  const auto* asks = std::get_if<Symbol>(&callee->held);
  if (asks && (asks->path == "any" || asks->path == "all") && expr.arguments.size() == 1)
    if (const ExprPtr given = expr.arguments[0].value; given && given->kind == Expr::Kind::comprehension &&
                                                       given->text == "(" && expr.arguments[0].name.empty() &&
                                                       expr.arguments[0].stars == 0)
      return any_all(asks->path == "any", *given);
  Arguments arguments;
  arguments.positional.reserve(expr.arguments.size() + 1);  // room for a receiver
  arguments.written.reserve(expr.arguments.size() + 1);
  const auto* called = std::get_if<Symbol>(&callee->held);
  const bool prints = called && called->path == "print",
             pairs = called && (called->path == "enumerate" || called->path == "zip");
  size_t left = max_gathered_items;
  for (const Argument& argument : expr.arguments) {
    Result value = !argument.value ? std::nullopt
                   : prints        ? printed(*argument.value)
                                   : eval(pairs ? without_bar(*argument.value) : *argument.value);
    if (!value) return argument.value ? std::nullopt : fail(limit(Msg::unreadable), argument.span);
    if (!fits(*value, left, argument.span)) return std::nullopt;
    if (argument.stars == 2) {
      if (!unpack_named(*value, argument, *callee, arguments)) return std::nullopt;
    } else if (argument.stars == 1) {
      auto items = items_of(*value, argument.span);
      const auto* function = std::get_if<FunctionPtr>(&callee->held);
      if (!items && function && error_->reason.id == Msg::not_iterable)
        error_->raised->text =
            "__main__." + (*function)->name + "() argument after * must be an iterable, not " + type_name(*value);
      if (!items) return std::nullopt;
      if (arguments.positional.size() + items->size() > max_items)
        return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_items)}), argument.span);
      for (Value& item : *items) {
        arguments.positional.push_back(std::move(item));
        arguments.written.push_back({argument.span, {}, argument.span});
      }
    } else if (!argument.name.empty()) {
      const auto same = [&](const auto& one) { return one.first == argument.name; };
      if (std::any_of(arguments.named.begin(), arguments.named.end(), same))
        return fail(python_error("TypeError", {"got multiple values for keyword argument '", argument.name, "'"},
                                 Msg::argument_twice, {title(expr.children[0]->span), argument.name}),
                    argument.span);
      arguments.named.emplace_back(argument.name, std::move(*value));
      arguments.named_written.push_back(written(*argument.value));
      arguments.named_written.back().argument = argument.span;
    } else {
      arguments.positional.push_back(std::move(*value));
      arguments.written.push_back(written(*argument.value));
    }
  }
  if (const Expr& function = *expr.children[0]; function.kind == Expr::Kind::attribute)
    arguments.parts = {function.children[0]->span, function.part, expr.part};
  if (!prints || step_->statement->value != &expr) return call(*callee, std::move(arguments), expr);
  const std::vector<Value> values = arguments.positional;
  const Result done = call(*callee, std::move(arguments), expr);
  if (done && !values.empty())
    step_->printed = frozen(values.size() == 1 ? values.front() : list_of(values, Sequence::Kind::tuple));
  return done;
}

Interpreter::Result Interpreter::call(const Value& callee, Arguments arguments, const Expr& at) {
  if (const auto* function = std::get_if<FunctionPtr>(&callee.held)) {
    if ((*function)->self) {
      arguments.positional.insert(arguments.positional.begin(), *(*function)->self);
      arguments.written.insert(arguments.written.begin(), Written{});
    }
    return call_function(*function, arguments, at);
  }
  if (const auto* type = std::get_if<ClassPtr>(&callee.held)) return construct(*type, std::move(arguments), at);
  if (std::holds_alternative<Object>(callee.held)) return call_object(callee, std::move(arguments), at);
  const auto* symbol = std::get_if<Symbol>(&callee.held);
  // What goes through an argument finds all its items there; others only keep it.
  constexpr std::string_view through[] = {"dict.update", "set.", "str.", "object."};
  const auto begins = [&](std::string_view one) { return symbol->path.starts_with(one); };
  if (symbol && symbol->self && symbol->path != "set.add" &&
      std::any_of(std::begin(through), std::end(through), begins))
    for (const Value& value : arguments.positional)
      if (!drain(value, at.span)) return std::nullopt;
  if (!symbol)
    return fail(python_error("TypeError", {"'", attribute_type(callee), "' object is not callable"}, Msg::not_callable,
                             {type_name(callee)}),
                at.span);
  if (symbol->path.starts_with(engine_prefix)) return engine(symbol->path, arguments.positional, at);
  if (is_partial(callee)) return call_partial(parts_of(callee), std::move(arguments), at);
  if (is_getter(callee)) return get_parts(*symbol, arguments, at);
  if (symbol->self && symbol->path.starts_with("object."))
    return object_method(std::string_view(symbol->path).substr(7), *symbol->self, std::move(arguments), at);
  if (symbol->self && symbol->path.starts_with("list.") && !is_array(*symbol->self))
    return list_method(*symbol->self, std::string_view(symbol->path).substr(5), arguments, at);
  if (symbol->self && symbol->path == "bytes.hex")
    return settle(arguments.named.empty() ? bytes_in_hex(std::get<Sequence>(symbol->self->held), arguments.positional)
                                          : Outcome(limit(Msg::not_modelled, {"Python", title(at.span)})),
                  at.span);
  if (symbol->self && symbol->path.starts_with("number."))
    return settle(arguments.named.empty()
                      ? call_number(std::string_view(symbol->path).substr(7), *symbol->self, arguments.positional)
                      : Outcome(limit(Msg::not_modelled, {"Python", title(at.span)})),
                  at.span);
  if (symbol->self && symbol->path == "dtype.newbyteorder")
    return settle(arguments.named.empty() ? newbyteorder(*symbol->self, arguments.positional)
                                          : Outcome(limit(Msg::not_modelled, {"NumPy", title(at.span)})),
                  at.span);
  if (symbol->self && symbol->path.starts_with("nditer."))
    return arguments.positional.empty() && arguments.named.empty()
               ? settle(call_nditer(*symbol), at.span)
               : fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.span);
  if (symbol->self && symbol->path.starts_with("namedtuple.")) return named_tuple_method(*symbol, arguments, at);
  if (symbol->self && symbol->path.starts_with("dict.")) return call_dictionary_method(*symbol, arguments, at);
  if (symbol->self && symbol->path.starts_with("set.")) return call_set_method(*symbol, arguments, at);
  if (symbol->self && symbol->path == "str.format") return format_text(*symbol->self, arguments, at);
  if (symbol->self && symbol->path.starts_with("str.") && !is_array(*symbol->self))
    return arguments.named.empty()
               ? settle(call_string(std::string_view(symbol->path).substr(4), std::get<std::string>(symbol->self->held),
                                    arguments.positional),
                        at.span)
               : fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (symbol->self) {
    arguments.positional.insert(arguments.positional.begin(), *symbol->self);
    const Expr& function = *at.children[0];
    arguments.written.insert(arguments.written.begin(),
                             function.kind == Expr::Kind::attribute ? written(*function.children[0]) : Written{});
    return invoke(find_forms(library_of(*symbol->self), Form::Kind::method, symbol->path), arguments, at.span);
  }
  // Python's own come first: copy.copy() is one of a list, too.
  if (const Builtin* function = find_builtin(symbol->path)) return builtin(*function, arguments, at);
  const Library library = symbol->path.starts_with("numpy") ? Library::numpy : Library::torch;
  if (const auto overloads = find_forms(library, Form::Kind::function, symbol->path); !overloads.empty())
    return overloads.front()->op->apply || written_row(*overloads.front()->op)
               ? invoke(overloads, arguments, at.span)
               : with_function(overloads, std::move(arguments), at);
  for (const std::string_view owner : {"numpy.ndarray.", "torch.Tensor."})
    if (symbol->path.starts_with(owner)) return call_method(owner, symbol->path.substr(owner.size()), arguments, at);
  if (symbol->path.starts_with("numpy.") && type_name(callee) == "type")
    return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.span);
  Diagnostic problem = python_error("TypeError", {"'", attribute_type(callee), "' object is not callable"},
                                    Msg::not_callable, {attribute_type(callee)});
  // Classes can be called.
  const std::string_view path = class_path(symbol->path), name = is_exception(path) ? "Exception" : path,
                         known = library_exception(path);
  if (is_exception(path) || !known.empty())
    if (auto made = made_exception(known.empty() ? path : known, arguments)) return *made;
  if (type_name(callee) == "type")
    problem = missing_attribute(name, "__doc__", std::string(path) + "()", std::move(problem));
  return fail(std::move(problem), at.span);
}

/// np.ndarray.reshape(x, 2, 3): the method of the first argument, which must be of the class.
Interpreter::Result Interpreter::call_method(std::string_view owner, const std::string& name,
                                             const Arguments& arguments, const Expr& at) {
  const Library library = owner.starts_with("torch") ? Library::torch : Library::numpy;
  const std::string type = library == Library::torch ? "torch._C.TensorBase" : "numpy.ndarray";
  if (arguments.positional.empty())
    return fail(python_error("TypeError",
                             {"unbound method ", library == Library::torch ? "TensorBase." : "ndarray.", name,
                              "() needs an argument"},
                             Msg::missing_argument, {name, "self", std::string(owner) + name + "(self, ..)"}),
                at.span);
  const TensorPtr self = tensor_of(arguments.positional.front());
  if (!self || self->library != library)
    return fail(python_error("TypeError",
                             {"descriptor '", name, "' for '", type, "' objects doesn't apply to a '",
                              attribute_type(arguments.positional.front()), "' object"},
                             Msg::argument_has_type, {"self", type, type_name(arguments.positional.front())}),
                at.span);
  return invoke(find_forms(library, Form::Kind::method, name), arguments, at.span);
}

Interpreter::Result Interpreter::invoke(std::span<const Form* const> overloads, const Arguments& given, Span span) {
  if (overloads.empty()) return fail(limit(Msg::operation_unknown, {title(span)}), span);
  const Form& first = *overloads.front();
  const std::string_view library = first.op->library == Library::torch ? "PyTorch" : "NumPy";
  for (const Value& value : given.positional)
    if (!drain(value, span)) return std::nullopt;
  for (const auto& [name, value] : given.named)
    if (!drain(value, span)) return std::nullopt;
  const std::optional<Trimmed> kept = given.named.empty() ? std::nullopt : without_unknown(overloads, given);
  const Arguments& arguments = kept ? kept->arguments : given;
  if (kept && !kept->unknown.empty()) {
    return fail(limit(Msg::not_modelled, {library, first.name + "(" + kept->unknown + "=)"}), kept->place);
  }
  if (is_spent())
    return fail(calls_.empty() ? limit(Msg::too_many_operations, {max_operations}) : too_many_rounds(), span);
  ++operations_;
  Applied applied;
  applied.span = span;
  applied.title = title(span);
  for (const Value& value : arguments.positional) collect_tensors(value, applied.inputs);
  for (const auto& [name, value] : arguments.named) collect_tensors(value, applied.inputs);
  for (TensorPtr& input : applied.inputs) {
    if (!is_behind(*input)) continue;
    TensorObject& object = *numbering_.objects[static_cast<size_t>(input->object)];
    if (object.tensor != input) continue;  // what a function has kept stays as it was
    see_again(numbering_, object);
    input = object.tensor;
  }
  std::optional<Bound::Misfit> misfit;
  for (const Form* form : overloads) {
    Bound bound = bind(*form, arguments);
    if (bound.misfit) {
      if (!misfit || bound.misfit->read) misfit = std::move(bound.misfit);
      if (misfit->read) break;
      continue;
    }
    misfit.reset();
    applied.op = form->op;
    const bool member =
        form->kind == Form::Kind::method || form->kind == Form::Kind::attribute || form->kind == Form::Kind::setter;
    applied.parts = member ? arguments.parts : Parts{};
    const std::vector<Binding> variables = calls_.empty() ? std::vector<Binding>() : all_variables();
    const std::span<const Binding> known = calls_.empty() ? scope().bindings : variables;
    const FunctionPtr written = written_row(*form->op);
    const auto own = written ? bound.given : std::vector<Bound::Given>();
    if (written) step_->applied.reserve(step_->applied.size() + 1);  // the call sees what is there
    Call one(numbering_, *form, std::move(bound), {source_, step_->applied, known}, settings_, applied);
    const bool torch = form->op->library == Library::torch;
    const auto is_torch = [](const TensorPtr& tensor) { return tensor->library == Library::torch; };
    const bool mixed = !torch && std::any_of(applied.inputs.begin(), applied.inputs.end(), is_torch);
    const auto allowed = [&] {
      if (!takes_structures(one, applied.inputs)) return false;
      return torch ? torch_allows(one, applied.inputs) : numpy_allows(one) && (!mixed || takes_tensors(one));
    };
    swap_seeds(settings_, kept ? kept->generator : nullptr);
    if (allowed())
      applied.result = written ? run_row(*written, one, own, applied) : torch ? form->op->apply(one) : apply_numpy(one);
    swap_seeds(settings_, kept ? kept->generator : nullptr);
    if (mixed && !one.failed()) applied.result = as_tensors(one, applied.result);
    if (kept && kept->out && !one.failed()) {
      applied.result = written_out(one, applied.result, *kept->out, applied.inputs);
      collect_tensors(*kept->out, applied.inputs);
    }
    if (torch) follow_written(one, applied.inputs);
    if (torch) count_write(one, applied.inputs);
    break;
  }
  if (misfit) {
    applied.op = first.op;
    // The classes of torch.nn are Python's, which looks at no type until something is done with it.
    const char initial = first.name[first.name.rfind('.') + 1];
    // The library's other names for parameters that the row has are no further ones.
    const bool renamed =
        first.name == "torch.from_numpy" || first.name == "torch.result_type" || first.name == "torch.Size";
    const bool unseen = first.name.starts_with("torch.nn.") && initial >= 'A' && initial <= 'Z' &&
                        misfit->reason.id == Msg::argument_has_type;
    if (unseen || (misfit->reason.id == Msg::too_many_arguments && !renamed &&
                   library_takes_more(first.op->library, listed_name(first))))
      return fail(limit(Msg::not_modelled, {library, applied.title}), misfit->span == Span{} ? span : misfit->span);
    const auto named = torch_named_dim(overloads, arguments);
    const auto asked = misfit->reason.id == Msg::argument_has_type
                           ? torch_asked(first, arguments, misfit->reason.args[0].text)
                           : std::nullopt;
    applied.error = python_error(named || misfit->read ? "RuntimeError"
                                 : asked               ? asked->type
                                                       : "TypeError",
                                 named   ? Slots{*named}
                                 : asked ? Slots{asked->text}
                                         : Slots{misfit->text},
                                 asked && asked->reason ? *asked->reason : misfit->reason);
    const Span at = asked && asked->parameter ? argument_span(first, arguments, asked->parameter) : misfit->span;
    applied.error->span = at == Span{} ? span : at;
    applied.error->raised->parser = !named && !asked && !misfit->read;
  }
  if (applied.error) applied.result = Value{};
  if (applied.relation == Relation::fresh || applied.relation == Relation::copy)
    if (const TensorPtr made = first_tensor(applied.result)) made_[made->storage->id] = applied.relation;
  complete_reasons(applied);
  if (applied.error) complete_hints(applied, source_);
  const Value result = std::exchange(applied.result, frozen(applied.result));
  step_->applied.push_back(std::move(applied));
  if (const auto& error = step_->applied.back().error) return fail(*error, span);
  return result;
}

Interpreter::Result Interpreter::eval_subscript(const Expr& expr) {
  const Result owner = eval(*expr.children[0]);
  const Result key = owner ? eval(*expr.children[1]) : std::nullopt;
  return key ? subscript(*owner, *key, expr, *expr.children[1]) : std::nullopt;
}

Interpreter::Result Interpreter::subscript(const Value& owner, const Value& key, const Expr& at, const Expr& key_at) {
  const Arguments arguments{{owner, key}, {}, {}, {written(*at.children[0]), written(key_at)}};
  if (is_array(owner)) return invoke(find_forms(library_of(owner), Form::Kind::subscript, "[]"), arguments, at.span);
  if (const auto* facet = std::get_if<Facet>(&owner.held)) {
    const auto overloads = find_forms(library_of(owner), Form::Kind::subscript, facet->name + "[]");
    if (!overloads.empty()) return invoke(overloads, arguments, at.span);
  }
  if (const auto* symbol = std::get_if<Symbol>(&owner.held)) {
    // np.s_[1:, ::2] is the key itself; np.r_ and np.c_ are rows.
    const auto overloads = find_forms(Library::numpy, Form::Kind::subscript, symbol->path + "[]");
    if (!overloads.empty()) return invoke(overloads, arguments, at.span);
  }
  if (const auto* object = std::get_if<Object>(&owner.held)) return object_part(*object, key, at);
  if (const Dictionary* const dictionary = dictionary_in(owner);
      dictionary && dictionary->items->makes && !is_none(*dictionary->items->makes))
    return default_item(*dictionary, key, at);
  if (const auto* structure = std::get_if<StructurePtr>(&owner.held))
    return settle(structure_item(*structure, key), at.span);
  return settle(python_subscript(owner, key), at.span);
}

Interpreter::Result Interpreter::eval_slice(const Expr& expr) {
  SliceValue slice;
  std::shared_ptr<const Value>* parts[] = {&slice.start, &slice.stop, &slice.step};
  for (size_t i = 0; i < 3; ++i) {
    if (!expr.children[i]) continue;
    Result part = eval(*expr.children[i]);
    if (!part) return std::nullopt;
    *parts[i] = std::make_shared<const Value>(std::move(*part));
  }
  return Value{std::move(slice)};
}

}  // namespace stridescope
