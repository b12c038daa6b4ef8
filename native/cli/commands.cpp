#include "cli/commands.h"

#include <nlohmann/json.hpp>

#include "cli/render.h"
#include "files/complaint.h"

namespace stridescope {
namespace {

using nlohmann::json;

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
  const Language language = options.language;
  int status = 0, number = 0;
  LineReader reader(options.input);
  while (const auto line = reader.next()) {
    ++number;
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    std::optional<Message> problem;
    if (print(answer(*line, language, problem), language) != 0) return failed;
    if (!problem) continue;
    complain({shown_name(options.input) + ":" + std::to_string(number) + ":1", *problem, {}}, language);
    status = failed;
  }
  if (!reader.problem()) return status;
  complain(*reader.problem(), language);
  return failed;
}

}  // namespace

int print(std::string_view text, Language language) {
  const auto problem = write_whole("-", text);
  if (!problem) return 0;
  complain(*problem, language);
  return failed;
}

int run(const Options& options) {
  const Language language = options.language;
  switch (options.command) {
    case Options::Command::trace_lines: return trace_lines(options);
    case Options::Command::render: return render(options.render, language);
    case Options::Command::markdown: return markdown(options.markdown, language);
    case Options::Command::mdbook: return mdbook(language);
    case Options::Command::operations: return print(reference_markdown(language), language);
    case Options::Command::operations_html: return print(reference_html(language), language);
    case Options::Command::operations_names: return print(reference_names(), language);
    case Options::Command::trace:
    case Options::Command::explain:
    case Options::Command::python: break;
  }
  auto read = read_document(options.input);
  if (const auto* problem = std::get_if<FileProblem>(&read)) {
    complain(*problem, language);
    return failed;
  }
  const Trace trace = evaluate(std::get<Opened>(std::move(read)).document.source);
  const auto found = faults(trace, options.input);
  for (const Complaint& fault : found) complain(fault, language);
  // What can be run is shown all the same; but nobody asserts half a program.
  const bool whole = found.empty();
  if (!whole && (options.command == Options::Command::python || trace.steps.empty())) return failed;
  const std::string text = options.command == Options::Command::trace     ? report(trace, language) + "\n"
                           : options.command == Options::Command::explain ? explain(trace, language, options.notations)
                                                                          : assertions(trace);
  const int status = print(text, language);
  return whole ? status : failed;
}

}  // namespace stridescope
