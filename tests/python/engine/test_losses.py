# SPDX-License-Identifier: Apache-2.0
"""What is special about single losses, and targets of which some are not known."""

import json

import numpy as np
import pytest

import xgb_like as xgb

FAST = {"max_depth": 3, "nthread": 1}


def trained(objective, features, label, rounds=5, *, weight=None, **params):
    data = xgb.DMatrix(features, label, weight=weight)
    return xgb.train({**FAST, "objective": objective, **params}, data, rounds), data


def score(model, data):
    return float(model.eval(data).rsplit(":", 1)[1])


@pytest.fixture
def counts(regression):
    features, label = regression
    return features, np.floor(np.exp(label / 3)).astype(np.float32)


@pytest.mark.parametrize(("given", "effect"), [({}, 0.7), ({"max_delta_step": 0.2}, 0.2), ({"max_delta_step": 0}, 0)])
def test_poisson_limits_leaves_unless_told_otherwise(counts, given, effect):
    model, _ = trained("count:poisson", *counts, 1, **given, reg_lambda=0)
    learner = json.loads(bytes(model.save_raw("json")))["learner"]
    assert float(learner["objective"]["poisson_regression_param"]["max_delta_step"]) == pytest.approx(effect)
    steps = np.abs(learner["gradient_booster"]["model"]["trees"][0]["base_weights"])
    assert steps.max() > 0.71 if effect == 0 else steps.max() <= effect * 1.001


def test_the_limit_of_leaves_goes_when_the_objective_does(counts):
    features, label = counts
    model = xgb.Booster({**FAST, "objective": "count:poisson"})
    model.set_param({"objective": "reg:squarederror"})
    data = xgb.DMatrix(features, label)
    model.update(data, 0)
    plain = xgb.train(FAST, data, 1)
    assert model.save_raw() == plain.save_raw()


def test_max_delta_step_is_not_called_unused(regression, recwarn):
    trained("reg:squarederror", *regression, max_delta_step=1)
    assert not recwarn.list


@pytest.mark.parametrize(
    "objective", ["count:poisson", "reg:tweedie", "reg:squaredlogerror", "binary:hinge", "reg:mape"]
)
@pytest.mark.parametrize("rows", [1, 20])
def test_labels_that_are_all_zero(objective, rows):
    features = np.arange(rows, dtype=np.float32)[:, None]
    model, data = trained(objective, features, np.zeros(rows))
    assert np.abs(model.predict(data)).max() < 1e-3


@pytest.mark.parametrize(
    ("objective", "params", "text"),
    [
        ("reg:pseudohubererror", {"huber_slope": 0}, "`huber_slope` must be"),
        ("reg:tweedie", {"tweedie_variance_power": 2.5}, "`tweedie_variance_power` must be"),
        ("reg:fair", {"fair_c": -1}, "`fair_c` must be"),
        ("binary:focal", {"focal_alpha": 2}, "`focal_alpha` must be"),
        ("count:poisson", {"base_score": -1}, "`base_score` must be a mean, 0 or above"),
        ("reg:gamma", {"base_score": 0}, "`base_score` must be a mean, above 0"),
        ("multi:ova", {}, "needs `num_class`"),
    ],
)
def test_bad_parameters_are_refused(binary, objective, params, text):
    features, label = binary
    with pytest.raises(xgb.ParameterError, match=text):
        trained(objective, features, label + 1, **params)


@pytest.mark.parametrize(
    ("objective", "bad"),
    [("binary:hinge", 2), ("binary:crossentropy", 1.5), ("binary:multilabel", 0.5), ("binary:focal", 0.5),
     ("binary:exponential", -1), ("reg:gamma", 0), ("count:poisson", -1), ("reg:squaredlogerror", -1)],
)  # fmt: skip
def test_bad_labels_are_refused(binary, objective, bad):
    features, label = binary
    with pytest.raises(xgb.DataError, match=f"`{objective}` needs .*; got {bad} in row 3"):
        trained(objective, features, np.concatenate([np.ones(3), [bad], label[4:]]))


