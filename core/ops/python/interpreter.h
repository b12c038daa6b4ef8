// Runs statements one after another: names, expressions, and the operations inside them.
#pragma once
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lang/flow.h"
#include "ops/bind.h"
#include "ops/call.h"
#include "ops/python/classes.h"
#include "ops/python/frames.h"
#include "ops/python/generators.h"
#include "ops/python/python.h"
#include "ops/trace.h"

namespace stridescope {

/// What stands behind the last dot of a path like "torch.nn.Linear"; nothing where it is not modelled.
std::optional<Value> known_member(const std::string& path);
/// Whether `from path import *` gives that name.  Source: the modules' __all__
bool gives_by_star(const std::string& path, std::string_view member);

/// Whether gradients are followed inside `torch.no_grad` and its like, by what was so `before`; nothing of others.
std::optional<Gradients> gradients_in(std::string_view context, Gradients before);
/// Adds the tensors that a value is made of.
void collect_tensors(const Value& value, std::vector<TensorPtr>& tensors);
/// Where an expression stands, as an argument.
Written written(const Expr& expr);

struct PatternProblem;  // ops/einops/pattern.h
struct Recipe;
struct WrittenLibrary;  // ops/python/written.h

class Interpreter {
 public:
  using Binding = Scope::Binding;
  Interpreter(std::string_view source, Record record, std::vector<ToldCall> told = {})
      : source_(source), record_(std::move(record)), told_(std::move(told)) {}

  /// Runs the statements that `flow` comes to, or passes over what cannot be read. Told of each are its statement,
  /// span, line, text, targets, value, applied, error and round.
  /// @post a failing statement leaves its targets unbound, a block that is not run what it would have changed
  void run(Flow& flow);

  /// Calls visit(binding) for the names that the statement sees which runs now: first those of the function it is in,
  /// in order of first binding.
  template <class Visit>
  void visit_names(Visit visit) const {
    for (int at = scope_; at >= 0; at = scope(at).outer)
      for (const Binding& binding : scope(at).bindings) {
        bool hidden = false;
        for (int inner = scope_; inner != at; inner = scope(inner).outer) hidden |= scope(inner).owns(binding.first);
        if (!hidden) visit(binding);
      }
  }
  /// The calls, each in the one before, on the way to the first line that failed and is no step.
  const std::vector<ToldCall>& untold_failure() const { return untold_failure_; }
  /// How often a function of the program was called, or the lambdas of a statement.
  int runs(const Statement& statement) const;
  /// How many calls of the program's functions are under way.
  int calls() const;
  /// Why the program does not run to its end, if it does not.
  const std::optional<Diagnostic>& stopped() const { return stopped_; }
  /// What is set where the last statement stands.
  const LibrarySettings& settings() const { return settings_; }
  /// What was written (Trace::output).
  std::string&& output() && { return std::move(output_); }

 private:
  /// Nothing: error_ says why.
  using Result = std::optional<Value>;

  /// @return whether there is a step to record
  bool run(const Statement& statement, Step& step);
  void record(Step&& step);
  /// Another part of the statement, of which only the reasons are told.
  Applied& add_applied(Span span);
  bool keeps(bool done, const Value& value, const Expr& at);
  Step step_of(const Statement& statement) const;
  /// Binds the names of an import, or says why it cannot.
  std::optional<Diagnostic> import(const Statement& statement);

  Result fail(Diagnostic problem, Span span);
  /// Whether there is no problem; else the statement fails by it.
  bool settled(std::optional<Diagnostic> problem, Span span);
  /// Whether what was made, or raised, since so many unknown cells had been read rests on them: it is refused then.
  bool rests_on_unknown(int64_t read, Span span);
  Result settle(Outcome outcome, Span span);

