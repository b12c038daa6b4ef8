#!/usr/bin/env python3
"""The programs that figures are made for: Pandoc, LaTeX, Sphinx, mdBook, Jupyter, poppler, and what draws SVG. Run by
`./dev test --consumers`, which installs them; the examples are those of the documentation.

consumers_test.py STRIDESCOPE PUBLISH_FOLDER"""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile
import xml.etree.ElementTree as ElementTree

import cli_test
import documentation
import figures_test
import hostile
from cli_test import FAILING, PLAIN, Case

PUBLISH = ""


class Consumers(Case):
    def setUp(self):
        super().setUp()
        self.docs = documentation.Documentation().examples
        for name, content in self.docs["file"].items():
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
        for line in self.docs["run"][name].splitlines():
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
        self.path("example.py", self.docs["python"]["notebook"])
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
        self.path("deck.tex", r"\documentclass{beamer}\usepackage{tikz}\begin{document}\begin{frame}\resizebox{!}{0.75\textheight}{\input{steps.tikz}}\end{frame}\end{document}")
        self.compile("deck.tex")
        self.assertEqual(self.pages_of("deck.pdf"), 3)

    def test_hostile_programs_compile(self):
        inputs = hostile.write(self.folder)
        out = self.path("out")
        os.mkdir(out)
        self.run_in_folder("stridescope", "render", *inputs, "-T", "tikz", "--figures", "strip", "-o", out)
        self.run_in_folder("stridescope", "render", "lesson.py", "--caption", "".join(hostile.TEXTS)[:1500], "-o", "out/caption.tikz")
        pictures = sorted(os.listdir(out))
        for first in range(0, len(pictures), 100):
            some = pictures[first:first + 100]
            body = "".join(f"\\hbox{{\\input{{out/{name}}}}}\\newpage\n" for name in some)
            self.path("some.tex", "\\documentclass{article}\\usepackage{tikz}\\begin{document}\n" + body + "\\end{document}\n")
            self.compile("some.tex")
            self.assertGreaterEqual(self.pages_of("some.pdf"), len(some))

    def test_xelatex_sets_chinese(self):
        self.run_in_folder("stridescope", "render", "lesson.py", "--lang", "zh", "--step", "1", "--standalone", "-o", "chinese.tikz")
        source = self.read("chinese.tikz").replace(r"\usepackage{tikz}", r"\usepackage{tikz}\usepackage{fontspec}\setmainfont{WenQuanYi Micro Hei}\setsansfont{WenQuanYi Micro Hei}\setmonofont{WenQuanYi Micro Hei Mono}", 1)
        self.path("chinese.tex", source)
        self.run_in_folder("xelatex", "-interaction=nonstopmode", "-halt-on-error", "chinese.tex")
        self.assertEqual(self.pages_of("chinese.pdf"), 1)
        words = "".join(self.run_in_folder("pdftotext", "-raw", "chinese.pdf", "-").stdout.split())
        drawn = {text for text in ElementTree.fromstring(self.run_in_folder("stridescope", "render", "lesson.py", "--lang", "zh", "--step", "1").stdout).itertext() if re.search("[\u4e00-\u9fff]", text)}
        self.assertGreater(len(drawn), 3)
        self.assertTrue(any("".join(text.split()) in words for text in drawn), words)


