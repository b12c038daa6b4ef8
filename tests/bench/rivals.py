#!/usr/bin/env python3
"""The measures beside NumPy's and PyTorch's own way, in one run.

  rivals.py BENCH [--wasm MEASURES.cjs]

Offsets of a permuted read in order: both libraries copy a range seen through the permuted view into memory that is there
already, on one thread. Ours are written to such memory, too, and then block by block, as whoever reads them one after
the other asks for them: 4,096 at a time stay in the processor's cache."""
import argparse
import json
import subprocess
import time

SIZES, ORDER = (32, 64, 56, 56), (0, 2, 3, 1)


def least(run, seconds=2.0):
    """The least time of one run, in nanoseconds."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return 1e9 * best


def numpy_offsets():
    import numpy as np
    cells = np.arange(SIZES[0] * SIZES[1] * SIZES[2] * SIZES[3]).reshape(SIZES).transpose(ORDER)
    out = np.empty(cells.shape, cells.dtype)
    return f"NumPy {np.__version__}", lambda: np.copyto(out, cells)


def torch_offsets():
    import torch
    torch.set_num_threads(1)
    cells = torch.arange(SIZES[0] * SIZES[1] * SIZES[2] * SIZES[3]).view(SIZES).permute(ORDER)
    out = torch.empty(cells.shape, dtype=cells.dtype)
    return f"PyTorch {torch.__version__}", lambda: out.copy_(cells)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("bench")
    args.add_argument("--wasm")
    args = args.parse_args()
    command = [args.bench, "--benchmark_filter=^(trace|offsets|pixels|head)/", "--benchmark_format=json", "--benchmark_min_time=1", "--benchmark_repetitions=5"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    native = {}
    for run in runs:
        if run["run_type"] == "iteration":
            native[run["run_name"]] = min(native.get(run["run_name"], float("inf")), run["real_time"])
    wasm = {}
    if args.wasm:
        lines = subprocess.run(["node", args.wasm], check=True, capture_output=True, text=True).stdout.splitlines()
        wasm = {name: float(time) for name, time in map(str.split, lines)}
    print(f"{'':32}{'native':>14}{'wasm':>14}{'wasm / native':>16}")
    for name, time_ in native.items():
        other = f"{wasm[name] / 1000:11.2f} µs{wasm[name] / time_:15.2f}×" if name in wasm else ""
        print(f"{name:32}{time_ / 1000:11.2f} µs{other}")
    for rival in (numpy_offsets, torch_offsets):
        try:
            version, run = rival()
        except ImportError as problem:
            print(f"{rival.__name__}: {problem}")
            continue
        took = least(run)
        for ours in ("offsets/nchw_as_nhwc", "offsets/nchw_as_nhwc_in_blocks"):
            print(f"{ours} by {version}: {took / 1000:.2f} µs, {took / native[ours]:.1f} times ours")


if __name__ == "__main__":
    main()
