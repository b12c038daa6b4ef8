// Files: what of an array's memory is written to them, and what comes of it again: the elements in C or Fortran order.
#include <algorithm>

#include "layout/contiguity.h"
#include "ops/files.h"
#include "ops/numpy/structured.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

constexpr std::string_view by_save = "np.save", by_savez = "np.savez";
constexpr int64_t header_boundary = 64, axis_digits = 21;

/// What a file begins with: the format, how long the text is, and the text, which leaves room for one number of the
/// shape to grow, up to a multiple of 64 bytes. Of names of fields that are longer, or no ASCII, there are other
/// formats, and the call is refused.  Source: numpy.lib.format, version 1.0
std::vector<Scalar> header_of(Call& call, const Tensor& array, bool fortran) {
  const std::string type = array.structure ? to_string(*array.structure) : type_code(array.dtype);
  const Dims& sizes = array.layout.sizes;
  std::string text = "{'descr': " + (type[0] == '[' ? type : "'" + type + "'") +
                     ", 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': " + to_string(tuple_of(sizes), max_text) + ", }";
  if (sizes.size() > 0) {
    const std::string grows = std::to_string(fortran ? sizes[sizes.size() - 1] : sizes[0]);
    text.append(static_cast<size_t>(axis_digits) - grows.size(), ' ');
  }
  const auto before = static_cast<int64_t>(text.size()) + 11;
  text.append(static_cast<size_t>(header_boundary - before % header_boundary), ' ');
  text += '\n';
  const auto length = static_cast<int64_t>(text.size());
  if (length > UINT16_MAX ||
      std::any_of(text.begin(), text.end(), [](char letter) { return static_cast<unsigned char>(letter) > 127; }))
    call.refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  std::vector<Scalar> bytes;
  for (const int64_t byte : {0x93, int{'N'}, int{'U'}, int{'M'}, int{'P'}, int{'Y'}, 1, 0})
    bytes.push_back({DType::uint8, byte});
  bytes.push_back({DType::uint8, length % 256});
  bytes.push_back({DType::uint8, length / 256});
  for (const char letter : text) bytes.push_back({DType::uint8, int64_t{static_cast<unsigned char>(letter)}});
  return bytes;
}

Elements bytes_of(std::span<const Scalar> bytes) {
  const auto length = static_cast<int64_t>(bytes.size());
  return {literal_contents(bytes, DType::uint8), {{length}, {1}, 0}, DType::uint8};
}

bool is_fortran(const Tensor& array) { return resolved_order(array, NumpyOrder::any) == Order::fortran; }

/// The elements in the order in which the file has them.
Elements in_order(const Tensor& array) {
  const int rank = array.layout.rank();
  return copied_elements(array, is_fortran(array) ? permute(array.layout, c_order(rank)) : array.layout);
}

/// Whether argument `file` may be written to, or the call has failed.
bool is_file(Call& call, std::string_view suffix) {
  const Value& file = call.value("file");
  const auto* path = std::get_if<std::string>(&file.held);
  if (bytes_of_file(file) || is_file_name(file, suffix)) return true;
  // Which folders there are nobody knows here.
  if (std::holds_alternative<Object>(file.held) || is_bytes(file) || path)
    return call.about("file").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())}), false;
  call.about("file").fail("TypeError", {"expected str, bytes or os.PathLike object, not ", type_name(file)},
                          Msg::argument_has_type, {"file", "str", type_name(file)});
  return false;
}

Value save_row(Call& call) {
  if (!is_file(call, ".npy")) return {};
  const TensorRef given = as_array(call, call.value("arr"));
  if (call.failed()) return {};
  const Tensor& array = *given->tensor;
  const int64_t item = unit_of(array), count = *numel(array.layout.sizes);
  const int64_t held = count * item;  // NumPy makes no array of more than int64_t counts
  const bool fortran = is_fortran(array);
  const std::vector<Scalar> header = header_of(call, array, fortran);
  const auto to = call.failed() ? std::nullopt : file_to_write(call, "file", ".npy");
  if (!to || call.failed()) return {};
  const Elements pieces[] = {bytes_of(header), in_order(array)};
  put(call, *to, pieces, {by_save, kept_apart({given}), static_cast<int64_t>(header.size()) + held});
  call.relation(Relation::none);
  call.why(Msg::np_save_headline, {count, item, held, fortran ? "F" : "C"});
  if (held < array.storage->nbytes) call.why(Msg::np_save_view, {array.storage->nbytes});
  return {};
}

