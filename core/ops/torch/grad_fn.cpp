#include "ops/torch/grad_fn.h"

#include <algorithm>

#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Makes an argument what it was for the call, whatever is written later.  @pre it is frozen: nobody else has its
/// tensors
void keep_as_it_was(const Call& call, std::span<const TensorPtr> inputs, GradFn& fn, const Value& value) {
  if (const auto* ref = std::get_if<TensorRef>(&value.held)) {
    const auto before =
        std::find_if(inputs.begin(), inputs.end(), [&](const TensorPtr& input) { return input->object == (*ref)->id; });
    Tensor kept = *without_function(before == inputs.end() ? (*ref)->tensor : *before);
    const auto storage = std::make_shared<Storage>(*kept.storage);
    const TensorPtr written = tensor_of(call.first());
    if (call.overwritten() && written && written->storage == kept.storage) storage->contents = call.overwritten();
    fn.live.emplace_back(storage.get(), std::exchange(kept.storage, storage));
    (*ref)->tensor = std::make_shared<const Tensor>(std::move(kept));
    (*ref)->grad.reset();
  }
  for (const Value& part : parts_of(value)) keep_as_it_was(call, inputs, fn, part);
}

/// What a sign does, by its name.
std::string_view word_of(std::string_view name, Form::Kind kind) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"+", "add"},  {"-", "sub"},    {"*", "mul"},           {"/", "div"},      {"@", "matmul"},
      {"**", "pow"}, {"[]", "index"}, {"//", "floor_divide"}, {"%", "remainder"}};
  if (kind == Form::Kind::prefix) return name == "-" ? "neg" : "";
  if (kind == Form::Kind::store) return "store";
  for (const auto& [sign, word] : signs)
    if (name == sign) return word;
  return name.substr(name.rfind('.') + 1);
}

/// Rules, and whose they are, too.
constexpr std::pair<std::string_view, std::string_view> shared_rules[] = {
    {"abs", " absolute "},
    {"acos", " arccos "},
    {"acosh", " arccosh "},
    {"addmm", " baddbmm "},
    {"asin", " arcsin "},
    {"asinh", " arcsinh "},
    {"atan", " arctan "},
    {"atan2", " arctan2 "},
    {"atanh", " arctanh "},
    {"cat", " concat concatenate "},
    {"clamp", " clip "},
    {"div", " divide true_divide "},
    {"dot", " vdot "},
    {"expand", " broadcast_tensors broadcast_to expand_as "},
    {"mT", " adjoint mH H "},
    {"matmul", " bmm mm mv "},
    {"movedim", " moveaxis "},
    {"mul", " multiply "},
    {"neg", " negative "},
    {"outer", " ger "},
    {"reshape", " atleast_1d flatten ravel reshape_as unflatten view view_as "},
    {"sign", " ceil fix floor round trunc "},
    {"sigmoid", " expit "},
    {"sub", " subtract "},
    {"to", " bfloat16 clone contiguous double float half type type_as "},
    {"transpose", " swapaxes swapdims "},
    {"vstack", " row_stack "},
};

/// The rule by which a call leads back; one that nobody wrote where there is none.
std::string rule_of(const Call& call) {
  const std::string_view name = call.name();
  std::string_view word = word_of(name, call.form().kind);
  // These have names of others.
  if (name == "torch.nn.functional.unfold") return "im2col";
  if (name.starts_with("torch.linalg.") && word != "matmul") return "linalg_" + std::string(word);
  if (word == "div" && !tensor_of(call.first())) return "rdiv";
  if (word.ends_with('_')) word.remove_suffix(1);
  constexpr std::string_view selecting = " max median min nanmedian ";
  const std::string spaced = ' ' + std::string(word) + ' ';
  if (word == "pad" && call.text("mode") != "constant") return "pad_" + call.text("mode");
  if (selecting.find(spaced) != selecting.npos) {
    if (tensor_of(call.value("other"))) return word == "max" ? "maximum" : "minimum";
    if (call.given("dim")) return std::string(word) + "_along";
  }
  for (const auto& [rule, others] : shared_rules)
    if (others.find(spaced) != others.npos) return std::string(rule);
  return std::string(word);
}

}  // namespace

TensorPtr without_function(const TensorPtr& tensor) {
  if (!tensor->grad_fn && !(tensor->base_tensor && tensor->base_tensor->grad_fn)) return tensor;
  Tensor changed = *tensor;
  changed.grad_fn.reset();
  if (changed.base_tensor) changed.base_tensor = without_function(changed.base_tensor);
  return std::make_shared<const Tensor>(std::move(changed));
}

