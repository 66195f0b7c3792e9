# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ARG005  what is called has a fixed signature
import numpy as np
import pytest

import xgb_like as xgb

PARAMS = {"max_depth": 3, "nthread": 1}


def test_training_reduces_the_loss(dtrain):
    log = {}
    xgb.train(PARAMS, dtrain, 20, evals=[(dtrain, "train")], evals_result=log, verbose_eval=False)
    scores = log["train"]["rmse"]
    assert len(scores) == 20
    assert scores == sorted(scores, reverse=True)


def test_evals_result_has_all_metrics_in_their_order(binary):
    data, log = xgb.DMatrix(*binary), {"b": {"old": [1.0]}, "other": 1}
    params = {**PARAMS, "objective": "binary:logistic", "eval_metric": ["error", "auc", "logloss"]}
    evals = [(data, "a"), (data, "b")]
    xgb.train(params, data, 3, evals=evals, evals_result=log, verbose_eval=False, custom_metric=lambda p, d: ("own", 7))
    assert list(log) == ["b", "other", "a"]
    assert list(log["a"]) == ["error", "auc", "logloss", "own"]
    assert "old" not in log["b"]
    assert log["a"]["own"] == [7.0] * 3


@pytest.mark.parametrize(
    ("verbose", "rounds"), [(True, [0, 1, 2, 3, 4]), (2, [0, 2, 4]), (3, [0, 3, 4]), (False, []), (None, []), (0, [])]
)
def test_printing(dtrain, capsys, verbose, rounds):
    xgb.train(PARAMS, dtrain, 5, evals=[(dtrain, "a"), (dtrain, "b")], verbose_eval=verbose)
    lines = capsys.readouterr().out.splitlines()
    assert [int(line[1 : line.index("]")]) for line in lines] == rounds
    for line in lines:
        _, first, second = line.split("\t")
        assert first.startswith("a-rmse:")
        assert len(second.partition(".")[2]) == 5


@pytest.mark.parametrize("objective", ["reg:squarederror", "binary:logistic", "multi:softprob"])
@pytest.mark.parametrize("form", ["booster", "raw", "path"])
def test_training_continued_equals_never_having_stopped(classes, tmp_path, objective, form):
    label = classes[1] if objective.startswith("multi") else (classes[1] > 1)
    data = xgb.DMatrix(classes[0], label)
    params = {**PARAMS, "objective": objective, "subsample": 0.5, "colsample_bynode": 0.5, "seed": 5}
    params |= {"num_class": 3} if objective.startswith("multi") else {}
    whole = xgb.train(params, data, 6)
    first = xgb.train(params, data, 2)
    first.save_model(tmp_path / "first.ubj")
    start = {"booster": first, "raw": first.save_raw(), "path": tmp_path / "first.ubj"}[form]
    again = xgb.train(params, data, 4, xgb_model=start)
    assert again.save_raw() == whole.save_raw()
    assert first.num_boosted_rounds() == 2


def test_continuing_by_no_rounds_is_the_same_model(booster, dtrain):
    assert xgb.train(PARAMS, dtrain, 0, xgb_model=booster).save_raw() == booster.save_raw()


def test_no_rounds_give_an_untrained_booster(dtrain):
    assert xgb.train(PARAMS, dtrain, 0).num_boosted_rounds() == 0


@pytest.mark.parametrize("booster", ["gbtree", "dart", "gblinear"])
@pytest.mark.parametrize("base_score", [None, 0.25])
@pytest.mark.parametrize("objective", ["binary:hinge", "multi:softprob", "reg:gaussian"])
def test_a_model_of_no_rounds_predicts_is_saved_and_goes_on(classes, objective, base_score, booster):
    num_class = 3 if objective.startswith("multi") else None
    params = {"objective": objective, "num_class": num_class, "base_score": base_score, "booster": booster}
    data = xgb.DMatrix(classes[0], np.minimum(classes[1], 1))
    empty = xgb.train(params, data, 0)
    loaded = xgb.Booster(model_file=empty.save_raw())
    np.testing.assert_array_equal(loaded.predict(data), empty.predict(data))
    np.testing.assert_array_equal(empty.inplace_predict(classes[0]), empty.predict(data))
    going_on = xgb.train(params, data, 2, xgb_model=loaded)
    np.testing.assert_array_equal(going_on.predict(data), xgb.train(params, data, 2).predict(data))


