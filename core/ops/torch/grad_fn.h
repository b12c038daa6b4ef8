// The graph that autograd keeps: what made a tensor through which gradients are followed, and of what, until backward()
// goes back through it (ops/python/backward.cpp).
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/value.h"

namespace stridescope {

class Call;
struct Numbering;

/// One call: PyTorch's x.grad_fn.
struct GradFn {
  /// Where a gradient goes on to: through the function that made an input, or to the leaf that the input is.
  struct Edge {
    TensorPtr input;             ///< as it was, but for its own function
    std::shared_ptr<GradFn> fn;  ///< null for a leaf
  };
  int number = -1;               ///< in order of calls; backward() takes the latest first
  std::string_view way;          ///< what it is called (way_back_text), empty where that is not known
  std::string rule;              ///< which function of backward.inc leads back by it, if there is one
  std::vector<Value> arguments;  ///< of the call, in the order of the row's parameters, as they were
  std::vector<Edge> edges;       ///< one for each input that requires a gradient
  std::vector<std::pair<TensorPtr, int64_t>> versions;  ///< of its inputs, when it was called
  TensorPtr result;                                     ///< as it was made, but for its function
  int64_t result_version = 0;
  std::vector<int64_t> hooks = {};  ///< that are called with the gradient of its result (Numbering::hooks)
  int64_t output = 0;    ///< which of several results it stands for
  bool is_own = false;   ///< a function of the program's (OwnFunction), at which the gradients of its results meet
  bool of_own = false;   ///< one result of such a function, which is its only edge
  /// Of what was written through a view: the function of that write, for the elements that the view reads.
  std::shared_ptr<GradFn> through = nullptr;
  /// Of the storages that the arguments have, which hold what they held then, those that they are of.
  std::vector<std::pair<const Storage*, std::shared_ptr<Storage>>> live;
  /// Of a tensor that the program has but a view of, which lies as it does: the sizes of that.
  std::optional<Dims> seen_as = std::nullopt;
  bool written = false;  ///< its first input was written in place
  bool freed = false;    ///< backward() has gone through it
  bool in_cpp = false;   ///< a call that a function of the library in C++ made, where a number is no tensor
  std::shared_ptr<const Object> seen = nullptr;  ///< what the program has of it, once it has asked

  GradFn() = default;
  GradFn(const GradFn&) = delete;
  GradFn& operator=(const GradFn&) = delete;
  /// One after the other: a chain may be as long as a program runs.
  ~GradFn();
};

/// The tensor as it is, but for the function that made it, so that no chain of functions hangs on it.
TensorPtr without_function(const TensorPtr& tensor);
/// A function without arguments or edges, which leads back from `made` from now on.
GradFn& begin_function(int number, Tensor& made);
/// A tensor as it was, as a value.
Value seen_again(const TensorPtr& tensor);
/// Notes what `made` is made of.  @pre it requires a gradient and is no leaf
void note_grad_fn(Call& call, Tensor& made, std::span<const TensorPtr> inputs);
/// Notes for a tensor that a view of it was written: what the view was made of by that is in it now.
/// @param view  what was written, with the function that note_grad_fn() gave it
void note_written_through(Call& call, Tensor& base, const Tensor& view);
/// Whether it is a view of what was written since, so that another function leads back from it now: the one below.
bool is_behind(const Tensor& view);
inline constexpr std::string_view way_of_view = "AsStridedBackward0";
/// A view that is behind is one of what its base is now.
void see_again(Numbering& numbering, TensorObject& view);

}  // namespace stridescope
