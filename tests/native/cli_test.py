#!/usr/bin/env python3
"""The command line, as a person or a build script meets it.  cli_test.py STRIDESCOPE"""
import json
import os
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

STRIDESCOPE = ""
FAILING = "import torch\nx = torch.arange(12).view(2, 3, 2)\nx.permute(0, 2, 1).view(-1)\n"
PLAIN = "x = torch.arange(6).view(2, 3)\ny = x.t()\n"


def run(*arguments, given="", **options):
    if isinstance(given, str):
        given = given.encode()
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    if "stdin" not in options:
        options["input"] = given
    return subprocess.run([STRIDESCOPE, *arguments], timeout=60, **options)


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

    def succeeds(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual((done.returncode, (done.stderr or b"").decode()), (0, ""), arguments)
        return (done.stdout or b"").decode()

    def fails(self, *arguments, saying="", **options):
        done = run(*arguments, **options)
        self.assertNotEqual(done.returncode, 0, arguments)
        self.assertGreater(done.returncode, 0, "ended by a signal")
        self.assertEqual(done.stdout or b"", b"", "output although it failed")
        message = (done.stderr or b"").decode()
        self.assertIn(saying, message)
        return message


class Trace(Case):
    def test_prints_one_json_object(self):
        trace = json.loads(self.succeeds("trace", given=PLAIN))
        self.assertIsInstance(trace, dict)

    def test_reads_a_file_or_the_standard_input_alike(self):
        file = self.path("a.py", PLAIN)
        self.assertEqual(self.succeeds("trace", file), self.succeeds("trace", "-", given=PLAIN))
        self.assertEqual(self.succeeds("trace", file), self.succeeds("trace", given=PLAIN))

    def test_a_byte_order_mark_is_not_part_of_the_program(self):
        self.assertEqual(self.succeeds("trace", given="\ufeff" + PLAIN), self.succeeds("trace", given=PLAIN))

    def test_an_exception_of_the_library_is_a_result(self):
        self.assertIn("view size is not compatible", self.succeeds("trace", given=FAILING))

    def test_an_empty_program_has_an_empty_trace(self):
        json.loads(self.succeeds("trace", given=""))

    def test_speaks_chinese_when_asked(self):
        english, chinese = (self.succeeds("trace", "--lang", name, given=PLAIN) for name in ("en", "zh"))
        self.assertNotEqual(english, chinese)


class TraceLines(Case):
    def ask(self, *requests, **options):
        done = run("trace", "--jsonl", given="".join(line + "\n" for line in requests), **options)
        return done.returncode, [json.loads(line) for line in done.stdout.decode().splitlines()], done.stderr.decode()

    def test_answers_each_program_with_a_record_a_line(self):
        programs = {"a": PLAIN.splitlines(), "b": ["x = torch.zeros(2)", "x.view(3)", "x[0] = 1"]}
        status, answers, errors = self.ask(*(json.dumps({"id": k, "prog": v}) for k, v in programs.items()))
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual([answer["id"] for answer in answers], ["a", "b"])
        for answer in answers:
            self.assertEqual(len(answer["lines"]), len(programs[answer["id"]]))
        self.assertEqual(answers[1]["lines"][1]["kind"], "error")

    def test_answers_come_while_questions_are_still_asked(self):
        child = subprocess.Popen([STRIDESCOPE, "trace", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for number in range(3):
            child.stdin.write((json.dumps({"id": number, "prog": ["x = torch.arange(3)"]}) + "\n").encode())
            child.stdin.flush()
            self.assertEqual(json.loads(child.stdout.readline())["id"], number)
        child.stdin.close()
        self.assertEqual(child.stdout.read(), b"")
        child.stdout.close()
        self.assertEqual(child.wait(60), 0)

    def test_a_bad_line_is_answered_and_does_not_end_the_stream(self):
        good = json.dumps({"id": "good", "prog": ["x = torch.arange(3)"]})
        bad = ["not json", "[1]", '{"prog": ["x"]}', '{"id": "n"}', '{"id": "s", "prog": "x"}',
               '{"id": "t", "prog": [1]}', '{"id": {"deep": 1}, "prog": []}', '{"id": "open', "\ufffd", "7", "null",
               '{"id": "long", "prog": ["%s"]}' % ("#" * 20001)]
        for line in bad:
            with self.subTest(line=line[:40]):
                status, answers, errors = self.ask(line, good)
                self.assertEqual(status, 1)
                self.assertEqual(len(answers), 2)
                self.assertTrue(answers[0]["error"])
                self.assertNotIn("lines", answers[0])
                self.assertEqual((answers[1]["id"], len(answers[1]["lines"])), ("good", 1))
                self.assertTrue(errors.startswith("<stdin>:1:1: "), errors)

    def test_an_error_names_the_program_it_belongs_to(self):
        _, answers, _ = self.ask('{"id": "n"}', '{"id": 7.5, "prog": 3}')
        self.assertEqual([answer["id"] for answer in answers], ["n", 7.5])

    def test_bytes_that_are_not_text_are_answered(self):
        done = run("trace", "--jsonl", given=b'{"id": "\xff", "prog": []}\n\x00\n{"id": 1, "prog": []}')
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, 1)
        self.assertEqual(["error" in answer for answer in answers], [True, True, False])

    def test_an_endless_line_does_not_fill_the_memory(self):
        limit = 256 << 20
        child = subprocess.Popen([STRIDESCOPE, "trace", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
        for _ in range(400):
            child.stdin.write(b"x" * (1 << 20))
        child.stdin.write(b'\n{"id": 1, "prog": []}\n')
        child.stdin.close()
        answers = [json.loads(line) for line in child.stdout]
        child.stdout.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual((child.returncode, answers), (1, [answers[0], {"id": 1, "lines": []}]))
        self.assertLess(usage.ru_maxrss * 1024, limit)

    def test_deep_nesting_is_no_danger(self):
        status, answers, _ = self.ask("[" * 200_000, '{"id": ' + "[" * 100_000 + "]" * 100_000 + "}")
        self.assertEqual((status, len(answers)), (1, 2))

    def test_blank_lines_and_a_missing_last_newline_are_fine(self):
        done = run("trace", "--jsonl", given='\n\r\n{"id": 1, "prog": []}\r\n{"id": 2, "prog": []}')
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2))

    def test_a_file_is_read_like_the_stream(self):
        line = json.dumps({"id": "a", "prog": PLAIN.splitlines()}) + "\n"
        self.assertEqual(self.succeeds("trace", "--jsonl", self.path("a.jsonl", line)),
                         self.succeeds("trace", "--jsonl", given=line))
        self.fails("trace", "--jsonl", self.path("missing.jsonl"), saying="missing.jsonl")

    def test_a_reader_that_goes_away_ends_it_with_a_message(self):
        read, write = os.pipe()
        os.close(read)
        self.fails("trace", "--jsonl", given='{"id": 1, "prog": []}\n' * 3, stdout=write, saying="cannot be written")
        os.close(write)


class Render(Case):
    def test_the_picture_is_well_formed_svg_and_the_same_every_time(self):
        picture = self.succeeds("render", given=PLAIN)
        self.assertEqual(ElementTree.fromstring(picture).tag, "{http://www.w3.org/2000/svg}svg")
        self.assertEqual(picture, self.succeeds("render", given=PLAIN))

    def test_a_file_holds_the_same_bytes_as_the_standard_output(self):
        out = self.path("out.svg")
        self.assertEqual(self.succeeds("render", self.path("a.py", PLAIN), "-o", out), "")
        with open(out) as file:
            self.assertEqual(file.read(), self.succeeds("render", "-o", "-", given=PLAIN))

    def test_every_option_changes_the_picture(self):
        program = FAILING
        first = self.succeeds("render", given=program)
        for option in (["--step", "0"], ["--op", "0"], ["--head", "5"], ["--figures", "strip"], ["--labels", "index"],
                       ["--colour", "row"], ["--color", "row"], ["--unit", "bytes"], ["--zoom", "2"], ["--zoom=-2"], ["--ask"],
                       ["--theme", "dark"], ["--lang", "zh"], ["--width", "640"], ["--height", "400"]):
            with self.subTest(option=option):
                other = self.succeeds("render", *option, given=program)
                ElementTree.fromstring(other)
                self.assertNotEqual(first, other)

    def test_step_minus_one_is_the_last(self):
        self.assertEqual(self.succeeds("render", "-T", "tikz", "--step", "-1", given=PLAIN),
                         self.succeeds("render", "-T", "tikz", "--step", "1", given=PLAIN))

    def test_a_step_that_is_not_there_is_an_error(self):
        for step in ("99999999999999999999", "x", "", "1,", "-2"):
            self.fails("render", "--step", step, given=PLAIN, saying="stridescope: ")
        self.fails("render", "--step", "2", given=PLAIN, saying="<stdin>:1:1: --step")
        self.fails("render", "--op", "9", given=PLAIN, saying="--op")

    def test_a_failed_render_leaves_the_old_file(self):
        out = self.path("out.svg", "before")
        self.fails("render", "--step", "9", "-o", out, given=PLAIN)
        self.fails("render", "-o", out, given="x = (")
        with open(out) as file:
            self.assertEqual(file.read(), "before")
        self.assertEqual(os.listdir(self.folder), ["out.svg"])

    def test_an_ending_that_is_no_format_is_an_error(self):
        for name in ("out.gif", "out.", "out.svg.txt~"):
            self.fails("render", "-o", self.path(name), given=PLAIN, saying=name)
        self.assertEqual(os.listdir(self.folder), [])

    def test_permissions_and_links_survive(self):
        out, link = self.path("out.svg", "before"), self.path("link.svg")
        os.chmod(out, 0o640)
        os.symlink(out, link)
        self.succeeds("render", "-o", link, given=PLAIN)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o640)
        self.assertGreater(os.path.getsize(out), 1000)
        new = self.path("new.svg")
        self.succeeds("render", "-o", new, given=PLAIN)
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE(os.stat(new).st_mode), 0o666 & ~mask)


