// What ufuncs take for operands; and what NumPy says where it has no loop for them.
#include <algorithm>

#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/numpy/ufunc.h"

namespace stridescope {

std::nullopt_t no_loop(Call& call, const Ufunc& what, std::string_view dtype) {
  call.fail_parser({"ufunc '", what.function,
                    "' not supported for the input types, and the inputs could not be safely coerced to any "
                    "supported types according to the casting rule ''safe''"},
                   Msg::not_defined_for, {what.function, dtype});
  return std::nullopt;
}

std::nullopt_t no_matching_loop(Call& call, const Ufunc& what, const std::vector<std::string>& types,
                                std::string_view dtype, const std::string& result) {
  const std::string all = types.size() == 1 ? types[0] : "(" + types[0] + ", " + types[1] + ")";
  call.fail("UFuncTypeError",
            {"ufunc '", what.function, "' did not contain a loop with signature matching types ", all, " -> ", result},
            Msg::not_defined_for, {what.function, dtype});
  return std::nullopt;
}

std::string dtype_class_text(std::string_view name) {
  std::string own(name);
  if (own[0] >= 'a') own[0] = static_cast<char>(own[0] & ~0x20);
  if (own.starts_with("Ui")) own[1] = 'I';
  return "<class 'numpy.dtypes." + own + "DType'>";
}

std::string operand_class(const Operand& one) {
  const DType dtype = one.array->tensor->dtype;
  if (!one.weak || dtype == DType::boolean) return dtype_class_text(name(dtype));
  return dtype_class_text(is_integer(dtype) ? "_PyLong" : is_complex(dtype) ? "_PyComplex" : "_PyFloat");
}

namespace {

/// An operand as those messages name it.
struct NamedOperand {
  std::string dtype;         ///< "dtype('<U2')"
  std::string dtype_class;   ///< "<class 'numpy.dtypes.StrDType'>"
  StructurePtr structure;    ///< of what is no number; else null
  bool is_integral = false;  ///< of integers
};

std::optional<NamedOperand> named(Call& call, const Value& value) {
  const Operand one = is_no_number(value) ? Operand{array_or_strings(call, value), false, {}} : operand(call, value);
  if (call.failed()) return std::nullopt;
  const Tensor& array = *one.array->tensor;
  if (!array.structure) return NamedOperand{dtype_repr(array), operand_class(one), nullptr, is_integer(array.dtype)};
  const char kind = array.structure->characters;
  return NamedOperand{dtype_repr(array),
                      dtype_class_text(kind == 'U'   ? "Str"
                                       : kind == 'S' ? "Bytes"
                                                     : "Void"),
                      array.structure};
}

/// What to do about such elements.
void hint_at(Call& call, const Structure& structure) {
  if (structure.is_string())
    call.hint(Msg::hint_np_strings_as_numbers);
  else if (!structure.fields.empty())
    call.hint(Msg::hint_np_field, {quoted(structure.fields.front().name)});
}

/// The strings that hold any number of that dtype.
std::string text_dtype_of(DType dtype) {
  constexpr int lengths[] = {5, 3, 4, 5, 6, 10, 11, 20, 21, 32, 32, 32, 32, 64, 64};
  return "dtype('<U" + std::to_string(lengths[static_cast<size_t>(dtype)]) + "')";
}

/// x * 2 repeats strings, but only into strings that are given.
void refuse_repeating(Call& call, const Structure& strings, const TensorRef& out) {
  if (!out)
    call.fail_parser("The 'out' kwarg is necessary. Use numpy.strings.multiply without it.", Msg::not_defined_for,
                     {"multiply", to_string(strings)});
  else if (out->tensor->structure)
    refuse_elements(call, strings);
  else
    call.fail("UFuncTypeError",
              {"Cannot cast ufunc 'multiply' output from ", text_dtype_of(out->tensor->dtype), " to dtype('",
               name(out->tensor->dtype), "') with casting rule 'same_kind'"},
              Msg::np_cannot_cast, {"str", name(out->tensor->dtype)});
}

/// How NumPy finds the loops of a ufunc, by which its message differs.
enum class LoopsFound {
  by_casts,   ///< the first whose dtypes the operands may be cast to
  by_dtypes,  ///< from the dtypes of the operands
  by_classes  ///< from their classes
};

LoopsFound loops_found(const Ufunc& what) {
  constexpr std::string_view sums[] = {"add", "subtract", "multiply", "maximum", "minimum", "fmax",  "fmin",
                                       "gcd", "lcm",      "matmul",   "vecdot",  "matvec",  "vecmat"};
  constexpr std::string_view of_one[] = {"negative", "absolute", "sign", "positive"};
  const auto is_among = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), what.function) != std::end(names);
  };
  if (is_comparison(what) || is_among(of_one)) return LoopsFound::by_classes;
  return is_among(sums) ? LoopsFound::by_dtypes : LoopsFound::by_casts;
}

}  // namespace

