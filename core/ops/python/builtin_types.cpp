#include "ops/python/builtin_types.h"

#include "ops/call.h"
#include "ops/lent_memory.h"
#include "ops/members.h"
#include "ops/numpy/structured.h"
#include "ops/python/classes.h"
#include "ops/python/exceptions.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

/// Whether a NumPy scalar of that dtype is an instance of a class of many: numpy.integer, numpy.floating.
bool is_kind(DType dtype, std::string_view path) {
  const bool whole = is_integer(dtype), natural = is_unsigned(dtype);
  if (path == "numpy.generic") return true;
  if (path == "numpy.number") return dtype != DType::boolean;
  if (path == "numpy.integer") return whole;
  if (path == "numpy.signedinteger") return whole && !natural;
  if (path == "numpy.unsignedinteger") return whole && natural;
  if (path == "numpy.floating") return is_floating(dtype);
  if (path == "numpy.complexfloating") return is_complex(dtype);
  return path == "numpy.inexact" && (is_floating(dtype) || is_complex(dtype));
}

}  // namespace

/// Objects are numbered; CPython's addresses are as arbitrary, but equal for one object and different for two.
Outcome python_id(const Values& arguments) {
  const Value& value = arguments[0];
  if (const auto* object = std::get_if<TensorRef>(&value.held))
    return Value{0x7f0000000000 + 0x50 * int64_t{(*object)->id}};
  // Small numbers, None and the like are there once, and so is what a storage is seen as.
  const auto* number = std::get_if<int64_t>(&value.held);
  const auto* facet = std::get_if<Facet>(&value.held);
  const auto* truth = std::get_if<bool>(&value.held);
  int64_t place = truth && *truth ? 1 : 0;
  if (number) place = *number;
  if (facet && facet->name == "untyped_storage") place = facet->tensor->storage->id;
  const bool made_anew =
      std::holds_alternative<std::string>(value.held) || std::holds_alternative<Sequence>(value.held);
  if (made_anew || (number && (*number < -5 || *number > 256)))
    return limit(Msg::not_modelled, {"Python", "id(" + type_name(value) + ")"});
  return Value{0x7e0000000000 + static_cast<int64_t>(value.held.index()) * 0x100000 + place * 0x20};
}

Outcome python_callable(const Values& arguments) {
  const Value& value = arguments[0];
  const auto* object = std::get_if<Object>(&value.held);
  const auto* symbol = std::get_if<Symbol>(&value.held);
  if (object && !object->from)
    return Value{is_module_class(*object->type) || class_member(*object->type, "__call__") != nullptr};
  if (!object && !symbol)
    return Value{std::holds_alternative<FunctionPtr>(value.held) || std::holds_alternative<ClassPtr>(value.held)};
  if (symbol && !symbol->self && (is_module(symbol->path) || is_module_of_python(symbol->path))) return Value{false};
  const Library library = symbol && symbol->path.starts_with("numpy") ? Library::numpy : Library::torch;
  if (symbol && (symbol->self || type_name(value) == "type" || find_builtin(symbol->path) ||
                 !find_forms(library, Form::Kind::function, symbol->path).empty()))
    return Value{true};
  const std::string type = type_name(value);
  if (is_dtype(value) || type == "torch.dtype" || type == "torch.memory_format" || type == "torch.device")
    return Value{false};
  return limit(Msg::not_modelled, {"Python", "callable(" + type_name(value) + ")"});
}

/// A type is the name that programs write for it; a NumPy scalar's, and one without a name, is a class that is no
/// dtype.
Outcome python_type(const Values& arguments) {
  if (const auto* object = std::get_if<Object>(&arguments[0].held)) return Value{object->type};
  const std::string own = attribute_type(arguments[0]);
  if (const auto* named = std::get_if<Sequence>(&arguments[0].held); named && named->type) return Value{named->type};
  if (own == "AxisError") return Value{Symbol{"class.numpy.exceptions.AxisError", nullptr}};
  if (own == "LinAlgError") return Value{Symbol{"class.numpy.linalg.LinAlgError", nullptr}};
  if (own == "_LinAlgError") return Value{Symbol{"class.torch.linalg.LinAlgError", nullptr}};
  if (own == "UFuncTypeError") return limit(Msg::not_modelled, {"NumPy", "type(UFuncTypeError)"});
  if (own == "ndindex" || own == "ndenumerate" || (own.ends_with("info") && !own.starts_with("torch.")))
    return Value{Symbol{"class.numpy." + own, nullptr}};
  if (own == "OrderedDict" || own == "collections.defaultdict")
    return Value{Symbol{own == "OrderedDict" ? "collections.OrderedDict" : own, nullptr}};
  if (is_parameter(arguments[0])) return Value{Symbol{"torch.nn.Parameter", nullptr}};
  const bool named = own == "numpy.ndarray" || own == "numpy.void" || arguments[0].of_numpy || own == "torch.Size" ||
                     find_builtin(own);
  return Value{Symbol{own == "Tensor" ? "torch.Tensor" : (named ? "" : "class.") + own, nullptr}};
}

