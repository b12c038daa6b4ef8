// What stands above and below the figures: the operation and what came of it; what the head reads.
#include <algorithm>

#include "lang/syntax.h"
#include "lang/utf8.h"
#include "layout/contiguity.h"
#include "scene/figures.h"

namespace stridescope {
namespace {

struct Chip {
  std::string text;
  Role role = Role::neutral;
};

/// What the library calls the order in which the elements lie in memory.
Msg order_in_memory(const Tensor& tensor) {
  const Layout& layout = tensor.layout;
  const bool packed = is_contiguous(layout, tensor.unit());
  if (tensor.library == Library::torch) {
    if (!packed && is_channels_last(layout)) return Msg::chip_channels_last;
    return packed ? Msg::chip_contiguous : Msg::chip_not_contiguous;
  }
  const bool fortran = is_f_contiguous(layout, tensor.unit());
  if (packed) return fortran ? Msg::chip_c_and_f_contiguous : Msg::chip_c_contiguous;
  return fortran ? Msg::chip_f_contiguous : Msg::chip_not_contiguous;
}

/// Whether the title is the statement, not one operation inside it.
bool whole_statement(const Picture& picture) { return !picture.op || picture.op == &picture.step.applied.back(); }

std::vector<Chip> chips(const Picture& picture) {
  if (picture.view.ask) return {{"?"}};
  std::vector<Chip> list;
  const Applied* op = picture.op;
  if (const Diagnostic* error = picture.error()) {
    if (error->raised) list.push_back({error->raised->type, Role::bad});
    return list;
  }
  if (op) switch (whole_statement(picture) ? relation(picture.step) : op->relation) {
      case Relation::none: break;
      case Relation::fresh: list.push_back({picture.say(Msg::chip_fresh)}); break;
      case Relation::view: list.push_back({picture.say(Msg::chip_view), Role::good}); break;
      case Relation::copy: list.push_back({picture.say(Msg::chip_copy)}); break;
      case Relation::same: list.push_back({picture.say(Msg::chip_same), Role::good}); break;
      default: {  // write
        std::string names;
        for (const Change& change : picture.step.changed) names += (names.empty() ? "" : ", ") + change.name;
        list.push_back(names.empty() ? Chip{picture.say(Msg::chip_write)}
                                     : Chip{picture.say(Msg::chip_changed, {names}), Role::changed});
      }
    }
  if (picture.subject) {
    const Tensor& tensor = *picture.subject->tensor;
    list.push_back({picture.say(order_in_memory(tensor))});
  }
  return list;
}

/// What a query answered, "" where the operation made a tensor or nothing. Of a question the layout that is asked for.
std::string answer(const Picture& picture) {
  if (picture.view.ask) return "(?):(?)";
  // What the statement came to, where it is the title; what `print` and a write leave behind is nothing to show.
  const Value& whole = picture.step.value;
  if (whole_statement(picture) && picture.step.error) return {};
  if (whole_statement(picture) && !is_none(picture.step.printed))
    return written_line(picture.trace, picture.step, 80);
  const bool of_step = !picture.op || (whole_statement(picture) && !std::holds_alternative<None>(whole.held));
  const Value& value = of_step ? whole : picture.op->result;
  if (std::holds_alternative<None>(value.held) || tensor_of(value)) return {};
  return to_string(value, 80);
}

/// "0*6 + 1*1 + 1*2", zero terms left out where there are many dimensions.
std::string sum(const Tensor& tensor, const Dims& index) {
  std::string terms;
  const Layout& layout = tensor.layout;
  if (layout.storage_offset != 0 || layout.rank() == 0) terms = std::to_string(layout.storage_offset);
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.rank() > 4 && (index[d] == 0 || layout.strides[d] == 0)) continue;
    terms +=
        (terms.empty() ? "" : " + ") + std::to_string(index[d]) + "·" +
        (layout.strides[d] < 0 ? "(" + std::to_string(layout.strides[d]) + ")" : std::to_string(layout.strides[d]));
  }
  return terms.empty() ? "0" : terms;
}

}  // namespace

constexpr Unit legend_leading = px(15);  ///< from a layout to what its numbers are, in the room below the header