bool refuse_no_numbers(Call& call, const Ufunc& what, const std::vector<const Value*>& values, const TensorRef& out) {
  if (std::none_of(values.begin(), values.end(), [](const Value* value) { return is_no_number(*value); })) return false;
  std::vector<NamedOperand> operands;
  for (const Value* value : values) {
    auto operand = named(call, *value);
    if (!operand) return true;
    operands.push_back(*std::move(operand));
  }
  const NamedOperand &first = operands.front(), &last = operands.back();
  const Structure& structure = first.structure ? *first.structure : *last.structure;
  const bool both = first.structure && last.structure, strings = structure.is_string();
  const bool repeats = what.op == Arithmetic::multiply && strings && (first.is_integral || last.is_integral);
  const bool joins = what.function == "add" && both && first.structure->is_string() && last.structure->is_string();
  const bool has_loop = operands.size() == 2 && both && first.dtype_class == last.dtype_class && strings &&
                        (joins || is_comparison(what));
  const auto texts = [&](std::string NamedOperand::*word) {
    std::vector<std::string> all;
    for (const NamedOperand& one : operands) all.push_back(one.*word);
    return all;
  };
  const std::string dtype = to_string(structure);
  if (has_loop || !(call.argument("dtype") == Span{})) return refuse_elements(call, structure), true;
  if (repeats)
    refuse_repeating(call, structure, out);
  else if (joins)
    call.fail("UFuncTypeError", {"ufunc 'add' cannot use operands with types ", first.dtype, " and ", last.dtype},
              Msg::np_strings_of_two_kinds);
  else if (loops_found(what) == LoopsFound::by_casts)
    no_loop(call, what, dtype);
  else
    no_matching_loop(
        call, what,
        texts(loops_found(what) == LoopsFound::by_dtypes ? &NamedOperand::dtype : &NamedOperand::dtype_class), dtype);
  if (!joins) hint_at(call, structure);
  return true;
}

bool refuse_reduction(Call& call, std::string_view ufunc, const TensorRef& source, std::string_view method) {
  if (call.failed() || !source->tensor->structure) return call.failed();
  const Tensor& array = *source->tensor;
  const TensorPtr out = tensor_of(call.value("out"));
  const std::string own = repr(*array.structure), into = out ? dtype_repr(*out) : own;
  const Ufunc& what = binary_ufunc("numpy." + std::string(ufunc));
  if (what.op == Arithmetic::add && array.structure->is_string() && !out) {
    const Structure& string = *array.structure;
    const std::string sum = repr(*string_structure(string.characters, 2 * string.length()));
    call.fail_parser(
        {"the resolved dtypes are not compatible with add.", method, ". Resolved (", own, ", ", own, ", ", sum, ")"},
        Msg::np_strings_grow, {string.length()});
  } else if ((what.op == Arithmetic::add && out && array.structure->is_string()) || is_logical(what)) {
    return refuse_elements(call, *array.structure), true;
  } else if (loops_found(what) == LoopsFound::by_dtypes) {
    no_matching_loop(call, what, {into, own}, to_string(*array.structure));
  } else {
    no_loop(call, what, to_string(*array.structure));
  }
  hint_at(call, *array.structure);
  return true;
}

bool is_object(const Value& value) {
  return std::holds_alternative<None>(value.held) || std::holds_alternative<SliceValue>(value.held) ||
         std::holds_alternative<Symbol>(value.held) || std::holds_alternative<Ellipsis>(value.held);
}

