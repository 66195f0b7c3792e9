"""Public data sets in the folder $XGB_LIKE_DATA: a table with a column `__label__`, or CSR and its labels."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from .data import DataMissingError, Part

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
TRAINING = 0.8
SEED = 2016


@dataclass(frozen=True)
class RealSet:
    """One data set, its rows shuffled and split."""

    name: str
    fraction: float = 1.0

    @property
    def folder(self) -> Path:
        return Path(os.environ.get("XGB_LIKE_DATA", FOLDER))

    def prepare(self) -> None:
        if not any((self.folder / f"{self.name}.{suffix}").exists() for suffix in ("parquet", "npz")):
            raise DataMissingError(f"no {self.name} in {self.folder}; set XGB_LIKE_DATA to the folder of the data sets")

    def scaled(self, scale: float) -> RealSet:
        return dataclasses.replace(self, fraction=self.fraction * min(scale, 1.0))

    def load(self, name: str) -> Part:
        features, labels = self._read()
        rows = np.random.default_rng(SEED).permutation(len(labels))[: max(round(len(labels) * self.fraction), 1)]
        border = round(len(rows) * TRAINING)
        rows = rows[:border] if name == "train" else rows[border:]
        return Part(features.iloc[rows] if hasattr(features, "iloc") else features[rows], labels[rows])

    def _read(self) -> tuple[Any, Any]:
        path = self.folder / f"{self.name}.npz"
        if path.exists():
            return sp.load_npz(path), np.load(path.with_suffix(".labels.npy")).astype(np.float32)
        frame = pd.read_parquet(path.with_suffix(".parquet"))
        features = frame.loc[:, [column for column in frame if not column.startswith("__")]]
        labels = frame["__label__"].to_numpy(np.float32)
        # Numbers alone go as one array, which every library reads fastest.
        coded = (features.dtypes == "category").any()
        return features if coded else np.ascontiguousarray(features.to_numpy(np.float32)), labels
