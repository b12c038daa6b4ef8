// Elements or whole tensors several times over, always copied.
#include <algorithm>

#include "layout/checked.h"
#include "ops/layout_words.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Most places that are repeated one by one.
constexpr int64_t most_repeated = 1 << 16;

/// How many elements so many counts ask for, or `size` times the first where it is the only one. Nothing where that
/// leaves int64_t, and the call failed.
std::optional<int64_t> total(Call& call, const Elements& counts, int64_t size, bool one) {
  std::optional<int64_t> sum = 0;
  for (int64_t i = 0; sum && i < size; ++i) sum = checked_add(*sum, element(counts, one ? 0 : i).integer);
  if (!sum) call.about("repeats").refuse(Msg::beyond_int64);
  return sum;
}

/// Size r * n read as (r, n) with stride 0 over r: repeated dimension by dimension, then copied.
Value repeat_row(Call& call) {
  const Tensor tensor = call.self();
  Dims repeats = call.ints("repeats");
  const int rank = tensor.layout.rank();
  const bool tile = call.name().ends_with("tile");
  while (tile && repeats.size() < rank) repeats.insert(0, 1);
  if (repeats.size() < rank)
    return call.fail("RuntimeError",
                     "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
                     Msg::repeat_too_few, {repeats.size(), rank});
  Layout source = *in_bytes(tensor);
  while (source.rank() < repeats.size()) source = insert_dim(source, 0, 0);
  Dims sizes;
  for (int d = 0; d < repeats.size(); ++d) {
    const auto size = checked_mul(source.sizes[d], repeats[d]);
    if (!size) return call.refuse(Msg::beyond_int64);
    sizes.push_back(*size);
  }
  const Layout layout = fresh_layout(call, sizes, tensor.dtype);
  if (call.failed()) return {};
  if (2 * repeats.size() > max_rank) return call.refuse(Msg::too_many_dims, {max_rank / 2});
  Layout twice{{}, {}, source.storage_offset};
  for (int d = 0; d < repeats.size(); ++d) {
    twice.sizes.push_back(repeats[d]);
    twice.strides.push_back(0);
    twice.sizes.push_back(source.sizes[d]);
    twice.strides.push_back(source.strides[d]);
  }
  call.why(Msg::repeat_copies, {list_text(repeats), to_string(tensor.layout.sizes), to_string(sizes)});
  for (int d = 0; d < sizes.size(); ++d) {
    const int own = d - sizes.size() + rank;
    if (own < 0)
      call.why(Msg::repeat_new, {d, sizes[d]});
    else if (repeats[d] != 1)
      call.why(Msg::repeat_dim, {Slot{d, call.axis(own)}, tensor.layout.sizes[own], repeats[d], sizes[d]});
  }
  return call.fresh(tensor.dtype, layout,
                    gather({tensor.storage->contents, twice, tensor.dtype, tensor.lens}, tensor.dtype), Relation::copy);
}

/// A copy in which each element is repeated in place, seen through a hidden tensor: autograd calls it a view.
Value repeat_interleave_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t repeats = call.integer("repeats");
  const int rank = tensor.layout.rank();
  const int d = call.given("dim") ? call.dim("dim") : 0;
  if (call.failed()) return {};
  if (repeats < 0)
    return call.about("repeats").fail("RuntimeError", "Repeats must be non-negative", Msg::repeat_negative, {repeats});
  // The repetition is a dimension put in after the named one, which a scalar does not have.
  if (call.given("dim") && rank == 0) return call.wrap(1, 0), Value{};
  const int64_t along = !call.given("dim") ? *numel(tensor.layout.sizes) : tensor.layout.sizes[d];
  if (const auto made = checked_mul(along, repeats);
      made && call.given("output_size") && call.integer("output_size") != *made)
    return call.about("output_size")
        .fail("RuntimeError",
              {"repeat_interleave: Invalid output_size, expected ", *made, " but got ", call.integer("output_size")},
              Msg::repeat_counts, {call.integer("output_size"), *made});
  const bool flat = !call.given("dim");
  const int64_t count = *numel(tensor.layout.sizes);
  Dims sizes = flat ? Dims{count} : tensor.layout.sizes;
  const auto size = checked_mul(sizes[flat ? 0 : d], repeats);
  if (!size) return call.refuse(Msg::beyond_int64);
  Elements from = elements_of(tensor);
  if (flat) {
    from = {gather(from, tensor.dtype), contiguous({count}, itemsize(tensor.dtype)), tensor.dtype};
  }
  const int at = flat ? 0 : d;
  sizes[at] = *size;
  const Layout layout = fresh_layout(call, sizes, tensor.dtype);
  if (call.failed()) return {};
  if (from.layout.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
  Layout spread = from.layout;
  spread.sizes.insert(at + 1, repeats);
  spread.strides.insert(at + 1, 0);
  call.why(Msg::repeat_interleave_copies, {repeats});
  call.why(Msg::hidden_base);
  const Value hidden = call.fresh(tensor.dtype, layout,
                                  gather({from.contents, spread, from.dtype, from.lens}, tensor.dtype), Relation::copy);
  if (call.failed()) return {};
  const Value result = call.view(*tensor_of(hidden), layout);
  call.relation(Relation::copy);
  return result;
}

