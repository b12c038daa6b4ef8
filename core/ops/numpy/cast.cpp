// The common shape and dtype of several arrays, and writes that broadcast and convert.
#include <algorithm>

#include "layout/access_path.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"

namespace stridescope {

std::optional<Dims> broadcast_sizes(const std::vector<Dims>& shapes, std::pair<size_t, size_t>* in_the_way) {
  int rank = 0;
  for (const Dims& shape : shapes) rank = std::max(rank, shape.size());
  Dims result = Dims::filled(rank, 1);
  for (int d = 0; d < rank; ++d) {
    size_t first = 0;  // that is not 1
    for (size_t i = 0; i < shapes.size(); ++i) {
      const int own = d + shapes[i].size() - rank;
      if (own < 0 || shapes[i][own] == 1 || shapes[i][own] == result[d]) continue;
      if (result[d] != 1) {
        if (in_the_way) *in_the_way = {first, i};
        return std::nullopt;
      }
      result[d] = shapes[i][own];
      first = i;
    }
  }
  return result;
}

Value refuse_shapes(Call& call, const std::vector<Dims>& shapes) {
  std::string all;
  for (const Dims& shape : shapes) all += shape_text(shape) + " ";
  // Of what is no array and of one, Python asks the array how they compare.
  if (call.form().kind == Form::Kind::binary && std::string_view("< <= > >= == !=").find(call.name()) < 16 &&
      shapes.size() == 2 && std::holds_alternative<Sequence>(call.first().held))
    all = shape_text(shapes[1]) + " " + shape_text(shapes[0]) + " ";
  return call.fail("ValueError", {"operands could not be broadcast together with shapes ", all},
                   Msg::np_cannot_broadcast, {to_string(shapes.front()), to_string(shapes[1])});
}

std::optional<Dims> common_sizes(Call& call, const std::vector<Dims>& shapes) {
  std::pair<size_t, size_t> in_the_way;
  if (const auto sizes = broadcast_sizes(shapes, &in_the_way)) return sizes;
  const auto [a, b] = in_the_way;
  const std::string left = to_string(shapes[a]), right = to_string(shapes[b]);
  call.fail("ValueError",
            {"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg ", a,
             " with shape ", left, " and arg ", b, " with shape ", right, "."},
            Msg::np_cannot_broadcast, {left, right});
  return std::nullopt;
}

std::vector<Dims> shapes_of(const std::vector<TensorRef>& arrays) {
  std::vector<Dims> shapes;
  for (const TensorRef& array : arrays) shapes.push_back(array->tensor->layout.sizes);
  return shapes;
}

namespace {

int64_t significand(DType dtype) {
  return dtype == DType::float16 ? 11 : dtype == DType::float32 || dtype == DType::complex64 ? 24 : 53;
}

/// The smallest floating dtype that holds the values of an integer one as NumPy sees it.
DType float_for(DType dtype) {
  if (dtype == DType::boolean || itemsize(dtype) == 1) return DType::float16;
  return itemsize(dtype) == 2 ? DType::float32 : DType::float64;
}

}  // namespace

DType numpy_promoted(DType a, DType b) {
  if (a == b) return a;
  if (is_complex(a) || is_complex(b)) {
    const auto part = [](DType dtype) { return is_complex(dtype) || is_floating(dtype) ? dtype : float_for(dtype); };
    return std::max(significand(part(a)), significand(part(b))) > 24 ? DType::complex128 : DType::complex64;
  }
  if (is_floating(a) || is_floating(b)) {
    const DType x = is_floating(a) ? a : float_for(a), y = is_floating(b) ? b : float_for(b);
    return significand(x) >= significand(y) ? x : y;
  }
  if (a == DType::boolean) return b;
  if (b == DType::boolean) return a;
  if (is_unsigned(a) == is_unsigned(b)) return itemsize(a) >= itemsize(b) ? a : b;
  const DType plain = is_unsigned(a) ? a : b, sign = is_unsigned(a) ? b : a;
  if (itemsize(sign) > itemsize(plain)) return sign;
  switch (itemsize(plain)) {
    case 1: return DType::int16;
    case 2: return DType::int32;
    case 4: return DType::int64;
    default: return DType::float64;
  }
}

bool is_truth(const Value& value) {
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  return std::holds_alternative<bool>(value.held) || (scalar && scalar->dtype() == DType::boolean);
}

Operand operand(Call& call, const Value& value) {
  const bool weak = std::holds_alternative<int64_t>(value.held) || std::holds_alternative<Float>(value.held) ||
                    std::holds_alternative<ComplexFloat>(value.held);
  return {as_array(call, value), weak, weak ? value : Value{}};
}

namespace {

int kind_of(DType dtype) {
  return dtype == DType::boolean ? 0 : is_unsigned(dtype) ? 1 : is_integer(dtype) ? 2 : is_floating(dtype) ? 3 : 4;
}

}  // namespace

bool can_cast(DType from, DType to, Casting casting) {
  if (from == to || casting == Casting::unsafe) return true;
  if (casting == Casting::same_kind) return kind_of(from) <= kind_of(to);
  return casting == Casting::safe && numpy_promoted(from, to) == to;
}

bool check_cast(Call& call, const Tensor& from, DType to, Casting casting) {
  if (can_cast(from.dtype, to, casting)) return true;
  Tensor wanted;
  wanted.dtype = to;
  refuse_cast(call, from, wanted, casting);
  return false;
}

void refuse_cast(Call& call, const Tensor& from, const Tensor& to, Casting casting) {
  call.fail_parser({"Cannot cast ", from.layout.rank() == 0 ? "scalar" : "array data", " from ", dtype_repr(from),
                    " to ", dtype_repr(to), " according to the rule '", name(casting), "'"},
                   Msg::np_cast_refused, {dtype_text(from), dtype_text(to), name(casting)});
}

namespace {

/// What a number of Python's own becomes beside elements of `strong`.
DType beside(DType strong, DType weak) {
  if (is_complex(weak))
    return numpy_promoted(strong, is_floating(strong) || is_complex(strong) ? DType::complex64 : DType::complex128);
  if (is_floating(weak)) return is_floating(strong) || is_complex(strong) ? strong : DType::float64;
  return strong == DType::boolean ? DType::int64 : strong;
}

}  // namespace

DType common_dtype(const Operand& a, const Operand& b) {
  const DType left = a.array->tensor->dtype, right = b.array->tensor->dtype;
  if (a.weak == b.weak) return numpy_promoted(left, right);
  return a.weak ? beside(right, left) : beside(left, right);
}

DType numpy_promoted(const std::vector<DType>& dtypes) {
  // Those with a point decide first: whole numbers meet them one by one, not each other.
  std::optional<DType> real;
  for (const DType dtype : dtypes)
    if (is_floating(dtype) || is_complex(dtype)) real = real ? numpy_promoted(*real, dtype) : dtype;
  DType common = real.value_or(dtypes.front());
  for (const DType dtype : dtypes) common = numpy_promoted(common, real ? numpy_promoted(*real, dtype) : dtype);
  return common;
}

DType common_dtype(const std::vector<Operand>& operands) {
  std::vector<DType> strong, weak;
  for (const Operand& one : operands) (one.weak ? weak : strong).push_back(one.array->tensor->dtype);
  if (weak.empty() || strong.empty()) return numpy_promoted(weak.empty() ? strong : weak);
  return beside(numpy_promoted(strong), numpy_promoted(weak));
}

Elements broadcast_elements(const Tensor& array, const Dims& sizes) {
  Elements elements = elements_of(array);
  elements.layout = broadcast_to(elements.layout, sizes);
  return elements;
}

bool numpy_writeable(Call& call, const Tensor& target, const char* text) {
  if (target.write_warns) {
    // NumPy warns at the first write, and not again.
    const TensorRef& object = call.object_of(target);
    Tensor written = *object->tensor;
    written.write_warns = false;
    object->tensor = std::make_shared<const Tensor>(std::move(written));
  }
  if (target.writeable) return true;
  call.about_receiver().fail("ValueError", text, Msg::np_readonly, {Slot{"array", Call::whole(target)}});
  call.hint(Msg::np_hint_readonly);
  return false;
}

void write_before(Call& call, const Tensor& target, const ReadBefore& before) {
  if (before.cells.empty() || before.sizes != target.layout.sizes || !target.writeable) return;
  Tensor cells = target;
  if (target.structure) cells.structure = nullptr, cells.dtype = DType::uint8;
  std::vector<std::pair<int64_t, Scalar>> writes;
  for (const ReadBefore::Cell& one : before.cells)
    writes.emplace_back(offset_at(target.layout, one.element) + one.byte, one.value);
  call.write(cells, writes);
}

void numpy_assign(Call& call, const Tensor& target, const Value& value) {
  if (target.structure) return assign_structures(call, target, value);
  // Numbers and lists are read as elements of the target.
  ReadBefore before;
  const TensorRef source =
      tensor_of(value) ? as_array(call, value) : as_array(call, value, target.dtype, target.layout.rank(), &before);
  if (source)
    numpy_assign(call, target, source, Casting::unsafe);
  else
    write_before(call, target, before);
}

bool check_fits(Call& call, const Layout& layout, const Dims& sizes, std::string_view what) {
  if (is_expandable(layout, sizes)) return true;
  call.fail("ValueError",
            {"could not broadcast ", what, " from shape ", shape_text(layout.sizes), " into shape ", shape_text(sizes)},
            Msg::np_cannot_broadcast_into, {to_string(layout.sizes), to_string(sizes)});
  return false;
}

std::optional<Layout> fitted(Call& call, Layout layout, const Dims& sizes) {
  while (layout.rank() > sizes.size() && layout.sizes[0] == 1) layout = select(layout, 0, 0);
  return check_fits(call, layout, sizes, "input array") ? std::optional(layout) : std::nullopt;
}

void numpy_assign(Call& call, const Tensor& target, const TensorRef& source, Casting casting, const TensorRef& mask) {
  const Dims& sizes = target.layout.sizes;
  const Tensor& given = *source->tensor;
  const bool structures = copies_whole(target, given);
  if (is_swapped(given) && !structures) return numpy_assign(call, target, nameless(native(given)), casting, mask);
  if (target.structure && !structures) return assign_structures(call, target, Value{source});
  if (is_string_array(Value{source}) && !structures && !mask) {
    const TensorRef numbers = as_numbers(call, given, target.dtype);
    return numbers ? numpy_assign(call, target, numbers, casting) : void();
  }
  if (given.structure && !structures && given.structure->fields.size() > 1 && given.layout.rank() > 0)
    return refuse_cast(call, given, target, Casting::unsafe);
  if (given.structure && !structures) return void(call.refuse(Msg::np_structures_not_modelled, {"[..] = .."}));
  if (given.storage == target.storage && given.dtype == target.dtype && given.layout == target.layout &&
      given.layout.rank() > 0) {
    call.why(Msg::np_copyto_itself);
    call.relation(Relation::none);
    return;
  }
  if (!numpy_writeable(call, target) || (!structures && !check_cast(call, given, target.dtype, casting))) return;
  const auto fits = fitted(call, given.layout, sizes);
  if (!fits || (mask && !check_fits(call, mask->tensor->layout, sizes, "where mask"))) return;
  const Elements from{given.storage->contents, broadcast_to(*fits, sizes), given.dtype};
  const auto where = mask ? std::optional(broadcast_elements(*mask->tensor, sizes)) : std::nullopt;
  call.why(Msg::np_write_headline, {count_of(target), nbytes(target)});
  call.why(Msg::np_write_through, {to_string(sizes), to_string(target.layout.strides), target.layout.storage_offset});
  if (structures) {
    Tensor bytes = target;
    bytes.structure = nullptr;
    bytes.dtype = DType::uint8;
    bytes.layout = copied_elements(target, target.layout).layout;
    return call.write(bytes, copied_elements(given, from.layout));
  }
  if (!where && target.dtype == DType::boolean && from.dtype == DType::boolean) {
    // Bytes that are neither 0 nor 1 are copied as they are.
    Tensor bytes = target;
    bytes.dtype = dtype_of(*from.contents) == DType::boolean ? DType::boolean : DType::uint8;
    return call.write(bytes, {from.contents, from.layout, bytes.dtype});
  }
  if (!where) return call.write(target, from);
  call.why(Msg::np_write_where);
  const ContentsPtr chosen =
      elementwise(Arithmetic::where, std::array{*where, from, elements_of(target)}, target.dtype, target.dtype);
  call.write(target, {chosen, contiguous(sizes, unit_of(target)), target.dtype});
}

}  // namespace stridescope
