// All that the page knows of C++: strings and numbers in, strings, numbers and views of finished geometry out.
// Stateless for the caller; the last program evaluated and the last scene drawn are kept because a page asks many
// questions about one of each. Nothing is thrown.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <optional>
#include <string>

#include "frame.h"
#include "stridescope.h"

namespace stridescope {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

const Trace& evaluated(const std::string& source) {
  static std::optional<Trace> last;
  static std::string last_source;
  if (!last || last_source != source) {
    last = evaluate(source);
    last_source = source;
  }
  return *last;
}

/// What the text of a document asks for; what is wrong with it is problems()' to say.
Document document_of(const std::string& text) {
  std::vector<Diagnostic> problems;
  return parse_document(text, problems);
}

struct Drawn {
  std::string text;
  Document document;
  Scene scene;
};

const Drawn& drawn(const std::string& text) {
  static std::optional<Drawn> last;
  if (!last || last->text != text) {
    const Document document = document_of(text);
    last = Drawn{text, document, draw(evaluated(document.source), document.view)};
  }
  return *last;
}

/// The document as its one writer writes it, without what belongs to a moment or a window.
std::string normalise(const std::string& text) { return to_text(document_of(text)); }

/// What is wrong with the text of a document.
std::string problems(const std::string& text) {
  std::vector<Diagnostic> found;
  const Document document = parse_document(text, found);
  return report(found, document.view.language);
}

std::string trace(const std::string& text) {
  const Document document = document_of(text);
  return report(evaluated(document.source), document.view.language);
}

std::string outline_of(const std::string& text) {
  const Document document = document_of(text);
  return outline(evaluated(document.source), document.view.language);
}

std::string step_of(const std::string& text) {
  const Document document = document_of(text);
  return step_report(evaluated(document.source), document.view);
}

std::string window(const std::string& text) {
  const Document document = document_of(text);
  return elements(evaluated(document.source), document.view);
}

/// The arrays are views into this module's memory, valid until its next call.
val frame(const std::string& text) {
  static Frame last;
  const Drawn& picture = drawn(text);
  last = frame_of(picture.scene, picture.document.view.theme);
  const auto* words = reinterpret_cast<const int32_t*>(last.items.data());
  val result = val::object();
  result.set("width", picture.scene.width);
  result.set("height", picture.scene.height);
  result.set("title", picture.scene.title);
  result.set("description", picture.scene.description);
  result.set("text", last.text);
  result.set("items", typed_memory_view(last.items.size() * sizeof(FrameItem) / sizeof(int32_t), words));
  result.set("points", typed_memory_view(last.points.size(), last.points.data()));
  result.set("pixels", typed_memory_view(4 * last.pixels.size(), reinterpret_cast<const uint8_t*>(last.pixels.data())));
  return result;
}

std::string hit_at(const std::string& text, Unit x, Unit y) { return to_string(hit(drawn(text).scene, Point{x, y})); }

std::string fix_of(const std::string& text, const std::string& target) {
  const Document document = document_of(text);
  return fix_report(evaluated(document.source), document.view, parse_target(target));
}

std::string svg_of(const std::string& text) {
  const Drawn& picture = drawn(text);
  return svg(picture.scene, picture.document.view.theme, carried(picture.document));
}

std::string assertions_of(const std::string& text) { return assertions(evaluated(document_of(text).source)); }

/// The program that the text of a document's code stands for, when it was pasted; that code itself where it is one.
std::string pasted(const std::string& text) {
  const Document document = document_of(text);
  return program_of(document.source, document.view.language).value_or(document.source);
}
std::string opened_as(const std::string& bytes, const std::string& text) {
  return opened(bytes, document_of(text).view.language);
}
std::string gestures_on(const std::string& text) {
  const Document document = document_of(text);
  return gestures(evaluated(document.source), document.view);
}
std::string rewritten_by(const std::string& text, const std::string& gesture) {
  const Document document = document_of(text);
  return rewritten(evaluated(document.source), document.view, gesture);
}
std::string judged_by(const std::string& text, const std::string& kind, const std::string& sizes,
                      const std::string& strides) {
  const Document document = document_of(text);
  return judged(evaluated(document.source), document.view, {kind, sizes, strides});
}
std::string shapes_of(const std::string& text, int rank) {
  const Document document = document_of(text);
  return shapes(evaluated(document.source), document.view, rank);
}

std::string reader_of(const std::string& text, const std::string& cell) {
  const Document document = document_of(text);
  return reader(evaluated(document.source), document.view, parse_target(cell));
}

/// Boxes in Unit, four numbers each: where the picture of the document shows a target, or all that its step changed
/// ("changed").
val places(const std::string& text, const std::string& target) {
  static std::vector<Unit> numbers;
  numbers.clear();
  const Scene& scene = drawn(text).scene;
  for (const Rect& box : target == "changed" ? changed_places(scene) : std::vector{place(scene, parse_target(target))})
    if (box.width > 0) numbers.insert(numbers.end(), {box.x, box.y, box.width, box.height});
  return val(typed_memory_view(numbers.size(), numbers.data()));
}

std::string operations_in(const std::string& text) { return operations(document_of(text).view.language); }
std::string complete_in(const std::string& text, int position) {
  const Document document = document_of(text);
  return complete(document.source, position, document.view.language);
}
std::string signature_help_in(const std::string& text, int position) {
  const Document document = document_of(text);
  return signature_help(document.source, position, document.view.language);
}
std::string labels_in(const std::string& text) { return labels(document_of(text).view.language); }

}  // namespace

EMSCRIPTEN_BINDINGS(stridescope) {
  emscripten::function("normalise", &normalise);
  emscripten::function("problems", &problems);
  emscripten::function("trace", &trace);
  emscripten::function("outline", &outline_of);
  emscripten::function("step", &step_of);
  emscripten::function("elements", &window);
  emscripten::function("frame", &frame);
  emscripten::function("frameFields", &frame_fields);
  emscripten::function("hit", &hit_at);
  emscripten::function("fix", &fix_of);
  emscripten::function("svg", &svg_of);
  emscripten::function("assertions", &assertions_of);
  emscripten::function("pasted", &pasted);
  emscripten::function("opened", &opened_as);
  emscripten::function("gestures", &gestures_on);
  emscripten::function("rewritten", &rewritten_by);
  emscripten::function("judged", &judged_by);
  emscripten::function("shapes", &shapes_of);
  emscripten::function("reader", &reader_of);
  emscripten::function("places", &places);
  emscripten::function("operations", &operations_in);
  emscripten::function("complete", &complete_in);
  emscripten::function("signatureHelp", &signature_help_in);
  emscripten::function("labels", &labels_in);
}

}  // namespace stridescope
