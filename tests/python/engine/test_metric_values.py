# SPDX-License-Identifier: Apache-2.0
"""Every metric against the library that defines it, with ties, weights and several targets."""

import numpy as np
import pytest

import xgb_like as xgb

pytestmark = pytest.mark.peer

ROWS = 700


@pytest.fixture(scope="module")
def known():
    """Labels and predictions of all kinds, with many ties, and weights of which some are 0."""
    rng = np.random.default_rng(7)
    chances = np.round(rng.random(ROWS), 2).astype(np.float32)
    return {
        "chances": chances,
        "binary": (rng.random(ROWS) < 0.2 + chances / 2).astype(np.float32),
        "margins": (np.round(rng.normal(size=(ROWS, 4)) * 8) / 8).astype(np.float32),
        "classes": rng.integers(0, 4, ROWS).astype(np.float32),
        "positive": rng.gamma(2.0, 1.5, ROWS).astype(np.float32) + np.float32(0.01),
        "counts": rng.poisson(1.5, ROWS).astype(np.float32),
        "weight": (rng.exponential(size=ROWS) * (rng.random(ROWS) < 0.9)).astype(np.float32),
    }


def evaluate(library, metric, predictions, labels, weight=None, *, group=None, **params):
    """The metric of numbers that are handed in as margins of a model without trees."""
    classes = predictions.shape[1] if predictions.ndim > labels.ndim else 0
    task = {"objective": "multi:softprob", "num_class": classes} if classes else {"objective": "reg:squarederror"}
    data = library.DMatrix(np.zeros((len(labels), 1)), labels, weight=weight, base_margin=predictions)
    if group is not None:
        data.set_group(group)
    model = library.train({"base_score": 0.5, "nthread": 2, "eval_metric": metric, **task, **params}, data, 0)
    name, value = model.eval(data).split("\t")[-1].rsplit(":", 1)
    assert library is not xgb or name == f"eval-{metric}"
    return float(value)


def softmax(margins):
    """The chances, bit for bit, that metrics see: ties matter."""
    data = xgb.DMatrix(np.zeros((len(margins), 1)), np.zeros(len(margins)), base_margin=margins)
    model = xgb.train({"objective": "multi:softprob", "num_class": margins.shape[1], "eta": 0}, data, 1)
    return model.predict(data).astype(float)


XGBOOSTS = [
    ("rmse", "positive", "counts"),
    ("rmsle", "positive", "counts"),
    ("mae", "positive", "counts"),
    ("mape", "chances", "positive"),
    ("mphe", "positive", "counts"),
    ("logloss", "chances", "binary"),
    ("error", "chances", "binary"),
    ("error@0.3", "chances", "binary"),
    ("auc", "chances", "binary"),
    ("aucpr", "chances", "binary"),
    ("poisson-nloglik", "positive", "counts"),
    ("gamma-nloglik", "chances", "positive"),
    ("gamma-nloglik", "positive", "counts"),
    ("gamma-deviance", "positive", "counts"),
    ("tweedie-nloglik@1.2", "positive", "counts"),
    ("tweedie-nloglik@1.7", "positive", "counts"),
    ("ams@0", "positive", "binary"),
    ("ams@0.15", "positive", "binary"),
    ("merror", "margins", "classes"),
    ("mlogloss", "margins", "classes"),
    ("auc", "margins", "classes"),
    ("aucpr", "margins", "classes"),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("metric", "predictions", "labels"), XGBOOSTS)
def test_equals_xgboost(known, metric, predictions, labels, weighted):
    peer = pytest.importorskip("xgboost")
    given = (metric, known[predictions], known[labels], known["weight"] if weighted else None)
    assert evaluate(xgb, *given) == pytest.approx(evaluate(peer, *given), rel=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "metric", ["rmse", "rmsle", "mae", "mape", "mphe", "poisson-nloglik", "gamma-deviance", "tweedie-nloglik@1.4"]
)
def test_equals_xgboost_on_two_targets(known, metric, weighted):
    peer = pytest.importorskip("xgboost")
    predictions, labels = known["positive"].reshape(-1, 2), (known["counts"] + 1).reshape(-1, 2)
    given = (metric, predictions, labels, known["weight"][: len(labels)] if weighted else None)
    assert evaluate(xgb, *given) == pytest.approx(evaluate(peer, *given), rel=1e-6)


