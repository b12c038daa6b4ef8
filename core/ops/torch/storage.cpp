// The bytes of a storage that elements take, and a tensor whose object stays while what it reads becomes another:
// resize_, set_, x.data.
#include <algorithm>
#include <limits>

#include "layout/checked.h"
#include "layout/transform.h"
#include "ops/contents.h"
#include "ops/members.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

std::optional<int64_t> bytes_taken(const Dims& sizes, const Dims& strides, int item_size) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
  uint64_t cells = 1;
  for (int d = 0; d < sizes.size(); ++d) {
    const auto steps = static_cast<uint64_t>(sizes[d]) - 1, stride = static_cast<uint64_t>(strides[d]);
    if (stride != 0 && steps > (most - cells) / stride) return std::nullopt;
    cells += steps * stride;
  }
  if (cells > INT64_MAX / static_cast<uint64_t>(item_size)) return std::nullopt;
  return static_cast<int64_t>(cells * static_cast<uint64_t>(item_size));
}

namespace {

/// The same where a recipe is changed in place: there nobody looks for an overflow.
int64_t wrapped_bytes(const Dims& sizes, const Dims& strides, int item_size) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  uint64_t cells = 1;
  for (int d = 0; d < sizes.size(); ++d)
    cells += static_cast<uint64_t>(sizes[d] - 1) * static_cast<uint64_t>(strides[d]);
  return static_cast<int64_t>(cells * static_cast<uint64_t>(item_size));
}

}  // namespace

std::optional<int64_t> bytes_inside(Call& call, const Layout& seen, int item_size, int64_t held, bool in_place) {
  const auto& [sizes, strides, offset] = seen;
  const auto taken = in_place ? wrapped_bytes(sizes, strides, item_size) : bytes_taken(sizes, strides, item_size);
  const auto skipped = checked_mul(offset, item_size);
  const auto needed = taken == 0 ? taken : taken && skipped ? checked_add(*taken, *skipped) : std::nullopt;
  if (!needed)
    call.fail(
        "RuntimeError",
        {"Storage size calculation overflowed with sizes=", list_text(sizes), " and strides=", list_text(strides)},
        Msg::storage_overflow, {list_text(sizes)});
  else if (taken != 0 && *needed > held)
    call.fail("RuntimeError",
              {"setStorage: sizes ", list_text(sizes), ", strides ", list_text(strides), ", storage offset ", offset,
               ", and itemsize ", item_size, " requiring a storage size of ", *needed,
               " are out of bounds for storage of size ", held},
              Msg::as_strided_outside, {*needed, held, *needed / item_size - 1});
  return call.failed() ? std::nullopt : needed;
}

namespace {

/// The receiver reads the storage and the offset of another from now on; its own sizes and strides stay.
void read_storage(Call& call, const Tensor& other, int64_t storage_offset) {
  Tensor changed = call.self();
  changed.storage = other.storage;
  changed.window = other.window;
  changed.lens = other.lens;
  changed.layout.storage_offset = storage_offset;
  call.self_ref()->tensor = std::make_shared<const Tensor>(std::move(changed));
}

/// The storage holds so many bytes from its beginning on: it grows where it is too short, for every tensor on it.
bool reach(Call& call, const Layout& layout, int64_t bytes) {
  const Tensor& tensor = call.self();
  if (*numel(layout.sizes) == 0 || bytes - tensor.storage_begin() <= tensor.storage_nbytes())
    return call.why(Msg::resize_keeps, {tensor.storage->nbytes, to_string(layout)}), true;
  if (tensor.window || tensor.storage->lent)
    return call.fail("RuntimeError", "Trying to resize storage that is not resizable", Msg::resize_borrowed), false;
  call.why(Msg::resize_grows, {tensor.storage->nbytes, bytes});
  call.grow_storage(bytes);
  return !call.failed();
}

/// Whether numbers are sizes, or the call failed: they are multiplied from the first on; a 0 behind ends it too late.
bool are_sizes(Call& call, const Dims& sizes) {
  const bool negative = std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; });
  std::optional<int64_t> count = 1;
  for (const int64_t size : sizes) count = checked_mul(count, size);
  if (!negative && count) return true;
  call.about("size").fail(
      "RuntimeError", "numel: integer multiplication overflow",
      negative ? Message(Msg::negative_size, {*std::min_element(sizes.begin(), sizes.end()), list_text(sizes)})
               : Message(Msg::numel_overflow, {list_text(sizes)}));
  return false;
}

/// Packed sizes from the tensor's own offset on.
bool resize(Call& call, const Dims& sizes) {
  if (!are_sizes(call, sizes)) return false;
  Layout layout = fresh_layout(call, sizes, call.self().dtype);
  if (call.failed()) return false;
  layout.storage_offset = call.self().layout.storage_offset;
  const auto bytes = checked_mul(checked_add(*numel(sizes), layout.storage_offset), itemsize(call.self().dtype));
  if (!bytes) return call.refuse(Msg::beyond_int64), false;
  if (!reach(call, layout, *bytes)) return false;
  call.change(layout);
  return true;
}

