// Any bytes are a program as the parser reads it: what it promises of spans, diagnostics and heights holds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "lang/promises.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string broken = stridescope::broken_promise({reinterpret_cast<const char*>(data), size});
  if (!broken.empty()) std::abort();
  return 0;
}
