// Letters: faces found on this machine, made for ImGui in the sizes and with the characters that are in use.
#pragma once
#include <imgui.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "stridescope.h"

namespace stridescope {

enum class Face : uint8_t { mono, mono_bold, sans, sans_bold };

class Fonts {
 public:
  /// Looks into the platform's font folders; whatever is missing is replaced and noted.
  Fonts();

  /// A font and the size to give ImGui with it. Size and scale differ where the wanted size has yet to be made.
  struct Sized {
    ImFont* font = nullptr;
    float size = 0;
  };
  /// @param em  height of the em square in pixels, what CSS calls font-size
  /// @pre   prepare() has been called once
  Sized at(Face face, float em);

  /// Announces characters that will be drawn.
  void need(std::string_view text) { add(text, characters_); }
  /// Announces every sentence of a language, so that no face is made again when one is first shown.
  void speak(Language language);
  /// Makes the characters that need() has asked for, and where there is time (20 ms and more) the sizes that at() has.
  /// @pre between frames  @post whether anything was made
  bool prepare(bool time);
  /// Whether sizes wait for time.
  bool wait() const { return sizes_due_; }
  /// How often letters were made.
  int times() const { return times_; }
  /// Gives the letters' texture back.  @pre  the OpenGL context is current
  void clear();

  /// What the person should know: faces that are missing and that `language` or a text needs.
  std::optional<Message> note() const;

 private:
  struct Source {
    std::string file;            ///< empty: the face built into ImGui
    int number = 0;              ///< of the face in a collection
    float line = 13 * 0.6f / 7;  ///< height from ascent to descent in em, the unit ImGui counts sizes in; of the
                                 ///< built-in face: 13 pixels, where letters are 7 wide and a letter is 0.6 em
  };
  struct Made {
    ImFont* font;
    float em;
  };
  Source source_of(const std::filesystem::path& file, int number) const;

  std::map<Face, Source> faces_;
  std::optional<Source> chinese_, chinese_bold_;
  void add(std::string_view text, std::set<ImWchar>& to);
  bool chinese_needed() const;
  void forget_unused();
  void upload();

  std::map<std::pair<Face, float>, int> sizes_;  ///< asked for, with the frame that last did
  std::set<ImWchar> characters_, words_;         ///< announced; of the catalogue
  std::map<std::pair<Face, float>, Made> made_;
  std::set<Language> spoken_;
  ImVector<ImWchar> latin_, wide_, all_wide_;
  unsigned texture_ = 0;
  int frame_ = 0, times_ = 0;
  bool characters_due_ = true, sizes_due_ = true;
};

}  // namespace stridescope
