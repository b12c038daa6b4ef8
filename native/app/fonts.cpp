#include "app/fonts.h"

#include <GLFW/glfw3.h>
#include <fcntl.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <imgui_freetype.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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
    Family{"JetBrainsMono-Regular.ttf", "JetBrainsMono-SemiBold.ttf"},
    Family{"DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"},
    Family{"LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"},
    Family{"NotoSansMono-Regular.ttf", "NotoSansMono-Bold.ttf"},
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
    Family{"NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc",
           2},  // the third face of the collection is Simplified Chinese
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
  for (int id = 0; id < message_count; ++id) {
    Message message(static_cast<Msg>(id));
    message.args.resize(16);
    words += plain(message, language);
  }
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

/// A file as memory, read where it is looked at: those with Chinese characters are 20 MB, of which little is used.
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    std::error_code error;
    size_ = path.empty() ? 0 : fs::file_size(path, error);
    const int file = error || size_ == 0 ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void* memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    if (memory != MAP_FAILED) data_ = memory;
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() {
    if (data_) ::munmap(data_, size_);
  }
  void* data() const { return data_; }  ///< null where there is no such file
  int size() const { return static_cast<int>(size_); }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

/// As many as two windows' worth: a size that is made again is missed for a frame.
constexpr size_t most_sizes = 24;

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
  speak(Language::english);
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
  const auto [wanted, is_new] = sizes_.try_emplace({face, em}, frame_);
  wanted->second = frame_;
  if (is_new) sizes_due_ = true;
  const auto exact = made_.find({face, em});
  if (exact != made_.end()) return {exact->second.font, exact->second.font->FontSize};
  const Made* nearest = nullptr;
  for (const auto& [key, made] : made_)
    if (!nearest || (key.first == face && std::abs(made.em - em) < std::abs(nearest->em - em))) nearest = &made;
  return {nearest->font, nearest->font->FontSize * em / nearest->em};
}

void Fonts::add(std::string_view text, std::set<ImWchar>& to) {
  const auto ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };  // made always
  const size_t first = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), ascii) - text.begin());
  if (first == text.size()) return;
  ImFontGlyphRangesBuilder characters;
  characters.AddText(text.data() + first, text.data() + text.size());
  for (int word = 0x80 / 32; word < characters.UsedChars.Size; ++word)
    for (int bit = 0; bit < 32 && characters.UsedChars[word] != 0; ++bit)
      if (characters.UsedChars[word] >> bit & 1)
        if (to.insert(static_cast<ImWchar>(word * 32 + bit)).second) characters_due_ = true;
}

void Fonts::speak(Language language) {
  if (spoken_.insert(language).second) add(all_words(language), words_);
}

bool Fonts::chinese_needed() const {
  const auto has = [](const std::set<ImWchar>& characters) {
    return !characters.empty() && is_chinese(*characters.rbegin());
  };
  return has(characters_) || has(words_);
}

void Fonts::forget_unused() {
  while (sizes_.size() > most_sizes) {
    const auto oldest = std::min_element(sizes_.begin(), sizes_.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (oldest->second >= frame_ - 2) return;
    sizes_.erase(oldest);
  }
}

bool Fonts::prepare(bool time) {
  ++frame_;
  if (!characters_due_ && !(sizes_due_ && time)) return false;
  characters_due_ = sizes_due_ = false;
  ++times_;
  if (sizes_.empty()) sizes_.emplace(std::pair(Face::sans, 14.0f), frame_);
  forget_unused();
  const bool with_chinese = chinese_ && chinese_needed();

  // Sentences are not set in the monospace face: of Chinese it has what stands in code and pictures, a tenth.
  ImFontGlyphRangesBuilder latin, wide, all_wide;
  constexpr ImWchar ascii[] = {0x20, 0x7E, 0};
  latin.AddRanges(ascii);
  for (const ImWchar character : characters_) {
    (is_chinese(character) ? wide : latin).AddChar(character);
    if (is_chinese(character)) all_wide.AddChar(character);
  }
  for (const ImWchar character : words_) (is_chinese(character) ? all_wide : latin).AddChar(character);
  for (const auto& [builder, ranges] : {std::pair(&latin, &latin_), {&wide, &wide_}, {&all_wide, &all_wide_}}) {
    ranges->clear();
    builder->BuildRanges(ranges);
  }

  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  made_.clear();
  std::map<std::string, Mapped> files;
  const auto add = [&](const Source& source, float em, const ImVector<ImWchar>& ranges, bool merge) -> ImFont* {
    ImFontConfig config;
    config.FontNo = source.number;
    config.SizePixels = em * source.line;
    config.OversampleH = config.OversampleV = 1;
    config.GlyphRanges = ranges.Data;
    config.MergeMode = merge;
    const Mapped& file = files.try_emplace(source.file, source.file).first->second;
    if (!file.data()) return merge ? nullptr : atlas.AddFontDefault(&config);
    ImFont* font = atlas.AddFontFromMemoryTTF(file.data(), file.size(), config.SizePixels, &config, ranges.Data);
    // Said only now: of what it does not own ImGui makes a copy, 20 MB for each size of a Chinese face.
    atlas.ConfigData.back().FontDataOwnedByAtlas = false;
    return font;
  };
  for (const auto& [size, used] : sizes_) {
    const auto [face, em] = size;
    made_[size] = {add(faces_[face], em, latin_, false), em};
    const auto& ranges = face == Face::mono || face == Face::mono_bold ? wide_ : all_wide_;
    if (with_chinese && ranges.Size > 1)
      add(face == Face::mono || face == Face::sans ? *chinese_ : *chinese_bold_, em, ranges, true);
  }
  atlas.Build();
  atlas.ClearInputData();
  upload();
#ifdef __GLIBC__
  ::malloc_trim(0);  // what the building took
#endif
  return true;
}

/// One byte a pixel, where ImGui's own function takes four: the colour is always white.
void Fonts::upload() {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
  GLint bound = 0, alignment = 4;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
  if (texture_ == 0) glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  const GLint swizzle[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
  glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
  glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  atlas.SetTexID((ImTextureID)(intptr_t)texture_);
  atlas.ClearTexData();
}

void Fonts::clear() {
  if (texture_ != 0) glDeleteTextures(1, &texture_);
  texture_ = 0;
  ImGui::GetIO().Fonts->SetTexID((ImTextureID)(intptr_t)0);
}

std::optional<Message> Fonts::note() const {
  if (faces_.at(Face::mono).file.empty()) return Message{Msg::app_no_face, {}};
  if (!chinese_ && chinese_needed()) return Message{Msg::app_no_chinese_face, {}};
  return {};
}

}  // namespace stridescope
