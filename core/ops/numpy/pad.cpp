// A larger array, with other elements around those there are.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/numpy/numpy.h"
#include "ops/padding.h"
#include "ops/python/text.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// What stands before and after each axis.
struct Widths {
  std::vector<int64_t> before, after;
};

/// Values for both sides of each axis as np.pad takes them: one for all, a pair for all, or what broadcasts to a pair
/// an axis. Elements number 2 d and 2 d + 1 of the result, whose sizes are (rank, 2).
std::optional<Elements> pairs(Call& call, const char* parameter, const Tensor& given, int rank) {
  Tensor array = given;
  const int64_t count = count_of(array);
  if (array.layout.rank() < 3 && (count == 1 || (count == 2 && array.layout.sizes != Dims{2, 1}))) {
    array = raveled(call, {array}).front();
  }
  const Dims sizes{rank, 2};
  if (!is_expandable(array.layout, sizes))
    return call.about(parameter).fail(
               "ValueError",
               array.layout.rank() > 2
                   ? Slots{"input operand has more dimensions than allowed by the axis remapping"}
                   : Slots{"operands could not be broadcast together with remapped shapes [original->remapped]: ",
                           shape_text(array.layout.sizes), "  and requested shape ", shape_text(sizes)},
               Msg::np_cannot_broadcast_into, {to_string(array.layout.sizes), to_string(sizes)}),
           std::nullopt;
  return broadcast_elements(array, sizes);
}

/// Text or None, alone or among others.
bool holds_no_number(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return std::holds_alternative<std::string>(value.held) || std::holds_alternative<None>(value.held) ||
         (sequence && std::any_of(sequence->items->begin(), sequence->items->end(), holds_no_number));
}

std::optional<Widths> widths_of(Call& call, int rank) {
  if (const Value& wanted = call.value("pad_width"); holds_no_number(wanted))
    return call.about("pad_width")
               .fail_parser("`pad_width` must be of integral type.", Msg::np_not_an_integer, {type_name(wanted)}),
           std::nullopt;
  const TensorRef given = as_array(call, call.value("pad_width"));
  if (call.failed()) return std::nullopt;
  const Tensor& array = *given->tensor;
  if (!is_integer(array.dtype) || is_unsigned(array.dtype))
    return call.about("pad_width")
               .fail_parser("`pad_width` must be of integral type.", Msg::np_not_an_integer, {name(array.dtype)}),
           std::nullopt;
  const Elements own = elements_of(array);
  if (count_of(array) == 0)
    return call.about("pad_width")
               .fail("ValueError", "zero-size array to reduction operation minimum which has no identity",
                     Msg::nothing_to_choose),
           std::nullopt;
  if (!call.few(array)) return std::nullopt;
  for (int64_t i = 0; i < count_of(array); ++i)
    if (const int64_t width = element(own, i).integer; width < 0)
      return call.about("pad_width")
                 .fail("ValueError", "index can't contain negative values", Msg::np_pad_negative, {width}),
             std::nullopt;
  const auto both = pairs(call, "pad_width", array, rank);
  if (!both) return std::nullopt;
  Widths widths;
  for (int d = 0; d < rank; ++d) {
    widths.before.push_back(element(*both, 2 * d).integer);
    widths.after.push_back(element(*both, 2 * d + 1).integer);
  }
  return widths;
}

/// Made of the elements of each line, not copies of some of them.
bool is_reckoned(Filling filling) { return filling >= Filling::linear_ramp; }

