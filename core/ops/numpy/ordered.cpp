// Strings and structures as numbers in the same order, and back.
#include "ops/numpy/ordered.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "layout/access_path.h"
#include "layout/checked.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"

namespace stridescope {
namespace {

/// So many bytes may the elements have that are put in order.
constexpr int64_t most_ordered_bytes = int64_t{1} << 16;
/// What stands for elements: no row that is handed such makes others.
constexpr DType rank_dtype = DType::uint64;
constexpr int64_t rank_bytes = 8;

/// So many elements NumPy sorts by putting one after the other in its place.
constexpr int64_t longest_in_order = 16;

using Bytes = std::string;

Scalar scalar_in(const Bytes& bytes, int64_t at, DType dtype) {
  ElementBytes own{};
  for (size_t i = 0; i < static_cast<size_t>(itemsize(dtype)); ++i)
    own[i] = static_cast<uint8_t>(bytes[static_cast<size_t>(at) + i]);
  return from_bytes(own, dtype);
}

Scalar scalar_in(const Bytes& bytes, int64_t at, const Structure& swapped) {
  return from_bytes(turned_bytes(to_bytes(scalar_in(bytes, at, swapped.number)), swapped.number), swapped.number);
}

/// -1, 0 or 1: which of two elements of `structure`, from those bytes on, comes first. Strings character by character;
/// of fields the first that differs decides, one that is an array by its bytes as they lie (VOID_compare).
int compared(const Structure& structure, const std::vector<size_t>& fields, const Bytes& a, const Bytes& b,
             int64_t at) {
  if (structure.is_raw()) {
    const auto begin = static_cast<size_t>(at), size = static_cast<size_t>(structure.itemsize);
    return std::clamp(a.compare(begin, size, b, begin, size), -1, 1);
  }
  if (structure.is_string()) {
    const DType one = structure.characters == 'U' ? DType::uint32 : DType::uint8;
    for (int64_t i = 0; i < structure.length(); ++i) {
      const int64_t byte = at + i * structure.character_bytes();
      const int64_t left = scalar_in(a, byte, one).integer, right = scalar_in(b, byte, one).integer;
      if (left != right) return left < right ? -1 : 1;
    }
    return 0;
  }
  if (structure.is_swapped()) {
    const Scalar left = scalar_in(a, at, structure), right = scalar_in(b, at, structure);
    return comes_before(left, right) ? -1 : comes_before(right, left) ? 1 : 0;
  }
  for (const size_t number : fields) {
    const StructureField& field = structure.fields[number];
    const int64_t byte = at + field.offset;
    int order = 0;
    if (!field.sizes.empty()) {
      const auto begin = static_cast<size_t>(byte), size = static_cast<size_t>(field.nbytes());
      order = a.compare(begin, size, b, begin, size);
    } else if (field.structure) {
      std::vector<size_t> all(field.structure->fields.size());
      std::iota(all.begin(), all.end(), size_t{0});
      order = compared(*field.structure, all, a, b, byte);
    } else {
      const Scalar left = scalar_in(a, byte, field.dtype), right = scalar_in(b, byte, field.dtype);
      order = comes_before(left, right) ? -1 : comes_before(right, left) ? 1 : 0;
    }
    if (order != 0) return order < 0 ? -1 : 1;
  }
  return 0;
}

/// Whether a number of it is NaN, which equals none, or -0.0, which equals 0.0.
bool is_doubtful(const Structure& structure, const Bytes& bytes, int64_t at) {
  const auto doubtful = [](const Scalar& number) {
    return is_nan(number) || (number.real == 0 && std::signbit(number.real)) ||
           (number.imaginary == 0 && std::signbit(number.imaginary));
  };
  if (structure.is_swapped()) return doubtful(scalar_in(bytes, at, structure));
  for (const StructureField& field : structure.fields)
    for (int64_t byte = at + field.offset; byte < at + field.offset + field.nbytes(); byte += field.unit())
      if (field.structure ? is_doubtful(*field.structure, bytes, byte) : doubtful(scalar_in(bytes, byte, field.dtype)))
        return true;
  return false;
}

/// Arrays whose elements are put in order together, with numbers in their place.
class Ordered {
 public:
  /// Of elements of `structure`; what is made of them is of `made`, which may have less room.
  Ordered(Call& call, const StructurePtr& structure, const StructurePtr& made)
      : call_(call), structure_(structure), made_(made) {
    fields_.resize(structure->fields.size());
    std::iota(fields_.begin(), fields_.end(), size_t{0});
  }

