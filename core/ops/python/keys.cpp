#include "ops/python/keys.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ops/call.h"
#include "ops/members.h"
#include "ops/number.h"
#include "ops/python/classes.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

/// The longest mark, so that many keys stay few bytes.
constexpr size_t max_mark = 4 * max_items;

/// Hashes of numbers are remainders by this.  Source: Python/pyhash.c
constexpr uint64_t modulus = (uint64_t{1} << 61) - 1;

uint64_t hash_of_integer(int64_t number) {
  const uint64_t size = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  const uint64_t rest = size % modulus, hash = number < 0 ? 0 - rest : rest;
  return hash + 1 == 0 ? hash - 1 : hash;
}

/// @pre it is no NaN
uint64_t hash_of_real(double number) {
  if (std::isinf(number)) return number > 0 ? 314159 : 0 - uint64_t{314159};
  int exponent = 0;
  double fraction = std::frexp(std::abs(number), &exponent);
  uint64_t hash = 0;
  while (fraction != 0) {  // 28 bits at a time
    hash = ((hash << 28) & modulus) | hash >> (61 - 28);
    fraction *= 1 << 28;
    exponent -= 28;
    const auto whole = static_cast<uint64_t>(fraction);
    fraction -= static_cast<double>(whole);
    hash += whole;
    if (hash >= modulus) hash -= modulus;
  }
  const int turn = exponent >= 0 ? exponent % 61 : 61 - 1 - (-1 - exponent) % 61;
  hash = ((hash << turn) & modulus) | hash >> (61 - turn);
  if (number < 0) hash = 0 - hash;
  return hash + 1 == 0 ? hash - 1 : hash;
}

/// Of a tuple, from the hashes of its items.  Source: Objects/tupleobject.c
class TupleHash {
 public:
  void add(uint64_t hash) {
    sum_ = std::rotl(sum_ + hash * 14029467366897019727U, 31) * 11400714785074694791U;
    ++count_;
  }
  uint64_t hash() const {
    const uint64_t hash = sum_ + (count_ ^ start ^ 3527539U);
    return hash + 1 == 0 ? 1546275796U : hash;
  }

 private:
  static constexpr uint64_t start = 2870177450012600261U;
  uint64_t sum_ = start, count_ = 0;
};

/// Of a frozenset, whatever the order.  Source: Objects/setobject.c
uint64_t hash_of_set(const std::vector<uint64_t>& hashes) {
  uint64_t hash = 0;
  for (const uint64_t one : hashes) hash ^= ((one ^ 89869747U) ^ (one << 16)) * 3644798167U;
  hash ^= (hashes.size() + 1) * 1927868237U;
  hash ^= (hash >> 11) ^ (hash >> 25);
  hash = hash * 69069U + 907133923U;
  return hash + 1 == 0 ? 590923713U : hash;
}

constexpr uint64_t hash_of_none = 0xFCA86420U;

KeyMark known(std::string text, uint64_t hash) { return {std::move(text), hash}; }

/// A hash of ours stands for one that is drawn.
KeyMark drawn(std::string text, bool identified = false) {
  uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return {std::move(text), hash, true, identified};
}

KeyMark mark_of_integer(int64_t number) { return known("i" + std::to_string(number), hash_of_integer(number)); }

KeyMark mark_of_real(double number) {
  constexpr double beyond = 9223372036854775808.0;
  const bool whole = number == std::trunc(number) && number >= -beyond && number < beyond;
  return known(whole ? "i" + std::to_string(static_cast<int64_t>(number)) : "f" + repr(number), hash_of_real(number));
}

std::string address(const void* object) { return std::to_string(reinterpret_cast<uintptr_t>(object)); }

