// Changing the tensor by hand: its axes as chips, its raw numbers on sliders, the shapes it can be given. Whatever is
// done is written as a line of code (ops/gesture.h).
#include "app/interface.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace stridescope {
namespace {

using nlohmann::json;

constexpr int64_t most_size = 64;  // of a dimension whose stride is 0

std::string joined(const char* word, std::initializer_list<int64_t> numbers) {
  std::string text = word;
  for (const int64_t number : numbers) text += " " + std::to_string(number);
  return text;
}

std::string joined(const char* word, const Dims& numbers) {
  std::string text = word;
  for (const int64_t number : numbers) text += " " + std::to_string(number);
  return text;
}

int64_t number_of(const json& text) { return std::strtoll(text.get_ref<const std::string&>().c_str(), nullptr, 10); }

/// A sentence of a report as one text.
std::string sentence(const json& runs) {
  std::string text;
  for (const json& run : runs) text += run["text"].get_ref<const std::string&>();
  return text;
}

/// A thin line with a knob, and its number beside it. The arrows move it by one.
/// @return whether it was moved
bool slider(Interface& ui, const std::string& name, const std::string& caption, int64_t& value, const Range& range) {
  ImGui::PushID(name.c_str());
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colour(Role::text_muted));
  ImGui::TextUnformatted(caption.c_str());
  ImGui::PopStyleColor();
  const float middle = std::min(ImGui::GetWindowWidth() * 0.4f, ui.px(170)), number = ui.px(64);
  ImGui::SameLine(middle);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x - number, ui.px(40)), height = ImGui::GetFrameHeight(),
              knob = ui.px(6);
  ImGui::InvisibleButton("line", {width, height});
  const bool focused = ui.control(name, Focus::Kind::slider);
  const int64_t before = value;
  const float left = low.x + knob, right = low.x + width - knob, y = low.y + height / 2;
  const double span = static_cast<double>(range.highest) - static_cast<double>(range.lowest);
  if (ImGui::IsItemActive() && span > 0) {
    const double part = std::clamp((ImGui::GetIO().MousePos.x - left) / (right - left), 0.0f, 1.0f);
    value = part >= 1 ? range.highest : range.lowest + static_cast<int64_t>(part * span + 0.5);
  }
  if (focused && ui.take(GLFW_KEY_LEFT)) --value;
  if (focused && ui.take(GLFW_KEY_RIGHT)) ++value;
  if (focused && ui.take(GLFW_KEY_HOME)) value = range.lowest;
  if (focused && ui.take(GLFW_KEY_END)) value = range.highest;
  value = std::clamp(value, range.lowest, range.highest);
  const float x =
      span > 0 ? left + (right - left) *
                            static_cast<float>((static_cast<double>(value) - static_cast<double>(range.lowest)) / span)
               : left;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 accent = ui.colour(span > 0 ? Role::minimap_window : Role::rule);
  list.AddRectFilled({left, y - ui.px(1.5f)}, {right, y + ui.px(1.5f)}, ui.colour(Role::rule), ui.px(2));
  list.AddCircleFilled({x, y}, ImGui::IsItemActive() || ImGui::IsItemHovered() ? knob + ui.px(1) : knob, accent);
  ImGui::SameLine(0, ui.px(8));
  ImGui::AlignTextToFramePadding();
  ui.push(Face::mono, 13);
  ImGui::TextUnformatted(std::to_string(value).c_str());
  ImGui::PopFont();
  ImGui::PopID();
  return value != before;
}

/// Small buttons one beside the other, in as many rows as they need.
bool small_button(Interface& ui, const std::string& name, const std::string& text, bool& first) {
  const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
  if (!first) {
    ImGui::SameLine(0, ui.px(4));
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
  }
  first = false;
  const bool pressed = ImGui::Button((text + "##" + name).c_str());
  ui.control(name);
  return pressed;
}

class Hands {
 public:
  Hands(Interface& ui, const json& can, const Tensor& tensor) : ui_(ui), model_(ui.model), can_(can), tensor_(tensor) {}

