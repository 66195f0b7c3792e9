# SPDX-License-Identifier: Apache-2.0
"""What features add to predictions: shapes, sums, and what cannot be asked for."""

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import DataError, ParameterError

KINDS = {
    "contributions": {"pred_contribs": True},
    "approximate": {"pred_contribs": True, "approx_contribs": True},
    "interactions": {"pred_interactions": True},
    "diagonal": {"pred_interactions": True, "approx_contribs": True},
}


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def sums(values, outputs):
    return values.sum(axis=tuple(range(1 if outputs == 1 else 2, values.ndim)))


def margins(booster, matrix):
    return booster.predict(matrix, output_margin=True)


def shape(rows, outputs, width, kind):
    return (rows, *outputs, *([width] * (2 if "pred_interactions" in kind else 1)))


def test_rows_add_up_to_margins(holes, kind):
    data = xgb.DMatrix(*holes)
    booster = xgb.train({"max_depth": 5}, data, 20)
    found = booster.predict(data, **kind)
    assert found.dtype == np.float32
    assert found.shape == shape(300, (), 6, kind)
    assert sums(found, 1) == pytest.approx(margins(booster, data), abs=1e-5)


def test_each_class_has_its_own(classes, kind):
    data = xgb.DMatrix(*classes)
    booster = xgb.train({"objective": "multi:softprob", "num_class": 3}, data, 5)
    found = booster.predict(data, **kind)
    assert found.shape == shape(300, (3,), 6, kind)
    assert sums(found, 3) == pytest.approx(margins(booster, data), abs=1e-5)


def test_strict_shapes_have_an_axis_for_outputs(booster, dtrain, kind):
    found = booster.predict(dtrain, strict_shape=True, **kind)
    assert found.shape == shape(300, (1,), 6, kind)
    assert np.array_equal(found[:, 0], booster.predict(dtrain, **kind))


@pytest.mark.parametrize(
    "params",
    [
        {"booster": "dart", "rate_drop": 0.5},
        {"booster": "gblinear"},
        {"multi_strategy": "multi_output_tree", "targets": 2},
        {"num_parallel_tree": 3, "subsample": 0.5},
        {"booster": "adaboost", "objective": "binary:logistic"},
    ],
    ids=str,
)
def test_every_kind_of_model_adds_up(regression, kind, params):
    features, label = regression
    targets = params.pop("targets", 1)
    label = (label > 0).astype(np.float32) if "objective" in params else label
    data = xgb.DMatrix(features, np.column_stack([label, -label]) if targets == 2 else label)
    booster = xgb.train(params, data, 6)
    assert sums(booster.predict(data, **kind), targets) == pytest.approx(margins(booster, data), abs=1e-5)


def test_base_margins_are_part_of_the_bias(dtrain, kind):
    booster = xgb.train({"base_score": 0.25}, dtrain, 4)
    before = booster.predict(dtrain, **kind)
    dtrain.set_base_margin(np.arange(300.0))
    change = (booster.predict(dtrain, **kind) - before).reshape(300, -1)
    assert change[:, -1] == pytest.approx(np.arange(300) - 0.25, abs=1e-4)
    assert not change[:, :-1].any()


def test_a_range_of_rounds_is_explained_alone(booster, dtrain, kind):
    found = booster.predict(dtrain, iteration_range=(1, 3), **kind)
    assert np.array_equal(found, booster[1:3].predict(dtrain, **kind))


def test_features_that_no_tree_uses_get_nothing(regression):
    features, label = regression
    wide = np.column_stack([features, np.zeros((300, 50))])
    found = xgb.train({}, xgb.DMatrix(wide, label), 3).predict(xgb.DMatrix(wide), pred_contribs=True)
    assert found.shape == (300, 56)
    assert not found[:, 5:55].any()


def test_quantised_sparse_and_dense_matrices_agree(holes, kind):
    sparse = pytest.importorskip("scipy.sparse")
    features, label = holes
    data = xgb.QuantileDMatrix(features, label)
    booster = xgb.train({}, data, 5)
    present = ~np.isnan(features)
    csr = sparse.csr_matrix((features[present], np.nonzero(present)), shape=features.shape)
    expected = booster.predict(xgb.DMatrix(features), **kind)
    assert np.array_equal(booster.predict(data, **kind), expected)
    assert np.array_equal(booster.predict(xgb.DMatrix(csr), **kind), expected)


def test_threads_make_no_difference(holes, kind):
    data = xgb.DMatrix(*holes)
    booster = xgb.train({"nthread": 1}, data, 5)
    alone = booster.predict(data, **kind)
    booster.set_param("nthread", 3)
    assert np.array_equal(booster.predict(data, **kind), alone)


def test_categories_are_told_by_name(kind):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"c": pandas.Categorical(list("abcabcab")), "x": np.arange(8.0)})
    data = xgb.DMatrix(frame, (frame["c"] == "b") + frame["x"])
    booster = xgb.train({"min_child_weight": 0}, data, 10)
    other = frame.assign(c=frame["c"].cat.reorder_categories(list("cab")))
    expected = booster.predict(data, **kind)
    assert np.array_equal(booster.predict(xgb.DMatrix(other), **kind), expected)
    assert sums(expected, 1) == pytest.approx(margins(booster, data), abs=1e-5)


