#include "ops/structure.h"

#include <algorithm>
#include <numeric>

#include "layout/checked.h"
#include "layout/layout.h"
#include "ops/numpy/numpy.h"

namespace stridescope {
namespace {

/// The next place that is a multiple of `alignment`; nothing beyond int64_t.
std::optional<int64_t> aligned_up(std::optional<int64_t> place, int64_t alignment) {
  const auto raised = checked_add(place, alignment - 1);
  return raised ? std::optional(*raised / alignment * alignment) : std::nullopt;
}

/// "'<i4'", "('<f4', (2,))", or of a field with fields their list.
std::string format_text(const StructureField& field, bool whole);

/// "(2, 3)", as Python writes a tuple.
std::string sizes_text(const StructureField& field) { return to_string(tuple_of(field.sizes), std::string::npos); }

/// Whether the fields lie as packed_structure() lays them.
bool is_packed(const Structure& structure) {
  const auto packed = packed_structure(structure.fields, structure.aligned);
  return packed && packed->itemsize == structure.itemsize &&
         std::equal(packed->fields.begin(), packed->fields.end(), structure.fields.begin(),
                    [](const StructureField& a, const StructureField& b) { return a.offset == b.offset; });
}

/// As NumPy writes it; `align` says whether the text itself must tell that it is aligned.
std::string text_of(const Structure& structure, bool align) {
  const auto listed = [&](const auto& text) {
    std::string all;
    for (const StructureField& field : structure.fields) all += (all.empty() ? "" : ", ") + text(field);
    return all;
  };
  const bool told = align && structure.aligned;
  if (!told && is_packed(structure))
    return "[" + listed([](const StructureField& field) {
             return "(" + quoted(field.name) + ", " + format_text(field, false) +
                    (field.sizes.empty() ? ")" : ", " + sizes_text(field) + ")");
           }) +
           "]";
  return "{'names': [" + listed([](const StructureField& field) { return quoted(field.name); }) + "], 'formats': [" +
         listed([](const StructureField& field) { return format_text(field, true); }) + "], 'offsets': [" +
         listed([](const StructureField& field) { return std::to_string(field.offset); }) +
         "], 'itemsize': " + std::to_string(structure.itemsize) + (told ? ", 'aligned': True}" : "}");
}

/// Without fields: "<U5", "S5", ">i4".
std::string plain_code(const Structure& string) {
  if (string.is_swapped()) return ">" + type_code(string.number).substr(1);
  return (string.characters == 'U' ? "<" : "") + std::string(1, string.characters) + std::to_string(string.length());
}

std::string format_text(const StructureField& field, bool whole) {
  std::string base;
  if (field.structure && !field.structure->has_fields()) {
    base = quoted(plain_code(*field.structure));
  } else if (field.structure) {
    base = text_of(*field.structure, false);
  } else {
    std::string code = type_code(field.dtype);
    if (code.starts_with('|')) code.erase(0, 1);
    base = quoted(field.dtype == DType::boolean ? "?" : code);
  }
  return whole && !field.sizes.empty() ? "(" + base + ", " + sizes_text(field) + ")" : base;
}

}  // namespace

int64_t StructureField::unit() const { return structure ? structure->itemsize : stridescope::itemsize(dtype); }
int64_t StructureField::nbytes() const { return unit() * numel(sizes).value_or(0); }

const StructureField* Structure::field(std::string_view name) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const StructureField& one) { return one.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

Structure Structure::only(const std::vector<std::string>& names) const {
  Structure result{{}, itemsize, alignment, aligned, characters, number};
  for (const std::string& name : names) result.fields.push_back(*field(name));
  return result;
}

StructurePtr string_structure(char characters, int64_t length) {
  Structure string;
  string.characters = characters;
  string.itemsize = length * string.character_bytes();
  string.alignment = string.character_bytes();
  return std::make_shared<const Structure>(std::move(string));
}

StructurePtr swapped_structure(DType number) {
  Structure swapped;
  swapped.number = number;
  swapped.itemsize = itemsize(number);
  swapped.alignment = swapped.itemsize / (is_complex(number) ? 2 : 1);
  return std::make_shared<const Structure>(std::move(swapped));
}

int64_t alignment_of(const StructureField& field) {
  return field.structure ? field.structure->alignment : itemsize(field.dtype) / (is_complex(field.dtype) ? 2 : 1);
}

std::optional<Structure> packed_structure(std::vector<StructureField> fields, bool aligned) {
  Structure result{std::move(fields), 0, 1, aligned};
  std::optional<int64_t> end = 0;
  for (StructureField& field : result.fields) {
    if (aligned) {
      result.alignment = std::max(result.alignment, alignment_of(field));
      end = aligned_up(end, alignment_of(field));
    }
    field.offset = end.value_or(0);
    end = checked_add(end, checked_mul(numel(field.sizes), field.unit()));
  }
  if (aligned) end = aligned_up(end, result.alignment);
  if (!end) return std::nullopt;
  result.itemsize = *end;
  return result;
}

Structure canonical_structure(const Structure& structure) {
  if (!structure.has_fields()) return structure;
  std::vector<StructureField> fields = structure.fields;
  for (StructureField& field : fields) {
    if (!field.structure) continue;
    if (field.structure->is_swapped())
      field.dtype = field.structure->number, field.structure = nullptr;
    else
      field.structure = std::make_shared<const Structure>(canonical_structure(*field.structure));
  }
  return packed_structure(std::move(fields), structure.aligned).value_or(structure);
}

bool is_gapless(const Structure& structure) {
  if (!structure.has_fields()) return true;
  std::vector<StructureField> fields = structure.fields;
  std::sort(fields.begin(), fields.end(),
            [](const StructureField& a, const StructureField& b) { return a.offset < b.offset; });
  int64_t end = 0;
  for (const StructureField& field : fields) {
    if (field.offset > end || (field.structure && !is_gapless(*field.structure))) return false;
    end = std::max(end, field.offset + field.nbytes());
  }
  return end == structure.itemsize;
}

std::vector<bool> bytes_of_fields(const Structure& structure) {
  std::vector<bool> bytes(static_cast<size_t>(structure.itemsize), !structure.has_fields());
  for (const StructureField& field : structure.fields) {
    const auto inner = field.structure ? bytes_of_fields(*field.structure)
                                       : std::vector<bool>(static_cast<size_t>(field.unit()), true);
    for (int64_t byte = 0; byte < field.nbytes(); ++byte)
      if (inner[static_cast<size_t>(byte % field.unit())]) bytes[static_cast<size_t>(field.offset + byte)] = true;
  }
  return bytes;
}

bool same_structure(const Structure& a, const Structure& b) {
  return a.characters == b.characters && a.number == b.number && a.itemsize == b.itemsize &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const StructureField& left, const StructureField& right) {
                      return left.name == right.name && left.offset == right.offset && left.dtype == right.dtype &&
                             left.sizes == right.sizes && !left.structure == !right.structure &&
                             (!left.structure || same_structure(*left.structure, *right.structure));
                    });
}

