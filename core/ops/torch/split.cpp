// A tensor cut along a dimension into pieces, each a view.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// One view for each of `lengths`, one after the other along d.
Value pieces_of(Call& call, int d, const std::vector<std::pair<int64_t, int64_t>>& ranges) {
  call.why(Msg::pieces_headline, {static_cast<int64_t>(ranges.size()), Slot{d, call.axis(d)}});
  std::vector<Value> pieces;
  for (const auto& [start, length] : ranges) {
    call.why(Msg::piece_range, {static_cast<int64_t>(pieces.size()), start, start + length,
                                call.self().layout.storage_offset + start * call.self().layout.strides[d]});
    pieces.push_back(call.view(part(call.self().layout, d, start, length)));
    // Autograd is not told of these, and does not call them views.
    if (call.name().find("unsafe") != std::string_view::npos)
      pieces.back() = untracked(call, *tensor_of(pieces.back()));
  }
  call.relation(Relation::view);
  return call.tuple(std::move(pieces));
}

std::vector<std::pair<int64_t, int64_t>> equal_pieces(int64_t size, int64_t length, int64_t count) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (int64_t k = 0; k < count; ++k) ranges.push_back({k * length, std::min(length, size - k * length)});
  return ranges;
}

bool has_dims(Call& call) {
  if (call.self().layout.rank() > 0) return true;
  return call.fail("RuntimeError", "split expects at least a 1-dimensional tensor", Msg::scalar_has_no_dims,
                   {call.integer("dim")}),
         false;
}

Value split_equally(Call& call, int64_t length) {
  if (!has_dims(call)) return {};
  if (length < 0)
    return call.fail("RuntimeError", {"split expects split_size be non-negative, but got split_size=", length},
                     Msg::split_negative, {length});
  const int d = call.dim("dim");
  if (call.failed()) return {};
  const int64_t size = call.self().layout.sizes[d];
  if (length == 0 && size != 0)
    return call.about("split_size")
        .fail("RuntimeError", {"split_size can only be 0 if dimension size is 0, but got dimension size of ", size},
              Msg::split_zero, {Slot{d, call.axis(d)}, size});
  const int64_t count = length == 0 ? 1 : std::max<int64_t>(1, size / length + (size % length != 0 ? 1 : 0));
  if (count > max_pieces) return call.refuse(Msg::too_many_pieces, {count, max_pieces});
  return pieces_of(call, d, equal_pieces(size, length, count));
}

Value split_with_sizes(Call& call, const Dims& lengths) {
  if (!has_dims(call)) return {};
  const int d = call.dim("dim");
  if (call.failed()) return {};
  const int64_t size = call.self().layout.sizes[d];
  const std::string written = "split_sizes=" + list_text(lengths);
  std::vector<std::pair<int64_t, int64_t>> ranges;
  std::optional<int64_t> start = 0;
  for (int64_t length : lengths) {
    if (length < 0)
      return call.fail("RuntimeError",
                       {"split_with_sizes expects split_sizes have only non-negative entries, but got ", written},
                       Msg::split_negative, {length});
    ranges.push_back({start.value_or(0), length});
    start = checked_add(start, length);
  }
  if (start != size)
    return call.fail("RuntimeError",
                     {"split_with_sizes expects split_sizes to sum exactly to ", size,
                      " (input tensor's size at dimension ", call.integer("dim"), "), but got ", written},
                     Msg::split_sum, {start.value_or(-1), Slot{d, call.axis(d)}, size});
  return pieces_of(call, d, ranges);
}

Value split_row(Call& call) {
  const bool sizes = std::holds_alternative<Sequence>(call.value("split_size").held);
  if (std::holds_alternative<std::string>(call.first().held)) return call.wrong_type("tensor", "Tensor");
  if (!tensor_of(call.first()))
    return call.about_receiver().fail(
        "AttributeError",
        {"'", (type_name(call.first()) == "Size" ? "torch.Size" : type_name(call.first())),
         "' object has no attribute 'split'"},
        Msg::argument_has_type, {"tensor", "tensor", type_name(call.first())});
  if (sizes) return split_with_sizes(call, call.ints("split_size"));
  // Python's code asks int() of a tensor, and passes anything but an int on as sizes.
  const Value& given = call.value("split_size");
  const TensorPtr number = tensor_of(given);
  const bool whole = std::holds_alternative<int64_t>(given.held),
             named = call.name().ends_with("split") && call.name() != "unsafe_split";
  if (!named || whole) return split_equally(call, call.integer("split_size"));
  if (!number || number->library != Library::torch || numel(number->layout.sizes) != 1)
    return call.wrong_type("split_size", "tuple of ints");
  const Scalar one = element(elements_of(*number), 0);
  if (one.imaginary != 0)
    return call.about("split_size")
        .fail("RuntimeError", "value cannot be converted to type int64_t without overflow", Msg::argument_has_type,
              {"split_size", "int", name(one.dtype)});
  if (std::isnan(one.real)) return call.wrong_type("split_size", "tuple of ints");
  if (std::isinf(one.real))
    return call.about("split_size")
        .fail("OverflowError", "cannot convert float infinity to integer", Msg::argument_has_type,
              {"split_size", "int", name(one.dtype)});
  return split_equally(call, converted(one, DType::int64).integer);
}

