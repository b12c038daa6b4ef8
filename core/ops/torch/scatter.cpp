// scatter, scatter_add, scatter_reduce, and what they have in common with those that write by a vector of indices.
#include <algorithm>
#include <map>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/scatter.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

bool is_inside(Call& call, const Scattered& what, int64_t place, int64_t size) {
  if (place >= 0 && place < size) return true;
  call.about("index");
  // Where the element that was there takes no part, index_reduce fills it first, and index_fill says which place.
  const bool filled = what.outside && what.apart && (place < -size || place >= size);
  if (what.outside && !filled)
    call.fail("IndexError", what.outside, Msg::index_out_of_range, {place, what.dim, size});
  else
    call.fail(what.owner || filled ? "IndexError" : "RuntimeError",
              {what.owner ? what.owner : "", "index ", place, " is out of bounds for dimension ", what.dim,
               " with size ", size},
              Msg::index_out_of_range, {place, what.dim, size});
  return false;
}

}  // namespace

bool reduces_by(Scattered& what, std::string_view word) {
  what.mean = word == "mean";
  what.op = word == "sum" || what.mean ? Arithmetic::add
            : word == "prod"           ? Arithmetic::multiply
            : word == "amax"           ? Arithmetic::maximum
            : word == "amin"           ? std::optional(Arithmetic::minimum)
                                       : std::nullopt;
  return what.op.has_value();
}

Value scatter_into(Call& call, const Scattered& what) {
  const Tensor tensor = call.self();
  const bool in_place = call.name().ends_with('_');
  const Dims& sizes = tensor.layout.sizes;
  const Dims& taken = what.index.layout.sizes;
  const int64_t count = *numel(taken), size = size_of(sizes, what.dim);
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  if (!call.quick(what.index, count)) return {};
  const ContentsPtr old = in_place ? tensor.storage->contents : gather(elements_of(tensor), tensor.dtype);
  Elements target{old, contiguous(sizes, itemsize(tensor.dtype)), tensor.dtype};
  if (in_place) target = elements_of(tensor);
  if (!old) return call.refuse(Msg::too_costly);
  const bool unknown = !is_known(*what.values.contents) || (what.op && !is_known(*old));
  if (!unknown && !call.quick(what.values, count)) return {};
  if (!unknown && what.op && !call.quick({old, target.layout, tensor.dtype, target.lens}, count)) return {};
  // What a scatter makes of numbers of half precision is kept as float32 until all is done; index_add rounds each step.
  const DType reckoned_as = what.op && !what.outside ? working_dtype(tensor.dtype) : tensor.dtype;
  std::map<int64_t, Scalar> now;
  std::map<int64_t, int64_t> counts;
  Layout moved{taken, target.layout.strides, 0};
  if (sizes.empty()) moved.strides = Dims::filled(taken.size(), 0);
  for (const int64_t i : lines_in_turn(taken, what.dim, {moved, what.values.layout, what.index.layout})) {
    int64_t place = element(what.index, i).integer;
    if (what.fills && place < 0 && place >= -size) place += size;
    // What comes before an index out of range is written.
    if (!is_inside(call, what, place, size)) break;
    Dims index = sizes.empty() ? Dims{} : taken.empty() ? Dims{0} : index_at(taken, i);
    if (!sizes.empty()) index[what.dim] = place;
    const int64_t at = offset(target.layout, index);
    if (unknown) {
      now[at] = {};
      continue;
    }
    Scalar value = converted(element(what.values, i), tensor.dtype);
    if (what.factor) {
      const Scalar pair[] = {value, converted(*what.factor, tensor.dtype)};
      value = reckon(Arithmetic::multiply, pair);
    }
    const int64_t before = counts[at]++;
    if (what.op && (before > 0 || !what.apart)) {
      const auto found = now.find(at);
      const Layout one{{}, {}, at};
      const Scalar held = found != now.end() ? found->second : element({old, one, tensor.dtype, target.lens}, 0);
      const Scalar pair[] = {converted(held, reckoned_as), converted(value, reckoned_as)};
      value = reckon(*what.op, pair);
    }
    now[at] = value;
  }
  for (auto& [at, value] : now) {
    value = converted(value, tensor.dtype);
    if (!what.mean || unknown) continue;
    const Scalar pair[] = {value, integer_scalar(counts[at] + (what.apart ? 0 : 1), tensor.dtype)};
    value = reckon(is_whole(tensor.dtype) ? Arithmetic::floor_divide : Arithmetic::divide, pair);
  }
  std::vector<std::pair<int64_t, Scalar>> writes(now.begin(), now.end());
  call.why(what.op ? Msg::scatter_adds : Msg::scatter_headline,
           {count, Slot{what.dim, call.axis(what.dim)}, static_cast<int64_t>(writes.size())});
  if (call.failed() && (!in_place || now.empty())) return {};
  if (unknown && in_place) {
    call.write_unknown(tensor);
    return call.failed() ? Value{} : Value{call.self_ref()};
  }
  if (!in_place) {
    if (unknown)
      return call.fresh(tensor.dtype,
                        what.fills ? Layout{sizes, preserved_strides(tensor.layout), 0} : contiguous(sizes),
                        unknown_contents(tensor.dtype, *numel(sizes)), Relation::copy);
    if (what.fills) {
      const Layout packed = contiguous(sizes, itemsize(tensor.dtype)), kept{sizes, preserved_strides(tensor.layout), 0};
      const ContentsPtr made = scatter(old, tensor.dtype, writes);
      return call.gathered(kept, tensor.dtype, [&](const Dims& order) {
        return gather({made, permute(packed, order), tensor.dtype}, tensor.dtype);
      });
    }
    call.why(Msg::scatter_copy);
    return call.fresh(tensor.dtype, contiguous(sizes), scatter(old, tensor.dtype, writes), Relation::copy);
  }
  for (auto& [at, value] : writes) value = tensor.lens(value);
  if (tensor.is_view) call.why(Msg::write_seen_in_aliases);
  call.write(tensor, writes);
  return call.failed() ? Value{} : Value{call.self_ref()};
}

