// Drives the window by commands instead of a person: for tests, and for pictures of the window.
//
// One command a line; each is answered by one line of JSON on the standard output once the window has settled:
// {} or what was asked for, {"error": TEXT} where it could not be done.
//
//   point X Y            moves the pointer, in pixels of the window
//   press, release       the left button; shift+ after it where that key is held
//   wheel TURN           turns the wheel by so many notches, up where it is more than 0, after ctrl+ and so on where
//                        they are held
//   key NAME             space, left, right, up, down, home, end, page_up, page_down, escape, enter, tab, backspace,
//                        f1, f11, plus, minus, period, 0 or a letter, each after ctrl+, shift+ or alt+ where they are
//                        held
//   type TEXT            types the rest of the line
//   drop FILE            drops a file on the window
//   clipboard TEXT       puts the rest of the line on the clipboard
//   resize WIDTH HEIGHT  in pixels of the window
//   settle MILLISECONDS  lets time pass
//   screenshot FILE      writes the window as a PPM image
//   state                -> {"document", "source", "step", "steps", "head", "phase", "elements", "hover", "playing",
//                            "file", "unsaved", "problem", "room": [width, height] of the picture, "pictures",
//                            "letters": how often each has been made, "text": its size, "focus": the control with the
//                            keyboard, "clipboard", "box": the line that a box being cut out of the grid would be,
//                            "saving": null or [made, of how many] pictures, "frame": milliseconds of the slowest frame
//                            since this was last asked, until its last pixel was there,
//                            "controls": {NAME: [left, top, right, bottom]..}}
//   geometry             -> {"origin": [x, y], "scale", "scene": [width, height],
//                            "items": [{"kind", "box": [left, top, right, bottom]}..]}: what the window's picture was
//                            drawn with, in pixels of the scene
//   close                asks the window to close, as its close button does
//   quit                 ends at once
#pragma once
#include "app/window.h"

namespace stridescope {

/// Obeys a file of commands ("-": the standard input) until it ends or the window closes.
/// @return the exit status: 0 where every command could be done
int obey(Window& window, Model& model, const std::string& script);

}  // namespace stridescope
