# SPDX-License-Identifier: Apache-2.0
"""Mistakes with estimators: each message names the argument, what came, and what to do."""

import numpy as np
import pytest

import xgb_like as xgb

base, exceptions = pytest.importorskip("sklearn.base"), pytest.importorskip("sklearn.exceptions")

X = np.arange(24.0).reshape(12, 2)
Y = np.arange(12) % 2
C, R, K = xgb.XGBClassifier, xgb.XGBRegressor, xgb.XGBRanker

FIT = {
    "no label": (C, {"y": None}, "requires y to be passed.*Pass the labels as `y`"),
    "no label of a regressor": (R, {"y": None}, "XGBRegressor requires y to be passed"),
    "too few labels": (C, {"y": Y[:5]}, "`y` must have one label for each row of X.*5 labels for 12 rows"),
    "too few targets": (R, {"y": Y[:5]}, "`y` must have one label for each row of X.*5 labels for 12 rows"),
    "no rows": (C, {"X": X[:0], "y": []}, "`y` has no labels"),
    "fractions as classes": (C, {"y": Y + 0.5}, "Unknown label type: continuous.*0.5.*Use XGBRegressor"),
    "missing label": (C, {"y": [1.0, np.nan] * 6}, "`y` has .*nan.* in row 1.*Remove such rows"),
    "None as label": (C, {"y": ["a", None] * 6}, "`y` has None in row 1"),
    "infinite label": (C, {"y": [1.0, np.inf] * 6}, "`y` has .*inf.* in row 1"),
    "mixed labels": (C, {"y": [1, "a"] * 6}, "`y` must have labels of one kind; got int, str.*astype"),
    "complex labels": (C, {"y": [1j, 1] * 6}, "Complex data not supported: `y`"),
    "text as labels": (C, {"y": "abc"}, "`y` must be an array of labels; got str"),
    "number as labels": (C, {"y": 3}, "`y` must be an array of labels; got int"),
    "three dimensions": (C, {"y": np.zeros((12, 2, 2))}, r"`y` must have one label per row.*\(12, 2, 2\)"),
    "several classes a row": (
        C,
        {"y": np.column_stack([Y + 1, Y])},
        "`y` with several labels a row must be 0 or 1; got 2",
    ),
    "strings as targets": (R, {"y": list("ab") * 6}, "`y` must be real numbers"),
    "NaN as target": (R, {"y": [np.nan] * 12}, "Label contains NaN"),
    "matrix as features": (C, {"X": xgb.DMatrix(X)}, r"`X` must be an array.*use train\(\)"),
    "one dimension": (C, {"X": X[:, 0]}, "2-dimensional matrix.*reshape"),
    "strings as features": (C, {"X": np.full((12, 1), "a")}, "must be real numbers"),
    "text as features": (C, {"X": 3}, "Not supported type"),
    "infinite features": (C, {"X": np.where(X == 3, np.inf, X)}, "Input data contains `inf`"),
    "too few weights": (
        C,
        {"sample_weight": [1, 2]},
        "`sample_weight` must have one sample weight for each row; got 2 for 12",
    ),
    "weights in columns": (
        C,
        {"sample_weight": np.ones((12, 2))},
        r"`sample_weight` must have one weight a row.*\(12, 2\)",
    ),
    "negative weights": (C, {"sample_weight": -np.ones(12)}, "Weights must be positive"),
    "all weights 0": (R, {"sample_weight": np.zeros(12)}, "`sample_weight` is zero in all rows"),
    "strings as weights": (R, {"sample_weight": ["a"] * 12}, "`sample_weight` must be real numbers"),
    "too few margins": (C, {"base_margin": np.ones(7)}, "`base_margin`: 7 values for 12 rows"),
    "too few weights of features": (
        C,
        {"feature_weights": [1, 2, 3]},
        "`feature_weights` must have one entry for each column",
    ),
    "number to go on with": (C, {"xgb_model": 3}, "`xgb_model` must be a Booster, an estimator, or the path.*got 3"),
    "unfitted to go on with": (C, {"xgb_model": C()}, "not fitted yet"),
    "file that is not there": (C, {"xgb_model": "/no/model.json"}, "No such file"),
    "text as set": (C, {"eval_set": "abc"}, "`eval_set` must be a list of pairs.*got str"),
    "array as set": (C, {"eval_set": X}, "`eval_set` must be a list of pairs.*got ndarray"),
    "arrays in a list": (C, {"eval_set": [X]}, r"`eval_set\[0\]` must be a pair \(X, y\); got a ndarray"),
    "three in a set": (C, {"eval_set": [(X, Y, Y)]}, r"`eval_set\[0\]` must be a pair.*of 3 entries"),
    "set without labels": (C, {"eval_set": [(X, Y), (X, None)]}, r"`eval_set\[1\]` has no labels"),
    "set with too few labels": (
        R,
        {"eval_set": [(X, Y[:3])]},
        r"`eval_set\[0\]` must have one label for each row.*3 labels",
    ),
    "set of other width": (
        R,
        {"eval_set": [(X[:, :1], Y)]},
        r"`eval_set\[0\]` must have the features that `X` has: 2.*got 1",
    ),
    "set with unknown label": (
        C,
        {"eval_set": [(X, Y + 5)]},
        r"`eval_set\[0\]` has the label 5, .*classes are \[0, 1\]",
    ),
    "matrix with labels": (C, {"eval_set": [(xgb.DMatrix(X), Y)]}, r"`eval_set\[0\]` must be an array.*give it alone"),
    "columns weighed twice": (
        lambda **params: C(feature_weights=[1, 1], **params),
        {"feature_weights": [1, 1]},
        "2 different `feature_weights`.*Use the one in constructor or `set_params` instead",
    ),
    "weights of no sets": (C, {"sample_weight_eval_set": [Y]}, "`eval_set` is not set.*`sample_weight_eval_set`"),
    "weights of more sets": (
        C,
        {"eval_set": [(X, Y)], "sample_weight_eval_set": [None] * 2},
        "sample_weight_eval_set's length does not equal.*expecting 1, got 2",
    ),
    "weights not in a list": (
        C,
        {"eval_set": [(X, Y)], "base_margin_eval_set": np.ones(12)},
        "`base_margin_eval_set` must be a list.*got ndarray",
    ),
    "too few weights of a set": (
        C,
        {"eval_set": [(X, Y)], "sample_weight_eval_set": [np.ones(3)]},
        r"`sample_weight_eval_set\[0\]` must have one sample weight.*3 for 12",
    ),
    "no queries": (K, {}, "Either `group` or `qid` is required.*the training data has neither"),
    "queries twice": (K, {"qid": [0] * 12, "group": [12]}, "Either one of `group` or `qid` should be None"),
    "queries out of order": (K, {"qid": [0, 1] * 6}, "`qid` must be sorted.*Sort the rows"),
    "groups of other rows": (K, {"group": [3, 4]}, "`group` add up to 7, but the data has 12 rows"),
    "too many weights of queries": (K, {"group": [12], "sample_weight": [1, 2]}, "number of query groups.*got 2 for 1"),
    "set without queries": (
        K,
        {"group": [12], "eval_set": [(X, Y)]},
        r"`group` or `qid` is required.*`eval_set\[0\]` has",
    ),
}

