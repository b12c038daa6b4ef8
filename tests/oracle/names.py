#!/usr/bin/env python3
"""Prints the names of the installed library or of Python, as core/ops holds them, so that what the library has and the
engine does not is not called an error of the library's:

  names.py torch > core/ops/torch/names.inc        names.py numpy > core/ops/numpy/names.inc
  names.py python > core/ops/python_names.inc     names.py removed > core/ops/numpy/removed.inc

The last are the names that NumPy has no more, with what it says of each.

A name is written once, with all owners that have it. Classes of PyTorch's internals are left out.
Needs python3-torch or python3-numpy."""
import collections
import importlib
import json
import re
import sys
import types

OWNERS = {
    "torch": ("torch.Tensor", "torch", "torch.Size", "torch.dtype", "torch.device", "torch.memory_format",
              "torch.cuda", "torch.backends", "torch.linalg", "torch.nn",
              "torch.nn.functional", "torch.storage.TypedStorage",
              "torch.storage.UntypedStorage"),
    "numpy": ("numpy.ndarray", "numpy", "numpy.int64", "numpy.dtype", "numpy.lib", "numpy.lib.array_utils", "numpy.lib.stride_tricks",
              "numpy.linalg", "numpy.random", "numpy._core.multiarray.flagsobj", "numpy.flatiter", "_ctypes",
              "numpy.broadcast", "numpy.ufunc", "numpy.nditer", "ndindex", "ndenumerate", "iinfo", "finfo", "numpy.random._generator.Generator"),
    "python": ("builtins", "math", "list", "tuple", "str", "int", "float", "bool", "complex", "range", "slice", "zip", "map",
               "enumerate", "list_reverseiterator", "NoneType", "ellipsis", "builtin_function_or_method", "type", "memoryview", "bytes", "dict",
               "Exception", "NameError", "AttributeError"),
}
# Of Python's, those that are no name of builtins.
TYPES = {"list_reverseiterator": type(reversed([])), "NoneType": type(None), "ellipsis": type(...),
         "builtin_function_or_method": type(len)}
# Of modules, what is private, and, except in torch.nn, classes of PyTorch's internals.
HIDDEN = {"torch": re.compile(r"_(?!_|debug_has_internal)|(?!Generator$|Size$|\w*Tensor$|\w*Storage$)[A-Z]\w*[A-Za-z]$"),
          "numpy": re.compile("_(?!_)"), "python": re.compile("_(?!_)")}
WIDTH = 112


def names_of(library, path):
    module, _, member = path.rpartition(".")
    try:
        if path == "_ctypes":  # of x.ctypes
            return dir(importlib.import_module("numpy").zeros(1).ctypes)
        if path.startswith("nd") or path.endswith("info"):
            return dir(getattr(importlib.import_module("numpy"), path))
        owner = TYPES.get(path) or importlib.import_module(path)
    except ImportError:
        owner = getattr(importlib.import_module(module or "builtins"), member)
    hidden = re.compile("_(?!_)") if path.startswith("torch.nn") else HIDDEN[library]
    return [name for name in dir(owner) if not isinstance(owner, types.ModuleType) or not hidden.match(name)]


def lines(names):
    line = ""
    for name in names:
        if len(line) + len(name) > WIDTH:
            yield line
            line = ""
        line += name + " "
    yield line


def removed():
    numpy = importlib.import_module("numpy")
    expired = importlib.import_module("numpy._expired_attrs_2_0").__expired_attributes__
    print(f"// What numpy {numpy.__version__} says of names it has no more, from tests/oracle/names.py.")
    for name in sorted({*expired, *numpy.__former_attrs__}):
        try:
            getattr(numpy, name)
        except AttributeError as error:
            parts = [json.dumps(str(error)[at : at + WIDTH]) for at in range(0, len(str(error)), WIDTH)]
            print(f'REMOVED("{name}",\n  ' + "\n  ".join(parts) + ")")


def main():
    library = sys.argv[1]
    if library == "removed":
        return removed()
    owners = collections.defaultdict(list)
    for path in OWNERS[library]:
        for name in names_of(library, path):
            owners[name].append(path)
    groups = collections.defaultdict(list)
    for name, paths in owners.items():
        groups[tuple(paths)].append(name)
    version = sys.version if library == "python" else importlib.import_module(library).__version__
    print(f"// dir() of {library} {re.match('[0-9.]+', version)[0]}, from tests/oracle/names.py.")
    for paths, names in sorted(groups.items()):
        print(f'NAMES(" {" ".join(paths)} ",\n  " "')
        print("\n".join(f'  "{line}"' for line in lines(sorted(names))) + ")")


if __name__ == "__main__":
    main()
