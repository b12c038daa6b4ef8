#include "app/script.h"

#include <backends/imgui_impl_glfw.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace stridescope {
namespace {

using nlohmann::json;

json box(const Box& extent) { return {extent.left, extent.top, extent.right, extent.bottom}; }

class Puppeteer {
 public:
  Puppeteer(Window& window, Model& model) : window_(window), model_(model) {}

  json obey(const std::string& line) {
    std::istringstream words(line);
    std::string command, rest;
    words >> command;
    std::getline(words >> std::ws, rest);
    if (command == "point") return point(rest);
    if (command == "press" || command == "release") return press(command == "press", rest);
    if (command == "wheel") return wheel(rest);
    if (command == "key") return key(rest);
    if (command == "type") return type(rest);
    if (command == "drop") return drop(rest);
    if (command == "clipboard") return clipboard(rest);
    if (command == "resize") return resize(rest);
    if (command == "settle") return settle_for(rest);
    if (command == "screenshot") return screenshot(rest);
    if (command == "state") return state();
    if (command == "geometry") return geometry();
    if (command == "close") return close();
    if (command == "quit") return quit();
    return {{"error", "no such command: " + command}};
  }

 private:
  /// Frames after something was done, however long they take: to the window no time passes.
  json settle() {
    for (int i = 0; i < 4; ++i) {
      window_.touched();
      frame();
    }
    return json::object();
  }
  void frame() { window_.frame(false); }
  /// Frames after nothing was done for a while.
  json rest() {
    window_.rest();
    for (int i = 0; i < 4; ++i) frame();
    return json::object();
  }

  json point(const std::string& place) {
    std::istringstream numbers(place);
    if (!(numbers >> window_.pointer.at.x >> window_.pointer.at.y)) return {{"error", "point X Y"}};
    window_.pointer.used = true;
    window_.touched();
    return settle();
  }

  json press(bool down, std::string name) {
    window_.pointer.used = true;
    window_.pointer.shift = (held(name) & GLFW_MOD_SHIFT) != 0;
    window_.pointer.pressed = down;
    window_.touched();
    return settle();
  }

  /// The modifiers that a name begins with, which it loses.
  static int held(std::string& name) {
    int modifiers = 0;
    for (const auto& [word, modifier] :
         {std::pair("ctrl+", GLFW_MOD_CONTROL), {"shift+", GLFW_MOD_SHIFT}, {"alt+", GLFW_MOD_ALT}})
      if (name.starts_with(word)) modifiers |= modifier, name.erase(0, std::string_view(word).size());
    return modifiers;
  }

  json wheel(std::string turns) {
    const int modifiers = held(turns);
    const double by = std::strtod(turns.c_str(), nullptr);
    if (modifiers == 0)
      ImGui_ImplGlfw_ScrollCallback(window_.handle(), 0, by);
    else
      window_.turn(0, by, modifiers);
    return settle();
  }

  json key(std::string name) {
    static const std::map<std::string, int> keys{{"space", GLFW_KEY_SPACE},
                                                 {"left", GLFW_KEY_LEFT},
                                                 {"right", GLFW_KEY_RIGHT},
                                                 {"up", GLFW_KEY_UP},
                                                 {"down", GLFW_KEY_DOWN},
                                                 {"home", GLFW_KEY_HOME},
                                                 {"end", GLFW_KEY_END},
                                                 {"escape", GLFW_KEY_ESCAPE},
                                                 {"enter", GLFW_KEY_ENTER},
                                                 {"tab", GLFW_KEY_TAB},
                                                 {"backspace", GLFW_KEY_BACKSPACE},
                                                 {"f1", GLFW_KEY_F1},
                                                 {"f11", GLFW_KEY_F11},
                                                 {"plus", GLFW_KEY_EQUAL},
                                                 {"minus", GLFW_KEY_MINUS},
                                                 {"page_up", GLFW_KEY_PAGE_UP},
                                                 {"page_down", GLFW_KEY_PAGE_DOWN},
                                                 {"period", GLFW_KEY_PERIOD},
                                                 {"0", GLFW_KEY_0}};
    const int modifiers = held(name);
    if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'z') return press_key(GLFW_KEY_A + (name[0] - 'a'), modifiers);
    const auto found = keys.find(name);
    if (found == keys.end()) return {{"error", "no such key: " + name}};
    return press_key(found->second, modifiers);
  }

  json press_key(int key, int modifiers) {
    const auto send = [&](int what, int action) {
      ImGui_ImplGlfw_KeyCallback(window_.handle(), what, 0, action, modifiers);
    };
    if (modifiers & GLFW_MOD_CONTROL) send(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS);
    send(key, GLFW_PRESS);
#if IMGUI_VERSION_NUM >= 18980
    // The modifiers of a key are those that GLFW finds pressed, and these are on no keyboard.
    if (modifiers & GLFW_MOD_CONTROL) ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
#endif
    frame();
    send(key, GLFW_RELEASE);
    if (modifiers & GLFW_MOD_CONTROL) send(GLFW_KEY_LEFT_CONTROL, GLFW_RELEASE);
    return settle();
  }