PARAMS = {
    "rounds misspelt": ({"n_estimator": 3}, "Did you mean `n_estimators`"),
    "columns misspelt": ({"feature_weight": [1, 1]}, "Did you mean `feature_weights`. It is an argument of DMatrix"),
    "unknown name": ({"max_dept": 3}, "Unknown parameter `max_dept`. Did you mean `max_depth`"),
    "text as number": ({"max_depth": "deep"}, "`max_depth` must be an int >= 0; got `deep`"),
    "unknown choice": ({"tree_method": "fast"}, "`tree_method` must be one of auto, exact, approx, hist; got `fast`"),
    "unknown objective": ({"objective": "reg:foo"}, "Unknown objective `reg:foo`"),
    "unknown metric": ({"eval_metric": "aucc"}, "Unknown metric `aucc`. Did you mean `auc`"),
    "negative rounds": ({"n_estimators": -1}, "`n_estimators` must be an int >= 0; got -1"),
    "rounds as text": ({"n_estimators": "all"}, "`n_estimators` must be an int; got 'all'"),
    "threads as text": ({"n_jobs": "all"}, "`n_jobs` must be an int; got 'all'"),
    "seed as text": ({"random_state": "a"}, "`random_state` must be an int; got `a`"),
    "missing as text": ({"missing": "none"}, "`missing` must be a number or None; got 'none'"),
    "verbosity": ({"verbosity": 9}, "`verbosity` must be an int .* got 9"),
    "stopping without a set": ({"early_stopping_rounds": 3}, "at least 1 validation dataset.*pass `eval_set` to fit"),
    "callbacks": ({"callbacks": 3}, "`callbacks` must be a list of callbacks; got int"),
    "weights of classes": ({"class_weight": 3}, "`class_weight` must be 'balanced', a dict or None; got 3"),
    "weight of an unknown class": ({"class_weight": {0: 1, 5: 2}}, "`class_weight` has the label 5, .*classes are"),
    "weight that is none": ({"class_weight": {0: "x"}}, "`class_weight` of 0 must be a number; got 'x'"),
}


@pytest.mark.parametrize("case", FIT.values(), ids=FIT)
def test_fit_refuses(case):
    cls, given, message = case
    with pytest.raises((xgb.XgbLikeError, exceptions.NotFittedError), match=f"(?s){message}"):
        cls(n_estimators=1).fit(**{"X": X, "y": Y, "verbose": False, **given})


@pytest.mark.parametrize("case", PARAMS.values(), ids=PARAMS)
def test_parameters_are_judged_by_fit(case):
    given, message = case
    with pytest.raises(xgb.XgbLikeError, match=message):
        C(**{"n_estimators": 1, **given}).fit(X, Y)


