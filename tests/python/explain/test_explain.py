# SPDX-License-Identifier: Apache-2.0
"""Importance, partial dependence and strength of interactions."""

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import DataError, ParameterError, explain


@pytest.fixture
def features():
    return np.random.default_rng(0).integers(0, 4, (200, 4)).astype(np.float32)


@pytest.fixture
def model(features):
    """A model of x0 + 2 x1 x2; x3 does nothing."""
    label = features[:, 0] + 2 * features[:, 1] * features[:, 2]
    return xgb.train({"base_score": 0, "nthread": 1}, xgb.DMatrix(features, label), 60)


@pytest.fixture
def three_classes(features):
    label = np.digitize(features[:, 0] - features[:, 1], [-0.5, 0.5])
    params = {"objective": "multi:softprob", "num_class": 3, "nthread": 1}
    return xgb.train(params, xgb.DMatrix(features, label), 5)


class Estimator:
    def __init__(self, booster):
        self._booster = booster

    def get_booster(self):
        return self._booster


def test_estimators_are_as_good_as_boosters(model):
    assert np.array_equal(explain.relative_importance(Estimator(model)), explain.relative_importance(model))
    with pytest.raises(xgb.ParameterError, match="`model` must be a Booster"):
        explain.relative_importance("model")


@pytest.fixture
def stopped(regression):
    """A model of more rounds than its best one, and rows and labels that it was stopped by."""
    features, label = regression
    test = xgb.DMatrix(features[200:], label[200:])
    noise = np.random.default_rng(0).normal(size=200)
    dtrain = xgb.DMatrix(features[:200], label[:200] + noise)
    model = xgb.train({"eta": 0.5}, dtrain, 40, evals=[(test, "t")], early_stopping_rounds=8, verbose_eval=False)
    assert model.best_iteration + 1 < model.num_boosted_rounds()
    return model, features[200:], label[200:]


def test_after_early_stopping_explanations_are_of_the_rounds_that_predict(stopped):
    model, features, label = stopped
    best, prediction = model[: model.best_iteration + 1], model.inplace_predict(features)
    found = explain.permutation_importance(model, features, label, repeats=1)
    assert found.loss == pytest.approx(model.best_score)
    assert found.loss == pytest.approx(np.sqrt(np.mean((prediction - label) ** 2)))
    curves = explain.partial_dependence(model, features, 0, grid=features[:5, 0], individual=True).individual
    assert [curves[row, row] for row in range(5)] == pytest.approx(prediction[:5])
    weighted = {"features": 0, "method": "weighted", "grid": [0.0, 1.0]}
    steps, wanted = explain.dependence_steps(model), explain.partial_dependence(model, features, **weighted).average
    assert steps["f0"].at([0, 1]) == pytest.approx(wanted, abs=1e-5)
    assert wanted.tolist() == explain.partial_dependence(best, features, **weighted).average.tolist()
    assert explain.h_statistic(model, features, [1, 2]) == explain.h_statistic(best, features, [1, 2])
    contributions = model.predict(xgb.DMatrix(features), pred_contribs=True)
    assert contributions.sum(axis=1) == pytest.approx(prediction, abs=1e-4)


# Partial dependence


def test_dependence_is_the_mean_of_predictions(model, features):
    found = explain.partial_dependence(model, features, 1)
    assert found.features == ("f1",)
    assert found.grid[0].tolist() == [0, 1, 2, 3]
    for value, mean in zip(found.grid[0], found.average, strict=True):
        rows = features.copy()
        rows[:, 1] = value
        assert mean == pytest.approx(model.predict(xgb.DMatrix(rows)).mean(), abs=1e-5)


def test_two_features_have_two_axes(model, features):
    found = explain.partial_dependence(model, features, ["f1", "f0"], grid=[[0, 3], [0, 1, 2]], individual=True)
    assert found.average.shape == (2, 3)
    assert found.individual.shape == (200, 2, 3)
    assert found.individual.mean(axis=0) == pytest.approx(found.average)
    rows = features.copy()
    rows[:, 1], rows[:, 0] = 3, 1
    assert found.individual[:, 1, 1] == pytest.approx(model.predict(xgb.DMatrix(rows)), abs=1e-5)


