#include "lang/transcript.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

namespace stridescope {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

Lines lines_of(std::string_view text) {
  Lines lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

/// The lines without the blanks that all of them begin with, and without blank lines at either end.
std::string program(Lines lines) {
  const auto blank = [](std::string_view line) { return trimmed(line).empty(); };
  while (!lines.empty() && blank(lines.back())) lines.pop_back();
  lines.erase(lines.begin(), std::find_if_not(lines.begin(), lines.end(), blank));
  size_t margin = std::string_view::npos;
  for (const std::string_view line : lines)
    if (!blank(line)) margin = std::min(margin, line.find_first_not_of(" \t"));
  std::string text;
  for (const std::string_view line : lines) {
    if (!text.empty()) text += '\n';
    if (!blank(line)) text += line.substr(margin, line.find_last_not_of(blanks) + 1 - margin);
  }
  return text;
}

/// `text` after `prefix` and a number between it and `suffix`: "In [12]: x" gives "x".
std::optional<std::string_view> after_numbered(std::string_view text, std::string_view prefix,
                                               std::string_view suffix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  const size_t end = text.find_first_not_of("0123456789 *", prefix.size());
  if (end == std::string_view::npos || end == prefix.size() || !text.substr(end).starts_with(suffix))
    return std::nullopt;
  return text.substr(end + suffix.size());
}

/// What was typed after a prompt; nothing where the line has none.
std::optional<std::string_view> typed(std::string_view line, bool continues) {
  const std::string_view text = trimmed(line);
  const auto after = [](std::string_view rest) { return rest.starts_with(' ') ? rest.substr(1) : rest; };
  if (text.starts_with(">>>")) return after(text.substr(3));
  if (const auto rest = after_numbered(text, "In [", "]:")) return after(*rest);
  if (!continues) return std::nullopt;
  if (text.starts_with("...:")) return after(text.substr(4));
  if (text == "..." || text.starts_with("... ")) return after(text.substr(3));
  return std::nullopt;
}

std::optional<std::string> session(const Lines& lines) {
  Lines kept;
  bool prompted = false, continues = false;
  for (const std::string_view line : lines) {
    const auto code = typed(line, continues);
    continues = code.has_value();
    if (code) kept.push_back(code->starts_with('%') || code->starts_with('!') ? timed_code(*code) : *code);
    prompted |= code.has_value();
  }
  if (!prompted) return std::nullopt;
  std::string text;
  for (const std::string_view line : kept) {
    const size_t end = line.find_last_not_of(blanks);
    if (end == std::string_view::npos) continue;
    text += (text.empty() ? "" : "\n") + std::string(line.substr(0, end + 1));
  }
  return text;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// "RuntimeError: shape .. is invalid": the last line of a traceback.
bool names_an_error(std::string_view line) {
  const size_t colon = std::min(line.find(':'), line.size());
  const std::string_view type = line.substr(0, colon);
  return (type.ends_with("Error") || type.ends_with("Exception")) &&
         std::all_of(type.begin(), type.end(), is_name_character);
}

/// "----> 2 x.view(12)" and "      1 x = ..": a quoted line of the failing cell.
std::optional<std::string_view> quoted_code(std::string_view line) {
  const size_t arrow = line.find_first_not_of('-');
  std::string_view rest = line;
  if (arrow != std::string_view::npos && arrow > 0 && line[arrow] == '>') rest = line.substr(arrow + 1);
  const size_t number = rest.find_first_not_of(' ');
  if (number == std::string_view::npos || (number == 0 && rest.size() == line.size())) return std::nullopt;
  const size_t end = rest.find_first_not_of("0123456789", number);
  if (end == number) return std::nullopt;
  if (end == std::string_view::npos) return std::string_view{};
  if (rest[end] != ' ') return std::nullopt;
  return rest.substr(end + 1);
}

/// The failing cell as a notebook quotes it: the first block of numbered lines.
Lines failing_cell(const Lines& lines) {
  Lines cell;
  for (const std::string_view line : lines) {
    if (const auto code = quoted_code(line))
      cell.push_back(*code);
    else if (!cell.empty())
      break;
  }
  return cell;
}

/// The line under the last `File "..", line ..`, or the one under another frame where the last is not quoted.
std::string_view failing_line(const Lines& lines) {
  std::string_view found;
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    const std::string_view frame = trimmed(lines[i]), source = trimmed(lines[i + 1]);
    if (frame.starts_with("File \"") && !source.empty() && !source.starts_with("File \"") && !names_an_error(source))
      found = source;
  }
  return found;
}

std::optional<Transcript> traceback(const Lines& lines) {
  const auto announced = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.find("Traceback (most recent call last)") != std::string_view::npos ||
           trimmed(line).starts_with("File \"");
  });
  if (!announced) return std::nullopt;
  Transcript found;
  for (const std::string_view line : lines)
    if (names_an_error(trimmed(line)) && line.find("Traceback (") == std::string_view::npos)
      found.error = trimmed(line);
  if (const Lines cell = failing_cell(lines); !cell.empty()) {
    found.program = program(cell);
    return found;
  }
  std::string_view line = failing_line(lines);
  if (line.empty()) return std::nullopt;
  if (line.starts_with("return ")) line.remove_prefix(7);
  found.program = line;
  for (size_t at = found.program.find("self."); at != std::string::npos; at = found.program.find("self.", at))
    found.program.erase(at, 5);
  found.alone = true;
  return found;
}

