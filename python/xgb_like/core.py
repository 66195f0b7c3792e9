# SPDX-License-Identifier: Apache-2.0
"""Matrices, boosters and errors, where programs written for XGBoost look for them."""

from collections.abc import Callable
from typing import Any, TypeVar

from . import _core
from ._base._exceptions import XgbLikeError as XGBoostError
from ._base._keywords import refuse_positions, tolerate_positions
from ._base._typing import ArrayLike, Integer
from ._data._batches import DataIter
from ._data._matrix import DataSplitMode, DMatrix
from ._data._quantile import ExtMemQuantileDMatrix, QuantileDMatrix
from ._data_utils import (
    c_array,
    c_str,
    ctypes2buffer,
    ctypes2numpy,
    from_cstr_to_pystr,
    from_pystr_to_cstr,
    make_jcargs,
)
from ._model._booster import Booster

__all__ = [
    "ArrayLike",
    "Booster",
    "DMatrix",
    "DataIter",
    "DataSplitMode",
    "ExtMemQuantileDMatrix",
    "Integer",
    "IterRange",
    "QuantileDMatrix",
    "SingleBatchInternalIter",
    "XGBoostError",
    "build_info",
    "c_array",
    "c_str",
    "ctypes2buffer",
    "ctypes2numpy",
    "from_cstr_to_pystr",
    "from_pystr_to_cstr",
    "make_jcargs",
    "require_keyword_args",
]

IterRange = TypeVar("IterRange", "tuple[int, int] | None", "tuple[int, int]")

_F = TypeVar("_F", bound=Callable[..., Any])


def build_info() -> dict[str, Any]:
    """Return how the engine was built."""
    return _core.build_info()


def require_keyword_args(error: bool) -> Callable[[_F], _F]:
    """Return a decorator: keyword-only arguments that come by position raise TypeError, or are taken with a warning."""
    return refuse_positions if error else tolerate_positions


_deprecate_positional_args = tolerate_positions


class SingleBatchInternalIter(DataIter):
    """An iterator with one batch; takes what ``input_data`` takes."""

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs
        self.it = 0
        super().__init__(release_data=False)

    def next(self, input_data: Callable[..., Any]) -> bool:
        """Hand on the batch, the first time."""
        if self.it:
            return False
        self.it += 1
        input_data(**self.kwargs)
        return True

    def reset(self) -> None:
        """Begin again."""
        self.it = 0


def _parse_eval_str(result: str) -> list[tuple[str, float]]:
    """Return the names and values in what ``Booster.eval_set`` returned."""
    scores = (part.rpartition(":") for part in result.split()[1:])
    return [(name, float(value)) for name, _, value in scores]
