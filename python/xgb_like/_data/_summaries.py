# SPDX-License-Identifier: Apache-2.0
"""How a model and a matrix describe themselves, in one line and in a notebook."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np

from .. import _core
from .._base._typing import Floats

# How objects look in notebooks: small tables in the colours of the page, light or dark.

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
    cells = [
        f'<span style="{_BAR};width:{round(_BAR_PIXELS * value / largest)}px"></span> '
        + (f"{value:,.0f}" if 1000 <= value < 1e9 else f"{value:.3g}")
        for _, value in values
    ]
    return _folded(title, [name for name, _ in values], cells, (_FAINT, _CELL))


def listing(title: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return names and texts, folded up."""
    return _folded(title, [name for name, _ in pairs], [escape(text) for _, text in pairs], (_CELL, _FAINT))


def _folded(title: str, names: Sequence[str], cells: Sequence[str], styles: tuple[str, str]) -> str:
    """Return rows of a name and HTML, folded up; of a name that is cut, the whole is shown under the pointer."""
    rows = "".join(
        f'{_ROW}<td style="{styles[0]}"' + ("" if short == name else f' title="{escape(name)}"') + f">{escape(short)}"
        f'</td><td style="{styles[1]}">{cell}</td></tr>'
        for name, short, cell in zip(names, shorten_all(names), cells, strict=True)
    )
    table = f'<table style="border-collapse:collapse;margin:0;color:inherit">{rows}</table>'
    return (
        f'<details style="padding-top:4px"><summary style="cursor:pointer">{escape(title)}</summary>{table}</details>'
    )


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


_FEATURES, _LISTED, _NAMED = 8, 100, 6
_FEW_VALUES = 10


def booster_line(model: _core.Booster) -> str:
    """Return what a model is in a few words."""
    rounds, trees = model.num_boosted_rounds(), 0 if model.is_linear() else model.num_trees()
    parts = [model.objective()]
    if model.is_linear():
        parts.append("linear")
    parts.append(f"{rounds} rounds" + (f" of {trees // rounds} trees" if rounds and trees > rounds else ""))
    parts.append(f"{model.num_features()} features")
    best = model.attributes().get("best_iteration")
    return ", ".join([*parts, f"best round {best}"] if best is not None else parts)


def booster_html(model: _core.Booster, scores: Sequence[tuple[str, float]]) -> str:
    """Return a model's box for a notebook; `scores` are the importances of its features, the largest first."""
    attributes = model.attributes()
    trees = "" if model.is_linear() else f", {model.num_trees():,} trees"
    names = [shorten(name) for name in model.feature_names[:_NAMED]]
    more = ", \N{HORIZONTAL ELLIPSIS}" if len(model.feature_names) > _NAMED else ""
    facts = {
        "objective": model.objective(),
        "booster": model.params()["learner"].get("booster", "gblinear" if model.is_linear() else "gbtree"),
        "rounds": f"{model.num_boosted_rounds():,}{trees}",
        "features": f"{model.num_features():,}" + (f": {', '.join(names)}{more}" if names else ""),
    }
    if model.num_outputs() > 1:
        facts["outputs"] = str(model.num_outputs())
    if "best_iteration" in attributes:
        facts["best round"] = (
            f"{attributes['best_iteration']} (score {_score(attributes.get('best_score', 'unknown'))})"
        )
    shown = scores[:_FEATURES]
    more = bars(f"importance (total gain), {len(shown)} of {len(scores)} used features", shown) if shown else ""
    return card("xgb_like.Booster", facts, more)


def matrix_line(matrix: _core.DMatrix) -> str:
    """Return what a matrix is in a few words."""
    own = [name for name in ("label", "weight", "base_margin") if matrix.get_float_info(name).size]
    groups = max(len(matrix.get_group_ptr()) - 1, 0)
    parts = [f"{matrix.num_row()} rows, {matrix.num_col()} columns", *([f"with {', '.join(own)}"] if own else [])]
    return ", ".join([*parts, f"{groups} queries"] if groups else parts)


def matrix_html(matrix: _core.DMatrix, title: str) -> str:
    """Return a matrix's box for a notebook."""
    cells = matrix.num_row() * matrix.num_col()
    missing = f"{100 * (1 - matrix.num_nonmissing() / cells):.1f} % of {cells:,}" if cells else "none"
    facts = {"rows": f"{matrix.num_row():,}", "columns": f"{matrix.num_col():,}", "missing cells": missing}
    for name in ("label", "weight", "base_margin", "label_lower_bound", "label_upper_bound"):
        values = matrix.get_float_info(name)
        if values.size:
            facts[name.replace("_", " ")] = _described(values)
    groups = max(len(matrix.get_group_ptr()) - 1, 0)
    if groups:
        facts["queries"] = f"{groups:,}"
    if matrix.quantised_with():
        facts["bins"] = f"at most {matrix.quantised_with()} a column"
    names = matrix.feature_names
    types = matrix.feature_types or [""] * len(names)
    more = listing(f"{len(names):,} named columns", list(zip(names, types, strict=True))[:_LISTED]) if names else ""
    return card(title, facts, more)


def _described(values: Floats) -> str:
    shape = f", {values.shape[1]} columns" if values.ndim > 1 and values.shape[1] > 1 else ""
    different = np.unique(values[: _LISTED * _LISTED])
    counts = [np.count_nonzero(values == value) for value in different[: _FEW_VALUES + 1]]
    if len(different) <= _FEW_VALUES and sum(counts) == values.size:
        return ", ".join(f"{value:g} ({count:,})" for value, count in zip(different, counts, strict=True)) + shape
    return f"{np.min(values):g} to {np.max(values):g}, {np.mean(values, dtype=np.float64):g} on average{shape}"


def _score(text: str) -> str:
    """Return a score with the digits that a reader needs; programs may have stored anything."""
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text