/// A class or a dtype by the one name that all its names lead to; nothing of other symbols.
std::optional<KeyMark> mark_of_symbol(const Value& key) {
  const Symbol& symbol = std::get<Symbol>(key.held);
  if (symbol.self) return std::nullopt;
  if (const std::string device(device_name(key)); !device.empty()) {
    constexpr uint64_t no_index = 255;
    const size_t colon = device.find(':');
    const uint64_t index = colon == device.npos ? no_index : std::stoull(device.substr(colon + 1));
    const bool cpu = device.starts_with("cpu");
    return cpu || device.starts_with("cuda") ? known("v" + device, (cpu ? 0U : 65536U) + index) : drawn("v" + device);
  }
  const auto dtype = as_dtype(key);
  if (is_dtype_object(key)) return drawn("z" + std::string(name(*dtype)));
  if (symbol.path.starts_with("torch.") && dtype) return drawn("y" + symbol.path);
  if (symbol.path.starts_with("numpy.") && dtype) return drawn("cnumpy." + std::string(name(*dtype)));
  if (to_string(key).starts_with("<class")) return drawn("c" + std::string(class_path(symbol.path)));
  return std::nullopt;
}

std::optional<KeyMark> mark_of(const Value& key);

std::optional<KeyMark> mark_of_sequence(const Sequence& sequence) {
  const std::vector<Value>& items = *sequence.items;
  if (sequence.kind == Sequence::Kind::bytes)
    return items.empty() ? known("b", 0) : drawn("b" + to_string(Value{sequence}, max_mark + 1));
  TupleHash hash;
  if (sequence.kind == Sequence::Kind::range) {
    std::string text = "r" + std::to_string(items.size());
    hash.add(items.size());
    for (size_t i = 0; i < 2; ++i) {  // its start, and its step where it has one
      if (items.size() > i) text += "," + to_string(items[i]);
      const int64_t number = items.size() <= i ? 0
                             : i == 0          ? std::get<int64_t>(items[0].held)
                                               : std::get<int64_t>(items[1].held) - std::get<int64_t>(items[0].held);
      hash.add(items.size() > i ? hash_of_integer(number) : hash_of_none);
    }
    return known(std::move(text), hash.hash());
  }
  if (!is_tuple(sequence.kind)) return std::nullopt;
  KeyMark whole{"("};
  for (const Value& item : items) {
    const auto mark = mark_of(item);
    if (!mark || whole.text.size() > max_mark) return std::nullopt;
    whole.text += mark->text + ",";
    whole.drawn |= mark->drawn;
    whole.identified |= mark->identified;
    hash.add(mark->hash);
  }
  whole.text += ")";
  whole.hash = hash.hash();
  return whole;
}

/// @pre it is a frozenset
KeyMark mark_of_set(const SetItems& items) {
  KeyMark whole{"{", hash_of_set(items.hashes)};
  std::vector<std::string> marks = items.marks;
  std::sort(marks.begin(), marks.end());
  for (const std::string& mark : marks) whole.text += mark + ",";
  for (const Value& item : items.items) {
    const auto mark = mark_of(item);
    whole.drawn |= mark->drawn;
    whole.identified |= mark->identified;
  }
  whole.text += "}";
  return whole;
}

