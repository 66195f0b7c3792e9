# SPDX-License-Identifier: Apache-2.0
"""What `fit` takes beside features and labels: evaluation sets, metrics, objectives, callbacks, earlier models."""

import numpy as np
import pytest

import xgb_like as xgb

metrics = pytest.importorskip("sklearn.metrics")

SMALL = {"n_estimators": 4, "max_depth": 2}
QUIET = {"verbose": False}


def squared(y_true, y_pred):
    return y_pred - y_true, np.ones_like(y_pred)


def weighted_squared(y_true, y_pred, sample_weight=None):
    weight = np.ones_like(y_pred) if sample_weight is None else sample_weight
    return weight * (y_pred - y_true), weight


def history(data, eval_set, **params):
    return xgb.XGBRegressor(**SMALL, **params).fit(*data, eval_set=eval_set, **QUIET).evals_result()


def test_evaluation_sets_are_named_by_number(regression):
    found = history(regression, [regression, (regression[0][:9], regression[1][:9])])
    assert list(found) == ["validation_0", "validation_1"]
    assert [len(scores["rmse"]) for scores in found.values()] == [4, 4]


@pytest.mark.parametrize("make", [list, tuple, lambda pair: [list(pair)], lambda pair: (pair,), lambda pair: [pair]])
def test_evaluation_sets_as_lists_tuples_and_one_pair(regression, make):
    pair = (regression[0][:50], regression[1][:50])
    given = pair if make is tuple else [pair] if make is list else make(pair)
    assert history(regression, given) == history(regression, [pair])


def test_evaluation_sets_of_other_kinds_than_the_training_data(regression):
    pandas, sparse, polars = (pytest.importorskip(name) for name in ("pandas", "scipy.sparse", "polars"))
    features, label = regression[0][:50], regression[1][:50]
    table = pandas.DataFrame(features, columns=list("abcde"))
    sets = [
        (table, pandas.Series(label)),
        (sparse.csr_matrix(features), label),
        (features.tolist(), polars.Series(label)),
    ]
    for train in (regression, (pandas.DataFrame(regression[0], columns=list("abcde")), regression[1])):
        found = list(history(train, sets).values())
        assert found[0] == found[1] == found[2]


def test_evaluation_sets_that_are_matrices(regression):
    matrix = xgb.DMatrix(regression[0][:50], regression[1][:50])
    found = history(regression, [matrix, (matrix, "mine"), (regression[0][:50], regression[1][:50])])
    assert list(found) == ["validation_0", "mine", "validation_2"]
    assert found["validation_0"] == found["mine"] == found["validation_2"]
    assert list(history(regression, matrix)) == ["validation_0"]


def test_weights_and_margins_of_evaluation_sets(regression):
    weight, margin = np.linspace(1, 2, 300), np.full(300, 0.5)
    info = {"sample_weight_eval_set": [weight, None], "base_margin_eval_set": [None, margin]}
    model = xgb.XGBRegressor(**SMALL).fit(*regression, eval_set=[regression] * 2, **info, **QUIET)
    sets = [(xgb.DMatrix(*regression, weight=weight), "a"), (xgb.DMatrix(*regression, base_margin=margin), "b")]
    expected = {}
    xgb.train({"max_depth": 2}, xgb.DMatrix(*regression), 4, evals=sets, evals_result=expected, verbose_eval=False)
    assert list(model.evals_result().values()) == list(expected.values())


def test_categories_of_evaluation_sets_are_those_of_the_training_data():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"c": pandas.Categorical(["x", "y", "z"] * 20)})
    label = table["c"].cat.codes.to_numpy() == 1
    other = table.assign(c=pandas.Categorical(table["c"], categories=["z", "x", "y"]))
    found = history((table, label), [(table, label), (other, label)])
    assert found["validation_0"] == found["validation_1"]


