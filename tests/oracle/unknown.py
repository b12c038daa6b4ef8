#!/usr/bin/env python3
"""Values that are not known change no layout: recorded programs whose x is written over with an unknown number, and with
a known one, are answered alike but for values; and nothing that is told of the first depends on them.

  unknown.py --run "build/bin/stridescope trace --jsonl" [--count N] [--seed S] recorded.jsonl…"""
import argparse
import json
import random
import re
import shlex
import subprocess
import sys

# A cumulative sum of so many is not reckoned, of four it is; both of its elements are 0.
NUMBER = {"torch": "torch.zeros({}).cumsum(0)[3]", "numpy": "np.zeros({}).cumsum()[3:4].reshape(())"}
WRITE = {"torch": ["x = x.clone().copy_(number_)"], "numpy": ["x = x.copy()", "x[...] = number_"]}
# Storages are numbered in the order in which they are made; values may differ, and what changed follows from them.
RANDOM = re.compile(r"rand|normal|bernoulli|multinomial|dropout|nn\.[A-Z]")  # of these come stand-ins
LEFT_OUT = ("out", "values", "known", "changed", "storage", "mem", "base", "same")


def pair(program):
    """The program with x unknown and with x known, and the first line that both share; None where there is no x, or what
    is random."""
    made = next((i for i, line in enumerate(program) if re.match(r"x = ", line)), None)
    if made is None or RANDOM.search("\n".join(program)):
        return None
    library = "torch" if any("torch" in line for line in program) else "numpy"
    both = [program[:made + 1] + ["number_ = " + NUMBER[library].format(size)] + WRITE[library] + program[made + 1:]
            for size in (100000, 4)]
    return both, len(both[0]) - len(program) + made + 1


def layouts(answer):
    """What of an answer does not depend on values; of what an argument parser raised, as ever, the type alone."""
    if isinstance(answer, dict):
        valued = "value" if answer.get("kind") == "scalar" else "msg" if answer.get("parser") else None
        return {key: layouts(value) for key, value in answer.items() if key not in LEFT_OUT and key != valued}
    return [layouts(value) for value in answer] if isinstance(answer, list) else answer


def is_number(unknown, known):
    """Whether both are one of Python's numbers, of which the first is not known."""
    return (unknown.get("kind") == known.get("kind") == "value" and unknown.get("value") is None
            and isinstance(known.get("value"), (int, float)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("recorded", nargs="+")
    options = parser.parse_args()
    programs = [json.loads(line)["prog"] for name in options.recorded for line in open(name) if line.startswith("{")]
    random.Random(options.seed).shuffle(programs)
    pairs = [found for found in map(pair, programs) if found][:options.count]
    feed = "".join(json.dumps({"id": f"{i}/{side}", "prog": both[side]}) + "\n"
                   for i, (both, _) in enumerate(pairs) for side in (0, 1))
    run = subprocess.run(shlex.split(options.run), input=feed, capture_output=True, text=True)
    answers = {answer["id"]: answer.get("lines", []) for answer in map(json.loads, run.stdout.splitlines())}
    compared = refused = differing = 0
    for i, (both, first) in enumerate(pairs):
        unknown, known = answers.get(f"{i}/0"), answers.get(f"{i}/1")
        if unknown is None or known is None or len(unknown) != len(known):
            print("no answer to", "\n".join(both[0]))
            differing += 1
            continue
        for k in range(first, len(both[0])):
            if unknown[k].get("kind") == "error" and unknown[k].get("type") == "":  # refused: the rest follows from it
                refused += 1
                break
            compared += 1
            if layouts(unknown[k]) == layouts(known[k]) or is_number(unknown[k], known[k]):
                continue
            print("\n".join(both[0][:k + 1]), f"\n  unknown: {layouts(unknown[k])}\n  known:   {layouts(known[k])}")
            differing += 1
            break
    print(f"{len(pairs)} programs, {compared} lines alike, {refused} refused, {differing} differ")
    return 1 if differing or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
