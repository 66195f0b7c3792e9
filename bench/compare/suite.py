"""What a suite declares: cases, peers and measures. Each suite is one file in `suites/` with a `SUITE`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .data import Recipe
from .peers import Peer


@dataclass(frozen=True)
class Case:
    """One row of the table: data and the parameters that all peers get."""

    name: str
    data: Recipe
    params: dict[str, Any]
    rounds: int


@dataclass(frozen=True)
class Measure:
    """One figure of a job; less is better. The best turn counts."""

    key: str
    title: str
    form: str = ".2f"
    ratio: bool = False  # also shown as a multiple of ours


@dataclass(frozen=True)
class Suite:
    """`job` runs once per turn, in a process of its own. The first peer is ours."""

    title: str
    cases: tuple[Case, ...]
    peers: tuple[Peer, ...]
    job: Callable[[Peer, Case, int], dict[str, float]]
    measures: tuple[Measure, ...]

    def case(self, name: str) -> Case:
        return next(case for case in self.cases if case.name == name)

    def peer(self, name: str) -> Peer:
        return next(peer for peer in self.peers if peer.name == name)


def load(name: str) -> Suite:
    suite = importlib.import_module(f"{__package__}.suites.{name}").SUITE
    if not isinstance(suite, Suite):
        raise TypeError(f"suites/{name}.py must hold a Suite named SUITE")
    return suite
