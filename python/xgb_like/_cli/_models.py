# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""Reading models, up to the round that early stopping found best."""

from __future__ import annotations

from pathlib import Path

from .._model._booster import Booster


def load_model(path: str, nthread: int = 0) -> Booster:
    """Return the model of a file; of one that stopped early only the rounds up to the best."""
    return up_to_best(Booster({"nthread": nthread}, model_file=Path(path).expanduser()))


def up_to_best(model: Booster) -> Booster:
    """Return the model of the rounds that count: up to the best, if training stopped early; all of a linear model."""
    rounds = model._best_rounds()
    return model[:rounds] if rounds else model


def size_of(path: Path) -> str:
    """Return a file's size for people."""
    size = path.stat().st_size
    return f"{size / 1024:.0f} KiB" if size < 2**20 else f"{size / 2**20:.1f} MiB"
