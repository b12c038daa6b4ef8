"""Code, steps, words and picture are about the same things: one lights up the others."""
from desktop import PROGRAM, Case


class Linking(Case):
    LINE_HEIGHT = 18

    def line(self, desktop, number):
        """The middle of a line of the code at its left edge, and the panel's right edge."""
        left, top, right, bottom = desktop.state()["controls"]["code"]
        return left - 30, top + 8 + self.LINE_HEIGHT * (number - 0.5), right

    def test_the_number_of_a_line_and_its_result_light_up_its_tensor(self):
        desktop = self.start_with_program()
        x, y, right = self.line(desktop, 2)
        for place in (x, right - 20):
            desktop("point", place, y)
            self.assertRegex(desktop.state()["hover"], r"^tensor:")
        desktop("point", 2, 2)
        self.assertEqual(desktop.state()["hover"], "")

    def test_a_line_that_made_no_tensor_is_about_its_step(self):
        desktop = self.start_with_program()
        x, y, _ = self.line(desktop, 3)  # it fails
        desktop("point", x, y)
        self.assertEqual(desktop.state()["hover"], "step:2")

    def test_a_cell_of_the_picture_lights_up_the_result_of_its_line(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        desktop("point", 2, 2)
        x, y, right = self.line(desktop, 2)

        def colours():
            colour = self.screenshot(desktop)[2]
            return {colour(at, y - 6) for at in range(int(right) - 60, int(right) - 4)}

        before = colours()
        drawn = desktop("geometry")
        for item in drawn["items"]:
            left, top, edge, bottom = item["box"]
            desktop("point", drawn["origin"][0] + (left + edge) / 2, drawn["origin"][1] + (top + bottom) / 2)
            if desktop.state()["hover"].startswith("element:"):
                break
        self.assertTrue(desktop.state()["hover"].startswith("element:"))
        self.assertNotEqual(colours(), before)

    def test_each_operation_of_a_statement_can_be_shown(self):
        desktop = self.start(self.path("a.py", "y = torch.arange(12).view(3, 4).t()\n"))
        desktop("resize", 1280, 1300)
        elements = lambda: dict(pair.split("=", 1) for pair in desktop.state()["document"].split("&"))
        before = desktop.state()["pictures"]
        desktop.click("operation 1")
        self.assertEqual(elements()["op"], "1")
        self.assertGreater(desktop.state()["pictures"], before)
        desktop.click("operation 0")
        self.assertEqual(elements()["op"], "0")
        self.assertEqual(desktop.state()["elements"], 12)

    def test_what_a_pattern_asks_for_stands_before_the_calls_that_it_comes_to(self):
        program = "import torch\nfrom einops import rearrange\n"
        desktop = self.start(self.path("a.py", program + "y = rearrange(torch.ones(4, 6), '(a b) c -> b (a c)', a=2)\n"))
        desktop("resize", 1280, 1300)
        controls = desktop.state()["controls"]
        tops = [controls[f"operation {number}"][1] for number in (1, 4, 3, 2, 0)]
        self.assertEqual(tops, sorted(tops))

    def test_a_call_that_fails_leads_to_the_line_that_raises(self):
        program = "def flat(t):\n    return t.view(-1)\nx = torch.ones(2, 3).t()\ny = flat(x)\n"
        step = lambda: dict(pair.split("=", 1) for pair in desktop.state()["document"].split("&")).get("step")
        desktop = self.start(self.path("a.py", program))
        self.assertNotEqual(step(), "2")
        desktop.click("word 0")
        self.assertEqual(step(), "2")
        desktop.click("step 3")
        desktop.click("why")
        while desktop.state()["focus"] != "word 0":
            desktop("key", "tab")
        desktop("key", "enter")
        self.assertEqual(step(), "2")

    def test_a_name_without_a_value_leads_to_the_line_to_mend(self):
        desktop = self.start(self.path("a.py", "x = torch.ones(2)\ny = x.renorm(2, 0, 1)\ny\n"))
        step = lambda: dict(pair.split("=", 1) for pair in desktop.state()["document"].split("&")).get("step")
        desktop.click("step 2")
        desktop.click("word 0")
        self.assertEqual(step(), "1")

    def test_a_name_that_is_not_called_is_said(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(6)\nx.t\n"))
        left, top, right, bottom = (int(edge) for edge in desktop.state()["controls"]["why"])
        colour = self.screenshot(desktop)[2]
        inked = sum(sum(colour(x, y)) < 600 for x in range(left, left + 300, 2) for y in range(bottom + 6, 700, 2))
        self.assertGreater(inked, 60)

    def test_cells_that_a_poke_changes_flash_and_then_the_window_rests(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(12).view(3, 4)\ny = x.t()\n"))
        desktop("key", "right")
        # Where the machine is busy a flash may be over before it is looked at.
        for number in range(91, 99):
            desktop("key", "enter")
            desktop("type", str(number))
            desktop("key", "enter")
            during = self.screenshot(desktop)[2]
            desktop("settle", 1200)
            after = self.screenshot(desktop)[2]
            left, top, right, bottom = (int(edge) for edge in desktop.state()["controls"]["stage"])
            places = [(x, y) for x in range(left, right, 2) for y in range(top, bottom, 2)]
            if sum(during(x, y) != after(x, y) for x, y in places) > 20:
                return
        self.fail("no cell flashed")


class Colours(Case):
    def ink(self, desktop, line, first, last):
        """The colours of a few letters of a line."""
        left, top, right, bottom = (int(edge) for edge in desktop.state()["controls"]["code"])
        at = self.screenshot(desktop)[2]
        width = 8.4  # of a letter of 14 pixels
        rows = range(top + 8 + 18 * (line - 1), top + 8 + 18 * line)
        return {at(x, y) for x in range(int(left + first * width), int(left + last * width)) for y in rows}

    def test_words_numbers_strings_and_comments_have_colours_of_their_own(self):
        desktop = self.start(self.path("a.py", "import torch\nx = 12345678\ny = 'abcdef'\n# remark\nxxxxxxxx = x\n"))
        desktop("resize", 1600, 900)
        word, number, string, comment, plain = (self.ink(desktop, line, first, last) for line, first, last in
                                                ((1, 0, 6), (2, 4, 12), (3, 4, 12), (4, 0, 8), (5, 0, 8)))
        self.assertTrue(any(blue > green + 60 and red > green + 30 for red, green, blue in word))
        self.assertTrue(any(blue > red + 100 for red, green, blue in number))
        self.assertTrue(any(green > red + 60 and green > blue for red, green, blue in string))
        for grey in (comment, plain):
            self.assertFalse(any(abs(red - blue) > 60 for red, green, blue in grey))
        self.assertLess(min(sum(colour) for colour in plain), min(sum(colour) for colour in comment) - 100)

    def test_letters_and_cursor_are_where_they_are_typed(self):
        desktop = self.start(self.path("a.py", "x = 1\n"))
        self.write_at_the_end(desktop, "y = 2")
        self.assertEqual(desktop.state()["source"], "x = 1\ny = 2")
        dark = lambda first, last: any(sum(colour) < 200 for colour in self.ink(desktop, 2, first, last))
        self.assertTrue(dark(0, 1))
        self.assertTrue(dark(4.8, 5.4))  # where one writes
        self.assertFalse(dark(5.6, 8))

    def test_the_code_follows_the_cursor_to_the_right_and_back(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "# " + 30 * "word ")
        far = desktop.state()["controls"]["code"][0]
        desktop("key", "home")
        self.assertGreater(desktop.state()["controls"]["code"][0], far + 300)
