# SPDX-License-Identifier: Apache-2.0
"""The errors of this package, checks of arguments that raise them, and names as messages tell them.

::

    XgbLikeError (ValueError)
    ├── ParameterError (TypeError)                       a parameter's name or value
    ├── DataError                                        the user's data
    │   └── UnsupportedDataError (TypeError)             data of a kind that cannot be read at all
    ├── ModelFormatError                                 a model file, or a matrix file
    │   └── ModelFileNotFoundError (FileNotFoundError)   there is no such file
    └── InternalError (RuntimeError)                     a defect of this package
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core import DataError, InternalError, ModelFileNotFoundError, ModelFormatError, ParameterError, XgbLikeError


class UnsupportedDataError(DataError, TypeError):
    """Data of a type that this package cannot read."""

    __module__ = "xgb_like"


__all__ = [
    "DataError",
    "InternalError",
    "ModelFileNotFoundError",
    "ModelFormatError",
    "ParameterError",
    "UnsupportedDataError",
    "XgbLikeError",
]


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


def name_of(feature: int, names: Sequence[str] | None) -> str:
    """Return the name of a feature; `names` are those of all features, or none."""
    return names[feature] if names else f"f{feature}"


def names_of(names: Sequence[str] | None, count: int) -> list[str]:
    """Return the names of all features, of which there are so many."""
    return list(names) if names else [f"f{feature}" for feature in range(count)]


def listed(items: Sequence[str], most: int, between: str = ", ", what: str = "") -> str:
    """Return the first of some texts, and how many more of `what` there are."""
    more = len(items) - most
    return between.join(items[:most]) + (f" and {more} more{what}" if more > 0 else "")
