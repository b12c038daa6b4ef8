#include "ops/numpy/listed.h"

namespace stridescope {

std::optional<std::vector<Scalar>> elements_in(Call& call, const Value& given) {
  const TensorRef array = as_array(call, given);
  if (!array) return std::nullopt;
  const int64_t count = count_of(*array->tensor);
  constexpr int64_t most_members = 1 << 16;
  if (count > most_members) return call.refuse(Msg::too_many_indices, {count, most_members}), std::nullopt;
  const Elements elements = elements_of(*array->tensor);
  if (!call.quick(elements, count)) return std::nullopt;
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(element(elements, i));
  return values;
}

}  // namespace stridescope
