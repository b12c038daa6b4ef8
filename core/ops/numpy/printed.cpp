// An array as str and repr show it, by the print options of the program. As NumPy's arrayprint.
#include <algorithm>
#include <cmath>

#include "lang/utf8.h"
#include "ops/number.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/python/text.h"
#include "ops/rows.h"
#include "ops/shown.h"

namespace stridescope {
namespace {

/// A number as the shortest digits that read back as it, at most so many of them behind the point.
struct Decimal {
  std::string before, behind, exponent;  ///< "-12", "5" and, where it is scientific, "+07"

  Decimal(double value, DType dtype, bool scientific, bool plus, int most_digits) {
    std::string text = shortest_text(value, dtype);
    if (scientific) {
      text = in_scientific(text);
      if (text.find('e') - text.find('.') - 1 > static_cast<size_t>(most_digits))
        text = with_exponent(value, most_digits);
      const size_t e = text.find('e');
      exponent = text.substr(e + 1);
      text.erase(e);
    } else if (text.size() - text.find('.') - 1 > static_cast<size_t>(most_digits)) {
      text = fixed_point(value, most_digits);
    }
    const size_t point = std::min(text.find('.'), text.size());
    before = text.substr(0, point);
    behind = text.substr(std::min(point + 1, text.size()));
    while (!behind.empty() && behind.back() == '0') behind.pop_back();
    // All digits before the point are the number's own: 65504 in half precision, of which 6550 would do and a 0.
    if (!scientific && behind.empty()) before = fixed_point(value, 0);
    if (plus && !std::signbit(value)) before.insert(0, "+");
  }

