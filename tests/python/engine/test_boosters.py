# SPDX-License-Identifier: Apache-2.0
"""Kinds of boosters, as users of Python see them."""

import json
import pickle

import numpy as np
import pytest

import xgb_like as xgb

KINDS = [
    {},
    {"booster": "dart", "rate_drop": 0.5},
    {"booster": "gblinear"},
    {"booster": "adaboost", "max_depth": 1},
    {"num_parallel_tree": 3, "subsample": 0.5},
]


@pytest.fixture
def matrix(binary):
    return xgb.DMatrix(*binary)


def fitted(params, matrix, rounds=4, **kwargs):
    return xgb.train({"objective": "binary:logistic", **params}, matrix, rounds, **kwargs)


def margins(booster, matrix, **kwargs):
    return booster.predict(matrix, output_margin=True, **kwargs)


@pytest.mark.parametrize("params", KINDS)
def test_pickles_and_files_predict_the_same(params, matrix, tmp_path):
    booster = fitted(params, matrix)
    expected = booster.predict(matrix)
    loaded = pickle.loads(pickle.dumps(booster))
    assert loaded.save_config() == booster.save_config()
    assert loaded.save_raw() == booster.save_raw()
    for ending in ("json", "ubj"):
        booster.save_model(tmp_path / f"model.{ending}")
        assert np.array_equal(xgb.Booster(model_file=tmp_path / f"model.{ending}").predict(matrix), expected)


@pytest.mark.parametrize("params", KINDS)
def test_early_stopping_and_metrics_work_for_every_kind(params, matrix, binary):
    features, label = binary
    half, log = xgb.DMatrix(features[:150], label[:150]), {}
    booster = fitted(params, matrix, 8, evals=[(half, "half")], early_stopping_rounds=3, evals_result=log)
    assert float(booster.eval(half).split(":")[1]) == pytest.approx(log["half"]["logloss"][-1], abs=1e-7)
    assert booster.best_iteration < booster.num_boosted_rounds()


def _logistic(predictions, data):
    # In float32 as the engine computes it, but for the exponential.
    shares = 1 / (1 + np.exp(-predictions.astype(np.float64)))
    return shares - data.get_label(), np.maximum(shares * (1 - shares), 1e-16)


def test_a_custom_objective_sees_the_dropped_trees_of_a_builtin_one(matrix):
    params = {"booster": "dart", "rate_drop": 0.5, "base_score": 0.5, "max_depth": 2}
    builtin, own = fitted(params, matrix, 8), fitted(params, matrix, 8, obj=_logistic)
    assert builtin._handle.tree_weights() == own._handle.tree_weights()
    assert margins(own, matrix) == pytest.approx(margins(builtin, matrix), abs=1e-4)


def test_training_predictions_lack_dropped_trees(matrix):
    booster = fitted({"booster": "dart", "rate_drop": 1.0}, matrix)
    assert np.allclose(margins(booster, matrix, training=True), margins(booster, matrix)[0] * 0 + _start(booster))
    assert not np.allclose(margins(booster, matrix, training=True), margins(booster, matrix))
    plain = fitted({}, matrix)
    assert np.array_equal(margins(plain, matrix, training=True), margins(plain, matrix))


def _start(booster):
    score = booster._handle.base_score()[0]
    return np.log(score / (1 - score))


def test_rounds_of_dart_can_be_sliced_and_chosen(matrix):
    booster = fitted({"booster": "dart", "rate_drop": 0.5}, matrix, 6)
    parts = [margins(booster[i : i + 2], matrix) - _start(booster) for i in (0, 2, 4)]
    assert sum(parts) + _start(booster) == pytest.approx(margins(booster, matrix), abs=1e-5)
    assert np.array_equal(margins(booster[1:4], matrix), margins(booster, matrix, iteration_range=(1, 4)))


def test_a_linear_model_shows_its_weights(regression):
    features, label = regression
    booster = xgb.train({"booster": "gblinear"}, xgb.DMatrix(features, label, feature_names=list("abcde")), 30)
    score = booster.get_score()
    assert list(score) == list("abcde")
    assert score["a"] == pytest.approx(2, abs=0.3)
    lines = booster.get_dump()[0].splitlines()
    assert lines[0] == "bias:"
    assert float(lines[3]) == pytest.approx(score["a"], rel=1e-5)
    assert json.loads(booster.get_dump(dump_format="json")[0])["weight"][0] == pytest.approx(score["a"], rel=1e-5)


def test_a_linear_model_of_classes_has_a_weight_for_each(classes):
    booster = xgb.train(
        {"booster": "gblinear", "objective": "multi:softprob", "num_class": 3}, xgb.DMatrix(*classes), 3
    )
    assert {len(weights) for weights in booster.get_score().values()} == {3}
    assert booster.predict(xgb.DMatrix(classes[0])).sum(axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda b, _: b[0:1], "sliced"),
        (lambda b, m: b.predict(m, pred_leaf=True), "leaves"),
        (lambda b, m: b.predict(m, iteration_range=(1, 2)), "must begin with 0"),
        (lambda b, _: b.trees_to_dataframe(), "not defined for Booster type gblinear"),
        (lambda b, _: b.get_split_value_histogram("f0"), "not defined for Booster type gblinear"),
        (lambda b, _: b.get_dump(dump_format="dot"), "`dump_format` dot"),
        (lambda b, _: b.get_score(importance_type="gain"), "only the `importance_type` weight"),
        (lambda b, m: b.refit(m), "trees"),
        (lambda b, _: b.rollback_one_iter(), "cannot be taken back"),
    ],
)
def test_a_linear_model_refuses_what_needs_trees(ask, message, matrix):
    with pytest.raises(xgb.ParameterError, match=message):
        ask(fitted({"booster": "gblinear"}, matrix), matrix)


