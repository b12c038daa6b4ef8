#include "app/settings.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

#include "files/files.h"
#include "files/folders.h"

namespace stridescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* unsaved_name = "unsaved-";

/// A whole file, with its folder where there is none yet.
std::string put(const fs::path& file, const std::string& text) {
  if (file.empty()) return "no home folder";
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return file.parent_path().string() + ": " + error.message();
  const auto problem = write_whole(file.string(), text);
  return problem ? plain(problem->reason, Language::english) : "";
}

fs::path in(const fs::path& folder, const std::string& name) { return folder.empty() ? folder : folder / name; }

json read(const fs::path& file) {
  std::error_code error;
  if (file.empty() || !fs::is_regular_file(file, error)) return {};
  LineReader lines(file.string());
  std::string text;
  while (const auto line = lines.next()) text += *line + "\n";
  return lines.problem() ? json() : json::parse(text, nullptr, false);
}

template <class T>
void take(const json& from, const char* name, T& value) {
  if (!from.is_object() || !from.contains(name)) return;
  const json& found = from[name];
  if constexpr (std::is_same_v<T, bool>) {
    if (found.is_boolean()) value = found.get<bool>();
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (found.is_number()) value = found.get<T>();
  } else {
    if (found.is_string()) value = found.get<std::string>();
  }
}

fs::path settings_file() { return in(config_folder(), "settings.json"); }
fs::path own_unsaved() { return in(state_folder(), unsaved_name + std::to_string(this_process()) + ".json"); }

}  // namespace

Settings load_settings() {
  const json kept = read(settings_file());
  Settings settings;
  std::string language, theme;
  take(kept, "language", language);
  take(kept, "theme", theme);
  if (language == "zh") settings.language = Language::chinese;
  settings.theme = theme == "dark" ? ThemeId::dark : theme == "print" ? ThemeId::print : ThemeId::light;
  take(kept, "text", settings.text);
  take(kept, "left", settings.left);
  take(kept, "code", settings.code);
  take(kept, "steps", settings.steps);
  take(kept, "picture_width", settings.picture_width);
  take(kept, "picture_scale", settings.picture_scale);
  take(kept, "show_code", settings.show_code);
  take(kept, "show_steps", settings.show_steps);
  take(kept, "show_words", settings.show_words);
  take(kept, "show_view", settings.show_view);
  take(kept, "page", settings.page);
  settings.text = std::clamp(settings.text, least_text, most_text);
  settings.picture_width = std::clamp(settings.picture_width, least_picture_width, most_picture_width);
  settings.picture_scale = std::clamp(settings.picture_scale, least_picture_scale, most_picture_scale);
  for (double* part : {&settings.left, &settings.code, &settings.steps}) *part = std::clamp(*part, 0.1, 0.8);
  if (kept.is_object() && kept.contains("recent") && kept["recent"].is_array())
    for (const json& file : kept["recent"])
      if (file.is_string() && settings.recent.size() < most_recent) settings.recent.push_back(file.get<std::string>());
  return settings;
}

std::string keep_settings(const Settings& settings) {
  const json kept{{"language", settings.language == Language::chinese ? "zh" : "en"},
                  {"theme", settings.theme == ThemeId::dark    ? "dark"
                            : settings.theme == ThemeId::print ? "print"
                                                               : "light"},
                  {"text", settings.text},
                  {"left", settings.left},
                  {"code", settings.code},
                  {"steps", settings.steps},
                  {"picture_width", settings.picture_width},
                  {"picture_scale", settings.picture_scale},
                  {"show_code", settings.show_code},
                  {"show_steps", settings.show_steps},
                  {"show_words", settings.show_words},
                  {"show_view", settings.show_view},
                  {"page", settings.page},
                  {"recent", settings.recent}};
  return put(settings_file(), kept.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

void remember(Settings& settings, const std::string& file) {
  std::error_code error;
  const fs::path whole = fs::absolute(file, error);
  const std::string name = error ? file : whole.lexically_normal().string();
  std::erase(settings.recent, name);
  settings.recent.insert(settings.recent.begin(), name);
  if (settings.recent.size() > most_recent) settings.recent.resize(most_recent);
}

std::string keep_unsaved(const Document& document, const std::string& file) {
  const json kept{{"document", to_text(document)}, {"file", file}};
  return put(own_unsaved(), kept.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

void forget_unsaved() {
  std::error_code error;
  if (const fs::path file = own_unsaved(); !file.empty()) fs::remove(file, error);
}

std::vector<Unsaved> find_unsaved() {
  std::vector<Unsaved> found;
  std::error_code error;
  const fs::path folder = state_folder();
  if (folder.empty()) return found;
  fs::directory_iterator file(folder, error), end;
  for (; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (!name.starts_with(unsaved_name) || !name.ends_with(".json")) continue;
    const int process = std::atoi(name.c_str() + std::string_view(unsaved_name).size());
    if (process <= 0 || is_running(process)) continue;
    const json kept = read(file->path());
    Unsaved unsaved{.kept = file->path().string(), .document = {}, .file = ""};
    std::string text;
    take(kept, "document", text);
    take(kept, "file", unsaved.file);
    std::vector<Diagnostic> problems;
    unsaved.document = parse_document(text, problems);
    if (!unsaved.document.source.empty()) found.push_back(std::move(unsaved));
  }
  return found;
}

}  // namespace stridescope
