// The view verdict: old dimensions as blocks, a weld or a crack between neighbours, and the dimensions asked for as
// brackets below. A bracket across a crack is why there is no view.
#include <algorithm>

#include "layout/view.h"
#include "scene/axis_colors.h"
#include "scene/figures.h"

namespace stridescope {
namespace {

class Verdict {
 public:
  Verdict(Pen& pen, const Picture& picture, const Area& area)
      : pen_(pen),
        picture_(picture),
        attempt_(*picture.op->attempt),
        layout_(slowest_left(attempt_.tensor->layout, attempt_.order)),
        sizes_(slowest_left(attempt_.sizes, attempt_.order)),
        requested_(slowest_left(attempt_.requested, attempt_.order)),
        area_(area),
        joints_(joints(layout_)),
        colors_(slowest_left(AxisColors(picture.trace, picture.number).of(*attempt_.tensor), attempt_.order)) {}

  Unit draw() {
    choose_form();
    const Unit top = area_.y + px(2);
    for (int d = first_; d < first_ + shown_; ++d) draw_block(d, top);
    for (int d = first_; d + 1 < first_ + shown_; ++d) draw_link(d, top);
    const Style dots{.size = px(14), .role = Role::text_muted, .anchor = Anchor::middle};
    if (first_ > 0) pen_.text({area_.x + px(8), top + block_height_ / 2}, "…", dots);
    if (first_ + shown_ < layout_.rank()) pen_.text({area_.right() - px(8), top + block_height_ / 2}, "…", dots);
    return draw_brackets(top + block_height_ + (low_ ? px(25) : px(32))) - area_.y;
  }

 private:
  std::string size_words(int d) const { return picture_.say(Msg::axis_size, {layout_.sizes[d]}); }
  std::string stride_words(int d) const { return picture_.stride_words(*attempt_.tensor, layout_.strides[d]); }
  /// "6 ≠ 1 × 2": the outer stride against the inner dimension's stride times its size.
  std::string equation(const Joint& joint) const {
    return std::to_string(joint.stride) + (joint.welded() ? " = " : " ≠ ") +
           std::to_string(layout_.strides[joint.inner]) + " × " + std::to_string(layout_.sizes[joint.inner]);
  }
  /// Place `d` from the left as a dimension of the tensor.
  int dim(int d) const { return attempt_.order == Order::c ? d : layout_.rank() - 1 - d; }
  Target target(int d) const { return {Target::Kind::axis, attempt_.tensor->object, dim(d)}; }

  /// Blocks with their numbers in one line, or in two; as many dimensions as there is room for, around the joint that
  /// fails.
  void choose_form() {
    const int rank = layout_.rank();
    Unit line = px(60), stack = px(40), equations = px(40);
    for (int d = 0; d < rank; ++d) {
      line = std::max(line, text_width(size_words(d) + "   " + stride_words(d), px(14)) + px(24));
      stack =
          std::max(stack, std::max(text_width(size_words(d), px(12)), text_width(stride_words(d), px(12))) + px(16));
    }
    for (const Joint& joint : joints_) equations = std::max(equations, text_width(equation(joint), px(13)) + px(14));
    shown_ = rank;
    const auto fits = [&](Unit block, Unit gap) { return block * shown_ + gap * (shown_ - 1) <= area_.width; };
    in_line_ = fits(line, equations);
    block_ = in_line_ ? line : stack;
    gap_ = in_line_ ? equations : std::max(px(34), equations - stack);  // the comparison may reach below the blocks
    while (shown_ > 1 && !fits(block_, gap_)) --shown_;
    if (shown_ < rank) {
      while (shown_ > 1 && block_ * shown_ + gap_ * (shown_ - 1) > area_.width - px(32)) --shown_;
      int middle = rank - 1;
      for (const Joint& joint : joints_)
        if (!joint.welded()) middle = joint.inner;
      first_ = std::clamp(middle - shown_ / 2, 0, rank - shown_);
    }
    block_height_ = !in_line_ ? px(68) : low_ ? px(46) : px(60);
    const Unit spare = area_.width - (shown_ < rank ? px(32) : 0) - block_ * shown_ - gap_ * (shown_ - 1);
    block_ += std::min(spare / (2 * shown_), px(30));
    gap_ += shown_ > 1 ? std::min(spare / (3 * (shown_ - 1)), px(40)) : 0;
    left_ = area_.x + (area_.width - block_ * shown_ - gap_ * (shown_ - 1)) / 2;
  }

