// Products with something added: addmm, baddbmm, linear.
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/product.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// beta * input + alpha * (a @ b), the input expanded to the sizes of the product.
Value added_product(Call& call, const Tensor& input, const Tensor& a, const Tensor& b, const Dims& sizes,
                    const std::string& kernel) {
  const auto factor = [&](const char* parameter) {
    const Value& value = call.given(parameter) ? number_in(call.value(parameter)) : Value{int64_t{1}};
    if (!holds_number(call, value, a.dtype)) return Scalar{};
    return element(*operand_of(call, value, parameter), 0);
  };
  expanded(call, input, sizes);
  const Scalar beta = factor("beta"), alpha = factor("alpha");
  if (call.failed() || (*numel(sizes) != 0 && !has_kernel(call, a.dtype, kernel))) return {};
  call.why(Msg::product_headline,
           {a.layout.sizes[a.layout.rank() - 2], a.layout.sizes.back(), b.layout.sizes.back(), to_string(sizes)});
  call.why(Msg::product_added, {to_string(input.layout.sizes), to_string(sizes)});
  const int64_t count = *numel(sizes), work = checked_mul(count, a.layout.sizes.back()).value_or(INT64_MAX);
  if (ContentsPtr some = call.unreckoned(a.dtype, count, work))
    return call.fresh(a.dtype, contiguous(sizes), std::move(some));
  const DType working = working_dtype(a.dtype);
  const ContentsPtr sums = products(call, elements_of(a), elements_of(b), working);
  if (!sums) return {};
  Elements held = elements_of(input);
  held.layout = expand(held.layout, sizes);
  const auto of_two = [&](Arithmetic op, const Scalar& left, const Scalar& right) {
    const Scalar pair[] = {converted(left, working), converted(right, working)};
    return reckon(op, pair);
  };
  const bool holds = is_true(converted(beta, working));  // else nothing is read of it, not even NaN
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i) {
    Scalar value = of_two(Arithmetic::multiply, alpha, cell(*sums, i));
    if (holds) value = of_two(Arithmetic::add, of_two(Arithmetic::multiply, beta, element(held, i)), value);
    values.push_back(value);
  }
  return call.fresh(a.dtype, contiguous(sizes), literal_contents(values, a.dtype));
}

Value addmm(Call& call, const Tensor& input, const Tensor& a, const Tensor& b) {
  const auto same = [&](const char* which, const Tensor& one) {
    return same_dtype(call, one, b,
                      {which, " and mat2 must have the same dtype, but got ", scalar_type_name(one.dtype), " and ",
                       scalar_type_name(b.dtype)});
  };
  if (!same("self", input) || !same("mat1", a)) return {};
  const Dims &left = a.layout.sizes, &right = b.layout.sizes;
  for (const Dims* sizes : {&left, &right})
    if (sizes->size() != 2)
      return wrong_rank(call, {sizes == &left ? "mat1" : "mat2", " must be a matrix, got ", sizes->size(), "-D tensor"},
                        2, sizes->size()),
             Value{};
  if (left[1] != right[0])
    return mismatch(call, {"mat1 and mat2 shapes cannot be multiplied (", by(left), " and ", by(right), ")"}, left,
                    right),
           Value{};
  return added_product(call, input, a, b, {left[0], right[1]}, "addmm_impl_cpu_");
}

Value addmm_row(Call& call) {
  return addmm(call, call.self(), *call.tensor("mat1")->tensor, *call.tensor("mat2")->tensor);
}

Value baddbmm_row(Call& call) {
  const Tensor &input = call.self(), &a = *call.tensor("batch1")->tensor, &b = *call.tensor("batch2")->tensor;
  const Dims &left = a.layout.sizes, &right = b.layout.sizes;
  if (left.size() < 2) return call.wrap(left.empty() ? 0 : 1, left.size(), left.empty(), "batch1"), Value{};
  if (right.size() < 3) return call.wrap(2, right.size(), right.empty(), "batch2"), Value{};
  const Dims sizes{left[0], left[1], right[2]};
  if (!expanded(call, input, sizes)) return {};
  if (!same_dtype(call, input, a,
                  {"Input dtypes must be the same, got: input ", cpp_name(input.dtype), ", batch1: ", cpp_name(a.dtype),
                   ", batch2: ", cpp_name(b.dtype)}))
    return {};
  if (left.size() != 3) return wrong_rank(call, "batch1 must be a 3D tensor", 3, left.size()), Value{};
  if (right.size() != 3) return wrong_rank(call, "batch2 must be a 3D tensor", 3, right.size()), Value{};
  if (!check_bmm(call, a, b, left, right, "baddbmm")) return {};
  return added_product(call, input, a, b, sizes, "baddbmm");
}

