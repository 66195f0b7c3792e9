# SPDX-License-Identifier: Apache-2.0
"""Keyword-only arguments that older programs still pass by position: taken, with a FutureWarning."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ._messages import warn

_F = TypeVar("_F", bound=Callable[..., Any])


def refuse_positions(function: _F) -> _F:
    """Raise a TypeError that names keyword-only arguments which are given by position."""
    kinds = inspect.signature(function).parameters.values()
    positional = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in kinds)
    keywords = [p.name for p in kinds if p.kind is p.KEYWORD_ONLY]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        extra = keywords[: max(len(args) - positional, 0)]
        if extra:
            raise TypeError(f"Pass {', '.join(f'`{name}`' for name in extra)} as keyword args. Keyword argument only.")
        return function(*args, **kwargs)

    return call  # type: ignore[return-value]


def tolerate_positions(function: _F) -> _F:
    """Let keyword-only arguments be given by position, in the order of the signature; as in XGBoost, positions win."""
    kinds = inspect.signature(function).parameters.values()
    positional = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in kinds)
    keywords = [p.name for p in kinds if p.kind is p.KEYWORD_ONLY]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        extra = args[positional:]
        if not extra:
            return function(*args, **kwargs)
        if len(extra) > len(keywords):
            return function(*args, **kwargs)  # raises Python's own message
        names = keywords[: len(extra)]
        joined = ", ".join(f"`{name}`" for name in names)
        twice = [name for name in names if name in kwargs]
        which = f" `{twice[0]}` is given by name, too, which does not count." if twice else ""
        warn(f"Pass {joined} as keyword args: by position they are not supported for long.{which}", FutureWarning)
        return function(*args[:positional], **{**kwargs, **dict(zip(names, extra, strict=True))})

    return call  # type: ignore[return-value]