struct Numbers {
  std::vector<int64_t> list;
  size_t end = 0;  ///< after the closing bracket
};

/// "(2, 3)" or "[2, 3]" at `at`; "(3,)" has one.  @pre at < text.size()
std::optional<Numbers> numbers(std::string_view text, size_t at) {
  if (text[at] != '(' && text[at] != '[') return std::nullopt;
  const char close = text[at] == '(' ? ')' : ']';
  Numbers result;
  for (++at; at < text.size();) {
    at = std::min(text.find_first_not_of(" ,", at), text.size());
    if (at < text.size() && text[at] == close) {
      result.end = at + 1;
      return result;
    }
    int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (problem != std::errc{} || result.list.size() == 16) return std::nullopt;
    result.list.push_back(number);
    at = static_cast<size_t>(end - text.data());
  }
  return std::nullopt;
}

std::string tuple_text(const std::vector<int64_t>& list) {
  std::string text = "(";
  for (size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + std::to_string(list[i]);
  return text + (list.size() == 1 ? ",)" : ")");
}

/// What was printed of one tensor. Strides of NumPy are in bytes.
struct Printed {
  std::optional<std::vector<int64_t>> sizes, strides;
  int64_t offset = 0;
  bool numpy = false;
};

/// Reads a text that holds nothing but printed layouts and the words that go with them.
std::optional<Printed> printed(std::string_view text) {
  constexpr std::string_view words[] = {"shape",  "size",  "sizes", "stride",         "strides", "torch",  "Size",
                                        "offset", "print", "Out",   "storage_offset", "np",      "tensor", "and"};
  Printed result;
  result.numpy = text.find("torch") == std::string_view::npos;
  std::string_view word;
  for (size_t at = 0; at < text.size();) {
    if (const auto found = numbers(text, at); found && !found->list.empty()) {
      auto& member = result.sizes ? result.strides : result.sizes;
      if (member) return std::nullopt;
      member = found->list;
      at = found->end;
    } else if (is_name_character(text[at]) && text[at] != '.') {
      const size_t begin = at;
      while (at < text.size() && is_name_character(text[at]) && text[at] != '.') ++at;
      const std::string_view here = text.substr(begin, at - begin);
      int64_t number = 0;
      const bool integer =
          std::from_chars(here.data(), here.data() + here.size(), number).ptr == here.data() + here.size();
      const bool owner = at < text.size() && text[at] == '.' && !integer;  // the "x" of "x.stride()"
      if (integer && word.ends_with("offset"))
        result.offset = number;
      else if (integer || (!owner && std::find(std::begin(words), std::end(words), here) == std::end(words)))
        return std::nullopt;
      if (here == "stride" || here == "storage_offset") result.numpy = false;
      if (!integer) word = here;
    } else if (std::string_view(" \t\r\n.,:=()[]").find(text[at]) != std::string_view::npos) {
      ++at;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::optional<std::string> printed_layout(std::string_view text) {
  if (text.size() > 500) return std::nullopt;
  const auto found = printed(text);
  if (!found || !found->sizes) return std::nullopt;
  const auto& [sizes, strides, offset, numpy] = *found;
  const bool shape_said = text.find("Size(") != std::string_view::npos || text.find("shape") != std::string_view::npos;
  if (!strides && !shape_said) return std::nullopt;
  if (strides && strides->size() != sizes->size()) return std::nullopt;

  // How far the layout reaches, in its own unit; beyond 64 bits it is not a layout anybody has.
  constexpr int64_t most = std::numeric_limits<int64_t>::max() / 16;
  int64_t count = 1, forward = 0, backward = 0;
  for (size_t d = 0; d < sizes->size(); ++d) {
    int64_t way = 0;
    if ((*sizes)[d] < 0 || __builtin_mul_overflow(count, (*sizes)[d], &count)) return std::nullopt;
    if (!strides || (*sizes)[d] == 0) continue;
    if (__builtin_mul_overflow((*sizes)[d] - 1, (*strides)[d], &way) || way > most || way < -most) return std::nullopt;
    (way > 0 ? forward : backward) += way;
    if (forward > most || backward < -most) return std::nullopt;
  }
  const std::string shape = tuple_text(*sizes);
  const std::string arange = numpy ? "np.arange(" : "torch.arange(";
  if (!strides)
    return "x = " + arange + std::to_string(count) + ").reshape" +
           (sizes->size() == 1 ? "(" + std::to_string(count) + ")" : shape);
  if (offset > most) return std::nullopt;
  if (!numpy) {
    const std::string cells = std::to_string(offset + forward + 1);
    return "x = torch.arange(" + cells + ").as_strided(" + shape + ", " + tuple_text(*strides) +
           (offset ? ", " + std::to_string(offset) + ")" : ")");
  }
  // The widest integers that the strides can count.
  int64_t itemsize = 8;
  for (const int64_t stride : *strides)
    while (stride % itemsize != 0) itemsize /= 2;
  const std::string dtype = itemsize == 8 ? "" : ", dtype=np.int" + std::to_string(8 * itemsize);
  const int64_t start = -backward / itemsize + offset;
  const std::string memory = arange + std::to_string(start + forward / itemsize + 1) + dtype + ")";
  return "x = np.lib.stride_tricks.as_strided(" + memory + (start ? "[" + std::to_string(start) + ":]" : "") + ", " +
         shape + ", " + tuple_text(*strides) + ")";
}

/// Between fences of Markdown, or further to the right than a program stands.
std::optional<std::string> moved_to_margin(const Lines& lines) {
  Lines kept;
  bool fenced = false, inside = false;
  for (const std::string_view line : lines)
    if (line.starts_with("```")) {
      fenced = true;
      inside = !inside;
    } else if (inside) {
      kept.push_back(line);
    }
  if (fenced) return program(kept);
  const auto first =
      std::find_if(lines.begin(), lines.end(), [](std::string_view line) { return !trimmed(line).empty(); });
  if (first == lines.end() || first->find_first_not_of(" \t") == 0) return std::nullopt;
  return program(lines);
}

}  // namespace

std::string_view timed_code(std::string_view command) {
  const size_t name = command.starts_with("%timeit ") ? 8 : command.starts_with("%time ") ? 6 : command.size();
  std::string_view rest = command.substr(name);
  const auto past = [&](size_t end) {
    rest = rest.substr(std::min(rest.find_first_not_of(blanks, std::min(end, rest.size())), rest.size()));
  };
  past(0);
  while (rest.starts_with('-')) {  // -n 100
    past(rest.find(' '));
    if (rest.substr(0, rest.find(' ')).find_first_not_of("0123456789") == std::string_view::npos) past(rest.find(' '));
  }
  return rest;
}

std::optional<Transcript> transcript(std::string_view pasted) {
  const Lines lines = lines_of(pasted);
  const auto plain = [](std::optional<std::string> program) {
    return program ? std::optional(Transcript{*std::move(program), {}, false}) : std::nullopt;
  };
  std::optional<Transcript> found = plain(session(lines));
  if (!found) found = traceback(lines);
  if (!found) found = plain(printed_layout(pasted));
  if (!found) found = plain(moved_to_margin(lines));
  return found && found->program.empty() ? std::nullopt : found;
}

}  // namespace stridescope
