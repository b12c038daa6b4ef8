#include "ops/elimination.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace stridescope {
namespace {

using Number = std::complex<double>;

/// One matrix, and how far numbers reckoned from it may be from LAPACK's.
class Matrix {
 public:
  Matrix(const Elements& matrices, int64_t which)
      : n_(matrices.layout.sizes.back()),
        dtype_(is_complex(matrices.dtype) || is_floating(matrices.dtype) ? matrices.dtype : DType::float64),
        cells_(static_cast<size_t>(n_ * n_)) {
    for (size_t i = 0; i < cells_.size(); ++i) {
      const Scalar value = element(matrices, which * n_ * n_ + static_cast<int64_t>(i));
      cells_[i] = {as_real(value), is_complex(dtype_) ? value.imaginary : 0};
      largest_ = std::max(largest_, size(cells_[i]));
    }
  }
  Matrix(std::vector<double> cells, int64_t n) : n_(n), dtype_(DType::float64), cells_(cells.begin(), cells.end()) {
    for (const Number& cell : cells_) largest_ = std::max(largest_, size(cell));
  }
  int64_t rows() const { return n_; }
  Number& at(int64_t row, int64_t column) { return cells_[static_cast<size_t>(row * n_ + column)]; }
  /// What LAPACK looks for the largest of.
  static double size(const Number& value) { return std::abs(value.real()) + std::abs(value.imag()); }
  /// Below that a number may be another, 0 or less than 0 once it was rounded.
  double blur() const {
    const bool narrow = dtype_ == DType::float32 || dtype_ == DType::complex64;
    return largest_ * static_cast<double>(n_) * (narrow ? 0x1p-16 : 0x1p-44);
  }
  /// Whether nothing was rounded so far, so that any order of the same steps comes to the same.
  bool exact() const { return exact_; }
  /// value -= a * b
  void subtract_product(Number& value, const Number& a, const Number& b) {
    if (a.imag() != 0 || b.imag() != 0 || value.imag() != 0) exact_ = false;
    const double product = a.real() * b.real(), left = value.real() - product, back = value.real() - left;
    if (std::fma(a.real(), b.real(), -product) != 0 || back != product || !holds(product) || !holds(left))
      exact_ = false;
    value -= a * b;
  }
  /// value /= by
  void divide(Number& value, const Number& by) {
    const Number quotient = value / by;
    // LAPACK multiplies by what 1 / by is rounded to.
    const double inverse = rounded_to(dtype_, 1 / by.real());
    if (quotient.imag() != 0 || by.imag() != 0 || !holds(quotient.real()) ||
        std::fma(quotient.real(), by.real(), -value.real()) != 0 ||
        rounded_to(dtype_, value.real() * inverse) != quotient.real())
      exact_ = false;
    value = quotient;
  }
  void swap_rows(int64_t one, int64_t other) {
    for (int64_t k = 0; k < n_; ++k) std::swap(at(one, k), at(other, k));
  }

 private:
  bool holds(double value) const { return rounded_to(dtype_, value) == value; }

  int64_t n_;
  DType dtype_;
  std::vector<Number> cells_;
  double largest_ = 0;
  bool exact_ = true;
};

using Sure = Verdict::Kind;

/// Where elimination meets a 0.
Verdict eliminated(Matrix matrix) {
  const int64_t n = matrix.rows();
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t row = k + 1; row < n; ++row)
      if (Matrix::size(matrix.at(row, k)) > Matrix::size(matrix.at(pivot, k))) pivot = row;
    const double size = Matrix::size(matrix.at(pivot, k));
    if (size == 0 && matrix.exact()) return {Sure::no, 0, k + 1};
    if (!(size > matrix.blur()) && !(size > 0 && matrix.exact())) return {Sure::open};
    if (pivot != k) matrix.swap_rows(pivot, k);
    for (int64_t row = k + 1; row < n; ++row) {
      Number& factor = matrix.at(row, k);
      if (factor == 0.0) continue;
      matrix.divide(factor, matrix.at(k, k));
      for (int64_t column = k + 1; column < n; ++column)
        matrix.subtract_product(matrix.at(row, column), factor, matrix.at(k, column));
    }
  }
  return {};
}

