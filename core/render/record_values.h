// Values as records hold them: numbers that JSON has no word for are text, those that nobody knows are null.
#pragma once
#include "ops/contents.h"
#include "ops/value.h"
#include "render/json.h"

namespace stridescope {

/// A complex number is a list of its two parts.
void write_scalar(Json& json, const Scalar& value);
void write_scalar(Json& json, const NumpyScalar& scalar);
/// A structure is a list of its fields, a field that is an array a list of its elements.
void write_structure(Json& json, const Contents& contents, const Structure& structure, int64_t byte);
/// Python's own values: sequences are lists, what JSON has no word for is its name.
void write_plain(Json& json, const Value& value);

}  // namespace stridescope
