#!/usr/bin/env python3
"""Figures for course material: every format, pictures that are opened again, Markdown, mdBook, notebooks.

figures_test.py STRIDESCOPE PUBLISH_FOLDER"""
import base64
import html.parser
import json
import os
import re
import struct
import subprocess
import sys
import time
import types
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

import cli_test
import documentation
import hostile
from documentation import Documented  # its tests and the next one's are run with these
from markdown_test import Markdown
from cli_test import FAILING, PLAIN, Case

PUBLISH = ""
FORMATS = ("svg", "png", "pdf", "tikz", "html", "json", "txt", "alt")
SVG_ELEMENTS = {"svg", "title", "desc", "rect", "path", "text", "image"}
HTML_ELEMENTS = SVG_ELEMENTS | {"html", "meta", "style", "body", "main", "ol", "li", "a", "p", "section", "h2", "code", "figure", "ul", "table", "tr", "th", "td"}


class Markup(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes = set(), set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.attributes |= {(name, value) for name, value in attributes}


def png_chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, []
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        found.append((kind, body))
        at += 12 + length
    return found


class Figures(Case):
    def bytes_of(self, *arguments, **options):
        done = cli_test.run("render", *arguments, **options)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""), arguments)
        return done.stdout


class Formats(Figures):
    def test_the_ending_is_the_format_and_T_says_it_too(self):
        for name in FORMATS:
            with self.subTest(format=name):
                out = self.path("out." + name)
                self.bytes_of("-o", out, given=PLAIN)
                with open(out, "rb") as file:
                    self.assertEqual(file.read(), self.bytes_of("-T", name, given=PLAIN))
                os.remove(out)

    def test_every_format_is_the_same_every_time(self):
        for name in FORMATS:
            self.assertEqual(self.bytes_of("-T", name, given=FAILING), self.bytes_of("-T", name, given=FAILING), name)

    def test_each_is_what_it_says(self):
        svg, png, pdf, page = (self.bytes_of("-T", name, given=PLAIN) for name in ("svg", "png", "pdf", "html"))
        size = [float(ElementTree.fromstring(svg).get(name)) for name in ("width", "height")]
        chunks = png_chunks(png)
        self.assertEqual([kind for kind, _ in chunks][::len(chunks) - 1], [b"IHDR", b"IEND"])
        self.assertEqual(struct.unpack(">II", chunks[0][1][:8]), tuple(round(2 * side) for side in size))
        self.assertTrue(pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF"))
        box = re.search(rb"/MediaBox \[ *([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)", pdf)
        for side, value in zip(size, box.groups()[2:]):
            self.assertAlmostEqual(float(value), side * 0.75, delta=0.01)
        self.assertLessEqual(Markup(page.decode()).elements, HTML_ELEMENTS)
        self.assertEqual(json.loads(self.bytes_of("-T", "json", given=PLAIN))["width"], size[0])
        self.assertIn(r"\begin{tikzpicture}", self.bytes_of("-T", "tikz", given=PLAIN).decode())
        self.assertIn("(3, 2):(1, 3)+0", self.bytes_of("-T", "txt", given=PLAIN).decode())
        self.assertIn("y = x.t(). ", self.bytes_of("-T", "alt", given=PLAIN).decode())

    def test_a_question_and_its_answer_come_from_one_source(self):
        for form in ("svg", "txt", "alt", "html", "json"):
            answer = self.bytes_of("-T", form, given=PLAIN).decode()
            question = self.bytes_of("-T", form, "--ask", given=PLAIN).decode()
            with self.subTest(form=form):
                self.assertIn("(3, 2)", answer)
                self.assertNotIn("(3, 2)", question)
                self.assertIn("What will come of it", question)
        for line, wanted in (("#| ask:", ["--ask"]), ("#| ask: true", ["--ask"]), ("#| ask: false", [])):
            self.assertEqual(self.bytes_of("-T", "txt", given=line + "\n" + PLAIN), self.bytes_of("-T", "txt", *wanted, given=PLAIN))
        carried = self.bytes_of("--ask", given=PLAIN)
        self.assertEqual(carried, self.bytes_of(given=carried), "a question is opened again as one")

    def test_scale_is_that_of_the_png(self):
        one, three = (struct.unpack(">II", png_chunks(self.bytes_of("-T", "png", "--scale", scale, given=PLAIN))[0][1][:8]) for scale in ("1", "3"))
        self.assertEqual(tuple(3 * side for side in one), three)

    def test_a_picture_too_big_is_an_error(self):
        self.fails("render", "-T", "png", "--scale", "16", "--width", "2560", given="x = torch.zeros(10, 10, 10, 10, 10)", saying="too big")

    def test_options_without_meaning_are_errors(self):
        for arguments in (["-T", "png", "--animate"], ["--scale", "2"], ["-T", "pdf", "--standalone"], ["-T", "gif"], ["-T", "png", "--scale", "0"], ["-T", "png", "--scale", "nan"],
                          ["--step", "1,x"], ["--step", "1,,2"], ["--watch"], ["-o", "out.docx"]):
            with self.subTest(arguments=arguments):
                self.fails("render", *arguments, given=PLAIN, saying="stridescope: ")

    def test_all_steps_are_pages_sections_overlays_or_files(self):
        self.assertEqual(len(re.findall(rb"/Type /Page\b", self.bytes_of("-T", "pdf", "--all-steps", given=FAILING))), 2)
        self.assertEqual(self.bytes_of("-T", "html", "--all-steps", given=FAILING).count(b"<section"), 2)
        self.assertIn(rb"\only<2>{", self.bytes_of("-T", "tikz", "--all-steps", given=FAILING))
        self.assertEqual(len(json.loads(self.bytes_of("-T", "json", "--step", "0,1", given=FAILING))), 2)
        out = self.path("out.svg")
        self.bytes_of("-o", out, "--all-steps", given=FAILING)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out-0.svg", "out-1.svg"])
        self.fails("render", "--all-steps", given=FAILING, saying="name-0.svg")
        self.fails("render", "-T", "pdf", "--step", "0,7", given=FAILING, saying="statement 7")

    def test_an_animation_is_finite_and_still_without_motion(self):
        film = self.bytes_of("--animate", given=PLAIN).decode()
        root = ElementTree.fromstring(film)
        visible = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("visibility") != "hidden"]
        self.assertTrue(visible and len({group.get("class") for group in visible}) == 1)
        self.assertNotIn("infinite", film)
        self.assertIn("prefers-reduced-motion:no-preference", film)

    def test_a_caption_is_drawn_and_alt_is_said(self):
        picture = self.bytes_of("--caption", "One < two", "--alt", "My own words", given=PLAIN).decode()
        self.assertIn("One &lt; two</text>", picture)
        self.assertIn(">My own words</desc>", picture)

    def test_option_lines_are_options_and_the_command_line_comes_first(self):
        program = "#| step: 0\n#| theme: dark\n" + PLAIN
        self.assertEqual(self.bytes_of("-T", "txt", given=program), self.bytes_of("-T", "txt", "--step", "0", given=PLAIN))
        self.assertEqual(self.bytes_of("-T", "txt", "--step", "1", given=program), self.bytes_of("-T", "txt", given=PLAIN))
        self.fails("render", given="#| step: 0\n#| output: /tmp/x\n" + PLAIN, saying="<stdin>:2:1: output ")
        self.fails("render", given="#| step: 7\n" + PLAIN, saying="<stdin>:1:1: ")

    def test_several_inputs_go_into_a_folder_all_or_none(self):
        inputs = [self.path(f"{name}.py", PLAIN) for name in "abc"]
        out = self.path("out")
        self.fails("render", *inputs, "-o", out, saying="folder")
        os.mkdir(out)
        self.bytes_of(*inputs, "-T", "png", "-o", out)
        self.assertEqual(sorted(os.listdir(out)), ["a.png", "b.png", "c.png"])
        broken = self.path("d.py", "x = (")
        self.fails("render", *inputs, broken, "-o", out, saying="d.py:1:")
        self.assertEqual(sorted(os.listdir(out)), ["a.png", "b.png", "c.png"])
        os.mkdir(self.path("other"))
        self.fails("render", inputs[0], self.path("other/a.py", PLAIN), "-o", out, saying="a.svg")

    def test_watching_draws_again_after_every_change(self):
        program, out = self.path("a.py", PLAIN), self.path("a.txt")
        child = subprocess.Popen([cli_test.STRIDESCOPE, "render", program, "-o", out, "--watch"], stderr=subprocess.PIPE)
        try:
            self.assertIn(b"a.txt", child.stderr.readline())
            for broken, text in ((False, "z = torch.zeros(7)\n"), (True, "z = (\n"), (False, "w = torch.zeros(5)\n")):
                time.sleep(0.05)
                with open(program, "w", encoding="utf-8") as file:
                    file.write(text)
                line = child.stderr.readline()
                while broken is not (b"a.py:" in line):  # a file seen half written, or its further lines
                    line = child.stderr.readline()
                with open(out, encoding="utf-8") as file:
                    self.assertTrue(file.read().startswith(("z = torch.zeros(7)", "w = ")))
        finally:
            child.kill()
            child.communicate()


