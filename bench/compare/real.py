"""Public data sets in the folder $XGB_LIKE_DATA: a table with a column `__label__`, or CSR and its labels.

A table may have further columns that are no features: `__weight__`, `__qid__`; for survival `__lower__` and `__upper__`
in place of a label.
"""

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
FEWEST = 500  # rows of a scaled table, or queries
TRAINING = 0.8
SEED = 2016


@dataclass(frozen=True)
class RealSet:
    """One data set, its rows shuffled and split."""

    name: str
    fraction: float = 1.0
    seed: int = SEED
    relevant_from: float | None = None  # labels from here up are 1 and others 0

    @property
    def folder(self) -> Path:
        return Path(os.environ.get("XGB_LIKE_DATA", FOLDER))

    def prepare(self) -> None:
        if not any((self.folder / f"{self.name}.{suffix}").exists() for suffix in ("parquet", "npz")):
            raise DataMissingError(f"no {self.name} in {self.folder}; set XGB_LIKE_DATA to the folder of the data sets")

    def scaled(self, scale: float) -> RealSet:
        return dataclasses.replace(self, fraction=self.fraction * min(scale, 1.0))

    def split(self, number: int) -> RealSet:
        return dataclasses.replace(self, seed=self.seed + number)

    def load(self, name: str) -> Part:
        part = self._read()
        if self.relevant_from is not None:
            part = dataclasses.replace(part, labels=(part.labels >= self.relevant_from).astype(np.float32))
        if part.queries is None:
            return part.rows(self._share(name, len(part.labels)))
        queries = np.unique(part.queries)  # stay whole
        chosen = queries[self._share(name, len(queries))]
        return part.rows(np.flatnonzero(np.isin(part.queries, chosen)))

    def _share(self, name: str, count: int) -> Any:
        order = np.random.default_rng(self.seed).permutation(count)[: max(round(count * self.fraction), FEWEST)]
        border = round(len(order) * TRAINING)
        return order[:border] if name == "train" else order[border:]

    def _read(self) -> Part:
        path = self.folder / f"{self.name}.npz"
        if path.exists():
            return Part(sp.load_npz(path), np.load(path.with_suffix(".labels.npy")).astype(np.float32))
        frame = pd.read_parquet(path.with_suffix(".parquet"))
        features = frame.loc[:, [column for column in frame if not column.startswith("__")]]
        extra = {name: frame[name].to_numpy() for name in frame if name.startswith("__")}
        labels = extra["__label__" if "__label__" in extra else "__lower__"].astype(np.float32)
        # Numbers alone go as one array, which every library reads fastest.
        coded = (features.dtypes == "category").any()
        return Part(
            features if coded else np.ascontiguousarray(features.to_numpy(np.float32)),
            labels,
            extra["__weight__"].astype(np.float32) if "__weight__" in extra else None,
            extra["__qid__"].astype(np.int64) if "__qid__" in extra else None,
            extra["__upper__"].astype(np.float32) if "__upper__" in extra else None,
        )
