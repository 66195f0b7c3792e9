# SPDX-License-Identifier: Apache-2.0
import pickle
import sys
from array import array
from ctypes import c_double

import numpy as np
import pytest

import xgb_like as xgb

TEXT = "w" if sys.version_info >= (3, 13) else "u"  # of an array; the latter is deprecated


@pytest.fixture
def models(regression, classes):
    """A model of one output, one of three, one that predicts classes, and a forest of three outputs."""
    number, kinds = xgb.DMatrix(*regression), xgb.DMatrix(*classes)
    base = {"max_depth": 2, "nthread": 1}
    return {
        "number": xgb.train(base, number, 3),
        "shares": xgb.train({**base, "objective": "multi:softprob", "num_class": 3}, kinds, 3),
        "class": xgb.train({**base, "objective": "multi:softmax", "num_class": 3}, kinds, 3),
        "forest": xgb.train(
            {**base, "objective": "multi:softprob", "num_class": 3, "num_parallel_tree": 2, "subsample": 0.5}, kinds, 3
        ),
    }


SHAPES = {
    # how, strict: shape by model
    ("value", False): {"number": (9,), "shares": (9, 3), "class": (9,), "forest": (9, 3)},
    ("value", True): {"number": (9, 1), "shares": (9, 3), "class": (9, 1), "forest": (9, 3)},
    ("margin", False): {"number": (9,), "shares": (9, 3), "class": (9, 3), "forest": (9, 3)},
    ("margin", True): {"number": (9, 1), "shares": (9, 3), "class": (9, 3), "forest": (9, 3)},
    ("leaf", False): {"number": (9, 3), "shares": (9, 9), "class": (9, 9), "forest": (9, 18)},
    ("leaf", True): {"number": (9, 3, 1, 1), "shares": (9, 3, 3, 1), "class": (9, 3, 3, 1), "forest": (9, 3, 3, 2)},
}


@pytest.mark.parametrize(("kind", "strict"), SHAPES)
def test_shapes(models, regression, kind, strict):
    data = xgb.DMatrix(regression[0][:9])
    for name, model in models.items():
        how = {"output_margin": kind == "margin", "pred_leaf": kind == "leaf", "strict_shape": strict}
        found = model.predict(data, **how)
        assert found.shape == SHAPES[kind, strict][name], name
        assert found.dtype == np.float32


def test_leaves_of_one_tree_are_one_dimension(booster, dtrain):
    assert booster.predict(dtrain, pred_leaf=True, iteration_range=(0, 1)).shape == (300,)


def test_leaves_lead_to_the_margin(booster, dtrain):
    pytest.importorskip("pandas")
    table = booster.trees_to_dataframe().set_index("ID")["Gain"]
    leaves = booster.predict(dtrain, pred_leaf=True).astype(int)
    sums = [sum(table[f"{tree}-{leaf}"] for tree, leaf in enumerate(row)) for row in leaves[:20]]
    margin = booster.predict(dtrain, output_margin=True)[:20]
    np.testing.assert_allclose(margin - margin[0], np.array(sums) - sums[0], atol=1e-5)


def test_shares_sum_to_one_and_the_class_is_the_largest(models, regression):
    data = xgb.DMatrix(regression[0])
    shares = models["shares"].predict(data)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(models["class"].predict(data), shares.argmax(axis=1))


@pytest.mark.parametrize("ends", [(0, 2), (1, 4), (np.int64(2), np.int32(3)), [0, 1], (1, 0)])
def test_iteration_ranges_equal_slices(booster, dtrain, ends):
    part = booster[int(ends[0]) : int(ends[1]) or None]
    found = booster.predict(dtrain, iteration_range=ends)
    np.testing.assert_array_equal(found, part.predict(dtrain))
    np.testing.assert_array_equal(found, booster.inplace_predict(_table(dtrain), iteration_range=ends))


def _table(data):
    pytest.importorskip("scipy")
    return data.get_data().toarray()


@pytest.mark.parametrize("ends", [(0, 5), (3, 2), (4, 4), (-1, 2), (0,), None, (0, 1.5), ("a", "b"), 3])
def test_bad_iteration_ranges_are_refused(booster, dtrain, ends):
    with pytest.raises(xgb.ParameterError, match="iteration_range"):
        booster.predict(dtrain, iteration_range=ends)


def test_base_margin_replaces_the_intercept(booster, regression):
    plain = booster.predict(xgb.DMatrix(regression[0], base_margin=np.zeros(300)))
    shifted = booster.predict(xgb.DMatrix(regression[0], base_margin=np.full(300, 2)))
    np.testing.assert_allclose(shifted - plain, 2, rtol=1e-5)
    np.testing.assert_array_equal(shifted, booster.inplace_predict(regression[0], base_margin=np.full(300, 2)))