/// The strides of a format for the sizes that the receiver has.
bool restride(Call& call, MemoryFormat format) {
  Layout layout = fresh_layout(call, call.self().layout.sizes, call.self().dtype, format);
  if (call.failed()) return false;
  layout.storage_offset = call.self().layout.storage_offset;
  call.change(layout);
  return true;
}

Value resize_row(Call& call) {
  const Dims sizes = call.ints("size");
  if (sizes != call.self().layout.sizes && !resize(call, sizes)) return {};
  // Sizes are changed before the format is looked at.
  if (call.given("memory_format")) {
    const MemoryFormat format = call.format("memory_format", MemoryFormat::contiguous);
    if (format == MemoryFormat::preserve)
      return call.fail("RuntimeError", "Unsupported memory formatPreserve", Msg::contiguous_preserve,
                       {to_string(call.self().layout)});
    if (!restride(call, format)) return {};
  }
  return call.same();
}

/// The sizes of another tensor, and its format where that is to be preserved.
Value resize_as_row(Call& call) {
  const Layout like = call.tensor("the_template")->tensor->layout;
  if (like.sizes != call.self().layout.sizes && !resize(call, like.sizes)) return {};
  if (!call.given("memory_format")) return call.same();
  MemoryFormat format = call.format("memory_format", MemoryFormat::contiguous);
  if (format == MemoryFormat::preserve)
    format = !suggests_channels_last(like) ? MemoryFormat::contiguous
             : like.rank() == 4            ? MemoryFormat::channels_last
                                           : MemoryFormat::channels_last_3d;
  return restride(call, format) ? call.same() : Value{};
}

/// set_(): a storage of its own that holds nothing.
Value set_nothing_row(Call& call) {
  const DType dtype = call.self().dtype;
  const Value made = call.fresh(dtype, contiguous({0}), constant_contents(converted({DType::int64}, dtype), 0));
  if (call.failed()) return {};
  read_storage(call, *std::get<TensorRef>(made.held)->tensor, 0);
  call.change(contiguous({0}));
  call.why(Msg::set_data_headline, {to_string(call.self().layout)});
  return call.same();
}

/// What set_ is given: a tensor, or the storage of one as a tensor of one dimension; nothing, and the call failed.
std::optional<Tensor> source_of(Call& call) {
  const Value& given = call.value("source");
  const DType own = call.self().dtype;
  const auto* storage = std::get_if<Facet>(&given.held);
  if (!storage && is_of_torch(given)) return *tensor_of(given);
  if (!storage || !storage->name.ends_with("storage")) return call.wrong_type("source", "Tensor"), std::nullopt;
  if (const DType dtype = storage->tensor->dtype; storage->name == "storage" && dtype != own)
    return call.about("source").fail(
               "RuntimeError",
               {"Expected a Storage of type ", cpp_name(own), " or an UntypedStorage, but got type ",
                scalar_type_name(dtype), " for argument 1 'storage'"},
               Msg::dtypes_differ, {name(own), name(dtype)}),
           std::nullopt;
  return storage_line(*storage->tensor, own);
}

/// The storage of another, and its recipe.
Value set_row(Call& call) {
  const auto source = source_of(call);
  if (!source) return {};
  const DType own = call.self().dtype;
  if (source->dtype != own)
    return call.about("source").fail(
        "RuntimeError",
        {"Could not set tensor of type ", cpp_name(source->dtype), " to a tensor of type ", cpp_name(own)},
        Msg::dtypes_differ, {name(own), name(source->dtype)});
  read_storage(call, *source, source->layout.storage_offset);
  call.change(source->layout);
  call.why(Msg::set_data_headline, {to_string(call.self().layout)});
  return call.same();
}

