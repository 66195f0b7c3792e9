"""The package under the name of XGBoost, for programs and libraries that import that."""

import importlib
import importlib.util
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._base._libraries import library_of_matrix
from xgb_like._explain._subject import booster_of


@pytest.fixture
def stand_in(standing_in):
    with standing_in() as module:
        yield module


@pytest.mark.parametrize("name", [*xgb.__all__, "__doc__"])
def test_all_of_the_package_is_there(stand_in, name):
    if name == "__version__":
        assert stand_in.__version__.startswith("3.4.")
    else:
        assert getattr(stand_in, name) is getattr(xgb, name)


@pytest.mark.parametrize(
    "name", ["callback", "collective", "config", "core", "data", "plotting", "sklearn", "training"]
)
def test_modules_are_the_same_ones(stand_in, name):
    if name == "sklearn":
        pytest.importorskip("sklearn")
    assert importlib.import_module(f"xgboost.{name}") is importlib.import_module(f"xgb_like.{name}")
    assert getattr(stand_in, name) is importlib.import_module(f"xgb_like.{name}")


def test_names_are_found_and_missing_ones_are_not(stand_in):
    assert {"train", "DMatrix", "XGBClassifier"} <= set(dir(stand_in))
    assert importlib.util.find_spec("xgboost") is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = stand_in.nothing
    for name in ("xgboost.nothing", "xgboost._booster"):
        with pytest.raises(ModuleNotFoundError, match=name):
            importlib.import_module(name)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("name", ["dask", "federated", "spark", "tracker"])
def test_modules_that_are_not_here_say_so(name):
    with pytest.raises(NotImplementedError, match=f"{name}` is not here.*Training is in one process"):
        importlib.import_module(f"xgboost.{name}")


@pytest.mark.usefixtures("stand_in")
def test_our_models_are_no_models_of_another_library(booster, dtrain):
    assert booster_of(booster) is booster
    given = booster._handle.given_params()
    assert ("max_depth", "3") in given
    assert xgb.Booster(model_file=booster)._handle.given_params() == given
    with pytest.raises(xgb.UnsupportedDataError, match="is a DMatrix already"):
        xgb.DMatrix(dtrain)
    with pytest.raises(xgb.UnsupportedDataError) as error:
        booster.predict(dtrain.get_label())
    assert "of xgboost" not in str(error.value)
    assert library_of_matrix(dtrain) is None


def test_a_second_call_changes_nothing(stand_in):
    xgb.install_as_xgboost()
    assert importlib.import_module("xgboost") is stand_in


def test_xgboost_itself_is_not_replaced(monkeypatch):
    real = ModuleType("xgboost")
    monkeypatch.setitem(sys.modules, "xgboost", real)
    with pytest.raises(ImportError, match=r"imported already.*install_as_xgboost\(\) first"):
        xgb.install_as_xgboost()
    assert sys.modules["xgboost"] is real


def test_programs_for_xgboost_run_as_they_are(tmp_path):
    program = """
import xgb_like
xgb_like.install_as_xgboost()

import numpy as np
import xgboost
import xgboost.callback
from xgboost import DMatrix, train
from xgboost.core import Booster

data = DMatrix(np.arange(20.0).reshape(10, 2), np.arange(10.0))
model = train({"eta": 1}, data, 3, callbacks=[xgboost.callback.EvaluationMonitor(period=9)])
assert isinstance(model, Booster)
model.save_model("model.ubj")
print(xgboost.Booster(model_file="model.ubj").predict(data).tolist())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    data = xgb.DMatrix(np.arange(20.0).reshape(10, 2), np.arange(10.0))
    assert done.stdout == f"{xgb.train({'eta': 1}, data, 3).predict(data).tolist()}\n"
