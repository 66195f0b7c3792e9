# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""How alike rows are to a model: by the leaves that they share (Breiman's proximity)."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from .._base._exceptions import ParameterError
from .._base._typing import Array, Floats
from .._data._matrix import check_matrix

if TYPE_CHECKING:
    from .._data._matrix import DMatrix
    from ._prediction import Prediction

_WEIGHTS = ("uniform", "gain", "cover")
_CELLS = 1_000_000  # that are worked on at a time: they stay in the cache, and Ctrl-C is heard between two


def leaf_similarity(booster: Prediction, data: DMatrix, reference: DMatrix, weight_type: str) -> Floats:
    """Return the weighted share of trees in which a row of each matrix ends in the same leaf: rows x reference rows."""
    if weight_type not in _WEIGHTS:
        raise ParameterError(
            f"Unknown `weight_type` {weight_type!r}: weight_type must be one of {', '.join(_WEIGHTS)}."
        )
    booster = copy(booster)  # training may go on meanwhile: all that follows is of the same trees
    model = booster._handle
    if model.is_linear():
        raise ParameterError("Leaf similarity is only defined for models of trees; this one is gblinear.")
    if any(model.vector_trees()):
        raise ParameterError(
            "Leaf similarity does not support multi_output_tree, whose leaves are vectors. "
            "Train with multi_strategy=one_output_per_tree."
        )
    for given, name in ((data, "data"), (reference, "reference")):
        check_matrix(given, name)
    leaves, others = (_leaves(booster, rows) for rows in (data, reference))
    weights = _weights(model, len(leaves), weight_type)
    similarity = np.empty((data.num_row(), reference.num_row()), np.float32)
    block = max(1, _CELLS // max(1, reference.num_row()))
    for begin in range(0, data.num_row(), block):
        rows = slice(begin, begin + block)
        sums = np.zeros(similarity[rows].shape)
        for leaf, other, weight in zip(leaves, others, weights, strict=True):
            sums += weight * (leaf[rows, np.newaxis] == other)
        similarity[rows] = sums
    return similarity


def _leaves(booster: Prediction, rows: DMatrix) -> Array:
    """Return the leaf of each row in each tree: trees x rows."""
    found = booster.predict(rows, pred_leaf=True)
    return found[np.newaxis] if found.ndim == 1 else found.T


def _weights(model: _core.Booster, trees: int, weight_type: str) -> Array:
    """Return the weights of the first trees, which add up to 1: equal ones if no split tells them apart."""
    weights: Array = np.ones(trees)
    if weight_type != "uniform":
        nodes = model.nodes()
        splits = (nodes["left"] >= 0) & (nodes["tree"] < trees)
        sums = np.bincount(nodes["tree"][splits], nodes[weight_type][splits], minlength=trees)
        weights = sums if sums.any() else weights
    weights /= max(weights.sum(), np.finfo(np.float64).tiny)
    return weights
