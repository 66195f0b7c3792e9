# SPDX-License-Identifier: Apache-2.0
"""Lorenz curves: the share of all claims in the rows with the lowest predictions."""

from __future__ import annotations

from typing import Any

from ._curves import lorenz_curve, lorenz_of
from ._scored import named_predictions, scored
from ._style import GREY, axes_of, legend, line_looks, name_axes, tidy
from ._texts import label_of


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
    sample_weight
        Weights of rows, such as the years that they were insured for; those of the DMatrix unless given.
    show_perfect
        Whether to draw the curve of perfect predictions, too.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if not given.
    title, xlabel, ylabel
        Texts around the picture; None leaves one out.
    grid
        Whether there is a grid.

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
    name_axes(ax, title, xlabel, ylabel)
    tidy(ax, grid)
    legend(ax, loc="upper left")
    return ax
