// The same elements in the order or dtype asked for: the array itself, or a copy.
#include <algorithm>

#include "ops/layout_words.h"
#include "ops/lent_memory.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

constexpr const char* copy_needed =
    "Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, copy=False)` replace it with "
    "`np.asarray(obj)` to allow a copy when needed (no behavior change in NumPy 1.x).\nFor more details, see "
    "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword.";

enum class Copying : uint8_t { always, if_needed, never };

/// Whether the dtype that is asked for is the structure that the array has; strings without room are as long as its.
bool is_as_asked(const Tensor& array, const AskedDtype& asked) {
  if (!array.structure || !asked.structure) return false;
  const bool any_length = asked.structure->is_string() && asked.structure->itemsize == 0 &&
                          array.structure->characters == asked.structure->characters;
  return any_length || same_structure(*array.structure, *asked.structure);
}

/// Whether strings become others, or numbers, or numbers strings.
bool converts_strings(const Tensor& array, const AskedDtype& asked) {
  const auto is_string = [](const StructurePtr& structure) { return structure && structure->is_string(); };
  if (is_as_asked(array, asked)) return false;
  const bool swaps = asked.structure && asked.structure->is_swapped();
  return is_string(array.structure) ? asked.dtype || swaps || is_string(asked.structure)
                                    : (!array.structure || is_swapped(array)) && is_string(asked.structure);
}

/// Whether numbers of one byte order become others, or what is not asked for.
bool turns_bytes(const Tensor& array, const AskedDtype& asked) {
  if (is_as_asked(array, asked)) return false;
  const bool numbers = !array.structure || is_swapped(array);
  return numbers && (asked.structure ? asked.structure->is_swapped() : asked.dtype && array.structure);
}

/// The same elements as strings, as numbers or in the other byte order, their axes in the order asked for.
Value recoded(Call& call, const Tensor& array, const AskedDtype& asked, NumpyOrder order) {
  if (turns_bytes(array, asked)) return recast(call, array, asked, order);
  const size_t said = call.said();
  const bool swaps = asked.structure && asked.structure->is_swapped();
  const bool strings = asked.structure && !swaps;
  TensorRef made = strings ? as_strings(call, native(array), asked.structure)
                           : as_numbers(call, array, swaps ? asked.structure->number : *asked.dtype);
  if (made && swaps) made = as_swapped(call, *made->tensor, asked.structure);
  if (!made) return {};
  const bool cut = strings && call.unsay(said);
  call.why(Msg::np_converted, {dtype_text(array), dtype_text(*made->tensor)});
  if (cut) call.why(Msg::np_strings_cut, {made->tensor->structure->length()});
  const Layout target{array.layout.sizes, strides_like(array, order, made->tensor->item_bytes()), 0};
  const Tensor row_major = *made->tensor;
  const Value result = target == row_major.layout ? Value{made} : call.copy(row_major, target, row_major.dtype);
  call.relation(Relation::copy);
  return result;
}

/// Whether elements of the array may become what is wanted; else the call failed.
bool can_become(Call& call, const Tensor& array, const AskedDtype& asked) {
  if (is_as_asked(array, asked) || converts_strings(array, asked) || turns_bytes(array, asked)) return true;
  if (!asked.structure && !(array.structure && asked.dtype)) return true;
  return call.about("dtype").refuse(Msg::np_structures_not_modelled, {std::string(call.name()) + "(dtype=..)"}), false;
}

/// Whether a copy in that order would be laid out as the array is, but for what axes of one element say.
bool is_in_order(const Tensor& array, NumpyOrder order) {
  const int64_t unit = unit_of(array);
  const bool c = is_contiguous(array.layout, unit), fortran = is_f_contiguous(array.layout, unit);
  return order == NumpyOrder::keep || (order == NumpyOrder::c && c) || (order == NumpyOrder::fortran && fortran) ||
         (order == NumpyOrder::any && (c || fortran));
}

