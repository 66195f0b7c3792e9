# SPDX-License-Identifier: Apache-2.0
"""Kinds of boosters beside xgboost and scikit-learn."""

import inspect
import json
import warnings

import numpy as np
import pytest

import xgb_like as xgb

real = pytest.importorskip("xgboost")
sparse = pytest.importorskip("scipy.sparse")
pytestmark = pytest.mark.peer


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # xgboost calls its own boosters deprecated
        yield


def both(params, features, label, rounds, **info):
    """Return a model of ours and one of xgboost's."""
    return [lib.train(params, lib.DMatrix(features, label, **info), rounds) for lib in (xgb, real)]


def booster_section(booster):
    return json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]


def weights_of(booster):
    return np.array(booster_section(booster)["model"]["weights"])


def same_predictions(booster, features, limit=1e-6):
    """Check that xgboost reads the model, that we read what it writes then, and that all predict the same."""
    theirs = real.Booster(model_file=booster.save_raw())
    again = xgb.Booster(model_file=bytes(theirs.save_raw()))
    expected = booster.predict(xgb.DMatrix(features))
    assert theirs.predict(real.DMatrix(features)) == pytest.approx(expected, abs=limit)
    assert again.predict(xgb.DMatrix(features)) == pytest.approx(expected, abs=limit)


TASKS = {
    "regression": {},
    "binary": {"objective": "binary:logistic"},
    "classes": {"objective": "multi:softprob", "num_class": 3},
}


@pytest.fixture(params=TASKS)
def task(request):
    """Parameters and labels of a task, by features 0, 1 and 2."""

    def label_of(features):
        score = np.nan_to_num(features)[:, :3] @ np.array([1, -0.5, 0.25])
        labels = {"regression": score, "binary": score > 0, "classes": np.digitize(score, [-0.5, 0.5])}
        return labels[request.param].astype(np.float32)

    return TASKS[request.param], label_of


@pytest.mark.parametrize("rounds", [1, 20])
@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"lambda": 0.1, "alpha": 0.01, "eta": 0.9},
        {"feature_selector": "greedy", "top_k": 2},
        {"feature_selector": "thrifty"},
        {"tolerance": 0.01},
    ],
)
def test_coordinate_descent_finds_the_weights_of_xgboost(params, layout, rounds, holes, task):
    features = holes[0]
    if layout == "sparse":
        features = sparse.random(300, 12, 0.2, format="csr", dtype=np.float32, random_state=3)
    dense = features.toarray() if layout == "sparse" else features
    more, label_of = task
    weight = np.random.default_rng(2).random(300).astype(np.float32)
    params = {"booster": "gblinear", "updater": "coord_descent", **params, **more}
    ours, theirs = both(params, features, label_of(dense), rounds, weight=weight)
    assert weights_of(ours) == pytest.approx(weights_of(theirs), rel=1e-5, abs=1e-5)


def test_shotgun_is_that_of_one_thread(regression):
    ours, theirs = both({"booster": "gblinear", "nthread": 1}, *regression, 10)
    assert weights_of(ours) == pytest.approx(weights_of(theirs), abs=1e-5)


def test_linear_models_go_both_ways(holes, task):
    params, label_of = task
    booster = xgb.train({"booster": "gblinear", **params}, xgb.DMatrix(holes[0], label_of(holes[0])), 5)
    same_predictions(booster, holes[0])
    theirs = real.Booster(model_file=booster.save_raw())
    for form in ("text", "json"):
        assert booster.get_dump(dump_format=form) == theirs.get_dump(dump_format=form)
    assert booster.get_score() == theirs.get_score()


@pytest.mark.parametrize("normalize", ["tree", "forest"])
@pytest.mark.parametrize("sample", ["uniform", "weighted"])
def test_dart_goes_both_ways(normalize, sample, regression, task):
    more, label_of = task
    features = regression[0]
    params = {"booster": "dart", "rate_drop": 0.4, "normalize_type": normalize, "sample_type": sample, **more}
    booster = xgb.train(params, xgb.DMatrix(features, label_of(features)), 6)
    assert booster_section(booster)["name"] == "dart"
    same_predictions(booster, features)
    theirs = real.Booster(model_file=booster.save_raw())
    assert booster.get_dump() == theirs.get_dump()
    cut = [lib[1:4].predict(name.DMatrix(features)) for lib, name in ((booster, xgb), (theirs, real))]
    assert cut[0] == pytest.approx(cut[1], abs=1e-6)


# With every tree dropped in every round nothing is left to chance.
@pytest.mark.parametrize("normalize", ["tree", "forest"])
def test_weights_of_trees_are_those_of_xgboost(normalize, regression, task):
    pytest.importorskip("xgboost", minversion="3.4")  # earlier versions weigh the trees of a forest otherwise
    more, label_of = task
    params = {"booster": "dart", "rate_drop": 1.0, "normalize_type": normalize, "num_parallel_tree": 2, **more}
    ours, theirs = both(params, regression[0], label_of(regression[0]), 4)
    weights = booster_section(theirs)["model"]["weight_drop"]
    assert ours._handle.tree_weights() == pytest.approx(weights, rel=1e-6)


