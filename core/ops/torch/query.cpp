// Questions about a tensor: sizes, strides, storage, values.
#include <algorithm>
#include <array>

#include "ops/explanation.h"
#include "ops/members.h"
#include "ops/python/python.h"
#include "ops/python/text.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Storages are numbered; each gets an address of its own, aligned as allocators align.
int64_t address(const Tensor& tensor) {
  if (numel(tensor.layout.sizes) == 0) return 0;
  return (int64_t{tensor.storage->id} + 1) * (int64_t{1} << 45) + tensor.layout.storage_offset * itemsize(tensor.dtype);
}

/// The sizes or the strides, or those of one dimension, with a line a dimension.
Value of_dim(Call& call, const Dims& numbers, Sequence::Kind kind) {
  const Tensor& tensor = call.self();
  const int asked = call.given("dim") ? call.dim("dim", true) : -1;
  if (call.failed()) return {};
  for (int d = 0; d < numbers.size(); ++d) {
    if (asked >= 0 && d != asked) continue;
    if (kind == Sequence::Kind::size)
      call.why(Msg::size_of, {Slot{d, call.axis(d)}, numbers[d]});
    else
      call.why(Msg::stride_of, {Slot{d, call.axis(d)}, numbers[d], numbers[d] * itemsize(tensor.dtype)});
  }
  return asked < 0 ? tuple_of(numbers, kind) : Value{numbers[asked]};
}

Value count_row(Call& call) {
  const Dims& sizes = call.self().layout.sizes;
  const int64_t count = *numel(sizes);
  if (sizes.empty())
    call.why(Msg::numel_scalar);
  else
    call.why(Msg::numel_is, {product_text(sizes, count)});
  return Value{count};
}

Value rank_row(Call& call) {
  const Dims& sizes = call.self().layout.sizes;
  call.why(Msg::rank_is, {sizes.size(), to_string(sizes)});
  return Value{int64_t{sizes.size()}};
}

Value offset_row(Call& call) {
  const Tensor& tensor = call.self();
  const int64_t offset = tensor.known_offset(), item = itemsize(tensor.dtype);
  call.why(Msg::offset_is, {offset, tensor.storage_nbytes() / item, offset * item});
  return Value{offset};
}

Value item_size_row(Call& call) {
  call.why(Msg::item_size_is, {name(call.self().dtype), itemsize(call.self().dtype)});
  return Value{int64_t{itemsize(call.self().dtype)}};
}

Value nbytes_row(Call& call) {
  const Tensor& tensor = call.self();
  if (bytes_of(tensor) == INT64_MAX) return call.refuse(Msg::beyond_int64);
  call.why(Msg::nbytes_is,
           {*numel(tensor.layout.sizes), itemsize(tensor.dtype), bytes_of(tensor), tensor.storage->nbytes});
  return Value{bytes_of(tensor)};
}

Value address_row(Call& call) {
  const Tensor& tensor = call.self();
  const int64_t offset = tensor.layout.storage_offset, item = itemsize(tensor.dtype);
  call.why(Msg::address_is, {offset, item, offset * item});
  return Value{address(tensor)};
}

/// No dimension has a name here.
Value names_row(Call& call) {
  const auto rank = static_cast<size_t>(call.self().layout.rank());
  call.why(Msg::names_none, {static_cast<int64_t>(rank)});
  return call.tuple(std::vector<Value>(rank));
}

Value is_contiguous_row(Call& call) {
  const MemoryFormat format = call.format("memory_format", MemoryFormat::contiguous);
  const Tensor& tensor = call.self();
  const bool last = format == MemoryFormat::channels_last, last_3d = format == MemoryFormat::channels_last_3d;
  const bool answer = last || last_3d ? tensor.layout.rank() == (last ? 4 : 5) && is_channels_last(tensor.layout)
                                      : is_contiguous(tensor.layout);
  call.why(answer ? Msg::is_contiguous_yes : Msg::is_contiguous_no, {to_string(tensor.layout)});
  explain_format(call, tensor, format);
  return Value{answer};
}

Value item_row(Call& call) {
  const Tensor& tensor = call.self();
  const int64_t count = *numel(tensor.layout.sizes);
  if (count != 1)
    return call.fail("RuntimeError", {"a Tensor with ", count, " elements cannot be converted to Scalar"},
                     Msg::item_needs_one, {count});
  return call.number(element(elements_of(tensor), 0));
}

Value tolist_row(Call& call) { return call.numbers(elements_of(call.self())); }

const Facet& storage_of(Call& call) { return std::get<Facet>(call.value("x").held); }

