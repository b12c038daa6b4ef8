// What happened, as JSON, for the page and for other programs.
//
// report(trace) is one object:
//   { "version": 1, "source": TEXT, "diagnostics": [DIAGNOSTIC..], "steps": [STEP..],
//     "output": [{"step": number, "text"}..] }
//             "output" is what the program prints, in order, and which steps do; "…" stands for what is not known.
// STEP        { "line", "span": [begin, end], "text", "inside", "round", "rounds", "call", "targets": [NAME..], "mark",
//               "result": TENSOR or null, "value": repr or null, "applied": [APPLIED..],
//               "error": DIAGNOSTIC or null, "changed": [{"name", "values", "metadata"}..],
//               "names": [{"name", "tensor": TENSOR}..], "notations": [NOTATION..] }
//             A statement in a loop or a function is a step each time it runs, and so is a lambda; a call's steps come
//             before the one of the statement that calls. "inside" is the number of the step it is a part of: the
//             header that began the round or the call; of the header of a function, or a lambda, the statement that
//             calls; else -1. Of such a header "round" is the one it begins, counted from 1 (0 where none), and
//             "rounds" how many a `for` has, a `while` has had when it ends, or calls there are; "call" whether it is a
//             call.
//             "notations" say the layout of the tensor the step is about in other systems' words (notations.h); []
//             where there is none. "mark" sums the step up: "view", "copy", "same", "new", "write", "error", or ""
//             where no tensor came of it.
// APPLIED     one operation of the statement, in order of evaluation:
//             { "span", "title", "signature" or null, "mark", "inputs": [TENSOR..], "result": TENSOR or null,
//               "value": repr, "why": [SENTENCE..], "attempt": ATTEMPT or null, "error": DIAGNOSTIC or null }
// ATTEMPT     other sizes for a tensor's elements: { "tensor": TENSOR, "requested", "sizes", "order": "C" or "F",
//               "views": count, "copies": count, "shapes": [{"sizes", "views": whether without a copy}..] }
//             counts are of shapes with at most four dimensions, 0 where there are no elements; of them the 24 nearest
//             to "sizes" are listed, the nearest first.
// NOTATION    { "system", "text": TEXT or null, "why_not": SENTENCE or null }
// TENSOR      { "object", "library", "dtype", "sizes": [..], "strides": [..], "offset", "layout": "(2, 3):(3, 1)+0",
//               "numel", "storage": id, "cells", "itemsize" }; strides and offset in elements (PyTorch) or bytes
//               (NumPy).
// DIAGNOSTIC  { "span", "reason": SENTENCE, "raised": null or {"type", "text"},
//               "hints": [{"text": SENTENCE, "fix": null or {"span", "replacement"}}..] }
// SENTENCE    [{"text", "code": true where set in the monospace face, "target": TARGET where it points at something}..]
// TARGET      "cell:0:12" and so on: explain/target.h.
//
// Spans are byte offsets in the UTF-8 source. Integers are whole 64-bit numbers: a reader that keeps them as doubles is
// exact up to 2^53.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "explain/message.h"
#include "lang/diagnostic.h"
#include "ops/trace.h"
#include "scene/view_state.h"

