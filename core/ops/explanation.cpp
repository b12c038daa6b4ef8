#include "ops/explanation.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "layout/checked.h"
#include "layout/extent.h"
#include "ops/op.h"

namespace stridescope {
namespace {

/// Beyond so many cells that follow no simple pattern nothing is said of them: a program may hold many such layouts.
constexpr int64_t max_counted = 1 << 12;
/// Of more results than these it is not said which of them takes which memory.
constexpr size_t most_named = 8;

/// A tensor that a call gave; how many cells it reads, which is not known where elements lie across each other; and how
/// Python reaches it from the result: "[1][0]", "" for the result itself.
struct Result {
  TensorPtr tensor;
  std::optional<int64_t> cells;
  std::string place;
};

std::optional<int64_t> cells_of(const Tensor& tensor) {
  for (const int64_t stride : tensor.layout.strides)
    if (stride % tensor.unit() != 0) return std::nullopt;  // elements that share a few of their bytes
  return distinct_cells(tensor.layout, max_counted);
}

/// The cells only where they are `counted`.
void collect(const Value& value, bool counted, std::vector<Result>& results, const std::string& place = "") {
  if (const TensorPtr& tensor = tensor_of(value))
    results.push_back({tensor, counted ? cells_of(*tensor) : std::nullopt, place});
  size_t number = 0;
  for (const Value& part : named_parts(value)) collect(part, counted, results, part_name(place, value, number++));
}

bool reads(const std::vector<TensorPtr>& tensors, const Storage& storage) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const TensorPtr& tensor) { return tensor->storage->id == storage.id; });
}

class Account {
 public:
  explicit Account(Applied& applied) : applied_(applied) {
    const bool counted = applied.relation == Relation::view || applied.relation == Relation::fresh;
    if (!applied.error) collect(applied.result, counted, results_);
  }

  /// That values are not known, or no more than stand-ins, can be said before what was made.
  void headline_first() {
    auto& lines = applied_.why.lines;
    const auto headline = std::find_if_not(lines.begin(), lines.end(), [](const Message& line) {
      return line.id == Msg::unreckoned || line.id == Msg::stand_ins || line.id == Msg::unknown_values;
    });
    if (headline != lines.end()) std::rotate(lines.begin(), headline, headline + 1);
  }

  void success() {
    if (applied_.relation == Relation::same) changed();
    bool drawn = false;
    std::set<const Storage*> told;
    for (const Result& result : results_) {
      const Tensor& tensor = *result.tensor;
      if (!told.insert(tensor.storage.get()).second && applied_.relation == Relation::fresh) continue;
      if (reads(applied_.inputs, *tensor.storage)) {
        if (applied_.relation == Relation::view) shared(result);
      } else if (applied_.relation != Relation::none && (applied_.op || applied_.relation != Relation::view)) {
        // A module says itself what it owns, and what a function of the program's gave as a view was there.
        taken(tensor, results_.size() > 1 && results_.size() <= most_named ? result.place : "");
        drawn |= tensor.storage->drawn;
      }
    }
    of_stand_ins(drawn);
    if (applied_.relation == Relation::view || applied_.relation == Relation::fresh) kept();
    if (applied_.why.lines.empty()) question();
    one_number();
    const auto& value = applied_.result.held;
    of_stand_ins(std::holds_alternative<Float>(value) || std::holds_alternative<ComplexFloat>(value));
  }

  /// Of an element that comes out as a number nothing is said of an array.
  void one_number() {
    const auto is_scalar = [](const Message& line) {
      return line.id == Msg::np_scalar || line.id == Msg::np_unknown_scalar;
    };
    auto& lines = applied_.why.lines;
    if (std::any_of(lines.begin(), lines.end(), is_scalar))
      std::erase_if(lines, [](const Message& line) { return line.id == Msg::np_elementwise_headline; });
  }

  void once() {
    auto& lines = applied_.why.lines;
    for (auto line = lines.begin(); line != lines.end();)
      line = std::any_of(lines.begin(), line, [&](const Message& before) { return same_words(before, *line); })
                 ? lines.erase(line)
                 : line + 1;
  }

