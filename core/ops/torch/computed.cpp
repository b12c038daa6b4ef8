// Elements reckoned: a function of its operands as a new tensor, or stored where one of them was.
#include <algorithm>
#include <array>
#include <cmath>
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

}  // namespace

std::optional<Elements> rounded_elements(Call& call, const Tensor& tensor, int64_t decimals) {
  if (!is_floating(tensor.dtype)) {
    const std::string kernel = decimals == 0 ? "round_vml_cpu" : "round_cpu";
    call.fail("RuntimeError", {"\"", kernel, "\" not implemented for '", scalar_type_name(tensor.dtype), "'"},
              Msg::kernel_missing, {kernel, name(tensor.dtype)});
    return std::nullopt;
  }
  const DType working = working_dtype(tensor.dtype);
  const Dims& sizes = tensor.layout.sizes;
  const Layout packed = contiguous(sizes, itemsize(working));
  const Scalar power = real_scalar(std::pow(10.0, static_cast<double>(std::abs(decimals))), working);
  const Elements factor{constant_contents(power, 1), expand(Layout{}, sizes), working};
  const Arithmetic there = decimals < 0 ? Arithmetic::divide : Arithmetic::multiply,
                   back = decimals < 0 ? Arithmetic::multiply : Arithmetic::divide;
  ContentsPtr contents = elementwise(there, std::array{elements_of(tensor), factor}, working, working);
  contents = elementwise(Arithmetic::round, std::array{Elements{contents, packed, working}}, working, working);
  contents = elementwise(back, std::array{Elements{contents, packed, working}, factor}, working, working);
  return Elements{std::move(contents), packed, working};
}

std::optional<Elements> operand_of(Call& call, const Value& value, const char* parameter) {
  if (const TensorPtr tensor = tensor_of(value)) return elements_of(*tensor);
  if (const auto scalar = scalar_of(value)) return Elements{constant_contents(*scalar, 1), {}, scalar->dtype};
  call.wrong_type(parameter, "Tensor or number");
  return std::nullopt;
}

Value seen_through(const Tensor& tensor, const Layout& layout) {
  Tensor seen = tensor;
  seen.layout = layout;
  return Value{std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(std::move(seen))})};
}

Elements Reckoner::operator()(Arithmetic op, const std::vector<Elements>& operands) const {
  const DType made = gives_bool(op) ? DType::boolean : dtype;
  return {elementwise(op, operands, dtype, made), contiguous(sizes, itemsize(made)), made};
}

Elements Reckoner::operator()(double number) const {
  return {constant_contents(real_scalar(number, dtype), 1), expand(Layout{}, sizes), dtype};
}

Value laid_out(Call& call, const Layout& layout, DType dtype, const Elements& elements) {
  if (call.failed()) return {};
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  call.why(Msg::elementwise_headline, {*numel(layout.sizes), name(dtype), to_string(layout)});
  if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  const Value made = call.gathered(layout, dtype, [&](const Dims& order) {
    return gather({elements.contents, permute(elements.layout, order), elements.dtype}, dtype);
  });
  call.relation(Relation::fresh);
  return made;
}

Layout as_operand(const Layout& layout, const Dims& sizes) {
  Layout seen{sizes, Dims::filled(sizes.size(), 0), layout.storage_offset};
  const int extra = sizes.size() - layout.rank();
  for (int d = extra; d < sizes.size(); ++d)
    if (layout.sizes[d - extra] != 1 || sizes[d] == 1) seen.strides[d] = layout.strides[d - extra];
  return seen;
}

