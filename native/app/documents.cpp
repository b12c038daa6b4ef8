// Files, links and pictures of the model.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/model.h"
#include "files/link.h"

namespace stridescope {
namespace {

/// The source of a document, shown with the view it names; theme, language and room stay as they are.
void show(Model& model, const Document& document) {
  model.playing = false;
  model.history.clear();
  model.fresh = true;
  ViewState view = document.view;
  const ViewState& old = model.document.view;
  view.theme = old.theme;
  view.language = old.language;
  view.width = old.width;
  view.height = old.height;
  model.document = {document.source, view};
}

/// What a file holds, or what is wrong with it.
std::variant<Opened, FileProblem> content_of(const std::string& file) {
  auto read = read_document(file);
  if (const auto* opened = std::get_if<Opened>(&read))
    if (const Trace trace = evaluate(opened->document.source);
        !trace.diagnostics.empty() && trace.diagnostics.front().reason.id == Msg::source_not_utf8)
      return FileProblem{{Msg::app_not_utf8, {file}}, {Msg::hint_file_binary, {}}};
  return read;
}

/// What is shown is in no file that it could be saved to.
void forget_file(Model& model) {
  model.file.clear();
  model.picture.clear();
  model.stamp.reset();
  model.saved = model.document.source;
}

void open_link(Model& model, const std::string& link) {
  const FileProblem none{{Msg::app_no_link, {}}, {Msg::app_hint_no_link, {}}};
  const size_t begin = link.find("v=");
  const bool whole = begin != std::string::npos && (begin == 0 || link[begin - 1] == '#') &&
                     link.find_first_of(" \n\t") >= link.find_last_not_of(" \n\t");
  if (!whole) {
    model.problem = none;
    return;
  }
  const auto text = unpack_link(link.substr(begin, link.find_last_not_of(" \n\t") + 1 - begin));
  std::vector<Diagnostic> problems;
  const Document document = text ? parse_document(*text, problems) : Document{};
  if (!text || document.source.empty()) {
    model.problem =
        problems.empty() ? none : FileProblem{problems.front().reason, problems.front().hints.front().message};
    return;
  }
  model.problem.reset();
  if (!problems.empty()) model.problem = FileProblem{problems.front().reason, problems.front().hints.front().message};
  if (begin > 1) model.settings.page = link.substr(0, begin - 1);
  show(model, document);
  forget_file(model);
}

}  // namespace

void open_file(Model& model, const std::string& file) {
  const auto stamp = stamp_of(file);
  auto read = content_of(file);
  if (auto* problem = std::get_if<FileProblem>(&read)) {
    model.problem = std::move(*problem);
    return;
  }
  const auto& opened = std::get<Opened>(read);
  model.problem.reset();
  show(model, opened.document);
  forget_file(model);
  (opened.picture ? model.picture : model.file) = file;
  if (!opened.picture) model.stamp = stamp;
  remember(model.settings, file);
}

void save_file(Model& model) {
  if (model.file.empty())
    model.prompt = FilePrompt{FilePrompt::Kind::save, model.picture.empty() ? "" : proposed_name(model, ".py")};
  else
    save_file_as(model, model.file);
}

void save_file_as(Model& model, const std::string& file) {
  model.problem = write_whole(file, model.document.source);
  if (model.problem) return;
  model.file = file;
  model.picture.clear();
  model.saved = model.document.source;
  model.stamp = stamp_of(file);
  model.theirs.reset();
  remember(model.settings, file);
}

void intend(Model& model, const Intention& intention) {
  if (model.unsaved())
    model.intention = intention;
  else
    carry_out(model, intention);
}

void carry_out(Model& model, const Intention& intention) {
  switch (intention.kind) {
    case Intention::Kind::open: return open_file(model, intention.what);
    case Intention::Kind::link: return open_link(model, intention.what);
    case Intention::Kind::program:
      model.problem.reset();
      show(model, {intention.what, {}});
      return forget_file(model);
    case Intention::Kind::close: model.closing = true;
  }
}

bool watch_file(Model& model) {
  if (model.file.empty() || model.theirs) return false;
  const auto stamp = stamp_of(model.file);
  if (stamp == model.stamp) return false;
  model.stamp = stamp;
  if (!stamp) {
    model.problem = FileProblem{{Msg::app_gone, {model.file}}, {Msg::app_hint_gone, {}}};
    return true;
  }
  auto read = content_of(model.file);
  if (auto* problem = std::get_if<FileProblem>(&read)) {
    model.problem = std::move(*problem);
    return true;
  }
  model.problem.reset();
  std::string& text = std::get<Opened>(read).document.source;
  const bool lost = model.unsaved() && text != model.document.source && text != model.saved;
  if (lost) {
    model.theirs = std::move(text);
  } else if (!model.unsaved()) {
    model.theirs = std::move(text);
    take_theirs(model);
  } else {
    model.saved = std::move(text);
  }
  return true;
}

void take_theirs(Model& model) {
  if (!model.theirs) return;
  model.playing = false;
  model.saved = model.document.source = *std::exchange(model.theirs, {});
}

void keep_mine(Model& model) {
  if (model.theirs) model.saved = *std::exchange(model.theirs, {});
}

void bring_back(Model& model, bool wanted) {
  if (!model.recovered) return;
  const Unsaved unsaved = *std::exchange(model.recovered, {});
  if (wanted) {
    show(model, unsaved.document);
    forget_file(model);
    model.file = unsaved.file;
    model.stamp = unsaved.file.empty() ? std::nullopt : stamp_of(unsaved.file);
    const auto read = unsaved.file.empty() ? std::variant<Opened, FileProblem>{} : content_of(unsaved.file);
    const auto* opened = std::get_if<Opened>(&read);
    model.saved = opened ? opened->document.source : "";
  }
  std::error_code error;
  std::filesystem::remove(unsaved.kept, error);
}

std::string link_of(const Model& model) { return model.settings.page + "#" + pack_link(to_text(model.document)); }

Line reason_of(const FileProblem& problem, Language language) {
  Line line = words(problem.reason, language);
  if (!problem.file.empty()) line.insert(line.begin(), {problem.file + ": ", false, {}});
  return line;
}

std::optional<Format> picture_format(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const auto format = ending.empty() ? std::nullopt : format_named(ending.substr(1));
  return format == Format::svg || format == Format::png || format == Format::pdf ? format : std::nullopt;
}

std::string proposed_name(const Model& model, const char* ending) {
  const std::string& from = model.file.empty() ? model.picture : model.file;
  return std::filesystem::path(from.empty() ? "stridescope" : from).replace_extension(ending).string();
}

void save_picture(Model& model, const std::string& file, bool all_steps) {
  const auto format = picture_format(file);
  if (!format) {
    model.problem = FileProblem{{Msg::app_bad_ending, {file}}, {Msg::app_hint_bad_ending, {}}};
    return;
  }
  const auto refuse = [&](const Complaint& complaint) { model.problem = problem_of(complaint); };
  const OptionLines lines = option_lines(model.document.source, model.name());
  if (lines.wrong) return refuse(*lines.wrong);
  // As of a picture that is drawn again: the view is the window's, not that of option lines.
  ViewState view = model.looked();
  view.hover = {};
  view.phase = 0;
  view.words = true;
  view.width = px(model.settings.picture_width);
  view.height = 0;
  if (all_steps) view.op = -1, view.head = 0;
  auto figure = figure_of({{model.document.source, view}, true}, lines.asked, {});
  if (const auto* wrong = std::get_if<Message>(&figure)) return refuse({model.name(), *wrong, {}});
  auto& request = std::get<FigureRequest>(figure);
  request.scale = model.settings.picture_scale;
  request.all_steps = all_steps;
  model.saving = std::make_shared<Saving>(std::move(request), *format, file, model.name());
}

bool end_saving(Model& model) {
  if (!model.saving || !model.saving->result()) return false;
  const auto saved = std::exchange(model.saving, {});
  if (const auto* problem = std::get_if<FileProblem>(saved->result())) {
    model.problem = *problem;
    return true;
  }
  const auto& files = std::get<std::vector<std::string>>(*saved->result());
  const int count = static_cast<int>(files.size());
  if (count == 1) model.news = Message{Msg::app_written, {files.front()}};
  if (count > 1) model.news = Message{Msg::app_written_all, {count, files.front()}};
  return true;
}

}  // namespace stridescope
