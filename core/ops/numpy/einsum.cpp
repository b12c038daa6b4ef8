// Einstein's notation: letters name axes, and what the result leaves out is summed.
#include <algorithm>
#include <map>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// An axis without a letter, which an ellipsis stands for.
constexpr char unnamed = 0;
using Letters = std::vector<char>;  ///< of the axes of an operand, or of the result

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool has(const Letters& letters, char letter) {
  return std::find(letters.begin(), letters.end(), letter) != letters.end();
}

/// What the subscripts say.
struct Equation {
  std::string text;
  std::vector<Letters> operands;
  Letters result;
};

Value misread(Call& call, const Equation& equation, const Slots& text) {
  return call.fail("ValueError", text, Msg::np_einsum_subscripts, {equation.text});
}

/// The letters of operand number `number`, of `rank` axes; the call fails where they are too many or too few.
Letters read_operand(Call& call, const Equation& equation, std::string_view text, int rank, size_t number) {
  Letters letters;
  std::optional<size_t> dots;
  for (size_t i = 0; i < text.size() && !call.failed(); ++i) {
    if (is_letter(text[i])) {
      if (static_cast<int>(letters.size()) >= rank)
        misread(call, equation, {"einstein sum subscripts string contains too many subscripts for operand ", number});
      letters.push_back(text[i]);
    } else if (text[i] == '.') {
      if (dots || text.substr(i, 3) != "...")
        misread(call, equation,
                {"einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in operand ",
                 number});
      dots = letters.size();
      i += 2;
    } else if (text[i] != ' ') {
      misread(call, equation,
              {"invalid subscript '", std::string(1, text[i]),
               "' in einstein sum subscripts string, subscripts must be letters"});
    }
  }
  if (!call.failed() && !dots && static_cast<int>(letters.size()) != rank)
    misread(call, equation,
            "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
            "broadcast the extra dimensions.");
  if (dots && !call.failed())
    letters.insert(letters.begin() + static_cast<std::ptrdiff_t>(*dots), static_cast<size_t>(rank) - letters.size(),
                   unnamed);
  return letters;
}

/// The letters of the result as written behind "->".
Letters read_result(Call& call, const Equation& equation, std::string_view text, size_t unnamed_axes) {
  Letters letters;
  bool dots = false;
  for (size_t i = 0; i < text.size() && !call.failed(); ++i) {
    const std::string letter(1, text[i]);
    if (is_letter(text[i])) {
      if (text.find(text[i], i + 1) != std::string_view::npos)
        misread(call, equation,
                {"einstein sum subscripts string includes output subscript '", letter, "' multiple times"});
      if (std::none_of(equation.operands.begin(), equation.operands.end(),
                       [&](const Letters& own) { return has(own, text[i]); }))
        misread(call, equation,
                {"einstein sum subscripts string included output subscript '", letter,
                 "' which never appeared in an input"});
      letters.push_back(text[i]);
    } else if (text[i] == '.') {
      if (dots || text.substr(i, 3) != "...")
        misread(call, equation,
                "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in the output");
      dots = true;
      letters.insert(letters.end(), unnamed_axes, unnamed);
      i += 2;
    } else if (text[i] != ' ') {
      misread(call, equation,
              {"invalid subscript '", letter, "' in einstein sum subscripts string, subscripts must be letters"});
    }
  }
  if (!dots && unnamed_axes > 0)
    misread(call, equation,
            "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
            "broadcast the extra dimensions.");
  return letters;
}

Equation read(Call& call, const std::string& text, const std::vector<TensorRef>& arrays) {
  Equation equation{text, {}, {}};
  std::string_view rest = text;
  size_t unnamed_axes = 0;
  std::map<char, int> counts;
  for (size_t i = 0; i < arrays.size() && !call.failed(); ++i) {
    const size_t length = std::min(rest.find_first_of(",-"), rest.size());
    const bool more = length < rest.size() && rest[length] == ',';
    // NumPy has the two words the other way round.
    if (i + 1 == arrays.size() && more)
      misread(call, equation,
              "more operands provided to einstein sum function than specified in the subscripts string");
    else if (i + 1 < arrays.size() && !more)
      misread(call, equation,
              "fewer operands provided to einstein sum function than specified in the subscripts string");
    if (call.failed()) return equation;
    equation.operands.push_back(
        read_operand(call, equation, rest.substr(0, length), arrays[i]->tensor->layout.rank(), i));
    const Letters& own = equation.operands.back();
    for (const char letter : own) ++counts[letter];
    unnamed_axes = std::max(unnamed_axes, static_cast<size_t>(std::count(own.begin(), own.end(), unnamed)));
    rest.remove_prefix(length + (more ? 1 : 0));
  }
  if (call.failed()) return equation;
  if (rest.empty()) {
    // Letters that occur once, in the order of the alphabet, capitals first.
    equation.result.assign(unnamed_axes, unnamed);
    for (const auto& [letter, count] : counts)
      if (letter != unnamed && count == 1) equation.result.push_back(letter);
  } else if (!rest.starts_with("->")) {
    misread(call, equation, "einstein sum subscript string does not contain proper '->' output specified");
  } else {
    equation.result = read_result(call, equation, rest.substr(2), unnamed_axes);
  }
  return equation;
}

