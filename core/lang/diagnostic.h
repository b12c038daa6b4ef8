// Where in the source something is, and what there is to say about it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "explain/message.h"

namespace stridescope {

/// A half-open range of byte offsets in the UTF-8 source text.
struct Span {
  int32_t begin = 0;
  int32_t end = 0;
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

/// A replacement of source text that a front-end can offer as one click.
struct Fix {
  Span span;
  std::string replacement;
};

struct Hint {
  Message message;
  std::optional<Fix> fix;
  /// Whether what it offers gives the elements in another order: it runs, but it is not what was meant.
  bool reorders() const { return message.id == Msg::other_order_in_cells || message.id == Msg::other_order_in_bytes; }
};

/// An error as a value: place, reason, what to do. `library` holds the real library's exception, to the letter,
/// where PyTorch, NumPy or Python itself would raise one; otherwise `reason` alone is our own message.
struct Diagnostic {
  struct Raised {
    std::string type;     ///< "RuntimeError", "numpy.exceptions.AxisError" prints as "AxisError"
    std::string text;     ///< str(exception)
    bool parser = false;  ///< text comes from Python's or the argument parser's type checks: only `type` is promised
    bool bare = false;    ///< raised without a text
  };
  Span span;
  Message reason;
  std::optional<Raised> raised;
  std::vector<Hint> hints;
};

}  // namespace stridescope
