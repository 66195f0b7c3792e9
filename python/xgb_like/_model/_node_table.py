# SPDX-License-Identifier: Apache-2.0
"""All nodes of a model as columns of a table, in the form that XGBoost's users know."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._base._typing import Array


def node_columns(model: _core.Booster, names: dict[int, str], types: list[str]) -> dict[str, Any]:
    """Return the columns Tree, Target, Node, ID, Feature, Split, Yes, No, Missing, Gain, Cover and Category.

    Target is the output that a tree adds to. A leaf that is a vector has one row for each of them; for the inner nodes
    of its tree Target is NaN.
    """
    nodes = model.nodes()
    order = np.lexsort((nodes["node"], nodes["tree"]))
    nodes, number = _by_value({field: values[order] for field, values in nodes.items()}, model.vector_trees())
    inner, categorical = nodes["left"] >= 0, nodes["categorical"].astype(bool)
    indicator = _is_type(nodes, types, "i") & inner & ~_together(nodes)
    yes, no = _children(nodes, categorical, indicator)
    default = np.where(nodes["default_left"], nodes["left"], nodes["right"])
    tree = nodes["tree"].tolist()
    return {
        "Tree": nodes["tree"].astype(np.int64),
        "Target": _targets(model, nodes["tree"], number, inner),
        "Node": nodes["node"].astype(np.int64),
        "ID": [f"{t}-{n}" for t, n in zip(tree, nodes["node"].tolist(), strict=True)],
        "Feature": [names[f] if i else "Leaf" for f, i in zip(nodes["feature"].tolist(), inner.tolist(), strict=True)],
        "Split": _splits(nodes, inner & ~categorical & ~indicator, types),
        "Yes": _links(tree, yes, inner),
        "No": _links(tree, no, inner),
        "Missing": _links(tree, default, inner),
        "Gain": np.where(inner, nodes["gain"], nodes["value"][np.arange(len(inner)), number]).astype(np.float64),
        "Cover": nodes["cover"].astype(np.float64),
        "Category": _categories(model, nodes, inner & categorical),
    }


def _by_value(nodes: dict[str, Array], is_vector: list[bool]) -> tuple[dict[str, Array], Array]:
    """Repeat leaves that are vectors, once for each of their values; also return which value that is, else 0."""
    repeated = (nodes["left"] < 0) & np.asarray(is_vector, dtype=bool)[nodes["tree"]]
    row = np.repeat(np.arange(len(repeated)), np.where(repeated, nodes["value"].shape[1], 1))
    number = np.arange(len(row)) - np.searchsorted(row, row)
    return {field: values[row] for field, values in nodes.items()}, number


def _targets(model: _core.Booster, tree: Array, number: Array, inner: Array) -> Array:
    of_vectors = np.asarray(model.vector_trees(), dtype=bool)[tree]
    return np.where(of_vectors, np.where(inner, np.nan, number), np.asarray(model.tree_outputs())[tree])


def _is_type(nodes: dict[str, Array], types: list[str], wanted: str) -> Array:
    if wanted not in types:
        return np.zeros(len(nodes["feature"]), dtype=bool)
    matches: Array = np.asarray(types) == wanted
    return matches[np.clip(nodes["feature"], 0, len(types) - 1)]


def _together(nodes: dict[str, Array]) -> Array:
    """Return whether 0, 1 and missing values stay together: dumps show such a test of an indicator as a number's."""
    missing_left = nodes["default_left"].astype(bool)
    together: Array = np.where(missing_left, nodes["threshold"] > 1, nodes["threshold"] <= 0)
    return together


def _children(nodes: dict[str, Array], categorical: Array, indicator: Array) -> tuple[Array, Array]:
    """Return the children for yes and no, as dumps have them: where a set's categories and an indicator's 1 go."""
    swapped = categorical | (indicator & (nodes["threshold"] <= 1))
    left, right = nodes["left"], nodes["right"]
    return np.where(swapped, right, left), np.where(swapped, left, right)


def _splits(nodes: dict[str, Array], numeric: Array, types: list[str]) -> Array:
    splits = np.where(numeric, nodes["threshold"], np.nan).astype(np.float64)
    integer = _is_type(nodes, types, "int") & numeric
    splits[integer] = np.ceil(splits[integer])
    return splits


def _links(tree: list[int], child: Array, inner: Array) -> list[Any]:
    return [f"{t}-{c}" if i else np.nan for t, c, i in zip(tree, child.tolist(), inner.tolist(), strict=True)]


def _categories(model: _core.Booster, nodes: dict[str, Array], wanted: Array) -> Any:
    if not wanted.any():
        return np.full(len(wanted), np.nan)
    rows = zip(nodes["tree"].tolist(), nodes["node"].tolist(), nodes["left"].tolist(), wanted.tolist(), strict=True)
    return [
        list(model.category_set(tree, node)) if is_set else None if left >= 0 else np.nan
        for tree, node, left, is_set in rows
    ]
