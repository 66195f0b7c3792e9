# SPDX-License-Identifier: Apache-2.0
"""Keeps the state of a training in a file, so that the same call can resume where an earlier one was killed.

The file is a zip archive of the model and of a JSON text with everything else. It is always replaced as a whole, so
there is always a readable one.
"""

import hashlib
import io
import json
import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import ModelFormatError, ParameterError
from .._base._typing import Array, PathLike
from .._data._fields import FLOAT_FIELDS
from .._data._matrix import DMatrix
from .._model._booster import Booster
from ._callbacks import CallbackContainer, TrainingCallback

_FILE = "training.checkpoint"
_VERSION = 3
_READ = (2, _VERSION)  # 0.1.0 wrote version 2, without a digest
_WORK_PER_WRITE = 20  # the least time between two writes, in durations of one
_FREE = ("nthread", "verbosity", "validate_parameters", "device")  # parameters that make no other model


class Checkpoint:
    """The checkpoint of one training: what it starts from, its data, and the user's objective and metric, or None.

    The folder is created if it does not exist.
    """

    def __init__(
        self,
        folder: PathLike,
        booster: Booster,
        dtrain: DMatrix,
        evals: list[tuple[DMatrix, str]],
        functions: tuple[Any, Any],
    ) -> None:
        if not isinstance(folder, (str, os.PathLike)):
            raise ParameterError(f"`checkpoint` must be the path of a folder; got {type(folder).__name__}.")
        self._path = Path(folder).expanduser() / _FILE
        if self._path.parent.exists() and not self._path.parent.is_dir():
            raise ParameterError(f"`checkpoint` must be a folder, but {str(folder)!r} is a file. Name another one.")
        _core.remove_abandoned_writes(str(self._path))
        self._identity = _identity_of(booster, dtrain, evals, functions)
        self._next_write = 0.0

    def resume(self, booster: Booster, container: CallbackContainer, rounds: int) -> tuple[int, bool]:
        """Bring booster and callbacks to where the file left them; return the rounds done and whether it stopped."""
        if not self._path.exists():
            return 0, False
        state, model = self._read()
        self._compare(state, container, rounds)
        saved = {**state["booster"], "model": model or None}
        free = [(name, value) for name, value in booster._handle.given_params() if name in _FREE]
        saved["params"] = [tuple(pair) for pair in saved["params"]]
        booster.__setstate__({"_saved": saved})
        booster._handle.set_params(free)
        container.history.update(state["history"])
        for callback, kept in zip(_stateful(container), state["callbacks"], strict=True):
            callback.load_state(kept["state"])
        stoppers: list[Any] = [who for who in container.callbacks if _name(who) in state["stopped_by"]]
        return state["done"], any(not hasattr(who, "still_stops") or who.still_stops() for who in stoppers)

    def save(self, booster: Booster, container: CallbackContainer, done: int, last: bool) -> None:
        """Write the file, if that is due or this round is the last one."""
        begin = time.monotonic()
        if not last and begin < self._next_write:
            return
        saved = booster.__getstate__()["_saved"]
        model = saved.pop("model") or b""
        state = {
            "version": _VERSION,
            "identity": self._identity,
            "done": done,
            "stopped_by": container.stopped_by,
            "history": container.history,
            "callbacks": [{"name": _name(c), "state": c.save_state()} for c in _stateful(container)],
            "booster": saved,
        }
        text, memory = json.dumps(state).encode(), io.BytesIO()
        with zipfile.ZipFile(memory, "w") as archive:
            archive.writestr("state.json", text)
            archive.writestr("model.ubj", model)
            archive.writestr("digest", _digest(text, model))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        _core.write_file(str(self._path), memory.getvalue())
        end = time.monotonic()
        self._next_write = end + _WORK_PER_WRITE * (end - begin)

    def _read(self) -> tuple[dict[str, Any], bytes]:
        content = self._path.read_bytes()
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                text, model = archive.read("state.json"), archive.read("model.ubj")
                state: dict[str, Any] = json.loads(text)
                version = state["version"]
                whole = version != _VERSION or archive.read("digest") == _digest(text, model)
        except Exception as error:  # noqa: BLE001  of damaged archives nearly any kind is raised
            raise self._damaged(f"{type(error).__name__}: {error}") from None
        if version not in _READ:
            raise ModelFormatError(
                f"The checkpoint {str(self._path)!r} is of version {version}, this program writes {_VERSION}. Delete "
                "it to train from the start."
            )
        if not whole:
            raise self._damaged("its content is not what was written")
        return state, model

    def _damaged(self, why: str) -> ModelFormatError:
        return ModelFormatError(
            f"The checkpoint {str(self._path)!r} cannot be read ({why}). Delete it to train from the start."
        )

    def _compare(self, state: dict[str, Any], container: CallbackContainer, rounds: int) -> None:
        """Raise unless the file belongs to this training."""
        found, wanted = state["identity"], json.loads(json.dumps(self._identity))
        names = [kept["name"] for kept in state["callbacks"]]
        differences = _differences(found, wanted)
        if names != [_name(callback) for callback in _stateful(container)]:
            differences.append(f"its callbacks with a state are {', '.join(names) or 'none'}")
        if differences:
            raise ParameterError(
                f"The checkpoint in {str(self._path.parent)!r} belongs to another training: {'; '.join(differences)}. "
                "Use another folder for `checkpoint`, or delete this one."
            )
        if state["done"] > rounds:
            raise ParameterError(
                f"The checkpoint in {str(self._path.parent)!r} has {state['done']} rounds, but `num_boost_round` is "
                f"{rounds}. Ask for as many or more, or use another folder."
            )


