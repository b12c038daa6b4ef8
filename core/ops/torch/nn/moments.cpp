#include "ops/torch/nn/moments.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "layout/contiguity.h"

namespace stridescope {
namespace {

/// What Welford's algorithm keeps of numbers that came one by one.
struct Met {
  double count = 0, mean = 0;
  double squares = 0;  ///< of the distances from the mean, added up
};

/// One more. A vector multiplies by the reciprocal of the count, what does not fill one divides.
void meet(Met& met, double value, bool divides, Precision rounded) {
  const double distance = rounded(value - met.mean);
  met.count += 1;
  met.mean = divides ? rounded(met.mean + rounded(distance / met.count))
                     : rounded.fused(distance, rounded(1 / met.count), met.mean);
  const double next = rounded(value - met.mean);
  met.squares = divides ? rounded(met.squares + rounded(distance * next)) : rounded.fused(distance, next, met.squares);
}

void join(Met& met, const Met& others, Precision rounded) {
  const double count = met.count + others.count;
  const double share = count == 0 ? 0 : rounded(others.count / count);
  const double distance = rounded(others.mean - met.mean);
  met.mean = rounded.fused(share, distance, met.mean);
  const double between = rounded.fused(rounded(rounded(distance * distance) * share), met.count, others.squares);
  met.squares = rounded(met.squares + between);
  met.count = count;
}

constexpr size_t chunk = 16;  // vectors

/// Adds up numbers in the order of PyTorch's cascade, which reads them by their place in a line of memory.
struct Cascade {
  std::span<const double> values;
  Precision rounded;

  /// `count` numbers, each so many places behind the one before: sixteen make one of the next level.
  double levels(int64_t first, int64_t step, int64_t count) const {
    constexpr int64_t wide = 16;
    double sums[4] = {};
    int64_t i = 0;
    const auto add = [&] {
      sums[0] = rounded(sums[0] + values[static_cast<size_t>(first + i * step)]);
      ++i;
    };
    while (i + wide <= count) {
      for (int64_t k = 0; k < wide; ++k) add();
      int64_t mask = (wide - 1) * wide;
      for (size_t level = 1; level < 4; ++level, mask *= wide) {
        sums[level] = rounded(sums[level] + sums[level - 1]);
        sums[level - 1] = 0;
        if ((i & mask) != 0) break;
      }
    }
    while (i < count) add();
    for (size_t level = 1; level < 4; ++level) sums[0] = rounded(sums[0] + sums[level]);
    return sums[0];
  }

  /// Four cascades side by side.
  double row(int64_t first, int64_t count, int64_t step = 1) const {
    double sums[4];
    for (int64_t k = 0; k < 4; ++k) sums[k] = levels(first + k * step, 4 * step, count / 4);
    for (int64_t i = count / 4 * 4; i < count; ++i)
      sums[0] = rounded(sums[0] + values[static_cast<size_t>(first + i * step)]);
    for (int k = 1; k < 4; ++k) sums[0] = rounded(sums[0] + sums[k]);
    return sums[0];
  }

