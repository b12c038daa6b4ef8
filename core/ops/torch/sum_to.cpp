// Sums back to the sizes from which a tensor was broadcast.
#include "ops/fold.h"
#include "ops/layout_words.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value sum_to_size_row(Call& call) {
  const Tensor tensor = call.self();
  const Dims wanted = call.ints("size"), &sizes = tensor.layout.sizes;
  const int leading = sizes.size() - wanted.size();
  bool fits = leading >= 0;
  for (int d = 0; d < wanted.size() && fits; ++d) fits = wanted[d] == 1 || wanted[d] == sizes[d + leading];
  if (!fits)
    return call.about("size").fail(
        "RuntimeError", {"size {", list_text(wanted), "} is not expandable to size {", list_text(sizes), "}."},
        Msg::sum_to_sizes, {to_string(wanted), to_string(sizes)});
  Dims along;
  for (int d = 0; d < sizes.size(); ++d)
    if (d < leading || (wanted[d - leading] == 1 && sizes[d] != 1)) along.push_back(d);
  if (along.empty() && !wanted.empty()) {
    call.why(Msg::same_nothing_to_do, {to_string(tensor.layout)});
    return call.same();
  }
  const Rows rows = rows_along(tensor, along, !wanted.empty());
  const DType dtype = is_whole(tensor.dtype) ? DType::int64 : tensor.dtype;
  call.why(Msg::reduce_headline, {rows.each, to_string(rows.sizes), listed(along), rows.count, along.size()});
  if (dtype != tensor.dtype) call.why(Msg::reduce_dtype, {name(tensor.dtype), name(dtype)});
  const Value made = call.fresh(dtype, contiguous(rows.sizes), fold_rows(call, rows, dtype, [&](int64_t row) {
                                  return converted(total(rows, row, dtype, false), dtype);
                                }));
  if (call.failed() || leading == 0 || wanted.empty()) return made;
  const Value seen = call.view(*tensor_of(made), *as_layout(view(tensor_of(made)->layout, wanted)));
  call.relation(Relation::fresh);
  return seen;
}

}  // namespace

std::span<const Op> torch_sum_to_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.sum_to_size(*size: int)", Msg::op_sum_to_size,
       "sums along leading dimensions and those whose size becomes 1: what expand() repeated",
       "x = torch.ones(2, 3)\ny = x.sum_to_size(1, 3)", sum_to_size_row},
  };
  return rows;
}

}  // namespace stridescope
