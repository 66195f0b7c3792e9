# SPDX-License-Identifier: Apache-2.0
"""Arguments that all kinds of matrices take, checked."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .._base._checks import whole
from .._base._config import get_config
from .._base._exceptions import DataError, ParameterError
from ._fields import FLOAT_FIELDS

_INFO = ("group", "qid", *FLOAT_FIELDS, "feature_names", "feature_types")
_MOST_THREADS = np.iinfo(np.int32).max


def info_among(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a function's arguments that say something of rows or columns, query groups first."""
    return {name: arguments[name] for name in _INFO}


def refuse_info(info: dict[str, Any]) -> None:
    """Raise if something is given that must come with the batches of an iterator."""
    given = [name for name, value in info.items() if value is not None]
    if given:
        raise ParameterError(
            f"With a DataIter as `data`, `{given[0]}` must be specified as batch argument: pass it to input_data() in "
            "the iterator's next()."
        )


def rows_are_split(data_split_mode: Any) -> None:
    """Raise unless rows are what is distributed."""
    if whole(data_split_mode, "data_split_mode") != 0:
        raise ParameterError(
            f"`data_split_mode` must be 0 (by rows); got {data_split_mode!r}. Column-wise data split has been removed "
            "from XGBoost, and is not here."
        )


def missing_value(missing: Any) -> float:
    """Return the value that stands for missing; NaN for None."""
    if missing is None:
        return np.nan
    try:
        given = np.asarray(missing)
        if given.ndim == 0 and given.dtype.kind in "iufO":  # objects: decimals and fractions
            return float(missing)
    except (OverflowError, TypeError, ValueError):
        pass
    raise ParameterError(f"`missing` must be a number or None; got {missing!r}.")


def thread_count(nthread: Any) -> int:
    """Return the threads to use, 0 for all; None is what set_config() says."""
    value = get_config()["nthread"] if nthread is None else nthread
    try:
        count = max(int(value), 0)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"`nthread` must be an int; got {nthread!r}. Use 0 for all threads.") from None
    if count > _MOST_THREADS:
        raise ParameterError(f"`nthread` must be <= {_MOST_THREADS}; got {nthread!r}. Use 0 for all threads.")
    return count


def texts(argument: str, values: Any, num_columns: int) -> list[str]:
    """Return names or types of features as a list, empty for None; the engine checks what they say."""
    if values is None:
        return []
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ParameterError(
            f"Expecting a sequence of strings for `{argument}`, or None; got {values!r} of type "
            f"{type(values).__name__}."
        )
    items = list(values)
    for item in items:
        if not isinstance(item, str):
            raise ParameterError(f"`{argument}` must be strings; got {item!r} of type {type(item).__name__}.")
    if len(items) != num_columns:
        raise DataError(
            f"`{argument}` must have the same length as the number of data columns: expected {num_columns}, "
            f"got {len(items)}."
        )
    return [str(item) for item in items]
