// Files in memory: an io.BytesIO, what open() gives, and what was saved by a name (ops/python/files.inc). Nothing of
// the machine is read or written; which files there are, but for those that the program wrote, nobody knows here.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "ops/call.h"

namespace stridescope {

/// The io.BytesIO that a value is, or that an open file reads and writes; nothing of others.
std::optional<Object> bytes_of_file(const Value& value);

/// Whether it is what open() gives; and whether that, or what np.load gives of several arrays, which say what they are.
bool is_opened(const Value& value);
bool is_told_file(const Value& value);

/// Where it stands and how many bytes it has; nothing of one that is closed, or that the program has made unusable.
struct FilePlace {
  TensorRef memory;  ///< uint8
  int64_t at = 0, size = 0;
};
std::optional<FilePlace> place_in(const Object& file);
void seek(const Object& file, int64_t at);

/// The file that argument `f` is: a name that has none is given an empty one, and `suffix` where it does not end so.
/// Nothing: it is none of these, or it is not open so, and the call has failed; `closed` is what is said of one that
/// was closed.
std::optional<Object> file_to_write(Call& call, const char* f, std::string_view suffix = "",
                                    const char* closed = "write to closed file");
/// The same for reading, from its begin where it is a name. The call is refused where it has not been written here.
std::optional<Object> file_to_read(Call& call, const char* f, std::string_view suffix = "");
/// Whether it is a name, with that behind it, that a file may have here: in the folder where the program runs, or in
/// /tmp.
bool is_file_name(const Value& value, std::string_view suffix = "");

/// Writes the elements, one after the other, where the file stands, and remembers what they are, if `by` says so.
/// @pre the part's `read_to` counts from where it begins  @post of the call failed nothing is written
void put(Call& call, const Object& file, std::span<const Elements> pieces, SavedPart part);
/// What begins where the file stands, saved so; null where nothing does.
const SavedPart* part_here(Call& call, const Object& file, std::string_view by);
/// What was written over is no saved part any more.
void forget_parts(Numbering& numbering, const Object& file, int64_t begin, int64_t end);

/// What the lines of ops/python/files.inc ask of the engine:
///   file(name)  the io.BytesIO by that name, or None; False of what names no file here
///   name_file(name, file)  from now on, or None no more
///   forget_saved(file, begin, end)  as forget_parts()         bytes(array)  what an array of uint8 holds, as bytes
Value asked_of_files(std::string_view question, const std::vector<Value>& given, Numbering& numbering);

/// A value with its lists, dictionaries, sets and tensors made anew, each of them once.
class Anew {
 public:
  explicit Anew(std::function<Value(const TensorRef&)> tensor) : tensor_(std::move(tensor)) {}
  Value of(const Value& value);

 private:
  std::function<Value(const TensorRef&)> tensor_;
  std::map<const void*, Value> made_;
};
/// The value as it is now, with storages of its own, which later writes do not reach.
Value kept_apart(const Value& value);

}  // namespace stridescope
