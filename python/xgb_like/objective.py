# SPDX-License-Identifier: Apache-2.0
"""Objectives of one's own as classes, for those that need more than margins and data."""

from ._model._objective import Objective, TreeObjective

__all__ = ["Objective", "TreeObjective"]