class Explain(Case):
    def test_says_what_each_line_did_in_both_languages(self):
        english, chinese = (self.succeeds("explain", "--lang", name, given=FAILING) for name in ("en", "zh"))
        self.assertIn("view size is not compatible", english)
        self.assertIn("view size is not compatible", chinese)
        self.assertTrue(any("\u4e00" <= c <= "\u9fff" for c in chinese))
        self.assertFalse(any("\u4e00" <= c <= "\u9fff" for c in english))

    def test_shows_what_is_printed_below_the_line_that_prints(self):
        program = "x = np.arange(4).reshape(2, 2)\nprint(x, x.flags.owndata, sep='\\n')\nprint()\nclass A: pass\nprint([A()])"
        told = self.succeeds("explain", given=program).splitlines()
        self.assertEqual([line for line in told if line.startswith("  |")],
                         ["  | [[0 1]", "  |  [2 3]]", "  | False", "  |", "  | …"])
        trace = json.loads(self.succeeds("trace", given=program))
        self.assertEqual([(trace["steps"][piece["step"]]["line"], piece["text"]) for piece in trace["output"]],
                         [(2, "[[0 1]\n [2 3]]\nFalse\n"), (3, "\n"), (5, "…\n")])

    def test_says_layouts_in_other_words_where_asked(self):
        program = "x = np.arange(6).reshape(2, 3)\ny = x[::-1]\nx.shape"
        plain, full = self.succeeds("explain", given=program), self.succeeds("explain", "--notations", given=program)
        self.assertNotIn("memref", plain)
        for words in ("  torch   torch.as_strided(s, (2, 3), (3, 1), 0)", "  numpy   np.lib.stride_tricks.as_strided(s[3:], (2, 3), (-24, 8))",
                      "  mlir    memref<2x3xi64, strided<[3, 1], offset: 0>>", "  xla     s64[2,3]{1,0}", "  torch   -  PyTorch has no negative strides"):
            self.assertIn(words, full)
        kept = [line for line in full.splitlines() if line[:10].strip() not in ("torch", "numpy", "mdspan", "cute", "mlir", "xla")]
        self.assertEqual(kept, plain.splitlines())
        self.fails("trace", "--notations", given=program)


