// Methods of ufuncs: every element with every other, rows made one, and updates element by element. Running ones are
// beside cumsum.
#include <algorithm>
#include <array>
#include <map>

#include "layout/lookup.h"
#include "ops/numpy/key.h"
#include "ops/numpy/reduction.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// a[i, .., None, ..] op b[j, ..]
Value outer_method(Call& call) {
  const Ufunc& what = ufunc_of_method(call);
  const auto operands = ufunc_operands(call, what, call.value("a"), call.value("b"));
  if (!operands) return {};
  Tensor first = *operands->first.array->tensor;
  const Tensor& second = *operands->second.array->tensor;
  const int rank = first.layout.rank(), more = second.layout.rank();
  if (rank + more > max_rank)
    return call.fail("ValueError",
                     {"maximum supported dimension for an ndarray is ", max_rank, ", but `", what.function,
                      ".outer()` result would have ", rank + more, "."},
                     Msg::np_too_many_axes, {max_rank});
  const Dims own = first.layout.sizes;
  for (int k = 0; k < more; ++k) first.layout = insert_dim(first.layout, rank + k, unit_of(first));
  // Python's numbers are arrays here, which do not give way to the other's dtype.
  const Value result = apply_binary(call, what, {more == 0 ? operands->first.array : nameless(first), false, {}},
                                    {operands->second.array, false, {}}, ufunc_target(call));
  if (more > 0 && !call.failed()) call.why(Msg::np_outer, {to_string(own), more, to_string(second.layout.sizes)});
  return result;
}

/// What has one axis at most to reduce: in another order it would give something else.
bool is_ordered(const Ufunc& what) { return what.op == Arithmetic::subtract || what.op == Arithmetic::divide; }

/// Sums and products are np.sum's; the others step by step.
Value reduce_method(Call& call) {
  const Ufunc& what = ufunc_of_method(call);
  if (what.op == Arithmetic::add || what.op == Arithmetic::multiply) return sum_row(call);
  const AskedReduction asked = reduction_asked(call);
  if (refuse_reduction(call, what.function, asked.array)) return {};
  const UfuncTarget target{nullptr, nullptr, call.failed() ? std::nullopt : ufunc_dtype_argument(call),
                           Casting::unsafe};
  if (call.failed()) return {};
  const auto* out = std::get_if<TensorRef>(&call.value("out").held);
  const Operand start_of = reduced_operand(what, out ? *out : asked.array, target.dtype),
                elements = reduced_operand(what, asked.array, target.dtype);
  const auto common = ufunc_dtype(call, what, {&start_of, &elements}, target);
  if (!common) return {};
  const DType dtype = gives_bool(what.op) ? DType::boolean : *common;
  if (out && !can_cast(dtype, (*out)->tensor->dtype, Casting::same_kind))
    return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  if (is_ordered(what) && asked.along.size() > 1)
    return call.about("axis").fail(
        "ValueError",
        {"reduction operation '", what.function, "' is not reorderable, so at most one axis may be specified"},
        Msg::np_reduce_in_order, {asked.along.size()});
  const auto rows = rows_of(call, asked);
  auto start = rows ? initial_of(call, dtype) : std::nullopt;
  if (const auto identity = as_integer(identity_of(what)); identity && !start) start = integer_scalar(*identity, dtype);
  if (rows && !start) check_start(call, *rows);
  if (call.failed()) return {};
  return folded(call, *rows, asked, dtype, [&](int64_t row) {
    std::optional<Scalar> held = start;
    for (int64_t k = 0; k < rows->each; ++k) {
      if (!rows->takes(row, k)) continue;
      const Scalar next = converted(rows->at(row, k), dtype);
      held = held ? reckon(what.op, std::array{*held, next}) : next;
    }
    return *held;
  });
}

using Turns = std::vector<std::pair<int64_t, Scalar>>;

/// Whether both have elements in the same memory.
bool overlap(const Tensor& a, const Tensor& b) {
  return a.storage == b.storage && shares_offset(a.layout, unit_of(a), b.layout, unit_of(b)) != Answer::no;
}

