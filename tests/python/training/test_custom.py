# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ARG001, ARG005  what is called has a fixed signature
import numpy as np
import pytest

import xgb_like as xgb

PARAMS = {"max_depth": 3, "nthread": 1}


def squared(margin, data):
    return margin - data.get_label(), np.ones(len(margin))


def softmax(margin, data):
    shares = np.exp(margin) / np.exp(margin).sum(axis=1, keepdims=True)
    hit = np.arange(margin.shape[1]) == data.get_label()[:, None]
    return shares - hit, np.maximum(2 * shares * (1 - shares), 1e-6)


def test_an_objective_of_ones_own_equals_the_built_in(dtrain):
    ours = xgb.train({**PARAMS, "base_score": 0.5}, dtrain, 3, obj=squared)
    theirs = xgb.train({**PARAMS, "base_score": 0.5}, dtrain, 3)
    assert ours.save_raw() == theirs.save_raw()


@pytest.mark.parametrize("order", ["C", "F"])
def test_objectives_of_several_outputs(classes, order):
    data = xgb.DMatrix(*classes)
    params = {**PARAMS, "objective": "multi:softprob", "num_class": 3}

    def own(margin, data):
        assert margin.shape == (300, 3)
        gradient, hessian = softmax(margin, data)
        return np.asarray(gradient, np.float64, order=order), np.asarray(hessian, np.float32, order=order)

    booster = xgb.train({**params, "base_score": 0.5}, data, 3, obj=own)
    built_in = xgb.train({**params, "base_score": 0.5}, data, 3)
    np.testing.assert_allclose(booster.predict(data), built_in.predict(data), atol=1e-3)


@pytest.mark.parametrize(
    ("own", "text"),
    [
        (lambda p, d: None, "must return a gradient and a hessian; got NoneType"),
        (lambda p, d: (p,), "must return a gradient and a hessian; got tuple"),
        (lambda p, d: (p[:5], p[:5]), r"`grad` must have the shape \(300,\)"),
        (lambda p, d: (p, p[:, None] * np.ones(2)), "the same shape"),
        (lambda p, d: (p * np.nan, p), "`grad` must be finite"),
        (lambda p, d: ("ab", p), "Unsupported type for `grad`: str"),
    ],
)
def test_bad_derivatives_are_refused(dtrain, own, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        xgb.train(PARAMS, dtrain, 1, obj=own)


def test_errors_in_functions_of_ones_own_pass_through(dtrain):
    def broken(margin, data):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        xgb.train(PARAMS, dtrain, 1, obj=broken)
    with pytest.raises(KeyError, match="mine"):
        xgb.train(PARAMS, dtrain, 1, custom_metric=broken, evals=[(dtrain, "a")])


def test_metrics_get_predictions_or_margins(binary):
    data = xgb.DMatrix(*binary)
    seen = []

    def metric(predicted, matrix):
        assert matrix is data
        seen.append((predicted.min(), predicted.max()))
        return "own", 0.0

    def logistic(margin, matrix):
        share = 1 / (1 + np.exp(-margin))
        return share - matrix.get_label(), share * (1 - share)

    params = {**PARAMS, "objective": "binary:logistic"}
    xgb.train(params, data, 5, custom_metric=metric, evals=[(data, "a")], verbose_eval=False)
    assert all(0 < low < high < 1 for low, high in seen)
    seen.clear()
    xgb.train(params, data, 5, obj=logistic, custom_metric=metric, evals=[(data, "a")], verbose_eval=False)
    assert min(low for low, _ in seen) < 0


def test_the_number_of_targets_may_be_given(regression):
    features, label = regression
    data = xgb.DMatrix(features, np.column_stack([label, -label]))
    plain = xgb.train(PARAMS, data, 2).save_raw()
    assert xgb.train({**PARAMS, "num_target": 2}, data, 2).save_raw() == plain

    def squares(predicted, matrix):
        gradient = predicted - matrix.get_label().reshape(len(predicted), -1)
        return gradient, np.ones_like(gradient)

    for labels in (np.column_stack([label, -label, label]), label):
        booster = xgb.train({**PARAMS, "num_target": 3}, xgb.DMatrix(features, labels), 2, obj=squares)
        assert booster.predict(xgb.DMatrix(features)).shape == (len(label), 3)
        assert xgb.Booster(model_file=booster.save_raw()).predict(xgb.DMatrix(features)).shape == (len(label), 3)
    with pytest.raises(xgb.ParameterError, match="`num_target` is 3, but the label has 2 columns. Unset `num_target`"):
        xgb.train({"num_target": 3}, data, 1)


@pytest.mark.parametrize("shape", [(600,), (600, 1), (1, 600)])
def test_derivatives_of_several_outputs_in_one_row_are_read_with_a_warning(regression, shape):
    features, label = regression
    data = xgb.DMatrix(features, np.column_stack([label, -label]))

    def trained(shape):
        def squares(predicted, matrix):
            gradient = predicted - matrix.get_label()
            return gradient.reshape(shape), np.ones(shape)

        return xgb.train(PARAMS, data, 1, obj=squares).save_raw()

    with pytest.warns(FutureWarning, match="is read as 300 rows of 2 outputs. Return that shape"):
        flat = trained(shape)
    assert flat == trained((300, 2))


def test_metrics_may_be_lists_and_stand_alone(dtrain, capsys):
    params = {**PARAMS, "disable_default_eval_metric": True}
    log = {}
    xgb.train(
        params,
        dtrain,
        2,
        evals=[(dtrain, "a")],
        evals_result=log,
        custom_metric=lambda p, d: [("one", np.float32(1)), ("a b-c", 2)],
    )
    assert log == {"a": {"one": [1.0, 1.0], "a b-c": [2.0, 2.0]}}
    assert capsys.readouterr().out.splitlines()[0] == "[0]\ta-one:1.00000\ta-a b-c:2.00000"


@pytest.mark.parametrize("returned", [3, None, ("x",), ("x", "1"), (1, 2), ("x", None), [("x", 1), 3], "ab"])
def test_bad_metrics_are_refused(dtrain, returned):
    with pytest.raises(xgb.ParameterError, match="metric"):
        xgb.train(PARAMS, dtrain, 1, custom_metric=lambda p, d: returned, evals=[(dtrain, "a")])


def test_early_stopping_on_a_metric_of_ones_own(dtrain):
    values = iter([3.0, 2.0, 1.0, 5.0, 5.0, 5.0])
    booster = xgb.train(
        PARAMS,
        dtrain,
        6,
        evals=[(dtrain, "a")],
        custom_metric=lambda p, d: ("own", next(values)),
        early_stopping_rounds=2,
        verbose_eval=False,
    )
    assert (booster.best_iteration, booster.best_score, booster.num_boosted_rounds()) == (2, 1.0, 5)


def test_a_nan_metric_never_counts_as_better(dtrain):
    values = iter([1.0, np.nan, np.nan, 0.5])
    booster = xgb.train(
        PARAMS,
        dtrain,
        4,
        evals=[(dtrain, "a")],
        custom_metric=lambda p, d: ("own", next(values)),
        early_stopping_rounds=3,
        verbose_eval=False,
    )
    assert booster.best_iteration == 3
