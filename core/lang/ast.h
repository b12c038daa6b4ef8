// The syntax tree of the subset of Python that course code uses. Text only: it knows no operation and no tensor.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/diagnostic.h"

namespace stridescope {

struct Expr;
using ExprPtr = Expr*;  ///< of a program's tree: one of Program::nodes

/// The nodes right under a node. Few take no memory beside it.
class Children {
 public:
  size_t size() const { return many_.empty() ? count_ : many_.size(); }
  bool empty() const { return size() == 0; }
  ExprPtr* begin() { return many_.empty() ? few_.data() : many_.data(); }
  ExprPtr* end() { return begin() + size(); }
  const ExprPtr* begin() const { return many_.empty() ? few_.data() : many_.data(); }
  const ExprPtr* end() const { return begin() + size(); }
  ExprPtr& operator[](size_t i) { return begin()[i]; }
  ExprPtr operator[](size_t i) const { return begin()[i]; }
  ExprPtr back() const { return end()[-1]; }
  void push_back(ExprPtr child) {
    if (many_.empty() && count_ == few_.size()) many_.assign(few_.begin(), few_.end());
    if (many_.empty())
      few_[count_++] = child;
    else
      many_.push_back(child);
  }

 private:
  std::array<ExprPtr, 3> few_{};
  uint32_t count_ = 0;         ///< of those
  std::vector<ExprPtr> many_;  ///< all, where they are more
};

/// `name=value` in a call; `name` empty for a positional argument; `stars` 1 for *args, 2 for **kwargs.
struct Argument {
  std::string name;
  int stars = 0;
  ExprPtr value = nullptr;
  Span span;
};

/// `for target in iterable if condition`, of a comprehension or generator.
struct Comprehension {
  ExprPtr target = nullptr;  ///< a name, or a tuple of targets
  ExprPtr iterable = nullptr;
  std::vector<ExprPtr> conditions;
};

/// Of a function that the program defines; annotations are left out.
struct FunctionParameter {
  enum class Kind : uint8_t {
    positional_only,  ///< stands before "/"
    usual,
    rest,          ///< *args: takes the positional arguments that are left
    keyword_only,  ///< stands behind "*" or *args
    keywords,      ///< **kwargs: takes the named arguments that are left
  };
  std::string name;
  Kind kind = Kind::usual;
  ExprPtr fallback = nullptr;  ///< null where an argument is required
};

/// One node. Which members are used depends on `kind`.
struct Expr {
  enum class Kind : uint8_t {
    name,     ///< text
    integer,  ///< integer (literals beyond int64_t are a diagnostic)
    real,     ///< real, text as written: it ends in j where the number is imaginary
    string,   ///< text, unescaped UTF-8
    fstring,  ///< children: strings as they stand, and fields
    field,    ///< of an f-string: children[0], written as children[1] says, a string or f-string; null where nothing is
              ///< said. text is "r", "s" or "a" behind "!", else ""
    boolean,  ///< integer 0 or 1
    none,
    ellipsis,
    list,           ///< children
    tuple,          ///< children
    set,            ///< children, at least one
    starred,        ///< *children[0], in a list, a tuple or a set
    dictionary,     ///< children: a key and its value each, or null and what ** unpacks
    attribute,      ///< children[0].text
    call,           ///< children[0](arguments)
    subscript,      ///< children[0][children[1]]; several keys are a tuple
    slice,          ///< children[0..2]: start, stop, step; null where left out
    unary,          ///< text is the operator: - + ~ not
    binary,         ///< text is the operator: + - * / // % ** @ & | ^ << >> and or
    compare,        ///< children[0] operators[0] children[1] operators[1] ..  (== != < <= > >= is, is not, in, not in)
    conditional,    ///< children[0] if children[1] else children[2]
    comprehension,  ///< children[0] loops..; text is "[" for a list, "(" for a generator, "{" for a set or, of
                    ///< children[0]: children[1], for a dictionary
    lambda,         ///< of parameters: children[0]
    named,          ///< children[0] := children[1]
  };
  /// What few nodes have, so that all others are small.
  struct More {
    std::vector<std::string> operators;
    std::vector<Comprehension> loops;
    std::vector<FunctionParameter> parameters;
  };
  Kind kind = Kind::none;
  int16_t height = 1;  ///< nodes on the longest way down, this one included; at most max_height
  Span span;           ///< the whole expression, with the brackets around it
  Span part;           ///< attribute: of the name after the dot; call: of the arguments with their brackets
  std::string text;
  union {
    int64_t integer = 0;
    double real;
  };
  Children children;
  std::vector<Argument> arguments;

