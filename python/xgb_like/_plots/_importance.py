# SPDX-License-Identifier: Apache-2.0
"""Bars for the importance of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._exceptions import ParameterError
from .._state import count
from .._subject import booster_of
from .._typing import PathLike
from ._style import BLUE, axes_of, check_limits, label_of, name_axes, number, tidy

_PLAIN = "{v}"


def plot_importance(
    booster: Any,
    *,
    ax: Any = None,
    height: float = 0.2,
    xlim: tuple[float, float] | None = None,
    ylim: tuple[float, float] | None = None,
    title: str | None = "Feature importance",
    xlabel: str | None = "Importance score",
    ylabel: str | None = "Features",
    fmap: PathLike = "",
    importance_type: str = "weight",
    max_num_features: int | None = None,
    grid: bool = True,
    show_values: bool = True,
    values_format: str = _PLAIN,
    **kwargs: Any,
) -> Any:
    """Draw the importance of the features that are used, the most important one on top.

    Parameters
    ----------
    booster : Booster, estimator or dict
        A model, or what :meth:`Booster.get_score` returns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.
    height
        How thick the bars are; 1 leaves no space between.
    xlim, ylim
        Limits of the axes.
    title, xlabel, ylabel
        Texts around the picture; None leaves one out.
    fmap
        A file that names the features.
    importance_type
        What importance is: see :meth:`Booster.get_score`. Of a linear model with several outputs it is the sum of the
        absolute weights.
    max_num_features
        Show so many of the most important features only.
    grid
        Whether there is a grid.
    show_values
        Whether each bar has its value beside it.
    values_format
        How values are written, such as ``"{v:.2f}"``; with four digits unless given.
    **kwargs
        Handed on to matplotlib's ``barh``, such as ``color``.

    Returns
    -------
    matplotlib Axes
        With a bar for each feature.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> model = xgb.train({}, xgb.DMatrix(X, X[:, 0]), 5)
    >>> ax = xgb.plot_importance(model, importance_type="gain")
    >>> ax.get_title()
    'Feature importance'
    """
    ranking = _ranking(_scores(booster, fmap, importance_type))
    if max_num_features is not None:
        ranking = ranking[len(ranking) - min(count(max_num_features, "max_num_features", 1), len(ranking)) :]
    names, values = [name for name, _ in ranking], [value for _, value in ranking]
    ax = axes_of(ax, 7, max(2.2, 0.3 * len(names) + 1.1))
    bars = ax.barh(range(len(names)), values, height=height, **{"align": "center", "color": BLUE, **kwargs})
    if show_values:
        texts = [number(value) if values_format == _PLAIN else values_format.format(v=value) for value in values]
        ax.bar_label(bars, texts, padding=3, fontsize="small")
    ax.set_yticks(range(len(names)), [label_of(name) for name in names])
    _limit(ax, values, xlim, ylim)
    name_axes(ax, title, xlabel, ylabel)
    tidy(ax, grid, axis="x")
    ax.tick_params(axis="y", length=0)
    return ax


def _scores(source: Any, fmap: PathLike, importance_type: str) -> dict[str, Any]:
    scores = source if isinstance(source, dict) else booster_of(source, "booster").get_score(fmap, importance_type)
    if not scores:
        raise ParameterError("There is nothing to draw: no feature has an importance, as no tree has a split.")
    return scores


def _ranking(scores: dict[str, Any]) -> list[tuple[str, float]]:
    """Return names and values in rising order, which is how bars are stacked."""
    pairs = [(str(name), float(np.abs(value).sum() if np.ndim(value) else value)) for name, value in scores.items()]
    return sorted(pairs, key=lambda pair: pair[1])


def _limit(ax: Any, values: list[float], xlim: Any, ylim: Any) -> None:
    if xlim is None:
        low, high = min(0.0, *values), max(0.0, *values)
        room = 0.1 * (high - low or 1.0)  # for the values beside the bars
        xlim = (low - room if low < 0 else 0.0, high + room)
    ylim = (-1, len(values)) if ylim is None else ylim
    check_limits("xlim", xlim)
    check_limits("ylim", ylim)
    ax.set_xlim(xlim)
    ax.set_ylim(ylim)
