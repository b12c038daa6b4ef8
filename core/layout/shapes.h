// Under which sizes the elements of a layout can be seen: all shapes of few dimensions, those nearest to a wish first.
//
// A shape is known by its cuts: how many elements its first dimension, its first two, .. let one pass over or choose
// among. "(2, 3, 4)" cuts 24 elements at 2 and 6; a size of 1 cuts at one place twice, or at 1 or 24. The layout's own
// cuts that are cracks must be among them, and nothing else: a shape views exactly where its cuts hold every crack.
// The distance of two shapes is the number of cuts that only one of them has.
//
// Counting and listing depend on the divisors of the number of elements, never on that number itself.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "layout/layout.h"

namespace stridescope {

/// The most dimensions of a shape in the list.
inline constexpr int max_shape_rank = 4;
/// Prime factors up to here are found; what is left of a size after dividing by these counts as one prime.
inline constexpr int64_t max_prime_factor = 1 << 14;
/// A list ends after so many sizes were tried. Of more divisors than this the rest is only tried where the layout or
/// the wish has a cut there. Both keep the worst list below a tenth of a millisecond or so: a program may need
/// hundreds.
inline constexpr int max_shape_trials = 1 << 13;
inline constexpr size_t max_divisors = 1 << 10;

struct Shape {
  Dims sizes;
  bool views = false;  ///< else the elements would have to be copied
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Which shapes a list is to hold.
enum class Wanted : uint8_t { views, copies, all };

class Shapes {
 public:
  /// @pre  is_valid(layout), and it has elements
  explicit Shapes(const Layout& layout);

  /// How many shapes of at most max_shape_rank dimensions are views, and how many would be copies.
  int64_t views() const { return views_; }
  int64_t copies() const { return all_ - views_; }

  /// Such shapes by their distance from `request`, at most `most`; of equal distance those with fewer sizes of 1 come
  /// first, then those with fewer dimensions, then the smaller first size.
  /// @post every shape once; all there are, in this order, unless `most` or one of the bounds above ends the list
  std::vector<Shape> nearest(const Dims& request, Wanted wanted, int most) const;

  /// The same of one rank alone: how many there are, and at most `most` of them, those with fewer sizes of 1 first,
  /// then those with the smaller first size.
  /// @pre 1 <= rank <= max_shape_rank
  int64_t views(int rank) const { return views_of_[static_cast<size_t>(rank)]; }
  int64_t copies(int rank) const { return all_of_[static_cast<size_t>(rank)] - views(rank); }
  std::vector<Shape> of_rank(int rank, Wanted wanted, int most) const;

 private:
  using Counts = std::array<int64_t, max_shape_rank + 1>;

  int64_t count_ = 1;              ///< of elements
  Dims cracks_;                    ///< cuts that every view has, ascending
  std::vector<int64_t> divisors_;  ///< of count_, ascending
  int64_t views_ = 0, all_ = 0;
  Counts views_of_{}, all_of_{};  ///< by rank
};

}  // namespace stridescope
