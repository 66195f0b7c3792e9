# SPDX-License-Identifier: Apache-2.0
"""Files of earlier versions are read, and predict the same bits. `tests/golden/make.py` wrote them."""

import importlib.util
import json
import pickle
import re
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import xgb_like as xgb

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"


def files(pattern):
    return [pytest.param(path, id=f"{path.parent.name}-{path.name}") for path in sorted(GOLDEN.glob(f"*/{pattern}"))]


@cache
def everything(folder):
    with np.load(folder / "expected.npz") as known:
        return dict(known)


def expected(path):
    """What a file must give, by kind."""
    pairs = ((name.partition("/"), values) for name, values in everything(path.parent).items())
    return {kind: values for (name, _, kind), values in pairs if name == path.stem}


def is_estimator(path):
    return path.stem.startswith(("classifier", "regressor", "ranker"))


def is_booster(path):
    return "margin" in expected(path)


def same(found, wanted):
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    assert found.tobytes() == wanted.tobytes()


MODELS = [file for file in files("*.json") + files("*.ubj") if is_booster(file.values[0])]
VERSIONS = files("expected.npz")


@pytest.fixture(scope="module")
def make():
    """The script that wrote the files."""
    spec = importlib.util.spec_from_file_location("make", GOLDEN / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_booster(model, path, make):
    """Compare predictions of all kinds with those of the version that wrote the file."""
    known, rows = expected(path), everything(path.parent)["rows"]
    if path.stem == "labelled":
        pytest.importorskip("pandas")
        matrix = xgb.DMatrix(make.labelled(rows))
    else:
        names = {"feature_names": model.feature_names, "feature_types": model.feature_types}
        matrix = xgb.DMatrix(rows, base_margin=known.get("base_margin"), **names)
    same(model.predict(matrix), known["value"])
    same(model.predict(matrix, output_margin=True), known["margin"])
    assert ("leaf" in known) == (not path.stem.startswith("linear"))
    if "leaf" in known:
        same(model.predict(matrix, pred_leaf=True), known["leaf"])


@pytest.mark.parametrize("path", MODELS)
def test_models(path, make):
    model = xgb.Booster(model_file=path)
    check_booster(model, path, make)
    other = path.with_suffix(".ubj" if path.suffix == ".json" else ".json")
    assert model.save_raw() == xgb.Booster(model_file=other).save_raw()


@pytest.mark.parametrize("path", [file for file in files("*.pkl") if is_booster(file.values[0])])
def test_pickles_of_boosters(path, make):
    model = pickle.loads(path.read_bytes())
    check_booster(model, path, make)
    assert model.save_raw() == xgb.Booster(model_file=path.with_suffix(".ubj")).save_raw()
    if path.stem == "names":
        assert (model.attr("note"), model.best_iteration) == ("größer", 0)


@pytest.mark.parametrize("path", files("*.config"))
def test_configurations(path, make):
    model = xgb.Booster(model_file=path.with_suffix(".json"))
    model.load_config(path.read_text())
    check_booster(model, path, make)
    wanted, found = json.loads(path.read_text()), json.loads(model.save_config())
    assert found["learner"] == wanted["learner"]


@pytest.mark.parametrize("path", [file for file in files("*.pkl") if is_estimator(file.values[0])])
def test_estimators(path):
    pytest.importorskip("sklearn")
    known, rows = expected(path), everything(path.parent)["rows"]
    model = pickle.loads(path.read_bytes())
    loaded = type(model)(feature_types=model.feature_types)
    loaded.load_model(path.with_suffix(".json"))
    for estimator in (model, loaded):
        same(estimator.predict(rows), known["value"])
        if "probability" in known:
            same(estimator.predict_proba(rows), known["probability"])


@pytest.mark.parametrize("path", files("predictor.pkl"))
def test_predictors(path):
    same(pickle.loads(path.read_bytes()).predict(everything(path.parent)["rows"]), expected(path)["value"])


@pytest.mark.parametrize("path", files("*.buffer"))
def test_matrices(path):
    matrix, known = xgb.DMatrix(path), expected(path)
    assert [matrix.feature_names, matrix.feature_types] == known.pop("names").tolist()
    same(matrix.get_uint_info("group_ptr"), known.pop("group_ptr"))
    if path.stem == "labelled":
        model = xgb.Booster(model_file=path.with_suffix(".json"))
        same(model.predict(matrix), known.pop("value"))
        del known["margin"], known["leaf"]
    for part in ("data", "indices", "indptr"):
        same(getattr(matrix.get_data(), part), known.pop(part))
    for field, values in known.items():
        same(matrix.get_float_info(field), values)


@pytest.mark.parametrize("path", files("training.checkpoint"))
def test_checkpoints(path, make, tmp_path):
    epochs = []

    class Note(xgb.callback.TrainingCallback):
        def before_iteration(self, model, epoch, evals_log):  # noqa: ARG002
            epochs.append(epoch)
            return False

    shutil.copy(path, tmp_path)
    model = make.train_with_checkpoint(tmp_path, 4, Note())
    assert epochs == [2, 3]
    same(model.inplace_predict(everything(path.parent)["rows"]), expected(path)["value"])


@pytest.mark.parametrize("path", files("command.ubj"))
def test_models_of_the_command_line(path, tmp_path):
    from xgb_like._cli import main  # noqa: PLC0415

    assert not main(["predict", str(path), str(path.with_suffix(".csv")), "-o", str(tmp_path / "found.txt")])
    assert (tmp_path / "found.txt").read_text() == path.with_suffix(".txt").read_text()


@pytest.mark.parametrize("path", VERSIONS)
def test_each_file_is_one_that_is_tested(path):
    known = {name.partition("/")[0] for name in everything(path.parent)} - {"rows"} | {"command", "expected"}
    suffixes = {".json", ".ubj", ".pkl", ".config", ".buffer", ".checkpoint"}
    assert {file.stem for file in path.parent.iterdir()} == known
    assert {file.suffix for file in path.parent.iterdir()} == suffixes | {".npz", ".csv", ".txt"}


def test_each_release_has_a_folder():
    releases = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert releases
    assert {*releases} <= {file.values[0].parent.name for file in VERSIONS}
