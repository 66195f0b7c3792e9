# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import xgb_like as xgb
from xgb_like.interpret import shap_values

pytest.importorskip("sklearn")


def test_values_and_bias_add_up_to_the_margin(binary, classes):
    for features, labels in (binary, classes):
        model = xgb.XGBClassifier(n_estimators=4, max_depth=2).fit(features, labels)
        values, bias = shap_values(model, features)
        assert values.shape == (*bias.shape, features.shape[1])
        assert np.allclose(values.sum(-1) + bias, model.predict(features, output_margin=True), atol=1e-5)


def test_rounds_and_background_are_those_asked_for(regression):
    features, labels = regression
    booster = xgb.train({"max_depth": 2}, xgb.DMatrix(features, labels), 4)
    matrix = xgb.DMatrix(features)
    for options in ({"iteration_range": (0, 2)}, {"background": xgb.DMatrix(features[:9])}):
        both = booster.predict(matrix, pred_contribs=True, **options)
        ours = {"X_background" if name == "background" else name: value for name, value in options.items()}
        values, bias = shap_values(booster, features, **ours)
        assert np.array_equal(values, both[:, :-1])
        assert np.array_equal(bias, both[:, -1])


def test_missing_is_that_of_the_estimator(regression):
    features, labels = regression
    holes = np.where(features > 1, -9, features)
    model = xgb.XGBRegressor(n_estimators=3, missing=-9).fit(holes, labels)
    values = shap_values(model, holes)[0]
    assert np.array_equal(values, shap_values(model.get_booster(), holes, missing=-9)[0])
    assert np.array_equal(values, shap_values(model, np.where(features > 1, np.nan, features))[0])


def test_what_cannot_be_explained_is_refused(booster, regression):
    with pytest.raises(ValueError, match="`missing` must not be specified when `X` is a DMatrix"):
        shap_values(booster, xgb.DMatrix(regression[0]), missing=0)
    with pytest.raises(ValueError, match="`model` must be a Booster"):
        shap_values(3, regression[0])


def test_a_model_needs_a_method_that_returns_its_booster(regression):
    class Named:
        get_booster = "booster"

    with pytest.raises(TypeError, match=r"get_booster\(\)"):
        shap_values(Named(), regression[0])
