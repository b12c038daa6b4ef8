#!/usr/bin/env python3
"""Runs what `stridescope python` writes: every assertion holds in the Python that runs this.

  asserted.py STRIDESCOPE recorded.jsonl…

Of each program the lines that name neither library are asked for, so neither need be installed. The texts of errors are
asserted as Python 3.13 has them; another version is held to their types alone. Before Python 3.12 the hash of None is
where it lies, which decides the order of a set that it is in: such programs are left out there."""
import ast
import concurrent.futures
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import warnings

LIBRARIES = re.compile(r"\b(torch|np|numpy|as_strided|sliding_window_view)\b")
ERROR_TEXT = re.compile(r"^( +)assert str\(error\) == .*", re.MULTILINE)
NONE_IN_SET = re.compile(r"(\{|\bset\(|update\(|add\(|union\(|difference\(|intersection\()[^:]*\bNone\b")
# What no recorded program has.
MORE = r"""
x = 'a\0b'
x = 'a\rb\x1b'
raise ValueError('a\0\r\n\t\\"\'')
chr(0)
x = [iter([1])]
x = (zip([1], [2]), 1)
x = {'a': (v for v in [1])}
x = map(str, [1])
x = filter(None, [1, 0])
x = iter({1: 2})
x = {1: 2}.items()
""".strip().split("\n")


def python_of(command, lines):
    """The program with assertions, and what is said instead."""
    done = subprocess.run([command, "python"], input="\n".join(lines) + "\n", capture_output=True, encoding="utf-8", check=False)
    return done.stdout, done.stderr


def failures(text):
    """(statement with its assertions, what they raised) of all that does not run to its end."""
    if sys.version_info[:2] != (3, 13):
        text = ERROR_TEXT.sub(r"\1pass", text)
    names = {"__name__": "__main__"}
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError) as error:
        yield text.splitlines()[(getattr(error, "lineno", 1) or 1) - 1], error
        return
    first = 0  # line of the statement that is asserted of
    for statement in statements:
        if not isinstance(statement, ast.Assert):
            first = statement.lineno - 1
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(ast.Module([statement], []), "<asserted>", "exec"), names)
        except Exception as error:  # whatever it is, it is not what the program promises
            yield "\n".join(text.split("\n")[first:statement.end_lineno]), error.__context__ or error


def main():
    command, *files = sys.argv[1:]
    warnings.simplefilter("ignore")
    cases = [json.loads(line) for path in files for line in open(path, encoding="utf-8") if line.startswith("{")]
    if sys.version_info < (3, 12):
        cases = [case for case in cases if not any(map(NONE_IN_SET.search, case["prog"]))]
    cases += [{"id": line, "prog": [line]} for line in MORE]
    programs = [[line for line in case["prog"] if not LIBRARIES.search(line)] for case in cases]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
        texts = list(several.map(lambda lines: python_of(command, lines), programs))
    wrong = asserted = 0
    for case, (text, complaint) in zip(cases, texts):
        asserted += text.count("assert ")
        for statement, reason in [("stridescope python", complaint)] if complaint else failures(text):
            wrong += 1
            print(f"{case['id']}: {reason!r}\n    " + statement.replace("\n", "\n    "))
    print(f"{len(cases)} programs, {asserted} assertions, {wrong} statements that fail")
    return 1 if wrong or not asserted else 0


if __name__ == "__main__":
    sys.exit(main())