def test_dart_learns_as_well_as_xgboost(regression):
    features, label = regression

    def error(lib, seed):
        params = {"booster": "dart", "rate_drop": 0.3, "max_depth": 3, "seed": seed}
        booster = lib.train(params, lib.DMatrix(features[:200], label[:200]), 20)
        return np.sqrt(np.mean((booster.predict(lib.DMatrix(features[200:])) - label[200:]) ** 2))

    ours, theirs = (np.mean([error(lib, seed) for seed in range(12)]) for lib in (xgb, real))
    assert ours == pytest.approx(theirs, rel=0.1)


@pytest.mark.parametrize("rounds", [2, 4])
@pytest.mark.parametrize(
    "params",
    [
        {"updater": "refresh"},
        {"updater": "refresh", "refresh_leaf": 0, "lambda": 3},
        {"updater": "prune", "gamma": 1.0},
        {"updater": "prune", "max_depth": 2},
        {"updater": "refresh,prune", "gamma": 1.0, "alpha": 0.1},
    ],
)
def test_updated_trees_are_those_of_xgboost(params, rounds, holes, task):
    if "refresh" in params["updater"]:
        pytest.importorskip("xgboost", minversion="3.4")  # earlier versions refresh otherwise
    more, label_of = task
    features = holes[0]
    old = real.train({"max_depth": 4, "num_parallel_tree": 2, **more}, real.DMatrix(features, label_of(features)), 4)
    other = features[::-1][:200] * 1.1
    params = {"max_depth": 4, "process_type": "update", **params, **more}
    models = [
        lib.train(params, lib.DMatrix(other, label_of(other)), rounds, xgb_model=lib.Booster(model_file=old.save_raw()))
        for lib in (xgb, real)
    ]
    ours, theirs = (model.trees_to_dataframe() for model in models)
    assert list(ours["ID"]) == list(theirs["ID"])
    assert ours["Gain"].to_numpy() == pytest.approx(theirs["Gain"].to_numpy(), rel=1e-4, abs=1e-4)
    assert ours["Cover"].to_numpy() == pytest.approx(theirs["Cover"].to_numpy(), rel=1e-4, abs=1e-4)


def test_refreshed_medians_are_those_of_xgboost(regression):
    pytest.importorskip("xgboost", minversion="3.4")  # earlier versions refresh otherwise
    features, label = regression
    params = {"objective": "reg:absoluteerror", "max_depth": 3}
    old = real.train(params, real.DMatrix(features, label), 3).save_raw()
    params |= {"process_type": "update", "updater": "refresh"}
    models = [
        lib.train(params, lib.DMatrix(features, 2 * label + 1), 3, xgb_model=lib.Booster(model_file=old))
        for lib in (xgb, real)
    ]
    ours, theirs = (model.predict(lib.DMatrix(features)) for lib, model in zip((xgb, real), models, strict=True))
    assert ours == pytest.approx(theirs, abs=1e-4)


@pytest.mark.parametrize("updater", ["grow_colmaker,prune,refresh", "grow_colmaker,refresh,prune"])
def test_steps_after_growing_are_those_of_xgboost(updater, regression):
    features = regression[0]
    ours, theirs = both({"updater": updater, "gamma": 0.5, "max_depth": 4}, *regression, 3)
    assert ours.predict(xgb.DMatrix(features)) == pytest.approx(theirs.predict(real.DMatrix(features)), abs=1e-3)


def test_forests_have_the_rounds_of_xgboost(classes):
    params = {"objective": "multi:softprob", "num_class": 3, "num_parallel_tree": 4, "subsample": 0.5, "eta": 1}
    ours, theirs = (booster_section(booster)["model"] for booster in both(params, *classes, 2))
    for field in ("iteration_indptr", "tree_info", "gbtree_model_param"):
        assert ours[field] == theirs[field]


@pytest.mark.parametrize("depth", [1, 2])
def test_adaboost_is_that_of_scikit_learn(depth, regression):
    ensemble, tree = pytest.importorskip("sklearn.ensemble"), pytest.importorskip("sklearn.tree")
    features = regression[0]
    label = ((features**2).sum(axis=1) > 4.4).astype(np.float32)
    weak = tree.DecisionTreeClassifier(max_depth=depth)
    known = inspect.signature(ensemble.AdaBoostClassifier).parameters
    other = {"algorithm": "SAMME"} if getattr(known.get("algorithm"), "default", "") == "SAMME.R" else {}
    peer = ensemble.AdaBoostClassifier(weak, n_estimators=40, **other).fit(features, label)
    params = {"booster": "adaboost", "objective": "binary:logistic", "max_depth": depth, "eta": 1, "lambda": 0}
    params |= {"min_child_weight": 0, "tree_method": "exact", "eval_metric": "error"}
    matrix, log = xgb.DMatrix(features, label), {}
    booster = xgb.train(params, matrix, 40, evals=[(matrix, "train")], evals_result=log, verbose_eval=False)
    expected = [np.mean(prediction != label) for prediction in peer.staged_predict(features)]
    assert log["train"]["error"][: len(expected)] == pytest.approx(expected, abs=1e-6)
    same_predictions(booster, features)


def test_adaboost_trains_on_where_it_stopped(binary):
    params = {"booster": "adaboost", "objective": "binary:logistic"}
    matrix = xgb.DMatrix(*binary)
    half = xgb.train(params, matrix, 3).save_raw()
    whole = xgb.train(params, matrix, 3, xgb_model=half)
    assert whole.save_raw() == xgb.train(params, matrix, 6).save_raw()