  /// order=: the fields that are compared first. The call fails where one is none.
  void order_by(const Value& order) {
    std::vector<std::string> names;
    if (const auto* name = std::get_if<std::string>(&order.held)) names = {*name};
    const auto* sequence = std::get_if<Sequence>(&order.held);
    for (const Value& item : sequence ? std::span<const Value>(*sequence->items) : std::span<const Value>())
      if (const auto* name = std::get_if<std::string>(&item.held)) names.push_back(*name);
    if (structure_->fields.empty())
      return void(call_.about("order").fail("ValueError", "Cannot specify order when the array has no fields.",
                                            Msg::np_order_without_fields, {to_string(*structure_)}));
    if (names.empty() || (sequence && names.size() != sequence->items->size()))
      return void(call_.about("order").refuse(Msg::not_modelled, {"NumPy", "order=" + to_string(order, 40)}));
    std::vector<size_t> first;
    for (const std::string& name : names) {
      const auto& fields = structure_->fields;
      const auto found =
          std::find_if(fields.begin(), fields.end(), [&](const StructureField& field) { return field.name == name; });
      const auto number = static_cast<size_t>(found - fields.begin());
      if (found == fields.end())
        return void(call_.about("order").fail("ValueError", {"unknown field name: ", name}, Msg::np_no_field,
                                              {name, names_text(*structure_)}));
      if (std::find(first.begin(), first.end(), number) != first.end())
        return void(call_.about("order").fail("ValueError", {"duplicate field name: ", name}, Msg::np_no_field,
                                              {name, names_text(*structure_)}));
      first.push_back(number);
    }
    for (const size_t number : fields_)
      if (std::find(first.begin(), first.end(), number) == first.end()) first.push_back(number);
    fields_ = first;
  }

  /// Reads an array that is to be put in order. Where that takes too long the order is not known, or the call is
  /// refused because more hangs on it.
  void add(const Tensor& array, bool needed) {
    const auto total = checked_mul(count_of(array), unit_of(array));
    const Elements elements = elements_of(array);
    known_ = known_ && is_known(*elements.contents);
    const bool many = !total || *total > most_ordered_bytes;
    if (many && needed) return void(call_.refuse(Msg::np_too_costly));
    if (known_ && !needed && (many || !is_quick(elements, *total))) call_.why(Msg::unreckoned), known_ = false;
    if (!known_ || !call_.quick(elements, *total)) return;
    for (int64_t i = 0; i < count_of(array); ++i) all_.push_back(read(array, i));
  }

  /// Once all are added. `equal`: whether the row asks which are equal.
  void put_in_order(bool equal) {
    std::sort(all_.begin(), all_.end());
    all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    const auto before = [&](const Bytes& a, const Bytes& b) { return compared(*structure_, fields_, a, b, 0) < 0; };
    std::stable_sort(all_.begin(), all_.end(), before);
    // What is neither before nor behind another without being the same: 0.0 and -0.0, or what is not compared.
    for (size_t i = 1; i < all_.size(); ++i)
      if (!before(all_[i - 1], all_[i])) return void(refuse_elements(call_, *structure_));
    // Nothing but an empty string is not true.
    const auto is_nothing = [](const Bytes& one) { return one.find_first_not_of('\0') == Bytes::npos; };
    first_rank_ = structure_->is_string() && !all_.empty() && !is_nothing(all_.front()) ? 1 : 0;
    if (equal &&
        std::any_of(all_.begin(), all_.end(), [&](const Bytes& one) { return is_doubtful(*structure_, one, 0); }))
      refuse_elements(call_, *structure_);
  }

