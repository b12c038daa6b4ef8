// A sentence before it is put into words: which one, with the numbers of this very call. Text comes from the
// catalogue (one file per language), so the call that computes the numbers also says why, in every language.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "explain/literal.h"
#include "explain/target.h"

namespace stridescope {

enum class Language : uint8_t { english, chinese };

/// One enumerator per sentence; english.inc is the list, chinese.inc must have the same ids and placeholders.
enum class Msg : uint16_t {
#define MESSAGE(id, text) id,
#include "explain/english.inc"
#undef MESSAGE
};

/// How many messages there are: their ids are 0 .. message_count - 1.
inline constexpr int message_count = 0
#define MESSAGE(id, text) +1
#include "explain/english.inc"
#undef MESSAGE
    ;

/// What fills a placeholder: text already in its final form (numbers and code need no translation).
struct Arg {
  std::string text;
  Target target;
};

/// An Arg before anybody keeps it: a number, or text that is the caller's until the call returns.
class Slot {
 public:
  Slot(const std::string& text);
  Slot(const std::string_view& text);
  Slot(const char* text);
  Slot(int64_t number);
  Slot(int number);
  Slot(size_t number);
  Slot(char) = delete;  // a letter or a number?
  Slot(bool) = delete;
  Slot(const Slot& content, const Target& target);
  void append_to(std::string& text) const;
  const Target& target() const { return target_; }

 private:
  const char* text_ = nullptr;  // null of a number
  int64_t number_;              // the length of a text
  Target target_;
};

/// What fills the placeholders of a message, or the pieces of a text: {d, size}, or {"dim ", d, " is out of range"}.
/// As short-lived as a Slot. Nothing is left to destroy, and at the caller's one is a call a slot and nothing more: the
/// hundreds of calls that say something are most of the module's code.
class Slots {
 public:
  template <typename... Parts>
    requires(std::is_convertible_v<const Parts&, Slot> && ...)
  [[gnu::always_inline]] Slots(const Parts&... parts) : Slots(Empty{}) {
    static_assert(sizeof...(Parts) <= capacity);
    static_cast<void>((*this << ... << parts));
  }
  const Slot* begin() const { return slots_; }
  const Slot* end() const { return slots_ + count_; }
  /// One after the other.
  std::string str() const;

 private:
  static constexpr size_t capacity = 16;
  struct Empty {};
  Slots(Empty);
  Slots& operator<<(const std::string& text);
  Slots& operator<<(const std::string_view& text);
  Slots& operator<<(const char* text);
  Slots& operator<<(int64_t number);
  Slots& operator<<(int number);
  Slots& operator<<(size_t number);
  Slots& operator<<(const Slot& slot);

  size_t count_;
  union {
    Slot slots_[capacity];  // those from count_ on are never read
  };
};

/// A template of the catalogue and its arguments. `{0}` is argument 0; `{0|element|elements}` chooses by whether
/// argument 0 is "1" (for English plurals); text in `backquotes` is code; `{{` is a brace; "<dim {0} (stride {1})>" is
/// one phrase that points where the first of its arguments does. An argument is never read as a template, whatever it
/// holds; one that is missing shows as "?".
struct Message {
  Message() = default;
  Message(Msg id_, const Slots& slots = {});
  Msg id{};
  std::vector<Arg> args;
};

/// A piece of finished text; some pieces point at what they are about.
struct Run {
  std::string text;
  bool code = false;  ///< set in the monospace face
  Target target;
};
using Line = std::vector<Run>;

/// A template with its arguments in place.  @pre `text` is well formed (tests hold the catalogues to it)
Line fill(std::string_view text, const std::vector<Arg>& args);
/// The message in words.  @post no placeholder is left in any run
Line words(const Message& message, Language language);
/// The same as one string, backquotes removed.
std::string plain(const Message& message, Language language);

/// Why an operation did what it did: a headline, then the reasons one line at a time.
struct Explanation {
  std::vector<Message> lines;  ///< lines[0] is the headline
};

}  // namespace stridescope
