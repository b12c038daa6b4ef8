// Files. Nothing is written here: what matters is how much of the memory would be.
#include <algorithm>

#include "layout/extent.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Beyond so many cells that follow no simple pattern a tensor counts as reading as many as it has elements.
constexpr int64_t max_counted = 1 << 12;

/// Adds the tensors of PyTorch's that a value is made of.
/// @return whether nothing is in it that a file would hold by its name alone, or not at all
bool add_tensors(const Value& value, std::vector<TensorPtr>& tensors) {
  if (const TensorPtr tensor = tensor_of(value)) {
    if (tensor->library == Library::torch) tensors.push_back(tensor);
    return true;
  }
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const auto* dictionary = std::get_if<Dictionary>(&value.held);
  const bool plain = std::holds_alternative<None>(value.held) || std::holds_alternative<bool>(value.held) ||
                     std::holds_alternative<int64_t>(value.held) || std::holds_alternative<Float>(value.held) ||
                     std::holds_alternative<std::string>(value.held);
  const bool held = plain || (sequence && sequence->kind <= Sequence::Kind::size) ||
                    (dictionary && dictionary->view == Dictionary::View::whole) ||
                    (std::holds_alternative<Symbol>(value.held) && as_dtype(value));
  const auto parts = parts_of(value);
  return held && std::all_of(parts.begin(), parts.end(), [&](const Value& part) { return add_tensors(part, tensors); });
}

Value save_row(Call& call) {
  const Value& file = call.value("f");
  const auto* path = std::get_if<std::string>(&file.held);
  if (std::holds_alternative<Object>(file.held) || call.given("pickle_module"))
    return call.about("f").refuse(Msg::not_modelled, {"PyTorch", "torch.save(.., " + type_name(file) + ")"});
  if (!path)
    return call.about("f").fail("AttributeError",
                                "expected 'f' to be string, path, or a file-like object with a 'write' attribute",
                                Msg::argument_has_type, {"f", "str", type_name(file)});
  std::vector<TensorPtr> tensors;
  const bool held = add_tensors(call.value("obj"), tensors);
  // Which folders there are nobody knows here.
  if (!held || path->empty() || path->find('/') != std::string::npos)
    return call.about(held ? "f" : "obj").refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
  std::vector<TensorPtr> storages;
  for (const TensorPtr& tensor : tensors)
    if (std::none_of(storages.begin(), storages.end(),
                     [&](const TensorPtr& other) { return other->shares_storage(*tensor); }))
      storages.push_back(tensor);
  int64_t bytes = 0;
  for (const TensorPtr& one : storages) {
    const auto sum = checked_add(bytes, one->storage_nbytes());
    if (!sum) return call.refuse(Msg::beyond_int64);
    bytes = *sum;
  }
  call.relation(Relation::none);
  if (tensors.size() != 1) {
    if (!tensors.empty()) call.why(Msg::save_storages, {storages.size(), bytes, tensors.size()});
    return {};
  }
  const Tensor& tensor = *tensors.front();
  const int64_t item = itemsize(tensor.dtype), count = *numel(tensor.layout.sizes);
  const int64_t read = distinct_cells(tensor.layout, max_counted).value_or(count) * item;
  call.why(read < bytes ? Msg::save_whole : Msg::save_all, {bytes, read});
  const auto packed = checked_mul(count, item);
  if (packed && *packed < bytes) call.why(Msg::save_clone, {*packed});
  return {};
}

}  // namespace

std::span<const Op> torch_save_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.save(obj, f, pickle_module=None, pickle_protocol: int = 2, _use_new_zipfile_serialization=True)",
       Msg::op_save, "every storage whole, each once; of a tensor sizes, strides and offset",
       "x = torch.arange(1000)\ntorch.save(x[:10], 'x.pt')", save_row},
  };
  return rows;
}

}  // namespace stridescope
