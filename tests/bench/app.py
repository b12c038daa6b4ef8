#!/usr/bin/env python3
"""What the desktop app costs in a virtual display: app.py STRIDESCOPE_DESKTOP [--runs N]

First answer: from the start of the process until its first frame is there. Frames: the slowest of each operation, until
its last pixel is there, in a window of two sizes and tensors of three. Idle: share of a core while nobody does anything."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../native"), os.path.join(HERE, "../native/app")]
from app_test import start_display

SIZES = [(1280, 800), (2560, 1440)]
SHAPES = {"10^3": "10, 10, 10", "10^6": "100, 100, 100", "10^12": "10000, 10000, 10000"}


def program(shape):
    numbers = [int(size) for size in shape.split(", ")]
    count = numbers[0] * numbers[1] * numbers[2]
    return f"import torch\nx = torch.arange({count}).view({shape})\ny = x.permute(2, 0, 1)\nz = y.reshape(-1, 10)\n"


def ticks(process):
    with open(f"/proc/{process}/stat") as file:
        return sum(int(field) for field in file.read().rsplit(")", 1)[1].split()[11:13])


def resident(process):
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def first_answer(desktop_class):
    begun = time.monotonic()
    desktop = desktop_class(home=tempfile.mkdtemp())
    desktop.state()
    took = 1000 * (time.monotonic() - begun)
    desktop("quit")
    return took


def idle(app, environment):
    process = subprocess.Popen([app], env=environment(tempfile.mkdtemp()))
    time.sleep(3)
    before = ticks(process.pid)
    time.sleep(10)
    share = (ticks(process.pid) - before) / os.sysconf("SC_CLK_TCK") / 10
    process.terminate()
    process.wait()
    return share


class Frames:
    """The slowest frame of each operation of a kind."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.of = {}

    def __call__(self, kind, *command):
        self.desktop.state()
        self.desktop(*command)
        self.of.setdefault(kind, []).append(self.desktop.state()["frame"])


def operations(desktop, times):
    frames = Frames(desktop)
    left, top, right, bottom = desktop.state()["controls"]["code"]
    desktop.click_at(left + 5, bottom - 5)
    for i in range(times):
        for letter in "w=y.T":
            frames("type", "type", letter)
        for _ in range(5):
            frames("type", "key", "backspace")
    desktop("key", "escape")  # the list of names on offer
    left, top, right, bottom = desktop.state()["controls"]["scrub"]
    desktop("point", left + 2, (top + bottom) / 2)
    desktop("press")
    for i in range(8 * times):
        frames("scrub", "point", left + 2 + (right - left - 4) * i / (8 * times), (top + bottom) / 2)
    desktop("release")
    left, top, right, bottom = desktop.state()["controls"]["stage"]
    desktop("point", (left + right) / 2, (top + bottom) / 2)
    for i in range(5 * times):
        frames("scroll", "wheel", -1 if i % 10 < 5 else 1)
        frames("pan", "wheel", "alt+-1" if i % 10 < 5 else "alt+1")
    for i in range(2 * times):
        frames("zoom", "wheel", "ctrl+1" if i % 4 < 2 else "ctrl+-1")
    return frames.of


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("app")
    parser.add_argument("--runs", type=int, default=10, help="how often each operation is done (times 2 to 10)")
    given = parser.parse_args()
    server, os.environ["DISPLAY"] = start_display()
    os.environ["APP"] = os.path.abspath(given.app)
    from desktop import Desktop, environment

    try:
        answers = [first_answer(Desktop) for _ in range(given.runs)]
        print(f"first answer: median {statistics.median(answers):.0f} ms, slowest {max(answers):.0f}")
        print(f"idle: {100 * idle(os.environ['APP'], environment):.1f} % of a core")
        print("frames in ms: median, 95th of a hundred, slowest")
        for width, height in SIZES:
            for name, shape in SHAPES.items():
                with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
                    file.write(program(shape))
                    file.flush()
                    desktop = Desktop(file.name, home=tempfile.mkdtemp())
                    desktop("resize", width, height)
                    for kind, taken in operations(desktop, given.runs).items():
                        taken.sort()
                        print(f"  {width}x{height} {name:6} {kind:6} {statistics.median(taken):5.1f} "
                              f"{taken[int(0.95 * len(taken))]:5.1f} {taken[-1]:5.1f}   ({len(taken)})", flush=True)
                    print(f"  {width}x{height} {name:6} resident {resident(desktop.process.pid):.0f} MB")
                    desktop("quit")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
