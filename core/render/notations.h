// The same layout in other words: how the libraries, C++, CuTe, MLIR and XLA write it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/message.h"
#include "ops/trace.h"

namespace stridescope {

struct Notation {
  std::string_view system;         ///< "torch", "numpy", "mdspan", "cute", "mlir", "xla"
  std::string text;                ///< empty where this system cannot say it
  std::optional<Message> why_not;  ///< then the reason
};

/// `s` in the texts is the storage as a flat tensor, array or pointer of the tensor's dtype. Each text stands for
/// exactly this layout: sizes, strides (elements; bytes for NumPy) and storage offset.
///
///   torch   torch.as_strided(s, (2, 3), (3, 1), 0)
///   numpy   np.lib.stride_tricks.as_strided(s, (2, 3), (24, 8))
///   mdspan  std::mdspan(s, std::layout_stride::mapping(std::extents<std::int64_t, 2, 3>(), std::array<std::int64_t,
///   2>{3, 1})) cute    make_tensor(s, (2,3):(3,1)) mlir    memref<2x3xi64, strided<[3, 1], offset: 0>> xla
///   s64[2,3]{1,0}
///
/// PyTorch has no negative strides; std::layout_stride asks for positive strides and cells read once; XLA's layouts
/// are packed permutations (minor-to-major) without offset; strides that are no multiple of the item size (NumPy's
/// bytes) can only be said by NumPy.
std::vector<Notation> notations(const Tensor& tensor);

/// The tensor that a step is about: what it is worth (of a tuple the first), or else what its last operation made or was
/// given. Null where there is none.
TensorPtr shown_tensor(const Step& step);

}  // namespace stridescope
