// The parser proper: recursive descent over tokens, one logical line at a time. Expressions are in expression.cpp,
// statements and recovery in parse.cpp, blocks in clauses.cpp, functions.cpp and blocks.cpp, what is said about a token
// that does not fit in unexpected.cpp.
#pragma once
#include <optional>

#include "lang/ast.h"
#include "lang/token.h"

namespace stridescope {

/// What a failing function of the parser returns, whether it makes expressions or only says yes or no.
struct Failed {
  operator ExprPtr() const { return nullptr; }
  operator bool() const { return false; }
};

class Parser {
 public:
  explicit Parser(std::string_view source) : source_(source), tokens_(tokenize(source)) {}
  /// Of an expression that stands behind byte `from`, in what `outer` reads.
  Parser(std::string_view source, size_t from, Parser& outer)
      : source_(source),
        tokens_(tokenize(source, from)),
        nodes_(outer.nodes_),
        line_end_(tokens_.list.size() - 1),
        depth_(outer.depth_),
        iterables_(outer.iterables_) {}
  Program run();

 private:
  // Tokens of the logical line: at its end, token() is the end token.
  const Token& token(size_t ahead = 0) const {
    return position_ + ahead < line_end_ ? tokens_.list[position_ + ahead] : tokens_.list.back();
  }
  bool at(Word word, size_t ahead = 0) const { return token(ahead).word == word; }
  bool at_end() const { return position_ >= line_end_; }
  bool accept(Word word);
  Span from(size_t first) const;  ///< from a token to the last one read

  // Statements. Each returns false after fail().
  void logical_line();
  void clauses();
  bool decorators(Statement& header);
  bool clause(Statement& header, std::string_view word);
  bool loop_targets(Statement& header);
  bool named_as(Statement& header);
  bool contexts(Statement& header);
  bool defined_name(Statement& header, const char* word);
  bool function(Statement& header);
  bool class_header(Statement& header);
  bool parameters(std::vector<FunctionParameter>& list, Word closer);
  bool parameter(std::vector<FunctionParameter>& list, FunctionParameter::Kind& kind, bool annotated);
  void note_locals(size_t header, size_t body);
  void simple_statements();
  void unread(size_t first, int indent);
  bool statement(Statement& result);
  void take_named(Statement& statement);
  bool import_statement(Statement& result);
  bool dotted_name(std::string& name, std::string_view after);
  bool plain_name(std::string& name, std::string_view after);
  bool annotation(Expr& target, Span& type);
  bool returning(Statement& result);
  bool yielding(Statement& result);
  bool raising(Statement& result);
  bool assertion(Statement& result);
  bool forgetting(Statement& result);
  bool outside(Statement& result);
  bool check_target(Expr& target);
  bool unsupported_statement();

  // Blocks that are not run: what of them can be written without their header is offered as a fix.
  std::string_view decorated(int indent) const;
  void skip_decorated(int indent);
  void skip_block(std::string_view header, int indent);
  void note_effects(size_t first, Statement& block) const;
  void note_effects_of_line(size_t first, size_t end, Statement& block) const;
  std::string lines_of_block(size_t header, size_t body) const;

  // Expressions. Each returns null after fail().
  ExprPtr expression();
  ExprPtr expressions();  ///< one, or a tuple of several without brackets
  ExprPtr element();      ///< of a tuple, a list or a set: an expression, or one behind a star
  ExprPtr named();        ///< an expression, or name := expression
  /// Whether it is name := expression without brackets around it.
  static bool is_bare_named(const Expr& expr) {
    return expr.kind == Expr::Kind::named && expr.span.begin == expr.children[0]->span.begin;
  }
  ExprPtr named_element() { return at("*") ? element() : named(); }
  ExprPtr unstarred(ExprPtr one);
  ExprPtr targets();  ///< what `for` gives values to: no comparison, for `in` follows
  ExprPtr binary(int level);
  ExprPtr bitwise_or();  ///< without comparisons
  ExprPtr operand(int level);
  ExprPtr postfix();
  ExprPtr atom();
  ExprPtr strings();  ///< one or several that stand side by side
  bool parts(Span place, bool raw, bool format, Expr& string);
  bool field(Span place, bool raw, Expr& string);
  ExprPtr bracketed(Expr::Kind kind);
  ExprPtr lambda();
  ExprPtr braces();
  ExprPtr dictionary(ExprPtr result, size_t first);
  ExprPtr comprehension(ExprPtr element, std::string_view bracket, size_t first, ExprPtr value = nullptr);
  ExprPtr call(ExprPtr function, size_t first);
  ExprPtr subscript(ExprPtr object, size_t first);
  ExprPtr key();
  bool argument(Expr& call);
  bool close(Word closer);
  ExprPtr both(ExprPtr left, std::string_view op, ExprPtr right, size_t first);
  ExprPtr make(Expr::Kind kind, size_t first);
  ExprPtr finish(ExprPtr expr, size_t first);  ///< sets span and height; fails where it is too high
  static void measure(Expr& expr);             ///< sets the height

  // Failures. The first one counts.
  enum class Wanted : uint8_t { value, continuation };
  Failed unexpected(Wanted wanted);
  Failed fail(Span place, Message reason, Message hint, std::optional<Fix> fix = {});
  Failed fail_unclosed(size_t opener);
  Failed fail_lookalike(const Token& bad);
  Failed fail_depth();
  Failed fail_target(const Expr& target, Msg hint = Msg::hint_lang_target);

  class Nested;

  std::string_view source_;
  Tokens tokens_;
  Program program_;
  Nodes& nodes_ = program_.nodes;
  size_t position_ = 0;
  size_t line_begin_ = 0;  ///< tokens of the logical line
  size_t line_end_ = 0;
  int base_indent_ = 0;
  int loops_ = 0;               ///< that the line is inside, of the function that it is inside
  int functions_ = 0;           ///< that the line is inside
  size_t statement_begin_ = 0;  ///< its first token
  std::vector<size_t> open_;    ///< brackets that the parser is inside
  int depth_ = 0;
  int iterables_ = 0;           ///< of comprehensions, that the parser is inside
  std::vector<ExprPtr> named_;  ///< names that := in the statement gives values to
  std::optional<Diagnostic> failure_;
};

/// Brackets, unary operators and the like may be nested this deep.
inline constexpr int max_depth = 64;

/// One level of nesting, while it lives.
class Parser::Nested {
 public:
  explicit Nested(Parser& parser) : parser_(parser) { ++parser_.depth_; }
  ~Nested() { --parser_.depth_; }
  Nested(const Nested&) = delete;
  bool too_deep() const { return parser_.depth_ > max_depth; }

 private:
  Parser& parser_;
};

/// `+=` and the like.
bool is_augmented(Word word);

}  // namespace stridescope
