// One memory in both libraries: arrays as tensors and tensors as arrays.
#include "layout/contiguity.h"
#include "layout/extent.h"
#include "ops/lent_memory.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

bool count_in_elements(Call& call, Dims& strides, int64_t bytes) {
  for (int64_t& stride : strides) {
    if (stride < 0) {
      call.fail("ValueError",
                "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
                "currently supported. (You can probably work around this by making a copy "
                "of your array  with array.copy().) ",
                Msg::negative_stride, {stride});
      return false;
    }
    if (stride % bytes != 0) {
      call.fail("ValueError",
                "given numpy array strides not a multiple of the element byte size. Copy the numpy array to "
                "reallocate the memory.",
                Msg::stride_not_whole, {stride, bytes});
      return false;
    }
    stride /= bytes;
  }
  return true;
}

Value tensor_on(Call& call, const Tensor& source) {
  Tensor tensor = source;
  tensor.library = Library::torch;
  tensor.is_view = false;
  tensor.base = -1;
  tensor.base_facet = nullptr;
  tensor.version.reset();
  const int64_t bytes = itemsize(source.dtype);
  if (!count_in_elements(call, tensor.layout.strides, bytes)) return {};
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
  if (tensor.requires_grad && !force && call.settings().gradients == Gradients::followed)
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
  tensor.storage->lent = true;
  Tensor array = tensor;
  array.requires_grad = false;
  array.library = Library::numpy;
  array.layout = *bytes;
  if (numel(array.layout.sizes) == 0) array.layout.strides = Dims::filled(array.layout.rank(), 0);
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
  Tensor own = call.self();
  own.is_view = false;
  own.base = -1;
  const Value alias = call.make(std::move(own), Relation::view);
  array.base = tensor_of(alias)->object;
  array.base_tensor = std::make_shared<const Tensor>(*tensor_of(alias));
  call.why(Msg::numpy_shares, {to_string(array.layout)});
  return call.make(std::move(array), Relation::view);
}

/// Another storage on the same memory, which begins where the elements do; what they count is counted apart.
Value from_dlpack_row(Call& call) {
  const TensorPtr source = tensor_of(call.value("ext_tensor"));
  if (!source)
    return call.about("ext_tensor")
        .fail("RuntimeError",
              "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you "
              "might have already constructed a tensor from it once.",
              Msg::argument_has_type, {"ext_tensor", "tensor | ndarray", type_name(call.value("ext_tensor"))});
  if (source->library == Library::numpy) {
    if (!source->writeable)
      return call.fail("BufferError",
                       "Cannot export readonly array since signalling readonly is unsupported by DLPack (supported by "
                       "newer DLPack version).",
                       Msg::np_read_only_memory);
    const Layout& own = source->layout;
    const int64_t unit = itemsize(source->dtype);
    for (int d = 0; d < own.rank(); ++d) {
      const int64_t stride = own.strides[d];
      if (stride % unit != 0 && own.sizes[d] != 1 && !is_contiguous(own, unit))
        return call.fail("BufferError", "DLPack only supports strides which are a multiple of itemsize.",
                         Msg::stride_not_whole, {stride, unit});
      if (stride % unit != 0) return call.refuse(Msg::stride_not_whole, {stride, unit});
      if (stride < 0) return call.refuse(Msg::negative_stride, {stride});  // ends real PyTorch
    }
    return tensor_on(call, *source);
  }
  if (source->requires_grad)
    return call.fail("RuntimeError", "Can't export tensors that require gradient, use tensor.detach()",
                     Msg::numpy_needs_detach);
  if (source->lens.conjugate)
    return call.fail("RuntimeError", "Can't export tensors with the conjugate bit set", Msg::conjugate_unresolved);
  const auto bytes = in_bytes(*source);
  if (!bytes || source->lens.negative) return call.refuse(Msg::conjugate_unresolved);
  Tensor memory = *source;
  memory.layout = *bytes;
  // Strides that never count are told as 1.
  for (int d = 0; d < memory.layout.rank(); ++d)
    if (memory.layout.sizes[d] < 2) memory.layout.strides[d] = itemsize(memory.dtype);
  return tensor_on(call, memory);
}

