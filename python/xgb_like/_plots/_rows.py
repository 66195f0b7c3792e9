# SPDX-License-Identifier: Apache-2.0
"""The rows that a picture is drawn from: no more than can be seen, or predicted in a moment."""

from __future__ import annotations

import numpy as np

from .._data._matrix import DMatrix


def thinned(matrix: DMatrix, most: int) -> DMatrix:
    """Return a matrix of no more than so many of its rows, evenly taken."""
    if matrix.num_row() <= most:
        return matrix
    rows = np.linspace(0, matrix.num_row() - 1, most).astype(np.int64)
    return matrix.slice(rows, allow_groups=True)
