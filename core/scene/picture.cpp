#include "scene/picture.h"

#include <algorithm>
#include <utility>

#include "lang/syntax.h"
#include "layout/contiguity.h"
#include "layout/warp.h"
#include "ops/contents.h"
#include "ops/lent_memory.h"
#include "scene/axis_colors.h"
#include "scene/question.h"

namespace stridescope {
namespace {

template <class Index>
Index chosen(Index wanted, size_t count) {
  const auto last = static_cast<Index>(count) - 1;
  return wanted < 0 || wanted > last ? last : wanted;
}

/// Whether it is a value, or one of several results.
bool is_among(const Tensor& tensor, const Value& value) {
  if (const TensorPtr& own = tensor_of(value)) return own->object == tensor.object;
  const auto* several = std::get_if<Sequence>(&value.held);
  return several && std::any_of(several->items->begin(), several->items->end(),
                                [&](const Value& part) { return is_among(tensor, part); });
}

/// How it is reached from a value of this name: "x.max(1)[0]".  @pre is_among(tensor, value)
std::string place_in(const Value& value, const std::string& name, const Tensor& tensor) {
  if (tensor_of(value)) return name;
  const std::span<const Value> parts = parts_of(value);
  const auto part = std::find_if(parts.begin(), parts.end(), [&](const Value& one) { return is_among(tensor, one); });
  const std::string whole = takes_suffix(name) ? name : "(" + name + ")";
  return place_in(*part, part_name(whole, value, static_cast<size_t>(part - parts.begin())), tensor);
}

/// What an object is called after the step; the expression that made it where nothing is bound to it.
std::string name_of(const Step& step, const Tensor& tensor) {
  if (const Named* named = step.named(tensor)) return named->name;
  if (const Named* memory = step.memory_named(tensor)) return memory->name;
  for (const Applied& op : step.applied)
    if (is_among(tensor, op.result)) return place_in(op.result, op.title, tensor);
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
  int64_t count = 0;    ///< cells of all rows
  int64_t columns = 1;  ///< cells of a row, > 0
  bool in_storage = false;  ///< else of elements
};
Rows rows_of(const Reading& reading) {
  const Tensor* base = reading.tensor.get();
  while (base->base_tensor && base->base_tensor->storage == reading.tensor->storage) base = base->base_tensor.get();
  const auto bytes = in_bytes(*base);
  const int64_t item = base->item_bytes(), cell = reading.cell_bytes, span = item / cell;
  const Rows own{0, reading.count, reading.layout.rank() == 0 ? 1 : reading.layout.sizes.back(), false};
  if (!bytes || bytes->rank() == 0 || numel(bytes->sizes) == 0 || !is_contiguous(*bytes, item)) return own;
  if (item % cell != 0 || bytes->storage_offset % cell != 0) return own;
  return {bytes->storage_offset / cell, *numel(bytes->sizes) * span, bytes->sizes.back() * span, true};
}

/// One storage is drawn in one kind of cell: in the smallest that any of these tensors needs. Of several that need it,
/// the first that reads it cell by cell says what cells are read as.
void share_cells(const std::vector<Reading*>& readings) {
  for (Reading* reading : readings) {
    const Reading* finest = nullptr;
    for (const Reading* other : readings) {
      if (other->tensor->storage != reading->tensor->storage) continue;
      const auto measure = [](const Reading& one) { return std::pair(one.cell_bytes, one.span); };
      if (!finest || measure(*other) < measure(*finest)) finest = other;
    }
    reading->count_in(finest->cell_bytes, finest->cell_dtype);
  }
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
  const Value& came = is_none(step.printed) ? step.value : step.printed;
  TensorPtr result = first_shown(op ? op->result : came);
  // Of several results the one that the statement comes to.
  if (op && op == &step.applied.back() && tensor_of(came) && is_among(*tensor_of(came), op->result))
    result = tensor_of(came);
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
      if (const auto alias = read_through(named.tensor, name_of(step, *named.tensor), step))
        picture.aliases.push_back(*alias);
    }

  const std::vector<Reading*> readings = picture.readings();
  share_cells(readings);
  const AxisColors colors(trace, static_cast<int>(at));
  for (Reading* reading : readings) reading->colors = colors.of(*reading->tensor);

