# SPDX-License-Identifier: Apache-2.0
"""Gradient-boosted trees with XGBoost's interface and files, the same model for any number of threads."""

import importlib as _importlib
import typing as _t

from . import callback, collective, compat, config, core, data, explain, export, interpret, objective, training
from ._base._config import config_context, get_config, set_config
from ._base._exceptions import (
    DataError,
    InternalError,
    ModelFileNotFoundError,
    ModelFormatError,
    ParameterError,
    UnsupportedDataError,
    XgbLikeError,
)
from ._base._not_here import absent_attribute as _absent_attribute
from ._base._stand_in import install_as_xgboost
from ._core import __version__
from ._data._iter import DataIter
from ._data._matrix import DMatrix
from ._data._quantile import ExtMemQuantileDMatrix, QuantileDMatrix
from ._former import keep_former_modules as _keep_former_modules
from ._model._booster import Booster
from ._model._predictor import Predictor
from ._training._cv import cv
from ._training._train import train
from .core import build_info

if _t.TYPE_CHECKING:
    from . import plotting, sklearn
    from .plotting import plot_importance, plot_tree, to_graphviz
    from .sklearn import XGBClassifier, XGBModel, XGBRanker, XGBRegressor, XGBRFClassifier, XGBRFRegressor

_keep_former_modules()

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
    "explain",
    "export",
    "get_config",
    "install_as_xgboost",
    "interpret",
    "objective",
    "plot_importance",
    "plot_tree",
    "plotting",
    "set_config",
    "sklearn",
    "to_graphviz",
    "train",
    "training",
]

# Names that are imported when they are first used: what they stand for, a module or what is in it.
_LAZY = {
    "XGBClassifier": "sklearn",
    "XGBModel": "sklearn",
    "XGBRFClassifier": "sklearn",
    "XGBRFRegressor": "sklearn",
    "XGBRanker": "sklearn",
    "XGBRegressor": "sklearn",
    "plot_importance": "plotting",
    "plot_tree": "plotting",
    "plotting": "plotting",
    "sklearn": "sklearn",
    "to_graphviz": "plotting",
}


def __getattr__(name: str) -> _t.Any:
    if name not in _LAZY:
        raise _absent_attribute(__name__, name)
    module = _importlib.import_module(f".{_LAZY[name]}", __name__)
    return globals().setdefault(name, module if name == _LAZY[name] else getattr(module, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
