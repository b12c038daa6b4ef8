// Several arrays made one: copies.
#include <algorithm>

#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// What a join may be told besides its arrays.
struct Options {
  std::optional<DType> dtype;
  Casting casting = Casting::same_kind;
  TensorPtr out;
  bool foreign = false;  ///< dtype= is one that is not modelled
};

Options options_of(Call& call) {
  const bool foreign = is_foreign_dtype(call.value("dtype"));
  Options options{foreign ? std::nullopt : dtype_argument(call), numpy_casting(call, Casting::same_kind),
                  tensor_of(call.value("out")), foreign};
  if (call.given("out") && (options.dtype || foreign))
    call.fail_parser("concatenate() only takes `out` or `dtype` as an argument, but both were provided.",
                     Msg::one_of_both, {"out", "dtype"});
  if (call.given("out") && !options.out)
    call.about("out").fail_parser("'out' must be an array", Msg::np_array_needed, {type_name(call.value("out"))});
  return options;
}

/// The arrays assigned to the parts of `out` one after the other: what one writes the next may read.
void write_in_turn(Call& call, const std::vector<Tensor>& arrays, int axis, const Tensor& out, Casting casting) {
  const size_t said = call.said();
  Tensor part = out;
  int64_t start = 0;
  for (const Tensor& array : arrays) {
    const int64_t size = array.layout.sizes[axis];
    part.layout = *slice(out.layout, axis, start, 1, size);
    numpy_assign(call, part, nameless(array), casting);
    if (call.failed()) return;
    start += size;
  }
  call.unsay(said);
}

bool holds_string_arrays(const std::vector<Tensor>& arrays) {
  return std::any_of(arrays.begin(), arrays.end(), is_of_strings);
}

/// The arrays to join, lists of strings among them.
std::vector<Tensor> given_arrays(Call& call, const char* parameter) {
  const Value& value = call.value(parameter);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const bool strings = sequence && !is_iterator(sequence->kind) &&
                       std::any_of(sequence->items->begin(), sequence->items->end(), is_string_array);
  std::vector<Tensor> arrays;
  for (const TensorRef& array : strings ? std::vector<TensorRef>() : as_arrays(call, value))
    arrays.push_back(*array->tensor);
  for (const Value& item : strings ? std::span<const Value>(*sequence->items) : std::span<const Value>()) {
    if (const TensorRef array = array_or_strings(call, item)) arrays.push_back(*array->tensor);
  }
  return arrays;
}

/// np.concatenate along an axis of arrays whose sizes have been checked.
Value joined(Call& call, std::vector<Tensor> arrays, int axis, const Options& options) {
  const auto& [wanted, casting, out, foreign] = options;
  if (call.failed()) return {};
  Dims sizes = arrays.front().layout.sizes;
  std::vector<Layout> layouts;
  std::vector<DType> dtypes;
  sizes[axis] = 0;
  for (const Tensor& array : arrays) {
    dtypes.push_back(array.dtype);
    const auto sum = checked_add(sizes[axis], array.layout.sizes[axis]);
    if (!sum) return call.refuse(Msg::beyond_int64);
    sizes[axis] = *sum;
    layouts.push_back(array.layout);
  }
  if (out && out->layout.sizes != sizes) {
    const bool rank = out->layout.rank() != sizes.size();
    return call.about("out").fail("ValueError",
                                  rank && !call.given("axis") ? "Output array must be 1D"
                                  : rank                      ? "Output array has wrong dimensionality"
                                  : !call.given("axis")       ? "Output array is the wrong size"
                                                              : "Output array is the wrong shape",
                                  Msg::np_cannot_broadcast_into, {to_string(sizes), to_string(out->layout.sizes)});
  }
  if (foreign) return refuse_cast_to_foreign(call, arrays.front(), casting);
  if (!out && !wanted && holds_string_arrays(arrays)) arrays = as_one_string(call, arrays);
  if (call.failed()) return {};
  const bool structured =
      std::any_of(arrays.begin(), arrays.end(), [](const Tensor& array) { return array.structure != nullptr; });
  const StructurePtr structure = arrays.front().structure;
  const auto is_like = [&](const Tensor& array) {
    return array.structure && structure && same_structure(*array.structure, *structure);
  };
  // Of others NumPy makes a structure of its own.
  if (structured && (out || wanted || !std::all_of(arrays.begin(), arrays.end(), is_like)))
    return call.refuse(Msg::np_structures_not_modelled, {std::string(call.name())});
  Tensor like = arrays.front();
  if (structured) like.structure = std::make_shared<const Structure>(canonical_structure(*structure));
  const DType dtype = structured ? DType::uint8 : out ? out->dtype : wanted.value_or(numpy_promoted(dtypes));
  for (const Tensor& array : arrays)
    if (!out && !structured && !check_cast(call, array, dtype, casting)) return {};
  const int64_t unit = structured ? like.structure->itemsize : itemsize(dtype);
  Layout target = owned_layout(call, sizes, unit);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  if (count > 0) target.strides = packed_slowest_first(sizes, joined_order(layouts), unit);
  call.why(Msg::np_join_headline, {static_cast<int64_t>(arrays.size()), axis, to_string(sizes), count * unit});
  if (arrays.size() > 1 && arrays.size() <= 8) {
    Dims terms;
    for (const Tensor& array : arrays) terms.push_back(array.layout.sizes[axis]);
    std::string sum;
    for (const int64_t term : terms) sum += (sum.empty() ? "" : " + ") + std::to_string(term);
    call.why(Msg::np_join_sum, {axis, sum + " = " + std::to_string(sizes[axis])});
  }
  if (out) {
    write_in_turn(call, arrays, axis, *out, casting);
    call.why(Msg::np_write_headline, {count_of(*out), nbytes(*out)});
    call.relation(Relation::write);
    return call.value("out");
  }
  ContentsPtr contents = constant_contents(integer_scalar(0, dtype), structured ? count * unit : count);
  if (structured && !copies_whole(like, arrays.front())) {  // field by field
    const Value made = call.fresh(like, target, std::move(contents));
    if (!call.failed()) write_in_turn(call, arrays, axis, *tensor_of(made), casting);
    call.relation(Relation::copy);
    return made;
  }
  Layout place = target;
  for (const Tensor& array : arrays) {
    place.sizes = array.layout.sizes;
    const Layout written = structured ? copied_elements(array, place).layout : place;
    if (count_of(array) > 0)
      contents = patch(contents, {nullptr, written, dtype}, copied_elements(array, array.layout));
    place.storage_offset += array.layout.sizes[axis] * target.strides[axis];
  }
  if (target.strides != contiguous(sizes, unit).strides && count > 0)
    call.why(Msg::np_join_order, {to_string(target.strides)});
  if (!structured) like.dtype = dtype;
  return call.fresh(like, target, std::move(contents), Relation::copy);
}

}  // namespace

