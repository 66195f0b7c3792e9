"""The Markdown table of a run and the record of the machine that made it."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .suite import Measure, Suite

Turns = dict[tuple[str, int, str], list[dict[str, float]]]  # by case, threads, peer


def machine() -> dict[str, Any]:
    """Processor, cores, memory, system."""
    model = next((line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "?")
    memory = next((line.split()[1] for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), "0")
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "memory_gb": round(int(memory) / 1024**2),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }


def markdown(suite: Suite, turns: Turns) -> str:
    """One row per case and number of threads, the best of all turns in each cell."""
    peers = [peer.name for peer in suite.peers]
    heads = ["data", "threads"]
    for measure in suite.measures:
        heads += [f"{measure.title}, {peer}" for peer in peers]
        heads += [f"{peer} / {peers[0]}" for peer in peers[1:]] if measure.ratio else []
    rows = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    for case, threads in dict.fromkeys((case, threads) for case, threads, _ in turns):
        best = [[_best(turns[case, threads, peer], measure) for peer in peers] for measure in suite.measures]
        cells = [cell for measure, values in zip(suite.measures, best, strict=True) for cell in _cells(measure, values)]
        rows.append([case, str(threads), *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cells(measure: Measure, values: list[float]) -> Iterator[str]:
    yield from (format(value, measure.form) for value in values)
    if measure.ratio:
        yield from (f"{value / values[0]:.2f}x" if values[0] > 0 else "" for value in values[1:])


def _best(turns: list[dict[str, float]], measure: Measure) -> float:
    return min(turn[measure.key] for turn in turns)


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []
