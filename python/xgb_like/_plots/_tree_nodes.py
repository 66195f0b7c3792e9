# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The nodes of one tree as a picture shows them: short texts, and who is whose child."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._booster import Booster
from .._inspection import node_table
from .._names import names_of
from .._typing import PathLike
from ._style import label_of, number

_MOST_CATEGORIES, _MOST_VALUES = 4, 16
_STATISTICS_DIGITS = 4


@dataclass(frozen=True)
class Node:
    """One node: its lines of text; children (left, right) with the texts of their edges; the values of a leaf."""

    lines: tuple[str, ...]
    children: tuple[int, int] | None = None
    edges: tuple[str, str] = ("", "")
    values: tuple[float, ...] = ()


def nodes_of(model: Booster, tree: int, fmap: PathLike, with_stats: bool) -> dict[int, Node]:
    """Return the nodes of a tree by number; 0 is the root."""
    table = node_table(model._named().copy(), fmap)
    rows = [row for row in range(len(table["Node"])) if table["Tree"][row] == tree]
    values: dict[int, list[float]] = {}
    for row in rows:
        values.setdefault(int(table["Node"][row]), []).append(float(table["Gain"][row]))
    labels = {} if os.fspath(fmap) else _labels(model)
    first = {int(table["Node"][row]): row for row in reversed(rows)}
    return {node: _node(table, row, values[node], labels, with_stats) for node, row in first.items()}


def _node(
    table: dict[str, Any], row: int, values: Sequence[float], labels: dict[str, Sequence[Any]], with_stats: bool
) -> Node:
    feature, cover = table["Feature"][row], [f"cover {number(table['Cover'][row], _STATISTICS_DIGITS)}"]
    if not isinstance(table["Yes"][row], str):  # a leaf
        leaf = "\n".join(number(value) for value in values[:_MOST_VALUES])
        leaf += f"\n{len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else ""
        return Node((leaf, *(cover if with_stats else ())), values=tuple(values))
    gain = [f"gain {number(values[0], _STATISTICS_DIGITS)}"]
    yes, no, missing = (int(table[name][row].partition("-")[2]) for name in ("Yes", "No", "Missing"))
    texts = {yes: "yes", no: "no"}
    texts[missing] += ", missing"
    left, right = sorted((yes, no))
    return Node(
        (_condition(table, row, labels.get(feature, ())), *((*gain, *cover) if with_stats else ())),
        (left, right),
        (texts[left], texts[right]),
    )


def _condition(table: dict[str, Any], row: int, labels: Sequence[Any]) -> str:
    name, split, categories = label_of(table["Feature"][row], 24), table["Split"][row], table["Category"][row]
    if isinstance(categories, list):
        shown = [label_of(_label(labels, code), 12) for code in categories[:_MOST_CATEGORIES]]
        more = len(categories) - len(shown)
        return f"{name} in {{{', '.join(shown)}{f', {more} more' if more else ''}}}"
    return f"{name} < {number(split, 5)}" if split == split else name  # noqa: PLR0124  NaN: an indicator


def _labels(model: Booster) -> dict[str, Sequence[Any]]:
    """Return the categories of each feature that has some."""
    pairs = zip(names_of(model.feature_names, model.num_features()), model._handle.categories, strict=False)
    return {name: values if isinstance(values, list) else values[0] for name, values in pairs if values}


def _label(labels: Sequence[Any], code: str) -> str:
    if int(code) >= len(labels):
        return code
    label = labels[int(code)]
    return number(label, 6) if isinstance(label, float) else str(label)
