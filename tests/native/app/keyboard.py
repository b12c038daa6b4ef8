"""Every control by keyboard, text size, undo and redo."""
from desktop import PROGRAM, Case


class Keyboard(Case):
    def test_tab_reaches_every_control_and_comes_back(self):
        desktop = self.start_with_program()
        desktop.click("step 0")  # that of the line where the code is entered
        controls = set(desktop.state()["controls"]) - {"stage"}
        seen = []
        for _ in range(len(controls) + 3):
            desktop("key", "tab")
            focus = desktop.state()["focus"]
            if seen and focus == seen[0]:
                break
            seen.append(focus)
        self.assertEqual(set(seen), controls)

    def tab_to(self, desktop, control):
        for _ in range(80):
            if desktop.state()["focus"] == control:
                return
            desktop("key", "tab")
        self.fail(f"{control} is not reached")

    def test_a_word_of_the_explanation_lights_up_what_it_is_about_when_the_keyboard_is_on_it(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        desktop("point", 2, 2)
        desktop.click("why")
        desktop("point", 2, 2)
        self.assertEqual(desktop.state()["hover"], "")
        while not desktop.state()["focus"].startswith("word "):
            desktop("key", "tab")
        self.assertRegex(desktop.state()["hover"], r"^(axis|tensor|cell|element):")

    def test_the_picture_is_walked_along_its_rows_and_down_them_by_keys(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(24).view(2, 3, 4)\n"))
        self.tab_to(desktop, "picture")
        for key, head in (("right", 1), ("down", 5), ("down", 9), ("down", 9), ("page_down", 21), ("end", 23),
                          ("home", 20), ("up", 16), ("left", 16), ("page_up", 4), ("page_up", 4)):
            desktop("key", key)
            self.assertEqual(desktop.state()["head"], head, key)
        desktop("key", "enter")
        desktop("type", "99")
        desktop("key", "enter")
        self.assertIn("x[0, 1, 0] = 99", desktop.state()["source"])

    def test_the_control_with_the_keyboard_is_outlined(self):
        desktop = self.start_with_program()
        left, top, right, bottom = desktop.state()["controls"]["file"]
        before = self.screenshot(desktop)[2](left + 20, top + 1)
        desktop("key", "tab")
        self.assertEqual(desktop.state()["focus"], "file")
        self.assertNotEqual(self.screenshot(desktop)[2](left + 20, top + 1), before)

    def test_a_menu_is_used_without_a_pointer(self):
        desktop = self.start_with_program()
        for key in ("tab", "tab", "tab", "enter", "enter"):
            desktop("key", key)
        self.assertGreater(desktop.state()["text"], 1.1)
        self.assertEqual(desktop.state()["focus"], "view")

    def test_a_choice_is_made_without_a_pointer(self):
        desktop = self.start_with_program()
        while desktop.state()["focus"] != "colour":
            desktop("key", "tab")
        for key in ("enter", "down", "enter"):
            desktop("key", key)
        self.assertIn("colour=row", desktop.state()["document"])

    def test_escape_leaves_a_menu(self):
        desktop = self.start_with_program()
        desktop.click("file")
        self.assertIn("save as", desktop.state()["controls"])
        desktop("key", "escape")
        self.assertNotIn("save as", desktop.state()["controls"])

    def test_text_grows_and_shrinks_and_is_remembered(self):
        home = self.folder_of_homes()
        desktop = self.start(home=home)
        for key in ("ctrl+plus", "ctrl+plus"):
            desktop("key", key)
        size = desktop.state()["text"]
        self.assertGreater(size, 1.2)
        desktop("quit")
        self.assertEqual(desktop.end(), 0)
        again = self.start(home=home)
        self.assertAlmostEqual(again.state()["text"], size)
        again("key", "ctrl+0")
        self.assertEqual(again.state()["text"], 1)

    def test_typing_is_undone_a_word_at_a_time_and_redone(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = x")
        desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], PROGRAM + "w =")
        for _ in range(2):
            desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], PROGRAM)
        for _ in range(3):
            desktop("key", "ctrl+shift+z")
        self.assertEqual(desktop.state()["source"], PROGRAM + "w = x")
        desktop("type", "2")
        self.assertEqual(desktop.state()["source"], PROGRAM + "w = x2")

    def test_a_fix_is_undone(self):
        desktop = self.start_with_program()
        desktop.click("step 2")
        desktop.click("fix 0")
        desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], PROGRAM)
