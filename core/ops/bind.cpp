#include "ops/bind.h"

#include <algorithm>
#include <charconv>

#include "lang/number.h"
#include "ops/call.h"
#include "ops/members.h"
#include "ops/misfit.h"
#include "ops/python/python.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The value that a default's text stands for; nothing where only the row's apply can know it.
std::optional<Value> fallback_value(std::string_view text) {
  if (text == "None") return Value{None{}};
  if (text == "True") return Value{true};
  if (text == "False") return Value{false};
  if (text == "()") return tuple_of({});
  if (text.size() >= 2 && text.front() == '\'') return Value{std::string(text.substr(1, text.size() - 2))};
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc{} && end == text.data() + text.size()) return Value{number};
  const bool negative = text.starts_with("-");
  if (const auto real = parse_real(text.substr(negative ? 1 : 0))) return Value{negative ? -*real : *real};
  return std::nullopt;
}

bool passes_one(const Value& value, std::string_view type);

/// The first item that does not pass as `type`. PyTorch's parser looks at the first integer alone: a bool behind it is
/// one, too; and so is a tensor of one element wherever it stands.
std::optional<size_t> unfit_item(const Sequence& sequence, std::string_view type) {
  const auto& items = *sequence.items;
  for (size_t i = 0; i < items.size(); ++i)
    if (!passes(items[i], type) && !(type == "int" && as_integer(items[i]) && (i > 0 || tensor_of(items[i])))) return i;
  return std::nullopt;
}

bool passes_one(const Value& value, std::string_view type) {
  const auto& held = value.held;
  const auto* sequence = std::get_if<Sequence>(&held);
  const auto all = [&](std::string_view item_type) {
    return sequence && sequence->kind != Sequence::Kind::bytes && !is_iterator(sequence->kind) &&
           !unfit_item(*sequence, item_type);
  };
  if (type == "any") return true;
  if (type == "None") return std::holds_alternative<None>(held);
  if (type == "int")
    return !std::holds_alternative<bool>(held) && !(tensor_of(value) && tensor_of(value)->layout.rank() > 0) &&
           as_integer(value);
  if (type == "ints") return all("int");
  if (type == "number")
    return std::holds_alternative<std::complex<double>>(held) ||
           (!std::holds_alternative<TensorRef>(held) && as_real(value));
  if (type == "complex") return std::holds_alternative<std::complex<double>>(held);
  if (type == "float") return as_real(value) && !(tensor_of(value) && tensor_of(value)->layout.rank() > 0);
  if (type == "bool") return std::holds_alternative<bool>(held);
  if (type == "str") return std::holds_alternative<std::string>(held);
  if (type == "tensor") return std::holds_alternative<TensorRef>(held);
  if (type == "tensors") return all("tensor");
  if (type == "device") return !device_name(value).empty();
  if (type == "dtype") return std::holds_alternative<Symbol>(held) && as_dtype(value);
  // "format"
  const auto* symbol = std::get_if<Symbol>(&held);
  return symbol &&
         (symbol->path.find("_format") != std::string::npos || symbol->path.find("channels_last") != std::string::npos);
}

/// PyTorch's argument parser takes NumPy's names for some of its own, but not of functions that are written in Python.
std::string_view numpy_alias(const Form& form, std::string_view name) {
  const std::string function = plain_name(form);
  if (form.name.starts_with("torch.nn.functional.")
          ? function != "cosine_similarity"
          : form.name.find("linalg") == std::string::npos &&
                (function == "norm" || function == "split" || function.starts_with("unique")))
    return {};
  if (name == "axis") return "dim";
  if (name == "keepdims") return "keepdim";
  if (name == "x" || name == "a" || name == "x1") return "input";
  return name == "x2" ? "other" : std::string_view();
}

Bound misfit(Span span, const Slots& text, Msg reason, const Slots& slots) {
  return {{}, {}, Bound::Misfit{text.str(), {reason, slots}, span}};
}

