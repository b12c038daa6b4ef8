#include "ops/dtype.h"

#include <cmath>
#include <limits>

namespace stridescope {
namespace {

enum class Kind : uint8_t { boolean, unsigned_, signed_, floating, complex, bytes };

struct Row {
  std::string_view name;
  int bytes;
  Kind kind;
};

/// In the order of DType.
constexpr Row all_dtypes[] = {
    {"bool", 1, Kind::boolean},     {"uint8", 1, Kind::unsigned_},   {"int8", 1, Kind::signed_},
    {"uint16", 2, Kind::unsigned_}, {"int16", 2, Kind::signed_},     {"uint32", 4, Kind::unsigned_},
    {"int32", 4, Kind::signed_},    {"uint64", 8, Kind::unsigned_},  {"int64", 8, Kind::signed_},
    {"float16", 2, Kind::floating}, {"bfloat16", 2, Kind::floating}, {"float32", 4, Kind::floating},
    {"float64", 8, Kind::floating}, {"complex64", 8, Kind::complex}, {"complex128", 16, Kind::complex},
    {"void", 1, Kind::bytes},
};
static_assert(std::size(all_dtypes) == static_cast<size_t>(DType::structured) + 1);

const Row& row(DType dtype) { return all_dtypes[static_cast<size_t>(dtype)]; }

/// A binary floating-point format: `digits` of significand (the hidden one counts), the exponent of its smallest
/// normal number, and where its bits lie.
struct Format {
  int digits;
  int lowest;
  int highest;  ///< exponent of its largest finite number
  int bits;
};
constexpr Format half{11, -14, 15, 16};
constexpr Format brain{8, -126, 127, 16};
constexpr Format single{24, -126, 127, 32};
constexpr uint64_t double_fraction = (uint64_t{1} << 52) - 1;
constexpr uint64_t double_infinity = uint64_t{0x7FF} << 52;

// __builtin_bit_cast below: libc++ 13 has no std::bit_cast.

/// Nearest representable, ties to even, too large to infinity.
double rounded(double value, const Format& format) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), format.lowest);
  const double ulp = std::ldexp(1.0, exponent - format.digits + 1);
  const double result = std::nearbyint(value / ulp) * ulp;
  if (std::fabs(result) >= std::ldexp(1.0, format.highest + 1))
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return result;
}

/// The pattern of a value that the format can represent. A NaN keeps the upper bits of its payload, so that copying
/// arbitrary bytes as floats does not alter them.
uint32_t encode(double value, const Format& format) {
  const int fraction_bits = format.digits - 1;
  const uint32_t sign = std::signbit(value) ? 1u << (format.bits - 1) : 0u;
  const uint32_t special = ((1u << (format.bits - 1)) - 1u) & ~((1u << fraction_bits) - 1u);
  if (std::isnan(value)) {
    const auto payload = (__builtin_bit_cast(uint64_t, value) & double_fraction) >> (52 - fraction_bits);
    return sign | special | (payload != 0 ? static_cast<uint32_t>(payload) : 1u << (fraction_bits - 1));
  }
  if (std::isinf(value)) return sign | special;
  if (value == 0) return sign;
  const int exponent = std::ilogb(value);
  const double magnitude = std::fabs(value);
  if (exponent < format.lowest)
    return sign | static_cast<uint32_t>(std::ldexp(magnitude, fraction_bits - format.lowest));
  const auto significand = static_cast<uint32_t>(std::ldexp(magnitude, fraction_bits - exponent));
  const auto biased = static_cast<uint32_t>(exponent - format.lowest + 1);
  return sign | (biased << fraction_bits) | (significand & ((1u << fraction_bits) - 1u));
}