class Reopened(Figures):
    CARRYING = ("svg", "png", "pdf", "html")

    def test_a_picture_is_drawn_again_from_any_format_into_any(self):
        chosen = ["--step", "0", "--theme", "dark", "--width", "640", "--figures", "strip", "--lang", "zh"]
        program = "# \u4e2d (\\) %\n" + FAILING
        wanted = {name: self.bytes_of("-T", name, *chosen, given=program) for name in (*self.CARRYING, "json", "txt", "tikz")}
        for name in self.CARRYING:
            file = self.path("figure." + name, wanted[name])
            for other, expected in wanted.items():
                with self.subTest(read=name, written=other):
                    self.assertEqual(self.bytes_of(file, "-T", other), expected)
            self.assertEqual(self.bytes_of("-", "-T", "txt", given=wanted[name]), wanted["txt"])
            self.assertEqual(self.bytes_of(file, "--step", "1", "-T", "txt"), self.bytes_of("-T", "txt", "--step", "1", "--figures", "strip", "--lang", "zh", given=program))
        self.assertEqual(self.succeeds("explain", self.path("figure.png")), self.succeeds("explain", given=program))

    def test_damaged_and_foreign_pictures_are_one_clear_line(self):
        foreign = {"a.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>x</script></svg>", "a.html": "<!doctype html><p>x", "a.pdf": b"%PDF-1.4\n%%EOF\n"}
        for name, content in foreign.items():
            message = self.fails("render", self.path(name, content), saying=name)
            self.assertIn("carries no program", message.splitlines()[0])
        for name in self.CARRYING:
            picture = self.bytes_of("-T", name, given=PLAIN)
            cut = {"svg": 300, "png": 60, "pdf": picture.find(b"(stridescope:") + 40, "html": 60}[name]
            message = self.fails("render", self.path("cut." + name, picture[:cut]), saying="cut." + name)
            self.assertIn("damaged", message.splitlines()[0])

    def test_only_what_is_carried_is_read(self):
        picture = self.bytes_of("-T", "svg", given=PLAIN)
        file = self.path("a.svg", picture.replace(b"</svg>", b"<script>alert(1)</script><text data-stridescope=\"v=1&amp;code=evil\"/></svg>"))
        self.assertEqual(self.bytes_of(file), picture)


