// What a program sets for the lines that follow.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "ops/dtype.h"

namespace stridescope {

/// Whether PyTorch follows gradients: as it does, not in the lines of torch.no_grad() and torch.inference_mode().
enum class Gradients : uint8_t { followed, ignored, inference };

/// Of both libraries. Rows change it that are there to set something; all others only read it (Call::settings).
struct LibrarySettings {
  Gradients gradients = Gradients::followed;
  DType default_dtype = DType::float32;  ///< torch.get_default_dtype()
  bool texts_differ = false;             ///< set_printoptions: str() of tensors and arrays is not known any more
  std::array<std::string_view, 4> numpy_errors{"warn", "warn", "ignore", "warn"};  ///< np.geterr(), in its order
  bool grads_unknown = false;  ///< a backward() was not run: what x.grad holds is not known any more
  /// What a seed begins, by the memory of NumPy's generator, null for the libraries' own: after the same seed come the
  /// same numbers.
  struct Seeded {
    uint64_t seed = 0, draws = 0;
  };
  std::map<std::pair<Library, const void*>, Seeded> seeds;
};

}  // namespace stridescope
