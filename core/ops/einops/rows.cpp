// The functions of einops. What they do is what calls of PyTorch's or NumPy's do one after the other, so the
// interpreter makes those (ops/python/einops.cpp).
#include "ops/rows.h"
#include "ops/call.h"
#include "ops/einops/pattern.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/torch/nn/modules.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// A layer keeps what it is told, and looks at the pattern at once.
Value layer(Call& call) {
  const Object module{class_of_library(call.name()), std::make_shared<DictionaryItems>()};
  const ModuleClass& made = *module.type->row;
  const bool reduces = made.name == "Reduce";
  const Value sizes = dictionary_of();
  std::vector<GivenSize> given;
  bool fits = !reduces || std::holds_alternative<std::string>(call.value("reduction").held);
  for (const Value& pair : parts_of(call.value("axes_lengths"))) {
    const std::string& name = std::get<std::string>(parts_of(pair)[0].held);
    const auto size = given_size(name, parts_of(pair)[1]);
    fits = fits && size && !store(*dictionary_in(sizes), Value{name}, parts_of(pair)[1]);
    if (size) given.push_back(*size);
  }
  if (!fits) return call.refuse(Msg::not_modelled, {"einops", call.name()});
  keep(module, "training", Value{true});
  keep(module, "pattern", call.value("pattern"));
  if (reduces) keep(module, "reduction", call.value("reduction"));
  keep(module, "axes_lengths", sizes);
  const std::string& method = reduces ? call.text("reduction") : "rearrange";
  Recipe recipe;
  if (auto found = plan(call.text("pattern"), rearrangement(method), method, given, nullptr, recipe)) {
    const Diagnostic& problem = found->problem;
    if (!problem.raised) return call.about("pattern").refuse(Msg::not_modelled, {"einops", call.name()});
    if (problem.raised->type != "EinopsError")
      return call.about("pattern").fail("ValueError", problem.raised->text, problem.reason);
    call.about("pattern").fail(
        "EinopsError", {" Error while preparing ", module_text(module), "\n ", problem.raised->text}, problem.reason);
    return {};
  }
  call.why(Msg::module_headline, {made.applies});
  call.relation(Relation::none);
  return Value{module};
}

}  // namespace

std::optional<AskedError> pattern_asked(std::string_view function, const Given& given, std::string_view parameter) {
  if (parameter != "pattern" || function.ends_with("parse_shape")) return std::nullopt;
  const Value pattern = given(parameter);
  if (const auto known = key_mark(pattern).problem; known && known->raised && !function.ends_with("pack"))
    return AskedError{"TypeError", known->raised->text, known->reason};
  return AskedError{"AttributeError", "'" + attribute_type(pattern) + "' object has no attribute 'split'"};
}

std::span<const Op> einops_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "einops.rearrange(tensor, pattern: str, **axes_lengths)", Msg::op_einops_rearrange,
       "reshape to all axes of the left side, permute, reshape to the dims of the right; what is not needed is left "
       "out",
       "from einops import rearrange\nx = torch.arange(24).reshape(4, 6)\ny = rearrange(x, 'h (w c) -> c h w', c=2)",
       nullptr},
      {Library::torch, "einops.reduce(tensor, pattern: str, reduction, **axes_lengths)", Msg::op_einops_reduce,
       "reshape, permute, reduce the axes that are on the left alone, reshape",
       "from einops import reduce\nx = torch.arange(24.).reshape(4, 6)\n"
       "y = reduce(x, '(h p) (w q) -> h w', 'max', p=2, q=2)",
       nullptr},
      {Library::torch, "einops.repeat(tensor, pattern: str, **axes_lengths)", Msg::op_einops_repeat,
       "reshape, permute, expand (np.tile) the axes that are on the right alone, reshape",
       "from einops import repeat\nx = torch.arange(6).reshape(2, 3)\ny = repeat(x, 'h w -> h c w', c=2)", nullptr},
      {Library::torch, "einops.einsum(*tensors_and_pattern)", Msg::op_einops_einsum,
       "torch.einsum or np.einsum, with a letter for each name",
       "from einops import einsum\nx = torch.ones(2, 3)\ny = torch.ones(3, 4)\nz = einsum(x, y, 'batch i, i o -> batch "
       "o')",
       nullptr},
      {Library::torch, "einops.pack(tensors, pattern: str)", Msg::op_einops_pack,
       "each tensor's dims at the * become one, and all are joined there",
       "from einops import pack\nx = torch.ones(2, 3)\ny = torch.ones(2, 5, 3)\nz, ps = pack([x, y], 'b * c')",
       nullptr},
      {Library::torch, "einops.unpack(tensor, packed_shapes, pattern: str)", Msg::op_einops_unpack,
       "a slice of the dim at the * for each shape, seen in that shape",
       "from einops import unpack\nz = torch.arange(18).reshape(6, 3)\nx, y = unpack(z, [(), (5,)], '* c')", nullptr},
      {Library::torch, "einops.parse_shape(x, pattern: str)", Msg::op_einops_parse_shape,
       "{name: size} of each dim; _ is passed over",
       "from einops import parse_shape\nx = torch.ones(2, 3, 4)\ns = parse_shape(x, 'b _ w')", nullptr},
      {Library::torch, "einops.asnumpy(tensor)", Msg::op_einops_asnumpy,
       "x.detach().cpu().numpy(); an array is handed on",
       "from einops import asnumpy\nx = torch.arange(6).reshape(2, 3)\ny = asnumpy(x)", nullptr},
      {Library::torch, "einops.layers.torch.Rearrange(pattern: str, **axes_lengths)", Msg::op_einops_rearrange,
       "m(x) = rearrange(x, pattern, **axes_lengths)",
       "from einops.layers.torch import Rearrange\ny = Rearrange('h (w c) -> c h w', c=2)", layer},
      {Library::torch, "einops.layers.torch.Reduce(pattern: str, reduction, **axes_lengths)", Msg::op_einops_reduce,
       "m(x) = reduce(x, pattern, reduction, **axes_lengths)",
       "from einops.layers.torch import Reduce\ny = Reduce('(h p) w -> h w', 'max', p=2)", layer},
  };
  return rows;
}

}  // namespace stridescope
