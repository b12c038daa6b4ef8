#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

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

/// The commands with their options, and what has been read of them.
class Interface {
 public:
  explicit Interface(Language language) : language_(language), app_(say(Msg::cli_about), "stridescope") {
    options_.language = language;
    app_.require_subcommand(1);
    app_.set_help_flag("-h,--help", say(Msg::cli_help));
    app_.set_version_flag("--version", "stridescope " STRIDESCOPE_VERSION, say(Msg::cli_version));
    app_.get_formatter()->column_width(40);
    take_language(app_);
    add_trace();
    add_render();
    add_markdown();
    add_mdbook();
    add_operations();
    add_explain();
    add_for_program("python", Msg::cli_python, Command::python);
  }

  std::variant<Options, Notice> read(std::vector<std::string> arguments) {
    try {
      std::reverse(arguments.begin(), arguments.end());
      app_.parse(std::move(arguments));
    } catch (const CLI::CallForVersion&) {
      return Notice{app_.version() + "\n"};
    } catch (const CLI::Success&) {
      const auto chosen = app_.get_subcommands();
      return Notice{chosen.empty() ? app_.help() : chosen.front()->help(app_.get_name())};
    } catch (const CLI::ParseError& error) {
      return misuse({Msg::plain_text, {error.what()}});
    }
    if (!lang_.empty() && lang_ != "en" && lang_ != "zh") return misuse({Msg::link_value, {"lang", lang_}});
    if (answer_) return *answer_;
    std::optional<Message> wrong;
    if (options_.command == Command::render) wrong = understand_render();
    if (options_.command == Command::markdown) wrong = understand_markdown();
    if (wrong) return misuse(*wrong);
    return std::move(options_);
  }

 private:
  using Command = Options::Command;

  std::string say(Msg id) const { return plain({id, {}}, language_); }

  Notice misuse(const Message& message) const {
    return {"stridescope: " + plain(message, language_) + "\n  " + say(Msg::cli_see_help) + "\n", 2};
  }

  void take_language(CLI::App& by) { by.add_option("--lang", lang_, say(Msg::cli_lang))->option_text("en|zh"); }

  CLI::App& add(const char* name, Msg help, Command chosen) {
    CLI::App& command = *app_.add_subcommand(name, say(help));
    command.callback([this, chosen] { options_.command = chosen; });
    return command;
  }

  /// A command that reads one program.
  CLI::App& add_for_program(const char* name, Msg help, Command chosen) {
    CLI::App& command = add(name, help, chosen);
    command.add_option("FILE", options_.input, say(Msg::cli_file))->option_text(" ");
    take_language(command);
    return command;
  }

  void add_trace() {
    CLI::App& trace = add_for_program("trace", Msg::cli_trace, Command::trace);
    trace.add_flag("--jsonl", lines_, say(Msg::cli_jsonl));
    trace.callback([this] { options_.command = lines_ ? Command::trace_lines : Command::trace; });
  }

  void add_render() {
    CLI::App& render = add("render", Msg::cli_render, Command::render);
    render.add_option("FILE", options_.render.inputs, say(Msg::cli_figure))->option_text(" ");
    take_language(render);
    render.add_option("-o,--output", options_.render.output, say(Msg::cli_output))->option_text("FILE");
    render.add_option("-T,--format", render_format_, say(Msg::cli_format))
        ->option_text("svg|png|pdf|tikz|html|json|txt|alt");
    for (const FigureOption& option : figure_options) {
      const auto take = [this, name = std::string(option.name())](const std::string& value) {
        options_.render.chosen[name] = value;
      };
      if (option.values)
        render.add_option_function<std::string>(option.flags, take, say(option.help))->option_text(option.values);
      else
        render.add_flag_callback(option.flags, std::bind(take, ""), say(option.help));
    }
    render.add_flag("--watch", options_.render.watch, say(Msg::cli_watch));
  }

  void add_markdown() {
    CLI::App& markdown = add("markdown", Msg::cli_markdown, Command::markdown);
    markdown.add_option("FILE", options_.markdown.input, say(Msg::cli_markdown_file))->option_text(" ");
    take_language(markdown);
    markdown.add_option("-o,--output", options_.markdown.output, say(Msg::cli_markdown_output))->option_text("FILE");
    markdown.add_option("-T,--format", markdown_format_, say(Msg::cli_markdown_format))->option_text("svg|png|pdf");
  }

  void add_mdbook() {
    CLI::App& mdbook = add("mdbook", Msg::cli_mdbook, Command::mdbook);
    take_language(mdbook);
    CLI::App& supports = *mdbook.add_subcommand("supports", say(Msg::cli_mdbook))->group("");
    supports.add_option("RENDERER", renderer_)->required();
    supports.callback([this] { answer_ = Notice{"", renderer_ == "html" ? 0 : 1}; });
  }

  void add_operations() {
    CLI::App& operations = add("operations", Msg::cli_operations, Command::operations);
    take_language(operations);
    operations.add_flag("--html", html_, say(Msg::cli_operations_html));
    operations.add_flag("--names", names_, say(Msg::cli_operations_names))->excludes("--html");
    operations.callback([this] {
      options_.command = html_ ? Command::operations_html : names_ ? Command::operations_names : Command::operations;
    });
  }

  void add_explain() {
    CLI::App& explain = add_for_program("explain", Msg::cli_explain, Command::explain);
    explain.add_flag("--notations", options_.notations, say(Msg::cli_notations));
  }

  /// What the words of `render` come to, or what is wrong with them.
  std::optional<Message> understand_render() {
    RenderOptions& asked = options_.render;
    if (asked.inputs.empty()) asked.inputs = {"-"};
    if (!lang_.empty()) asked.chosen["lang"] = lang_;
    const auto figure = figure_of({}, {}, asked.chosen);
    if (const auto* wrong = std::get_if<Message>(&figure)) return *wrong;
    const auto ending = is_folder(asked.output) ? "" : std::filesystem::path(asked.output).extension().string();
    const auto format = !render_format_.empty() ? format_named(render_format_)
                        : ending.empty()        ? Format::svg
                                                : format_named(ending.substr(1));
    if (!format && !render_format_.empty()) return Message{Msg::cli_bad_format, {render_format_}};
    if (!format) return Message{Msg::cli_bad_ending, {asked.output}};
    asked.format = *format;
    if (const auto wrong = meaningless(asked.chosen, asked.format)) return wrong;
    const bool streams =
        std::find(asked.inputs.begin(), asked.inputs.end(), "-") != asked.inputs.end() || asked.output == "-";
    if (asked.watch && streams) return Message{Msg::cli_watch_needs_files, {}};
    return std::nullopt;
  }

  /// The same of `markdown`.
  std::optional<Message> understand_markdown() {
    const auto format = format_named(markdown_format_);
    if (format != Format::svg && format != Format::png && format != Format::pdf)
      return Message{Msg::cli_bad_format, {markdown_format_}};
    options_.markdown.format = *format;
    return std::nullopt;
  }

  Language language_;
  Options options_;
  std::string lang_, render_format_, markdown_format_ = "svg", renderer_;
  std::optional<Notice> answer_;  ///< to mdBook's question
  bool lines_ = false, html_ = false, names_ = false;
  CLI::App app_;
};

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
  return Interface(language_of(arguments)).read(std::move(arguments));
}

}  // namespace stridescope