class Options(Case):
    def test_help_lists_the_commands_and_their_options(self):
        top = self.succeeds("--help")
        for word in ("trace", "render", "explain", "--lang", "--version"):
            self.assertIn(word, top)
        render = self.succeeds("render", "--help")
        for word in ("--step", "--op", "--head", "--figures", "--labels", "--colour", "--unit", "--theme", "--width"):
            self.assertIn(word, render)
        self.assertIn("\u5e2e\u52a9", self.succeeds("--help", "--lang", "zh"))

    def test_version_is_one_line(self):
        self.assertRegex(self.succeeds("--version"), r"^stridescope \d+\.\d+\.\d+\n$")

    def test_bad_options_are_errors_that_point_at_the_help(self):
        for arguments in ([], ["draw"], ["trace", "--nothing"], ["render", "--theme", "red"], ["render", "--width", "0"],
                          ["render", "--width", "1e3"], ["render", "--height", ""], ["render", "--figures", "cube"], ["render", "--labels", ""],
                          ["trace", "--lang", "fr"], ["explain", "--step", "1"], ["render", "--colour"],
                          ["trace", "a.py", "b.py"], ["render", "--unit", "b&theme=dark"]):
            with self.subTest(arguments=arguments):
                self.assertIn("--help", self.fails(*arguments, given=PLAIN, saying="stridescope: "))


