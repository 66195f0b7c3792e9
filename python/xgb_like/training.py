# SPDX-License-Identifier: Apache-2.0
"""Training, where programs written for XGBoost look for it."""

from ._cv import CVResult, cv
from ._cv_folds import CVPack
from ._training import train

__all__ = ["CVPack", "CVResult", "cv", "train"]
