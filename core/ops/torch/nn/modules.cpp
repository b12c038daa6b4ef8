// The constructors of modules: their attributes, and the tensors that they own.
#include "ops/torch/nn/modules.h"

#include <algorithm>
#include <charconv>

#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/python.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// One number as a tuple of `count`; anything else as it is.
Value spread_out(const Call& call, const Value& value, int64_t count) {
  if (!std::holds_alternative<int64_t>(value.held)) return value;
  return call.tuple(std::vector<Value>(static_cast<size_t>(count), value));
}

/// The sizes that a tensor's words give: "out_channels in_channels/groups kernel_size".
Dims sizes_by(const Object& module, std::span<const std::string_view> given) {
  Dims sizes;
  for (const std::string_view word : given) {
    const std::vector<std::string_view> parts = words(word, '/');
    const Value& value = held_by(module, parts[0]);
    if (const auto* list = std::get_if<Sequence>(&value.held))
      for (const Value& one : *list->items) sizes.push_back(as_integer(one).value_or(0));
    else
      sizes.push_back(as_integer(value).value_or(0));
    if (word[0] >= '0' && word[0] <= '9')
      std::from_chars(word.data(), word.data() + word.size(), sizes[sizes.size() - 1]);
    if (parts.size() > 1) sizes[sizes.size() - 1] /= as_integer(held_by(module, parts[1])).value_or(1);
  }
  return sizes;
}

/// Makes the tensors of a module, as parameters unless they are only kept. False: the call failed.
bool make_tensors(Call& call, const Object& module, std::string_view described) {
  const DType chosen = call.dtype("dtype").value_or(call.default_dtype());
  const bool embeds = short_name(*module.type).starts_with("Embedding");
  // What one result is reckoned of, by the first weight; of recurrent networks the size of their state.
  int64_t inputs = as_integer(held_by(module, "hidden_size")).value_or(0);
  for (const std::string_view text : words(described, ';')) {
    const size_t condition = text.find(" if ");
    std::vector<std::string_view> spec = words(text.substr(0, condition), ' ');
    const std::string_view name = spec[0].substr(1);
    bool wanted = true;
    if (condition != std::string_view::npos)
      for (const std::string_view flag : words(text.substr(condition + 4), ' '))
        wanted = wanted && is_set(module, flag);
    const bool counter = name.starts_with("num_"), buffer = counter || name.starts_with("running_");
    const Kept kept = buffer ? Kept::buffer : Kept::parameter;
    if (!wanted) {
      keep(module, name, Value{}, kept);
      continue;
    }
    const DType dtype = counter ? DType::int64 : chosen;
    const Dims sizes = sizes_by(module, std::span(spec).subspan(1));
    const Layout layout = fresh_layout(call, sizes, dtype);
    if (call.failed()) return false;
    const bool random = spec[0][0] == '~';
    const int64_t count = *numel(sizes);
    const Scalar begun =
        spec[0][0] == '*' ? number_of(held_by(module, "init")) : integer_scalar(spec[0][0] - '0', DType::int64);
    if (random && inputs == 0 && sizes.size() > 0) inputs = sizes[0] > 0 ? count / sizes[0] : 0;
    const Distribution drawn = embeds ? Distribution::normal : Distribution::weights;
    const Value made = call.fresh(dtype, layout,
                                  random ? random_contents(drawn, call.seed(), dtype, count, inputs)
                                         : constant_contents(converted(begun, dtype), count));
    if (call.failed()) return false;
    const TensorRef& object = std::get<TensorRef>(made.held);
    Tensor tensor = *object->tensor;
    tensor.requires_grad = !buffer;
    tensor.is_leaf = true;
    // It is made empty and written in place; the row of what pads once more.
    tensor.seen_version = *tensor.version = embeds && !is_none(held_by(module, "padding_idx")) ? 2 : 1;
    object->parameter = !buffer;
    object->tensor = std::make_shared<const Tensor>(std::move(tensor));
    call.why(Msg::module_tensor, {name, to_string(layout)});
    if (random) call.why(Msg::random_values);
    keep(module, name, made, kept);
  }
  return true;
}

