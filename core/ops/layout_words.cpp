#include "ops/layout_words.h"

#include "layout/contiguity.h"

namespace stridescope {
void explain_packed(Call& call, const Tensor& tensor, const Dims& order) {
  const bool torch = tensor.library == Library::torch;
  std::string product = std::to_string(tensor.unit());  // "8 × 4 × 3", a unit of 1 left out
  int factors = tensor.unit() == 1 ? 0 : 1;
  for (const Comparison& one : contiguity_walk(tensor.layout, order, tensor.unit())) {
    const Slot dim{one.dim, call.axis(tensor, one.dim)};
    if (one.skipped) {
      call.why(torch ? Msg::contiguity_skips : Msg::np_walk_skipped, {dim, one.stride});
      continue;
    }
    const Msg holds = torch ? Msg::contiguity_holds : Msg::np_walk_holds,
              fails = torch ? Msg::contiguity_breaks : Msg::np_walk_fails;
    call.why(one.holds() ? holds : fails,
             {dim, one.stride, factors > 1 ? product + " = " + std::to_string(one.expected) : product});
    if (!one.holds()) return;
    product = (factors++ == 0 ? "" : product + " × ") + std::to_string(one.size);
  }
}

void explain_contiguity(Call& call, const Tensor& tensor) {
  const Layout& layout = tensor.layout;
  if (numel(layout.sizes) != 0) return explain_packed(call, tensor, c_order(layout.rank()));
  call.why(Msg::contiguity_empty, {to_string(layout.sizes)});
}

void explain_strides(Call& call, const Tensor& tensor, const Layout& layout) {
  const bool torch = tensor.library == Library::torch;
  for (int k = 0; k < layout.rank(); ++k) {
    const int64_t size = layout.sizes[k], stride = layout.strides[k];
    if (size == 1) continue;
    int inner = k + 1;  // the next dimension that is stepped over
    while (inner < layout.rank() && layout.sizes[inner] == 1) ++inner;
    int old = tensor.layout.rank() - 1;
    while (old >= 0 && (tensor.layout.sizes[old] == 1 || tensor.layout.strides[old] != stride)) --old;
    if (inner < layout.rank() && stride == layout.sizes[inner] * layout.strides[inner])
      call.why(torch ? Msg::stride_spans : Msg::np_stride_spans,
               {k, size, stride, layout.sizes[inner], layout.strides[inner], inner});
    else if (old >= 0)
      call.why(torch ? Msg::stride_stays : Msg::np_stride_stays, {k, size, stride, Slot{old, call.axis(tensor, old)}});
  }
}

std::string listed(const Dims& numbers) {
  const std::string text = list_text(numbers);
  return text.substr(1, text.size() - 2);
}

bool is_spanned(const Layout& layout, const Joint& joint, const Dims& sizes) {
  int64_t behind = 1, reached = 1;
  for (int d = joint.inner; d < layout.rank(); ++d) behind *= layout.sizes[d];
  for (int k = sizes.size() - 1; k >= 0 && reached < behind; --k) reached *= sizes[k];
  return reached != behind;
}

}  // namespace stridescope
