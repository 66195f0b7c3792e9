# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The booster: a model with everything needed to train it further."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import EllipsisType
from typing import Any, NoReturn

import numpy as np

from .. import _core
from .._base._checks import whole
from .._base._config import get_config
from .._base._exceptions import DataError, ParameterError
from .._base._other_libraries import model_content
from .._base._typing import ArrayLike, Evals, Integer, Metric, ModelSource, Objective, Params
from .._base._unseen import UnseenLevels
from .._data._categories import Categories
from .._data._matrix import DMatrix, check_matrix, checked_texts
from .._data._recode import Known, check_kinds
from .._data._summaries import booster_html, booster_line
from ._custom import derivatives, derive, scores_of
from ._editing import Editing
from ._files import ModelFiles
from ._inspection import Inspection
from ._params import to_pairs, to_text
from ._prediction import Prediction

_OF_EARLY_STOPPING = {"best_iteration": None, "best_score": None}


class Booster(Prediction, Inspection, Editing, ModelFiles):
    """A model, its parameters, and the state of its training.

    If training stopped early, all predictions use the rounds up to ``best_iteration`` unless `iteration_range` says
    otherwise. Files keep this attribute. A slice has no best round and uses all of its own. A refitted model keeps the
    best round; a merged model, or one that gets more rounds, forgets it. Dumps, importances and ``eval`` cover all
    rounds.

    Parameters
    ----------
    params : dict or list of pairs, optional
        Parameters; ``xgb-like params`` lists them.
    cache : sequence of DMatrix, optional
        Data that will be used for training or evaluation: names of features are taken from them.
    model_file : str, path, bytes, Booster or estimator, optional
        A model to start from, which may be a booster or estimator of XGBoost or LightGBM.
    """

    def __init__(
        self,
        params: Params | None = None,
        cache: Sequence[DMatrix] | None = None,
        model_file: ModelSource | None = None,
    ) -> None:
        self._handle = _core.Booster()
        model = _fitted(model_file)
        if isinstance(model, Booster):
            self.__dict__.update(model.copy().__dict__)
        elif model is not None:
            self.load_model(model)
        for matrix in cache or ():
            self._adopt(check_matrix(matrix, "cache"))
        threads = get_config()["nthread"]
        if threads:
            self._set([("nthread", threads)])  # first: what is given comes before it
        self._set(to_pairs(params))

    def __repr__(self) -> str:
        return f"<xgb_like.{type(self).__name__}: {booster_line(self._handle)}>"

    def _repr_html_(self) -> str:
        model = self._handle.copy()
        unranked = model.is_linear() or self._unfit_names is not None
        gains = {} if unranked else self.get_score(importance_type="total_gain")
        ranking = sorted(((name, float(np.sum(gain))) for name, gain in gains.items()), key=lambda pair: -pair[1])
        return booster_html(model, ranking)

    # Parameters

    def set_param(self, params: Params | str, value: Any = None) -> None:
        """Set parameters: a dict, a list of pairs, or one name and its value. The trees do not change."""
        if not isinstance(params, str):
            self._set(to_pairs(params))
            return
        if value is None:
            raise ParameterError(f"`value` of parameter `{params}` is missing: use set_param(name, value).")
        self._set([(params, value)])

    def _set(self, pairs: list[tuple[str, Any]]) -> None:
        columns = self._handle.num_features() or self._num_columns
        self._run(self._handle.set_params, to_text(pairs, self._handle.feature_names, columns))

    # Training

    def update(self, dtrain: DMatrix, iteration: int, fobj: Objective | None = None) -> None:
        """Train one round. This clears ``best_iteration`` and ``best_score`` of an earlier training.

        Parameters
        ----------
        dtrain
            The training data.
        iteration
            The number of the round. Random choices depend on the model's own count instead.
        fobj
            A function of margins and `dtrain` that returns gradient and hessian, or an instance of a class of
            :mod:`xgb_like.objective`, in place of the objective.
        """
        if fobj is not None:
            self.boost(dtrain, iteration, fobj=fobj)
            return
        matrix = check_matrix(dtrain, "dtrain")
        whole(iteration, "iteration")
        with self._adopting(matrix):
            self._run(self._handle.update, matrix._handle)
        self._has_grown()

    def boost(
        self,
        dtrain: DMatrix,
        iteration: int,
        *,
        grad: ArrayLike | None = None,
        hess: ArrayLike | None = None,
        fobj: Objective | None = None,
    ) -> None:
        """Train one round on given derivatives.

        Parameters
        ----------
        dtrain
            The training data.
        iteration
            The number of the round.
        grad, hess
            First and second derivatives of the loss with respect to the margins, of shape (rows,) or (rows, outputs).
            Arrays of float32 in C order are read in place.
        fobj
            A source of derivatives instead of `grad` and `hess`; see :meth:`update`.
        """
        matrix = check_matrix(dtrain, "dtrain")
        number = whole(iteration, "iteration")
        given = grad is not None and hess is not None
        if given == (fobj is not None) or (grad is None) != (hess is None):
            raise ParameterError("Give either `grad` and `hess`, or `fobj`.")
        if fobj is None:
            own, chosen_by = derivatives(grad, hess, matrix.num_row()), None
        else:
            with self._adopting(matrix):
                margins = self._run(self._handle.train_margins, matrix._handle)
            own, chosen_by = derive(fobj, number, margins, matrix)
        with self._adopting(matrix):
            self._run(self._handle.boost, matrix._handle, own, chosen_by)
        self._has_grown()

    def _has_grown(self) -> None:
        """Forget the best round of an earlier training, unless train() is at it, which looks after that itself."""
        self._has_drawn = True
        if not self._growing and self._handle.attributes().keys() & _OF_EARLY_STOPPING.keys():
            self.set_attr(**_OF_EARLY_STOPPING)

    def eval(self, data: DMatrix, name: str = "eval", iteration: int = 0) -> str:
        """Return the metrics on one matrix as text; see :meth:`eval_set`."""
        return self.eval_set([(data, name)], iteration)

    def eval_set(
        self, evals: Evals, iteration: int = 0, feval: Metric | None = None, output_margin: bool = True
    ) -> str:
        """Return the metrics on several matrices as text: the iteration, then ``name-metric:value``, separated by tabs.

        They cover all rounds, even after early stopping.

        Parameters
        ----------
        evals
            Pairs of a DMatrix and its name.
        iteration
            The number at the beginning of the text.
        feval
            A function of predictions and matrix that returns a name and a value, or a list of such pairs.
        output_margin
            Whether `feval` gets margins instead of transformed predictions.
        """
        self._check_model()
        scores = self._evaluate(evals, feval, output_margin, UnseenLevels())
        return f"[{iteration}]" + "".join(f"\t{data}-{metric}:{value:.17f}" for data, metric, value in scores)

    def _evaluate(
        self, evals: Evals, feval: Metric | None, output_margin: bool, unseen: UnseenLevels
    ) -> list[tuple[str, str, float]]:
        """Return (name of the data, metric, value), the metrics in force before those of `feval`."""
        scores = []
        for matrix, name in check_evals(evals):
            self._validate_names(matrix.feature_names)
            coded = self._coded(matrix._handle, unseen)
            self._note_margins(coded, unseen)
            scores += [(name, *pair) for pair in self._run(self._handle.evaluate, coded)]
            if feval is not None:
                predictions = self._values(coded, output_margin)
                scores += [(name, *pair) for pair in scores_of(feval(predictions, matrix))]
        unseen.warn(self._handle)
        return scores

    def reset(self) -> Booster:
        """Release what is kept of the training data, and return the booster."""
        self._handle.reset()
        return self

    def _adopt(self, matrix: DMatrix) -> list[str]:
        """Take names and types of features from the first matrix, and return which; all others must agree with them."""
        handle = self._named()
        own = {"feature_names": handle.feature_names, "feature_types": handle.feature_types}
        if own["feature_names"]:
            self._validate_names(matrix.feature_names)
            if matrix.feature_names != own["feature_names"]:
                raise DataError(
                    "feature_names mismatch: the features are the same, in another order. Train on "
                    "data[booster.feature_names], or by train(), which puts them in order."
                )
        columns = matrix.num_col()
        known = handle.num_features() or columns
        for field, values in own.items():
            if len(values) not in (0, known):
                raise DataError(
                    f"`{field}` of the booster must fit the data: it has {len(values)} for {columns} columns."
                )
        ours, theirs = handle.categories, matrix._handle.categories
        if any(ours) and any(theirs) and list(ours) != list(theirs):
            raise DataError(
                "The categories of `dtrain` are not those of the model, or stand in another order. Build it as "
                "DMatrix(..., feature_types=booster.get_categories())."
            )
        # Another number of columns is for the engine to judge: there is nothing to take then.
        adopted = [field for field, values in own.items() if not values and getattr(matrix, field) and columns == known]
        for field in adopted:
            setattr(handle, field, getattr(matrix, field))
        self._num_columns = self._num_columns or columns
        return adopted

    @contextmanager
    def _adopting(self, matrix: DMatrix) -> Iterator[None]:
        """Adopt a matrix for a call of the engine; if that fails, give back what was taken from it."""
        if not matrix.num_col():
            raise DataError("`dtrain` has no columns: 0 feature is supplied, and training needs at least one.")
        if self._handle.num_boosted_rounds() and matrix.num_col() == self._handle.num_features():
            check_kinds(matrix._handle, Known.of_model(self._handle))
        columns, adopted = self._num_columns, []
        try:
            adopted = self._adopt(matrix)
            yield
        except BaseException:
            for field in adopted:
                setattr(self._handle, field, [])
            self._num_columns = columns
            raise

    # Facts

    def num_boosted_rounds(self) -> int:
        """Return the number of rounds; a forest of several trees is one round."""
        return self._handle.num_boosted_rounds()

    def num_features(self) -> int:
        """Return the number of features of the training data; 0 if there was none yet."""
        return self._handle.num_features() or self._num_columns

    @property
    def feature_names(self) -> list[str] | None:
        """Names of the features, or None. Setting None removes them.

        As in XGBoost, the number of names may be wrong. Calls that need them then raise an error until they are set
        again.
        """
        return list(self._unfit_names or self._handle.feature_names) or None

    @feature_names.setter
    def feature_names(self, names: Sequence[str] | None) -> None:
        expected = self._expected(names)
        given = _length(names)
        checked = checked_texts("feature_names", names, expected if given is None else given)
        fit = len(checked) in (0, expected)
        self._handle.feature_names = checked if fit else []
        self._unfit_names = None if fit else checked

    @property
    def feature_types(self) -> list[str] | None:
        """Types of the features, or None. Setting None removes them."""
        return list(self._handle.feature_types) or None

    @feature_types.setter
    def feature_types(self, types: Sequence[str] | None) -> None:
        self._handle.feature_types = checked_texts("feature_types", types, self._expected(types))

    def _expected(self, given: Any) -> int:
        """Return how many names or types there must be; any number while the number of features is not known."""
        return self.num_features() or _length(given) or 0

    def get_categories(self, export_to_arrow: bool = False) -> Categories:
        """Return the categories of the training data; `export_to_arrow` enables ``to_arrow()``."""
        values = self._handle.categories or [None] * self._handle.num_features()
        return Categories(self._handle.feature_names, values, export_to_arrow)

    def attr(self, key: str) -> str | None:
        """Return an attribute of the model, or None if it does not exist."""
        return self._handle.attributes().get(key)

    def attributes(self) -> dict[str, str]:
        """Return all attributes of the model."""
        return self._handle.attributes()

    def set_attr(self, **kwargs: Any) -> None:
        """Set attributes, which the model's file keeps as text. None removes one."""
        values = {**self._handle.attributes(), **kwargs}
        self._handle.set_attributes({name: str(value) for name, value in values.items() if value is not None})

    @property
    def best_iteration(self) -> int:
        """The best round, counted from 0, if early stopping is used.

        Predictions then use no later rounds, unless `iteration_range` says so.
        """
        return int(self._early_stopping("best_iteration"))

    @best_iteration.setter
    def best_iteration(self, iteration: int) -> None:
        self.set_attr(best_iteration=iteration)

    @property
    def best_score(self) -> float:
        """The score of the best round, if early stopping is used."""
        return float(self._early_stopping("best_score"))

    @best_score.setter
    def best_score(self, score: float) -> None:
        self.set_attr(best_score=score)

    @property
    def best_ntree_limit(self) -> NoReturn:
        """Not here any more: see `best_iteration`."""
        raise AttributeError(
            "`best_ntree_limit` is not there any more: predictions use the best rounds by themselves, and "
            "(0, booster.best_iteration + 1) is the `iteration_range` for them."
        )

    def _early_stopping(self, name: str) -> str:
        found = self.attr(name)
        if found is None:
            raise AttributeError(
                f"`{name}` is only defined when early stopping is used: train with `early_stopping_rounds`."
            )
        return found

    # Rounds

    def __getitem__(self, rounds: Integer | slice | EllipsisType) -> Booster:
        """Return the model of some rounds: ``booster[3]``, ``booster[:5]``, ``booster[1:9:2]``."""
        begin, end, step = _range_of(rounds, self.num_boosted_rounds())
        return self._like_this(self._handle.slice(begin, end, step))

    def _best(self) -> Booster:
        """Return the model of the rounds that predictions use: after early stopping, those up to the best one."""
        rounds = self._best_rounds()
        return self[:rounds] if rounds else self

    def __iter__(self) -> Iterator[Booster]:
        """Yield the model of each round."""
        return (self[number] for number in range(self.num_boosted_rounds()))