  Result eval(const Expr& expr);
  /// Whether what is nested in the value is so little that going through it is quick; else the statement fails.
  bool bounded(const Value& value, Span span);
  /// The same of one of several that are held together: what is nested in it is taken from what is `left` for all.
  bool fits(const Value& value, size_t& left, Span span);
  /// Counts so many items gone through; false: the program went through too many, and the call failed.
  bool walks(size_t items, Span span);
  Result eval_children(const Expr& expr, Sequence::Kind kind);
  Result eval_name(const Expr& expr);
  Result eval_attribute(const Expr& expr);
  Result eval_call(const Expr& expr);
  Result eval_subscript(const Expr& expr);
  Result eval_slice(const Expr& expr);
  Result eval_unary(const Expr& expr);
  Result unary(std::string_view op, const Value& operand, const Expr& at);
  Result eval_binary(const Expr& expr);
  Result eval_logic(const Expr& expr);
  Result eval_compare(const Expr& expr);
  Result eval_comprehension(const Expr& expr);
  /// An f-string. Where `seen` is false it is only printed: "…" stands for fields whose text is not known.
  Result eval_fstring(const Expr& expr, bool seen = true);
  struct Formatting;
  Result format_text(const Value& self, const Arguments& arguments, const Expr& at);
  Result format_parts(Formatting& formatting, std::string_view text, int deep);
  Result field_value(Formatting& formatting, std::string_view name);
  Result write_field(const Value& value, std::string_view conversion, std::string_view spec, const Expr& at);
  Result interpolate(const std::string& format, const Value& given, const Expr& at);
  // What is written (ops/python/printing.cpp).
  Result printed(const Expr& expr);
  Result print(const std::vector<Value>& values, const Arguments& arguments, const Expr& at);
  void write_out(std::string_view text);
  Result eval_dictionary(const Expr& expr);
  Result make_dictionary(const Arguments& arguments, const Expr& at);
  Result default_dictionary(Arguments arguments, const Expr& at);
  Result default_item(const Dictionary& dictionary, const Value& key, const Expr& at);
  Result call_dictionary_method(const Symbol& method, const Arguments& arguments, const Expr& at);
  Result update(const Value& dictionary, const Value& other, Span span);
  Result union_of(const Value& a, const Value& b, Span span);
  Result eval_set(const Expr& expr);
  Result call_set_method(const Symbol& method, const Arguments& arguments, const Expr& at);
  /// What `for` goes through: of a set of constants the frozenset that the compiler makes of it.
  Result eval_iterable(const Expr& expr);
  const Expr& without_bar(const Expr& expr) const;
  Result eval_named(const Expr& expr);
  bool unpack_named(const Value& given, const Argument& argument, const Value& callee, Arguments& arguments);
  /// any() or all() of a generator, which goes no further than it must.
  Result any_all(bool any, const Expr& generator);
  /// Runs `inside` for each time that the loops of a comprehension from `loop` on come to it.
  bool run_loops(const Expr& expr, size_t loop, const std::function<bool()>& inside);