Value concatenated(Call& call, const std::vector<Tensor>& arrays, int64_t wanted) {
  const Options options = options_of(call);
  if (call.failed()) return {};
  if (arrays.empty()) return call.fail("ValueError", "need at least one array to concatenate", Msg::np_no_arrays);
  const Layout& first = arrays.front().layout;
  if (first.rank() == 0)
    return call.fail("ValueError", "zero-dimensional arrays cannot be concatenated", Msg::np_join_scalars);
  const int axis = numpy_axis(call, wanted, first.rank());
  if (call.failed()) return {};
  for (size_t i = 1; i < arrays.size(); ++i) {
    const Layout& other = arrays[i].layout;
    const auto number = static_cast<int64_t>(i);
    if (other.rank() != first.rank())
      return call.fail(
          "ValueError",
          {"all the input arrays must have same number of dimensions, but the array at index 0 has ", first.rank(),
           " dimension(s) and the array at index ", i, " has ", other.rank(), " dimension(s)"},
          Msg::np_join_ranks, {first.rank(), number, other.rank()});
    for (int d = 0; d < first.rank(); ++d)
      if (d != axis && other.sizes[d] != first.sizes[d])
        return call.fail("ValueError",
                         {"all the input array dimensions except for the concatenation axis must match exactly, but "
                          "along dimension ",
                          d, ", the array at index 0 has size ", first.sizes[d], " and the array at index ", i,
                          " has size ", other.sizes[d]},
                         Msg::np_join_sizes, {d, first.sizes[d], number, other.sizes[d]});
  }
  return joined(call, arrays, axis, options);
}

