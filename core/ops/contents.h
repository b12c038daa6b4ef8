// What a storage holds: a function from a cell to a value, built of immutable nodes.
//
// Every node describes `cells()` cells of one dtype; making one costs O(rank) whatever the count, with one exception:
// a node whose cells would each cost more than a few steps to read, in a storage of at most `small_cells`, is
// computed at once into a literal. A node that costs too much to read and is too large to compute is not made: the
// functions below then answer null, as they do of operands without contents, and whoever asked has cells that nobody
// knows instead, of which all that is made is unknown, too. So reading one cell of any contents takes at most
// `max_cost` steps and a bounded depth of calls, however a program was written (x = x + x, 200 times), and what a
// program does to sizes, strides and storages is answered at any size.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layout/layout.h"
#include "ops/arithmetic.h"
#include "ops/dtype.h"
#include "ops/stand_ins.h"
#include "ops/tensor.h"

namespace stridescope {

inline constexpr int64_t small_cells = 4096;
inline constexpr int64_t max_cost = 4096;

/// Elements of some contents seen through a layout: what an operand of a copy, an operation or a write is.
/// The contents are those of the moment, so later writes to the storage do not reach it.
struct Elements {
  ContentsPtr contents;
  Layout layout;  ///< in bytes
  DType dtype = DType::int64;
  Lens lens = {};
};

/// The elements of `tensor` as they are now.  @pre in_bytes(tensor) has a value
Elements elements_of(const Tensor& tensor);
/// The same through another layout, in bytes, as a copy reads them: the elements of a structured array byte by byte,
/// along one dimension more.
Elements copied_elements(const Tensor& tensor, Layout layout);
/// Element number `position`, row-major.  @pre 0 <= position < numel(elements.layout.sizes)
Scalar element(const Elements& elements, int64_t position);
/// The most steps that reading one of them takes.  @pre they have contents
int64_t cost(const Elements& elements);
/// Whether so many reads of such elements take no more than a moment of those that the program has (`ReadBudget`): what
/// computes at once does without the rest, and without what is not known.
bool is_quick(const Elements& elements, int64_t reads);
/// Whether some element is as asked, as one of `dtype`. Nothing where that takes more than a moment; but what is one
/// value everywhere is read once, however many elements there are.
std::optional<bool> any_element(const Elements& elements, DType dtype, bool (*asked)(const Scalar&));

/// What a program reads, all in all: while one is there, the steps of every read are counted, and once there are
/// `most_steps` of them only what is small is quick. Else 256 operations, each of which takes a moment, take a minute.
class ReadBudget {
 public:
  static constexpr int64_t most_steps = int64_t{1} << 21;
  ReadBudget();
  ~ReadBudget();
  ReadBudget(const ReadBudget&) = delete;
  ReadBudget& operator=(const ReadBudget&) = delete;
  /// How many steps this thread's reads have taken since it began.
  static int64_t steps_read();
  /// Counts what is reckoned with what was read as so many steps more.
  static void spend(int64_t steps);

 private:
  int64_t outer_;
};

/// Cells that nobody reckons.
ContentsPtr unknown_contents(DType dtype, int64_t cells);
/// Whether the cells may be read.
bool is_known(const Contents& contents);
/// What reading one that may not be gives: 0. That it was done is counted.
Scalar read_unknown(DType dtype);
/// How many cells that are not known this thread has read since it began: what a statement made of them is refused.
int64_t unknown_reads();
/// All cells the same value.
ContentsPtr constant_contents(const Scalar& value, int64_t cells);
/// Cell i holds start + i * step, reckoned in integers (wrapping) or in doubles, then converted to `dtype`.
ContentsPtr integer_range(int64_t start, int64_t step, DType dtype, int64_t cells);
ContentsPtr real_range(double start, double step, DType dtype, int64_t cells);
/// Values written out, each converted to `dtype`.
ContentsPtr literal_contents(std::span<const Scalar> values, DType dtype);

/// Values that look random (stand_ins.h).
ContentsPtr random_contents(Distribution distribution, uint64_t seed, DType dtype, int64_t cells, int64_t low = 0,
                            int64_t high = 1);

/// What a copy is: cell i holds element number i (row-major) of `from`, converted to `dtype`. To fill a storage in
/// another order than row-major, permute the layout of `from` into the order of the cells.
ContentsPtr gather(const Elements& from, DType dtype);

/// Positions along one dimension taken from integer elements: result element i reads `index` element i, adds `size`
/// where negative, and moves `stride` bytes that many times.
struct IndexedDim {
  Elements index;
  int64_t size = 0;
  int64_t stride = 0;
};
/// What indexing by tensors or lists is: cell i holds the element of `from` at offset(from.layout, i) plus the moves
/// of every dim.
/// @pre  the layouts of `dims` and `from` have the same sizes; every place reached lies inside the contents
ContentsPtr gather_indexed(const Elements& from, std::vector<IndexedDim> dims, DType dtype);

/// Cell i holds op(operands' elements number i), reckoned in dtype `common` and converted to `dtype`.
/// @pre  operands' layouts have the same sizes; as many operands as operand_count(op)
ContentsPtr elementwise(Arithmetic op, std::span<const Elements> operands, DType common, DType dtype);

/// What a write is: `base` with the elements of `region` replaced by those of `value`, converted to region.dtype.
/// Where elements of the region overlap, the last in row-major order stays.
/// @pre  region.layout.sizes == value.layout.sizes; the region lies inside the storage; region.contents is not read
ContentsPtr patch(const ContentsPtr& base, const Elements& region, const Elements& value);
/// The same for elements here and there: (byte position, value), the last of equal positions stays.
ContentsPtr scatter(const ContentsPtr& base, DType dtype, std::span<const std::pair<int64_t, Scalar>> writes);

/// Whether all cells are one value, or stand-ins for random values, or such as are made up.
bool is_constant(const Contents& contents);
bool is_random(const Contents& contents);
bool is_made_up(const Contents& contents);
/// Number of cells, and their dtype.
int64_t cells(const Contents& contents);
DType dtype_of(const Contents& contents);
/// Cell number i in the contents' own dtype.  @pre 0 <= i < cells(contents)
Scalar cell(const Contents& contents, int64_t i);
/// The value at a byte position read as `dtype`, whole cells or not.  @pre the bytes lie inside
Scalar read_at(const Contents& contents, int64_t byte, DType dtype);

}  // namespace stridescope
