// One memory in both libraries: arrays as tensors and tensors as arrays.
#include "layout/extent.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

Value tensor_on(Call& call, const Tensor& source) {
  const Tensor* array = &source;
  Tensor tensor = source;
  tensor.library = Library::torch;
  tensor.is_view = false;
  tensor.base = -1;
  tensor.base_facet = nullptr;
  const int64_t bytes = itemsize(array->dtype);
  for (int64_t& stride : tensor.layout.strides) {
    if (stride < 0) {
      call.fail("ValueError",
                "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
                "currently supported. (You can probably work around this by making a copy "
                "of your array  with array.copy().) ",
                Msg::negative_stride, {stride});
      return {};
    }
    if (stride % bytes != 0)
      return call.fail("ValueError",
                       "given numpy array strides not a multiple of the element byte size. Copy the numpy array to "
                       "reallocate the memory.",
                       Msg::stride_not_whole, {stride, bytes});
    stride /= bytes;
  }
  if (tensor.layout.storage_offset % bytes != 0)
    return call.refuse(Msg::stride_not_whole, {tensor.layout.storage_offset, bytes});
  tensor.layout.storage_offset /= bytes;
  const auto reach = extent(source.layout);
  tensor.window = std::make_shared<const StoragePart>(
      StoragePart{source.layout.storage_offset, reach ? reach->highest + bytes - source.layout.storage_offset : 0});
  call.why(Msg::from_numpy_shares, {to_string(tensor.layout)});
  return call.make(std::move(tensor), Relation::view);
}

std::optional<Tensor> array_on(Call& call, const Tensor& tensor, bool force) {
  if (tensor.requires_grad && !force && call.source().gradients == Gradients::followed)
    call.fail("RuntimeError", "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
              Msg::numpy_needs_detach);
  else if (tensor.dtype == DType::bfloat16)
    call.fail("TypeError", "Got unsupported ScalarType BFloat16", Msg::function_refuses, {"numpy", "bfloat16"});
  else if (tensor.lens != Lens{})
    call.fail(
        "RuntimeError",
        tensor.lens.conjugate
            ? "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead."
            : "Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.",
        Msg::conjugate_unresolved);
  const auto bytes = in_bytes(tensor);
  if (call.failed()) return std::nullopt;
  Tensor array = tensor;
  array.requires_grad = false;
  array.library = Library::numpy;
  array.layout = *bytes;
  array.is_view = true;
  return array;
}

namespace {

Value from_numpy_row(Call& call) {
  const TensorPtr array = tensor_of(call.value("ndarray"));
  if (!array || array->library != Library::numpy) return call.wrong_type("ndarray", "np.ndarray");
  return tensor_on(call, *array);
}

/// The other way round: the tensor's memory under a NumPy recipe.
Value numpy_row(Call& call) {
  auto shared = array_on(call, call.self(), call.boolean("force"));
  if (!shared) return {};
  Tensor array = std::move(*shared);
  // What the array holds on to is an alias of the tensor, not the tensor itself.
  const Value alias = call.make(call.self(), Relation::view);
  array.base = tensor_of(alias)->object;
  call.why(Msg::numpy_shares, {to_string(array.layout)});
  return call.make(std::move(array), Relation::view);
}

}  // namespace

std::span<const Op> torch_exchange_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.numpy(*, force: bool = False)", Msg::op_numpy,
       "the tensor's memory as an array; byte strides = strides * item size", "x = torch.arange(6)\na = x.numpy()",
       numpy_row},
      {Library::torch, "torch.from_numpy(ndarray)", Msg::op_from_numpy,
       "the array's memory; strides' = byte strides / item size", "a = np.arange(6)\nx = torch.from_numpy(a)",
       from_numpy_row},
  };
  return rows;
}

}  // namespace stridescope
