// One call of an operation: its arguments, already bound to the row's parameters, and the ways to end it.
//
// An apply reads arguments, stops where the call failed, says why, and ends with one of the results:
//
//   const Dims dims = call.wrapped("dims");
//   if (call.failed()) return {};
//   call.why(Msg::permute_moves, {to_string(dims)});
//   return call.view(permute(call.self().layout, dims));
//
// Failure is a value the call carries: after fail() every reader still answers something harmless, and what the
// apply returns is ignored.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/bind.h"
#include "ops/contents.h"
#include "ops/op.h"
#include "ops/trace.h"

namespace stridescope {

/// What a program wants called when a gradient comes to a tensor, or around a module's forward.
struct Hook {
  Value function;
  bool with_named = false;  ///< of a module: it is also given what was handed over by name
};

/// The numbers of a module's hooks: before its forward and behind it; and those on the way back, where that comes to
/// the module and where it has come through.
struct ModuleHooks {
  std::shared_ptr<DictionaryItems> module;  ///< its attributes
  std::vector<int64_t> before = {}, after = {}, before_back = {}, back = {};
};

/// A call of a function that a program has written itself, with its way back: torch.autograd.Function.
struct OwnFunction {
  ClassPtr type;
  Value context;                   ///< its ctx
  std::vector<TensorPtr> results;  ///< as they were made, but for their functions; null of what is no tensor
  std::vector<std::pair<Value, int64_t>> saved = {};  ///< by save_for_backward(), and their versions then
  bool freed = false;                                 ///< backward() has gone through it
};

/// What a library has put into a file in memory (ops/files.h), to be given back as it was then.
struct SavedPart {
  std::string_view by;                         ///< "torch.save"
  Value value;                                 ///< on storages of its own
  int64_t read_to = 0;                         ///< where the file stands once that was loaded
  std::shared_ptr<DictionaryItems> file = {};  ///< its attributes
  int64_t begin = 0, end = 0;                  ///< of its bytes there
};

/// Numbers the storages and Python objects of one program in order of creation.
struct Numbering {
  int storages = 0;
  int functions = 0;               ///< torch: those that autograd has noted
  int64_t reckoned = 0;            ///< steps that values have taken so far (Call::reckons)
  int64_t hooked = 0;              ///< torch: hooks that there have been
  std::map<int64_t, Hook> hooks;   ///< those that there are: what they are of has but their numbers
  std::map<const DictionaryItems*, ModuleHooks> module_hooks;
  std::map<std::string, Value> files;  ///< io.BytesIO objects, by the names that the program gave files
  std::vector<SavedPart> saved;
  std::map<int, OwnFunction> own_functions;  ///< by the number of the GradFn that stands for all their results
  std::vector<TensorRef> objects;  ///< place i holds object i; a view keeps its base alive
  /// NumPy: the memory of the bytes objects that arrays were made on, by what they hold.
  std::map<std::shared_ptr<const std::vector<Value>>, std::shared_ptr<Storage>> bytes;
};

/// Which elements come first in memory: torch.memory_format.
enum class MemoryFormat : uint8_t { contiguous, preserve, channels_last, channels_last_3d };

/// The dimensions of a dense layout in the order in which its cells lie in memory, the slowest first.
Dims cell_order(const Layout& layout);

/// What a call can know of the program around it.
struct Source {
  std::string_view text;
  std::span<const Applied> before;                               ///< the operations of the same statement that are done
  std::span<const std::pair<std::string, Value>> bindings = {};  ///< the variables
};

class Call {
 public:
  /// @pre `bound` is what bind() made of `form`: one value a parameter, nothing where neither the caller nor a default
  ///      gives one
  Call(Numbering& numbering, const Form& form, Bound bound, Source source, LibrarySettings& settings, Applied& applied)
      : numbering_(numbering),
        settings_(settings),
        form_(form),
        first_form_(first_form(*form.op)),
        given_(std::move(bound.given)),
        source_(source),
        applied_(applied) {}

  /// The name it was called by: "swapaxes", "torch.add", "+".
  std::string_view name() const { return form_.name; }
  /// The way it was written.
  const Form& form() const { return form_; }
  /// Where it was written, and what the statement has applied before.
  Span span() const { return applied_.span; }
  const Parts& parts() const { return applied_.parts; }
  const Source& source() const { return source_; }
  /// What PyTorch makes of a Python float, and of integers where a function gives fractions.
  DType default_dtype() const { return settings_.default_dtype; }
  /// What rows change that are there to set something.
  LibrarySettings& settings() const { return settings_; }
  std::string written(Span part) const {
    return std::string(
        source_.text.substr(static_cast<size_t>(part.begin), static_cast<size_t>(part.end - part.begin)));
  }

  // Arguments, by the parameter names of the row's first form.

