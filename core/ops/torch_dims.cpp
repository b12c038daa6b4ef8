// The same cells with dimensions in another order, added, dropped or repeated.
#include "ops/rows.h"
#include "ops/torch.h"

namespace stridescope {
namespace {

Value permuted(Call& call, const Dims& dims) {
  call.why(Msg::permute_headline, {to_string(dims)});
  for (int k = 0; k < dims.size(); ++k)
    if (const int d = static_cast<int>(dims[k]); d != k)
      call.why(Msg::permute_moves, {{d, call.axis(d)}, call.self().layout.sizes[d], call.self().layout.strides[d], k});
  return call.view(permute(call.self().layout, dims));
}

}  // namespace

std::span<const Op> torch_dims_rows() {
  static const Op rows[] = {
      {Library::torch, "x.permute(*dims: int)\ntorch.permute(input: tensor, dims: ints)", Msg::op_permute, "sizes'[k] = sizes[dims[k]];  strides'[k] = strides[dims[k]]",
       "x = torch.arange(24).view(2, 3, 4)\ny = x.permute(2, 0, 1)", [](Call& call) -> Value {
         const Dims given = call.ints("dims");
         const int rank = call.self().layout.rank();
         if (call.failed()) return {};
         if (given.size() != rank)
           return call.fail("RuntimeError",
                            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = " +
                                std::to_string(rank) + " is not equal to len(dims) = " + std::to_string(given.size()), Msg::permute_count, {rank, given.size()});
         const Dims dims = call.dims("dims");
         if (call.failed()) return {};
         for (int k = 0; k < rank; ++k)
           for (int j = 0; j < k; ++j)
             if (dims[k] == dims[j]) return call.fail("RuntimeError", "permute(): duplicate dims are not allowed.", Msg::permute_duplicate, {{dims[k], call.axis(static_cast<int>(dims[k]))}, j, k});
         return permuted(call, dims);
       }},
  };
  return rows;
}

}  // namespace stridescope