  /// What decided.
  void explain() {
    if (!structure_->has_fields())
      return call_.why(structure_->is_raw() ? Msg::np_raw_ordered : Msg::np_strings_ordered);
    std::vector<std::string> names;
    for (const size_t number : fields_) names.push_back(structure_->fields[number].name);
    call_.why(Msg::np_structures_ordered, {names_text(structure_->only(names))});
  }

  /// The array with a number for each element, its axes in the same order in memory.
  Tensor ranks_of(const Tensor& array) const {
    Tensor ranks = array;
    const int64_t count = count_of(array);
    ranks.dtype = rank_dtype;
    ranks.structure = nullptr;
    ranks.layout = {array.layout.sizes, strides_like(array, NumpyOrder::keep, rank_bytes), 0};
    std::vector<Scalar> numbers(static_cast<size_t>(known_ ? count : 0));
    for (int64_t i = 0; known_ && i < count; ++i)
      numbers[static_cast<size_t>(offset_at(ranks.layout, i) / rank_bytes)] = {rank_dtype, rank(read(array, i))};
    ranks.storage = std::make_shared<Storage>(*array.storage);
    ranks.storage->structure = nullptr;
    ranks.storage->dtype = rank_dtype;
    ranks.storage->nbytes = count * rank_bytes;
    ranks.storage->contents = known_ ? literal_contents(numbers, rank_dtype) : unknown_contents(rank_dtype, count);
    return ranks;
  }

  /// Elements for the numbers in a result of the row's.
  Value restored(const Value& value) {
    if (const auto* sequence = std::get_if<Sequence>(&value.held)) {
      auto items = std::make_shared<std::vector<Value>>();
      for (const Value& item : *sequence->items) items->push_back(restored(item));
      Sequence other = *sequence;
      other.items = std::move(items);
      return {std::move(other)};
    }
    const TensorPtr array = tensor_of(value);
    if (!array || array->dtype != rank_dtype) return value;
    const bool view = array->is_view && array->base_tensor;
    const Value owner = elements_for(view ? *array->base_tensor : *array);
    return call_.failed() || !view ? owner : call_.view(*tensor_of(owner), scaled(array->layout));
  }

  /// An array of the elements whose numbers a tensor of such holds, laid out as it is.
  Value elements_for(const Tensor& ranks) {
    const Contents& contents = *ranks.storage->contents;
    const int64_t count = cells(contents), unit = made_->itemsize;
    const Tensor like = of_structure(made_);
    if (!is_known(contents))
      return call_.fresh(like, scaled(ranks.layout), unknown_contents(DType::uint8, count * unit));
    std::vector<Scalar> bytes;
    for (int64_t i = 0; i < count; ++i) {
      const Bytes& one = all_[static_cast<size_t>(read_at(contents, i * rank_bytes, rank_dtype).integer - first_rank_)];
      for (int64_t k = 0; k < unit; ++k)
        bytes.push_back({DType::uint8, static_cast<uint8_t>(one[static_cast<size_t>(k)])});
    }
    return call_.fresh(like, scaled(ranks.layout), literal_contents(bytes, DType::uint8));
  }

 private:
  Bytes read(const Tensor& array, int64_t i) const {
    const int64_t begin = offset_at(array.layout, i);
    Bytes bytes(static_cast<size_t>(structure_->itemsize), '\0');  // of shorter strings the rest is zeros
    for (int64_t k = 0; k < unit_of(array); ++k)
      bytes[static_cast<size_t>(k)] =
          static_cast<char>(read_at(*array.storage->contents, begin + k, DType::uint8).integer);
    return bytes;
  }

