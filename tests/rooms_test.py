#!/usr/bin/env python3
"""The rooms of ARCHITECTURE.md: who may include whom, what core/ keeps out, and that files which are named are there.

rooms_test.py SOURCE_FOLDER"""
import os
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path()

# A room includes itself and these.
BELOW = {
    "layout": set(),
    "explain": set(),
    "lang": {"explain"},
    "ops": {"layout", "lang", "explain"},
    "scene": {"ops", "layout", "lang", "explain"},
    "render": {"scene", "ops", "layout", "lang", "explain"},
}
FACADE = {"stridescope.h", "scene/scene.h", "scene/theme.h"}  # a renderer needs the last two

# Input and output, clocks, threads, randomness, exceptions and whatever depends on the locale.
UNWANTED_HEADERS = set("""cstdio fstream iostream istream ostream sstream iomanip filesystem locale clocale chrono ctime
                          thread mutex future atomic random exception stdexcept typeinfo any cctype regex""".split())
UNWANTED_WORDS = re.compile(r"\b(throw|try|catch|dynamic_cast|typeid|__EMSCRIPTEN__|__wasm__|_WIN32|__linux__|__unix__|__APPLE__|_MSC_VER)\b")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)
COMMENT = {
    **dict.fromkeys((".h", ".cpp", ".inc", ".mm", ".ts", ".mjs", ".js"), re.compile(r"//[^\n]*|/\*.*?\*/", re.S)),
    ".py": re.compile(r'(?<=\s)# [^\n]*|""".*?"""', re.S),
    ".md": re.compile(r".+", re.S),
}
# A path, or the name of a file of C++ alone.
NAMED_FILE = re.compile(r"(?<![\w./*<-])((?:[\w-]+/)+[\w.-]+\.(?:cpp|h|ts|mjs|py|inc|html)|\w+\.(?:cpp|inc))\b")


def tree():
    """Every file of the project, relative to it."""
    for folder, below, files in os.walk(ROOT):
        below[:] = [name for name in below if name not in ("build", "node_modules", "__pycache__") and name[0] != "."]
        yield from (pathlib.Path(folder, name).relative_to(ROOT) for name in files)


def sources(folder):
    return [p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in {".h", ".cpp", ".inc", ".mm"}
            and "node_modules" not in p.parts]


def includes(path, form):
    """(line number, header) of every include written as `form`: '"' or '<'."""
    pattern = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = pattern.match(line)
        if found and found[1] == form:
            yield f"{path.relative_to(ROOT)}:{number}", found[2]


class Rooms(unittest.TestCase):
    def test_every_folder_of_core_is_a_room(self):
        self.assertEqual({p.name for p in (ROOT / "core").iterdir() if p.is_dir()}, set(BELOW))

    def test_a_room_includes_only_itself_and_the_rooms_below(self):
        for path in sources("core"):
            room = path.relative_to(ROOT / "core").parts[0]
            if room not in BELOW:
                continue  # the facade
            for place, header in includes(path, '"'):
                if header == "stridescope.h" and path.suffix == ".cpp":
                    continue  # it defines what the facade declares
                self.assertIn(header.split("/")[0], BELOW[room] | {room}, f'{place} includes "{header}"')

    def test_operations_do_not_know_the_interpreter_that_calls_them(self):
        for path in sources("core"):
            if "core/ops/python/" in path.as_posix():
                continue
            for place, header in includes(path, '"'):
                self.assertNotEqual(header, "ops/python/interpreter.h", place)

    def test_core_has_one_facade(self):
        self.assertEqual([p.name for p in (ROOT / "core").glob("*.h")], ["stridescope.h"])

    def test_front_ends_include_the_facade_alone(self):
        core = {p.relative_to(ROOT / "core").as_posix() for p in sources("core")}
        for path in sources("native") + sources("web"):
            for place, header in includes(path, '"'):
                if header in core:
                    self.assertIn(header, FACADE, f'{place} includes "{header}"')

    def test_core_includes_the_standard_library_and_nothing_of_the_platform(self):
        for path in sources("core"):
            for place, header in includes(path, "<"):
                self.assertRegex(header, r"^[a-z_]+$", f"{place} includes <{header}>")
                self.assertNotIn(header, UNWANTED_HEADERS, f"{place} includes <{header}>")

    def test_core_neither_throws_nor_asks_for_types_nor_for_the_platform(self):
        for path in sources("core"):
            code = COMMENT_OR_STRING.sub(lambda text: "\n" * text[0].count("\n"), path.read_text())
            for number, line in enumerate(code.splitlines(), 1):
                self.assertIsNone(UNWANTED_WORDS.search(line), f"{path.relative_to(ROOT)}:{number}: {line.strip()}")


    def test_a_file_that_is_named_is_there(self):
        """In a comment or a text: by its path from the top, or by the end of it. Paths into no folder of the project are
        of others."""
        files = list(tree())
        ends = {"/".join(path.parts[k:]) for path in files for k in range(len(path.parts))}
        folders = {part for path in files for part in path.parts[:-1]}
        lost = []
        for path in (path for path in files if path.suffix in COMMENT):
            text = (ROOT / path).read_text()
            for comment in COMMENT[path.suffix].finditer(text):
                for name in NAMED_FILE.finditer(comment[0]):
                    first, *below = name[1].split("/")
                    if name[1] not in ends and (first in folders or not below):
                        line = text.count("\n", 0, comment.start() + name.start()) + 1
                        lost.append(f"{path.as_posix()}:{line} names {name[1]}")
        self.assertFalse(lost, "\n".join(lost))