namespace {

/// What an element of the value is to Python.
std::string element_type(const Value& value) {
  const TensorPtr array = tensor_of(value);
  if (!array) return type_name(value);
  if (array->structure && !array->structure->is_swapped())
    return array->structure->characters == 'U' ? "str" : array->structure->has_fields() ? "tuple" : "bytes";
  return array->dtype == DType::boolean ? "bool"
         : is_integer(array->dtype)     ? "int"
         : is_complex(array->dtype)     ? "complex"
                                        : "float";
}

}  // namespace

bool refuse_objects(Call& call, const Ufunc& what, const Value& a, const Value& b, const TensorRef& out) {
  const TensorPtr array = tensor_of(is_object(a) ? b : a);
  const bool asks = what.op == Arithmetic::equal || what.op == Arithmetic::not_equal ||
                    (is_logical(what) && what.op != Arithmetic::logical_xor);
  if ((!is_object(a) && !is_object(b)) || asks || (array && count_of(*array) == 0)) return false;
  const std::string type = type_name(is_object(a) ? a : b);
  if (out)
    call.fail("UFuncTypeError",
              {"Cannot cast ufunc '", what.function, "' output from dtype('O') to dtype('", name(out->tensor->dtype),
               "') with casting rule 'same_kind'"},
              Msg::np_cannot_cast, {"object", name(out->tensor->dtype)});
  else if (what.op >= Arithmetic::copy_sign && what.op <= Arithmetic::step_function)
    call.fail_parser({"ufunc '", what.function, "' not supported for the input types"}, Msg::operands_do_not_fit,
                     {what.function, type_name(a), type_name(b)});
  else if (what.op == Arithmetic::common_divisor || what.op == Arithmetic::common_multiple)
    call.refuse(Msg::not_modelled, {"NumPy", "np." + std::string(what.function) + "(object)"});
  else if (what.op == Arithmetic::arc_tangent2 || what.op == Arithmetic::hypotenuse ||
           what.op == Arithmetic::logical_xor)
    call.fail("AttributeError", {"'", element_type(a), "' object has no attribute '", what.function, "'"},
              Msg::operands_do_not_fit, {what.function, type_name(a), type_name(b)});
  else
    call.fail_parser({"unsupported operand type(s) for ", what.symbol, ": '", type, "'"}, Msg::operands_do_not_fit,
                     {what.function, type_name(a), type_name(b)});
  return true;
}

namespace {

/// Which of its elements are true to NumPy's logic, which asks strings whether they are empty.
Operand truths_of(Call& call, const Value& value) {
  if (!is_no_number(value)) return operand(call, value);
  if (const auto* text = std::get_if<std::string>(&value.held)) return operand(call, Value{!text->empty()});
  const TensorRef array = array_or_strings(call, value);
  if (!array) return {};
  const Tensor& given = *array->tensor;
  if (!given.structure->is_string())
    return call.fail_parser(
               {"Cannot cast array data from ", dtype_repr(given), " to dtype('bool') according to the rule 'unsafe'"},
               Msg::np_cast_refused, {dtype_text(given), "bool", "unsafe"}),
           Operand{};
  const bool known = is_known(*given.storage->contents);
  const TensorRef made = known ? as_numbers(call, given, DType::boolean) : nullptr;
  if (call.failed()) return {};
  const LaidOut alike =
      laid_out(known ? made->tensor->storage->contents : unknown_contents(DType::boolean, count_of(given)),
               given.layout.sizes, iteration_order({given.layout}), DType::boolean);
  return operand(call, call.fresh(DType::boolean, alike.layout, alike.contents));
}

}  // namespace

std::optional<std::pair<Operand, Operand>> ufunc_operands(Call& call, const Ufunc& what, const Value& a,
                                                          const Value& b) {
  const bool logic = is_logical(what);
  if (refuse_objects(call, what, a, b) || (!logic && refuse_no_numbers(call, what, {&a, &b}))) return std::nullopt;
  std::pair operands{logic ? truths_of(call, a) : operand(call, a), logic ? truths_of(call, b) : operand(call, b)};
  return call.failed() ? std::nullopt : std::optional(std::move(operands));
}

}  // namespace stridescope
