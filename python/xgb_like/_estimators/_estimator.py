# SPDX-License-Identifier: Apache-2.0
"""The base of the estimators for scikit-learn."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._base._config import config_context
from .._base._exceptions import DataError, ParameterError, UnsupportedDataError, XgbLikeError, whole
from .._base._keywords import tolerate_positions
from .._base._libraries import model_content, require
from .._base._typing import Array, ArrayLike, Floats, IterationRange, Metric, PathLike, Self
from .._data._ingest import is_column_format
from .._data._labels import ClassLabels
from .._data._matrix import DMatrix, matrix_for
from .._model._booster import Booster
from .._model._matching import validate_table
from .._training._train import train
from ._custom import decorate_metric, decorate_objective, is_score, split_metrics
from ._data import EvalSet, Rows, evaluation_sets, matrices
from ._facts import ATTRIBUTE, Fitted, description, read_description
from ._params import OWN, Constructor, declare
from ._peers import get_model_categories

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator
else:
    BaseEstimator = require("sklearn.base", "xgb_like.sklearn").BaseEstimator

_DEFAULT_ROUNDS = 100


@declare()
class XGBModel(Constructor, Fitted, BaseEstimator):  # type: ignore[misc]
    """An estimator without a specific task. Predictions are the objective's transformed margins."""

    objective: Any

    def _check_constructed(self) -> None:
        """Raise for parameters that the estimator cannot have at all."""

    # Parameters

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002  nothing is nested
        """Return the estimator's parameters by name, also those in ``**kwargs``."""
        names = [
            name
            for cls in type(self).__mro__
            if issubclass(cls, XGBModel) and "__init__" in vars(cls)
            for name in cls._get_param_names()
        ]
        params = {name: getattr(self, name) for name in dict.fromkeys(names) if hasattr(self, name)}
        return {**params, **getattr(self, "kwargs", {})}

    def set_params(self, **params: Any) -> Self:
        """Set parameters, including parameters of the engine that are not in the signature.

        The number of threads of a fitted model, and the metrics of its booster, change at once; all else changes with
        the next fit.
        """
        own = self.get_params()
        for name, value in params.items():
            if name in getattr(self, "kwargs", {}) or name not in own:
                self.kwargs = {**getattr(self, "kwargs", {}), name: value}
            else:
                setattr(self, name, value)
        if self._Booster is not None:
            for name in params.keys() & _params_at_once():
                if params[name] is not None:
                    with suppress(XgbLikeError):  # the next fit tells
                        self._Booster.set_param(name, params[name])
        return self

    def get_xgb_params(self) -> dict[str, Any]:
        """Return the parameters for :func:`xgb_like.train`; functions are arguments of their own there."""
        params = {name: value for name, value in self.get_params().items() if name not in OWN}
        if callable(params.get("objective")):
            del params["objective"]
        names, function = split_metrics(params.get("eval_metric"))
        params["eval_metric"] = names
        if function is not None and names is None:
            del params["eval_metric"]
        params["random_state"] = _seed(params.get("random_state"))
        return params

    def get_num_boosting_rounds(self) -> int:
        """Return how many rounds a fit has."""
        if self.n_estimators is None:
            return _DEFAULT_ROUNDS
        count = whole(self.n_estimators, "n_estimators")
        if count < 0:
            raise ParameterError(f"`n_estimators` must be an int >= 0; got {count}.")
        return count

    # Training

    @tolerate_positions
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        base_margin: ArrayLike | None = None,
        eval_set: Sequence[Any] | None = None,
        verbose: bool | int | None = True,
        xgb_model: Booster | XGBModel | PathLike | None = None,
        sample_weight_eval_set: Sequence[ArrayLike | None] | None = None,
        base_margin_eval_set: Sequence[ArrayLike | None] | None = None,
        feature_weights: ArrayLike | None = None,
    ) -> Self:
        """Train the model, from scratch unless `xgb_model` is given.

        Parameters
        ----------
        X
            The features: anything that a :class:`xgb_like.DMatrix` can be made from.
        y
            The labels: one per row, or a column for each output.
        sample_weight
            One weight per row.
        base_margin
            Where boosting starts: one value per row, or one per row and output.
        eval_set : list of (X, y), optional
            Data on which metrics are computed after each round. May also be a list of DMatrix, or of (DMatrix, name).
        verbose
            Whether metrics are printed; a number prints every so many rounds.
        xgb_model : Booster, estimator or path, optional
            A model to train further, which may be one of XGBoost or LightGBM.
        sample_weight_eval_set, base_margin_eval_set : list, optional
            `sample_weight` and `base_margin` for each set in `eval_set`.
        feature_weights
            One weight per column for drawing columns, unless the parameter of the same name has them.

        Returns
        -------
        self
        """
        info = {"sample_weight": sample_weight_eval_set, "base_margin": base_margin_eval_set}
        rows = Rows("y", X, y, sample_weight, base_margin)
        return self._fit(rows, evaluation_sets(eval_set, **info), verbose, xgb_model, feature_weights)

    def _fit(self, rows: Rows, evals: list[EvalSet], verbose: Any, xgb_model: Any, feature_weights: Any) -> Self:
        if rows.y is None:
            raise DataError(
                f"{type(self).__name__} requires y to be passed, but the target y is None. Pass the labels as `y`."
            )
        if self.early_stopping_rounds and not evals:
            raise DataError(
                "Must have at least 1 validation dataset for early stopping: pass `eval_set` to fit(), or leave "
                "`early_stopping_rounds` out."
            )
        with config_context(verbosity=self.verbosity):
            start, known = _starting_model(xgb_model)
            rows, evals, classes, params = self._prepare(rows, evals, known)
            start, types = get_model_categories(rows.X, start, self.feature_types)
            if feature_weights is not None and self.feature_weights is not None:
                raise ParameterError(
                    "2 different `feature_weights` are provided, to fit() and to the constructor. Use the one in "
                    "constructor or `set_params` instead, and none in fit()."
                )
            weights = self.feature_weights if feature_weights is None else feature_weights
            settings = self._settings() | {"feature_types": types, "feature_weights": weights}
            dtrain, pairs = matrices(rows, evals, settings, keep=callable(self.objective))
            shape = dtrain.num_row(), dtrain.num_col()
            if not all(shape):
                what = "feature(s)" if shape[0] else "sample(s)"
                raise DataError(f"`X` is empty: found 0 {what} (shape={shape}) while a minimum of 1 is required.")
            history: dict[str, Any] = {}
            _, function = split_metrics(self.eval_metric)
            booster = train(
                params,
                dtrain,
                self.get_num_boosting_rounds(),
                evals=pairs,
                obj=decorate_objective(self.objective) if callable(self.objective) else None,
                maximize=is_score(function),
                early_stopping_rounds=self.early_stopping_rounds,
                evals_result=history,
                verbose_eval=verbose,
                xgb_model=start,
                callbacks=self.callbacks,
                custom_metric=None if function is None else self._metric(function),
            )
        self._Booster, self._classes = booster, classes
        self.__dict__.pop("evals_result_", None)
        if history:
            self.evals_result_ = history
        return self

    def _prepare(
        self, rows: Rows, evals: list[EvalSet], known: ClassLabels | None
    ) -> tuple[Rows, list[EvalSet], ClassLabels | None, dict[str, Any]]:
        """Return the data with labels that the engine takes, the classes if there are some, and parameters."""
        if getattr(self, "kwargs", {}).get("class_weight") is not None:
            raise ParameterError(
                f"`class_weight` is a parameter of classifiers, and {type(self).__name__} is none. Weigh rows, or the "
                "queries of a ranker, by `sample_weight`."
            )
        return rows, evals, known if self._get_type() == "classifier" else None, self.get_xgb_params()

    def _metric(self, function: Callable[..., float]) -> Metric:
        return decorate_metric(function)

    def _settings(self) -> dict[str, Any]:
        """Return how matrices are made."""
        return {
            "missing": self.missing,
            "nthread": None if self.n_jobs is None else whole(self.n_jobs, "n_jobs"),
            "enable_categorical": self.enable_categorical,
            "feature_types": self.feature_types,
        }

    # Prediction

    @tolerate_positions
    def predict(
        self,
        X: ArrayLike,
        *,
        output_margin: bool = False,
        validate_features: bool = True,
        base_margin: ArrayLike | None = None,
        iteration_range: IterationRange | None = None,
    ) -> Any:
        """Predict.

        Parameters
        ----------
        X
            The features.
        output_margin
            Return sums of leaves, without the objective's last step.
        validate_features
            Whether names and number of the features must be those of the training data.
        base_margin
            Where to start, instead of the model's own intercept.
        iteration_range
            The rounds to use, from the first up to but not including the second. If not given, or (0, 0), all of them,
            or those up to the best after early stopping.

        Returns
        -------
        ndarray
            Of shape (rows,), or (rows, outputs). A classifier returns labels of the same kind as the training labels;
            for several labels per row, 0 and 1.
        """
        values = self._predict(X, output_margin, validate_features, base_margin, iteration_range)
        return values if output_margin else self._answer(values)

    def _answer(self, values: Floats) -> Array:
        """Return predictions of the objective as the estimator gives them."""
        return values

    def _predict(self, X: Any, margin: bool, validate: bool, base_margin: Any, iteration_range: Any) -> Floats:
        booster = self.get_booster()
        rounds = self._rounds(iteration_range)
        if isinstance(X, DMatrix):
            raise UnsupportedDataError(
                "`X` must be an array, a data frame or a sparse matrix; got a DMatrix. Use get_booster().predict(X)."
            )
        with config_context(verbosity=self.verbosity):
            may_refuse = not (self.enable_categorical or isinstance(X, np.ndarray))  # arrays have no categories
            if booster._handle.is_linear() or is_column_format(X) or may_refuse:
                matrix = matrix_for(booster._handle, X, base_margin=base_margin, **self._settings())
                named = matrix.feature_names is not None
                if validate and not named:
                    validate_table(booster, (matrix.num_row(), matrix.num_col()), None)
                return booster.predict(
                    matrix, output_margin=margin, validate_features=validate and named, iteration_range=rounds
                )
            return booster.inplace_predict(
                X,
                iteration_range=rounds,
                predict_type="margin" if margin else "value",
                missing=self.missing,
                validate_features=validate,
                base_margin=base_margin,
            )

    @tolerate_positions
    def apply(self, X: ArrayLike, iteration_range: IterationRange | None = None) -> Floats:
        """Return the number of each row's leaf in each tree.

        Parameters
        ----------
        X
            The features.
        iteration_range
            As in :meth:`predict`.

        Returns
        -------
        ndarray of float32
            Of shape (rows, trees).
        """
        booster = self.get_booster()
        rounds = self._rounds(iteration_range)
        with config_context(verbosity=self.verbosity):
            matrix = matrix_for(booster._handle, X, **self._settings())
            return booster.predict(matrix, pred_leaf=True, iteration_range=rounds)

    def _rounds(self, iteration_range: Any) -> IterationRange:
        """Return the rounds to predict with; (0, 0) is for the booster to resolve. Linear models have no others."""
        if self.get_booster()._handle.is_linear():
            return 0, 0
        return (0, 0) if iteration_range is None else iteration_range

    # Files

    def save_model(self, fname: PathLike) -> None:
        """Write the model to a file, along with the kind of the estimator and the labels of its classes.

        Parameters
        ----------
        fname
            The ending sets the format: ``.json`` or ``.ubj``. XGBoost reads both, see :meth:`Booster.save_model`.
            Parameters and functions of the estimator are not saved; a pickle has them, too.
        """
        booster = self.get_booster()
        booster.set_attr(**{ATTRIBUTE: description(self._get_type(), self._classes)})
        try:
            booster.save_model(fname)
        finally:
            booster.set_attr(**{ATTRIBUTE: None})

    def load_model(self, fname: PathLike | bytes | bytearray) -> None:
        """Load a model saved by a booster or by an estimator of the same kind, of this package or XGBoost.

        Parameters
        ----------
        fname
            A file, or the bytes of one.

        Raises
        ------
        ParameterError
            If another kind of estimator saved it.
        """
        booster = Booster({"nthread": self.n_jobs}, model_file=fname)
        known = read_description(booster)
        theirs, ours = known.get("_estimator_type"), self._get_type()
        if "_estimator_type" in known and theirs != ours:
            raise ParameterError(
                f"Loading an estimator with different type. Expecting: {ours}, got: {theirs}. Load it with the "
                "estimator that it was saved from, or with Booster."
            )
        booster.set_attr(**{ATTRIBUTE: None})
        self._Booster = booster
        self._take_attributes(booster, known)

    def _take_attributes(self, booster: Booster, known: dict[str, Any]) -> None:  # noqa: ARG002
        """Set what a loaded model tells of parameters."""
        handle = booster._handle
        self._classes = None
        self.objective = handle.objective()
        self.booster = handle.params()["boosting"]["booster"]
        self.base_score = handle.base_score()
        self.feature_types = booster.feature_types
        self.enable_categorical = "c" in (booster.feature_types or ())
        self.__dict__.pop("evals_result_", None)


def _starting_model(source: Any) -> tuple[Any, ClassLabels | None]:
    """Return the model to train further, and the classes that it knows."""
    if source is None:
        return None, None
    if isinstance(source, XGBModel):
        return source.get_booster(), source._classes
    if isinstance(source, (Booster, str, os.PathLike, bytes, bytearray)):
        return source, None
    content = model_content(source)
    if content is not None:
        return content, None
    raise ParameterError(
        f"`xgb_model` must be a Booster, an estimator, or the path of a model; got {source!r} of type "
        f"{type(source).__name__}."
    )


def _seed(random_state: Any) -> Any:
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(np.iinfo(np.int32).max))
    return random_state


@cache
def _params_at_once() -> frozenset[str]:
    """Return the names of parameters that do not concern what is learnt."""
    specs = [spec for spec in _core.param_specs() if spec["group"] == "general" or spec["name"] == "eval_metric"]
    return frozenset(name for spec in specs for name in (spec["name"], *spec["aliases"]))
