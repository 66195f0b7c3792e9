# SPDX-License-Identifier: Apache-2.0
"""The pages of the documentation that are written by hand, and those that are generated."""

import html
import inspect
import re
import runpy
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from unittest.mock import MagicMock

import pytest

import xgb_like as xgb
from xgb_like import _core

DOCS = Path(__file__).parents[2] / "python" / "docs"
README = DOCS.parents[1] / "README.md"
PAGES = sorted((DOCS / "pages").rglob("*.md"))
EXAMPLES = sorted((DOCS.parent / "examples").glob("*.py"))


@pytest.fixture(scope="module")
def generated():
    pytest.importorskip("mkdocs")
    return dict(runpy.run_path(str(DOCS / "hooks.py"))["pages"]())


def test_every_parameter_objective_and_metric_has_its_entry(generated):
    for spec in _core.param_specs():
        assert f"### `{spec['name']}`\n" in generated["parameters.md"]
    for page, rows in (("objectives.md", _core.objectives()), ("metrics.md", _core.metrics())):
        assert all(f"\n| `{name}` | " in generated[page] for name in rows)


def shown(page):
    """The text of a page as a browser shows it."""
    markdown = pytest.importorskip("markdown")
    return html.unescape(re.sub(r"<[^>]*>", "", markdown.markdown(page, extensions=["tables"])))


def test_entries_are_shown_as_they_are_written(generated):
    for spec in _core.param_specs():
        assert spec["doc"].replace("`", "") in shown(generated["parameters.md"])
    for page, rows in (("objectives.md", _core.objectives()), ("metrics.md", _core.metrics())):
        assert all(row["doc"].replace("`", "") in shown(generated[page]) for row in rows.values())


def test_bounds_are_easy_to_read(generated):
    text = shown(generated["parameters.md"])
    assert "float > 0 and ≤ 1, default 1" in text
    assert "float ≥ 1e-30 and ≤ 1e30, default 1" in text
    assert not re.search(r"\\|\d{12}", text)


def test_every_page_is_in_the_menu(generated):
    menu = re.findall(r"[\w/-]+\.md", (DOCS / "mkdocs.yml").read_text())
    written = [path.relative_to(DOCS / "pages").as_posix() for path in PAGES]
    assert sorted(menu) == sorted([*written, *generated])


ESTIMATORS = ["XGBModel", "XGBRegressor", "XGBClassifier", "XGBRanker", "XGBRFRegressor", "XGBRFClassifier"]


@pytest.fixture(scope="module")
def sources():
    """The package as the site reads it."""
    griffe = pytest.importorskip("griffe")
    extensions = griffe.load_extensions(f"{DOCS / 'docstrings.py'}:MadeConstructors")
    return griffe.load("xgb_like", search_paths=[DOCS.parent], extensions=extensions, docstring_parser="numpy")


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_page_of_an_estimator_has_all_parameters_with_defaults(sources, name):
    pytest.importorskip("sklearn")
    sections = sources[f"sklearn.{name}"].docstring.parsed
    (found,) = [section.value for section in sections if section.kind.value == "parameters"]
    listed = {parameter.name: parameter for parameter in found}
    for parameter in inspect.signature(getattr(xgb, name)).parameters.values():
        if parameter.kind == parameter.VAR_KEYWORD:
            assert f"**{parameter.name}" in listed
        else:
            entry = listed[parameter.name]
            assert entry.default == repr(parameter.default)
            assert entry.annotation
            assert entry.description


def docstrings(module):
    """Yield the path of each class and function of a module of the sources, and its docstring."""
    for member in module.members.values():
        if not member.is_alias and not member.is_attribute:
            if member.docstring:
                yield member.path, member.docstring
            yield from docstrings(member)


def test_what_docstrings_list_are_names(sources):
    for path, docstring in docstrings(sources):
        for section in docstring.parsed:
            if section.kind.value in {"parameters", "attributes"}:
                for entry in section.value:
                    assert re.fullmatch(r"\*{0,2}[a-z_]\w*(, \w+)*", entry.name, re.IGNORECASE), path
                    stray = re.match("[A-Z][a-z]*$", entry.name) and entry.annotation is None
                    assert not stray, f"{path}: text after the entries reads as an entry, {entry.name!r}"


