#include "app/window.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

#include "app/style.h"

namespace stridescope {
namespace {

constexpr int frames_to_settle = 4;
constexpr double seconds_between_looks = 0.2;
/// As long as nobody must have done anything for work that would make a frame late.
constexpr double seconds_of_rest = 0.1;
std::string last_error;  // GLFW reports by a callback without a context

Window& window_of(GLFWwindow* handle) { return *static_cast<Window*>(glfwGetWindowUserPointer(handle)); }

/// The frame as drawn, before it goes to the screen.
Window::Pixels read_back(int width, int height) {
  const auto row = static_cast<size_t>(width) * 3, rows = static_cast<size_t>(height);
  std::vector<unsigned char> upward(row * rows);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upward.data());
  Window::Pixels picture{width, height, {}};
  for (size_t y = rows; y-- > 0;) {
    const auto begin = upward.begin() + static_cast<std::ptrdiff_t>(y * row);
    picture.rgb.insert(picture.rgb.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return picture;
}

}  // namespace

std::variant<std::unique_ptr<Window>, FileProblem> Window::open(Model& model) {
  const auto failure = [] { return FileProblem{{Msg::app_no_window, {last_error}}, {Msg::app_hint_no_window, {}}}; };
  glfwSetErrorCallback([](int, const char* text) { last_error = text; });
  if (!glfwInit()) return failure();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // of a large window 15 MB that nothing is drawn with
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "stridescope");  // by which the desktop finds the icon
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "stridescope");
  GLFWwindow* window = glfwCreateWindow(1280, 800, "Stridescope", nullptr, nullptr);
  if (!window) {
    glfwTerminate();
    return failure();
  }
  glfwSetWindowSizeLimits(window, 640, 420, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return std::unique_ptr<Window>(new Window(window, model));
}

Window::Window(GLFWwindow* window, Model& model)
    : window_(window), model_(model), interface_{model, fonts_, rasters_}, kept_settings_(model.settings) {
  glfwSetWindowUserPointer(window, this);
  // These come first in the chain: ImGui calls them, then acts itself.
  glfwSetKeyCallback(window, [](GLFWwindow* handle, int key, int, int action, int modifiers) {
    window_of(handle).touched();
    constexpr int known = GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT;
    if (modifiers & GLFW_MOD_SUPER) modifiers |= GLFW_MOD_CONTROL;
    if (action != GLFW_RELEASE) window_of(handle).keys_.push_back({key, modifiers & known});
  });
  glfwSetDropCallback(window, [](GLFWwindow* handle, int count, const char** files) {
    window_of(handle).touched();
    if (count > 0) intend(window_of(handle).model_, {Intention::Kind::open, files[0]});
  });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* handle) {
    window_of(handle).touched();
    glfwSetWindowShouldClose(handle, GLFW_FALSE);
    intend(window_of(handle).model_, {Intention::Kind::close, ""});
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* handle) {
    window_of(handle).touched();
    window_of(handle).exposed_ = true;
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* handle, int, int) { window_of(handle).touched(); });
  glfwSetCharCallback(window, [](GLFWwindow* handle, unsigned) { window_of(handle).touched(); });
  glfwSetCursorPosCallback(window, [](GLFWwindow* handle, double, double) { window_of(handle).touched(); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* handle, int) { window_of(handle).touched(); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* handle, int, int, int) { window_of(handle).touched(); });
  glfwSetScrollCallback(window, [](GLFWwindow* handle, double x, double y) {
    const auto held = [&](int left, int right, int modifier) {
      return glfwGetKey(handle, left) || glfwGetKey(handle, right) ? modifier : 0;
    };
    window_of(handle).turn(x, y,
                           held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, GLFW_MOD_CONTROL) |
                               held(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER, GLFW_MOD_CONTROL) |
                               held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, GLFW_MOD_SHIFT) |
                               held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, GLFW_MOD_ALT));
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* handle, int) { window_of(handle).touched(); });

  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would keep the window awake
  ImGui_ImplGlfw_InitForOpenGL(window, true);
#if IMGUI_VERSION_NUM < 18700
  io.KeyMap[ImGuiKey_Tab] = -1;  // ours: see focus.h
#endif
  ImGui_ImplOpenGL3_Init("#version 330 core");
  ImGui_ImplOpenGL3_CreateDeviceObjects();
  ImGui_ImplOpenGL3_DestroyFontsTexture();  // of letters that are not ours
  fonts_.prepare(true);
  // The first frame finds out which sizes are wanted; the second is fit to be seen.
  for (int i = 0; i < 2; ++i) draw();
  glfwShowWindow(window);
}

