# SPDX-License-Identifier: Apache-2.0
"""Where the nodes of a binary tree stand: as tight as their widths allow, each parent amid its children.

The two parts of a tree are pushed together until their outlines touch, level by level (Reingold and Tilford, "Tidier
drawings of trees", 1981). Time and memory grow as nodes times levels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Children = Mapping[int, tuple[int, int]]


@dataclass
class _Outline:
    """The left and right ends of a part of the tree on each level, seen from its topmost node."""

    left: list[float]
    right: list[float]

    def moved(self, by: float) -> _Outline:
        return _Outline([x + by for x in self.left], [x + by for x in self.right])


def place(root: int, children: Children, widths: Mapping[int, float], gap: float) -> dict[int, tuple[float, int]]:
    """Return the position across and the level of each node; nodes of a level are at least `gap` apart."""
    outlines: dict[int, _Outline] = {}
    spreads: dict[int, float] = {}
    for node in reversed(order(root, children)):  # children before parents
        half = widths[node] / 2
        own = _Outline([-half], [half])
        if node in children:
            left, right = (outlines.pop(child) for child in children[node])
            spread = _distance(left, right, gap) / 2
            spreads[node] = spread
            below = _joined(left.moved(-spread), right.moved(spread))
            own = _Outline(own.left + below.left, own.right + below.right)
        outlines[node] = own
    return _absolute(root, children, spreads)


def order(root: int, children: Children) -> list[int]:
    """Return all nodes, parents before children."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(reversed(children.get(node, ())))
    return found


def _distance(left: _Outline, right: _Outline, gap: float) -> float:
    return max(end - begin for end, begin in zip(left.right, right.left, strict=False)) + gap


def _joined(left: _Outline, right: _Outline) -> _Outline:
    return _Outline(_longer(left.left, right.left, 0), _longer(left.right, right.right, 1))


def _longer(left: Sequence[float], right: Sequence[float], side: int) -> list[float]:
    common = min(len(left), len(right))
    near = left if side == 0 else right
    return [*near[:common], *left[common:], *right[common:]]


def _absolute(root: int, children: Children, spreads: Mapping[int, float]) -> dict[int, tuple[float, int]]:
    places = {root: (0.0, 0)}
    for node in order(root, children):
        if node in children:
            x, level = places[node]
            left, right = children[node]
            places[left] = (x - spreads[node], level + 1)
            places[right] = (x + spreads[node], level + 1)
    return places
