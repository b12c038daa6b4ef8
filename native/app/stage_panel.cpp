// The picture, and the bar that moves its read head.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <GLFW/glfw3.h>

#include "app/interface.h"

namespace stridescope {
namespace {

constexpr std::array speeds{0.5, 1.0, 2.0, 4.0, 8.0, 32.0};

/// A lower window scrolls, so that the grid is never left out.
constexpr Unit least_height = stridescope::px(600);

enum class Sign { back, play, pause, forward, loop };

/// A round button with a drawn sign on it.
bool sign_button(Interface& ui, const char* name, Sign sign, Msg label, bool enabled, bool on = false) {
  const float size = ui.px(32), half = size / 2, unit = ui.px(1);
  const ImVec2 low = ImGui::GetCursorScreenPos(), middle(low.x + half, low.y + half);
  const bool pressed = ImGui::InvisibleButton(name, {size, size}) && enabled;
  ui.control(name);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered() && enabled) list.AddCircleFilled(middle, half, ui.colour(Role::panel));
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", ui.model.say(label).c_str());
  if (on) list.AddCircle(middle, half - unit, ui.colour(Role::minimap_window), 0, 1.5f * unit);
  const ImU32 ink = ui.colour(!enabled ? Role::rule : on ? Role::minimap_window : Role::text);
  const auto at = [&](float x, float y) { return ImVec2(middle.x + x * unit, middle.y + y * unit); };
  switch (sign) {
    case Sign::play: list.AddTriangleFilled(at(-6, -9), at(10, 0), at(-6, 9), ink); break;
    case Sign::pause:
      list.AddRectFilled(at(-7, -8), at(-2, 8), ink);
      list.AddRectFilled(at(2, -8), at(7, 8), ink);
      break;
    case Sign::forward:
      list.AddTriangleFilled(at(-6, -6), at(3, 0), at(-6, 6), ink);
      list.AddRectFilled(at(4, -6), at(6, 6), ink);
      break;
    case Sign::loop:
      list.PathArcTo(middle, 6.5f * unit, -2.2f, 2.6f);
      list.PathStroke(ink, 0, 1.8f * unit);
      list.AddTriangleFilled(at(-7.6f, -0.1f), at(-2.9f, 1.8f), at(-8.3f, 5), ink);
      break;
    case Sign::back:
      list.AddTriangleFilled(at(6, -6), at(-3, 0), at(6, 6), ink);
      list.AddRectFilled(at(-6, -6), at(-4, 6), ink);
      break;
  }
  return pressed;
}

/// A thin line with a knob: exact to the element for any count, because the arithmetic is on integers where it fits.
void scrubber(Interface& ui, float width) {
  Model& model = ui.model;
  const float height = ui.px(32), knob = ui.px(7);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("scrub", {width, height});
  ui.control("scrub", Focus::Kind::slider);
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  const float left = low.x + knob, right = low.x + width - knob, y = low.y + height / 2;
  const int64_t last = model.subject.elements - 1;
  if (held && last > 0) {
    const double part = std::clamp((ImGui::GetIO().MousePos.x - left) / (right - left), 0.0f, 1.0f);
    model.playing = false;
    move_head(model, part >= 1 ? last : static_cast<int64_t>(part * static_cast<double>(last) + 0.5));
  }
  const ViewState& view = model.document.view;
  const double part = last > 0 ? (static_cast<double>(view.head) + view.phase) / static_cast<double>(last) : 0;
  const float x = left + (right - left) * static_cast<float>(part);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 accent = ui.colour(last >= 0 ? Role::minimap_window : Role::rule);
  list.AddRectFilled({left, y - ui.px(2)}, {right, y + ui.px(2)}, ui.colour(Role::rule), ui.px(2));
  list.AddRectFilled({left, y - ui.px(2)}, {x, y + ui.px(2)}, accent, ui.px(2));
  list.AddCircleFilled({x, y}, held || hovered ? knob + ui.px(1) : knob, accent);
}

/// The element that a pressed thing leads the read head to, so that the windows over a long strip or a large grid
/// follow the pointer; -1 where there is none.
int64_t element_at(const Model& model, const Target& target) {
  if (target.kind == Target::Kind::element) return target.owner == model.subject.object ? target.index : -1;
  if (target.kind != Target::Kind::cell) return -1;
  const std::string reading = reader(model.trace, model.looked(), target);
  return reading.empty() ? -1 : std::strtoll(reading.c_str(), nullptr, 10);
}

/// The wheel over the picture: with Control the cells grow and shrink; with Shift, or turned sideways, the read head
/// goes along the rows, with Alt down them.
void turn(Interface& ui) {
  Wheel& wheel = ui.wheel;
  const bool sideways = wheel.modifiers & GLFW_MOD_SHIFT || std::abs(wheel.x) > std::abs(wheel.y);
  if (wheel.modifiers & GLFW_MOD_CONTROL) {
    if (const int steps = wheel.whole(wheel.y, 1); steps != 0) zoom(ui.model, steps);
  } else if (wheel.modifiers & GLFW_MOD_ALT || sideways) {
    const int level = wheel.modifiers & GLFW_MOD_ALT ? 1 : 0;
    const TensorPtr tensor = subject_tensor(ui.model);
    if (const int by = wheel.whole(wheel.y != 0 ? wheel.y : wheel.x, 3); by != 0 && tensor) {
      walk_on(ui.model, tensor->layout.sizes, level, -by);
      ui.model.document.view.pan = ui.model.document.view.head;  // it stays in the middle of the windows
    }
  }
}

/// A window much larger than the picture needs shows it larger, in steps that letters are sharp in; one that is a
/// little narrower than grid and path need beside each other shows it a little smaller.
float enlargement(ImVec2 room) {
  constexpr float beside = 764, smallest = 0.875f;
  if (room.x < beside && room.x >= smallest * beside) return room.x / beside;
  return std::clamp(std::floor(4 * std::min(room.x / 1100, room.y / 700)) / 4, 1.0f, 3.0f);
}

/// Whether a figure that is wanted found no room in a picture.
bool lacks(const Model& model) {
  const auto drawn = [&](Figure figure) {
    return std::any_of(model.scene.items.begin(), model.scene.items.end(),
                       [&](const Item& item) { return item.figure == figure; });
  };
  for (const Figure figure : {figure_strip, figure_grid, figure_path})
    if ((model.document.view.figures & figure) && !drawn(figure)) return true;
  return false;
}

/// Draws the picture at the height there is; as high as it needs where a figure would be left out: then it scrolls. It
/// says why where the panel beside it does not.
void make_picture(Interface& ui, ImVec2 room) {
  Model& model = ui.model;
  ViewState& view = model.document.view;
  view.words = model.picture_only || !model.settings.show_words || ui.words != Interface::Words::why;
  view.width = stridescope::px(std::floor(room.x / ui.stage_scale));
  view.height = std::max(stridescope::px(std::floor(room.y / ui.stage_scale)), least_height);
  const TensorPtr tensor = subject_tensor(model);
  std::string place;
  if (tensor)
    place = to_string(tensor->layout) + " " + std::to_string(view.figures) + " " + std::to_string(view.width) + " " +
            std::to_string(view.height) + " " + std::to_string(model.step());
  if (tensor && ui.crowded == place) view.height = 0;
  refresh(model);
  if (view.height == 0 || !tensor || !lacks(model)) return;
  ui.crowded = place;
  view.height = 0;
  refresh(model);
}

}  // namespace