def test_independent_features_have_the_same_dependence_by_weights():
    grid = np.array(np.meshgrid(*[[0.0, 1.0, 2.0]] * 3)).reshape(3, -1).T
    booster = xgb.train({"max_depth": 2}, xgb.DMatrix(grid, grid @ [1, 2, 0] + grid[:, 1] * grid[:, 2]), 1)
    for chosen in (0, 1, [1, 2]):
        brute = explain.partial_dependence(booster, grid, chosen)
        weighted = explain.partial_dependence(booster, grid, chosen, method="weighted")
        assert weighted.average == pytest.approx(brute.average, abs=1e-5)


def test_weights_are_covers_of_the_training_rows(holes):
    booster = xgb.train({"max_depth": 5}, xgb.DMatrix(*holes), 5)
    found = explain.partial_dependence(booster, holes[0], 0, method="weighted", grid=[0.5])
    contributions = booster.predict(xgb.DMatrix([[0.5, np.nan, np.nan, np.nan, np.nan]]), pred_contribs=True)
    assert np.isfinite(found.average).all()
    assert found.average.shape == (1,)
    assert not np.array_equal(found.average, contributions[:, 0])


def test_classes_are_centred(three_classes, features):
    for method in ("brute", "weighted"):
        found = explain.partial_dependence(three_classes, features, 0, method=method, scale="centred")
        margin = explain.partial_dependence(three_classes, features, 0, method=method)
        assert found.average.shape == (3, 4)
        assert found.average == pytest.approx(margin.average - margin.average.mean(axis=0), abs=1e-6)
    value = explain.partial_dependence(three_classes, features, 0, scale="value", individual=True)
    assert value.individual.shape == (200, 3, 4)
    assert value.individual.sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_more_values_than_the_grid_become_quantiles(regression):
    booster = xgb.train({}, xgb.DMatrix(*regression), 2)
    found = explain.partial_dependence(booster, regression[0], 0, grid_size=5)
    assert found.grid[0] == pytest.approx(np.quantile(regression[0][:, 0], [0, 0.25, 0.5, 0.75, 1]))


def test_linear_models_depend_linearly(regression):
    booster = xgb.train({"booster": "gblinear"}, xgb.DMatrix(*regression), 5)
    found = explain.partial_dependence(booster, regression[0], 0, grid=[0.0, 1.0, 2.0]).average
    assert np.diff(found, 2) == pytest.approx(0, abs=1e-5)
    with pytest.raises(ParameterError, match="no trees"):
        explain.partial_dependence(booster, regression[0], 0, method="weighted")


def test_categories_and_names_of_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"c": pandas.Categorical(list("abca") * 10), "x": np.arange(40.0)})
    booster = xgb.train({}, xgb.DMatrix(frame, (frame["c"] == "b").astype(float)), 20)
    for method in ("brute", "weighted"):
        found = explain.partial_dependence(booster, frame, "c", method=method)
        assert found.grid[0].tolist() == ["a", "b", "c"]
        assert found.average.argmax() == 1


def test_sparse_rows_are_taken(model, features):
    sparse = pytest.importorskip("scipy.sparse")
    rows = features + 1  # no cell is left out
    expected = explain.partial_dependence(model, rows, 1).average
    assert explain.partial_dependence(model, sparse.csr_matrix(rows), 1).average == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"features": "f9"}, "There is no feature 'f9'"),
        ({"features": 4}, "numbered from 0 to 3"),
        ({"features": [0, 0]}, "must be different"),
        ({"features": [0, 1, 2]}, "one feature or two"),
        ({"features": 0, "method": "fast"}, "must be brute or weighted"),
        ({"features": 0, "scale": "log"}, "must be one of margin"),
        ({"features": 0, "scale": "value", "method": "weighted"}, "averages margins"),
        ({"features": 0, "scale": "centred"}, "centred is 0 everywhere.*Use `scale` margin"),
        ({"features": 0, "scale": "centred", "method": "weighted"}, "centred is 0 everywhere"),
        ({"features": 0, "individual": True, "method": "weighted"}, "needs `method` brute"),
        ({"features": 0, "grid": []}, "none of them empty"),
        ({"features": [0, 1], "grid": [[1.0]]}, "must have 2 lists"),
        ({"features": 0, "grid_size": 0}, "at least 1"),
        ({"features": 0.5}, "`features` must be an int"),
    ],
    ids=str,
)
def test_bad_arguments_are_refused(model, features, options, message):
    with pytest.raises((ParameterError, TypeError), match=message):
        explain.partial_dependence(model, features, **options)


def test_bad_rows_are_refused(model, features):
    with pytest.raises(DataError, match="no rows"):
        explain.partial_dependence(model, features[:0], 0)
    with pytest.raises(DataError, match="4 features"):
        explain.partial_dependence(model, features[:, :3], 0)
    with pytest.raises(ParameterError, match="no finite value"):
        explain.partial_dependence(model, features * np.nan, 0)