/// One line of elements on an array's memory.
Value torch_frombuffer_row(Call& call) {
  const Value& buffer = call.value("buffer");
  const TensorPtr array = lent_memory(call, buffer);
  if (is_bytes(buffer) || (std::holds_alternative<Facet>(buffer.held) && !array) ||
      std::holds_alternative<NumpyScalar>(buffer.held))
    return call.about("buffer").refuse(Msg::not_modelled, {"PyTorch", "torch.frombuffer(" + type_name(buffer) + ")"});
  if (!array)
    return call.about("buffer").fail("ValueError", "object does not implement Python buffer protocol.",
                                     Msg::argument_has_type, {"buffer", "ndarray", type_name(buffer)});
  if (!is_contiguous(array->layout, array->unit()))
    return call.about("buffer").fail("RuntimeError", "could not retrieve buffer from object", Msg::np_buffer_in_pieces,
                                     {to_string(array->layout)});
  const DType dtype = *call.dtype("dtype");
  const int64_t unit = itemsize(dtype), length = *numel(array->layout.sizes) * array->unit(),
                start = call.integer("offset"), count = call.integer("count");
  if (call.failed()) return {};
  if (length == 0 || count == 0)
    return call.fail(
        "ValueError", {"both buffer length (", length, ") and count (", count, ") must not be 0"},
        count == 0 ? Message(Msg::at_least, {"count", 1}) : Message(Msg::np_buffer_offset, {start, length}));
  if (start < 0 || start >= length)
    return call.about("offset").fail(
        "ValueError",
        {"offset (", start, " bytes) must be non-negative and no greater than buffer length (", length,
         " bytes) minus 1"},
        Msg::np_buffer_offset, {start, length});
  const int64_t rest = length - start;
  if (count < 0 && rest % unit != 0)
    return call.fail("ValueError",
                     {"buffer length (", rest, " bytes) after offset (", start,
                      " bytes) must be a multiple of element size (", unit, ")"},
                     Msg::np_buffer_multiple, {rest, unit});
  if (count > rest / unit)
    return call.about("count").fail("ValueError",
                                    {"requested buffer length (", count, " * ", unit, " bytes) after offset (", start,
                                     " bytes) must not be greater than actual buffer length (", length, " bytes)"},
                                    Msg::np_buffer_too_small, {length, start, to_string(Dims{count}), unit});
  Tensor line = *array;
  line.dtype = dtype;
  line.layout = {{count < 0 ? rest / unit : count}, {unit}, array->layout.storage_offset + start};
  return tensor_on(call, line);
}

}  // namespace

std::span<const Op> torch_exchange_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.numpy(*, force: bool = False)", Msg::op_numpy,
       "the tensor's memory as an array; byte strides = strides * item size", "x = torch.arange(6)\na = x.numpy()",
       numpy_row},
      {Library::torch, "torch.from_numpy(ndarray, /)", Msg::op_from_numpy,
       "the array's memory; strides' = byte strides / item size", "a = np.arange(6)\nx = torch.from_numpy(a)",
       from_numpy_row},
      {Library::torch, "torch.from_dlpack(ext_tensor)\ntorch.utils.dlpack.from_dlpack(ext_tensor)", Msg::op_from_dlpack,
       "the memory of an array or tensor, as a storage of its own", "a = np.arange(6)\nx = torch.from_dlpack(a)",
       from_dlpack_row},
      {Library::torch,
       "torch.frombuffer(buffer, *, dtype: dtype, count: int = -1, offset: int = 0, requires_grad: bool = False)",
       Msg::op_frombuffer, "count elements of an array's memory from byte offset on, as one line",
       "a = np.arange(6)\nx = torch.frombuffer(a, dtype=torch.int64, offset=16)", torch_frombuffer_row},
  };
  return rows;
}

}  // namespace stridescope
