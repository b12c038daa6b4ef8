#!/usr/bin/env python3
"""The desktop app in a real window of a virtual display, driven by its own script commands (see app/).

app_test.py STRIDESCOPE_DESKTOP STRIDESCOPE EXAMPLES_FOLDER [TEST..]
PART=1/2 in the environment: every second test, beginning with the first; 2/2: the others."""
import os
import subprocess
import sys
import unittest


def start_display():
    """A server that outlives its last window: one that starts afresh refuses the next for a moment."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "2600x1500x24", "-nolisten", "tcp",
                               "-noreset"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number:
        return server, ":" + number.readline().strip()


def every_test(suite):
    return [one for part in suite for one in (every_test(part) if isinstance(part, unittest.TestSuite) else [part])]


def load_tests(_loader, tests, _pattern):
    """What unittest asks a module for its tests."""
    part, parts = map(int, os.environ.get("PART", "1/1").split("/"))
    return unittest.TestSuite(every_test(tests)[part - 1::parts])


if __name__ == "__main__":
    for name in ("APP", "COMMAND", "EXAMPLES"):
        os.environ[name] = os.path.abspath(sys.argv.pop(1))
    server, os.environ["DISPLAY"] = start_display()
    try:
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "app"))
        from bad_input import *
        from editing import *
        from geometry import *
        from guessing import *
        from hand import *
        from keyboard import *
        from linking import *
        from looking import *
        from panels import *
        from pictures import *
        from problems import *
        from screen import *
        from use import *
        from watching import *
        from writing import *

        unittest.main()
    finally:
        server.terminate()
        server.wait()
