// Any bytes are a share link: what is read of one, written and read again, is the same and has nothing wrong with it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "stridescope.h"

namespace stridescope {
namespace {

void round_trip(std::string_view text) {
  std::vector<Diagnostic> problems;
  const std::string written = to_text(parse_document(text, problems), true);
  std::vector<Diagnostic> none;
  if (to_text(parse_document(written, none), true) != written || !none.empty()) std::abort();
}

}  // namespace
}  // namespace stridescope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  stridescope::round_trip({reinterpret_cast<const char*>(data), size});
  return 0;
}
