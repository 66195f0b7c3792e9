# SPDX-License-Identifier: Apache-2.0
"""What each feature contributed to many predictions at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, count, names_of
from .._base._typing import Array, Floats64
from .._data._matrix import DMatrix
from .._explain._subject import Subject, booster_of, is_model, rows_for
from .._model._booster import Booster
from ._models import checked_output, name_of_output, output_number, thinned
from ._style import BLUE, GREY, axes_of, figure_of, finish, fit_names, labels_of, most_lines, number, scale_of

_KINDS = ("dots", "bars")
_BINS, _MOST_ROWS, _ROW_HEIGHT, _MOST_INCHES = 120, 2000, 0.42, 80.0
_LONG_BAR = 2.0  # inches: the label of the colours has room between those of its ends


def plot_shap_summary(
    source: Any,
    data: Any = None,
    *,
    kind: str = "dots",
    output: Any = 0,
    feature_names: Sequence[str] | None = None,
    max_num_features: int = 20,
    ax: Any = None,
    title: str | None = "Contributions of the features",
    xlabel: str | None = None,
    grid: bool = True,
    max_name_length: int | None = None,
) -> Any:
    """Draw the contributions of features to predictions: one dot per row, dark if the feature's value is small.

    It is grey if the value is missing, and for categories, which have no order.

    Parameters
    ----------
    source : Booster, estimator or ndarray
        A model, which computes contributions for `data`; or contributions as ``booster.predict(data,
        pred_contribs=True)`` returns them.
    data : optional
        The features. Needed for a model, and for the dots' colours. Up to 2000 rows are drawn, spread evenly.
    kind
        ``dots``, or ``bars`` for the mean size only.
    output
        Which class, level or target, if there are several: its number, or the label that a classifier was fitted
        with.
    feature_names : list of str, optional
        Names instead of those of the model or the data.
    max_num_features
        Show this number of features, those that contribute most. Features that contribute nothing are left out.
    title, xlabel
        Texts around the picture. None leaves the title out, and labels the x-axis automatically.
    ax, grid, max_name_length
        As in :func:`plot_importance`.

    Returns
    -------
    matplotlib Axes
        With a row of dots, or a bar, for each feature.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> contributions = np.array([[0.5, 0.1, 0.0], [-0.5, 0.0, 0.0]])  # two features and the intercept
    >>> ax = xgb.plotting.plot_shap_summary(contributions, feature_names=["age", "size"], kind="bars")
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['size', 'age']
    """
    if kind not in _KINDS:
        raise ParameterError(f"`kind` must be one of {', '.join(_KINDS)}; got {kind!r}.")
    most = count(max_num_features, "max_num_features", 1)
    contributions, table, names = _read(source, data, output_number(source, output))
    if feature_names is not None and len(feature_names) != contributions.shape[1]:
        raise ParameterError(
            f"`feature_names` must name the {contributions.shape[1]} features; got {len(feature_names)} names."
        )
    names = names_of(names if feature_names is None else list(map(str, feature_names)), contributions.shape[1])
    size = np.abs(contributions).mean(axis=0)
    most = min(most, int(np.count_nonzero(size)) or len(size))
    shown = np.argsort(size, kind="stable")[-most:]
    labels = labels_of([names[feature] for feature in shown], max_name_length)
    row = max(_ROW_HEIGHT, 0.16 * most_lines(labels) + 0.1)
    ax = axes_of(ax, 7, min(max(2.2, row * len(shown) + 1.1), _MOST_INCHES))
    if kind == "bars":
        bars = ax.barh(range(len(shown)), size[shown], height=0.6, color=BLUE)
        ax.bar_label(bars, [number(value, 3) for value in size[shown]], padding=3, fontsize="small")
        ax.set_xlim(0, 1.14 * max(float(np.max(size)), np.finfo(np.float32).tiny))
    else:
        _draw_dots(ax, contributions[:, shown], None if table is None else table[:, shown])
    ax.set_yticks(range(len(shown)), labels)
    ax.set_ylim(-0.7, len(shown) - 0.3)
    ax.tick_params(axis="y", length=0)
    usual = "Mean absolute contribution to the margin" if kind == "bars" else "Contribution to the margin"
    if is_model(source) and booster_of(source)._handle.num_outputs() > 1:
        usual += f" of {name_of_output(source, output_number(source, output))}"
    finish(ax, (title, usual if xlabel is None else xlabel, None), grid, "x")
    figure_of(ax).draw_without_rendering()  # so that a constrained layout is known
    fit_names(ax, "y")
    return ax


def _read(source: Any, data: Any, output: int) -> tuple[Floats64, Array | None, list[str]]:
    """Return contributions without the intercept, the features' values if there are some, and names."""
    if is_model(source):
        if data is None:
            raise ParameterError("`data` is needed with a model: contributions are to predictions for its rows.")
        model = booster_of(source, "source")
        rows = thinned(rows_for(source, model, data), _MOST_ROWS)
        explained = _of_output(model.predict(rows, pred_contribs=True), output)
        return explained[:, :-1], _ordered_values(model, rows), names_of(model.feature_names, model.num_features())
    found = _of_output(np.asarray(source), output)
    if data is None:
        return found[:, : max(found.shape[1] - 1, 1)], None, []
    matrix = data if isinstance(data, DMatrix) else DMatrix(data)
    if matrix.num_row() != len(found) or matrix.num_col() not in (found.shape[1], found.shape[1] - 1):
        raise DataError(
            f"`data` has {matrix.num_row()} rows and {matrix.num_col()} columns, which does not fit contributions of "
            f"shape {found.shape}: one column per feature, and one for the intercept."
        )
    table = _ordered_values(Booster(), matrix)
    return found[:, : matrix.num_col()], table, matrix.feature_names or []