@pytest.mark.parametrize("rows", [0, 1])
def test_no_rows_and_one_row(booster, rows, kind):
    assert booster.predict(xgb.DMatrix(np.full((rows, 5), np.nan)), **kind).shape == shape(rows, (), 6, kind)


def test_a_model_of_no_rounds_has_just_a_bias(dtrain, kind):
    found = xgb.train({"base_score": 0.25}, dtrain, 0).predict(dtrain, **kind).reshape(300, -1)
    assert set(found[:, -1]) == {np.float32(0.25)}
    assert not found[:, :-1].any()


def test_one_kind_at_a_time(booster, dtrain):
    for second in ("pred_interactions", "pred_leaf", "output_margin"):
        with pytest.raises(ParameterError, match="One type of prediction at a time"):
            booster.predict(dtrain, pred_contribs=True, **{second: True})
    with pytest.warns(UserWarning, match="`approx_contribs` has no effect"):
        booster.predict(dtrain, approx_contribs=True)


def test_wrong_columns_and_ranges_are_refused(booster, kind):
    with pytest.raises(DataError, match="trained on 5 features"):
        booster.predict(xgb.DMatrix(np.zeros((2, 4))), **kind)
    with pytest.raises(ParameterError):
        booster.predict(xgb.DMatrix(np.zeros((2, 5))), iteration_range=(0, 9), **kind)


# Against a background


def test_the_bias_is_the_mean_of_the_background(booster, dtrain):
    background = dtrain.slice(list(range(20)))
    found = booster.predict(dtrain, pred_contribs=True, background=background)
    assert found[:, -1] == pytest.approx(margins(booster, background).mean(), abs=1e-5)
    assert found.sum(axis=1) == pytest.approx(margins(booster, dtrain), abs=1e-5)


def test_a_background_of_one_row_explains_the_difference_to_it(booster, regression):
    features, _ = regression
    one, other = xgb.DMatrix(features[:1]), xgb.DMatrix(features[1:2])
    found = booster.predict(one, pred_contribs=True, background=other)[0, :-1]
    assert found[features[0] == features[1]] == pytest.approx(0)
    assert found.sum() == pytest.approx(margins(booster, one)[0] - margins(booster, other)[0], abs=1e-5)
    assert not booster.predict(one, pred_contribs=True, background=one)[0, :-1].any()


@pytest.mark.parametrize("booster_kind", ["gbtree", "dart", "gblinear"])
def test_backgrounds_work_for_every_booster(regression, booster_kind):
    data = xgb.DMatrix(*regression)
    booster = xgb.train({"booster": booster_kind}, data, 4)
    found = booster.predict(data, pred_contribs=True, background=data)
    assert found.sum(axis=1) == pytest.approx(margins(booster, data), abs=1e-5)
    assert found[:, :-1].mean(axis=0) == pytest.approx(np.zeros(5), abs=1e-5)


def test_threads_make_no_difference_against_a_background(booster, dtrain):
    alone = booster.predict(dtrain, pred_contribs=True, background=dtrain)
    booster.set_param("nthread", 3)
    assert booster.predict(dtrain, pred_contribs=True, background=dtrain) == pytest.approx(alone, abs=1e-6)


def test_bad_backgrounds_are_refused(booster, dtrain):
    with pytest.raises(ParameterError, match="`background` goes with `pred_contribs=True` alone"):
        booster.predict(dtrain, pred_interactions=True, background=dtrain)
    with pytest.raises(DataError, match="`background` has no rows"):
        booster.predict(dtrain, pred_contribs=True, background=xgb.DMatrix(np.zeros((0, 5))))
    with pytest.raises(DataError, match="features"):
        booster.predict(dtrain, pred_contribs=True, background=xgb.DMatrix(np.zeros((3, 4))))
    named = xgb.train({}, xgb.DMatrix(np.eye(5), np.arange(5), feature_names=list("abcde")), 1)
    same, other = (xgb.DMatrix(np.eye(5), feature_names=list(names)) for names in ("abcde", "abcdz"))
    with pytest.raises(DataError, match="feature_names mismatch"):
        named.predict(same, pred_contribs=True, background=other)
    with pytest.raises(xgb.UnsupportedDataError, match="`background` must be a DMatrix"):
        booster.predict(dtrain, pred_contribs=True, background=np.zeros((3, 5)))


@pytest.mark.parametrize("booster", ["gbtree", "gblinear"])
def test_weights_of_the_background_are_numbers_of_rows(regression, booster):
    features, label = regression
    data = xgb.DMatrix(features, label)
    model = xgb.train({"booster": booster}, data, 5)
    weights = np.arange(30)
    weighted = xgb.DMatrix(features[:30], weight=weights)
    repeated = xgb.DMatrix(np.repeat(features[:30], weights, axis=0))
    expected = model.predict(data, pred_contribs=True, background=repeated)
    found = model.predict(data, pred_contribs=True, background=weighted)
    assert np.allclose(found, expected, atol=1e-5)
    assert not np.allclose(
        found, model.predict(data, pred_contribs=True, background=xgb.DMatrix(features[:30])), atol=1e-3
    )
    with pytest.raises(xgb.DataError, match="All weights are 0; `background` needs one that is positive"):
        model.predict(data, pred_contribs=True, background=xgb.DMatrix(features[:3], weight=np.zeros(3)))
