# SPDX-License-Identifier: Apache-2.0
"""Reading models, up to the round that early stopping found best."""

from __future__ import annotations

from pathlib import Path

from .._booster import Booster


def load_model(path: str, nthread: int = 0) -> Booster:
    """Return the model of a file; of one that stopped early only the rounds up to the best."""
    model = Booster({"nthread": nthread}, model_file=Path(path).expanduser())
    best, rounds = model.attr("best_iteration"), model.num_boosted_rounds()
    return model[: int(best) + 1] if best is not None and int(best) + 1 < rounds else model


def size_of(path: Path) -> str:
    """Return a file's size for people."""
    size = path.stat().st_size
    return f"{size / 1024:.0f} KiB" if size < 2**20 else f"{size / 2**20:.1f} MiB"
