// Whether numbers are nearly equal: isclose.
#include <array>

#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

constexpr int64_t most_close = 1 << 16;

/// Both operands as the library compares them, whole numbers as float32, under common sizes.
struct Pair {
  Tensor a, b;
  Dims sizes;
  DType dtype = DType::float32;  ///< each step is reckoned in what it works in, and rounded to it
  DType size = DType::float32;   ///< of what has no sign, nor a direction

  Elements seen(const Tensor& tensor) const {
    Elements elements = elements_of(tensor);
    elements.layout = expand(elements.layout, sizes);
    return elements;
  }
};

std::optional<Pair> compared(Call& call) {
  const Tensor &a = call.self(), &b = *call.tensor("other")->tensor;
  for (const char* parameter : {"rtol", "atol"})
    if (const TensorPtr given = tensor_of(call.value(parameter));
        given && is_complex(given->dtype) && element(elements_of(*given), 0).imaginary != 0) {
      call.about(parameter).fail("RuntimeError", "value cannot be converted to type double without overflow",
                                 Msg::number_overflows, {to_string(call.value(parameter)), name(DType::float64)});
      return std::nullopt;
    }
  if (a.dtype != b.dtype) {
    call.about("other").fail("RuntimeError", {scalar_type_name(a.dtype), " did not match ", scalar_type_name(b.dtype)},
                             Msg::dtypes_differ, {name(a.dtype), name(b.dtype)});
    return std::nullopt;
  }
  for (const char* parameter : {"rtol", "atol"})
    if (const Value& given = call.value(parameter); !(*as_real(given) >= 0)) {
      call.about(parameter).fail("RuntimeError",
                                 {parameter, " must be greater than or equal to zero, but got ", to_string(given)},
                                 Msg::at_least, {parameter, 0});
      return std::nullopt;
    }
  const auto sizes = broadcast_sizes(call, a.layout.sizes, b.layout.sizes);
  if (!sizes) return std::nullopt;
  // Where a is NaN is written over by where both are.
  const bool whole = !is_floating(a.dtype) && !is_complex(a.dtype);
  if (call.boolean("equal_nan") && !whole && !fits_in_place(call, a, *sizes)) return std::nullopt;
  const DType dtype = whole ? DType::float32 : a.dtype;
  return Pair{a, b, *sizes, dtype, is_complex(dtype) ? real_of(dtype) : dtype};
}

/// |a - b| <= atol + |rtol * b|, or equal; row by row.
ContentsPtr closeness(Call& call, const Pair& pair) {
  const DType working = working_dtype(pair.dtype), real = working_dtype(pair.size);
  const auto made = [&](Arithmetic op, std::vector<Elements> operands, DType common, DType dtype) {
    return Elements{elementwise(op, operands, common, dtype), contiguous(pair.sizes, itemsize(dtype)), dtype};
  };
  const auto asked = [&](Arithmetic op, std::vector<Elements> operands, DType common) {
    return made(op, std::move(operands), common, DType::boolean);
  };
  const auto number = [&](const char* parameter) {
    return Elements{constant_contents(real_scalar(call.real(parameter), real), 1), expand(Layout{}, pair.sizes), real};
  };
  const Elements a = pair.seen(pair.a), b = pair.seen(pair.b);
  Elements close = asked(Arithmetic::equal, {a, b}, pair.a.dtype);
  if (call.boolean("equal_nan") && (is_floating(pair.a.dtype) || is_complex(pair.a.dtype))) {
    const Elements both =
        asked(Arithmetic::logical_and,
              {asked(Arithmetic::is_nan, {a}, pair.dtype), asked(Arithmetic::is_nan, {b}, pair.dtype)}, DType::boolean);
    close = asked(Arithmetic::logical_or, {close, both}, DType::boolean);
  }
  if (call.real("rtol") == 0 && call.real("atol") == 0) return close.contents;
  const auto length_of = [&](Arithmetic op, std::vector<Elements> operands) {
    return made(Arithmetic::absolute, {made(op, std::move(operands), working, pair.dtype)}, working, pair.size);
  };
  const Elements allowed =
      made(Arithmetic::add, {number("atol"), length_of(Arithmetic::multiply, {number("rtol"), b})}, real, pair.size);
  const Elements off = length_of(Arithmetic::subtract, {a, b});
  const Elements near =
      asked(Arithmetic::logical_and,
            {asked(Arithmetic::is_finite, {off}, pair.size), asked(Arithmetic::less_equal, {off, allowed}, pair.size)},
            DType::boolean);
  return asked(Arithmetic::logical_or, {close, near}, DType::boolean).contents;
}

Value isclose_row(Call& call) {
  const auto pair = compared(call);
  if (!pair) return {};
  std::array layouts{pair->a.layout, pair->b.layout};
  for (Layout& layout : layouts) layout = as_operand(layout, pair->sizes);
  const bool alike = pair->a.layout.sizes == pair->sizes && pair->b.layout.sizes == pair->sizes;
  const Layout layout{pair->sizes, iterator_strides(pair->sizes, layouts, alike), 0};
  const ContentsPtr contents = closeness(call, *pair);
  if (!contents) return call.refuse(Msg::too_costly);
  if (call.made_up()) return call.fresh(DType::boolean, layout, unknown_contents(DType::boolean, *numel(pair->sizes)));
  call.why(Msg::isclose_headline);
  return call.gathered(layout, DType::boolean, [&](const Dims& order) {
    return gather({contents, permute(contiguous(pair->sizes), order), DType::boolean}, DType::boolean);
  });
}

/// Whether all are.
Value allclose_row(Call& call) {
  const auto pair = compared(call);
  if (!pair) return {};
  const int64_t count = *numel(pair->sizes);
  if (count > most_close) return call.refuse(Msg::too_many_summed, {count, most_close});
  const ContentsPtr contents = closeness(call, *pair);
  if (!contents) return call.refuse(Msg::too_costly);
  const Elements close{contents, contiguous(pair->sizes), DType::boolean};
  if (!call.quick(close, count)) return {};
  for (int64_t i = 0; i < count; ++i)
    if (!is_true(element(close, i))) return call.differ();
  return Value{true};
}

}  // namespace

std::span<const Op> torch_close_rows() {
#define BOTH(name) "x." name "(" ARGUMENTS ")\ntorch." name "(input: tensor, " ARGUMENTS ")"
#define ARGUMENTS "other: tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False"
  static constexpr Op rows[] = {
      {Library::torch, BOTH("isclose"), Msg::op_isclose, "y[i] = |a[i] - b[i]| <= atol + rtol * |b[i]|",
       "x = torch.tensor([1., 2.])\ny = torch.isclose(x, x + 1e-9)", isclose_row},
      {Library::torch, BOTH("allclose"), Msg::op_equal, "every |a - b| <= atol + rtol * |b|",
       "torch.allclose(torch.ones(3), torch.ones(3))", allclose_row},
  };
#undef ARGUMENTS
#undef BOTH
  return rows;
}

}  // namespace stridescope
