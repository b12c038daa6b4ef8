// scaled_dot_product_attention: what a fused kernel keeps of the memory order of the query, and what two products do.
#include <algorithm>
#include <cmath>

#include "layout/transform.h"
#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/product.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

struct Attention {
  Tensor query, key, value;
  const Tensor* mask = nullptr;
  bool causal = false, grouped = false;
  double dropout = 0;
};

/// Whether PyTorch takes its fused kernel, whose result lies in memory as the query does.
bool is_fused(Call& call, const Attention& one) {
  const Dims &q = one.query.layout.sizes, &k = one.key.layout.sizes, &v = one.value.layout.sizes;
  const bool four = q.size() == 4 && k.size() == 4 && v.size() == 4;
  bool fits = four && q[3] == k[3] && q[3] == v[3] && q[0] == k[0] && q[0] == v[0] && q[1] == k[1] && q[1] == v[1] &&
              q[2] != 0 && k[2] != 0 && v[2] != 0 && q[0] != 0 && q[3] != 0;
  for (const Tensor* tensor : {&one.query, &one.key, &one.value}) fits = fits && tensor->layout.strides.back() == 1;
  if (one.mask) {
    const int rank = one.mask->layout.rank();
    if (four && rank < 2) return call.wrap(-2, rank, true, "attn_mask"), false;
    const Dims& sizes = one.mask->layout.sizes;
    const auto covers = [&](int from_end, int64_t size) {
      return rank < from_end || sizes[rank - from_end] == 1 || sizes[rank - from_end] == size;
    };
    fits = fits && (rank == 2 || rank == 4) && covers(1, k[2]) && covers(2, q[2]) && covers(3, q[1]) &&
           covers(4, q[0]) && !(one.mask->requires_grad && call.settings().gradients == Gradients::followed);
  }
  return fits && !(one.dropout > 0);
}

Dims leading_sizes(const Dims& sizes) {
  Dims result;
  for (int d = 0; d + 2 < sizes.size(); ++d) result.push_back(sizes[d]);
  return result;
}

/// Each head of the keys or values repeated for the heads of the query, or the call failed.
Tensor repeated_heads(Call& call, const Attention& one, Tensor tensor) {
  if (!one.grouped) return tensor;
  Dims& sizes = tensor.layout.sizes;
  const int heads = one.query.layout.rank() - 3, own = sizes.size() - 3;
  if (heads < 0 || own < 0 || sizes[own] == 0 || one.query.layout.sizes[heads] % sizes[own] != 0)
    call.about("enable_gqa").refuse(Msg::not_modelled, {"PyTorch", call.name()});
  else
    sizes[own] = one.query.layout.sizes[heads], tensor.layout = contiguous(sizes);
  return tensor;
}

/// The sizes of the result as two products and a sum give them, or nothing and the call failed as the first of them
/// does.
std::optional<Dims> attended_sizes(Call& call, const Attention& one) {
  Tensor key = repeated_heads(call, one, one.key), query = one.query;
  const Tensor value = repeated_heads(call, one, one.value);
  if (call.failed()) return std::nullopt;
  // What is multiplied by the scale first is packed.
  query.layout.strides = preserved_strides(query.layout), key.layout.strides = preserved_strides(key.layout);
  key.layout = transpose(key.layout, key.layout.rank() - 1, key.layout.rank() - 2);
  const auto scores = matmul_sizes(call.about("key"), query, key);
  if (!scores) return std::nullopt;
  if (one.mask) {
    const auto joined = broadcast_sizes(call.about("attn_mask"), *scores, one.mask->layout.sizes);
    if (!joined) return std::nullopt;
    if (*joined != *scores) {
      call.about("attn_mask")
          .fail("RuntimeError",
                {"output with shape ", list_text(*scores), " doesn't match the broadcast shape ", list_text(*joined)},
                Msg::write_value_shape, {to_string(one.mask->layout.sizes), to_string(*scores)});
      return std::nullopt;
    }
  }
  if (one.dropout > 1) {
    call.about("dropout_p")
        .fail("RuntimeError", {"dropout probability has to be between 0 and 1, but got ", general(one.dropout)},
              Msg::dropout_range, {general(one.dropout)});
    return std::nullopt;
  }
  Tensor shares = query;
  shares.layout = contiguous(*scores);
  return matmul_sizes(call.about("value"), shares, value);
}