def _ordered_values(model: Booster, matrix: DMatrix) -> Array:
    """Return the features' values, NaN for categories."""
    values: Array = Subject(model, matrix).rows.copy()
    categorical = [bool(known) for known in matrix._handle.categories]
    if any(categorical):
        values[:, categorical] = np.nan
    return values


def _of_output(found: Array, output: int) -> Floats64:
    if found.ndim not in (2, 3) or not found.size:
        raise DataError(
            f"Contributions must have the shape (rows, features + 1), with at least one row; got {found.shape}."
        )
    if found.ndim == 3:
        found = found[:, checked_output(output, found.shape[1])]
    return found.astype(np.float64)


def _draw_dots(ax: Any, contributions: Array, table: Array | None) -> None:
    ax.axvline(0, color=GREY, linewidth=0.9, zorder=1)
    low, high = float(np.min(contributions)), float(np.max(contributions))
    points = None
    for place, values in enumerate(contributions.T):
        heights = place + _swarm(values, low, high)
        looks = {"s": 9, "linewidths": 0, "rasterized": len(values) > 500, "zorder": 3}
        if table is None:
            ax.scatter(values, heights, color=BLUE, **looks)
            continue
        missing = np.isnan(table[:, place])
        ax.scatter(values[missing], heights[missing], color="#BBBBBB", **looks)
        colors = _ranks(table[~missing, place])
        points = ax.scatter(values[~missing], heights[~missing], c=colors, cmap=scale_of(ax), vmin=0, vmax=1, **looks)
    if points is not None:
        bar = ax.get_figure().colorbar(points, ax=ax, aspect=40, pad=0.02, ticks=[0, 1])
        bar.ax.set_yticklabels(["low", "high"])
        is_long = ax.get_window_extent().height > _LONG_BAR * ax.get_figure().dpi
        bar.set_label("Value of the feature", labelpad=-8 if is_long else 4)
        bar.outline.set_visible(False)


def _swarm(values: Array, low: float, high: float) -> Floats64:
    """Return heights within (-0.4, 0.4) such that dots of about the same value lie side by side."""
    bins = np.floor((values - low) / ((high - low) or 1.0) * (_BINS - 1)).astype(np.int64)
    order = np.argsort(bins, kind="stable")
    first = np.searchsorted(bins[order], bins[order])
    rank = np.empty(len(values), np.int64)
    rank[order] = np.arange(len(values)) - first
    side = np.where(rank % 2 == 0, 1, -1) * ((rank + 1) // 2)
    spacing = min(0.06, 0.8 / (int(np.max(rank)) + 1))
    return np.asarray(side * spacing, dtype=np.float64)


def _ranks(values: Array) -> Floats64:
    """Return how large values are among all, from 0 to 1: an outlier does not take the whole scale of colours."""
    different, places = np.unique(values, return_inverse=True)
    middle = np.searchsorted(np.sort(values), different, side="right") / max(len(values), 1)
    if len(different) < 2:
        return np.full(len(values), 0.5)
    scaled: Floats64 = ((middle - middle[0]) / (middle[-1] - middle[0]))[places]
    return scaled
