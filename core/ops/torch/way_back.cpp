// The function that autograd notes for a result, by which its gradient would lead back: what `print` names beside
// values that were reckoned from what requires a gradient ("grad_fn=<MulBackward0>").
// Source: PyTorch's derivatives.yaml, and its print of each of these, which the recorded programs hold on to.
#include <algorithm>

#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Functions whose own name is that of the way back: "log_softmax" of LogSoftmaxBackward0.
constexpr std::string_view by_their_names =
    " abs acos acosh add addcdiv addcmul addmm addmv addr amax amin as_strided asin asinh atan atan2 atanh "
    "baddbmm binary_cross_entropy binary_cross_entropy_with_logits block_diag bmm cat cdist ceil celu "
    "clone cos cosh cummax cummin cumprod cumsum diag_embed diagonal diagonal_scatter digamma "
    "dist div dot elu embedding erf erfc erfinv exp exp2 expand expm1 flip floor frac gather gelu glu "
    "hardshrink hardsigmoid hardswish hardtanh huber_loss hypot i0 index_add index_copy index_fill "
    "index_put index_reduce index_select kthvalue leaky_relu lgamma log log10 log2 log_softmax logaddexp "
    "logcumsumexp logit logsumexp masked_fill masked_scatter masked_select maximum minimum mish mm "
    "mse_loss mul multi_margin_loss multilabel_margin_loss mv nan_to_num nansum neg nextafter "
    "permute pixel_shuffle pixel_unshuffle reciprocal relu renorm repeat roll rot90 round rsqrt "
    "scatter_add scatter_reduce select select_scatter sgn sigmoid sign silu sin sinc sinh slice_scatter "
    "soft_margin_loss softmax softplus softshrink sort split_with_sizes sqrt stack std sub t take tan "
    "tanh threshold topk trace transpose tril triu trunc unbind unfold unsqueeze var vdot view "
    "view_as_real where ";
/// The same in place.
constexpr std::string_view by_their_names_in_place =
    " abs add addcdiv addcmul asin ceil cos cosh cumsum div erf exp expm1 floor index_add index_fill log masked_fill "
    "mul "
    "neg reciprocal relu round rsqrt sigmoid sin sinh sqrt sub tanh tril triu trunc zero ";
/// Of what changes the recipe in place, and others that have another name than out of place.
constexpr std::pair<std::string_view, std::string_view> others_in_place[] = {
    {"as_strided_", "AsStridedBackward1"},
    {"copy_", "CopyBackwards"},
    {"log1p_", "Log1PBackward0"},
    {"square_", "PowBackward0"},
    {"swapaxes_", "TransposeBackward1"},
    {"swapdims_", "TransposeBackward1"},
    {"t_", "TBackward1"},
    {"transpose_", "TransposeBackward1"},
    {"unsqueeze_", "UnsqueezeBackward1"},
};

