// How a call ends: new objects and storages, views, writes, numbers of Python.
#include <algorithm>

#include "layout/checked.h"
#include "layout/contiguity.h"
#include "layout/transform.h"
#include "ops/call.h"
#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value nested(Call& call, const Elements& elements, int dim, int64_t& next) {
  if (dim == elements.layout.rank()) return call.number(element(elements, next++));
  std::vector<Value> items;
  for (int64_t i = 0; i < elements.layout.sizes[dim]; ++i) items.push_back(nested(call, elements, dim + 1, next));
  return list_of(std::move(items));
}

}  // namespace

bool Call::quick(const Elements& elements, int64_t reads) {
  if (is_quick(elements, reads)) return !failed();
  if (elements.contents && !is_known(*elements.contents)) return refuse(Msg::values_unknown), false;
  return refuse(form_.op->library == Library::torch ? Msg::too_costly : Msg::np_too_costly), false;
}

bool Call::few(const Tensor& array) { return few(elements_of(array), numel(array.layout.sizes).value_or(INT64_MAX)); }

bool Call::few(const Elements& elements, int64_t reads) {
  return quick(elements, reads > small_cells ? INT64_MAX : reads);
}

std::optional<bool> Call::any(const Elements& elements, DType dtype, bool (*asked)(const Scalar&)) {
  const auto found = any_element(elements, dtype, asked);
  if (!found) quick(elements, INT64_MAX);
  return found;
}

Value Call::number(const Scalar& element) {
  if (element.dtype == DType::uint64 && element.integer < 0) return refuse(Msg::beyond_int64);
  return python_value(element);
}

Value Call::numbers(const Elements& elements) {
  const bool unknown = elements.contents && !is_known(*elements.contents);
  if (unknown && elements.layout.rank() == 0 && is_floating(elements.dtype)) return Value{Float::unknown()};
  // Sizes before a 0 count, too: [[], [], ..].
  std::optional<int64_t> lists = 1;
  for (const int64_t size : elements.layout.sizes) lists = checked_mul(lists, std::max<int64_t>(size, 1));
  if (lists.value_or(max_listed + 1) > max_listed) return refuse(Msg::too_many_items, {max_listed});
  if (!quick(elements, numel(elements.layout.sizes).value_or(0))) return {};
  int64_t next = 0;
  return nested(*this, elements, 0, next);
}

Value Call::make(Tensor tensor, Relation relation) {
  if (failed()) return {};
  if (tensor.library == Library::numpy && !check_numpy_bytes(*this, tensor.layout.sizes, tensor.item_bytes()))
    return {};
  if (!fits(tensor)) return refuse(Msg::beyond_int64);
  viewed_ = tensor.object;
  tensor.object = static_cast<int>(numbering_.objects.size());
  if (tensor.library == Library::torch && !tensor.version) {
    tensor.version = new_version(*this, applied_.inputs);
    tensor.seen_version = *tensor.version;
  }
  if (tensor.library == Library::torch) follow_gradients(*this, tensor, applied_.inputs);
  if (failed()) return {};
  applied_.relation = relation;
  auto object = std::make_shared<TensorObject>();
  object->id = tensor.object;
  object->tensor = std::make_shared<const Tensor>(std::move(tensor));
  numbering_.objects.push_back(object);
  ++made_;
  return {TensorRef(std::move(object))};
}

void Call::follow_views() {
  each_alias([](const TensorRef& object) {
    Tensor changed = *object->tensor;
    changed.requires_grad = true;
    changed.is_leaf = false;
    object->tensor = std::make_shared<const Tensor>(std::move(changed));
  });
}

void Call::follow_base(bool follows) {
  for (const TensorRef& object : numbering_.objects) {
    const Tensor& tensor = *object->tensor;
    if (!tensor.is_view || tensor.base != self().object || !tensor.is_leaf) continue;
    Tensor changed = tensor;
    changed.requires_grad = follows && (is_floating(tensor.dtype) || is_complex(tensor.dtype));
    object->tensor = std::make_shared<const Tensor>(std::move(changed));
  }
}

