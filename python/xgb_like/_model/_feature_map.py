# SPDX-License-Identifier: Apache-2.0
"""Feature maps: text files that give numbered features a name and a type."""

from __future__ import annotations

import os
from pathlib import Path

from .._base._exceptions import DataError
from .._base._names import names_of
from .._base._typing import PathLike

_TYPES = ("i", "q", "int", "float", "c")


def read_feature_map(fmap: PathLike, num_features: int) -> tuple[list[str], list[str]]:
    """Return names and types of all features; those that the file does not list are f0, f1, ... and numbers.

    Parameters
    ----------
    fmap
        A file of lines ``index<TAB>name<TAB>type``, of types i, q, int, float and c.
    num_features
        How many features the model has.
    """
    path = Path(os.fspath(fmap)).expanduser()
    if not path.is_file():
        raise DataError(
            f"There is no feature map {str(path)!r}. Check the path, or leave `fmap` for the names of the model."
        )
    names = names_of(None, num_features)
    types = ["q"] * num_features
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        index, name, kind = _parse(line, path, number)
        if index < num_features:
            names[index], types[index] = name, kind
    return names, types


def _parse(line: str, path: Path, number: int) -> tuple[int, str, str]:
    parts = line.split("\t") if "\t" in line else line.split()
    good = len(parts) == 3 and parts[0].strip().isdecimal() and parts[2].strip() in _TYPES
    if not good:
        raise DataError(
            f"Line {number} of the feature map {str(path)!r} must be index, name and type (one of "
            f"{', '.join(_TYPES)}), with tabs between; got {line!r}."
        )
    return int(parts[0]), parts[1], parts[2].strip()
