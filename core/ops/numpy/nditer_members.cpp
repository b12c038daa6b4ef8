// What an nditer tells of itself, and its methods.
#include <algorithm>
#include <iterator>

#include "ops/numpy/nditer.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

Outcome past_its_end() { return python_error("ValueError", "Iterator is past the end", Msg::iterator_ended); }
Outcome closed() { return python_error("ValueError", "Iterator is invalid", Msg::np_nditer_closed); }
Outcome untracked(const char* text, const char* flag) {
  return python_error("ValueError", text, Msg::np_nditer_untracked, {flag});
}

/// The number of the element at that index, counted in C or in Fortran order.
int64_t number_of(const Walk& walk) {
  const Dims index = walk.index();
  Dims sizes = index;
  for (int k = 0; k < walk.sizes.size(); ++k) sizes[static_cast<int>(walk.axes[k])] = walk.sizes[k];
  return offset(walk.tracks_number == 'c' ? contiguous(sizes) : fortran(sizes), index);
}

Value dtypes_of(const Walk& walk) {
  std::vector<Value> dtypes;
  for (const Value& one : walk.operands) dtypes.push_back(dtype_object(tensor_of(one)->dtype));
  return list_of(std::move(dtypes), Sequence::Kind::tuple);
}

/// What an attribute asks for: whether there is more, where the iterator stands, or what it is.
enum class Asks : uint8_t { end, place, walk };
struct Attribute {
  std::string_view name;
  Asks asks;
  Outcome (*read)(const Walk& walk);
};
constexpr Attribute attributes[] = {
    {"finished", Asks::end, [](const Walk& walk) -> Outcome { return Value{walk.finished() && !walk.closed}; }},
    {"value", Asks::place, [](const Walk& walk) -> Outcome { return walk.items[walk.place]; }},
    {"shape", Asks::place, [](const Walk& walk) -> Outcome { return tuple_of(walk.shape); }},
    {"iterindex", Asks::place,
     [](const Walk& walk) -> Outcome {
       const auto places = static_cast<int64_t>(walk.items.size());
       return Value{static_cast<int64_t>(walk.place) * (walk.elements / places)};
     }},
    {"multi_index", Asks::place,
     [](const Walk& walk) -> Outcome {
       if (walk.tracks_index) return tuple_of(walk.index());
       return untracked("Iterator is not tracking a multi-index", "multi_index");
     }},
    {"index", Asks::place,
     [](const Walk& walk) -> Outcome {
       if (walk.tracks_number) return Value{number_of(walk)};
       return untracked("Iterator does not have an index", "c_index");
     }},
    {"itersize", Asks::walk, [](const Walk& walk) -> Outcome { return Value{walk.elements}; }},
    {"iterrange", Asks::walk,
     [](const Walk& walk) -> Outcome {
       return tuple_of(Dims{0, walk.elements});
     }},
    {"ndim", Asks::walk, [](const Walk& walk) -> Outcome { return Value{int64_t{walk.shape.size()}}; }},
    {"nop", Asks::walk, [](const Walk& walk) -> Outcome { return Value{static_cast<int64_t>(walk.operands.size())}; }},
    {"operands", Asks::walk, [](const Walk& walk) -> Outcome { return list_of(walk.operands, Sequence::Kind::tuple); }},
    {"dtypes", Asks::walk, [](const Walk& walk) -> Outcome { return dtypes_of(walk); }},
    {"has_index", Asks::walk, [](const Walk& walk) -> Outcome { return Value{walk.tracks_number != 0}; }},
    {"has_multi_index", Asks::walk, [](const Walk& walk) -> Outcome { return Value{walk.tracks_index}; }},
    {"has_delayed_bufalloc", Asks::walk, [](const Walk&) -> Outcome { return Value{false}; }},
    {"iterationneedsapi", Asks::walk, [](const Walk&) -> Outcome { return Value{false}; }},
};
constexpr std::string_view methods[] = {"close", "copy", "iternext", "reset"};

}  // namespace

std::vector<std::string_view> nditer_members(bool called) {
  if (called) return {std::begin(methods), std::end(methods)};
  std::vector<std::string_view> names;
  for (const Attribute& one : attributes) names.push_back(one.name);
  return names;
}

std::optional<Outcome> nditer_attribute(const Value& owner, std::string_view name) {
  if (std::find(std::begin(methods), std::end(methods), name) != std::end(methods))
    return Outcome(Value{Symbol{"nditer." + std::string(name), std::make_shared<const Value>(owner)}});
  const Walk& walk = *walk_of(owner);
  for (const Attribute& one : attributes) {
    if (one.name != name) continue;
    if (one.asks == Asks::place && walk.finished()) return past_its_end();
    return one.asks == Asks::walk && walk.closed ? closed() : one.read(walk);
  }
  return std::nullopt;
}

Outcome call_nditer(const Symbol& method) {
  Walk& walk = *walk_of(*method.self);
  if (method.path == "nditer.close") {
    walk.close();
    return Value{};
  }
  if (method.path == "nditer.iternext") return Value{walk.advance()};
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
