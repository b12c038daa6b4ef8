"""Real arrays and tensors as a program that makes the same layouts; neither library is imported for it."""

import sys

_DTYPES = {"bool", "bfloat16", "complex64", "complex128"} | {
    kind + bits for kind, sizes in (("int", "8 16 32 64"), ("uint", "8 16 32 64"), ("float", "16 32 64")) for bits in sizes.split()}
_MOST_VALUES = 1024  # of a storage whose values are written out; of a larger one the cells count themselves


class _View:
    """What is read of an array or tensor; bytes where it is NumPy's."""

    def __init__(self, value, name):
        self.name = name
        self.value = value
        if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "data_ptr"):
            self.library = "torch"
            self.dtype = str(value.dtype).removeprefix("torch.")
            if any(getattr(value, lazy, bool)() for lazy in ("is_conj", "is_neg")):
                raise TypeError("a tensor that is conjugated or negated when it is read: show x.resolve_conj().resolve_neg()")
            self.itemsize = value.element_size()
            self.strides = tuple(int(stride) * self.itemsize for stride in value.stride())
            storage = value.untyped_storage() if hasattr(value, "untyped_storage") else value.storage()
            self.begin = storage.data_ptr()
            self.end = self.begin + storage.nbytes()
            self.first = value.data_ptr()
        elif hasattr(value, "__array_interface__"):
            self.library = "numpy"
            self.dtype = value.dtype.name
            self.itemsize = value.itemsize
            self.strides = tuple(value.strides)
            self.first = value.__array_interface__["data"][0]
            owner = value
            while hasattr(owner.base, "__array_interface__"):
                owner = owner.base
            reaches = [reach for one in (value, owner) for reach in _reach(one)]
            self.begin, self.end = min(reaches), max(reaches)
        else:
            raise TypeError(f"{type(value).__qualname__} is neither a NumPy array nor a PyTorch tensor nor a program")
        if self.dtype not in _DTYPES:
            raise TypeError(f"elements of {value.dtype} are not shown, only numbers and booleans")
        self.sizes = tuple(int(size) for size in value.shape)


def _reach(array):
    """The first byte of an array and the one behind its last."""
    first = array.__array_interface__["data"][0]
    low = high = 0
    for size, stride in zip(array.shape, array.strides):
        if size == 0:
            return first, first
        low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
    return first + low, first + high + array.itemsize


class _Memory:
    """Views whose memory overlaps, of one library and dtype: one storage."""

    def __init__(self, view):
        self.views = [view]
        self.begin, self.end = view.begin, view.end

    def takes(self, view):
        one = self.views[0]
        return (view.library, view.dtype) == (one.library, one.dtype) and view.begin < self.end and self.begin < view.end and (
            view.begin - self.begin) % one.itemsize == 0

    def add(self, view):
        self.views.append(view)
        self.begin, self.end = min(self.begin, view.begin), max(self.end, view.end)


def _cells(memory, count):
    """What the whole storage holds, also where no view reads it."""
    value = memory.views[0].value
    if memory.views[0].library == "torch":
        return value.detach().as_strided((count,), (1,), 0).tolist()
    line = type("Line", (), {"__array_interface__": {
        "data": (memory.begin, True), "shape": (count,), "typestr": value.__array_interface__["typestr"], "version": 3}})
    return sys.modules["numpy"].asarray(line()).tolist()


def _text(number):
    """A number as a program writes it."""
    if isinstance(number, complex):
        return f"complex({_text(number.real)}, {_text(number.imag)})"
    return f"float('{number}')" if isinstance(number, float) and number - number != 0 else repr(number)


def _tuple(numbers):
    numbers = [str(number) for number in numbers]
    return "(" + ", ".join(numbers) + ("," if len(numbers) == 1 else "") + ")"


def _source(memory, name):
    """A line that makes the storage."""
    one = memory.views[0]
    count = (memory.end - memory.begin) // one.itemsize
    module = "torch" if one.library == "torch" else "np"
    if 0 < count <= _MOST_VALUES:
        make = "tensor" if module == "torch" else "array"
        values = ", ".join(map(_text, _cells(memory, count)))
        return f"{name} = {module}.{make}([{values}], dtype={module}.{one.dtype})"
    if one.dtype.startswith(("int", "uint", "float")):
        return f"{name} = {module}.arange({count}, dtype={module}.{one.dtype})"
    return f"{name} = {module}.zeros({count}, dtype={module}.{one.dtype})"


def program_of(*values, names=None):
    """The program that makes the same layouts: sizes, strides, offsets, sharing; values where they are few."""
    if not values:
        raise TypeError("nothing to show")
    names = names or (["x", "y", "z"] if len(values) <= 3 else [f"x{k}" for k in range(len(values))])
    memories = []
    for value, name in zip(values, names):
        view = _View(value, name)
        touching = [memory for memory in memories if memory.takes(view)]
        if touching:
            touching[0].add(view)
        else:
            memories.append(_Memory(view))
    lines = []
    for number, memory in enumerate(memories):
        storage = "storage" if len(memories) == 1 else f"storage{number}"
        lines.append(_source(memory, storage))
        for view in memory.views:
            offset = (view.first - memory.begin) // view.itemsize
            if view.library == "torch":
                strides = [stride // view.itemsize for stride in view.strides]
                lines.append(f"{view.name} = torch.as_strided({storage}, {_tuple(view.sizes)}, {_tuple(strides)}, {offset})")
            else:
                lines.append(f"{view.name} = np.lib.stride_tricks.as_strided({storage}[{offset}:], {_tuple(view.sizes)}, {_tuple(view.strides)})")
    imports = sorted({"import torch" if memory.views[0].library == "torch" else "import numpy as np" for memory in memories})
    return "\n".join(imports + lines) + "\n"
