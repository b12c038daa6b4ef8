#include "render/notations.h"

#include <array>

#include "layout/contiguity.h"
#include "layout/extent.h"
#include "ops/lent_memory.h"

namespace stridescope {
namespace {

struct TypeNames {
  std::string_view mlir, xla;
};
/// In the order of DType.
constexpr std::array<TypeNames, 16> type_names{{{"i1", "pred"},
                                                {"ui8", "u8"},
                                                {"i8", "s8"},
                                                {"ui16", "u16"},
                                                {"i16", "s16"},
                                                {"ui32", "u32"},
                                                {"i32", "s32"},
                                                {"ui64", "u64"},
                                                {"i64", "s64"},
                                                {"f16", "f16"},
                                                {"bf16", "bf16"},
                                                {"f32", "f32"},
                                                {"f64", "f64"},
                                                {"complex<f32>", "c64"},
                                                {"complex<f64>", "c128"},
                                                {"", ""}}};

const TypeNames& type_name(DType dtype) { return type_names[static_cast<size_t>(dtype)]; }

std::string list(const Dims& values, std::string_view separator) {
  std::string text;
  for (int i = 0; i < values.size(); ++i) {
    if (i) text += separator;
    text += std::to_string(values[i]);
  }
  return text;
}

/// The layout in elements of the tensor's own dtype; nothing where a byte stride is not a multiple of it.
std::optional<Layout> in_elements(const Tensor& tensor) {
  Layout layout = tensor.layout;
  const int64_t unit = tensor.unit();
  for (int64_t& stride : layout.strides) {
    if (stride % unit) return std::nullopt;
    stride /= unit;
  }
  if (layout.storage_offset % unit) return std::nullopt;
  layout.storage_offset /= unit;
  return layout;
}

/// "s", "s + 3" for a pointer.
std::string pointer(int64_t offset) { return offset == 0 ? "s" : "s + " + std::to_string(offset); }

std::string torch_text(const Layout& layout) {
  return "torch.as_strided(s, " + to_string(layout.sizes) + ", " + to_string(layout.strides) + ", " +
         std::to_string(layout.storage_offset) + ")";
}

std::string numpy_text(const Layout& layout, int64_t bytes) {
  Dims strides = layout.strides;
  for (int64_t& stride : strides) stride *= bytes;
  const std::string start = layout.storage_offset == 0 ? "s" : "s[" + std::to_string(layout.storage_offset) + ":]";
  return "np.lib.stride_tricks.as_strided(" + start + ", " + to_string(layout.sizes) + ", " + to_string(strides) + ")";
}

std::string mdspan_text(const Layout& layout) {
  const std::string extents = layout.rank() ? "std::int64_t, " + list(layout.sizes, ", ") : "std::int64_t";
  return "std::mdspan(" + pointer(layout.storage_offset) + ", std::layout_stride::mapping(std::extents<" + extents +
         ">(), std::array<std::int64_t, " + std::to_string(layout.rank()) + ">{" + list(layout.strides, ", ") + "}))";
}

std::string cute_text(const Layout& layout) {
  const auto mode = [](const Dims& values, std::string_view scalar) {
    if (values.empty()) return std::string(scalar);
    return values.size() == 1 ? list(values, ",") : "(" + list(values, ",") + ")";
  };
  return "make_tensor(" + pointer(layout.storage_offset) + ", " + mode(layout.sizes, "1") + ":" +
         mode(layout.strides, "0") + ")";
}

std::string mlir_text(const Layout& layout, DType dtype) {
  const std::string sizes = layout.rank() ? list(layout.sizes, "x") + "x" : "";
  return "memref<" + sizes + std::string(type_name(dtype).mlir) + ", strided<[" + list(layout.strides, ", ") +
         "], offset: " + std::to_string(layout.storage_offset) + ">>";
}

std::string xla_text(const Layout& layout, DType dtype) {
  // A size of 1 may stand anywhere in the order, so it stays where row-major order has it.
  const Dims fastest_first = insertion_sorted(c_order(layout.rank()), [&](int ahead, int moving) {
    if (layout.sizes[ahead] == 1 || layout.sizes[moving] == 1) return 0;
    return layout.strides[ahead] > layout.strides[moving] ? 1 : -1;
  });
  return std::string(type_name(dtype).xla) + "[" + list(layout.sizes, ",") + "]{" + list(fastest_first, ",") + "}";
}

/// A dtype as a program writes it: "np.int64", "'<U5'", "[('x', '<i4')]".
std::string dtype_code(const Tensor& tensor) {
  if (!tensor.structure) return "np." + dtype_text(tensor);
  return tensor.structure->has_fields() ? dtype_text(tensor) : quoted(dtype_text(tensor));
}

}  // namespace

std::vector<Notation> notations(const Tensor& tensor) {
  const auto said = [](std::string_view system, std::string text) { return Notation{system, std::move(text), {}}; };
  const auto unsaid = [](std::string_view system, Msg why) { return Notation{system, "", Message{why, {}}}; };
  const std::optional<Layout> layout = in_elements(tensor);
  std::vector<Notation> all;
  if (!layout) {
    const Layout& bytes = tensor.layout;
    for (std::string_view system : {"torch", "numpy", "mdspan", "cute", "mlir", "xla"})
      all.push_back(system == "numpy"
                        ? said(system, "np.ndarray(" + to_string(bytes.sizes) + ", " + dtype_code(tensor) + ", s, " +
                                           std::to_string(bytes.storage_offset) + ", " + to_string(bytes.strides) + ")")
                        : unsaid(system, Msg::notation_needs_elements));
    return all;
  }
  bool negative = false, positive = true;
  for (int64_t stride : layout->strides) {
    negative = negative || stride < 0;
    positive = positive && stride > 0;
  }
  all.push_back(negative ? unsaid("torch", Msg::notation_torch_negative) : said("torch", torch_text(*layout)));
  all.push_back(said("numpy", numpy_text(*layout, tensor.item_bytes())));
  const bool mdspan = positive && is_unique(*layout) == Answer::yes;
  all.push_back(mdspan ? said("mdspan", mdspan_text(*layout)) : unsaid("mdspan", Msg::notation_mdspan_positive));
  all.push_back(said("cute", cute_text(*layout)));
  if (tensor.structure) {
    for (std::string_view system : {"mlir", "xla"}) all.push_back(unsaid(system, Msg::notation_needs_numbers));
    return all;
  }
  all.push_back(said("mlir", mlir_text(*layout, tensor.dtype)));
  const bool packed = is_non_overlapping_and_dense(*layout) && layout->storage_offset == 0;
  all.push_back(packed ? said("xla", xla_text(*layout, tensor.dtype)) : unsaid("xla", Msg::notation_xla_packed));
  return all;
}

TensorPtr shown_tensor(const Step& step) {
  if (TensorPtr tensor = first_shown(step.value)) return tensor;
  if (step.applied.empty()) return first_tensor(step.printed);
  const Applied& last = step.applied.back();
  if (TensorPtr made = first_shown(last.result)) return made;
  return last.inputs.empty() ? nullptr : last.inputs.front();
}

}  // namespace stridescope