class Hostile(Figures):
    def test_whatever_a_program_says_stays_text_in_every_format(self):
        inputs = hostile.write(self.folder)
        self.assertGreaterEqual(len(inputs), 500)
        for name in FORMATS:
            out = self.path(name)
            os.mkdir(out)
            chosen = inputs[::50] if name == "png" else inputs  # pixels hold no markup
            self.bytes_of(*chosen, "-T", name, "-o", out, "--figures", "strip")
            self.assertEqual(len(os.listdir(out)), len(chosen))
            for file in os.listdir(out):
                with self.subTest(format=name, file=file), open(os.path.join(out, file), "rb") as picture:
                    self.check(name, picture.read())

    def test_so_does_a_caption_of_the_command_line(self):
        for name in FORMATS:
            self.check(name, self.bytes_of("-T", name, "--caption", " ".join(hostile.TEXTS), "--alt", " ".join(hostile.TEXTS), given=PLAIN))

    def check(self, name, data):
        if name == "svg":
            root = ElementTree.fromstring(data)
            self.assertLessEqual({element.tag.split("}")[1] for element in root.iter()}, SVG_ELEMENTS)
            for element in root.iter():
                for attribute, value in element.attrib.items():
                    self.assertFalse(attribute.startswith("on") or attribute == "style", attribute)
                    self.assertTrue(attribute != "href" or value.startswith("data:image/png;base64,"))
        elif name == "html":
            markup = Markup(data.decode())
            self.assertLessEqual(markup.elements, HTML_ELEMENTS)
            ids = [value for attribute, value in markup.attributes if attribute == "id"]
            self.assertEqual(len(ids), len(set(ids)), "a page names a place once")
            for attribute, value in markup.attributes:
                self.assertFalse(attribute.startswith("on"), attribute)
                self.assertTrue(attribute != "href" or re.match(r"#line-\d+$|data:image/png;base64,", value), value)
        elif name == "json":
            json.loads(data)
        elif name == "png":
            self.assertEqual([body.split(b"\0")[0] for kind, body in png_chunks(data) if kind == b"tEXt"], [b"Stridescope"])
        elif name == "pdf":
            structure = re.sub(rb"\((?:\\.|[^\\()])*\)", b"()", re.sub(rb"stream\r?\n.*?endstream", b"", data, flags=re.S), flags=re.S)  # strings are data
            self.assertEqual(re.findall(rb"/(?:JavaScript|JS|Launch|URI|OpenAction|AA|EmbeddedFile)\b", structure), [])
            self.assertEqual((structure.count(b"endobj"), structure.count(b"%%EOF")), (len(re.findall(rb"\d+ 0 obj\b", structure)), 1))
        elif name in ("txt", "alt"):
            self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", data.decode()))

    def test_every_round_of_a_loop_is_in_a_page(self):
        page = self.bytes_of("-T", "html", "--all-steps", given="x = torch.arange(6).view(2, 3); x\nfor row in x:\n    row[None]\n")
        self.check("html", page)
        self.assertEqual(page.count(b"<section"), 6)

    def test_bytes_that_are_not_text_are_refused_at_their_place(self):
        for name in FORMATS:
            self.fails("render", "-T", name, given=b"x = 1\ny = '\xff\xfe'\n", saying="<stdin>:2:")


