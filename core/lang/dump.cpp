#include "lang/ast.h"

namespace stridescope {
namespace {

std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20) {
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      result += c;
    }
  }
  return result + '\'';
}

template <typename List, typename Show>
std::string joined(const List& list, std::string_view separator, const Show& show) {
  std::string text;
  bool first = true;
  for (const auto& item : list) {
    if (!first) text += separator;
    first = false;
    text += show(item);
  }
  return text;
}

template <typename List>
std::string dump_all(const List& list) {
  return joined(list, ", ", [](const Expr* item) { return dump(*item); });
}

std::string dump(const Argument& argument) {
  const std::string name = argument.name.empty() ? "" : argument.name + "=";
  return std::string(static_cast<size_t>(argument.stars), '*') + name + dump(*argument.value);
}

std::string dump(const Comprehension& loop) {
  std::string text = " for " + dump(*loop.target) + " in " + dump(*loop.iterable);
  for (const ExprPtr condition : loop.conditions) text += " if " + dump(*condition);
  return text;
}

std::string dump(const FunctionParameter& parameter) {
  static constexpr std::string_view marks[] = {"/", "", "*", "=", "**"};
  return std::string(marks[static_cast<size_t>(parameter.kind)]) + parameter.name +
         (parameter.fallback ? " " + dump(*parameter.fallback) : "");
}

std::string dump(const std::vector<FunctionParameter>& parameters) {
  return joined(parameters, ", ", [](const FunctionParameter& parameter) { return dump(parameter); });
}

std::string dump(const Statement::Import& import) {
  const std::string& name = import.member.empty() ? import.module : import.member;
  return (import.member.empty() ? "" : import.module + ".") + name + " as " + import.alias;
}

std::string dump(const Statement& statement, const Program& program) {
  std::string targets;
  switch (statement.kind) {
    case Statement::Kind::expression:
    case Statement::Kind::assign:
    case Statement::Kind::augmented:
      for (const ExprPtr target : statement.targets) targets += dump(*target) + " " + statement.text + "= ";
      return targets + dump(*statement.value);
    case Statement::Kind::raise_:
      return "raise" + (statement.value ? " " + dump(*statement.value) : "") +
             (statement.targets.empty() ? "" : " from " + dump(*statement.targets[0]));
    case Statement::Kind::assert_:
      return "assert " + dump(*statement.value) + (statement.targets.empty() ? "" : ", " + dump(*statement.targets[0]));
    case Statement::Kind::outside: return statement.text + " " + dump_all(statement.targets);
    case Statement::Kind::del: return "del " + dump_all(statement.targets);
    case Statement::Kind::import_:
      return "import " + joined(statement.imports, ", ", [](const Statement::Import& import) { return dump(import); });
    case Statement::Kind::clause:
      if (statement.text == "for")
        return "for " + dump(*statement.targets[0]) + " in " + dump(*statement.value) + ": " +
               std::to_string(statement.body) + " " + std::to_string(statement.rest);
      if (is_function(statement))
        return "def " + dump(*statement.targets[0]) + "(" + dump(statement.parameters) +
               "): " + std::to_string(statement.body);
      return statement.text + (statement.value ? " " + dump(*statement.value) : "") +
             (statement.targets.empty() ? "" : " as " + dump(*statement.targets[0])) + ": " +
             std::to_string(statement.body) + " " + std::to_string(statement.rest);
    case Statement::Kind::jump: return statement.text;
    case Statement::Kind::return_: return "return" + (statement.value ? " " + dump(*statement.value) : "");
    case Statement::Kind::yield_:
      return "yield" + (statement.text.empty() ? "" : " " + statement.text) +
             (statement.value ? " " + dump(*statement.value) : "");
    case Statement::Kind::pass: return "pass";
    default: break;  // error
  }
  const Diagnostic& diagnostic = program.diagnostics[static_cast<size_t>(statement.diagnostic)];
  return "error: " + plain(diagnostic.reason, Language::english);
}

}  // namespace

std::string dump(const Expr& expr) {
  const auto child = [&](size_t i) { return expr.children[i] ? dump(*expr.children[i]) : ""; };
  switch (expr.kind) {
    case Expr::Kind::name:
    case Expr::Kind::real: return expr.text;
    case Expr::Kind::integer: return std::to_string(expr.integer);
    case Expr::Kind::string: return quoted(expr.text);
    case Expr::Kind::named: return "(" + child(0) + " := " + child(1) + ")";
    case Expr::Kind::set: return "{" + dump_all(expr.children) + "}";
    case Expr::Kind::fstring: return "f(" + dump_all(expr.children) + ")";
    case Expr::Kind::field:
      return "{" + child(0) + (expr.text.empty() ? "" : "!" + expr.text) + (expr.children[1] ? ":" + child(1) : "") +
             "}";
    case Expr::Kind::boolean: return expr.integer != 0 ? "True" : "False";
    case Expr::Kind::none: return "None";
    case Expr::Kind::ellipsis: return "...";
    case Expr::Kind::list: return "[" + dump_all(expr.children) + "]";
    case Expr::Kind::tuple: return "(" + dump_all(expr.children) + (expr.children.size() == 1 ? ",)" : ")");
    case Expr::Kind::dictionary: {
      std::string text;
      for (size_t i = 0; i < expr.children.size(); i += 2)
        text += (i == 0 ? "" : ", ") + (expr.children[i] ? child(i) + ": " : "**") + child(i + 1);
      return "{" + text + "}";
    }
    case Expr::Kind::starred: return "*" + child(0);
    case Expr::Kind::attribute: return child(0) + "." + expr.text;
    case Expr::Kind::call:
      return child(0) + "(" + joined(expr.arguments, ", ", [](const Argument& argument) { return dump(argument); }) +
             ")";
    case Expr::Kind::subscript: return child(0) + "[" + child(1) + "]";
    case Expr::Kind::slice: return child(0) + ":" + child(1) + (expr.children[2] ? ":" + child(2) : "");
    case Expr::Kind::unary: return "(" + expr.text + (expr.text == "not" ? " " : "") + child(0) + ")";
    case Expr::Kind::binary: return "(" + child(0) + " " + expr.text + " " + child(1) + ")";
    case Expr::Kind::compare: {
      std::string text = "(" + child(0);
      for (size_t i = 0; i < expr.operators().size(); ++i) text += " " + expr.operators()[i] + " " + child(i + 1);
      return text + ")";
    }
    case Expr::Kind::conditional: return "(" + child(0) + " if " + child(1) + " else " + child(2) + ")";
    case Expr::Kind::lambda: return "(lambda " + dump(expr.parameters()) + ": " + child(0) + ")";
    case Expr::Kind::comprehension: break;
  }
  std::string text = expr.text + child(0) + (expr.children.size() > 1 ? ": " + child(1) : "");
  for (const Comprehension& loop : expr.loops()) text += dump(loop);
  return text + (expr.text == "[" ? "]" : expr.text == "{" ? "}" : ")");
}

std::string dump(const Program& program) {
  return joined(program.statements, "\n", [&](const Statement& statement) { return dump(statement, program); });
}

}  // namespace stridescope
