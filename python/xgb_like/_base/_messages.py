# SPDX-License-Identifier: Apache-2.0
"""How messages reach the user: warnings as Python warnings at the user's own line, the rest by ``logging``.

Where no handler is set up for logging, the rest goes to the standard error.
"""

import logging
import sys
import warnings

from .. import _core
from ._config import get_config

_logger = logging.getLogger("xgb_like")
_PACKAGE = __name__.partition(".")[0]
_WARNING, _DEBUG = 1, 3


def _depth_of_user() -> int:
    """Return how many frames the first one outside of the package is above the caller of this function."""
    depth, frame = 1, sys._getframe(1)  # noqa: SLF001  the cheap way
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        depth, frame = depth + 1, frame.f_back
    return depth


def warn(text: str, category: type[Warning] = UserWarning, booster: _core.Booster | None = None) -> None:
    """Warn at the line of the user's program that led here, unless the verbosity of booster or set_config() is 0.

    Deprecations are always reported: silence them by Python's own filters.
    """
    if category is not UserWarning or _verbosity(booster) >= _WARNING:
        warnings.warn(text, category, stacklevel=_depth_of_user())


def hand_on(booster: _core.Booster) -> None:
    """Pass on what the engine has to say since the last call."""
    messages = booster.take_messages()
    if not messages:
        return
    verbosity = _verbosity(booster)
    for level, text in messages:
        if level > verbosity:
            continue
        if level == _WARNING:
            warnings.warn(text, UserWarning, stacklevel=_depth_of_user())
        elif _logger.hasHandlers():
            _logger.log(logging.DEBUG if level == _DEBUG else logging.INFO, "%s", text)
        else:  # who asks for messages sees them, also without a set-up of logging
            sys.stderr.write(f"{text}\n")


def _verbosity(booster: _core.Booster | None) -> int:
    given = None if booster is None else dict(booster.given_params()).get("verbosity")
    return int(float(given)) if given is not None else int(get_config()["verbosity"])
