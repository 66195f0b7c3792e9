# SPDX-License-Identifier: Apache-2.0
"""Curves and maps of how predictions depend on features."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, count
from .._base._typing import Array
from .._explain._dependence import PartialDependence, category_names, partial_dependence
from .._explain._subject import Subject, booster_of, rows_for
from .._model._booster import Booster
from ._models import checked_output, name_of_output, output_number, thinned
from ._style import (
    BLUE,
    GREY,
    axes_of,
    figure_of,
    finish,
    fit_names,
    label_of,
    labels_of,
    most_lines,
    number,
    panels,
    scale_of,
)

_KINDS = ("average", "individual", "both")
_MOST_CURVES = 100
_MOST_CATEGORIES = 30
_LINE = 24  # letters of the name of a category, before it goes on in a new line
_ANSWERS = ("no", "yes")  # of an indicator, as trees are drawn
_TAIL = 0.02  # of the values at either end, where a grid does not reach: there is hardly any data


def plot_partial_dependence(
    model: Any,
    data: Any,
    features: Any,
    *,
    kind: str = "average",
    output: Any = 0,
    margin: bool = False,
    grid_points: int | None = None,
    max_rows: int = 1000,
    ax: Any = None,
    title: str | None = "Partial dependence",
    ylabel: str | None = None,
    grid: bool = True,
) -> Any:
    """Draw how predictions change with one or two features, with all others as they are in the data.

    Parameters
    ----------
    model : Booster or estimator
        The model.
    data
        The rows to average over: a DMatrix, or data that one can be made from.
    features
        A feature's name or number; a tuple of two for a map of both; or a list of these, one panel each.
    kind
        ``average``; ``individual``, a thin line for each of up to 100 rows; or ``both``. Maps, categories and yes-or-no
        features always show averages. Categories are sorted by their effect; if there are more than 30, the lowest and
        the highest are shown.
    output
        Which class, level or target, if the model has several: its number, or the label that a classifier was fitted
        with.
    margin
        Whether to show the sum of leaves instead of the prediction, for instance log odds instead of probability.
    grid_points
        At how many values to evaluate the model: by default 40, or 20 per feature for maps.
    max_rows
        Use at most this number of rows, spread evenly over the data.
    ax : matplotlib Axes, optional
        Where to draw if there is one panel; a new figure if not given.
    title, ylabel
        Texts around the picture; None leaves the title out, and gives the y-axis a text by itself.
    grid
        Whether there is a grid.

    Returns
    -------
    Axes or list of Axes
        Of matplotlib; a list if `features` is one.

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
    booster = booster_of(model)
    if kind not in _KINDS:
        raise ParameterError(f"`kind` must be one of {', '.join(_KINDS)}; got {kind!r}.")
    several = isinstance(features, list)
    points_asked = None if grid_points is None else count(grid_points, "grid_points", 1)
    rows = thinned(rows_for(model, booster, data), count(max_rows, "max_rows", 1))
    subject = Subject(booster, rows)
    wanted = [_panel(subject, booster, item, points_asked) for item in (features if several else [features])]
    if not wanted or (ax is not None and len(wanted) > 1):
        raise ParameterError("`features` must name at least one feature, and just one panel if `ax` is given.")
    beside = (wanted[0].labels[1] if len(wanted[0].columns) == 2 else None) or ()  # names of categories beside a map
    height = (0.15 * most_lines(beside) + 0.04) * min(len(beside), _MOST_CATEGORIES + 1) + 0.8
    axes = [axes_of(ax, 6, max(4.0, height))] if len(wanted) == 1 else panels(len(wanted), 4.2, 3.4)
    place = checked_output(output_number(model, output), booster._handle.num_outputs())
    text = ylabel or _response(model, margin, place)
    for panel_axes, panel in zip(axes, wanted, strict=True):
        single = len(panel.columns) == 1 and kind != "average"
        found = _asked(booster, subject, rows, panel, place, scale="margin" if margin else "value", individual=single)
        names = [label_of(subject.names[column]) for column in panel.columns]
        if len(names) == 1:
            _draw_curve(panel_axes, found, kind, subject.rows[:, panel.columns[0]], panel.labels[0])
            finish(panel_axes, (None, names[0], text), grid)
        else:
            _draw_map(panel_axes, found, text, panel.labels)
            panel_axes.set(xlabel=names[0], ylabel=names[1])
    curves = [panel_axes for panel_axes, panel in zip(axes, wanted, strict=True) if len(panel.columns) == 1]
    limits = np.asarray([one.get_ylim() for one in curves]).reshape(-1, 2)
    for one in curves:  # one scale, so that a flat one looks flat
        one.set_ylim(limits[:, 0].min(), limits[:, 1].max())
    if title is not None and len(wanted) > 1:
        axes[0].get_figure().suptitle(title)
    elif title is not None:
        axes[0].set_title(title)
    _fit_names(axes, wanted)
    return axes if several else axes[0]


