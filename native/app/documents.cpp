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

/// The text of a file that is a program, or what is wrong with it.
std::variant<std::string, FileProblem> text_of(const std::string& file) {
  auto read = read_program(file);
  if (const auto* text = std::get_if<std::string>(&read))
    if (const Trace trace = evaluate(*text); !trace.diagnostics.empty() && trace.diagnostics.front().reason.id == Msg::source_not_utf8)
      return FileProblem{{Msg::app_not_utf8, {file}}, {Msg::hint_file_binary, {}}};
  return read;
}

void open_link(Model& model, const std::string& link) {
  const FileProblem none{{Msg::app_no_link, {}}, {Msg::app_hint_no_link, {}}};
  const size_t begin = link.find("v=");
  const bool whole = begin != std::string::npos && (begin == 0 || link[begin - 1] == '#') && link.find_first_of(" \n\t") >= link.find_last_not_of(" \n\t");
  if (!whole) {
    model.problem = none;
    return;
  }
  const auto text = unpack_link(link.substr(begin, link.find_last_not_of(" \n\t") + 1 - begin));
  std::vector<Diagnostic> problems;
  const Document document = text ? parse_document(*text, problems) : Document{};
  if (!text || document.source.empty()) {
    model.problem = problems.empty() ? none : FileProblem{problems.front().reason, problems.front().hints.front().message};
    return;
  }
  model.problem.reset();
  if (!problems.empty()) model.problem = FileProblem{problems.front().reason, problems.front().hints.front().message};
  if (begin > 1) model.settings.page = link.substr(0, begin - 1);
  show(model, document);
  model.file.clear();
  model.stamp.reset();
  model.saved = document.source;
}

FileProblem bad_ending(const std::string& file) { return {{Msg::app_bad_ending, {file, ".svg"}}, {Msg::app_hint_bad_ending, {}}}; }

}  // namespace

void open_file(Model& model, const std::string& file) {
  const auto stamp = stamp_of(file);
  auto read = text_of(file);
  if (auto* problem = std::get_if<FileProblem>(&read)) {
    model.problem = std::move(*problem);
    return;
  }
  model.problem.reset();
  model.file = file;
  model.stamp = stamp;
  model.saved = std::get<std::string>(read);
  show(model, {model.saved, {}});
  remember(model.settings, file);
}

void save_file(Model& model) {
  if (model.file.empty())
    model.prompt = FilePrompt{FilePrompt::Kind::save, ""};
  else
    save_file_as(model, model.file);
}

void save_file_as(Model& model, const std::string& file) {
  model.problem = write_whole(file, model.document.source);
  if (model.problem) return;
  model.file = file;
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
  auto read = text_of(model.file);
  if (auto* problem = std::get_if<FileProblem>(&read)) {
    model.problem = std::move(*problem);
    return true;
  }
  model.problem.reset();
  std::string& text = std::get<std::string>(read);
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
    model.file = unsaved.file;
    model.stamp = unsaved.file.empty() ? std::nullopt : stamp_of(unsaved.file);
    const auto read = unsaved.file.empty() ? std::variant<std::string, FileProblem>{} : text_of(unsaved.file);
    const auto* text = std::get_if<std::string>(&read);
    model.saved = text ? *text : "";
  }
  std::error_code error;
  std::filesystem::remove(unsaved.kept, error);
}

std::string link_of(const Model& model) { return model.settings.page + "#" + pack_link(to_text(model.document)); }

void save_picture(Model& model, const std::string& file) {
  if (!file.ends_with(".svg")) {
    model.problem = bad_ending(file);
    return;
  }
  ViewState view = model.document.view;
  view.hover = {};
  model.problem = write_whole(file, svg(draw(model.trace, view), view.theme, carried({model.document.source, view})));
  if (!model.problem) model.news = Message{Msg::app_written, {file}};
}

void save_pictures(Model& model, const std::string& file) {
  if (!file.ends_with(".svg")) {
    model.problem = bad_ending(file);
    return;
  }
  const std::string stem = file.substr(0, file.size() - 4);
  const int count = static_cast<int>(model.trace.steps.size());
  for (int step = 0; step < count; ++step) {
    ViewState view = model.document.view;
    view.hover = {};
    view.step = step;
    view.op = -1;
    view.head = 0;
    view.phase = 0;
    model.problem = write_whole(stem + "-" + std::to_string(step + 1) + ".svg", svg(draw(model.trace, view), view.theme, carried({model.document.source, view})));
    if (model.problem) return;
  }
  model.news = Message{Msg::app_written_all, {count, stem + "-1.svg"}};
}

}  // namespace stridescope
