#!/usr/bin/env python3
"""The programs that figures are made for: Pandoc, LaTeX, Sphinx, poppler, librsvg. Run by `./dev test --consumers`, which
installs them; the examples are those of the documentation.

consumers_test.py STRIDESCOPE PUBLISH_FOLDER"""
import html.parser
import os
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import cli_test
import figures_test
from cli_test import FAILING, PLAIN, Case

PUBLISH = ""


class Documentation(html.parser.HTMLParser):
    """The examples of figures.html: files by name, runs by name."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.files, self.runs, self.python, self._to = {}, {}, {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes if tag == "pre" else ():
            group = {"data-file": self.files, "data-run": self.runs, "data-python": self.python}.get(name)
            if group is not None:
                group[value], self._to = "", (group, value)

    def handle_endtag(self, tag):
        if tag == "pre":
            self._to = None

    def handle_data(self, data):
        if self._to:
            group, name = self._to
            group[name] += data


def documentation():
    with open(os.path.join(PUBLISH, "figures.html"), encoding="utf-8") as file:
        return Documentation(file.read())


class Consumers(Case):
    def setUp(self):
        super().setUp()
        self.docs = documentation()
        for name, content in self.docs.files.items():
            self.path(name, content + "\n")
        tools = self.path("bin")
        os.mkdir(tools)
        os.symlink(cli_test.STRIDESCOPE, os.path.join(tools, "stridescope"))
        shutil.copy(os.path.join(PUBLISH, "pandoc/stridescope.lua"), self.folder)
        self.environment = {**os.environ, "PATH": tools + os.pathsep + os.environ["PATH"], "PYTHONPATH": os.path.join(PUBLISH, "python"),
                            "STRIDESCOPE_CACHE": self.path("cache"), "TEXMFVAR": self.path("texmf"), "SOURCE_DATE_EPOCH": "0"}
        self.environment.pop("STRIDESCOPE_BIN", None)

    def run_in_folder(self, *command, succeeds=True):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
        if succeeds:
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done

    def run_example(self, name):
        for line in self.docs.runs[name].splitlines():
            self.run_in_folder(*line.split())

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def size_of(self, pdf):
        found = re.search(r"Page size: +([\d.]+) x ([\d.]+) pts", self.run_in_folder("pdfinfo", pdf).stdout)
        return float(found[1]), float(found[2])

    def pages_of(self, pdf):
        return int(re.search(r"Pages: +(\d+)", self.run_in_folder("pdfinfo", pdf).stdout)[1])


class CommandLine(Consumers):
    def test_the_examples_run(self):
        for name in ("command", "markdown", "tikz"):
            self.run_example(name)
        for name in ("lesson.svg", "lesson.pdf", "lesson.png", "walk.svg", "again.pdf", "README.md", "lesson.tikz"):
            self.assertGreater(os.path.getsize(self.path(name)), 100, name)
        self.run_in_folder("stridescope", "render", "options.py", "-o", "options.svg")

    def test_the_notebook_example_runs(self):
        self.path("example.py", self.docs.python["notebook"])
        self.assertIn("(3, 2):(1, 3)+0", self.run_in_folder(sys.executable, "example.py").stdout)


class Pdf(Consumers):
    def test_has_the_size_pages_and_text_of_the_picture(self):
        self.path("a.py", FAILING)
        self.run_in_folder("stridescope", "render", "a.py", "-o", "a.pdf", "--all-steps")
        self.run_in_folder("stridescope", "render", "a.py", "-o", "a.svg", "--step", "0")
        root = ElementTree.parse(self.path("a.svg")).getroot()
        width, height = self.size_of("a.pdf")
        self.assertAlmostEqual(width, float(root.get("width")) * 0.75, delta=0.1)
        self.assertAlmostEqual(height, float(root.get("height")) * 0.75, delta=0.1)
        self.assertEqual(self.pages_of("a.pdf"), 2)
        text = "".join(self.run_in_folder("pdftotext", "-raw", "a.pdf", "-").stdout.split())
        self.assertIn("torch.arange(12).view(2,3,2)", text)

    def test_two_renderers_draw_the_same_words_at_the_same_places(self):
        """Of the SVG and of the PDF poppler reads: every word's box of the PDF is where the SVG's text is anchored."""
        self.path("a.py", PLAIN)
        for ending in ("svg", "pdf"):
            self.run_in_folder("stridescope", "render", "a.py", "-o", "a." + ending)
        self.run_in_folder("rsvg-convert", "-f", "pdf", "-o", "b.pdf", "a.svg")

        def words(pdf):
            listing = self.run_in_folder("pdftotext", "-bbox", pdf, "-").stdout
            page = float(re.search(r'<page width="([\d.]+)"', listing)[1])
            return sorted((text, round(float(x) / page, 2), round(float(y) / page, 2)) for x, y, text in re.findall(r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="[\d.]+" yMax="([\d.]+)">(\w)</word>', listing))

        ours, theirs = words("a.pdf"), words("b.pdf")
        self.assertGreater(len(ours), 20)
        self.assertEqual([word[0] for word in ours], [word[0] for word in theirs])
        for one, other in zip(ours, theirs):
            self.assertAlmostEqual(one[1], other[1], delta=0.02)
            self.assertAlmostEqual(one[2], other[2], delta=0.02)


class LaTeX(Consumers):
    def compile(self, name):
        return self.run_in_folder("pdflatex", "-interaction=nonstopmode", "-halt-on-error", name)

    def test_a_standalone_picture_has_the_pictures_size(self):
        self.run_in_folder("stridescope", "render", "lesson.py", "-T", "tikz", "--standalone", "--all-steps", "-o", "figure.tex")
        self.run_in_folder("stridescope", "render", "lesson.py", "--step", "0", "-o", "figure.svg")
        self.compile("figure.tex")
        self.assertEqual(self.pages_of("figure.pdf"), 3)
        root = ElementTree.parse(self.path("figure.svg")).getroot()
        width, height = self.size_of("figure.pdf")
        self.assertAlmostEqual(width, float(root.get("width")) * 0.75, delta=1)
        self.assertAlmostEqual(height, float(root.get("height")) * 0.75, delta=1)

    def test_the_example_paper_and_a_beamer_deck_compile(self):
        self.run_example("tikz")
        self.compile("paper.tex")
        self.run_in_folder("stridescope", "render", "lesson.py", "-T", "tikz", "--all-steps", "-o", "steps.tikz")
        self.path("deck.tex", r"\documentclass{beamer}\usepackage{tikz}\begin{document}\begin{frame}\resizebox{\linewidth}{!}{\input{steps.tikz}}\end{frame}\end{document}")
        self.compile("deck.tex")
        self.assertEqual(self.pages_of("deck.pdf"), 3)

    def test_hostile_programs_compile(self):
        programs = list(figures_test.hostile_programs())
        inputs = [self.path(f"p{number}.py", program) for number, program in enumerate(programs)]
        out = self.path("out")
        os.mkdir(out)
        self.run_in_folder("stridescope", "render", *inputs, "-T", "tikz", "--figures", "strip", "--caption", "".join(figures_test.HOSTILE)[:1500], "-o", out)
        body = "".join(f"\\hbox{{\\input{{out/p{number}.tikz}}}}\\newpage\n" for number in range(len(programs)))
        self.path("all.tex", "\\documentclass{article}\\usepackage{tikz}\\begin{document}\n" + body + "\\end{document}\n")
        self.compile("all.tex")
        self.assertGreaterEqual(self.pages_of("all.pdf"), len(programs))


class Pandoc(Consumers):
    def test_the_examples_make_html_and_pdf_with_caption_label_and_words(self):
        self.run_example("pandoc")
        page = self.read("lesson.html")
        self.assertIn('<figure id="fig-transpose"', page)
        self.assertIn("A transpose moves nothing.", page)
        self.assertEqual(page.count("<svg "), 1)
        self.assertIn("data-stridescope=", page)
        text = self.run_in_folder("pdftotext", "-raw", "lesson.pdf", "-").stdout
        self.assertIn("A transpose moves nothing.", text)
        self.assertIn("storage", text)
        self.assertGreater(len(os.listdir(self.path("cache"))), 1)

    def test_an_unchanged_figure_comes_from_the_cache(self):
        self.run_example("pandoc")
        kept = {name: os.stat(os.path.join(self.path("cache"), name)).st_mtime_ns for name in os.listdir(self.path("cache"))}
        self.run_example("pandoc")
        self.assertEqual(kept, {name: os.stat(os.path.join(self.path("cache"), name)).st_mtime_ns for name in os.listdir(self.path("cache"))})

    def test_beamer_shows_steps_as_overlays(self):
        self.path("deck.md", "# One\n\n```stridescope\n#| all-steps: true\n" + FAILING + "```\n")
        self.run_in_folder("pandoc", "--lua-filter", "stridescope.lua", "-t", "beamer", "deck.md", "-o", "deck.pdf")
        self.assertEqual(self.pages_of("deck.pdf"), 2)

    def test_documents_choose_neither_a_program_nor_a_file(self):
        mark = self.path("mark")
        evil = self.path("evil", f"#!/bin/sh\ntouch {mark}\n")
        os.chmod(evil, 0o755)
        self.path("a.md", f"---\nstridescope: {evil}\ndiagram: {{engine: {{stridescope: {{execpath: {evil}}}}}}}\nexecpath: {evil}\n---\n\n```{{.stridescope execpath={evil} output={mark}}}\n{PLAIN}```\n")
        done = self.run_in_folder("pandoc", "--lua-filter", "stridescope.lua", "a.md", "-o", "a.html", succeeds=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is not an option of a figure", done.stderr)
        self.assertFalse(os.path.exists(mark))

    def test_a_program_with_a_mistake_stops_the_document(self):
        self.path("a.md", "```stridescope\nx = (\n```\n")
        done = self.run_in_folder("pandoc", "--lua-filter", "stridescope.lua", "a.md", "-o", "a.html", succeeds=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("<stdin>:1:", done.stderr)
        self.assertFalse(os.path.exists(self.path("a.html")))


class Sphinx(Consumers):
    def test_the_example_has_its_picture_caption_and_words(self):
        self.run_example("sphinx")
        page = self.read("out/index.html")
        source = re.search(r'<(?:img|object)[^>]*(?:src|data)="([^"]+\.svg)"', page)
        self.assertTrue(source, page)
        ElementTree.parse(self.path(os.path.join("out", source[1])))
        self.assertIn("A transpose moves nothing.", page)
        self.assertIn('id="fig-transpose"', page)
        self.assertIn("y = x.t(). ", page)

    def test_latex_gets_a_pdf(self):
        self.run_in_folder("sphinx-build", "-q", "-b", "latex", ".", "tex")
        self.assertTrue([name for name in os.listdir(self.path("tex")) if re.fullmatch(r"[0-9a-f]{16}\.pdf", name)])

    def test_a_mistake_is_said_at_the_directive(self):
        self.path("index.rst", "Strides\n=======\n\n.. stridescope::\n\n   x = (\n")
        done = self.run_in_folder("sphinx-build", "-q", "-W", "-b", "html", ".", "out", succeeds=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("index.rst:4", done.stderr)


if __name__ == "__main__":
    cli_test.STRIDESCOPE = os.path.abspath(sys.argv.pop(1))
    PUBLISH = os.path.abspath(sys.argv.pop(1))
    unittest.main()
