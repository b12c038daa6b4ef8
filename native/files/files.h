// Programs in, results out: files and the standard streams, with every failure in words.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stridescope.h"

namespace stridescope {

/// What went wrong with a file, and what to do about it.
struct FileProblem {
  Message reason;
  Message hint;
  std::string file{};  ///< where the reason does not name it
};

/// The text of a program; `path` "-" is the standard input.
/// @post at most max_source_bytes bytes, no NUL, no byte order mark; nothing beyond the limit has been read, so a
///       file of any size, a device or an endless pipe is answered at once
std::variant<std::string, FileProblem> read_program(const std::string& path);

/// A text of at most max_picture_bytes, whatever it says.
std::variant<std::string, FileProblem> read_text(const std::string& path);

/// A program to be looked at as usual, or the document that a picture carries (see render/carried.h).
struct Opened {
  Document document;
  bool picture = false;
};
/// @post as of read_program(); of a picture at most max_picture_bytes have been read
std::variant<Opened, FileProblem> read_document(const std::string& path);

/// Puts `bytes` into a file, all of them or none: they go to a new file in the same folder, which then takes the
/// old one's name and permissions. "-" (the standard output), devices and pipes are written directly.
std::optional<FileProblem> write_whole(const std::string& path, std::string_view bytes);

struct File {
  std::string path, bytes;
};
/// Several files, all of them or none: no name is taken over before all bytes are on the disk.
std::optional<FileProblem> write_whole(const std::vector<File>& files);

/// No where it cannot be found out; what is done with the path then says why.
bool is_folder(const std::string& path);

/// A stream line by line, each as soon as it is there; "-" is the standard input.
class LineReader {
 public:
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// A longer line is cut off there.
  static constexpr size_t longest_line = 16 << 20;
  /// The next line without its end; nothing at the end of the stream, or when it cannot be read (any further).
  std::optional<std::string> next();
  const std::optional<FileProblem>& problem() const { return problem_; }

 private:
  std::string path_;
  int descriptor_;
  std::string ahead_;  ///< read, but not yet asked for
  std::optional<FileProblem> problem_;
};

}  // namespace stridescope
