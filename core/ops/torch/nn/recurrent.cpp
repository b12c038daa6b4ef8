// Recurrent networks: torch.lstm, torch.gru, torch.rnn_tanh and torch.rnn_relu, and what the modules that call them
// own.
#include "ops/python/classes.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/modules.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

int64_t number_of(const Object& module, std::string_view name) { return as_integer(held_by(module, name)).value_or(0); }

/// A state for each layer and direction.
Value state(Call& call, const Tensor& before, DType dtype) {
  const Dims& sizes = before.layout.sizes;
  return call.fresh(dtype, contiguous(sizes), call.stand_ins(dtype, *numel(sizes), INT64_MAX));
}

/// The outputs of all steps, and the states behind the last. Steps lie one behind the other: where the batch is asked
/// for first, the result is that with two dims swapped, of an LSTM as a view.
Value recurrent_row(Call& call) {
  const Tensor& input = *call.tensor("input")->tensor;
  const Value& before = call.value("hx");
  const bool cells = !tensor_of(before);
  std::vector<TensorPtr> states;
  if (!cells) states.push_back(tensor_of(before));
  for (const Value& one : parts_of(before))
    if (cells) states.push_back(tensor_of(one));
  const bool batch_first = call.truth("batch_first"), both_ways = call.truth("bidirectional");
  const bool usual = input.layout.rank() == 3 && states.size() == (cells ? 2 : 1) && call.drawn() &&
                     (input.dtype == DType::float32 || input.dtype == DType::float64);
  for (const TensorPtr& one : states)
    if (!usual || !one || one->layout.rank() != 3 || one->dtype != input.dtype)
      return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const Dims &given = input.layout.sizes, &kept = states[0]->layout.sizes;
  const int64_t steps = given[batch_first ? 1 : 0], batch = given[batch_first ? 0 : 1];
  if (steps == 0)
    return call.about("input").fail("RuntimeError", "Expected sequence length to be larger than 0 in RNN",
                                    Msg::at_least, {"size", 1});
  const auto width = checked_mul(kept[2], both_ways ? 2 : 1);
  const Dims sizes{steps, batch, width.value_or(0)};
  const Layout packed = fresh_layout(call, sizes, input.dtype);
  if (call.failed()) return {};
  call.why(Msg::recurrent_headline, {steps, batch, kept[2]});
  const ContentsPtr values = call.stand_ins(input.dtype, *numel(sizes), INT64_MAX);
  const Layout swapped = transpose(packed, 0, 1);
  if (batch_first && !is_contiguous(swapped)) call.why(Msg::recurrent_swapped, {to_string(swapped)});
  Value output = call.fresh(input.dtype, batch_first && !cells ? swapped : packed, values);
  if (batch_first && cells && !call.failed()) {
    const Tensor whole = *tensor_of(output);
    output = call.view(whole, swapped);
  }
  std::vector<Value> results{output};
  for (const TensorPtr& one : states) results.push_back(state(call, *one, input.dtype));
  return call.failed() ? Value{} : call.tuple(std::move(results));
}

}  // namespace

bool is_recurrent(const ModuleClass& row) { return row.name == "LSTM" || row.name == "GRU" || row.name == "RNN"; }