class TheRulesThemselves(unittest.TestCase):
    """Each rule finds the fault it is there for, in a tree that has that fault alone."""

    FAULTS = [
        ("core/layout/a.h", '#include "ops/tensor.h"', "test_a_room_includes_only_itself_and_the_rooms_below"),
        ("core/lang/a.cpp", ' # include "layout/layout.h"', "test_a_room_includes_only_itself_and_the_rooms_below"),
        ("core/ops/torch/a.cpp", '#include "ops/python/interpreter.h"',
         "test_operations_do_not_know_the_interpreter_that_calls_them"),
        ("core/util/a.h", "", "test_every_folder_of_core_is_a_room"),
        ("core/helper.h", "", "test_core_has_one_facade"),
        ("native/cli/a.cpp", '#include "ops/tensor.h"', "test_front_ends_include_the_facade_alone"),
        ("core/ops/a.cpp", "#include <iostream>", "test_core_includes_the_standard_library_and_nothing_of_the_platform"),
        ("core/ops/a.cpp", "#include <unistd.h>", "test_core_includes_the_standard_library_and_nothing_of_the_platform"),
        ("core/ops/a.cpp", "int f() { throw 1; }", "test_core_neither_throws_nor_asks_for_types_nor_for_the_platform"),
        ("core/ops/a.cpp", "#ifdef _WIN32", "test_core_neither_throws_nor_asks_for_types_nor_for_the_platform"),
        ("core/ops/a.h", "// As in ops/nowhere.cpp.", "test_a_file_that_is_named_is_there"),
        ("web/a.ts", "/** nowhere.cpp */", "test_a_file_that_is_named_is_there"),
        ("tests/a.py", "#\n# core/nowhere.h", "test_a_file_that_is_named_is_there"),
        ("README.md", "see `core/ops/nowhere.inc`", "test_a_file_that_is_named_is_there"),
    ]

    def setUp(self):
        global ROOT
        self.real_root, self.folder = ROOT, tempfile.TemporaryDirectory()
        ROOT = pathlib.Path(self.folder.name).resolve()

    def tearDown(self):
        global ROOT
        ROOT = self.real_root
        self.folder.cleanup()

    def put(self, path, text):
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text + "\n")

    def broken(self):
        """The rules that the tree breaks."""
        result = unittest.TestResult()
        rules = unittest.defaultTestLoader.loadTestsFromTestCase(Rooms)
        rules.run(result)
        self.assertEqual(result.errors, [])
        return {test.id().split(".")[-1] for test, _ in result.failures}

    def test_each_finds_its_fault_and_nothing_else(self):
        for room in BELOW:
            self.put(f"core/{room}/{room}.h", '// throw, <iostream>\n#include <vector>\nconst char* words = "throw";')
        self.put("core/stridescope.h", '#include "ops/ops.h"')
        self.put("core/ops/tensor.h", '#include "layout/layout.h"  // layout/layout.h, ATen/core/Tensor.h, a.h')
        self.put("native/cli/main.cpp", '#include "stridescope.h"')
        self.put("web/bindings.cpp", '#include "scene/scene.h"')
        self.assertEqual(self.broken(), set())
        for path, text, rule in self.FAULTS:
            with self.subTest(path=path, text=text):
                self.put(path, text)
                self.assertEqual(self.broken(), {rule})
            (ROOT / path).unlink()
            if not any((ROOT / path).parent.iterdir()):
                (ROOT / path).parent.rmdir()


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
