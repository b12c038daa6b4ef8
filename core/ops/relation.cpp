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

}  // namespace stridescope
