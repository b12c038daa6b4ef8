// A window of the desktop with OpenGL and ImGui in it.
#pragma once
#include <GLFW/glfw3.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/interface.h"
#include "app/screen.h"

namespace stridescope {

class Window {
 public:
  /// @return a message where no window can be had (no display, no OpenGL 3.3)
  static std::variant<std::unique_ptr<Window>, FileProblem> open(Model& model);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Handles what has happened, then draws one frame. Where `wait` is set and nothing goes on, sleeps until something
  /// happens, and draws nothing if that is nothing to be seen.
  void frame(bool wait);
  bool closed() const { return model_.closing; }

  Interface& interface() { return interface_; }
  GLFWwindow* handle() { return window_; }

  /// A pointer that is moved by a script, in place of the real one.
  struct Pointer {
    bool used = false, pressed = false;
    bool shift = false;  ///< that key is held
    ImVec2 at;
  };
  Pointer pointer;

  struct Pixels {
    int width = 0, height = 0;
    std::vector<unsigned char> rgb;  ///< rows from the top, three bytes a pixel
  };
  /// Notes that somebody does something.
  void touched();
  /// Notes that nobody has done anything for a while.
  void rest() { touched_ = -1; }
  /// Notes that the wheel was turned, with what keys held.
  void turn(double x, double y, int modifiers);

  /// The slowest frame since this was last set, in milliseconds until its last pixel was there; nothing is measured
  /// while there is no number.
  std::optional<double> slowest;

  /// Draws a frame and reads it back.
  Pixels picture();

 private:
  Window(GLFWwindow* window, Model& model);
  void wake();
  void watch();
  bool rested() const;
  void fill_the_screen(bool wanted);
  /// @return whether it looks different from the frame before
  bool draw(Pixels* picture = nullptr);

  GLFWwindow* window_;
  Model& model_;
  Fonts fonts_;
  Rasters rasters_;
  Screen screen_;
  Interface interface_;
  std::vector<KeyPress> keys_;
  double watched_ = 0;      ///< when files were last looked at, in seconds
  double touched_ = -1;     ///< when somebody last did something
  Settings kept_settings_;  ///< as they are in their file
  std::string kept_text_;   ///< unsaved text as it is in its file; empty where there is none
  bool told_ = false;       ///< that they cannot be kept
  bool filling_ = false;    ///< the whole screen
  int place_[4] = {};       ///< of the window before it filled the screen
  int styled_theme_ = -1;
  float styled_scale_ = 0;
  std::string title_;
  bool exposed_ = true;  ///< the window's own pixels may be gone
  int lively_ = 4;       ///< frames still to draw before the window may sleep: ImGui settles in a few
};

}  // namespace stridescope