 private:
  /// "1234.5" as "1.2345e+03".
  static std::string in_scientific(const std::string& text) {
    const size_t e = std::min(text.find('e'), text.size()), sign = text[0] == '-' ? 1 : 0;
    std::string digits = text.substr(sign, e - sign);
    const size_t point = std::min(digits.find('.'), digits.size());
    int power = static_cast<int>(point) - 1 + (e < text.size() ? std::stoi(text.substr(e + 1)) : 0);
    if (point < digits.size()) digits.erase(point, 1);
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
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
  DType dtype;
  int digits;
  bool plus = false, scientific = false;
  size_t left = 0, right = 0, exponent = 0;

  PartFormat(const std::vector<double>& numbers, DType dtype_, int digits_, bool plus_)
      : dtype(dtype_), digits(digits_), plus(plus_) {
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
    // All of it is reckoned in the array's own dtype.
    const bool small = least < rounded_to(dtype, 1e-4) || rounded_to(dtype, most / least) > 1000;
    scientific = most > 0 && (most >= 1e8 || (small && !SettingsInUse::texts(Library::numpy).suppress));
    for (const double number : numbers) {
      if (!std::isfinite(number)) continue;
      const Decimal decimal(number, dtype, scientific, plus, digits);
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
    Decimal decimal(number, dtype, scientific, plus, digits);
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
std::vector<std::string> words_of(const std::vector<Scalar>& elements, DType dtype, int digits, bool alone) {
  std::vector<double> parts[2];
  std::vector<std::string> words;
  const bool floats = is_floating(dtype) || is_complex(dtype);
  for (const Scalar& one : elements) {
    parts[0].push_back(one.real);
    parts[1].push_back(one.imaginary);
    if (!floats) words.push_back(scalar_text(one));
  }
  if (!floats) {
    size_t width = dtype == DType::boolean && !alone ? 5 : 0;
    for (const std::string& word : words) width = std::max(width, word.size());
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
    return words;
  }
  const PartFormat real(parts[0], real_of(dtype), digits, false), imaginary(parts[1], real_of(dtype), digits, true);
  for (size_t i = 0; i < parts[0].size(); ++i) {
    words.push_back(real(parts[0][i]));
    if (!is_complex(dtype)) continue;
    std::string part = imaginary(parts[1][i]);
    part.insert(part.find_last_not_of(' ') + 1, "j");
    words.back() += part;
  }
  return words;
}

/// "[1, 2]", "[[1, 2], [3, 4]]": the words of a field that is an array, from number `next` on.
std::string in_brackets(const std::vector<std::string>& words, const Dims& sizes, int d, size_t& next) {
  if (d == sizes.size()) return words[next++];
  std::string text;
  for (int64_t i = 0; i < sizes[d]; ++i) text += (i > 0 ? ", " : "") + in_brackets(words, sizes, d + 1, next);
  return "[" + text + "]";
}

/// How elements are written.
struct ElementText {
  int digits;
  bool alone;     ///< in no array
  bool one;       ///< an np.void, whose numbers are as str() of each
  int inner = 0;  ///< of the last so many axes
};

/// Strings as Python's repr writes each. Nothing where they take too long to read.
std::optional<std::vector<std::string>> words_of_strings(const Tensor& array, int inner) {
  const Structure& string = *array.structure;
  Tensor characters = array;
  characters.structure = nullptr;
  characters.dtype = string.characters == 'U' ? DType::uint32 : DType::uint8;
  if (characters.layout.sizes.full()) return std::nullopt;
  characters.layout.sizes.push_back(string.length());
  characters.layout.strides.push_back(string.character_bytes());
  const auto shown = shown_of(characters, inner + 1);
  if (!shown) return std::nullopt;
  const ContentsPtr line = literal_contents(shown->elements, characters.dtype);
  std::vector<std::string> words;
  for (int64_t byte = 0; byte < cells(*line) * string.character_bytes(); byte += string.itemsize)
    words.push_back(string_text(*line, string, byte));
  return words;
}

/// Every element that is shown; of structures a tuple each, whose fields are written as arrays of their own are.
/// Nothing where what it shows takes too long to read.
std::optional<std::vector<std::string>> words_of(const Tensor& array, const Shown& shown, const ElementText& how) {
  if (!array.structure) return words_of(shown.elements, array.dtype, how.digits, how.alone);
  if (!array.structure->has_fields()) return words_of_strings(array, how.inner);
  std::vector<std::string> words(static_cast<size_t>(*numel(shown.sizes)));
  for (const StructureField& field : array.structure->fields) {
    const Tensor column = native(seen_field(array, field));
    const ElementText of_column{how.digits, how.alone && field.sizes.empty(), how.one, how.inner + field.sizes.size()};
    const auto part = shown_of(column, of_column.inner);
    if (!part) return std::nullopt;
    std::vector<std::string> own;
    if (how.one && is_floating(column.dtype))
      for (const Scalar& one : part->elements) own.push_back(scalar_text(one));
    else if (auto found = words_of(column, *part, of_column))
      own = *std::move(found);
    else
      return std::nullopt;
    size_t next = 0;
    for (std::string& word : words) word += (word.empty() ? "" : ", ") + in_brackets(own, field.sizes, 0, next);
  }
  const char* end = array.structure->fields.size() == 1 ? ",)" : ")";
  for (std::string& word : words) word = "(" + word + end;
  return words;
}

/// The words of an array in brackets, in lines of at most `width`.
class Brackets {
 public:
  Brackets(const Shown& shown, std::vector<std::string> words, bool commas)
      : shown_(shown), words_(std::move(words)), comma_(commas ? "," : "") {}

  /// Dim `d` and those behind it; `indent` stands before every line but the first.
  std::string operator()(int d, size_t indent, size_t width) {
    if (d == shown_.sizes.size()) return words_[next_++];
    const int left = shown_.sizes.size() - d;
    if (left == 1) return "[" + line(indent, width - 1) + "]";
    const std::string margin(indent, ' '), end = comma_ + std::string(static_cast<size_t>(left - 1), '\n');
    std::string text;
    for (int64_t i = 0; i < shown_.sizes[d]; ++i) {
      if (i > 0) text += end + margin;
      if (shown_.is_gap(d, i)) text += "..." + end + margin;
      text += (*this)(d + 1, indent + 1, width - 1);
    }
    return "[" + text + "]";
  }

 private:
  /// The last dim.
  std::string line(size_t indent, size_t width) {
    const int d = shown_.sizes.size() - 1;
    const std::string margin(indent, ' ');
    std::string text, line = margin;
    const auto add = [&](const std::string& word, bool last) {
      if (static_cast<size_t>(character_count(line) + character_count(word)) > width && line.size() > margin.size()) {
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = margin;
      }
      line += word;
      if (!last) line += comma_ + " ";
    };
    for (int64_t i = 0; i < shown_.sizes[d]; ++i) {
      if (shown_.is_gap(d, i)) add("...", false);
      add(words_[next_++], i + 1 == shown_.sizes[d]);
    }
    return (text + line).substr(indent);
  }

  const Shown& shown_;
  std::vector<std::string> words_;
  std::string comma_;
  size_t next_ = 0;
};

/// Whether the numbers alone tell the dtype.
bool is_implied(DType dtype) {
  return dtype == DType::int64 || dtype == DType::float64 || dtype == DType::boolean || dtype == DType::complex128;
}

}  // namespace

std::optional<std::string> numpy_printed(const Tensor& given, bool repr, std::optional<int> asked, bool in_array) {
  const Tensor array = native(given);
  const TextOptions& options = SettingsInUse::texts(Library::numpy);
  const int digits = asked.value_or(static_cast<int>(options.digits));
  const auto line_width = static_cast<size_t>(options.width);
  const auto shown = shown_of(array);
  if (!shown) return std::nullopt;
  const Dims& sizes = array.layout.sizes;
  const bool empty = count_of(array) == 0, alone = sizes.empty();
  if (!repr && alone && !array.structure) return scalar_text(shown->elements[0]);
  const bool plain = given.structure && !given.structure->has_fields();
  if (is_of_strings(array) && !repr && alone) {
    auto text = string_at(*array.storage->contents, *array.structure, array.layout.storage_offset);
    if (text) text->of_numpy = std::holds_alternative<Sequence>(text->held);  // of bytes it is the repr
    return !text ? std::nullopt : text->of_numpy ? python_repr(*text) : python_str(*text);
  }
  const bool one = array.is_element || (!repr && alone && !in_array);
  auto words = words_of(array, *shown, {digits, alone, one});
  if (!words) return std::nullopt;
  if (one && repr) return "np.void(" + words->front() + (plain ? ")" : ", dtype=" + dtype_text(array) + ")");
  if (one) return words->front();
  const std::string prefix = repr ? "array(" : "";
  std::string text = prefix + "[]";
  if (!empty)
    text = prefix + Brackets(*shown, *std::move(words), repr)(0, prefix.size() + 1, line_width - (repr ? 1 : 0));
  if (!repr) return text;
  std::string more;
  if (empty ? sizes != Dims{0} : shown->is_summary) more = "shape=" + to_string(tuple_of(sizes), std::string::npos);
  if (empty || !is_implied(given.dtype))
    more += (more.empty() ? "" : ", ") + ("dtype=" + (plain ? quoted(dtype_text(given)) : dtype_text(given)));
  if (more.empty()) return text + ")";
  text += ",";
  const auto last = static_cast<size_t>(character_count(text.substr(text.rfind('\n') + 1)));
  return text + (last + more.size() + 2 > line_width ? "\n      " : " ") + more + ")";
}

/// The text of an array that is asked for by a function.
static Value text_row(Call& call) {
  const TensorRef array = receiver_with(call, call.name().ends_with("array_str") ? "shape" : "size");
  for (const char* option : {"max_line_width", "suppress_small", "separator"})
    if (!call.failed() && call.given(option) && to_string(call.value(option)) != "' '")
      return call.about(option).refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(" + option + "=..)"});
  if (call.failed()) return {};
  const auto digits = call.given("precision") ? as_index(call.value("precision")) : call.settings().numpy_texts.digits;
  if (!digits || *digits < 0 || call.settings().texts_differ)
    return call.refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(precision=..)"});
  call.why(Msg::op_np_text);
  call.relation(Relation::none);
  Tensor shown = *array->tensor;
  const bool own = call.name().ends_with("array2string"),
             fields = own && shown.structure && shown.structure->has_fields();
  const bool alone = own && !fields && shown.layout.rank() == 0;
  if (fields) shown.is_element = false;
  if (alone) shown.layout = insert_dim(shown.layout, 0, unit_of(shown));
  auto text =
      numpy_printed(shown, call.name().ends_with("repr"), static_cast<int>(std::min<int64_t>(*digits, 30)), fields);
  if (!text) return call.refuse(Msg::not_modelled, {"NumPy", call.name()});
  return Value{alone ? text->substr(1, text->size() - 2) : *std::move(text)};
}

std::span<const Op> numpy_printed_rows() {
#define OPTIONS "max_line_width=None, precision=None, suppress_small=None"
  static constexpr Op rows[] = {
      {Library::numpy, "np.array_repr(arr, " OPTIONS ")", Msg::op_np_text, "repr(x), of at most so many digits",
       "x = np.arange(3.) / 7\nnp.array_repr(x, precision=3)", text_row, Op::Structured::arrays},
      {Library::numpy, "np.array_str(a, " OPTIONS ")", Msg::op_np_text, "str(x), of at most so many digits",
       "x = np.arange(3.) / 7\nnp.array_str(x, precision=3)", text_row, Op::Structured::arrays},
      {Library::numpy, "np.array2string(a, " OPTIONS ", separator=' ')", Msg::op_np_text,
       "str(x); without axes, too, as in an array", "x = np.arange(3.) / 7\nnp.array2string(x, precision=3)", text_row,
       Op::Structured::arrays},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope
