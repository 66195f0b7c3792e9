# SPDX-License-Identifier: Apache-2.0
"""Learning curves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._base._exceptions import ParameterError
from .._base._typing import Array
from .._training._callbacks import is_maximized
from ._style import GREY, axes_of, finish, label_of, legend, line_looks, number, panels

_Curve = tuple[Array, Array | None]  # values, and their spread over the folds of a cross-validation
_Curves = dict[str, dict[str, _Curve]]  # metric -> data -> curve


def plot_metrics(
    source: Any,
    *,
    metric: str | None = None,
    data: Sequence[str] | None = None,
    ax: Any = None,
    title: str | None = "Learning curves",
    xlabel: str | None = "Round",
    ylabel: str | None = None,
    grid: bool = True,
    mark_best: bool = True,
) -> Any:
    """Draw metrics by rounds: one panel per metric, one line per data set.

    Parameters
    ----------
    source : dict, data frame or estimator
        What `evals_result` of :func:`train` was filled with, what :func:`cv` returned (the band is one standard
        deviation), or an estimator that was fitted with an `eval_set`.
    metric
        Draw this metric only.
    data
        Draw these data sets only.
    ax : matplotlib Axes, optional
        Where to draw if there is one metric; a new figure if not given.
    title, xlabel, ylabel
        Texts around the picture; None leaves one out, except that the y-axis then has the metric's name.
    grid
        Whether there is a grid.
    mark_best
        Whether to mark the best round of the last data set.

    Returns
    -------
    Axes or list of Axes
        Of matplotlib; a list if there are several metrics.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> train, history = xgb.DMatrix(X, X[:, 0]), {}
    >>> model = xgb.train({}, train, 5, evals=[(train, "train")], evals_result=history, verbose_eval=False)
    >>> ax = xgb.plotting.plot_metrics(history)
    >>> ax.get_ylabel()
    'rmse'
    """
    curves = _chosen(_curves(_history(source)), metric, data)
    if ax is not None and len(curves) > 1:
        raise ParameterError(f"`ax` is for one metric; there are {', '.join(curves)}. Choose one by `metric`.")
    grid_of = [axes_of(ax, 6.4, 4)] if len(curves) == 1 else panels(len(curves), 4.8, 3.6)
    for panel, (name, lines) in zip(grid_of, curves.items(), strict=True):
        _draw(panel, name, lines, mark_best)
        own_title = title if len(curves) == 1 else None
        finish(panel, (own_title, xlabel, label_of(name) if ylabel is None else ylabel), grid)
    if len(curves) == 1:
        return grid_of[0]
    if title is not None:
        grid_of[0].get_figure().suptitle(title)
    return grid_of


def _history(source: Any) -> Mapping[str, Any]:
    if hasattr(source, "evals_result"):
        source = source.evals_result() if callable(source.evals_result) else source.evals_result
    if hasattr(source, "to_dict") and hasattr(source, "columns"):
        source = source.to_dict("list")
    if not isinstance(source, Mapping):
        raise ParameterError(
            "`source` must be the dict that train(..., evals_result=...) fills, what cv() returns, or a fitted "
            f"estimator; got {type(source).__name__}."
        )
    if not source:
        raise ParameterError("`source` is empty: train with `evals`, or fit with `eval_set`, to have metrics.")
    return source


def _curves(history: Mapping[str, Any]) -> _Curves:
    found: _Curves = {}
    for name, content in history.items():
        if isinstance(content, Mapping):
            for metric, values in content.items():
                found.setdefault(metric, {})[name] = _curve(values)
        elif name.endswith("-mean"):
            data, _, metric = name.removesuffix("-mean").partition("-")
            found.setdefault(metric, {})[data] = _curve(content, history.get(f"{data}-{metric}-std"))
    if not found:
        raise ParameterError(
            "`source` has no metrics: they are {data: {metric: values}}, or columns such as `test-rmse-mean`; got "
            f"{', '.join(map(repr, history))}."
        )
    return found


def _curve(values: Any, spread: Any = None) -> _Curve:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim == 2 and table.shape[1] == 2:  # mean and deviation, as a cross-validation logs them
        return table[:, 0], table[:, 1]
    return table.reshape(-1), None if spread is None else np.asarray(spread, dtype=np.float64)


def _chosen(curves: _Curves, metric: str | None, data: Sequence[str] | None) -> _Curves:
    if metric is not None and metric not in curves:
        raise ParameterError(f"There is no metric {metric!r}; there are {', '.join(curves)}.")
    wanted = {metric: curves[metric]} if metric is not None else curves
    known = sorted({name for lines in wanted.values() for name in lines})
    unknown = [name for name in data or () if name not in known]
    if unknown:
        raise ParameterError(f"There are no data {', '.join(map(repr, unknown))}; there are {', '.join(known)}.")
    if data is None:
        return wanted
    kept = {name: {key: line for key, line in lines.items() if key in data} for name, lines in wanted.items()}
    return {name: lines for name, lines in kept.items() if lines}


def _draw(ax: Any, metric: str, lines: dict[str, _Curve], mark_best: bool) -> None:
    for place, (name, (values, spread)) in enumerate(lines.items()):
        looks = line_looks(place)
        rounds = np.arange(len(values))
        marker = "o" if len(rounds) == 1 else None
        ax.plot(rounds, values, marker=marker, linewidth=1.8, label=label_of(name), **looks)
        if spread is not None:
            ax.fill_between(rounds, values - spread, values + spread, color=looks["color"], alpha=0.15, linewidth=0)
    values = list(lines.values())[-1][0]
    if mark_best and np.isfinite(values).any():
        best = int(np.nanargmax(values) if is_maximized(metric) else np.nanargmin(values))
        ax.axvline(best, color=GREY, linewidth=0.9, linestyle=":", zorder=1)
        text = f"best: {number(values[best])} in round {best}"
        ax.plot([best], [values[best]], "o", color=GREY, markersize=5, label=text, zorder=3)
    ax.locator_params(axis="x", integer=True)
    ax.margins(x=0.02)
    legend(ax)  # hides the line of the best round
