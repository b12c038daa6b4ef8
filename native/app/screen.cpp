#include "app/screen.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace stridescope {
namespace {

constexpr int tile = 64;  // pixels; as large as those of Mesa's software renderer

/// Whether the window's buffer is as it was drawn after it was shown: software renderers copy it, graphics cards go on
/// with another one.
bool buffer_is_kept(GLFWwindow* window) {
  for (const float shade : {0.25f, 0.5f, 0.75f}) {
    glClearColor(shade, shade, shade, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glfwSwapBuffers(window);
    unsigned char pixel[4] = {};
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    if (std::abs(pixel[0] - 255 * shade) > 1) return false;
  }
  return true;
}

constexpr uint64_t mixed(uint64_t digest, uint64_t more) {
  digest = (digest ^ more) * 0x9E3779B97F4A7C15u;
  return digest ^ digest >> 29;
}

template <class Plain>
uint64_t digest_of(const Plain& plain, uint64_t digest) {
  for (size_t at = 0; at < sizeof plain; at += sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(&plain) + at, sizeof word);
    digest = mixed(digest, word);
  }
  return digest;
}

struct Touched {
  float left, top, right, bottom;
};

/// What a triangle can touch, in pixels.
Touched touched_by(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImVec4& clip, ImVec2 scale) {
  return {std::max(std::min({a.pos.x, b.pos.x, c.pos.x}), clip.x) * scale.x,
          std::max(std::min({a.pos.y, b.pos.y, c.pos.y}), clip.y) * scale.y,
          std::min(std::max({a.pos.x, b.pos.x, c.pos.x}), clip.z) * scale.x,
          std::min(std::max({a.pos.y, b.pos.y, c.pos.y}), clip.w) * scale.y};
}

/// Each triangle of a list in draw order.
template <class Act>
void each_triangle(const ImDrawList& list, const ImDrawCmd& command, Act act) {
  const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  for (unsigned i = 0; i + 2 < command.ElemCount; i += 3)
    act(index + i, vertices[index[i]], vertices[index[i + 1]], vertices[index[i + 2]]);
}

}  // namespace

/// What each tile shows, by everything that touches it in its order.
std::vector<uint64_t> Screen::digests(const ImDrawData& data, uint64_t ground) const {
  std::vector<uint64_t> tiles(static_cast<size_t>(across_) * static_cast<size_t>(down_), ground);
  std::vector<uint64_t> vertices;
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    vertices.clear();
    for (const ImDrawVert& vertex : list.VtxBuffer) vertices.push_back(digest_of(vertex, 1));
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const uint64_t how = digest_of(command.ClipRect, reinterpret_cast<uintptr_t>(command.TextureId));
      each_triangle(list, command, [&](const ImDrawIdx* index, const auto& a, const auto& b, const auto& c) {
        const Touched touched = touched_by(a, b, c, command.ClipRect, data.FramebufferScale);
        if (touched.left >= touched.right || touched.top >= touched.bottom) return;
        uint64_t what = how;
        for (int i = 0; i < 3; ++i) what = mixed(what, vertices[command.VtxOffset + index[i]]);
        const auto first = [](float at) { return std::max(static_cast<int>(std::floor(at)) / tile, 0); };
        const auto last = [](float at, int count) {
          return std::min(static_cast<int>(std::ceil(at)) / tile, count - 1);
        };
        for (int y = first(touched.top); y <= last(touched.bottom, down_); ++y)
          for (int x = first(touched.left); x <= last(touched.right, across_); ++x) {
            uint64_t& digest = tiles[static_cast<size_t>(y * across_ + x)];
            digest = mixed(digest, what);
          }
      });
    }
  }
  return tiles;
}

