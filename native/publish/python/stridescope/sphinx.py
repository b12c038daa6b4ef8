"""The directive `stridescope` for Sphinx and MyST:  extensions = ["stridescope.sphinx"]

    .. stridescope::
       :step: 1
       :caption: A transpose is a view.
       :name: fig-transpose

       x = torch.arange(6).view(2, 3)
       y = x.t()

The content is a program, or the one argument names a file beside the document. Options are :caption: :name: :align:
:class:, and all that a program may ask of its figure in lines "#| name: value", which the command line knows. HTML
gets an SVG, LaTeX a PDF, both made once for a content. The program that draws is $STRIDESCOPE_BIN or `stridescope`; no
document can choose it.
"""

import hashlib
import os
import posixpath
import re

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.parsers.rst.states import RSTState
from sphinx.util.docutils import SphinxDirective

from . import StridescopeError, _run

_PAPER_WIDTH = "720"  # px: on paper a picture is as wide as the text, and a narrower one has larger letters


class _Options(dict):
    """Those of the directive; any other becomes an option line, for the command line to know."""

    def __missing__(self, name):
        return directives.unchanged


class Stridescope(SphinxDirective):
    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = _Options({
        "caption": directives.unchanged,
        "name": directives.unchanged,
        "class": directives.class_option,
        "align": lambda text: directives.choice(text, ("left", "center", "right")),
    })

    def run(self):
        if bool(self.arguments) == bool(self.content):
            return self.refused("either a program or the name of its file")
        if self.arguments:
            source, path = self.env.relfn2path(self.arguments[0])
            self.env.note_dependency(source)
            try:
                with open(path, encoding="utf-8") as file:
                    program = file.read()
            except OSError as error:
                return self.refused(f"{source}: {error.strerror}")
            before = 0
        else:
            source, program = self.document(), "\n".join(self.content) + "\n"
            # MyST counts from the directive, docutils from the beginning of the document.
            before = self.content_offset + (0 if isinstance(self.state, RSTState) else self.lineno)
        still = self.env.app.builder.format != "html"
        lines = [" ".join(f"#| {name}: {value}".split()) for name, value in self.options.items()
                 if name not in self.option_spec and not (name == "animate" and still)]
        program = "\n".join([*lines, program])

        kind = "pdf" if self.env.app.builder.format == "latex" else "png" if still else "svg"
        try:
            alt, *more = _run(["render", "-", "-T", "alt"], program).decode().splitlines()
            if more:
                return self.refused("a directive has one picture: choose one :step:")
            uri = self.picture(program, kind)
        except StridescopeError as error:
            return self.refused(self.placed(str(error), len(lines), source, before))
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

    def document(self):
        return self.env.doc2path(self.env.docname, base=False)

    def placed(self, complaint, options, source, before):
        """What the command line said of a text that begins with the lines of options, with places in the source."""
        def place(found):
            line = int(found[1]) - options
            return f"{source}:{before + line}:{found[2]}" if line > 0 else f"{self.document()}:{self.lineno}:1"

        return re.sub(r"^<stdin>:(\d+):(\d+)", place, complaint, flags=re.MULTILINE)

    def refused(self, reason):
        return [self.state.document.reporter.error(f"stridescope: {reason}", line=self.lineno)]

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
