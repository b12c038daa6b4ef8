// Copies, and the calls that copy only where they must: contiguous, clone, to, flip, roll, repeat.
#include <algorithm>

#include "ops/layout_words.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

namespace {

std::string_view format_name(MemoryFormat format) {
  static constexpr std::string_view names[] = {"torch.contiguous_format", "torch.preserve_format",
                                               "torch.channels_last", "torch.channels_last_3d"};
  return names[static_cast<size_t>(format)];
}

bool is_contiguous_in(const Layout& layout, MemoryFormat format) {
  if (format == MemoryFormat::channels_last) return layout.rank() == 4 && is_channels_last(layout);
  if (format == MemoryFormat::channels_last_3d) return layout.rank() == 5 && is_channels_last(layout);
  return is_contiguous(layout);
}

}  // namespace

void explain_format(Call& call, const Tensor& tensor, MemoryFormat format) {
  const int rank = tensor.layout.rank();
  if (format != MemoryFormat::channels_last && format != MemoryFormat::channels_last_3d)
    return explain_contiguity(call, tensor);
  if (rank != (format == MemoryFormat::channels_last ? 4 : 5)) return;
  call.why(Msg::packed_order, {format_name(format), list_text(channels_last_order(rank))});
  explain_packed(call, tensor, channels_last_order(rank));
}

