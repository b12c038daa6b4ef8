// One call of backward(), or of torch.autograd.grad(): from the results of a program to the leaves that they were made
// of, by the functions that autograd has noted (ops/torch/grad_fn.h). How each leads back stands in Python
// (ops/torch/backward.inc); where nobody wrote that, gradients have their layouts and no values.
// Source: PyTorch's engine, AccumulateGrad and SavedVariable
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/python/interpreter.h"
#include "ops/python/written.h"
#include "ops/torch/grad_fn.h"

namespace stridescope {

/// The error of a tensor that was written since a function had kept its values.
/// @param sizes    that it has now
/// @param made_by  the function that its gradient leads back by now; empty of a leaf
/// @param keeper   what kept it, called as the program calls it where that is known
Diagnostic modified_since(const Tensor& kept, const Dims& sizes, int64_t version, const std::string& made_by,
                          std::string_view keeper, const std::string& called, bool anomaly);
/// That of what was kept and is gone.
Diagnostic graph_was_freed();

/// Where a method gives nothing, or false, the statement failed.
struct Interpreter::Backward {
  using FnPtr = std::shared_ptr<GradFn>;
  /// A gradient on its way.
  struct Gradient {
    TensorRef tensor;
    bool made_up = false;  ///< how it is laid out is not known; where no rule made it, nor are its values
    bool lent = false;     ///< somebody else has the very object, too
  };
  /// What a function leads back.
  struct LedBack {
    std::vector<Value> gradients = {};  ///< one an argument; none at all where no rule is known
    bool laid_out = false;              ///< whether it is known how they are laid out
    std::set<const TensorObject*> lent = {};  ///< those that the program has, too
  };
  struct Waiting {
    FnPtr fn;
    Gradient gradient;
  };
  struct Leaf {
    int waits = 0;  ///< functions that may still lead to it
    std::optional<Gradient> gradient = {};
  };

  Backward(Interpreter& own, const Expr& place, bool keeps, bool adds, bool notes)
      : interpreter(own), at(place), keeps_graph(keeps), accumulates(adds), creates_graph(notes) {}

  Interpreter& interpreter;
  const Expr& at;
  const bool keeps_graph, accumulates;
  const bool creates_graph;               ///< the way back is noted, too
  std::vector<TensorRef> wanted = {};     ///< those whose gradients are asked for; of none all leaves'
  std::map<int, Gradient> captured = {};  ///< of these, by their objects, where nothing is accumulated
  std::vector<Message> told = {};
  std::vector<TensorPtr> reached = {};  ///< gradients, and their leaves

  /// Whether a way leads back from each of them.
  bool lead_back(const std::vector<Value>& roots, const std::vector<Value>& gradients);
  /// All the way.  @pre lead_back(roots, gradients)
  bool run_all(const std::vector<Value>& roots, const std::vector<Value>& gradients);

 private:
  const WrittenLibrary& library_ = written_library(WrittenIn::backward);
  std::map<int, Waiting, std::greater<>> ready_ = {};  ///< by their numbers
  std::map<int, Leaf> leaves_ = {};                    ///< by their objects
  std::map<int, const GradFn*> counted_ = {};          ///< by their numbers: what a function goes on to comes before it
  std::set<int> needed_ = {};                          ///< numbers of those that run
  /// What has come to the results of functions of the program's, by the numbers of these.
  std::map<int, std::map<int64_t, Gradient>> joined_ = {};

  /// Counts all that a result was made of: when nothing more can come to a leaf, it gets what has come.
  void count(const FnPtr& root);
  /// Where only some gradients are asked for, the functions that lead to one of them are those that run.
  void find_needed();
  bool is_wanted(int object) const;
  /// Whether what it made is asked for itself.
  bool captures(const GradFn& fn) const;
  /// Whether it is still what the tensor is made by.
  bool current(const GradFn& fn) const;

  /// One function; one function fewer that may lead to a leaf.
  bool pass(const FnPtr& fn, Gradient gradient);
  /// What it has kept is gone.
  void free(GradFn& fn);
  bool settle_leaf(int object);
  /// A leaf gets all that comes to it.
  bool settle(int object, Gradient gradient);
  /// Hands a gradient on to what an input was made by, or to the leaf that it is.
  bool hand_on(const GradFn::Edge& edge, Gradient gradient);
  /// Whether the gradient of an input, the one at `place`, has its sizes, or such that are summed to them.
  bool fits(const GradFn& fn, const GradFn::Edge& edge, int place, const TensorRef& gradient);
  /// One more gradient for what may have one already.
  bool add(std::optional<Gradient>& sum, Gradient more);
  /// Makes it a leaf's grad, or adds it to that; and that of a tensor that is no leaf.
  bool accumulate(int id, const Gradient& gradient);
  bool retain(TensorObject& object, const Gradient& gradient);
  /// Calls hooks with a gradient, which what they give takes the place of (hooks.cpp).
  bool hook(const std::vector<int64_t>& hooks, Gradient& gradient);
  /// Calls those of a leaf whose grad is there.
  bool hook_after(const TensorRef& leaf);
  /// What the program's own backward() leads back.
  std::optional<LedBack> led_by_program(const GradFn& fn);
  /// What the program calls a tensor; empty where it has no name.
  std::string name_of(int object) const;

  // Rules (backward_rules.cpp).

  std::optional<LedBack> led_back(const FnPtr& fn, Gradient gradient);
  /// The same by what was written through a view.
  std::optional<LedBack> led_through(const GradFn& fn, const Gradient& gradient);
  /// What a function keeps, led back to where it was made, where the way back is noted.
  Value followed(const FnPtr& fn, const Value& kept) const;
  /// The error that what a function kept is gone; false is answered.
  bool refuse_again();
  /// Whether a function kept everything as it was that it needs; else the library's error.
  /// @param written  its rule; null where there is none
  bool is_intact(const GradFn& fn, const Function* written);
  /// A function of backward.inc; what it does is no part of the statement.
  Result run(std::string_view written, std::vector<Value> given, std::vector<std::pair<std::string, Value>> named = {});
  std::optional<TensorRef> call(std::string_view written, std::vector<Value> given);
};

}  // namespace stridescope
