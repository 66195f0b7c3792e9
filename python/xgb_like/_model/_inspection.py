# SPDX-License-Identifier: Apache-2.0
"""What is in a model: dumps, importances and tables, as it is at the call."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import DataError, ParameterError, name_of, names_of
from .._base._typing import Array, Floats64, PathLike
from ._state import BoosterState

_FORMATS = ("text", "json", "dot")
_IMPORTANCES = ("weight", "gain", "cover", "total_gain", "total_cover")


def dump(booster: BoosterState, fmap: PathLike, with_stats: bool, dump_format: str) -> list[str]:
    """Return each tree as text; see :meth:`Model.get_dump`."""
    form, _, options = str(dump_format).partition(":")
    if form not in _FORMATS or (options and form != "dot"):
        raise ParameterError(f"`dump_format` must be one of {', '.join(_FORMATS)}; got {dump_format!r}.")
    dot = _dot_options(options)
    model = booster._named().copy()
    names, types = model.feature_names, model.feature_types
    if os.fspath(fmap):
        count = model.num_features() if model.is_linear() else _features_to_name(_split_nodes(model))
        names, types = read_feature_map(fmap, count)
    return model.dump(form, with_stats, names, types, dot)


def score(booster: BoosterState, fmap: PathLike, importance_type: str) -> dict[str, float | list[float]]:
    """Return the importance of each feature that is used; see :meth:`Model.get_score`."""
    if importance_type not in _IMPORTANCES:
        raise ParameterError(f"`importance_type` must be one of {', '.join(_IMPORTANCES)}; got {importance_type!r}.")
    model = booster._named().copy()
    linear = model.linear_weights()
    if linear is not None:
        return _linear_score(model, linear[:-1], fmap, importance_type)
    nodes = _split_nodes(model)
    names, _ = _names_and_types(model, nodes, fmap)
    features, places, counts = np.unique(nodes["feature"], return_inverse=True, return_counts=True)
    found = counts.astype(np.float64)
    if importance_type != "weight":
        statistic = nodes[importance_type.removeprefix("total_")]
        found = np.bincount(places, weights=statistic, minlength=len(features)).astype(np.float64, copy=False)
    if importance_type in ("gain", "cover"):
        found /= counts
    return {names[feature]: float(value) for feature, value in zip(features.tolist(), found, strict=True)}


def joined(trees: Sequence[str], dump_format: str) -> str:
    """Return the dumps of all trees as one text: of JSON a list, else with a headline each."""
    if dump_format == "json":
        return "[\n" + ",\n".join(trees) + "\n]"
    return "".join(f"booster[{number}]:\n{tree}" for number, tree in enumerate(trees))


def split_values(model: _core.Booster, feature: str, fmap: PathLike = "") -> Floats64:
    """Return all values that a numeric feature is split at, as often as it is; none if it is not used."""
    _need_trees(model, "get_split_value_histogram()")
    nodes = _split_nodes(model)
    names, types = _names_and_types(model, nodes, fmap)
    number = next((i for i, name in names.items() if name == feature), None)
    if number is None:
        return np.empty(0)
    mine = nodes["feature"] == number
    if nodes["categorical"][mine].any():
        raise DataError(f"A histogram of split values doesn't exist for categories, which {feature!r} has.")
    values: Floats64 = _shown_thresholds(nodes, types)[mine]
    return values


def _linear_score(
    model: _core.Booster, weights: Array, fmap: PathLike, importance_type: str
) -> dict[str, float | list[float]]:
    if importance_type != "weight":
        raise ParameterError(f"A linear model has only the `importance_type` weight; got {importance_type!r}.")
    names = model.feature_names
    if os.fspath(fmap):
        names, _ = read_feature_map(fmap, len(weights))
    values: list[Any] = (weights[:, 0] if weights.shape[1] == 1 else weights).tolist()
    return dict(zip(names_of(names, len(values)), values, strict=True))


def _need_trees(model: _core.Booster, method: str) -> None:
    if model.is_linear():
        raise ParameterError(f"{method} is about trees and is not defined for Booster type gblinear, a linear model.")


def _names_and_types(model: _core.Booster, nodes: dict[str, Array], fmap: PathLike) -> tuple[dict[int, str], list[str]]:
    """Return the names of used features by number, and types; a model may claim billions that it does not use."""
    used = np.unique(nodes["feature"]).tolist()
    names, types = model.feature_names, model.feature_types
    if os.fspath(fmap):
        names, types = read_feature_map(fmap, _features_to_name(nodes))
    return {feature: name_of(feature, names) for feature in used}, types


def _features_to_name(nodes: dict[str, Array]) -> int:
    """Return how many features there are up to the last one that is used."""
    return int(nodes["feature"].max(initial=-1)) + 1


def _split_nodes(model: _core.Booster) -> dict[str, Array]:
    nodes = model.nodes()
    inner = nodes["left"] >= 0
    return {field: values[inner] for field, values in nodes.items()}


def _dot_options(text: str) -> dict[str, str]:
    if not text:
        return {}
    try:
        options = json.loads(text)
    except ValueError as error:
        raise ParameterError(f"`dump_format`: the options of dot must be a JSON object; {error}.") from None
    if not isinstance(options, dict):
        raise ParameterError(f"`dump_format`: the options of dot must be a JSON object; got {text!r}.")
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}


def _shown_thresholds(nodes: dict[str, Array], types: list[str]) -> Floats64:
    """Return thresholds as dumps show them: those of integer features as the next whole number."""
    thresholds = nodes["threshold"].astype(np.float64)
    shown: Floats64 = np.where(_is_type(nodes, types, "int"), np.ceil(thresholds), thresholds)
    return shown


def node_table(model: _core.Booster, fmap: PathLike = "") -> dict[str, Any]:
    """Return the columns Tree, Target, Node, ID, Feature, Split, Yes, No, Missing, Gain, Cover and Category.

    Target is the output that a tree adds to. A leaf that is a vector has one row for each of them; for the inner nodes
    of its tree Target is NaN.
    """
    _need_trees(model, "trees_to_dataframe()")
    names, types = _names_and_types(model, _split_nodes(model), fmap)
    nodes = model.nodes()
    order = np.lexsort((nodes["node"], nodes["tree"]))
    nodes, number = _by_value({field: values[order] for field, values in nodes.items()}, model.vector_trees())
    inner, categorical = nodes["left"] >= 0, nodes["categorical"].astype(bool)
    # Of an indicator whose 0, 1 and missing values stay together, dumps show the test of a number.
    together = np.where(nodes["default_left"].astype(bool), nodes["threshold"] > 1, nodes["threshold"] <= 0)
    indicator = _is_type(nodes, types, "i") & inner & ~together
    # Yes is, as in dumps, where a set's categories and an indicator's 1 go.
    yes_right = categorical | (indicator & (nodes["threshold"] <= 1))
    left, right = nodes["left"], nodes["right"]
    tree = nodes["tree"].tolist()
    of_vectors = np.asarray(model.vector_trees(), dtype=bool)[nodes["tree"]]
    outputs = np.asarray(model.tree_outputs())[nodes["tree"]]
    return {
        "Tree": nodes["tree"].astype(np.int64),
        "Target": np.where(of_vectors, np.where(inner, np.nan, number), outputs),
        "Node": nodes["node"].astype(np.int64),
        "ID": [f"{t}-{n}" for t, n in zip(tree, nodes["node"].tolist(), strict=True)],
        "Feature": [names[f] if i else "Leaf" for f, i in zip(nodes["feature"].tolist(), inner.tolist(), strict=True)],
        "Split": np.where(inner & ~categorical & ~indicator, _shown_thresholds(nodes, types), np.nan),
        "Yes": _links(tree, np.where(yes_right, right, left), inner),
        "No": _links(tree, np.where(yes_right, left, right), inner),
        "Missing": _links(tree, np.where(nodes["default_left"], left, right), inner),
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


def _is_type(nodes: dict[str, Array], types: list[str], wanted: str) -> Array:
    if wanted not in types:
        return np.zeros(len(nodes["feature"]), dtype=bool)
    matches: Array = np.asarray(types) == wanted
    return matches[np.clip(nodes["feature"], 0, len(types) - 1)]


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


_TYPES = ("i", "q", "int", "float", "c")


def read_feature_map(fmap: PathLike, num_features: int) -> tuple[list[str], list[str]]:
    """Return names and types of all features; those that the file does not list are f0, f1, ... and numbers.

    It has lines ``index<TAB>name<TAB>type``, of types i, q, int, float and c.
    """
    path = Path(os.fspath(fmap)).expanduser()
    if not path.is_file():
        raise DataError(
            f"There is no feature map {str(path)!r}. Check the path, or leave `fmap` for the names of the model."
        )
    names = names_of(None, num_features)
    types = ["q"] * num_features
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        parts = line.split("\t") if "\t" in line else line.split()
        if len(parts) != 3 or not parts[0].strip().isdecimal() or parts[2].strip() not in _TYPES:
            raise DataError(
                f"Line {number} of the feature map {str(path)!r} must be index, name and type (one of "
                f"{', '.join(_TYPES)}), with tabs between; got {line!r}."
            )
        if (index := int(parts[0])) < num_features:
            names[index], types[index] = parts[1], parts[2].strip()
    return names, types


_PARAMS = {"reg:quantileerror": "quantile_alpha", "reg:expectileerror": "expectile_alpha"}


def levels_of(model: _core.Booster) -> list[float]:
    """Return the levels of a model's objective; one that is 0 if it has none."""
    given = model.params()["objective"].get(_PARAMS.get(model.objective(), ""), "0")
    found: list[float] = np.atleast_1d(json.loads(given)).tolist()
    return found


def name_of_level(model: _core.Booster, output: int) -> str | None:
    """Return what an output of a model of levels is, such as "quantile 0.05"; None if the model has no levels."""
    if model.objective() not in _PARAMS:
        return None
    levels = levels_of(model)
    kind = "quantile" if model.objective() == "reg:quantileerror" else "expectile"
    target = f" of target {output // len(levels)}" if model.num_outputs() > len(levels) else ""
    return f"{kind} {levels[output % len(levels)]:g}{target}"