bool settle_recurrent(Call& call, const Object& module) {
  const auto wrong = [&](const char* parameter, const Slots& text, Message reason) {
    return call.about(parameter).fail("ValueError", text, std::move(reason)), false;
  };
  const Value way = held_by(module, "nonlinearity");
  if (const auto* word = std::get_if<std::string>(&way.held); word && *word != "tanh" && *word != "relu")
    return wrong("nonlinearity", {"Unknown nonlinearity '", *word, "'. Select from 'tanh' or 'relu'."},
                 {Msg::argument_has_type, {"nonlinearity", "tanh, relu", *word}});
  const double dropout = as_real(held_by(module, "dropout")).value_or(-1);
  if (!(dropout >= 0 && dropout <= 1))
    return wrong("dropout",
                 "dropout should be a number in range [0, 1] representing the probability of an element being zeroed",
                 {Msg::dropout_range, {to_string(held_by(module, "dropout"))}});
  keep(module, "dropout", Value{dropout});
  if (call.given("hidden_size") && number_of(module, "hidden_size") <= 0)
    return wrong("hidden_size", "hidden_size must be greater than zero", {Msg::at_least, {"hidden_size", 1}});
  if (number_of(module, "num_layers") <= 0)
    return wrong("num_layers", "num_layers must be greater than zero", {Msg::at_least, {"num_layers", 1}});
  const int64_t projected = number_of(module, "proj_size");
  if (projected < 0)
    return wrong("proj_size", "proj_size should be a positive integer or zero to disable projections",
                 {Msg::at_least, {"proj_size", 0}});
  if (projected == INT64_MAX) return call.refuse(Msg::beyond_int64), false;
  if (projected >= number_of(module, "hidden_size"))
    return wrong("proj_size", "proj_size has to be smaller than hidden_size",
                 {Msg::at_least, {"hidden_size", projected + 1}});
  const std::string name(short_name(built_in(*module.type)));
  keep(module, "proj_size", Value{projected});
  keep(module, "mode",
       Value{name != "RNN"                               ? name
             : std::get<std::string>(way.held) == "relu" ? std::string("RNN_RELU")
                                                         : "RNN_TANH"});
  if (number_of(module, "num_layers") > most_layers)
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()}), false;
  return true;
}

std::string recurrent_tensors(const Object& module) {
  const std::string_view name = short_name(built_in(*module.type));
  const int64_t hidden = number_of(module, "hidden_size"), projected = number_of(module, "proj_size"),
                kept = projected > 0 ? projected : hidden, directions = is_set(module, "bidirectional") ? 2 : 1;
  const auto rows = checked_mul(name == "LSTM" ? 4 : name == "GRU" ? 3 : 1, hidden);
  const std::string gates = std::to_string(rows.value_or(INT64_MAX));
  std::string all;
  for (int64_t layer = 0; layer < number_of(module, "num_layers"); ++layer)
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string own = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      const auto width =
          layer == 0 ? number_of(module, "input_size") : checked_mul(kept, directions).value_or(INT64_MAX);
      all += "~weight_ih" + own + " " + gates + " " + std::to_string(width) + ";~weight_hh" + own + " " + gates + " " +
             std::to_string(kept) + ";";
      if (is_set(module, "bias")) all += "~bias_ih" + own + " " + gates + ";~bias_hh" + own + " " + gates + ";";
      if (projected > 0)
        all += "~weight_hr" + own + " " + std::to_string(projected) + " " + std::to_string(hidden) + ";";
    }
  return all;
}

std::span<const Op> torch_recurrent_rows() {
#define STEPS                                                                                              \
  "params: tensors, has_biases: bool, num_layers: int, dropout: float, train: bool, bidirectional: bool, " \
  "batch_first: "                                                                                          \
  "bool)"
#define LAW "h[t] = f(x[t], h[t - 1]), of each layer and direction; y[t] = h[t] of the last layer"
#define WEIGHTS "list(m.parameters()), True, 1, 0.0, True, False, False)"
  static constexpr Op rows[] = {
      {Library::torch, "torch.lstm(input: tensor, hx: tensors, " STEPS, Msg::op_recurrent, LAW,
       "from torch import nn\nm = nn.LSTM(3, 4)\nh = torch.zeros(1, 2, 4)\ny = torch.lstm(torch.ones(5, 2, 3), (h, "
       "h), " WEIGHTS,
       recurrent_row},
      {Library::torch,
       "torch.gru(input: tensor, hx: tensor, " STEPS "\ntorch.rnn_tanh(input: tensor, hx: tensor, " STEPS
       "\ntorch.rnn_relu(input: tensor, hx: tensor, " STEPS,
       Msg::op_recurrent, LAW,
       "from torch import nn\nm = nn.GRU(3, 4)\ny = torch.gru(torch.ones(5, 2, 3), torch.zeros(1, 2, 4), " WEIGHTS,
       recurrent_row},
  };
#undef STEPS
#undef LAW
#undef WEIGHTS
  return rows;
}

}  // namespace stridescope
