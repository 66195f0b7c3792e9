# SPDX-License-Identifier: Apache-2.0
"""Helpers on arrays and memory of C, where programs written for XGBoost look for them; this package needs none."""

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._base._exceptions import ParameterError, UnsupportedDataError
from ._base._typing import Array
from ._data._categories import Categories

__all__ = ["Categories", "from_array_interface"]

_C_TYPES: dict[np.dtype[Any], Any] = {
    np.dtype(np.float32): ctypes.c_float,
    np.dtype(np.float64): ctypes.c_double,
    np.dtype(np.int32): ctypes.c_int32,
    np.dtype(np.int64): ctypes.c_int64,
    np.dtype(np.uint32): ctypes.c_uint32,
    np.dtype(np.uint64): ctypes.c_uint64,
}


class _Memory:
    """What numpy reads an array from that is described by the array interface."""

    __array_interface__: dict[str, Any]


def from_array_interface(interface: Mapping[str, Any], zero_copy: bool = False) -> Array:
    """Return the array that an array interface describes, which may come from JSON; a copy unless `zero_copy`."""
    if "stream" in interface:
        raise UnsupportedDataError("`interface` is of memory on a GPU; only that of the host can be read.")
    shape = tuple(interface["shape"])
    if 0 in shape:  # there need not be any memory
        return np.empty(shape, np.dtype(interface["typestr"]))
    strides = interface.get("strides")
    memory = _Memory()
    memory.__array_interface__ = {
        **interface,
        "shape": shape,
        "data": tuple(interface["data"]),
        "strides": None if strides is None else tuple(strides),
    }
    array = np.asarray(memory)
    return array if zero_copy else array.copy()


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


def c_str(string: str) -> ctypes.c_char_p:
    """Return a text as one of C."""
    return ctypes.c_char_p(string.encode())


def from_pystr_to_cstr(data: str | Sequence[str]) -> Any:
    """Return the bytes of a text, or of several texts an array of pointers to them."""
    if isinstance(data, str):
        return data.encode()
    if not all(isinstance(text, str) for text in data):
        raise ParameterError(f"`data` must be a str or a list of str; got {data!r}.")
    return (ctypes.c_char_p * len(data))(*(text.encode() for text in data))


def from_cstr_to_pystr(data: Any, length: Any) -> list[str]:
    """Return the texts of an array of pointers; `length` is how many, as a number of C."""
    return [data[place].decode() for place in range(length.value)]


def make_jcargs(**kwargs: Any) -> bytes:
    """Return arguments by name as JSON."""
    return json.dumps(kwargs).encode()


def _check_pointer(cptr: Any, ctype: Any) -> None:
    if not isinstance(cptr, ctypes.POINTER(ctype)):
        raise ParameterError(f"`cptr` must be a pointer to {ctype.__name__}; got {type(cptr).__name__}.")
