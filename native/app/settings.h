// What the window remembers from one start to the next, apart from any document.
#pragma once
#include <string>
#include <vector>

#include "stridescope.h"

namespace stridescope {

struct Settings {
  Language language = Language::english;
  ThemeId theme = ThemeId::light;
  double text = 1;                   ///< size of everything, beside what the screen asks for
  double left = 0.3125;              ///< of the window's width: the panels beside the picture
  double code = 0.32, steps = 0.32;  ///< of the height
  int picture_width = 920;           ///< of pictures that are saved, in pixels
  double picture_scale = 2;          ///< pixels of a PNG for each of them
  bool show_code = true, show_steps = true, show_words = true, show_view = true;
  std::vector<std::string> recent;  ///< files, the latest first
  std::string page;                 ///< the page's address, as the last link had it, without a fragment

  friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr double least_text = 0.7, most_text = 2.5;
inline constexpr size_t most_recent = 8;
inline constexpr int least_picture_width = 200, most_picture_width = 10'000;
inline constexpr double least_picture_scale = 0.1, most_picture_scale = 16;

/// What was kept; what cannot be read is as usual.
Settings load_settings();
/// Writes them whole; a reason where that cannot be done.
std::string keep_settings(const Settings& settings);

/// Puts a file in front of the recent ones.
void remember(Settings& settings, const std::string& file);

/// Text that is not in any file yet, as it is found after a crash.
struct Unsaved {
  std::string kept;  ///< the file it was kept in
  Document document;
  std::string file;  ///< what it is to be saved as; may be empty
};

/// Keeps text until forget_unsaved(); a reason where that cannot be done.
std::string keep_unsaved(const Document& document, const std::string& file);
void forget_unsaved();
/// What an instance that is no longer running has kept.
std::vector<Unsaved> find_unsaved();

}  // namespace stridescope
