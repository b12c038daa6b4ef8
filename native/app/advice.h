// What the engine knows while one writes: names that fit at the cursor, and what the call it is in takes.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "stridescope.h"

namespace stridescope {

struct Interface;

class Advice {
 public:
  /// The program was typed at: thinks anew of what could come at byte `cursor`, in it.
  void typed(const std::string& source, int cursor, Language language);
  /// Nothing is to be advised, until the next letter.
  void leave() { *this = {}; }

  /// Whether names are offered, and the keys below are for them.
  bool offers() const { return !names_.empty(); }
  void choose(int by);
  /// Puts the chosen name into the program, a callable with its brackets.
  /// @pre offers()  @return where the cursor belongs
  int accept(std::string& source);

  /// Draws the names below a line of code, or the call above it, from `left` on.
  /// @return whether a name was clicked
  bool draw(Interface& ui, float left, float top, float bottom);

 private:
  struct Name {
    std::string text, detail, summary;
    bool called = false;  ///< with brackets
  };
  /// How a call may be written, and the argument that is being written.
  struct Form {
    std::string signature, summary;
    Span now;
  };

  bool draw_names(Interface& ui);
  void draw_form(Interface& ui) const;

  std::vector<Name> names_;
  Span replaced_;
  int chosen_ = 0;
  std::optional<Form> form_;
};

}  // namespace stridescope
