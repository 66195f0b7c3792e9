# SPDX-License-Identifier: Apache-2.0
"""What pictures show of a model: one of its trees, or one of its outputs."""

from reprlib import repr as shortened
from typing import Any

import numpy as np

from .._base._exceptions import ParameterError, count, whole
from .._base._messages import warn
from .._data._matrix import DMatrix
from .._explain._subject import booster_of
from .._model._booster import Booster
from .._model._inspection import name_of_level


def checked_output(output: Any, outputs: int) -> int:
    """Return the number of a class or target, checked to be one of the model's."""
    return count(output, "output", 0, outputs - 1)


def output_number(model: Any, output: Any) -> Any:
    """Return the number of an output that is given by the label of a class of a classifier; else what is given."""
    classes = getattr(model, "_classes", None)
    if classes is None or (hasattr(output, "__index__") and not isinstance(output, (bool, np.bool_))):
        return output
    labels = classes.values.tolist()
    if output not in labels:
        raise ParameterError(
            f"`output` must be the number of an output, or one of the classes {shortened(labels)}; got {output!r}."
        )
    number = labels.index(output)
    if booster_of(model)._handle.num_outputs() > 1:
        return number
    if number == 0:  # of two classes: the one output is about the other
        raise ParameterError(f"`output`: the model has one output, which is of the class {labels[-1]!r}.")
    return 0


def name_of_output(model: Any, output: int) -> str | None:
    """Return what one output is: a class by its label, a level, or a target; None if the prediction is all there is."""
    handle = booster_of(model)._handle
    objective, outputs = handle.objective(), handle.num_outputs()
    if objective.startswith("multi:") or (objective.startswith("binary:") and outputs == 1):
        classes = getattr(model, "_classes", None)
        number = output if outputs > 1 else 1
        return f"class {number if classes is None else classes.values.tolist()[number]}"
    if objective == "reg:gaussian":
        return ("mean", "variance")[output % 2] + (f" of target {output // 2}" if outputs > 2 else "")
    return name_of_level(handle, output) or (f"target {output}" if outputs > 1 else None)


def round_of_tree(model: Any, num_trees: int | None, tree_idx: int) -> tuple[Booster, int]:
    """Return the model of the round that a tree is in, and the tree's number there. XGBoost has deprecated `num_trees`.

    Only that round is dumped and drawn, which matters for models of thousands of trees.
    """
    booster = booster_of(model, "booster")
    if num_trees is not None:
        warn("`num_trees` is deprecated, use `tree_idx`.", FutureWarning)
    tree = whole(tree_idx, "tree_idx") if num_trees is None else whole(num_trees, "num_trees")
    if booster._handle.is_linear():
        raise ParameterError("The model is linear (Booster type gblinear): it has no trees to draw.")
    ends = np.cumsum(booster._handle.trees_per_round())
    total = int(ends[-1]) if len(ends) else 0
    if not -total <= tree < total:
        raise IndexError(f"`tree_idx` must be from 0 to {total - 1}, the last tree of the model; got {tree}.")
    number = tree % total
    position = int(np.searchsorted(ends, number, side="right"))
    begin = int(ends[position - 1]) if position else 0
    return booster[position], number - begin


# The rows that a picture is drawn from: no more than can be seen, or predicted in a moment.
def thinned(matrix: DMatrix, most: int) -> DMatrix:
    """Return a matrix of no more than so many of its rows, evenly taken."""
    if matrix.num_row() <= most:
        return matrix
    rows = np.linspace(0, matrix.num_row() - 1, most).astype(np.int64)
    return matrix.slice(rows, allow_groups=True)
