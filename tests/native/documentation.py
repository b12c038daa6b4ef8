"""The page that documents figures: its examples, for the tests that run them, and what holds of it as a whole."""
import html.parser
import json
import os
import re

from cli_test import FAILING, Case

FOLDER = ""


class Documentation(html.parser.HTMLParser):
    """The examples of figures.html, by what they are (file, run, python, page, trace) and by name."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.examples, self._to = {}, None
        with open(os.path.join(FOLDER, "figures.html"), encoding="utf-8") as file:
            self.text = file.read()
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes if tag == "pre" else ():
            group = self.examples.setdefault(name.removeprefix("data-"), {})
            group[value], self._to = "", (group, value)

    def handle_endtag(self, tag):
        if tag == "pre":
            self._to = None

    def handle_data(self, data):
        if self._to:
            group, name = self._to
            group[name] += data


class Documented(Case):
    def test_every_sentence_is_there_in_both_languages(self):
        lines = [line for line in Documentation().text.split("\n") if not line.startswith(("</", "<pre", "<style"))]
        prose = [re.match(r'<(\w+) lang="(en|zh-Hans)"(?: id="(\w+)")?>', line) for line in lines]
        said = [found.groups() for found in prose if found]
        self.assertGreater(len(said), 80)
        self.assertEqual([(tag, name) for tag, lang, name in said if lang == "en"], [(tag, name) for tag, lang, name in said if lang == "zh-Hans"])
        self.assertEqual([line for line in lines if re.match("<(p|h1|h2|tr|title)\\b", line) and not re.match(r"<\w+ lang=", line)], [])

    def test_the_grammars_example_is_read(self):
        trace = json.loads(self.succeeds("trace", given=Documentation().examples["file"]["grammar.py"]))
        self.assertEqual([step["error"] for step in trace["steps"] if step["error"]], [])

    def test_a_trace_has_the_members_that_are_documented(self):
        def members(value):
            if isinstance(value, dict):
                return set(value).union(*map(members, value.values()))
            return set().union(*map(members, value)) if isinstance(value, list) else set()

        program = FAILING + "x[0] = 1\nx.trasnpose(0, 1)\nprint(x)\n"
        documented = set(re.findall(r'[{,]\s+"(\w+)"', Documentation().examples["trace"][""]))
        self.assertEqual(documented, members(json.loads(self.succeeds("trace", given=program))))
