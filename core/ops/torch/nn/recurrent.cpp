// Recurrent networks: torch.lstm, torch.gru, torch.rnn_tanh and torch.rnn_relu, and what the modules that call them
// own.
#include <algorithm>
#include <cmath>

#include "ops/fold.h"
#include "ops/python/classes.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/modules.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

int64_t number_of(const Object& module, std::string_view name) { return as_integer(held_by(module, name)).value_or(0); }

using Numbers = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// The weights of one layer in one direction.
struct Weights {
  Numbers of_input, of_state, input_bias, state_bias, projection;
  size_t width = 0, hidden = 0, kept = 0;  ///< of an input, of a state inside, and of what is handed on

  /// Row `row` of weights times a vector, and its bias.
  static double row(const Numbers& weights, const Numbers& bias, size_t row, const double* vector, size_t length) {
    double sum = bias.empty() ? 0 : bias[row];
    for (size_t k = 0; k < length; ++k) sum += weights[row * length + k] * vector[k];
    return sum;
  }
  double of_x(size_t at, const double* x) const { return row(of_input, input_bias, at, x, width); }
  double of_h(size_t at, const double* h) const { return row(of_state, state_bias, at, h, kept); }
};

/// What a step makes of one input of the batch: `h` and, of an LSTM, `c` become the next state. The order of the gates
/// is PyTorch's: i, f, g, o; r, z, n.  Source: docs of torch.nn.LSTM, GRU and RNN
struct Network {
  std::string_view function;  ///< "torch.lstm"
  DType dtype;

  void step(const Weights& weights, const double* x, Numbers& h, Numbers& c) const {
    const size_t hidden = weights.hidden;
    Numbers next(hidden);
    for (size_t j = 0; j < hidden; ++j) {
      const auto gate = [&](size_t k) {
        return weights.of_x(k * hidden + j, x) + weights.of_h(k * hidden + j, h.data());
      };
      if (function == "torch.lstm") {
        c[j] = rounded_to(dtype, sigmoid(gate(1)) * c[j] + sigmoid(gate(0)) * std::tanh(gate(2)));
        next[j] = sigmoid(gate(3)) * std::tanh(c[j]);
      } else if (function == "torch.gru") {
        const size_t last = 2 * hidden + j;
        const double n = std::tanh(weights.of_x(last, x) + sigmoid(gate(0)) * weights.of_h(last, h.data())),
                     z = sigmoid(gate(1));
        next[j] = (1 - z) * n + z * h[j];
      } else {
        next[j] = function == "torch.rnn_relu" ? std::max(gate(0), 0.0) : std::tanh(gate(0));
      }
    }
    for (size_t j = 0; j < weights.kept; ++j)
      h[j] = rounded_to(
          dtype, weights.projection.empty() ? next[j] : Weights::row(weights.projection, {}, j, next.data(), hidden));
  }
};

/// The weights of every layer and direction; nothing where they do not fit each other.
std::optional<std::vector<Weights>> weights_in(Call& call, const std::vector<TensorRef>& given, size_t gates,
                                               size_t input, const std::vector<TensorPtr>& states, size_t directions,
                                               bool biases) {
  const auto layers = static_cast<size_t>(states[0]->layout.sizes[0]);
  const auto kept = static_cast<size_t>(states[0]->layout.sizes[2]),
             hidden = static_cast<size_t>(states.back()->layout.sizes[2]);
  const size_t each = (biases ? 4 : 2) + (kept < hidden ? 1 : 0);
  if (given.size() != layers * each) return std::nullopt;
  std::vector<Weights> all;
  for (size_t layer = 0; layer < layers; ++layer) {
    Weights one;
    one.hidden = hidden, one.kept = kept, one.width = layer < directions ? input : kept * directions;
    const size_t lengths[] = {gates * hidden * one.width, gates * hidden * kept, gates * hidden, gates * hidden};
    Numbers* const places[] = {&one.of_input, &one.of_state, &one.input_bias, &one.state_bias};
    for (size_t k = 0; k < each; ++k) {
      const bool projects = kept < hidden && k + 1 == each;
      const Tensor& tensor = *given[layer * each + k]->tensor;
      if (static_cast<size_t>(*numel(tensor.layout.sizes)) != (projects ? kept * hidden : lengths[k]))
        return std::nullopt;
      (projects ? one.projection : *places[k]) = doubles_of(call, tensor);
    }
    all.push_back(std::move(one));
  }
  return all;
}

