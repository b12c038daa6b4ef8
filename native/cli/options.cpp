#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <filesystem>
#include <tuple>

namespace stridescope {
namespace {

/// An option that chooses the picture. It is a member of Document's one serialisation, under the same name, and is
/// read by the same reader.
struct ViewOption {
  const char* flags;
  const char* key;
  const char* values;
  Msg help;
};
constexpr std::array view_options{
    ViewOption{"--step", "step", "N", Msg::cli_step},
    ViewOption{"--op", "op", "N", Msg::cli_op},
    ViewOption{"--head", "head", "N", Msg::cli_head},
    ViewOption{"--figures", "figures", "strip,grid,path,verdict,before,sharing", Msg::cli_figures},
    ViewOption{"--labels", "labels", "value|index|offset|order", Msg::cli_labels},
    ViewOption{"--colour,--color", "colour", "position|row|order|axis|times|line", Msg::cli_colour},
    ViewOption{"--unit", "unit", "elements|bytes", Msg::cli_unit},
    ViewOption{"--line", "line", "BYTES", Msg::cli_line},
    ViewOption{"--theme", "theme", "light|dark|print", Msg::cli_theme},
};
constexpr int narrowest = 200, widest = 10'000;

Notice misuse(const Message& message, Language language) {
  return {"stridescope: " + plain(message, language) + "\n  " + plain({Msg::cli_see_help, {}}, language) + "\n", 2};
}

}  // namespace

Language language_of(const std::vector<std::string>& arguments) {
  Language language = Language::english;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view value;
    if (arguments[i].starts_with("--lang="))
      value = std::string_view(arguments[i]).substr(7);
    else if (arguments[i] == "--lang" && i + 1 < arguments.size())
      value = arguments[i + 1];
    if (value == "zh") language = Language::chinese;
    if (value == "en") language = Language::english;
  }
  return language;
}

std::variant<Options, Notice> read_options(std::vector<std::string> arguments) {
  const Language language = language_of(arguments);
  const auto say = [&](Msg id) { return plain({id, {}}, language); };

  Options options;
  CLI::App app(say(Msg::cli_about), "stridescope");
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", say(Msg::cli_help));
  app.set_version_flag("--version", "stridescope " STRIDESCOPE_VERSION, say(Msg::cli_version));
  app.get_formatter()->column_width(40);

  std::string lang;
  const auto take_language = [&](CLI::App& by) { by.add_option("--lang", lang, say(Msg::cli_lang))->option_text("en|zh"); };
  take_language(app);
  const auto command = [&](const char* name, Msg help) {
    CLI::App* subcommand = app.add_subcommand(name, say(help));
    subcommand->add_option("FILE", options.input, say(Msg::cli_file))->option_text(" ");
    take_language(*subcommand);
    return subcommand;
  };
  CLI::App* trace = command("trace", Msg::cli_trace);
  bool lines = false;
  trace->add_flag("--jsonl", lines, say(Msg::cli_jsonl));

  CLI::App* render = command("render", Msg::cli_render);
  render->add_option("-o,--output", options.output, say(Msg::cli_output))->option_text("FILE");
  std::array<std::string, view_options.size()> values;
  for (size_t i = 0; i < view_options.size(); ++i)
    render->add_option(view_options[i].flags, values[i], say(view_options[i].help))
        ->option_text(view_options[i].values);
  std::string width, height;
  render->add_option("--width", width, say(Msg::cli_width))->option_text("PX");
  render->add_option("--height", height, say(Msg::cli_height))->option_text("PX");

  CLI::App* operations = app.add_subcommand("operations", say(Msg::cli_operations));
  take_language(*operations);
  bool html = false, names = false;
  operations->add_flag("--html", html, say(Msg::cli_operations_html));
  operations->add_flag("--names", names, say(Msg::cli_operations_names))->excludes("--html");

  CLI::App* explain = command("explain", Msg::cli_explain);
  explain->add_flag("--notations", options.notations, say(Msg::cli_notations));
  CLI::App* python = command("python", Msg::cli_python);

  try {
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
  } catch (const CLI::CallForVersion&) {
    return Notice{app.version() + "\n"};
  } catch (const CLI::Success&) {
    const auto chosen = app.get_subcommands();
    return Notice{chosen.empty() ? app.help() : chosen.front()->help(app.get_name())};
  } catch (const CLI::ParseError& error) {
    return misuse({Msg::plain_text, {error.what()}}, language);
  }

  std::string text = "lang=" + percent_encoded(lang.empty() ? "en" : lang);
  for (size_t i = 0; i < view_options.size(); ++i)
    if (render->count(std::string(view_options[i].flags).substr(0, std::string(view_options[i].flags).find(','))) > 0)
      text += "&" + std::string(view_options[i].key) + "=" + percent_encoded(values[i]);
  std::vector<Diagnostic> problems;
  options.view = parse_document(text, problems).view;
  if (!problems.empty()) return misuse(problems.front().reason, language);

  for (const auto& [name, asked, room] : {std::tuple("--width", &width, &options.view.width), {"--height", &height, &options.view.height}}) {
    if (render->count(name) == 0) continue;
    int pixels = 0;
    const char* end = asked->data() + asked->size();
    const auto [read, error] = std::from_chars(asked->data(), end, pixels);
    if (error != std::errc{} || read != end || pixels < narrowest || pixels > widest)
      return misuse({Msg::cli_bad_size, {name, narrowest, widest, *asked}}, language);
    *room = px(pixels);
  }
  const auto ending = std::filesystem::path(options.output).extension();
  if (!ending.empty() && ending != ".svg") return misuse({Msg::cli_bad_ending, {options.output}}, language);

  options.command = render->parsed()       ? Options::Command::render
                    : explain->parsed()    ? Options::Command::explain
                    : python->parsed()     ? Options::Command::python
                    : operations->parsed() ? html    ? Options::Command::operations_html
                                             : names ? Options::Command::operations_names
                                                     : Options::Command::operations
                    : lines                ? Options::Command::trace_lines
                                           : Options::Command::trace;
  return options;
}

}  // namespace stridescope
