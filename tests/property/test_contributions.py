# SPDX-License-Identifier: Apache-2.0
"""What holds of contributions for any data and model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xgb_like as xgb

CELLS = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e3, 1e3, width=32),
    st.sampled_from(np.float32([np.nan, 0.0, -0.0, 1e-45, 3e38, -3e38]).tolist()),
)
TABLES = hnp.arrays(np.float32, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=CELLS)
PARAMS = st.fixed_dictionaries(
    {
        "max_depth": st.integers(1, 8),
        "min_child_weight": st.sampled_from([0.0, 1.0]),
        "lambda": st.sampled_from([0.0, 1.0]),
        "nthread": st.sampled_from([1, 2]),
        "kind": st.sampled_from(
            [
                {},
                {"objective": "multi:softprob", "num_class": 3},
                {"booster": "dart", "rate_drop": 0.5},
                {"booster": "gblinear"},
                {"num_parallel_tree": 2, "subsample": 0.5},
            ]
        ),
    }
).map(lambda params: {**{name: value for name, value in params.items() if name != "kind"}, **params["kind"]})


def trained(features, params):
    labels = np.arange(len(features)) * 7 % 5 % 3
    data = xgb.DMatrix(features, labels.astype(np.float32))
    return xgb.train(params, data, 3), data


def close(found, expected):
    """Whether sums agree to 1e-5 of the largest part."""
    size = max(1.0, float(np.abs(found).max(initial=0)))
    return found.sum(axis=-1) == pytest.approx(expected, abs=1e-5 * size)


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(TABLES, PARAMS)
def test_every_explanation_adds_up(features, params):
    booster, data = trained(features, params)
    margins = booster.predict(data, output_margin=True)
    values = booster.predict(data, pred_contribs=True)
    assert close(values, margins)
    assert close(booster.predict(data, pred_contribs=True, approx_contribs=True), margins)
    assert close(booster.predict(data, pred_contribs=True, background=data), margins)
    pairs = booster.predict(data, pred_interactions=True)
    assert close(pairs, values)
    assert np.array_equal(pairs, np.swapaxes(pairs, -1, -2))


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(TABLES, PARAMS, st.integers(0, 39))
def test_a_row_is_explained_as_if_alone(features, params, row):
    booster, data = trained(features, params)
    row %= len(features)
    for kind in ({"pred_contribs": True}, {"pred_interactions": True}):
        alone = booster.predict(xgb.DMatrix(features[row : row + 1]), **kind)
        assert np.array_equal(alone[0], booster.predict(data, **kind)[row])
