// Sets and frozensets: each item once, in the order that CPython's table of them gives.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/python/keys.h"

namespace stridescope {

/// The items of a set, with their marks and hashes, and CPython's table of them: its rules to grow and to probe decide
/// in which order they are gone through.  Source: Objects/setobject.c of CPython 3.13
class SetItems {
 public:
  std::vector<std::string> marks;
  std::vector<Value> items;  ///< in no order that Python knows
  std::vector<uint64_t> hashes;

  size_t size() const { return items.size(); }
  /// Whether the order follows from the hashes of its items: not where some of them are drawn.
  bool has_order() const { return !drawn_ || size() < 2; }
  /// The places of its items in that order.
  std::vector<size_t> order() const;
  /// The place of an item; size() where it is not there.
  size_t place(std::string_view mark, uint64_t hash) const;
  bool has(const KeyMark& mark) const { return place(mark.text, mark.hash) < size(); }
  bool holds(const SetItems& other, size_t i) const { return place(other.marks[i], other.hashes[i]) < size(); }

  void add(const KeyMark& mark, const Value& item);
  void add(const SetItems& other, size_t i);
  void remove(size_t place);
  void clear();
  /// The place of what pop() takes.  @pre it is not empty
  size_t next_to_pop();
  /// update(other)
  void merge(const SetItems& other);
  /// Before so many keys of a dictionary are added.
  void make_room(size_t keys);
  /// After items were taken away because another has them.
  void tidy();
  /// Takes the items and the table of another, as intersection_update() does.
  void become(const SetItems& other);

 private:
  static constexpr size_t smallest = 8;
  static constexpr int32_t unused = -1, dummy = -2;

  size_t slot(std::string_view mark, uint64_t hash, bool takes = false) const;
  void put(std::string_view mark, const Value& item, uint64_t hash);
  void resize(size_t more_than);

  std::vector<int32_t> table_ = std::vector<int32_t>(smallest, unused);  ///< places in `items`
  size_t fill_ = 0;                                                      ///< used ones and dummies
  size_t finger_ = 0;                                                    ///< where pop() begins
  bool drawn_ = false;  ///< hashes that are drawn have decided on places in the table
};

Value set_of(bool fixed = false);
/// Null of other values.
const Set* set_in(const Value& value);
/// The items in the order in which Python goes through them.
std::vector<Value> items_in_order(const SetItems& items);
/// Whether it is a set whose order is not known, and the limit where somebody asks for it.
bool is_unordered(const Value& value);
Diagnostic order_unknown();
/// What is raised where a set or a dictionary that is gone through has not so many items any more.
std::optional<Diagnostic> resized(const Value& value, size_t items);
/// Whether what sorts them, or chooses the least, gives the same in whatever order they come: strings, and tuples that
/// are alike.
bool sorts_alike(const SetItems& items);

/// What is said where it would hold so many; nothing where it can.
std::optional<Diagnostic> too_many_in_set(size_t size);
/// The mark of what is looked for: a set is looked for as a frozenset.
KeyMark mark_of_wanted(const Value& item);
std::optional<Diagnostic> add_item(const Set& set, const Value& item);
/// set.update(other)  @pre other is no tensor
std::optional<Diagnostic> add_items(const Set& set, const Value& other);
/// a == b, and a <= b or a < b.
bool same_items(const SetItems& a, const SetItems& b);
bool is_within(const SetItems& a, const SetItems& b, bool proper);
/// Whether it has the item, a set among sets too; or why it cannot be asked.
Outcome has_item(const Set& set, const Value& item);
bool is_set_operator(std::string_view op);
/// Whether it is a set, or what keys() or items() of a dictionary gives.
bool is_set_like(const Value& value);
/// a op b for | & - ^; nothing where that is no matter of sets.
std::optional<Outcome> set_binary(std::string_view op, const Value& a, const Value& b);
/// a op b for == != < <= > >=; nothing where it is not known.  @pre both are like a set
std::optional<bool> compare_sets(std::string_view op, const Value& a, const Value& b);
/// a op= b, changed in place.  @pre a is a set that is not fixed, and b one of any kind
std::optional<Diagnostic> change_set(std::string_view op, const Set& set, const Value& other);

bool is_set_method(const Set& set, std::string_view name);
std::vector<std::string_view> set_methods(const Set& set);
/// set.name(..); what it goes through in an argument has become a list.
Outcome call_set(std::string_view name, const Value& self, const std::vector<Value>& arguments);
/// The one method that what keys() or items() gives shares with sets: isdisjoint, of the items that are in it.
Outcome isdisjoint_of(const Value& view);

}  // namespace stridescope
