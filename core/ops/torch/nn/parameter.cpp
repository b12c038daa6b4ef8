// Parameters: tensors that gradients end at, and how they begin.
#include "layout/transform.h"
#include "ops/contents.h"
#include "ops/members.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// A tensor as a parameter: another object on the same storage, which gradients end at.
Value parameter_row(Call& call) {
  if (!call.given("data")) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (!is_of_torch(call.first()))
    return call.fail("AttributeError", {"'", attribute_type(call.first()), "' object has no attribute 'detach'"},
                     Msg::argument_has_type, {"data", "tensor", type_name(call.first())});
  const Value made = untracked(call, call.self());
  if (call.failed()) return {};
  const TensorRef& object = std::get<TensorRef>(made.held);
  Tensor tensor = *object->tensor;
  tensor.requires_grad = call.boolean("requires_grad");
  tensor.is_leaf = true;
  object->parameter = true;
  object->tensor = std::make_shared<const Tensor>(std::move(tensor));
  call.why(Msg::module_parameter, {to_string(call.self().layout)});
  return made;
}

/// nn.init.ones_(weight) and its kin: written where no gradient is followed.
Value init_row(Call& call) {
  const Tensor tensor = call.self();
  const std::string_view name = call.name().substr(call.name().rfind('.') + 1);
  const bool constant = name == "constant_", random = !constant && name != "ones_" && name != "zeros_";
  const Value held = constant ? number_in(call.value("val")) : Value{};
  if (const TensorPtr several = tensor_of(held))
    return call.about("val").fail(
        "RuntimeError",
        {"fill_ only supports 0-dimension value tensor but got tensor with ", several->layout.rank(), " dimensions."},
        Msg::fill_needs_scalar, {several->layout.rank()});
  if (constant && !holds_number(call, held, tensor.dtype)) return {};
  const double number = constant ? as_real(number_of(held)) : name == "ones_" ? 1 : 0;
  const int64_t count = *numel(tensor.layout.sizes);
  const DType dtype = random ? tensor.dtype : DType::float64;
  if (random && !is_drawn(call, dtype, true, count)) return {};
  if (random && !checked_mul(count, itemsize(dtype))) return call.refuse(Msg::beyond_int64);
  call.why(Msg::module_init, {count});
  if (random) call.why(Msg::random_values);
  const ContentsPtr contents = random ? random_contents(Distribution::normal, call.seed() + 1, dtype, count)
                                      : constant_contents(real_scalar(number, dtype), 1);
  const Layout layout =
      random ? contiguous(tensor.layout.sizes, itemsize(dtype)) : expand(Layout{}, tensor.layout.sizes);
  call.write(tensor, {contents, layout, dtype});
  if (random && !call.failed()) tensor.storage->drawn = true;
  return call.failed() ? Value{} : Value{call.self_ref()};
}

}  // namespace

std::span<const Op> torch_parameter_rows() {
#define INIT(name, parameters)                                                            \
  {                                                                                       \
    Library::torch, "torch.nn.init." name "(tensor: tensor" parameters ")", Msg::op_init, \
        "written in place, gradients not followed",                                       \
        "from torch import nn\nm = nn.Linear(3, 2)\nnn.init." name "(m.weight)", init_row \
  }
  static constexpr Op rows[] = {
      {Library::torch, "torch.nn.Parameter(data: any = None, requires_grad: bool = True)", Msg::op_parameter,
       "the same storage and recipe; a leaf", "from torch import nn\nx = torch.ones(2, 3)\np = nn.Parameter(x.t())",
       parameter_row},
      INIT("ones_", ""),
      INIT("zeros_", ""),
      {Library::torch, "torch.nn.init.constant_(tensor: tensor, val: number | tensor)", Msg::op_init,
       "written in place, gradients not followed",
       "from torch import nn\nm = nn.Linear(3, 2)\nnn.init.constant_(m.bias, 7)", init_row},
      INIT("uniform_", ", a: float = 0.0, b: float = 1.0, generator = None"),
      INIT("normal_", ", mean: float = 0.0, std: float = 1.0, generator = None"),
      INIT("xavier_uniform_", ", gain: float = 1.0, generator = None"),
      INIT("xavier_normal_", ", gain: float = 1.0, generator = None"),
      INIT("kaiming_uniform_",
           ", a: float = 0, mode: str = 'fan_in', nonlinearity: str = 'leaky_relu', generator = None"),
      INIT("kaiming_normal_",
           ", a: float = 0, mode: str = 'fan_in', nonlinearity: str = 'leaky_relu', generator = None"),
      INIT("trunc_normal_", ", mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator = None"),
  };
#undef INIT
  return rows;
}

}  // namespace stridescope
