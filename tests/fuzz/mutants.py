#!/usr/bin/env python3
"""Programs that real libraries answered, with other arguments: whatever they are, the engine has an answer to each line.

  mutants.py --run "build/dev/bin/stridescope trace --jsonl" [--seed S] [--count N | --seconds S] recorded.jsonl…

Run it on a build with sanitizers. Prints each program at which the engine ended, or took longer than it may, and goes on
with the next. Exit status 1 where there was one."""
import argparse
import ast
import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

BATCH = 1000
SECONDS_EACH = 60  # of a batch: a program within limits takes a few thousandths

NUMBERS = ["0", "-1", "1", "2", "3", "7", "64", "65", "1000", "4097", "70000", "2147483647", "2147483648",
           "-2147483649", "10000000000", "1000000000000", "4611686018427387904", "9223372036854775807",
           "-9223372036854775807", "9223372036854775808", "1e300", "float('nan')", "float('inf')", "0.5", "-0.0",
           "1e-9", "True", "None"]
VALUES = NUMBERS + [
    "'a'", "''", "[]", "()", "[1]", "(0, 1)", "[[1, 2], [3, 4]]", "1j", "b'ab'", "range(3)", "slice(1)", "...",
    "torch.tensor(2)", "torch.tensor([1, 2])", "torch.tensor(True)", "np.array([True, False])", "np.array(2)",
    "np.float32(2)", "np.int64(3)", "np.bool_(True)", "np.complex64(1)", "{}", "{'a': 1}", "lambda z: z", "x", "y",
    "x.shape", "x[0]", "x.T", "torch.nn.Linear(2, 2)", "torch.float16", "np.int8", "int", "torch", "np", "print",
    "[None]", "['a']", "[1.5]", "(x, x)", "iter([1])", "zip([1], [2])", "torch.zeros(0)", "np.zeros((0, 3))",
    "torch.zeros(70000)", "np.zeros(70000)", "torch.zeros(2, dtype=torch.complex64)", "torch.zeros(1000000, 1000000)",
    "np.zeros(2, dtype=np.complex64)", "torch.arange(6).view(2, 3).t()", "torch.zeros(2, dtype=torch.float16)",
    "torch.zeros(2, dtype=torch.uint16)", "np.zeros(2, dtype=np.float16)", "np.zeros(3, np.uint64)",
    "np.broadcast_to(np.arange(3), (100000, 3))", "torch.arange(4, dtype=torch.complex64).conj()", "torch.randn(3)",
    "[[1], [2, 3]]", "np.array(['a', 'bc'])", "np.array([b'a', b''])", "np.zeros(2, 'i4,f4')", "np.zeros(2, 'V3')",
    "np.arange(3, dtype='>i4')", "torch.zeros(3, requires_grad=True)", "torch.ones(2, dtype=torch.bfloat16)",
    "np.broadcast_to(np.float32(1), (2**30, 2**30))", "torch.ones(1).expand(2**31, 2**31)", "'i4,f4'", "'>f8'"]
KEYWORDS = ["out=x", "out=y", "out=None", "dtype=torch.float64", "dtype=np.float32", "dtype=complex", "where=True",
            "where=y", "keepdim=True", "keepdims=True", "axis=0", "dim=0", "axis=-1", "dim=None", "axis=()",
            "order='F'", "order='K'", "memory_format=torch.channels_last", "requires_grad=True", "device='cuda'",
            "reduction='sum'", "weight=x", "mode='wrap'", "casting='unsafe'", "initial=1", "copy=False", "strict=True",
            "key=len", "default=0", "momentum=None", "bias=False", "batch_first=True", "training=False"]
NUMBER = re.compile(r"(?<![\w.])-?\d+(\.\d*)?(?![\w.])")


class Mutator:
    def __init__(self, programs, seed):
        self.programs, self.rng = programs, random.Random(seed)

    def parsed(self, choices):
        return ast.parse(self.rng.choice(choices), mode="eval").body

    def other_number(self, line):
        found = self.rng.choice(list(NUMBER.finditer(line)))
        return line[:found.start()] + self.rng.choice(NUMBERS) + line[found.end():]

    def other_call(self, line):
        """The line with an argument, a keyword or the receiver of one of its calls replaced, added or left out."""
        rng, tree = self.rng, ast.parse(line)
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        if not calls:
            return line
        call, kind = rng.choice(calls), rng.random()
        if kind < 0.6 and call.args:
            call.args[rng.randrange(len(call.args))] = self.parsed(VALUES)
        elif kind < 0.67 and call.args:
            call.args.pop(rng.randrange(len(call.args)))
        elif kind < 0.75:
            call.args.append(self.parsed(VALUES))
        elif kind < 0.82 and call.keywords:
            rng.choice(call.keywords).value = self.parsed(VALUES)
        elif kind < 0.93:
            word = ast.parse(f"f({rng.choice(KEYWORDS)})", mode="eval").body.keywords[0]
            call.keywords = [one for one in call.keywords if one.arg != word.arg] + [word]
        elif isinstance(call.func, ast.Attribute):
            call.func.value = self.parsed(VALUES)
        return ast.unparse(tree)

    def program(self):
        """The start of a recorded program, a line of it changed, and sometimes the line behind that."""
        lines = list(self.rng.choice(self.programs))
        at = self.rng.randrange(len(lines))
        pieces = lines[at].split("\n")
        place = self.rng.randrange(len(pieces))
        margin, piece = re.fullmatch(r"(\s*)(.*)", pieces[place]).groups()
        try:
            numbers = NUMBER.search(piece) and self.rng.random() < 0.35
            pieces[place] = margin + (self.other_number(piece) if numbers else self.other_call(piece))
        except SyntaxError:  # the header of a block, or what a recorded program has wrong on purpose
            pass
        return lines[:at] + ["\n".join(pieces)] + lines[at + 1:at + self.rng.randint(1, 2)]


def ended(run, programs):
    """The programs at which the engine ended, and what it said last."""
    while programs:
        with tempfile.TemporaryFile("w+", encoding="utf-8") as given:
            given.writelines(json.dumps({"id": i, "prog": lines}) + "\n" for i, lines in enumerate(programs))
            given.seek(0)
            try:
                done = subprocess.run(run, stdin=given, capture_output=True, timeout=SECONDS_EACH)
                answered, said = done.stdout.count(b"\n"), done.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired as late:
                answered, said = (late.stdout or b"").count(b"\n"), f"no answer in {SECONDS_EACH} s"
        if answered < len(programs):
            yield programs[answered], said
        programs = programs[answered + 1:]


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--run", required=True)
    args.add_argument("--seed", type=int)
    args.add_argument("--count", type=int, default=1000)
    args.add_argument("--seconds", type=float, help="as many as these suffice for, whatever --count says")
    args.add_argument("recorded", nargs="+")
    args = args.parse_args()
    seed = random.randrange(10**6) if args.seed is None else args.seed
    programs = [json.loads(line)["prog"] for name in args.recorded for line in open(name, encoding="utf-8")]
    mutator = Mutator([lines for lines in programs if lines], seed)
    start, count, found = time.monotonic(), 0, 0
    while count < args.count if args.seconds is None else time.monotonic() - start < args.seconds:
        batch = [mutator.program() for _ in range(BATCH if args.seconds else min(BATCH, args.count - count))]
        for lines, said in ended(shlex.split(args.run) + ["-"], batch):
            found += 1
            print(f"The engine ended at\n{json.dumps(lines)}\n{said[:2000]}\n", flush=True)
        count += len(batch)
    print(f"{count} programs of seed {seed}, the engine ended at {found}")
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
