#include "files/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace stridescope {
namespace {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  /// Closing can be where a full disk is reported.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

std::string reason_of(int error) { return std::generic_category().message(error); }

FileProblem unreadable(const std::string& path, int error) {
  return {{Msg::file_unreadable, {path, reason_of(error)}}, {Msg::hint_file_unreadable, {}}};
}

FileProblem unwritable(const std::string& path, int error) {
  return {{Msg::file_unwritable, {path, reason_of(error)}}, {Msg::hint_file_unwritable, {}}};
}

int open_to_read(const std::string& path) {
  return path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

/// At least one byte; 0 at the end, -1 on failure.
ssize_t read_some(int descriptor, char* to, size_t most) {
  ssize_t got;
  do got = ::read(descriptor, to, most);
  while (got < 0 && errno == EINTR);
  return got;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr size_t most_of_a_program = max_source_bytes + byte_order_mark.size() + 1;

/// Appends until there are `most` bytes or no more.  @return  0, or the error
int read_to(int descriptor, std::string& bytes, size_t most) {
  for (ssize_t got = 1; got != 0 && bytes.size() < most;) {
    const size_t before = bytes.size();
    bytes.resize(std::min(most, std::max(2 * before, most_of_a_program)));
    got = read_some(descriptor, bytes.data() + before, bytes.size() - before);
    const int error = errno;
    bytes.resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got < 0) return error;
  }
  return 0;
}

std::variant<std::string, FileProblem> as_program(const std::string& path, std::string text) {
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  if (const size_t nul = text.find('\0'); nul != std::string::npos)
    return FileProblem{{Msg::file_binary, {path, static_cast<int64_t>(nul)}}, {Msg::hint_file_binary, {}}};
  if (text.size() > max_source_bytes)
    return FileProblem{{Msg::file_too_long, {path, max_source_bytes}}, {Msg::hint_file_too_long, {}}};
  return text;
}

/// A file that did not exist before, beside `path`.
std::pair<int, std::string> create_beside(const std::string& path) {
  const std::filesystem::path target(path);
  for (int attempt = 0;; ++attempt) {
    const std::string name =
        "." + target.filename().string() + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
    const std::string beside = (target.parent_path() / name).string();
    const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return {descriptor, beside};
  }
}

/// A file's new content in a file of its own until it takes the old one's place.
class Replacement {
 public:
  Replacement() = default;
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement() {
    if (!beside_.empty()) ::unlink(beside_.c_str());
  }

  /// Writes everything that can be written without touching what is there.
  std::optional<FileProblem> prepare(const std::string& path, std::string_view bytes) {
    path_ = path;
    struct stat old {};
    const bool exists = path != "-" && ::stat(path.c_str(), &old) == 0;
    if (path != "-" && !exists && errno != ENOENT) return unwritable(path, errno);
    if (exists && S_ISDIR(old.st_mode)) return unwritable(path, EISDIR);
    if (exists && ::access(path.c_str(), W_OK) != 0) return unwritable(path, errno);
    if (path == "-" || (exists && !S_ISREG(old.st_mode))) {
      direct_ = bytes;
      return {};
    }
    // A link keeps pointing at the file that is replaced.
    std::error_code unresolved;
    target_ = exists ? std::filesystem::canonical(path, unresolved).string() : path;
    if (unresolved) return unwritable(path, unresolved.value());
    const auto [descriptor, beside] = create_beside(target_);
    Descriptor file(descriptor);
    if (!file.open()) return unwritable(path, errno);
    beside_ = beside;
    if (!write_all(file.number(), bytes) || (exists && ::fchmod(file.number(), old.st_mode & 07777) != 0) ||
        !file.close())
      return unwritable(path, errno);
    return {};
  }

  /// @pre prepare() had no problem
  std::optional<FileProblem> commit() {
    if (target_.empty()) return write_directly();
    if (::rename(beside_.c_str(), target_.c_str()) != 0) return unwritable(path_, errno);
    beside_.clear();
    return {};
  }

 private:
  std::optional<FileProblem> write_directly() const {
    Descriptor device(path_ == "-" ? STDOUT_FILENO : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    const bool written = device.open() && write_all(device.number(), direct_) && (path_ == "-" || device.close());
    if (!written) return unwritable(path_, errno);
    return {};
  }

  std::string path_, target_, beside_;
  std::string_view direct_;  ///< for the standard output, a device or a pipe
};

}  // namespace

std::variant<std::string, FileProblem> read_program(const std::string& path) {
  const Descriptor file(open_to_read(path));
  if (!file.open()) return unreadable(path, errno);
  std::string text;
  if (const int error = read_to(file.number(), text, most_of_a_program)) return unreadable(path, error);
  return as_program(path, std::move(text));
}

std::variant<std::string, FileProblem> read_text(const std::string& path) {
  const Descriptor file(open_to_read(path));
  if (!file.open()) return unreadable(path, errno);
  std::string text;
  if (const int error = read_to(file.number(), text, max_picture_bytes)) return unreadable(path, error);
  return text;
}

std::variant<Opened, FileProblem> read_document(const std::string& path) {
  const Descriptor file(open_to_read(path));
  if (!file.open()) return unreadable(path, errno);
  std::string bytes;
  if (const int error = read_to(file.number(), bytes, most_of_a_program)) return unreadable(path, error);
  if (!is_picture(bytes)) {
    auto program = as_program(path, std::move(bytes));
    if (auto* problem = std::get_if<FileProblem>(&program)) return std::move(*problem);
    return Opened{{std::get<std::string>(std::move(program)), {}}, false};
  }
  if (const int error = read_to(file.number(), bytes, max_picture_bytes)) return unreadable(path, error);
  auto found = document_in(bytes);
  if (const auto* reason = std::get_if<Message>(&found)) return FileProblem{*reason, {Msg::hint_figure, {}}, path};
  return Opened{std::get<Document>(std::move(found)), true};
}

std::optional<FileProblem> write_whole(const std::string& path, std::string_view bytes) {
  Replacement replacement;
  if (auto problem = replacement.prepare(path, bytes)) return problem;
  return replacement.commit();
}

std::optional<FileProblem> write_whole(const std::vector<File>& files) {
  std::vector<Replacement> replacements(files.size());
  for (size_t i = 0; i < files.size(); ++i)
    if (auto problem = replacements[i].prepare(files[i].path, files[i].bytes)) return problem;
  for (Replacement& replacement : replacements)
    if (auto problem = replacement.commit()) return problem;
  return {};
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

LineReader::LineReader(const std::string& path) : path_(path), descriptor_(open_to_read(path)) {
  if (descriptor_ < 0) problem_ = unreadable(path, errno);
}

LineReader::~LineReader() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

std::optional<std::string> LineReader::next() {
  std::string line;
  const auto take = [&](size_t count) { line.append(ahead_, 0, std::min(count, longest_line - line.size())); };
  while (!problem_) {
    if (const size_t end = ahead_.find('\n'); end != std::string::npos) {
      take(end);
      ahead_.erase(0, end + 1);
      return line;
    }
    take(ahead_.size());
    ahead_.resize(1 << 16);
    const ssize_t got = read_some(descriptor_, ahead_.data(), ahead_.size());
    ahead_.resize(got > 0 ? static_cast<size_t>(got) : 0);
    if (got < 0) problem_ = unreadable(path_, errno);
    if (got == 0) return line.empty() ? std::nullopt : std::optional(line);
  }
  return {};
}

}  // namespace stridescope
