// Arrays of numbers that look random. They are the same in every run, and so a seed has nothing to do.
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// An array of that shape; a number of Python's where none is asked for.
Value drawn(Call& call, const Dims* sizes, Distribution distribution, DType dtype, int64_t low = 0, int64_t high = 1) {
  const Layout layout = sizes ? owned_layout(call, *sizes, dtype) : Layout{};
  if (call.failed()) return {};
  const int64_t count = sizes ? *numel(*sizes) : 1;
  const ContentsPtr values = random_contents(distribution, call.seed(), dtype, count, low, high);
  if (!sizes) {
    call.why(Msg::np_random_values);
    call.relation(Relation::none);
    const Scalar value = cell(*values, 0);
    if (is_integer(dtype) && call.name().starts_with("Generator")) return {NumpyScalar{value}};
    return is_integer(dtype) ? Value{value.integer} : Value{value.real};
  }
  call.why(Msg::np_random_headline, {to_string(*sizes), name(dtype)});
  call.why(Msg::np_random_values);
  return call.fresh(dtype, layout, values);
}

/// rand(2, 3), randn(2, 3)
Value rand_row(Call& call) {
  const Dims dims = numpy_shape(call, call.value("dims"));
  if (call.failed()) return {};
  const Distribution distribution = call.name().ends_with("randn") ? Distribution::normal : Distribution::uniform;
  return drawn(call, dims.empty() ? nullptr : &dims, distribution, DType::float64);
}

Value random_row(Call& call) {
  const Dims sizes = call.given("size") ? numpy_shape(call, call.value("size")) : Dims{};
  const Distribution distribution = call.name().ends_with("normal") ? Distribution::normal : Distribution::uniform;
  return call.failed() ? Value{} : drawn(call, call.given("size") ? &sizes : nullptr, distribution, DType::float64);
}

/// A generator: it only hands out arrays.
Value generator(Call& call) {
  Tensor none;
  none.library = Library::numpy;
  none.storage = std::make_shared<Storage>();
  none.storage->contents = constant_contents({DType::int64}, 1);
  call.why(Msg::random_seed);
  call.relation(Relation::none);
  return {Facet{"Generator", std::make_shared<const Tensor>(std::move(none))}};
}

Value randint_row(Call& call) {
  const bool both = call.given("high");
  const int64_t first = call.integer("low");
  const int64_t last = call.given("endpoint") && call.truth("endpoint") ? 1 : 0;
  const int64_t low = both ? first : 0, high = (both ? call.integer("high") : first) + last;
  const Dims sizes = !call.failed() && call.given("size") ? numpy_shape(call, call.value("size")) : Dims{};
  const auto dtype = call.failed() ? std::nullopt : dtype_argument(call);
  if (call.failed()) return {};
  if (low >= high) return call.fail("ValueError", both ? "low >= high" : "high <= 0", Msg::randint_empty, {low, high});
  return drawn(call, call.given("size") ? &sizes : nullptr, Distribution::integers, dtype.value_or(DType::int64), low,
               high);
}

Value seed_row(Call& call) {
  call.why(Msg::random_seed);
  call.relation(Relation::none);
  return {};
}

}  // namespace

std::span<const Op> numpy_random_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.random.rand(*dims: any = ())\nnp.random.randn(*dims: any = ())", Msg::op_np_random,
       "C order; reproducible stand-ins for random values", "x = np.random.rand(2, 3)", rand_row},
      {Library::numpy,
       "np.random.random(size=None)\nnp.random.random_sample(size=None)\nnp.random.standard_normal(size=None)",
       Msg::op_np_random, "the same, its shape a tuple", "x = np.random.random((2, 3))", random_row},
      {Library::numpy,
       "np.random.normal(loc=0.0, scale=1.0, size=None)\nnp.random.uniform(low=0.0, high=1.0, size=None)",
       Msg::op_np_random, "C order; reproducible stand-ins for random values", "x = np.random.normal(size=(2, 3))",
       random_row},
      {Library::numpy, "np.random.default_rng(seed=None)", Msg::op_np_rng, "the same values in every run",
       "rng = np.random.default_rng(0)", generator},
      {Library::numpy, "x.Generator().random(size=None)\nx.Generator().standard_normal(size=None)", Msg::op_np_random,
       "C order; reproducible stand-ins for random values", "rng = np.random.default_rng(0)\nx = rng.random((2, 3))",
       random_row},
      {Library::numpy,
       "x.Generator().normal(loc=0.0, scale=1.0, size=None)\nx.Generator().uniform(low=0.0, high=1.0, size=None)",
       Msg::op_np_random, "C order; reproducible stand-ins for random values",
       "rng = np.random.default_rng(0)\nx = rng.normal(size=(2, 3))", random_row},
      {Library::numpy, "x.Generator().integers(low, high=None, size=None, dtype=None, endpoint=False)",
       Msg::op_np_random, "integers from low on and below high, or from 0 on and below low",
       "rng = np.random.default_rng(0)\nx = rng.integers(0, 10, (2, 3))", randint_row},
      {Library::numpy, "np.random.randint(low, high=None, size=None, dtype=None)", Msg::op_np_random,
       "integers from low on and below high, or from 0 on and below low", "x = np.random.randint(0, 10, (2, 3))",
       randint_row},
      {Library::numpy, "np.random.seed(seed=None)", Msg::op_seed, "the values are the same in every run all the same",
       "x = np.random.rand(3)\nnp.random.seed(0)", seed_row},
  };
  return rows;
}

}  // namespace stridescope
