# SPDX-License-Identifier: Apache-2.0
"""A model as plain numbers, in the order in which every form of it needs them; and as the package shap takes trees."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import ParameterError
from .._base._typing import Array
from .._explain._subject import booster_of
from .._model._inspection import levels_of


@dataclass
class TreeTable:
    """A tree, node by node: the root is 0, and children follow one another."""

    output: int  # that its leaves add to, unless they have a value for each
    left: list[int] = field(default_factory=list)  # the right child is the next; 0: a leaf
    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)  # below it a value goes left
    missing_left: list[bool] = field(default_factory=list)
    categories: list[list[int] | None] = field(default_factory=list)  # they go right
    values: list[list[float]] = field(default_factory=list)  # of a leaf: one, or one for each output
    cover: list[float] = field(default_factory=list)


@dataclass
class Forest:
    """A model of trees or of linear weights."""

    objective: str
    link: str
    features: int
    names: list[str]
    labels: list[list[Any] | None]  # by feature what its codes of categories stand for; None of numbers, [] if unknown
    starts: list[float]  # the margins before the first tree
    trees: list[TreeTable]
    weights: Array | None  # of a linear model: features + 1 rows, the last of them biases; a column for each output
    levels: list[float]  # of quantiles or expectiles, whose margins stand together for each target

    @property
    def outputs(self) -> int:
        """The number of margins of a row."""
        return len(self.starts)

    @property
    def has_sets(self) -> bool:
        """Whether there are splits on categories."""
        return any(found is not None for tree in self.trees for found in tree.categories)


def forest_of(model: Any) -> Forest:
    """Return the model of a booster or an estimator, up to the round that early stopping found best."""
    handle = booster_of(model)._best()._handle.copy()
    if handle.num_boosted_rounds() == 0:
        raise ParameterError("`booster` has no rounds yet, so that there is nothing to export. Train it first.")
    objective, link = handle.objective(), handle.link()
    if not link:
        raise ParameterError(f"Models of the objective `{objective}` cannot be exported: its last step is not known.")
    types = handle.feature_types or [""] * handle.num_features()
    known = handle.categories or [None] * len(types)
    lists = [list(found[0] if isinstance(found, tuple) else found or []) for found in known]
    return Forest(
        objective=objective,
        link=link,
        features=handle.num_features(),
        names=list(handle.feature_names),
        labels=[labels if kind == "c" else None for labels, kind in zip(lists, types, strict=True)],
        starts=handle.start_margins(),
        trees=[] if handle.is_linear() else _trees(handle),
        weights=handle.linear_weights(),
        levels=levels_of(handle),
    )


def _trees(handle: _core.Booster) -> list[TreeTable]:
    nodes = handle.nodes()
    nodes["value"] = _values(handle, nodes)
    ends = np.flatnonzero(np.diff(nodes["tree"], append=-1)) + 1
    factors = handle.tree_weights() or [1.0] * len(ends)
    begins = [0, *ends[:-1].tolist()]
    return [
        _tree(handle, number, output, {name: column[begin:end] for name, column in nodes.items()}, factor)
        for number, (output, begin, end, factor) in enumerate(
            zip(handle.tree_outputs(), begins, ends.tolist(), factors, strict=True)
        )
    ]


def _values(handle: _core.Booster, nodes: dict[str, Array]) -> Array:
    """Return the values of nodes; if leaves of some trees are vectors, those of the others become such, too."""
    values = nodes["value"]
    width = values.shape[1]
    if width == 1:
        return values
    tree = nodes["tree"]
    is_vector, output = np.asarray(handle.vector_trees())[tree], np.asarray(handle.tree_outputs())[tree]
    spread = values[:, :1] * (np.arange(width) == output[:, np.newaxis])
    return np.where(is_vector[:, np.newaxis], values, spread)


def _tree(handle: _core.Booster, number: int, output: int, nodes: dict[str, Array], factor: float) -> TreeTable:
    """Return a tree with its nodes numbered level by level."""
    leaves = (nodes["value"] * np.float32(factor)).tolist()
    columns = {name: column.tolist() for name, column in nodes.items()}
    place = {node: row for row, node in enumerate(columns["node"])}
    tree, order = TreeTable(output), [0]
    for row in order:  # grows meanwhile
        is_leaf = columns["left"][row] < 0
        tree.left.append(0 if is_leaf else len(order))
        tree.feature.append(0 if is_leaf else columns["feature"][row])
        tree.threshold.append(0.0 if is_leaf else columns["threshold"][row])
        tree.missing_left.append(not is_leaf and bool(columns["default_left"][row]))
        is_set = not is_leaf and columns["categorical"][row]
        tree.categories.append(handle.category_set(number, columns["node"][row]) if is_set else None)
        tree.values.append(leaves[row] if is_leaf else [])
        tree.cover.append(columns["cover"][row])
        if not is_leaf:
            order += [place[columns["left"][row]], place[columns["right"][row]]]
    return tree


# What shap has a loss and a link for, by its names.
_LOSSES = {
    "binary:logistic": {"objective": "binary_crossentropy", "tree_output": "log_odds"},
    "reg:logistic": {"objective": "binary_crossentropy", "tree_output": "log_odds"},
    "reg:squarederror": {"objective": "squared_error", "tree_output": "raw_value"},
}


def to_shap(booster: Any) -> dict[str, Any]:
    """Return the trees of a model in a form that ``shap.TreeExplainer`` takes.

    Its values are those of ``predict(..., pred_contribs=True)``, also with a background, as far as floats go. Models
    that split on categories, and linear models, have no such form. :class:`xgb_like.explain.TreeExplainer` explains
    them, too, with shap's arguments and pictures. The call does not need the package shap.

    Parameters
    ----------
    booster
        A :class:`Booster`, or an estimator that has one. After early stopping, only the rounds up to the best are used.

    Returns
    -------
    dict

    Examples
    --------
    ::

        explainer = shap.TreeExplainer(xgb.export.to_shap(model))
        shap.plots.beeswarm(explainer(X))
    """
    forest = forest_of(booster)
    what = "is linear" if forest.weights is not None else "splits on categories" if forest.has_sets else ""
    if what:
        raise ParameterError(
            f"`booster` {what}, which has no form that shap takes. Use xgb_like.explain.TreeExplainer(model), whose "
            "explanations shap draws as well, or predict(..., pred_contribs=True, background=...)."
        )
    return {
        "trees": [_shap_tree(forest, tree) for tree in forest.trees],
        "base_offset": np.array(forest.starts),
        "input_dtype": np.float32,  # as which rows are compared with thresholds
        "internal_dtype": np.float64,
        **_LOSSES.get(forest.objective, {}),
    }


def _shap_tree(forest: Forest, tree: TreeTable) -> dict[str, Array]:
    left = np.array(tree.left)
    is_leaf = left == 0
    children = np.where(is_leaf, -1, left), np.where(is_leaf, -1, left + 1)
    values = np.zeros((len(left), forest.outputs))  # of leaves; shap finds the means of other nodes itself
    for node in np.flatnonzero(is_leaf).tolist():
        own = tree.values[node]
        column = slice(None) if len(own) > 1 else slice(tree.output, tree.output + 1)
        values[node, column] = own
    return {
        "children_left": children[0],
        "children_right": children[1],
        "children_default": np.where(tree.missing_left, *children),
        "features": np.where(is_leaf, -1, tree.feature),
        # Here x < threshold goes left, in shap x <= threshold.
        "thresholds": np.nextafter(np.array(tree.threshold, np.float32), np.float32(-np.inf)).astype(np.float64),
        "values": values,
        "node_sample_weight": np.array(tree.cover),
    }
