// The window's panels. Each draws its part of the model into the room it gets, once a frame.
#pragma once
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "app/advice.h"
#include "app/focus.h"
#include "app/model.h"
#include "app/paint.h"

namespace stridescope {

/// What a wheel was turned by since the last frame.
struct Wheel {
  double x = 0, y = 0;  ///< in notches, up and to the left
  int modifiers = 0;    ///< GLFW_MOD_.. that are held
  double rest = 0;      ///< of a wheel that turns by less than a step at a time

  /// The whole steps in a turn, `a_notch` of them each.
  int whole(double turned, double a_notch) {
    if (rest * turned < 0) rest = 0;
    rest += turned * a_notch;
    const double steps = std::trunc(rest);
    rest -= steps;
    return static_cast<int>(steps);
  }
};

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
  std::string edited;        ///< the source as the editor last had it
  int cursor = -1;           ///< byte of the source that the text cursor is before; -1 where it is not in the code
  int cursor_wanted = -1;    ///< byte of the source that the text cursor is put at
  bool code_wanted = false;  ///< the keyboard is to be on the code
  Advice advice;
  /// The program's parts, of the text that they were last found in.
  struct Coloured {
    std::string source;
    std::vector<Syntax> parts;
  } coloured;
  int words_drawn = 0;                                              ///< in this frame that point at something
  enum class Words { why, layout, walk, hand } words = Words::why;  ///< what the lowest panel at the left shows
  /// Of changing the tensor by hand.
  struct Hand {
    std::string can;  ///< what gestures() says of picture number `about`
    int about = -1;
    std::string refused;  ///< why the last gesture could not be done
    std::string tried;    ///< the gesture that would be done now, of this frame
    int dragged = -1;     ///< axis
    Layout raw;           ///< as the sliders have it, of tensor object `picture` of program `source`
    int picture = -1;
    std::string source;
    int rank = 2;  ///< of the shapes that are listed
    struct Menu {
      int64_t index = 0, from = 0, to = 1, step = 1, size = 2;
      int dim = -1;
    } menu;              ///< the numbers in the menu of an axis
    int64_t poked = -1;  ///< element whose new value is asked for
    std::string value;
  } hand;
  /// Of the handle that reshapes the grid.
  struct Corner {
    struct Rectangle {
      std::string gesture;
      std::string text;  ///< what it would be
      double columns = 1;
    };
    int about = -1;  ///< the picture it is the corner of
    bool dragged = false;
    ImVec2 from;  ///< where the pointer took it
    std::vector<Rectangle> list{};
    int start = -1, chosen = -1;  ///< in the list
    /// The one that is tried; null where it is as it was.
    const Rectangle* tried() const {
      return chosen < 0 || chosen == start ? nullptr : &list[static_cast<size_t>(chosen)];
    }
  } corner;
  /// A box that is being cut out of the grid (box.cpp).
  struct Cut {
    int64_t from = -1, to = -1;  ///< elements in two corners of it; below 0 there is none
    int64_t head = -1;           ///< where the read head is meanwhile; elsewhere the box is let go
    int object = -1, step = -1;  ///< what it is of, in program `source`
    std::string source{};
    bool dragged = false;           ///< by the pointer
    std::string gesture{}, line{};  ///< what it would be, and the code of that
    bool open() const { return from != to; }
  } cut;
  /// The picture of a gesture that is only tried.
  struct Trial {
    std::string gesture;
    int about = -1;
    Scene scene{};
  } trial;
  /// In which room a figure found no place beside the others: there the picture is as high as it needs, and scrolls.
  std::string crowded;
  /// Of cells that a line written by hand has changed: they flash.
  struct Flash {
    bool due = false;   ///< with the next picture
    double begun = -1;  ///< in seconds; below 0 there is none
  } flash;
  /// What is guessed of a step.
  struct Guessing {
    AskedAbout about;
    Guess guess{};
  } guessing;
  /// The problem that is said under its line of code.
  struct Below {
    bool shown = false;
    Span span;
    Box box{};  ///< of what is said, as last drawn
  } below;
  Focus focus;
  std::string focused;  ///< the control that the keyboard is on, by its name
  bool shift = false;   ///< the key is held
  Wheel wheel;
  std::vector<KeyPress> keys;           ///< of this frame, not answered yet
  std::vector<Box> extents;             ///< of the picture's items, as drawn
  std::map<std::string, Box> controls;  ///< where things to point at are, in pixels of the window

