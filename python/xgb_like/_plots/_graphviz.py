# SPDX-License-Identifier: Apache-2.0
"""A tree in graphviz's language."""

import json
from typing import Any

from .._base._libraries import require
from .._base._typing import PathLike
from ._models import round_of_tree


def to_graphviz(
    booster: Any,
    *,
    fmap: PathLike = "",
    num_trees: int | None = None,
    rankdir: str | None = None,
    yes_color: str | None = None,
    no_color: str | None = None,
    condition_node_params: dict[str, str] | None = None,
    leaf_node_params: dict[str, str] | None = None,
    with_stats: bool = False,
    tree_idx: int = 0,
    **kwargs: Any,
) -> Any:
    """Return one tree as graphviz source, which notebooks draw.

    Drawing needs the program ``dot``; :func:`plot_tree` does not.

    Parameters
    ----------
    booster : Booster or estimator
        The model.
    fmap
        A file that names the features.
    num_trees
        Deprecated: the same as `tree_idx`.
    rankdir
        ``TB`` for a tree from top to bottom, ``LR`` for one from left to right.
    yes_color, no_color
        Colours of the edges.
    condition_node_params, leaf_node_params
        Attributes of graphviz for the nodes, such as ``{"shape": "box"}``.
    with_stats
        Whether gain and cover are shown.
    tree_idx
        The number of the tree; negative ones count from the last.
    **kwargs
        Attributes of graphviz for the whole graph.

    Returns
    -------
    graphviz.Source

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> X = np.arange(20.0).reshape(20, 1)
    >>> model = xgb.train({"max_depth": 1}, xgb.DMatrix(X, X[:, 0] > 9), 1)
    >>> print(xgb.to_graphviz(model).source.splitlines()[0])
    digraph {
    """
    graphviz = require("graphviz", "to_graphviz()")
    model, position = round_of_tree(booster, num_trees, tree_idx)
    given = {
        "category_names": True,
        "rankdir": rankdir,
        "yes_color": yes_color,
        "no_color": no_color,
        "condition_node_params": condition_node_params,
        "leaf_node_params": leaf_node_params,
        "graph_attrs": {name: str(value) for name, value in kwargs.items()},
    }
    options = json.dumps({name: value for name, value in given.items() if value})
    dumps = model.get_dump(fmap=fmap, with_stats=with_stats, dump_format=f"dot:{options}")
    return graphviz.Source(dumps[position])
