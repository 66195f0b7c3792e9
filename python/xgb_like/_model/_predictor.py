# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""A model that only predicts, with minimal overhead per call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._base._exceptions import DataError, ParameterError
from .._base._typing import ArrayLike, Floats, IterationRange
from .._base._unseen import warn_of_margins

if TYPE_CHECKING:
    from ._booster import Booster


class Predictor:
    """Predicts with a model as it was when this was made. Safe to use from several threads at once.

    Made by :meth:`Booster.predictor`. Later changes to the booster, such as more rounds or other parameters, do not
    affect it. A two-dimensional float32 array is fastest. It can be pickled and copied.

    Parameters
    ----------
    booster
        The model.
    iteration_range, predict_type, missing, strict_shape
        As in :meth:`Booster.inplace_predict`, for all calls.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> rows = np.arange(20, dtype=np.float32).reshape(10, 2)
    >>> booster = xgb.train({"max_depth": 2}, xgb.DMatrix(rows, label=rows[:, 0]), num_boost_round=3)
    >>> predictor = booster.predictor()
    >>> bool(predictor.predict(rows[:1])[0] == booster.inplace_predict(rows)[0])
    True
    >>> buffer = np.empty(10, dtype=np.float32)
    >>> predictor.predict(rows, out=buffer) is buffer
    True
    """

    __slots__ = ("_booster", "_frozen", "_settings")

    def __init__(
        self,
        booster: Booster,
        *,
        iteration_range: IterationRange = (0, 0),
        predict_type: str = "value",
        missing: float = np.nan,
        strict_shape: bool = False,
    ) -> None:
        if not hasattr(booster, "_freeze"):
            raise ParameterError(
                f"`booster` must be a Booster; got {booster!r} of type {type(booster).__name__}. "
                "Booster(model_file=…) makes one of estimators, of files and of models of XGBoost and LightGBM."
            )
        self._booster = booster.copy()
        self._settings: dict[str, Any] = {
            "iteration_range": self._booster._rounds_of(iteration_range),
            "predict_type": predict_type,
            "missing": missing,
            "strict_shape": bool(strict_shape),
        }
        self._frozen: _core.FrozenPredictor | None = self._booster._freeze(**self._settings)

    def __getstate__(self) -> dict[str, Any]:
        return {**getattr(self, "__dict__", {}), "_booster": self._booster, "_settings": self._settings}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._frozen = self._booster._freeze(**self._settings)

    def predict(self, data: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Predict.

        Parameters
        ----------
        data
            What :meth:`Booster.inplace_predict` takes.
        out
            Where to write the predictions: a float32 array in C order of their shape. None is a new one.

        Returns
        -------
        ndarray of float32
            `out` if that is given.

        Raises
        ------
        DataError
            If the data or `out` do not fit.
        """
        if self._frozen is not None and type(data) is np.ndarray:  # masked arrays are not
            quick = self._frozen.predict(data, out)
            if quick is not None:
                found, lacks_margins = quick
                if lacks_margins:
                    warn_of_margins(self._booster._handle)
                return found
        found = self._booster.inplace_predict(data, **self._settings)
        if out is None:
            return found
        if not _fits(out, found):
            raise DataError(
                f"`out` must be a writable float32 array in C order of shape {found.shape}; got "
                f"{getattr(out, 'dtype', type(out).__name__)} of shape {getattr(out, 'shape', ())}."
            )
        out[...] = found
        return out

    def __repr__(self) -> str:
        return f"<xgb_like.Predictor of {self._booster!r}>"


def _fits(out: Any, found: Floats) -> bool:
    if not isinstance(out, np.ndarray) or out.dtype != np.float32 or out.shape != found.shape:
        return False
    return out.flags.c_contiguous and out.flags.writeable
