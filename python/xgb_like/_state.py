# SPDX-License-Identifier: Apache-2.0
"""What the parts of :class:`Booster` share: the engine's object, and how it is called."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from . import _core
from ._exceptions import DataError, ParameterError, UnsupportedDataError, XgbLikeError
from ._messages import hand_on
from ._other_libraries import named, remedy
from .config import setting

if TYPE_CHECKING:
    from ._data import DMatrix

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
            raise XgbLikeError("The booster has no model to predict by: train one, or load one by `load_model`.")

    def _named(self) -> _core.Booster:
        """Return the engine's booster for what tells or compares names of features; raise if they do not fit."""
        if self._unfit_names is not None:
            raise DataError(
                f"`feature_names` of the booster must have one name for each of its {self._handle.num_features()} "
                f"features; got {len(self._unfit_names)}. Set them anew, or to None."
            )
        return self._handle

    def _run(self, method: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a method of the engine and hand on the messages that it left."""
        self._handle.set_default_verbosity(setting("verbosity"))
        try:
            return method(*args, **kwargs)
        finally:
            hand_on(self._handle)


def check_matrix(data: Any, argument: str, part: str = "") -> DMatrix:
    """Return data if it is a DMatrix; `part` says where in the argument it stands."""
    from ._data import DMatrix  # noqa: PLC0415  that module is above this one

    if not isinstance(data, DMatrix):
        where, source = (f" in {part}", "data, label") if part else ("", argument)
        raise UnsupportedDataError(f"`{argument}` must be a DMatrix; got {named(data)}{where}. {remedy(data, source)}")
    data._check()  # noqa: SLF001  the classes of this package know each other
    return data


def whole(value: Any, argument: str) -> int:
    """Return an int, also of numpy's types."""
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise ParameterError(f"`{argument}` must be an int; got {value!r} of type {type(value).__name__}.") from None


def count(value: Any, argument: str, lowest: int = 0, highest: float = math.inf) -> int:
    """Return an int, checked to be within bounds."""
    number = whole(value, argument)
    if not lowest <= number <= highest:
        raise ParameterError(f"`{argument}` must be {_bounds(lowest, highest)}; got {number}.")
    return number


def real(value: Any, argument: str, lowest: float, highest: float = math.inf) -> float:
    """Return a number as a float, checked to be within bounds."""
    try:
        number = math.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not lowest <= number <= highest:
        allowed = f"a number {_bounds(lowest, highest)}"
        raise ParameterError(f"`{argument}` must be {allowed}; got {value!r} of type {type(value).__name__}.")
    return number


def _bounds(lowest: float, highest: float) -> str:
    return f">= {lowest}" if highest == math.inf else f"from {lowest} to {highest}"


def yes_or_no(value: Any, argument: str) -> bool | None:
    """Return a bool or None, also of numpy's type."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return None if value is None else bool(value)
    raise ParameterError(f"`{argument}` must be True, False or None; got {value!r} of type {type(value).__name__}.")