/// Fails where keywords are written that the mode does not take: of those with a meaning, and any others.
bool takes_keywords(Call& call, std::string_view mode, std::initializer_list<std::pair<const char*, bool>> keywords) {
  const auto& rest = *std::get<Sequence>(call.value("kwargs").held).items;
  std::vector<std::string> others;
  if (!rest.empty()) call.about("kwargs", 0);
  for (const auto& [keyword, taken] : keywords)
    if (!taken && !(call.argument(keyword) == Span{})) call.about(keyword), others.emplace_back(keyword);
  for (const Value& keyword : rest) others.push_back(std::get<std::string>(parts_of(keyword)[0].held));
  if (others.empty()) return true;
  std::string set;
  for (const std::string& other : others) set += (set.empty() ? "'" : ", '") + other + "'";
  call.fail("ValueError", {"unsupported keyword arguments for mode '", mode, "': {", set, "}"},
            Msg::unexpected_argument, {call.name(), others.front(), call.form().text});
  return false;
}

/// The type that keeps a value from being looked up in a dictionary, or nothing.
std::optional<std::string> unhashable(const Value& value) {
  if (const TensorPtr array = tensor_of(value))
    return array->library == Library::numpy ? std::optional("numpy.ndarray") : std::nullopt;
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence) return std::nullopt;
  if (sequence->kind == Sequence::Kind::list) return "list";
  for (const Value& item : *sequence->items)
    if (auto type = unhashable(item)) return type;
  return std::nullopt;
}

/// mode='constant', 'edge', ..; nothing where the call failed.
std::optional<Filling> filling_of(Call& call) {
  constexpr std::string_view words[] = {"constant",    "edge",    "reflect", "symmetric", "wrap",
                                        "linear_ramp", "maximum", "mean",    "median",    "minimum"};
  const auto* word = std::get_if<std::string>(&call.value("mode").held);
  const auto found = word ? std::find(std::begin(words), std::end(words), *word) : std::end(words);
  const bool known = found != std::end(words);
  const Value& mode = call.value("mode");
  if (const auto type = unhashable(mode))
    return call.about("mode").fail_parser({"unhashable type: '", *type, "'"}, Msg::np_pad_mode, {to_string(mode)}),
           std::nullopt;
  if (const auto text = word ? std::nullopt : python_str(mode))
    return call.about("mode").fail("ValueError", {"mode '", *text, "' is not supported"}, Msg::np_pad_mode,
                                   {to_string(mode)}),
           std::nullopt;
  if (!word) return call.about("mode").refuse(Msg::np_pad_mode, {to_string(mode)}), std::nullopt;
  if (!known && *word != "empty")
    return call.about("mode").fail("ValueError", {"mode '", *word, "' is not supported"}, Msg::np_pad_mode, {*word}),
           std::nullopt;
  const auto filling = static_cast<Filling>(found - std::begin(words));
  const bool mirrors = filling == Filling::reflect || filling == Filling::symmetric;
  if (!takes_keywords(call, *word,
                      {{"constant_values", filling == Filling::constant},
                       {"reflect_type", mirrors},
                       {"stat_length", known && is_reckoned(filling) && filling != Filling::linear_ramp},
                       {"end_values", filling == Filling::linear_ramp}}))
    return std::nullopt;
  if (!known) return call.about("mode").refuse(Msg::np_pad_mode, {to_string(mode)}), std::nullopt;
  if (mirrors && call.given("reflect_type") && to_string(call.value("reflect_type")) != "'even'")
    call.about("reflect_type").refuse(Msg::np_pad_mode, {to_string(call.value("reflect_type"))});
  return call.failed() ? std::nullopt : std::optional(filling);
}

/// Writes the constants: those of an axis between the elements of the axes after it, so that corners are the last
/// one's.
void write_constants(Call& call, const Tensor& padded, const Tensor& array, const Widths& widths) {
  const TensorRef given =
      as_array(call, call.given("constant_values") ? call.value("constant_values") : Value{int64_t{0}});
  const auto both = given ? pairs(call, "constant_values", *given->tensor, array.layout.rank()) : std::nullopt;
  if (!both) return;
  for (int d = 0; d < array.layout.rank(); ++d) {
    const auto at = static_cast<size_t>(d);
    Layout inner = padded.layout;
    for (int k = d + 1; k < inner.rank(); ++k)
      inner = *slice(inner, k, widths.before[static_cast<size_t>(k)], 1, array.layout.sizes[k]);
    const std::pair<int64_t, int64_t> sides[] = {{0, widths.before[at]},
                                                 {widths.before[at] + array.layout.sizes[d], widths.after[at]}};
    for (int side = 0; side < 2; ++side) {
      const auto& [start, count] = sides[side];
      Tensor part = padded;
      part.layout = *slice(inner, d, start, 1, count);
      const Value constant{scalar_at(*both, 2 * d + side)};
      if (count_of(part) > 0) numpy_assign(call, part, constant);
    }
  }
}

