# SPDX-License-Identifier: Apache-2.0
"""How objects look in notebooks: small tables in the colours of the page, light or dark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

_LINE = "1px solid rgba(128,128,128,.35)"
_CELL = "padding:2px 12px 2px 0;text-align:left;vertical-align:top;background:none;color:inherit;border:none"
_ROW = '<tr style="background:none">'
_FAINT = f"{_CELL};opacity:.7;font-weight:normal;white-space:nowrap"
_BAR = "display:inline-block;height:.7em;background:rgba(0,114,178,.75)"
_BAR_PIXELS = 160


def card(title: str, facts: Mapping[str, str], more: str = "") -> str:
    """Return a titled box of names and what they are; `more` is HTML below them, all else is escaped."""
    rows = "".join(
        f'{_ROW}<th style="{_FAINT}">{escape(name)}</th><td style="{_CELL}">{escape(text)}</td></tr>'
        for name, text in facts.items()
    )
    return (
        f'<div style="display:inline-block;border:{_LINE};border-radius:6px;padding:8px 14px;color:inherit">'
        f'<div style="font-weight:600;padding-bottom:4px">{escape(title)}</div>'
        f'<table style="border-collapse:collapse;margin:0;color:inherit">{rows}</table>{more}</div>'
    )


def bars(title: str, values: Sequence[tuple[str, float]]) -> str:
    """Return bars of values, none of them negative. The largest value has full length."""
    largest = max((value for _, value in values), default=0.0) or 1.0
    shown = shorten_all(name for name, _ in values)
    rows = "".join(
        f'{_ROW}<td style="{_FAINT}"{_hint(name, short)}>{escape(short)}</td><td style="{_CELL}">'
        f'<span style="{_BAR};width:{round(_BAR_PIXELS * value / largest)}px"></span> {_short(value)}</td></tr>'
        for (name, value), short in zip(values, shown, strict=True)
    )
    return _folded(title, rows)


def listing(title: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return names and texts, folded up."""
    shown = shorten_all(name for name, _ in pairs)
    rows = "".join(
        f'{_ROW}<td style="{_CELL}"{_hint(name, short)}>{escape(short)}</td>'
        f'<td style="{_FAINT}">{escape(text)}</td></tr>'
        for (name, text), short in zip(pairs, shown, strict=True)
    )
    return _folded(title, rows)


def shorten(text: str, most: int = 40) -> str:
    """Cut a long text in its middle, where names of columns differ least."""
    if len(text) <= most:
        return text
    head = (most - 1) * 2 // 3
    return f"{text[:head]}\N{HORIZONTAL ELLIPSIS}{text[len(text) - (most - 1 - head) :]}"


def shorten_all(texts: Iterable[str], most: int = 40) -> list[str]:
    """Cut long texts in their middle, but less where needed, so that different texts still differ."""
    texts = list(texts)
    room = dict.fromkeys(texts, most)
    cut = {text: shorten(text, most) for text in room}
    while len(uses := Counter(cut.values())) < len(cut):
        for text in [text for text, short in cut.items() if uses[short] > 1]:
            room[text] += 2
            cut[text] = shorten(text, room[text])
    return [cut[text] for text in texts]


def _hint(name: str, short: str) -> str:
    """Return the attribute that shows the whole name under the pointer, if it was cut."""
    return "" if short == name else f' title="{escape(name)}"'


def _short(value: float) -> str:
    return f"{value:,.0f}" if 1000 <= value < 1e9 else f"{value:.3g}"


def _folded(title: str, rows: str) -> str:
    table = f'<table style="border-collapse:collapse;margin:0;color:inherit">{rows}</table>'
    return (
        f'<details style="padding-top:4px"><summary style="cursor:pointer">{escape(title)}</summary>{table}</details>'
    )
