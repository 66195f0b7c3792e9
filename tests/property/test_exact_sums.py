# SPDX-License-Identifier: Apache-2.0
"""Sums over rows are exact and rounded once: the same numbers as Python's math.fsum and fractions.Fraction give."""

import json
import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import xgb_like as xgb

EXTREMES = [0.0, -0.0, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38, 1.0, 1.0000001]
VALUES = st.one_of(st.floats(-(2.0**100), 2.0**100, width=32), st.floats(-2, 2, width=32), st.sampled_from(EXTREMES))
WEIGHTS = st.one_of(st.just(1.0), st.floats(0, 8, width=32), st.sampled_from([1e-45, 1e-30, 1e30]))
ROWS = st.lists(st.tuples(VALUES, WEIGHTS), min_size=1, max_size=300).filter(lambda rows: any(w > 0 for _, w in rows))


def matrix(rows, copies=1):
    """Some rows, and each of them so many times that they fill several blocks."""
    values, weights = np.array(rows * copies, dtype=np.float32).T
    return xgb.DMatrix(np.zeros((len(values), 1)), values, weight=weights)


def score(metric, data):
    """The metric of predictions that are 0."""
    training = xgb.DMatrix(np.zeros((2, 1)), [0, 0])
    result = {}
    params = {"eval_metric": metric, "base_score": 0, "learning_rate": 0}
    xgb.train(params, training, 1, evals=[(data, "rows")], evals_result=result, verbose_eval=False)
    return result["rows"][metric][0]


@given(rows=ROWS, copies=st.sampled_from([1, 2, 40]))
def test_a_weighted_mean_is_one_exact_sum_over_another(rows, copies):
    rows = [(abs(float(np.float32(v))), float(np.float32(w))) for v, w in rows]
    total, weight = (math.fsum(terms * copies) for terms in ([v * w for v, w in rows], [w for _, w in rows]))
    assert float(sum(Fraction(v) * Fraction(w) for v, w in rows) * copies) == total
    assert score("mae", matrix(rows, copies)) == total / weight


@given(rows=ROWS.filter(lambda rows: max(abs(v * w) for v, w in rows) < 3e38))  # gradients are floats
def test_an_intercept_is_one_exact_sum_over_another(rows):
    rows = [(float(np.float32(v)), float(np.float32(w))) for v, w in rows]
    mean = math.fsum(v * w for v, w in rows) / math.fsum(w for _, w in rows)
    booster = xgb.train({"learning_rate": 0, "max_depth": 1}, matrix(rows), 1)
    base_score = json.loads(booster.save_config())["learner"]["learner_model_param"]["base_score"]
    assert np.float32(
        json.loads(base_score) if isinstance(json.loads(base_score), float) else json.loads(base_score)[0]
    ) == np.float32(mean)
