// Writes where indices point to: index_put, put, masked_scatter, in place or into a clone; x[key] = value ends here,
// too.
#include <algorithm>
#include <map>

#include "layout/contiguity.h"
#include "layout/transform.h"
#include "ops/python/python.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {

TensorPtr lone_mask(const Value& key) {
  const auto* sequence = std::get_if<Sequence>(&key.held);
  const std::span<const Value> entries = sequence ? std::span<const Value>(*sequence->items) : std::span(&key, 1);
  TensorPtr mask;
  for (const Value& entry : entries) {
    const TensorPtr tensor = tensor_of(entry);
    if (std::holds_alternative<bool>(entry.held) || std::holds_alternative<Sequence>(entry.held)) return nullptr;
    if (!tensor || (tensor->layout.rank() == 0 && is_integer(tensor->dtype) && tensor->dtype != DType::uint8)) continue;
    const bool picks = tensor->layout.rank() > 0 && (tensor->dtype == DType::boolean || tensor->dtype == DType::uint8);
    if (mask || !picks) return nullptr;
    mask = tensor;
  }
  return mask;
}

namespace {

/// Elements at places (bytes of the storage), as they are while some are written one after the other.
struct Ongoing {
  const Tensor& whole;
  Writes writes = {};
  std::map<int64_t, Scalar> now = {};

  Scalar held(int64_t place) const {
    const auto found = now.find(place);
    return found != now.end() ? found->second
                              : element({whole.storage->contents, Layout{{}, {}, place}, whole.dtype, whole.lens}, 0);
  }
  void put(int64_t place, const Scalar& value, bool adds) {
    const Scalar pair[] = {adds ? held(place) : value, value};
    now[place] = adds ? reckon(Arithmetic::add, pair) : value;
    writes.emplace_back(place, whole.lens(now[place]));
  }
};

}  // namespace

Writes picked_writes(Call& call, const Tensor& whole, const Selection& selection, const PickedWrite& what) {
  const Dims &sizes = selection.places.sizes, &own = what.values.layout.sizes;
  const int64_t count = *numel(sizes);
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices}), Writes{};
  // One number under one mask is masked_fill_.
  const bool fills = !what.adds && what.mask && numel(own) == 1;
  if (fills && what.mask->dtype != DType::boolean)
    return about_indices(call).fail("RuntimeError",
                                    "masked_fill_ only supports boolean masks, but got mask with dtype unsigned char",
                                    Msg::bools_needed, {name(what.mask->dtype)}),
           Writes{};
  if (fills && !holds_number(call.about(what.parameter), python_value(element(what.values, 0)), whole.dtype)) return {};
  Tensor target = selection.part;
  target.object = target.layout == whole.layout ? whole.object : -1;
  const bool shares = !fills && is_written(call);
  if (shares && what.given && !check_apart(call, target, *what.given)) return {};
  if (shares && what.mask && !check_apart(call, target, *what.mask)) return {};
  if (!is_expandable(what.values.layout, sizes))
    return call.about(what.parameter)
               .fail("RuntimeError",
                     {"shape mismatch: value tensor of shape ", list_text(own),
                      " cannot be broadcast to indexing result of shape ", list_text(sizes)},
                     Msg::write_value_shape, {to_string(own), to_string(sizes)}),
           Writes{};
  if (!fills && what.given && what.given->dtype != whole.dtype)
    return call.about(what.parameter)
               .fail("RuntimeError",
                     {"Index put requires the source and destination dtypes match, got ", scalar_type_name(whole.dtype),
                      " for the destination and ", scalar_type_name(what.given->dtype), " for the source."},
                     Msg::dtypes_differ, {name(whole.dtype), name(what.given->dtype)}),
           Writes{};
  const Elements values{what.values.contents, expand(what.values.layout, sizes), what.values.dtype, what.values.lens};
  std::vector<Layout> operands = selection.operands;
  operands.insert(operands.begin() + 1, values.layout);
  Ongoing ongoing{whole};
  visit_picked(call, selection, operands, [&](int64_t position, int64_t place) {
    ongoing.put(place, converted(element(values, position), whole.dtype), what.adds);
  });
  return std::move(ongoing.writes);
}