Value Call::view(const Tensor& tensor, const Layout& layout) {
  Tensor result = tensor;
  result.layout = layout;
  result.is_view = true;
  result.lost_size = 0;
  result.told_unaligned = false;
  result.base_facet = nullptr;
  // The base of a view's view is what owns the memory, except that NumPy stops at what as_strided has made, at what
  // lies on bytes, at one element of structures, and at what a tensor of PyTorch's gave.
  const bool foreign = tensor.library == Library::numpy && tensor.is_view &&
                       (!tensor.base_tensor || tensor.base_tensor->library == Library::torch);
  if (!tensor.is_view || tensor.base_facet || foreign || tensor.is_element) {
    result.base = tensor.object;
    result.base_tensor = shared(tensor);
  }
  return make(std::move(result), Relation::view);
}

Value Call::same(const TensorRef& tensor) {
  if (failed()) return {};
  applied_.relation = Relation::same;
  return {tensor};
}

Value Call::fresh(DType dtype, const Layout& layout, ContentsPtr contents, Relation relation) {
  Tensor like;
  like.dtype = dtype;
  return fresh(like, layout, std::move(contents), relation);
}

Value Call::fresh(const Tensor& like, const Layout& layout, ContentsPtr contents, Relation relation) {
  if (failed()) return {};
  const int64_t unit = like.item_bytes();
  if (form_.op->library == Library::numpy && !check_numpy_bytes(*this, layout.sizes, unit)) return {};
  const DType cell = like.structure ? DType::uint8 : like.dtype;
  if (!contents) contents = unreckoned(cell, numel(layout.sizes).value_or(0) * (like.structure ? unit : 1), INT64_MAX);
  if (!is_known(*contents)) why(Msg::unknown_values);
  const auto nbytes = checked_mul(cells(*contents), itemsize(dtype_of(*contents)));
  if (!nbytes) return refuse(Msg::beyond_int64);
  Tensor tensor;
  tensor.library = form_.op->library;
  tensor.dtype = like.dtype;
  tensor.structure = like.structure;
  tensor.layout = layout;
  tensor.storage = std::make_shared<Storage>();
  tensor.storage->id = numbering_.storages++;
  tensor.storage->dtype = like.dtype;
  tensor.storage->structure = like.structure;
  tensor.storage->nbytes = *nbytes;
  tensor.storage->drawn = is_random(*contents) || (drawn() && !is_constant(*contents));
  tensor.storage->made_up = is_made_up(*contents) || (made_up() && !is_constant(*contents));
  tensor.storage->contents = std::move(contents);
  return make(std::move(tensor), relation);
}

bool Call::drawn() const {
  return std::any_of(applied_.inputs.begin(), applied_.inputs.end(),
                     [](const TensorPtr& input) { return input->storage && input->storage->drawn; });
}

bool Call::made_up() const {
  return std::any_of(applied_.inputs.begin(), applied_.inputs.end(),
                     [](const TensorPtr& input) { return input->storage && input->storage->made_up; });
}

Value Call::differ() { return made_up() ? refuse(Msg::of_stand_ins) : Value{false}; }

bool Call::given_known() const {
  return std::all_of(applied_.inputs.begin(), applied_.inputs.end(),
                     [](const TensorPtr& input) { return !input->storage || is_known(*input->storage->contents); });
}

bool Call::reckons(int64_t work) {
  if (!given_known()) return false;
  const auto is_slow = [&](const TensorPtr& input) {  // to read, once at most for each of the steps
    return input->storage &&
           !is_quick(elements_of(*input), std::min(work, numel(input->layout.sizes).value_or(INT64_MAX)));
  };
  if (work > most_products || work > most_reckoned - numbering_.reckoned ||
      std::any_of(applied_.inputs.begin(), applied_.inputs.end(), is_slow))
    return why(Msg::unreckoned), false;
  numbering_.reckoned += work;
  return true;
}

