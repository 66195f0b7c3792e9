# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The part of :class:`Booster` that saves and loads models and configurations, and that copies."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core
from .._base._exceptions import ModelFormatError, ParameterError
from .._base._messages import warn
from .._base._typing import PathLike
from ._config_json import config_of, params_in
from ._state import BoosterState

if TYPE_CHECKING:
    from typing_extensions import Self

_FORMATS = ("json", "ubj")
_UNKNOWN_TO_XGBOOST = {  # and its objectives with the same predictions from the same margins
    "binary:crossentropy": "binary:logistic",
    "binary:exponential": None,
    "binary:focal": "binary:logistic",
    "binary:multilabel": "binary:logistic",
    "multi:ova": None,
    "rank:xendcg": "rank:ndcg",
    "rank:yeti": "rank:ndcg",
    "reg:fair": "reg:squarederror",
    "reg:gaussian": None,
    "reg:huber": "reg:squarederror",
    "reg:logcosh": "reg:squarederror",
    "reg:mape": "reg:squarederror",
}


class ModelFiles(BoosterState):
    """Models as files and bytes, pickles and copies."""

    _has_drawn = False  # whether it trained a round, or has the configuration of one that did
    _told_of_objective = False

    def save_model(self, fname: PathLike) -> None:
        """Write the model to a file. XGBoost reads it, too, if it has the objective.

        The file holds the model, not the parameters of training; a pickle has both.

        Parameters
        ----------
        fname
            The ending sets the format: ``.json``, or ``.ubj`` for UBJSON, which is smaller and faster to read.

        Warns
        -----
        UserWarning
            Once per booster, if XGBoost does not know the objective. The warning says what to do if XGBoost should read
            the file.
        """
        self._tell_of_objective()
        self._write_model(fname)

    def _tell_of_objective(self) -> None:
        objective = self._handle.objective()
        if objective not in _UNKNOWN_TO_XGBOOST or self._told_of_objective:
            return
        self._told_of_objective = True
        like = _UNKNOWN_TO_XGBOOST[objective]
        remedy = (
            f"If it is to, save a copy() of the booster after set_param('objective', '{like}'): it predicts the same."
            if like
            else "None of its objectives makes the same predictions of margins."
        )
        warn(f"XGBoost does not have the objective `{objective}` and will not load this model. {remedy}")

    def _write_model(self, fname: PathLike) -> None:
        path, ending = _path(fname)
        if ending not in _FORMATS:
            warn(f"Saving model in the UBJSON format: {path!r} does not end in `.json` or `.ubj`.")
        self._named().save_model(path, "json" if ending == "json" else "ubj")

    def save_raw(self, raw_format: str = "ubj") -> bytearray:
        """Return what :meth:`save_model` writes, in the format ``ubj`` or ``json``."""
        if raw_format not in _FORMATS:
            raise ParameterError(f"Unknown model format: `{raw_format}`. It must be one of {', '.join(_FORMATS)}.")
        return bytearray(self._named().save_raw(raw_format))

    def load_model(self, fname: PathLike | bytes | bytearray) -> None:
        """Load a model of this package, of XGBoost, or a LightGBM text file, from a file or from its bytes.

        LightGBM's models predict the same for all float32 values. What has no counterpart here is refused: linear
        trees, ``reg_sqrt``, the objective ``cross_entropy_lambda`` and most of ``zero_as_missing``.

        Raises
        ------
        ModelFormatError
            If it is not such a model.
        """
        if isinstance(fname, (bytes, bytearray, memoryview)):
            self._run(self._handle.load_raw, bytes(fname))
        else:
            path, ending = _path(fname)
            _check_ending(path, ending)
            self._run(self._handle.load_model, path)
        self._unfit_names, self._loaded = None, True

    def save_config(self) -> str:
        """Return the current parameters as JSON text, which :meth:`load_config` takes."""
        return json.dumps(config_of(self._handle.copy(), self._has_drawn), separators=(",", ":"))

    def load_config(self, config: str) -> None:
        """Set parameters from what :meth:`save_config`, or XGBoost's, returned."""
        self._run(self._handle.set_params, params_in(config))
        self._has_drawn |= "rng_state" in json.loads(config)["learner"]["generic_param"]

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in ("_handle", "_growing")}
        handle = self._named().copy()  # training may go on meanwhile
        state["_saved"] = {
            "model": handle.save_raw("ubj") if handle.num_features() > 0 else None,
            "params": handle.given_params(),
            "in_force": handle.params(),
            "attributes": handle.attributes(),
            "features": (handle.feature_names, handle.feature_types),
        }
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state["_saved"]
        self._handle = _core.Booster()
        self._handle.set_params(saved["params"])
        if saved["model"] is not None:
            self._handle.load_raw(saved["model"])
        self._handle.set_params(_different(saved["in_force"], self._handle.params()))
        self._handle.set_attributes(saved["attributes"])
        self._handle.feature_names, self._handle.feature_types = saved["features"]
        self.__dict__.update({name: value for name, value in state.items() if name != "_saved"})

    def copy(self) -> Self:
        """Return an independent copy of the booster."""
        return self.__copy__()

    def __copy__(self) -> Self:
        return self._like_this(self._handle.copy())

    def __deepcopy__(self, memo: Any) -> Self:
        return self.__copy__()

    def _like_this(self, handle: _core.Booster) -> Self:
        """Return a booster around `handle` with everything else of this one."""
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)
        other._handle = handle
        other.__dict__.pop("_growing", None)  # training goes on with this one
        return other


def _different(wanted: dict[str, dict[str, str]], found: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    """Return parameters that loading a model reset: the user had changed them after the model was made."""
    return [
        (name, value)
        for group, values in wanted.items()
        for name, value in values.items()
        if found.get(group, {}).get(name) != value
    ]


def _path(fname: Any) -> tuple[str, str]:
    if not isinstance(fname, (str, os.PathLike)):
        raise ParameterError(f"`fname` must be a string or a path; got {fname!r} of type {type(fname).__name__}.")
    path = Path(fname).expanduser()
    return str(path), path.suffix[1:].lower()


def _check_ending(path: str, ending: str) -> None:
    """Warn of an unknown ending, and refuse one that promises another format than the file has."""
    start = _first_bytes(path)
    if start[:1] != b"{":
        return  # not of either kind, or absent: the engine says so
    found = "json" if len(start) < 2 or start[1:2] in b'" \t\r\n}' else "ubj"
    if ending not in _FORMATS:
        name = "JSON" if found == "json" else "UBJSON"
        warn(f"Unknown file format: `{ending}` of {path!r}. Using {name} by its first bytes.")
    elif ending != found:
        raise ModelFormatError(
            f"{path!r} is named as {_name(ending)}, but is {_name(found)}: its first bytes are {start!r}, where "
            f"{_name(ending)} begins with {_begin(ending)}. Rename it to `.{found}`."
        )


def _first_bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(2)
    except OSError:
        return b""


def _name(ending: str) -> str:
    return {"json": "JSON", "ubj": "UBJSON"}[ending]


def _begin(ending: str) -> str:
    return {"json": '`{"`', "ubj": "`{` and a type"}[ending]
