#!/usr/bin/env python3
"""The desktop app in a real window of a virtual display, driven by its own script commands.

app_test.py STRIDESCOPE_DESKTOP STRIDESCOPE EXAMPLES_FOLDER"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

APP = COMMAND = EXAMPLES = DISPLAY = ""
PROGRAM = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\nz = y.reshape(-1)\n"


def environment(**more):
    # Leaks are looked for elsewhere: graphics drivers have their own.
    return {**os.environ, "DISPLAY": DISPLAY, "WAYLAND_DISPLAY": "", "LIBGL_ALWAYS_SOFTWARE": "1",
            "ASAN_OPTIONS": "detect_leaks=0", **more}


class Desktop:
    """One run of the app; a call is a command of its script."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([APP, "--script", "-", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=environment(), text=True)

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

    def end(self):
        """Closes the streams and returns the exit status."""
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(30)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def start(self, *arguments):
        desktop = Desktop(*arguments)

        def stop():
            if desktop.process.poll() is None:
                desktop.process.kill()
            desktop.process.wait()
            for stream in (desktop.process.stdin, desktop.process.stdout):
                if not stream.closed:
                    stream.close()

        self.addCleanup(stop)
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
        return width, height, lambda x, y: tuple(pixels[(int(y) * width + int(x)) * 3:][:3])


# ---- a picture's geometry, as the SVG has it

SVG = "{http://www.w3.org/2000/svg}"


def number(element, name, otherwise=0.0):
    return float(element.get(name, otherwise))


def svg_items(document, state_of_view):
    picture = subprocess.run([COMMAND, "render", "-", *state_of_view], input=document, capture_output=True, text=True,
                             check=True).stdout
    root = ElementTree.fromstring(picture)
    return root, [element for element in root if element.tag not in (SVG + "title", SVG + "desc")]


def rectangle(element):
    x, y = number(element, "x"), number(element, "y")
    return x, y, x + number(element, "width"), y + number(element, "height")


def points(element):
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", element.get("d"))]
    return list(zip(numbers[::2], numbers[1::2]))


