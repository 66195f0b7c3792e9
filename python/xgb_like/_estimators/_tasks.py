# SPDX-License-Identifier: Apache-2.0
"""The classifier, the regressor, and forests of either kind."""

from dataclasses import replace
from typing import Any

import numpy as np

from .._base._exceptions import DataError
from .._base._keywords import tolerate_positions
from .._base._messages import warn
from .._base._typing import Array, ArrayLike, Floats, IterationRange
from .._data._fields import to_array
from .._data._labels import ClassLabels, label_array
from .._data._matrix import DMatrix
from .._model._booster import Booster
from ._data import EvalSet, Rows
from ._estimator import XGBModel
from ._facts import classes_of, read_description
from ._params import CLASS_WEIGHT_DOC, declare
from ._peers import XGBClassifierMixIn, XGBRegressorMixIn

_DEFAULT_OBJECTIVE = "binary:logistic"


@declare(objective=_DEFAULT_OBJECTIVE, further=(CLASS_WEIGHT_DOC,))
class XGBClassifier(XGBClassifierMixIn, XGBModel):
    """A classifier for two or more classes, or for several yes-or-no labels at once.

    Labels may be of any kind, and predictions are labels of the training data. With more than two classes, the
    objective is ``multi:softprob`` unless another multi-class one is given.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> features = np.random.default_rng(0).normal(size=(200, 3))
    >>> colour = np.where(features[:, 0] > 0, "red", "blue")
    >>> model = xgb.XGBClassifier(n_estimators=5, max_depth=2).fit(features, colour)
    >>> model.predict(features[:2]).tolist() == colour[:2].tolist()
    True
    >>> model.classes_.tolist()
    ['blue', 'red']
    """

    @property
    def classes_(self) -> Array:
        """The labels of the training data, sorted. They are 0 and 1 even if the data have only one of these."""
        return self._known_classes().values

    def _known_classes(self) -> ClassLabels:
        """Return the classes of the fit; those of a booster that was put in the place of a fit are numbers."""
        booster = self.get_booster()
        return classes_of(booster, read_description(booster)) if self._classes is None else self._classes

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    @property
    def objective(self) -> Any:
        """The loss to minimise: as given, but once fitted to more than two classes what took the default's place."""
        given = vars(self).get("objective")
        is_default = isinstance(given, str) and given == _DEFAULT_OBJECTIVE
        if not is_default or self._Booster is None or self._classes is None:
            return given
        return self._class_params({"objective": given}, len(self._classes.values))["objective"]

    @objective.setter
    def objective(self, objective: Any) -> None:
        self.__dict__["objective"] = objective

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were given, including `objective`, whatever the fit used."""
        return {**super().get_params(deep), "objective": vars(self).get("objective")}

    def get_xgb_params(self) -> dict[str, Any]:
        """Return the parameters for :func:`xgb_like.train`; of a fitted model with the objective of its training."""
        params = super().get_xgb_params()
        if self._Booster is not None and self._classes is not None:
            params["objective"] = self._class_params(params, len(self._classes.values))["objective"]
        return params

    def _class_params(self, params: dict[str, Any], count: int) -> dict[str, Any]:
        """Return objective and number of classes for so many classes."""
        given = params.get("objective")
        if count <= 2 and not str(given).startswith("multi:"):
            return {"objective": given or _DEFAULT_OBJECTIVE}
        if given is not None and str(given).startswith("multi:"):
            return {"objective": given, "num_class": max(count, 2)}
        return {"objective": "multi:softprob", "num_class": count}

    def _prepare(
        self, rows: Rows, evals: list[EvalSet], known: ClassLabels | None
    ) -> tuple[Rows, list[EvalSet], ClassLabels | None, dict[str, Any]]:
        labels = label_array(rows.y, "y")
        if labels.ndim == 2:
            _check_binary(labels, "y")
            classes, codes = ClassLabels.numbers(2), labels
        elif known is not None:
            classes, codes = known, known.encode(labels, "y", "the model `xgb_model`")
        else:
            classes, codes = ClassLabels.of(labels)
        weight = rows.sample_weight
        class_weight = getattr(self, "kwargs", {}).get("class_weight")
        if class_weight is not None:
            weight = _weighted(classes, class_weight, codes, weight)
        coded = replace(rows, y=codes, sample_weight=weight)
        pairs = [(_coded(data, classes, rows, coded), name) for data, name in evals]
        params = self.get_xgb_params()  # a subclass may have some of its own
        given = vars(self).get("objective")  # not that of an earlier fit
        wanted = None if callable(given) else given
        params["objective"] = wanted
        chosen = self._class_params(params, len(classes.values))
        if wanted not in (None, _DEFAULT_OBJECTIVE, chosen["objective"]):
            warn(
                f"`objective` {wanted!r} is for two classes, and `y` has {len(classes.values)}: "
                f"{chosen['objective']} is used."
            )
        number = chosen.get("num_class", params.get("num_class"))
        if params.get("num_class") not in (None, number):
            warn(f"`num_class` is {params['num_class']!r}, but `y` has {number} classes: {number} is used.")
        return coded, pairs, classes, {**params, **chosen}

    def _answer(self, values: Floats) -> Array:
        objective = self.get_booster()._handle.objective()
        if not objective.startswith("multi:"):
            threshold = 0.0 if objective == "binary:logitraw" else 0.5
            codes = (values > threshold).astype(np.int64)
        else:
            codes = values.argmax(axis=1) if values.ndim == 2 else values.astype(np.int64)
        classes = self._known_classes()
        return classes.decode(np.minimum(codes, len(classes.values) - 1))

    @tolerate_positions
    def predict_proba(
        self,
        X: ArrayLike,
        validate_features: bool = True,
        base_margin: ArrayLike | None = None,
        iteration_range: IterationRange | None = None,
    ) -> Floats:
        """Predict the probability of each class, in the order of `classes_`.

        Parameters
        ----------
        X
            The features.
        validate_features, base_margin, iteration_range
            As in :meth:`XGBModel.predict`.

        Returns
        -------
        ndarray of float32
            Of shape (rows, classes). With several labels per row, the probability that each one is 1.
        """
        objective = self.get_booster()._handle.objective()
        margins = objective in ("multi:softmax", "binary:logitraw")
        values = self._predict(X, margins, validate_features, base_margin, iteration_range)
        if self.n_classes_ == 1:
            return np.ones((len(values), 1), dtype=np.float32)
        if objective == "multi:softmax":
            powers = np.exp(values - values.max(axis=1, keepdims=True))
            return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)
        if margins:
            values = (1 / (1 + np.exp(-values.astype(np.float64)))).astype(np.float32)
        return values if values.ndim == 2 else np.column_stack([1 - values, values])

    def _take_attributes(self, booster: Booster, known: dict[str, Any]) -> None:
        super()._take_attributes(booster, known)
        self._classes = classes_of(booster, known)


def _weighted(classes: ClassLabels, class_weight: Any, codes: Array, weight: Any) -> Array:
    if codes.ndim == 2:
        raise DataError("`class_weight` is for one label a row; got several. Use `sample_weight`.")
    given = None if weight is None else to_array("sample_weight", weight).reshape(-1).astype(np.float64)
    if given is not None and len(given) != len(codes):
        raise DataError(
            f"`sample_weight` must have one sample weight for each row; got {len(given)} for {len(codes)} rows."
        )
    return classes.weights(class_weight, codes, given)


def _coded(data: Rows | DMatrix, classes: ClassLabels, rows: Rows, coded: Rows) -> Rows | DMatrix:
    """Return a set to evaluate on with codes as labels."""
    if isinstance(data, DMatrix):
        return data
    if data.is_same(rows):
        return replace(data, y=coded.y)
    labels = label_array(data.y, data.argument)
    if coded.y.ndim == 2:
        _check_binary(labels, data.argument)
        return replace(data, y=labels)
    if labels.ndim == 2:
        raise DataError(f"`{data.argument}` must have one label a row, as `y` has; got shape {labels.shape}.")
    return replace(data, y=classes.encode(labels, data.argument))


def _check_binary(labels: Array, argument: str) -> None:
    if labels.dtype.kind not in "biuf" or not np.isin(labels, (0, 1)).all():
        wrong = next(value for value in labels.reshape(-1).tolist() if value not in (0, 1))
        raise DataError(
            f"Unknown label type: `{argument}` with several labels a row must be 0 or 1; got {wrong!r} in it. Fit one "
            "model for each column if these are classes."
        )


@declare(objective="reg:squarederror")
class XGBRegressor(XGBRegressorMixIn, XGBModel):
    """A regressor of one or several targets.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> features = np.random.default_rng(0).normal(size=(200, 3))
    >>> model = xgb.XGBRegressor(n_estimators=20).fit(features, features[:, 0])
    >>> model.predict(features).shape
    (200,)
    >>> model.score(features, features[:, 0]) > 0.9
    True
    """

    def _answer(self, values: Floats) -> Array:
        return values.astype(np.float64) if values.ndim == 2 else values  # check_estimator demands it


# Random forests: one round of many trees, each on its own sample.
_ROUNDS_ONLY = ("early_stopping_rounds", "callbacks")
_OF_FORESTS: dict[str, Any] = {"learning_rate": 1.0, "subsample": 0.8, "colsample_bynode": 0.8, "reg_lambda": 1e-5}


class Forest(XGBModel):
    """What the forests have in common."""

    def _check_constructed(self) -> None:
        given = [name for name in _ROUNDS_ONLY if getattr(self, name) is not None]
        if given:
            raise NotImplementedError(
                "`early_stopping_rounds` and `callbacks` are not implemented for random forests, which have one round; "
                f"got `{given[0]}`. Use the estimator without RF in its name, with `num_parallel_tree`, for several."
            )

    def _fit(self, *args: Any) -> Any:
        self._check_constructed()
        return super()._fit(*args)

    def get_xgb_params(self) -> dict[str, Any]:
        """Return the parameters for :func:`xgb_like.train`: `n_estimators` trees are one round."""
        return {**super().get_xgb_params(), "num_parallel_tree": super().get_num_boosting_rounds()}

    def get_num_boosting_rounds(self) -> int:
        """Return how many rounds a fit has: 1."""
        return 1


@declare(**_OF_FORESTS, objective="binary:logistic", without=_ROUNDS_ONLY, further=(CLASS_WEIGHT_DOC,))
class XGBRFClassifier(Forest, XGBClassifier):
    """A random forest for classification. `n_estimators` is the number of its trees."""


@declare(**_OF_FORESTS, objective="reg:squarederror", without=_ROUNDS_ONLY)
class XGBRFRegressor(Forest, XGBRegressor):
    """A random forest for regression. `n_estimators` is the number of its trees."""
