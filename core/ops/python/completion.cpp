#include "ops/python/completion.h"

#include <algorithm>

#include "lang/cursor.h"
#include "lang/utf8.h"
#include "ops/members.h"
#include "ops/python/classes.h"
#include "ops/python/interpreter.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// What is known where the statement with the cursor stands: the program run up to there, and of a function, whose
/// calls come below it, all of it, with the statement as its last call finds it.
class Before {
 public:
  Before(std::string_view source, const Cursor& cursor)
      : source_(source), statement_(static_cast<size_t>(cursor.statement)) {
    const auto word_end = static_cast<size_t>(cursor.word.end);
    const Program program = parse(std::string(source_.substr(0, statement_)) + "None");
    for (const Statement& header : program.statements)
      if (is_function(header) && &header + header.body == &program.statements.back()) {
        function_ = true;
        for (const FunctionParameter& parameter : header.parameters) own_.push_back(parameter.name);
        own_.insert(own_.end(), header.binds.begin(), header.binds.end());
      }
    if (function_) rest_ = source_.substr(std::min(source_.find('\n', word_end), source_.size()));
  }

  /// Names and what they are bound to, in order of first binding.
  std::vector<std::pair<std::string, Value>> bindings() const { return run("None").bindings; }
  /// Names of the functions that it is in, whatever they are bound to.
  const std::vector<std::string>& own_names() const { return own_; }
  /// What an expression of the statement is worth; nothing where it fails.
  std::optional<Value> value(Span expression) const {
    return run(source_.substr(static_cast<size_t>(expression.begin),
                              static_cast<size_t>(expression.end - expression.begin)))
        .last;
  }
  /// The ways to write a call of what `callee` is worth, or a subscript of it.
  std::span<const Form* const> forms_of(const OpenCall& call) const {
    const std::optional<Value> callee = value(call.callee);
    if (!callee) return {};
    const auto* symbol = std::get_if<Symbol>(&callee->held);
    if (call.subscript) {
      const auto* facet = std::get_if<Facet>(&callee->held);
      if (symbol) return find_forms(Library::numpy, Form::Kind::subscript, symbol->path + "[]");
      if (!facet && !is_array(*callee)) return {};
      return find_forms(library_of(*callee), Form::Kind::subscript, facet ? facet->name + "[]" : "[]");
    }
    const auto* type = std::get_if<ClassPtr>(&callee->held);
    if (type) return find_forms(Library::torch, Form::Kind::function, (*type)->name);
    if (!symbol) return {};
    if (symbol->self) return find_forms(library_of(*symbol->self), Form::Kind::method, symbol->path);
    return find_forms(symbol->path.starts_with("numpy") ? Library::numpy : Library::torch, Form::Kind::function,
                      symbol->path);
  }

 private:
  struct Ran {
    std::vector<std::pair<std::string, Value>> bindings;
    std::optional<Value> last;
  };

  /// With an expression for the statement.
  Ran run(std::string_view expression) const {
    const std::string text = std::string(source_.substr(0, statement_)).append(expression).append(rest_);
    const Program program = parse(text);
    Ran ran;
    Interpreter interpreter(text, [&](Step&& step, bool) {
      if (step.span.begin != static_cast<int32_t>(statement_)) return;
      ran = {};
      if (step.statement->kind == Statement::Kind::expression && !step.error) ran.last = std::move(step.value);
      interpreter.visit_names([&](const Interpreter::Binding& binding) { ran.bindings.push_back(binding); });
    });
    Flow flow(program);
    interpreter.run(flow);
    return ran;
  }

  std::string_view source_, rest_;
  size_t statement_;
  bool function_ = false;
  std::vector<std::string> own_;
};

bool readable(std::string_view source) {
  return source.size() <= static_cast<size_t>(max_source_bytes) && valid_prefix(source) == source.size();
}

/// The parameter that argument number `positional`, or the one called `name`, goes to.
int parameter_of(const Form& form, int positional, std::string_view name) {
  for (int p = 0; p < static_cast<int>(form.parameters.size()); ++p) {
    const Parameter& parameter = form.parameters[static_cast<size_t>(p)];
    if (name.empty() ? !parameter.keyword_only && (p == positional || parameter.variadic) : parameter.name == name)
      return p;
  }
  return -1;
}

/// Arguments before the first one in the brackets.
int receivers(const Form& form) { return has_receiver(form.kind) ? 1 : 0; }

