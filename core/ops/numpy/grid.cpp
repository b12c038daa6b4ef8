// What is written in brackets as slices of numbers: places along axes, mgrid and ogrid; what is joined, r_ and c_.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The numbers start, start + step, .. of one slice.
struct Stretch {
  double start = 0, step = 1;
  int64_t size = 0;
};

/// A slice of numbers, the step nj for n of them from one end to the other; anything else is refused.
std::optional<Stretch> stretch_of(Call& call, const Value& key, bool& whole) {
  const auto* slice = std::get_if<SliceValue>(&key.held);
  const auto refuse = [&] {
    call.about("key").refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + " of " + to_string(key)});
    return std::nullopt;
  };
  if (!slice || !slice->stop) return refuse();
  double numbers[3] = {0, 0, 1};
  const std::shared_ptr<const Value>* parts[] = {&slice->start, &slice->stop, &slice->step};
  const auto* many = slice->step ? std::get_if<ComplexFloat>(&slice->step->held) : nullptr;
  for (int i = 0; i < (many ? 2 : 3); ++i) {
    if (!*parts[i] || (i != 1 && std::holds_alternative<None>((*parts[i])->held))) continue;
    const Value& part = **parts[i];
    const bool real = std::holds_alternative<Float>(part.held);
    if (!real && !std::holds_alternative<int64_t>(part.held)) return refuse();
    numbers[i] = *as_real(part);
    whole = whole && !real;
  }
  const double far = numbers[1] - numbers[0], size = many ? std::trunc(std::abs(*many)) : std::ceil(far / numbers[2]);
  if (many && size != 1) numbers[2] = far / (size - 1);
  whole = whole && !many;
  if (!(std::fabs(size) < 1e15) || !(std::fabs(numbers[0]) < 1e15) || !(std::fabs(numbers[2]) < 1e15)) return refuse();
  return Stretch{numbers[0], numbers[2], static_cast<int64_t>(size)};
}

ContentsPtr numbers_of(const Stretch& stretch, DType dtype) {
  if (is_floating(dtype)) return real_range(stretch.start, stretch.step, dtype, stretch.size);
  return integer_range(static_cast<int64_t>(stretch.start), static_cast<int64_t>(stretch.step), dtype, stretch.size);
}

/// The places of a grid along each axis, one array after the other.
Value places(Call& call, const std::vector<Stretch>& stretches, Dims sizes, DType dtype) {
  const int rank = sizes.size();
  sizes.insert(0, rank);
  const Layout target = owned_layout(call, sizes, dtype);
  if (call.failed()) return {};
  ContentsPtr contents = constant_contents({dtype}, *numel(sizes));
  for (int d = 0; d < rank && numel(sizes) > 0 && contents; ++d) {
    const Layout region = select(target, 0, d);
    Layout line{region.sizes, Dims::filled(rank, 0), 0};
    line.strides[d] = itemsize(dtype);
    contents =
        patch(contents, {nullptr, region, dtype}, {numbers_of(stretches[static_cast<size_t>(d)], dtype), line, dtype});
  }
  call.why(Msg::np_mgrid_headline, {rank, to_string(sizes)});
  return call.fresh(dtype, target, std::move(contents));
}

