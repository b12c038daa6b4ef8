// One list of numbers slid along another: convolve and correlate.
#include <algorithm>
#include <array>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

enum class Reach : uint8_t { valid, same, full };

/// mode='valid', 'same', 'full', or 0, 1, 2; the first letter decides.
Reach reach_of(Call& call) {
  const Value& mode = call.value("mode");
  const auto* word = std::get_if<std::string>(&mode.held);
  const char letter = word && !word->empty() ? static_cast<char>(word->front() | 0x20) : ' ';
  if (letter == 'v') return Reach::valid;
  if (letter == 's') return Reach::same;
  if (letter == 'f') return Reach::full;
  const auto code = std::holds_alternative<int64_t>(mode.held) ? as_integer(mode) : std::nullopt;
  if (code && *code >= 0 && *code <= 2) return static_cast<Reach>(*code);
  call.about("mode");
  if (word)
    call.fail("ValueError", {"mode must be one of 'valid', 'same', or 'full' (got '", *word, "')"},
              Msg::np_convolve_mode, {*word});
  else if (code)
    call.fail("ValueError", "integer convolve/correlate mode must be 0, 1, or 2", Msg::np_convolve_mode, {*code});
  else
    call.fail_parser("convolve/correlate mode not understood", Msg::np_convolve_mode, {to_string(mode)});
  return Reach::full;
}

/// c[k] = sum over j of a[j + k] * v[j], for k from as far left as `reach` asks.
Value slid(Call& call, Tensor a, Tensor v, Reach reach) {
  const bool swapped = count_of(a) < count_of(v);
  if (swapped) std::swap(a, v);
  const int64_t size = count_of(a), width = count_of(v);
  if (size > most_products) return call.refuse(Msg::too_many_summed, {size, most_products});
  const int64_t left = reach == Reach::valid ? 0 : reach == Reach::same ? width / 2 : width - 1;
  const int64_t count = reach == Reach::valid ? size - width + 1 : reach == Reach::same ? size : size + width - 1;
  if (count > most_products / width) return call.refuse(Msg::too_many_summed, {size, most_products / width});
  const DType dtype = numpy_promoted(a.dtype, v.dtype);
  const DType wide = is_complex(dtype) ? DType::complex128 : is_floating(dtype) ? DType::float64 : DType::int64;
  const Elements line = elements_of(a), slider = elements_of(v);
  std::vector<Scalar> sums;
  for (int64_t k = -left; k < count - left; ++k) {
    Scalar sum = converted(integer_scalar(0, DType::int64), wide);
    for (int64_t j = std::max<int64_t>(0, -k); j < width && j + k < size; ++j) {
      const Scalar factors[] = {converted(element(line, j + k), wide), converted(element(slider, j), wide)};
      const Scalar terms[] = {sum, reckon(Arithmetic::multiply, factors)};
      sum = reckon(Arithmetic::add, terms);
    }
    sums.push_back(converted(sum, dtype));
  }
  if (swapped) std::reverse(sums.begin(), sums.end());
  call.why(Msg::np_convolve_headline, {count, width});
  return numpy_fresh(call, {count}, dtype, literal_contents(sums, dtype));
}

Value convolve(Call& call) {
  const bool flips = call.name().ends_with("convolve");
  const TensorRef first = as_array(call, call.value("a")), second = first ? as_array(call, call.value("v")) : nullptr;
  if (call.failed()) return {};
  Tensor a = *first->tensor, v = *second->tensor;
  const auto is_empty = [&](const Tensor& one) { return one.layout.rank() > 0 && one.layout.sizes[0] == 0; };
  const auto refuse_nothing = [&] {
    return call.fail("ValueError",
                     {is_empty(a) ? (flips ? "a" : "first array argument") : (flips ? "v" : "second array argument"),
                      " cannot be empty"},
                     Msg::np_convolve_empty);
  };
  if (flips) {
    for (Tensor* one : {&a, &v})
      if (one->layout.rank() == 0) one->layout = insert_dim(one->layout, 0, unit_of(*one));
    if (v.layout.sizes[0] > a.layout.sizes[0]) std::swap(a, v);
    if (is_empty(a) || is_empty(v)) return refuse_nothing();
  }
  const Reach reach = reach_of(call);
  if (call.failed()) return {};
  for (const Tensor* one : {&a, &v})
    if (const bool deep = one->layout.rank() > 1; deep || one->layout.rank() == 0)
      return call.about(one == &a ? "a" : "v")
          .fail("ValueError",
                deep ? "object too deep for desired array" : "object of too small depth for desired array",
                Msg::np_convolve_rank, {one->layout.rank()});
  if (is_empty(a) || is_empty(v)) return refuse_nothing();
  // A convolution is a correlation with the other list turned round; a correlation conjugates it.
  if (flips) v.layout = flip(v.layout, 0);
  if (!flips && is_complex(v.dtype)) {
    const ContentsPtr conjugated = elementwise(Arithmetic::conjugate, std::array{elements_of(v)}, v.dtype, v.dtype);
    if (!conjugated) return call.refuse(Msg::np_too_costly);
    v.storage = std::make_shared<Storage>(*v.storage);
    v.storage->contents = conjugated;
    v.layout = contiguous(v.layout.sizes, unit_of(v));
  }
  return slid(call, a, v, reach);
}

}  // namespace

std::span<const Op> numpy_convolve_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.convolve(a, v, mode='full')", Msg::op_np_convolve, "c[k] = sum of a[j] * v[k - j]",
       "y = np.convolve([1, 2, 3], [1, 1])", convolve},
      {Library::numpy, "np.correlate(a, v, mode='valid')", Msg::op_np_convolve, "c[k] = sum of a[j + k] * conj(v[j])",
       "y = np.correlate([1, 2, 3, 4], [1, -1])", convolve},
  };
  return rows;
}

}  // namespace stridescope