class Pandoc(Consumers):
    def test_the_examples_make_html_and_pdf_with_caption_label_and_words(self):
        self.run_example("pandoc")
        page = self.read("lesson.html")
        self.assertIn('<figure id="fig-transpose"', page)
        self.assertIn("A transpose moves nothing.", page)
        self.assertEqual(page.count('<svg style="max-width:100%;height:auto" xmlns='), 1)
        self.assertIn("data-stridescope=", page)
        text = self.run_in_folder("pdftotext", "-raw", "lesson.pdf", "-").stdout
        self.assertIn("A transpose moves nothing.", text)
        self.assertIn("storage", text)
        self.assertGreater(len(os.listdir(self.path("cache"))), 1)

    def test_blocks_in_items_and_quotes_are_figures_and_code_in_a_line_is_none(self):
        block = "```stridescope\n" + PLAIN + "```\n"
        self.path("a.md", "```foo``` is inline\n\n" + block + "\n- a\n\n    " + block.replace("\n", "\n    ") + "\n\n> " + block.replace("\n", "\n> ") + "\n")
        self.assertEqual(self.run_in_folder("pandoc", "--lua-filter", "stridescope.lua", "a.md", "-t", "html").stdout.count("data-stridescope="), 3)

    def test_an_unchanged_figure_comes_from_the_cache(self):
        self.run_example("pandoc")
        kept = {name: os.stat(os.path.join(self.path("cache"), name)).st_mtime_ns for name in os.listdir(self.path("cache"))}
        self.run_example("pandoc")
        self.assertEqual(kept, {name: os.stat(os.path.join(self.path("cache"), name)).st_mtime_ns for name in os.listdir(self.path("cache"))})

    def test_beamer_shows_steps_as_overlays(self):
        self.path("deck.md", "# One\n\n```stridescope\n#| all-steps: true\n" + FAILING + "```\n")
        self.run_in_folder("pandoc", "--lua-filter", "stridescope.lua", "-t", "beamer", "deck.md", "-o", "deck.pdf")
        self.assertEqual(self.pages_of("deck.pdf"), 2)
        width, height = self.size_of("deck.pdf")
        last = self.run_in_folder("pdftotext", "-f", "2", "-bbox", "deck.pdf", "-").stdout
        lowest = max(float(bottom) for bottom in re.findall(r'yMax="([\d.]+)"', last))
        self.assertLess(lowest, height, "the whole picture is on the slide")

    def test_letters_on_paper_are_large_enough_to_read(self):
        self.run_example("pandoc")
        fonts = self.run_in_folder("pdftotext", "-bbox", "lesson.pdf", "-").stdout
        width = lambda word: float(re.search(rf'xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)"[^>]*>{word}<', fonts)[2]) - float(re.search(rf'xMin="([\d.]+)"[^>]*>{word}<', fonts)[1])
        self.assertGreater(width("dim"), 3 * 0.6 * 5)  # three letters of 0.6 em, at 5 pt

    def test_an_author_chooses_another_width(self):
        self.path("a.md", "```stridescope\n#| width: 500\n" + PLAIN + "```\n")
        self.run_in_folder("pandoc", "--lua-filter", "stridescope.lua", "--extract-media", "media", "a.md", "-t", "latex", "-o", "a.tex")
        pdf = next(os.path.join(folder, name) for folder, _, names in os.walk(self.path("media")) for name in names)
        self.assertAlmostEqual(self.size_of(pdf)[0], 500 * 0.75, delta=0.1)

    def test_quarto_reads_the_same_blocks(self):
        """Quarto runs Pandoc with a file of defaults that names the filters; its formats are these."""
        self.path("quarto.yml", "filters: [stridescope.lua]\nstandalone: true\n")
        self.path("chapter.qmd", "---\ntitle: Strides\nfilters: [stridescope.lua]\n---\n\n" + self.read("lesson.md") + "\nSee @fig-transpose.\n")
        for to, ending in (("html5", "html"), ("revealjs", "html"), ("pdf", "pdf"), ("beamer", "pdf"), ("docx", "docx"), ("epub3", "epub"), ("odt", "odt")):
            self.run_in_folder("pandoc", "--defaults", "quarto.yml", "-f", "markdown", "-t", to, "chapter.qmd", "-o", to + "." + ending)
            self.assertGreater(os.path.getsize(self.path(to + "." + ending)), 5000, to)
        self.assertIn('id="fig-transpose"', self.read("html5.html"))
        self.assertIn("data-stridescope=", self.read("revealjs.html"))
        for name in ("docx.docx", "odt.odt", "epub3.epub"):
            with zipfile.ZipFile(self.path(name)) as file:
                self.assertTrue([one for one in file.namelist() if re.search(r"media/|Pictures/", one)], name)

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

    def test_myst_has_the_same_figure(self):
        self.path("conf.py", 'extensions = ["stridescope.sphinx", "myst_parser"]\n')
        os.remove(self.path("index.rst"))
        self.path("index.md", "# Strides\n\n```{stridescope}\n:step: 1\n:caption: A transpose moves nothing.\n:name: fig-transpose\n\n" + PLAIN + "```\n")
        os.remove(self.path("lesson.md"))
        self.run_in_folder("sphinx-build", "-q", "-W", "-b", "html", ".", "out")
        page = self.read("out/index.html")
        ElementTree.parse(self.path(os.path.join("out", re.search(r'src="([^"]+\.svg)"', page)[1])))
        self.assertIn("A transpose moves nothing.", page)
        self.assertIn('id="fig-transpose"', page)

    def test_latex_gets_a_pdf(self):
        self.run_in_folder("sphinx-build", "-q", "-b", "latex", ".", "tex")
        self.assertTrue([name for name in os.listdir(self.path("tex")) if re.fullmatch(r"[0-9a-f]{16}\.pdf", name)])

    def test_a_mistake_is_said_at_the_directive(self):
        self.path("index.rst", "Strides\n=======\n\n.. stridescope::\n\n   x = (\n")
        done = self.run_in_folder("sphinx-build", "-q", "-W", "-b", "html", ".", "out", succeeds=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("index.rst:4", done.stderr)

    def test_options_are_those_of_the_command_line(self):
        self.path("index.rst", "Strides\n=======\n\n- .. stridescope::\n     :color: row\n     :ask:\n     :alt: My own\n        words\n\n     " + PLAIN.replace("\n", "\n     "))
        self.run_in_folder("sphinx-build", "-q", "-W", "-b", "html", ".", "out")
        page = self.read("out/index.html")
        self.assertIn("My own words", page)
        self.assertIn("What will come of it", self.read(os.path.join("out", re.search(r'(?:src|data)="([^"]+\.svg)"', page)[1])))

    def test_its_errors_are_at_their_lines(self):
        self.path("conf.py", 'extensions = ["stridescope.sphinx", "myst_parser"]\n')
        self.path("program.py", "x = 1\n\ny = (\n")
        texts = {"a.rst": ["A", "=", ""], "b.md": ["# B", ""]}
        places = ["program.py:3:5: "]
        for options, program, line in (([], ["x = 1", "y = ("], 1), (["unit: bytes", "step: 0"], ["x = 1", "y = ("], 1), (["nope: 1"], ["x = 1"], None), (["theme: red"], ["x = 1"], None),
                                       ([], ["#| nope: 1", "x = 1"], 0), (["step: 0,1"], PLAIN.splitlines(), None), (["all-steps:"], PLAIN.splitlines(), None)):
            for name, text in texts.items():
                margin = "   " if name == "a.rst" else ""
                at = len(text) + 1
                text += [".. stridescope::" if margin else "```{stridescope}", *(f"{margin}:{option}" for option in options), "", *(margin + code for code in program), "" if margin else "```", ""]
                places.append(f"{name}:{at}: ERROR: stridescope: " + ("" if "step" in str(options) and line is None else f"{name}:{at if line is None else at + len(options) + 2 + line}:"))
        texts["a.rst"] += [".. stridescope:: program.py"]
        for name, text in texts.items():
            self.path(name, "\n".join(text) + "\n")
        said = self.run_in_folder("sphinx-build", "-q", "-b", "html", ".", "out").stderr
        for place in places:
            self.assertIn(place, said)


class MdBook(Consumers):
    def test_a_book_has_its_figures(self):
        if not shutil.which("mdbook"):
            self.skipTest("this Debian has no mdbook; figures_test.py speaks its protocol")
        os.mkdir(self.path("src"))
        self.path("book.toml", "[book]\ntitle = \"Strides\"\n" + self.docs["file"]["book.toml"])
        self.path("src/SUMMARY.md", "# Summary\n\n- [One](one.md)\n")
        shutil.copy(self.path("lesson.md"), self.path("src/one.md"))
        self.run_in_folder("mdbook", "build")
        page = self.read("book/one.html")
        self.assertIn('<figure id="fig-transpose">', page)
        self.assertEqual(page.count("data-stridescope="), 1)
        self.assertIn("A transpose moves nothing.</figcaption>", page)
        self.assertNotIn("language-stridescope", page)
        self.path("src/one.md", "```stridescope\nx = (\n```\n")
        done = self.run_in_folder("mdbook", "build", succeeds=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("one.md:2:", done.stderr)


class Jupyter(Consumers):
    def test_a_notebook_runs_and_becomes_a_page_with_the_picture(self):
        cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
        sources = ["import numpy as np, stridescope\nx = np.arange(6).reshape(2, 3)\nstridescope.show(x, x.T)", self.docs["python"]["notebook"], "figure"]
        book = {"nbformat": 4, "nbformat_minor": 4, "cells": [{**cell, "source": source} for source in sources],
                "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"}}}
        self.path("book.ipynb", json.dumps(book))
        self.run_in_folder("jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", "book.ipynb")
        cells = json.loads(self.read("done.ipynb"))["cells"]
        for number in (0, 2):
            self.assertEqual(set(cells[number]["outputs"][0]["data"]), {"text/html", "image/png", "text/plain"})
        self.assertIn("(3, 2):(1, 3)+0", "".join(cells[1]["outputs"][0]["text"]))
        for options in ([], ["--HTMLExporter.sanitize_html=True"]):  # cleaned, it keeps the PNG
            self.run_in_folder("jupyter", "nbconvert", "--to", "html", *options, "done.ipynb")
            page = figures_test.Markup(self.read("done.html"))
            pictures = [value for name, value in page.attributes if name == "src" and value and value.startswith("data:image/png;base64,")]
            self.assertEqual(len(pictures), 2, options)
            self.assertTrue(options or "source" in page.elements)
        self.run_in_folder("jupyter", "nbconvert", "--to", "latex", "done.ipynb")
        self.assertEqual(self.read("done.tex").count(r"\adjustimage"), 2)


