// What is not known any more below a line that did not run, or of which not all ran.
#include <algorithm>

#include "ops/contents.h"
#include "ops/members.h"
#include "ops/python/interpreter.h"
#include "ops/python/written.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

/// The names of a block that is not run: what it may give a value to, or write into, is not known any more.
void Interpreter::lose(const Statement& block) {
  lose_changes(block);
  // What is bound in it and written into may be a part of what the header names.
  const auto bound = [&](const std::string& name) {
    return std::find(block.binds.begin(), block.binds.end(), name) != block.binds.end();
  };
  if (block.value && std::any_of(block.changes.begin(), block.changes.end(), bound))
    lose_named(*block.value, told_line(&block));
  for (const std::string& name : block.binds) {
    unbind(name);
    scope().failed[name] = {told_line(&block), false, told_line(&block)};
  }
}

/// A line that is not read. Most often it is being written, so what it would give another value to keeps its own.
void Interpreter::miss(const Statement& line) {
  for (const std::string& name : line.binds)
    if (!find(name)) scope().failed[name] = {line.line, false, line.line};
}

/// Whether a tensor on one of those storages is the value or in it.
static bool lies_in(const Value& value, const std::vector<const Storage*>& storages) {
  std::vector<TensorPtr> tensors;
  collect_tensors(value, tensors);
  return std::any_of(tensors.begin(), tensors.end(), [&](const TensorPtr& one) {
    return std::find(storages.begin(), storages.end(), one->storage.get()) != storages.end();
  });
}

/// What those names hold is not known any more, because of a line.
void Interpreter::lose_bindings(const std::function<bool(const Binding&)>& lost, int line) {
  for (Scope& scope : scopes_)
    std::erase_if(scope.bindings, [&](const Binding& binding) {
      if (!lost(binding)) return false;
      Scope::Failure& failure = scope.failed[binding.first] = {line, false, line, true};
      const auto* object = std::get_if<Object>(&binding.second.held);
      if (object && is_optimizer(*object->type)) collect_tensors(binding.second, failure.holds);
      return true;
    });
}

/// What may have been written without a name keeps its layout; its values are not known any more.
static void forget_values(const std::vector<TensorPtr>& tensors) {
  for (const TensorPtr& tensor : tensors) {
    const Contents& before = *tensor->storage->contents;
    if (is_known(before)) tensor->storage->contents = unknown_contents(dtype_of(before), cells(before));
  }
}

/// Nor is what lies in the memory of any of these tensors, whoever else holds them.
void Interpreter::lose_memory(const std::vector<TensorPtr>& tensors, int line) {
  std::vector<const Storage*> storages;
  for (const TensorPtr& tensor : tensors)
    if (std::find(storages.begin(), storages.end(), tensor->storage.get()) == storages.end())
      storages.push_back(tensor->storage.get());
  if (!storages.empty()) lose_bindings([&](const Binding& one) { return lies_in(one.second, storages); }, line);
  forget_values(tensors);
}

/// Nor is what a value holds: the list or the object that it is, and the memory of its tensors.
void Interpreter::lose_held(const Value& value, int line) {
  std::vector<TensorPtr> tensors;
  collect_tensors(value, tensors);
  lose_memory(tensors, line);
  if (const void* const object = object_of(value))
    lose_bindings([&](const Binding& one) { return holds_object(one.second, object); }, line);
}

/// The tensors that an expression names, those inside of what it names among them.
std::vector<TensorPtr> Interpreter::named_tensors(const Expr& expr) const {
  std::vector<TensorPtr> tensors;
  visit_expressions(expr, [&](const Expr& one) {
    if (const Value* value = one.kind == Expr::Kind::name ? find(one.text) : nullptr) collect_tensors(*value, tensors);
  });
  return tensors;
}

/// Nor is what shares memory with anything that an expression names.
void Interpreter::lose_named(const Expr& expr, int line) { lose_memory(named_tensors(expr), line); }