Value computed(Call& call, Arithmetic op, const std::vector<const Value*>& arguments, DType common, DType dtype,
               const std::vector<std::optional<Elements>>& instead, bool apart) {
  Dims sizes;
  std::vector<Elements> operands;
  for (const Value* argument : arguments) {
    const std::optional<Elements>* other = operands.size() < instead.size() ? &instead[operands.size()] : nullptr;
    const auto operand = other && *other ? *other : operand_of(call, *argument, "other");
    const auto joined = operand ? broadcast_sizes(call, sizes, operand->layout.sizes) : std::nullopt;
    if (!joined) return {};
    sizes = *joined;
    operands.push_back(*operand);
  }
  // Of three the second is already in what is read instead of the first.
  if (operands.size() == 3 && op != Arithmetic::where) operands.erase(operands.begin() + 1);
  bool alike = true;
  std::vector<Layout> layouts;
  for (const Value* argument : arguments) {
    const TensorPtr tensor = tensor_of(*argument);
    alike &= tensor ? tensor->layout.sizes == sizes : apart;
    if (!tensor) continue;
    // A conjugate or a negative is written down first, and what is of another dtype converted.
    const bool condition = op == Arithmetic::where && argument == arguments.front();
    const bool converts =
        tensor->dtype != common && !condition && !(working_dtype(tensor->dtype) == common && dtype == tensor->dtype);
    const Dims strides =
        tensor->lens == Lens{} && !converts ? tensor->layout.strides : preserved_strides(tensor->layout);
    layouts.push_back(as_operand({tensor->layout.sizes, strides, tensor->layout.storage_offset}, sizes));
  }
  // Of these two the result is made like the operand before an iterator sees it.
  const bool made_alike = op == Arithmetic::to_radians || op == Arithmetic::to_degrees;
  const Layout result{sizes, made_alike ? preserved_strides(layouts.front()) : iterator_strides(sizes, layouts, alike),
                      0};
  if (!is_valid(result)) return call.refuse(Msg::beyond_int64);
  call.why(Msg::elementwise_headline, {*numel(sizes), name(dtype), to_string(result)});
  bool mixed = false;
  for (const Elements& operand : operands) mixed |= operand.dtype != common;
  size_t next = 0;  // of the layouts, one a tensor
  for (const Value* argument : arguments)
    if (const TensorPtr tensor = tensor_of(*argument)) {
      if (tensor->layout.rank() > 0 && tensor->layout.sizes != sizes) explain_broadcast(call, *tensor, layouts[next]);
      ++next;
    }
  if (mixed && op != Arithmetic::where)
    call.why(Msg::elementwise_dtype, {name(common == working_dtype(dtype) ? dtype : common)});
  if (!(result.strides == contiguous(sizes).strides)) call.why(Msg::elementwise_layout, {to_string(result.strides)});
  const Value value = call.gathered(result, dtype, [&](const Dims& order) {
    for (Elements& operand : operands) operand.layout = permute(expand(operand.layout, sizes), order);
    return elementwise(op, operands, common, dtype);
  });
  call.relation(Relation::fresh);
  return value;
}

namespace {

/// Quotients and powers, which the library reckons one by one of whole numbers.
bool divides(Arithmetic op) {
  switch (op) {
    case Arithmetic::floor_divide:
    case Arithmetic::remainder:
    case Arithmetic::remainder_signed:
    case Arithmetic::truncated_remainder:
    case Arithmetic::truncated_divide:
    case Arithmetic::power:
    case Arithmetic::common_divisor:
    case Arithmetic::common_multiple: return true;
    default: return false;
  }
}

/// An operation in place whose elements share cells with what it reads. The library goes through the innermost
/// dimensions that lie as one line. Where that is packed it reads as many elements as two vectors of AVX2 hold before it
/// writes the first of them, and what is repeated along the line once for all of these; any others it reads, reckons and
/// writes one after the other.
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
      const std::vector<Scalar> once = read(first);
      int64_t i = first;
      for (; at_once_ > 1 && i + at_once_ <= first + line_; i += at_once_) {
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
        if (line_ == 1) steps_[k] = stride;
        else if (stride != steps_[k] * line_) return;
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

Value stored(Call& call, const Tensor& target, std::optional<Arithmetic> op, std::vector<Elements> rest, DType common,
             const std::optional<Scalar>& factor, bool apart) {
  const int64_t count = *numel(target.layout.sizes);
  call.headline(Msg::write_headline, {count, count * itemsize(target.dtype), to_string(target.layout)});
  if (target.is_view) call.why(Msg::write_seen_in_aliases);
  const auto bytes = in_bytes(target);
  // A conjugate or a negative is reckoned apart, then copied.
  const bool in_turn =
      target.lens == Lens{} && (is_unique(target.layout) != Answer::yes ||
                                (!apart && std::any_of(rest.begin(), rest.end(), [&](const Elements& one) {
                                  return is_disturbed(target, *bytes, one);
                                })));
  if (!in_turn || count > most_in_turn) {
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
  const bool whole = !is_floating(target.dtype) && !is_complex(target.dtype), by_one = whole && op && divides(*op);
  bool by_zero = false;
  Turns turns(operands, apart, !by_one && target.dtype != DType::boolean);
  const std::map<int64_t, Scalar> now = turns.run([&](std::vector<Scalar> values) {
    for (size_t k = 0; k < values.size(); ++k) {
      values[k] = converted(values[k], common);
      if (k == 0 || !factor) continue;
      const Scalar pair[] = {values[k], converted(*factor, common)};
      values[k] = converted(converted(reckon(Arithmetic::multiply, pair), factor->dtype), common);
    }
    by_zero |= by_one && *op != Arithmetic::power && !is_true(values.back());
    return converted(op ? reckon(*op, values) : values.back(), target.dtype);
  });
  // PyTorch stops there, and what is written by then stays.
  if (by_zero) return call.refuse(Msg::not_modelled, {"PyTorch", std::string(call.name()) + " by a 0 that it has written"});
  return finished(call, target, now, turns.in_blocks() ? Msg::write_in_blocks : Msg::write_one_by_one);
}

bool shares_cells(const Tensor& target) {
  return *numel(target.layout.sizes) <= most_in_turn && is_unique(target.layout) != Answer::yes;
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