/// Where the root of what is not above 0 would be drawn.
Verdict rooted(Matrix matrix, bool upper) {
  const int64_t n = matrix.rows();
  if (upper)
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column < row; ++column) matrix.at(row, column) = std::conj(matrix.at(column, row));
  bool exact = true;  // the roots of LAPACK's, too
  for (int64_t k = 0; k < n; ++k) {
    const double square = matrix.at(k, k).real(), root = std::sqrt(square);
    exact &= matrix.exact();
    if (square < -matrix.blur() || (square <= 0 && exact)) return {Sure::no, 0, k + 1};
    if (!(square > matrix.blur()) && !(square > 0 && exact)) return {Sure::open};
    exact &= std::fma(root, root, -square) == 0;
    // No root is drawn here: what is subtracted is a quotient times what it was made of.
    for (int64_t row = k + 1; row < n; ++row) {
      Number quotient = matrix.at(row, k);
      matrix.divide(quotient, square);
      for (int64_t column = k + 1; column <= row; ++column)
        matrix.subtract_product(matrix.at(row, column), quotient, std::conj(matrix.at(column, k)));
    }
  }
  return {};
}

/// Lays the eigenvalues of a symmetric matrix of real numbers on its diagonal, by Jacobi's rotations.
void diagonalize(Matrix& matrix) {
  const int64_t n = matrix.rows();
  const auto cell = [&](int64_t row, int64_t column) { return matrix.at(row, column).real(); };
  bool turned = true;
  for (int sweep = 0; turned && sweep < 12; ++sweep) {
    turned = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        if (std::abs(cell(p, q)) <= matrix.blur()) continue;
        turned = true;
        const double turn = (cell(q, q) - cell(p, p)) / (2 * cell(p, q));
        const double tangent = (turn >= 0 ? 1 : -1) / (std::abs(turn) + std::hypot(turn, 1.0));
        const double cosine = 1 / std::hypot(tangent, 1.0), sine = tangent * cosine;
        const auto rotate = [&](Number& one, Number& other) {
          const Number a = one, b = other;
          one = cosine * a - sine * b;
          other = sine * a + cosine * b;
        };
        for (int64_t k = 0; k < n; ++k) rotate(matrix.at(k, p), matrix.at(k, q));
        for (int64_t k = 0; k < n; ++k) rotate(matrix.at(p, k), matrix.at(q, k));
      }
  }
}

/// Whether a matrix is symmetric and its eigenvalues lie apart, so far that rounding cannot make a pair of two.
bool apart(Matrix matrix) {
  const int64_t n = matrix.rows();
  for (int64_t row = 0; row < n; ++row)
    for (int64_t column = 0; column < row; ++column)
      if (matrix.at(row, column) != matrix.at(column, row)) return false;
  diagonalize(matrix);
  std::vector<double> values;
  for (int64_t k = 0; k < n; ++k) values.push_back(matrix.at(k, k).real());
  std::sort(values.begin(), values.end());
  const double largest = std::max(std::abs(values.front()), std::abs(values.back()));
  const double least = std::max(largest * 0x1p-20, 4 * static_cast<double>(n) * matrix.blur());
  for (size_t k = 1; k < values.size(); ++k)
    if (!(values[k] - values[k - 1] > least)) return false;
  return true;
}

/// The products of the rows, or of the columns where there are fewer of those, of one matrix with each other. Of
/// complex numbers twice as many real ones, [[re, -im], [im, re]], so that each eigenvalue is there twice.
Matrix squared(const Elements& matrices, int64_t which) {
  const int rank = matrices.layout.rank();
  const int64_t m = matrices.layout.sizes[rank - 2], n = matrices.layout.sizes[rank - 1];
  const int64_t least = std::min(m, n), twice = is_complex(matrices.dtype) ? 2 : 1, size = twice * least;
  std::vector<Number> cells;
  for (int64_t i = 0; i < m * n; ++i) {
    const Scalar value = element(matrices, which * m * n + i);
    cells.push_back({as_real(value), twice == 2 ? value.imaginary : 0});
  }
  const auto at = [&](int64_t i, int64_t k) { return cells[static_cast<size_t>(m > n ? k * n + i : i * n + k)]; };
  std::vector<double> products(static_cast<size_t>(size * size));
  const auto set = [&](int64_t row, int64_t column, double value) {
    products[static_cast<size_t>(row * size + column)] = value;
  };
  for (int64_t i = 0; i < least; ++i)
    for (int64_t j = 0; j < least; ++j) {
      Number sum;
      for (int64_t k = 0; k < std::max(m, n); ++k) sum += at(i, k) * std::conj(at(j, k));
      for (int64_t part = 0; part < twice; ++part) set(part * least + i, part * least + j, sum.real());
      if (twice == 1) continue;
      set(i, least + j, -sum.imag());
      set(least + i, j, sum.imag());
    }
  return Matrix(std::move(products), size);
}

