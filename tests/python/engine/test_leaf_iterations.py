# SPDX-License-Identifier: Apache-2.0
"""More Newton steps for the values of leaves: each makes the loss less, however far the one before it went."""

import numpy as np
import pytest

import xgb_like as xgb

ROWS = 6000
STEPS = (1, 2, 3, 4, 6, 10, 20)


@pytest.fixture(scope="module")
def table():
    """Features, and labels of which few are positive."""
    rng = np.random.default_rng(5)
    features = rng.normal(size=(ROWS, 6)).astype(np.float32)
    signal = 1.5 * features[:, 0] + features[:, 1] * features[:, 2] + rng.normal(size=ROWS)
    rare = signal > np.quantile(signal, 0.95)
    classes = np.digitize(signal, np.quantile(signal, [0.03, 0.94]))
    labels = {"rare": rare, "classes": classes, "real": signal**3, "positive": np.exp(signal), "count": signal // 1}
    labels["count"] = rng.poisson(np.exp(np.clip(signal, -4, 4)))
    return features, {name: label.astype(np.float32) for name, label in labels.items()}


LOSSES = [
    ({"objective": "binary:logistic"}, "rare", "logloss"),
    ({"objective": "binary:logistic", "scale_pos_weight": 20}, "rare", "logloss"),
    ({"objective": "binary:focal"}, "rare", "logloss"),
    ({"objective": "multi:ova", "num_class": 3}, "classes", "mlogloss"),
    ({"objective": "multi:softprob", "num_class": 3, "multi_strategy": "multi_output_tree"}, "classes", "mlogloss"),
    ({"objective": "reg:expectileerror", "expectile_alpha": [0.99]}, "real", "expectile"),
    ({"objective": "reg:pseudohubererror"}, "real", "mphe"),
    ({"objective": "reg:logcosh"}, "real", "mae"),
    ({"objective": "reg:gamma"}, "positive", "gamma-nloglik"),
    ({"objective": "reg:tweedie"}, "count", "tweedie-nloglik@1.5"),
    ({"objective": "count:poisson", "max_delta_step": 0}, "count", "poisson-nloglik"),
]
# The trees of a round are each fitted as if the others were not there: all outputs together may well go too far.
SIDE_BY_SIDE = [
    ({"objective": "multi:softprob", "num_class": 3}, "classes", "mlogloss"),
    ({"objective": "reg:expectileerror", "expectile_alpha": [0.05, 0.5, 0.95]}, "real", "expectile"),
]


def by_losses(cases):
    ids = ["-".join(map(str, params.values())) for params, _, _ in cases]
    return pytest.mark.parametrize(("params", "label", "metric"), cases, ids=ids)


def losses(table, params, label, metric, rounds):
    """Return the loss of a constant, then those of training and held-out rows by the number of steps."""
    features, labels = table
    half = ROWS // 2
    train = xgb.DMatrix(features[:half], labels[label][:half])
    test = xgb.DMatrix(features[half:], labels[label][half:])
    found = []
    for steps in (0, *STEPS):
        log = {}
        more = {"max_depth": 0, "max_leaves": 1} if steps == 0 else {"leaf_estimation_iterations": steps}
        xgb.train(
            {"eval_metric": metric, "nthread": 2, **params, **more},
            train,
            rounds,
            evals=[(train, "train"), (test, "test")],
            evals_result=log,
            verbose_eval=False,
        )
        found.append([log[name][metric][-1] for name in ("train", "test")])
    return found[0], np.array(found[1:])


@by_losses(LOSSES)
def test_a_tree_fits_no_worse_with_more_steps(table, params, label, metric):
    _, found = losses(table, {**params, "eta": 1, "max_depth": 4, "lambda": 0}, label, metric, 1)
    train = found[:, 0]
    assert (np.diff(train) <= 1e-3 * np.abs(train[:-1])).all(), train


@by_losses(LOSSES + SIDE_BY_SIDE)
def test_more_steps_keep_models_sane(table, params, label, metric):
    constant, found = losses(table, {**params, "eta": 0.05, "max_depth": 4}, label, metric, 60)
    assert (found < constant).all(), (constant, found)
