# SPDX-License-Identifier: Apache-2.0
"""Absolute, quantile and expectile error against xgboost, whose leaves are fitted up to 3.3 and smoothed from 3.4."""

import json

import numpy as np
import pytest

import xgb_like as xgb

pytestmark = pytest.mark.peer

peer = pytest.importorskip("xgboost")
SMOOTH = tuple(int(part) for part in peer.__version__.split(".")[:2]) >= (3, 4)
OURS = {"leaf_estimation_method": "smooth" if SMOOTH else "exact"}
WITH_EXACT_TREES = {"leaf_estimation_method": "smooth" if SMOOTH else "newton"}
SORTED = {"sort_quantiles": SMOOTH}
ABSOLUTE = {"objective": "reg:absoluteerror"}
QUANTILE = {"objective": "reg:quantileerror"}
EXPECTILE = {"objective": "reg:expectileerror"}
EXPECTILES = [{**EXPECTILE, "expectile_alpha": [0.1, 0.9]}] if SMOOTH else []
ROWS = 500


@pytest.fixture(scope="module")
def table():
    """So few values a column that bins are the values themselves."""
    rng = np.random.default_rng(1)
    features = rng.integers(0, 40, size=(ROWS, 4)).astype(np.float32)
    label = (features[:, 0] / 10 + rng.standard_t(3, size=ROWS)).astype(np.float32)
    return {
        "features": features,
        "label": label,
        "targets": np.column_stack([label, np.abs(label) + features[:, 1] / 20]).astype(np.float32),
        "weight": rng.uniform(0.1, 2, ROWS).astype(np.float32),
    }


def both(table, params, ours, *, label="label", weight=None, rounds=10):
    """Boosters of both libraries on the same data, and the data."""
    models = []
    for library, more in ((xgb, ours), (peer, {})):
        data = library.DMatrix(table["features"], table[label], weight=None if weight is None else table[weight])
        models.append((library.train({**params, **more, "nthread": 2}, data, rounds), data))
    return models


def base_score(booster):
    """One number a model if all outputs have the same, as some versions write it."""
    text = json.loads(booster.save_raw("json"))["learner"]["learner_model_param"]["base_score"]
    return np.unique(json.loads(text))


def check_equal(models, tolerance=2e-6):
    (own, own_data), (other, other_data) = models
    np.testing.assert_allclose(base_score(own), base_score(other), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(own.predict(own_data), other.predict(other_data), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("rounds", [1, 10])
@pytest.mark.parametrize("method", ["hist", "approx"])
@pytest.mark.parametrize("params", [ABSOLUTE, {**QUANTILE, "quantile_alpha": 0.3}], ids=["absolute", "quantile"])
def test_one_output(table, params, method, rounds, weight):
    check_equal(both(table, {**params, "tree_method": method}, OURS, rounds=rounds, weight=weight))


@pytest.mark.parametrize("weight", [None, "weight"])
def test_exact_trees(table, weight):
    check_equal(both(table, {**ABSOLUTE, "tree_method": "exact"}, WITH_EXACT_TREES, weight=weight))


@pytest.mark.parametrize("weight", [None, "weight"])
def test_several_targets(table, weight):
    check_equal(both(table, ABSOLUTE, OURS, label="targets", weight=weight))


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("alphas", [[0.1, 0.5, 0.9], [0.0, 1.0]])
def test_several_quantiles(table, alphas, weight):
    check_equal(both(table, {**QUANTILE, "quantile_alpha": alphas}, {**OURS, **SORTED}, weight=weight))


@pytest.mark.parametrize("params", [ABSOLUTE, {**QUANTILE, "quantile_alpha": [0.25, 0.75]}], ids=["targets", "levels"])
def test_vector_leaves(table, params):
    params = {**params, "multi_strategy": "multi_output_tree", "max_depth": 2}
    check_equal(both(table, params, {**OURS, **(SORTED if len(params) > 3 else {})}, rounds=3))


@pytest.mark.skipif(not SMOOTH, reason="this xgboost has no expectiles")
@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("alphas", [0.2, [0.1, 0.5, 0.9], [0.5, 0.5]])
def test_expectiles(table, alphas, weight, strategy):
    params = {**EXPECTILE, "expectile_alpha": alphas, "multi_strategy": strategy}
    check_equal(both(table, params, {}, weight=weight), tolerance=5e-6)


def test_forests_share_the_step(table):
    check_equal(both(table, {**ABSOLUTE, "num_parallel_tree": 3}, OURS))


def test_a_learning_rate_that_falls(table):
    models = both(table, {**QUANTILE, "quantile_alpha": 0.7}, OURS, rounds=0)
    for number, rate in enumerate([0.5, 0.3, 0.1]):
        for booster, data in models:
            booster.set_param("eta", rate)
            booster.update(data, number)
    check_equal(models)


@pytest.mark.parametrize(
    "params",
    [ABSOLUTE, {**QUANTILE, "quantile_alpha": [0.1, 0.9]}, *EXPECTILES],
    ids=lambda params: params["objective"],
)
def test_files_go_both_ways(table, params):
    (own, own_data), (other, other_data) = both(table, params, {} if params in EXPECTILES else OURS)
    read_there = peer.Booster(model_file=bytearray(own.save_raw("json")))
    read_here = xgb.Booster(model_file=bytes(other.save_raw("ubj")))
    margins = [booster.predict(other_data, output_margin=True) for booster in (read_there, other)]
    np.testing.assert_allclose(own.predict(own_data, output_margin=True), margins[0], atol=1e-6)
    np.testing.assert_allclose(read_here.predict(own_data, output_margin=True), margins[1], atol=1e-6)
    np.testing.assert_allclose(read_here.predict(own_data), other.predict(other_data), atol=2e-6)


def test_quantiles_of_another_librarys_file_cross_where_they_do_there(table):
    close = {**QUANTILE, "quantile_alpha": [0.48, 0.5, 0.52]}
    _, (other, other_data) = both(table, close, {}, rounds=30)
    own = xgb.Booster(model_file=bytes(other.save_raw("ubj")))
    predicted = own.predict(xgb.DMatrix(table["features"]))
    assert (np.diff(own.predict(xgb.DMatrix(table["features"]), output_margin=True), axis=1) < 0).any()
    assert (np.diff(predicted, axis=1) < 0).any() == (not SMOOTH)
    np.testing.assert_allclose(predicted, other.predict(other_data), atol=1e-6)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize(
    ("params", "metric"),
    [
        ({**QUANTILE, "quantile_alpha": [0.1, 0.5]}, "quantile"),
        pytest.param(
            {**EXPECTILE, "expectile_alpha": [0.1, 0.8]},
            "expectile",
            marks=pytest.mark.skipif(not SMOOTH, reason="this xgboost has no expectiles"),
        ),
    ],
)
def test_default_metrics(table, params, metric, weight):
    texts = [
        booster.eval(data) for booster, data in both(table, {**params, "base_score": 0.5}, {}, weight=weight, rounds=0)
    ]
    assert all(f"eval-{metric}:" in text for text in texts)
    scores = [float(text.rsplit(":", 1)[1]) for text in texts]
    assert scores[0] == pytest.approx(scores[1], rel=1e-6)
