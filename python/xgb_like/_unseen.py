# SPDX-License-Identifier: Apache-2.0
"""Categories that the training set did not have: counted as missing and told of in one warning, or an error."""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as shortened
from typing import TYPE_CHECKING

from ._exceptions import DataError
from ._messages import warn_if_wanted
from ._typing import OnUnseen
from .config import setting

if TYPE_CHECKING:
    from . import _core

_MOST_SHOWN = 3  # levels a feature, and features

ADVICE = 'For an error in place of this warning, pass `on_unseen="error"` to the prediction or to set_config().'

_Level = str | float


class UnseenLevels:
    """What one call of the user meets of them, over all matrices, batches and rounds that it reads.

    Parameters
    ----------
    on_unseen
        ``missing`` or ``error``; None is what :func:`set_config` says.
    """

    def __init__(self, on_unseen: OnUnseen | None = None) -> None:
        self._refused = setting("on_unseen", on_unseen) == "error"
        self._levels: dict[str, dict[_Level, None]] = {}  # by feature, in the order of their rows
        self._told = False

    def add(self, name: str, levels: Sequence[_Level]) -> None:
        """Take levels of a feature that are going to be missing; raise DataError if they may not be."""
        if self._refused:
            raise DataError(f"Found a category not in the training set for feature {name!r}: {levels[0]!r}.")
        self._levels.setdefault(name, {}).update(dict.fromkeys(levels))

    def warn(self, booster: _core.Booster | None = None) -> None:
        """Warn of all levels so far, the first time that there are some; the verbosity may be that of a booster."""
        if not self._levels or self._told:
            return
        self._told = True
        features = [f"{_listed([_shown(v) for v in found])} of {name!r}" for name, found in self._levels.items()]
        told = _listed(features, "; ", " features")
        warn_if_wanted(f"Categories that are not in the training set count as missing: {told}. {ADVICE}", booster)


def _shown(level: _Level) -> str:
    return shortened(level if isinstance(level, str) else int(level))


def _listed(items: Sequence[str], between: str = ", ", what: str = "") -> str:
    more = len(items) - _MOST_SHOWN
    return between.join(items[:_MOST_SHOWN]) + (f" and {more} more{what}" if more > 0 else "")
