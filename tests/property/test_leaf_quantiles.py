# SPDX-License-Identifier: Apache-2.0
"""Leaves of absolute and quantile error are quantiles of what is left of their rows' labels, for any data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import xgb_like as xgb

pytestmark = pytest.mark.filterwarnings("ignore:Parameter `.*` has no effect")  # settings are drawn freely

LABELS = st.one_of(st.integers(-5, 5), st.floats(-1e4, 1e4, width=32), st.sampled_from([1e-45, -1e30, 1e30]))
ROWS = st.lists(st.tuples(LABELS, st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=25)
ALPHAS = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
METHODS = st.sampled_from(["hist", "approx", "exact"])


def step_quantile(values, weights, alpha):
    """The least value up to which there is a share alpha of the weight; weights are whole."""
    order = np.argsort(values, kind="stable")
    values, weights = values[order], weights[order]
    values, weights = values[weights > 0], weights[weights > 0]
    reached = np.cumsum(weights) >= np.float64(np.float32(alpha)) * weights.sum()
    return values[np.argmax(reached)] if reached.any() else values[-1]


def between_quantile(values, alpha):
    """Hyndman and Fan's sixth definition."""
    return np.quantile(values.astype(np.float64), np.float64(np.float32(alpha)), method="weibull")


def grown(rows, alpha, method, *, weighted):
    """Labels, weights, the leaf of each row and its value, of a tree that starts at 0 and is not shrunk."""
    label, weight, feature = (np.array(column, np.float32) for column in zip(*rows, strict=True))
    data = xgb.DMatrix(feature[:, None], label, weight=weight if weighted else None)
    params = {"objective": "reg:quantileerror", "quantile_alpha": alpha, "base_score": 0, "eta": 1}
    booster = xgb.train({**params, "tree_method": method, "min_child_weight": 0, "nthread": 2}, data, 1)
    return label, weight, booster.predict(data, pred_leaf=True), booster.predict(data, output_margin=True)


@given(rows=ROWS, alpha=ALPHAS, method=METHODS)
def test_leaves_are_quantiles(rows, alpha, method):
    label, _, leaves, values = grown(rows, alpha, method, weighted=False)
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        expected = between_quantile(label[inside], alpha)
        np.testing.assert_allclose(values[inside], expected, rtol=1e-6, atol=1e-6 * np.abs(label[inside]).max() + 1e-44)


@given(rows=ROWS.filter(lambda rows: any(weight for _, weight, _ in rows)), alpha=ALPHAS, method=METHODS)
def test_weighted_leaves_are_weighted_quantiles(rows, alpha, method):
    label, weight, leaves, values = grown(rows, alpha, method, weighted=True)
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        some = weight[inside].any()
        assert (values[inside] == (step_quantile(label[inside], weight[inside], alpha) if some else 0)).all()


@given(rows=ROWS, alphas=st.lists(ALPHAS, min_size=1, max_size=4), seed=st.integers(0, 9))
def test_sorted_quantiles_never_cross(rows, alphas, seed):
    label, _, feature = (np.array(column, np.float32) for column in zip(*rows, strict=True))
    data = xgb.DMatrix(np.column_stack([feature, label]), label)
    params = {"objective": "reg:quantileerror", "quantile_alpha": alphas, "sort_quantiles": 1, "subsample": 0.5}
    predicted = xgb.train({**params, "seed": seed}, data, 3).predict(data).reshape(len(rows), -1)
    order = np.argsort(alphas, kind="stable")
    assert (np.diff(predicted[:, order], axis=1) >= 0).all()


@given(rows=ROWS, alphas=st.lists(ALPHAS, min_size=1, max_size=4).map(sorted))
def test_expectiles_never_cross(rows, alphas):
    label, _, feature = (np.array(column, np.float32) for column in zip(*rows, strict=True))
    data = xgb.DMatrix(feature[:, None], np.clip(label, -1e6, 1e6))
    params = {"objective": "reg:expectileerror", "expectile_alpha": alphas}
    predicted = xgb.train(params, data, 3).predict(data).reshape(len(rows), -1)
    assert np.isfinite(predicted).all()
    assert (np.diff(predicted, axis=1) >= 0).all()
