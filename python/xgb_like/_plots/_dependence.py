# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""Curves and maps of how predictions depend on features."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._booster import Booster
from .._dependence import PartialDependence, partial_dependence
from .._exceptions import DataError, ParameterError
from .._subject import Subject
from .._typing import Array
from ._models import booster_of
from ._rows import thinned
from ._style import BLUE, GREY, LIGHT_GREY, SCALE, axes_of, label_of, name_axes, number, panels, tidy

_KINDS = ("average", "individual", "both")
_MOST_CURVES = 100
_TAIL = 0.02  # of the values at either end, where a grid does not reach: there is hardly any data


def plot_partial_dependence(
    model: Any,
    data: Any,
    features: Any,
    *,
    kind: str = "average",
    output: int = 0,
    margin: bool = False,
    grid_points: int | None = None,
    max_rows: int = 1000,
    ax: Any = None,
    title: str | None = "Partial dependence",
    ylabel: str | None = None,
    grid: bool = True,
) -> Any:
    """Draw how predictions change with one or two features, all others being as they are in the data.

    Parameters
    ----------
    model : Booster or estimator
        The model.
    data
        What a DMatrix can be made of, or a DMatrix: the rows to average over.
    features
        A feature's name or number; a tuple of two for a map of both; or a list of these, one panel each.
    kind
        ``average``; ``individual``, a thin line for each of up to 100 rows; or ``both``. Maps and categories show
        averages.
    output
        Which class or target, if the model has several.
    margin
        Whether the sum of leaves is shown in place of the prediction, for instance log odds in place of probability.
    grid_points
        At how many values the model is asked: 40, and 20 a feature for maps, unless given.
    max_rows
        Take no more than so many rows, evenly, of the data.
    ax : matplotlib Axes, optional
        Where to draw if there is one panel; a new figure if not given.
    title, ylabel
        Texts around the picture; None leaves the title out, and gives the y-axis a text by itself.
    grid
        Whether there is a grid.

    Returns
    -------
    matplotlib Axes, or a list of them if `features` is a list

    Notes
    -----
    The short lines at the foot are the deciles of the feature in the data: where there are few, trust a curve less.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> model = xgb.train({}, xgb.DMatrix(X, X[:, 0]), 5)
    >>> ax = xgb.plotting.plot_partial_dependence(model, X, 0)
    >>> ax.get_xlabel()
    'f0'
    """
    booster = booster_of(model, "model")
    if kind not in _KINDS:
        raise ParameterError(f"`kind` must be one of {', '.join(_KINDS)}; got {kind!r}.")
    several = isinstance(features, list)
    rows = thinned(data, max_rows)
    subject = Subject(booster, rows)
    wanted = [_columns(item, subject) for item in (features if several else [features])]
    if not wanted or (ax is not None and len(wanted) > 1):
        raise ParameterError("`features` must name at least one feature, and just one panel if `ax` is given.")
    axes = [axes_of(ax, 6, 4)] if len(wanted) == 1 else panels(len(wanted), 4.2, 3.4)
    text = ylabel or _response(booster, margin, output)
    scale: Any = "margin" if margin else "value"
    for panel, columns in zip(axes, wanted, strict=True):
        points = grid_points or (40 if len(columns) == 1 else 20)
        grids = [_grid(booster, subject.rows[:, column], column, points) for column in columns]
        curves = len(columns) == 1 and kind != "average"
        found = partial_dependence(booster, rows, columns, scale=scale, grid=grids, individual=curves)
        found = _of_output(found, output)
        if len(columns) == 1:
            _draw_curve(panel, found, kind, subject.rows[:, columns[0]], _category_labels(booster, columns[0]))
            tidy(panel, grid)
            name_axes(panel, None, label_of(subject.names[columns[0]]), text)
        else:
            _draw_map(panel, found, text)
            name_axes(panel, None, *(label_of(subject.names[column]) for column in columns))
    _share_heights([panel for panel, columns in zip(axes, wanted, strict=True) if len(columns) == 1])
    if title is not None and len(wanted) > 1:
        axes[0].get_figure().suptitle(title)
    elif title is not None:
        axes[0].set_title(title)
    return axes if several else axes[0]


