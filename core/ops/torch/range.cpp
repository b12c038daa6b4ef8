// Tensors that count: arange, linspace, eye, the indices of triangles.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/nn/moments.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whether the kernel is written for the dtype; the unsigned ones that came late have few.
bool has_range_kernel(Call& call, std::string_view kernel, DType dtype) {
  if (dtype != DType::uint16 && dtype != DType::uint32 && dtype != DType::uint64) return true;
  no_kernel(call, kernel, dtype);
  return false;
}

Value arange(Call& call, const Value& start, const Value& end, const Value& step) {
  const auto is_float = [](const Value& value) {
    return std::holds_alternative<Float>(value.held) || std::holds_alternative<ComplexFloat>(value.held);
  };
  for (const Value* part : {&start, &end, &step})
    if (is_float(*part) && !holds_number(call, *part, DType::float64)) return {};
  const bool real = is_float(start) || is_float(end) || is_float(step);
  const DType dtype = call.dtype("dtype").value_or(real ? call.default_dtype() : DType::int64);
  if (is_complex(dtype) || dtype == DType::boolean)
    return call.fail("RuntimeError", {"\"arange_cpu\" not implemented for '", scalar_type_name(dtype), "'"},
                     Msg::function_refuses, {"arange", name(dtype)});
  if (!has_range_kernel(call, "arange_cpu", dtype)) return {};
  const double from = as_real(number_of(start)), to = as_real(number_of(end)), by = as_real(number_of(step));
  // For whole numbers the direction is looked at between the ends as elements.
  const bool whole = is_integer(dtype);
  if ((whole ? std::trunc(by) : by) == 0 || std::isnan(by))
    return call.about("step").fail("RuntimeError", "step must be nonzero", Msg::arange_step_zero);
  if (const double a = whole ? std::trunc(from) : from, b = whole ? std::trunc(to) : to; by > 0 ? a > b : a < b)
    return call.about("end").fail("RuntimeError", "upper bound and larger bound inconsistent with step sign",
                                  Msg::arange_empty_direction);
  int64_t count = 0;
  if (real && whole && dtype == DType::int64) {
    // Both ends and the step are made integers first.
    const double length = std::ceil((std::trunc(to) - std::trunc(from)) / std::trunc(by));
    if (!(length < 9e18)) return call.refuse(Msg::beyond_int64);
    count = std::max<int64_t>(static_cast<int64_t>(length), 0);
  } else if (real) {
    const double length = std::ceil((to - from) / by);
    if (!(length < 9e18)) return call.refuse(Msg::beyond_int64);
    count = std::max<int64_t>(static_cast<int64_t>(length), 0);
  } else {
    const int64_t a = *as_integer(start), b = *as_integer(end), s = *as_integer(step);
    const auto span = a == INT64_MIN ? std::nullopt : checked_add(b, -a);
    if (!span) return call.refuse(Msg::beyond_int64);
    count = *span / s + (*span % s != 0 ? 1 : 0);
  }
  const Layout layout = fresh_layout(call, {count}, dtype);
  if (call.failed()) return {};
  call.why(Msg::arange_headline, {count, to_string(start), to_string(step), name(dtype)});
  if (real && whole)
    return call.fresh(dtype, layout, integer_range(static_cast<int64_t>(from), static_cast<int64_t>(by), dtype, count));
  return call.fresh(
      dtype, layout,
      real ? real_range(from, by, dtype, count) : integer_range(*as_integer(start), *as_integer(step), dtype, count));
}

