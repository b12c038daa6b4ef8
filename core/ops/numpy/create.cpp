// New arrays.
#include <algorithm>

#include "ops/lent_memory.h"
#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/python/builtin_numbers.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Whether the values mean nothing.
bool is_empty(const Call& call) { return call.name().find("empty") != std::string_view::npos; }

/// zeros, ones, full, empty and their _like forms.
Value filled(Call& call, const Dims& sizes, DType dtype, Order order, const Scalar& value) {
  const Layout layout = owned_layout(call, sizes, dtype, order);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  if (is_empty(call))
    call.why(Msg::np_empty_headline, {to_string(sizes), name(dtype)});
  else
    call.why(Msg::np_filled_headline, {to_string(sizes), label(value), name(dtype)});
  if (count == 0) call.why(Msg::np_empty_strides);
  return call.fresh(dtype, layout, constant_contents(converted(value, dtype), count));
}

/// The same of structures, each of that value; null for bytes of 0, which are no strings but empty ones.
Value filled_structures(Call& call, const StructurePtr& structure, const Layout& layout, const Value* value) {
  if (call.failed()) return {};
  const int64_t count = *numel(layout.sizes);
  if (structure->is_swapped())
    call.why(Msg::np_swapped_headline, {to_string(layout.sizes), structure->itemsize, to_string(*structure)});
  else if (structure->is_string())
    call.why(Msg::np_strings_headline, {to_string(layout.sizes), structure->itemsize, structure->length()});
  else
    call.why(Msg::np_structures_headline, {to_string(layout.sizes), structure->itemsize, to_string(*structure)});
  const bool text = value && std::holds_alternative<std::string>(value->held);
  if (value && ((structure->is_raw() && !is_bytes(*value)) || (structure->is_swapped() && text)))
    return refuse_elements(call, *structure);
  const Value made = call.fresh(of_structure(structure), layout,
                                constant_contents(integer_scalar(0, DType::uint8), count * structure->itemsize));
  if (call.failed() || !value || (structure->is_string() && count == 0)) return made;
  const size_t said = call.said();
  // np.copyto() makes an array of it first, of which each element is for all fields: a tuple is one of numbers.
  const bool fields = structure->has_fields() && !tensor_of(*value), text_too = is_no_number(*value);
  if (fields && text_too && std::holds_alternative<Sequence>(value->held)) return refuse_elements(call, *structure);
  const Value source = fields && !text_too && !is_none(*value) ? Value{as_array(call, *value)} : *value;
  if (!call.failed()) assign_structures(call, *tensor_of(made), source);
  call.unsay(said);
  call.relation(Relation::fresh);
  return made;
}

Value filled(Call& call, int64_t value) {
  const Dims sizes = call.given("shape") ? numpy_shape(call, call.value("shape")) : Dims{};
  const Value one{value};
  if (const StructurePtr structure = with_room(structure_argument(call)))
    return filled_structures(call, structure, owned_layout(call, sizes, structure->itemsize, allocation_order(call)),
                             value == 0 ? nullptr : &one);
  if (is_foreign_dtype(call.value("dtype"))) allocation_order(call);
  const auto dtype = dtype_argument(call);
  const Order order = allocation_order(call);
  if (call.failed()) return {};
  return filled(call, sizes, dtype.value_or(DType::float64), order,
                integer_scalar(value, dtype.value_or(DType::float64)));
}

/// A new array and np.copyto(array, fill_value, casting='unsafe').
Value filled_with(Call& call, const Layout& layout, DType dtype, const Value& fill_value) {
  if (call.failed()) return {};
  const int64_t count = *numel(layout.sizes);
  const bool text = std::holds_alternative<std::string>(fill_value.held);
  if (text && count == 0) return filled_with(call, layout, dtype, Value{int64_t{0}});  // nobody reads it
  if (text && dtype != DType::boolean && !is_complex(dtype))
    if (const auto problem = (is_integer(dtype) ? to_integer : to_real)({fill_value}).problem;
        problem && problem->raised)
      return call.fail("ValueError",
                       {is_integer(dtype) ? "invalid literal for int() with base 10: np.str_("
                                          : "could not convert string to float: np.str_(",
                        to_string(fill_value), ")"},
                       problem->reason);
  // Any class is true.
  const bool truth = dtype == DType::boolean && std::holds_alternative<Symbol>(fill_value.held);
  const TensorRef value =
      as_array(call, truth ? Value{true} : fill_value, has_dtype(fill_value) ? std::nullopt : std::optional(dtype));
  if (call.failed()) return {};
  const bool one = value->tensor->layout.rank() == 0;
  const bool known = is_known(*elements_of(*value->tensor).contents);
  const Scalar first = one && known ? converted(element(elements_of(*value->tensor), 0), dtype) : Scalar{dtype};
  if (is_empty(call))
    call.why(Msg::np_empty_headline, {to_string(layout.sizes), name(dtype)});
  else if (one)
    call.why(Msg::np_filled_headline, {to_string(layout.sizes), known ? label(first) : "?", name(dtype)});
  else
    call.why(Msg::np_filled_with_array, {to_string(layout.sizes), to_string(value->tensor->layout.sizes), name(dtype)});
  if (count == 0) call.why(Msg::np_empty_strides);
  const Value made =
      call.fresh(dtype, layout, one && !known ? unknown_contents(dtype, count) : constant_contents(first, count));
  if (one || call.failed()) return made;
  numpy_assign(call, *tensor_of(made), value, Casting::unsafe);
  call.relation(Relation::fresh);
  return made;
}

