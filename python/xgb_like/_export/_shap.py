# SPDX-License-Identifier: Apache-2.0
"""A model as the package shap takes trees of any origin: a dict of arrays."""

from typing import Any

import numpy as np

from .._base._exceptions import ParameterError
from .._base._typing import Array
from ._forest import Forest, TreeTable, forest_of

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
        "trees": [_tree(forest, tree) for tree in forest.trees],
        "base_offset": np.array(forest.starts),
        "input_dtype": np.float32,  # as which rows are compared with thresholds
        "internal_dtype": np.float64,
        **_LOSSES.get(forest.objective, {}),
    }


def _tree(forest: Forest, tree: TreeTable) -> dict[str, Array]:
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
