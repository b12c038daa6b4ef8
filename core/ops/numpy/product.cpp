// Sums of products: matmul, dot and their kin. Operands are read where they lie, whatever their strides.
#include <algorithm>

#include "ops/fold.h"
#include "ops/numpy/product.h"
#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/numpy/ufunc.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

Dims leading(const Dims& sizes) {
  Dims result;
  for (int d = 0; d + 2 < sizes.size(); ++d) result.push_back(sizes[d]);
  return result;
}

/// "(2,3,4)->(2,newaxis,newaxis) ": what a product calls an operand whose leading axes do not fit, of results with so
/// many `core` axes behind `batch` leading ones.
std::string remapped(const Dims& sizes, const Dims& own, int batch, int core) {
  std::string text = shape_text(sizes);
  text += "->(";
  for (int d = 0; d < own.size(); ++d) text += (d > 0 ? "," : "") + std::to_string(own[d]);
  for (int d = 0; d < core; ++d) text += (d > 0 || !own.empty() ? "," : "") + std::string("newaxis");
  return text + (batch + core == 1 ? ",) " : ") ");
}

/// Whether the array given as out= has the axes of the product behind its leading ones. Where it lacks one, the first
/// is taken for one that the product lacks, too. Source: _get_coredim_sizes in numpy/_core/src/umath/ufunc_object.c
bool has_core_sizes(Call& call, const CoreProduct& what, const Tensor& out, const Dims& core, const Dims& whole) {
  const Dims& sizes = out.layout.sizes;
  const int missing = std::max(0, core.size() - sizes.size());
  if (sizes.size() == 0 && missing > 0) return call.about("out").refuse(Msg::np_out_unknown), false;
  for (int d = missing; d < core.size(); ++d)
    if (const int64_t size = sizes[sizes.size() - core.size() + d]; size != core[d]) {
      call.about("out").fail(
          "ValueError",
          {what.name, ": Output operand 0 has a mismatch in its core dimension ", d - missing,
           ", with gufunc signature ", what.signature, " (size ", size, " is different from ", core[d], ")"},
          Msg::np_out_sizes, {to_string(sizes), to_string(whole)});
      return false;
    }
  return true;
}

/// Whether its leading axes are what those of the operands broadcast to, or such that they broadcast to.
bool has_leading_sizes(Call& call, const Tensor& out, const Dims& batch, const Dims& whole) {
  const Dims& sizes = out.layout.sizes;
  const int core = whole.size() - batch.size();
  if (sizes.size() < whole.size()) {
    call.about("out").fail("ValueError",
                           "output operand requires a reduction along dimension -1, but the reduction is not enabled. "
                           "The dimension size of 1 does not match the expected output shape.",
                           Msg::np_out_sizes, {to_string(sizes), to_string(whole)});
    return false;
  }
  for (int d = 1; d <= batch.size(); ++d)
    if (batch[batch.size() - d] != 1 && sizes[sizes.size() - core - d] != batch[batch.size() - d])
      return call.about("out").refuse(Msg::np_out_unknown), false;
  return true;
}

}  // namespace

void explain_product(Call& call, int64_t rows, int64_t inner, int64_t columns, const Dims& sizes, const Tensor& a,
                     const Tensor& b) {
  if (call.given("out"))
    call.why(Msg::np_product_sums, {rows, inner, columns});
  else
    call.why(Msg::np_product_headline, {rows, inner, columns, to_string(sizes)});
  if (!is_contiguous(a.layout, unit_of(a)) || !is_contiguous(b.layout, unit_of(b)))
    call.why(Msg::np_product_reads, {to_string(a.layout.strides), to_string(b.layout.strides)});
}

bool has_core(Call& call, const CoreProduct& what, const Tensor& a, const Tensor& b) {
  const bool any = what.name == "matmul";
  const int needed[] = {any || what.left_vector ? 1 : 2, any || what.right_vector ? 1 : 2};
  const Tensor* operands[] = {&a, &b};
  for (int k = 0; k < 2; ++k)
    if (const int rank = operands[k]->layout.rank(); rank < needed[k]) {
      call.fail("ValueError",
                {what.name, ": Input operand ", k, " does not have enough dimensions (has ", rank,
                 ", gufunc core with signature ", what.signature, " requires ", needed[k], ")"},
                rank == 0 ? Msg::np_product_scalar : Msg::np_product_vector, {k});
      return false;
    }
  return true;
}

std::optional<std::pair<TensorRef, TensorRef>> core_operands(Call& call, const CoreProduct& what) {
  const Value number{int64_t{0}};  // None is an object without axes, too
  const Value &one = is_none(call.value("x1")) ? number : call.value("x1"),
              &other = is_none(call.value("x2")) ? number : call.value("x2");
  const bool objects = is_none(call.value("x1")) || is_none(call.value("x2"));
  if (objects && (is_no_number(one) || is_no_number(other))) {  // of what stands beside an object the axes alone count
    const auto axes_of = [&](const Value& value) {
      const TensorRef array = array_or_strings(call, value);
      if (!array) return array;
      Tensor plain = *array->tensor;
      plain.structure = nullptr;
      plain.dtype = DType::int64;
      return nameless(plain);
    };
    std::pair alike{axes_of(one), axes_of(other)};
    return call.failed() ? std::nullopt : std::optional(std::move(alike));
  }
  if (refuse_no_numbers(call, {"", what.name, Arithmetic::add, true}, {&one, &other})) return std::nullopt;
  const Operand first = operand(call, one), second = operand(call, other);
  if (call.failed()) return std::nullopt;
  // Python's integers must fit the dtype that they give way to.
  const DType common = common_dtype(first, second);
  for (const Operand* side : {&first, &second})
    if (side->weak && is_integer(common) && std::holds_alternative<int64_t>(side->number.held))
      stored_scalar(call, side->number, common);
  return call.failed() ? std::nullopt : std::optional(std::pair(first.array, second.array));
}