bool is_apart(Call& call, const char* source) {
  if (!call.name().ends_with('_')) return true;
  const TensorPtr values = tensor_of(call.value(source));
  return check_overlap(call, call.self(), nullptr) && check_apart(call, call.self(), *call.tensor("index")->tensor) &&
         (!values || check_apart(call, call.self(), *values));
}

namespace {

bool fits(const Dims& index, const Dims& other, int except) {
  for (int d = 0; d < std::max(index.size(), 1); ++d)
    if (d != except && size_of(index, d) > size_of(other, d)) return false;
  return true;
}

bool check_scatter(Call& call, const Dims& index, const TensorPtr& source, int d) {
  const Tensor& tensor = call.self();
  const Dims& sizes = tensor.layout.sizes;
  if (numel(index) == 0) return true;
  const auto ranks_differ = [&](const Dims& other, const char* which) {
    if (std::max(other.size(), 1) == std::max(index.size(), 1)) return false;
    call.about("index").fail("RuntimeError",
                             {"Index tensor must have the same number of dimensions as ", which, " tensor"},
                             Msg::gather_rank, {index.size(), other.size()});
    return true;
  };
  if (ranks_differ(sizes, "self")) return false;
  const bool small = fits(index, sizes, d);
  if (small && source && !source->layout.sizes.empty() && source->layout.rank() < index.size()) {
    // A dim that the source has not is asked for, unless one before it is too small.
    for (int k = 0;; ++k)
      if (k == source->layout.rank())
        return call.wrap(k, source->layout.rank(), false, "src"), false;
      else if (index[k] > source->layout.sizes[k])
        break;
  }
  if (source && ranks_differ(source->layout.sizes, "src")) return false;
  if (small && (!source || fits(index, source->layout.sizes, -1))) return true;
  const std::string more =
      source ? " and to be no larger size than src " + list_text(source->layout.sizes) : std::string();
  call.about("index").fail("RuntimeError",
                           {"Expected index ", list_text(index), " to be no larger than self ", list_text(sizes),
                            " apart from dimension ", d, more},
                           Msg::scatter_sizes, {to_string(index), to_string(small ? source->layout.sizes : sizes)});
  return false;
}

Value scatter_row(Call& call) {
  const Tensor tensor = call.self();
  const Value& value = call.value("src");
  const TensorPtr source = tensor_of(value);
  const int d = call.dim("dim");
  const TensorRef given = call.tensor("index");
  if (call.failed()) return {};
  const bool reduces = call.given("reduce"), adds = call.name().find("scatter_add") != std::string_view::npos;
  const Tensor& index = *given->tensor;
  if (numel(index.layout.sizes) != 0 && index.dtype != DType::int64)
    return call.about("index").fail("RuntimeError", "scatter(): Expected dtype int64 for index", Msg::index_places,
                                    {name(index.dtype)});
  if (source && source->dtype != tensor.dtype)
    return call.fail("RuntimeError", "scatter(): Expected self.dtype to be equal to src.dtype", Msg::dtypes_differ,
                     {name(tensor.dtype), name(source->dtype)});
  if (!check_scatter(call, index.layout.sizes, source, d) || !is_apart(call, "src")) return {};
  Scattered what{{}, elements_of(index), d, {}, {}, nullptr};
  if (adds) what.op = Arithmetic::add;
  if (reduces) {
    const std::string& word = call.text("reduce");
    if (call.name().find("scatter_reduce") != std::string_view::npos) {
      if (!reduces_by(what, word))
        return call.about("reduce").fail("RuntimeError",
                                         {"reduce argument must be either sum, prod, mean, amax or amin, got ", word},
                                         Msg::reduce_word, {word});
      what.apart = !call.boolean("include_self");
      if (word == "mean" && tensor.dtype == DType::boolean)
        return no_kernel(call,
                         numel(index.layout.sizes) == 0 ? "div_floor_cpu" : "scatter_gather_tensor_cpu_reduce_mean",
                         tensor.dtype);
      if (is_complex(tensor.dtype) && word[0] == 'a' && numel(index.layout.sizes) != 0)
        return no_kernel(call, "scatter_gather_tensor_cpu_reduce_" + word, tensor.dtype);
    } else if (word != "add" && word != "multiply")
      return call.about("reduce").fail("RuntimeError", "reduce argument must be either add or multiply.",
                                       Msg::scatter_reduce, {word});
    if (!what.op) what.op = word == "add" ? Arithmetic::add : Arithmetic::multiply;
  }
  // Without an index nothing is asked of the rest.
  if (numel(index.layout.sizes) == 0) what.index.layout.sizes = {0}, what.index.layout.strides = {0};
  if (!source && !holds_number(call, value, tensor.dtype)) return {};
  what.values = *operand_of(call, value, "src");
  what.values.layout = source
                           ? Layout{index.layout.sizes, what.values.layout.strides, what.values.layout.storage_offset}
                           : expand(Layout{}, index.layout.sizes);
  if (source && source->layout.rank() != index.layout.rank())
    what.values.layout.strides = Dims::filled(index.layout.rank(), itemsize(source->dtype));
  return scatter_into(call, what);
}

}  // namespace

