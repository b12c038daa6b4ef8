"""Of a frame only what differs is drawn; it looks as if all of it were."""
from desktop import PROGRAM, Case


class Screen(Case):
    def window(self, desktop):
        file = self.path("window.ppm")
        desktop("screenshot", file)
        with open(file, "rb") as image:
            return image.read()

    def drawn_whole(self, desktop, width, height):
        desktop("resize", width + 1, height)
        desktop("resize", width, height)
        return self.window(desktop)

    def test_what_was_drawn_piece_by_piece_looks_as_if_drawn_whole(self):
        desktop = self.start_with_program()
        desktop("resize", 1200, 800)
        x, y = desktop.middle("stage")
        for act in (("point", x, y), ("key", "down"), ("point", x + 37, y - 60), ("key", "right"), ("key", "right"),
                    ("key", "plus"), ("point", x - 90, y + 45), ("key", "up"), ("point", 3, 3), ("key", "ctrl+plus"),
                    ("key", "ctrl+0"), ("wheel", "-3")):
            desktop(*act)
            desktop("settle", 30)
        desktop.click("language")
        desktop.click("language \u4e2d\u6587")
        desktop.click("edit")
        desktop("key", "escape")
        desktop("point", 3, 3)
        desktop("settle", 50)
        pieces = self.window(desktop)
        self.assertEqual(pieces, self.drawn_whole(desktop, 1200, 800))

    def test_a_picture_of_pixels_that_changes_is_drawn_anew(self):
        desktop = self.start(self.path("a.py", "x = torch.arange(1_000_000).view(1000, 1000)\ny = x.t()\n"))
        desktop("resize", 1200, 800)
        for _ in range(8):
            desktop("key", "minus")
        before = self.window(desktop)
        desktop.click("step 0")
        desktop("point", 3, 3)
        after = self.window(desktop)
        self.assertNotEqual(before, after)
        self.assertEqual(after, self.drawn_whole(desktop, 1200, 800))