Value refuse_stacks(Call& call, const Dims& a, const Dims& of_a, const Dims& b, const Dims& of_b, const Dims& core) {
  const int rank = std::max(of_a.size(), of_b.size());
  std::string asked;
  for (const int64_t size : core) asked += (asked.empty() ? "" : ",") + std::to_string(size);
  return call.fail("ValueError",
                   {"operands could not be broadcast together with remapped shapes [original->remapped]: ",
                    remapped(a, of_a, rank, core.size()), remapped(b, of_b, rank, core.size()),
                    " and requested shape (", asked, ")"},
                   Msg::np_cannot_broadcast, {to_string(a), to_string(b)});
}

bool takes_products(Call& call, const CoreProduct& what, const Tensor& a, const Tensor& b, const TensorRef& out) {
  return !out || check_ufunc_cast(call, {"", what.name, Arithmetic::add, true}, "output",
                                  numpy_promoted(a.dtype, b.dtype), out->tensor->dtype, Casting::same_kind);
}

Value core_product(Call& call, const CoreProduct& what, const Tensor& a, const Tensor& b, const std::vector<Dims>& own,
                   const TensorRef& out) {
  if ((what.left_vector && a.layout.sizes.full()) || (what.right_vector && b.layout.sizes.full()))
    return call.refuse(Msg::np_too_many_axes, {max_rank});
  // A vector is a matrix of one row, or of one column.
  const Layout left = what.left_vector ? insert_dim(a.layout, a.layout.rank() - 1, 0) : a.layout;
  const Layout right = what.right_vector ? insert_dim(b.layout, b.layout.rank(), 0) : b.layout;
  const int64_t rows = left.sizes[left.rank() - 2], inner = left.sizes.back(), columns = right.sizes.back();
  if (right.sizes[right.rank() - 2] != inner)
    return call.fail("ValueError",
                     {what.name, ": Input operand 1 has a mismatch in its core dimension 0, with gufunc signature ",
                      what.signature, " (size ", right.sizes[right.rank() - 2], " is different from ", inner, ")"},
                     Msg::last_sizes_differ, {to_string(a.layout.sizes), to_string(b.layout.sizes)});
  Dims core;
  if (!what.left_vector) core.push_back(rows);
  if (!what.right_vector) core.push_back(columns);
  const DType dtype = numpy_promoted(a.dtype, b.dtype);
  const Dims of_left = leading(left.sizes), of_right = leading(right.sizes);
  const auto batch = broadcast_sizes({of_left, of_right});
  Dims sizes = batch.value_or(Dims{});
  for (const int64_t size : core) sizes.push_back(size);
  if (out && !has_core_sizes(call, what, *out->tensor, core, sizes)) return {};
  if (!batch && out) return call.about("out").refuse(Msg::np_out_unknown);
  if (!batch)
    return refuse_stacks(call, own.empty() ? a.layout.sizes : own[0], of_left, own.empty() ? b.layout.sizes : own[1],
                         of_right, core);
  if (out && !has_leading_sizes(call, *out->tensor, *batch, sizes)) return {};
  // The leading axes of the result keep the order of |strides|, a matrix is in C order.
  std::vector<Layout> batches;
  const auto spread = [&](const Layout& layout, const Tensor& tensor, bool conjugate) {
    Dims seen = *batch;
    seen.push_back(layout.sizes[layout.rank() - 2]);
    seen.push_back(layout.sizes.back());
    Elements elements = elements_of(tensor);
    elements.layout = broadcast_to(layout, seen);
    elements.lens.conjugate = conjugate && is_complex(tensor.dtype);
    Layout outer = elements.layout;
    for (Dims* dims : {&outer.sizes, &outer.strides}) dims->pop_back(), dims->pop_back();
    batches.push_back(outer);
    return elements;
  };
  const Elements one = spread(left, a, what.left_vector && what.name != "matmul"), other = spread(right, b, false);
  const ContentsPtr sums = products(call, one, other, dtype);
  if (!sums) return {};
  explain_product(call, rows, inner, columns, sizes, a, b);
  if (out) return written_out(call, out, {sums, contiguous(sizes, itemsize(dtype)), dtype});
  Dims order = iteration_order(batches);
  for (int d = batch->size(); d < sizes.size(); ++d) order.push_back(d);
  auto [layout, contents] = laid_out(sums, sizes, order, dtype);
  return scalar_if_0d(call, call.fresh(dtype, layout, std::move(contents)));
}

namespace {

Value matmul_row(Call& call) {
  CoreProduct what{"matmul", "(n?,k),(k,m?)->(n?,m?)"};
  const TensorRef out = call.given("out") ? ufunc_out(call) : nullptr;
  const auto operands = call.failed() ? std::nullopt : core_operands(call, what);
  if (!operands) return {};
  const Tensor &a = *operands->first->tensor, &b = *operands->second->tensor;
  what.left_vector = a.layout.rank() == 1;
  what.right_vector = b.layout.rank() == 1;
  if (!has_core(call, what, a, b) || !takes_products(call, what, a, b, out)) return {};
  return core_product(call, what, a, b, {}, out);
}

}  // namespace

std::span<const Op> numpy_product_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.matmul(x1, x2, /, out=None)\nnp.linalg.matmul(x1, x2, /)\na @ b", Msg::op_np_product,
       "y[.., i, j] = sum of a[.., i, k] * b[.., k, j]; leading axes broadcast",
       "x = np.arange(6).reshape(2, 3)\ny = x @ x.T", matmul_row, Op::Structured::reckoned},
  };
  return rows;
}

}  // namespace stridescope
