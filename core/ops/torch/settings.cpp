// What a program sets for the lines that follow: whether gradients are followed, what a Python float becomes, how texts
// look, and how PyTorch runs, which no layout depends on.
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Also what is called by torch.set_default_tensor_type, with a class.
Value set_default_dtype(Call& call) {
  const bool by_class = call.name().ends_with("type") && !call.name().ends_with("dtype");
  const Value& given = call.first();
  const auto* symbol = std::get_if<Symbol>(&given.held);
  const auto* text = std::get_if<std::string>(&given.held);
  const std::string path = symbol ? symbol->path : by_class && text ? *text : std::string();
  const auto dtype = by_class                     ? tensor_class(path)
                     : path.starts_with("torch.") ? dtype_named(std::string_view(path).substr(6))
                                                  : std::nullopt;
  if (!dtype || !is_floating(*dtype))
    return call.about(given).fail_parser({dtype      ? ""
                                          : by_class ? "invalid type object: "
                                                     : "invalid dtype object: ",
                                          "only floating-point types are supported as the default type"},
                                         Msg::default_needs_floating, {to_string(given, 40)});
  // Its complex numbers have half the precision, too.
  if (*dtype == DType::float16)
    return call.refuse(Msg::not_modelled, {"PyTorch", "torch.set_default_dtype(torch.float16)"});
  call.settings().default_dtype = *dtype;
  call.why(Msg::set_default_dtype_headline, {name(*dtype)});
  return {};
}

Value set_default_device(Call& call) {
  if (is_processor(call, call.value("device"))) call.why(Msg::op_device);
  return {};
}

/// Takes what PyTorch takes and changes nothing here.
Value set_runtime(Call& call) {
  const Value& given = call.first();
  const std::string_view function = call.name().substr(call.name().rfind('.') + 1);
  const auto expects = [&](const char* wanted, std::string_view by) {
    return call.about(given).fail("RuntimeError", {by, " expects ", wanted, ", but got ", type_name(given)},
                                  Msg::argument_has_type,
                                  {call.form().parameters.front().name, wanted, type_name(given)});
  };
  if (function.ends_with("threads")) {
    const auto* count = std::get_if<int64_t>(&given.held);
    if (!count) return expects("an int", function);
    if (*count < 1)
      return call.about(given).fail("RuntimeError", {function, " expects a positive integer"}, Msg::at_least,
                                    {"int", 1});
  } else if (function.ends_with("precision")) {
    if (!std::holds_alternative<std::string>(given.held)) return expects("a str", function);
  } else if (!std::holds_alternative<bool>(given.held)) {
    if (function == "set_warn_always") return expects("a bool", "setWarnOnlyOnce");
    if (function == "set_flush_denormal") return expects("a bool", "flush_denormal");
    return call.wrong_type("mode", "bool");
  }
  call.why(Msg::setting_of_runtime);
  if (function == "set_detect_anomaly") {
    call.settings().detects_anomaly = std::get<bool>(given.held);
    return {Symbol{"torch.autograd.set_detect_anomaly()", nullptr}};
  }
  return function == "set_flush_denormal" ? Value{true} : Value{};
}

/// torch.set_grad_enabled
Value set_gradients(Call& call) {
  const bool follows = call.boolean("mode");
  call.why(follows ? Msg::gradients_followed : Msg::gradients_ignored);
  Gradients& mode = call.settings().gradients;
  if (mode != Gradients::inference) mode = follows ? Gradients::followed : Gradients::ignored;
  return {Symbol{"torch.set_grad_enabled()", nullptr}};
}

/// torch.set_printoptions()
Value set_texts(Call& call) {
  TextOptions options = call.settings().torch_texts;
  if (call.given("profile")) {
    const auto* profile = std::get_if<std::string>(&call.value("profile").held);
    const bool full = profile && *profile == "full", brief = profile && *profile == "short";
    if (full || brief || (profile && *profile == "default")) options = LibrarySettings().torch_texts;
    if (full) options.most_in_full = INT64_MAX;
    if (brief) options.digits = options.at_an_end = 2;
  }
  read_text_numbers(call, options);
  options.scientific = call.given("sci_mode") ? std::optional(call.truth("sci_mode")) : std::nullopt;
  if (call.failed()) return {};
  call.why(call.settings().texts_differ ? Msg::texts_differ : Msg::texts_set);
  call.settings().torch_texts = options;
  return {};
}

}  // namespace

std::span<const Op> torch_setting_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.no_grad()\ntorch.enable_grad()\ntorch.inference_mode()", Msg::op_grad_mode,
       "in the lines of its with", "with torch.no_grad(): pass",
       [](Call& call) {
         const bool follows = call.name().ends_with("enable_grad"), inference = call.name().ends_with("inference_mode");
         call.why(follows ? Msg::gradients_followed : inference ? Msg::gradients_inference : Msg::gradients_ignored);
         return Value{Symbol{std::string(call.name()) + "()", nullptr}};
       }},
      {Library::torch, "torch.set_grad_enabled(mode: bool)", Msg::op_grad_mode,
       "from here on, or in the lines of its with", "torch.set_grad_enabled(False)", set_gradients},
      {Library::torch, "torch.is_grad_enabled()", Msg::op_grad_mode, "not in the lines of torch.no_grad()",
       "torch.is_grad_enabled()", [](Call& call) { return Value{call.settings().gradients == Gradients::followed}; }},
      {Library::torch, "torch.set_default_dtype(d: any, /)\ntorch.set_default_tensor_type(t: any, /)",
       Msg::op_default_dtype, "also of torch.zeros, torch.randn and their kin without a dtype",
       "torch.set_default_dtype(torch.float64)", set_default_dtype},
      {Library::torch, "torch.get_default_dtype()", Msg::op_default_dtype,
       "torch.float32 unless a line has set another", "torch.get_default_dtype()",
       [](Call& call) {
         return Value{Symbol{"torch." + std::string(name(call.default_dtype())), nullptr}};
       }},
      {Library::torch, "torch.set_default_device(device: any)", Msg::op_device, "only the processor is there",
       "torch.set_default_device('cpu')", set_default_device},
      {Library::torch,
       "torch.use_deterministic_algorithms(mode: any, *, warn_only=False)\n"
       "torch.set_num_threads(int: any, /)\ntorch.set_num_interop_threads(int: any, /)\n"
       "torch.set_float32_matmul_precision(precision: any)\ntorch.set_warn_always(b: any, /)\n"
       "torch.set_flush_denormal(mode: any, /)\n"
       "torch.autograd.set_detect_anomaly(mode: any, check_nan: bool = True)",
       Msg::op_runtime, "no layout depends on it", "torch.use_deterministic_algorithms(True)", set_runtime},
      {Library::torch,
       "torch.set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, "
       "sci_mode=None)",
       Msg::op_printoptions, "no layout depends on it", "torch.set_printoptions(precision=2)", set_texts},
  };
  return rows;
}

}  // namespace stridescope
