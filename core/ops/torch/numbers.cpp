// What PyTorch's parser reads in a number of Python's or NumPy's, and whether a dtype holds it (at::Scalar).
#include <cmath>
#include <complex>

#include "ops/fold.h"
#include "ops/number.h"
#include "ops/python/python.h"
#include "ops/torch/torch.h"

namespace stridescope {

std::pair<double, double> bounds_of(DType dtype) {
  if (dtype == DType::float16) return {-65504.0, 65504.0};
  if (dtype == DType::bfloat16) return {-3.3895313892515355e38, 3.3895313892515355e38};
  if (dtype == DType::float32) return {-3.4028234663852886e38, 3.4028234663852886e38};
  if (is_floating(dtype)) return {-1.7976931348623157e308, 1.7976931348623157e308};
  const int bits = dtype == DType::boolean ? 1 : 8 * itemsize(dtype);
  return dtype == DType::boolean || is_unsigned(dtype) ? std::pair{0.0, std::exp2(bits) - 1}
                                                       : std::pair{-std::exp2(bits - 1), std::exp2(bits - 1) - 1};
}

Value parsed_number(const Value& value) {
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  if (!scalar) return value;
  const DType dtype = scalar->dtype();
  if (dtype == DType::complex128 || is_integer(dtype)) return python_value(scalar->value());
  return {dtype == DType::boolean ? static_cast<double>(scalar->value().integer) : scalar->value().real};
}

std::optional<Scalar> scalar_of(const Value& value) {
  const Value plain = parsed_number(value);
  if (const auto* real = std::get_if<Float>(&plain.held)) return real_scalar(*real, DType::float64);
  if (const auto* pair = std::get_if<ComplexFloat>(&plain.held))
    return Scalar{DType::complex128, 0, pair->real(), pair->imag()};
  if (const auto* truth = std::get_if<bool>(&plain.held)) return integer_scalar(*truth ? 1 : 0, DType::boolean);
  if (const auto* integer = std::get_if<int64_t>(&plain.held)) return integer_scalar(*integer, DType::int64);
  return std::nullopt;
}

Scalar number_of(const Value& value) { return scalar_of(value).value_or(integer_scalar(0, DType::int64)); }

Value number_in(const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  return tensor && tensor->library == Library::torch && tensor->layout.rank() == 0
             ? python_value(element(elements_of(*tensor), 0))
             : value;
}

namespace {

/// The dtype as ATen names the C++ type of a number.
std::string number_name(DType dtype) {
  if (dtype == DType::float16) return "at::Half";
  if (dtype == DType::bfloat16) return "at::BFloat16";
  if (dtype == DType::float32 || dtype == DType::float64) return dtype == DType::float32 ? "float" : "double";
  if (dtype == DType::complex64) return "c10::complex<float>";
  return dtype == DType::int32 ? "int" : std::string(name(dtype)) + "_t";
}

}  // namespace

bool holds_number(Call& call, const Value& number, DType dtype) {
  if (tensor_of(number) || dtype == DType::boolean || dtype == DType::complex128) return true;
  const bool pair = std::holds_alternative<ComplexFloat>(number.held);
  const auto* whole = std::get_if<int64_t>(&number.held);
  const auto real = pair ? std::optional(number_of(number).real) : as_real(number);
  if (!real) return true;
  auto [least, most] = bounds_of(dtype == DType::complex64 ? DType::float32 : dtype);
  if (whole && is_unsigned(dtype)) least = -most;
  const bool wide = dtype == DType::int64 && whole;
  const auto fits = [&, low = least, high = most](double part) {
    const bool infinite = !is_whole(dtype) && !(std::abs(part) < INFINITY);
    return wide || infinite || (part >= low && part <= high);  // as doubles: 2^63 is in int64
  };
  const double other = pair ? number_of(number).imaginary : 0;
  if (fits(*real) && (is_complex(dtype) ? fits(other) : other == 0)) return true;
  call.fail("RuntimeError", {"value cannot be converted to type ", number_name(dtype), " without overflow"},
            Msg::number_overflows, {to_string(number), name(dtype)});
  if (is_whole(dtype) && itemsize(dtype) < 8)
    call.hint(Msg::hint_number_dtype, {static_cast<int64_t>(least), static_cast<int64_t>(most)});
  return false;
}

}  // namespace stridescope
