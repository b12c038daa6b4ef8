"""What is wrong with a line, under the line, and its fixes by one click or one key."""
from desktop import PROGRAM, Case

FIXED = PROGRAM.replace("y.view(-1)", "y.reshape(-1)")


class Problems(Case):
    LINE_HEIGHT = 18

    def point_at_line(self, desktop, line):
        left, top, right, bottom = desktop.state()["controls"]["code"]
        for y in range(int(top) + 9, int(bottom), 4):  # whatever the face's lines are high
            if y > top + line * self.LINE_HEIGHT:
                desktop("point", right - 20, y)  # where it says what became of the line
                return

    def test_pointing_at_the_failing_line_offers_its_fixes_under_it(self):
        desktop = self.start_with_program()
        self.assertNotIn("line fix 0", desktop.state()["controls"])
        self.point_at_line(desktop, 2.5)
        state = desktop.state()
        self.assertIn("line fix 0", state["controls"])
        self.assertGreater(state["controls"]["line fix 0"][1], state["controls"]["code"][1] + 3 * self.LINE_HEIGHT)
        self.point_at_line(desktop, 0.5)
        self.assertNotIn("line fix 0", desktop.state()["controls"])

    def test_a_fix_under_its_line_is_applied_by_one_click_and_undone_in_one_step(self):
        desktop = self.start_with_program()
        self.point_at_line(desktop, 2.5)
        desktop.click("line fix 0")
        state = desktop.state()
        self.assertEqual(state["source"], FIXED)
        self.assertNotIn("line fix 0", state["controls"])
        desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], PROGRAM)

    def test_a_fix_that_stands_in_the_picture_is_applied_by_a_click_there(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(6)\ny = x.vew(2, 3)\n"))
        desktop.click("step 1")
        drawn = desktop("geometry")
        for left, top, right, bottom in (item["box"] for item in drawn["items"] if item["kind"] == "rect"):
            place = drawn["origin"][0] + (left + right) / 2, drawn["origin"][1] + (top + bottom) / 2
            desktop("point", *place)
            if desktop.state()["hover"] == "fix:0":
                break
        self.assertEqual(desktop.state()["hover"], "fix:0")
        desktop.click_at(*place)
        self.assertEqual(desktop.state()["source"], "x = torch.arange(6)\ny = x.view(2, 3)\n")

    def test_a_key_applies_the_first_fix_of_the_chosen_step(self):
        desktop = self.start_with_program()
        desktop("key", "ctrl+period")
        self.assertEqual(desktop.state()["source"], PROGRAM)  # nothing is wrong with this step
        desktop.click("step 2")
        desktop("key", "ctrl+period")
        self.assertEqual(desktop.state()["source"], FIXED)
        desktop("key", "ctrl+z")
        self.assertEqual(desktop.state()["source"], PROGRAM)

    def test_a_key_applies_the_first_fix_of_the_line_that_is_written(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = y.view(-1)")
        desktop("key", "ctrl+period")
        self.assertEqual(desktop.state()["source"], PROGRAM + "w = y.reshape(-1)")
        desktop("type", " ")
        self.assertTrue(desktop.state()["source"].startswith(PROGRAM + "w = "))

    def test_nothing_is_offered_where_nothing_is_wrong(self):
        desktop = self.start(self.path("b.py", "b = torch.arange(3)\n"))
        desktop("key", "ctrl+period")
        self.assertEqual(desktop.state()["source"], "b = torch.arange(3)\n")
