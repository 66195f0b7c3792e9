# SPDX-License-Identifier: Apache-2.0
"""Programs of the pages: run in order, and what they print and draw put after them.

A page that says `run: true` at its top is run when the site is built; the tests run every page. Blocks of a page share
their names. A line `<!-- holds: a < b -->` is a claim of the text, and must be true of them. What fails, fails the
build.
"""

from __future__ import annotations

import contextlib
import html
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n|^<!-- holds: (?P<claim>.*?) -->\n", re.DOTALL | re.MULTILINE)
# What stands for matplotlib's colours of texts, papers and grids: the site's, light or dark.
COLOURS = {
    "#000000": "currentColor",
    "#ffffff": "var(--md-default-bg-color)",
    "#d9d9d9": "var(--md-default-fg-color--lightest)",
}


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Run the programs of a page that asks for it."""
    return run(markdown, page.file.src_uri) if page.meta.get("run") else markdown


def run(text: str, name: str) -> str:
    """Run the programs of a page and return it with their output."""
    names: dict[str, Any] = {"__name__": name}

    def done(block: re.Match[str]) -> str:
        above = "\n" * text.count("\n", 0, block.start())  # errors tell the line of the page
        if block["claim"]:
            if not eval(compile(above + block["claim"].strip(), name, "eval"), names):  # noqa: S307
                raise AssertionError(f"{name}: this does not hold: {block['claim']}")
            return ""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(above + "\n" + block["code"], name, "exec"), names)  # noqa: S102
        return block[0] + output(printed.getvalue()) + "".join(drawn())

    os.environ.setdefault("MPLBACKEND", "Agg")
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")  # figures that are not of this page
    with tempfile.TemporaryDirectory() as folder, working_in(folder):
        return BLOCK.sub(done, text)


@contextlib.contextmanager
def working_in(folder: str) -> Iterator[None]:
    """Let programs write their files to a folder."""
    before = os.getcwd()  # noqa: PTH109
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def output(printed: str) -> str:
    """Return what a program printed as a block of its own."""
    return f"\n```{{ .text .output }}\n{printed.expandtabs(8).rstrip()}\n```\n" if printed.strip() else ""


def drawn() -> Iterator[str]:
    """Take the open figures, as pictures within the page and in its colours."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        file = io.StringIO()
        with pyplot.rc_context({"svg.hashsalt": str(number)}):
            figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        svg = file.getvalue()
        svg = re.sub("|".join(COLOURS), lambda found: COLOURS[found[0]], svg[svg.index("<svg") :])
        svg = re.sub(r'width="([\d.]+)pt" height="[\d.]+pt"', r'style="width: \1pt" fill="currentColor"', svg, count=1)
        svg = re.sub(r" <metadata>.*?</metadata>\n", "", svg, flags=re.DOTALL)
        title = next(
            (axes.get_title() for axes in figure.axes if axes.get_title()), "The picture that the program draws"
        )
        pyplot.close(figure)
        yield f'\n<div class="figure" role="img" aria-label="{html.escape(title)}">{svg.strip()}</div>\n'
