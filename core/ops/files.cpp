#include "ops/files.h"

#include <algorithm>

#include "layout/contiguity.h"
#include "ops/lent_memory.h"
#include "ops/numpy/numpy.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/python.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

constexpr std::string_view temporary = "/tmp/";

bool is_class(const Object& object, std::string_view name) {
  const Class* type = object.from ? nullptr : object.type.get();
  while (type && type->name != name) type = type->base.get();
  return type != nullptr;
}

/// The memory of a file without a byte.
TensorRef no_bytes(Call& call) {
  Tensor none;
  none.library = Library::numpy;
  none.dtype = DType::uint8;
  none.layout = Layout{{0}, {1}, 0};
  none.storage = std::make_shared<Storage>();
  none.storage->id = call.numbering().storages++;
  none.storage->dtype = DType::uint8;
  none.storage->contents = constant_contents({DType::uint8}, 0);
  const Value made = call.make(std::move(none), Relation::none);
  const auto* memory = std::get_if<TensorRef>(&made.held);
  return memory ? *memory : nullptr;
}

std::string name_of_file(const Value& name, std::string_view suffix) {
  std::string path = std::get<std::string>(name.held);
  return path.ends_with(suffix) ? path : path + std::string(suffix);
}

/// Whether it is open, and for what is to be done; else the call fails.
bool is_ready(Call& call, const char* f, const char* what, const char* closed) {
  const Value& given = call.value(f);
  const auto* object = std::get_if<Object>(&given.held);
  const auto says = [&](std::string_view name, bool wanted) {
    const Value* const own = object ? attribute_of(*object, name) : nullptr;
    const auto* truth = own ? std::get_if<bool>(&own->held) : nullptr;
    return truth && *truth == wanted;
  };
  const bool opened = is_opened(given);
  if (opened && says(what == std::string_view("read") ? "_reads" : "_writes", false))
    return call.about(f).fail("UnsupportedOperation", what, Msg::file_not_opened_so, {what}), false;
  if (!says(opened ? "closed" : "_shut", true)) return true;
  call.about(f).fail("ValueError", opened ? closed : "I/O operation on closed file.", Msg::file_closed);
  return false;
}

/// Whether anybody has a part of the memory: a memory view, an array on it.
bool is_lent(const Call& call, const TensorRef& memory) { return has_views(call, memory); }

}  // namespace

std::optional<Object> bytes_of_file(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  if (!object) return std::nullopt;
  if (is_class(*object, "_io.BytesIO")) return *object;
  if (!is_class(*object, "_io._Opened")) return std::nullopt;
  const Value* const raw = attribute_of(*object, "raw");
  return raw ? bytes_of_file(*raw) : std::nullopt;
}

bool is_opened(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  return object && is_class(*object, "_io._Opened");
}

bool is_told_file(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  return is_opened(value) || (object && is_class(*object, "numpy.lib.npyio.NpzFile"));
}

std::optional<FilePlace> place_in(const Object& file) {
  const TensorRef memory = memory_kept({file});
  const Value* const at = attribute_of(file, "_at");
  const auto* place = at ? std::get_if<int64_t>(&at->held) : nullptr;
  if (!memory || !place || *place < 0) return std::nullopt;
  const Tensor& bytes = *memory->tensor;
  const bool whole = bytes.dtype == DType::uint8 && bytes.layout.rank() == 1 && bytes.layout.storage_offset == 0 &&
                     is_contiguous(bytes.layout) && bytes.layout.sizes[0] == bytes.storage->nbytes;
  if (!whole) return std::nullopt;
  return FilePlace{memory, *place, bytes.storage->nbytes};
}

void seek(const Object& file, int64_t at) { keep(file, "_at", Value{at}); }

bool is_file_name(const Value& value, std::string_view suffix) {
  const auto* path = std::get_if<std::string>(&value.held);
  if (!path) return false;
  const std::string_view own = path->starts_with(temporary) ? std::string_view(*path).substr(temporary.size()) : *path;
  return !(own.empty() && suffix.empty()) && own.find('/') == own.npos && own.find('\0') == own.npos && own != "." &&
         own != "..";
}

std::optional<Object> file_to_write(Call& call, const char* f, std::string_view suffix, const char* closed) {
  const Value& given = call.value(f);
  if (!is_ready(call, f, "write", closed)) return std::nullopt;
  if (!is_file_name(given, suffix)) return bytes_of_file(given);
  const TensorRef memory = no_bytes(call);
  if (!memory) return std::nullopt;
  const Object made{class_of_library("_io.BytesIO"), std::make_shared<DictionaryItems>()};
  keep(made, "_memory", Value{memory});
  seek(made, 0);
  return std::get<Object>((call.numbering().files[name_of_file(given, suffix)] = Value{made}).held);
}

std::optional<Object> file_to_read(Call& call, const char* f, std::string_view suffix) {
  const Value& given = call.value(f);
  const bool torch = call.form().op->library == Library::torch;  // which asks first where it stands
  if (!is_ready(call, f, "read", torch ? "I/O operation on closed file" : "read of closed file")) return std::nullopt;
  if (!is_file_name(given, suffix)) return bytes_of_file(given);
  const auto& files = call.numbering().files;
  const auto found = files.find(name_of_file(given, suffix));
  if (found == files.end()) return call.about(f).refuse(Msg::file_not_known, {to_string(given)}), std::nullopt;
  auto file = bytes_of_file(found->second);
  if (file) seek(*file, 0);
  return file;
}

