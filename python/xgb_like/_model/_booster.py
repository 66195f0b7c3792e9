# SPDX-License-Identifier: Apache-2.0
"""The booster: a model with everything needed to train it further."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any, NoReturn

import numpy as np

from .. import _core
from .._base._config import get_config
from .._base._exceptions import ParameterError, real, whole
from .._base._libraries import model_content
from .._base._typing import ArrayLike, Evals, Integer, Metric, ModelSource, Objective, Params, PathLike, Self
from .._base._unseen import UnseenLevels
from .._data._categories import Categories
from .._data._matrix import DMatrix, check_matrix, checked_texts, matrix_for
from .._data._summaries import booster_html, booster_line
from ._config_json import config_of, params_in
from ._custom import derivatives, derive, scores_of
from ._matching import adopt, adopting, best_rounds, coded, has_grown, note_margins, validate_names
from ._params import to_pairs, to_text
from ._prediction import known_values
from ._reading import Model, load_model
from ._state import BoosterState


class Booster(Model):
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
        content = model_content(model_file)  # of a model of another library
        model: Any = model_file if content is None else content
        if callable(getattr(model, "get_booster", None)):
            model = model.get_booster()
        if isinstance(model, Booster):
            self.__dict__.update(model.copy().__dict__)
        elif model is not None:
            self.load_model(model)
        for matrix in cache or ():
            adopt(self, check_matrix(matrix, "cache"))
        threads = get_config()["nthread"]
        if threads:
            _set_params(self, [("nthread", threads)])  # first: what is given comes before it
        _set_params(self, to_pairs(params))

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
            _set_params(self, to_pairs(params))
            return
        if value is None:
            raise ParameterError(f"`value` of parameter `{params}` is missing: use set_param(name, value).")
        _set_params(self, [(params, value)])

    def save_config(self) -> str:
        """Return the current parameters as JSON text, which :meth:`load_config` takes."""
        return json.dumps(config_of(self._handle.copy(), self._has_drawn), separators=(",", ":"))

    def load_config(self, config: str) -> None:
        """Set parameters from what :meth:`save_config`, or XGBoost's, returned."""
        self._run(self._handle.set_params, params_in(config))
        self._has_drawn |= "rng_state" in json.loads(config)["learner"]["generic_param"]

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
        with adopting(self, matrix):
            self._run(self._handle.update, matrix._handle)
        has_grown(self)

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
            with adopting(self, matrix):
                margins = self._run(self._handle.train_margins, matrix._handle)
            own, chosen_by = derive(fobj, number, margins, matrix)
        with adopting(self, matrix):
            self._run(self._handle.boost, matrix._handle, own, chosen_by)
        has_grown(self)

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
            validate_names(self, matrix.feature_names)
            found = coded(self, matrix._handle, unseen)
            note_margins(self, found, unseen)
            scores += [(name, *pair) for pair in self._run(self._handle.evaluate, found)]
            if feval is not None:
                predictions = known_values(self, found, output_margin)
                scores += [(name, *pair) for pair in scores_of(feval(predictions, matrix))]
        unseen.warn(self._handle)
        return scores

    def reset(self) -> Booster:
        """Release what is kept of the training data, and return the booster."""
        self._handle.reset()
        return self

    # Models of models

    def merge(self, other: Any, *, add_intercept: bool = True) -> Self:
        """Return a model whose margins are the sum of the margins of this model and another.

        Parameters
        ----------
        other : Booster
            A model with the same objective, outputs and features. Its rounds come after those of this model.
        add_intercept
            Whether the intercept of `other` counts. It then becomes part of its first trees. It must not count if
            `other` was trained with the margins of this model as ``base_margin``.
        """
        if not isinstance(other, Booster):
            raise ParameterError(f"`other` must be a Booster; got {type(other).__name__}.")
        return self._like_this(self._handle.merge(other._handle, bool(add_intercept)))

    def refit(self, data: DMatrix | ArrayLike, label: ArrayLike | None = None, decay: float = 0.9) -> Self:
        """Return a model with the same trees and leaves fitted to other data.

        All rounds are refitted. The best round of early stopping stays the same.

        Parameters
        ----------
        data
            A DMatrix with labels, or data that it can be made from.
        label
            The labels, if `data` is not a DMatrix.
        decay
            The share of a leaf's old value that is kept. The rest comes from the data, round after round.
        """
        if isinstance(data, DMatrix) and label is not None:
            raise ParameterError("`label` must be part of `data` if that is a DMatrix: use data.set_label().")
        matrix = matrix_for(self._handle, data, label, feature_types=self.feature_types)
        validate_names(self, matrix.feature_names)
        unseen = UnseenLevels()
        found = coded(self, matrix._handle, unseen)
        note_margins(self, found, unseen)
        unseen.warn(self._handle)
        return self._like_this(self._handle.refit(found, real(decay, "decay", 0, 1)))

    def rollback_one_iter(self) -> Self:
        """Take back the last round, and return the booster.

        This includes what the objective learned in that round, such as the position bias of ``lambdarank_unbiased``,
        unless the round comes from a file: files have only the last state.
        """
        self._handle.roll_back()
        return self

    def set_leaf_output(self, tree_id: Integer, leaf_id: Integer, value: ArrayLike) -> Self:
        """Set the value of a leaf, and return the booster.

        Parameters
        ----------
        tree_id
            The number of the tree.
        leaf_id
            The number of the leaf, as ``predict(pred_leaf=True)`` gives it.
        value
            A number, or one for each output of a tree with vector leaves.
        """
        tree, leaf = whole(tree_id, "tree_id"), whole(leaf_id, "leaf_id")
        if tree < 0 or leaf < 0:
            raise ParameterError(f"`tree_id` and `leaf_id` must not be negative; got {tree} and {leaf}.")
        values = np.atleast_1d(np.asarray(value, dtype=np.float32))
        self._handle.set_leaf(tree, leaf, values.tolist())
        return self

    def load_model(self, fname: PathLike | bytes | bytearray) -> None:
        """Load a model of this package, of XGBoost, or a LightGBM text file, from a file or from its bytes.

        LightGBM's models predict the same for all float32 values. What has no counterpart here is refused: linear
        trees, ``reg_sqrt``, the objective ``cross_entropy_lambda`` and most of ``zero_as_missing``.

        Raises
        ------
        ModelFormatError
            If it is not such a model.
        """
        load_model(self, fname)

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
        expected = _expected(self, names)
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
        self._handle.feature_types = checked_texts("feature_types", types, _expected(self, types))

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
        return int(of_early_stopping(self, "best_iteration"))

    @best_iteration.setter
    def best_iteration(self, iteration: int) -> None:
        self.set_attr(best_iteration=iteration)

    @property
    def best_score(self) -> float:
        """The score of the best round, if early stopping is used."""
        return float(of_early_stopping(self, "best_score"))

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

    # Rounds

    def __getitem__(self, rounds: Integer | slice | EllipsisType) -> Booster:
        """Return the model of some rounds: ``booster[3]``, ``booster[:5]``, ``booster[1:9:2]``."""
        begin, end, step = _range_of(rounds, self.num_boosted_rounds())
        return self._like_this(self._handle.slice(begin, end, step))

    def _best(self) -> Booster:
        """Return the model of the rounds that predictions use: after early stopping, those up to the best one."""
        rounds = best_rounds(self)
        return self[:rounds] if rounds else self

    def __iter__(self) -> Iterator[Booster]:
        """Yield the model of each round."""
        return (self[number] for number in range(self.num_boosted_rounds()))


