# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The nodes of one tree as a picture shows them: short texts, and who is whose child."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base._typing import PathLike
from .._model._booster import Booster
from .._model._inspection import node_table
from ._texts import distinct_numbers, literal, names_within, number, wrapped

_MOST_CATEGORIES, _MOST_VALUES = 4, 16
_NAME_WIDTH, _SET_WIDTH = 24, 40  # letters of a line
_STATISTICS_DIGITS, _THRESHOLD_DIGITS = 4, 5


@dataclass(frozen=True)
class Node:
    """One node: its lines of text; children (left, right) with the texts of their edges; the values of a leaf."""

    lines: tuple[str, ...]
    children: tuple[int, int] | None = None
    edges: tuple[str, str] = ("", "")
    values: tuple[float, ...] = ()


def nodes_of(
    model: Booster, tree: int, fmap: PathLike, with_stats: bool, max_name_length: int | None = None
) -> dict[int, Node]:
    """Return the nodes of a tree by number; 0 is the root."""
    words = _Words(model, tree, fmap, max_name_length)
    return {node: words.node(node, with_stats) for node in words.nodes}


class _Words:
    """The table of a tree's nodes, and what is said of them."""

    def __init__(self, model: Booster, tree: int, fmap: PathLike, most: int | None) -> None:
        handle = model._named().copy()
        self._table = node_table(handle, fmap)
        self._most = most
        rows = np.flatnonzero(np.asarray(self._table["Tree"]) == tree).tolist()
        self._rows: dict[int, list[int]] = {}  # of a node: several for a leaf of several values
        for row in rows:
            self._rows.setdefault(int(self._table["Node"][row]), []).append(row)
        self.nodes = list(self._rows)
        raw = handle.nodes()
        mine = raw["tree"] == tree
        numbers = raw["node"][mine].tolist()
        self._features = dict(zip(numbers, raw["feature"][mine].tolist(), strict=True))
        self._raw_thresholds = dict(zip(numbers, raw["threshold"][mine].tolist(), strict=True))
        self._categories = model._handle.categories
        self._names = self._shown_names()
        self._thresholds = self._shown_thresholds()

    def node(self, node: int, with_stats: bool) -> Node:
        """Return what a picture shows of a node."""
        table, rows = self._table, self._rows[node]
        values = [float(table["Gain"][row]) for row in rows]
        cover = [f"cover {number(table['Cover'][rows[0]], _STATISTICS_DIGITS)}"]
        if not self._is_inner(node):
            leaf = [number(value) for value in values[:_MOST_VALUES]]
            more = [f"{len(values) - _MOST_VALUES} more"] if len(values) > _MOST_VALUES else []
            return Node((*leaf, *more, *(cover if with_stats else ())), values=tuple(values))
        yes, no, missing = (self._child(node, name) for name in ("Yes", "No", "Missing"))
        rows_of: dict[int, list[str]] = {yes: ["yes"], no: []}
        rows_of[self._zero(node) if self._is_indicator(node) else no].append("no")
        rows_of[missing].append("missing")
        left, right = sorted((yes, no))
        gain = f"gain {number(values[0], _STATISTICS_DIGITS)}"
        lines = (*self._condition(node), *((gain, *cover) if with_stats else ()))
        return Node(lines, (left, right), (", ".join(rows_of[left]), ", ".join(rows_of[right])))

    def _is_inner(self, node: int) -> bool:
        return isinstance(self._table["Yes"][self._rows[node][0]], str)

    def _is_indicator(self, node: int) -> bool:
        row = self._rows[node][0]
        return bool(np.isnan(self._table["Split"][row])) and not isinstance(self._table["Category"][row], list)

    def _child(self, node: int, name: str) -> int:
        return int(self._table[name][self._rows[node][0]].partition("-")[2])

    def _zero(self, node: int) -> int:
        """Return where "no" goes: 0 of an indicator."""
        children = sorted((self._child(node, "Yes"), self._child(node, "No")))
        return children[0 if self._raw_thresholds[node] > 0 else 1]

    def _condition(self, node: int) -> list[str]:
        row = self._rows[node][0]
        name, categories = self._names[self._table["Feature"][row]], self._table["Category"][row]
        if isinstance(categories, list):
            shown = self._category_names(node, categories)
            more = [f"{len(categories) - len(shown)} more"] if len(categories) > len(shown) else []
            return literal(wrapped(f"{name} in {{{', '.join([*shown, *more])}}}", _SET_WIDTH)).split("\n")
        lines = literal(wrapped(name, _NAME_WIDTH)).split("\n")
        return lines if self._is_indicator(node) else [*lines[:-1], f"{lines[-1]} < {self._thresholds[node]}"]

    def _shown_names(self) -> dict[str, str]:
        names = sorted({self._table["Feature"][rows[0]] for node, rows in self._rows.items() if self._is_inner(node)})
        return dict(zip(names, names_within(names, self._most), strict=True))

    def _shown_thresholds(self) -> dict[int, str]:
        """Return the thresholds of nodes; those of a feature differ if they differ, and whole numbers are whole."""
        splits: dict[str, dict[int, float]] = {}
        for node, rows in self._rows.items():
            split = self._table["Split"][rows[0]]
            if self._is_inner(node) and not np.isnan(split):
                splits.setdefault(self._table["Feature"][rows[0]], {})[node] = float(split)
        found = {}
        for values in splits.values():
            texts = distinct_numbers(values.values(), _THRESHOLD_DIGITS)
            found.update({node: texts[value] for node, value in values.items()})
        return found

    def _category_names(self, node: int, codes: Sequence[int]) -> list[str]:
        """Return the names of the first categories of a set; a code that has none stays."""
        feature = self._features[node]
        known: Any = self._categories[feature] if feature < len(self._categories) else None
        labels = known if isinstance(known, list) else known[0] if known else ()
        found = [labels[code] if int(code) < len(labels) else code for code in codes]
        texts = [number(label, 6) if isinstance(label, float) else str(label) for label in found]
        return names_within(texts, self._most)[:_MOST_CATEGORIES]
