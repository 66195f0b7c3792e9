# SPDX-License-Identifier: Apache-2.0
"""The examples in docstrings are right."""

import doctest
import importlib
import pkgutil

import pytest

import xgb_like as xgb

NEEDS = {"_plots": "matplotlib", "_graphviz": "graphviz", "plotting": "matplotlib", "sklearn": "sklearn"}
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(xgb.__path__, "xgb_like.") if "__main__" not in module.name
)


def examples_in(name):
    for part in name.split("."):
        if part in NEEDS:
            pytest.importorskip(NEEDS[part])
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))
    return [test for test in doctest.DocTestFinder(exclude_empty=True).find(module, name) if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_of(name, monkeypatch, tmp_path):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    said = []
    for test in examples_in(name):
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not "".join(said)


def test_some_modules_have_examples():
    pytest.importorskip("matplotlib")
    assert examples_in("xgb_like._plots._importance")
