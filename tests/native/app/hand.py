"""Gestures write code."""
from desktop import PROGRAM, Case


class ByHand(Case):
    def start_by_hand(self):
        desktop = self.start_with_program()
        desktop("resize", 1400, 1450)
        desktop.click("step 1")
        desktop.click("hand")
        return desktop

    def added(self, desktop):
        """The line that was written, and the step that is shown."""
        state = desktop.state()
        lines, old = state["source"].splitlines(), PROGRAM.splitlines()
        self.assertEqual(len(lines), len(old) + 1)
        return lines[state["step"]]

    def test_a_chip_that_is_dragged_is_a_permutation(self):
        desktop = self.start_by_hand()
        desktop.drag(desktop.middle("chip 0"), desktop.middle("chip 1"))
        x, y = desktop.middle("chip 2")
        desktop.click("step 1")
        desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], PROGRAM)
        desktop.drag(desktop.middle("chip 0"), (x + 30, y))
        self.assertIn("y.permute(1, 2, 0)", self.added(desktop))

    def test_a_chip_is_moved_by_keys(self):
        desktop = self.start_by_hand()
        while desktop.state()["focus"] != "chip 2":
            desktop("key", "tab")
        desktop("key", "alt+left")
        self.assertIn("y.permute(0, 2, 1)", self.added(desktop))

    def test_the_menu_of_an_axis_writes_code(self):
        for item, code in (("flip", "y.flip(2)"), ("unsqueeze", "y.unsqueeze(2)"), ("select", "y.select(2, 0)")):
            with self.subTest(item):
                desktop = self.start_by_hand()
                desktop.click("chip 2")
                desktop.click(item)
                line = self.added(desktop)
                self.assertTrue(line.split(" = ", 1)[1].startswith("y"), line)

    def test_a_shape_that_needs_a_copy_is_reshaped_and_one_that_views_is_viewed(self):
        desktop = self.start_by_hand()
        listed = lambda word: [name for name in desktop.state()["controls"] if name.startswith(word + " ")]
        self.assertEqual(listed("view"), [])  # no two of its dims join
        desktop.click(listed("reshape")[0])
        self.assertIn(".reshape(", self.added(desktop))
        desktop("key", "ctrl+z")
        desktop.click("step 1")
        desktop.click("rank 3")
        desktop.click("view 2 2 3")
        self.assertIn(".view(", self.added(desktop))

    def test_raw_numbers_stay_inside_the_storage_and_are_written_when_asked(self):
        desktop = self.start_by_hand()
        self.assertNotIn("raw write", desktop.state()["controls"])
        left, top, right, bottom = desktop.state()["controls"]["raw size 0"]
        desktop.drag(((left + right) / 2, (top + bottom) / 2), (left - 50, (top + bottom) / 2))
        self.assertEqual(desktop.state()["source"], PROGRAM)
        desktop.click("raw write")
        self.assertIn("as_strided", self.added(desktop))

    def test_an_idiom_is_one_click(self):
        desktop = self.start_by_hand()
        desktop.click(next(name for name in desktop.state()["controls"] if name.startswith("idiom as_strided")))
        self.assertIn("as_strided", self.added(desktop))

    def test_a_cell_is_given_a_new_value_by_keys_alone(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        desktop("key", "right")
        desktop("key", "enter")
        desktop("type", "99")
        desktop("key", "enter")
        self.assertEqual(self.added(desktop), "y[0, 0, 1] = 99")
