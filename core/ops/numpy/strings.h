// Arrays of strings: NumPy's str ('U') and bytes ('S') of so many characters.
//
// Their memory is bytes, as that of structures is (structured.h), four to a character of str. What is shorter than its
// room ends with zeros, which are no part of it; what is longer is cut.
#pragma once
#include <optional>
#include <string>

#include "ops/numpy/numpy.h"

namespace stridescope {

struct Ufunc;

/// The dtype without fields that a program writes: of strings 'U5', '<U5', 'S3', str, np.bytes_, (str, 5), of no room
/// where it names none; of bytes without a meaning 'V8', (np.void, 8). Null of any other value.
StructurePtr read_string_dtype(const Value& value);
/// The same, and numbers in the other byte order (byte_order.h): what has no fields and is no number of the machine.
StructurePtr read_plain_dtype(const Value& value);
/// The same with room for one character where none is named, as np.zeros takes it.
StructurePtr with_room(const StructurePtr& string);
/// What such a dtype object answers by that name.
std::optional<Value> string_attribute(const StructurePtr& string, std::string_view attribute);

/// The dtype of which a string or bytes alone is.
StructurePtr dtype_of_string(const Value& value);
using Characters = std::u32string;
/// What of a value its string is made of: of text and bytes what they hold, of numbers and None what str() shows.
/// Nothing of any other, nor of what is not known.
std::optional<Characters> characters_of(const Value& value);

/// What an np.str_ or np.bytes_ tells of itself as an array without axes.
std::optional<Value> string_scalar_attribute(const Value& value, std::string_view attribute);

/// Whether it is an array of strings.
bool is_of_strings(const Tensor& array);
bool is_string_array(const Value& value);
/// Whether it is a string or bytes, or nested lists with one among them.
bool holds_strings(const Value& value);
/// Of which strings such a value, or an array of strings, is as an array: 'U' or 'S'; 0 of any other.
char string_kind(const Value& value);

/// What is at a byte, as Python's str or bytes. Nothing where its characters are none of Unicode.
/// @pre the bytes are known
std::optional<Value> string_at(const Contents& contents, const Structure& string, int64_t byte);
/// The same as NumPy shows it in an array: as Python's repr, with "?" for what is no character, or byte by byte.
std::string string_text(const Contents& contents, const Structure& string, int64_t byte);
/// An array without axes as the np.str_ or np.bytes_ that NumPy hands out in its place.
Value string_element(Call& call, const Tensor& array);

/// The strings of an array of one axis, as going through it gives them; nothing where they are not known or many.
std::optional<std::vector<Value>> strings_in(const Value& array);

/// The bytes of a value as such a string: of text, of a number as str() shows it. The call fails, or is refused, where
/// it is none.
std::vector<Scalar> string_bytes(Call& call, const Structure& string, const Value& value);
/// An array of at most `most` axes read from nested lists: of that dtype or, where it is null or has no room, with room
/// for the longest. It is said where strings are cut. Null where the call failed.
TensorRef string_array(Call& call, const StructurePtr& asked, const Value& value, std::optional<int> most = {},
                       ReadBefore* before = nullptr);
/// The same as as_array, of strings too.
TensorRef array_or_strings(Call& call, const Value& value);
/// So many characters have its elements room for, or their numbers, as strings.
int64_t string_room(const Tensor& array);
/// The elements of an array, of numbers or strings, as strings of a dtype, in C order; those of one that is not known
/// are not known either, or refused where they may not be such strings. Null where the call failed.
TensorRef as_strings(Call& call, const Tensor& array, const StructurePtr& asked);
/// Arrays one of which is of strings, all as strings with room for any of them; empty where the call failed.
std::vector<Tensor> as_one_string(Call& call, const std::vector<Tensor>& arrays);
/// The same of strings as numbers, read as int() and float() read them.
TensorRef as_numbers(Call& call, const Tensor& strings, DType dtype);
/// Every element of `target` becomes `value`.  @pre target is of strings
void assign_strings(Call& call, const Tensor& target, const Value& value);

/// Whether that many elements are too many bytes to be made one by one: then the call is refused.
bool too_costly(Call& call, const Dims& sizes, int64_t itemsize);
/// A new array of strings that are not known. Null where the call failed.
TensorRef unknown_strings(Call& call, const StructurePtr& string, const Layout& layout);
/// The bytes of one more string behind those that are there. Whether all of it fits; the rest is left out.
bool append_characters(std::vector<Scalar>& bytes, const Structure& string, const Characters& characters);
/// Every element of an array of numbers or strings as Python's, row-major. Nothing where the call failed.
/// @pre it is known
std::optional<std::vector<Value>> values_of(Call& call, const Tensor& array);

/// What a ufunc has a loop for of strings: those of one kind are compared, and joined by `+`. Operators say of others,
/// too, whether they are equal. Nothing of all else, and where neither is a string or an array of such.
std::optional<Value> apply_to_strings(Call& call, const Ufunc& what, const Value& a, const Value& b);
/// a += b of strings of one kind, which are cut to what there is room for.  @pre a may be written
Value join_in_place(Call& call, const TensorRef& array, const Value& other);

}  // namespace stridescope