 private:
  void say(Msg message, const Slots& slots = {}) { applied_.why.lines.push_back({message, slots}); }
  static Target whole(const Tensor& tensor) { return {Target::Kind::tensor, tensor.object, -1}; }

  static bool same_words(const Message& a, const Message& b) {
    return a.id == b.id && std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                                      [](const Arg& one, const Arg& other) { return one.text == other.text; });
  }

  /// What was asked of which tensor; without one, or where its sizes have no part in the answer, what the row does.
  void question() {
    constexpr Msg of_no_size[] = {Msg::op_dtype,   Msg::op_device,      Msg::op_requires_grad, Msg::op_grad,
                                  Msg::op_grad_fn, Msg::op_retain_grad, Msg::op_kind_of_dtype, Msg::op_base};
    const bool sized =
        std::find(std::begin(of_no_size), std::end(of_no_size), applied_.op->summary) == std::end(of_no_size);
    if (applied_.inputs.empty() || !sized) return say(applied_.op->summary, {});
    for (size_t i = 0; i < std::min<size_t>(applied_.inputs.size(), 2); ++i) {
      const Tensor& tensor = *applied_.inputs[i];
      const int64_t count = *numel(tensor.layout.sizes), item = tensor.item_bytes();
      const auto total = checked_mul(count, item);
      if (!total) return say(applied_.op->summary, {});
      const std::string elements = product_text(tensor.layout.sizes, count),
                        bytes = product_text({count, item}, *total);
      if (tensor.library == Library::torch)
        say(Msg::asked,
            {Slot{to_string(tensor.layout), whole(tensor)}, name(tensor.dtype), elements, bytes, tensor.storage->nbytes});
      else
        say(Msg::np_asked, {Slot{to_string(tensor.layout.sizes), whole(tensor)}, to_string(tensor.layout.strides),
                            elements_text(tensor.layout.strides, item), dtype_text(tensor), elements, bytes});
    }
  }

  /// The receiver has another recipe than before.
  void changed() {
    if (results_.size() != 1 || applied_.inputs.empty()) return;
    const Tensor &before = *applied_.inputs.front(), &now = *results_.front().tensor;
    if (before.library == Library::torch && before.object == now.object && !(before.layout == now.layout))
      say(Msg::in_place_recipe, {to_string(before.layout), Slot{to_string(now.layout), whole(now)}});
  }

  /// New memory. `place` says which of several results takes it.
  void taken(const Tensor& tensor, const std::string& place) {
    const int64_t item = tensor.item_bytes(), count = *numel(tensor.layout.sizes);
    if (tensor.library == Library::numpy) {
      if (applied_.relation != Relation::fresh) return;
      place.empty() ? say(Msg::np_fresh_storage, {tensor.storage->nbytes, item})
                    : say(Msg::np_fresh_storage_of, {tensor.storage->nbytes, item, Slot{place, whole(tensor)}});
      return;
    }
    if (!place.empty())
      say(Msg::fresh_storage_of, {tensor.storage->nbytes, item, tensor.storage->nbytes / item,
                                  Slot{place, whole(tensor)}, to_string(tensor.layout)});
    else if (applied_.relation == Relation::copy && checked_mul(count, item) == tensor.storage->nbytes)
      say(Msg::copy_bytes, {count, tensor.storage->nbytes, to_string(tensor.layout), item});
    else
      say(Msg::fresh_storage, {tensor.storage->nbytes, item, tensor.storage->nbytes / item});
  }

  /// What has `values` that stand-ins went into, where the operation says no more of them itself.
  void of_stand_ins(bool values) {
    const auto& lines = applied_.why.lines;
    const bool said = std::any_of(lines.begin(), lines.end(), [](const Message& line) {
      return line.id == Msg::random_values || line.id == Msg::np_random_values || line.id == Msg::stand_ins;
    });
    const auto& inputs = applied_.inputs;
    const auto drawn = [](const TensorPtr& input) { return input->storage->drawn; };
    if (values && !said && std::any_of(inputs.begin(), inputs.end(), drawn)) say(Msg::of_stand_ins);
  }

  /// Elements of a view that are the same cells, and which writes are refused.
  void shared(const Result& result) {
    const Tensor& tensor = *result.tensor;
    const Layout& layout = tensor.layout;
    const bool torch = tensor.library == Library::torch;
    const int64_t count = *numel(layout.sizes);
    if (!result.cells || *result.cells == count) return;
    say(torch ? Msg::cells_shared : Msg::np_places_shared, {count, *result.cells});
    if (const auto pair = meeting(layout))
      say(torch ? Msg::cell_shared_by : Msg::np_place_shared_by,
          {pair->first, pair->second, offset(layout, index_at(layout.sizes, pair->first))});
    if (!torch) {
      if (tensor.writeable) say(Msg::np_shared_write_passes, {});
      return;
    }
    bool repeats = false;
    for (int d = 0; d < layout.rank(); ++d) repeats |= layout.strides[d] == 0 && layout.sizes[d] > 1;
    say(repeats ? Msg::shared_write_refused : Msg::shared_write_passes, {});
  }

  /// Two elements in one cell, by their numbers: one step along a dimension of stride 0, or as far along another one.
  static std::optional<std::pair<int64_t, int64_t>> meeting(const Layout& layout) {
    const Dims inside = contiguous(layout.sizes).strides;
    for (int d = 0; d < layout.rank(); ++d)
      if (layout.strides[d] == 0 && layout.sizes[d] > 1) return std::pair{int64_t{0}, inside[d]};
    for (int a = 0; a < layout.rank(); ++a)
      for (int b = 0; b < layout.rank(); ++b) {
        if (a == b || layout.sizes[a] < 2 || layout.strides[b] == 0 || layout.strides[a] % layout.strides[b] != 0)
          continue;
        const int64_t steps = layout.strides[a] / layout.strides[b];
        if (steps >= 1 && steps < layout.sizes[b]) return std::minmax(inside[a], steps * inside[b]);
      }
    return std::nullopt;
  }

  /// What keeping the result costs: the cells that none of its elements reads.
  void kept() {
    for (const auto& [tensor, cells, place] : results_) {
      if (applied_.relation == Relation::fresh && reads(applied_.inputs, *tensor->storage)) continue;
      const int64_t item = tensor->item_bytes(), held = tensor->storage->nbytes / item;
      if (!cells || *cells >= held) continue;
      const bool torch = tensor->library == Library::torch;
      if (results_.size() > 1) return say(torch ? Msg::pieces_kept : Msg::np_pieces_kept, {tensor->storage->nbytes});
      if (torch)
        say(Msg::storage_kept, {tensor->storage->nbytes, held - *cells, held});
      else
        say(Msg::np_view_keeps, {*cells * item, tensor->storage->nbytes});
    }
  }

  Applied& applied_;
  std::vector<Result> results_;
};

}  // namespace

std::string product_text(const Dims& factors, int64_t product) {
  std::string text;
  for (const int64_t factor : factors) text += (text.empty() ? "" : " × ") + std::to_string(factor);
  return factors.size() < 2 ? std::to_string(product) : text + " = " + std::to_string(product);
}

std::string elements_text(int64_t bytes, int64_t item) {
  const int64_t common = std::gcd(bytes % item, item);
  return std::to_string(bytes / common) + (item == common ? "" : "/" + std::to_string(item / common));
}

std::string elements_text(const Dims& bytes, int64_t item) {
  std::string text = "(";
  for (int d = 0; d < bytes.size(); ++d) text += (d > 0 ? ", " : "") + elements_text(bytes[d], item);
  return text + (bytes.size() == 1 ? ",)" : ")");
}

void complete_reasons(Applied& applied) {
  Account account(applied);
  account.headline_first();
  if (!applied.error) account.success();
  account.once();
}

}  // namespace stridescope