Value chunk_row(Call& call) {
  const int64_t chunks = call.integer("chunks");
  if (call.self().layout.rank() == 0)
    return call.fail("RuntimeError", "chunk expects at least a 1-dimensional tensor", Msg::scalar_has_no_dims,
                     {call.integer("dim")});
  if (chunks <= 0)
    return call.fail("RuntimeError", {"chunk expects `chunks` to be greater than 0, got: ", chunks},
                     Msg::pieces_positive, {chunks});
  const int d = call.dim("dim");
  if (call.failed()) return {};
  const int64_t size = call.self().layout.sizes[d];
  const int64_t length = size / chunks + (size % chunks != 0 ? 1 : 0);
  const int64_t count = size == 0 ? chunks : size / length + (size % length != 0 ? 1 : 0);
  if (count > max_pieces) return call.refuse(Msg::too_many_pieces, {count, max_pieces});
  call.why(Msg::chunk_length, {size, chunks, length});
  return pieces_of(call, d, equal_pieces(size, length, count));
}

/// Pieces between cuts, as Python slices them.
Value cut_at(Call& call, int d, const Dims& cuts) {
  const int64_t size = call.self().layout.sizes[d];
  std::vector<std::pair<int64_t, int64_t>> ranges;
  int64_t start = 0;
  const auto clamped = [&](int64_t place) { return std::clamp<int64_t>(place < 0 ? place + size : place, 0, size); };
  for (int64_t cut : cuts) {
    const int64_t from = clamped(start), to = std::max(clamped(cut), from);
    ranges.push_back({from, to - from});
    start = cut;
  }
  ranges.push_back({clamped(start), size - clamped(start)});
  return pieces_of(call, d, ranges);
}

Value sections(Call& call, int d, int64_t count) {
  if (count <= 0)
    return call.fail("RuntimeError", {"number of sections must be larger than 0, got ", count}, Msg::pieces_positive,
                     {count});
  if (count > max_pieces) return call.refuse(Msg::too_many_pieces, {count, max_pieces});
  const int64_t size = call.self().layout.sizes[d];
  std::vector<std::pair<int64_t, int64_t>> ranges;
  int64_t start = 0;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t length = size / count + (k < size % count ? 1 : 0);
    ranges.push_back({start, length});
    start += length;
  }
  return pieces_of(call, d, ranges);
}

Value tensor_split_row(Call& call) {
  if (call.self().layout.rank() == 0)
    return call.fail("RuntimeError",
                     "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims",
                     Msg::scalar_has_no_dims, {call.integer("dim")});
  const Value& asked = call.value("tensor_indices_or_sections");
  const bool list =
      std::holds_alternative<Sequence>(asked.held) || (tensor_of(asked) && tensor_of(asked)->layout.rank() == 1);
  if (const TensorPtr places = tensor_of(asked); places && places->dtype != DType::int64)
    return call.fail("RuntimeError",
                     {"tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
                      scalar_type_name(places->dtype)},
                     Msg::index_places, {name(places->dtype)});
  if (const TensorPtr places = tensor_of(asked); places && places->layout.rank() > 1)
    return call.fail("RuntimeError",
                     {"tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional "
                      "tensor, but got a tensor with ",
                      places->layout.rank(), " dims"},
                     Msg::argument_has_type, {"indices", "0-d, 1-d", to_string(places->layout.sizes)});
  const int d = call.dim("dim");
  if (call.failed()) return {};
  if (const TensorPtr places = tensor_of(asked); list && places) {
    if (places->layout.sizes[0] > max_rank)
      return call.refuse(Msg::too_many_pieces, {places->layout.sizes[0], max_rank});
    Dims cuts;
    for (int64_t i = 0; i < places->layout.sizes[0]; ++i) cuts.push_back(element(elements_of(*places), i).integer);
    return cut_at(call, d, cuts);
  }
  if (list) return cut_at(call, d, call.ints("tensor_indices_or_sections"));
  return sections(call, d, call.integer("tensor_indices_or_sections"));
}

