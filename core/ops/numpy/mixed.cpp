// What NumPy makes of PyTorch's tensors. Most functions read their memory as an array. Ufuncs reckon with it and give
// tensors, for a tensor asks to be given its like (__array_wrap__); so do functions in Python that would leave the work
// to the tensor's own method of their name, which does not understand them. What else asks the tensor is left out here.
#include <algorithm>
#include <array>

#include "layout/contiguity.h"
#include "ops/members.h"
#include "ops/numpy/ufunc.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

bool is_given_tensor(const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  return tensor && tensor->library == Library::torch;
}

/// Whether an argument is a tensor itself: inside a list it is an array like any other.
bool takes_one(const Call& call) {
  const auto& parameters = first_form(*call.form().op).parameters;
  return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
    return is_given_tensor(call.value(std::string(parameter.name).c_str()));
  });
}

/// A ufunc, an operator, or a ufunc's method that reckons with what an array holds.
bool reckons(const Call& call) {
  std::string_view name = call.name();
  if (call.form().kind == Form::Kind::binary || name == "clip" || name == "numpy.clip") return true;
  if (!name.starts_with("numpy.")) return false;
  for (const std::string_view method : {".reduce", ".accumulate"})
    if (name.ends_with(method)) name.remove_suffix(method.size());
  return is_ufunc(name) || name == "numpy.linalg.matmul" || name == "numpy.linalg.vecdot" || name == "numpy.divmod" ||
         name == "numpy.mod" || name == "numpy.true_divide";
}

template <size_t Count>
bool among(const std::string_view (&names)[Count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Functions whose array is a tensor's memory where the tensor's own method refuses what they ask it for.
constexpr std::string_view wrapped_functions[] = {
    "argpartition", "argmax", "argmin", "argsort", "around", "compress", "cumprod",      "cumsum",
    "permute_dims", "ptp",    "repeat", "reshape", "round",  "take",     "searchsorted", "transpose"};
/// Reductions hand axis= and out= on to the tensor's method, which takes no such pair.
constexpr std::string_view handed_on[] = {"all", "amax", "amin", "any", "max", "mean",
                                          "min", "prod", "std",  "sum", "var"};
/// What the tensor's own method does, and what takes a tensor apart as if it were an array.
constexpr std::string_view asks_tensor[] = {
    "isposinf",    "isneginf",   "logspace",        "argwhere", "array_split",    "astype",
    "block",       "choose",     "delete",          "dsplit",   "fill_diagonal",  "flip",
    "fliplr",      "flipud",     "hsplit",          "imag",     "insert",         "isfortran",
    "isreal",      "linspace",   "moveaxis",        "nonzero",  "put_along_axis", "real",
    "result_type", "rollaxis",   "rot90",           "size",     "split",          "squeeze",
    "swapaxes",    "trim_zeros", "take_along_axis", "unstack",  "vsplit"};

/// The function's name behind "numpy.": empty of methods and operators.
std::string_view function_of(const Call& call) {
  return call.name().starts_with("numpy.") ? call.name().substr(6) : std::string_view();
}

Value as_one_tensor(Call& call, const Value& made) {
  Value value = made;
  if (const auto* scalar = std::get_if<NumpyScalar>(&made.held))
    value = call.fresh(scalar->dtype(), contiguous({}, itemsize(scalar->dtype())),
                       scalar->is_known() ? literal_contents(std::array{scalar->value()}, scalar->dtype())
                                          : unknown_contents(scalar->dtype(), 1));
  TensorPtr array = tensor_of(value);
  if (!array) return made;
  if (array->dtype == DType::boolean) {
    array = tensor_of(numpy_copy(call, *array, NumpyOrder::keep, DType::uint8));
    if (call.failed()) return {};
  }
  return tensor_on(call, *array);
}

}  // namespace

bool takes_tensors(Call& call) {
  const std::string_view function = function_of(call);
  if (reckons(call) && is_given_tensor(call.value("out")))
    return call.about("out").fail_parser("return arrays must be of ArrayType", Msg::np_array_needed,
                                         {type_name(call.value("out"))}),
           false;
  const bool first = is_given_tensor(call.first());
  if (first && among(handed_on, function)) {
    const std::string_view method = function.substr(function.starts_with("am") ? 1 : 0);
    call.about_receiver().fail_parser({method, "() received an invalid combination of arguments"}, Msg::np_handed_on,
                                      {function, method});
    return false;
  }
  if (first && (function == "concatenate" || function == "concat"))
    return call.about_receiver().fail_parser("The first input argument needs to be a sequence", Msg::np_wants_arrays,
                                             {type_name(call.first())}),
           false;
  const TensorPtr like = first && function.ends_with("_like") ? tensor_of(call.first()) : nullptr;
  const bool in_pieces = like && !is_contiguous(like->layout, 1);
  if (in_pieces || (among(asks_tensor, function) && (takes_one(call) || function == "result_type")))
    return call.refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(Tensor)"}), false;
  return true;
}

Value as_tensors(Call& call, const Value& made) {
  const bool wraps = reckons(call)
                         ? takes_one(call) && !call.given("out")
                         : among(wrapped_functions, function_of(call)) &&
                               is_given_tensor(function_of(call) == "compress" ? call.value("a") : call.first());
  if (!wraps) return made;
  const size_t said = call.said();
  const TensorPtr array = first_tensor(made);
  const TensorPtr own = tensor_of(call.first());
  const bool shares = array && own && array->storage == own->storage;
  Value result = made;
  if (const auto* parts = std::get_if<Sequence>(&made.held)) {
    std::vector<Value> tensors;
    for (const Value& part : *parts->items) tensors.push_back(as_one_tensor(call, part));
    result = call.tuple(std::move(tensors));
  } else {
    result = as_one_tensor(call, made);
  }
  if (call.failed()) return {};
  call.unsay(said);
  call.why(Msg::np_wraps);
  call.relation(shares ? Relation::view : Relation::fresh);
  return result;
}

}  // namespace stridescope
