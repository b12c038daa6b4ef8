// Each element from one of several arrays: by its number, or by the first condition that holds.
#include <algorithm>

#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Several operands: the items of a sequence, the rows of an array; nothing where the call failed.
std::optional<std::vector<Operand>> several(Call& call, const char* parameter) {
  const auto* written = std::get_if<Sequence>(&call.value(parameter).held);
  // A method takes them one by one too; what stands there alone is all of them.
  const bool alone = written && written->items->size() == 1 && call.one_by_one(parameter);
  const Value& given = alone ? written->items->front() : call.value(parameter);
  const auto* sequence = std::get_if<Sequence>(&given.held);
  std::vector<Operand> operands;
  if (sequence && !is_iterator(sequence->kind)) {
    for (const Value& item : *sequence->items) operands.push_back(operand(call, item));
  } else if (const TensorPtr array = tensor_of(given); array && array->layout.rank() > 0) {
    for (const TensorRef& row : as_arrays(call, given)) operands.push_back({row, false, {}});
  } else if (array) {
    call.about(parameter).fail_parser("iteration over a 0-d array", Msg::not_iterable, {type_name(given)});
  } else if (as_real(given) || std::holds_alternative<None>(given.held)) {
    call.about(parameter).fail_parser({"'", attribute_type(given), "' object is not iterable"}, Msg::not_iterable,
                                      {type_name(given)});
  } else {
    call.about(parameter).refuse(Msg::not_modelled, {"NumPy", std::string(parameter) + "=" + type_name(given)});
  }
  return call.failed() ? std::nullopt : std::optional(std::move(operands));
}

std::vector<TensorRef> arrays_of(const std::vector<Operand>& operands) {
  std::vector<TensorRef> arrays;
  for (const Operand& one : operands) arrays.push_back(one.array);
  return arrays;
}

Value choose(Call& call) {
  const TensorPtr out = tensor_of(call.value("out"));
  if (call.given("out") && !out)
    return call.about("out").fail("TypeError", "output must be an array", Msg::np_array_needed,
                                  {type_name(call.value("out"))});
  const char mode = clip_mode(call, call.value("mode"));
  if (call.failed()) return {};
  const TensorRef source = receiver(call);
  const auto choices = call.failed() ? std::nullopt : several(call, "choices");
  if (!choices) return {};
  if (choices->empty()) return call.about("choices").fail("ValueError", "0-length sequence.", Msg::np_no_arrays);
  if (!check_cast(call, *source->tensor, DType::int64, Casting::safe)) return {};
  const DType dtype = common_dtype(*choices);
  std::vector<TensorRef> arrays = arrays_of(*choices);
  arrays.push_back(source);
  const auto sizes = common_sizes(call, shapes_of(arrays));
  if (!sizes) return {};
  if (out && out->layout.sizes != *sizes)
    return call.about("out").fail("TypeError", "choose: invalid shape for output array.", Msg::np_out_sizes,
                                  {to_string(out->layout.sizes), to_string(*sizes)});
  const auto options = static_cast<int64_t>(choices->size());
  const int64_t count = numel(*sizes).value_or(INT64_MAX);
  std::vector<Elements> from;
  for (const TensorRef& array : arrays) {
    from.push_back(broadcast_elements(*array->tensor, *sizes));
    if (!call.few(from.back(), count)) return {};
  }
  std::vector<Scalar> chosen;
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = element(from.back(), i).integer;
    if (mode == 'w') number = ((number % options) + options) % options;
    if (mode == 'c') number = std::clamp<int64_t>(number, 0, options - 1);
    if (number < 0 || number >= options)
      return call.about_receiver().fail("ValueError", "invalid entry in choice array", Msg::np_choose_outside,
                                        {options});
    chosen.push_back(converted(element(from[static_cast<size_t>(number)], i), dtype));
  }
  call.why(Msg::np_choose_headline, {to_string(*sizes), options});
  if (out && !numpy_writeable(call, *out, "WRITEBACKIFCOPY base is read-only")) return {};
  if (out)
    return written_out(call, std::get<TensorRef>(call.value("out").held), literal_contents(chosen, dtype), dtype);
  return scalar_if_0d(call, numpy_fresh(call, *sizes, dtype, literal_contents(chosen, dtype)));
}

