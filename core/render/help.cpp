#include "render/help.h"

#include "ops/python/completion.h"
#include "render/json.h"

namespace stridescope {
namespace {

std::string_view kind_name(Form::Kind kind) {
  constexpr std::string_view names[] = {"method", "function", "attribute", "setter",  "subscript",
                                        "store",  "binary",   "prefix",    "in_place"};
  return names[static_cast<size_t>(kind)];
}

std::string_view kind_name(Completion::Kind kind) {
  constexpr std::string_view names[] = {"variable", "argument", "attribute", "method",
                                        "function", "module",   "constant"};
  return names[static_cast<size_t>(kind)];
}

size_t first_parameter(const Form& form) { return has_receiver(form.kind) ? 1 : 0; }

void write_span(Json& json, std::string_view name, int64_t begin, int64_t end) {
  json.key(name).array().value(begin).value(end).end();
}

void write_parameters(Json& json, const Form& form) {
  json.key("parameters").array();
  for (size_t p = first_parameter(form); p < form.parameters.size(); ++p) {
    const Parameter& parameter = form.parameters[p];
    json.object().put("name", parameter.name).put("type", parameter.type).key("default");
    parameter.fallback.empty() ? json.null() : json.value(parameter.fallback);
    json.put("variadic", parameter.variadic).put("keyword_only", parameter.keyword_only);
    const Span place = span_in_text(form, p);
    write_span(json, "span", place.begin, place.end);
    json.end();
  }
  json.end();
}

std::string summary(const Op& op, Language language) { return plain({op.summary, {}}, language); }

}  // namespace

std::string operations(Language language) {
  Json json;
  json.array();
  for (const Op* op : operation_table()) {
    json.object().put("library", op->library == Library::torch ? "torch" : "numpy").key("forms").array();
    for (const Form& form : forms_of(*op)) {
      json.object().put("kind", kind_name(form.kind)).put("name", form.name).put("signature", form.text);
      write_parameters(json, form);
      json.end();
    }
    json.end().put("summary", summary(*op, language)).put("law", op->law).put("example", op->example).end();
  }
  json.end();
  return std::move(json).text();
}

std::string complete(std::string_view source, int64_t position, Language language) {
  const Completions found = completions_at(source, position);
  Json json;
  json.object();
  write_span(json, "replaced", found.replaced.begin, found.replaced.end);
  json.key("items").array();
  for (const Completion& item : found.items) {
    json.object()
        .put("kind", kind_name(item.kind))
        .put("text", item.text)
        .put("detail", item.detail)
        .key("forms")
        .array();
    for (const Form* form : item.forms)
      json.object().put("signature", form->text).put("operation", row_of(*form->op)).end();
    json.end().put("summary", item.forms.empty() ? "" : summary(*item.forms.front()->op, language)).end();
  }
  json.end().end();
  return std::move(json).text();
}

std::string signature_help(std::string_view source, int64_t position, Language language) {
  const auto help = call_help_at(source, position);
  if (!help) return "null";
  Json json;
  json.object();
  write_span(json, "callee", help->callee.begin, help->callee.end);
  json.put("active", help->active).key("forms").array();
  for (const CallHelp::Way& way : help->ways) {
    json.object().put("signature", way.form->text).put("operation", row_of(*way.form->op));
    write_parameters(json, *way.form);
    json.key("parameter");
    way.parameter < 0 ? json.null() : json.value(way.parameter - static_cast<int>(first_parameter(*way.form)));
    json.put("summary", summary(*way.form->op, language)).end();
  }
  json.end().end();
  return std::move(json).text();
}

}  // namespace stridescope
