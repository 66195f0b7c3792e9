# SPDX-License-Identifier: Apache-2.0
"""Compares predicted with observed values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._base._exceptions import ParameterError
from .._base._typing import Array
from ._curves import calibration_curve, double_lift, lorenz_curve, lorenz_of, named_predictions, scored
from ._style import BLUE, GREY, ORANGE, axes_of, finish, label_of, legend, line_looks, number


def plot_calibration(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    n_bins: int = 10,
    strategy: str = "quantile",
    pos_label: Any = None,
    ax: Any = None,
    title: str | None = "Calibration",
    xlabel: str | None = "Mean prediction",
    ylabel: str | None = "Mean observed",
    grid: bool = True,
) -> Any:
    """Draw observed against predicted values, in bins of rising predictions.

    Points on the dotted line are right on average. Below it a model predicts too much. The numbers behind the picture
    are those of :func:`calibration_curve`.

    Parameters
    ----------
    y_true
        Labels: 0 and 1, or numbers such as claims per year; or a DMatrix with labels and perhaps weights.
    y_pred
        Predictions: probabilities, or means; or a model that predicts for the DMatrix; or a dict of several, by the
        names to show.
    sample_weight
        Weights of rows, such as the years that they were insured for; those of the DMatrix unless given.
    n_bins, strategy, pos_label
        As in :func:`calibration_curve`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.
    title, xlabel, ylabel
        Texts around the picture; None leaves one out.
    grid
        Whether there is a grid.

    Returns
    -------
    matplotlib Axes
        With a line of points for each model.

    Examples
    --------
    >>> from xgb_like import plotting
    >>> ax = plotting.plot_calibration([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2)
    >>> ax.lines[-1].get_ydata().tolist()
    [0.0, 1.0]
    """
    options = {"sample_weight": sample_weight, "n_bins": n_bins, "strategy": strategy, "pos_label": pos_label}
    models = named_predictions(y_pred)
    curves = {name: calibration_curve(y_true, values, **options) for name, values in models.items()}
    ax = axes_of(ax, 5.2, 5)
    found = np.concatenate([values for curve in curves.values() for values in (curve.predicted, curve.observed)])
    ends = np.array([found.min(), found.max()]) + (np.array([-0.5, 0.5]) if np.ptp(found) == 0 else 0)
    ax.plot(ends, ends, ":", color=GREY, linewidth=1.2, label="perfect", zorder=1)
    for place, (name, curve) in enumerate(curves.items()):
        looks = {"marker": "o", "markersize": 5, "linewidth": 1.6, **line_looks(place)}
        ax.plot(curve.predicted, curve.observed, label=label_of(name), **looks)
    finish(ax, (title, xlabel, ylabel), grid)
    legend(ax)
    return ax


_MOST_NAMES = 12


def plot_lift(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    n_bins: int = 10,
    ax: Any = None,
    title: str | None = "Lift",
    xlabel: str | None = "Bin of equal weight, from the lowest to the highest prediction",
    ylabel: str | None = "Mean",
    grid: bool = True,
) -> Any:
    """Draw observed and predicted values in bins of rising predictions.

    The steeper the observed line, the better the model tells rows apart. Where the two lines differ, it is wrong. The
    numbers behind the picture are those of :func:`calibration_curve`.

    Parameters
    ----------
    y_true
        Labels, such as claims per year; or a DMatrix with labels and perhaps weights.
    y_pred
        Predictions; or a model that predicts for the DMatrix.
    n_bins
        How many bins of about equal weight: 10 for deciles.
    sample_weight, ax, title, xlabel, ylabel, grid
        As in :func:`plot_calibration`.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from xgb_like import plotting
    >>> ax = plotting.plot_lift([0, 1, 1, 4], [0.5, 0.6, 1.5, 3.0], n_bins=2)
    >>> [line.get_ydata().tolist() for line in ax.lines[1:]]
    [[0.5, 2.5], [0.55, 2.25]]
    """
    found = calibration_curve(y_true, y_pred, sample_weight=sample_weight, n_bins=n_bins)
    ax = axes_of(ax, 6.4, 4)
    mean = float(np.average(found.observed, weights=found.weight))
    ax.axhline(mean, color=GREY, linestyle=":", linewidth=1, label=f"mean: {number(mean, 3)}", zorder=1)
    _draw(ax, "observed", found.observed, GREY)
    _draw(ax, "predicted", found.predicted, BLUE)
    _name_bins(ax, [str(place + 1) for place in range(len(found.weight))])
    finish(ax, (title, xlabel, ylabel), grid, "y")
    legend(ax)
    return ax


def plot_double_lift(
    y_true: Any,
    y_pred: Any,
    y_pred_other: Any = None,
    *,
    sample_weight: Any = None,
    n_bins: int = 10,
    names: Sequence[str] = ("first", "second"),
    ax: Any = None,
    title: str | None = "Double lift",
    xlabel: str | None = "Mean ratio of the predictions, {second} / {first}",
    ylabel: str | None = "Mean",
    grid: bool = True,
) -> Any:
    """Draw observed values and predictions of two models, in bins of the ratio of the second model to the first.

    The better model is the one whose line is nearer to the observed one, above all at both ends, where the models
    disagree. The numbers behind the picture are those of :func:`double_lift`.

    Parameters
    ----------
    y_true
        Labels, such as claims per year; or a DMatrix with labels and perhaps weights.
    y_pred, y_pred_other
        Predictions of the first and the second model, all above 0; or models that predict for the DMatrix. Or give only
        `y_pred`, as a dict of two by name.
    n_bins
        How many bins of about equal weight.
    names
        What the models are called, unless `y_pred` is a dict.
    sample_weight, ax, grid
        As in :func:`plot_calibration`.
    title, xlabel, ylabel
        Texts around the picture, in which ``{first}`` and ``{second}`` are the models' names; None leaves one out.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from xgb_like import plotting
    >>> ax = plotting.plot_double_lift([1, 3], {"old": [2, 2], "new": [1, 3]}, n_bins=2)
    >>> [text.get_text() for text in ax.get_xticklabels()], ax.get_xlabel()
    (['0.5', '1.5'], 'Mean ratio of the predictions, new / old')
    """
    models, names = _two_models(y_pred, y_pred_other, names)
    found = double_lift(y_true, *models, sample_weight=sample_weight, n_bins=n_bins)
    ax = axes_of(ax, 6.4, 4)
    _draw(ax, "observed", found.observed, GREY)
    for name, values, color in zip(names, (found.first, found.second), (BLUE, ORANGE), strict=True):
        _draw(ax, name, values, color)
    _name_bins(ax, [number(ratio, 3) for ratio in found.ratio])
    first, second = map(label_of, names)
    texts = [text and text.replace("{first}", first).replace("{second}", second) for text in (title, xlabel, ylabel)]
    finish(ax, texts, grid, "y")
    legend(ax)
    return ax


def _two_models(y_pred: Any, other: Any, names: Sequence[str]) -> tuple[list[Any], list[str]]:
    if isinstance(y_pred, Mapping) and other is None:
        models, names = list(y_pred.values()), [str(name) for name in y_pred]
    else:
        models = [y_pred, other]
    if len(models) != 2 or (other is None and not isinstance(y_pred, Mapping)):
        raise ParameterError("A double lift compares two models: pass `y_pred_other`, or a dict of two as `y_pred`.")
    if isinstance(names, str) or len(names) != 2:
        raise ParameterError(f"`names` must be two names; got {names!r}.")
    return models, [str(name) for name in names]


def _draw(ax: Any, name: str, values: Array, color: str) -> None:
    style = "--" if color == GREY else "-"
    ax.plot(values, marker="o", markersize=5, linewidth=1.8, color=color, linestyle=style, label=label_of(name))


def _name_bins(ax: Any, names: list[str]) -> None:
    """Name the bins below the axis, every so many if they are many."""
    step = -(-len(names) // _MOST_NAMES)
    ax.set_xticks(range(0, len(names), step), names[::step])


def plot_lorenz(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    show_perfect: bool = True,
    ax: Any = None,
    title: str | None = "Lorenz curve",
    xlabel: str | None = "Share of the weight, from the lowest to the highest prediction",
    ylabel: str | None = "Share of what was observed",
    grid: bool = True,
) -> Any:
    """Draw the share of the observed total in the rows with the lowest predictions, and Gini coefficients.

    The further a curve is below the diagonal, the better the model tells rows with high labels from those with low
    ones. The curve says nothing about calibration. The numbers behind the picture are those of :func:`lorenz_curve`.

    Parameters
    ----------
    y_true
        Labels, none below 0, such as claims per year; or a DMatrix with labels and perhaps weights.
    y_pred
        Predictions; or a model that predicts for the DMatrix; or a dict of several, by the names to show.
    show_perfect
        Whether to draw the curve of perfect predictions, too.
    sample_weight, ax, title, xlabel, ylabel, grid
        As in :func:`plot_calibration`.

    Returns
    -------
    matplotlib Axes
        With a curve for each model.

    Examples
    --------
    >>> from xgb_like import plotting
    >>> ax = plotting.plot_lorenz([0, 1, 3], [0.1, 0.2, 0.3])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['random: Gini 0', 'perfect: Gini 0.500', 'model: Gini 0.500']
    """
    models = named_predictions(y_pred)
    curves = {name: lorenz_curve(y_true, values, sample_weight=sample_weight) for name, values in models.items()}
    ax = axes_of(ax, 5.2, 5)
    ax.plot([0, 1], [0, 1], ":", color=GREY, linewidth=1.2, label="random: Gini 0", zorder=1)
    if show_perfect:
        rows = scored(y_true, {}, sample_weight)
        best = lorenz_of(rows, rows.label)
        ax.plot(*best[:2], "-.", color=GREY, linewidth=1.2, label=f"perfect: Gini {best.gini:.3f}", zorder=1)
    for place, (name, curve) in enumerate(curves.items()):
        text = f"{label_of(name)}: Gini {curve.gini:.3f}"
        ax.plot(curve.population, curve.observed, linewidth=1.8, label=text, **line_looks(place))
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    finish(ax, (title, xlabel, ylabel), grid)
    legend(ax, loc="upper left")
    return ax
