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
    return std::holds_alternative<ComplexFloat>(held) || (!std::holds_alternative<TensorRef>(held) && as_real(value));
  if (type == "complex") return std::holds_alternative<ComplexFloat>(held);
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

Bound::Misfit misfit(Span span, const Slots& text, Msg reason, const Slots& slots) {
  return {text.str(), {reason, slots}, span};
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
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  const TensorPtr& tensor = tensor_of(value);
  const bool array = tensor && (tensor->library == Library::numpy || tensor->dtype == DType::boolean);
  if (!array && !(scalar && scalar->dtype() == DType::boolean)) return false;
  if (!parameter.takes({"int", "ints"}) || parameter.takes({"tensor"}) || is_symbolic(form, parameter)) return false;
  return array || (parameter.takes({"int"}) && !parameter.takes({"bool"}));
}

/// A tensor of a truth value passes as a size, alone or in a list, but PyTorch cannot read it.
std::optional<Bound::Misfit> unread(const Form& form, const Parameter& parameter, const Bound::Given& given) {
  if (!given.value) return std::nullopt;
  const auto* sequence = std::get_if<Sequence>(&given.value->held);
  for (size_t i = 0; i < (sequence ? sequence->items->size() : 1); ++i) {
    const TensorPtr& tensor = tensor_of(sequence ? (*sequence->items)[i] : *given.value);
    if (!tensor || tensor->library != Library::torch || tensor->dtype != DType::boolean) continue;
    const bool of_dims = parameter.name.find("dim") != std::string_view::npos || parameter.name == "source" ||
                         parameter.name == "destination";
    const std::string function = plain_name(form);
    if (!parameter.takes({"int", "ints"}) || (of_dims && function != "tile")) return std::nullopt;
    if (function == "split" && !sequence) return std::nullopt;  // makes an int of it first
    return Bound::Misfit{sequence ? "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error "
                                    "message be improved?  If so, please report an enhancement request to PyTorch.)"
                                  : "scalar.isIntegral( false) INTERNAL ASSERT FAILED at "
                                    "\"./torch/csrc/utils/pybind.cpp\":27, please report a bug to PyTorch. ",
                         {Msg::argument_item, {parameter.name, i, "int", "bool"}},
                         i < given.written.items.size() ? given.written.items[i] : given.written.span,
                         true};
  }
  return std::nullopt;
}

/// Whether PyTorch's parser makes a number of what stands there, if it is none of its tensors.
bool reads_number(const Form& form, const Parameter& parameter) {
  return form.op->library == Library::torch &&
         (form.kind == Form::Kind::binary || form.kind == Form::Kind::in_place || parameter.takes({"number"}));
}

const Written& written_at(const std::vector<Written>& list, size_t i) {
  static const Written nowhere;
  return i < list.size() ? list[i] : nowhere;
}

/// From the beginning of one to the end of the other.
Span joined(const Written& first, const Written& last) {
  return last.argument == Span{} ? Span{} : Span{first.argument.begin, last.argument.end};
}

/// A call's arguments on their way to a form's parameters, in the order in which Python and the libraries refuse them.
class Binding {
 public:
  Binding(const Form& form, const Arguments& arguments)
      : form_(form),
        arguments_(arguments),
        torch_(form.op->library == Library::torch),
        given_(form.parameters.size()) {}

  /// Gives each parameter what stands at its position.
  std::optional<Bound::Misfit> place_positional();
  /// Gives each parameter what is passed by its name; "**kwargs" the rest.
  std::optional<Bound::Misfit> place_named();
  /// Whether each value is of its parameter's type; fallbacks take the places that are empty.
  std::optional<Bound::Misfit> fit();
  /// What came of it; a misfit where PyTorch's parser takes a value that it cannot read then.
  Bound bound();

 private:
  /// All from the position `next` on, to a parameter that takes any number of them.
  void place_variadic(size_t p, size_t next);
  /// The place of the parameter of this name; nothing where there is none.
  std::optional<size_t> named(std::string_view name) const;
  std::optional<Bound::Misfit> fit(size_t p);
  /// Whether the parameter cannot take what looks like a value of its type.
  bool is_foreign(const Parameter& parameter, const Value& value) const;
  Bound::Misfit wrong_type(size_t p, Span at) const;
  /// As errors call it.
  std::string function() const { return plain_name(form_); }
  const Written& positional(size_t i) const { return written_at(arguments_.written, i); }

