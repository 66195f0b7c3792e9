# SPDX-License-Identifier: Apache-2.0
"""The pages of the documentation that are written by hand, and those that are generated."""

import ast
import re
import runpy
from pathlib import Path

import pytest

from xgb_like import _core

DOCS = Path(__file__).parents[2] / "python" / "docs"
PAGES = sorted((DOCS / "pages").rglob("*.md"))


@pytest.fixture(scope="module")
def generated():
    pytest.importorskip("mkdocs")
    return dict(runpy.run_path(str(DOCS / "hooks.py"))["pages"]())


def test_every_parameter_objective_and_metric_has_its_entry(generated):
    for spec in _core.param_specs():
        assert f"### `{spec['name']}`\n" in generated["parameters.md"]
    for page, rows in (("objectives.md", _core.objectives()), ("metrics.md", _core.metrics())):
        assert all(f"\n| `{name}` | " in generated[page] for name, _, _ in rows)


def test_entries_are_no_html(generated):
    prose = re.sub(r"`[^`]*`", "", generated["parameters.md"] + generated["objectives.md"] + generated["metrics.md"])
    assert not re.search(r"(?<!\\)<", prose)


def test_every_page_is_in_the_menu(generated):
    menu = re.findall(r"[\w/-]+\.md", (DOCS / "mkdocs.yml").read_text())
    written = [path.relative_to(DOCS / "pages").as_posix() for path in PAGES]
    assert sorted(menu) == sorted([*written, *generated])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_programs_on_pages_are_python(path):
    for program in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL):
        ast.parse(program)


def test_the_programs_of_the_guide_run(monkeypatch, tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    for name in ("index.md", *(f"guide/{page}.md" for page in ("first-steps", "data", "training", "scikit-learn"))):
        for program in re.findall(r"```python\n(import .*?)```", (DOCS / "pages" / name).read_text(), re.DOTALL):
            exec(compile(program, name, "exec"), {})  # noqa: S102


def test_parameters_named_on_pages_are_known():
    known = {name for spec in _core.param_specs() for name in (spec["name"], *spec["aliases"])}
    for path in PAGES:
        for name in re.findall(r"`(\w+)=[^`]*`", path.read_text()):
            assert name in known | ARGUMENTS, f"{path.name}: {name}"


# What is no parameter of training, but an argument of a function, or a name in another library.
ARGUMENTS = {
    "ax", "early_stopping_rounds", "evals", "evals_result", "importance_type", "iteration_range", "missing", "nthread",
    "on_unseen", "output_margin", "pred_contribs", "pred_interactions", "strict_shape", "validate_features",
    "xgb_model",
    "num_leaves", "min_sum_hessian_in_leaf", "data_sample_strategy", "depth", "border_count", "l2_leaf_reg",
    "use_best_model", "loss_function", "enable_categorical",
}  # fmt: skip
