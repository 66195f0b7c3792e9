# SPDX-License-Identifier: Apache-2.0
"""``xgb-like convert``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._booster import Booster
from .._exceptions import ParameterError
from ._arguments import command
from ._models import size_of

_TEXT = """\
Write a model in another format.

The endings of the names tell which: .json and .ubj, both in XGBoost's schema. UBJSON is the smaller
and the faster to load; JSON can be read by people. Nothing is lost on the way.
"""
_EXAMPLES = """\
  xgb-like convert model.json model.ubj
  xgb-like convert model.ubj model.json
"""


def _save(model: Booster, path: Path) -> None:
    model.save_model(path)


_WRITERS: dict[str, Callable[[Booster, Path], None]] = {".json": _save, ".ubj": _save}


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = command(commands, "convert", _TEXT, _EXAMPLES, run)
    parser.add_argument("model", metavar="MODEL", help="the file to read")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write")


def run(args: argparse.Namespace) -> None:
    """Read and write."""
    path = Path(args.output).expanduser()
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise ParameterError(f"OUTPUT must end in {' or '.join(_WRITERS)}; got {args.output!r}.")
    model = Booster(model_file=Path(args.model).expanduser())
    write(model, path)
    print(f"saved {args.output} ({model.num_boosted_rounds()} rounds, {size_of(path)})")
