#include "lang/utf8.h"
#include "render/report_parts.h"
#include "stridescope.h"

namespace stridescope {

std::string opened(std::string_view bytes, Language language) {
  Json json;
  json.object();
  const auto refuse = [&](const Message& reason) {
    json.key("refused");
    write(json, reason, language);
  };
  if (is_picture(bytes)) {
    const auto found = document_in(bytes);
    if (const auto* document = std::get_if<Document>(&found))
      json.put("document", to_text(*document));
    else
      refuse(*std::get_if<Message>(&found));
  } else if (bytes.find('\0') != std::string_view::npos || valid_prefix(bytes) != bytes.size()) {
    refuse({Msg::source_not_utf8, {}});
  } else {
    const std::string code = program_of(bytes, language).value_or(std::string(bytes));
    if (code.size() > static_cast<size_t>(max_source_bytes))
      refuse({Msg::source_too_long, {static_cast<int64_t>(code.size()), max_source_bytes}});
    else
      json.put("code", code);
  }
  json.end();
  return std::move(json).text();
}

}  // namespace stridescope
