#include "render/report.h"

#include <algorithm>

#include "lang/utf8.h"
#include "layout/shapes.h"
#include "ops/op.h"
#include "render/notations.h"
#include "render/report_parts.h"
#include "scene/picture.h"
#include "stridescope.h"

namespace stridescope {
namespace {

void write_span(Json& json, Span span) { json.key("span").array().value(span.begin).value(span.end).end(); }

void write_tensor(Json& json, std::string_view name, const TensorPtr& tensor) {
  json.key(name);
  tensor ? write(json, *tensor) : void(json.null());
}

void write_error(Json& json, const std::optional<Diagnostic>& error, Language language) {
  json.key("error");
  error ? write(json, *error, language) : void(json.null());
}

/// As many shapes as an explorer can show at once.
constexpr int most_nearest = 24;

void write(Json& json, const ViewAttempt& attempt) {
  json.object();
  write_tensor(json, "tensor", attempt.tensor);
  json.put("requested", attempt.requested)
      .put("sizes", attempt.sizes)
      .put("order", attempt.order == Order::c ? "C" : "F");
  const Layout layout = slowest_left(attempt.tensor->layout, attempt.order);
  const bool any = numel(layout.sizes).value_or(0) > 0 && numel(attempt.sizes) == numel(layout.sizes);
  const auto shapes = any ? std::optional(Shapes(layout)) : std::nullopt;
  json.put("views", shapes ? shapes->views() : 0).put("copies", shapes ? shapes->copies() : 0).key("shapes").array();
  if (shapes)
    for (const Shape& shape : shapes->nearest(slowest_left(attempt.sizes, attempt.order), Wanted::all, most_nearest))
      json.object().put("sizes", slowest_left(shape.sizes, attempt.order)).put("views", shape.views).end();
  json.end().end();
}

void write(Json& json, const Applied& applied, Language language) {
  json.object();
  write_span(json, applied.span);
  json.put("title", applied.title).key("signature");
  applied.op ? json.value(first_form(*applied.op).text) : json.null();
  json.put("mark", applied.error ? "error" : mark_of(applied.relation)).key("inputs").array();
  for (const TensorPtr& input : applied.inputs) write(json, *input);
  json.end();
  write_tensor(json, "result", tensor_of(applied.result));
  json.put("value", to_string(applied.result)).key("why").array();
  for (const Message& line : applied.why.lines) write(json, line, language);
  json.end().key("attempt");
  applied.attempt ? write(json, *applied.attempt) : void(json.null());
  write_error(json, applied.error, language);
  json.end();
}

void write(Json& json, const Notation& notation, Language language) {
  json.object().put("system", notation.system).key("text");
  notation.why_not ? json.null() : json.value(notation.text);
  json.key("why_not");
  notation.why_not ? write(json, *notation.why_not, language) : void(json.null());
  json.end();
}

std::string_view mark(const Step& step) { return step.error ? "error" : mark_of(relation(step)); }

void write_text(Json& json, const Step& step) {
  json.put("line", step.line);
  write_span(json, step.span);
  json.put("text", step.text).put("inside", step.inside).put("round", step.round);
  json.put("rounds", step.rounds).put("call", is_call(step));
}

void write_value(Json& json, const Step& step) {
  json.key("value");
  is_none(step.value) ? json.null() : json.value(to_string(step.value));
}

void write_changed(Json& json, const Step& step) {
  json.key("changed").array();
  for (const Change& change : step.changed)
    json.object().put("name", change.name).put("values", change.values).put("metadata", change.metadata).end();
  json.end();
}

void write(Json& json, const Step& step, Language language) {
  json.object();
  write_text(json, step);
  json.key("targets").array();
  for (const std::string& target : step.targets) json.value(target);
  json.end().put("mark", mark(step));
  write_tensor(json, "result", tensor_of(step.value));
  write_value(json, step);
  json.key("applied").array();
  for (const Applied& applied : step.applied) write(json, applied, language);
  json.end();
  const auto decided = decision(step);
  json.key("decision");
  decided ? write(json, *decided, language) : void(json.null());
  write_error(json, step.error, language);
  write_changed(json, step);
  json.key("names").array();
  for (const Named& named : step.names) {
    json.object().put("name", named.name);
    write_tensor(json, "tensor", named.tensor);
    json.end();
  }
  json.end().key("notations").array();
  if (const TensorPtr tensor = shown_tensor(step))
    for (const Notation& notation : notations(*tensor)) write(json, notation, language);
  json.end().end();
}

void write_outline(Json& json, const Trace& trace, const Step& step, Language language) {
  json.object();
  write_text(json, step);
  json.key("targets").array();
  for (const std::string& target : step.targets) json.value(target);
  json.end().put("bound", bound_text(step)).put("mark", mark(step)).key("result");
  if (const TensorPtr tensor = tensor_of(step.value))
    json.object().put("object", tensor->object).put("layout", to_string(tensor->layout)).end();
  else
    json.null();
  if (step.wrote.empty())
    write_value(json, step);
  else
    json.put("value", written_line(trace, step, 200));
  write_error(json, step.error, language);
  write_changed(json, step);
  json.end();
}

void write_all(Json& json, const std::vector<Diagnostic>& diagnostics, Language language) {
  json.array();
  for (const Diagnostic& diagnostic : diagnostics) write(json, diagnostic, language);
  json.end();
}

void write_output(Json& json, const Trace& trace) {
  json.key("output").array();
  for (const auto& [text, step] : writings(trace)) json.object().put("step", step).put("text", text).end();
  json.end();
}

}  // namespace

std::string_view mark_of(Relation relation) {
  static constexpr std::string_view marks[] = {"", "new", "view", "copy", "same", "write"};
  return marks[static_cast<size_t>(relation)];
}

void write(Json& json, const Tensor& tensor) {
  json.object()
      .put("object", tensor.object)
      .put("library", tensor.library == Library::torch ? "torch" : "numpy")
      .put("dtype", dtype_text(tensor))
      .put("itemsize", tensor.item_bytes())
      .put("sizes", tensor.layout.sizes)
      .put("strides", tensor.layout.strides)
      .put("offset", tensor.layout.storage_offset)
      .put("layout", to_string(tensor.layout))
      .put("numel", numel(tensor.layout.sizes).value_or(0))
      .put("storage", tensor.storage->id)
      .put("cells", tensor.storage->cells())
      .end();
}

void write(Json& json, const Message& sentence, Language language) {
  json.array();
  for (const Run& run : words(sentence, language)) {
    json.object().put("text", run.text);
    if (run.code) json.put("code", true);
    if (run.target.kind != Target::Kind::none) json.put("target", to_string(run.target));
    json.end();
  }
  json.end();
}

static void write(Json& json, const Fix* fix) {
  if (!fix) return void(json.null());
  json.object();
  write_span(json, fix->span);
  json.put("replacement", fix->replacement).end();
}

void write(Json& json, const Diagnostic& diagnostic, Language language) {
  json.object();
  write_span(json, diagnostic.span);
  json.key("reason");
  write(json, diagnostic.reason, language);
  json.key("raised");
  if (diagnostic.raised)
    json.object().put("type", diagnostic.raised->type).put("text", diagnostic.raised->text).end();
  else
    json.null();
  json.key("hints").array();
  for (const Hint& hint : diagnostic.hints) {
    json.object().key("text");
    write(json, hint.message, language);
    json.key("fix");
    write(json, hint.fix ? &*hint.fix : nullptr);
    json.put("reorders", hint.reorders()).end();
  }
  json.end().end();
}

std::string report(const Trace& trace, Language language) {
  Json json;
  json.object().put("version", 1).put("source", trace.source).key("diagnostics");
  write_all(json, trace.diagnostics, language);
  json.key("steps").array();
  for (const Step& step : trace.steps) write(json, step, language);
  json.end();
  write_output(json, trace);
  json.end();
  return std::move(json).text();
}

std::string outline(const Trace& trace, Language language) {
  Json json;
  json.object().key("diagnostics");
  write_all(json, trace.diagnostics, language);
  json.key("steps").array();
  for (const Step& step : trace.steps) write_outline(json, trace, step, language);
  json.end().key("passed").array();
  for (const Span& span : trace.passed) json.array().value(int64_t{span.begin}).value(int64_t{span.end}).end();
  json.end();
  write_output(json, trace);
  json.end();
  return std::move(json).text();
}

std::string step_report(const Trace& trace, const ViewState& view) {
  Json json;
  if (trace.steps.empty())
    json.null();
  else
    write(json, trace.steps[shown_step(trace, view)], view.language);
  return std::move(json).text();
}

std::string fix_report(const Trace& trace, const ViewState& view, const Target& target) {
  Json json;
  write(json, fix_at(trace, view, target));
  return std::move(json).text();
}

std::string report(const std::vector<Diagnostic>& diagnostics, Language language) {
  Json json;
  write_all(json, diagnostics, language);
  return std::move(json).text();
}

}  // namespace stridescope