bool check_attention(Call& call, const Attention& one) {
  const Tensor &q = one.query, &k = one.key, &v = one.value;
  if (q.dtype != k.dtype || q.dtype != v.dtype)
    return call.fail("RuntimeError",
                     {"Expected query, key, and value to have the same dtype, but got query.dtype: ", cpp_name(q.dtype),
                      " key.dtype: ", cpp_name(k.dtype), " and value.dtype: ", cpp_name(v.dtype), " instead."},
                     Msg::dtypes_differ, {name(q.dtype), name(q.dtype == k.dtype ? v.dtype : k.dtype)}),
           false;
  const int least = std::min({q.layout.rank(), k.layout.rank(), v.layout.rank()});
  if (least < 2)
    return call.fail("RuntimeError",
                     {"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ",
                      q.layout.rank(), " key.dim: ", k.layout.rank(), " and value.dim: ", v.layout.rank(), " instead."},
                     Msg::needs_rank, {2, least}),
           false;
  if (one.mask && one.mask->dtype != DType::boolean && one.mask->dtype != q.dtype && one.mask->dtype != DType::float32)
    return call.about("attn_mask")
               .fail("RuntimeError",
                     {"Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ",
                      cpp_name(one.mask->dtype), " and  query.dtype: ", cpp_name(q.dtype), " instead."},
                     Msg::dtypes_differ, {name(one.mask->dtype), name(q.dtype)}),
           false;
  if (!is_floating(q.dtype) || (one.mask && one.mask->dtype != DType::boolean && one.mask->dtype != q.dtype))
    return call.refuse(Msg::not_modelled,
                       {"PyTorch", std::string(layer_name(call)) + "(" + std::string(name(q.dtype)) + ")"}),
           false;
  return true;
}

