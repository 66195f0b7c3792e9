# SPDX-License-Identifier: Apache-2.0
"""Any model predicts the same bits in every way: alone, in batches, sparse, from frames, on any instruction set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xgb_like as xgb

pd = pytest.importorskip("pandas")
sp = pytest.importorskip("scipy.sparse")
HOSTILE = np.float32([np.nan, 0.0, -0.0, 1e-45, -1e-40, 3.4e38, -3.4e38]).tolist()
CELLS = st.one_of(st.integers(-3, 9).map(float), st.floats(-1e3, 1e3, width=32), st.sampled_from(HOSTILE))
SHAPES = st.fixed_dictionaries(
    {
        "max_depth": st.integers(0, 12),
        "max_leaves": st.sampled_from([2, 9, 80]),
        "grow_policy": st.sampled_from(["depthwise", "lossguide"]),
        "booster": st.sampled_from(["gbtree", "dart"]),
        "rate_drop": st.just(0.4),
        "num_parallel_tree": st.integers(1, 2),
        "objective": st.sampled_from(["reg:squarederror", "multi:softprob"]),
        "multi_strategy": st.sampled_from(["one_output_per_tree", "multi_output_tree"]),
    }
)


@st.composite
def served(draw):
    """A trained model and its rows; the second column may have categories."""
    rows, columns = draw(st.integers(1, 90)), draw(st.integers(2, 5))
    cells = draw(hnp.arrays(np.float32, (rows, columns), elements=CELLS.map(np.float32), fill=st.nothing()))
    categorical = draw(st.booleans())
    if categorical:
        cells[:, 1] = draw(hnp.arrays(np.float32, rows, elements=st.sampled_from([*range(12), np.nan])))
    params = {
        **draw(SHAPES),
        "min_child_weight": 0,
        "max_cat_to_onehot": draw(st.sampled_from([1, 50])),
        "verbosity": 0,
    }
    if params["objective"] != "multi:softprob":
        params.pop("multi_strategy")
    else:
        params["num_class"] = 3
    label = draw(hnp.arrays(np.float32, rows, elements=st.integers(0, 2).map(np.float32)))
    types = ["q"] * columns
    types[1] = "c" if categorical else "q"
    matrix = xgb.DMatrix(cells, label, feature_types=types, enable_categorical=True)
    return xgb.train(params, matrix, draw(st.integers(1, 6))), cells


def walked(booster, cells):
    """Margins by following every tree to its leaf and adding up in float32, tree after tree."""
    handle = booster._handle
    leaves = booster.predict(xgb.DMatrix(cells), pred_leaf=True).reshape(len(cells), handle.num_trees()).astype(int)
    nodes, outputs = handle.nodes(), handle.num_outputs()
    weights = handle.tree_weights() or [1.0] * handle.num_trees()
    margins = np.zeros((len(cells), outputs), dtype=np.float32)
    for tree, weight in enumerate(weights):
        own = nodes["tree"] == tree
        values = np.zeros((nodes["node"][own].max() + 1, nodes["value"].shape[1]), dtype=np.float32)
        values[nodes["node"][own]] = nodes["value"][own]
        first = 0 if values.shape[1] > 1 else tree // handle.num_parallel_tree() % outputs
        margins[:, first : first + values.shape[1]] += np.float32(weight) * values[leaves[:, tree]]
    return margins


@given(case=served())
def test_every_way_gives_the_same_bits(case):
    booster, cells = case
    start = np.zeros((len(cells), booster._handle.num_outputs()), dtype=np.float32)
    definition = booster.predict(xgb.DMatrix(cells, base_margin=start), output_margin=True, strict_shape=True)
    np.testing.assert_array_equal(definition, walked(booster, cells))
    expected = booster.predict(xgb.DMatrix(cells), output_margin=True)
    predictor = booster.predictor(predict_type="margin")
    rows, columns = cells.shape
    listed = sp.csr_matrix(
        (cells.ravel(), np.tile(np.arange(columns), rows), np.arange(rows + 1) * columns), cells.shape
    )
    for data in (cells, cells.astype(np.float64), pd.DataFrame(cells), listed):
        np.testing.assert_array_equal(predictor.predict(data), expected)
    alone = [predictor.predict(cells[i : i + 1]) for i in range(rows)]
    np.testing.assert_array_equal(np.concatenate(alone), expected)
