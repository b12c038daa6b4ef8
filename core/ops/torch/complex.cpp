// Complex tensors as pairs of real ones, and back; conjugates and negatives that are only read so.
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

DType part_of(DType dtype) { return dtype == DType::complex64 ? DType::float32 : DType::float64; }

/// Real and imaginary parts as a last dimension of size 2: every number is two cells.
std::optional<Tensor> as_pairs(Call& call, const Tensor& tensor) {
  if (tensor.layout.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank}), std::nullopt;
  Tensor pairs = tensor;
  pairs.dtype = part_of(tensor.dtype);
  for (int64_t& stride : pairs.layout.strides) stride *= 2;  // in bytes they fit as they are
  pairs.layout.storage_offset *= 2;
  pairs.layout = insert_dim(pairs.layout, pairs.layout.rank(), 1);
  pairs.layout.sizes[pairs.layout.rank() - 1] = 2;
  return pairs;
}

Value view_as_real_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!is_complex(tensor.dtype))
    return call.fail("RuntimeError", "view_as_real is only supported for complex tensors", Msg::needs_complex,
                     {name(tensor.dtype)});
  if (tensor.lens.conjugate)
    return call.fail("RuntimeError",
                     "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so "
                     "you can view it as real, use self.resolve_conj(); however, be "
                     "warned that the resulting tensor will NOT alias the original.",
                     Msg::conjugate_unresolved);
  const auto pairs = as_pairs(call, tensor);
  if (!pairs) return {};
  call.why(Msg::view_as_real_headline, {name(tensor.dtype), name(pairs->dtype), to_string(pairs->layout)});
  return call.view(*pairs, pairs->layout);
}

Value view_as_complex_row(Call& call) {
  const Tensor& tensor = call.self();
  const Layout& layout = tensor.layout;
  const auto refuse = [&](std::string text, int64_t got) {
    return call.fail("RuntimeError", std::move(text), Msg::view_as_complex_needs, {got});
  };
  if (tensor.dtype != DType::float32 && tensor.dtype != DType::float64 && tensor.dtype != DType::float16)
    return call.fail(
        "RuntimeError",
        {"view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ",
         scalar_type_name(tensor.dtype)},
        Msg::not_defined_for, {"view_as_complex", name(tensor.dtype)});
  if (layout.rank() == 0) return refuse("Input tensor must have one or more dimensions", 0);
  if (layout.sizes.back() != 2) return refuse("Tensor must have a last dimension of size 2", layout.sizes.back());
  Tensor numbers = tensor;
  Layout& result = numbers.layout;
  result.sizes.pop_back();
  result.strides.pop_back();
  if (layout.strides.back() != 1)
    return refuse("Tensor must have a last dimension with stride 1", layout.strides.back());
  for (int64_t& stride : result.strides) {
    if (stride % 2 != 0) return refuse("Tensor must have a stride divisible by 2 for all but last dimension", stride);
    stride /= 2;
  }
  if (layout.storage_offset % 2 != 0)
    return refuse("Tensor must have a storage_offset divisible by 2", layout.storage_offset);
  if (tensor.dtype == DType::float16) return call.refuse(Msg::not_modelled, {"PyTorch", "torch.complex32"});
  result.storage_offset /= 2;
  numbers.dtype = tensor.dtype == DType::float32 ? DType::complex64 : DType::complex128;
  call.why(Msg::view_as_complex_headline, {name(tensor.dtype), name(numbers.dtype), to_string(result)});
  return call.view(numbers, result);
}

/// One of the two parts: every second cell.
Value part_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool imaginary = call.name().ends_with("imag");
  if (!is_complex(tensor.dtype) && imaginary)
    return call.fail("RuntimeError", "imag is not implemented for tensors with non-complex dtypes.", Msg::needs_complex,
                     {name(tensor.dtype)});
  if (!is_complex(tensor.dtype)) {
    call.why(Msg::same_nothing_to_do, {to_string(call.self().layout)});
    return call.same();
  }
  auto pairs = as_pairs(call, tensor);
  if (!pairs) return {};
  pairs->lens = {false, tensor.lens.negative != (imaginary && tensor.lens.conjugate)};
  const Layout part = select(pairs->layout, pairs->layout.rank() - 1, imaginary ? 1 : 0);
  call.why(imaginary ? Msg::imag_headline : Msg::real_headline, {to_string(part)});
  return call.view(*pairs, part);
}

