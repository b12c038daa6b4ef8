"""What a tensor looks like in memory, in a notebook or a terminal.

    import stridescope
    stridescope.show(x)              # a real NumPy array or PyTorch tensor: its own shape, strides, offset and values
    stridescope.show(x, y)           # several: those that share memory share one storage
    stridescope.show('''
    x = torch.arange(6).view(2, 3)
    y = x.t()
    ''')                             # a program, which is drawn and never run

Options are those of `stridescope render`: show(x, labels="offset", step=0, theme="dark"). The program that draws is
$STRIDESCOPE_BIN or `stridescope`; neither NumPy nor PyTorch is imported here.
"""

import base64
import html
import os
import re
import subprocess

from ._program import program_of

__all__ = ["Figure", "StridescopeError", "program_of", "show"]


class StridescopeError(Exception):
    """The command line refused; the message is what it said."""


def _run(arguments, program):
    command = os.environ.get("STRIDESCOPE_BIN", "stridescope")
    try:
        done = subprocess.run([command, *arguments], input=program.encode(), capture_output=True, check=False)
    except OSError as error:
        raise StridescopeError(f"{command}: {error.strerror}; put stridescope on the PATH or set STRIDESCOPE_BIN") from None
    if done.returncode != 0:
        raise StridescopeError(done.stderr.decode(errors="replace").strip())
    return done.stdout


class Figure:
    """A picture of a program. Notebooks show it as SVG, with a PNG where SVG is not allowed, terminals as text.

    The two are one element of HTML: an SVG output of its own is emptied or torn apart by what cleans notebooks for the
    web (nbconvert, GitHub), and of an element that they do not know they leave the image inside, which is the PNG.
    """

    def __init__(self, program, **options):
        self.program = program
        self._options = []
        for name, value in options.items():
            if value is None or value is False:
                continue
            name = "--" + name.replace("_", "-")
            self._options.append(name if value is True else f"{name}={value}")

    def render(self, format="svg"):
        """The bytes in a format of `stridescope render`."""
        return _run(["render", "-", f"--format={format}", *self._options], self.program)

    def save(self, path):
        """Into a file; its ending is the format."""
        _run(["render", "-", f"--output={os.fspath(path)}", *self._options], self.program)

    def _repr_mimebundle_(self, include=None, exclude=None):
        kinds = {"text/html": self._html, "image/png": lambda: self.render("png"), "text/plain": self.__repr__}
        return {kind: make() for kind, make in kinds.items() if (not include or kind in include) and kind not in (exclude or ())}

    def _html(self):
        picture = self.render("svg")
        width = re.search(rb' width="([\d.]+)"', picture)[1].decode()
        svg, png = (base64.b64encode(content).decode() for content in (picture, self.render("png")))
        alt = html.escape(self.render("alt").decode().strip())
        return (f'<picture><source type="image/svg+xml" srcset="data:image/svg+xml;base64,{svg}">'
                f'<img src="data:image/png;base64,{png}" alt="{alt}" width="{width}" style="max-width: 100%"></picture>')

    def __repr__(self):
        return self.render("txt").decode().rstrip("\n")


def show(*what, **options):
    """A figure of a program (one string), or of arrays and tensors as they lie in memory."""
    if len(what) == 1 and isinstance(what[0], str):
        return Figure(what[0], **options)
    return Figure(program_of(*what), **options)
