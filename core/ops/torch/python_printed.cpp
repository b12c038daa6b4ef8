// A tensor as Python's repr shows it. As torch._tensor_str, with its print options as they are at first.
#include <algorithm>
#include <cmath>

#include "ops/number.h"
#include "ops/shown.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

constexpr size_t text_width = 80;
constexpr int text_digits = 4;

/// How the elements of a tensor, or the real or the imaginary parts of them, are written: all in one notation, to the
/// right of a width that none but what is not finite exceeds.
class NumberWriter {
 public:
  NumberWriter(const std::vector<Scalar>& numbers, DType dtype) {
    if (is_floating(dtype)) choose_notation(numbers);
    for (const Scalar& number : numbers)
      if (notation_ == Notation::label || is_counted(number)) width_ = std::max(width_, text(number).size());
  }

  size_t width() const { return width_; }

  std::string operator()(const Scalar& number) const {
    const std::string written = text(number);
    return std::string(width_ - std::min(width_, written.size()), ' ') + written;
  }

 private:
  enum class Notation : uint8_t { label, whole, fixed, scientific };

  static bool is_counted(const Scalar& number) { return std::isfinite(number.real) && number.real != 0; }

  void choose_notation(const std::vector<Scalar>& numbers) {
    double least = HUGE_VAL, most = 0;
    notation_ = Notation::whole;
    for (const Scalar& number : numbers) {
      if (!is_counted(number)) continue;
      if (number.real != std::ceil(number.real)) notation_ = Notation::fixed;
      least = std::min(least, std::fabs(number.real));
      most = std::max(most, std::fabs(number.real));
    }
    const bool small = notation_ == Notation::fixed && least < 1e-4;
    if (most > 0 && (most / least > 1000 || most > 1e8 || small)) notation_ = Notation::scientific;
  }

  std::string text(const Scalar& number) const {
    if (notation_ == Notation::label) return label(number);
    if (notation_ == Notation::whole) return fixed_point(number.real, 0) + (std::isfinite(number.real) ? "." : "");
    if (notation_ == Notation::fixed) return fixed_point(number.real, text_digits);
    return with_exponent(number.real, text_digits);
  }

  Notation notation_ = Notation::label;
  size_t width_ = 1;
};

/// One of the two parts of complex elements.
std::vector<Scalar> one_part(const std::vector<Scalar>& elements, double Scalar::*part) {
  std::vector<Scalar> parts;
  for (const Scalar& element : elements) parts.push_back({real_of(element.dtype), 0, element.*part});
  return parts;
}

struct Words {
  std::vector<std::string> words;
  size_t width = 0;  ///< of each, by which they are put into lines
};

/// Every element as it is written.
Words words_of(const std::vector<Scalar>& elements, DType dtype) {
  Words result;
  if (!is_complex(dtype)) {
    const NumberWriter written(elements, dtype);
    for (const Scalar& element : elements) result.words.push_back(written(element));
    result.width = written.width();
    return result;
  }
  const auto reals = one_part(elements, &Scalar::real), imaginaries = one_part(elements, &Scalar::imaginary);
  const NumberWriter real(reals, real_of(dtype)), imaginary(imaginaries, real_of(dtype));
  for (size_t i = 0; i < elements.size(); ++i) {
    std::string part = imaginary(imaginaries[i]) + "j";
    part.erase(0, part.find_first_not_of(' '));
    result.words.push_back(real(reals[i]) + (part[0] == '-' ? "" : "+") + part);
  }
  result.width = real.width() + imaginary.width() + 1;
  return result;
}

/// The words of dim `d` and those behind it in brackets, from the `next` one on; `indent` stands before its lines.
std::string bracketed(const Shown& shown, const Words& words, int d, size_t indent, size_t& next) {
  if (d == shown.sizes.size()) return words.words[next++];
  const bool last = d + 1 == shown.sizes.size();
  std::vector<std::string> items;
  for (int64_t i = 0; i < shown.sizes[d]; ++i) {
    if (shown.is_gap(d, i)) items.push_back(last ? " ..." : "...");
    items.push_back(bracketed(shown, words, d + 1, indent + 1, next));
  }
  const size_t per_line =
      last ? std::max<size_t>(1, (text_width - std::min(text_width, indent)) / (words.width + 2)) : 1;
  const std::string end = "," + std::string(last ? 1 : static_cast<size_t>(shown.sizes.size() - d - 1), '\n') +
                          std::string(indent + 1, ' ');
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : i % per_line == 0 ? end : ", ") + items[i];
  return "[" + text + "]";
}

}  // namespace

std::optional<std::string> python_printed(const Tensor& tensor) {
  const auto shown = shown_of(tensor);
  if (!shown) return std::nullopt;
  const DType dtype = tensor.dtype;
  const bool empty = shown->elements.empty();
  const std::string prefix = "tensor(";
  size_t next = 0;
  std::string text =
      prefix + (empty ? "[]" : bracketed(*shown, words_of(shown->elements, dtype), 0, prefix.size(), next));
  const bool usual = dtype == DType::float32 ||
                     (!empty && (dtype == DType::int64 || dtype == DType::boolean || dtype == DType::complex64));
  size_t line = text.size() - text.rfind('\n') + 1;
  const auto add = [&](const std::string& suffix) {
    const bool fits = line + suffix.size() + 2 <= text_width;
    text += (fits ? ", " : ",\n" + std::string(prefix.size(), ' ')) + suffix;
    line = suffix.size() + (fits ? line + 2 : prefix.size());
  };
  if (empty && tensor.layout.rank() != 1) add("size=" + to_string(tuple_of(tensor.layout.sizes), std::string::npos));
  if (!usual) add("dtype=torch." + std::string(name(dtype)));
  if (tensor.requires_grad) add("requires_grad=True");
  return text + ")";
}

}  // namespace stridescope