  const std::vector<std::string>& operators() const { return rest().operators; }
  const std::vector<Comprehension>& loops() const { return rest().loops; }
  const std::vector<FunctionParameter>& parameters() const { return rest().parameters; }
  More& more();

 private:
  const More& rest() const;
  std::unique_ptr<More> more_;
};

/// No expression is higher than this, so recursion over the tree is safe. What is higher is a diagnostic.
inline constexpr int max_height = 256;

/// Nodes that keep their places, block after block.
class Nodes {
 public:
  Expr& emplace_back() {
    if (blocks_.empty() || blocks_.back().size() == per_block) blocks_.emplace_back().reserve(per_block);
    return blocks_.back().emplace_back();
  }

 private:
  static constexpr size_t per_block = 32;
  std::vector<std::vector<Expr>> blocks_;  ///< with room for so many from the start
};

/// A name that a function gives values to and does not own: the program's, or that of a function around it.
struct Outside {
  std::string name;
  bool global = false;
};

struct Statement {
  enum class Kind : uint8_t {
    expression,  ///< value
    assign,      ///< targets.. = value, a type of the target left out; several targets for a = b = value; a target is a
                 ///< name, an attribute, a subscript or a tuple of them, one of which may be starred
    augmented,   ///< targets[0] op= value; text is the operator without "="
    raise_,      ///< value is what is raised, null of what was caught; targets[0] what it comes from, if that is said
    assert_,     ///< value must hold; the message otherwise is targets[0], if there is one
    del,         ///< targets, names or subscripts, are forgotten
    import_,     ///< accepted; imports are (module, alias) pairs
    clause,      ///< the header of a block: text is its first word. The `body` statements after it are the block, and
                 ///< of the `rest` after those every later clause is made that may be passed over. value is what must
                 ///< hold of `if`, `elif` and `while`; what `for` goes through; the context of `with`, or a tuple of
                 ///< several; what `except` catches, null for everything; what a `class` is made from, null where it
                 ///< does not say. targets are those of `for`, or what `as` names, if it does; of `def` and `class`
                 ///< the name. Of `def` there are parameters, too
    jump,        ///< out of a loop's round: text is `break` or `continue`
    return_,     ///< out of a function with value, null where it is None
    yield_,      ///< out of a generator with value, null where it is None, until it is asked again; of all that value
                 ///< gives, one after the other, where text is `from`
    outside,     ///< targets, names that the function does not own: text is `global` or `nonlocal`
    pass,        ///< `pass`, or a name with a type and no value: targets[0]
    error,  ///< unreadable: it has a diagnostic and no other content; an unsupported block is one statement, text its
            ///< first word
  };
  struct Import {
    std::string module;  ///< "torch", "numpy", "numpy.lib.stride_tricks"
    std::string member;  ///< of `from module import member`, "" of `import module`, "*" accepted
    std::string alias;   ///< the name it binds
    Span span;
  };
  Kind kind = Kind::error;
  Span span;     ///< without leading blanks and trailing comment
  int line = 0;  ///< 1-based line of its first character
  std::string text;
  Children targets;
  ExprPtr value = nullptr;
  std::vector<Import> imports;
  std::vector<FunctionParameter> parameters;
  std::vector<ExprPtr> decorators;  ///< of `def` and `class`
  std::vector<std::string> named;   ///< that := in it gives values to, those in a lambda apart
  Span type;                        ///< assign and pass: the type that the name is given; empty where it has none
  int body = 0, rest = 0;
  int diagnostic = -1;               ///< error: which one of the program's diagnostics
  std::vector<std::string> binds;    ///< clause and error: names that it may give a value to (of `def` those that are
                                     ///< its own, its parameters apart),
  std::vector<std::string> changes;  ///< and names of what it may write into
  std::vector<Outside> outside;      ///< of `def`: what its `global` and `nonlocal` say
  std::optional<Fix> unwrapped;      ///< with: its lines without it
};

/// Calls visit(node) for each expression that one is made of, the loops of a comprehension and what a lambda falls back
/// to too.
template <class Visit>
void visit_parts(const Expr& expr, const Visit& visit) {
  const auto part = [&](const ExprPtr one) {
    if (one) visit(*one);
  };
  for (const ExprPtr child : expr.children) part(child);
  for (const Argument& argument : expr.arguments) part(argument.value);
  for (const Comprehension& loop : expr.loops()) {
    part(loop.target);
    part(loop.iterable);
    for (const ExprPtr condition : loop.conditions) part(condition);
  }
  for (const FunctionParameter& parameter : expr.parameters()) part(parameter.fallback);
}

/// Calls visit(node) for an expression and all in it.
template <class Visit>
void visit_expressions(const Expr& expr, const Visit& visit) {
  visit(expr);
  visit_parts(expr, [&](const Expr& part) { visit_expressions(part, visit); });
}

/// Whether a method of that name writes into what stands before its dot, as far as names tell.
bool writes_into(std::string_view method);

/// Whether it is the header of a clause of this word.
inline bool is_clause(const Statement& statement, const char* word) {
  return statement.kind == Statement::Kind::clause && statement.text == word;
}

/// The header of lines that may run several times.
inline bool is_loop(const Statement& statement) { return is_clause(statement, "for") || is_clause(statement, "while"); }

/// Whether it is the header of a function.
inline bool is_function(const Statement& statement) { return is_clause(statement, "def"); }

inline bool is_class(const Statement& statement) { return is_clause(statement, "class"); }

/// The first line of a function that is of a kind, what is defined in it apart; null where none is.
const Statement* own_line(const Statement& header, bool (*is_wanted)(const Statement&));

/// Whether a call of the function gives a generator: one of its own lines is a `yield`.
bool is_generator(const Statement& header);

/// Whether its lines do not run where they stand among others.
inline bool is_definition(const Statement& statement) { return is_function(statement) || is_class(statement); }

/// `pass`, `break` and `continue`, and the headers that ask nothing: `else:`, `try:` and `finally:`.
inline bool does_nothing(const Statement& statement) {
  if (statement.kind == Statement::Kind::clause)
    return !statement.value && statement.text != "except" && !is_definition(statement);
  return statement.kind == Statement::Kind::pass || statement.kind == Statement::Kind::jump ||
         statement.kind == Statement::Kind::outside;
}

/// Adds the names that a target gives values to.
void add_names(const Expr& target, std::vector<std::string>& names);

/// A program as read. Parsing is total: whatever cannot be read becomes an error statement and a diagnostic, and
/// everything before and after it is read as usual.
struct Program {
  std::vector<Statement> statements;
  Nodes nodes;  ///< of their trees
  std::vector<Diagnostic> diagnostics;
};

/// @pre   none: any bytes are accepted
/// @post  statements are in source order, spans lie inside the source and do not overlap; there is one diagnostic an
///        error statement, in the same order
Program parse(std::string_view source);

/// One line a statement, fully parenthesised: what parse tests compare with.
std::string dump(const Program& program);
std::string dump(const Expr& expr);

}  // namespace stridescope