/// The storage of another under a recipe of its own, whatever the dtype; the offset counts from where a tensor begins.
Value set_strided_row(Call& call) {
  const auto source = source_of(call);
  if (!source) return {};
  const Dims sizes = call.ints("size"), strides = call.ints("stride");
  const int item = itemsize(call.self().dtype);
  if (source->lens != Lens{}) return call.refuse(Msg::not_modelled, {"PyTorch", "x.set_(.., ..)"});
  if (!is_contiguous(source->layout))
    return call.about("source").fail("RuntimeError", "passed in tensor to be used as storage must be contiguous",
                                     Msg::set_needs_contiguous, {to_string(source->layout)});
  const auto offset = checked_add(call.integer("storage_offset"), source->layout.storage_offset);
  if (!offset) return call.refuse(Msg::beyond_int64);
  const bool given = !strides.empty();
  if (given && strides.size() != sizes.size())
    return call.about("stride").fail(
        "RuntimeError", {"unequal size length (", sizes.size(), ") and stride length (", strides.size(), ")"},
        Msg::as_strided_count, {sizes.size(), strides.size()});
  if (*offset < 0)
    return call.about("storage_offset")
        .fail("RuntimeError", {"Tensor: invalid storage offset ", *offset}, Msg::negative_offset, {*offset});
  // Both are there before the sizes are looked at: its own recipe then reads the other storage, or what lies behind it.
  const Layout own = call.self().layout;
  const bool kept = sizes == own.sizes && (!given || strides == own.strides);
  const auto skipped = checked_mul(*offset, item);
  const auto taken = bytes_taken(own.sizes, own.strides, item);
  const auto end = checked_add(taken, skipped);
  const bool fits = skipped && (taken == 0 || (end && *end - source->storage_begin() <= source->storage_nbytes()));
  if (kept && !fits) return call.refuse(Msg::not_modelled, {"PyTorch", "x.set_(.., ..)"});
  if (fits) read_storage(call, *source, *offset);
  if (kept) return call.why(Msg::set_data_headline, {to_string(own)}), call.same();
  if (!are_sizes(call, sizes)) return {};
  const auto overflows = [&] {
    return call.fail("RuntimeError",
                     {"Storage size calculation overflowed with sizes=", list_text(sizes),
                      given ? " and strides=" + list_text(strides) : ""},
                     Msg::storage_overflow, {list_text(sizes)});
  };
  if (given && !bytes_taken(sizes, strides, item)) return overflows();
  Layout layout = fresh_layout(call, sizes, call.self().dtype);
  if (call.failed()) return {};
  // In the place of a negative stride comes that of packed elements (set_sizes_and_strides in c10/core/TensorImpl.h).
  for (int d = sizes.size() - 1; given && d >= 0; --d) {
    const bool last = d + 1 == sizes.size();
    const auto packed = last ? 1 : checked_mul(std::max<int64_t>(sizes[d + 1], 1), layout.strides[d + 1]);
    if (strides[d] < 0 && !packed) return call.refuse(Msg::beyond_int64);
    layout.strides[d] = strides[d] < 0 ? *packed : strides[d];
  }
  const auto bytes = checked_add(bytes_taken(sizes, given ? strides : layout.strides, item), skipped);
  if (!bytes || *bytes < 0) return overflows();
  read_storage(call, *source, *offset);
  call.why(Msg::set_data_headline, {to_string(layout)});
  layout.storage_offset = *offset;
  if (!reach(call, layout, *bytes)) return {};
  call.change(layout);
  return call.same();
}

/// x.data = data: the object that it is, with the memory and the recipe of another.
Value set_data_row(Call& call) {
  if (!is_of_torch(call.value("data")))
    return call.fail("TypeError", {"Variable data has to be a tensor, but got ", attribute_type(call.value("data"))},
                     Msg::argument_has_type, {"data", "tensor", type_name(call.value("data"))});
  const Tensor &before = call.self(), &data = *tensor_of(call.value("data"));
  if (before.requires_grad && !is_floating(data.dtype) && !is_complex(data.dtype))
    return call.fail("RuntimeError",
                     "data set to a tensor that requires gradients must be floating point or complex dtype",
                     Msg::floats_needed, {name(data.dtype)});
  if (before.is_view || before.inference || data.inference || !before.is_leaf)
    return call.refuse(Msg::not_modelled, {"PyTorch", "x.data = .."});
  Tensor changed = before;
  changed.dtype = data.dtype;
  changed.layout = data.layout;
  changed.storage = data.storage;
  changed.lens = data.lens;
  changed.window = data.window;
  call.self_ref()->tensor = std::make_shared<const Tensor>(std::move(changed));
  call.why(Msg::set_data_headline, {to_string(data.layout)});
  return call.same();
}

}  // namespace

std::span<const Op> torch_storage_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.resize_(*size: int, memory_format: format = None)", Msg::op_resize,
       "packed sizes on the same storage, which grows where it must", "x = torch.arange(6)\nx.resize_(2, 2)",
       resize_row},
      {Library::torch,
       "x.resize_as_(the_template: tensor, *, memory_format: format = None)\n"
       "torch.resize_as_(input: tensor, the_template: tensor, *, memory_format: format = None)",
       Msg::op_resize, "resize_(the_template.size())", "x = torch.arange(6)\nx.resize_as_(torch.zeros(2, 2))",
       resize_as_row},
      {Library::torch, "x.set_()", Msg::op_set_data, "a new storage that holds nothing",
       "x = torch.ones(2, 3)\nx.set_()", set_nothing_row},
      {Library::torch, "x.set_(source: any)", Msg::op_set_data,
       "the object that it was, the storage and recipe of another",
       "x = torch.ones(2, 3)\ny = torch.arange(3.)\nx.set_(y)", set_row},
      {Library::torch, "x.set_(source: any, storage_offset: int, size: ints, stride: ints = ())", Msg::op_set_data,
       "the storage of source, which grows where it must, under the recipe given",
       "x = torch.ones(2, 3)\ny = torch.arange(6.)\nx.set_(y, 1, (2, 2), (1, 2))", set_strided_row},
      {Library::torch, "x.data = data", Msg::op_set_data, "the object that it was, the storage and recipe of another",
       "x = torch.ones(2, 3)\nx.data = torch.zeros(3).expand(2, 3)", set_data_row},
  };
  return rows;
}

}  // namespace stridescope
