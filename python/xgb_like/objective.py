# SPDX-License-Identifier: Apache-2.0
"""Custom objectives as classes, for those that need more than margins and data."""

from ._model._custom import Objective, TreeObjective

__all__ = ["Objective", "TreeObjective"]
