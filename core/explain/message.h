// A sentence before it is put into words: which one, with the numbers of this very call. Text comes from the
// catalogue (one file per language), so the call that computes the numbers also says why, in every language.
#pragma once
#include <string>
#include <string_view>
#include <vector>

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
  Arg(std::string text_, Target target_ = {}) : text(std::move(text_)), target(target_) {}
  Arg(std::string_view text_, Target target_ = {}) : text(text_), target(target_) {}
  Arg(const char* text_, Target target_ = {}) : text(text_), target(target_) {}
  Arg(int64_t number, Target target_ = {}) : text(std::to_string(number)), target(target_) {}
  Arg(int number, Target target_ = {}) : text(std::to_string(number)), target(target_) {}
  std::string text;
  Target target;
};

/// A template of the catalogue and its arguments. `{0}` is argument 0; `{0|element|elements}` chooses by whether
/// argument 0 is "1" (for English plurals); text in `backquotes` is code; `{{` is a brace; "<dim {0} (stride {1})>" is one
/// phrase that points where the first of its arguments does. An argument is never read as a template, whatever it holds;
/// one that is missing shows as "?".
struct Message {
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
