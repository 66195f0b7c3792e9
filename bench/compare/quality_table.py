"""The table of held-out qualities side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .report import table
from .scores import scores_of
from .suite import Suite, Turns

REFERENCE = "xgboost"
TOLERANCE = 0.5  # percent

Array = npt.NDArray[Any]


def quality_table(suite: Suite, turns: Turns) -> str:
    """One row per case and score: every library's mean over the splits, and by how much ours is better than XGBoost's.

    That is below 0 if ours is worse, in bold by more than the tolerance. The last column is the standard error of it:
    libraries get the same splits, and their differences vary from split to split.
    """
    names = [peer.name for peer in suite.peers]
    rows = [["data", "objective", "score", *names, f"ours better than {REFERENCE} by", "standard error"]]
    for case in suite.cases:
        figures = {peer: all_[0] for (name, _, peer), all_ in turns.items() if name == case.name}
        for score in scores_of(case.params["objective"]):
            values = {name: _splits_of(score.name, found) for name, found in figures.items()}
            cells = [f"{values[name].mean():.5g}" if name in values else "" for name in names]
            gains = _gains(values.get(suite.ours), values.get(REFERENCE), score.higher_is_better)
            rows.append([case.name.split("/")[0], case.params["objective"], score.name, *cells, *_cells(gains)])
    return table(rows)


def _splits_of(score: str, figures: dict[str, float]) -> Array:
    return np.array([value for key, value in figures.items() if key.rpartition("/")[0] == score])


def _gains(ours: Array | None, theirs: Array | None, higher_is_better: bool) -> Array:
    """In percent of XGBoost's mean, by split."""
    if ours is None or theirs is None:
        return np.array([])
    gains = 100.0 * (ours - theirs) / max(abs(float(theirs.mean())), float(np.finfo(float).tiny))
    return gains if higher_is_better else -gains


def _cells(gains: Array) -> tuple[str, str]:
    if len(gains) == 0:
        return "", ""
    text = f"{gains.mean():+.2f} %"
    error = f"{gains.std(ddof=1) / np.sqrt(len(gains)):.2f} %" if len(gains) > 1 else ""
    return (f"**{text}**" if gains.mean() < -TOLERANCE else text), error
