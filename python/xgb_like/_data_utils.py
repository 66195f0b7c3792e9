# SPDX-License-Identifier: Apache-2.0
"""Categories, where programs written for XGBoost look for them."""

from ._categories import Categories

__all__ = ["Categories"]
