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
  if (!tensor || (last != Relation::view && last != Relation::same)) return last;
  for (const Applied& applied : step.applied) {
    const bool new_storage = applied.relation == Relation::fresh || applied.relation == Relation::copy;
    const TensorPtr made = tensor_of(applied.result);
    if (new_storage && made && made->storage->id == tensor->storage->id) return applied.relation;
  }
  return last;
}

}  // namespace stridescope
