// Blocks, which are not run: they are passed over, and what is easily written without them is offered.
#include <algorithm>

#include "lang/parser.h"

namespace stridescope {
namespace {

constexpr std::string_view continuations[] = {"elif", "else", "except", "finally"};
constexpr std::string_view writes[] = {"append",  "clear",     "copy_", "extend", "fill",   "insert",
                                       "itemset", "partition", "pop",   "put",    "remove", "resize",
                                       "reverse", "setflags",  "sort",  "update"};
constexpr size_t most_rounds = 16, most_bytes = 2000;  // of a loop that is written out

/// The numbers of range(..), as they are written; none where they are too many or no numbers.
std::vector<std::string> numbers_of(const std::vector<std::string_view>& bounds) {
  int64_t part[3] = {0, 0, 1};
  if (bounds.empty() || bounds.size() > 3) return {};
  for (size_t i = 0; i < bounds.size(); ++i) {
    const Tokens tokens = tokenize(bounds[i]);
    const bool minus = tokens.list[0].spelling == "-";
    const Token& number = tokens.list[minus ? 1 : 0];
    if (number.kind != Token::Kind::integer || tokens.list.size() != (minus ? 3 : 2)) return {};
    part[bounds.size() == 1 ? 1 : i] = minus ? -number.integer : number.integer;
  }
  std::vector<std::string> numbers;
  for (int64_t at = part[0]; part[2] > 0 ? at < part[1] : at > part[1];) {
    numbers.push_back(std::to_string(at));
    if (numbers.size() > most_rounds || __builtin_add_overflow(at, part[2], &at) || part[2] == 0) return {};
  }
  return numbers;
}

}  // namespace

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
    return token < end && tokens_.list[token].kind == Token::Kind::name && !is_python_word(word(token));
  };
  const auto behind = [&](size_t token) {  // what stands in its brackets passed over
    return tokens_.list[token].mate > static_cast<int>(token) ? static_cast<size_t>(tokens_.list[token].mate) + 1
                                                              : token + 1;
  };
  for (size_t i = first + 1; i < end && (word(first) == "for" || word(first) == "del") && word(i) != "in"; ++i)
    if (is_name(i)) block.binds.emplace_back(word(i));
  size_t equals = first, method = first;
  for (size_t i = first; i < end; i = behind(i)) {
    if (word(i) == "as" && is_name(i + 1)) block.binds.emplace_back(word(i + 1));
    if (word(i) == ":" && is_python_word(word(first))) first = equals = method = i + 1;  // behind a header
    if (word(i) == "=" || is_augmented(word(i))) equals = i;
    if (word(i) == "." && word(i + 2) == "(") method = i + 1;
  }
  for (size_t i = first; i < equals && word(i) != ":"; i = behind(i)) {
    if (!is_name(i) || (i > first && word(i - 1) == ".")) continue;
    const bool inside = word(i + 1) == "." || word(i + 1) == "[" || is_augmented(word(equals));
    (inside ? block.changes : block.binds).emplace_back(word(i));
  }
  const bool into =
      word(method).ends_with("_") || std::find(std::begin(writes), std::end(writes), word(method)) != std::end(writes);
  if (equals == first && method > first && is_name(first) && into) block.changes.emplace_back(word(first));
}

/// The colon that ends a block's header; `below` where there is none.
size_t Parser::colon_of(size_t header, size_t below) const {
  while (header < below && tokens_.list[header].spelling != ":")
    header = std::max(header + 1, static_cast<size_t>(tokens_.list[header].mate + 1));
  return std::min(header, below);
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

/// What stands between the commas of a list or tuple whose brackets are `first` and `last`; none where its items are
/// not told one by one.
std::vector<std::string_view> Parser::items_written(size_t first, size_t last) const {
  std::vector<std::string_view> items;
  for (size_t begin = first + 1, at = begin; at <= last; ++at) {
    const Token& token = tokens_.list[at];
    if (at < last && (token.spelling == "for" || (at == begin && token.spelling == "*"))) return {};
    if (at < last && token.mate > 0) at = static_cast<size_t>(token.mate);
    if (at < last && token.spelling != ",") continue;
    const auto from = static_cast<size_t>(tokens_.list[begin].span.begin);
    if (at > begin) items.push_back(source_.substr(from, static_cast<size_t>(tokens_.list[at - 1].span.end) - from));
    begin = at + 1;
  }
  return items;
}

/// A fix with the lines of a `for` loop over what is written there, once for each round.
/// @param below  the token after the header's line; the block's last is before position_
void Parser::offer_lines(size_t header, size_t below) {
  if (failure_->reason.id != Msg::lang_loop || tokens_.list[header].spelling != "for") return;
  const size_t colon = colon_of(header, below), body = colon + 1;
  if (body >= position_) return;
  const auto in_header = [&](const Token& token) { return token.first && token.indent <= tokens_.list[header].indent; };
  const auto leaves = [&](const Token& token) {
    return token.spelling == "break" || token.spelling == "continue" || token.spelling == "return";
  };
  for (size_t i = body; i < position_; ++i)
    if (in_header(tokens_.list[i]) || leaves(tokens_.list[i])) return;
  const std::string lines = lines_of_block(header, body);
  const Span whole{tokens_.list[header].span.begin, tokens_.list[position_ - 1].span.end};
  size_t in = header + 1;
  while (in < colon && tokens_.list[in].spelling != "in") ++in;
  const size_t opener = in + (tokens_.list[in + 1].spelling == "range" ? 2 : 1);
  if (in == header + 1 || opener >= colon || tokens_.list[opener].mate != static_cast<int>(colon) - 1) return;
  const bool range = opener == in + 2;
  const std::vector<std::string_view> written = items_written(opener, colon - 1);
  const bool in_brackets = tokens_.list[opener].spelling == "(" && tokens_.list[colon - 2].spelling != ",";
  if (!range && written.size() == 1 && in_brackets) return;  // (x) is no tuple
  const std::vector<std::string> items =
      range ? numbers_of(written) : std::vector<std::string>(written.begin(), written.end());
  const auto from = static_cast<size_t>(tokens_.list[header + 1].span.begin);
  const std::string_view target = source_.substr(from, static_cast<size_t>(tokens_.list[in - 1].span.end) - from);
  const size_t line = source_.find_last_of("\r\n", static_cast<size_t>(whole.begin)) + 1;
  const std::string margin(source_.substr(line, static_cast<size_t>(whole.begin) - line));
  std::string text;
  for (const std::string& item : items)
    text += (text.empty() ? "" : "\n" + margin) + std::string(target) + " = " + item + "\n" + margin + lines;
  if (items.empty() || items.size() > most_rounds || text.size() > most_bytes) return;
  failure_->hints.front().fix = Fix{whole, std::move(text)};
}

}  // namespace stridescope
