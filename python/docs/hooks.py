# SPDX-License-Identifier: Apache-2.0
"""Pages that are generated when the site is built: from the engine's declarations, the examples and the results."""

from __future__ import annotations

import ast
import re
import runpy
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from xgb_like import _core
from xgb_like._cli._listings import allowed, by_group

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parents[1]
EXAMPLES = DOCS.parent / "examples"


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages and pictures to the site."""
    generated: list[tuple[str, str | bytes]] = [*pages(), *pictures()]
    for path, content in generated:
        files.append(File.generated(config, path, content=content))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Take out what is of reStructuredText, :meth: in front of names and :: in front of programs, and empty entries."""
    html = re.sub(r":(?:meth|class|func|mod|attr):(?=<code>)", "", html)
    html = re.sub(r"<p>::</p>", "", html)
    return re.sub(r"\u2013\s*<div class=\"doc-md-description\">\s*</div>", "", html)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the Markdown of each generated page."""
    yield "parameters.md", parameters()
    yield "objectives.md", plug_ins("Objectives", "`objective` takes one of these names.", _core.objectives())
    yield "metrics.md", plug_ins("Metrics", "`eval_metric` takes one of these names, or a list.", _core.metrics())
    yield "examples.md", examples()
    yield "results.md", (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    yield "changes.md", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def parameters() -> str:
    """Return the reference of all parameters, by group."""
    parts = [
        "# Parameters",
        "All of them go into the dictionary `params` of `train` and `Booster`; estimators take them as arguments.",
        "`xgb-like params` prints this list, too. An unknown name or a value out of range is an error.",
    ]
    for title, members in by_group(_core.param_specs()):
        parts.append(f"## {title}")
        parts += [parameter(spec) for spec in members]
    parts.append("## Taken without effect")
    parts.append("Parameters of XGBoost that programs may give, and why they change nothing here.")
    parts.append("\n".join(f"- `{name}`: {why}" for name, why in _core.inert_params().items()))
    return "\n\n".join(parts) + "\n"


def parameter(spec: dict[str, Any]) -> str:
    """Return the entry of one parameter."""
    aliases = f" (also {', '.join(f'`{alias}`' for alias in spec['aliases'])})" if spec["aliases"] else ""
    default = f"`{spec['default']}`" if spec["default"] else "none"
    values = allowed(spec, "`").replace(">=", "≥").replace("<=", "≤")
    return f"### `{spec['name']}`\n\n{values}, default {default}{aliases}\n\n{literal(spec['doc'])}"


def plug_ins(title: str, text: str, rows: dict[str, dict[str, Any]]) -> str:
    """Return a table of objectives or metrics."""
    lines = [f"# {title}", "", text, "", "| name | meaning | other names |", "|---|---|---|"]
    for name, row in rows.items():
        meaning = literal(row["doc"]).replace("|", "\\|")
        more = " More is better." if row.get("maximize") else ""
        lines.append(f"| `{name}` | {meaning}{more} | {', '.join(f'`{alias}`' for alias in row['aliases'])} |")
    return "\n".join(lines) + "\n"


def literal(text: str) -> str:
    """Keep a text from being read as Markdown or HTML, but for what stands in backquotes."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([*_\[\]])", r"\\\1", part).replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def examples() -> str:
    """Return all examples, each with its first sentence as title."""
    parts = ["# Examples", "Programs of `python/examples`, as the tests run them."]
    for path in sorted(EXAMPLES.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        summary = ast.get_docstring(ast.parse(source)) or path.stem
        body = source.split('"""', 2)[2].strip()
        parts.append(f"## {path.stem.replace('_', ' ').capitalize()}\n\n{summary}\n\n```python\n{body}\n```")
    return "\n\n".join(parts) + "\n"


def pictures() -> Iterator[tuple[str, bytes]]:
    """Draw the pictures of the guide by the example that makes all of them."""
    import matplotlib as mpl  # noqa: PLC0415  only a build needs it

    mpl.use("Agg")
    with tempfile.TemporaryDirectory() as folder:
        program = runpy.run_path(str(EXAMPLES / "pictures.py"))
        for name in program["main"](Path(folder)):
            yield f"guide/images/{name}", (Path(folder) / name).read_bytes()


if __name__ == "__main__":  # to look at a page without building the site
    sys.stdout.write(dict(pages())[sys.argv[1]])
