# SPDX-License-Identifier: Apache-2.0
"""The parameters of the estimators: one table, from which constructors get their signatures and docstrings."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import _core
from .._base._keywords import tolerate_positions

if TYPE_CHECKING:
    from .._base._typing import ArrayLike, Integer
    from .._data._categories import Categories
    from .._training._callbacks import TrainingCallback

_Class = TypeVar("_Class", bound=type)
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_WIDTH = 112

# What the engine does not know, or knows only as text; everything else it describes itself.
_OWN_DOCS = """
n_estimators: int
    How many rounds; None is 100.

objective: str or callable
    The loss to minimise: a name, an instance of a class of :mod:`xgb_like.objective`, or a function of labels and
    margins, and of ``sample_weight`` if it has such a parameter, that returns gradient and hessian.

random_state: int, RandomState or Generator
    Seed of all random choices.

missing: float
    The value that stands for a missing cell; NaN always does.

monotone_constraints: str, tuple or dict
    Per feature 1 (rising), -1 (falling) or 0 (free), such as (1,0,-1), or by name as a dict.

interaction_constraints: str or list of lists
    Sets of features that may occur together on a path, by number or by name.

importance_type: str
    What `feature_importances_` counts: ``gain``, ``weight``, ``cover``, ``total_gain`` or ``total_cover``; None is
    gain, and for linear models weight.

enable_categorical: bool
    Whether columns of categories are allowed in data frames.

feature_types: list of str
    Types of the columns, ``c`` for categories; a data frame brings its own.

feature_weights: array of float
    One weight per column for drawing columns.

eval_metric: str, callable or list
    Metrics for evaluation sets: names, or a function of labels and predictions as in :mod:`sklearn.metrics`; a list
    may have one function. For early stopping more is better with scikit-learn's functions named ``*_score``; otherwise
    the name decides, as of :class:`xgb_like.callback.EarlyStopping`.

early_stopping_rounds: int
    Stop when the last metric on the last of `eval_set` has not become better for so many rounds. Predictions use the
    best round then.

callbacks: list of TrainingCallback
    What else to do between rounds; see :mod:`xgb_like.callback`.
