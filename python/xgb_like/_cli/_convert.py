# SPDX-License-Identifier: Apache-2.0
"""``xgb-like convert``."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._base._exceptions import ParameterError
from .._export._c import to_c
from .._export._onnx import to_onnx
from .._model._booster import Booster
from ._arguments import command, size_of

_TEXT = """\
Write a model in another format.

Models of this package and of XGBoost (JSON, UBJSON) and of LightGBM (text) are read. The ending of
OUTPUT tells what is written, unless --to does:

  json  XGBoost's schema, which people can read
  ubj   the same as UBJSON, smaller and faster to load
  c     a C file of its own, with a function that predicts one row
  onnx  a graph for ONNX runtimes; needs the package onnx

Nothing is lost between json and ubj; c and onnx only predict, with the rounds up to the best.
"""
_EXAMPLES = """\
  xgb-like convert model.json model.ubj
  xgb-like convert lightgbm.txt model.json
  xgb-like convert model.ubj model.c
  xgb-like convert --to onnx model.ubj model.bin
"""


_CONTENTS: dict[str, Callable[[Booster], bytes | bytearray]] = {
    "json": lambda model: model.save_raw("json"),
    "ubj": lambda model: model.save_raw("ubj"),
    "c": lambda model: to_c(model).encode(),
    "onnx": lambda model: to_onnx(model).SerializeToString(),
}


def add_to(commands: Any) -> None:
    parser = command(commands, "convert", _TEXT, _EXAMPLES, run)
    add = parser.add_argument
    add("--to", choices=list(_CONTENTS), help="the format to write, if the name of OUTPUT does not tell")
    add("model", metavar="MODEL", help="the file to read")
    add("output", metavar="OUTPUT", help="the file to write")


def run(args: argparse.Namespace) -> None:
    path = Path(args.output).expanduser()
    content_of = _CONTENTS.get(args.to or path.suffix[1:].lower())
    if content_of is None:
        endings = ", ".join(f".{name}" for name in _CONTENTS)
        raise ParameterError(f"OUTPUT must end in one of {endings}, or --to be given; got {args.output!r}.")
    model = Booster(model_file=Path(args.model).expanduser())
    path.write_bytes(content_of(model))
    print(f"saved {args.output} ({model.num_boosted_rounds()} rounds, {size_of(path)})")
