# SPDX-License-Identifier: Apache-2.0
"""Settings of the current thread: what is reported, and defaults for calls."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from ._exceptions import ParameterError

__all__ = ["config_context", "config_doc", "get_config", "set_config"]

_F = TypeVar("_F", bound=Callable[..., Any])

_HIGHEST = {"verbosity": 3}
_CHOICES = {"on_unseen": ("missing", "error")}


_DEFAULTS = {"nthread": 0, "on_unseen": "missing", "use_cuda_async_pool": False, "use_rmm": False, "verbosity": 1}


class _Settings(threading.local):
    def __init__(self) -> None:
        self.values: dict[str, Any] = dict(_DEFAULTS)


_settings = _Settings()


def _checked(name: str, value: Any) -> int | bool | str:
    known = _settings.values
    if name not in known:
        raise ParameterError(f"Unknown setting `{name}`. The settings are {', '.join(sorted(known))}.")
    if isinstance(known[name], bool):
        if value not in (True, False):
            raise ParameterError(f"`{name}` must be True or False; got {value!r}.")
        return bool(value)
    if name in _CHOICES:
        if not isinstance(value, str) or value not in _CHOICES[name]:
            raise ParameterError(f"`{name}` must be {' or '.join(_CHOICES[name])}; got {value!r}.")
        return str(value)
    high = _HIGHEST.get(name, math.inf)
    if not hasattr(value, "__index__") or not 0 <= int(value) <= high:
        allowed = "an int >= 0" + (f" and <= {high}" if name in _HIGHEST else "")
        raise ParameterError(f"`{name}` must be {allowed}; got {value!r}.")
    return int(value)


def set_config(**new_config: Any) -> None:
    """Change settings of the current thread. A setting given as None stays as it is.

    Parameters
    ----------
    verbosity : int, optional
        0 is silent, 1 shows warnings, 2 adds information, 3 adds details. Warnings are Python warnings, the rest goes
        to the logger ``xgb_like``.
    nthread : int, optional
        The default number of threads for boosters and matrices; 0 means all.
    on_unseen : {"missing", "error"}, optional
        How to treat categories that the training set did not have: as missing, with a warning, or as an error. This is
        the default for predictions, and applies to evaluation data and to matrices that use the codes of others.
    use_rmm, use_cuda_async_pool : bool, optional
        Accepted for compatibility; they concern devices that this package does not use.
    """
    checked = {name: _checked(name, value) for name, value in new_config.items() if value is not None}
    _settings.values.update(checked)


def get_config() -> dict[str, Any]:
    """Return the settings of the current thread."""
    return dict(_settings.values)


def setting(name: str, given: Any = None) -> Any:
    """Return the value given for one call, checked, or the setting of the current thread if it is None."""
    return _settings.values[name] if given is None else _checked(name, given)


@contextmanager
def config_context(**new_config: Any) -> Iterator[None]:
    """Change settings within a ``with`` block; takes what :func:`set_config` takes."""
    before = get_config()
    set_config(**new_config)
    try:
        yield
    finally:
        _settings.values.update(before)


def config_doc(
    *,
    header: str | None = None,
    extra_note: str | None = None,
    parameters: str | None = None,
    returns: str | None = None,
    see_also: str | None = None,
) -> Callable[[_F], _F]:
    """Return a decorator that joins parts of a docstring; those that are None are left out."""
    parts = [part for part in (header, extra_note, parameters, returns, see_also) if part]

    def document(function: _F) -> _F:
        function.__doc__ = "\n".join(parts)
        return function

    return document
