#include "measures.h"

#include <algorithm>
#include <memory>
#include <span>

#include "layout/access_path.h"
#include "layout/transform.h"
#include "stridescope.h"

namespace stridescope {
namespace {

/// A cube of `n` x `n` x `n` elements taken apart in ten lines.
std::string ten_lines(const std::string& n) {
  return "import torch\nx = torch.arange(" + n + "**3)\ncube = x.view(" + n + ", " + n + ", " + n +
         ")\ny = cube.permute(2, 0, 1)\nz = y[::2, 1:]\nflat = y.view(-1)\nflat = y.reshape(-1)\nrows = "
         "cube[0].unsqueeze(0).expand(3, " +
         n + ", " + n + ")\nt = cube.transpose(0, 2)\nt.is_contiguous()\n";
}

Measure trace(const std::string& n) {
  return {"trace/ten_lines/" + n + "^3",
          [source = ten_lines(n)] { sink = static_cast<int64_t>(evaluate(source).steps.size()); }};
}

/// A batch of images read channel by channel (NCHW) instead of pixel by pixel: 6.4 million offsets, in order, `block`
/// of them at a time; 0 for all in one list of 51 MB, which measures the memory more than what fills it.
Measure permuted_offsets(std::string name, size_t block) {
  const AccessPath path(permute(contiguous({32, 64, 56, 56}), Dims{0, 2, 3, 1}));
  const auto count = static_cast<size_t>(path.size());
  auto out = std::make_shared<std::vector<int64_t>>(block == 0 ? count : block);
  return {std::move(name), [path, out, count] {
            for (size_t first = 0; first < count; first += out->size()) {
              const std::span part(out->data(), std::min(out->size(), count - first));
              path.offsets(static_cast<int64_t>(first), part);
              sink = part.back();
            }
          }};
}

/// A permuted matrix of a million elements, a pixel an element.
Measure million_pixels() {
  auto made = std::make_shared<Trace>(evaluate("x = torch.arange(10**6).view(1000, 1000).t()"));
  ViewState view;
  view.figures = figure_grid;
  view.width = view.height = px(2560);  // room for a pixel an element
  return {"pixels/million", [made, view] { sink = static_cast<int64_t>(draw(*made, view).items.size()); }};
}

/// Index, offset and value of one element of 10^12, somewhere in the middle.
Measure read_head() {
  auto made = std::make_shared<Trace>(evaluate("x = torch.arange(10**12).view(10**4, 10**4, 10**4).permute(2, 0, 1)"));
  const TensorPtr tensor = made->steps.back().names.back().tensor;
  auto step = std::make_shared<int64_t>(0);
  return {"head/trillion", [made, tensor, step, path = AccessPath(tensor->layout)] {
            *step = (*step + 999'999'999'989) % path.size();
            sink = path.index(*step)[0] + path.offset(*step) + value_at(made->steps.back(), *tensor, *step).integer;
          }};
}

}  // namespace

std::vector<Measure> measures() {
  return {trace("10"),
          trace("10000"),
          permuted_offsets("offsets/nchw_as_nhwc", 0),
          permuted_offsets("offsets/nchw_as_nhwc_in_blocks", 4096),
          million_pixels(),
          read_head()};
}

}  // namespace stridescope
