// Functions of NumPy's that call a function they are handed: apply_along_axis and fromfunction, run as NumPy writes
// them in Python.
#include <algorithm>

#include "layout/transform.h"
#include "ops/explanation.h"
#include "ops/numpy/numpy.h"
#include "ops/python/interpreter.h"

namespace stridescope {

Interpreter::Result Interpreter::with_function(std::span<const Form* const> overloads, Arguments arguments,
                                               const Expr& at) {
  const Form& form = *overloads.front();
  if (bind(form, arguments).misfit) return invoke(overloads, arguments, at.span);  // which says why
  // What is given by the name of a parameter is put in its place.
  auto& named = arguments.named;
  arguments.named_written.resize(named.size());
  arguments.written.resize(arguments.positional.size());
  for (size_t k = arguments.positional.size(); k < form.parameters.size() && !form.parameters[k].keyword_only; ++k) {
    const auto found =
        std::find_if(named.begin(), named.end(), [&](const auto& one) { return one.first == form.parameters[k].name; });
    if (found == named.end()) break;
    const auto written = arguments.named_written.begin() + (found - named.begin());
    arguments.positional.push_back(found->second);
    arguments.written.push_back(*written);
    arguments.named_written.erase(written);
    named.erase(found);
  }
  if (form.name.starts_with("einops.")) return einops(form, arguments, at);
  const size_t before = step_->applied.size();
  if (form.name == "numpy.fromfunction") {
    const Result result = from_function(arguments, at);
    if (!result) return result;
    // Its own part is to make what the function is called with.
    Applied& own = step_->applied[before];
    own.op = form.op;
    own.why.lines.insert(own.why.lines.begin(),
                         Message(Msg::np_from_function_headline, {to_string(arguments.positional[1])}));
    return result;
  }
  const Result result = apply_along_axis(arguments, at);
  if (!result) return result;
  // A line is taken, handed on and put in its place as often as there are lines: all of it is one operation.
  Applied own;
  own.span = at.span;
  own.title = title(at.span);
  own.op = form.op;
  own.inputs = step_->applied[before].inputs;
  own.result = frozen(*result);
  own.relation = Relation::fresh;
  own.why.lines = {Message(Msg::np_along_headline, {to_string(arguments.positional[1])}),
                   Message(Msg::np_hidden_owner)};
  complete_reasons(own);
  step_->applied.resize(before);
  step_->applied.push_back(std::move(own));
  return result;
}

/// function(*np.indices(shape, dtype=dtype), **keywords)
Interpreter::Result Interpreter::from_function(const Arguments& arguments, const Expr& at) {
  Arguments asked{{arguments.positional[1]}, {{"dtype", Value{Symbol{"float", nullptr}}}}, {}, {}, {}};
  Arguments given;
  for (const auto& [name, value] : arguments.named) {
    if (name == "dtype" && std::holds_alternative<None>(value.held)) continue;  // floats, too
    if (name == "dtype")
      asked.named.front().second = value;
    else if (name != "like")
      given.named.emplace_back(name, value);
    else if (!std::holds_alternative<None>(value.held))
      return fail(limit(Msg::not_modelled, {"NumPy", "like="}), at.span);
  }
  asked.named_written.resize(asked.named.size());
  const Result places = invoke(find_forms(Library::numpy, Form::Kind::function, "numpy.indices"), asked, at.span);
  auto axes = places ? items_of(*places, at.span) : std::nullopt;
  if (!axes) return std::nullopt;
  given.positional = std::move(*axes);
  return call(arguments.positional[0], std::move(given), at);
}

/// The function called with every line along the axis; what it gives stands side by side in a new array, which is seen
/// with those axes in the place of the line's.
Interpreter::Result Interpreter::apply_along_axis(const Arguments& arguments, const Expr& at) {
  const auto run = [&](Form::Kind kind, std::string_view name, std::vector<Value> values) {
    return invoke(find_forms(Library::numpy, kind, name), {std::move(values), {}, {}, {}, {}}, at.span);
  };
  const Value &function = arguments.positional[0], &asked = arguments.positional[1];
  Value given = arguments.positional[2];
  const auto as_array_of = [&](const Value& value) {
    return tensor_of(value) ? Result(value) : run(Form::Kind::function, "numpy.asanyarray", {value});
  };
  const Result source = as_array_of(given);
  if (!source) return std::nullopt;
  const Tensor array = *tensor_of(*source);
  if (array.library != Library::numpy) return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.span);
  const int rank = array.layout.rank();
  const auto number = as_index(asked);
  if (!number) {
    Diagnostic problem =
        python_error("TypeError", {"'", attribute_type(asked), "' object cannot be interpreted as an integer"},
                     Msg::np_not_an_integer, {type_name(asked)});
    problem.raised->parser = true;
    return fail(std::move(problem), at.span);
  }
  if (*number < -rank || *number >= rank)
    return fail(python_error("AxisError", {"axis ", *number, " is out of bounds for array of dimension ", rank},
                             Msg::np_axis_out_of_range, {*number, rank}),
                at.span);
  const int axis = static_cast<int>(*number < 0 ? *number + rank : *number);
  const Dims order = moved_dims(rank, {axis}, {rank - 1});
  const Result lines = run(Form::Kind::function, "numpy.transpose", {*source, tuple_of(order)});
  if (!lines) return std::nullopt;
  Dims outer = array.layout.sizes;
  outer.erase(axis);
  const auto count = numel(outer);
  if (count == 0)
    return fail(python_error("ValueError", "Cannot apply_along_axis when any iteration dimensions are 0",
                             Msg::np_no_lines, {to_string(array.layout.sizes)}),
                at.span);
  if (!count || *count > max_operations) return fail(limit(Msg::too_many_operations, {max_operations}), at.span);
  Value held;
  int inner = 0;
  for (int64_t line = 0; line < *count; ++line) {
    std::vector<Value> place;
    for (const int64_t k : index_at(outer, line)) place.push_back({k});
    const Value written = list_of(place, Sequence::Kind::tuple);
    place.push_back({Ellipsis{}});
    const Result part = run(Form::Kind::subscript, "[]", {*lines, list_of(std::move(place), Sequence::Kind::tuple)});
    if (!part) return std::nullopt;
    Arguments to{{*part}, arguments.named, {}, {}, {}};
    to.named_written.resize(to.named.size());
    to.positional.insert(to.positional.end(), arguments.positional.begin() + 3, arguments.positional.end());
    const Result answer = call(function, std::move(to), at);
    const Result result = answer ? as_array_of(*answer) : std::nullopt;
    if (!result) return std::nullopt;
    const TensorPtr made = tensor_of(*result);
    if (made->library != Library::numpy) return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.span);
    if (line == 0) {
      inner = made->layout.rank();
      Dims sizes = outer;
      for (const int64_t size : made->layout.sizes) {
        if (sizes.full()) return fail(limit(Msg::np_too_many_axes, {max_rank}), at.span);
        sizes.push_back(size);
      }
      const Result zeros = run(Form::Kind::function, "numpy.zeros", {tuple_of(sizes), dtype_object(made->dtype)});
      if (!zeros) return std::nullopt;
      held = *zeros;
    }
    if (!run(Form::Kind::store, "[]", {held, written, *result})) return std::nullopt;
  }
  Dims seen;
  const int all = rank - 1 + inner;
  for (int d = 0; d < all; ++d) seen.push_back(d < axis ? d : d < axis + inner ? d - axis + rank - 1 : d - inner);
  return run(Form::Kind::function, "numpy.transpose", {held, tuple_of(seen)});
}

}  // namespace stridescope
