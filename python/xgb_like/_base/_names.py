# SPDX-License-Identifier: Apache-2.0
"""Names of features without names: f0, f1, ...; and lists of names for messages."""

from collections.abc import Sequence


def name_of(feature: int, names: Sequence[str] | None) -> str:
    """Return the name of a feature; `names` are those of all features, or none."""
    return names[feature] if names else f"f{feature}"


def names_of(names: Sequence[str] | None, count: int) -> list[str]:
    """Return the names of all features, of which there are so many."""
    return list(names) if names else [f"f{feature}" for feature in range(count)]


def listed(items: Sequence[str], most: int, between: str = ", ", what: str = "") -> str:
    """Return the first of some texts, and how many more of `what` there are."""
    more = len(items) - most
    return between.join(items[:most]) + (f" and {more} more{what}" if more > 0 else "")
