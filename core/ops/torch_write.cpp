// Writes: x[key] = value, fill_, copy_, add_ and their kin.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch.h"
#include "ops/torch_index.h"

namespace stridescope {
namespace {

/// Most elements that are written one by one, where a list or a mask picks them.
constexpr int64_t max_scattered = 1 << 16;

/// A Python number or tensor as elements.
struct Source {
  Elements elements;
  std::optional<Tensor> tensor;
};

std::optional<Source> source_of(Call& call, const Value& value) {
  if (const TensorPtr tensor = tensor_of(value)) return Source{elements_of(*tensor), *tensor};
  const Value* plain = &value;
  std::optional<Scalar> scalar;
  if (const auto* real = std::get_if<double>(&plain->held)) scalar = real_scalar(*real, DType::float64);
  else if (const auto* numpy = std::get_if<NumpyScalar>(&plain->held)) scalar = numpy->value;
  else if (const auto integer = as_integer(*plain)) scalar = integer_scalar(*integer, std::holds_alternative<bool>(plain->held) ? DType::boolean : DType::int64);
  if (scalar) return Source{{constant_contents(*scalar, 1), {}, scalar->dtype}, std::nullopt};
  call.about("value").fail_parser("can't assign a " + type_name(value) + " to a torch." + std::string(scalar_type_name(call.self().dtype)) + "Tensor", Msg::argument_has_type, {"value", "number | tensor", type_name(value)});
  return std::nullopt;
}

void explain_write(Call& call, const Tensor& target) {
  const int64_t count = *numel(target.layout.sizes);
  call.why(Msg::write_headline, {count, count * itemsize(target.dtype), to_string(target.layout)});
  if (target.is_view) call.why(Msg::write_seen_in_aliases);
}

/// All leading sizes of 1 left out, as an assignment sees a value of other sizes.
Layout without_leading_ones(Layout layout) {
  while (layout.rank() > 0 && layout.sizes[0] == 1) layout = squeeze(layout, 0);
  return layout;
}

/// The same cells in the same order: a copy has nothing to do.
bool same_data(const Tensor& a, const Tensor& b) { return a.storage == b.storage && a.layout == b.layout && a.dtype == b.dtype; }

Value assign_part(Call& call, const Tensor& part, const Source& source) {
  const Dims& sizes = part.layout.sizes;
  const Layout from = source.elements.layout.sizes == sizes ? source.elements.layout : without_leading_ones(source.elements.layout);
  Tensor value = source.tensor.value_or(call.self());
  value.layout = {from.sizes, Dims::filled(from.rank(), 0), 0};
  if (!expanded(call, value, sizes)) return {};
  std::optional<Tensor> input = source.tensor;
  if (input && input->layout.rank() == 0 && sizes.size() > 0) input.reset();  // one value, taken before the write
  if (input && !(input->layout.sizes == sizes)) {
    // What is copied is the value already expanded: an object of its own.
    input->layout = expand(without_leading_ones(input->layout), sizes);
    input->object = -1;
  }
  if (input && same_data(part, *input)) {
    call.why(Msg::write_same_data);
    return {};
  }
  if (!check_overlap(call, part, input ? &*input : nullptr)) return {};
  explain_write(call, part);
  call.write(part, {source.elements.contents, expand(from, sizes), source.elements.dtype});
  return {};
}

/// index_put_: the picked elements one after the other.
Value assign_picked(Call& call, const Selection& selection, const Source& source) {
  const Dims& sizes = selection.places.sizes;
  const int64_t count = *numel(sizes);
  if (count > max_scattered) return call.refuse(Msg::too_many_indices, {count, max_scattered});
  Layout layout = source.elements.layout;
  while (layout.rank() > sizes.size() && layout.sizes[0] == 1) {
    layout.sizes.erase(0);
    layout.strides.erase(0);
  }
  if (!is_expandable(layout, sizes))
    return call.about("value").fail("RuntimeError", "shape mismatch: value tensor of shape " + list_text(source.elements.layout.sizes) + " cannot be broadcast to indexing result of shape " + list_text(sizes),
                     Msg::write_value_shape, {to_string(source.elements.layout.sizes), to_string(sizes)});
  if (source.tensor && source.tensor->dtype != call.self().dtype)
    return call.about("value").fail("RuntimeError", "Index put requires the source and destination dtypes match, got " + std::string(scalar_type_name(call.self().dtype)) + " for the destination and " +
                                         std::string(scalar_type_name(source.tensor->dtype)) + " for the source.", Msg::dtypes_differ, {name(call.self().dtype), name(source.tensor->dtype)});
  const Elements values{source.elements.contents, expand(layout, sizes), source.elements.dtype};
  std::vector<std::pair<int64_t, Scalar>> writes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = offset(selection.places, index_at(sizes, i));
    for (const IndexedDim& dim : selection.dims) {
      const int64_t index = element(dim.index, i).integer;
      place += (index < 0 ? index + dim.size : index) * dim.stride;
    }
    writes.emplace_back(place, element(values, i));
  }
  call.why(Msg::write_picked, {count, count * itemsize(call.self().dtype)});
  call.relation(Relation::write);
  ContentsPtr written = scatter(call.self().storage->contents, call.self().dtype, writes);
  if (!written) return call.refuse(Msg::too_costly);
  call.self().storage->contents = std::move(written);
  return {};
}

Value store_row(Call& call) {
  const Tensor tensor = call.self();
  const auto source = source_of(call, call.value("value"));
  const auto selection = source ? torch_select(call, tensor, call.value("key")) : std::nullopt;
  if (!selection) return {};
  return selection->advanced ? assign_picked(call, *selection, *source) : assign_part(call, selection->part, *source);
}

/// fill_ and zero_ write one value through any recipe; they never look for shared cells.
Value fill(Call& call, const Scalar& value) {
  const Tensor& target = call.self();
  explain_write(call, target);
  call.write(target, {constant_contents(value, 1), expand(Layout{}, target.layout.sizes), value.dtype});
  return call.failed() ? Value{} : Value{call.self_ref()};
}

Value fill_row(Call& call) {
  const auto source = source_of(call, call.value("value"));
  if (!source) return {};
  if (source->elements.layout.rank() > 0)
    return call.about("value").fail("RuntimeError", "fill_ only supports 0-dimension value tensor but got tensor with " + std::to_string(source->elements.layout.rank()) + " dimensions.", Msg::fill_needs_scalar,
                     {source->elements.layout.rank()});
  // A tensor's value is copied in, and copies look for shared cells.
  if (source->tensor && !check_overlap(call, call.self(), nullptr)) return {};
  return fill(call, element(source->elements, 0));
}

/// The sizes of `source` fit those of the target by broadcasting.
bool fits(Call& call, const Tensor& target, const Dims& sizes) {
  const auto common = broadcast_sizes(call, target.layout.sizes, sizes);
  if (!common || *common == target.layout.sizes) return common.has_value();
  call.fail("RuntimeError", "output with shape " + list_text(target.layout.sizes) + " doesn't match the broadcast shape " + list_text(*common), Msg::write_value_shape,
            {to_string(sizes), to_string(target.layout.sizes)});
  return false;
}

Value copy_row(Call& call) {
  const Tensor target = call.self();
  const TensorRef source = call.tensor("src");
  if (!call.failed() && same_data(target, *source->tensor)) {
    call.why(Msg::write_same_data);
    return call.same();
  }
  if (call.failed()) return {};
  if (!check_overlap(call, target, &*source->tensor) || !fits(call, target, source->tensor->layout.sizes)) return {};
  explain_write(call, target);
  const Elements from = elements_of(*source->tensor);
  call.write(target, {from.contents, expand(from.layout, target.layout.sizes), from.dtype});
  return call.failed() ? Value{} : Value{call.self_ref()};
}

Arithmetic arithmetic_of(std::string_view name) {
  if (name.starts_with("add") || name == "+") return Arithmetic::add;
  if (name.starts_with("sub") || name == "-") return Arithmetic::subtract;
  if (name.starts_with("mul") || name == "*") return Arithmetic::multiply;
  if (name.starts_with("div") || name == "/") return Arithmetic::divide;
  if (name.starts_with("pow") || name == "**") return Arithmetic::power;
  return name == "//" ? Arithmetic::floor_divide : Arithmetic::remainder;
}

/// x op= other: computed in the common dtype, which must not be of a higher kind than the target's.
Value in_place_row(Call& call) {
  const Tensor target = call.self();
  const Value& other = call.value("other");
  const Arithmetic op = arithmetic_of(call.name());
  const auto source = source_of(call, other);
  if (op == Arithmetic::subtract && !check_subtraction(call, call.value("x"), other)) return {};
  if (!source || !check_overlap(call, target, source->tensor ? &*source->tensor : nullptr) || !fits(call, target, source->elements.layout.sizes)) return {};
  TypeVote vote;
  vote.add(call.value("x"));
  vote.add(other);
  DType common = vote.result();
  if (op == Arithmetic::divide && !is_floating(common) && !is_complex(common)) common = DType::float32;
  const bool lossy = (is_floating(common) && !is_floating(target.dtype) && !is_complex(target.dtype)) || (is_complex(common) && !is_complex(target.dtype)) ||
                     (common != DType::boolean && target.dtype == DType::boolean);
  if (lossy)
    return call.fail("RuntimeError", "result type " + std::string(scalar_type_name(common)) + " can't be cast to the desired output type " + std::string(scalar_type_name(target.dtype)),
                     Msg::write_dtype, {name(common), name(target.dtype)});
  Elements operand{source->elements.contents, expand(source->elements.layout, target.layout.sizes), source->elements.dtype};
  if (call.given("alpha")) {
    const auto factor = source_of(call, call.value("alpha"));
    if (!factor) return {};
    const Elements factors[] = {operand, {factor->elements.contents, expand(Layout{}, target.layout.sizes), factor->elements.dtype}};
    operand = {elementwise(Arithmetic::multiply, factors, common, common), contiguous(target.layout.sizes, itemsize(common)), common};
  }
  explain_write(call, target);
  const Elements operands[] = {elements_of(target), operand};
  ContentsPtr result = operand.contents ? elementwise(op, operands, common, target.dtype) : nullptr;
  if (!result) return call.refuse(Msg::too_costly);
  call.write(target, {std::move(result), contiguous(target.layout.sizes, itemsize(target.dtype)), target.dtype});
  return call.failed() ? Value{} : Value{call.self_ref()};
}

}  // namespace

