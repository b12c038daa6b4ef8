"""The directive `stridescope` for Sphinx and MyST:  extensions = ["stridescope.sphinx"]

    .. stridescope::
       :step: 1
       :caption: A transpose is a view.
       :name: fig-transpose

       x = torch.arange(6).view(2, 3)
       y = x.t()

The content is a program, or the one argument names a file beside the document. Options are those of `stridescope render`
that choose the picture, and :caption: :alt: :name: :align: :class:. HTML gets an SVG, LaTeX a PDF, both made once for a
content. The program that draws is $STRIDESCOPE_BIN or `stridescope`; no document can choose it.
"""

import hashlib
import os
import posixpath
import re

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from . import StridescopeError, _run

_PAPER_WIDTH = "720"  # px: on paper a picture is as wide as the text, and a narrower one has larger letters
_CHOICES = ("step", "op", "head", "figures", "labels", "colour", "unit", "line", "zoom", "theme", "lang", "width", "height",
            "scale")


class Stridescope(SphinxDirective):
    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {
        **{name: directives.unchanged for name in _CHOICES},
        "animate": directives.flag,
        "ask": directives.flag,
        "caption": directives.unchanged,
        "alt": directives.unchanged,
        "name": directives.unchanged,
        "class": directives.class_option,
        "align": lambda text: directives.choice(text, ("left", "center", "right")),
    }

    def run(self):
        if bool(self.arguments) == bool(self.content):
            return [self.state.document.reporter.error("stridescope: either a program or the name of its file", line=self.lineno)]
        if self.arguments:
            relative, path = self.env.relfn2path(self.arguments[0])
            self.env.note_dependency(relative)
            try:
                with open(path, encoding="utf-8") as file:
                    program = file.read()
            except OSError as error:
                return [self.state.document.reporter.error(f"stridescope: {relative}: {error.strerror}", line=self.lineno)]
        else:
            program = "\n".join(self.content) + "\n"
        lines = [f"#| {name}: {' '.join(self.options[name].split())}" for name in _CHOICES if name in self.options]
        if "alt" in self.options:
            lines.append("#| alt: " + " ".join(self.options["alt"].split()))
        if "ask" in self.options:
            lines.append("#| ask:")
        if "animate" in self.options and self.env.app.builder.format == "html":
            lines.append("#| animate:")
        program = "\n".join([*lines, program])

        kind = "pdf" if self.env.app.builder.format == "latex" else "svg" if self.env.app.builder.format == "html" else "png"
        try:
            uri = self.picture(program, kind)
            alt = _run(["render", "-", "-T", "alt"], program).decode().strip()
        except StridescopeError as error:
            return [self.state.document.reporter.error(f"stridescope: {error}", line=self.lineno)]
        image = nodes.image(self.block_text, uri=uri, alt=alt, classes=self.options.get("class", []))
        if "align" in self.options:
            image["align"] = self.options["align"]
        if "caption" not in self.options:
            self.add_name(image)
            return [image]
        figure = nodes.figure("", image)
        caption = nodes.caption(self.options["caption"], "")
        caption += self.state.inline_text(self.options["caption"], self.lineno)[0]
        figure += caption
        if "align" in self.options:
            figure["align"] = self.options["align"]
        self.add_name(figure)
        return [figure]

    def picture(self, program, kind):
        """Where the picture is, as an image of the source tree; made unless it is there."""
        version = _run(["--version"], "")
        name = hashlib.sha256(version + program.encode()).hexdigest()[:16] + "." + kind
        folder = os.path.join(self.env.app.doctreedir, "stridescope")
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            os.makedirs(folder, exist_ok=True)
            wide = re.search(r"^\s*#\|\s*width\s*:", program, re.MULTILINE)
            _run(["render", "-", "-o", path, *([] if wide or kind != "pdf" else ["--width", _PAPER_WIDTH])], program)
        here = os.path.dirname(self.env.doc2path(self.env.docname))
        return posixpath.join(*os.path.relpath(path, here).split(os.sep))


def setup(app):
    app.add_directive("stridescope", Stridescope)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