/// What constructors look at. False: the call failed.
bool check_module(Call& call, const Object& module) {
  const std::string_view type = short_name(*module.type);
  const auto number = [&](std::string_view name) { return as_integer(held_by(module, name)).value_or(0); };
  const auto wrong = [&](const char* parameter, const char* text, int64_t a, int64_t b) {
    return call.about(parameter).fail("ValueError", text, Msg::pixels_divide, {a, b}), false;
  };
  if (type.starts_with("Conv")) {
    const int64_t groups = number("groups");
    if (groups < 1)
      return call.about("groups").fail("ValueError", "groups must be a positive integer", Msg::at_least, {"groups", 1}),
             false;
    if (number("in_channels") % groups != 0)
      return wrong("in_channels", "in_channels must be divisible by groups", number("in_channels"), groups);
    if (number("out_channels") % groups != 0)
      return wrong("out_channels", "out_channels must be divisible by groups", number("out_channels"), groups);
    const Value& padding = held_by(module, "padding");
    if (const auto* word = std::get_if<std::string>(&padding.held)) {
      if (*word != "same" && *word != "valid")
        return call.about("padding").fail(
                   "ValueError", {"Invalid padding string ", quoted(*word), ", should be one of {'valid', 'same'}"},
                   Msg::conv_padding, {*word}),
               false;
      for (const Value& step : parts_of(held_by(module, "stride")))
        if (const int64_t by = as_integer(step).value_or(1); *word == "same" && by != 1)
          return call.about("stride").fail("ValueError", "padding='same' is not supported for strided convolutions",
                                           Msg::conv_same, {by}),
                 false;
    }
    if (parts_of(held_by(module, "kernel_size")).size() != static_cast<size_t>(type[type.size() - 2] - '0'))
      return call.about("kernel_size").refuse(Msg::not_modelled, {"PyTorch", call.name()}), false;
    if (call.given("padding_mode") && call.text("padding_mode") != "zeros")
      return call.about("padding_mode")
                 .refuse(Msg::not_modelled, {"PyTorch", "padding_mode=" + quoted(call.text("padding_mode"))}),
             false;
  }
  if (const auto place = as_integer(held_by(module, "padding_idx"));
      place && (*place < 0 || *place >= number("num_embeddings")))
    return call.about("padding_idx")
               .fail("AssertionError", "Padding_idx must be within num_embeddings", Msg::index_out_of_range,
                     {*place, 0, number("num_embeddings")}),
           false;
  if (type.find("Pad") != std::string_view::npos && !passes(held_by(module, "padding"), "ints"))
    return call.about("padding").refuse(Msg::not_modelled, {"PyTorch", call.name()}), false;
  if (type == "GroupNorm") {
    if (number("num_groups") == 0)
      return call.about("num_groups")
                 .fail("ZeroDivisionError", "integer modulo by zero", Msg::at_least, {"num_groups", 1}),
             false;
    if (number("num_groups") < 0) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()}), false;
    if (number("num_channels") % number("num_groups") != 0)
      return wrong("num_channels", "num_channels must be divisible by num_groups", number("num_channels"),
                   number("num_groups"));
  }
  if (type == "Hardtanh" && !(as_real(held_by(module, "max_val")) > as_real(held_by(module, "min_val"))))
    return call.about("min_val").fail("AssertionError", "", Msg::at_least,
                                      {"max_val", to_string(held_by(module, "min_val"))}),
           false;
  if (type == "PairwiseDistance") return true;
  // Any other p is a chance.
  if (call.given("p") && tensor_of(call.value("p")))
    return call.about("p").refuse(Msg::not_modelled, {"PyTorch", "p=" + to_string(call.value("p"))}), false;
  if (const double p = as_real(held_by(module, "p")).value_or(0); !(p >= 0 && p <= 1))
    return call.about("p").fail("ValueError",
                                {"dropout probability has to be between 0 and 1, but got ",
                                 to_string(parsed_number(held_by(module, "p")))},
                                Msg::dropout_range, {to_string(held_by(module, "p"))}),
           false;
  return true;
}

/// Numbers where PyTorch keeps tuples, and what is derived of other arguments.
void settle_attributes(const Call& call, const Object& module) {
  const std::string_view name = short_name(*module.type);
  if (const bool linear = name == "UpsamplingBilinear2d"; name.starts_with("Upsampling")) {
    keep(module, "mode", Value{std::string(linear ? "bilinear" : "nearest")});
    keep(module, "align_corners", linear ? Value{true} : Value{});
  }
  const bool convolution = name.starts_with("Conv"), pad = name.find("Pad") != std::string_view::npos;
  const auto dims = static_cast<int64_t>(name.back() == 'd' ? name[name.size() - 2] - '0' : 0);
  for (size_t i = 0; i < module.attributes->keys.size(); ++i) {
    const std::string& word = attribute_name(*module.attributes, i);
    Value& value = module.attributes->values[i];
    if (name == "PairwiseDistance" && word == "p") module.attributes->keys[i] = Value{std::string("norm")};
    if (word == "normalized_shape") value = spread_out(call, value, 1);
    if (word == "stride" && std::holds_alternative<None>(value.held) && !name.starts_with("LP"))
      value = held_by(module, "kernel_size");
    if ((convolution || name == "AvgPool1d") &&
        (word == "kernel_size" || word == "stride" || word.ends_with("padding") || word == "dilation"))
      value = spread_out(call, value, dims);
    if (pad && word == "padding") value = spread_out(call, value, 2 * dims);
    if (const auto* list = std::get_if<Sequence>(&value.held);
        list && list->kind == Sequence::Kind::list && word != "modules")
      value = call.tuple(*list->items);
    const auto place = word == "padding_idx" ? as_integer(value) : std::nullopt;
    if (place && *place < 0)
      value = Value{checked_add(as_integer(held_by(module, "num_embeddings")).value_or(0), place).value_or(*place)};
    if (name.starts_with("Upsampl") && word == "scale_factor" && std::holds_alternative<int64_t>(value.held))
      value = Value{static_cast<double>(std::get<int64_t>(value.held))};
  }
}

