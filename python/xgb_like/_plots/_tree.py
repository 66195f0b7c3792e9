# SPDX-License-Identifier: Apache-2.0
"""A tree drawn by matplotlib alone: sizes are inches on paper until the whole is scaled to fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise, zip_longest
from typing import Any

import numpy as np

from .._base._exceptions import ParameterError
from .._base._libraries import require
from .._base._messages import warn
from .._base._typing import PathLike
from .._model._booster import Booster
from .._model._inspection import node_table
from ._models import round_of_tree
from ._style import (
    BLUE,
    GREY,
    ORANGE,
    SKY,
    YELLOW,
    axes_of,
    distinct_numbers,
    figure_of,
    ground_of,
    is_dark,
    literal,
    mixed,
    names_within,
    number,
    pyplot,
    wrapped,
)

_FONT, _EDGE_FONT = 9.0, 7.5  # points
_LINE, _PADDING, _GAP, _LEVEL = 0.165, 0.09, 0.14, 0.62  # inches
_SIDEWAYS_LEVEL = 1.15
_EDGE_GAP = 0.95  # what the texts of two edges need beside each other
_DPI = (40, 50, 60, 70, 80, 100, 150, 300)
_MOST_INCHES, _MOST_LEAVES = 60.0, 2048
_SHADES = {"fillcolor": "facecolor", "color": "edgecolor"}


def plot_tree(
    booster: Any,
    *,
    fmap: PathLike = "",
    num_trees: int | None = None,
    rankdir: str | None = None,
    ax: Any = None,
    with_stats: bool = False,
    tree_idx: int = 0,
    yes_color: str | None = None,
    no_color: str | None = None,
    condition_node_params: dict[str, str] | None = None,
    leaf_node_params: dict[str, str] | None = None,
    max_name_length: int | None = None,
    **kwargs: Any,
) -> Any:
    """Draw one tree. Leaves are the bluer the higher their value is, the redder the lower.

    Nothing but matplotlib is needed: neither graphviz nor its program ``dot``.

    Parameters
    ----------
    booster, fmap, num_trees, tree_idx
        The model, and which of its trees: as of :func:`to_graphviz`.
    rankdir
        ``TB`` (the default) for a tree that grows downwards, ``LR`` for one that grows to the right.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, large enough for readable texts, if not given.
    with_stats
        Whether the gain of each split and the cover of each node are shown.
    yes_color, no_color
        Colours of the edges.
    condition_node_params, leaf_node_params
        Looks of the nodes: ``color`` of the frame and ``fillcolor``, and ``shape``, ``box`` or ``ellipse`` (rounded).
        Whatever else graphviz knows has no effect here.
    max_name_length
        As in :func:`plot_importance`, for names of features and categories.
    **kwargs
        Attributes that graphviz has for whole graphs, such as ``size``: they have no effect here, as a warning says.

    Returns
    -------
    matplotlib Axes
        With a box for each node and a line to each of its children.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> X = np.arange(20.0).reshape(20, 1)
    >>> model = xgb.train({"max_depth": 1}, xgb.DMatrix(X, X[:, 0] > 9, feature_names=["age"]), 1)
    >>> ax = xgb.plot_tree(model, tree_idx=0)
    >>> [text.get_text() for text in ax.texts if "<" in text.get_text()]
    ['age < 10']
    """
    model, position = round_of_tree(booster, num_trees, tree_idx)
    nodes = nodes_of(model, position, fmap, with_stats, max_name_length)
    leaves = sum(node.children is None for node in nodes.values())
    if leaves > _MOST_LEAVES:
        raise ParameterError(
            f"The tree has {leaves} leaves; at most {_MOST_LEAVES} can be drawn. to_graphviz() has no limit."
        )
    if kwargs:
        warn(
            f"plot_tree() does not use graphviz: {', '.join(kwargs)} has no effect. Size: pass `ax`; or to_graphviz()."
        )
    if rankdir not in (None, "", "TB", "UT", "LR"):
        raise ParameterError(f"`rankdir` must be TB or LR; got {rankdir!r}.")
    drawing = _Drawing(nodes, sideways=rankdir == "LR")
    ax = axes_of(ax, *drawing.figure_size())
    scale = drawing.fit(ax)
    usual = (SKY, YELLOW) if is_dark(ground_of(ax)) else (BLUE, ORANGE)
    drawing.draw_edges(ax, scale, yes_color or usual[0], no_color or usual[1])
    drawing.draw_nodes(ax, scale, condition_node_params or {}, leaf_node_params or {})
    return ax


class _Drawing:
    """The places and sizes of all nodes, in inches."""

    def __init__(self, nodes: dict[int, Node], sideways: bool) -> None:
        self._nodes, self._sideways = nodes, sideways
        self._texts = {number: "\n".join(node.lines) for number, node in nodes.items()}
        self._sizes = _sizes_of(self._texts)
        children = {number: node.children for number, node in nodes.items() if node.children is not None}
        sizes = self._sizes.items()
        across = {key: max(high, 0.3) if sideways else max(wide, _EDGE_GAP) for key, (wide, high) in sizes}
        placed = place(0, children, across, _GAP)
        levels = self._levels({key: depth for key, (_, depth) in placed.items()})
        self._places = {
            key: (levels[depth], -x) if sideways else (x, -levels[depth]) for key, (x, depth) in placed.items()
        }
        self._order = order(0, children)

    def _levels(self, depths: dict[int, int]) -> list[float]:
        """Return how far the middle of each level is from the root, such that its largest node has room."""
        sizes = [0.0] * (max(depths.values()) + 1)
        for key, depth in depths.items():
            sizes[depth] = max(sizes[depth], self._sizes[key][0 if self._sideways else 1])
        gap = _SIDEWAYS_LEVEL if self._sideways else _LEVEL
        steps = [(above + below) / 2 + gap for above, below in pairwise(sizes)]
        return [0.0, *accumulate(steps)]

    def _extent(self) -> tuple[float, float, float, float]:
        corners = [
            (x - width / 2, x + width / 2, y - height / 2, y + height / 2)
            for (x, y), (width, height) in ((self._places[n], self._sizes[n]) for n in self._nodes)
        ]
        left, right, low, high = np.asarray(corners).T
        return float(left.min()) - 0.1, float(right.max()) + 0.1, float(low.min()) - 0.1, float(high.max()) + 0.1

    def figure_size(self) -> tuple[float, float]:
        """Return the size of a figure in which texts have their full size, or the largest that is sensible."""
        left, right, low, high = self._extent()
        shrink = min(1.0, _MOST_INCHES / max(right - left, high - low))
        return max((right - left) * shrink, 2.0), max((high - low) * shrink, 1.0)

    def fit(self, ax: Any) -> float:
        """Set the limits of the axes, and return how much smaller than planned everything is there."""
        left, right, low, high = self._extent()
        ax.set_axis_off()
        ax.set_xlim(left, right)
        ax.set_ylim(low, high)
        ax.set_aspect("equal")
        figure = figure_of(ax)
        figure.draw_without_rendering()  # so that a constrained layout is known
        box = ax.get_window_extent()
        return float(min(box.width / (right - left), box.height / (high - low)) / figure.dpi)

    def draw_edges(self, ax: Any, scale: float, yes_color: str, no_color: str) -> None:
        """Draw a line from each node to its children, and what it means."""
        ground = ground_of(ax)
        for key in self._order:
            node = self._nodes[key]
            for child, text in zip(node.children or (), node.edges, strict=False):
                color = yes_color if text.startswith("yes") else no_color
                (x0, y0), (x1, y1) = self._places[key], self._places[child]
                if self._sideways:
                    x0, x1 = x0 + self._sizes[key][0] / 2, x1 - self._sizes[child][0] / 2
                else:
                    y0, y1 = y0 - self._sizes[key][1] / 2, y1 + self._sizes[child][1] / 2
                ax.plot([x0, x1], [y0, y1], color=color, linewidth=1.2 * scale, zorder=1)
                box = {"facecolor": ground, "edgecolor": "none", "pad": 0.6 * scale}
                looks = {"fontsize": _EDGE_FONT * scale, "color": color, "linespacing": 0.95, "bbox": box}
                middle = (x0 + x1) / 2, (y0 + y1) / 2
                ax.text(*middle, text.replace(", ", ",\n"), ha="center", va="center", zorder=2, gid="edge", **looks)

    def draw_nodes(self, ax: Any, scale: float, condition: dict[str, str], leaf: dict[str, str]) -> None:
        """Draw a box with text for each node."""
        patches = require("matplotlib.patches", "plot_tree()")
        ground = ground_of(ax)
        most = max((abs(value) for node in self._nodes.values() for value in node.values), default=0.0)
        for key in self._order:
            node, (x, y), (width, height) = self._nodes[key], self._places[key], self._sizes[key]
            given = leaf if node.children is None else condition
            rounded = given.get("shape", "ellipse" if node.children is None else "box") == "ellipse"
            style = f"round,pad=0,rounding_size={0.4 * min(width, height)}" if rounded else "square,pad=0"
            own = {_SHADES[name]: color for name, color in given.items() if name in _SHADES}
            looks = {"facecolor": _shade(node, most, ground), "edgecolor": GREY, **own}
            box = patches.FancyBboxPatch((x - width / 2, y - height / 2), width, height, boxstyle=style, zorder=3)
            box.set(linewidth=0.8 * scale, **looks)
            ax.add_patch(box)
            written = {"fontsize": _FONT * scale, "color": "white" if is_dark(box.get_facecolor()) else "black"}
            ax.text(x, y, self._texts[key], ha="center", va="center", zorder=4, gid="node", **written)


def _shade(node: Node, most: float, ground: Any) -> Any:
    """Return a faint grey for conditions; for leaves a faint blue or red, the stronger the larger the value."""
    if node.children is not None or len(node.values) != 1 or not most or not np.isfinite(most):
        return mixed(GREY, 0.08 if not is_dark(ground) else 0.3, ground)
    share = abs(node.values[0]) / most
    return mixed(BLUE if node.values[0] > 0 else ORANGE, 0.06 + (0.39 if not is_dark(ground) else 0.6) * share, ground)


def _sizes_of(texts: Mapping[int, str]) -> dict[int, tuple[float, float]]:
    """Return the width and height of boxes for texts, on paper of any resolution."""
    backend = require("matplotlib.backends.backend_agg", "plot_tree()")
    properties = require("matplotlib.font_manager", "plot_tree()").FontProperties
    font = properties(family=pyplot().rcParams["font.family"], size=_FONT)
    renderers = [(backend.RendererAgg(8, 8, dpi), dpi) for dpi in _DPI]

    @cache
    def width(line: str) -> float:
        """Return the inches that a line takes where its letters, fit to the dots of the paper, are the widest."""
        return max(float(drawn.get_text_width_height_descent(line, font, False)[0]) / dpi for drawn, dpi in renderers)

    lines = {key: text.replace(r"\$", "$").split("\n") for key, text in texts.items()}
    return {key: (max(map(width, own)) + 2 * _PADDING, len(own) * _LINE + 1.2 * _PADDING) for key, own in lines.items()}


# Where the nodes of a binary tree stand: as tight as their widths allow, each parent amid its children.
#
# The two parts of a tree are pushed together until their outlines touch, level by level (Reingold and Tilford, "Tidier
# drawings of trees", 1981). Time and memory grow as nodes times levels.
Children = Mapping[int, tuple[int, int]]


def place(root: int, children: Children, widths: Mapping[int, float], gap: float) -> dict[int, tuple[float, int]]:
    """Return the position across and the level of each node; nodes of a level are at least `gap` apart."""
    # The left and right ends of a part of the tree on each level, seen from its topmost node.
    outlines: dict[int, list[tuple[float, float]]] = {}
    spreads: dict[int, float] = {}
    for node in reversed(order(root, children)):  # children before parents
        outlines[node] = [(-widths[node] / 2, widths[node] / 2)]
        if node in children:
            left, right = (outlines.pop(child) for child in children[node])
            spread = (max(ours[1] - theirs[0] for ours, theirs in zip(left, right, strict=False)) + gap) / 2
            spreads[node] = spread
            moved = ([(x0 + by, x1 + by) for x0, x1 in part] for part, by in ((left, -spread), (right, spread)))
            outlines[node] += [((ours or theirs)[0], (theirs or ours)[1]) for ours, theirs in zip_longest(*moved)]
    places = {root: (0.0, 0)}
    for node in order(root, children):
        if node in children:
            x, level = places[node]
            for child, by in zip(children[node], (-spreads[node], spreads[node]), strict=True):
                places[child] = (x + by, level + 1)
    return places


def order(root: int, children: Children) -> list[int]:
    """Return all nodes, parents before children."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(reversed(children.get(node, ())))
    return found


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
        names = sorted({self._table["Feature"][rows[0]] for node, rows in self._rows.items() if self._is_inner(node)})
        self._names = dict(zip(names, names_within(names, most), strict=True))
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
        left, right = sorted((yes, no))
        zero = left if self._raw_thresholds[node] > 0 else right  # where "no" goes of an indicator
        rows_of[zero if self._is_indicator(node) else no].append("no")
        rows_of[missing].append("missing")
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

    def _condition(self, node: int) -> list[str]:
        row = self._rows[node][0]
        name, categories = self._names[self._table["Feature"][row]], self._table["Category"][row]
        if isinstance(categories, list):
            shown = self._category_names(node, categories)
            more = [f"{len(categories) - len(shown)} more"] if len(categories) > len(shown) else []
            return literal(wrapped(f"{name} in {{{', '.join([*shown, *more])}}}", _SET_WIDTH)).split("\n")
        lines = literal(wrapped(name, _NAME_WIDTH)).split("\n")
        return lines if self._is_indicator(node) else [*lines[:-1], f"{lines[-1]} < {self._thresholds[node]}"]

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