double decode(uint32_t pattern, const Format& format) {
  const int fraction_bits = format.digits - 1;
  const bool negative = (pattern >> (format.bits - 1)) != 0;
  const uint32_t fraction = pattern & ((1u << fraction_bits) - 1u);
  const int biased = static_cast<int>((pattern & ((1u << (format.bits - 1)) - 1u)) >> fraction_bits);
  if (biased == (1 << (format.bits - format.digits)) - 1)
    return __builtin_bit_cast(double,
                              uint64_t{negative} << 63 | double_infinity | uint64_t{fraction} << (52 - fraction_bits));
  const double magnitude =
      biased == 0 ? std::ldexp(fraction, format.lowest - fraction_bits)
                  : std::ldexp(fraction + (1u << fraction_bits), biased - 1 + format.lowest - fraction_bits);
  return negative ? -magnitude : magnitude;
}

/// A double as a float of `dtype` holds it; a complex's parts are floats of half its size.
double rounded(double value, DType dtype) {
  switch (dtype) {
    case DType::float16: return rounded(value, half);
    case DType::bfloat16: return rounded(value, brain);
    case DType::float32:
    case DType::complex64: return static_cast<double>(static_cast<float>(value));
    default: return value;
  }
}

/// Keeps the low bits an integer of `dtype` has, sign-extended where it has a sign.
int64_t wrapped(int64_t value, DType dtype) {
  switch (dtype) {
    case DType::uint8: return static_cast<uint8_t>(value);
    case DType::int8: return static_cast<int8_t>(value);
    case DType::uint16: return static_cast<uint16_t>(value);
    case DType::int16: return static_cast<int16_t>(value);
    case DType::uint32: return static_cast<uint32_t>(value);
    case DType::int32: return static_cast<int32_t>(value);
    default: return value;
  }
}

/// What cvttsd2si gives: truncation, and the lowest int64 for all that does not fit.
int64_t truncated(double value, DType dtype) {
  constexpr double limit = 9223372036854775808.0, limit32 = 2147483648.0;
  // What no int32 holds, the processor makes its least number.
  if (dtype == DType::int32 && !(value > -limit32 - 1 && value < limit32)) return std::numeric_limits<int32_t>::min();
  if (value >= -limit && value < limit) return static_cast<int64_t>(value);
  // Of what an uint64 may hold the upper half is converted less 2^63, and that added again.
  if (dtype == DType::uint64 && value >= limit)
    return value < 2 * limit ? static_cast<int64_t>(static_cast<uint64_t>(value)) : 0;
  return std::numeric_limits<int64_t>::min();
}

uint64_t load(const ElementBytes& bytes, int from, int count) {
  uint64_t pattern = 0;
  for (int i = count - 1; i >= 0; --i) pattern = pattern << 8 | bytes[static_cast<size_t>(from + i)];
  return pattern;
}

void store(ElementBytes& bytes, int from, int count, uint64_t pattern) {
  for (int i = 0; i < count; ++i, pattern >>= 8) bytes[static_cast<size_t>(from + i)] = static_cast<uint8_t>(pattern);
}

}  // namespace

int itemsize(DType dtype) { return row(dtype).bytes; }
std::string_view name(DType dtype) { return row(dtype).name; }

std::optional<DType> dtype_named(std::string_view name) {
  for (size_t i = 0; i < std::size(all_dtypes); ++i)
    if (all_dtypes[i].name == name && all_dtypes[i].kind != Kind::bytes) return static_cast<DType>(i);
  return std::nullopt;
}

bool is_unsigned(DType dtype) { return row(dtype).kind == Kind::unsigned_; }
bool is_integer(DType dtype) { return row(dtype).kind == Kind::unsigned_ || row(dtype).kind == Kind::signed_; }
bool is_floating(DType dtype) { return row(dtype).kind == Kind::floating; }
DType complex_of(DType dtype) { return dtype == DType::float64 ? DType::complex128 : DType::complex64; }
DType real_of(DType dtype) {
  return dtype == DType::complex64 ? DType::float32 : dtype == DType::complex128 ? DType::float64 : dtype;
}
bool is_complex(DType dtype) { return row(dtype).kind == Kind::complex; }

