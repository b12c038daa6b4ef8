// The reference of operations: a row a section, with its example run, explained and drawn.
#include <map>

#include "ops/op.h"
#include "render/markup.h"
#include "render/themed_svg.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr Library libraries[] = {Library::torch, Library::numpy};

std::string_view library_name(Library library) { return library == Library::torch ? "PyTorch" : "NumPy"; }

std::string say(Msg id, Language language, const Slots& slots = {}) { return plain({id, slots}, language); }

/// "torch.permute-2": the row's first name, numbered where several rows share it.
class Anchors {
 public:
  std::string next(const Op& op) {
    const Form& form = first_form(op);
    const bool dotted = form.kind == Form::Kind::function;
    std::string anchor =
        dotted ? form.name : std::string(op.library == Library::torch ? "torch." : "numpy.") + form.name;
    const int times = ++used_[anchor];
    if (times > 1) anchor += "-" + std::to_string(times);
    return anchor;
  }

 private:
  std::map<std::string, int> used_;
};

/// What a form is called in the list of contents: "permute", "as_strided", "x[key]", "a + b".
std::string short_name(const Form& form) {
  const bool named =
      form.kind == Form::Kind::method || form.kind == Form::Kind::attribute || form.kind == Form::Kind::function;
  if (!named) return std::string(form.text);
  return form.name.substr(form.kind == Form::Kind::function ? form.name.rfind('.') + 1 : 0);
}

/// Every name of a library, each once, by the alphabet; a name of several rows leads to each.
class Index {
 public:
  void add(const Op& op, const std::string& anchor) {
    for (const Form& form : forms_of(op)) {
      const std::string name = short_name(form);
      std::vector<std::string>& rows = rows_[{lowered(name), name}];
      if (rows.empty() || rows.back() != anchor) rows.push_back(anchor);
    }
  }
  std::string html() const {
    std::string text = "<ul>\n";
    for (const auto& [name, rows] : rows_) {
      text += "<li>" + link(rows[0], "><code>" + escaped(name.second) + "</code>");
      for (size_t k = 1; k < rows.size(); ++k) {
        const std::string number = std::to_string(k + 1);
        text += link(rows[k], " aria-label=\"" + escaped(name.second) + " " + number + "\">" + number);
      }
      text += "</li>\n";
    }
    return text + "</ul>\n";
  }

 private:
  static std::string lowered(std::string name) {
    for (char& letter : name)
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + ('a' - 'A'));
    return name;
  }
  /// @param text  with what is before it of its tag
  static std::string link(const std::string& anchor, const std::string& text) {
    return "<a href=\"#" + percent_encoded(anchor) + "\"" + text + "</a>";
  }

  std::map<std::pair<std::string, std::string>, std::vector<std::string>> rows_;
};

/// Why, of the operation of the example that is the row's; of its last one where several are.
std::span<const Message> reasons(const Trace& trace, const Op& op) {
  std::span<const Message> found;
  for (const Step& step : trace.steps)
    for (const Applied& applied : step.applied)
      if (applied.op == &op) found = applied.why.lines;
  return found;
}

std::string html(const Message& message, Language language) {
  std::string text;
  for (const Run& run : words(message, language))
    text += run.code ? "<code>" + escaped(run.text) + "</code>" : escaped(run.text);
  return text;
}

