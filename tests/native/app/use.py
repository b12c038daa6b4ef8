"""Pointer, keys, play, language and theme."""
import os

from desktop import EXAMPLES, PROGRAM, Case


class Use(Case):
    def test_starts_with_a_program_and_its_picture(self):
        desktop = self.start()
        state = desktop.state()
        self.assertGreater(state["steps"], 2)
        self.assertGreater(len(desktop("geometry")["items"]), 30)
        width, height, colour = self.screenshot(desktop)
        self.assertEqual((width, height), (1280, 800))
        self.assertGreater(len({colour(x, y) for x in range(0, width, 5) for y in range(0, height, 5)}), 20)
        desktop("quit")
        self.assertEqual(desktop.end(), 0)

    def test_a_step_is_chosen_by_pointer_and_by_keys(self):
        desktop = self.start_with_program()
        self.assertEqual(desktop.state()["step"], 3)
        desktop.click("step 0")
        self.assertEqual(desktop.state()["step"], 0)
        desktop("key", "down")
        self.assertEqual(desktop.state()["step"], 1)
        desktop("key", "up")
        desktop("key", "up")
        self.assertEqual(desktop.state()["step"], 0)

    def test_the_head_is_moved_by_keys_buttons_and_the_scrubber(self):
        desktop = self.start_with_program()
        head = lambda: desktop.state()["head"]
        desktop("key", "right")
        desktop("key", "right")
        desktop("key", "left")
        self.assertEqual(head(), 1)
        desktop("key", "end")
        self.assertEqual(head(), 11)
        desktop("key", "right")
        self.assertEqual(head(), 11)
        desktop("key", "home")
        self.assertEqual(head(), 0)
        desktop.click("forward")
        desktop.click("forward")
        desktop.click("back")
        self.assertEqual(head(), 1)
        left, top, right, bottom = desktop.state()["controls"]["scrub"]
        y = (top + bottom) / 2
        desktop.drag((left + 7, y), ((left + right) / 2, y))
        self.assertIn(head(), (5, 6))
        desktop.drag(((left + right) / 2, y), (right + 200, y))
        self.assertEqual(head(), 11)

    def test_play_moves_the_head_until_pause_or_the_end(self):
        # However slowly frames follow one another, the end is not reached before the pause.
        desktop = self.start(self.path("a.py", "import torch\nx = torch.arange(10000)\n"))
        desktop("key", "space")
        self.assertTrue(desktop.state()["playing"])
        desktop("settle", 1200)
        moved = desktop.state()
        self.assertGreaterEqual(moved["head"] + moved["phase"], 0.5)
        desktop.click("play")
        self.assertFalse(desktop.state()["playing"])
        still = desktop.state()["head"]
        desktop("settle", 300)
        self.assertEqual(desktop.state()["head"], still)
        desktop("key", "end")
        desktop("key", "left")
        desktop("key", "space")
        desktop("settle", 1500)
        self.assertEqual((desktop.state()["playing"], desktop.state()["head"]), (False, 9999))

    def test_pointing_at_a_cell_lights_it_up_and_pointing_away_does_not(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        desktop("point", 2, 2)
        drawn = desktop("geometry")
        found = set()
        for item in drawn["items"]:
            if item["kind"] != "rect":
                continue
            left, top, right, bottom = item["box"]
            x, y = drawn["origin"][0] + (left + right) / 2, drawn["origin"][1] + (top + bottom) / 2
            if y > 700:
                continue
            before = desktop.state()["pictures"]
            desktop("point", x, y)
            state = desktop.state()
            if state["hover"]:
                found.add(state["hover"].split(":")[0])
                self.assertGreater(state["pictures"], before)
            desktop("point", 2, 2)
            self.assertEqual(desktop.state()["hover"], "")
        self.assertLessEqual({"element", "cell"}, found)

    def test_nothing_is_drawn_anew_while_nothing_changes(self):
        desktop = self.start_with_program()
        before = desktop.state()["pictures"]
        desktop("settle", 200)
        self.assertEqual(desktop.state()["pictures"], before)

    def test_letters_are_made_while_nobody_does_anything(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(1000).view(10, 10, 10).permute(2, 0, 1)\n"))
        desktop("screenshot", self.path("first.ppm"))
        letters = desktop.state()["letters"]
        left, top, right, bottom = desktop.state()["controls"]["scrub"]
        desktop("point", left + 8, (top + bottom) / 2)
        desktop("press")
        for x in range(int(left) + 8, int(right) - 8, 40):
            desktop("point", x, (top + bottom) / 2)
        desktop("release")
        self.assertEqual(desktop.state()["letters"], letters)
        desktop("key", "ctrl+plus")  # all text larger: sizes that were never made
        self.assertEqual(desktop.state()["letters"], letters)
        desktop("settle", 300)
        self.assertGreater(desktop.state()["letters"], letters)

    def test_a_trillion_elements_are_scrubbed_like_twelve(self):
        desktop = self.start(os.path.join(EXAMPLES, "trillion.py"))
        self.assertEqual(desktop.state()["elements"], 10**12)
        desktop("key", "end")
        self.assertEqual(desktop.state()["head"], 10**12 - 1)
        desktop.click("scrub")
        self.assertAlmostEqual(desktop.state()["head"], 5 * 10**11, delta=10**10)

    def test_language_and_theme_are_chosen_in_the_window(self):
        desktop = self.start_with_program()
        desktop.click("language")
        desktop.click("language \u4e2d\u6587")
        desktop.click("theme")
        desktop.click("theme \u6df1\u8272")
        fields = desktop.state()["document"].split("&")
        self.assertIn("lang=zh", fields)
        self.assertIn("theme=dark", fields)
