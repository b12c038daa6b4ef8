// Parameters: tensors that gradients end at, and how they begin.
#include "layout/transform.h"
#include "ops/contents.h"
#include "ops/members.h"
#include "ops/number.h"
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
/// Whether a tensor can begin so, by the numbers and words that are given; else the call failed.
bool check_init(Call& call, std::string_view name, const Tensor& tensor) {
  const Dims& sizes = tensor.layout.sizes;
  const bool xavier = name.starts_with("xavier"), kaiming = name.starts_with("kaiming"), cut = name == "trunc_normal_";
  const auto wrong = [&](const char* type, const Slots& text, Message reason) {
    return call.fail(type, text, std::move(reason)), false;
  };
  if (kaiming && numel(sizes) == 0) return true;  // PyTorch warns and leaves it
  if (kaiming && call.text("mode") != "fan_in" && call.text("mode") != "fan_out")
    return wrong("ValueError", {"Mode ", call.text("mode"), " not supported, please use one of ['fan_in', 'fan_out']"},
                 {Msg::matrix_mode, {call.text("mode"), "fan_in, fan_out"}});
  if ((xavier || kaiming) && sizes.size() < 2)
    return wrong("ValueError", "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions",
                 {Msg::needs_rank, {2, sizes.size()}});
  constexpr std::string_view rates =
      " linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
      "sigmoid tanh relu leaky_relu selu ";
  if (kaiming && rates.find(" " + call.text("nonlinearity") + " ") == rates.npos)
    return wrong("ValueError", {"Unsupported nonlinearity ", call.text("nonlinearity")},
                 {Msg::matrix_mode, {call.text("nonlinearity"), rates.substr(1, rates.size() - 2)}});
  Dims field = sizes;
  if (xavier) field[0] = sizes[0] == 0 ? sizes[1] : sizes[0], field[1] = 1;
  if ((xavier && numel(field) == 0) || (cut && call.real("std") == 0))
    return wrong("ZeroDivisionError", "float division by zero", Msg::division_by_zero);
  if ((xavier && call.real("gain") < 0) || (cut && (call.real("std") < 0 || call.real("a") > call.real("b"))))
    return call.refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())}), false;
  if (name == "normal_" && call.real("std") < 0)
    return wrong("RuntimeError", {"normal expects std >= 0.0, but found std ", general(call.real("std"))},
                 {Msg::draw_parameter, {"std", general(call.real("std"))}});
  if (name == "uniform_" && call.real("a") > call.real("b"))
    return wrong("RuntimeError",
                 {"uniform_ expects to return a [from, to) range, but found from=", general(call.real("a")),
                  " > to=", general(call.real("b"))},
                 {Msg::randint_empty, {general(call.real("a")), general(call.real("b"))}});
  return true;
}

Value init_row(Call& call) {
  const Tensor tensor = call.self();
  const std::string_view name = call.name().substr(call.name().rfind('.') + 1);
  if (!check_init(call, name, tensor)) return {};
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
  const bool normal = name.ends_with("normal_") && name != "trunc_normal_";
  if (random && !is_drawn(call, dtype, normal, normal ? count : 1)) return {};
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
