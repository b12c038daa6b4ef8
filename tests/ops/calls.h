// Calls of every form of the table, made from its signature.
#pragma once
#include <string>

#include "ops/op.h"

namespace stridescope {

/// Whether number `n` of many alike is looked at: all are, but where sanitizers make everything ten times as slow every
/// third.
constexpr bool looked_at([[maybe_unused]] size_t n) {
#if defined(__SANITIZE_ADDRESS__)
  return n % 3 == 0;
#else
  return true;
#endif
}

/// Something that fits a parameter of PyTorch's; NumPy's rows have no types for most. An array is `array`.
inline std::string fitting_argument(const Form& form, size_t i, const std::string& array) {
  const Parameter& parameter = form.parameters[i];
  const auto of = [&](std::string_view type) { return parameter.type.find(type) != std::string_view::npos; };
  if (of("tensors")) return "(" + array + ", " + array + ")";
  if (of("tensor")) return array;
  if (of("dtype")) return "torch.float32";
  if (of("ints")) return "(1,)";
  if (of("str")) return "'ij->ji'";
  return form.op->library == Library::numpy && i == 0 ? array : "1";
}

/// The call that gives each parameter what `given` says of it, those with defaults left out but for number `odd`.
template <typename Given>
std::string call_of(const Form& form, size_t odd, Given given) {
  const bool receiver = has_receiver(form.kind);
  std::string text = receiver ? given(0) + "." : "";
  text += form.name + "(";
  bool first = true;
  for (size_t i = receiver ? 1 : 0; i < form.parameters.size(); ++i) {
    const Parameter& parameter = form.parameters[i];
    if (i != odd && (!parameter.fallback.empty() || (parameter.variadic && parameter.keyword_only))) continue;
    const bool named =
        parameter.keyword_only || (!parameter.fallback.empty() && i == odd && !parameter.positional_only);
    text += (first ? "" : ", ") + (named ? std::string(parameter.name) + "=" : "") + given(i);
    first = false;
  }
  return text + ")";
}

/// The call with `value` for parameter `odd`, all that is required before and behind it given.
inline std::string odd_call(const Form& form, size_t odd, const std::string& value) {
  const std::string array = form.op->library == Library::torch ? "t" : "a";
  return call_of(form, odd, [&](size_t i) { return i == odd ? value : fitting_argument(form, i, array); });
}

/// The call with `array` wherever an array may stand.
inline std::string call_with(const Form& form, const std::string& array) {
  return call_of(form, 0, [&](size_t i) {
    const Parameter& parameter = form.parameters[i];
    return form.op->library == Library::numpy && parameter.type.empty() ? array : fitting_argument(form, i, array);
  });
}

}  // namespace stridescope