@dataclass(frozen=True)
class _Panel:
    """One or two features, the values at which the model is asked, and how categories among them are called."""

    columns: tuple[int, ...]
    grids: list[Array]
    labels: list[list[str] | None]


def _panel(subject: Subject, booster: Booster, item: Any, points: int | None) -> _Panel:
    parts = item if isinstance(item, tuple) else (item,)
    if len(parts) not in (1, 2):
        raise ParameterError(f"`features` takes one feature, or a tuple of two; got {item!r}.")
    columns = tuple(subject.index(part) for part in parts)
    points = points or (40 if len(columns) == 1 else 20)
    grids = [_grid(booster, subject.rows[:, column], column, points) for column in columns]
    return _Panel(columns, grids, [_labels(booster, c, grid) for c, grid in zip(columns, grids, strict=True)])


def _asked(
    booster: Booster, subject: Subject, rows: Any, panel: _Panel, output: int, *, scale: Any, individual: bool
) -> PartialDependence:
    """Return what the model says for one of its outputs."""
    names = [category_names(subject, column) for column in panel.columns]
    named = [
        codes if own is None else own[codes.astype(np.int64)] for codes, own in zip(panel.grids, names, strict=True)
    ]
    found = partial_dependence(booster, rows, panel.columns, scale=scale, grid=named, individual=individual)
    if found.average.ndim > len(found.grid):
        curves = None if found.individual is None else found.individual[:, output]
        found = replace(found, average=found.average[output], individual=curves)
    return replace(found, grid=tuple(panel.grids))


def _grid(model: Booster, values: Array, column: int, points: int) -> Array:
    """Return the values to predict at: all, if there are few; else evenly spaced ones where most of the data are."""
    different = np.unique(values[np.isfinite(values)])
    if not len(different):
        raise DataError(f"All values of feature {column} are missing in `data`.")
    if len(different) <= points or (any(model._handle.categories) and model._handle.categories[column]):
        return different
    low, high = np.nanquantile(values, [_TAIL, 1 - _TAIL])
    return np.linspace(low, high, points).astype(np.float32) if low < high else different[[0, -1]]


def _response(model: Any, margin: bool, output: int) -> str:
    objective = booster_of(model)._handle.objective()
    probability = objective.startswith(("binary:", "multi:")) and not objective.endswith(("raw", "hinge"))
    kind = "Margin" if margin else "Probability" if probability else "Prediction"
    name = name_of_output(model, output)
    return kind if name is None else f"{kind} of {name}"


def _labels(model: Booster, column: int, grid: Array) -> list[str] | None:
    """Return the names of categories by their codes, or of 0 and 1 of an indicator; None for numbers."""
    categories, types = model._handle.categories, model.feature_types or []
    found = categories[column] if any(categories) else None
    if found is not None:
        return labels_of(found, width=_LINE) if isinstance(found, list) else [number(value) for value in found[0]]
    indicator = column < len(types) and types[column] == "i" and bool(np.isin(grid, (0, 1)).all())
    return list(_ANSWERS) if indicator else None


