# SPDX-License-Identifier: Apache-2.0
"""What a model file keeps of an estimator beside the model: its kind, and labels that are not 0, 1, 2..."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .._base._exceptions import DataError
from .._data._labels import ClassLabels
from .._model._booster import Booster

ATTRIBUTE = "scikit_learn"  # XGBoost's name for it


def description(kind: str | None, classes: ClassLabels | None) -> str:
    """Return the text of the attribute."""
    known: dict[str, Any] = {"_estimator_type": kind}
    if classes is not None and not classes.are_default():
        known |= {"classes_": _texts(classes), "classes_dtype": classes.values.dtype.str}
    return json.dumps(known)


def read_description(booster: Booster) -> dict[str, Any]:
    """Return what the attribute says; nothing if there is none, as in models that no estimator saved."""
    try:
        found = json.loads(booster.attr(ATTRIBUTE) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def classes_of(booster: Booster, known: dict[str, Any]) -> ClassLabels:
    """Return the classes of a model: those that were saved with it, or as many numbers as it has classes."""
    labels = known.get("classes_")
    if isinstance(labels, list) and labels:
        kind = known.get("classes_dtype", "|O" if isinstance(labels[0], str) else None)
        return ClassLabels(np.array(labels, dtype=kind))
    params = booster._handle.params()  # noqa: SLF001  the classes of this package know the engine objects of each other
    count = int(params.get("objective", {}).get("num_class") or params.get("learner", {}).get("num_class") or 0)
    return ClassLabels.numbers(max(count, 2))


def _texts(classes: ClassLabels) -> list[Any]:
    values = classes.values
    if values.dtype.kind == "M":
        return [str(value) for value in values]
    labels: list[Any] = values.tolist()
    wrong = next((label for label in labels if not isinstance(label, (str, int, float))), None)
    if wrong is not None:
        raise DataError(
            f"Model files keep labels that are strings or numbers; got {wrong!r} of type {type(wrong).__name__}. Use "
            "pickle."
        )
    return labels
