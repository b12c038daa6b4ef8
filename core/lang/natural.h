// Whole numbers of any length: what exact conversion between doubles and decimals needs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace stridescope {

/// A whole number from 0 up: 32 bits a limb, the lowest first, no leading zero limb.
class Natural {
 public:
  explicit Natural(uint64_t value) {
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<uint32_t>(value));
  }
  void multiply(uint32_t factor) { multiply_add(factor, 0); }
  /// *this = *this * factor + addend.  @pre factor > 0
  void multiply_add(uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t& limb : limbs_) {
      carry += uint64_t{limb} * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<uint32_t>(carry));
  }
  void multiply_by_power_of_ten(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply(1'000'000'000);
    for (; exponent > 0; --exponent) multiply(10);
  }
  void shift_left(int bits) {
    limbs_.insert(limbs_.begin(), static_cast<size_t>(bits / 32), 0);
    multiply(uint32_t{1} << (bits % 32));
  }
  /// @pre  other <= *this
  void subtract(const Natural& other) {
    int64_t borrow = 0;
    for (size_t i = 0; i < limbs_.size(); ++i) {
      int64_t difference = int64_t{limbs_[i]} - borrow - (i < other.limbs_.size() ? int64_t{other.limbs_[i]} : 0);
      borrow = difference < 0 ? 1 : 0;
      limbs_[i] = static_cast<uint32_t>(difference + (borrow << 32));
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  Natural plus(const Natural& other) const {
    Natural sum = *this;
    sum.limbs_.resize(std::max(limbs_.size(), other.limbs_.size()) + 1);
    uint64_t carry = 0;
    for (size_t i = 0; i < sum.limbs_.size(); ++i) {
      carry += uint64_t{sum.limbs_[i]} + (i < other.limbs_.size() ? other.limbs_[i] : 0);
      sum.limbs_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    while (!sum.limbs_.empty() && sum.limbs_.back() == 0) sum.limbs_.pop_back();
    return sum;
  }
  /// -1, 0 or 1.
  static int compare(const Natural& a, const Natural& b) {
    if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() < b.limbs_.size() ? -1 : 1;
    for (size_t i = a.limbs_.size(); i-- > 0;)
      if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] < b.limbs_[i] ? -1 : 1;
    return 0;
  }

 private:
  std::vector<uint32_t> limbs_;
};

}  // namespace stridescope
