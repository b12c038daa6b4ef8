// What PyTorch's element-by-element operations share: broadcasting, result dtypes, the result's memory order, and the
// checks before a write. Rules as in ATen's TensorIterator, ExpandUtils, TypeProperties and MemoryOverlap.
#include <algorithm>
#include <complex>

#include "ops/torch/torch.h"

namespace stridescope {

Dims distinct_dims(Call& call, const char* parameter) {
  const Dims written = call.ints(parameter);
  Dims dims;
  for (int k = 0; k < written.size(); ++k) {
    const int64_t wrapped = call.wrap(written[k], call.self().layout.rank(), false, parameter, k);
    for (int64_t other : dims)
      if (other == wrapped && !call.failed())
        call.about(parameter, k)
            .fail("RuntimeError", {"dim ", wrapped, " appears multiple times in the list of dims"}, Msg::dim_repeated,
                  {wrapped});
    if (call.failed()) return {};
    dims.push_back(wrapped);
  }
  return dims;
}

std::optional<Dims> broadcast_of(const Dims& a, const Dims& b) {
  const int rank = std::max(a.size(), b.size());
  Dims sizes = Dims::filled(rank, 1);
  for (int d = 0; d < rank; ++d) {
    const int64_t left = d < rank - a.size() ? 1 : a[d - (rank - a.size())],
                  right = d < rank - b.size() ? 1 : b[d - (rank - b.size())];
    if (left != right && left != 1 && right != 1) return std::nullopt;
    sizes[d] = left == 1 ? right : left;
  }
  return sizes;
}

std::optional<Dims> broadcast_sizes(Call& call, const Dims& a, const Dims& b) {
  const auto sizes = broadcast_of(a, b);
  if (sizes) {
    if (is_valid({*sizes, Dims::filled(sizes->size(), 0), 0})) return sizes;
    call.refuse(Msg::beyond_int64);
    return std::nullopt;
  }
  const AskedError error = broadcast_error(a, b);
  call.fail(error.type, {error.text}, *error.reason);
  return std::nullopt;
}

AskedError broadcast_error(const Dims& a, const Dims& b) {
  // The last dimension in the way, which both have.
  int back = 1;
  const auto size = [&](const Dims& dims) { return dims[dims.size() - back]; };
  while (size(a) == size(b) || size(a) == 1 || size(b) == 1) ++back;
  const int d = std::max(a.size(), b.size()) - back;
  return {"RuntimeError",
          "The size of tensor a (" + std::to_string(size(a)) + ") must match the size of tensor b (" +
              std::to_string(size(b)) + ") at non-singleton dimension " + std::to_string(d),
          Message{Msg::broadcast_mismatch, {d, size(a), size(b)}}};
}

Dims iterator_order(const Dims& sizes, std::span<const Layout> operands) {
  return insertion_sorted(c_order(sizes.size()), [&](int a, int b) {
    for (const Layout& layout : operands) {
      const int64_t left = layout.strides[a], right = layout.strides[b];
      if (left == 0 || right == 0) continue;
      if (left != right) return left < right ? -1 : 1;
      if (sizes[a] > sizes[b]) return 1;
    }
    return 0;
  });
}

Dims iterator_strides(const Dims& sizes, std::span<const Layout> operands, bool alike) {
  const auto all = [&](auto holds) { return std::all_of(operands.begin(), operands.end(), holds); };
  if (alike) {
    if (all([](const Layout& layout) { return is_contiguous(layout); })) return contiguous(sizes).strides;
    if (all([](const Layout& layout) { return layout.rank() == 4 && is_channels_last(layout); }))
      return channels_last(sizes).strides;
    if (all([&](const Layout& layout) {
          return is_non_overlapping_and_dense(layout) && layout.strides == operands.back().strides;
        }))
      return operands.back().strides;
  }
  const Dims inverted = c_order(sizes.size());
  const Dims order = iterator_order(sizes, operands);
  return packed_strides(sizes, order, 1, order == inverted ? Zero::counts_as_one : Zero::counts);
}

namespace {

int kind_of(DType dtype) { return dtype == DType::boolean ? 0 : is_integer(dtype) ? 1 : is_floating(dtype) ? 2 : 3; }

}  // namespace

DType promoted(DType a, DType b) {
  if (a == b) return a;
  if (kind_of(a) != kind_of(b)) {
    const DType higher = kind_of(a) > kind_of(b) ? a : b, lower = higher == a ? b : a;
    return higher == DType::complex64 && lower == DType::float64 ? DType::complex128 : higher;
  }
  if (is_floating(a)) {
    if (itemsize(a) == itemsize(b)) return DType::float32;  // float16 with bfloat16
    return itemsize(a) > itemsize(b) ? a : b;
  }
  if (is_integer(a) && is_unsigned(a) != is_unsigned(b)) {
    const DType without = is_unsigned(a) ? a : b, with = without == a ? b : a;
    if (itemsize(with) > itemsize(without)) return with;
    return itemsize(without) == 1 ? DType::int16 : itemsize(without) == 2 ? DType::int32 : DType::int64;
  }
  return itemsize(a) > itemsize(b) ? a : b;
}

void TypeVote::add(const Value& value) {
  const auto join = [](std::optional<DType>& held, DType dtype) { held = held ? promoted(*held, dtype) : dtype; };
  if (const TensorPtr tensor = tensor_of(value))
    join(tensor->layout.rank() > 0 ? dims : scalars, tensor->dtype);
  else if (std::holds_alternative<bool>(value.held))
    join(numbers, DType::boolean);
  else if (std::holds_alternative<ComplexFloat>(value.held))
    join(numbers, complex_of(floating));
  else if (std::holds_alternative<Float>(value.held))
    join(numbers, floating);
  else
    join(numbers, DType::int64);
}

DType TypeVote::result() const {
  std::optional<DType> best;
  for (const std::optional<DType>& vote : {numbers, scalars, dims}) {
    if (!vote) continue;
    if (!best || kind_of(*vote) == 3)
      best = *vote;
    else if (kind_of(*vote) == 2 && kind_of(*best) == 3)
      best = complex_of(*vote);
    else if (kind_of(*vote) != 2 && (*vote == DType::boolean || kind_of(*best) >= 2))
      best = promoted(*vote, *best);
    else
      best = *vote;
  }
  return best.value_or(floating);
}

std::string_view scalar_type_name(DType dtype) {
  static constexpr std::string_view names[] = {"Bool",     "Byte",  "Char",   "UInt16",       "Short",
                                               "UInt32",   "Int",   "UInt64", "Long",         "Half",
                                               "BFloat16", "Float", "Double", "ComplexFloat", "ComplexDouble"};
  return names[static_cast<size_t>(dtype)];
}

Value no_kernel(Call& call, std::string_view kernel, DType dtype) {
  return call.fail("RuntimeError", {"\"", kernel, "\" not implemented for '", scalar_type_name(dtype), "'"},
                   Msg::kernel_missing, {kernel, name(dtype)});
}

std::optional<DType> tensor_class(std::string_view path) {
  for (int k = 0; k <= static_cast<int>(DType::complex128); ++k)
    if (const auto dtype = static_cast<DType>(k); path == "torch." + std::string(scalar_type_name(dtype)) + "Tensor")
      return dtype;
  return std::nullopt;
}

std::string_view cpp_name(DType dtype) {
  static constexpr std::string_view names[] = {"bool",
                                               "unsigned char",
                                               "signed char",
                                               "short unsigned int",
                                               "short int",
                                               "unsigned int",
                                               "int",
                                               "long unsigned int",
                                               "long int",
                                               "c10::Half",
                                               "c10::BFloat16",
                                               "float",
                                               "double",
                                               "c10::complex<float>",
                                               "c10::complex<double>"};
  return names[static_cast<size_t>(dtype)];
}

std::string class_name(DType dtype) {
  const std::string name(scalar_type_name(dtype));
  const bool own = is_complex(dtype) || dtype == DType::boolean || dtype == DType::bfloat16 ||
                   (is_unsigned(dtype) && dtype != DType::uint8);
  return own ? "CPU" + name + "Type" : "torch." + name + "Tensor";
}

bool check_subtraction(Call& call, const Value& a, const Value& b) {
  const auto is_bool = [](const Value& value) {
    return tensor_of(value) ? tensor_of(value)->dtype == DType::boolean : std::holds_alternative<bool>(value.held);
  };
  if (!is_bool(a) && !is_bool(b)) return true;
  call.fail("RuntimeError",
            is_bool(a) && is_bool(b) ? "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
                                       "`^` or `logical_xor()` operator instead."
                                     : "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
                                       "trying to invert a mask, use the `~` or `logical_not()` operator instead.",
            Msg::bool_subtract);
  return false;
}

bool fits_in_place(Call& call, const Tensor& target, const Dims& sizes) {
  const auto common = broadcast_sizes(call, target.layout.sizes, sizes);
  if (!common || *common == target.layout.sizes) return common.has_value();
  call.fail(
      "RuntimeError",
      {"output with shape ", list_text(target.layout.sizes), " doesn't match the broadcast shape ", list_text(*common)},
      Msg::write_value_shape, {to_string(sizes), to_string(target.layout.sizes)});
  return false;
}

namespace {

enum class Overlap : uint8_t { none, full, partial };

/// What is told from byte ranges alone; anything harder counts as none.
Overlap overlap_of(const Tensor& a, const Tensor& b) {
  if (a.object == b.object && a.object >= 0) return Overlap::full;
  const int64_t count = *numel(a.layout.sizes), other = *numel(b.layout.sizes);
  if (count == 0 || other == 0 || !a.shares_storage(b) || !is_non_overlapping_and_dense(a.layout) ||
      !is_non_overlapping_and_dense(b.layout))
    return Overlap::none;
  const int64_t a_begin = a.layout.storage_offset * itemsize(a.dtype), a_end = a_begin + count * itemsize(a.dtype);
  const int64_t b_begin = b.layout.storage_offset * itemsize(b.dtype), b_end = b_begin + other * itemsize(b.dtype);
  if (a_begin == b_begin && a_end == b_end)
    return a.layout.strides == b.layout.strides ? Overlap::full : Overlap::partial;
  return a_begin < b_end && b_begin < a_end ? Overlap::partial : Overlap::none;
}

}  // namespace

namespace {

bool fail_overlap(Call& call, const Layout& target, const Layout& input) {
  call.fail("RuntimeError",
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
            "memory location. Please clone() the tensor before performing the operation.",
            Msg::write_partial_overlap, {to_string(target), to_string(input)});
  call.hint(Msg::hint_clone_first);
  return false;
}

}  // namespace

bool check_apart(Call& call, const Tensor& target, const Tensor& input) {
  if (call.only_checks() || overlap_of(target, input) == Overlap::none) return true;
  return fail_overlap(call, target.layout, input.layout);
}

bool check_overlap(Call& call, const Tensor& target, const Tensor* input) {
  if (call.failed() || call.only_checks()) return !call.failed();
  const Layout& layout = target.layout;
  for (int d = 0; d < layout.rank() && !is_non_overlapping_and_dense(layout); ++d) {
    if (layout.strides[d] != 0 || layout.sizes[d] <= 1) continue;
    call.fail("RuntimeError",
              "unsupported operation: more than one element of the written-to tensor refers to a single memory "
              "location. Please clone() the tensor before performing the operation.",
              Msg::write_shared_cells, {Slot{d, call.axis(target, d)}, layout.sizes[d]});
    call.hint(Msg::hint_clone_first);
    return false;
  }
  // A conjugate is written down before it is used, but by what only copies.
  const bool only_copies = call.name() == "copy_" || call.form().kind == Form::Kind::store;
  const bool apart =
      only_copies ? input && input->lens != target.lens : input && (input->lens != Lens{} || target.lens != Lens{});
  if (!input || apart || overlap_of(target, *input) != Overlap::partial) return true;
  return fail_overlap(call, layout, input->layout);
}

}  // namespace stridescope
