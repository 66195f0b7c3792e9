# SPDX-License-Identifier: Apache-2.0
"""The package under the name of XGBoost, for programs and libraries that import ``xgboost``."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from contextlib import suppress
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_NAME = "xgboost"
_VERSION = "3.4.1"  # of XGBoost, whose interface this is; libraries ask for it before they use a feature


class _StandIn(ModuleType):
    """The module ``xgboost``: all that it is asked for is this package's."""

    __version__ = _VERSION

    def __init__(self, package: ModuleType) -> None:
        super().__init__(_NAME, package.__doc__)
        self.__spec__ = ModuleSpec(_NAME, None, is_package=True)
        self.__path__: list[str] = []
        self._package = package

    def __getattr__(self, name: str) -> Any:
        return getattr(self._package, name)

    def __dir__(self) -> list[str]:
        return dir(self._package)


def install_as_xgboost() -> None:
    """Let ``import xgboost`` give this package, everywhere in the program from now on.

    Programs that are written for XGBoost run as they are, and so do libraries that look for XGBoost's classes, such as
    shap: ``shap.TreeExplainer(model)`` takes our boosters and estimators then. Call it first, before anything imports
    ``xgboost``, which need not be installed. Models and pickles are not changed by it.

    Raises
    ------
    ImportError
        If XGBoost itself has been imported already.

    Examples
    --------
    ::

        import xgb_like

        xgb_like.install_as_xgboost()

        import shap
        import xgboost as xgb  # is xgb_like

        model = xgb.train({"eta": 0.1}, xgb.DMatrix(X, y), 100)
        shap.plots.beeswarm(shap.TreeExplainer(model)(X))
    """
    present = sys.modules.get(_NAME)
    if isinstance(present, _StandIn):
        return
    if present is not None:
        raise ImportError(
            "XGBoost itself has been imported already, so that `xgboost` cannot stand for xgb_like any more. Call "
            "install_as_xgboost() first, or leave out what imports xgboost."
        )
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            with suppress(ImportError):  # such as of sklearn, if scikit-learn is not installed
                sys.modules[f"{_NAME}.{module.name}"] = importlib.import_module(f"{__package__}.{module.name}")
    sys.modules[_NAME] = _StandIn(package)
