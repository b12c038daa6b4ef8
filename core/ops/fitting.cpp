#include "ops/fitting.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "ops/call.h"
#include "ops/op.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// A failed call: the library, the last word of its row's name, and the sizes that it was given.
struct Failed {
  const Applied& applied;
  bool torch;
  Form::Kind kind;
  std::string word;

  /// Whether it is one of these: of others that fail likewise another call would not be what is offered.
  bool is_any(std::string_view words) const { return words.find(" " + word + " ") != words.npos; }
  bool in_place() const { return kind == Form::Kind::in_place || word.ends_with('_'); }

  const Message& reason() const { return applied.error->reason; }
  size_t count() const { return applied.inputs.size(); }
  const Tensor& input(size_t i) const { return *applied.inputs[i]; }
  const Dims& sizes(size_t i) const { return input(i).layout.sizes; }
  const char* transposed(size_t i) const { return sizes(i).size() > 2 ? ".mT" : torch ? ".t()" : ".T"; }
};

using Fit = std::optional<Message>;

/// Whether sizes fit to others that stay as they are: compared from the last on equal or 1.
bool grows_to(const Dims& sizes, const Dims& whole) {
  if (sizes.size() > whole.size()) return false;
  for (int d = 1; d <= sizes.size(); ++d)
    if (sizes[sizes.size() - d] != 1 && sizes[sizes.size() - d] != whole[whole.size() - d]) return false;
  return true;
}

/// "[:, None]": that key puts a size of 1 behind the others.
std::string key_with_last(int rank) { return rank == 1 ? "[:, None]" : "[..., None]"; }

Fit of_product(const Failed& call) {
  if (call.count() < 2 || !call.is_any(" @ matmul mm bmm mv dot linear ")) return std::nullopt;
  const Dims &a = call.sizes(0), &b = call.sizes(1);
  if (a.size() < 1 || b.size() < 2) return std::nullopt;
  // Stacks of matrices must fit, too, which no transpose mends.
  for (int d = 3; d <= std::min(a.size(), b.size()); ++d)
    if (const int64_t x = a[a.size() - d], y = b[b.size() - d]; x != y && x != 1 && y != 1) return std::nullopt;
  if (call.word == "linear") return Message(Msg::fit_linear, {a.back(), b[0]});
  if (a.back() == b.back()) return Message(Msg::fit_second_transposed, {call.transposed(1)});
  if (a.size() == b.size() && a[a.size() - 2] == b[b.size() - 2])
    return Message(Msg::fit_first_transposed, {call.transposed(0)});
  return std::nullopt;
}

/// Operands that do not broadcast: the smaller one with a last axis of size 1, or turned.
Fit of_operands(const Failed& call) {
  const bool into_other = call.applied.title.find("out=") != std::string::npos;
  if (call.count() != 2 || into_other ||
      !call.is_any(
          " + - * / // % ** < <= > >= == != add sub mul div subtract multiply divide true_divide maximum minimum "
          "add_ sub_ mul_ div_ copy_ masked_fill "))
    return std::nullopt;
  for (const size_t small : {size_t{1}, size_t{0}}) {
    if (small == 0 && call.in_place()) return std::nullopt;  // what is written stays as it is
    const Dims &sizes = call.sizes(small), &whole = call.sizes(1 - small);
    if (sizes.size() > whole.size() || sizes.size() == 0 || sizes.full()) continue;
    Dims longer = sizes;
    longer.push_back(1);
    if (grows_to(longer, whole))
      return Message(Msg::fit_last_axis, {to_string(sizes), to_string(longer), key_with_last(sizes.size())});
    if (sizes.size() != 2) continue;
    const Dims turned{sizes[1], sizes[0]};
    if (grows_to(turned, whole)) return Message(Msg::fit_turned, {to_string(turned), call.torch ? ".t()" : ".T"});
  }
  return std::nullopt;
}

/// Tensors that cannot be joined there: the only dim along which they can.
Fit of_join(const Failed& call) {
  if (!call.is_any(" cat concat concatenate stack hstack vstack ")) return std::nullopt;
  int found = -1;
  for (int d = 0; call.count() > 1 && d < call.sizes(0).size(); ++d) {
    bool fits = true;
    for (size_t i = 1; i < call.count() && fits; ++i) {
      const Dims &own = call.sizes(i), &first = call.sizes(0);
      fits = own.size() == first.size();
      for (int k = 0; fits && k < own.size(); ++k) fits = k == d || own[k] == first[k];
    }
    if (fits && found >= 0) return std::nullopt;
    if (fits) found = d;
  }
  if (found < 0) return std::nullopt;
  const std::string place = (call.torch ? "dim=" : "axis=") + std::to_string(found);
  const bool stacks = call.word.ends_with("stack");
  return Message(Msg::fit_joined,
                 {stacks ? (call.torch ? "torch.cat(.., " : "np.concatenate(.., ") + place + ")" : place});
}

Fit of_join_ranks(const Failed& call) {
  const auto ranks =
      std::minmax_element(call.applied.inputs.begin(), call.applied.inputs.end(),
                          [](const TensorPtr& a, const TensorPtr& b) { return a->layout.rank() < b->layout.rank(); });
  if (call.count() < 2 || (*ranks.second)->layout.rank() != (*ranks.first)->layout.rank() + 1) return std::nullopt;
  return Message(Msg::fit_one_more, {call.torch ? ".unsqueeze(0)" : "[None]", (*ranks.first)->layout.rank()});
}

