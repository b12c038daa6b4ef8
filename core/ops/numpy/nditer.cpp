#include "ops/numpy/nditer.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>

#include "layout/checked.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"

namespace stridescope {

Dims Walk::index() const {
  Dims result = Dims::filled(sizes.size(), 0);
  const Dims places = index_at(sizes, static_cast<int64_t>(place));
  for (int k = 0; k < sizes.size(); ++k)
    result[static_cast<int>(axes[k])] = flipped[k] != 0 ? sizes[k] - 1 - places[k] : places[k];
  return result;
}

void Walk::close() {
  closed = true;
  operands.clear();
  place = items.size();
}

bool Walk::advance() {
  if (!finished()) ++place;
  return !finished();
}

Walk* walk_of(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && sequence->kind == Sequence::Kind::nditer && sequence->source
             ? static_cast<Walk*>(sequence->source.get())
             : nullptr;
}

Value walk_again(const Walk& walk) {
  auto own = std::make_shared<Walk>(walk);
  own->next = [at = own.get()](Span, Value& item) {
    if (std::exchange(at->begun, true) ? !at->advance() : at->finished()) return Next::none;
    item = at->items[at->place];
    return Next::item;
  };
  return {Sequence{Sequence::Kind::nditer, std::make_shared<std::vector<Value>>(), nullptr, std::move(own)}};
}

namespace {

struct WalkedOperand {
  TensorRef array;  ///< null where the iterator makes it
  bool writes = false;
};

/// What flags= asks for.
struct Wanted {
  bool chunks = false, index = false, c_number = false, f_number = false, empty = false;
};

std::optional<std::vector<std::string>> words_of(const Value& value) {
  const auto* listed = std::get_if<Sequence>(&value.held);
  if (!listed || (listed->kind != Sequence::Kind::list && !is_tuple(listed->kind))) return std::nullopt;
  std::vector<std::string> words;
  for (const Value& item : *listed->items) {
    const auto* word = std::get_if<std::string>(&item.held);
    if (!word) return std::nullopt;
    words.push_back(*word);
  }
  return words;
}

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Wanted wanted_of(Call& call) {
  Wanted wanted;
  if (!call.given("flags")) return wanted;
  const auto words = words_of(call.value("flags"));
  call.about("flags");
  if (!words)
    return call.fail("ValueError", "Iterator global flags must be a list or tuple of strings", Msg::np_nditer_flag,
                     {to_string(call.value("flags"))}),
           wanted;
  for (const std::string& word : *words) {
    wanted.chunks |= word == "external_loop";
    wanted.index |= word == "multi_index";
    wanted.c_number |= word == "c_index";
    wanted.f_number |= word == "f_index";
    wanted.empty |= word == "zerosize_ok";
    if (is_among(word, {"external_loop", "multi_index", "c_index", "f_index", "zerosize_ok", "refs_ok"})) continue;
    if (is_among(word, {"buffered", "common_dtype", "copy_if_overlap", "delay_bufalloc", "grow_inner", "ranged",
                        "reduce_ok"}))
      return call.refuse(Msg::not_modelled, {"NumPy", "np.nditer(flags=['" + word + "'])"}), wanted;
    return call.fail("ValueError", {"Unexpected iterator global flag \"", word, "\""}, Msg::np_nditer_flag,
                     {"'" + word + "'"}),
           wanted;
  }
  if (wanted.c_number && wanted.f_number)
    call.fail("ValueError", "Iterator flags C_INDEX and F_INDEX cannot both be specified", Msg::np_nditer_flags,
              {"c_index", "f_index"});
  else if (wanted.chunks && (wanted.index || wanted.c_number || wanted.f_number))
    call.fail("ValueError", "Iterator flag EXTERNAL_LOOP cannot be used if an index or multi-index is being tracked",
              Msg::np_nditer_flags, {"external_loop", wanted.index ? "multi_index" : "c_index"});
  return wanted;
}

/// What op_flags= asks of one operand.
void read_operand_flags(Call& call, const std::vector<std::string>& words, WalkedOperand& operand) {
  int ways = 0;
  bool allocates = false;
  call.about("op_flags");
  for (const std::string& word : words) {
    if (is_among(word, {"readonly", "readwrite", "writeonly"}))
      ++ways, operand.writes = word != "readonly";
    else if (word == "allocate")
      allocates = true;
    else if (is_among(word, {"copy", "updateifcopy", "contig", "no_broadcast", "virtual", "arraymask", "writemasked",
                             "overlap_assume_elementwise"}))
      return void(call.refuse(Msg::not_modelled, {"NumPy", "np.nditer(op_flags=['" + word + "'])"}));
    else if (!is_among(word, {"aligned", "nbo", "no_subtype"}))
      return void(call.fail("ValueError", {"Unexpected per-op iterator flag \"", word, "\""}, Msg::np_nditer_flag,
                            {"'" + word + "'"}));
  }
  if (ways != 1)
    call.fail("ValueError",
              ways == 0 ? "None of the iterator flags READWRITE, READONLY, or WRITEONLY were specified for an operand"
                        : "Only one of the iterator flags READWRITE, READONLY, and WRITEONLY may be specified for an "
                          "operand",
              Msg::np_nditer_ways, {ways});
  else if (!operand.array && !allocates)
    call.fail("ValueError", "Iterator operand was NULL, but neither the ALLOCATE nor the VIRTUAL flag was specified",
              Msg::np_nditer_ways, {0});
  else if (operand.array && operand.writes && !operand.array->tensor->writeable)
    call.fail("ValueError", "operand array with iterator write flag set is read-only", Msg::np_readonly,
              {Slot{"array", Call::whole(*operand.array->tensor)}});
}

/// The operands: one, or those of a list; None is one that the iterator makes, to be written.
std::vector<WalkedOperand> operands_of(Call& call) {
  std::vector<WalkedOperand> operands;
  const Value& given = call.first();
  const auto* listed = std::get_if<Sequence>(&given.held);
  const bool several = listed && (listed->kind == Sequence::Kind::list || is_tuple(listed->kind));
  for (const Value& one : several ? *listed->items : std::vector{given}) {
    operands.push_back({is_none(one) ? nullptr : as_array(call, one), is_none(one)});
    if (call.failed()) return {};
  }
  if (operands.empty())
    return call.about_receiver().fail("ValueError", "Must provide at least one operand", Msg::np_nditer_no_operand),
           operands;
  if (!call.given("op_flags")) return operands;
  const Value& flags = call.value("op_flags");
  const auto of_all = words_of(flags);
  const auto* each = std::get_if<Sequence>(&flags.held);
  for (size_t i = 0; i < operands.size() && !call.failed(); ++i) {
    const bool is_given = each && each->items->size() == operands.size();
    const auto words = of_all ? of_all : is_given ? words_of((*each->items)[i]) : std::nullopt;
    if (words)
      read_operand_flags(call, *words, operands[i]);
    else
      call.about("op_flags")
          .fail("ValueError", "op_flags must be a tuple or array of per-op flag-tuples", Msg::np_nditer_flag,
                {to_string(flags)});
  }
  return operands;
}

/// The operands' axes in the order of the walk, the slowest first, and which of them are walked from the end.
struct WalkOrder {
  Dims axes, flipped;
};
WalkOrder order_of(const std::vector<WalkedOperand>& operands, const std::vector<Layout>& layouts, int rank,
                   NumpyOrder order) {
  WalkOrder walk{{}, Dims::filled(rank, 0)};
  for (int d = 0; d < rank; ++d) walk.axes.push_back(d);
  const auto is_fortran = [](const WalkedOperand& one) {
    return !one.array || is_f_contiguous(one.array->tensor->layout, itemsize(one.array->tensor->dtype));
  };
  const bool all_fortran = order == NumpyOrder::any && std::all_of(operands.begin(), operands.end(), is_fortran);
  if (order == NumpyOrder::fortran || all_fortran) std::reverse(walk.axes.begin(), walk.axes.end());
  if (order != NumpyOrder::keep) return walk;
  walk.axes = iteration_order(layouts);
  // As the elements lie in memory, so backwards along a negative stride; but what is made has no such.
  const bool makes = std::any_of(operands.begin(), operands.end(), [](const WalkedOperand& one) { return !one.array; });
  for (int k = 0; k < rank && !makes; ++k) {
    const int axis = static_cast<int>(walk.axes[k]);
    const auto forwards = [&](const Layout& layout) { return layout.strides[axis] > 0; };
    const auto backwards = [&](const Layout& layout) { return layout.strides[axis] < 0; };
    walk.flipped[k] = std::none_of(layouts.begin(), layouts.end(), forwards) &&
                      std::any_of(layouts.begin(), layouts.end(), backwards);
  }
  return walk;
}

/// Neighbouring axes walked as one wherever the strides of all layouts allow it.
/// Source: npyiter_coalesce_axes
void merge_axes(std::vector<Layout>& layouts) {
  const Layout& sizes_of = layouts.front();
  for (int k = sizes_of.rank() - 2; k >= 0; --k) {
    const int64_t slow = sizes_of.sizes[k], fast = sizes_of.sizes[k + 1];
    const auto fits = [&](const Layout& layout) {
      const int64_t outer = layout.strides[k], inner = layout.strides[k + 1];
      return (fast == 1 && inner == 0) || (slow == 1 && outer == 0) || checked_mul(inner, fast) == outer;
    };
    if (!std::all_of(layouts.begin(), layouts.end(), fits)) continue;
    for (Layout& layout : layouts) {
      if (layout.strides[k + 1] == 0) layout.strides[k + 1] = layout.strides[k];
      layout.sizes[k + 1] *= layout.sizes[k];
      layout.sizes.erase(k);
      layout.strides.erase(k);
    }
  }
}

/// An array for an operand that is None, as ufuncs make theirs.
TensorRef made_operand(Call& call, const std::vector<WalkedOperand>& operands, const Dims& sizes, const Dims& axes) {
  std::vector<DType> dtypes;
  for (const WalkedOperand& one : operands)
    if (one.array) dtypes.push_back(one.array->tensor->dtype);
  if (dtypes.empty())
    return call.fail_parser("no arrays or types available to calculate result type", Msg::np_nditer_no_operand),
           nullptr;
  const DType dtype = numpy_promoted(dtypes);
  const Layout layout{sizes, packed_slowest_first(sizes, axes, itemsize(dtype)), 0};
  const Value made = call.fresh(dtype, layout, constant_contents({dtype}, *numel(sizes)));
  return call.failed() ? nullptr : std::get<TensorRef>(made.held);
}

/// A view of one operand through a layout of its storage.
Value item_of(Call& call, const WalkedOperand& operand, const Layout& layout) {
  Tensor item = *operand.array->tensor;
  item.base_tensor = operand.array->tensor;
  item.base = item.object;
  item.base_facet = "nditer";
  item.layout = layout;
  item.is_view = true;
  item.writeable = operand.writes;
  return call.make(std::move(item), Relation::view);
}

/// Whether every operand that is written has the elements of the walk, one each; else the call fails.
bool check_written(Call& call, const std::vector<WalkedOperand>& operands, const Dims& sizes) {
  for (const WalkedOperand& one : operands) {
    if (!one.array || !one.writes || one.array->tensor->layout.sizes == sizes) continue;
    const Dims& own = one.array->tensor->layout.sizes;
    for (int d = 0; d < sizes.size(); ++d) {  // counted from the last
      const int64_t size = d < own.size() ? own[own.size() - 1 - d] : 1;
      if (size != sizes[sizes.size() - 1 - d])
        return call.fail("ValueError",
                         {"output operand requires a reduction along dimension ", d,
                          ", but the reduction is not enabled. The dimension size of ", size,
                          " does not match the expected output shape."},
                         Msg::np_nditer_reduces, {to_string(own), to_string(sizes)}),
               false;
    }
  }
  return true;
}

/// The sizes under which all operands are gone over; nothing, and the call failed, where there are none.
std::optional<Dims> common_sizes_of(Call& call, const std::vector<WalkedOperand>& operands, bool may_be_empty) {
  std::vector<Dims> shapes;
  for (const WalkedOperand& one : operands)
    if (one.array) shapes.push_back(one.array->tensor->layout.sizes);
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) return refuse_shapes(call, shapes), std::nullopt;
  if (!check_written(call, operands, *sizes)) return std::nullopt;
  const auto count = numel(*sizes);
  call.about_receiver();
  if (count == 0 && !may_be_empty)
    call.fail("ValueError", "Iteration of zero-sized operands is not enabled", Msg::np_nditer_empty,
              {to_string(*sizes)});
  else if (!count)
    call.fail("ValueError", "iterator is too large", Msg::np_storage_overflow, {to_string(*sizes)});
  return call.failed() ? std::nullopt : sizes;
}

/// A layout of the walk's sizes without strides of axes that have one place only.
Layout with_steps_alone(Layout layout) {
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] == 1) layout.strides[d] = 0;
  return layout;
}

