// Three tensors reckoned into one, element by element: lerp, addcmul and addcdiv, as optimizers write them.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

using Three = std::array<Scalar, 3>;

/// The operands seen under their common sizes.
struct Seen {
  Dims sizes;
  std::vector<Elements> operands;
  std::vector<Layout> layouts;  ///< of those that are tensors
  bool alike = true;            ///< whether no operand was broadcast
};

std::optional<Seen> seen_together(Call& call, const std::array<const Value*, 3>& values, DType dtype) {
  Seen seen;
  for (const Value* value : values)
    if (const TensorPtr tensor = tensor_of(*value)) {
      const auto common = broadcast_sizes(call, seen.sizes, tensor->layout.sizes);
      if (!common) return std::nullopt;
      seen.sizes = *common;
    }
  for (const Value* value : values) {
    const TensorPtr tensor = tensor_of(*value);
    if (!tensor) {
      const Scalar number = number_of(*value);
      seen.operands.push_back({constant_contents(number, 1), expand(Layout{}, seen.sizes), number.dtype});
      continue;
    }
    seen.alike = seen.alike && tensor->layout.sizes == seen.sizes;
    Elements elements = elements_of(*tensor);
    elements.layout = expand(elements.layout, seen.sizes);
    seen.operands.push_back(elements);
    // A missing dimension has stride 0, as has a repeated one; what is of another dtype is converted first.
    const Dims strides = tensor->dtype == dtype ? tensor->layout.strides : preserved_strides(tensor->layout);
    seen.layouts.push_back({seen.sizes, Dims::filled(seen.sizes.size(), 0), 0});
    const int extra = seen.sizes.size() - tensor->layout.rank();
    for (int d = extra; d < seen.sizes.size(); ++d)
      if (tensor->layout.sizes[d - extra] == seen.sizes[d]) seen.layouts.back().strides[d] = strides[d - extra];
  }
  return seen;
}

/// What is written lies apart from what is read, which PyTorch looks at first. False: the call failed.
bool lies_apart(Call& call, const std::array<const Value*, 3>& values) {
  if (!call.name().ends_with('_')) return true;
  return std::all_of(values.begin(), values.end(), [&](const Value* value) {
    const TensorPtr input = tensor_of(*value);
    return !input || check_overlap(call, call.self(), &*input);
  });
}

/// What `reckoned` gives of each three, in a new tensor or, where the name ends so, in the first.
template <typename Reckon>
Value mixed_by(Call& call, const std::array<const Value*, 3>& values, DType dtype, const std::string& kernel,
               Reckon reckoned) {
  const Tensor target = call.self();
  const bool in_place = call.name().ends_with('_');
  const auto seen = lies_apart(call, values) ? seen_together(call, values, dtype) : std::nullopt;
  if (!seen) return {};
  const int64_t count = *numel(seen->sizes);
  if (in_place && (!fits_in_place(call, target, seen->sizes) || !check_stored(call, dtype, target.dtype))) return {};
  if (!kernel.empty()) return no_kernel(call, kernel, dtype);
  int64_t work = count > max_listed ? INT64_MAX : count;
  for (const Elements& operand : seen->operands)
    if (!is_quick(operand, count)) work = INT64_MAX;
  // `found` of the operands that are tensors; a number is none of them.
  const auto mixed = [&](const std::function<Scalar(size_t)>& found) {
    Three three;
    for (size_t k = 0, next = 0; k < three.size(); ++k) {
      const bool number = !tensor_of(*values[k]);
      three[k] = converted(number ? element(seen->operands[k], 0) : found(next++), working_dtype(dtype));
    }
    return converted(reckoned(three), dtype);
  };
  std::vector<Elements> read;
  for (size_t k = 0; k < values.size(); ++k)
    if (tensor_of(*values[k])) read.push_back(seen->operands[k]);
  ContentsPtr contents = call.unreckoned(dtype, count, work);
  // What is written may be read again; of another dtype it is reckoned apart.
  if (in_place && count > 0 && !contents && dtype == target.dtype && is_read_in_turn(target, read))
    return stored_in_turn(call, target, read,
                          [&](const std::vector<Scalar>& now) { return mixed([&](size_t k) { return now[k]; }); });
  std::vector<Scalar> results;
  for (int64_t i = 0; i < count && !contents; ++i)
    results.push_back(mixed([&](size_t k) { return element(read[k], i); }));
  if (!contents) contents = literal_contents(results, dtype);
  const Elements made{std::move(contents), contiguous(seen->sizes, itemsize(dtype)), dtype};
  if (in_place) {
    call.headline(Msg::write_headline, {count, bytes_of(target), to_string(target.layout)});
    call.write(target, made);
    return {call.self_ref()};
  }
  const Layout layout{seen->sizes, iterator_strides(seen->sizes, seen->layouts, seen->alike), 0};
  call.why(Msg::elementwise_headline, {count, name(dtype), to_string(layout)});
  return call.gathered(layout, dtype, [&](const Dims& order) {
    Elements ordered = made;
    ordered.layout = permute(made.layout, order);
    return gather(ordered, dtype);
  });
}

