// Stride 0: one cell read as many elements.
#include <algorithm>
#include <cmath>

#include "ops/layout_words.h"
#include "ops/python/text.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

std::optional<Layout> expanded(Call& call, const Tensor& tensor, const Dims& requested) {
  const Layout& layout = tensor.layout;
  const int extra = requested.size() - layout.rank();
  if (extra < 0) {
    call.fail("RuntimeError",
              {"expand(", class_name(tensor.dtype), "{", list_text(layout.sizes), "}, size=", list_text(requested),
               "): the number of sizes provided (", requested.size(),
               ") must be greater or equal to the number of dimensions in the tensor (", layout.rank(), ")"},
              Msg::expand_too_few, {requested.size(), layout.rank()});
    return std::nullopt;
  }
  Dims sizes = requested;
  bool negative = false;
  // A scalar is repeated without looking.
  for (const int64_t size : requested) negative |= layout.rank() == 0 && size < 0;
  for (int d = requested.size() - 1; d >= 0 && layout.rank() > 0; --d) {
    const bool leading = d < extra;
    const int64_t size = leading ? 1 : layout.sizes[d - extra];
    if (requested[d] == -1) {
      if (leading) {
        call.about("size", d).fail(
            "RuntimeError",
            {"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ", d},
            Msg::expand_leading_unknown, {d});
        return std::nullopt;
      }
      sizes[d] = size;
      continue;
    }
    if (requested[d] == size) continue;
    if (size != 1) {
      call.about("size", d).fail("RuntimeError",
                                 {"The expanded size of the tensor (", requested[d], ") must match the existing size (",
                                  size, ") at non-singleton dimension ", d, ".  Target sizes: ", list_text(requested),
                                  ".  Tensor sizes: ", list_text(layout.sizes)},
                                 Msg::expand_mismatch, {d, Slot{size, call.axis(tensor, d - extra)}, requested[d]});
      return std::nullopt;
    }
    negative |= requested[d] < 0;
  }
  // Nothing overflows where a size is 0, and PyTorch makes a tensor of a negative size.
  if (negative && std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
    return call.refuse(Msg::not_modelled, {"PyTorch", "expand(" + list_text(requested) + ")"}), std::nullopt;
  if (negative || !is_valid({sizes, Dims::filled(sizes.size(), 0), 0})) {
    call.fail("RuntimeError", "numel: integer multiplication overflow",
              negative
                  ? Message(Msg::negative_size, {*std::min_element(sizes.begin(), sizes.end()), list_text(requested)})
                  : Message(Msg::numel_overflow, {list_text(sizes)}));
    return std::nullopt;
  }
  return expand(layout, sizes);
}

void explain_broadcast(Call& call, const Tensor& tensor, const Layout& seen) {
  call.why(Msg::broadcast_one, {Slot{to_string(tensor.layout), call.whole(tensor)}, to_string(seen)});
}

namespace {

Value expand_to(Call& call, const Dims& requested) {
  const Tensor tensor = call.self();
  const auto layout = expanded(call, tensor, requested);
  if (!layout) return {};
  const int extra = layout->rank() - tensor.layout.rank();
  call.why(Msg::expand_headline, {to_string(tensor.layout.sizes), to_string(layout->sizes)});
  for (int d = 0; d < layout->rank(); ++d) {
    const bool grew = (d < extra ? 1 : tensor.layout.sizes[d - extra]) != layout->sizes[d];
    if (d < extra && grew)
      call.why(Msg::expand_new, {d, layout->sizes[d]});
    else if (grew)
      call.why(Msg::expand_grows, {Slot{d, call.axis(tensor, d - extra)}, layout->sizes[d]});
  }
  return call.view(*layout);
}

Value broadcast_tensors_row(Call& call) {
  const std::vector<TensorRef> tensors = call.tensors("tensors");
  if (call.failed()) return {};
  Dims sizes;
  for (const TensorRef& tensor : tensors) {
    const auto joined = broadcast_sizes(call, sizes, tensor->tensor->layout.sizes);
    if (!joined) return {};
    sizes = *joined;
  }
  call.why(Msg::broadcast_headline, {to_string(sizes)});
  for (const TensorRef& tensor : tensors)
    if (tensor->tensor->layout.sizes != sizes)
      explain_broadcast(call, *tensor->tensor, expand(tensor->tensor->layout, sizes));
  std::vector<Value> views;
  for (const TensorRef& tensor : tensors)
    views.push_back(tensor->tensor->layout.sizes == sizes
                        ? call.same(tensor)
                        : call.view(*tensor->tensor, expand(tensor->tensor->layout, sizes)));
  call.relation(Relation::view);
  return call.tuple(std::move(views));
}

Dims whole_sizes(const std::vector<double>& sizes) {
  Dims result;
  for (const double size : sizes) result.push_back(static_cast<int64_t>(size));
  return result;
}

/// From the right, shape by shape, as Python does it.
Value broadcast_shapes_row(Call& call) {
  const auto& shapes = *std::get<Sequence>(call.value("shapes").held).items;
  const auto sizes_of = [](const Value& shape) {
    const auto* items = std::get_if<Sequence>(&shape.held);
    return items ? std::span<const Value>(*items->items) : std::span(&shape, 1);
  };
  size_t rank = 0;
  for (const Value& shape : shapes)
    if (std::holds_alternative<Sequence>(shape.held) || (!tensor_of(shape) && as_integer(shape)))
      rank = std::max(rank, sizes_of(shape).size());
  if (rank > static_cast<size_t>(max_rank)) return call.refuse(Msg::too_many_dims, {max_rank});
  std::vector<double> sizes(rank, 1);
  for (const Value& shape : shapes) {
    if (!std::holds_alternative<Sequence>(shape.held) && (tensor_of(shape) || !as_integer(shape))) {
      const TensorPtr tensor = tensor_of(shape);
      const auto text = tensor ? python_repr(shape) : to_string(shape);
      const std::string type = type_name(shape);
      if (!text) return call.about(shape).refuse(Msg::argument_has_type, {"shapes", "ints", type});
      return call.about(shape).fail(
          "RuntimeError",
          {"('Input shapes should be of type ints, a tuple of ints, or a list of ints, got ', ", *text, ")"},
          Msg::argument_has_type, {"shapes", "ints", type});
    }
    const auto items = sizes_of(shape);
    for (size_t k = 1; k <= items.size(); ++k) {
      const Value& item = items[items.size() - k];
      double& common = sizes[rank - k];
      const auto size = tensor_of(item) ? std::nullopt : as_real(item);
      if (!size)
        return call.about(shape).fail_parser(
            {"'<' not supported between instances of '", type_name(item), "' and 'int'"}, Msg::argument_item,
            {"shapes", static_cast<int64_t>(items.size() - k), "int", type_name(item)});
      if (*size < 0) {
        const std::string text = "(" + to_string(item) + ")";
        return call.fail("RuntimeError", {"Trying to create tensor with negative dimension ", text, ": ", text},
                         Msg::negative_size, {static_cast<int64_t>(*size), to_string(shape)});
      }
      if (*size == 1 || *size == common) continue;
      if (common != 1)
        return call.fail("RuntimeError", "Shape mismatch: objects cannot be broadcast to a single shape",
                         Msg::shapes_mismatch, {to_string(tuple_of(whole_sizes(sizes))), to_string(shape)});
      if (std::holds_alternative<Float>(item.held))
        return call.about(shape).fail_parser("torch.Size() takes an iterable of 'int'", Msg::argument_item,
                                             {"shapes", static_cast<int64_t>(items.size() - k), "int", "float"});
      common = *size;
    }
  }
  return tuple_of(whole_sizes(sizes), Sequence::Kind::size);
}

Value meshgrid_row(Call& call) {
  std::vector<TensorRef> tensors = call.tensors("tensors");
  if (call.failed()) return {};
  if (tensors.empty()) return call.fail("RuntimeError", "meshgrid expects a non-empty TensorList", Msg::needs_tensors);
  const std::string indexing = call.given("indexing") ? call.text("indexing") : "ij";
  for (const TensorRef& tensor : tensors)
    if (tensor->tensor->dtype != tensors[0]->tensor->dtype)
      return call.fail("RuntimeError", "meshgrid expects all tensors to have the same dtype", Msg::dtypes_differ,
                       {name(tensors[0]->tensor->dtype), name(tensor->tensor->dtype)});
  if (indexing != "ij" && indexing != "xy")
    return call.about("indexing")
        .fail("RuntimeError", {"torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing},
              Msg::meshgrid_indexing, {indexing});
  const bool swapped = indexing == "xy" && tensors.size() >= 2;
  if (tensors.size() > static_cast<size_t>(max_rank)) return call.refuse(Msg::too_many_dims, {max_rank});
  Dims sizes;
  // 'xy' looks at the second first.
  if (swapped) std::swap(tensors[0], tensors[1]);
  for (const TensorRef& tensor : tensors) {
    const Dims& own = tensor->tensor->layout.sizes;
    if (own.size() > 1)
      return call.fail(
          "RuntimeError",
          {"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ", printed(*tensor->tensor)},
          Msg::meshgrid_rank, {own.size()});
    sizes.push_back(own.empty() ? 1 : own[0]);
  }
  if (swapped) {
    std::swap(tensors[0], tensors[1]);
    std::swap(sizes[0], sizes[1]);
  }
  // 'xy' lets the first input vary along dimension 1 and the second along dimension 0.
  Dims order;
  for (int k = 0; k < sizes.size(); ++k) order.push_back(swapped && k < 2 ? 1 - k : k);
  Dims shape;
  for (int64_t k : order) shape.push_back(sizes[static_cast<int>(k)]);
  call.why(Msg::meshgrid_headline, {to_string(shape)});
  std::vector<Value> grids;
  for (int k = 0; k < sizes.size(); ++k) {
    const Tensor& tensor = *tensors[static_cast<size_t>(k)]->tensor;
    const int place = static_cast<int>(order[k]);
    Dims ones = Dims::filled(sizes.size(), 1);
    ones[place] = sizes[k];
    const Layout grid = expand(*as_layout(view(tensor.layout, ones)), shape);
    explain_broadcast(call, tensor, grid);
    grids.push_back(call.view(tensor, grid));
  }
  return call.tuple(std::move(grids));
}

}  // namespace

std::span<const Op> torch_expand_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "x.expand(*size: int, implicit: bool = False)\nx.broadcast_to(*size: int)\ntorch.broadcast_to(input: tensor, "
       "size: ints)",
       Msg::op_expand, "a size that grows from 1 gets stride 0, a size kept keeps its stride; -1 keeps the size",
       "x = torch.arange(3).view(3, 1)\ny = x.expand(3, 4)",
       [](Call& call) { return expand_to(call, call.ints("size")); }},
      {Library::torch, "x.expand_as(other: tensor)", Msg::op_expand, "expand(other.size())",
       "x = torch.arange(3)\ny = x.expand_as(torch.zeros(2, 3))",
       [](Call& call) { return expand_to(call, call.tensor("other")->tensor->layout.sizes); }},
      {Library::torch, "torch.broadcast_tensors(*tensors: any = ())", Msg::op_broadcast_tensors,
       "every tensor expanded to the common sizes",
       "a, b = torch.broadcast_tensors(torch.arange(3), torch.arange(2).view(2, 1))", broadcast_tensors_row},
      {Library::torch, "torch.broadcast_shapes(*shapes: any = ())", Msg::op_broadcast_shapes,
       "from the right, sizes are equal or one of them is 1", "torch.broadcast_shapes((2, 1), (3,))",
       broadcast_shapes_row},
      {Library::torch, "torch.meshgrid(*tensors: tensor = (), indexing: str = None)", Msg::op_meshgrid,
       "grid k is tensor k along dimension k and stride 0 along the others",
       "y, x = torch.meshgrid(torch.arange(3), torch.arange(2), indexing='ij')", meshgrid_row},
  };
  return rows;
}

}  // namespace stridescope
