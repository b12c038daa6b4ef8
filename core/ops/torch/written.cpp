// Functions that PyTorch makes of its other ones: their lines are in written.inc.
#include "ops/rows.h"

namespace stridescope {

std::span<const Op> torch_written_rows() {
#define LINES "input: tensor, n: int = None, dim: int = -1, norm: str = None"
#define TWO "input: tensor, s: int | ints = None, dim: int | ints = (-2, -1), norm: str = None"
#define ALL "input: tensor, s: int | ints = None, dim: int | ints = None, norm: str = None"
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
#define BY_SPACE "(y: tensor, *, dx: number = 1, dim: int = -1)"
#define BY_PLACES "(y: tensor, x: tensor, *, dim: int = -1)"
#define QUANTILES(name)                                                                                 \
  "torch." name                                                                                         \
  "(input: tensor, q: tensor | float, dim: int = None, keepdim: bool = False, *, interpolation: str = " \
  "'linear')\nx." name "(q: tensor | float, dim: int = None, keepdim: bool = False, *, interpolation: str = 'linear')"
#define LARGEST "x = torch.arange(6.).view(2, 3)\n"
  static constexpr Op rows[] = {
      {Library::torch, "torch.fft.fft(" LINES ")", Msg::op_fourier,
       "y[k] = sum of x[j] * exp(-2j * pi * j * k / n) along dim; packed", "x = torch.arange(4.)\ny = torch.fft.fft(x)",
       nullptr},
      {Library::torch, "torch.fft.ifft(" LINES ")", Msg::op_fourier,
       "what fft was given; of real numbers a view that reads conjugates",
       "x = torch.arange(4.)\ny = torch.fft.ifft(x)", nullptr},
      {Library::torch, "torch.fft.rfft(" LINES ")", Msg::op_fourier,
       "the first n // 2 + 1 of the numbers that fft gives", "x = torch.arange(4.)\ny = torch.fft.rfft(x)", nullptr},
      {Library::torch, "torch.fft.ihfft(" LINES ")", Msg::op_fourier,
       "what hfft was given: a view that reads conjugates", "x = torch.arange(4.)\ny = torch.fft.ihfft(x)", nullptr},
      {Library::torch, "torch.fft.irfft(" LINES ")\ntorch.fft.hfft(" LINES ")", Msg::op_fourier,
       "n real numbers, 2 * (size - 1) if n is not given", "x = torch.arange(4.)\ny = torch.fft.irfft(x)", nullptr},
      {Library::torch, "torch.fft.fftn(" ALL ")\ntorch.fft.ifftn(" ALL ")", Msg::op_fourier,
       "fft along several dimensions; packed", LARGEST "y = torch.fft.fftn(x)", nullptr},
      {Library::torch, "torch.fft.fft2(" TWO ")\ntorch.fft.ifft2(" TWO ")", Msg::op_fourier,
       "fft along two dimensions; packed", LARGEST "y = torch.fft.fft2(x)", nullptr},
      {Library::torch, "torch.fft.rfftn(" ALL ")", Msg::op_fourier,
       "rfft along the last dimension, fft along the others", LARGEST "y = torch.fft.rfftn(x)", nullptr},
      {Library::torch, "torch.fft.rfft2(" TWO ")", Msg::op_fourier,
       "rfft along the last dimension, fft along the other", LARGEST "y = torch.fft.rfft2(x)", nullptr},
      {Library::torch, "torch.fft.irfftn(" ALL ")", Msg::op_fourier, "ifft, and along the last dimension irfft",
       LARGEST "y = torch.fft.irfftn(x)", nullptr},
      {Library::torch, "torch.fft.hfftn(" ALL ")", Msg::op_fourier, "as irfftn, of the conjugate",
       LARGEST "y = torch.fft.hfftn(x)", nullptr},
      {Library::torch, "torch.fft.hfft2(" TWO ")", Msg::op_fourier, "as irfft2, of the conjugate",
       LARGEST "y = torch.fft.hfft2(x)", nullptr},
      {Library::torch, "torch.fft.ihfftn(" ALL ")", Msg::op_fourier, "the conjugate of rfftn",
       LARGEST "y = torch.fft.ihfftn(x)", nullptr},
      {Library::torch, "torch.fft.ihfft2(" TWO ")", Msg::op_fourier, "the conjugate of rfft2",
       LARGEST "y = torch.fft.ihfft2(x)", nullptr},
      {Library::torch, "torch.fft.irfft2(" TWO ")", Msg::op_fourier, "ifft, and along the last dimension irfft",
       LARGEST "y = torch.fft.irfft2(x)", nullptr},
      {Library::torch, "torch.fft.fftshift(input: tensor, dim: int | ints = None)", Msg::op_roll,
       "roll(x, size // 2) along each dimension", "x = torch.arange(5)\ny = torch.fft.fftshift(x)", nullptr},
      {Library::torch, "torch.fft.ifftshift(input: tensor, dim: int | ints = None)", Msg::op_roll,
       "roll(x, (size + 1) // 2) along each dimension", "x = torch.arange(5)\ny = torch.fft.ifftshift(x)", nullptr},
      {Library::torch, "torch.fft.fftfreq(n: int, d: float = 1.0, *, " OPTIONS ")", Msg::op_frequencies,
       "[0, 1, .., -2, -1] / (n * d)", "y = torch.fft.fftfreq(4)", nullptr},
      {Library::torch, "torch.fft.rfftfreq(n: int, d: float = 1.0, *, " OPTIONS ")", Msg::op_frequencies,
       "[0, 1, .., n // 2] / (n * d)", "y = torch.fft.rfftfreq(4)", nullptr},

      {Library::torch, "torch.hann_window(window_length: int, periodic: bool = True, *, " OPTIONS ")", Msg::op_window,
       "0.5 - 0.5 * cos(2 * pi * i / n); periodic ones lie in a storage of one element more",
       "w = torch.hann_window(5)", nullptr},
      {Library::torch,
       "torch.hamming_window(window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, "
       "*, " OPTIONS ")",
       Msg::op_window, "alpha - beta * cos(2 * pi * i / n); periodic ones lie in a storage of one element more",
       "w = torch.hamming_window(5)", nullptr},
      {Library::torch, "torch.blackman_window(window_length: int, periodic: bool = True, *, " OPTIONS ")",
       Msg::op_window, "0.42 - 0.5 * cos(2 * pi * i / n) + 0.08 * cos(4 * pi * i / n)", "w = torch.blackman_window(5)",
       nullptr},
      {Library::torch, "torch.bartlett_window(window_length: int, periodic: bool = True, *, " OPTIONS ")",
       Msg::op_window, "1 - |2 * i / n - 1|", "w = torch.bartlett_window(5)", nullptr},
      {Library::torch,
       "torch.kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, " OPTIONS ")",
       Msg::op_window, "i0(beta * sqrt(1 - (2 * i / n - 1) ** 2)) / i0(beta)", "w = torch.kaiser_window(5)", nullptr},
      {Library::torch,
       "torch.logspace(start: number | tensor, end: number | tensor, steps: int, base: float = 10.0, *, " OPTIONS ")",
       Msg::op_np_logspace, "base ** linspace(start, end, steps)", "x = torch.logspace(0, 2, 3)", nullptr},
      {Library::torch, "torch.range(start: number, end: number, step: number = 1, *, " OPTIONS ")", Msg::op_arange,
       "start + i * step, while not past end; deprecated", "x = torch.range(1, 4)", nullptr},

      {Library::torch,
       "torch.cov(input: tensor, *, correction: int = 1, fweights: tensor = None, aweights: tensor = None)\n"
       "x.cov(*, correction: int = 1, fweights: tensor = None, aweights: tensor = None)",
       Msg::op_cov, "(X - mean) @ (X - mean).T / (n - correction), each row of X a variable",
       "x = torch.tensor([[0., 1, 2], [2, 1, 0]])\ny = torch.cov(x)", nullptr},
      {Library::torch, "torch.corrcoef(input: tensor)\nx.corrcoef()", Msg::op_cov,
       "cov(x) over the roots of its diagonal, from the left and from above",
       "x = torch.tensor([[0., 1, 2], [2, 1, 0]])\ny = torch.corrcoef(x)", nullptr},
      {Library::torch, "torch.trapezoid" BY_SPACE, Msg::op_np_trapezoid,
       "the sum of (y[1:] + y[:-1]) * dx / 2 along dim; dx = x[1:] - x[:-1] where x is given",
       "y = torch.trapezoid(torch.tensor([1., 2, 4]))", nullptr},
      {Library::torch, "torch.trapz(y: tensor, *, dx: float = 1, dim: int = -1)", Msg::op_np_trapezoid,
       "the sum of (y[1:] + y[:-1]) * dx / 2 along dim; dx = x[1:] - x[:-1] where x is given",
       "y = torch.trapz(torch.tensor([1., 2, 4]))", nullptr},
      {Library::torch, "torch.trapezoid" BY_PLACES "\ntorch.trapz" BY_PLACES, Msg::op_np_trapezoid,
       "the sum of (y[1:] + y[:-1]) * dx / 2 along dim; dx = x[1:] - x[:-1] where x is given",
       "x = torch.tensor([1., 2, 4])\ny = torch.trapezoid(x, x)", nullptr},
      {Library::torch, "torch.cumulative_trapezoid" BY_SPACE, Msg::op_np_trapezoid,
       "the sums of (y[1:] + y[:-1]) * dx / 2 up to each along dim; dx = x[1:] - x[:-1] where x is given",
       "y = torch.cumulative_trapezoid(torch.tensor([1., 2, 4]))", nullptr},
      {Library::torch, "torch.cumulative_trapezoid" BY_PLACES, Msg::op_np_trapezoid,
       "the sums of (y[1:] + y[:-1]) * dx / 2 up to each along dim; dx = x[1:] - x[:-1] where x is given",
       "x = torch.tensor([1., 2, 4])\ny = torch.cumulative_trapezoid(x, x)", nullptr},
      {Library::torch, "torch.vander(x: tensor, N: int = None, increasing: bool = False)", Msg::op_np_vander,
       "y[i, j] = x[i] ** (N - 1 - j)", "y = torch.vander(torch.tensor([1, 2, 3]))", nullptr},
      {Library::torch, "torch.linalg.vander(x: tensor, *, N: int = None)", Msg::op_np_vander,
       "y[.., i, j] = x[.., i] ** j", "y = torch.linalg.vander(torch.tensor([1, 2, 3]))", nullptr},
      {Library::torch, "torch.chain_matmul(*matrices: tensor = ())", Msg::op_matmul,
       "the product of a chain of matrices, in the cheapest order",
       "x = torch.ones(2, 3)\ny = torch.chain_matmul(x, x.t())", nullptr},
      {Library::torch, QUANTILES("quantile") "\n" QUANTILES("nanquantile"), Msg::op_np_quantile,
       "the element at q * (n - 1) of those in order, between two of them by `interpolation`; nanquantile leaves out "
       "NaN",
       "x = torch.arange(5.)\ny = torch.quantile(x, 0.3)", nullptr},
      {Library::torch,
       "torch.cdist(x1: tensor, x2: tensor, p: float = 2.0, compute_mode: any = 'use_mm_for_euclid_dist_if_necessary')",
       Msg::op_distance, "y[.., i, j] = norm(x1[.., i] - x2[.., j], p)", LARGEST "y = torch.cdist(x, x)", nullptr},
      {Library::torch,
       "torch.pdist(input: tensor, p: float = 2.0)\ntorch.nn.functional.pdist(input: tensor, p: float = 2.0)",
       Msg::op_distance, "norm(x[i] - x[j], p) for i < j", LARGEST "y = torch.pdist(x)", nullptr},
      {Library::torch,
       "torch.addr(input: tensor, vec1: tensor, vec2: tensor, *, beta: number = 1, alpha: number = 1)\n"
       "x.addr(vec1: tensor, vec2: tensor, *, beta: number = 1, alpha: number = 1)",
       Msg::op_addmm, "y[i, j] = beta * input[i, j] + alpha * vec1[i] * vec2[j]; input broadcast",
       "x = torch.arange(3.)\ny = torch.addr(torch.ones(3), x, x)", nullptr},
      {Library::torch, "x.addr_(vec1: tensor, vec2: tensor, *, beta: number = 1, alpha: number = 1)", Msg::op_in_place,
       "x[i, j] = beta * x[i, j] + alpha * vec1[i] * vec2[j]",
       "x = torch.ones(3, 3)\nx.addr_(torch.ones(3), torch.ones(3))", nullptr},
      {Library::torch,
       "torch.addbmm(input: tensor, batch1: tensor, batch2: tensor, *, beta: number = 1, alpha: number = 1)\n"
       "x.addbmm(batch1: tensor, batch2: tensor, *, beta: number = 1, alpha: number = 1)\n"
       "x.addbmm_(batch1: tensor, batch2: tensor, *, beta: number = 1, alpha: number = 1)",
       Msg::op_addmm, "y = beta * input + alpha * (the sum of all batch1[k] @ batch2[k]); input broadcast",
       "x = torch.ones(2, 3, 3)\ny = torch.addbmm(torch.ones(3), x, x)", nullptr},
      {Library::torch,
       "torch.renorm(input: tensor, p: number, dim: int, maxnorm: number)\nx.renorm(p: number, dim: int, maxnorm: "
       "number)\n"
       "x.renorm_(p: number, dim: int, maxnorm: number)",
       Msg::op_norm, "what lies at each place along dim is scaled down to maxnorm where its norm is more",
       LARGEST "y = torch.renorm(x, 2, 0, 1.)", nullptr},
      {Library::torch,
       "torch.nonzero_static(input: tensor, *, size: int, fill_value: int = -1)\nx.nonzero_static(*, size: int, "
       "fill_value: "
       "int = -1)",
       Msg::op_nonzero, "the first `size` rows of nonzero(), fill_value where there are fewer",
       "y = torch.nonzero_static(torch.tensor([0, 1, 2]), size=3)", nullptr},
      {Library::torch,
       "torch.histc(input: tensor, bins: int = 100, min: number = 0, max: number = 0)\nx.histc(bins: int = 100, min: "
       "number "
       "= 0, max: number = 0)",
       Msg::op_np_histogram, "how many elements lie in each of `bins` equal parts of min .. max",
       "x = torch.arange(6.)\ny = torch.histc(x, 3)", nullptr},
      {Library::torch,
       "torch.histogram(input: tensor, bins: int = 100, *, weight: tensor = None, density: bool = False, range: any = "
       "None)\n"
       "torch.histogram(input: tensor, bins: tensor, *, weight: tensor = None, density: bool = False)\n"
       "x.histogram(bins: int = 100, *, weight: tensor = None, density: bool = False, range: any = None)\n"
       "x.histogram(bins: tensor, *, weight: tensor = None, density: bool = False)",
       Msg::op_np_histogram, "(hist, bin_edges): how many elements lie between each two edges",
       "x = torch.arange(6.)\nhist, edges = torch.histogram(x, 3)", nullptr},
      {Library::torch, "torch.frexp(input: tensor)\nx.frexp()", Msg::op_unary, "(m, e): x = m * 2 ** e, 0.5 <= |m| < 1",
       "m, e = torch.frexp(torch.arange(3.))", nullptr},
      {Library::torch, "torch.logcumsumexp(input: tensor, dim: int)\nx.logcumsumexp(dim: int)", Msg::op_running,
       "y[i] = log(exp(x[0]) + .. + exp(x[i])) along dim", "x = torch.arange(3.)\ny = torch.logcumsumexp(x, 0)",
       nullptr},
      {Library::torch,
       "torch.linalg.matrix_norm(input: tensor, ord: str | number = 'fro', dim: ints = (-2, -1), keepdim: bool = "
       "False, *, dtype: "
       "dtype = None)",
       Msg::op_length, "norms of matrices: of all elements, of sums of rows or columns, or of singular values",
       LARGEST "y = torch.linalg.matrix_norm(x)", nullptr},
      {Library::torch, "torch.linalg.cond(input: tensor, p: str | number = None)", Msg::op_condition,
       "the largest singular value over the smallest; else norm(x, p) * norm(inv(x), p)",
       "y = torch.linalg.cond(torch.eye(3))", nullptr},
      {Library::torch, "torch.linalg.tensorinv(input: tensor, ind: int = 2)", Msg::op_inverse,
       "inv of A seen as a matrix, its first ind dimensions the rows",
       "x = torch.eye(6).view(2, 3, 6)\ny = torch.linalg.tensorinv(x)", nullptr},
      {Library::torch, "torch.linalg.tensorsolve(input: tensor, other: tensor, dims: ints = None)", Msg::op_solve,
       "tensordot(A, y, y.ndim) == B",
       "x = torch.eye(6).view(2, 3, 6)\ny = torch.linalg.tensorsolve(x, torch.ones(2, 3))", nullptr},
      {Library::torch,
       "torch.gradient(input: tensor, *, spacing: any = None, dim: int | ints = None, edge_order: int = 1)",
       Msg::op_np_gradient, "(x[2:] - x[:-2]) / (2 * spacing) along each dimension, one-sided at the ends: a tuple",
       "x = torch.tensor([1., 2, 4])\ny = torch.gradient(x)", nullptr},
      {Library::torch, "torch.ldexp(input: tensor, other: tensor)\nx.ldexp(other: tensor)", Msg::op_arithmetic,
       "y[i] = x[i] * 2 ** other[i]", "y = torch.ldexp(torch.arange(3.), torch.tensor(2))", nullptr},
      {Library::torch, "x.ldexp_(other: tensor)\ntorch.ldexp_(input: tensor, other: tensor)", Msg::op_in_place,
       "x[i] = x[i] * 2 ** other[i]", "x = torch.arange(3.)\nx.ldexp_(torch.tensor(2))", nullptr},
      {Library::torch, "torch.rsub(input: tensor, other: tensor | number, *, alpha: number = 1)", Msg::op_arithmetic,
       "y[i] = other[i] - alpha * x[i]", "x = torch.arange(3.)\ny = torch.rsub(x, 1)", nullptr},
      {Library::torch, "torch.fill(input: tensor, value: number | tensor)", Msg::op_fill,
       "a copy, every element of it value", "x = torch.arange(3.)\ny = torch.fill(x, 7)", nullptr},
      {Library::torch,
       "torch.svd(input: tensor, some: bool = True, compute_uv: bool = True)\nx.svd(some: bool = True, compute_uv: "
       "bool = True)",
       Msg::op_svd, "x = U @ diag(S) @ V.mH", "x = torch.ones(4, 3)\nu, s, v = torch.svd(x)", nullptr},
      {Library::torch, "x.share_memory_()", Msg::op_cpu, "", "x = torch.arange(3)\nx.share_memory_()", nullptr},
      {Library::torch, "torch.kl_div(input, target, reduction=0, *, log_target=False)", Msg::op_loss,
       "y[i] = target[i] * (log(target[i]) - x[i])", "y = torch.kl_div(torch.zeros(2), torch.ones(2))", nullptr},
      {Library::torch, "torch.embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False)",
       Msg::op_embedding, "y[.., :] = weight[indices[..], :]; a packed copy",
       "y = torch.embedding(torch.arange(6.).view(3, 2), torch.tensor([2, 0]))", nullptr},
      {Library::torch,
       "torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)",
       Msg::op_norm, "F.batch_norm, its arguments in another order",
       "y = torch.batch_norm(torch.arange(6.).view(2, 3), None, None, None, None, True, 0.1, 1e-5, False)", nullptr},
      {Library::torch,
       "torch.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, "
       "cudnn_enabled)",
       Msg::op_norm, "F.instance_norm, its arguments in another order",
       "y = torch.instance_norm(torch.arange(6.).view(1, 2, 3), None, None, None, None, True, 0.1, 1e-5, False)",
       nullptr},
      {Library::torch,
       "torch.nn.utils.rnn.pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side='right')",
       Msg::op_pad_sequence, "y[t, b] = sequences[b][t], padding behind its end; y[b, t] with batch_first; contiguous",
       "x = [torch.ones(2), torch.ones(3)]\ny = torch.nn.utils.rnn.pad_sequence(x)", nullptr},
      {Library::torch, "torch.nn.utils.rnn.unpad_sequence(padded_sequences, lengths, batch_first=False)",
       Msg::op_pad_sequence,
       "[x[:n, b] for b, n in enumerate(lengths)], as copies; without batch_first x is transposed",
       "x = torch.ones(2, 3)\ny = torch.nn.utils.rnn.unpad_sequence(x, torch.tensor([2, 3]), batch_first=True)",
       nullptr},
      {Library::torch, "torch.nn.utils.parameters_to_vector(parameters)", Msg::op_parameters_vector,
       "cat([p.view(-1) for p in parameters]): no p may need a copy to be viewed so",
       "import torch.nn as nn\ny = nn.utils.parameters_to_vector(nn.Linear(2, 3).parameters())", nullptr},
      {Library::torch, "torch.nn.utils.vector_to_parameters(vec, parameters)", Msg::op_parameters_vector,
       "p.data = vec[i:i + p.numel()].view_as(p).data: all parameters on the memory of vec",
       "import torch.nn as nn\nx, lin = torch.arange(9.), nn.Linear(2, 3)\n"
       "nn.utils.vector_to_parameters(x, lin.parameters())",
       nullptr},
      {Library::torch,
       "torch.testing.assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, "
       "check_device=True, check_dtype=True, check_layout=True, check_stride=False, msg=None)",
       Msg::op_testing, "|actual - expected| <= atol + rtol * |expected|, which follow from the dtype; as many sizes",
       "x = torch.ones(2, 3)\ntorch.testing.assert_close(x, x + 1e-6)", nullptr},
  };
#undef LINES
#undef TWO
#undef ALL
#undef OPTIONS
#undef BY_SPACE
#undef BY_PLACES
#undef QUANTILES
#undef LARGEST
  return rows;
}

}  // namespace stridescope
