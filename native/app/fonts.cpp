#include "app/fonts.h"

#include <backends/imgui_impl_opengl3.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <imgui_freetype.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

namespace stridescope {
namespace {

namespace fs = std::filesystem;

/// File names of faces, the most wanted first. The first family that is there lends all its weights.
struct Family {
  const char* regular;
  const char* bold;
  int number = 0;
};
constexpr std::array monospaced{
    Family{"JetBrainsMono-Regular.ttf", "JetBrainsMono-SemiBold.ttf"}, Family{"DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"},
    Family{"LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"},   Family{"NotoSansMono-Regular.ttf", "NotoSansMono-Bold.ttf"},
    Family{"Menlo.ttc", "Menlo.ttc"},
};
constexpr std::array sans_serif{
    Family{"Inter-Regular.otf", "Inter-SemiBold.otf"},
    Family{"Inter-Regular.ttf", "Inter-SemiBold.ttf"},
    Family{"DejaVuSans.ttf", "DejaVuSans-Bold.ttf"},
    Family{"LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"},
    Family{"NotoSans-Regular.ttf", "NotoSans-Bold.ttf"},
};
constexpr std::array chinese{
    Family{"NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc", 2},  // the third face of the collection is Simplified Chinese
    Family{"NotoSansCJKsc-Regular.otf", "NotoSansCJKsc-Bold.otf"},
    Family{"SourceHanSansSC-Regular.otf", "SourceHanSansSC-Bold.otf"},
    Family{"wqy-microhei.ttc", ""},
    Family{"wqy-zenhei.ttc", ""},
    Family{"DroidSansFallbackFull.ttf", ""},
    Family{"PingFang.ttc", ""},
};

/// Every template of the catalogue, so that no face is made again when a sentence is first shown.
std::string all_words(Language language) {
  std::string words;
  for (int id = 0; id < message_count; ++id) words += plain({static_cast<Msg>(id), std::vector<Arg>(16, Arg(""))}, language);
  return words;
}

std::vector<fs::path> font_folders() {
  std::vector<fs::path> folders;
  const auto variable = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  const std::string home = variable("HOME"), data = variable("XDG_DATA_HOME");
  if (!data.empty()) folders.emplace_back(fs::path(data) / "fonts");
  if (!home.empty()) {
    folders.emplace_back(fs::path(home) / ".local/share/fonts");
    folders.emplace_back(fs::path(home) / ".fonts");
    folders.emplace_back(fs::path(home) / "Library/Fonts");
  }
  std::string shared = variable("XDG_DATA_DIRS");
  std::istringstream listed(shared.empty() ? "/usr/local/share:/usr/share" : shared + ":/usr/share");
  for (std::string folder; std::getline(listed, folder, ':');) folders.emplace_back(fs::path(folder) / "fonts");
  folders.emplace_back("/System/Library/Fonts");
  return folders;
}

/// Every font file by its name; the folder searched first wins.
std::map<std::string, fs::path> font_files() {
  std::map<std::string, fs::path> files;
  for (const fs::path& folder : font_folders()) {
    std::error_code error;
    fs::recursive_directory_iterator file(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && file != end; file.increment(error)) files.emplace(file->path().filename().string(), file->path());
  }
  return files;
}

std::string bytes_of(const std::string& path) {
  std::error_code error;
  std::string bytes(path.empty() ? 0 : fs::file_size(path, error), '\0');
  std::ifstream file(path, std::ios::binary);
  if (error || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
  return bytes;
}

bool is_chinese(ImWchar character) { return character >= 0x2E80; }

}  // namespace

Fonts::Fonts() {
  const auto files = font_files();
  const auto choose = [&](const auto& families, auto& regular, auto& bold) {
    for (const Family& family : families) {
      const auto file = files.find(family.regular), bold_file = files.find(family.bold);
      if (file == files.end()) continue;
      regular = source_of(file->second, family.number);
      bold = bold_file == files.end() ? regular : source_of(bold_file->second, family.number);
      return;
    }
  };
  choose(monospaced, faces_[Face::mono], faces_[Face::mono_bold]);
  faces_[Face::sans] = faces_[Face::mono];
  faces_[Face::sans_bold] = faces_[Face::mono_bold];
  choose(sans_serif, faces_[Face::sans], faces_[Face::sans_bold]);
  choose(chinese, chinese_, chinese_bold_);
  need(all_words(Language::english));
}

Fonts::Source Fonts::source_of(const fs::path& file, int number) const {
  Source source{.file = file.string(), .number = number};
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  if (FT_Init_FreeType(&library) != 0) return source;
  if (FT_New_Face(library, source.file.c_str(), number, &face) == 0) {
    if (face->units_per_EM > 0)
      source.line = static_cast<float>(face->ascender - face->descender) / static_cast<float>(face->units_per_EM);
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return source;
}

Fonts::Sized Fonts::at(Face face, float em) {
  em = std::round(em * 8) / 8;
  if (sizes_.emplace(face, em).second) due_ = true;
  const auto exact = made_.find({face, em});
  if (exact != made_.end()) return {exact->second.font, exact->second.font->FontSize};
  const Made* nearest = nullptr;
  for (const auto& [key, made] : made_)
    if (!nearest || (key.first == face && std::abs(made.em - em) < std::abs(nearest->em - em))) nearest = &made;
  return {nearest->font, nearest->font->FontSize * em / nearest->em};
}

void Fonts::need(std::string_view text) {
  ImFontGlyphRangesBuilder characters;
  characters.AddText(text.data(), text.data() + text.size());
  for (int word = 0; word < characters.UsedChars.Size; ++word)
    for (int bit = 0; bit < 32 && characters.UsedChars[word] != 0; ++bit)
      if (characters.UsedChars[word] >> bit & 1)
        if (characters_.insert(static_cast<ImWchar>(word * 32 + bit)).second) due_ = true;
}

bool Fonts::prepare() {
  if (!due_) return false;
  due_ = false;
  if (sizes_.empty()) sizes_.emplace(Face::sans, 14.0f);
  const bool with_chinese = chinese_ && !characters_.empty() && is_chinese(*characters_.rbegin());
  if (with_chinese) need(all_words(Language::chinese)), due_ = false;

  ImFontGlyphRangesBuilder characters;
  characters.AddRanges(ImGui::GetIO().Fonts->GetGlyphRangesDefault());
  for (const ImWchar character : characters_) characters.AddChar(character);
  ranges_.clear();
  characters.BuildRanges(&ranges_);

  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (built_) ImGui_ImplOpenGL3_DestroyFontsTexture();
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  made_.clear();
  // A file is held once for all its sizes, and only while faces are made: those with Chinese characters are large.
  std::map<std::string, std::string> files;
  const auto add = [&](const Source& source, float em, bool merge) -> ImFont* {
    ImFontConfig config;
    config.FontNo = source.number;
    config.SizePixels = em * source.line;
    config.OversampleH = config.OversampleV = 1;
    config.GlyphRanges = ranges_.Data;
    config.MergeMode = merge;
    config.FontDataOwnedByAtlas = false;
    const auto [file, first_time] = files.try_emplace(source.file);
    if (first_time) file->second = bytes_of(source.file);
    if (file->second.empty()) return merge ? nullptr : atlas.AddFontDefault(&config);
    return atlas.AddFontFromMemoryTTF(file->second.data(), static_cast<int>(file->second.size()), config.SizePixels, &config, ranges_.Data);
  };
  for (const auto& [face, em] : sizes_) {
    made_[{face, em}] = {add(faces_[face], em, false), em};
    if (with_chinese) add(face == Face::mono || face == Face::sans ? *chinese_ : *chinese_bold_, em, true);
  }
  atlas.Build();
  atlas.ClearInputData();
  if (built_) ImGui_ImplOpenGL3_CreateFontsTexture();
  built_ = true;
  return true;
}

std::optional<Message> Fonts::note() const {
  if (faces_.at(Face::mono).file.empty()) return Message{Msg::app_no_face, {}};
  if (!chinese_ && !characters_.empty() && is_chinese(*characters_.rbegin())) return Message{Msg::app_no_chinese_face, {}};
  return {};
}

}  // namespace stridescope
