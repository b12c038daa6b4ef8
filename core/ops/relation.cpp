// What a statement came to as a whole.
#include <algorithm>

#include "ops/trace.h"

namespace stridescope {

Relation relation(const Step& step) {
  const TensorPtr tensor = tensor_of(step.value);
  if (step.applied.empty()) return tensor ? Relation::same : Relation::none;
  const Relation last = step.applied.back().relation;
  const auto* sequence = std::get_if<Sequence>(&step.value.held);
  // A number, a truth, a text: what was done to a tensor on the way to it is not what the statement made.
  if (!tensor && !sequence && !std::holds_alternative<None>(step.value.held) && last != Relation::write)
    return Relation::none;
  if (!tensor || last == Relation::fresh || last == Relation::copy || last == Relation::write) return last;
  for (const Applied& applied : step.applied) {
    const bool new_storage = applied.relation == Relation::fresh || applied.relation == Relation::copy;
    const TensorPtr made = tensor_of(applied.result);
    if (new_storage && made && made->storage->id == tensor->storage->id) return applied.relation;
  }
  if (last != Relation::none) return last;
  // What was done last made no tensor: [x.t(), x.flags][0].
  const auto made = std::find_if(step.applied.rbegin(), step.applied.rend(), [&](const Applied& applied) {
    const TensorPtr result = tensor_of(applied.result);
    return result && result->object == tensor->object;
  });
  return made == step.applied.rend() ? Relation::same : made->relation;
}

/// What := gave to names, and what came of the statement beside it.
static std::string named_text(const Step& step) {
  if (step.error) return "";
  const auto text_of = [](const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return tensor ? to_string(tensor->layout) : to_string(value, 60);
  };
  std::string text;
  for (const auto& [name, value] : step.named_inside) text += name + " " + text_of(value) + "  ";
  for (const std::string& target : step.targets) text += target + " ";
  return text + text_of(step.value);
}

std::string bound_text(const Step& step) {
  if (!step.named_inside.empty() && !step.unpack) return named_text(step);
  const auto* sequence = std::get_if<Sequence>(&step.value.held);
  const bool listed = step.unpack && sequence && sequence->items->size() == step.targets.size();
  std::string text;
  for (size_t i = 0; i < step.targets.size(); ++i) {
    const auto is = [&](const Named& named) { return named.name == step.targets[i]; };
    const auto named = std::find_if(step.names.begin(), step.names.end(), is);
    const TensorPtr item = listed ? tensor_of((*sequence->items)[i]) : nullptr;
    if (step.error || step.targets.size() == 1 || (!listed && named == step.names.end())) return "";
    text += (text.empty() ? "" : "  ") + step.targets[i] + " ";
    text += item     ? to_string(item->layout)
            : listed ? to_string((*sequence->items)[i], 60)
                     : to_string(named->tensor->layout);
  }
  return text;
}

std::optional<Message> decision(const Step& step) {
  const Statement& header = *step.statement;
  if (header.kind != Statement::Kind::clause || step.error || step.span != header.span) return std::nullopt;
  if (is_class(header)) return std::nullopt;
  const auto* holds = std::get_if<bool>(&step.value.held);
  const bool so = !holds || *holds;
  if (is_function(header)) {
    if (step.round == 0) return std::nullopt;  // its decorators
    if (is_generator(header)) return Message{Msg::header_wanted, {header.targets[0]->text}};
    return Message{step.targets.empty() ? Msg::header_call_plain : Msg::header_call, {header.targets[0]->text}};
  }
  if (header.text == "for" && step.round == 0)
    return step.rounds > 0 ? Message{Msg::header_over, {step.rounds}} : Message{Msg::header_nothing};
  if (header.text == "for" && step.rounds == 0) return Message{Msg::header_asks, {step.round}};
  if (header.text == "for") return Message{Msg::header_round, {step.round, step.rounds}};
  if (header.text == "while" && step.round == 0) return Message{Msg::header_ends, {step.rounds}};
  if (header.text == "while") return Message{Msg::header_again, {step.round}};
  if (header.text == "except") return Message{so ? Msg::header_takes : Msg::header_lets_go};
  if (header.text == "with") return std::nullopt;  // its contexts say what they do
  return Message{so ? Msg::header_holds : Msg::header_does_not_hold};
}

}  // namespace stridescope