Scalar joined_by(Arithmetic op, const Scalar& a, const Scalar& b) { return reckon(op, std::array{a, b}); }

Value lerp_row(Call& call) {
  const Tensor tensor = call.self();
  const Value &end = call.value("end"), &weight = call.value("weight");
  for (const char* other : {"end", "weight"})
    if (const TensorPtr one = tensor_of(call.value(other)); one && one->dtype != tensor.dtype)
      return call.about(other).fail(
          "RuntimeError",
          {"expected dtype ", cpp_name(tensor.dtype), " for `", other, "` but got dtype ", cpp_name(one->dtype)},
          Msg::dtypes_differ, {name(tensor.dtype), name(one->dtype)});
  const std::string kernel = tensor_of(weight) ? "lerp_kernel_tensor" : "lerp_kernel_scalar";
  const bool odd = is_complex(tensor.dtype);
  const std::string& missing = is_floating(tensor.dtype) || odd ? std::string() : kernel;
  if (missing.empty() && !holds_number(call, weight, tensor.dtype)) return {};
  return mixed_by(call, {&call.first(), &end, &weight}, tensor.dtype, missing, [odd](const Three& three) {
    const auto& [from, to, share] = three;
    const Scalar way = joined_by(Arithmetic::subtract, to, from);
    // From the nearer end.
    if (odd ? share.real * share.real + share.imaginary * share.imaginary < 0.25 : std::fabs(share.real) < 0.5)
      return joined_by(Arithmetic::add, from, joined_by(Arithmetic::multiply, share, way));
    const Scalar rest = joined_by(Arithmetic::subtract, real_scalar(1, share.dtype), share);
    return joined_by(Arithmetic::subtract, to, joined_by(Arithmetic::multiply, way, rest));
  });
}

Value added_row(Call& call) {
  const std::array<const Value*, 3> values{&call.first(), &call.value("tensor1"), &call.value("tensor2")};
  const bool quotient = call.name().find("div") != std::string_view::npos;
  TypeVote vote{call};
  for (const Value* value : values) vote.add(*value);
  const DType dtype = vote.result();
  const auto is_integral = [](const Value* value) {
    return !is_floating(tensor_of(*value)->dtype) && !is_complex(tensor_of(*value)->dtype);
  };
  if (quotient && is_integral(values[1]) && is_integral(values[2]))
    return call.fail(
        "RuntimeError",
        "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
        "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
        "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) "
        "for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / "
        "tensor2), for all dtypes.",
        Msg::kernel_missing, {"addcdiv", name(dtype)});
  const std::string kernel = quotient ? "addcdiv_cpu_out" : "addcmul_cpu_out";
  if (dtype != DType::boolean && !holds_number(call, call.value("value"), dtype)) return {};
  const Scalar factor = converted(number_of(call.value("value")), working_dtype(dtype));
  return mixed_by(call, values, dtype, dtype == DType::boolean ? kernel : "", [&](const Three& three) {
    const Scalar scaled = joined_by(Arithmetic::multiply, factor, three[1]);
    return joined_by(Arithmetic::add, three[0],
                     joined_by(quotient ? Arithmetic::divide : Arithmetic::multiply, scaled, three[2]));
  });
}

}  // namespace

std::span<const Op> torch_mixing_rows() {
#define ADDED(name, rest) "x." name "(tensor1: tensor, tensor2: tensor, *, value: number = 1)\n" rest
#define FORMS(name)                                                                                      \
  ADDED(name, "torch." name "(input: tensor, tensor1: tensor, tensor2: tensor, *, value: number = 1)\n") \
  ADDED(name "_", "")
  static constexpr Op rows[] = {
      {Library::torch,
       "x.lerp(end: tensor, weight: number | tensor)\ntorch.lerp(input: tensor, end: tensor, weight: number"
       " | tensor)\n"
       "x.lerp_(end: tensor, weight: number | tensor)",
       Msg::op_lerp, "y = x + weight * (end - x)", "x = torch.zeros(3)\ny = x.lerp(torch.ones(3), 0.25)", lerp_row},
      {Library::torch, FORMS("addcmul") FORMS("addcdiv"), Msg::op_addcmul,
       "y = x + value * tensor1 * tensor2, or / tensor2",
       "x = torch.zeros(3)\ny = x.addcmul(torch.ones(3), torch.arange(3.), value=2)", added_row},
  };
#undef FORMS
#undef ADDED
  return rows;
}

}  // namespace stridescope