/// The default everywhere, then the choices from the last to the first copied to where their conditions hold.
Value select_row(Call& call) {
  auto choices = several(call, "choicelist");
  const auto conditions = choices ? several(call, "condlist") : std::nullopt;
  if (!conditions) return {};
  if (conditions->size() != choices->size())
    return call.fail("ValueError", "list of cases must be same length as list of conditions", Msg::np_select_counts,
                     {conditions->size(), choices->size()});
  if (conditions->empty())
    return call.fail("ValueError", "select with an empty condition list is not possible", Msg::np_no_arrays);
  choices->push_back(operand(call, call.value("default")));
  if (call.failed()) return {};
  const DType dtype = common_dtype(*choices);
  const std::vector<TensorRef> tests = arrays_of(*conditions), values = arrays_of(*choices);
  const auto of_tests = common_sizes(call, shapes_of(tests));
  const auto of_values = of_tests ? common_sizes(call, shapes_of(values)) : std::nullopt;
  if (!of_values) return {};
  for (size_t k = 0; k < tests.size(); ++k)
    if (const DType own = tests[k]->tensor->dtype; own != DType::boolean)
      return call.about("condlist", static_cast<int>(k))
          .fail("TypeError", {"invalid entry ", k, " in condlist: should be boolean ndarray"}, Msg::bools_needed,
                {name(own)});
  const auto sizes = common_sizes(call, {*of_tests, *of_values});
  if (!sizes) return {};
  const Layout layout = owned_layout(call, *sizes, dtype);
  if (call.failed()) return {};
  const ContentsPtr otherwise = gather(broadcast_elements(*values.back()->tensor, *sizes), dtype);
  if (!otherwise) return call.refuse(Msg::np_too_costly);
  const size_t said = call.said();
  const Value made = call.fresh(dtype, layout, otherwise);
  for (size_t k = tests.size(); k-- > 0 && !call.failed();)
    numpy_assign(call, *tensor_of(made), values[k], Casting::same_kind, tests[k]);
  if (call.failed()) return {};
  call.unsay(said);
  call.why(Msg::np_elementwise_headline, {*numel(*sizes), to_string(*sizes), name(dtype)});
  call.relation(Relation::fresh);
  return made;
}

/// The class of the dtype that NumPy promotes: of a number of Python's a class of its own.
std::string promoted_class(const Value& given, const Tensor& array) {
  if (std::holds_alternative<int64_t>(given.held)) return "numpy.dtypes._PyLongDType";
  if (std::holds_alternative<Float>(given.held)) return "numpy.dtypes._PyFloatDType";
  if (std::holds_alternative<ComplexFloat>(given.held)) return "numpy.dtypes._PyComplexDType";
  return type_name(array.structure ? Value{array.structure} : dtype_object(array.dtype));
}

/// What is chosen of strings, or of structures of one dtype: byte by byte.
Value where_bytes(Call& call, const Tensor& condition) {
  std::vector<Tensor> both;
  std::string classes[2];
  int alone = 0;  // that have no dtype in common with any other kind
  for (const char* parameter : {"x", "y"}) {
    const Value& given = call.value(parameter);
    const TensorRef array = array_or_strings(call, given);
    if (!array) return {};
    const std::string& own = classes[both.size()] = promoted_class(given, *array->tensor);
    alone += own.ends_with("VoidDType") || own.starts_with("numpy.dtypes._Py") ? 1 : 0;
    both.push_back(*array->tensor);
  }
  const auto& [a, b] = classes;
  if (alone == 1 || (alone == 2 && a != b))
    return call.fail("DTypePromotionError",
                     {"The DType <class '", a, "'> could not be promoted by <class '", b,
                      "'>. This means that no common DType exists for the given inputs. For example they cannot "
                      "be stored in a single array unless the dtype is `object`. The full list of DTypes is: "
                      "(<class '",
                      a, "'>, <class '", b, "'>)"},
                     Msg::operands_do_not_fit, {"where", type_name(call.value("x")), type_name(call.value("y"))});
  const std::vector shapes{condition.layout.sizes, both[0].layout.sizes, both[1].layout.sizes};
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) return refuse_shapes(call, shapes);
  const Dims slowest = iteration_order({broadcast_to(condition.layout, *sizes), broadcast_to(both[0].layout, *sizes),
                                        broadcast_to(both[1].layout, *sizes)});
  if (is_of_strings(both[0]) || is_of_strings(both[1])) both = as_one_string(call, both);
  if (call.failed()) return {};
  if (!copies_whole(both[0], both[1])) return call.refuse(Msg::np_structures_not_modelled, {std::string(call.name())});
  const int64_t unit = unit_of(both[0]);
  Layout layout = owned_layout(call, *sizes, unit);
  if (call.failed()) return {};
  if (sizes->full()) return too_many_axes(call, max_rank + 1);
  if (numel(*sizes) != 0) layout.strides = packed_slowest_first(*sizes, slowest, unit);
  Elements truth = broadcast_elements(condition, *sizes);
  truth.layout = permute(truth.layout, slowest);
  truth.layout.sizes.push_back(unit);
  truth.layout.strides.push_back(0);
  std::vector operands{truth};
  for (const Tensor& array : both)
    operands.push_back(copied_elements(array, permute(broadcast_to(array.layout, *sizes), slowest)));
  call.why(Msg::np_elementwise_headline, {*numel(*sizes), to_string(*sizes), dtype_text(both[0])});
  if (layout.strides != contiguous(*sizes, unit).strides && numel(*sizes) != 0)
    call.why(Msg::np_elementwise_order, {to_string(layout.strides)});
  return call.fresh(both[0], layout, elementwise(Arithmetic::where, operands, DType::uint8, DType::uint8));
}

