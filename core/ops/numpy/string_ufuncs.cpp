// Strings element by element: compared and joined, as NumPy's ufuncs have loops for.
#include <algorithm>

#include "layout/access_path.h"
#include "layout/checked.h"
#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/numpy/ufunc.h"

namespace stridescope {
namespace {

/// One of two operands.
struct Texts {
  Tensor like;                         ///< its layout and dtype
  std::vector<Characters> texts = {};  ///< of all elements; none where they are no strings
  bool known = true;

  const Dims& sizes() const { return like.layout.sizes; }
  /// The one that stands there where it is seen under those sizes, row-major.
  const Characters& at(const Dims& common, int64_t i) const {
    return texts[static_cast<size_t>(offset_at(broadcast_to(contiguous(sizes()), common), i))];
  }
  char characters() const { return like.structure ? like.structure->characters : '\0'; }
};

std::optional<Texts> texts_of(Call& call, const Value& given) {
  if (!tensor_of(given) && !holds_strings(given)) {
    Texts one;  // an array of memory that nothing is read from
    one.like.storage = std::make_shared<Storage>();
    if (const auto sizes = nested_sizes(call, given)) one.like.layout = contiguous(*sizes, unit_of(one.like));
    return call.failed() ? std::nullopt : std::optional(std::move(one));
  }
  const TensorRef array = tensor_of(given) ? as_array(call, given) : string_array(call, nullptr, given);
  if (!array) return std::nullopt;
  const Tensor& tensor = *array->tensor;
  Texts one{tensor};
  if (!tensor.structure) return one;
  one.known = is_known(*tensor.storage->contents);
  const auto values = one.known ? values_of(call, tensor) : std::vector<Value>();
  if (!values) return std::nullopt;
  for (const Value& value : *values) one.texts.push_back(*characters_of(value));
  return one;
}

/// a == b and the like; also of numbers and None, which equal none.  @pre both are strings of one kind, or op asks
/// whether they are equal
Value compare_strings(Call& call, Arithmetic op, const Value& a, const Value& b) {
  const auto left = texts_of(call, a), right = left ? texts_of(call, b) : std::nullopt;
  if (!right) return {};
  const bool alike = left->characters() == right->characters();
  const std::vector shapes{left->sizes(), right->sizes()};
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) return refuse_shapes(call, shapes);
  if (too_costly(call, *sizes, 1)) return {};
  // Where neither has axes NumPy leaves it to Python, to which they are two objects.
  if (!alike && sizes->empty() && !is_object(a) && !is_object(b)) return Value{op == Arithmetic::not_equal};
  const bool known = !alike || (left->known && right->known);
  std::vector<Scalar> truths;
  for (int64_t i = 0; known && i < *numel(*sizes); ++i) {
    const int order = alike ? left->at(*sizes, i).compare(right->at(*sizes, i)) : 1;
    const bool holds = op == Arithmetic::equal        ? order == 0
                       : op == Arithmetic::not_equal  ? order != 0
                       : op == Arithmetic::less       ? order < 0
                       : op == Arithmetic::less_equal ? order <= 0
                       : op == Arithmetic::greater    ? order > 0
                                                      : order >= 0;
    truths.push_back({DType::boolean, holds ? 1 : 0});
  }
  const Dims slowest =
      result_order({&left->like, &right->like}, *sizes, alike ? DType::structured : DType::boolean, false, false);
  const LaidOut placed =
      laid_out(known ? literal_contents(truths, DType::boolean) : unknown_contents(DType::boolean, *numel(*sizes)),
               *sizes, slowest, DType::boolean);
  const Value made = call.fresh(DType::boolean, placed.layout, placed.contents);
  call.why(Msg::np_strings_compared);
  return sizes->empty() ? scalar_if_0d(call, made) : made;
}

/// a + b of strings of one kind: each with the one behind it, in a new array with room for both.
Value join_strings(Call& call, const Value& a, const Value& b) {
  const auto left = texts_of(call, a), right = left ? texts_of(call, b) : std::nullopt;
  if (!right) return {};
  const std::vector shapes{left->sizes(), right->sizes()};
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) return refuse_shapes(call, shapes);
  const int64_t first = left->like.structure->length(), second = right->like.structure->length();
  const StructurePtr string = string_structure(left->characters(), first + second);
  owned_layout(call, *sizes, string->itemsize);  // so many bytes may be too many
  if (call.failed()) return {};
  const Dims slowest = result_order({&left->like, &right->like}, *sizes, DType::structured, false, false);
  const bool none = *numel(*sizes) == 0;
  const Layout target{
      *sizes, none ? Dims::filled(sizes->size(), 0) : packed_slowest_first(*sizes, slowest, string->itemsize), 0};
  TensorRef made;
  if (!left->known || !right->known) {
    made = unknown_strings(call, string, target);
  } else if (!too_costly(call, *sizes, string->itemsize)) {
    const Layout walk = permute(contiguous(*sizes), slowest);  // the row-major places as they come in memory
    std::vector<Scalar> bytes;
    for (int64_t i = 0; i < *numel(*sizes); ++i) {
      const int64_t at = offset_at(walk, i);
      append_characters(bytes, *string, left->at(*sizes, at) + right->at(*sizes, at));
    }
    const Value array = call.fresh(of_structure(string), target, literal_contents(bytes, DType::uint8));
    if (!call.failed()) made = std::get<TensorRef>(array.held);
  }
  if (!made) return {};
  call.why(Msg::np_strings_joined, {first, second, string->itemsize});
  return sizes->empty() ? string_element(call, *made->tensor) : Value{made};
}

/// Whether out=, where= and the like are left out.
bool is_plain(const Call& call) {
  constexpr const char* options[] = {"out", "where", "casting", "dtype"};
  return call.form().kind == Form::Kind::binary ||
         std::all_of(std::begin(options), std::end(options),
                     [&](const char* option) { return call.argument(option) == Span{}; });
}

}  // namespace

std::optional<Value> apply_to_strings(Call& call, const Ufunc& what, const Value& a, const Value& b) {
  const bool compares = is_comparison(what), asks = what.op == Arithmetic::equal || what.op == Arithmetic::not_equal;
  const char kind = string_kind(a), other = string_kind(b);
  if ((kind == 0 && other == 0) || is_structured_array(a) || is_structured_array(b)) return std::nullopt;
  const bool any = asks && (call.form().kind == Form::Kind::binary || is_object(a) || is_object(b));
  if (!any && !(kind == other && (compares || what.function == "add"))) return std::nullopt;
  if (!is_plain(call)) return call.refuse(Msg::np_strings_not_modelled, {std::string(call.name())});
  return compares ? compare_strings(call, what.op, a, b) : join_strings(call, a, b);
}

Value join_in_place(Call& call, const TensorRef& array, const Value& other) {
  const Tensor target = *array->tensor;
  const Value joined = join_strings(call, {array}, other);
  if (call.failed()) return {};
  if (!(made_or(joined, target).layout.sizes == target.layout.sizes)) return refuse_elements(call, *target.structure);
  assign_strings(call, target, joined);
  return {array};
}

}  // namespace stridescope
