// Classes: what they are made from, the lines that define them, and what a dot after one gives.
#include "ops/python/classes.h"

#include <algorithm>

#include "ops/call.h"
#include "ops/members.h"
#include "ops/names.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/written.h"
#include "ops/torch/nn/modules.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Of PyTorch's files of modules, which classes are in them.
constexpr std::pair<std::string_view, std::string_view> module_files[] = {
    {"linear", " Linear Bilinear Identity "},
    {"conv", " Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d "},
    {"sparse", " Embedding EmbeddingBag "},
    {"normalization", " LayerNorm RMSNorm GroupNorm LocalResponseNorm "},
    {"batchnorm", " BatchNorm1d BatchNorm2d BatchNorm3d "},
    {"instancenorm", " InstanceNorm1d InstanceNorm2d InstanceNorm3d "},
    {"pooling",
     " MaxPool1d MaxPool2d MaxPool3d AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d "
     "AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d "
     "LPPool1d LPPool2d LPPool3d "},
    {"upsampling", " Upsample UpsamplingNearest2d UpsamplingBilinear2d "},
    {"channelshuffle", " ChannelShuffle "},
    {"pixelshuffle", " PixelShuffle PixelUnshuffle "},
    {"fold", " Unfold "},
    {"flatten", " Flatten Unflatten "},
    {"dropout", " Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout "},
    {"transformer",
     " Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer "},
    {"rnn", " RNN LSTM GRU RNNCell LSTMCell GRUCell "},
    {"container", " Sequential ModuleList ModuleDict ParameterList ParameterDict "},
    {"module", " Module "}};

/// Classes of PyTorch's that are no modules, and of Python's: their package, the file in it ("" where each has one of
/// its name, "." where the package is that file; of Python's the module that programs find them in, if that is
/// another), what they are made from, and their names.
struct Besides {
  std::string_view package, file, base, names;
};
constexpr Besides besides[] = {
    {"torch.optim.", "", "", "Optimizer"},
    {"torch.optim.", "", "torch.optim.Optimizer", "SGD Adam AdamW RMSprop"},
    {"torch.utils.data.", "dataset", "", "Dataset"},
    {"torch.utils.data.", "dataset", "torch.utils.data.Dataset",
     "IterableDataset TensorDataset StackDataset ConcatDataset Subset"},
    {"torch.utils.data.", "dataset", "torch.utils.data.IterableDataset", "ChainDataset"},
    {"torch.utils.data.", "sampler", "", "Sampler _Batches"},
    {"torch.utils.data.", "sampler", "torch.utils.data.Sampler",
     "SequentialSampler RandomSampler SubsetRandomSampler WeightedRandomSampler BatchSampler"},
    {"torch.utils.data.", "dataloader", "", "DataLoader _SingleProcessDataLoaderIter"},
    {"torch.utils.hooks.", ".", "", "RemovableHandle BackwardHook"},
    {"torch.autograd.", "function", "", "Function FunctionCtx"},
    {"torch.utils.hooks.", ".", "torch.autograd.Function", "BackwardHookFunction"},
    {"builtins.", "", "", "_Memory"},
    {"builtins.", "", "", "_Bytes"},
    {"numpy.lib.npyio.", "", "", "NpzFile"},
    {"_io.", "io", "", "BytesIO"},
    {"_io.", "", "", "_Opened"},
    {"_io.", "", "_io._Opened", "BufferedReader"},
    {"_io.", "", "_io._Opened", "BufferedWriter"},
    {"_io.", "", "_io._Opened", "BufferedRandom"},
    {"builtins.", "", "builtins._Memory", "bytearray"},
    {"array.", "", "builtins._Memory", "array"}};

bool is_besides(std::string_view path) {
  return std::any_of(std::begin(besides), std::end(besides),
                     [&](const Besides& one) { return path.starts_with(one.package); });
}

ClassPtr class_named(const std::vector<ClassPtr>& classes, std::string_view path) {
  const auto found =
      std::find_if(classes.begin(), classes.end(), [&](const ClassPtr& type) { return type->name == path; });
  return found == classes.end() ? nullptr : *found;
}

}  // namespace

const ClassPtr& object_class() {
  static const ClassPtr object = std::make_shared<const Class>(Class{"object", nullptr});
  return object;
}

const ClassPtr& tuple_class() {
  static const ClassPtr tuple = std::make_shared<const Class>(Class{"tuple", nullptr});
  return tuple;
}

const ClassPtr& module_class() {
  static const ClassPtr module = std::make_shared<const Class>(Class{"torch.nn.Module", nullptr});
  return module;
}

