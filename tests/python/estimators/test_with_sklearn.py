# SPDX-License-Identifier: Apache-2.0
"""Estimators inside of scikit-learn's tools, and its own checks of them."""

import warnings

import numpy as np
import pytest

import xgb_like as xgb

sklearn = pytest.importorskip("sklearn")
from sklearn import (  # noqa: E402
    calibration,
    ensemble,
    feature_selection,
    linear_model,
    model_selection,
    multioutput,
    pipeline,
    preprocessing,
)
from sklearn.utils import estimator_checks  # noqa: E402

NEWEST = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)
SMALL = {"n_estimators": 5, "max_depth": 2, "n_jobs": 1}
EQUIVALENCE = {"check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"}
# Weights as repetitions: softmax sums in another order; forests draw rows, and a repeated row is drawn more often; a
# ranker weighs queries. It also says 0 where the check looks for "zero", and takes no objectives but those for ranking.
EXPECTED = {
    "XGBClassifier": EQUIVALENCE,
    "XGBRFClassifier": EQUIVALENCE,
    "XGBRFRegressor": EQUIVALENCE,
    "OneQuery": EQUIVALENCE
    | {"check_all_zero_sample_weights_error", "check_do_not_raise_errors_in_init_or_set_params"},
}


class OneQuery(xgb.XGBRanker):
    """A ranker that can be fitted without queries, as the checks do: all rows are of one, of their mean weight."""

    def fit(self, X, y, *, sample_weight=None, **others):
        rows = np.asarray(y).shape[:1]
        if sample_weight is not None and np.asarray(sample_weight).shape == rows:
            sample_weight = np.asarray(sample_weight).mean(keepdims=True)
        return super().fit(X, y, qid=np.zeros(rows), sample_weight=sample_weight, **others)

    def score(self, X, y):
        columns = {str(number): column for number, column in enumerate(np.asarray(X).T)}
        return super().score(pytest.importorskip("pandas").DataFrame(columns).assign(qid=0), y)


