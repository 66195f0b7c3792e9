# SPDX-License-Identifier: Apache-2.0
"""Training, where programs written for XGBoost look for it."""

from ._training import train

__all__ = ["train"]
