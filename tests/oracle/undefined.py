"""Statements whose outcome the libraries leave open, or leave to the machine: no random program holds one."""
import ast
import re

import numpy as np

try:
    import torch
except ImportError:
    torch = None

MOST_TERMS = 256  # of a sum of 32-bit numbers that is the same to six digits in whatever order it is added up
DOTS = ("dot", "vdot", "vecdot", "inner", "matmul", "mv", "mm", "bmm", "linear", "einsum", "tensordot", "addmm", "addmm_",
        "addmv", "addmv_", "baddbmm", "baddbmm_", "multi_dot")


def undefined(statement, names):
    """Whether the outcome of the statement is not the library's to say."""
    def value(node):
        try:
            return eval(ast.unparse(node), names)
        except Exception:
            return None

    return any(test(node, value) for node in ast.walk(statement) for test in TESTS)


def index_is_written(node, value):
    """x[x] = v: NumPy checks an array of indices once and reads it again while it writes, so an index that is written
    meanwhile points anywhere, even outside (array_assign_subscript in mapping.c). PyTorch refuses it where both lie in
    memory without overlap, else it is the same."""
    if not isinstance(node, (ast.Assign, ast.AugAssign)):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in (one for one in targets if isinstance(one, ast.Subscript)):
        array = value(target.value)
        keys = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        if torch is not None and isinstance(array, torch.Tensor):
            memory = array.untyped_storage().data_ptr()
            if any(isinstance(key, torch.Tensor) and key is not array and key.dim() and not key.is_floating_point()
                   and key.untyped_storage().data_ptr() == memory for key in map(value, keys)):
                return True
        if not isinstance(array, np.ndarray):
            continue
        if any(isinstance(key, np.ndarray) and key.dtype != bool and key.ndim and np.may_share_memory(key, array)
               for key in map(value, keys)):
            return True
    return False


def cells_overlap(node, value):
    """A write to elements that lie across each other: NumPy's documentation of as_strided calls it unpredictable."""
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        written = [target.value if isinstance(target, (ast.Subscript, ast.Attribute)) else target for target in targets
                   if isinstance(node, ast.AugAssign) or isinstance(target, (ast.Subscript, ast.Attribute))]
        written += [one.value for one in written if isinstance(one, ast.Attribute)]  # x.flat[0]
    elif isinstance(node, ast.Call):
        written = [word.value for word in node.keywords if word.arg == "out"] + node.args[:1]
        written += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        if getattr(node.func, "attr", "") not in ("copyto", "fill", "put", "place", "putmask", "sort", "partition") and \
                not any(word.arg == "out" for word in node.keywords):
            return False
    else:
        return False
    constant = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    return any(lie_across(array, partly=constant) for array in map(value, written) if isinstance(array, np.ndarray))


def lie_across(array, partly):
    """Whether elements share bytes; `partly` where those that share all of them do not count."""
    if array.size > 100_000 or not array.size:
        return False
    start = np.zeros((), np.int64)
    for size, stride in zip(array.shape, array.strides):
        start = np.add.outer(start, np.arange(size) * stride)
    start = np.sort(start.ravel())
    start = np.unique(start) if partly else start
    return bool((np.diff(start) < array.itemsize).any())


def sum_has_no_order(node, value):
    """A product of vectors, whose terms a BLAS adds up in an order of its own; and of complex ones, which Debian's
    returns otherwise than PyTorch reads them (README.md)."""
    if torch is None:
        return False
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        operands = [node.left, node.right]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DOTS:
        operands = [node.func.value, *node.args, *[word.value for word in node.keywords]]
    else:
        return False
    tensors = [one for one in map(value, operands) if isinstance(one, torch.Tensor)]
    if sum(one.dim() == 1 and one.is_complex() for one in tensors) > 1:
        return True
    return any(one.numel() > MOST_TERMS and one.dtype in (torch.float32, torch.complex64) for one in tensors)


def copied_within(node, value):
    """x[..] = y where both are one memory read as two dtypes: what is written is read again, or is not."""
    if torch is None or not isinstance(node, (ast.Assign, ast.Call)):
        return False
    if isinstance(node, ast.Assign):
        pairs = [(target.value, node.value) for target in node.targets if isinstance(target, ast.Subscript)]
    else:
        name = getattr(node.func, "attr", "")
        pairs = [(node.func.value, one) for one in node.args] if name.endswith("_") and name != "_" else []
    pairs = [(value(a), value(b)) for a, b in pairs]
    return any(isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.dtype != b.dtype
               and a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr() for a, b in pairs)


def power_below_0(node, value):
    """x **= -2 of integers: an error, but NumPy has written to x by then what its buffer happened to hold."""
    if not (isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Pow)):
        return False
    array, exponent = value(node.target), value(node.value)
    return isinstance(array, np.ndarray) and array.dtype.kind in "iu" and exponent is not None and bool(np.any(
        np.less(np.real(exponent), 0)))


