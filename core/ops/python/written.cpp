#include "ops/python/written.h"

#include <algorithm>
#include <functional>

#include "ops/python/classes.h"
#include "ops/python/python.h"
#include "ops/trace.h"

namespace stridescope {
namespace {

constexpr std::string_view sources[] = {
#include "ops/torch/nn/written.inc"
    ,
#include "ops/torch/written.inc"
    ,
#include "ops/numpy/written.inc"
    ,
#include "ops/torch/backward.inc"
#include "ops/torch/backward_math.inc"
#include "ops/torch/backward_places.inc"
#include "ops/torch/backward_products.inc"
#include "ops/torch/hooks.inc"
#include "ops/torch/nn/backward.inc"
#include "ops/torch/nn/backward_windows.inc"
    ,
#include "ops/torch/optim.inc"
    ,
#include "ops/torch/data.inc"
    ,
#include "ops/python/buffers.inc"
#include "ops/python/files.inc"
};
constexpr size_t count = std::size(sources);

/// The classes that are none of torch.nn's, each behind the one that it is made from.
constexpr std::pair<std::string_view, WrittenIn> homes[] = {{"torch.optim.", WrittenIn::optim},
                                                            {"torch.utils.data.", WrittenIn::data},
                                                            {"torch.autograd.", WrittenIn::backward},
                                                            {"torch.utils.hooks.", WrittenIn::backward},
                                                            {"builtins.", WrittenIn::python},
                                                            {"array.", WrittenIn::python},
                                                            {"_io.", WrittenIn::python},
                                                            {"numpy.lib.npyio.", WrittenIn::python}};

/// Where a class, or what stands beside it, is written, by its whole name.
WrittenIn written_in(std::string_view path) {
  for (const auto& [prefix, where] : homes)
    if (path.starts_with(prefix)) return where;
  return WrittenIn::nn;
}

/// Those that have been read.
std::optional<WrittenLibrary>& read(size_t which) {
  static std::optional<WrittenLibrary> libraries[count];
  return libraries[which];
}

const Statement* defined(std::string_view name, const WrittenLibrary& library) {
  for (const Statement& line : library.program.statements)
    if (is_definition(line) && line.targets[0]->text == name) return &line;
  return nullptr;
}

FunctionPtr function_of(const Statement& header, const ClassPtr& owner) {
  Function function{&header, nullptr, &header.parameters, nullptr, "", -1};
  function.name = (owner ? std::string(short_name(*owner)) + "." : "") + header.targets[0]->text;
  function.owner = owner;
  std::vector<Value> fallbacks;
  for (const FunctionParameter& parameter : header.parameters)
    fallbacks.push_back(parameter.fallback ? written_default(*parameter.fallback) : Value{});
  function.fallbacks = std::make_shared<const std::vector<Value>>(std::move(fallbacks));
  for (const auto& [decorator, kind] :
       {std::pair("staticmethod", Function::Kind::static_method),
        std::pair("classmethod", Function::Kind::class_method), std::pair("property", Function::Kind::property)})
    if (is_decorated(function, decorator)) function.kind = kind;
  return std::make_shared<const Function>(std::move(function));
}

}  // namespace

const WrittenLibrary& written_library(WrittenIn where) {
  const auto which = static_cast<size_t>(where);
  // A transformer is hundreds of operations; the others are few, each of which may read as much as one may.
  const bool long_ones = where != WrittenIn::torch && where != WrittenIn::numpy;
  const int most = long_ones ? max_operations_written : max_operations;
  if (!read(which)) read(which).emplace(WrittenLibrary{where, sources[which], most, parse(sources[which])});
  return *read(which);
}

const WrittenLibrary* library_of(const Function& function) {
  for (size_t which = 0; which < count; ++which) {
    const auto& library = read(which);
    if (!library) continue;
    const auto& statements = library->program.statements;
    const std::less<const Statement*> before;
    if (!before(function.statement, statements.data()) &&
        before(function.statement, statements.data() + statements.size()))
      return &*library;
  }
  return nullptr;
}

bool is_decorated(const Function& function, std::string_view decorator) {
  const auto& decorators = function.statement->decorators;
  return std::any_of(decorators.begin(), decorators.end(), [&](const ExprPtr one) { return one->text == decorator; });
}

FunctionPtr written_row(const Op& op) {
  if (op.apply) return nullptr;
  constexpr std::string_view layers = "torch.nn.functional.";
  std::string name = first_form(op).name;
  const WrittenIn home = written_in(name);
  const bool layer = name.starts_with(layers);
  if (layer) name.erase(0, layers.size());
  std::replace(name.begin(), name.end(), '.', '_');
  const WrittenIn where = layer                          ? WrittenIn::nn
                          : home != WrittenIn::nn        ? home
                          : op.library == Library::numpy ? WrittenIn::numpy
                                                         : WrittenIn::torch;
  const Statement* const header = defined(name, written_library(where));
  return header ? function_of(*header, nullptr) : nullptr;
}

Value written_default(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::integer: return Value{expr.integer};
    case Expr::Kind::real: return Value{expr.real};
    case Expr::Kind::boolean: return Value{expr.integer != 0};
    case Expr::Kind::string: return Value{expr.text};
    case Expr::Kind::unary: return Value{-expr.children[0]->integer};
    case Expr::Kind::attribute: return Value{Symbol{"torch.nn.functional." + expr.text, nullptr}};
    case Expr::Kind::tuple: {
      std::vector<Value> items;
      for (const ExprPtr item : expr.children) items.push_back(written_default(*item));
      return list_of(std::move(items), Sequence::Kind::tuple);
    }
    default: return {};
  }
}

std::optional<Value> written_name(std::string_view name, const WrittenLibrary& library) {
  constexpr std::pair<std::string_view, std::string_view> modules[] = {
      {"torch", "torch"}, {"nn", "torch.nn"}, {"F", "torch.nn.functional"}, {"np", "numpy"}, {"copy", "copy"},
      {"io", "io"},       {"math", "math"},   {"itertools", "itertools"}};
  for (const auto& [known, path] : modules)
    if (name == known) return Value{Symbol{std::string(path), nullptr}};
  if (name.starts_with(engine_prefix)) return Value{Symbol{std::string(name), nullptr}};
  const Statement* const header = defined(name, library);
  if (!header) return std::nullopt;
  if (is_function(*header)) return Value{function_of(*header, nullptr)};
  for (const auto& [prefix, where] : homes)
    if (where == library.where)
      if (ClassPtr type = class_of_library(std::string(prefix) + std::string(name))) return Value{std::move(type)};
  if (ClassPtr type = class_of_library("torch.nn." + std::string(name))) return Value{std::move(type)};
  // The one class that is none of torch.nn's own.
  static const ClassPtr inner = std::make_shared<const Class>(
      Class{"torch.nn.modules.linear." + header->targets[0]->text, class_of_library("torch.nn.Linear")});
  return Value{inner};
}

void add_written(const ClassPtr& type) {
  const Statement* const header = type->members->keys.empty() ? defined(type->name.substr(type->name.rfind('.') + 1),
                                                                        written_library(written_in(type->name)))
                                                              : nullptr;
  for (const Statement* line = header + 1; header && line <= header + header->body; line += line->body + 1)
    if (is_definition(*line)) keep({type, type->members}, line->targets[0]->text, Value{function_of(*line, type)});
}

}  // namespace stridescope
