#!/usr/bin/env python3
"""Runs programs in real PyTorch and NumPy and records, line by line, what they did (format: README.md).

  record.py < programs.jsonl > recorded.jsonl          {"id", "prog": [lines]} a line in, the same with "lines" out
  record.py --random N --seed S [--lib torch|numpy]     writes N random programs of its own and records them

Needs python3-torch and python3-numpy, and python3-einops for programs that import it; their versions are part of every record.
"""
import argparse
import array
import ast
import contextlib
import io
import json
import os
import re
import sys
import warnings
from importlib.metadata import version
from importlib.util import find_spec

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from recorded_values import elements, numbers, plain, readable, storage_of

# PyTorch has a kernel for each kind of processor, which round in other orders: recorded are those for AVX2.
os.environ.setdefault("ATEN_CPU_CAPABILITY", "avx2")
try:
    import torch
except ImportError:  # NumPy programs can be recorded without it
    torch = None

MADE = "_made_"  # what the value is called until its own names are bound
MOST_PARTS = 200  # of what is taken apart in one line
MOST_ELEMENTS = 1 << 24  # of an array whose program is recorded with values
if torch and torch.backends.cpu.get_cpu_capability() != "AVX2":
    print("record.py: PyTorch does not use AVX2 here (is /proc/cpuinfo there?); last digits will differ.", file=sys.stderr)
VERSIONS = {"numpy": np.__version__, "torch": torch.__version__.split("+")[0] if torch else None}
if find_spec("einops"):
    VERSIONS["einops"] = version("einops")