/// The cells as a tensor of one dimension: elements of a storage, bytes of an untyped one.
Tensor cells_of(const Facet& storage) {
  return storage_line(*storage.tensor, storage.name == "untyped_storage" ? DType::uint8 : storage.tensor->dtype);
}

Value storage_size_row(Call& call) {
  const TensorPtr tensor = storage_of(call).tensor;
  const bool bytes = storage_of(call).name == "untyped_storage" || call.name().ends_with("nbytes");
  return Value{bytes ? tensor->storage_nbytes() : tensor->storage_nbytes() / itemsize(tensor->dtype)};
}

/// Python's integers alone are places in a storage.
bool is_place(Call& call) {
  const Value& place = call.value("i");
  if (std::holds_alternative<int64_t>(place.held)) return true;
  const bool typed = call.name() == "storage[]", slice = std::holds_alternative<SliceValue>(place.held),
             truth = std::holds_alternative<bool>(place.held);
  if (!typed && (slice || truth)) return call.refuse(Msg::not_modelled, {"PyTorch", "x.untyped_storage()[..]"}), false;
  const TensorPtr tensor = tensor_of(place);
  const std::string type = tensor && tensor->library == Library::torch ? "torch.Tensor" : attribute_type(place);
  call.about("i").fail(typed && !truth ? "RuntimeError" : "TypeError",
                       typed && slice ? std::string("slices are only supported in UntypedStorage.__getitem__")
                       : typed        ? "can't index a <class 'torch.storage.TypedStorage'> with <class '" + type + "'>"
                                      : "can't index a torch.UntypedStorage with " + type_name(place),
                       Msg::argument_has_type, {"i", "int", type_name(place)});
  return false;
}

Value storage_item_row(Call& call) {
  if (!is_place(call)) return {};
  const Tensor cells = cells_of(storage_of(call));
  const int64_t size = cells.layout.sizes[0], index = call.integer("i");
  if (call.failed()) return {};
  if (index < -size || index >= size)
    return call.fail("IndexError", {"index ", index, " out of range for storage of size ", size},
                     Msg::sequence_index_out_of_range, {index, size});
  return call.number(element(elements_of(cells), index < 0 ? index + size : index));
}

Value facet(Call& call, std::string_view name) {
  const Tensor& tensor = call.self();
  call.why(Msg::storage_headline, {tensor.storage_nbytes(), tensor.storage_nbytes() / itemsize(tensor.dtype)});
  return Value{Facet{std::string(name), std::make_shared<const Tensor>(tensor)}};
}

bool same_format(const Tensor& a, const Tensor& b) { return a.shares_storage(b) && a.layout == b.layout; }

/// What PyTorch looks at before it writes: at the strides alone.
Value internal_overlap_row(Call& call) {
  const Layout layout = call.tensor("input")->tensor->layout;
  if (is_non_overlapping_and_dense(layout)) return Value{int64_t{0}};
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] > 1 && layout.strides[d] == 0) return Value{int64_t{1}};
  return Value{int64_t{2}};
}

/// As an element-by-element operation walks it, the slowest dimension first.
Value dim_order_row(Call& call) {
  const Layout layout = call.self().layout;
  const Value& asked = call.value("ambiguity_check");
  if (!std::holds_alternative<bool>(asked.held))
    return call.about("ambiguity_check").refuse(Msg::not_modelled, {"PyTorch", "dim_order(ambiguity_check=[..])"});
  bool unclear = std::find(layout.sizes.begin(), layout.sizes.end(), 1) != layout.sizes.end();
  for (int d = 1; d < layout.rank(); ++d) unclear |= layout.strides[d] == layout.strides[d - 1];
  if (unclear && std::get<bool>(asked.held))
    return call.fail(
        "RuntimeError",
        "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats.",
        Msg::dim_order_unclear, {to_string(layout)});
  Dims order = iterator_order(layout.sizes, std::array{layout});
  std::reverse(order.begin(), order.end());
  // A format that it is in without doubt is not looked into.
  const bool rows = is_contiguous(layout), last = layout.rank() == 4 && is_channels_last(layout);
  if (rows && !last) std::sort(order.begin(), order.end());
  if (last && !rows) order = {0, 2, 3, 1};
  call.why(Msg::dim_order_is, {to_string(order), to_string(layout.strides)});
  return tuple_of(order);
}

}  // namespace