void Interpreter::lose_changes(const Statement& block) {
  for (const std::string& changed : block.changes) {
    const Value* value = find(changed);
    if (!value || std::holds_alternative<Symbol>(value->held)) continue;
    const auto* facet = std::get_if<Facet>(&value->held);  // a memoryview is written through
    const TensorPtr tensor = facet ? facet->tensor : tensor_of(*value);
    const void* const object = object_of(*value);
    const void* const itself = value;
    lose_bindings(
        [&](const Binding& one) { return &one.second == itself || (object && holds_object(one.second, object)); },
        told_line(&block));
    if (tensor) lose_memory({tensor}, told_line(&block));
  }
}

namespace {

/// Whose part, or whose method's result, it is: x of x[0].t(); "" where that has no name.
std::string_view owner_in(const Expr& expr) {
  const bool part = expr.kind == Expr::Kind::attribute || expr.kind == Expr::Kind::subscript ||
                    (expr.kind == Expr::Kind::call && expr.children[0]->kind == Expr::Kind::attribute);
  return part ? owner_in(*expr.children[0]) : expr.kind == Expr::Kind::name ? expr.text : std::string_view();
}

/// Functions that write into what they are given first.
constexpr std::string_view fills[] = {
    "at",           "copyto",   "delattr", "delitem",  "fill_diagonal",  "iadd",        "iand",    "iconcat",
    "ifloordiv",    "heapify",  "heappop", "heappush", "heappushpop",    "heapreplace", "insort",  "insort_left",
    "insort_right", "ilshift",  "imatmul", "imod",     "imul",           "ior",         "ipow",    "irshift",
    "isub",         "itruediv", "ixor",    "place",    "put_along_axis", "putmask",     "setattr", "setitem",
    "shuffle"};

/// Whether what writes into a list or an array as its method copies as a function of a library.
bool copies_as_function(std::string_view name) {
  constexpr std::string_view those[] = {"append", "fill", "insert", "partition", "resize", "sort"};
  return std::find(std::begin(those), std::end(those), name) != std::end(those);
}

/// Whether it is of what may be a gradient: x.grad, w.grad.data.
bool is_of_gradient(const Expr& expr) {
  const bool part = expr.kind == Expr::Kind::attribute || expr.kind == Expr::Kind::subscript;
  return part && ((expr.kind == Expr::Kind::attribute && expr.text == "grad") || is_of_gradient(*expr.children[0]));
}

/// Whether a method that writes into a tensor may change more of it than its values.
bool changes_more(std::string_view method) {
  constexpr std::string_view those[] = {"as_strided_", "detach_",    "requires_grad_", "resize",
                                        "set_",        "setflags",   "squeeze_",       "swap",
                                        "t_",          "transpose_", "unsqueeze_"};
  return std::any_of(std::begin(those), std::end(those), [&](std::string_view one) { return method.starts_with(one); });
}

/// What a line writes into, and what of that may change.
struct Write {
  enum class How : uint8_t {
    anything,
    values,  ///< of a tensor nothing else
    gradient,
    item,  ///< of an object or a list, which holds something else then
  };
  const Expr* into;
  How how;
};

/// Adds what the calls in `expr` write into. `is_module`: whether a name is of one, whose functions write into an
/// argument.
template <class IsModule>
void add_writes(const Expr& expr, const IsModule& is_module, std::vector<Write>& writes) {
  if (expr.kind == Expr::Kind::call) {
    const Expr& called = *expr.children[0];
    const auto inplace = [](const Argument& argument) { return argument.name == "inplace"; };
    // A hook changes what a module gives.
    const bool hooks = called.text.starts_with("register_") && called.text.ends_with("_hook");
    const bool fill = std::find(std::begin(fills), std::end(fills), called.text) != std::end(fills),
               some = hooks || writes_into(called.text) ||
                      std::any_of(expr.arguments.begin(), expr.arguments.end(), inplace),
               method = called.kind == Expr::Kind::attribute && !is_module(owner_in(called));
    const auto add = [&](const Expr& into, bool gradient) {
      writes.push_back({&into, gradient                    ? Write::How::gradient
                               : changes_more(called.text) ? Write::How::anything
                                                           : Write::How::values});
    };
    if (some && method) add(*called.children[0], is_of_gradient(*called.children[0]));
    const Expr* const first = expr.arguments.empty() ? nullptr : expr.arguments[0].value;
    // np.append and the like, unlike the methods of those names, give something new.
    const bool gives_new = called.kind == Expr::Kind::attribute && copies_as_function(called.text);
    if (first && (fill || (some && !method && !gives_new)))
      add(*first, is_of_gradient(*first) || called.text.starts_with("clip_grad_"));
  }
  for (const Argument& argument : expr.arguments) {
    if (argument.value && argument.name == "out") writes.push_back({argument.value, Write::How::anything});
    if (argument.value && argument.name == "op_flags") writes.push_back({&expr, Write::How::anything});  // of np.nditer
  }
  visit_parts(expr, [&](const Expr& part) { add_writes(part, is_module, writes); });
}

/// What an assignment writes into; nothing where it binds a name.
std::optional<Write> write_of(const Statement& line, const Expr& target) {
  const bool augmented = line.kind == Statement::Kind::augmented;
  if (is_of_gradient(target)) return Write{&target, Write::How::gradient};
  // PyTorch has no product in place.
  if (target.kind == Expr::Kind::name && !augmented) return std::nullopt;
  if (target.kind == Expr::Kind::name)
    return Write{&target, line.text == "@" ? Write::How::anything : Write::How::values};
  if (target.kind == Expr::Kind::subscript) return Write{target.children[0], Write::How::values};
  if (target.kind != Expr::Kind::attribute) return Write{&target, Write::How::anything};
  if (target.text == "data") return Write{target.children[0], augmented ? Write::How::values : Write::How::anything};
  constexpr std::string_view recipes[] = {"dtype", "flat", "imag", "real", "shape", "strides"};
  const bool recipe = std::find(std::begin(recipes), std::end(recipes), target.text) != std::end(recipes);
  return Write{target.children[0], recipe ? Write::How::anything : Write::How::item};
}

}  // namespace

