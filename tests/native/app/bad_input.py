"""What cannot be done is said, and nothing is lost by it."""
import os
import shutil
import subprocess

from desktop import APP, PROGRAM, Case, environment


class BadInput(Case):
    def bad_files(self):
        return {"missing": self.path("missing.py"), "folder": self.folder, "binary": self.path("a.bin", b"\x7fELF\0\1"),
                "latin": self.path("latin.py", b"x = '\xe9'\n"), "huge": self.path("huge.py", "#" * 20_001),
                "endless": "/dev/zero"}

    def test_a_file_that_cannot_be_opened_ends_the_start_with_a_message(self):
        for name, file in self.bad_files().items():
            with self.subTest(name):
                done = subprocess.run([APP, "--script", "-", file], input="", capture_output=True, text=True,
                                      env=environment(), timeout=60)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(file, done.stderr)

    def test_a_file_that_cannot_be_dropped_is_said_in_the_window_and_changes_nothing(self):
        desktop = self.start_with_program()
        for name, file in self.bad_files().items():
            with self.subTest(name):
                desktop("drop", file)
                state = desktop.state()
                self.assertIn(file, state["problem"])
                self.assertEqual((state["source"], state["file"]), (PROGRAM, self.path("a.py")))
                desktop.click("problem")
                self.assertEqual(desktop.state()["problem"], "")

    def test_a_save_that_fails_is_said_and_loses_nothing(self):
        desktop = self.start()
        desktop("key", "ctrl+s")
        desktop("type", "/proc/nowhere.py")
        desktop("key", "enter")
        state = desktop.state()
        self.assertIn("/proc/nowhere.py", state["problem"])
        self.assertEqual(state["file"], "")
        self.assertGreater(len(state["source"]), 20)

    def test_a_full_disk_is_said_and_loses_nothing(self):
        desktop = self.start_with_program()
        self.write_at_the_end(desktop, "w = 0")
        desktop("key", "ctrl+shift+s")
        desktop("key", "ctrl+a")
        desktop("type", "/dev/full")
        desktop("key", "enter")
        state = desktop.state()
        self.assertIn("/dev/full", state["problem"])
        self.assertEqual((state["file"], state["unsaved"], state["source"]),
                         (self.path("a.py"), True, PROGRAM + "w = 0"))

    def test_a_disk_that_fills_while_it_is_written_keeps_the_old_file(self):
        old = "# " + 500 * "-" + "\n"
        desktop = self.start(self.path("a.py", old), limit=600)  # bytes that a file may have
        self.write_at_the_end(desktop, "x = torch.arange(12)  # " + 200 * "y")
        source = desktop.state()["source"]
        desktop("key", "ctrl+s")
        desktop("settle", 1200)  # settings and unsaved text are kept meanwhile, as far as there is room
        state = desktop.state()
        self.assertIn(self.path("a.py"), state["problem"])
        self.assertEqual((state["unsaved"], state["source"]), (True, source))
        self.assertEqual(os.listdir(self.folder), ["a.py"])
        with open(self.path("a.py")) as file:
            self.assertEqual(file.read(), old)

    def test_a_forbidden_file_is_said(self):
        secret, options, program = self.path("secret.py", PROGRAM), {}, APP
        os.chmod(secret, 0)
        if os.geteuid() == 0:  # to root nothing is forbidden
            options["user"] = 65534
            os.chmod(self.folder, 0o755)
            program = shutil.copy(APP, self.path("app"))
        done = subprocess.run([program, "--script", "-", secret], input="", capture_output=True, text=True, timeout=60,
                              env=environment(self.folder), **options)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(secret, done.stderr)

    def test_text_that_is_no_program_still_has_a_window(self):
        for text in ("", "x = (", ")\n" * 50, "\t\t\t", "x = torch.arange(10**30)\n", "x" * 20_000):
            desktop = self.start(self.path("a.py", text))
            self.assertEqual(desktop.state()["source"], text)
            desktop("quit")
            self.assertEqual(desktop.end(), 0)

    def test_without_a_display_it_says_what_to_do(self):
        done = subprocess.run([APP], env=environment(DISPLAY=""), capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"(?m)^stridescope-desktop: .*\n .*stridescope render")

    def test_without_opengl_it_says_what_to_do(self):
        done = subprocess.run([APP], env=environment(MESA_GL_VERSION_OVERRIDE="2.1"), capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("OpenGL 3.3", done.stderr)

    def test_bad_options_and_bad_commands_are_errors(self):
        done = subprocess.run([APP, "--nothing"], env=environment(), capture_output=True, text=True, timeout=60)
        self.assertGreater(done.returncode, 0)
        done = subprocess.run([APP, "--script", "-"], input="dance\nquit\n", env=environment(), capture_output=True,
                              text=True, timeout=60)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 2))

    def test_help_and_version_need_no_display(self):
        for option in ("--help", "--version"):
            done = subprocess.run([APP, option], env=environment(DISPLAY=""), capture_output=True, text=True,
                                  timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("stridescope-desktop", done.stdout)
