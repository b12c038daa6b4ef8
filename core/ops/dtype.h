// Element types of both libraries, and one element's value.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stridescope {

enum class Library : uint8_t { torch, numpy };

enum class DType : uint8_t {
  boolean,
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
  structured,  ///< no number: bytes of a structure or a string (structure.h), which knows how many; alone it counts one
};

/// Bytes per element.
int itemsize(DType dtype);
/// "int64", "bool": as both libraries print it (without "torch.").
std::string_view name(DType dtype);
/// The inverse of name; nothing for an unknown one, nor for a structure's.
std::optional<DType> dtype_named(std::string_view name);
bool is_unsigned(DType dtype);  ///< of the integers; bool is none of them
bool is_integer(DType dtype);   ///< signed or unsigned; bool is not
bool is_floating(DType dtype);  ///< real floating point
bool is_complex(DType dtype);
/// Of a real floating dtype that of pairs of it; complex64 of half precision, for which there is none here.
DType complex_of(DType dtype);
/// Of a complex dtype that of its two parts; any other as it is.
DType real_of(DType dtype);

/// One element's value. Integers and bools are in `integer` (uint64 as its bit pattern), floats in `real` (and
/// `imaginary`), already rounded to what the dtype can hold.
struct Scalar {
  DType dtype = DType::int64;
  int64_t integer = 0;
  double real = 0;
  double imaginary = 0;
};

/// A value from a Python number, converted as `converted` does.
Scalar integer_scalar(int64_t value, DType dtype);
Scalar real_scalar(double value, DType dtype);

/// The value as another dtype: integers wrap, floats become integers by truncation (out of range as x86 does) and
/// narrower floats by rounding to nearest even, complex loses its imaginary part, anything but 0 is True.
Scalar converted(const Scalar& value, DType dtype);
/// As a double, whatever the dtype; the real part of a complex.
double as_real(const Scalar& value);
/// What is left of a real number in that dtype.
double rounded_to(DType dtype, double value);
/// The number itself; infinite, or 0, where it is beyond what the dtype holds.
double in_range(DType dtype, double value);
/// Of a complex either part.
bool is_nan(const Scalar& value);
/// Not zero.
bool is_true(const Scalar& value);

/// The bytes of one element in memory, little endian; those beyond the item size are 0.
using ElementBytes = std::array<uint8_t, 16>;
ElementBytes to_bytes(const Scalar& value);
/// The same in the other order, those of a complex in each of its parts; and back.
ElementBytes turned_bytes(const Scalar& value);
ElementBytes turned_bytes(const ElementBytes& bytes, DType dtype);
Scalar from_bytes(const ElementBytes& bytes, DType dtype);

}  // namespace stridescope
