// What stands behind, in and beside the lines of the program.
#pragma once
#include <string_view>
#include <vector>

#include "app/interface.h"

namespace stridescope {

/// The lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

struct Page {
  Interface& ui;
  ImVec2 text;  ///< top left corner of the first letter
  float line_height;
  float left, right;  ///< of the panel
  ImFont* font;
  float size;

  float top(int line) const { return text.y + static_cast<float>(line - 1) * line_height; }
  float width(std::string_view piece) const {
    return font->CalcTextSizeA(size, FLT_MAX, 0, piece.data(), piece.data() + piece.size()).x;
  }
  /// Where the letter at a byte of a text begins.
  float caret(std::string_view source, int at) const;
  /// The bytes of `span` that lie on its first line.
  Box box(std::string_view source, const Span& span) const;

  /// The shade behind a line.
  void ground(int line, Role role) const;
  void number(int line) const;
  /// A wave under what is wrong.
  void wave(const Box& about) const;
  /// The letters that are to be seen, each part of the program in its colour.
  void letters(const std::string& source) const;
  /// A word at the right edge of the line that a span begins in, where there is room.
  void aside(const Span& span, const std::string& word) const;
  /// Where one writes, and the bracket there with its mate.
  void cursor(const std::string& source, int at) const;
  /// What became of a line, at its right: in full, or as one word, or not at all, by the room there is; lit up while
  /// what is pointed at is of its tensor.
  /// @return from its beginning to the edge; empty where there is none
  Box outcome(const Step& step, const std::vector<std::string_view>& lines) const;
};

}  // namespace stridescope
