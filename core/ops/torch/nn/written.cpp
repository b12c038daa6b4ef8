// Functions of torch.nn.functional that PyTorch writes in Python, out of others: their lines are in written.inc.
#include "ops/rows.h"

namespace stridescope {

std::span<const Op> torch_nn_written_rows() {
#define F "torch.nn.functional."
#define ROW(name, parameters, summary, law, arguments)                            \
  {                                                                               \
    Library::torch, F name "(" parameters ")", summary, law,                      \
        "import torch.nn.functional as F\ny = F." name "(" arguments ")", nullptr \
  }
#define OLDER ", size_average=None, reduce=None, reduction='mean'"
#define PAIR "torch.ones(2, 3), torch.arange(6.).view(2, 3)"
#define SIGNS "torch.tensor([1., -1.])"
#define IMAGE "torch.ones(1, 1, 4, 4)"
  static constexpr Op rows[] = {
      ROW("margin_ranking_loss", "input1, input2, target, margin=0" OLDER, Msg::op_loss,
          "most of 0 and margin - target * (x1 - x2)", "torch.ones(2), torch.arange(2.), " SIGNS),
      ROW("hinge_embedding_loss", "input, target, margin=1.0" OLDER, Msg::op_loss,
          "x[i] where target[i] is 1, most of 0 and margin - x[i] where it is -1", "torch.arange(2.), " SIGNS),
      ROW("soft_margin_loss", "input, target" OLDER, Msg::op_loss, "log(1 + exp(-target * x))",
          "torch.arange(2.), " SIGNS),
      ROW("cosine_embedding_loss", "input1, input2, target, margin=0" OLDER, Msg::op_loss,
          "1 - cos(x1, x2) where the target is 1, most of 0 and cos(x1, x2) - margin where it is -1", PAIR ", " SIGNS),
      ROW("triplet_margin_loss", "anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False" OLDER,
          Msg::op_loss, "most of 0 and margin + |anchor - positive| - |anchor - negative|", PAIR ", torch.zeros(2, 3)"),
      ROW("triplet_margin_with_distance_loss",
          "anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction='mean'",
          Msg::op_loss, "most of 0 and margin + d(anchor, positive) - d(anchor, negative)", PAIR ", torch.zeros(2, 3)"),
      ROW("poisson_nll_loss",
          "input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean'",
          Msg::op_loss, "exp(x) - target * x", PAIR),
      ROW("gaussian_nll_loss", "input, target, var, full=False, eps=1e-06, reduction='mean'", Msg::op_loss,
          "(log(var) + (x - target) ** 2 / var) / 2", PAIR ", torch.ones(2, 3)"),
      ROW("multilabel_soft_margin_loss", "input, target, weight=None" OLDER, Msg::op_loss,
          "-mean of target * log(s(x)) + (1 - target) * log(s(-x)), s = sigmoid", PAIR),
      ROW("multi_margin_loss", "input, target, p=1, margin=1.0, weight=None" OLDER, Msg::op_class_loss,
          "mean of (most of 0 and margin - x[target] + x[i]) ** p over all other i",
          "torch.arange(6.).view(2, 3), torch.tensor([0, 2])"),
      ROW("multilabel_margin_loss", "input, target" OLDER, Msg::op_class_loss,
          "sum of most of 0 and 1 - x[j] + x[i], for j in the target up to its first -1 and all other i, over their "
          "number",
          "torch.arange(6.).view(2, 3), torch.tensor([[0, -1, 1], [2, 1, -1]])"),
      ROW("ctc_loss",
          "log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean', zero_infinity=False",
          Msg::op_class_loss, "-log of the sum of exp(x) along all ways to align the targets with the steps",
          "torch.zeros(4, 1, 3), torch.tensor([[1, 2]]), torch.tensor([4]), torch.tensor([2])"),
      ROW("bilinear", "input1, input2, weight, bias=None", Msg::op_linear,
          "y[.., o] = x1[.., :] @ weight[o] @ x2[.., :] + bias[o]; contiguous",
          "torch.ones(2, 3), torch.ones(2, 4), torch.ones(5, 3, 4)"),
      ROW("embedding_bag",
          "input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', "
          "sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None",
          Msg::op_embedding, "y[i] = mean of weight[input[i]]; bags of 1-D input begin at the offsets",
          "torch.tensor([[2, 0]]), torch.arange(6.).view(3, 2)"),
      ROW("grid_sample", "input, grid, mode='bilinear', padding_mode='zeros', align_corners=None", Msg::op_interpolate,
          "y[n, c, i, j] = x[n, c] at grid[n, i, j], coordinates from -1 to 1; contiguous",
          IMAGE ", torch.zeros(1, 2, 3, 2), align_corners=False"),
      ROW("dropout1d", "input, p=0.5, training=True, inplace=False", Msg::op_dropout,
          "y[n, c] = x[n, c] / (1 - p), or 0 with the chance p", "torch.ones(1, 4, 3)"),
      ROW("dropout2d", "input, p=0.5, training=True, inplace=False", Msg::op_dropout,
          "y[n, c] = x[n, c] / (1 - p), or 0 with the chance p", "torch.ones(1, 4, 2, 2)"),
      ROW("dropout3d", "input, p=0.5, training=True, inplace=False", Msg::op_dropout,
          "y[n, c] = x[n, c] / (1 - p), or 0 with the chance p", "torch.ones(1, 4, 1, 2, 2)"),
      ROW("alpha_dropout", "input, p=0.5, training=False, inplace=False", Msg::op_dropout,
          "elements set to -1.7581 by chance, all moved so that mean and variance stay",
          "torch.ones(4), training=True"),
      ROW("feature_alpha_dropout", "input, p=0.5, training=False, inplace=False", Msg::op_dropout,
          "channels set to -1.7581 by chance, all moved so that mean and variance stay",
          "torch.ones(1, 4, 2), training=True"),
      ROW("gumbel_softmax", "logits, tau=1, hard=False, eps=1e-10, dim=-1", Msg::op_softmax,
          "y = softmax((x - log(-log(u))) / tau), u random", "torch.arange(6.).view(2, 3)"),
      ROW("rrelu", "input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False", Msg::op_unary,
          "y[i] = x[i] if x[i] > 0 else x[i] * (lower + upper) / 2, or a random slope while training; contiguous",
          "torch.arange(-3., 3.)"),
      ROW("instance_norm",
          "input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, "
          "eps=1e-05",
          Msg::op_norm, "y[n, c] = (x[n, c] - mean) / sqrt(var + eps), of each channel of each image; contiguous",
          "torch.arange(16.).view(1, 2, 2, 4)"),
      ROW("local_response_norm", "input, size, alpha=0.0001, beta=0.75, k=1.0", Msg::op_norm,
          "y[c] = x[c] / (k + alpha * mean of x ** 2 in size channels around c) ** beta",
          "torch.arange(16.).view(1, 4, 2, 2), 2"),
      ROW("lp_pool1d", "input, norm_type, kernel_size, stride=None, ceil_mode=False", Msg::op_pool,
          "y[.., i] = (sum of x ** norm_type in window i) ** (1 / norm_type)", "torch.arange(8.).view(2, 4), 2, 2"),
      ROW("lp_pool2d", "input, norm_type, kernel_size, stride=None, ceil_mode=False", Msg::op_pool,
          "y[.., i, j] = (sum of x ** norm_type in window (i, j)) ** (1 / norm_type)", IMAGE ", 2, 2"),
      ROW("lp_pool3d", "input, norm_type, kernel_size, stride=None, ceil_mode=False", Msg::op_pool,
          "y[.., i, j, k] = (sum of x ** norm_type in window (i, j, k)) ** (1 / norm_type)",
          "torch.arange(16.).view(1, 4, 2, 2), 2, 2"),
      ROW("affine_grid", "theta, size, align_corners=None", Msg::op_grid,
          "y[n, i, j] = theta[n] @ (x of column j, y of row i, 1), from -1 to 1",
          "torch.tensor([[[1., 0, 0], [0, 1, 0]]]), (1, 1, 2, 2), align_corners=False"),
      ROW("multi_head_attention_forward",
          "query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, "
          "add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, "
          "need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, "
          "v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True, is_causal=False",
          Msg::op_attention, "y = out(softmax(q @ k.mT / sqrt(width)) @ v) of each head, side by side",
          "torch.ones(4, 1, 2), torch.ones(3, 1, 2), torch.ones(3, 1, 2), 2, 1, torch.ones(6, 2), None, None, None, "
          "False, 0., torch.ones(2, 2), None"),
  };
#undef F
#undef ROW
#undef OLDER
#undef PAIR
#undef SIGNS
#undef IMAGE
  return rows;
}

}  // namespace stridescope