/// The tiles that differ from those that are kept, as areas that lie apart.
std::vector<Screen::Area> Screen::differing(const std::vector<uint64_t>& now) const {
  if (tiles_.size() != now.size()) return {{0, 0, across_, down_}};
  std::vector<Area> areas;
  for (int y = 0; y < down_; ++y)
    for (int x = 0; x < across_; ++x) {
      const auto differs = [&](int at) {
        const auto i = static_cast<size_t>(y * across_ + at);
        return tiles_[i] != now[i];
      };
      if (!differs(x)) continue;
      const int begin = x;
      while (x < across_ && differs(x)) ++x;
      const auto above = std::find_if(areas.begin(), areas.end(), [&](const Area& area) {
        return area.bottom == y && area.left == begin && area.right == x;
      });
      if (above != areas.end())
        ++above->bottom;
      else
        areas.push_back({begin, y, x, y + 1});
    }
  return areas;
}

/// The same commands, cut down to the areas: each has only the triangles that touch it.
void Screen::render(const ImDrawData& data, const std::vector<Area>& areas) const {
  std::vector<std::unique_ptr<ImDrawList>> lists;
  std::vector<ImDrawList*> pointers;
  ImDrawData cut = data;
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    auto part = std::make_unique<ImDrawList>(list._Data);
    for (const ImDrawCmd& command : list.CmdBuffer)
      for (const Area& area : areas) {
        const ImVec2 scale = data.FramebufferScale;
        const auto side = [](int tiles, float by) { return static_cast<float>(tiles * tile) / by; };
        ImDrawCmd piece = command;
        piece.ClipRect = {std::max(command.ClipRect.x, side(area.left, scale.x)),
                          std::max(command.ClipRect.y, side(area.top, scale.y)),
                          std::min(command.ClipRect.z, side(area.right, scale.x)),
                          std::min(command.ClipRect.w, side(area.bottom, scale.y))};
        piece.IdxOffset = static_cast<unsigned>(part->IdxBuffer.Size);
        each_triangle(list, command, [&](const ImDrawIdx* index, const auto& a, const auto& b, const auto& c) {
          const Touched touched = touched_by(a, b, c, piece.ClipRect, {1, 1});
          if (touched.left >= touched.right || touched.top >= touched.bottom) return;
          for (int i = 0; i < 3; ++i) part->IdxBuffer.push_back(index[i]);
        });
        piece.ElemCount = static_cast<unsigned>(part->IdxBuffer.Size) - piece.IdxOffset;
        if (piece.ElemCount > 0) part->CmdBuffer.push_back(piece);
      }
    if (part->CmdBuffer.empty()) continue;
    part->VtxBuffer = list.VtxBuffer;
    pointers.push_back(part.get());
    lists.push_back(std::move(part));
  }
#if IMGUI_VERSION_NUM >= 18973
  cut.CmdLists.resize(0);
  for (ImDrawList* list : pointers) cut.CmdLists.push_back(list);
#else
  cut.CmdLists = pointers.data();
#endif
  cut.CmdListsCount = static_cast<int>(pointers.size());
  ImGui_ImplOpenGL3_RenderDrawData(&cut);
}

bool Screen::draw(GLFWwindow* window, const ImDrawData& data, Color ground) {
  const int width = static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x),
            height = static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y);
  if (width <= 0 || height <= 0) return false;
  if (!kept_) kept_ = buffer_is_kept(window);
  if (width != width_ || height != height_) forget();
  width_ = width;
  height_ = height;
  across_ = (width + tile - 1) / tile;
  down_ = (height + tile - 1) / tile;
  auto now = digests(data, digest_of(ground, 1));
  if (now == tiles_) return false;
  if (!*kept_) forget();
  const auto areas = differing(now);
  tiles_ = std::move(now);
  glViewport(0, 0, width, height);
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
               static_cast<float>(ground.b) / 255, 1);
  glEnable(GL_SCISSOR_TEST);
  for (const auto& [left, top, right, bottom] : areas) {
    glScissor(left * tile, height - bottom * tile, (right - left) * tile, (bottom - top) * tile);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
  render(data, areas);
  return true;
}

}  // namespace stridescope
