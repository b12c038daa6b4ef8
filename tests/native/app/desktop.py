"""One run of the desktop app in a virtual display, driven by its own script commands."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

APP, COMMAND, EXAMPLES, DISPLAY = (os.environ.get(name, "") for name in ("APP", "COMMAND", "EXAMPLES", "DISPLAY"))
PROGRAM = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\nz = y.reshape(-1)\n"


HOME = tempfile.TemporaryDirectory()


SANITIZED = 99  # the exit status where a sanitizer has found something, leaks included


def environment(home=None, **more):
    home = home or HOME.name
    return {**os.environ, "DISPLAY": DISPLAY, "WAYLAND_DISPLAY": "", "LIBGL_ALWAYS_SOFTWARE": "1",
            "XDG_CONFIG_HOME": os.path.join(home, "config"), "XDG_STATE_HOME": os.path.join(home, "state"),
            "MESA_SHADER_CACHE_DISABLE": "true",  # its thread, when it ends, brings the search for leaks down
            "LD_PRELOAD": os.environ.get("KEEP_LOADED", ""),  # see keep_loaded.cpp
            "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:exitcode={SANITIZED}:verify_asan_link_order=0", **more}


class Desktop:
    """One run of the app; a call is a command of its script."""

    def __init__(self, *arguments, home=None, limit=resource.RLIM_INFINITY):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([APP, "--script", "-", *arguments], stdin=subprocess.PIPE, preexec_fn=small,
                                        stdout=subprocess.PIPE, stderr=self.said, env=environment(home), text=True)

    def __call__(self, *command):
        self.process.stdin.write(" ".join(str(word) for word in command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the app ended at {command} with status {self.process.wait(30)}")
        answer = json.loads(line)
        if "error" in answer:
            raise AssertionError(f"{command}: {answer['error']}")
        return answer

    def state(self):
        return self("state")

    def middle(self, control):
        left, top, right, bottom = self.state()["controls"][control]
        return (left + right) / 2, (top + bottom) / 2

    def click(self, control):
        self.click_at(*self.middle(control))

    def click_at(self, x, y):
        self("point", x, y)
        self("press")
        self("release")

    def drag(self, start, end):
        self("point", *start)
        self("press")
        self("point", *end)
        self("release")

    def search_failed(self):
        """Whether the search for leaks has failed by itself, which it can where it stops the threads of the graphics
        driver: nothing is known of this run then, and the other runs have searched."""
        self.said.seek(0)
        return "LeakSanitizer has encountered a fatal error" in self.said.read()

    def sanitizer_found(self):
        """Whether a sanitizer has found something once the app has ended."""
        status = self.process.wait(60)
        self.said.seek(0)
        sys.stderr.write(self.said.read())
        return status == SANITIZED and not self.search_failed()

    def end(self):
        """Closes the streams and returns the exit status; 0 where only the search for leaks failed."""
        self.process.stdin.close()
        self.process.stdout.close()
        status = self.process.wait(60)
        return 0 if status == SANITIZED and self.search_failed() else status


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def folder_of_homes(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def write_at_the_end(self, desktop, text):
        left, top, right, bottom = desktop.state()["controls"]["code"]
        desktop.click_at(left + 5, bottom - 5)
        desktop("type", text)

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def start(self, *arguments, home=None, **options):
        """Each run has a home of its own, unless one is given."""
        desktop = Desktop(*arguments, home=home or tempfile.mkdtemp(dir=self.folder_of_homes()), **options)

        def stop():
            for stream in (desktop.process.stdin, desktop.process.stdout):  # at the end of its script it ends
                if not stream.closed:
                    stream.close()
            self.assertFalse(desktop.sanitizer_found())
            desktop.said.close()

        self.addCleanup(stop)
        desktop.state()  # it has begun
        return desktop

    def start_with_program(self):
        return self.start(self.path("a.py", PROGRAM))

    def screenshot(self, desktop):
        """(width, height, colour of a pixel)"""
        file = self.path("window.ppm")
        desktop("screenshot", file)
        with open(file, "rb") as image:
            kind, width, height, most, pixels = image.read().split(None, 4)
        self.assertEqual((kind, most), (b"P6", b"255"))
        width, height = int(width), int(height)
        self.assertEqual(len(pixels), width * height * 3)

        def colour(x, y):
            at = (int(y) * width + int(x)) * 3
            return tuple(pixels[at:at + 3])

        return width, height, colour
