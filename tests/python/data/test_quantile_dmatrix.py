# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import xgb_like as xgb

HIST = {"tree_method": "hist", "max_depth": 4}
X = np.array([[1.0, 5.0, np.nan], [2.0, np.nan, np.nan], [3.0, 5.0, np.nan], [-4.0, 5.0, np.nan]])
Y = [1, 2, 3, 4]


@pytest.mark.parametrize("max_bin", [2, 16, 256, 300])
@pytest.mark.parametrize("order", ["C", "F"])
def test_training_gives_the_model_of_a_dmatrix(holes, max_bin, order):
    features, label = np.asarray(holes[0], order=order), holes[1]
    params = {**HIST, "max_bin": max_bin, "subsample": 0.7}
    weight = np.linspace(0, 2, 300)
    whole = xgb.train(params, xgb.DMatrix(features, label, weight=weight), 4)
    bins = xgb.train(params, xgb.QuantileDMatrix(features, label, weight=weight, max_bin=max_bin), 4)
    assert bins.save_raw() == whole.save_raw()


def test_sparse_rows_give_the_same_model():
    sparse = pytest.importorskip("scipy.sparse")
    rows = sparse.random(2000, 60, 0.05, "csr", random_state=0)
    label = np.asarray(rows.sum(axis=1)).ravel()
    for layout in ("csr", "csc", "coo"):
        bins = xgb.QuantileDMatrix(rows.asformat(layout), label)
        assert bins.num_nonmissing() == rows.nnz
        model = xgb.train(HIST, bins, 3).save_raw()
        assert model == xgb.train(HIST, xgb.DMatrix(rows, label), 3).save_raw()


def test_predictions_are_those_of_the_values(holes):
    train = xgb.QuantileDMatrix(*holes, max_bin=32)
    booster = xgb.train({**HIST, "max_bin": 32}, train, 5)
    values = xgb.DMatrix(*holes)
    np.testing.assert_array_equal(booster.predict(train), booster.predict(values))
    np.testing.assert_array_equal(booster.predict(train, pred_leaf=True), booster.predict(values, pred_leaf=True))
    assert booster.eval(train) == booster.eval(values)


def test_it_keeps_no_values():
    pytest.importorskip("scipy")
    matrix = xgb.QuantileDMatrix(X, Y, max_bin=8)
    assert (matrix.num_row(), matrix.num_col(), matrix.num_nonmissing()) == (4, 3, 7)
    first, only = np.nextafter(np.float32([1, 10.00001]), np.float32(-np.inf))
    found = matrix.get_data().toarray()
    np.testing.assert_array_equal(found[:, 0], np.float32([1, 2, 3, first]))
    np.testing.assert_array_equal(found[:, 1], [only, 0, only, only])
    assert (matrix.get_data() != xgb.QuantileDMatrix(X.astype("f4"), Y, max_bin=8).get_data()).nnz == 0


def test_cuts_are_a_number_below_and_the_ends_of_bins():
    begin, values = xgb.QuantileDMatrix(X[:, :2], Y, max_bin=8).get_quantile_cut()
    assert (begin.dtype, values.dtype, begin.tolist()) == (np.uint64, np.float32, [0, 5, 7])
    np.testing.assert_array_equal(values, np.float32([-8.00001, 1, 2, 3, 6.00001, -1e-5, 10.00001]))


@pytest.mark.parametrize("kind", [xgb.DMatrix, xgb.QuantileDMatrix])
def test_cuts_of_categories_are_their_codes(kind):
    codes = np.array([[0.0, 0.5], [3.0, 0.5], [1.0, np.nan]])
    matrix = kind(codes, [1, 2, 3], feature_types=["c", "q"])
    xgb.train(HIST, matrix, 1)
    begin, values = matrix.get_quantile_cut()
    assert begin.tolist() == [0, 4, 6]
    assert values[:4].tolist() == [0, 1, 2, 3]


