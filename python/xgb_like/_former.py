# SPDX-License-Identifier: Apache-2.0
"""Modules that are not found by themselves: those that pickles of version 0.1.0 name, and those that are absent."""

from . import _data, _training
from ._base._libraries import Aliases
from ._data._matrix import DataSplitMode, DMatrix
from ._training._train import train

_PLACES = {
    **{name: f"_data.{name}" for name in ("_categories", "_labels", "_quantile")},
    **{name: f"_explain.{name}" for name in ("_dependence", "_importance", "_shap_explainer")},
    **{name: f"_training.{name}" for name in ("_callbacks", "_cv", "_time_limit")},
    **dict.fromkeys(("_dependence_steps", "_h_statistic"), "_explain._dependence"),
    **dict.fromkeys(("_mlflow", "_optuna", "_progress", "_tensorboard"), "_integrations._trackers"),
    "_booster": "_model._booster",
    "_curves": "_plots._curves",
    "_cv_folds": "_training._folds",
    "_data_iter": "_data._batches",
    "_estimator_custom": "_estimators._custom",
    "_estimator_peers": "_estimators._peers",
    "_predictor": "_model._prediction",
    "_stand_in": "_base._libraries",
}


def _place(fullname: str) -> str | None:
    package, _, name = fullname.rpartition(".")
    return f"{package}.{_PLACES[name]}" if package == __package__ and name in _PLACES else None


def keep_former_modules() -> None:
    """Let imports find them, and tell why there are no others."""
    Aliases(_place)
    Aliases(refuse_absent)
    # These two were modules that are packages now.
    vars(_data).update(DMatrix=DMatrix, DataSplitMode=DataSplitMode)
    vars(_training).update(train=train)


# What to say to programs that ask for parts of XGBoost that are missing here.
_TRAINING = "Training is in one process here, on all its cores, with data in batches by DataIter if need be."
_PREDICTING = "For predictions in many processes a Booster or a Predictor can be pickled."
_MODELS = "Models that XGBoost trained there load as any."
_PARTS = {  # and what there is in their place
    "RabitTracker": _TRAINING,
    "dask": f"{_TRAINING} {_PREDICTING} {_MODELS}",
    "federated": f"{_TRAINING} {_MODELS}",
    "spark": f"{_TRAINING} {_PREDICTING} {_MODELS}",
    "tracker": _TRAINING,
}


class AbsentModuleError(ImportError, NotImplementedError):
    """Raised for a module of XGBoost that this package does not have."""


class AbsentAttributeError(AttributeError, NotImplementedError):
    """Raised for a name of XGBoost that this package does not have."""


def refuse_absent(module: str) -> None:
    """Raise if a module that is not here is imported from the package; `module` is its whole name."""
    package, _, name = module.rpartition(".")
    if package == __package__.partition(".")[0] and name in _PARTS and name.islower():
        raise AbsentModuleError(_text(package, name), name=module)


def absent_attribute(package: str, name: str) -> AttributeError:
    """Return the error for a name that the package does not have."""
    if name not in _PARTS:
        return AttributeError(f"module {package!r} has no attribute {name!r}")
    return AbsentAttributeError(_text(package, name))


def _text(package: str, name: str) -> str:
    return f"`{package}.{name}` is not here, unlike in XGBoost. {_PARTS[name]}"
