// What an expression of a program can be worth.
#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ops/tensor.h"

namespace stridescope {

struct Value;
struct Statement;
struct Expr;
struct FunctionParameter;
struct Class;
struct DictionaryItems;
using ClassPtr = std::shared_ptr<const Class>;

/// A Python object that holds a tensor: names bind to it, `is` compares it, in-place forms change what it holds.
struct TensorObject {
  int id = -1;
  TensorPtr tensor;        ///< never null
  bool parameter = false;  ///< a torch.nn.Parameter
  std::shared_ptr<TensorObject> grad = nullptr;  ///< torch: what backward() has led back to it; null until then
  bool retains_grad = false;                     ///< torch: it is given one although it is no leaf
  std::vector<int64_t> hooks = {}, after_hooks = {};  ///< torch: of a leaf (Numbering::hooks)
  /// NumPy: what keeps its items in it and lends them, a bytearray or an array.array; null where nothing does.
  ClassPtr lender = nullptr;
  std::weak_ptr<DictionaryItems> lent_by = {};
};
using TensorRef = std::shared_ptr<TensorObject>;

struct None {};
struct Ellipsis {};

/// list, tuple, torch.Size (a tuple that says so when it matters); what max(dim) and sort give, a tuple with .values
/// and .indices; Python's range; bytes, whose items are integers; an array of C, as x.ctypes shows them; and what zip,
/// enumerate, reversed, map, filter, iter and generators give, or NumPy's ndindex, ndenumerate and nditer: gone
/// through, but without a length. A list can change (ops/python/lists.cpp), so its items are made as a vector that can.
struct ItemSource;
struct Sequence {
  enum class Kind : uint8_t {
    list,
    tuple,
    size,
    ranked,
    range,
    bytes,
    c_array,
    zip,
    enumerate,
    reversed,
    map,
    filter,
    generator,
    ndindex,
    ndenumerate,
    nditer,
    iterator
  };
  Kind kind = Kind::tuple;
  std::shared_ptr<const std::vector<Value>> items;
  /// Of a range: how it is written; what ranked ones, arrays of C and what iter() gives are called.
  std::shared_ptr<const std::string> shown = nullptr;
  /// Of an iterator whose items are not all there from the start (ops/python/generators.cpp): the interpreter asks it
  /// for each when it is wanted. Steps keep none.
  std::shared_ptr<ItemSource> source = nullptr;
  /// Of a ranked one that a class of the program's made: that class (ops/python/named_tuples.cpp).
  ClassPtr type = nullptr;
};
/// What the type of the ranked one is called that a function gives, by its whole name where it is NumPy's.
std::string ranked_type(std::string_view function);
/// What the items of a ranked one are called, a space between two.
std::string_view field_names(const Sequence& ranked);
std::optional<Value> field_in(const Sequence& ranked, std::string_view name);
/// A tuple by whatever name.
constexpr bool is_tuple(Sequence::Kind kind) { return kind >= Sequence::Kind::tuple && kind <= Sequence::Kind::ranked; }
/// Neither a length nor places, only items one after another, each once.
constexpr bool is_iterator(Sequence::Kind kind) { return kind >= Sequence::Kind::zip; }

/// A dictionary, or what its keys(), values() and items() give: all see what is later written into it.
struct Dictionary {
  enum class View : uint8_t { whole, keys, values, items };
  std::shared_ptr<DictionaryItems> items;  ///< never null, and never inside itself
  View view = View::whole;
};

/// A set, or a frozenset: equal ones need not be gone through in the same order (ops/python/set.h).
class SetItems;
struct Set {
  std::shared_ptr<SetItems> items;  ///< never null, and never inside itself
  bool fixed = false;               ///< a frozenset
};

struct SliceValue {
  std::shared_ptr<const Value> start, stop, step;  ///< null where left out
};

/// A name that stands for itself: a module, a function, a class, a dtype object, a memory format, a method not yet
/// called, and what says no more than its name, as torch.no_grad().
struct Symbol {
  std::string path;                   ///< "torch", "torch.channels_last", "numpy.int64", "numpy.reshape"
  std::shared_ptr<const Value> self;  ///< of a method taken but not yet called
};

/// A Python float. Nobody knows what a clock says, nor what is reckoned with that: reading such a one gives 0, and
/// counts as reading a cell that is not known does (ops/contents.h), so that a statement is refused whose answer rests
/// on it.
class Float {
 public:
  constexpr Float(double value) : value_(value) {}
  static constexpr Float unknown() {
    Float made(0);
    made.known_ = false;
    return made;
  }
  constexpr bool is_known() const { return known_; }
  operator double() const;

