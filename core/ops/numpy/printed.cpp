// An array as str and repr show it. As NumPy's arrayprint, with its options as they are at first.
#include <algorithm>
#include <cmath>

#include "ops/number.h"
#include "ops/numpy/numpy.h"

namespace stridescope {
namespace {

/// Of more elements NumPy shows the first and the last.
constexpr int64_t most_shown = 1000;
constexpr size_t line_width = 75, most_digits = 8;

/// A number as the shortest digits that read back as it, at most 8 of them behind the point.
struct Decimal {
  std::string before, behind, exponent;  ///< "-12", "5" and, where it is scientific, "+07"

  Decimal(double value, bool single, bool scientific, bool plus) {
    std::string text = single ? repr_single(static_cast<float>(value)) : repr(value);
    if (scientific) {
      text = in_scientific(text);
      if (text.find('e') - text.find('.') - 1 > most_digits) text = with_exponent(value, most_digits);
      const size_t e = text.find('e');
      exponent = text.substr(e + 1);
      text.erase(e);
    } else if (text.size() - text.find('.') - 1 > most_digits) {
      text = fixed_point(value, most_digits);
    }
    const size_t point = text.find('.');
    before = (plus && !std::signbit(value) ? "+" : "") + text.substr(0, point);
    behind = text.substr(point + 1);
    while (!behind.empty() && behind.back() == '0') behind.pop_back();
  }

 private:
  /// "1234.5" as "1.2345e+03".
  static std::string in_scientific(const std::string& text) {
    const size_t e = std::min(text.find('e'), text.size()), sign = text[0] == '-' ? 1 : 0;
    std::string digits = text.substr(sign, e - sign);
    const size_t point = std::min(digits.find('.'), digits.size());
    int power = static_cast<int>(point) - 1 + (e < text.size() ? std::stoi(text.substr(e + 1)) : 0);
    if (point < digits.size()) digits.erase(point, 1);
    const size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos) return text.substr(0, sign) + "0.e+00";
    digits.erase(0, first);
    power -= static_cast<int>(first);
    const std::string size = std::to_string(std::abs(power));
    return text.substr(0, sign) + digits[0] + "." + digits.substr(1) + (power < 0 ? "e-" : "e+") +
           (size.size() < 2 ? "0" : "") + size;
  }
};

/// How the real or the imaginary parts of an array are written: all with one exponent or none, points under points.
struct PartFormat {
  bool single = false, plus = false, scientific = false;
  size_t left = 0, right = 0, exponent = 0;

  PartFormat(const std::vector<double>& numbers, bool single_, bool plus_) : single(single_), plus(plus_) {
    double least = 0, most = 0;
    bool finite = false, all = true, negative = false;
    for (const double number : numbers) {
      all &= std::isfinite(number);
      negative |= std::isinf(number) && number < 0;
      finite |= std::isfinite(number);
      const double size = std::fabs(number);
      if (!std::isfinite(number) || number == 0) continue;
      least = least == 0 ? size : std::min(least, size);
      most = std::max(most, size);
    }
    const double low = single ? static_cast<double>(1e-4F) : 1e-4,
                 ratio = single ? static_cast<double>(static_cast<float>(most / least)) : most / least;
    scientific = most > 0 && (most >= 1e8 || least < low || ratio > 1000);
    for (const double number : numbers) {
      if (!std::isfinite(number)) continue;
      const Decimal decimal(number, single, scientific, plus);
      left = std::max(left, decimal.before.size());
      right = std::max(right, decimal.behind.size());
      exponent = std::max(exponent, decimal.exponent.size());
    }
    if (all) return;
    const size_t behind = (scientific && finite ? right + exponent + 1 : right) + 1;
    const size_t wanted = plus || negative ? 4 : 3;
    if (wanted > behind) left = std::max(left, wanted - behind);
  }