/// What a function would write into that does not run to its end here, though Python runs it: through names that it
/// sees, and through what it is handed.
void Interpreter::lose_called(const Function& function, const Arguments& arguments, int line) {
  if (library_of(function)) {  // what a library writes keeps layouts
    std::vector<TensorPtr> handed;
    for (const Value& value : arguments.positional) collect_tensors(value, handed);
    for (const auto& [word, value] : arguments.named) collect_tensors(value, handed);
    const auto& changes = function.lambda ? std::vector<std::string>() : function.statement->changes;
    return changes.empty() ? void() : forget_values(handed);
  }
  Statement lost;
  lost.line = line;
  std::vector<Write> writes;
  const Scope own{std::make_shared<const Function>(function)};
  const auto is_module = [&](std::string_view name) {
    const Value* value = find(name);
    return !own.owns(name) && (!value || std::holds_alternative<Symbol>(value->held));
  };
  if (function.lambda) add_writes(*function.lambda->children[0], is_module, writes);
  if (!function.lambda) lost.changes = function.statement->changes;
  for (const Write& write : writes) lost.changes.emplace_back(owner_in(*write.into));
  const auto is_own = [&](const std::string& name) { return own.owns(name); };
  if (std::any_of(lost.changes.begin(), lost.changes.end(), is_own)) {
    for (const Value& value : arguments.positional) lose_held(value, line);
    for (const auto& [word, value] : arguments.named) lose_held(value, line);
    if (function.self) lose_held(*function.self, line);
  }
  std::erase_if(lost.changes, is_own);
  for (const Write& write : writes)
    if (write.into->kind != Expr::Kind::name) lose_named(*write.into, line);
  lose_changes(lost);
  if (function.lambda) return;
  for (const Outside& one : function.statement->outside)
    lose_bindings([&](const Binding& binding) { return binding.first == one.name; }, line);
}

