# SPDX-License-Identifier: Apache-2.0
"""What a model can be asked: predictions, dumps, importances, files."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import ModelFormatError, ParameterError, UnsupportedDataError, whole
from .._base._keywords import tolerate_positions
from .._base._libraries import require
from .._base._messages import warn
from .._base._typing import ArrayLike, Floats, IterationRange, OnUnseen, PathLike
from .._base._unseen import MARGINS, UnseenLevels
from .._data._fields import float_field, missing_value
from .._data._ingest import is_column_format, is_path
from .._data._matrix import DMatrix, check_matrix
from ._inspection import dump, joined, node_table, score, split_values
from ._matching import coded, note_codes, note_margins, validate_names
from ._prediction import (
    EXPLANATIONS,
    Predictor,
    by_round,
    check_background,
    is_margin,
    kind_of,
    kind_of_values,
    leaf_similarity,
    quickly,
    read_rows,
    rounds_in,
    rounds_of,
    shaped,
)
from ._state import BoosterState

_NULLABLE = {  # what pandas takes for columns of nodes
    **dict.fromkeys(("Tree", "Target", "Node"), "Int64"),
    **dict.fromkeys(("Split", "Gain", "Cover"), "Float64"),
    **dict.fromkeys(("ID", "Feature", "Yes", "No", "Missing"), "string"),
}


class Model(BoosterState):
    """A model that is only read; safe to use from several threads at once, also while another one trains it."""

    @tolerate_positions
    def predict(
        self,
        data: DMatrix,
        *,
        output_margin: bool = False,
        pred_leaf: bool = False,
        pred_contribs: bool = False,
        approx_contribs: bool = False,
        pred_interactions: bool = False,
        validate_features: bool = True,
        training: bool = False,
        iteration_range: IterationRange = (0, 0),
        strict_shape: bool = False,
        on_unseen: OnUnseen | None = None,
        background: DMatrix | None = None,
    ) -> Floats:
        """Predict, or explain predictions.

        Parameters
        ----------
        data
            The rows to predict.
        output_margin
            Return sums of leaves, without the objective's last step.
        pred_leaf
            Return the number of each row's leaf in each tree.
        pred_contribs
            Return what each feature adds to the margin of each row. These are exact Shapley values: an unknown feature
            sends a row both ways at a split, as often as the training data went either way. The last column is the
            bias: what the model predicts when it knows nothing. A row adds up to its margin.
        approx_contribs
            With one of the other two: use Saabas's method, which does not give Shapley values. A feature gets the
            change of the mean of the leaves below at its splits on the row's path.
        pred_interactions
            Return Shapley interaction values of all pairs of features. Either side of the diagonal has half of an
            interaction, and the diagonal has the rest; rows add up to `pred_contribs`.
        validate_features
            Whether the names of the features must be those of the training data. Columns in another order are
            reordered. Without it, columns are taken by position.
        training
            Predict what the next round of training starts from: ``dart`` leaves some trees out. Makes no difference for
            other boosters.
        iteration_range
            The rounds to use, from the first up to but not including the second. ``(0, 0)`` means all of them, or those
            up to the best if training stopped early; ``(0, booster.num_boosted_rounds())`` always means all. It also
            holds for leaves and contributions. A linear model always uses all rounds, and warns about it; the first
            must be 0.
        strict_shape
            Return the same number of dimensions for any model: (rows, outputs), and for leaves (rows, rounds, outputs,
            parallel trees).
        on_unseen
            How to treat categories that the training data did not have: ``missing``, with a warning, or ``error``. With
            ``missing``, unknown codes without labels go where a split sends codes that it does not list, as in XGBoost.
            In models that XGBoost trained, codes up to the highest that a split lists count as known, because their
            files do not say more. None means what :func:`set_config` says, by default ``missing``.
        background
            With `pred_contribs`: a few hundred rows, from which unknown features take their values instead of the rule
            above (interventional Shapley values). The bias is the mean margin of these rows. Their weights count.

        Returns
        -------
        ndarray of float32
            Of shape (rows,), or (rows, outputs) if there are several; for leaves (rows, trees). Contributions have one
            more axis, the last one, of length features + 1; interactions have two. With one output they are (rows,
            features + 1) and (rows, features + 1, features + 1).

        Examples
        --------
        >>> import numpy as np
        >>> import xgb_like as xgb
        >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
        >>> data = xgb.DMatrix(X, X[:, 0] + 2 * X[:, 1])
        >>> booster = xgb.train({"min_child_weight": 0}, data, 10)
        >>> contributions = booster.predict(data, pred_contribs=True)
        >>> contributions.shape
        (4, 3)
        >>> bool(np.allclose(contributions.sum(axis=1), booster.predict(data, output_margin=True)))
        True
        """
        self._check_model()
        asked = {"margin": output_margin, "leaf": pred_leaf}
        explanations = {"contributions": pred_contribs, "interactions": pred_interactions}
        kind = kind_of(self._handle, asked | explanations, approx_contribs)
        check_background(background, kind)
        matrix = check_matrix(data, "data")
        for given in (matrix, background):
            if validate_features and given is not None:
                validate_names(self, given.feature_names)
        begin, end = rounds_in(iteration_range) if training else rounds_of(self, iteration_range)
        if begin == 0 < end < self._handle.num_boosted_rounds() and self._handle.is_linear():
            warn(f"`iteration_range` {(begin, end)} has no effect on a linear model: rounds change one set of weights.")
        unseen = UnseenLevels(on_unseen)
        handle = coded(self, matrix._handle, unseen, validate_features)
        other = None if background is None else coded(self, background._handle, unseen, validate_features)
        if kind != "leaf":
            note_margins(self, handle, unseen)
        unseen.warn(self._handle)
        if kind in EXPLANATIONS:
            explained = self._handle.explain(handle, kind, begin, end, other)
            return explained[:, 0] if explained.shape[1] == 1 and not strict_shape else explained
        found = self._handle.predict(handle, kind, begin, end, bool(training))
        if not pred_leaf:
            return shaped(found, strict_shape)
        leaves = found.astype(np.float32)
        return by_round(self, leaves, begin, end) if strict_shape else shaped(leaves, False)

    def inplace_predict(
        self,
        data: ArrayLike,
        *,
        iteration_range: IterationRange = (0, 0),
        predict_type: str = "value",
        missing: float = np.nan,
        validate_features: bool = True,
        base_margin: ArrayLike | None = None,
        strict_shape: bool = False,
        on_unseen: OnUnseen | None = None,
    ) -> Floats:
        """Predict from an array or a data frame, without making a DMatrix.

        Parameters
        ----------
        data
            Anything that a DMatrix can be made from, except files and sparse matrices by column; or a list of dicts, by
            the names of features. If the model has text categories, plain text works.
        iteration_range, strict_shape, on_unseen
            As in :meth:`predict`.
        predict_type
            ``value``, or ``margin`` for the sums of leaves.
        missing
            The value that stands for a missing cell.
        validate_features
            Whether the number of columns, and their names if they have some, must be those of the training data.
            Columns in another order are reordered.
        base_margin
            Where to start, instead of the model's own intercept.

        Returns
        -------
        ndarray of float32
        """
        if not (self._num_columns or self._loaded):  # saves the call, which counts for single rows
            self._check_model()
        margin = is_margin(predict_type)
        if type(data) is np.ndarray and base_margin is None and on_unseen is None:  # as most requests of servers
            begin, end = rounds_of(self, iteration_range)
            cell = missing if type(missing) is float else missing_value(missing)
            quick = _core.predict_array(self._handle, data, margin, begin, end, cell, bool(strict_shape))
            if quick is not None:
                found, lacks_margins = quick
                if lacks_margins:
                    warn(MARGINS, booster=self._handle)
                return found
        if is_column_format(data) or is_path(data) or isinstance(data, DMatrix):
            raise UnsupportedDataError(
                f"Data type {type(data).__name__} is not supported by inplace prediction. Use predict(DMatrix(data)), "
                "or a CSR matrix in place of CSC and COO."
            )
        unseen = UnseenLevels(on_unseen)
        table = read_rows(self, data, validate_features, unseen)
        if base_margin is None:
            settings = margin, *rounds_of(self, iteration_range), missing_value(missing), bool(strict_shape)
            quick = quickly(self, table, settings)
            if quick is not None:
                found, lacks_margins = quick
                if lacks_margins:
                    unseen.add_margins()
                unseen.warn(self._handle)
                return found
        matrix = table.to_core(missing_value(missing), 0, "call")
        if base_margin is not None:
            matrix.set_float_info("base_margin", float_field("base_margin", base_margin, table.shape[0]))
        note_codes(self, matrix, unseen)
        note_margins(self, matrix, unseen)
        unseen.warn(self._handle)
        kind = kind_of_values(margin, False, self._handle)
        return shaped(self._handle.predict(matrix, kind, *rounds_of(self, iteration_range), False), strict_shape)

    def predictor(
        self,
        *,
        iteration_range: IterationRange = (0, 0),
        predict_type: str = "value",
        missing: float = np.nan,
        strict_shape: bool = False,
    ) -> Predictor:
        """Return the model as it is now, for predictions only. For servers, where the time of each call matters.

        Parameters
        ----------
        iteration_range, predict_type, missing, strict_shape
            As in :meth:`inplace_predict`, for all calls.

        Returns
        -------
        Predictor
        """
        self._check_model()
        settings: Any = {"iteration_range": iteration_range, "predict_type": predict_type, "missing": missing}
        return Predictor(self, **settings, strict_shape=strict_shape)

    def compute_leaf_similarity(self, data: DMatrix, reference: DMatrix, weight_type: str = "uniform") -> Floats:
        """Return how alike rows of two matrices are to the model: the share of trees in which they reach the same leaf.

        Parameters
        ----------
        data, reference
            The rows to compare. Give the same matrix twice for all pairs of its rows.
        weight_type
            The weight of a tree: ``uniform`` is the same for each, ``gain`` and ``cover`` are sums over its splits.

        Returns
        -------
        ndarray of float32
            Of shape (rows of data, rows of reference), from 0 to 1. After early stopping, the trees are those that
            :meth:`predict` uses.
        """
        return leaf_similarity(self, data, reference, weight_type)

    # Files

    def save_model(self, fname: PathLike) -> None:
        """Write the model to a file. XGBoost reads it, too, if it has the objective.

        The file holds the model, not the parameters of training; a pickle has both.

        Parameters
        ----------
        fname
            The ending sets the format: ``.json``, or ``.ubj`` for UBJSON, which is smaller and faster to read.

        Warns
        -----
        UserWarning
            Once per booster, if XGBoost does not know the objective. The warning says what to do if XGBoost should read
            the file.
        """
        objective = self._handle.objective()
        facts = {} if self._told_of_objective else _core.objectives().get(objective, {})
        if facts.get("own"):
            self._told_of_objective = True
            twin = facts["twin"]
            remedy = "None of its objectives makes the same predictions of margins."
            if twin:
                remedy = (
                    f"If it is to, save a copy() of the booster after set_param('objective', '{twin}'): it predicts "
                )
                remedy += "the same."
            warn(f"XGBoost does not have the objective `{objective}` and will not load this model. {remedy}")
        write_model(self, fname)

    def save_raw(self, raw_format: str = "ubj") -> bytearray:
        """Return what :meth:`save_model` writes, in the format ``ubj`` or ``json``."""
        if raw_format not in FORMATS:
            raise ParameterError(f"Unknown model format: `{raw_format}`. It must be one of {', '.join(FORMATS)}.")
        return bytearray(self._named().save_raw(raw_format))

    # What is in it, at the call: another thread may train it on meanwhile

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
        return dump(self, fmap, with_stats, dump_format)

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
        return score(self, fmap, importance_type)

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
        values = split_values(self._named().copy(), feature, fmap)
        different = max(len(np.unique(values)), 1)
        limit = different if bins is None else whole(bins, "bins")
        counts, edges = np.histogram(values, bins=max(min(different, limit), 1))
        table = np.column_stack([edges[1:], counts])[counts > 0]
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


FORMATS = {"json": ("JSON", '`{"`'), "ubj": ("UBJSON", "`{` and a type")}  # how they are called, and begin


def write_model(booster: BoosterState, fname: PathLike) -> None:
    path, ending = _path(fname)
    if ending not in FORMATS:
        warn(f"Saving model in the UBJSON format: {path!r} does not end in `.json` or `.ubj`.")
    booster._named().save_model(path, "json" if ending == "json" else "ubj")


def load_model(booster: BoosterState, fname: PathLike | bytes | bytearray) -> None:
    if isinstance(fname, (bytes, bytearray, memoryview)):
        booster._run(booster._handle.load_raw, bytes(fname))
    else:
        path, ending = _path(fname)
        _check_ending(path, ending)
        booster._run(booster._handle.load_model, path)
    booster._unfit_names, booster._loaded = None, True


def _path(fname: Any) -> tuple[str, str]:
    if not isinstance(fname, (str, os.PathLike)):
        raise ParameterError(f"`fname` must be a string or a path; got {fname!r} of type {type(fname).__name__}.")
    path = Path(fname).expanduser()
    return str(path), path.suffix[1:].lower()


def _check_ending(path: str, ending: str) -> None:
    """Warn of an unknown ending, and refuse one that promises another format than the file has."""
    try:
        with Path(path).open("rb") as file:
            start = file.read(2)
    except OSError:
        return
    if start[:1] != b"{":
        return  # not of either kind: the engine says so
    found = "json" if len(start) < 2 or start[1:2] in b'" \t\r\n}' else "ubj"
    if ending not in FORMATS:
        warn(f"Unknown file format: `{ending}` of {path!r}. Using {FORMATS[found][0]} by its first bytes.")
    elif ending != found:
        name, begin = FORMATS[ending]
        raise ModelFormatError(
            f"{path!r} is named as {name}, but is {FORMATS[found][0]}: its first bytes are {start!r}, where {name} "
            f"begins with {begin}. Rename it to `.{found}`."
        )
