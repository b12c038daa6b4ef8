#include "ops/torch/pickled.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "layout/checked.h"
#include "ops/python/dictionary.h"
#include "ops/python/set.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

constexpr bool is_name_letter(char letter) {
  return letter == '_' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z');
}

/// Writes nothing, but counts. What was there once is told by its number, which takes two bytes, or five from 256 on.
class Pickler {
 public:
  Pickled made;
  bool failed = false;

  void value(const Value& value) {
    const void* const identity = identity_of(value);
    if (identity && recall(identity)) return;
    std::visit([&](const auto& held) { this->held(held); }, value.held);
    if (identity) remember(identity);
  }

 private:
  std::map<const void*, int64_t> places_;
  std::map<std::string, int64_t, std::less<>> words_;
  std::map<const Storage*, size_t> storages_;
  int64_t remembered_ = 0;

  static int64_t told(int64_t place) { return place < 256 ? 2 : 5; }
  /// Lists and dictionaries are remembered before what is in them: see there.
  static const void* identity_of(const Value& value) {
    if (const auto* tensor = std::get_if<TensorRef>(&value.held)) return tensor->get();
    const auto* sequence = std::get_if<Sequence>(&value.held);
    return sequence && sequence->kind != Sequence::Kind::list && !sequence->items->empty() ? sequence->items.get()
                                                                                           : nullptr;
  }
  void take(int64_t bytes) { made.bytes += bytes; }
  bool recall(const void* identity) {
    const auto known = places_.find(identity);
    if (known == places_.end()) return false;
    take(told(known->second));
    return true;
  }
  void remember(const void* identity) { take(told(places_[identity] = remembered_++)); }
  void remember() { take(told(remembered_++)); }
  /// A text, or a function or class by its name: one that was there is the same object.
  void word(std::string_view text, int64_t bytes) {
    if (const auto known = words_.find(text); known != words_.end()) return take(told(known->second));
    take(bytes);
    take(told(words_[std::string(text)] = remembered_++));
  }
  /// Equal texts are one object where Python makes them so: of one letter, or written like names.
  void text(std::string_view text) {
    const bool shared = text.size() < 2 || std::all_of(text.begin(), text.end(), is_name_letter);
    const std::string key = "x" + std::string(text);
    failed |= !shared && words_.count(key) > 0;
    word(key, 5 + static_cast<int64_t>(text.size()));
  }
  /// The name of a storage, which nothing else is where it has two digits.
  void number(size_t storage) {
    const std::string text = std::to_string(storage);
    word((text.size() < 2 ? "x" : "n") + text, 5 + static_cast<int64_t>(text.size()));
  }
  /// "torch._utils _rebuild_tensor_v2"
  void global(const std::string& name) { word("c" + name, 2 + static_cast<int64_t>(name.size())); }
  void integer(int64_t number) {
    if (number >= 0 && number < 65536) return take(number < 256 ? 2 : 3);
    if (number >= INT32_MIN && number <= INT32_MAX) return take(5);
    int64_t bytes = 1;
    while (bytes < 8 && (number >> (8 * bytes - 1)) != (number < 0 ? -1 : 0)) ++bytes;
    take(2 + bytes);
  }
  void integers(const Dims& numbers) {
    for (const int64_t number : numbers) integer(number);
    end_tuple(numbers.size());
  }
  /// Up to three items need no mark before them, none no place.
  void end_tuple(size_t count) {
    take(count > 3 ? 2 : 1);
    if (count > 0) remember();
  }
  /// OrderedDict()
  void no_hooks() {
    global("collections OrderedDict");
    take(2);
    remember();
  }