/// A zip archive whose files are as np.save writes them; what is in it beside these no program looks at.
/// Source: zipfile, which writes each as one that might be longer than 4 GiB
Value savez_row(Call& call) {
  if (!is_file(call, ".npz")) return {};
  const Value arrays = dictionary_of();
  const auto& held = std::get<Dictionary>(arrays.held);
  const auto add = [&](const std::string& name, const Value& value) {
    const TensorRef array = as_array(call, value);
    if (!call.failed()) store(held, Value{name}, Value{array});
  };
  for (const Value& pair : *std::get<Sequence>(call.value("kwds").held).items) {
    const auto& parts = *std::get<Sequence>(pair.held).items;
    add(std::get<std::string>(parts[0].held), parts[1]);
  }
  int64_t number = 0;
  for (const Value& value : *std::get<Sequence>(call.value("args").held).items) {
    const std::string name = "arr_" + std::to_string(number++);
    if (key_place(held, key_mark(Value{name}).text) < held.items->keys.size())
      return call.about("args").fail("ValueError", {"Cannot use un-named variables and keyword ", name},
                                     Msg::argument_twice, {"savez", name});
    add(name, value);
  }
  if (call.failed()) return {};
  std::vector<Elements> pieces;
  const auto unread = [&](int64_t bytes) {
    pieces.push_back({unknown_contents(DType::uint8, bytes), {{bytes}, {1}, 0}, DType::uint8});
  };
  int64_t directory = 22, elements = 0;
  for (size_t i = 0; i < held.items->keys.size(); ++i) {
    const auto length = static_cast<int64_t>(std::get<std::string>(held.items->keys[i].held).size() + 4);
    const Tensor& array = *tensor_of(held.items->values[i]);
    unread(30 + length + 20);
    pieces.push_back(bytes_of(header_of(call, array, is_fortran(array))));
    pieces.push_back(in_order(array));
    directory += 46 + length;
    const auto sum = checked_add(elements, *numel(array.layout.sizes) * unit_of(array));
    if (!sum || *sum > UINT32_MAX) return call.refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
    elements = *sum;
  }
  unread(directory);
  const auto to = call.failed() ? std::nullopt : file_to_write(call, "file", ".npz");
  if (!to || call.failed()) return {};
  put(call, *to, pieces, {by_savez, kept_apart(arrays)});
  call.relation(Relation::none);
  call.why(Msg::np_savez_headline, {held.items->keys.size(), elements});
  return {};
}

/// What was saved, in an array of its own. In Fortran order it is read as its transpose, of which it is a view then.
Value loaded(Call& call, const Tensor& saved) {
  const Elements elements = in_order(saved);
  Dims sizes = saved.layout.sizes;
  if (is_fortran(saved)) std::reverse(sizes.begin(), sizes.end());
  const Value made = call.fresh(saved, contiguous(sizes, unit_of(saved)), gather(elements, elements.dtype));
  if (!is_fortran(saved) || call.failed()) return made;
  const Tensor& packed = *tensor_of(made);
  const Value turned = call.view(packed, permute(packed.layout, c_order(packed.layout.rank())));
  call.relation(Relation::fresh);
  return turned;
}

Value load_row(Call& call) {
  const auto refuse = [&] {
    return call.about("file").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  };
  if (call.given("mmap_mode")) return refuse();
  const auto file = file_to_read(call, "file");
  if (call.failed()) return {};
  const auto place = file ? place_in(*file) : std::nullopt;
  if (!place) return refuse();
  if (place->at >= place->size)
    return call.about("file").fail("EOFError", "No data left in file", Msg::file_at_end, {place->size}),
           call.hint(Msg::hint_seek), Value{};
  if (const SavedPart* const archive = part_here(call, *file, by_savez)) {
    const Object made{class_of_library("numpy.lib.npyio.NpzFile"), std::make_shared<DictionaryItems>()};
    const auto* path = std::get_if<std::string>(&call.value("file").held);
    keep(made, "_name", Value{path ? *path : "object"});
    keep(made, "files", list_of(std::get<Dictionary>(archive->value.held).items->keys));
    keep(made, "_held", Anew([&](const TensorRef& one) { return loaded(call, *one->tensor); }).of(archive->value));
    call.relation(Relation::none);
    call.why(Msg::np_load_archive);
    return {made};
  }
  const SavedPart* const part = part_here(call, *file, by_save);
  const TensorPtr saved = part ? tensor_of(part->value) : nullptr;
  if (!saved) return refuse();
  const int64_t read_to = part->read_to;
  const Value made = loaded(call, *saved);
  if (call.failed()) return {};
  seek(*file, read_to);
  const Layout& layout = tensor_of(made)->layout;
  call.why(Msg::np_load_headline, {to_string(layout.sizes), to_string(layout.strides), is_fortran(*saved) ? "F" : "C"});
  if (is_fortran(*saved)) call.why(Msg::np_load_turned);
  if (!(saved->layout.strides == layout.strides)) call.why(Msg::np_load_packed, {to_string(saved->layout.strides)});
  return made;
}

