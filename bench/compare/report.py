"""The Markdown tables of a run and the record of the machine that made it."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .suite import Measure, Suite, Turns

HALF = 2.0  # times less
HEADS = {"ratio": "best peer / ours", "percent": "ours above best peer"}


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


def markdown(suite: Suite, turns: Turns, left_out: dict[tuple[str, str], str]) -> str:
    """The suite's own table, or one per measure and one of the gain by threads; and who was left out."""
    parts = []
    for measure in suite.measures:
        parts += [measure.title, measure_table(suite, measure, turns), summary(suite, measure, turns)]
    if suite.table is not None:
        parts.append(suite.table(suite, turns))
    elif len({threads for _, threads, _ in turns}) > 1:
        title = f"{suite.measures[0].title}: how many times less with more threads"
        parts.append(f"{title}\n\n{threads_table(suite, suite.measures[0], turns)}")
    cases: dict[tuple[str, str], list[str]] = {}
    for (case, peer), reason in left_out.items():
        cases.setdefault((peer, reason), []).append(case)
    parts += ["\n".join(f"- {', '.join(names)}, without {peer}: {reason}" for (peer, reason), names in cases.items())]
    return "\n\n".join(part for part in parts if part)


def measure_table(suite: Suite, measure: Measure, turns: Turns) -> str:
    """One row per case and number of threads, the best turn in each cell, the best peer in bold."""
    names = [peer.name for peer in suite.peers]
    rows = [["data", "threads", *names, HEADS[measure.compare]]]
    for contest in contests(suite, measure, turns):
        marked = [name != suite.ours and contest.best[name] == contest.goal for name in names]
        cells = [_cell(measure, contest.best[name], mark) for name, mark in zip(names, marked, strict=True)]
        rows.append([contest.case, contest.threads, *cells, _compared(measure, contest.quotient)])
    return table(rows if suite.ours in names else [row[:-1] for row in rows])


def summary(suite: Suite, measure: Measure, turns: Turns) -> str:
    """One line per number of threads: the mean over the cases, the worst one, and where ours needs half at most."""
    quotients: dict[str, dict[str, float]] = {}
    for contest in contests(suite, measure, turns):
        if contest.quotient is not None:
            quotients.setdefault(contest.threads, {})[contest.case] = contest.quotient
    lines = [
        f"- threads {threads}: {_summed_up(measure, all_)}" for threads, all_ in quotients.items() if len(all_) > 1
    ]
    return "\n".join(lines)


def _summed_up(measure: Measure, quotients: dict[str, float]) -> str:
    mean = _compared(measure, statistics.geometric_mean(quotients.values()))
    worst = min(quotients, key=quotients.__getitem__)
    parts = [
        f"{HEADS[measure.compare]} {mean} in the geometric mean of {len(quotients)}",
        f"{_compared(measure, quotients[worst])} at worst ({worst})",
    ]
    if measure.compare == "ratio":
        parts.append(f"{HALF:g}x or more in {sum(one >= HALF for one in quotients.values())}")
    return ", ".join(parts)


@dataclass(frozen=True)
class Contest:
    """One case: the best turn of each library, None if it has none."""

    case: str
    threads: str
    best: dict[str, float | None]
    goal: float | None  # of the best peer
    quotient: float | None  # how many times less ours is than that


def contests(suite: Suite, measure: Measure, turns: Turns) -> list[Contest]:
    """One per case and number of threads, where that makes a difference."""
    if not measure.by_threads:
        turns = _pooled(turns)
    found = []
    for case, threads in dict.fromkeys((case, threads) for case, threads, _ in turns):
        best = {peer.name: _best(turns, (case, threads, peer.name), measure) for peer in suite.peers}
        goal = _least(value for name, value in best.items() if name != suite.ours)
        ours = best.get(suite.ours)
        found.append(Contest(case, str(threads or "any"), best, goal, goal / ours if goal and ours else None))
    return found


def _pooled(turns: Turns) -> Turns:
    pooled: Turns = {}
    for (case, _, peer), all_ in turns.items():
        pooled.setdefault((case, 0, peer), []).extend(all_)
    return pooled


def threads_table(suite: Suite, measure: Measure, turns: Turns) -> str:
    """One row per case: what the fewest threads need, as a multiple of what the most need."""
    names = [peer.name for peer in suite.peers]
    counts = sorted({threads for _, threads, _ in turns})
    rows = [["data", "threads", *names]]
    for case in dict.fromkeys(case for case, _, _ in turns):
        pairs = [[_best(turns, (case, n, name), measure) for n in (counts[0], counts[-1])] for name in names]
        rows.append([case, f"{counts[0]} to {counts[-1]}", *(_quotient(*pair) for pair in pairs)])
    return table(rows)


def _cell(measure: Measure, value: float | None, marked: bool) -> str:
    if value is None:
        return ""
    text = format(value, measure.form)
    return f"**{text}**" if marked else text


def _compared(measure: Measure, quotient: float | None) -> str:
    if quotient is None:
        return ""
    return f"{quotient:.2f}x" if measure.compare == "ratio" else f"{100 * (1 / quotient - 1):+.2f} %"


def _quotient(more: float | None, less: float | None) -> str:
    return f"{more / less:.2f}x" if more is not None and less is not None and less > 0 else ""


def _best(turns: Turns, key: tuple[str, int, str], measure: Measure) -> float | None:
    return _least(turn.get(measure.key) for turn in turns.get(key, []))


def _least(values: Iterable[float | None]) -> float | None:
    return min((value for value in values if value is not None), default=None)


def table(rows: list[list[str]]) -> str:
    """Markdown, the first row as its head."""
    rule = ["---", *["---:"] * (len(rows[0]) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []
