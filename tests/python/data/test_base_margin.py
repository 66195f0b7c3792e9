# SPDX-License-Identifier: Apache-2.0
"""A model that was trained with base margins warns where it predicts without."""

import pickle
import warnings

import numpy as np
import pytest

import xgb_like as xgb

TEXT = "trained with `base_margin`, and the data have none"
PARAMS = {"max_depth": 2, "objective": "count:poisson"}
QUIET = {"verbose_eval": False}


@pytest.fixture(name="rows", scope="module")
def _rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(200, 3)).astype(np.float32), rng.poisson(3, 200), np.log(rng.uniform(1, 20, 200))


@pytest.fixture(name="train", scope="module")
def _train(rows):
    return xgb.DMatrix(rows[0], rows[1], base_margin=rows[2])


@pytest.fixture(name="model", scope="module")
def _model(train):
    return xgb.train(PARAMS, train, 3)


def warned(call, text=TEXT):
    with pytest.warns(UserWarning, match=text) as caught:
        result = call()
    assert [warning.filename for warning in caught] == [__file__]
    return result


def silent(call):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call()


def test_predictions_without_margins_warn_once_a_call(model, train, rows):
    features, label, margin = rows
    bare = xgb.DMatrix(features, label)
    predictor = model.predictor()
    for _ in range(2):
        expected = warned(lambda: model.predict(bare))
        np.testing.assert_array_equal(warned(lambda: model.inplace_predict(features)), expected)
        np.testing.assert_array_equal(warned(lambda: predictor.predict(features)), expected)
        np.testing.assert_array_equal(warned(lambda: predictor.predict(features[:1])), expected[:1])
        np.testing.assert_array_equal(warned(lambda: model.inplace_predict(features.astype(object))), expected)
    warned(lambda: model.predict(bare, pred_contribs=True))
    warned(lambda: model.eval(bare))
    warned(lambda: model.refit(bare))
    warned(lambda: xgb.explain.partial_dependence(model, features[:9], 0))
    silent(lambda: model.predict(bare, pred_leaf=True))
    silent(lambda: model.predict(train))
    silent(lambda: model.predict(train, pred_contribs=True))
    silent(lambda: model.inplace_predict(features, base_margin=margin))
    silent(lambda: model.eval(train))


def test_the_quick_way_warns_as_well(model, rows, monkeypatch):
    expected = warned(lambda: model.inplace_predict(rows[0]))
    predictor = model.predictor()
    monkeypatch.setattr("xgb_like._model._reading.read_rows", None)  # the general way needs it
    np.testing.assert_array_equal(warned(lambda: model.inplace_predict(rows[0])), expected)
    np.testing.assert_array_equal(warned(lambda: predictor.predict(rows[0][:1])), expected[:1])
    with xgb.config_context(verbosity=0):
        silent(lambda: predictor.predict(rows[0]))


def test_the_warning_can_be_filtered(model, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*`base_margin`")
        model.inplace_predict(rows[0])
    with xgb.config_context(verbosity=0):
        silent(lambda: model.inplace_predict(rows[0]))


@pytest.mark.parametrize("way", ["json", "ubj", "pickle", "copy", "slice", "xgboost"])
def test_models_remember_it(model, rows, tmp_path, way):
    if way in ("json", "ubj"):
        model.save_model(tmp_path / f"m.{way}")
        other = xgb.Booster(model_file=tmp_path / f"m.{way}")
    elif way == "xgboost":
        peer = pytest.importorskip("xgboost")
        theirs = peer.Booster(model_file=bytearray(model.save_raw("json")))
        features, _, margin = rows
        np.testing.assert_allclose(
            theirs.predict(peer.DMatrix(features, base_margin=margin)),
            model.inplace_predict(features, base_margin=margin),
            rtol=1e-5,
        )
        other = xgb.Booster(model_file=bytes(theirs.save_raw("ubj")))
    else:
        other = {"pickle": lambda: pickle.loads(pickle.dumps(model)), "copy": model.copy, "slice": lambda: model[:2]}[
            way
        ]()
    assert other.attributes() == model.attributes() == {}
    warned(lambda: other.inplace_predict(rows[0]))


def test_evaluation_data_without_margins_warn_once(train, rows):
    evals = [(xgb.DMatrix(*rows[:2]), name) for name in "ab"]
    warned(lambda: xgb.train(PARAMS, train, 3, evals=evals, **QUIET))
    silent(lambda: xgb.train(PARAMS, train, 3, evals=[(train, "train")], **QUIET))


def test_training_that_goes_on_without_margins_warns(model, train, rows):
    bare = xgb.DMatrix(*rows[:2])
    warned(lambda: xgb.train(PARAMS, bare, 1, xgb_model=model))
    silent(lambda: xgb.train(PARAMS, train, 1, xgb_model=model))


def test_margins_for_a_model_without_are_legal(train, rows):
    bare = xgb.DMatrix(*rows[:2])
    model = silent(lambda: xgb.train(PARAMS, bare, 2, evals=[(train, "e")], **QUIET))
    silent(lambda: model.predict(train))
    silent(lambda: model.inplace_predict(rows[0], base_margin=rows[2]))
    assert b"base_margin" not in model.save_raw("json")
    more = silent(lambda: xgb.train(PARAMS, train, 1, xgb_model=model))
    warned(lambda: more.predict(bare))


def test_estimators_warn(rows):
    features, label, margin = rows
    model = xgb.XGBRegressor(n_estimators=2, objective="count:poisson").fit(features, label, base_margin=margin)
    warned(lambda: model.predict(features))
    silent(lambda: model.predict(features, base_margin=margin))
    warned(lambda: model.fit(features, label, base_margin=margin, eval_set=[(features, label)], verbose=False))


def test_a_merged_model_needs_no_margins_of_its_own_first_part(rows):
    features, label, _ = rows
    first = xgb.train(PARAMS, xgb.DMatrix(features, label), 2)
    margin = first.inplace_predict(features, predict_type="margin")
    second = xgb.train(PARAMS, xgb.DMatrix(features, label, base_margin=margin), 2)
    silent(lambda: first.merge(second, add_intercept=False).inplace_predict(features))
    warned(lambda: first.merge(second).inplace_predict(features))


def test_linear_models_warn(train, rows):
    model = xgb.train({"booster": "gblinear"}, train, 2)
    warned(lambda: model.inplace_predict(rows[0]))
    warned(lambda: model.predict(xgb.DMatrix(rows[0])))
