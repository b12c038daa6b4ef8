// Files. What matters is how much of the memory is written: a tensor takes its whole storage along, and what is loaded
// has sizes, strides and offset as they were.
#include <algorithm>

#include "layout/extent.h"
#include "ops/files.h"
#include "ops/python/dictionary.h"
#include "ops/python/set.h"
#include "ops/rows.h"
#include "ops/torch/pickled.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Beyond so many cells that follow no simple pattern a tensor counts as reading as many as it has elements.
constexpr int64_t max_counted = 1 << 12;

constexpr std::string_view by_save = "torch.save";

/// What is said of a file that stands where loading it has ended: what follows, "PK", is no pickle.
constexpr const char* behind = "persistent IDs in protocol 0 must be ASCII strings";
constexpr const char* behind_limited =
    "Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only` argument in "
    "`torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely "
    "succeed, but it can result in arbitrary code execution. Do it only if you got the file from a trusted source.\n"
    "Please file an issue with the following so that we can make `weights_only=True` compatible with your use case: "
    "WeightsUnpickler error: Unsupported operand 80\n\nCheck the documentation of torch.load to learn more about types "
    "accepted by default with weights_only https://pytorch.org/docs/stable/generated/torch.load.html.";

/// Adds the tensors of PyTorch's that a value is made of.
/// @return whether nothing is in it that a file would hold by its name alone, or not at all
bool add_tensors(const Value& value, std::vector<TensorPtr>& tensors) {
  if (const TensorPtr tensor = tensor_of(value)) {
    if (tensor->library == Library::torch) tensors.push_back(tensor);
    return true;
  }
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const auto* dictionary = std::get_if<Dictionary>(&value.held);
  const bool plain = std::holds_alternative<None>(value.held) || std::holds_alternative<bool>(value.held) ||
                     std::holds_alternative<int64_t>(value.held) || std::holds_alternative<Float>(value.held) ||
                     std::holds_alternative<std::string>(value.held) || set_in(value) != nullptr;
  const bool held = plain || (sequence && sequence->kind <= Sequence::Kind::size) ||
                    (dictionary && dictionary->view == Dictionary::View::whole) ||
                    (std::holds_alternative<Symbol>(value.held) && as_dtype(value));
  const auto parts = parts_of(value);
  return held && std::all_of(parts.begin(), parts.end(), [&](const Value& part) { return add_tensors(part, tensors); });
}

/// The first on each storage.
std::vector<TensorPtr> one_each(const std::vector<TensorPtr>& tensors) {
  std::vector<TensorPtr> storages;
  for (const TensorPtr& tensor : tensors)
    if (std::none_of(storages.begin(), storages.end(),
                     [&](const TensorPtr& other) { return other->shares_storage(*tensor); }))
      storages.push_back(tensor);
  return storages;
}

int64_t bytes_read(const Tensor& tensor) {
  return distinct_cells(tensor.layout, max_counted).value_or(*numel(tensor.layout.sizes)) * itemsize(tensor.dtype);
}

/// What the files in the archive stand under: its own name without what is behind the last dot, "archive" where it has
/// none.
std::string archive_name(const Value& file) {
  const auto* path = std::get_if<std::string>(&file.held);
  if (!path) return "archive";
  const std::string own = path->substr(path->rfind('/') + 1);
  return own.substr(0, own.rfind('.'));
}

/// Writes the archive. Where it is not known how long that is, nobody knows what is in the file.
void write(Call& call, const Object& file) {
  const Value& value = call.value("obj");
  const auto pickle = pickled(value);
  const auto archive = pickle ? archive_of(*pickle, archive_name(call.value("f"))) : std::nullopt;
  const auto* path = std::get_if<std::string>(&call.value("f").held);
  if (!archive && path) return void(call.numbering().files.erase(*path));
  if (!archive) return void(call.about("obj").refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())}));
  const Elements bytes{unknown_contents(DType::uint8, archive->bytes), {{archive->bytes}, {1}, 0}, DType::uint8};
  put(call, file, std::span(&bytes, 1), {by_save, kept_apart(value), archive->read_to});
}

Value save_row(Call& call) {
  const Value& file = call.value("f");
  const auto* path = std::get_if<std::string>(&file.held);
  const bool stream = bytes_of_file(file).has_value();
  if ((std::holds_alternative<Object>(file.held) && !stream) || call.given("pickle_module"))
    return call.about("f").refuse(Msg::not_modelled, {"PyTorch", "torch.save(.., " + type_name(file) + ")"});
  if (!path && !stream)
    return call.about("f").fail("AttributeError",
                                "expected 'f' to be string, path, or a file-like object with a 'write' attribute",
                                Msg::argument_has_type, {"f", "str", type_name(file)});
  std::vector<TensorPtr> tensors;
  const bool held = add_tensors(call.value("obj"), tensors), named = stream || is_file_name(file);
  // Which folders there are nobody knows here.
  if (!held || !named || (path && archive_name(file).empty()))
    return call.about(held ? "f" : "obj").refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
  int64_t bytes = 0;
  const std::vector<TensorPtr> storages = one_each(tensors);
  for (const TensorPtr& one : storages) {
    const auto sum = checked_add(bytes, one->storage_nbytes());
    if (!sum) return call.refuse(Msg::beyond_int64);
    bytes = *sum;
  }
  if (const auto to = file_to_write(call, "f"); to && !call.failed()) write(call, *to);
  call.relation(Relation::none);
  if (tensors.size() != 1) {
    if (!tensors.empty()) call.why(Msg::save_storages, {storages.size(), bytes, tensors.size()});
    return {};
  }
  const Tensor& tensor = *tensors.front();
  const int64_t read = bytes_read(tensor);
  call.why(read < bytes ? Msg::save_whole : Msg::save_all, {bytes, read});
  const auto packed = checked_mul(*numel(tensor.layout.sizes), itemsize(tensor.dtype));
  if (packed && *packed < bytes) call.why(Msg::save_clone, {*packed});
  return {};
}