/// Rows and columns of a triangle, as two rows.
Value triangle_indices_row(Call& call) {
  const int64_t rows = call.integer("row"), columns = call.integer("col"), shift = call.integer("offset");
  const DType dtype = call.dtype("dtype").value_or(DType::int64);
  if (rows < 0 || columns < 0)
    return call.fail("RuntimeError",
                     rows < 0 ? "row must be non-negative, got" + std::to_string(rows)
                              : "col must be non-negative, got" + std::to_string(columns),
                     Msg::negative_size, {std::min(rows, columns), "row"});
  if (rows > max_listed || columns > max_listed || rows * columns > max_listed)
    return call.refuse(Msg::too_many_items, {max_listed});
  const bool lower = call.name().ends_with("tril_indices");
  std::vector<Scalar> first, second;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      if (lower ? c - r <= shift : c - r >= shift)
        first.push_back(integer_scalar(r, dtype)), second.push_back(integer_scalar(c, dtype));
  const auto count = static_cast<int64_t>(first.size());
  first.insert(first.end(), second.begin(), second.end());
  const Layout layout = contiguous({2, count});
  call.why(Msg::fresh_headline, {2 * count, name(dtype), to_string(layout)});
  return call.fresh(dtype, layout, literal_contents(first, dtype));
}

Value eye_row(Call& call) {
  const int64_t n = call.integer("n"), m = call.given("m") ? call.integer("m") : n;
  const DType dtype = call.dtype("dtype").value_or(call.default_dtype());
  if (n < 0)
    return call.about("n").fail("RuntimeError", {"n must be greater or equal to 0, got ", n}, Msg::negative_size,
                                {n, "n"});
  if (m < 0)
    return call.about("m").fail("RuntimeError", {"m must be greater or equal to 0, got ", m}, Msg::negative_size,
                                {m, "m"});
  const Layout layout = fresh_layout(call, {n, m}, dtype);
  if (call.failed() || !has_range_kernel(call, "eye", dtype)) return {};
  const int64_t count = n * m, ones = std::min(n, m);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  const ContentsPtr zeros = constant_contents(converted({DType::int64}, dtype), count),
                    one = constant_contents(integer_scalar(1, dtype), 1);
  const int64_t bytes = itemsize(dtype);
  if (ones == 0) return call.fresh(dtype, layout, zeros);
  return call.fresh(dtype, layout,
                    patch(zeros, {zeros, {{ones}, {(m + 1) * bytes}, 0}, dtype}, {one, {{ones}, {0}, 0}, dtype}));
}

