// A short list of integers, one per dimension: sizes, strides, an index, a permutation.
#pragma once
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

namespace stridescope {

/// The most dimensions a layout can have (NumPy's own limit).
inline constexpr int max_rank = 64;

/// A value type usable in constant expressions; never allocates.
class Dims {
 public:
  constexpr Dims() {
    if (std::is_constant_evaluated()) values_.fill(0);
  }
  /// Copies the dimensions that there are: one kilobyte a layout is much to move for what is mostly twenty bytes.
  constexpr Dims(const Dims& other) noexcept : Dims() { *this = other; }
  constexpr Dims& operator=(const Dims& other) noexcept {
    count_ = other.count_;
    for (int d = 0; d < count_; ++d) values_[static_cast<size_t>(d)] = other.values_[static_cast<size_t>(d)];
    return *this;
  }
  constexpr Dims(std::initializer_list<int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
  /// @pre  values.size() <= max_rank
  constexpr explicit Dims(std::span<const int64_t> values) : Dims() {
    for (int64_t value : values) push_back(value);
  }
  /// `count` times `value`.  @pre 0 <= count <= max_rank
  static constexpr Dims filled(int count, int64_t value) {
    Dims dims;
    for (int i = 0; i < count; ++i) dims.push_back(value);
    return dims;
  }

  constexpr int size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }
  constexpr bool full() const { return count_ == max_rank; }
  /// @pre  0 <= d < size()
  constexpr int64_t& operator[](int d) { return assert(d >= 0 && d < count_), values_[static_cast<size_t>(d)]; }
  constexpr int64_t operator[](int d) const { return assert(d >= 0 && d < count_), values_[static_cast<size_t>(d)]; }
  constexpr int64_t back() const { return (*this)[count_ - 1]; }
  constexpr int64_t* begin() { return values_.data(); }
  constexpr int64_t* end() { return values_.data() + count_; }
  constexpr const int64_t* begin() const { return values_.data(); }
  constexpr const int64_t* end() const { return values_.data() + count_; }
  constexpr operator std::span<const int64_t>() const { return {begin(), static_cast<size_t>(count_)}; }

  /// @pre  !full()
  constexpr void push_back(int64_t value) { insert(count_, value); }
  constexpr void pop_back() { erase(count_ - 1); }
  /// Puts `value` before position `d`.  @pre 0 <= d <= size(), !full()
  constexpr void insert(int d, int64_t value) {
    assert(d >= 0 && d <= count_ && !full());
    for (int i = count_; i > d; --i) values_[static_cast<size_t>(i)] = values_[static_cast<size_t>(i - 1)];
    values_[static_cast<size_t>(d)] = value;
    ++count_;
  }
  /// @pre  0 <= d < size()
  constexpr void erase(int d) {
    assert(d >= 0 && d < count_);
    for (int i = d; i + 1 < count_; ++i) values_[static_cast<size_t>(i)] = values_[static_cast<size_t>(i + 1)];
    --count_;
  }

  friend constexpr bool operator==(const Dims& a, const Dims& b) {
    if (a.count_ != b.count_) return false;
    for (int i = 0; i < a.count_; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

 private:
  std::array<int64_t, max_rank> values_;  ///< those from count_ on are never read
  int count_ = 0;
};

/// "(2, 3)", "(2,)" for one dimension, "()" for none: how Python prints a tuple.
std::string to_string(const Dims& dims);
/// The same behind what there is; and a number.
void append(std::string& text, const Dims& dims);
void append(std::string& text, int64_t number);

}  // namespace stridescope
