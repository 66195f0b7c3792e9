# SPDX-License-Identifier: Apache-2.0
"""Helpers on arrays, where programs written for XGBoost look for them."""

from ._data._c_memory import from_array_interface
from ._data._categories import Categories

__all__ = ["Categories", "from_array_interface"]