/// Functions that are made of others, or known there by another name.
constexpr std::pair<std::string_view, std::string_view> others[] = {
    {"*", "MulBackward0"},
    {"+", "AddBackward0"},
    {"-", "SubBackward0"},
    {"/", "DivBackward0"},
    {"//", "NotImplemented"},
    {"absolute", "AbsBackward0"},
    {"adaptive_max_pool2d", "AdaptiveMaxPool2DBackward0"},
    {"adjoint", "TransposeBackward0"},
    {"aminmax", "NotImplemented"},
    {"arccos", "acos"},
    {"arcsin", "asin"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"avg_pool1d", "SqueezeBackward1"},
    {"avg_pool2d", "AvgPool2DBackward0"},
    {"avg_pool3d", "AvgPool3DBackward0"},
    {"batch_norm", "NativeBatchNormBackward0"},
    {"bfloat16", "ToCopyBackward0"},
    {"broadcast_tensors", "ExpandBackward0"},
    {"broadcast_to", "ExpandBackward0"},
    {"cartesian_prod", "StackBackward0"},
    {"chunk", "SplitBackward0"},
    {"column_stack", "CatBackward0"},
    {"combinations", "StackBackward0"},
    {"concat", "CatBackward0"},
    {"concatenate", "CatBackward0"},
    {"contiguous", "CloneBackward0"},
    {"cosine_similarity", "SumBackward1"},
    {"cross", "LinalgCrossBackward0"},
    {"deg2rad", "Deg2RadBackward0"},
    {"det", "LinalgDetBackward0"},
    {"diagflat", "DiagEmbedBackward0"},
    {"divide", "DivBackward0"},
    {"double", "ToCopyBackward0"},
    {"dstack", "CatBackward0"},
    {"expand_as", "ExpandBackward0"},
    {"expit", "SigmoidBackward0"},
    {"fliplr", "FlipBackward0"},
    {"flipud", "FlipBackward0"},
    {"float", "ToCopyBackward0"},
    {"floor_divide", "NotImplemented"},
    {"fold", "Col2ImBackward0"},
    {"ger", "MulBackward0"},
    {"group_norm", "NativeGroupNormBackward0"},
    {"H", "TransposeBackward0"},
    {"half", "ToCopyBackward0"},
    {"heaviside", "NotImplemented"},
    {"hsplit", "SliceBackward0"},
    {"hstack", "CatBackward0"},
    {"inverse", "LinalgInvExBackward0"},
    {"layer_norm", "NativeLayerNormBackward0"},
    {"ldexp", "MulBackward0"},
    {"local_response_norm", "DivBackward0"},
    {"log1p", "Log1PBackward0"},
    {"logsigmoid", "LogSigmoidBackward0"},
    {"max_pool1d", "SqueezeBackward1"},
    {"max_pool2d", "MaxPool2DWithIndicesBackward0"},
    {"max_pool3d", "MaxPool3DWithIndicesBackward0"},
    {"meshgrid", "ExpandBackward0"},
    {"mH", "TransposeBackward0"},
    {"moveaxis", "PermuteBackward0"},
    {"movedim", "PermuteBackward0"},
    {"mT", "TransposeBackward0"},
    {"multiply", "MulBackward0"},
    {"nanmean", "DivBackward0"},
    {"narrow", "SliceBackward0"},
    {"negative", "NegBackward0"},
    {"norm", "LinalgVectorNormBackward0"},
    {"normalize", "DivBackward0"},
    {"outer", "MulBackward0"},
    {"pairwise_distance", "NormBackward1"},
    {"prelu", "PreluKernelBackward0"},
    {"rad2deg", "Rad2DegBackward0"},
    {"relu6", "HardtanhBackward0"},
    {"rms_norm", "MulBackward0"},
    {"selu", "EluBackward0"},
    {"softmin", "SoftmaxBackward0"},
    {"softsign", "DivBackward0"},
    {"square", "PowBackward0"},
    {"subtract", "SubBackward0"},
    {"swapaxes", "TransposeBackward0"},
    {"swapdims", "TransposeBackward0"},
    {"T", "PermuteBackward0"},
    {"take_along_dim", "GatherBackward0"},
    {"tanhshrink", "SubBackward0"},
    {"tensor_split", "SliceBackward0"},
    {"tile", "RepeatBackward0"},
    {"to", "ToCopyBackward0"},
    {"true_divide", "DivBackward0"},
    {"type", "ToCopyBackward0"},
    {"type_as", "ToCopyBackward0"},
    {"view_as", "ViewBackward0"},
    {"vstack", "CatBackward0"},
};

/// The name in a list of names, as it stands there: the text lasts.
std::string_view found_in(std::string_view list, std::string_view name) {
  for (size_t at = list.find(name); at != list.npos && !name.empty(); at = list.find(name, at + 1))
    if (list[at - 1] == ' ' && list[at + name.size()] == ' ') return list.substr(at, name.size());
  return {};
}

/// By the ranks of the two that are multiplied. Of a matrix that a gradient is led back to, and a batch, the library
/// makes the transpose.
std::string_view of_product(const Tensor& left, const Tensor& right, const Tensor& made) {
  const int a = left.layout.rank(), b = right.layout.rank();
  if (a == 1 && b == 1) return "DotBackward0";
  if (a == 2 && b == 1) return "MvBackward0";
  if (a == 1 && b == 2) return "SqueezeBackward4";
  if (a == 2 && b == 2) return "MmBackward0";
  if (a == 2 && left.requires_grad) return made.is_view ? "TransposeBackward0" : "CloneBackward0";
  return "UnsafeViewBackward0";
}