class Recorder:
    def __init__(self):
        self.names = {"np": np, "torch": torch, "as_strided": as_strided, "sliding_window_view": sliding_window_view}
        self.builtin = {*self.names, MADE}
        self.storages, self.memories, self.alive, self.numbered = {}, {}, [], 0
        self.decided = True  # whether the program alone decides all values
        self.state = {}  # of the live variables after the last line
        self.beyond = False  # whether a line made something foreign
        self.unset()

    @staticmethod
    def unset():
        """What the program before may have set for all that follow."""
        np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
        np.set_printoptions(edgeitems=3, threshold=1000, precision=8, suppress=False, linewidth=75, floatmode="maxprec",
                            nanstr="nan", infstr="inf", sign="-", formatter=None, legacy=False)
        if torch is not None:
            torch.set_default_dtype(torch.float32)
            torch.set_default_device(None)
            torch.set_grad_enabled(True)
            torch.set_printoptions(profile="default")
            torch.use_deterministic_algorithms(False)
            torch.autograd.set_detect_anomaly(False)

    # --- what is alive -------------------------------------------------------------------------------------------
    def live(self):
        """(name, object) of every tensor and array a name reaches, members as p[0], d['key'], lin.weight and x.grad."""
        for name, value in self.reached():
            yield name, value
            grad = self.grad_of(value)
            if grad is not None:
                yield f"{name}.grad", grad

    @staticmethod
    def grad_of(value):
        try:
            followed = torch is not None and isinstance(value, torch.Tensor) and (value.is_leaf or value.retains_grad)
        except RuntimeError:  # a view that no way leads back from any more
            return None
        return value.grad if followed else None

    def reached(self):
        for name, value in self.names.items():
            if name in self.builtin:
                continue
            if self.is_tensor(value):
                yield name, value
            elif isinstance(value, (tuple, list, dict)):
                for i, item in value.items() if isinstance(value, dict) else enumerate(value):
                    if self.is_tensor(item):
                        yield f"{name}[{i!r}]", item
            elif torch is not None and isinstance(value, torch.nn.Module):
                for own, item in [*value._parameters.items(), *value._buffers.items()]:
                    if self.is_tensor(item):
                        yield f"{name}.{own}", item

    @staticmethod
    def owner_name(name):
        """The variable that a name of live() begins with."""
        return re.split(r"[.[]", name)[0]

    @staticmethod
    def is_tensor(value):
        return isinstance(value, np.ndarray) or (torch is not None and isinstance(value, torch.Tensor))

    @classmethod
    def bound(cls, target):
        """The names that a target binds."""
        if isinstance(target, (ast.Tuple, ast.List)):
            return [name for part in target.elts for name in cls.bound(part)]
        if isinstance(target, ast.Starred):
            return cls.bound(target.value)
        return [target.id] if isinstance(target, ast.Name) else []

    @staticmethod
    def left_open(value, decides):
        """Whether it is a number that the program does not decide: there is no record of its kind without one."""
        return not decides and isinstance(value, (np.generic, float, complex))

    @staticmethod
    def owner(array):
        """The ndarray (or other object) that owns an array's memory."""
        base = array
        while True:
            if isinstance(base, np.nditer):
                under = next(one for one in base.operands if np.may_share_memory(one, array))
            elif isinstance(base, memoryview):
                under = base.obj
            else:
                under = getattr(base, "base", None)
            if under is None:
                break
            base = under
        return base

    def number(self, table, key, keep):
        self.alive.append(keep)  # an address must not be used again while the program runs
        self.numbered += 1
        return table.setdefault(key, self.numbered)

    def memory(self, value):
        if isinstance(value, np.ndarray):
            return ("np", id(self.owner(value)))
        return ("torch", storage_of(value)._cdata)

    def foreign(self, value):
        """Whether it is what the engine leaves aside: hundreds of objects, elements that are no numbers, integers of Python beyond 64 bits,
        memory beyond the array's own, sizes below 0 that a failed as_strided_ left, or resize((0, -1)), which looks at no
        size behind a 0."""
        if isinstance(value, (tuple, list)):
            parts = sum(self.is_tensor(one) or isinstance(one, np.generic) for one in value)
            return parts > MOST_PARTS or any(map(self.foreign, value))
        if isinstance(value, dict):
            return self.foreign(tuple(value.values()))
        if isinstance(value, int) and not -1 << 63 <= value < 1 << 63:
            return True
        numpy = isinstance(value, (np.ndarray, np.generic))
        if numpy and not numbers(value.dtype):
            return True
        if numpy and value.dtype.kind == "U" and not readable(value):
            return True
        if isinstance(value, np.ndarray) and value.size and isinstance(self.owner(value), np.ndarray):
            owner = self.owner(value)
            start = value.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
            steps = [(n - 1) * s for n, s in zip(value.shape, value.strides)]
            low, high = sum(min(s, 0) for s in steps), sum(max(s, 0) for s in steps)
            return start + low < 0 or start + high + value.itemsize > owner.nbytes
        if torch is not None and isinstance(value, torch.Tensor) and (
                value.dtype == torch.complex32 or any(value.names)):
            return True
        return self.is_tensor(value) and any(n < 0 for n in value.shape)

    # --- records -------------------------------------------------------------------------------------------------
    def record(self, value, skip=()):
        if value is None:
            return {"kind": "none"}
        if isinstance(value, np.ndarray):
            return self.array(value, skip)
        if torch is not None and isinstance(value, torch.Tensor):
            return self.tensor(value, skip)
        if isinstance(value, np.generic):
            return {"kind": "scalar", "dtype": str(value.dtype), "value": plain(value.item())}
        if torch is not None and isinstance(value, (torch.storage.TypedStorage, torch.UntypedStorage)):
            return {"kind": "storage", "size": len(value), "values": [plain(v) for v in value.tolist()]}
        if isinstance(value, (tuple, list)) and any(self.is_tensor(v) or isinstance(v, np.generic) for v in value):
            return {"kind": "tuple", "items": [self.record(v, skip) for v in value]}
        if isinstance(value, dict) and any(self.is_tensor(v) or isinstance(v, np.generic) for v in value.values()):
            return {"kind": "dict", "keys": self.simple(list(value)),
                    "items": [self.record(v, skip) for v in value.values()]}
        return {"kind": "value", "value": self.simple(value)}

    def simple(self, value):
        if isinstance(value, (tuple, list)):
            return [self.simple(v) for v in value]
        if " at 0x" in repr(value):
            return type(value).__name__
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, (float, complex)):
            return plain(value)
        if isinstance(value, np.dtype) or (torch is not None and isinstance(value, torch.dtype)):
            return str(value)
        return str(value)

    def others(self, value, skip):
        return [(n, v) for n, v in self.live() if v is not value and self.owner_name(n) not in skip]

    def same(self, value, skip):
        return next((n for n, v in self.live() if v is value and self.owner_name(n) not in skip), None)

    def named(self, base, skip):
        """The variable that is `base`, "<temp>" where none is."""
        if base is None:
            return None
        if type(base).__name__ == "DummyArray":
            return "<DummyArray>"
        return next((n for n, v in self.live() if v is base), "<temp>")

    def tensor(self, t, skip):
        r = {"kind": "tensor", "shape": list(t.shape), "stride": list(t.stride()), "offset": t.storage_offset(),
             "dtype": str(t.dtype).replace("torch.", ""), "itemsize": t.element_size(), "numel": t.numel(),
             "is_contiguous": t.is_contiguous()}
        if t.dim() == 4:
            r["channels_last"] = t.is_contiguous(memory_format=torch.channels_last)
        if t.dim() == 5:
            r["channels_last_3d"] = t.is_contiguous(memory_format=torch.channels_last_3d)
        r["storage"] = self.number(self.storages, self.memory(t), (t, storage_of(t)))  # set_ may let go of it
        r["storage_nbytes"] = storage_of(t).nbytes()
        r["is_view"] = t._is_view()
        r["base"] = self.named(t._base, skip) if t._is_view() else None
        r["same_as"] = self.same(t, skip)
        tensors = [(n, v) for n, v in self.others(t, skip) if isinstance(v, torch.Tensor)]
        r["shares"] = [n for n, v in tensors if self.memory(v) == self.memory(t)]
        r["values"] = elements(t)
        return r

    def array(self, a, skip):
        self.decided = self.decided and a.size <= MOST_ELEMENTS
        owner = self.owner(a)
        start, nbytes = 0, None
        if isinstance(owner, np.ndarray):
            start, nbytes = owner.__array_interface__["data"][0], owner.nbytes
        elif isinstance(owner, (bytes, bytearray, array.array)) and len(owner) > 0:
            lent = np.frombuffer(owner, np.uint8)
            start, nbytes = lent.__array_interface__["data"][0], lent.nbytes
        elif torch is not None and isinstance(owner, torch.Tensor):
            start, nbytes = storage_of(owner).data_ptr(), storage_of(owner).nbytes()
        flags = {k: bool(a.flags[k]) for k in ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED")}
        arrays = [(n, v) for n, v in self.others(a, skip) if isinstance(v, np.ndarray)]
        return {"kind": "array", "shape": list(a.shape), "strides": list(a.strides),
                "offset": a.__array_interface__["data"][0] - start, "dtype": str(a.dtype), "itemsize": a.itemsize,
                "ndim": a.ndim, "size": a.size, "nbytes": a.nbytes, "flags": flags,
                "mem": self.number(self.memories, self.memory(a), a),
                "mem_nbytes": nbytes,
                "base": self.named(a.base, skip), "same_as": self.same(a, skip),
                "shares": [n for n, v in arrays if self.memory(v) == self.memory(a)],
                "overlaps": [n for n, v in arrays if self.exactly_shares(a, v)],
                "values": elements(a)}

    @staticmethod
    def exactly_shares(a, b):
        try:
            return bool(np.shares_memory(a, b, max_work=100_000))
        except Exception:  # too hard within the bound
            return bool(np.may_share_memory(a, b))

    # --- a program -----------------------------------------------------------------------------------------------
    def snapshot(self):
        state = {}
        for name, v in self.live():
            if isinstance(v, np.ndarray):
                meta = {"shape": list(v.shape), "strides": list(v.strides)}
                values = elements(v)
            else:
                meta = {"shape": list(v.shape), "stride": list(v.stride()), "offset": v.storage_offset()}
                values = elements(v)
            state[name] = {**meta, "values": values}
        return state

    def decides(self, statement):
        """Whether the values of what this statement makes follow from the program (README.md: values)."""
        def kind(dtype):
            if isinstance(dtype, np.dtype):
                return dtype.kind
            return "f" if dtype.is_floating_point else "c" if dtype.is_complex else "i"

        def draws(node):
            own = self.names.get(node.id) if isinstance(node, ast.Name) else None
            random = isinstance(node, ast.Attribute) and (
                ast.unparse(node) == "np.random" or re.search(r"\bnn\.(Linear|Conv\w+|Embedding\w*|Bilinear|MultiheadAttention|Transformer\w*|\w+Cell|\w*Dropout\w*|RReLU)$", ast.unparse(node))
                or re.search(r"^(normal|uniform|random|exponential|geometric|cauchy|log_normal|bernoulli)_$", node.attr)
                or re.search(r"^(multinomial|bernoulli|poisson|rand(n|int|perm|_like|n_like|int_like)?)$", node.attr)
                or ast.unparse(node) == "torch.normal"
                or re.search(r"dropout|gumbel_softmax", node.attr) and "training=False" not in ast.unparse(statement)
                or node.attr == "rrelu" and "training=True" in ast.unparse(statement)
                # Last digits are the LAPACK's own.
                or node.attr == "matrix_power" and re.search(r"-\d", ast.unparse(statement))
                or node.attr == "matrix_norm" and re.search(r"nuc|, -?2\b|ord=-?2", ast.unparse(statement))
                or re.search(r"^(i?h?i?r?fft[n2]?|kaiser(_window)?|i0e?_?|i1|lgamma_?|gammaln|digamma_?|psi|erfinv_?|logit_?|entr|ndtri)$", node.attr)
                or re.search(r"^(xlogy_?|xlog1py|cdist|pdist|frexp|logcumsumexp|cond|matrix_exp|polyfit|roots|tensor(inv|solve))$", node.attr)
                or re.search(r"^((inv|cholesky|solve|lu_factor)_ex|lu_(factor|solve)|cholesky_(solve|inverse)|triangular_solve)$", node.attr)
                or re.search(r"^(?!np\.).*\.(sinc_?|logspace)$", ast.unparse(node))
                or re.search(r"^(inv(erse)?|(log|slog)?det|cholesky|eig(h|vals|valsh)?|qr|svd(vals)?|pinv(erse)?|lu|lstsq|solve(_triangular)?|matrix_rank)$", node.attr))
            return random or isinstance(own, np.random.Generator)

        if any(map(draws, ast.walk(statement))):
            return False
        for node in ast.walk(statement):
            name = getattr(getattr(node, "func", None), "attr", "")
            given = {word.arg for word in getattr(node, "keywords", []) if ast.unparse(word.value) != "None"}
            uninitialised = "where" in given and "out" not in given and name != "copyto"  # elements that where= leaves out
            uninitialised |= name in ("empty", "empty_like") and ast.unparse(node.func.value) == "np"
            uninitialised |= name == "ndarray" and "buffer" not in given and len(node.args) < 3
            uninitialised |= name == "Tensor" and not any(isinstance(one, (ast.List, ast.Tuple)) for one in node.args)
            if uninitialised or name == "view" and (node.args or node.keywords):
                try:
                    if uninitialised and eval(ast.unparse(node), self.names) is not None:
                        return False
                    made, given = (kind(eval(ast.unparse(part), self.names).dtype) for part in (node, node.func.value))
                except Exception:
                    continue
                if made in "fc" and given not in "fc":
                    return False
        return True

    def settled(self, records):
        """The records, without values where the program does not decide them."""
        def without(value):
            if isinstance(value, dict):
                # Nor whether they are others than before.
                changed = {k: v for k, v in value.get("changed", {}).items() if list(v) != ["values"]}
                value = {**value, "changed": changed} if "changed" in value else value
                if value.get("kind") == "scalar" or value.pop("read", False):
                    value = {**value, "value": None}
                if "out" in value:
                    value = {**value, "out": None}
                return {k: None if k == "values" else without(v) for k, v in value.items() if k != "changed" or v}
            return [without(v) for v in value] if isinstance(value, list) else value

        records = without(records) if not self.decided else records
        return [{k: v for k, v in record.items() if k != "read"} for record in records]

    def run(self, line):
        self.written = io.StringIO()
        with contextlib.redirect_stdout(self.written):
            record = self.perform(line)
        if self.written.getvalue():
            record["out"] = self.written.getvalue()
        return record

    def perform(self, line):
        before = self.state
        tensors = [v for _, v in self.live() if torch is not None and isinstance(v, torch.Tensor)]
        held = [(v, storage_of(v).nbytes()) for v in tensors]
        statement = ast.parse(line).body[0]
        if ".resize(" in line:  # NumPy counts who holds an array: only names may
            held_by_name = {self.memory(v) for _, v in self.live()}
            for table in (self.storages, self.memories):
                for key in [key for key in table if key not in held_by_name]:
                    del table[key]
            self.alive = []
        decides = self.decides(statement)
        self.written.truncate(self.written.seek(0))  # what evaluating parts of it wrote
        self.decided = self.decided and decides
        assigned = statement.targets if isinstance(statement, ast.Assign) else []
        targets = [name for target in assigned for name in self.bound(target)]
        unpack = any(isinstance(target, (ast.Tuple, ast.List)) for target in assigned)
        try:
            if isinstance(statement, ast.Expr):
                value = eval(line, self.names)
                self.beyond |= self.foreign(value) or self.left_open(value, decides)
                record = self.record(value)
                if record["kind"] == "value" and re.search(r"\.(item|tolist)\(\)$", line):
                    record["read"] = True  # it is made of elements
            elif targets:
                value = eval(ast.unparse(statement.value), self.names)
                self.beyond |= self.foreign(value) or self.left_open(value, decides)
                record = self.record(value)
                self.names[MADE] = value
                for target in assigned:
                    exec(f"{ast.unparse(target)} = {MADE}", self.names)
                self.builtin.difference_update(targets)
            else:
                exec(line, self.names)
                record = {"kind": "none"}
                self.decided = self.decided and not re.search(r"\.dtype = ", line)
        except Exception as e:
            record = {"kind": "error", "type": type(e).__name__, "msg": str(e)}
            # A set of names is printed in another order each time.
            if isinstance(e, TypeError) or type(e).__name__ == "EinopsError" and re.search(r"\{[^{}:]+, [^{}:]+\}$", str(e)):
                record["parser"] = True
            for name in targets:
                self.names.pop(name, None)
        self.names.pop(MADE, None)
        if targets:
            record["targets"] = targets
            if unpack:
                record["unpack"] = True
        self.beyond |= any(self.foreign(v) for _, v in self.live())
        self.decided = self.decided and all(storage_of(v).nbytes() <= nbytes for v, nbytes in held)  # by resize_
        self.state = after = self.snapshot()
        changed = {}
        for name, old in before.items():
            if self.owner_name(name) in targets or name not in after:
                continue
            different = {k: after[name][k] for k in after[name] if after[name][k] != old.get(k)}
            if different:
                changed[name] = different
        if changed:
            record["changed"] = changed
        return record


def record(program):
    recorder = Recorder()
    return recorder.settled([recorder.run(line) for line in program])


def written(lib, seed):
    from random_programs import write_program  # beside this file
    lines, records = write_program(lib, seed, Recorder)
    return {"lib": lib, "prog": lines, "lines": records}


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--random", type=int, help="how many programs to write and record")
    args.add_argument("--seed", type=int, default=0)
    args.add_argument("--lib", choices=["torch", "numpy"])
    args = args.parse_args()
    if args.random:
        programs = ({"id": f"{lib}-{args.seed}-{i}", **written(lib, f"{args.seed}/{i}")}
                    for i in range(args.random) for lib in ([args.lib] if args.lib else ["torch", "numpy"]))
    else:
        programs = ({**case, "lines": record(case["prog"])} for case in map(json.loads, filter(str.strip, sys.stdin)))
    warnings.simplefilter("ignore")
    for case in programs:
        print(json.dumps({**case, "versions": VERSIONS}, allow_nan=False), flush=True)


if __name__ == "__main__":
    main()
