#!/usr/bin/env python3
"""Prints the names of the installed library or of Python, as core/ops holds them, so that what the library has and the
engine does not is not called an error of the library's:

  names.py torch > core/ops/torch/names.inc        names.py numpy > core/ops/numpy/names.inc
  names.py python > core/ops/python/names.inc     names.py removed > core/ops/numpy/removed.inc
  stridescope operations | names.py arguments torch > core/ops/torch/arguments.inc     (numpy likewise)

`removed` are the names that NumPy has no more, with what it says of each; `arguments` those of the library's parameters
that rows of the table do not have, with a star before what is only given by name.

A name is written once, with all owners that have it. Classes of PyTorch's internals are left out.
Needs python3-torch or python3-numpy."""
import collections
import importlib
import inspect
import json
import re
import sys
import types

OWNERS = {
    "torch": ("torch.Tensor", "torch", "torch.Size", "torch.dtype", "torch.device", "torch.memory_format",
              "torch.accelerator", "torch.autograd", "torch.cuda", "torch.mps", "torch.xpu", "torch.backends",
              "torch.backends.cuda", "torch.backends.cudnn", "torch.backends.mps", "torch.linalg", "torch.fft", "torch.special", "torch.nn", "torch.nn.Module", "torch.nn.init",
              "torch.nn.functional", "torch.nn.utils", "torch.nn.utils.rnn", "torch.optim", "torch.optim.Optimizer", "torch.testing", "torch.utils", "torch.utils.data", "torch.utils.dlpack", "torch.storage.TypedStorage",
              "torch.storage.UntypedStorage"),
    "numpy": ("numpy.ndarray", "numpy", "numpy.int64", "numpy.dtype", "numpy.lib", "numpy.lib.array_utils", "numpy.lib.stride_tricks",
              "numpy.linalg", "numpy.fft", "numpy.emath", "numpy.testing", "numpy.random", "numpy._core.multiarray.flagsobj", "numpy.flatiter", "_ctypes",
              "numpy.broadcast", "numpy.ufunc", "numpy.nditer", "ndindex", "ndenumerate", "iinfo", "finfo", "numpy.random._generator.Generator"),
    "python": ("builtins", "array", "collections", "copy", "dataclasses", "functools", "io", "itertools", "math", "operator", "os", "os.path", "sys", "time", "timeit", "list", "tuple", "str", "int", "float", "bool", "complex", "range", "slice", "zip", "map",
               "enumerate", "list_reverseiterator", "NoneType", "ellipsis", "builtin_function_or_method", "type", "memoryview", "bytes", "bytearray", "array.array", "_io.BytesIO", "_io.BufferedReader", "_io.BufferedWriter", "_io.BufferedRandom", "dict",
               "set", "frozenset", "Exception", "NameError", "AttributeError", "modules"),
}
# Of Python's, those that are no name of builtins.
TYPES = {"list_reverseiterator": type(reversed([])), "NoneType": type(None), "ellipsis": type(...),
         "builtin_function_or_method": type(len)}
# Of modules, what is private, and, except in torch.nn, torch.autograd, torch.optim and torch.utils.data, classes of PyTorch's internals.
HIDDEN = {"torch": re.compile(r"_(?!_|debug_has_internal)|(?!Event$|Future$|Generator$|OutOfMemoryError$|Size$|Stream$|Sym[A-Z][a-z]+$|\w*Tensor$|\w*Storage$)[A-Z]\w*[A-Za-z]$"),
          "numpy": re.compile("_(?!_)"), "python": re.compile("_(?!_)")}
WIDTH = 112


def names_of(library, path):
    module, _, member = path.rpartition(".")
    try:
        if path == "modules":  # of the standard library
            return [name for name in sorted(sys.stdlib_module_names) if not HIDDEN[library].match(name)]
        if path == "_ctypes":  # of x.ctypes
            return dir(importlib.import_module("numpy").zeros(1).ctypes)
        if path.startswith("nd") or path.endswith("info"):
            return dir(getattr(importlib.import_module("numpy"), path))
        if path == "numpy.int64":  # of any scalar: some have methods that others have not
            numpy = importlib.import_module("numpy")
            return sorted({name for kind in (numpy.bool, numpy.int64, numpy.float64, numpy.complex128) for name in dir(kind)})
        owner = TYPES.get(path) or importlib.import_module(path)
    except ImportError:
        owner = getattr(importlib.import_module(module or "builtins"), member)
    hidden = re.compile("_(?!_)") if path.startswith(("torch.nn", "torch.autograd", "torch.optim", "torch.utils.data")) else HIDDEN[library]
    names = {*dir(owner), *getattr(owner, "_lazy_modules", ())}  # torch.onnx is imported where it is asked for
    if isinstance(owner, types.ModuleType):  # numpy does not tell of numpy.version
        names.update(vars(owner))
    if path.startswith("torch.backends."):  # stands before the module that has the functions
        names.update(dir(type(owner)), dir(getattr(owner, "m", owner)))
    return [name for name in names if not isinstance(owner, types.ModuleType) or not hidden.match(name)]


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


