// What a program writes.
#include "lang/utf8.h"
#include "ops/contents.h"
#include "ops/python/interpreter.h"
#include "ops/python/text.h"

namespace stridescope {

/// An argument of print. One whose text shows what we cannot write does not stop it.
Interpreter::Result Interpreter::printed(const Expr& expr) {
  unwritten_ = {};
  if (expr.kind == Expr::Kind::fstring) return eval_fstring(expr, false);
  Result text = eval(expr);
  if (text || error_->raised || !(unwritten_ == expr.span)) return text;
  error_.reset();
  step_->wrote_unknown = true;
  return Value{std::string(unknown_text)};
}

/// print(*values, sep=' ', end='\n', file=None, flush=False)
Interpreter::Result Interpreter::print(const std::vector<Value>& values, const Arguments& arguments, const Expr& at) {
  std::string separator = " ", end = "\n";
  for (const auto& [word, value] : arguments.named) {
    if (word == "file" || word == "flush") continue;
    if (word != "sep" && word != "end")
      return fail(python_error("TypeError", {"print() got an unexpected keyword argument '", word, "'"},
                               Msg::unexpected_argument, {"print", word, "print"}),
                  at.span);
    if (const auto* text = std::get_if<std::string>(&value.held))
      (word == "sep" ? separator : end) = *text;
    else if (!std::holds_alternative<None>(value.held))
      return fail(python_error("TypeError", {word, " must be None or a string, not ", type_name(value)},
                               Msg::argument_has_type, {word, "str", type_name(value)}),
                  at.span);
  }
  for (const Value& value : values) {
    const Result words = worded(value, false, at);
    if (!words) return std::nullopt;
    if (output_full_) continue;
    const bool rests = unknown_reads() != read_;  // on values that are not known
    const auto text = words_are_known(*words) && !rests ? python_str(*words) : std::nullopt;
    step_->wrote_unknown |= !text;
    if (&value != &values.front()) write_out(separator);
    write_out(text ? std::string_view(*text) : unknown_text);
  }
  write_out(end);
  return Value{};
}

void Interpreter::write_out(std::string_view text) {
  if (text.empty() || output_full_) return;
  const auto begin = static_cast<int32_t>(output_.size());
  output_full_ = output_.size() + text.size() > max_output_bytes;
  if (output_full_) text = text.substr(0, max_output_bytes - output_.size());
  output_ += text.substr(0, valid_prefix(text));
  if (output_full_) {
    output_ += unknown_text;
    step_->wrote_unknown = true;
  }
  const auto end = static_cast<int32_t>(output_.size());
  if (!step_->wrote.empty() && step_->wrote.back().end == begin)
    step_->wrote.back().end = end;
  else
    step_->wrote.push_back({begin, end});
}

}  // namespace stridescope