/// The layout of a new array like `array`, of elements of `unit` bytes, its sizes perhaps others.
Layout layout_like(Call& call, const Tensor& array, NumpyOrder order, int64_t unit) {
  const Dims& own = array.layout.sizes;
  const Dims sizes = call.given("shape") ? numpy_shape(call, call.value("shape")) : own;
  if (call.failed()) return {};
  if (order == NumpyOrder::keep && sizes.size() != own.size()) order = NumpyOrder::c;
  const bool c = is_contiguous(array.layout, unit_of(array)), f = is_f_contiguous(array.layout, unit_of(array));
  if (order == NumpyOrder::keep && (c || sizes.size() <= 1)) order = NumpyOrder::c;
  if (order == NumpyOrder::keep && f) order = NumpyOrder::fortran;
  Layout layout = owned_layout(call, sizes, unit, order == NumpyOrder::keep ? Order::c : resolved_order(array, order));
  if (order != NumpyOrder::keep || numel(sizes) == 0 || call.failed()) return layout;
  // Neither order: the axes as they lie in memory, each packed inside the one before.
  int64_t stride = unit;
  const Dims axes = slowest_first(array.layout);
  for (int k = axes.size() - 1; k >= 0; --k) {
    const int d = static_cast<int>(axes[k]);
    layout.strides[d] = stride;
    stride *= sizes[d];
  }
  return layout;
}

/// With `fill`, or zeros where it is null.
Value filled_like(Call& call, const Value* fill) {
  if (is_foreign_dtype(call.value("dtype")) && call.given("shape")) numpy_shape(call, call.value("shape"));
  if (call.failed()) return {};
  const StructurePtr structure = with_room(structure_argument(call));
  const auto wanted = structure ? std::nullopt : dtype_argument(call);
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
  if (const Value& subok = call.value("subok"); !as_integer(subok))
    call.about("subok").fail_parser({"'", attribute_type(subok), "' object cannot be interpreted as an integer"},
                                    Msg::np_not_an_integer, {type_name(subok)});
  // What is no number is one object.
  const Value& like = call.first();
  const bool object = wanted && (std::holds_alternative<Symbol>(like.held) || std::holds_alternative<None>(like.held));
  const TensorRef prototype = object ? as_array(call, Value{int64_t{0}}) : receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *prototype->tensor;
  const DType dtype = wanted.value_or(array.dtype);
  const StructurePtr& made_of = structure || wanted ? structure : array.structure;
  const Layout layout = layout_like(call, array, order, made_of ? made_of->itemsize : itemsize(dtype));
  const Value made = made_of ? filled_structures(call, made_of, layout, fill)
                             : filled_with(call, layout, dtype, fill ? *fill : Value{int64_t{0}});
  call.why(Msg::np_like_strides, {to_string(layout.strides), to_string(array.layout.strides)});
  return made;
}

Value full(Call& call) {
  const Dims sizes = call.given("shape") ? numpy_shape(call, call.value("shape")) : Dims{};
  const Value& fill_value = call.value("fill_value");
  if (const StructurePtr structure = with_room(structure_argument(call)))
    return filled_structures(call, structure, owned_layout(call, sizes, structure->itemsize, allocation_order(call)),
                             &fill_value);
  if (!call.given("dtype") && (holds_strings(fill_value) || is_string_array(fill_value))) {
    const TensorRef text = tensor_of(fill_value) ? as_array(call, fill_value) : string_array(call, nullptr, fill_value);
    if (call.failed()) return {};
    const StructurePtr& string = text->tensor->structure;
    const Value value{text};
    return filled_structures(call, string, owned_layout(call, sizes, string->itemsize, allocation_order(call)), &value);
  }
  const bool foreign = is_foreign_dtype(call.value("dtype"));
  auto wanted = foreign ? std::nullopt : dtype_argument(call);
  const Order order = allocation_order(call);
  if (!call.failed() && std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; }))
    return call.about("shape").fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size,
                                    {to_string(sizes)});
  if (foreign) wanted = dtype_argument(call);
  if (call.failed()) return {};
  const bool pair = std::holds_alternative<ComplexFloat>(call.value("fill_value").held);
  const TensorRef value = wanted && !pair ? nullptr : as_array(call, call.value("fill_value"));
  if (call.failed()) return {};
  const DType dtype = wanted ? *wanted : value->tensor->dtype;
  return filled_with(call, owned_layout(call, sizes, dtype, order), dtype,
                     pair ? Value{value} : call.value("fill_value"));
}

