# SPDX-License-Identifier: Apache-2.0
"""How all pictures look: colours that colour-blind readers tell apart, a light grid, no frame."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._base._exceptions import ParameterError, count
from .._base._libraries import require
from .._data._summaries import shorten_all

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


def finish(ax: Any, texts: Iterable[str | None], grid: bool, axis: str = "both") -> None:
    """Set title and labels, draw a light grid behind the data, and leave out the frame's upper and right side."""
    named = zip(("title", "xlabel", "ylabel"), texts, strict=True)
    ax.set(**{name: text for name, text in named if text is not None})
    ax.set_axisbelow(True)
    ax.grid(False)
    if grid:
        ax.grid(True, axis=axis, color=GREY, alpha=_GRID_SHADE, linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(GREY)


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


# The texts of pictures: names as a whole, on several lines if they are long; numbers that are short.
_LINE = 40  # letters, which is how wide the names beside an axis get
_PIECE = re.compile(r"[^\s_./:|-]*[\s_./:|-]+|[^\s_./:|-]+")  # a word with what follows it
_LEAST = 5
_MOST_WHOLE = 10**12
_ALL_DIGITS = 9  # tell all float32 apart


def literal(text: str) -> str:
    """Return a text for matplotlib to show as it is: dollar signs would begin a formula."""
    return text.replace("$", r"\$")


def wrapped(text: str, width: int = _LINE) -> str:
    """Break a text into lines, after its spaces, underscores and the like; only longer words within."""
    lines = [""]
    for word in _PIECE.findall(" ".join(text.split())):
        for begin in range(0, len(word), width):
            piece = word[begin : begin + width]
            if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def labels_of(names: Iterable[str], most: int | None = None, width: int = _LINE) -> list[str]:
    """Return names for matplotlib, cut to `most` letters if that is given, but never such that two become equal."""
    return [literal(wrapped(name, width)) for name in names_within(names, most)]


def names_within(names: Iterable[str], most: int | None) -> list[str]:
    """Return names in one line, cut to `most` letters if that is given, but never such that two become equal."""
    plain = [" ".join(name.split()) for name in names]
    return plain if most is None else shorten_all(plain, count(most, "max_name_length", _LEAST))


def label_of(name: str, width: int = _LINE) -> str:
    """Return one name for matplotlib."""
    return labels_of([name], width=width)[0]


def most_lines(texts: Iterable[str]) -> int:
    """Return how many lines the tallest text has."""
    return max((text.count("\n") + 1 for text in texts), default=1)


def number(value: float, digits: int = 4) -> str:
    """Return a number with so many digits, or all those before the point, and a proper minus sign."""
    if not np.isfinite(value):
        return f"{value}"
    whole = abs(value) < 10**7 and (float(value).is_integer() or abs(value) >= 10**digits)
    rounded = round(value) if whole else value
    text = f"{rounded:{',' if abs(rounded) >= 10**5 else ''}d}" if whole else f"{value:.{digits}g}"
    return text.replace("-", "\N{MINUS SIGN}")


def distinct_numbers(values: Iterable[float], digits: int) -> dict[float, str]:
    """Return numbers as texts: whole ones as they are, others with so many digits, or more where two look equal."""
    different = sorted(set(values))
    while True:
        texts = [_whole(value) or number(value, digits) for value in different]
        if len(set(texts)) == len(different) or digits == _ALL_DIGITS:
            return dict(zip(different, texts, strict=True))
        digits += 1


def _whole(value: float) -> str | None:
    if abs(value) >= _MOST_WHOLE or not float(value).is_integer():
        return None
    return f"{round(value):{',' if abs(value) >= 10**5 else ''}d}".replace("-", "\N{MINUS SIGN}")


def fit_names(ax: Any, direction: str) -> None:
    """Write the names along an axis aslant, upright or smaller where they would touch."""
    texts = getattr(ax, f"get_{direction}ticklabels")()
    if not texts:
        return
    size, box = texts[0].get_fontsize() / 72, ax.get_window_extent()
    low, high = getattr(ax, f"get_{direction}lim")()
    room = (box.width if direction == "x" else box.height) / ax.get_figure().dpi / max(abs(high - low), 1)
    lines = [line for text in texts for line in text.get_text().split("\n")]
    aslant = direction == "x" and max(map(len, lines)) * 0.6 * size + 0.1 > room
    upright = aslant and room < 2 * size
    tall = most_lines(text.get_text() for text in texts)
    for text in texts:
        text.set_fontsize(72 * min(size, max(0.03, 0.85 * room / tall)))
        if upright:
            text.set_rotation(90)
        elif aslant:
            text.set(rotation=45, ha="right", rotation_mode="anchor")
