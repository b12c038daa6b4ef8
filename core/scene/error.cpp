// What was raised, why, and what would work.
#include <algorithm>

#include "scene/figures.h"

namespace stridescope {
namespace {

/// A hint as a button-like chip of code with what it costs below.
struct Remedy {
  std::string code;
  std::string note, whole;  ///< what is said below where the chip shows all of the code, and where it does not
};

/// The code is the operation with the hint's fix applied where that is a line, or the first code of its message; the
/// note is the message, without the code where it begins with it or leads to it with a colon.
Remedy remedy(const Hint& hint, const Picture& picture) {
  Remedy result;
  const Line line = words(hint.message, picture.view.language);
  const Span whole = picture.op ? picture.op->span : picture.step.span;
  const std::string& source = picture.trace.source;
  const bool one_line = hint.fix && hint.fix->replacement.find('\n') == std::string::npos;
  if (one_line && hint.fix->span.begin >= whole.begin && hint.fix->span.end <= whole.end &&
      static_cast<size_t>(whole.end) <= source.size()) {
    const auto part = [&](int32_t begin, int32_t end) {
      return source.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
    };
    result.code = part(whole.begin, hint.fix->span.begin) + hint.fix->replacement + part(hint.fix->span.end, whole.end);
  }
  for (const Run& run : line) {
    if (run.code && result.code.empty()) result.code = run.text;
    result.whole += run.text;
  }
  std::string_view note = result.whole;
  if (line.front().code) note.remove_prefix(line.front().text.size());
  for (const char* colon : {": ", "："})
    if (const std::string end = colon + result.code; note.ends_with(end)) note.remove_suffix(end.size());
  note.remove_prefix(std::min(note.find_first_not_of(" :"), note.size()));
  result.note = note;
  return result;
}

/// Those of the hints that give what was meant, or, set off from them, those that do not.
Unit draw_remedies(Pen& pen, const Picture& picture, const std::vector<Hint>& hints, bool reorder, const Area& area) {
  constexpr Unit pad = px(14), gap = px(24), note_size = px(11);
  const Style note{.size = note_size, .role = Role::text_muted, .mono = false};
  Unit x = area.x, y = area.y, row = 0;
  for (size_t i = 0; i < hints.size(); ++i) {
    const Hint& hint = hints[i];
    if (hint.reorders() != reorder) continue;
    const Remedy remedy = stridescope::remedy(hint, picture);
    if (remedy.code.empty()) {
      if (row > 0) x = area.x, y += row, row = 0;
      y += pen.paragraph({area.x, y + px(13)}, remedy.note, {.size = px(12), .role = Role::text, .mono = false},
                         area.width, px(17), 3) +
           px(6);
      continue;
    }
    const std::string whole = printable(remedy.code);
    const Unit code_size = text_width(whole, px(13)) + 2 * pad <= area.width ? px(13) : px(11);
    const std::string code = shortened(whole, code_size, area.width - 2 * pad);
    const Unit chip = text_width(code, code_size) + 2 * pad;
    const std::vector<std::string> lines = wrapped(printable(code == whole ? remedy.note : remedy.whole), note_size,
                                                   std::min(std::max(chip, px(220)), area.width), 3);
    Unit width = chip;
    for (const std::string& line : lines) width = std::max(width, text_width(line, note_size));
    if (x > area.x && x + width > area.right()) x = area.x, y += row, row = 0;
    const Rect box{x, y, chip, px(28), px(14)};
    pen.rect(box, reorder ? Role::panel : Role::good_fill,
             hint.fix ? Target{Target::Kind::fix, -1, static_cast<int64_t>(i)} : Target{});
    pen.outline({box.x + px(0.7), box.y + px(0.7), box.width - px(1.4), box.height - px(1.4), px(13.3)},
                reorder ? Role::neutral : Role::good, px(1.4));
    pen.text({x + chip / 2, y + px(18.5)}, code, {.size = code_size, .anchor = Anchor::middle});
    Unit baseline = y + px(43);
    for (const std::string& line : lines) pen.text({x, baseline}, line, note, width), baseline += px(15);
    row = std::max(row, baseline - y + px(2));
    x += width + gap;
  }
  return y + row - area.y;
}

}  // namespace

Unit draw_error(Pen& pen, const Picture& picture, const Area& area) {
  const Diagnostic& error = *picture.error();
  Unit y = area.y;
  y += pen.paragraph({area.x, y + px(12)}, plain(error.reason, picture.view.language), {.size = px(13), .mono = false},
                     area.width, px(20), 6) +
       px(6);
  if (error.raised && !error.raised->text.empty()) {
    constexpr Unit pad = px(14), leading = px(17);
    const Style style{.size = px(11), .role = Role::text_muted};
    const auto lines = wrapped(printable(error.raised->text), style.size, area.width - 2 * pad, 5);
    const Unit height = leading * static_cast<Unit>(lines.size()) + px(13);
    pen.rect({area.x, y, area.width, height, px(6)}, Role::panel);
    Unit baseline = y + px(18.5);
    for (const std::string& line : lines) pen.text({area.x + pad, baseline}, line, style), baseline += leading;
    y += height + px(14);
  }
  for (const bool reorder : {false, true}) {
    if (std::none_of(error.hints.begin(), error.hints.end(),
                     [&](const Hint& hint) { return hint.reorders() == reorder; }))
      continue;
    pen.text({area.x, y + px(12)}, picture.say(reorder ? Msg::label_reorders : Msg::verdict_works),
             {.size = px(12), .role = Role::text_muted, .mono = false, .bold = true});
    y += px(24);
    y += draw_remedies(pen, picture, error.hints, reorder, {area.x, y, area.width, 0});
  }
  return y - area.y;
}

}  // namespace stridescope