@pytest.mark.parametrize("kind", [memoryview, list, lambda values: values, lambda values: (c_double * 300)(*values)])
def test_base_margins_may_be_any_buffer(booster, regression, kind):
    margin = array("d", np.linspace(-1, 1, 300))
    expected = booster.inplace_predict(regression[0], base_margin=np.array(margin))
    np.testing.assert_array_equal(booster.inplace_predict(regression[0], base_margin=kind(margin)), expected)


@pytest.mark.parametrize(
    "margin", [np.zeros(299), np.zeros((300, 2)), "a", b"a" * 300, array("d", [0] * 299), array(TEXT, "a" * 300)]
)
def test_bad_base_margins_are_refused(booster, regression, margin):
    with pytest.raises(xgb.DataError, match="base_margin"):
        booster.inplace_predict(regression[0], base_margin=margin)


def test_inplace_prediction_on_every_kind_of_table(holes):
    sparse, pd, pl, pa = (pytest.importorskip(m) for m in ("scipy.sparse", "pandas", "polars", "pyarrow"))
    features, label = holes
    booster = xgb.train({"max_depth": 3}, xgb.DMatrix(features, label), 4)
    expected = booster.predict(xgb.DMatrix(features))
    frame = pd.DataFrame(features)
    tables = [features, features.astype(float), np.asfortranarray(features), features.tolist(), frame]
    tables += [frame.convert_dtypes(), pl.DataFrame(features), pa.table({str(i): c for i, c in enumerate(features.T)})]
    tables.append(pl.DataFrame(features).lazy())
    for table in tables:
        np.testing.assert_array_equal(booster.inplace_predict(table, validate_features=False), expected)
    filled = sparse.csr_matrix(np.nan_to_num(features))
    np.testing.assert_array_equal(booster.inplace_predict(filled), booster.predict(xgb.DMatrix(filled)))
    np.testing.assert_array_equal(booster.inplace_predict(np.nan_to_num(features), missing=0), expected)


@pytest.mark.parametrize("form", ["csc_matrix", "coo_matrix", "csc_array", "coo_array"])
def test_inplace_prediction_refuses_sparse_columns(booster, form):
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match=f"{form} is not supported by inplace prediction"):
        booster.inplace_predict(getattr(sparse, form)(np.eye(5)))


@pytest.mark.parametrize(
    ("data", "how", "text"),
    [
        (np.zeros((2, 4)), {}, "Feature shape mismatch, expected: 5, got 4"),
        (np.zeros((2, 6)), {}, "expected: 5, got 6"),
        (np.zeros(5), {}, "reshape the input data"),
        (np.zeros((2, 5)), {"predict_type": "leaf"}, "`predict_type` must be value or margin"),
        ("data.csv?format=csv", {}, "str is not supported by inplace prediction"),
        (np.zeros((2, 4)), {"validate_features": False}, "5 features, but the data have 4"),
        (np.zeros((2, 5)), {"missing": "x"}, "`missing` must be a number"),
    ],
)
def test_bad_inplace_predictions_are_refused(booster, data, how, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        booster.inplace_predict(data, **how)


def test_infinite_cells_are_compared_in_place(booster):
    low, high = booster.inplace_predict([[-np.inf] * 5, [np.inf] * 5])
    assert (low, high) == tuple(booster.inplace_predict([[-3e38] * 5, [3e38] * 5]))


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (None, "did not contain feature names, but the following fields are expected: a, b, c, d, e"),
        (
            list("abcdx"),
            "mismatch.*has 5.*5.\nMissing: expected e in the data.\nExtra: .* fields: x.\n.*feature_names`",
        ),
    ],
)
def test_names_of_features_are_compared(booster, regression, names, text):
    booster.feature_names = list("abcde")
    data = xgb.DMatrix(regression[0], feature_names=names)
    with pytest.raises(xgb.DataError, match=text):
        booster.predict(data)
    with pytest.raises(xgb.DataError, match="feature"):
        booster.eval(xgb.DMatrix(*regression, feature_names=names))
    assert booster.predict(data, validate_features=False).shape == (300,)


def test_a_model_without_names_takes_any(booster, regression):
    assert booster.predict(xgb.DMatrix(regression[0], feature_names=list("abcde"))).shape == (300,)


