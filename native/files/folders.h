// Where the platform wants settings and state to be kept (the XDG base directories).
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace stridescope {

/// $XDG_CONFIG_HOME/stridescope, else ~/.config/stridescope; empty where neither is known.
std::filesystem::path config_folder();
/// $XDG_STATE_HOME/stridescope, else ~/.local/state/stridescope; empty where neither is known.
std::filesystem::path state_folder();

/// What tells one version of a file from another.
struct Stamp {
  int64_t changed = 0;  ///< nanoseconds
  int64_t size = 0;
  uint64_t inode = 0;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};
/// Nothing where there is no such file.
std::optional<Stamp> stamp_of(const std::string& path);

/// Whether a process of this machine is running.
bool is_running(int process);
int this_process();

}  // namespace stridescope