/// np.array and all that are made of it: dtype and order as asked, at least `least` dimensions.
Value array(Call& call, const Value& object, const AskedDtype& asked, NumpyOrder order, Copying copying,
            int least = 0) {
  const auto& dtype = asked.dtype;
  const bool memory = is_memory(object) || memory_kept(object);
  // What may not be copied is not converted either.
  const bool single =
      !has_dtype(object) && !std::holds_alternative<Sequence>(object.held) && !memory && !is_flat(object);
  if (single && copying == Copying::never)
    return call.fail("ValueError", copy_needed, Msg::np_copy_needed, {type_name(object)});
  const bool read_as = !has_dtype(object) && !memory && copying != Copying::never;
  const bool structures = asked.structure && !tensor_of(object) && !memory;
  const bool strings = !asked.dtype && !asked.structure && holds_strings(object);
  const size_t said = call.said();
  const TensorRef source = strings      ? string_array(call, nullptr, object)
                           : structures ? structured_array(call, asked.structure, object)
                                        : as_array(call, object, read_as ? dtype : std::nullopt);
  if (call.failed() || !can_become(call, *source->tensor, asked)) return {};
  const Tensor& given = *source->tensor;
  const bool made_strings = (strings || structures) && given.structure->is_string();
  const bool cut = made_strings && call.unsay(said);
  const int64_t unit = unit_of(given);
  const bool recodes = converts_strings(given, asked) || turns_bytes(given, asked);
  const bool other_dtype = recodes || (dtype && *dtype != given.dtype);
  // A conversion keeps the order of the axes unless C or F is named.
  if (other_dtype && order == NumpyOrder::any) order = NumpyOrder::keep;
  const bool fits = order == NumpyOrder::any || is_in_order(given, order);
  const bool must = other_dtype || !fits;
  const bool fresh_list = !tensor_of(object) && !memory;
  // A tensor's __array__ cannot be told not to copy.
  const bool foreign = !fresh_list && tensor_of(object) && tensor_of(object)->library == Library::torch;
  if ((must || fresh_list || foreign) && copying == Copying::never) {
    call.fail("ValueError",
              !fresh_list && !foreign && dtype && !other_dtype ? "Unable to avoid copy while creating a new array."
                                                               : copy_needed,
              Msg::np_copy_needed, {dtype_text(given)});
    call.hint(Msg::hint_np_let_copy, {nbytes(given)}, Fix{call.argument("copy"), "copy=None"});
    return {};
  }
  Value result{source};
  if (fresh_list && order == NumpyOrder::fortran && given.layout.rank() > 1) {
    // Written down in Fortran order at once.
    Tensor placed = given;
    placed.layout.strides = owned_layout(call, given.layout.sizes, unit, Order::fortran).strides;
    result = call.copy(given, placed.layout, given.dtype);
    call.relation(Relation::fresh);
  }
  if (recodes) {
    result = recoded(call, given, asked, order);
    if (call.failed()) return {};
  } else if (other_dtype || (!fresh_list && (must || copying == Copying::always))) {
    result = numpy_copy(call, given, order, dtype);
    if (other_dtype)
      call.why(Msg::np_converted, {name(given.dtype), name(*dtype)});
    else if (!fits) {
      call.why(order == NumpyOrder::c ? Msg::np_not_c_order : Msg::np_not_f_order, {to_string(given.layout.strides)});
      const int rank = given.layout.rank();
      explain_packed(call, given, order == NumpyOrder::c ? c_order(rank) : fortran_order(rank));
    }
    if (call.failed()) return {};
  } else if (fresh_list) {
    call.why(Msg::np_array_headline, {to_string(given.layout.sizes), dtype_text(given)});
    if (made_strings)
      call.why(asked.structure && asked.structure->itemsize > 0 ? Msg::np_strings_asked : Msg::np_strings_room,
               {given.structure->length(), given.structure->character_bytes(), given.structure->itemsize});
    if (cut) call.why(Msg::np_strings_cut, {given.structure->length()});
    call.relation(Relation::fresh);
  } else if (memory) {
    explain_view(call, given, given.layout);
  } else if (asked.structure && asked.structure->itemsize > 0 && asked.structure != given.structure) {
    // An equal dtype that is another object: NumPy shows the array through that.
    Tensor seen = given;
    seen.structure = asked.structure;
    result = numpy_view(call, seen, given.layout);
  } else {
    result = numpy_same(call, source, Msg::np_same_headline, {dtype_text(given)});
  }
  const Tensor& made = *tensor_of(result);
  if (made.layout.rank() >= least) return result;
  const Layout layout = with_leading_axes(made.layout, least, unit_of(made), order);
  call.why(Msg::np_leading_ones, {least});
  return call.view(made, layout);
}

/// dtype=; where it is one that is not modelled, lists are read first, which may fail.
AskedDtype read_before(Call& call, const char* parameter) {
  const Value& object = call.value(parameter);
  if (StructurePtr structure = structure_argument(call)) return {std::nullopt, std::move(structure)};
  if (is_foreign_dtype(call.value("dtype")) && std::holds_alternative<Sequence>(object.held)) as_array(call, object);
  return {call.failed() ? std::nullopt : dtype_argument(call)};
}