Layout seen_under(const Tensor& array, const Dims& sizes) {
  return with_steps_alone(broadcast_to(array.layout, sizes));
}

Layout as_walked(const Layout& layout, const WalkOrder& order) {
  Layout result = permute(layout, order.axes);
  for (int k = 0; k < result.rank(); ++k)
    if (order.flipped[k] != 0) result = flip(result, k);
  return result;
}

/// What each place gives: an element of each operand, or those of the fastest axis in chunks. Nothing, and the call
/// failed, where there are too many.
std::optional<std::vector<Value>> items_of_walk(Call& call, const std::vector<WalkedOperand>& operands,
                                                const std::vector<Layout>& layouts, bool chunks) {
  const Layout& first = layouts.front();
  const int rank = first.rank(), outer = chunks ? std::max(rank - 1, 0) : rank;
  Dims places;
  for (int k = 0; k < outer; ++k) places.push_back(first.sizes[k]);
  const int64_t count = numel(first.sizes) == 0 ? 0 : *numel(places);
  if (count > static_cast<int64_t>(max_items) / static_cast<int64_t>(operands.size()))
    return call.refuse(Msg::too_many_items, {static_cast<int64_t>(max_items)}), std::nullopt;
  std::vector<Value> items;
  for (int64_t i = 0; i < count; ++i) {
    const Dims at = index_at(places, i);
    std::vector<Value> views;
    for (size_t k = 0; k < operands.size(); ++k) {
      const Layout& layout = layouts[k];
      Layout item{{}, {}, layout.storage_offset};
      for (int d = 0; d < outer; ++d) item.storage_offset += at[d] * layout.strides[d];
      if (chunks) item.sizes.push_back(outer < rank ? layout.sizes[outer] : 1);
      if (chunks) item.strides.push_back(outer < rank ? layout.strides[outer] : 0);
      views.push_back(item_of(call, operands[k], item));
    }
    items.push_back(views.size() == 1 ? views.front() : list_of(std::move(views), Sequence::Kind::tuple));
  }
  return items;
}

}  // namespace

