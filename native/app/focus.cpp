#include "app/focus.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace stridescope {
namespace {

ImGuiID topmost_popup() {
  const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
  return open.empty() || !open.back().Window ? 0 : open.back().Window->ID;
}

void activate(ImGuiID id) {
#if IMGUI_VERSION_NUM >= 18980
  ImGui::ActivateItemByID(id);
#else
  ImGui::ActivateItem(id);
#endif
}

}  // namespace

bool Focus::note(Kind kind, ImU32 colour, float width) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiID id = g.LastItemData.ID;
  ImGuiWindow& window = *g.CurrentWindow;
  drawn_.push_back({id, window.RootWindow->ID, kind});
  if (ImGui::IsItemActivated() && (g.ActiveIdSource == ImGuiInputSource_Mouse || id != id_)) id_ = id, shown_ = false;
  if (id != id_ || !shown_) return false;
  const ImRect box = g.LastItemData.Rect;
  if (std::exchange(bring_, false)) ImGui::ScrollToBringRectIntoView(&window, box);
  window.DrawList->AddRect(ImVec2(box.Min.x + width / 2, box.Min.y + width / 2),
                           ImVec2(box.Max.x - width / 2, box.Max.y - width / 2), colour,
                           ImGui::GetStyle().FrameRounding, 0, width);
  return true;
}

std::vector<Focus::Control> Focus::reachable() const {
  const ImGuiID popup = topmost_popup();
  std::vector<Control> result;
  for (const Control& control : last_)
    if (popup == 0 || control.window == popup) result.push_back(control);
  return result;
}

void Focus::go(const Control& control) {
  ImGui::ClearActiveID();
  id_ = control.id;
  shown_ = bring_ = true;
  if (control.kind != Kind::text) return;
  activate(id_);
  ImGui::GetCurrentContext()->NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
}

void Focus::answer(std::vector<KeyPress>& keys) {
  const auto controls = reachable();
  const bool in_popup = topmost_popup() != 0, typing = ImGui::GetIO().WantTextInput;
  std::erase_if(keys, [&](const KeyPress& press) {
    if ((press.modifiers & ~GLFW_MOD_SHIFT) != 0 || controls.empty()) return false;
    const auto at =
        std::find_if(controls.begin(), controls.end(), [&](const Control& control) { return control.id == id_; });
    int step = 0;
    if (press.key == GLFW_KEY_TAB) step = press.modifiers & GLFW_MOD_SHIFT ? -1 : 1;
    const bool walks = in_popup && !typing && (at == controls.end() || at->kind != Kind::slider);
    if (walks && press.key == GLFW_KEY_DOWN) step = 1;
    if (walks && press.key == GLFW_KEY_UP) step = -1;
    if (step != 0) {
      const auto count = static_cast<std::ptrdiff_t>(controls.size());
      const std::ptrdiff_t from = at == controls.end() ? (step > 0 ? -1 : count) : at - controls.begin();
      go(controls[static_cast<size_t>((from + step + count) % count)]);
      return true;
    }
    const bool presses = press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER || press.key == GLFW_KEY_SPACE;
    if (!presses || typing || !shown_ || at == controls.end() || at->kind == Kind::slider) return false;
    activate(id_);
    return true;
  });
}

void Focus::end_frame() {
  last_ = std::exchange(drawn_, {});
  const auto depth = static_cast<size_t>(ImGui::GetCurrentContext()->OpenPopupStack.Size);
  if (depth > below_.size() && topmost_popup() != 0) {
    const auto controls = reachable();
    if (controls.empty()) return;  // drawn from the next frame on
    below_.resize(depth, id_);
    if (shown_ && controls.front().kind != Kind::text) go(controls.front());
  }
  while (depth < below_.size()) {
    id_ = below_.back();
    below_.pop_back();
  }
}

}  // namespace stridescope