std::optional<std::string> storage_text(const Facet& storage) {
  const Tensor cells = cells_of(storage);
  const Elements elements = elements_of(cells);
  const int64_t size = cells.layout.sizes[0];
  if (size > max_listed || !is_known(*elements.contents) || !is_quick(elements, size)) return std::nullopt;
  std::string text = size > 0 ? "" : " ";
  for (int64_t i = 0; i < size; ++i) {
    const auto one = python_str(python_value(element(elements, i)));
    if (!one) return std::nullopt;
    text += (i > 0 ? "\n " : " ") + *one;
  }
  const bool untyped = storage.name == "untyped_storage";
  return text + "\n[torch.storage." + (untyped ? "UntypedStorage(" : "TypedStorage(dtype=torch.") +
         (untyped ? "" : std::string(name(cells.dtype)) + ", ") + "device=cpu) of size " + std::to_string(size) + "]";
}

std::span<const Op> torch_query_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.shape", Msg::op_shape, "the sizes", "x = torch.arange(6).view(2, 3)\nx.shape",
       [](Call& call) { return of_dim(call, call.self().layout.sizes, Sequence::Kind::size); }},
      {Library::torch, "x.size(dim: int = None)", Msg::op_shape, "the sizes, or one of them",
       "x = torch.arange(6).view(2, 3)\nx.size(0)",
       [](Call& call) { return of_dim(call, call.self().layout.sizes, Sequence::Kind::size); }},
      {Library::torch, "x.stride(dim: int = None)", Msg::op_stride, "the strides in elements, or one of them",
       "x = torch.arange(6).view(2, 3)\nx.stride()",
       [](Call& call) { return of_dim(call, call.self().layout.strides, Sequence::Kind::tuple); }},
      {Library::torch, "x.dim_order(*, ambiguity_check = False)", Msg::op_dim_order,
       "the dimensions by their strides, the largest first", "x = torch.zeros(2, 3).t()\nx.dim_order()", dim_order_row},
      {Library::torch, "x.storage_offset()", Msg::op_storage_offset, "where element (0, .., 0) lies, in elements",
       "x = torch.arange(6)[2:]\nx.storage_offset()", offset_row},
      {Library::torch, "x.numel()\nx.nelement()\ntorch.numel(input: tensor)", Msg::op_numel, "the product of the sizes",
       "x = torch.arange(6).view(2, 3)\nx.numel()", count_row},
      {Library::torch, "x.dim()\nx.ndimension()\nx.ndim", Msg::op_dim, "the number of dimensions",
       "x = torch.arange(6).view(2, 3)\nx.dim()", rank_row},
      {Library::torch, "x.element_size()\nx.itemsize", Msg::op_element_size, "bytes of an element",
       "x = torch.arange(6)\nx.element_size()", item_size_row},
      {Library::torch, "x.nbytes", Msg::op_element_size, "numel() * element_size()", "x = torch.arange(6)\nx.nbytes",
       nbytes_row},
      {Library::torch, "x.dtype", Msg::op_dtype, "the type of the elements", "x = torch.arange(6)\nx.dtype",
       [](Call& call) {
         return Value{Symbol{"torch." + std::string(name(call.self().dtype)), nullptr}};
       }},
      {Library::torch, "x.requires_grad", Msg::op_requires_grad, "whether gradients are followed through it",
       "x = torch.arange(6)\nx.requires_grad", [](Call& call) { return Value{call.self().requires_grad}; }},
      {Library::torch,
       "x.is_sparse\nx.is_sparse_csr\nx.is_cuda\nx.is_mps\nx.is_meta\nx.is_mkldnn\nx.is_nested\nx.is_quantized\n"
       "x.is_shared()\nx.is_pinned()\nx.is_distributed()\nx.has_names()\nx.volatile",
       Msg::op_requires_grad, "never here: one process, one device, strided storage",
       "x = torch.arange(6)\nx.is_sparse", [](Call&) { return Value{false}; }},
      {Library::torch, "x.is_inference()", Msg::op_grad_mode, "made by torch.inference_mode()",
       "x = torch.arange(6)\nx.is_inference()", [](Call& call) { return Value{call.self().inference}; }},
      {Library::torch, "x.is_leaf", Msg::op_requires_grad,
       "whether it was reckoned from nothing that requires a gradient", "x = torch.arange(6)\nx.is_leaf",
       [](Call& call) { return Value{call.self().is_leaf}; }},
      {Library::torch, "x.storage().dtype\nx.storage().element_size()\nx.untyped_storage().element_size()",
       Msg::op_storage_item, "of the tensor's dtype; a byte of an untyped one",
       "x = torch.arange(6)\nx.storage().element_size()",
       [](Call& call) {
         const DType dtype = storage_of(call).tensor->dtype;
         if (call.name().ends_with("dtype")) return Value{Symbol{"torch." + std::string(name(dtype)), nullptr}};
         return Value{int64_t{storage_of(call).name == "storage" ? itemsize(dtype) : 1}};
       }},
      {Library::torch, "torch._debug_has_internal_overlap(input: tensor)", Msg::op_internal_overlap,
       "0: none, for it is dense; 1: a stride of 0; 2: too hard to say, as of most windows and slices",
       "x = torch.arange(3).expand(2, 3)\ntorch._debug_has_internal_overlap(x)", internal_overlap_row},
      {Library::torch, "x.layout", Msg::op_device, "always strided here", "x = torch.arange(6)\nx.layout",
       [](Call&) {
         return Value{Symbol{"torch.strided", nullptr}};
       }},
      {Library::torch, "x.is_floating_point()\ntorch.is_floating_point(input: tensor)", Msg::op_kind_of_dtype,
       "of the dtype", "x = torch.arange(6)\nx.is_floating_point()",
       [](Call& call) { return Value{is_floating(call.self().dtype)}; }},
      {Library::torch, "x.is_complex()\ntorch.is_complex(input: tensor)", Msg::op_kind_of_dtype, "of the dtype",
       "x = torch.arange(6)\nx.is_complex()", [](Call& call) { return Value{is_complex(call.self().dtype)}; }},
      {Library::torch, "x.is_signed()\ntorch.is_signed(input: tensor)", Msg::op_kind_of_dtype, "of the dtype",
       "x = torch.arange(6)\nx.is_signed()",
       [](Call& call) { return Value{call.self().dtype != DType::boolean && !is_unsigned(call.self().dtype)}; }},
      {Library::torch, "x.is_same_size(other: tensor)\ntorch.is_same_size(input: tensor, other: tensor)", Msg::op_shape,
       "whether the sizes are equal", "x = torch.arange(6)\nx.is_same_size(x)",
       [](Call& call) { return Value{call.self().layout.sizes == call.tensor("other")->tensor->layout.sizes}; }},
      {Library::torch, "x.is_nonzero()\ntorch.is_nonzero(input: tensor)", Msg::op_item,
       "whether the only element is not 0", "x = torch.tensor(7)\nx.is_nonzero()",
       [](Call& call) -> Value {
         const int64_t count = *numel(call.self().layout.sizes);
         if (count == 1) return Value{is_true(element(elements_of(call.self()), 0))};
         return call.fail("RuntimeError",
                          count == 0 ? "Boolean value of Tensor with no values is ambiguous"
                                     : "Boolean value of Tensor with more than one value is ambiguous",
                          Msg::item_needs_one, {count});
       }},
      {Library::torch, "torch.result_type(tensor1: tensor | number, tensor2: tensor | number)", Msg::op_result_type,
       "the dtype that arithmetic of the two would have", "torch.result_type(torch.arange(3), 1.5)",
       [](Call& call) -> Value {
         if (!check_promotion(call, {&call.value("tensor1"), &call.value("tensor2")})) return {};
         TypeVote vote{call};
         vote.add(call.value("tensor1"));
         vote.add(call.value("tensor2"));
         return Value{Symbol{"torch." + std::string(name(vote.result())), nullptr}};
       }},
      {Library::torch, "torch.promote_types(type1: dtype, type2: dtype)", Msg::op_result_type,
       "the smallest dtype that both convert to", "torch.promote_types(torch.int32, torch.float32)",
       [](Call& call) -> Value {
         const DType a = *call.dtype("type1"), b = *call.dtype("type2");
         if (!check_promotion(call, a, b)) return {};
         return {Symbol{"torch." + std::string(name(promoted(a, b))), nullptr}};
       }},
      {Library::torch, "torch.can_cast(from_: dtype, to: dtype)", Msg::op_result_type,
       "whether writing in place may convert so", "torch.can_cast(torch.float32, torch.int32)",
       [](Call& call) { return Value{can_store(*call.dtype("from_"), *call.dtype("to"))}; }},
      {Library::torch, "x.is_contiguous(*, memory_format: format = torch.contiguous_format)", Msg::op_is_contiguous,
       "from the right, each stride is the product of the sizes after it; sizes of 1 do not count",
       "x = torch.arange(6).view(2, 3).t()\nx.is_contiguous()", is_contiguous_row},
      {Library::torch, "x.data_ptr()", Msg::op_data_ptr, "the address of element (0, .., 0)",
       "x = torch.arange(6)\nx.data_ptr() == x[1:].data_ptr()", address_row},
      {Library::torch, "x.names", Msg::op_names, "None for each dimension", "x = torch.arange(6).view(2, 3)\nx.names",
       names_row},
      {Library::torch, "x.item()", Msg::op_item, "the only element as a Python number", "x = torch.tensor(7)\nx.item()",
       item_row},
      {Library::torch, "x.tolist()", Msg::op_tolist, "the elements as nested lists",
       "x = torch.arange(6).view(2, 3)\nx.tolist()", tolist_row},
      {Library::torch, "x.storage()", Msg::op_storage, "the line of memory that the tensor reads",
       "x = torch.arange(6).view(2, 3).t()\nx.storage()", [](Call& call) { return facet(call, "storage"); }},
      {Library::torch, "x.untyped_storage()", Msg::op_storage, "the bytes that the tensor reads",
       "x = torch.arange(6)\nx.untyped_storage().nbytes()", [](Call& call) { return facet(call, "untyped_storage"); }},
      {Library::torch,
       "x.storage().size()\nx.storage().nbytes()\nx.untyped_storage().size()\nx.untyped_storage().nbytes()",
       Msg::op_storage_size, "elements of a storage, bytes of an untyped one",
       "x = torch.arange(6)[2:]\nx.storage().size()", storage_size_row},
      {Library::torch, "x.storage().data_ptr()\nx.untyped_storage().data_ptr()", Msg::op_data_ptr,
       "the address of the first cell", "x = torch.arange(6)\nx.storage().data_ptr() == x.data_ptr()",
       [](Call& call) { return Value{address(cells_of(storage_of(call)))}; }},
      {Library::torch, "x.storage().tolist()\nx.untyped_storage().tolist()", Msg::op_tolist,
       "the cells, the tensor's recipe left aside", "x = torch.arange(6)[::2]\nx.storage().tolist()",
       [](Call& call) { return call.numbers(elements_of(cells_of(storage_of(call)))); }},
      {Library::torch, "x.storage()[i]\nx.untyped_storage()[i]", Msg::op_storage_item,
       "cell i, whatever the tensor's recipe", "x = torch.arange(6).view(2, 3).t()\nx.storage()[1]", storage_item_row},
      {Library::torch, "x._base", Msg::op_base, "the tensor that a view was first taken from",
       "x = torch.arange(6)\ny = x.view(2, 3)\ny._base", [](Call& call) { return call.base_of(call.self()); }},
      {Library::torch, "x._is_view()", Msg::op_base, "whether autograd knows it as a view",
       "x = torch.arange(6).view(2, 3)\nx._is_view()", [](Call& call) { return Value{call.self().is_view}; }},
      {Library::torch, "x.is_set_to(tensor: tensor)", Msg::op_is_set_to, "same storage, offset, sizes and strides",
       "x = torch.arange(6)\nx.is_set_to(x.view(6))",
       [](Call& call) {
         // What is conjugated or negated lazily is made first, so that it is set to nothing, itself included.
         const Tensor &a = call.self(), &b = *call.tensor("tensor")->tensor;
         return Value{same_format(a, b) && a.lens == Lens{} && b.lens == Lens{}};
       }},
      {Library::torch, "x.size.numel()", Msg::op_numel, "the product of the sizes",
       "x = torch.zeros(2, 3)\nx.shape.numel()",
       [](Call& call) {
         const Dims sizes = call.ints("x");
         const auto count = numel(sizes);
         return count ? Value{*count} : call.refuse(Msg::beyond_int64);
       }},
      {Library::torch, "torch.Size(sizes: ints = ())", Msg::op_shape, "sizes as a tuple of their own kind",
       "torch.Size([2, 3])", [](Call& call) { return tuple_of(call.ints("sizes"), Sequence::Kind::size); }},
      {Library::torch, "torch.is_storage(obj)", Msg::op_is_storage, "whether it is a storage",
       "x = torch.arange(3)\ntorch.is_storage(x.storage())",
       [](Call& call) {
         const auto* facet = std::get_if<Facet>(&call.value("obj").held);
         return Value{facet && facet->name.ends_with("storage")};
       }},
      {Library::torch, "torch.is_tensor(obj, /)", Msg::op_is_tensor, "whether it is a tensor",
       "torch.is_tensor(torch.arange(3))",
       [](Call& call) {
         return Value{tensor_of(call.value("obj")) != nullptr &&
                      tensor_of(call.value("obj"))->library == Library::torch};
       }},
  };
  return rows;
}

}  // namespace stridescope