/// Of one operand without a sum: its axes named anew, those of one letter seen as their diagonal. Nothing where there
/// is a sum, or where the call failed.
std::optional<Layout> as_view(Call& call, const Equation& equation, const Layout& layout) {
  const Letters& own = equation.operands.front();
  const int rank = static_cast<int>(equation.result.size());
  Layout view{Dims::filled(rank, 0), Dims::filled(rank, 0), layout.storage_offset};
  int free = 0;
  for (int d = 0; d < layout.rank(); ++d) {
    const char letter = own[static_cast<size_t>(d)];
    int place = 0;
    if (letter == unnamed) {
      while (equation.result[static_cast<size_t>(free)] != unnamed) ++free;
      place = free++;
    } else {
      if (!has(equation.result, letter)) return std::nullopt;
      place =
          static_cast<int>(std::find(equation.result.begin(), equation.result.end(), letter) - equation.result.begin());
    }
    if (view.sizes[place] != 0 && view.sizes[place] != layout.sizes[d])
      return misread(call, equation,
                     {"dimensions in single operand for collapsing index '", std::string(1, letter), "' don't match (",
                      view.sizes[place], " != ", layout.sizes[d], ")"}),
             std::nullopt;
    view.sizes[place] = layout.sizes[d];
    view.strides[place] += layout.strides[d];
  }
  return view;
}

/// One operand under the axes that are walked: those of the result, then those that are summed.
struct Walked {
  Layout own;    ///< axes of one letter as their diagonal
  Dims axis_of;  ///< of each walked axis: the axis of `own`, or -1
};

Walked walked(Call& call, const Equation& equation, size_t number, const Layout& layout, const Letters& all) {
  Walked result{{{}, {}, layout.storage_offset}, Dims::filled(static_cast<int>(all.size()), -1)};
  const Letters& own = equation.operands[number];
  Letters kept;
  for (int d = 0; d < layout.rank(); ++d) {
    const char letter = own[static_cast<size_t>(d)];
    const auto same = std::find(kept.begin(), kept.end(), letter);
    if (letter == unnamed || same == kept.end()) {
      kept.push_back(letter);
      result.own.sizes.push_back(layout.sizes[d]);
      result.own.strides.push_back(layout.strides[d]);
      continue;
    }
    const int at = static_cast<int>(same - kept.begin());
    const int64_t size = result.own.sizes[at];
    if (size != layout.sizes[d])
      misread(call, equation,
              {"dimensions in operand ", number, " for collapsing index '", std::string(1, letter), "' don't match (",
               size, " != ", layout.sizes[d], ")"});
    result.own.strides[at] += layout.strides[d];
  }
  // Unnamed axes are the last of all of them.
  int left = static_cast<int>(std::count(kept.begin(), kept.end(), unnamed));
  int skip = static_cast<int>(std::count(all.begin(), all.end(), unnamed)) - left, next = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    if (all[k] != unnamed) {
      const auto at = std::find(kept.begin(), kept.end(), all[k]);
      if (at != kept.end()) result.axis_of[static_cast<int>(k)] = at - kept.begin();
    } else if (skip-- <= 0) {
      while (kept[static_cast<size_t>(next)] != unnamed) ++next;
      result.axis_of[static_cast<int>(k)] = next++;
    }
  }
  return result;
}