def test_params_as_pairs_and_as_text(dtrain):
    wanted = xgb.train(PARAMS, dtrain, 2).save_raw()
    assert xgb.train([("max_depth", "3"), ("nthread", "1")], dtrain, 2).save_raw() == wanted
    assert xgb.train([], dtrain, 1).num_boosted_rounds() == 1


def test_params_are_not_changed(dtrain):
    params = {"max_depth": 2, "eval_metric": ["mae", "rmse"], "seed": None}
    xgb.train(params, dtrain, 1)
    assert params == {"max_depth": 2, "eval_metric": ["mae", "rmse"], "seed": None}


def test_early_stopping_keeps_all_rounds_and_the_best(regression, dtrain):
    other = xgb.DMatrix(-regression[0], regression[1])
    booster = xgb.train(
        PARAMS, dtrain, 50, evals=[(dtrain, "a"), (other, "b")], early_stopping_rounds=3, verbose_eval=False
    )
    assert booster.num_boosted_rounds() == booster.best_iteration + 4
    score = booster[: booster.best_iteration + 1].eval(other)
    assert booster.best_score == pytest.approx(float(score.rpartition(":")[2]))


@pytest.mark.parametrize("maximize", [None, True])
def test_early_stopping_knows_what_is_better(binary, maximize):
    data = xgb.DMatrix(*binary)
    params = {**PARAMS, "objective": "binary:logistic", "eval_metric": "auc"}
    log = {}
    booster = xgb.train(
        params,
        data,
        40,
        evals=[(data, "a")],
        early_stopping_rounds=2,
        maximize=maximize,
        evals_result=log,
        verbose_eval=False,
    )
    assert booster.best_score == max(log["a"]["auc"])


def test_early_stopping_needs_data(dtrain):
    with pytest.raises(ValueError, match="at least 1 validation dataset"):
        xgb.train(PARAMS, dtrain, 3, early_stopping_rounds=2)