  /// Whether there is an argument and it is not None.
  bool given(const char* parameter) const;
  /// None where it is missing.
  const Value& value(const char* parameter) const;
  /// Of the first parameter: the receiver, or what stands for it. None where there is no parameter.
  const Value& first() const;
  /// The receiver: the first parameter.  @pre it is a tensor
  const Tensor& self() const { return *self_ref()->tensor; }
  const TensorRef& self_ref() const { return std::get<TensorRef>(given_.front().value->held); }
  /// @pre it is a tensor
  const TensorRef& tensor(const char* parameter) const { return std::get<TensorRef>(value(parameter).held); }
  /// @pre it is a list or tuple; the call fails with a TypeError where an item is no tensor of PyTorch's
  std::vector<TensorRef> tensors(const char* parameter);
  int64_t integer(const char* parameter);
  /// Of a complex number its real part.
  /// @pre it stands for a number: its type is float or number, or it was asked
  double real(const char* parameter) const;
  /// @pre its type is bool, and it is given or has a default
  bool boolean(const char* parameter) const;
  /// Every argument that is there, by its parameter's name, to be read or replaced: visit(std::string_view, Value&).
  template <typename Visit>
  void each_argument(Visit visit) {
    for (size_t i = 0; i < given_.size(); ++i) {
      const Form& named = i < first_form_.parameters.size() ? first_form_ : form_;
      if (given_[i].value) visit(named.parameters[i].name, *given_[i].value);
    }
  }
  /// One value for each parameter, None where there is no argument.
  std::vector<Value> arguments() const;
  /// bool(argument) of any argument; the call fails where that is ambiguous.
  bool truth(const char* parameter);
  bool truth(const char* parameter, const Value& made);  ///< of what is made of it
  /// @pre it is a string
  const std::string& text(const char* parameter) const { return std::get<std::string>(value(parameter).held); }
  /// A list, a tuple or one integer.
  Dims ints(const char* parameter);
  /// A dtype object of either library, Python's int, float and bool, or a name in a string.
  std::optional<DType> dtype(const char* parameter);
  /// @pre it is a memory format, or there is none
  MemoryFormat format(const char* parameter, MemoryFormat fallback) const;
  /// Whether no list of integers is longer than a tensor has dimensions, or the call failed.
  bool lists_fit();

  // torch's dimension numbers: negative ones count from the end; IndexError as torch words it.

  /// @pre `rank` is the number of dimensions it may name; where that is 0, -1 and 0 pass unless `scalar_has_none`;
  ///      `parameter` holds the number, as its item number `item` where that is not -1
  int wrap(int64_t dim, int rank, bool scalar_has_none = false, const char* parameter = "dim", int item = -1);
  int dim(const char* parameter, bool scalar_has_none = false) {
    return wrap(integer(parameter), self().layout.rank(), scalar_has_none, parameter);
  }
  Dims dims(const char* parameter);

  // Elements as Python's own numbers; refused where one of uint64 leaves int64_t.

  Value number(const Scalar& element);
  /// Whether so many reads of such elements take no more than a moment; else the call is refused.
  bool quick(const Elements& elements, int64_t reads);
  /// And whether they are no more than are made one by one: all of an array, or so many of some elements.
  bool few(const Tensor& array);
  bool few(const Elements& elements, int64_t reads);
  /// Whether some element is as asked, as one of `dtype`; nothing where the call is refused, for that takes too long.
  std::optional<bool> any(const Elements& elements, DType dtype, bool (*asked)(const Scalar&));
  /// In nested lists, a number alone where there is no dimension; refused where they are too many to list.
  Value numbers(const Elements& elements);

  // What happened, in the catalogue's words. The first is the headline.

  void why(Msg message, const Slots& slots = {});
  void why(Message message);
  /// Said before all that was said so far.
  void headline(Msg message, const Slots& slots = {});
  /// How many lines there are; and all behind the first so many forgotten, of steps on the way that no result shows:
  /// whether there were any.
  size_t said() const { return applied_.why.lines.size(); }
  bool unsay(size_t kept);
  /// The attempt to see the receiver, or another tensor, under other sizes, for the view verdict.
  void attempt(const Tensor& tensor, const Dims& requested, const Dims& sizes, Order order = Order::c);
  /// A word that lights up dimension `d` (or all) of the receiver, or of another tensor.
  Target axis(int d) const { return axis(self(), d); }
  static Target axis(const Tensor& tensor, int d) { return {Target::Kind::axis, tensor.object, d}; }
  static Target whole(const Tensor& tensor) { return {Target::Kind::tensor, tensor.object, -1}; }

  // Failure.

