// Modules: what an import binds, and what stands behind their dot.
#include <algorithm>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/python/classes.h"
#include "ops/python/exceptions.h"
#include "ops/python/interpreter.h"

namespace stridescope {

/// Modules that an import finds although their package does not name them.
static bool is_submodule(std::string_view package, std::string_view name) {
  constexpr std::string_view of_lib = " format introspect mixins npyio recfunctions scimath user_array ";
  return package == "numpy.lib" && of_lib.find(" " + std::string(name) + " ") != of_lib.npos;
}

/// The module that has the classes of one of its files, which programs import from, too; others themselves.
static std::string home_of(const std::string& module) {
  constexpr std::pair<std::string_view, std::string_view> files[] = {
      {"torch.nn", " parameter modules "},
      {"torch.autograd", " function variable "},
      {"torch.optim", " optimizer sgd adam adamw rmsprop "},
      {"torch.utils.data", " dataset dataloader sampler "}};
  for (const auto& [home, names] : files) {
    if (!module.starts_with(home) || module.size() <= home.size() || module[home.size()] != '.') continue;
    const std::string file = module.substr(home.size() + 1, module.find('.', home.size() + 1) - home.size() - 1);
    if (names.find(" " + file + " ") != names.npos) return std::string(home);
  }
  return module;
}

std::optional<Value> known_member(const std::string& whole) {
  if (ClassPtr type = class_of_library(whole)) return Value{std::move(type)};
  if (!library_exception(whole).empty()) return Value{Symbol{"class." + whole, nullptr}};
  const Library library = whole.starts_with("numpy") ? Library::numpy : Library::torch;
  if (!find_forms(library, Form::Kind::function, whole).empty() ||
      !find_forms(library, Form::Kind::subscript, whole + "[]").empty() || is_module(whole) || whole == "os.path")
    return Value{Symbol{whole, nullptr}};
  if (auto value = constant(whole)) return value;
  return find_builtin(whole) ? std::optional(Value{Symbol{whole, nullptr}}) : std::nullopt;
}

bool gives_by_star(const std::string& path, std::string_view member) {
  // Of torch only what its __all__ names: its modules and these are not among it.
  constexpr std::string_view not_given[] = {"broadcast_shapes",  "channels_last",   "channels_last_3d",
                                            "contiguous_format", "preserve_format", "set_default_dtype",
                                            "set_grad_enabled",  "strided",         "unique"};
  const std::string whole = path + "." + std::string(member);
  const bool left_out = path == "torch" && (is_module(whole) || std::find(std::begin(not_given), std::end(not_given),
                                                                          member) != std::end(not_given));
  // The modules' own `import torch` gives what is there anyway.
  return member[0] != '_' && member != "torch" && !left_out && (known_member(whole) || library_has(path, member));
}

/// Names that are bound already are those of the module now; the others are looked for in it where they are read.
bool Interpreter::import_all(const std::string& path, const Expr& at) {
  starred_.push_back(path);
  const std::vector<Binding> bound = scope().bindings;
  for (const auto& [name, value] : bound) {
    if (!gives_by_star(path, name)) continue;
    const Result member = module_member(path, name, at);
    if (!member) return false;
    bind_name(name, *member);
  }
  return true;
}

std::optional<Diagnostic> Interpreter::import(const Statement& statement) {
  std::optional<Diagnostic> problem;  // the first; what is imported beside it is known
  for (const Statement::Import& item : statement.imports) {
    const std::string home = home_of(item.module);
    const bool in_file = home != item.module && (item.member.empty() || known_member(home + "." + item.member));
    const bool known = in_file || is_module(item.module) || is_module_of_python(item.module);
    if (!known) {
      // Of Python's own, what a program only names, in types or in lines that are never run, is not missed.
      const std::string_view package = std::string_view(item.module).substr(0, item.module.find('.'));
      const bool own = library_has("modules", package) || package == "tqdm";
      scope().failed[item.alias] = {statement.line, false, statement.line, false, false, item.module};
      if (own || problem) continue;
      problem = limit(Msg::module_unknown, {item.module});
      problem->span = item.span;
      continue;
    }
    if (item.member == "*") {
      Expr at;
      at.span = at.part = item.span;
      error_.reset();
      if (!import_all(item.module, at)) return error_;
      continue;
    }
    if (item.member.empty()) {
      // `import numpy.lib` binds numpy; with an alias the module itself.
      const size_t dot = item.module.find('.');
      bind_name(item.alias, {Symbol{item.alias == item.module.substr(0, dot) ? item.alias : home, nullptr}});
      continue;
    }
    Expr at;
    at.span = at.part = item.span;
    error_.reset();
    const Result member = module_member(home, item.member, at);
    if (member) {
      bind_name(item.alias, *member);
      continue;
    }
    if (error_->raised && !is_submodule(item.module, item.member)) return error_;
    if (error_->raised) error_ = limit(Msg::not_modelled, {"NumPy", item.module + "." + item.member});
    if (error_->span == Span{}) error_->span = item.span;
    scope().failed[item.alias] = {statement.line, false, statement.line};
    if (!problem) problem = error_;
  }
  return problem;
}

}  // namespace stridescope