std::span<const Op> torch_write_rows() {
  static const Op rows[] = {
      {Library::torch, "x[key] = value", Msg::op_store, "the elements that x[key] picks become the value's, broadcast; every tensor on the storage sees it", "x = torch.arange(6).view(2, 3)\nx[0] = 7", store_row},
      {Library::torch, "x.fill_(value)", Msg::op_fill, "every element becomes value, also where several share a cell", "x = torch.arange(6)\nx.fill_(7)", fill_row},
      {Library::torch, "x.zero_()", Msg::op_zero, "every element becomes 0", "x = torch.arange(6)\nx.zero_()", [](Call& call) { return fill(call, {DType::int64}); }},
      {Library::torch, "x.copy_(src: tensor, non_blocking: bool = False)", Msg::op_copy_in_place, "element by element, broadcast, converted to x's dtype", "x = torch.zeros(2, 3)\nx.copy_(torch.arange(3))", copy_row},
      {Library::torch, "x.add_(other, *, alpha: number = None)\nx.sub_(other, *, alpha: number = None)", Msg::op_in_place, "x[i] = x[i] op other[i] in the same cells", "x = torch.arange(6)\nx.add_(1)", in_place_row},
      {Library::torch, "x.mul_(other)\nx.div_(other)\nx.pow_(other)\nx.remainder_(other)", Msg::op_in_place, "x[i] = x[i] op other[i] in the same cells", "x = torch.arange(6)\nx.mul_(2)", in_place_row},
      {Library::torch, "x += other\nx -= other\nx *= other\nx /= other\nx //= other\nx %= other\nx **= other", Msg::op_in_place, "x[i] = x[i] op other[i] in the same cells",
       "x = torch.arange(6)\nx += 1", in_place_row},
  };
  return rows;
}

}  // namespace stridescope
