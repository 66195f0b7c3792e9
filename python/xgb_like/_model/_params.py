# SPDX-License-Identifier: Apache-2.0
"""Parameters as users write them, turned into the text that the engine takes.

The engine knows names, ranges and aliases and does all checks; here only Python's types are turned into words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._base._exceptions import ParameterError, listed, names_of
from .._base._typing import Params

_MOST_SHOWN = 20
_METRICS = "eval_metric"
_MONOTONE = "monotone_constraints"
_INTERACTION = "interaction_constraints"
_INSTEAD = {
    "objective": "Pass the function as `obj` of train(), or as `fobj` of Booster.update().",
    _METRICS: "Pass the function as `custom_metric` of train(), or as `feval` of Booster.eval_set().",
}


def to_pairs(params: Params | None) -> list[tuple[str, Any]]:
    """Return parameters, given as a dict or as pairs, as pairs; those that are None are left out."""
    pairs: Iterable[Any] = params.items() if isinstance(params, Mapping) else _checked_pairs(params)
    out = []
    for name, value in pairs:
        if not isinstance(name, str):
            raise ParameterError(f"Names of parameters are strings; got {name!r} of type {type(name).__name__}.")
        if value is not None:
            out.append((name, value))
    return out


def _checked_pairs(params: Any) -> Iterable[Any]:
    wrong = ParameterError(
        f"`params` must be a dict or a list of (name, value) pairs; got {params!r} of type {type(params).__name__}."
    )
    if params is None:
        return ()
    if isinstance(params, (str, bytes)) or not isinstance(params, Iterable):
        raise wrong
    pairs = list(params)
    if not all(isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == 2 for pair in pairs):
        raise wrong
    return pairs


def to_text(pairs: Iterable[tuple[str, Any]], names: Sequence[str] = (), num_columns: int = 0) -> list[tuple[str, str]]:
    """Turn values into text; names and number of columns of the training data are for constraints given by name."""
    texts: list[tuple[str, str]] = []
    for name, value in pairs:
        if name == _METRICS:
            texts += [(name, metric) for metric in metric_names(value)]
        elif name == _MONOTONE and isinstance(value, Mapping):
            texts.append((name, _monotone(value, names, num_columns)))
        elif name == _INTERACTION and isinstance(value, Sequence) and not isinstance(value, str):
            texts.append((name, _interaction(value, names, num_columns)))
        else:
            texts.append((name, value_text(name, value)))
    return texts


def value_text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, (int, float, np.number)):
        return str(value)  # of numpy's the shortest of its own width: 0.1 for float32, too
    if isinstance(value, np.ndarray) and not value.ndim:
        return value_text(name, value[()])
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(items, (list, tuple, set, frozenset, range)):
        return "[" + ",".join(value_text(name, item) for item in items) + "]"
    raise ParameterError(_refusal(name, value))


def _refusal(name: str, value: Any) -> str:
    if callable(value):
        advice = _INSTEAD.get(name, "Functions are arguments of their own, not parameters.")
        return f"`{name}` cannot be a function; got {value!r}. {advice}"
    allowed = "a number, a string, a bool, or a list of these"
    return f"`{name}` must be {allowed}; got {value!r} of type {type(value).__name__}."


def metric_names(value: Any, argument: str = _METRICS) -> list[str]:
    """Return names of metrics, given as one or several, as a list."""
    items = [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
    for item in items:
        if callable(item):
            raise ParameterError(_refusal(_METRICS, item))
        if not isinstance(item, str):
            raise ParameterError(
                f"Invalid type for the `{argument}`: got {item!r} of type {type(item).__name__}. It must be a name or "
                "a list of names."
            )
    return items


def _index(parameter: str, names: Sequence[str], num_columns: int) -> Callable[[Any], int]:
    """Return what tells the number of a column by its name."""
    if not num_columns:
        raise ParameterError(
            f"`{parameter}` by feature name needs the training data: pass it as Booster(params, [dtrain]) "
            "or to train(), or use column numbers."
        )
    columns = {name: i for i, name in enumerate(names_of(names, num_columns))}

    def index(name: Any) -> int:
        if name in columns:
            return columns[name]
        raise ParameterError(
            f"Constrained features are not a subset of training data feature names: `{parameter}` has {name!r}. The "
            f"features are {listed(list(map(repr, columns)), _MOST_SHOWN)}."
        )

    return index


def _monotone(value: Mapping[Any, Any], names: Sequence[str], num_columns: int) -> str:
    index, signs = _index(_MONOTONE, names, num_columns), ["0"] * num_columns
    for name, sign in value.items():
        signs[index(name)] = value_text(_MONOTONE, sign)
    return "(" + ",".join(signs) + ")"


def _interaction(value: Sequence[Any], names: Sequence[str], num_columns: int) -> str:
    for item in value:
        if not isinstance(item, (list, tuple, set, frozenset, np.ndarray)):
            raise ParameterError(
                f"`{_INTERACTION}` must be a list of lists of feature names or numbers; got {item!r} in place of a "
                "list."
            )
    sets = [list(item) for item in value]
    if any(isinstance(item, str) for group in sets for item in group):
        index = _index(_INTERACTION, names, num_columns)
        sets = [[index(one) if isinstance(one, str) else one for one in group] for group in sets]
    return value_text(_INTERACTION, sets)