std::span<const Op> torch_scatter_rows() {
#define ALL(name, rest) "x." name "(" rest ")\ntorch." name "(input: tensor, " rest ")\n"
#define SCATTER(name, rest)                              \
  ALL(name, "dim: int, index: tensor, src: tensor" rest) \
  ALL(name, "dim: int, index: tensor, value: number" rest)
#define IN_PLACE(name, rest)                             \
  "x." name "(dim: int, index: tensor, src: tensor" rest \
  ")\n"                                                  \
  "x." name "(dim: int, index: tensor, value: number" rest ")\n"
  static constexpr Op rows[] = {
      {Library::torch, SCATTER("scatter", ", *, reduce: str") SCATTER("scatter", ""), Msg::op_scatter,
       "y = x, then y[i, index[i, j]] = src[i, j] for dim 1; packed",
       "x = torch.zeros(2, 3)\ny = x.scatter(1, torch.tensor([[0], [2]]), 1.)", scatter_row},
      {Library::torch, IN_PLACE("scatter_", ", *, reduce: str") IN_PLACE("scatter_", ""), Msg::op_scatter,
       "x[i, index[i, j]] = src[i, j] for dim 1", "x = torch.zeros(2, 3)\nx.scatter_(1, torch.tensor([[0], [2]]), 1.)",
       scatter_row},
      {Library::torch,
       ALL("scatter_add",
           "dim: int, index: tensor, src: tensor") "x.scatter_add_(dim: int, index: tensor, src: tensor)",
       Msg::op_scatter_add, "y = x, then y[i, index[i, j]] += src[i, j] for dim 1",
       "x = torch.zeros(1, 3)\ny = x.scatter_add(1, torch.tensor([[0, 0, 2]]), torch.ones(1, 3))", scatter_row},
      {Library::torch,
       ALL("scatter_reduce",
           "dim: int, index: tensor, src: tensor, reduce: str, *, include_self: bool = True") "x.scatter_reduce_(dim: "
                                                                                              "int, index: tensor, "
                                                                                              "src: tensor, reduce: "
                                                                                              "str, *, include_self: "
                                                                                              "bool = True)",
       Msg::op_scatter_add,
       "y = x, then y[i, index[i, j]] = the sum, product, mean, .. of that and src[i, j] for dim 1",
       "x = torch.zeros(1, 3)\ny = x.scatter_reduce(1, torch.tensor([[0, 0, 2]]), torch.ones(1, 3), 'amax')",
       scatter_row},
  };
#undef ALL
#undef SCATTER
#undef IN_PLACE
  return rows;
}

}  // namespace stridescope
