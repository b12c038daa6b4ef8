#include <algorithm>

#include "lang/parser.h"
#include "lang/transcript.h"
#include "lang/utf8.h"

namespace stridescope {
namespace {

/// A construct of Python that is not read, by the word it begins with.
struct Construct {
  Word word;
  Msg reason, hint;
};
constexpr Construct statements[] = {
    {"for", Msg::lang_branch, Msg::hint_lang_branch},       {"while", Msg::lang_branch, Msg::hint_lang_branch},
    {"break", Msg::lang_loop, Msg::hint_lang_loop},         {"continue", Msg::lang_loop, Msg::hint_lang_loop},
    {"if", Msg::lang_branch, Msg::hint_lang_branch},        {"elif", Msg::lang_branch, Msg::hint_lang_branch},
    {"else", Msg::lang_branch, Msg::hint_lang_branch},      {"def", Msg::lang_branch, Msg::hint_lang_branch},
    {"return", Msg::lang_return, Msg::hint_lang_return},    {"yield", Msg::lang_return, Msg::hint_lang_return},
    {"async", Msg::lang_function, Msg::hint_lang_function}, {"class", Msg::lang_branch, Msg::hint_lang_branch},
    {"with", Msg::lang_branch, Msg::hint_lang_branch},      {"try", Msg::lang_branch, Msg::hint_lang_branch},
    {"except", Msg::lang_branch, Msg::hint_lang_branch},    {"finally", Msg::lang_branch, Msg::hint_lang_branch},
    {"@", Msg::lang_decorator, Msg::hint_lang_decorator},   {"%", Msg::lang_notebook, Msg::hint_lang_notebook},
    {"!", Msg::lang_notebook, Msg::hint_lang_notebook},
};
constexpr Construct anywhere[] = {
    {"lambda", Msg::lang_lambda, Msg::hint_lang_lambda},
    {"yield", Msg::lang_function, Msg::hint_lang_function},
    {"await", Msg::lang_function, Msg::hint_lang_function},
    {":=", Msg::lang_walrus, Msg::hint_lang_walrus},
};

/// Operators of other languages, and what Python has for them.
constexpr std::pair<std::string_view, std::string_view> foreign[] = {
    {"&&", "and"}, {"||", "or"}, {"!", "not "}, {"<>", "!="}, {"===", "=="}, {"!==", "!="}, {"=>", ">="}};

template <size_t n>
const Construct* find(const Construct (&constructs)[n], Word word) {
  const auto* found = std::find_if(std::begin(constructs), std::end(constructs),
                                   [&](const Construct& one) { return one.word == word; });
  return found == std::end(constructs) ? nullptr : found;
}

}  // namespace

Failed Parser::fail(Span place, Message reason, Message hint, std::optional<Fix> fix) {
  if (failure_) return {};
  for (Message* message : {&reason, &hint})
    for (Arg& arg : message->args) arg.text = excerpt(arg.text);
  failure_ = Diagnostic{place, std::move(reason), std::nullopt, {{std::move(hint), std::move(fix)}}};
  return {};
}

Failed Parser::fail_depth() {
  const Span place = at_end() ? tokens_.list[position_ - 1].span : token().span;
  return fail(place, {Msg::lang_depth, {max_depth}}, {Msg::hint_lang_depth, {}});
}

/// The bracket that was opened and not closed, with a fix that closes all such at the end of the line.
Failed Parser::fail_unclosed(size_t opener) {
  std::string closers;
  size_t last = opener;
  for (size_t i = opener; i < line_end_; ++i) {
    const Token& next = tokens_.list[i];
    const bool joined_by_mistake =
        i > opener && next.first && next.indent <= tokens_.list[line_begin_].indent && !is_closer(next.word);
    const bool closes_outer = is_closer(next.word) && next.mate >= 0 && static_cast<size_t>(next.mate) < opener;
    if (joined_by_mistake || closes_outer) break;
    last = i;
    if (!is_opener(next.word)) continue;
    if (i == opener || next.mate < 0) {
      closers.insert(0, closer_of(next.word).spelling());
    } else {
      i = last = static_cast<size_t>(next.mate);
    }
  }
  const Token& bracket = tokens_.list[opener];
  const int32_t end = tokens_.list[last].span.end;
  return fail(bracket.span, {Msg::lang_unclosed, {bracket.spelling}}, {Msg::hint_lang_unclosed, {closers}},
              Fix{{end, end}, closers});
}

/// A character that only looks right, with a fix for all such on the logical line.
Failed Parser::fail_lookalike(const Token& bad) {
  Diagnostic& problem = tokens_.problems[static_cast<size_t>(bad.problem)];
  Fix fix{bad.span, {}};
  for (size_t i = position_; i < line_end_; ++i) {
    const Token& next = tokens_.list[i];
    if (next.replacement().empty()) continue;
    const auto kept = static_cast<size_t>(i == position_ ? next.span.begin : fix.span.end);
    fix.replacement += source_.substr(kept, static_cast<size_t>(next.span.begin) - kept);
    fix.replacement += next.replacement();
    fix.span.end = next.span.end;
  }
  return fail(bad.span, problem.reason, problem.hints[0].message, fix);
}

bool Parser::unsupported_statement() {
  const Token& next = token();
  // A name like any other, but where cases stand below it.
  if (next.spelling == "match" && tokens_.list[line_end_ - 1].spelling == ":" &&
      tokens_.list[line_end_].spelling == "case") {
    fail(next.span, {Msg::lang_match, {}}, {Msg::hint_lang_match, {}});
    return true;
  }
  if (!next.word) return false;
  if (at(">>") && at(">", 1)) {
    const Fix fix{{next.span.begin, token(2).kind == Token::Kind::end ? token(1).span.end : token(2).span.begin}, ""};
    fail({next.span.begin, token(1).span.end}, {Msg::lang_prompt, {}}, {Msg::hint_lang_prompt, {}}, fix);
    return true;
  }
  const Construct* construct = find(statements, next.word);
  if (construct == nullptr || (construct->reason == Msg::lang_loop && loops_ > 0)) return false;
  if ((at("return") || at("yield")) && functions_ > 0) return false;
  Msg hint = construct->hint;
  std::optional<Fix> fix;
  if (construct->reason == Msg::lang_notebook) {
    const auto begin = static_cast<size_t>(next.span.begin);
    const std::string_view line = source_.substr(begin, source_.find_first_of("\r\n", begin) - begin);
    const std::string_view kept = timed_code(line);
    if (!kept.empty()) hint = Msg::hint_lang_timed;
    fix = {{next.span.begin, next.span.begin + static_cast<int32_t>(line.size() - kept.size())}, ""};
  }
  fail(next.span, {construct->reason, {next.spelling}}, {hint, {}}, std::move(fix));
  return true;
}

Failed Parser::unexpected(Wanted wanted) {
  const Token& next = token();
  const std::string_view spelling = next.spelling;
  const Span before = tokens_.list[position_ == 0 ? 0 : position_ - 1].span;
  if (!next.replacement().empty()) return fail_lookalike(next);
  if (next.kind == Token::Kind::error) {
    const Diagnostic& problem = tokens_.problems[static_cast<size_t>(next.problem)];
    return fail(problem.span, problem.reason, problem.hints[0].message, problem.hints[0].fix);
  }
  if (next.kind == Token::Kind::symbol || next.kind == Token::Kind::name) {
    if (const Construct* construct = find(anywhere, next.word)) {
      return fail(next.span, {construct->reason, {spelling}}, {construct->hint, {}});
    }
    if (is_closer(next.word) && (next.mate < 0 || static_cast<size_t>(next.mate) < line_begin_)) {
      return fail(next.span, {Msg::lang_unopened, {spelling}}, {Msg::hint_lang_unopened, {}}, Fix{next.span, ""});
    }
    if (at("->")) {
      return fail(next.span, {Msg::lang_arrow, {}}, {Msg::hint_lang_arrow, {}},
                  Fix{{next.span.begin, next.span.begin}, "# "});
    }
    for (const auto& [other, python] : foreign) {
      if (spelling == other)
        return fail(next.span, {Msg::lang_operator, {spelling}}, {Msg::hint_lang_operator, {python}},
                    Fix{next.span, std::string(python)});
    }
  }
  if (wanted == Wanted::value) {
    if (at("*") || at("**")) return fail(next.span, {Msg::lang_star, {spelling}}, {Msg::hint_lang_star, {}});
    const bool begins = position_ == statement_begin_;
    if (!begins && (at_end() || is_closer(next.word) || at(",") || at(";"))) {
      return fail(before, {Msg::lang_value_missing, {tokens_.list[position_ - 1].spelling}},
                  {Msg::hint_lang_value_missing, {}});
    }
    if (next.kind == Token::Kind::name && at("=", 1)) {
      return fail(next.span, {Msg::lang_word, {spelling}}, {Msg::hint_lang_word, {spelling}});
    }
    return fail(next.span, {Msg::lang_value_expected, {spelling}}, {Msg::hint_lang_value_expected, {}});
  }
  if (at("=")) {
    return fail(next.span, {Msg::lang_equals, {}}, {Msg::hint_lang_equals, {}}, Fix{next.span, "=="});
  }
  const bool begins_value = next.kind == Token::Kind::integer || next.kind == Token::Kind::real ||
                            next.kind == Token::Kind::string || (next.kind == Token::Kind::name && !next.word);
  if (!open_.empty() && begins_value) {
    const std::string_view closer = closer_of(tokens_.list[open_.back()].word).spelling();
    return fail(next.span, {Msg::lang_comma, {closer, spelling}}, {Msg::hint_lang_comma, {}},
                Fix{{before.end, before.end}, ","});
  }
  return fail(next.span, {Msg::lang_unexpected, {spelling}}, {Msg::hint_lang_unexpected, {}});
}

}  // namespace stridescope
