// The forms in which pictures are published, besides svg(). Each is a loop over a finished scene; none reads or writes
// a file, and the same scenes are the same bytes on every platform.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"
#include "scene/theme.h"
#include "scene/view_state.h"

namespace stridescope {

struct Trace;

/// A sentence or two that say what a picture shows.
std::string alt_text(const Scene& scene);

/// Another description than the engine's own.
void describe(Scene& scene, std::string_view words);

/// A sentence below the picture; it becomes the title.
void add_caption(Scene& scene, std::string_view caption);

/// One step as lines of characters, for a terminal, a README or a docstring: the statement and what came of it, the
/// logical grid, and the storage with the order in which it is read. Figures, labels, head and language are `view`'s.
/// @post no line is wider than `columns` where a single cell is not, and no line ends in blanks
std::string plain_text(const Trace& trace, const ViewState& view, int columns = 100);

/// A scene as data: its size, texts, and items with shape, role and colour. Lengths are in pixels.
std::string scene_json(const Scene& scene, ThemeId theme, std::string_view carried);

/// One picture of many that are shown one after the other, each for `milliseconds`, once; then, and from the beginning
/// where less motion is preferred, the first. What frames have in common is written once.
/// @pre !frames.empty(), all of one size  @post no script; colours are presentation attributes, the style sheet only
///      shows and hides
std::string animated_svg(const std::vector<Scene>& frames, int milliseconds, ThemeId theme, std::string_view carried);

/// The elements that the head of an animation visits, from `first` on: all, or as many of them as can be followed.
/// @post at most 48, ascending, first and last of what is left among them
std::vector<int64_t> walk(int64_t first, int64_t elements);

/// A picture to \input into a document that has \usepackage{tikz}, or a document of its own with a page a picture.
/// Several pictures are overlays of beamer (\only<1>, \only<2> ..) on one place. Colours are named and may be defined
/// before; text is set in the document's \ttfamily and \sffamily, letters of the first where core has measured them.
enum class TikzForm : uint8_t { picture, document };
std::string tikz(const std::vector<Scene>& pictures, ThemeId theme, TikzForm form);

/// A step and its picture.
struct Plate {
  ViewState view;
  Scene scene;
};
/// Plates with the program and the steps' tensors as one page: no script, nothing from outside, legible from file://
/// and in a sandboxed srcdoc. The light theme is light or dark as the reader prefers.
/// @pre !plates.empty()
std::string html(const Trace& trace, const std::vector<Plate>& plates, std::string_view caption,
                 std::string_view carried);

}  // namespace stridescope