def test_no_rows_give_no_predictions(models):
    empty = np.zeros((0, 5))
    assert models["number"].predict(xgb.DMatrix(empty)).shape == (0,)
    assert models["shares"].inplace_predict(empty).shape == (0, 3)
    assert models["forest"].predict(xgb.DMatrix(empty), pred_leaf=True, strict_shape=True).shape == (0, 3, 3, 2)


def test_missing_huge_and_denormal_cells_are_predicted(booster):
    rows = np.array([[np.nan] * 5, [3.4e38] * 5, [-3.4e38] * 5, [1e-45] * 5, [-0.0] * 5], dtype=np.float32)
    found = booster.predict(xgb.DMatrix(rows))
    assert np.isfinite(found).all()
    assert found[4] == booster.predict(xgb.DMatrix(np.zeros((1, 5))))[0]


def test_sparse_and_dense_data_are_predicted_alike(holes):
    sparse = pytest.importorskip("scipy.sparse")
    booster = xgb.train({"max_depth": 4}, xgb.DMatrix(*holes), 4)
    rows, columns = np.nonzero(~np.isnan(holes[0]))
    matrix = sparse.csr_matrix((holes[0][rows, columns], (rows, columns)), shape=holes[0].shape)
    expected = booster.predict(xgb.DMatrix(holes[0]))
    for form in (matrix, matrix.tocsc(), matrix.tocoo()):
        np.testing.assert_array_equal(booster.predict(xgb.DMatrix(form)), expected)


def test_predictions_follow_the_model_that_is_loaded(booster, dtrain):
    first = booster.predict(dtrain)
    booster.load_model(booster[:1].save_raw())
    assert not np.array_equal(booster.predict(dtrain), first)
    assert booster.num_boosted_rounds() == 1


def test_leaves_of_unequal_rounds(dtrain):
    booster = xgb.train({"max_depth": 2}, dtrain, 1)
    booster.set_param("num_parallel_tree", 3)
    booster.update(dtrain, 1)
    assert booster.predict(dtrain, pred_leaf=True).shape == (300, 4)
    with pytest.raises(xgb.ParameterError, match="`strict_shape`.*equal size"):
        booster.predict(dtrain, pred_leaf=True, strict_shape=True)
    first = booster.predict(dtrain, pred_leaf=True, strict_shape=True, iteration_range=(0, 1))
    assert first.shape == (300, 1, 1, 1)


def test_rounds_beyond_all_numbers_are_refused(booster, dtrain):
    with pytest.raises(xgb.ParameterError, match="`iteration_range`.*1180591620717411303424"):
        booster.predict(dtrain, iteration_range=(0, 2**70))


def test_values_of_the_only_feature_may_be_a_vector(regression):
    features, label = regression
    booster = xgb.train({"max_depth": 2}, xgb.DMatrix(features[:, :1], label), 2)
    np.testing.assert_array_equal(booster.inplace_predict(features[:, 0]), booster.inplace_predict(features[:, :1]))
    several = xgb.train({"max_depth": 2}, xgb.DMatrix(features, label), 2)
    with pytest.raises(xgb.DataError, match="reshape the input data"):
        several.inplace_predict(features[0])


def test_leaves_of_vectors_have_no_strict_shape(regression):
    features, label = regression
    data = xgb.DMatrix(features, np.column_stack([label, -label]))
    booster = xgb.train({"multi_strategy": "multi_output_tree"}, data, 2)
    assert booster.predict(data, pred_leaf=True).shape == (300, 2)
    with pytest.raises(xgb.ParameterError, match="not defined for vector leaf trees"):
        booster.predict(data, pred_leaf=True, strict_shape=True)


def test_what_has_neither_seen_data_nor_a_model_predicts_nothing(dtrain, regression):
    nothing = xgb.Booster({"base_score": 2})
    for predict in (
        lambda: nothing.predict(dtrain),
        lambda: nothing.predict(dtrain, pred_leaf=True),
        lambda: nothing.inplace_predict(regression[0]),
        lambda: nothing.eval(dtrain),
        lambda: pickle.loads(pickle.dumps(nothing)).predict(dtrain),
        nothing.predictor,
    ):
        with pytest.raises(xgb.XgbLikeError, match="no model to predict with: train one, or load one"):
            predict()
    knows_data = xgb.Booster({"base_score": 2}, [dtrain])
    loaded = xgb.Booster(model_file=knows_data.save_raw())
    for booster in (knows_data, pickle.loads(pickle.dumps(knows_data)), loaded, pickle.loads(pickle.dumps(loaded))):
        assert set(booster.predict(dtrain)) == set(booster.inplace_predict(regression[0])) == {2}
