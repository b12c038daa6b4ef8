#include "cli/render.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "cli/options.h"

namespace stridescope {
namespace {

namespace fs = std::filesystem;

/// The pictures of all inputs, nothing of them written yet.
class Batch {
 public:
  Batch(const RenderOptions& options, Language language) : options_(options), language_(language) {}

  /// @post false where something is wrong, which has been said
  bool make_all() {
    if (options_.inputs.size() > 1 && !is_folder(options_.output))
      return refuse({Msg::cli_needs_folder, {options_.output}});
    bool good = true;
    for (const std::string& input : options_.inputs) good = make_one(input) && good;
    return good;
  }
  const std::vector<File>& files() const { return files_; }

 private:
  bool refuse(const Message& reason) const {
    complain({"stridescope", reason, {}}, language_);
    return false;
  }

  bool make_one(const std::string& input) {
    auto read = read_document(input);
    if (const auto* problem = std::get_if<FileProblem>(&read)) {
      complain(*problem, language_);
      return false;
    }
    const auto& opened = std::get<Opened>(read);
    const OptionLines lines = option_lines(opened.document.source, input);
    if (lines.wrong) {
      complain(*lines.wrong, language_);
      return false;
    }
    auto figure = figure_of(opened, lines.asked, options_.chosen);
    if (const auto* wrong = std::get_if<Message>(&figure)) {
      complain({shown_name(input) + ":1:1", *wrong, {}}, language_);
      return false;
    }
    auto made = stridescope::make(std::get<FigureRequest>(figure), options_.format, {input});
    if (const auto* complaints = std::get_if<std::vector<Complaint>>(&made)) {
      for (const Complaint& complaint : *complaints) complain(complaint, language_);
      return false;
    }
    return keep(input, std::get<std::vector<Made>>(std::move(made)));
  }

  bool keep(const std::string& input, std::vector<Made> made) {
    const std::string ending = "." + std::string(name_of(options_.format));
    fs::path path = options_.output;
    if (path != "-" && is_folder(options_.output))
      path /= (input == "-" ? "figure" : fs::path(input).stem().string()) + ending;
    if (made.size() > 1 && path == "-") return refuse({Msg::cli_needs_file, {name_of(options_.format)}});
    for (File& file : as_files(std::move(made), path.string(), options_.format)) {
      const auto [owner, is_new] = taken_.emplace(file.path, input);
      if (file.path != "-" && !is_new) return refuse({Msg::cli_same_output, {owner->second, input, file.path}});
      files_.push_back(std::move(file));
    }
    return true;
  }

  const RenderOptions& options_;
  Language language_;
  std::vector<File> files_;
  std::map<std::string, std::string> taken_;  ///< outputs and whose they are
};

int render_once(const RenderOptions& options, Language language) {
  Batch batch(options, language);
  if (!batch.make_all()) return failed;
  const auto problem = write_whole(batch.files());
  if (!problem) return 0;
  complain(*problem, language);
  return failed;
}

/// When the inputs were last written; a file that is not there at this moment counts as another time.
std::vector<fs::file_time_type> times(const std::vector<std::string>& inputs) {
  std::vector<fs::file_time_type> list;
  for (const std::string& input : inputs) {
    std::error_code missing;
    list.push_back(fs::last_write_time(input, missing));
  }
  return list;
}

}  // namespace

int render(const RenderOptions& options, Language language) {
  if (!options.watch) return render_once(options, language);
  constexpr auto pause = std::chrono::milliseconds(100);
  for (;;) {
    const auto before = times(options.inputs);
    if (render_once(options, language) == 0) std::cerr << "stridescope: " << options.output << std::endl;
    while (times(options.inputs) == before) std::this_thread::sleep_for(pause);
  }
}

}  // namespace stridescope
