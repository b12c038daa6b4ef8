// Mean and variance of numbers that are normalized together, to the last digit of PyTorch's kernels: each adds up in an
// order of its own, and rounds every step to float32 unless the numbers are float64.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "layout/layout.h"
#include "ops/dtype.h"

namespace stridescope {

/// What is left of a number after a step of arithmetic on tensors of a dtype.
struct Precision {
  DType dtype = DType::float32;
  double operator()(double value) const {
    return dtype == DType::float64 ? value : static_cast<double>(static_cast<float>(value));
  }
  /// a * b + c as processors do it at once: rounded only then.
  double fused(double a, double b, double c) const;
};

struct Moments {
  double mean = 0, variance = 0;  ///< the variance over all, not over one less
};

/// Of a row: in the lanes of a vector of 32 bytes, in chunks of 16 of them that are joined two by two.
Moments row_moments(std::span<const double> row, Precision rounded);
/// Of channels, one after the other, whose elements lie side by side in memory: pixel by pixel, as sums and sums of
/// squares.  @pre  channels divides the size of the row
Moments pixel_moments(std::span<const double> row, size_t channels, Precision rounded);
/// Of one channel of a batch: summed as float64, or, where channels are `last` in memory, as what they are. The mean is
/// kept as `kept` says.
Moments channel_moments(std::span<const double> row, bool last, Precision rounded, DType kept);
/// The sums over all dims but 1 of elements in logical order, which PyTorch's reduction adds up as they lie in memory.
std::vector<double> channel_sums(std::span<const double> values, const Layout& layout, Precision rounded);
/// Around a mean that is known: the distances are taken and added up as float64.
Moments moments_around(std::span<const double> row, double mean);

}  // namespace stridescope
