# SPDX-License-Identifier: Apache-2.0
"""The command ``xgb-like``: one module per command, and what they share."""

from ._main import main

__all__ = ["main"]
