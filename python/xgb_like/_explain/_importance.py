# SPDX-License-Identifier: Apache-2.0
"""Importance of features: by the gains of splits, for each output, and by permutation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from .. import _core
from .._base._exceptions import DataError, ParameterError, whole
from .._base._typing import Array, ArrayLike, Integer
from .._data._fields import copy_info
from .._data._labels import ClassLabels, label_array
from .._data._matrix import DMatrix
from ._subject import Subject, booster_of, core_matrix

Loss: TypeAlias = "Callable[[Array, Array], float]"


def relative_importance(model: Any, *, per_output: bool = False, root: bool = True) -> Array:
    """Return the importance of all features by the gains of their splits. The most important feature has 100.

    Parameters
    ----------
    model
        A booster of trees, or an estimator that has one.
    per_output
        Whether to return it for each output, such as the classes. Trees with vector leaves count for all outputs.
    root
        Take the square root of the summed gains, which are squared improvements: the relative importance of Hastie,
        Tibshirani and Friedman (The Elements of Statistical Learning, equations 10.42 to 10.46). Without it the values
        are proportional to ``get_score(importance_type="total_gain")``.

    Returns
    -------
    ndarray
        Of shape (features,), or (outputs, features). All 0 if there are no splits, or with `per_output` for outputs
        without splits.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> from xgb_like.explain import relative_importance
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> booster = xgb.train({}, xgb.DMatrix(X, 2 * X[:, 1]), 5)
    >>> int(relative_importance(booster).argmax())
    1
    """
    booster = booster_of(model)
    handle = booster._handle.copy()
    if handle.is_linear():
        raise ParameterError("A linear model has no splits. Use get_score() for its weights.")
    nodes = handle.nodes()
    inner = nodes["left"] >= 0
    features, trees = booster.num_features(), nodes["tree"][inner]
    sums = np.zeros((handle.num_outputs(), features))
    of_tree = np.asarray(handle.tree_outputs(), dtype=np.int64)
    # A tree is either of one output or of all.
    vectors = np.asarray(handle.vector_trees(), dtype=bool)
    gains, columns = nodes["gain"][inner].astype(np.float64), nodes["feature"][inner]
    for output in range(len(sums)):
        mine = vectors[trees] | (of_tree[trees] == output)
        sums[output] = np.bincount(columns[mine], weights=gains[mine], minlength=features)
    sums = np.maximum(sums, 0)  # a pruned model may keep splits that lose
    found = sums if per_output else sums.mean(axis=0)
    if root:
        found = np.sqrt(found)
    best = found.max(axis=-1, keepdims=True, initial=0)
    return np.divide(100 * found, best, out=np.zeros_like(found), where=best > 0)


@dataclass(frozen=True)
class PermutationImportance:
    """How much a loss rises when the values of a feature are permuted among the rows.

    Attributes
    ----------
    features : tuple of str
        Names.
    values : ndarray
        Of shape (features, repeats).
    mean, std : ndarray
        Over the repeats, of shape (features,).
    loss : float
        With nothing permuted.
    """

    features: tuple[str, ...]
    values: Array
    mean: Array
    std: Array
    loss: float


def permutation_importance(
    model: Any,
    X: ArrayLike | DMatrix,
    y: ArrayLike,
    *,
    metric: str | Loss | None = None,
    repeats: Integer = 5,
    seed: Integer = 0,
    sample_weight: ArrayLike | None = None,
    qid: ArrayLike | None = None,
) -> PermutationImportance:
    """Return how much a loss rises when a feature is permuted. Use rows that the model has not seen.

    Parameters
    ----------
    model
        A booster, or an estimator that has one.
    X, y
        Rows and their labels; a classifier takes labels of the kind it was fitted with. The weights, query groups, base
        margins and label bounds of a DMatrix count, too.
    metric
        A metric by name, by default the model's own (the last one of several); its sign is flipped if more is better.
        Or a function of labels and predictions for which less is better.
    repeats
        How often each feature is permuted.
    seed
        Of the permutations.
    sample_weight, qid
        Weights and query groups for the metric, instead of those of a DMatrix. Custom metrics take none.

    Returns
    -------
    PermutationImportance

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> from xgb_like.explain import permutation_importance
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> booster = xgb.train({}, xgb.DMatrix(X, 2 * X[:, 1]), 5)
    >>> int(permutation_importance(booster, X, 2 * X[:, 1]).mean.argmax())
    1
    """
    times = whole(repeats, "repeats")
    if times < 1:
        raise ParameterError(f"`repeats` must be at least 1; got {times}.")
    subject = Subject(model, X)
    known = DMatrix(subject.rows)
    copy_info(subject.known, known._handle)
    known.set_info(weight=sample_weight, qid=qid)
    if callable(metric):
        loss_of = _loss_by_call(subject, known, y, metric)
    else:
        loss_of = _loss_by_metric(subject, known, _codes(model, y), metric)
    loss = loss_of(subject.rows)
    random = np.random.default_rng(whole(seed, "seed"))
    nodes = subject.handle.nodes()
    used = set(nodes["feature"][nodes["left"] >= 0].tolist())
    values = np.zeros((len(subject.names), times))
    for feature in range(len(subject.names)):
        if feature not in used and not subject.handle.is_linear():
            continue
        rows = subject.rows.copy()
        for repeat in range(times):
            rows[:, feature] = random.permutation(subject.rows[:, feature])
            values[feature, repeat] = loss_of(rows) - loss
    return PermutationImportance(tuple(subject.names), values, values.mean(axis=1), values.std(axis=1), loss)


def _codes(model: Any, y: ArrayLike) -> ArrayLike:
    """Return labels as the booster of a classifier knows them; a metric that is a function gets them as they are."""
    classes: ClassLabels | None = getattr(model, "_classes", None)
    labels = y if classes is None else label_array(y, "y")
    return classes.encode(labels, "y", "the model") if classes is not None and np.ndim(labels) == 1 else labels


def _loss_by_call(subject: Subject, known: DMatrix, y: ArrayLike, loss: Loss) -> Callable[[Array], float]:
    if len(known.get_weight()) or len(known.get_group()):
        raise ParameterError(
            "`metric` is a function of labels and predictions, which knows of no weights or query groups: those of "
            "`sample_weight`, `qid` or `X` would not count. Leave them out, or give the name of a metric."
        )
    labels = np.asarray(y)
    if len(labels) != len(subject.rows):
        raise DataError(f"`y` has {len(labels)} labels for {len(subject.rows)} rows.")

    def measure(rows: Array) -> float:
        predictions = subject.predict(rows, "value")
        return float(loss(labels, predictions[:, 0] if predictions.shape[1] == 1 else predictions))

    return measure


def _loss_by_metric(subject: Subject, known: DMatrix, y: ArrayLike, metric: str | None) -> Callable[[Array], float]:
    handle = subject.handle
    known.set_info(label=y)
    if metric is not None:
        handle.set_params([("eval_metric", metric)])
    names = handle.metric_names()
    if not names:
        raise ParameterError("The model has no metric. Give a `metric`.")
    name = metric or names[-1]
    sign = -1.0 if _core.metric_is_maximized(name) else 1.0

    def measure(rows: Array) -> float:
        matrix = core_matrix(rows)
        copy_info(known._handle, matrix)
        return sign * dict(handle.evaluate(matrix))[name]

    return measure