def test_leaves_of_the_exponential_loss_are_half_the_log_odds(binary):
    features, label = binary
    weight = np.linspace(0.5, 2, len(label))
    params = {"max_depth": 1, "learning_rate": 1, "base_score": 0.5}
    model, data = trained("binary:exponential", features, label, 1, weight=weight, **params)
    leaf, margin = model.predict(data, pred_leaf=True).ravel(), model.predict(data, output_margin=True)
    for node in np.unique(leaf):
        share = np.average(label[leaf == node], weights=weight[leaf == node])
        np.testing.assert_allclose(margin[leaf == node], np.log(share / (1 - share)) / 2, rtol=1e-5)
    np.testing.assert_allclose(model.predict(data), 1 / (1 + np.exp(-2 * margin)), rtol=1e-6)


def test_exponential_loss_of_pure_leaves_stays_finite(binary):
    label = binary[1]
    model, data = trained("binary:exponential", label[:, None], label, 30, learning_rate=1)
    assert np.isfinite(model.predict(data, output_margin=True)).all()
    assert score(model, data) < 0.01


def test_one_against_all_predicts_probabilities(classes):
    features, label = classes
    model, data = trained("multi:ova", features, label, 20, num_class=3)
    odds = 1 / (1 + np.exp(-model.predict(data, output_margin=True)))
    np.testing.assert_allclose(model.predict(data), odds / odds.sum(axis=1, keepdims=True), rtol=1e-5)
    assert (model.predict(data).argmax(axis=1) == label).mean() > 0.9
    alone, _ = trained("binary:logistic", features, label == 1, 20)
    np.testing.assert_allclose(odds[:, 1], alone.predict(data), rtol=1e-5)


def test_several_labels_a_row(classes):
    features, label = classes
    labels = np.stack([label > 0, label == 1, label == 2], axis=1).astype(np.float32)
    model, data = trained("binary:multilabel", features, labels, 20)
    logistic, _ = trained("binary:logistic", features, labels, 20)
    np.testing.assert_array_equal(model.predict(data), logistic.predict(data))


def normal_loss(label, predicted):
    mean, variance = predicted[..., 0::2], predicted[..., 1::2]
    return np.mean((np.log(2 * np.pi * variance) + (label - mean) ** 2 / variance) / 2)


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_gaussian_learns_mean_and_variance(strategy):
    rng = np.random.default_rng(4)
    features = rng.random((4000, 2)).astype(np.float32)
    deviation = np.where(features[:, 1] > 0.5, 2.0, 0.2)
    label = 10 * features[:, 0] + deviation * rng.normal(size=4000)
    model, data = trained("reg:gaussian", features, label, 60, multi_strategy=strategy, eta=0.1, min_child_weight=20)
    predicted = model.predict(data)
    assert score(model, data) == pytest.approx(normal_loss(label[:, None], predicted), rel=1e-5)
    assert np.abs(predicted[:, 0] - 10 * features[:, 0]).mean() < 0.4
    high = features[:, 1] > 0.5
    assert np.sqrt(predicted[high, 1].mean()) == pytest.approx(2, rel=0.15)
    assert np.sqrt(predicted[~high, 1].mean()) == pytest.approx(0.2, rel=0.5)


def test_gaussian_of_two_targets_and_of_one_row():
    features = np.arange(40, dtype=np.float32)[:, None]
    labels = np.stack([features[:, 0], np.full(40, 3.0)], axis=1)
    model, data = trained("reg:gaussian", features, labels, 30)
    assert model.predict(data).shape == (40, 4)
    np.testing.assert_allclose(model.predict(data)[:, 2], 3, atol=1e-3)
    restored = xgb.Booster(model_file=model.save_raw("json"))
    np.testing.assert_array_equal(restored.predict(data), model.predict(data))
    single, one = trained("reg:gaussian", features[:1], [5.0], 3)
    assert np.isfinite(single.predict(one)).all()


