# SPDX-License-Identifier: Apache-2.0
"""Training on histograms: what its results must not depend on, and what they must be worth."""

import os
import subprocess
import sys

import numpy as np
import pytest

import xgb_like as xgb

ROWS = (1 << 17) + 500  # so many that rows are worked on in several pieces
METHODS = ["hist", "approx"]


@pytest.fixture(scope="module")
def large():
    """Dense features of several kinds, a tenth of the cells missing, and a label."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(ROWS, 6)).astype(np.float32)
    features[:, 4] = np.round(features[:, 4] * 2)
    features[:, 5] = rng.random(ROWS) < 0.02
    label = features[:, 0] - features[:, 1] * features[:, 2] + rng.normal(size=ROWS)
    features[rng.random(features.shape) < 0.1] = np.nan
    return features, (label > 0).astype(np.float32)


def params(method="hist", **more):
    return {"objective": "binary:logistic", "tree_method": method, "max_depth": 5, "seed": 3, **more}


def model(data, rounds=3, **how):
    return xgb.train(params(**how), data, rounds).save_raw()


VARIANTS = [
    {},
    {"grow_policy": "lossguide", "max_leaves": 30, "max_depth": 0},
    {"subsample": 0.6, "colsample_bynode": 0.5},
    {"sampling_method": "gradient_based", "subsample": 0.3},
    {"sampling_method": "goss"},
    {"gradient_bits": 32},
    {"max_bin": 1000},
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_any_number_of_threads_gives_the_same_bytes(large, method, variant):
    one = model(xgb.DMatrix(*large, nthread=1), method=method, nthread=1, **variant)
    for threads in (2, 3, 4, 7):
        assert model(xgb.DMatrix(*large, nthread=threads), method=method, nthread=threads, **variant) == one


def test_any_kind_of_input_gives_the_same_bytes(large):
    pd, pa, sp = (pytest.importorskip(name) for name in ("pandas", "pyarrow", "scipy.sparse"))
    features, label = large
    present = ~np.isnan(features)
    rows, columns = np.nonzero(present)
    csr = sp.csr_matrix((features[present], (rows, columns)), shape=features.shape)
    names = [f"f{i}" for i in range(6)]
    frame = pd.DataFrame(features, columns=names)
    inputs = [np.asfortranarray(features), features.astype(np.float64), csr, csr.tocsc(), frame]
    inputs.append(pa.Table.from_pandas(frame))
    expected = model(xgb.DMatrix(features, label, feature_names=names, feature_types=["float"] * 6))
    for given in inputs:
        data = xgb.DMatrix(given, label, feature_names=names, feature_types=["float"] * 6)
        assert model(data) == expected, type(given)


def test_any_instruction_set_gives_the_same_bytes():
    program = """
import sys
import numpy as np
import xgb_like as xgb

rng = np.random.default_rng(0)
features = rng.normal(size=(150_000, 5)).astype("f4")
features[rng.random(features.shape) < 0.2] = np.nan
label = (np.nan_to_num(features[:, 0]) + rng.normal(size=150_000) > 0).astype("f4")
for method in ("hist", "approx"):
    for bits in (16, 32):
        params = {"objective": "binary:logistic", "tree_method": method, "gradient_bits": bits, "alpha": 0.1}
        sys.stdout.buffer.write(xgb.train(params, xgb.DMatrix(features, label), 3).save_raw())