@pytest.mark.parametrize("cls", [R, K, xgb.XGBModel, xgb.XGBRFRegressor])
@pytest.mark.parametrize("weights", ["balanced", "nonsense", {0: 2}])
def test_weights_of_classes_are_for_classifiers(cls, weights):
    model = base.clone(cls(n_estimators=1, class_weight=weights))
    queries = {"group": [12]} if cls is K else {}
    with pytest.raises(xgb.ParameterError, match=f"`class_weight`.*{cls.__name__} is none.*`sample_weight`"):
        model.fit(X, Y, **queries)
    model.set_params(class_weight=None).fit(X, Y, **queries)


def test_unknown_arguments_are_type_errors():
    with pytest.raises(TypeError, match="eval_sets"):
        C().fit(X, Y, eval_sets=[])


@pytest.mark.parametrize(
    "use",
    [
        lambda model: model.predict(X),
        lambda model: model.apply(X),
        lambda model: model.get_booster(),
        lambda model: model.evals_result(),
        lambda model: model.n_features_in_,
        lambda model: model.feature_importances_,
        lambda model: model.best_iteration,
        lambda model: model.save_model("m.json"),
    ],
)
@pytest.mark.parametrize("cls", [C, R, K])
def test_unfitted_estimators_say_so(cls, use):
    with pytest.raises(exceptions.NotFittedError, match="not fitted yet: need to call fit or load_model"):
        use(cls())


def test_unfitted_estimators_have_no_fitted_attributes():
    assert not any(hasattr(C(), name) for name in ("classes_", "n_classes_", "n_features_in_", "coef_", "intercept_"))


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda model: model.predict(X[:, :1]), "Feature shape mismatch, expected: 2, got 1"),
        (lambda model: model.predict_proba(X[0]), "reshape"),
        (lambda model: model.predict(xgb.DMatrix(X)), r"`X` must be an array.*get_booster\(\).predict"),
        (lambda model: model.predict(X, iteration_range=(0, 9)), "`iteration_range`.* 1 rounds"),
        (lambda model: model.predict(X, iteration_range=3), "`iteration_range` must be a pair of ints, .*; got 3"),
        (lambda model: model.predict(X, base_margin=[1, 2, 3]), "`base_margin`: 3 values"),
        (lambda model: model.evals_result(), "`eval_set` is not used"),
        (lambda model: model.set_params(importance_type="x").feature_importances_, "`importance_type` must be one of"),
    ],
)
def test_fitted_estimators_refuse(use, message):
    with pytest.raises(xgb.XgbLikeError, match=message):
        use(C(n_estimators=1).fit(X, Y))


def test_other_names_of_features_are_told():
    pandas = pytest.importorskip("pandas")
    model = R(n_estimators=1).fit(pandas.DataFrame(X, columns=["a", "b"]), Y)
    with pytest.raises(xgb.DataError, match=r"(?s)feature_names mismatch.*expected b.*c"):
        model.predict(pandas.DataFrame(X, columns=["a", "c"]))
    assert model.predict(pandas.DataFrame(X, columns=["a", "c"]), validate_features=False).shape == (12,)


def test_ranker_has_an_objective_for_ranking():
    with pytest.raises(xgb.ParameterError, match="must be one for ranking.*'binary:logistic'.*XGBClassifier"):
        K(objective="binary:logistic")
    with pytest.raises(xgb.ParameterError, match="custom objective function is not supported"):
        K(objective=max)
    with pytest.raises(xgb.ParameterError, match="must be one for ranking"):
        K().set_params(objective="reg:gamma").fit(X, Y, group=[12])


def test_ranker_refuses_queries_twice_and_score_without_them():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=["a", "b"]).assign(qid=0)
    with pytest.raises(xgb.DataError, match="both the special column `qid`"):
        K().fit(table, Y, qid=[0] * 12)
    with pytest.raises(xgb.DataError, match="column `qid` is required"):
        K(n_estimators=1).fit(table, Y).score(X, Y)


@pytest.mark.parametrize(
    ("metric", "error", "message"),
    [
        ([max, min], NotImplementedError, "multiple custom metrics.*max, min"),
        (3, TypeError, "Invalid type for the `eval_metric`: got 3 of type int"),
        ([3], TypeError, "Invalid type for the `eval_metric`: got 3 of type int"),
    ],
)
def test_metrics_of_wrong_kinds(metric, error, message):
    with pytest.raises(error, match=message):
        C(eval_metric=metric).fit(X, Y, eval_set=[(X, Y)])


def test_objective_without_weights_is_refused_for_weighted_rows():
    with pytest.raises(xgb.ParameterError, match="Custom objective doesn't have the `sample_weight` parameter"):
        R(objective=lambda y_true, y_pred: (y_pred - y_true, y_pred)).fit(X, Y, sample_weight=np.ones(12))
