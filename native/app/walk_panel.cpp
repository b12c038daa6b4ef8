// The odometer: where the read head is, what its walk has cost so far and will have cost, and the same of a contiguous
// copy.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/interface.h"

namespace stridescope {
namespace {

using nlohmann::json;

/// Columns as wide as their widest cell is ever going to be, so that none moves while the head walks.
class Odometer {
 public:
  Odometer(Interface& ui, const json& all) : ui_(ui), walk_(all["walk"]), copy_(all["copy_walk"]) {
    const float gap = ui.px(20);
    for (const Msg label : {Msg::label_index, Msg::label_offset, Msg::label_value, Msg::label_walk_travel,
                            Msg::label_walk_back, Msg::label_walk_repeats, Msg::label_walk_run})
      own_ = std::max(own_, width(Face::sans, ui.model.say(label)) + gap);
    for (const char* key : {"all_travel", "all_backward", "all_repeats"})
      widest_ = std::max(widest_, width(Face::mono, cost(text(walk_, key), text(walk_, key), true)));
    widest_ = std::max(widest_, width(Face::mono_bold, all["name"].get<std::string>())) + gap;
  }

  void head(const std::string& name) {
    row("", {name, Face::mono_bold}, {ui_.model.say(Msg::label_walk_copy), Face::sans_bold});
  }

  void plain(Msg label, const std::string& own) { row(ui_.model.say(label), {own, Face::mono}, {"", Face::mono}); }

  void both(Msg label, const char* now, const char* all) {
    row(ui_.model.say(label), {cost(text(walk_, now), text(walk_, all)), Face::mono},
        {cost(text(copy_, now), text(copy_, all)), Face::mono});
  }

 private:
  struct Cell {
    std::string text;
    Face face;
  };

  static std::string text(const json& walk, const char* key) { return walk[key].get<std::string>(); }
  std::string cost(const std::string& now, const std::string& all, bool in_full = false) const {
    return now == all && !in_full ? grouped(all) : ui_.model.say(Msg::label_so_far, {grouped(now), grouped(all)});
  }
  float width(Face face, const std::string& text) const {
    const auto [font, size] = ui_.fonts.at(face, ui_.px(13));
    return font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
  }
  void put(float x, const Cell& cell, Role role) {
    ui_.fonts.need(cell.text);
    const auto [font, size] = ui_.fonts.at(cell.face, ui_.px(13));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddText(font, size, {at.x + x, at.y}, ui_.colour(role), cell.text.c_str());
  }
  void row(const std::string& label, const Cell& own, const Cell& other) {
    put(0, {label, Face::sans}, Role::text_muted);
    put(own_, own, Role::text);
    // Below each other where there is no room beside.
    const float room = ImGui::GetContentRegionAvail().x, height = ui_.px(22), there = own_ + widest_;
    const bool fits = there + width(other.face, other.text) <= room;
    if (!fits && !other.text.empty()) ImGui::Dummy({room, height});
    put(fits ? there : own_, other, Role::text_muted);
    ImGui::Dummy({room, height});
  }

  Interface& ui_;
  const json &walk_, &copy_;
  float own_ = 0, widest_ = 0;
};

}  // namespace

std::string grouped(std::string digits) {
  const int least = digits.starts_with('-') ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > least; at -= 3) digits.insert(static_cast<size_t>(at), " ");
  return digits;
}

void draw_walk(Interface& ui) {
  Model& model = ui.model;
  const json all = json::parse(elements(model.trace, model.looked()), nullptr, false);
  if (!all.is_object() || all["head"].is_null() || all["walk"].is_null() || all["copy_walk"].is_null())
    return draw_line(ui, {{model.say(Msg::app_nothing), false, {}}}, Role::text_muted);
  std::string index;
  for (const json& one : all["index"])
    index += (index.empty() ? "" : ", ") + (one.is_string() ? one.get<std::string>() : one.dump());
  Odometer odometer(ui, all);
  odometer.head(all["name"].get<std::string>());
  odometer.plain(Msg::label_index, "[" + index + "]");
  odometer.plain(Msg::label_offset, grouped(all["head"]["offset"].get<std::string>()));
  odometer.plain(Msg::label_value, all["head"]["value"].get<std::string>());
  odometer.both(Msg::label_walk_travel, "travel", "all_travel");
  odometer.both(Msg::label_walk_back, "backward", "all_backward");
  odometer.both(Msg::label_walk_repeats, "repeats", "all_repeats");
  odometer.both(Msg::label_walk_run, "longest_run", "longest_run");
}

}  // namespace stridescope
