#include "render/json.h"
#include "render/report.h"

namespace stridescope {

std::string labels(Language language) {
  struct Entry {
    Msg id;
    std::string_view name;
  };
  static constexpr Entry messages[] = {
#define MESSAGE(id, text) {Msg::id, #id},
#include "explain/english.inc"
#undef MESSAGE
  };
  Json json;
  json.object();
  for (const auto& [id, name] : messages)
    if (name.starts_with("label_")) json.put(name, plain({id, {"{0}", "{1}", "{2}"}}, language));
  json.end();
  return std::move(json).text();
}

}  // namespace stridescope