def test_a_dmatrix_has_cuts_once_it_was_trained_on(regression):
    matrix = xgb.DMatrix(*regression)
    with pytest.raises(xgb.DataError, match="not been made yet"):
        matrix.get_quantile_cut()
    xgb.train({**HIST, "max_bin": 16}, matrix, 1)
    expected = xgb.QuantileDMatrix(*regression, max_bin=16).get_quantile_cut()
    for found, wanted in zip(matrix.get_quantile_cut(), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    matrix.set_weight(np.arange(300))
    with pytest.raises(xgb.DataError, match="not been made yet"):
        matrix.get_quantile_cut()


def test_after_approx_the_cuts_are_those_of_the_last_tree(regression):
    features, label = regression
    params = {"tree_method": "approx", "max_bin": 8, "objective": "binary:logistic"}
    weight = np.linspace(0.1, 2, len(label))
    cuts = []
    for rounds in (1, 3):
        matrix = xgb.DMatrix(features, label > 0, weight=weight)
        booster = xgb.train({**params, "max_depth": 1}, matrix, rounds)
        begin, values = matrix.get_quantile_cut()
        assert begin.tolist() == [9 * i for i in range(features.shape[1] + 1)]
        frame = booster.trees_to_dataframe()
        split = frame[(frame["Tree"] == rounds - 1) & (frame["Feature"] != "Leaf")]
        assert np.isin(np.float32(split["Split"]), values).all()
        cuts.append(values)
    assert not np.array_equal(*cuts)  # hessians changed


def test_approx_has_no_cuts_of_a_matrix_if_each_node_has_its_own(regression):
    matrix = xgb.DMatrix(*regression)
    xgb.train({"tree_method": "approx", "cut_proposal": "local"}, matrix, 1)
    with pytest.raises(xgb.DataError, match="approx with `cut_proposal=global`"):
        matrix.get_quantile_cut()


@pytest.mark.peer
def test_cuts_of_few_values_are_those_of_xgboost():
    peer = pytest.importorskip("xgboost")
    rng = np.random.default_rng(0)
    features = np.round(rng.normal(size=(200, 4)) * 5)
    features[rng.random(features.shape) < 0.2] = np.nan
    ours, theirs = (lib.QuantileDMatrix(features, max_bin=64).get_quantile_cut() for lib in (xgb, peer))
    np.testing.assert_array_equal(ours[0], theirs[0])
    below = ours[0][:-1].astype(int)  # newer releases have -inf there
    np.testing.assert_allclose(np.delete(ours[1], below), np.delete(theirs[1], below), rtol=1e-6)


def test_all_fields_are_kept():
    matrix = xgb.QuantileDMatrix(
        X,
        Y,
        base_margin=[0, 1, 0, 1],
        qid=[1, 1, 2, 2],
        weight=[1, 2],
        feature_weights=[1, 2, 3],
        feature_names=list("abc"),
        feature_types=["int", "q", "float"],
    )
    assert matrix.get_label().tolist() == Y
    assert matrix.get_group().tolist() == [2, 2]
    assert matrix.get_weight().tolist() == [1, 2]
    assert matrix.get_base_margin().tolist() == [0, 1, 0, 1]
    assert matrix.get_float_info("feature_weights").tolist() == [1, 2, 3]
    assert (matrix.feature_names, matrix.feature_types) == (list("abc"), ["int", "q", "float"])
    matrix.set_label([4, 3, 2, 1])
    assert matrix.get_label().tolist() == [4, 3, 2, 1]


def test_evaluation_shares_the_cuts_of_the_training_data(holes):
    features, label = holes
    train = xgb.QuantileDMatrix(features[:200], label[:200], max_bin=32)
    test = xgb.QuantileDMatrix(features[200:], label[200:], ref=train)
    assert (train.ref, test.ref(), test.max_bin) == (None, train, 32)
    np.testing.assert_array_equal(train.get_quantile_cut()[1], test.get_quantile_cut()[1])
    logs = {}, {}
    for log, evals in zip(logs, (test, xgb.DMatrix(features[200:], label[200:])), strict=True):
        xgb.train({**HIST, "max_bin": 32}, train, 3, evals=[(evals, "e")], evals_result=log, verbose_eval=False)
    assert logs[0] == logs[1]


def test_a_reference_may_have_values(holes):
    reference = xgb.DMatrix(*holes)
    matrix = xgb.QuantileDMatrix(*holes, ref=reference, max_bin=16)
    np.testing.assert_array_equal(matrix.get_quantile_cut()[1], reference.get_quantile_cut()[1])


def test_categories_are_coded_as_in_the_reference():
    pandas = pytest.importorskip("pandas")
    train = xgb.QuantileDMatrix(pandas.DataFrame({"c": pandas.Categorical(["x", "y", "z"])}), Y[:3])
    other = pandas.DataFrame({"c": pandas.Categorical(["x", None, "z"], ["z", "x"])})
    test = xgb.QuantileDMatrix(other, ref=train)
    assert test.get_categories().values == [["x", "y", "z"]]
    assert test.get_data().data.tolist() == [0, 2]
    with pytest.raises(xgb.DataError, match=r"data type doesn't match: feature 'c' is a number here"):
        xgb.QuantileDMatrix(pandas.DataFrame({"c": [1.0]}), ref=train)


def data_of_all_kinds():
    pandas, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 3)).astype(np.float32)
    table[5, 1], table[7], table[3, 2] = np.nan, np.nan, 0
    codes = np.arange(40) % 4
    frame = pandas.DataFrame({"a": table[:, 0], "c": pandas.Categorical.from_codes(codes - 1, list("xyz")), "i": codes})
    rows = sparse.random(40, 5, 0.3, "csr", np.float32, random_state=1)
    yield from (table, frame, rows, rows.tocsc(), np.arange(40.0).reshape(-1, 1), np.full((4, 2), np.nan))
    yield from (np.empty((0, 3)), np.array([[1.0, 5.0]]), -table, table * 0)


