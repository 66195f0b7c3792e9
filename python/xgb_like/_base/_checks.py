# SPDX-License-Identifier: Apache-2.0
"""Checks of numbers and switches that users give as arguments."""

import math
from typing import Any

import numpy as np

from ._exceptions import ParameterError


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