/// How many dimensions of the tensor an entry of a key stands for.
int taken_by(const Value& entry) {
  const TensorPtr index = tensor_of(entry);
  if (index && index->dtype == DType::boolean) return index->layout.rank();
  return std::holds_alternative<None>(entry.held) || std::holds_alternative<bool>(entry.held) ||
                 std::holds_alternative<Ellipsis>(entry.held)
             ? 0
             : 1;
}

/// Whether a slice among others says in so many words that all of a dimension is meant, which is no step.
bool says_all(const SliceValue& slice, int64_t size) {
  const auto part = [](const std::shared_ptr<const Value>& one, int64_t otherwise) {
    return one && !is_none(*one) ? as_integer(*one).value_or(-1) : otherwise;
  };
  return part(slice.start, 0) == 0 && part(slice.stop, -1) == size && part(slice.step, 1) == 1;
}

}  // namespace

/// The last of the steps that a key is read by.  Source: applySlicing() of PyTorch's indexing
std::string_view way_of_key(const Value& key, const Dims& sizes) {
  const auto* sequence = std::get_if<Sequence>(&key.held);
  const bool tuple = sequence && sequence->kind == Sequence::Kind::tuple;
  const std::span<const Value> entries = tuple ? std::span<const Value>(*sequence->items) : std::span(&key, 1);
  std::string_view last = "AliasBackward0";
  bool picks = false;  // by an index tensor, a list or a truth, behind all views
  int left = sizes.size(), dim = 0;
  for (const Value& entry : entries) left -= taken_by(entry);
  for (const Value& entry : entries) {
    const auto* slice = std::get_if<SliceValue>(&entry.held);
    const TensorPtr index = tensor_of(entry);
    if (std::holds_alternative<int64_t>(entry.held) || std::holds_alternative<NumpyScalar>(entry.held) ||
        (index && index->layout.rank() == 0 && index->dtype != DType::boolean))
      last = "SelectBackward0";
    else if (std::holds_alternative<None>(entry.held))
      last = "UnsqueezeBackward0";
    else if (slice && (!tuple || !says_all(*slice, sizes[dim])))
      last = "SliceBackward0";
    else if (index || std::holds_alternative<bool>(entry.held) || std::holds_alternative<Sequence>(entry.held))
      picks = true;
    dim += std::holds_alternative<Ellipsis>(entry.held) ? left : taken_by(entry);
  }
  return picks ? "IndexBackward0" : last;
}

namespace {

std::string_view of_linalg(const Call& call, std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"cholesky", "LinalgCholeskyExBackward0"},
      {"cross", "LinalgCrossBackward0"},
      {"det", "LinalgDetBackward0"},
      {"eigh", "LinalgEighBackward0"},
      {"inv", "LinalgInvExBackward0"},
      {"qr", "LinalgQrBackward0"},
      {"solve", "LinalgSolveExBackward0"},
      {"svd", "LinalgSvdBackward0"},
      {"vector_norm", "LinalgVectorNormBackward0"},
  };
  for (const auto& [name, way] : names)
    if (name == word) return way;
  return word == "norm" && !call.given("ord") ? "LinalgVectorNormBackward0" : "";
}

/// Of losses, the last step of which may be their reduction.
std::string_view of_loss(const Call& call, std::string_view word) {
  constexpr std::string_view sums =
      " cosine_embedding_loss gaussian_nll_loss hinge_embedding_loss kl_div l1_loss margin_ranking_loss "
      "multilabel_soft_margin_loss poisson_nll_loss triplet_margin_loss ";
  const bool classes = word == "cross_entropy" || word == "nll_loss", smooth = word == "smooth_l1_loss";
  if (smooth && call.real("beta") != 0) return "SmoothL1LossBackward0";
  if (!classes && !smooth && found_in(sums, word).empty()) return {};
  if (call.given("size_average") || call.given("reduce")) return {};
  const auto* reduction = std::get_if<std::string>(&call.value("reduction").held);
  if (!reduction) return {};
  if (!classes) return *reduction == "mean" ? "MeanBackward0" : *reduction == "sum" ? "SumBackward0" : "";
  const int rank = call.self().layout.rank();
  const TensorPtr target = tensor_of(call.value("target"));
  if (!target || is_floating(target->dtype)) return {};
  if (word == "cross_entropy" && call.real("label_smoothing") > 0) return "AddBackward0";
  if (rank <= 2) return "NllLossBackward0";
  return rank == 4 || *reduction != "none" ? "NllLoss2DBackward0" : "";
}

