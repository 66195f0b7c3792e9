# SPDX-License-Identifier: Apache-2.0
"""The attributes of ONNX's two operators for trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._forest import Forest, TreeTable

# What is said of each node, by either operator.
_NODES = (
    *("treeids", "nodeids", "featureids", "modes", "values"),
    *("truenodeids", "falsenodeids", "missing_value_tracks_true"),
)
_NODES_WITH_SETS = (
    *("featureids", "modes", "splits", "truenodeids", "trueleafs"),
    *("falsenodeids", "falseleafs", "missing_value_tracks_true"),
)
_BELOW, _IN_SET = 1, 6  # tests of a node, in ONNX's numbers
_NO_CATEGORY = 0.5  # stands in a set that would be empty: no whole number is it


def tree_ensemble(forest: Forest) -> dict[str, Any]:
    """Return the attributes of TreeEnsembleRegressor, which splits on numbers only but is known to all runtimes."""
    nodes: dict[str, list[Any]] = {f"nodes_{name}": [] for name in _NODES}
    targets: dict[str, list[Any]] = {f"target_{name}": [] for name in ("treeids", "nodeids", "ids", "weights")}
    for number, tree in enumerate(forest.trees):
        for node, left in enumerate(tree.left):
            mode = "BRANCH_LT" if left else "LEAF"
            test = (tree.feature[node], mode, tree.threshold[node], left, left + 1 if left else 0)
            _append(nodes, (number, node, *test, int(tree.missing_left[node])))
            values = tree.values[node]
            for output, value in enumerate(values, 0 if len(values) > 1 else tree.output):
                _append(targets, (number, node, output, value))
    return {
        **nodes,
        **targets,
        "n_targets": forest.outputs,
        "base_values": forest.starts,
        "aggregate_function": "SUM",
        "post_transform": "NONE",
    }


def set_ensemble(forest: Forest) -> dict[str, Any]:
    """Return the attributes of TreeEnsemble, which knows sets, for the trees that split.

    Each of its leaves has one value.
    """
    table = _Table()
    for tree in filter(_splits, forest.trees):
        width = max(map(len, tree.values))
        for index in range(width):
            table.add(tree, index, index if width > 1 else tree.output)
    return {**table.attributes(), "n_targets": forest.outputs}


def constant_margins(forest: Forest) -> list[float]:
    """Return what every row gets beside the sum of the trees that split: runtimes disagree on trees of one leaf."""
    margins = np.array(forest.starts, dtype=np.float32)
    for tree in forest.trees:
        if not _splits(tree):
            for output, value in enumerate(tree.values[0], 0 if len(tree.values[0]) > 1 else tree.output):
                margins[output] += np.float32(value)
    return [float(margin) for margin in margins]


def _splits(tree: TreeTable) -> bool:
    return len(tree.left) > 1


class _Table:
    """Inner nodes and leaves of all trees, in two tables."""

    def __init__(self) -> None:
        self._roots: list[int] = []
        self._nodes: dict[str, list[Any]] = {f"nodes_{name}": [] for name in _NODES_WITH_SETS}
        self._leaves: dict[str, list[Any]] = {"leaf_targetids": [], "leaf_weights": []}
        self._members: list[float] = []

    def add(self, tree: TreeTable, index: int, output: int) -> None:
        """Append a tree with that value of its leaves."""
        root, first_leaf = len(self._nodes["nodes_modes"]), len(self._leaves["leaf_weights"])
        self._roots.append(root)
        places, inner, leaves = [], root, first_leaf
        for left in tree.left:
            places.append((inner, 0) if left else (leaves, 1))
            inner, leaves = (inner + 1, leaves) if left else (inner, leaves + 1)
        for node, left in enumerate(tree.left):
            if left:
                self._add_split(tree, node, places[left], places[left + 1])
            else:
                _append(self._leaves, (output, tree.values[node][index]))

    def _add_split(self, tree: TreeTable, node: int, left: tuple[int, int], right: tuple[int, int]) -> None:
        categories, missing_left = tree.categories[node], int(tree.missing_left[node])
        if categories is None:
            _append(self._nodes, (tree.feature[node], _BELOW, tree.threshold[node], *left, *right, missing_left))
            return
        members: Sequence[float] = categories or [_NO_CATEGORY]
        self._members += [*members, float("nan")]
        _append(self._nodes, (tree.feature[node], _IN_SET, 0.0, *right, *left, 1 - missing_left))

    def attributes(self) -> dict[str, Any]:
        """Return the tables as ONNX has them: numbers of some columns are tensors."""
        tensors: dict[str, Any] = {"nodes_modes": np.uint8, "nodes_splits": np.float32, "leaf_weights": np.float32}
        columns = {**self._nodes, **self._leaves, "tree_roots": self._roots, "membership_values": self._members}
        tensors["membership_values"] = np.float32
        return {
            name: np.array(column, dtype=tensors[name]) if name in tensors else column
            for name, column in columns.items()
        }


def _append(columns: dict[str, list[Any]], row: tuple[Any, ...]) -> None:
    for column, value in zip(columns.values(), row, strict=True):
        column.append(value)
