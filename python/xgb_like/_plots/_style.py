# SPDX-License-Identifier: Apache-2.0
"""How all pictures look: colours that colour-blind readers tell apart, a light grid, no frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base._exceptions import ParameterError
from .._base._optional import require

BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"
_CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW)
_LINE_STYLES = ("-", "--", "-.", ":")
GREY = "#767676"
_SCALE = "cividis"  # from dark blue to yellow, the same for all kinds of sight
_DARKEST = 0.3  # of that scale, where the ground is dark
_GRID_SHADE = 0.28


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


def figure_of(ax: Any) -> Any:
    """Return the whole figure of axes, which may be in a part of it."""
    return ax.get_figure().figure


def tidy(ax: Any, grid: bool, axis: str = "both") -> None:
    """Draw a light grid behind the data, and leave out the frame's upper and right side."""
    ax.set_axisbelow(True)
    ax.grid(False)
    if grid:
        ax.grid(True, axis=axis, color=GREY, alpha=_GRID_SHADE, linewidth=0.6)
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


def ground_of(ax: Any) -> tuple[float, float, float]:
    """Return the colour that a picture is drawn on."""
    colors = require("matplotlib.colors", "Drawing")
    for part in (ax, ax.get_figure()) if ax.axison else (ax.get_figure(),):
        *color, opacity = colors.to_rgba(part.get_facecolor())
        if opacity > 0:
            return tuple(color)
    return 1.0, 1.0, 1.0


def is_dark(color: Any) -> bool:
    """Return whether white is easier to read than black on a colour."""
    red, green, blue = require("matplotlib.colors", "Drawing").to_rgb(color)
    return bool(0.299 * red + 0.587 * green + 0.114 * blue < 0.5)


def mixed(color: Any, share: float, ground: Any) -> tuple[float, ...]:
    """Return a colour of which just a share is seen on its ground."""
    to_rgb = require("matplotlib.colors", "Drawing").to_rgb
    return tuple((share * np.asarray(to_rgb(color)) + (1 - share) * np.asarray(to_rgb(ground))).tolist())


def scale_of(ax: Any) -> Any:
    """Return the colours from low to high values, all of them visible on the ground of the picture."""
    full = pyplot().get_cmap(_SCALE)
    if not is_dark(ground_of(ax)):
        return full
    shades = full(np.linspace(_DARKEST, 1, 256))
    return require("matplotlib.colors", "Drawing").ListedColormap(shades, name=f"{_SCALE} on dark ground")


def line_looks(place: int) -> dict[str, str]:
    """Return the colour and the style of one line of several."""
    return {"color": _CYCLE[place % len(_CYCLE)], "linestyle": _LINE_STYLES[place % len(_LINE_STYLES)]}


def legend(ax: Any, **looks: Any) -> None:
    """Show the names of lines on a ground that hides what is behind."""
    ax.legend(facecolor=ax.get_facecolor(), edgecolor="none", framealpha=0.85, **looks)


def check_limits(name: str, limits: Any) -> None:
    """Refuse limits of an axis that are not a pair."""
    if not isinstance(limits, tuple) or len(limits) != 2:
        raise ParameterError(f"`{name}` must be a tuple of two numbers; got {limits!r}.")