  const Form& form_;
  const Arguments& arguments_;
  bool torch_;
  std::vector<Bound::Given> given_;
};

std::optional<Bound::Misfit> Binding::place_positional() {
  const auto& parameters = form_.parameters;
  const size_t count = arguments_.positional.size();
  size_t next = 0;
  for (size_t p = 0; p < parameters.size() && !parameters[p].keyword_only && next < count; ++p) {
    if (parameters[p].variadic) {
      place_variadic(p, next);
      next = count;
    } else {
      given_[p].written = positional(next);
      given_[p].value = arguments_.positional[next++];
    }
  }
  if (next == count) return std::nullopt;
  const int64_t receiver = torch_ && form_.kind == Form::Kind::method ? 1 : 0,
                most = static_cast<int64_t>(next) - receiver, got = static_cast<int64_t>(count) - receiver;
  return misfit(joined(positional(next), positional(count - 1)), {too_many_text(form_, most, got)},
                Msg::too_many_arguments, {function(), most, got, form_.text});
}

void Binding::place_variadic(size_t p, size_t next) {
  const Parameter& parameter = form_.parameters[p];
  const std::vector<Value>& given = arguments_.positional;
  // A method of PyTorch's whose only parameter is a list of integers takes a sequence and passes over what follows it.
  const bool lone = torch_ && form_.kind == Form::Kind::method && form_.parameters.size() == 2 && p == 1;
  given_[p].written = positional(next);
  // A sequence is the list of them, unless it passes as one itself.
  const auto* list = std::get_if<Sequence>(&given[next].held);
  if ((next + 1 == given.size() || lone) && parameter.type != "any" && list && !is_iterator(list->kind) &&
      !is_no_list(form_, *list)) {
    given_[p].value = given[next];
    return;
  }
  given_[p].value = list_of({given.begin() + static_cast<std::ptrdiff_t>(next), given.end()}, Sequence::Kind::tuple);
  given_[p].written.items.reserve(given_[p].written.items.size() + given.size() - next);
  for (size_t i = next; i < given.size(); ++i) given_[p].written.items.push_back(positional(i).span);
  given_[p].written.span = joined(positional(next), positional(given.size() - 1));
}

std::optional<size_t> Binding::named(std::string_view name) const {
  const auto& parameters = form_.parameters;
  auto found = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) {
    return !p.positional_only && !(p.variadic && (form_.op->library == Library::numpy || p.type != "int")) &&
           p.name == name;
  });
  if (found == parameters.end() && torch_)
    found = std::find_if(parameters.begin(), parameters.end(),
                         [alias = numpy_alias(form_, name)](const Parameter& p) { return p.name == alias; });
  if (found == parameters.end()) return std::nullopt;
  return static_cast<size_t>(found - parameters.begin());
}

std::optional<Bound::Misfit> Binding::place_named() {
  const auto& parameters = form_.parameters;
  // "**kwargs" stands last, and takes pairs of a name and a value.
  const bool takes_rest = !parameters.empty() && parameters.back().variadic && parameters.back().keyword_only;
  std::vector<Value> rest;
  for (size_t i = 0; i < arguments_.named.size(); ++i) {
    const auto& [name, value] = arguments_.named[i];
    const Written& written = written_at(arguments_.named_written, i);
    const auto p = named(name);
    if (!p && takes_rest) {
      rest.push_back(list_of({Value{name}, value}, Sequence::Kind::tuple));
      given_.back().written.items.push_back(written.argument);
      continue;
    }
    if (!p)
      return misfit(written.argument, {function(), "() got an unexpected keyword argument '", name, "'"},
                    Msg::unexpected_argument, {function(), name, form_.text});
    if (given_[*p].value)
      return misfit(written.argument, {function(), "() got multiple values for argument '", name, "'"},
                    Msg::argument_twice, {function(), name});
    given_[*p].value = value;
    given_[*p].written = written;
  }
  if (takes_rest) given_.back().value = list_of(std::move(rest));
  return std::nullopt;
}

std::optional<Bound::Misfit> Binding::fit() {
  for (size_t p = 0; p < form_.parameters.size(); ++p) {
    const Parameter& parameter = form_.parameters[p];
    if (given_[p].value) {
      if (auto wrong = fit(p)) return wrong;
    } else if (parameter.fallback.empty()) {
      return misfit({}, {missing_text(form_, given_, p)}, Msg::missing_argument,
                    {function(), parameter.name, form_.text});
    } else {
      given_[p].value = fallback_value(parameter.fallback);
    }
  }
  return std::nullopt;
}