Value linspace_row(Call& call) {
  const int64_t steps = call.integer("steps");
  std::string ranks;
  std::complex<double> ends[2];
  bool complex = false;
  for (const char* part : {"start", "end"}) {
    const Value& value = call.value(part);
    const TensorPtr tensor = tensor_of(value);
    if (tensor && tensor->layout.rank() > 0) {
      ranks += std::string(ranks.empty() ? "" : " and ") + part + " with " + std::to_string(tensor->layout.rank()) +
               " dimension(s)";
      continue;
    }
    const Scalar held = tensor ? element(elements_of(*tensor), 0) : Scalar{};
    const auto* pair = std::get_if<ComplexFloat>(&value.held);
    complex |= pair || (tensor && is_complex(tensor->dtype));
    ends[part[0] == 'e'] = pair     ? std::complex<double>(*pair)
                           : tensor ? std::complex<double>(as_real(held), held.imaginary)
                                    : std::complex<double>(as_real(value).value_or(0));
  }
  if (!ranks.empty())
    return call.fail("RuntimeError",
                     {"linspace only supports 0-dimensional start and end tensors, but got ", ranks, "."},
                     Msg::fill_needs_scalar, {1});
  double start = ends[0].real(), end = ends[1].real();
  const DType dtype = call.dtype("dtype").value_or(complex ? complex_of(call.default_dtype()) : call.default_dtype());
  if (steps < 0)
    return call.about("steps").fail("RuntimeError", "number of steps must be non-negative", Msg::negative_size,
                                    {steps, "steps"});
  const Layout layout = fresh_layout(call, {steps}, dtype);
  if (call.failed() || (steps > 1 && !has_range_kernel(call, "linspace_cpu", dtype))) return {};
  if (steps > 1 && dtype == DType::boolean) return no_kernel(call, "linspace_cpu", dtype);
  if (steps > 0 && is_integer(dtype)) {
    // The ends are made elements first.
    if (!holds_number(call, call.value("start"), dtype) || (steps > 1 && !holds_number(call, call.value("end"), dtype)))
      return {};
    start = as_real(converted(real_scalar(start, DType::float64), dtype));
    end = as_real(converted(real_scalar(end, DType::float64), dtype));
  }
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  if (is_complex(dtype)) {
    if (steps > small_cells) return call.refuse(Msg::too_many_indices, {steps, small_cells});
    const std::complex<double> by = steps > 1 ? (ends[1] - ends[0]) / static_cast<double>(steps - 1) : 0;
    std::vector<Scalar> values;
    for (int64_t i = 0; i < steps; ++i) {
      const std::complex<double> value = ends[0] + by * static_cast<double>(i);
      values.push_back({DType::complex128, 0, value.real(), value.imag()});
    }
    call.why(Msg::fresh_headline, {steps, name(dtype), to_string(layout)});
    return call.fresh(dtype, layout, literal_contents(values, dtype));
  }
  call.why(Msg::arange_headline, {steps, to_string(Value{start}), to_string(Value{step}), name(dtype)});
  if (is_floating(dtype) && steps > 1 && steps <= small_cells) {
    // The step is rounded to the dtype; processors multiply and add at once, but of half precision. The second half
    // counts from the end.
    const auto round = [&](double value) { return rounded_to(dtype, value); };
    const Precision rounded{dtype};
    const double from = round(start), to = round(end), by = round(round(to - from) / static_cast<double>(steps - 1));
    std::vector<Scalar> values;
    for (int64_t i = 0; i < steps; ++i) {
      const double count = static_cast<double>(i < steps / 2 ? i : i + 1 - steps),
                   end_of_half = i < steps / 2 ? from : to;
      const double value =
          itemsize(dtype) == 2 ? end_of_half + round(by * count) : rounded.fused(by, count, end_of_half);
      values.push_back(real_scalar(value, dtype));
    }
    return call.fresh(dtype, layout, literal_contents(values, dtype));
  }
  return call.fresh(dtype, layout, real_range(start, step, dtype, steps));
}

}  // namespace

std::span<const Op> torch_range_rows() {
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static constexpr Op rows[] = {
      {Library::torch, "torch.arange(end: number, *, " OPTIONS ")", Msg::op_arange, "element i is i, for i < end",
       "x = torch.arange(12)",
       [](Call& call) { return arange(call, Value{int64_t{0}}, call.value("end"), Value{int64_t{1}}); }},
      {Library::torch, "torch.arange(start: number, end: number, step: number = 1, *, " OPTIONS ")", Msg::op_arange,
       "element i is start + i * step, while before end", "x = torch.arange(1, 13, 2)",
       [](Call& call) { return arange(call, call.value("start"), call.value("end"), call.value("step")); }},
      {Library::torch, "torch.eye(n: int, *, " OPTIONS ")", Msg::op_eye, "1 where row == column", "x = torch.eye(3)",
       eye_row},
      {Library::torch, "torch.eye(n: int, m: int, *, " OPTIONS ")", Msg::op_eye, "1 where row == column",
       "x = torch.eye(2, 3)", eye_row},
      {Library::torch, "torch.linspace(start: number | tensor, end: number | tensor, steps: int, *, " OPTIONS ")",
       Msg::op_linspace, "element i is start + i * (end - start) / (steps - 1)", "x = torch.linspace(0, 1, 5)",
       linspace_row},
      {Library::torch,
       "torch.tril_indices(row: int, col: int, offset: int = 0, *, " OPTIONS
       ")\ntorch.triu_indices(row: int, col: int, offset: int = 0, *, " OPTIONS ")",
       Msg::op_triangle_indices, "row 0: the rows, row 1: the columns, of a triangle's elements",
       "x = torch.tril_indices(3, 3)", triangle_indices_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope
