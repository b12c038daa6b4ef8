// What a program sets for the lines that follow: what becomes of divisions by zero and the like, how texts look.
#include <algorithm>

#include "ops/numpy/numpy.h"
#include "ops/python/dictionary.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

constexpr std::string_view kinds[] = {"divide", "over", "under", "invalid"};
constexpr std::string_view modes[] = {"ignore", "warn", "print", "raise", "call", "log"};

Value as_dictionary(const std::array<std::string_view, 4>& chosen) {
  const Value made = dictionary_of();
  for (size_t k = 0; k < 4; ++k)
    store(*dictionary_in(made), Value{std::string(kinds[k])}, Value{std::string(chosen[k])});
  return made;
}

/// What the arguments make of the modes. Warnings are not shown here, so an error that is raised is the only one of
/// them that would have an effect. Nothing: the call failed.
std::optional<std::array<std::string_view, 4>> chosen_modes(Call& call) {
  std::array<std::string_view, 4> chosen = call.settings().numpy_errors;
  for (size_t k = 0; k < 4; ++k)
    for (const char* parameter : {"all", kinds[k].data()}) {
      if (!call.given(parameter)) continue;
      const Value& value = call.value(parameter);
      const auto* word = std::get_if<std::string>(&value.held);
      const auto* known = word ? std::find(std::begin(modes), std::end(modes), *word) : std::end(modes);
      if (known == std::end(modes)) {
        call.about(parameter).fail("ValueError", {"invalid error mode ", to_string(value, 80)}, Msg::np_error_mode,
                                   {to_string(value, 40)});
        return std::nullopt;
      }
      if (known - modes > 2) {
        call.about(parameter).refuse(Msg::not_modelled, {"NumPy", std::string(parameter) + "=" + quoted(*word)});
        return std::nullopt;
      }
      chosen[k] = *known;
    }
  return chosen;
}

/// np.set_printoptions(), and np.printoptions(), whose options are there in the lines of its with.
Value set_texts(Call& call) {
  TextOptions options = call.settings().numpy_texts;
  for (const char* parameter : {"nanstr", "infstr", "formatter", "sign", "floatmode", "legacy", "override_repr"})
    call.settings().texts_differ |= call.given(parameter);
  read_text_numbers(call, options);
  if (call.given("suppress")) options.suppress = call.truth("suppress");
  if (call.failed()) return {};
  call.why(call.settings().texts_differ ? Msg::texts_differ : Msg::texts_set);
  call.settings().asked_texts = options;
  if (!call.name().ends_with("set_printoptions")) return Value{Symbol{"numpy.printoptions()", nullptr}};
  call.settings().numpy_texts = options;
  return {};
}

/// Gives what was set before.
Value set_errors(Call& call) {
  const auto chosen = chosen_modes(call);
  if (!chosen) return {};
  return as_dictionary(std::exchange(call.settings().numpy_errors, *chosen));
}

}  // namespace

#define PRINT_OPTIONS                                                                            \
  "precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, " \
  "infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None"

std::span<const Op> numpy_setting_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.errstate(*, all=None, divide=None, over=None, under=None, invalid=None)",
       Msg::op_np_errstate, "in the lines of its with", "with np.errstate(divide='ignore'): pass",
       [](Call& call) {
         return chosen_modes(call) ? Value{Symbol{"numpy.errstate()", nullptr}} : Value{};
       }},
      {Library::numpy, "np.seterr(all=None, divide=None, over=None, under=None, invalid=None)", Msg::op_np_errstate,
       "from here on; it gives what was set before", "np.seterr(all='ignore')", set_errors},
      {Library::numpy, "np.geterr()", Msg::op_np_errstate, "as a dictionary", "np.geterr()",
       [](Call& call) { return as_dictionary(call.settings().numpy_errors); }},
      {Library::numpy, "np.set_printoptions(" PRINT_OPTIONS ")\nnp.printoptions(" PRINT_OPTIONS ")",
       Msg::op_printoptions, "no layout depends on it", "np.set_printoptions(precision=3, suppress=True)", set_texts},
  };
  return rows;
}

#undef PRINT_OPTIONS

}  // namespace stridescope
