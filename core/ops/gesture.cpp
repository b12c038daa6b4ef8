#include "ops/gesture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>

#include "layout/extent.h"
#include "layout/slack.h"
#include "layout/view.h"

namespace stridescope {
namespace {

constexpr std::array<std::pair<std::string_view, Gesture::Kind>, 15> verbs{{
    {"permute", Gesture::Kind::permute},
    {"view", Gesture::Kind::view},
    {"reshape", Gesture::Kind::reshape},
    {"split", Gesture::Kind::split},
    {"merge", Gesture::Kind::merge},
    {"flip", Gesture::Kind::flip},
    {"squeeze", Gesture::Kind::squeeze},
    {"unsqueeze", Gesture::Kind::unsqueeze},
    {"select", Gesture::Kind::select},
    {"slice", Gesture::Kind::slice},
    {"box", Gesture::Kind::box},
    {"expand", Gesture::Kind::expand},
    {"contiguous", Gesture::Kind::contiguous},
    {"as_strided", Gesture::Kind::as_strided},
    {"write", Gesture::Kind::write},
}};

std::string listed(const std::vector<int64_t>& numbers) {
  std::string text;
  for (int64_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}
std::string tuple(const std::vector<int64_t>& numbers) {
  return "(" + listed(numbers) + (numbers.size() == 1 ? ",)" : ")");
}
std::vector<int64_t> list_of(const Dims& dims) { return {dims.begin(), dims.end()}; }

/// ":, :, key" for dimension 2.
std::string subscript(int64_t dim, const std::string& key) {
  std::string text = "[";
  for (int64_t d = 0; d < dim; ++d) text += ":, ";
  return text + key + "]";
}

/// One gesture on one tensor: the expression that does it, or why there is none.
class Sentence {
 public:
  Sentence(const Tensor& tensor, std::string name, const Gesture& gesture)
      : tensor_(tensor),
        layout_(tensor.layout),
        torch_(tensor.library == Library::torch),
        name_(std::move(name)),
        gesture_(gesture),
        numbers_(gesture.numbers) {}

  std::variant<std::string, Message> write() const {
    if (!well_formed()) return Message{Msg::gesture_not_here, {to_string(layout_)}};
    switch (gesture_.kind) {
      case Gesture::Kind::permute: return name_ + (torch_ ? ".permute(" : ".transpose(") + listed(numbers_) + ")";
      case Gesture::Kind::view: return seen_as(numbers_, torch_ ? ".view(" : ".reshape(");
      case Gesture::Kind::reshape: return name_ + ".reshape(" + listed(numbers_) + ")";
      case Gesture::Kind::split: {
        std::vector<int64_t> sizes = list_of(layout_.sizes);
        const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(numbers_[0]);
        *at /= numbers_[1];
        sizes.insert(at + 1, numbers_[1]);
        return seen_as(sizes, torch_ ? ".view(" : ".reshape(");
      }
      case Gesture::Kind::merge: {
        std::vector<int64_t> sizes = list_of(layout_.sizes);
        const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(numbers_[0]);
        *at *= *(at + 1);
        sizes.erase(at + 1);
        return seen_as(sizes, torch_ ? ".view(" : ".reshape(");
      }
      case Gesture::Kind::flip:
        return torch_ ? name_ + ".flip(" + listed(numbers_) + ")" : name_ + subscript(numbers_[0], "::-1");
      case Gesture::Kind::squeeze: return name_ + ".squeeze(" + listed(numbers_) + ")";
      case Gesture::Kind::unsqueeze:
        return torch_ ? name_ + ".unsqueeze(" + listed(numbers_) + ")" : name_ + subscript(numbers_[0], "None");
      case Gesture::Kind::select: return name_ + subscript(numbers_[0], std::to_string(numbers_[1]));
      case Gesture::Kind::slice: return name_ + subscript(numbers_[0], range(numbers_[0], 1) + step());
      case Gesture::Kind::box: return name_ + box();
      case Gesture::Kind::expand: {
        std::vector<int64_t> sizes =
            torch_ ? std::vector<int64_t>(static_cast<size_t>(layout_.sizes.size()), -1) : list_of(layout_.sizes);
        sizes[static_cast<size_t>(numbers_[0])] = numbers_[1];
        return torch_ ? name_ + ".expand(" + listed(sizes) + ")"
                      : "np.broadcast_to(" + name_ + ", " + tuple(sizes) + ")";
      }
      case Gesture::Kind::contiguous: return torch_ ? name_ + ".contiguous()" : "np.ascontiguousarray(" + name_ + ")";
      case Gesture::Kind::as_strided: return strided();
      default: break;  // write
    }
    return name_ + (numbers_.empty() ? "[...]" : "[" + listed(numbers_) + "]") + " = " + gesture_.value;
  }

 private:
  int64_t rank() const { return layout_.rank(); }
  bool is_dim(size_t k) const { return numbers_[k] >= 0 && numbers_[k] < rank(); }
  int64_t size(size_t k) const { return layout_.sizes[static_cast<int>(numbers_[k])]; }

  /// Whether the numbers are as many as the gesture has, and name what the tensor has.
  bool well_formed() const {
    const size_t count = numbers_.size();
    switch (gesture_.kind) {
      case Gesture::Kind::permute: {
        std::vector<int64_t> sorted = numbers_;
        std::sort(sorted.begin(), sorted.end());
        for (size_t k = 0; k < count; ++k)
          if (sorted[k] != static_cast<int64_t>(k)) return false;
        return count == static_cast<size_t>(rank());
      }
      case Gesture::Kind::view:
      case Gesture::Kind::reshape: {
        if (count > static_cast<size_t>(max_rank)) return false;
        Dims sizes;
        for (int64_t size : numbers_) {
          if (size < 0) return false;
          sizes.push_back(size);
        }
        return numel(sizes) == numel(layout_.sizes);
      }
      case Gesture::Kind::split:
        return count == 2 && is_dim(0) && rank() < max_rank && numbers_[1] > 0 && size(0) % numbers_[1] == 0;
      case Gesture::Kind::merge: return count == 1 && is_dim(0) && numbers_[0] + 1 < rank();
      case Gesture::Kind::flip: return count == 1 && is_dim(0);
      case Gesture::Kind::squeeze: return count == 1 && is_dim(0) && size(0) == 1;
      case Gesture::Kind::unsqueeze:
        return count == 1 && numbers_[0] >= 0 && numbers_[0] <= rank() && rank() < max_rank;
      case Gesture::Kind::select: return count == 2 && is_dim(0) && numbers_[1] >= 0 && numbers_[1] < size(0);
      case Gesture::Kind::slice:
        return count == 4 && is_dim(0) && numbers_[1] >= 0 && numbers_[1] <= numbers_[2] && numbers_[2] <= size(0) &&
               numbers_[3] > 0;
      case Gesture::Kind::box:
        if (rank() == 0 || count != 2 * static_cast<size_t>(rank())) return false;
        for (int d = 0; d < rank(); ++d) {
          const int64_t from = numbers_[2 * static_cast<size_t>(d)], to = numbers_[2 * static_cast<size_t>(d) + 1];
          if (from < 0 || from >= to || to > layout_.sizes[d]) return false;
        }
        return true;
      case Gesture::Kind::expand: return count == 2 && is_dim(0) && size(0) == 1 && numbers_[1] >= 0;
      case Gesture::Kind::contiguous: return count == 0;
      case Gesture::Kind::as_strided: return count % 2 == 1 && count / 2 <= static_cast<size_t>(max_rank);
      default: break;  // write
    }
    if (count != static_cast<size_t>(rank())) return false;
    for (int d = 0; d < rank(); ++d)
      if (numbers_[static_cast<size_t>(d)] < 0 || numbers_[static_cast<size_t>(d)] >= layout_.sizes[d]) return false;
    return true;
  }

  /// The elements under other sizes where that is a view; else the joint in the way.
  std::variant<std::string, Message> seen_as(const std::vector<int64_t>& sizes, const char* method) const {
    Dims wanted;
    for (int64_t size : sizes) wanted.push_back(size);
    const Viewed viewed =
        torch_ ? view(layout_, wanted) : reshape_without_copy(layout_, wanted, Order::c, tensor_.unit());
    if (const Crack* crack = as_crack(viewed)) {
      const Joint& joint = crack->joint;
      return Message{torch_ ? Msg::gesture_crack : Msg::np_crack,
                     {joint.outer, joint.inner, joint.stride, joint.needed, layout_.sizes[joint.inner],
                      layout_.strides[joint.inner]}};
    }
    return name_ + method + listed(sizes) + ")";
  }

  /// "1:5" of a dimension, the numbers from `k` on; the ends are left out that are the usual ones.
  std::string range(int64_t dim, size_t k) const {
    const std::string from = numbers_[k] == 0 ? "" : std::to_string(numbers_[k]);
    return from + ":" +
           (numbers_[k + 1] == layout_.sizes[static_cast<int>(dim)] ? "" : std::to_string(numbers_[k + 1]));
  }
  std::string step() const { return numbers_[3] == 1 ? "" : ":" + std::to_string(numbers_[3]); }

  /// "[:2, 1:3]"; whole dimensions at the end need not be said.
  std::string box() const {
    std::string text, said;
    for (int d = 0; d < rank(); ++d) {
      const std::string part = range(d, 2 * static_cast<size_t>(d));
      text += (d > 0 ? ", " : "") + part;
      if (d == 0 || part != ":") said = text;
    }
    return "[" + said + "]";
  }

  std::variant<std::string, Message> strided() const {
    const auto dims = static_cast<std::ptrdiff_t>(numbers_.size() / 2);
    const std::vector<int64_t> sizes(numbers_.begin(), numbers_.begin() + dims),
        strides(numbers_.begin() + dims, numbers_.end() - 1);
    Layout layout;
    for (int64_t size : sizes) layout.sizes.push_back(size);
    for (int64_t stride : strides) layout.strides.push_back(stride);
    layout.storage_offset = numbers_.back();
    const int64_t item = tensor_.item_bytes(), nbytes = tensor_.storage->nbytes;
    const bool backward = std::any_of(strides.begin(), strides.end(), [](int64_t stride) { return stride < 0; });
    if (torch_ && backward) return Message{Msg::gesture_no_negative_strides, {}};
    if (std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; }))
      return Message{Msg::gesture_outside, {to_string(layout), nbytes}};
    if (!inside(layout, torch_ ? nbytes / item : nbytes - item + 1)) {
      const auto reach = extent(layout);
      if (!reach) return Message{Msg::gesture_outside, {to_string(layout), nbytes}};
      return torch_ ? Message{Msg::as_strided_reach, {reach->lowest, reach->highest, nbytes / item}}
                    : Message{Msg::np_outside_memory, {reach->lowest, reach->highest + item - 1, nbytes}};
    }
    if (torch_) {
      return "torch.as_strided(" + name_ + ", " + tuple(sizes) + ", " + tuple(strides) + ", " +
             std::to_string(layout.storage_offset) + ")";
    }
    // NumPy's as_strided begins at the array's own first element.
    if (layout.storage_offset != layout_.storage_offset)
      return Message{Msg::gesture_offset_stays, {layout_.storage_offset}};
    return "np.lib.stride_tricks.as_strided(" + name_ + ", shape=" + tuple(sizes) + ", strides=" + tuple(strides) + ")";
  }
  const Tensor& tensor_;
  const Layout& layout_;
  const bool torch_;
  const std::string name_;
  const Gesture& gesture_;
  const std::vector<int64_t>& numbers_;
};

/// A name that no line of the program binds: the letter after `name`'s first, and so on.
std::string new_name(const Trace& trace, const std::string& name) {
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(trace.steps.begin(), trace.steps.end(), [&](const Step& step) {
      return std::find(step.targets.begin(), step.targets.end(), candidate) != step.targets.end() ||
             step.names_inside(candidate);
    });
  };
  const char first = name.size() == 1 && name[0] >= 'a' ? name[0] : 'x';
  for (int k = 1; k < 26; ++k) {
    const std::string candidate(1, static_cast<char>('a' + (first - 'a' + k) % 26));
    if (!taken(candidate)) return candidate;
  }
  for (int k = 2;; ++k)
    if (const std::string candidate = name.substr(0, name.find('[')) + std::to_string(k); !taken(candidate))
      return candidate;
}