Value summed(Call& call, const Equation& equation, const std::vector<TensorRef>& arrays, DType dtype) {
  Letters all = equation.result;
  for (const Letters& own : equation.operands)
    for (const char letter : own)
      if (letter != unnamed && !has(all, letter)) all.push_back(letter);
  if (all.size() > static_cast<size_t>(max_rank))
    return misread(call, equation, "einstein sum subscript string has too many distinct labels");
  const int rank = static_cast<int>(all.size()), kept = static_cast<int>(equation.result.size());
  std::vector<Walked> parts;
  Dims sizes = Dims::filled(rank, 1);
  bool fits = true;
  std::string shapes;
  for (size_t i = 0; i < arrays.size(); ++i) {
    parts.push_back(walked(call, equation, i, arrays[i]->tensor->layout, all));
    if (call.failed()) return {};
    const auto& [own, axis_of] = parts.back();
    Dims seen;
    for (int k = 0; k < rank; ++k) {
      const int64_t size = axis_of[k] < 0 ? -1 : own.sizes[static_cast<int>(axis_of[k])];
      seen.push_back(size);
      if (size < 0 || size == 1) continue;
      fits = fits && (sizes[k] == 1 || sizes[k] == size);
      sizes[k] = size;
    }
    shapes += shape_text(own.sizes) + "->" + requested_text(seen) + " ";
  }
  if (!fits)
    return call.fail("ValueError",
                     {"operands could not be broadcast together with remapped shapes [original->remapped]: ", shapes},
                     Msg::np_einsum_subscripts, {equation.text});
  const auto work = numel(sizes);
  if (!work) return call.refuse(Msg::beyond_int64);
  std::vector<Elements> operands;
  std::vector<Layout> layouts;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const auto& [own, axis_of] = parts[i];
    Layout layout{sizes, Dims::filled(rank, 0), own.storage_offset};
    for (int k = 0; k < rank; ++k)
      if (const int d = static_cast<int>(axis_of[k]); d >= 0 && own.sizes[d] != 1) layout.strides[k] = own.strides[d];
    layouts.push_back(layout);
    operands.push_back({arrays[i]->tensor->storage->contents, layout, arrays[i]->tensor->dtype});
  }
  Dims own_sizes;
  for (int k = 0; k < kept; ++k) own_sizes.push_back(sizes[k]);
  const int64_t count = *numel(own_sizes), terms = count > 0 ? *work / count : 0;
  ContentsPtr sums = call.unreckoned(dtype, count, *work);
  std::vector<Scalar> values;
  const bool boolean = dtype == DType::boolean;
  for (const Elements& one : operands)
    if (!sums && !call.quick(one, *work)) return {};
  for (int64_t i = 0; i < count && !sums; ++i) {
    Scalar sum = converted({DType::int64}, dtype);
    for (int64_t k = 0; k < terms; ++k) {
      Scalar product = converted({DType::int64, 1}, dtype);
      for (const Elements& one : operands) {
        const Scalar factors[] = {product, converted(element(one, i * terms + k), dtype)};
        product = reckon(boolean ? Arithmetic::bit_and : Arithmetic::multiply, factors);
      }
      const Scalar pair[] = {sum, product};
      sum = reckon(boolean ? Arithmetic::bit_or : Arithmetic::add, pair);
    }
    values.push_back(sum);
  }
  if (!sums) sums = literal_contents(values, dtype);
  // The result is laid out in the order in which all axes are walked.
  const NumpyOrder wanted = numpy_order(call, "order", NumpyOrder::keep);
  Dims order;
  for (const int64_t k : iteration_order(layouts))
    if (k < kept) order.push_back(k);
  if (wanted == NumpyOrder::c) order = fortran_order(kept);
  if (wanted == NumpyOrder::fortran) order = c_order(kept);
  auto [layout, contents] = laid_out(sums, own_sizes, order, dtype);
  call.why(Msg::np_einsum_headline, {equation.text, to_string(own_sizes), terms});
  for (int k = kept; k < rank; ++k)
    call.why(Msg::np_einsum_letter, {std::string(1, all[static_cast<size_t>(k)]), sizes[k]});
  return scalar_if_0d(call, call.fresh(dtype, layout, std::move(contents)));
}