Value eye(Call& call) {
  const int64_t rows = call.integer(call.name().ends_with("eye") ? "N" : "n"),
                columns = call.given("M") ? call.integer("M") : rows,
                shift = static_cast<int64_t>(as_real(call.value("k")).value_or(0));
  if (is_foreign_dtype(call.value("dtype")))
    owned_layout(call, {rows, columns}, DType::boolean, allocation_order(call));
  const DType dtype = dtype_argument(call).value_or(DType::float64);
  const Order order = allocation_order(call);
  if (call.failed()) return {};
  const Value made = filled(call, {rows, columns}, dtype, order, integer_scalar(0, dtype));
  if (call.failed()) return {};
  const Value& k = call.value("k");
  if (const TensorPtr many = tensor_of(k); many && count_of(*many) != 1) return call.truth("k"), Value{};
  if (call.name().ends_with("eye") && tensor_of(k) && tensor_of(k)->layout.rank() > 0)
    return call.integer("k"), Value{};
  // What lies beyond all columns is not looked at any further.
  const auto* real = std::get_if<Float>(&k.held);
  if (call.name().ends_with("eye") && (!as_real(k) || (real && !(*real >= static_cast<double>(columns)))))
    return call.about("k").fail_parser({"'", attribute_type(k), "' object cannot be interpreted as an integer"},
                                       Msg::argument_has_type, {"k", "int", type_name(k)});
  Tensor ones = *tensor_of(made);
  ones.layout = diagonal(ones.layout, std::clamp(shift, -rows - 1, columns + 1), 0, 1);
  call.why(Msg::np_eye, {ones.layout.sizes[0], ones.layout.strides[0]});
  call.write(ones,
             {constant_contents(integer_scalar(1, dtype), 1), broadcast_to({{}, {}, 0}, ones.layout.sizes), dtype});
  call.relation(Relation::fresh);
  return made;
}

/// A list where one number is wanted.
Value refuse_several(Call& call, DType dtype, const Value& item) {
  call.about("iter");
  if (is_floating(dtype))
    return call.fail("ValueError", "setting an array element with a sequence.", Msg::np_element_with_sequence,
                     {to_string(item, 40)});
  const std::string type = type_name(item);
  return call.fail_parser(
      is_complex(dtype)
          ? Slots{"must be real number, not ", type}
          : Slots{"int() argument must be a string, a bytes-like object or a real number, not '", type, "'"},
      Msg::not_a_number, {type});
}