Outcome python_isinstance(const Values& arguments) {
  if (const auto* several = std::get_if<Sequence>(&arguments[1].held); several && is_tuple(several->kind)) {
    for (const Value& type : *several->items) {
      Outcome one = python_isinstance({arguments[0], type});
      if (one.problem || std::get<bool>(one.value.held)) return one;
    }
    return Value{false};
  }
  const auto* object = std::get_if<Object>(&arguments[0].held);
  const auto* sequence = std::get_if<Sequence>(&arguments[0].held);
  const ClassPtr* const named = sequence && sequence->type ? &sequence->type : nullptr;
  if (const auto* wanted = std::get_if<ClassPtr>(&arguments[1].held))
    return Value{(object && derives(*object->type, **wanted)) || (named && *named == *wanted)};
  const auto* type_of = std::get_if<Symbol>(&arguments[1].held);
  if ((object || named) && type_of) return Value{named && type_of->path == "tuple"};
  if (!type_of || type_of->self || is_dtype_object(arguments[1]))
    return python_error("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union",
                        Msg::argument_has_type, {"classinfo", "type", type_name(arguments[1])});
  std::string own = std::get<Symbol>(python_type({arguments[0]}).value.held).path;
  if (own.starts_with("class.")) own.erase(0, 6);
  const auto is_also = [&](std::string_view derived, std::string_view base) {
    return own == derived && type_of->path == base;
  };
  if (const auto* caught = std::get_if<Caught>(&arguments[0].held))
    return Value{catches(class_path(type_of->path), caught->type)};
  if (const auto dtype = tensor_class(type_of->path); dtype && is_of_torch(arguments[0]))
    return Value{tensor_of(arguments[0])->dtype == dtype};
  const auto* scalar = std::get_if<NumpyScalar>(&arguments[0].held);
  if (arguments[0].of_numpy) {
    const std::string_view wanted = type_of->path;
    return Value{own == wanted || own == "numpy." + std::string(wanted) + "_" || wanted == "numpy.generic" ||
                 wanted == "numpy.flexible" || wanted == "numpy.character"};
  }
  return Value{(scalar && is_kind(scalar->dtype(), type_of->path)) || own == type_of->path || is_also("bool", "int") ||
               is_also("torch.nn.Parameter", "torch.Tensor") || is_also("collections.OrderedDict", "dict") ||
               is_also("collections.defaultdict", "dict") ||
               (is_dtype(arguments[0]) && type_of->path == "numpy.dtype") || is_also("torch.Size", "tuple") ||
               (own.starts_with("torch.return_types.") && type_of->path == "tuple") ||
               is_also("torch._C.Generator", "torch.Generator") || is_also("numpy.float64", "float") ||
               is_also("numpy.complex128", "complex")};
}

Outcome python_memoryview(const Values& arguments) {
  const Value& value = arguments[0];
  const TensorRef kept = memory_kept(value);
  const TensorPtr array = kept ? kept->tensor : tensor_of(value);
  if (array && array->library == Library::numpy) return Value{Facet{"data", array}};
  const auto* facet = std::get_if<Facet>(&value.held);
  if (facet && facet->name == "data") return Value{Facet{"data", facet->tensor}};
  if (is_bytes(value) || std::holds_alternative<NumpyScalar>(value.held))
    return limit(Msg::not_modelled, {"Python", "memoryview(" + type_name(value) + ")"});
  return python_error("TypeError", {"memoryview: a bytes-like object is required, not '", type_name(value), "'"},
                      Msg::argument_has_type, {"object", "ndarray", type_name(value)});
}

/// How many bytes an object takes, of CPython 3.13 on a machine of 64 bits, of PyTorch 2.6 and of NumPy 2.2. Elements
/// count where the object owns them: a view of an array is as large as its header.
Outcome python_getsizeof(const Values& arguments) {
  const Value& value = arguments[0];
  if (const TensorPtr tensor = tensor_of(value)) {
    if (tensor->library == Library::torch) return Value{int64_t{80}};
    const int64_t header = 96 + 16 * int64_t{tensor->layout.rank()};
    return Value{tensor->is_view ? header : header + *numel(tensor->layout.sizes) * tensor->item_bytes()};
  }
  if (const auto* facet = std::get_if<Facet>(&value.held); facet && facet->name.ends_with("storage"))
    return Value{(facet->name == "storage" ? 48 : 72) + facet->tensor->storage_nbytes()};
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held); scalar && scalar->dtype() != DType::complex128)
    return Value{int64_t{24} + itemsize(scalar->dtype())};
  if (std::holds_alternative<None>(value.held)) return Value{int64_t{16}};
  if (std::holds_alternative<bool>(value.held)) return Value{int64_t{28}};
  if (std::holds_alternative<Float>(value.held)) return Value{int64_t{24}};
  if (const auto* number = std::get_if<int64_t>(&value.held)) {
    int64_t bytes = 28;  // 30 bits in each four
    const auto bits = static_cast<uint64_t>(*number);
    for (uint64_t left = (*number < 0 ? 0 - bits : bits) >> 30; left > 0; left >>= 30) bytes += 4;
    return Value{bytes};
  }
  if (const auto* sequence = std::get_if<Sequence>(&value.held); sequence && sequence->kind == Sequence::Kind::tuple)
    return Value{40 + 8 * static_cast<int64_t>(sequence->items->size())};
  return limit(Msg::not_modelled, {"Python", "sys.getsizeof(" + type_name(value) + ")"});
}

}  // namespace stridescope
