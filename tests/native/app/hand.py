"""Gestures write code."""
from desktop import PROGRAM, Case

GRID = "x = torch.arange(40).view(5, 8)\n"


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
        program = "a = torch.arange(12).view(1, 3, 4)\n"
        desktop = self.start(self.path("a.py", program))
        desktop("resize", 1400, 1450)
        desktop.click("hand")
        for chip, item, code in ((2, "flip", "a.flip(2)"), (2, "unsqueeze", "a.unsqueeze(2)"), (1, "select", "a[:, 0]"),
                                 (2, "split 2", "a.view(1, 3, 2, 2)"), (1, "merge", "a.view(1, 12)"),
                                 (0, "squeeze", "a.squeeze(0)"), (0, "expand", "a.expand(2, -1, -1)"),
                                 (1, "slice", "a[:")):
            with self.subTest(item):
                desktop.click("step 0")
                desktop.click(f"chip {chip}")
                if item == "slice":
                    left, top, _, bottom = desktop.state()["controls"]["to"]
                    desktop.drag(desktop.middle("to"), (left + 1, (top + bottom) / 2))
                desktop.click(item)
                lines = desktop.state()["source"].splitlines()
                self.assertEqual(len(lines), 2)
                self.assertIn(" = " + code, lines[1])
                desktop("key", "ctrl+z")
                self.assertEqual(desktop.state()["source"], program)

    def test_axes_that_do_not_join_cannot_be_merged(self):
        desktop = self.start_by_hand()
        desktop.click("chip 1")
        desktop.click("merge")
        self.assertEqual(desktop.state()["source"], PROGRAM)

    def test_the_grids_corner_reshapes_by_dragging_and_only_when_it_is_let_go(self):
        desktop = self.start_by_hand()
        desktop.click("step 0")
        x, y = desktop.middle("corner")
        before = self.screenshot(desktop)[2]
        desktop("point", x, y)
        desktop("press")
        desktop("point", x + 600, y)
        self.assertEqual(desktop.state()["source"], PROGRAM)
        tried = self.screenshot(desktop)[2]
        self.assertTrue(any(before(a, b) != tried(a, b) for a in range(500, 1400, 3) for b in range(150, 900, 3)))
        desktop("release")
        self.assertIn("x.view(", self.added(desktop))
        desktop("key", "ctrl+z")
        desktop.click("step 0")
        desktop("point", x, y)
        desktop("press")
        desktop("point", x + 600, y)
        desktop("key", "escape")
        desktop("release")
        self.assertEqual(desktop.state()["source"], PROGRAM)

    def test_the_grids_corner_is_moved_by_keys(self):
        desktop = self.start_by_hand()
        while desktop.state()["focus"] != "corner":
            desktop("key", "tab")
        desktop("key", "right")
        self.assertEqual(desktop.state()["source"], PROGRAM)
        desktop("key", "enter")
        self.assertRegex(self.added(desktop), r"y\.(view|reshape)\(")

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

    def picture(self, desktop):
        left, top, right, bottom = (int(edge) for edge in desktop.state()["controls"]["stage"])
        colour = self.screenshot(desktop)[2]
        return [colour(x, y) for x in range(left, right, 7) for y in range(top, bottom, 7)]

    def test_raw_numbers_and_a_dragged_chip_show_what_they_would_make_before_it_is_written(self):
        desktop = self.start_by_hand()
        desktop("point", 2, 2)
        before = self.picture(desktop)
        left, top, right, bottom = desktop.state()["controls"]["raw size 0"]
        desktop.drag(((left + right) / 2, (top + bottom) / 2), (left - 50, (top + bottom) / 2))
        desktop("point", 2, 2)
        self.assertNotEqual(self.picture(desktop), before)
        desktop.click("raw reset")
        desktop("point", 2, 2)
        self.assertEqual(self.picture(desktop), before)
        desktop("point", *desktop.middle("chip 0"))
        desktop("press")
        desktop("point", *desktop.middle("chip 2"))
        self.assertNotEqual(self.picture(desktop), before)
        self.assertEqual(desktop.state()["source"], PROGRAM)
        desktop("release")
        self.assertIn("y.permute(", self.added(desktop))

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