 private:
  double value_;
  bool known_ = true;
};

struct ComplexFloat : std::complex<double> {
  ComplexFloat(const std::complex<double>& value) : std::complex<double>(value) {}
};

/// NumPy scalars are not Python numbers: they have a dtype.
class NumpyScalar {
 public:
  NumpyScalar(const Scalar& value) : value_(value), known_(true) {}
  /// One whose value nobody reckons (see ops/contents.h).
  static NumpyScalar unknown(DType dtype) { return {dtype, false}; }
  DType dtype() const { return value_.dtype; }
  bool is_known() const { return known_; }
  /// Of one that is not known what reading a cell that is not known gives.
  Scalar value() const;

 private:
  NumpyScalar(DType dtype, bool known) : value_{dtype}, known_(known) {}
  Scalar value_;
  bool known_;
};

/// x.flags, x.storage(), and other objects that only answer questions about a tensor.
struct Facet {
  std::string name;  ///< "flags", "storage", "untyped_storage"
  TensorPtr tensor;  ///< the facet's own, so that facets made one after the other are told apart
};

/// An exception that an `except` gave a name, or that the program made.
struct Caught {
  std::string type;   ///< "RuntimeError"
  std::string text;   ///< str(exception)
  bool worded;        ///< whether that is the library's text to the letter
  bool bare = false;  ///< made without a text
};

/// An object of a class, or what super() gives of it: it sees what its class has from `from` on.
struct Object {
  ClassPtr type;                                ///< never null
  std::shared_ptr<DictionaryItems> attributes;  ///< its own; never null, and it is never inside itself
  ClassPtr from = nullptr;
};

/// A function that the program defined.
struct Function {
  enum class Kind : uint8_t { plain, class_method, static_method, property };
  const Statement* statement;  ///< its `def`, or the statement that its lambda stands in
  const Expr* lambda;          ///< null where it is a `def`
  const std::vector<FunctionParameter>* parameters;
  std::shared_ptr<const std::vector<Value>> fallbacks;  ///< one a parameter, None where there is none
  std::string name;                             ///< as errors call it: "f", "f.<locals>.g", "f.<locals>.<lambda>"
  int scope;                                    ///< whose names it sees, the interpreter's number
  std::vector<std::string> contexts = {};       ///< that its decorators run it in, the outermost first: "torch.no_grad"
  Kind kind = Kind::plain;                      ///< what its class makes of it
  std::weak_ptr<const Class> owner = {};        ///< the class that it was defined in
  std::shared_ptr<const Value> self = nullptr;  ///< the object that it was taken from, its first argument
  std::shared_ptr<const Function> setter = {};  ///< of a property: what runs where a value is given to it
  /// Of functools.lru_cache: what it has given, by what it was called with; else null.
  std::shared_ptr<DictionaryItems> given_before = {};
};
using FunctionPtr = std::shared_ptr<const Function>;

struct Value {
  std::variant<None, bool, int64_t, Float, ComplexFloat, std::string, Ellipsis, Sequence, SliceValue, Symbol,
               NumpyScalar, Facet, Caught, FunctionPtr, TensorRef, Dictionary, ClassPtr, Object, Set, StructurePtr>
      held;
  bool of_numpy = false;  ///< of a str or bytes: an np.str_ or np.bytes_, which is one but by its name
};

/// In order: one mark, by which keys are equal, one key and one value each.
struct DictionaryItems {
  std::vector<std::string> marks;
  std::vector<Value> keys, values;
  bool ordered = false;  ///< an OrderedDict
  std::shared_ptr<const Value> makes = nullptr;  ///< of a defaultdict: what is called for a key that it has not
  bool fixed = false;                            ///< a mappingproxy, which nobody writes: dtype.fields
  std::shared_ptr<const Value> metadata = nullptr;  ///< of a module's state_dict(): its _metadata
};

struct Fields;
struct ModuleClass;
/// A class: one that the program defined, one of torch.nn, or what they are made from: `object`, `torch.nn.Module` and
/// `tuple` are without base.
struct Class {
  std::string name;                  ///< "Block", "f.<locals>.Block"; "object", "torch.nn.Module", "torch.nn.Linear"
  ClassPtr base;
  /// Functions and other values, by name; never null.
  std::shared_ptr<DictionaryItems> members = std::make_shared<DictionaryItems>();
  const ModuleClass* row = nullptr;  ///< of a class of torch.nn: what its modules own and do (ops/torch/nn/modules.h)
  std::shared_ptr<const Fields> fields = nullptr;  ///< of a dataclass or a named tuple (ops/python/classes.h)
};

/// Whether it is what functools.partial gives.
bool is_partial(const Value& value);
/// Whether it is what operator.itemgetter or operator.attrgetter gives: what it gets are the items of its `self`.
bool is_getter(const Value& value);
/// The items of a sequence or a set, the values of a dictionary, the attributes of an object, what a method was taken
/// from; of what partial gives the function, the tuple and the dictionary that it is called with; nothing of other
/// values.
std::span<const Value> parts_of(const Value& value);
/// Those that a program has a name for: part_name(). A bytearray's memory is none.
std::span<const Value> named_parts(const Value& value);
/// Takes the first items away from an iterator, all where it has no more; every name for it sees that. Other values
/// stay as they are.
void use_up(const Value& value, size_t count = SIZE_MAX);

/// How a program names part `i` of what `name` holds: "p[0]", "d['key']", "net.mask". A key shows at most `limit`
/// bytes.
std::string part_name(const std::string& name, const Value& value, size_t i, size_t limit = 200);

/// What tells a list, a dictionary, a set or an object from others that hold the same; null of other values.
const void* object_of(const Value& value);
/// Whether that object is the value or anywhere in it or in its class.  @pre the value is bounded
bool holds_object(const Value& value, const void* object);

/// How Python's repr shows it, tensors as their notation; at most `limit` bytes.  @pre limit > 3
std::string to_string(const Value& value, size_t limit = 200);
/// Texts of tensors and objects, by what tells them from others.
using Texts = std::map<const void*, std::string>;
const void* text_key(const Value& value);
/// Python's repr with such texts for what is nested in it, whole.
std::string to_string(const Value& value, const Texts& told);
/// Python's repr of a string: single quotes unless that needs more escapes; bytes of UTF-8 pass through.
std::string quoted(const std::string& text);
/// The shortest decimal that reads back as that number of a real floating dtype, written as Python's repr.
std::string shortest_text(double value, DType dtype);
/// A NumPy scalar's number, without its type: what its str gives.
std::string scalar_text(const Scalar& value);
/// The tensor it is, or null.
const TensorPtr& tensor_of(const Value& value);
/// Whether it is a tensor of PyTorch's, and one that is a torch.nn.Parameter.
bool is_of_torch(const Value& value);
bool is_parameter(const Value& value);
/// Whether it is a number that nobody knows: a Python float or one of NumPy's scalars.
bool is_unknown(const Value& value);
/// Whether it has a dtype of its own: a tensor, an array or one of NumPy's scalars.
bool has_dtype(const Value& value);
/// The same, or of a sequence the first that it holds.
TensorPtr first_tensor(const Value& value);
/// Of a torch.device what str() gives, "cpu" or "cuda:1"; empty for any other value.
std::string_view device_name(const Value& value);
/// Whether it is x.flat, which stands for an array of one axis.
bool is_flat(const Value& value);
/// Whether it is what np.broadcast() gives.
bool is_broadcast(const Value& value);
/// The value as it is now: its tensors and lists, those inside sequences too, no longer follow what is later done to
/// their objects.
Value frozen(const Value& value);
/// Whether it is bytes.
bool is_bytes(const Value& value);
inline bool is_none(const Value& value) { return std::holds_alternative<None>(value.held); }

}  // namespace stridescope
