"""Markdown whose blocks become figures, for figures_test.py, which runs these tests with its own."""
import json
import os
import re
import xml.etree.ElementTree as ElementTree

from cli_test import FAILING, PLAIN, Case


class Markdown(Case):
    TEXT = "# One\n\n```stridescope\n#| step: 0\n#| caption: A *line*\n#| label: fig-a\n%s```\n\n~~~python\n```stridescope\n~~~\n\n```{.stridescope}\n%s```\nend\n"

    def test_blocks_become_figures_and_the_rest_stays(self):
        source, out = self.path("in.md", self.TEXT % (PLAIN, FAILING)), self.path("out.md")
        self.succeeds("markdown", source, "-o", out)
        with open(out, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("~~~python\n```stridescope\n~~~\n", text)
        self.assertIn('<a id="fig-a"></a>', text)
        self.assertIn("*A \\*line\\**", text)
        links = re.findall(r"\]\((figures/[0-9a-f]{16}\.svg)\)", text)
        self.assertEqual(len(links), 2)
        for link in links:
            ElementTree.parse(self.path(link))
        before = {link: os.stat(self.path(link)).st_mtime_ns for link in links}
        self.succeeds("markdown", source, "-o", out)
        self.assertEqual(before, {link: os.stat(self.path(link)).st_mtime_ns for link in links}, "an unchanged figure was written again")

    def test_mistakes_are_at_their_line_and_nothing_is_written(self):
        for program, place in (("x = (\n", ":8:"), ("#| nope: 1\n", ":8:1: "), ("#| step: 9\nx = 1\n", ":8:1: ")):
            source, out = self.path("in.md", "\n" * 6 + "```stridescope\n" + program + "```\n"), self.path("out.md")
            self.fails("markdown", source, "-o", out, saying="in.md" + place)
            self.assertEqual(os.listdir(self.folder), ["in.md"])
        self.fails("markdown", given="```stridescope\nx = 1\n", saying="<stdin>:1:1: ")

    def test_mdbook_gets_its_book_back_with_pictures(self):
        chapter = {"Chapter": {"name": "a", "path": "a.md", "content": "text\n\n```stridescope\n" + PLAIN + "```\n", "sub_items": [{"Chapter": {"name": "b", "content": "```stridescope\n" + PLAIN + "```", "sub_items": []}}]}}
        book = {"sections": [chapter, "Separator"], "__non_exhaustive": None}
        self.succeeds("mdbook", "supports", "html")
        self.fails("mdbook", "supports", "epub")
        answer = json.loads(self.succeeds("mdbook", given=json.dumps([{"root": "/"}, book])))
        first = answer["sections"][0]["Chapter"]
        self.assertTrue(first["content"].startswith('text\n\n<figure>\n<svg style="max-width:100%;height:auto" xmlns='))
        self.assertNotIn("\n\n", first["content"][6:])
        self.assertIn("<svg ", first["sub_items"][0]["Chapter"]["content"])
        self.assertEqual(answer["sections"][1], "Separator")
        self.fails("mdbook", given="{}", saying="<stdin>:1:1: ")
        chapter["Chapter"]["content"] = "\n```stridescope\nx = (\n```\n"
        self.fails("mdbook", given=json.dumps([{}, book]), saying="a.md:3:")

    def figures_of(self, text):
        """Lines of the Markdown that is written, without the words and the names of pictures."""
        source, out = self.path("in.md", text), self.path("out.md")
        self.succeeds("markdown", source, "-o", out)
        with open(out, encoding="utf-8") as file:
            return re.sub(r"!\[.*\]\(figures/[0-9a-f]{16}\.svg\)", "FIGURE", file.read()).split("\n")

    def test_code_in_a_line_opens_no_block(self):
        block = "```stridescope\n" + PLAIN + "```\n"
        for line in ("```foo``` is inline", "``` a ` b"):
            self.assertEqual(self.figures_of(line + "\n\n" + block + "end"), [line, "", "FIGURE", "end"])
        self.assertEqual(self.figures_of("~~~ a`b\n" + block + "~~~\n" + block), ["~~~ a`b", *block.split("\n")[:-1], "~~~", "FIGURE", ""])

    def test_blocks_in_quotes_and_items_become_figures_there(self):
        def block(margin, first=None, before="```stridescope"):
            lines = [before, "#| caption: Words", *PLAIN.splitlines(), "```"]
            return "".join((first if first is not None and number == 0 else margin) + line + "\n" for number, line in enumerate(lines))

        for text, lines in (
            (block("> "), ["> FIGURE", ">", "> *Words*"]),
            (block(">"), [">FIGURE", ">", "> *Words*"]),
            ("- a\n\n" + block("  "), ["- a", "", "  FIGURE", "", "  *Words*"]),
            (block("  ", "- "), ["- FIGURE", "", "  *Words*"]),
            ("1. a\n" + block("   ") + "2. b\n", ["1. a", "   FIGURE", "", "   *Words*", "2. b"]),
            ("10) a\n    - b\n\n" + block("      "), ["10) a", "    - b", "", "      FIGURE", "", "      *Words*"]),
            ("- a\n  > b\n  >\n" + block("  > "), ["- a", "  > b", "  >", "  > FIGURE", "  >", "  > *Words*"]),
            ("-\ta\n\n" + block("\t"), ["-\ta", "", "\tFIGURE", "", "    *Words*"]),
            ("- a\ngoes on\n\n" + block("     "), ["- a", "goes on", "", "  FIGURE", "", "  *Words*"]),
            ("   - a\n     - b\n" + block("       ", before="~~~ {.stridescope}").replace("```", "~~~"), ["   - a", "     - b", "       FIGURE", "", "       *Words*"]),
        ):
            with self.subTest(text=text):
                self.assertEqual(self.figures_of(text + "end\n"), [*lines, "end", ""])

    def test_what_commonmark_takes_for_code_stays_as_it_is(self):
        first = "```stridescope\n"
        block = first + "x = 1\n```\n"
        for text in ("    " + block.replace("\n", "\n    "), "- a\n\n      " + block.replace("\n", "\n      "), "a\n    " + first, "> ```\n> " + first + "> ```\n",
                     "1.a\n\n    " + first, "a\n2. " + first, "- a\n***\n    " + first, "---\n\n    " + first, "- a\n\nb\n\n    " + first):
            self.assertEqual(self.figures_of(text + "\nend"), (text + "\nend").split("\n"))

    def test_a_block_ends_with_what_it_is_in(self):
        for text in ("\n> ```stridescope\n> x = 1\ny = 2\n```\n", "\n- ```stridescope\n  x = 1\ny = 2\n", "\n> ```stridescope\n"):
            self.assertEqual(self.fails("markdown", given=text, saying="<stdin>:2:1: ").count("<stdin>"), 1)
        self.fails("markdown", given="- a\n\n  ```stridescope\n  x = 1\n  y = (\n  ```\n", saying="<stdin>:5:")
        self.assertEqual(self.figures_of("> ```\n> a\n```stridescope\n" + PLAIN + "```\n"), ["> ```", "> a", "FIGURE", ""])
