// A tensor as C++ prints it in messages: matrix by matrix, each with a format of its own. As ATen's Formatting.
#include <algorithm>
#include <cmath>

#include "ops/number.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

constexpr int line_size = 80;
/// Most elements that are printed.
constexpr int64_t most_printed = 1 << 12;

std::string padded(std::string text, int width) {
  const auto wanted = static_cast<size_t>(std::max(width, 0));
  return text.size() < wanted ? std::string(wanted - text.size(), ' ') + text : text;
}

/// A number rounded to so many decimals.  @pre  |value| < 10^12
std::string fixed(double value, int decimals) {
  const double power = std::pow(10.0, decimals);
  const auto scaled = static_cast<int64_t>(std::nearbyint(std::fabs(value) * power));
  std::string text = std::to_string(scaled);
  text = padded(text, decimals + 1);
  std::replace(text.begin(), text.end(), ' ', '0');
  if (decimals > 0) text.insert(text.size() - static_cast<size_t>(decimals), ".");
  return (std::signbit(value) ? "-" : "") + text;
}

/// With one digit before the point and so many behind it: "1.2345e+05".
std::string scientific(double value, int decimals) {
  int exponent = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value))));
  std::string text = fixed(value / std::pow(10.0, exponent), decimals);
  if (text.find("10") == (text[0] == '-' ? 1u : 0u)) text = fixed(value / std::pow(10.0, ++exponent), decimals);
  const std::string digits = std::to_string(std::abs(exponent));
  return text + (exponent < 0 ? "e-" : "e+") + (digits.size() < 2 ? "0" : "") + digits;
}

/// How the numbers of one matrix are written.
struct Format {
  enum class Kind : uint8_t { plain, fixed, scientific };
  Kind kind = Kind::plain;
  double scale = 1;
  int width = 0;

  explicit Format(const std::vector<double>& numbers) {
    bool whole = true;
    double least = 1, most = 1;
    bool any = false;
    for (const double number : numbers) {
      if (!std::isfinite(number)) continue;
      whole &= number == std::ceil(number);
      if (!any) least = most = std::fabs(number);
      any = true;
      least = std::min(least, std::fabs(number));
      most = std::max(most, number);
    }
    const auto digits = [&](double number) {
      return number != 0 ? static_cast<int>(std::floor(std::log10(number))) + 1 : 1;
    };
    const int low = digits(least), high = digits(most);
    if (whole ? high > 9 : high - low > 4) {
      kind = Kind::scientific;
      width = !whole && (std::abs(high) > 99 || std::abs(low) > 99) ? 12 : 11;
    } else if (whole) {
      width = high + 1;
    } else {
      kind = Kind::fixed;
      if (high > 5 || high < 0) scale = std::pow(10.0, high - 1);
      width = high > 5 || high <= 0 ? 7 : high + 6;
    }
  }

  std::string operator()(double number) const {
    number /= scale;
    if (!std::isfinite(number)) return padded(std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf", width);
    if (kind == Kind::fixed) return padded(fixed(number, 4), width);
    if (kind == Kind::scientific) return padded(scientific(number, 4), width);
    if (std::fabs(number) < 1e6) return padded(std::to_string(static_cast<int64_t>(number)), width);
    // Six digits, without zeros at their end.
    std::string text = scientific(number, 5);
    size_t end = text.find('e');
    while (text[end - 1] == '0') text.erase(--end, 1);
    if (text[end - 1] == '.') text.erase(--end, 1);
    return padded(text, width);
  }
};

std::string matrix(const std::vector<double>& numbers, int64_t rows, int64_t columns, int indent) {
  const Format format(numbers);
  const std::string margin(static_cast<size_t>(indent), ' ');
  const std::string scale =
      format.scale == 1
          ? ""
          : (format.scale < 1e5 && format.scale > 1e-4 ? repr(format.scale) : scientific(format.scale, 0));
  const int64_t each = (line_size - indent) / (format.width + 1);
  std::string text = margin;
  for (int64_t first = 0; first < columns; first += each) {
    const int64_t last = std::min(first + each, columns);
    if (each < columns)
      text +=
          (first == 0 ? "" : "\n") + ("Columns " + std::to_string(first + 1)) + " to " + std::to_string(last) + margin;
    if (!scale.empty()) text += scale + " *\n" + margin;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = first; column < last; ++column) {
        text += format(numbers[static_cast<size_t>(row * columns + column)]);
        text += column + 1 < last ? " " : "\n";
        if (column + 1 == last && row + 1 < rows) text += (scale.empty() ? "" : margin + " ") + margin;
      }
  }
  return text;
}

}  // namespace

std::string printed(const Tensor& tensor) {
  std::string listed, text;
  const Dims& sizes = tensor.layout.sizes;
  for (const int64_t size : sizes) listed += (listed.empty() ? "" : ",") + std::to_string(size);
  const int rank = sizes.size();
  const int64_t count = *numel(sizes);
  if (rank >= 2 && count > 0 && count <= most_printed) {
    const Elements elements = elements_of(tensor);
    const int64_t rows = sizes[rank - 2], columns = sizes[rank - 1], cells = rows * columns;
    Dims outside = sizes;
    outside.pop_back();
    outside.pop_back();
    const Layout order = contiguous(outside, cells);
    for (int64_t m = 0; m < count / cells; ++m) {
      int64_t first = 0, rest = m;
      if (rank > 2) text += m == 0 ? "(" : "\n(";
      for (int d = 0; d < outside.size(); ++d, rest /= outside[d - 1]) {
        first += rest % outside[d] * order.strides[d];
        text += std::to_string(rest % outside[d] + 1) + ",";
      }
      if (rank > 2) text += ".,.) = \n";
      std::vector<double> numbers;
      for (int64_t i = 0; i < cells; ++i) numbers.push_back(as_real(element(elements, first + i)));
      text += matrix(numbers, rows, columns, rank > 2 ? 1 : 0);
    }
  }
  return text + "[ " + class_name(tensor.dtype) + "{" + listed + "} ]";
}

}  // namespace stridescope
