# SPDX-License-Identifier: Apache-2.0
"""Models as files and bytes."""

import os
from pathlib import Path
from typing import Any

from .. import _core
from .._base._exceptions import ModelFormatError, ParameterError
from .._base._messages import warn
from .._base._typing import PathLike
from ._state import BoosterState

FORMATS = {"json": ("JSON", '`{"`'), "ubj": ("UBJSON", "`{` and a type")}  # how they are called, and begin


def tell_of_objective(booster: BoosterState) -> None:
    objective = booster._handle.objective()
    facts = {} if booster._told_of_objective else _core.objectives().get(objective, {})
    if not facts.get("own"):
        return
    booster._told_of_objective = True
    twin = facts["twin"]
    remedy = (
        f"If it is to, save a copy() of the booster after set_param('objective', '{twin}'): it predicts the same."
        if twin
        else "None of its objectives makes the same predictions of margins."
    )
    warn(f"XGBoost does not have the objective `{objective}` and will not load this model. {remedy}")


def write_model(booster: BoosterState, fname: PathLike) -> None:
    path, ending = _path(fname)
    if ending not in FORMATS:
        warn(f"Saving model in the UBJSON format: {path!r} does not end in `.json` or `.ubj`.")
    booster._named().save_model(path, "json" if ending == "json" else "ubj")


def load_model(booster: BoosterState, fname: PathLike | bytes | bytearray) -> None:
    """Read a model from a file or its bytes."""
    if isinstance(fname, (bytes, bytearray, memoryview)):
        booster._run(booster._handle.load_raw, bytes(fname))
    else:
        path, ending = _path(fname)
        _check_ending(path, ending)
        booster._run(booster._handle.load_model, path)
    booster._unfit_names, booster._loaded = None, True


def _path(fname: Any) -> tuple[str, str]:
    if not isinstance(fname, (str, os.PathLike)):
        raise ParameterError(f"`fname` must be a string or a path; got {fname!r} of type {type(fname).__name__}.")
    path = Path(fname).expanduser()
    return str(path), path.suffix[1:].lower()


def _check_ending(path: str, ending: str) -> None:
    """Warn of an unknown ending, and refuse one that promises another format than the file has."""
    try:
        with Path(path).open("rb") as file:
            start = file.read(2)
    except OSError:
        return
    if start[:1] != b"{":
        return  # not of either kind: the engine says so
    found = "json" if len(start) < 2 or start[1:2] in b'" \t\r\n}' else "ubj"
    if ending not in FORMATS:
        warn(f"Unknown file format: `{ending}` of {path!r}. Using {FORMATS[found][0]} by its first bytes.")
    elif ending != found:
        name, begin = FORMATS[ending]
        raise ModelFormatError(
            f"{path!r} is named as {name}, but is {FORMATS[found][0]}: its first bytes are {start!r}, where {name} "
            f"begins with {begin}. Rename it to `.{found}`."
        )