Value seen_again(const TensorPtr& tensor) {
  auto object = std::make_shared<TensorObject>();
  object->id = tensor->object;
  object->tensor = tensor;
  return Value{TensorRef(std::move(object))};
}

GradFn::~GradFn() {
  std::vector<Edge> left = std::move(edges);
  while (!left.empty()) {
    const std::shared_ptr<GradFn> fn = std::move(left.back().fn);
    left.pop_back();
    if (fn && fn.use_count() == 1) std::move(fn->edges.begin(), fn->edges.end(), std::back_inserter(left));
    if (fn && fn.use_count() == 1) fn->edges.clear();
  }
}

GradFn& begin_function(int number, Tensor& made) {
  made.grad_fn.reset();
  const auto fn = std::make_shared<GradFn>();
  fn->number = number;
  fn->way = made.way_back;
  fn->result = std::make_shared<const Tensor>(made);
  fn->result_version = made.version ? *made.version : 0;
  made.grad_fn = fn;
  return *fn;
}

/// The same where what a tensor is made of has changed behind its name.
static GradFn& begin_again(int number, Tensor& made, std::string_view way) {
  made.way_back = way;
  made.output = 0;
  if (made.version) made.seen_version = *made.version;
  return begin_function(number, made);
}

void note_written_through(Call& call, Tensor& base, const Tensor& view) {
  const auto before = std::make_shared<const Tensor>(base);
  GradFn& fn = begin_again(call.next_function(), base, "CopySlices");
  const TensorPtr kept = without_function(before);
  fn.through = view.grad_fn;
  fn.arguments = view.grad_fn->arguments;
  fn.arguments[0] = seen_again(kept);
  fn.edges = view.grad_fn->edges;
  if (before->grad_fn) fn.edges.push_back({kept, before->grad_fn});
}

bool is_behind(const Tensor& view) {
  return view.library == Library::torch && view.is_view && view.requires_grad && !view.is_leaf && !view.one_of &&
         view.seen_in == Gradients::followed && view.version && *view.version != view.seen_version;
}

void see_again(Numbering& numbering, TensorObject& object) {
  Tensor view = *object.tensor;
  const TensorPtr base = numbering.objects[static_cast<size_t>(view.base)]->tensor;
  if (!base->requires_grad) return;
  GradFn& fn = begin_again(numbering.functions++, view, way_of_view);
  const auto list = [](const Dims& dims) {
    std::vector<Value> items;
    for (const int64_t one : dims) items.push_back(Value{one});
    return Value{Sequence{Sequence::Kind::tuple, std::make_shared<std::vector<Value>>(std::move(items))}};
  };
  fn.rule = "as_strided";
  fn.edges = {{without_function(base), base->grad_fn}};
  fn.arguments = {seen_again(fn.edges[0].input), list(view.layout.sizes), list(view.layout.strides),
                  Value{view.layout.storage_offset}};
  object.tensor = std::make_shared<const Tensor>(std::move(view));
}

void note_grad_fn(Call& call, Tensor& made, std::span<const TensorPtr> inputs) {
  GradFn& fn = begin_function(call.next_function(), made);
  fn.rule = rule_of(call);
  fn.written = is_written(call);
  fn.output = call.made();
  std::vector<Value> arguments = call.arguments();
  // Of several views each leads back to what it is of.
  if (made.is_view && inputs[0]->storage == made.storage && std::holds_alternative<Sequence>(arguments[0].held) &&
      fn.rule != "meshgrid")
    arguments = {seen_again(inputs[0])};
  for (const Value& value : arguments) {
    fn.arguments.push_back(frozen(value));
    keep_as_it_was(call, inputs, fn, fn.arguments.back());
  }
  for (const TensorPtr& input : inputs) {
    if (input->library != Library::torch) continue;
    const TensorPtr kept = without_function(input);
    const bool again = std::any_of(fn.versions.begin(), fn.versions.end(),
                                   [&](const auto& one) { return one.first->object == input->object; });
    if (again) continue;
    const bool counted = fn.written && input->version == made.version;  // this very write
    fn.versions.emplace_back(kept, input->version ? *input->version - counted : 0);
    if (input->requires_grad) fn.edges.push_back({kept, input->is_leaf ? nullptr : input->grad_fn});
  }
}

}  // namespace stridescope