/// What the value that a line did not make may hold, share memory with or call: all that the line names.
void Interpreter::note_held(const Statement& line, Scope::Failure& failure) const {
  const auto function = [&](const Statement& where, const Expr* lambda) {
    return std::make_shared<const Function>(
        Function{&where, lambda, lambda ? &lambda->parameters() : &where.parameters, {}, {}, scope_});
  };
  const auto may_write = [](const Expr& lambda) {
    std::vector<Write> writes;
    add_writes(
        lambda, [](std::string_view) { return false; }, writes);
    return !writes.empty();
  };
  if (is_definition(line))
    for (const Statement* own = &line; own <= &line + (is_class(line) ? line.body : 0); ++own)
      if (is_function(*own)) failure.functions.push_back(function(*own, nullptr));
  if (!line.value) return;
  std::vector<TensorPtr> tensors;
  const auto may_call = [&](const FunctionPtr& one) {
    if (std::find(failure.functions.begin(), failure.functions.end(), one) == failure.functions.end())
      failure.functions.push_back(one);
  };
  visit_expressions(*line.value, [&](const Expr& one) {
    if (one.kind == Expr::Kind::lambda && may_write(one)) failure.functions.push_back(function(line, &one));
    if (one.kind != Expr::Kind::name) return;
    const Value* const value = find(one.text);
    if (value && !failure.foreign) collect_tensors(*value, tensors);
    const auto* object = value ? std::get_if<Object>(&value->held) : nullptr;
    if (object && is_optimizer(*object->type)) failure.steps.push_back(object_of(*value));
    if (const auto* known = value ? std::get_if<FunctionPtr>(&value->held) : nullptr) may_call(*known);
    if (const Scope::Failure* const failed = value ? nullptr : failure_of(one.text)) {
      tensors.insert(tensors.end(), failed->holds.begin(), failed->holds.end());
      for (const FunctionPtr& other : failed->functions) may_call(other);
    }
  });
  for (const TensorPtr& tensor : tensors)  // one of each storage: a line may name what names may hold many times over
    if (std::none_of(failure.holds.begin(), failure.holds.end(),
                     [&](const TensorPtr& one) { return one->storage == tensor->storage; }))
      failure.holds.push_back(tensor);
}

/// What nobody knows can write into what it holds, whatever is called of it; but what it is handed to or asked by a
/// name that the libraries know does no more than there.
void Interpreter::lose_handed(const Expr& expr, int line) {
  visit_expressions(expr, [&](const Expr& one) {
    if (one.kind != Expr::Kind::call) return;
    const Expr& called = *one.children[0];
    const auto is_method = [&](Library library) {
      return !find_forms(library, Form::Kind::method, called.text).empty();
    };
    const bool plain = called.kind == Expr::Kind::name;
    const std::string_view owner = owner_in(called);
    const Value* const known = find(owner);
    // torch is known without its import.
    const bool of_library = known ? std::holds_alternative<Symbol>(known->held) : !owner.empty() && !failure_of(owner);
    const bool reads = plain ? !known && find_builtin(called.text)
                             : of_library || is_method(Library::torch) || is_method(Library::numpy);
    if (reads && !writes_into(called.text)) return;
    if (const Scope::Failure* const failed = known || owner.empty() ? nullptr : failure_of(owner)) {
      Arguments arguments;
      visit_expressions(one, [&](const Expr& name) {
        if (const Value* const value = name.kind == Expr::Kind::name ? find(name.text) : nullptr)
          arguments.positional.push_back(*value);
      });
      const std::vector<FunctionPtr> functions = failed->functions;
      const std::vector<const void*> steps = failed->steps;
      for (const FunctionPtr& function : functions) lose_called(*function, arguments, line);
      for (const void* const object : steps)
        lose_bindings([&](const Binding& binding) { return holds_object(binding.second, object); }, line);
    }
    visit_expressions(one, [&](const Expr& name) {
      if (const Scope::Failure* const failed = name.kind == Expr::Kind::name ? failure_of(name.text) : nullptr)
        forget_values(failed->holds);
    });
  });
}

