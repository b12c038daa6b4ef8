// JSON written as it comes: commas and closing brackets are kept by the writer, strings are escaped (bytes that are not
// UTF-8 become U+FFFD), integers are whole.
//
//   Json json;
//   json.object().key("sizes").array().value(2).value(3).end().end();   // {"sizes":[2,3]}
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "layout/dims.h"

namespace stridescope {

class Json {
 public:
  Json& object() { return open('{', '}'); }
  Json& array() { return open('[', ']'); }
  /// Closes the innermost object or array.  @pre one is open
  Json& end();
  /// @pre  the innermost is an object; a value follows
  Json& key(std::string_view name);
  Json& key(const char* name) { return key(std::string_view(name)); }

  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(const std::string& text) { return value(std::string_view(text)); }
  Json& value(const Dims& dims);
  Json& value(std::same_as<bool> auto flag) { return raw(flag ? "true" : "false"); }
  Json& value(std::integral auto number) requires(!std::same_as<decltype(number), bool>) {
    return raw(std::to_string(number));
  }
  Json& null() { return raw("null"); }
  /// Text that is JSON already.
  Json& raw(std::string_view json);

  /// key(name) and value(..) in one.
  template <class T>
  Json& put(const char* name, const T& content) {
    return key(name).value(content);
  }

  /// @pre  everything is closed
  std::string text() && { return std::move(text_); }

 private:
  Json& open(char opening, char closing);
  void comma();

  std::string text_;
  std::string closing_;  ///< of what is open, the innermost last
  bool first_ = true;    ///< nothing stands yet in the innermost
};

}  // namespace stridescope