def _fitted(model: Any) -> Any:
    """Return what a model to begin with stands for: an estimator for its booster, one of other libraries for a file."""
    content = model_content(model)
    if content is not None:
        return content
    return model.get_booster() if callable(getattr(model, "get_booster", None)) else model


def _length(given: Any) -> int | None:
    return len(given) if hasattr(given, "__len__") else None


def check_evals(evals: Any) -> list[tuple[DMatrix, str]]:
    """Return `evals` as a list, checked to be pairs of a DMatrix and a name."""
    wrong = "`evals` must be a list of pairs of a DMatrix and its name, such as [(dtest, 'test')]"
    if isinstance(evals, (str, DMatrix)) or not hasattr(evals, "__iter__"):
        raise ParameterError(f"{wrong}; got {type(evals).__name__}.")
    pairs = list(evals)
    for pair in pairs:
        good = isinstance(pair, (tuple, list)) and len(pair) == 2 and isinstance(pair[1], str)
        if not good:
            raise ParameterError(f"{wrong}; got {type(pair).__name__} in it.")
        check_matrix(pair[0], "evals", "a pair")
    return [(matrix, name) for matrix, name in pairs]


def _range_of(rounds: Any, total: int) -> tuple[int, int, int]:
    """Return begin, end and step of the rounds that an index names, checked."""
    if isinstance(rounds, tuple):
        raise ParameterError("Only supports slicing through 1 dimension, by rounds; got a tuple.")
    if rounds is Ellipsis:
        rounds = slice(None)
    if isinstance(rounds, (int, np.integer)):
        number = int(rounds)
        rounds = slice(number, number + 1)
    if not isinstance(rounds, slice):
        raise TypeError(f"A booster is indexed by an int, a slice or `...`; got {type(rounds).__name__}.")
    return _checked_range(rounds, total)


def _checked_range(rounds: slice, total: int) -> tuple[int, int, int]:
    begin = 0 if rounds.start in (None, Ellipsis) else whole(rounds.start, "slice")
    end = total if rounds.stop in (None, Ellipsis) else whole(rounds.stop, "slice")
    step = 1 if rounds.step is None else whole(rounds.step, "slice")
    if begin < 0:
        raise ParameterError(f"The first round must be >= 0; got {begin}. Rounds are not counted from the end.")
    if step < 1:
        raise ParameterError(f"The step must be >= 1; got {step}.")
    if begin > total or end > total:
        raise IndexError(f"Layer index out of range: the model has {total} rounds; got {rounds}.")
    if end < begin:
        raise ParameterError(f"Invalid slice {rounds}: it ends before it begins.")
    if begin == end:
        raise ParameterError(f"Empty slice is not allowed: the model has {total} rounds; got {rounds}.")
    return begin, end, min(step, total)