namespace {

/// What clone() makes under that layout, not yet an object of the program; nothing: the call failed.
std::optional<Tensor> cloned(Call& call, const Tensor& tensor, const Layout& layout) {
  Elements from = elements_of(tensor);
  from.layout = permute(expand(from.layout, layout.sizes), cell_order(layout));
  Tensor clone;
  clone.dtype = tensor.dtype;
  clone.layout = layout;
  clone.storage = std::make_shared<Storage>();
  clone.storage->contents = gather(from, tensor.dtype);
  if (!clone.storage->contents) return call.refuse(Msg::too_costly), std::nullopt;
  const auto nbytes = checked_mul(cells(*clone.storage->contents), itemsize(tensor.dtype));
  if (!nbytes) return call.refuse(Msg::beyond_int64), std::nullopt;
  clone.storage->nbytes = *nbytes;
  return clone;
}

/// The tensor itself where it is written in place, else its clone.
std::optional<Tensor> written_tensor(Call& call) {
  const Tensor& tensor = call.self();
  if (is_written(call)) return tensor;
  return cloned(call, tensor, {tensor.layout.sizes, preserved_strides(tensor.layout), 0});
}

/// The tensor, or the clone as a new one, with what was written; of a failure what came before it.
Value with_writes(Call& call, const Tensor& whole, const Writes& writes, bool masked = false) {
  const bool in_place = is_written(call);
  if (call.failed() && (!in_place || writes.empty())) return {};
  const auto count = static_cast<int64_t>(writes.size());
  if (masked)
    call.headline(Msg::masked_scatter_headline);
  else
    call.headline(Msg::write_picked, {count, count * itemsize(whole.dtype)});
  if (!in_place) {
    call.why(Msg::put_copy);
    return call.fresh(whole.dtype, whole.layout, scatter(whole.storage->contents, whole.dtype, writes), Relation::copy);
  }
  if (whole.is_view) call.why(Msg::write_seen_in_aliases);
  call.write(whole, writes);
  return call.failed() ? Value{} : Value{call.self_ref()};
}

Value index_put_row(Call& call) {
  const std::vector<TensorRef> indices = call.tensors("indices");
  if (call.failed()) return {};
  const Tensor& values = *call.tensor("values")->tensor;
  const auto whole = written_tensor(call);
  if (!whole) return {};
  const auto is_truth = [](const TensorRef& index) {
    return index->tensor->layout.rank() == 0 && index->tensor->dtype == DType::boolean;
  };
  const bool few = static_cast<int>(indices.size()) <= whole->layout.rank();
  if (indices.empty() || (few && std::any_of(indices.begin(), indices.end(), is_truth)))
    return call.about("indices").refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
  PickedWrite what{elements_of(values), values, nullptr, call.boolean("accumulate"), "values"};
  const DType dtype = indices.front()->tensor->dtype;
  if (indices.size() == 1 && (dtype == DType::boolean || dtype == DType::uint8)) what.mask = indices.front()->tensor;
  const bool fills = what.mask && !what.adds && numel(values.layout.sizes) == 1;
  if (is_written(call) && !fills && few && !check_apart(call, *whole, values)) return {};
  const auto selection = torch_select(call, *whole, indices);
  if (!selection) return {};
  return with_writes(call, *whole, picked_writes(call, *whole, *selection, what));
}

Value put_row(Call& call) {
  const Tensor &index = *call.tensor("index")->tensor, &source = *call.tensor("source")->tensor, self = call.self();
  const int64_t count = *numel(index.layout.sizes), given = *numel(source.layout.sizes),
                size = *numel(self.layout.sizes);
  if (index.dtype != DType::int64)
    return call.about("index").fail(
        "RuntimeError", {"put_(): Expected a long tensor for index, but got ", scalar_type_name(index.dtype)},
        Msg::index_places, {name(index.dtype)});
  if (self.dtype != source.dtype)
    return call.about("source").fail(
        "RuntimeError",
        {"put_(): self and source expected to have the same dtype, but got self.dtype = ", scalar_type_name(self.dtype),
         " and source.dtype = ", scalar_type_name(source.dtype)},
        Msg::dtypes_differ, {name(self.dtype), name(source.dtype)});
  if (given != count)
    return call.about("source").fail("IndexError",
                                     {"put_(): Expected source and index to have the same number of elements, but got "
                                      "source.numel() = ",
                                      given, ", index.numel() = ", count},
                                     Msg::put_count, {count, given});
  if (size == 0 && count > 0)
    return call.about_receiver().fail("IndexError", "put_(): Tried to put elements into an empty tensor",
                                      Msg::index_out_of_range, {0, 0, 0});
  if (is_written(call) &&
      (!check_overlap(call, self, nullptr) || !check_apart(call, self, index) || !check_apart(call, self, source)))
    return {};
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  const Elements places = elements_of(index), values = elements_of(source);
  const auto whole = written_tensor(call);
  if (!whole || !call.quick(places, count) || !call.quick(values, count)) return {};
  const Layout bytes = *in_bytes(*whole);
  Ongoing ongoing{*whole};
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = element(places, i).integer;
    if (place < -size || place >= size) {
      call.about("index").fail("IndexError",
                               {"out of range: tried to access index ", place, " on a tensor of ", size, " elements."},
                               Msg::index_out_of_range, {place, 0, size});
      break;
    }
    const Dims at = self.layout.rank() == 0 ? Dims{} : index_at(self.layout.sizes, place < 0 ? place + size : place);
    ongoing.put(offset(bytes, at), element(values, i), call.boolean("accumulate"));
  }
  call.why(Msg::picked_flat, {size, to_string(self.layout.sizes)});
  return with_writes(call, *whole, ongoing.writes);
}