Value conj_row(Call& call) {
  Tensor tensor = call.self();
  if (!is_complex(tensor.dtype)) {
    call.why(Msg::same_nothing_to_do, {to_string(call.self().layout)});
    return call.same();
  }
  tensor.lens.conjugate = !tensor.lens.conjugate;
  call.why(Msg::conj_headline);
  return call.view(tensor, tensor.layout);
}

/// What is only read as a conjugate, or a negative, written down.
Value resolve_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool pending = call.name().ends_with("neg")        ? tensor.lens.negative
                       : call.name().ends_with("physical") ? is_complex(tensor.dtype)
                                                           : tensor.lens.conjugate;
  if (!pending) {
    call.why(Msg::same_nothing_to_do, {to_string(call.self().layout)});
    return call.same();
  }
  Tensor source = tensor;
  if (call.name().ends_with("physical")) source.lens.conjugate = !source.lens.conjugate;
  // What is no conjugate yet is reckoned, element by element; the rest is cloned.
  const Dims& sizes = tensor.layout.sizes;
  const Dims strides = source.lens.conjugate && !tensor.lens.conjugate
                           ? iterator_strides(sizes, std::span(&tensor.layout, 1), true)
                           : preserved_strides(tensor.layout);
  return call.copy(source, {sizes, strides, 0}, tensor.dtype);
}

/// Numbers of two parts each: real and imaginary, or how far from 0 and in which direction.
Value of_parts(Call& call, const Value& first, const Value& second, Arithmetic op) {
  const DType a = tensor_of(first)->dtype, b = tensor_of(second)->dtype;
  const auto fits = [](DType dtype) {
    return dtype == DType::float16 || dtype == DType::float32 || dtype == DType::float64;
  };
  if (!fits(a) || !fits(b))
    return call.fail("RuntimeError",
                     {"Expected both inputs to be Half, Float or Double tensors but got ", scalar_type_name(a), " and ",
                      scalar_type_name(b)},
                     Msg::not_defined_for, {call.name(), name(fits(a) ? b : a)});
  if (a != b)
    return call.fail("RuntimeError",
                     {"Expected object of scalar type ", scalar_type_name(a), " but got scalar type ",
                      scalar_type_name(b), " for second argument"},
                     Msg::dtypes_differ, {name(a), name(b)});
  if (a == DType::float16 && op == Arithmetic::polar) return no_kernel(call, "polar_cpu", a);
  if (a == DType::float16) return call.refuse(Msg::not_modelled, {"PyTorch", "torch.complex32"});
  return computed(call, op, {&first, &second}, a, a == DType::float32 ? DType::complex64 : DType::complex128);
}

/// The real or the imaginary parts as a step on the way.
Tensor component(const Tensor& pairs, const Lens& lens, bool imaginary) {
  Tensor part = pairs;
  part.layout = select(pairs.layout, pairs.layout.rank() - 1, imaginary ? 1 : 0);
  part.lens = {false, lens.negative != (imaginary && lens.conjugate)};
  return part;
}

Value is_real_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!is_complex(tensor.dtype)) {
    const Layout layout{tensor.layout.sizes, preserved_strides(tensor.layout), 0};
    const int64_t count = *numel(layout.sizes);
    call.why(Msg::elementwise_headline, {count, "bool", to_string(layout)});
    return call.fresh(DType::boolean, layout, constant_contents(integer_scalar(1, DType::boolean), count));
  }
  const auto pairs = as_pairs(call, tensor);
  if (!pairs) return {};
  const Value imaginary{std::make_shared<TensorObject>(
      TensorObject{-1, std::make_shared<const Tensor>(component(*pairs, tensor.lens, true))})};
  const Value zero{0.0};
  return computed(call, Arithmetic::equal, {&imaginary, &zero}, pairs->dtype, DType::boolean, {}, true);
}