/// np.fromiter: one number after another.
Value fromiter(Call& call) {
  if (call.given("like")) return call.about("like").refuse(Msg::not_modelled, {"NumPy", "like="});
  const DType dtype = call.given("dtype") ? dtype_argument(call).value_or(DType::float64) : DType::float64;
  const int64_t wanted = call.integer("count");
  if (call.failed()) return {};
  const Value& given = call.value("iter");
  const TensorPtr array = tensor_of(given);
  auto items = python_items(given);
  if (array && array->library == Library::numpy && array->layout.rank() == 1 && count_of(*array) <= small_cells) {
    items.emplace();
    for (int64_t i = 0; i < count_of(*array); ++i) items->push_back({scalar_at(elements_of(*array), i)});
  }
  if (array && array->library == Library::numpy && array->layout.rank() == 0)
    return call.about("iter").fail_parser("iteration over a 0-d array", Msg::not_iterable, {"ndarray"});
  if (array && array->library == Library::numpy && array->layout.rank() > 1 &&
      (array->layout.sizes[0] == 0 || count_of(*array) != array->layout.sizes[0])) {
    if (array->layout.sizes[0] == 0 || wanted == 0) {
      items.emplace();
    } else {
      Dims row = array->layout.sizes;
      row.erase(0);
      return is_complex(dtype)
                 ? call.about("iter").fail("TypeError", "only length-1 arrays can be converted to Python scalars",
                                           Msg::np_element_with_sequence, {to_string(row)})
                 : call.about("iter").fail("ValueError", "setting an array element with a sequence.",
                                           Msg::np_element_with_sequence, {to_string(row)});
    }
  }
  if (!items && (array || is_flat(given) || is_memory(given)))
    return call.about("iter").refuse(Msg::not_modelled, {"NumPy", "np.fromiter(" + type_name(given) + ")"});
  if (!items)
    return call.about("iter").fail_parser({"'", attribute_type(given), "' object is not iterable"}, Msg::not_iterable,
                                          {type_name(given)});
  std::vector<Scalar> values;
  for (const Value& item : *items) {
    if (static_cast<int64_t>(values.size()) == wanted) break;
    const auto* scalar = std::get_if<NumpyScalar>(&item.held);
    const bool number = !tensor_of(item) && (as_real(item) || std::holds_alternative<ComplexFloat>(item.held));
    if (const auto* several = std::get_if<Sequence>(&item.held); several && !is_iterator(several->kind)) {
      if (dtype != DType::boolean) return refuse_several(call, dtype, item);
      values.push_back({dtype, several->items->empty() ? 0 : 1});
      continue;
    }
    if (!scalar && !number)
      return call.about("iter").refuse(Msg::not_modelled, {"NumPy", "np.fromiter of " + type_name(item)});
    values.push_back(scalar ? stored_scalar(call, scalar->value(), dtype) : stored_scalar(call, item, dtype));
    if (call.failed()) return {};
  }
  const auto count = static_cast<int64_t>(values.size());
  if (count < wanted)
    return call.about("count").fail(
        "ValueError", {"iterator too short: Expected ", wanted, " but iterator had only ", count, " items."},
        Msg::np_fromiter_short, {wanted, count});
  use_up(given, wanted < 0 ? SIZE_MAX : static_cast<size_t>(wanted));
  call.why(Msg::np_array_headline, {to_string(Dims{count}), name(dtype)});
  return numpy_fresh(call, {count}, dtype, literal_contents(values, dtype));
}

}  // namespace

std::span<const Op> numpy_create_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.zeros(shape, dtype=None, order='C', *, device=None, like=None)", Msg::op_np_zeros,
       "strides[last] = itemsize;  strides[k] = strides[k+1] * sizes[k+1]", "x = np.zeros((2, 3))",
       [](Call& call) { return filled(call, 0); }},
      {Library::numpy, "np.ones(shape, dtype=None, order='C', *, device=None, like=None)", Msg::op_np_ones, "",
       "x = np.ones((2, 3), order='F')", [](Call& call) { return filled(call, 1); }},
      {Library::numpy, "np.empty(shape, dtype=None, order='C', *, device=None, like=None)", Msg::op_np_empty, "",
       "x = np.empty((2, 3))", [](Call& call) { return filled(call, 0); }},
      {Library::numpy, "np.full(shape, fill_value, dtype=None, order='C', *, device=None, like=None)", Msg::op_np_full,
       "", "x = np.full((2, 3), 7)", full},
      {Library::numpy, "np.zeros_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
       Msg::op_np_zeros_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.zeros_like(x)", [](Call& call) { return filled_like(call, nullptr); },
       Op::Structured::arrays},
      {Library::numpy, "np.ones_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
       Msg::op_np_ones_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.ones_like(x)",
       [](Call& call) {
         const Value one{int64_t{1}};
         return filled_like(call, &one);
       },
       Op::Structured::arrays},
      {Library::numpy, "np.empty_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
       Msg::op_np_empty_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.empty_like(x)", [](Call& call) { return filled_like(call, nullptr); },
       Op::Structured::arrays},
      {Library::numpy, "np.full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
       Msg::op_np_full_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.full_like(x, 7)",
       [](Call& call) { return filled_like(call, &call.value("fill_value")); }, Op::Structured::arrays},
      {Library::numpy, "np.eye(N: int, M: int = None, k=0, dtype=None, order='C', *, device=None, like=None)",
       Msg::op_np_eye, "1 where column - row == k", "x = np.eye(3, 4, 1)", eye},
      {Library::numpy, "np.identity(n: int, dtype=None, *, like=None)", Msg::op_np_identity, "1 where row == column",
       "x = np.identity(3)", eye},
      {Library::numpy, "np.fromiter(iter, dtype, count: int = -1, *, like=None)", Msg::op_np_fromiter, "",
       "y = np.fromiter(range(4), dtype=np.float32)", fromiter},
  };
  return rows;
}

}  // namespace stridescope
