// New arrays whose elements are one difference apart.
#include <algorithm>
#include <cmath>

#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Reckoned as floating: what no int64 holds goes to float64.
bool is_real(const Value& value) {
  const auto real = [](DType dtype) { return is_floating(dtype) || dtype == DType::uint64; };
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return real(scalar->dtype());
  const TensorPtr array = tensor_of(value);
  return std::holds_alternative<Float>(value.held) || (array && real(array->dtype));
}

/// first, second, .. one difference apart, each rounded where `dtype` rounds. float16 is reckoned in float32.
ContentsPtr real_sequence(double first, double second, DType dtype, int64_t count) {
  if (dtype == DType::float64 || is_complex(dtype)) return real_range(first, second - first, dtype, count);
  const DType in = DType::float32;
  const auto repeated = [&](double value) {
    return Elements{constant_contents(real_scalar(value, in), 1), {{count}, {0}, 0}, in};
  };
  const Layout line{{count}, {4}, 0};
  const ContentsPtr steps = integer_range(0, 1, in, count);
  const ContentsPtr scaled =
      elementwise(Arithmetic::multiply,
                  std::array{Elements{steps, line, in}, repeated(real_scalar(second - first, in).real)}, in, in);
  return elementwise(Arithmetic::add, std::array{Elements{scaled, line, in}, repeated(first)}, in, dtype);
}

/// Whether the argument was given by its name.
bool by_keyword(const Call& call, const char* parameter) {
  const std::string text = call.written(call.argument(parameter)), name(parameter);
  const size_t sign = text.starts_with(name) ? text.find_first_not_of(' ', name.size()) : std::string::npos;
  return sign != std::string::npos && text[sign] == '=' && !text.substr(sign).starts_with("==");
}

Value arange(Call& call) {
  // arange(stop), arange(start, stop), arange(start, stop, step)
  const bool one = !call.given("stop");
  if (one && call.argument("stop") == Span{} && (by_keyword(call, "start") || !call.given("start")))
    return call.fail_parser("arange() requires stop to be specified.", Msg::missing_argument,
                            {"arange", "stop", call.form().text});
  // A tuple less an array is an array, where they fit each other.
  if (const auto* sequence = std::get_if<Sequence>(&call.value("stop").held); sequence && is_tuple(sequence->kind)) {
    const TensorPtr from = tensor_of(call.value("start"));
    const auto count = static_cast<int64_t>(sequence->items->size());
    if (!from || !broadcast_sizes({from->layout.sizes, Dims{count}}))
      return call.about("stop").fail_parser("arange: scalar arguments expected instead of a tuple.", Msg::not_a_number,
                                            {type_name(call.value("stop"))});
    if (count_of(*from) == 1) return call.refuse(Msg::not_modelled, {"NumPy", "np.arange(array, tuple)"});
  }
  const bool absent = !call.given("start") && call.argument("start") == Span{};
  const Value start = one || absent ? Value{int64_t{0}} : call.value("start"),
              stop = one ? call.value("start") : call.value("stop");
  const Value step = call.given("step") ? call.value("step") : Value{int64_t{1}};
  for (const char* part : {"start", "stop", "step"})
    if (const TensorPtr many = tensor_of(call.value(part)); many && count_of(*many) != 1)
      return call.truth(part), Value{};
  const auto is_pair = [](const Value& value) {
    const auto* scalar = std::get_if<NumpyScalar>(&value.held);
    const TensorPtr array = tensor_of(value);
    return std::holds_alternative<ComplexFloat>(value.held) || (scalar && is_complex(scalar->dtype())) ||
           (array && is_complex(array->dtype));
  };
  if (is_pair(start) || is_pair(stop) || is_pair(step))
    return call.refuse(Msg::not_modelled, {"NumPy", "np.arange(complex)"});
  // Dates are numbers to it.
  if (const auto* code = std::get_if<std::string>(&call.value("dtype").held);
      code && (code->starts_with("datetime") || code->starts_with("M8")))
    return dtype_argument(call), Value{};
  for (const Value* part : {&start, &stop, &step})
    if (!as_real(*part))
      return call.fail_parser({"unsupported operand type(s) for -: '", type_name(*part), "'"}, Msg::not_a_number,
                              {type_name(*part)});
  const bool real = is_real(start) || is_real(stop) || is_real(step);
  if (const auto* code = std::get_if<std::string>(&call.value("dtype").held);
      is_empty_dtype(call.value("dtype")) || (code && code->starts_with('V')))
    return call.about("dtype").fail_parser(
        "arange() not supported for inputs with DType <class 'numpy.dtypes.VoidDType'>.", Msg::np_dtype_unknown,
        {"[]"});
  else if (code && (code->starts_with('U') || code->starts_with('S')))
    return call.about("dtype").fail_parser({"arange() not supported for inputs with DType <class 'numpy.dtypes.",
                                            code->front() == 'U' ? "Str" : "Bytes", "DType'>."},
                                           Msg::np_dtype_unknown, {"'" + *code + "'"});
  const DType dtype = dtype_argument(call).value_or(real ? DType::float64 : DType::int64);
  if (call.failed()) return {};
  const double from = *as_real(start), by = *as_real(step);
  if (by == 0)
    return call.fail("ZeroDivisionError", real ? "float division by zero" : "division by zero", Msg::arange_step_zero);
  int64_t count = 0;
  const auto counted = [&](double steps) {
    const double length = std::ceil(steps);
    if (std::isnan(length)) call.fail("ValueError", "arange: cannot compute length", Msg::beyond_int64);
    if (std::abs(length) > 0x1p63) call.fail("ValueError", "Maximum allowed size exceeded", Msg::beyond_int64);
    // 2^63 itself becomes a number below 0.
    count = length > 0 && length < 0x1p63 ? static_cast<int64_t>(length) : 0;
    return !call.failed();
  };
  if (real) {
    if (!counted((*as_real(stop) - from) / by)) return {};
  } else {
    // The difference is exact, the quotient a float.
    const int64_t a = *as_integer(start), b = *as_integer(stop);
    const auto apart = [](int64_t more, int64_t less) {
      return static_cast<double>(static_cast<uint64_t>(more) - static_cast<uint64_t>(less));
    };
    const double far = b < a ? -apart(a, b) : apart(b, a);
    if (!counted(far / static_cast<double>(*as_integer(step)))) return {};
  }
  if (dtype == DType::boolean && count > 2)
    return call.fail_parser("arange() is only supported for booleans when the result has at most length 2.",
                            Msg::np_arange_bool, {count});
  const Layout layout = owned_layout(call, {count}, dtype);
  // NumPy stores the first two elements; the others follow from their difference, reckoned in the dtype.
  const Value next = real ? Value{from + by} : Value{count > 1 ? *as_integer(start) + *as_integer(step) : int64_t{0}};
  const Scalar first =
      stored_scalar(call, count > 0 ? (real ? Value{from} : Value{*as_integer(start)}) : Value{}, dtype);
  const Scalar second = stored_scalar(call, count > 1 ? next : Value{}, dtype);
  if (call.failed()) return {};
  call.why(Msg::np_arange_headline, {count, to_string(start), to_string(step), name(dtype)});
  if (dtype == DType::boolean)
    return call.fresh(dtype, layout,
                      literal_contents(std::span(std::array{first, second}.data(), static_cast<size_t>(count)), dtype));
  if (is_integer(dtype))
    return call.fresh(dtype, layout,
                      integer_range(first.integer,
                                    static_cast<int64_t>(static_cast<uint64_t>(second.integer) -
                                                         static_cast<uint64_t>(first.integer)),
                                    dtype, count));
  return call.fresh(dtype, layout, real_sequence(first.real, second.real, dtype, count));
}

}  // namespace