/// The modules that a ModuleDict is made of, or a Sequential of an OrderedDict. False: the call failed.
bool take_named_modules(Call& call, const Object& module, const Value& named) {
  const Dictionary* const given = dictionary_in(named);
  bool fits = given || std::holds_alternative<None>(named.held);
  for (size_t i = 0; given && i < given->items->keys.size(); ++i) {
    const auto* name = std::get_if<std::string>(&given->items->keys[i].held);
    const Value& part = given->items->values[i];
    fits = fits && name && !name->empty() && name->find('.') == name->npos && is_module_value(part) &&
           !taken_name(module, *name) && !keep(module, *name, part, Kept::module);
  }
  if (!fits) call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  return fits;
}

/// The modules that a list of them is made of. False: the call failed.
bool take_modules(Call& call, const Object& list) {
  const Value& given = call.first();
  const auto parts = std::holds_alternative<None>(given.held) ? std::vector<Value>() : python_items(given);
  if (!parts)
    return call.fail("TypeError", {"ModuleList.extend should be called with an iterable, but got ", type_name(given)},
                     Msg::module_part, {type_name(given)}),
           false;
  const Dictionary* const named = parts->size() == 1 ? dictionary_in(parts->front()) : nullptr;
  if (named && named->items->ordered && list.type->row->name == "Sequential")
    return take_named_modules(call, list, parts->front());
  const bool one_by_one = list.type->row->name == "ModuleList" || parts->empty() || call.one_by_one("args");
  for (size_t i = 0; i < parts->size(); ++i) {
    const Value& part = (*parts)[i];
    const auto type = torch_typename(part);
    if (!type || !one_by_one || std::holds_alternative<Dictionary>(part.held) ||
        std::holds_alternative<None>(part.held))
      return call.refuse(Msg::not_modelled, {"PyTorch", call.name()}), false;
    if (!is_module_value(part))
      return call.fail("TypeError", {*type, " is not a Module subclass"}, Msg::module_part, {type_name(part)}), false;
    if (auto problem = keep(list, std::to_string(i), part, Kept::module)) return call.refuse(problem->reason.id), false;
  }
  return true;
}

/// Keeps what a constructor was given, the weights of a loss as buffers. False: the call failed.
bool keep_argument(Call& call, const Object& module, const std::string& name) {
  const Value& given = call.value(name.c_str());
  if (name == "device" || name == "dtype") return true;
  if (name == "size_average" || name == "reduce")  // which decide what the reduction is
    return !call.given(name.c_str()) || (call.refuse(Msg::not_modelled, {"PyTorch", call.name()}), false);
  const bool buffer = name.ends_with("weight");
  if (buffer && call.given(name.c_str()) && (!tensor_of(given) || tensor_of(given)->library != Library::torch))
    return call.about(name.c_str())
               .fail("TypeError",
                     {"cannot assign '", type_name(given), "' object to buffer '", name,
                      "' (torch Tensor or None required)"},
                     Msg::module_keeps, {name, "buffer", type_name(given)}),
           false;
  keep(module, name, given, buffer ? Kept::buffer : Kept::plain);
  return true;
}

Value module_row(Call& call) {
  const Object module{class_of_library(call.name()), std::make_shared<DictionaryItems>()};
  const ModuleClass& made = *module.type->row;
  call.why(Msg::module_headline, {made.applies});
  keep(module, "training", Value{true});
  if (is_dictionary_of_modules(*module.type)) {
    if (!take_named_modules(call, module, call.first())) return {};
  } else if (is_list_of_modules(*module.type)) {
    if (!take_modules(call, module)) return {};
  } else {
    for (const Parameter& parameter : call.form().parameters)
      if (!parameter.variadic && !keep_argument(call, module, std::string(parameter.name))) return {};
  }
  settle_attributes(call, module);
  if (is_recurrent(made)) {
    if (!settle_recurrent(call, module) || !make_tensors(call, module, recurrent_tensors(module))) return {};
  } else if (!check_module(call, module) || !make_tensors(call, module, made.tensors)) {
    return {};
  }
  call.relation(Relation::none);
  return Value{module};
}

}  // namespace

std::span<const Op> torch_module_rows() {
  static constexpr Op rows[] = {
#define MODULE(name, parameters, arguments, applies, tensors, shown) \
  {Library::torch,                                                   \
   "torch.nn." name "(" parameters ")",                              \
   Msg::op_module,                                                   \
   "m(x) = " applies,                                                \
   "from torch import nn\ny = nn." name arguments,                   \
   ModuleClass{"", "", tensors, ""}.written() ? nullptr : module_row},
#include "ops/torch/nn/modules.inc"
  };
  return rows;
}

}  // namespace stridescope