Value attention_row(Call& call) {
  Attention one{call.self(), *call.tensor("key")->tensor, *call.tensor("value")->tensor, nullptr, false, false, 0};
  if (call.given("attn_mask")) one.mask = call.tensor("attn_mask")->tensor.get();
  one.causal = call.boolean("is_causal");
  one.grouped = call.boolean("enable_gqa");
  one.dropout = call.real("dropout_p");
  if (!check_attention(call, one)) return {};
  const Dims &q = one.query.layout.sizes, &k = one.key.layout.sizes, &v = one.value.layout.sizes;
  const int64_t places = q[q.size() - 2], width = q.back(), keys = k[k.size() - 2], depth = v.back();
  const bool fused = is_fused(call, one);
  if (call.failed()) return {};
  if (one.causal && one.mask && !fused)
    return call.about("attn_mask")
        .fail("RuntimeError", "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
              Msg::attention_causal);
  if (width == 0 && depth == 0) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (fused && keys != v[v.size() - 2]) return call.about("value").refuse(Msg::attention_keys, {keys, v[v.size() - 2]});
  const auto attended = attended_sizes(call, one);
  if (!attended) return {};
  if (fused && one.dropout != 0)
    return call.about("dropout_p")
        .fail("RuntimeError", "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0",
              Msg::dropout_range, {general(one.dropout)});
  const Dims& sizes = *attended;
  const std::optional<Dims> leading = leading_sizes(sizes);
  const int64_t together = numel(*leading).value_or(INT64_MAX);
  const DType dtype = one.query.dtype;
  Layout layout = fresh_layout(call, sizes, dtype);
  if (call.failed()) return {};
  call.why(Msg::attention_headline, {places, keys, to_string(sizes)});
  if (fused) {
    layout.strides = preserved_strides(one.query.layout);
    call.why(Msg::attention_fused, {to_string(layout.strides), to_string(one.query.layout.strides)});
  } else {
    call.why(Msg::attention_products, {to_string(layout.strides)});
  }
  const double scale = call.given("scale") ? call.real("scale") : 1 / std::sqrt(static_cast<double>(width));
  const int64_t work = times({together, places, keys, std::max<int64_t>(1, width) + std::max<int64_t>(1, depth)});
  if (one.dropout > 0) {
    call.why(Msg::random_values);
    return call.fresh(dtype, layout, random_contents(Distribution::uniform, call.seed(), dtype, *numel(sizes)));
  }
  const auto read = [&](const Tensor& tensor, int64_t rows, int64_t columns, bool repeats) {
    Tensor seen = tensor;
    Dims whole = *leading;
    whole.push_back(rows), whole.push_back(columns);
    if (repeats && one.grouped) {
      // Each head of the keys serves as many heads of the query, one after the other.
      const int d = tensor.layout.rank() - 3;
      const int64_t heads = tensor.layout.sizes[d], each = whole[whole.size() - 3] / heads;
      seen.layout = insert_dim(seen.layout, d + 1, 0);
      seen.layout.sizes[d + 1] = each;
      Dims split = whole;
      split[split.size() - 3] = heads;
      split.insert(split.size() - 2, each);
      seen.layout = expand(seen.layout, split);
    } else {
      seen.layout = expand(seen.layout, whole);
    }
    return doubles_of(call, seen);
  };
  return reckoned(call, dtype, layout, work, [&] {
    const std::vector<double> a = read(one.query, places, width, false), b = read(one.key, keys, width, true),
                              c = read(one.value, keys, depth, true);
    const std::vector<double> mask = one.mask ? read(*one.mask, places, keys, false) : std::vector<double>();
    std::vector<double> values;
    if (call.failed()) return values;
    const auto at = [](const std::vector<double>& all, int64_t i) { return all[static_cast<size_t>(i)]; };
    for (int64_t row = 0; row < together * places; ++row) {
      const int64_t batch = row / places;
      std::vector<double> share;
      double most = -INFINITY, sum = 0;
      for (int64_t j = 0; j < keys; ++j) {
        double score = 0;
        for (int64_t e = 0; e < width; ++e) score += at(a, row * width + e) * at(b, (batch * keys + j) * width + e);
        score *= width == 0 ? 1 : scale;
        if (one.causal && j > row % places) score = -INFINITY;
        if (one.mask && one.mask->dtype == DType::boolean)
          score = at(mask, row * keys + j) != 0 ? score : -INFINITY;
        else if (one.mask)
          score += at(mask, row * keys + j);
        share.push_back(score);
        most = std::max(most, score);
      }
      for (double& one_share : share) sum += one_share = most == -INFINITY ? 0 : std::exp(one_share - most);
      for (int64_t e = 0; e < depth; ++e) {
        double value = 0;
        for (int64_t j = 0; j < keys && sum > 0; ++j)
          value += at(share, j) / sum * at(c, (batch * keys + j) * depth + e);
        values.push_back(value);
      }
    }
    return values;
  });
}

}  // namespace

std::span<const Op> torch_attention_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.nn.functional.scaled_dot_product_attention(query: tensor, key: tensor, value: tensor, attn_mask: tensor "
       "= None, dropout_p: float = 0.0, is_causal: bool = False, scale: float = None, enable_gqa: bool = False)",
       Msg::op_attention, "y = softmax(query @ key.mT / sqrt(width) + mask) @ value; strides in the query's order",
       "import torch.nn.functional as F\nx = torch.ones(1, 4, 2, 3).transpose(1, 2)\n"
       "y = F.scaled_dot_product_attention(x, x, x)",
       attention_row},
  };
  return rows;
}

}  // namespace stridescope
