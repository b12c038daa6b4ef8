// Products of vectors that lie along one dimension, and chains of matrices: cross, vecdot, vdot, multi_dot.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/product.h"
#include "ops/torch/reduction.h"

namespace stridescope {
namespace {

/// Of the vectors of three that lie along a dimension; packed. Without a dimension torch.cross takes the first of
/// size 3.
Value cross_row(Call& call) {
  const Tensor a = *call.tensor("input")->tensor, b = *call.tensor("other")->tensor;
  const int rank = a.layout.rank();
  int64_t asked = -1;
  if (call.given("dim")) {
    asked = call.integer("dim");
  } else {
    const auto three = std::find(a.layout.sizes.begin(), a.layout.sizes.end(), 3);
    if (three == a.layout.sizes.end())
      return call.about("input").fail("RuntimeError", "no dimension of size 3 in input", Msg::cross_no_three,
                                      {to_string(a.layout.sizes)});
    asked = three - a.layout.sizes.begin();
  }
  if (b.layout.rank() != rank)
    return call.fail("RuntimeError", "linalg.cross: inputs must have the same number of dimensions.", Msg::cross_ranks,
                     {rank, b.layout.rank()});
  const int d = call.wrap(asked, rank, true);
  if (call.failed()) return {};
  const int64_t one = a.layout.sizes[d], other = b.layout.sizes[d];
  if (one != 3 || other != 3)
    return call.fail("RuntimeError",
                     {"linalg.cross: inputs dimension ", asked, " must have length 3. Got ", one, " and ", other},
                     Msg::cross_length, {d, one, other});
  const auto sizes = broadcast_sizes(call, a.layout.sizes, b.layout.sizes);
  if (!sizes || !has_kernel(call, a.dtype, "cross")) return {};
  if (!same_dtype(call, a, b,
                  {"expected scalar type ", scalar_type_name(a.dtype), " but found ", scalar_type_name(b.dtype)}))
    return {};
  const Layout packed = fresh_layout(call, *sizes, a.dtype);
  if (call.failed()) return {};
  // Element k is a[k+1] * b[k+2] - a[k+2] * b[k+1]: the same tensors, turned by one and by two along the dimension.
  const Reckoner reckon{*sizes, a.dtype};
  const auto one_of = [&](Elements elements, int64_t k) {
    elements.layout.storage_offset += k * elements.layout.strides[d];
    elements.layout.sizes[d] = 1;
    return elements;
  };
  const auto turned = [&](const Tensor& tensor, int64_t by) {
    Elements seen = elements_of(tensor);
    seen.layout = expand(seen.layout, *sizes);
    const Layout whole = contiguous(*sizes, itemsize(a.dtype));
    ContentsPtr made = constant_contents(converted({DType::int64}, a.dtype), *numel(*sizes));
    for (int64_t k = 0; k < 3 && made; ++k)
      made = patch(made, one_of({made, whole, a.dtype}, k), one_of(seen, (k + by) % 3));
    return Elements{made ? made : unknown_contents(a.dtype, *numel(*sizes)), whole, a.dtype};
  };
  call.why(Msg::cross_headline, {*numel(*sizes) / 3, Slot{d, call.axis(a, d)}, to_string(*sizes)});
  if (*numel(*sizes) == 0) return call.fresh(a.dtype, packed, constant_contents(integer_scalar(0, a.dtype), 0));
  // The kernel multiplies and subtracts at once: of float32 the first product is not rounded.
  const Reckoner whole{*sizes, a.dtype == DType::float32 ? DType::float64 : a.dtype};
  const Elements left = whole(Arithmetic::multiply, {turned(a, 1), turned(b, 2)}),
                 right = reckon(Arithmetic::multiply, {turned(a, 2), turned(b, 1)});
  return call.fresh(a.dtype, packed, gather(whole(Arithmetic::subtract, {left, right}), a.dtype));
}

/// sum of conj(x) * y along a dimension.
Value conjugate_products(Call& call, Tensor x, Tensor y, const Dims& along, const Dims& sizes) {
  x.layout = expand(x.layout, sizes);
  y.layout = expand(y.layout, sizes);
  Rows a = rows_along(x, along, false);
  const Rows b = rows_along(y, along, false);
  a.unknown |= b.unknown;
  const DType wide = is_complex(x.dtype) ? DType::complex128 : is_floating(x.dtype) ? DType::float64 : DType::int64;
  return reduced(call, a, x.dtype, [&](int64_t row) {
    Scalar sum = converted({DType::int64}, wide);
    for (int64_t k = 0; k < a.each; ++k) {
      const Scalar first[] = {converted(a.at(row, k), wide)};
      const Scalar pair[] = {reckon(Arithmetic::conjugate, first), converted(b.at(row, k), wide)};
      const Scalar terms[] = {sum, reckon(Arithmetic::multiply, pair)};
      sum = reckon(Arithmetic::add, terms);
    }
    return converted(sum, x.dtype);
  });
}

Value vdot_row(Call& call) {
  const Tensor a = call.self(), b = *call.tensor("other")->tensor;
  if (!is_complex(a.dtype) || !is_complex(b.dtype)) return vector_product(call, a, b);
  if (!check_dot(call, a, b)) return {};
  if (b.lens != Lens{}) return call.refuse(Msg::not_modelled, {"PyTorch", "vdot of a conjugate"});
  return conjugate_products(call, a, b, {0}, a.layout.sizes);
}

Value vecdot_row(Call& call) {
  const Tensor x = *call.tensor("x")->tensor, y = *call.tensor("y")->tensor;
  const std::string function = "linalg.vecdot";
  if (is_whole(x.dtype))
    return call.fail(
        "RuntimeError",
        {function, ": Expected a floating point or complex tensor as input. Got ", scalar_type_name(x.dtype)},
        Msg::floats_needed, {name(x.dtype)});
  if (x.dtype != y.dtype)
    return call.fail("RuntimeError",
                     {function, ": Expected x and y to have the same dtype, but found x of type ",
                      scalar_type_name(x.dtype), " and y of type ", scalar_type_name(y.dtype), " instead"},
                     Msg::dtypes_differ, {name(x.dtype), name(y.dtype)});
  if (x.layout.rank() == 1 && y.layout.rank() == 1) {
    if (!check_dot(call, x, y)) return {};
    return conjugate_products(call, x, y, {0}, x.layout.sizes);
  }
  const auto sizes = broadcast_sizes(call, x.layout.sizes, y.layout.sizes);
  if (!sizes) return {};
  const int d = call.wrap(call.integer("dim"), sizes->size());
  return call.failed() ? Value{} : conjugate_products(call, x, y, sizes->empty() ? Dims{} : Dims{d}, *sizes);
}

/// A @ B @ .. in whatever order is the cheapest: the result is a view of what the last product makes.
Value multi_dot_row(Call& call) {
  const std::vector<TensorRef> given = call.tensors("tensors");
  if (call.failed()) return {};
  const auto count = static_cast<int64_t>(given.size());
  const std::string function = "multi_dot(): ";
  if (count < 2)
    return call.fail("RuntimeError", {function, "expected at least 2 tensors but got ", count}, Msg::multi_dot_count,
                     {count});
  const auto rank_of = [&](int64_t k) { return given[static_cast<size_t>(k)]->tensor->layout.rank(); };
  const Tensor &first = *given.front()->tensor, &last = *given.back()->tensor;
  for (const auto& [which, rank] : {std::pair("first", rank_of(0)), std::pair("last", rank_of(count - 1))})
    if (rank != 1 && rank != 2)
      return call.fail("RuntimeError", {function, "the ", which, " tensor must be 1D or 2D but got ", rank, "D"},
                       Msg::product_rank, {2, rank});
  Dims sizes;
  if (rank_of(0) == 2) sizes.push_back(first.layout.sizes[0]);
  if (rank_of(count - 1) == 2) sizes.push_back(last.layout.sizes[1]);
  std::vector<Tensor> chain;
  for (int64_t k = 0; k < count; ++k) {
    Tensor tensor = *given[static_cast<size_t>(k)]->tensor;
    const int rank = tensor.layout.rank();
    if (k > 0 && k + 1 < count && rank != 2)
      return call.fail("RuntimeError", {function, "tensor ", k, " must be 2D but got ", rank, "D"}, Msg::product_rank,
                       {2, rank});
    if (rank == 1) tensor.layout = unsqueeze(tensor.layout, k == 0 ? 0 : 1);
    chain.push_back(std::move(tensor));
  }
  for (int64_t k = 0; k + 1 < count; ++k) {
    const Dims &left = chain[static_cast<size_t>(k)].layout.sizes,
               &right = chain[static_cast<size_t>(k) + 1].layout.sizes;
    const Dims &own = given[static_cast<size_t>(k)]->tensor->layout.sizes,
               &next = given[static_cast<size_t>(k) + 1]->tensor->layout.sizes;
    const DType other = chain[static_cast<size_t>(k) + 1].dtype;
    if (other != first.dtype)
      return call.fail("RuntimeError",
                       {function, "all tensors must have be the same dtype but tensor 0 is ", cpp_name(first.dtype),
                        " and tensor ", k + 1, " ", cpp_name(other)},
                       Msg::dtypes_differ, {name(first.dtype), name(other)});
    if (left[1] != right[0])
      return mismatch(call,
                      {function, "tensors ", k, " and ", k + 1, " with shapes ", list_text(own), " and ",
                       list_text(next), " cannot be multiplied"},
                      own, next),
             Value{};
  }
  if (!has_kernel(call, first.dtype, "addmm_impl_cpu_")) return {};
  Tensor made = chain.front();
  for (size_t k = 1; k < chain.size(); ++k) {
    const Dims of{made.layout.sizes[0], chain[k].layout.sizes[1]};
    made = step_of(first.dtype, contiguous(of), products(call, elements_of(made), elements_of(chain[k]), first.dtype));
  }
  call.unsay(0);
  call.why(Msg::multi_dot_headline, {count, to_string(sizes)});
  const Value product = call.fresh(first.dtype, made.layout, made.storage->contents);
  if (call.failed()) return {};
  call.why(Msg::hidden_base);
  const Value result = call.view(*tensor_of(product), contiguous(sizes));
  call.relation(Relation::fresh);
  return result;
}

}  // namespace

std::span<const Op> torch_vector_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.cross(input: tensor, other: tensor, dim: int = None)\nx.cross(other: tensor, dim: int = None)\n"
       "torch.linalg.cross(input: tensor, other: tensor, *, dim: int = -1)",
       Msg::op_cross, "y[k] = a[k+1] * b[k+2] - a[k+2] * b[k+1] along dim, sizes broadcast; always packed",
       "x = torch.arange(6.).view(3, 2).t()\ny = torch.linalg.cross(x, torch.ones(2, 3))", cross_row},
      {Library::torch, "torch.vdot(input: tensor, other: tensor)\nx.vdot(other: tensor)", Msg::op_matmul,
       "of two vectors, the first conjugated", "x = torch.arange(3.)\ny = torch.vdot(x, x)", vdot_row},
      {Library::torch, "torch.linalg.vecdot(x: tensor, y: tensor, *, dim: int = -1)", Msg::op_matmul,
       "sum of conj(x) * y along dim; always packed", "x = torch.arange(6.).view(2, 3)\ny = torch.linalg.vecdot(x, x)",
       vecdot_row},
      {Library::torch, "torch.linalg.multi_dot(tensors: tensors)", Msg::op_matmul,
       "the product of a chain of matrices, in the cheapest order; vectors may stand at its ends",
       "x = torch.arange(6.).view(2, 3)\ny = torch.linalg.multi_dot([x, x.t(), x])", multi_dot_row},
  };
  return rows;
}

}  // namespace stridescope