"""
    results = set()
    for level in ("scalar", "avx2", "avx512", "avx512vbmi"):
        environment = {**os.environ, "XGB_LIKE_SIMD": level}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
        if done.returncode == 0:
            results.add(done.stdout)
        else:
            assert b"this machine has" in done.stderr
    assert len(results) == 1


def test_training_twice_gives_the_same_bytes(large):
    data = xgb.DMatrix(*large)
    assert model(data) == model(data)


def test_a_continued_training_equals_one_that_never_stopped(large):
    data = xgb.DMatrix(*large)
    how = params(subsample=0.5)
    half = xgb.train(how, data, 2)
    assert xgb.train(how, data, 2, xgb_model=half).save_raw() == xgb.train(how, data, 4).save_raw()


@pytest.mark.parametrize("scale", [0.1, 1.0, 1e9])
def test_the_size_of_a_target_does_not_matter(regression, scale):
    features, label = regression
    how = {"tree_method": "hist", "max_depth": 4, "base_score": 0}
    plain = xgb.train({**how, "gradient_bits": 32}, xgb.DMatrix(features, label), 10)
    scaled = xgb.train(how, xgb.DMatrix(features, label * np.float32(scale)), 10)
    error = scaled.predict(xgb.DMatrix(features)) / scale - plain.predict(xgb.DMatrix(features))
    assert np.sqrt(np.mean(error**2)) < 0.05 * label.std()


def test_sixteen_bits_cost_no_quality(large):
    features, label = large
    train, test = slice(0, 100_000), slice(100_000, None)
    losses = []
    for bits in (16, 32):
        log = {}
        held_out = xgb.DMatrix(features[test], label[test])
        data = xgb.DMatrix(features[train], label[train])
        xgb.train(params(gradient_bits=bits), data, 30, evals=[(held_out, "t")], evals_result=log, verbose_eval=False)
        losses.append(log["t"]["logloss"][-1])
    assert losses[0] == pytest.approx(losses[1], rel=2e-3)


def test_rare_positives_are_found():
    rng = np.random.default_rng(1)
    features = rng.normal(size=(200_000, 4)).astype(np.float32)
    score = features[:, 0] + features[:, 1]
    label = (score >= np.sort(score)[-20]).astype(np.float32)
    data = xgb.DMatrix(features, label)
    booster = xgb.train(params(min_child_weight=0), data, 30)
    predicted = booster.predict(data)
    assert set(np.argsort(predicted)[-20:]) == set(np.nonzero(label)[0])


def test_weights_of_zero_are_as_if_the_row_were_not_there(regression):
    features, label = regression
    weight = (np.arange(300) % 3 > 0).astype(np.float32)
    kept = weight > 0
    how = {"tree_method": "hist", "max_bin": 1000, "base_score": 0.5}
    weighted = xgb.train(how, xgb.DMatrix(features, label, weight=weight), 5)
    without = xgb.train(how, xgb.DMatrix(features[kept], label[kept]), 5)
    np.testing.assert_allclose(
        weighted.predict(xgb.DMatrix(features[kept])),
        without.predict(xgb.DMatrix(features[kept])),
        rtol=1e-4,
        atol=1e-4,
    )


def test_one_hot_columns_are_learned_from():
    sp = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 50, size=(20_000, 8))
    indices = (codes + 50 * np.arange(8)).ravel()
    table = sp.csr_matrix((np.ones(indices.size, np.float32), indices, np.arange(20_001) * 8), shape=(20_000, 400))
    label = (rng.normal(size=50)[codes[:, 0]] > 0).astype(np.float32)
    sparse = xgb.train(params(max_depth=8), xgb.DMatrix(table, label), 20)
    filled = table.toarray()
    filled[filled == 0] = np.nan
    dense = xgb.train(params(max_depth=8), xgb.DMatrix(filled, label), 20)
    assert sparse.save_raw() == dense.save_raw()
    assert np.mean((sparse.predict(xgb.DMatrix(table)) > 0.5) == label) > 0.95


def test_vector_leaves_have_a_value_for_each_target(regression):
    features, label = regression
    targets = np.column_stack([label, -2 * label, features[:, 3]])
    data = xgb.DMatrix(features, targets)
    booster = xgb.train({"multi_strategy": "multi_output_tree", "max_depth": 5}, data, 30)
    assert booster.predict(data).shape == (300, 3)
    assert len(booster.get_dump()) == 30
    assert np.mean((booster.predict(data) - targets) ** 2) < 0.1 * targets.var()
    again = xgb.Booster(model_file=booster.save_raw())
    np.testing.assert_array_equal(again.predict(data), booster.predict(data))


def test_vector_leaves_go_with_a_forest_and_sampling(regression):
    features, label = regression
    data = xgb.DMatrix(features, np.column_stack([label, label]))
    how = {"multi_strategy": "multi_output_tree", "num_parallel_tree": 3, "subsample": 0.7}
    booster = xgb.train(how, data, 4)
    assert len(booster.get_dump()) == 12
    assert booster.num_boosted_rounds() == 4


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "how",
    [
        {"grow_policy": "lossguide", "max_leaves": 40},
        {"objective": "reg:absoluteerror"},
        {"objective": "count:poisson", "leaf_estimation_iterations": 3},
        {"max_delta_step": 0.4, "alpha": 0.1},
    ],
)
def test_monotone_constraints_hold_for_every_value_of_a_vector_leaf(method, how):
    rng = np.random.default_rng(9)
    features = rng.random((1500, 4)).astype(np.float32)
    wave = np.sin(6 * features[:, 2]) + features[:, 3]
    trend = features[:, :1] - features[:, 1:2]
    targets = np.exp(trend * [1, 2, -1] + wave[:, None] + rng.normal(scale=0.2, size=(1500, 3)))
    signs = (1, -1, 0, 0)
    constrained = {"multi_strategy": "multi_output_tree", "tree_method": method, "monotone_constraints": signs, **how}
    model = xgb.train(constrained, xgb.DMatrix(features, targets), 20)
    lines = np.repeat(rng.random((20, 1, 4)), 50, axis=1)
    for column, sign in enumerate(signs[:2]):
        grid = lines.copy()
        grid[:, :, column] = np.linspace(0, 1, 50)
        along = model.predict(xgb.DMatrix(grid.reshape(-1, 4))).reshape(20, 50, 3)
        assert (sign * np.diff(along, axis=1) >= -1e-5).all()
        assert (sign * (along[:, -1, :2] - along[:, 0, :2]) > 0).any(axis=0).all()


def test_the_gain_of_a_vector_leaf_is_that_within_its_bounds():
    features = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]], dtype=np.float32)
    gradient = np.array([3, -2.75, -0.125, 0.875], dtype=np.float32)
    gradients, hessians = np.column_stack([gradient, 2 * gradient]), np.repeat([[1], [0.5], [0.25], [0.25]], 2, axis=1)
    free = {"lambda": 0, "min_child_weight": 0, "max_depth": 3, "eta": 1, "base_score": 0}
    model = xgb.train(
        {**free, "multi_strategy": "multi_output_tree", "monotone_constraints": (1, 0, 0)},
        xgb.DMatrix(features, np.zeros((4, 2))),
        1,
        obj=lambda _margins, _data: (gradients, hessians),
    )
    nodes = model.trees_to_dataframe()
    # Each output's weight of the last split's parent lies in the bound that the root left: the gains of 0.25 and, at
    # twice the gradient, four times that add up.
    assert nodes[nodes.Feature == "f2"].Gain.to_list() == pytest.approx([0.25 * (1 + 4)])


@pytest.mark.parametrize("sign", [1, -1])
def test_outputs_that_go_against_a_constraint_have_one_weight_on_both_sides(sign):
    features = np.array([[0], [1], [1], [1]], dtype=np.float32)
    targets = np.array([[0, 3], [4, 0], [4, 0], [4, 0]]) * sign
    how = {"multi_strategy": "multi_output_tree", "monotone_constraints": (sign,), "max_depth": 1}
    data = xgb.DMatrix(features, targets)
    model = xgb.train({**how, "eta": 1, "base_score": 0, "lambda": 1, "min_child_weight": 0}, data, 1)
    # The first output alone gains 12^2 / 4 - 12^2 / 5. The second has -G / (H + 2 lambda) = 3 / 6 in both leaves, which
    # gains 3^2 / 6 - 3^2 / 5.
    np.testing.assert_allclose(model.predict(data)[:2] * sign, [[0, 0.5], [3, 0.5]])
    assert model.trees_to_dataframe().Gain[0] == pytest.approx(7.2 - 0.3)
    against = xgb.DMatrix(features, -targets[:, :1] * [1, 2])
    assert "leaf" in xgb.train(how, against, 1).get_dump()[0].splitlines()[0]


def test_what_exact_cannot_do_is_refused(regression):
    features, label = regression
    data = xgb.DMatrix(features, np.column_stack([label, label]))
    with pytest.raises(xgb.ParameterError, match="vector leaves"):
        xgb.train({"multi_strategy": "multi_output_tree", "tree_method": "exact"}, data, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_bin", 1), ("max_bin", 70000), ("gradient_bits", 8), ("top_rate", 2), ("max_cached_hist_node", 0)],
)
def test_values_out_of_range_are_refused(dtrain, name, value):
    with pytest.raises(xgb.ParameterError, match=name):
        xgb.train({name: value}, dtrain, 1)


def test_updaters_name_the_method(dtrain):
    by_method = xgb.train({"tree_method": "approx"}, dtrain, 3)
    by_updater = xgb.train({"updater": "grow_histmaker"}, dtrain, 3)
    assert by_method.save_raw() == by_updater.save_raw()
    with pytest.raises(xgb.ParameterError, match="2 ways to grow a tree"):
        xgb.train({"updater": "grow_histmaker,grow_colmaker"}, dtrain, 1)


@pytest.mark.peer
@pytest.mark.parametrize("method", METHODS)
def test_xgboost_predicts_the_same_from_models_with_categories(method):
    peer, pd = pytest.importorskip("xgboost"), pytest.importorskip("pandas")
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 60, 3000)
    frame = pd.DataFrame({"few": pd.Categorical(codes % 3), "many": pd.Categorical(codes), "n": rng.normal(size=3000)})
    label = rng.normal(size=60)[codes] + frame["n"].to_numpy()
    ours = xgb.train({"tree_method": method}, xgb.DMatrix(frame, label), 20)
    theirs = peer.Booster(model_file=bytearray(ours.save_raw()))
    np.testing.assert_array_equal(
        ours.predict(xgb.DMatrix(frame)), theirs.predict(peer.DMatrix(frame, enable_categorical=True))
    )
    assert np.mean((ours.predict(xgb.DMatrix(frame)) - label) ** 2) < 0.1 * label.var()


@pytest.mark.peer
def test_models_of_few_values_are_those_of_xgboost():
    peer = pytest.importorskip("xgboost")
    rng = np.random.default_rng(5)
    features = rng.integers(0, 30, size=(2000, 5)).astype(np.float32)
    label = (features[:, 0] * features[:, 1] % 7).astype(np.float32)
    how = {"tree_method": "hist", "max_depth": 4}
    ours, theirs = (lib.train(how, lib.DMatrix(features, label), 10) for lib in (xgb, peer))
    np.testing.assert_allclose(ours.predict(xgb.DMatrix(features)), theirs.predict(peer.DMatrix(features)), rtol=1e-4)


def test_large_sparse_rows_are_read_where_they_lie():
    sparse = pytest.importorskip("scipy.sparse")
    rows, present = 6_000, 100  # above 4 MB
    columns = np.tile(np.arange(present, dtype=np.int32), rows)
    values = np.random.default_rng(0).integers(1, 9, rows * present).astype(np.float32)
    data = sparse.csr_matrix((values, columns, np.arange(0, rows * present + 1, present)), shape=(rows, present))
    label = values[::present]
    matrix = xgb.DMatrix(data, label)
    model = xgb.train({"max_depth": 3}, matrix, 2)
    assert model.save_raw() == xgb.train({"max_depth": 3}, xgb.DMatrix(data.toarray(), label), 2).save_raw()
    data.data[7] += 1
    with pytest.raises(xgb.DataError, match="changed after the DMatrix was made"):
        model.predict(matrix)


@pytest.mark.peer
@pytest.mark.parametrize("threshold", [2, 5, 64])
def test_sets_of_categories_are_those_of_xgboost(threshold):
    peer, pd = pytest.importorskip("xgboost"), pytest.importorskip("pandas")
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 400, size=(6000, 2))
    frame = pd.DataFrame({name: pd.Categorical(codes[:, i]) for i, name in enumerate("ab")})
    label = rng.normal(size=400)[codes].sum(axis=1) + rng.normal(size=6000)
    how = {"max_depth": 2, "max_cat_threshold": threshold}
    ours = xgb.train({**how, "gradient_bits": 32}, xgb.DMatrix(frame, label), 5)
    theirs = peer.train(how, peer.DMatrix(frame, label, enable_categorical=True), 5)
    expected = theirs.predict(peer.DMatrix(frame, enable_categorical=True))
    np.testing.assert_allclose(ours.predict(xgb.DMatrix(frame)), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.peer
def test_sets_of_categories_of_vector_leaves_fit_more_closely_than_those_of_xgboost():
    peer = pytest.importorskip("xgboost", minversion="3.4")
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 1000, size=10000)
    features = np.column_stack([codes, rng.normal(size=10000)])
    label = rng.normal(size=(1000, 5))[codes] + rng.normal(size=(10000, 5)) / 2
    how = {"multi_strategy": "multi_output_tree", "max_depth": 6}

    def error(library):
        matrix = library.DMatrix(features, label, feature_types=["c", "q"], enable_categorical=True)
        return np.sqrt(np.mean((library.train(how, matrix, 5).predict(matrix) - label) ** 2))

    assert error(xgb) < error(peer)


def test_approx_and_hist_agree_where_rows_count_the_same():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(3)
    features = sparse.random(20000, 3, density=0.1, random_state=rng, format="csr")
    label = np.asarray(features.sum(axis=1)).ravel() + rng.normal(size=20000) / 9
    models = [
        xgb.train({"tree_method": method, "max_bin": 16, **more}, xgb.DMatrix(features, label), 3)
        for more in ({}, {"objective": "reg:pseudohubererror"})
        for method in METHODS
    ]
    trees = [model.get_dump(with_stats=True) for model in models]
    assert trees[0] == trees[1]
    assert trees[2] != trees[3]  # hessians differ
