# SPDX-License-Identifier: Apache-2.0
"""Where a model splits one feature."""

from typing import Any

import numpy as np

from .._base._exceptions import ParameterError, names_of, whole
from .._base._typing import Array, Integer
from .._explain._subject import booster_of
from .._model._inspection import split_values
from ._style import BLUE, axes_of, finish, ground_of, label_of

_MOST_BINS = 50


def plot_split_value_histogram(
    booster: Any,
    feature: str | Integer,
    *,
    bins: int | None = None,
    ax: Any = None,
    title: str | None = "Where {feature} is split",
    xlabel: str | None = "Value of {feature}",
    ylabel: str | None = "Number of splits",
    grid: bool = True,
    **kwargs: Any,
) -> Any:
    """Draw how often a model splits a numeric feature at which values.

    Parameters
    ----------
    booster : Booster or estimator
        The model.
    feature
        A feature's name, or its number.
    bins
        How many bars; by default at most 50, or fewer if there are fewer values. If all values are whole numbers, each
        bar covers the same number of them.
    ax, grid
        As in :func:`plot_importance`.
    title, xlabel, ylabel
        Texts around the picture, in which ``{feature}`` is the feature's name; None leaves one out.
    **kwargs
        Handed on to matplotlib's ``bar``.

    Returns
    -------
    matplotlib Axes
        With a bar for each interval of values.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> X = np.arange(40.0).reshape(20, 2)
    >>> model = xgb.train({"max_depth": 1}, xgb.DMatrix(X, X[:, 0] > 9, feature_names=["age", "size"]), 3)
    >>> ax = xgb.plotting.plot_split_value_histogram(model, "age")
    >>> ax.get_xlabel()
    'Value of age'
    """
    model = booster_of(booster, "booster")
    name = _name(feature, names_of(model.feature_names, model.num_features()))
    values = split_values(model._handle.copy(), name)
    if not len(values):
        raise ParameterError(f"The model never splits by {name!r}: there is nothing to draw.")
    if bins is not None and whole(bins, "bins") < 1:
        raise ParameterError(f"`bins` must be >= 1 or None; got {bins!r}.")
    counts, edges = np.histogram(values, bins=_edges(values) if bins is None else bins)
    ax = axes_of(ax, 6.4, 3.6)
    looks = {"align": "edge", "color": BLUE, "edgecolor": ground_of(ax), "linewidth": 0.5, **kwargs}
    ax.bar(edges[:-1], counts, width=np.diff(edges), **looks)
    ax.locator_params(axis="y", integer=True)
    if _whole_numbers(values):
        ax.locator_params(axis="x", integer=True)
    texts = (text and text.replace("{feature}", label_of(name)) for text in (title, xlabel, ylabel))
    finish(ax, texts, grid, "y")
    return ax


def _edges(values: Array) -> Any:
    """Return the limits of bars, or how many there are."""
    if _whole_numbers(values):
        low, high = float(values.min()), float(values.max())
        width = max(1.0, np.ceil((high - low + 1) / _MOST_BINS))
        return np.arange(low, high + width + 0.5, width) - 0.5
    return min(_MOST_BINS, len(np.unique(values)))


def _whole_numbers(values: Array) -> bool:
    return bool(np.all(values == np.round(values)))


def _name(feature: Any, names: list[str]) -> str:
    if isinstance(feature, str):
        if feature not in names:
            raise ParameterError(f"The model has no feature {feature!r}. It has {', '.join(names[:20])}.")
        return feature
    number = whole(feature, "feature")
    if not 0 <= number < len(names):
        raise ParameterError(f"`feature` must be a name or a number from 0 to {len(names) - 1}; got {number}.")
    return names[number]
