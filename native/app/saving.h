// Pictures that are made and written beside the window's own work, so that it goes on whatever they take.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "export/figure.h"

namespace stridescope {

FileProblem problem_of(const Complaint& complaint);

class Saving {
 public:
  /// What came of it: the files that were written, or why there are none.
  using Result = std::variant<std::vector<std::string>, FileProblem>;

  /// @param name  the program's, as problems call it
  Saving(FigureRequest figure, Format format, std::string file, std::string name);
  /// Gives up, unless it is being written already.
  /// @post all files are there or none
  ~Saving();
  Saving(const Saving&) = delete;
  Saving& operator=(const Saving&) = delete;

  int made() const { return made_; }
  int all() const { return all_; }  ///< 0 until it is known
  /// Null until it is done.
  const Result* result() const { return done_ ? &*result_ : nullptr; }

 private:
  Result work();

  const FigureRequest figure_;
  const Format format_;
  const std::string file_, name_;
  std::atomic<int> made_ = 0, all_ = 0;
  std::atomic<bool> given_up_ = false, done_ = false;
  std::optional<Result> result_;  ///< read only once `done_` is set
  std::thread thread_;            ///< begins when all else is there
};

}  // namespace stridescope