/// Nothing where the value cannot be a key here.
std::optional<KeyMark> mark_of(const Value& key) {
  if (const auto* scalar = std::get_if<NumpyScalar>(&key.held))
    return scalar->dtype() == DType::uint64 ? std::nullopt : mark_of(python_value(scalar->value()));
  if (is_none(key)) return known("N", hash_of_none);
  if (std::holds_alternative<Ellipsis>(key.held)) return drawn("E");
  if (const auto* truth = std::get_if<bool>(&key.held)) return mark_of_integer(*truth ? 1 : 0);
  if (const auto* integer = std::get_if<int64_t>(&key.held)) return mark_of_integer(*integer);
  if (const auto* number = std::get_if<Float>(&key.held))
    return std::isnan(double{*number}) ? std::nullopt : std::optional(mark_of_real(*number));
  if (const auto* number = std::get_if<ComplexFloat>(&key.held)) {
    if (std::isnan(number->real()) || std::isnan(number->imag())) return std::nullopt;
    if (number->imag() == 0) return mark_of_real(number->real());
    const uint64_t hash = hash_of_real(number->real()) + 1000003 * hash_of_real(number->imag());
    return known("j" + repr(number->real() + 0.0) + "," + repr(number->imag()), hash + 1 == 0 ? hash - 1 : hash);
  }
  if (const auto* text = std::get_if<std::string>(&key.held))
    return text->empty() ? known("s", 0) : drawn("s" + std::to_string(text->size()) + ":" + *text);
  if (std::holds_alternative<Symbol>(key.held)) return mark_of_symbol(key);
  if (const auto* tensor = std::get_if<TensorRef>(&key.held)) return drawn("t" + std::to_string((*tensor)->id), true);
  if (const auto* type = std::get_if<ClassPtr>(&key.held)) return drawn("C" + address(type->get()));
  if (const auto* function = std::get_if<FunctionPtr>(&key.held); function && !(*function)->self)
    return drawn("F" + address(function->get()));
  if (const auto fields = frozen_fields(key)) {
    auto mark = mark_of(as_tuple(*fields));
    if (mark) mark->text = "f" + address(std::get<Object>(key.held).type.get()) + mark->text;
    return mark;
  }
  if (const auto* object = std::get_if<Object>(&key.held))
    return object->from || has_special(key, "__hash__") || is_frozen(key)
               ? std::nullopt
               : std::optional(drawn("o" + address(object_of(key)), true));
  if (const Set* set = set_in(key)) return mark_of_set(*set->items);
  const auto* sequence = std::get_if<Sequence>(&key.held);
  return sequence ? mark_of_sequence(*sequence) : std::nullopt;
}

/// The first thing that Python cannot hash.
const Value* unhashable(const Value& key) {
  const auto* sequence = std::get_if<Sequence>(&key.held);
  const Set* const set = set_in(key);
  const TensorPtr tensor = tensor_of(key);
  if (std::holds_alternative<Dictionary>(key.held) || (set && !set->fixed) ||
      (tensor && tensor->library == Library::numpy) || (compares_itself(key) && !is_frozen(key)))
    return &key;
  if (is_frozen(key)) {
    const Object& object = std::get<Object>(key.held);
    for (const FunctionParameter& one : fields_of(*object.type)->parameters)
      if (const Value* field = field_of(object, one.name))
        if (const Value* found = unhashable(*field)) return found;
    return nullptr;
  }
  if (!sequence) return nullptr;
  if (sequence->kind == Sequence::Kind::list) return &key;
  if (!is_tuple(sequence->kind)) return nullptr;
  for (const Value& item : *sequence->items)
    if (const Value* found = unhashable(item)) return found;
  return nullptr;
}

}  // namespace

KeyMark key_mark(const Value& key) {
  KeyMark failed;
  if (const Value* found = unhashable(key)) {
    failed.problem = python_error("TypeError", {"unhashable type: '", attribute_type(*found), "'"}, Msg::key_unhashable,
                                  {type_name(*found)});
    return failed;
  }
  auto mark = mark_of(key);
  if (mark && mark->text.size() <= max_mark) return *std::move(mark);
  failed.problem = limit(Msg::key_unread, {to_string(key, 40)});
  return failed;
}

Outcome python_hash(const Value& value) {
  KeyMark mark = key_mark(value);
  if (mark.problem && mark.problem->raised) return *std::move(mark.problem);
  if (const auto* tensor = std::get_if<TensorRef>(&value.held)) return find_builtin("id")->function({Value{*tensor}});
  if (mark.problem || mark.drawn) return limit(Msg::not_modelled, {"Python", "hash(" + type_name(value) + ")"});
  return Value{static_cast<int64_t>(mark.hash)};
}

}  // namespace stridescope