/// The padded array in C order, and how it is taken apart.
struct Grid {
  std::vector<Scalar> cells;
  Dims sizes, own;  ///< of the padded array and of the array
  const Widths& widths;
  DType dtype = DType::int64;

  int64_t before(int d) const { return widths.before[static_cast<size_t>(d)]; }
  int64_t after(int d) const { return widths.after[static_cast<size_t>(d)]; }
  Scalar& at(int64_t start, int d, int64_t place) {
    return cells[static_cast<size_t>(start + place * contiguous(sizes).strides[d])];
  }
  /// Where the lines along axis `d` begin: those of the axes before it are filled, those after it not yet.
  std::vector<int64_t> lines(int d) const {
    std::vector<int64_t> starts;
    for (int64_t i = 0; i < static_cast<int64_t>(cells.size()); ++i) {
      const Dims index = index_at(sizes, i);
      bool inside = index[d] == 0;
      for (int k = d + 1; k < sizes.size() && inside; ++k)
        inside = index[k] >= before(k) && index[k] < before(k) + own[k];
      if (inside) starts.push_back(i);
    }
    return starts;
  }
};

Scalar rounded(double value, DType dtype) {
  return converted(real_scalar(is_integer(dtype) ? std::nearbyint(value) : value, DType::float64), dtype);
}

/// The extreme, mean or median of so many elements of a line.  @pre count > 0
Scalar statistic(Grid& grid, int64_t start, int d, int64_t from, int64_t count, Filling filling) {
  std::vector<Scalar> line;
  for (int64_t k = 0; k < count; ++k) line.push_back(grid.at(start, d, from + k));
  if (filling == Filling::maximum || filling == Filling::minimum) {
    Scalar best = line.front();
    for (const Scalar& one : line)
      best = reckon(filling == Filling::maximum ? Arithmetic::maximum : Arithmetic::minimum, std::array{best, one});
    return best;
  }
  const auto real = [](const Scalar& value) { return converted(value, DType::float64).real; };
  double sum = 0;
  for (const Scalar& one : line) sum += real(one);
  if (filling == Filling::mean || std::isnan(sum)) return rounded(sum / static_cast<double>(count), grid.dtype);
  std::sort(line.begin(), line.end(), comes_before);
  const size_t half = line.size() / 2;
  return rounded(line.size() % 2 == 1 ? real(line[half]) : (real(line[half - 1]) + real(line[half])) / 2, grid.dtype);
}

/// stat_length= for both sides of an axis of `size`.
std::optional<std::vector<int64_t>> stat_lengths(Call& call, const Dims& own) {
  std::vector<int64_t> lengths;
  const TensorRef given = call.given("stat_length") ? as_array(call, call.value("stat_length")) : nullptr;
  const auto both = given ? pairs(call, "stat_length", *given->tensor, own.size()) : std::nullopt;
  for (int side = 0; side < 2 * own.size() && !call.failed(); ++side) {
    const int64_t size = own[side / 2];
    const double wanted = both ? std::nearbyint(converted(element(*both, side), DType::float64).real) : 1e18;
    if (wanted < 0)
      call.about("stat_length")
          .fail("ValueError", "index can't contain negative values", Msg::np_pad_negative,
                {static_cast<int64_t>(wanted)});
    lengths.push_back(wanted < static_cast<double>(size) ? static_cast<int64_t>(wanted) : size);
  }
  if (call.failed()) return std::nullopt;
  return lengths;
}

