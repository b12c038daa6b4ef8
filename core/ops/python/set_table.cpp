// CPython's table of a set.
#include <algorithm>

#include "ops/python/set.h"

namespace stridescope {

/// Where the item is; else the first unused slot on its way or, if it `takes` one, the last dummy before that.
size_t SetItems::slot(std::string_view mark, uint64_t hash, bool takes) const {
  constexpr size_t neighbours = 9, shift = 5;
  const size_t mask = table_.size() - 1;
  size_t i = hash & mask;
  std::optional<size_t> free;
  for (uint64_t perturb = hash;; i = (i * 5 + 1 + perturb) & mask) {
    const size_t last = i + neighbours <= mask ? i + neighbours : i;
    for (size_t at = i; at <= last; ++at) {
      if (table_[at] == unused) return free.value_or(at);
      if (table_[at] == dummy && takes) free = at;
      if (table_[at] == dummy) continue;
      const auto place = static_cast<size_t>(table_[at]);
      if (hashes[place] == hash && marks[place] == mark) return at;
    }
    perturb >>= shift;
  }
}

std::vector<size_t> SetItems::order() const {
  std::vector<size_t> places;
  for (const int32_t place : table_)
    if (place >= 0) places.push_back(static_cast<size_t>(place));
  return places;
}

size_t SetItems::place(std::string_view mark, uint64_t hash) const {
  const int32_t found = table_[slot(mark, hash)];
  return found >= 0 ? static_cast<size_t>(found) : size();
}

void SetItems::put(std::string_view mark, const Value& item, uint64_t hash) {
  const size_t at = slot(mark, hash, true);
  if (table_[at] >= 0) return;
  const bool grows = table_[at] == unused;
  table_[at] = static_cast<int32_t>(items.size());
  marks.emplace_back(mark);
  items.push_back(item);
  hashes.push_back(hash);
  if (!grows) return;
  ++fill_;
  if (fill_ * 5 >= (table_.size() - 1) * 3) resize(4 * size());
}

void SetItems::add(const KeyMark& mark, const Value& item) {
  put(mark.text, item, mark.hash);
  drawn_ |= mark.drawn;
}

void SetItems::add(const SetItems& other, size_t i) {
  drawn_ |= other.drawn_;
  put(other.marks[i], other.items[i], other.hashes[i]);
}

void SetItems::remove(size_t place) {
  const size_t last = size() - 1;
  const size_t at = slot(marks[place], hashes[place]), moved = slot(marks[last], hashes[last]);
  table_[moved] = static_cast<int32_t>(place);
  table_[at] = dummy;
  std::swap(marks[place], marks[last]);
  std::swap(items[place], items[last]);
  std::swap(hashes[place], hashes[last]);
  marks.pop_back();
  items.pop_back();
  hashes.pop_back();
}

void SetItems::clear() {
  const size_t finger = finger_;
  *this = {};
  finger_ = finger;
}

size_t SetItems::next_to_pop() {
  size_t at = finger_ & (table_.size() - 1);
  while (table_[at] < 0) at = (at + 1) % table_.size();
  finger_ = at + 1;
  return static_cast<size_t>(table_[at]);
}

/// A table of more slots than that, without dummies.
void SetItems::resize(size_t more_than) {
  size_t slots = smallest;
  while (slots <= more_than) slots *= 2;
  if (slots == smallest && table_.size() == smallest && fill_ == size()) return;
  const std::vector<size_t> places = order();
  table_.assign(slots, unused);
  for (const size_t place : places) table_[slot(marks[place], hashes[place])] = static_cast<int32_t>(place);
  fill_ = size();
}

void SetItems::make_room(size_t keys) {
  if ((fill_ + keys) * 5 >= (table_.size() - 1) * 3) resize(2 * (size() + keys));
}

void SetItems::merge(const SetItems& other) {
  if (&other == this || other.size() == 0) return;
  drawn_ |= other.drawn_;
  make_room(other.size());
  const bool alike = fill_ == 0 && table_.size() == other.table_.size() && other.fill_ == other.size();
  if (alike) {
    const size_t finger = finger_;
    *this = other;
    finger_ = finger;
    return;
  }
  if (fill_ > 0) {
    for (const size_t i : other.order()) put(other.marks[i], other.items[i], other.hashes[i]);
    return;
  }
  // What comes into an empty table makes it no larger.
  for (const size_t i : other.order()) {
    table_[slot(other.marks[i], other.hashes[i])] = static_cast<int32_t>(items.size());
    marks.push_back(other.marks[i]);
    items.push_back(other.items[i]);
    hashes.push_back(other.hashes[i]);
  }
  fill_ = size();
}

void SetItems::tidy() {
  if (fill_ - size() > (table_.size() - 1) / 4) resize(4 * size());
}

void SetItems::become(const SetItems& other) {
  const size_t finger = finger_;
  *this = other;
  finger_ = finger;
}

}  // namespace stridescope
