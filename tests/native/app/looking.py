"""Larger and smaller cells, the windows over a large tensor, what the walk costs."""
from geometry import Geometry
from desktop import PROGRAM, Case

LARGE = "x = torch.arange(1_000_000).view(1000, 1000)\n"


def fields(desktop):
    return dict(pair.split("=", 1) for pair in desktop.state()["document"].split("&"))


class Zooming(Case):
    def over_the_picture(self, desktop):
        left, top, right, bottom = desktop.state()["controls"]["stage"]
        desktop("point", (left + right) / 2, (top + bottom) / 2)

    def test_cells_grow_and_shrink_by_keys_buttons_and_the_wheel(self):
        desktop = self.start(self.path("a.py", LARGE))
        zoom = lambda: int(fields(desktop).get("zoom", 0))
        for key, now in (("plus", 1), ("shift+plus", 2), ("minus", 1), ("0", 0), ("minus", -1)):
            desktop("key", key)
            self.assertEqual(zoom(), now, key)
        for control, now in (("zoom in", 0), ("zoom in", 1), ("zoom out", 0), ("zoom out", -1), ("zoom fit", 0)):
            desktop.click(control)
            self.assertEqual(zoom(), now, control)
        self.over_the_picture(desktop)
        for turn, now in (("ctrl+1", 1), ("ctrl+1", 2), ("ctrl+0.5", 2), ("ctrl+0.5", 3), ("ctrl+-40", -12),
                          ("1", -12)):
            desktop("wheel", turn)
            self.assertEqual(zoom(), now, turn)

    def test_what_is_typed_into_the_code_does_not_zoom(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = 0")
        for key in ("plus", "minus", "0"):
            desktop("key", key)
        self.assertNotIn("zoom", fields(desktop))

    def test_the_wheel_takes_the_head_along_rows_and_down_them_and_no_further_than_the_end(self):
        desktop = self.start(self.path("a.py", LARGE))
        self.over_the_picture(desktop)
        for turn, head in (("shift+-1", 3), ("alt+-1", 3003), ("shift+1", 3000), ("shift+9", 3000), ("alt+9", 0)):
            desktop("wheel", turn)
            self.assertEqual(desktop.state()["head"], head, turn)

    def test_what_the_wheel_walks_to_stays_in_the_middle_of_the_windows(self):
        desktop = self.start(self.path("a.py", LARGE))
        self.over_the_picture(desktop)
        desktop("wheel", "alt+-9")
        self.assertEqual((desktop.state()["head"], fields(desktop)["pan"]), (27_000, "27000"))

    def test_the_strip_is_gone_along_by_dragging(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(1_000_000)\n"))
        left, top, right, bottom = desktop.state()["controls"]["stage"]
        x, y = (left + right) / 2, top
        while not desktop.state()["hover"].startswith("cell:"):
            y += 6
            self.assertLess(y, bottom)
            desktop("point", x, y)
        cell = int(desktop.state()["hover"].split(":")[2])
        desktop("press")
        self.assertEqual(desktop.state()["head"], cell)
        desktop("point", x + 200, y)  # the window follows the head
        self.assertGreater(desktop.state()["head"], cell)
        desktop("release")


class ZoomedGeometry(Geometry):
    test_every_step_of_every_example_stands_where_the_svg_has_it = None

    def test_larger_cells_stand_where_the_svg_has_them(self):
        desktop = self.start(self.path("a.py", LARGE))
        for key in ("plus", "plus", "plus"):
            desktop("key", key)
        self.agree(desktop, LARGE)


class Walk(Case):
    def test_the_odometer_says_what_the_command_line_would_count(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        desktop.click("walk")
        before = self.screenshot(desktop)[2]
        desktop("key", "end")
        after = self.screenshot(desktop)[2]
        left, top, right, bottom = (int(edge) for edge in desktop.state()["controls"]["walk"])
        changed = sum(before(x, y) != after(x, y)
                      for x in range(left, left + 300) for y in range(bottom + 5, bottom + 180))
        self.assertGreater(changed, 100)

    def test_a_walk_that_loops_begins_again(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(3)\n"))
        desktop.click("loop")
        desktop.click("speed")
        desktop.click("speed 32")
        desktop("key", "end")
        desktop("key", "space")
        seen = set()
        for _ in range(200):
            desktop("settle", 10)
            state = desktop.state()
            self.assertTrue(state["playing"])
            seen.add(state["head"])
            if seen == {0, 1, 2}:
                break
        self.assertEqual(seen, {0, 1, 2})
        desktop.click("loop")
        desktop("settle", 300)
        self.assertEqual((desktop.state()["playing"], desktop.state()["head"]), (False, 2))

    def test_a_tenth_of_the_elements_is_one_key(self):
        desktop = self.start(self.path("a.py", LARGE))
        for key, head in (("page_up", 100_000), ("page_up", 200_000), ("page_down", 100_000)):
            desktop("key", key)
            self.assertEqual(desktop.state()["head"], head)
