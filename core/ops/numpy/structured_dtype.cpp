// Dtypes with fields, as NumPy reads them.
#include <algorithm>
#include <set>

#include "layout/checked.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/python/dictionary.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

constexpr int64_t most_bytes = int64_t{1} << 31;  // that NumPy counts of an element

ReadStructure refused(const char* type, std::string text) { return {nullptr, DtypeRefusal{type, std::move(text)}}; }

/// One field as it was read; neither a field nor a refusal where NumPy has it and it is not modelled here.
struct ReadField {
  std::optional<StructureField> field;
  std::optional<DtypeRefusal> refusal;
};

/// Of a dtype that a value stands for: the bytes of an element.
std::optional<int64_t> bytes_of_dtype(const Value& value) {
  if (std::holds_alternative<None>(value.held)) return itemsize(DType::float64);
  if (const auto dtype = numpy_dtype(value)) return itemsize(*dtype);
  const StructurePtr plain = read_plain_dtype(value);
  return plain ? std::optional(plain->itemsize) : std::nullopt;
}

/// The sizes of a field that is an array of elements of `unit` bytes (0: of which is not known here): 3, (2, 3).
/// Nothing where there are too many. What stands for a dtype in their place says how else those bytes are read, which
/// changes nothing (NumPy's _try_convert_from_inherit_tuple).
std::optional<Dims> field_sizes(const Value& value, int64_t unit, std::optional<DtypeRefusal>& refusal) {
  const auto bytes = as_index(value) ? std::nullopt : bytes_of_dtype(value);
  if (bytes && unit > 0 && *bytes != unit)
    refusal = DtypeRefusal{"ValueError", "mismatch in size of old and new data-descriptor"};
  if (bytes) return Dims{};
  const auto refuse = [&](const char* why) {
    refusal = DtypeRefusal{"ValueError", std::string("invalid shape in fixed-type tuple") + why};
    return std::nullopt;
  };
  const auto* sizes = std::get_if<Sequence>(&value.held);
  if (sizes && sizes->items->size() > static_cast<size_t>(max_rank)) return std::nullopt;
  Dims result;
  for (const Value& size : sizes ? std::span<const Value>(*sizes->items) : std::span(&value, 1)) {
    const auto number = as_index(size);
    if (!number || is_truth(size)) return refuse(".");
    if (*number < 0) return refuse(": dimension smaller then zero.");
    result.push_back(*number);
  }
  return result;
}

/// "f4", "3f4", "(2,3)f4": the sizes in front, taken off the text.
std::optional<Dims> sizes_in_front(std::string_view& text) {
  const auto number = [&]() -> std::optional<int64_t> {
    int64_t size = 0;
    size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits)
      size = std::min(size * 10 + (text[digits] - '0'), most_bytes);
    text.remove_prefix(digits);
    return digits > 0 ? std::optional(size) : std::nullopt;
  };
  if (!text.starts_with('(')) {
    const auto size = number();
    return size ? Dims{*size} : Dims{};
  }
  Dims sizes;
  text.remove_prefix(1);
  bool parted = true;
  while (!text.starts_with(')')) {
    for (; text.starts_with(' ') || text.starts_with(','); text.remove_prefix(1)) parted |= text[0] == ',';
    if (text.starts_with(')')) break;
    const auto size = number();
    if (!size || !parted || sizes.full()) return std::nullopt;
    sizes.push_back(*size);
    parted = false;
  }
  text.remove_prefix(1);
  return sizes;
}

/// Where the first word of a list of them ends: "(2,3)f4" of "(2,3)f4, i4".
size_t end_of_word(std::string_view text) {
  size_t end = 0;
  for (int deep = 0; end < text.size() && (deep > 0 || text[end] != ','); ++end)
    deep += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
  return end;
}

/// The field as an array of such, if that is no larger than NumPy can count and, where it has no elements, than we can.
ReadField with_sizes(StructureField field, const Dims& sizes) {
  const std::string begins = "invalid shape in fixed-type tuple: ";
  int64_t rows = 1;
  for (const int64_t size : sizes) {
    if (size >= most_bytes) return {{}, DtypeRefusal{"ValueError", begins + "dimension does not fit into a C int."}};
    rows = std::min(rows * std::max<int64_t>(size, 1), most_bytes);
  }
  const auto bytes = checked_mul(numel(sizes), field.unit());
  if (bytes.value_or(most_bytes) >= most_bytes)
    return {{}, DtypeRefusal{"ValueError", begins + "dtype size in bytes must fit into a C int."}};
  if (numel(sizes) == 0 && rows > max_listed) return {};
  field.sizes = sizes;
  return {std::move(field), {}};
}