Unit draw_header(Pen& pen, const Picture& picture, const Area& area) {
  const std::string title = printable(whole_statement(picture) ? picture.step.text : picture.op->title);
  const std::string result = answer(picture);
  std::string notation;
  if (picture.subject) notation = to_string(picture.subject->tensor->layout);
  const bool of_input =
      picture.subject && tensor_of(picture.op ? picture.op->result : picture.step.value) != picture.subject->tensor;
  if (of_input) notation = picture.subject->name + ": " + notation;

  const Style strong{.size = px(17), .role = Role::text_strong, .bold = true};
  Unit x = area.x, y = area.y + px(16);
  x += pen.text({x, y}, title, strong, area.width) + px(14);
  if (!result.empty()) {
    const std::string shown = "→ " + result;
    const Style style{.size = px(14), .role = Role::text_muted};
    if (x + std::min(text_width(shown, style.size), area.width / 2) > area.right()) x = area.x, y += px(26);
    x += pen.text({x, y}, shown, style, area.right() - x) + px(14);
  }
  for (const Chip& chip : chips(picture)) {
    constexpr Unit size = px(11), pad = px(12);
    const std::string text = shortened(printable(chip.text), size, area.width - 2 * pad);
    const Unit width = text_width(text, size) + 2 * pad;
    if (x + width > area.right() && x > area.x) x = area.x, y += px(28);
    pen.outline({x + px(0.6), y - px(14), width - px(1.2), px(19), px(9.5)}, chip.role, px(1.2));
    pen.text({x + width / 2, y}, text,
             {.size = size, .role = chip.role, .mono = false, .bold = true, .anchor = Anchor::middle});
    x += width + px(8);
  }
  if (!notation.empty()) {
    const Target whole{Target::Kind::tensor, picture.subject->tensor->object, -1};
    const bool torch = picture.subject->tensor->library == Library::torch;
    const std::string legend = picture.say(torch ? Msg::notation_torch : Msg::notation_numpy);
    Style small{.size = px(10), .role = Role::text_muted, .mono = false};
    const Style style{.size = px(14), .role = Role::text_muted, .anchor = Anchor::end};
    if (x + px(8) + text_width(notation, style.size) <= area.right()) {
      pen.text({area.right(), y}, notation, style, INT32_MAX, whole);
      small.anchor = Anchor::end;
      pen.text({area.right(), y + legend_leading}, legend, small, INT32_MAX, whole);
    } else {
      Style left = style;
      left.anchor = Anchor::start;
      y += px(6);
      Unit taken = 0;
      for (const std::string& line : wrapped(printable(notation), left.size, area.width, 3))
        taken = pen.text({area.x, y += px(20)}, line, left, area.width, whole) + px(14);
      if (taken + text_width(legend, small.size) > area.width) taken = 0, y += legend_leading;
      pen.text({area.x + taken, y}, legend, small, area.width, whole);
    }
  }
  return y + px(10) - area.y;
}

Unit draw_readout(Pen& pen, const Picture& picture, const Area& area) {
  const Reading& reading = *picture.subject;
  const bool torch = reading.tensor->library == Library::torch;
  const int64_t element = picture.head, cell = reading.cell_of(element);
  const Target target = reading.element_target(element);
  const Dims index = index_at(reading.layout.sizes, element);
  std::string place;
  for (int64_t i : index) place += (place.empty() ? "" : ", ") + std::to_string(i);
  const std::string read = picture.say(Msg::readout_read, {element + 1, reading.count});
  const std::string name = place.empty() || takes_suffix(reading.name) ? reading.name : "(" + reading.name + ")",
                    subject = name + (place.empty() ? "" : "[" + place + "]");
  std::string work = sum(*reading.tensor, index);
  if (!torch)
    work += " = byte " + std::to_string(cell * reading.cell_bytes);
  else if (reading.span > 1)
    work = (work.find('+') == std::string::npos ? work : "(" + work + ")") + "·" + std::to_string(reading.span);
  work = "= " + work + " = storage[" + std::to_string(cell) +
         (reading.span > 1 ? ":" + std::to_string(cell + reading.span) : "") + "]";
  const std::string value = picture.say(Msg::readout_value, {element_label(reading, element)});

  const Style quiet{.size = px(12), .role = Role::text_muted, .mono = false};
  const Style code{.size = px(13)};
  Style bold = code;
  bold.bold = true;
  Style right = bold;
  right.anchor = Anchor::end;
  constexpr Unit pad = px(16), gap = px(18), leading = px(20);
  const Unit width = area.width - 2 * pad;
  const Unit read_width = text_width(read, quiet.size), value_width = text_width(value, code.size);
  const Unit all = read_width + text_width(subject, code.size) + text_width(work, code.size) + value_width + 3 * gap;
  const bool one_line = all <= width, value_apart = read_width + gap + value_width > width;
  const std::vector<std::string> works = wrapped(work, code.size, width, 4);
  const Unit lines = one_line ? 0 : static_cast<Unit>(works.size()) + 1 + (value_apart ? 1 : 0);
  const Unit height = px(34) + lines * leading;
  pen.rect({area.x, area.y, area.width, height, px(6)}, Role::panel);
  Unit x = area.x + pad, y = area.y + px(22);
  const Unit taken = pen.text({x, y}, read, quiet, width, target);
  if (!value_apart) pen.text({area.right() - pad, y}, value, right, width, target);
  if (one_line) {
    x += taken + gap;
    x += pen.text({x, y}, subject, bold, width, target) + px(10);
    pen.text({x, y}, work, code, width, reading.cell_target(cell));
    return height;
  }
  pen.text({x, y += leading}, subject, bold, width, target);
  for (const std::string& line : works) pen.text({x, y += leading}, line, code, width, reading.cell_target(cell));
  if (value_apart) pen.text({x, y += leading}, value, bold, width, target);
  return height;
}

}  // namespace stridescope
