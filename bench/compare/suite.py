"""What a suite declares: cases, peers and measures. Each suite is one file in `suites/` with a `SUITE`."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .data import Source
from .peers import Peer

Turns = dict[tuple[str, int, str], list[dict[str, float]]]  # figures by case, threads, peer


@dataclass(frozen=True)
class Case:
    """One row of the table: data and the parameters that all peers get, named as in XGBoost."""

    name: str
    data: Source
    params: dict[str, Any]
    rounds: int
    repeats: int = 1  # fits per turn, for those that are too short to be timed once
    without: dict[str, str] = field(default_factory=dict)  # peers that are left out, and why


@dataclass(frozen=True)
class Measure:
    """One figure of a job; less is better. The best turn counts."""

    key: str
    title: str
    form: str = ".2f"
    compare: str = "ratio"  # how many times less than the best peer's ours is; `percent`: how much more
    by_threads: bool = True  # whether the number of threads makes a difference


@dataclass(frozen=True)
class Suite:
    """`job` runs once per turn, in a process of its own."""

    title: str
    cases: tuple[Case, ...]
    peers: tuple[Peer, ...]
    job: Callable[[Peer, Case, int], dict[str, float]]
    measures: tuple[Measure, ...]
    ours: str = "xgb_like"  # the peer that the others are compared with
    threads: tuple[int, ...] = (1, 2)
    number_of_turns: int = 3
    table: Callable[[Suite, Turns], str] | None = None  # in place of one per measure

    def case(self, name: str) -> Case:
        return next(case for case in self.cases if case.name == name)

    def peer(self, name: str) -> Peer:
        return next(peer for peer in self.peers if peer.name == name)

    def narrowed(self, cases: list[str] | None, peers: list[str] | None, scale: float) -> Suite:
        """The suite with these cases and peers only, None for all, and this fraction of the rows."""
        _check("case", [case.name for case in self.cases], cases or [])
        _check("peer", [peer.name for peer in self.peers], peers or [])
        return dataclasses.replace(
            self,
            cases=tuple(
                dataclasses.replace(case, data=case.data.scaled(scale) if scale != 1.0 else case.data)
                for case in self.cases
                if cases is None or case.name in cases
            ),
            peers=tuple(peer for peer in self.peers if peers is None or peer.name in peers),
        )


def _check(kind: str, known: list[str], given: list[str]) -> None:
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ValueError(f"No {kind} is called {', '.join(unknown)}; there are {', '.join(known)}")


def load(name: str) -> Suite:
    suite = importlib.import_module(f"{__package__}.suites.{name}").SUITE
    if not isinstance(suite, Suite):
        raise TypeError(f"suites/{name}.py must hold a Suite named SUITE")
    return suite