/// Of functions whose way back depends on what they are given.
std::string_view by_arguments(const Call& call, std::string_view word, const Tensor& made) {
  const bool along = word != "[]" && call.given("dim");
  if (word == "[]") return way_of_key(call.value("key"), call.self().layout.sizes);
  if (word == "sum") return along ? "SumBackward1" : "SumBackward0";
  if (word == "mean") return along ? "MeanBackward1" : "MeanBackward0";
  if (word == "prod") return along ? "ProdBackward1" : "ProdBackward0";
  if (word == "max" || word == "min") {
    const bool most = word == "max";
    if (tensor_of(call.value("other"))) return most ? "MaximumBackward0" : "MinimumBackward0";
    return along ? (most ? "MaxBackward0" : "MinBackward0") : most ? "MaxBackward1" : "MinBackward1";
  }
  if (word == "clamp" || word == "clip")
    return tensor_of(call.value("min")) || tensor_of(call.value("max")) ? "ClampBackward0" : "ClampBackward1";
  if (word == "clamp_min") return tensor_of(call.value("min")) ? "ClampMinBackward1" : "ClampMinBackward0";
  if (word == "clamp_max") return tensor_of(call.value("max")) ? "ClampMaxBackward1" : "ClampMaxBackward0";
  if (word == "split")
    return std::holds_alternative<Sequence>(call.value("split_size").held) ? "SplitWithSizesBackward0"
                                                                           : "SplitBackward0";
  if (word == "lerp") return tensor_of(call.value("weight")) ? "LerpBackward1" : "LerpBackward0";
  if (word == "scatter") return tensor_of(call.value("src")) ? "ScatterBackward0" : "ScatterBackward1";
  if (word == "round" && call.given("decimals")) return "RoundBackward1";
  if (word == "fmod" || word == "remainder" || word == "%") {
    if (!tensor_of(call.first())) return {};
    const bool tensors = tensor_of(call.value(word == "%" ? "b" : "other")) != nullptr;
    return word == "fmod" ? (tensors ? "FmodBackward1" : "FmodBackward0")
           : tensors      ? "RemainderBackward1"
                          : "RemainderBackward0";
  }
  if (word == "copysign") return tensor_of(call.value("other")) ? "CopysignBackward0" : "CopysignBackward1";
  if (word == "xlogy")
    return !tensor_of(call.first())         ? "XlogyBackward1"
           : tensor_of(call.value("other")) ? "XlogyBackward0"
                                            : "XlogyBackward2";
  if (word == "diff") return as_integer(call.value("n")) == 0 ? "CopyBackwards" : "SubBackward0";
  if (word == "diag") return call.self().layout.rank() == 1 ? "DiagEmbedBackward0" : "DiagonalBackward0_copy";
  if (word.starts_with("conv") && word.ends_with('d'))  // of a single one a dimension is taken away again
    return made.layout.rank() == word[word.size() - 2] - '0' + 2 ? "ConvolutionBackward0" : "SqueezeBackward1";
  if (const std::string_view name = of_loss(call, word); !name.empty()) return name;
  if (word == "median") return along ? "MedianBackward1" : "MedianBackward0";
  if (word == "squeeze")
    return !along                                                     ? "SqueezeBackward0"
           : std::holds_alternative<Sequence>(call.value("dim").held) ? "SqueezeBackward2"
                                                                      : "SqueezeBackward1";
  if (word == "reshape" || word == "reshape_as" || word == "flatten" || word == "ravel" || word == "unflatten")
    return made.is_view ? "ViewBackward0" : "UnsafeViewBackward0";
  return {};
}

}  // namespace

