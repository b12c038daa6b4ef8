// How the arguments of a call meet the parameters of a function that the program defines.
#include "ops/python/parameters.h"

#include <algorithm>
#include <utility>

#include "lang/ast.h"
#include "ops/python/dictionary.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

/// "f(x, heads=4)", as it was defined.
std::string shown(const Function& function, std::string_view source) {
  std::string text = function.name + "(";
  auto kind = FunctionParameter::Kind::usual;
  for (const FunctionParameter& one : *function.parameters) {
    if (text.back() != '(') text += ", ";
    if (kind == FunctionParameter::Kind::positional_only && one.kind != kind) text += "/, ";
    if (one.kind == FunctionParameter::Kind::keyword_only && kind < FunctionParameter::Kind::rest) text += "*, ";
    kind = one.kind;
    text += (kind == FunctionParameter::Kind::rest       ? "*"
             : kind == FunctionParameter::Kind::keywords ? "**"
                                                         : "") +
            one.name;
    if (!one.fallback) continue;
    const Span span = one.fallback->span;
    text +=
        "=" + std::string(source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)));
  }
  return text + (kind == FunctionParameter::Kind::positional_only ? ", /)" : ")");
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "'" : !last ? ", '" : i == 1 ? " and '" : ", and '") + names[i] + "'";
  }
  return text;
}

/// What each parameter of a function is worth in one call, or Python's TypeError.
class Fitted {
 public:
  Fitted(const Function& function, std::string_view source)
      : function_(function), parameters_(*function.parameters), source_(source), values_(parameters_.size()) {}

  std::optional<Diagnostic> fit(const Arguments& arguments) {
    const size_t given = arguments.positional.size(),
                 places = count(FunctionParameter::Kind::positional_only) + count(FunctionParameter::Kind::usual);
    std::copy_n(arguments.positional.begin(), std::min(given, places), values_.begin());
    if (count(FunctionParameter::Kind::rest) > 0) {
      const auto left = arguments.positional.begin() + static_cast<std::ptrdiff_t>(std::min(given, places));
      values_[places] = list_of({left, arguments.positional.end()}, Sequence::Kind::tuple);
    }
    for (const auto& [name, value] : arguments.named)
      if (auto problem = by_name(name, value, arguments)) return problem;
    if (takes_keywords()) values_.back() = keywords_;
    if (given > places && count(FunctionParameter::Kind::rest) == 0) return too_many(given, places);
    for (const bool by_keyword : {false, true})
      if (auto problem = missing(by_keyword)) return problem;
    return std::nullopt;
  }

  Bindings bindings() && {
    Bindings bound;
    for (size_t i = 0; i < values_.size(); ++i) bound.emplace_back(parameters_[i].name, *std::move(values_[i]));
    return bound;
  }

 private:
  size_t count(FunctionParameter::Kind kind) const {
    const auto is = [&](const FunctionParameter& one) { return one.kind == kind; };
    return static_cast<size_t>(std::count_if(parameters_.begin(), parameters_.end(), is));
  }

  bool takes_keywords() const { return count(FunctionParameter::Kind::keywords) > 0; }

  std::optional<Diagnostic> by_name(const std::string& name, const Value& value, const Arguments& arguments) {
    const auto takes = [&](const FunctionParameter& one) {
      return one.name == name &&
             (one.kind == FunctionParameter::Kind::usual || one.kind == FunctionParameter::Kind::keyword_only);
    };
    const auto found = std::find_if(parameters_.begin(), parameters_.end(), takes);
    if (found == parameters_.end() && takes_keywords())
      return store(std::get<Dictionary>(keywords_.held), Value{name}, value);
    if (found == parameters_.end()) return unknown(name, arguments);
    std::optional<Value>& slot = values_[static_cast<size_t>(found - parameters_.begin())];
    if (slot)
      return python_error("TypeError", {function_.name, "() got multiple values for argument '", name, "'"},
                          Msg::argument_twice, {function_.name, name});
    slot = value;
    return std::nullopt;
  }

  std::optional<Diagnostic> unknown(const std::string& name, const Arguments& arguments) {
    std::string by_place;
    for (const FunctionParameter& one : parameters_) {
      const auto given = [&](const auto& argument) { return argument.first == one.name; };
      if (one.kind == FunctionParameter::Kind::positional_only &&
          std::any_of(arguments.named.begin(), arguments.named.end(), given))
        by_place += (by_place.empty() ? "" : ", ") + one.name;
    }
    if (!by_place.empty())
      return python_error(
          "TypeError",
          {function_.name, "() got some positional-only arguments passed as keyword arguments: '", by_place, "'"},
          Msg::only_by_place, {function_.name, by_place, shown(function_, source_)});
    Diagnostic problem =
        python_error("TypeError", {function_.name, "() got an unexpected keyword argument '", name, "'"},
                     Msg::unexpected_argument, {function_.name, name, shown(function_, source_)});
    problem.raised->parser = true;  // Python may name one that is near
    return problem;
  }

  std::optional<Diagnostic> too_many(size_t given, size_t places) {
    size_t least = 0, by_keyword = 0;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      least += i < places && !parameters_[i].fallback ? 1 : 0;
      by_keyword += parameters_[i].kind == FunctionParameter::Kind::keyword_only && values_[i] ? 1 : 0;
    }
    const bool range = least < places;
    const std::string takes = (range ? "from " + std::to_string(least) + " to " : "") + std::to_string(places);
    const std::string keywords = by_keyword == 0 ? ""
                                                 : std::string(" positional argument") + (given == 1 ? "" : "s") +
                                                       " (and " + std::to_string(by_keyword) +
                                                       " keyword-only argument" + (by_keyword == 1 ? ")" : "s)");
    return python_error("TypeError",
                        {function_.name, "() takes ", takes, " positional argument", range || places != 1 ? "s" : "",
                         " but ", given, keywords, given == 1 && by_keyword == 0 ? " was given" : " were given"},
                        Msg::too_many_arguments, {function_.name, places, given, shown(function_, source_)});
  }

  /// Defaults are taken for what was not given.
  std::optional<Diagnostic> missing(bool by_keyword) {
    std::vector<std::string> names;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (values_[i] || (parameters_[i].kind == FunctionParameter::Kind::keyword_only) != by_keyword) continue;
      if (parameters_[i].fallback)
        values_[i] = (*function_.fallbacks)[i];
      else
        names.push_back(parameters_[i].name);
    }
    if (names.empty()) return std::nullopt;
    return python_error(
        "TypeError",
        {function_.name, "() missing ", names.size(), " required ", by_keyword ? "keyword-only" : "positional",
         " argument", names.size() == 1 ? ": " : "s: ", listed(names)},
        Msg::missing_argument, {function_.name, names.front(), shown(function_, source_)});
  }

  const Function& function_;
  const std::vector<FunctionParameter>& parameters_;
  std::string_view source_;
  std::vector<std::optional<Value>> values_;
  Value keywords_ = dictionary_of();  ///< what no other parameter takes
};

}  // namespace

std::variant<Bindings, Diagnostic> fit_parameters(const Function& function, const Arguments& arguments,
                                                  std::string_view source) {
  Fitted fitted(function, source);
  if (auto problem = fitted.fit(arguments)) return *std::move(problem);
  return std::move(fitted).bindings();
}

}  // namespace stridescope