  int64_t rank(const Bytes& bytes) const {
    const auto before = [&](const Bytes& a, const Bytes& b) { return compared(*structure_, fields_, a, b, 0) < 0; };
    return std::lower_bound(all_.begin(), all_.end(), bytes, before) - all_.begin() + first_rank_;
  }

  Layout scaled(Layout layout) const {
    for (int64_t& stride : layout.strides) stride = stride / rank_bytes * made_->itemsize;
    layout.storage_offset = layout.storage_offset / rank_bytes * made_->itemsize;
    return layout;
  }

  Call& call_;
  StructurePtr structure_, made_;
  std::vector<size_t> fields_;
  std::vector<Bytes> all_;  ///< every element once, in order
  int64_t first_rank_ = 0;  ///< the number of the first of them
  bool known_ = true;
};

/// Whether a parameter is of elements, not of words that say how.
bool is_of_elements(std::string_view parameter) {
  constexpr std::string_view names[] = {"a", "x", "v", "ar", "ar1", "ar2", "a1", "a2", "element", "test_elements"};
  return std::find(std::begin(names), std::end(names), parameter) != std::end(names);
}

/// What a row asks of elements: their order, and which are equal; where the largest is, and whether they are true, is
/// asked of strings alone.
enum class Asked : uint8_t { order, equality, place, truth };

Asked asked_by(const Call& call) {
  const std::string_view name = call.name(), word = name.substr(name.rfind('.') + 1);
  constexpr std::string_view of_truth[] = {"nonzero", "argwhere", "flatnonzero", "count_nonzero", "any", "all"};
  if (word == "sort" || word == "argsort") return Asked::order;
  if (word == "argmax" || word == "argmin") return Asked::place;
  return std::find(std::begin(of_truth), std::end(of_truth), word) != std::end(of_truth) ? Asked::truth
                                                                                         : Asked::equality;
}

/// What each of the arrays is of: strings as long as the longest, or structures; null where they are not alike.
StructurePtr common_structure(const std::vector<TensorRef>& arrays) {
  StructurePtr common = arrays.front()->tensor->structure;
  for (const TensorRef& array : arrays) {
    const StructurePtr& own = array->tensor->structure;
    const bool alike = common->is_string() ? own->characters == common->characters : same_structure(*own, *common);
    if (!alike) return nullptr;
    if (own->itemsize > common->itemsize) common = own;
  }
  return common;
}

/// Whether every line that is sorted is so short that NumPy puts one after the other in its place: then equal ones keep
/// their order, which wide processors do not see to with numbers.
bool is_stable(const Call& call, const Tensor& array) {
  const Dims& sizes = array.layout.sizes;
  if (call.given("kind") || call.given("stable")) return false;
  if (!call.given("axis") && call.form().kind == Form::Kind::function) return count_of(array) <= longest_in_order;
  return std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size <= longest_in_order; });
}

/// Replaces elements by numbers, and what the row of numbers does not know by what it does.
void hand_over(Call& call, const std::vector<TensorRef>& ranks, bool stable) {
  size_t next = 0;
  call.each_argument([&](std::string_view parameter, Value& value) {
    if (is_of_elements(parameter)) value = Value{ranks[next++]};
    if (parameter == "order") value = Value{};
    if (parameter == "kind" && stable) value = Value{std::string("stable")};
  });
}

/// What the row says of numbers in place of elements is told of the elements.  @pre `before` is how many lines there
/// were before it said anything
void retell(Call& call, Asked asked, size_t before, const Value& made) {
  if (call.relation() == Relation::copy) {  // how much
    call.unsay(before + 1);
    explain_copy(call, *tensor_of(made));
    call.relation(Relation::copy);
  }
  if (asked == Asked::place || asked == Asked::truth) call.unsay(before + 1);  // what the numbers were
}