std::string_view way_back(const Call& call, const Tensor& made) {
  const Form::Kind kind = call.form().kind;
  std::string_view word = call.name().substr(call.name().rfind('.') + 1);
  if (call.name().starts_with("torch.linalg.")) return of_linalg(call, word);
  if (is_written(call)) {
    // A write into the very tensor is its copy_, or its fill_.
    if (kind == Form::Kind::store && !call.self().is_view && is_itself(call.value("key"), call.self().layout.sizes)) {
      const TensorPtr given = tensor_of(call.value("value"));
      const bool fills = call.self().layout.rank() > 0 && (!given || given->layout.rank() == 0);
      return fills ? "FillBackward3" : "CopyBackwards";
    }
    if (kind == Form::Kind::store)
      return way_of_key(call.value("key"), call.self().layout.sizes) == "IndexBackward0" ? "IndexPutBackward0"
                                                                                         : "CopySlices";
    constexpr std::pair<std::string_view, std::string_view> signs[] = {
        {"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"/", "div"}};
    if (word == "pow_" || word == "**")
      return tensor_of(call.value(word == "**" ? "other" : "exponent")) ? "PowBackward1" : "PowBackward0";
    for (const auto& [sign, name] : signs)
      if (word == sign) return found_in(by_their_names_in_place, name);
    for (const auto& [one, name] : others_in_place)
      if (word == one) return name;
    if (word == "squeeze_")
      return !call.given("dim")                                         ? "SqueezeBackward3"
             : std::holds_alternative<Sequence>(call.value("dim").held) ? "SqueezeBackward5"
                                                                        : "SqueezeBackward4";
    if (word == "fill_") return tensor_of(call.value("value")) ? "FillBackward3" : "FillBackward2";
    const bool numbers = !tensor_of(call.value("min")) && !tensor_of(call.value("max"));
    if (word == "clamp_" || word == "clip_") return numbers ? "ClampBackward1" : "ClampBackward0";
    return word.ends_with('_') ? found_in(by_their_names_in_place, word.substr(0, word.size() - 1)) : "";
  }
  if (kind == Form::Kind::prefix) return word == "-" ? "neg" : "";
  if (kind == Form::Kind::binary) {
    const TensorPtr a = tensor_of(call.value("a")), b = tensor_of(call.value("b"));
    if (word == "@") return a && b ? of_product(*a, *b, made) : "";
    if (word == "**") return !a ? "PowBackward2" : b ? "PowBackward1" : "PowBackward0";
    if (!a && word == "-") return "RsubBackward1";
    if (!a && word == "/") return "MulBackward0";
  }
  if (word == "matmul") {
    const TensorPtr other = tensor_of(call.value("other"));
    return other ? of_product(call.self(), *other, made) : "";
  }
  if (word == "subtract" && call.argument("alpha") != Span{} && !tensor_of(call.value("other"))) return {};
  if (word == "unfold" && call.name().starts_with("torch.nn.")) return "Im2ColBackward0";
  if ((word == "movedim" || word == "moveaxis") && made.layout.rank() == 0) return "AliasBackward0";
  if (word == "linear") {
    const int rank = call.self().layout.rank();
    if (call.given("bias")) return rank == 2 ? "AddmmBackward0" : rank == 3 ? "ViewBackward0" : "";
    return rank == 2 ? "MmBackward0" : rank == 3 ? "UnsafeViewBackward0" : "";
  }
  if (word == "pow" || word == "float_power")
    return !tensor_of(call.first())            ? "PowBackward2"
           : tensor_of(call.value("exponent")) ? "PowBackward1"
                                               : "PowBackward0";
  if (word == "div" && call.given("rounding_mode")) return "DivBackward2";
  if (word == "pad") return call.text("mode") == "constant" ? "ConstantPadNdBackward0" : "";
  if (const std::string_view name = by_arguments(call, word, made); !name.empty()) return name;
  const auto other =
      std::find_if(std::begin(others), std::end(others), [&](const auto& one) { return one.first == word; });
  return other != std::end(others) ? other->second : found_in(by_their_names, word);
}

std::string way_back_name(std::string_view way) {
  const bool own = way == "CopySlices" || way == "CopyBackwards" || way == "NotImplemented";
  return (own ? "torch::autograd::" : "") + way_back_text(way);
}

std::string way_back_text(std::string_view way) {
  if (way.empty() || (way[0] >= 'A' && way[0] <= 'Z') || way.ends_with("Backward")) return std::string(way);
  std::string text;
  bool begins = true;
  for (const char letter : way) {
    if (letter != '_') text += begins && letter >= 'a' ? static_cast<char>(letter - 32) : letter;
    begins = letter == '_';
  }
  return text + "Backward0";
}

}  // namespace stridescope
