// The numbers of the tensor that is shown: its layout in elements and in bytes, what it is called in other systems, who
// shares its storage and what of that storage is never read.
#include <algorithm>

#include "app/interface.h"

namespace stridescope {
namespace {

std::string list(const Dims& numbers) {
  return to_string(Layout{numbers, numbers, 0}).substr(0, to_string(Layout{numbers, numbers, 0}).find(':'));
}

/// A caption and what it is; below each other where there is little room.
void row(Interface& ui, const std::string& caption, const std::string& value, bool code = true) {
  if (value.empty()) return;
  const float start = ImGui::GetCursorPosX(),
              middle = start + std::min(ImGui::GetContentRegionAvail().x * 0.45f, ui.px(190));
  const float top = ImGui::GetCursorPosY();
  ImGui::BeginGroup();
  ImGui::PushItemWidth(middle - start);
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colour(Role::text_muted));
  ImGui::PushTextWrapPos(middle - ui.px(8));
  ImGui::TextUnformatted(caption.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopItemWidth();
  ImGui::EndGroup();
  const float below = ImGui::GetCursorPosY();
  ImGui::SetCursorPos({middle, top - ui.px(1)});
  draw_line(ui, {{value, code, {}}}, Role::text);
  ImGui::SetCursorPos({start, std::max(below, ImGui::GetCursorPosY())});
}

std::string packed(Interface& ui, const Tensor& tensor) {
  std::string orders;
  const auto add = [&](bool holds, const char* name) {
    if (holds) orders += (orders.empty() ? "" : ", ") + std::string(name);
  };
  add(is_contiguous(tensor.layout, tensor.unit()), "C");
  add(is_f_contiguous(tensor.layout, tensor.unit()), "Fortran");
  const bool image = tensor.layout.rank() == 4;
  if (tensor.library == Library::torch)
    add(is_channels_last(tensor.layout), image ? "channels_last" : "channels_last_3d");
  return orders.empty() ? ui.model.say(Msg::app_packed_none) : orders;
}

/// What else the library knows of it, in the library's own words.
std::string flags(const Tensor& tensor) {
  std::string names;
  const auto add = [&](bool holds, const char* name) {
    if (holds) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  const bool torch = tensor.library == Library::torch;
  add(torch && tensor.is_leaf, "is_leaf");
  add(torch && tensor.requires_grad, "requires_grad");
  add(torch && tensor.is_view, "is_view");
  add(torch && tensor.lens.conjugate, "is_conj");
  add(torch && tensor.lens.negative, "is_neg");
  add(!torch && !tensor.is_view, "OWNDATA");
  add(!torch && tensor.writeable, "WRITEABLE");
  return names;
}

/// Live names on the same storage.
std::string sharers(Interface& ui, const Step& step, const Tensor& tensor) {
  std::string names;
  for (const Named& named : step.names)
    if (named.tensor->storage->id == tensor.storage->id && named.tensor->object != tensor.object)
      names += (names.empty() ? "" : ", ") + named.name;
  return names.empty() ? ui.model.say(Msg::app_nothing) : names;
}

void draw_tensor(Interface& ui, const Step& step, const TensorPtr& shown) {
  const Model& model = ui.model;
  const Tensor& tensor = *shown;
  const Layout& layout = tensor.layout;
  const auto bytes = in_bytes(tensor);
  Layout elements = layout;
  const auto divides = [&](int64_t number) { return number % tensor.unit() == 0; };
  const bool whole =
      std::all_of(layout.strides.begin(), layout.strides.end(), divides) && divides(layout.storage_offset);
  for (int64_t& stride : elements.strides) stride /= tensor.unit();
  elements.storage_offset /= tensor.unit();
  const auto in = [&](Msg unit, Msg what) { return model.say(unit, {model.say(what)}); };
  row(ui, model.say(Msg::label_sizes), list(layout.sizes));
  if (whole) row(ui, in(Msg::app_in_elements, Msg::label_strides), list(elements.strides));
  if (bytes) row(ui, in(Msg::app_in_bytes, Msg::label_strides), list(bytes->strides));
  if (whole) row(ui, in(Msg::app_in_elements, Msg::label_offset), std::to_string(elements.storage_offset));
  if (bytes) row(ui, in(Msg::app_in_bytes, Msg::label_offset), std::to_string(bytes->storage_offset));
  row(ui, model.say(Msg::app_elements), std::to_string(numel(layout.sizes).value_or(0)));
  row(ui, "dtype", dtype_text(tensor));
  row(ui, model.say(Msg::app_packed), packed(ui, tensor));
  row(ui, "flags", flags(tensor));
  if (const auto cells = cells_of(model.trace, model.looked(), shown)) {
    row(ui, model.say(Msg::app_storage), model.say(Msg::app_cells, {cells->count, cells->bytes}), false);
    if (cells->unread)
      row(ui, model.say(Msg::app_unread), model.say(Msg::app_unread_cells, {*cells->unread, cells->count}), false);
  }
  row(ui, model.say(Msg::app_shared_with), sharers(ui, step, tensor));
}

/// The layout as other systems write it; a click copies it.
void draw_notations(Interface& ui, const Tensor& tensor) {
  Model& model = ui.model;
  ImGui::Dummy({0, ui.px(6)});
  draw_line(ui, {{model.say(Msg::label_other_words), false, {}}}, Role::text_muted, Face::sans_bold);
  for (const Notation& notation : notations(tensor)) {
    const std::string system(notation.system);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colour(Role::text_muted));
    ImGui::TextUnformatted(system.c_str());
    ImGui::PopStyleColor();
    ImGui::SetCursorScreenPos({start.x + ui.px(64), start.y - ui.px(1)});
    if (notation.why_not) {
      draw_line(ui, words(*notation.why_not, model.language()), Role::text_muted);
    } else {
      const ImVec2 low = ImGui::GetCursorScreenPos();
      draw_line(ui, {{notation.text, true, {}}}, Role::text);
      const ImVec2 next = ImGui::GetCursorScreenPos();
      ImGui::SetCursorScreenPos(low);
      if (ImGui::InvisibleButton(("copy " + system).c_str(), {ImGui::GetContentRegionAvail().x, next.y - low.y})) {
        ImGui::SetClipboardText(notation.text.c_str());
        model.news = Message{Msg::app_copied, {notation.text}};
      }
      ui.control("copy " + system);
      if (ImGui::IsItemHovered()) {
        ImGui::SetTooltip("%s", model.say(Msg::label_copy, {system}).c_str());
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      }
      ImGui::SetCursorScreenPos(next);
    }
    ImGui::SetCursorScreenPos({start.x, ImGui::GetCursorScreenPos().y + ui.px(2)});
  }
}

}  // namespace

void draw_inspector(Interface& ui) {
  const Step* step = ui.model.shown();
  const TensorPtr tensor = step && !ui.model.asks() ? shown_tensor(*step) : nullptr;
  if (!tensor) return draw_line(ui, {{ui.model.say(Msg::app_nothing), false, {}}}, Role::text_muted);
  draw_tensor(ui, *step, tensor);
  draw_notations(ui, *tensor);
}

/// The lowest panel at the left: words about the step, under one of three headings.
void draw_words(Interface& ui) {
  ImGui::SetCursorPos({ui.px(8), ui.px(6)});
  const auto tab = [&](const char* name, Msg label, Interface::Words which) {
    const std::string text = ui.model.say(label);
    const auto [font, size] = ui.fonts.at(Face::sans_bold, ui.px(12));
    const ImVec2 at = ImGui::GetCursorScreenPos(), extent = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
    if (ImGui::InvisibleButton(name, {extent.x + ui.px(16), ui.px(24)})) ui.words = which;
    ui.control(name);
    const bool chosen = ui.words == which;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddText(font, size, {at.x + ui.px(8), at.y + ui.px(4)},
                 ui.colour(chosen || ImGui::IsItemHovered() ? Role::text : Role::text_muted), text.c_str());
    if (chosen)
      list.AddRectFilled({at.x + ui.px(8), at.y + ui.px(22)}, {at.x + ui.px(8) + extent.x, at.y + ui.px(24)},
                         ui.colour(Role::minimap_window));
    ImGui::SameLine(0, ui.px(4));
  };
  tab("why", Msg::label_why, Interface::Words::why);
  tab("layout", Msg::app_inspector, Interface::Words::layout);
  tab("walk", Msg::app_walk, Interface::Words::walk);
  tab("hand", Msg::label_do, Interface::Words::hand);
  ImGui::NewLine();
  ImGui::SetCursorPosY(ui.px(36));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(4)});
  ImGui::BeginChild("words", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  switch (ui.words) {
    case Interface::Words::why: draw_explanation(ui); break;
    case Interface::Words::layout: draw_inspector(ui); break;
    case Interface::Words::walk: draw_walk(ui); break;
    case Interface::Words::hand: draw_hand(ui); break;
  }
  ImGui::Dummy({0, ui.px(8)});
  ImGui::EndChild();
}

}  // namespace stridescope
