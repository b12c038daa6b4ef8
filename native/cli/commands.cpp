#include "cli/commands.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "files/files.h"

namespace stridescope {
namespace {

using nlohmann::json;

constexpr int failed = 1;

void complain(std::string_view place, const Message& reason, const std::vector<Hint>& hints, Language language) {
  std::string text = std::string(place) + ": " + plain(reason, language) + "\n";
  for (const Hint& hint : hints) text += "  " + plain(hint.message, language) + "\n";
  std::cerr << text;
}

int complain(const FileProblem& problem, Language language) {
  complain("stridescope", problem.reason, {{problem.hint, {}}}, language);
  return failed;
}

std::string shown_name(const std::string& file) { return file == "-" ? "<stdin>" : file; }

/// "file:line:column" of a byte of the source, counted from 1, in characters.
std::string place(const std::string& file, std::string_view source, int32_t byte) {
  const std::string_view before = source.substr(0, static_cast<size_t>(byte));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::string_view on_line = before.substr(before.rfind('\n') + 1);
  const auto column = std::count_if(on_line.begin(), on_line.end(), [](char c) { return (c & 0xC0) != 0x80; }) + 1;
  return shown_name(file) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

/// What keeps the text from being a program at all. An exception that the libraries raise is not among it: it is what
/// the lesson shows.
std::vector<Diagnostic> faults(const Trace& trace) {
  std::vector<Diagnostic> found = trace.diagnostics;
  found.insert(found.end(), trace.program.diagnostics.begin(), trace.program.diagnostics.end());
  return found;
}

/// Steps and operations are counted as in a share link: from 0, -1 is the last.
std::optional<Message> out_of_range(const Trace& trace, const ViewState& view) {
  const int steps = static_cast<int>(trace.steps.size());
  if (view.step < -1 || view.step >= steps) return Message{Msg::cli_no_step, {view.step, steps}};
  const int ops = steps == 0 ? 0 : static_cast<int>(trace.steps[static_cast<size_t>(view.step < 0 ? steps - 1 : view.step)].applied.size());
  if (view.op < -1 || view.op >= ops) return Message{Msg::cli_no_op, {view.op, ops}};
  return {};
}

/// The answer to one line of `trace --jsonl`. `problem` says what kept the program from being run to its end; of one
/// that could not be begun there are no records.
std::string answer(const std::string& line, Language language, std::optional<Message>& problem) {
  const json request = json::parse(line, nullptr, false);
  const auto member = [&](const char* name) -> const json* {
    const auto found = request.is_object() ? request.find(name) : request.end();
    return found == request.end() ? nullptr : &*found;
  };
  const json *id = member("id"), *program = member("prog");
  const bool named = id && (id->is_string() || id->is_number());
  std::string source;
  if (!request.is_object())
    problem = Message{Msg::cli_line_not_json, {}};
  else if (!named)
    problem = Message{Msg::cli_line_without_id, {}};
  else if (!program || !program->is_array())
    problem = Message{Msg::cli_line_without_prog, {}};
  else
    for (const json& piece : *program)
      if (piece.is_string())
        source += piece.get_ref<const std::string&>() + "\n";
      else
        problem = Message{Msg::cli_line_without_prog, {}};
  std::string text = "{\"id\":" + (named ? id->dump() : "null");
  if (!problem) {
    const Trace trace = evaluate(std::move(source));
    if (!trace.diagnostics.empty()) problem = trace.diagnostics.front().reason;
    if (!problem || !trace.steps.empty()) text += ",\"lines\":" + records(trace);
  }
  if (problem) text += ",\"error\":" + json(plain(*problem, language)).dump();
  return text + "}\n";
}

int trace_lines(const Options& options) {
  const Language language = options.view.language;
  int status = 0, number = 0;
  LineReader reader(options.input);
  while (const auto line = reader.next()) {
    ++number;
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    std::optional<Message> problem;
    if (print(answer(*line, language, problem), language) != 0) return failed;
    if (!problem) continue;
    complain(shown_name(options.input) + ":" + std::to_string(number) + ":1", *problem, {}, language);
    status = failed;
  }
  return reader.problem() ? complain(*reader.problem(), language) : status;
}

}  // namespace

int print(std::string_view text, Language language) {
  const auto problem = write_whole("-", text);
  return problem ? complain(*problem, language) : 0;
}

int run(const Options& options) {
  if (options.command == Options::Command::trace_lines) return trace_lines(options);
  const Language language = options.view.language;
  if (options.command == Options::Command::operations) return print(reference_markdown(language), language);
  if (options.command == Options::Command::operations_html) return print(reference_html(language), language);
  if (options.command == Options::Command::operations_names) return print(reference_names(), language);
  auto read = read_program(options.input);
  if (const auto* problem = std::get_if<FileProblem>(&read)) return complain(*problem, language);
  const Trace trace = evaluate(std::get<std::string>(std::move(read)));

  const auto found = faults(trace);
  for (const Diagnostic& fault : found)
    complain(place(options.input, trace.source, fault.span.begin), fault.reason, fault.hints, language);
  if (!found.empty()) return failed;

  switch (options.command) {
    case Options::Command::trace_lines:
    case Options::Command::operations:
    case Options::Command::operations_html:
    case Options::Command::operations_names: break;
    case Options::Command::trace: return print(report(trace, language) + "\n", language);
    case Options::Command::explain: return print(explain(trace, language, options.notations), language);
    case Options::Command::python: return print(assertions(trace), language);
    case Options::Command::render: {
      if (const auto wrong = out_of_range(trace, options.view)) {
        complain("stridescope", *wrong, {}, language);
        return failed;
      }
      const auto problem = write_whole(options.output, svg(draw(trace, options.view), options.view.theme));
      return problem ? complain(*problem, language) : 0;
    }
  }
  return failed;
}

}  // namespace stridescope