def _in_order(effects: Array, labels: list[str]) -> Array:
    """Return the order of categories from low to high effect, -1 for the middle of many; no comes before yes."""
    if tuple(labels) == _ANSWERS:
        return np.arange(len(effects))
    order, half = np.argsort(effects, kind="stable"), _MOST_CATEGORIES // 2
    return order if len(order) <= _MOST_CATEGORIES + 1 else np.concatenate([order[:half], [-1], order[-half:]])


def _draw_curve(ax: Any, found: PartialDependence, kind: str, observed: Array, labels: list[str] | None) -> None:
    x = found.grid[0]
    if labels is not None:
        _draw_points(ax, found, labels)
        return
    if found.individual is not None:
        count = len(found.individual)
        rows = np.linspace(0, count - 1, min(_MOST_CURVES, count)).astype(int)
        color, alpha = (GREY, 0.4) if kind == "both" else (BLUE, 0.6)
        ax.plot(x, found.individual[rows].T, color=color, linewidth=0.6, alpha=alpha, zorder=1)
    if kind != "individual":
        ax.plot(x, found.average, color=BLUE, linewidth=2.2, zorder=2, marker="o" if len(x) < 3 else None)
    deciles = np.nanquantile(observed, np.linspace(0.1, 0.9, 9))
    ax.plot(deciles, np.zeros(9), "|", color=GREY, markersize=9, transform=ax.get_xaxis_transform(), clip_on=True)
    ax.margins(x=0.02)
    if len(x) < 3:
        ax.set_xticks(x, [number(float(value)) for value in x])


def _draw_points(ax: Any, found: PartialDependence, labels: list[str]) -> None:
    """Draw categories as points in the order of their effect."""
    order = _in_order(found.average, labels)
    ax.plot(np.flatnonzero(order >= 0), found.average[order[order >= 0]], "o", color=BLUE, markersize=7)
    ax.set_xlim(-0.6, len(order) - 0.4)
    ax.set_xticks(range(len(order)), _names(order, found.grid[0], labels))


def _draw_map(ax: Any, found: PartialDependence, text: str, labels: list[list[str] | None]) -> None:
    average, scales = found.average, list(found.grid)
    for axis, own in enumerate(labels):
        if own is not None:
            order = _in_order(found.average.mean(axis=1 - axis), own)
            average = np.where(np.expand_dims(order < 0, 1 - axis), np.nan, average.take(order, axis=axis))
            scales[axis] = np.arange(len(order))
            (ax.set_yticks if axis else ax.set_xticks)(range(len(order)), _names(order, found.grid[axis], own))
    mesh = ax.pcolormesh(*map(_borders, scales), average.T, cmap=scale_of(ax), rasterized=True)
    ax.get_figure().colorbar(mesh, ax=ax, label=text)


def _borders(points: Array) -> Array:
    """Return the limits of cells around points: halfway to the next."""
    if len(points) == 1:
        return np.array([points[0] - 0.5, points[0] + 0.5])
    middle = (points[1:] + points[:-1]) / 2
    return np.concatenate([[2 * points[0] - middle[0]], middle, [2 * points[-1] - middle[-1]]])


def _names(order: Array, codes: Array, labels: list[str]) -> list[str]:
    left_out = f"{len(codes) - np.count_nonzero(order >= 0)} more"
    known = [labels[int(code)] if 0 <= int(code) < len(labels) else number(code) for code in codes]
    return [known[place] if place >= 0 else left_out for place in order]


def _fit_names(axes: list[Any], wanted: list[_Panel]) -> None:
    """Write the names of categories aslant, upright or smaller where they would touch."""
    for place, direction in enumerate("xy"):  # the room for the latter depends on how the former are written
        named = [ax for ax, panel in zip(axes, wanted, strict=True) if any(panel.labels[place : place + 1])]
        if named:
            figure_of(named[0]).draw_without_rendering()  # so that a constrained layout is known
        for ax in named:
            fit_names(ax, direction)
