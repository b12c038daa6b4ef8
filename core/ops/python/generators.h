// Iterators whose items are not all there from the start: what asks such a one for the next.
#pragma once
#include <algorithm>
#include <functional>

#include "lang/ast.h"
#include "ops/value.h"

namespace stridescope {

/// What an iterator answers that is asked for its next item. At a failure the interpreter knows why.
enum class Next : uint8_t { item, none, failure };
/// Where its items come from. It is told which part of the program asks.
struct ItemSource {
  std::function<Next(Span asks, Value& item)> next;
  int depth = 1;      ///< of iterators that ask each other for one item; at most max_sources_deep
  bool over = false;  ///< it has none left, or has failed
};
inline constexpr int max_sources_deep = 40;

/// That of an iterator that may have more items than it holds; null of other values.
inline ItemSource* source_of(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && sequence->source && !sequence->source->over ? sequence->source.get() : nullptr;
}

/// An iterator that asks `next` for each of its items, which asks those of `behind`.
inline Value iterator_over(Sequence::Kind kind, std::function<Next(Span, Value&)> next, std::string shown,
                           const std::vector<Value>& behind = {}) {
  int depth = 1;
  for (const Value& one : behind)
    if (const ItemSource* source = source_of(one)) depth = std::max(depth, source->depth + 1);
  return {Sequence{kind, std::make_shared<std::vector<Value>>(), std::make_shared<const std::string>(std::move(shown)),
                   std::make_shared<ItemSource>(ItemSource{std::move(next), depth})}};
}

}  // namespace stridescope
