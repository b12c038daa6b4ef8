// A box cut out of the grid: dragged over with Shift held, or grown from the chosen cell by Shift and the arrows. It is
// shown over the cells with the line that it would be, and written when it is let go, or with Enter.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>  // after imgui.h

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/interface.h"

namespace stridescope {
namespace {

using nlohmann::json;

/// The first index in the box and the last, of each dimension.
struct Ends {
  Dims first, last;
};

Ends ends_of(const Interface::Cut& cut, const Dims& sizes) {
  Ends ends{index_at(sizes, cut.from), index_at(sizes, cut.to)};
  for (int d = 0; d < sizes.size(); ++d)
    if (ends.first[d] > ends.last[d]) std::swap(ends.first[d], ends.last[d]);
  return ends;
}

/// The tensor that the box is in, as long as it is the one on the stage and the read head, which only a wheel moves
/// while the pointer holds the box, has not gone elsewhere.
TensorPtr boxed(const Interface& ui) {
  const Interface::Cut& cut = ui.cut;
  const Model& model = ui.model;
  const bool stands = cut.from >= 0 && cut.object == model.subject.object && cut.step == model.step() &&
                      cut.source == model.document.source && (cut.dragged || cut.head == model.document.view.head) &&
                      std::max(cut.from, cut.to) < model.subject.elements;
  const TensorPtr tensor = stands ? subject_tensor(model) : nullptr;
  return tensor && tensor->layout.rank() > 0 ? tensor : nullptr;
}

void begin(Interface& ui, int64_t element) {
  const Model& model = ui.model;
  ui.cut = {.from = element,
            .to = element,
            .head = model.document.view.head,
            .object = model.subject.object,
            .step = model.step(),
            .source = model.document.source};
}

/// Finds out what the box would be, where it is another than before.
void ask(Interface& ui, const Dims& sizes) {
  Interface::Cut& cut = ui.cut;
  if (!cut.open()) {
    cut.gesture.clear();
    cut.line.clear();
    return;
  }
  const auto [first, last] = ends_of(cut, sizes);
  std::string gesture = "box";
  for (int d = 0; d < sizes.size(); ++d) gesture += " " + std::to_string(first[d]) + " " + std::to_string(last[d] + 1);
  if (gesture == cut.gesture) return;
  cut.gesture = std::move(gesture);
  const json answer = json::parse(rewritten(ui.model.trace, ui.model.looked(), cut.gesture), nullptr, false);
  cut.line = answer.contains("line") ? answer["line"].get<std::string>() : "";
  ui.fonts.need(cut.line);
}

/// A rectangle in each table of two dimensions, around those of its cells that are shown.
std::vector<Rect> places(const Scene& scene, int object, const Ends& ends, const Dims& sizes) {
  const int rank = sizes.size();
  int64_t table = 1;  // elements of one
  for (int d = std::max(rank - 2, 0); d < rank; ++d) table *= sizes[d];
  std::map<int64_t, Rect> tables;
  int64_t begun = -1;
  for (const Item& item : scene.items) {
    const int64_t element = item.target.index;
    if (item.role != Role::cell || item.target.kind != Target::Kind::element || item.target.owner != object) continue;
    if (element == begun) break;  // the same tensor once more: as it was before
    if (begun < 0) begun = element;
    const Dims index = index_at(sizes, element);
    bool within = true;
    for (int d = 0; d < rank; ++d) within &= ends.first[d] <= index[d] && index[d] <= ends.last[d];
    if (!within) continue;
    const Rect more = bounds(item);
    if (const auto [at, added] = tables.try_emplace(element / table, more); !added)
      at->second = around(at->second, more);
  }
  std::vector<Rect> list;
  for (const auto& [number, box] : tables) list.push_back(box);
  return list;
}

void paint_box(Interface& ui, const Dims& sizes) {
  const auto pixels = [&](Unit units) { return static_cast<float>(units) / 100 * ui.stage_scale; };
  const Interface::Cut& cut = ui.cut;
  Color fill = color(ui.model.theme(), Role::minimap_window, 0);
  fill.a = 36;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto around = [&](const Rect& box, float far) {
    const float left = ui.stage_origin.x + pixels(box.x), top = ui.stage_origin.y + pixels(box.y);
    return Box{left - far, top - far, left + pixels(box.width) + far, top + pixels(box.height) + far};
  };
  const std::vector<Rect> boxes = places(ui.model.scene, cut.object, ends_of(cut, sizes), sizes);
  Box last = around(place(ui.model.scene, {Target::Kind::tensor, cut.object}), 0);
  last.bottom = last.top;  // where the cells are too small to be told apart, or others are shown
  for (const Rect& box : boxes) {
    last = around(box, ui.px(1.5f));
    list.AddRectFilled({last.left, last.top}, {last.right, last.bottom}, packed(fill), ui.px(5));
    list.AddRect({last.left, last.top}, {last.right, last.bottom}, ui.colour(Role::minimap_window), ui.px(5), 0,
                 ui.px(2));
  }
  if (!boxes.empty()) ui.controls["box"] = last;
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  if (!cut.line.empty())
    draw_badge(ui, {last.left, last.bottom + ui.px(6)}, {corner.x, corner.y, corner.x + size.x, corner.y + size.y},
               cut.line, Face::mono);
}

void write(Interface& ui) {
  const std::string gesture = ui.cut.gesture;
  ui.cut = {};
  do_gesture(ui, gesture);
  if (!ui.hand.refused.empty()) ui.model.news = Message{Msg::plain_text, {ui.hand.refused}};
}

}  // namespace

bool drag_box(Interface& ui, int64_t element, bool begins) {
  if (begins) {
    begin(ui, element);
    ui.cut.dragged = true;
    ui.model.playing = false;
  }
  if (ui.cut.dragged) ui.cut.to = element;
  return ui.cut.dragged;
}

void draw_box(Interface& ui, bool held) {
  Interface::Cut& cut = ui.cut;
  const TensorPtr tensor = boxed(ui);
  if (!tensor) {
    cut = {};
    return;
  }
  const Dims& sizes = tensor->layout.sizes;
  ask(ui, sizes);
  if (cut.open()) paint_box(ui, sizes);
  if (!cut.dragged || held) return;
  if (cut.open())
    write(ui);
  else
    cut = {};
}

void answer_box(Interface& ui) {
  Interface::Cut& cut = ui.cut;
  if (cut.dragged) {
    if (!ui.take(GLFW_KEY_ESCAPE)) return;
    cut = {};
    ImGui::ClearActiveID();  // else the pointer would take the read head along from here on
    return;
  }
  const bool tries = !ui.hand.tried.empty() || ui.corner.tried();  // something else
  const bool ours = !tries && (ui.focused.empty() || ui.focused == "picture");
  const TensorPtr tensor = subject_tensor(ui.model);
  if (!ours || !tensor || tensor->layout.rank() == 0 || ImGui::GetIO().WantTextInput) return;
  if (!boxed(ui)) cut = {};
  const auto before = ui.keys.size();
  const int64_t from = cut.from >= 0 ? cut.from : ui.model.document.view.head;
  walk_by_keys(ui, GLFW_MOD_SHIFT);
  if (ui.keys.size() != before && ui.model.subject.elements > 0) {
    if (cut.from < 0) begin(ui, from);
    cut.to = cut.head = ui.model.document.view.head;
    ask(ui, tensor->layout.sizes);
  }
  if (!cut.open()) return;
  if (ui.take(GLFW_KEY_ENTER) || ui.take(GLFW_KEY_KP_ENTER))
    write(ui);
  else if (ui.take(GLFW_KEY_ESCAPE))
    cut = {};
}

}  // namespace stridescope
