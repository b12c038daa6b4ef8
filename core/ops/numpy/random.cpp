// Arrays of numbers that look random. They are the same in every run, and again after the same seed.
#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The memory of the generator whose method this is; null of np.random's own.
const void* generator_of(const Call& call) {
  const auto* facet = std::get_if<Facet>(&call.first().held);
  return facet && facet->name == "Generator" ? facet->tensor->storage.get() : nullptr;
}

/// An array of that shape; a number where none is asked for: NumPy's of what is no float64, but Python's where one of
/// its classes is named as the dtype, and of np.random where none is.
Value drawn(Call& call, const Dims* sizes, Distribution distribution, DType dtype, int64_t low = 0, int64_t high = 1) {
  const Layout layout = sizes ? owned_layout(call, *sizes, dtype) : Layout{};
  if (call.failed()) return {};
  const int64_t count = sizes ? *numel(*sizes) : 1;
  const ContentsPtr values = random_contents(distribution, call.seed(generator_of(call)), dtype, count, low, high);
  if (!sizes) {
    call.why(Msg::np_random_values);
    call.relation(Relation::none);
    const Scalar value = cell(*values, 0);
    if (dtype == DType::float64) return Value{value.real};
    const auto* named = std::get_if<Symbol>(&call.value("dtype").held);
    const bool own =
        named ? named->path == "bool" || named->path == "int" : !call.given("dtype") && !generator_of(call);
    if (!own) return {NumpyScalar{value}};
    return dtype == DType::boolean ? Value{value.integer != 0} : Value{value.integer};
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
  for (const char* parameter : {"dtype", "out"})
    if (call.given(parameter))
      return call.about(parameter).refuse(Msg::not_modelled, {"NumPy", std::string(parameter) + "="});
  const Dims sizes = call.given("size") ? numpy_shape(call, call.value("size")) : Dims{};
  const Distribution distribution = call.name().ends_with("normal") ? Distribution::normal : Distribution::uniform;
  return call.failed() ? Value{} : drawn(call, call.given("size") ? &sizes : nullptr, distribution, DType::float64);
}

/// normal(loc, scale) and uniform(low, high), of numbers or arrays: random numbers, stretched and moved.
Value stretched_row(Call& call) {
  const bool normal = call.name().ends_with("normal");
  const char *one = normal ? "loc" : "low", *other = normal ? "scale" : "high";
  if (!call.given(one) && !call.given(other)) return random_row(call);
  const auto bound = [&](const char* parameter, double usual) {
    return as_array(call, call.given(parameter) ? call.value(parameter) : Value{usual});
  };
  const TensorRef first = bound(one, 0), second = bound(other, 1);
  if (call.failed()) return {};
  const Elements from = elements_of(*first->tensor), to = elements_of(*second->tensor);
  const auto own = broadcast_sizes({from.layout.sizes, to.layout.sizes});
  if (!own || is_complex(from.dtype) || is_complex(to.dtype))
    return call.refuse(Msg::not_modelled, {"NumPy", call.name()});
  const Dims sizes = call.given("size") ? numpy_shape(call, call.value("size")) : *own;
  if (call.failed()) return {};
  if (!broadcast_sizes({*own, sizes})) {
    const bool by_first = !broadcast_sizes({from.layout.sizes, sizes});
    return call.about("size").fail(
        "ValueError",
        {"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape ",
         shape_text(sizes), " and arg ", by_first ? 1 : 2, " with shape ",
         shape_text(by_first ? from.layout.sizes : to.layout.sizes), "."},
        Msg::np_cannot_broadcast, {to_string(*own), to_string(sizes)});
  }
  if (const Dims all = *broadcast_sizes({*own, sizes}); all != sizes)
    return call.about("size").fail("ValueError",
                                   {"Output size ", to_string(sizes),
                                    " is not compatible with broadcast dimensions of inputs ", to_string(all), "."},
                                   Msg::np_cannot_broadcast, {to_string(*own), to_string(sizes)});
  const int64_t widths = *numel(to.layout.sizes);
  for (int64_t i = 0; normal && i < std::min(widths, small_cells); ++i)
    if (as_real(element(to, i)) < 0)
      return call.about(other).fail("ValueError", "scale < 0", Msg::draw_parameter,
                                    {"scale", to_string(Value{as_real(element(to, i))})});
  const Layout layout = owned_layout(call, sizes, DType::float64);
  if (call.failed()) return {};
  const auto reckon = [&](Arithmetic op, const Elements& a, const Elements& b) {
    const Elements operands[] = {a, b};
    const bool known = a.contents && b.contents;
    return Elements{known ? elementwise(op, operands, DType::float64, DType::float64) : nullptr,
                    contiguous(sizes, itemsize(DType::float64)), DType::float64};
  };
  const auto seen = [&](Elements elements) {
    elements.layout = broadcast_to(elements.layout, sizes);
    return elements;
  };
  const Elements drawn{random_contents(normal ? Distribution::normal : Distribution::uniform,
                                       call.seed(generator_of(call)), DType::float64, *numel(sizes)),
                       contiguous(sizes, itemsize(DType::float64)), DType::float64};
  const Elements width = normal ? seen(to) : reckon(Arithmetic::subtract, seen(to), seen(from));
  const Elements moved = reckon(Arithmetic::add, reckon(Arithmetic::multiply, drawn, width), seen(from));
  if (!moved.contents) return call.refuse(Msg::np_too_costly);
  if (sizes.empty() && !call.given("size")) {
    call.why(Msg::np_random_values);
    call.relation(Relation::none);
    return {as_real(element(moved, 0))};
  }
  call.why(Msg::np_random_headline, {to_string(sizes), name(DType::float64)});
  call.why(Msg::np_random_values);
  const Value made = call.fresh(DType::float64, layout, gather(moved, DType::float64));
  if (!call.failed()) tensor_of(made)->storage->drawn = true;
  return made;
}

/// Whether it can begin a generator: a whole number of at least 0, or a line of such.
/// Source: _coerce_to_uint32_array in numpy/random/bit_generator.pyx
bool is_entropy(Call& call, const Value& given) {
  if (std::holds_alternative<None>(given.held)) return true;
  const auto negative = [&](int64_t number) {
    return call.about("seed").fail("ValueError", "expected non-negative integer", Msg::np_seed, {number}), false;
  };
  const auto refused = [&] {
    const auto* text = std::get_if<std::string>(&given.held);
    return call.about("seed").fail_parser(
               {"SeedSequence expects int or sequence of ints for entropy not ", text ? *text : to_string(given)},
               Msg::np_seed, {to_string(given, 40)}),
           false;
  };
  if (const auto number = as_integer(given)) return *number >= 0 || negative(*number);
  if (std::holds_alternative<std::string>(given.held) || std::holds_alternative<Float>(given.held)) return refused();
  if (const auto* line = std::get_if<Sequence>(&given.held))
    for (const Value& item : *line->items)
      if (const auto number = as_integer(item); number && *number < 0) return negative(*number);
  return true;
}

/// A generator: it only hands out arrays.
Value generator(Call& call) {
  Tensor none;
  none.library = Library::numpy;
  none.storage = std::make_shared<Storage>();
  none.storage->contents = constant_contents({DType::int64}, 1);
  if (!is_entropy(call, call.value("seed"))) return {};
  call.set_seed(call.value("seed"), none.storage.get());
  call.why(Msg::random_seed);
  call.relation(Relation::none);
  return {Facet{"Generator", std::make_shared<const Tensor>(std::move(none))}};
}

Value randint_row(Call& call) {
  for (const char* bound : {"low", "high"})
    if (const Value& given = call.value(bound); call.given(bound) && (tensor_of(given) || !as_integer(given)))
      return call.about(bound).refuse(Msg::not_modelled, {"NumPy", std::string(bound) + "=" + to_string(given, 40)});
  const bool both = call.given("high"), closed = call.given("endpoint") && call.truth("endpoint");
  const char* const end = both ? "high" : "low";
  const int64_t low = both ? call.integer("low") : 0, most = call.integer(end);
  const Dims sizes = !call.failed() && call.given("size") ? numpy_shape(call, call.value("size")) : Dims{};
  const bool none = !call.given("dtype") && !(call.argument("dtype") == Span{});
  const DType dtype =
      call.failed() ? DType::int64 : dtype_argument(call).value_or(none ? DType::float64 : DType::int64);
  if (call.failed()) return {};
  if (most == INT64_MIN || (closed && most == INT64_MAX)) return call.about(end).refuse(Msg::beyond_int64);
  if (!is_whole(dtype))
    return call.about("dtype").fail(
        "TypeError", {"Unsupported dtype dtype('", name(dtype), "') for ", generator_of(call) ? "integers" : "randint"},
        Msg::not_defined_for, {"randint", name(dtype)});
  const auto holds = [&](int64_t number) {
    return dtype == DType::uint64 ? number >= 0 : integer_scalar(number, dtype).integer == number;
  };
  const int64_t high = most + (closed ? 1 : 0);
  const auto outside = [&](const char* bound, const char* word, int64_t number) {
    return call.about(bound).fail("ValueError", {word, " is out of bounds for ", name(dtype)},
                                  Msg::np_number_out_of_bounds, {number, name(dtype)});
  };
  if (low < 0 && !holds(low)) return outside("low", "low", low);
  if (high > 0 && !holds(high - 1)) return outside(end, "high", high - 1);
  if (low >= high)
    return call.fail("ValueError",
                     low == 0 ? (closed ? "high < 0" : "high <= 0")
                     : closed ? "low > high"
                              : "low >= high",
                     Msg::randint_empty, {low, high});
  return drawn(call, call.given("size") ? &sizes : nullptr, Distribution::integers, dtype, low, high);
}

/// Whether it can be a seed of RandomState: a whole number of 32 bits without a sign, or a line of such.
/// Source: _legacy_seeding in numpy/random/_mt19937.pyx
bool is_seed(Call& call, const Value& given) {
  constexpr int64_t most = 0xFFFFFFFF;
  const auto refused = [&](const Slots& text, const Slots& slots) {
    return call.about("seed").fail("ValueError", text, Msg::np_seed, slots), false;
  };
  const auto outside = [&](const Slots& slots) { return refused("Seed must be between 0 and 2**32 - 1", slots); };
  const TensorPtr tensor = tensor_of(given);
  const bool one = !tensor || count_of(*tensor) == 1;
  if (const auto number = one ? as_integer(given) : std::nullopt)
    return (*number >= 0 && *number <= most) || outside({to_string(given, 40)});
  if (const auto text = text_dtype(given))
    return call.about("seed").fail_parser(
               {"Cannot cast scalar from dtype('", *text, "') to dtype('int64') according to the rule 'safe'"},
               Msg::np_seed, {to_string(given, 40)}),
           false;
  if (!tensor && !std::holds_alternative<Sequence>(given.held) && !as_real(given))
    return call.about("seed").refuse(Msg::not_modelled, {"NumPy", "seed=" + to_string(given, 40)}), false;
  const TensorRef line = as_array(call, given);
  if (call.failed()) return false;
  const Tensor& seeds = *line->tensor;
  if (count_of(seeds) == 0) return refused("Seed must be non-empty", {to_string(given, 40)});
  if (!can_cast(seeds.dtype, DType::int64, Casting::safe))
    return call.about("seed").fail_parser(
               {"Cannot cast ", one && count_of(seeds) == 1 ? "scalar" : "array data", " from dtype('",
                name(seeds.dtype), "') to dtype('int64') according to the rule 'safe'"},
               Msg::np_seed, {to_string(given, 40)}),
           false;
  if (seeds.layout.rank() != 1 && !(tensor && one)) return refused("Seed array must be 1-d", {to_string(given, 40)});
  if (!call.few(seeds)) return false;
  for (int64_t i = 0; i < count_of(seeds); ++i)
    if (const int64_t seed = element(elements_of(seeds), i).integer; seed < 0 || seed > most) return outside({seed});
  return true;
}

Value seed_row(Call& call) {
  const Value& seed = call.value("seed");
  if (!std::holds_alternative<None>(seed.held) && !is_seed(call, seed)) return {};
  call.set_seed(seed);
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
       Msg::op_np_random, "C order; reproducible stand-ins for random values", "x = np.random.normal(10, 2, (2, 3))",
       stretched_row},
      {Library::numpy, "np.random.default_rng(seed=None)", Msg::op_np_rng,
       "after the same seed it gives the same stand-ins", "rng = np.random.default_rng(0)", generator},
      {Library::numpy,
       "x.Generator().random(size=None, dtype=None, out=None)\n"
       "x.Generator().standard_normal(size=None, dtype=None, out=None)",
       Msg::op_np_random, "C order; reproducible stand-ins for random values",
       "rng = np.random.default_rng(0)\nx = rng.random((2, 3))", random_row},
      {Library::numpy,
       "x.Generator().normal(loc=0.0, scale=1.0, size=None)\nx.Generator().uniform(low=0.0, high=1.0, size=None)",
       Msg::op_np_random, "C order; reproducible stand-ins for random values",
       "rng = np.random.default_rng(0)\nx = rng.uniform(2, 3, (2, 3))", stretched_row},
      {Library::numpy, "x.Generator().integers(low, high=None, size=None, dtype=None, endpoint=False)",
       Msg::op_np_random, "integers from low on and below high, or from 0 on and below low",
       "rng = np.random.default_rng(0)\nx = rng.integers(0, 10, (2, 3))", randint_row},
      {Library::numpy, "np.random.randint(low, high=None, size=None, dtype=None)", Msg::op_np_random,
       "integers from low on and below high, or from 0 on and below low", "x = np.random.randint(0, 10, (2, 3))",
       randint_row},
      {Library::numpy, "np.random.seed(seed=None)", Msg::op_seed, "after the same seed come the same stand-ins",
       "x = np.random.rand(3)\nnp.random.seed(0)", seed_row},
  };
  return rows;
}

}  // namespace stridescope
