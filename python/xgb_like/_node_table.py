# SPDX-License-Identifier: Apache-2.0
"""All nodes of a model as columns of a table, in the form that XGBoost's users know."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._typing import Array


def node_columns(model: _core.Booster, names: dict[int, str], types: list[str]) -> dict[str, Any]:
    """Return the columns Tree, Target, Node, ID, Feature, Split, Yes, No, Missing, Gain, Cover and Category.

    If the leaves of a tree are vectors, each has one row a target, and its inner nodes belong to none, which is NaN.
    """
    nodes = model.nodes()
    order = np.lexsort((nodes["node"], nodes["tree"]))
    vectors = np.asarray(model.vector_trees(), dtype=bool)
    nodes, place = _by_value({field: values[order] for field, values in nodes.items()}, vectors)
    inner, categorical = nodes["left"] >= 0, nodes["categorical"].astype(bool)
    indicator = _is_type(nodes, types, "i") & inner
    yes, no = _children(nodes, categorical, indicator)
    default = np.where(nodes["default_left"], nodes["left"], nodes["right"])
    tree = nodes["tree"].tolist()
    return {
        "Tree": nodes["tree"].astype(np.int64),
        "Target": _targets(model, nodes, place, vectors),
        "Node": nodes["node"].astype(np.int64),
        "ID": [f"{t}-{n}" for t, n in zip(tree, nodes["node"].tolist(), strict=True)],
        "Feature": [names[f] if i else "Leaf" for f, i in zip(nodes["feature"].tolist(), inner.tolist(), strict=True)],
        "Split": _splits(nodes, inner & ~categorical & ~indicator, types),
        "Yes": _links(tree, yes, inner),
        "No": _links(tree, no, inner),
        "Missing": _links(tree, default, inner),
        "Gain": np.where(inner, nodes["gain"], nodes["value"][np.arange(len(place)), place]).astype(np.float64),
        "Cover": nodes["cover"].astype(np.float64),
        "Category": _categories(model, nodes, inner & categorical),
    }


def _by_value(nodes: dict[str, Array], vectors: Array) -> tuple[dict[str, Array], Array]:
    """Repeat leaves that are vectors, once for each of their values; also return which value that is, 0 of others."""
    repeated = (nodes["left"] < 0) & vectors[nodes["tree"]]
    row = np.repeat(np.arange(len(repeated)), np.where(repeated, nodes["value"].shape[1], 1))
    return {field: values[row] for field, values in nodes.items()}, np.arange(len(row)) - np.searchsorted(row, row)


def _targets(model: _core.Booster, nodes: dict[str, Array], place: Array, vectors: Array) -> Array:
    """Return the target of each row: that of its tree, or the place in a vector."""
    shared = vectors[nodes["tree"]]
    mine = np.asarray(model.tree_outputs(), dtype=np.float64)[nodes["tree"]]
    return np.where(shared, np.where(nodes["left"] < 0, place, np.nan), mine)


def _is_type(nodes: dict[str, Array], types: list[str], wanted: str) -> Array:
    if wanted not in types:
        return np.zeros(len(nodes["feature"]), dtype=bool)
    matches: Array = np.asarray(types) == wanted
    return matches[np.clip(nodes["feature"], 0, len(types) - 1)]


def _children(nodes: dict[str, Array], categorical: Array, indicator: Array) -> tuple[Array, Array]:
    """Return the children for yes and no: by the dumps' rules the right one is "yes" for a set of categories."""
    swapped = categorical | (indicator & nodes["default_left"].astype(bool))
    left, right = nodes["left"], nodes["right"]
    return np.where(swapped, right, left), np.where(swapped, left, right)


def _splits(nodes: dict[str, Array], numeric: Array, types: list[str]) -> Array:
    splits = np.where(numeric, nodes["threshold"], np.nan).astype(np.float64)
    integer = _is_type(nodes, types, "int") & numeric
    splits[integer] = np.ceil(splits[integer])
    return splits


def _links(tree: list[int], child: Array, inner: Array) -> list[Any]:
    return [f"{t}-{c}" if i else None for t, c, i in zip(tree, child.tolist(), inner.tolist(), strict=True)]


def _categories(model: _core.Booster, nodes: dict[str, Array], wanted: Array) -> list[list[str] | None]:
    rows = zip(nodes["tree"].tolist(), nodes["node"].tolist(), wanted.tolist(), strict=True)
    return [[str(code) for code in model.category_set(tree, node)] if is_set else None for tree, node, is_set in rows]