/// Each place of a dimension repeated as often as its own number says.
Value repeat_each_row(Call& call) {
  const Tensor tensor = call.self();
  const TensorRef repeats = call.tensor("repeats");
  const int rank = tensor.layout.rank();
  const bool flat = !call.given("dim");
  if (repeats->tensor->layout.rank() > 1)
    return call.fail("RuntimeError", "repeats must be 0-dim or 1-dim tensor", Msg::index_vector,
                     {repeats->tensor->layout.rank()});
  const int d = flat ? 0 : call.dim("dim", true);
  if (call.failed()) return {};
  // What is read through a conjugate or a negative is again at the end.
  Elements from = elements_of(tensor);
  from.lens = {};
  if (flat)
    from = {gather(from, tensor.dtype), contiguous({*numel(tensor.layout.sizes)}, itemsize(tensor.dtype)),
            tensor.dtype};
  const int64_t size = from.layout.sizes[d], given = *numel(repeats->tensor->layout.sizes);
  const bool one = given == 1;
  if (!one && given != size)
    return call.fail("RuntimeError",
                     {"repeats must have the same size as input along dim, but got repeats.size(0) = ", given,
                      " and input.size(", (flat ? 0 : call.integer("dim")), ") = ", size},
                     Msg::repeat_counts, {given, size});
  const DType dtype = repeats->tensor->dtype;
  if (dtype != DType::int64 && dtype != DType::int32)
    return call.fail("RuntimeError", {"\"repeat_interleave_cpu\" not implemented for '", scalar_type_name(dtype), "'"},
                     Msg::kernel_missing, {"repeat_interleave_cpu", name(dtype)});
  if (size > most_repeated) return call.refuse(Msg::too_many_indices, {size, most_repeated});
  const Elements counts = elements_of(*repeats->tensor);
  if (call.given("output_size") && size > 0) {
    const int64_t wanted = call.integer("output_size");
    const auto sum = total(call, counts, size, one);
    if (!sum) return {};
    const std::string text = std::to_string(wanted);
    if (wanted != *sum)
      return call.about("output_size")
          .fail("RuntimeError",
                wanted < 0 ? "Trying to create tensor with negative dimension " + text + ": [" + text + "]"
                           : "allocated size does not match required size",
                Msg::repeat_counts, {wanted, *sum});
  }
  std::vector<Scalar> places;
  for (int64_t i = 0; i < size; ++i) {
    const int64_t count = element(counts, one ? 0 : i).integer;
    if (count < 0) return call.fail("RuntimeError", "repeats can not be negative", Msg::repeat_negative, {count});
    if (count > most_repeated - static_cast<int64_t>(places.size()))
      return call.refuse(Msg::too_many_indices, {count, most_repeated});
    places.insert(places.end(), static_cast<size_t>(count), integer_scalar(i, DType::int64));
  }
  const auto length = static_cast<int64_t>(places.size()), stride = from.layout.strides[d];
  from.layout.sizes[d] = length;
  from.layout.strides[d] = 0;
  Layout index{from.layout.sizes, Dims::filled(from.layout.rank(), 0), 0};
  index.strides[d] = 8;
  const Layout layout = fresh_layout(call, from.layout.sizes, tensor.dtype);
  if (call.failed()) return {};
  call.why(Msg::repeat_each_copies, {size, length});
  if (flat && rank != 1) call.why(Msg::repeat_flattens, {to_string(tensor.layout.sizes)});
  const Value repeated =
      call.fresh(tensor.dtype, layout,
                 gather_indexed(from, {{{literal_contents(places, DType::int64), index, DType::int64}, size, stride}},
                                tensor.dtype),
                 Relation::copy);
  if (call.failed() || tensor.lens == Lens{}) return repeated;
  Tensor seen = *tensor_of(repeated);
  seen.lens = tensor.lens;
  return call.view(seen, layout);
}