Value grid_row(Call& call) {
  const bool open = call.name().starts_with("numpy.ogrid");
  const Value& key = call.value("key");
  const auto* tuple = std::get_if<Sequence>(&key.held);
  const std::vector<Value> keys = tuple ? *tuple->items : std::vector<Value>{key};
  std::vector<Stretch> stretches;
  Dims sizes;
  bool whole = true;
  for (const Value& one : keys) {
    const auto stretch = stretch_of(call, one, whole);
    if (!stretch) return {};
    if (sizes.size() + 1 >= max_rank) return too_many_axes(call, sizes.size() + 2);
    stretches.push_back(*stretch);
    if (!tuple || open) stretches.back().size = std::max<int64_t>(stretch->size, 0);
    sizes.push_back(stretches.back().size);
  }
  const DType dtype = whole ? DType::int64 : DType::float64;
  const int rank = sizes.size();
  if (!tuple) return numpy_fresh(call, sizes, dtype, numbers_of(stretches[0], dtype));
  if (open) {
    std::vector<Value> lines;
    for (int d = 0; d < rank; ++d) {
      const Stretch& stretch = stretches[static_cast<size_t>(d)];
      const Value line = numpy_fresh(call, {stretch.size}, dtype, numbers_of(stretch, dtype));
      Layout layout{Dims::filled(rank, 1), Dims::filled(rank, 0), 0};
      layout.sizes[d] = stretch.size;
      layout.strides[d] = tensor_of(line)->layout.strides[0];
      lines.push_back(call.view(*tensor_of(line), layout));
    }
    call.why(Msg::np_ogrid_headline, {rank});
    call.relation(Relation::fresh);
    return call.tuple(std::move(lines));
  }
  return places(call, stretches, sizes, dtype);
}

/// start:stop:nj is n numbers from one end to the other, as linspace() gives them; nothing of any other slice.
std::optional<std::vector<Scalar>> spread(Call& call, const SliceValue& slice) {
  const auto* step = slice.step ? std::get_if<ComplexFloat>(&slice.step->held) : nullptr;
  if (!step) return std::nullopt;
  const auto from = slice.start ? as_real(*slice.start) : std::optional(0.0);
  const auto to = slice.stop ? as_real(*slice.stop) : std::nullopt;
  if (!from || !to || !(std::abs(*step) < static_cast<double>(small_cells)))
    return call.about("key").refuse(Msg::not_modelled, {"NumPy", "start:stop:nj"}), std::nullopt;
  const auto count = static_cast<int64_t>(std::abs(*step));
  const double far = *to - *from, part = far / static_cast<double>(count - 1);
  std::vector<Scalar> numbers;
  for (int64_t k = 0; k < count; ++k) {
    const auto place = static_cast<double>(k);
    const double beyond = count == 1  ? place * far
                          : part == 0 ? place / static_cast<double>(count - 1) * far
                                      : place * part;
    numbers.push_back(real_scalar(count > 1 && k == count - 1 ? *to : beyond + *from, DType::float64));
  }
  return numbers;
}

/// The numbers that a slice of r_ or c_ stands for; null where the call failed.
TensorRef numbers_between(Call& call, const Value& item) {
  const auto numbers = spread(call, std::get<SliceValue>(item.held));
  if (call.failed()) return nullptr;
  const auto fresh = [&](int64_t count, DType dtype, ContentsPtr contents) {
    const Value made = numpy_fresh(call, {count}, dtype, std::move(contents));
    return call.failed() ? nullptr : std::get<TensorRef>(made.held);
  };
  if (numbers)
    return fresh(static_cast<int64_t>(numbers->size()), DType::float64, literal_contents(*numbers, DType::float64));
  bool whole = true;
  auto stretch = stretch_of(call, item, whole);
  if (!stretch) return nullptr;
  stretch->size = std::max<int64_t>(stretch->size, 0);
  // As arange() reckons it, from the first two.
  stretch->step = (stretch->start + stretch->step) - stretch->start;
  const DType dtype = whole ? DType::int64 : DType::float64;
  return fresh(stretch->size, dtype, numbers_of(*stretch, dtype));
}

/// The array under `dtype`, with one axis at least, of c_ two: a line is a column.
Tensor placed(Call& call, const Operand& item, DType dtype, int least) {
  Tensor array = *item.array->tensor;
  if (item.weak || array.dtype != dtype) {
    const std::array number = {item.weak ? stored_scalar(call, item.number, dtype) : Scalar{dtype}};
    array.layout = {array.layout.sizes, strides_like(array, NumpyOrder::keep, itemsize(dtype)), 0};
    const ContentsPtr contents = item.weak ? literal_contents(number, dtype) : [&] {
      Elements from = elements_of(*item.array->tensor);
      from.layout = permute(from.layout, cell_order(array.layout));
      return gather(from, dtype);
    }();
    array.storage = std::make_shared<Storage>(*array.storage);
    array.storage->contents = contents;
    array.dtype = dtype;
  }
  const bool line = array.layout.rank() == 1 && least == 2;
  array.layout = with_leading_axes(array.layout, least, itemsize(dtype));
  if (line) array.layout = transpose(array.layout, 0, 1);
  return array;
}