  Unit left(int d) const { return left_ + (block_ + gap_) * (d - first_); }
  Unit right(int d) const { return left(d) + block_; }

  void draw_block(int d, Unit top) {
    const Role role = static_cast<Role>(static_cast<int>(Role::axis0) + static_cast<int>(colors_[d]) % 8);
    const Rect rect{left(d), top, block_, block_height_, px(8)};
    const bool lit = picture_.hover == target(d);
    pen_.rect(rect, Role::axis_fill, target(d));
    pen_.outline({rect.x + px(0.8), rect.y + px(0.8), rect.width - px(1.6), rect.height - px(1.6), px(8)}, role,
                 lit ? px(3) : px(1.6), target(d));
    const Unit middle = rect.x + rect.width / 2;
    pen_.text({middle, top + (low_ && in_line_ ? px(17) : px(24))}, axis_name(*attempt_.tensor, dim(d)),
              {.size = px(12), .role = role, .mono = false, .bold = true, .anchor = Anchor::middle}, block_ - px(8),
              target(d));
    if (in_line_) {
      pen_.text({middle, top + (low_ ? px(36) : px(45))}, size_words(d) + "   " + stride_words(d),
                {.size = px(14), .anchor = Anchor::middle}, block_ - px(8), target(d));
    } else {
      pen_.text({middle, top + px(42)}, size_words(d), {.size = px(12), .anchor = Anchor::middle}, block_ - px(6),
                target(d));
      pen_.text({middle, top + px(58)}, stride_words(d), {.size = px(12), .anchor = Anchor::middle}, block_ - px(6),
                target(d));
    }
  }

  /// The link between block d and the next: a joint stands before its inner dimension, sizes of 1 are just passed.
  void draw_link(int d, Unit top) {
    const auto found =
        std::find_if(joints_.begin(), joints_.end(), [&](const Joint& joint) { return joint.inner == d + 1; });
    const Unit from = right(d) + px(6), to = left(d + 1) - px(6), middle = (from + to) / 2, y = top + block_height_ / 2;
    if (found == joints_.end()) {
      pen_.line({{from, y}, {to, y}}, Role::rule, px(1.5)).dashed = true;
      return;
    }
    const Target about = target(found->outer);
    if (found->welded()) {
      pen_.line({{from, y}, {to, y}}, Role::weld, px(4), about);
    } else {
      pen_.line({{from, y}, {middle - px(10), y}}, Role::rule, px(3), about);
      pen_.line({{middle + px(10), y}, {to, y}}, Role::rule, px(3), about);
      pen_.line({{middle - px(3), y - px(16)},
                 {middle + px(5), y - px(5)},
                 {middle - px(5), y + px(5)},
                 {middle + px(3), y + px(16)}},
                Role::crack, px(2.6), about);
    }
    pen_.text({middle, top + block_height_ + px(16)}, equation(*found),
              {.size = px(13), .role = found->welded() ? Role::weld : Role::crack, .anchor = Anchor::middle}, INT32_MAX,
              about);
  }

