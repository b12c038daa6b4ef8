// PyTorch's rules that several rows share.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "layout/transform.h"
#include "layout/view.h"
#include "ops/call.h"

namespace stridescope {

/// Most elements that become Python objects, and most rows, columns and cells of a triangle whose indices are listed.
inline constexpr int64_t max_listed = 4096;

/// A packed tensor of those sizes; fails where a size is negative or the number of bytes leaves int64_t.
Layout fresh_layout(Call& call, const Dims& sizes, DType dtype, MemoryFormat format = MemoryFormat::contiguous);

/// The device that there is.
Value processor();
/// Its type and its index; nothing of another name.  @pre it is a torch.device
std::optional<Value> device_attribute(const Value& device, std::string_view name);
/// Whether the device asked for is that one, or the call failed as PyTorch words it.
bool is_processor(Call& call, const Value& device);
/// x.cuda(): to() for devices of one kind, of which there is none.
Value cuda_row(Call& call);
/// What PyTorch looks at before any operation: the device, and writes to what requires a gradient. False: the call
/// failed.
bool torch_allows(Call& call, std::span<const TensorPtr> inputs);
/// What PyTorch says where a dimension is given by a name, which no tensor here has; nothing where none is.
std::optional<std::string> torch_named_dim(std::span<const Form* const> overloads, const Arguments& arguments);
/// An error of Python's: its class, and what it says.
struct AskedError {
  const char* type;
  std::string text;
  std::optional<Message> reason = std::nullopt;  ///< ours, where it is not the argument's type
  const char* parameter = nullptr;               ///< of what is at fault, where it is another argument
};
/// Reads an argument by the name of its parameter; None where it is missing.
using Given = std::function<Value(std::string_view)>;
/// What is raised for an argument whose type is not `parameter`'s by a function written in Python, which asks it for a
/// member, or fails at what it asks before, and all that before any parser sees it; nothing of others.
std::optional<AskedError> torch_asked(const Form& form, const Arguments& arguments, std::string_view parameter);
/// Likewise where Python asks what is given for `parameter` whether it is true.
std::optional<AskedError> truth_asked(const Value& value, const char* parameter);
/// Likewise of group_norm, which divides by the groups.
std::optional<AskedError> groups_asked(int rank, const Value& groups);
/// Likewise of a loss, which looks at how it is reduced and, some, at the sizes before.
std::optional<AskedError> loss_asked(std::string_view function, const Given& given, std::string_view parameter);
/// Likewise of einops, which takes a pattern apart at once, or looks for it among those it knows.
std::optional<AskedError> pattern_asked(std::string_view function, const Given& given, std::string_view parameter);
/// out=: what the call has `made` is written into `out`, which is the result; fails where it has no place there.
Value written_out(Call& call, const Value& made, const Value& out, std::span<const TensorPtr> inputs);
/// Whether what the call made of `inputs` requires a gradient.
void follow_gradients(Call& call, Tensor& made, std::span<const TensorPtr> inputs);
/// The same for the tensor that was written in place.
void follow_written(Call& call, std::span<const TensorPtr> inputs);
/// Whether the call writes its first argument in place, as autograd sees it.
bool is_written(const Call& call);
/// The version of what the call makes: 0, or how often the library writes into it on its way; far below 0 where that is
/// not known.
std::shared_ptr<int64_t> new_version(Call& call, std::span<const TensorPtr> inputs);
inline constexpr int64_t unknown_version = INT64_MIN / 2;
/// Counts a write in place in the version of what was written, where the library does.
void count_write(Call& call, std::span<const TensorPtr> inputs);

/// A number of NumPy's as the number of Python that PyTorch's parser reads in it: whole ones and complex128 as they
/// are, any other by its real part as a float, truth values and complex64, too; anything else as it is.
Value parsed_number(const Value& value);
/// A number of Python or NumPy as one element: of int64, float64, complex128 or bool; nothing of anything else.
std::optional<Scalar> scalar_of(const Value& value);
/// The same; 0 of anything else.
Scalar number_of(const Value& value);
/// What item() gives of a tensor without dimensions; anything else as it is.
Value number_in(const Value& value);

/// Strides in bytes become strides in elements of as many. False: PyTorch has no such strides, and the call failed.
bool count_in_elements(Call& call, Dims& strides, int64_t bytes);
/// The memory of a NumPy array under a torch recipe: byte strides become strides of elements. Fails where they cannot.
Value tensor_on(Call& call, const Tensor& array);
/// The other way round: a tensor's memory under NumPy's recipe. Fails as x.numpy() does where torch hands out none.
std::optional<Tensor> array_on(Call& call, const Tensor& tensor, bool force = false);

/// The dimensions that an argument names, none twice; torch's dim_list_to_bitset.
Dims distinct_dims(Call& call, const char* parameter);

/// The requested sizes with -1 resolved, or the call failed in torch's words.
Dims resolved_sizes(Call& call, const Tensor& tensor, const Dims& requested);

/// `tensor` under other sizes without moving elements; where that cannot be, fails as view() does, with the pair of
/// dimensions, the numbers and what would work.
Value view_as_sizes(Call& call, const Tensor& tensor, const Dims& requested);
/// The receiver likewise, but copied where no view can be.
Value reshape_to_sizes(Call& call, const Dims& requested);
/// Offers .contiguous() behind an argument of a call that failed: as a fix where that is a name or a call.
/// @param hint tells of the bytes that this copies
void hint_contiguous(Call& call, const char* parameter, const Tensor& tensor, Msg hint);
/// Fails, for a tensor that was given cannot be seen as one line, as view(-1) does: the picture shows where it breaks.
Value fail_as_line(Call& call, const char* parameter, const Tensor& tensor, Msg reason);

/// `tensor` expanded to the requested sizes (-1 keeps one), or nothing and the call failed as expand() does.
std::optional<Layout> expanded(Call& call, const Tensor& tensor, const Dims& requested);

/// That an operand is read through `seen`, with stride 0 where it is repeated.
void explain_broadcast(Call& call, const Tensor& tensor, const Layout& seen);

/// The common sizes of two, or nothing.
std::optional<Dims> broadcast_of(const Dims& a, const Dims& b);
/// The same, or the call failed with torch's message for operators.
std::optional<Dims> broadcast_sizes(Call& call, const Dims& a, const Dims& b);
/// What is raised where two tensors of those sizes have none in common.  @pre broadcast_of(a, b) is nothing
AskedError broadcast_error(const Dims& a, const Dims& b);

/// Whether values of `sizes` can be written into `target` by broadcasting, or the call failed as torch words it.
bool fits_in_place(Call& call, const Tensor& target, const Dims& sizes);

/// The dimensions as TensorIterator orders them, the fastest first: by the operands' strides, those of stride 0
/// undecided, the last dimension first where nothing decides.
Dims iterator_order(const Dims& sizes, std::span<const Layout> operands);
/// The strides (in elements) that TensorIterator gives a result of those sizes: packed in the memory order of the
/// operands, each seen under `sizes` with stride 0 where it is broadcast. `alike` says that no operand was broadcast.
Dims iterator_strides(const Dims& sizes, std::span<const Layout> operands, bool alike);

/// What takes part in deciding a result's dtype: tensors with dimensions come before tensors without, and those before
/// Python numbers, unless the later one is of a higher kind (bool, integer, float, complex).
struct TypeVote {
  explicit TypeVote(const Call& call) : floating(call.default_dtype()) {}
  DType floating;  ///< what a Python float counts as
  std::optional<DType> dims, scalars, numbers;
  void add(const Value& value);
  DType result() const;
};
DType promoted(DType a, DType b);
/// Whether writing in place may convert so: to no lower kind.
bool can_store(DType from, DType to);
/// Whether `dtype` holds a plain number (tensors pass): what fill_ and its kin ask before they write it. Whole numbers
/// below 0 wrap around in an unsigned dtype.
bool holds_number(Call& call, const Value& number, DType dtype);
/// Fails where a bool takes part in a subtraction.
bool check_subtraction(Call& call, const Value& a, const Value& b);
/// "torch.LongTensor", and "CPUBoolType" for the types that have no class of their own.
std::string class_name(DType dtype);
/// "Long", "Float", "Bool": the dtype's name in messages.
std::string_view scalar_type_name(DType dtype);
/// Fails, for PyTorch has no kernel of that name for the dtype.
Value no_kernel(Call& call, std::string_view kernel, DType dtype);
/// The dtype of a class of tensors on the processor ("torch.FloatTensor"); nothing of another name.
std::optional<DType> tensor_class(std::string_view path);
/// "long int", "c10::Half": the dtype as C++ prints its type.
std::string_view cpp_name(DType dtype);
/// How C++ prints the tensor in messages.
std::string printed(const Tensor& tensor);
/// How Python prints it: "tensor([1., 2.])". Nothing where what it shows takes too long to read.
std::optional<std::string> python_printed(const Tensor& tensor);
/// str(x.storage()) and of an untyped one: an element, or a byte, a line. Nothing where they are not known, or many.
std::optional<std::string> storage_text(const Facet& storage);
/// The function that leads back from what a call makes, or writes in place, to what it was given; empty where that is
/// not known. The text lasts as long as the program runs. way_back_text() is what PyTorch prints of it.
std::string_view way_back(const Call& call, const Tensor& made);
std::string way_back_text(std::string_view way);
/// The last of the steps that a key is read by, as such a function.
std::string_view way_of_key(const Value& key, const Dims& sizes);
/// Whether a key stands for the very tensor of those sizes, where it is written.
bool is_itself(const Value& key, const Dims& sizes);
/// The same as errors and name() have it: with where it stands in C++.
std::string way_back_name(std::string_view way);

/// Says how many elements are written through which recipe, and that the tensor's aliases see it.
void explain_write(Call& call, const Tensor& target);
/// Why elements of `target` cannot be written, in torch's words: cells that hold several of them, or cells shared with
/// another input. False: the call failed.
bool check_overlap(Call& call, const Tensor& target, const Tensor* input);

/// The same for a write that goes where an index points: no cell may be shared with `input`.
bool check_apart(Call& call, const Tensor& target, const Tensor& input);

/// The walk in words that decides whether the tensor is contiguous in that format.
void explain_format(Call& call, const Tensor& tensor, MemoryFormat format);

/// How many of the `held` bytes of a storage elements seen through a layout take from its start on; nothing, and the
/// call failed as as_strided() does, where they are not there.
std::optional<int64_t> bytes_inside(Call& call, const Layout& seen, int item_size, int64_t held, bool in_place = false);
/// How many bytes of a storage elements take from their first on, reckoned unsigned as the library does:
/// (1 + sum of (size - 1) * stride) * item size, or 0 without elements. Nothing where that overflows.
std::optional<int64_t> bytes_taken(const Dims& sizes, const Dims& strides, int item_size);

/// Whether so many random numbers of that kind are drawn in `dtype`, or the call failed.
/// What tells a generator of PyTorch's from another; null of other values.
const Storage* generator_memory(const Value& value);
bool is_drawn(Call& call, DType dtype, bool normal, int64_t count);
/// Whether integers from `low` on and below `high` are elements of `dtype`, or the call failed.
bool check_bounds(Call& call, int64_t low, int64_t high, DType dtype);
/// The least and the greatest finite number of a dtype that is not complex.
std::pair<double, double> bounds_of(DType dtype);

/// numel(tensor) * item size; INT64_MAX where that is more than int64_t holds.
int64_t bytes_of(const Tensor& tensor);

/// Most tensors that one call makes of another: each is an object of its own.
inline constexpr int64_t max_pieces = 1024;
/// `count` elements of dimension d from `start` on: what narrow and the splits are made of.
Layout part(const Layout& layout, int d, int64_t start, int64_t count);
/// A new tensor of those sizes, channels last where `like` suggests it, of elements that are packed row by row.
Value laid_out_like(Call& call, const Layout& like, const Dims& sizes, const Elements& packed);
/// x[start:end:step] along one dimension: no function of PyTorch's, but what some are made of.
Value slice_row(Call& call);
/// What a view shows, or several, packed in a storage of its own: the _copy of a function that gives a view.
Value packed_copy(Call& call, const Value& view);
/// What cat makes of them.
Value joined_tensors(Call& call, const std::vector<Tensor>& tensors, int64_t dim);
/// A new object on the same storage that autograd does not know as a view.
Value untracked(Call& call, Tensor tensor);

}  // namespace stridescope
