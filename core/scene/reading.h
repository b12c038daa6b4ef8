// A tensor as the pictures see it: which cells of its storage its elements stand on, and who reads a cell.
//
// A cell is the largest piece of the storage that elements begin and end on, those that the storage was made of as well
// as the tensor's own: mostly one element; of `z.imag` half a complex number, of `x.view(torch.int32)` half an int64.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "layout/access_path.h"
#include "layout/lookup.h"
#include "ops/trace.h"

namespace stridescope {

/// How far a picture searches for the readers of one cell. Only layouts whose strides neither nest nor divide each
/// other need more; their cells then look read, and their counts are at least what is written.
inline constexpr int64_t search_limit = 500;

struct Reading {
  TensorPtr tensor;
  std::string name;   ///< "y", or the expression where no name is bound to it
  Layout layout;      ///< where elements begin, in cells; the tensor's own layout counts its elements, or bytes
  int64_t count = 0;  ///< elements
  int64_t cells = 0;  ///< of the storage
  int64_t cell_bytes = 1;              ///< a power of two
  DType cell_dtype = DType::uint8;     ///< what a cell is shown as
  int64_t span = 1;                    ///< cells that one element covers
  Dims colors;                         ///< of each dimension: which of the axis colours it has (see axis_colors.h)
  int64_t lowest = 0, highest = -1;    ///< first and last cell read; lowest > highest where there is no element
  const Contents* contents = nullptr;  ///< null where a question leaves them open, and where they are not known
  bool drawn = false;                  ///< stand-ins for random values went into them
  bool unknown = false;                ///< nobody has reckoned them

  AccessPath path() const { return AccessPath(layout); }
  /// The first cell of element number `element` (row-major).  @pre 0 <= element < count
  int64_t cell_of(int64_t element) const { return offset_at(layout, element); }
  /// Every cell that an element covers, element by element; dimensions of size 1 may be missing.
  Layout covered() const;
  /// The elements that cover a cell, ascending: the first `most`, or fewer where the search is longer than allowed.
  std::vector<int64_t> readers_of(int64_t cell, int most, int64_t max_visits = search_limit) const;
  /// Whether they can be told without counting very many one by one.
  bool counted_quickly() const;
  /// How many cells no element covers; nothing where that would take long to count.
  std::optional<int64_t> uncovered() const;
  /// Draws the storage in these cells instead.  @pre elements begin and end on them
  void count_in(int64_t bytes, DType dtype);
  Target element_target(int64_t element) const { return {Target::Kind::element, tensor->object, element}; }
  Target cell_target(int64_t cell) const { return {Target::Kind::cell, tensor->storage->id, cell}; }
  Target axis_target(int d) const { return {Target::Kind::axis, tensor->object, d}; }
};

/// In cells that suit this tensor.  @return nothing where its places in bytes do not fit into int64_t
std::optional<Reading> read_through(const TensorPtr& tensor, std::string name, const Step& step);

/// The value of an element, zero where it is left open.  @pre 0 <= element < count
Scalar element_value(const Reading& reading, int64_t element);
/// How the libraries print what stands in a cell of the storage, or in an element; "?" where it is left open.
std::string cell_label(const Reading& reading, int64_t cell);
std::string element_label(const Reading& reading, int64_t element);

}  // namespace stridescope
