"""Takes turns: every peer in a process of its own, one after the other, over and over."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

from .data import DataMissingError
from .suite import Case, Suite, Turns


@dataclass
class Run:
    """A suite being measured: the figures so far, who was left out of which case and why, and what went wrong."""

    name: str
    suite: Suite
    scale: float
    turns: Turns = field(default_factory=dict)
    left_out: dict[tuple[str, str], str] = field(default_factory=dict)  # by case and peer
    failures: list[str] = field(default_factory=list)

    def measure(self, case: Case, thread_counts: list[int], count: int) -> None:
        """Add `count` turns of every peer for every number of threads."""
        try:
            case.data.prepare()
        except DataMissingError as error:
            self.left_out[case.name, "everyone"] = str(error)
            return
        self.left_out.update({(case.name, peer): reason for peer, reason in case.without.items()})
        for threads in thread_counts:
            for _ in range(count):
                for peer in self.suite.peers:  # in turns: what slows the machine for a while slows all of them
                    if (case.name, peer.name) not in self.left_out:
                        self._turn(case.name, peer.name, threads)

    def _turn(self, case: str, peer: str, threads: int) -> None:
        figures = self._worker(case, peer, threads)
        reason = figures.pop("left_out", None)
        if reason is None:
            self.turns.setdefault((case, threads, peer), []).append(figures)
        else:
            self.left_out[case, peer] = reason

    def _worker(self, case: str, peer: str, threads: int) -> dict[str, Any]:
        arguments = [self.name, case, peer, str(threads), str(self.scale)]
        print("…", *arguments, file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "bench.compare.worker", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own
        if done.returncode == 0:
            figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
            return figures
        print(done.stderr, file=sys.stderr, flush=True)
        reason = (done.stderr.splitlines() or [f"exit status {done.returncode}"])[-1]
        self.failures.append(f"{case}, {peer}: {reason}")
        return {"left_out": f"failed: {reason}"}
