#include "ops/python/written.h"

#include "ops/python/classes.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

constexpr std::string_view source =
#include "ops/torch/nn/written.inc"
    ;

/// What a default is worth: a constant, or one of PyTorch's functions.
Value fallback_value(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::integer: return Value{expr.integer};
    case Expr::Kind::real: return Value{expr.real};
    case Expr::Kind::boolean: return Value{expr.integer != 0};
    case Expr::Kind::string: return Value{expr.text};
    case Expr::Kind::unary: return Value{-expr.children[0]->integer};
    case Expr::Kind::attribute: return Value{Symbol{"torch.nn.functional." + expr.text, nullptr}};
    default: return {};
  }
}

const Statement* defined(std::string_view name) {
  for (const Statement& line : written_library().program.statements)
    if (is_definition(line) && line.targets[0]->text == name) return &line;
  return nullptr;
}

FunctionPtr function_of(const Statement& header, const ClassPtr& owner) {
  Function function{&header, nullptr, &header.parameters, nullptr, "", -1};
  function.name = (owner ? std::string(short_name(*owner)) + "." : "") + header.targets[0]->text;
  function.owner = owner;
  std::vector<Value> fallbacks;
  for (const FunctionParameter& parameter : header.parameters)
    fallbacks.push_back(parameter.fallback ? fallback_value(*parameter.fallback) : Value{});
  function.fallbacks = std::make_shared<const std::vector<Value>>(std::move(fallbacks));
  if (!header.decorators.empty()) function.kind = Function::Kind::static_method;
  return std::make_shared<const Function>(std::move(function));
}

}  // namespace

const WrittenLibrary& written_library() {
  static const WrittenLibrary library{source, parse(source)};
  return library;
}

bool is_written(const Function& function) { return function.scope < 0; }

std::optional<Value> written_name(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> modules[] = {
      {"torch", "torch"}, {"nn", "torch.nn"}, {"F", "torch.nn.functional"}, {"copy", "copy"}, {"math", "math"}};
  for (const auto& [known, path] : modules)
    if (name == known) return Value{Symbol{std::string(path), nullptr}};
  const Statement* const header = defined(name);
  if (!header) return std::nullopt;
  if (is_function(*header)) return Value{function_of(*header, nullptr)};
  if (ClassPtr type = class_of_torch("torch.nn." + std::string(name))) return Value{std::move(type)};
  // The one class that is none of torch.nn's own.
  static const ClassPtr inner = std::make_shared<const Class>(
      Class{"torch.nn.modules.linear." + header->targets[0]->text, class_of_torch("torch.nn.Linear")});
  return Value{inner};
}

void add_written(const ClassPtr& type) {
  const Statement* const header = type->members->keys.empty() ? defined(short_name(*type)) : nullptr;
  for (const Statement* line = header + 1; header && line <= header + header->body; line += line->body + 1)
    keep({type, type->members}, line->targets[0]->text, Value{function_of(*line, type)});
}

}  // namespace stridescope