  bool failed() const { return applied_.error.has_value(); }
  /// The argument that the next failure is about, or an item of it: its text is what the error marks. A failure about
  /// no argument in particular marks the only one there is, else the method's name and all its arguments.
  Call& about(const char* parameter, int item = -1);
  /// The same, by the very value of an argument or of an item of it.  @pre `value` is a reference that value() led to
  Call& about(const Value& value);
  /// The same, of the first argument or of what stands before the dot or bracket.
  Call& about_receiver() { return about(0, -1); }
  /// The library's exception to the letter, and our reason. @post failed(), the first failure is kept
  Value fail(const char* type, const Slots& text, Msg reason, const Slots& slots = {}) {
    return fail(type, text, Message(reason, slots));
  }
  Value fail(const char* type, const Slots& text, Message reason);
  /// The same failure, told as another exception of the library's.
  void retell(const char* type, const Slots& text);
  /// The same exception with one name in its text for another.  @pre failed()
  void rename(std::string_view name, std::string_view other);
  /// Whether the call failed with an exception of that type.
  bool raised(std::string_view type) const;
  /// A limit of ours: the library would go on.
  Value refuse(Msg reason, const Slots& slots = {});
  /// Where an argument stands, with its name where it has one; empty where the program has no text for it.
  Span argument(const char* parameter) const;
  /// Whether what a variadic parameter collects was written one by one, not as one sequence.
  bool one_by_one(const char* parameter) const;
  Span first_argument() const { return given_.front().written.argument; }
  /// What to do about the failure.  @pre failed()
  void hint(Msg message, const Slots& slots = {}, std::optional<Fix> fix = {});
  void hint(Message message, std::optional<Fix> fix);
  /// A TypeError of the argument parser: only its type is promised.
  Value fail_parser(const Slots& text, Msg reason, const Slots& slots = {});
  Value wrong_type(const char* parameter, const char* wanted);

  // Results.

  /// A new object that reads the storage of `tensor` through `layout`.
  Value view(const Tensor& tensor, const Layout& layout);
  Value view(const Layout& layout) { return view(self(), layout); }
  /// The very object.
  Value same(const TensorRef& tensor);
  Value same() { return same(self_ref()); }
  /// A new storage of packed elements; sizes and strides in the library's units. @pre layout's extent fits
  Value fresh(DType dtype, const Layout& layout, ContentsPtr contents, Relation relation = Relation::fresh);
  /// The same for elements as those of `like`: of a structured dtype the contents are its bytes.
  Value fresh(const Tensor& like, const Layout& layout, ContentsPtr contents, Relation relation = Relation::fresh);
  /// Whether stand-ins for random values went into what the call is given.
  bool drawn() const;
  /// Whether such went into it as were made up.
  bool made_up() const;
  /// That what was compared differs: False, and a limit where made-up values decide that.
  Value differ();
  /// Whether all values are known of what the call is given.
  bool given_known() const;
  /// Whether what takes so many steps is reckoned: not of inputs that are not known, and not where that is too many,
  /// which is said.
  bool reckons(int64_t work);
  /// What stands for elements that would take `work` steps to reckon, or are made of what is not known: stand-ins where
  /// stand-ins for random values went into them, for of those nobody can know more; else nothing that is known. Null,
  /// and nothing is said, where they are to be reckoned.
  ContentsPtr unreckoned(DType dtype, int64_t cells, int64_t work);
  /// The elements of `source` in a new storage laid out as `layout`.  @pre layout is dense, sizes as the source's
  Value copy(const Tensor& source, const Layout& layout, DType dtype);
  /// A new storage whose cells `make` describes, given the dimensions in the order of the cells (see cell_order).
  template <typename Make>
  Value gathered(const Layout& layout, DType dtype, Make make) {
    return fresh(dtype, layout, make(cell_order(layout)), Relation::copy);
  }
  /// How many tensors have been made.
  int made() const { return made_; }
  /// Of a view that is being made, the object that it is one of.
  int viewed() const { return viewed_; }
  /// From now on nothing is written: the call fails, and only its own errors come before that.
  void only_check() { only_checks_ = true; }
  bool only_checks() const { return only_checks_; }
  /// What the receiver's storage held before the call wrote there; null where it has not.
  const ContentsPtr& overwritten() const { return overwritten_; }
  Numbering& numbering() const { return numbering_; }
  /// The number of one more hook.
  int64_t add_hook(Hook hook) {
    return numbering_.hooks.emplace(numbering_.hooked, std::move(hook)), numbering_.hooked++;
  }
  /// The number of one more function that autograd notes.
  int next_function() { return numbering_.functions++; }
  /// Any finished tensor; object, and storage where null, are numbered here.
  Value make(Tensor tensor, Relation relation);
  /// The receiver, or another object, with another recipe (transpose_, the shape setter).  @pre !failed()
  Value change(const Layout& layout) { return change(self_ref(), layout); }
  Value change(const TensorRef& object, const Layout& layout);
  /// The receiver's storage made longer, for every tensor on it; what is new reads as 0.
  void grow_storage(int64_t nbytes);
  /// Another line of memory in place of a tensor's storage, for every tensor on it; steps before keep the old one.
  void replace_storage(const Tensor& tensor, ContentsPtr contents, int64_t nbytes);
  /// The elements of `target` become those of `value`, which has the same sizes.
  void write(const Tensor& target, const Elements& value);
  /// The same for elements here and there: (byte position, value in the storage). The last of equal positions stays.
  void write(const Tensor& target, std::span<const std::pair<int64_t, Scalar>> writes);
  /// The same where nobody knows what was written.
  void write_unknown(const Tensor& target);
  /// The object that this is, or was when something was learned of it.
  const TensorRef& object_of(const Tensor& tensor) const {
    return numbering_.objects[static_cast<size_t>(tensor.object)];
  }
  /// The memory of a bytes object, which all arrays on it share; null until there is one.
  std::shared_ptr<Storage>& memory_of(const Sequence& bytes) const { return numbering_.bytes[bytes.items]; }
  /// The bytes object that lends it; nothing of other memory.
  std::optional<Value> bytes_in(const Storage& memory) const {
    for (const auto& [items, storage] : numbering_.bytes)
      if (storage.get() == &memory) return Value{Sequence{Sequence::Kind::bytes, items}};
    return std::nullopt;
  }
  /// torch: visits the receiver and all that autograd sees on its memory.
  template <typename Visit>
  void each_alias(Visit visit) {
    const auto owner = [](const Tensor& tensor) { return tensor.is_view ? tensor.base : tensor.object; };
    const int own = owner(self());
    for (const TensorRef& object : numbering_.objects)
      if (owner(*object->tensor) == own) visit(object);
  }
  /// torch: from now on gradients are followed through the receiver, and through all that are views of what it is.
  void follow_views();
  /// torch: the views of what the receiver is require a gradient, or do not, as it does from now on.
  void follow_base(bool follows);
  /// The object that `_base` or `base` is, or None.
  Value base_of(const Tensor& tensor) const {
    return tensor.base < 0 ? Value{} : Value{numbering_.objects[static_cast<size_t>(tensor.base)]};
  }
  Value tuple(std::vector<Value> items, Sequence::Kind kind = Sequence::Kind::tuple) const;
  /// A number of this call's own for random values: the same in every run of the program.
  uint64_t seed(const void* generator = nullptr) const;
  /// Begins the numbers of a generator anew; of None as they come.
  void set_seed(const Value& seed, const void* generator = nullptr) const;
  void relation(Relation relation) { applied_.relation = relation; }
  Relation relation() const { return applied_.relation; }