/// PyTorch reads sizes, lengths and places as symbolic integers, which arrays without dimensions are, too; the numbers
/// of dimensions, and all else, it does not. Functions of torch.nn are Python's.
bool is_symbolic(const Form& form, const Parameter& parameter) {
  constexpr std::string_view ones[] = {"start",    "length", "index",  "storage_offset", "split_size",
                                       "sections", "size",   "shifts", "repeats",        "split_size_or_sections"},
                             makers[] = {"torch.eye", "torch.randperm", "torch.randint"};
  const auto is_among = [](const auto& list, std::string_view name) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
  };
  if (form.name == "unfold") return false;
  return form.name.starts_with("torch.nn.") || is_among(ones, parameter.name) || is_among(makers, form.name) ||
         (parameter.name == "k" && plain_name(form) == "topk");
}

/// A range is no list of integers to PyTorch's parser.
bool is_no_list(const Form& form, const Sequence& sequence) {
  return form.op->library == Library::torch && form.name != "torch.Size" && sequence.kind == Sequence::Kind::range;
}

/// Whether it is a tensor, an array or a truth value of NumPy's that cannot stand for the number of a dimension: no
/// array can, nor a truth value in a tensor; NumPy's can in a list of numbers alone.
bool names_no_dim(const Form& form, const Parameter& parameter, const Value& value) {
  if (!parameter.takes({"int", "ints"}) || parameter.takes({"tensor"}) || is_symbolic(form, parameter)) return false;
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held))
    return scalar->dtype() == DType::boolean && parameter.takes({"int"}) && !parameter.takes({"bool"});
  const TensorPtr tensor = tensor_of(value);
  return tensor && (tensor->library == Library::numpy || tensor->dtype == DType::boolean);
}

/// A tensor of a truth value passes as a size, alone or in a list, but PyTorch cannot read it.
std::optional<Bound::Misfit> unread(const std::string& function, const Parameter& parameter, const Value& value,
                                    const Written& written) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const bool of_dims = parameter.name.find("dim") != std::string_view::npos || parameter.name == "source" ||
                       parameter.name == "destination";
  if (!parameter.takes({"int", "ints"}) || (of_dims && function != "tile")) return std::nullopt;
  if (function == "split" && !sequence) return std::nullopt;  // makes an int of it first
  for (size_t i = 0; i < (sequence ? sequence->items->size() : 1); ++i) {
    const TensorPtr tensor = tensor_of(sequence ? (*sequence->items)[i] : value);
    if (!tensor || tensor->library != Library::torch || tensor->dtype != DType::boolean) continue;
    return Bound::Misfit{sequence ? "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error "
                                    "message be improved?  If so, please report an enhancement request to PyTorch.)"
                                  : "scalar.isIntegral( false) INTERNAL ASSERT FAILED at "
                                    "\"./torch/csrc/utils/pybind.cpp\":27, please report a bug to PyTorch. ",
                         {Msg::argument_item, {parameter.name, i, "int", "bool"}},
                         i < written.items.size() ? written.items[i] : written.span,
                         true};
  }
  return std::nullopt;
}

/// Whether PyTorch's parser makes a number of what stands there, if it is none of its tensors.
bool reads_number(const Form& form, const Parameter& parameter) {
  return form.op->library == Library::torch &&
         (form.kind == Form::Kind::binary || form.kind == Form::Kind::in_place || parameter.takes({"number"}));
}

Written written_at(const std::vector<Written>& list, size_t i) { return i < list.size() ? list[i] : Written{}; }

/// From the beginning of one to the end of the other.
Span joined(const Written& first, const Written& last) {
  return last.argument == Span{} ? Span{} : Span{first.argument.begin, last.argument.end};
}

}  // namespace

