#include "app/window.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

#include "app/style.h"

namespace stridescope {
namespace {

constexpr int frames_to_settle = 4;
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

Window::Window(GLFWwindow* window, Model& model) : window_(window), model_(model), interface_{model, fonts_, rasters_} {
  glfwSetWindowUserPointer(window, this);
  // These come first in the chain: ImGui calls them, then acts itself.
  glfwSetKeyCallback(window, [](GLFWwindow* handle, int key, int, int action, int modifiers) {
    if (action != GLFW_RELEASE) window_of(handle).keys_.push_back({key, modifiers});
  });
  glfwSetDropCallback(window, [](GLFWwindow* handle, int count, const char** files) {
    if (count > 0) intend(window_of(handle).model_, {Intention::Kind::open, files[0]});
  });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* handle) {
    glfwSetWindowShouldClose(handle, GLFW_FALSE);
    intend(window_of(handle).model_, {Intention::Kind::close, ""});
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* handle) { window_of(handle).lively_ = frames_to_settle; });

  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would keep the window awake
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  fonts_.need("English 中文 ×");
  fonts_.prepare();
  // The first frame finds out which sizes are wanted; the second is fit to be seen.
  for (int i = 0; i < 2; ++i) draw();
  glfwShowWindow(window);
}

Window::~Window() {
  rasters_.clear();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::frame(bool wait) {
  if (wait && !model_.playing && lively_ == 0) {
    glfwWaitEvents();
    lively_ = frames_to_settle;
  } else {
    glfwPollEvents();
  }
  if (lively_ > 0) --lively_;
  draw();
}

void Window::answer_keys() {
  interface_.escape = false;
  const bool typing = ImGui::GetIO().WantTextInput, asking = model_.prompt || model_.intention;
  for (const auto& [key, modifiers] : std::exchange(keys_, {})) {
    if (key == GLFW_KEY_ESCAPE) interface_.escape = true;
    if (asking) continue;
    if (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) {
      if (key == GLFW_KEY_O) model_.prompt = FilePrompt{FilePrompt::Kind::open, model_.file};
      if (key == GLFW_KEY_S) save_file(model_);
      if (key == GLFW_KEY_Q) intend(model_, {Intention::Kind::close, ""});
      continue;
    }
    if (typing) continue;
    const int64_t head = model_.document.view.head, last = model_.subject.elements - 1;
    switch (key) {
      case GLFW_KEY_SPACE: play_or_pause(model_); break;
      case GLFW_KEY_LEFT: move_head(model_, head - 1); break;
      case GLFW_KEY_RIGHT: move_head(model_, head + 1); break;
      case GLFW_KEY_HOME: move_head(model_, 0); break;
      case GLFW_KEY_END: move_head(model_, last); break;
      case GLFW_KEY_UP: choose_step(model_, model_.step() - 1); break;
      case GLFW_KEY_DOWN: choose_step(model_, model_.step() + 1); break;
    }
  }
}

void Window::draw(Pixels* picture) {
  int width = 0, height = 0, pixel_width = 0, pixel_height = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixel_width, &pixel_height);
  float scale = 1, unused = 1;
  glfwGetWindowContentScale(window_, &scale, &unused);
  // Where a window is measured in points, ImGui scales to pixels itself.
  if (width > 0) scale *= static_cast<float>(width) / static_cast<float>(std::max(pixel_width, 1));
  interface_.scale = std::max(scale, 0.5f);
  if (styled_theme_ != static_cast<int>(model_.theme()) || styled_scale_ != interface_.scale) {
    set_style(model_.theme(), interface_.scale);
    styled_theme_ = static_cast<int>(model_.theme());
    styled_scale_ = interface_.scale;
  }
  if (fonts_.prepare()) lively_ = frames_to_settle;

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
  answer_keys();
  advance(model_, ImGui::GetIO().DeltaTime);
  draw_window(interface_);
  ImGui::Render();

  const Color ground = color(model_.theme(), Role::background, 0);
  glViewport(0, 0, pixel_width, pixel_height);
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255, static_cast<float>(ground.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (picture) *picture = read_back(pixel_width, pixel_height);
  glfwSwapBuffers(window_);

  const std::string name = model_.file.empty() ? model_.say(Msg::app_unnamed) : model_.file.substr(model_.file.rfind('/') + 1);
  const std::string title = name + (model_.unsaved() ? " * " : " ") + "\xE2\x80\x94 Stridescope";
  if (title != title_) glfwSetWindowTitle(window_, (title_ = title).c_str());
}

Window::Pixels Window::picture() {
  Pixels picture;
  draw(&picture);
  return picture;
}

}  // namespace stridescope
