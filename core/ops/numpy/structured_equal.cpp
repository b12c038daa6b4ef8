// Arrays of structures compared: equal where all of their fields are.
#include <algorithm>

#include "layout/access_path.h"
#include "layout/checked.h"
#include "ops/numpy/structured.h"
#include "ops/numpy/ufunc.h"

namespace stridescope {
namespace {

/// So many bytes of structures are compared.
constexpr int64_t most_compared_bytes = int64_t{1} << 18;

bool has_same_names(const Structure& a, const Structure& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const StructureField& left, const StructureField& right) { return left.name == right.name; });
}

/// The sizes of the first field of an array, or of its first field, which NumPy compares first.
Dims with_axes_of_first(const Tensor& array) {
  Dims sizes = array.layout.sizes;
  for (const Structure* in = array.structure.get(); in && in->has_fields();
       in = in->fields.empty() ? nullptr : in->fields.front().structure.get())
    for (int d = 0; d < in->fields.front().sizes.size() && !sizes.full(); ++d)
      sizes.push_back(in->fields.front().sizes[d]);
  return sizes;
}

bool are_equal(const Scalar& a, const Scalar& b) {
  return a.integer == b.integer && a.real == b.real && a.imaginary == b.imaginary;
}

/// One structure of each, from those bytes on. Numbers are compared as such: a NaN equals none.
bool are_equal(const Structure& structure, const Contents& a, int64_t at_a, const Contents& b, int64_t at_b) {
  if (structure.is_swapped()) {
    const Scalar left = read_swapped(a, at_a, structure.number), right = read_swapped(b, at_b, structure.number);
    return are_equal(left, right);
  }
  if (!structure.has_fields()) {
    for (int64_t i = 0; i < structure.itemsize; ++i)
      if (read_at(a, at_a + i, DType::uint8).integer != read_at(b, at_b + i, DType::uint8).integer) return false;
    return true;
  }
  for (const StructureField& field : structure.fields)
    for (int64_t byte = field.offset; byte < field.offset + field.nbytes(); byte += field.unit()) {
      if (field.structure) {
        if (!are_equal(*field.structure, a, at_a + byte, b, at_b + byte)) return false;
        continue;
      }
      if (!are_equal(read_at(a, at_a + byte, field.dtype), read_at(b, at_b + byte, field.dtype))) return false;
    }
  return true;
}

}  // namespace

bool is_structured_array(const Value& value) {
  const TensorPtr array = tensor_of(value);
  return array && array->structure && !array->structure->is_string() && !array->structure->is_swapped();
}

Value compare_structures(Call& call, Arithmetic op, const Value& a, const Value& b) {
  const bool equal = op == Arithmetic::equal;
  if (!is_structured_array(a) || !is_structured_array(b)) {
    const Value &array = is_structured_array(a) ? a : b, &other = is_structured_array(a) ? b : a;
    if (tensor_of(array)->is_element && is_none(other)) return Value{!equal};
    return call.fail_parser("Cannot compare structured or void to non-void arrays.", Msg::np_structures_compared_with,
                            {type_name(other)});
  }
  const Tensor &left = *tensor_of(a), &right = *tensor_of(b);
  if (!has_same_names(*left.structure, *right.structure))
    return call.fail_parser(
        "Cannot compare structured arrays unless they have a common dtype.  I.e. `np.result_type(arr1, arr2)` must be "
        "defined.",
        Msg::np_structures_differ, {names_text(*left.structure), names_text(*right.structure)});
  const auto sizes = broadcast_sizes({left.layout.sizes, right.layout.sizes});
  if (!sizes) return refuse_shapes(call, {with_axes_of_first(left), with_axes_of_first(right)});
  // NumPy combines what each field gives, in an order of axes of its own where there are several that are not in C
  // order.
  const auto in_c_order = [&](const Tensor& array) {
    const Layout& layout = array.layout;
    return layout.rank() == 0 || (layout.sizes == *sizes && is_contiguous(layout, unit_of(array)));
  };
  if (!same_structure(*left.structure, *right.structure) ||
      (sizes->size() > 1 && !(in_c_order(left) && in_c_order(right))))
    return call.refuse(Msg::np_structures_not_modelled, {std::string(call.name())});
  const auto bytes = checked_mul(numel(*sizes), unit_of(left));
  if (!bytes) return call.refuse(Msg::np_too_costly);
  const Elements one = broadcast_elements(left, *sizes), other = broadcast_elements(right, *sizes);
  const bool reads = is_known(*one.contents) && is_known(*other.contents);
  const bool known = reads && *bytes <= most_compared_bytes && is_quick(one, *bytes) && is_quick(other, *bytes);
  if (reads && !known) call.why(Msg::unreckoned);
  std::vector<Scalar> truths;
  for (int64_t i = 0; known && i < *numel(*sizes); ++i) {
    const bool same = are_equal(*left.structure, *one.contents, offset_at(one.layout, i), *other.contents,
                                offset_at(other.layout, i));
    truths.push_back({DType::boolean, same == equal ? 1 : 0});
  }
  const LaidOut placed =
      laid_out(known ? literal_contents(truths, DType::boolean) : unknown_contents(DType::boolean, *numel(*sizes)),
               *sizes, slowest_first(contiguous(*sizes)), DType::boolean);
  const Value made = call.fresh(DType::boolean, placed.layout, placed.contents);
  if (left.structure->is_raw()) return call.why(Msg::np_raw_compared), made;
  call.why(Msg::np_structures_compared, {names_text(*left.structure)});
  return sizes->empty() ? scalar_if_0d(call, made) : made;
}

}  // namespace stridescope
