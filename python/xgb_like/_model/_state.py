# SPDX-License-Identifier: Apache-2.0
"""What the parts of :class:`Booster` share: the engine's object, and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from .. import _core
from .._base._config import setting
from .._base._exceptions import DataError, XgbLikeError
from .._base._messages import hand_on

if TYPE_CHECKING:
    pass

_P = ParamSpec("_P")
_T = TypeVar("_T")


class BoosterState:
    """Holds the engine's booster; everything else of a Booster are parts on top of this."""

    _handle: _core.Booster
    _unfit_names: list[str] | None = None  # feature_names that are more or fewer than the features
    _num_columns = 0  # of the data that were seen; the engine knows it with the first round
    _loaded = False  # a model of no rounds does not tell by itself

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
