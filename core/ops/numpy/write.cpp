// Writes to the elements of an array other than x[key] = value.
#include <algorithm>
#include <cmath>

#include "ops/fold.h"
#include "ops/numpy/structured.h"
#include "ops/rows.h"

namespace stridescope {

void numpy_store(Call& call, const Tensor& target, const Value& given) {
  if (target.structure) return store_structure(call, target, given);
  if (!numpy_writeable(call, target)) return;
  if (const auto* list = std::get_if<Sequence>(&given.held)) {
    // bool() takes a list; int() and complex() name its type, float() calls it a sequence.
    const std::string type = type_name(given);
    if (target.dtype == DType::boolean) return numpy_assign(call, target, Value{!list->items->empty()});
    if (is_floating(target.dtype))
      return void(
          call.fail("ValueError", "setting an array element with a sequence.", Msg::not_a_number, {type_name(given)}));
    return void(call.fail_parser(
        is_complex(target.dtype)
            ? "must be real number, not " + type
            : "int() argument must be a string, a bytes-like object or a real number, not '" + type + "'",
        Msg::not_a_number, {type_name(given)}));
  }
  const TensorPtr array = tensor_of(given);
  if (array && array->layout.rank() > 0) {
    const bool imaginary = is_complex(array->dtype) && !is_complex(target.dtype) && target.dtype != DType::boolean;
    if (count_of(*array) == 1 && !imaginary) {
      Tensor one = *array;
      one.layout = {{}, {}, array->layout.storage_offset};
      return numpy_assign(call, target, numpy_scalar(call, one));
    }
    if (is_complex(target.dtype))
      return void(call.fail_parser("only length-1 arrays can be converted to Python scalars",
                                   Msg::np_element_with_sequence, {to_string(array->layout.sizes)}));
    return void(call.fail("ValueError", "setting an array element with a sequence.", Msg::np_element_with_sequence,
                          {to_string(array->layout.sizes)}));
  }
  numpy_assign(call, target, given);
}

namespace {

Value fill(Call& call) {
  numpy_store(call, *receiver(call)->tensor, call.value("value"));
  return {};
}

/// What np.copyto(target, source) writes, an array; null where the call failed.
TensorRef copied_from(Call& call, const TensorRef& target, const Value& source, const char* parameter,
                      Casting casting) {
  const DType own = target->tensor->dtype;
  if (const auto text = text_dtype(source))
    return call.about(parameter).fail_parser(
               {"Cannot cast scalar from dtype('", *text, "') to dtype('", name(own), "') according to the rule"},
               Msg::np_cast_refused, {*text, name(own), "same_kind"}),
           nullptr;
  const Operand read = operand(call, source);
  if (call.failed()) return nullptr;
  if (!read.weak) return read.array;
  // A Python number takes the dtype of the target where its kind allows.
  const DType dtype = common_dtype({target, false, {}}, read);
  if (dtype != read.array->tensor->dtype && casting == Casting::equiv)
    return call.fail_parser(
               {"cannot cast Python ", type_name(read.number), " to ", name(dtype), " under the casting rule 'equiv'"},
               Msg::np_cast_refused, {type_name(read.number), name(dtype), "equiv"}),
           nullptr;
  return as_array(call, read.number, dtype);
}

/// Whether it takes an unsafe cast to make elements of the target of what is copied: numbers of strings, either of
/// structures, structures of either. The call failed where another is asked for.
bool refuse_cast_between_kinds(Call& call, const Tensor& target, const Value& source, Casting casting) {
  enum class Kind { numbers, strings, structures };
  const auto kind_of = [](const Tensor& one) {
    return !one.structure || one.structure->is_swapped() ? Kind::numbers
           : one.structure->is_string()                  ? Kind::strings
                                                         : Kind::structures;
  };
  const TensorPtr array = tensor_of(source);
  if (casting == Casting::unsafe || (!array && !as_real(source))) return false;
  const Kind from = array ? kind_of(*array) : Kind::numbers, to = kind_of(target);
  if (from == to || (from == Kind::numbers && to == Kind::strings)) return false;
  const Operand given = array ? Operand{} : operand(call, source);
  if (!call.failed()) refuse_cast(call.about("src"), array ? *array : *given.array->tensor, target, casting);
  return true;
}

Value copyto(Call& call) {
  const Casting casting = numpy_casting(call, Casting::same_kind);
  const auto* given = std::get_if<TensorRef>(&call.value("dst").held);
  if (call.failed()) return {};
  if (!given || (*given)->tensor->library != Library::numpy) return call.wrong_type("dst", "numpy.ndarray");
  const StructurePtr structure = (*given)->tensor->structure;
  if (refuse_cast_between_kinds(call, *(*given)->tensor, call.value("src"), casting)) return {};
  if (structure && (call.argument("casting") != Span{} || call.argument("where") != Span{} ||
                    !(structure->is_string() || tensor_of(call.value("src")))))
    return refuse_elements(call, *structure);
  const TensorRef array = structure ? structures_for(call, structure, call.value("src"))
                                    : copied_from(call, *given, call.value("src"), "src", casting);
  if (!array) return {};
  TensorRef mask;
  if (const Value& where = call.value("where");
      !std::holds_alternative<bool>(where.held) || !std::get<bool>(where.held)) {
    const TensorPtr given_mask = tensor_of(where);
    if (given_mask && given_mask->dtype != DType::boolean)
      return check_cast(call, *given_mask, DType::boolean, Casting::safe), Value{};
    mask = as_array(call, where, DType::boolean);
  }
  if (call.failed()) return {};
  numpy_assign(call, *(*given)->tensor, array, casting, mask);
  return {};
}

/// np.nan_to_num: into np.array(x, copy=copy), or both parts of it, three times by np.copyto.
Value nan_to_num(Call& call) {
  const Value made = numpy_array(call, call.value("x"));
  if (call.failed()) return {};
  const TensorRef array = std::get<TensorRef>(made.held);
  const DType own = array->tensor->dtype;
  if (is_whole(own)) return scalar_if_0d(call, made);
  const int64_t count = count_of(*array->tensor);
  if (!call.few(*array->tensor)) return {};
  const bool written = call.given("copy") && !call.truth("copy");
  int64_t replaced = 0;
  const size_t said = call.said();
  for (int part = 0; part < (is_complex(own) ? 2 : 1); ++part) {
    const auto place = [&] {
      const Tensor& whole = *array->tensor;
      return is_complex(own) ? complex_part(whole, part) : whole;
    };
    // Which elements are which is found out before any is written.
    const Tensor seen = place();
    std::vector<Scalar> masks[3];
    for (int64_t i = 0; i < count; ++i) {
      const double value = element(elements_of(seen), i).real;
      const bool which[] = {std::isnan(value), value == INFINITY, value == -INFINITY};
      for (int k = 0; k < 3; ++k) masks[k].push_back({DType::boolean, which[k]});
      replaced += which[0] || which[1] || which[2];
    }
    const double most = largest_number(seen.dtype);
    constexpr const char* names[] = {"nan", "posinf", "neginf"};
    for (int k = 0; k < 3 && !call.failed(); ++k) {
      const Value limit{NumpyScalar{real_scalar(k == 1 ? most : -most, seen.dtype)}};
      const TensorRef target = nameless(place());
      const TensorRef source = copied_from(call, target, call.given(names[k]) || k == 0 ? call.value(names[k]) : limit,
                                           names[k], Casting::same_kind);
      if (!source) return {};
      const Value mask =
          numpy_fresh(call, seen.layout.sizes, DType::boolean, literal_contents(masks[k], DType::boolean));
      if (!call.failed())
        numpy_assign(call, *target->tensor, source, Casting::same_kind, std::get<TensorRef>(mask.held));
    }
  }
  if (call.failed()) return {};
  call.unsay(said);
  call.why(Msg::np_nan_to_num, {replaced, count});
  call.relation(written ? Relation::none : tensor_of(call.first()) ? Relation::copy : Relation::fresh);
  return scalar_if_0d(call, made);
}

/// np.fill_diagonal of a matrix, or of an array whose axes are all as long.
Value fill_diagonal(Call& call) {
  const TensorRef array = receiver_with(call, "ndim");
  if (call.failed()) return {};
  Tensor diagonal = *array->tensor;
  const Layout& whole = array->tensor->layout;
  if (whole.rank() < 2)
    return call.about("a").fail("ValueError", "array must be at least 2-d", Msg::np_fill_diagonal_axes, {whole.rank()});
  Layout line{{whole.sizes[0]}, {0}, whole.storage_offset};
  for (int d = 0; d < whole.rank(); ++d) {
    if (whole.rank() > 2 && whole.sizes[d] != whole.sizes[0])
      return call.about("a").fail("ValueError", "All dimensions of input must be of equal length",
                                  Msg::np_fill_diagonal_cube, {to_string(whole.sizes)});
    line.sizes[0] = std::min(line.sizes[0], whole.sizes[d]);
    line.strides[0] += whole.strides[d];
  }
  const int64_t columns = whole.sizes[1];
  const bool again = whole.rank() == 2 && call.truth("wrap") && whole.sizes[0] > columns + 1;
  if (call.failed()) return {};
  if (again) line.sizes[0] = (whole.sizes[0] * columns + columns) / (columns + 1);
  diagonal.layout = line;
  if (!numpy_writeable(call, diagonal, "underlying array is read-only")) return {};
  // Numbers and lists are read as elements of the array.
  const Value& filling = call.value("val");
  const TensorRef value = as_array(call, filling, tensor_of(filling) ? std::nullopt : std::optional(diagonal.dtype));
  if (call.failed()) return {};
  // A longer value is cut, a shorter one taken over and over.
  const int64_t count = line.sizes[0], given = count_of(*value->tensor);
  if (given == 0) return {};
  if (!call.few(elements_of(*value->tensor), count)) return {};
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(converted(element(elements_of(*value->tensor), i % given), diagonal.dtype));
  call.why(Msg::np_write_headline, {count, count * unit_of(diagonal)});
  if (again) {  // below the square the diagonal begins anew, a row further down
    std::vector<std::pair<int64_t, Scalar>> writes;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = i * (columns + 1);
      writes.emplace_back(
          whole.storage_offset + place / columns * whole.strides[0] + place % columns * whole.strides[1],
          values[static_cast<size_t>(i)]);
    }
    call.write(diagonal, writes);
    return {};
  }
  call.why(Msg::np_write_through, {to_string(line.sizes), to_string(line.strides), line.storage_offset});
  call.write(diagonal,
             Elements{literal_contents(values, diagonal.dtype), {{count}, {unit_of(diagonal)}, 0}, diagonal.dtype});
  return {};
}

}  // namespace

std::span<const Op> numpy_write_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.fill(value, /)", Msg::op_np_fill, "x[...] = value", "x = np.zeros((2, 3))\nx.fill(7)", fill,
       Op::Structured::arrays},
      {Library::numpy, "np.copyto(dst, src, casting='same_kind', where=True)", Msg::op_np_copyto, "dst[...] = src",
       "x = np.arange(6)\nnp.copyto(x[2:], x[:-2])", copyto, Op::Structured::arrays},
      {Library::numpy, "np.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)", Msg::op_np_nan_to_num,
       "x where it is finite, else nan, posinf or neginf; these are the largest and the least number of the dtype",
       "x = np.array([1, np.nan, -np.inf])\ny = np.nan_to_num(x, neginf=0)", nan_to_num},
      {Library::numpy, "np.fill_diagonal(a, val, wrap=False)", Msg::op_np_fill_diagonal, "a[i, i] = val",
       "x = np.zeros((3, 3))\nnp.fill_diagonal(x, 1)", fill_diagonal},
  };
  return rows;
}

}  // namespace stridescope