  std::string operator()(double number) const {
    if (!std::isfinite(number)) {
      const std::string sign = number < 0 ? "-" : plus ? "+" : "";
      const std::string text = sign + (std::isnan(number) ? "nan" : "inf");
      const size_t width = left + right + 1 + (exponent > 0 ? exponent + 1 : 0);
      return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
    }
    Decimal decimal(number, single, scientific, plus);
    // What stands behind the shortest digits is no 0 but what the number goes on with.
    if (scientific && decimal.behind.size() < right) {
      const std::string longer = with_exponent(number, static_cast<int>(right));
      const size_t point = longer.find('.');
      decimal.before = (plus && !std::signbit(number) ? "+" : "") + longer.substr(0, point);
      decimal.behind = longer.substr(point + 1, right);
      decimal.exponent = longer.substr(longer.find('e') + 1);
    }
    std::string text = std::string(left - decimal.before.size(), ' ') + decimal.before + "." + decimal.behind +
                       std::string(right - decimal.behind.size(), scientific ? '0' : ' ');
    if (scientific)
      text += "e" + decimal.exponent.substr(0, 1) + std::string(exponent - decimal.exponent.size(), '0') +
              decimal.exponent.substr(1);
    return text;
  }
};

/// Every element as it is written.
std::vector<std::string> words_of(const Tensor& array) {
  const Elements elements = elements_of(array);
  std::vector<double> parts[2];
  std::vector<std::string> words;
  const bool floats = is_floating(array.dtype) || is_complex(array.dtype);
  for (int64_t i = 0; i < count_of(array); ++i) {
    const Scalar one = element(elements, i);
    parts[0].push_back(one.real);
    parts[1].push_back(one.imaginary);
    if (!floats) words.push_back(scalar_text(one));
  }
  if (!floats) {
    size_t width = array.dtype == DType::boolean && array.layout.rank() > 0 ? 5 : 0;
    for (const std::string& word : words) width = std::max(width, word.size());
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
    return words;
  }
  const bool single = array.dtype == DType::float32 || array.dtype == DType::complex64;
  const PartFormat real(parts[0], single, false), imaginary(parts[1], single, true);
  for (size_t i = 0; i < parts[0].size(); ++i) {
    words.push_back(real(parts[0][i]));
    if (!is_complex(array.dtype)) continue;
    std::string part = imaginary(parts[1][i]);
    part.insert(part.find_last_not_of(' ') + 1, "j");
    words.back() += part;
  }
  return words;
}

/// The words in brackets, in lines of at most `width`; `indent` stands before every line but the first.
std::string nested_words(const std::vector<std::string>& words, const Dims& sizes, int d, size_t first,
                         std::string_view separator, size_t indent, size_t width) {
  if (d == sizes.size()) return words[first];
  size_t each = 1;
  for (int k = d + 1; k < sizes.size(); ++k) each *= static_cast<size_t>(sizes[k]);
  const std::string margin(indent, ' ');
  const std::string_view bare = separator.substr(0, separator.find(' '));
  const int left = sizes.size() - d;
  std::string text, line = margin;
  for (int64_t i = 0; i < sizes[d]; ++i) {
    const bool last = i + 1 == sizes[d];
    const size_t at = first + static_cast<size_t>(i) * each;
    if (left > 1) {
      text += margin + nested_words(words, sizes, d + 1, at, separator, indent + 1, width - 1);
      if (!last) text += std::string(bare) + std::string(static_cast<size_t>(left - 1), '\n');
      continue;
    }
    const std::string& word = words[at];
    if (line.size() + word.size() > width - 1 && line.size() > margin.size()) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = margin;
    }
    line += word;
    if (!last) line += separator;
  }
  if (left == 1) text += line;
  return "[" + text.substr(indent) + "]";
}

}  // namespace

std::optional<std::string> numpy_printed(const Tensor& array, bool repr) {
  const Dims& sizes = array.layout.sizes;
  const int64_t count = count_of(array);
  if (count > most_shown || array.dtype == DType::float16 || !is_quick(elements_of(array), count)) return std::nullopt;
  if (!repr && sizes.empty() && is_complex(array.dtype)) return std::nullopt;
  if (!repr && sizes.empty()) return scalar_text(element(elements_of(array), 0));
  const std::string_view prefix = repr ? "array(" : "";
  const bool implied = count > 0 && (array.dtype == DType::int64 || array.dtype == DType::float64 ||
                                     array.dtype == DType::boolean || array.dtype == DType::complex128);
  std::string text(prefix);
  if (count > 0)
    text +=
        nested_words(words_of(array), sizes, 0, 0, repr ? ", " : " ", prefix.size() + 1, line_width - (repr ? 1 : 0));
  else
    text += repr && sizes != Dims{0} ? "[], shape=" + to_string(tuple_of(sizes)) : std::string("[]");
  if (!repr) return text;
  if (implied) return text + ")";
  text += ",";
  const std::string dtype = "dtype=" + std::string(name(array.dtype)) + ")";
  const size_t last = text.size() - (text.rfind('\n') + 1);
  return text + (last + dtype.size() + 1 > line_width ? "\n      " : " ") + dtype;
}

}  // namespace stridescope
