// What the person is looking at: everything that chooses a picture besides the program.
#pragma once
#include <cstdint>

#include "explain/message.h"
#include "explain/target.h"
#include "scene/scene.h"
#include "scene/theme.h"

namespace stridescope {

enum Figure : uint8_t {
  figure_strip = 1,
  figure_grid = 2,
  figure_path = 4,
  figure_verdict = 8,
  figure_all = 15,
  figure_before = 16,   ///< beside the grid and in the path: what the operation was applied to
  figure_sharing = 32,  ///< beside the grid: the other names on the same storage (after a write always)
};
enum class Labels : uint8_t { value, index, offset, order };
enum class Coloring : uint8_t { position, row, order, axis, times, line, bank };

constexpr int max_zoom = 12;

struct ViewState {
  int step = -1;                 ///< which statement; -1 is the last. Out of range is clamped
  int op = -1;                   ///< which operation inside it; -1 the last one applied (what the statement is about)
  int64_t head = 0;              ///< the read head is on this element (row-major order). Out of range is clamped
  int64_t pan = -1;              ///< windows have this element in their middle while the head is in them; -1: none
  double phase = 0;              ///< 0..1: how far the head has glided towards element head + 1
  uint8_t figures = figure_all;  ///< a figure without content (no view attempt, no tensor) takes no room
  Labels labels = Labels::value;
  Coloring coloring = Coloring::position;
  bool ask = false;      ///< the picture is a question (scene/question.h): what the operation is applied to, and a
                         ///< question mark for what comes of it; no verdict, no result, no explanation
  bool bytes = false;    ///< rulers in bytes instead of elements
  int line = 0;          ///< bytes of a cache line, marked on the strip; 0 marks none
  int zoom = 0;          ///< cells of grid and strip are this many steps of zoomed() larger than fits best, -12..12
  Target hover;          ///< lit up, with everything linked to it
  bool words = true;     ///< why, what was raised and what would work stand in the picture; false where the host says
                         ///< them beside it (they stay where there is nothing else to show)
  Unit width = px(920);  ///< the host's room; the scene takes this width and at most
  Unit height = 0;       ///< this height (0: as high as it needs at full comfort); figures without room are left
                         ///< out, the header, a verdict and messages never are
  ThemeId theme = ThemeId::light;
  Language language = Language::english;

  friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// A length after `steps` of which two double it.
constexpr Unit zoomed(Unit length, int steps) {
  const int halves = steps >= 0 ? steps / 2 : (steps - 1) / 2;
  const int64_t odd = steps - 2 * halves == 0 ? length : int64_t{length} * 181 / 128;
  return static_cast<Unit>(halves >= 0 ? odd << halves : odd >> -halves);
}

}  // namespace stridescope