class Geometry(Case):
    TOLERANCE = 1.0

    def compare(self, drawn, element):
        """Asserts that an item of the window is where its element of the SVG is."""
        left, top, right, bottom = drawn["box"]
        kind = element.tag.removeprefix(SVG)
        self.assertEqual(drawn["kind"], {"rect": "rect", "path": "polyline", "text": "text", "image": "image"}[kind])
        stroke = number(element, "stroke-width", 1.0) if element.get("stroke") else 0.0
        near = self.TOLERANCE
        if kind in ("rect", "image"):
            x0, y0, x1, y1 = rectangle(element)
            if x1 <= x0 or y1 <= y0:
                return
        elif kind == "path":
            xs, ys = zip(*points(element))
            x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
        if kind == "text":
            return self.compare_text((left, top, right, bottom), element)
        if element.get("stroke-dasharray"):
            near += 4  # a line may end in a gap
        half = stroke / 2
        for got, want, sign in ((left, x0, -1), (top, y0, -1), (right, x1, 1), (bottom, y1, 1)):
            outward = (got - want) * sign
            self.assertLessEqual(outward, half + self.TOLERANCE)
            self.assertGreaterEqual(outward, (half if kind == "rect" else 0) - near)

    def compare_text(self, box, element):
        if not (element.text or "").strip():
            return
        em = number(element, "font-size")
        wide = sum(c >= "\u2e80" for c in element.text)
        width = (0.6 * (len(element.text) - wide) + wide) * em
        mono = element.get("font-family") is None
        turned = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
        if turned:
            x, y = (float(n) for n in turned.groups())
            left, top, right, bottom = box
            box = (y - bottom, left - x, y - top, right - x)  # as if read to the right from (0, 0)
            x = y = 0
        else:
            x, y = number(element, "x"), number(element, "y")
        left, top, right, bottom = box
        self.assertGreaterEqual(top, y - 1.1 * em - self.TOLERANCE)
        self.assertLessEqual(bottom, y + 0.4 * em + self.TOLERANCE)
        self.assertLess(top, y)
        anchor = element.get("text-anchor", "start")
        if mono:
            start = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
            self.assertGreaterEqual(left, start - self.TOLERANCE)
            self.assertLessEqual(right, start + width + self.TOLERANCE)
            self.assertGreaterEqual(right - left, width - 2 * em)
        elif anchor == "start":
            self.assertAlmostEqual(left, x, delta=self.TOLERANCE + 0.2 * em)
        elif anchor == "end":
            self.assertAlmostEqual(right, x, delta=self.TOLERANCE + 0.2 * em)
        else:
            self.assertAlmostEqual((left + right) / 2, x, delta=self.TOLERANCE + 0.2 * em)

    def agree(self, desktop, source):
        state, drawn = desktop.state(), desktop("geometry")
        scene_width, _ = drawn["scene"]
        fields = dict(pair.split("=", 1) for pair in state["document"].split("&"))
        view = ["--width", str(round(state["room"][0])), "--height", str(round(state["room"][1])),
                "--step", str(state["step"]), "--head", str(state["head"]), "--theme", fields.get("theme", "light"),
                "--lang", fields.get("lang", "en")]
        root, elements = svg_items(source, view)
        self.assertEqual([scene_width, drawn["scene"][1]], [number(root, "width"), number(root, "height")])
        self.assertEqual(len(drawn["items"]), len(elements))
        for i, (item, element) in enumerate(zip(drawn["items"], elements)):
            with self.subTest(item=i, svg=ElementTree.tostring(element, encoding="unicode")[:200], box=item["box"]):
                self.compare(item, element)
        return elements

    def test_every_step_of_every_example_stands_where_the_svg_has_it(self):
        desktop = self.start()
        files = sorted(glob.glob(os.path.join(EXAMPLES, "*.py")))
        self.assertGreater(len(files), 5)
        for size, file in zip([(1280, 800), (1024, 640), (1440, 900)] * len(files), files):
            desktop("resize", *size)
            desktop("drop", file)
            with open(file) as text:
                source = text.read()
            desktop("point", 2, 2)
            for step in reversed(range(desktop.state()["steps"])):
                with self.subTest(file=os.path.basename(file), step=step):
                    state = desktop.state()
                    self.assertEqual((state["step"], state["hover"]), (step, ""))
                    self.agree(desktop, source)
                desktop("key", "up")

    def test_a_larger_window_shows_the_same_picture_larger(self):
        desktop = self.start_with_program()
        desktop("resize", 2560, 1440)
        self.assertGreater(desktop("geometry")["scale"], 1)
        self.agree(desktop, PROGRAM)

    def test_a_moved_head_stands_where_the_svg_has_it(self):
        desktop = self.start_with_program()
        for _ in range(5):
            desktop("key", "right")
        self.assertEqual(desktop.state()["head"], 5)
        self.agree(desktop, PROGRAM)

    def test_the_screen_shows_the_colours_of_the_svg(self):
        for theme in ("light", "dark"):
            desktop = self.start(self.path("a.py", PROGRAM), "--theme", theme)
            desktop("point", 2, 2)
            elements = self.agree(desktop, PROGRAM)
            drawn = desktop("geometry")
            (origin_x, origin_y), scale = drawn["origin"], drawn["scale"]
            width, height, colour = self.screenshot(desktop)
            compared = 0
            for i, element in enumerate(elements):
                fill = element.get("fill", "none")
                if element.tag != SVG + "rect" or fill == "none" or element.get("fill-opacity"):
                    continue
                x0, y0, x1, y1 = rectangle(element)
                at = (x0 + 6, y0 + 6)  # inside the corner, clear of what is written in the middle
                later = (rectangle(e) for e in elements[i + 1:] if e.tag == SVG + "rect")
                if x1 - x0 < 12 or any(a - 3 <= at[0] <= c + 3 and b - 3 <= at[1] <= d + 3 for a, b, c, d in later):
                    continue
                place = origin_x + at[0] * scale, origin_y + at[1] * scale
                if place[1] > height - 80:
                    continue  # under the transport bar
                got = colour(*place)
                for a, b in zip(got, bytes.fromhex(fill[1:])):
                    self.assertAlmostEqual(a, b, delta=2, msg=f"{theme} {place} {got} {fill}")
                compared += 1
            self.assertGreater(compared, 12)
            self.assertEqual(desktop("quit"), {})