@pytest.mark.peer
@pytest.mark.parametrize("kind", ["DMatrix", "QuantileDMatrix"])
def test_data_come_back_as_from_xgboost(kind):
    peer = pytest.importorskip("xgboost")
    if tuple(map(int, peer.__version__.split(".")[:2])) < (3, 4):
        pytest.skip("earlier ones had another value for first bins")
    for data in data_of_all_kinds():
        ours, theirs = (getattr(lib, kind)(data, enable_categorical=True).get_data() for lib in (xgb, peer))
        assert (type(ours), ours.shape) == (type(theirs), theirs.shape)
        for field in ("indptr", "indices", "data"):
            found, expected = getattr(ours, field), getattr(theirs, field)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"ref": xgb.QuantileDMatrix(X[:, :2], Y)}, "same features."),
        ({"ref": xgb.QuantileDMatrix(X, Y, max_bin=16), "max_bin": 32}, "consistent: it is 32"),
        ({"ref": X}, "`ref` must be a DMatrix; got ndarray"),
        ({"max_bin": 1}, "`max_bin` must be from 2 to 65535; got 1"),
        ({"max_bin": 70_000}, "got 70000"),
        ({"max_bin": 2.5}, "`max_bin` must be an int; got 2.5"),
        ({"max_quantile_batches": 0}, "`max_quantile_batches` must be >= 1"),
        ({"data_split_mode": 1}, "`data_split_mode`"),
        ({"label": [1, 2]}, "`label`"),
        ({"missing": "?"}, "`missing`"),
    ],
)
def test_bad_arguments_are_refused(arguments, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        xgb.QuantileDMatrix(X, **{"label": Y, **arguments})


@pytest.mark.parametrize("data", [np.array([[np.inf]]), np.array([["a"]]), np.ones(3), "nowhere.csv?format=csv"])
def test_bad_data_are_refused(data):
    with pytest.raises(xgb.DataError):
        xgb.QuantileDMatrix(data)


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"tree_method": "hist", "max_bin": 32}, "`max_bin` must be consistent"),
        ({"tree_method": "hist"}, "`max_bin` must be consistent"),
        ({"tree_method": "exact"}, "Only the `hist` tree method"),
        ({"tree_method": "approx", "max_bin": 16}, "Only the `hist` tree method"),
    ],
)
def test_training_of_another_kind_is_refused(params, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        xgb.train(params, xgb.QuantileDMatrix(X, Y, max_bin=16), 1)


@pytest.mark.parametrize("reference", [None, "other"])
@pytest.mark.parametrize("kind", [xgb.DMatrix, xgb.QuantileDMatrix])
def test_evaluation_without_the_reference_is_refused(kind, reference):
    other = xgb.QuantileDMatrix(X, Y) if reference else None
    evals = [(xgb.QuantileDMatrix(X, Y, ref=other), "e")]
    with pytest.raises(xgb.DataError, match="should be used as a reference"):
        xgb.train(HIST, kind(X, Y), 1, evals=evals)


def test_what_needs_values_is_refused(tmp_path):
    matrix = xgb.QuantileDMatrix(X, Y)
    with pytest.raises(xgb.DataError, match="slice needs the values"):
        matrix.slice([0])
    with pytest.raises(xgb.DataError, match="binary file needs the values"):
        matrix.save_binary(tmp_path / "m")
    with pytest.raises(xgb.DataError, match="categories is settled"):
        matrix.feature_types = ["c", "q", "q"]


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (5, 1)])
@pytest.mark.parametrize("value", [np.nan, 0.0, 3e38, -1e-42])
def test_odd_shapes_and_values_train(shape, value):
    matrix = xgb.QuantileDMatrix(np.full(shape, value), np.arange(shape[0]))
    begin, cuts = matrix.get_quantile_cut()
    assert begin[-1] == len(cuts) == 2 * shape[1]
    assert matrix.num_nonmissing() == (0 if np.isnan(value) else shape[0] * shape[1])
    if shape[0]:
        whole = xgb.DMatrix(np.full(shape, value), np.arange(shape[0]))
        assert xgb.train(HIST, matrix, 2).save_raw() == xgb.train(HIST, whole, 2).save_raw()


@pytest.mark.parametrize("ratio", [-1, 2, "all"])
def test_external_memory_checks_its_arguments(ratio):
    class Empty(xgb.DataIter):
        def next(self, _):
            return False

        def reset(self):
            pass

    with pytest.raises(xgb.ParameterError, match="`cache_host_ratio`"):
        xgb.ExtMemQuantileDMatrix(Empty(), cache_host_ratio=ratio)
    with pytest.raises(xgb.UnsupportedDataError, match="must be a DataIter; got ndarray"):
        xgb.ExtMemQuantileDMatrix(X)


def test_the_representation_names_the_class():
    assert repr(xgb.QuantileDMatrix(X)) == "<xgb_like.QuantileDMatrix: 4 rows, 3 columns>"