void fill_statistics(Call& call, Grid& grid, Filling filling) {
  const auto lengths = stat_lengths(call, grid.own);
  for (int d = 0; d < grid.own.size() && lengths && !call.failed(); ++d) {
    const int64_t first = grid.before(d), last = first + grid.own[d];
    const int64_t left = (*lengths)[static_cast<size_t>(2 * d)], right = (*lengths)[static_cast<size_t>(2 * d + 1)];
    if (left == 0 || right == 0) {
      if (filling == Filling::mean || filling == Filling::median)
        return void(call.about("stat_length").refuse(Msg::not_modelled, {"NumPy", "stat_length=0"}));
      return void(call.about("stat_length")
                      .fail("ValueError", "stat_length of 0 yields no value for padding", Msg::nothing_to_choose));
    }
    for (const int64_t start : grid.lines(d)) {
      const Scalar low = statistic(grid, start, d, first, left, filling),
                   high = statistic(grid, start, d, last - right, right, filling);
      for (int64_t k = 0; k < first; ++k) grid.at(start, d, k) = low;
      for (int64_t k = last; k < grid.sizes[d]; ++k) grid.at(start, d, k) = high;
    }
  }
}

/// From the end values to the edges in even steps, as np.linspace makes them.
void fill_ramps(Call& call, Grid& grid) {
  const TensorRef given = as_array(call, call.given("end_values") ? call.value("end_values") : Value{int64_t{0}});
  const auto both = given ? pairs(call, "end_values", *given->tensor, grid.own.size()) : std::nullopt;
  for (int d = 0; d < grid.own.size() && both; ++d) {
    const std::vector<int64_t> starts = grid.lines(d);
    for (int side = 0; side < 2; ++side) {
      const int64_t width = side == 0 ? grid.before(d) : grid.after(d);
      const int64_t edge = side == 0 ? grid.before(d) : grid.before(d) + grid.own[d] - 1;
      const double end = converted(element(*both, 2 * d + side), DType::float64).real;
      const auto distance = [&](int64_t start) {
        return converted(grid.at(start, d, edge), DType::float64).real - end;
      };
      const auto parts = static_cast<double>(width);
      const bool still =
          std::any_of(starts.begin(), starts.end(), [&](int64_t start) { return distance(start) / parts == 0; });
      for (const int64_t start : starts)
        for (int64_t k = 0; k < width; ++k) {
          const auto at = static_cast<double>(k);
          const double value = (still ? at / parts * distance(start) : at * (distance(start) / parts)) + end;
          grid.at(start, d, side == 0 ? k : grid.sizes[d] - 1 - k) =
              converted(real_scalar(is_integer(grid.dtype) ? std::floor(value) : value, DType::float64), grid.dtype);
        }
    }
  }
}

/// Filled axis after axis with what is reckoned from each line.
Value reckoned_around(Call& call, const Tensor& array, const Dims& sizes, const Widths& widths, Filling filling) {
  const int64_t count = *numel(sizes);
  if (count > small_cells || count_of(array) == 0) return call.refuse(Msg::np_too_costly);
  if (is_complex(array.dtype))
    return call.about("mode").refuse(Msg::not_modelled,
                                     {"NumPy", "np.pad of complex numbers, mode=" + to_string(call.value("mode"))});
  Grid grid{std::vector<Scalar>(static_cast<size_t>(count), Scalar{array.dtype}), sizes, array.layout.sizes, widths,
            array.dtype};
  const Elements own = elements_of(array);
  for (int64_t i = 0; i < count_of(array); ++i) {
    Dims index = index_at(array.layout.sizes, i);
    for (int d = 0; d < index.size(); ++d) index[d] += grid.before(d);
    grid.cells[static_cast<size_t>(offset(contiguous(sizes), index))] = element(own, i);
  }
  if (filling == Filling::linear_ramp)
    fill_ramps(call, grid);
  else
    fill_statistics(call, grid, filling);
  if (call.failed()) return {};
  const bool fortran = resolved_order(array, NumpyOrder::any) == Order::fortran;
  // The slowest axis first.
  auto [layout, contents] = laid_out(literal_contents(grid.cells, array.dtype), sizes,
                                     fortran ? c_order(sizes.size()) : fortran_order(sizes.size()), array.dtype);
  return call.fresh(array.dtype, layout, std::move(contents), Relation::copy);
}

