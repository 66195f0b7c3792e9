# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The folds of a cross-validation, which train in step."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base._exceptions import ParameterError
from .._base._typing import Integer, Metric, Objective, Params
from .._base._unseen import UnseenLevels
from .._data._matrix import DMatrix
from .._model._booster import Booster


class CVPack:
    """One fold.

    Parameters
    ----------
    dtrain, dtest
        Its data.
    param
        Parameters.
    lean
        Whether nobody looks at the values of the training data.
    """

    def __init__(self, dtrain: DMatrix, dtest: DMatrix, param: Params | None, lean: bool = False) -> None:
        self.bst = Booster(param, [dtrain, dtest])
        self.dtrain = _quantised(dtrain, self.bst) if lean else dtrain
        self.dtest = dtest
        self.watchlist = [(self.dtrain, "train"), (dtest, "test")]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "bst":
            raise AttributeError(name)
        return getattr(self.bst, name)

    def update(self, iteration: int, fobj: Objective | None) -> None:
        """Train one round."""
        self.bst.update(self.dtrain, iteration, fobj)

    def eval(self, iteration: int, feval: Metric | None, output_margin: bool) -> str:
        """Return the metrics on both data sets as text."""
        return self.bst.eval_set(self.watchlist, iteration, feval, output_margin)


def _quantised(matrix: DMatrix, booster: Booster) -> DMatrix:
    """Return the matrix with bins in place of values for `dart`, which predicts in each round, if bins are enough.

    Other boosters do not look at values when they train on histograms.
    """
    params = booster._handle.params()
    boosting = params["boosting"]
    predicts_by_bins = boosting["booster"] == "dart" and boosting["tree_method"] in ("auto", "hist")
    if not predicts_by_bins or boosting["updater"] or boosting["process_type"] != "default" or not matrix.num_row():
        return matrix
    max_bin = int(params["tree"]["max_bin"])
    return DMatrix._of(matrix._handle.quantise(max_bin, None, matrix.nthread), matrix)


class PackedBooster:
    """All folds, in the place of a model.

    Parameters
    ----------
    cvfolds
        The folds.
    """

    def __init__(self, cvfolds: list[CVPack]) -> None:
        self.cvfolds = cvfolds

    def update(self, iteration: int, obj: Objective | None) -> None:
        """Train one round of each fold."""
        for fold in self.cvfolds:
            fold.update(iteration, obj)

    def eval(self, iteration: int, feval: Metric | None, output_margin: bool) -> list[str]:
        """Return the metrics of each fold as text."""
        return [fold.eval(iteration, feval, output_margin) for fold in self.cvfolds]

    def _evaluate(
        self,
        evals: Any,  # noqa: ARG002  each fold has its own
        feval: Metric | None,
        output_margin: bool,
        unseen: UnseenLevels,
    ) -> list[tuple[str, str, tuple[float, float]]]:
        """Return (name of the data, metric, (mean, standard deviation)) of all folds."""
        by_fold = [fold.bst._evaluate(fold.watchlist, feval, output_margin, unseen) for fold in self.cvfolds]
        found = []
        for scores in zip(*by_fold, strict=True):
            data, metric, _ = scores[0]
            if any(score[:2] != (data, metric) for score in scores):
                raise ParameterError(
                    "All folds must have the same metrics; let `fpreproc` not choose them by the fold."
                )
            values = np.array([value for _, _, value in scores])
            found.append((data, metric, (float(np.mean(values)), float(np.std(values)))))
        return found

    def grow(self, growing: bool) -> None:
        """Tell all boosters that rounds are being added, or that this is over."""
        for fold in self.cvfolds:
            fold.bst._growing = growing

    def set_attr(self, **kwargs: Any) -> None:
        """Set attributes of all folds."""
        for fold in self.cvfolds:
            fold.bst.set_attr(**kwargs)

    def attr(self, key: str) -> str | None:
        """Return an attribute of the first fold."""
        return self.cvfolds[0].bst.attr(key)

    def set_param(self, params: Params | str, value: Any = None) -> None:
        """Set parameters of all folds."""
        for fold in self.cvfolds:
            fold.bst.set_param(params, value)

    def num_boosted_rounds(self) -> int:
        """Return the number of rounds."""
        return self.cvfolds[0].bst.num_boosted_rounds()

    @property
    def best_iteration(self) -> int:
        """The best round by the means over all folds, if early stopping is used."""
        return self.cvfolds[0].bst.best_iteration

    @best_iteration.setter
    def best_iteration(self, iteration: Integer) -> None:
        self.set_attr(best_iteration=iteration)

    @property
    def best_score(self) -> float:
        """The mean score of the best round, if early stopping is used."""
        return self.cvfolds[0].bst.best_score

    @best_score.setter
    def best_score(self, score: float) -> None:
        self.set_attr(best_score=score)
