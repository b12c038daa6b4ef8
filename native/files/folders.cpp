#include "files/folders.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace stridescope {
namespace {

std::filesystem::path folder(const char* variable, const char* usual) {
  // A relative path in the variable is to be ignored, as the specification has it.
  if (const char* given = std::getenv(variable); given && *given == '/')
    return std::filesystem::path(given) / "stridescope";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return std::filesystem::path(home) / usual / "stridescope";
  return {};
}

}  // namespace

std::filesystem::path config_folder() { return folder("XDG_CONFIG_HOME", ".config"); }
std::filesystem::path state_folder() { return folder("XDG_STATE_HOME", ".local/state"); }

std::optional<Stamp> stamp_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
#ifdef __APPLE__
  const timespec changed = found.st_mtimespec;
#else
  const timespec changed = found.st_mtim;
#endif
  return Stamp{int64_t{changed.tv_sec} * 1'000'000'000 + changed.tv_nsec, int64_t{found.st_size},
               uint64_t{found.st_ino}};
}

bool is_running(int process) { return ::kill(process, 0) == 0 || errno == EPERM; }
int this_process() { return static_cast<int>(::getpid()); }

}  // namespace stridescope