/// The first header of the clauses that a header is one of; null where the statement is none.
const Statement* head_of(const Statement* statement) {
  if (!statement || statement->kind != Statement::Kind::clause) return nullptr;
  const Statement* head = statement;
  static constexpr std::string_view first[] = {"if", "for", "while", "with", "try"};
  const auto begins = [&] { return std::find(std::begin(first), std::end(first), head->text) != std::end(first); };
  while (head->kind != Statement::Kind::clause || !begins() || head + head->body + head->rest < statement) --head;
  return head;
}

}  // namespace

std::optional<Gesture> parse_gesture(std::string_view text) {
  const auto token = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view found = text.substr(0, text.find(' '));
    text.remove_prefix(found.size());
    return found;
  };
  const std::string_view word = token();
  const auto* known = std::find_if(verbs.begin(), verbs.end(), [&](const auto& entry) { return entry.first == word; });
  if (known == verbs.end()) return std::nullopt;
  Gesture gesture{known->second, {}, {}};
  const bool writes = gesture.kind == Gesture::Kind::write;
  for (std::string_view part = token(); !part.empty(); part = token()) {
    if (writes && part == "=") {
      gesture.value = text.substr(std::min(text.find_first_not_of(' '), text.size()));
      if (gesture.value.empty() || gesture.value.find_first_of("\r\n#;") != std::string::npos) return std::nullopt;
      return gesture;
    }
    int64_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || end != part.data() + part.size() || gesture.numbers.size() > 2 * max_rank)
      return std::nullopt;
    gesture.numbers.push_back(number);
  }
  if (writes) return std::nullopt;
  return gesture;
}

