# SPDX-License-Identifier: Apache-2.0
"""The texts of pictures: names as a whole, on several lines if they are long; numbers that are short."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._base._checks import count
from .._base._html import shorten_all

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
