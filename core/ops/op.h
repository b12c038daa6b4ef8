// A row of the operation table, and the ways to write it that follow from its signatures.
//
// Name, kind, parameters, defaults, help, completion and "did you mean" are all read from the signatures, which are
// written as Python writes them:
//
//   x.permute(*dims: int)              a method
//   torch.permute(input, dims: ints)   a function; parameter k of every form is parameter k of the first form
//   x.T                                an attribute            x.shape = sizes      setting it
//   x[key]                             a subscript             x[key] = value       writing through it
//   x.storage().size()                 a method of what another one answers (a Facet): its name is "storage.size"
//   a + b                              an operator             -a                   a prefix
//   a += b                             an operator in place
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explain/message.h"
#include "lang/diagnostic.h"
#include "ops/dtype.h"
#include "ops/value.h"

namespace stridescope {

class Call;

struct Op {
  Library library;
  const char* signatures;  ///< one a line, the usual one first
  Msg summary;             ///< what it does, one sentence
  const char* law;         ///< the rule in symbols; "" where there is none
  const char* example;     ///< a program whose last line uses the row
  /// @post call.failed(), or the result. Null where the interpreter runs it: it is written in Python
  ///       (ops/python/written.h), or calls a function that it is handed.
  Value (*apply)(Call& call);
  /// NumPy: which operands it takes whose elements are no numbers: strings, structures too, and one such element alone;
  /// or all of them, for it only asks for their order (numpy/ordered.h) or reckons, and says why not with them
  /// (numpy/ufunc.h). Any other call with them is a limit (numpy/structured.h), but for numbers in the other byte
  /// order, which all take (numpy/byte_order.h).
  enum class Structured : uint8_t { none, strings, arrays, elements, ordered, reckoned };
  Structured structured = Structured::none;
};

struct Parameter {
  std::string_view name;
  /// What the library's argument parser lets pass, alternatives joined by " | ": int ints float complex bool str device
  /// dtype tensor tensors format any, and number, which is any of Python's or NumPy's. Empty is any.
  std::string_view type;
  std::string_view fallback;     ///< text of the default; empty where the argument is required
  bool variadic = false;         ///< takes all positional arguments that are left, or one sequence in their place
  bool keyword_only = false;     ///< if it is variadic, too: takes the names of the keywords that are left
  bool positional_only = false;  ///< stands before '/': has no name to be given by

  /// Whether one of these is among the alternatives of its type, to the letter: "int" is not among "float | ints".
  bool takes(std::initializer_list<std::string_view> alternatives) const;
};

/// One way to write an operation.
struct Form {
  enum class Kind : uint8_t { method, function, attribute, setter, subscript, store, binary, prefix, in_place };
  const Op* op = nullptr;
  Kind kind = Kind::method;
  std::string_view text;              ///< the signature
  std::string name;                   ///< "permute", "numpy.lib.stride_tricks.as_strided", "+", "[]"
  std::vector<Parameter> parameters;  ///< of a method, attribute or subscript the receiver is the first
};

/// Whether the first parameter stands before the name: x of x.permute(..), x.T and x[key].
bool has_receiver(Form::Kind kind);
/// Where a parameter stands in the form's text, with its type and default.  @pre it is a parameter of the form
Span span_in_text(const Form& form, size_t parameter);

/// Reads one signature.  @pre it follows the grammar above (a test reads every row)
Form parse_signature(const Op& op, std::string_view text);

/// All rows, torch's first, by idea.
std::span<const Op* const> operation_table();
/// The form whose parameter names an apply goes by.
const Form& first_form(const Op& op);
std::span<const Form> forms_of(const Op& op);
/// Which row of the table it is.
int row_of(const Op& op);
/// All forms of all rows, in the table's order.
std::span<const Form> forms();
/// The forms of that kind and name, in the table's order (several are overloads; the first that binds is taken).
std::span<const Form* const> find_forms(Library library, Form::Kind kind, std::string_view name);
/// Whether a module of the library ("torch", "numpy.lib") is known: some function's name starts with it and a dot.
bool is_module(std::string_view path);

}  // namespace stridescope
