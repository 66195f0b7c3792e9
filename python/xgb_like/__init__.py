# SPDX-License-Identifier: Apache-2.0
"""Gradient-boosted trees with XGBoost's interface and files, the same model for any number of threads."""

from . import callback, config, core, objective, training
from ._booster import Booster
from ._core import __version__
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
from ._predictor import Predictor
from ._quantile import ExtMemQuantileDMatrix, QuantileDMatrix
from ._training import train
from .config import config_context, get_config, set_config
from .core import build_info

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
    "Predictor",
    "QuantileDMatrix",
    "UnsupportedDataError",
    "XgbLikeError",
    "__version__",
    "build_info",
    "callback",
    "config",
    "config_context",
    "core",
    "get_config",
    "objective",
    "set_config",
    "train",
    "training",
]