class FakeTensor:
    """What the notebook's module reads of a PyTorch tensor."""

    def __init__(self, cells, sizes, strides, offset, at=1 << 20):
        self.cells, self.shape, self._strides, self._offset, self._at = cells, sizes, strides, offset, at
        self.dtype = "torch.int64"

    def element_size(self):
        return 8

    def stride(self):
        return self._strides

    def data_ptr(self):
        return self._at + 8 * self._offset

    def untyped_storage(self):
        return types.SimpleNamespace(data_ptr=lambda: self._at, nbytes=lambda: 8 * len(self.cells))

    def detach(self):
        return self

    def as_strided(self, sizes, strides, offset):
        return FakeTensor(self.cells, sizes, strides, offset, self._at)

    def tolist(self):
        return [self.cells[self._offset + k * self._strides[0]] for k in range(self.shape[0])]


FakeTensor.__module__ = "torch"


class Notebook(Figures):
    def setUp(self):
        super().setUp()
        sys.path.insert(0, os.path.join(PUBLISH, "python"))
        self.addCleanup(sys.path.remove, os.path.join(PUBLISH, "python"))
        os.environ["STRIDESCOPE_BIN"] = cli_test.STRIDESCOPE
        import stridescope
        self.stridescope = stridescope

    def layouts(self, figure):
        trace = json.loads(self.succeeds("trace", given=figure.program))
        return {entry["name"]: (entry["tensor"]["layout"], entry["tensor"]["storage"]) for entry in trace["steps"][-1]["names"]}

    def test_a_program_is_shown_as_svg_png_and_text(self):
        bundle = self.stridescope.show(PLAIN)._repr_mimebundle_()
        self.assertEqual(set(bundle), {"text/html", "image/png", "text/plain"})
        picture = Markup(bundle["text/html"])
        self.assertEqual(picture.elements, {"picture", "source", "img"})
        said = dict(picture.attributes)
        self.assertIn("y = x.t(). ", said["alt"])
        ElementTree.fromstring(base64.b64decode(said["srcset"].removeprefix("data:image/svg+xml;base64,")))
        self.assertEqual(base64.b64decode(said["src"].removeprefix("data:image/png;base64,")), bundle["image/png"])
        png_chunks(bundle["image/png"])
        self.assertIn("(3, 2):(1, 3)+0", repr(self.stridescope.show(PLAIN)))
        self.assertEqual(set(self.stridescope.show(PLAIN)._repr_mimebundle_(include={"image/png"})), {"image/png"})

    def test_tensors_are_shown_with_their_layout_values_and_sharing(self):
        cells = [3, 1, 4, 1, 5, 9]
        figure = self.stridescope.show(FakeTensor(cells, (2, 2), (1, 2), 1), FakeTensor(cells, (6,), (1,), 0), FakeTensor([7, 8], (2,), (1,), 0, at=1 << 22))
        layouts = self.layouts(figure)
        self.assertEqual([layouts[name][0] for name in "xyz"], ["(2, 2):(1, 2)+1", "(6,):(1,)+0", "(2,):(1,)+0"])
        self.assertEqual(layouts["x"][1], layouts["y"][1])
        self.assertNotEqual(layouts["x"][1], layouts["z"][1])
        self.assertIn("[3, 1, 4, 1, 5, 9]", figure.program)
        self.assertIn("[3, 1, 4, 1, 5, 9]", self.stridescope.show(FakeTensor(cells, (3,), (2,), 0)).program)  # what no view reads, too

    def values(self, figure):
        step = json.loads(self.succeeds("trace", "--jsonl", given=json.dumps({"id": 0, "prog": figure.program.splitlines()})))
        return step["lines"][-1]["values"]

    def test_what_an_array_holds_is_shown_also_where_nobody_reads_it(self):
        import numpy as np
        x = np.arange(10, 20)[::2]
        self.assertIn("[10, 11, 12, 13, 14, 15, 16, 17, 18, 19]", self.stridescope.show(x).program)
        for array, values in ((np.array([1.5, np.nan, -np.inf]), [1.5, "nan", "-inf"]), (np.array([1 + 2j, complex(0, np.inf)]), [[1, 2], [0, "inf"]]),
                              (x[::-1], [18, 16, 14, 12, 10]), (np.array([True, False]), [True, False]), (np.float16([0.1]), [0.0999755859375])):
            self.assertEqual(self.values(self.stridescope.show(array)), values)
        with self.assertRaisesRegex(TypeError, "only numbers and booleans"):
            self.stridescope.show(np.array(["a", "b"]))

    def test_arrays_are_shown_with_negative_strides(self):
        import numpy as np
        x = np.arange(6).reshape(2, 3)
        layouts = self.layouts(self.stridescope.show(x[::-1], x))
        self.assertEqual([layouts[name][0] for name in "xy"], ["(2, 3):(-24, 8)+24", "(2, 3):(24, 8)+0"])
        self.assertEqual(layouts["x"][1], layouts["y"][1])
        self.assertEqual(self.layouts(self.stridescope.show(np.zeros((4, 5), dtype=np.float32).T))["x"][0], "(5, 4):(4, 20)+0")

    def test_errors_are_the_command_lines(self):
        with self.assertRaises(self.stridescope.StridescopeError) as caught:
            self.stridescope.show("x = (").render()
        self.assertIn("<stdin>:1:", str(caught.exception))
        with self.assertRaises(TypeError):
            self.stridescope.show(7)

    def test_a_picture_is_saved_in_the_format_of_its_ending(self):
        path = self.path("out.png")
        self.stridescope.show(PLAIN, theme="dark", all_steps=False).save(path)
        with open(path, "rb") as file:
            png_chunks(file.read())


if __name__ == "__main__":
    cli_test.STRIDESCOPE = os.path.abspath(sys.argv.pop(1))
    PUBLISH = documentation.FOLDER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