std::variant<Rewritten, Message> rewrite(const Trace& trace, int step, const Tensor& tensor, const Gesture& gesture) {
  const Step& at = trace.steps[static_cast<size_t>(step)];
  if (is_call(at) && !is_function(*at.statement)) return Message{Msg::gesture_no_name, {}};  // of a lambda
  const Named* named = at.named(tensor);
  std::string source = trace.source, name = named ? named->name : "";
  size_t end = static_cast<size_t>(at.span.end);
  if (!named) {  // the expression of this statement: it gets a name
    const TensorPtr result = tensor_of(at.value);
    if (at.statement->kind != Statement::Kind::expression || at.error || !result || result->object != tensor.object)
      return Message{Msg::gesture_no_name, {}};
    name = new_name(trace, "w");
    const std::string binding = name + " = ";
    source.insert(static_cast<size_t>(at.span.begin), binding);
    end += binding.size();
  }
  auto sentence = Sentence(tensor, name, gesture).write();
  if (auto* refused = std::get_if<Message>(&sentence)) return std::move(*refused);
  std::string line = std::move(*std::get_if<std::string>(&sentence));
  if (gesture.kind != Gesture::Kind::write) {
    line = new_name(trace, name) + " = " + line;
  }
  const size_t added = source.size() - trace.source.size();
  // Below the statement, as far to the left; of a condition above the `if`, of `return` above it; of a loop or a
  // function where its rounds and calls begin.
  const bool loop = is_loop(*at.statement) || is_function(*at.statement);
  const bool leaves = at.statement->kind == Statement::Kind::return_ || at.statement->kind == Statement::Kind::yield_;
  const Statement* above = loop ? at.statement + 1 : leaves ? at.statement : head_of(at.statement);
  const auto begin = static_cast<size_t>((above ? above->span : at.span).begin);
  const size_t left = source.find_last_of("\r\n", begin) + 1;
  const std::string margin = source.substr(left, source.find_first_not_of(" \t", left) - left);
  const bool on_the_line = (loop || leaves) && begin > left + margin.size();  // for x in y: z
  end = on_the_line ? begin : above ? left : std::min(source.find('\n', end), source.size());
  source.insert(end, on_the_line ? line + "; " : above ? margin + line + "\n" : "\n" + margin + line);
  // It comes before this step, and before or behind each earlier run of `beside`.
  int next = step + 1;
  const auto statement = [&](int k) { return trace.steps[static_cast<size_t>(k)].statement; };
  const auto at_left = [&](const Step& other) {
    return static_cast<size_t>(other.span.begin) >= left && static_cast<size_t>(other.span.end) + added <= end;
  };
  const auto outside = [&](int k) { return trace.steps[static_cast<size_t>(k)].inside; };
  const Statement* beside = at.statement;
  if (above && !loop) {
    for (next = at.inside + 1; outside(next) != at.inside || statement(next) < above;) ++next;
    beside = statement(next);
    for (const int first = next; next > 0 && is_within(trace, next - 1, first);) --next;  // what it calls
  } else if (!loop) {
    for (int k = next; k < static_cast<int>(trace.steps.size()); ++k) {
      if (outside(k) != at.inside) continue;  // a line of what is called
      if (!at_left(trace.steps[static_cast<size_t>(k)])) break;
      next = k + 1;
    }
  }
  const auto earlier = std::count_if(trace.steps.begin(), trace.steps.begin() + step,
                                     [&](const Step& other) { return other.statement == beside; });
  next += static_cast<int>(earlier);
  return Rewritten{std::move(source), next, std::move(line)};
}

}  // namespace stridescope