Copying copy_argument(Call& call) {
  if (!call.given("copy")) return Copying::if_needed;
  if (std::holds_alternative<std::string>(call.value("copy").held)) {
    call.about("copy").fail("ValueError", "strings are not allowed for 'copy' keyword. Use True/False/None instead.",
                            Msg::argument_has_type, {"copy", "bool", "str"});
    return Copying::if_needed;
  }
  return call.truth("copy") ? Copying::always : Copying::never;
}

}  // namespace

Value numpy_array(Call& call, const Value& object) {
  const Copying copying = copy_argument(call);
  return call.failed() ? Value{} : array(call, object, {}, NumpyOrder::keep, copying);
}

namespace {

Value require(Call& call) {
  bool c = false, f = false, owned = false, writeable = false, aligned = false;
  const Value& requirements = call.value("requirements");
  const bool any = call.truth("requirements");
  if (call.failed()) return {};
  if (!any) return array(call, call.value("a"), {dtype_argument(call)}, NumpyOrder::keep, Copying::if_needed);
  const auto items = python_items(requirements);
  const TensorPtr numbers = tensor_of(requirements);
  if (!items && !(numbers && numbers->layout.rank() > 0))
    return call.about("requirements")
        .fail_parser(
            {numbers ? "iteration over a 0-d array" : "'" + type_name(requirements) + "' object is not iterable"},
            Msg::not_iterable, {type_name(requirements)});
  const std::vector<Value> wanted = items ? *items : std::vector<Value>{{NumpyScalar{{numbers->dtype}}}};
  for (const Value& item : wanted) {
    const auto* text = std::get_if<std::string>(&item.held);
    if (!text) {
      const std::string type = (std::holds_alternative<NumpyScalar>(item.held) ? "numpy." : "") + type_name(item);
      return call.about("requirements")
          .fail("AttributeError", {"'", type, "' object has no attribute 'upper'"}, Msg::np_unknown_requirement,
                {to_string(item)});
    }
    std::string word = *text;
    std::transform(word.begin(), word.end(), word.begin(), [](char letter) {
      return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
    });
    if (word == "C" || word == "C_CONTIGUOUS" || word == "CONTIGUOUS")
      c = true;
    else if (word == "F" || word == "F_CONTIGUOUS" || word == "FORTRAN")
      f = true;
    else if (word == "O" || word == "OWNDATA")
      owned = true;
    else if (word == "W" || word == "WRITEABLE")
      writeable = true;
    else if (word == "A" || word == "ALIGNED")
      aligned = true;
    else if (word != "E" && word != "ENSUREARRAY")
      return call.fail("KeyError", to_string(Value{word}), Msg::np_unknown_requirement, {to_string(item)});
  }
  if (c && f) return call.fail("ValueError", "Cannot specify both \"C\" and \"F\" order", Msg::np_both_orders);
  const auto dtype = dtype_argument(call);
  if (call.failed()) return {};
  const NumpyOrder order = c ? NumpyOrder::c : f ? NumpyOrder::fortran : NumpyOrder::any;
  const Value result = array(call, call.value("a"), {dtype}, order, Copying::if_needed);
  if (call.failed()) return {};
  const Tensor& made = *tensor_of(result);
  if ((owned && made.is_view) || (writeable && !made.writeable) || (aligned && !is_aligned(made))) {
    const Tensor before = made;
    call.why(owned && made.is_view          ? Msg::np_required_owned
             : writeable && !made.writeable ? Msg::np_required_writeable
                                            : Msg::np_required_aligned);
    return numpy_copy(call, before, order);
  }
  return result;
}

/// x.astype where what is asked for or the array is of strings.
Value astype_strings(Call& call, const TensorRef& source, const AskedDtype& asked) {
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
  const Casting casting = numpy_casting(call, Casting::unsafe);
  if (call.failed()) return {};
  if (casting != Casting::unsafe || std::holds_alternative<NumpyScalar>(call.first().held))
    return call.about("dtype").refuse(Msg::np_strings_not_modelled, {std::string(call.name()) + "(casting=..)"});
  const Tensor given = *source->tensor;
  const AskedDtype wanted{asked.structure || asked.dtype ? asked.dtype : DType::float64, asked.structure};
  if (converts_strings(given, wanted)) return recoded(call, given, wanted, order);
  if (!is_as_asked(given, wanted))
    return call.about("dtype").refuse(Msg::np_structures_not_modelled, {std::string(call.name()) + "(dtype=..)"});
  if (!call.truth("copy") && is_in_order(given, order))
    return numpy_same(call, source, Msg::np_same_headline, {dtype_text(given)});
  return call.failed() ? Value{} : numpy_copy(call, given, order);
}

/// The same where one of both is of numbers in the other byte order.
Value astype_swapped(Call& call, const TensorRef& source, const StructurePtr& wanted) {
  const AskedDtype asked{wanted ? std::nullopt : std::optional(dtype_argument(call).value_or(DType::float64)), wanted};
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
  const Casting casting = numpy_casting(call, Casting::unsafe);
  if (call.failed()) return {};
  const Tensor given = *source->tensor;
  if (casting == Casting::no || (!turns_bytes(given, asked) && !is_as_asked(given, asked)))
    return call.about("dtype").refuse(Msg::np_structures_not_modelled, {std::string(call.name()) + "(dtype=..)"});
  if (!check_cast(call, native(given), wanted ? wanted->number : *asked.dtype, casting)) return {};
  if (turns_bytes(given, asked)) return recast(call, given, asked, order);
  if (!call.truth("copy") && is_in_order(given, order))
    return numpy_same(call, source, Msg::np_same_headline, {dtype_text(given)});
  return call.failed() ? Value{} : numpy_copy(call, given, order);
}

Value astype(Call& call) {
  const TensorRef source = receiver(call);
  const StructurePtr wanted = structure_argument(call);
  if (!source) return {};
  if (is_string_array(call.first()) || (wanted && wanted->is_string()))
    return astype_strings(call, source, {wanted ? std::nullopt : dtype_argument(call), wanted});
  const bool scalar = std::holds_alternative<NumpyScalar>(call.first().held), swaps = wanted && wanted->is_swapped();
  if (is_swapped(*source->tensor) || (swaps && !scalar)) return astype_swapped(call, source, wanted);
  const bool foreign = !swaps && is_foreign_dtype(call.value("dtype"));
  const DType dtype = swaps     ? wanted->number  // of a scalar, which has no byte order
                      : foreign ? DType::float64
                                : dtype_argument(call).value_or(DType::float64);
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
  const Casting casting = numpy_casting(call, Casting::unsafe);
  if (call.failed()) return {};
  if (foreign) return refuse_cast_to_foreign(call, *source->tensor, casting);
  const Tensor& given = *source->tensor;
  if (!call.truth("copy") && dtype == given.dtype && is_in_order(given, order)) {
    const Value itself = numpy_same(call, source, Msg::np_same_headline, {name(given.dtype)});
    return scalar ? call.first() : itself;
  }
  if (!check_cast(call, given, dtype, casting)) return {};
  const Value result = numpy_copy(call, given, order, dtype);
  if (dtype != given.dtype) call.why(Msg::np_converted, {name(given.dtype), name(dtype)});
  return scalar ? scalar_if_0d(call, result) : result;
}

/// np.float32(x): a scalar, of an array or list an array.
Value scalar_of(Call& call) {
  const auto dtype = dtype_named(call.name().substr(call.name().find('.') + 1));
  const Value& given = call.value("x");
  if (!(call.argument("imag") == Span{}))
    return call.about("imag").refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(real, imag)"});
  const TensorRef source = as_array(call, given, has_dtype(given) ? std::nullopt : dtype);
  if (call.failed()) return {};
  return scalar_if_0d(call, source->tensor->dtype == *dtype
                                ? Value{source}
                                : numpy_copy(call, *source->tensor, NumpyOrder::keep, dtype));
}

}  // namespace

