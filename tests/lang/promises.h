// What parse() promises of any bytes, checked by tests and by the fuzzer.
#pragma once
#include <string>
#include <string_view>

#include "lang/ast.h"

namespace stridescope {

/// The promises of parse(), as a sentence that says which one is broken; empty where all hold.
inline std::string broken_promise(std::string_view source) {
  const Program program = parse(source);
  int32_t end = 0;
  int line = 0, errors = 0;
  for (const Statement& statement : program.statements) {
    const Span span = statement.span;
    if (span.begin < end || span.end <= span.begin || span.end > static_cast<int32_t>(source.size())) return "spans";
    if (statement.line < line || statement.line < 1) return "lines";
    end = span.end;
    line = statement.line;
    if ((statement.kind == Statement::Kind::error) != (statement.diagnostic >= 0)) return "diagnostic of an error";
    if (statement.kind == Statement::Kind::error) {
      if (statement.diagnostic != errors++) return "one diagnostic an error, in order";
      const Span place = program.diagnostics[static_cast<size_t>(statement.diagnostic)].span;
      if (place.begin < span.begin || place.end > span.end || place.end <= place.begin)
        return "place inside its statement";
    }
    if (statement.value && statement.value->height > max_height) return "height";
  }
  if (static_cast<size_t>(errors) != program.diagnostics.size()) return "diagnostics without a statement";
  for (const Diagnostic& diagnostic : program.diagnostics) {
    if (diagnostic.hints.empty()) return "a hint";
    if (const auto& fix = diagnostic.hints[0].fix) {
      if (fix->span.begin > fix->span.end || fix->span.begin < 0 || fix->span.end > static_cast<int32_t>(source.size()))
        return "fix inside the source";
    }
  }
  dump(program);
  return {};
}

}  // namespace stridescope
