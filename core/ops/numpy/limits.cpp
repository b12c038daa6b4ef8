// What a dtype can hold, and what Python values are to NumPy.
#include <cmath>
#include <limits>

#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Bits of the fraction, and the exponent of what is just too large.
std::pair<int, int> parts_of_floating(DType dtype) {
  return dtype == DType::float64   ? std::pair(52, 1024)
         : dtype == DType::float32 ? std::pair(23, 128)
                                   : std::pair(10, 16);
}

/// The dtype that iinfo and finfo are asked about: one that is named, or that of a number.
std::optional<DType> asked_dtype(const Value& value) {
  if (std::holds_alternative<None>(value.held)) return DType::float64;
  if (std::holds_alternative<int64_t>(value.held)) return DType::int64;
  if (std::holds_alternative<Float>(value.held)) return DType::float64;
  return tensor_of(value) ? std::nullopt : numpy_dtype(value);
}

Value limits_of(Call& call, const char* facet, DType dtype) {
  Tensor kind;
  kind.library = Library::numpy;
  kind.dtype = dtype;
  kind.layout.sizes = {0};
  kind.layout.strides = {itemsize(dtype)};
  kind.storage = std::make_shared<Storage>();
  kind.storage->contents = constant_contents({dtype}, 0);
  call.why(Msg::np_dtype_limits, {name(dtype)});
  call.relation(Relation::none);
  return {Facet{facet, std::make_shared<const Tensor>(std::move(kind))}};
}

DType dtype_of_facet(Call& call) { return std::get<Facet>(call.first().held).tensor->dtype; }

Value iinfo(Call& call) {
  const Value& type = call.value("int_type");
  const auto dtype = asked_dtype(type);
  if (dtype && is_integer(*dtype)) return limits_of(call, "iinfo", *dtype);
  const TensorPtr array = tensor_of(type);
  if (!dtype && !(array && array->library == Library::numpy))
    return call.about("int_type").refuse(Msg::not_modelled, {"NumPy", "np.iinfo(" + to_string(type, 40) + ")"});
  const char* code = !dtype ? "O" : *dtype == DType::boolean ? "b" : is_complex(*dtype) ? "c" : "f";
  return call.about("int_type")
      .fail("ValueError", {"Invalid integer data type '", code, "'."}, Msg::np_not_an_integer,
            {dtype ? name(*dtype) : "ndarray"});
}

Value integer_limit(Call& call) {
  const DType dtype = dtype_of_facet(call);
  const int bits = itemsize(dtype) * 8;
  const std::string_view asked = call.name().substr(call.name().rfind('.') + 1);
  if (asked == "bits") return {int64_t{bits}};
  if (asked == "dtype") return dtype_object(dtype);
  if (asked == "kind") return {std::string(is_unsigned(dtype) ? "u" : "i")};
  if (asked == "key") return {(is_unsigned(dtype) ? "u" : "i") + std::to_string(bits)};
  if (asked == "min" && is_unsigned(dtype)) return {int64_t{0}};
  if (dtype == DType::uint64) return call.refuse(Msg::beyond_int64);
  const int64_t most = std::numeric_limits<int64_t>::max() >> (64 - bits);
  return {asked == "min" ? -most - 1 : is_unsigned(dtype) ? 2 * most + 1 : most};
}

Value finfo(Call& call) {
  const Value& type = call.value("dtype");
  auto dtype = asked_dtype(type);
  if (!dtype) return call.about("dtype").refuse(Msg::not_modelled, {"NumPy", "np.finfo(" + to_string(type, 40) + ")"});
  if (dtype == DType::complex64) dtype = DType::float32;
  if (dtype == DType::complex128) dtype = DType::float64;
  if (is_floating(*dtype)) return limits_of(call, "finfo", *dtype);
  return call.about("dtype").fail("ValueError", {"data type <class 'numpy.", name(*dtype), "'> not inexact"},
                                  Msg::np_not_floating, {name(*dtype)});
}

