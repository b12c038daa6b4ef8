#include "app/saving.h"

#include <utility>

namespace stridescope {

FileProblem problem_of(const Complaint& complaint) {
  const auto& [place, reason, hints] = complaint;
  return {reason, hints.empty() ? Message{Msg::plain_text, {""}} : hints.front().message, place};
}

Saving::Saving(FigureRequest figure, Format format, std::string file, std::string name)
    : figure_(std::move(figure)), format_(format), file_(std::move(file)), name_(std::move(name)), thread_([this] {
        result_ = work();
        done_ = true;
      }) {}

Saving::~Saving() {
  given_up_ = true;
  thread_.join();
}

Saving::Result Saving::work() {
  auto made = make(figure_, format_, {name_}, [this](int count, int all) {
    made_ = count;
    all_ = all;
    return !given_up_;
  });
  if (const auto* complaints = std::get_if<std::vector<Complaint>>(&made)) return problem_of(complaints->front());
  const auto files = as_files(std::get<std::vector<Made>>(std::move(made)), file_, format_);
  std::vector<std::string> names;
  if (given_up_) return names;
  if (auto problem = write_whole(files)) return *std::move(problem);
  for (const File& file : files) names.push_back(file.path);
  return names;
}

}  // namespace stridescope
