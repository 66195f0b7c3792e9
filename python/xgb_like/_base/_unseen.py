# SPDX-License-Identifier: Apache-2.0
"""Data that differ from the training data: one warning of each kind, or an error."""

from collections.abc import Sequence
from reprlib import repr as shortened
from weakref import WeakSet

from .. import _core
from ._config import setting
from ._exceptions import DataError, listed
from ._messages import warn
from ._typing import OnUnseen

_MOST_SHOWN = 3  # levels a feature, and features

ADVICE = 'For an error in place of this warning, pass `on_unseen="error"` to the prediction or to set_config().'

_LEVELS = f"Categories that are not in the training set count as missing: {{}}. {ADVICE}"
_CODES = (
    "Codes of categories that are not in the training set: {}. A split sends a code that it does not list where the "
    f"others of that kind go. {ADVICE}"
)
_MOST_CODES = 2**24
_NUMBERS = "Categories were turned back into numbers, which the model was trained on: {}. Pass columns of numbers."
MARGINS = (
    "The model was trained with `base_margin`, and the data have none: predictions start from the model's intercept "
    "instead. Give them a `base_margin` like that of the training data."
)

_Level = str | float


class UnseenLevels:
    """Collects such data over all matrices, batches and rounds that one call of the user reads.

    `on_unseen` is ``missing`` or ``error``; None is what :func:`set_config` says.
    """

    def __init__(self, on_unseen: OnUnseen | None = None) -> None:
        self._refused = setting("on_unseen", on_unseen) == "error"
        self._found: dict[str, dict[str, dict[_Level, None]]] = {}  # by text and feature, in the order of their rows
        self._told: set[str] = set()
        self._searched: WeakSet[_core.DMatrix] = WeakSet()

    def add(self, name: str, levels: Sequence[_Level]) -> None:
        """Add levels of a feature that will be missing; raise DataError if they may not be."""
        if self._refused:
            raise DataError(f"Found a category not in the training set for feature {name!r}: {_code(levels[0])!r}.")
        self._note(_LEVELS, name, levels)

    def add_codes(self, name: str, codes: Sequence[float], certain: bool) -> None:
        """Add codes without labels. Either it is certain that training had none of them, or the file does not say.

        If it does not, only impossible codes are reported.
        """
        if certain and self._refused:
            self.add(name, codes)
        if self._refused:
            raise DataError(
                f"Found a category that may not be in the training set for feature {name!r}: {_code(codes[0])!r}. The "
                "model's splits list none so high, and its file does not say which ones training had. Pass "
                '`on_unseen="missing"` to predict all the same.'
            )
        strange = [code for code in codes if certain or not (0 <= code < _MOST_CODES and code.is_integer())]
        if strange:
            self._note(_CODES, name, strange)

    def is_first_look(self, matrix: _core.DMatrix) -> bool:
        """Tell whether a matrix is asked about for the first time: its codes are read once, not each round."""
        first = matrix not in self._searched
        self._searched.add(matrix)
        return first

    def add_numbers(self, name: str) -> None:
        """Add a feature whose categories are turned back into numbers."""
        self._note(_NUMBERS, name, ())

    def add_margins(self) -> None:
        """Note that rows have no base margins although those of the training had."""
        self._found.setdefault(MARGINS, {})

    def _note(self, text: str, name: str, levels: Sequence[_Level]) -> None:
        self._found.setdefault(text, {}).setdefault(name, {}).update(dict.fromkeys(levels))

    def warn(self, booster: _core.Booster | None = None) -> None:
        """Warn of everything so far, once for each kind. The verbosity may be a booster's."""
        for text, found in self._found.items():
            if text in self._told:
                continue
            self._told.add(text)
            features = []
            for name, levels in found.items():
                shown = listed([shortened(_code(level)) for level in levels], _MOST_SHOWN)
                features.append(f"{shown} of {name!r}" if levels else repr(name))
            between = "; " if text != _NUMBERS else ", "
            warn(text.format(listed(features, _MOST_SHOWN, between, " features")), booster=booster)


def _code(level: _Level) -> str | float:
    """Return a level as users write it: whole numbers without a point."""
    return int(level) if not isinstance(level, str) and float(level).is_integer() else level