"""


class Constructor:
    """What estimators are made of. Type checkers do not see the constructor that is made at run time, but this one."""

    def __init__(  # every parameter, in the order of XGBoost
        self,
        *,
        max_depth: Integer | None = ...,
        max_leaves: Integer | None = ...,
        max_bin: Integer | None = ...,
        grow_policy: str | None = ...,
        learning_rate: float | None = ...,
        n_estimators: Integer | None = ...,
        verbosity: int | None = ...,
        objective: str | Callable[..., Any] | None = ...,
        booster: str | None = ...,
        tree_method: str | None = ...,
        n_jobs: int | None = ...,
        gamma: float | None = ...,
        min_child_weight: float | None = ...,
        max_delta_step: float | None = ...,
        subsample: float | None = ...,
        sampling_method: str | None = ...,
        colsample_bytree: float | None = ...,
        colsample_bylevel: float | None = ...,
        colsample_bynode: float | None = ...,
        reg_alpha: float | None = ...,
        reg_lambda: float | None = ...,
        scale_pos_weight: float | None = ...,
        base_score: float | Sequence[float] | None = ...,
        random_state: Integer | np.random.RandomState | np.random.Generator | None = ...,
        missing: float = ...,
        num_parallel_tree: Integer | None = ...,
        monotone_constraints: str | Sequence[int] | Mapping[str, int] | None = ...,
        interaction_constraints: str | Sequence[Sequence[str | Integer]] | None = ...,
        importance_type: str | None = ...,
        device: str | None = ...,
        validate_parameters: bool | None = ...,
        enable_categorical: bool = ...,
        feature_types: Sequence[str] | Categories | None = ...,
        feature_weights: ArrayLike | None = ...,
        max_cat_to_onehot: Integer | None = ...,
        max_cat_threshold: Integer | None = ...,
        multi_strategy: str | None = ...,
        eval_metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = ...,
        early_stopping_rounds: Integer | None = ...,
        callbacks: Sequence[TrainingCallback] | None = ...,
        **kwargs: Any,
    ) -> None: ...


# The defaults of all.
DEFAULTS: dict[str, Any] = dict.fromkeys(list(inspect.signature(Constructor).parameters)[:-1]) | {
    "missing": np.nan,
    "enable_categorical": True,
}

# Those that the engine is not told of.
OWN = frozenset(
    {
        "callbacks",
        "class_weight",
        "early_stopping_rounds",
        "enable_categorical",
        "feature_types",
        "feature_weights",
        "importance_type",
        "missing",
        "n_estimators",
    }
)

_KWARGS_DOC = (
    "**kwargs",
    "",
    "Any other parameter of the engine (``xgb-like params`` lists them), such as ``eta``; they can be searched, too.",
)
_FACTORS = "a dict by label, or ``balanced`` for factors that give all classes the same sum of weights."
CLASS_WEIGHT_DOC = (
    "class_weight",
    "dict or 'balanced', optional",
    f"Factors on the weights of rows by class: {_FACTORS}",
)


def declare(
    *, without: tuple[str, ...] = (), further: tuple[tuple[str, str, str], ...] = (), **defaults: Any
) -> Callable[[_Class], _Class]:
    """Give a class its constructor: all parameters by name, those first whose defaults are not of :data:`DEFAULTS`.

    The signature does not show parameters in `without`; what they are given as is passed on all the same. `further` are
    name, type and description of parameters that are among ``**kwargs``.
    """
    values = {**defaults, **{name: value for name, value in DEFAULTS.items() if name not in defaults}}
    shown = {name: value for name, value in values.items() if name not in without}

    def decorate(cls: _Class) -> _Class:
        cls.__init__ = _constructor(cls, values, shown)  # type: ignore[misc]
        cls.__module__ = "xgb_like.sklearn"  # where pickles look for it
        cls.__doc__ = document(inspect.cleandoc(cls.__doc__ or ""), shown, (*further, _KWARGS_DOC))
        return cls

    return decorate


def _constructor(cls: type, values: Mapping[str, Any], shown: Mapping[str, Any]) -> Callable[..., None]:
    def __init__(self: Any, **parameters: Any) -> None:  # noqa: N807
        for name, default in values.items():
            setattr(self, name, parameters.pop(name, default))
        if parameters:
            self.kwargs = parameters
        self._check_constructed()

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__doc__ = None
    parameters = [inspect.Parameter(name, _KEYWORD, default=value) for name, value in shown.items()]
    __init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *parameters,
            inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD),
        ]
    )
    return tolerate_positions(__init__)


def _all_docs() -> dict[str, tuple[str, str]]:
    """Return type and description of all parameters of the engine, and of the estimators."""
    docs: dict[str, tuple[str, str]] = {}
    for spec in _core.param_specs():
        text = spec["doc"]
        if spec["choices"]:
            text += f" One of {', '.join(spec['choices'])}."
        if spec["default"]:
            text += f" None is {spec['default']}."
        kind = "str" if spec["type"] == "string" else spec["type"]
        docs |= dict.fromkeys((spec["name"], *spec["aliases"]), (kind, text))
    for entry in _OWN_DOCS.strip().split("\n\n"):
        head, _, text = entry.partition("\n")
        name, _, kind = head.partition(": ")
        docs[name] = (kind, " ".join(text.split()))
    return docs


_DOCS = _all_docs()


def document(doc: str, defaults: Mapping[str, Any], further: tuple[tuple[str, str, str], ...] = ()) -> str:
    """Return a docstring with a section of parameters after its introduction, before its examples."""
    told = {name: "optional" if value is None else f"default {value!r}" for name, value in defaults.items()}
    rows = [(name, f"{_DOCS[name][0]}, {default}", _DOCS[name][1]) for name, default in told.items()]
    lines = ["Parameters", "----------"]
    for name, kind, text in (*rows, *further):
        lines.append(f"{name} : {kind}" if kind else name)
        lines += textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    introduction, heading, rest = doc.partition("\n\nExamples\n")
    return introduction + "\n\n" + "\n".join(lines) + (heading + rest if heading else "\n")