Value nditer_row(Call& call) {
  for (const char* option : {"op_dtypes", "op_axes", "itershape"})
    if (call.given(option))
      return call.about(option).refuse(Msg::not_modelled, {"NumPy", "np.nditer(" + std::string(option) + "=..)"});
  const Wanted wanted = wanted_of(call);
  const NumpyOrder order = call.failed() ? NumpyOrder::keep : numpy_order(call, "order", NumpyOrder::keep);
  std::vector<WalkedOperand> operands = call.failed() ? std::vector<WalkedOperand>() : operands_of(call);
  const auto sizes = call.failed() ? std::nullopt : common_sizes_of(call, operands, wanted.empty);
  if (!sizes) return {};
  std::vector<Layout> seen;
  for (const WalkedOperand& one : operands)
    if (one.array) seen.push_back(seen_under(*one.array->tensor, *sizes));
  const WalkOrder walked = seen.empty() ? WalkOrder{} : order_of(operands, seen, sizes->size(), order);
  for (WalkedOperand& one : operands)
    if (!one.array && !call.failed()) one.array = made_operand(call, operands, *sizes, walked.axes);
  if (call.failed()) return {};
  Walk walk;
  std::vector<Layout> layouts;
  for (const WalkedOperand& one : operands) {
    layouts.push_back(as_walked(seen_under(*one.array->tensor, *sizes), walked));
    walk.operands.push_back({one.array});
  }
  const Layout whole = layouts.front();
  walk.sizes = whole.sizes;
  walk.axes = walked.axes;
  walk.flipped = walked.flipped;
  walk.elements = *numel(*sizes);
  walk.tracks_index = wanted.index;
  walk.tracks_number = wanted.c_number ? 'c' : wanted.f_number ? 'f' : 0;
  // The number of an element goes on in steps, too, as if it were one more operand.
  if (walk.tracks_number)
    layouts.push_back(as_walked(with_steps_alone(wanted.c_number ? contiguous(*sizes) : fortran(*sizes)), walked));
  if (!wanted.index) merge_axes(layouts);
  walk.shape = wanted.index ? *sizes : layouts.front().sizes;
  if (!wanted.index) std::reverse(walk.shape.begin(), walk.shape.end());
  auto items = items_of_walk(call, operands, layouts, wanted.chunks);
  if (!items) return {};
  walk.items = *std::move(items);
  const auto count = static_cast<int64_t>(walk.items.size());
  if (const Layout& merged = layouts.front(); wanted.chunks)
    call.why(Msg::np_nditer_chunks,
             {count, merged.rank() > 0 ? merged.sizes.back() : 1, to_string(merged.sizes), to_string(merged.strides)});
  else
    call.why(operands.front().writes ? Msg::np_nditer_writes : Msg::np_nditer,
             {count, to_string(whole.sizes), to_string(whole.strides)});
  if (operands.size() > 1) call.why(Msg::np_nditer_several, {static_cast<int64_t>(operands.size()), to_string(*sizes)});
  call.relation(Relation::view);
  return walk_again(walk);
}

}  // namespace stridescope
