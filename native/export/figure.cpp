#include "export/figure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "export/export.h"

namespace stridescope {
namespace {

constexpr std::array<std::string_view, 8> format_names{"svg", "png", "pdf", "tikz", "html", "json", "txt", "alt"};
/// Options that are members of Document's one serialisation, under the same name.
constexpr std::array<std::string_view, 12> view_names{"step", "op",   "head", "figures", "labels", "colour",
                                                      "unit", "line", "zoom", "ask",     "theme",  "lang"};
constexpr std::array<std::string_view, 9> other_names{"width", "height",  "all-steps", "animate", "standalone",
                                                      "scale", "caption", "alt",       "label"};
constexpr int narrowest = 200, widest = 10'000;

template <class Names>
bool among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "0,2,5"; nothing where one is no number.
std::optional<std::vector<int>> numbers_in(std::string_view text) {
  std::vector<int> list;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const auto number = number_in<int>(trimmed(text.substr(at, end - at)));
    if (!number) return std::nullopt;
    list.push_back(*number);
    at = end + 1;
  }
  return list;
}

/// The steps to draw, all there, or what is wrong.
std::variant<std::vector<int>, Message> steps_of(const Trace& trace, const FigureRequest& figure) {
  const int count = static_cast<int>(trace.steps.size());
  std::vector<int> steps = figure.steps.empty() ? std::vector{figure.view.step} : figure.steps;
  if (figure.all_steps && count > 0) {
    steps.clear();
    for (int step = 0; step < count; ++step) steps.push_back(step);
  }
  for (int& step : steps) {
    if (step < -1 || step >= count) return Message{Msg::cli_no_step, {step, count}};
    if (step == -1 && count > 0 && steps.size() > 1) step = count - 1;
  }
  if (steps.size() == 1) {
    const int ops =
        count == 0
            ? 0
            : static_cast<int>(trace.steps[static_cast<size_t>(steps[0] < 0 ? count - 1 : steps[0])].applied.size());
    if (figure.view.op < -1 || figure.view.op >= ops) return Message{Msg::cli_no_op, {figure.view.op, ops}};
  }
  return steps;
}

Scene scene_of(const Trace& trace, const ViewState& view, const FigureRequest& figure, bool captioned) {
  Scene scene = draw(trace, view);
  if (figure.alt) describe(scene, *figure.alt);
  if (captioned && !figure.drawn_caption.empty()) add_caption(scene, figure.drawn_caption);
  return scene;
}

std::string animation(const Trace& trace, ViewState view, const FigureRequest& figure) {
  const std::string carries = carried({trace.source, view});
  constexpr int longest = 5000, slowest = 400;
  std::vector<Scene> frames;
  for (const int64_t head : walk(view.head, subject(trace, view).elements)) {
    view.head = head;
    frames.push_back(scene_of(trace, view, figure, true));
  }
  return animated_svg(frames, std::min(slowest, longest / static_cast<int>(frames.size())), view.theme, carries);
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  const auto found = std::find(format_names.begin(), format_names.end(), name);
  if (found == format_names.end()) return std::nullopt;
  return static_cast<Format>(found - format_names.begin());
}

std::string_view name_of(Format format) { return format_names[static_cast<size_t>(format)]; }

OptionLines option_lines(std::string_view source, const std::string& file, int first_line) {
  OptionLines found;
  int line_number = first_line - 1;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string_view line = trimmed(source.substr(at, end - at));
    at = end + 1;
    ++line_number;
    if (!line.empty() && !line.starts_with('#')) break;
    if (!line.starts_with("#|")) continue;
    const size_t colon = std::min(line.find(':'), line.size());
    std::string name(trimmed(line.substr(2, colon - 2)));
    std::string_view value = trimmed(line.substr(std::min(colon + 1, line.size())));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    if (name == "color") name = "colour";
    if (name == "fig-cap") name = "caption";
    if (name == "fig-alt") name = "alt";
    if (!among(view_names, name) && !among(other_names, name)) {
      found.wrong =
          Complaint{shown_name(file) + ":" + std::to_string(line_number) + ":1", {Msg::cli_unknown_option, {name}}, {}};
      return found;
    }
    const bool flag = name == "all-steps" || name == "animate" || name == "standalone" || name == "ask";
    if (!flag || value != "false") found.asked[name] = value;
  }
  return found;
}

