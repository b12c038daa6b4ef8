// What a program sets for the lines that follow.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "ops/dtype.h"

namespace stridescope {

/// Whether PyTorch follows gradients: as it does, not in the lines of torch.no_grad() and torch.inference_mode().
enum class Gradients : uint8_t { followed, ignored, inference };

class Call;

/// How the texts of a library's arrays look: set_printoptions.
struct TextOptions {
  int64_t digits = 0;                   ///< behind the point, at most (NumPy) or always (torch)
  int64_t width = 0;                    ///< characters of a line
  int64_t most_in_full = 1000;          ///< of more elements only some are shown:
  int64_t at_an_end = 3;                ///< so many at each end of a dim
  bool suppress = false;                ///< NumPy: no exponent because a number is small
  std::optional<bool> scientific = {};  ///< torch: whether there is one, whatever the numbers are
};

/// Of both libraries. Rows change it that are there to set something; all others only read it (Call::settings).
struct LibrarySettings {
  Gradients gradients = Gradients::followed;
  DType default_dtype = DType::float32;  ///< torch.get_default_dtype()
  TextOptions torch_texts{.digits = 4, .width = 80}, numpy_texts{.digits = 8, .width = 75};
  TextOptions asked_texts = {};  ///< what np.printoptions() was given, which its `with` begins
  bool texts_differ = false;     ///< they were given options that are not modelled: texts are not known any more
  std::array<std::string_view, 4> numpy_errors{"warn", "warn", "ignore", "warn"};  ///< np.geterr(), in its order
  /// Members of modules and classes that the program gave another value, by their paths: what they do is not known.
  std::set<std::string, std::less<>> replaced;
  bool detects_anomaly = false;  ///< torch.autograd.set_detect_anomaly(True): an error of backward() has another text
  bool grads_unknown = false;  ///< a backward() was not run: what x.grad holds is not known any more
  /// What a seed begins, by the memory of NumPy's generator, null for the libraries' own: after the same seed come the
  /// same numbers.
  struct Seeded {
    uint64_t seed = 0, draws = 0;
  };
  std::map<std::pair<Library, const void*>, Seeded> seeds;
};

/// Reads what set_printoptions is given in numbers; what is none that is modelled makes all texts unknown.
void read_text_numbers(Call& call, TextOptions& options);

/// The settings by which texts are written in this thread: those of the program that runs, or as they are at first.
class SettingsInUse {
 public:
  explicit SettingsInUse(const LibrarySettings& settings);
  ~SettingsInUse();
  SettingsInUse(const SettingsInUse&) = delete;
  SettingsInUse& operator=(const SettingsInUse&) = delete;
  static const LibrarySettings& now();
  /// How texts of a library's arrays look.
  static const TextOptions& texts(Library library);

 private:
  const LibrarySettings* outer_;
};

}  // namespace stridescope