def of_early_stopping(model: Any, name: str) -> str:
    """Return an attribute that early stopping sets."""
    found: str | None = model.attr(name)
    if found is None:
        raise AttributeError(
            f"`{name}` is only defined when early stopping is used: train with `early_stopping_rounds`."
        )
    return found


def _set_params(booster: BoosterState, pairs: list[tuple[str, Any]]) -> None:
    columns = booster._handle.num_features() or booster._num_columns
    booster._run(booster._handle.set_params, to_text(pairs, booster._handle.feature_names, columns))


def _expected(booster: Booster, given: Any) -> int:
    """Return how many names or types there must be; any number while the number of features is not known."""
    return booster.num_features() or _length(given) or 0


def _length(given: Any) -> int | None:
    return len(given) if hasattr(given, "__len__") else None


def check_evals(evals: Any) -> list[tuple[DMatrix, str]]:
    """Return `evals` as a list, checked to be pairs of a DMatrix and a name."""
    wrong = "`evals` must be a list of pairs of a DMatrix and its name, such as [(dtest, 'test')]"
    if isinstance(evals, (str, DMatrix)) or not hasattr(evals, "__iter__"):
        raise ParameterError(f"{wrong}; got {type(evals).__name__}.")
    pairs = list(evals)
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[1], str):
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
