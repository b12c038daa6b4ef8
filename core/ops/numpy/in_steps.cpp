// Functions that NumPy writes in Python with its other ones: what each of them does, in the same order.
#include "ops/rows.h"

namespace stridescope {

std::span<const Op> numpy_step_rows() {
#define CHECK_NORM                                                                                                     \
  " if norm not in (None, 'backward', 'ortho', 'forward'):\n  gap = '' if called in ('numpy.fft.fft', "                \
  "'numpy.fft.rfft') else ' '\n  raise ValueError(f'Invalid norm value {norm}; should be \"backward\",{gap}\"ortho\" " \
  "or \"forward\".')\n"
#define OF_REALS                                                                                                 \
  " if np.iscomplexobj(a):\n  raise TypeError(\"ufunc 'rfft_n_even' not supported for the input types, and the " \
  "inputs "                                                                                                      \
  "could not be safely coerced to any supported types according to the casting rule ''safe''\")\n"
#define TRANSFORM(checks, points, made, dtype)                                         \
  "? a = np.asarray(a)\n if n is None:\n  n = " points                                 \
  "\n if n < 1:\n  raise ValueError(f'Invalid number of FFT data points ({n}) "        \
  "specified.')\n" CHECK_NORM checks                                                   \
  " np.flip(a, axis)\n k = axis % a.ndim\n return np.empty_like(a, shape=a.shape[:k] " \
  "+ (" made ",) + a.shape[k + 1:], dtype=" dtype ")"
#define TO_COMPLEX "np.result_type(a.dtype, 1j)"
#define TO_REAL "np.result_type(a.real.dtype, 1.0)"
#define LINE "a, n=None, axis=-1, norm=None"
/// The sizes `s` and the axes of a transform along several.
#define SEVERAL(last)                                                                                            \
  " a = np.asarray(a)\n whole = s is None\n if whole:\n  s = a.shape if axes is None else np.take(a.shape, "     \
  "axes)\n s = list(s)\n if axes is None:\n  axes = list(range(-len(s), 0))\n if len(s) != len(axes):\n  raise " \
  "ValueError('Shape and axes have different lengths.')\n" last                                                  \
  " s = [a.shape[k] if n == -1 else n for n, k in zip(s, axes)]\n"
#define ALONG(function) " for n, k in zip(s[::-1], axes[::-1]):\n  a = np.fft." function "(a, n, k, norm)\n return a"
#define ROUND_REAL                                                                                                  \
  " a = np.fft.rfft(a, s[-1], axes[-1], norm)\n for n, k in zip(s[-2::-1], axes[-2::-1]):\n  a = np.fft.fft(a, n, " \
  "k, norm)\n return a"
#define BACK_REAL                                                                                                    \
  " for n, k in zip(s[:-1], axes[:-1]):\n  a = np.fft.ifft(a, n, k, norm)\n return np.fft.irfft(a, s[-1], axes[-1]," \
  " norm)"
#define HALVED " if whole:\n  s[-1] = (a.shape[axes[-1]] - 1) * 2\n"
#define SHIFT(sign)                                                                                \
  " x = np.asarray(x)\n if axes is None:\n  axes = tuple(range(x.ndim))\n  shift = [" sign         \
  "(n // 2) for n in x.shape]\n"                                                                   \
  " elif isinstance(axes, int):\n  shift = " sign "(x.shape[axes] // 2)\n else:\n  shift = [" sign \
  "(x.shape[k] // 2) for k in axes]\n return np.roll(x, shift, axes)"
#define CHECK_COUNT                                                                                        \
  " if not isinstance(n, (int, np.integer)):\n  raise ValueError('n should be an integer')\n val = 1.0 / " \
  "(n * d)\n"
#define WINDOW(values)                                                                                     \
  " M = np.array([0.0, M])[1]\n if M < 1:\n  return np.array([])\n if M == 1:\n  return np.ones(1)\n n = " \
  "np.arange(1 - M, M, 2)\n return " values
#define SUM_OF(op)                                                                                             \
  " a1 = np.atleast_1d(a1)\n a2 = np.atleast_1d(a2)\n d = len(a2) - len(a1)\n if d > 0:\n  a1 = "              \
  "np.concatenate((np.zeros(d, a1.dtype), a1))\n elif d < 0:\n  a2 = np.concatenate((np.zeros(-d, a2.dtype), " \
  "a2))\n return a1 " op " a2"
  static constexpr Op rows[] = {
      {Library::numpy, "np.fft.fft(" LINE ")\nnp.fft.ifft(" LINE ")", Msg::op_fourier,
       "y[k] = sum of a[j] * exp(-2j * pi * j * k / n) along the axis; the axes keep the order of |strides|",
       "x = np.arange(4.)\ny = np.fft.fft(x)", nullptr, TRANSFORM("", "a.shape[axis]", "n", TO_COMPLEX)},
      {Library::numpy, "np.fft.rfft(" LINE ")\nnp.fft.ihfft(" LINE ")", Msg::op_fourier,
       "the first n // 2 + 1 of the numbers that fft gives", "x = np.arange(4.)\ny = np.fft.rfft(x)", nullptr,
       TRANSFORM(OF_REALS, "a.shape[axis]", "n // 2 + 1", TO_COMPLEX)},
      {Library::numpy, "np.fft.irfft(" LINE ")\nnp.fft.hfft(" LINE ")", Msg::op_fourier,
       "what rfft was given: n real numbers, 2 * (size - 1) if n is not given",
       "x = np.arange(4.)\ny = np.fft.irfft(x)", nullptr,
       TRANSFORM(" if called.endswith('.hfft'):\n  a = np.conjugate(a)\n", "(a.shape[axis] - 1) * 2", "n", TO_REAL)},
      {Library::numpy, "np.fft.fftn(a, s=None, axes=None, norm=None)\nnp.fft.fft2(a, s=None, axes=(-2, -1), norm=None)",
       Msg::op_fourier, "fft along one axis after the other, the last first", "x = np.ones((2, 3))\ny = np.fft.fftn(x)",
       nullptr, SEVERAL("") ALONG("fft")},
      {Library::numpy,
       "np.fft.ifftn(a, s=None, axes=None, norm=None)\nnp.fft.ifft2(a, s=None, axes=(-2, -1), norm=None)",
       Msg::op_fourier, "ifft along one axis after the other, the last first",
       "x = np.ones((2, 3))\ny = np.fft.ifft2(x)", nullptr, SEVERAL("") ALONG("ifft")},
      {Library::numpy,
       "np.fft.rfftn(a, s=None, axes=None, norm=None)\nnp.fft.rfft2(a, s=None, axes=(-2, -1), norm=None)",
       Msg::op_fourier, "rfft along the last axis, then fft along the others",
       "x = np.ones((2, 3))\ny = np.fft.rfft2(x)", nullptr, SEVERAL("") ROUND_REAL},
      {Library::numpy,
       "np.fft.irfftn(a, s=None, axes=None, norm=None)\nnp.fft.irfft2(a, s=None, axes=(-2, -1), norm=None)",
       Msg::op_fourier, "ifft along all axes but the last, then irfft along that",
       "x = np.ones((2, 3))\ny = np.fft.irfft2(x)", nullptr, SEVERAL(HALVED) BACK_REAL},
      {Library::numpy, "np.fft.fftshift(x, axes=None)", Msg::op_np_roll, "roll(x, size // 2) along each axis",
       "x = np.arange(5)\ny = np.fft.fftshift(x)", nullptr, SHIFT("")},
      {Library::numpy, "np.fft.ifftshift(x, axes=None)", Msg::op_np_roll, "roll(x, -(size // 2)) along each axis",
       "x = np.arange(5)\ny = np.fft.ifftshift(x)", nullptr, SHIFT("-")},
      {Library::numpy, "np.fft.fftfreq(n, d=1.0, device=None)", Msg::op_frequencies, "[0, 1, .., -2, -1] / (n * d)",
       "y = np.fft.fftfreq(4)", nullptr,
       CHECK_COUNT " y = np.empty(n, int)\n h = (n - 1) // 2 + 1\n y[:h] = np.arange(0, h, dtype=int)\n y[h:] = "
                   "np.arange(-(n // 2), 0, dtype=int)\n return y * val"},
      {Library::numpy, "np.fft.rfftfreq(n, d=1.0, device=None)", Msg::op_frequencies, "[0, 1, .., n // 2] / (n * d)",
       "y = np.fft.rfftfreq(4)", nullptr, CHECK_COUNT " return np.arange(0, n // 2 + 1, dtype=int) * val"},

      {Library::numpy, "np.hanning(M)", Msg::op_window,
       "0.5 + 0.5 * cos(pi * n / (M - 1)), n = 1 - M, 3 - M, .., M - 1", "y = np.hanning(5)", nullptr,
       WINDOW("0.5 + 0.5 * np.cos(np.pi * n / (M - 1))")},
      {Library::numpy, "np.hamming(M)", Msg::op_window,
       "0.54 + 0.46 * cos(pi * n / (M - 1)), n = 1 - M, 3 - M, .., M - 1", "y = np.hamming(5)", nullptr,
       WINDOW("0.54 + 0.46 * np.cos(np.pi * n / (M - 1))")},
      {Library::numpy, "np.blackman(M)", Msg::op_window,
       "0.42 + 0.5 * cos(pi * n / (M - 1)) + 0.08 * cos(2 * pi * n / (M - 1)), n = 1 - M, 3 - M, .., M - 1",
       "y = np.blackman(5)", nullptr,
       WINDOW("0.42 + 0.5 * np.cos(np.pi * n / (M - 1)) + 0.08 * np.cos(2.0 * np.pi * n / (M - 1))")},
      {Library::numpy, "np.bartlett(M)", Msg::op_window, "1 - |n| / (M - 1), n = 1 - M, 3 - M, .., M - 1",
       "y = np.bartlett(5)", nullptr, WINDOW("np.where(np.less_equal(n, 0), 1 + n / (M - 1), 1 - n / (M - 1))")},
      {Library::numpy, "np.kaiser(M, beta)", Msg::op_window,
       "i0(beta * sqrt(1 - (2 * n / (M - 1) - 1) ** 2)) / i0(beta), n < M", "y = np.kaiser(5, 2.)", nullptr,
       "? M = np.array([0.0, M, beta])[1]\n return np.ones(1) if M == 1 else np.arange(0, M)"},
      {Library::numpy, "np.i0(x)", Msg::op_np_unary, "the modified Bessel function of order 0",
       "y = np.i0(np.array([0., 1.]))", nullptr,
       "? x = np.asanyarray(x)\n if x.dtype.kind == 'c':\n  raise TypeError('i0 not supported for complex values')\n "
       "if "
       "x.dtype.kind != 'f':\n  x = x.astype(float)\n return np.zeros_like(np.abs(x))"},

      {Library::numpy,
       "np.cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None)",
       Msg::op_cov, "(X - mean) @ (X - mean).T / (n - 1), each row of X a variable",
       "x = np.array([[0., 1, 2], [2, 1, 0]])\ny = np.cov(x)", nullptr,
       R"( if ddof is not None and ddof != int(ddof):
  raise ValueError('ddof must be integer')
 m = np.asarray(m)
 if m.ndim > 2:
  raise ValueError('m has more than 2 dimensions')
 if y is not None:
  y = np.asarray(y)
  if y.ndim > 2:
   raise ValueError('y has more than 2 dimensions')
 if dtype is None:
  dtype = np.result_type(m, np.float64) if y is None else np.result_type(m, y, np.float64)
 X = np.array(m, ndmin=2, dtype=dtype)
 X = X if rowvar or m.ndim == 1 else X.T
 if len(X) == 0:
  return np.zeros(0).reshape(0, 0)
 if y is not None:
  more = np.array(y, copy=None, ndmin=2, dtype=dtype)
  X = np.concatenate([X, more if rowvar or len(more) == 1 else more.T])
 if ddof is None:
  ddof = 1 if bias == 0 else 0
 w = None
 for name, one in (('fweights', fweights), ('aweights', aweights)):
  if one is not None:
   one = np.asarray(one, dtype=float)
   if name == 'fweights' and not (one == np.around(one)).all():
    raise TypeError('fweights must be integer')
   if one.ndim > 1:
    raise RuntimeError(f'cannot handle multidimensional {name}')
   if one.shape[0] != X.shape[1]:
    raise RuntimeError(f'incompatible numbers of samples and {name}')
   if (one < 0).any():
    raise ValueError(f'{name} cannot be negative')
   aweights = one if name == 'aweights' else aweights
   if w is None:
    w = one
   else:
    w *= one
 mean, total = np.average(X, axis=1, weights=w, returned=True)
 if w is None:
  free = X.shape[1] - ddof
 else:
  free = total[0]
  if ddof != 0:
   free = free - (ddof if aweights is None else ddof * (w * aweights).sum() / free)
 X -= mean[:, None]
 c = X.dot((X if w is None else X * w).T.conj())
 c *= np.true_divide(1, free if free > 0 else 0.0)
 return c.squeeze())"},
      {Library::numpy, "np.corrcoef(x, y=None, rowvar=True, *, dtype=None)", Msg::op_cov,
       "cov(x) over the roots of its diagonal, from the left and from above",
       "x = np.array([[0., 1, 2], [2, 1, 0]])\ny = np.corrcoef(x)", nullptr,
       R"( c = np.cov(x, y, rowvar, dtype=dtype)
 if c.ndim == 0:
  return c / c
 s = np.sqrt(np.diag(c).real)
 c /= s[:, None]
 c /= s[None, :]
 c.real[...] = np.clip(c.real, -1, 1)
 if np.iscomplexobj(c):
  c.imag[...] = np.clip(c.imag, -1, 1)
 return c)"},
      {Library::numpy, "np.polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False)", Msg::op_np_polyfit,
       "the p that makes sum of (polyval(p, x) - y) ** 2 least", "x = np.arange(5.)\np = np.polyfit(x, x ** 2, 2)",
       nullptr,
       R"( order = int(deg) + 1
 x = np.asarray(x) + 0.0
 y = np.asarray(y) + 0.0
 if deg < 0:
  raise ValueError('expected deg >= 0')
 if x.ndim != 1:
  raise TypeError('expected 1D vector for x')
 if x.size == 0:
  raise TypeError('expected non-empty vector for x')
 if y.ndim < 1 or y.ndim > 2:
  raise TypeError('expected 1D or 2D array for y')
 if x.shape[0] != y.shape[0]:
  raise TypeError('expected x and y to have same length')
 if rcond is None:
  rcond = len(x) * np.finfo(x.dtype).eps
 lhs = np.vander(x, order)
 rhs = y
 if w is not None:
  w = np.asarray(w) + 0.0
  if w.ndim != 1:
   raise TypeError('expected a 1-d array for weights')
  if w.shape[0] != y.shape[0]:
   raise TypeError('expected w and y to have the same length')
  lhs *= w[:, None]
  rhs *= w[:, None] if rhs.ndim == 2 else w
 scale = np.sqrt((lhs * lhs).sum(axis=0))
 lhs /= scale
 c, resids, rank, s = np.linalg.lstsq(lhs, rhs, rcond)
 c = (c.T / scale).T
 if full:
  return (c, resids, rank, s, rcond)
 if not cov:
  return c
 V = np.linalg.inv(np.dot(lhs.T, lhs))
 V /= np.outer(scale, scale)
 fac = 1
 if cov != 'unscaled':
  if len(x) <= order:
   raise ValueError('the number of data points must exceed order to scale the covariance matrix')
  fac = resids / (len(x) - order)
 return (c, V * fac if y.ndim == 1 else V[:, :, None] * fac))"},
      {Library::numpy, "np.polyval(p, x)", Msg::op_np_polynomial,
       "p[0] * x ** (n - 1) + .. + p[n - 1], by Horner's rule", "y = np.polyval([1, 0, 2], np.arange(3))", nullptr,
       " p = np.asarray(p)\n x = np.asanyarray(x)\n y = np.zeros_like(x)\n for one in p:\n  y = y * x + one\n return "
       "y"},
      {Library::numpy, "np.polyadd(a1, a2)", Msg::op_np_polynomial, "a1 + a2, zeros in front of the shorter",
       "y = np.polyadd([1, 2], [3, 4, 5])", nullptr, SUM_OF("+")},
      {Library::numpy, "np.polysub(a1, a2)", Msg::op_np_polynomial, "a1 - a2, zeros in front of the shorter",
       "y = np.polysub([1, 2], [3, 4, 5])", nullptr, SUM_OF("-")},
      {Library::numpy, "np.polymul(a1, a2)", Msg::op_np_polynomial, "convolve(a1, a2), zeros in front trimmed before",
       "y = np.polymul([1, 2], [3, 4, 5])", nullptr,
       R"( parts = []
 for a in (a1, a2):
  a = np.atleast_1d(a)
  if a.ndim > 1:
   raise ValueError('Polynomial must be 1d only.')
  a = np.trim_zeros(a, trim='f')
  parts.append(a if len(a) else np.array([0], dtype=a.dtype))
 return np.convolve(parts[0], parts[1]))"},
      {Library::numpy, "np.polyder(p, m=1)", Msg::op_np_polynomial, "p[:-1] * [n - 1, .., 1], m times",
       "y = np.polyder([1, 2, 3])", nullptr,
       R"( m = int(m)
 if m < 0:
  raise ValueError('Order of derivative must be positive (see polyint)')
 p = np.asarray(p)
 for i in range(m):
  p = p[:-1] * np.arange(len(p) - 1, 0, -1)
 p[:-1] * np.arange(len(p) - 1, 0, -1)
 return p)"},
      {Library::numpy, "np.polyint(p, m=1, k=None)", Msg::op_np_polynomial, "[*(p / [n, .., 1]), k], m times",
       "y = np.polyint([3, 2, 1])", nullptr,
       R"( m = int(m)
 if m < 0:
  raise ValueError('Order of integral must be positive (see polyder)')
 k = np.atleast_1d(np.zeros(m, float) if k is None else k)
 if len(k) == 1 and m > 1:
  k = k[0] * np.ones(m, float)
 if len(k) < m:
  raise ValueError('k must be a scalar or a rank-1 array of length 1 or >m.')
 p = np.asarray(p)
 for i in range(m):
  p = np.concatenate((p / np.arange(len(p), 0, -1), [k[i]]))
 return p)"},
      {Library::numpy, "np.roots(p)", Msg::op_np_polynomial,
       "the eigenvalues of the matrix whose characteristic polynomial p is", "y = np.roots([1, -3, 2])", nullptr,
       R"( p = np.atleast_1d(p)
 if p.ndim != 1:
  raise ValueError('Input must be a rank-1 array.')
 used = np.nonzero(np.ravel(p))[0]
 if len(used) == 0:
  return np.array([])
 zeros = len(p) - used[-1] - 1
 p = p[int(used[0]):int(used[-1]) + 1]
 if p.dtype.kind not in 'fc':
  p = p.astype(float)
 roots = np.array([])
 if len(p) > 1:
  A = np.diag(np.ones((len(p) - 2,), p.dtype), -1)
  A[0, :] = -p[1:] / p[0]
  roots = np.linalg.eigvals(A)
 return np.hstack((roots, np.zeros(zeros, roots.dtype))))"},
      {Library::numpy, "np.unique_values(x)", Msg::op_unique, "unique(x, equal_nan=False)",
       "y = np.unique_values(np.array([2, 1, 2]))", nullptr, " return np.unique(x, equal_nan=False)"},
      {Library::numpy, "np.unique_counts(x)", Msg::op_unique, "(values, counts)",
       "values, counts = np.unique_counts(np.array([2, 1, 2]))", nullptr,
       "* return np.unique(x, return_counts=True, equal_nan=False)"},
      {Library::numpy, "np.unique_inverse(x)", Msg::op_unique, "(values, inverse_indices)",
       "values, places = np.unique_inverse(np.array([2, 1, 2]))", nullptr,
       "* return np.unique(x, return_inverse=True, equal_nan=False)"},
      {Library::numpy, "np.unique_all(x)", Msg::op_unique, "(values, indices, inverse_indices, counts)",
       "values, first, places, counts = np.unique_all(np.array([2, 1, 2]))", nullptr,
       "* return np.unique(x, True, True, True, equal_nan=False)"},
      {Library::numpy, "np.linalg.multi_dot(arrays, *, out=None)", Msg::op_matmul,
       "the product of a chain of matrices, in the cheapest order; vectors may stand at its ends",
       "x = np.ones((2, 3))\ny = np.linalg.multi_dot([x, x.T, x])", nullptr,
       R"( n = len(arrays)
 if n < 2:
  raise ValueError('Expecting at least two arrays.')
 if n == 2:
  return np.dot(arrays[0], arrays[1], out=out)
 arrays = [np.asanyarray(a) for a in arrays]
 first, last = arrays[0].ndim, arrays[-1].ndim
 if first == 1:
  arrays[0] = np.atleast_2d(arrays[0])
 if last == 1:
  arrays[-1] = np.atleast_2d(arrays[-1]).T
 for a in arrays:
  if a.ndim != 2:
   raise np.linalg.LinAlgError(f'{a.ndim}-dimensional array given. Array must be two-dimensional')
 p = [a.shape[0] for a in arrays] + [arrays[-1].shape[1]]
 if n == 3:
  A, B, C = arrays
  if A.shape[0] * A.shape[1] * (p[2] + C.shape[1]) - A.shape[0] * A.shape[1] * C.shape[1] + A.shape[0] * p[2] * C.shape[1] < A.shape[1] * C.shape[1] * (A.shape[0] + p[2]):
   result = np.dot(np.dot(A, B), C, out=out)
  else:
   result = np.dot(A, np.dot(B, C), out=out)
 else:
  cost = {}
  split = {}
  for i in range(n):
   cost[(i, i)] = 0
  for l in range(1, n):
   for i in range(n - l):
    j = i + l
    cost[(i, j)] = None
    for q in range(i, j):
     c = cost[(i, q)] + cost[(q + 1, j)] + p[i] * p[q + 1] * p[j + 1]
     if cost[(i, j)] is None or c < cost[(i, j)]:
      cost[(i, j)] = c
      split[(i, j)] = q
  def product(i, j):
   if i == j:
    return arrays[i]
   q = split[(i, j)]
   return np.dot(product(i, q), product(q + 1, j), out=out if j - i == n - 1 else None)
  result = product(0, n - 1)
 if first == 1 and last == 1:
  return result[0, 0]
 return result.ravel() if first == 1 or last == 1 else result)"},
      {Library::numpy, "np.linalg.cond(x, p=None)", Msg::op_condition,
       "the largest singular value over the smallest; else norm(x, p) * norm(inv(x), p)",
       "y = np.linalg.cond(np.eye(3))", nullptr,
       R"( x = np.asarray(x)
 if x.size == 0 and 0 in x.shape[-2:]:
  raise np.linalg.LinAlgError('cond is not defined on empty arrays')
 s = np.linalg.svd(x, compute_uv=False)
 if p is None or p == 2:
  return s[..., 0] / s[..., -1]
 if p == -2:
  return s[..., -1] / s[..., 0]
 np.linalg.det(x)
 if p != 'nuc':
  np.linalg.norm(x, p, axis=(-2, -1))
 return s[..., 0] * s[..., -1])"},
      {Library::numpy, "np.linalg.tensorinv(a, ind=2)", Msg::op_inverse,
       "inv of a seen as a matrix, its first ind axes the rows",
       "x = np.eye(6).reshape(2, 3, 6)\ny = np.linalg.tensorinv(x)", nullptr,
       R"( a = np.asarray(a)
 old = a.shape
 if ind <= 0:
  raise ValueError('Invalid ind argument.')
 prod = 1
 for k in old[ind:]:
  prod *= k
 return np.linalg.inv(a.reshape(prod, -1)).reshape(*(old[ind:] + old[:ind])))"},
      {Library::numpy, "np.linalg.tensorsolve(a, b, axes=None)", Msg::op_solve, "tensordot(a, y, y.ndim) == b",
       "x = np.eye(6).reshape(2, 3, 6)\ny = np.linalg.tensorsolve(x, np.ones((2, 3)))", nullptr,
       R"( a = np.asarray(a)
 b = np.asarray(b)
 n = a.ndim
 if axes is not None:
  allaxes = list(range(0, n))
  for k in axes:
   allaxes.remove(k)
   allaxes.insert(n, k)
  a = a.transpose(allaxes)
 old = a.shape[-(n - b.ndim):]
 prod = 1
 for k in old:
  prod *= k
 if a.size != prod ** 2:
  raise np.linalg.LinAlgError('Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])')
 res = np.linalg.solve(a.reshape(prod, prod), b.ravel())
 res.shape = old
 return res)"},
      {Library::numpy, "np.sort_complex(a)", Msg::op_sort, "sort(a), as complex numbers",
       "y = np.sort_complex([5, 3, 6])", nullptr,
       R"( b = np.array(a, copy=True)
 b.sort()
 if b.dtype.kind == 'c':
  return b
 return b.astype('F' if b.dtype.char in 'bhBH' else 'D'))"},
      {Library::numpy, "np.real_if_close(a, tol=100)", Msg::op_np_real,
       "the real part where all others are below tol machine epsilons", "y = np.real_if_close([1 + 0j, 2])", nullptr,
       R"( a = np.asanyarray(a)
 if a.dtype.kind != 'c':
  return a
 if tol > 1:
  tol = np.finfo(a.dtype).eps * tol
 return a.real if np.all(np.absolute(a.imag) < tol) else a)"},
      {Library::numpy, "np.asarray_chkfinite(a, dtype=None, order=None)", Msg::op_np_asarray,
       "asarray(a), if no element is infinite or NaN", "y = np.asarray_chkfinite([1, 2])", nullptr,
       R"( a = np.asarray(a, dtype=dtype, order=order)
 if a.dtype.kind in 'fc' and not np.isfinite(a).all():
  raise ValueError('array must not contain infs or NaNs')
 return a)"},
      {Library::numpy, "np.apply_over_axes(func, a, axes)", Msg::op_np_along,
       "func(a, axis) for one axis after the other",
       "x = np.arange(6).reshape(2, 3)\ny = np.apply_over_axes(np.sum, x, [0, 1])", nullptr,
       R"( val = np.asarray(a)
 n = a.ndim
 if np.array(axes).ndim == 0:
  axes = (axes,)
 for axis in axes:
  if axis < 0:
   axis = n + axis
  res = func(val, axis)
  if res.ndim != val.ndim:
   res = np.expand_dims(res, axis)
   if res.ndim != val.ndim:
    raise ValueError('function is not returning an array of the correct shape')
  val = res
 return val)"},
      {Library::numpy, "np.piecewise(x, condlist, funclist, *args=(), **kw)", Msg::op_np_piecewise,
       "funclist[i](x) where condlist[i] holds; the last where none does, if there is one more",
       "x = np.arange(-2., 3)\ny = np.piecewise(x, [x < 0], [-1, 1])", nullptr,
       R"( x = np.asanyarray(x)
 n2 = len(funclist)
 if np.isscalar(condlist) or (not isinstance(condlist[0], (list, np.ndarray)) and x.ndim != 0):
  condlist = [condlist]
 condlist = np.asarray(condlist, dtype=bool)
 n = len(condlist)
 if n == n2 - 1:
  condlist = np.concatenate([condlist, ~np.any(condlist, axis=0, keepdims=True)], axis=0)
 elif n != n2:
  raise ValueError(f'with {n} condition(s), either {n} or {n + 1} functions are expected')
 y = np.zeros_like(x)
 for cond, func in zip(condlist, funclist):
  if isinstance(func, (int, float, complex, np.generic, np.ndarray)):
   y[cond] = func
  else:
   vals = x[cond]
   if vals.size > 0:
    y[cond] = func(vals, *args, **kw) if kw else func(vals, *args)
 return y)"},
      {Library::numpy, "np.histogramdd(sample, bins=10, range=None, density=None, weights=None)",
       Msg::op_np_histogramdd, "how many points lie in each cell of a grid: (counts, edges)",
       "x = np.arange(6.).reshape(3, 2)\ncounts, edges = np.histogramdd(x, 2)", nullptr,
       R"( sample = np.asarray(sample) if hasattr(sample, 'shape') and len(sample.shape) == 2 else np.atleast_2d(sample).T
 if sample.ndim != 2:
  raise ValueError('too many values to unpack (expected 2)')
 D = sample.shape[1]
 if weights is not None:
  weights = np.asarray(weights)
 if not isinstance(bins, (list, tuple, np.ndarray)):
  bins = D * [bins]
 elif len(bins) != D:
  raise ValueError('The dimension of bins must be equal to the dimension of the sample x.')
 if range is None:
  range = (None,) * D
 elif len(range) != D:
  raise ValueError('range argument must have one entry per dimension')
 edges = []
 for i, bin in enumerate(bins):
  if np.ndim(bin) == 0:
   if bin < 1:
    raise ValueError(f'`bins[{i}]` must be positive, when an integer')
   ends = np.histogram_bin_edges(sample[:, i], 1, range[i])
   if not isinstance(bin, (int, np.integer)):
    raise TypeError(f'`bins[{i}]` must be an integer, when a scalar')
   edges.append(np.linspace(ends[0], ends[1], bin + 1))
  elif np.ndim(bin) == 1:
   edges.append(np.asarray(bin))
   if np.any(edges[i][:-1] > edges[i][1:]):
    raise ValueError(f'`bins[{i}]` must be monotonically increasing, when an array')
  else:
   raise ValueError(f'`bins[{i}]` must be a scalar or 1d array')
 nbin = [len(edge) + 1 for edge in edges]
 places = []
 total = 1
 for i, edge in enumerate(edges):
  place = np.searchsorted(edge, sample[:, i], side='right')
  place[sample[:, i] == edge[-1]] -= 1
  places.append(place)
  total *= nbin[i]
 hist = np.bincount(np.ravel_multi_index(tuple(places), nbin), weights, minlength=total)
 hist = hist.reshape(nbin).astype(float, casting='safe')
 hist = hist[tuple([slice(1, -1) for edge in edges])]
 if density:
  s = hist.sum()
  for i, edge in enumerate(edges):
   shape = np.ones(D, int)
   shape[i] = nbin[i] - 2
   hist = hist / np.diff(edge).reshape(shape)
  hist /= s
 return hist, edges)"},
      {Library::numpy, "np.histogram2d(x, y, bins=10, range=None, density=None, weights=None)", Msg::op_np_histogramdd,
       "how many points (x, y) lie in each cell of a grid: (counts, xedges, yedges)",
       "x = np.arange(4.)\ncounts, xs, ys = np.histogram2d(x, x, 2)", nullptr,
       R"( if len(x) != len(y):
  raise ValueError('x and y must have the same length.')
 if isinstance(bins, (list, tuple, np.ndarray)) and len(bins) != 1 and len(bins) != 2:
  bins = np.asarray(bins)
  bins = [bins, bins]
 hist, edges = np.histogramdd([x, y], bins, range, density, weights)
 return hist, edges[0], edges[1])"},
      {Library::numpy, "np.spacing(x)", Msg::op_np_unary, "how far the next number is from x, with its sign",
       "y = np.spacing(np.array([1., 2.]))", nullptr,
       " a = np.fabs(x)\n return np.copysign(np.nextafter(a, np.inf) - a, x)"},
      {Library::numpy, "np.float_power(x1, x2)", Msg::op_np_binary, "x1 ** x2 as float64, or complex128",
       "y = np.float_power(np.arange(3), 2)", nullptr,
       " kinds = [one if isinstance(one, (int, float, complex)) else np.asarray(one) for one in (x1, x2)]\n return "
       "np.power(x1, x2, dtype=np.result_type(kinds[0], kinds[1], np.float64))"},
      {Library::numpy, "np.ldexp(x1, x2)", Msg::op_np_binary, "x1 * 2 ** x2", "y = np.ldexp(np.arange(3.), 2)", nullptr,
       R"( t = np.fabs(x1).dtype
 if np.asarray(x2).dtype.kind not in 'biu':
  raise TypeError("ufunc 'ldexp' not supported for the input types")
 return np.multiply(x1, np.exp2(x2, dtype=np.float64).astype(t), dtype=t))"},
      {Library::numpy, "np.frexp(x)", Msg::op_np_unary, "(m, e): x = m * 2 ** e, 0.5 <= |m| < 1",
       "m, e = np.frexp(np.arange(3.))", nullptr, "? t = np.fabs(x) * 0\n return t, t.astype(np.int32)"},
      {Library::numpy, "np.modf(x)", Msg::op_np_unary, "(what is behind the point, what is before it)",
       "f, i = np.modf(np.array([1.5, -2.25]))", nullptr,
       R"( x = np.copysign(np.fabs(x), x)
 return np.copysign(np.fmod(np.where(np.isinf(x), x.dtype.type(0), x), x.dtype.type(1)), x), np.trunc(x))"},
      {Library::numpy, "np.bitwise_count(x)", Msg::op_np_unary, "how many bits of |x| are 1",
       "y = np.bitwise_count(np.arange(5))", nullptr,
       R"( if np.asarray(x).dtype.kind not in 'biu':
  raise TypeError("ufunc 'bitwise_count' not supported for the input types")
 n = np.asarray(x).itemsize
 x = np.abs(x).astype(np.uint64)
 if n < 8:
  x = x & (256 ** n - 1)
 x = x - ((x >> 1) & 0x5555555555555555)
 x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
 x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f
 return ((x * 0x0101010101010101) >> 56).astype(np.uint8))"},
      {Library::numpy, "np.packbits(a, /, axis=None, bitorder='big')", Msg::op_np_bits,
       "eight elements become a byte, 1 where they are not 0", "y = np.packbits([1, 0, 1])", nullptr,
       R"( a = np.asarray(a)
 if a.dtype.kind not in 'biu':
  raise TypeError('Expected an input array of integer or boolean data type')
 if bitorder not in ('big', 'little'):
  raise ValueError("'order' must be either 'little' or 'big'")
 if axis is None or a.ndim == 0:
  a = np.ravel(a)
  axis = 0
 np.flip(a, axis)
 b = np.swapaxes(a != 0, axis, -1)
 n = b.shape[-1]
 b = np.concatenate((b, np.zeros(b.shape[:-1] + (-n % 8,), bool)), axis=-1).reshape(b.shape[:-1] + ((n + 7) // 8, 8))
 w = np.array([128, 64, 32, 16, 8, 4, 2, 1] if bitorder == 'big' else [1, 2, 4, 8, 16, 32, 64, 128], np.uint8)
 y = np.sum(b * w, axis=-1, dtype=np.uint8)
 return np.array(np.swapaxes(y, axis, -1), order='F' if a.flags.f_contiguous and a.ndim > 1 else 'C'))"},
      {Library::numpy, "np.unpackbits(a, /, axis=None, count=None, bitorder='big')", Msg::op_np_bits,
       "a byte becomes eight elements, its bits", "y = np.unpackbits(np.array([5], dtype=np.uint8))", nullptr,
       R"( a = np.asarray(a)
 if a.dtype != np.uint8:
  raise TypeError('Expected an input array of unsigned byte data type')
 if bitorder not in ('big', 'little'):
  raise ValueError("'order' must be either 'little' or 'big'")
 if axis is None or a.ndim == 0:
  a = np.ravel(a)
  axis = 0
 np.flip(a, axis)
 b = np.swapaxes(a, axis, -1)
 k = np.arange(8, dtype=np.uint8)
 b = ((b[..., None] >> (7 - k if bitorder == 'big' else k)) & 1).reshape(b.shape[:-1] + (b.shape[-1] * 8,))
 n = b.shape[-1]
 if count is not None:
  if count < 0:
   if -count > n:
    raise ValueError(f'-count larger than number of elements')
   count = n + count
  b = np.concatenate((b[..., :count], np.zeros(b.shape[:-1] + (max(count - n, 0),), np.uint8)), axis=-1)
 return np.array(np.swapaxes(b, axis, -1), order='F' if a.flags.f_contiguous and a.ndim > 1 else 'C'))"},
      {Library::numpy, "np.common_type(*arrays: any = ())", Msg::op_np_result_type, "the floating type that holds all",
       "t = np.common_type(np.arange(3), np.zeros(2, np.float32))", nullptr,
       R"( types = []
 for a in arrays:
  if a.dtype.kind == 'b':
   raise TypeError("can't get common type for non-numeric array")
  types.append(np.dtype(np.float64) if a.dtype.kind in 'iu' else a.dtype)
 return np.result_type(*types).type)"},
      {Library::numpy, "np.base_repr(number, base=2, padding=0)", Msg::op_np_digits, "", "s = np.base_repr(10, 3)",
       nullptr,
       R"( digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
 if base > len(digits):
  raise ValueError('Bases greater than 36 not handled in base_repr.')
 if base < 2:
  raise ValueError('Bases less than 2 not handled in base_repr.')
 n = abs(int(number))
 text = '' if n else '0'
 for i in range(64):
  if n:
   text = digits[n % base] + text
   n //= base
 if not number and padding:
  text = ''
 if padding:
  text = '0' * padding + text
 return '-' + text if number < 0 else text)"},
      {Library::numpy, "np.binary_repr(num, width=None)", Msg::op_np_digits,
       "below 0 with a sign, or as two's complement where there is a width", "s = np.binary_repr(5, 8)", nullptr,
       R"( if not isinstance(num, (int, np.integer)):
  raise TypeError(f"'{type(num).__name__}' object cannot be interpreted as an integer")
 num = int(num)
 if num < 0 and width is None:
  return '-' + f'{-num:b}'
 if num == 0:
  return '0' * (width or 1)
 binary = f'{abs(num):b}'
 if num < 0:
  bits = len(f'{-num - 1:b}') if num < -1 else 0
  binary = f'{2 ** (bits + 1) + num:b}'
 if width is not None and width < len(binary):
  raise ValueError(f'Insufficient bit width={width!r} provided for binwidth={len(binary)!r}')
 if num > 0:
  return binary if width is None else binary.zfill(width)
 return '1' * (max(len(binary), width) - len(binary)) + binary)"},
  };
  return rows;
}

}  // namespace stridescope
