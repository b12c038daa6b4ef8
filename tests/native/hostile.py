"""Labels and programs that try to be more than text in a picture: markup, TeX, PDF, shell, bidirectional controls.

hostile.py FOLDER writes the programs there."""
import os
import random
import sys

TEXTS = [
    "</text><script>alert(1)</script>", "]]>", "<!--", "-->", "&lt;", "&#0;", "\"'`", "' onload='alert(1)", "<svg/onload=alert(1)>", "<img src=x>", "<foreignObject>", "<style>*{}</style>",
    "javascript:alert(1)", "data:text/html,x", "<?xml?>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "&a;", "\\input{/etc/passwd}", "\\write18{id}", "\\immediate", "\\csname end\\endcsname", "\\end{tikzpicture}",
    "\\par", "^^M", "^^5c", "$x$", "$$", "%", "#1", "##", "~", "_", "{", "}", "{{{{", "}}}}", "&", "\\", "\\\\", "\\%", "(", ")", "(((", "\\(", "/Keywords (x)", ">> endobj", "stream", "endstream",
    "%%EOF", "<</S/JavaScript>>", "$(id)", "`id`", "; id", "| id", "\u202e\u202d\u2066", "\u200f\u0627\u0644", "\u4e2d\u6587", "\U0001f600", "e\u0301", "\ufeff", "\u2028", "\x7f", "\u0085", "a" * 4000,
    " -- ", ",,", "!`", "?`", "<<>>", "[", "]", "::", "![x](y)", "*x*", "```", "#| step: 9"]


def line(text):
    return text.replace("\r", " ").replace("\n", " ")


def programs():
    """Over five hundred, the same every time: each text as a value, a comment, an argument, an index and a label; and
    several texts in one."""
    for text in TEXTS:
        yield f"x = torch.arange(6).view(2, 3)\ny = x.t()\ny.view(2, 3).fill_({text!r})  # {line(text)}\n"
        yield f"# {line(text)}\nx = torch.zeros({text!r})\n"
        yield f"x = np.arange(6)\nx[{text!r}]\n"
        yield f"#| caption: {line(text)}\n#| alt: {line(text)}\n#| label: {line(text)}\nx = torch.arange(6).view(2, 3)\n"
    mixed = random.Random(6)
    for _ in range(200):
        text = "".join(mixed.sample(TEXTS, mixed.randint(2, 6)))[:1500]
        yield f"#| caption: {line(text)}\nx = torch.arange(6).view(2, 3)\nx.view({text!r})\n"


def write(folder):
    """@return the paths"""
    paths = []
    for number, program in enumerate(programs()):
        paths.append(os.path.join(folder, f"p{number}.py"))
        with open(paths[-1], "w", encoding="utf-8", newline="") as file:
            file.write(program)
    return paths


if __name__ == "__main__":
    write(sys.argv[1])