/// x @ weight.t() + bias; where there is a bias, of all rows as one matrix where the input is contiguous.
Value linear_row(Call& call) {
  const Tensor input = call.self();
  Tensor weight = *call.tensor("weight")->tensor;
  const int rank = input.layout.rank(), other = weight.layout.rank();
  if (rank == 0 || other == 0)
    return wrong_rank(call,
                      {"both arguments to linear need to be at least 1D, but they are ", rank, "D and ", other, "D"}, 1,
                      0),
           Value{};
  if (other > 2)
    return wrong_rank(call, {"t() expects a tensor with <= 2 dimensions, but self is ", other, "D"}, 2, other), Value{};
  if (other == 2) weight.layout = transpose(weight.layout, 0, 1);
  call.why(Msg::linear_weight, {to_string(weight.layout)});
  if (!call.given("bias")) return matmul(call, input, weight);
  const Tensor& bias = *call.tensor("bias")->tensor;
  if (rank == 2) return addmm(call, bias, input, weight);
  if (is_contiguous(input.layout) && (rank == 3 || bias.layout.rank() == 1)) {
    Dims sizes = input.layout.sizes;
    const int64_t inner = sizes.back(), rows = inner == 0 ? 0 : *numel(sizes) / inner;
    if (inner == 0) return call.refuse(Msg::not_modelled, {"PyTorch", "linear(..)"});
    Tensor matrix = input;
    matrix.lens = {};
    matrix.layout = contiguous({rows, inner});
    matrix.storage =
        std::make_shared<Storage>(Storage{-1, bytes_of(input), input.dtype, gather(elements_of(input), input.dtype)});
    const Value hidden = addmm(call, bias, matrix, weight);
    if (call.failed()) return {};
    sizes[rank - 1] = weight.layout.sizes.back();
    call.why(Msg::linear_rows, {rows, to_string(sizes)});
    call.why(Msg::hidden_base);
    const Value result = call.view(*tensor_of(hidden), contiguous(sizes));
    call.relation(Relation::fresh);
    return result;
  }
  const Value result = matmul(call, input, weight);
  const TensorPtr made = call.failed() ? nullptr : tensor_of(result);
  if (!made || !fits_in_place(call, *made, bias.layout.sizes) ||
      !check_stored(call, promoted(made->dtype, bias.dtype), made->dtype))
    return {};
  Elements added = elements_of(bias);
  added.layout = expand(added.layout, made->layout.sizes);
  const Elements pair[] = {elements_of(*made), added};
  call.write(*made, {elementwise(Arithmetic::add, pair, working_dtype(made->dtype), made->dtype),
                     contiguous(made->layout.sizes, itemsize(made->dtype)), made->dtype});
  call.relation(Relation::fresh);
  return result;
}

}  // namespace

std::span<const Op> torch_linear_rows() {
#define ADDED(name, factors)                                                                                \
  "torch." name "(input: tensor, " factors ", *, beta: number = 1, alpha: number = 1)\nx." name "(" factors \
  ", *, beta: number = 1, alpha: number = 1)"
  static constexpr Op rows[] = {
      {Library::torch, ADDED("addmm", "mat1: tensor, mat2: tensor"), Msg::op_addmm,
       "y = beta * input + alpha * (mat1 @ mat2); input broadcast",
       "x = torch.arange(6.).view(2, 3)\ny = torch.addmm(torch.ones(2), x, x.t())", addmm_row},
      {Library::torch, ADDED("baddbmm", "batch1: tensor, batch2: tensor"), Msg::op_addmm,
       "y = beta * input + alpha * (batch1 @ batch2); input broadcast",
       "x = torch.arange(12.).view(2, 2, 3)\ny = torch.baddbmm(torch.ones(2), x, x.mT)", baddbmm_row},
      {Library::torch, "torch.nn.functional.linear(input: tensor, weight: tensor, bias: tensor = None)", Msg::op_linear,
       "y = input @ weight.t() + bias",
       "import torch.nn.functional as F\nx = torch.ones(2, 3)\nw = torch.arange(12.).view(4, 3)\ny = F.linear(x, w)",
       linear_row},
  };
#undef ADDED
  return rows;
}

}  // namespace stridescope
