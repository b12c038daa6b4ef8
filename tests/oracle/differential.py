#!/usr/bin/env python3
"""Random programs run in the PyTorch and NumPy that are installed and in the engine, batch by batch.

  differential.py --run "build/bin/stridescope trace --jsonl" --count N --seed S [--lib torch|numpy] [--keep FILE]
                  [--changed RECORDED..]

N programs a library; with --changed N of those that were recorded, with other arguments (tests/fuzz/mutants.py). Prints
the versions, the lines that differ, and the share that agrees by operation; --keep writes the programs that differ,
with what the library did, one a line. --record names another recorder: a command that takes
record.py's arguments; a batch in which it ends early counts as far as it came. Exit status 1 where any line differs."""
import argparse
import json
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

from compare import Tally

sys.path.append(str(pathlib.Path(__file__).parent.with_name("fuzz")))
from mutants import Mutator

MODELLED = {"numpy": "2.2.4", "torch": "2.6.0", "einops": "0.8.1"}  # what the engine answers as
RECORDER = shlex.join([sys.executable, str(pathlib.Path(__file__).with_name("record.py"))])
SECONDS_A_BATCH, MOST_BYTES = 120, 16 << 30  # of changed programs, which may ask for anything


def bound_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def changed_programs(files, seed, count):
    """Lines of JSON: recorded programs, each cut off behind a line with other arguments, or one line later."""
    recorded = [json.loads(line)["prog"] for name in files for line in open(name, encoding="utf-8")]
    mutator = Mutator([lines for lines in recorded if lines], seed)
    return "".join(json.dumps({"id": str(i), "prog": mutator.program()}) + "\n" for i in range(count))


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--run", required=True)
    args.add_argument("--record", default=RECORDER)
    args.add_argument("--count", type=int, default=1000)
    args.add_argument("--seed", type=int, default=0)
    args.add_argument("--lib", choices=["torch", "numpy"])
    args.add_argument("--batch", type=int, default=500)
    args.add_argument("--show", type=int, default=20)
    args.add_argument("--keep")
    args.add_argument("--changed", nargs="+", metavar="RECORDED")
    args = args.parse_args()
    if args.changed:
        args.batch = min(args.batch, 50)  # one that ends early takes the rest along

    def started(batch):
        """The recorder of a batch, writing to a file of its own."""
        count = min(args.batch, args.count - batch * args.batch)
        if count <= 0:
            return None
        file = tempfile.TemporaryFile("w+", encoding="utf-8")
        seed = args.seed * 100_000 + batch
        if args.changed:
            programs = tempfile.TemporaryFile("w+", encoding="utf-8")
            programs.write(changed_programs(args.changed, seed, count))
            programs.seek(0)
            return subprocess.Popen(shlex.split(args.record), stdin=programs, stdout=file, stderr=subprocess.DEVNULL,
                                    preexec_fn=bound_memory), file
        command = shlex.split(args.record) + ["--random", str(count), "--seed", str(seed)]
        return subprocess.Popen(command + (["--lib", args.lib] if args.lib else []), stdout=file), file

    def ended(process):
        try:
            return process.wait(SECONDS_A_BATCH if args.changed else None)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    tally, versions, batch, lost = Tally(args.run, args.show), None, 0, 0
    keep = open(args.keep, "w", encoding="utf-8") if args.keep else None
    running = started(0)
    while running:
        process, file = running
        if status := ended(process):  # a random program may be the end of the real library
            print(f"the recorder ended with status {status} in the batch of seed {args.seed * 100_000 + batch}", flush=True)
            lost += 1
        file.seek(0)
        cases = [json.loads(line) for line in file if line.startswith("{") and line.endswith("}\n")]  # the libraries' own chatter aside
        file.close()
        batch += 1
        running = started(batch)  # while the engine answers
        if versions is None and cases:
            versions = cases[0]["versions"]
            print("against " + ", ".join(f"{name} {version}" for name, version in versions.items()), flush=True)
            for name, version in versions.items():
                if version and version != MODELLED[name]:
                    print(f"The engine answers as {name} {MODELLED[name]} does; {version} is installed, and where the two differ so will lines below.")
        for case in tally.add(cases):
            if keep:
                keep.write(json.dumps(case) + "\n")
        print(f"{batch * args.batch if running else args.count} of {args.count} programs a library", file=sys.stderr)
    tally.by_operation()
    if lost:
        print(f"{lost} batches are not whole")
    return tally.sum_up()


if __name__ == "__main__":
    sys.exit(main())
