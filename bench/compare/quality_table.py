"""The table of held-out qualities side by side."""

from __future__ import annotations

import numpy as np

from .report import table
from .scores import scores_of
from .suite import Suite, Turns

REFERENCE = "xgboost"
TOLERANCE = 0.5  # percent


def quality_table(suite: Suite, turns: Turns) -> str:
    """One row per case and score: every library's, and by how much ours is better than XGBoost's, below 0 if worse.

    The last column marks cases that are worse by more than the tolerance.
    """
    names = [peer.name for peer in suite.peers]
    rows = [["data", "objective", "score", *names, f"ours better than {REFERENCE} by"]]
    for case in suite.cases:
        figures = {peer: all_[0] for (name, _, peer), all_ in turns.items() if name == case.name}
        for score in scores_of(case.params["objective"]):
            values = {name: found[score.name] for name, found in figures.items()}
            cells = [f"{values[name]:.5g}" if name in values else "" for name in names]
            gain = _gain(values.get(suite.ours), values.get(REFERENCE), score.higher_is_better)
            rows.append([case.name.split("/")[0], case.params["objective"], score.name, *cells, gain])
    return table(rows)


def _gain(ours: float | None, theirs: float | None, higher_is_better: bool) -> str:
    if ours is None or theirs is None:
        return ""
    percent = 100.0 * (ours - theirs) / max(abs(theirs), float(np.finfo(float).tiny))
    percent = percent if higher_is_better else -percent
    text = f"{percent:+.2f} %"
    return f"**{text}**" if percent < -TOLERANCE else text
