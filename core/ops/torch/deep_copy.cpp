// copy.copy and copy.deepcopy of a tensor: the storage that it is, and all of it anew.
#include <memory>

#include "layout/checked.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// A tensor of its own, a view of nothing, that reads a storage as `tensor` does.
Tensor alike(const Tensor& tensor, std::shared_ptr<Storage> storage) {
  Tensor made;
  made.dtype = tensor.dtype;
  made.layout = tensor.layout;
  made.storage = std::move(storage);
  made.window = tensor.window;
  made.lens = tensor.lens;
  return made;
}

/// As a file holds a tensor: its storage and how that is read, no more.
Value shallow_row(Call& call) {
  if (call.self().inference) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  call.why(Msg::shallow_copy_headline, {to_string(call.self().layout)});
  return call.make(alike(call.self(), call.self().storage), Relation::view);
}

/// `memo` is a tensor on the copy of this one's storage, where there is one already.
Value deep_row(Call& call) {
  const Tensor& old = call.self();
  if (!old.is_leaf) {
    call.about_receiver().fail(
        "RuntimeError",
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If "
        "you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
        "https://github.com/pytorch/pytorch/pull/103001",
        Msg::deep_copy_history);
    call.hint(Msg::hint_detach_copy);
    return {};
  }
  if (old.inference || old.lens != Lens{} || old.window)
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (const TensorPtr earlier = tensor_of(call.value("memo"))) {
    call.why(Msg::deep_copy_shared, {to_string(old.layout)});
    return call.make(alike(old, earlier->storage), Relation::copy);
  }
  const int64_t bytes = old.storage_nbytes();
  call.why(Msg::deep_copy_headline, {bytes, to_string(old.layout)});
  const auto packed = checked_mul(*numel(old.layout.sizes), itemsize(old.dtype));
  if (packed && *packed < bytes) call.why(Msg::deep_copy_clone, {*packed});
  return call.fresh(old.dtype, old.layout, old.storage->contents, Relation::copy);
}

}  // namespace

std::span<const Op> torch_deep_copy_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "copy.copy(x: tensor)", Msg::op_shallow_copy, "the same storage, sizes, strides and offset",
       "import copy\nx = torch.arange(6).view(2, 3)\ny = copy.copy(x)", shallow_row},
      {Library::torch, "copy.deepcopy(x: tensor, memo: any = None)", Msg::op_deep_copy,
       "a copy of the whole storage; sizes, strides and offset stay",
       "import copy\nx = torch.arange(12)[2:5]\ny = copy.deepcopy(x)", deep_row},
  };
  return rows;
}

}  // namespace stridescope
