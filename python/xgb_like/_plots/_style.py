# SPDX-License-Identifier: Apache-2.0
"""How all pictures look: colours that colour-blind readers tell apart, a light grid, no frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._exceptions import ParameterError
from .._html import shorten
from .._optional import require

BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW)
LINE_STYLES = ("-", "--", "-.", ":")
GREY, LIGHT_GREY = "#767676", "#D9D9D9"
SCALE = "cividis"  # from dark blue to yellow, the same for all kinds of sight


def pyplot() -> Any:
    """Import matplotlib.pyplot, or say what to install."""
    return require("matplotlib.pyplot", "Drawing")


def axes_of(ax: Any, width: float, height: float) -> Any:
    """Return the axes to draw on: those given, or those of a new figure of that size in inches."""
    if ax is None:
        return pyplot().subplots(figsize=(width, height), layout="constrained")[1]
    if not hasattr(ax, "add_patch"):
        raise ParameterError(f"`ax` must be matplotlib Axes or None; got {type(ax).__name__}.")
    return ax


def panels(count: int, width: float, height: float, columns: int = 3) -> list[Any]:
    """Return the axes of a new figure of several panels, each of that size in inches."""
    across = min(count, columns)
    down = -(-count // across)
    _, grid = pyplot().subplots(
        down, across, figsize=(width * across, height * down), layout="constrained", squeeze=False
    )
    flat = list(grid.ravel())
    for unused in flat[count:]:
        unused.remove()
    return flat[:count]


def tidy(ax: Any, grid: bool, axis: str = "both") -> None:
    """Draw a light grid behind the data, and leave out the frame's upper and right side."""
    ax.set_axisbelow(True)
    ax.grid(False)
    if grid:
        ax.grid(True, axis=axis, color=LIGHT_GREY, linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(GREY)


def name_axes(ax: Any, title: str | None, xlabel: str | None, ylabel: str | None) -> None:
    """Set the texts around a picture; None is no text."""
    if title is not None:
        ax.set_title(title)
    if xlabel is not None:
        ax.set_xlabel(xlabel)
    if ylabel is not None:
        ax.set_ylabel(ylabel)


def check_limits(name: str, limits: Any) -> None:
    """Refuse limits of an axis that are not a pair."""
    if not isinstance(limits, tuple) or len(limits) != 2:
        raise ParameterError(f"`{name}` must be a tuple of two numbers; got {limits!r}.")


def literal(text: str) -> str:
    """Return a text for matplotlib to show as it is: dollar signs would begin a formula."""
    return text.replace("$", r"\$")


def label_of(name: str, most: int = 40) -> str:
    """Return a feature's name as pictures show it."""
    return literal(shorten(" ".join(name.split()), most))


def number(value: float, digits: int = 4) -> str:
    """Return a number with so many digits, or all those before the point, and a proper minus sign."""
    if not np.isfinite(value):
        return f"{value}"
    whole = abs(value) < 10**7 and (float(value).is_integer() or abs(value) >= 10**digits)
    rounded = round(value) if whole else value
    text = f"{rounded:{',' if abs(rounded) >= 10**5 else ''}d}" if whole else f"{value:.{digits}g}"
    return text.replace("-", "\N{MINUS SIGN}")
