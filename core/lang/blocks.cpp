// Blocks, which are not run: they are passed over, and what is easily written without them is offered.
#include <algorithm>

#include "lang/parser.h"

namespace stridescope {
namespace {

constexpr std::string_view continuations[] = {"elif", "else", "except", "finally"};
constexpr std::string_view writes =
    " __delitem__ __setitem__ append clear copy_ difference_update discard extend fill insert intersection_update "
    "itemset partition pop popitem put remove resize reverse setdefault setfield setflags sort "
    "symmetric_difference_update update ";

}  // namespace

bool writes_into(std::string_view method) {
  return (method.ends_with("_") && !method.ends_with("__")) ||
         writes.find(" " + std::string(method) + " ") != writes.npos;
}

/// Takes what is indented under an unsupported header, and the clauses that go on with it.
void Parser::skip_block(std::string_view header, int indent) {
  const size_t end = tokens_.list.size() - 1;
  while (position_ < end) {
    const Token& next = tokens_.list[position_];
    const bool clause =
        next.indent == indent && header != "def" && header != "class" &&
        std::find(std::begin(continuations), std::end(continuations), next.spelling) != std::end(continuations);
    if (next.indent <= indent && !clause) return;
    position_ = logical_line_end(tokens_, position_);
  }
}

/// What the lines of decorators from here on stand above: "def", "class" or "async"; nothing, if neither.
std::string_view Parser::decorated(int indent) const {
  size_t line = position_;
  const auto word = [&] { return tokens_.list[line].indent == indent ? tokens_.list[line].spelling : ""; };
  while (word() == "@") line = logical_line_end(tokens_, line);
  return word() == "def" || word() == "class" || word() == "async" ? word() : "";
}

/// That of which a decorator makes something else.
void Parser::skip_decorated(int indent) {
  if (decorated(indent).empty()) return;
  while (tokens_.list[position_].spelling == "@") position_ = logical_line_end(tokens_, position_);
  position_ = logical_line_end(tokens_, position_);
  skip_block("def", indent);
}

/// What the lines from token `first` up to position_ may do to names, as far as their words tell. Of a function or a
/// class it is its own name.
void Parser::note_effects(size_t first, Statement& block) const {
  const auto word = [&](size_t token) { return tokens_.list[token].spelling; };
  for (size_t line = first; line < position_;) {
    const size_t end = std::min(logical_line_end(tokens_, line), position_);
    const size_t name = line + (word(line) == "async" ? 2 : 1);
    const bool definition = name < end && (word(name - 1) == "def" || word(name - 1) == "class");
    if (definition)
      block.binds.emplace_back(word(name));
    else
      note_effects_of_line(line, end, block);
    const int indent = tokens_.list[line].indent;
    line = end;
    while (definition && line < position_ && tokens_.list[line].indent > indent) line = logical_line_end(tokens_, line);
  }
}

void Parser::note_effects_of_line(size_t first, size_t end, Statement& block) const {
  const auto word = [&](size_t token) { return token < end ? tokens_.list[token].spelling : std::string_view(); };
  const auto is_name = [&](size_t token) {
    return token < end && tokens_.list[token].kind == Token::Kind::name && !tokens_.list[token].word;
  };
  const auto behind = [&](size_t token) {  // what stands in its brackets passed over
    return tokens_.list[token].mate > static_cast<int>(token) ? static_cast<size_t>(tokens_.list[token].mate) + 1
                                                              : token + 1;
  };
  for (size_t i = first + 1; i < end && (word(first) == "for" || word(first) == "del") && word(i) != "in"; ++i)
    if (is_name(i)) block.binds.emplace_back(word(i));
  for (size_t i = first; i + 1 < end; ++i)
    if (is_name(i) && word(i + 1) == ":=") block.binds.emplace_back(word(i));
  size_t equals = first, method = first;
  for (size_t i = first; i < end; i = behind(i)) {
    if (word(i) == "as" && is_name(i + 1)) block.binds.emplace_back(word(i + 1));
    if (word(i) == ":" && tokens_.list[first].is_reserved()) first = equals = method = i + 1;  // behind a header
    if (word(i) == "=" || is_augmented(tokens_.list[i].word)) equals = i;
    if (word(i) == "." && word(i + 2) == "(") method = i + 1;
  }
  for (size_t i = first; i < equals && word(i) != ":"; i = behind(i)) {
    if (!is_name(i) || (i > first && word(i - 1) == ".")) continue;
    const bool inside = word(i + 1) == "." || word(i + 1) == "[" || is_augmented(tokens_.list[equals].word);
    (inside ? block.changes : block.binds).emplace_back(word(i));
  }
  // What add() of a tensor gives nobody would leave: it is that of a set.
  const bool writes_there = writes_into(word(method)) || word(method) == "add";
  if (equals == first && method > first && is_name(first) && writes_there) block.changes.emplace_back(word(first));
}

/// The lines of a block from token `body` up to position_, as far to the left as its header. What lies inside a string
/// stays where it is.
std::string Parser::lines_of_block(size_t header, size_t body) const {
  const auto begin_of = [&](size_t token) { return static_cast<size_t>(tokens_.list[token].span.begin); };
  const auto margin_of = [&](size_t token) {
    return begin_of(token) - (source_.find_last_of("\r\n", begin_of(token)) + 1);
  };
  const size_t left = margin_of(header), margin = tokens_.list[body].first ? margin_of(body) : 0;
  const auto end = static_cast<size_t>(tokens_.list[position_ - 1].span.end);
  std::string lines;
  for (size_t at = begin_of(body), token = body; at < end;) {
    const size_t next = std::min(source_.find('\n', at), end - 1) + 1;
    lines += source_.substr(at, next - at);
    at = next;
    while (token < position_ && static_cast<size_t>(tokens_.list[token].span.end) <= at) ++token;
    if (token < position_ && begin_of(token) < at) continue;
    for (size_t blank = left; blank < margin && at < end && (source_[at] == ' ' || source_[at] == '\t'); ++blank) ++at;
  }
  return lines;
}

}  // namespace stridescope