/// The elements under a mask become those of the source, one after the other.
Value masked_scatter_row(Call& call) {
  const Tensor &mask = *call.tensor("mask")->tensor, &source = *call.tensor("source")->tensor, self = call.self();
  const bool in_place = is_written(call);
  const auto sizes = in_place ? self.layout.sizes : broadcast_sizes(call, mask.layout.sizes, self.layout.sizes);
  if (!sizes || (in_place && !check_overlap(call, self, nullptr))) return {};
  if (self.dtype != source.dtype)
    return call.about("source").fail("RuntimeError",
                                     {"masked_scatter: expected self and source to have same dtypes but got",
                                      scalar_type_name(self.dtype), " and ", scalar_type_name(source.dtype)},
                                     Msg::dtypes_differ, {name(self.dtype), name(source.dtype)});
  if (in_place && !expanded(call.about("mask"), mask, self.layout.sizes)) return {};
  if (mask.dtype != DType::boolean)
    return call.about("mask").fail(
        "RuntimeError",
        {"masked_scatter_ only supports boolean masks, but got mask with dtype ", scalar_type_name(mask.dtype)},
        Msg::bools_needed, {name(mask.dtype)});
  const int64_t count = *numel(*sizes), given = *numel(source.layout.sizes);
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  const auto whole = in_place ? self : cloned(call, self, contiguous(*sizes));
  Elements chosen = elements_of(mask);
  const Elements values = elements_of(source);
  // Which elements are taken may not be known; where there are enough of them, none is missing.
  if (whole && given >= count && !is_known(*chosen.contents)) {
    call.headline(Msg::masked_scatter_headline);
    if (!in_place) return call.fresh(self.dtype, whole->layout, unknown_contents(self.dtype, count), Relation::copy);
    call.write_unknown(self);
    return call.failed() ? Value{} : Value{call.self_ref()};
  }
  if (!whole || !call.quick(chosen, count) || !call.quick(values, std::min(count, given))) return {};
  chosen.layout = expand(chosen.layout, *sizes);
  // A source that is packed is read where it lies, others are copied first.
  const bool read_in_turn =
      in_place && source.storage == self.storage && is_contiguous(source.layout) && source.lens == Lens{};
  const Layout bytes = *in_bytes(*whole);
  Ongoing ongoing{*whole};
  int64_t next = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!is_true(element(chosen, i))) continue;
    if (next == given) {
      call.about("source").fail("RuntimeError", "Number of elements of source < number of ones in mask",
                                Msg::masked_too_few, {given});
      break;
    }
    const auto read = ongoing.now.find(values.layout.storage_offset + next * itemsize(source.dtype));
    const Scalar value = read_in_turn && read != ongoing.now.end() ? self.lens(read->second) : element(values, next);
    ongoing.put(offset(bytes, sizes->empty() ? Dims{} : index_at(*sizes, i)), value, false);
    ++next;
  }
  return with_writes(call, *whole, ongoing.writes, true);
}

}  // namespace

std::span<const Op> torch_put_rows() {
#define BOTH(name, rest) "x." name "(" rest ")\ntorch." name "(input: tensor, " rest ")\n"
#define INDICES "indices: tensors, values: tensor, accumulate: bool = False"
#define PLACES "index: tensor, source: tensor, accumulate: bool = False"
  static constexpr Op rows[] = {
      {Library::torch, BOTH("index_put", INDICES), Msg::op_index_put,
       "y = x.clone(), then y[indices] = values, or += with accumulate",
       "x = torch.zeros(2, 3)\ny = x.index_put((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor(7.))",
       index_put_row},
      {Library::torch, BOTH("index_put_", INDICES), Msg::op_index_put, "x[indices] = values, or += with accumulate",
       "x = torch.zeros(3)\nx.index_put_((torch.tensor([0, 0]),), torch.ones(2), accumulate=True)", index_put_row},
      {Library::torch, BOTH("put", PLACES), Msg::op_put, "y = x.clone(), then y.flatten()[index] = source, or +=",
       "x = torch.zeros(2, 3)\ny = x.put(torch.tensor([1, 4]), torch.tensor([7., 8.]))", put_row},
      {Library::torch, "x.put_(" PLACES ")", Msg::op_put, "places in reading order: x.flatten()[index] = source, or +=",
       "x = torch.zeros(2, 3)\nx.put_(torch.tensor([1, 4]), torch.tensor([7., 8.]))", put_row},
      {Library::torch, BOTH("masked_scatter", "mask: tensor, source: tensor"), Msg::op_masked_scatter,
       "y = x, packed, then y[mask] = the first elements of source",
       "x = torch.arange(6)\ny = x.masked_scatter(x > 2, torch.zeros(6, dtype=torch.int64))", masked_scatter_row},
      {Library::torch, "x.masked_scatter_(mask: tensor, source: tensor)", Msg::op_masked_scatter,
       "x[mask] = the first elements of source, in reading order",
       "x = torch.arange(6)\nx.masked_scatter_(x > 2, torch.zeros(6, dtype=torch.int64))", masked_scatter_row},
  };
#undef BOTH
#undef INDICES
#undef PLACES
  return rows;
}

}  // namespace stridescope