/// Of a real number 0, or pi below 0.
Value angle_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!is_complex(tensor.dtype)) {
    const DType dtype = is_floating(tensor.dtype) ? tensor.dtype : call.default_dtype(), working = working_dtype(dtype);
    const Elements zero{constant_contents(real_scalar(0, working), 1), expand(Layout{}, tensor.layout.sizes), working};
    // -0. + 0 is 0.
    const Elements pair[] = {elements_of(tensor), zero};
    const Elements shifted{elementwise(Arithmetic::add, pair, working, working),
                           contiguous(tensor.layout.sizes, itemsize(working)), working};
    if (!shifted.contents) return call.refuse(Msg::too_costly);
    const Value none{0.0};
    return computed(call, Arithmetic::arc_tangent2, {&none, &call.first()}, working, dtype, {std::nullopt, shifted},
                    true);
  }
  const auto pairs = as_pairs(call, tensor);
  if (!pairs) return {};
  const Elements parts[] = {elements_of(component(*pairs, tensor.lens, true)),
                            elements_of(component(*pairs, tensor.lens, false))};
  const Layout layout = contiguous(tensor.layout.sizes);
  call.why(Msg::elementwise_headline, {*numel(layout.sizes), name(pairs->dtype), to_string(layout)});
  return call.fresh(pairs->dtype, layout, elementwise(Arithmetic::arc_tangent2, parts, pairs->dtype, pairs->dtype));
}

}  // namespace

std::span<const Op> torch_complex_rows() {
#define BOTH(name) "x." name "()\ntorch." name "(input: tensor)\n"
  static constexpr Op rows[] = {
      {Library::torch, "torch.view_as_real(input: tensor)", Msg::op_view_as_real,
       "sizes' = sizes + (2,);  strides' = 2 * strides + (1,)",
       "x = torch.zeros(3, dtype=torch.complex64)\ny = torch.view_as_real(x)", view_as_real_row},
      {Library::torch, "torch.view_as_complex(input: tensor)", Msg::op_view_as_complex,
       "the last dimension, of size 2 and stride 1, becomes one number",
       "x = torch.arange(6.).view(3, 2)\ny = torch.view_as_complex(x)", view_as_complex_row},
      {Library::torch, "x.real\nx.imag\ntorch.real(input: tensor)\ntorch.imag(input: tensor)", Msg::op_real,
       "every second cell of a complex tensor; a real tensor is its own real part",
       "x = torch.zeros(3, dtype=torch.complex64)\ny = x.imag", part_row},
      {Library::torch, BOTH("conj"), Msg::op_conj, "the same cells, read as conjugates",
       "x = torch.zeros(3, dtype=torch.complex64)\ny = x.conj()", conj_row},
      {Library::torch, BOTH("resolve_conj") BOTH("resolve_neg") BOTH("conj_physical"), Msg::op_resolve,
       "a copy where something is pending, else the tensor itself",
       "x = torch.zeros(3, dtype=torch.complex64)\ny = x.conj().resolve_conj()", resolve_row},
      {Library::torch, "torch.complex(real: tensor, imag: tensor)", Msg::op_complex, "y[i] = real[i] + imag[i] * 1j",
       "x = torch.ones(3)\ny = torch.complex(x, x)",
       [](Call& call) { return of_parts(call, call.value("real"), call.value("imag"), Arithmetic::compose); }},
      {Library::torch, "torch.polar(abs: tensor, angle: tensor)", Msg::op_polar,
       "y[i] = abs[i] * (cos(angle[i]) + sin(angle[i]) * 1j)",
       "x = torch.arange(3.)\ny = torch.polar(torch.ones(3), x)",
       [](Call& call) { return of_parts(call, call.value("abs"), call.value("angle"), Arithmetic::polar); }},
      {Library::torch, "x.is_conj()\ntorch.is_conj(input: tensor)", Msg::op_is_conj, "whether it is read as conjugates",
       "x = torch.zeros(3, dtype=torch.complex64)\nx.conj().is_conj()",
       [](Call& call) { return Value{call.self().lens.conjugate}; }},
      {Library::torch, "x.is_neg()\ntorch.is_neg(input: tensor)", Msg::op_is_conj, "whether it is read as negatives",
       "x = torch.zeros(3, dtype=torch.complex64)\nx.conj().imag.is_neg()",
       [](Call& call) { return Value{call.self().lens.negative}; }},
      {Library::torch, BOTH("isreal"), Msg::op_unary, "y[i] = whether the imaginary part of x[i] is 0",
       "x = torch.tensor([1, 2j])\ny = torch.isreal(x)", is_real_row},
      {Library::torch, BOTH("angle"), Msg::op_unary, "y[i] = atan2(imaginary part, real part)",
       "x = torch.tensor([1., -1.])\ny = x.angle()", angle_row},
  };
#undef BOTH
  return rows;
}

}  // namespace stridescope
