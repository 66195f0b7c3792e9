"""Runs a suite in interleaved turns, prints Markdown tables and writes every figure as JSON."""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from pathlib import Path
from typing import Any

from . import report, suite
from .peers import Peer, UnsupportedError
from .runner import Run


def main() -> None:
    arguments = _parse()
    chosen = suite.load(arguments.suite).narrowed(arguments.case, arguments.peer, arguments.scale)
    threads = arguments.threads or list(chosen.threads)
    turns = arguments.turns or chosen.number_of_turns
    run = Run(arguments.suite, chosen, arguments.scale)
    about = _about(run)
    path = Path(arguments.json or f"build/bench/{arguments.suite}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    for case in chosen.cases:
        run.measure(case, threads, turns)
        path.write_text(json.dumps({**about, **_results(run)}, indent=1) + "\n")  # what is there, should the next fail
    print(f"{chosen.title}\n\n{report.markdown(chosen, run.turns, run.left_out)}\n")
    scale = f", {arguments.scale:g} of the rows" if arguments.scale != 1.0 else ""
    print(f"{about['date']}, {about['machine']}, {about['versions']}, best of {turns}{scale}")
    if run.failures:
        sys.exit("\n".join(["Failed:", *run.failures]))


def _about(run: Run) -> dict[str, Any]:
    return {
        "suite": run.name,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "machine": report.machine(),
        "versions": {peer.name: _version(peer) for peer in run.suite.peers},
        "scale": run.scale,
        "params": {case.name: {**case.params, "rounds": case.rounds} for case in run.suite.cases},
    }


def _version(peer: Peer) -> str:
    try:
        return peer.version()
    except UnsupportedError as error:
        return str(error)


def _results(run: Run) -> dict[str, Any]:
    results = [{"case": case, "threads": n, "peer": peer, "turns": all_} for (case, n, peer), all_ in run.turns.items()]
    return {"results": results, "left_out": [[*key, reason] for key, reason in run.left_out.items()]}


def _parse() -> argparse.Namespace:
    names = sorted(path.stem for path in (Path(__file__).parent / "suites").glob("[!_]*.py"))
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    parser.add_argument("suite", choices=names, nargs="?")
    for name in names:
        parser.add_argument(f"--{name}", action="store_const", const=name, dest="suite_option", help=f"suite `{name}`")
    parser.add_argument("--case", action="append", help="only this case; may be repeated")
    parser.add_argument("--peer", action="append", help="only this library; may be repeated")
    parser.add_argument("--scale", type=float, default=1.0, help="this fraction of the rows, for a quick look")
    parser.add_argument("--threads", type=int, nargs="+", help="the suite's own by default")
    parser.add_argument("--turns", type=int, help="of each library; the suite's own number by default")
    parser.add_argument("--json", help="where the figures go; build/bench/<suite>.json by default")
    arguments = parser.parse_args()
    arguments.suite = arguments.suite_option or arguments.suite
    if arguments.suite is None:
        parser.error(f"name a suite: {', '.join(names)}")
    return arguments


if __name__ == "__main__":
    main()
