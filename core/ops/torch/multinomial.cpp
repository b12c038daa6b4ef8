// Places drawn by weights: multinomial.
#include <algorithm>
#include <cmath>

#include "layout/checked.h"
#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The weights of one row as running sums; nothing, and the call failed, where they are none.
std::optional<std::vector<double>> running_weights(Call& call, const Elements& weights, int64_t row, int64_t columns) {
  std::vector<double> sums;
  double sum = 0;
  for (int64_t k = 0; k < columns; ++k) sums.push_back(sum += element(weights, row * columns + k).real);
  if (sum > 0) return sums;
  call.about("input").fail("RuntimeError", "invalid multinomial distribution (sum of probabilities <= 0)",
                           Msg::multinomial_nothing, {row});
  return std::nullopt;
}

/// Places in rows of weights, the heavier the likelier; without replacement each once.
Value multinomial_row(Call& call) {
  const Tensor& tensor = call.self();
  const Dims& sizes = tensor.layout.sizes;
  const int64_t wanted = call.integer("num_samples");
  const bool again = call.boolean("replacement");
  if (sizes.size() != 1 && sizes.size() != 2)
    return call.about("input").fail("RuntimeError", "prob_dist must be 1 or 2 dim", Msg::layer_rank,
                                    {1, 2, sizes.size()});
  if (!is_floating(tensor.dtype))
    return call.about("input").fail(
        "RuntimeError",
        {"multinomial only supports floating-point dtypes for input, got: ", scalar_type_name(tensor.dtype)},
        Msg::draw_needs_floats, {name(tensor.dtype)});
  if (wanted <= 0)
    return call.about("num_samples")
        .fail("RuntimeError", "cannot sample n_sample <= 0 samples", Msg::at_least, {"num_samples", 1});
  const int64_t columns = sizes.back(), rows = sizes.size() == 2 ? sizes[0] : 1;
  if (!again && wanted > columns)
    return call.about("num_samples")
        .fail("RuntimeError", "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
              Msg::multinomial_few, {wanted, columns});
  const Dims made = sizes.size() == 2 ? Dims{rows, wanted} : Dims{wanted};
  const Layout layout = fresh_layout(call, made, DType::int64);
  if (call.failed()) return {};
  if (columns == 0 && rows > 0)
    return call.about("input").fail("RuntimeError",
                                    "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                                    "reduction dim with the 'dim' argument.",
                                    Msg::nothing_to_choose);
  const int64_t count = rows * wanted, read = rows * columns;
  const Elements weights = elements_of(tensor);
  call.why(Msg::fresh_headline, {count, "int64", to_string(layout)});
  call.why(Msg::random_values);
  // Of weights that nobody knows any places are as good as others.
  if (!call.reckons(checked_mul(read, cost(weights)).value_or(INT64_MAX))) {
    const ContentsPtr any = random_contents(Distribution::integers, call.seed(), DType::int64, count, 0, columns);
    return call.fresh(DType::int64, layout, any);
  }
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  if (!call.quick(weights, read)) return {};
  for (int64_t i = 0; i < read; ++i)
    if (const double weight = element(weights, i).real; !(weight >= 0 && weight < INFINITY))
      return call.about("input").fail("RuntimeError", "probability tensor contains either `inf`, `nan` or element < 0",
                                      Msg::draw_parameter, {"input", general(weight)});
  const ContentsPtr drawn =
      random_contents(Distribution::uniform, call.seed(), DType::float64, std::max(again ? count : read, int64_t{1}));
  std::vector<Scalar> places;
  for (int64_t row = 0; row < rows; ++row) {
    const auto sums = running_weights(call, weights, row, columns);
    if (!sums) return {};
    if (again) {
      for (int64_t k = 0; k < wanted; ++k) {
        const double point = cell(*drawn, row * wanted + k).real * sums->back();
        places.push_back(
            integer_scalar(std::upper_bound(sums->begin(), sums->end() - 1, point) - sums->begin(), DType::int64));
      }
      continue;
    }
    // The least of exponential numbers, each by its weight: Efraimidis and Spirakis, "Weighted random sampling with a
    // reservoir" (2006).
    std::vector<std::pair<double, int64_t>> waits;
    for (int64_t k = 0; k < columns; ++k)
      waits.emplace_back(-std::log1p(-cell(*drawn, row * columns + k).real) / element(weights, row * columns + k).real,
                         k);
    for (auto& [wait, k] : waits)
      if (std::isnan(wait)) wait = INFINITY;
    std::stable_sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (int64_t k = 0; k < wanted; ++k)
      places.push_back(integer_scalar(waits[static_cast<size_t>(k)].second, DType::int64));
  }
  const Value result = call.fresh(DType::int64, layout, literal_contents(places, DType::int64));
  if (!call.failed()) tensor_of(result)->storage->drawn = true;
  return result;
}

}  // namespace

std::span<const Op> torch_weighted_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "x.multinomial(num_samples: int, replacement: bool = False)\n"
       "torch.multinomial(input: tensor, num_samples: int, replacement: bool = False)",
       Msg::op_multinomial, "of each row num_samples places, the heavier the likelier",
       "x = torch.tensor([0.1, 0.2, 0.7])\ny = torch.multinomial(x, 2)", multinomial_row},
  };
  return rows;
}

}  // namespace stridescope
