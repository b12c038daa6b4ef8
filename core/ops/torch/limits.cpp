// What a dtype can hold: torch.iinfo and torch.finfo.
#include <cmath>
#include <limits>

#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value limits_facet(Call& call, const char* facet, DType dtype) {
  Tensor kind;
  kind.dtype = dtype;
  kind.layout = contiguous({0});
  kind.storage = std::make_shared<Storage>();
  kind.storage->contents = constant_contents({dtype}, 0);
  call.why(Msg::np_dtype_limits, {name(dtype)});
  call.relation(Relation::none);
  return {Facet{facet, std::make_shared<const Tensor>(std::move(kind))}};
}

/// The dtype that a facet is about, and which of its attributes is asked for.
std::pair<DType, std::string_view> asked_limit(Call& call) {
  return {std::get<Facet>(call.first().held).tensor->dtype, call.name().substr(call.name().rfind('.') + 1)};
}

Value iinfo_row(Call& call) {
  const DType dtype = *call.dtype("type");
  if (is_integer(dtype)) return limits_facet(call, "iinfo", dtype);
  if (dtype == DType::boolean)
    return call.fail("TypeError", "torch.bool is not supported by torch.iinfo", Msg::function_refuses,
                     {"iinfo", "bool"});
  return call.fail("TypeError", "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'",
                   Msg::function_refuses, {"iinfo", name(dtype)});
}

Value whole_limit(Call& call) {
  const auto [dtype, asked] = asked_limit(call);
  const int bits = itemsize(dtype) * 8;
  if (asked == "bits") return {int64_t{bits}};
  if (asked == "dtype") return {std::string(name(dtype))};
  if (asked == "min" && is_unsigned(dtype)) return {int64_t{0}};
  if (dtype == DType::uint64) return call.refuse(Msg::beyond_int64);
  const int64_t most = std::numeric_limits<int64_t>::max() >> (64 - bits);
  return {asked == "min" ? -most - 1 : is_unsigned(dtype) ? 2 * most + 1 : most};
}

Value finfo_row(Call& call) {
  const DType given = call.dtype("type").value_or(call.default_dtype());
  const DType dtype = given == DType::complex64 ? DType::float32 : given == DType::complex128 ? DType::float64 : given;
  if (is_floating(dtype)) return limits_facet(call, "finfo", dtype);
  return call.fail("TypeError",
                   "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'",
                   Msg::function_refuses, {"finfo", name(dtype)});
}

Value real_limit(Call& call) {
  const auto [dtype, asked] = asked_limit(call);
  if (asked == "bits") return {int64_t{itemsize(dtype) * 8}};
  if (asked == "dtype") return {std::string(name(dtype))};
  const bool wide = dtype == DType::float64, half = dtype == DType::float16, brain = dtype == DType::bfloat16;
  // Whole decimals, bits of the fraction, and the exponents of what is just too large.
  if (asked == "resolution") return {wide ? 1e-15 : half ? 1e-3 : brain ? 1e-2 : 1e-6};
  const int fraction = wide ? 52 : half ? 10 : brain ? 7 : 23, above = wide ? 1024 : half ? 16 : 128;
  const double eps = std::ldexp(1.0, -fraction), most = std::ldexp(1.0 - eps / 2, above);
  return {asked == "eps" ? eps : asked == "max" ? most : asked == "min" ? -most : std::ldexp(1.0, 2 - above)};
}

}  // namespace

std::span<const Op> torch_limits_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.iinfo(type: dtype)", Msg::op_np_limits, "", "i = torch.iinfo(torch.int8)", iinfo_row},
      {Library::torch, "x.iinfo().min\nx.iinfo().max\nx.iinfo().bits\nx.iinfo().dtype", Msg::op_np_limits,
       "max = 2 ** (bits - 1) - 1, min = -max - 1; without a sign max = 2 ** bits - 1, min = 0",
       "torch.iinfo(torch.int8).max", whole_limit},
      {Library::torch, "torch.finfo(type: dtype)\ntorch.finfo()", Msg::op_np_limits, "",
       "f = torch.finfo(torch.float32)", finfo_row},
      {Library::torch,
       "x.finfo().eps\nx.finfo().min\nx.finfo().max\nx.finfo().tiny\nx.finfo().smallest_normal\n"
       "x.finfo().resolution\nx.finfo().bits\nx.finfo().dtype",
       Msg::op_np_limits, "eps is the distance from 1 to the next number", "torch.finfo(torch.float32).eps",
       real_limit},
  };
  return rows;
}

}  // namespace stridescope