 private:
  /// Which of given_ the parameter is; -1 where there is none.
  int slot(const char* parameter) const;
  Call& about(int slot, int item);
  void keep(const Tensor& target, ContentsPtr written);
  /// The very tensor where it is an input, a copy of another one.
  TensorPtr shared(const Tensor& tensor) const;
  Span place() const;
  std::optional<Span> only_argument() const;

  Numbering& numbering_;
  int made_ = 0;
  ContentsPtr overwritten_;
  bool only_checks_ = false;
  int viewed_ = -1;
  LibrarySettings& settings_;
  const Form& form_;
  const Form& first_form_;  ///< of its row, by whose names parameters are asked for
  std::vector<Bound::Given> given_;
  std::optional<Span> about_;
  Source source_;
  Applied& applied_;
};

/// "[2, 3]": how torch prints a list of integers.
std::string list_text(const Dims& dims);
Value tuple_of(const Dims& dims, Sequence::Kind kind = Sequence::Kind::tuple);

/// The integer a value stands for: int, bool, NumPy's integers, a tensor of one integer.
std::optional<int64_t> as_integer(const Value& value);
/// What Python's __index__ makes of it: an array with axes is no integer.
std::optional<int64_t> as_index(const Value& value);
/// Likewise for real numbers; integers are numbers too.
std::optional<double> as_real(const Value& value);
/// torch.int64, np.float32, Python's int, float, bool and complex.
std::optional<DType> as_dtype(const Value& value);
/// What x.dtype of an array is: an object of its own, where np.float32 is a class.
Value dtype_object(DType dtype);
/// The same where newbyteorder() made it, whose byteorder is '<': "dtype('<i4')".
Value little_dtype_object(DType dtype);
bool is_little_dtype(const Value& value);
bool is_dtype_object(const Value& value);
/// type(value).__name__
std::string type_name(const Value& value);
/// The same with its module where Python knows the type by that: "numpy.ndarray", "torch.Size".
std::string attribute_type(const Value& value);

}  // namespace stridescope