def _identity_of(
    booster: Booster, dtrain: DMatrix, evals: list[tuple[DMatrix, str]], functions: tuple[Any, Any]
) -> dict[str, Any]:
    """Return what decides the result of a training, beside the number of rounds."""
    params = booster._handle.given_params()
    if ("process_type", "update") in params:
        raise ParameterError("`checkpoint` is not possible with `process_type=update`, which adds no rounds: drop it.")
    matrices = {id(matrix): matrix for matrix in (dtrain, *(matrix for matrix, _ in evals))}
    known = {number: fingerprint_of(matrix) for number, matrix in matrices.items()}
    rounds = booster.num_boosted_rounds()
    start = hashlib.blake2b(booster.save_raw(), digest_size=16).hexdigest() if rounds else ""
    return {
        "params": sorted([name, value] for name, value in params if name not in _FREE),
        "dtrain": known[id(dtrain)],
        "evals": [[name, known[id(matrix)]] for matrix, name in evals],
        "xgb_model": start,
        "functions": [function is not None for function in functions],
    }


def _digest(state: bytes, model: bytes) -> bytes:
    """Return what shows whether somebody has changed the file. Nothing else checks its values."""
    return hashlib.blake2b(state, key=hashlib.blake2b(model).digest()).hexdigest().encode()


def _differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    texts = []
    there, here = found["params"], wanted["params"]
    if there != here:
        pairs = [f"{name}={value}" for name, value in there if [name, value] not in here]
        texts.append(f"its `params` are others ({', '.join(pairs) if pairs else 'fewer than here'})")
    texts += [f"its `{what}` is other data" for what in ("dtrain", "evals") if found[what] != wanted[what]]
    if found["xgb_model"] != wanted["xgb_model"]:
        texts.append("it started from another `xgb_model`")
    for what, before, now in zip(("obj", "custom_metric"), found["functions"], wanted["functions"], strict=True):
        if before != now:
            texts.append(f"it has {'a' if before else 'no'} `{what}`")
    return texts


def _stateful(container: CallbackContainer) -> list[TrainingCallback]:
    # Those of other libraries have no such method.
    return [callback for callback in container.callbacks if hasattr(callback, "save_state") and callback.save_state()]


def _name(callback: Any) -> str:
    return type(callback).__name__


_CELLS_AT_ONCE = 1 << 22


def fingerprint_of(matrix: DMatrix) -> str:
    """Return a text that is the same for two matrices with equal features, labels and other fields.

    In a quantised matrix, the cuts stand for the features. Time is linear in the cells; memory is constant.
    """
    handle = matrix._handle
    digest = hashlib.blake2b(digest_size=16)
    facts = (handle.num_row(), handle.num_col(), handle.feature_names, handle.feature_types, handle.categories)
    digest.update(repr(facts).encode())
    for array in (*_features(handle), handle.get_group_ptr(), *(handle.get_float_info(name) for name in FLOAT_FIELDS)):
        digest.update(repr(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _features(handle: _core.DMatrix) -> Iterator[Array]:
    if handle.quantised_with():
        yield from handle.quantile_cut()
        yield np.array([handle.num_nonmissing()])
        return
    step = max(_CELLS_AT_ONCE // max(handle.num_col(), 1), 1)
    for begin in range(0, handle.num_row(), step):
        rows = np.arange(begin, min(begin + step, handle.num_row()))
        yield from handle.slice(rows, True).to_csr()