@pytest.mark.slow
@pytest.mark.skipif(not NEWEST, reason="reports of checks came with scikit-learn 1.6")
@pytest.mark.parametrize(
    "estimator",
    [xgb.XGBModel, xgb.XGBClassifier, xgb.XGBRegressor, xgb.XGBRFClassifier, xgb.XGBRFRegressor, OneQuery],
)
def test_checks_of_sklearn(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = estimator_checks.check_estimator(estimator(n_estimators=8), on_fail=None, on_skip=None)
    failed = {check["check_name"] for check in found if check["status"] == "failed"}
    assert failed <= EXPECTED.get(estimator.__name__, set())
    assert sum(check["status"] == "passed" for check in found) > 30


@pytest.fixture
def names(classes):
    return classes[0], np.array(["a", "b", "c"])[classes[1].astype(int)]


@pytest.mark.parametrize("search", ["GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV"])
def test_searches(names, search):
    pytest.importorskip("sklearn.experimental.enable_halving_search_cv")
    options = {"n_iter": 3, "random_state": 0} if search == "RandomizedSearchCV" else {}
    found = getattr(model_selection, search)(
        xgb.XGBClassifier(**SMALL), {"eta": [0.001, 0.5], "max_depth": [1, 3]}, cv=3, **options
    ).fit(*names)
    assert found.best_score_ > 0.7
    assert found.best_estimator_.get_params()["eta"] == 0.5


def test_optuna():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    features = np.random.default_rng(0).normal(size=(200, 3))

    def objective(trial):
        model = xgb.XGBRegressor(n_estimators=5, learning_rate=trial.suggest_float("learning_rate", 0.01, 1, log=True))
        return model_selection.cross_val_score(model, features, features[:, 0], cv=3).mean()

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(objective, n_trials=5)
    assert study.best_value > 0.5


def test_calibration(names):
    model = calibration.CalibratedClassifierCV(xgb.XGBClassifier(**SMALL), cv=3).fit(*names)
    assert model.score(*names) > 0.7


def test_calibration_of_a_frozen_model(names):
    frozen = pytest.importorskip("sklearn.frozen")
    fitted = xgb.XGBClassifier(**SMALL).fit(*names)
    model = calibration.CalibratedClassifierCV(frozen.FrozenEstimator(fitted)).fit(*names)
    assert model.predict_proba(names[0]).shape == (300, 3)
    assert set(model.predict(names[0])) <= {"a", "b", "c"}


def test_stacking_voting_and_bagging(names, regression):
    own = [("one", xgb.XGBClassifier(**SMALL)), ("two", xgb.XGBRFClassifier(**SMALL))]
    final = linear_model.LogisticRegression()
    assert ensemble.StackingClassifier(own, final, cv=3).fit(*names).score(*names) > 0.7
    assert ensemble.VotingClassifier(own, voting="soft").fit(*names).score(*names) > 0.7
    assert (
        ensemble.BaggingRegressor(xgb.XGBRegressor(**SMALL), 3, random_state=0).fit(*regression).score(*regression)
        > 0.3
    )


def test_selection_of_features(regression):
    model = xgb.XGBRegressor(**SMALL, importance_type="total_gain")
    assert feature_selection.RFECV(model, cv=3, min_features_to_select=2).fit(*regression).support_[0]
    assert feature_selection.SelectFromModel(model, threshold="mean").fit(*regression).get_support()[0]
    assert (
        feature_selection.RFE(xgb.XGBRegressor(booster="gblinear"), n_features_to_select=1).fit(*regression).support_[0]
    )


def test_pipelines_with_frames(names):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(names[0], columns=list("abcde"))
    steps = pipeline.make_pipeline(preprocessing.StandardScaler(), xgb.XGBClassifier(**SMALL))
    steps.set_output(transform="pandas").fit(table, names[1], xgbclassifier__eval_set=[(table, names[1])],
                                             xgbclassifier__verbose=False)  # fmt: skip
    assert steps[-1].feature_names_in_.tolist() == list("abcde")
    assert steps.score(table, names[1]) > 0.7


def test_pipelines_search_parameters_of_kwargs(names):
    steps = pipeline.Pipeline(
        [("scale", preprocessing.StandardScaler()), ("trees", xgb.XGBClassifier(**SMALL, eta=0.1))]
    )
    found = model_selection.GridSearchCV(steps, {"trees__eta": [0.1, 0.5], "trees__max_depth": [3]}, cv=2).fit(*names)
    assert found.best_params_["trees__eta"] == 0.5


def test_cross_validation_with_groups(names):
    splitter = model_selection.StratifiedGroupKFold(3)
    scores = model_selection.cross_val_score(
        xgb.XGBClassifier(**SMALL), *names, groups=np.arange(300) // 10, cv=splitter
    )
    assert scores.min() > 0.5
    proba = model_selection.cross_val_predict(xgb.XGBClassifier(**SMALL), *names, cv=3, method="predict_proba")
    assert proba.shape == (300, 3)


def test_cross_validation_of_a_ranker_with_queries_as_a_column(regression):
    pandas = pytest.importorskip("pandas")
    queries = np.repeat(np.arange(30), 10)
    table = pandas.DataFrame(regression[0], columns=list("abcde")).assign(qid=queries)
    label = np.digitize(regression[1], [-1, 1])
    splitter = model_selection.GroupKFold(3)
    scores = model_selection.cross_val_score(xgb.XGBRanker(**SMALL), table, label, groups=queries, cv=splitter)
    assert scores.min() > 0.7


def test_metadata_routing(names):
    weight = np.linspace(0.5, 1.5, 300)
    with sklearn.config_context(enable_metadata_routing=True):
        model = xgb.XGBClassifier(**SMALL).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        found = model_selection.cross_validate(model, *names, params={"sample_weight": weight}, cv=3)
        assert found["test_score"].min() > 0.5
        asks = model.get_metadata_routing().fit.requests
    assert asks["sample_weight"]
    assert {"eval_set", "base_margin", "xgb_model", "verbose"} <= set(asks)
    assert {"qid", "group", "eval_qid"} <= set(xgb.XGBRanker().get_metadata_routing().fit.requests)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_parallel_jobs_give_the_same_scores(names, backend):
    joblib = pytest.importorskip("joblib")
    serial = model_selection.cross_val_score(xgb.XGBClassifier(**SMALL), *names, cv=4)
    with joblib.parallel_backend(backend, n_jobs=2):
        assert np.array_equal(model_selection.cross_val_score(xgb.XGBClassifier(**SMALL), *names, cv=4), serial)


def test_one_model_predicts_in_many_threads(names):
    joblib = pytest.importorskip("joblib")
    model = xgb.XGBClassifier(**SMALL).fit(*names)
    expected = model.predict_proba(names[0])
    jobs = (joblib.delayed(model.predict_proba)(names[0]) for _ in range(8))
    assert all(np.array_equal(found, expected) for found in joblib.Parallel(4, backend="threading")(jobs))


def test_outputs_one_by_one_and_in_a_chain(regression):
    labels = np.column_stack([regression[1], -regression[1]])
    for wrapper in (multioutput.MultiOutputRegressor, multioutput.RegressorChain):
        assert wrapper(xgb.XGBRegressor(**SMALL)).fit(regression[0], labels).score(regression[0], labels) > 0.3


def test_inspection_tools(regression):
    inspection = pytest.importorskip("sklearn.inspection")
    model = xgb.XGBRegressor(**SMALL).fit(*regression)
    found = inspection.permutation_importance(model, *regression, n_repeats=2, random_state=0)
    assert found["importances_mean"].argmax() == 0
    assert inspection.partial_dependence(model, regression[0], [0])["average"].shape[1] > 1


def test_repr_shows_what_was_set():
    assert repr(xgb.XGBClassifier(max_depth=3, eta=0.1)) in (
        "XGBClassifier(eta=0.1, max_depth=3)",
        "XGBClassifier(max_depth=3, eta=0.1)",
    )
    assert "XGBRegressor" in xgb.XGBRegressor()._repr_html_()