std::string to_string(const Structure& structure) {
  if (!structure.has_fields())
    return (structure.characters == 'U' || structure.is_swapped() ? "" : "|") + plain_code(structure);
  return text_of(structure, true);
}

std::string repr(const Structure& structure) {
  if (!structure.has_fields()) {
    std::string code = plain_code(structure);
    if (structure.itemsize == 0) code.pop_back();
    return "dtype(" + quoted(code) + ")";
  }
  return "dtype(" + text_of(structure, false) + (structure.aligned ? ", align=True)" : ")");
}

std::optional<Leaf> leaf_at(const Structure& structure, int64_t byte) {
  if (structure.is_raw() || structure.is_swapped()) return Leaf{DType::uint8, byte};
  if (structure.is_string()) {
    const int64_t bytes = structure.character_bytes();
    return Leaf{bytes == 4 ? DType::uint32 : DType::uint8, byte / bytes * bytes, structure.characters};
  }
  for (const StructureField& field : structure.fields) {
    if (byte < field.offset || byte >= field.offset + field.nbytes()) continue;
    const int64_t unit = field.unit(), begin = field.offset + (byte - field.offset) / unit * unit;
    if (!field.structure) return Leaf{field.dtype, begin};
    if (auto inner = leaf_at(*field.structure, byte - begin))
      return Leaf{inner->dtype, begin + inner->begin, inner->characters};
  }
  return std::nullopt;
}

int64_t common_piece(const Structure& structure) {
  if (!structure.has_fields()) return structure.character_bytes();
  int64_t piece = structure.itemsize;
  for (const StructureField& field : structure.fields)
    piece = std::gcd(std::gcd(piece, field.offset),
                     field.structure ? common_piece(*field.structure) : itemsize(field.dtype));
  return piece;
}

}  // namespace stridescope
