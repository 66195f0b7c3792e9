# SPDX-License-Identifier: Apache-2.0
"""Laws that hold for any data: which order, weights, files and threads must not matter."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xgb_like as xgb

FEW = st.integers(1, 4)
CELLS = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e3, 1e3, width=32),
    st.sampled_from(np.float32([np.nan, 0.0, -0.0, 1e-45, 3e38, -3e38]).tolist()),
)
PARAMS = st.fixed_dictionaries(
    {
        "max_depth": st.integers(1, 4),
        "eta": st.sampled_from([0.1, 0.3, 1.0]),
        "lambda": st.sampled_from([0.0, 1.0, 5.0]),
        "gamma": st.sampled_from([0.0, 0.5]),
        "min_child_weight": st.sampled_from([0.0, 1.0, 3.0]),
        "nthread": st.sampled_from([1, 2]),
        "method": st.sampled_from(
            [
                {"tree_method": "exact"},
                # Rounded to nearest: 16 bits are rounded by chance, which goes by row number.
                {"tree_method": "hist", "gradient_bits": "32"},
                {"tree_method": "approx", "gradient_bits": "32"},
            ]
        ),
    }
).map(lambda params: {**{name: value for name, value in params.items() if name != "method"}, **params["method"]})


@st.composite
def tables(draw, min_rows=1, columns=FEW):
    """Features and labels; labels are small integers, so that sums of them are exact."""
    shape = (draw(st.integers(min_rows, 25)), draw(columns))
    features = draw(hnp.arrays(np.float32, shape, elements=CELLS.map(np.float32)))
    label = draw(hnp.arrays(np.float32, shape[0], elements=st.integers(-8, 8).map(np.float32)))
    return features, label


def trained(params, features, label, rounds=3, **fields):
    return xgb.train(params, xgb.DMatrix(features, label, **fields), rounds)


@given(table=tables(), params=PARAMS, seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(table, params, seed):
    features, label = table
    order = np.random.default_rng(seed).permutation(len(label))
    one = trained({**params, "base_score": 0.5}, features, label)
    other = trained({**params, "base_score": 0.5}, features[order], label[order])
    data = xgb.DMatrix(features)
    np.testing.assert_allclose(one.predict(data), other.predict(data), rtol=1e-4, atol=1e-4)


@given(table=tables(), params=PARAMS)
def test_doubled_columns_do_not_matter(table, params):
    features, label = table
    one = trained(params, features, label)
    other = trained(params, np.column_stack([features, features]), label)
    np.testing.assert_array_equal(
        one.predict(xgb.DMatrix(features)), other.predict(xgb.DMatrix(np.column_stack([features, features])))
    )


@given(table=tables(columns=st.just(3)), params=PARAMS, order=st.permutations(range(3)))
def test_the_order_of_columns_does_not_matter_to_the_gain(table, params, order):
    features, label = table
    params = {**params, "max_depth": 1}
    one = trained(params, features, label, 1).get_score(importance_type="total_gain")
    other = trained(params, features[:, order], label, 1).get_score(importance_type="total_gain")
    assert sum(one.values()) == sum(other.values())


@given(table=tables(), params=PARAMS, data=st.data())
def test_weights_are_duplication(table, params, data):
    features, label = table
    # Powers of two keep products exact: else rounding decides between splits of equal gain, here and there differently.
    weight = data.draw(hnp.arrays(np.int64, len(label), elements=st.sampled_from([1, 2, 4])))
    rows = np.repeat(np.arange(len(label)), weight)
    # Only exact search: rounding gradients for histograms depends on their largest.
    params = {**params, "base_score": 0.5, "tree_method": "exact"}
    params.pop("gradient_bits", None)
    weighted = trained(params, features, label, weight=weight)
    repeated = trained(params, features[rows], label[rows])
    matrix = xgb.DMatrix(features)
    np.testing.assert_allclose(weighted.predict(matrix), repeated.predict(matrix), rtol=1e-4, atol=1e-4)


@given(table=tables(), params=PARAMS, form=st.sampled_from(["json", "ubj"]))
def test_files_keep_the_model(table, params, form):
    model = trained(params, *table)
    loaded = xgb.Booster(model_file=model.save_raw(form))
    assert loaded.save_raw() == model.save_raw()
    data = xgb.DMatrix(table[0])
    np.testing.assert_array_equal(loaded.predict(data), model.predict(data))


@given(table=tables(), params=PARAMS, cut=st.integers(1, 3))
def test_slices_are_shorter_trainings(table, params, cut):
    assert trained(params, *table)[:cut].save_raw() == trained(params, *table, cut).save_raw()


@given(table=tables(), params=PARAMS, cut=st.integers(0, 3), seed=st.integers(0, 9))
def test_continuing_is_never_having_stopped(table, params, cut, seed):
    params = {**params, "subsample": 0.7, "colsample_bytree": 0.7, "seed": seed}
    data = xgb.DMatrix(*table)
    more = xgb.train(params, data, 3 - cut, xgb_model=xgb.train(params, data, cut).save_raw() if cut else None)
    assert more.save_raw() == xgb.train(params, data, 3).save_raw()


@settings(max_examples=4)
@given(params=PARAMS, threads=st.integers(2, 5), seed=st.integers(0, 99))
def test_threads_do_not_matter(params, threads, seed):
    rng = np.random.default_rng(seed)  # 60,000 x 10 cells: fewer would be left to one thread
    features = rng.integers(-50, 50, size=(60_000, 10)).astype(np.float32)
    label = features @ rng.normal(size=10)
    params = {**params, "subsample": 0.8, "colsample_bynode": 0.6}
    one, many = (trained({**params, "nthread": n}, features, label, 2) for n in (1, threads))
    assert one.save_raw() == many.save_raw()


@given(table=tables(), params=PARAMS)
def test_layouts_of_memory_do_not_matter(table, params):
    sparse = pytest.importorskip("scipy.sparse")
    features, label = table
    rows, columns = np.nonzero(~np.isnan(features))
    listed = sparse.csr_matrix((features[rows, columns], (rows, columns)), shape=features.shape)
    wanted = trained(params, features, label).save_raw()
    for other in (np.asfortranarray(features), features.astype(np.float64), listed, listed.tocsc()):
        assert trained(params, other, label).save_raw() == wanted


LEAVES = [
    {},
    {"multi_strategy": "multi_output_tree", "tree_method": "hist"},
    {"multi_strategy": "multi_output_tree", "tree_method": "approx"},
]


@given(
    table=tables(min_rows=4),
    constraint=st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4),
    leaves=st.sampled_from(LEAVES),
)
def test_monotone_constraints_hold(table, constraint, leaves):
    features, label = table
    constraint = constraint[: features.shape[1]]
    target = np.column_stack([label, -label, np.roll(label, 1)]) if leaves else label
    model = trained({"monotone_constraints": tuple(constraint), "lambda": 0.1, **leaves}, features, target)
    base = np.nan_to_num(features, nan=0, posinf=0, neginf=0)
    for column, sign in enumerate(constraint):
        grid = np.repeat(base[:1], 9, axis=0)
        grid[:, column] = np.linspace(-4, 4, 9)
        steps = np.diff(model.predict(xgb.DMatrix(grid)).astype(float), axis=0)
        assert (sign * steps >= -1e-5 * np.abs(steps).max(initial=1)).all()


def best_gain(features, label, weight, regularisation):
    """The best split by trying all of them: both sides for missing cells, every value as threshold."""

    def score(rows):
        return label[rows].sum() ** 2 / (weight[rows].sum() + regularisation) if weight[rows].sum() else 0.0

    everything = np.ones(len(label), dtype=bool)
    best = 0.0
    for column in features.T:
        present = ~np.isnan(column)
        for threshold in np.unique(column[present]):
            for missing_left in (False, True):
                left = np.where(present, column < threshold, missing_left)
                if left.any() and not left.all():
                    best = max(best, score(left) + score(~left) - score(everything))
        best = max(best, score(present) + score(~present) - score(everything)) if not present.all() else best
    return best


@given(table=tables(min_rows=2), regularisation=st.sampled_from([0.5, 1.0, 3.0]))
def test_the_first_split_is_the_best_of_all(table, regularisation):
    features, label = table
    params = {"max_depth": 1, "base_score": 0, "lambda": regularisation, "min_child_weight": 0, "gamma": 0}
    model = trained(params, features, label.astype(float), 1)
    tree = json.loads(model.get_dump(dump_format="json", with_stats=True)[0])
    wanted = best_gain(features, label.astype(float), np.ones(len(label)), regularisation)
    assert tree.get("gain", 0.0) == pytest.approx(wanted, rel=1e-4, abs=1e-3)