  void held(const None&) { take(1); }
  void held(bool) { take(1); }
  void held(int64_t number) { integer(number); }
  void held(const Float&) { take(9); }
  void held(const std::string& given) { text(given); }
  template <typename Other>
  void held(const Other&) {
    failed = true;
  }
  void held(const Symbol& symbol) {
    const auto dtype = as_dtype({symbol});
    if (!dtype || !symbol.path.starts_with("torch.")) return void(failed = true);
    global("torch " + std::string(name(*dtype)));
  }
  void held(const Sequence& sequence) {
    const size_t count = sequence.items->size();
    const auto items = [&] {
      for (const Value& item : *sequence.items) value(item);
    };
    if (sequence.kind == Sequence::Kind::list) {
      if (recall(sequence.items.get())) return;
      take(1);
      remember(sequence.items.get());
      items();
      return in_batches(count);
    }
    if (sequence.kind == Sequence::Kind::size) global("torch Size");
    if (sequence.kind > Sequence::Kind::size) return void(failed = true);
    items();
    take(count > 3 ? 2 : 1);
    if (sequence.kind == Sequence::Kind::tuple) return;  // who called remembers it, if it is not empty
    if (count > 0) remember();
    take(1);
    remember();
    take(1);
  }
  /// What is added to a list or a dictionary, a thousand at once, or one alone.
  void in_batches(size_t count) {
    for (; count > 0; count -= std::min<size_t>(count, 1000)) take(count == 1 ? 1 : 2);
  }
  void held(const Dictionary& dictionary) {
    const DictionaryItems& items = *dictionary.items;
    if (dictionary.view != Dictionary::View::whole || items.makes || items.fixed) return void(failed = true);
    if (recall(&items)) return;
    if (items.ordered) {
      global("collections OrderedDict");
      take(2);
    } else {
      take(1);
    }
    remember(&items);
    for (size_t i = 0; i < items.keys.size(); ++i) {
      value(items.keys[i]);
      value(items.values[i]);
    }
    in_batches(items.keys.size());
    if (!items.metadata) return;
    // What the dictionary has beside its items: {'_metadata': ..}
    take(1);
    remember();
    text("_metadata");
    value(*items.metadata);
    take(2);
  }

  /// torch._utils._rebuild_tensor_v2(storage, offset, sizes, strides, requires_grad, hooks); of a parameter
  /// torch._utils._rebuild_parameter(that, requires_grad, hooks)
  void held(const TensorRef& object) {
    const Tensor& tensor = *object->tensor;
    const std::string_view type = scalar_type_name(tensor.dtype);
    const bool newer = is_unsigned(tensor.dtype) && tensor.dtype != DType::uint8;
    if (tensor.library != Library::torch || newer || tensor.lens != Lens{} || tensor.window) return void(failed = true);
    if (object->parameter) global("torch._utils _rebuild_parameter");
    global("torch._utils _rebuild_tensor_v2");
    take(1);
    const auto [known, first] = storages_.emplace(tensor.storage.get(), made.storages.size());
    if (first) made.storages.push_back(object->tensor);
    take(1);
    text("storage");
    global("torch " + std::string(type) + "Storage");
    number(known->second);
    text("cpu");
    integer(tensor.storage_nbytes() / itemsize(tensor.dtype));
    take(1);
    remember();
    take(1);
    integer(tensor.layout.storage_offset);
    integers(tensor.layout.sizes);
    integers(tensor.layout.strides);
    take(1);
    no_hooks();
    take(1);
    remember();
    take(1);
    if (!object->parameter) return;
    remember();
    take(1);
    no_hooks();
    end_tuple(3);
    take(1);
  }
};

constexpr int64_t boundary = 64;

}  // namespace

std::optional<Pickled> pickled(const Value& value) {
  Pickler pickler;
  pickler.made.bytes = 3;  // which protocol it is, and the stop
  pickler.value(value);
  return pickler.failed ? std::nullopt : std::optional(std::move(pickler.made));
}

std::optional<Archive> archive_of(const Pickled& pickle, std::string_view name) {
  Archive archive;
  std::optional<int64_t> end = 0;
  int64_t directory = 76 + 22;  // its end, written twice
  const auto file = [&](std::string_view own, int64_t bytes) {
    const auto length = static_cast<int64_t>(name.size() + 1 + own.size());
    const auto begin = checked_add(end, 30 + length + 4 + boundary - 1);
    const auto last = checked_add(begin ? std::optional(*begin / boundary * boundary) : std::nullopt, bytes);
    end = checked_add(last, bytes > 0 ? 16 : 0);
    directory += 46 + length;
    return last.value_or(0);
  };
  archive.read_to = file("data.pkl", pickle.bytes);
  file("byteorder", 6);
  std::vector<std::pair<std::string, int64_t>> storages;
  for (size_t i = 0; i < pickle.storages.size(); ++i)
    storages.emplace_back(std::to_string(i), pickle.storages[i]->storage_nbytes());
  std::sort(storages.begin(), storages.end());
  std::map<std::string, int64_t> ends;  // of those that there is something to read of
  for (const auto& [number, bytes] : storages) {
    const int64_t last = file("data/" + number, bytes);
    if (bytes > 0) ends[number] = last;
  }
  for (size_t i = pickle.storages.size(); i-- > 0 && !ends.empty();)
    if (const auto read = ends.find(std::to_string(i)); read != ends.end()) {
      archive.read_to = read->second;  // which is read last
      break;
    }
  file("version", 2);
  file(".data/serialization_id", 40);
  const auto bytes = checked_add(end, directory);
  if (!bytes || *bytes > UINT32_MAX) return std::nullopt;
  archive.bytes = *bytes;
  return archive;
}

}  // namespace stridescope