namespace {

/// The layout that a copy of `tensor` gets in that format.
Layout layout_in(Call& call, const Tensor& tensor, MemoryFormat format) {
  if (format == MemoryFormat::preserve) return {tensor.layout.sizes, preserved_strides(tensor.layout), 0};
  return fresh_layout(call, tensor.layout.sizes, tensor.dtype, format);
}

Value copied(Call& call, const Tensor& tensor, const Layout& layout, DType dtype) {
  return call.copy(tensor, layout, dtype);
}

Value contiguous_row(Call& call) {
  const Tensor tensor = call.self();
  const MemoryFormat format = call.format("memory_format", MemoryFormat::contiguous);
  if (is_contiguous_in(tensor.layout, format)) {
    call.why(Msg::contiguous_same, {to_string(tensor.layout)});
    explain_format(call, tensor, format);
    return call.same();
  }
  if (format == MemoryFormat::preserve)
    return call.fail("RuntimeError", "preserve memory format is unsupported by the contiguous operator",
                     Msg::contiguous_preserve, {to_string(tensor.layout)});
  const Layout layout = layout_in(call, tensor, format);
  if (call.failed()) return {};
  call.why(Msg::contiguous_copies, {to_string(tensor.layout), format_name(format)});
  explain_format(call, tensor, format);
  return copied(call, tensor, layout, tensor.dtype);
}

Value clone_row(Call& call) {
  const Tensor tensor = call.self();
  const MemoryFormat format = call.format("memory_format", MemoryFormat::preserve);
  const Layout layout = layout_in(call, tensor, format);
  if (call.failed()) return {};
  if (format == MemoryFormat::preserve && is_non_overlapping_and_dense(tensor.layout))
    call.why(Msg::clone_keeps_strides, {to_string(tensor.layout.strides)});
  else if (format == MemoryFormat::preserve)
    call.why(Msg::clone_packs, {to_string(tensor.layout.strides), to_string(layout.strides)});
  else
    call.why(Msg::clone_format, {format_name(format)});
  return copied(call, tensor, layout, tensor.dtype);
}

/// The tensor itself where dtype and format are those asked for, else a copy.
Value converted_to(Call& call, DType dtype, MemoryFormat format, bool moves = false) {
  const Tensor tensor = call.self();
  const bool last = format == MemoryFormat::channels_last, last_3d = format == MemoryFormat::channels_last_3d;
  const int rank = tensor.layout.rank();
  // Only strides that leave no doubt count as being in the format already.
  const bool suggested = suggests_channels_last(tensor.layout);
  const bool as_asked = format == MemoryFormat::preserve || (last && rank == 4 && suggested) ||
                        (last_3d && rank == 5 && suggested) || (format == MemoryFormat::contiguous && !suggested);
  const bool copies = call.given("copy") && call.boolean("copy");
  if (dtype == tensor.dtype && as_asked && !copies && !moves) {
    call.why(Msg::to_same, {name(dtype)});
    return call.same();
  }
  const Layout layout = layout_in(call, tensor, format);
  if (call.failed()) return {};
  if (dtype != tensor.dtype)
    call.why(Msg::to_converts, {name(tensor.dtype), name(dtype)});
  else if (moves)
    call.why(Msg::to_numbered_device);
  else
    call.why(Msg::clone_format, {format_name(format)});
  return copied(call, tensor, layout, dtype);
}

Value cast_row(Call& call, DType dtype) {
  return converted_to(call, dtype, call.format("memory_format", MemoryFormat::preserve));
}

Value to_row(Call& call) {
  if (call.name() == "cuda") return cuda_row(call);
  DType dtype = call.self().dtype;
  if (call.given("dtype")) {
    const Value& asked = call.value("dtype");
    if (const TensorPtr other = tensor_of(asked))
      dtype = other->dtype;
    else if (std::holds_alternative<int64_t>(asked.held))  // the number of a device
      return is_processor(call, asked), Value{};
    else if (std::holds_alternative<Float>(asked.held) || std::holds_alternative<bool>(asked.held))
      dtype = std::holds_alternative<bool>(asked.held) ? DType::boolean : DType::float64;
    else
      dtype = call.dtype("dtype").value_or(dtype);
  }
  const Value& device = call.value("device");
  if (!is_processor(call, device)) return {};
  // A processor with a number, "cpu:0", is another device than the one without.
  const auto* text = std::get_if<std::string>(&device.held);
  const bool numbered = (text ? *text : device_name(device)).find(':') != std::string_view::npos;
  return converted_to(call, dtype, call.format("memory_format", MemoryFormat::preserve), numbered);
}

/// type(): a dtype, or the name of its class of tensors.
Value type_row(Call& call) {
  const Value& asked = call.value("dtype");
  if (!call.given("dtype")) return Value{"torch." + std::string(scalar_type_name(call.self().dtype)) + "Tensor"};
  const auto* text = std::get_if<std::string>(&asked.held);
  const auto* symbol = std::get_if<Symbol>(&asked.held);
  if (const auto dtype = tensor_class(text ? std::string_view(*text) : symbol ? symbol->path : ""))
    return converted_to(call, *dtype, MemoryFormat::preserve);
  if (symbol && symbol->path.starts_with("torch.")) {
    const auto dtype = call.dtype("dtype");
    return dtype ? converted_to(call, *dtype, MemoryFormat::preserve) : Value{};
  }
  if (!text && !symbol)
    return call.about("dtype").fail_parser("dtype must be a type, str, or dtype object", Msg::argument_has_type,
                                           {"dtype", "dtype", type_name(asked)});
  return call.about("dtype").fail("ValueError", {"invalid type: '", text ? *text : symbol->path, "'"},
                                  Msg::argument_has_type, {"dtype", "dtype", to_string(asked)});
}

/// Copies every element from another index of the same tensor, laid out as clone() would: what flip does.
Value rearranged(Call& call, const Tensor& tensor, const Layout& from) {
  Tensor source = tensor;
  source.layout = from;
  return copied(call, source, {tensor.layout.sizes, preserved_strides(tensor.layout), 0}, tensor.dtype);
}

Layout flipped(Layout layout, const Dims& dims) {
  for (int64_t d : dims) layout = flip(layout, static_cast<int>(d));
  return layout;
}

/// Whether there is a kernel that moves elements of that dtype. Rows are moved whole, by none.
bool can_flip(Call& call, const Tensor& tensor, const Dims& dims) {
  const Layout& layout = tensor.layout;
  const bool bare = tensor.dtype == DType::uint16 || tensor.dtype == DType::uint32 || tensor.dtype == DType::uint64;
  const auto moves = [&](int64_t dim) {
    const int d = static_cast<int>(dim);
    return layout.rank() > 0 && layout.sizes[d] > 1 && layout.strides[d] != 0;
  };
  if (!bare || numel(layout.sizes) == 0 || std::none_of(dims.begin(), dims.end(), moves)) return true;
  const bool last = std::find(dims.begin(), dims.end(), layout.rank() - 1) != dims.end() && moves(layout.rank() - 1);
  if (!last && layout.rank() == 2 && is_contiguous(layout)) return true;
  if (last && layout.strides.back() == 1)
    no_kernel(call, "flip_cpu", tensor.dtype);
  else
    call.refuse(Msg::function_refuses, {"flip", name(tensor.dtype)});
  return false;
}

void explain_flip(Call& call, int d) {
  const Layout& layout = call.self().layout;
  if (layout.rank() > 0 && layout.sizes[d] > 1) call.why(Msg::flip_dim, {Slot{d, call.axis(d)}, layout.sizes[d] - 1});
}

Value flip_row(Call& call) {
  const Tensor tensor = call.self();
  const Dims dims = distinct_dims(call, "dims");
  if (call.failed() || !can_flip(call, tensor, dims)) return {};
  call.why(Msg::flip_copies, {listed(dims), dims.size()});
  for (const int64_t d : dims) explain_flip(call, static_cast<int>(d));
  return rearranged(call, tensor, tensor.layout.rank() == 0 ? tensor.layout : flipped(tensor.layout, dims));
}

Value fliplr_row(Call& call) {
  const Tensor tensor = call.self();
  const int d = call.name().ends_with("fliplr") ? 1 : 0;
  if (tensor.layout.rank() <= d)
    return call.fail("RuntimeError", d == 1 ? "Input must be >= 2-d." : "Input must be >= 1-d.", Msg::needs_rank,
                     {d + 1, tensor.layout.rank()});
  if (!can_flip(call, tensor, {d})) return {};
  call.why(Msg::flip_copies, {d, 1});
  explain_flip(call, d);
  return rearranged(call, tensor, flip(tensor.layout, d));
}

Value rot90_row(Call& call) {
  const Tensor tensor = call.self();
  const Dims dims = call.given("dims") ? call.ints("dims") : Dims{0, 1};
  const int64_t k = ((call.integer("k") % 4) + 4) % 4;
  const int rank = tensor.layout.rank();
  if (dims.size() != 2)
    return call.about("dims").fail("RuntimeError", {"expected total rotation dims == 2, but got dims = ", dims.size()},
                                   Msg::rot90_dims, {dims.size()});
  if (rank < 2)
    return call.fail("RuntimeError", {"expected total dims >= 2, but got total dims = ", rank}, Msg::needs_rank,
                     {2, rank});
  const int64_t difference = dims[0] > dims[1] ? dims[0] - dims[1] : dims[1] - dims[0];
  if (dims[0] == dims[1] || difference == rank)
    return call.about("dims").fail(
        "RuntimeError", {"expected rotation dims to be different, but got dim0 = ", dims[0], " and dim1 = ", dims[1]},
        Msg::dim_repeated, {dims[0]});
  for (int i = 0; i < 2; ++i)
    if (dims[i] >= rank || dims[i] < -rank)
      return call.about("dims", i).fail("RuntimeError", {"Rotation dim", i, " out of range, dim", i, " = ", dims[i]},
                                        Msg::dim_out_of_range, {dims[i], rank, -rank, rank - 1});
  const int a = static_cast<int>(dims[0] < 0 ? dims[0] + rank : dims[0]),
            b = static_cast<int>(dims[1] < 0 ? dims[1] + rank : dims[1]);
  if (k != 0 && !can_flip(call, tensor, k == 2 ? Dims{a, b} : Dims{k == 1 ? b : a})) return {};
  call.why(Msg::rot90_copies, {k, a, b});
  if (k == 0) return copied(call, tensor, contiguous(tensor.layout.sizes), tensor.dtype);
  if (k == 2) return rearranged(call, tensor, flipped(tensor.layout, {a, b}));
  // A flipped copy, then its two dimensions exchanged without moving anything.
  Tensor source = tensor;
  source.layout = transpose(flip(tensor.layout, k == 1 ? b : a), a, b);
  const Layout kept{tensor.layout.sizes, preserved_strides(tensor.layout), 0};
  return copied(call, source, transpose(kept, a, b), tensor.dtype);
}

/// A dimension of some elements rolled: element i comes from (i - shift) mod size. Two stretches of the source, one
/// after the other.
ContentsPtr rolled(const Elements& from, int64_t shift, int dim, DType dtype) {
  const Dims& sizes = from.layout.sizes;
  const int64_t size = sizes[dim], all = *numel(sizes);
  if (!checked_mul(all, itemsize(dtype))) return unknown_contents(dtype, all);  // refused as a whole
  const ContentsPtr start = gather(from, dtype);
  if (shift % size == 0) return start;
  const int64_t by = ((shift % size) + size) % size;
  const Layout packed = contiguous(sizes, itemsize(dtype));
  const auto stretch = [&](int64_t begin, int64_t count) { return *slice(packed, dim, begin, 1, count); };
  const auto source = [&](int64_t begin, int64_t count) {
    return Elements{from.contents, *slice(from.layout, dim, begin, 1, count), from.dtype};
  };
  const ContentsPtr result = patch(start, {start, stretch(0, by), dtype}, source(size - by, by));
  return patch(result, {result, stretch(by, size - by), dtype}, source(0, size - by));
}

/// The layout that cat gives the two stretches of a rolled dimension: channels_last where both are.
Layout cat_of_halves(const Layout& layout, int64_t shift, int dim) {
  const int64_t size = layout.sizes[dim], start = (size - shift % size) % size;
  const bool channels = suggests_channels_last(*slice(layout, dim, start, 1, size - start)) &&
                        suggests_channels_last(*slice(layout, dim, 0, 1, start));
  return channels ? channels_last(layout.sizes) : contiguous(layout.sizes);
}

/// Without elements rolling is a clone; where no dimension is named, of the flattened tensor.
Layout empty_roll(const Layout& layout, bool flat) {
  Layout result = flat ? *as_layout(view(layout, {0})) : layout;
  result = {result.sizes, preserved_strides(result), 0};
  return flat ? *as_layout(view(result, layout.sizes)) : result;
}

Value roll_row(Call& call) {
  const Tensor tensor = call.self();
  // PyTorch's parser lets a tensor without dimensions pass for a list and reads one without items.
  const Dims shifts = tensor_of(call.value("shifts")) ? Dims{} : call.ints("shifts"),
             written = call.given("dims") && !tensor_of(call.value("dims")) ? call.ints("dims") : Dims{};
  const Layout& layout = tensor.layout;
  const int64_t count = *numel(layout.sizes);
  if (written.size() != 1 || shifts.size() != 1) {
    if (shifts.empty()) return call.about("shifts").fail("RuntimeError", "`shifts` required", Msg::roll_needs_shifts);
    if (!(written.empty() && shifts.size() == 1) && written.size() != shifts.size())
      return call.about("dims").fail(
          "RuntimeError", {"shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", written.size()},
          Msg::roll_align, {shifts.size(), written.size()});
  }
  Dims dims;
  for (int k = 0; k < written.size(); ++k) {
    // Nothing to roll: torch returns a clone before it looks at the dimension.
    dims.push_back(count == 0 ? 0 : call.wrap(written[k], layout.rank(), true, "dims", k));
    if (call.failed()) return {};
  }
  if (count == 0) return copied(call, tensor, empty_roll(layout, written.empty()), tensor.dtype);
  call.why(written.empty() ? Msg::roll_flat : Msg::roll_dims, {list_text(shifts), list_text(dims)});
  for (int k = 0; k < dims.size() && layout.rank() > 0; ++k)
    call.why(Msg::roll_dim,
             {Slot{dims[k], call.axis(static_cast<int>(dims[k]))}, shifts[k], layout.sizes[static_cast<int>(dims[k])]});
  const int64_t bytes = itemsize(tensor.dtype);
  Elements from = elements_of(tensor);
  Layout result = written.empty() ? contiguous(layout.sizes) : layout;
  if (!(from.lens == Lens{})) from = {gather(from, tensor.dtype), contiguous(layout.sizes, bytes), tensor.dtype};
  if (written.empty()) from = {gather(from, tensor.dtype), contiguous({count}, bytes), tensor.dtype};
  for (int k = 0; k < shifts.size(); ++k) {
    const int d = written.empty() ? 0 : static_cast<int>(dims[k]);
    from = {rolled(from, shifts[k], d, tensor.dtype), contiguous(from.layout.sizes, bytes), tensor.dtype};
    if (!written.empty()) result = cat_of_halves(result, shifts[k], d);
  }
  from.layout = contiguous(layout.sizes, bytes);
  return call.gathered(result, tensor.dtype, [&](const Dims& order) {
    return gather({from.contents, permute(from.layout, order), tensor.dtype}, tensor.dtype);
  });
}

}  // namespace

