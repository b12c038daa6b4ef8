// Who lends memory by Python's buffer protocol, which arrays and tensors can be made on without a copy: arrays, memory
// views, and the bytearray and array.array of Python (ops/python/buffers.inc).
#pragma once
#include "ops/call.h"

namespace stridescope {

/// Whether it is a memory view: x.data, memoryview(x).
bool is_memory(const Value& value);
/// The array that one shows, as it is now. Of a part of it, or of a cast, that is no object.
TensorPtr memory_seen(const Call& call, const Value& memory);
/// What a picture of the value is of: the first tensor in it, or what a memory view shows; null of other values.
TensorPtr first_shown(const Value& value);
/// The array that a bytearray or an array.array keeps its items in; null of others.
TensorRef memory_kept(const Value& value);
/// What lends an array's memory as the buffer protocol tells it: an array, a memory view, a bytearray, an array.array;
/// null of others.
TensorPtr lent_memory(const Call& call, const Value& value);
/// An array as the program knows it: a bytearray's is that bytearray, one on bytes those.
Value as_lender(const Call& call, const TensorRef& array);

}  // namespace stridescope