Scalar integer_scalar(int64_t value, DType dtype) { return converted({DType::int64, value}, dtype); }
Scalar real_scalar(double value, DType dtype) { return converted({DType::float64, 0, value}, dtype); }

double as_real(const Scalar& value) {
  if (is_floating(value.dtype) || is_complex(value.dtype)) return value.real;
  if (value.dtype == DType::uint64) return static_cast<double>(static_cast<uint64_t>(value.integer));
  return static_cast<double>(value.integer);
}

double rounded_to(DType dtype, double value) { return as_real(real_scalar(value, dtype)); }

double in_range(DType dtype, double value) {
  const double held = rounded_to(dtype, value);
  return std::isinf(held) || held == 0 ? held : value;
}

bool is_nan(const Scalar& value) { return std::isnan(value.real) || std::isnan(value.imaginary); }

bool is_true(const Scalar& value) { return value.integer != 0 || value.real != 0 || value.imaginary != 0; }

Scalar converted(const Scalar& value, DType dtype) {
  if (value.dtype == dtype) return value;
  Scalar result{dtype};
  const bool from_real = is_floating(value.dtype) || is_complex(value.dtype);
  if (dtype == DType::boolean) {
    result.integer = is_true(value) ? 1 : 0;
  } else if (is_integer(dtype)) {
    result.integer = wrapped(from_real ? truncated(value.real, dtype) : value.integer, dtype);
  } else {
    result.real = rounded(as_real(value), dtype);
    if (is_complex(dtype)) result.imaginary = rounded(value.imaginary, dtype);
  }
  return result;
}

ElementBytes to_bytes(const Scalar& value) {
  ElementBytes bytes{};
  switch (value.dtype) {
    case DType::float16: store(bytes, 0, 2, encode(value.real, half)); break;
    case DType::bfloat16: store(bytes, 0, 2, encode(value.real, brain)); break;
    case DType::complex64: store(bytes, 4, 4, encode(value.imaginary, single)); [[fallthrough]];
    case DType::float32: store(bytes, 0, 4, encode(value.real, single)); break;
    case DType::complex128: store(bytes, 8, 8, __builtin_bit_cast(uint64_t, value.imaginary)); [[fallthrough]];
    case DType::float64: store(bytes, 0, 8, __builtin_bit_cast(uint64_t, value.real)); break;
    default: store(bytes, 0, itemsize(value.dtype), static_cast<uint64_t>(value.integer));
  }
  return bytes;
}

ElementBytes turned_bytes(const ElementBytes& bytes, DType dtype) {
  const int size = itemsize(dtype), part = is_complex(dtype) ? size / 2 : size;
  ElementBytes turned{};
  for (int b = 0; b < size; ++b)
    turned[static_cast<size_t>(b / part * part + part - 1 - b % part)] = bytes[static_cast<size_t>(b)];
  return turned;
}

ElementBytes turned_bytes(const Scalar& value) { return turned_bytes(to_bytes(value), value.dtype); }

Scalar from_bytes(const ElementBytes& bytes, DType dtype) {
  Scalar value{dtype};
  const auto real = [&](int from, const Format& format) {
    return decode(static_cast<uint32_t>(load(bytes, from, format.bits / 8)), format);
  };
  const auto real64 = [&](int from) { return __builtin_bit_cast(double, load(bytes, from, 8)); };
  switch (dtype) {
    case DType::float16: value.real = real(0, half); break;
    case DType::bfloat16: value.real = real(0, brain); break;
    case DType::complex64: value.imaginary = real(4, single); [[fallthrough]];
    case DType::float32: value.real = real(0, single); break;
    case DType::complex128: value.imaginary = real64(8); [[fallthrough]];
    case DType::float64: value.real = real64(0); break;
    case DType::boolean: value.integer = bytes[0] != 0 ? 1 : 0; break;
    default: value.integer = wrapped(static_cast<int64_t>(load(bytes, 0, itemsize(dtype))), dtype);
  }
  return value;
}

}  // namespace stridescope
