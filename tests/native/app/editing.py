"""Writing programs, and the files they are in."""
import os

from desktop import PROGRAM, Case


class Editing(Case):
    def test_typing_changes_the_steps_at_once_and_follows_the_line(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = x.t")
        state = desktop.state()
        self.assertEqual((state["source"], state["steps"], state["step"]), (PROGRAM + "w = x.t", 5, 4))
        self.assertTrue(state["unsaved"])

    def test_the_line_of_the_cursor_stays_in_the_round_that_is_shown(self):
        code = "x = torch.arange(6).view(2, 3)\nfor row in x:\n    y = row[None]\n    z = y.T\n"
        desktop = self.start(self.path("loop.py", code))
        desktop.click("step 2")  # y of the first round
        left, top, right, bottom = desktop.state()["controls"]["code"]
        desktop.click_at(left + 60, bottom - 5)
        self.assertEqual(desktop.state()["step"], 3, "z of that round")
        desktop.click("step 5")
        desktop("key", "up")  # in the code
        desktop.click_at(left + 60, bottom - 5)
        self.assertEqual(desktop.state()["step"], 6, "z of the second")

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
        desktop.click("file")
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
