# SPDX-License-Identifier: Apache-2.0
"""Bars for the importance of features."""

from typing import Any

import numpy as np

from .._base._exceptions import ParameterError, count
from .._base._libraries import require
from .._base._typing import PathLike
from .._explain._subject import booster_of
from ._style import BLUE, axes_of, figure_of, finish, fit_names, labels_of, most_lines, number

_PLAIN = "{v}"
_MEANINGS = {
    "weight": "weight: number of splits",
    "gain": "gain: mean of the splits",
    "cover": "cover: mean of the splits",
    "total_gain": "total gain of the splits",
    "total_cover": "total cover of the splits",
}
_BESIDE = 3  # points between a bar and its value
_MOST_INCHES = 80.0


def plot_importance(
    booster: Any,
    *,
    ax: Any = None,
    height: float = 0.7,
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
    max_name_length: int | None = None,
    **kwargs: Any,
) -> Any:
    """Draw the importance of the features that the model uses, with the most important one on top.

    Parameters
    ----------
    booster : Booster, estimator or dict
        A model, or what :meth:`Booster.get_score` returns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.
    height
        The thickness of the bars; 1 leaves no space between them.
    xlim, ylim
        Limits of the axes.
    title, xlabel, ylabel
        Texts around the picture; None leaves one out. A line below `xlabel` says which importance it is, unless
        `booster` is a dict, whose kind is unknown.
    fmap
        A file that names the features.
    importance_type
        The kind of importance: see :meth:`Booster.get_score`. For a linear model with several outputs it is the sum of
        the absolute weights.
    max_num_features
        Show only this number of the most important features.
    grid
        Whether there is a grid.
    show_values
        Whether to show each bar's value next to it.
    values_format
        The format of values, such as ``"{v:.2f}"``; by default four digits.
    max_name_length
        Cut longer names in their middle, but never such that two become equal; else they are shown whole, on several
        lines if need be.
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
    given = isinstance(booster, dict)
    scores: Any = booster if given else booster_of(booster, "booster").get_score(fmap, importance_type)
    if not scores:
        raise ParameterError("There is nothing to draw: no tree has a split, so no feature has an importance.")
    pairs = [(str(name), float(np.abs(value).sum() if np.ndim(value) else value)) for name, value in scores.items()]
    ranking = sorted(pairs, key=lambda pair: pair[1])  # rising, which is how bars are stacked
    if max_num_features is not None:
        ranking = ranking[len(ranking) - min(count(max_num_features, "max_num_features", 1), len(ranking)) :]
    names, values = [name for name, _ in ranking], [value for _, value in ranking]
    labels = labels_of(names, max_name_length)
    ax = axes_of(ax, 7, min(max(2.2, (0.16 * most_lines(labels) + 0.14) * len(names) + 1.1), _MOST_INCHES))
    bars = ax.barh(range(len(names)), values, height=height, **{"align": "center", "color": BLUE, **kwargs})
    if show_values:
        texts = [number(value) if values_format == _PLAIN else values_format.format(v=value) for value in values]
        ax.bar_label(bars, texts, padding=_BESIDE, fontsize="small")
    ax.set_yticks(range(len(names)), labels)
    usual: tuple[float, float] | None = xlim
    if xlim is None:
        low, high = min(0.0, *values), max(0.0, *values)
        room = 0.1 * (high - low or 1.0)  # for the values beside the bars
        usual = (low - room if low < 0 else 0.0, high + room)
    for name, limits in (("xlim", usual), ("ylim", (-1, len(values)) if ylim is None else ylim)):
        if not isinstance(limits, tuple) or len(limits) != 2:
            raise ParameterError(f"`{name}` must be a tuple of two numbers; got {limits!r}.")
        ax.set(**{name: limits})
    finish(ax, (title, xlabel, ylabel), grid, "x")
    if xlabel is not None and not given:  # below the label, which stays XGBoost's
        kind = "weight: coefficient" if booster_of(booster)._handle.is_linear() else _MEANINGS[importance_type]
        boxes = require("matplotlib.offsetbox", "Drawing")
        text = boxes.TextArea(kind, textprops={"fontsize": "small"})
        below = {"xycoords": ax.xaxis.label, "box_alignment": (0.5, 1), "annotation_clip": False}
        ax.add_artist(boxes.AnnotationBbox(text, (0.5, 0), frameon=False, pad=0.2, **below))
    ax.tick_params(axis="y", length=0)
    _fit(ax, xlim is None)
    return ax


def _fit(ax: Any, widen: bool) -> None:
    """Make names and values small enough for their bars, and the axis long enough for the values beside them."""
    figure = figure_of(ax)
    figure.draw_without_rendering()  # so that a constrained layout is known
    fit_names(ax, "y")
    size = ax.get_yticklabels()[0].get_fontsize()
    for text in ax.texts:
        text.set_fontsize(min(text.get_fontsize(), size))
    inside = ax.get_window_extent().width
    widest = max(text.get_window_extent().width for text in ax.get_xticklabels())
    ax.locator_params(axis="x", nbins=int(np.clip(inside / (1.6 * widest + 1), 2, 7)))
    if not widen or not ax.texts:
        return
    figure.draw_without_rendering()
    ends = np.asarray([bar.get_width() for bar in ax.containers[-1]])
    beside = 2 * _BESIDE * figure.dpi / 72
    widths = np.asarray([text.get_window_extent().width + beside for text in ax.texts])
    at_left, at_right = np.max(widths, where=ends < 0, initial=0), np.max(widths, where=ends >= 0, initial=0)
    least, most = min(0.0, ends.min()), max(0.0, ends.max())
    pixels = inside - at_left - at_right
    if pixels > 0:
        each = (most - least or 1.0) / pixels
        low, high = ax.get_xlim()
        ax.set_xlim(min(low, least - at_left * each), max(high, most + at_right * each))