ReadField read_field(std::string name, const Value& format, bool aligned) {
  StructureField field;
  field.name = std::move(name);
  if (std::holds_alternative<None>(format.held)) return field.dtype = DType::float64, ReadField{field, {}};
  if (const auto dtype = numpy_dtype(format)) return field.dtype = *dtype, ReadField{field, {}};
  if (StructurePtr plain = read_plain_dtype(format)) {  // strings without room have no bytes
    if (plain->itemsize == 0) return {};
    return field.structure = std::move(plain), ReadField{field, {}};
  }
  if (const auto* text = std::get_if<std::string>(&format.held); text && end_of_word(*text) == text->size()) {
    std::string_view rest = *text;
    const auto sizes = sizes_in_front(rest);
    const auto dtype = sizes ? numpy_dtype({std::string(rest)}) : std::nullopt;
    if (sizes && !dtype) field.structure = read_plain_dtype({std::string(rest)});
    if (field.structure ? field.structure->itemsize == 0 : !dtype) return {{}, dtype_refusal(format)};
    field.dtype = dtype.value_or(DType::structured);
    return with_sizes(std::move(field), *sizes);
  }
  if (const auto* pair = std::get_if<Sequence>(&format.held);
      pair && is_tuple(pair->kind) && pair->items->size() == 2) {
    ReadField inner = read_field(field.name, pair->items->front(), aligned);
    if (inner.refusal) return inner;
    std::optional<DtypeRefusal> refusal;
    const auto sizes = field_sizes(pair->items->back(), inner.field ? inner.field->unit() : 0, refusal);
    if (refusal) return {{}, refusal};
    if (!inner.field || !inner.field->sizes.empty() || !sizes) return {{}, dtype_refusal(format)};
    return with_sizes(*std::move(inner.field), *sizes);
  }
  ReadStructure nested = read_structure(format, aligned);
  if (!nested.structure) return {{}, nested.refusal ? nested.refusal : dtype_refusal(format)};
  return field.structure = std::move(nested.structure), ReadField{field, {}};
}

/// Fields without a name are f0, f1, ..; no two may have one.
std::optional<DtypeRefusal> name_fields(std::vector<StructureField>& fields) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name.empty()) fields[i].name = "f" + std::to_string(i);
    if (!names.insert(fields[i].name).second)
      return DtypeRefusal{"ValueError", "field " + quoted(fields[i].name) + " occurs more than once"};
  }
  return std::nullopt;
}

ReadStructure packed(std::vector<StructureField> fields, bool aligned) {
  if (auto refusal = name_fields(fields)) return {nullptr, std::move(refusal)};
  auto structure = packed_structure(std::move(fields), aligned);
  if (!structure || structure->itemsize == 0 || structure->itemsize >= most_bytes) return {};
  return {std::make_shared<const Structure>(*std::move(structure)), {}};
}

/// [(name, dtype), (name, dtype, shape), ..]
ReadStructure read_list(const std::vector<Value>& items, bool aligned) {
  std::vector<StructureField> fields;
  bool whole = !items.empty();
  for (const Value& item : items) {
    const auto* parts = std::get_if<Sequence>(&item.held);
    if (!parts || !is_tuple(parts->kind) || parts->items->size() < 2 || parts->items->size() > 3)
      return refused("TypeError", "Field elements must be 2- or 3-tuples, got '" + to_string(item) + "'");
    const Value& first = parts->items->front();
    const auto* name = std::get_if<std::string>(&first.held);
    if (!name && !std::holds_alternative<Sequence>(first.held))
      return refused("TypeError", "First element of field tuple is neither a tuple nor str");
    ReadField read = read_field(name ? *name : "", (*parts->items)[1], aligned);
    if (read.refusal) return {nullptr, read.refusal};
    std::optional<DtypeRefusal> refusal;
    const int64_t unit = read.field ? read.field->unit() : 0;
    const auto sizes = parts->items->size() == 3 ? field_sizes(parts->items->back(), unit, refusal) : Dims{};
    if (refusal) return {nullptr, refusal};
    // A title before the name, or an array of arrays, is left out.
    whole &= name && read.field && sizes && (sizes->empty() || read.field->sizes.empty());
    StructureField field = read.field ? *std::move(read.field) : StructureField{};
    if (name) field.name = *name;
    if (sizes && !sizes->empty()) {
      ReadField sized = with_sizes(std::move(field), *sizes);
      if (sized.refusal) return {nullptr, sized.refusal};
      whole &= sized.field.has_value();
      field = sized.field ? *std::move(sized.field) : StructureField{};
      if (name) field.name = *name;
    }
    fields.push_back(std::move(field));
  }
  return whole ? packed(std::move(fields), aligned) : ReadStructure{nullptr, name_fields(fields)};
}

