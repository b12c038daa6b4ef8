"""Files that other programs change, text that survives a crash, links."""
import os

from desktop import PROGRAM, Case

OTHER = "b = torch.arange(6).view(2, 3)\n"


class Watching(Case):
    def wait_until(self, desktop, holds):
        for _ in range(30):
            desktop("settle", 100)
            if holds(desktop.state()):
                return
        self.fail(f"still not so: {desktop.state()}")

    def test_a_file_that_another_program_writes_is_read_again(self):
        desktop = self.start_with_program()
        self.path("a.py", OTHER)
        self.wait_until(desktop, lambda state: state["source"] == OTHER)
        self.assertFalse(desktop.state()["unsaved"])

    def test_unsaved_text_is_asked_about_before_a_changed_file_takes_its_place(self):
        for answer, source in (("theirs take", OTHER), ("theirs keep", PROGRAM + "w")):
            desktop = self.start_with_program()
            self.write_at_the_end(desktop, "w")
            self.path("a.py", OTHER)
            self.wait_until(desktop, lambda state: "theirs take" in state["controls"])
            self.assertEqual(desktop.state()["source"], PROGRAM + "w")
            desktop("settle", 100)  # the question takes its place
            desktop.click(answer)
            self.assertEqual(desktop.state()["source"], source)

    def test_a_file_that_is_deleted_is_said_and_saving_writes_it_again(self):
        desktop = self.start_with_program()
        os.remove(self.path("a.py"))
        self.wait_until(desktop, lambda state: self.path("a.py") in state["problem"])
        self.assertEqual(desktop.state()["source"], PROGRAM)
        desktop("key", "ctrl+s")
        with open(self.path("a.py")) as file:
            self.assertEqual(file.read(), PROGRAM)

    def test_unsaved_text_survives_a_crash_and_is_offered_once(self):
        home = self.folder_of_homes()
        desktop = self.start(self.path("a.py", PROGRAM), home=home)
        self.write_at_the_end(desktop, "w = 1")
        desktop("settle", 700)
        desktop.process.kill()
        desktop.process.wait()
        again = self.start(home=home)
        again.click("recovered take")
        state = again.state()
        self.assertEqual((state["source"], state["file"], state["unsaved"]),
                         (PROGRAM + "w = 1", self.path("a.py"), True))
        again.process.kill()  # before it was kept anew
        again.process.wait()

    def test_text_that_was_saved_is_not_offered(self):
        home = self.folder_of_homes()
        desktop = self.start(self.path("a.py", PROGRAM), home=home)
        self.write_at_the_end(desktop, "w = 1")
        desktop("settle", 700)
        desktop("key", "ctrl+s")
        desktop("settle", 700)
        desktop.process.kill()
        desktop.process.wait()
        self.assertNotIn("recovered take", self.start(home=home).state()["controls"])

    def test_recent_files_are_in_the_menu(self):
        home = self.folder_of_homes()
        desktop = self.start(self.path("a.py", PROGRAM), home=home)
        desktop("drop", self.path("b.py", OTHER))
        desktop.click("file")
        desktop.click("recent 1")
        self.assertEqual(desktop.state()["file"], self.path("a.py"))

    def test_a_link_that_is_copied_opens_to_the_same_document(self):
        desktop = self.start_with_program()
        desktop.click("step 1")
        desktop("key", "right")
        document = desktop.state()["document"]
        desktop("key", "ctrl+shift+c")
        link = desktop.state()["clipboard"]
        self.assertIn("#v=1&", link)
        desktop("drop", self.path("b.py", OTHER))
        desktop("clipboard", "https://example.org/stridescope/" + link)
        desktop("key", "ctrl+shift+v")
        self.assertEqual(desktop.state()["document"], document)
        desktop("key", "ctrl+shift+c")
        self.assertEqual(desktop.state()["clipboard"], "https://example.org/stridescope/" + link)

    def test_a_link_as_the_page_packs_it_is_opened(self):
        desktop = self.start()
        # CompressionStream("deflate-raw") of "x = torch.arange(6).view(2, 3)\n"
        desktop("clipboard", "http://localhost/#v=1&z=q1CwVSjJL0rO0EssSsxLT9Uw09Qry0wt1zDSUTDW5AIA&step=0")
        desktop("key", "ctrl+shift+v")
        self.assertEqual(desktop.state()["problem"], "")
        self.assertEqual(desktop.state()["source"], "x = torch.arange(6).view(2, 3)\n")

    def test_what_is_no_link_is_said_and_changes_nothing(self):
        desktop = self.start_with_program()
        for text in ("", "hello", "#v=1", "#v=1&z=AAAA", "#v=1&z=%%%", "#v=99&code=x", "v=1&code=%FF%"):
            with self.subTest(text):
                desktop("clipboard", text)
                desktop("key", "ctrl+shift+v")
                state = desktop.state()
                self.assertNotEqual(state["problem"], "")
                self.assertEqual(state["source"], PROGRAM)
