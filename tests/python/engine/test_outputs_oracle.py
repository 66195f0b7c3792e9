# SPDX-License-Identifier: Apache-2.0
"""Models of several outputs beside xgboost's: every objective with every kind of booster that takes it."""

import json
import warnings

import numpy as np
import pytest

import xgb_like as xgb

peer = pytest.importorskip("xgboost", minversion="3.4")
pytestmark = pytest.mark.peer

ROWS = 300
LEVELS = [0.2, 0.5, 0.9]
OBJECTIVES = {
    "reg:squarederror": ("real", {}),
    "reg:squaredlogerror": ("positive", {}),
    "reg:pseudohubererror": ("real", {}),
    "reg:absoluteerror": ("real", {}),
    "reg:logistic": ("share", {}),
    "binary:logistic": ("binary", {}),
    "binary:logitraw": ("binary", {}),
    "binary:hinge": ("binary", {}),
    "count:poisson": ("count", {}),
    "reg:gamma": ("positive", {}),
    "reg:tweedie": ("count", {}),
    "multi:softmax": ("class", {"num_class": 3}),
    "multi:softprob": ("class", {"num_class": 3}),
    "reg:quantileerror": ("one", {"quantile_alpha": LEVELS}),
    "reg:expectileerror": ("one", {"expectile_alpha": LEVELS}),
}
BOOSTERS = {
    "gbtree": {"max_depth": 3},
    "forest": {"max_depth": 3, "num_parallel_tree": 2, "subsample": 0.7},
    "dart": {"booster": "dart", "rate_drop": 0.5, "max_depth": 3},
    "vectors": {"multi_strategy": "multi_output_tree", "max_depth": 3},
    "linear": {"booster": "gblinear", "updater": "coord_descent"},
}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # xgboost calls its own boosters deprecated
        yield


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(12)
    features = rng.normal(size=(ROWS, 4)).astype(np.float32)
    signal = features @ rng.normal(size=(4, 3)) / 2 + rng.normal(size=(ROWS, 3)) / 3
    labels = {
        "real": signal,
        "positive": np.exp(signal / 2),
        "share": 1 / (1 + np.exp(-signal)),
        "binary": signal > 0,
        "count": rng.poisson(np.exp(signal / 2)),
        "class": np.digitize(signal[:, 0], [-0.5, 0.5]),
        "one": signal[:, 0],
    }
    return features, {name: label.astype(np.float32) for name, label in labels.items()}


def trained(library, table, objective, booster, rounds=4, **more):
    features, labels = table
    label, params = OBJECTIVES[objective]
    params = {"objective": objective, "nthread": 1, "seed": 3, **params, **BOOSTERS[booster], **more}
    return library.train(params, library.DMatrix(features, labels[label]), rounds)


@pytest.mark.parametrize("booster", BOOSTERS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_models_go_both_ways(table, objective, booster):
    features = table[0]
    for library, other in ((xgb, peer), (peer, xgb)):
        model = trained(library, table, objective, booster)
        loaded = other.Booster(model_file=bytearray(model.save_raw("ubj")))
        for margin in (False, True):
            expected = model.predict(library.DMatrix(features), output_margin=margin)
            found = loaded.predict(other.DMatrix(features), output_margin=margin)
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-5)


def weights_of(booster):
    model = json.loads(bytes(booster.save_raw("json")))["learner"]["gradient_booster"]["model"]
    return np.array(model["weights"])


@pytest.mark.parametrize("given", [{}, {"base_score": 0.4}], ids=["estimated", "given"])
@pytest.mark.parametrize(
    "objective", [name for name in OBJECTIVES if "absolute" not in name and "quantile" not in name]
)
def test_linear_models_of_several_outputs_are_those_of_xgboost(table, objective, given):
    ours, theirs = (trained(library, table, objective, "linear", 10, **given) for library in (xgb, peer))
    assert weights_of(ours) == pytest.approx(weights_of(theirs), rel=1e-3, abs=1e-4)


def test_linear_expectiles_rise_and_improve(table):
    features, labels = table
    data = xgb.DMatrix(features, labels["one"])
    params = {"objective": "reg:expectileerror", "expectile_alpha": LEVELS, "booster": "gblinear"}
    log = {}
    model = xgb.train(params, data, 30, evals=[(data, "t")], evals_result=log, verbose_eval=False)
    assert log["t"]["expectile"][-1] < log["t"]["expectile"][0] / 2
    assert (np.diff(model.predict(data), axis=1) > 0).all()


def test_linear_models_of_several_levels_are_merged(table):
    data = xgb.DMatrix(table[0])
    one, other = (trained(xgb, table, "reg:expectileerror", "linear", rounds) for rounds in (2, 5))
    both = one.predict(data, output_margin=True) + other.predict(data, output_margin=True)
    assert one.merge(other).predict(data, output_margin=True) == pytest.approx(both, abs=1e-4)
