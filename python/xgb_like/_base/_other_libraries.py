# SPDX-License-Identifier: Apache-2.0
"""Models and matrices of XGBoost and LightGBM. Neither library is imported for them."""

from __future__ import annotations

from typing import Any

from ._optional import is_instance, loaded
from ._stand_in import StandIn

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