class Files(Case):
    COMMANDS = (["trace"], ["render"], ["explain"])

    def each(self, file, saying, **options):
        for command in self.COMMANDS:
            with self.subTest(command=command):
                self.fails(*command, file, saying=saying, **options)

    def goes_on(self, file, saying, told):
        """What can be run is told of, beside the complaint; nothing is drawn."""
        for command in ("trace", "explain"):
            with self.subTest(command=command):
                done = run(command, file)
                self.assertGreater(done.returncode, 0)
                self.assertIn(saying, done.stderr.decode())
                self.assertIn(told, done.stdout.decode())
        for command in ("render", "python"):
            self.fails(command, file, saying=saying)

    def test_missing_files_and_folders_are_named(self):
        self.each(self.path("missing.py"), "missing.py")
        self.each(self.folder, self.folder)

    def test_binary_files_are_refused(self):
        self.each(self.path("a.py", b"x = 1\n\0\1\2"), "a.py")
        self.each("/dev/zero", "/dev/zero")
        self.each(STRIDESCOPE, STRIDESCOPE)

    def test_text_that_is_not_utf8_is_refused_at_its_place(self):
        self.each(self.path("a.py", b"x = torch.arange(3)\ny = '\xff'\n"), "a.py:2:6: ")

    def test_a_program_beyond_the_limit_is_refused(self):
        self.each(self.path("a.py", "#" * 20_001), "a.py")
        self.succeeds("trace", self.path("b.py", "#" * 20_000))
        self.goes_on(self.path("c.py", "x = torch.arange(3)\n" + "x.t()\n" * 257), "c.py:", "(3,):(1,)+0")

    def test_text_that_is_no_python_is_refused_at_its_place(self):
        self.goes_on(self.path("a.py", "x = torch.arange(3)\n\u4e2d = )\n"), "a.py:2:5: ", "(3,):(1,)+0")
        self.goes_on(self.path("b.py", "import nope\nx = torch.arange(3)\n"), "b.py:1:", "(3,):(1,)+0")
        message = self.fails("render", given="x = (")
        self.assertTrue(message.startswith("<stdin>:1:"), message)

    def test_a_full_disk_is_an_error(self):
        for command in self.COMMANDS:
            with open("/dev/full", "wb") as full:
                self.fails(*command, given=PLAIN, stdout=full, saying="cannot be written")
        self.fails("render", "-o", "/dev/full", given=PLAIN, saying="/dev/full")
        with open("/dev/full", "wb") as full:
            self.fails("--help", stdout=full, saying="cannot be written")

    def test_a_file_that_outgrows_its_limit_is_not_left_behind(self):
        out = self.path("out.svg", "before")
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
        self.fails("render", "-o", out, given=PLAIN, preexec_fn=small, saying="out.svg")
        self.assertEqual(os.listdir(self.folder), ["out.svg"])
        self.assertEqual(os.path.getsize(out), 6)

    def test_the_reference_of_operations_is_markdown_a_page_or_a_list(self):
        self.assertIn("### `permute`", self.succeeds("operations"))
        self.assertIn("<!doctype html>", self.succeeds("operations", "--html"))
        self.assertIn('<html lang="zh-CN">', self.succeeds("operations", "--html", "--lang", "zh"))
        self.assertIn("torch\tx.permute(*dims: int)\n", self.succeeds("operations", "--names"))
        self.fails("operations", "--names", "--html")

    def test_a_closed_output_or_a_broken_pipe_is_an_error(self):
        for command in self.COMMANDS:
            self.fails(*command, given=PLAIN, stdout=None, preexec_fn=lambda: os.close(1), saying="cannot be written")
            read, write = os.pipe()
            os.close(read)
            self.fails(*command, given=PLAIN, stdout=write, saying="cannot be written")
            os.close(write)

    def test_a_closed_input_is_an_error(self):
        self.fails("trace", stdin=None, preexec_fn=lambda: os.close(0), saying="cannot be read")

    def test_closed_streams_never_receive_anything_in_a_files_stead(self):
        out = self.path("out.svg")
        run("render", "--step", "9", "-o", out, given=PLAIN, stdout=None, stderr=None,
            preexec_fn=lambda: (os.close(1), os.close(2)))
        self.assertFalse(os.path.exists(out))
        done = run("render", "-o", out, given=PLAIN, stdout=None, stderr=None,
                   preexec_fn=lambda: (os.close(1), os.close(2)))
        self.assertEqual(done.returncode, 0)
        ElementTree.parse(out)

    def test_a_place_that_cannot_be_written_is_an_error(self):
        self.fails("render", "-o", self.path("no/such/folder.svg"), given=PLAIN, saying="folder.svg")
        self.fails("render", "-o", "/proc/out.svg", given=PLAIN, saying="/proc/out.svg")

    def test_a_path_that_leads_nowhere_is_an_error_with_its_reason(self):
        loop, program = self.path("loop"), self.path("a.py", PLAIN)
        markdown = self.path("a.md", "```stridescope\n" + PLAIN + "```\n")
        os.symlink("loop", loop)
        for place, reason in ((os.path.join(loop, "x.svg"), "Too many levels"), (self.path("x" * 300 + ".svg"), "File name too long"), (loop, "Too many levels")):
            self.fails("render", program, "-o", place, "-T", "svg", saying=reason)
            self.fails("render", place, saying=reason)
            self.fails("render", program, program, "-o", place, "-T", "svg", saying=place)
            self.fails("markdown", markdown, "-o", os.path.join(place, "x.md"), saying=reason)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.md", "a.py", "loop"])

    def test_forbidden_files_and_folders_are_errors(self):
        # To root nothing is forbidden, so root asks as nobody, with a copy of the program where nobody can run it.
        options = {}
        program = [STRIDESCOPE]
        secret, out = self.path("secret.py", PLAIN), self.path("out.svg", "before")
        if os.geteuid() == 0:
            options["user"] = nobody = 65534
            program = [shutil.copy(STRIDESCOPE, self.path("stridescope"))]
            for path in (self.folder, secret, out):
                os.chown(path, nobody, nobody)

        def refuses(name, *arguments):
            done = subprocess.run([*program, *arguments], input=PLAIN.encode(), capture_output=True, **options)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertIn(name, done.stderr.decode())

        os.chmod(secret, 0)
        refuses("secret.py", "trace", secret)
        os.chmod(out, 0o400)
        refuses("out.svg", "render", "-o", out)
        os.chmod(out, 0o600)
        os.chmod(self.folder, 0o500)
        self.addCleanup(os.chmod, self.folder, 0o700)
        refuses("out.svg", "render", "-o", out)
        with open(out) as file:
            self.assertEqual(file.read(), "before")


if __name__ == "__main__":
    STRIDESCOPE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
