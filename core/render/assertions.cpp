#include "stridescope.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stridescope {
namespace {

/// Whether `word` stands in `text` as a name of its own.
bool mentions(std::string_view text, std::string_view word) {
  const auto in_name = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

/// A Python string literal of one line.
std::string double_quoted(std::string_view text) {
  std::string literal = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    if (c == '\n')
      literal += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      ((literal += "\\x") += "01"[c >> 4]) += "0123456789abcdef"[c & 15];
    else
      literal += c;
  }
  return literal + '"';
}

std::string indented(std::string_view text) {
  std::string result = "    ";
  for (char c : text) {
    result += c;
    if (c == '\n') result += "    ";
  }
  return result;
}

/// Where those are that are no built-in names.
constexpr std::pair<std::string_view, std::string_view> exceptions_to_import[] = {
    {"AxisError", "from numpy.exceptions import AxisError\n"},
    {"DTypePromotionError", "from numpy.exceptions import DTypePromotionError\n"},
    {"FrozenInstanceError", "from dataclasses import FrozenInstanceError\n"},
    {"TooHardError", "from numpy.exceptions import TooHardError\n"},
    {"UFuncTypeError", "from numpy._core._exceptions import UFuncTypeError\n"},
    {"LinAlgError", "from numpy.linalg import LinAlgError\n"}};

/// The imports a program relies on without writing them.
std::string prelude(const Trace& trace) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{
      {{"torch", "import torch\n"},
       {"np", "import numpy as np\n"},
       {"as_strided", "from numpy.lib.stride_tricks import as_strided\n"},
       {"sliding_window_view", "from numpy.lib.stride_tricks import sliding_window_view\n"}}};
  std::string text;
  for (const auto& [name, line] : known) {
    bool bound = false;
    for (const Statement& statement : trace.program.statements)
      for (const Statement::Import& import : statement.imports) bound = bound || import.alias == name;
    // What is asserted of arrays asks np.
    const bool asked = name == "np" && std::any_of(trace.steps.begin(), trace.steps.end(), [](const Step& step) {
                         return std::any_of(step.names.begin(), step.names.end(),
                                            [](const Named& one) { return one.tensor->library == Library::numpy; });
                       });
    if (!bound && (asked || mentions(trace.source, name))) text += line;
  }
  return text;
}

/// `expression` is a tensor with this layout.
std::string layout_assertion(const std::string& expression, const Tensor& tensor) {
  const Layout& layout = tensor.layout;
  std::string text = "assert tuple(" + expression + ".shape) == " + to_string(layout.sizes);
  if (tensor.library == Library::numpy)
    return text + " and " + expression + ".strides == " + to_string(layout.strides) + "\n";
  return text + " and " + expression + ".stride() == " + to_string(layout.strides) + " and " + expression +
         ".storage_offset() == " + std::to_string(layout.storage_offset) + "\n";
}

/// Which other names share its storage (torch), which read no element of it (NumPy).
std::string sharing_assertions(const std::string& expression, const Tensor& tensor, const Step& step) {
  std::string shared, apart, text;
  int strangers = 0;
  for (const Named& other : step.names) {
    const Tensor& by = *other.tensor;
    if (other.name == expression || other.name.find('[') != std::string::npos || by.library != tensor.library) continue;
    if (tensor.storage->nbytes == 0 || by.storage->nbytes == 0) continue;
    if (by.storage == tensor.storage)
      shared += " == storage(" + other.name + ")";
    else if (tensor.library == Library::torch)
      apart += (strangers++ ? ", storage(" : "storage(") + other.name + ")";
    else
      text += "assert not np.shares_memory(" + expression + ", " + other.name + ")\n";
  }
  if (tensor.library == Library::numpy) return text;
  if (!shared.empty()) text += "assert storage(" + expression + ")" + shared + "\n";
  if (strangers) text += "assert storage(" + expression + ") not in (" + apart + (strangers == 1 ? ",)\n" : ")\n");
  return text;
}

