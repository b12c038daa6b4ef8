// np.ndarray called as a class: any shape and strides on memory that somebody lends, or in new memory.
#include <algorithm>

#include "layout/extent.h"
#include "ops/lent_memory.h"
#include "ops/numpy/structured.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The memory that an array or bytes lend: one piece, whatever the order of its axes.
struct Buffer {
  TensorPtr array;                  ///< null where there is none
  const Sequence* bytes = nullptr;  ///< likewise
  int64_t nbytes = 0;

  bool given() const { return array || bytes; }
};

Buffer buffer_argument(Call& call) {
  const Value& value = call.value("buffer");
  if (std::holds_alternative<None>(value.held)) return {};
  if (const auto* bytes = std::get_if<Sequence>(&value.held); bytes && bytes->kind == Sequence::Kind::bytes)
    return {nullptr, bytes, static_cast<int64_t>(bytes->items->size())};
  const TensorPtr array = lent_memory(call, value);
  if (std::holds_alternative<NumpyScalar>(value.held))
    return call.about("buffer").refuse(Msg::not_modelled, {"NumPy", "np.ndarray(.., buffer=" + type_name(value) + ")"}),
           Buffer{};
  if (!array)
    return call.about("buffer").fail("TypeError", {"a bytes-like object is required, not '", type_name(value), "'"},
                                     Msg::argument_has_type, {"buffer", "ndarray", type_name(value)}),
           Buffer{};
  if (!is_contiguous(array->layout, unit_of(*array)) && !is_f_contiguous(array->layout, unit_of(*array)))
    return call.about("buffer").fail("ValueError", "ndarray is not contiguous", Msg::np_buffer_in_pieces,
                                     {to_string(array->layout)}),
           Buffer{};
  return {array, nullptr, nbytes(*array)};
}

/// Whether an array of that recipe, its bytes counted from the buffer's first, lies inside so many bytes
/// (PyArray_CheckStrides).
bool fits(const Layout& layout, int64_t unit, int64_t bytes) {
  if (!is_valid(layout)) return false;
  const auto reached = extent(layout);
  const int64_t from = layout.storage_offset;
  return reached ? reached->lowest >= 0 && reached->highest <= bytes - unit : from >= 0 && from <= bytes;
}

}  // namespace

Value array_on_bytes(Call& call, const Sequence& bytes, const Layout& layout, const AskedDtype& asked) {
  Tensor seen = read_as({}, asked);
  seen.library = Library::numpy;
  const auto count = static_cast<int64_t>(bytes.items->size()), unit = unit_of(seen);
  if (const auto reached = extent(layout); reached && (reached->lowest < 0 || reached->highest > count - unit))
    return call.about("offset").refuse(Msg::np_outside_memory, {reached->lowest, reached->highest + unit - 1, count});
  seen.storage = call.memory_of(bytes);
  const bool first = !seen.storage;
  if (first) {
    std::vector<Scalar> values;
    for (const Value& item : *bytes.items) values.push_back({DType::uint8, std::get<int64_t>(item.held)});
    ContentsPtr contents = literal_contents(values, DType::uint8);
    // Cells are elements where they can be.
    const bool whole = !seen.structure && count % unit == 0 && layout.storage_offset % unit == 0;
    if (whole) contents = gather({contents, {{count / unit}, {unit}, 0}, seen.dtype}, seen.dtype);
    const Value held = call.fresh(whole ? seen.dtype : DType::uint8, {{count}, {1}, 0}, std::move(contents));
    if (call.failed()) return {};
    seen.storage = call.memory_of(bytes) = tensor_of(held)->storage;
    seen.object = tensor_of(held)->object;
  }
  seen.layout = layout;
  seen.is_view = true;
  seen.writeable = false;
  explain_view(call, seen, layout);
  call.why(Msg::np_bytes_read_only);
  if (seen.structure && seen.structure->is_swapped())
    call.why(Msg::np_swapped_made, {to_string(*seen.structure), unit});
  if (!first) return call.make(std::move(seen), Relation::view);
  const TensorRef& made = call.object_of(seen);
  made->tensor = std::make_shared<const Tensor>(std::move(seen));
  call.relation(Relation::view);  // of the bytes object
  return {made};
}

