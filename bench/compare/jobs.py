"""What one turn does in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .data import Part

if TYPE_CHECKING:
    from .peers import Peer
    from .suite import Case

MEGABYTE = 1024.0  # in the kilobytes that the kernel counts


def fit(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """Train once: time, peak memory above the input, log loss on held-out rows."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    part = case.data.load("train")
    few = Part(part.features[:1000], part.labels[:1000])
    peer.fit(few, case.params, 1, threads)  # imports, and starts the threads
    before = _peak_memory()
    fitted = peer.fit(part, case.params, case.rounds, threads)
    peak = _peak_memory() - before
    test = case.data.load("test")
    return {
        "matrix_seconds": fitted.matrix_seconds,
        "train_seconds": fitted.train_seconds,
        "seconds": fitted.matrix_seconds + fitted.train_seconds,
        "peak_mb": peak / MEGABYTE,
        "log_loss": _log_loss(test.labels, peer.predict(fitted.model, test.features)),
    }


def _peak_memory() -> float:
    # Not ru_maxrss: that starts at what the parent process had when it forked.
    status = Path("/proc/self/status").read_text()
    return float(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


def _log_loss(labels: np.ndarray, predictions: np.ndarray) -> float:
    chance = np.clip(np.where(labels > 0, predictions, 1.0 - predictions), 1e-15, 1.0)
    return float(-np.log(chance.astype(np.float64)).mean())
