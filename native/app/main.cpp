// stridescope-desktop: the engine in a window.
#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "app/script.h"

using namespace stridescope;

namespace {

int fail(const FileProblem& problem, Language language) {
  std::cerr << "stridescope-desktop: " + (problem.file.empty() ? "" : problem.file + ": ") +
                   plain(problem.reason, language) + "\n  " + plain(problem.hint, language) + "\n";
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error that is said
  const auto say = [](Msg id) { return plain({id, {}}, Language::english); };
  std::string file, script, language, theme;
  CLI::App options(say(Msg::app_about), "stridescope-desktop");
  options.set_help_flag("-h,--help", say(Msg::cli_help));
  options.set_version_flag("--version", "stridescope-desktop " STRIDESCOPE_VERSION, say(Msg::cli_version));
  options.add_option("FILE", file, say(Msg::app_help_file))->option_text(" ");
  options.add_option("--lang", language, say(Msg::cli_lang))->option_text("en|zh")->check(CLI::IsMember({"en", "zh"}));
  options.add_option("--theme", theme, say(Msg::cli_theme))
      ->option_text("light|dark|print")
      ->check(CLI::IsMember({"light", "dark", "print"}));
  options.add_option("--script", script, say(Msg::app_help_script))->option_text("FILE");
  CLI11_PARSE(options, count, arguments);

  Model model = first_model();
  ViewState& view = model.document.view;
  if (!language.empty()) view.language = language == "zh" ? Language::chinese : Language::english;
  if (!theme.empty()) view.theme = theme == "dark" ? ThemeId::dark : theme == "print" ? ThemeId::print : ThemeId::light;
  if (!file.empty()) open_file(model, file);
  if (model.problem) return fail(*model.problem, model.language());

  if (auto unsaved = find_unsaved(); !unsaved.empty()) model.recovered = std::move(unsaved.front());

  auto opened = Window::open(model);
  if (const auto* problem = std::get_if<FileProblem>(&opened)) return fail(*problem, model.language());
  Window& window = *std::get<std::unique_ptr<Window>>(opened);
  if (!script.empty()) return obey(window, model, script);
  while (!window.closed()) window.frame(true);
  return 0;
}