/// Whether NumPy updates a copy of the array that it writes back: its memory is read as indices or values, too.
bool is_written_back(const Tensor& array, const std::vector<Entry>& entries, const Tensor& source) {
  return overlap(array, source) || std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
           return entry.kind == Entry::Kind::array && overlap(array, *entry.array->tensor);
         });
}

/// Values whose sizes do not fit where they are to go.
Value refuse_values_at(Call& call, const Dims& own, const Dims& wanted) {
  return call.fail("ValueError", "array is not broadcastable to correct shape", Msg::np_cannot_broadcast_into,
                   {to_string(own), to_string(wanted)});
}

/// The bytes of the elements that a key names, as often as it does, each with the element of `source` that is its own.
std::optional<Turns> turns_of(Call& call, const Tensor& array, const Tensor& source) {
  const auto entries = read_key(call, array, call.value("indices"));
  if (entries && !array.writeable && is_written_back(array, *entries, source))
    return numpy_writeable(call, array, "WRITEBACKIFCOPY base is read-only"), std::nullopt;
  const auto viewed = entries ? basic_view(call, array, *entries) : std::nullopt;
  if (!viewed) return std::nullopt;
  // Whether the array may be written is asked by the iterator over the axes that stay.
  const std::vector<int>& from = viewed->entry_of;
  if (std::find(from.begin(), from.end(), -1) != from.end() &&
      !numpy_writeable(call, array, "operand array with iterator write flag set is read-only"))
    return std::nullopt;
  const Dims &sizes = viewed->layout.sizes, &own = source.layout.sizes;
  if (!is_basic(*entries)) {
    // NumPy walks over values as if the index had one axis, into memory that is nobody's.
    const Entry& index = entries->front();
    if (array.layout.rank() == 1 && index.array && !is_expandable(source.layout, index.array->tensor->layout.sizes))
      return refuse_values_at(call, own, index.array->tensor->layout.sizes), std::nullopt;
    if (array.layout.rank() == 1 && index.array && index.array->tensor->layout.rank() > 1 && count_of(source) > 1)
      return call.about("indices").refuse(Msg::not_modelled, {"NumPy", call.name()}), std::nullopt;
    return fancy_turns(call, array, *entries, *viewed, source);
  }
  if (!is_expandable(source.layout, sizes)) return refuse_values_at(call, own, sizes), std::nullopt;
  const auto count = numel(sizes);
  const Elements values = broadcast_elements(source, sizes);
  if (!call.few(values, count.value_or(INT64_MAX))) return std::nullopt;
  Turns turns;
  for (int64_t i = 0; i < *count; ++i)
    turns.emplace_back(offset(viewed->layout, index_at(sizes, i)), element(values, i));
  return turns;
}

/// a[indices] op= b, where an element that is named twice is updated twice.
Value at_method(Call& call) {
  const Ufunc& what = ufunc_of_method(call);
  if (call.argument("b") == Span{})
    return call.fail("ValueError", "second operand needed for ufunc", Msg::missing_argument,
                     {"at", "b", call.form().text});
  const auto* target = std::get_if<TensorRef>(&call.value("a").held);
  if (!target || (*target)->tensor->library != Library::numpy)
    return call.about("a").fail("TypeError", "first operand must be array", Msg::np_array_needed,
                                {type_name(call.value("a"))});
  const Tensor array = *(*target)->tensor;
  const auto operands = ufunc_operands(call, what, call.value("a"), call.value("b"));
  if (!operands) return {};
  const Tensor& source = *operands->second.array->tensor;
  const auto turns = turns_of(call, array, source);
  // An index that is none while values are copied first, for they lie in the same memory, is an error that NumPy loses.
  const TensorPtr values = tensor_of(call.value("b"));
  const Value& key = call.value("indices");
  const auto* several = std::get_if<Sequence>(&key.held);
  const auto is_number = [](const Value& one) { return as_integer(one) && !tensor_of(one); };
  const auto rank = static_cast<size_t>(array.layout.rank());
  const bool basic =
      (is_number(key) && rank > 0) || (several && is_tuple(several->kind) && several->items->size() <= rank &&
                                       std::all_of(several->items->begin(), several->items->end(), is_number));
  if (call.raised("IndexError") && basic && array.writeable && values && overlap(array, *values))
    call.retell("SystemError", "<method 'at' of 'numpy.ufunc' objects> returned NULL without setting an exception");
  const Operand own{*target, false, {}}, other{operands->second.array, false, {}};
  const auto dtype = turns ? ufunc_dtype(call, what, {&own, &other}, {}) : std::nullopt;
  if (!dtype || !call.quick(elements_of(array), static_cast<int64_t>(turns->size()))) return {};
  std::map<int64_t, Scalar> results;
  for (const auto& [byte, value] : *turns) {
    const auto [held, first] = results.try_emplace(byte);
    if (first) held->second = read(*array.storage, *array.storage->contents, byte, array.dtype);
    const std::array pair{converted(held->second, *dtype), converted(value, *dtype)};
    held->second = converted(reckon(what.op, pair), array.dtype);
  }
  call.why(Msg::np_at_headline);
  if (results.size() < turns->size()) call.why(Msg::np_at_repeats);
  if (!array.writeable) call.why(Msg::np_at_read_only);
  if (!results.empty())
    call.write(array, Turns(results.begin(), results.end()));
  else
    call.relation(Relation::none);
  return {};
}

}  // namespace

