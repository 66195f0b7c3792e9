# SPDX-License-Identifier: Apache-2.0
"""Provides the package under the name of XGBoost, for programs and libraries that import ``xgboost``."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from contextlib import suppress
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_PACKAGE = __name__.partition(".")[0]
_NAME = "xgboost"
_VERSION = "3.4.1"  # of XGBoost, whose interface this is; libraries ask for it before they use a feature


class StandIn(ModuleType):
    """The module ``xgboost``. It takes all its attributes from this package."""

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


class _Modules(MetaPathFinder, Loader):
    """While the stand-in is installed, finds ``xgboost.<name>``: the module of that name in this package."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        package, _, name = fullname.rpartition(".")
        if package != _NAME or name.startswith("_") or not isinstance(sys.modules.get(_NAME), StandIn):
            return None
        return ModuleSpec(fullname, self) if find_spec(f"{_PACKAGE}.{name}") else None

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module with this package's. If that cannot be imported, its own error says why."""
        name = module.__name__.rpartition(".")[2]
        sys.modules[module.__name__] = importlib.import_module(f"{_PACKAGE}.{name}")


_MODULES = _Modules()


def install_as_xgboost() -> None:
    """Make ``import xgboost`` return this package, everywhere in the program from now on.

    Programs that are written for XGBoost then run unchanged, and so do libraries that look for XGBoost's classes, such
    as shap: ``shap.TreeExplainer(model)`` takes our boosters and estimators. Call it before anything imports
    ``xgboost``, which need not be installed. It does not change models and pickles.

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
    if isinstance(present, StandIn):
        return
    if present is not None:
        raise ImportError(
            "XGBoost itself has been imported already, so `xgboost` can no longer stand for xgb_like. Call "
            "install_as_xgboost() first, or leave out what imports xgboost."
        )
    package = importlib.import_module(_PACKAGE)
    sys.modules[_NAME] = StandIn(package)
    if _MODULES not in sys.meta_path:
        sys.meta_path.append(_MODULES)
    for module in pkgutil.iter_modules(package.__path__):  # at once: libraries look among the modules that are loaded
        if not module.name.startswith("_"):
            with suppress(ImportError):  # such as of sklearn, if scikit-learn is not installed
                importlib.import_module(f"{_NAME}.{module.name}")