def test_early_stopping_counts_anew_after_continuing(booster, dtrain, regression):
    other = xgb.DMatrix(-regression[0], regression[1])
    more = xgb.train(
        PARAMS, dtrain, 9, xgb_model=booster, evals=[(other, "b")], early_stopping_rounds=2, verbose_eval=False
    )
    assert more.best_iteration >= 4
    assert more.num_boosted_rounds() == more.best_iteration + 3


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ({"dtrain": np.eye(3)}, "`dtrain` must be a DMatrix"),
        ({"num_boost_round": 1.5}, "`num_boost_round` must be an int; got 1.5"),
        ({"evals": "matrix"}, "`evals` must be a list of pairs"),
        ({"evals": [(np.eye(3), "a")]}, "`evals` must be a DMatrix"),
        ({"evals": [(1, 2, 3)]}, "`evals` must be a list of pairs"),
        ({"callbacks": [3]}, "`TrainingCallback`; got 3"),
        ({"callbacks": xgb.callback.EvaluationMonitor()}, "`callbacks` must be a list"),
        ({"custom_metric": 3}, "`custom_metric` must be a function"),
        ({"obj": 3}, "`obj` must be a function or .*; got 3"),
        ({"num_boost_round": -1}, "`num_boost_round` must be >= 0; got -1"),
        ({"evals_result": []}, "`evals_result` must be a dict"),
        ({"early_stopping_rounds": "a"}, "`early_stopping_rounds` must be an int"),
        ({"early_stopping_rounds": -1}, "`early_stopping_rounds` must be >= 1; got -1"),
        ({"verbose_eval": -1}, "`verbose_eval` must be >= 0; got -1"),
        ({"xgb_model": 3}, "`fname` must be a string or a path"),
        ({"params": "eta=1"}, "`params` must be a dict"),
    ],
)
def test_bad_arguments_are_refused(dtrain, call, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        xgb.train(**{"params": PARAMS, "dtrain": dtrain, "num_boost_round": 1, **call})


def test_an_unknown_argument_is_refused(dtrain):
    with pytest.raises(TypeError, match="feval"):
        xgb.train(PARAMS, dtrain, 1, feval=print)


def test_evals_by_position_warn(dtrain, capsys):
    with pytest.warns(FutureWarning, match="Pass `evals`"):
        xgb.train(PARAMS, dtrain, 1, [(dtrain, "a")])
    assert capsys.readouterr().out.startswith("[0]\ta-rmse:")


def test_labels_are_needed(regression):
    with pytest.raises(xgb.DataError, match="label"):
        xgb.train(PARAMS, xgb.DMatrix(regression[0]), 1)


@pytest.mark.parametrize("label", [0.0, 1.0, 1e30, -1e-40])
def test_constant_labels_are_met(label):
    features = np.arange(20.0).reshape(10, 2)
    booster = xgb.train(PARAMS, xgb.DMatrix(features, np.full(10, label)), 2)
    np.testing.assert_allclose(booster.predict(xgb.DMatrix(features)), np.float32(label), rtol=1e-6)


@pytest.mark.parametrize(
    "features",
    [np.ones((8, 1)), np.full((8, 2), np.nan), np.ones((8, 3)), np.float32([[3e38], [-3e38]] * 4), [[1e-45], [0]] * 4],
    ids=["one column", "all missing", "constant", "huge", "denormal"],
)
def test_odd_features_train(features):
    data = xgb.DMatrix(features, [0, 1] * 4)
    booster = xgb.train(PARAMS, data, 2)
    assert np.isfinite(booster.predict(data)).all()


def test_one_row_trains():
    one = xgb.DMatrix([[1.0, 2.0]], [3.0])
    np.testing.assert_allclose(xgb.train(PARAMS, one, 2).predict(one), 3)


def test_no_columns_are_refused():
    with pytest.raises(xgb.DataError, match="`dtrain` has no columns: 0 feature is supplied"):
        xgb.train(PARAMS, xgb.DMatrix(np.zeros((5, 0)), np.zeros(5)), 2)


def test_names_of_evals_must_differ(dtrain):
    with pytest.raises(xgb.ParameterError, match="`evals` has the name 'a' twice.*Give each matrix a name of its own"):
        xgb.train(PARAMS, dtrain, 1, evals=[(dtrain, "a"), (dtrain, "b"), (dtrain, "a")])


@pytest.mark.parametrize("method", ["hist", "exact", "approx"])
def test_data_without_rows_train_with_a_warning(method):
    empty = xgb.DMatrix(np.empty((0, 3)), np.empty(0))
    with pytest.warns(UserWarning, match="`dtrain` has no rows: nothing is learnt"):
        booster = xgb.train({**PARAMS, "tree_method": method, "base_score": 2.5}, empty, 2)
    assert booster.predict(xgb.DMatrix(np.ones((2, 3)))).tolist() == [2.5, 2.5]


@pytest.mark.parametrize("signs", ["(1,-1)", [1, -1], (1, -1)])
def test_constraints_for_some_features_are_told_of_once(dtrain, signs):
    with pytest.warns(UserWarning, match="`monotone_constraints` has 2 entries.*5 features.*from number 2 on") as told:
        booster = xgb.train({**PARAMS, "monotone_constraints": signs}, dtrain, 3)
    assert len(told) == 1
    assert booster.save_raw() == xgb.train({**PARAMS, "monotone_constraints": (1, -1, 0, 0, 0)}, dtrain, 3).save_raw()


@pytest.mark.parametrize("signs", ["()", (), (1, 0, 0, 0, 0), {"f1": 1}])
@pytest.mark.filterwarnings("error")
def test_constraints_for_none_or_all_features_are_not_told_of(dtrain, signs):
    xgb.train({**PARAMS, "monotone_constraints": signs}, dtrain, 1)
