// Elements reckoned: a function of its operands as a new tensor.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {

std::optional<Elements> rounded_elements(Call& call, const Tensor& tensor, int64_t decimals) {
  if (!is_floating(tensor.dtype)) {
    const std::string kernel = decimals == 0 ? "round_vml_cpu" : "round_cpu";
    no_kernel(call, kernel, tensor.dtype);
    return std::nullopt;
  }
  const DType working = working_dtype(tensor.dtype);
  const Dims& sizes = tensor.layout.sizes;
  const Layout packed = contiguous(sizes, itemsize(working));
  const Scalar power = real_scalar(std::pow(10.0, static_cast<double>(std::abs(decimals))), working);
  const Elements factor{constant_contents(power, 1), expand(Layout{}, sizes), working};
  const Arithmetic there = decimals < 0 ? Arithmetic::divide : Arithmetic::multiply,
                   back = decimals < 0 ? Arithmetic::multiply : Arithmetic::divide;
  ContentsPtr contents = elementwise(there, std::array{elements_of(tensor), factor}, working, working);
  contents = elementwise(Arithmetic::round, std::array{Elements{contents, packed, working}}, working, working);
  contents = elementwise(back, std::array{Elements{contents, packed, working}, factor}, working, working);
  return Elements{std::move(contents), packed, working};
}

std::optional<Elements> operand_of(Call& call, const Value& value, const char* parameter) {
  if (const TensorPtr tensor = tensor_of(value)) return elements_of(*tensor);
  if (const auto scalar = scalar_of(value)) return Elements{constant_contents(*scalar, 1), {}, scalar->dtype};
  call.wrong_type(parameter, "Tensor or number");
  return std::nullopt;
}

Value seen_through(const Tensor& tensor, const Layout& layout) {
  Tensor seen = tensor;
  seen.layout = layout;
  return Value{std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(std::move(seen))})};
}

Elements Reckoner::operator()(Arithmetic op, const std::vector<Elements>& operands) const {
  const DType made = gives_bool(op) ? DType::boolean : dtype;
  return {elementwise(op, operands, dtype, made), contiguous(sizes, itemsize(made)), made};
}

Elements Reckoner::operator()(double number) const {
  return {constant_contents(real_scalar(number, dtype), 1), expand(Layout{}, sizes), dtype};
}

Value laid_out(Call& call, const Layout& layout, DType dtype, const Elements& elements) {
  if (call.failed()) return {};
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  call.why(Msg::elementwise_headline, {*numel(layout.sizes), name(dtype), to_string(layout)});
  if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  const Value made = call.gathered(layout, dtype, [&](const Dims& order) {
    return gather({elements.contents, permute(elements.layout, order), elements.dtype}, dtype);
  });
  call.relation(Relation::fresh);
  return made;
}

Layout as_operand(const Layout& layout, const Dims& sizes) {
  Layout seen{sizes, Dims::filled(sizes.size(), 0), layout.storage_offset};
  const int extra = sizes.size() - layout.rank();
  for (int d = extra; d < sizes.size(); ++d)
    if (layout.sizes[d - extra] != 1 || sizes[d] == 1) seen.strides[d] = layout.strides[d - extra];
  return seen;
}

Value computed(Call& call, Arithmetic op, const std::vector<const Value*>& arguments, DType common, DType dtype,
               const std::vector<std::optional<Elements>>& instead, bool apart) {
  Dims sizes;
  std::vector<Elements> operands;
  for (const Value* argument : arguments) {
    const std::optional<Elements>* other = operands.size() < instead.size() ? &instead[operands.size()] : nullptr;
    const auto operand = other && *other ? *other : operand_of(call, *argument, "other");
    const auto joined = operand ? broadcast_sizes(call, sizes, operand->layout.sizes) : std::nullopt;
    if (!joined) return {};
    sizes = *joined;
    operands.push_back(*operand);
  }
  // Of three the second is already in what is read instead of the first.
  if (operands.size() == 3 && op != Arithmetic::where) operands.erase(operands.begin() + 1);
  bool alike = true;
  std::vector<Layout> layouts;
  for (const Value* argument : arguments) {
    const TensorPtr tensor = tensor_of(*argument);
    alike &= tensor ? tensor->layout.sizes == sizes : apart;
    if (!tensor) continue;
    // A conjugate or a negative is written down first, and what is of another dtype converted.
    const bool condition = op == Arithmetic::where && argument == arguments.front();
    const bool reckoned_wider = tensor->dtype == dtype && (is_floating(dtype) || is_complex(dtype));
    const bool converts = tensor->dtype != common && !condition && !reckoned_wider;
    const Dims strides =
        tensor->lens == Lens{} && !converts ? tensor->layout.strides : preserved_strides(tensor->layout);
    layouts.push_back(as_operand({tensor->layout.sizes, strides, tensor->layout.storage_offset}, sizes));
  }
  // Of these two the result is made like the operand before an iterator sees it.
  const bool made_alike = op == Arithmetic::to_radians || op == Arithmetic::to_degrees;
  const Layout result{sizes, made_alike ? preserved_strides(layouts.front()) : iterator_strides(sizes, layouts, alike),
                      0};
  if (!is_valid(result)) return call.refuse(Msg::beyond_int64);
  call.why(Msg::elementwise_headline, {*numel(sizes), name(dtype), to_string(result)});
  const DType told = common == working_dtype(dtype) ? dtype : common;
  bool mixed = false;  // a number is taken as what is reckoned with, which is nothing to tell
  for (const Value* argument : arguments)
    if (const TensorPtr tensor = tensor_of(*argument)) mixed |= tensor->dtype != told;
  size_t next = 0;  // of the layouts, one a tensor
  for (const Value* argument : arguments)
    if (const TensorPtr tensor = tensor_of(*argument)) {
      if (tensor->layout.rank() > 0 && tensor->layout.sizes != sizes) explain_broadcast(call, *tensor, layouts[next]);
      ++next;
    }
  if (mixed && op != Arithmetic::where) call.why(Msg::elementwise_dtype, {name(told)});
  if (!(result.strides == contiguous(sizes).strides)) call.why(Msg::elementwise_layout, {to_string(result.strides)});
  const Value value = call.gathered(result, dtype, [&](const Dims& order) {
    for (Elements& operand : operands) operand.layout = permute(expand(operand.layout, sizes), order);
    return elementwise(op, operands, common, dtype);
  });
  call.relation(Relation::fresh);
  return value;
}

}  // namespace stridescope
