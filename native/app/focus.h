// Which control the keyboard is on. Tab goes through the controls in the order they are drawn, in a menu or dialog the
// arrows as well; Enter and Space press them. The control is outlined once the keyboard has been used.
#pragma once
#include <imgui.h>

#include <vector>

struct ImGuiWindow;

namespace stridescope {

/// A key as the person pressed it.
struct KeyPress {
  int key = 0;        ///< GLFW_KEY_..
  int modifiers = 0;  ///< GLFW_MOD_..
};

class Focus {
 public:
  enum class Kind { button, text, slider };

  /// Notes the last widget as the next control in order. Text is entered as soon as the keyboard is on it; a slider is
  /// not pressed: it takes keys of its own.
  /// @return whether the keyboard is on it, and this is to be seen
  bool note(Kind kind, ImU32 colour, float width);
  /// Takes the keys that move or press.
  void answer(std::vector<KeyPress>& keys);
  /// Ends a frame: a menu that came up gets the keyboard, one that went gives it back.
  void end_frame();
  void leave() { shown_ = false; }

 private:
  struct Control {
    ImGuiID id;
    ImGuiID window;  ///< the menu, the dialog or the window it is in
    Kind kind;
  };
  std::vector<Control> reachable() const;
  void go(const Control& control);

  std::vector<Control> drawn_, last_;  ///< of this frame and of the one before
  std::vector<ImGuiID> below_;         ///< where the keyboard was when each open menu came up
  ImGuiID id_ = 0;
  bool shown_ = false, bring_ = false;
};

}  // namespace stridescope
