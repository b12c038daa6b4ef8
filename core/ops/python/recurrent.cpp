// Calls of nn.LSTM, nn.GRU and nn.RNN: what their forward looks at, and the states that it begins with.
#include <span>

#include "ops/call.h"
#include "ops/python/classes.h"
#include "ops/python/interpreter.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {
namespace {

int64_t number_in(const Object& module, std::string_view name) { return as_integer(held_by(module, name)).value_or(0); }

/// "(1, 5, 4)", "[1, 5, 4]"
std::string listed(const Dims& sizes, bool tuple) {
  const std::string inner = to_string(sizes);  // "(1, 5, 4)"
  return tuple ? inner : "[" + inner.substr(1, inner.size() - 2) + "]";
}

/// The weights in the order in which PyTorch hands them over; nothing where one is no tensor any more.
std::optional<std::vector<Value>> weights_of(const Object& module) {
  std::vector<Value> weights;
  const std::string written = recurrent_tensors(module);
  for (const std::string_view text : words(written, ';')) {
    const Value& held = held_by(module, words(text, ' ')[0].substr(1));
    if (!tensor_of(held)) return std::nullopt;
    weights.push_back(held);
  }
  return weights;
}

}  // namespace

/// forward(input, hx=None)
Interpreter::Result Interpreter::recur(const Object& module, const Arguments& arguments, const Expr& at) {
  const std::string name(short_name(built_in(seen_class(module))));
  const auto not_modelled = [&] { return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span); };
  std::vector<Value> given = arguments.positional;
  for (const auto& [word, value] : arguments.named) {
    if (word != (given.empty() ? "input" : "hx") || given.size() > 1) return not_modelled();
    given.push_back(value);
  }
  if (given.empty() || given.size() > 2) return not_modelled();
  const TensorPtr input = tensor_of(given[0]);
  if (!input || input->library != Library::torch) return not_modelled();
  const auto raise = [&](const char* type, const Slots& text, Message reason) {
    return fail(python_error(type, text, std::move(reason)), at.span);
  };
  const int rank = input->layout.rank();
  if (rank != 2 && rank != 3)
    return raise(
        "ValueError",
        {name, ": Expected input to be 2D or 3D, got ", rank, name == "RNN" ? "D tensor instead" : "D instead"},
        {Msg::product_rank, {3, rank}});
  // A row of the table, applied to what stands before the dot and one number.
  const auto apply = [&](const char* method, const Value& self, int64_t d) {
    return invoke(find_forms(Library::torch, Form::Kind::method, method), {{self, Value{d}}, {}, {}, {}, {}}, at.span);
  };
  const bool batched = rank == 3, cells = name == "LSTM";
  const int64_t batch_dim = is_set(module, "batch_first") ? 0 : 1;
  const Result x = batched ? Result(given[0]) : apply("unsqueeze", given[0], batch_dim);
  if (!x) return std::nullopt;
  const Tensor& seen = *tensor_of(*x);
  const int64_t directions = is_set(module, "bidirectional") ? 2 : 1, hidden = number_in(module, "hidden_size"),
                projected = number_in(module, "proj_size");
  const Dims expected{number_in(module, "num_layers") * directions, seen.layout.sizes[static_cast<int>(batch_dim)],
                      projected > 0 ? projected : hidden};
  const Dims sizes[] = {expected, {expected[0], expected[1], hidden}};

  std::vector<Value> states;
  const bool begins = given.size() < 2 || std::holds_alternative<None>(given[1].held);
  if (begins) {
    for (int i = 0; i < (cells ? 2 : 1); ++i) {
      Arguments zeros{{}, {}, {}, {}, {}};
      for (const int64_t size : sizes[i]) zeros.positional.push_back(Value{size});
      zeros.named.emplace_back("dtype", Value{Symbol{"torch." + std::string(stridescope::name(seen.dtype)), nullptr}});
      const Result made = invoke(find_forms(Library::torch, Form::Kind::function, "torch.zeros"), zeros, at.span);
      if (!made) return std::nullopt;
      step_->applied.back().title = "torch.zeros" + to_string(sizes[i]);
      states.push_back(*made);
    }
  } else {
    const std::span<const Value> parts = parts_of(given[1]);
    if (cells != !tensor_of(given[1])) return not_modelled();
    states = cells ? std::vector<Value>(parts.begin(), parts.end()) : std::vector{given[1]};
    if (states.size() != (cells ? 2 : 1)) return not_modelled();
    std::vector<int> ranks;
    for (const Value& one : states) {
      const TensorPtr tensor = tensor_of(one);
      if (!tensor || tensor->library != Library::torch) return not_modelled();
      ranks.push_back(tensor->layout.rank());
    }
    const int wanted = batched ? 3 : 2;
    if (ranks[0] != wanted || ranks.back() != wanted) {
      const std::string start = std::string("For ") + (batched ? "batched 3-D" : "unbatched 2-D") + " input, hx ",
                        also = "should also be " + std::to_string(wanted) + "-D but got ";
      return raise("RuntimeError",
                   cells ? Slots{start, "and cx ", also, "(", ranks[0], "-D, ", ranks[1], "-D) tensors"}
                         : Slots{start, also, ranks[0], "-D tensor"},
                   {Msg::product_rank, {wanted, ranks[0] != wanted ? ranks[0] : ranks.back()}});
    }
    for (Value& one : states)
      if (!batched) {
        const Result wide = apply("unsqueeze", one, 1);
        if (!wide) return std::nullopt;
        one = *wide;
      }
  }

  const auto weights = weights_of(module);
  if (!weights) return not_modelled();
  if (const DType own = tensor_of(weights->front())->dtype; own != seen.dtype)
    return raise(
        "ValueError",
        {"input must have the type torch.", stridescope::name(own), ", got type torch.", stridescope::name(seen.dtype)},
        {Msg::dtypes_differ, {stridescope::name(own), stridescope::name(seen.dtype)}});
  if (const int64_t wanted = number_in(module, "input_size"); seen.layout.sizes[2] != wanted)
    return raise("RuntimeError",
                 {"input.size(-1) must be equal to input_size. Expected ", wanted, ", got ", seen.layout.sizes[2]},
                 {Msg::recurrent_sizes, {seen.layout.sizes[2], wanted}});
  for (size_t i = 0; i < states.size(); ++i)
    if (const Dims& own = tensor_of(states[i])->layout.sizes; own != sizes[i])
      return raise("RuntimeError",
                   {"Expected hidden", cells ? "[" + std::to_string(i) + "]" : std::string(), " size ",
                    listed(sizes[i], true), ", got ", listed(own, false)},
                   {Msg::recurrent_sizes, {to_string(own), to_string(sizes[i])}});

  const auto* mode = std::get_if<std::string>(&held_by(module, "mode").held);
  const std::string function = cells                         ? "torch.lstm"
                               : name == "GRU"               ? "torch.gru"
                               : mode && *mode == "RNN_RELU" ? "torch.rnn_relu"
                                                             : "torch.rnn_tanh";
  Arguments handed{{*x, cells ? list_of(states, Sequence::Kind::tuple) : states[0], list_of(*weights)}, {}, {}, {}, {}};
  for (const std::string_view word : {"bias", "num_layers", "dropout", "training", "bidirectional", "batch_first"})
    handed.positional.push_back(held_by(module, word));
  const Result made = invoke(find_forms(Library::torch, Form::Kind::function, function), handed, at.span);
  if (!made) return std::nullopt;
  const std::span<const Value> results = parts_of(*made);
  std::vector<Value> parts(results.begin(), results.end());
  for (size_t i = 0; i < parts.size() && !batched; ++i) {
    const Result narrow = apply("squeeze", parts[i], i == 0 ? batch_dim : 1);
    if (!narrow) return std::nullopt;
    parts[i] = *narrow;
  }
  if (!cells) return list_of(std::move(parts), Sequence::Kind::tuple);
  Value last = list_of({parts[1], parts[2]}, Sequence::Kind::tuple);
  return list_of({parts[0], std::move(last)}, Sequence::Kind::tuple);
}

}  // namespace stridescope
