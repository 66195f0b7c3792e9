# SPDX-License-Identifier: Apache-2.0
"""Other libraries that users may have. Importing this package imports none of them.

A user who passes a frame of some library has imported that library, so ``sys.modules`` is enough to recognise it.
"""

import importlib
import pkgutil
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_PACKAGES = {"sklearn": "scikit-learn"}  # where the name to install is another than the one to import


def loaded(name: str) -> Any | None:
    """Return the module if the user's program has imported it, else None."""
    return sys.modules.get(name)


def require(name: str, purpose: str) -> Any:
    """Import a module that one feature needs; the error says what to install."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        module = name.partition(".")[0]
        package = _PACKAGES.get(module, module)
        raise ImportError(f"{purpose} needs {package}. Install it with `pip install {package}`.") from error


def is_instance(value: object, module: str, *names: str) -> bool:
    """Whether a value is of one of these classes of a module, which is not imported for asking."""
    library = loaded(module)
    if library is None:
        return False
    classes = tuple(found for name in names if isinstance(found := getattr(library, name, None), type))
    return isinstance(value, classes)


# The package under the name of XGBoost, for programs and libraries that import ``xgboost``.
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


class Aliases:
    """Finds modules under other names; `place` returns what a name stands for, or None; it may raise ImportError.

    It has all that Python's import asks for. The abstract classes for it take long to import.
    """

    def __init__(self, place: Callable[[str], str | None]) -> None:
        self.place = place
        sys.meta_path.append(self)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        return ModuleSpec(fullname, self) if self.place(fullname) else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module in the place of the empty one; its own error tells why it cannot be imported."""
        sys.modules[module.__name__] = importlib.import_module(str(self.place(module.__name__)))


def _place(fullname: str) -> str | None:
    """Return which module ``xgboost.<name>`` is while the stand-in is there: that of the same name here."""
    package, _, name = fullname.rpartition(".")
    if package != _NAME or name.startswith("_") or not isinstance(sys.modules.get(_NAME), StandIn):
        return None
    return f"{_PACKAGE}.{name}" if find_spec(f"{_PACKAGE}.{name}") else None


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
    if not any(isinstance(finder, Aliases) and finder.place is _place for finder in sys.meta_path):
        Aliases(_place)
    for module in pkgutil.iter_modules(package.__path__):  # at once: libraries look among the modules that are loaded
        if not module.name.startswith("_"):
            with suppress(ImportError):  # such as of sklearn, if scikit-learn is not installed
                importlib.import_module(f"{_NAME}.{module.name}")


# Models and matrices of XGBoost and LightGBM. Neither library is imported for them.
_MODELS = {"xgboost": ("Booster", "XGBModel"), "lightgbm": ("Booster", "LGBMModel")}
_MATRICES = {"xgboost": ("DMatrix",), "lightgbm": ("Dataset",), "catboost": ("Pool",)}


def is_foreign_model(model: Any) -> bool:
    """Whether :func:`model_content` knows what a file of this model holds."""
    return any(_is_foreign(model, library, *names) for library, names in _MODELS.items())


def model_content(model: Any) -> bytes | None:
    """Return the content of a file of another library's model, a booster or an estimator; None for anything else.

    LightGBM's models have the rounds up to the best one.
    """
    if _is_foreign(model, "xgboost", "XGBModel"):
        model = model.get_booster()
    if _is_foreign(model, "xgboost", "Booster"):
        return bytes(model.save_raw("ubj"))
    if _is_foreign(model, "lightgbm", "LGBMModel"):
        model = model.booster_
    if _is_foreign(model, "lightgbm", "Booster"):
        text: str = model.model_to_string()
        return text.encode()
    return None


def library_of_matrix(data: Any) -> str | None:
    """Return the library whose matrix of training data this is, or None."""
    return next((library for library, names in _MATRICES.items() if _is_foreign(data, library, *names)), None)


def named(data: Any) -> str:
    """Return the name of an object's type, with its library if that has similar matrices."""
    library, name = library_of_matrix(data), type(data).__name__
    return name if library is None else f"a {name} of {library}"


def remedy(data: Any, source: str = "data, label") -> str:
    """Return how to make a matrix instead of `data`; `source` is what a user would write for its data."""
    library = library_of_matrix(data)
    if library is None:
        return f"Make one with DMatrix({source})."
    text = f"Matrices of {library} cannot be used here: make one with xgb_like.DMatrix(...) of the same data."
    if library != "xgboost":
        return text
    return f"{text} Of one without bins and categories, get_data() and get_label() return the data as they are."


def _is_foreign(value: Any, library: str, *names: str) -> bool:
    """Whether a value is of one of these classes of another library, rather than of this package under its name."""
    return not isinstance(loaded(library), StandIn) and is_instance(value, library, *names)
