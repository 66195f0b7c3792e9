# SPDX-License-Identifier: Apache-2.0
"""Where pickles of version 0.1.0 look for things: private modules by their former names."""

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from . import _data, _training
from ._data._matrix import DataSplitMode, DMatrix
from ._training._train import train

_PLACES = {
    "_booster": "_model._booster",
    "_callbacks": "_training._callbacks",
    "_categories": "_data._categories",
    "_curves": "_plots._curves",
    "_cv": "_training._cv",
    "_cv_folds": "_training._cv_folds",
    "_data_iter": "_data._iter",
    "_dependence": "_explain._dependence",
    "_dependence_steps": "_explain._dependence_steps",
    "_estimator_custom": "_estimators._custom",
    "_estimator_peers": "_estimators._peers",
    "_h_statistic": "_explain._h_statistic",
    "_importance": "_explain._importance",
    "_labels": "_data._labels",
    "_mlflow": "_integrations._mlflow",
    "_optuna": "_integrations._optuna",
    "_predictor": "_model._predictor",
    "_progress": "_integrations._progress",
    "_quantile": "_data._quantile",
    "_shap_explainer": "_explain._shap_explainer",
    "_stand_in": "_base._stand_in",
    "_tensorboard": "_integrations._tensorboard",
    "_time_limit": "_training._time_limit",
}


class _Former(MetaPathFinder, Loader):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        package, _, name = fullname.rpartition(".")
        return ModuleSpec(fullname, self) if package == __package__ and name in _PLACES else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of today in the place of the empty one."""
        name = module.__name__.rpartition(".")[2]
        sys.modules[module.__name__] = importlib.import_module(f"{__package__}.{_PLACES[name]}")


def keep_former_modules() -> None:
    """Let imports find them."""
    sys.meta_path.append(_Former())
    # These two were modules that are packages now.
    vars(_data).update(DMatrix=DMatrix, DataSplitMode=DataSplitMode)
    vars(_training).update(train=train)