# Steps


def test_steps_are_the_weighted_dependence_everywhere(holes):
    booster = xgb.train({"max_depth": 6}, xgb.DMatrix(*holes), 20)
    found = explain.dependence_steps(booster)
    assert list(found) == ["f0", "f1", "f2", "f3", "f4"]
    for name, steps in found.items():
        points = np.r_[steps.edges, np.nextafter(steps.edges, np.float32(-np.inf)), -np.inf, np.inf, np.nan, 0.1]
        expected = explain.partial_dependence(booster, holes[0], name, method="weighted", grid=points)
        assert steps.at(points) == pytest.approx(expected.average, abs=1e-5)


def test_steps_of_classes_have_an_axis_for_outputs(three_classes, features):
    steps = explain.dependence_steps(three_classes)["f0"]
    expected = explain.partial_dependence(three_classes, features, "f0", method="weighted", grid=[0, 1, 2, np.nan])
    assert steps.at([0, 1, 2, np.nan]) == pytest.approx(expected.average, abs=1e-5)
    assert steps.missing.shape == (3,)


def test_steps_of_vector_leaves_and_weighted_trees(regression):
    features, label = regression
    labels = np.column_stack([label, features[:, 1]])
    vector = xgb.train({"multi_strategy": "multi_output_tree"}, xgb.DMatrix(features, labels), 4)
    dart = xgb.train({"booster": "dart", "rate_drop": 0.5}, xgb.DMatrix(features, label), 6)
    for booster in (vector, dart):
        expected = explain.partial_dependence(booster, features, 1, method="weighted", grid=[-1.0, 0.0, 0.5])
        assert explain.dependence_steps(booster)["f1"].at([-1.0, 0.0, 0.5]) == pytest.approx(expected.average, abs=1e-5)


def test_steps_of_categories_go_by_code():
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    codes = random.integers(0, 9, 300)
    frame = pandas.DataFrame(
        {"c": pandas.Categorical.from_codes(codes, list("abcdefghi")), "x": random.normal(size=300)}
    )
    label = np.sin(codes) * frame["x"]
    booster = xgb.train({"max_cat_to_onehot": 1}, xgb.DMatrix(frame, label), 9)
    points = [*range(12), np.nan]
    expected = explain.partial_dependence(booster, frame, "c", method="weighted", grid=points)
    steps = explain.dependence_steps(booster)["c"]
    assert steps.edges is None
    assert steps.at(points) == pytest.approx(expected.average, abs=1e-5)
    assert steps.at([-1, 0.5, 1e30]) == pytest.approx(steps.values[[-1, 0, -1]])


def test_models_without_splits_have_no_steps(dtrain):
    assert explain.dependence_steps(xgb.train({}, dtrain, 0)) == {}
    assert explain.dependence_steps(xgb.train({"gamma": 1e9}, dtrain, 2)) == {}
    with pytest.raises(ParameterError, match="no trees"):
        explain.dependence_steps(xgb.train({"booster": "gblinear"}, dtrain, 1))


# H


@pytest.mark.parametrize("method", ["brute", "weighted"])
def test_interactions_are_strong_where_there_are_some(model, features, method):
    assert explain.h_statistic(model, features, [1, 2], method=method) > 0.2
    assert explain.h_statistic(model, features, [0, 1], method=method) < 0.1
    assert explain.h_statistic(model, features, 0, method=method) < 0.1
    assert explain.h_statistic(model, features, 1, method=method) > 0.2


def test_stumps_do_not_interact(features):
    booster = xgb.train({"max_depth": 1}, xgb.DMatrix(features, features[:, 0] * features[:, 1]), 30)
    assert explain.h_statistic(booster, features, [0, 1]) == pytest.approx(0, abs=1e-3)


def test_h_of_no_effect_is_0_and_of_classes_one_each(three_classes, features):
    assert explain.h_statistic(xgb.train({}, xgb.DMatrix(features, features[:, 0]), 0), features, [0, 1]) == 0.0
    assert explain.h_statistic(three_classes, features, ["f0", "f1"], scale="centred", max_rows=50).shape == (3,)
    with pytest.raises(ParameterError, match="`max_rows`"):
        explain.h_statistic(three_classes, features, [0, 1], max_rows=0)


