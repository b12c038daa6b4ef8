"""What helps to write a program: examples, names to choose from, what was copied out of a terminal."""
import subprocess

from desktop import COMMAND, PROGRAM, Case


class Writing(Case):
    def start_empty(self):
        desktop = self.start(self.path("a.py", "import torch\n"))
        left, top, right, bottom = desktop.state()["controls"]["code"]
        desktop.click_at(left + 5, bottom - 5)
        return desktop

    def source(self, desktop):
        return desktop.state()["source"].removeprefix("import torch\n")

    def test_a_name_is_chosen_from_those_that_fit(self):
        desktop = self.start_empty()
        desktop("type", "torch.ara")
        self.assertIn("name arange", desktop.state()["controls"])
        desktop("key", "enter")
        self.assertEqual(self.source(desktop), "torch.arange()")
        desktop("type", "12")
        self.assertEqual(self.source(desktop), "torch.arange(12)")

    def test_arrows_choose_among_the_names_and_leave_the_cursor(self):
        desktop = self.start_empty()
        desktop("type", "x = torch.arange(12).unsq")
        names = [name for name in desktop.state()["controls"] if name.startswith("name unsqueeze")]
        self.assertGreater(len(names), 1)
        desktop("key", "down")
        desktop("key", "enter")
        self.assertRegex(self.source(desktop), r"^x = torch\.arange\(12\)\.unsqueeze_?\(\)$")

    def test_a_name_is_chosen_by_a_click(self):
        desktop = self.start_empty()
        desktop("type", "torch.aran")
        desktop.click("name arange")
        desktop("type", "7")
        self.assertEqual(self.source(desktop), "torch.arange(7)")

    def test_escape_puts_the_names_away_and_writing_goes_on(self):
        desktop = self.start_empty()
        desktop("type", "torch.ara")
        desktop("key", "escape")
        self.assertNotIn("name arange", desktop.state()["controls"])
        desktop("key", "enter")
        self.assertNotIn("arange", desktop.state()["source"])

    def test_a_name_that_is_whole_is_not_in_the_way_of_a_new_line(self):
        desktop = self.start_empty()
        desktop("type", "y = torch.arange")
        desktop("key", "enter")
        desktop("type", "z")
        self.assertEqual(self.source(desktop), "y = torch.arange\nz")

    def test_a_call_says_what_it_takes_while_it_is_written(self):
        desktop = self.start_empty()
        desktop("type", "torch.arange(")
        self.assertIn("advice", desktop.state()["controls"])
        desktop("type", "3)")
        self.assertNotIn("advice", desktop.state()["controls"])

    def test_a_session_that_is_pasted_becomes_its_program_and_undo_gives_it_back(self):
        desktop = self.start_empty()
        desktop("clipboard", ">>> x = torch.arange(6)")
        desktop("key", "ctrl+v")
        self.assertEqual(self.source(desktop).strip(), "x = torch.arange(6)")
        desktop("key", "ctrl+z")
        self.assertEqual(self.source(desktop), ">>> x = torch.arange(6)")
        desktop("key", "ctrl+z")
        self.assertEqual(self.source(desktop), "")

    def test_code_that_is_pasted_stays_as_it_is(self):
        desktop = self.start_empty()
        desktop("clipboard", "y = torch.zeros(3)")
        desktop("key", "ctrl+v")
        self.assertEqual(self.source(desktop), "y = torch.zeros(3)")

    def test_the_program_that_checks_itself_is_copied(self):
        desktop = self.start_with_program()
        desktop.click("edit")
        desktop.click("copy python")
        wanted = subprocess.run([COMMAND, "python", self.path("a.py")], capture_output=True, text=True,
                                check=True).stdout
        self.assertEqual(desktop.state()["clipboard"], wanted)
        desktop.click("edit")
        desktop.click("copy code")
        self.assertEqual(desktop.state()["clipboard"], PROGRAM)

    def test_an_example_is_found_by_its_words_and_opened(self):
        desktop = self.start_with_program()
        desktop("key", "f1")
        every = [name for name in desktop.state()["controls"] if name.startswith("example ")]
        self.assertGreater(len(every), 50)
        desktop("type", "permute view fails")
        some = [name for name in desktop.state()["controls"] if name.startswith("example ")]
        self.assertTrue(0 < len(some) < len(every), some)
        desktop.click(some[0])
        state = desktop.state()
        self.assertIn("view", state["source"])
        self.assertNotIn("# ->", state["source"])
        self.assertNotIn("# zh:", state["source"])
        self.assertEqual((state["file"], state["unsaved"]), ("", False))

    def test_unsaved_text_is_asked_about_before_an_example_takes_its_place(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w")
        desktop("key", "f1")
        desktop("settle", 50)
        desktop.click("example trillion")
        self.assertIn("unsaved discard", desktop.state()["controls"])
        self.assertEqual(desktop.state()["source"], PROGRAM + "w")
