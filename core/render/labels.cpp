#include <algorithm>
#include <array>
#include <iterator>

#include "render/json.h"
#include "render/report.h"

namespace stridescope {

namespace {

struct Entry {
  Msg id;
  std::string_view name;
};
constexpr Entry messages[] = {
#define MESSAGE(id, text) {Msg::id, #id},
#include "explain/english.inc"
#undef MESSAGE
};
constexpr bool is_label(const Entry& entry) { return entry.name.starts_with("label_"); }

/// Picked out by the compiler, so that the names of all the others are in no program.
constexpr auto chosen = [] {
  std::array<Entry, static_cast<size_t>(std::count_if(std::begin(messages), std::end(messages), is_label))> entries{};
  std::copy_if(std::begin(messages), std::end(messages), entries.begin(), is_label);
  return entries;
}();

}  // namespace

std::string labels(Language language) {
  Json json;
  json.object();
  for (const auto& [id, name] : chosen) json.key(name).value(plain({id, {"{0}", "{1}", "{2}"}}, language));
  json.end();
  return std::move(json).text();
}

}  // namespace stridescope
