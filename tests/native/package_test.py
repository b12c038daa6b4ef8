#!/usr/bin/env python3
"""The Debian package on a system that has nothing else: installs with what it depends on, and its programs start.

package_test.py PACKAGE_FILE. Needs root, debootstrap, Xvfb and a Debian mirror."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from app_test import start_display

SUITE, PACKAGE = os.environ.get("SUITE", "bookworm"), ""


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.root, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", SUITE, cls.root], check=True, stdout=subprocess.DEVNULL)
        for file in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy("/" + file, os.path.join(cls.root, file))
        shutil.copytree("/etc/apt/apt.conf.d", os.path.join(cls.root, "etc/apt/apt.conf.d"), dirs_exist_ok=True)
        shutil.copy(PACKAGE, os.path.join(cls.root, "stridescope.deb"))
        cls.inside("apt-get", "-q", "install", "-y", "--no-install-recommends", "/stridescope.deb")

    @classmethod
    def inside(cls, *command, **options):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive",
                       "DISPLAY": os.environ["DISPLAY"], "LIBGL_ALWAYS_SOFTWARE": "1"}
        return subprocess.run(["chroot", cls.root, *command], env=environment, check=True, capture_output=True,
                              text=True, **options).stdout

    def test_the_window_opens_and_draws(self):
        answers = self.inside("stridescope-desktop", "--script", "-", input="state\ngeometry\nquit\n").splitlines()
        self.assertEqual(len(answers), 3)
        self.assertGreater(json.loads(answers[0])["steps"], 2)
        self.assertGreater(len(json.loads(answers[1])["items"]), 30)

    def test_without_a_chinese_face_the_window_says_what_to_install(self):
        answers = self.inside("stridescope-desktop", "--lang", "zh", "--script", "-", input="state\nquit\n")
        self.assertIn("note", json.loads(answers.splitlines()[0])["controls"])

    def test_the_command_line_writes_every_kind_of_picture(self):
        for kind, begin in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
            self.inside("stridescope", "render", "-o", "/picture." + kind, input="x = torch.arange(6).view(2, 3)\n")
            with open(os.path.join(self.root, "picture." + kind), "rb") as picture:
                self.assertTrue(picture.read(8).startswith(begin))

    def test_the_desktop_finds_the_program_and_its_icon(self):
        for file in ("applications/stridescope.desktop", "icons/hicolor/scalable/apps/stridescope.svg"):
            self.assertTrue(os.path.isfile(os.path.join(self.root, "usr/share", file)))
        with open(os.path.join(self.root, "usr/share/applications/stridescope.desktop")) as entry:
            named = dict(line.rstrip("\n").split("=", 1) for line in entry if "=" in line)
        self.assertTrue(os.access(os.path.join(self.root, "usr/bin", named["Exec"].split()[0]), os.X_OK))
        self.assertEqual(named["Icon"], "stridescope")


if __name__ == "__main__":
    PACKAGE = os.path.abspath(sys.argv.pop(1))
    server, os.environ["DISPLAY"] = start_display()
    try:
        unittest.main()
    finally:
        server.terminate()
        server.wait()
