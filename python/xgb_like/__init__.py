# SPDX-License-Identifier: Apache-2.0
"""Gradient-boosted trees with XGBoost's interface and files, the same model for any number of threads."""

from typing import TYPE_CHECKING as _CHECKING
from typing import Any as _Any

from . import callback, collective, compat, config, core, data, objective, training
from ._booster import Booster
from ._core import __version__
from ._cv import cv
from ._data import DMatrix
from ._data_iter import DataIter
from ._exceptions import (
    DataError,
    InternalError,
    ModelFileNotFoundError,
    ModelFormatError,
    ParameterError,
    UnsupportedDataError,
    XgbLikeError,
)
from ._quantile import ExtMemQuantileDMatrix, QuantileDMatrix
from ._training import train
from .config import config_context, get_config, set_config
from .core import build_info

if _CHECKING:
    from . import sklearn
    from .sklearn import XGBClassifier, XGBModel, XGBRanker, XGBRegressor, XGBRFClassifier, XGBRFRegressor

__all__ = [
    "Booster",
    "DMatrix",
    "DataError",
    "DataIter",
    "ExtMemQuantileDMatrix",
    "InternalError",
    "ModelFileNotFoundError",
    "ModelFormatError",
    "ParameterError",
    "QuantileDMatrix",
    "UnsupportedDataError",
    "XGBClassifier",
    "XGBModel",
    "XGBRFClassifier",
    "XGBRFRegressor",
    "XGBRanker",
    "XGBRegressor",
    "XgbLikeError",
    "__version__",
    "build_info",
    "callback",
    "collective",
    "compat",
    "config",
    "config_context",
    "core",
    "cv",
    "data",
    "get_config",
    "objective",
    "set_config",
    "sklearn",
    "train",
    "training",
]

_NEED_SKLEARN = ("XGBClassifier", "XGBModel", "XGBRFClassifier", "XGBRFRegressor", "XGBRanker", "XGBRegressor")


def __getattr__(name: str) -> _Any:
    """Import the estimators, and with them scikit-learn, when they are first asked for."""
    if name == "sklearn" or name in _NEED_SKLEARN:
        from importlib import import_module  # noqa: PLC0415

        module = import_module(".sklearn", __name__)
        return module if name == "sklearn" else getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