@pytest.mark.parametrize("metric", ["auc", "aucpr", "error", "logloss"])
def test_equals_xgboost_on_two_targets_of_two_classes(known, metric):
    # Earlier versions have areas under curves of one target only.
    peer = pytest.importorskip("xgboost", minversion="3.4" if metric.startswith("auc") else None)
    given = (metric, known["chances"].reshape(-1, 2), known["binary"].reshape(-1, 2))
    assert evaluate(xgb, *given) == pytest.approx(evaluate(peer, *given), rel=1e-6)


@pytest.mark.parametrize("metric", ["auc", "aucpr"])
def test_equals_xgboost_on_query_groups(known, metric):
    peer = pytest.importorskip("xgboost")
    given = (metric, known["chances"], known["binary"])
    group = [100, 3, 1, 296, 2, 298]
    assert evaluate(xgb, *given, group=group) == pytest.approx(evaluate(peer, *given, group=group), rel=1e-6)


SCIKITS = {
    "auc": lambda m, y, p, w: m.roc_auc_score(y, p, sample_weight=w),
    "average_precision": lambda m, y, p, w: m.average_precision_score(y, p, sample_weight=w),
    "balanced_accuracy": lambda m, y, p, w: m.balanced_accuracy_score(y, p > 0.5, sample_weight=w),
    "accuracy": lambda m, y, p, w: m.accuracy_score(y, p > 0.5, sample_weight=w),
    "hamming": lambda m, y, p, w: m.hamming_loss(y, p > 0.5, sample_weight=w),
    "f1": lambda m, y, p, w: m.f1_score(y, p > 0.5, sample_weight=w),
    "f1@macro": lambda m, y, p, w: m.f1_score(y, p > 0.5, sample_weight=w, average="macro"),
    "f1@micro": lambda m, y, p, w: m.f1_score(y, p > 0.5, sample_weight=w, average="micro"),
    "f1@weighted": lambda m, y, p, w: m.f1_score(y, p > 0.5, sample_weight=w, average="weighted"),
    "mcc": lambda m, y, p, w: m.matthews_corrcoef(y, p > 0.5, sample_weight=w),
    "brier": lambda m, y, p, w: m.brier_score_loss(y, p, sample_weight=w),
    "r2": lambda m, y, p, w: m.r2_score(y.astype(float), p, sample_weight=w),
    "pinball@0.8": lambda m, y, p, w: m.mean_pinball_loss(y, p, sample_weight=w, alpha=0.8),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("metric", SCIKITS)
def test_equals_scikit_learn(known, metric, weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    weight = known["weight"] if weighted else None
    labels, chances = known["binary"], known["chances"]
    truth = SCIKITS[metric](metrics, labels, chances.astype(float), weight)
    assert evaluate(xgb, metric, chances, labels, weight) == pytest.approx(truth, abs=1e-9)


SCIKITS_OF_CLASSES = {
    "balanced_accuracy": lambda m, y, p, w: m.balanced_accuracy_score(y, p.argmax(1), sample_weight=w),
    "accuracy": lambda m, y, p, w: m.accuracy_score(y, p.argmax(1), sample_weight=w),
    "f1": lambda m, y, p, w: m.f1_score(y, p.argmax(1), sample_weight=w, average="macro"),
    "f1@micro": lambda m, y, p, w: m.f1_score(y, p.argmax(1), sample_weight=w, average="micro"),
    "f1@weighted": lambda m, y, p, w: m.f1_score(y, p.argmax(1), sample_weight=w, average="weighted"),
    "mcc": lambda m, y, p, w: m.matthews_corrcoef(y, p.argmax(1), sample_weight=w),
    "average_precision": lambda m, y, p, w: m.average_precision_score(y, p, sample_weight=w),
    "brier": lambda m, y, p, w: m.mean_squared_error(np.eye(4)[y.astype(int)], p, sample_weight=w) * 4,
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("metric", SCIKITS_OF_CLASSES)
def test_equals_scikit_learn_on_classes(known, metric, weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    weight = known["weight"] if weighted else None
    truth = SCIKITS_OF_CLASSES[metric](metrics, known["classes"], softmax(known["margins"]), weight)
    ours = evaluate(xgb, metric, known["margins"], known["classes"], weight)
    assert ours == pytest.approx(truth, abs=1e-9)


SCIKITS_OF_TARGETS = {
    "accuracy": lambda m, y, p, w: m.accuracy_score(y, p > 0.5, sample_weight=w),
    "hamming": lambda m, y, p, w: m.hamming_loss(y, p > 0.5, sample_weight=w),
    "f1": lambda m, y, p, w: m.f1_score(y, p > 0.5, sample_weight=w, average="macro"),
    "f1@micro": lambda m, y, p, w: m.f1_score(y, p > 0.5, sample_weight=w, average="micro"),
    "f1@weighted": lambda m, y, p, w: m.f1_score(y, p > 0.5, sample_weight=w, average="weighted"),
    "average_precision": lambda m, y, p, w: m.average_precision_score(y, p, sample_weight=w),
    "auc": lambda m, y, p, w: m.roc_auc_score(y, p, sample_weight=w),
    "r2": lambda m, y, p, w: m.r2_score(y.astype(float), p, sample_weight=w),
}


@pytest.mark.parametrize("metric", SCIKITS_OF_TARGETS)
def test_equals_scikit_learn_on_targets(known, metric):
    metrics = pytest.importorskip("sklearn.metrics")
    labels, chances = known["binary"].reshape(-1, 2), known["chances"].reshape(-1, 2)
    weight = known["weight"][: len(labels)].astype(float)
    truth = SCIKITS_OF_TARGETS[metric](metrics, labels, chances.astype(float), weight)
    assert evaluate(xgb, metric, chances, labels, weight) == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize("rows", [50, 5_000, 200_000])
@pytest.mark.parametrize("levels", [3, 50, None])
@pytest.mark.parametrize("weighted", [False, True])
def test_auc_of_many_ties_equals_scikit_learn(rows, levels, weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(rows)
    scores = rng.normal(size=rows) if levels is None else rng.integers(0, levels, rows) - levels / 2
    scores = scores.astype(np.float32)
    labels = (rng.random(rows) < 0.3).astype(np.float32)
    weight = rng.exponential(size=rows).astype(np.float32) if weighted else None
    truth = metrics.roc_auc_score(labels, scores, sample_weight=weight)
    assert evaluate(xgb, "auc", scores, labels, weight) == pytest.approx(truth, abs=1e-9)


def lightgbm_metric(name, margins, labels, weight, **params):
    peer = pytest.importorskip("lightgbm")
    data = peer.Dataset(np.zeros((len(labels), 1)), labels, weight=weight, init_score=margins)
    settings = {"objective": "multiclass", "num_class": 4, "metric": name, "verbosity": -1, **params}
    with_tree = {**settings, "learning_rate": 1e-30}
    found = {}
    callback = peer.record_evaluation(found)
    peer.train(with_tree, data, 1, valid_sets=[data], valid_names=["all"], callbacks=[callback])
    return next(iter(found["all"].values()))[0]


@pytest.mark.parametrize("weighted", [False, True])
def test_auc_mu_equals_lightgbm(known, weighted):
    given = known["margins"], known["classes"], known["weight"] if weighted else None
    assert evaluate(xgb, "auc_mu", *given) == pytest.approx(lightgbm_metric("auc_mu", *given), abs=1e-6)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_error_equals_lightgbm(known, k):
    given = known["margins"], known["classes"], known["weight"]
    theirs = lightgbm_metric("multi_error", *given, multi_error_top_k=k)
    assert evaluate(xgb, f"merror@{k}", *given) == pytest.approx(theirs, abs=1e-9)


def test_early_stopping_asks_the_engine_which_way_is_better(binary):
    features, label = binary
    data = xgb.DMatrix(features, label)
    noise = xgb.DMatrix(features[::-1].copy(), label)
    for metric in ("f1", "mcc", "brier"):
        found = {}
        params = {"objective": "binary:logistic", "eval_metric": metric, "max_depth": 2}
        model = xgb.train(
            params, data, 40, evals=[(noise, "noise")], early_stopping_rounds=5, evals_result=found, verbose_eval=False
        )
        best = min(found["noise"][metric]) if metric == "brier" else max(found["noise"][metric])
        assert model.best_score == best
