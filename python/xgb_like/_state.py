# SPDX-License-Identifier: Apache-2.0
"""What the parts of :class:`Booster` share: the engine's object, and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from . import _core
from ._exceptions import DataError, ParameterError, UnsupportedDataError
from ._messages import hand_on

if TYPE_CHECKING:
    from ._data import DMatrix

_P = ParamSpec("_P")
_T = TypeVar("_T")


class BoosterState:
    """Holds the engine's booster; everything else of a Booster are parts on top of this."""

    _handle: _core.Booster
    _unfit_names: list[str] | None = None  # feature_names that are more or fewer than the features

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
        try:
            return method(*args, **kwargs)
        finally:
            hand_on(self._handle)


def check_matrix(data: Any, argument: str, part: str = "") -> DMatrix:
    """Return data if it is a DMatrix; `part` says where in the argument it stands."""
    from ._data import DMatrix  # noqa: PLC0415  that module is above this one

    if not isinstance(data, DMatrix):
        where, source = (f" in {part}", "data, label") if part else ("", argument)
        raise UnsupportedDataError(
            f"`{argument}` must be a DMatrix; got {type(data).__name__}{where}. Make one with DMatrix({source})."
        )
    data._check()  # noqa: SLF001  the classes of this package know each other
    return data


def whole(value: Any, argument: str) -> int:
    """Return an int, also of numpy's types."""
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise ParameterError(f"`{argument}` must be an int; got {value!r} of type {type(value).__name__}.") from None


def count(value: Any, argument: str, lowest: int = 0) -> int:
    """Return an int, checked not to be below the lowest that is allowed."""
    number = whole(value, argument)
    if number < lowest:
        raise ParameterError(f"`{argument}` must be >= {lowest}; got {number}.")
    return number