def test_one_column_does_not_interact():
    column = np.arange(20.0)[:, np.newaxis]
    booster = xgb.train({}, xgb.DMatrix(column, column), 3)
    assert explain.h_statistic(booster, column, 0) == 0.0


# Importance


def test_importance_follows_total_gain(model):
    found = explain.relative_importance(model, root=False)
    gains = model.get_score(importance_type="total_gain")
    expected = np.array([gains.get(f"f{i}", 0.0) for i in range(4)])
    assert found == pytest.approx(100 * expected / expected.max())
    assert explain.relative_importance(model) == pytest.approx(10 * np.sqrt(found))


def test_each_class_has_importances_of_its_own(three_classes):
    found = explain.relative_importance(three_classes, per_output=True)
    assert found.shape == (3, 4)
    assert found.max(axis=1) == pytest.approx(100)
    trees = three_classes.trees_to_dataframe() if pytest.importorskip("pandas") else None
    mine = trees[(trees["Tree"] % 3 == 2) & (trees["Feature"] == "f0")]["Gain"].sum()
    best = trees[(trees["Tree"] % 3 == 2) & (trees["Feature"] != "Leaf")].groupby("Feature")["Gain"].sum().max()
    assert found[2, 0] == pytest.approx(100 * np.sqrt(mine / best), rel=1e-5)


def test_vector_leaves_count_for_all_outputs(regression):
    features, label = regression
    params = {"multi_strategy": "multi_output_tree"}
    booster = xgb.train(params, xgb.DMatrix(features, np.column_stack([label, -label])), 3)
    found = explain.relative_importance(booster, per_output=True)
    assert np.array_equal(found[0], found[1])


def test_no_splits_no_importance(dtrain):
    assert explain.relative_importance(xgb.train({}, dtrain, 0)).tolist() == [0] * 5
    assert explain.relative_importance(xgb.train({"gamma": 1e9}, dtrain, 2), per_output=True).tolist() == [[0] * 5]
    with pytest.raises(ParameterError, match="no splits"):
        explain.relative_importance(xgb.train({"booster": "gblinear"}, dtrain, 1))


def test_permuting_what_matters_costs_most(model, features):
    label = features[:, 0] + 2 * features[:, 1] * features[:, 2]
    found = explain.permutation_importance(model, features, label, repeats=3)
    assert found.values.shape == (4, 3)
    assert found.mean[1] > found.mean[0] > 0
    assert abs(found.mean[3]) < 0.1 * found.mean[0]
    assert found.loss == pytest.approx(np.sqrt(np.mean((model.predict(xgb.DMatrix(features)) - label) ** 2)), rel=1e-4)
    again = explain.permutation_importance(model, features, label, repeats=3)
    assert np.array_equal(again.values, found.values)


def test_losses_of_ones_own_and_metrics_where_more_is_better(binary):
    features, label = binary
    booster = xgb.train({"objective": "binary:logistic", "nthread": 1}, xgb.DMatrix(features, label), 10)
    auc = explain.permutation_importance(booster, features, label, metric="auc", seed=3)
    assert auc.loss < -0.9
    assert auc.mean[0] > 0
    brier = explain.permutation_importance(booster, features, label, metric=lambda y, p: float(np.mean((y - p) ** 2)))
    assert brier.mean.argmax() == auc.mean.argmax()


def test_the_model_stays_as_it_was(binary):
    features, label = binary
    booster = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(features, label), 2)
    before = booster.save_config()
    explain.permutation_importance(booster, features, label, metric="auc", repeats=1)
    assert booster.save_config() == before


def test_what_a_matrix_knows_counts_in_losses(regression):
    features, label = regression
    model = xgb.train({"nthread": 1}, xgb.DMatrix(features, label), 3)
    weights = np.random.default_rng(0).random(300)

    def loss(data, **options):
        return explain.permutation_importance(model, data, label, repeats=1, **options).loss

    weighted = xgb.DMatrix(features, weight=weights)
    assert loss(weighted) == loss(features, sample_weight=weights) != loss(features)
    assert loss(weighted, sample_weight=np.ones(300)) == loss(features)
    shifted = xgb.DMatrix(features, base_margin=label)
    for metric in (None, lambda y, predictions: np.sqrt(np.mean((y - predictions) ** 2))):
        rmse = np.sqrt(np.mean((model.predict(shifted) - label) ** 2))
        assert loss(shifted, metric=metric) == pytest.approx(rmse, rel=1e-5)
    for data, options in ((weighted, {}), (features, {"sample_weight": weights}), (features, {"qid": np.zeros(300)})):
        with pytest.raises(ParameterError, match="`metric` is a function.*would not count. Leave them out"):
            loss(data, metric=lambda *_: 0.0, **options)