/// "i4, (2,3)f4"
ReadStructure read_words(std::string_view text, bool aligned) {
  std::vector<StructureField> fields;
  while (true) {
    if (!fields.empty() && text.find_first_not_of(' ') == std::string_view::npos)
      return packed(std::move(fields), aligned);  // "f4,"
    const size_t end = end_of_word(text);
    std::string_view word = text.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    ReadField read = word.empty() ? ReadField{} : read_field("", {std::string(word)}, aligned);
    if (!read.field) return {nullptr, read.refusal};
    fields.push_back(*std::move(read.field));
    if (end == text.size()) return packed(std::move(fields), aligned);
    text.remove_prefix(end + 1);
  }
}

const Value* entry(const Dictionary& dictionary, std::string_view key) {
  const DictionaryItems& items = *dictionary.items;
  for (size_t i = 0; i < items.keys.size(); ++i)
    if (const auto* name = std::get_if<std::string>(&items.keys[i].held); name && *name == key) return &items.values[i];
  return nullptr;
}

/// Fields at the offsets that are given, in a structure of `itemsize` bytes or, where that is 0, of as many as needed.
ReadStructure placed(std::vector<StructureField> fields, const std::vector<int64_t>& offsets, int64_t itemsize,
                     bool aligned) {
  ReadStructure read = packed(std::move(fields), aligned);
  if (!read.structure) return read;
  Structure structure = *read.structure;
  int64_t end = offsets.empty() ? structure.itemsize : 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    StructureField& field = structure.fields[i];
    if (offsets[i] < 0) return refused("ValueError", "offset " + std::to_string(offsets[i]) + " cannot be negative");
    if (offsets[i] >= most_bytes) return {};
    if (aligned && offsets[i] % alignment_of(field) != 0)
      return refused("ValueError", "offset " + std::to_string(offsets[i]) +
                                       " for NumPy dtype with fields is not divisible by the field alignment " +
                                       std::to_string(alignment_of(field)) + " with align=True");
    field.offset = offsets[i];
    end = std::max(end, field.offset + field.nbytes());
  }
  if (aligned) end = (end + structure.alignment - 1) / structure.alignment * structure.alignment;
  if (itemsize != 0 && itemsize < end)
    return refused("ValueError", "NumPy dtype descriptor requires " + std::to_string(end) +
                                     " bytes, cannot override to smaller itemsize of " + std::to_string(itemsize));
  if (aligned && itemsize % structure.alignment != 0)
    return refused("ValueError", "NumPy dtype descriptor requires alignment of " + std::to_string(structure.alignment) +
                                     " bytes, which is not divisible into the specified itemsize " +
                                     std::to_string(itemsize));
  structure.itemsize = std::max(end, itemsize);
  if (structure.itemsize >= most_bytes) return {};
  return {std::make_shared<const Structure>(std::move(structure)), {}};
}

/// {'x': ('i4', 0), 'y': ('f8', 8)}: in the order of their offsets.
ReadStructure read_by_offset(const Dictionary& dictionary, bool aligned) {
  std::vector<std::pair<int64_t, StructureField>> found;
  bool whole = true;
  for (size_t i = 0; i < dictionary.items->keys.size(); ++i) {
    const auto* name = std::get_if<std::string>(&dictionary.items->keys[i].held);
    const Value& given = dictionary.items->values[i];
    const auto* parts = std::get_if<Sequence>(&given.held);
    if (!parts && as_real(given)) return refused("TypeError", "object of type '" + type_name(given) + "' has no len()");
    if (!parts || !is_tuple(parts->kind) || parts->items->size() < 2 || parts->items->size() > 3)
      return refused("ValueError", "entry not a 2- or 3- tuple");
    const auto offset = as_index((*parts->items)[1]);
    if (offset && *offset < 0) return refused("ValueError", "invalid offset.");
    ReadField read = read_field(name ? *name : "", parts->items->front(), aligned);
    if (read.refusal) return {nullptr, read.refusal};
    whole &= name && !name->empty() && offset && read.field && parts->items->size() == 2;
    if (whole) found.emplace_back(*offset, *std::move(read.field));
  }
  if (!whole || found.empty()) return {};
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<StructureField> fields;
  std::vector<int64_t> offsets;
  for (auto& [offset, field] : found) offsets.push_back(offset), fields.push_back(std::move(field));
  return placed(std::move(fields), offsets, 0, aligned);
}