ClassPtr class_of_library(std::string_view path) {
  if (path == "io.BytesIO") return class_of_library("_io.BytesIO");
  static const std::vector<ClassPtr> classes = [] {
    std::vector<ClassPtr> made{module_class()};
    for (const ModuleClass& row : module_classes())
      made.push_back(
          std::make_shared<const Class>(Class{.name = class_path_of(row), .base = module_class(), .row = &row}));
    for (const auto& [package, file, base, names] : besides) {
      const ClassPtr above = class_named(made, base);
      for (std::string_view rest = names; !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        made.push_back(std::make_shared<const Class>(
            Class{std::string(package) + std::string(name), above ? above : object_class()}));
      }
    }
    return made;
  }();
  ClassPtr found = class_named(classes, path);
  if (!found) return nullptr;
  for (ClassPtr type = found; type; type = type->base)
    if (type->row ? type->row->written() : is_besides(type->name)) add_written(type);
  return found;
}

std::vector<std::string_view> classes_of_python(std::string_view module) {
  std::vector<std::string_view> names;
  for (const Besides& one : besides)
    if ((one.file == module || one.package.substr(0, one.package.size() - 1) == module) && !one.names.starts_with('_'))
      names.push_back(one.names);
  return names;
}

bool is_special(std::string_view name) { return name.size() > 4 && name.starts_with("__") && name.ends_with("__"); }

bool derives(const Class& type, const Class& base) {
  return &type == &base || (type.base && derives(*type.base, base));
}

bool is_optimizer(const Class& type) {
  return type.name.starts_with("torch.optim.") || (type.base && is_optimizer(*type.base));
}

bool is_module_class(const Class& type) { return derives(type, *module_class()); }

const Class& built_in(const Class& type) { return type.row || !type.base ? type : built_in(*type.base); }

const Class& seen_class(const Object& object) { return object.from ? *object.from : *object.type; }

bool is_changeable(const Class& type, std::string_view name) {
  return &built_in(type) != &type && !is_special(name) && !has_besides(type, name);
}

const Value* class_member(const Class& type, std::string_view name) {
  const size_t own = attribute_place(*type.members, name);
  if (own < type.members->keys.size()) return &type.members->values[own];
  return type.base ? class_member(*type.base, name) : nullptr;
}

FunctionPtr class_function(const Class& type, std::string_view name) {
  const Value* const member = class_member(type, name);
  const auto* function = member ? std::get_if<FunctionPtr>(&member->held) : nullptr;
  return function ? *function : nullptr;
}

std::string_view short_name(const Class& type) {
  // Of bytes whose values nobody lists.
  return type.name == "builtins._Bytes" ? "bytes" : std::string_view(type.name).substr(type.name.rfind('.') + 1);
}

std::string class_home(const Class& type) {
  for (const auto& [package, file, base, names] : besides) {
    std::string name(short_name(type));
    if (type.name != std::string(package) + name ||
        (" " + std::string(names) + " ").find(" " + name + " ") == name.npos)
      continue;
    if (package == "builtins.") return name;
    if (!package.starts_with("torch.")) return type.name;
    if (file == ".") return type.name;
    std::string home = std::string(package) + std::string(file) + (file.empty() ? name : "") + ".";
    for (char& letter : home)
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return home + name;
  }
  if (type.name.starts_with("torch.autograd.")) return std::string(short_name(type));  // autograd's functions have none
  if (&built_in(type) != &type) return (type.name.starts_with("torch.") ? "" : "__main__.") + type.name;
  if (&type == object_class().get()) return type.name;
  if (type.row && is_layer(*type.row)) return type.name;
  const std::string own(short_name(type)), word = " " + own + " ";
  const auto* file = std::find_if(std::begin(module_files), std::end(module_files),
                                  [&](const auto& one) { return one.second.find(word) != one.second.npos; });
  const std::string_view name = file != std::end(module_files)                             ? file->first
                                : own.ends_with("Loss")                                    ? "loss"
                                : own.find("Pad") != own.npos                              ? "padding"
                                : own.ends_with("Similarity") || own.ends_with("Distance") ? "distance"
                                                                                           : "activation";
  return "torch.nn.modules." + std::string(name) + "." + own;
}

std::optional<std::string> torch_typename(const Value& value) {
  if (const TensorPtr tensor = tensor_of(value))
    return tensor->library == Library::numpy ? "numpy.ndarray" : class_name(tensor->dtype);
  if (const auto* object = std::get_if<Object>(&value.held)) return class_home(*object->type);
  if (const auto* type = std::get_if<ClassPtr>(&value.held)) return class_home(**type);
  const bool foreign = std::holds_alternative<Symbol>(value.held) || std::holds_alternative<FunctionPtr>(value.held) ||
                       std::holds_alternative<Facet>(value.held) || std::holds_alternative<Caught>(value.held) ||
                       std::holds_alternative<NumpyScalar>(value.held);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (foreign || (sequence && sequence->kind != Sequence::Kind::list && sequence->kind != Sequence::Kind::tuple))
    return std::nullopt;
  return type_name(value);
}

