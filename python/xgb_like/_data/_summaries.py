# SPDX-License-Identifier: Apache-2.0
"""How a model and a matrix describe themselves, in one line and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import _core
from .._base._html import bars, card, listing, shorten
from .._base._typing import Floats

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
    facts = {
        "objective": model.objective(),
        "booster": model.params()["learner"].get("booster", "gblinear" if model.is_linear() else "gbtree"),
        "rounds": f"{model.num_boosted_rounds():,}{trees}",
        "features": f"{model.num_features():,}{_names(model.feature_names)}",
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


def _names(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = ", \N{HORIZONTAL ELLIPSIS}" if len(names) > _NAMED else ""
    return f": {', '.join(map(shorten, names[:_NAMED]))}{more}"
