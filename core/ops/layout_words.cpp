#include "ops/layout_words.h"

#include "layout/contiguity.h"
#include "layout/extent.h"

namespace stridescope {
namespace {

/// Beyond so many cells that follow no simple pattern nothing is said of them: a program may hold many such layouts.
constexpr int64_t max_counted = 1 << 12;

}  // namespace

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
    const Msg holds = torch ? Msg::contiguity_holds : Msg::np_walk_holds, fails = torch ? Msg::contiguity_breaks : Msg::np_walk_fails;
    call.why(one.holds() ? holds : fails, {dim, one.stride, factors > 1 ? product + " = " + std::to_string(one.expected) : product});
    if (!one.holds()) return;
    product = (factors++ == 0 ? "" : product + " × ") + std::to_string(one.size);
  }
}

void explain_contiguity(Call& call, const Tensor& tensor) {
  const Layout& layout = tensor.layout;
  if (numel(layout.sizes) != 0) return explain_packed(call, tensor, c_order(layout.rank()));
  if (tensor.library == Library::torch) call.why(Msg::contiguity_empty, {to_string(layout.sizes)});
  else call.why(Msg::np_walk_empty);
}

void explain_sharing(Call& call, const Tensor& tensor, const Layout& layout) {
  const int64_t count = *numel(layout.sizes);
  for (const int64_t stride : layout.strides)
    if (stride % tensor.unit() != 0) return;  // elements that share a few of their bytes
  const auto cells = distinct_cells(layout, max_counted);
  if (!cells || *cells == count) return;
  if (tensor.library == Library::numpy) {
    call.why(Msg::np_places_shared, {count, *cells});
    if (tensor.writeable) call.why(Msg::np_shared_write_passes);
    return;
  }
  call.why(Msg::cells_shared, {count, *cells});
  bool repeats = false;
  for (int d = 0; d < layout.rank(); ++d) repeats |= layout.strides[d] == 0 && layout.sizes[d] > 1;
  call.why(repeats ? Msg::shared_write_refused : Msg::shared_write_passes);
}

void explain_kept(Call& call, const Tensor& tensor, const Layout& layout) {
  const auto read = distinct_cells(layout, max_counted);
  const int64_t held = tensor.storage->nbytes / itemsize(tensor.dtype);
  if (read && *read < held) call.why(Msg::storage_kept, {tensor.storage->nbytes, held - *read, held});
}

}  // namespace stridescope
