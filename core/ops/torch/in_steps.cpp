// Functions that PyTorch makes of its other ones: what each of them does, in the same order.
#include "ops/rows.h"

namespace stridescope {

std::span<const Op> torch_step_rows() {
// Transforms: what becomes of dtypes, what is checked of `n` and `norm`.
#define FLOATS                                                                                                        \
  " t = input.dtype\n if t in (torch.float16, torch.bfloat16):\n  raise RuntimeError(f'Unsupported dtype "            \
  "{named[str(input.dtype)]}')\n if not (t.is_floating_point or t.is_complex):\n  t = torch.get_default_dtype()\n c " \
  "= "                                                                                                                \
  "torch.complex128 if t in (torch.float64, torch.complex128) else torch.complex64\n r = "                            \
  "torch.float64 if c == torch.complex128 else torch.float32\n"
#define CHECK_POINTS " if n < 1:\n  raise RuntimeError(f'Invalid number of data points ({n}) specified')\n"
#define CHECK_NORM                                                                                               \
  " if norm not in (None, 'backward', 'forward', 'ortho'):\n  raise RuntimeError(f'Invalid normalization mode: " \
  "\"{norm}\"')\n"
#define REAL(function)                                        \
  " if input.is_complex():\n  raise RuntimeError(f'" function \
  " expects a real input tensor, but got {named[str(input.dtype)]}')\n"
#define LINE(checks, points, made, dtype, rest)                                                        \
  "?" checks FLOATS " m = input.size(dim)\n if n is None:\n  n = " points "\n" CHECK_POINTS CHECK_NORM \
  " s = list(input.shape)\n s[dim] = " made "\n return torch.empty(s, dtype=" dtype ")" rest
#define LINES "input: tensor, n: int = None, dim: int = -1, norm: str = None"
#define TWO "input: tensor, s: int | ints = None, dim: int | ints = (-2, -1), norm: str = None"
#define ALL "input: tensor, s: int | ints = None, dim: int | ints = None, norm: str = None"
#define SEVERAL(function, checks, last, halves, dtype)                                                                 \
  "?" checks FLOATS                                                                                                    \
  " k = input.ndim\n s = [s] if isinstance(s, int) else s\n dim = [dim] if isinstance(dim, int) else dim\n if dim is " \
  "None:\n  dim = range(k - len(s), k) if s is not None and len(s) <= k "                                              \
  "else range(k)\n else:\n  dim = [input.stride(d) * 0 + (d % k) for d in dim]\n  "                                    \
  "for d in dim:\n   if dim.count(d) > 1:\n    raise RuntimeError('FFT dims must be unique')\n  if s is not None and " \
  "len(s) != len(dim):\n   raise RuntimeError('When given, dim and shape arguments must have the same length')\n if "  \
  "s is not None and len(s) > k:\n  raise RuntimeError(f'Got shape with {len(s)} values but input tensor only has "    \
  "{k} dimensions.')\n dim = list(dim)\n sizes = list(input.shape)\n for i, d in enumerate(dim):\n  last = i == "      \
  "len(dim) - 1\n  n = -1 if s is None else s[i]\n  if n == -1:\n   n = " last                                         \
  "\n"                                                                                                                 \
  "  if n < 1:\n   raise "                                                                                             \
  "RuntimeError(f'Invalid number of data points ({n}) specified')\n  sizes[d] = n\n" function halves CHECK_NORM        \
  " return torch.empty(sizes, dtype=" dtype ")"
#define SOME(function) " if not dim:\n  raise RuntimeError('" function " must transform at least one axis')\n"
#define HALF " sizes[dim[-1]] = sizes[dim[-1]] // 2 + 1\n"
#define TWICE "2 * (input.shape[d] - 1) if last else input.shape[d]"
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
#define FREQUENCIES(name, count, numbers)                                                                          \
  " t = torch.get_default_dtype() if dtype is None else dtype\n if not (t.is_floating_point or t.is_complex):\n  " \
  "raise RuntimeError('" name " requires a floating point or complex dtype')\n" numbers                            \
  " return y.mul_(1.0 / (n * d) if n * d else float('inf')).requires_grad_(bool(requires_grad))"
#define SHIFT(sign)                                                                                         \
  " if dim is None:\n  dim = list(range(input.ndim))\n elif isinstance(dim, int):\n  dim = [dim]\n return " \
  "torch.roll(input, [" sign "(input.size(d) // 2) for d in dim], list(dim))"
#define WINDOW(name, values)                                                                                         \
  " n = window_length\n if n < 0:\n  raise RuntimeError(f'" name                                                     \
  " requires non-negative window_length, got "                                                                       \
  "window_length={n}')\n t = torch.get_default_dtype() if dtype is None else dtype\n if not t.is_floating_point:\n " \
  " raise NotImplementedError\n g = bool(requires_grad)\n if n == 0:\n  return torch.empty(0, dtype=t, "             \
  "requires_grad=g)\n if n == 1:\n  return torch.ones(1, dtype=t, requires_grad=g)\n n = n + 1 if periodic else n\n" \
  " w = torch.arange(n, dtype=t)\n" values " return (w.narrow(0, 0, n - 1).data if periodic else w).requires_grad_(g)"
#define RAISED_COSINE(name)                                                                                           \
  WINDOW(name,                                                                                                        \
         " w.mul_(3.141592653589793 * 2. / (n - 1)).cos_().mul_(-(0.5 if beta is None else beta)).add_(0.5 if alpha " \
         "is None else alpha)\n")
#define AREA(name)                                                                                             \
  " if dx is not None:\n  if y.dtype == torch.bool:\n   raise RuntimeError('" name                             \
  ": received a bool input for `y`, "                                                                          \
  "but bool is not supported')\n  if isinstance(dx, (bool, complex)):\n   raise RuntimeError('" name           \
  ": Currently, we only support dx as a real number.')\n else:\n  if y.dtype == torch.bool or x.dtype == "     \
  "torch.bool:\n   raise RuntimeError('" name                                                                  \
  ": received a bool input for `x` or `y`, but bool is not supported')\n"                                      \
  "  k = y.ndim\n  if x.ndim == 1:\n   if len(x) != y.size(dim):\n    raise RuntimeError('" name               \
  ": There must be one `x` value for each sample point')\n   sizes = [1] * k\n   sizes[dim] = len(x)\n   x = " \
  "x.view(sizes)\n  elif x.ndim < k:\n   x = x.view([1] * (k - x.ndim) + list(x.shape))\n  b = "               \
  "torch.narrow(x, dim, min(1, x.size(dim)), max(x.size(dim) - 1, 0))\n  dx = b - torch.narrow(x, dim, 0, "    \
  "b.size(dim))\n"
/// The elements of y without the first, and without the last, along dim.
#define PAIRS                                                                                                         \
  " m = y.size(dim)\n right = torch.narrow(y, dim, min(1, m), max(m - 1, 0))\n left = torch.narrow(y, dim, 0, max(m " \
  "- 1, 0))\n"
#define TRAPEZOID(name)                                                                                         \
  " m = y.size(dim)\n if m == 0:\n  sizes = list(y.shape)\n  sizes.pop(dim)\n  return torch.zeros(sizes, "      \
  "dtype=y.dtype)\n" AREA(name) PAIRS                                                                           \
      " if isinstance(dx, torch.Tensor):\n  return ((left + right) * dx).sum(dim) / 2.\n return (y.sum(dim) - " \
      "(y.select(dim, 0) + y.select(dim, -1)) * 0.5) * float(dx)"
#define CUMULATIVE                                                                                                     \
  " if y.ndim == 0:\n  raise IndexError('slice() cannot be applied to a 0-dim tensor.')\n" AREA(                       \
      "cumulative_trapezoid") PAIRS                                                                                    \
      " if isinstance(dx, torch.Tensor):\n  return ((left + right) * dx).cumsum(dim) / 2.\n return (float(dx) / 2. * " \
      "(left + right)).cumsum(dim)"
#define BY_SPACE "(y: tensor, *, dx: number = 1, dim: int = -1)"
#define BY_PLACES "(y: tensor, x: tensor, *, dim: int = -1)"
#define QUANTILES(name)                                                                                 \
  "torch." name                                                                                         \
  "(input: tensor, q: tensor | float, dim: int = None, keepdim: bool = False, *, interpolation: str = " \
  "'linear')\nx." name "(q: tensor | float, dim: int = None, keepdim: bool = False, *, interpolation: str = 'linear')"
#define CHECK_VECTORS                                                                                                  \
  " for name, one in (('vec1', vec1), ('vec2', vec2)):\n  if one.ndim != 1:\n   raise RuntimeError(f'addr: Expected "  \
  "1-D "                                                                                                               \
  "argument {name}, but got {one.ndim}-D')\n t = torch.promote_types(torch.promote_types(input.dtype, vec1.dtype), "   \
  "vec2.dtype)\n for name, one in (('beta', beta), ('alpha', alpha)):\n  if isinstance(one, bool) and t != "           \
  "torch.bool:\n   "                                                                                                   \
  "raise RuntimeError(f'Boolean {name} only supported for Boolean results.')\n  if isinstance(one, (float, complex)) " \
  "and "                                                                                                               \
  "not (t.is_floating_point or t.is_complex):\n   raise RuntimeError(f'For integral input tensors, argument {name} "   \
  "must "                                                                                                              \
  "not be a floating point number.')\n"
#define LARGEST "x = torch.arange(6.).view(2, 3)\n"
  static constexpr Op rows[] = {
      {Library::torch, "torch.fft.fft(" LINES ")", Msg::op_fourier,
       "y[k] = sum of x[j] * exp(-2j * pi * j * k / n) along dim; packed", "x = torch.arange(4.)\ny = torch.fft.fft(x)",
       nullptr, LINE("", "m", "n", "c", "")},
      {Library::torch, "torch.fft.ifft(" LINES ")", Msg::op_fourier,
       "what fft was given; of real numbers a view that reads conjugates",
       "x = torch.arange(4.)\ny = torch.fft.ifft(x)", nullptr,
       LINE("", "m", "n", "c", " if input.is_complex() else torch.empty(s, dtype=c).conj()")},
      {Library::torch, "torch.fft.rfft(" LINES ")", Msg::op_fourier,
       "the first n // 2 + 1 of the numbers that fft gives", "x = torch.arange(4.)\ny = torch.fft.rfft(x)", nullptr,
       LINE(REAL("rfft"), "m", "n // 2 + 1", "c", "")},
      {Library::torch, "torch.fft.ihfft(" LINES ")", Msg::op_fourier,
       "what hfft was given: a view that reads conjugates", "x = torch.arange(4.)\ny = torch.fft.ihfft(x)", nullptr,
       LINE(REAL("ihfft"), "m", "n // 2 + 1", "c", ".conj()")},
      {Library::torch, "torch.fft.irfft(" LINES ")\ntorch.fft.hfft(" LINES ")", Msg::op_fourier,
       "n real numbers, 2 * (size - 1) if n is not given", "x = torch.arange(4.)\ny = torch.fft.irfft(x)", nullptr,
       LINE("", "2 * (m - 1)", "n", "r", "")},
      {Library::torch, "torch.fft.fftn(" ALL ")\ntorch.fft.ifftn(" ALL ")", Msg::op_fourier,
       "fft along several dimensions; packed", LARGEST "y = torch.fft.fftn(x)", nullptr,
       SEVERAL("", "", "input.shape[d]", "", "c")},
      {Library::torch, "torch.fft.fft2(" TWO ")\ntorch.fft.ifft2(" TWO ")", Msg::op_fourier,
       "fft along two dimensions; packed", LARGEST "y = torch.fft.fft2(x)", nullptr,
       " return torch.fft.fftn(input, s, dim, norm)"},
      {Library::torch, "torch.fft.rfftn(" ALL ")", Msg::op_fourier,
       "rfft along the last dimension, fft along the others", LARGEST "y = torch.fft.rfftn(x)", nullptr,
       SEVERAL(SOME("rfftn"),
               " if input.is_complex():\n  raise RuntimeError(f'rfftn expects a real-valued input tensor, but got "
               "{named[str(input.dtype)]}')\n",
               "input.shape[d]", HALF, "c")},
      {Library::torch, "torch.fft.rfft2(" TWO ")", Msg::op_fourier,
       "rfft along the last dimension, fft along the other", LARGEST "y = torch.fft.rfft2(x)", nullptr,
       " return torch.fft.rfftn(input, s, dim, norm)"},
      {Library::torch, "torch.fft.irfftn(" ALL ")", Msg::op_fourier, "ifft, and along the last dimension irfft",
       LARGEST "y = torch.fft.irfftn(x)", nullptr, SEVERAL(SOME("irfftn"), "", TWICE, "", "r")},
      {Library::torch, "torch.fft.hfftn(" ALL ")", Msg::op_fourier, "as irfftn, of the conjugate",
       LARGEST "y = torch.fft.hfftn(x)", nullptr, SEVERAL(SOME("hfftn"), "", TWICE, "", "r")},
      {Library::torch, "torch.fft.hfft2(" TWO ")", Msg::op_fourier, "as irfft2, of the conjugate",
       LARGEST "y = torch.fft.hfft2(x)", nullptr, " return torch.fft.hfftn(input, s, dim, norm)"},
      {Library::torch, "torch.fft.ihfftn(" ALL ")", Msg::op_fourier, "the conjugate of rfftn",
       LARGEST "y = torch.fft.ihfftn(x)", nullptr,
       SEVERAL(SOME("ihfftn"),
               " if input.is_complex():\n  raise RuntimeError('Expected self.is_floating_point() to be true, but got "
               "false.  "
               "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)')\n",
               "input.shape[d]", HALF " if len(dim) == 1:\n  return torch.empty(sizes, dtype=c).conj()\n", "c")},
      {Library::torch, "torch.fft.ihfft2(" TWO ")", Msg::op_fourier, "the conjugate of rfft2",
       LARGEST "y = torch.fft.ihfft2(x)", nullptr, " return torch.fft.ihfftn(input, s, dim, norm)"},
      {Library::torch, "torch.fft.irfft2(" TWO ")", Msg::op_fourier, "ifft, and along the last dimension irfft",
       LARGEST "y = torch.fft.irfft2(x)", nullptr, " return torch.fft.irfftn(input, s, dim, norm)"},
      {Library::torch, "torch.fft.fftshift(input: tensor, dim: int | ints = None)", Msg::op_roll,
       "roll(x, size // 2) along each dimension", "x = torch.arange(5)\ny = torch.fft.fftshift(x)", nullptr, SHIFT("")},
      {Library::torch, "torch.fft.ifftshift(input: tensor, dim: int | ints = None)", Msg::op_roll,
       "roll(x, (size + 1) // 2) along each dimension", "x = torch.arange(5)\ny = torch.fft.ifftshift(x)", nullptr,
       " if dim is None:\n  dim = list(range(input.ndim))\n elif isinstance(dim, int):\n  dim = [dim]\n return "
       "torch.roll(input, [(input.size(d) + 1) // 2 for d in dim], list(dim))"},
      {Library::torch, "torch.fft.fftfreq(n: int, d: float = 1.0, *, " OPTIONS ")", Msg::op_frequencies,
       "[0, 1, .., -2, -1] / (n * d)", "y = torch.fft.fftfreq(4)", nullptr,
       FREQUENCIES("fftfreq", "n",
                   " y = torch.arange(n, dtype=t) if n >= 0 else torch.empty(n)\n h = (n + 1) // 2\n y[h:] = "
                   "torch.arange(-(n // 2), 0, dtype=t)\n")},
      {Library::torch, "torch.fft.rfftfreq(n: int, d: float = 1.0, *, " OPTIONS ")", Msg::op_frequencies,
       "[0, 1, .., n // 2] / (n * d)", "y = torch.fft.rfftfreq(4)", nullptr,
       FREQUENCIES("rfftfreq", "n // 2 + 1", " y = torch.arange(int(n / 2) + 1, dtype=t)\n")},

      {Library::torch,
       "torch.hann_window(window_length: int, periodic: bool = True, alpha: float = None, beta: float = None, "
       "*, " OPTIONS ")",
       Msg::op_window, "0.5 - 0.5 * cos(2 * pi * i / n); periodic ones lie in a storage of one element more",
       "w = torch.hann_window(5)", nullptr, RAISED_COSINE("hann_window")},
      {Library::torch,
       "torch.hamming_window(window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, "
       "*, " OPTIONS ")",
       Msg::op_window, "alpha - beta * cos(2 * pi * i / n); periodic ones lie in a storage of one element more",
       "w = torch.hamming_window(5)", nullptr, RAISED_COSINE("hamming_window")},
      {Library::torch, "torch.blackman_window(window_length: int, periodic: bool = True, *, " OPTIONS ")",
       Msg::op_window, "0.42 - 0.5 * cos(2 * pi * i / n) + 0.08 * cos(4 * pi * i / n)", "w = torch.blackman_window(5)",
       nullptr,
       WINDOW("blackman_window",
              " w.mul_(3.141592653589793 / (n - 1))\n w = w.mul(4).cos_().mul_(0.08) - w.mul(2).cos_().mul_(0.5) + "
              "0.42\n")},
      {Library::torch, "torch.bartlett_window(window_length: int, periodic: bool = True, *, " OPTIONS ")",
       Msg::op_window, "1 - |2 * i / n - 1|", "w = torch.bartlett_window(5)", nullptr,
       WINDOW("bartlett_window",
              " w.mul_(2. / (n - 1))\n h = ((n - 1) >> 1) + 1\n w.narrow(0, h, n - h).mul_(-1).add_(2)\n")},
      {Library::torch,
       "torch.kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, " OPTIONS ")",
       Msg::op_window, "i0(beta * sqrt(1 - (2 * i / n - 1) ** 2)) / i0(beta)", "w = torch.kaiser_window(5)", nullptr,
       "?" WINDOW("kaiser_window", "")},
      {Library::torch,
       "torch.logspace(start: number | tensor, end: number | tensor, steps: int, base: float = 10.0, *, " OPTIONS ")",
       Msg::op_np_logspace, "base ** linspace(start, end, steps)", "x = torch.logspace(0, 2, 3)", nullptr,
       R"(? ranks = [f'{name} with {one.ndim} dimension(s)' for name, one in (('start', start), ('end', end)) if isinstance(one, torch.Tensor) and one.ndim]
 if ranks:
  raise RuntimeError(f"logspace only supports 0-dimensional start and end tensors, but got {' and '.join(ranks)}.")
 return torch.linspace(start, end, steps, dtype=dtype, requires_grad=bool(requires_grad)))"},
      {Library::torch, "torch.range(start: number, end: number, step: number = 1, *, " OPTIONS ")", Msg::op_arange,
       "start + i * step, while not past end; deprecated", "x = torch.range(1, 4)", nullptr,
       R"( if step == 0:
  raise RuntimeError('step must be nonzero')
 if (start > end) == (step > 0) and start != end:
  raise RuntimeError('upper bound and lower bound inconsistent with step sign')
 n = int((end - start) / step + 1)
 t = torch.get_default_dtype() if dtype is None else dtype
 return torch.arange(start, start + (n - (0.5 if t.is_floating_point else 0)) * step, step, dtype=t, requires_grad=bool(requires_grad)))"},

      {Library::torch,
       "torch.cov(input: tensor, *, correction: int = 1, fweights: tensor = None, aweights: tensor = None)\n"
       "x.cov(*, correction: int = 1, fweights: tensor = None, aweights: tensor = None)",
       Msg::op_cov, "(X - mean) @ (X - mean).T / (n - correction), each row of X a variable",
       "x = torch.tensor([[0., 1, 2], [2, 1, 0]])\ny = torch.cov(x)", nullptr,
       R"( if input.ndim > 2:
  raise RuntimeError(f'cov(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions')
 if input.dtype == torch.bool:
  raise RuntimeError('cov(): bool dtype is not supported for input')
 x = input.view(1, -1) if input.ndim < 2 else input
 n = x.size(1)
 w = None
 for name, one in (('fweights', fweights), ('aweights', aweights)):
  if one is None:
   continue
  if one.ndim > 1:
   raise RuntimeError(f'cov(): expected {name} to have one or fewer dimensions but got {name} with {one.ndim} dimensions')
  if name == 'fweights' and (one.is_floating_point() or one.is_complex() or one.dtype == torch.bool) or name == 'aweights' and not one.is_floating_point():
   raise RuntimeError(f"cov(): expected {name} to have {'integral' if name == 'fweights' else 'floating point'} dtype but got {name} with {named[str(one.dtype)]} dtype")
  if one.numel() != n:
   raise RuntimeError(f'cov(): expected {name} to have the same numel as there are observations in the input but got {one.numel()} != {n}')
  if n and not bool(one.min().ge(0)):
   raise RuntimeError(f'cov(): {name} cannot be negative')
  w = one if w is None else w * one
 total = torch.tensor(n) if w is None else w.sum()
 if w is not None and not bool(total.ne(0)):
  raise RuntimeError("cov(): weights sum to zero, can't be normalized")
 avg = (x if w is None else x * w).sum(1) / total
 if w is not None and aweights is not None and correction != 0:
  norm = total - correction * (w * aweights).sum() / total
 else:
  norm = total - correction
 if bool(norm.le(0)):
  norm.zero_()
 x = x - avg.unsqueeze(1)
 return (torch.mm(x, (x if w is None else x * w).t().conj()) / norm).squeeze())"},
      {Library::torch, "torch.corrcoef(input: tensor)\nx.corrcoef()", Msg::op_cov,
       "cov(x) over the roots of its diagonal, from the left and from above",
       "x = torch.tensor([[0., 1, 2], [2, 1, 0]])\ny = torch.corrcoef(x)", nullptr,
       R"( if input.ndim > 2:
  raise RuntimeError(f'corrcoef(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions')
 c = input.cov()
 if c.ndim == 0:
  return c / c
 d = c.diag()
 s = torch.sqrt(d.real if d.is_complex() else d)
 c = c / s.view(-1, 1) / s.view(1, -1)
 return torch.complex(c.real.clip(-1, 1), c.imag.clip(-1, 1)) if c.is_complex() else c.clip(-1, 1))"},
      {Library::torch, "torch.trapezoid" BY_SPACE, Msg::op_np_trapezoid,
       "the sum of (y[1:] + y[:-1]) * dx / 2 along dim; dx = x[1:] - x[:-1] where x is given",
       "y = torch.trapezoid(torch.tensor([1., 2, 4]))", nullptr, " x = None\n" TRAPEZOID("trapezoid")},
      {Library::torch, "torch.trapz(y: tensor, *, dx: float = 1, dim: int = -1)", Msg::op_np_trapezoid,
       "the sum of (y[1:] + y[:-1]) * dx / 2 along dim; dx = x[1:] - x[:-1] where x is given",
       "y = torch.trapz(torch.tensor([1., 2, 4]))", nullptr, " x = None\n dx = float(dx)\n" TRAPEZOID("trapezoid")},
      {Library::torch, "torch.trapezoid" BY_PLACES "\ntorch.trapz" BY_PLACES, Msg::op_np_trapezoid,
       "the sum of (y[1:] + y[:-1]) * dx / 2 along dim; dx = x[1:] - x[:-1] where x is given",
       "x = torch.tensor([1., 2, 4])\ny = torch.trapezoid(x, x)", nullptr, " dx = None\n" TRAPEZOID("trapezoid")},
      {Library::torch, "torch.cumulative_trapezoid" BY_SPACE, Msg::op_np_trapezoid,
       "the sums of (y[1:] + y[:-1]) * dx / 2 up to each along dim; dx = x[1:] - x[:-1] where x is given",
       "y = torch.cumulative_trapezoid(torch.tensor([1., 2, 4]))", nullptr, " x = None\n" CUMULATIVE},
      {Library::torch, "torch.cumulative_trapezoid" BY_PLACES, Msg::op_np_trapezoid,
       "the sums of (y[1:] + y[:-1]) * dx / 2 up to each along dim; dx = x[1:] - x[:-1] where x is given",
       "x = torch.tensor([1., 2, 4])\ny = torch.cumulative_trapezoid(x, x)", nullptr, " dx = None\n" CUMULATIVE},
      {Library::torch, "torch.vander(x: tensor, N: int = None, increasing: bool = False)", Msg::op_np_vander,
       "y[i, j] = x[i] ** (N - 1 - j)", "y = torch.vander(torch.tensor([1, 2, 3]))", nullptr,
       R"( if x.ndim != 1:
  raise RuntimeError('x must be a one-dimensional tensor.')
 n = len(x) if N is None else N
 if n < 0:
  raise RuntimeError('N must be non-negative.')
 y = torch.empty(len(x), n, dtype=torch.promote_types(x.dtype, torch.int64))
 if n > 0:
  y.select(1, 0).fill_(1)
 if n > 1:
  y[:, 1:].copy_(x.unsqueeze(1))
  y[:, 1:].copy_(torch.cumprod(y[:, 1:], 1))
 return y if increasing else y.flip([1]))"},
      {Library::torch, "torch.linalg.vander(x: tensor, *, N: int = None)", Msg::op_np_vander,
       "y[.., i, j] = x[.., i] ** j", "y = torch.linalg.vander(torch.tensor([1, 2, 3]))", nullptr,
       R"( if x.dtype in (torch.bool, torch.float16, torch.bfloat16):
  raise RuntimeError(f'linalg.vander supports floating point, complex, and integer tensors, but got {named[str(x.dtype)]}')
 x = x.unsqueeze(-1) if x.ndim == 0 else x
 n = x.size(-1) if N is None else N
 if n <= 1:
  raise RuntimeError('N must be greater than 1.')
 y = torch.cumprod(x.unsqueeze(-1).expand(list(x.shape) + [n - 1]), -1)
 return torch.cat([y.new_ones(list(x.shape) + [1]), y], -1))"},
      {Library::torch, "torch.chain_matmul(*matrices: tensor = ())", Msg::op_matmul,
       "the product of a chain of matrices, in the cheapest order",
       "x = torch.ones(2, 3)\ny = torch.chain_matmul(x, x.t())", nullptr,
       R"( for one in matrices:
  if one.ndim != 2:
   raise RuntimeError(f'Tensor dimension is {one.ndim}, expected 2 instead.')
 if len(matrices) == 0:
  raise RuntimeError('chain_matmul(): Expected one or more matrices')
 return matrices[0].clone() if len(matrices) == 1 else torch.linalg.multi_dot(matrices))"},
      {Library::torch, QUANTILES("quantile") "\n" QUANTILES("nanquantile"), Msg::op_np_quantile,
       "the element at q * (n - 1) of those in order, between two of them by `interpolation`; nanquantile leaves out "
       "NaN",
       "x = torch.arange(5.)\ny = torch.quantile(x, 0.3)", nullptr,
       R"( if interpolation not in ('linear', 'lower', 'higher', 'midpoint', 'nearest'):
  raise RuntimeError(f'quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}')
 if not isinstance(q, torch.Tensor):
  if not 0 <= q <= 1:
   raise RuntimeError(f'quantile() q must be in the range [0, 1] but got {q:g}')
  q = torch.tensor(q, dtype=input.dtype)
 d = 0 if dim is None else dim
 if input.ndim or d not in (0, -1):
  input.stride(d)
 if input.numel() == 0:
  raise RuntimeError('quantile() input tensor must be non-empty')
 if q.ndim > 1:
  raise RuntimeError('quantile() q must be a scalar or 1D tensor')
 if input.dtype not in (torch.float32, torch.float64):
  raise RuntimeError('quantile() input tensor must be either float or double dtype')
 if input.dtype != q.dtype:
  raise RuntimeError('quantile() q tensor must be same dtype as the input tensor')
 sizes = []
 if dim is not None and input.ndim > 0:
  sizes = list(input.shape)
  if keepdim:
   sizes[d] = 1
  else:
   sizes.pop(d)
 elif keepdim:
  sizes = [1] * input.ndim
 if not bool(q.ge(0).logical_and_(q.le(1)).all()):
  raise RuntimeError('quantile() q values must be in the range [0, 1]')
 if dim is None or input.ndim == 0:
  s = input.flatten().sort()[0]
 elif d % input.ndim == input.ndim - 1:
  s = input.sort()[0]
 else:
  s = input.unsqueeze(-1).transpose(d % input.ndim, -1).sort()[0]
 s = s.view(sizes + [s.size(-1)])
 if called.endswith('.quantile') or called == 'quantile':
  m = s.size(-1) - 1
  a, b = torch.broadcast_tensors(q * m, s.isnan().any(-1, True))
  ranks = a.masked_fill(b, m)
 else:
  ranks = q * (s.isnan().logical_not_().sum(-1, True) - 1)
  ranks.masked_fill_(ranks < 0, 0)
 if interpolation == 'lower':
  ranks.floor_()
 elif interpolation == 'higher':
  ranks.ceil_()
 elif interpolation == 'nearest':
  ranks.round_()
 below = ranks.long()
 y = s.gather(-1, below)
 if interpolation in ('linear', 'midpoint'):
  w = torch.full_like(ranks, 0.5) if interpolation == 'midpoint' else ranks - below
  y.lerp_(s.gather(-1, ranks.ceil_().long()), w)
 if q.ndim == 0:
  y.squeeze_(-1)
 else:
  y.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)
 return y)"},
      {Library::torch,
       "torch.cdist(x1: tensor, x2: tensor, p: float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary')",
       Msg::op_distance, "y[.., i, j] = norm(x1[.., i] - x2[.., j], p)", LARGEST "y = torch.cdist(x, x)", nullptr,
       R"(? modes = ('use_mm_for_euclid_dist_if_necessary', 'use_mm_for_euclid_dist', 'donot_use_mm_for_euclid_dist')
 if compute_mode not in modes:
  raise ValueError(f'{compute_mode} is not a valid value for compute_mode')
 for i, x in ((1, x1), (2, x2)):
  if x.ndim < 2:
   raise RuntimeError(f'cdist only supports at least 2D tensors, X{i} got: {x.ndim}D')
 if x1.size(-1) != x2.size(-1):
  raise RuntimeError(f'X1 and X2 must have the same number of columns. X1: {x1.size(-1)} X2: {x2.size(-1)}')
 for i, x in ((1, x1), (2, x2)):
  if not x.is_floating_point():
   raise RuntimeError(f'cdist only supports floating-point dtypes, X{i} got: {named[str(x.dtype)]}')
 if p < 0:
  raise RuntimeError('cdist only supports non-negative p values')
 if x1.dtype != x2.dtype:
  raise RuntimeError(f'expected scalar type {named[str(x1.dtype)]} but found {named[str(x2.dtype)]}')
 s = torch.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
 return torch.empty(list(s) + [x1.size(-2), x2.size(-2)], dtype=x1.dtype))"},
      {Library::torch,
       "torch.pdist(input: tensor, p: float = 2.0)\ntorch.nn.functional.pdist(input: tensor, p: float = 2.0)",
       Msg::op_distance, "norm(x[i] - x[j], p) for i < j", LARGEST "y = torch.pdist(x)", nullptr,
       R"(? if input.ndim != 2:
  raise RuntimeError(f'pdist only supports 2D tensors, got: {input.ndim}D')
 if not input.is_floating_point():
  raise RuntimeError('pdist only supports floating-point dtypes')
 if p < 0:
  raise RuntimeError('pdist only supports non-negative p values')
 n = len(input)
 return torch.empty(n * (n - 1) // 2, dtype=input.dtype))"},
      {Library::torch,
       "torch.addr(input: tensor, vec1: tensor, vec2: tensor, *, beta: number = 1, alpha: number = 1)\n"
       "x.addr(vec1: tensor, vec2: tensor, *, beta: number = 1, alpha: number = 1)",
       Msg::op_addmm, "y[i, j] = beta * input[i, j] + alpha * vec1[i] * vec2[j]; input broadcast",
       "x = torch.arange(3.)\ny = torch.addr(torch.ones(3), x, x)", nullptr,
       CHECK_VECTORS R"( s = input.expand(len(vec1), len(vec2))
 if t == torch.bool:
  return torch.logical_or(s if beta else torch.zeros_like(s), torch.logical_and(vec1.reshape(-1, 1), vec2) & bool(alpha))
 y = torch.addcmul(s, vec1.reshape(-1, 1), vec2, value=alpha)
 if isinstance(beta, bool) or beta != 1:
  y = torch.empty_like(y).copy_(beta * s + alpha * vec1.reshape(-1, 1) * vec2)
 return y)"},
      {Library::torch, "x.addr_(vec1: tensor, vec2: tensor, *, beta: number = 1, alpha: number = 1)", Msg::op_in_place,
       "x[i, j] = beta * x[i, j] + alpha * vec1[i] * vec2[j]",
       "x = torch.ones(3, 3)\nx.addr_(torch.ones(3), torch.ones(3))", nullptr,
       " input = x\n" CHECK_VECTORS R"( if x.ndim != 2:
  raise RuntimeError(f'2D tensor expected, got {x.ndim}D tensor for input')
 if x.shape != (len(vec1), len(vec2)):
  raise RuntimeError(f'size mismatch, input: {list(x.shape)}, v1: {list(vec1.shape)}, v2: {list(vec2.shape)}')
 if beta != 1:
  return x.copy_(beta * x + alpha * vec1.reshape(-1, 1) * vec2)
 return x.addcmul_(vec1.reshape(-1, 1), vec2, value=alpha))"},
      {Library::torch,
       "torch.addbmm(input: tensor, batch1: tensor, batch2: tensor, *, beta: number = 1, alpha: number = 1)\n"
       "x.addbmm(batch1: tensor, batch2: tensor, *, beta: number = 1, alpha: number = 1)\n"
       "x.addbmm_(batch1: tensor, batch2: tensor, *, beta: number = 1, alpha: number = 1)",
       Msg::op_addmm, "y = beta * input + alpha * (the sum of all batch1[k] @ batch2[k]); input broadcast",
       "x = torch.ones(2, 3, 3)\ny = torch.addbmm(torch.ones(3), x, x)", nullptr,
       R"( n, m = batch1.size(1), batch2.size(2)
 s = input.expand(n, m)
 for name, one in (('batch1', batch1), ('batch2', batch2)):
  if one.ndim != 3:
   raise RuntimeError(f'{name} must be a 3D tensor')
 if len(batch1) != len(batch2):
  raise RuntimeError(f'batch1 and batch2 must have same number of batches, got {len(batch1)} and {len(batch2)}')
 if batch1.size(2) != batch2.size(1):
  raise RuntimeError(f'Incompatible matrix sizes for bmm ({n}x{batch1.size(2)} and {batch2.size(1)}x{m})')
 if len(batch1) == 0:
  y = torch.zeros(n, m, dtype=input.dtype) if beta == 0 else torch.empty(n, m, dtype=input.dtype).copy_(s).mul_(beta)
 for k in range(len(batch1)):
  y = y.addmm_(batch1[k], batch2[k], alpha=alpha) if k else torch.addmm(s, batch1[0], batch2[0], beta=beta, alpha=alpha)
 if not called.endswith('_'):
  return y
 return (input if input.shape == (n, m) else input.resize_(n, m)).copy_(y))"},
      {Library::torch,
       "torch.renorm(input: tensor, p: number, dim: int, maxnorm: number)\nx.renorm(p: number, dim: int, maxnorm: "
       "number)\n"
       "x.renorm_(p: number, dim: int, maxnorm: number)",
       Msg::op_norm, "what lies at each place along dim is scaled down to maxnorm where its norm is more",
       LARGEST "y = torch.renorm(x, 2, 0, 1.)", nullptr,
       R"( if p <= 0:
  raise RuntimeError('renorm: non-positive-norm not supported')
 if maxnorm < 0:
  raise RuntimeError(f'renorm: expected maxnorm to be >= 0 but got {maxnorm:g}')
 if input.ndim < 2:
  raise RuntimeError(f'renorm: input needs at least 2 dimensions, got {input.ndim} dimensions')
 input.stride(dim)
 norm = torch.linalg.vector_norm(input, p, [d for d in range(input.ndim) if d != dim % input.ndim], True)
 y = (input * torch.where(norm > maxnorm, maxnorm / (norm + 1e-7), torch.ones_like(norm))).contiguous()
 return input.copy_(y) if called.endswith('_') else y)"},
      {Library::torch,
       "torch.nonzero_static(input: tensor, *, size: int, fill_value: int = -1)\nx.nonzero_static(*, size: int, "
       "fill_value: "
       "int = -1)",
       Msg::op_nonzero, "the first `size` rows of nonzero(), fill_value where there are fewer",
       "y = torch.nonzero_static(torch.tensor([0, 1, 2]), size=3)", nullptr,
       R"( if size < 0:
  raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
 y = torch.full((size, input.ndim), fill_value)
 places = input.nonzero()
 k = min(size, len(places))
 y[:k] = places[:k]
 return y)"},
      {Library::torch,
       "torch.histc(input: tensor, bins: int = 100, min: number = 0, max: number = 0)\nx.histc(bins: int = 100, min: "
       "number "
       "= 0, max: number = 0)",
       Msg::op_np_histogram, "how many elements lie in each of `bins` equal parts of min .. max",
       "x = torch.arange(6.)\ny = torch.histc(x, 3)", nullptr,
       R"( if bins <= 0:
  raise RuntimeError(f'torch.histogram(): bins must be > 0, but got {bins} for dimension 0')
 low, high = float(min), float(max)
 if low > high:
  raise RuntimeError('torch.histc: max must be larger than min')
 if not input.is_floating_point():
  raise RuntimeError(f'"histogram_cpu" not implemented for \'{named[str(input.dtype)]}\'')
 x = input.flatten()
 if low == high and len(x):
  low, high = x.min().item(), x.max().item()
 if low == high:
  low, high = low - 1, high + 1
 if low - low != 0 or high - high != 0:
  a, b = ['-nan' if one != one else f'{one:g}' for one in (low, high)]
  raise RuntimeError(f'torch.histc: range of [{a}, {b}] is not finite')
 if low >= high:
  raise RuntimeError('torch.histc: max must be larger than min')
 x = x[(x >= low) & (x <= high)]
 places = ((x - low) * bins / (high - low)).long().clamp_(max=bins - 1)
 return torch.bincount(places, minlength=bins).to(input.dtype))"},
      {Library::torch,
       "torch.histogram(input: tensor, bins: int = 100, *, weight: tensor = None, density: bool = False, range: any = "
       "None)\n"
       "torch.histogram(input: tensor, bins: tensor, *, weight: tensor = None, density: bool = False)\n"
       "x.histogram(bins: int = 100, *, weight: tensor = None, density: bool = False, range: any = None)\n"
       "x.histogram(bins: tensor, *, weight: tensor = None, density: bool = False)",
       Msg::op_np_histogram, "(hist, bin_edges): how many elements lie between each two edges",
       "x = torch.arange(6.)\nhist, edges = torch.histogram(x, 3)", nullptr,
       R"HERE(* x = input.reshape(-1)
 if isinstance(bins, torch.Tensor):
  edges = bins
  if edges.ndim != 1:
   raise RuntimeError(f'torch.histogramdd: bins tensor should have one dimension, but got {edges.ndim} dimensions in the bins tensor for dimension 0')
  if edges.dtype != x.dtype:
   raise NotImplementedError
 elif bins <= 0:
  raise RuntimeError(f'torch.histogram(): bins must be > 0, but got {bins} for dimension 0')
 if weight is not None and weight.shape != input.shape:
  raise RuntimeError(f'torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape [{x.numel()}, 1] and weight with shape {list(weight.reshape(-1).shape)}')
 if x.dtype not in (torch.float32, torch.float64):
  raise RuntimeError(('"histogramdd"' if range is None else '"histogram_cpu"') + f' not implemented for \'{named[str(x.dtype)]}\'')
 if not isinstance(bins, torch.Tensor):
  if range is not None:
   low, high = range
   if low > high:
    raise RuntimeError(f'torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension 0')
  else:
   low, high = (x.min().item(), x.max().item()) if len(x) else (0., 1.)
  if low == high:
   low, high = low - 0.5, high + 0.5
  edges = torch.linspace(low, high, bins + 1, dtype=x.dtype)
 n = len(edges) - 1
 inside = (x >= edges[0]) & (x <= edges[-1])
 places = (torch.searchsorted(edges, x[inside], right=True) - 1).clamp_(max=n - 1)
 w = None if weight is None else weight.reshape(-1)[inside]
 hist = torch.bincount(places, w, minlength=n).to(x.dtype)
 if density:
  hist = hist / hist.sum() / edges.diff()
 return hist, edges)HERE"},
      {Library::torch, "torch.frexp(input: tensor)\nx.frexp()", Msg::op_unary, "(m, e): x = m * 2 ** e, 0.5 <= |m| < 1",
       "m, e = torch.frexp(torch.arange(3.))", nullptr,
       "?* if not input.is_floating_point():\n  raise RuntimeError('torch.frexp() only supports floating-point "
       "dtypes')\n "
       "return torch.empty_like(input), torch.empty_like(input, dtype=torch.int32)"},
      {Library::torch, "torch.logcumsumexp(input: tensor, dim: int)\nx.logcumsumexp(dim: int)", Msg::op_running,
       "y[i] = log(exp(x[0]) + .. + exp(x[i])) along dim", "x = torch.arange(3.)\ny = torch.logcumsumexp(x, 0)",
       nullptr,
       R"(? if input.ndim:
  input.stride(dim)
 elif dim not in (0, -1):
  raise IndexError(f'Dimension out of range (expected to be in range of [-1, 0], but got {dim})')
 if not (input.is_floating_point() or input.is_complex()):
  raise RuntimeError(f'"logcumsumexp_out_cpu" not implemented for \'{named[str(input.dtype)]}\'')
 return torch.empty(input.shape, dtype=input.dtype))"},
      {Library::torch,
       "torch.linalg.matrix_norm(input: tensor, ord: str | number = 'fro', dim: ints = (-2, -1), keepdim: bool = "
       "False, *, dtype: "
       "dtype = None)",
       Msg::op_length, "norms of matrices: of all elements, of sums of rows or columns, or of singular values",
       LARGEST "y = torch.linalg.matrix_norm(x)", nullptr,
       R"( A = input
 if A.ndim < 2:
  raise RuntimeError('linalg.matrix_norm: The input tensor A must have at least 2 dimensions.')
 if not (A.is_floating_point() or A.is_complex()):
  raise RuntimeError(f'linalg.matrix_norm: Expected a floating point or complex tensor as input. Got {named[str(A.dtype)]}')
 dim = [dim] if isinstance(dim, int) else list(dim)
 if len(dim) != 2:
  raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join([str(d) for d in dim])}")
 for d in dim:
  A.stride(d)
 rows, columns = [d % A.ndim for d in dim]
 if rows == columns:
  raise RuntimeError(f'linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})')
 if dtype is not None:
  A = A.to(dtype)
 if ord == 'fro':
  return torch.linalg.vector_norm(A, 2, dim, keepdim)
 high = float('inf')
 if ord not in ('nuc', 1, -1, 2, -2, high, -high):
  raise RuntimeError(f"linalg.matrix_norm: Order {ord if isinstance(ord, str) else f'{ord:g}'} not supported.")
 if ord in (1, -1, high, -high):
  if ord in (1, -1):
   rows, columns = columns, rows
  if not keepdim and columns < rows:
   rows -= 1
  y = torch.linalg.vector_norm(A, 1, [columns], keepdim)
  return y.amax(rows, keepdim) if ord > 0 else y.amin(rows, keepdim)
 order = [d for d in range(A.ndim) if d not in (rows, columns)] + [rows, columns]
 s = torch.linalg.svdvals(A.permute(order))
 y = s.sum(-1, keepdim) if ord == 'nuc' else s.amax(-1, keepdim) if ord > 0 else s.amin(-1, keepdim)
 return y.unsqueeze(-1).permute([order.index(d) for d in range(A.ndim)]) if keepdim else y)"},
      {Library::torch, "torch.linalg.cond(input: tensor, p: str | number = None)", Msg::op_condition,
       "the largest singular value over the smallest; else norm(x, p) * norm(inv(x), p)",
       "y = torch.linalg.cond(torch.eye(3))", nullptr,
       R"( A = input
 if A.ndim < 2:
  raise RuntimeError('linalg.cond: The input tensor must have at least 2 dimensions.')
 high = float('inf')
 if p not in (None, 'fro', 'nuc', 1, -1, 2, -2, high, -high):
  raise RuntimeError(f'linalg.cond got an invalid norm type: {p}')
 if A.numel() == 0:
  return torch.zeros(A.shape[:-2], dtype=torch.float64 if A.dtype in (torch.float64, torch.complex128) else torch.float32)
 if p in (None, 2, -2):
  s = torch.linalg.svdvals(A)
  a, b = s.narrow(-1, 0, 1), s.narrow(-1, -1, 1)
  return (b / a if p == -2 else a / b).squeeze(-1)
 if A.size(-1) != A.size(-2):
  raise RuntimeError(f'linalg.cond(ord={p}): A must be batches of square matrices, but they are {A.size(-2)} by {A.size(-1)} matrices')
 return torch.linalg.matrix_norm(A, p) * torch.linalg.matrix_norm(torch.linalg.inv_ex(A)[0], p))"},
      {Library::torch, "torch.linalg.tensorinv(input: tensor, ind: int = 2)", Msg::op_inverse,
       "inv of A seen as a matrix, its first ind dimensions the rows",
       "x = torch.eye(6).view(2, 3, 6)\ny = torch.linalg.tensorinv(x)", nullptr,
       R"( A = input
 if ind <= 0:
  raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
 if ind > A.ndim:
  raise RuntimeError(f'ArrayRef: invalid slice, N = {ind}; size = {A.ndim}')
 n = m = 1
 for size in A.shape[:ind]:
  n *= size
 for size in A.shape[ind:]:
  m *= size
 if n != m:
  raise RuntimeError(f'Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got {m} != {n}')
 try:
  y = torch.linalg.inv(A.reshape(n, n))
 except torch.linalg.LinAlgError as e:
  raise torch.linalg.LinAlgError(str(e)[7:])
 return y.reshape(list(A.shape[ind:]) + list(A.shape[:ind])))"},
      {Library::torch, "torch.linalg.tensorsolve(input: tensor, other: tensor, dims: ints = None)", Msg::op_solve,
       "tensordot(A, y, y.ndim) == B",
       "x = torch.eye(6).view(2, 3, 6)\ny = torch.linalg.tensorsolve(x, torch.ones(2, 3))", nullptr,
       R"( A, B = input, other
 if dims is not None:
  A = A.movedim(list(dims), list(range(A.ndim - len(dims), A.ndim)))
 n, m = B.numel(), 1
 for size in A.shape[B.ndim:]:
  m *= size
 if n != m:
  raise RuntimeError(f'Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got {m} != {n}')
 return torch.linalg.solve(A.reshape(m, m), B.flatten()).reshape(list(A.shape[B.ndim:])))"},
      {Library::torch,
       "torch.gradient(input: tensor, *, spacing: any = None, dim: int | ints = None, edge_order: int = 1)",
       Msg::op_np_gradient, "(x[2:] - x[:-2]) / (2 * spacing) along each dimension, one-sided at the ends: a tuple",
       "x = torch.tensor([1., 2, 4])\ny = torch.gradient(x)", nullptr,
       R"( if edge_order not in (1, 2):
  raise RuntimeError('torch.gradient only supports edge_order=1 and edge_order=2.')
 k = input.ndim
 one = dim is None
 dims = list(range(k)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
 if isinstance(spacing, (list, tuple)):
  if len(spacing) != len(dims):
   raise RuntimeError(f"torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = {k}', since dim argument was not given, but got a list of length {len(spacing)}")
  gaps = list(spacing)
 else:
  gaps = [1. if spacing is None else spacing] * len(dims)
 for d in dims:
  if input.size(d) < edge_order + 1:
   raise RuntimeError('torch.gradient expected each dimension size to be at least edge_order+1')
 made = []
 for d, gap in zip(dims, gaps):
  n = input.size(d)
  at = [input.narrow(d, i, 1) for i in range(edge_order + 1)]
  to = [input.narrow(d, n - 1 - i, 1) for i in range(edge_order + 1)]
  if isinstance(gap, torch.Tensor) or edge_order == 2:
   raise NotImplementedError
  begin = (at[1] - at[0]) / gap
  end = (to[0] - to[1]) / gap
  middle = (input.narrow(d, 2, n - 2) - input.narrow(d, 0, n - 2)) / gap
  made.append(torch.cat([begin, middle / 2, end], d))
 return tuple(made))"},
      {Library::torch, "torch.ldexp(input: tensor, other: tensor)\nx.ldexp(other: tensor)", Msg::op_arithmetic,
       "y[i] = x[i] * 2 ** other[i]", "y = torch.ldexp(torch.arange(3.), torch.tensor(2))", nullptr,
       " return torch.mul(input, torch.pow(2.0, other))"},
      {Library::torch, "x.ldexp_(other: tensor)\ntorch.ldexp_(input: tensor, other: tensor)", Msg::op_in_place,
       "x[i] = x[i] * 2 ** other[i]", "x = torch.arange(3.)\nx.ldexp_(torch.tensor(2))", nullptr,
       " return x.mul_(torch.pow(2.0, other))"},
      {Library::torch, "torch.rsub(input: tensor, other: tensor | number, *, alpha: number = 1)", Msg::op_arithmetic,
       "y[i] = other[i] - alpha * x[i]", "x = torch.arange(3.)\ny = torch.rsub(x, 1)", nullptr,
       " return torch.sub(other, input, alpha=1 if alpha is None else alpha)"},
      {Library::torch, "torch.fill(input: tensor, value: number | tensor)", Msg::op_fill,
       "a copy, every element of it value", "x = torch.arange(3.)\ny = torch.fill(x, 7)", nullptr,
       " return torch.empty_like(input).fill_(value)"},
      {Library::torch,
       "torch.svd(input: tensor, some: bool = True, compute_uv: bool = True)\nx.svd(some: bool = True, compute_uv: "
       "bool = True)",
       Msg::op_svd, "x = U @ diag(S) @ V.mH", "x = torch.ones(4, 3)\nu, s, v = torch.svd(x)", nullptr,
       R"(* if input.ndim < 2:
  raise RuntimeError('linalg.svd: input should have at least 2 dimensions, but has ' + str(input.ndim) + ' dimensions instead')
 if compute_uv:
  u, s, v = torch.linalg.svd(input, full_matrices=not some)
  return u, s, v.mH
 m, n = input.shape[-2:]
 s = torch.linalg.svdvals(input)
 return torch.zeros(list(input.shape[:-2]) + [m, m], dtype=input.dtype), s, torch.zeros(list(input.shape[:-2]) + [n, n], dtype=input.dtype).mH)"},
      {Library::torch, "x.share_memory_()", Msg::op_cpu, "", "x = torch.arange(3)\nx.share_memory_()", nullptr,
       " return x"},
  };
  return rows;
}

}  // namespace stridescope
