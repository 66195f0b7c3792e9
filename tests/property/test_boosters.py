# SPDX-License-Identifier: Apache-2.0
"""Laws of every kind of booster, on any data: files, threads, interruptions of training, sums of models."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xgb_like as xgb

pytestmark = pytest.mark.filterwarnings("ignore:Parameter `.*` has no effect")  # settings are drawn freely

ODD = np.float32([np.nan, 1e-45, -0.0]).tolist()
CELLS = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e3, 1e3, width=32), st.sampled_from(ODD))
DROPS = st.fixed_dictionaries(
    {
        "booster": st.just("dart"),
        "rate_drop": st.sampled_from([0.0, 0.5, 1.0]),
        "one_drop": st.booleans(),
        "skip_drop": st.sampled_from([0.0, 0.5]),
        "sample_type": st.sampled_from(["uniform", "weighted"]),
        "normalize_type": st.sampled_from(["tree", "forest"]),
        "num_parallel_tree": st.integers(1, 2),
    }
)
LINEAR = st.fixed_dictionaries(
    {
        "booster": st.just("gblinear"),
        "updater": st.just("coord_descent"),
        "feature_selector": st.sampled_from(["cyclic", "shuffle", "random", "greedy", "thrifty"]),
        "top_k": st.integers(0, 3),
        "lambda": st.sampled_from([0.0, 0.1]),
        "alpha": st.sampled_from([0.0, 0.01]),
    }
)
VOTES = st.fixed_dictionaries({"booster": st.just("adaboost"), "max_depth": st.integers(1, 3)})
KINDS = st.one_of(DROPS, LINEAR, VOTES)


@st.composite
def matrices(draw):
    """A matrix with labels 0 and 1."""
    shape = (draw(st.integers(1, 25)), draw(st.integers(1, 4)))
    features = draw(hnp.arrays(np.float32, shape, elements=CELLS.map(np.float32)))
    label = draw(hnp.arrays(np.float32, shape[0], elements=st.integers(0, 1).map(np.float32)))
    return xgb.DMatrix(features, label)


def trained(params, matrix, rounds=4, **more):
    return xgb.train({"objective": "binary:logistic", **params}, matrix, rounds, **more)


@given(matrix=matrices(), params=KINDS)
def test_what_is_saved_is_what_is_loaded(matrix, params):
    booster = trained(params, matrix)
    expected = booster.predict(matrix)
    assert np.isfinite(expected).all()
    for form in ("json", "ubj"):
        raw = booster.save_raw(form)
        loaded = xgb.Booster(model_file=raw)
        assert loaded.save_raw(form) == raw
        assert np.array_equal(loaded.predict(matrix), expected)
    assert np.array_equal(pickle.loads(pickle.dumps(booster)).predict(matrix), expected)


@given(matrix=matrices(), params=KINDS)
def test_training_goes_on_where_it_stopped(matrix, params):
    half = trained(params, matrix, 2).save_raw()
    assert trained(params, matrix, 2, xgb_model=half).save_raw() == trained(params, matrix, 4).save_raw()


@given(first=matrices(), params=KINDS, seed=st.integers(0, 9))
def test_merged_models_add_up(first, params, seed):
    one, other = trained(params, first, 2), trained({**params, "seed": seed}, first, 3)
    sums = one.predict(first, output_margin=True) + other.predict(first, output_margin=True)
    merged = one.merge(other).predict(first, output_margin=True)
    np.testing.assert_allclose(merged, sums, rtol=1e-4, atol=1e-4)
