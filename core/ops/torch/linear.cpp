// Products with something added: addmm, baddbmm, linear.
#include "layout/extent.h"
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/product.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whether the input of a call in place is what the call makes of it, or the call failed; of any other call it may be
/// anything.
bool check_in_place(Call& call, const Tensor& input, DType made, const Dims& sizes) {
  if (!call.name().ends_with('_')) return true;
  const std::string text = "Bad in-place call: input tensor ";
  if (input.dtype != made)
    return call.fail(
               "RuntimeError",
               {text, "dtype ", cpp_name(input.dtype), " and output tensor dtype ", cpp_name(made), " should match"},
               Msg::dtypes_differ, {name(input.dtype), name(made)}),
           false;
  if (!(input.layout.sizes == sizes))
    return call.fail("RuntimeError",
                     {text, "size ", list_text(input.layout.sizes), " and output tensor size ", list_text(sizes),
                      " should match"},
                     Msg::layer_size, {"input", to_string(input.layout.sizes), to_string(sizes)}),
           false;
  return true;
}

/// beta * input + alpha * (a @ b), the input expanded to the sizes of the product.
Value added_product(Call& call, const Tensor& input, const Tensor& a, const Tensor& b, const Dims& sizes,
                    const std::string& kernel) {
  const auto factor = [&](const char* parameter) {
    const Value& value = call.given(parameter) ? number_in(call.value(parameter)) : Value{int64_t{1}};
    if (!holds_number(call, value, a.dtype)) return Scalar{};
    return element(*operand_of(call, value, parameter), 0);
  };
  if (!check_in_place(call, input, a.dtype, sizes)) return {};
  expanded(call, input, sizes);
  const Scalar beta = factor("beta"), alpha = factor("alpha");
  if (call.failed() || (*numel(sizes) != 0 && !has_kernel(call, a.dtype, kernel))) return {};
  const int64_t rows = a.layout.sizes[a.layout.rank() - 2], inner = a.layout.sizes.back();
  if (call.name().ends_with('_'))
    call.why(Msg::product_into, {rows, inner, b.layout.sizes.back()});
  else
    call.why(Msg::product_headline, {rows, inner, b.layout.sizes.back(), to_string(sizes)});
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
  if (holds && !call.quick(held, count)) return {};
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

Value addmv_row(Call& call) {
  const Tensor &input = call.self(), &matrix = *call.tensor("mat")->tensor;
  Tensor vector = *call.tensor("vec")->tensor;
  const Dims &sizes = matrix.layout.sizes, &own = input.layout.sizes;
  if (sizes.size() != 2 || vector.layout.rank() != 1 || own.size() > 1)
    return wrong_rank(
               call,
               {"vector + matrix @ vector expected, got ", own.size(), ", ", sizes.size(), ", ", vector.layout.rank()},
               own.size() > 1      ? 1
               : sizes.size() != 2 ? 2
                                   : 1,
               own.size() > 1      ? own.size()
               : sizes.size() != 2 ? sizes.size()
                                   : vector.layout.rank()),
           Value{};
  const int64_t count = *numel(own);
  // The message itself asks for the size of what was added.
  if (own.empty() && sizes[1] != vector.layout.sizes[0])
    return call.about("vec").fail("IndexError", "Dimension specified as 0 but tensor has no dimensions",
                                  Msg::needs_rank, {1, 0});
  if (count != 1 && count != sizes[0])
    return mismatch(
               call,
               {"size mismatch, got input (", count, "), mat (", by(sizes), "), vec (", vector.layout.sizes[0], ")"},
               own, sizes),
           Value{};
  if (!check_in_place(call, input, vector.dtype, own) || !check_mv(call, count, matrix, vector)) return {};
  vector.layout = unsqueeze(vector.layout, 1);
  return added_product(call, input, matrix, vector, {sizes[0]}, "addmv_impl_cpu");
}

/// What `row` makes is written into the first operand, which decides no layout then.
template <Value (*row)(Call&)>
Value into_input(Call& call) {
  const Tensor target = call.self();
  const Value made = row(call);
  if (call.failed()) return {};
  const Tensor& result = *tensor_of(made);
  if (call.name().starts_with("addmm") && !check_overlap(call, target, nullptr)) return {};
  // What is read while it is written, or written where elements share a cell, is as the machine goes through it.
  bool disturbed = is_unique(target.layout) != Answer::yes;
  for (const char* factor : {"mat1", "mat2", "batch1", "batch2", "mat", "vec"})
    disturbed |= call.given(factor) && call.tensor(factor)->tensor->storage == target.storage;
  if (!disturbed) return stored(call, target, std::nullopt, {elements_of(result)}, target.dtype, {}, true);
  const int64_t count = *numel(target.layout.sizes);
  explain_write(call, target);
  call.why(Msg::product_disturbed);
  call.write(target, {unknown_contents(target.dtype, count), contiguous(target.layout.sizes, itemsize(target.dtype)),
                      target.dtype});
  return Value{call.self_ref()};
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
#define INTO(name, factors) "x." name "(" factors ", *, beta: number = 1, alpha: number = 1)"
  static constexpr Op rows[] = {
      {Library::torch, ADDED("addmm", "mat1: tensor, mat2: tensor"), Msg::op_addmm,
       "y = beta * input + alpha * (mat1 @ mat2); input broadcast",
       "x = torch.arange(6.).view(2, 3)\ny = torch.addmm(torch.ones(2), x, x.t())", addmm_row},
      {Library::torch, ADDED("baddbmm", "batch1: tensor, batch2: tensor"), Msg::op_addmm,
       "y = beta * input + alpha * (batch1 @ batch2); input broadcast",
       "x = torch.arange(12.).view(2, 2, 3)\ny = torch.baddbmm(torch.ones(2), x, x.mT)", baddbmm_row},
      {Library::torch, ADDED("addmv", "mat: tensor, vec: tensor"), Msg::op_addmm,
       "y = beta * input + alpha * (mat @ vec); input broadcast",
       "x = torch.arange(6.).view(2, 3)\ny = torch.addmv(torch.ones(2), x, torch.ones(3))", addmv_row},
      {Library::torch, INTO("addmm_", "mat1: tensor, mat2: tensor"), Msg::op_in_place,
       "x = beta * x + alpha * (mat1 @ mat2) in the same cells",
       "x = torch.ones(2, 2)\nx.t().addmm_(torch.ones(2, 3), torch.arange(6.).view(3, 2))", into_input<addmm_row>},
      {Library::torch, INTO("baddbmm_", "batch1: tensor, batch2: tensor"), Msg::op_in_place,
       "x = beta * x + alpha * (batch1 @ batch2) in the same cells",
       "x = torch.ones(1, 2, 2)\nx.baddbmm_(torch.ones(1, 2, 3), torch.ones(1, 3, 2))", into_input<baddbmm_row>},
      {Library::torch,
       INTO("addmv_", "mat: tensor, vec: tensor") "\ntorch.addmv_(input: tensor, mat: tensor, vec: tensor, *, beta: "
                                                  "number = 1, alpha: number = 1)",
       Msg::op_in_place, "x = beta * x + alpha * (mat @ vec) in the same cells",
       "x = torch.ones(2)\nx.addmv_(torch.ones(2, 3), torch.ones(3))", into_input<addmv_row>},
      {Library::torch, "torch.nn.functional.linear(input: tensor, weight: tensor, bias: tensor = None)", Msg::op_linear,
       "y = input @ weight.t() + bias",
       "import torch.nn.functional as F\nx = torch.ones(2, 3)\nw = torch.arange(12.).view(4, 3)\ny = F.linear(x, w)",
       linear_row},
  };
#undef ADDED
#undef INTO
  return rows;
}

}  // namespace stridescope