/// All layers, both ways where that is asked for, over the whole sequence.
/// @returns the outputs, row by row, and the states behind the last step
std::vector<Numbers> run(const Network& network, const std::vector<Weights>& layers, size_t directions, Numbers x,
                         size_t steps, size_t batch, const std::vector<Numbers>& states) {
  std::vector<Numbers> results(1);
  for (const Numbers& state : states) results.push_back(state);
  for (size_t at = 0; at < layers.size(); at += directions) {
    const size_t kept = layers[at].kept, hidden = layers[at].hidden;
    Numbers y(steps * batch * kept * directions);
    for (size_t way = 0; way < directions; ++way) {
      const Weights& weights = layers[at + way];
      for (size_t b = 0; b < batch; ++b) {
        double* const h_at = results[1].data() + ((at + way) * batch + b) * kept;
        double* const c_at = states.size() > 1 ? results[2].data() + ((at + way) * batch + b) * hidden : nullptr;
        Numbers h(h_at, h_at + kept), c(c_at, c_at ? c_at + hidden : c_at);
        for (size_t s = 0; s < steps; ++s) {
          const size_t t = way == 0 ? s : steps - 1 - s, place = t * batch + b;
          network.step(weights, x.data() + place * weights.width, h, c);
          std::copy(h.begin(), h.end(), y.data() + place * kept * directions + way * kept);
        }
        std::copy(h.begin(), h.end(), h_at);
        std::copy(c.begin(), c.end(), c_at);
      }
    }
    x = std::move(y);
  }
  results[0] = std::move(x);
  return results;
}

ContentsPtr contents_of(const Numbers& numbers, DType dtype) {
  std::vector<Scalar> values;
  values.reserve(numbers.size());
  for (const double number : numbers) values.push_back(real_scalar(number, dtype));
  return literal_contents(values, dtype);
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
  const bool usual = input.layout.rank() == 3 && states.size() == (cells ? 2 : 1) &&
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
  const std::vector<TensorRef> params = call.tensors("params");
  if (call.failed()) return {};
  call.why(Msg::recurrent_headline, {steps, batch, kept[2]});
  // Its weights meet every input of every step once.
  int64_t weights = 0;
  for (const TensorRef& one : params)
    weights = checked_add(weights, *numel(one->tensor->layout.sizes)).value_or(INT64_MAX);
  const int64_t work = std::max(times({weights, std::max<int64_t>(steps, 1), std::max<int64_t>(batch, 1)}),
                                times({steps, batch, given[2]}));
  const size_t directions = both_ways ? 2 : 1, gates = cells ? 4 : call.name() == "torch.gru" ? 3 : 1;
  const bool drops = call.truth("train") && call.real("dropout") > 0 && kept[0] > static_cast<int64_t>(directions);
  std::vector<ContentsPtr> made;
  if (work > most_products || drops) {
    const auto made_up = [&](const Dims& of) {
      made.push_back(drops ? random_contents(Distribution::made_up, call.seed(), input.dtype, *numel(of))
                           : call.unreckoned(input.dtype, *numel(of), INT64_MAX));
    };
    made_up(sizes);
    for (const TensorPtr& one : states) made_up(one->layout.sizes);
    if (drops) call.why(Msg::stand_ins);
  } else {
    const auto layers =
        weights_in(call, params, gates, static_cast<size_t>(given[2]), states, directions, call.truth("has_biases"));
    if (!layers || kept[1] != batch) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
    Tensor first = input;
    if (batch_first) first.layout = transpose(first.layout, 0, 1);
    const Numbers x = doubles_of(call, first);
    std::vector<Numbers> begun;
    for (const TensorPtr& one : states) begun.push_back(doubles_of(call, *one));
    if (call.failed()) return {};
    for (const Numbers& numbers : run({call.name(), input.dtype}, *layers, directions, x, static_cast<size_t>(steps),
                                      static_cast<size_t>(batch), begun))
      made.push_back(contents_of(numbers, input.dtype));
  }
  const Layout swapped = transpose(packed, 0, 1);
  if (batch_first && !is_contiguous(swapped)) call.why(Msg::recurrent_swapped, {to_string(swapped)});
  Value output = call.fresh(input.dtype, batch_first && !cells ? swapped : packed, made[0]);
  if (batch_first && cells && !call.failed()) {
    const Tensor whole = *tensor_of(output);
    output = call.view(whole, swapped);
  }
  std::vector<Value> results{output};
  for (size_t i = 0; i < states.size(); ++i)
    results.push_back(call.fresh(input.dtype, contiguous(states[i]->layout.sizes), made[i + 1]));
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