/// Arrows go along the rows and down them, the page keys along the dimension outside of those, Home and End to the ends
/// of a row.
void walk_by_keys(Interface& ui, int modifiers) {
  const TensorPtr tensor = subject_tensor(ui.model);
  if (!tensor) return;
  const Dims& sizes = tensor->layout.sizes;
  const int64_t row = sizes.size() > 0 ? sizes[sizes.size() - 1] : 1;
  const struct {
    int key, level;
    int64_t by;
  } ways[] = {{GLFW_KEY_LEFT, 0, -1},    {GLFW_KEY_RIGHT, 0, 1},     {GLFW_KEY_UP, 1, -1},     {GLFW_KEY_DOWN, 1, 1},
              {GLFW_KEY_PAGE_UP, 2, -1}, {GLFW_KEY_PAGE_DOWN, 2, 1}, {GLFW_KEY_HOME, 0, -row}, {GLFW_KEY_END, 0, row}};
  for (const auto& [key, level, by] : ways)
    if (ui.take(key, modifiers)) walk_on(ui.model, sizes, level, by);
}

void draw_flash(Interface& ui) {
  constexpr double lasts = 0.9;  // seconds
  auto& [due, begun] = ui.flash;
  const double now = ImGui::GetTime();
  if (due && ui.model.document.source == ui.model.evaluated) due = false, begun = now;
  if (begun < 0) return;
  const auto part = static_cast<float>((now - begun) / lasts);
  if (part >= 1) {
    begun = -1;
    return;
  }
  const auto pixels = [&](Unit units) { return static_cast<float>(units) / 100 * ui.stage_scale; };
  Color changed = color(ui.model.theme(), Role::changed, 0);
  changed.a = static_cast<uint8_t>(255 * (1 - part));
  const float far = ui.px(2 + 6 * part);
  for (const Rect& box : changed_places(ui.model.scene)) {
    const ImVec2 low(ui.stage_origin.x + pixels(box.x) - far, ui.stage_origin.y + pixels(box.y) - far);
    const ImVec2 high(low.x + pixels(box.width) + 2 * far, low.y + pixels(box.height) + 2 * far);
    ImGui::GetWindowDrawList()->AddRect(low, high, packed(changed), ui.px(4), 0, ui.px(3));
  }
}