/// Whether the form takes the arguments given so far.
bool takes(const Form& form, const OpenCall& call) {
  const int given = call.positional + receivers(form);
  if (given > 0 && parameter_of(form, given - 1, "") < 0) return false;
  if (!call.name.empty() && parameter_of(form, 0, call.name) < 0) return false;
  return std::all_of(call.named.begin(), call.named.end(),
                     [&](std::string_view name) { return parameter_of(form, 0, name) >= 0; });
}

/// What is asked for most where layouts are looked at: rows that make another layout, then those that tell of one, then
/// those that compute.
int likelihood(const Op& op) {
  const auto among = [&op](std::initializer_list<std::span<const Op>> groups) {
    return std::any_of(groups.begin(), groups.end(), [&op](std::span<const Op> rows) {
      return std::any_of(rows.begin(), rows.end(), [&op](const Op& row) { return &row == &op; });
    });
  };
  if (among({torch_shape_rows(), torch_dims_rows(), torch_expand_rows(), torch_part_rows(), torch_copy_rows(),
             numpy_shape_rows(), numpy_axes_rows(), numpy_broadcast_rows(), numpy_window_rows(), einops_rows()}))
    return 0;
  return among({torch_query_rows(), numpy_query_rows()}) ? 1 : 2;
}

/// Members in that order, those of one kind by their place in the table; what is no operation comes last.
std::vector<Member> likeliest_first(std::vector<Member> members) {
  const auto place = [](const Member& member) {
    if (member.forms.empty()) return std::pair(3, 0);
    const Op& op = *member.forms.front()->op;
    return std::pair(likelihood(op), row_of(op));
  };
  std::stable_sort(members.begin(), members.end(),
                   [&](const Member& a, const Member& b) { return place(a) < place(b); });
  return members;
}

bool begins_with(std::string_view text, std::string_view typed) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return text.size() >= typed.size() &&
         std::equal(typed.begin(), typed.end(), text.begin(), [&](char a, char b) { return lower(a) == lower(b); });
}

class Collector {
 public:
  Collector(Completions& made, std::string_view typed) : made_(made), typed_(typed) {}

  void add(Completion::Kind kind, std::string text, std::string detail = {}, std::vector<const Form*> forms = {}) {
    const std::string_view last =
        std::string_view(text).substr(text.rfind('.') + 1);  // of "torch.int32" either part may be typed
    const bool known =
        std::any_of(made_.items.begin(), made_.items.end(), [&](const Completion& item) { return item.text == text; });
    if (!known && (begins_with(text, typed_) || begins_with(last, typed_)))
      made_.items.push_back({kind, std::move(text), std::move(detail), std::move(forms)});
  }

  void add(const Member& member) {
    constexpr Completion::Kind kinds[] = {Completion::Kind::attribute, Completion::Kind::method,
                                          Completion::Kind::function, Completion::Kind::module,
                                          Completion::Kind::constant};
    add(kinds[static_cast<size_t>(member.kind)], member.name, {}, member.forms);
  }

  /// What the argument that the cursor is in can be: names of parameters that are still free, and dtypes and memory
  /// formats where the signature asks for one.
  void add_arguments(std::span<const Form* const> overloads, const OpenCall& call,
                     const std::vector<std::pair<std::string, Value>>& bindings) {
    for (const Form* form : overloads) {
      if (!takes(*form, call)) continue;
      const int at = parameter_of(*form, call.positional + receivers(*form), call.name);
      if (at >= 0) add_symbols(form->op->library, form->parameters[static_cast<size_t>(at)], bindings);
      if (!call.name.empty() || !call.fresh || call.subscript) continue;
      for (int p = receivers(*form) + call.positional; p < static_cast<int>(form->parameters.size()); ++p) {
        const Parameter& parameter = form->parameters[static_cast<size_t>(p)];
        if (parameter.variadic || std::find(call.named.begin(), call.named.end(), parameter.name) != call.named.end())
          continue;
        std::string detail(parameter.type);
        if (!parameter.fallback.empty()) detail.append(detail.empty() ? "= " : " = ").append(parameter.fallback);
        add(Completion::Kind::argument, std::string(parameter.name) + "=", std::move(detail), {form});
      }
    }
  }