  if (picture.subject && picture.subject->count > 0) {
    picture.head = std::clamp<int64_t>(view.head, 0, picture.subject->count - 1);
    if (view.pan < picture.subject->count) picture.pan = view.pan;
    if (view.phase > 0 && picture.head + 1 < picture.subject->count)  // not for NaN
      picture.glide = view.phase < 1 ? static_cast<int>(view.phase * 1024) : 1024;
  }

  picture.hover = drawn_axis(picture, colors);
  const Target& hover = picture.hover;
  const auto light = [&](const Reading& reading) {
    const int storage = reading.tensor->storage->id;
    const bool cell = hover == reading.cell_target(hover.index), element = hover == reading.element_target(hover.index);
    if (hover.index < 0 || hover.index >= (cell ? reading.cells : element ? reading.count : 0)) return;
    const int64_t first = cell ? hover.index : reading.cell_of(hover.index), count = cell ? 1 : reading.span;
    picture.lit_bytes = {storage, first * reading.cell_bytes, (first + count) * reading.cell_bytes};
  };
  for (const Reading* reading : readings) light(*reading);
  for (const Named& named : step.names)
    if (hover == Target{Target::Kind::element, named.tensor->object, hover.index})
      if (const auto reading = read_through(named.tensor, named.name, step)) light(*reading);
  return picture;
}

std::vector<Reading*> Picture::readings() {
  std::vector<Reading*> all;
  for (auto* one : {&subject, &source, &input})
    if (*one) all.push_back(&**one);
  for (Reading& alias : aliases) all.push_back(&alias);
  return all;
}

const Diagnostic* Picture::error() const {
  const auto& raised = op && op->error ? op->error : step.error;
  return raised ? &*raised : nullptr;
}

bool Picture::lit(const Reading& reading, const Target& target) const {
  if (hover.kind == Target::Kind::none) return false;
  if (target == hover) return true;
  if (lit_bytes.storage != reading.tensor->storage->id) return false;
  const bool cell = target.kind == Target::Kind::cell;
  const int64_t first = cell ? target.index : reading.cell_of(target.index), count = cell ? 1 : reading.span;
  return first * reading.cell_bytes < lit_bytes.end && lit_bytes.begin < (first + count) * reading.cell_bytes;
}

bool Picture::changed(const Reading& reading, int64_t cell, int64_t count) const {
  if (!op || op->relation != Relation::write || !before || !reading.contents) return false;
  const Storage& storage = *reading.tensor->storage;
  if (storage.id != subject->tensor->storage->id) return false;
  const Contents* old = contents_in(*before, storage.id);
  if (!old || old == reading.contents || !is_known(*old)) return false;
  const auto value = [&](const Contents& contents, int64_t at) {
    return label(read(storage, contents, at * reading.cell_bytes, reading.cell_dtype));
  };
  for (int64_t at = cell; at < cell + count; ++at)
    if (value(*old, at) != value(*reading.contents, at)) return true;
  return false;
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
  if (reading.tensor->storage != subject->tensor->storage) return -1;
  const std::vector<int64_t> same = reading.readers_of(subject->cell_of(element), 1);
  return same.empty() ? -1 : same.front();
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
      return shade_of(static_cast<int64_t>(reading.readers_of(cell, most).size()), most);
    }
  }
}

std::string Picture::cell_text(const Reading& reading, int64_t cell, int64_t element) const {
  return view.labels == Labels::value ? cell_label(reading, cell) : place_text(reading, cell, element);
}

std::string Picture::element_text(const Reading& reading, int64_t element) const {
  return view.labels == Labels::value ? element_label(reading, element)
                                      : place_text(reading, reading.cell_of(element), element);
}

std::string Picture::place_text(const Reading& reading, int64_t cell, int64_t element) const {
  if (view.labels == Labels::offset) return std::to_string(cell);
  if (element < 0) return "";
  if (view.labels == Labels::order) return std::to_string(element);
  std::string text;
  for (int64_t i : index_at(reading.layout.sizes, element)) text += (text.empty() ? "" : ",") + std::to_string(i);
  return text;
}

std::string with_fewer_decimals(const std::string& label, size_t most) {
  if (label.ends_with('j')) {
    size_t sign = label.find_last_of("+-");
    if (sign != std::string::npos && sign > 0 && label[sign - 1] == 'e') sign = label.find_last_of("+-", sign - 1);
    if (sign == std::string::npos || sign == 0) return label;
    const std::string imaginary = label.substr(sign + 1, label.size() - sign - 2);
    return with_fewer_decimals(label.substr(0, sign), most) + label[sign] + with_fewer_decimals(imaginary, most) + "j";
  }
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
