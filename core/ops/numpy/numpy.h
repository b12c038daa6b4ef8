// NumPy's rules that several rows share. Layouts are in bytes throughout.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "layout/contiguity.h"
#include "layout/transform.h"
#include "layout/view.h"
#include "ops/call.h"

namespace stridescope {

/// order='C' | 'F' | 'A' | 'K'.
enum class NumpyOrder : uint8_t { c, fortran, any, keep };
NumpyOrder numpy_order(Call& call, const char* parameter, NumpyOrder fallback);
/// 'A' is Fortran where the array is Fortran-ordered and not C-ordered, else C.
Order resolved_order(const Tensor& array, NumpyOrder order);

/// "(2,3)", "(3,)", "()": how NumPy's messages print a shape.
std::string shape_text(const Dims& sizes);
/// "cannot reshape array of size 6 into shape (5)": open sizes in front are left out, others print as newaxis.
std::string requested_text(const Dims& sizes);

/// order= of what makes new memory: 'C' or 'F'.
Order allocation_order(Call& call, const char* parameter = "order");

/// casting='no' | 'equiv' | 'safe' | 'same_kind' | 'unsafe'.
enum class Casting : uint8_t { no, equiv, safe, same_kind, unsafe };
/// As casting= names it: "same_kind".
std::string_view name(Casting casting);
Casting numpy_casting(Call& call, Casting fallback);
/// np.can_cast
bool can_cast(DType from, DType to, Casting casting);
/// Whether elements of `from` may become `to`; else the call fails as NumPy words it.
bool check_cast(Call& call, const Tensor& from, DType to, Casting casting);
/// That it may not: the call fails.
void refuse_cast(Call& call, const Tensor& from, const Tensor& to, Casting casting);

/// What lists hold before an item that fails. NumPy writes lists of an array's own sizes into it as it reads them, so
/// that much of them is there when it stops.
struct ReadBefore {
  struct Cell {
    int64_t element;
    int64_t byte;  ///< of the element, where that is written byte by byte
    Scalar value;
  };
  Dims sizes;
  std::vector<Cell> cells;
};
/// Writes it, where the sizes are those of the target.
void write_before(Call& call, const Tensor& target, const ReadBefore& before);

/// What NumPy takes for an array: arrays themselves, tensors (on the same memory), numbers and nested lists (in new
/// memory and of `dtype`), of at most `most` axes. Null where the call failed.  @pre an array has `dtype`, if given
TensorRef as_array(Call& call, const Value& value, std::optional<DType> dtype = {}, std::optional<int> most = {},
                   ReadBefore* before = nullptr);
/// np.array(object, copy=copy), by the call's parameter of that name.
Value numpy_array(Call& call, const Value& object);
/// An array on the same memory whose base is a memory view.
Value memory_view(Call& call, const Tensor& array);
/// x.data, x.ctypes and the like: what asks for that of the receiver.
Value array_facet(Call& call, const char* name);
/// The array that such a receiver shows, as it is now.
TensorPtr shown_array(Call& call);
/// The bytes of the elements in that order, as Python's bytes.
Value bytes_of(Call& call, const Tensor& array, Order order);
/// Python's number as an element of `dtype`; the call fails where an integer does not fit.
Scalar stored_scalar(Call& call, const Value& number, DType dtype);
/// A NumPy scalar likewise: a signed integer must be able to hold it, to anything else it is cast.
Scalar stored_scalar(Call& call, const Scalar& number, DType dtype);
/// The first argument.
TensorRef receiver(Call& call);
/// The same for functions of Python that take `member` of it: numbers and lists have none, an AttributeError.
TensorRef receiver_with(Call& call, std::string_view member);
/// An array as an operand that is no object of the program's.
TensorRef nameless(const Tensor& array);
/// A sequence of arrays, or the rows of one array.
std::vector<TensorRef> as_arrays(Call& call, const Value& value);

/// Whether an array with axes is given where one integer is wanted; then the call fails.
bool refuse_array_with_axes(Call& call, const char* parameter);
/// `axis` counted from the front; AxisError with `prefix` where it is outside.  @pre `parameter` holds it, as its item
/// number `item` where that is not -1
int numpy_axis(Call& call, int64_t axis, int rank, const char* prefix = "", const char* parameter = "axis",
               int item = -1);
/// One axis or a tuple of them, distinct or the call fails with `repeated`.
Dims numpy_axes(Call& call, const Value& axes, int rank, std::string_view repeated);
/// The same as NumPy's functions in Python take them, each told of in its turn (normalize_axis_tuple): AxisError after
/// `prefix`, `repeated` last; several of a kind where that is empty.
Dims normalized_axes(Call& call, const char* parameter, int rank, const char* prefix, const char* repeated);
/// A shape: an integer or a sequence of them. TypeError for anything else.
Dims numpy_shape(Call& call, const Value& value);
/// A dtype object, Python's int, float or bool, or a code such as "i4".
std::optional<DType> numpy_dtype(const Value& value);
/// The dtype that a dtype= argument asks for; TypeError for what is none.
std::optional<DType> dtype_argument(Call& call, const char* parameter = "dtype");
/// The same of an argument or of an item of it.
std::optional<DType> dtype_argument(Call& call, const Value& value);
/// Whether NumPy has such a dtype, and it is none of those modelled here.
bool is_foreign_dtype(const Value& value);
/// Whether it names a dtype without fields, whose elements have no bytes: [].
bool is_empty_dtype(const Value& value);
/// The largest finite number of a floating dtype.
double largest_number(DType dtype);
/// What becomes of `array` where dtype= is one of them: the casting rule may forbid it, or it is a limit of ours.
Value refuse_cast_to_foreign(Call& call, const Tensor& array, Casting casting);
/// mode=, what becomes of an index that is out of bounds: 'r', 'w' or 'c' by a word's first letter or by NumPy's number
/// for it; 'r' for None.
char clip_mode(Call& call, const Value& mode);
/// Whether nested lists of so many levels are no deeper than `most`; else the call failed.
bool check_depth(Call& call, int rank, int most);
/// The sizes of the array that NumPy makes of nested lists, of at most `most` dimensions; ValueError where the lists do
/// not agree.
std::optional<Dims> nested_sizes(Call& call, const Value& value, std::optional<int> most = {});
/// The dtype of the array that NumPy makes of a string or of lists with strings among them: "<U1"; nothing for others.
std::optional<std::string> text_dtype(const Value& value);
/// An axis as functions written in C take it: a bool is none, a TypeError.
int64_t axis_argument(Call& call, const char* parameter = "axis");
/// A flat list of integers; TypeError for anything else.
std::optional<std::vector<int64_t>> integer_list(Call& call, const Value& value);

/// Whether an array of those sizes, of elements of `unit` bytes, has no more bytes than NumPy can count, a size of 0
/// taken for 1; else the call fails.
bool check_numpy_bytes(Call& call, const Dims& sizes, int64_t unit);
/// The layout of an array that owns its memory: packed in C or Fortran order, and all strides 0 without elements.
Layout owned_layout(Call& call, const Dims& sizes, int64_t unit, Order order = Order::c);
inline Layout owned_layout(Call& call, const Dims& sizes, DType dtype, Order order = Order::c) {
  return owned_layout(call, sizes, int64_t{itemsize(dtype)}, order);
}
/// The strides NumPy gives a new array that is like `array`, for items of `unit` bytes.
Dims strides_like(const Tensor& array, NumpyOrder order, int64_t unit);
/// The layout with new axes of size 1 in front, until it has `rank` of them: what ndmin= does.
Layout with_leading_axes(Layout layout, int rank, int64_t unit, NumpyOrder order = NumpyOrder::keep);
/// A new array of those strides with the elements of `array`.
Value numpy_copy(Call& call, const Tensor& array, NumpyOrder order, std::optional<DType> dtype = {});
/// What so many elements like those of `array` hold where nothing was written: zeros.
ContentsPtr zero_contents(const Tensor& array, int64_t count);
/// A new array of elements like those of `array`, strings and structures byte by byte: read through `from`, in bytes
/// and in the order of the new memory, at the places that `dims` name.  @pre `from` has as many elements as `target`
Value numpy_gathered(Call& call, const Tensor& array, const Layout& target, const Layout& from,
                     std::vector<IndexedDim> dims = {});
/// A new array whose elements are `contents` in row-major order.
Value numpy_fresh(Call& call, const Dims& sizes, DType dtype, ContentsPtr contents,
                  Relation relation = Relation::fresh);
/// Elements given in row-major order in memory of their own, the axes laid out in the order `slowest`, as they lie
/// there; and that layout: all strides are 0 without elements.
struct LaidOut {
  Layout layout;
  ContentsPtr contents;
};
LaidOut laid_out(const ContentsPtr& elements, const Dims& sizes, const Dims& slowest, DType dtype);
/// The headline of a view: shape, strides in bytes and in elements, and where it begins.
void explain_view(Call& call, const Tensor& array, const Layout& layout);
/// The headline of a copy: how much, shape, strides.
void explain_copy(Call& call, const Tensor& array);
/// That the array itself, of elements of `unit` bytes, has another recipe now.
void explain_set(Call& call, const Layout& layout, int64_t unit);
/// A view with the headline that says so.
Value numpy_view(Call& call, const Tensor& array, const Layout& layout);
/// The same, not writeable.
Value numpy_readonly_view(Call& call, const Tensor& array, const Layout& layout);
/// The very object, and why.
Value numpy_same(Call& call, const TensorRef& array, Msg reason, const Slots& slots = {});
/// An element, number `position` in row-major order, as a scalar.
NumpyScalar scalar_at(const Elements& elements, int64_t position);
/// Element 0 of a 0-d array as the scalar that NumPy hands out in its place.
Value numpy_scalar(Call& call, const Tensor& array);
/// The real (0) or imaginary (1) parts of a complex array, as a view.
Tensor complex_part(const Tensor& array, int which);
/// A 0-d array as a scalar, any other array as it is: what functions return.
Value scalar_if_0d(Call& call, const Value& value);
/// The array that was made, or `instead` where the call failed: what follows then needs no check of its own.
Tensor made_or(const Value& made, const Tensor& instead);

/// NumPy's reshape of `array`: a view where the strides allow it, else a copy seen through a view. `requested` may hold
/// one negative size. Unless it `may_copy`, it fails where it would have to.
Value numpy_reshape(Call& call, const Tensor& array, const Dims& requested, NumpyOrder order, bool may_copy = true);
/// The sizes with the open one filled in, or the call failed in NumPy's words.
std::optional<Dims> numpy_sizes(Call& call, const Tensor& array, const Dims& requested);

/// The axes of operands of one rank in the order NumPy walks them, the slowest first: by |stride|, axes of size 1 and
/// of stride 0 undecided, C order where operands disagree. New results are laid out in this order, too.
Dims iteration_order(const std::vector<Layout>& operands);
/// The axes of a concatenation of such arrays, the slowest first: as above, but strides of 0 count.
Dims joined_order(const std::vector<Layout>& arrays);

/// np.concatenate; of what the call does not ask for as it is without.
Value concatenated(Call& call, const std::vector<Tensor>& arrays, int64_t axis);
/// Every array as one axis of its elements in C order.
std::vector<Tensor> raveled(Call& call, const std::vector<Tensor>& arrays);

/// As sort orders numbers: NaN last, complex ones by their real part first.
bool comes_before(const Scalar& a, const Scalar& b);
/// Most elements that one call sorts.
inline constexpr int64_t most_sorted = 1 << 16;
/// Whether they are not too many to be looked at, and sorted; else the call fails.
bool few_enough(Call& call, const Tensor& array);
/// The elements along `axis` in order, row-major; or where each of them stood.  @pre few_enough()
std::vector<Scalar> in_order(const Tensor& array, int axis, bool places);

/// The common sizes that shapes broadcast to; nothing where they do not fit, and then the first two in the way.
std::optional<Dims> broadcast_sizes(const std::vector<Dims>& shapes, std::pair<size_t, size_t>* in_the_way = nullptr);
/// The call fails: operands of those shapes do not broadcast.
Value refuse_shapes(Call& call, const std::vector<Dims>& shapes);
/// The same; where they do not fit, the call fails and names the first pair as NumPy finds it.
std::optional<Dims> common_sizes(Call& call, const std::vector<Dims>& shapes);
std::vector<Dims> shapes_of(const std::vector<TensorRef>& arrays);
/// The dtype of a result of both.
DType numpy_promoted(DType a, DType b);
/// The same of several, in whatever order: np.result_type.  @pre there is one
DType numpy_promoted(const std::vector<DType>& dtypes);

/// An array operand of an operation: `weak` for Python's own numbers, which give way to the other's dtype.
struct Operand {
  TensorRef array;
  bool weak = false;
  Value number;  ///< where weak
};
Operand operand(Call& call, const Value& value);
/// Whether it is True or False, Python's own or NumPy's: no integers where NumPy asks for one.
bool is_truth(const Value& value);
/// The dtype both are reckoned in: a weak operand takes the other's where its kind allows.
DType common_dtype(const Operand& a, const Operand& b);
DType common_dtype(const std::vector<Operand>& operands);
/// The elements of `array` seen under `sizes`.  @pre they broadcast
Elements broadcast_elements(const Tensor& array, const Dims& sizes);
/// np.where: the axes keep the order of |strides|; 0-d stays an array.
Value chosen_where(Call& call, const Tensor& condition, const Operand& a, const Operand& b);
/// np.linspace between `start` and `stop`, by the call's other arguments; `dtype` asks for one, or is None.
Value spaced(Call& call, const Operand& start, const Operand& stop, const Value& dtype, const Value& axis);
/// Each element along the axis less the one before it.
Value differences(Call& call, const TensorRef& array, int axis);
/// Writes `value`, broadcast, to the elements of `target`; fails as NumPy's assignment does.  @pre numpy_writeable()
void numpy_assign(Call& call, const Tensor& target, const Value& value);
/// Writes one value to every element of `target`, converted as Python converts one number.
void numpy_store(Call& call, const Tensor& target, const Value& value);
/// The same with what copyto and assignment add: another casting rule, and a mask of the elements to be written.
void numpy_assign(Call& call, const Tensor& target, const TensorRef& source, Casting casting,
                  const TensorRef& mask = nullptr);
/// Whether what is of that layout is broadcast to those sizes; else the call fails.
bool check_fits(Call& call, const Layout& layout, const Dims& sizes, std::string_view what);
/// What is assigned to an array of those sizes, without leading sizes of 1 that this has no room for; nothing where the
/// call failed, for it cannot be broadcast to it.
std::optional<Layout> fitted(Call& call, Layout layout, const Dims& sizes);
/// x.flat[key] = value: elements in C order become those of the value, over and over.
Value numpy_set_flat(Call& call, const Tensor& array, const Value& key, const Value& value);
/// Whether `target` may be written; else the call fails.
bool numpy_writeable(Call& call, const Tensor& target, const char* text = "assignment destination is read-only");

/// The axis of what takes a number for an array of one axis.
int only_axis(Call& call, const Tensor& array);
/// The dtype that whole numbers are added up in: at least 64 bits, of their own kind.
DType summed_in(DType dtype);
/// A result of those elements, row-major, written to out=, which is what the call gives.
Value written_out(Call& call, const TensorRef& out, const ContentsPtr& results, DType dtype);
/// The same of elements of any layout, repeated along the axes that they lack.
Value written_out(Call& call, const TensorRef& out, Elements result);

/// The call fails for it would make an array of so many axes, more than there may be.
Value too_many_axes(Call& call, int64_t count);

/// Where the elements are that are not 0: an array of indices for each axis, the columns of one table.
Value numpy_nonzero(Call& call, const Tensor& array);

/// Whether the device asked for is NumPy's only one; else the call failed.
bool numpy_allows(Call& call);
/// Whether the function takes tensors of PyTorch's where they stand among its arguments; else the call failed.
bool takes_tensors(Call& call);
/// What the call made of them: tensors, where NumPy hands its results back as such.
Value as_tensors(Call& call, const Value& made);

/// Whether variables of the program hold on to the array or its memory beside the one it is known by.
bool is_referenced(const Call& call, const TensorRef& array);
/// Whether other objects on the same memory are among them.
bool has_views(const Call& call, const TensorRef& array);

/// str(array) or repr(array); nothing where what it shows takes too long to read.
std::optional<std::string> numpy_printed(const Tensor& array, bool repr, std::optional<int> digits = {},
                                         bool in_array = false);

/// How NumPy prints x.flags.
std::string flags_text(const Tensor& array);

/// NumPy's ALIGNED: addresses are multiples of what the processor wants for the dtype (of a complex, for its parts).
bool is_aligned(const Tensor& array);
int64_t nbytes(const Tensor& array);
inline int64_t count_of(const Tensor& array) { return *numel(array.layout.sizes); }
inline int64_t unit_of(const Tensor& array) { return array.item_bytes(); }

/// "<i8", "|b1": the dtype as files and other libraries are told of it.
std::string type_code(DType dtype);
/// The letter by which NumPy's C code knows it: 'l', 'd'.
char dtype_letter(DType dtype);
/// What a dtype object answers by that name: x.dtype.itemsize.
std::optional<Value> dtype_attribute(DType dtype, std::string_view attribute);

/// The array asked, without new objects: a scalar is seen as a 0-d array.
std::optional<Tensor> asked(Call& call, const Value& value);

}  // namespace stridescope