Value pad(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto widths = widths_of(call, array.layout.rank());
  const auto filling = widths ? filling_of(call) : std::nullopt;
  if (!filling) return {};
  Dims sizes = array.layout.sizes;
  for (int d = 0; d < sizes.size(); ++d) {
    const auto at = static_cast<size_t>(d);
    const auto all = checked_add(checked_add(sizes[d], widths->before[at]), widths->after[at]);
    if (!all) return call.refuse(Msg::beyond_int64);
    if (*filling != Filling::constant && count_of(array) == 0 && sizes[d] == 0 && *all > 0)
      return call.fail("ValueError", {"can't extend empty axis ", d, " using modes other than 'constant' or 'empty'"},
                       Msg::np_pad_empty, {Slot{d, call.axis(array, d)}});
    sizes[d] = *all;
  }
  const Layout target = owned_layout(call, sizes, array.dtype, resolved_order(array, NumpyOrder::any));
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  const bool constant = *filling == Filling::constant || count_of(array) == 0;
  const bool plain = constant || is_reckoned(*filling);
  const ContentsPtr around = plain ? constant_contents(converted({DType::int64}, array.dtype), count)
                                   : continued(array, sizes, widths->before, *filling);
  if (!around) return call.refuse(Msg::np_too_costly);
  const Layout packed = contiguous(sizes, unit_of(array));
  const Value made = is_reckoned(*filling) ? reckoned_around(call, array, sizes, *widths, *filling)
                     : constant && resolved_order(array, NumpyOrder::any) == Order::c
                         ? call.fresh(array.dtype, target, around, Relation::copy)
                         : call.gathered(target, array.dtype, [&](const Dims& order) {
                             return gather({around, permute(packed, order), array.dtype}, array.dtype);
                           });
  if (call.failed()) return {};
  const size_t said = call.said();
  if (constant) {
    Tensor inner = *tensor_of(made);
    for (int d = 0; d < sizes.size(); ++d)
      inner.layout = *slice(inner.layout, d, widths->before[static_cast<size_t>(d)], 1, array.layout.sizes[d]);
    if (count_of(array) > 0) call.write(inner, elements_of(array));
    if (*filling == Filling::constant) write_constants(call, *tensor_of(made), array, *widths);
  }
  call.unsay(said);
  call.relation(Relation::copy);
  call.why(Msg::np_pad_headline, {to_string(sizes), count_of(array)});
  for (int d = 0; d < sizes.size(); ++d)
    call.why(Msg::np_pad_axis, {Slot{d, call.axis(array, d)}, widths->before[static_cast<size_t>(d)],
                                widths->after[static_cast<size_t>(d)], array.layout.sizes[d]});
  return call.failed() ? Value{} : made;
}

}  // namespace

std::span<const Op> numpy_pad_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.pad(array, pad_width, mode='constant', *, constant_values=None, reflect_type=None, stat_length=None, "
       "end_values=None, **kwargs)",
       Msg::op_np_pad,
       "(before, after) for each axis; constants, the edge, a mirror with or without it, from the other end, an even "
       "slope, "
       "or the mean, median or extreme of each line",
       "x = np.arange(3)\ny = np.pad(x, (1, 2))", pad},
  };
  return rows;
}

}  // namespace stridescope
