// The window's panels. Each draws its part of the model into the room it gets, once a frame.
#pragma once
#include <cmath>
#include <map>
#include <string>

#include "app/model.h"
#include "app/paint.h"

namespace stridescope {

/// What lasts from frame to frame although nothing of it is worth keeping.
struct Interface {
  Model& model;
  Fonts& fonts;
  Rasters& rasters;
  float scale = 1;  ///< pixels of the window per nominal pixel

  Target hover;              ///< found under the pointer in this frame
  int written_line = -1;     ///< line of the text cursor, counted from 1
  int shown_step = -2;       ///< the step that the list and the code were last scrolled to
  int loaded_pictures = -1;  ///< the picture that the rasters hold
  ImVec2 stage_origin;       ///< where the picture's top left corner was put
  float stage_scale = 1;     ///< pixels of the window per pixel of the picture
  bool note_read = false;    ///< what is missing on this machine has been read and put away
  bool escape = false;       ///< the Escape key was pressed
  std::vector<Extent> extents;             ///< of the picture's items, as drawn
  std::map<std::string, Extent> controls;  ///< where things to point at are, in pixels of the window

  float px(float nominal) const { return nominal * scale; }
  float hairline() const { return scale < 2 ? 1.0f : std::floor(scale); }
  ImU32 colour(Role role) const { return packed(color(model.theme(), role, 0)); }
  /// Uses a face until the matching ImGui::PopFont().
  void push(Face face, float nominal);
  /// Notes where the last widget is.
  void control(const std::string& name);
};

/// The whole window.
void draw_window(Interface& ui);

void draw_code(Interface& ui);
void draw_steps(Interface& ui);
void draw_explanation(Interface& ui);
void draw_stage(Interface& ui);
void draw_transport(Interface& ui);

/// Runs of text, wrapped at the right edge; a run with a target is marked, and lights it up under the pointer.
void draw_line(Interface& ui, const Line& line, Role role, Face face = Face::sans);

/// A button that opens a list of choices; between its being open and ImGui::EndCombo() come the choices.
bool begin_choice(Interface& ui, const char* name, Msg label, const std::string& word, float width);

/// A line between panels.
void draw_rule(Interface& ui, ImVec2 from, float length, bool upright);

/// What a step is to its input, in a word and a role; no word where no tensor came of it.
struct Mark {
  std::string word;
  Role role = Role::text_muted;
};
Mark mark_of(const Model& model, const Step& step);

}  // namespace stridescope
