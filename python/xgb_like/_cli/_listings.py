# SPDX-License-Identifier: Apache-2.0
"""``xgb-like params``, ``objectives``, ``metrics`` and ``version``."""

import argparse
import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from .. import _core
from .._base._exceptions import ParameterError

_WIDTH = 80
_LONG = 1e15  # from here on digits are hard to count
_GROUPS = {
    "general": "General",
    "learner": "Learning task",
    "boosting": "Boosting",
    "tree": "Trees",
    "booster": "Kinds of boosters",
    "objective": "Objectives' own",
}


def add_to(commands: Any) -> None:
    for kind, text in (("params", "parameters, objectives and metrics"), *zip(_PLUG_INS, _PLUG_INS, strict=True)):
        listing = commands.add_parser(kind, help=f"list all {text}")
        listing.add_argument("names", nargs="*", metavar="NAME", help=f"only these {text.partition(',')[0]}")
        listing.add_argument("--json", action="store_true", help="as JSON")
        listing.set_defaults(run=_list_plug_ins if kind in _PLUG_INS else _params, kind=kind)

    version = commands.add_parser("version", help="tell the version and how it was built")
    version.set_defaults(run=_version)


def _version(args: argparse.Namespace) -> None:  # noqa: ARG001
    print(f"xgb-like {_core.__version__}")
    for name, value in _core.build_info().items():
        if name != "version":
            shown = ", ".join(str(item) for item in value) if isinstance(value, list) else value
            print(f"  {name:<14} {shown}")


def _params(args: argparse.Namespace) -> None:
    specs = _chosen(_core.param_specs(), args.names)
    if args.json:
        listing: dict[str, Any] = {"parameters": specs}
        if not args.names:
            listing |= {kind: _plug_ins(kind) for kind in _PLUG_INS}
            listing["without_effect"] = _core.inert_params()
        print(json.dumps(listing, indent=2, ensure_ascii=False))
        return
    for title, members in by_group(specs):
        print(f"{title}\n{'=' * len(title)}")
        for spec in members:
            facts = f"{allowed(spec)}; default {spec['default'] or 'none'}"
            print(f"{', '.join([spec['name'], *spec['aliases']])}\n{_indented(facts)}\n{_indented(spec['doc'])}\n")
    for kind in _PLUG_INS if not args.names else ():
        print(f"{kind.capitalize()}\n{'=' * len(kind)}")
        _print_plug_ins(_plug_ins(kind))
        print()


def _chosen(specs: list[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    if not names:
        return specs
    found = {name: spec for spec in specs for name in (spec["name"], *spec["aliases"])}
    for name in names:
        if name not in found:
            _core.Booster().set_params([(name, "")])  # says that there is none, and which is meant
            print(f"{name}: has no effect, {_core.inert_params().get(name, '')}")
    return [spec for spec in specs if any(found.get(name) is spec for name in names)]


def by_group(specs: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the title of each group of parameters, and those of them that are in it."""
    for group in dict.fromkeys([*_GROUPS, *(spec["group"] for spec in specs)]):
        members = [spec for spec in specs if spec["group"] == group]
        if members:
            yield _GROUPS.get(group, group.capitalize()), members


def allowed(spec: dict[str, Any], quote: str = "") -> str:
    """Return which values a parameter takes."""
    if spec["choices"]:
        return "one of " + ", ".join(f"{quote}{choice}{quote}" for choice in spec["choices"])
    text: str = spec["type"]
    low, high = spec["low"], spec["high"]
    if low is not None:
        text += f" {'>' if spec['low_open'] else '>='} {_plain(low)}"
    if high is not None:
        text += f"{' and' if low is not None else ''} <= {_plain(high)}"
    return text


def _plain(value: float) -> str:
    whole = float(value).is_integer() and abs(value) < _LONG
    return f"{value:.0f}" if whole else f"{value:g}".replace("e+", "e")


_PLUG_INS = {"objectives": _core.objectives, "metrics": _core.metrics}
_SHOWN = ("name", "aliases", "doc", "maximize")


def _plug_ins(kind: str) -> list[dict[str, Any]]:
    return [{fact: row[fact] for fact in _SHOWN if fact in row} for row in _PLUG_INS[kind]().values()]


def _list_plug_ins(args: argparse.Namespace) -> None:
    rows = _plug_ins(args.kind)
    if args.names:
        found = {name: row for row in rows for name in (row["name"], *row["aliases"])}
        unknown = [name for name in args.names if name not in found]
        if unknown:
            raise ParameterError(f"There are no {args.kind} named {', '.join(unknown)}. Known: {', '.join(found)}.")
        rows = [row for row in rows if any(found[name] is row for name in args.names)]
    if args.json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        _print_plug_ins(rows)


def _print_plug_ins(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        doc = row["doc"] + (" More is better." if row.get("maximize") else "")
        print(f"{', '.join([row['name'], *row['aliases']])}\n{_indented(doc)}")


def _indented(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")
