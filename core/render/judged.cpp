#include <algorithm>
#include <charconv>

#include "render/report.h"
#include "render/report_parts.h"
#include "scene/picture.h"

namespace stridescope {
namespace {

/// The numbers of a list as anybody writes it: "(2, 3)", "[2,3]", "2 3", "torch.Size([2, 3])", "（2，3）". Nothing
/// where something else stands in it.
std::optional<Dims> numbers_in(std::string_view text) {
  constexpr std::string_view type = "torch.Size";
  constexpr std::string_view between[] = {"(", ")", "[", "]", ",", " ", "\t", "（", "）", "，", "、"};
  Dims numbers;
  bool begun = false;  // with a blank field nothing was said
  while (!text.empty()) {
    const auto* found = std::find_if(std::begin(between), std::end(between),
                                     [&](std::string_view mark) { return text.starts_with(mark); });
    if (found != std::end(between)) {
      text.remove_prefix(found->size());
      begun |= *found != " " && *found != "\t";
    } else if (!begun && text.starts_with(type)) {
      text.remove_prefix(type.size());
    } else {
      int64_t number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc{} || numbers.full()) return std::nullopt;
      numbers.push_back(number);
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      begun = true;
      if (text.starts_with('-')) return std::nullopt;
    }
  }
  return begun ? std::optional(numbers) : std::nullopt;
}

void judge(Json& json, std::string_view part, bool right, std::string_view truth) {
  json.key(part).object().put("right", right).put("truth", truth).end();
}

void judge(Json& json, std::string_view part, std::string_view guessed, const Dims& truth) {
  judge(json, part, numbers_in(guessed) == truth, to_string(truth));
}

}  // namespace

std::string judged(const Trace& trace, const ViewState& view, const Guess& guess) {
  Json json;
  if (trace.steps.empty()) return std::move(json.null()).text();
  ViewState plain = view, asks = view;
  plain.ask = false;
  asks.ask = true;
  const Picture truth = compose_picture(trace, plain), question = compose_picture(trace, asks);
  const Step& step = truth.step;
  const Applied* op = truth.op;
  const bool failed = step.error.has_value();
  const TensorPtr made = failed ? nullptr : tensor_of(op ? op->result : step.value);
  const std::string_view mark = mark_of(op ? op->relation : relation(step));
  const std::string_view kind = failed ? "error" : mark.empty() ? "none" : mark;
  const Tensor* counted = made ? made.get() : question.subject ? question.subject->tensor.get() : nullptr;

  json.object().put("input", question.subject ? question.subject->name : "");
  json.put("bytes", counted && counted->library == Library::numpy);
  judge(json, "kind", guess.kind == kind, kind);
  if (made) {
    judge(json, "sizes", guess.sizes, made->layout.sizes);
    judge(json, "strides", guess.strides, made->layout.strides);
  } else {
    json.key("sizes").null().key("strides").null();
  }
  json.end();
  return std::move(json).text();
}

}  // namespace stridescope
