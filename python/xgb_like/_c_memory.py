# SPDX-License-Identifier: Apache-2.0
"""Memory of C as arrays, for programs that import these helpers from XGBoost; this package does not need them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ._exceptions import ParameterError
from ._typing import Array

_C_TYPES: dict[np.dtype[Any], Any] = {
    np.dtype(np.float32): ctypes.c_float,
    np.dtype(np.float64): ctypes.c_double,
    np.dtype(np.int32): ctypes.c_int32,
    np.dtype(np.int64): ctypes.c_int64,
    np.dtype(np.uint32): ctypes.c_uint32,
    np.dtype(np.uint64): ctypes.c_uint64,
}


def c_array(ctype: Any, values: Any) -> Any:
    """Return values as an array of C, of numpy's own memory if that has items of the same size."""
    if isinstance(values, np.ndarray) and values.dtype.itemsize == ctypes.sizeof(ctype):
        return values.ctypes.data_as(ctypes.POINTER(ctype))
    return (ctype * len(values))(*values)


def ctypes2numpy(cptr: Any, length: int, dtype: Any) -> Array:
    """Return a copy of the numbers that a pointer points to."""
    kind = np.dtype(dtype)
    if kind not in _C_TYPES:
        raise ParameterError(f"`dtype` must be one of {', '.join(str(known) for known in _C_TYPES)}; got {kind}.")
    _check_pointer(cptr, _C_TYPES[kind])
    values: Array = np.ctypeslib.as_array(cptr, shape=(length,)).copy()
    return values


def ctypes2buffer(cptr: Any, length: int) -> bytearray:
    """Return a copy of the bytes that a pointer to char points to."""
    _check_pointer(cptr, ctypes.c_char)
    return bytearray(cptr[:length])


def _check_pointer(cptr: Any, ctype: Any) -> None:
    if not isinstance(cptr, ctypes.POINTER(ctype)):
        raise ParameterError(f"`cptr` must be a pointer to {ctype.__name__}; got {type(cptr).__name__}.")
