"""The window's picture stands where the command line's SVG has it."""
import glob
import os
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

from desktop import COMMAND, EXAMPLES, PROGRAM, Case

SVG = "{http://www.w3.org/2000/svg}"


def number(element, name, otherwise=0.0):
    return float(element.get(name, otherwise))


def svg_items(source, state_of_view, steps):
    """What the command line draws of these steps of a program: of each the picture, and what is in it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([COMMAND, "render", "-", *state_of_view, "--step", ",".join(map(str, steps)),
                        "-o", os.path.join(folder, "step.svg")], input=source, text=True, check=True)
        names = [f"step-{step}.svg" for step in steps] if len(steps) > 1 else ["step.svg"]
        roots = [ElementTree.parse(os.path.join(folder, name)).getroot() for name in names]
    return [(root, [element for element in root if element.tag not in (SVG + "title", SVG + "desc")]) for root in roots]


def rectangle(element):
    x, y = number(element, "x"), number(element, "y")
    return x, y, x + number(element, "width"), y + number(element, "height")


def points(element):
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", element.get("d"))]
    return list(zip(numbers[::2], numbers[1::2]))


class Geometry(Case):
    def start(self, *arguments, **options):
        """As a picture that says why, as those in files do: beside it stands something else."""
        desktop = super().start(*arguments, **options)
        desktop.click("layout")
        desktop("point", 2, 2)
        return desktop

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
        return self.agree_on_steps([(desktop.state(), desktop("geometry"))], source)

    def agree_on_steps(self, shown, source):
        """Asserts that what was shown of steps of a program is what the command line draws of them.
        @returns what is in the picture of the last"""
        def view(state):
            fields = dict(pair.split("=", 1) for pair in state["document"].split("&"))
            width, height = (str(round(length)) for length in state["room"])
            return ("--width", width, *(["--height", height] if height != "0" else []),  # 0: as high as it is
                    "--head", str(state["head"]), "--theme", fields.get("theme", "light"),
                    "--lang", fields.get("lang", "en"), f"--zoom={fields.get('zoom', 0)}")

        views = {}
        for state, drawn in shown:
            views.setdefault(view(state), {})[state["step"]] = drawn
        for options, steps in views.items():
            for (step, drawn), (root, elements) in zip(steps.items(), svg_items(source, options, list(steps))):
                with self.subTest(step=step):
                    self.compare_all(drawn, root, elements)
        return elements

    def compare_all(self, drawn, root, elements):
        self.assertEqual(drawn["scene"], [number(root, "width"), number(root, "height")])
        self.assertEqual(len(drawn["items"]), len(elements))
        for i, (item, element) in enumerate(zip(drawn["items"], elements)):
            with self.subTest(item=i, svg=ElementTree.tostring(element, encoding="unicode")[:200], box=item["box"]):
                self.compare(item, element)

    def agree_on(self, desktop, file):
        desktop("drop", file)
        with open(file) as text:
            source = text.read()
        desktop("point", 2, 2)
        shown = []
        with self.subTest(file=os.path.basename(file)):
            for step in reversed(range(desktop.state()["steps"])):
                state = desktop.state()
                self.assertEqual((state["step"], state["hover"]), (step, ""))
                shown.append((state, desktop("geometry")))
                desktop("key", "up")
            self.agree_on_steps(shown, source)

    def test_every_step_of_every_example_stands_where_the_svg_has_it(self):
        """Each in two of four looks where EVERY_LOOK is set; else, under sanitizers, every fourth in one."""
        looks = [("light", "en"), ("dark", "zh"), ("light", "zh"), ("dark", "en")]
        desktops = [self.start("--theme", theme, "--lang", language) for theme, language in looks]
        files = sorted(glob.glob(os.path.join(EXAMPLES, "*.py")))
        self.assertGreater(len(files), 5)
        every = os.environ.get("EVERY_LOOK")
        sizes = (1280, 800), (1024, 640), (1440, 900)
        for i, file in enumerate(files if every else files[::4]):
            chosen = desktops[i % 2 * 2:][:2] if every else [desktops[i % len(desktops)]]
            for desktop in chosen:
                desktop("resize", *sizes[i % len(sizes)])
                self.agree_on(desktop, file)

    def test_why_stands_once_beside_the_picture_or_in_it(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(6).view(2, 3).t()\ny = x.view(6)\n"))

        def texts():
            desktop("point", 2, 2)
            return sum(item["kind"] == "text" for item in desktop("geometry")["items"])

        within = texts()
        desktop.click("why")
        beside = texts()
        self.assertLess(beside, within - 5)
        desktop.click("walk")
        self.assertEqual(texts(), within)

    def test_a_larger_window_shows_the_same_picture_larger(self):
        desktop = self.start_with_program()
        desktop("resize", 2560, 1440)
        desktop("point", 2, 2)
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