Value spaced(Call& call, const Operand& start, const Operand& stop, const Value& asked, const Value& axis) {
  const int64_t count = call.integer("num");
  if (!call.failed() && count < 0)
    return call.about("num").fail("ValueError", {"Number of samples, ", count, ", must be non-negative."},
                                  Msg::np_negative_size, {count});
  const bool endpoint = call.truth("endpoint");
  const auto wanted = std::holds_alternative<None>(asked.held) ? std::nullopt : dtype_argument(call, asked);
  if (call.failed()) return {};
  const Tensor &first = *start.array->tensor, &last = *stop.array->tensor;
  const auto own = broadcast_sizes({last.layout.sizes, first.layout.sizes});
  if (!own)
    return call.fail("ValueError",
                     {"operands could not be broadcast together with shapes ", shape_text(last.layout.sizes), " ",
                      shape_text(first.layout.sizes), " "},
                     Msg::np_cannot_broadcast, {to_string(last.layout.sizes), to_string(first.layout.sizes)});
  if (own->full()) return too_many_axes(call, max_rank + 1);
  const DType common = common_dtype(start, stop);
  const DType reckon = is_floating(common) || is_complex(common) ? common : DType::float64,
              dtype = wanted.value_or(reckon);
  const int64_t steps = endpoint ? count - 1 : count, unit = itemsize(reckon);
  owned_layout(call, *own, reckon);  // fails where a step for each would be too big
  if (call.failed()) return {};
  Dims sizes = *own;
  sizes.insert(0, count);
  // Laid out as NumPy lays out the sum: the axes of start and stop keep their order.
  Layout packed{*own,
                packed_slowest_first(
                    *own, iteration_order({broadcast_to(last.layout, *own), broadcast_to(first.layout, *own)}), unit),
                0};
  const Layout step_layout =
      numel(packed.sizes) == 0 ? Layout{packed.sizes, Dims::filled(packed.rank(), 0), 0} : packed;
  packed = insert_dim(packed, 0, 0);
  packed.sizes[0] = count;
  Layout steady{sizes, Dims::filled(sizes.size(), 0), 0};
  steady.strides[0] = unit;
  Layout layout = owned_layout(call, sizes, reckon);
  if (!call.failed()) owned_layout(call, sizes, dtype);  // what it is converted to, last
  if (call.failed()) return {};
  if (const TensorPtr many = tensor_of(axis); many && count_of(*many) != 1) return call.truth("axis"), Value{};
  const Dims place =
      as_integer(axis) == 0
          ? Dims{0}
          : normalized_axes(call, "axis", sizes.size(), "destination: ", "repeated axis in `destination` argument");
  if (call.failed()) return {};
  if (place.size() != 1)
    return call.about("axis").fail("ValueError",
                                   "`source` and `destination` arguments must have the same number of elements",
                                   Msg::items_needed, {1, place.size()});
  if (is_complex(reckon) && is_integer(dtype))
    return call.fail_parser(
        "ufunc 'floor' not supported for the input types, and the inputs could not be safely coerced to any supported "
        "types according to the casting rule ''safe''",
        Msg::not_defined_for, {"floor", name(reckon)});
  if (*numel(sizes) > 0) layout.strides = packed_slowest_first(sizes, iteration_order({steady, packed}), unit);
  const Layout line = contiguous(sizes, unit), across = contiguous(*own, unit);
  // numpy.linspace: arange(num) * step + start along a new first axis, and the last element is `stop` itself.
  const auto repeated = [&](Elements elements) {
    elements.layout = broadcast_to(elements.layout, sizes);
    return elements;
  };
  const auto reckoned = [&](Arithmetic op, const Elements& a, const Elements& b, const Layout& into) {
    return Elements{elementwise(op, std::array{a, b}, reckon, reckon), into, reckon};
  };
  const Elements span = reckoned(Arithmetic::subtract, broadcast_elements(last, *own), broadcast_elements(first, *own),
                                 across),
                 divisor{constant_contents(real_scalar(static_cast<double>(steps), reckon), 1),
                         {sizes, Dims::filled(sizes.size(), 0), 0},
                         reckon};
  const Elements step = steps > 0
                            ? reckoned(Arithmetic::divide, span,
                                       {divisor.contents, {*own, Dims::filled(own->size(), 0), 0}, reckon}, across)
                            : span;
  if (!step.contents) return call.refuse(Msg::np_too_costly);
  const Elements range{integer_range(0, 1, reckon, count), steady, reckon};
  bool still = false;
  for (int64_t i = 0; steps > 0 && *numel(*own) <= small_cells && i < *numel(*own); ++i)
    still |= !is_true(element(step, i));
  const Elements shares = still ? reckoned(Arithmetic::divide, range, divisor, line) : range;
  Elements result = reckoned(Arithmetic::multiply, shares, repeated(still ? span : step), line);
  result = reckoned(Arithmetic::add, result, repeated(broadcast_elements(first, *own)), line);
  if (endpoint && count > 1)
    result.contents =
        patch(result.contents, {nullptr, select(line, 0, count - 1), reckon}, broadcast_elements(last, *own));
  if (is_integer(dtype)) result.contents = elementwise(Arithmetic::floor, std::array{result}, reckon, reckon);
  if (own->empty()) {
    const double from = as_real(element(elements_of(first), 0)), by = steps > 0 ? as_real(element(step, 0)) : 0;
    call.why(Msg::np_arange_headline, {count, to_string(Value{from}), to_string(Value{by}), name(dtype)});
  }
  call.why(Msg::np_fresh_storage, {*numel(sizes) * itemsize(dtype), itemsize(dtype)});
  Value made = call.gathered(layout, reckon, [&](const Dims& order) {
    return gather({result.contents, permute(line, order), reckon}, reckon);
  });
  if (call.failed()) return {};
  call.relation(Relation::fresh);
  // Reckoned in place in a reshaped arange, which stays the owner.
  if (own->empty() && steps > 0 && dtype == reckon) {
    made = call.view(*tensor_of(made), layout);
    call.relation(Relation::fresh);
    call.why(Msg::np_hidden_owner);
  }
  if (as_integer(axis) != 0) {
    made = call.view(*tensor_of(made), permute(layout, moved_dims(sizes.size(), {0}, place)));
    call.relation(Relation::fresh);
  }
  if (dtype != reckon) made = numpy_copy(call, *tensor_of(made), NumpyOrder::keep, dtype);
  if (!call.truth("retstep")) return made;
  if (steps <= 0) return call.tuple({made, Value{__builtin_nan("")}});
  const Value told =
      own->empty() ? Value{scalar_at(step, 0)} : call.gathered(step_layout, reckon, [&](const Dims& order) {
        return gather({step.contents, permute(across, order), reckon}, reckon);
      });
  return call.tuple({made, told});
}

std::span<const Op> numpy_range_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.arange(start=None, stop=None, step=None, dtype=None, *, device=None, like=None)",
       Msg::op_np_arange, "element i is start + i * step, before stop", "x = np.arange(2, 12, 3)", arange},
      {Library::numpy,
       "np.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
       Msg::op_np_linspace, "element i is start + i * (stop - start) / (num - 1)", "x = np.linspace(0, 1, 5)",
       [](Call& call) {
         const Operand start = operand(call, call.value("start")), stop = operand(call, call.value("stop"));
         return spaced(call, start, stop, call.value("dtype"), call.value("axis"));
       }},
  };
  return rows;
}

}  // namespace stridescope
