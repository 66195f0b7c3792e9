# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""Short texts that differ if data differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from .. import _core
from .._base._typing import Array
from ._fields import FLOAT_FIELDS
from ._matrix import DMatrix

_CELLS_AT_ONCE = 1 << 22


def fingerprint_of(matrix: DMatrix) -> str:
    """Return a text that is the same for two matrices with equal features, labels and other fields.

    In a quantised matrix, the cuts stand for the features. Time is linear in the cells; memory is constant.
    """
    handle = matrix._handle
    digest = hashlib.blake2b(digest_size=16)
    facts = (handle.num_row(), handle.num_col(), handle.feature_names, handle.feature_types, handle.categories)
    digest.update(repr(facts).encode())
    for array in (*_features(handle), handle.get_group_ptr(), *(handle.get_float_info(name) for name in FLOAT_FIELDS)):
        digest.update(repr(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _features(handle: _core.DMatrix) -> Iterator[Array]:
    if handle.quantised_with():
        yield from handle.quantile_cut()
        yield np.array([handle.num_nonmissing()])
        return
    step = max(_CELLS_AT_ONCE // max(handle.num_col(), 1), 1)
    for begin in range(0, handle.num_row(), step):
        rows = np.arange(begin, min(begin + step, handle.num_row()))
        yield from handle.slice(rows, True).to_csr()