class Renderers(Consumers):
    """Librsvg, Inkscape (Cairo) and two browsers: their pictures of an SVG, seen from a little further away."""

    def draw(self, name, width, height):
        from PIL import Image
        page = "file://" + self.path("page.html", f'<!doctype html><body style="margin:0;background:#fff"><img src="{name}.svg" style="display:block">')
        size = f"{width},{height}"
        commands = {
            "librsvg": ["rsvg-convert", "-o", "librsvg.png", name + ".svg"],
            "inkscape": ["inkscape", "--export-type=png", "--export-filename=inkscape.png", "--export-dpi=96", name + ".svg"],
            "chromium": ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1", "--window-size=" + size, "--screenshot=chromium.png", page],
            "firefox": ["firefox", "--headless", "--profile", self.path("profile"), "--no-remote", "--window-size=" + size, "--screenshot", self.path("firefox.png"), page],
        }
        os.makedirs(self.path("profile"), exist_ok=True)
        pictures = {}
        for who, command in commands.items():
            self.run_in_folder(*command)
            picture = Image.open(self.path(who + ".png")).convert("RGB").crop((0, 0, width, height))
            pictures[who] = picture.resize((width // 4, height // 4), Image.BOX)
        return pictures

    def test_all_draw_the_same(self):
        for name, program in {"plain": PLAIN, "failing": FAILING, "many": "x = torch.arange(10**6).view(1000, 1000).t()\n"}.items():
            self.run_in_folder("stridescope", "render", self.path(name + ".py", program), "-o", name + ".svg")
            root = ElementTree.parse(self.path(name + ".svg")).getroot()
            pictures = self.draw(name, int(float(root.get("width"))), int(float(root.get("height"))))
            first = pictures.pop("librsvg")
            for who, picture in pictures.items():
                with self.subTest(picture=name, by=who):
                    self.assertEqual(picture.size, first.size)
                    away = [max(abs(a - b) for a, b in zip(one, other)) for one, other in zip(first.getdata(), picture.getdata())]
                    far = sum(step > 64 for step in away) / len(away)
                    self.assertLess(far, 0.005, f"{far:.2%} of the picture")


if __name__ == "__main__":
    cli_test.STRIDESCOPE = os.path.abspath(sys.argv.pop(1))
    PUBLISH = documentation.FOLDER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
