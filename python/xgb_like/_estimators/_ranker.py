# SPDX-License-Identifier: Apache-2.0
"""The ranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from .._base._exceptions import DataError, ParameterError
from .._base._keywords import tolerate_positions
from .._base._typing import ArrayLike, Floats, IterationRange, Metric, PathLike
from .._base._unseen import UnseenLevels
from .._data._matrix import matrix_for
from .._model._booster import Booster
from ._custom import ltr_metric_decorator
from ._data import EvalSet, Rows, evaluation_sets, split_queries
from ._estimator import XGBModel
from ._params import declare
from ._peers import XGBRankerMixIn


@declare(objective="rank:ndcg")
class XGBRanker(XGBRankerMixIn, XGBModel):
    """A model that puts the rows of each query in order.

    Rows of a query must be next to each other. `group` has the sizes of queries; `qid` has the query of each row,
    sorted, and may also be a column ``qid`` of a data frame. There is one weight per query, not per row.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> features = np.random.default_rng(0).normal(size=(100, 3))
    >>> relevance = (features[:, 0] > 0).astype(int)
    >>> model = xgb.XGBRanker(n_estimators=5).fit(features, relevance, qid=np.arange(100) // 10)
    >>> model.predict(features).shape
    (100,)
    """

    def _check_constructed(self) -> None:
        if callable(self.objective):
            raise ParameterError(
                "A custom objective function is not supported by XGBRanker. Use train() with `obj`, or a name such as "
                "rank:ndcg."
            )
        if isinstance(self.objective, str) and "rank:" not in self.objective:
            raise ParameterError(
                f"`objective` must be one for ranking, such as rank:ndcg; got {self.objective!r}. Please use XGBRanker "
                "for ranking task only, and XGBRegressor or XGBClassifier for others."
            )

    @tolerate_positions
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        group: ArrayLike | None = None,
        qid: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        base_margin: ArrayLike | None = None,
        eval_set: Sequence[Any] | None = None,
        eval_group: Sequence[ArrayLike] | None = None,
        eval_qid: Sequence[ArrayLike] | None = None,
        verbose: bool | int | None = True,
        xgb_model: Booster | XGBModel | PathLike | None = None,
        sample_weight_eval_set: Sequence[ArrayLike | None] | None = None,
        base_margin_eval_set: Sequence[ArrayLike | None] | None = None,
        feature_weights: ArrayLike | None = None,
    ) -> XGBRanker:
        """Train the model.

        Parameters
        ----------
        X
            The features; a data frame may have a column ``qid``.
        y
            How relevant each row is to its query.
        group, qid
            The sizes of the queries, or the query of each row as a number or text. Give one of the two.
        sample_weight
            One weight per query.
        eval_group, eval_qid : list, optional
            `group` or `qid` of each set in `eval_set`.
        base_margin, eval_set, verbose, xgb_model, sample_weight_eval_set, base_margin_eval_set, feature_weights
            As in :meth:`XGBModel.fit`.

        Returns
        -------
        self
        """
        info = {
            "sample_weight": sample_weight_eval_set,
            "base_margin": base_margin_eval_set,
            "group": eval_group,
            "qid": eval_qid,
        }
        rows = _with_queries(Rows("y", X, y, sample_weight, base_margin, group, qid))
        evals = [(_with_queries(data), name) for data, name in evaluation_sets(eval_set, **info)]
        return self._fit(rows, evals, verbose, xgb_model, feature_weights)

    def _fit(self, rows: Rows, evals: list[EvalSet], verbose: Any, xgb_model: Any, feature_weights: Any) -> XGBRanker:
        self._check_constructed()
        return super()._fit(rows, evals, verbose, xgb_model, feature_weights)

    def _metric(self, function: Callable[..., float]) -> Metric:
        return ltr_metric_decorator(function, self.n_jobs)

    def _predict(self, X: Any, margin: bool, validate: bool, base_margin: Any, iteration_range: Any) -> Floats:
        return super()._predict(split_queries(X, None)[0], margin, validate, base_margin, iteration_range)

    def apply(self, X: ArrayLike, iteration_range: IterationRange | None = None) -> Floats:
        """Return the number of each row's leaf in each tree; see :meth:`XGBModel.apply`."""
        return super().apply(split_queries(X, None)[0], iteration_range)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Return the last metric, by default NDCG. After early stopping it is that of the rounds up to the best.

        Parameters
        ----------
        X
            A data frame with a column ``qid``.
        y
            How relevant each row is to its query.

        Returns
        -------
        float
        """
        features, qid = split_queries(X, None)
        if qid is None:
            raise DataError(
                "The special column `qid` is required in `X` for ranking task: score() needs the queries. Pass a data "
                "frame that has it."
            )
        matrix = matrix_for(self.get_booster()._handle, features, y, qid=qid, **self._settings())
        metric = self._metric(self.eval_metric) if callable(self.eval_metric) else None
        return self.get_booster()._best()._evaluate([(matrix, "score")], metric, True, UnseenLevels())[-1][2]


def _with_queries(data: Any) -> Any:
    if not isinstance(data, Rows):
        return data
    features, qid = split_queries(data.X, data.qid)
    if data.group is None and qid is None:
        what = "the training data" if data.argument == "y" else f"`{data.argument}`"
        raise DataError(
            f"Either `group` or `qid` is required for ranking task; {what} has neither. Say which rows "
            "belong to one query: by `group` or `qid` (`eval_group` or `eval_qid`), or a column `qid`."
        )
    return replace(data, X=features, qid=qid)