/// A module's layer of another size: "nn.BatchNorm1d(4)".
Fit of_layer(const Failed& call) {
  if (call.count() < 1 || call.sizes(0).size() < 2) return std::nullopt;
  const Dims& sizes = call.sizes(0);
  if (call.word == "layer_norm") return Message(Msg::fit_layer, {"nn.LayerNorm(" + std::to_string(sizes.back()) + ")"});
  if (call.word == "batch_norm")
    return Message(Msg::fit_layer, {"nn.BatchNorm" + std::to_string(std::max(sizes.size() - 2, 1)) + "d(" +
                                    std::to_string(sizes[1]) + ")"});
  return std::nullopt;
}

/// A convolution that reads as many channels as there are.
Fit of_channels(const Failed& call) {
  if (call.count() < 2 || !call.word.starts_with("conv") || call.word.size() != 6) return std::nullopt;
  const Dims& weight = call.sizes(1);
  const int spatial = weight.size() - 2;
  const Dims& image = call.sizes(0);
  const bool alone = image.size() == weight.size() - 1;  // no batch
  const int64_t channels = image[alone ? 0 : 1];
  return Message(Msg::fit_layer, {"nn.Conv" + std::to_string(spatial) + "d(" + std::to_string(channels) + ", " +
                                  std::to_string(weight[0]) + ", ..)"});
}

/// Scores whose classes are last: they belong in dim 1.
Fit of_loss(const Failed& call) {
  if (call.word != "cross_entropy" && call.word != "nll_loss") return std::nullopt;
  if (call.count() < 2 || call.sizes(0).size() < 3) return std::nullopt;
  Dims others = call.sizes(0);
  others.pop_back();
  return others == call.sizes(1) ? Fit(Message(Msg::fit_classes)) : std::nullopt;
}

/// What is written in place has another dtype: a new result would have it, if there is one.
Fit of_cast(const Failed& call) {
  const auto is_object = [](const Arg& arg) { return arg.text == "object"; };
  const bool none = std::any_of(call.reason().args.begin(), call.reason().args.end(), is_object);
  return call.in_place() && !none && !call.is_any(" & | ^ << >> ") ? Fit(Message(Msg::fit_anew)) : std::nullopt;
}

/// Of two dtypes that an operation does not take together.
Fit of_dtypes(const Failed& call) {
  if (call.count() < 2 || call.word == "set_") return std::nullopt;
  const DType a = call.input(0).dtype, b = call.input(1).dtype;
  if (call.is_any(" nll_loss cross_entropy "))
    return call.count() == 2 && b != DType::int64 ? Fit(Message(Msg::fit_call, {".long()"})) : std::nullopt;
  if (a == b) return std::nullopt;
  return Message(Msg::fit_call, {".to(torch." + std::string(name(promoted(a, b))) + ")"});
}

/// Tensors that are given one by one where one list is taken.
Fit of_list(const Failed& call) {
  const std::string& given = call.reason().args[2].text;
  if (call.count() < 2 || !call.is_any(" cat stack concatenate ") || (given != "Tensor" && given != "ndarray"))
    return std::nullopt;
  return Message(Msg::fit_list, {(call.torch ? "torch." : "np.") + call.word + "([.., ..])"});
}

/// np.zeros(2, 3): the second size is taken for a dtype.
Fit of_shape(const Failed& call) {
  const std::string& given = call.reason().args[0].text;
  const bool number =
      !given.empty() && std::all_of(given.begin(), given.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number && call.is_any(" zeros ones empty ") ? Fit(Message(Msg::fit_shape_tuple)) : std::nullopt;
}

}  // namespace

std::optional<Message> fitting(const Applied& applied) {
  const Form& first = first_form(*applied.op);
  const bool torch = applied.op->library == Library::torch;
  const Failed call{applied, torch, first.kind, first.name.substr(first.name.rfind('.') + 1)};
  const auto fits_with = [&](bool fits, const char* code) {
    return fits ? Fit(Message(Msg::fit_call, {code})) : Fit();
  };
  const auto is_mask = [](const TensorPtr& one) { return one->dtype == DType::uint8; };
  switch (call.reason().id) {
    case Msg::product_sizes:
    case Msg::last_sizes_differ: return of_product(call);
    case Msg::broadcast_mismatch:
    case Msg::np_cannot_broadcast: return of_operands(call);
    case Msg::join_size:
    case Msg::stack_sizes:
    case Msg::np_join_sizes: return of_join(call);
    case Msg::join_rank: return of_join_ranks(call);
    case Msg::layer_size: return of_layer(call);
    case Msg::conv_channels: return of_channels(call);
    case Msg::loss_sizes: return of_loss(call);
    case Msg::dtypes_differ: return of_dtypes(call);
    case Msg::argument_has_type: return of_list(call);
    case Msg::np_dtype_unknown: return of_shape(call);
    case Msg::bools_needed:
      return fits_with(std::any_of(applied.inputs.begin(), applied.inputs.end(), is_mask),
                       torch ? ".bool()" : ".astype(bool)");
    case Msg::index_places: return fits_with(true, ".long()");
    case Msg::negative_stride: return fits_with(call.is_any(" from_numpy as_tensor asarray tensor "), ".copy()");
    case Msg::numpy_needs_detach: return fits_with(true, call.word == "numpy" ? ".detach().numpy()" : ".detach()");
    case Msg::item_needs_one: return fits_with(call.word == "tensor" && call.count() > 1, "torch.stack([..])");
    case Msg::write_dtype:
    case Msg::np_cannot_cast: return of_cast(call);
    case Msg::np_too_many_indices:
    case Msg::too_many_indices_for:
      return call.count() > 0 && call.input(0).layout.rank() > 0
                 ? Fit(Message(Msg::fit_indices, {call.input(0).layout.rank()}))
                 : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace stridescope
