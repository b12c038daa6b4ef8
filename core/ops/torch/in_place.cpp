// Elements reckoned and stored where one of the operands was, which may be what is read next.
#include <algorithm>
#include <array>
#include <map>

#include "layout/extent.h"
#include "layout/lookup.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Most elements that are written one by one.
constexpr int64_t most_in_turn = 1 << 16;

/// The dimensions of an iteration over the operands, the slowest first.
Dims slowest_first(const std::vector<Layout>& operands) {
  const Dims fastest_first = iterator_order(operands.front().sizes, operands);
  Dims order;
  for (int k = fastest_first.size() - 1; k >= 0; --k) order.push_back(fastest_first[k]);
  return order;
}

/// Whether writing some elements of the target changes what is still to be read of the operand.
bool is_disturbed(const Tensor& target, const Layout& bytes, const Elements& operand) {
  if (operand.contents != target.storage->contents || operand.layout == bytes || operand.layout.rank() == 0)
    return false;
  return shares_offset(bytes, itemsize(target.dtype), operand.layout, itemsize(operand.dtype)) != Answer::no;
}

/// Whether the library's kernel takes vectors of elements.
bool takes_vectors(std::optional<Arithmetic> op, DType dtype) {
  if (!op || is_floating(dtype) || is_complex(dtype)) return true;
  return dtype != DType::boolean && !divides(*op) && *op != Arithmetic::power && *op != Arithmetic::common_divisor &&
         *op != Arithmetic::common_multiple;
}

/// An operation in place whose elements share cells with what it reads. The library goes through the innermost
/// dimensions that lie as one line. Where that is packed it reads as many elements as two vectors of AVX2 hold before
/// it writes the first of them, and what is repeated along the line once for all of these; any others it reads, reckons
/// and writes one after the other.
class Turns {
 public:
  /// @param operands the target is the first; their layouts are in bytes
  /// @param apart    the others lie in no cell of the target's storage
  Turns(const std::vector<Elements>& operands, bool apart, bool vectors) : operands_(operands), apart_(apart) {
    std::vector<Layout> layouts;
    for (const Elements& operand : operands) layouts.push_back(operand.layout);
    const Dims order = slowest_first(layouts);
    for (Elements& operand : operands_) operand.layout = permute(operand.layout, order);
    measure_line();
    const int64_t item = itemsize(target().dtype);
    const auto packed = [&](size_t k) { return steps_[k] == item && operands_[k].dtype == target().dtype; };
    const auto repeated = std::count(steps_.begin(), steps_.end(), 0);
    for (size_t k = 0; k < operands_.size(); ++k) vectors = vectors && (packed(k) || (k > 0 && steps_[k] == 0));
    if (vectors && repeated <= 1) at_once_ = 64 / item;
  }

  /// What is left in each cell that is written, by the place of its first byte.
  template <typename Reckon>
  std::map<int64_t, Scalar> run(Reckon reckoned) {
    const int64_t count = *numel(target().layout.sizes);
    for (int64_t first = 0; first < count; first += line_) {
      const std::vector<Scalar> once = in_blocks() ? read(first) : std::vector<Scalar>();
      int64_t i = first;
      for (; in_blocks() && i + at_once_ <= first + line_; i += at_once_) {
        std::vector<Scalar> results;
        for (int64_t k = i; k < i + at_once_; ++k) {
          std::vector<Scalar> values = read(k);
          for (size_t operand = 1; operand < values.size(); ++operand)
            if (steps_[operand] == 0) values[operand] = once[operand];
          results.push_back(reckoned(values));
        }
        for (int64_t k = i; k < i + at_once_; ++k) now_[place(target(), k)] = results[static_cast<size_t>(k - i)];
      }
      for (; i < first + line_; ++i) now_[place(target(), i)] = reckoned(read(i));
    }
    return std::move(now_);
  }

  /// Whether several are read before one of them is written.
  bool in_blocks() const { return at_once_ > 1 && at_once_ <= line_; }

 private:
  const Elements& target() const { return operands_.front(); }
  static int64_t place(const Elements& operand, int64_t i) {
    return offset(operand.layout, index_at(operand.layout.sizes, i));
  }
  std::vector<Scalar> read(int64_t i) const {
    std::vector<Scalar> values;
    for (size_t k = 0; k < operands_.size(); ++k) {
      const Elements& operand = operands_[k];
      const bool shares =
          (k == 0 || !apart_) && operand.contents == target().contents && operand.dtype == target().dtype;
      const auto found = shares ? now_.find(place(operand, i)) : now_.end();
      values.push_back(found != now_.end() ? found->second : element(operand, i));
    }
    return values;
  }
  void measure_line() {
    const Dims& sizes = target().layout.sizes;
    steps_.assign(operands_.size(), 0);
    for (int d = sizes.size() - 1; d >= 0; --d) {
      if (sizes[d] == 1) continue;
      for (size_t k = 0; k < operands_.size(); ++k) {
        const int64_t stride = operands_[k].layout.strides[d];
        if (line_ > 1 && stride != steps_[k] * line_) return;
        if (line_ == 1) steps_[k] = stride;
      }
      line_ *= sizes[d];
    }
  }

  std::vector<Elements> operands_;
  bool apart_;
  int64_t line_ = 1, at_once_ = 1;  ///< elements of a line, and of those that are read before one is written
  std::vector<int64_t> steps_;      ///< bytes from one element of a line to the next, of each operand
  std::map<int64_t, Scalar> now_;
};