Value join_row(Call& call) {
  const bool columns = call.name().starts_with("numpy.c_");
  const Value& key = call.value("key");
  const auto* tuple = std::get_if<Sequence>(&key.held);
  if (tuple && !is_tuple(tuple->kind)) tuple = nullptr;
  const std::vector<Value> items = tuple ? *tuple->items : std::vector<Value>{key};
  std::vector<Operand> operands;
  for (const Value& item : items) {
    if (std::holds_alternative<std::string>(item.held) && !operands.empty())
      return call.about("key").fail("ValueError", "special directives must be the first entry.", Msg::np_not_numeric,
                                    {"str"});
    if (std::holds_alternative<std::string>(item.held))
      return call.about("key").refuse(Msg::not_modelled,
                                      {"NumPy", (columns ? "np.c_[" : "np.r_[") + to_string(item, 40) + ", ..]"});
    if (std::holds_alternative<SliceValue>(item.held))
      operands.push_back({numbers_between(call, item), false, {}});
    else
      operands.push_back(operand(call, item));
    if (call.failed()) return {};
  }
  if (operands.empty()) return call.fail("ValueError", "need at least one array to concatenate", Msg::np_no_arrays);
  const DType dtype = common_dtype(operands);
  std::vector<Tensor> arrays;
  for (const Operand& one : operands) {
    arrays.push_back(placed(call, one, dtype, columns ? 2 : 1));
    if (!arrays.back().storage->contents) return call.refuse(Msg::np_too_costly);
  }
  const size_t said = call.said();
  const Value made = concatenated(call, arrays, columns ? -1 : 0);
  call.unsay(said);
  if (!call.failed()) explain_copy(call, *tensor_of(made));
  return made;
}

Value indices(Call& call) {
  const Value& asked = call.value("dimensions");
  if (!tensor_of(asked) && as_integer(asked))
    return call.about("dimensions").fail_parser("'int' object is not iterable", Msg::not_iterable, {"int"});
  const Dims sizes = numpy_shape(call, asked);
  const bool none = !call.given("dtype") && !(call.argument("dtype") == Span{});
  const DType dtype = dtype_argument(call).value_or(none ? DType::float64 : DType::int64);
  if (call.failed()) return {};
  if (call.truth("sparse")) return call.about("sparse").refuse(Msg::not_modelled, {"NumPy", "np.indices(sparse=)"});
  for (const int64_t size : sizes)
    if (dtype == DType::boolean && size > 2)
      return call.fail_parser("arange() is only supported for booleans when the result has at most length 2.",
                              Msg::np_arange_bool, {size});
  if (sizes.full()) return too_many_axes(call, sizes.size() + 1);
  std::vector<Stretch> stretches;
  for (const int64_t size : sizes) stretches.push_back({0, 1, size});
  return places(call, stretches, sizes, dtype);
}

}  // namespace

std::span<const Op> numpy_grid_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.mgrid[key]\nnp.ogrid[key]", Msg::op_np_grid,
       "y[d, i0, i1, ..] = start + step * i of axis d; ogrid: one axis each, to be broadcast", "y = np.mgrid[0:2, 0:3]",
       grid_row},
      {Library::numpy, "np.r_[key]\nnp.c_[key]", Msg::op_np_r,
       "np.concatenate along axis 0; c_: along the last axis, lines as columns", "y = np.r_[0:3, 7, np.arange(2)]",
       join_row},
      {Library::numpy, "np.indices(dimensions, dtype=int, sparse=False)", Msg::op_np_grid,
       "y[d, i0, i1, ..] = i of axis d", "y = np.indices((2, 3))", indices},
  };
  return rows;
}

}  // namespace stridescope
