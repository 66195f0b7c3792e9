# SPDX-License-Identifier: Apache-2.0
"""Training, where programs written for XGBoost look for it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._base._typing import Array
from ._data._matrix import DMatrix
from ._training._cv import CVResult, Preprocess, cv, make_packs
from ._training._folds import CVPack, PackedBooster, make_folds
from ._training._train import train

__all__ = ["CVPack", "CVResult", "cv", "groups_to_rows", "mkgroupfold", "mknfold", "train"]

_PackedBooster = PackedBooster


def groups_to_rows(groups: Array, boundaries: Array) -> Array:
    """Return the rows of some groups; `boundaries` has the first row of each group, then the number of rows."""
    return np.concatenate([np.arange(boundaries[group], boundaries[group + 1]) for group in groups])


def mkgroupfold(
    *,
    dall: DMatrix,
    nfold: int,
    param: dict[str, Any],
    evals: Sequence[str] = (),
    fpreproc: Preprocess | None = None,
    shuffle: bool = True,
) -> list[CVPack]:
    """Return folds that keep query groups together, as :func:`cv` makes them; `evals` are metrics."""
    return mknfold(dall=dall, nfold=nfold, param=param, seed=0, evals=evals, fpreproc=fpreproc, shuffle=shuffle)


def mknfold(
    *,
    dall: DMatrix,
    nfold: int,
    param: dict[str, Any],
    seed: int,
    evals: Sequence[str] = (),
    fpreproc: Preprocess | None = None,
    stratified: bool | None = False,
    folds: Any = None,
    shuffle: bool = True,
) -> list[CVPack]:
    """Return folds as :func:`cv` makes them; `evals` are metrics, `param` the parameters."""
    rows = make_folds(dall, nfold, folds, None, stratified=bool(stratified), shuffle=shuffle, seed=seed)
    return make_packs(dall, rows, param, evals, fpreproc)