/// np.where(condition, x, y), or where the condition holds.
Value where_row(Call& call) {
  const TensorRef condition = as_array(call, call.value("condition"));
  for (const char* parameter : {"x", "y"})
    if (!call.given(parameter) && call.argument(parameter) != Span{})  // None is an object there
      return call.about(parameter).refuse(Msg::np_not_numeric, {"NoneType"});
  if (call.given("x") != call.given("y"))
    return call.fail("ValueError", "either both or neither of x and y should be given", Msg::missing_argument,
                     {call.name(), "x, y", call.form().text});
  if (!call.given("x")) return call.failed() ? Value{} : numpy_nonzero(call, *condition->tensor);
  if (call.failed()) return {};
  if (condition->tensor->structure)
    return call.about("condition").refuse(Msg::np_strings_not_modelled, {std::string(call.name())});
  if (is_no_number(call.value("x")) || is_no_number(call.value("y"))) return where_bytes(call, *condition->tensor);
  const Operand a = operand(call, call.value("x")), b = operand(call, call.value("y"));
  return call.failed() ? Value{} : chosen_where(call, *condition->tensor, a, b);
}

}  // namespace

Value chosen_where(Call& call, const Tensor& condition, const Operand& a, const Operand& b) {
  const std::vector<const Tensor*> tensors{&condition, &*a.array->tensor, &*b.array->tensor};
  const std::vector<Dims> shapes{tensors[0]->layout.sizes, tensors[1]->layout.sizes, tensors[2]->layout.sizes};
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) return refuse_shapes(call, shapes);
  const DType dtype = common_dtype(a, b);
  owned_layout(call, *sizes, dtype);
  if (call.failed()) return {};
  std::vector<Layout> layouts;
  std::vector<Elements> operands;
  for (const Tensor* tensor : tensors) {
    operands.push_back(broadcast_elements(*tensor, *sizes));
    layouts.push_back(operands.back().layout);
  }
  const Dims slowest = iteration_order(layouts);
  for (Elements& one : operands) one.layout = permute(one.layout, slowest);
  const bool none = numel(*sizes) == 0;
  const Layout layout{
      *sizes, none ? Dims::filled(sizes->size(), 0) : packed_slowest_first(*sizes, slowest, itemsize(dtype)), 0};
  call.why(Msg::np_elementwise_headline, {*numel(*sizes), to_string(*sizes), name(dtype)});
  if (!none && layout.strides != contiguous(*sizes, itemsize(dtype)).strides)
    call.why(Msg::np_elementwise_order, {to_string(layout.strides)});
  return call.fresh(dtype, layout, elementwise(Arithmetic::where, operands, dtype, dtype));
}

std::span<const Op> numpy_choose_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.choose(a, choices, out=None, mode='raise')\nx.choose(*choices, out=None, mode='raise')",
       Msg::op_np_choose, "y[i] = choices[a[i]][i], all broadcast",
       "x = np.array([1, 0, 1])\ny = np.choose(x, [np.arange(3), 9])", choose},
      {Library::numpy, "np.where(condition, x=None, y=None, /)", Msg::op_np_where,
       "operands are seen under the common shape; the axes of the result keep the order of |strides|",
       "x = np.arange(6).reshape(2, 3)\ny = np.where(x > 2, x, 0)", where_row, Op::Structured::elements},
      {Library::numpy, "np.select(condlist, choicelist, default=0)", Msg::op_np_select,
       "the first that holds decides; default where none does",
       "x = np.arange(6)\ny = np.select([x < 2, x > 3], [x, 9])", select_row},
  };
  return rows;
}

}  // namespace stridescope
