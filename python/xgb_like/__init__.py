# SPDX-License-Identifier: Apache-2.0
"""Gradient-boosted trees with XGBoost's interface and files, the same model for any number of threads."""

import importlib as _importlib
import typing as _t

from . import callback, config, core, data, objective, training
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
from ._base._libraries import install_as_xgboost
from ._core import __version__
from ._data._batches import DataIter
from ._data._matrix import DMatrix
from ._data._quantile import ExtMemQuantileDMatrix, QuantileDMatrix
from ._former import absent_attribute as _absent_attribute
from ._former import keep_former_modules as _keep_former_modules
from ._model._booster import Booster
from ._model._prediction import Predictor
from ._training._cv import cv
from ._training._train import train
from .core import build_info

if _t.TYPE_CHECKING:
    from . import collective, compat, explain, export, interpret, plotting, sklearn
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
    **{name: name for name in ("collective", "compat", "explain", "export", "interpret", "plotting", "sklearn")},
    **dict.fromkeys(("plot_importance", "plot_tree", "to_graphviz"), "plotting"),
    **{name: "sklearn" for name in __all__ if name.startswith("XGB")},
}


def __getattr__(name: str) -> _t.Any:
    if name not in _LAZY:
        raise _absent_attribute(__name__, name)
    module = _importlib.import_module(f".{_LAZY[name]}", __name__)
    return globals().setdefault(name, module if name == _LAZY[name] else getattr(module, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