/// Values that the program alone decides and that have a literal; not addresses, not random numbers.
bool repeatable(const Value& value) {
  if (std::holds_alternative<bool>(value.held) || std::holds_alternative<int64_t>(value.held) ||
      std::holds_alternative<std::string>(value.held))
    return true;
  if (const auto* dictionary = std::get_if<Dictionary>(&value.held)) {
    const auto plain = [](const Value& key) { return repeatable(key) || std::holds_alternative<None>(key.held); };
    const DictionaryItems& items = *dictionary->items;
    return dictionary->view == Dictionary::View::whole && !items.makes &&
           std::all_of(items.keys.begin(), items.keys.end(), plain) &&
           std::all_of(items.values.begin(), items.values.end(), repeatable);
  }
  const auto items = parts_of(value);
  if (std::holds_alternative<Set>(value.held)) return std::all_of(items.begin(), items.end(), repeatable);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && !is_iterator(sequence->kind) && !sequence->type &&
         std::all_of(sequence->items->begin(), sequence->items->end(), repeatable);
}

/// What can be asserted of the value that `expression` has.
std::string value_assertions(const std::string& expression, const Value& value, const Step& step) {
  if (const TensorPtr tensor = tensor_of(value))
    return layout_assertion(expression, *tensor) + sharing_assertions(expression, *tensor, step);
  const auto* dictionary = std::get_if<Dictionary>(&value.held);
  if (dictionary && dictionary->view != Dictionary::View::whole) return "";
  if (std::holds_alternative<Set>(value.held) && first_tensor(value)) return "";
  if (const auto* sequence = std::get_if<Sequence>(&value.held); sequence && is_iterator(sequence->kind)) return "";
  std::string text;
  const auto parts = named_parts(value);
  for (size_t i = 0; i < parts.size(); ++i)
    if (const TensorPtr tensor = tensor_of(parts[i]))
      text += layout_assertion(part_name(expression, value, i, std::string::npos), *tensor);
  if (!text.empty()) return text;
  if (!repeatable(value) || mentions(step.text, "data_ptr") || mentions(step.text, "id") ||
      mentions(step.text, "hash"))  // that of None is another in older versions of Python
    return "";
  return "assert " + expression + " == " + to_string(value, std::string::npos) + "\n";
}

bool is_condition(const Step& step) {
  const Statement& header = *step.statement;
  return is_clause(header, "if") || is_clause(header, "elif") || is_clause(header, "while");
}

/// What the statement says there.
std::string part_of(const Step& step, const Expr& expr) {
  return step.text.substr(static_cast<size_t>(expr.span.begin - step.span.begin),
                          static_cast<size_t>(expr.span.end - expr.span.begin));
}

/// The statement; of `if condition:` the condition, by which the lines that follow are those of its block; of `for` the
/// next item.
std::string code(const Step& step) {
  if (is_clause(*step.statement, "for")) {
    const std::string items = "items_of_line_" + std::to_string(step.line);
    const std::string begin =
        step.round > 1 ? "" : items + " = iter((" + part_of(step, *step.statement->value) + "))\n";
    if (step.round == 0 && step.rounds > 0) return "next(" + items + ", None)";
    return step.round == 0 && !step.error
               ? begin
               : begin + part_of(step, *step.statement->targets[0]) + " = next(" + items + ")";
  }
  if (!is_condition(step)) return step.text;
  const size_t word = step.statement->text.size();
  return "bool(" + step.text.substr(word + 1, step.text.size() - word - 2) + ")";
}

std::string failure(const Step& step, const Diagnostic::Raised& raised) {
  std::string text = "try:\n" + indented(code(step)) + "\nexcept " + raised.type + " as error:\n";
  // Of arguments that do not fit the type alone is the same in every version of Python and of the libraries.
  text += raised.parser || raised.type == "TypeError" ? "    pass\n"
                                                      : "    assert str(error) == " + double_quoted(raised.text) + "\n";
  text += "else:\n    raise AssertionError(" + double_quoted(raised.type + " expected") + ")\n";
  for (const std::string& target : step.targets) text += "globals().pop('" + target + "', None)\n";
  return text;
}