std::variant<FigureRequest, Message> figure_of(const Opened& opened, const Asked& lines, const Asked& chosen) {
  FigureRequest figure{.source = opened.document.source, .view = opened.document.view};
  Asked asked = lines;
  if (opened.picture)
    for (const auto* names : {"width", "height", "all-steps", "animate", "standalone"}) asked.erase(names);
  for (const std::string_view name : view_names)
    if (opened.picture) asked.erase(std::string(name));
  for (const auto& [name, value] : chosen) asked[name] = value;

  if (const auto found = asked.find("step"); found != asked.end() && found->second.find(',') != std::string::npos) {
    const auto list = numbers_in(found->second);
    if (!list) return Message{Msg::cli_bad_steps, {found->second}};
    figure.steps = *list;
    asked.erase(found);
  } else if (found != asked.end()) {
    const auto step = number_in<int>(found->second);
    if (!step) return Message{Msg::cli_bad_steps, {found->second}};
  }

  // What the picture carries, without what is asked for otherwise; of a key given twice the first counts.
  std::string text;
  for (const std::string_view name : view_names)
    if (const auto found = asked.find(name); found != asked.end())
      text += std::string(name) + "=" + (name == "ask" ? "yes" : percent_encoded(found->second)) + "&";
  std::vector<Diagnostic> problems, twice;
  parse_document(text, problems);
  if (!problems.empty()) return problems.front().reason;
  figure.view = parse_document(text + to_text({"", figure.view}, true), twice).view;

  for (const auto& [name, room] : {std::pair("width", &figure.view.width), {"height", &figure.view.height}}) {
    const auto found = asked.find(name);
    if (found == asked.end()) continue;
    const auto pixels = number_in<int>(found->second);
    if (!pixels || *pixels < narrowest || *pixels > widest)
      return Message{Msg::cli_bad_size, {"--" + std::string(name), narrowest, widest, found->second}};
    *room = px(*pixels);
  }
  if (const auto found = asked.find("scale"); found != asked.end()) {
    const auto scale = number_in<double>(found->second);
    if (!scale || !(*scale >= 0.1 && *scale <= 16)) return Message{Msg::cli_bad_scale, {found->second}};
    figure.scale = *scale;
  }
  figure.all_steps = asked.contains("all-steps");
  figure.animate = asked.contains("animate");
  figure.standalone = asked.contains("standalone");
  if (const auto found = chosen.find("caption"); found != chosen.end()) figure.drawn_caption = found->second;
  if (const auto found = asked.find("caption"); found != asked.end()) figure.caption = found->second;
  if (const auto found = asked.find("label"); found != asked.end()) figure.label = found->second;
  if (const auto found = asked.find("alt"); found != asked.end()) figure.alt = found->second;
  return figure;
}