void put(Call& call, const Object& file, std::span<const Elements> pieces, SavedPart part) {
  const auto place = place_in(file);
  if (!place) return void(call.refuse(Msg::not_modelled, {"Python", call.written(call.span())}));
  if (is_lent(call, place->memory))
    return void(call.fail("BufferError", "Existing exports of data: object cannot be re-sized", Msg::buffer_exported));
  std::optional<int64_t> end = place->at;
  for (const Elements& piece : pieces)
    end = checked_add(end, checked_mul(numel(piece.layout.sizes), itemsize(piece.dtype)));
  if (!end) return void(call.refuse(Msg::beyond_int64));
  const int64_t size = std::max(place->size, *end);
  ContentsPtr contents = constant_contents({DType::uint8}, size);
  const auto write = [&](const Elements& from, int64_t at) {
    Layout where = contiguous(from.layout.sizes, itemsize(from.dtype));
    where.storage_offset = at;
    if (contents && numel(from.layout.sizes) != 0) contents = patch(contents, {nullptr, where, from.dtype}, from);
  };
  write(elements_of(*place->memory->tensor), 0);
  int64_t at = place->at;
  for (const Elements& piece : pieces) {
    write(piece, at);
    at += *numel(piece.layout.sizes) * itemsize(piece.dtype);
  }
  if (!contents) contents = unknown_contents(DType::uint8, size);
  forget_parts(call.numbering(), file, place->at, *end);
  call.replace_storage(*place->memory->tensor, std::move(contents), size);
  call.change(place->memory, Layout{{size}, {1}, 0});
  call.relation(Relation::none);
  seek(file, *end);
  if (part.by.empty()) return;
  part.file = file.attributes;
  part.begin = place->at;
  part.end = *end;
  part.read_to += place->at;
  call.numbering().saved.push_back(std::move(part));
}

const SavedPart* part_here(Call& call, const Object& file, std::string_view by) {
  const auto place = place_in(file);
  if (!place || is_lent(call, place->memory)) return nullptr;
  const auto& saved = call.numbering().saved;
  const auto found = std::find_if(saved.begin(), saved.end(), [&](const SavedPart& one) {
    return one.file == file.attributes && one.begin == place->at && one.by == by;
  });
  return found == saved.end() ? nullptr : &*found;
}

void forget_parts(Numbering& numbering, const Object& file, int64_t begin, int64_t end) {
  auto& saved = numbering.saved;
  const auto is_hit = [&](const SavedPart& one) {
    return one.file == file.attributes && one.begin < end && begin < one.end;
  };
  saved.erase(std::remove_if(saved.begin(), saved.end(), is_hit), saved.end());
}

Value asked_of_files(std::string_view question, const std::vector<Value>& given, Numbering& numbering) {
  if (question == "bytes") {
    const TensorPtr array = tensor_of(given[0]);
    if (!array || array->layout.rank() != 1) return {};  // the program has put it there
    const Elements items = elements_of(*array);
    const int64_t count = array->layout.sizes[0];
    if (count > static_cast<int64_t>(max_text) || !is_known(*items.contents) || !is_quick(items, count)) {
      const Object lazy{class_of_library("builtins._Bytes"), std::make_shared<DictionaryItems>()};
      keep(lazy, "_memory", given[0]);
      return {lazy};
    }
    std::vector<Value> bytes;
    for (int64_t i = 0; i < count; ++i) bytes.push_back(python_value(element(items, i)));
    return list_of(std::move(bytes), Sequence::Kind::bytes);
  }
  if (question == "forget_saved") {
    const auto begin = as_integer(given[1]), end = as_integer(given[2]);
    if (const auto file = bytes_of_file(given[0]); file && begin && end) forget_parts(numbering, *file, *begin, *end);
    return {};
  }
  const auto* name = std::get_if<std::string>(&given[0].held);
  if (!name || !is_file_name(given[0])) return {false};
  if (question == "file") {
    const auto found = numbering.files.find(*name);
    return found == numbering.files.end() ? Value{} : found->second;
  }
  if (is_none(given[1]))
    numbering.files.erase(*name);
  else
    numbering.files[*name] = given[1];
  return {};
}

Value Anew::of(const Value& value) {
  const auto* tensor = std::get_if<TensorRef>(&value.held);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const Dictionary* const dictionary = dictionary_in(value);
  const Set* const set = set_in(value);
  const void* const identity = tensor ? static_cast<const void*>(tensor->get()) : object_of(value);
  if (const auto known = made_.find(identity); identity && known != made_.end()) return known->second;
  Value made = value;
  if (tensor) {
    made = tensor_(*tensor);
  } else if (set) {
    made = Value{Set{std::make_shared<SetItems>(*set->items), set->fixed}};
  } else if (dictionary) {
    const auto items = std::make_shared<DictionaryItems>(*dictionary->items);
    for (Value& item : items->values) item = of(item);
    made = Value{Dictionary{items}};
  } else if (sequence && sequence->kind <= Sequence::Kind::size) {
    std::vector<Value> items;
    for (const Value& item : *sequence->items) items.push_back(of(item));
    made = Value{Sequence{sequence->kind, std::make_shared<std::vector<Value>>(std::move(items))}};
  }
  if (identity) made_.emplace(identity, made);
  return made;
}

Value kept_apart(const Value& value) {
  std::map<const Storage*, std::shared_ptr<Storage>> storages;
  return Anew([&](const TensorRef& tensor) {
           Tensor now = *tensor->tensor;
           auto& storage = storages[now.storage.get()];
           if (!storage) storage = std::make_shared<Storage>(*now.storage);
           now.storage = storage;
           now.base_tensor = nullptr;
           now.grad_fn = nullptr;
           auto kept = std::make_shared<TensorObject>();
           kept->tensor = std::make_shared<const Tensor>(std::move(now));
           kept->parameter = tensor->parameter;
           return Value{TensorRef(std::move(kept))};
         })
      .of(value);
}

}  // namespace stridescope
