#include "ops/names.h"

#include <algorithm>
#include <utility>

#include "ops/op.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

/// Words between single spaces, with one at either end.
struct Names {
  std::string_view owners;
  std::string_view names;
};

constexpr Names known_names[] = {
#define NAMES(owners, names) {owners, names},
#include "ops/numpy/names.inc"
#include "ops/python/names.inc"
#include "ops/torch/names.inc"
#undef NAMES
};

/// Parameters, with a star before one that is only given by name, and which functions have them ("torch.add") or methods
/// (".add").
struct Parameters {
  Library library;
  std::string_view parameters, functions;
};

constexpr Parameters unknown_parameters[] = {
#define TAKES(parameters, functions) {Library::torch, parameters, functions},
#include "ops/torch/arguments.inc"
#undef TAKES
#define TAKES(parameters, functions) {Library::numpy, parameters, functions},
#include "ops/numpy/arguments.inc"
#undef TAKES
};

constexpr std::pair<std::string_view, std::string_view> removed[] = {
#define REMOVED(name, text) {name, text},
#include "ops/numpy/removed.inc"
#undef REMOVED
};

bool has_word(std::string_view words, std::string_view word) {
  return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

}  // namespace

bool library_has(std::string_view owner, std::string_view name) {
  for (const Names& group : known_names)
    if (has_word(group.owners, owner) && has_word(group.names, name)) return true;
  return false;
}

bool library_takes(Library library, std::string_view function, std::string_view parameter) {
  const std::string by_name = "*" + std::string(parameter);
  return std::any_of(std::begin(unknown_parameters), std::end(unknown_parameters), [&](const Parameters& group) {
    return group.library == library && has_word(group.functions, function) &&
           (has_word(group.parameters, parameter) || has_word(group.parameters, by_name));
  });
}

bool library_takes_more(Library library, std::string_view function) {
  return std::any_of(std::begin(unknown_parameters), std::end(unknown_parameters), [&](const Parameters& group) {
    const auto ends = std::count(group.parameters.begin(), group.parameters.end(), ' ');
    const auto stars = std::count(group.parameters.begin(), group.parameters.end(), '*');
    return group.library == library && ends > stars + 1 && has_word(group.functions, function);
  });
}

std::string_view removed_from_numpy(std::string_view name) {
  for (const auto& [word, text] : removed)
    if (word == name) return text;
  return {};
}

Diagnostic missing_attribute(std::string_view owner, std::string_view name, std::string written, Diagnostic error) {
  // Of modules, private names are not listed.
  const bool hidden = name.size() > 1 && name[0] == '_' && name[1] != '_' && is_module(owner);
  if (!hidden && !library_has(owner, name)) return error;
  const std::string_view library = owner.starts_with("torch") ? "PyTorch"
                                   : owner.starts_with("numpy") || owner.starts_with("nd") || owner.ends_with("info")
                                       ? "NumPy"
                                       : "Python";
  return limit(Msg::not_modelled, {library, std::move(written)});
}

}  // namespace stridescope