  float px(float nominal) const { return nominal * scale; }
  float hairline() const { return scale < 2 ? 1.0f : std::floor(scale); }
  ImU32 colour(Role role) const { return packed(color(model.theme(), role, 0)); }
  /// Uses a face until the matching ImGui::PopFont().
  void push(Face face, float nominal);
  /// Notes the last widget: where it is, and that the keyboard can go there.
  /// @return whether the keyboard is on it
  bool control(const std::string& name, Focus::Kind kind = Focus::Kind::button);
  /// Notes where the last widget is.
  void place(const std::string& name);
  /// Whether a key was pressed; it is answered by this.
  bool take(int key, int modifiers = 0);
};

/// The whole window.
void draw_window(Interface& ui);
/// Answers to the keys that no control has taken.
void answer_keys(Interface& ui);

void draw_bar(Interface& ui);
void draw_notices(Interface& ui);
void draw_dialogs(Interface& ui);
/// What a dialog of the examples holds.  @pre model.finding  @return whether it stays
bool draw_examples(Interface& ui);
void draw_code(Interface& ui);
void draw_steps(Interface& ui);
void draw_words(Interface& ui);
void draw_explanation(Interface& ui);
/// The question about the step while one guesses first, and what came of guessing.
void draw_question(Interface& ui);
void draw_inspector(Interface& ui);
void draw_walk(Interface& ui);
void draw_hand(Interface& ui);
void draw_view_bar(Interface& ui);
void draw_stage(Interface& ui);
/// The handle at the grid's corner.  @pre inside the window of the picture
void draw_corner(Interface& ui);
/// What a gesture would be, in a small frame above everything, inside `room` as far as it fits.
void draw_badge(Interface& ui, ImVec2 low, const Box& room, const std::string& text, Face face);
/// The pointer is held on an element of the grid.  @return whether a box is cut out by it
bool drag_box(Interface& ui, int64_t element, bool begins);
/// The box over the picture; written once the pointer no longer holds it.  @pre inside the window of the picture
void draw_box(Interface& ui, bool held);
/// Answers to the keys of a box.
void answer_box(Interface& ui);
/// Takes the read head along the dimensions by the keys that are pressed with these modifiers.
void walk_by_keys(Interface& ui, int modifiers);
/// The picture as it would be if it were let go now; null where nothing is tried.
const Scene* tried_picture(Interface& ui);
void draw_transport(Interface& ui);

/// "1234567" as "1 234 567".
std::string grouped(std::string digits);

/// The tensor that the read head walks over; null where there is none.
TensorPtr subject_tensor(const Model& model);
/// Writes the line of code that does a gesture (ops/gesture.h) to that tensor, or says why there is none.
void do_gesture(Interface& ui, const std::string& gesture);

/// Whether one of two targets is the other or a part of it: a tensor has axes and elements.
bool related(const Target& a, const Target& b);

/// Runs of text, wrapped at the right edge; a run with a target is marked, and lights it up under the pointer and when
/// the keyboard is on it.
void draw_line(Interface& ui, const Line& line, Role role, Face face = Face::sans);

/// What is wrong, with a button for each fix, which is control `name` and its number.
void draw_problem(Interface& ui, const Diagnostic& problem, const std::string& name);

/// A problem whose place in the code is to be seen.
struct MarkedProblem {
  const Diagnostic* problem;
  Box line;  ///< from edge to edge
  Box text;  ///< what it is about
  Box mark;  ///< the word at the right; may be empty
};
/// Says under its line what is wrong while the pointer is on it.  @pre inside the window of the code
void draw_problem_below(Interface& ui, const std::vector<MarkedProblem>& marked);

/// A button that opens a list of choices; between its being open and ImGui::EndCombo() come the choices.
bool begin_choice(Interface& ui, const char* name, Msg label, const std::string& word, float width);

/// Cells that have just been changed by hand, lit up for a moment.  @pre inside the window of the picture
void draw_flash(Interface& ui);

/// A choice among a few words; the words are always those of the choice itself.
template <class Value>
void choice(Interface& ui, const char* name, Msg label, float width, Value& value,
            const std::vector<std::pair<Value, std::string>>& words) {
  std::string chosen;
  for (const auto& [each, word] : words)
    if (each == value) chosen = word;
  if (!begin_choice(ui, name, label, chosen, width)) return;
  for (const auto& [each, word] : words) {
    ui.fonts.need(word);
    if (ImGui::Selectable(word.c_str(), each == value)) value = each;
    ui.control(std::string(name) + " " + word);
  }
  ImGui::EndCombo();
}

/// A line between panels.
void draw_rule(Interface& ui, ImVec2 from, float length, bool upright);

/// What a step is to its input, in a word and a role; no word where no tensor came of it.
struct Mark {
  std::string word;
  Role role = Role::text_muted;
};
Mark mark_of(const Model& model, const Step& step);
/// Which round or call the header of a loop or function begins, or is behind; "" of anything else.
std::string round_of(const Model& model, const Step& step);

}  // namespace stridescope