  void draw() {
    if (!ui_.hand.refused.empty()) {
      draw_line(ui_, {{ui_.hand.refused, false, {}}}, Role::bad);
      ImGui::Dummy({0, ui_.px(6)});
    }
    chips();
    title(Msg::label_raw);
    raw();
    title(Msg::label_idioms);
    bool first = true;
    for (const json& idiom : can_["idioms"])
      if (small_button(ui_, "idiom " + idiom["gesture"].get<std::string>(), idiom["label"].get<std::string>(), first))
        done_ = idiom["gesture"].get<std::string>();
    title(Msg::label_shapes);
    shapes_of_it();
    if (!done_.empty()) do_gesture(ui_, done_);
  }

 private:
  std::string say(Msg id, const Slots& slots = {}) const { return model_.say(id, slots); }
  int rank() const { return tensor_.layout.rank(); }
  std::string axis(int d) const { return can_["axes"][static_cast<size_t>(d)]["name"].get<std::string>(); }

  void title(Msg label) {
    ImGui::Dummy({0, ui_.px(6)});
    draw_line(ui_, {{say(label), false, {}}}, Role::text_muted, Face::sans_bold);
  }

  /// The axes in their order; dragged or moved by Alt with an arrow they change places, pressed they open a menu.
  void chips() {
    std::vector<float> middles;
    bool first = true;
    for (int d = 0; d < rank(); ++d) {
      const json& about = can_["axes"][static_cast<size_t>(d)];
      const std::string text = axis(d) + "  " + std::to_string(tensor_.layout.sizes[d]) + " \xC2\xB7 " +
                               std::to_string(tensor_.layout.strides[d]);
      const auto role = static_cast<Role>(static_cast<int>(Role::axis0) + about["color"].get<int>());
      ImGui::PushStyleColor(ImGuiCol_Text, ui_.colour(role));
      ImGui::PushStyleColor(ImGuiCol_Border, ui_.colour(role));
      const std::string name = "chip " + std::to_string(d), menu = name + " menu";
      const bool pressed = small_button(ui_, name, text, first);
      ImGui::PopStyleColor(2);
      const bool focused = ui_.focused == name;
      const float left = ImGui::GetItemRectMin().x, right = ImGui::GetItemRectMax().x;
      middles.push_back((left + right) / 2);
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", say(Msg::label_chip_keys).c_str());
      if (ImGui::IsItemHovered() || focused) ui_.hover = {Target::Kind::axis, tensor_.object, d};
      if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) ui_.hand.dragged = d;
      if (pressed && ui_.hand.dragged < 0) ImGui::OpenPopup(menu.c_str());
      for (const int held : {GLFW_MOD_ALT, GLFW_MOD_CONTROL}) {
        if (focused && d > 0 && ui_.take(GLFW_KEY_LEFT, held)) move(d, d - 1);
        if (focused && d + 1 < rank() && ui_.take(GLFW_KEY_RIGHT, held)) move(d, d + 1);
      }
      const bool above = ImGui::GetItemRectMin().y > ImGui::GetIO().DisplaySize.y / 2;
      ImGui::SetNextWindowPos(
          {left, above ? ImGui::GetItemRectMin().y - ui_.px(2) : ImGui::GetItemRectMax().y + ui_.px(2)},
          ImGuiCond_Always, {0, above ? 1.0f : 0.0f});
      ImGui::SetNextWindowSize({ui_.px(300), 0});
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui_.px(12), ui_.px(10)});
      ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui_.px(8), ui_.px(6)});
      if (ImGui::BeginPopup(menu.c_str())) {
        draw_menu(d, about);
        ImGui::EndPopup();
      }
      ImGui::PopStyleVar(2);
    }
    drag(middles);
  }

  void drag(const std::vector<float>& middles) {
    if (ui_.hand.dragged < 0 || ui_.hand.dragged >= rank()) return;
    int to = 0;
    const int from = ui_.hand.dragged;
    for (int d = 0; d < rank(); ++d)
      if (d != from && middles[static_cast<size_t>(d)] < ImGui::GetIO().MousePos.x) ++to;
    if (ImGui::IsMouseDown(0)) {
      if (to != from) ui_.hand.tried = joined("permute", moved(from, to));
      ImGui::SetTooltip("%s", joined("permute", moved(from, to)).c_str());
      return;
    }
    ui_.hand.dragged = -1;
    if (to != from) move(from, to);
  }

  Dims moved(int from, int to) const {
    std::vector<int64_t> order;
    for (int d = 0; d < rank(); ++d)
      if (d != from) order.push_back(d);
    order.insert(order.begin() + to, from);
    Dims dims;
    for (const int64_t d : order) dims.push_back(d);
    return dims;
  }
  void move(int from, int to) { done_ = joined("permute", moved(from, to)); }

  void item(const std::string& name, const std::string& label, const std::string& gesture,
            const char* why_not = nullptr) {
    if (ImGui::MenuItem(label.c_str(), nullptr, false, !why_not)) done_ = gesture;
    ui_.control(name);
    if (why_not && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", why_not);
  }

  void draw_menu(int d, const json& about) {
    const int64_t size = tensor_.layout.sizes[d];
    for (const json& split : about["splits"]) {
      const int64_t inner = number_of(split);
      item("split " + std::to_string(inner), say(Msg::label_split), joined("split", {d, inner}));
    }
    if (!about["merge"].is_null()) {
      const std::string refused = about["merge"].is_array() ? sentence(about["merge"]) : "";
      item("merge", say(Msg::label_merge), joined("merge", {d}), refused.empty() ? nullptr : refused.c_str());
    }
    item("flip", say(Msg::label_flip), joined("flip", {d}));
    if (size == 1) item("squeeze", say(Msg::label_squeeze), joined("squeeze", {d}));
    item("unsqueeze", say(Msg::label_unsqueeze), joined("unsqueeze", {d}));
    ImGui::Separator();
    auto& [index, from, to, step, expanded, dim] = ui_.hand.menu;
    if (dim != d || ImGui::IsWindowAppearing()) ui_.hand.menu = {0, 0, size, 1, 2, d};
    const auto write = [&](const char* name, Msg label, const std::string& gesture) {
      if (ImGui::Button((say(label) + "##" + name).c_str())) {
        done_ = gesture;
        ImGui::CloseCurrentPopup();
      }
      ui_.control(name);
    };
    if (size > 0) {
      slider(ui_, "index", say(Msg::label_index), index, {0, size - 1});
      write("select", Msg::label_select, joined("select", {d, index}));
      slider(ui_, "from", say(Msg::label_slice_from), from, {0, size - 1});
      slider(ui_, "to", say(Msg::label_slice_to), to, {1, size});
      slider(ui_, "by", say(Msg::label_slice_step), step, {1, std::max<int64_t>(size - 1, 1)});
      write("slice", Msg::label_slice, joined("slice", {d, from, to, step}));
    }
    if (size == 1) {
      slider(ui_, "size", say(Msg::label_sizes), expanded, {1, most_size});
      write("expand", Msg::label_expand, joined("expand", {d, expanded}));
    }
  }

  /// The recipe's numbers, each within what the others leave it.
  void raw() {
    Interface::Hand& hand = ui_.hand;
    if (hand.picture != tensor_.object || hand.source != model_.evaluated) {
      hand.raw = tensor_.layout;
      hand.picture = tensor_.object;
      hand.source = model_.evaluated;
    }
    const int64_t unit = tensor_.unit(), cells = tensor_.storage->nbytes / tensor_.item_bytes();
    const auto in_items = [&] {
      Layout layout = hand.raw;
      for (int64_t& stride : layout.strides) stride /= unit;
      layout.storage_offset /= unit;
      return layout;
    };
    const auto still = [](int64_t value) { return Range{value, value}; };
    const bool torch = tensor_.library == Library::torch;
    for (int d = 0; d < rank(); ++d) {
      const bool bounded = inside(in_items(), cells);
      int64_t& size = hand.raw.sizes[d];
      slider(ui_, "raw size " + std::to_string(d), say(Msg::label_raw_size, {axis(d)}), size,
             bounded ? size_range(in_items(), d, cells, std::max(size, most_size)) : still(size));
      Range strides = bounded ? stride_range(in_items(), d, cells) : still(hand.raw.strides[d] / unit);
      if (torch && bounded) strides.lowest = std::max<int64_t>(strides.lowest, 0);
      int64_t stride = hand.raw.strides[d] / unit;
      if (slider(ui_, "raw stride " + std::to_string(d), say(Msg::label_raw_stride, {axis(d)}), stride, strides))
        hand.raw.strides[d] = stride * unit;
    }
    const bool movable = torch && inside(in_items(), cells);  // NumPy's as_strided begins where the array does
    slider(ui_, "raw offset", say(Msg::label_raw_offset), hand.raw.storage_offset,
           movable ? offset_range(in_items(), cells) : still(hand.raw.storage_offset));
    bool first = true;
    if (hand.raw == tensor_.layout) return;
    hand.tried = joined("as_strided", hand.raw.sizes) + joined("", hand.raw.strides) + " " +
                 std::to_string(hand.raw.storage_offset);
    if (small_button(ui_, "raw write", say(Msg::label_write_line), first)) done_ = hand.tried;
    if (small_button(ui_, "raw reset", say(Msg::label_raw_reset), first)) hand.raw = tensor_.layout;
  }

  /// The shapes of the rank that is chosen, those that are views first.
  void shapes_of_it() {
    Interface::Hand& hand = ui_.hand;
    bool first = true;
    for (int wanted = 1; wanted <= max_shape_rank; ++wanted) {
      const bool chosen = wanted == hand.rank;
      if (chosen) ImGui::PushStyleColor(ImGuiCol_Border, ui_.colour(Role::minimap_window));
      if (small_button(ui_, "rank " + std::to_string(wanted), std::to_string(wanted), first)) hand.rank = wanted;
      if (chosen) ImGui::PopStyleColor();
    }
    const json all = json::parse(shapes(model_.trace, model_.looked(), hand.rank), nullptr, false);
    if (!all.is_object()) return;
    constexpr size_t most = 24;
    for (const auto& [list, label, word] :
         {std::tuple("views", Msg::label_shapes_view, "view"), {"copies", Msg::label_shapes_copy, "reshape"}}) {
      draw_line(ui_, {{say(label, {all[list]["count"].get<std::string>()}), false, {}}}, Role::text_muted);
      first = true;
      size_t shown = 0;
      for (const json& shape : all[list]["shapes"]) {
        if (++shown > most) break;
        std::string text, gesture = word;
        for (const json& size : shape) {
          text += (text.empty() ? "" : " \xC3\x97 ") + size.get<std::string>();
          gesture += " " + size.get<std::string>();
        }
        if (small_button(ui_, gesture, text, first)) done_ = gesture;
      }
    }
  }

  Interface& ui_;
  Model& model_;
  const json& can_;
  const Tensor& tensor_;
  std::string done_;
};

}  // namespace