 private:
  void add_symbols(Library library, const Parameter& parameter,
                   const std::vector<std::pair<std::string, Value>>& bindings) {
    const bool dtype = parameter.name == "dtype" || parameter.takes({"dtype"});
    const bool format = parameter.takes({"format"});
    if (!dtype && !format) return;
    // By the name that the program knows the module by.
    const std::string path = library == Library::torch ? "torch" : "numpy";
    std::string module = library == Library::torch ? "torch" : "np";
    for (const auto& [name, value] : bindings)
      if (const auto* symbol = std::get_if<Symbol>(&value.held); symbol && symbol->path == path) module = name;
    for (const Member& member : members({Symbol{path, nullptr}})) {
      if (member.kind != Member::Kind::constant) continue;
      const auto value = constant(path + "." + member.name);
      if (value && ((dtype && passes(*value, "dtype")) || (format && passes(*value, "format"))))
        add(Completion::Kind::constant, module + "." + member.name);
    }
  }

  Completions& made_;
  std::string_view typed_;
};

Completion::Kind kind_of(const Value& value) {
  if (const auto* type = std::get_if<ClassPtr>(&value.held); type && class_of_library((*type)->name))
    return Completion::Kind::function;
  const auto* symbol = std::get_if<Symbol>(&value.held);
  if (!symbol || symbol->self) return Completion::Kind::variable;
  if (is_module(symbol->path) || is_module_of_python(symbol->path)) return Completion::Kind::module;
  return constant(symbol->path) ? Completion::Kind::constant : Completion::Kind::function;
}

/// What a value that can be called is called: "torch.zeros"; of others and of methods "".
std::string called_name(const Value& value) {
  if (const auto* type = std::get_if<ClassPtr>(&value.held)) return (*type)->name;
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && !symbol->self ? symbol->path : "";
}

std::vector<const Form*> functions_of(const Value& value) {
  const std::string name = called_name(value);
  const auto found =
      find_forms(name.starts_with("numpy") ? Library::numpy : Library::torch, Form::Kind::function, name);
  return {found.begin(), found.end()};
}

void add_names(Collector& collector, const std::vector<std::pair<std::string, Value>>& bindings) {
  for (auto binding = bindings.rbegin(); binding != bindings.rend(); ++binding) {
    const auto& [name, value] = *binding;
    const Completion::Kind kind = kind_of(value);
    collector.add(kind, name, kind == Completion::Kind::variable ? to_string(value, 60) : called_name(value),
                  functions_of(value));
  }
  for (const auto& [name, path] : known_without_import) {
    const Value value{Symbol{std::string(path), nullptr}};
    collector.add(kind_of(value), std::string(name), std::string(path), functions_of(value));
  }
  for (const std::string_view name : builtin_names()) collector.add(Completion::Kind::function, std::string(name));
  for (const std::string_view name : {"None", "True", "False"}) collector.add(Completion::Kind::constant, name.data());
}

}  // namespace

Completions completions_at(std::string_view source, int64_t position) {
  const Cursor cursor = cursor_at(source, position);
  Completions made{cursor.word, {}};
  if (!readable(source) || cursor.place == Cursor::Place::other) return made;
  const Before before(source, cursor);
  Collector collector(made, cursor.typed);
  if (cursor.place == Cursor::Place::member) {
    if (const std::optional<Value> owner = before.value(cursor.owner))
      for (const Member& member : likeliest_first(members(*owner))) collector.add(member);
    return made;
  }
  const auto bindings = before.bindings();
  if (!cursor.calls.empty())
    collector.add_arguments(before.forms_of(cursor.calls.back()), cursor.calls.back(), bindings);
  add_names(collector, bindings);
  for (const std::string& name : before.own_names()) collector.add(Completion::Kind::variable, name);
  return made;
}

std::optional<CallHelp> call_help_at(std::string_view source, int64_t position) {
  if (!readable(source)) return std::nullopt;
  const Cursor cursor = cursor_at(source, position);
  const Before before(source, cursor);
  for (auto call = cursor.calls.rbegin(); call != cursor.calls.rend(); ++call) {
    const auto overloads = before.forms_of(*call);
    if (overloads.empty()) continue;
    CallHelp help{call->callee, {}, -1};
    for (const Form* form : overloads) {
      if (help.active < 0 && takes(*form, *call)) help.active = static_cast<int>(help.ways.size());
      help.ways.push_back(
          {form, parameter_of(*form, call->subscript ? 1 : call->positional + receivers(*form), call->name)});
    }
    help.active = std::max(help.active, 0);
    return help;
  }
  return std::nullopt;
}

}  // namespace stridescope
