// What an nditer tells of itself, and its methods.
#include <algorithm>
#include <iterator>

#include "ops/numpy/nditer.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

constexpr std::string_view methods[] = {"close", "copy", "iternext", "reset"};

Outcome past_its_end() { return python_error("ValueError", "Iterator is past the end", Msg::iterator_ended); }
Outcome closed() { return python_error("ValueError", "Iterator is invalid", Msg::np_nditer_closed); }

/// The number of the element at that index, counted in C or in Fortran order.
int64_t number_of(const Walk& walk) {
  const Dims index = walk.index();
  Dims sizes = index;
  for (int k = 0; k < walk.sizes.size(); ++k) sizes[static_cast<int>(walk.axes[k])] = walk.sizes[k];
  return offset(walk.tracks_number == 'c' ? contiguous(sizes) : fortran(sizes), index);
}

}  // namespace

std::optional<Outcome> nditer_attribute(const Value& owner, std::string_view name) {
  Walk& walk = *walk_of(owner);
  const auto truth = [](bool held) { return Outcome(Value{held}); };
  if (std::find(std::begin(methods), std::end(methods), name) != std::end(methods))
    return Outcome(Value{Symbol{"nditer." + std::string(name), std::make_shared<const Value>(owner)}});
  if (name == "finished") return truth(walk.finished() && !walk.closed);
  // Where it stands.
  const bool asks_place =
      name == "value" || name == "multi_index" || name == "index" || name == "iterindex" || name == "shape";
  if (asks_place && walk.finished()) return past_its_end();
  if (name == "value") return Outcome(walk.items[walk.place]);
  if (name == "shape") return Outcome(tuple_of(walk.shape));
  if (name == "iterindex")
    return Outcome(Value{static_cast<int64_t>(walk.place) * walk.elements / static_cast<int64_t>(walk.items.size())});
  if (name == "multi_index")
    return walk.tracks_index ? Outcome(tuple_of(walk.index()))
                             : python_error("ValueError", "Iterator is not tracking a multi-index",
                                            Msg::np_nditer_untracked, {"multi_index"});
  if (name == "index")
    return walk.tracks_number
               ? Outcome(Value{number_of(walk)})
               : python_error("ValueError", "Iterator does not have an index", Msg::np_nditer_untracked, {"c_index"});
  // What it is.
  const auto count = [](size_t number) { return Value{static_cast<int64_t>(number)}; };
  Value told;
  if (name == "itersize")
    told = Value{walk.elements};
  else if (name == "ndim")
    told = count(static_cast<size_t>(walk.shape.size()));
  else if (name == "nop")
    told = count(walk.operands.size());
  else if (name == "operands")
    told = list_of(walk.operands, Sequence::Kind::tuple);
  else if (name == "has_index")
    told = Value{walk.tracks_number != 0};
  else if (name == "has_multi_index")
    told = Value{walk.tracks_index};
  else if (name == "has_delayed_bufalloc" || name == "iterationneedsapi")
    told = Value{false};
  else if (name == "iterrange")
    told = tuple_of(Dims{0, walk.elements});
  else if (name == "dtypes") {
    std::vector<Value> dtypes;
    for (const Value& one : walk.operands) dtypes.push_back(dtype_object(tensor_of(one)->dtype));
    told = list_of(std::move(dtypes), Sequence::Kind::tuple);
  } else {
    return std::nullopt;
  }
  return walk.closed ? closed() : Outcome(told);
}

Outcome call_nditer(const Symbol& method) {
  Walk& walk = *walk_of(*method.self);
  if (method.path == "nditer.close") {
    walk.close();
    return Value{};
  }
  if (method.path == "nditer.iternext") {
    walk.begun = true;
    return Value{walk.advance()};
  }
  if (walk.closed) return closed();
  if (method.path == "nditer.copy") return walk_again(walk);
  walk.place = 0;
  walk.begun = walk.over = false;
  return Value{};
}

Outcome nditer_operand(const Value& owner, const Value& key) {
  const Walk& walk = *walk_of(owner);
  if (walk.finished()) return past_its_end();
  const Value& now = walk.items[walk.place];
  const Value all = walk.operands.size() > 1 ? now : list_of({now}, Sequence::Kind::tuple);
  const auto index = as_index(key);
  if (std::holds_alternative<SliceValue>(key.held)) {
    const auto& step = std::get<SliceValue>(key.held).step;
    return step && as_index(*step) != 1 ? Outcome(limit(Msg::not_modelled, {"NumPy", "np.nditer(..)[::step]"}))
                                        : python_subscript(all, key);
  }
  const auto count = static_cast<int64_t>(walk.operands.size());
  if (!index)
    return python_error("TypeError", "invalid index type for iterator indexing", Msg::slice_needs_integers,
                        {type_name(key)});
  if (*index < -count || *index >= count)
    return python_error("IndexError", {"Iterator operand index ", *index, " is out of bounds"},
                        Msg::sequence_index_out_of_range, {*index, count});
  return python_subscript(all, key);
}

}  // namespace stridescope