/// The tensors of a saved value, each on the storage that it was on.
class Loaded {
 public:
  explicit Loaded(Call& call) : call_(call) {}

  Value tensor(const TensorRef& saved) {
    const Tensor& old = *saved->tensor;
    if (old.library != Library::torch) return unsafe_ = true, Value{};
    auto& storage = storages_[old.storage.get()];
    Value made;
    if (!storage) {
      made = call_.fresh(old.dtype, old.layout, old.storage->contents);
    } else {
      Tensor other;
      other.dtype = old.dtype;
      other.layout = old.layout;
      other.storage = storage;
      made = call_.make(std::move(other), Relation::fresh);
    }
    if (call_.failed()) return {};
    const TensorRef& object = std::get<TensorRef>(made.held);
    Tensor now = *object->tensor;
    storage = now.storage;
    storage->drawn |= old.storage->drawn;
    storage->made_up |= old.storage->made_up;
    now.lens = old.lens;
    now.requires_grad = old.requires_grad;
    if (now.version) now.seen_version = *now.version = 1;  // it was given its storage
    object->parameter = saved->parameter;
    object->tensor = std::make_shared<const Tensor>(std::move(now));
    all_.push_back(object->tensor);
    return made;
  }

  const std::vector<TensorPtr>& all() const { return all_; }
  /// Whether there was what only a pickle without its limits gives.
  bool unsafe() const { return unsafe_; }

 private:
  Call& call_;
  std::map<const Storage*, std::shared_ptr<Storage>> storages_;
  std::vector<TensorPtr> all_;
  bool unsafe_ = false;
};

/// Whether it says no more than that all is to be where it was, on the one device that there is.
bool stays(const Value& device) { return is_none(device) || to_string(device).find("cpu") != std::string::npos; }

Value load_row(Call& call) {
  const auto refuse = [&] { return call.about("f").refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())}); };
  if (!stays(call.value("map_location")) || call.given("pickle_module") || call.given("mmap")) return refuse();
  const bool limited = !call.given("weights_only") || call.boolean("weights_only");
  const auto file = file_to_read(call, "f");
  if (call.failed()) return {};
  const auto place = file ? place_in(*file) : std::nullopt;
  if (!place) return refuse();
  if (place->at == place->size)
    return call.about("f").fail("EOFError", limited ? "" : "Ran out of input", Msg::file_at_end, {place->size}),
           call.hint(Msg::hint_seek), Value{};
  const auto& saved = call.numbering().saved;
  if (std::any_of(saved.begin(), saved.end(), [&](const SavedPart& one) {
        return one.file == file->attributes && one.by == by_save && one.read_to == place->at;
      }))
    return call.about("f").fail("UnpicklingError", limited ? behind_limited : behind, Msg::file_read, {place->at}),
           call.hint(Msg::hint_seek), Value{};
  const SavedPart* const part = part_here(call, *file, by_save);
  // Another archive behind it, or something before it, would be taken for a part of it.
  if (!part || part->begin != 0 || part->end != place->size) return refuse();
  Loaded loaded(call);
  const Value value = Anew([&](const TensorRef& tensor) { return loaded.tensor(tensor); }).of(part->value);
  if (call.failed()) return {};
  if (loaded.unsafe()) return refuse();
  seek(*file, part->read_to);
  call.relation(loaded.all().empty() ? Relation::none : Relation::fresh);
  const std::vector<TensorPtr> storages = one_each(loaded.all());
  int64_t bytes = 0;
  for (const TensorPtr& one : storages) bytes += one->storage_nbytes();
  if (loaded.all().size() > 1) {
    call.why(Msg::load_storages, {storages.size(), bytes, loaded.all().size()});
  } else if (!storages.empty()) {
    const Tensor& tensor = *storages.front();
    call.why(Msg::load_headline, {to_string(tensor.layout), bytes});
    if (const int64_t read = bytes_read(tensor); read < bytes) call.why(Msg::load_whole, {bytes, read});
  }
  return value;
}

}  // namespace

std::span<const Op> torch_save_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.save(obj, f, pickle_module=None, pickle_protocol: int = 2, _use_new_zipfile_serialization=True)",
       Msg::op_save, "every storage whole, each once; of a tensor sizes, strides and offset",
       "x = torch.arange(1000)\ntorch.save(x[:10], 'x.pt')", save_row},
      {Library::torch, "torch.load(f, map_location=None, pickle_module=None, *, weights_only: bool = None, mmap=None)",
       Msg::op_load, "new storages as they were saved; sizes, strides and offset as they were",
       "x = torch.arange(1000)\ntorch.save(x[:10], 'x.pt')\ny = torch.load('x.pt')", load_row},
  };
  return rows;
}

}  // namespace stridescope
