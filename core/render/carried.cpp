#include "render/carried.h"

#include <algorithm>
#include <optional>

#include "render/png.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr std::string_view png_keyword = "Stridescope", in_markup = " data-stridescope=\"",
                           in_pdf = "/Keywords (stridescope:";

std::string_view without_leading(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
}

bool is_pdf(std::string_view bytes) { return bytes.starts_with("%PDF-"); }

/// What stands between `opening` and the next `closing`; nothing where there is no opening, empty without an end.
std::optional<std::string> between(std::string_view bytes, std::string_view opening, char closing) {
  const size_t at = bytes.find(opening);
  if (at == std::string_view::npos) return std::nullopt;
  bytes.remove_prefix(at + opening.size());
  const size_t end = bytes.find(closing);
  // An entity writes each of the text's bytes as at most five.
  if (end == std::string_view::npos || end > size_t{5} * max_document_bytes) return "";
  return std::string(bytes.substr(0, end));
}

/// Undoes the only entity that carried() needs.
std::string without_entities(std::string text) {
  constexpr std::string_view entity = "&amp;";
  for (size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) text.replace(at, entity.size(), "&");
  return text;
}

}  // namespace

std::string carried(const Document& document) {
  Document lasting = document;
  lasting.view.hover = {};
  lasting.view.phase = 0;
  std::string text;
  for (const char c : to_text(lasting, true))
    if (c == '(')
      text += "%28";  // brackets end a string of a PDF
    else if (c == ')')
      text += "%29";
    else
      text += c;
  return text;
}

std::string carrying(std::string_view png, std::string_view carried) { return with_text(png, png_keyword, carried); }

bool is_picture(std::string_view bytes) {
  return is_png(bytes) || is_pdf(bytes) || without_leading(bytes).starts_with('<');
}

std::variant<Document, Message> document_in(std::string_view bytes) {
  const Message damaged{Msg::figure_damaged, {}};
  std::optional<std::string> text;
  if (is_png(bytes)) {
    const PngText found = text_in(bytes, png_keyword);
    if (found.damaged) return damaged;
    if (found.text) text = std::string(*found.text);
  } else if (is_pdf(bytes)) {
    text = between(bytes, in_pdf, ')');
  } else if ((text = between(bytes, in_markup, '"'))) {
    text = without_entities(std::move(*text));
  }
  if (!text) return Message{Msg::figure_foreign, {}};
  std::vector<Diagnostic> problems;
  Document document = parse_document(*text, problems);
  if (!text->starts_with("v=") || !problems.empty() || document.source.size() > max_source_bytes) return damaged;
  return document;
}

}  // namespace stridescope
