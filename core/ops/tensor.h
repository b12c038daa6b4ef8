// Storages, their contents, and the tensors that read them.
//
// A storage is a line of bytes; what it holds is a function from a position to a value, never a buffer: immutable
// nodes (iota, constant, literal, pseudo-random, gather through a layout, elementwise result, patch by a write).
// Values are computed only where somebody looks, so nothing is allocated by element count, and a later write cannot
// change an earlier copy.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "layout/layout.h"
#include "ops/dtype.h"
#include "ops/settings.h"
#include "ops/structure.h"

namespace stridescope {

class Contents;  // contents.h
using ContentsPtr = std::shared_ptr<const Contents>;
struct GradFn;  // torch/grad_fn.h

/// What is done to elements between storage and reader: PyTorch's is_conj() and is_neg() views. What is written goes
/// through it the other way, which is the same.
struct Lens {
  bool conjugate = false;
  bool negative = false;

  Scalar operator()(Scalar value) const;
  friend constexpr bool operator==(const Lens&, const Lens&) = default;
};

/// A storage (PyTorch) or the memory an array owns (NumPy).
struct Storage {
  int id = -1;  ///< in order of creation
  int64_t nbytes = 0;
  DType dtype = DType::int64;  ///< what it was created as
  ContentsPtr contents;        ///< as of now; a step keeps the contents as they were after it
  bool drawn = false;          ///< stand-ins for random values went into them
  bool lent = false;           ///< torch: a NumPy array was made of it, so it cannot be resized any more
  bool made_up = false;        ///< such that were not even reckoned: what they are equal to is not known
  StructurePtr structure;      ///< where it was created as such, of what; else null
  bool turned = false;         ///< NumPy: an array's numbers with their bytes turned round, to be reckoned with

  int64_t item_bytes() const { return structure ? structure->itemsize : itemsize(dtype); }
  int64_t cells() const { return nbytes / item_bytes(); }
};

/// The part of an array's memory that from_numpy was handed, which PyTorch knows as a storage of its own. In bytes.
struct StoragePart {
  int64_t begin = 0;
  int64_t nbytes = 0;
};

/// A tensor or array at one moment. Immutable: an in-place metadata change gives the object a new Tensor.
struct Tensor {
  Library library = Library::torch;
  DType dtype = DType::int64;
  StructurePtr structure;  ///< NumPy: where the dtype is structured, of what; else null
  Layout layout;  ///< torch: in elements; NumPy: in bytes (storage_offset as well)
  std::shared_ptr<Storage> storage;
  int object = -1;                            ///< identity of the Python object, in order of creation
  bool is_view = false;                       ///< torch: tracked by autograd as a view; NumPy: does not own its memory
  int base = -1;                              ///< object that `_base` (torch) or `base` (NumPy) is, or -1
  std::shared_ptr<const Tensor> base_tensor;  ///< that object as it was when the view was made; null where base is -1
  bool writeable = true;                      ///< NumPy
  bool is_element = false;                    ///< NumPy: an np.void, one structure of an array, which it reads
  bool told_little = false;                   ///< NumPy: its dtype's byteorder is '<', not '='
  bool told_unaligned = false;                ///< NumPy: setflags() has taken its ALIGNED flag away
  bool write_warns = false;  ///< NumPy: made by broadcast_arrays and not written since: lends no right to write
  /// NumPy: what base is where it is no array: as_strided's "DummyArray", or a memory view, "data".
  const char* base_facet = nullptr;
  Lens lens;                                  ///< torch
  std::shared_ptr<const StoragePart> window;  ///< of an array's memory that became a tensor's; null: the whole storage
  bool requires_grad = false;                 ///< torch
  bool is_leaf = true;                        ///< torch: not reckoned from what requires a gradient
  bool inference = false;                     ///< torch: made in inference mode, and no view of what was not
  Gradients seen_in = Gradients::followed;    ///< torch: of a view, the mode it was made in, or what it is a view of
  bool seen_further = false;  ///< torch: the latter, for it was itself made where gradients are followed
  /// torch, of a view that a function gave as one of several: which of them, and the function that leads back
  /// ("UnbindBackward0"; none where nothing led back when it was made). Of a view of such a view the number is -1.
  const char* one_of = nullptr;
  int64_t output = 0;
  std::shared_ptr<int64_t> version;  ///< torch: how often it was written in place; it and its views count together
  int64_t seen_version = 0;          ///< torch: what that was when it was made, or last written by its own name
  /// torch: the function that its gradient leads back by, as way_back() tells it, unless it was written since; empty
  /// where that is not known, or where there is none.
  std::string_view way_back = {};
  std::shared_ptr<GradFn> grad_fn = nullptr;  ///< torch: that function, and what it goes on to; null for a leaf
  /// torch, of what lost all dimensions in place: the size of the first that it had, which an index is still held
  /// against.
  int64_t lost_size = 0;

  int64_t item_bytes() const { return structure ? structure->itemsize : itemsize(dtype); }
  /// The dtype of its numbers, in whichever byte order; `structured` where it has none.
  DType numbers() const { return structure ? structure->number : dtype; }
  /// The packed stride of this tensor's layout: 1 (torch) or the item size (NumPy).
  int64_t unit() const { return library == Library::torch ? 1 : item_bytes(); }
  /// The storage as the library knows it: how long it is, and which of our bytes it begins with.
  int64_t storage_nbytes() const { return window ? window->nbytes : storage->nbytes; }
  int64_t storage_begin() const { return window ? window->begin : 0; }
  bool shares_storage(const Tensor& other) const { return storage == other.storage && window == other.window; }
  /// The storage offset as the library tells it, in the layout's unit.
  int64_t known_offset() const {
    return layout.storage_offset - storage_begin() / (library == Library::torch ? itemsize(dtype) : 1);
  }
};
using TensorPtr = std::shared_ptr<const Tensor>;

/// The layout of `tensor` counted in bytes; nothing on overflow.
std::optional<Layout> in_bytes(const Tensor& tensor);
/// Whether no number derived from its layout in bytes, and so none in elements, can leave int64_t.
bool fits(const Tensor& tensor);

/// Its dtype as the library prints it: "int64", "[('x', '<i4'), ('y', '<f8')]".
std::string dtype_text(const Tensor& tensor);
/// The field of each of its elements, without a new object. Strides stay; a field that is an array adds its axes.
/// @pre the tensor's structure has that field
Tensor seen_field(const Tensor& tensor, const StructureField& field);

/// All of its storage, as PyTorch knows that, as a tensor of one dimension.  @pre it is PyTorch's
Tensor storage_line(const Tensor& tensor, DType dtype);

/// The value at a byte position read as `dtype`.  @pre the bytes lie inside the storage
Scalar read(const Storage& storage, const Contents& contents, int64_t byte, DType dtype);
/// The number there whose bytes stand in the other order.  @pre the same
Scalar read_swapped(const Contents& contents, int64_t byte, DType dtype);
/// How Python prints that value inside a tensor picture: "7", "0.5", "True", "3+4j"; floats shortened to at most 6
/// characters.
std::string label(const Scalar& value);

}  // namespace stridescope