/// @pre each of `arrays` is what an argument of the row's elements is, in order
Value apply_ordered(Call& call, const std::vector<TensorRef>& arrays) {
  const Asked asked = asked_by(call);
  const StructurePtr structure = common_structure(arrays);
  const bool believed = call.given("assume_unique") && call.truth("assume_unique");
  const bool says_how = asked == Asked::equality && call.given("kind") && !is_none(call.value("kind"));
  const Tensor& array = *arrays.front()->tensor;
  if (!structure || believed || says_how ||
      (!structure->is_string() && (asked == Asked::place || asked == Asked::truth)))
    return refuse_elements(call, *array.structure);
  Ordered ordered(call, structure, call.name().ends_with("setdiff1d") ? array.structure : structure);
  if (call.given("order")) ordered.order_by(call.value("order"));
  for (const TensorRef& one : arrays)
    if (!call.failed()) ordered.add(*one->tensor, asked != Asked::order);
  if (!call.failed()) ordered.put_in_order(asked == Asked::equality);
  if (call.failed()) return {};
  std::vector<TensorRef> ranks;
  for (const TensorRef& one : arrays) ranks.push_back(nameless(ordered.ranks_of(*one->tensor)));
  const Tensor& numbers = *ranks.front()->tensor;
  const ContentsPtr unsorted = numbers.storage->contents;
  hand_over(call, ranks, asked == Asked::order && is_stable(call, array));
  const size_t before = call.said();
  Value made = call.form().op->apply(call);
  if (call.failed()) return {};
  const size_t said = call.said();
  const Relation relation = call.relation();
  if (Tensor copy = made_or(made, numbers); relation == Relation::copy && copy.layout.sizes == array.layout.sizes) {
    // Axes of one element, which no number's place depends on, have the strides that a copy of the elements has.
    copy.layout.strides = strides_like(array, NumpyOrder::keep, rank_bytes);
    made = Value{nameless(copy)};
  }
  made = ordered.restored(made);
  if (numbers.storage->contents != unsorted) {  // in place
    const Value sorted = ordered.elements_for(numbers);
    if (!call.failed()) numpy_assign(call, array, std::get<TensorRef>(sorted.held), Casting::unsafe);
  }
  if (call.failed()) return {};
  call.unsay(said);
  call.relation(relation);
  retell(call, asked, before, made);
  asked == Asked::truth ? call.why(Msg::np_strings_truth) : ordered.explain();
  return made;
}

}  // namespace

Value apply_numpy(Call& call) {
  if (reckons_native(call)) return apply_native(call);
  if (call.form().op->structured != Op::Structured::ordered) return call.form().op->apply(call);
  std::vector<const Value*> elements;
  call.each_argument([&](std::string_view parameter, const Value& value) {
    if (is_of_elements(parameter)) elements.push_back(&value);
  });
  const auto other =
      std::find_if(elements.begin(), elements.end(), [](const Value* one) { return is_no_number(*one); });
  if (other == elements.end()) return call.form().op->apply(call);
  std::vector<TensorRef> arrays;
  std::vector<Tensor> tensors;
  bool mixed = false;
  for (const Value* one : elements) {
    const TensorRef array = array_or_strings(call, *one);
    if (!array) return {};
    // Where numbers stand among strings is asked of both as strings.
    const bool becomes_strings = call.name().ends_with("searchsorted") && !is_structured_array(**other);
    if (!array->tensor->structure && !becomes_strings)
      return call.about(*one).refuse(Msg::np_not_numeric, {type_name(**other)});
    mixed = mixed || !array->tensor->structure;
    arrays.push_back(array);
    tensors.push_back(*array->tensor);
  }
  if (mixed) {
    tensors = as_one_string(call, tensors);
    std::transform(tensors.begin(), tensors.end(), arrays.begin(), nameless);
  }
  return call.failed() ? Value{} : apply_ordered(call, arrays);
}

}  // namespace stridescope