Value floating_limit(Call& call) {
  const DType dtype = dtype_of_facet(call);
  const std::string_view asked = call.name().substr(call.name().rfind('.') + 1);
  if (asked == "bits") return {int64_t{itemsize(dtype) * 8}};
  if (asked == "dtype") return dtype_object(dtype);
  const auto [fraction, above] = parts_of_floating(dtype);
  const int bits = itemsize(dtype) * 8, precision = fraction * 30103 / 100000;
  if (asked == "nmant") return {int64_t{fraction}};
  if (asked == "nexp") return {int64_t{bits - 1 - fraction}};
  if (asked == "precision") return {int64_t{precision}};
  if (asked == "maxexp") return {int64_t{above}};
  if (asked == "minexp") return {int64_t{2 - above}};
  if (asked == "machep") return {int64_t{-fraction}};
  if (asked == "negep") return {int64_t{-fraction - 1}};
  if (asked == "iexp") return {int64_t{bits - 1 - fraction}};
  const double eps = std::ldexp(1.0, -fraction), most = largest_number(dtype), tiny = std::ldexp(1.0, 2 - above);
  const double value = asked == "eps"                  ? eps
                       : asked == "epsneg"             ? eps / 2
                       : asked == "resolution"         ? 1 / std::pow(10.0, precision)
                       : asked == "max"                ? most
                       : asked == "min"                ? -most
                       : asked == "smallest_subnormal" ? tiny * eps
                                                       : tiny;
  return {NumpyScalar{real_scalar(value, dtype)}};
}

Value isscalar(Call& call) {
  const Value& element = call.value("element");
  return {std::holds_alternative<NumpyScalar>(element.held) || std::holds_alternative<std::string>(element.held) ||
          is_bytes(element) || (tensor_of(element) && tensor_of(element)->is_element) ||
          (!tensor_of(element) && (as_real(element) || std::holds_alternative<ComplexFloat>(element.held)))};
}

Value iterable(Call& call) {
  const Value& y = call.value("y");
  const TensorPtr tensor = tensor_of(y);
  return {tensor ? tensor->layout.rank() > 0 : python_items(y) || is_flat(y) || walked_elsewhere(y)};
}

}  // namespace

double largest_number(DType dtype) {
  const auto [fraction, above] = parts_of_floating(dtype);
  return std::ldexp(1.0 - std::ldexp(1.0, -fraction - 1), above);
}

std::span<const Op> numpy_limits_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.iinfo(int_type)", Msg::op_np_limits, "", "i = np.iinfo(np.int8)", iinfo},
      {Library::numpy, "x.iinfo().min\nx.iinfo().max\nx.iinfo().bits\nx.iinfo().dtype\nx.iinfo().kind\nx.iinfo().key",
       Msg::op_np_limits, "max = 2 ** (bits - 1) - 1, min = -max - 1; without a sign max = 2 ** bits - 1, min = 0",
       "np.iinfo(np.int8).max", integer_limit},
      {Library::numpy, "np.finfo(dtype)", Msg::op_np_limits, "", "f = np.finfo(np.float32)", finfo},
      {Library::numpy,
       "x.finfo().eps\nx.finfo().min\nx.finfo().max\nx.finfo().tiny\nx.finfo().smallest_normal\n"
       "x.finfo().smallest_subnormal\nx.finfo().epsneg\nx.finfo().resolution\nx.finfo().precision\nx.finfo().nmant\n"
       "x.finfo().nexp\nx.finfo().iexp\nx.finfo().maxexp\nx.finfo().minexp\nx.finfo().machep\nx.finfo().negep\n"
       "x.finfo().bits\nx.finfo().dtype",
       Msg::op_np_limits, "eps is the distance from 1 to the next number", "np.finfo(np.float32).eps", floating_limit},
      {Library::numpy, "np.isscalar(element)", Msg::op_np_isscalar, "", "np.isscalar(np.float32(3))", isscalar,
       Op::Structured::elements},
      {Library::numpy, "np.iterable(y)", Msg::op_np_iterable, "", "np.iterable(np.arange(3))", iterable,
       Op::Structured::elements},
  };
  return rows;
}

}  // namespace stridescope
