// The calls of PyTorch's or NumPy's that one function of einops makes, one after the other.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/einops/pattern.h"
#include "ops/python/interpreter.h"

namespace stridescope {

/// "2, 3": as the arguments of a call are written.
std::string inside(const Dims& dims);
/// x.shape, of the type that the library gives it.
Value shape_of(const Tensor& tensor);
/// What einops says of a value that neither library has made.
PatternProblem no_tensor(const Value& value);

struct Interpreter::Chain {
  Interpreter& in;
  const Expr& at;
  Value value = {};          ///< what they have come to
  std::string code = {};     ///< and the code for it
  std::string reducer = {};  ///< the code of a function that reduces

  bool of_torch() const { return is_of_torch(value); }

  /// Each goes on with what a call gives, and is told as the code for it.  @post false: it failed, in.error_ says why
  bool method(std::string_view name, std::vector<Value> given, std::string_view written, Arguments arguments = {});
  /// torch.name(given) or np.name(given)
  bool function(std::string_view name, std::vector<Value> given, std::string_view written, Arguments arguments = {});
  bool reshape(const Dims& sizes);
  bool permute(const Dims& order);
  bool reduce(const Value& reduction, const Dims& dims);
  /// New dims at these places, of these sizes; then there are `rank`.
  bool add(const std::vector<std::pair<int64_t, int64_t>>& added, int rank);
  bool follow(const Recipe& recipe, const Value& reduction);
  bool done(Result result, std::string shown);
};

}  // namespace stridescope