def test_queries_and_bounds_of_a_matrix_count_in_losses(regression):
    features, label = regression
    queries, relevance = np.arange(300) // 10, (label > 0).astype(int)
    data = xgb.DMatrix(features, relevance, qid=queries)
    ranker = xgb.train({"objective": "rank:ndcg", "eval_metric": "ndcg@3"}, data, 2)
    found = [
        explain.permutation_importance(ranker, rows, relevance, repeats=1, **options).values.tolist()
        for rows, options in ((data, {}), (features, {"qid": queries}), (xgb.DMatrix(features), {"qid": queries}))
    ]
    assert found[0] == found[1] == found[2]
    time = np.exp(label)
    lived = xgb.DMatrix(features, label_lower_bound=time, label_upper_bound=time)
    model = xgb.train({"objective": "survival:aft"}, lived, 2)
    loss = explain.permutation_importance(model, lived, time, repeats=1).loss
    assert loss == pytest.approx(float(model.eval(lived).rsplit(":", 1)[1]))


def test_base_margins_count_in_dependence(regression):
    features, label = regression
    model = xgb.train({"objective": "binary:logistic", "nthread": 1}, xgb.DMatrix(features, label > 0), 3)
    data = xgb.DMatrix(features, base_margin=label)
    changed = features.copy()
    changed[:, 0] = 0.5
    wanted = model.predict(xgb.DMatrix(changed, base_margin=label))
    found = explain.partial_dependence(model, data, 0, grid=[-1.0, 0.5], scale="value", individual=True)
    assert found.individual[:, 1] == pytest.approx(wanted, abs=1e-6)
    brute = explain.partial_dependence(model, data, 0, grid=[-1.0, 0.5], scale="value")
    assert brute.average[1] == pytest.approx(wanted.mean(), abs=1e-6)
    assert explain.h_statistic(model, data, [0, 1], scale="value", max_rows=50) > 0
    with pytest.raises(ParameterError, match="`method` weighted.*base margins.*Use `method` brute"):
        explain.partial_dependence(model, data, 0, method="weighted")


def test_bad_permutations_are_refused(model, features):
    with pytest.raises(ParameterError, match="`repeats`"):
        explain.permutation_importance(model, features, features[:, 0], repeats=0)
    with pytest.raises(DataError, match="labels"):
        explain.permutation_importance(model, features, features[:5, 0], metric=lambda _y, _p: 0.0)
    with pytest.raises((DataError, ParameterError)):
        explain.permutation_importance(model, features, features[:5, 0])
    with pytest.raises(ParameterError, match="rmsf"):
        explain.permutation_importance(model, features, features[:, 0], metric="rmsf")


def test_labels_of_classifiers_are_those_of_their_fit(features):
    pytest.importorskip("sklearn")
    label = (features[:, 0] > 1).astype(int)
    named = xgb.XGBClassifier(n_estimators=4).fit(features, np.array(["n", "y"])[label])
    plain = xgb.XGBClassifier(n_estimators=4).fit(features, label)
    found = explain.permutation_importance(named, features, ["ny"[code] for code in label], metric="auc")
    assert np.array_equal(found.values, explain.permutation_importance(plain, features, label, metric="auc").values)
    assert found.mean.argmax() == 0
    with pytest.raises(DataError, match="`y` has the label 'x', which the model does not have"):
        explain.permutation_importance(named, features, ["x"] * 200)


@pytest.mark.parametrize("names", [["u", "v", "w"], [10, 20, 30]])
def test_grids_of_categories_are_their_names(names):
    pandas = pytest.importorskip("pandas")
    codes = np.arange(120) % 3
    frame = pandas.DataFrame({"k": pandas.Categorical.from_codes(codes, names), "x": np.arange(120.0)})
    booster = xgb.train({}, xgb.DMatrix(frame, codes**2), 9)
    found = explain.partial_dependence(booster, frame, "k", grid_size=2)
    assert found.grid[0].tolist() == names
    turned = explain.partial_dependence(booster, frame, ["x", "k"], grid=([5.0], names[::-1]))
    assert turned.grid[1].tolist() == names[::-1]
    assert np.allclose(turned.average[0], found.average[::-1], atol=0.05)
    with pytest.raises(ParameterError, match="`grid` has 'z', which is no category of 'k'. They are"):
        explain.partial_dependence(booster, frame, "k", grid=["z"])
