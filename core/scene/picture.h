// What one picture is of: the step and operation chosen, the tensors it reads, where the read head is and what is lit
// up. Every figure is a function of this and of the room it gets.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scene/pen.h"
#include "scene/reading.h"
#include "scene/view_state.h"

namespace stridescope {

struct Picture {
  const Trace& trace;
  int number;                            ///< of the step in the trace
  std::shared_ptr<const Step> question;  ///< owns `step` where the view asks (question.h)
  const Step& step;                      ///< one of the trace's, or the question
  const Step* before;                    ///< the step before, for what a write changed; null at the first
  const Applied* op;                     ///< null where the statement applies none (y = x)
  const ViewState& view;
  std::optional<Reading> subject;  ///< the tensor the head reads; none where the step knows no tensor
  std::optional<Reading> source;   ///< of a copy: the tensor it was copied from
  bool in_order = false;           ///< element k of the copy is element k of the source (not so for flip, roll, cat)
  std::optional<Reading> input;    ///< what the operation was applied to, where it is asked for and another tensor
  std::vector<Reading> aliases;    ///< other names on the subject's storage, after a write or where asked for
  int64_t head = 0;                ///< element of `subject`, in range
  int64_t pan = -1;                ///< element of `subject` that windows have in their middle; -1: none
  int glide = 0;                   ///< 0..1024: how far the head is on its way to the next element
  Target hover;  ///< `view.hover`; an axis of a tensor that is not drawn is the drawn one that came of it
  /// The bytes of a storage that `hover` is about, if it is about some.
  struct Bytes {
    int storage = -1;
    int64_t begin = 0, end = 0;
  } lit_bytes;

  /// What was raised: by the operation, else by the statement; null where nothing was.
  const Diagnostic* error() const;
  std::string say(Msg id, const Slots& slots = {}) const { return plain({id, slots}, view.language); }
  /// "stride 4", of an array "stride 32 B".
  std::string stride_words(const Tensor& tensor, int64_t stride) const {
    return say(tensor.library == Library::torch ? Msg::axis_stride : Msg::axis_stride_bytes, {stride});
  }

  /// All that is drawn: the subject, and what is drawn beside it.
  std::vector<Reading*> readings();
  /// Whether a cell or an element is to be lit up: it is hovered, or shares bytes with what is.
  bool lit(const Reading& reading, const Target& target) const;
  /// Whether the step's write changed what stands in a cell, or in one of `count` cells.
  bool changed(const Reading& reading, int64_t cell, int64_t count = 1) const;
  /// 0..255, by the colouring chosen. `element` is the first one that covers the cell, or -1.
  uint8_t shade(const Reading& reading, int64_t cell, int64_t element) const;
  /// What stands on a cell of the strip, by the labels chosen: of values what is there. `element` as in shade().
  std::string cell_text(const Reading& reading, int64_t cell, int64_t element) const;
  /// What stands on an element of the grid: of values what is read.
  std::string element_text(const Reading& reading, int64_t element) const;
  /// Whether the input is read in another way than the subject: not where the same tensor was written to.
  bool has_other_path() const { return input && !(input->layout == subject->layout); }
  /// The hovered axis of a reading, or -1.
  int lit_axis(const Reading& reading) const;
  /// The element of `reading` that the head is on: of another tensor than the subject the one that reads the same cell,
  /// or of a copy's source the one it was copied from. -1 where there is none.
  int64_t head_of(const Reading& reading) const { return counterpart(reading, head); }
  /// Likewise of `pan`.
  int64_t pan_of(const Reading& reading) const { return pan < 0 ? -1 : counterpart(reading, pan); }
  /// Halfway between two places, by `glide`.
  Unit gliding(Unit from, Unit to) const { return from + static_cast<Unit>((int64_t{to} - from) * glide / 1024); }

 private:
  int64_t counterpart(const Reading& reading, int64_t element) const;
  /// What a label says of a place that is no value: of cells that nobody reads, nothing.
  std::string place_text(const Reading& reading, int64_t cell, int64_t element) const;
};

/// The number of the step that `view` is of: the last where it is of none or of one that is not there.
/// @pre  !trace.steps.empty()
size_t shown_step(const Trace& trace, const ViewState& view);

/// @pre  !trace.steps.empty()
Picture compose_picture(const Trace& trace, const ViewState& view);

/// Bytes of a cache line where cells are coloured by it and none is chosen.
inline constexpr int usual_line = 64;

/// The colour of a dimension, the same in every figure.
Role axis_role(const Reading& reading, int d);
/// The heading of a figure about a tensor: lit up where that tensor is hovered.
Style heading_style(const Picture& picture, const Reading& reading);
/// A decimal number, or each part of a complex one, rounded to `most` characters where that keeps at least one decimal;
/// anything else as it is.
std::string with_fewer_decimals(const std::string& label, size_t most);
/// What a cell keeps free beside a label of so many characters: long ones fill it, and would seem to touch its edges.
constexpr Unit beside_label(size_t letters) { return letters > 5 ? px(12) : px(4); }
/// "dim 1" (torch) or "axis 1" (NumPy).
std::string axis_name(const Tensor& tensor, int d);
/// The first of `shown` places out of `total` in a window around place `at`. Its middle is `middle` where that window
/// holds `at`; else (and where `middle` is -1) it moves by half windows, so that a picture stands still while the head
/// walks inside.  @pre 1 <= shown <= total, 0 <= at < total, -1 <= middle < total
/// @post the window holds `at`
int64_t window_start(int64_t at, int64_t shown, int64_t total, int64_t middle = -1);
/// The shades of parts of one whole at equal distances, one after another: part/whole of 255, rounded down. Two
/// divisions for all of them, an addition for each.
class Shades {
 public:
  /// @pre  0 <= part <= whole for every part asked for
  Shades(int64_t first, int64_t distance, int64_t whole);
  /// The next of them, as many as there is room for.
  void fill(std::span<uint8_t> shades);
  uint8_t next() {
    uint8_t shade;
    fill({&shade, 1});
    return shade;
  }

 private:
  int64_t whole_;
  int64_t rest_, rest_more_;  // -whole <= rest < 0 <= rest_more < whole
  uint8_t quotient_, more_;   // modulo 256, which is enough for what is in 0 .. 255
};
/// One of them.  @pre 0 <= part <= whole
inline uint8_t shade_of(int64_t part, int64_t whole) {
  const bool small = whole > 0 && whole <= INT64_MAX / 255;
  return small ? static_cast<uint8_t>(part * 255 / whole) : Shades(part, 0, whole).next();
}

}  // namespace stridescope
