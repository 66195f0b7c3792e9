# SPDX-License-Identifier: Apache-2.0
"""The part of :class:`Booster` that shows what is in a model."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._base._checks import whole
from .._base._exceptions import DataError, ParameterError
from .._base._names import name_of, names_of
from .._base._optional import require
from .._base._typing import Array, PathLike
from ._feature_map import read_feature_map
from ._state import BoosterState

_FORMATS = ("text", "json", "dot")
_NULLABLE = {
    **dict.fromkeys(("Tree", "Target", "Node"), "Int64"),
    **dict.fromkeys(("Split", "Gain", "Cover"), "Float64"),
    **dict.fromkeys(("ID", "Feature", "Yes", "No", "Missing"), "string"),
}
_IMPORTANCES = ("weight", "gain", "cover", "total_gain", "total_cover")


class Inspection(BoosterState):
    """Dumps, importances and tables of a model as it is at the call. Another thread may train it meanwhile."""

    def get_dump(self, fmap: PathLike = "", with_stats: bool = False, dump_format: str = "text") -> list[str]:
        """Return each tree as text.

        Parameters
        ----------
        fmap
            A file of lines ``index<TAB>name<TAB>type`` that names the features.
        with_stats
            Whether to show gain and cover, too.
        dump_format
            ``text``, ``json`` or ``dot``. Options for dot follow as JSON: ``dot:{"rankdir": "LR"}``; with
            ``"category_names": true`` it shows the names of categories instead of their codes.

        Notes
        -----
        For a feature of type ``i``, "yes" is where 1 goes. Missing values follow "no" unless the dump says otherwise.
        If 0 and 1 stay together, "no" is for missing values alone, as in XGBoost. XGBoost swaps "yes" and "no" for
        columns of 0 and 1 whose missing values go right; this dump does not.
        """
        form, _, options = str(dump_format).partition(":")
        if form not in _FORMATS or (options and form != "dot"):
            raise ParameterError(f"`dump_format` must be one of {', '.join(_FORMATS)}; got {dump_format!r}.")
        dot = _dot_options(options)
        model = self._named().copy()
        names, types = model.feature_names, model.feature_types
        if os.fspath(fmap):
            count = model.num_features() if model.is_linear() else _features_to_name(_split_nodes(model))
            names, types = read_feature_map(fmap, count)
        return model.dump(form, with_stats, names, types, dot)

    def dump_model(
        self, fout: PathLike, fmap: PathLike = "", with_stats: bool = False, dump_format: str = "text"
    ) -> None:
        """Write what :meth:`get_dump` returns to a file."""
        trees = self.get_dump(fmap, with_stats, dump_format)
        Path(os.fspath(fout)).expanduser().write_text(joined(trees, dump_format), encoding="utf-8")

    def get_fscore(self, fmap: PathLike = "") -> dict[str, float | list[float]]:
        """Return in how many splits each feature is used."""
        return self.get_score(fmap)

    def get_score(self, fmap: PathLike = "", importance_type: str = "weight") -> dict[str, float | list[float]]:
        """Return the importance of each feature that is used.

        Parameters
        ----------
        fmap
            A file that names the features.
        importance_type
            ``weight``: in how many splits it is used; ``gain``, ``cover``: the mean over these splits of the loss
            reduction and of the sum of hessians; ``total_gain``, ``total_cover``: the sums. In a linear model every
            feature has a ``weight``: its own, or a list with one for each output.
        """
        if importance_type not in _IMPORTANCES:
            raise ParameterError(
                f"`importance_type` must be one of {', '.join(_IMPORTANCES)}; got {importance_type!r}."
            )
        model = self._named().copy()
        linear = model.linear_weights()
        if linear is not None:
            return _linear_score(model, linear[:-1], fmap, importance_type)
        nodes = _split_nodes(model)
        names, _ = _names_and_types(model, nodes, fmap)
        features, places, counts = np.unique(nodes["feature"], return_inverse=True, return_counts=True)
        score = counts.astype(np.float64)
        if importance_type != "weight":
            statistic = nodes[importance_type.removeprefix("total_")]
            score = np.bincount(places, weights=statistic, minlength=len(features)).astype(np.float64, copy=False)
        if importance_type in ("gain", "cover"):
            score /= counts
        return {names[feature]: float(value) for feature, value in zip(features.tolist(), score, strict=True)}

    def get_split_value_histogram(
        self, feature: str, fmap: PathLike = "", bins: int | None = None, as_pandas: bool = True
    ) -> Any:
        """Return how often each value of a feature is used as a threshold.

        Parameters
        ----------
        feature
            Its name.
        fmap
            A file that names the features.
        bins
            The largest number of bins. By default as many as there are distinct values.
        as_pandas
            Return a data frame with columns SplitValue and Count, if pandas is installed; otherwise an array.
        """
        table = _histogram(split_values(self._named().copy(), feature, fmap), bins)
        if not as_pandas:
            return table
        pandas = require("pandas", "get_split_value_histogram(as_pandas=True)")
        return pandas.DataFrame(table, columns=["SplitValue", "Count"])

    def trees_to_dataframe(self, fmap: PathLike = "") -> Any:
        """Return all nodes of all trees as a pandas data frame.

        Its columns are Tree, Target, Node, ID, Feature, Split, Yes, No, Missing, Gain, Cover and Category, as in
        XGBoost since 3.4. Target is the output that a tree adds to. Leaves have the feature ``Leaf`` and their value as
        Gain. A vector leaf has one row for each target, and the inner nodes of its tree have no Target. Missing entries
        are ``pd.NA``, in Category None.
        """
        pandas = require("pandas", "trees_to_dataframe()")
        table = pandas.DataFrame(node_table(self._named().copy(), fmap))
        categories = table["Category"].astype(object)
        return table.assign(Category=categories.where(categories.notna(), None)).astype(_NULLABLE)


def node_table(model: _core.Booster, fmap: PathLike = "") -> dict[str, Any]:
    """Return the columns of :meth:`Inspection.trees_to_dataframe`."""
    from ._node_table import node_columns  # noqa: PLC0415  only used here

    _need_trees(model, "trees_to_dataframe()")
    names, types = _names_and_types(model, _split_nodes(model), fmap)
    return node_columns(model, names, types)


def joined(trees: Sequence[str], dump_format: str) -> str:
    """Return the dumps of all trees as one text: of JSON a list, else with a headline each."""
    if dump_format == "json":
        return "[\n" + ",\n".join(trees) + "\n]"
    return "".join(f"booster[{number}]:\n{tree}" for number, tree in enumerate(trees))


def split_values(model: _core.Booster, feature: str, fmap: PathLike = "") -> npt.NDArray[np.float64]:
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
    values: npt.NDArray[np.float64] = _shown_thresholds(nodes, types)[mine]
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


def _shown_thresholds(nodes: dict[str, Array], types: list[str]) -> npt.NDArray[np.float64]:
    """Return thresholds as dumps show them: those of integer features as the next whole number."""
    thresholds = nodes["threshold"].astype(np.float64)
    if "int" in types:
        whole_number = (np.asarray(types) == "int")[nodes["feature"]]
        thresholds[whole_number] = np.ceil(thresholds[whole_number])
    return thresholds


def _histogram(values: npt.NDArray[np.float64], bins: int | None) -> npt.NDArray[np.float64]:
    different = max(len(np.unique(values)), 1)
    limit = different if bins is None else whole(bins, "bins")
    counts, edges = np.histogram(values, bins=max(min(different, limit), 1))
    table = np.column_stack([edges[1:], counts])
    return table[table[:, 1] > 0]