  /// Dimensions asked for, each below the old ones that its elements come from.  @return where they end
  Unit draw_brackets(Unit top) {
    const Dims& sizes = sizes_;
    const TensorPtr result = tensor_of(picture_.op->result);
    // Elements to the right of every old dimension's left and right end, and of every new one's.
    std::vector<int64_t> ends{1};
    for (int j = sizes.size() - 1; j >= 0; --j)
      if (sizes[j] != 1) ends.push_back(ends.back() * sizes[j]);
    if (ends.size() == 1) return top;
    int j = sizes.size() - 1;
    for (size_t k = 0; k + 1 < ends.size(); ++k, --j) {
      while (sizes[j] == 1) --j;
      const Unit right_end = place(ends[k], ends, false), left_end = place(ends[k + 1], ends, true);
      if (right_end - left_end < px(4)) continue;  // outside the window
      const bool broken = crosses_crack(ends[k], ends[k + 1]);
      const Role role = broken ? Role::bad : Role::good;
      const bool inferred = requested_.size() == sizes.size() && requested_[j] < 0;
      std::string text = inferred ? picture_.say(Msg::axis_size_asked, {sizes[j], std::string("−1")})
                                  : picture_.say(Msg::axis_size, {sizes[j]});
      if (!broken && result && result->layout.rank() == sizes.size())
        text += "   " + picture_.stride_words(*result, slowest_left(result->layout.strides, attempt_.order)[j]);
      const Unit room = right_end - left_end - px(16);
      Unit size = px(12);
      if (text_width(text, size) + px(20) > room) text = picture_.say(Msg::axis_size, {sizes[j]});
      if (text_width(text, size) + px(12) > room) text = std::to_string(sizes[j]);
      const Unit line = top + px(14), width = text_width(text, size) + px(16), middle = (left_end + right_end) / 2;
      const bool labelled = width <= right_end - left_end;
      if (labelled && room > width) {
        pen_.line({{left_end, top}, {left_end, line}, {middle - width / 2, line}}, role, px(2));
        pen_.line({{middle + width / 2, line}, {right_end, line}, {right_end, top}}, role, px(2));
      } else {
        pen_.line({{left_end, top}, {left_end, line}, {right_end, line}, {right_end, top}}, role, px(2));
      }
      if (!labelled) continue;
      const Unit box = room > width ? line - px(12) : line + px(4);
      pen_.rect({middle - width / 2, box, width, px(24), px(12)}, broken ? Role::bad_fill : Role::good_fill);
      pen_.outline({middle - width / 2, box, width, px(24), px(12)}, role, px(1.4));
      pen_.text({middle, box + px(16)}, text, {.size = size, .role = role, .anchor = Anchor::middle});
    }
    return top + (low_ ? px(40) : px(46));
  }

  /// Whether elements between `inner` and `outer` (counted from the right) lie on both sides of a joint that is a
  /// crack.
  bool crosses_crack(int64_t inner, int64_t outer) const {
    return std::any_of(joints_.begin(), joints_.end(), [&](const Joint& joint) {
      const int64_t at = elements_right_of(joint.outer);
      return !joint.welded() && at > inner && at < outer;
    });
  }
  int64_t elements_right_of(int d) const {
    int64_t count = 1;
    for (int k = d + 1; k < layout_.rank(); ++k) count *= layout_.sizes[k];
    return count;
  }

  /// Where the end with `elements` to its right falls: at the edge of a block, or inside one that is cut, where cuts
  /// are spread evenly.  @pre `ends` ascends
  Unit place(int64_t elements, const std::vector<int64_t>& ends, bool as_left_end) const {
    int d = layout_.rank() - 1;
    while (d > 0 && elements + (as_left_end ? 0 : 1) > elements_right_of(d - 1)) --d;
    const int64_t inner = elements_right_of(d), outer = inner * layout_.sizes[d];
    const int shown = std::clamp(d, first_, first_ + shown_ - 1);
    if (shown != d) return shown > d ? left(shown) : right(shown);
    if (!as_left_end && elements == inner) return right(d);
    if (as_left_end && elements == outer) return left(d);
    Unit cuts = 1, before = 0;
    for (int64_t end : ends)
      if (end > inner && end < outer) ++cuts, before += end <= elements;
    return right(d) - block_ / cuts * before + (as_left_end ? px(3) : -px(3));
  }

  Pen& pen_;
  const Picture& picture_;
  const ViewAttempt& attempt_;
  const Layout layout_;           ///< of the tensor, its slowest dimension first
  const Dims sizes_, requested_;  ///< likewise
  const Area area_;
  const bool low_ = picture_.view.height > 0 && picture_.view.height < px(700);  ///< to leave room for the others
  const std::vector<Joint> joints_;
  const Dims colors_;
  int first_ = 0, shown_ = 0;  ///< dimensions of the window
  bool in_line_ = true;
  Unit left_ = 0, block_ = 0, gap_ = 0, block_height_ = 0;
};

}  // namespace

Unit draw_verdict(Pen& pen, const Picture& picture, const Area& area) { return Verdict(pen, picture, area).draw(); }

}  // namespace stridescope