std::variant<std::vector<Made>, std::vector<Complaint>> make(const FigureRequest& figure, Format format,
                                                             const Place& place, const Progress& progress) {
  const auto refuse = [&](const Message& reason) {
    return std::vector<Complaint>{{shown_name(place.file) + ":" + std::to_string(place.first_line) + ":1", reason, {}}};
  };
  const Trace trace = evaluate(figure.source);
  if (auto found = faults(trace, place.file, place.first_line); !found.empty()) return found;
  auto chosen = steps_of(trace, figure);
  if (const auto* wrong = std::get_if<Message>(&chosen)) return refuse(*wrong);
  const auto& steps = std::get<std::vector<int>>(chosen);

  std::vector<Plate> plates;
  std::vector<Scene> scenes;
  for (const int step : steps) {
    ViewState view = figure.view;
    view.step = step;
    plates.push_back({view, scene_of(trace, view, figure, format != Format::html)});
    scenes.push_back(plates.back().scene);
  }
  const ThemeId theme = figure.view.theme;
  const auto carries = [&](const ViewState& view) { return carried({figure.source, view}); };
  const std::string first_carries = carries(plates.front().view);
  const auto one = [](std::string bytes) { return std::vector{Made{-1, std::move(bytes)}}; };

  std::vector<Made> made;
  const auto goes_on = [&] { return progress(static_cast<int>(made.size()), static_cast<int>(plates.size())); };
  switch (format) {
    case Format::svg:
      for (const Plate& plate : plates) {
        if (!goes_on()) return std::vector<Made>{};
        made.push_back({plate.view.step, figure.animate ? animation(trace, plate.view, figure)
                                                        : svg(plate.scene, theme, carries(plate.view))});
      }
      return made;
    case Format::png:
      for (const Plate& plate : plates) {
        if (!goes_on()) return std::vector<Made>{};
        auto bytes = png(plate.scene, theme, figure.scale, carries(plate.view));
        if (const auto* wrong = std::get_if<Message>(&bytes)) return refuse(*wrong);
        made.push_back({plate.view.step, std::get<std::string>(std::move(bytes))});
      }
      return made;
    case Format::pdf: {
      auto bytes = pdf(scenes, theme, first_carries, progress);
      if (const auto* wrong = std::get_if<Message>(&bytes)) return refuse(*wrong);
      if (std::get<std::string>(bytes).empty()) return std::vector<Made>{};
      return one(std::get<std::string>(std::move(bytes)));
    }
    case Format::tikz: return one(tikz(scenes, theme, figure.standalone ? TikzForm::document : TikzForm::picture));
    case Format::html:
      return one(
          html(trace, plates, figure.drawn_caption.empty() ? figure.caption : figure.drawn_caption, first_carries));
    case Format::json: {
      std::string text = plates.size() > 1 ? "[" : "";
      for (const Plate& plate : plates)
        text += (text.size() > 1 ? ",\n" : "") + scene_json(plate.scene, theme, carries(plate.view));
      return one(text + (plates.size() > 1 ? "]\n" : "\n"));
    }
    case Format::txt: {
      std::string text;
      for (const Plate& plate : plates) text += (text.empty() ? "" : "\n") + plain_text(trace, plate.view);
      if (!figure.drawn_caption.empty())
        text += "\n" + scenes.front().title + "\n";  // which the caption became, fit to be shown
      return one(std::move(text));
    }
    case Format::alt: {
      std::string text;
      for (const Scene& scene : scenes) text += alt_text(scene) + "\n";
      return one(std::move(text));
    }
  }
  return refuse({Msg::plain_text, {"?"}});
}

std::vector<File> as_files(std::vector<Made> made, const std::string& path, Format format) {
  std::vector<File> files;
  for (Made& one : made) {
    std::filesystem::path to = path;
    const std::string ending = to.has_extension() ? to.extension().string() : "." + std::string(name_of(format));
    if (made.size() > 1) to.replace_filename(to.stem().string() + "-" + std::to_string(one.step) + ending);
    files.push_back({to.string(), std::move(one.bytes)});
  }
  return files;
}

std::optional<Message> meaningless(const Asked& chosen, Format format) {
  const auto given_for = [&](std::string_view name, std::initializer_list<Format> formats) {
    return chosen.contains(name) && std::find(formats.begin(), formats.end(), format) == formats.end();
  };
  for (const auto& [name, alone] :
       {std::pair("animate", Format::svg), {"scale", Format::png}, {"standalone", Format::tikz}})
    if (given_for(name, {alone})) return Message{Msg::cli_not_in_format, {"--" + std::string(name), name_of(format)}};
  return std::nullopt;
}

}  // namespace stridescope
