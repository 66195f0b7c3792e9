# SPDX-License-Identifier: Apache-2.0
"""The handle that all functions on boosters take: the engine's object, and what the engine cannot know of it."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from .. import _core
from .._base._config import setting
from .._base._exceptions import DataError, XgbLikeError
from .._base._messages import hand_on
from .._base._typing import Self

_P = ParamSpec("_P")
_T = TypeVar("_T")


class BoosterState:
    """Holds the engine's booster; :class:`Booster` is made of functions that take this."""

    _handle: _core.Booster
    _unfit_names: list[str] | None = None  # feature_names that are more or fewer than the features
    _num_columns = 0  # of the data that were seen; the engine knows it with the first round
    _loaded = False  # a model of no rounds does not tell by itself
    _growing = False  # while train() adds rounds: the best one is not known yet
    _has_drawn = False  # whether it trained a round, or has the configuration of one that did
    _told_of_objective = False

    def _check_model(self) -> None:
        """Raise if there is nothing to predict by: neither data, of which a constant is known, nor a model."""
        if not (self._num_columns or self._loaded or self._handle.num_features()):
            raise XgbLikeError("The booster has no model to predict with: train one, or load one by `load_model`.")

    def _named(self) -> _core.Booster:
        """Return the engine's booster for what tells or compares names of features; raise if they do not fit."""
        if self._unfit_names is not None:
            raise DataError(
                f"`feature_names` of the booster must have one name for each of its {self._handle.num_features()} "
                f"features; got {len(self._unfit_names)}. Set them again, or to None."
            )
        return self._handle

    def _run(self, method: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a method of the engine and hand on the messages that it left."""
        self._handle.set_default_verbosity(setting("verbosity"))
        try:
            return method(*args, **kwargs)
        finally:
            hand_on(self._handle)

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
        # What loading a model reset: the user had changed it after the model was made.
        found = self._handle.params()
        pairs = [(group, *pair) for group, values in saved["in_force"].items() for pair in values.items()]
        self._handle.set_params([(name, text) for group, name, text in pairs if found.get(group, {}).get(name) != text])
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
