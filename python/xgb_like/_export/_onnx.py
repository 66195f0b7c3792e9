# SPDX-License-Identifier: Apache-2.0
"""A model as an ONNX graph."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._base._libraries import require
from ._forest import Forest, TreeTable, forest_of

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


_OPSET = 17
_TREES = ("ai.onnx.ml", 3)
_TREES_WITH_SETS = ("ai.onnx.ml", 5)
_IR_VERSION = {3: 8, 5: 10}
_FLOAT = 1  # the number of the type float32
_LARGEST = np.finfo(np.float32).max


def to_onnx(booster: Any) -> Any:
    """Write a model as an ONNX graph.

    Its input ``X`` is a table of float32 in which NaN is missing and categories are their codes; its output
    ``prediction``, of two dimensions, is what ``inplace_predict`` gives. Models that split on categories need a runtime
    that knows version 5 of ``ai.onnx.ml``, such as ONNX Runtime since 1.20. Needs the package onnx.

    Parameters
    ----------
    booster
        A :class:`Booster`, or an estimator that has one. After early stopping, the rounds up to the best are written.

    Returns
    -------
    onnx.ModelProto
        ``SerializeToString()`` gives the bytes of a file.
    """
    onnx = require("onnx", "Writing a model as ONNX")
    forest = forest_of(booster)
    graph = _Graph(onnx)
    sets = forest.has_sets
    if forest.weights is not None:
        present = graph.add("Where", [graph.add("IsNaN", ["X"]), graph.constant(0), "X"])
        product = graph.add("MatMul", [present, graph.constant(forest.weights[:-1])])
        biases = forest.weights[-1] + np.array(forest.starts, dtype=np.float32)
        margins = graph.add("Add", [product, graph.constant(biases)])
    elif sets:
        categorical = np.zeros(forest.features, dtype=bool)
        for tree in forest.trees:
            for feature, categories in zip(tree.feature, tree.categories, strict=True):
                categorical[feature] |= categories is not None
        # A fraction counts as the category below it.
        whole = graph.add("Where", [graph.constant(categorical, bool), graph.add("Floor", ["X"]), "X"])
        sums = graph.add("TreeEnsemble", [whole], domain=_TREES_WITH_SETS[0], **set_ensemble(forest))
        margins = graph.add("Add", [sums, graph.constant(constant_margins(forest))])
    else:
        margins = graph.add("TreeEnsembleRegressor", ["X"], domain=_TREES[0], **tree_ensemble(forest))
    graph.add("Identity", [_add_link(graph, forest, margins)], result="prediction")
    return _model(onnx, graph, forest, _TREES_WITH_SETS if sets else _TREES)


class _Graph:
    """Nodes and constants as they are added."""

    def __init__(self, onnx: Any) -> None:
        self._onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, inputs: list[str], *, result: str = "", further: int = 0, **attributes: Any) -> str:
        """Append a node and return the name of its first output; arrays among the attributes become tensors."""
        output = result or f"{kind.lower()}_{len(self.nodes)}"
        outputs = [output, *(f"{output}_{number}" for number in range(further))]
        tensor = self._onnx.numpy_helper.from_array
        given = {
            name: tensor(value, name) if isinstance(value, np.ndarray) else value for name, value in attributes.items()
        }
        self.nodes.append(self._onnx.helper.make_node(kind, inputs, outputs, name=f"make_{output}", **given))
        return output

    def constant(self, values: Any, kind: Any = np.float32) -> str:
        """Add a constant and return its name."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(self._onnx.numpy_helper.from_array(np.asarray(values, dtype=kind), name))
        return name


def _add_link(graph: _Graph, forest: Forest, margins: str) -> str:
    link = forest.link
    if link in ("steps", "sorted"):
        return _add_levels(graph, forest, margins)
    if link == "variances":
        logs = graph.add("Clip", [margins, graph.constant(-40), graph.constant(40)])
        variances = graph.add("Exp", [graph.add("Mul", [logs, graph.constant(2)])])
        return graph.add("Where", [graph.constant(np.arange(forest.outputs) % 2 == 0, bool), margins, variances])
    if link == "sigmoid":
        return graph.add("Sigmoid", [margins])
    if link == "sigmoid of twice":
        return graph.add("Sigmoid", [graph.add("Mul", [margins, graph.constant(2)])])
    if link == "exp":
        return graph.add("Min", [graph.add("Exp", [margins]), graph.constant(_LARGEST)])
    if link == "softmax":
        return graph.add("Softmax", [margins], axis=1)
    if link == "step":
        return graph.add("Cast", [graph.add("Greater", [margins, graph.constant(0)])], to=_FLOAT)
    if link == "class":
        return graph.add("Cast", [graph.add("ArgMax", [margins], axis=1)], to=_FLOAT)
    if link == "shares":
        single = graph.add("Sigmoid", [margins])
        return graph.add("Div", [single, graph.add("ReduceSum", [single, graph.constant([1], np.int64)], keepdims=1)])
    return margins


def _add_levels(graph: _Graph, forest: Forest, margins: str) -> str:
    """Add what makes quantiles or expectiles of the margins of each target."""
    count = len(forest.levels)
    several = forest.outputs > count
    cells = graph.add("Reshape", [margins, graph.constant([-1, count], np.int64)]) if several else margins
    if forest.link == "steps":
        above = graph.add("Add", [graph.add("Softplus", [cells]), graph.constant(1e-6)])
        steps = graph.add("Where", [graph.constant(np.arange(count) == 0, bool), cells, above])
        found = graph.add("CumSum", [steps, graph.constant(1, np.int64)])
    else:
        rising = graph.add("TopK", [cells, graph.constant([count], np.int64)], further=1, largest=0)
        ranks = np.argsort(np.argsort(forest.levels, kind="stable"))
        found = graph.add("Gather", [rising, graph.constant(ranks, np.int64)], axis=1)
    return graph.add("Reshape", [found, graph.constant([-1, forest.outputs], np.int64)]) if several else found


def _model(onnx: Any, graph: _Graph, forest: Forest, trees: tuple[str, int]) -> Any:
    helper = onnx.helper
    width = 1 if forest.link == "class" else forest.outputs
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "xgb_like",
            [helper.make_tensor_value_info("X", _FLOAT, [None, forest.features])],
            [helper.make_tensor_value_info("prediction", _FLOAT, [None, width])],
            initializer=graph.constants,
            doc_string=f"{forest.objective}, {len(forest.trees)} trees",
        ),
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(*trees)],
        producer_name="xgb_like",
        producer_version=_core.__version__,
        ir_version=_IR_VERSION[trees[1]],
    )
    if forest.names:
        helper.set_model_props(model, {"feature_names": "\n".join(forest.names)})
    return model