/// Whether all but the values of a tensor that a line writes into is what it was. It is not known where the line names
/// something of the other library (`a += t` makes a tensor of an array a), where the tensor may come to require a
/// gradient, or is a view that PyTorch may then refuse to use.
bool Interpreter::keeps_more_than_values(const Statement& line, const Tensor& written) const {
  const bool apart = written.is_view && (written.one_of || written.seen_in != Gradients::followed);
  bool mixes =
      written.library == Library::torch &&
      (written.requires_grad ? apart : is_floating(written.dtype) && settings_.gradients == Gradients::followed);
  const std::string_view other = written.library == Library::torch ? "numpy" : "torch";
  const auto look = [&](const Expr& one) {
    if (one.kind != Expr::Kind::name) return;
    const Value* const value = find(one.text);
    const auto* symbol = value ? std::get_if<Symbol>(&value->held) : nullptr;
    const TensorPtr tensor = value ? tensor_of(*value) : nullptr;
    mixes |= (!value && (one.text == other || (one.text == "np" && other == "numpy"))) ||  // known without an import
             (symbol && symbol->path.starts_with(other)) || (tensor && tensor->library != written.library);
  };
  if (line.kind == Statement::Kind::augmented && line.value) visit_expressions(*line.value, look);
  return !mixes;
}

/// Whether what is called `grad` of a value, or of what is in it, is a gradient: of tensors and modules, not of objects
/// of the program.
static bool has_gradients(const Value* value) {
  if (!value || tensor_of(*value)) return true;
  if (const auto* object = std::get_if<Object>(&value->held)) return is_module_class(*object->type);
  const auto parts = parts_of(*value);
  return std::all_of(parts.begin(), parts.end(), [](const Value& part) { return has_gradients(&part); });
}

/// What a line that cannot be run here would write into is not known below it, nor what a module makes once it sets
/// what is made by default.
/// @param layouts  whether more than the values of tensors is not known
void Interpreter::lose_written(const Statement& line, bool layouts) {
  Statement lost;
  lost.line = told_line();
  std::vector<Write> writes;
  for (const ExprPtr target : line.targets)
    if (const auto write = write_of(line, *target)) writes.push_back(*write);
  const auto is_module = [&](std::string_view name) {
    const Value* value = find(name);
    return !value || std::holds_alternative<Symbol>(value->held);  // torch is known without its import
  };
  if (line.value) add_writes(*line.value, is_module, writes);
  for (const Write& write : writes) {
    const std::string name(owner_in(*write.into));
    const Value* const value = find(name);
    if (write.how == Write::How::gradient && has_gradients(value)) continue;
    const bool plain = write.into->kind == Expr::Kind::name;
    // A list or an object may be written itself, or through it a tensor.
    if (!value || !tensor_of(*value)) lost.changes.push_back(name);
    if (write.how == Write::How::item || (plain && (!value || !tensor_of(*value)))) continue;
    for (const TensorPtr& tensor : named_tensors(*write.into)) {
      const bool keeps = !layouts || (write.how != Write::How::anything && keeps_more_than_values(line, *tensor));
      if (!keeps) lose_memory({tensor}, lost.line);
      if (!keeps) continue;
      forget_values({tensor});
      if (tensor->version) *tensor->version = unknown_version;
    }
  }
  if (line.value && line.value->kind == Expr::Kind::call && line.value->children[0]->text == "add") {
    const std::string_view owner = owner_in(*line.value->children[0]);
    const Value* value = find(owner);
    if (value && std::holds_alternative<Set>(value->held)) lost.changes.emplace_back(owner);
  }
  lose_changes(lost);
  for (const std::string& name : lost.changes)
    if (const Scope::Failure* const failed = find(name) ? nullptr : failure_of(name)) forget_values(failed->holds);
  if (line.value) lose_handed(*line.value, lost.line);
  if (!line.value || line.value->kind != Expr::Kind::call) return;
  const std::string_view function = line.value->children[0]->text;
  if (function == "backward" || function.ends_with("_hook")) settings_.grads_unknown = true;
  if (!function.starts_with("set_default_")) return;
  const std::string module(owner_in(*line.value->children[0]));
  unbind(module);
  scope().failed[module] = {line.line, false, line.line};
}

}  // namespace stridescope
