# SPDX-License-Identifier: Apache-2.0
"""Calls of older programs: keyword-only arguments by position give a warning, removed ones an error that says so."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ._messages import warn

_F = TypeVar("_F", bound=Callable[..., Any])

_CONSTRUCTOR = "Pass it to the constructor of the estimator."
_ROUNDS = "Use `iteration_range=(0, rounds)`."
_GONE = {  # by function and argument: what takes the place of arguments that XGBoost had once
    **{("fit", name): _CONSTRUCTOR for name in ("early_stopping_rounds", "eval_metric", "callbacks")},
    **{(name, "ntree_limit"): _ROUNDS for name in ("predict", "predict_proba", "apply")},
    **{(name, "feval"): "It is `custom_metric` now." for name in ("train", "cv")},
    ("train", "eval_metric"): "Put it into `params`.",
    ("train", "learning_rates"): "Use the callback LearningRateScheduler.",
}


def refuse_positions(function: _F) -> _F:
    """Raise a TypeError that names keyword-only arguments which are given by position."""
    positional, keywords = _kinds(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        extra = keywords[: max(len(args) - positional, 0)]
        if extra:
            raise TypeError(f"Pass {', '.join(f'`{name}`' for name in extra)} as keyword args. Keyword argument only.")
        return function(*args, **kwargs)

    return call  # type: ignore[return-value]


def tolerate_positions(function: _F) -> _F:
    """Let keyword-only arguments be given by position, in the order of the signature; as in XGBoost, positions win.

    Names that are no arguments raise a TypeError that says what to do about them.
    """
    parameters = inspect.signature(function).parameters
    positional, keywords = _kinds(function)
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not takes_any and not kwargs.keys() <= parameters.keys():
            raise TypeError(_refusal(function, args, next(name for name in kwargs if name not in parameters)))
        extra = args[positional:]
        if not extra or len(extra) > len(keywords):  # of too many, Python's own message is raised
            return function(*args, **kwargs)
        names = keywords[: len(extra)]
        joined = ", ".join(f"`{name}`" for name in names)
        twice = [name for name in names if name in kwargs]
        which = f" `{twice[0]}` is given by name, too, which does not count." if twice else ""
        warn(f"Pass {joined} as keyword args: passing them by position will soon be an error.{which}", FutureWarning)
        return function(*args[:positional], **{**kwargs, **dict(zip(names, extra, strict=True))})

    return call  # type: ignore[return-value]


def _kinds(function: Callable[..., Any]) -> tuple[int, list[str]]:
    """Return how many arguments may be given by position, and the names of those that may not."""
    found = inspect.signature(function).parameters.values()
    positional = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in found)
    return positional, [p.name for p in found if p.kind is p.KEYWORD_ONLY]


def _refusal(function: Callable[..., Any], args: tuple[Any, ...], name: str) -> str:
    """Return what is wrong with an argument's name, in Python's words, and what to do."""
    is_method = "." in function.__qualname__ and args
    owner = f"{type(args[0]).__name__}." if is_method else ""  # where users find it, not what defines it
    known = [known for known in inspect.signature(function).parameters if known != "self"]
    import difflib  # noqa: PLC0415  for errors only

    near = difflib.get_close_matches(name, known, n=1)
    remedy = _GONE.get((function.__name__, name)) or (f"Did you mean `{near[0]}`?" if near else "")
    return f"{owner}{function.__name__}() got an unexpected keyword argument {name!r}. {remedy}".rstrip()
