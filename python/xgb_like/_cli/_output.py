# SPDX-License-Identifier: Apache-2.0
"""Writing tables, CSV to a file or the terminal, Parquet and Arrow by pyarrow; and bars of sizes for the terminal."""

import csv
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from .._base._exceptions import DataError
from .._base._libraries import require
from .._base._typing import EvalsLog
from .._model._booster import Booster
from .._training._callbacks import TrainingCallback
from ._sources import FORMATS

_BAR = 36
Columns = Mapping[str, "Sequence[Any] | np.ndarray[Any, Any]"]


def write_table(columns: Columns, output: str | None) -> None:
    """Write columns to a file of the kind that its name tells, or as CSV to the standard output."""
    if output is None:
        _write_csv(columns, sys.stdout, ",")
        return
    path = Path(output).expanduser()
    ending = path.suffix.lower()
    if ending in FORMATS["csv"]:
        with path.open("w", newline="", encoding="utf-8") as stream:
            _write_csv(columns, stream, "\t" if ending == ".tsv" else ",")
    elif ending in FORMATS["parquet"]:
        require("pyarrow.parquet", "Writing Parquet files").write_table(_arrow(columns), path)
    elif ending in FORMATS["arrow"]:
        require("pyarrow.feather", "Writing Arrow files").write_feather(
            _arrow(columns), path, compression="uncompressed"
        )
    else:
        raise DataError(f"`--output` must end in .csv, .tsv, .parquet or .arrow; got {output!r}.")


def print_bars(sizes: Mapping[str, float], top: int) -> None:
    """Print names, sizes and bars, the largest first."""
    largest = max(sizes.values()) or 1.0
    ranking = sorted(sizes.items(), key=lambda pair: -pair[1])
    width = min(max(len(name) for name in sizes), 28)
    for name, size in ranking[:top]:
        shown = name if len(name) <= width else name[: width - 1] + "\N{HORIZONTAL ELLIPSIS}"
        print(f"  {shown:<{width}} {size:11.5g}  {'#' * round(_BAR * size / largest)}")
    if len(ranking) > top:
        print(f"  and {len(ranking) - top} more (--top N)")


def _write_csv(columns: Columns, stream: TextIO, delimiter: str) -> None:
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(_cells(values) for values in columns.values()), strict=True))


def _cells(values: Any) -> Sequence[Any]:
    """Return what is printed: of float32 the shortest text that reads back as the same number."""
    if isinstance(values, np.ndarray):
        return [str(value) for value in values] if values.dtype.kind == "f" else list(values.tolist())
    if hasattr(values, "to_pylist"):  # of pyarrow
        plain = values.cast(values.type.value_type) if hasattr(values.type, "index_type") else values  # a dictionary
        try:
            values = plain.cast("string").to_pylist()
        except NotImplementedError:  # pyarrow has no text for lists and structs
            values = plain.to_pylist()
    return ["" if value is None else str(value) for value in values]


def _arrow(columns: Columns) -> Any:
    arrow = require("pyarrow", "Writing this format")
    return arrow.table({name: _typed(arrow, values) for name, values in columns.items()})


def _typed(arrow: Any, values: Any) -> Any:
    """Return texts that were copied from a CSV file as numbers if these have the same texts: 12 has, 012 has not."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        return values
    texts = arrow.array(values, arrow.string())
    for kind in ("int64", "float64"):
        try:
            numbers = texts.cast(kind)
        except ValueError:
            continue
        if numbers.cast("string").equals(texts):
            return numbers
    return texts


_SHOWN = ("1", "2", "5")  # numbers of rounds, but for zeros behind them
_REDRAW_SECONDS = 0.2


class Progress(TrainingCallback):
    """Prints rounds 1, 2, 5, 10, 20, 50, ...; on a terminal the newest round is always to be seen below them."""

    def __init__(self, metrics: list[str]) -> None:
        self._metrics, self._live, self._drawn = metrics, sys.stdout.isatty(), 0.0
        self._last = ""

    def before_training(self, model: Booster) -> Booster:
        """Print the table's head."""
        columns = [f"{data} {metric}" for metric in self._metrics for data in ("train", "held-out")]
        self._widths = [max(len(column), 10) for column in columns]
        print("  round  " + "  ".join(f"{c:>{w}}" for c, w in zip(columns, self._widths, strict=True)))
        return model

    def after_iteration(self, model: Booster, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Print a line, or draw it in place of the last one."""
        scores = [log[metric][-1] for metric in self._metrics for log in evals_log.values()]
        cells = (f"{score:{width}.5g}" for score, width in zip(scores, self._widths, strict=True))
        self._last = f"{epoch + 1:7}  " + "  ".join(cells)
        if f"{epoch + 1}".rstrip("0") in _SHOWN:
            print(("\r" if self._live else "") + self._last, flush=True)
            self._last = ""
        elif self._live and time.monotonic() - self._drawn > _REDRAW_SECONDS:
            print(f"\r{self._last}", end="", flush=True)
            self._drawn = time.monotonic()
        return False

    def after_training(self, model: Booster) -> Booster:
        """Print the last round if it was not printed."""
        if self._last:
            print(("\r" if self._live else "") + self._last)
        return model
