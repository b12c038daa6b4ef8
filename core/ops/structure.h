// NumPy's dtypes whose elements are no numbers of the machine: structures of named fields, each at an offset in bytes,
// strings of so many characters, bytes without a meaning (np.void without fields), and numbers whose bytes stand in the
// other order ('>i4', big-endian).
//
// An array of such elements counts its bytes as any other does; a field is a view of another dtype, whose strides are
// the array's own. So all that is known here is which bytes of an element are whose.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout/dims.h"
#include "ops/dtype.h"

namespace stridescope {

struct Structure;
using StructurePtr = std::shared_ptr<const Structure>;

struct StructureField {
  std::string name;
  int64_t offset = 0;  ///< in bytes, from the element's first
  DType dtype = DType::structured;
  StructurePtr structure;  ///< of a field that has fields itself or is a string; else null
  Dims sizes = {};         ///< of a field that is an array of such, in C order; else empty

  int64_t unit() const;    ///< bytes of the field, or of one element of the array that it is
  int64_t nbytes() const;  ///< bytes of all of it
};

struct Structure {
  std::vector<StructureField> fields;  ///< in the order of their names, which need not be that of their bytes
  /// Bytes of an element: fields and what lies between them. At least 1, but of the dtype of strings that nobody has
  /// counted yet ('U', str), of which there are no arrays.
  int64_t itemsize = 0;
  int64_t alignment = 1;
  bool aligned = false;  ///< made with align=True: as a C compiler lays out a struct
  /// What NumPy calls those without fields: strings 'S' of bytes, 'U' of code points, which take four bytes each, and
  /// 'V' what is not said to be anything; else 0.
  char characters = 0;
  /// Of numbers in the other byte order which they are; else `structured`.
  DType number = DType::structured;

  bool is_string() const { return characters == 'S' || characters == 'U'; }
  bool is_raw() const { return characters == 'V'; }
  bool is_swapped() const { return number != DType::structured; }
  bool has_fields() const { return characters == 0 && !is_swapped(); }
  /// Of a string the most characters that it has room for.
  int64_t length() const { return itemsize / character_bytes(); }
  int64_t character_bytes() const { return characters == 'U' ? 4 : 1; }
  const StructureField* field(std::string_view name) const;
  /// Those fields, in that order, on the same bytes.  @pre each is there
  Structure only(const std::vector<std::string>& names) const;
};

/// The dtype of strings of at most so many characters: 'S' or 'U'; of so many bytes: 'V'.
StructurePtr string_structure(char characters, int64_t length);
/// The dtype of such numbers with the byte of most weight first.  @pre they have more than one byte
StructurePtr swapped_structure(DType number);

/// The bytes that the elements of a dtype are aligned to.
int64_t alignment_of(const StructureField& field);
/// The fields one behind the other, their offsets and the structure's size reckoned; with `aligned` as C has it.
/// Nothing where that is beyond int64_t.
std::optional<Structure> packed_structure(std::vector<StructureField> fields, bool aligned);
/// The same fields one behind the other, in the machine's byte order, those of its fields' structures too; with
/// `aligned` as C has it. What has none is itself.
Structure canonical_structure(const Structure& structure);
/// Whether every byte of an element is one of a field.
bool is_gapless(const Structure& structure);
/// Which bytes of an element are.
std::vector<bool> bytes_of_fields(const Structure& structure);
/// The same dtype: equal names, offsets, dtypes and size.
bool same_structure(const Structure& a, const Structure& b);

/// str(dtype): "<U5", ">i4", "[('x', '<i4'), ('y', '<f8', (2,))]", and what names the offsets where the fields are not
/// packed.
std::string to_string(const Structure& structure);
/// repr(dtype): "dtype([('x', '<i4')], align=True)".
std::string repr(const Structure& structure);

/// The number or the character of which a byte of an element is one; of a number in the other byte order the byte.
struct Leaf {
  DType dtype = DType::uint8;
  int64_t begin = 0;    ///< its first byte
  char characters = 0;  ///< of a character as of Structure
};
/// Nothing for a byte between the fields; where fields overlap the first that has it.
/// @pre 0 <= byte < structure.itemsize
std::optional<Leaf> leaf_at(const Structure& structure, int64_t byte);
/// The largest piece that all numbers and characters of all elements begin and end on, in bytes: a power of two.
int64_t common_piece(const Structure& structure);

}  // namespace stridescope