  json type(const std::string& text) {
    const char* at = text.data();
    for (const char* end = at + text.size(); at < end;) {
      unsigned code = static_cast<unsigned char>(*at++);
      const int more = code < 0xC0 ? 0 : code < 0xE0 ? 1 : code < 0xF0 ? 2 : 3;
      if (more > 0) code &= 0x3Fu >> more;
      for (int i = 0; i < more && at < end; ++i) code = code << 6 | (static_cast<unsigned char>(*at++) & 0x3Fu);
      ImGui_ImplGlfw_CharCallback(window_.handle(), code);
      frame();
    }
    return settle();
  }

  json drop(const std::string& file) {
    const auto callback = glfwSetDropCallback(window_.handle(), nullptr);
    glfwSetDropCallback(window_.handle(), callback);
    const char* files[] = {file.c_str()};
    callback(window_.handle(), 1, files);
    return settle();
  }

  json clipboard(const std::string& text) {
    ImGui::SetClipboardText(text.c_str());
    return settle();
  }

  json resize(const std::string& size) {
    std::istringstream numbers(size);
    int width = 0, height = 0;
    if (!(numbers >> width >> height)) return {{"error", "resize WIDTH HEIGHT"}};
    glfwSetWindowSize(window_.handle(), width, height);
    int now_width = 0, now_height = 0;
    for (int i = 0; i < 200 && (now_width != width || now_height != height); ++i) {
      glfwWaitEventsTimeout(0.01);
      glfwGetWindowSize(window_.handle(), &now_width, &now_height);
    }
    settle();
    return {{"width", now_width}, {"height", now_height}};
  }

  json settle_for(const std::string& milliseconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::atoi(milliseconds.c_str()));
    while (std::chrono::steady_clock::now() < end) frame();
    return rest();
  }

  json screenshot(const std::string& file) {
    rest();
    const Window::Pixels picture = window_.picture();
    std::string bytes = "P6\n" + std::to_string(picture.width) + " " + std::to_string(picture.height) + "\n255\n";
    bytes.append(picture.rgb.begin(), picture.rgb.end());
    if (const auto problem = write_whole(file, bytes)) return {{"error", plain(problem->reason, Language::english)}};
    return json::object();
  }

  json state() {
    json controls = json::object();
    for (const auto& [name, extent] : window_.interface().controls) controls[name] = box(extent);
    const char* clipboard = ImGui::GetClipboardText();
    return {{"document", to_text(model_.document)},
            {"source", model_.document.source},
            {"step", model_.step()},
            {"steps", model_.trace.steps.size()},
            {"head", model_.document.view.head},
            {"phase", model_.document.view.phase},
            {"elements", model_.subject.elements},
            {"hover", to_string(model_.document.view.hover)},
            {"playing", model_.playing},
            {"file", model_.file},
            {"unsaved", model_.unsaved()},
            {"problem", problem()},
            {"saving", model_.saving ? json{model_.saving->made(), model_.saving->all()} : json()},
            {"frame", *std::exchange(window_.slowest, 0.0)},
            {"room", {static_cast<double>(model_.drawn->width) / 100, static_cast<double>(model_.drawn->height) / 100}},
            {"pictures", model_.pictures},
            {"letters", window_.interface().fonts.times()},
            {"text", model_.settings.text},
            {"focus", window_.interface().focused},
            {"box", window_.interface().cut.line},
            {"asks", model_.asks()},
            {"judged", json::parse(judged(model_.trace, model_.document.view, window_.interface().guessing.guess))},
            {"clipboard", clipboard ? clipboard : ""},
            {"controls", controls}};
  }

  std::string problem() const {
    const auto& problem = model_.prompt && model_.prompt->problem ? model_.prompt->problem : model_.problem;
    std::string text;
    if (problem)
      for (const Run& run : reason_of(*problem, Language::english)) text += run.text;
    return text;
  }

  json geometry() {
    rest();
    static const char* kinds[] = {"rect", "polyline", "text", "image"};
    const Interface& ui = window_.interface();
    json items = json::array();
    for (size_t i = 0; i < ui.extents.size(); ++i)
      items.push_back({{"kind", kinds[model_.scene.items[i].shape.index()]}, {"box", box(ui.extents[i])}});
    return {{"origin", {ui.stage_origin.x, ui.stage_origin.y}},
            {"scale", ui.stage_scale},
            {"scene", {static_cast<double>(model_.scene.width) / 100, static_cast<double>(model_.scene.height) / 100}},
            {"items", std::move(items)}};
  }

  json close() {
    const auto callback = glfwSetWindowCloseCallback(window_.handle(), nullptr);
    glfwSetWindowCloseCallback(window_.handle(), callback);
    callback(window_.handle());
    return settle();
  }

  json quit() {
    model_.closing = true;
    return json::object();
  }

  Window& window_;
  Model& model_;
};

}  // namespace

int obey(Window& window, Model& model, const std::string& script) {
  LineReader lines(script);
  Puppeteer puppeteer(window, model);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;  // what a command does happens in the next frame
#endif
  window.slowest = 0;
  int status = 0;
  while (!window.closed()) {
    const auto line = lines.next();
    if (!line) break;
    if (line->empty()) continue;
    const json answer = puppeteer.obey(*line);
    if (answer.contains("error")) status = 1;
    if (write_whole("-", answer.dump(-1, ' ', false, json::error_handler_t::replace) + "\n")) return 1;
  }
  return lines.problem() ? 1 : status;
}

}  // namespace stridescope
