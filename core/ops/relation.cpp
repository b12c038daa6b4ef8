#include "ops/trace.h"

namespace stridescope {

Relation relation(const Step& step) {
  const TensorPtr tensor = tensor_of(step.value);
  if (step.applied.empty()) return tensor ? Relation::same : Relation::none;
  const Relation last = step.applied.back().relation;
  if (!tensor || (last != Relation::view && last != Relation::same)) return last;
  for (const Applied& applied : step.applied) {
    const bool new_storage = applied.relation == Relation::fresh || applied.relation == Relation::copy;
    const TensorPtr made = tensor_of(applied.result);
    if (new_storage && made && made->storage->id == tensor->storage->id) return applied.relation;
  }
  return last;
}

}  // namespace stridescope