/// x.tofile(fid): neither a header nor an order of its own.
Value tofile_row(Call& call) {
  const TensorRef given = receiver(call);
  const Value& fid = call.value("fid");
  const auto* apart = std::get_if<std::string>(&call.value("sep").held);
  const auto refuse = [&] { return call.about("fid").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())}); };
  if (call.failed()) return {};
  if (!is_file_name(fid) && !is_opened(fid) && bytes_of_file(fid))
    return call.about("fid").fail("UnsupportedOperation", "fileno", Msg::file_not_opened_so, {"fileno"});
  if (!apart || !apart->empty() || (!is_file_name(fid) && !is_opened(fid))) return refuse();
  const auto to = file_to_write(call, "fid", "", "flush of closed file");
  if (!to || call.failed()) return {};
  const Tensor& array = *given->tensor;
  const int64_t count = *numel(array.layout.sizes), item = unit_of(array);
  const Elements piece = copied_elements(array, array.layout);
  put(call, *to, std::span(&piece, 1), {"", {}});
  call.relation(Relation::none);
  call.why(Msg::np_tofile_headline, {count, item, count * item});
  return {};
}

Value fromfile_row(Call& call) {
  const Value& given = call.value("file");
  const auto* apart = std::get_if<std::string>(&call.value("sep").held);
  const auto refuse = [&] {
    return call.about("file").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  };
  if (!is_file_name(given) && !is_opened(given) && bytes_of_file(given))
    return call.about("file").fail("UnsupportedOperation", "fileno", Msg::file_not_opened_so, {"fileno"});
  const Value* const reads = is_opened(given) ? attribute_of(std::get<Object>(given.held), "_reads") : nullptr;
  if (reads && to_string(*reads) != "True") return refuse();
  const int64_t count = call.integer("count"), offset = call.integer("offset");
  const AskedDtype asked = asked_dtype(call);
  if (call.failed()) return {};
  const auto file = file_to_read(call, "file");
  if (call.failed()) return {};
  const auto place = file ? place_in(*file) : std::nullopt;
  if (!place || !apart || !apart->empty() || offset < 0 || place->at > place->size) return refuse();
  Tensor seen = read_as(*place->memory->tensor, asked);
  if (unit_of(seen) == 0) return refuse();  // of strings that nobody has counted
  const int64_t unit = unit_of(seen), begin = std::min(place->at + offset, place->size), rest = place->size - begin;
  const int64_t wanted = count < 0 ? rest / unit : std::min(count, rest / unit);
  seen.layout = Layout{{wanted}, {unit}, begin};
  const Elements elements = copied_elements(seen, seen.layout);
  const Value made = call.fresh(seen, contiguous({wanted}, unit), gather(elements, elements.dtype));
  if (call.failed()) return {};
  seek(*file, begin + wanted * unit);
  call.why(Msg::np_fromfile_headline, {wanted, dtype_text(seen)});
  if (const int64_t left = rest % unit; count < 0 && left > 0) call.why(Msg::np_fromfile_left, {left});
  return made;
}

}  // namespace

std::span<const Op> numpy_save_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.save(file, arr, allow_pickle=True, fix_imports=None)", Msg::op_np_save,
       "the elements alone, in C order, or in Fortran order where they lie in it",
       "x = np.arange(1000)\nnp.save('x.npy', x[:10])", save_row, Op::Structured::arrays},
      {Library::numpy, "np.savez(file, *args=(), allow_pickle=True, **kwds)", Msg::op_np_savez,
       "of each array the elements alone", "x = np.arange(6).reshape(2, 3)\nnp.savez('x.npz', a=x, b=x.T)", savez_row,
       Op::Structured::arrays},
      {Library::numpy,
       "np.load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding='ASCII', *, "
       "max_header_size=10000)",
       Msg::op_np_load, "a new array, packed, in the order in which the file has the elements",
       "x = np.arange(1000)\nnp.save('x.npy', x[::100])\ny = np.load('x.npy')", load_row},
      {Library::numpy, "x.tofile(fid, sep='', format='%s')", Msg::op_np_tofile,
       "the elements alone, in C order, whatever the strides",
       "x = np.arange(6, dtype=np.int16).reshape(2, 3)\nx.T.tofile('x.bin')", tofile_row, Op::Structured::arrays},
      {Library::numpy, "np.fromfile(file, dtype=float, count: int = -1, sep='', offset: int = 0, *, like=None)",
       Msg::op_np_fromfile, "one axis of as many elements as the file has bytes for",
       "x = np.arange(6, dtype=np.int16).reshape(2, 3)\nx.T.tofile('x.bin')\n"
       "y = np.fromfile('x.bin', dtype=np.int16)",
       fromfile_row, Op::Structured::arrays},
  };
  return rows;
}

}  // namespace stridescope