@pytest.mark.parametrize(("verbose", "lines"), [(True, 4), (2, 3), (False, 0), (None, 0)])
def test_metrics_are_printed_if_wanted(regression, capsys, verbose, lines):
    xgb.XGBRegressor(**SMALL).fit(*regression, eval_set=[regression], verbose=verbose)
    assert capsys.readouterr().out.count("validation_0-rmse") == lines


def test_metrics_by_name_function_and_both(binary):
    def found(eval_metric):
        model = xgb.XGBClassifier(**SMALL, eval_metric=eval_metric)
        return model.fit(*binary, eval_set=[binary], **QUIET).evals_result()["validation_0"]

    assert list(found(["auc", "error"])) == ["auc", "error"]
    assert list(found(metrics.log_loss)) == ["logloss", "log_loss"]
    both = found(["logloss", metrics.log_loss])
    assert np.allclose(both["logloss"], both["log_loss"], atol=1e-5)


def test_functions_get_weights(regression):
    weight = np.linspace(0.1, 2, 300)
    model = xgb.XGBRegressor(**SMALL, eval_metric=["mae", metrics.mean_absolute_error])
    model.fit(*regression, sample_weight=weight, eval_set=[regression], sample_weight_eval_set=[weight], **QUIET)
    found = model.evals_result()["validation_0"]
    assert np.allclose(found["mae"], found["mean_absolute_error"], rtol=1e-5)


def test_more_is_better_with_scores_of_sklearn_and_less_with_losses(binary):
    for function, better in ((metrics.roc_auc_score, max), (metrics.log_loss, min)):
        model = xgb.XGBClassifier(n_estimators=30, early_stopping_rounds=4, eval_metric=function)
        model.fit(binary[0][:150], binary[1][:150], eval_set=[(binary[0][150:], binary[1][150:])], **QUIET)
        scores = model.evals_result()["validation_0"][function.__name__]
        assert model.best_score == pytest.approx(better(scores))


def test_stopping_early_predicts_with_the_best_round(regression):
    sets = [(regression[0][:40], regression[1][:40] + np.random.default_rng(0).normal(size=40))]
    model = xgb.XGBRegressor(n_estimators=50, early_stopping_rounds=3).fit(*regression, eval_set=sets, **QUIET)
    best, booster, data = model.best_iteration, model.get_booster(), xgb.DMatrix(regression[0])
    assert booster.num_boosted_rounds() > best + 1
    expected = booster.predict(data, iteration_range=(0, best + 1))
    assert np.array_equal(model.predict(regression[0]), expected)
    assert np.array_equal(model.predict(regression[0], iteration_range=(0, 0)), expected)
    assert model.apply(regression[0]).shape[1] == best + 1
    rounds = (0, booster.num_boosted_rounds())
    assert not np.array_equal(model.predict(regression[0], iteration_range=rounds), expected)


def test_own_objective_is_squared_error(regression):
    expected = xgb.XGBRegressor(**SMALL, base_score=0.5).fit(*regression)
    model = xgb.XGBRegressor(**SMALL, base_score=0.5, objective=squared).fit(*regression)
    assert np.allclose(model.predict(regression[0]), expected.predict(regression[0]), atol=1e-5)
    assert model.objective is squared


def test_own_objective_gets_weights(regression):
    weight = np.linspace(0, 2, 300)  # the row of weight 0 stays: a function may know the rows by their number
    model = xgb.XGBRegressor(**SMALL, base_score=0, objective=weighted_squared).fit(*regression, sample_weight=weight)
    expected = xgb.XGBRegressor(**SMALL, base_score=0).fit(*regression, sample_weight=weight)
    assert np.allclose(model.predict(regression[0]), expected.predict(regression[0]), atol=1e-2)


def test_own_objective_may_be_a_class(regression):
    class Squared(xgb.objective.Objective):
        def __call__(self, iteration, y_pred, dtrain):  # noqa: ARG002
            return squared(dtrain.get_label(), y_pred)

    model = xgb.XGBRegressor(**SMALL, objective=Squared()).fit(*regression)
    assert np.array_equal(model.predict(regression[0]), xgb.XGBRegressor(**SMALL, objective=squared).fit(*regression).predict(regression[0]))  # fmt: skip # noqa: E501