/// Light and dark as the browser asks, nothing from outside. The site's one script (web/src/find_operation.js) shows
/// the field that narrows the lists, and without it the page is whole.
constexpr std::string_view reference_style = R"css(
:root{color-scheme:light dark;--ground:#fff;--panel:#f6f7f9;--rule:#d4d9e0;--ink:#1b1f24;--muted:#5f6978;--accent:#0b6bb3}
@media (prefers-color-scheme:dark){:root{--ground:#14171b;--panel:#1b1f25;--rule:#39414c;--ink:#e8ebef;--muted:#98a2b0;--accent:#5fb2f2}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:2rem 1.25rem 6rem;background:var(--ground);color:var(--ink);font:15px/1.55 Inter,"DejaVu Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
h1{font-size:1.7rem;margin:0 0 .5rem}
h2{font-size:1.3rem;margin:3rem 0 .75rem;padding-bottom:.4rem;border-bottom:1px solid var(--rule)}
h3{margin:0}
header a,#found{white-space:nowrap}
code,pre{font-family:"JetBrains Mono","DejaVu Sans Mono","Noto Sans CJK SC",monospace;font-size:.87em;font-variant-ligatures:none}
a{color:var(--accent);text-underline-offset:2px}
[hidden]{display:none!important}
search{position:sticky;top:0;z-index:1;display:flex;align-items:center;gap:1rem;padding:.6rem 0;background:var(--ground);color:var(--muted);font-size:.9em}
#find{flex:0 1 24rem;min-width:0;min-height:2.4rem;padding:.3rem .7rem;border:1px solid var(--rule);border-radius:6px;background:var(--ground);color:var(--ink);font:inherit}
#find:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
nav ul{list-style:none;margin:.4rem 0 1.4rem;padding:0;columns:5 9.4rem;column-gap:1rem}
nav li{overflow-wrap:anywhere;line-height:1.6;font-size:.92em}
nav a{text-decoration:none}
nav a+a{padding:0 .3em}
nav a:hover,nav a:focus-visible{text-decoration:underline}
section.row{padding:1.6rem 0 1.4rem;border-bottom:1px solid var(--rule);content-visibility:auto;contain-intrinsic-size:auto 34rem}
nav,section.row,h2{scroll-margin-top:3.8rem}
section.row:target h3{border-left:3px solid var(--accent);padding-left:.6rem}
h3 code{display:block;font-weight:400;font-size:.8em;color:var(--muted);line-height:1.6;overflow-wrap:anywhere}
h3 code:first-child{font-weight:600;font-size:.95em;color:var(--ink)}
p{margin:.5rem 0}
.law{color:var(--muted)}
.law code{color:var(--ink);white-space:pre-wrap}
pre{margin:.8rem 0;padding:.7rem .9rem;background:var(--panel);border:1px solid var(--rule);border-radius:6px;overflow-x:auto}
ul.why{margin:.6rem 0;padding-left:1.2rem}
figure{margin:.9rem 0 0;overflow-x:auto}
figure svg{display:block;max-width:none;border:1px solid var(--rule);border-radius:6px}
.open{font-size:.9em}
)css";

class ReferencePage {
 public:
  explicit ReferencePage(Language language) : language_(language) {}

  std::string text() && {
    std::string contents, rows;
    for (const Library library : libraries) {
      const std::string name(library_name(library));
      Index index;
      rows += "<h2>" + name + "</h2>\n";
      for (const Op* op : operation_table()) {
        if (op->library != library) continue;
        const std::string anchor = anchors_.next(*op);
        index.add(*op, anchor);
        rows += row(*op, anchor);
      }
      contents += "<h3>" + name + "</h3>\n" + index.html();
    }
    const bool chinese = language_ == Language::chinese;
    const std::string title = escaped(say(Msg::reference_title, language_)),
                      find = escaped(say(Msg::reference_find, language_));
    return std::string("<!doctype html>\n<html lang=\"") + (chinese ? "zh-CN" : "en") +
           "\">\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; style-src "
           "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
           "content=\"light dark\">\n<title>" +
           title + " · Stridescope</title>\n<script src=\"find.js\" defer></script>\n<style>" +
           std::string(reference_style) + sheet_.css() + "</style>\n<body>\n<header>\n<h1>" + title + "</h1>\n<p>" +
           html({Msg::reference_intro,
                 {static_cast<int64_t>(operation_table().size()), static_cast<int64_t>(forms().size())}},
                language_) +
           "</p>\n<p><a href=\"../\">Stridescope</a> · <a href=\"figures" + (chinese ? ".zh" : "") + ".html\">" +
           escaped(say(Msg::reference_figures, language_)) + "</a> · <a href=\"" +
           (chinese ? "operations.html\" lang=\"en\">English" : "operations.zh.html\" lang=\"zh-CN\">简体中文") +
           "</a></p>\n</header>\n<search id=\"search\" hidden><input type=\"search\" id=\"find\" autocomplete=\"off\" "
           "spellcheck=\"false\" placeholder=\"" +
           find + "\" aria-label=\"" + find +
           "\"><span id=\"found\" role=\"status\"></span></search>\n<nav aria-label=\"" +
           escaped(say(Msg::reference_contents, language_)) + "\">\n" + contents + "</nav>\n<main>\n" + rows +
           "</main>\n</body>\n</html>\n";
  }

 private:
  std::string row(const Op& op, const std::string& anchor) {
    std::string text = "<section class=\"row\" id=\"" + escaped(anchor) + "\">\n<h3>";
    for (const Form& form : forms_of(op)) text += "<code>" + escaped(form.text) + "</code>";
    text += "</h3>\n<p>" + html({op.summary, {}}, language_) + "</p>\n";
    if (*op.law)
      text += "<p class=\"law\">" + escaped(say(Msg::reference_law, language_)) + " <code>" + escaped(op.law) +
              "</code></p>\n";
    Document document{std::string(op.example), {}};
    document.view.language = language_;
    text += "<pre><code>" + escaped(op.example) + "</code></pre>\n";
    const Trace trace = evaluate(document.source);
    text += "<ul class=\"why\">\n";
    for (const Message& line : reasons(trace, op)) text += "<li>" + html(line, language_) + "</li>\n";
    text += "</ul>\n";
    ViewState view = document.view;
    view.figures = figure_strip | figure_grid | figure_verdict;
    if (subject(trace, view).object >= 0) text += "<figure>\n" + svg(draw(trace, view), sheet_) + "</figure>\n";
    return text + "<p class=\"open\"><a href=\"../#" + escaped(to_text(document)) + "\">" +
           escaped(say(Msg::reference_open, language_)) + "</a></p>\n</section>\n";
  }

  Language language_;
  ThemeSheet sheet_;
  Anchors anchors_;
};

}  // namespace

std::string reference_html(Language language) { return ReferencePage(language).text(); }

std::string reference_markdown(Language language) {
  std::string text = "# " + say(Msg::reference_title, language) + "\n";
  for (const Library library : libraries) {
    text += "\n## " + std::string(library_name(library)) + "\n";
    for (const Op* op : operation_table()) {
      if (op->library != library) continue;
      text += "\n### `" + short_name(first_form(*op)) + "`\n\n" + say(op->summary, language) + "\n\n```python\n";
      for (const Form& form : forms_of(*op)) text += std::string(form.text) + "\n";
      text += "```\n";
      if (*op->law) text += "\n" + say(Msg::reference_law, language) + " `" + std::string(op->law) + "`\n";
      text += "\n" + say(Msg::reference_example, language) + "\n\n```python\n" + std::string(op->example) + "\n```\n";
    }
  }
  return text;
}

std::string reference_names() {
  std::string text;
  for (const Form& form : forms())
    text += std::string(form.op->library == Library::torch ? "torch" : "numpy") + "\t" + std::string(form.text) + "\n";
  return text;
}

}  // namespace stridescope
