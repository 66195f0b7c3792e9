# SPDX-License-Identifier: Apache-2.0
"""Matrices, boosters and errors, where programs written for XGBoost look for them."""

from typing import Any

from . import _core
from ._booster import Booster
from ._data import DataSplitMode, DMatrix
from ._data_iter import DataIter
from ._exceptions import XgbLikeError as XGBoostError
from ._quantile import ExtMemQuantileDMatrix, QuantileDMatrix
from ._typing import ArrayLike, Integer

__all__ = [
    "ArrayLike",
    "Booster",
    "DMatrix",
    "DataIter",
    "DataSplitMode",
    "ExtMemQuantileDMatrix",
    "Integer",
    "QuantileDMatrix",
    "XGBoostError",
    "build_info",
]


def build_info() -> dict[str, Any]:
    """Return how the engine was built."""
    return _core.build_info()


def _parse_eval_str(result: str) -> list[tuple[str, float]]:
    """Return the names and values in what ``Booster.eval_set`` returned."""
    scores = (part.rpartition(":") for part in result.split()[1:])
    return [(name, float(value)) for name, _, value in scores]