  Result attribute(const Value& owner, const Expr& at);
  Result module_member(const std::string& path, std::string_view member, const Expr& at);
  bool import_all(const std::string& path, const Expr& at);
  Result call(const Value& callee, Arguments arguments, const Expr& at);
  Result call_function(const FunctionPtr& function, const Arguments& arguments, const Expr& at);
  // Of modules (ops/python/modules.cpp, ops/python/module_state.cpp).
  Result call_module(const Object& module, Arguments arguments, const Expr& at, const std::string& path);
  Result forward(const Object& module, const Arguments& arguments, const Expr& at, const std::string& path);
  Result recur(const Object& module, const Arguments& arguments, const Expr& at);
  Result object_method(std::string_view name, const Value& self, Arguments arguments, const Expr& at);
  Result module_method(const Object& module, std::string_view name, const std::vector<std::optional<Value>>& given,
                       const Expr& at);
  std::optional<size_t> module_place(size_t count, const Value& key, const Expr& at);
  Result object_part(const Object& object, const Value& key, const Expr& at);
  bool set_part(const Object& object, const Value& key, const Value& value, const Expr& at);
  bool train(const Object& module, bool mode, const Expr& at);
  bool require_gradient(const TensorRef& parameter, bool wanted, const Expr& at);
  bool zero_gradients(const Object& module, bool to_none, const Expr& at);
  struct Conversion {  ///< what tensors of modules become; where it is of a `complex` kind it takes complex ones along
    std::optional<Value> dtype = {}, device = {}, format = {};
    bool complex = false;
  };
  Result move(const Object& module, const Arguments& arguments, const Expr& at);
  bool convert(const Object& root, const Conversion& wanted, const Expr& at);
  Result state_of(const Object& module);
  struct Misfits;
  bool load(const Object& module, const Dictionary& state, const std::string& prefix, Misfits& misfits, const Expr& at);
  Result load_state(const Object& module, const Value& state, bool strict, const Expr& at);
  bool enroll(const Object& module, const std::string& name, const Value& value, Kept kept, const Expr& at);
  Result registered_at(const Object& root, std::string_view name, const std::string& path, const Expr& at);
  Caller enter_call(const FunctionPtr& function, int scope);
  Activation leave_call(Caller caller);
  Activation end_call(Caller caller);
  Result fail_call(const Activation& ended, Applied&& applied);
  void note_untold(const Activation& ended);
  void record_call(const Function& function);
  void run_body(const Function& function);
  // Generators, and iterators that go through them (generators.cpp).
  Result make_generator(const FunctionPtr& function, std::vector<Binding> bindings, Span span);
  Next resume(Suspended& generator, Span span, Value& item);
  bool give(const Statement& statement, Step& step);
  Result sliced_lazily(const Value& iterator, const std::optional<int64_t> (&bounds)[3], const Expr& at);
  Result chained(const std::vector<Value>& values, const Expr& at);
  Result endless(std::string_view name, const std::vector<Value>& values, const Expr& at);
  Result decided(bool any, const Value& iterator, const Expr& at);
  // The same, of what is asked for each item when that is wanted (lazy_iterators.cpp).
  bool too_deep(const std::vector<Value>& through, const Expr& at);
  Result lazily(std::string_view name, const std::vector<Value>& values, const Expr& at);
  /// Asks an iterator for one more item, which is its last then, or ends it.  @return false: it failed
  bool pull(const Value& iterator, Span span);
  /// Asks it for all that it still has, or for as many as it then has `most` of.
  bool drain(const Value& iterator, Span span, size_t most = SIZE_MAX);
  /// The value itself where it is asked for its items, else an iterator over all of them.
  Result iterator_through(const Value& value, Span span);
  /// The next item of such a one.
  Next next_item(const Value& iterator, Span span, Value& item);
  void run_written(const Function& function, const WrittenLibrary& library, Applied& applied,
                   std::optional<Diagnostic>& reason);
  Telling tell(Telling other);
  size_t first_of_program() const;
  void run_own(const std::function<void()>& lines);
  Value run_row(const Function& function, Call& call, std::span<const Bound::Given> bound, Applied& applied);
  bool runs_written() const;
  /// Whether as many operations have run as may: here, in loops, in functions.
  bool is_spent() const;
  bool is_loop_spent() const;
  bool is_call_spent() const;
  Diagnostic too_many_rounds() const;
  bool is_told() const;
  /// The number of the program's line that runs, or of `line`, which may be in a library: then of what calls that.
  int told_line(const Statement* line = nullptr) const;
  void run_lambda(const Function& function);
  BeforeCall before_call(const Applied& applied) const;
  void explain_call(Applied& applied, const Function& function, const Value& returned, const BeforeCall& before);
  Result call_method(std::string_view owner, const std::string& name, const Arguments& arguments, const Expr& at);
  Value number_of(const Value& object);
  Result builtin(const Builtin& function, const Arguments& arguments, const Expr& at);
  // Of named tuples (named_tuples.cpp).
  Result named_tuple(const Arguments& arguments, const Expr& at);
  bool is_named_tuple(const Expr& base) const;
  Result named_tuple_of(const Statement& header);
  Result make_named_tuple(const ClassPtr& type, const Arguments& arguments, const Expr& at);
  Result named_tuple_member(const ClassPtr& type, const Expr& at);
  Result named_tuple_method(const Symbol& method, const Arguments& arguments, const Expr& at);
  // Of itertools, functools, operator and collections (standard_calls.cpp, itertools.cpp).
  Result standard_call(const Builtin& function, const Arguments& arguments, const Expr& at);
  Result operate(std::string_view name, const std::vector<Value>& values, const Expr& at);
  Result get_parts(const Symbol& getter, const Arguments& arguments, const Expr& at);
  Result partial(const Arguments& arguments, const Expr& at);
  Result call_partial(std::span<const Value> parts, Arguments arguments, const Expr& at);
  Result reduced(const std::vector<Value>& values, const Expr& at);
  Result call_again(const Function& function, const Arguments& arguments, const Expr& at);
  Result clock(std::string_view name, const Arguments& arguments, const Expr& at);
  Result timed(std::string_view name, const Arguments& arguments, const Expr& at);
  Result iterate(std::string_view name, std::vector<Value> values, const Value* option, const Expr& at);
  Result sliced(const std::vector<Value>& values, const Expr& at);
  Result called(std::string_view name, const Value& function, const std::vector<Value>& items, const Expr& at);
  Result accumulated(const std::vector<Value>& items, const Value& function, const Value* initial, const Expr& at);
  Result grouped(const std::vector<Value>& items, const Value& key, const Expr& at);
  // divmod of arrays; pow; getattr and hasattr; sum; max and min; sorted: by the operators of what they go through, or
  // of what `key` makes of each, if it is given.
  Result total_of(const std::vector<Value>& arguments, const Expr& at);
  Result divided(const Value& a, const Value& b, const Expr& at);
  Result power(const std::vector<Value>& arguments, const Expr& at);
  Result member_of(std::string_view name, const std::vector<Value>& arguments, const Expr& at);
  Result best_of(std::string_view name, const std::vector<Value>& arguments, const Value& key, const Value* fallback,
                 const Expr& at);
  std::optional<std::vector<Value>> sortable(const Value& value, const Value& key, Span span);
  Result sorted(const std::vector<Value>& arguments, const Value& key, const Expr& at);
  std::optional<std::vector<Value>> keys_of(const std::vector<Value>& items, const Value& key, const Expr& at);
  // Functions of NumPy's that call the one they are handed (along.cpp).
  Result with_function(std::span<const Form* const> overloads, Arguments arguments, const Expr& at);
  Result from_function(const Arguments& arguments, const Expr& at);
  Result apply_along_axis(const Arguments& arguments, const Expr& at);
  struct Backward;  // backward.h
  Result engine(std::string_view name, const std::vector<Value>& given, const Expr& at);
  Result run_backward(const std::vector<Value>& given, const Expr& at);
  Result apply_own(const ClassPtr& type, const std::vector<Value>& given, const Expr& at);
  // einops: what its functions call, each a part of the statement behind one of their own (ops/python/chain.h).
  struct Chain;
  Result einops(const Form& form, const Arguments& arguments, const Expr& at);
  Result rearranged(const Form& form, const Arguments& arguments, const Expr& at);
  Result einops_einsum(const Form& form, const Arguments& arguments, const Expr& at);
  Result packed(const Form& form, const Arguments& arguments, const Expr& at);
  Result unpacked(const Form& form, const Arguments& arguments, const Expr& at);
  Result parsed_shape(const Form& form, const Arguments& arguments, const Expr& at);
  Result as_numpy(const Form& form, const Arguments& arguments, const Expr& at);
  Result run_layer(const Object& module, const Value& input, std::vector<Written> written, const Expr& at,
                   const std::string& path);
  void tell_recipe(size_t self, const Recipe& recipe, const Chain& chain, std::string_view method, bool stacked);
  void einops_call(const Form& form, const Arguments& arguments, const Expr& at);
  std::string written_as(const Arguments& arguments, size_t place, const char* otherwise) const;
  Result misread(size_t self, PatternProblem found, const Arguments& arguments, size_t pattern);
  Result map(const std::vector<Value>& arguments, const Expr& at);
  Result filter(const std::vector<Value>& arguments, const Expr& at);
  /// Whether `a op b` holds; nothing: error_ says why it is not known.
  std::optional<bool> holds(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result binary(std::string_view op, const Value& a, const Value& b, const Expr& at);
  // Comparisons (comparison.cpp). Those that answer whether it holds have failed where they do not.
  Result compare(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result compare_is(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result compare_mixed(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result compare_arrays(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result compare_not_modelled(std::string_view op, const Value& a, const Value& b, const Expr& at);
  std::optional<bool> are_items_equal(const Sequence& left, const Sequence& right, const Expr& at);
  std::optional<bool> contains(std::string_view op, const Value& whole, const Value& part, const Expr& at);
  std::optional<bool> array_contains(const Value& array, const Value& part, const Expr& at);
  std::optional<bool> items_contain(std::string_view op, const Value& whole, const Value& part, const Expr& at);
  Result subscript(const Value& owner, const Value& key, const Expr& at, const Expr& key_at);
  /// The first of `overloads` that the arguments fit, applied.
  Result invoke(std::span<const Form* const> overloads, const Arguments& arguments, Span span);
  /// What iterating over `value` gives; of a tensor, its rows. An iterator has nothing left then.
  std::optional<std::vector<Value>> items_of(const Value& value, Span span);
  Result walked(const Value& value, Span span, bool may_be_object = false);
  Result row_of(const Value& array, int64_t row, Span span);

  bool assign(const Expr& target, const Value& value);
  // Of lists. Those that answer whether they did it have failed where they did not.
  Result list_method(const Value& self, std::string_view name, const Arguments& arguments, const Expr& at);
  /// Which items a key names; nothing: error_ says why none.
  std::optional<SliceRange> places_named(const Value& list, const Value& key, Span span);
  /// list[key] = value
  bool assign_item(const Value& list, const Value& key, const Value& value, Span span);
  /// del list[key]
  bool remove_items(const Value& list, const Value& key, Span span);
  /// list += operand, list *= operand
  bool augment_list(const Value& list, std::string_view op, const Value& operand, Span span);
  /// Puts other items where those from `from` to `until` are.
  bool put_items(const Value& list, size_t from, size_t until, std::vector<Value> put, Span span);
  /// Where the value first is between two places, the number of items where it is not; nothing: no answer.
  std::optional<size_t> place_of(const Value& value, const std::vector<Value>& items, int64_t from, int64_t until,
                                 const Expr& at);
  /// By identity first, then by ==, which for a tensor is one more tensor; nothing: no answer.
  std::optional<bool> is_item(const Value& value, const Value& item, const Expr& at);
  bool unpack(const Expr& target, const Value& value);
  bool bind_local(const Expr& target, const Value& value);
  /// What each of several targets gets; nothing: error_ says why it does not.
  std::optional<std::vector<Value>> parts_for(const Expr& target, const Value& value);
  Result augment(const Statement& statement);
  Result check(const Statement& statement);
  Result raise(const Statement& statement);
  Result give_back(const Statement& statement);
  Result define(const Statement& statement, const Expr* lambda);
  /// As errors name what is defined here: "f.<locals>.g", "Block.forward".
  std::string qualified(const std::string& name) const;
  // Of classes and their objects (ops/python/classes.cpp, ops/python/objects.cpp).
  Result define_class(const Statement& header);
  bool define_member(const std::shared_ptr<Class>& type, const Statement& line);
  bool makes_fields(const Expr& decorator);
  Result field_said(const Arguments& arguments, const Expr& at);
  bool add_fields(const std::shared_ptr<Class>& type, const Statement& header);
  Result fill_fields(const Object& object, const std::vector<std::pair<std::string, Value>>& fields, const Expr& at);
  Result fields_equal(const Fields& fields, const Value& a, const Value& b, const Expr& at);
  Result fields_in_words(const Object& object, const Fields& fields, const Expr& at);
  Result class_attribute(const ClassPtr& type, const Expr& at);
  Result object_attribute(const Value& owner, const Expr& at);
  bool set_attribute(const Value& owner, const Value& value, const Expr& at);
  Result construct(const ClassPtr& type, Arguments arguments, const Expr& at);
  bool begin(const Object& object, const Arguments& arguments, const Expr& at);
  Result call_object(const Value& owner, Arguments arguments, const Expr& at, const std::string& path = "");
  // copy.copy and copy.deepcopy (copies.cpp).
  struct Copies;
  Result shallow_copy(const Value& value, const Expr& at);
  Result deep_copy(const Value& value, const Expr& at);
  Result deep_copy(const Value& value, Copies& copies, const Expr& at);
  Result copy_tensor(const TensorRef& tensor, std::string_view function, const Value& memo, const Expr& at);
  // Methods with special names (ops/python/specials.cpp).
  Result special(const Value& owner, std::string_view name, std::vector<Value> given, const Expr& at);
  std::optional<Result> special_binary(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result length_of(const Value& object, const Expr& at);
  Result truth_of(const Value& value, const Expr& at);
  bool tell_objects(const Value& value, Texts& told, const Expr& at);
  Result worded(const Value& value, bool as_repr, const Expr& at);
  bool store_in_storage(const Facet& storage, const Value& key, const Value& value, const Expr& target);
  bool write_operand(const Value& iterator, const Value& key, const Value& value, const Expr& target);
  Result multiply_in_place(const Value& target, const Value& operand, const Expr& at);
  bool words_are_known(const Value& value) const;
  Result super_of(const Expr& expr);
  Result decorate(const Value& made, const Value& decorator, const Expr& at);
  Result forget(const Statement& statement);
  bool forget_item(const Expr& target);
  bool forget_attribute(const Expr& target);
  Result enter(const Statement& header);
  /// What the next round of a loop begins with: of `for` the item, of `while` whether the condition holds.
  Result round(const Statement& header);
  bool is_over(const Statement& header);
  Result round_of_items(const Statement& header, bool first);
  Result round_of_asked(const Statement& header);
  Result condition(const Statement& header);
  Result caught(const Statement& header, const Diagnostic::Raised& raised);
  Result contexts(const Statement& header);
  void leave_blocks(const Statement& statement);
  void leave_block(const Diagnostic::Raised* raised = nullptr);
  void lose(const Statement& block);
  std::vector<TensorPtr> named_tensors(const Expr& expr) const;
  void lose_named(const Expr& expr, int line);
  void lose_bindings(const std::function<bool(const Binding&)>& lost, int line);
  void miss(const Statement& line);
  void lose_changes(const Statement& block);
  void lose_written(const Statement& line, bool layouts);
  bool keeps_more_than_values(const Statement& line, const Tensor& written) const;
  void lose_memory(const std::vector<TensorPtr>& tensors, int line);
  void lose_held(const Value& value, int line);
  void lose_called(const Function& function, const Arguments& arguments, int line);
  void lose_handed(const Expr& expr, int line);
  void note_held(const Statement& line, Scope::Failure& failure) const;
  void lose_clauses(const Statement& header);
  void bind_name(const std::string& name, Value value);
  void unbind(const std::string& name);
  const Value* find(std::string_view name) const;
  Scope& home(std::string_view name);
  int around(int at, std::string_view name) const;

  std::string title(Span span) const;
  int owner_of(std::string_view name) const;
  Diagnostic unknown_name(const Expr& expr) const;

  const Scope::Failure* failure_of(std::string_view name) const;
  Scope& scope() { return scopes_[static_cast<size_t>(scope_)]; }
  const Scope& scope(int number) const { return scopes_[static_cast<size_t>(number)]; }
  std::vector<Binding> all_variables() const;

  std::string_view source_;
  Record record_;
  std::vector<const Statement*> recorded_;  ///< of each step
  std::vector<ToldCall> told_;
  int called_steps_ = 0, called_steps_in_all_ = 0;
  int untold_ = 0;                                  ///< lines of functions that are no steps
  std::vector<ToldCall> failure_, untold_failure_;  ///< the way to what failed last, and to the first that is no step
  Numbering numbering_;
  std::deque<Scope> scopes_ = std::deque<Scope>(1);
  int scope_ = 0;
  std::vector<std::string> starred_;                         ///< modules of `from .. import *`, in order
  std::map<std::pair<int, std::string>, Value> attributes_;  ///< that the program gave tensors, by their objects
  std::vector<Binding> locals_;                              ///< of comprehensions, the innermost last
  std::map<int, Relation> made_;                             ///< how a storage came to be, by its number
  std::optional<Diagnostic> error_;
  LibrarySettings settings_;
  Block& open_block(const Statement& header);
  std::list<Block> blocks_;
  size_t first_block_ = 0;                ///< of the call that is under way
  std::vector<Activation> calls_;         ///< the innermost last
  ClassPtr class_;                        ///< whose line runs; null where it is none of a class
  std::map<const Statement*, int> runs_;  ///< of the functions defined there
  std::optional<Diagnostic> stopped_;
  Flow* flow_ = nullptr;
  Step* step_ = nullptr;
  std::string output_;
  bool output_full_ = false;
  std::vector<Value> identified_;  ///< lists and other objects whose id() was asked: none of them ends
  Span unwritten_;    ///< of what made text of a value that we cannot write
  Written assigned_;  ///< the right-hand side of the statement
  int operations_ = 0;         ///< outside of calls and loops, or in the call that is under way
  int looped_operations_ = 0;  ///< in loops outside of calls
  int called_operations_ = 0;  ///< in those that are over
  int numbered_calls_ = 0;
  int64_t read_ = 0;            ///< of cells that are not known, before the statement
  int written_operations_ = 0;  ///< of the lines that PyTorch writes
  int iterations_ = 0;
  bool may_grow_ = false;  ///< what names hold: there are dictionaries, or lists have changed
  size_t walked_ = 0;
  int depth_ = 0;
};

}  // namespace stridescope
