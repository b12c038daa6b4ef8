#include "ops/python/pasted.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "lang/token.h"
#include "lang/transcript.h"
#include "layout/checked.h"
#include "ops/python/python.h"
#include "ops/trace.h"

namespace stridescope {
namespace {

using Sizes = std::vector<int64_t>;

/// What a search for values may cost, in operations of the programs that are run and in 64 elements of what they make:
/// a few hundred lines of the usual kind, or some that make a million elements.
constexpr int64_t most_work = 8'000;
/// The names that are given values, and the bytes of them all.
constexpr size_t most_names = 8, most_name_bytes = 200;
/// The elements of a tensor in place of one that the message tells of.
constexpr int64_t most_elements = int64_t{1} << 40;

/// How many elements; nothing where they are too many, or there is no such tensor.
std::optional<int64_t> count_of(const Sizes& sizes) {
  std::optional<int64_t> count = 1;
  for (const int64_t size : sizes) count = size < 0 ? std::nullopt : checked_mul(count, size);
  return count && *count <= most_elements ? count : std::nullopt;
}

/// A name that the line reads and nothing gives a value to.
struct Unknown {
  enum class Kind : uint8_t { tensor, number, layer };
  std::string_view name;
  Kind kind;
};

/// What methods are called on, what is indexed and what operators and functions take is a tensor, what a method takes a
/// size, what is called a layer.
std::vector<Unknown> unknowns_in(const Tokens& tokens) {
  constexpr std::string_view modules[] = {"torch", "np", "numpy", "math", "nn", "F"};
  const auto is_module = [&](std::string_view name) {
    return std::find(std::begin(modules), std::end(modules), name) != std::end(modules);
  };
  const auto& list = tokens.list;
  const auto word = [&](size_t i) { return list[i].word; };
  const auto is_name = [&](size_t i) { return list[i].kind == Token::Kind::name && !word(i); };
  std::vector<Unknown> unknowns;
  std::vector<bool> sizes;  // whether what stands in each open bracket are arguments of a method
  size_t first = 0;         // of the value, after "name ="
  for (size_t i = 0; i + 1 < list.size() && first == 0; ++i)
    if (word(i) == "=") first = i + 1;
  for (size_t i = first; i + 1 < list.size(); ++i) {
    const std::string_view name = list[i].spelling;
    if (word(i) == "(")
      sizes.push_back(i > 2 && is_name(i - 1) && word(i - 2) == "." && !is_module(list[i - 3].spelling));
    else if (word(i) == "[")
      sizes.push_back(false);
    else if ((word(i) == ")" || word(i) == "]") && !sizes.empty())
      sizes.pop_back();
    const bool seen =
        std::any_of(unknowns.begin(), unknowns.end(), [&](const Unknown& one) { return one.name == name; });
    if (!is_name(i) || word(i + 1) == "=" || (i > 0 && word(i - 1) == ".") || seen || is_module(name) ||
        find_builtin(name))
      continue;
    const bool owner = word(i + 1) == "." || word(i + 1) == "[", size = !owner && !sizes.empty() && sizes.back();
    unknowns.push_back({name, word(i + 1) == "(" ? Unknown::Kind::layer
                              : size             ? Unknown::Kind::number
                                                 : Unknown::Kind::tensor});
  }
  return unknowns;
}

/// The number at `at`, and where it ends.
std::optional<int64_t> number_at(std::string_view text, size_t& at) {
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  if (problem != std::errc{}) return std::nullopt;
  at = static_cast<size_t>(end - text.data());
  return number;
}

/// The number behind a phrase: "for input of size 24".
std::optional<int64_t> number_after(std::string_view text, std::string_view phrase) {
  size_t at = text.find(phrase);
  return at == std::string_view::npos ? std::nullopt : number_at(text, at += phrase.size());
}

/// "[2, 3]", "(2,3)", "2x3": every list of sizes in a message.
std::vector<Sizes> lists_in(std::string_view text) {
  std::vector<Sizes> lists;
  for (size_t at = 0; at < text.size();) {
    Sizes list;
    size_t end = at + (text[at] == '(' || text[at] == '[' ? 1 : 0);
    while (end < text.size() && list.size() < 8) {
      const auto number = number_at(text, end);
      if (!number || *number < -1) break;
      list.push_back(*number);
      if (end >= text.size() || (text[end] != ',' && text[end] != 'x')) break;
      end = std::min(text.find_first_not_of(' ', end + 1), text.size());
    }
    if (list.size() > 1 || (list.size() == 1 && end > at && (text[at] == '(' || text[at] == '[')))
      lists.push_back(list), at = end;
    else
      at = std::max(end, at + 1);
  }
  return lists;
}

/// So many elements in so many dimensions.
Sizes split(int64_t count, int rank) {
  Sizes sizes;
  for (int d = 1; d < rank; ++d) {
    int64_t factor = 1;
    for (int64_t by = 2; by <= 64 && factor == 1; ++by)
      if (count % by == 0 && count / by > 1) factor = by;
    sizes.push_back(factor);
    count /= factor;
  }
  sizes.push_back(count);
  return sizes;
}

std::string text_of(const Sizes& sizes) {
  std::string text = "(";
  for (const int64_t size : sizes) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

/// The sizes that the tensors of the line may have had: a list of them for each try, one of a tensor each.
std::vector<std::vector<Sizes>> tries(std::string_view message, size_t tensors) {
  std::vector<std::vector<Sizes>> tries;
  const auto all = [&](const Sizes& sizes) { tries.push_back(std::vector(std::max<size_t>(tensors, 1), sizes)); };
  const auto two = [&](const Sizes& a, const Sizes& b) {
    all(a);
    if (tensors > 1) tries.back()[1] = b;
  };
  constexpr int64_t usual[] = {2, 3, 4, 5, 6};
  const auto of_rank = [&](int64_t rank) { return Sizes(usual, usual + std::clamp<int64_t>(rank, 0, 5)); };
  const std::vector<Sizes> lists = lists_in(message);
  for (size_t i = 0; i < lists.size(); ++i) two(lists[i], lists[std::min(i + 1, lists.size() - 1)]);
  for (const char* phrase : {"input of size ", "array of size "})
    if (const auto count = number_after(message, phrase); count && *count > 0)
      for (const int rank : {3, 4, 2, 1, 5}) all(split(*count, rank));
  // Two sizes that differ where they should not.
  const std::pair<const char*, const char*> pairs[] = {
      {"tensor a (", "tensor b ("}, {"index 0 has size ", "index 1 has size "}, {"Expected size ", "but got size "}};
  for (const auto& [one, other] : pairs) {
    const auto a = number_after(message, one), b = number_after(message, other);
    if (!a || !b) continue;
    const auto dim = number_after(message, "dimension ");
    for (int64_t rank = 1; rank <= 4; ++rank)
      for (int64_t d = 0; d < rank; ++d) {
        if (one[0] != 'E' && dim && *dim != d) continue;
        Sizes left = of_rank(rank), right = left;
        left[static_cast<size_t>(d)] = *a, right[static_cast<size_t>(d)] = *b;
        two(left, right);
      }
  }
  const auto bound = number_after(message, "for dimension "), size = number_after(message, "with size ");
  for (int64_t rank = 1; bound && size && rank <= 4; ++rank)
    if (*bound >= 0 && *bound < rank) {
      all(of_rank(rank));
      for (Sizes& sizes : tries.back()) sizes[static_cast<size_t>(*bound)] = *size;
    }
  if (const auto rank = number_after(message, "input.dim() = ")) all(of_rank(*rank));
  for (const int64_t rank : {3, 4, 2, 1, 5, 0}) all(of_rank(rank));
  std::erase_if(tries, [](const std::vector<Sizes>& one) {
    return !std::all_of(one.begin(), one.end(), [](const Sizes& sizes) { return count_of(sizes).has_value(); });
  });
  return tries;
}

/// What the sizes in the line may have been: those of the message, or the tensor's in some order, the last of them as
/// it is or what is left.
std::vector<Sizes> numbers_for(std::string_view message, const Sizes& sizes, size_t count) {
  if (count == 0) return {{}};
  std::vector<Sizes> tries = lists_in(message);
  Sizes order(sizes);
  std::sort(order.begin(), order.end());
  do {
    Sizes numbers;
    int64_t rest = 1;
    for (size_t d = 0; d < order.size(); ++d)
      if (numbers.size() + 1 < count)
        numbers.push_back(order[d]);
      else
        rest *= order[d];
    if (order.size() >= count) tries.emplace_back(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    numbers.push_back(rest);
    tries.push_back(std::move(numbers));
  } while (tries.size() < 64 && std::next_permutation(order.begin(), order.end()));
  std::vector<Sizes> different;
  for (Sizes& one : tries) {
    one.resize(count, 2);
    if (std::find(different.begin(), different.end(), one) == different.end()) different.push_back(std::move(one));
  }
  return different;
}

/// "torch.nn.Linear(128, 10)" or "torch.nn.Conv2d(3, 6, (5, 5))": of what the message says of its weight; else any.
std::string layer(std::string_view message) {
  const std::vector<Sizes> lists = lists_in(message);
  if (message.find("Given groups=1, weight of size ") != std::string_view::npos && !lists.empty() &&
      lists[0].size() > 2) {
    const Sizes& weight = lists[0];
    return "torch.nn.Conv" + std::to_string(weight.size() - 2) + "d(" + std::to_string(weight[1]) + ", " +
           std::to_string(weight[0]) + ", " + text_of({weight.begin() + 2, weight.end()}) + ")";
  }
  const Sizes last = lists.size() > 1 && lists.back().size() == 2 ? lists.back() : Sizes{4, 6};
  return "torch.nn.Linear(" + std::to_string(last[0]) + ", " + std::to_string(last[1]) + ")";
}

/// Whether the program's last line raises the error; of a message that was cut, what is there of it. `work` is less
/// what that took.
bool raises(const std::string& program, std::string_view error, int64_t& work) {
  const Trace trace = evaluate(program);
  --work;
  for (const Step& step : trace.steps)
    for (const Applied& op : step.applied) {
      const TensorPtr made = first_tensor(op.result);
      work -= 1 + (made ? numel(made->layout.sizes).value_or(0) / 64 : 0);
    }
  if (trace.steps.empty() || !trace.steps.back().error || !trace.steps.back().error->raised) return false;
  const auto& raised = *trace.steps.back().error->raised;
  const std::string own = raised.type + ": " + raised.text;
  return own == error || (error.size() > raised.type.size() + 20 && own.starts_with(error)) ||
         std::string_view(error).ends_with("." + own);  // numpy.exceptions.AxisError
}

/// Bindings for the names that a line reads.
struct Bindings {
  std::string_view line, message;
  std::vector<Unknown> unknowns;

  size_t of_kind(Unknown::Kind kind) const {
    return static_cast<size_t>(
        std::count_if(unknowns.begin(), unknowns.end(), [&](const Unknown& one) { return one.kind == kind; }));
  }
  /// @pre count_of(sizes)
  static std::string tensor(const Sizes& sizes, bool numpy, bool floats, bool turned) {
    std::string text =
        (numpy ? "np.arange(" : "torch.arange(") + std::to_string(*count_of(sizes)) + (floats ? ".)" : ")");
    if (sizes.size() != 1) text += (numpy ? ".reshape" : ".view") + text_of(sizes);
    if (!turned || sizes.size() < 2) return text;
    return text + (numpy ? ".T" : sizes.size() == 2 ? ".t()" : ".transpose(1, 2)");
  }
  /// `turned`: with two dimensions swapped, so that the tensors are not contiguous.
  std::string text(const std::vector<Sizes>& sizes, const Sizes& numbers, bool numpy, bool turned) const {
    const size_t layers = of_kind(Unknown::Kind::layer);
    std::string text;
    for (const std::string_view module : {"F", "nn"})
      if (line.find(std::string(module) + ".") != std::string_view::npos)
        text += module == "F" ? "import torch.nn.functional as F\n" : "from torch import nn\n";
    size_t tensors = 0, sized = 0, called = 0;
    for (const Unknown& one : unknowns) {
      text += std::string(one.name) + " = ";
      switch (one.kind) {
        case Unknown::Kind::number: text += std::to_string(numbers[sized++]); break;
        // Of f(g(x)) it is g that gets the tensor.
        case Unknown::Kind::layer: text += ++called == layers ? layer(message) : "torch.nn.Identity()"; break;
        default: text += tensor(sizes[std::min(tensors++, sizes.size() - 1)], numpy, layers > 0, turned);
      }
      text += "\n";
    }
    return text;
  }
};

/// The line behind bindings with which it raises the error.
std::string with_values(const Transcript& found, Language language) {
  const std::string& line = found.program;
  const Bindings bindings{line,
                          std::string_view(found.error).substr(std::min(found.error.find(": "), found.error.size())),
                          unknowns_in(tokenize(line))};
  size_t bytes = 0;
  for (const Unknown& one : bindings.unknowns) bytes += one.name.size();
  if (bindings.unknowns.empty() || bindings.unknowns.size() > most_names || bytes > most_name_bytes) return line;
  const bool numpy = line.find("np.") != std::string::npos || line.find("numpy.") != std::string::npos;
  const auto note = [&](Msg said) { return "# " + plain({said, {}}, language) + "\n"; };
  int64_t work = most_work;
  for (const bool other : {false, true})
    for (const bool turned : {false, true})
      for (const auto& sizes : tries(bindings.message, bindings.of_kind(Unknown::Kind::tensor)))
        for (const Sizes& numbers :
             numbers_for(bindings.message, sizes.front(), bindings.of_kind(Unknown::Kind::number))) {
          const std::string names = bindings.text(sizes, numbers, numpy != other, turned);
          if (work > 0 && raises(names + line, found.error, work)) return note(Msg::pasted_stand_in) + names + line;
        }
  return note(Msg::pasted_other_error) + bindings.text({{2, 3, 4}}, Sizes(bindings.unknowns.size(), 2), numpy, !numpy) +
         line;
}

}  // namespace

std::optional<std::string> program_of(std::string_view pasted, Language language) {
  const auto found = transcript(pasted);
  if (!found) return std::nullopt;
  const std::string program = (found->error.empty() ? "" : "# " + found->error + "\n") +
                              (found->alone ? with_values(*found, language) : found->program);
  return program == pasted ? std::nullopt : std::optional(program);
}

}  // namespace stridescope
