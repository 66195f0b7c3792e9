"""What one turn does in a process of its own."""

from __future__ import annotations

import contextlib
import functools
import math
import operator
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import memory
from .peers import Explainer, UnsupportedError
from .scores import loss, scores_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .data import Part
    from .peers import Fitted, Peer
    from .suite import Case

WARM_UP_ROWS = 1000
SPLITS = 8
INTERACTION_ROWS = 500
SERVED_ROWS = (1, 10, 100)
MOST_CALLS = 2000
LONGEST_SERIES = 1.0  # seconds
NANOSECONDS = 1e9
MICROSECONDS = 1e6
KILOBYTE = 1024.0
SECONDS = operator.attrgetter("seconds")


def fit(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """Train: time, peak memory above the input, size of the model, loss on held-out rows."""
    return _fit(peer, case, _warmed_up(peer, case, threads), threads)


def fit_and_start(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """The same, and the time from the features to the end of the first round."""
    part = _warmed_up(peer, case, threads)
    figures = _fit(peer, case, part, threads)
    starts = [peer.fit(part, case.params, 1, threads) for _ in range(case.repeats)]
    return {**figures, "first_seconds": min(map(SECONDS, starts))}


def busy_fit(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """Train while a process beside keeps each core busy."""
    beside = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        return {"seconds": _best_fit(peer, case, _warmed_up(peer, case, threads), threads)[0].seconds}
    finally:
        for process in beside:
            process.kill()


def matrix(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """Construct the matrix, and train only as far as libraries need it."""
    return _best_fit(peer, case, _warmed_up(peer, case, threads), threads)[1]


def explain(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """Train untimed; what each feature adds to the held-out rows, and interactions of some of these rows."""
    if not isinstance(peer, Explainer):
        raise UnsupportedError("has no contributions")
    _limit_cores(threads)
    fitted = peer.fit(peer.prepare(case.data.load("train")), case.params, case.rounds, threads)
    rows = peer.prepare(case.data.load("test")).features
    figures = {}
    for kind, features in (("contributions", rows), ("interactions", rows[:INTERACTION_ROWS])):
        with contextlib.suppress(UnsupportedError):
            figures[kind] = _seconds(
                functools.partial(peer.explain, fitted.model, features, kind, threads), case.repeats
            )
    return figures


def _seconds(call: Callable[[], Any], repeats: int) -> float:
    best = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def quality(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """Train on several splits: every score on the held-out rows of each."""
    figures = {}
    for split in range(SPLITS):
        data = case.data.split(split)
        fitted = peer.fit(peer.prepare(data.load("train")), case.params, case.rounds, threads)
        test = peer.prepare(data.load("test"))
        predictions = np.asarray(peer.predict(fitted.model, test.features), dtype=np.float64)
        for score in scores_of(case.params["objective"]):
            figures[f"{score.name}/{split}"] = score.compute(test, predictions, case.params)
    return figures


def serve(peer: Peer, case: Case, threads: int) -> dict[str, float]:
    """Train, then predict all held-out rows at once, and few of them again and again: the best call of each."""
    _limit_cores(threads)
    model = peer.fit(peer.prepare(case.data.load("train")), case.params, case.rounds, threads).model
    features = peer.prepare(case.data.load("test")).features
    all_rows = _best_call(lambda: peer.serve(model, features, threads))
    figures = {"row_ns": all_rows / features.shape[0] * NANOSECONDS}
    for rows in SERVED_ROWS:
        few = np.ascontiguousarray(features[:rows])
        figures[f"us_{rows}"] = _best_call(lambda few=few: peer.serve(model, few, threads)) * MICROSECONDS  # type: ignore[misc]
    return figures


def _best_call(call: Callable[[], object]) -> float:
    call()  # layouts are made in the first
    best, begin = float("inf"), time.perf_counter()
    for _ in range(MOST_CALLS):
        start = time.perf_counter()
        call()
        end = time.perf_counter()
        best = min(best, end - start)
        if end - begin > LONGEST_SERIES:
            break
    return best


def _limit_cores(threads: int) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def _warmed_up(peer: Peer, case: Case, threads: int) -> Part:
    """The training rows, after the library has been imported and has started its threads."""
    _limit_cores(threads)
    part = peer.prepare(case.data.load("train"))
    peer.fit(part.head(WARM_UP_ROWS), case.params, 1, threads)
    return part


def _fit(peer: Peer, case: Case, part: Part, threads: int) -> dict[str, float]:
    fitted, figures = _best_fit(peer, case, part, threads)
    test = peer.prepare(case.data.load("test"))
    return {
        **figures,
        "seconds": fitted.seconds,
        "train_seconds": fitted.train_seconds,
        "model_kb": peer.size(fitted.model) / KILOBYTE,
        "loss": loss(test, peer.predict(fitted.model, test.features), case.params),
    }


def _best_fit(peer: Peer, case: Case, part: Part, threads: int) -> tuple[Fitted, dict[str, float]]:
    before = memory.start_watching()
    fits = [peer.fit(part, case.params, case.rounds, threads)]
    figures = {"peak_mb": memory.peak() - before}
    fits += [peer.fit(part, case.params, case.rounds, threads) for _ in range(case.repeats - 1)]
    fitted = min(fits, key=SECONDS)
    return fitted, {**figures, **_matrix_figures(fitted, part)}


def _matrix_figures(fitted: Fitted, part: Part) -> dict[str, float]:
    if fitted.matrix_seconds is None:
        return {}
    return {
        "matrix_seconds": fitted.matrix_seconds,
        "matrix_ns": fitted.matrix_seconds / max(part.cells(), 1) * NANOSECONDS,
    }