/// {'names': .., 'formats': .., 'offsets': .., 'itemsize': .., 'aligned': ..}
ReadStructure read_dictionary(const Dictionary& dictionary, bool aligned) {
  const Value *names = entry(dictionary, "names"), *formats = entry(dictionary, "formats");
  if (!names || !formats) return read_by_offset(dictionary, aligned);
  const Value *offsets = entry(dictionary, "offsets"), *itemsize = entry(dictionary, "itemsize"),
              *told = entry(dictionary, "aligned");
  if (entry(dictionary, "titles")) return {};
  if (told) aligned = as_index(*told).value_or(0) != 0;
  const auto *listed = std::get_if<Sequence>(&names->held), *made = std::get_if<Sequence>(&formats->held),
             *places = offsets ? std::get_if<Sequence>(&offsets->held) : nullptr;
  if (!listed || !made || (offsets && !places) || listed->items->empty()) return {};
  if (listed->items->size() != made->items->size() || (places && places->items->size() != listed->items->size()))
    return refused("ValueError", "'names', 'formats', 'offsets', and 'titles' dict entries must have the same length");
  std::vector<StructureField> fields;
  std::vector<int64_t> at;
  for (size_t i = 0; i < listed->items->size(); ++i) {
    const auto* name = std::get_if<std::string>(&(*listed->items)[i].held);
    ReadField read = read_field(name ? *name : "", (*made->items)[i], aligned);
    if (read.refusal) return {nullptr, read.refusal};
    const auto place = places ? as_index((*places->items)[i]) : 0;
    if (name && std::any_of(fields.begin(), fields.end(), [&](const StructureField& one) { return one.name == *name; }))
      return refused("ValueError", "name already used as a name or title");
    if (!name || name->empty() || !read.field || !place) return {};
    fields.push_back(*std::move(read.field));
    if (places) at.push_back(*place);
  }
  const auto size = itemsize ? as_index(*itemsize) : 0;
  return size ? placed(std::move(fields), at, *size, aligned) : ReadStructure{};
}

}  // namespace

bool names_fields(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return (sequence && sequence->kind == Sequence::Kind::list) || dictionary_in(value);
}

StructurePtr read_plain_dtype(const Value& value) {
  StructurePtr swapped = read_swapped_dtype(value);
  return swapped ? swapped : read_string_dtype(value);
}

ReadStructure read_structure(const Value& value, bool aligned) {
  if (const auto* structure = std::get_if<StructurePtr>(&value.held)) return {*structure, {}};
  if (StructurePtr plain = read_plain_dtype(value)) return {std::move(plain), {}};
  const auto* text = std::get_if<std::string>(&value.held);
  if (text && end_of_word(*text) < text->size()) return read_words(*text, aligned);
  if (const auto* dictionary = dictionary_in(value)) return read_dictionary(*dictionary, aligned);
  if (names_fields(value)) return read_list(*std::get<Sequence>(value.held).items, aligned);
  return {};
}

StructurePtr structure_argument(Call& call, const char* parameter, bool aligned) {
  const Value& value = call.value(parameter);
  if (call.failed()) return nullptr;
  ReadStructure read = read_structure(value, aligned);
  if (read.refusal)
    call.about(value).fail(read.refusal->type, read.refusal->text, Msg::np_dtype_unknown, {to_string(value)});
  return std::move(read.structure);
}

AskedDtype asked_dtype(Call& call) {
  if (StructurePtr structure = structure_argument(call)) return {std::nullopt, std::move(structure)};
  return {dtype_argument(call), nullptr, is_little_dtype(call.value("dtype"))};
}

Tensor read_as(Tensor tensor, const AskedDtype& asked) {
  tensor.dtype = asked.structure ? DType::structured : asked.dtype.value_or(DType::float64);
  tensor.structure = asked.structure;
  tensor.told_little = asked.little;
  return tensor;
}

bool is_dtype(const Value& value) { return is_dtype_object(value) || std::holds_alternative<StructurePtr>(value.held); }

}  // namespace stridescope
