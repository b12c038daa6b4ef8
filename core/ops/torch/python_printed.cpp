// A tensor as Python's repr shows it, by the print options of the program. As torch._tensor_str.
#include <algorithm>
#include <cmath>

#include "ops/number.h"
#include "ops/shown.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

const TextOptions& options() { return SettingsInUse::texts(Library::torch); }

/// How the elements of a tensor, or the real or the imaginary parts of them, are written: all in one notation, to the
/// right of a width that none but what is not finite exceeds.
class NumberWriter {
 public:
  NumberWriter(const std::vector<Scalar>& numbers, DType dtype) {
    if (is_floating(dtype)) choose_notation(numbers);
    for (const Scalar& number : numbers)
      if (notation_ == Notation::label || is_counted(number)) width_ = std::max(width_, text(number).size());
    // The width is that of the notation that the numbers would have.
    if (const auto asked = options().scientific;
        asked && is_floating(dtype) && std::any_of(numbers.begin(), numbers.end(), is_counted))
      notation_ = *asked ? Notation::scientific : are_whole_ ? Notation::whole : Notation::fixed;
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
      if (number.real != std::ceil(number.real)) notation_ = Notation::fixed, are_whole_ = false;
      least = std::min(least, std::fabs(number.real));
      most = std::max(most, std::fabs(number.real));
    }
    const bool small = notation_ == Notation::fixed && least < 1e-4;
    if (most > 0 && (most / least > 1000 || most > 1e8 || small)) notation_ = Notation::scientific;
  }

  std::string text(const Scalar& number) const {
    if (notation_ == Notation::label) return label(number);
    if (notation_ == Notation::whole) return fixed_point(number.real, 0) + (std::isfinite(number.real) ? "." : "");
    const int digits = static_cast<int>(options().digits);
    return notation_ == Notation::fixed ? fixed_point(number.real, digits) : with_exponent(number.real, digits);
  }

  Notation notation_ = Notation::label;
  bool are_whole_ = true;
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
  const auto text_width = static_cast<size_t>(options().width);
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
  const DType real = SettingsInUse::now().default_dtype;
  const bool usual =
      dtype == real ||
      (!empty && (dtype == DType::int64 || dtype == DType::boolean || (is_complex(dtype) && real_of(dtype) == real)));
  const auto text_width = static_cast<size_t>(options().width);
  size_t line = text.size() - text.rfind('\n') + 1;
  const auto add = [&](const std::string& suffix) {
    const bool fits = line + suffix.size() + 2 <= text_width;
    text += (fits ? ", " : ",\n" + std::string(prefix.size(), ' ')) + suffix;
    line = suffix.size() + (fits ? line + 2 : prefix.size());
  };
  if (empty && tensor.layout.rank() != 1) add("size=" + to_string(tuple_of(tensor.layout.sizes), std::string::npos));
  if (!usual) add("dtype=torch." + std::string(name(dtype)));
  if (tensor.requires_grad && tensor.is_leaf) add("requires_grad=True");
  if (tensor.requires_grad && !tensor.is_leaf) add("grad_fn=<" + way_back_text(tensor.way_back) + ">");
  return text + ")";
}

}  // namespace stridescope