Verdict on_the_line(Matrix matrix) {
  const int64_t n = matrix.rows();
  bool lower = true, upper = true;
  for (int64_t row = 0; row < n; ++row)
    for (int64_t column = 0; column < n; ++column)
      if (matrix.at(row, column) != 0.0) (column > row ? lower : upper) &= column == row;
  if (lower || upper) return {};
  if (n != 2) return {apart(std::move(matrix)) ? Sure::yes : Sure::open};
  const double middle = (matrix.at(0, 0).real() - matrix.at(1, 1).real()) / 2;
  const double under = middle * middle + matrix.at(0, 1).real() * matrix.at(1, 0).real();
  const double blur = matrix.blur() * Matrix::size(matrix.at(0, 1)) + matrix.blur() * Matrix::size(matrix.at(1, 0)) +
                      matrix.blur() * std::abs(middle);
  return {under > blur ? Sure::yes : under < -blur ? Sure::no : Sure::open};
}

template <typename Judge>
Verdict each(const Elements& matrices, Judge judge) {
  const int64_t n = matrices.layout.sizes.back(), count = n == 0 ? 0 : *numel(matrices.layout.sizes) / (n * n);
  for (int64_t k = 0; k < count; ++k)
    if (Verdict found = judge(Matrix(matrices, k)); found.kind != Sure::yes) {
      found.matrix = k;
      return found;
    }
  return {};
}

}  // namespace

bool all_finite(const Elements& elements) {
  const int64_t count = *numel(elements.layout.sizes);
  for (int64_t i = 0; i < count; ++i) {
    const Scalar value = element(elements, i);
    if (!std::isfinite(as_real(value)) || !std::isfinite(value.imaginary)) return false;
  }
  return true;
}

Verdict invertible(const Elements& matrices) { return each(matrices, eliminated); }
Verdict positive_definite(const Elements& matrices, bool upper) {
  return each(matrices, [&](Matrix matrix) { return rooted(std::move(matrix), upper); });
}
Verdict real_eigenvalues(const Elements& matrices) {
  // One of them that is not real makes all of them complex, wherever it is.
  Verdict all = {};
  const int64_t n = matrices.layout.sizes.back(), count = n == 0 ? 0 : *numel(matrices.layout.sizes) / (n * n);
  for (int64_t k = 0; k < count; ++k) {
    const Verdict found = on_the_line(Matrix(matrices, k));
    if (found.kind == Sure::no) return found;
    if (found.kind == Sure::open) all = found;
  }
  return all;
}

std::optional<std::vector<int64_t>> sure_ranks(const Elements& matrices, DType dtype, double share) {
  const int rank = matrices.layout.rank();
  const int64_t m = matrices.layout.sizes[rank - 2], n = matrices.layout.sizes[rank - 1];
  const int64_t count = m * n == 0 ? 0 : *numel(matrices.layout.sizes) / (m * n), copies = is_complex(dtype) ? 2 : 1;
  const bool narrow = dtype == DType::float32 || dtype == DType::complex64;
  const double rounding = 64 * static_cast<double>(std::max(m, n)) * (narrow ? 0x1p-23 : 0x1p-52);
  std::vector<int64_t> ranks;
  for (int64_t which = 0; which < count; ++which) {
    Matrix squares = squared(matrices, which);
    diagonalize(squares);
    std::vector<double> values;
    for (int64_t k = 0; k < squares.rows(); ++k) values.push_back(squares.at(k, k).real());
    const double largest = *std::max_element(values.begin(), values.end());
    const double blur = 4 * static_cast<double>(squares.rows()) * squares.blur();
    if (!(largest < 0x1p1000)) return std::nullopt;
    int64_t above = 0;
    for (const double value : values) {
      if (largest == 0) break;
      const double low = std::sqrt(std::max(value - blur, 0.0) / largest), high = std::sqrt((value + blur) / largest);
      if (low > share + rounding)
        ++above;
      else if (!(high < share - rounding))
        return std::nullopt;
    }
    ranks.push_back(above / copies);
  }
  return ranks;
}

}  // namespace stridescope