/// The place of every repetition: i as often as repeats[i] says.
Value repeat_places_row(Call& call) {
  const Tensor repeats = call.self();
  if (repeats.dtype != DType::int64 && repeats.dtype != DType::int32)
    return call.fail("RuntimeError",
                     {"\"repeat_interleave_cpu\" not implemented for '", scalar_type_name(repeats.dtype), "'"},
                     Msg::kernel_missing, {"repeat_interleave_cpu", name(repeats.dtype)});
  if (repeats.layout.rank() != 1)
    return call.fail("RuntimeError", "repeat_interleave only accept 1D vector as repeat", Msg::index_vector,
                     {repeats.layout.rank()});
  const int64_t size = repeats.layout.sizes[0];
  if (size > most_repeated) return call.refuse(Msg::too_many_indices, {size, most_repeated});
  const Elements counts = elements_of(repeats);
  const auto sum = total(call, counts, size, false);
  if (!sum) return {};
  if (const int64_t wanted = call.given("output_size") ? call.integer("output_size") : *sum; size > 0 && wanted != *sum)
    return call.about("output_size")
        .fail("RuntimeError",
              wanted < 0 ? "Trying to create tensor with negative dimension " + std::to_string(wanted) + ": [" +
                               std::to_string(wanted) + "]"
                         : "allocated size does not match required size",
              Msg::repeat_counts, {wanted, *sum});
  std::vector<Scalar> places;
  for (int64_t i = 0; i < size; ++i) {
    const int64_t count = element(counts, i).integer;
    if (count < 0) return call.fail("RuntimeError", "repeats can not be negative", Msg::repeat_negative, {count});
    if (count > most_repeated - static_cast<int64_t>(places.size()))
      return call.refuse(Msg::too_many_indices, {count, most_repeated});
    places.insert(places.end(), static_cast<size_t>(count), integer_scalar(i, repeats.dtype));
  }
  const auto length = static_cast<int64_t>(places.size());
  call.why(Msg::repeat_each_copies, {size, length});
  return call.fresh(repeats.dtype, contiguous({length}), literal_contents(places, repeats.dtype));
}

}  // namespace

std::span<const Op> torch_repeat_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.repeat(*repeats: int)\nx.tile(*dims: int)\ntorch.tile(input: tensor, dims: ints)",
       Msg::op_repeat, "sizes'[d] = repeats[d] * sizes[d], always a copy", "x = torch.arange(3)\ny = x.repeat(2, 2)",
       repeat_row},
      {Library::torch,
       "x.repeat_interleave(repeats: tensor, dim: int = None, *, output_size: int = "
       "None)\ntorch.repeat_interleave(input: tensor, repeats: tensor, dim: int = None, *, output_size: int = None)",
       Msg::op_repeat_interleave, "x[i] as often as repeats[i] says, always a copy",
       "x = torch.arange(3)\ny = x.repeat_interleave(torch.tensor([1, 0, 2]))", repeat_each_row},
      {Library::torch, "torch.repeat_interleave(repeats: tensor, *, output_size: int = None)",
       Msg::op_repeat_interleave, "i as often as repeats[i] says",
       "y = torch.repeat_interleave(torch.tensor([1, 0, 2]))", repeat_places_row},
      {Library::torch,
       "x.repeat_interleave(repeats: int, dim: int = None, *, output_size: int = None)\ntorch.repeat_interleave(input: "
       "tensor, repeats: int, dim: int = None, *, output_size: int = None)",
       Msg::op_repeat_interleave, "y[i] = x[i / repeats], always a copy",
       "x = torch.arange(3)\ny = x.repeat_interleave(2)", repeat_interleave_row},
  };
  return rows;
}

}  // namespace stridescope
