"""Runs a suite in interleaved turns, prints a Markdown table and writes every figure as JSON."""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from pathlib import Path

from . import report, suite


def main() -> None:
    arguments = _parse()
    chosen = suite.load(arguments.suite)
    cases = [case for case in chosen.cases if not arguments.case or case.name in arguments.case]
    turns: report.Turns = {}
    for case in cases:
        case.data.prepare()
        for threads in arguments.threads:
            for _ in range(arguments.turns):
                for peer in chosen.peers:  # in turns: what slows the machine for a while slows all of them
                    figures = _run(arguments.suite, case.name, peer.name, threads)
                    turns.setdefault((case.name, threads, peer.name), []).append(figures)
    about = {
        "suite": arguments.suite,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "machine": report.machine(),
        "versions": {peer.name: peer.version() for peer in chosen.peers},
        "params": {case.name: {**case.params, "rounds": case.rounds} for case in cases},
    }
    results = [{"case": case, "threads": n, "peer": peer, "turns": all_} for (case, n, peer), all_ in turns.items()]
    path = Path(arguments.json or f"build/bench/{arguments.suite}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**about, "results": results}, indent=1) + "\n")
    print(f"{chosen.title}\n\n{report.markdown(chosen, turns)}\n")
    print(f"{about['date']}, {about['machine']}, {about['versions']}, best of {arguments.turns}")


def _run(*arguments: str | int) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.compare.worker", *map(str, arguments)]
    print("…", *arguments, file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  # our own
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _parse() -> argparse.Namespace:
    names = sorted(path.stem for path in (Path(__file__).parent / "suites").glob("[!_]*.py"))
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    parser.add_argument("suite", choices=names)
    parser.add_argument("--case", action="append", help="only this case; may be repeated")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--json", help="where the figures go; build/bench/<suite>.json by default")
    return parser.parse_args()


if __name__ == "__main__":
    main()