void draw_stage(Interface& ui) {
  Model& model = ui.model;
  const bool scrolls = ui.wheel.modifiers == 0;  // else it does other things: turn()
  ImGui::BeginChild("stage", {0, 0}, false, scrolls ? 0 : ImGuiWindowFlags_NoScrollWithMouse);
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ui.controls["stage"] = {corner.x, corner.y, corner.x + size.x, corner.y + size.y};
  const ImVec2 room(ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize, ImGui::GetWindowHeight());
  ui.stage_scale = ui.scale * enlargement({room.x / ui.scale, room.y / ui.scale});
  make_picture(ui, room);
  const Scene* tried = tried_picture(ui);
  const Scene& scene = tried ? *tried : model.scene;
  if (ui.loaded_pictures != model.pictures || tried) {
    ui.rasters.load(scene, model.theme());
    ui.loaded_pictures = tried ? -1 : model.pictures;
  }
  for (const Item& item : scene.items)
    if (const auto* text = std::get_if<Text>(&item.shape)) ui.fonts.need(text->text);

  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto pixels = [&](Unit units) { return static_cast<float>(units) / 100 * ui.stage_scale; };
  ui.stage_origin = origin;
  ImGui::InvisibleButton("picture", {pixels(scene.width), std::max(pixels(scene.height), 1.0f)});
  const bool held = ImGui::IsItemActive(), begins = ImGui::IsItemActivated() && ui.shift;
  if (ImGui::IsItemHovered() && !tried) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto units = [&](float pixel) { return static_cast<Unit>(std::lround(pixel / ui.stage_scale * 100)); };
    ui.hover = hit(model.scene, {units(mouse.x - origin.x), units(mouse.y - origin.y)});
    const int64_t element = held ? element_at(model, ui.hover) : -1;
    if (element >= 0 && !drag_box(ui, element, begins)) {
      model.playing = false;
      move_head(model, element);
      if (ImGui::IsMouseDoubleClicked(0) && ui.hover.kind == Target::Kind::element)
        ui.hand.poked = element, ui.hand.value.clear();
    }
    if (const Fix* fix = fix_at(model.trace, model.document.view, ui.hover)) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (ImGui::IsItemClicked()) apply(model, Fix(*fix));
    }
    turn(ui);
  }
  paint(scene, model.theme(), {*ImGui::GetWindowDrawList(), origin, ui.stage_scale, ui.fonts, ui.rasters},
        tried ? nullptr : &ui.extents);
  if (ui.control("picture", Focus::Kind::slider)) walk_by_keys(ui, 0);
  if (!tried) draw_flash(ui);
  if (tried)
    ui.cut = {};
  else
    draw_box(ui, held);
  if (ui.hand.tried.empty()) draw_corner(ui);
  ImGui::EndChild();
}

void draw_transport(Interface& ui) {
  Model& model = ui.model;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(12)});
  ImGui::BeginChild(
      "transport", {0, 0}, false,
      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  const ImVec2 corner = ImGui::GetWindowPos();
  draw_rule(ui, corner, ImGui::GetWindowWidth(), false);
  const bool enabled = model.subject.elements > 0;
  const int64_t head = model.document.view.head;
  if (sign_button(ui, "back", Sign::back, Msg::label_back, enabled)) move_head(model, head - 1);
  ImGui::SameLine(0, ui.px(4));
  if (sign_button(ui, "play", model.playing ? Sign::pause : Sign::play,
                  model.playing ? Msg::label_pause : Msg::label_play, enabled))
    play_or_pause(model);
  ImGui::SameLine(0, ui.px(4));
  if (sign_button(ui, "forward", Sign::forward, Msg::label_forward, enabled)) move_head(model, head + 1);
  ImGui::SameLine(0, ui.px(4));
  if (sign_button(ui, "loop", Sign::loop, Msg::label_loop, enabled, model.loops)) model.loops = !model.loops;
  ImGui::SameLine(0, ui.px(12));

  const auto position_of = [&](int64_t element) {
    return model.say(Msg::label_position,
                     {grouped(std::to_string(element + 1)), grouped(std::to_string(model.subject.elements))});
  };
  // Room for the last position, so that the scrubber keeps its width while it is dragged.
  const float position_width =
                  std::max(ui.px(120), ImGui::CalcTextSize(position_of(model.subject.elements - 1).c_str()).x),
              speed_width = ui.px(64);
  const float width = std::max(ImGui::GetContentRegionAvail().x - position_width - speed_width - ui.px(32), ui.px(60));
  scrubber(ui, width);
  ImGui::SameLine(0, ui.px(16));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(7));
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colour(Role::text_muted));
  ImGui::TextUnformatted(enabled ? position_of(head).c_str() : "");
  ImGui::PopStyleColor();
  ImGui::SameLine(ImGui::GetWindowWidth() - speed_width - ui.px(20));
  ImGui::SetCursorPosY(ui.px(12));

  const auto label = [](double speed) {
    return (speed < 1 ? "0.5" : std::to_string(static_cast<int>(speed))) + "\xC3\x97";
  };
  if (begin_choice(ui, "speed", Msg::label_speed, label(model.speed), speed_width / ui.scale)) {
    for (const double speed : speeds) {
      if (ImGui::Selectable(label(speed).c_str(), speed == model.speed)) model.speed = speed;
      ui.control("speed " + (speed < 1 ? std::string("0.5") : std::to_string(static_cast<int>(speed))));
    }
    ImGui::EndCombo();
  }
  ImGui::EndChild();
}

}  // namespace stridescope