def programs(path):
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def all_libraries(monkeypatch):
    """Stand-ins for libraries that write elsewhere and need not be here; the others are, or the test is skipped."""
    for name in ("mlflow", "tensorboardX"):
        stand_in = MagicMock(__spec__=ModuleSpec(name, None))
        monkeypatch.setitem(sys.modules, name, stand_in)


@pytest.mark.parametrize("path", [*PAGES, *EXAMPLES], ids=lambda path: path.stem)
def test_no_line_of_code_is_wider_than_the_site(path):
    text = path.read_text(encoding="utf-8")
    shown = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL) if path.suffix == ".md" else [text]
    assert all(len(line) <= 120 for block in shown for line in block.splitlines())  # as many as style.css has room for


@pytest.fixture(scope="module")
def page_programs():
    return runpy.run_path(str(DOCS / "page_programs.py"))


@pytest.mark.parametrize("path", [path for path in [README, *PAGES] if programs(path)], ids=lambda path: path.stem)
@pytest.mark.usefixtures("all_libraries")
def test_the_programs_of_a_page_run_and_its_claims_hold(page_programs, path):
    for library in re.findall(r"^(?:import|from) (\w+)", "\n".join(programs(path)), re.MULTILINE):
        pytest.importorskip(library)
    text = path.read_text(encoding="utf-8")
    assert [block["code"] for block in page_programs["BLOCK"].finditer(text) if block["code"]] == programs(path)
    page_programs["run"](text, path.name)


def test_a_page_is_shown_with_what_its_programs_print_and_draw(page_programs):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    page = """Text.

```python
a = 1
print(f"{a + 1} apples")
```
<!-- holds: a == 1 -->

```python
import matplotlib.pyplot as plt

plt.plot([0, a])
plt.title("A line")
```
End.
"""
    shown = page_programs["run"](page, "page.md")
    assert "\n```{ .text .output }\n2 apples\n```\n" in shown
    assert re.search(r'aria-label="A line"><svg .*</svg></div>\n', shown, re.DOTALL)
    assert "#000000" not in shown
    assert "holds" not in shown
    assert shown.endswith("End.\n")
    assert not pyplot.get_fignums()


@pytest.mark.parametrize(
    ("line", "error"), [("<!-- holds: 1 > 2 -->\n", AssertionError), ("```python\n1 / 0\n```\n", ZeroDivisionError)]
)
def test_a_program_or_a_claim_that_fails_fails_its_page(page_programs, line, error):
    before = Path.cwd()
    with pytest.raises(error):
        page_programs["run"](f"Text.\n\n{line}", "page.md")
    assert Path.cwd() == before


def test_the_picture_of_the_readme_is_that_of_the_results():
    made = runpy.run_path(str(DOCS / "speed_picture.py"))
    assert made["PICTURE"].read_text(encoding="utf-8") == made["picture"]()


def test_parameters_named_on_pages_are_known():
    known = {name for spec in _core.param_specs() for name in (spec["name"], *spec["aliases"])}
    for path in PAGES:
        for name in re.findall(r"`(\w+)=[^`]*`", path.read_text()):
            assert name in known | ARGUMENTS, f"{path.name}: {name}"


# What is no parameter of training, but an argument of a function, or a name in another library.
ARGUMENTS = {
    "ax", "background", "checkpoint", "early_stopping_rounds", "evals", "evals_result", "feature_types",
    "folds", "groups", "importance_type", "iteration_range", "max_name_length", "missing", "model_output", "nthread",
    "on_unseen", "out", "output", "output_margin", "pred_contribs", "pred_interactions", "return_boosters",
    "return_predictions", "stratified", "strict_shape", "validate_features", "xgb_model",
    "num_leaves", "min_sum_hessian_in_leaf", "data_sample_strategy", "depth", "border_count", "l2_leaf_reg",
    "use_best_model", "loss_function", "enable_categorical",
    "class_weight",
}  # fmt: skip