def address_of_nothing(node, value):
    """How far an empty tensor is from its storage: PyTorch says 0 for the address of the one, not of the other."""
    if not (isinstance(node, (ast.BinOp, ast.Compare)) and "data_ptr()" in ast.unparse(node)):
        return False
    owners = (part.func.value for part in ast.walk(node)
              if isinstance(part, ast.Call) and getattr(part.func, "attr", "") == "data_ptr")
    return any(one is not None and (one.numel() if hasattr(one, "numel") else len(one)) == 0 for one in map(value, owners))


def order_is_open(node, value):
    """partition and argpartition: "The order of all elements in the partitions is undefined" (NumPy's documentation), and
    argsort, which is not stable unless it is asked to be. What is equal, or stands between two places that are fixed,
    stands as the processor's instructions have it."""
    name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
    if name not in ("partition", "argpartition", "argsort"):
        return False
    owner = node.func.value
    method = not (isinstance(owner, ast.Name) and owner.id == "np")
    given = [value(one) for one in node.args]
    array = value(owner) if method else given[0] if given else value(next(
        (word.value for word in node.keywords if word.arg == "a"), ast.Constant(None)))
    if array is None or torch is not None and isinstance(array, torch.Tensor):
        return False
    words = {word.arg: value(word.value) for word in node.keywords if word.arg != "a"}
    given = given[0 if method else 1:]
    try:
        array = np.array(array)
        getattr(np, name)(array, *given, **words)
        bound = dict(zip(("axis", "kind") if name == "argsort" else ("kth", "axis"), given)) | words
        axis = bound.get("axis", -1)
        ordered = np.moveaxis(np.sort(array if axis is not None else array.ravel(), axis=-1 if axis is None else axis),
                              -1 if axis is None else axis, -1)
        equal = ordered[..., 1:] == ordered[..., :-1]
        if name == "argsort":
            return bound.get("kind") not in ("stable", "mergesort") and not bound.get("stable") and bool(equal.any())
        n = ordered.shape[-1]
        fixed = {int(k) % n for k in np.atleast_1d(bound["kth"])}
        loose = [k for k in range(1, n) if k not in fixed and k - 1 not in fixed]
        return bool(loose) if name == "argpartition" and not equal.any() else \
            bool(equal.any()) if name == "argpartition" else not bool(equal[..., [k - 1 for k in loose]].all())
    except Exception:
        return False


def roots_are_near(node, value):
    """eig and eigvals of a matrix with eigenvalues that are equal: whether they are real, and so the dtype, hangs on how
    the LAPACK rounds."""
    name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
    if name not in ("eig", "eigvals"):
        return False
    for one in [*node.args[:1], *[word.value for word in node.keywords if word.arg in ("a", "A", "input")]]:
        try:
            array = np.array(value(one), dtype=float)
            roots = np.linalg.eigvals(array)
        except Exception:
            continue
        if array.size and (np.tril(array) != array).any() and (np.triu(array) != array).any():
            apart = np.abs(roots[..., :, None] - roots[..., None, :]) + np.eye(array.shape[-1]) * 1e9
            if array.shape[-1] > 1 and apart.min() < 1e-6 * max(np.abs(roots).max(), 1):
                return True
    return False


def exp_is_large(node, value):
    """The last digits of exp are the machine's, and are whole numbers where it is large: a cast to integers shows them,
    and another exp or cosh makes more than the last digits of them."""
    name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
    if name not in ("exp", "exp_", "cosh", "sinh"):
        return False
    array = value(node.args[0] if node.args and name != "exp_" else node.func.value)
    if torch is not None and isinstance(array, torch.Tensor):
        parts = array.real if array.is_complex() else array
        return name == "exp_" and array.numel() > 0 and bool(parts.double().abs().max() > 8)
    return isinstance(array, np.ndarray) and array.size and array.dtype.kind in "biufc" and np.abs(array).max() > 8


def threads_decide(node, value):
    """A convolution whose kernel is one pixel, of channels that are last in memory: with several threads PyTorch leaves
    it to oneDNN, which keeps the channels last, with one it does not."""
    if not (isinstance(node, ast.Call) and re.match(r"conv\dd$", getattr(node.func, "attr", ""))):
        return False
    given = [*node.args, *[word.value for word in node.keywords if word.arg in ("input", "weight")]]
    image, kernel = (value(one) for one in given[:2]) if len(given) > 1 else (None, None)
    return (torch is not None and isinstance(image, torch.Tensor) and isinstance(kernel, torch.Tensor)
            and kernel.dim() > 3 and tuple(kernel.shape[-2:]) == (1, 1) and not image.is_contiguous())