std::string assertions_of(const Step& step) {
  if (step.error && step.error->raised) return failure(step, *step.error->raised);
  if (step.error) return "# not run here: " + step.text.substr(0, step.text.find('\n')) + "\n";
  if (step.statement->kind == Statement::Kind::clause && !is_condition(step) && !is_clause(*step.statement, "for")) {
    // An `except` that takes what was raised may give it a name.
    if (step.targets.empty()) return "";
    if (const auto* walk = std::get_if<Sequence>(&step.value.held); walk && walk->kind == Sequence::Kind::nditer)
      return step.targets[0] + " = " + part_of(step, *step.statement->value) + "\n";
    const bool named = std::holds_alternative<Caught>(step.value.held);
    return named ? step.targets[0] + " = " + to_string(step.value, std::string::npos) + "\n" : "";
  }
  const bool expression = is_condition(step) || step.statement->kind == Statement::Kind::expression;
  const bool anything = !std::holds_alternative<None>(step.value.held);
  if (expression)
    return (anything ? "_ = " : "") + code(step) + "\n" + (anything ? value_assertions("_", step.value, step) : "");
  std::string text = code(step) + "\n";
  if (!step.unpack && step.targets.size() == 1) return text + value_assertions(step.targets[0], step.value, step);
  for (const Named& named : step.names)
    if (std::find(step.targets.begin(), step.targets.end(), named.name) != step.targets.end())
      text += layout_assertion(named.name, *named.tensor);
  return text;
}

/// Where gradients are not followed, in such a block.
std::string in_its_mode(const Step& step, std::string lines) {
  if (lines.empty() || lines[0] == '#' || step.gradients == Gradients::followed) return lines;
  lines.pop_back();
  return std::string("with torch.") + (step.gradients == Gradients::ignored ? "no_grad" : "inference_mode") + "():\n" +
         indented(lines) + "\n";
}

std::string statement_text(const Trace& trace, Span span) {
  return trace.source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
}

/// A function or a class as it is defined, as far to the left as it can be; what is not read may be no Python.
std::string definition(const Trace& trace, const Statement& header) {
  const Statement* const last = &header + header.body;
  const auto unread = [](const Statement& statement) { return statement.kind == Statement::Kind::error; };
  const auto fails = [&](const Step& step) { return step.statement == &header && step.error && step.round == 0; };
  if (std::any_of(&header, last + 1, unread) || std::any_of(trace.steps.begin(), trace.steps.end(), fails))
    return "# not run here: " + statement_text(trace, header.span) + "\n";
  const bool decorated = !header.decorators.empty();
  const size_t begin = decorated ? trace.source.rfind('@', static_cast<size_t>(header.decorators.front()->span.begin))
                                 : static_cast<size_t>(header.span.begin);
  const std::string lines = statement_text(trace, {static_cast<int32_t>(begin), last->span.end});
  const size_t margin = begin - (trace.source.find_last_of("\r\n", begin) + 1);
  std::string text;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    text += lines.substr(at, end - at);
    at = end;
    for (size_t blank = 0; blank < margin && (lines[at] == ' ' || lines[at] == '\t'); ++blank) ++at;
  }
  return text + "\n";
}

}  // namespace

std::string assertions(const Trace& trace) {
  const auto is_of_future = [&](const Statement& statement) {
    return statement.kind == Statement::Kind::import_ &&
           statement_text(trace, statement.span).starts_with("from __future__");
  };
  std::string text;
  for (const Statement& statement : trace.program.statements)  // which stands before all others
    if (is_of_future(statement)) text += statement_text(trace, statement.span) + "\n";
  text += prelude(trace);
  for (const auto& [type, line] : exceptions_to_import)
    if (std::any_of(trace.steps.begin(), trace.steps.end(), [&, type = type](const Step& step) {
          return step.error && step.error->raised && step.error->raised->type == type;
        }))
      text += line;
  if (mentions(trace.source, "torch"))
    text += "\n\ndef storage(tensor):\n    return tensor.untyped_storage().data_ptr()\n\n";
  // Imports and functions come where they stand; of what a loop runs again they are made once.
  const Statement* next = trace.program.statements.data();
  const Statement* const end = next + trace.program.statements.size();
  const auto define_until = [&](const Statement* statement) {
    for (; next < statement; ++next) {
      if (next->kind == Statement::Kind::import_ && !is_of_future(*next))
        text += statement_text(trace, next->span) + "\n";
      if (!is_definition(*next)) continue;
      while (!text.empty() && !text.ends_with("\n\n\n")) text += '\n';
      text += definition(trace, *next) + "\n";
      next += next->body;
    }
  };
  for (const Step& step : trace.steps) {
    if (in_a_call(trace, step) || is_definition(*step.statement)) continue;
    define_until(step.statement);
    text += "\n" + in_its_mode(step, assertions_of(step));
  }
  define_until(end);
  return text;
}

}  // namespace stridescope
