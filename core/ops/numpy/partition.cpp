// Orders that are less, or more, than sorted: partition, argpartition and lexsort.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The places that are to hold what they would if all was sorted, in order; nothing where the call failed.
std::optional<std::vector<int64_t>> fixed_places(Call& call, const TensorRef& kth, const Tensor& array, int axis) {
  const Tensor& given = *kth->tensor;
  const auto fail = [&](const char* type, const Slots& text, Msg reason, const Slots& slots) {
    call.about("kth").fail(type, text, reason, slots);
    return std::nullopt;
  };
  if (!is_integer(given.dtype) && given.dtype != DType::boolean)
    return fail("TypeError", {"Partition index must be integer"}, Msg::np_not_an_integer, {name(given.dtype)});
  if (!call.few(given)) return std::nullopt;
  const int64_t size = array.layout.sizes[axis];
  std::vector<int64_t> places;
  for (int64_t i = 0; i < count_of(given); ++i) {
    int64_t place = integer_scalar(element(elements_of(given), i).integer, DType::int64).integer;
    if (place < 0) place += size;
    if (count_of(array) > 0 && (place < 0 || place >= size))
      return fail("ValueError", {"kth(=", place, ") out of bounds (", size, ")"}, Msg::np_partition_outside,
                  {place, size});
    places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  return places;
}

bool same_number(const Scalar& a, const Scalar& b) {
  return !comes_before(a, b) && !comes_before(b, a) && std::signbit(a.real) == std::signbit(b.real) &&
         std::signbit(a.imaginary) == std::signbit(b.imaginary);
}

/// Whether nothing is left open when the places hold what they would if all was sorted: no two elements between two of
/// them differ. Of where they stood: there are no two, and no two equal ones in a line.
bool is_settled(const std::vector<Scalar>& sorted, const Dims& sizes, int axis, const std::vector<int64_t>& places,
                bool of_places) {
  const int64_t step = contiguous(sizes).strides[axis];
  for (int64_t i = 0; i < static_cast<int64_t>(sorted.size()); ++i) {
    const int64_t k = i / step % sizes[axis];
    if (k == 0) continue;
    const Scalar &before = sorted[static_cast<size_t>(i - step)], &here = sorted[static_cast<size_t>(i)];
    if (of_places && !comes_before(before, here)) return false;
    const bool fixed =
        std::binary_search(places.begin(), places.end(), k) || std::binary_search(places.begin(), places.end(), k - 1);
    if (!fixed && (of_places || !same_number(before, here))) return false;
  }
  return true;
}

Value partition_row(Call& call) {
  const bool method = call.form().kind == Form::Kind::method, of_places = call.name().ends_with("argpartition");
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  const bool everything = !call.given("axis") && (of_places || !method);
  if (everything) {
    array = raveled(call, {array}).front();
  } else if (of_places && array.layout.rank() == 0) {
    array.layout = insert_dim(array.layout, 0, unit_of(array));
  }
  if (const Value& kind = call.value("kind"); !std::holds_alternative<std::string>(kind.held))
    return call.about("kind").fail_parser({"select kind must be str, not ", type_name(kind)}, Msg::argument_has_type,
                                          {"kind", "str", type_name(kind)});
  else if (call.text("kind") != "introselect")
    return call.about("kind").fail("ValueError", {"select kind must be 'introselect' (got '", call.text("kind"), "')"},
                                   Msg::np_partition_kind, {call.text("kind")});
  if (call.given("order"))
    return call.about("order").fail("ValueError", "Cannot specify order when the array has no fields.",
                                    Msg::np_no_fields);
  const Value& asked = call.value("kth");
  const bool number = !std::holds_alternative<None>(asked.held) && !std::holds_alternative<std::string>(asked.held);
  const TensorRef kth = number ? as_array(call, asked) : nullptr;
  if (call.failed()) return {};
  if (kth && kth->tensor->layout.rank() > 1)
    return call.about("kth").fail("ValueError", "object too deep for desired array", Msg::np_partition_kth,
                                  {kth->tensor->layout.rank()});
  const int rank = array.layout.rank();
  const int axis = numpy_axis(call, everything ? -1 : of_places ? axis_argument(call) : call.integer("axis"), rank);
  if (call.failed() || (method && !of_places && !numpy_writeable(call, array, "partition array is read-only")))
    return {};
  if (!kth)
    return call.about("kth").fail("TypeError", "Partition index must be integer", Msg::np_not_an_integer,
                                  {type_name(asked)});
  const auto places = fixed_places(call, kth, array, axis);
  if (!places) return {};
  const Dims& sizes = array.layout.sizes;
  bool known = call.reckons(folding(count_of(array))) && is_known(*array.storage->contents);
  const std::vector<Scalar> sorted = known ? in_order(array, axis, false) : std::vector<Scalar>();
  call.why(Msg::np_partition_headline, {sizes[axis], Slot{axis, call.axis(array, axis)}});
  const DType dtype = of_places ? DType::int64 : array.dtype;
  if (known && !is_settled(sorted, sizes, axis, *places, of_places)) known = false, call.why(Msg::np_partition_open);
  const ContentsPtr contents = !known ? unknown_contents(dtype, count_of(array))
                                      : literal_contents(of_places ? in_order(array, axis, true) : sorted, dtype);
  if (of_places) return numpy_fresh(call, sizes, dtype, contents);
  const Elements result{contents, contiguous(sizes, unit_of(array)), dtype};
  if (method) {
    call.write(array, result);
    return {};
  }
  // A copy that keeps the order of the axes, partitioned in place.
  const size_t said = call.said();
  const Value copy = numpy_copy(call, array, NumpyOrder::keep);
  call.unsay(said);
  if (call.failed()) return {};
  call.write(*tensor_of(copy), result);
  call.relation(Relation::copy);
  return copy;
}

/// By the last key, what is equal there by the one before it, and so on.
Value lexsort(Call& call) {
  const Value& keys = call.value("keys");
  const TensorPtr table = tensor_of(keys);
  const auto* list = std::get_if<Sequence>(&keys.held);
  const int64_t axis = call.integer("axis");
  if (call.failed()) return {};
  const bool none =
      (table && (table->library == Library::torch || table->layout.rank() == 0 || table->layout.sizes[0] == 0)) ||
      (list && list->items->empty()) || (!table && as_real(keys));
  if (none || (list && is_iterator(list->kind)))
    return call.about("keys").fail("TypeError", "need sequence of keys with len > 0 in lexsort", Msg::np_no_arrays);
  if (!table && !list)
    return call.about("keys").refuse(Msg::not_modelled, {"NumPy", "np.lexsort(" + type_name(keys) + ")"});
  const std::vector<TensorRef> arrays = as_arrays(call, keys);
  if (call.failed()) return {};
  const Tensor& first = *arrays.front()->tensor;
  const Dims& sizes = first.layout.sizes;
  for (const TensorRef& key : arrays)
    if (key->tensor->layout.sizes != sizes)
      return call.about("keys").fail("ValueError", "all keys need to be the same shape", Msg::np_lexsort_sizes,
                                     {to_string(sizes), to_string(key->tensor->layout.sizes)});
  const int64_t count = count_of(first);
  const auto many = static_cast<int64_t>(arrays.size());
  if (count > most_sorted / many) return call.refuse(Msg::too_many_indices, {count, most_sorted / many});
  for (const TensorRef& key : arrays)
    if (!call.quick(elements_of(*key->tensor), count * many)) return {};
  const bool passes = sizes.empty() && (axis == 0 || axis == -1);
  const int along = passes ? 0 : numpy_axis(call, axis, sizes.size());
  if (call.failed()) return {};
  if (sizes.empty() || count == 1)
    return scalar_if_0d(call, numpy_fresh(call, sizes, DType::int64, constant_contents({DType::int64}, 1)));
  const int64_t step = contiguous(sizes).strides[along], size = sizes[along];
  std::vector<Scalar> places(static_cast<size_t>(count));
  for (int64_t start = 0; start < count; ++start) {
    if (start / step % size != 0) continue;
    std::vector<int64_t> order(static_cast<size_t>(size));
    std::iota(order.begin(), order.end(), 0);
    for (const TensorRef& key : arrays) {
      const Elements elements = elements_of(*key->tensor);
      std::vector<Scalar> line;
      for (int64_t k = 0; k < size; ++k) line.push_back(element(elements, start + k * step));
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return comes_before(line[static_cast<size_t>(a)], line[static_cast<size_t>(b)]);
      });
    }
    for (int64_t k = 0; k < size; ++k)
      places[static_cast<size_t>(start + k * step)] = integer_scalar(order[static_cast<size_t>(k)], DType::int64);
  }
  call.why(Msg::np_lexsort_headline, {many, along});
  return numpy_fresh(call, sizes, DType::int64, literal_contents(places, DType::int64));
}

}  // namespace

std::span<const Op> numpy_partition_rows() {
#define PARTITION "kth, axis=-1, kind='introselect', order=None)"
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.partition(a, " PARTITION "\nx.partition(" PARTITION "\nnp.argpartition(a, " PARTITION
       "\nx.argpartition(" PARTITION,
       Msg::op_np_partition, "y[kth] is what it would be in order; none before it is larger, none behind it smaller",
       "x = np.array([3, 1, 2])\ny = np.partition(x, 1)", partition_row},
      {Library::numpy, "np.lexsort(keys, axis=-1)", Msg::op_np_lexsort,
       "where each element stood, in order by keys[-1], equal ones by keys[-2], and so on",
       "a = np.array([1, 0, 1])\nb = np.array([2, 1, 1])\ny = np.lexsort((a, b))", lexsort},
  };
#undef PARTITION
  return rows;
}

}  // namespace stridescope