/// The letters that a list of numbers stands for: 0 is A, 26 is a.
std::string letters_of(Call& call, const Value& list) {
  std::string text;
  std::optional<std::vector<Value>> items;
  if (const auto* sequence = std::get_if<Sequence>(&list.held))
    items = *sequence->items;
  else if (const TensorPtr array = tensor_of(list); array && array->layout.rank() > 0) {
    // Gone through row by row; only a row of one axis is a number.
    const int64_t count = array->layout.sizes[0];
    items.emplace();
    for (int64_t i = 0; i < std::min<int64_t>(count, max_rank + 1); ++i)
      items->push_back(
          array->layout.rank() > 1 || !is_integer(array->dtype) ? Value{} : Value{scalar_at(elements_of(*array), i)});
  }
  for (size_t i = 0; items && i < items->size(); ++i) {
    const Value& item = (*items)[i];
    const bool whole =
        !std::holds_alternative<bool>(item.held) && !(tensor_of(item) && tensor_of(item)->layout.rank() > 0);
    const auto number = whole ? as_integer(item) : std::nullopt;
    if (std::holds_alternative<Ellipsis>(item.held))
      text += "...";
    else if (number && *number >= 0 && *number < 52)
      text += static_cast<char>(*number < 26 ? 'A' + *number : 'a' + *number - 26);
    else if (number)
      return call.fail("ValueError", "subscript is not within the valid range [0, 52)", Msg::np_einsum_subscripts,
                       {to_string(list)}),
             text;
    else
      items.reset();
  }
  if (!items)
    call.fail_parser("each subscript must be either an integer or an ellipsis", Msg::np_einsum_subscripts,
                     {to_string(list)});
  return text;
}

Value einsum(Call& call) {
  const std::vector<Value> given = *std::get<Sequence>(call.value("operands").held).items;
  if (call.given("out")) return call.about("out").refuse(Msg::np_out_unknown);
  if (given.empty())
    return call.fail("ValueError",
                     "must specify the einstein sum subscripts string and at least one operand, or at least one "
                     "operand and its corresponding subscripts list",
                     Msg::np_einsum_subscripts, {""});
  std::string text;
  std::vector<TensorRef> arrays;
  if (const auto* written = std::get_if<std::string>(&given.front().held)) {
    text = *written;
    if (given.size() == 1)
      return call.fail("ValueError", "must specify the einstein sum subscripts string and at least one operand",
                       Msg::np_einsum_subscripts, {text});
    for (size_t i = 1; i < given.size(); ++i) arrays.push_back(as_array(call, given[i]));
  } else {
    // Each operand is followed by its list; what is left at the end is the result's.
    if (given.size() == 1)
      return call.fail("ValueError", "must provide at least an operand and a subscripts list to einsum",
                       Msg::np_einsum_subscripts, {to_string(given.front())});
    for (size_t i = 0; i + 1 < given.size(); i += 2) {
      text += (i > 0 ? "," : "") + letters_of(call, given[i + 1]);
      arrays.push_back(as_array(call, given[i]));
    }
    if (given.size() % 2 == 1) text += "->" + letters_of(call, given.back());
  }
  const bool optimize = call.truth("optimize");
  const auto wanted = dtype_argument(call);
  const Casting casting = numpy_casting(call, Casting::safe);
  numpy_order(call, "order", NumpyOrder::keep);
  if (arrays.size() > 1 && optimize) return call.about("optimize").refuse(Msg::not_modelled, {"NumPy", "optimize="});
  if (call.failed()) return {};
  const Equation equation = read(call, text, arrays);
  if (call.failed()) return {};
  if (arrays.size() == 1) {
    const auto view = as_view(call, equation, arrays[0]->tensor->layout);
    if (call.failed()) return {};
    if (view) {
      const Value result = call.view(*arrays[0]->tensor, *view);
      call.why(Msg::np_einsum_view, {text, to_string(view->sizes), to_string(view->strides)});
      return scalar_if_0d(call, result);
    }
  }
  DType dtype = arrays.front()->tensor->dtype;
  for (const TensorRef& array : arrays) dtype = numpy_promoted(dtype, array->tensor->dtype);
  for (const TensorRef& array : arrays)
    if (wanted && !check_cast(call, *array->tensor, *wanted, casting)) return {};
  return summed(call, equation, arrays, wanted.value_or(dtype));
}

}  // namespace

std::span<const Op> numpy_einsum_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.einsum(*operands: any = (), out=None, optimize=False, dtype=None, order='K', casting='safe')",
       Msg::op_np_einsum, "a letter for each axis; 'ij,jk->ik' sums over j",
       "x = np.arange(6).reshape(2, 3)\ny = np.einsum('ij,kj->ik', x, x)", einsum},
  };
  return rows;
}

}  // namespace stridescope
