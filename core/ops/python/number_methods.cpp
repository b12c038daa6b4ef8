// What numbers of Python's and slices can be asked: (5).bit_length(), (0.5).is_integer(), slice(1, 9).indices(4).
#include <algorithm>
#include <bit>
#include <cmath>

#include "ops/call.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

/// The start, stop and step by which a slice goes through so many items.
/// Source: PySlice_AdjustIndices, and slice.indices() around it
Outcome indices_of(const SliceValue& slice, const Value& length) {
  const auto size = as_index(length);
  if (!size)
    return python_error("TypeError", {"'", attribute_type(length), "' object cannot be interpreted as an integer"},
                        Msg::argument_has_type, {"length", "int", type_name(length)});
  if (*size < 0) return python_error("ValueError", "length should not be negative", Msg::np_negative_size, {*size});
  std::optional<int64_t> parts[3];
  const std::shared_ptr<const Value>* const given[] = {&slice.start, &slice.stop, &slice.step};
  for (int k = 0; k < 3; ++k) {
    if (!*given[k] || is_none(**given[k])) continue;
    parts[k] = as_index(**given[k]);
    if (!parts[k])
      return python_error("TypeError", "slice indices must be integers or None or have an __index__ method",
                          Msg::np_slice_parts, {type_name(**given[k])});
  }
  const int64_t step = parts[2].value_or(1);
  if (step == 0) return python_error("ValueError", "slice step cannot be zero", Msg::slice_step_zero);
  const int64_t low = step < 0 ? -1 : 0, high = step < 0 ? *size - 1 : *size;
  const auto inside = [&](std::optional<int64_t> place, int64_t otherwise) {
    return place ? std::clamp(*place < 0 ? *place + *size : *place, low, high) : otherwise;
  };
  return list_of({{inside(parts[0], step < 0 ? high : low)}, {inside(parts[1], step < 0 ? low : high)}, {step}},
                 Sequence::Kind::tuple);
}

bool is_whole(const Value& value) {
  return std::holds_alternative<int64_t>(value.held) || std::holds_alternative<bool>(value.held);
}

}  // namespace

bool is_number_method(const Value& owner, std::string_view name) {
  if (std::holds_alternative<SliceValue>(owner.held)) return name == "indices";
  if (name == "conjugate")
    return is_whole(owner) || std::holds_alternative<Float>(owner.held) ||
           std::holds_alternative<ComplexFloat>(owner.held);
  // The same of integers is younger than some of the Pythons that are there.
  if (name == "is_integer") return std::holds_alternative<Float>(owner.held);
  return (name == "bit_length" || name == "bit_count") && is_whole(owner);
}

Outcome call_number(std::string_view name, const Value& owner, const std::vector<Value>& arguments) {
  const auto* slice = std::get_if<SliceValue>(&owner.held);
  const auto given = static_cast<int64_t>(arguments.size());
  if (given != (slice ? 1 : 0))
    return python_error("TypeError",
                        {type_name(owner), ".", name, "() takes ", slice ? "exactly one argument" : "no arguments",
                         " (", given, " given)"},
                        Msg::too_many_arguments,
                        {name, slice ? 1 : 0, given, std::string(name) + (slice ? "(length)" : "()")});
  if (slice) return indices_of(*slice, arguments.front());
  if (is_unknown(owner)) return limit(Msg::values_unknown);
  if (const auto* real = std::get_if<Float>(&owner.held))
    return name == "conjugate" ? owner : Value{std::isfinite(double{*real}) && std::floor(double{*real}) == *real};
  if (const auto* pair = std::get_if<ComplexFloat>(&owner.held)) return Value{ComplexFloat{std::conj(*pair)}};
  const int64_t number = *as_integer(owner);
  const uint64_t size = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  if (name == "conjugate") return Value{number};
  const auto length = static_cast<int64_t>(std::bit_width(size));
  return Value{name == "bit_length" ? length : int64_t{std::popcount(size)}};
}

}  // namespace stridescope