namespace {

Value ndarray(Call& call) {
  Dims sizes = numpy_shape(call, call.value("shape"));
  const AskedDtype asked = asked_dtype(call);
  if (asked.structure && asked.structure->itemsize == 0)
    return call.about("dtype").refuse(Msg::np_dtype_not_modelled, {to_string(call.value("dtype"))});
  const Tensor like = read_as({}, asked);
  const Buffer buffer = call.failed() ? Buffer{} : buffer_argument(call);
  const int64_t offset = call.failed() ? 0 : call.integer("offset"), unit = unit_of(like);
  const bool recipe = !std::holds_alternative<None>(call.value("strides").held);
  const Dims strides = recipe && !call.failed() ? numpy_shape(call, call.value("strides")) : Dims{};
  const bool fortran = numpy_order(call, "order", NumpyOrder::c) == NumpyOrder::fortran;
  if (call.failed()) return {};
  if (recipe && strides.size() != sizes.size())
    return call.about("strides").fail("ValueError", "strides, if given, must be the same length as shape",
                                      Msg::np_strides_count, {sizes.size(), strides.size()});
  const bool open = buffer.given() && sizes.size() == 1 && sizes[0] == -1;  // as long as the buffer allows
  // Strides are held against the -1 as it stands: the "last" of -1 elements lies two strides before the first.
  const Layout wanted = open && recipe ? Layout{{3}, {checked_mul(strides[0], -1).value_or(INT64_MAX)}, offset}
                                       : Layout{sizes, strides, buffer.given() ? offset : 0};
  if (open) sizes[0] = checked_add(checked_mul(offset, -1), buffer.nbytes).value_or(INT64_MIN) / unit;
  const bool negative = std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; });
  const auto count = negative ? std::nullopt : numel(sizes), needed = checked_mul(count, unit);
  if (recipe && ((!needed && !open) || !fits(wanted, unit, buffer.given() ? buffer.nbytes : *needed)))
    return call.about("strides").fail("ValueError",
                                      "strides is incompatible with shape of requested array and size of buffer",
                                      Msg::np_strides_beyond, {to_string(sizes), to_string(strides)});
  if (!buffer.given()) {
    const Layout packed = owned_layout(call, sizes, unit, fortran ? Order::fortran : Order::c);
    if (call.failed()) return {};
    call.why(Msg::np_empty_headline, {to_string(sizes), dtype_text(like)});
    return call.fresh(like, recipe ? Layout{sizes, strides, 0} : packed,
                      like.structure ? constant_contents({DType::uint8}, *needed)
                                     : constant_contents(integer_scalar(0, like.dtype), *count));
  }
  if (!negative && !recipe) owned_layout(call, sizes, unit);  // what is too big for any memory is told first
  if (call.failed()) return {};
  const auto end = checked_add(needed, offset);
  if (!open && !recipe && !negative && (!end || *end > buffer.nbytes))
    return call.about("buffer").fail("TypeError", "buffer is too small for requested array", Msg::np_buffer_too_small,
                                     {buffer.nbytes, offset, to_string(sizes), unit});
  if (negative)
    return call.about("shape").fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size,
                                    {to_string(sizes)});
  Layout layout{sizes, strides, (buffer.array ? buffer.array->layout.storage_offset : 0) + offset};
  if (!recipe)
    layout.strides = packed_strides(sizes, fortran ? fortran_order(sizes.size()) : c_order(sizes.size()), unit);
  if (buffer.bytes) return array_on_bytes(call, *buffer.bytes, layout, asked);
  // Of a part that a memory view shows the base is what lends it all.
  Tensor seen = read_as(buffer.array->object < 0 ? *buffer.array->base_tensor : *buffer.array, asked);
  seen.writeable = buffer.array->writeable;
  if (const auto reached = extent(layout);
      reached && (reached->lowest < 0 || reached->highest > seen.storage->nbytes - unit))
    return call.about("offset").refuse(Msg::np_outside_memory,
                                       {reached->lowest, reached->highest + unit - 1, seen.storage->nbytes});
  return numpy_view(call, seen, layout);
}

}  // namespace

std::span<const Op> numpy_buffer_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.ndarray(shape, dtype=float, buffer=None, offset: int = 0, strides=None, order=None)",
       Msg::op_np_ndarray, "what it reaches must lie inside the buffer",
       "x = np.arange(6)\ny = np.ndarray((2, 2), x.dtype, x, strides=(16, 8))", ndarray, Op::Structured::arrays},
  };
  return rows;
}

}  // namespace stridescope