std::span<const Op> numpy_convert_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0)", Msg::op_np_array,
       "", "x = np.array([[1, 2], [3, 4]])",
       [](Call& call) {
         const auto dtype = read_before(call, "object");
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
         call.truth("subok");
         if (const int64_t least = call.integer("ndmin"); least > max_rank)
           call.about("ndmin").fail("ValueError",
                                    {"ndmin bigger than allowable number of dimensions NPY_MAXDIMS (=", max_rank, ")"},
                                    Msg::np_too_many_axes, {max_rank});
         if (call.failed()) return Value{};
         return array(call, call.value("object"), dtype, order, copy_argument(call),
                      static_cast<int>(std::clamp<int64_t>(call.integer("ndmin"), 0, max_rank)));
       },
       Op::Structured::arrays},
      {Library::numpy,
       "np.asarray(a, dtype=None, order='K', *, copy=None)\nnp.asanyarray(a, dtype=None, order='K', *, copy=None)",
       Msg::op_np_asarray, "copies only where dtype or order ask for it",
       "x = np.arange(6).reshape(2, 3)\ny = np.asarray(x, order='F')",
       [](Call& call) {
         const auto dtype = read_before(call, "a");
         return array(call, call.value("a"), dtype, numpy_order(call, "order", NumpyOrder::keep), copy_argument(call));
       },
       Op::Structured::arrays},
      {Library::numpy, "np.ascontiguousarray(a, dtype=None)", Msg::op_np_ascontiguousarray,
       "a itself where it is C-contiguous, else a C-ordered copy",
       "x = np.arange(6).reshape(2, 3).T\ny = np.ascontiguousarray(x)",
       [](Call& call) { return array(call, call.value("a"), asked_dtype(call), NumpyOrder::c, Copying::if_needed, 1); },
       Op::Structured::arrays},
      {Library::numpy, "np.asfortranarray(a, dtype=None)", Msg::op_np_asfortranarray,
       "a itself where it is F-contiguous, else an F-ordered copy",
       "x = np.arange(6).reshape(2, 3)\ny = np.asfortranarray(x)",
       [](Call& call) {
         return array(call, call.value("a"), asked_dtype(call), NumpyOrder::fortran, Copying::if_needed, 1);
       },
       Op::Structured::arrays},
      {Library::numpy, "np.require(a, dtype=None, requirements=None)", Msg::op_np_require, "",
       "x = np.arange(6).reshape(2, 3)\ny = np.require(x, requirements=['F', 'O'])", require, Op::Structured::arrays},
      {Library::numpy, "x.copy(order='C')", Msg::op_np_copy, "strides of a fresh array in that order",
       "x = np.arange(6).reshape(2, 3).T\ny = x.copy()",
       [](Call& call) {
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
         const TensorRef source = receiver(call);
         const Value result = call.failed() ? Value{} : numpy_copy(call, *source->tensor, order);
         return std::holds_alternative<NumpyScalar>(call.first().held) ? scalar_if_0d(call, result) : result;
       },
       Op::Structured::arrays},
      {Library::numpy, "np.copy(a, order='K', subok=False)", Msg::op_np_copy_function,
       "the axes keep the order of |strides| of a", "x = np.arange(6).reshape(2, 3).T\ny = np.copy(x)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
         call.truth("subok");
         return call.failed() ? Value{} : numpy_copy(call, *source->tensor, order);
       },
       Op::Structured::arrays},
      {Library::numpy, "x.astype(dtype, order='K', casting='unsafe', subok=True, copy=True)", Msg::op_np_astype, "",
       "x = np.arange(6)\ny = x.astype(np.float32)", astype, Op::Structured::strings},
      {Library::numpy, "np.astype(x, dtype, /, *, copy=True)", Msg::op_np_astype, "",
       "x = np.arange(6)\ny = np.astype(x, np.float32)",
       [](Call& call) -> Value {
         if (std::holds_alternative<Sequence>(call.value("x").held))
           return call.about("x").fail_parser(
               {"Input should be a NumPy array or scalar. It is a <class '", type_name(call.value("x")), "'> instead."},
               Msg::np_array_needed, {type_name(call.value("x"))});
         if (!has_dtype(call.value("x")))
           return call.about("x").fail("AttributeError",
                                       {"'", type_name(call.value("x")), "' object has no attribute 'astype'"},
                                       Msg::np_array_needed, {type_name(call.value("x"))});
         return astype(call);
       }},
      {Library::numpy,
       "np.int64(x=0, /)\nnp.int32(x=0, /)\nnp.int16(x=0, /)\nnp.int8(x=0, /)\nnp.uint64(x=0, /)\nnp.uint32(x=0, /)\n"
       "np.uint16(x=0, /)\nnp.uint8(x=0, /)\nnp.bool(x=0, /)\nnp.float64(x=0, /)\nnp.float32(x=0, /)\n"
       "np.float16(x=0, /)\n"
       "np.complex128(x=0, imag=0)\nnp.complex64(x=0, imag=0)",
       Msg::op_np_scalar_type, "", "x = np.float32(1.5)", scalar_of},
      {Library::numpy, "np.dtype(dtype, align=False, copy=False)", Msg::op_np_dtype_object, "", "t = np.dtype('int32')",
       [](Call& call) -> Value {
         const bool aligned = call.truth("align");
         if (StructurePtr structure = structure_argument(call, "dtype", aligned))
           return call.relation(Relation::none), Value{std::move(structure)};
         const auto dtype = dtype_argument(call);
         if (!call.failed()) call.relation(Relation::none);
         return call.failed() ? Value{} : dtype_object(dtype.value_or(DType::float64));
       }},
  };
  return rows;
}

}  // namespace stridescope