/// A class and what its lines give it, one after the other.
Interpreter::Result Interpreter::define_class(const Statement& header) {
  if (header.value && is_named_tuple(*header.value)) return named_tuple_of(header);
  const bool plain =
      !header.value || (header.value->kind == Expr::Kind::name && header.value->text == "object" && !find("object"));
  const Result base = plain ? Value{object_class()} : eval(*header.value);
  if (!base) return std::nullopt;
  const auto* above = std::get_if<ClassPtr>(&base->held);
  if (!above || derives(**above, *tuple_class()))
    return fail(limit(Msg::not_modelled, {"Python", title(header.value->span)}), header.value->span);
  const auto type = std::make_shared<Class>(Class{qualified(header.targets[0]->text), *above});
  for (const ExprPtr decorator : header.decorators)
    if (!makes_fields(*decorator)) return std::nullopt;
  const size_t outside = locals_.size();
  const Statement *line = &header + 1, *const last = &header + header.body;
  while (line <= last && define_member(type, *line)) line += is_function(*line) ? line->body + 1 : 1;
  locals_.resize(outside);
  if (line <= last || (!header.decorators.empty() && !add_fields(type, header))) return std::nullopt;
  return Value{ClassPtr(type)};
}

/// What a line of a class gives it, by a name that is seen by the lines below, not by its functions.
bool Interpreter::define_member(const std::shared_ptr<Class>& type, const Statement& line) {
  flow_->note(line);
  const bool says = line.kind == Statement::Kind::expression &&
                    (line.value->kind == Expr::Kind::string || line.value->kind == Expr::Kind::ellipsis);
  if (says || line.kind == Statement::Kind::pass) return true;
  const bool gives = is_function(line) || (line.kind == Statement::Kind::assign && line.targets.size() == 1);
  const std::string name = gives && line.targets[0]->kind == Expr::Kind::name ? line.targets[0]->text : "";
  if (name.empty() || (is_special(name) && !is_special_here(name)) || (name == "__eq__" && is_module_class(*type))) {
    const Span span = name.empty() ? line.span : line.targets[0]->span;
    return fail(limit(Msg::not_modelled, {"Python", title(span)}), span).has_value();
  }
  class_ = type;
  const Result value = is_function(line) ? define(line, nullptr) : eval(*line.value);
  class_.reset();
  if (!value) return false;
  locals_.emplace_back(name, *value);
  return settled(keep({type, type->members}, name, *value), line.span);
}

/// Class.name
Interpreter::Result Interpreter::class_attribute(const ClassPtr& type, const Expr& at) {
  const Value* const member = class_member(*type, at.text);
  const auto* function = member ? std::get_if<FunctionPtr>(&member->held) : nullptr;
  if (function && (*function)->kind == Function::Kind::class_method) return taken_from(Value{type}, *function);
  if (member && !(function && (*function)->kind == Function::Kind::property)) return *member;
  const std::string name(short_name(*type));
  if (derives(*type, *tuple_class())) return named_tuple_member(type, at);
  if (at.text == "__name__") return Value{name};
  if (has_method(*type, at.text)) return Value{Symbol{"object." + at.text, std::make_shared<const Value>(Value{type})}};
  Diagnostic problem = python_error("AttributeError", {"type object '", name, "' has no attribute '", at.text, "'"},
                                    Msg::attribute_unknown, {name, at.text});
  if (member || is_special(at.text) || has_besides(*type, at.text))
    problem = limit(Msg::not_modelled, {"Python", name + "." + at.text});
  return fail(std::move(problem), at.part);
}

/// super(): what the first argument of the method that runs is to the class above the one that it was defined in.
Interpreter::Result Interpreter::super_of(const Expr& expr) {
  const FunctionPtr function = calls_.empty() ? nullptr : calls_.back().function;
  const ClassPtr owner = function ? function->owner.lock() : nullptr;
  const Value* const self =
      owner && !function->parameters->empty() ? find(function->parameters->front().name) : nullptr;
  const auto* object = self ? std::get_if<Object>(&self->held) : nullptr;
  bool usual = object && owner->base && (expr.arguments.empty() || expr.arguments.size() == 2);
  if (usual && !expr.arguments.empty()) {  // super(Class, self)
    const Expr &type = *expr.arguments[0].value, &first = *expr.arguments[1].value;
    const Value* const named = type.kind == Expr::Kind::name ? find(type.text) : nullptr;
    const auto* given = named ? std::get_if<ClassPtr>(&named->held) : nullptr;
    usual = given && *given == owner && first.kind == Expr::Kind::name && find(first.text) == self;
  }
  if (!usual) return fail(limit(Msg::not_modelled, {"Python", title(expr.span)}), expr.span);
  return Value{Object{object->type, object->attributes, owner->base}};
}

}  // namespace stridescope
