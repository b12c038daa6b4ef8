#!/usr/bin/env python3
"""Prints the public names of the installed library, as core/ops holds them, so that what the library has and the
engine does not is not called an error of the library's:

  names.py torch > core/ops/torch/names.inc        names.py numpy > core/ops/numpy/names.inc

A name is written once, with all owners that have it. Classes of PyTorch's internals are left out.
Needs python3-torch or python3-numpy."""
import collections
import importlib
import re
import sys

OWNERS = {
    "torch": ("torch.Tensor", "torch", "torch.Size", "torch.dtype", "torch.linalg"),
    "numpy": ("numpy.ndarray", "numpy", "numpy.int64", "numpy.dtype", "numpy.lib.stride_tricks", "numpy.linalg",
    "numpy.random"),
}
HIDDEN = {"torch": re.compile(r"_|(?!Generator$|Size$|\w*Tensor$|\w*Storage$)[A-Z]\w*[A-Za-z]$"),
    "numpy": re.compile("_")}
WIDTH = 112


def names_of(path):
    module, _, member = path.rpartition(".")
    try:
        owner = importlib.import_module(path)
    except ImportError:
        owner = getattr(importlib.import_module(module), member)
    return [name for name in dir(owner) if not HIDDEN[path.split(".")[0]].match(name)]


def lines(names):
    line = ""
    for name in names:
        if len(line) + len(name) > WIDTH:
            yield line
            line = ""
        line += name + " "
    yield line


def main():
    library = sys.argv[1]
    owners = collections.defaultdict(list)
    for path in OWNERS[library]:
        for name in names_of(path):
            owners[name].append(path)
    groups = collections.defaultdict(list)
    for name, paths in owners.items():
        groups[tuple(paths)].append(name)
    print(f"// dir() of {library} {importlib.import_module(library).__version__.split('+')[0]}, from tests/oracle/names.py.")
    for paths, names in sorted(groups.items()):
        print(f'NAMES(" {" ".join(paths)} ",\n  " "')
        print("\n".join(f'  "{line}"' for line in lines(sorted(names))) + ")")


if __name__ == "__main__":
    main()
