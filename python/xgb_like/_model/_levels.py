# SPDX-License-Identifier: Apache-2.0
"""The levels of models that predict several quantiles or expectiles."""

from __future__ import annotations

import json

import numpy as np

from .. import _core

_PARAMS = {"reg:quantileerror": "quantile_alpha", "reg:expectileerror": "expectile_alpha"}


def has_levels(objective: str) -> bool:
    """Return whether an objective is about levels."""
    return objective in _PARAMS


def levels_of(model: _core.Booster) -> list[float]:
    """Return the levels of a model's objective; one that is 0 if it has none."""
    given = model.params()["objective"].get(_PARAMS.get(model.objective(), ""), "0")
    found: list[float] = np.atleast_1d(json.loads(given)).tolist()
    return found


def name_of_level(model: _core.Booster, output: int) -> str | None:
    """Return what an output of a model of levels is, such as "quantile 0.05"; None if the model has no levels."""
    if not has_levels(model.objective()):
        return None
    levels = levels_of(model)
    kind = "quantile" if model.objective() == "reg:quantileerror" else "expectile"
    target = f" of target {output // len(levels)}" if model.num_outputs() > len(levels) else ""
    return f"{kind} {levels[output % len(levels)]:g}{target}"
