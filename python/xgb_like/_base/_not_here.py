# SPDX-License-Identifier: Apache-2.0
"""What to say to programs that ask for parts of XGBoost that are missing here."""

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
