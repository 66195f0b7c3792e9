# SPDX-License-Identifier: Apache-2.0
"""Contributions beside xgboost and shap."""

import warnings

import numpy as np
import pytest

import xgb_like as xgb

real = pytest.importorskip("xgboost")
pytestmark = pytest.mark.peer

KINDS = [
    {"pred_contribs": True},
    {"pred_contribs": True, "approx_contribs": True},
    {"pred_interactions": True},
    {"pred_interactions": True, "approx_contribs": True},
]
MODELS = {
    "regression": {},
    "deep": {"max_depth": 12, "min_child_weight": 0},
    "forest": {"num_parallel_tree": 3, "subsample": 0.5},
    "poisson": {"objective": "count:poisson"},
    "dart": {"booster": "dart", "rate_drop": 0.5},
    "classes": {"objective": "multi:softprob", "num_class": 3},
}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_values_and_shapes_are_those_of_xgboost(holes, classes, name, kind):
    features, label = holes
    label = classes[1] if name == "classes" else np.abs(label)
    booster = xgb.train({"eta": 0.2, **MODELS[name]}, xgb.DMatrix(features, label), 8)
    theirs = real.Booster(model_file=booster.save_raw())
    for strict in (False, True):
        found = booster.predict(xgb.DMatrix(features), strict_shape=strict, **kind)
        expected = theirs.predict(real.DMatrix(features), strict_shape=strict, **kind)
        assert found.shape == expected.shape
        assert found == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[2]], ids=str)
def test_vector_leaves_agree_with_xgboost(regression, kind):
    pytest.importorskip("xgboost", minversion="3.4")  # earlier versions have no contributions of vector leaves
    features, label = regression
    labels = np.column_stack([label, features[:, 0]])
    params = {"multi_strategy": "multi_output_tree", "max_depth": 4}
    booster = xgb.train(params, xgb.DMatrix(features, labels), 5)
    expected = real.Booster(model_file=booster.save_raw()).predict(real.DMatrix(features), **kind)
    assert booster.predict(xgb.DMatrix(features), **kind) == pytest.approx(expected, abs=2e-5)


def test_linear_contributions_agree_with_xgboost(holes):
    features, label = holes
    booster = xgb.train({"booster": "gblinear"}, xgb.DMatrix(features, label), 5)
    theirs = real.Booster(model_file=booster.save_raw())
    for kind in KINDS[:2]:
        expected = theirs.predict(real.DMatrix(features), **kind)
        assert booster.predict(xgb.DMatrix(features), **kind) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS[:3], ids=str)
def test_categories_agree_with_xgboost(kind):
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    codes = random.integers(0, 12, 300)
    frame = pandas.DataFrame({"c": pandas.Categorical(codes), "x": random.normal(size=300)})
    label = np.sin(codes) + frame["x"] * (codes % 2)
    booster = xgb.train({"max_cat_to_onehot": 1}, xgb.DMatrix(frame, label), 6)
    theirs = real.Booster(model_file=booster.save_raw())
    expected = theirs.predict(real.DMatrix(frame, enable_categorical=True), **kind)
    assert booster.predict(xgb.DMatrix(frame), **kind) == pytest.approx(expected, abs=2e-5)


def shap_values(booster, features, **options):
    shap = pytest.importorskip("shap", minversion="0.50")  # reads models of XGBoost since 3.1
    explainer = shap.TreeExplainer(real.Booster(model_file=booster.save_raw()), **options)
    return explainer, explainer.shap_values(features)


def test_shap_reads_our_models_and_agrees(holes):
    features, label = holes
    booster = xgb.train({"max_depth": 5}, xgb.DMatrix(features, label), 8)
    explainer, expected = shap_values(booster, features)
    found = booster.predict(xgb.DMatrix(features), pred_contribs=True)
    assert found[:, :-1] == pytest.approx(expected, abs=1e-4)
    assert found[0, -1] == pytest.approx(float(explainer.expected_value), abs=1e-4)


def test_shap_agrees_against_a_background(regression):
    features, label = regression
    booster = xgb.train({"max_depth": 5}, xgb.DMatrix(features, label), 8)
    background = features[:40]
    _, expected = shap_values(booster, features, data=background, feature_perturbation="interventional")
    found = booster.predict(xgb.DMatrix(features), pred_contribs=True, background=xgb.DMatrix(background))
    assert found[:, :-1] == pytest.approx(expected, abs=1e-4)
