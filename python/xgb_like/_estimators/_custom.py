# SPDX-License-Identifier: Apache-2.0
"""Objectives and metrics in scikit-learn's form, turned into those that :func:`train` takes."""

import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np

from .._base._exceptions import DataError, ParameterError
from .._base._typing import Floats, Metric, Objective
from .._data._matrix import DMatrix
from .._model._custom import Objective as OwnObjective

SklObjective: TypeAlias = "str | OwnObjective | Callable[..., tuple[Any, Any]] | None"
"""What the parameter `objective` of the estimators may be."""


def decorate_objective(function: Any) -> Objective:
    """Return an objective for :func:`train` from a function of labels and margins; an Objective is one already."""
    if isinstance(function, OwnObjective):
        return function
    takes_weight = "sample_weight" in inspect.signature(function).parameters

    def objective(margins: Floats, matrix: DMatrix) -> tuple[Any, Any]:
        weight = matrix.get_weight()
        if not weight.size:
            return function(matrix.get_label(), margins)  # type: ignore[no-any-return]
        if not takes_weight:
            raise ParameterError(
                "Custom objective doesn't have the `sample_weight` parameter while sample_weight is used. Add a "
                f"parameter `sample_weight=None` to `{_name(function)}` and multiply gradient and hessian by it."
            )
        return function(matrix.get_label(), margins, sample_weight=weight)  # type: ignore[no-any-return]

    return objective


def decorate_metric(function: Callable[..., float]) -> Metric:
    """Return a metric for :func:`train` from a function of labels, predictions and ``sample_weight``."""

    def metric(predictions: Floats, matrix: DMatrix) -> tuple[str, float]:
        weight = matrix.get_weight()
        if weight.size:
            return _name(function), function(matrix.get_label(), predictions, sample_weight=weight)
        return _name(function), function(matrix.get_label(), predictions)

    return metric


def ltr_metric_decorator(func: Callable[..., float], n_jobs: int | None) -> Metric:
    """Return a metric that is the mean of a function over query groups, each as heavy as it has rows."""

    def metric(predictions: Floats, matrix: DMatrix) -> tuple[str, float]:
        starts = matrix.get_uint_info("group_ptr")
        if starts.size < 2:
            raise DataError(
                "Invalid `group_ptr`: a metric of query groups needs some. Give `eval_qid` or a qid column."
            )
        label = matrix.get_label()

        def value(bounds: tuple[int, int]) -> float:
            rows = slice(*bounds)
            return 1.0 if bounds[1] - bounds[0] == 1 else float(func(label[rows], predictions[rows]))

        bounds = list(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True))
        if n_jobs == 1:
            values = [value(pair) for pair in bounds]
        else:
            with ThreadPoolExecutor(n_jobs if n_jobs is not None and n_jobs > 0 else None) as pool:
                values = list(pool.map(value, bounds))
        return _name(func), float(np.average(values, weights=np.diff(starts)))

    return metric


def split_metrics(eval_metric: Any) -> tuple[Any, Callable[..., float] | None]:
    """Return the names of metrics, and the one function, in what the parameter `eval_metric` is."""
    if eval_metric is None or isinstance(eval_metric, str):
        return eval_metric, None
    if callable(eval_metric):
        return None, eval_metric
    if not isinstance(eval_metric, (list, tuple, set, frozenset, np.ndarray)):
        raise ParameterError(
            f"Invalid type for the `eval_metric`: got {eval_metric!r} of type {type(eval_metric).__name__}. Give a "
            "name, a function, or a list."
        )
    items = list(eval_metric)
    functions = [item for item in items if callable(item)]
    if len(functions) > 1:
        shown = ", ".join(_name(function) for function in functions)
        raise NotImplementedError(
            f"Using multiple custom metrics is not yet supported: `eval_metric` has {shown}. Give one function that "
            "computes what early stopping needs, and names for the others."
        )
    return [item for item in items if not callable(item)] or None, functions[0] if functions else None


def is_score(function: Callable[..., float] | None) -> bool | None:
    """Whether more is better: of scikit-learn's functions their names tell; None leaves it to the metric's name."""
    if function is None:
        return None
    library = getattr(function, "__module__", None) or ""
    return True if library.startswith("sklearn.") and _name(function).endswith("_score") else None


def _name(function: Any) -> str:
    return getattr(function, "__name__", None) or type(function).__name__
