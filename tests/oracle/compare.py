#!/usr/bin/env python3
"""Holds the engine's records against recorded answers of the real libraries.

  compare.py --run "build/bin/stridescope trace --jsonl" recorded.jsonl…   [--show N] [--operations]

A line agrees when every recorded field does (format: README.md). Identities of storages are compared up to renaming
within a program, errors the argument parser raised by their type alone. Exit status 1 where any line differs."""
import argparse
import ast
import collections
import json
import shlex
import subprocess
import sys

ROUNDING = 1e-7  # what a sum that should be 0 may leave, added up in another order
IDENTITIES = ("storage", "mem")
UNORDERED = ("shares", "overlaps")


class Names:
    """Two numberings of the same storages, matched one to one as they appear."""

    def __init__(self):
        self.there, self.back = {}, {}

    def match(self, want, got):
        return self.there.setdefault(want, got) == got and self.back.setdefault(got, want) == want


def differ(want, got, names, path=""):
    """The first place where `got` does not say what `want` says, or None."""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return f"{path}: want {want}, got {got}"
        if want.get("kind") == "error" and got.get("kind") == "error":
            fields = ("type",) if want.get("parser") else ("type", "msg")
            wrong = [f for f in fields if want[f] != got.get(f)]
            return f"{wrong[0]}: want {want['msg']!r}, got {got.get('msg')!r} ({got.get('type')})" if wrong else None
        for key, value in want.items():
            if key == "parser" or (key in ("values", "value", "out") and value is None):  # nothing is promised of them
                continue
            mine, here = got.get(key), f"{path}.{key}".lstrip(".")
            if key in IDENTITIES and isinstance(value, int):
                found = None if names.match((key, value), (key, mine)) else f"{here}: another storage than before"
            elif key in UNORDERED:
                found = None if sorted(value) == sorted(mine or []) else f"{here}: want {value}, got {mine}"
            elif mine is None and value in (None, [], {}, False):
                found = None
            else:
                found = differ(value, mine, names, here)
            if found:
                return found
        return None
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        differences = (differ(w, g, names, f"{path}[{i}]") for i, (w, g) in enumerate(zip(want, got)))
        return next(filter(None, differences), None)
    if isinstance(want, float) or isinstance(got, float):
        try:
            close = want == got or abs(want - got) <= max(1e-6 * max(abs(want), abs(got)), ROUNDING)
        except TypeError:
            close = False
        return None if close else f"{path}: want {want}, got {got}"
    equal = want == got and isinstance(want, bool) == isinstance(got, bool)
    return None if equal else f"{path}: want {want}, got {got}"


def operation(line):
    """A name for what a line does, to count by: the outermost call or attribute, brackets, an operator."""
    try:
        statement = ast.parse(line).body[0]
    except SyntaxError:
        return line
    target = getattr(statement, "targets", [None])[0]
    if isinstance(statement, ast.AugAssign) or isinstance(target, ast.Subscript):
        return "operator=" if isinstance(statement, ast.AugAssign) else "[]="
    if isinstance(target, ast.Attribute):
        return target.attr + "="
    node = getattr(statement, "value", None)
    if node is None:
        return type(statement).__name__.lower()
    node = node.func if isinstance(node, ast.Call) else node
    if isinstance(node, (ast.Attribute, ast.Name)):
        return getattr(node, "attr", None) or node.id
    return "[]" if isinstance(node, ast.Subscript) else "operator"


class Tally:
    """How many lines agree, by operation; the first `show` that do not are printed."""

    def __init__(self, run, show):
        self.run, self.show = shlex.split(run), show
        self.total, self.agree = collections.Counter(), collections.Counter()

    def add(self, cases):
        """Holds the command's answers against recorded cases; the cases that differ are returned."""
        feed = "".join(json.dumps({"id": str(i), "prog": case["prog"]}) + "\n" for i, case in enumerate(cases))
        run = subprocess.run(self.run, input=feed, capture_output=True, text=True)
        if run.returncode:
            print(f"the command ended with status {run.returncode}: {run.stderr[:400]}")
        answers = {a["id"]: a.get("lines", []) for a in map(json.loads, run.stdout.splitlines())}
        differing = []
        for i, case in enumerate(cases):
            got, names, whole = answers.get(str(i), []), Names(), True
            for number, (line, want) in enumerate(zip(case["prog"], case["lines"])):
                name = operation(line)
                self.total[name] += 1
                found = differ(want, got[number], names) if number < len(got) else "no answer"
                self.agree[name] += not found
                whole &= not found
                if found and self.show > 0:
                    self.show -= 1
                    print(f"{case['id']} line {number + 1}: {line}\n    {found[:300]}")
            if not whole:
                differing.append(case)
        return differing

    def by_operation(self):
        for name, count in sorted(self.total.items(), key=lambda item: (self.agree[item[0]] / item[1], item[0])):
            print(f"{100 * self.agree[name] / count:6.1f} % of {count:5}  {name}")

    def sum_up(self):
        """Prints the share; the exit status."""
        agree, total = self.agree.total(), self.total.total()
        print(f"{agree} of {total} lines agree ({100 * agree / max(total, 1):.3f} %)")
        return 0 if agree == total and total else 1


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--run", required=True)
    args.add_argument("--show", type=int, default=20)
    args.add_argument("--operations", action="store_true", help="the share that agrees, by operation")
    args.add_argument("files", nargs="+")
    args = args.parse_args()
    tally = Tally(args.run, args.show)
    lines = (line for path in args.files for line in open(path, encoding="utf-8"))
    tally.add([json.loads(line) for line in lines if line.startswith("{")])
    if args.operations:
        tally.by_operation()
    return tally.sum_up()


if __name__ == "__main__":
    sys.exit(main())
