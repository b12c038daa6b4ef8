#include "export/faces.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>

#include <utility>

namespace stridescope {
namespace {

/// One character of UTF-8.  @pre !text.empty()
std::pair<FcChar32, size_t> first_character(std::string_view text) {
  FcChar32 code = 0;
  const int size = FcUtf8ToUcs4(reinterpret_cast<const FcChar8*>(text.data()), &code, static_cast<int>(text.size()));
  return size > 0 ? std::pair(code, static_cast<size_t>(size)) : std::pair(FcChar32{0xFFFD}, size_t{1});
}

/// As the SVG names them (see render/svg.cpp); the weight is CSS's 600 where bold.
constexpr const char* family_names[] = {"JetBrains Mono,DejaVu Sans Mono,monospace",
                                        "JetBrains Mono,DejaVu Sans Mono,monospace:semibold",
                                        "Inter,DejaVu Sans,sans-serif", "Inter,DejaVu Sans,sans-serif:semibold"};

}  // namespace

/// The faces of one name in the order of preference; beyond the first they are looked for when they are needed.
struct Faces::Family {
  struct Member {
    FcPattern* pattern;
    cairo_font_face_t* face;  ///< null until it is used
  };

  explicit Family(const char* name) : wanted(FcNameParse(reinterpret_cast<const FcChar8*>(name))) {
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result;
    if (FcPattern* best = FcFontMatch(nullptr, wanted, &result)) members.push_back({best, nullptr});
  }
  ~Family() {
    for (const Member& member : members) {
      if (member.face) cairo_font_face_destroy(member.face);
      FcPatternDestroy(member.pattern);
    }
    FcPatternDestroy(wanted);
  }

  static bool has(const Member& member, FcChar32 character) {
    FcCharSet* characters = nullptr;
    return FcPatternGetCharSet(member.pattern, FC_CHARSET, 0, &characters) == FcResultMatch &&
           FcCharSetHasChar(characters, character);
  }

  void look_further() {
    looked_further = true;
    FcResult result;
    FcFontSet* all = FcFontSort(nullptr, wanted, FcTrue, nullptr, &result);
    if (!all) return;
    for (int i = 0; i < all->nfont; ++i)
      members.push_back({FcFontRenderPrepare(nullptr, wanted, all->fonts[i]), nullptr});
    FcFontSetDestroy(all);
  }

  cairo_font_face_t* face_for(FcChar32 character) {
    for (size_t i = 0;; ++i) {
      if (i == members.size() && !looked_further) look_further();
      if (i == members.size()) return members.empty() ? nullptr : used(members.front());
      if (has(members[i], character)) return used(members[i]);
    }
  }

  static cairo_font_face_t* used(Member& member) {
    if (!member.face) member.face = cairo_ft_font_face_create_for_pattern(member.pattern);
    return member.face;
  }

  FcPattern* wanted;
  std::vector<Member> members;
  bool looked_further = false;
};

Faces::Faces() = default;
Faces::~Faces() = default;

std::vector<Stretch> Faces::stretches(Face face, std::string_view text) {
  auto& family = families_[static_cast<size_t>(face)];
  if (!family) family = std::make_unique<Family>(family_names[static_cast<size_t>(face)]);
  std::vector<Stretch> list;
  for (size_t at = 0; at < text.size();) {
    const auto [character, size] = first_character(text.substr(at));
    cairo_font_face_t* fitting = family->face_for(character);
    if (list.empty() || list.back().face != fitting)
      list.push_back({fitting, text.substr(at, size)});
    else
      list.back().text = {list.back().text.data(), list.back().text.size() + size};
    at += size;
  }
  return list;
}

}  // namespace stridescope