def _share_heights(axes: list[Any]) -> None:
    """Give all curves one scale, so that a flat one looks flat."""
    limits = np.asarray([ax.get_ylim() for ax in axes]).reshape(-1, 2)
    for ax in axes:
        ax.set_ylim(limits[:, 0].min(), limits[:, 1].max())


def _columns(item: Any, subject: Subject) -> tuple[int, ...]:
    parts = item if isinstance(item, tuple) else (item,)
    if len(parts) not in (1, 2):
        raise ParameterError(f"`features` takes one feature, or a tuple of two; got {item!r}.")
    return tuple(subject.index(part) for part in parts)


def _grid(model: Booster, values: Array, column: int, points: int) -> Array:
    """Return the values to predict at: all, if there are few; else evenly spaced ones where most of the data are."""
    different = np.unique(values[np.isfinite(values)])
    if not len(different):
        raise DataError(f"All values of feature {column} are missing in `data`.")
    if len(different) <= points or (any(model._handle.categories) and model._handle.categories[column]):
        return different
    low, high = np.nanquantile(values, [_TAIL, 1 - _TAIL])
    return np.linspace(low, high, points).astype(np.float32) if low < high else different[[0, -1]]


def _of_output(found: PartialDependence, output: int) -> PartialDependence:
    """Return what holds for one output of a model that may have several."""
    several = found.average.ndim > len(found.grid)
    count = found.average.shape[0] if several else 1
    if not 0 <= output < count:
        raise ParameterError(f"`output` must be from 0 to {count - 1}; got {output}.")
    if not several:
        return found
    rows = None if found.individual is None else found.individual[:, output]
    return replace(found, average=found.average[output], individual=rows)


def _response(model: Booster, margin: bool, output: int) -> str:
    which = f" {output}" if model._handle.num_outputs() > 1 else ""
    objective = model._handle.objective()
    probability = objective.startswith(("binary:", "multi:")) and not objective.endswith(("raw", "hinge"))
    if probability and not margin:
        return f"Probability of class{which or ' 1'}"
    return f"{'Margin' if margin else 'Prediction'}{f' of output{which}' if which else ''}"


def _category_labels(model: Booster, column: int) -> list[str] | None:
    categories = model._handle.categories
    found = categories[column] if any(categories) else None
    if found is None:
        return None
    return [label_of(text, 16) for text in found] if isinstance(found, list) else [number(value) for value in found[0]]


def _draw_curve(ax: Any, found: PartialDependence, kind: str, observed: Array, labels: list[str] | None) -> None:
    x = found.grid[0]
    if labels is not None:
        _draw_points(ax, found, labels)
        return
    if found.individual is not None:
        count = len(found.individual)
        rows = np.linspace(0, count - 1, min(_MOST_CURVES, count)).astype(int)
        color = LIGHT_GREY if kind == "both" else BLUE
        ax.plot(x, found.individual[rows].T, color=color, linewidth=0.6, alpha=0.6, zorder=1)
    if kind != "individual":
        ax.plot(x, found.average, color=BLUE, linewidth=2.2, zorder=2, marker="o" if len(x) < 3 else None)
    deciles = np.nanquantile(observed, np.linspace(0.1, 0.9, 9))
    ax.plot(deciles, np.zeros(9), "|", color=GREY, markersize=9, transform=ax.get_xaxis_transform(), clip_on=True)
    ax.margins(x=0.02)


def _draw_points(ax: Any, found: PartialDependence, labels: list[str]) -> None:
    """Draw categories as points in the order of their effect."""
    order = np.argsort(found.average, kind="stable")
    names = [labels[int(code)] if int(code) < len(labels) else number(code) for code in found.grid[0][order]]
    ax.plot(range(len(names)), found.average[order], "o", color=BLUE, markersize=7)
    ax.set_xticks(range(len(names)), names)
    if sum(map(len, names)) > 36:
        ax.tick_params(axis="x", rotation=45)
        for text in ax.get_xticklabels():
            text.set(ha="right", rotation_mode="anchor")
    ax.margins(x=0.1)


def _draw_map(ax: Any, found: PartialDependence, text: str) -> None:
    x, y = found.grid
    mesh = ax.pcolormesh(x, y, found.average.T, cmap=SCALE, shading="nearest", rasterized=True)
    ax.get_figure().colorbar(mesh, ax=ax, label=text)
