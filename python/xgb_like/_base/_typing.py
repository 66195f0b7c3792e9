# SPDX-License-Identifier: Apache-2.0
"""Types that several modules use."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from typing_extensions import Self as Self  # noqa: PLC0414  others import it from here

    from .._data._matrix import DMatrix
    from .._model._booster import Booster
    from .._model._custom import Objective as OwnObjective
else:
    Self: TypeAlias = Any

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float32]
Floats64: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = npt.NDArray[np.uint32]
Bools: TypeAlias = npt.NDArray[np.bool_]
ArrayLike: TypeAlias = Any  # what numpy, scipy, pandas, polars, pyarrow and narwhals call a table or a column
Integer: TypeAlias = int | np.integer[Any]
PathLike: TypeAlias = str | os.PathLike[str]

CategoryValues: TypeAlias = list[str] | tuple[list[float], str] | None
OnUnseen: TypeAlias = Literal["missing", "error"]
Params: TypeAlias = Mapping[str, Any] | Iterable[tuple[str, Any]]
IterationRange: TypeAlias = tuple[Integer, Integer]

Evals: TypeAlias = "Sequence[tuple[DMatrix, str]]"
Score: TypeAlias = float | tuple[float, float]
EvalsLog: TypeAlias = dict[str, dict[str, list[Any]]]
Metric: TypeAlias = "Callable[[Floats, DMatrix], tuple[str, float] | list[tuple[str, float]]]"
Objective: TypeAlias = "Callable[[Floats, DMatrix], tuple[Any, Any]] | OwnObjective"
ModelSource: TypeAlias = "PathLike | bytes | bytearray | Booster"
