# SPDX-License-Identifier: Apache-2.0
"""Small data sets that most tests use, and the larger ones that need a folder of files."""

import importlib
import os
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import xgb_like as xgb


def _features(rows, columns, seed=0):
    return np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)


@pytest.fixture
def regression():
    """300 rows, 5 columns, a label that trees can learn."""
    features = _features(300, 5)
    return features, (2 * features[:, 0] - features[:, 1] * features[:, 2]).astype(np.float32)


@pytest.fixture
def holes(regression):
    """The same with a third of the cells missing."""
    features, label = regression
    features = features.copy()
    features[np.random.default_rng(1).random(features.shape) < 0.3] = np.nan
    return features, label


@pytest.fixture
def binary(regression):
    """The same with labels 0 and 1."""
    features, label = regression
    return features, (label > 0).astype(np.float32)


@pytest.fixture
def classes(regression):
    """The same with labels 0, 1 and 2."""
    features, label = regression
    return features, np.digitize(label, [-1, 1]).astype(np.float32)


@pytest.fixture
def dtrain(regression):
    """A matrix of the regression data."""
    return xgb.DMatrix(*regression)


@pytest.fixture
def booster(dtrain):
    """A model of four rounds."""
    return xgb.train({"max_depth": 3, "nthread": 1}, dtrain, 4)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def plt():
    """matplotlib.pyplot that draws without a screen; figures are closed in the end."""
    pytest.importorskip("matplotlib").use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    yield pyplot
    pyplot.close("all")


@pytest.fixture(scope="session")
def data_folder():
    """The folder of larger data sets."""
    default = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("XGB_LIKE_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"no data sets in {folder}: set XGB_LIKE_DATA")
    return folder


@pytest.fixture(scope="session")
def standing_in():
    """A function for `with`: the module that `import xgboost` gives, this package, for as long as the block runs."""

    def taken_out():
        return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "xgboost"}

    @contextmanager
    def block():
        kept = taken_out()
        try:
            xgb.install_as_xgboost()
            yield importlib.import_module("xgboost")
        finally:
            taken_out()
            sys.modules.update(kept)

    return block


@pytest.fixture
def named(regression):
    """A model of features whose names are hard to draw."""
    features, label = regression
    names = ["income", "age", "debt", "cost $ a $ b", "a name so long that nobody can ever read all of it in a figure"]
    return xgb.train({"max_depth": 3, "nthread": 1}, xgb.DMatrix(features, label, feature_names=names), 5)
