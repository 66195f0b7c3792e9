# SPDX-License-Identifier: Apache-2.0
"""Names of features without names: f0, f1, ..."""

from collections.abc import Sequence


def name_of(feature: int, names: Sequence[str] | None) -> str:
    """Return the name of a feature; `names` are those of all features, or none."""
    return names[feature] if names else f"f{feature}"


def names_of(names: Sequence[str] | None, count: int) -> list[str]:
    """Return the names of all features, of which there are so many."""
    return list(names) if names else [f"f{feature}" for feature in range(count)]