ALIASES = {"poisson": "count:poisson", "cross_entropy": "binary:crossentropy", "multiclassova": "multi:ova"}


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_names_of_lightgbm(binary, alias, name):
    params = {"num_class": 2} if "multi" in alias else {}
    assert trained(alias, *binary, **params)[0].save_raw() == trained(name, *binary, **params)[0].save_raw()


TARGETS = [
    *("reg:squarederror", "reg:logistic", "reg:pseudohubererror", "reg:squaredlogerror", "reg:fair", "reg:logcosh"),
    *("reg:mape", "reg:tweedie", "count:poisson", "binary:logistic", "binary:hinge", "binary:crossentropy"),
    *("binary:focal", "binary:multilabel", "binary:exponential"),
]


@pytest.fixture
def gaps(binary):
    features, label = binary
    labels = np.stack([label, label[::-1]], axis=1)
    labels[::3, 1] = np.nan
    labels[5, :] = np.nan
    return features, labels


@pytest.mark.parametrize("objective", TARGETS)
def test_a_missing_target_counts_like_one_without_weight(gaps, objective):
    features, labels = gaps
    model, data = trained(objective, features, labels, tree_method="exact")  # bins depend on weights
    predicted = model.predict(data)
    for k in range(2):
        known = ~np.isnan(labels[:, k])
        weight = known.astype(np.float32)
        alone, _ = trained(objective, features, np.where(known, labels[:, k], 0), weight=weight, tree_method="exact")
        np.testing.assert_allclose(predicted[:, k], alone.predict(data), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("objective", [*TARGETS, "reg:gaussian"])
def test_vector_leaves_take_missing_targets(gaps, objective):
    features, labels = gaps
    labels = labels + (objective == "reg:mape")  # a share of 0 is no number
    model, data = trained(objective, features, labels, multi_strategy="multi_output_tree", min_child_weight=0)
    assert np.isfinite(model.predict(data)).all()
    assert np.isfinite(score(model, data))


def test_metrics_leave_missing_targets_out(gaps):
    features, labels = gaps
    metrics = ["rmse", "mae", "logloss", "error"]
    model, data = trained("binary:logistic", features, labels, eval_metric=metrics)
    got = dict(item.split("-")[1].split(":") for item in model.eval(data).split("\t")[1:])
    p = model.predict(data)
    loss = -np.where(labels > 0, np.log(p), np.log(1 - p))
    loss[np.isnan(labels)] = np.nan
    wanted = {
        "rmse": np.sqrt(np.nanmean((p - labels) ** 2)),
        "mae": np.nanmean(np.abs(p - labels)),
        "logloss": np.nanmean(loss),
        "error": np.mean((p > 0.5)[~np.isnan(labels)] != labels[~np.isnan(labels)]),
    }
    assert {name: float(value) for name, value in got.items()} == pytest.approx(wanted, rel=1e-5)


def test_a_single_label_and_a_whole_target_must_not_be_missing(gaps):
    features, labels = gaps
    with pytest.raises(xgb.DataError, match="Label contains NaN"):
        xgb.DMatrix(features, labels[:, 1])
    labels[:, 1] = np.nan
    with pytest.raises(xgb.DataError, match="all labels of target 1 are missing"):
        trained("reg:squarederror", features, labels)
    labels[0, 1] = np.inf
    with pytest.raises(xgb.DataError, match="Label contains NaN, infinity"):
        xgb.DMatrix(features, labels)


def test_objectives_of_ones_own_see_missing_targets(gaps):
    def own(margin, data):
        labels = data.get_label().reshape(margin.shape)
        assert np.isnan(labels).sum() == np.isnan(gaps[1]).sum()
        known = ~np.isnan(labels)
        return np.where(known, margin - labels, 0), known.astype(np.float32)

    data = xgb.DMatrix(*gaps)
    ours = xgb.train({**FAST, "base_score": 0.5}, data, 3, obj=own)
    assert ours.save_raw() == xgb.train({**FAST, "base_score": 0.5}, data, 3).save_raw()
