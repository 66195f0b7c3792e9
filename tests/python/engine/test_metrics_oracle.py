# SPDX-License-Identifier: Apache-2.0
"""Metrics, gradients and intercepts against xgboost and scikit-learn on the same data."""

import json

import numpy as np
import pytest

import xgb_like as xgb

pytestmark = pytest.mark.peer

peer = pytest.importorskip("xgboost")
RNG_SEED = 3
ROWS = 500


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(RNG_SEED)
    return {
        "features": rng.normal(size=(ROWS, 3)).astype(np.float32),
        "margin": (np.round(rng.normal(size=ROWS), 1) * 2).astype(np.float32),
        "binary": (rng.random(ROWS) < 0.3).astype(np.float32),
        "classes": rng.integers(0, 4, ROWS).astype(np.float32),
        "weight": rng.exponential(size=ROWS).astype(np.float32),
    }


def booster(library, params, table, *, label, weight=None, margin=None, rounds=0, group=None):
    data = library.DMatrix(table["features"], label, weight=weight, base_margin=margin)
    if group is not None:
        data.set_group(group)
    return library.train({"nthread": 2, "tree_method": "exact", **params}, data, rounds), data


def score(library, params, table, **known):
    model, data = booster(library, {"base_score": 0.5, **params}, table, **known)
    return float(model.eval(data).rsplit(":", 1)[1])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("metric", ["rmse", "mae", "logloss", "error", "error@0.2", "auc"])
def test_binary_metric(table, metric, weighted):
    params = {"objective": "binary:logistic", "eval_metric": metric}
    known = {"label": table["binary"], "weight": table["weight"] if weighted else None, "margin": table["margin"]}
    assert score(xgb, params, table, **known) == pytest.approx(score(peer, params, table, **known), rel=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("metric", ["mlogloss", "merror", "auc"])
def test_class_metric(table, metric, weighted):
    params = {"objective": "multi:softprob", "num_class": 4, "eval_metric": metric}
    margin = np.random.default_rng(5).normal(size=(ROWS, 4)).astype(np.float32)
    known = {"label": table["classes"], "weight": table["weight"] if weighted else None, "margin": margin}
    assert score(xgb, params, table, **known) == pytest.approx(score(peer, params, table, **known), rel=1e-6)


def test_auc_of_groups(table):
    params = {"objective": "binary:logistic", "eval_metric": "auc"}
    known = {"label": table["binary"], "margin": table["margin"], "group": [100, 2, 298, 100]}
    assert score(xgb, params, table, **known) == pytest.approx(score(peer, params, table, **known), rel=1e-6)


def test_auc_equals_scikit_learn(table):
    metrics = pytest.importorskip("sklearn.metrics")
    params = {"objective": "binary:logitraw", "eval_metric": "auc"}
    known = {"label": table["binary"], "weight": table["weight"], "margin": table["margin"]}
    truth = metrics.roc_auc_score(table["binary"], table["margin"], sample_weight=table["weight"])
    assert score(xgb, params, table, **known) == pytest.approx(truth, abs=1e-9)


OBJECTIVES = [
    ({"objective": "reg:squarederror"}, "binary"),
    ({"objective": "reg:squarederror", "scale_pos_weight": 3}, "binary"),
    ({"objective": "binary:logistic"}, "binary"),
    ({"objective": "binary:logistic", "scale_pos_weight": 0.4}, "binary"),
    ({"objective": "binary:logitraw", "scale_pos_weight": 4}, "binary"),
    ({"objective": "reg:logistic"}, "binary"),
    ({"objective": "multi:softprob", "num_class": 4}, "classes"),
    ({"objective": "multi:softmax", "num_class": 5}, "classes"),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("params", "label"), OBJECTIVES)
def test_intercept_and_first_leaves(table, params, label, weighted):
    known = {"label": table[label], "weight": table["weight"] if weighted else None, "rounds": 1}
    ours, our_data = booster(xgb, {**params, "max_depth": 1}, table, **known)
    theirs, their_data = booster(peer, {**params, "max_depth": 1}, table, **known)
    intercepts = [
        json.loads(json.loads(model.save_raw("json"))["learner"]["learner_model_param"]["base_score"])
        for model in (ours, theirs)
    ]
    np.testing.assert_allclose(*map(np.ravel, intercepts), rtol=2e-5, atol=1e-6)  # one alone may stand without brackets
    np.testing.assert_allclose(
        ours.predict(our_data, output_margin=True), theirs.predict(their_data, output_margin=True), rtol=2e-5, atol=1e-6
    )
