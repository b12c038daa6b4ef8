// Element types of both libraries.
#pragma once
#include <cstdint>
#include <string_view>

namespace stridescope {

enum class Library : uint8_t { torch, numpy };

enum class DType : uint8_t { boolean, uint8, int8, uint16, int16, uint32, int32, uint64, int64, float16, bfloat16, float32, float64, complex64, complex128 };

/// Bytes per element.
int itemsize(DType dtype);
/// "int64", "bool": as both libraries print it (without "torch.").
std::string_view name(DType dtype);

/// One element's value. Integers and bools are in `integer`, floats in `real` (and `imaginary`).
struct Scalar {
  DType dtype = DType::int64;
  int64_t integer = 0;
  double real = 0;
  double imaginary = 0;
};

}  // namespace stridescope
