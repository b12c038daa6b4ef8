// Every row's example, and the same line on other tensors and with other arguments: most of these fail.
#pragma once
#include <cctype>
#include <string>
#include <vector>

#include "ops/op.h"

namespace stridescope {

inline bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
inline bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Programs of which the first is the row's example. The tensor it begins with is also contiguous, transposed,
/// permuted, expanded, sliced, without dimensions, empty and complex; every integer of its last line is also too large,
/// negative and no integer; the call has an argument too many, and its name a letter wrong.
inline std::vector<std::string> variants(const Op& op) {
  static const std::vector<std::string> tensors{"torch.arange(24).view(2, 3, 4)",
                                                "torch.arange(6).view(2, 3).t()",
                                                "torch.arange(24).view(2, 3, 4).permute(2, 0, 1)",
                                                "torch.arange(3).expand(2, 3)",
                                                "torch.arange(24).view(4, 6)[1:3, ::2]",
                                                "torch.tensor(5)",
                                                "torch.zeros(0, 3)",
                                                "torch.zeros(2, 3, dtype=torch.complex64)"};
  static const std::vector<std::string> arrays{"np.arange(24).reshape(2, 3, 4)",
                                               "np.arange(6).reshape(2, 3).T",
                                               "np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1)",
                                               "np.broadcast_to(np.arange(3), (2, 3))",
                                               "np.arange(24).reshape(4, 6)[1:3, ::-2]",
                                               "np.array(5)",
                                               "np.zeros((0, 3))",
                                               "np.zeros((2, 3), dtype=np.complex64)"};
  const std::string example(op.example);
  std::vector<std::string> programs{example};
  const size_t first = example.find('\n'), made = example.find(" = ");
  if (first != std::string::npos && made < first)
    for (const std::string& base : op.library == Library::torch ? tensors : arrays)
      programs.push_back(example.substr(0, made + 3) + base + example.substr(first));
  const size_t last = example.rfind('\n') + 1;
  for (size_t at = last; at < example.size(); ++at) {
    if (!is_digit(example[at]) || is_letter(example[at - 1]) || is_digit(example[at - 1]) || example[at - 1] == '.')
      continue;
    size_t end = at;
    while (end < example.size() && is_digit(example[end])) ++end;
    for (const char* instead : {"7", "-9", "'a'", "1.5"})
      programs.push_back(example.substr(0, at) + instead + example.substr(end));
    at = end;
  }
  if (example.back() == ')') {
    const std::string call = example.substr(0, example.size() - 1) + (example[example.size() - 2] == '(' ? "" : ", ");
    programs.push_back(call + "7, 8, 9)");
    programs.push_back(call + "foo=1)");
  }
  return programs;
}

}  // namespace stridescope
