"""Generated tables with a learnable binary target, kept on disk so that every process reads the same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

FOLDER = Path("build/bench/data")
HELD_OUT = 50_000
INFORMATIVE = 10  # columns, or groups of one-hot columns, that the target depends on


@dataclass(frozen=True)
class Part:
    """Features, dense or CSR, and labels."""

    features: Any
    labels: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Recipe:
    """How to make a table of `rows` training rows. `one_hot` is the number of columns of each one-hot group."""

    rows: int
    columns: int
    missing: float = 0.0
    one_hot: int = 0
    seed: int = 2016

    @property
    def folder(self) -> Path:
        return FOLDER / f"{self.rows}x{self.columns}-m{self.missing}-h{self.one_hot}-s{self.seed}"

    def prepare(self) -> None:
        """Write both parts unless they are there."""
        if (self.folder / "done").exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(self.seed)
        weights = rng.normal(size=max(self.one_hot, 1) * INFORMATIVE)
        for name, rows in (("train", self.rows), ("test", HELD_OUT)):
            self._write(name, *(self._one_hot if self.one_hot else self._dense)(rng, rows, weights))
        (self.folder / "done").touch()

    def load(self, name: str) -> Part:
        """The part `train` or `test`."""
        arrays = {path.stem: np.load(path) for path in (self.folder / name).glob("*.npy")}
        if "dense" in arrays:
            return Part(arrays["dense"], arrays["labels"])
        shape = (len(arrays["labels"]), self.columns)
        return Part(sp.csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape), arrays["labels"])

    def _dense(self, rng: np.random.Generator, rows: int, weights: npt.NDArray[Any]) -> tuple[dict[str, Any], Any]:
        values = rng.standard_normal((rows, self.columns), dtype=np.float32)
        score = np.tanh(values[:, :INFORMATIVE]) @ weights + 2.0 * (values[:, 0] * values[:, 1] > 0)
        if self.missing:
            values[rng.random(values.shape, dtype=np.float32) < self.missing] = np.nan
        return {"dense": values}, _labels(rng, score)

    def _one_hot(self, rng: np.random.Generator, rows: int, weights: npt.NDArray[Any]) -> tuple[dict[str, Any], Any]:
        groups = self.columns // self.one_hot
        # Squared, so that some categories are frequent and most are rare.
        codes = (rng.random((rows, groups)) ** 2 * self.one_hot).astype(np.int32)
        offsets = np.arange(groups, dtype=np.int32) * self.one_hot
        score = weights[(codes + offsets)[:, :INFORMATIVE]].sum(axis=1)
        arrays = {
            "data": np.ones(rows * groups, dtype=np.float32),
            "indices": (codes + offsets).ravel(),
            "indptr": np.arange(rows + 1, dtype=np.int64) * groups,
        }
        return arrays, _labels(rng, score)

    def _write(self, name: str, arrays: dict[str, Any], labels: Any) -> None:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for key, array in {**arrays, "labels": labels}.items():
            np.save(folder / f"{key}.npy", array)


def _labels(rng: np.random.Generator, score: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    noisy = score - np.median(score) + rng.logistic(size=len(score))
    return np.asarray(noisy > 0, dtype=np.float32)