def rows(text, title):
    """The forms of one library in the reference of operations: name and parameters of each."""
    text = text[text.index(f"## {title}\n"):]
    end = text.find("\n## ", 1) + 1 or len(text)
    for name, inside in re.findall(r"^((?:x|np|torch)[\w.]*)\((.*)\)$", text[:end], re.MULTILINE):
        inside = re.sub(r"\([^()]*\)", "", inside)
        yield name, {re.split("[:= ]", part.strip().lstrip("*"))[0] for part in inside.split(",")} - {""}


def parameters(function):
    signature = inspect.signature(function).parameters.values()
    return {"*" * (p.kind is p.KEYWORD_ONLY) + p.name
            for p in signature if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)} - {"self"}


def takes_out(function):
    """Not every native form with an `out` is Python's to call: some arguments fit, or an error lists the parameter."""
    import torch
    one, table, index = torch.ones(2), torch.ones(2, 2), torch.tensor([1])
    whole, cube = one.to(torch.int32), torch.ones(2, 2, 2)
    for given in ((), (one,), (one, one), (table, 0), (2,), (2, 2), ((one,),), (table, table), (table,) * 3, (whole,),
                  (whole, whole), ((2,), 1.0), (0, 1, 3), (cube, cube), (one, 0, index), (one, index), (one, one > 0),
                  (table, 0, 0, 1), (table, 1, 0), (table, (2, 2)), (table, (2, 2), (1, 1))):
        try:
            function(*given, out=torch.zeros(2))
        except TypeError as error:
            if "Tensor out" not in str(error) and "Tensors out" not in str(error):
                continue
        except (RuntimeError, IndexError):
            pass
        return True
    return False


def torch_parameters(name):
    import torch
    owner, _, word = name.rpartition(".")
    path = name.split(".")[1:]
    function = getattr(torch.Tensor, word, None) if owner == "x" else torch
    for part in path if owner != "x" else ():
        function = getattr(function, part, None)
    try:
        return parameters(function)
    except (TypeError, ValueError):  # made of native functions
        found = set()
    if name in ("x.copy_", "x.to"):  # their parsers are written by hand
        return found
    native = "aten::" + {"torch.linalg": "linalg_", "torch.special": "special_", "torch.fft": "fft_"}.get(owner, "") + word
    for schema in torch._C._jit_get_all_schemas():
        types = [str(argument.type) for argument in schema.arguments]
        names = [argument.name for argument in schema.arguments]
        by_name = {argument.name for argument in schema.arguments if argument.kwarg_only}
        makes = {"dtype", "layout", "device", "pin_memory"} <= set(names)
        written = {argument.name for argument in schema.arguments if argument.is_out}
        if schema.name != native or not (makes or written or (types and types[0] == "Tensor")):
            continue
        if "name" in schema.overload_name.lower() and not makes:  # of named dimensions
            continue
        found |= {"input" if one == "self" and owner != "x" else "*" * (one in by_name) + one
                  for one in names if one not in written} - {"self"}
        found |= {"*out"} if written and owner != "x" and takes_out(function) else set()
        found |= {"*requires_grad"} if makes else set()
    return found


def numpy_parameters(name):
    import numpy
    owner, _, word = name.rpartition(".")
    function = numpy.ndarray if owner.startswith("x") else numpy
    for part in name.split(".")[1:]:
        function = getattr(function, part, None)
    if isinstance(function, numpy.ufunc):
        several = {"*axes", "*axis", "*keepdims"} if function.signature else {"*where"}
        return {"out", "*casting", "*order", "*dtype", "*subok", "*signature"} | several
    try:
        return parameters(function)
    except (TypeError, ValueError):
        before, _, after = (function.__doc__ or "").strip().split("\n\n")[0].partition("*,")
        return {*re.findall(r"(\w+)\s*=", before), *("*" + one for one in re.findall(r"(\w+)\s*=", after))}


def arguments(library):
    taken = collections.defaultdict(set)
    find = torch_parameters if library == "torch" else numpy_parameters
    have = collections.defaultdict(set)
    for name, known in rows(sys.stdin.read(), "PyTorch" if library == "torch" else "NumPy"):
        have[name] |= known
    for name, known in have.items():
        for one in (one for one in find(name) if one.lstrip("*") not in known):
            taken[one].add(re.sub("^np\\.", "numpy.", re.sub("^x\\.", ".", name)))
    groups = collections.defaultdict(list)
    for one, functions in taken.items():
        groups[tuple(sorted(functions))].append(one)
    print(f"// Parameters of {library} {importlib.import_module(library).__version__.split('+')[0]} that rows have not, from"
          " tests/oracle/names.py.")
    for functions, names in sorted(groups.items()):
        print(f'TAKES(" {" ".join(sorted(names))} ",\n  " "')
        print("\n".join(f'  "{line}"' for line in lines(functions)) + ")")


def main():
    library = sys.argv[1]
    if library == "arguments":
        return arguments(sys.argv[2])
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
