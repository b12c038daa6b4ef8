#include "scene/picture.h"

#include <algorithm>

#include "layout/contiguity.h"
#include "layout/warp.h"
#include "ops/contents.h"
#include "scene/axis_colors.h"
#include "scene/question.h"

namespace stridescope {
namespace {

template <class Index>
Index chosen(Index wanted, size_t count) {
  const auto last = static_cast<Index>(count) - 1;
  return wanted < 0 || wanted > last ? last : wanted;
}

/// What an object is called after the step; the expression that made it where nothing is bound to it.
std::string name_of(const Step& step, const Tensor& tensor) {
  if (const Named* named = step.named(tensor)) return named->name;
  for (const Applied& op : step.applied)
    if (const TensorPtr made = first_tensor(op.result); made && made->object == tensor.object) return op.title;
  return step.text;
}

/// Whether a copy has the elements of its source in their order, judged by the values of the first few, the last, and
/// some between.
bool copied_in_order(const Reading& source, const Reading& copy) {
  if (source.count != copy.count || copy.count == 0) return false;
  const auto number = [](const Scalar& value) { return value.real + static_cast<double>(value.integer); };
  constexpr int64_t samples = 24;
  for (int64_t k = 0; k < std::min(samples, copy.count); ++k) {
    const int64_t element = copy.count <= samples ? k : copy.count / samples * k + k;
    const double a = number(element_value(source, element)), b = number(element_value(copy, element));
    if (a != b && (a == a || b == b)) return false;
  }
  return true;
}

/// What is hovered. Where that is an axis of an operation's input which is not drawn, the axis of the subject that came
/// of it, known by its colour.
Target drawn_axis(const Picture& picture, const AxisColors& colors) {
  const Target& hover = picture.view.hover;
  const auto is_hovered = [&](const Tensor& tensor) { return tensor.object == hover.owner; };
  const auto drawn = [&](const auto& readings) {
    return std::any_of(readings.begin(), readings.end(), [&](const Reading& one) { return is_hovered(*one.tensor); });
  };
  if (hover.kind != Target::Kind::axis || !picture.subject || !picture.op || is_hovered(*picture.subject->tensor) ||
      (picture.source && is_hovered(*picture.source->tensor)) ||
      (picture.input && is_hovered(*picture.input->tensor)) || drawn(picture.aliases))
    return hover;
  for (const TensorPtr& input : picture.op->inputs) {
    if (!is_hovered(*input) || hover.index < 0 || hover.index >= input->layout.rank()) continue;
    const int64_t color = colors.of(*input)[static_cast<int>(hover.index)];
    const Dims& ours = picture.subject->colors;
    for (int d = 0; d < ours.size(); ++d)
      if (ours[d] == color) return picture.subject->axis_target(d);
  }
  return hover;
}

/// The rows that a cell is told by: of the tensor that all of this storage was made as, and where that has no packed
/// rows, of the tensor itself.
struct Rows {
  int64_t first = 0;    ///< cell
  int64_t count = 0;    ///< elements of all rows
  int64_t columns = 1;  ///< elements of a row, > 0
  bool in_storage = false;
};
Rows rows_of(const Reading& reading) {
  const Tensor* base = reading.tensor.get();
  while (base->base_tensor && base->base_tensor->storage == reading.tensor->storage) base = base->base_tensor.get();
  const auto layout = in_cells(*base);
  const Rows own{0, reading.count, reading.layout.rank() == 0 ? 1 : reading.layout.sizes.back(), false};
  if (!layout || reading.span > 1 || layout->rank() == 0 || !is_contiguous(*layout)) return own;
  const int64_t count = *numel(layout->sizes);
  return count > 0 ? Rows{layout->storage_offset, count, layout->sizes.back(), true} : own;
}

const Contents* contents_in(const Step& step, int storage) {
  for (const Held& held : step.contents)
    if (held.storage == storage) return held.contents.get();
  return nullptr;
}

}  // namespace

size_t shown_step(const Trace& trace, const ViewState& view) {
  return static_cast<size_t>(chosen(view.step, trace.steps.size()));
}

Picture compose_picture(const Trace& trace, const ViewState& view) {
  const size_t at = shown_step(trace, view);
  const Step& whole = trace.steps[at];
  size_t begin = at;  // where what the statement calls begins
  while (begin > 0 && is_within(trace, static_cast<int>(begin) - 1, static_cast<int>(at))) --begin;
  const Step* before = begin > 0 ? &trace.steps[begin - 1] : nullptr;
  const auto op_of = [&](const Step& of) {
    return of.applied.empty() ? nullptr : &of.applied[static_cast<size_t>(chosen(view.op, of.applied.size()))];
  };
  const auto question = view.ask ? std::make_shared<const Step>(question_of(whole, before, op_of(whole))) : nullptr;
  const Step& step = question ? *question : whole;
  Picture picture{.trace = trace,
                  .number = static_cast<int>(at),
                  .question = question,
                  .step = step,
                  .before = before,
                  .op = op_of(step),
                  .view = view};
  const Applied* op = picture.op;
  const TensorPtr result = first_tensor(op ? op->result : is_none(step.printed) ? step.value : step.printed);
  const TensorPtr input = op && !op->inputs.empty() ? op->inputs.front() : nullptr;
  const TensorPtr tried = op && op->attempt ? op->attempt->tensor : input;  // where it failed
  if (result)
    picture.subject = read_through(result, name_of(step, *result), step);
  else if (tried)
    picture.subject = read_through(tried, name_of(step, *tried), step);
  if (input && result && op->relation == Relation::copy)
    picture.source = read_through(input, name_of(step, *input), step);
  picture.in_order = picture.source && copied_in_order(*picture.source, *picture.subject);
  const bool with_input = view.figures & figure_before, sharing = !question && view.figures & figure_sharing;
  if (with_input && input && result && input->object != result->object)
    picture.input = read_through(input, name_of(step, *input), step);
  // What was written to is shown with what stood there, too.
  if (with_input && picture.subject && op && op->relation == Relation::write && before &&
      contents_in(*before, picture.subject->tensor->storage->id))
    picture.input =
        read_through(picture.subject->tensor, picture.say(Msg::reading_before, {picture.subject->name}), *before);
  if (picture.subject && (sharing || (op && op->relation == Relation::write)))
    for (const Named& named : step.names) {
      const Reading& subject = *picture.subject;
      const bool seen = named.tensor->object == subject.tensor->object ||
                        (picture.input && named.tensor->object == picture.input->tensor->object) ||
                        std::any_of(picture.aliases.begin(), picture.aliases.end(),
                                    [&](const Reading& alias) { return alias.tensor->object == named.tensor->object; });
      if (seen || named.tensor->storage->id != subject.tensor->storage->id) continue;
      picture.aliases.push_back(*read_through(named.tensor, name_of(step, *named.tensor), step));
    }

  const AxisColors colors(trace, static_cast<int>(at));
  const auto paint = [&](Reading& reading) { reading.colors = colors.of(*reading.tensor); };
  if (picture.subject) paint(*picture.subject);
  if (picture.source) paint(*picture.source);
  if (picture.input) paint(*picture.input);
  for (Reading& alias : picture.aliases) paint(alias);

  if (picture.subject && picture.subject->count > 0) {
    picture.head = std::clamp<int64_t>(view.head, 0, picture.subject->count - 1);
    if (view.pan < picture.subject->count) picture.pan = view.pan;
    if (view.phase > 0 && picture.head + 1 < picture.subject->count)  // not for NaN
      picture.glide = view.phase < 1 ? static_cast<int>(view.phase * 1024) : 1024;
  }

  picture.hover = drawn_axis(picture, colors);
  const Target& hover = picture.hover;
  if (hover.kind == Target::Kind::cell) picture.lit_cell = hover;
  if (hover.kind == Target::Kind::element) {
    const auto resolve = [&](const Reading& reading) {
      if (reading.tensor->object == hover.owner && hover.index >= 0 && hover.index < reading.count)
        picture.lit_cell = reading.cell_target(reading.cell_of(hover.index));
    };
    for (const Named& named : step.names)
      if (named.tensor->object == hover.owner)
        if (const auto reading = read_through(named.tensor, named.name, step)) resolve(*reading);
    if (picture.subject) resolve(*picture.subject);
    if (picture.source) resolve(*picture.source);
  }
  return picture;
}

const Diagnostic* Picture::error() const {
  const auto& raised = op && op->error ? op->error : step.error;
  return raised ? &*raised : nullptr;
}

bool Picture::lit(const Reading& reading, const Target& target) const {
  if (hover.kind == Target::Kind::none) return false;
  if (target == hover) return true;
  switch (target.kind) {
    case Target::Kind::cell:
      return target.owner == lit_cell.owner && target.index >= lit_cell.index &&
             target.index < lit_cell.index + (hover.kind == Target::Kind::element ? reading.span : 1);
    default: {  // an element: nothing else that is drawn of a reading is asked for
      if (lit_cell.kind != Target::Kind::cell || lit_cell.owner != reading.tensor->storage->id) return false;
      const int64_t cell = reading.cell_of(target.index);
      return lit_cell.index >= cell && lit_cell.index < cell + reading.span;
    }
  }
}

bool Picture::changed(const Reading& reading, int64_t cell) const {
  if (!op || op->relation != Relation::write || !before || !reading.contents) return false;
  const Storage& storage = *reading.tensor->storage;
  if (storage.id != subject->tensor->storage->id) return false;
  const Contents* old = contents_in(*before, storage.id);
  if (!old || old == reading.contents || !is_known(*old)) return false;
  const auto value = [&](const Contents& contents) {
    return stridescope::label(read(storage, contents, cell * reading.cell_bytes, reading.cell_dtype()));
  };
  return value(*old) != value(*reading.contents);
}

int Picture::lit_axis(const Reading& reading) const {
  const bool ours = hover.kind == Target::Kind::axis && hover.owner == reading.tensor->object && hover.index >= 0 &&
                    hover.index < reading.layout.rank();
  return ours ? static_cast<int>(hover.index) : -1;
}

int64_t Picture::counterpart(const Reading& reading, int64_t element) const {
  if (subject->count == 0 || reading.count == 0) return -1;
  if (reading.tensor == subject->tensor) return element;
  if (source && reading.tensor == source->tensor) return in_order ? element : -1;
  const std::vector<int64_t> same = readers(reading.layout, subject->cell_of(element), 1, search_limit);
  return reading.tensor->storage->id != subject->tensor->storage->id || same.empty() ? -1 : same.front();
}

Shades::Shades(int64_t first, int64_t distance, int64_t whole) : whole_(std::max<int64_t>(whole, 1)) {
  const auto split = [&](int64_t part, uint8_t& quotient) {
    const auto product = static_cast<__int128>(part) * 255;
    const auto rest = static_cast<int64_t>(product % whole_), positive = rest < 0 ? rest + whole_ : rest;
    quotient = static_cast<uint8_t>((product - positive) / whole_);
    return positive;
  };
  rest_ = split(first, quotient_) - whole_;
  rest_more_ = split(distance, more_);
}

void Shades::fill(std::span<uint8_t> shades) {
  // In registers, and without a branch, which nobody could foretell: a picture may have a million of them.
  int64_t rest = rest_;
  uint8_t quotient = quotient_;
  for (uint8_t& shade : shades) {
    shade = quotient;
    rest += rest_more_;
    const int64_t wraps = ~(rest >> 63);  // -1 where it does, else 0
    rest -= whole_ & wraps;
    quotient = static_cast<uint8_t>(quotient + more_ - wraps);
  }
  rest_ = rest;
  quotient_ = quotient;
}

uint8_t Picture::shade(const Reading& reading, int64_t cell, int64_t element) const {
  const int64_t last = std::max<int64_t>(reading.cells - 1, 0);
  const int rank = reading.layout.rank();
  if (view.coloring != Coloring::position && element < 0) return 0;
  switch (view.coloring) {
    case Coloring::position: return shade_of(std::clamp<int64_t>(cell, 0, last), last);
    case Coloring::order: return shade_of(element, reading.count - 1);
    case Coloring::row: {
      const Rows rows = rows_of(reading);
      const int64_t place = rows.in_storage ? std::clamp<int64_t>(cell - rows.first, 0, rows.count - 1) : element;
      return shade_of(place / rows.columns, (rows.count - 1) / rows.columns);
    }
    case Coloring::axis: {
      if (rank == 0) return 0;
      const int d = std::max(lit_axis(reading), 0);
      return shade_of(index_at(reading.layout.sizes, element)[d], reading.layout.sizes[d] - 1);
    }
    case Coloring::line: {
      const int64_t per_line = std::max<int64_t>((view.line > 0 ? view.line : usual_line) / reading.cell_bytes, 1);
      return shade_of(std::clamp<int64_t>(cell, 0, last) / per_line, last / per_line);
    }
    case Coloring::bank: {
      const int64_t word = std::clamp<int64_t>(cell, 0, last) * reading.cell_bytes / bank_bytes;
      return shade_of(word % bank_count, bank_count - 1);
    }
    default: {  // Coloring::times
      constexpr int most = 8;
      return shade_of(static_cast<int64_t>(readers(reading.layout, cell, most, search_limit).size()), most);
    }
  }
}

std::string Picture::label(const Reading& reading, int64_t cell, int64_t element) const {
  switch (view.labels) {
    case Labels::value:
      return element >= 0 && reading.span > 1 ? element_label(reading, element) : cell_label(reading, cell);
    case Labels::offset: return std::to_string(cell);
    case Labels::order: return element < 0 ? "" : std::to_string(element);
    default: {  // Labels::index
      if (element < 0) return "";
      std::string text;
      for (int64_t i : index_at(reading.layout.sizes, element)) text += (text.empty() ? "" : ",") + std::to_string(i);
      return text;
    }
  }
}

std::string with_fewer_decimals(const std::string& label, size_t most) {
  const size_t point = label.find('.');
  const bool decimal = point != std::string::npos && label.find_first_not_of("-0123456789.") == std::string::npos;
  if (!decimal || label.size() <= most || point + 2 > most) return label;
  std::string rounded = label.substr(0, most);
  size_t digit = label[most] >= '5' ? most : 0;  // behind the one that becomes the next higher
  while (digit > 0 && rounded[digit - 1] != '-') {
    char& c = rounded[--digit];
    if (c == '.') continue;
    if (c != '9') return ++c, rounded;
    c = '0';
  }
  // All of them were 9.
  if (label[most] >= '5') rounded.insert(digit, "1"), rounded.pop_back();
  return rounded.back() == '.' ? rounded.substr(0, rounded.size() - 1) : rounded;
}

Role axis_role(const Reading& reading, int d) {
  return static_cast<Role>(static_cast<int>(Role::axis0) + static_cast<int>(reading.colors[d]) % 8);
}

Style heading_style(const Picture& picture, const Reading& reading) {
  const bool lit = picture.hover == Target{Target::Kind::tensor, reading.tensor->object, -1};
  return {.size = px(11), .role = lit ? Role::cell_linked : Role::text_muted, .mono = false, .bold = true};
}

std::string axis_name(const Tensor& tensor, int d) {
  return (tensor.library == Library::torch ? "dim " : "axis ") + std::to_string(d);
}

int64_t window_start(int64_t at, int64_t shown, int64_t total, int64_t middle) {
  if (middle >= 0)
    if (const int64_t first = std::clamp<int64_t>(middle - shown / 2, 0, total - shown);
        at >= first && at - first < shown)
      return first;
  const int64_t half = std::max<int64_t>(shown / 2, 1), behind = at - shown / 4;
  return behind < 0 ? 0 : std::min(behind / half * half, total - shown);
}

}  // namespace stridescope
