// Plates -> one page. Each step has its statement, its picture, why it came out so, and the tensors there are then; the
// page needs no script, no font and no file beside it, and prints as it looks.
#include <set>

#include "render/formats.h"
#include "render/markup.h"
#include "render/themed_svg.h"
#include "scene/lettering.h"
#include "scene/picture.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr std::string_view figure_style = R"css(
:root{color-scheme:light;--ground:#fff;--panel:#f6f7f9;--rule:#d4d9e0;--ink:#1b1f24;--muted:#5f6978;--accent:#0b6bb3}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1.5rem 1.25rem 3rem;background:var(--ground);color:var(--ink);font:15px/1.55 Inter,"DejaVu Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
code,pre,td,ol{font-family:"JetBrains Mono","DejaVu Sans Mono","Noto Sans CJK SC",monospace;font-size:.9em}
a{color:var(--accent);text-underline-offset:2px}
h2{font-size:1rem;margin:2.2rem 0 .6rem;overflow-wrap:anywhere}
h2 code{font-size:1em}
ol.code{margin:0;padding:.7rem .9rem .7rem 3rem;background:var(--panel);border:1px solid var(--rule);border-radius:6px;overflow-x:auto}
ol.code li{white-space:pre}
ol.code li::marker{color:var(--muted)}
ol.code a{text-decoration:none}
ol.code a:hover,ol.code a:focus-visible{text-decoration:underline}
figure{margin:.6rem 0;overflow-x:auto}
figure svg{display:block;height:auto;max-width:100%;border:1px solid var(--rule);border-radius:6px}
figcaption{margin:.6rem 0}
ul.why{margin:.6rem 0;padding-left:1.2rem}
table{border-collapse:collapse;margin:.6rem 0}
th,td{padding:.2rem 1.4rem .2rem 0;text-align:left;border-bottom:1px solid var(--rule)}
th{font-weight:600;color:var(--muted);font-size:.9em}
@media print{body{max-width:none;padding:0}section{break-inside:avoid}}
)css";
constexpr std::string_view dark_tokens =
    "--ground:#14171b;--panel:#1b1f25;--rule:#39414c;--ink:#e8ebef;--muted:#98a2b0;--accent:#5fb2f2;color-scheme:dark";

class HtmlPage {
 public:
  HtmlPage(const Trace& trace, Language language) : trace_(trace), language_(language) {}

  std::string text(const std::vector<Plate>& plates, std::string_view caption, std::string_view carried) {
    const ThemeId theme = plates.front().view.theme;
    const bool follows = theme == ThemeId::light;
    std::string sections;
    for (const Plate& plate : plates) sections += section(plate, follows);
    std::string colours;
    if (follows)
      colours = "@media (prefers-color-scheme:dark){:root{" + std::string(dark_tokens) + "}}\n" + sheet_.css();
    else if (theme == ThemeId::dark)
      colours = ":root{" + std::string(dark_tokens) + "}\n";
    const std::string title = printable(caption.empty() ? std::string_view(plates.front().scene.title) : caption);
    std::string text =
        std::string("<!doctype html>\n<html lang=\"") + (language_ == Language::chinese ? "zh-CN" : "en") + "\"";
    if (!carried.empty()) text += " data-stridescope=\"" + escaped(carried) + "\"";
    text +=
        ">\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
        "data:; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
        escaped(title) + "</title>\n<style>" + std::string(figure_style) + colours + "</style>\n<body>\n<main>\n" +
        code(plates);
    if (!caption.empty()) text += "<p>" + escaped(title) + "</p>\n";
    return text + sections + "</main>\n</body>\n</html>\n";
  }

 private:
  std::string say(Msg id) const { return escaped(plain({id, {}}, language_)); }

  const Step* step_of(const Plate& plate) const {
    return trace_.steps.empty() ? nullptr : &trace_.steps[shown_step(trace_, plate.view)];
  }

  /// The program's lines; those that are drawn lead to their pictures.
  std::string code(const std::vector<Plate>& plates) const {
    std::string text = "<ol class=\"code\">\n";
    int number = 0;
    for (size_t at = 0; at < trace_.source.size();) {
      const size_t end = std::min(trace_.source.find('\n', at), trace_.source.size());
      ++number;
      const std::string line = escaped(printable(std::string_view(trace_.source).substr(at, end - at)));
      const Step* drawn = nullptr;
      for (const Plate& plate : plates)
        if (const Step* step = step_of(plate); step && step->line == number) drawn = step;
      text += "<li>" + (drawn ? "<a href=\"#line-" + std::to_string(number) + "\">" + line + "</a>" : line) + "</li>\n";
      at = end + 1;
    }
    return text + "</ol>\n";
  }

  std::string sentence(const Message& message) const {
    std::string text;
    for (const Run& run : words(message, language_)) {
      const std::string part = escaped(printable(run.text));
      text += run.code ? "<code>" + part + "</code>" : part;
    }
    return text;
  }

  std::string section(const Plate& plate, bool follows) {
    const Step* step = step_of(plate);
    // Several statements of a line, or rounds of a loop, are found by the first of them.
    const bool first = step && lines_.insert(step->line).second;
    std::string text = first ? "<section id=\"line-" + std::to_string(step->line) + "\">\n" : "<section>\n";
    if (step) text += "<h2><code>" + escaped(printable(step->text)) + "</code></h2>\n";
    text += "<figure>\n" + (follows ? svg(plate.scene, sheet_) : svg(plate.scene, plate.view.theme)) + "</figure>\n";
    if (!step || plate.view.ask) return text + "</section>\n";
    std::string why;
    for (const Applied& applied : step->applied)
      for (const Message& line : applied.why.lines) why += "<li>" + sentence(line) + "</li>\n";
    if (!why.empty()) text += "<ul class=\"why\">\n" + why + "</ul>\n";
    return text + tensors(*step) + "</section>\n";
  }

  std::string tensors(const Step& step) const {
    if (step.names.empty()) return "";
    std::string text = "<table>\n<tr><th>" + say(Msg::label_name) + "</th><th>dtype</th><th>" + say(Msg::label_sizes) +
                       "</th><th>" + say(Msg::label_strides) + "</th><th>" + say(Msg::label_offset) + "</th></tr>\n";
    for (const auto& [name, tensor] : step.names) {
      const Layout& layout = tensor->layout;
      text += "<tr><td>" + escaped(printable(name)) + "</td><td>" + escaped(dtype_text(*tensor)) + "</td><td>" +
              to_string(layout.sizes) + "</td><td>" + to_string(layout.strides) + "</td><td>" +
              std::to_string(layout.storage_offset) + "</td></tr>\n";
    }
    return text + "</table>\n";
  }

  const Trace& trace_;
  Language language_;
  ThemeSheet sheet_;
  std::set<int> lines_;  ///< that have a section
};

}  // namespace

std::string html(const Trace& trace, const std::vector<Plate>& plates, std::string_view caption,
                 std::string_view carried) {
  return HtmlPage(trace, plates.front().view.language).text(plates, caption, carried);
}

}  // namespace stridescope