namespace stridescope {

/// The trace as one JSON object, with its sentences in `language`.
std::string report(const Trace& trace, Language language);

/// What stands beside all lines at once, and no more than that, for it is asked for at every key:
///   { "diagnostics": [DIAGNOSTIC..], "steps": [OUTLINE..], "passed": [[begin, end]..] of what Python would not run,
///     "output" as above }
/// OUTLINE is { "line", "span", "text", "inside", "round", "rounds", "call", "targets", "mark", "value", "error",
/// "changed" } of STEP, and { "bound": what each of several targets was given, or "", "result": null or {"object",
/// "layout"} }; "value" of a statement that prints is the first line of that.
std::string outline(const Trace& trace, Language language);
/// The STEP that `view` is of; null where there is none.
std::string step_report(const Trace& trace, const ViewState& view);
/// The fix that a target of the picture stands for (fix_at), as it stands in DIAGNOSTIC; null where it stands for none.
std::string fix_report(const Trace& trace, const ViewState& view, const Target& target);

/// [DIAGNOSTIC..]
std::string report(const std::vector<Diagnostic>& diagnostics, Language language);

/// The tensor on the stage, element by element: what a screen reader walks.
///   null where the step has no tensor to show, else
///   { "name", "tensor": TENSOR, "count": numel, "head": ELEMENT or null,
///     "cell": the target that the head is on in the strip, "index": [..],
///     "walk": WALK, "copy_walk": WALK of a contiguous copy,
///     "rows": {"first", "count"}, "columns": {"first", "count"}, "window": [[ELEMENT..]..] }
/// WALK is what reading costs, in cells: { "travel", "backward", "repeats" so far, the head's own read included,
///   "all_travel", "all_backward", "all_repeats", "longest_run" when all is read }; see layout/access_path.h.
/// ELEMENT is { "element": number in row-major order, "offset": in the tensor's own unit, "value" }.
/// The window is at most 8 by 16 elements of the last two dimensions, those around the head; the other dimensions stand
/// where the head is. All of these numbers are strings of digits, for they can exceed 2^53.
std::string elements(const Trace& trace, const ViewState& view);

/// What can be done by pointer to the tensor on the stage (see ops/gesture.h for GESTURE):
///   null where the step has no tensor with elements to show, or the view asks, else
///   { "object", "name", "library", "axes": [AXIS..], "offset": NUMBER, "idioms": [{"label", "gesture": GESTURE}..] }
/// AXIS is { "name": "dim 1", "color": 0..7, "size": NUMBER, "stride": NUMBER,
///           "splits": [inner size..], "merge": null, SENTENCE why it does not join with the next, or true }
/// NUMBER is { "value", "lowest", "highest" }, the range in which the raw layout stays inside the storage; strides and
/// offset in the tensor's own unit, and sizes up to 64 where nothing else bounds them. Numbers are strings of digits.
std::string gestures(const Trace& trace, const ViewState& view);
/// The program with that gesture done to the tensor on the stage:
///   { "code", "step", "line": the statement } or { "refused": SENTENCE }
std::string rewritten(const Trace& trace, const ViewState& view, std::string_view gesture);

/// The shapes of one rank (clamped to 1 .. max_shape_rank of layout/shapes.h) that the tensor on the stage can be
/// given:
///   null where the step has no tensor with elements to show, or the view asks, else { "views": LIST, "copies": LIST }
/// LIST is { "count", "shapes": [[size..]..] }, at most as many as a page can show; numbers are strings of digits.
std::string shapes(const Trace& trace, const ViewState& view, int rank);

/// The first element of the tensor on the stage that reads a cell of its storage, in digits; "" where none does.
std::string reader(const Trace& trace, const ViewState& view, const Target& cell);

/// What the bytes of a file are to a page: { "document": to_text() } of a picture that carries one, { "code": TEXT } of
/// a program, or { "refused": SENTENCE }. A picture's room stays its own.
std::string opened(std::string_view bytes, Language language);

/// What somebody thinks will come of an operation, each part in words of their own.
struct Guess {
  std::string kind;     ///< a mark of APPLIED; "none" where no tensor comes of it
  std::string sizes;    ///< "(2, 3)", "[2,3]", "2 3", "torch.Size([2, 3])": whole numbers and what stands between them
  std::string strides;  ///< likewise, in the library's own unit
};
/// What is asked about the operation that `view` shows, and whether the guess is right:
///   null where there is no step, else
///   { "input": the name of the tensor that it is applied to, or "", "bytes": whether strides are counted in bytes,
///     "kind": JUDGED, "sizes": JUDGED or null, "strides": JUDGED or null where no tensor comes of it }
/// JUDGED is { "right", "truth": TEXT }. A part that was left blank or that cannot be read is wrong.
std::string judged(const Trace& trace, const ViewState& view, const Guess& guess);

/// The words of buttons and headings, {"label_play": "Play", ..}: every message whose id begins with "label_", its
/// placeholders as they are.
std::string labels(Language language);

}  // namespace stridescope
