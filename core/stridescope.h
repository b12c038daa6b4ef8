// Stridescope's facade: everything a front-end needs. Text in, pictures and reports out; every function is pure.
//
//   source --parse--> Program --evaluate--> Trace --draw(view)--> Scene --> svg(), a canvas, a window
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/syntax.h"
#include "layout/contiguity.h"
#include "layout/extent.h"
#include "layout/shapes.h"
#include "layout/slack.h"
#include "ops/python/pasted.h"
#include "ops/trace.h"
#include "render/carried.h"
#include "render/formats.h"
#include "render/help.h"
#include "render/markup.h"
#include "render/notations.h"
#include "render/report.h"
#include "render/roles.h"
#include "scene/scene.h"
#include "scene/theme.h"
#include "scene/view_state.h"

namespace stridescope {

/// A program and how it is looked at: what a share link, an embed's attributes and a saved file all hold.
struct Document {
  std::string source;
  ViewState view;

  friend bool operator==(const Document&, const Document&) = default;
};

/// "v=1&code=..&step=3&..": the one serialisation, values encoded as encodeURIComponent() does. Members at their
/// default are left out; `hover`, `phase`, `words`, `width` and `height` (in Unit) belong to a moment and a host,
/// and are written only when `momentary` is set (the border to the page). The keys: v code step op head pan figures
/// (strip,grid,path,verdict,before,sharing) labels (value index offset order) colour (position row order axis times
/// line) unit (elements bytes) line zoom ask (no yes) theme (light dark print) lang (en zh) hover phase words (in
/// beside) width height.
std::string to_text(const Document& document, bool momentary = false);
/// The inverse, with or without a leading '#'. Anything unreadable or out of range is reported, with its place in
/// `text`, and left at its default; of a key given twice the first counts; unknown keys are ignored. A text of a later
/// version or longer than max_document_bytes is reported and nothing of it is read.
/// @post never fails, never runs anything
Document parse_document(std::string_view text, std::vector<Diagnostic>& problems);

/// As encodeURIComponent() does it.
std::string percent_encoded(std::string_view text);

/// A program of max_source_bytes fits, however many of its bytes need encoding.
inline constexpr int max_document_bytes = 65'536;
/// Of `width` and `height`.
inline constexpr Unit max_picture_side = px(16'384);
inline constexpr int max_line_bytes = 1024;

/// The picture of one step: strip, grid, access path and, where a view was attempted, its verdict.
/// @post the number of items is bounded by the size of the picture, not by the tensor
Scene draw(const Trace& trace, const ViewState& view);
/// The tensor that the read head of a picture walks over.
struct Subject {
  int object = -1;       ///< identity of the tensor object; -1 where the picture shows no tensor
  int64_t elements = 0;  ///< how many there are to read
};
Subject subject(const Trace& trace, const ViewState& view);
/// The storage of a tensor in the cells that a picture draws it in.
struct Cells {
  int64_t count = 0, bytes = 1;
  std::optional<int64_t> unread;  ///< that no element covers; nothing where that would take long to count
};
/// Of a tensor of the step that the picture is of; nothing where its places do not fit into int64_t.
std::optional<Cells> cells_of(const Trace& trace, const ViewState& view, const TensorPtr& tensor);
/// The fix that a target of the picture stands for; null where it stands for none.
const Fix* fix_at(const Trace& trace, const ViewState& view, const Target& target);

/// Self-contained SVG: presentation attributes only, title and description for screen readers, no script, no
/// reference to anything outside. Byte-identical wherever it is made. `carried` is what it can be opened again by.
std::string svg(const Scene& scene, ThemeId theme, std::string_view carried = {});

/// One program's records as the recorded answers of the real libraries have them (see tests/oracle/README.md):
/// a JSON array, one record a statement.
std::string records(const Trace& trace);
/// The steps as text for a terminal; with the layout of each step's tensor in other systems' words, if asked for.
std::string explain(const Trace& trace, Language language, bool notations = false);
/// The program as Python that checks itself in the real libraries: every statement, then assertions of what was said of
/// it: sizes, strides, storage offset, sharing, plain values, and the error of a line that fails.
/// @post running it ends without an AssertionError exactly when PyTorch and NumPy agree with the trace. Addresses
///       (data_ptr, id) and random values are not asserted
std::string assertions(const Trace& trace);

/// The table of operations as a page for `docs/`: every row with its ways to write it, its law, and its example run,
/// explained and drawn. One self-contained file, light and dark as the browser prefers, without script.
std::string reference_html(Language language);
/// The same without pictures.
std::string reference_markdown(Language language);
/// A line per way to write an operation: the library, a tab, the signature.
std::string reference_names();

}  // namespace stridescope