/// hsplit, vsplit and dsplit: tensor_split that insists on equal sections.
Value named_split(Call& call) {
  const char letter = call.name()[call.name().size() - 6];
  const std::string function = std::string("torch.") + letter + "split";
  const int rank = call.self().layout.rank(), least = letter == 'h' ? 1 : letter == 'v' ? 2 : 3;
  if (rank < least)
    return call.fail("RuntimeError",
                     {function, " requires a tensor with at least ", least, " dimension, but got a tensor with ", rank,
                      " dimensions!"},
                     Msg::needs_rank, {least, rank});
  const int d = letter == 'h' ? (rank == 1 ? 0 : 1) : letter == 'v' ? 0 : 2;
  if (std::holds_alternative<Sequence>(call.value("sections").held)) return cut_at(call, d, call.ints("sections"));
  const int64_t count = call.integer("sections"), size = call.self().layout.sizes[d];
  if (count == 0 || size % count != 0)
    return call.fail("RuntimeError",
                     {function, " attempted to split along dimension ", d, ", but the size of the dimension ", size,
                      " is not divisible by the split_size ", count, "!"},
                     Msg::split_uneven, {Slot{d, call.axis(d)}, size, count});
  return sections(call, d, count);
}

}  // namespace

std::span<const Op> torch_split_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "x.split(split_size: int | ints | tensor, dim: int = 0)\ntorch.split(tensor, split_size_or_sections: int | ints "
       "| tensor, dim: int = 0)\n"
       "x.split_with_sizes(split_sizes: ints, dim: int = 0)\ntorch.split_with_sizes(input: tensor, split_sizes: ints, "
       "dim: int = 0)\n"
       "x.unsafe_split(split_size: int, dim: int = 0)\ntorch.unsafe_split(input: tensor, split_size: int, dim: int = "
       "0)\n"
       "x.unsafe_split_with_sizes(split_sizes: ints, dim: int = 0)\ntorch.unsafe_split_with_sizes(input: tensor, "
       "split_sizes: ints, dim: int = 0)",
       Msg::op_split, "narrow(dim, start, length) for each piece", "a, b, c = torch.arange(5).split(2)", split_row},
      {Library::torch,
       "x.chunk(chunks: int, dim: int = 0)\ntorch.chunk(input: tensor, chunks: int, dim: int = "
       "0)\nx.unsafe_chunk(chunks: int, dim: int = 0)\n"
       "torch.unsafe_chunk(input: tensor, chunks: int, dim: int = 0)",
       Msg::op_chunk, "pieces of ceil(sizes[dim] / chunks); there may be fewer than asked for",
       "parts = torch.arange(6).chunk(4)", chunk_row},
      {Library::torch,
       "x.tensor_split(tensor_indices_or_sections: int | ints | tensor, dim: int = 0)\nx.tensor_split(indices: ints, "
       "dim: int = 0)\nx.tensor_split(sections: int, dim: int = 0)\n"
       "torch.tensor_split(input: tensor, tensor_indices_or_sections: int | ints | tensor, dim: int = 0)\n"
       "torch.tensor_split(input: tensor, indices: ints, dim: int = 0)\ntorch.tensor_split(input: tensor, sections: "
       "int, dim: int = 0)",
       Msg::op_tensor_split, "cuts at the indices, or makes sections of nearly equal size",
       "a, b, c = torch.arange(7).tensor_split(3)", tensor_split_row},
      {Library::torch,
       "x.hsplit(sections: int)\nx.hsplit(indices: ints)\nx.hsplit(*indices: int)\ntorch.hsplit(input: tensor, "
       "sections: int)\ntorch.hsplit(input: tensor, indices: ints)\n"
       "x.vsplit(sections: int)\nx.vsplit(indices: ints)\nx.vsplit(*indices: int)\ntorch.vsplit(input: tensor, "
       "sections: int)\ntorch.vsplit(input: tensor, indices: ints)\n"
       "x.dsplit(sections: int)\nx.dsplit(indices: ints)\nx.dsplit(*indices: int)\ntorch.dsplit(input: tensor, "
       "sections: int)\ntorch.dsplit(input: tensor, indices: ints)",
       Msg::op_hsplit, "tensor_split along dimension 1, 0 or 2", "a, b = torch.arange(8).view(2, 4).hsplit(2)",
       named_split},
  };
  return rows;
}

}  // namespace stridescope