std::span<const Op> torch_copy_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.contiguous(*, memory_format: format = torch.contiguous_format)", Msg::op_contiguous,
       "the tensor itself where it is contiguous already, else a packed copy",
       "x = torch.arange(6).view(2, 3).t()\ny = x.contiguous()", contiguous_row},
      {Library::torch,
       "x.clone(*, memory_format: format = None)\ntorch.clone(input: tensor, *, memory_format: format = None)",
       Msg::op_clone,
       "always a copy; a dense tensor keeps its strides, any other is packed in the order of its strides",
       "x = torch.arange(6).view(2, 3).t()\ny = x.clone()", clone_row},
      {Library::torch,
       "x.to(dtype: dtype, non_blocking: bool = False, copy: bool = False, *, memory_format: format = None)\n"
       "x.to(tensor: tensor, non_blocking: bool = False, copy: bool = False, *, memory_format: format = None)\n"
       "x.to(dtype: float | bool, /, non_blocking: bool = False, copy: bool = False, *, memory_format: format = None)\n"
       "x.type_as(other: tensor)",
       Msg::op_to, "the tensor itself where dtype and format already fit, else a copy that keeps a dense layout",
       "x = torch.arange(6)\ny = x.to(torch.float64)", to_row},
      {Library::torch, "x.type(dtype=None, non_blocking: bool = False)", Msg::op_to,
       "the name of the class of its dtype, or the tensor converted to another",
       "x = torch.arange(6)\ny = x.type(torch.float32)", type_row},
      {Library::torch,
       "x.to(device: device | str | int = None, dtype: dtype = None, non_blocking: bool = False, copy: bool = False, "
       "*, "
       "memory_format: format = None)\n"
       "x.cuda(device=None, non_blocking: bool = False, *, memory_format: format = None)",
       Msg::op_to, "there is only the processor here: as without a device",
       "x = torch.arange(6)\ny = x.to('cpu', torch.float64)", to_row},
      {Library::torch, "x.cpu(*, memory_format: format = None)", Msg::op_cpu,
       "the tensor itself: there is only the processor here", "x = torch.arange(6)\ny = x.cpu()",
       [](Call& call) { return cast_row(call, call.self().dtype); }},
      {Library::torch, "x.cfloat(*, memory_format: format = None)", Msg::op_to, "to(torch.complex64)",
       "x = torch.arange(6)\ny = x.cfloat()", [](Call& call) { return cast_row(call, DType::complex64); }},
      {Library::torch, "x.cdouble(*, memory_format: format = None)", Msg::op_to, "to(torch.complex128)",
       "x = torch.arange(6)\ny = x.cdouble()", [](Call& call) { return cast_row(call, DType::complex128); }},
      {Library::torch, "x.float(*, memory_format: format = None)", Msg::op_to, "to(torch.float32)",
       "x = torch.arange(6)\ny = x.float()", [](Call& call) { return cast_row(call, DType::float32); }},
      {Library::torch, "x.double(*, memory_format: format = None)", Msg::op_to, "to(torch.float64)",
       "x = torch.arange(6)\ny = x.double()", [](Call& call) { return cast_row(call, DType::float64); }},
      {Library::torch, "x.half(*, memory_format: format = None)", Msg::op_to, "to(torch.float16)",
       "x = torch.arange(6)\ny = x.half()", [](Call& call) { return cast_row(call, DType::float16); }},
      {Library::torch, "x.bfloat16(*, memory_format: format = None)", Msg::op_to, "to(torch.bfloat16)",
       "x = torch.arange(6)\ny = x.bfloat16()", [](Call& call) { return cast_row(call, DType::bfloat16); }},
      {Library::torch, "x.long(*, memory_format: format = None)", Msg::op_to, "to(torch.int64)",
       "x = torch.zeros(3)\ny = x.long()", [](Call& call) { return cast_row(call, DType::int64); }},
      {Library::torch, "x.int(*, memory_format: format = None)", Msg::op_to, "to(torch.int32)",
       "x = torch.arange(6)\ny = x.int()", [](Call& call) { return cast_row(call, DType::int32); }},
      {Library::torch, "x.short(*, memory_format: format = None)", Msg::op_to, "to(torch.int16)",
       "x = torch.arange(6)\ny = x.short()", [](Call& call) { return cast_row(call, DType::int16); }},
      {Library::torch, "x.char(*, memory_format: format = None)", Msg::op_to, "to(torch.int8)",
       "x = torch.arange(6)\ny = x.char()", [](Call& call) { return cast_row(call, DType::int8); }},
      {Library::torch, "x.byte(*, memory_format: format = None)", Msg::op_to, "to(torch.uint8)",
       "x = torch.arange(6)\ny = x.byte()", [](Call& call) { return cast_row(call, DType::uint8); }},
      {Library::torch, "x.bool(*, memory_format: format = None)", Msg::op_to, "to(torch.bool)",
       "x = torch.arange(6)\ny = x.bool()", [](Call& call) { return cast_row(call, DType::boolean); }},
      {Library::torch, "x.flip(*dims: int)\ntorch.flip(input: tensor, dims: ints)", Msg::op_flip,
       "y[.., i, ..] = x[.., size - 1 - i, ..], always a copy: strides cannot be negative",
       "x = torch.arange(6).view(2, 3)\ny = x.flip(1)", flip_row},
      {Library::torch, "x.fliplr()\ntorch.fliplr(input: tensor)\nx.flipud()\ntorch.flipud(input: tensor)", Msg::op_flip,
       "flip along dimension 1 or 0", "x = torch.arange(6).view(2, 3)\ny = x.fliplr()", fliplr_row},
      {Library::torch,
       "x.rot90(k: int = 1, dims: ints = (0, 1))\ntorch.rot90(input: tensor, k: int = 1, dims: ints = (0, 1))",
       Msg::op_rot90, "flip, then transpose, always a copy", "x = torch.arange(6).view(2, 3)\ny = x.rot90()",
       rot90_row},
      {Library::torch,
       "x.roll(shifts: int | ints, dims: int | ints = None)\ntorch.roll(input: tensor, shifts: int | ints, dims: int | "
       "ints = None)",
       Msg::op_roll, "y[(i + shift) mod size] = x[i], always a copy", "x = torch.arange(6)\ny = x.roll(2)", roll_row},
  };
  return rows;
}

}  // namespace stridescope
