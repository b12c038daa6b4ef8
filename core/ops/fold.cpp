#include "ops/fold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "layout/contiguity.h"
#include "layout/transform.h"

namespace stridescope {
namespace {

Scalar of_two(Arithmetic op, const Scalar& a, const Scalar& b) {
  const Scalar pair[] = {a, b};
  return reckon(op, pair);
}

bool beats(const Scalar& next, const Scalar& held, bool most) {
  if (is_complex(next.dtype) && next.real == held.real)
    return most ? next.imaginary > held.imaginary : next.imaginary < held.imaginary;
  if (is_complex(next.dtype)) return most ? next.real > held.real : next.real < held.real;
  return is_true(of_two(most ? Arithmetic::greater : Arithmetic::less, next, held));
}

/// The rows of an array in the order in which NumPy goes through them, the longest strides first, and how many elements
/// at the end of that order are added up at once: those that are next to each other in even steps, 1 where what stays
/// comes last. All at once where nothing stays, by way of a buffer where they are not.
void set_runs(Rows& rows, const Tensor& array) {
  Elements runs = elements_of(array);
  Layout& layout = runs.layout;
  const auto size = [&](int64_t d) { return layout.sizes[static_cast<int>(d)]; };
  const auto stride = [&](int64_t d) { return layout.strides[static_cast<int>(d)]; };
  const auto is_folded = [&](int64_t d) {
    return std::find(rows.along.begin(), rows.along.end(), d) != rows.along.end();
  };
  Dims by_stride = all_dims(array), order;
  std::stable_sort(by_stride.begin(), by_stride.end(), [&](int64_t a, int64_t b) {
    return (size(a) == 1) != (size(b) == 1) ? size(a) == 1 : std::abs(stride(a)) > std::abs(stride(b));
  });
  rows.run = 1;
  for (int k = by_stride.size() - 1; k >= 0; --k) {
    const int64_t d = by_stride[k], inner = k + 1 < by_stride.size() ? by_stride[k + 1] : d;
    if (!is_folded(d) || size(d) == 1 || (inner != d && stride(d) != stride(inner) * size(inner))) break;
    rows.run *= size(d);
  }
  const bool backwards = !by_stride.empty() && stride(by_stride.back()) < 0;
  rows.buffered = (rows.count == 1 && rows.run < rows.each) || backwards;
  if (rows.count == 1 && rows.run > 1) rows.run = rows.each;
  for (int d = 0; d < layout.rank(); ++d)
    if (!is_folded(d)) order.push_back(d);
  for (const int64_t d : by_stride)
    if (is_folded(d)) order.push_back(d);
  layout = permute(layout, order);
  rows.runs = std::move(runs);
}

}  // namespace

double pairwise_sum(std::span<const double> values, DType step) {
  const auto add = [&](double a, double b) { return real_scalar(a + b, step).real; };
  const size_t n = values.size();
  if (n > 128) {
    const size_t middle = n / 2 - n / 2 % 8;
    return add(pairwise_sum(values.first(middle), step), pairwise_sum(values.subspan(middle), step));
  }
  double sum = 0;
  size_t next = 0;
  if (n >= 8) {
    std::array<double, 8> beside;
    for (; next < n - n % 8; ++next) beside[next % 8] = next < 8 ? values[next] : add(beside[next % 8], values[next]);
    sum = add(add(add(beside[0], beside[1]), add(beside[2], beside[3])),
              add(add(beside[4], beside[5]), add(beside[6], beside[7])));
  }
  for (; next < n; ++next) sum = add(sum, values[next]);
  return sum;
}

DType widest(DType dtype) {
  return is_whole(dtype) ? DType::int64 : is_complex(dtype) ? DType::complex128 : DType::float64;
}

Dims all_dims(const Tensor& tensor) {
  Dims dims;
  for (int d = 0; d < tensor.layout.rank(); ++d) dims.push_back(d);
  return dims;
}

int64_t Rows::taken(int64_t row) const {
  int64_t sum = mask ? 0 : each;
  for (int64_t k = 0; mask && k < each; ++k) sum += takes(row, k) ? 1 : 0;
  return sum;
}

Rows rows_along(const Tensor& tensor, const Dims& along, bool keep, std::optional<Elements> mask) {
  const Dims& sizes = tensor.layout.sizes;
  const auto folded = [&](int d) { return std::find(along.begin(), along.end(), d) != along.end(); };
  Rows rows;
  Dims order;
  for (int d = 0; d < sizes.size(); ++d) {
    if (!folded(d))
      order.push_back(d), rows.kept.push_back(sizes[d]);
    else
      rows.each *= sizes[d];
    if (!folded(d) || keep) rows.sizes.push_back(folded(d) ? 1 : sizes[d]);
  }
  for (int d = 0; d < sizes.size(); ++d)
    if (folded(d)) order.push_back(d), rows.along.push_back(d);
  rows.count = numel(rows.kept).value_or(0);
  rows.elements = elements_of(tensor);
  rows.elements.layout = permute(rows.elements.layout, order);
  rows.unknown = std::max(*numel(sizes), rows.count) > most_folded || !is_quick(rows.elements, *numel(sizes));
  if (rows.unknown) return rows;
  if (tensor.library == Library::numpy && is_floating(tensor.dtype) && !mask) set_runs(rows, tensor);
  rows.mask = std::move(mask);
  if (rows.mask) rows.mask->layout = permute(rows.mask->layout, order);
  return rows;
}

bool readable(Call& call, const Rows& rows) {
  if (!rows.unknown) return true;
  if (call.quick(rows.elements, 1)) call.refuse(Msg::too_many_summed, {rows.each * rows.count, most_folded});
  return false;
}

ContentsPtr fold_rows(Call& call, const Rows& rows, DType dtype, const std::function<Scalar(int64_t)>& fold) {
  if (rows.unknown) return call.unreckoned(dtype, rows.count, INT64_MAX);
  std::vector<Scalar> results;
  for (int64_t row = 0; row < rows.count; ++row) results.push_back(fold(row));
  return literal_contents(results, dtype);
}

Scalar total(const Rows& rows, int64_t row, DType dtype, bool product, bool skip_nan, bool halves) {
  // Products are rounded at each step, and sums of few. Parts of a longer sum are added up apart, in an order that the
  // processor decides: what is lost so is little, and one wide sum is as near.
  const bool by_step = !is_whole(dtype) && (product || rows.each < 8);
  const DType step = halves || itemsize(dtype) >= 4 ? dtype : DType::float32;
  // NumPy's order is its own.
  if (rows.runs && is_floating(dtype) && !product && !skip_nan) {
    std::vector<double> run;
    for (int64_t k = 0; k < rows.each; ++k)
      run.push_back(converted(element(*rows.runs, row * rows.each + k), dtype).real);
    const bool buffered = rows.buffered || rows.elements.dtype != dtype;
    const int64_t most = buffered ? std::min<int64_t>(rows.run, 8192) : rows.run;
    double sum = 0;
    for (size_t at = 0; at < run.size();) {
      const size_t left = static_cast<size_t>(rows.run) - at % static_cast<size_t>(rows.run),
                   count = std::min(left, static_cast<size_t>(most));
      sum = real_scalar(sum + pairwise_sum(std::span(run).subspan(at, count), step), dtype).real;
      at += count;
    }
    return real_scalar(sum, widest(dtype));
  }
  Scalar sum = converted(integer_scalar(product ? 1 : 0, DType::int64), widest(dtype));
  for (int64_t k = 0; k < rows.each; ++k) {
    if (!rows.takes(row, k)) continue;
    const Scalar value = converted(converted(rows.at(row, k), dtype), sum.dtype);
    if (skip_nan && std::isnan(value.real)) continue;
    sum = of_two(product ? Arithmetic::multiply : Arithmetic::add, sum, value);
    if (by_step) sum = converted(converted(sum, step), sum.dtype);
  }
  return sum;
}

int64_t best_of(const Rows& rows, int64_t row, bool most) {
  int64_t best = -1;
  for (int64_t k = 0; k < rows.each; ++k) {
    if (!rows.takes(row, k)) continue;
    if (best < 0) {
      best = k;
      continue;
    }
    const Scalar held = rows.at(row, best), next = rows.at(row, k);
    if (std::isnan(held.real)) break;
    if (std::isnan(next.real) || beats(next, held, most)) best = k;
  }
  return best;
}

double squares(const Rows& rows, int64_t row, const Scalar& middle) {
  double sum = 0;
  for (int64_t k = 0; k < rows.each; ++k) {
    if (!rows.takes(row, k)) continue;
    const Scalar value = converted(rows.at(row, k), DType::complex128);
    sum += std::pow(value.real - middle.real, 2) + std::pow(value.imaginary - middle.imaginary, 2);
  }
  return sum;
}

double length_of(const Rows& rows, int64_t row, double p, DType held) {
  if (p == 2) return std::sqrt(in_range(held, squares(rows, row, Scalar{DType::complex128})));
  double result = p == -INFINITY ? INFINITY : 0;
  for (int64_t k = 0; k < rows.each; ++k) {
    const Scalar one = converted(rows.at(row, k), DType::complex128);
    const double size = std::hypot(one.real, one.imaginary);
    if (std::isinf(p))
      result = std::isnan(size) || (p > 0 ? size > result : size < result) ? size : result;
    else
      result += p == 0 ? static_cast<double>(size != 0) : p == 1 ? size : std::pow(size, p);
  }
  return std::isinf(p) || p == 0 || p == 1 ? result : std::pow(in_range(held, result), 1 / p);
}

std::vector<Scalar> running(const Elements& elements, int d, DType dtype, DType kept, Arithmetic op,
                            std::optional<int64_t> begin) {
  const Dims& sizes = elements.layout.sizes;
  const Dims steps = contiguous(sizes).strides;
  const int64_t step = sizes.empty() ? 1 : steps[d], size = sizes.empty() ? 1 : sizes[d], count = *numel(sizes);
  std::vector<Scalar> sums;
  for (int64_t i = 0; i < count; ++i) {
    Scalar value = converted(converted(element(elements, i), dtype), kept);
    if (i / step % size > 0)
      value = of_two(op, sums[static_cast<size_t>(i - step)], value);
    else if (begin)
      value = of_two(op, converted(integer_scalar(*begin, DType::int64), kept), value);
    sums.push_back(converted(value, kept));
  }
  for (Scalar& sum : sums) sum = converted(sum, dtype);
  return sums;
}

namespace {

/// Few elements, each read once for the many times that it is wanted.
Elements at_hand(const Elements& elements) {
  const int64_t count = *numel(elements.layout.sizes);
  if (count > most_folded) return elements;
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(element(elements, i));
  return {literal_contents(values, elements.dtype), contiguous(elements.layout.sizes, itemsize(elements.dtype)),
          elements.dtype};
}

/// How many products of real numbers take as long as reading one.
constexpr int64_t products_in_a_read = 16;

std::vector<double> reals_of(const Elements& elements) {
  std::vector<double> values(static_cast<size_t>(*numel(elements.layout.sizes)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = as_real(element(elements, static_cast<int64_t>(i)));
  return values;
}

/// products() of real numbers, with each element read once: rows of `inner` by columns.
ContentsPtr real_products(const Elements& a, const Elements& b, size_t inner, size_t columns, size_t count,
                          DType dtype) {
  const std::vector<double> one = reals_of(a), other = reals_of(b);
  const size_t rows = static_cast<size_t>(a.layout.sizes[a.layout.rank() - 2]);
  ReadBudget::spend(static_cast<int64_t>(count * inner) / products_in_a_read);
  std::vector<Scalar> values;
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i / columns, column = i % columns;
    const double* left = one.data() + line * inner;
    const double* right = other.data() + line / rows * inner * columns + column;
    double sum = 0;
    for (size_t k = 0; k < inner; ++k) sum += left[k] * right[k * columns];
    values.push_back(real_scalar(sum, dtype));
  }
  return literal_contents(values, dtype);
}

}  // namespace

ContentsPtr products(Call& call, const Elements& a, const Elements& b, DType dtype) {
  const Dims &left = a.layout.sizes, &right = b.layout.sizes;
  const int64_t rows = left[left.size() - 2], inner = left.back(), columns = right.back();
  auto all = checked_mul(rows, columns);
  for (int d = 0; d + 2 < left.size(); ++d) all = checked_mul(all, left[d]);
  const int64_t count = all.value_or(INT64_MAX),
                work = checked_mul(all, std::max<int64_t>(inner, 1)).value_or(INT64_MAX);
  const auto all_of = [](const Dims& sizes) { return numel(sizes).value_or(INT64_MAX); };  // broadcast, they may be more
  const bool quick = is_quick(a, all_of(left)) && is_quick(b, all_of(right));
  if (ContentsPtr some = call.unreckoned(dtype, count, quick ? work : INT64_MAX)) return some;
  if (widest(dtype) == DType::float64 && count > 0)
    return real_products(a, b, static_cast<size_t>(inner), static_cast<size_t>(columns), static_cast<size_t>(count),
                         dtype);
  const Elements one = at_hand(a), other = at_hand(b);
  if (!is_quick(one, work) || !is_quick(other, work)) return call.unreckoned(dtype, count, INT64_MAX);
  const DType wide = widest(dtype);
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t matrix = i / (rows * columns), row = i / columns % rows, column = i % columns;
    Scalar sum = converted(integer_scalar(0, DType::int64), wide);
    for (int64_t k = 0; k < inner; ++k)
      sum = of_two(Arithmetic::add, sum,
                   of_two(Arithmetic::multiply, converted(element(one, (matrix * rows + row) * inner + k), wide),
                          converted(element(other, (matrix * inner + k) * columns + column), wide)));
    values.push_back(converted(sum, dtype));
  }
  return literal_contents(values, dtype);
}

}  // namespace stridescope