def test_own_objective_of_classes(binary, classes):
    def logistic(y_true, y_pred):
        p = 1 / (1 + np.exp(-y_pred))
        return p - y_true, p * (1 - p)

    def softmax(y_true, y_pred):
        p = np.exp(y_pred) / np.exp(y_pred).sum(axis=1, keepdims=True)
        return p - np.eye(3)[y_true.astype(int)], 2 * p * (1 - p)

    assert xgb.XGBClassifier(**SMALL, objective=logistic).fit(*binary).score(*binary) > 0.9
    model = xgb.XGBClassifier(**SMALL, objective=softmax).fit(*classes)
    assert model.score(*classes) > 0.7
    assert model.predict_proba(classes[0]).shape == (300, 3)


def test_errors_in_functions_pass_through(regression):
    def broken(y_true, y_pred):  # noqa: ARG001
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        xgb.XGBRegressor(objective=broken).fit(*regression)
    with pytest.raises(ZeroDivisionError):
        xgb.XGBRegressor(eval_metric=broken).fit(*regression, eval_set=[regression])


@pytest.mark.parametrize("kind", ["estimator", "booster", "path", "string"])
def test_going_on_equals_not_having_stopped(regression, tmp_path, kind):
    first = xgb.XGBRegressor(n_estimators=3).fit(*regression)
    first.save_model(tmp_path / "m.json")
    source = {
        "estimator": first,
        "booster": first.get_booster(),
        "path": tmp_path / "m.json",
        "string": str(tmp_path / "m.json"),
    }[kind]
    more = xgb.XGBRegressor(n_estimators=2).fit(*regression, xgb_model=source)
    whole = xgb.XGBRegressor(n_estimators=5).fit(*regression)
    assert np.allclose(more.predict(regression[0]), whole.predict(regression[0]), atol=1e-5)
    assert first.get_booster().num_boosted_rounds() == 3


def test_going_on_uses_the_codes_of_the_model():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"c": pandas.Categorical(["x", "y", "z"] * 20)})
    label = (table["c"] == "y").astype(float)
    other = table.assign(c=pandas.Categorical(table["c"], categories=["z", "x", "y"]))
    first = xgb.XGBRegressor(n_estimators=2).fit(table, label)
    more = xgb.XGBRegressor(n_estimators=2).fit(other, label, xgb_model=first)
    whole = xgb.XGBRegressor(n_estimators=4).fit(table, label)
    assert np.allclose(more.predict(other), whole.predict(table), atol=1e-5)


def test_fitting_again_begins_anew(regression):
    model = xgb.XGBRegressor(**SMALL).fit(*regression, eval_set=[regression], **QUIET)
    model.fit(*regression)
    assert model.get_booster().num_boosted_rounds() == 4
    with pytest.raises(xgb.XgbLikeError, match="eval_set"):
        model.evals_result()


def test_callbacks_run_each_round(regression):
    class Count(xgb.callback.TrainingCallback):
        rounds = 0

        def after_iteration(self, model, epoch, evals_log):  # noqa: ARG002
            self.rounds += 1
            return self.rounds == 2

    count = Count()
    model = xgb.XGBRegressor(**SMALL, callbacks=[count]).fit(*regression)
    assert count.rounds == model.get_booster().num_boosted_rounds() == 2


def test_verbosity_0_is_silent(regression):
    model = xgb.XGBRegressor(**SMALL, verbosity=0, device="cuda").fit(*regression)
    assert model.predict(regression[0]).shape == (300,)
    with pytest.warns(UserWarning, match="device"):
        xgb.XGBRegressor(**SMALL, device="cuda").fit(*regression)


def test_arguments_by_position_warn(regression):
    with pytest.warns(FutureWarning, match="sample_weight"):
        xgb.XGBRegressor(**SMALL).fit(*regression, np.ones(300))
