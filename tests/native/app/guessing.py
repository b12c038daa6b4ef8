"""Guess first: what a line comes to is not to be seen until it was guessed."""
import pictures
from desktop import Case

PROGRAM = ("x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\n"
           "a = np.arange(6).reshape(2, 3)[::-1]\n")


class Guessing(Case):
    save, wait = pictures.SavingPictures.save, pictures.SavingPictures.wait

    def ask(self, step, program=PROGRAM):
        desktop = self.start(self.path("a.py", program))
        desktop("resize", 1400, 1450)
        desktop.click(f"step {step}")
        desktop.click("ask")
        return desktop

    def guess(self, desktop, kind, sizes="", strides=""):
        desktop.click(f"guess {kind}")
        for part, text in (("sizes", sizes), ("strides", strides)):
            if text:
                desktop.click(f"guess {part}")
                desktop("type", text)
        desktop.click("check")

    def judged(self, desktop):
        said = desktop.state()["judged"]
        return [said[part] and (said[part]["right"], said[part]["truth"]) for part in ("kind", "sizes", "strides")]

    def test_a_question_holds_nothing_of_the_answer(self):
        desktop = self.ask(2)
        state = desktop.state()
        self.assertIn("ask=yes", state["document"].split("&"))
        self.assertTrue(state["asks"])
        self.assertFalse([name for name in state["controls"] if name.startswith(("fix", "word", "line fix"))])
        self.save(desktop, "question.svg")
        with open(self.path("question.svg")) as picture:
            text = picture.read()
        self.assertIn("(?):(?)", text)
        self.assertNotIn("RuntimeError", text)
        desktop.click("hand")
        self.assertFalse([name for name in desktop.state()["controls"] if name.startswith("chip")])
        desktop.click("why")
        desktop.click("ask")
        self.assertFalse(desktop.state()["asks"])
        self.assertTrue([name for name in desktop.state()["controls"] if name.startswith("fix")])

    def test_a_right_guess_is_right_and_the_next_line_is_asked_about(self):
        desktop = self.ask(1)
        self.guess(desktop, "view", "2 2 3", "[6, 1, 2]")
        self.assertEqual(self.judged(desktop), [(True, "view"), (True, "(2, 2, 3)"), (True, "(6, 1, 2)")])
        self.assertFalse(desktop.state()["asks"])
        desktop.click("next")
        self.assertEqual((desktop.state()["step"], desktop.state()["asks"]), (2, True))
        self.guess(desktop, "error")
        self.assertEqual(self.judged(desktop), [(True, "error"), None, None])
        self.assertTrue([name for name in desktop.state()["controls"] if name.startswith("fix")])
        desktop.click("next")
        self.guess(desktop, "view", "2,3", "-24,8")
        self.assertEqual(self.judged(desktop), [(True, "view"), (True, "(2, 3)"), (True, "(-24, 8)")])
        desktop.click("next")
        self.assertEqual((desktop.state()["step"], desktop.state()["asks"]), (0, True), "it starts over")

    def test_a_wrong_an_empty_and_an_unreadable_guess_are_told_the_truth(self):
        desktop = self.ask(1)
        self.guess(desktop, "copy", sizes="2 x 3")
        self.assertEqual(self.judged(desktop), [(False, "view"), (False, "(2, 2, 3)"), (False, "(6, 1, 2)")])

    def test_it_is_guessed_by_keyboard_alone(self):
        desktop = self.ask(1)
        for control, text in (("guess view", None), ("guess sizes", "2 2 3"), ("guess strides", "6 1 2")):
            while desktop.state()["focus"] != control:
                desktop("key", "tab")
            if text:
                desktop("type", text)
            else:
                desktop("key", "space")
        desktop("key", "enter")
        self.assertFalse(desktop.state()["asks"])
        self.assertEqual([right for right, _ in self.judged(desktop)], [True, True, True])
        self.assertEqual(desktop.state()["source"], PROGRAM)

    def test_another_line_or_another_program_is_asked_about(self):
        desktop = self.ask(1)
        self.guess(desktop, "view")
        desktop.click("step 2")
        self.assertTrue(desktop.state()["asks"])
        self.guess(desktop, "view")
        self.assertFalse(desktop.state()["asks"])
        self.write_at_the_end(desktop, "w = 0")
        self.assertTrue(desktop.state()["asks"])