std::optional<Bound::Misfit> Binding::fit(size_t p) {
  const Parameter& parameter = form_.parameters[p];
  Value& value = *given_[p].value;
  if (parameter.fallback == "None" && std::holds_alternative<None>(value.held)) return std::nullopt;
  // PyTorch takes a tensor without dimensions for a number.
  if (torch_ && tensor_of(value) && parameter.takes({"number"}) && !parameter.takes({"tensor"}))
    value = number_in(value);
  const bool foreign = is_foreign(parameter, value);
  const auto* items = std::get_if<Sequence>(&value.held);
  Span at = given_[p].written.span;
  if (parameter.variadic && items && items->kind != Sequence::Kind::bytes && !foreign &&
      !(torch_ && items->kind == Sequence::Kind::c_array)) {
    const auto culprit = unfit_item(*items, parameter.type);
    if (!culprit) return std::nullopt;
    if (*culprit < given_[p].written.items.size()) at = given_[p].written.items[*culprit];
  } else if (!parameter.variadic && !foreign && passes(value, parameter.type)) {
    if (reads_number(form_, parameter)) value = parsed_number(value);
    return std::nullopt;
  }
  return wrong_type(p, at);
}

bool Binding::is_foreign(const Parameter& parameter, const Value& value) const {
  if (!torch_) return false;
  // A NumPy array is no tensor, though a whole one is an integer.
  if (const TensorPtr& tensor = tensor_of(value); tensor && tensor->library == Library::numpy &&
                                                  !parameter.type.empty() && !parameter.takes({"any", "int", "ints"}))
    return true;
  // Nor is a dtype of NumPy's one of PyTorch's.
  const auto* symbol = std::get_if<Symbol>(&value.held);
  if (parameter.type == "dtype" && symbol && (symbol->path.starts_with("numpy.") || is_dtype_object(value)))
    return true;
  const auto* items = std::get_if<Sequence>(&value.held);
  return (items && (parameter.variadic || parameter.takes({"ints"})) && is_no_list(form_, *items)) ||
         names_no_dim(form_, parameter, value);
}

Bound::Misfit Binding::wrong_type(size_t p, Span at) const {
  const Parameter& parameter = form_.parameters[p];
  const Value& value = *given_[p].value;
  const auto* items = std::get_if<Sequence>(&value.held);
  // PyTorch names a type with its module.
  const auto type_of = torch_ ? attribute_type : type_name;
  // Of a list the item at fault, where one is.
  const std::string_view one = parameter.variadic             ? parameter.type
                               : parameter.takes({"ints"})    ? "int"
                               : parameter.takes({"tensors"}) ? "tensor"
                                                              : "";
  if (const auto item = items && !one.empty() ? unfit_item(*items, one) : std::nullopt) {
    const std::vector<Span>& places = given_[p].written.items;
    return misfit(*item < places.size() ? places[*item] : at, {misfit_text(form_, p, arguments_, value, *item)},
                  Msg::argument_item, {parameter.name, *item, one, type_of((*items->items)[*item])});
  }
  return misfit(at, {misfit_text(form_, p, arguments_, value, std::nullopt)}, Msg::argument_has_type,
                {parameter.name, parameter.type == "ints" ? "tuple of ints" : parameter.type, type_of(value)});
}

Bound Binding::bound() {
  Bound bound{std::move(given_), std::nullopt};
  for (size_t p = 0; p < form_.parameters.size() && torch_ && !bound.misfit; ++p)
    bound.misfit = unread(form_, form_.parameters[p], bound.given[p]);
  return bound;
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
  Binding binding(form, arguments);
  auto misfit = binding.place_positional();
  if (!misfit) misfit = binding.place_named();
  if (!misfit) misfit = binding.fit();
  if (misfit) return {{}, std::move(misfit)};
  return binding.bound();
}

Span argument_span(const Form& form, const Arguments& arguments, std::string_view parameter) {
  for (size_t i = 0; i < arguments.named_written.size(); ++i)
    if (arguments.named[i].first == parameter) return arguments.named_written[i].span;
  const auto& all = form.parameters;
  const auto one = std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == parameter; });
  return written_at(arguments.written, static_cast<size_t>(one - all.begin())).span;
}

}  // namespace stridescope