class Use(Case):
    def test_starts_with_a_program_and_its_picture(self):
        desktop = self.start()
        state = desktop.state()
        self.assertGreater(state["steps"], 2)
        self.assertGreater(len(desktop("geometry")["items"]), 30)
        width, height, colour = self.screenshot(desktop)
        self.assertEqual((width, height), (1280, 800))
        self.assertGreater(len({colour(x, y) for x in range(0, width, 5) for y in range(0, height, 5)}), 20)
        desktop("quit")
        self.assertEqual(desktop.end(), 0)

    def test_a_step_is_chosen_by_pointer_and_by_keys(self):
        desktop = self.start_with_program()
        self.assertEqual(desktop.state()["step"], 3)
        desktop.click("step 0")
        self.assertEqual(desktop.state()["step"], 0)
        desktop("key", "down")
        self.assertEqual(desktop.state()["step"], 1)
        desktop("key", "up")
        desktop("key", "up")
        self.assertEqual(desktop.state()["step"], 0)

    def test_the_head_is_moved_by_keys_buttons_and_the_scrubber(self):
        desktop = self.start_with_program()
        head = lambda: desktop.state()["head"]
        desktop("key", "right")
        desktop("key", "right")
        desktop("key", "left")
        self.assertEqual(head(), 1)
        desktop("key", "end")
        self.assertEqual(head(), 11)
        desktop("key", "right")
        self.assertEqual(head(), 11)
        desktop("key", "home")
        self.assertEqual(head(), 0)
        desktop.click("forward")
        desktop.click("forward")
        desktop.click("back")
        self.assertEqual(head(), 1)
        left, top, right, bottom = desktop.state()["controls"]["scrub"]
        y = (top + bottom) / 2
        desktop.drag((left + 7, y), ((left + right) / 2, y))
        self.assertIn(head(), (5, 6))
        desktop.drag(((left + right) / 2, y), (right + 200, y))
        self.assertEqual(head(), 11)

    def test_play_moves_the_head_until_pause_or_the_end(self):
        desktop = self.start_with_program()
        desktop("key", "space")
        self.assertTrue(desktop.state()["playing"])
        desktop("settle", 1200)
        moved = desktop.state()
        self.assertGreaterEqual(moved["head"] + moved["phase"], 0.5)
        desktop.click("play")
        self.assertFalse(desktop.state()["playing"])
        still = desktop.state()["head"]
        desktop("settle", 300)
        self.assertEqual(desktop.state()["head"], still)
        desktop("key", "end")
        desktop("key", "left")
        desktop("key", "space")
        desktop("settle", 1500)
        self.assertEqual((desktop.state()["playing"], desktop.state()["head"]), (False, 11))

    def test_pointing_at_a_cell_lights_it_up_and_pointing_away_does_not(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        desktop("point", 2, 2)
        drawn = desktop("geometry")
        found = set()
        for item in drawn["items"]:
            if item["kind"] != "rect":
                continue
            left, top, right, bottom = item["box"]
            x, y = drawn["origin"][0] + (left + right) / 2, drawn["origin"][1] + (top + bottom) / 2
            if y > 700:
                continue
            before = desktop.state()["pictures"]
            desktop("point", x, y)
            state = desktop.state()
            if state["hover"]:
                found.add(state["hover"].split(":")[0])
                self.assertGreater(state["pictures"], before)
            desktop("point", 2, 2)
            self.assertEqual(desktop.state()["hover"], "")
        self.assertLessEqual({"element", "cell"}, found)

    def test_nothing_is_drawn_anew_while_nothing_changes(self):
        desktop = self.start_with_program()
        before = desktop.state()["pictures"]
        desktop("settle", 200)
        self.assertEqual(desktop.state()["pictures"], before)

    def test_a_trillion_elements_are_scrubbed_like_twelve(self):
        desktop = self.start(os.path.join(EXAMPLES, "trillion.py"))
        self.assertEqual(desktop.state()["elements"], 10**12)
        desktop("key", "end")
        self.assertEqual(desktop.state()["head"], 10**12 - 1)
        desktop.click("scrub")
        self.assertAlmostEqual(desktop.state()["head"], 5 * 10**11, delta=10**10)

    def test_language_and_theme_are_chosen_in_the_window(self):
        desktop = self.start_with_program()
        desktop.click("language")
        desktop.click("language \u4e2d\u6587")
        desktop.click("theme")
        desktop.click("theme \u6df1\u8272")
        fields = desktop.state()["document"].split("&")
        self.assertIn("lang=zh", fields)
        self.assertIn("theme=dark", fields)


class Editing(Case):
    def write_at_the_end(self, desktop, text):
        left, top, right, bottom = desktop.state()["controls"]["code"]
        desktop.click_at(left + 5, bottom - 5)
        desktop("type", text)

    def test_typing_changes_the_steps_at_once_and_follows_the_line(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = x.t")
        state = desktop.state()
        self.assertEqual((state["source"], state["steps"], state["step"]), (PROGRAM + "w = x.t", 5, 4))
        self.assertTrue(state["unsaved"])

    def test_keys_that_are_typed_do_not_move_the_head(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "x + 1")
        desktop("key", "left")
        desktop("key", "home")
        state = desktop.state()
        self.assertEqual((state["head"], state["playing"]), (0, False))

    def test_escape_keeps_what_was_typed(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = x.t()")
        desktop("key", "escape")
        self.assertEqual(desktop.state()["source"], PROGRAM + "w = x.t()")
        desktop.click("step 0")
        desktop("key", "right")
        self.assertEqual(desktop.state()["head"], 1)

    def test_any_characters_can_be_typed(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "# \u5f20\u91cf \u00e9 \u2260 ) ( ' \\")
        self.assertTrue(desktop.state()["source"].endswith("# \u5f20\u91cf \u00e9 \u2260 ) ( ' \\"))

    def test_saving_writes_the_file_and_only_that(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = x + 1")
        desktop("key", "ctrl+s")
        with open(self.path("a.py")) as file:
            self.assertEqual(file.read(), PROGRAM + "w = x + 1")
        self.assertFalse(desktop.state()["unsaved"])
        self.assertEqual(os.listdir(self.folder), ["a.py"])

    def test_a_program_without_a_name_asks_for_one(self):
        desktop = self.start()
        source = desktop.state()["source"]
        desktop("key", "ctrl+s")
        desktop("type", self.path("new.py"))
        desktop("key", "enter")
        with open(self.path("new.py")) as file:
            self.assertEqual(file.read(), source)
        self.assertEqual(desktop.state()["file"], self.path("new.py"))

    def test_a_file_is_opened_by_its_name(self):
        desktop = self.start()
        desktop.click("open")
        desktop("type", self.path("a.py", PROGRAM))
        desktop.click("prompt go")
        self.assertEqual((desktop.state()["source"], desktop.state()["steps"]), (PROGRAM, 4))

    def test_unsaved_text_is_asked_about_before_it_is_lost(self):
        other = self.path("b.py", "b = torch.arange(3)\n")
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = x + 1")
        desktop("drop", other)
        self.assertEqual(desktop.state()["source"], PROGRAM + "w = x + 1")
        desktop.click("unsaved cancel")
        self.assertEqual(desktop.state()["source"], PROGRAM + "w = x + 1")
        desktop("close")
        self.assertIn("unsaved save", desktop.state()["controls"])
        desktop.click("unsaved cancel")
        desktop("drop", other)
        desktop.click("unsaved save")
        self.assertEqual(desktop.state()["file"], other)
        with open(self.path("a.py")) as file:
            self.assertEqual(file.read(), PROGRAM + "w = x + 1")
        desktop("close")
        self.assertEqual(desktop.end(), 0)

    def test_a_fix_is_applied_by_its_button(self):
        desktop = self.start_with_program()
        desktop.click("step 2")
        desktop.click("fix 0")
        state = desktop.state()
        self.assertNotEqual(state["source"], PROGRAM)
        self.assertIn("z = y.reshape(-1)\nz = y.reshape(-1)", state["source"])

    def test_a_drop_while_typing_shows_the_dropped_file(self):
        desktop = self.start_with_program()
        left, top, right, bottom = desktop.state()["controls"]["code"]
        desktop.click_at(left + 5, bottom - 5)
        desktop("drop", self.path("b.py", "b = torch.arange(3)\n"))
        desktop("settle", 50)
        self.assertEqual(desktop.state()["source"], "b = torch.arange(3)\n")


class BadInput(Case):
    def bad_files(self):
        return {"missing": self.path("missing.py"), "folder": self.folder, "binary": self.path("a.bin", b"\x7fELF\0\1"),
                "latin": self.path("latin.py", b"x = '\xe9'\n"), "huge": self.path("huge.py", "#" * 20_001),
                "endless": "/dev/zero"}

    def test_a_file_that_cannot_be_opened_ends_the_start_with_a_message(self):
        for name, file in self.bad_files().items():
            with self.subTest(name):
                done = subprocess.run([APP, "--script", "-", file], input="", capture_output=True, text=True,
                                      env=environment(), timeout=60)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(file, done.stderr)

    def test_a_file_that_cannot_be_dropped_is_said_in_the_window_and_changes_nothing(self):
        desktop = self.start_with_program()
        for name, file in self.bad_files().items():
            with self.subTest(name):
                desktop("drop", file)
                state = desktop.state()
                self.assertIn(file, state["problem"])
                self.assertEqual((state["source"], state["file"]), (PROGRAM, self.path("a.py")))
                desktop.click("problem")
                self.assertEqual(desktop.state()["problem"], "")

    def test_a_save_that_fails_is_said_and_loses_nothing(self):
        desktop = self.start()
        desktop("key", "ctrl+s")
        desktop("type", "/proc/nowhere.py")
        desktop("key", "enter")
        state = desktop.state()
        self.assertIn("/proc/nowhere.py", state["problem"])
        self.assertEqual(state["file"], "")
        self.assertGreater(len(state["source"]), 20)

    def test_text_that_is_no_program_still_has_a_window(self):
        for text in ("", "x = (", ")\n" * 50, "\t\t\t", "x = torch.arange(10**30)\n", "x" * 20_000):
            desktop = self.start(self.path("a.py", text))
            self.assertEqual(desktop.state()["source"], text)
            desktop("quit")
            self.assertEqual(desktop.end(), 0)

    def test_without_a_display_it_says_what_to_do(self):
        done = subprocess.run([APP], env=environment(DISPLAY=""), capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"(?m)^stridescope-desktop: .*\n .*stridescope render")

    def test_without_opengl_it_says_what_to_do(self):
        done = subprocess.run([APP], env=environment(MESA_GL_VERSION_OVERRIDE="2.1"), capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("OpenGL 3.3", done.stderr)

    def test_bad_options_and_bad_commands_are_errors(self):
        done = subprocess.run([APP, "--nothing"], env=environment(), capture_output=True, text=True, timeout=60)
        self.assertGreater(done.returncode, 0)
        done = subprocess.run([APP, "--script", "-"], input="dance\nquit\n", env=environment(), capture_output=True,
                              text=True, timeout=60)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 2))

    def test_help_and_version_need_no_display(self):
        for option in ("--help", "--version"):
            done = subprocess.run([APP, option], env=environment(DISPLAY=""), capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("stridescope-desktop", done.stdout)


def start_display():
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "2600x1500x24", "-nolisten", "tcp"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number:
        return server, ":" + number.readline().strip()


if __name__ == "__main__":
    APP, COMMAND, EXAMPLES = (os.path.abspath(path) for path in (sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)))
    SERVER, DISPLAY = start_display()
    try:
        unittest.main()
    finally:
        SERVER.terminate()
        SERVER.wait()