/// What was written in turn, by the place of its first byte, becomes what the storage holds; and how it was.
Value finished(Call& call, const Tensor& target, const std::map<int64_t, Scalar>& now, Msg how) {
  call.why(how, {*numel(target.layout.sizes), static_cast<int64_t>(now.size())});
  std::vector<std::pair<int64_t, Scalar>> writes(now.begin(), now.end());
  for (auto& [place, value] : writes) value = target.lens(value);
  call.write(target, writes);
  return Value{call.self_ref()};
}

}  // namespace

bool shares_cells(const Tensor& target) {
  return *numel(target.layout.sizes) <= most_in_turn && is_unique(target.layout) != Answer::yes;
}

bool is_read_in_turn(const Tensor& target, const std::vector<Elements>& rest) {
  const auto bytes = in_bytes(target);
  // A conjugate or a negative is reckoned apart, then copied.
  return *numel(target.layout.sizes) <= most_in_turn && target.lens == Lens{} &&
         (shares_cells(target) || std::any_of(rest.begin(), rest.end(),
                                              [&](const Elements& one) { return is_disturbed(target, *bytes, one); }));
}

Value stored(Call& call, const Tensor& target, std::optional<Arithmetic> op, std::vector<Elements> rest, DType common,
             const std::optional<Scalar>& factor, bool apart) {
  explain_write(call, target);
  const auto is_unknown = [](const Elements& one) { return one.contents && !is_known(*one.contents); };
  const bool unknown = !is_known(*target.storage->contents) || op == Arithmetic::special_of_two ||
                       std::any_of(rest.begin(), rest.end(), is_unknown);
  if (unknown || !is_read_in_turn(target, apart ? std::vector<Elements>() : rest)) {
    std::vector<Elements> operands{elements_of(target)};
    for (const Elements& one : rest) {
      operands.push_back(one);
      if (!factor) continue;
      const Elements pair[] = {one, {constant_contents(*factor, 1), expand(Layout{}, one.layout.sizes), factor->dtype}};
      operands.back() = {elementwise(Arithmetic::multiply, pair, common, factor->dtype),
                         contiguous(one.layout.sizes, itemsize(factor->dtype)), factor->dtype};
    }
    if (!op) {
      call.write(target, operands.back());
      return Value{call.self_ref()};
    }
    ContentsPtr result = elementwise(*op, operands, common, target.dtype);
    call.write(target, {std::move(result), contiguous(target.layout.sizes, itemsize(target.dtype)), target.dtype});
    return Value{call.self_ref()};
  }
  // Cells shared by several elements: what one leaves is what the next reads.
  std::vector<Elements> operands{elements_of(target)};
  operands.insert(operands.end(), rest.begin(), rest.end());
  const bool whole = !is_floating(target.dtype) && !is_complex(target.dtype);
  bool by_zero = false;
  Turns turns(operands, apart, takes_vectors(op, target.dtype));
  const std::map<int64_t, Scalar> now = turns.run([&](std::vector<Scalar> values) {
    for (size_t k = 0; k < values.size(); ++k) {
      values[k] = converted(values[k], common);
      if (k == 0 || !factor) continue;
      const Scalar pair[] = {values[k], converted(*factor, common)};
      values[k] = converted(converted(reckon(Arithmetic::multiply, pair), factor->dtype), common);
    }
    if (whole && op && divides(*op) && !is_true(values.back())) return by_zero = true, Scalar{target.dtype};
    return converted(op ? reckon(*op, values) : values.back(), target.dtype);
  });
  // PyTorch stops there, and what is written by then stays.
  if (by_zero)
    return call.refuse(Msg::not_modelled, {"PyTorch", std::string(call.name()) + " by a 0 that it has written"});
  return finished(call, target, now, turns.in_blocks() ? Msg::write_in_blocks : Msg::write_one_by_one);
}

Value stored_in_turn(Call& call, const Tensor& target, const std::vector<Elements>& operands,
                     const std::function<Scalar(const std::vector<Scalar>&)>& reckoned) {
  explain_write(call, target);
  Turns turns(operands, false, true);
  const std::map<int64_t, Scalar> now = turns.run(reckoned);
  return finished(call, target, now, turns.in_blocks() ? Msg::write_in_blocks : Msg::write_one_by_one);
}

Value run_in_turn(Call& call, const Tensor& target, int d, bool product) {
  const auto bytes = in_bytes(target);
  Dims order;
  for (const int64_t other : slowest_first(std::vector<Layout>{target.layout}))
    if (other != d) order.push_back(other);
  order.push_back(d);
  const Layout walk = permute(*bytes, order);
  const DType wide = is_complex(target.dtype)    ? DType::complex128
                     : is_floating(target.dtype) ? DType::float64
                                                 : DType::int64;
  std::map<int64_t, Scalar> now;
  Scalar sum;
  for (int64_t i = 0; i < *numel(walk.sizes); ++i) {
    const int64_t place = offset(walk, index_at(walk.sizes, i));
    const auto found = now.find(place);
    const Scalar seen =
        found != now.end() ? found->second : element({target.storage->contents, walk, target.dtype, target.lens}, i);
    if (i % walk.sizes.back() == 0) sum = converted(integer_scalar(product ? 1 : 0, DType::int64), wide);
    const Scalar pair[] = {sum, converted(seen, wide)};
    sum = reckon(product ? Arithmetic::multiply : Arithmetic::add, pair);
    now[place] = converted(sum, target.dtype);
  }
  return finished(call, target, now, Msg::write_one_by_one);
}

}  // namespace stridescope