ContentsPtr Call::unreckoned(DType dtype, int64_t cells, int64_t work) {
  if (reckons(std::max(work, cells))) return nullptr;
  if (!given_known() || !is_floating(dtype) || !drawn()) return unknown_contents(dtype, cells);
  why(Msg::stand_ins);
  return random_contents(Distribution::made_up, seed(), dtype, cells);
}

Value Call::copy(const Tensor& source, const Layout& layout, DType dtype) {
  const Elements from = copied_elements(source, permute(*in_bytes(source), cell_order(layout)));
  if (source.structure) return fresh(source, layout, gather(from, from.dtype), Relation::copy);
  return fresh(dtype, layout, gather(from, dtype), Relation::copy);
}

Value Call::change(const TensorRef& object, const Layout& layout) {
  Tensor changed = *object->tensor;
  if (layout.rank() == 0 && changed.layout.rank() > 0) changed.lost_size = changed.layout.sizes[0];
  changed.layout = layout;
  if (!fits(changed)) return refuse(Msg::beyond_int64);
  object->tensor = std::make_shared<const Tensor>(std::move(changed));
  applied_.relation = Relation::same;
  return {object};
}

void Call::grow_storage(int64_t nbytes) {
  const ContentsPtr old = self().storage->contents;
  const DType dtype = dtype_of(*old);
  const int64_t held = cells(*old), count = nbytes / itemsize(dtype) + (nbytes % itemsize(dtype) != 0 ? 1 : 0);
  const Layout front{{held}, {itemsize(dtype)}, 0};
  ContentsPtr longer = constant_contents(converted({DType::int64}, dtype), count);
  if (held > 0) longer = patch(longer, {longer, front, dtype}, {old, front, dtype});
  if (!longer) longer = unknown_contents(dtype, count);
  replace_storage(self(), std::move(longer), nbytes);
}

void Call::replace_storage(const Tensor& tensor, ContentsPtr contents, int64_t nbytes) {
  const std::shared_ptr<Storage> old = tensor.storage;
  auto other = std::make_shared<Storage>(Storage{old->id, nbytes, old->dtype, std::move(contents)});
  for (const TensorRef& object : numbering_.objects) {
    if (object->tensor->storage != old) continue;
    Tensor moved = *object->tensor;
    moved.storage = other;
    object->tensor = std::make_shared<const Tensor>(std::move(moved));
  }
}

void Call::write(const Tensor& target, const Elements& value) {
  if (failed()) return;
  applied_.relation = Relation::write;
  if (numel(target.layout.sizes) == 0) return;
  Elements through = value;
  if (target.lens != Lens{}) {
    // Converted first: what has no imaginary part yet has one to conjugate afterwards.
    through = Elements{gather(value, target.dtype), contiguous(value.layout.sizes, itemsize(target.dtype)),
                       target.dtype, target.lens};
  }
  keep(target, patch(target.storage->contents, elements_of(target), through));
}

void Call::write(const Tensor& target, std::span<const std::pair<int64_t, Scalar>> writes) {
  applied_.relation = Relation::write;
  keep(target, scatter(target.storage->contents, target.dtype, writes));
}

void Call::write_unknown(const Tensor& target) {
  applied_.relation = Relation::write;
  keep(target, nullptr);
}

void Call::keep(const Tensor& target, ContentsPtr written) {
  const Contents& before = *target.storage->contents;
  if (!written) why(Msg::unreckoned), written = unknown_contents(dtype_of(before), cells(before));
  if (!is_known(*written)) why(Msg::unknown_values);
  if (only_checks_) return;
  const TensorPtr self = tensor_of(first());
  if (!overwritten_ && self && self->storage == target.storage) overwritten_ = target.storage->contents;
  target.storage->contents = std::move(written);
  target.storage->drawn |= drawn();
  target.storage->made_up |= made_up();
}

Value Call::tuple(std::vector<Value> items, Sequence::Kind kind) const {
  Sequence sequence{kind, std::make_shared<std::vector<Value>>(std::move(items))};
  if (kind == Sequence::Kind::ranked) sequence.shown = std::make_shared<const std::string>(ranked_type(form_.name));
  return {std::move(sequence)};
}

}  // namespace stridescope
