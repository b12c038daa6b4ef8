"""Pictures that are saved are the command line's, and open again."""
import os
import subprocess

from desktop import COMMAND, PROGRAM, Case

OTHER = "b = torch.arange(6).view(2, 3)\n"
FORMATS = ("svg", "png", "pdf")


def render(*options):
    subprocess.run([COMMAND, "render", *options], check=True)


def content(path):
    with open(path, "rb") as file:
        return file.read()


class SavingPictures(Case):
    def save(self, desktop, name, **fields):
        """Fills in the dialog, top to bottom, and saves."""
        desktop("key", "ctrl+e")
        desktop("type", self.path(name))
        if fields.pop("all_steps", False):
            desktop.click("picture steps")
            desktop.click("picture steps All steps")
        for field, value in fields.items():
            desktop.click(f"picture {field}")
            desktop("key", "ctrl+a")
            desktop("type", value)
        desktop.click("prompt go")
        self.wait(desktop)

    def wait(self, desktop):
        """Until it is written, or known why it is not."""
        while desktop.state()["saving"]:
            desktop("settle", 20)
        desktop("settle", 20)

    def compare(self, *names):
        for name in names:
            with self.subTest(name):
                self.assertEqual(content(self.path(name)), content(self.path("wanted-" + name)))

    def test_the_step_that_is_shown_is_what_the_command_line_draws(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        for _ in range(3):
            desktop("key", "right")
        for ending in FORMATS:
            self.save(desktop, "one." + ending)
            render(self.path("a.py"), "--step=1", "--head=3", "-o", self.path("wanted-one." + ending))
            self.compare("one." + ending)

    def test_size_theme_and_language_are_those_of_the_command_line(self):
        desktop = self.start(self.path("a.py", PROGRAM), "--theme", "dark", "--lang", "zh")
        desktop.click("step 2")
        for ending in FORMATS:
            more = {"scale": "1.25"} if ending == "png" else {}
            self.save(desktop, "one." + ending, width="700", **more)
            render(self.path("a.py"), "--step=2", "--width=700", "--theme=dark", "--lang=zh",
                   *[f"--{name}={value}" for name, value in more.items()], "-o", self.path("wanted-one." + ending))
            self.compare("one." + ending)

    def test_all_steps_are_the_files_that_the_command_line_writes(self):
        desktop = self.start_with_program()
        desktop("key", "right")
        for ending, count in zip(FORMATS, (4, 4, 1)):
            self.save(desktop, "all." + ending, all_steps=True)
            render(self.path("a.py"), "--all-steps", "-o", self.path("wanted-all." + ending))
            names = [name for name in os.listdir(self.folder) if name.startswith("all") and name.endswith(ending)]
            self.assertEqual(len(names), count)
            self.compare(*names)

    def test_the_option_lines_of_a_program_choose_as_on_the_command_line_what_the_window_does_not(self):
        desktop = self.start(self.path("a.py", "#| alt: Twelve numbers.\n#| theme: dark\n" + PROGRAM))
        self.save(desktop, "one.svg")
        render(self.path("a.py"), "--theme=light", "-o", self.path("wanted-one.svg"))
        self.compare("one.svg")
        self.assertIn(b"Twelve numbers.", content(self.path("one.svg")))

    def test_the_format_is_chosen_by_the_name_or_the_other_way_round(self):
        desktop = self.start_with_program()
        desktop("key", "ctrl+e")
        self.assertNotIn("picture scale", desktop.state()["controls"])
        desktop.click("format")
        desktop("key", "escape")  # of the list alone
        desktop.click("format")
        desktop.click("format PNG")
        self.assertIn("picture scale", desktop.state()["controls"])
        desktop("key", "enter")
        self.wait(desktop)
        self.assertNotIn("prompt go", desktop.state()["controls"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.png", "a.py"])

    def test_the_dialog_is_used_without_a_pointer(self):
        desktop = self.start_with_program()
        desktop("key", "ctrl+e")
        for key in ("tab", "enter", "down", "enter"):  # PNG
            desktop("key", key)
        for expected in ("picture steps", "picture width"):
            desktop("key", "tab")
            self.assertEqual(desktop.state()["focus"], expected)
        desktop("key", "ctrl+a")
        desktop("type", "640")
        desktop("key", "enter")
        self.wait(desktop)
        render(self.path("a.py"), "--width=640", "-o", self.path("wanted-a.png"))
        self.compare("a.png")

    def test_a_size_is_remembered_and_kept_in_bounds(self):
        home = self.folder_of_homes()
        desktop = self.start(self.path("a.py", PROGRAM), home=home)
        self.save(desktop, "one.svg", width="5")
        render(self.path("a.py"), "--width=200", "-o", self.path("wanted-one.svg"))
        self.compare("one.svg")
        desktop("quit")
        self.assertEqual(desktop.end(), 0)
        again = self.start(self.path("a.py", PROGRAM), home=home)
        self.save(again, "two.svg")
        self.assertEqual(content(self.path("two.svg")), content(self.path("one.svg")))

    def test_a_name_of_no_known_kind_is_refused_and_can_be_mended(self):
        desktop = self.start_with_program()
        for name in ("one.gif", "one.txt", "one", ".svg"):
            self.save(desktop, name)
            self.assertIn(name, desktop.state()["problem"])
            self.assertEqual(os.listdir(self.folder), ["a.py"])
            desktop("key", "escape")
            self.assertEqual(desktop.state()["problem"], "")
        self.save(desktop, "one.gif")
        desktop.click("format")
        desktop.click("format PDF")
        desktop.click("prompt go")
        self.wait(desktop)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.py", "one.pdf"])

    def test_what_cannot_be_written_is_said_and_leaves_nothing(self):
        desktop = self.start_with_program()
        os.mkdir(self.path("all-2.svg"))
        self.save(desktop, "all.svg", all_steps=True)
        self.assertIn("all-2.svg", desktop.state()["problem"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.py", "all-2.svg"])
        desktop("key", "escape")
        self.save(desktop, "nowhere/one.png")
        self.assertIn("nowhere", desktop.state()["problem"])

    def test_many_pictures_are_made_while_the_window_goes_on_and_can_be_given_up(self):
        program = "".join(f"x{i} = torch.arange(24).view(2, 3, 4).permute(2, 0, 1)\n" for i in range(60))
        desktop = self.start(self.path("a.py", program))
        desktop("key", "ctrl+e")
        desktop("type", self.path("all.png"))
        desktop.click("picture steps")
        desktop.click("picture steps All steps")
        desktop.click("prompt go")
        seen = set()
        while len(seen) < 3:
            made, all_of_them = desktop.state()["saving"]
            seen.add(made)
            self.assertIn(all_of_them, (0, 60))
            self.assertIn("saving cancel", desktop.state()["controls"])
            desktop("settle", 20)
        desktop.click("saving cancel")
        self.assertIsNone(desktop.state()["saving"])
        self.assertEqual(os.listdir(self.folder), ["a.py"])
        self.assertNotIn("prompt go", desktop.state()["controls"])

    def test_a_window_that_is_closed_gives_up_its_pictures(self):
        desktop = self.start(self.path("a.py", PROGRAM * 40))
        desktop("key", "ctrl+e")
        desktop("type", self.path("all.pdf"))
        desktop.click("picture steps")
        desktop.click("picture steps All steps")
        desktop.click("prompt go")
        desktop("quit")
        self.assertEqual(desktop.end(), 0)
        self.assertIn(os.listdir(self.folder), (["a.py"], ["a.py", "all.pdf"], ["all.pdf", "a.py"]))

    def test_what_is_no_program_has_no_picture_as_on_the_command_line(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(6)\ny = (\n"))
        self.save(desktop, "one.svg")
        self.assertIn("a.py:2:5", desktop.state()["problem"])
        self.assertEqual(os.listdir(self.folder), ["a.py"])


class OpeningPictures(Case):
    def test_a_picture_opens_with_its_program_and_its_view_however_it_is_given(self):
        for ending in (*FORMATS, "html"):
            picture = self.path("lesson." + ending)
            render(self.path("a.py", PROGRAM), "--step=1", "--labels=offset", "-o", picture)
            with self.subTest(f"{ending} as argument"):
                state = self.start(picture).state()
                self.assertEqual((state["source"], state["step"], state["unsaved"]), (PROGRAM, 1, False))
                self.assertIn("labels=offset", state["document"])
            desktop = self.start(self.path("b.py", OTHER))
            with self.subTest(f"{ending} dropped"):
                desktop("drop", picture)
                self.assertEqual((desktop.state()["source"], desktop.state()["step"]), (PROGRAM, 1))
            desktop("drop", self.path("b.py"))
            with self.subTest(f"{ending} opened"):
                desktop("key", "ctrl+o")
                desktop("type", picture)
                desktop("key", "enter")
                self.assertEqual((desktop.state()["source"], desktop.state()["step"]), (PROGRAM, 1))

    def test_a_program_out_of_a_picture_is_saved_beside_it_and_never_over_it(self):
        picture = self.path("lesson.png")
        render(self.path("a.py", PROGRAM), "-o", picture)
        before = content(picture)
        desktop = self.start(picture)
        self.write_at_the_end(desktop, "w = 1")
        desktop("key", "ctrl+s")
        desktop("key", "enter")
        self.assertEqual(content(self.path("lesson.py")).decode(), PROGRAM + "w = 1")
        self.assertEqual(content(picture), before)
        self.assertEqual(desktop.state()["file"], self.path("lesson.py"))

    def test_a_damaged_or_foreign_picture_is_said_in_a_line_and_changes_nothing(self):
        render(self.path("a.py", PROGRAM), "-o", self.path("whole.png"))
        render(self.path("a.py"), "-o", self.path("whole.svg"))
        bad = {"damaged.png": content(self.path("whole.png"))[:150],
               "damaged.svg": content(self.path("whole.svg")).replace(b"code=x%20", b"code=x%2"),
               "foreign.svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
               "foreign.pdf": b"%PDF-1.4\n", "foreign.html": b"<!DOCTYPE html>\n<p>x\n"}
        desktop = self.start_with_program()
        for name, bytes in bad.items():
            with self.subTest(name):
                desktop("drop", self.path(name, bytes))
                state = desktop.state()
                self.assertRegex(state["problem"], rf"^[^\n]*{name}: [^\n]*picture[^\n]*\.$")
                self.assertEqual((state["source"], state["file"]), (PROGRAM, self.path("a.py")))
