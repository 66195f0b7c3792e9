# SPDX-License-Identifier: Apache-2.0
"""The explainer of trees of the package shap, for every model and all data of this package."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

from .._base._exceptions import DataError, ParameterError
from .._base._libraries import is_instance, require
from .._base._typing import Array, ArrayLike
from .._base._unseen import UnseenLevels
from .._data._fields import float_field
from .._data._matrix import DMatrix, matrix_for
from .._model._booster import Booster
from .._model._matching import coded
from ._subject import Subject, booster_of, core_matrix

Output = Literal["raw", "probability", "log_loss"]
Perturbation = Literal["auto", "interventional", "tree_path_dependent"]

_Transform: TypeAlias = "Callable[[Array, Array], Array]"

_STEP = 1e-3  # below this, a rise of margins says less than the slope in its middle


class TreeExplainer:
    """Explains predictions of every model in the way of ``shap.TreeExplainer``, for shap's pictures.

    It handles what shap cannot read: categories, even as text in data frames, vector leaves, linear models, boosted
    forests, dart's tree weights, and base margins. Values are those of ``predict(..., pred_contribs=True)``. After
    early stopping they cover the rounds up to the best.

    Parameters
    ----------
    model : Booster or estimator
    data : array, DMatrix or shap.maskers.Independent, optional
        A few hundred rows whose values stand in for unknown features (interventional). Without them, a row goes both
        ways at a split, as often as the training data did.
    model_output : str
        What contributions add up to: ``raw``, the margin; ``probability``, of a logistic objective; or ``log_loss``,
        the loss of a logistic objective or of ``reg:squarederror``. The last two need `data`.
    feature_perturbation : str
        ``interventional``, which needs `data`, ``tree_path_dependent``, which takes none, or ``auto``.
    feature_names : list of str, optional
        Names for pictures; by default those of the data or the model.

    Attributes
    ----------
    expected_value
        Where contributions start: a number, or one for each output; with ``log_loss`` a function of labels.

    Examples
    --------
    ::

        explainer = xgb.explain.TreeExplainer(model)
        shap.plots.beeswarm(explainer(X))
    """

    def __init__(
        self,
        model: Any,
        data: ArrayLike | DMatrix | None = None,
        model_output: Output = "raw",
        feature_perturbation: Perturbation = "auto",
        feature_names: list[str] | None = None,
    ) -> None:
        self._booster: Booster = booster_of(model)._best()
        self._missing = getattr(model, "missing", np.nan)
        self._feature_names = feature_names
        self.model_output = model_output
        self._transform = _transform_of(self._booster, model_output)
        _check_perturbation(feature_perturbation, model_output, data is not None)
        rows = data.data if is_instance(data, "shap.maskers", "Independent") else data  # type: ignore[union-attr]
        self._background = None if rows is None else self._matrix(rows)
        self.expected_value = self._expected()

    def shap_values(
        self,
        X: ArrayLike | DMatrix,
        y: ArrayLike | None = None,
        tree_limit: int | None = None,
        approximate: bool = False,
        check_additivity: bool = True,  # noqa: ARG002  they add up in any case
    ) -> Array:
        """Return what each feature adds: rows x features, and x outputs if there are several.

        Parameters
        ----------
        X : array or DMatrix
        y : array, optional
            Labels, which ``log_loss`` needs.
        tree_limit : int, optional
            Accepted for compatibility: None or -1, which mean all rounds. For fewer rounds, explain a part of the
            model, ``model[:rounds]``.
        approximate : bool
            Whether features become known only in the order of the path, which is faster and less fair.
        check_additivity : bool
            Accepted for compatibility: contributions always add up to the prediction.
        """
        _check_limit(tree_limit)
        return _flat(self._found(self._matrix(X), y, approximate)[:, :-1])

    def shap_interaction_values(
        self,
        X: ArrayLike | DMatrix,
        y: ArrayLike | None = None,  # noqa: ARG002  as in shap, no loss is explained by pairs
        tree_limit: int | None = None,
    ) -> Array:
        """Return what pairs of features add: rows x features x features, and x outputs if there are several.

        Parameters
        ----------
        X : array or DMatrix
        y : array, optional
            Accepted for compatibility: margins are explained.
        tree_limit : int, optional
            As in :meth:`shap_values`.
        """
        _check_limit(tree_limit)
        if self._background is not None:
            raise ParameterError("Interactions are not known against a background. Leave `data` of the explainer out.")
        found = self._booster.predict(self._matrix(X), pred_interactions=True, strict_shape=True)
        return _flat(np.moveaxis(found[:, :, :-1, :-1], 1, -1))

    def __call__(
        self,
        X: ArrayLike | DMatrix,
        y: ArrayLike | None = None,
        interactions: bool = False,
        check_additivity: bool = True,  # noqa: ARG002  they add up in any case
        approximate: bool = False,
    ) -> Any:
        """Return a ``shap.Explanation`` for shap to draw. Its data have codes of categories, and labels for display.

        Parameters
        ----------
        X : array or DMatrix
        y : array, optional
            Labels, which ``log_loss`` needs.
        interactions : bool
            Whether to explain by pairs of features.
        check_additivity, approximate : bool
            As in :meth:`shap_values`.
        """
        explanation = require("shap", "TreeExplainer(...)(X)").Explanation
        begin = time.perf_counter()
        matrix = self._matrix(X)
        found = self._found(matrix, y, approximate)
        values = self.shap_interaction_values(matrix) if interactions else _flat(found[:, :-1])
        subject = Subject(self._booster, matrix)
        return explanation(
            values,
            base_values=_flat(found[:, -1]),
            data=subject.rows,
            display_data=_labelled(subject),
            feature_names=self._feature_names or subject.names,
            compute_time=time.perf_counter() - begin,
        )

    def _matrix(self, data: ArrayLike | DMatrix) -> DMatrix:
        if isinstance(data, DMatrix):
            return data
        matrix = matrix_for(self._booster._handle, data, missing=self._missing)
        names = self._booster.feature_names
        if not matrix.feature_names and names and matrix.num_col() == len(names):
            matrix.feature_names = names  # as in shap, columns of an array are taken to be in the model's order
        return matrix

    def _expected(self) -> Any:
        background, handle = self._background, self._booster._handle
        if self._transform is not None and background is not None:
            margins = self._booster.predict(background, output_margin=True, strict_shape=True).astype(np.float64)
            weights = background.get_weight() if background.get_weight().size else None
            transform = self._transform
            if self.model_output == "log_loss":
                return lambda y: _plain(np.average(transform(margins, np.array(y, np.float64)), 0, weights))
            return _plain(np.average(transform(margins, np.zeros(())), 0, weights))
        unknown = core_matrix(np.full((1, handle.num_features()), np.nan))
        known = None if background is None else coded(self._booster, background._handle, UnseenLevels())
        return _plain(handle.explain(unknown, "contributions", 0, 0, known)[0, :, -1].astype(np.float64))

    def _found(self, matrix: DMatrix, y: ArrayLike | None, approximate: bool) -> Array:
        """Return contributions, and where they start from in the place of a last feature: rows x features x outputs."""
        transform, background = self._transform, self._background
        if transform is None or background is None:
            return self._contributions(matrix, background, approximate)
        if self.model_output == "log_loss" and y is None:
            raise DataError("`model_output` log_loss needs the labels `y` of the rows that are explained.")
        given: Array = np.zeros(1) if y is None else float_field("y", y, matrix.num_row())
        labels = given.reshape(len(given), 1, -1)
        weights = background.get_weight() if background.get_weight().size else np.ones(background.num_row())
        found: Any = 0.0
        for row in np.flatnonzero(weights):
            margins = self._contributions(matrix, background.slice([row]), approximate)
            found = found + weights[row] * _rescaled(margins, labels, transform)
        return np.asarray(found / weights.sum())

    def _contributions(self, matrix: DMatrix, background: DMatrix | None, approximate: bool) -> Array:
        found = self._booster.predict(
            matrix, pred_contribs=True, approx_contribs=approximate, background=background, strict_shape=True
        )
        return np.moveaxis(found, 1, -1)


def _check_limit(tree_limit: int | None) -> None:
    if tree_limit not in (None, -1):
        raise ParameterError(
            f"`tree_limit` must be None or -1, all rounds; got {tree_limit}. Explain a part of the model in its place: "
            "TreeExplainer(model[:rounds])."
        )


def _check_perturbation(perturbation: str, model_output: str, has_data: bool) -> None:
    if perturbation not in ("auto", "interventional", "tree_path_dependent"):
        raise ParameterError(
            f"`feature_perturbation` must be auto, interventional or tree_path_dependent; got {perturbation!r}."
        )
    if not has_data and (perturbation == "interventional" or model_output != "raw"):
        first = perturbation == "interventional"
        asked = f"`feature_perturbation` {perturbation}" if first else f"`model_output` {model_output}"
        raise ParameterError(f"{asked} needs `data`: some hundred rows that stand in for unknown values.")
    if perturbation == "tree_path_dependent" and has_data:
        raise ParameterError("`feature_perturbation` tree_path_dependent has no use for `data`. Leave it out.")


def _transform_of(booster: Booster, model_output: str) -> _Transform | None:
    """Return what makes of margins, and labels, the output that is explained; None for margins themselves."""
    objective = booster._handle.objective()
    known: dict[str, _Transform] = {}
    if objective in ("binary:logistic", "reg:logistic"):
        known = {
            "probability": lambda margins, _: np.asarray(np.exp(-np.logaddexp(0, -margins))),
            "log_loss": lambda margins, labels: np.asarray(np.logaddexp(0, margins) - labels * margins),
        }
    elif objective == "reg:squarederror":
        known = {"log_loss": lambda margins, labels: (margins - labels) ** 2}
    if model_output != "raw" and model_output not in known:
        allowed = " or ".join(["raw", *known])
        raise ParameterError(f"`model_output` must be {allowed} for the objective {objective}; got {model_output!r}.")
    return known.get(model_output)


def _rescaled(margins: Array, labels: Array, transform: _Transform) -> Array:
    """Return contributions to transformed margins against one row: each has the same share of the rise as before."""
    margins = margins.astype(np.float64)
    start = margins[:, -1:]
    rise = margins[:, :-1].sum(axis=1, keepdims=True)
    shift = np.maximum((_STEP - np.abs(rise)) / 2, 0)
    low, high = np.minimum(start, start + rise) - shift, np.maximum(start, start + rise) + shift
    slope = (transform(high, labels) - transform(low, labels)) / (high - low)
    return np.concatenate([margins[:, :-1] * slope, transform(start, labels)], axis=1)


def _labelled(subject: Subject) -> Array | None:
    """Return rows as text, with labels in place of codes of categories; None if the model knows no labels."""
    categories = subject.handle.categories
    if not any(categories):
        return None
    columns = []
    for cells, known in zip(subject.rows.T, categories, strict=True):
        labels = known if known is None or isinstance(known, list) else np.array(known[0], known[1]).tolist()
        columns.append(
            [
                "missing" if np.isnan(cell) else f"{cell:g}" if labels is None else str(labels[int(cell)])
                for cell in cells
            ]
        )
    shown: Array = np.array(columns, dtype=object).T
    return shown


def _flat(values: Array) -> Array:
    """Return values without the axis of outputs if there is only one."""
    return values[..., 0] if values.shape[-1] == 1 else values


def _plain(values: Array) -> Any:
    return float(values[0]) if values.shape == (1,) else values
