#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace stridescope {
namespace {

/// An option of a figure (see figure.h). Without values it is a flag.
struct FigureOption {
  const char* flags;  ///< the first is its name
  const char* values;
  Msg help;
  std::string_view name() const {
    const std::string_view all = std::string_view(flags).substr(2);
    return all.substr(0, all.find(','));
  }
};
constexpr std::array figure_options{
    FigureOption{"--step", "N[,N..]", Msg::cli_step},
    FigureOption{"--all-steps", nullptr, Msg::cli_all_steps},
    FigureOption{"--op", "N", Msg::cli_op},
    FigureOption{"--head", "N", Msg::cli_head},
    FigureOption{"--figures", "strip,grid,path,verdict,before,sharing", Msg::cli_figures},
    FigureOption{"--labels", "value|index|offset|order", Msg::cli_labels},
    FigureOption{"--colour,--color", "position|row|order|axis|times|line|bank", Msg::cli_colour},
    FigureOption{"--unit", "elements|bytes", Msg::cli_unit},
    FigureOption{"--line", "BYTES", Msg::cli_line},
    FigureOption{"--zoom", "STEPS", Msg::cli_zoom},
    FigureOption{"--ask", nullptr, Msg::cli_ask},
    FigureOption{"--theme", "light|dark|print", Msg::cli_theme},
    FigureOption{"--width", "PX", Msg::cli_width},
    FigureOption{"--height", "PX", Msg::cli_height},
    FigureOption{"--caption", "TEXT", Msg::cli_caption},
    FigureOption{"--alt", "TEXT", Msg::cli_alt},
    FigureOption{"--animate", nullptr, Msg::cli_animate},
    FigureOption{"--scale", "N", Msg::cli_scale},
    FigureOption{"--standalone", nullptr, Msg::cli_standalone},
};

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
  const auto take_language = [&](CLI::App& by) {
    by.add_option("--lang", lang, say(Msg::cli_lang))->option_text("en|zh");
  };
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

  CLI::App* render = app.add_subcommand("render", say(Msg::cli_render));
  render->add_option("FILE", options.render.inputs, say(Msg::cli_figure))->option_text(" ");
  take_language(*render);
  render->add_option("-o,--output", options.render.output, say(Msg::cli_output))->option_text("FILE");
  std::string format;
  render->add_option("-T,--format", format, say(Msg::cli_format))->option_text("svg|png|pdf|tikz|html|json|txt|alt");
  std::array<std::string, figure_options.size()> values;
  for (size_t i = 0; i < figure_options.size(); ++i) {
    const FigureOption& option = figure_options[i];
    const std::string help = say(option.help);
    if (option.values)
      render->add_option(option.flags, values[i], help)->option_text(option.values);
    else
      render->add_flag(option.flags, help);
  }
  render->add_flag("--watch", options.render.watch, say(Msg::cli_watch));

  CLI::App* markdown = app.add_subcommand("markdown", say(Msg::cli_markdown));
  markdown->add_option("FILE", options.markdown.input, say(Msg::cli_markdown_file))->option_text(" ");
  take_language(*markdown);
  markdown->add_option("-o,--output", options.markdown.output, say(Msg::cli_markdown_output))->option_text("FILE");
  std::string figure_format = "svg";
  markdown->add_option("-T,--format", figure_format, say(Msg::cli_markdown_format))->option_text("svg|png|pdf");
  CLI::App* mdbook = app.add_subcommand("mdbook", say(Msg::cli_mdbook));
  take_language(*mdbook);
  CLI::App* supports = mdbook->add_subcommand("supports", say(Msg::cli_mdbook))->group("");
  std::string renderer;
  supports->add_option("RENDERER", renderer)->required();

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

  if (!lang.empty() && lang != "en" && lang != "zh") return misuse({Msg::link_value, {"lang", lang}}, language);
  options.language = language;

  if (render->parsed()) {
    RenderOptions& asked = options.render;
    if (asked.inputs.empty()) asked.inputs = {"-"};
    for (size_t i = 0; i < figure_options.size(); ++i) {
      const std::string name(figure_options[i].name());
      if (render->count("--" + name) > 0) asked.chosen[name] = values[i];
    }
    if (!lang.empty()) asked.chosen["lang"] = lang;
    const auto wrong = figure_of({}, {}, asked.chosen);
    if (const auto* reason = std::get_if<Message>(&wrong)) return misuse(*reason, language);
    const bool folder = std::filesystem::is_directory(asked.output);
    const auto ending = folder ? "" : std::filesystem::path(asked.output).extension().string();
    const auto named = !format.empty()  ? format_named(format)
                       : ending.empty() ? Format::svg
                                        : format_named(ending.substr(1));
    if (!named && !format.empty()) return misuse({Msg::cli_bad_format, {format}}, language);
    if (!named) return misuse({Msg::cli_bad_ending, {asked.output}}, language);
    asked.format = *named;
    if (const auto reason = meaningless(asked.chosen, asked.format)) return misuse(*reason, language);
    const bool streams =
        std::find(asked.inputs.begin(), asked.inputs.end(), "-") != asked.inputs.end() || asked.output == "-";
    if (asked.watch && streams) return misuse({Msg::cli_watch_needs_files, {}}, language);
  }

  const auto figures = format_named(figure_format);
  if (figures != Format::svg && figures != Format::png && figures != Format::pdf)
    return misuse({Msg::cli_bad_format, {figure_format}}, language);
  options.markdown.format = *figures;
  if (supports->parsed()) return Notice{"", renderer == "html" ? 0 : 1};

  options.command = render->parsed()       ? Options::Command::render
                    : markdown->parsed()   ? Options::Command::markdown
                    : mdbook->parsed()     ? Options::Command::mdbook
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