def test_a_linear_model_warns_where_rounds_make_no_difference(matrix):
    booster = fitted({"booster": "gblinear"}, matrix)
    with pytest.warns(UserWarning, match="`iteration_range` .* no effect"):
        found = booster.predict(matrix, iteration_range=(0, 2))
    assert np.array_equal(found, booster.predict(matrix))


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"booster": "gblinear", "max_depth": 3}, "max_depth"),
        ({"top_k": 3}, "top_k"),
        ({"booster": "gblinear", "lambda_bias": 1}, "lambda_bias"),
    ],
)
def test_parameters_of_other_boosters_warn(params, name, matrix):
    with pytest.warns(UserWarning, match=f"`{name}`"):
        fitted(params, matrix, 1)


def test_bins_stand_for_values_in_linear_models(regression):
    features, label = regression
    quantised = xgb.QuantileDMatrix(features, label)
    coarse = xgb.train({"booster": "gblinear"}, quantised, 20).predict(quantised)
    exact = xgb.train({"booster": "gblinear"}, xgb.DMatrix(features, label), 20).predict(xgb.DMatrix(features))
    assert np.corrcoef(coarse, exact)[0, 1] > 0.95


def test_a_merged_model_adds_up_margins(matrix):
    first, second = fitted({}, matrix, 3), fitted({"max_depth": 2, "seed": 3}, matrix, 2)
    merged = first.merge(second)
    assert merged.num_boosted_rounds() == 5
    assert margins(merged, matrix) == pytest.approx(margins(first, matrix) + margins(second, matrix), abs=1e-5)


def test_a_model_of_the_rest_continues_the_first(binary):
    features, label = binary
    first = fitted({}, xgb.DMatrix(features, label), 3)
    rest = xgb.DMatrix(features, label, base_margin=margins(first, xgb.DMatrix(features)))
    second = fitted({}, rest, 2)
    whole = first.merge(second, add_intercept=False)
    assert margins(whole, xgb.DMatrix(features)) == pytest.approx(margins(second, rest), abs=1e-5)


@pytest.mark.parametrize("other", [None, "model.json", 3])
def test_only_boosters_are_merged(other, booster):
    with pytest.raises(xgb.ParameterError, match="`other` must be a Booster"):
        booster.merge(other)


def test_refitting_adapts_to_other_data(regression, booster):
    features, label = regression
    shifted = xgb.DMatrix(features, label + 3)
    refitted = [booster.refit(features, label + 3, decay=decay) for decay in (1, 0.5, 0)]
    errors = [float(model.eval(shifted).split(":")[1]) for model in refitted]
    assert errors[0] > errors[1] > errors[2]
    assert booster.refit(shifted, decay=1.0).save_raw() == booster.save_raw()
    with pytest.raises(xgb.ParameterError, match="`decay` must be a number from 0 to 1"):
        booster.refit(shifted, decay=2)
    with pytest.raises(xgb.ParameterError, match="part of `data`"):
        booster.refit(shifted, label)


def test_the_last_round_can_be_taken_back(booster, dtrain):
    expected = booster.predict(dtrain, iteration_range=(0, 3))
    assert np.array_equal(booster.rollback_one_iter().predict(dtrain), expected)
    for _ in range(3):
        booster.rollback_one_iter()
    with pytest.raises(xgb.ParameterError, match="no round"):
        booster.rollback_one_iter()


def test_a_leaf_can_be_set(booster, dtrain):
    leaf = booster.predict(dtrain, pred_leaf=True)[0, 0]
    before = booster.predict(dtrain)
    booster.set_leaf_output(0, int(leaf), 100)
    changed = booster.predict(dtrain) - before > 50
    assert np.array_equal(changed, booster.predict(dtrain, pred_leaf=True)[:, 0] == leaf)
    with pytest.raises(xgb.ParameterError, match="`leaf_id`"):
        booster.set_leaf_output(0, 0, 1)
    with pytest.raises(xgb.ParameterError, match="negative"):
        booster.set_leaf_output(-1, 0, 1)


# Leaves that are medians and the like stay what they are on the same data, and so do draws that depend on the round.
@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
@pytest.mark.parametrize(
    "objective",
    ["reg:absoluteerror", "reg:quantileerror", "reg:huber", "reg:mape", "binary:exponential", "rank:yeti"],
)
def test_leaves_refreshed_on_the_same_data_stay(binary, objective, strategy):
    params = {"objective": objective, "quantile_alpha": [0.3, 0.8] if "quantile" in objective else None}
    params |= {"multi_strategy": strategy, "max_depth": 3, "verbosity": 0}
    data = xgb.DMatrix(binary[0], binary[1], group=[100, 200])
    booster = xgb.train(params, data, 3)
    updated = xgb.train({**params, "process_type": "update", "updater": "refresh"}, data, 3, xgb_model=booster)
    for other in (updated, booster.refit(data, decay=0)):
        np.testing.assert_allclose(margins(other, data), margins(booster, data), atol=1e-4)


def test_updates_take_the_rounds_in_order(booster, dtrain):
    update = {"process_type": "update", "updater": "refresh", "refresh_leaf": False}
    part = xgb.train(update, dtrain, 2, xgb_model=booster)
    assert part.get_dump() == booster[:2].get_dump()
    with pytest.raises(xgb.ParameterError, match="no more trees"):
        xgb.train(update, dtrain, 5, xgb_model=booster)