  /// A row in each lane of a vector, after what does not fill one.
  double vectors(int64_t first, int64_t count, int64_t lanes) const {
    double sum = 0;
    for (int64_t i = count / lanes * lanes; i < count; ++i) sum = rounded(sum + values[static_cast<size_t>(first + i)]);
    for (int64_t lane = 0; lane < lanes; ++lane) sum = rounded(sum + row(first + lane, count / lanes, lanes));
    return sum;
  }
};

/// A number in two parts of 26 bits or fewer, so that products of parts are exact (Veltkamp).
std::array<double, 2> parts_of(double value) {
  const double wide = value * 0x8000001p0, high = wide - (wide - value);
  return {high, value - high};
}

}  // namespace

double Precision::fused(double a, double b, double c) const {
  const double product = a * b, sum = product + c;
  // float64 holds what float32 multiplies; of its own products it needs the rest, too (Dekker), and that of the sum.
  if (dtype != DType::float64) return (*this)(sum);
  const auto [ah, al] = parts_of(a);
  const auto [bh, bl] = parts_of(b);
  const double rest = ah * bh - product + ah * bl + al * bh + al * bl;
  const double added = sum - product, lost = (product - (sum - added)) + (c - added);
  const double exact = sum + (rest + lost);
  return std::isfinite(exact) ? exact : sum;
}

std::vector<double> channel_sums(std::span<const double> values, const Layout& layout, Precision rounded) {
  const int64_t lanes = rounded.dtype == DType::float64 ? 4 : 8, channels = layout.sizes[1];
  const Dims places = contiguous(layout.sizes).strides;
  // The dimensions that are added up, as they lie in memory, and joined to one where that is possible.
  std::vector<int> dims;
  for (int d = layout.rank(); d-- > 0;)
    if (d != 1 && layout.sizes[d] != 1) dims.push_back(d);
  std::stable_sort(dims.begin(), dims.end(), [&](int a, int b) { return layout.strides[a] < layout.strides[b]; });
  int64_t row = 1, elements = 1;
  bool joins = true;
  for (const int d : dims) {
    joins = joins && (elements == 1 || layout.strides[d] == row * layout.strides[dims[0]]);
    if (joins) row *= layout.sizes[d];
    elements *= layout.sizes[d];
  }
  const int64_t step = dims.empty() ? 0 : layout.strides[dims[0]], across = layout.strides[1];
  std::vector<double> sums;
  for (int64_t channel = 0; channel < channels; ++channel) {
    std::vector<double> ordered;
    for (int64_t i = 0; i < elements; ++i) {
      int64_t rest = i, place = channel * places[1];
      for (const int d : dims) place += rest % layout.sizes[d] * places[d], rest /= layout.sizes[d];
      ordered.push_back(values[static_cast<size_t>(place)]);
    }
    const Cascade cascade{ordered, rounded};
    // Channels are the next loop: several are added up at once, those that are left over one by one.
    const bool alone = row == elements;
    const int64_t at_once = across == 1 && channels >= lanes ? 4 * lanes : across <= step ? 4 : 0;
    const bool together = alone && at_once > 0 && channel < channels / at_once * at_once;
    double sum = 0;
    for (int64_t first = 0; first < elements; first += row)
      sum = rounded(sum + (step == 1 && row >= lanes ? cascade.vectors(first, row, lanes)
                           : together                ? cascade.levels(first, 1, row)
                                                     : cascade.row(first, row)));
    sums.push_back(sum);
  }
  return sums;
}

Moments row_moments(std::span<const double> row, Precision rounded) {
  // A vector of numbers of half precision becomes two of float32.
  const size_t lanes = rounded.dtype == DType::float64 ? 4 : 8, parts = itemsize(rounded.dtype) == 2 ? 2 : 1;
  const size_t width = parts * lanes, vectors = row.size() / width;
  const size_t chunks = (vectors + chunk - 1) / chunk;
  const size_t levels = chunks <= 2 ? 1 : static_cast<size_t>(std::bit_width(chunks - 1));
  Met all;
  for (size_t i = vectors * width; i < row.size(); ++i) meet(all, row[i], true, rounded);
  for (size_t lane = 0; lane < lanes; ++lane) {
    std::vector<Met> joined(levels);
    for (size_t c = 0; c < chunks; ++c) {
      for (size_t part = 0; part < parts; ++part) {
        Met met;
        for (size_t v = c * chunk; v < std::min(vectors, (c + 1) * chunk); ++v)
          meet(met, row[v * width + part * lanes + lane], false, rounded);
        join(joined[0], met, rounded);
      }
      // Two of a level make one of the next.
      for (size_t level = 1, left = c + 1; level < levels && left % 2 == 0; ++level, left /= 2) {
        join(joined[level], joined[level - 1], rounded);
        joined[level - 1] = {};
      }
    }
    for (size_t level = 1; level < levels; ++level) join(joined[0], joined[level], rounded);
    join(all, joined[0], rounded);
  }
  return {all.mean, rounded(all.squares / static_cast<double>(row.size()))};
}

Moments pixel_moments(std::span<const double> row, size_t channels, Precision rounded) {
  const size_t lanes = rounded.dtype == DType::float64 ? 4 : 8, pixels = row.size() / channels;
  std::vector<double> sums(lanes), squares(lanes);
  for (size_t p = 0; p < pixels; ++p)
    for (size_t c = 0; c < channels; ++c) {
      const double value = row[c * pixels + p];
      sums[c % lanes] = rounded(sums[c % lanes] + value);
      squares[c % lanes] = rounded(squares[c % lanes] + rounded(value * value));
    }
  // A vector of float64 is added up lane by lane, one of float32 half upon half.
  const auto add_up = [&](std::vector<double>& of) {
    const bool halves = rounded.dtype != DType::float64;
    for (size_t half = lanes / 2; halves && half > 0; half /= 2)
      for (size_t lane = 0; lane < half; ++lane) of[lane] = rounded(of[lane] + of[lane + half]);
    for (size_t lane = 1; !halves && lane < lanes; ++lane) of[0] = rounded(of[0] + of[lane]);
    return of[0];
  };
  const double share = rounded(1 / static_cast<double>(row.size())), mean = rounded(add_up(sums) * share);
  return {mean, std::max(rounded.fused(add_up(squares), share, -rounded(mean * mean)), 0.)};
}

Moments channel_moments(std::span<const double> row, bool last, Precision rounded, DType kept) {
  const Precision summed{last ? rounded.dtype : DType::float64};
  const double count = static_cast<double>(row.size());
  double sum = 0, squares = 0;
  for (const double value : row) sum = summed(sum + value);
  const double mean = real_scalar(sum / count, kept).real;
  for (const double value : row) {
    const double distance = rounded(value - mean);
    squares = last ? summed.fused(distance, distance, squares) : squares + rounded(distance * distance);
  }
  return {mean, rounded(rounded(squares) / count)};
}

Moments moments_around(std::span<const double> row, double mean) {
  double squares = 0;
  for (const double value : row) squares += (value - mean) * (value - mean);
  return {mean, squares / static_cast<double>(row.size())};
}

}  // namespace stridescope
