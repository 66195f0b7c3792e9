# SPDX-License-Identifier: Apache-2.0
"""Predictions and scores of the estimators beside XGBoost's, exactly grown, on real data."""

import warnings

import numpy as np
import pytest

import xgb_like as xgb

pytest.importorskip("sklearn")
peer = pytest.importorskip("xgboost")
pandas = pytest.importorskip("pandas")

pytestmark = pytest.mark.peer

EXACT = {"n_estimators": 10, "max_depth": 4, "tree_method": "exact", "n_jobs": 2}
PLAIN = {"enable_categorical": True}


def read(folder, name, limit=4000):
    table = pandas.read_parquet(folder / f"{name}.parquet").sample(frac=1, random_state=0).head(limit)
    features = table[[column for column in table.columns if not column.startswith("__")]]
    return features.select_dtypes("number").reset_index(drop=True), table["__label__"].to_numpy()


def both(name, **params):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of the forests
        return getattr(xgb, name)(**params), getattr(peer, name)(**params)


@pytest.mark.parametrize("data", ["california_housing", "bike_hour", "kc_housing"])
def test_regression(data_folder, data):
    features, label = read(data_folder, data)
    ours, theirs = (model.fit(features, label) for model in both("XGBRegressor", **EXACT))
    assert np.allclose(ours.predict(features), theirs.predict(features), rtol=1e-4)
    assert ours.score(features, label) == pytest.approx(theirs.score(features, label), abs=1e-5)
    assert np.allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-4)
    assert np.allclose(ours.intercept_, theirs.intercept_, rtol=1e-5)


@pytest.mark.parametrize("data", ["adult", "titanic", "magic", "letter", "shuttle", "polish_bankruptcy"])
def test_classification(data_folder, data):
    if data == "shuttle":
        pytest.importorskip("xgboost", minversion="3.4")  # sums of earlier versions break near-ties otherwise
    features, label = read(data_folder, data)
    _, label = np.unique(label, return_inverse=True)
    ours, theirs = (model.fit(features, label) for model in both("XGBClassifier", **EXACT))
    assert np.allclose(ours.predict_proba(features), theirs.predict_proba(features), atol=1e-4)
    assert (ours.predict(features) == theirs.predict(features)).mean() > 0.999
    assert ours.get_xgb_params()["objective"] == theirs.get_xgb_params()["objective"]


@pytest.mark.parametrize("data", ["adult", "bank_marketing"])
def test_classification_by_histograms_scores_alike(data_folder, data):
    features, label = read(data_folder, data, 10_000)
    models = both("XGBClassifier", n_estimators=50, n_jobs=2)
    ours, theirs = (model.fit(features[:7000], label[:7000]).score(features[7000:], label[7000:]) for model in models)
    assert ours > theirs - 0.006


@pytest.mark.filterwarnings("ignore:The model was trained with `base_margin`")
def test_weights_margins_and_evaluation(data_folder):
    features, label = read(data_folder, "california_housing")
    rng = np.random.default_rng(0)
    fit = {
        "sample_weight": rng.random(4000) + 0.1,
        "base_margin": rng.normal(size=4000),
        "eval_set": [(features[:500], label[:500]), (features[500:900], label[500:900])],
        "sample_weight_eval_set": [rng.random(500), None],
        "verbose": False,
    }
    models = both("XGBRegressor", **EXACT, eval_metric=["rmse", "mae"])
    ours, theirs = (model.fit(features, label, **fit).evals_result() for model in models)
    assert list(ours) == list(theirs)
    for name, scores in theirs.items():
        assert list(ours[name]) == list(scores)
        assert all(np.allclose(ours[name][metric], values, rtol=1e-4) for metric, values in scores.items())


def test_stopping_early(data_folder):
    features, label = read(data_folder, "adult")
    params = {**EXACT, "n_estimators": 300, "learning_rate": 0.5, "early_stopping_rounds": 5}
    fit = {"eval_set": [(features[3000:], label[3000:])], "verbose": False}
    ours, theirs = (model.fit(features[:3000], label[:3000], **fit) for model in both("XGBClassifier", **params))
    assert ours.best_iteration == theirs.best_iteration
    assert ours.best_score == pytest.approx(theirs.best_score, rel=1e-4)
    assert np.allclose(ours.predict_proba(features), theirs.predict_proba(features), atol=1e-3)


def test_ranking(data_folder):
    table = pandas.read_parquet(data_folder / "lgb_lambdarank.parquet").head(2000)
    features = table[[column for column in table.columns if not column.startswith("__")]]
    frame = features.assign(qid=table["__qid__"].to_numpy())
    label = table["__label__"].to_numpy()
    ours, theirs = (model.fit(frame, label) for model in both("XGBRanker", **{**EXACT, "tree_method": "hist"}))
    assert ours.score(frame, label) == pytest.approx(theirs.score(frame, label), abs=0.02)
    assert ours.predict(frame).shape == theirs.predict(frame).shape


def test_forests_score_alike(data_folder):
    features, label = read(data_folder, "california_housing")
    ours, theirs = both("XGBRFRegressor", n_estimators=30, max_depth=8)
    ours, theirs = (
        model.fit(features[:3000], label[:3000]).score(features[3000:], label[3000:]) for model in (ours, theirs)
    )
    assert ours > theirs - 0.02


def test_several_labels_and_targets(data_folder):
    features, label = read(data_folder, "letter")
    bits = (label[:, None] >> np.arange(3)) & 1
    ours, theirs = (model.fit(features, bits) for model in both("XGBClassifier", **EXACT))
    assert np.allclose(ours.predict_proba(features), theirs.predict_proba(features), atol=1e-4)
    ours, theirs = (model.fit(features, bits) for model in both("XGBRegressor", **EXACT))
    assert np.allclose(ours.predict(features), theirs.predict(features), atol=1e-4)


def test_functions_of_the_user(data_folder):
    def objective(y_true, y_pred, sample_weight=None):
        weight = 1 if sample_weight is None else sample_weight
        return weight * (y_pred - y_true), weight * np.ones_like(y_pred)

    metrics = pytest.importorskip("sklearn.metrics")
    features, label = read(data_folder, "bike_hour")
    fit = {"eval_set": [(features, label)], "sample_weight": np.linspace(1, 2, 4000), "verbose": False}
    models = both("XGBRegressor", **EXACT, objective=objective, eval_metric=metrics.mean_absolute_error)
    ours, theirs = (model.fit(features, label, **fit) for model in models)
    assert np.allclose(ours.predict(features), theirs.predict(features), rtol=1e-3, atol=1e-2)
    ours, theirs = (model.evals_result()["validation_0"]["mean_absolute_error"] for model in (ours, theirs))
    assert np.allclose(ours, theirs, rtol=1e-3)
