// A tensor as the pictures see it: which cells of its storage its elements stand on, and who reads a cell.
#pragma once
#include <optional>
#include <string>

#include "layout/access_path.h"
#include "layout/lookup.h"
#include "ops/trace.h"

namespace stridescope {

struct Reading {
  TensorPtr tensor;
  std::string name;   ///< "y", or the expression where no name is bound to it
  Layout layout;      ///< counted in cells; the tensor's own layout may count bytes
  int64_t count = 0;  ///< elements
  int64_t cells = 0;  ///< of the storage
  int64_t cell_bytes = 1;
  int64_t span = 1;                    ///< cells that one element covers: 1, or its bytes where cells are bytes
  Dims colors;                         ///< of each dimension: which of the axis colours it has (see axis_colors.h)
  int64_t lowest = 0, highest = -1;    ///< first and last cell read; lowest > highest where there is no element
  const Contents* contents = nullptr;  ///< null where a question leaves them open, and where they are not known
  bool drawn = false;                  ///< stand-ins for random values went into them
  bool unknown = false;                ///< nobody has reckoned them

  AccessPath path() const { return AccessPath(layout); }
  /// The first cell of element number `element` (row-major).  @pre 0 <= element < count
  int64_t cell_of(int64_t element) const { return offset_at(layout, element); }
  /// What a cell holds: an element of the storage, or a byte where cells are bytes.
  DType cell_dtype() const {
    const DType own = tensor->storage->dtype;
    return span == 1 && itemsize(own) == cell_bytes ? own : DType::uint8;
  }
  Target element_target(int64_t element) const { return {Target::Kind::element, tensor->object, element}; }
  Target cell_target(int64_t cell) const { return {Target::Kind::cell, tensor->storage->id, cell}; }
  Target axis_target(int d) const { return {Target::Kind::axis, tensor->object, d}; }
};

/// Nothing where the tensor's places do not fit into int64_t.
std::optional<Reading> read_through(const TensorPtr& tensor, std::string name, const Step& step);

/// How far a picture searches for the readers of one cell. Only layouts whose strides neither nest nor divide each
/// other need more; their cells then look read, and their counts are at least what is written.
inline constexpr int64_t search_limit = 500;

/// The value of an element, zero where it is left open.  @pre 0 <= element < count
Scalar element_value(const Reading& reading, int64_t element);
/// How the libraries print what stands in a cell of the storage, or in an element; "?" where it is left open.
std::string cell_label(const Reading& reading, int64_t cell);
std::string element_label(const Reading& reading, int64_t element);

}  // namespace stridescope
