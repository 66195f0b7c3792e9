# SPDX-License-Identifier: Apache-2.0
"""Matrices in files: text named by ``path?format=libsvm`` or ``path?format=csv``, and what ``save_binary`` wrote."""

import os
from pathlib import Path

import numpy as np

from .. import _core
from .._base._exceptions import DataError, ParameterError
from .._base._messages import warn
from .._base._typing import PathLike

_OPTIONS = {"libsvm": {"format", "indexing_mode"}, "csv": {"format", "label_column"}}
_HELP = "Name a text file as `path?format=libsvm` or `path?format=csv&label_column=0`."


def read_file(name: PathLike, missing: float, nthread: int) -> _core.DMatrix:
    start, _, query = os.fspath(name).partition("?")
    path = str(Path(start).expanduser())
    if "#" in query:
        raise ParameterError("Text files with a cache (`#` in the name) are not supported: leave `#...` out.")
    if not Path(path).is_file():
        if "://" in start:
            raise DataError(f"{start!r} cannot be read: only local files are. Download it and pass the copy's path.")
        raise DataError(f"There is no file {path!r}. {_HELP}")
    if not query:
        if _core.DMatrix.is_binary(path):
            warn_unused_missing("a file of save_binary()", missing)
            return _core.DMatrix.from_binary(path)
        raise DataError(f"{path!r} is no matrix file of save_binary(). {_HELP}")
    options = _options(query)
    numbers = _whole(options, "label_column", -1), _whole(options, "indexing_mode", 0)
    matrix = _core.DMatrix.from_text(path, options["format"], *numbers, missing, nthread)
    if options["format"] == "csv" and not matrix.num_row():
        raise DataError(
            f"The file {path!r} has no rows of data: its only line was read as the names of {matrix.num_col()} "
            "column(s). Check that commas separate the cells."
        )
    return matrix


def warn_unused_missing(data: object, missing: float | None) -> None:
    """Warn that a value for missing cells is not used with such data, if one is given."""
    if missing is not None and not np.isnan(missing):
        what = data if isinstance(data, str) else f"data of type {type(data).__name__}"
        warn(f"`missing` is not used for {what}: which cells are missing is settled already.")


def _options(query: str) -> dict[str, str]:
    options = dict(part.partition("=")[::2] for part in query.split("&"))
    known = _OPTIONS.get(options.get("format", ""))
    if known is None:
        raise ParameterError(f"`format` must be libsvm or csv; got {options.get('format')!r}. {_HELP}")
    unknown = sorted(set(options) - known)
    if unknown:
        allowed = ", ".join(sorted(known))
        raise ParameterError(f"Unknown option `{unknown[0]}` for {options['format']} files; the options are {allowed}.")
    return options


def _whole(options: dict[str, str], name: str, lowest: int) -> int:
    """Return a whole number; without one the lowest."""
    text = options.get(name, lowest)
    try:
        value = int(text)
    except ValueError:
        value = lowest - 1
    if value < lowest:
        raise ParameterError(f"`{name}` must be an int >= {lowest}; got {text!r}.")
    return value
