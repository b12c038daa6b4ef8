"""Panels, the inspector and the options of the view."""
from desktop import Case


class Panels(Case):
    def choose(self, desktop, control, word):
        desktop.click(control)
        desktop.click(f"{control} {word}")

    def test_options_of_the_view_are_those_of_a_link(self):
        desktop = self.start_with_program()
        self.choose(desktop, "labels", "offset")
        self.choose(desktop, "colour", "cache line")
        self.choose(desktop, "unit", "bytes")
        self.choose(desktop, "line", "64 bytes")
        desktop.click("view")
        desktop.click("before")
        fields = desktop.state()["document"].split("&")
        for field in ("labels=offset", "colour=line", "unit=bytes", "line=64"):
            self.assertIn(field, fields)
        self.assertTrue(any(field.startswith("figures=") and "before" in field for field in fields))
        desktop.click("view")
        desktop.click("before")
        self.assertNotIn("figures=", desktop.state()["document"])

    def test_the_print_theme_is_on_white(self):
        desktop = self.start_with_program()
        self.choose(desktop, "theme", "Print")
        self.assertIn("theme=print", desktop.state()["document"])
        self.assertEqual(self.screenshot(desktop)[2](1270, 500), (255, 255, 255))

    def test_panels_are_hidden_and_shown_and_remembered(self):
        home = self.folder_of_homes()
        desktop = self.start(home=home)
        width = desktop.state()["room"][0]
        for panel in ("show code", "show steps", "show words"):
            desktop.click("view")
            desktop.click(panel)
        self.assertGreater(desktop.state()["room"][0], width)
        self.assertNotIn("code", desktop.state()["controls"])
        desktop("quit")
        self.assertEqual(desktop.end(), 0)
        again = self.start(home=home)
        self.assertNotIn("code", again.state()["controls"])
        again.click("view")
        again.click("show code")
        self.assertIn("code", again.state()["controls"])

    def test_a_splitter_is_dragged_and_remembered(self):
        home = self.folder_of_homes()
        desktop = self.start(home=home)
        x, y = desktop.middle("splitter")
        desktop.drag((x, y), (x + 100, y))
        self.assertAlmostEqual(desktop.middle("splitter")[0], x + 100, delta=3)
        desktop("quit")
        self.assertEqual(desktop.end(), 0)
        self.assertAlmostEqual(self.start(home=home).middle("splitter")[0], x + 100, delta=3)

    def test_a_splitter_is_moved_by_keys(self):
        desktop = self.start()
        x, y = desktop.middle("splitter")
        while desktop.state()["focus"] != "splitter":
            desktop("key", "shift+tab")
        desktop("key", "left")
        self.assertLess(desktop.middle("splitter")[0], x - 10)

    def test_the_picture_alone_fills_the_screen_and_escape_gives_the_window_back(self):
        desktop = self.start_with_program()
        desktop("key", "f11")
        desktop("settle", 100)
        state = desktop.state()
        self.assertNotIn("file", state["controls"])
        self.assertIn("play", state["controls"])
        width, height, _ = self.screenshot(desktop)
        self.assertEqual((width, height), (2600, 1500))
        desktop("key", "escape")
        desktop("settle", 100)
        self.assertIn("file", desktop.state()["controls"])
        self.assertEqual(self.screenshot(desktop)[:2], (1280, 800))

    def test_the_inspector_copies_a_layout_in_other_words(self):
        desktop = self.start_with_program()
        desktop("resize", 1280, 1400)
        desktop.click("step 1")
        desktop.click("layout")
        desktop.click("copy torch")
        self.assertEqual(desktop.state()["clipboard"], "torch.as_strided(s, (2, 2, 3), (6, 1, 2), 0)")
