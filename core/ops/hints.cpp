// What to do about a failed call that its row has no better word for.
#include <algorithm>
#include <array>
#include <charconv>

#include "ops/explanation.h"
#include "ops/fitting.h"
#include "ops/op.h"
#include "ops/suggest.h"

namespace stridescope {
namespace {

std::optional<int64_t> number_in(std::string_view text) {
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The number nearest to the one at fault that would do, by the sentence that says why it does not.
std::optional<int64_t> nearest_fit(const Message& reason) {
  std::array<int64_t, 4> numbers{};
  for (size_t i = 0; i < std::min(reason.args.size(), numbers.size()); ++i)
    numbers[i] = number_in(reason.args[i].text).value_or(0);
  const auto end = [&](int64_t size) {
    return size == 0 ? std::nullopt : std::optional(numbers[0] < 0 ? -size : size - 1);
  };
  switch (reason.id) {
    case Msg::dim_out_of_range: return numbers[0] < 0 ? numbers[2] : numbers[3];
    case Msg::dim_out_of_range_scalar: return 0;
    case Msg::np_axis_out_of_range: return end(numbers[1]);
    case Msg::index_out_of_range:
    case Msg::np_index_out_of_bounds: return end(numbers[2]);
    case Msg::unfold_too_long: return numbers[2];
    case Msg::pieces_positive:
    case Msg::np_split_sections:
    case Msg::unfold_step: return 1;
    case Msg::narrow_exceeds: return numbers[3] - numbers[0];
    default: return std::nullopt;
  }
}

/// The name that was probably meant: an argument's, or a dtype's or a memory format's where it stands as a string.
std::optional<std::string> meant(const Applied& applied, std::string_view written) {
  const Message& reason = applied.error->reason;
  std::vector<std::string_view> names;
  if (reason.id == Msg::unexpected_argument) {
    for (const Form& form : forms_of(*applied.op))
      for (const Parameter& parameter : form.parameters) names.push_back(parameter.name);
    return nearest(reason.args[1].text, names);
  }
  const bool type = reason.id == Msg::argument_has_type;
  const bool dtype =
      reason.id == Msg::np_dtype_unknown || (type && reason.args[1].text.find("dtype") != std::string::npos);
  const bool format = type && reason.args[1].text == "format";
  if ((!dtype && !format) || written.size() < 3 || (written.front() != '\'' && written.front() != '"'))
    return std::nullopt;
  const std::string_view word = written.substr(1, written.size() - 2);
  if (dtype)
    for (int kind = 0; kind <= static_cast<int>(DType::complex128); ++kind)
      names.push_back(name(static_cast<DType>(kind)));
  else
    names = {"channels_last", "channels_last_3d", "contiguous_format", "preserve_format"};
  const bool known = std::find(names.begin(), names.end(), word) != names.end();
  const auto close = known ? std::optional(std::string(word)) : nearest(word, names);
  if (!close) return std::nullopt;
  return reason.id == Msg::np_dtype_unknown ? "'" + *close + "'" : "torch." + *close;
}

/// The row's own example on one line: what stands below its last block.
std::string one_line(std::string_view program) {
  const size_t block = program.rfind("\n "), end = block == program.npos ? block : program.find('\n', block + 1);
  if (end != program.npos) program.remove_prefix(end + 1);
  std::string line(program);
  for (size_t at = line.find('\n'); at != std::string::npos; at = line.find('\n', at)) line.replace(at, 1, "; ");
  return line;
}

/// What to do about an operator between values of Python's own.
std::optional<Message> operand_hint(const Message& reason) {
  const auto is = [&](std::string_view type) {
    return std::any_of(reason.args.begin() + 1, reason.args.end(), [&](const Arg& arg) { return arg.text == type; });
  };
  if (is("NoneType")) return Message(Msg::hint_none_result);
  if (is("str")) return Message(Msg::hint_text_number);
  if (is("list") || is("tuple") || is("Size"))
    return Message(Msg::hint_list_joins, {"`torch.tensor(…)`, `np.array(…)`"});
  return std::nullopt;
}

std::optional<Message> python_hint(const Message& reason) {
  const auto first = [&]() -> std::string_view {
    return reason.args.empty() ? std::string_view() : reason.args[0].text;
  };
  const bool function = first() == "builtin_function_or_method";
  switch (reason.id) {
    case Msg::operands_do_not_fit: return operand_hint(reason);
    case Msg::not_callable: return Message(Msg::hint_index_it);
    case Msg::not_subscriptable:
      if (first() == "NoneType") return Message(Msg::hint_none_result);
      return function ? std::optional(Message(Msg::hint_call_it)) : std::nullopt;
    case Msg::not_iterable:
      if (first() == "NoneType") return Message(Msg::hint_none_result);
      return first() == "int" ? Message(Msg::hint_range)
             : function       ? std::optional(Message(Msg::hint_call_it))
                              : std::nullopt;
    case Msg::unpack_count: return Message(Msg::hint_unpack, {reason.args[1].text});
    case Msg::name_unknown: return Message(Msg::hint_name_bind, {first()});
    case Msg::name_lost:
    case Msg::name_unbound_by_failure:
      return Message(Msg::hint_name_failed, {Slot(reason.args[2].text, reason.args[2].target)});
    case Msg::truth_of_many: return Message(Msg::hint_any_all);
    case Msg::not_assignable:
      return first() == "tuple" || first() == "Size" ? std::optional(Message(Msg::hint_tuple_fixed)) : std::nullopt;
    case Msg::scalar_has_no_length:
    case Msg::np_scalar_has_no_length: return Message(Msg::hint_scalar_item);
    case Msg::not_settable: return Message(Msg::hint_set_part);
    case Msg::division_by_zero: return Message(Msg::hint_divisor);
    case Msg::slice_step_zero: return Message(Msg::hint_step);
    case Msg::slice_needs_integers: return Message(Msg::hint_index_integers);
    case Msg::saved_was_written: return Message(Msg::hint_saved_written);
    case Msg::graph_was_freed: return Message(Msg::hint_retain_graph);
    case Msg::no_derivative: return Message(Msg::hint_no_derivative);
    default: return std::nullopt;
  }
}

}  // namespace

void complete_python_hints(Diagnostic& problem) {
  if (auto hint = python_hint(problem.reason)) return problem.hints.push_back({std::move(*hint), std::nullopt});
  if (problem.reason.id != Msg::sequence_index_out_of_range) return;
  const int64_t index = number_in(problem.reason.args[0].text).value_or(0),
                size = number_in(problem.reason.args[1].text).value_or(0);
  if (size > 0) problem.hints.push_back({{Msg::hint_nearest_number, {index < 0 ? -size : size - 1}}, std::nullopt});
}

void complete_hints(Applied& applied, std::string_view source) {
  Diagnostic& error = *applied.error;
  if (!error.hints.empty() || !error.raised || !applied.op) return;
  if (error.reason.id == Msg::raised_in_call) return;  // by a function of the program's that the library calls
  Span at = error.span;
  std::string_view written = source.substr(static_cast<size_t>(at.begin), static_cast<size_t>(at.end - at.begin));
  if (error.reason.id == Msg::np_dtype_unknown)
    // What is marked may be more than the name of the type.
    if (const size_t place = written.find(error.reason.args[0].text); place != std::string_view::npos) {
      written = written.substr(place, error.reason.args[0].text.size());
      at = {at.begin + static_cast<int32_t>(place), at.begin + static_cast<int32_t>(place + written.size())};
    }
  if (const auto name = meant(applied, written)) {
    // An argument is marked with its value.
    const Span word = error.reason.id == Msg::unexpected_argument
                          ? Span{at.begin, at.begin + static_cast<int32_t>(error.reason.args[1].text.size())}
                          : at;
    error.hints.push_back({{Msg::did_you_mean, {*name}}, Fix{word, *name}});
  } else if (const auto number = nearest_fit(error.reason)) {
    error.hints.push_back({{Msg::hint_nearest_number, {*number}},
                           number_in(written) ? std::optional(Fix{at, std::to_string(*number)}) : std::nullopt});
  }
  if (error.hints.empty())
    if (auto fit = fitting(applied)) error.hints.push_back({*std::move(fit), std::nullopt});
  if (error.hints.empty()) error.hints.push_back({{Msg::hint_example, {one_line(applied.op->example)}}, std::nullopt});
}

}  // namespace stridescope