#define NP_OUTER(name) "np." name ".outer(a, b, /, *, out=None, where=True, casting='same_kind', dtype=None)\n"
#define NP_REDUCE(name) \
  "np." name ".reduce(array, axis=0, dtype=None, out=None, keepdims: bool | int = False, initial=None, where=True)\n"
#define NP_AT(name) "np." name ".at(a, indices, b=None, /)\n"

std::span<const Op> numpy_method_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       NP_OUTER("add") NP_OUTER("subtract") NP_OUTER("multiply") NP_OUTER("divide") NP_OUTER("true_divide")
           NP_OUTER("floor_divide") NP_OUTER("remainder") NP_OUTER("mod") NP_OUTER("power") NP_OUTER("bitwise_and")
               NP_OUTER("bitwise_or") NP_OUTER("bitwise_xor") NP_OUTER("left_shift") NP_OUTER("right_shift")
                   NP_OUTER("equal") NP_OUTER("not_equal") NP_OUTER("less") NP_OUTER("less_equal") NP_OUTER("greater")
                       NP_OUTER("greater_equal") NP_OUTER("maximum") NP_OUTER("minimum") NP_OUTER("fmax")
                           NP_OUTER("fmin") NP_OUTER("logical_and") NP_OUTER("logical_or") NP_OUTER("logical_xor")
                               NP_OUTER("arctan2") NP_OUTER("hypot") NP_OUTER("fmod"),
       Msg::op_np_outer_method, "y[i, .., j, ..] = a[i, ..] op b[j, ..]",
       "x = np.arange(3)\ny = np.add.outer(x, np.arange(4))", outer_method},
      {Library::numpy,
       NP_REDUCE("add") NP_REDUCE("subtract") NP_REDUCE("multiply") NP_REDUCE("divide") NP_REDUCE("maximum")
           NP_REDUCE("minimum") NP_REDUCE("fmax") NP_REDUCE("fmin") NP_REDUCE("logical_and") NP_REDUCE("logical_or")
               NP_REDUCE("logical_xor") NP_REDUCE("bitwise_and") NP_REDUCE("bitwise_or") NP_REDUCE("bitwise_xor"),
       Msg::op_np_ufunc_reduce,
       "the elements along the axis, the first one unless another is named, joined by the ufunc",
       "x = np.arange(6).reshape(2, 3)\ny = np.maximum.reduce(x)", reduce_method, Op::Structured::reckoned},
      {Library::numpy,
       NP_AT("add") NP_AT("subtract") NP_AT("multiply") NP_AT("divide") NP_AT("floor_divide") NP_AT("remainder")
           NP_AT("maximum") NP_AT("minimum") NP_AT("fmax") NP_AT("fmin") NP_AT("bitwise_and") NP_AT("bitwise_or")
               NP_AT("bitwise_xor"),
       Msg::op_np_at, "a[indices] op= b; an element that is named twice is updated twice",
       "x = np.zeros(4, dtype=int)\nnp.add.at(x, [0, 0, 2], 1)", at_method},
  };
  return rows;
}
#undef NP_OUTER
#undef NP_REDUCE
#undef NP_AT

}  // namespace stridescope