TensorPtr subject_tensor(const Model& model) {
  const Step* step = model.shown();
  if (!step) return nullptr;
  std::vector<TensorPtr> all{shown_tensor(*step)};
  for (const Named& named : step->names) all.push_back(named.tensor);
  for (const Applied& applied : step->applied) {
    all.push_back(tensor_of(applied.result));
    all.insert(all.end(), applied.inputs.begin(), applied.inputs.end());
  }
  const auto found = std::find_if(all.begin(), all.end(), [&](const TensorPtr& tensor) {
    return tensor && tensor->object == model.subject.object;
  });
  return found == all.end() ? nullptr : *found;
}

void do_gesture(Interface& ui, const std::string& gesture) {
  Model& model = ui.model;
  const json answer = json::parse(rewritten(model.trace, model.looked(), gesture), nullptr, false);
  ui.hand.refused.clear();
  if (answer.contains("code")) {
    rewrite_program(model, answer["code"].get<std::string>(), answer["step"].get<int>());
    ui.flash.due = true;
  } else if (answer.contains("refused")) {
    ui.hand.refused = sentence(answer["refused"]);
  }
  ui.fonts.need(ui.hand.refused);
}

void draw_hand(Interface& ui) {
  Model& model = ui.model;
  if (ui.hand.about != model.pictures) {
    ui.hand.can = gestures(model.trace, model.looked());
    ui.hand.about = model.pictures;
  }
  const json can = json::parse(ui.hand.can, nullptr, false);
  const TensorPtr tensor = subject_tensor(model);
  if (!can.is_object() || !tensor) return draw_line(ui, {{model.say(Msg::app_nothing), false, {}}}, Role::text_muted);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  Hands(ui, can, *tensor).draw();
  ImGui::PopStyleVar(2);
}

}  // namespace stridescope
