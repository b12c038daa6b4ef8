// What losses share: what becomes of one number for each element.
#pragma once
#include <optional>

#include "ops/call.h"

namespace stridescope {

enum class Reduction : uint8_t { none, mean, sum };

/// What size_average and reduce ask for, which came before reduction=, where one of them is given; nothing where none
/// is, or where the call failed.
std::optional<Reduction> older_reduction(Call& call);
/// What is asked for; nothing, and the call failed, where that is none.
std::optional<Reduction> reduction_of(Call& call);

/// The numbers as they are, their mean or their sum. Nothing where the call failed.
Value reduced_loss(Call& call, const Value& numbers, Reduction reduction);
/// Whether an argument can be asked for its size as a tensor can, or the call failed as Python does.
bool check_sized(Call& call, const char* parameter);
/// The size of a tensor as Python writes it.
std::string written_size(const Tensor& tensor);
/// One number at the start of `room`: the library has made room for all before.
Value in_room(Call& call, const Value& one, ContentsPtr room);

/// binary_cross_entropy: -(t * log(x) + (1 - t) * log(1 - x)), no logarithm below -100.
Value chances_loss(Call& call);
/// The same of logits: (1 - t) * x - log(sigmoid(x)), the logarithm times 1 + (pos_weight - 1) * t.
Value logits_loss(Call& call);
/// kl_div: t * (log(t) - x), or exp(t) * (t - x) where the target holds logarithms.
Value divergence_loss(Call& call);

}  // namespace stridescope
