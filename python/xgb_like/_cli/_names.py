# SPDX-License-Identifier: Apache-2.0
"""Names of columns in models, and as users give them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from .._base._exceptions import DataError

_NOT_IN_DUMPS = str.maketrans("[]<", "()_")  # what names of features may not contain
_MOST_SHOWN = 30


def name_in_models(name: str) -> str:
    """Return the name that a column has as a feature: without the signs that dumps of models need for themselves."""
    return name.translate(_NOT_IN_DUMPS)


def find_column(names: Sequence[str], wanted: str) -> str | None:
    """Return which of the names is meant by a name, or by a number, negative ones from the last."""
    for name in (wanted, name_in_models(wanted)):
        if name in names:
            return name
    if (number := wanted.lstrip("-")).isdecimal() and number.isascii() and -len(names) <= int(wanted) < len(names):
        return names[int(wanted)]
    return next((name for name in names if name.strip() == wanted.strip()), None)


def column_named(names: Sequence[str], wanted: str, option: str) -> str:
    """Return the name of a column that is given by name, or by number, negative ones from the last."""
    found = find_column(names, wanted)
    if found is None:
        near = difflib.get_close_matches(wanted, names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        shown = ", ".join(names[:_MOST_SHOWN]) + (", ..." if len(names) > _MOST_SHOWN else "")
        raise DataError(f"`{option}`: there is no column {wanted!r}.{hint} The columns are {shown}.")
    return found


def columns_named(names: Sequence[str], given: Iterable[str], option: str) -> dict[str, str]:
    """Return columns that are given one by one or between commas: what each is called there, and its name."""
    found: dict[str, str] = {}
    for text in given:
        parts = [text] if find_column(names, text) is not None else text.split(",")
        found |= {part: column_named(names, part, option) for part in parts}
    return found