/// Whether this holds of an alternative of a type.
template <typename Holds>
static bool any_alternative(std::string_view type, const Holds& holds) {
  constexpr std::string_view bar = " | ";
  for (;;) {
    const size_t end = type.find(bar);
    if (holds(type.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    type.remove_prefix(end + bar.size());
  }
}

bool Parameter::takes(std::initializer_list<std::string_view> alternatives) const {
  return any_alternative(type, [&](std::string_view one) {
    return std::find(alternatives.begin(), alternatives.end(), one) != alternatives.end();
  });
}

bool passes(const Value& value, std::string_view type) {
  return type.empty() || any_alternative(type, [&](std::string_view one) { return passes_one(value, one); });
}

Bound bind(const Form& form, const Arguments& arguments) {
  const auto& parameters = form.parameters;
  const std::string function = plain_name(form);
  Bound bound;
  bound.values.resize(parameters.size());
  bound.written.resize(parameters.size());
  size_t next = 0;
  // A method of PyTorch's whose only parameter is a list of integers takes a sequence and passes over what follows it.
  const bool lone_list = form.op->library == Library::torch && form.kind == Form::Kind::method &&
                         parameters.size() == 2 && parameters[1].variadic;
  for (size_t p = 0; p < parameters.size() && !parameters[p].keyword_only && next < arguments.positional.size(); ++p) {
    if (!parameters[p].variadic) {
      bound.written[p] = written_at(arguments.written, next);
      bound.values[p] = arguments.positional[next++];
      continue;
    }
    const size_t left = arguments.positional.size() - next;
    // A sequence is the list of them, unless it passes as one itself.
    const auto* list = std::get_if<Sequence>(&arguments.positional[next].held);
    const bool sequence = (left == 1 || lone_list) && parameters[p].type != "any" && list && !is_iterator(list->kind) &&
                          !is_no_list(form, *list);
    bound.values[p] = sequence ? arguments.positional[next]
                               : Value{Sequence{Sequence::Kind::tuple,
                                                std::make_shared<std::vector<Value>>(
                                                    arguments.positional.begin() + static_cast<std::ptrdiff_t>(next),
                                                    arguments.positional.end())}};
    bound.written[p] = written_at(arguments.written, next);
    if (!sequence) {
      for (size_t i = next; i < arguments.positional.size(); ++i)
        bound.written[p].items.push_back(written_at(arguments.written, i).span);
      bound.written[p].span =
          joined(written_at(arguments.written, next), written_at(arguments.written, arguments.positional.size() - 1));
    }
    next = arguments.positional.size();
  }
  if (next < arguments.positional.size()) {
    const int64_t receiver = form.op->library == Library::torch && form.kind == Form::Kind::method ? 1 : 0,
                  most = static_cast<int64_t>(next) - receiver,
                  got = static_cast<int64_t>(arguments.positional.size()) - receiver;
    return misfit(
        joined(written_at(arguments.written, next), written_at(arguments.written, arguments.positional.size() - 1)),
        {too_many_text(form, most, got)}, Msg::too_many_arguments, {function, most, got, form.text});
  }
  // "**kwargs" stands last.
  const bool takes_rest = !parameters.empty() && parameters.back().variadic && parameters.back().keyword_only;
  std::vector<Value> rest;
  for (size_t i = 0; i < arguments.named.size(); ++i) {
    const auto& [name, value] = arguments.named[i];
    const Written written = written_at(arguments.named_written, i);
    auto parameter = std::find_if(parameters.begin(), parameters.end(), [&, &wanted = name](const Parameter& p) {
      return !p.positional_only && !(p.variadic && (form.op->library == Library::numpy || p.type != "int")) &&
             p.name == wanted;
    });
    if (parameter == parameters.end() && form.op->library == Library::torch)
      parameter = std::find_if(parameters.begin(), parameters.end(),
                               [wanted = numpy_alias(form, name)](const Parameter& p) { return p.name == wanted; });
    if (parameter == parameters.end() && takes_rest) {
      rest.push_back({name});
      bound.written.back().items.push_back(written.argument);
      continue;
    }
    if (parameter == parameters.end())
      return misfit(written.argument, {function, "() got an unexpected keyword argument '", name, "'"},
                    Msg::unexpected_argument, {function, name, form.text});
    auto& slot = bound.values[static_cast<size_t>(parameter - parameters.begin())];
    if (slot)
      return misfit(written.argument, {function, "() got multiple values for argument '", name, "'"},
                    Msg::argument_twice, {function, name});
    slot = value;
    bound.written[static_cast<size_t>(parameter - parameters.begin())] = written;
  }
  if (takes_rest) bound.values.back() = list_of(std::move(rest));
  for (size_t p = 0; p < parameters.size(); ++p) {
    const Parameter& parameter = parameters[p];
    auto& slot = bound.values[p];
    if (!slot) {
      if (parameter.fallback.empty())
        return misfit({}, {missing_text(form, bound.values, p)}, Msg::missing_argument,
                      {function, parameter.name, form.text});
      slot = fallback_value(parameter.fallback);
      continue;
    }
    if (parameter.fallback == "None" && std::holds_alternative<None>(slot->held)) continue;
    // PyTorch takes a tensor without dimensions for a number.
    if (form.op->library == Library::torch && parameter.takes({"number"}) && !parameter.takes({"tensor"}))
      slot = number_in(*slot);
    const auto* items = std::get_if<Sequence>(&slot->held);
    Span at = bound.written[p].span;
    // A NumPy array is no tensor, though a whole one is an integer.
    bool foreign = form.op->library == Library::torch && tensor_of(*slot) &&
                   tensor_of(*slot)->library == Library::numpy && !parameter.type.empty() &&
                   !parameter.takes({"any", "int", "ints"});
    // Nor is a dtype of NumPy's one of PyTorch's.
    const auto* symbol = std::get_if<Symbol>(&slot->held);
    foreign |= form.op->library == Library::torch && parameter.type == "dtype" && symbol &&
               (symbol->path.starts_with("numpy.") || is_dtype_object(*slot));
    foreign |= items && (parameter.variadic || parameter.takes({"ints"})) && is_no_list(form, *items);
    foreign |= form.op->library == Library::torch && names_no_dim(form, parameter, *slot);
    const bool c_array = form.op->library == Library::torch && items && items->kind == Sequence::Kind::c_array;
    if (parameter.variadic && items && items->kind != Sequence::Kind::bytes && !c_array && !foreign) {
      const auto culprit = unfit_item(*items, parameter.type);
      if (!culprit) continue;
      if (*culprit < bound.written[p].items.size()) at = bound.written[p].items[*culprit];
    } else if (!parameter.variadic && !foreign && passes(*slot, parameter.type)) {
      if (reads_number(form, parameter)) slot = parsed_number(*slot);
      continue;
    }
    // PyTorch names a type with its module.
    const auto type_of = form.op->library == Library::torch ? attribute_type : type_name;
    // Of a list the item at fault, where one is.
    const std::string_view one = parameter.variadic             ? parameter.type
                                 : parameter.takes({"ints"})    ? "int"
                                 : parameter.takes({"tensors"}) ? "tensor"
                                                                : "";
    if (const auto item = items && !one.empty() ? unfit_item(*items, one) : std::nullopt) {
      const size_t place = *item;
      return misfit(place < bound.written[p].items.size() ? bound.written[p].items[place] : at,
                    {misfit_text(form, p, arguments, *slot, place)}, Msg::argument_item,
                    {parameter.name, place, one, type_of((*items->items)[place])});
    }
    return misfit(at, {misfit_text(form, p, arguments, *slot, std::nullopt)}, Msg::argument_has_type,
                  {parameter.name, parameter.type, type_of(*slot)});
  }
  for (size_t p = 0; p < parameters.size() && form.op->library == Library::torch && !bound.misfit; ++p)
    if (bound.values[p]) bound.misfit = unread(function, parameters[p], *bound.values[p], bound.written[p]);
  return bound;
}

Span argument_span(const Form& form, const Arguments& arguments, std::string_view parameter) {
  for (size_t i = 0; i < arguments.named_written.size(); ++i)
    if (arguments.named[i].first == parameter) return arguments.named_written[i].span;
  const auto& all = form.parameters;
  const auto one = std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == parameter; });
  return written_at(arguments.written, static_cast<size_t>(one - all.begin())).span;
}

}  // namespace stridescope