def processor_decides(node, value):
    """A convolution of an image by weights of another dtype: PyTorch leaves it to oneDNN where the processor multiplies
    bfloat16, and of float32 and one pixel where there are several threads, and the two refuse it in other words."""
    if not (isinstance(node, ast.Call) and re.match(r"conv(_transpose)?\dd$", getattr(node.func, "attr", ""))):
        return False
    given = [value(one) for one in [*node.args, *[word.value for word in node.keywords]]]
    tensors = [one for one in given if torch is not None and isinstance(one, torch.Tensor)]
    if len(tensors) < 2 or tensors[0].dtype is tensors[1].dtype:
        return False
    image, kernel = tensors[:2]
    return image.dtype is torch.bfloat16 or image.dtype is torch.float32 and set(kernel.shape[2:]) == {1}


def loss_of_none(node, value):
    """multi_margin_loss of no images: PyTorch makes room for one number and writes nothing there."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "multi_margin_loss"):
        return False
    given = [value(one) for one in [*node.args[:1], *[word.value for word in node.keywords if word.arg == "input"]]]
    return torch is not None and any(isinstance(one, torch.Tensor) and one.numel() == 0 for one in given)


def sinh_is_large(node, value):
    """sinh and cosh of what exp makes infinite and they do not: SLEEF's vectors say infinite, the numbers that are left
    over beside whole vectors do not."""
    name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
    if torch is None or name not in ("sinh", "cosh", "sinh_", "cosh_"):
        return False
    tensors = [value(one) for one in [node.func.value, *node.args]]
    return any(isinstance(one, torch.Tensor) and one.is_floating_point() and one.numel()
               and bool(one.double().abs().max() > (709.7 if one.dtype == torch.float64 else 88.7)) for one in tensors)


def number_beyond_none(node, value):
    """x[1] of a tensor without dimensions: PyTorch asks for the size of a dimension that is not there, and what is found
    depends on what the memory held before."""
    if torch is None or not isinstance(node, ast.Subscript):
        return False
    owner, key = value(node.value), value(node.slice)
    return isinstance(owner, torch.Tensor) and owner.dim() == 0 and type(key) is int and key != 0


def reads_beyond(node, value):
    """median along a dimension of an expanded tensor: PyTorch 2.6 reads beyond its storage."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("median", "nanmedian")):
        return False
    tensors = [value(one) for one in [node.func.value, *node.args, *[word.value for word in node.keywords]]]
    return torch is not None and any(isinstance(one, torch.Tensor) and one.numel() and
        one.untyped_storage().nbytes() < one.numel() * one.element_size() for one in tensors)


def goes_wrong(node, value):
    """Transposed convolutions of several images in float32: Debian's oneDNN leaves out part of their sums."""
    if not (isinstance(node, ast.Call) and re.match(r"conv_transpose\d?d$", getattr(node.func, "attr", ""))):
        return False
    given = [*node.args, *[word.value for word in node.keywords if word.arg == "input"]]
    image = value(given[0]) if given else None
    return (torch is not None and isinstance(image, torch.Tensor) and image.dim() > 0
            and image.dtype != torch.float64 and image.shape[0] > 1)


def left_beyond(node, value):
    """x.set_(y, -1, ..): PyTorch has taken the storage of y, and sizes before it looks at strides and offset, by the time
    it refuses one of them, and x keeps what it took."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "set_"):
        return False
    numbers = []
    for one in map(value, [*node.args[1:], *[word.value for word in node.keywords if word.arg != "source"]]):
        numbers += one if isinstance(one, (list, tuple)) else [one]
    return any(isinstance(one, int) and one < 0 for one in numbers)


def written_while_read(node, value):
    """x.index_put_((i,), x[1:]), x.addmm_(x, y): what is written is read again while it is written, in an order of the
    machine's; so are sums written where elements share a cell."""
    if torch is None or not (isinstance(node, ast.Call) and
                             re.match(r"index_put|b?add(b?mm|mv)_$", getattr(node.func, "attr", ""))):
        return False
    tensors = []
    for one in map(value, [node.func.value, *node.args, *[word.value for word in node.keywords]]):
        tensors += one if isinstance(one, (list, tuple)) else [one]
    tensors = [one for one in tensors if isinstance(one, torch.Tensor) and one.numel()]
    memory = [one.untyped_storage().data_ptr() for one in tensors]
    return len(set(memory)) < len(memory) or any(one.untyped_storage().nbytes() < one.numel() * one.element_size()
                                                 for one in tensors[:1])


TESTS = (threads_decide, processor_decides, loss_of_none, sinh_is_large, order_is_open, roots_are_near, number_beyond_none, reads_beyond, goes_wrong, power_below_0, copied_within, exp_is_large, index_is_written, cells_overlap, sum_has_no_order,
         address_of_nothing, left_beyond, written_while_read)