Window::~Window() {
  if (model_.settings != kept_settings_) keep_settings(model_.settings);
  if (!kept_text_.empty()) forget_unsaved();
  rasters_.clear();
  fonts_.clear();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::wake() { lively_ = frames_to_settle; }

void Window::touched() {
  wake();
  touched_ = glfwGetTime();
}

bool Window::rested() const { return model_.playing || glfwGetTime() - touched_ >= seconds_of_rest; }

void Window::turn(double x, double y, int modifiers) {
  touched();
  interface_.wheel.x += x;
  interface_.wheel.y += y;
  interface_.wheel.modifiers = modifiers;
}

void Window::frame(bool wait) {
  if (model_.saving || interface_.flash.begun >= 0) wake();
  if (wait && !model_.playing && lively_ == 0)
    glfwWaitEventsTimeout(fonts_.wait() ? seconds_of_rest : seconds_between_looks);
  else
    glfwPollEvents();
  if (fonts_.wait() && rested()) wake();
  watch();
  if (wait && !model_.playing && lively_ == 0) return;
  if (lively_ > 0) --lively_;
  const bool differs = draw();
  // What goes on by itself is not drawn faster than it can be seen.
  if (wait && !differs && (model_.playing || model_.saving)) glfwWaitEventsTimeout(1.0 / 60);
}

/// Looks at the file, and keeps settings and unsaved text.
void Window::watch() {
  if (glfwGetTime() - watched_ < seconds_between_looks) return;
  watched_ = glfwGetTime();
  if (watch_file(model_)) wake();
  std::string failed;
  if (model_.settings != kept_settings_) failed = keep_settings(kept_settings_ = model_.settings);
  if (model_.unsaved() && model_.document.source != kept_text_) {
    const std::string reason = keep_unsaved(model_.document, model_.file);
    if (failed.empty()) failed = reason;
    kept_text_ = model_.document.source;
  } else if (!model_.unsaved() && !kept_text_.empty()) {
    forget_unsaved();
    kept_text_.clear();
  }
  if (failed.empty() || told_) return;
  told_ = true;
  model_.news = Message{Msg::app_unkept, {failed}};
  wake();
}

void Window::fill_the_screen(bool wanted) {
  if (filling_ == wanted) return;
  filling_ = wanted;
  if (wanted) {
    glfwGetWindowPos(window_, &place_[0], &place_[1]);
    glfwGetWindowSize(window_, &place_[2], &place_[3]);
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (mode) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else {
    glfwSetWindowMonitor(window_, nullptr, place_[0], place_[1], place_[2], place_[3], GLFW_DONT_CARE);
  }
  wake();
}

bool Window::draw(Pixels* picture) {
  const double begun = glfwGetTime();
  int width = 0, height = 0, pixel_width = 0, pixel_height = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixel_width, &pixel_height);
  float scale = 1, unused = 1;
  glfwGetWindowContentScale(window_, &scale, &unused);
  // Where a window is measured in points, ImGui scales to pixels itself.
  if (width > 0) scale *= static_cast<float>(width) / static_cast<float>(std::max(pixel_width, 1));
  interface_.scale = std::max(scale, 0.5f) * static_cast<float>(model_.settings.text);
  if (styled_theme_ != static_cast<int>(model_.theme()) || styled_scale_ != interface_.scale) {
    set_style(model_.theme(), interface_.scale);
    styled_theme_ = static_cast<int>(model_.theme());
    styled_scale_ = interface_.scale;
  }
  fonts_.speak(model_.language());
  if (fonts_.prepare(rested())) {
    wake();
    screen_.forget();
  }
  fill_the_screen(model_.picture_only);

  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (pointer.used) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(pointer.at.x, pointer.at.y);
    io.AddMouseButtonEvent(0, pointer.pressed);
#else
    io.MousePos = pointer.at;
    io.MouseDown[0] = pointer.pressed;
#endif
  }
  ImGui::NewFrame();
  interface_.keys = std::exchange(keys_, {});
  interface_.shift = ImGui::GetIO().KeyShift || pointer.shift;
  advance(model_, ImGui::GetIO().DeltaTime);
  draw_window(interface_);
  interface_.wheel.x = interface_.wheel.y = interface_.wheel.modifiers = 0;
  ImGui::Render();

  if (std::exchange(exposed_, false) || (picture && !screen_.keeps())) screen_.forget();
  const bool differs = screen_.draw(window_, *ImGui::GetDrawData(), color(model_.theme(), Role::background, 0));
  if (slowest) {
    glFinish();
    slowest = std::max(*slowest, 1000 * (glfwGetTime() - begun));
  }
  if (picture) *picture = read_back(pixel_width, pixel_height);
  if (differs) glfwSwapBuffers(window_);

  const std::string name =
      model_.file.empty() ? model_.say(Msg::app_unnamed) : model_.file.substr(model_.file.rfind('/') + 1);
  const std::string title = name + (model_.unsaved() ? " * " : " ") + "\xE2\x80\x94 Stridescope";
  if (title != title_) glfwSetWindowTitle(window_, (title_ = title).c_str());
  return differs;
}

Window::Pixels Window::picture() {
  Pixels picture;
  draw(&picture);
  return picture;
}

}  // namespace stridescope