namespace {

Value concatenate(Call& call) {
  if (call.given("axis")) axis_argument(call);
  if (call.failed()) return {};
  if (const auto* text = std::get_if<std::string>(&call.value("arrays").held); text)
    return call.about("arrays").fail(
        "ValueError",
        text->empty() ? "need at least one array to concatenate" : "zero-dimensional arrays cannot be concatenated",
        text->empty() ? Msg::np_no_arrays : Msg::np_join_scalars);
  std::vector<Tensor> arrays = given_arrays(call, "arrays");
  if (call.failed()) return {};
  if (std::holds_alternative<None>(call.value("axis").held)) {
    // Python's own numbers give way to the dtype of the arrays.
    const auto items = python_items(call.value("arrays"));
    for (size_t i = 0; items && i < arrays.size(); ++i) {
      const Operand one = operand(call, (*items)[i]);
      for (size_t k = 0; one.weak && k < arrays.size(); ++k) {
        const Operand other = operand(call, (*items)[k]);
        if (other.weak) continue;
        const DType common = common_dtype(one, other);
        arrays[i].storage = std::make_shared<Storage>(*arrays[i].storage);
        arrays[i].storage->contents = gather(elements_of(arrays[i]), common);
        arrays[i].dtype = common;
        break;
      }
    }
    call.relation(Relation::none);
    return concatenated(call, raveled(call, arrays), 0);
  }
  const int64_t axis = axis_argument(call);
  return concatenated(call, arrays, axis);
}

Value stack(Call& call) {
  std::vector<Tensor> arrays = given_arrays(call, "arrays");
  if (call.failed()) return {};
  if (arrays.empty()) return call.fail("ValueError", "need at least one array to stack", Msg::np_no_arrays);
  for (const Tensor& array : arrays)
    if (array.layout.sizes != arrays.front().layout.sizes)
      return call.fail("ValueError", "all input arrays must have the same shape", Msg::np_stack_shapes,
                       {to_string(arrays.front().layout.sizes), to_string(array.layout.sizes)});
  const Value& place = call.value("axis");
  if (!as_integer(place))
    return call.about("axis").fail_parser({"'", attribute_type(place), "' object cannot be interpreted as an integer"},
                                          Msg::np_not_an_integer, {type_name(place)});
  const int axis = numpy_axis(call, *as_integer(place), arrays.front().layout.rank() + 1);
  if (call.failed()) return {};
  if (arrays.front().layout.sizes.full())
    return call.fail("IndexError", "number of dimensions must be within [0, 64], indexing result would have 65",
                     Msg::np_too_many_axes, {max_rank});
  const Dims own = arrays.front().layout.sizes;
  for (Tensor& array : arrays) array.layout = insert_dim(array.layout, axis, 0);
  const Value result = joined(call, arrays, axis, options_of(call));
  call.why(Msg::np_stack_new, {axis, static_cast<int64_t>(arrays.size()), to_string(own)});
  return result;
}

/// vstack, hstack, dstack, column_stack: at least so many dimensions, then concatenate.
Value stack_along(Call& call, int least, int axis) {
  std::vector<Tensor> arrays = given_arrays(call, "tup");
  if (call.failed()) return {};
  for (Tensor& array : arrays) {
    Layout& layout = array.layout;
    const bool column = call.name() == "numpy.column_stack";
    if (layout.rank() == 0)
      layout = {Dims::filled(least, 1), Dims::filled(least, unit_of(array)), layout.storage_offset};
    if (layout.rank() == 1 && least > 1) layout = insert_dim(layout, column ? 1 : 0, 0);
    if (layout.rank() == 2 && least > 2) layout = insert_dim(layout, 2, 0);
  }
  const bool lines = call.name() == "numpy.hstack" && !arrays.empty() && arrays.front().layout.rank() == 1;
  return concatenated(call, arrays, lines ? 0 : axis);
}

Value append(Call& call) {
  std::vector<Tensor> arrays;
  for (const char* parameter : {"arr", "values"}) {
    const TensorRef array = array_or_strings(call, call.value(parameter));
    if (call.failed()) return {};
    arrays.push_back(*array->tensor);
  }
  if (call.given("axis")) return concatenated(call, arrays, axis_argument(call));
  return concatenated(call, raveled(call, arrays), 0);
}

}  // namespace

std::span<const Op> numpy_join_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind')\nnp.concat(arrays, /, axis=0, "
       "out=None, *, dtype=None, casting='same_kind')",
       Msg::op_np_concatenate, "sizes[axis] add up; the axes keep the order of |strides| the arrays agree on",
       "x = np.arange(6).reshape(2, 3)\ny = np.concatenate([x, x], axis=1)", concatenate, Op::Structured::arrays},
      {Library::numpy, "np.stack(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')", Msg::op_np_stack,
       "a new axis, one place for each array", "x = np.arange(6).reshape(2, 3)\ny = np.stack([x, x])", stack,
       Op::Structured::arrays},
      {Library::numpy,
       "np.vstack(tup, *, dtype=None, casting='same_kind')\nnp.row_stack(tup, *, dtype=None, casting='same_kind')",
       Msg::op_np_vstack, "at least 2 axes, joined along axis 0", "y = np.vstack([np.arange(3), np.arange(3)])",
       [](Call& call) { return stack_along(call, 2, 0); }, Op::Structured::arrays},
      {Library::numpy, "np.hstack(tup, *, dtype=None, casting='same_kind')", Msg::op_np_hstack,
       "joined along axis 1, one-dimensional arrays along axis 0", "y = np.hstack([np.arange(3), np.arange(3)])",
       [](Call& call) { return stack_along(call, 1, 1); }, Op::Structured::arrays},
      {Library::numpy, "np.dstack(tup)", Msg::op_np_dstack, "at least 3 axes, joined along axis 2",
       "y = np.dstack([np.arange(3), np.arange(3)])", [](Call& call) { return stack_along(call, 3, 2); },
       Op::Structured::arrays},
      {Library::numpy, "np.column_stack(tup)", Msg::op_np_column_stack, "one-dimensional arrays become columns",
       "y = np.column_stack([np.arange(3), np.arange(3)])", [](Call& call) { return stack_along(call, 2, 1); },
       Op::Structured::arrays},
      {Library::numpy, "np.append(arr, values, axis=None)", Msg::op_np_append,
       "np.concatenate, of raveled arrays without an axis", "y = np.append(np.arange(3), [7, 8])", append,
       Op::Structured::strings},
  };
  return rows;
}

}  // namespace stridescope
