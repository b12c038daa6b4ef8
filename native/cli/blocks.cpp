#include "cli/blocks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace stridescope {
namespace {

constexpr size_t most_indent = 3;  ///< one more makes a block of code without a fence
constexpr size_t tab = 4;

/// A line whose front is taken off. Of a tab that is taken in part blanks stay.
class Line {
 public:
  explicit Line(std::string_view text) : rest_(text) {}

  bool is_blank() const { return rest_.find_first_not_of(" \t\r") == std::string_view::npos; }
  /// The columns of white space at the front.
  size_t indent() const {
    size_t column = column_;
    for (const char c : rest_)
      if (c == ' ')
        ++column;
      else if (c == '\t')
        column += tab - column % tab;
      else
        break;
    return blanks_ + column - column_;
  }
  /// What is behind them.
  std::string_view body() const { return rest_.substr(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  std::string text() const { return std::string(blanks_, ' ') + std::string(rest_); }
  size_t size() const { return rest_.size(); }

  /// @pre count <= indent()
  void take_indent(size_t count) {
    for (; count > 0; --count, --blanks_) {
      if (blanks_ > 0) continue;
      blanks_ = rest_.front() == '\t' ? tab - column_ % tab : 1;
      column_ += blanks_;
      rest_.remove_prefix(1);
    }
  }
  /// @pre no white space is at the front
  void take(size_t count) {
    column_ += count;
    rest_.remove_prefix(count);
  }

 private:
  std::string_view rest_;
  size_t column_ = 0, blanks_ = 0;
};

/// A quote, or an item of a list, whose lines are indented by its width.
struct Container {
  size_t width = 0;
  bool is_quote() const { return width == 0; }
};

/// A line of the container without what makes it one.
std::optional<Line> inside(Line line, const Container& container) {
  if (!container.is_quote()) {
    if (line.indent() < container.width && !line.is_blank()) return std::nullopt;
    line.take_indent(std::min(line.indent(), container.width));
    return line;
  }
  if (line.indent() > most_indent || !line.body().starts_with('>')) return std::nullopt;
  line.take_indent(line.indent());
  line.take(1);
  line.take_indent(std::min(line.indent(), size_t{1}));
  return line;
}

/// The container that begins with a line, and the line inside it.
/// @param in_paragraph  which only an item with text, the first of its list, interrupts
std::optional<std::pair<Container, Line>> beginning(Line line, bool in_paragraph = false) {
  const std::string_view body = line.body();
  const size_t indent = line.indent();
  if (indent > most_indent || body.empty()) return std::nullopt;
  if (body.front() == '>') return std::pair{Container{}, *inside(line, {})};
  const size_t digits = std::min(body.find_first_not_of("0123456789"), body.size());
  const std::string_view marks = digits == 0 ? "-+*" : ".)";
  if (digits > 9 || digits == body.size() || marks.find(body[digits]) == std::string_view::npos) return std::nullopt;
  line.take_indent(indent);
  line.take(digits + 1);
  if (in_paragraph && (line.is_blank() || (digits > 0 && body.substr(0, digits) != "1"))) return std::nullopt;
  const size_t gap = line.is_blank() || line.indent() > tab ? 1 : line.indent();
  if (gap == 0) return std::nullopt;
  line.take_indent(std::min(gap, line.indent()));
  return std::pair{Container{indent + digits + 1 + gap}, line};
}

/// Whether a line is drawn across the text, or below a paragraph, which is a heading then.
bool is_rule(const Line& line, bool in_paragraph) {
  std::string marks(line.body());
  std::erase_if(marks, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return line.indent() <= most_indent && marks.size() >= (in_paragraph ? 1 : 3) &&
         std::string_view("-=*_").find(marks[0]) != std::string_view::npos &&
         marks.find_first_not_of(marks[0]) == std::string::npos;
}

struct Fence {
  size_t indent = 0, length = 0;
  char mark = '`';
  std::string_view info;  ///< what is behind it
};

std::optional<Fence> fence_of(const Line& line) {
  const std::string_view body = line.body();
  if (line.indent() > most_indent || body.empty() || (body[0] != '`' && body[0] != '~')) return std::nullopt;
  const size_t length = std::min(body.find_first_not_of(body[0]), body.size());
  const Fence fence{line.indent(), length, body[0], body.substr(length)};
  const bool code_in_a_line = fence.mark == '`' && fence.info.find('`') != std::string_view::npos;
  if (length < 3 || code_in_a_line) return std::nullopt;
  return fence;
}

bool closes(const Line& line, const Fence& open) {
  const auto fence = fence_of(line);
  return fence && fence->mark == open.mark && fence->length >= open.length &&
         fence->info.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Whether a fence opens a block of ours: ```stridescope, ~~~ stridescope, ``` {.stridescope}.
bool is_ours(std::string_view info) {
  info.remove_prefix(std::min(info.find_first_not_of(" \t{."), info.size()));
  constexpr std::string_view name = "stridescope";
  return info.starts_with(name) &&
         (info.size() == name.size() || std::string_view(" \t\r}").find(info[name.size()]) != std::string_view::npos);
}

class Reader {
 public:
  std::vector<Part> read(std::string_view markdown) {
    for (size_t at = 0; at < markdown.size();) {
      const size_t end = std::min(markdown.find('\n', at), markdown.size());
      const std::string_view line = markdown.substr(at, end - at);
      ++number_;
      if (!(open_ ? goes_on(line) : begins(line))) kept().append(markdown.substr(at, end + 1 - at));
      at = end + 1;
    }
    if (open_) end_of_container();
    return std::move(parts_);
  }

 private:
  /// The text since the last block.
  std::string& kept() {
    if (parts_.empty() || parts_.back().block) parts_.push_back({});
    return parts_.back().text;
  }

  /// What ends with the quote, the item or the text that it is in has no fence there.
  void end_of_container() {
    if (ours_) parts_.back().closed = false;
    open_.reset();
  }

  /// A line behind an open fence.  @return  whether it belongs to a block of ours
  bool goes_on(std::string_view whole) {
    Line line(whole);
    for (const Container& container : containers_) {
      const auto next = inside(line, container);
      if (!next) {
        end_of_container();
        return begins(whole);
      }
      line = *next;
    }
    if (closes(line, *open_)) {
      open_.reset();
    } else if (ours_) {
      line.take_indent(std::min(line.indent(), open_->indent));
      parts_.back().text += line.text() + "\n";
    }
    return ours_;
  }

  /// Any other.  @return  whether it opens a block of ours
  bool begins(std::string_view whole) {
    Line line(whole);
    size_t depth = 0;
    for (; depth < containers_.size(); ++depth) {
      const auto next = inside(line, containers_[depth]);
      if (!next) break;
      line = *next;
    }
    const bool continues = in_paragraph_ && depth == containers_.size();
    const bool rule = is_rule(line, continues), heading = line.body().starts_with('#');
    const bool text = !line.is_blank() && !rule && !heading && !beginning(line, continues) && !fence_of(line);
    if (in_paragraph_ && text) return false;  // it goes on also where the line is not indented
    containers_.resize(depth);
    while (const auto begun = rule ? std::nullopt : beginning(line)) {
      containers_.push_back(begun->first);
      line = begun->second;
    }
    open_ = fence_of(line);
    ours_ = open_ && is_ours(open_->info);
    in_paragraph_ =
        !line.is_blank() && !rule && !line.body().starts_with('#') && !open_ && line.indent() <= most_indent;
    if (!ours_) return false;
    Part block{.text = "", .block = true, .first_line = number_ + 1};
    block.first_margin = whole.substr(0, whole.size() - line.size());
    for (const Container& container : containers_)
      block.margin += container.is_quote() ? "> " : std::string(container.width, ' ');
    parts_.push_back(std::move(block));
    return true;
  }

  std::vector<Part> parts_;
  std::vector<Container> containers_;  ///< of the line, or of the open fence
  std::optional<Fence> open_;
  bool ours_ = false;          ///< the open fence
  bool in_paragraph_ = false;  ///< the line before
  int number_ = 0;
};

}  // namespace

std::vector<Part> parts_of(std::string_view markdown) { return Reader().read(markdown); }

}  // namespace stridescope
