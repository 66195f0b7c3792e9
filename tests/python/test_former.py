"""Pickles that version 0.1.0 wrote name private modules as they were called then."""

import importlib
import pickle

import pytest

import xgb_like as xgb
from xgb_like import callback, core, explain, training
from xgb_like._former import _PLACES

NAMED = {
    "_booster": xgb.Booster,
    "_callbacks": callback.EarlyStopping,
    "_categories": importlib.import_module("xgb_like._data_utils").Categories,
    "_cv": xgb.cv,
    "_cv_folds": training.CVPack,
    "_data": core.DataSplitMode,
    "_data_iter": xgb.DataIter,
    "_predictor": xgb.Predictor,
    "_quantile": xgb.QuantileDMatrix,
    "_shap_explainer": explain.TreeExplainer,
    "_time_limit": callback.TimeLimit,
    "_training": xgb.train,
}


@pytest.mark.parametrize("module", NAMED)
def test_pickles_find_what_they_name(module):
    named = NAMED[module]
    assert pickle.loads(f"cxgb_like.{module}\n{named.__name__}\n.".encode()) is named


@pytest.mark.parametrize("former", _PLACES)
def test_former_modules_are_those_of_today(former):
    assert importlib.import_module(f"xgb_like.{former}") is importlib.import_module(f"xgb_like.{_PLACES[former]}")


def test_other_modules_are_not_found():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("xgb_like._never_was")