class Boxes(Case):
    """A box is cut out of the grid with Shift, by pointer and by arrow keys."""

    def start_boxes(self, program=GRID):
        desktop = self.start(self.path("a.py", program))
        self.assertEqual(desktop.state()["box"], "")
        return desktop

    def cells(self, desktop):
        """A place in the middle of the grid and one in its last cell, and the index of the first of them."""
        left, top, _, _ = desktop.state()["controls"]["corner"]
        inner, last = (left - 100, top - 100), (left - 4, top - 4)
        desktop("point", *last)
        self.assertRegex(desktop.state()["hover"], r"^element:\d+:39$")
        desktop("point", *inner)
        row, column = divmod(int(desktop.state()["hover"].split(":")[2]), 8)
        self.assertTrue(0 < row < 4 and 0 < column < 7)
        return inner, last, (row, column)

    def last_line(self, desktop):
        return desktop.state()["source"].splitlines()[-1]

    def test_a_box_that_is_dragged_over_is_seen_and_is_a_line_when_it_is_let_go(self):
        desktop = self.start_boxes()
        inner, last, (row, column) = self.cells(desktop)
        line = f"y = x[{row}:, {column}:]"
        desktop("point", *last)
        desktop("press", "shift+")
        before = self.screenshot(desktop)[2]
        desktop("point", *inner)  # from any corner to the one across
        state = desktop.state()
        self.assertEqual((state["box"], state["source"], state["head"]), (line, GRID, 0))
        left, top, right, bottom = state["controls"]["box"]
        self.assertTrue(left < inner[0] < last[0] < right and top < inner[1] < last[1] < bottom)
        edge = left + 1, (top + bottom) / 2
        self.assertNotEqual(self.screenshot(desktop)[2](*edge), before(*edge))
        desktop("key", "escape")
        self.assertEqual(desktop.state()["box"], "")
        desktop("point", *last)
        desktop("release")
        state = desktop.state()
        self.assertEqual((state["source"], state["head"]), (GRID, 0))
        desktop("point", *inner)
        desktop("press", "shift+")
        desktop("point", *last)
        desktop("release")
        state = desktop.state()
        self.assertEqual((self.last_line(desktop), state["step"], state["box"]), (line, 1, ""))
        self.assertEqual(state["elements"], (5 - row) * (8 - column))
        desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], GRID)

    def test_a_box_of_one_cell_is_none_and_a_drag_without_shift_takes_the_head_along(self):
        desktop = self.start_boxes()
        inner, last, (row, column) = self.cells(desktop)
        desktop("press", "shift+")
        desktop("release")
        self.assertEqual((desktop.state()["source"], desktop.state()["head"]), (GRID, 0))
        desktop.drag(last, inner)
        self.assertEqual((desktop.state()["source"], desktop.state()["head"]), (GRID, 8 * row + column))

    def test_a_box_grows_by_shift_and_the_arrows_and_is_written_by_enter(self):
        desktop = self.start_boxes()
        while desktop.state()["focus"] != "picture":
            desktop("key", "tab")
        for key, line in (("right", ""), ("shift+right", "y = x[:1, 1:3]"), ("shift+down", "y = x[:2, 1:3]"),
                          ("shift+left", "y = x[:2, 1:2]"), ("shift+left", "y = x[:2, :2]")):
            desktop("key", key)
            self.assertEqual(desktop.state()["box"], line, key)
        self.assertEqual(desktop.state()["source"], GRID)
        self.assertIn("box", desktop.state()["controls"])
        desktop("key", "enter")
        self.assertEqual(self.last_line(desktop), "y = x[:2, :2]")
        self.assertEqual((desktop.state()["step"], desktop.state()["elements"]), (1, 4))
        desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], GRID)

    def test_escape_or_an_arrow_without_shift_lets_the_box_go(self):
        desktop = self.start_boxes()
        inner, _, (row, column) = self.cells(desktop)
        desktop.click_at(*inner)
        desktop("key", "shift+right")
        self.assertIn(f"[{row}:{row + 1}, {column}:", desktop.state()["box"])  # from the chosen cell
        for key in ("escape", "left"):
            desktop("key", "shift+right")
            desktop("key", "shift+up")
            self.assertNotEqual(desktop.state()["box"], "")
            desktop("key", key)
            self.assertEqual((desktop.state()["box"], desktop.state()["source"]), ("", GRID))
        desktop("key", "home")
        desktop("key", "shift+down")
        desktop("key", "enter")
        self.assertEqual(self.last_line(desktop), "y = x[:2, :1]")

    def test_a_box_goes_through_the_tables_of_more_dimensions(self):
        desktop = self.start_boxes("x = torch.arange(24).view(2, 3, 4)\n")
        for key in ("shift+right", "shift+down", "shift+page_down"):
            desktop("key", key)
        self.assertEqual(desktop.state()["box"], "y = x[:, :2, :2]")
        desktop("key", "enter")
        self.assertEqual(desktop.state()["elements"], 8)
