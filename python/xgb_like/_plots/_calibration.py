# SPDX-License-Identifier: Apache-2.0
"""Compares predicted with observed values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._curves import calibration_curve
from ._scored import named_predictions
from ._style import GREY, axes_of, legend, line_looks, name_axes, tidy
from ._texts import label_of


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
    low, high = _ends([values for curve in curves.values() for values in (curve.predicted, curve.observed)])
    ax.plot([low, high], [low, high], ":", color=GREY, linewidth=1.2, label="perfect", zorder=1)
    for place, (name, curve) in enumerate(curves.items()):
        looks = {"marker": "o", "markersize": 5, "linewidth": 1.6, **line_looks(place)}
        ax.plot(curve.predicted, curve.observed, label=label_of(name), **looks)
    name_axes(ax, title, xlabel, ylabel)
    tidy(ax, grid)
    legend(ax)
    return ax


def _ends(columns: list[Any]) -> tuple[float, float]:
    found = np.concatenate(columns)
    low, high = float(found.min()), float(found.max())
    return (low, high) if low < high else (low - 0.5, high + 0.5)
