"""Generated tables with a target that trees can learn, kept on disk."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

from .data import Part

FOLDER = Path("build/bench/data")
INFORMATIVE = 10  # columns, or groups of one-hot columns, that the target depends on
FEWEST = 500  # rows of a scaled table

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Recipe:
    """How to make a table of `rows` training rows: dense numbers unless `one_hot` or `cardinalities` say otherwise."""

    rows: int
    columns: int
    missing: float = 0.0
    one_hot: int = 0  # columns of each one-hot group
    cardinalities: tuple[int, ...] = ()  # levels of each category column
    classes: int = 2  # 0: a real label
    held_out: int = 50_000
    seed: int = 2016

    @property
    def folder(self) -> Path:
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        defaults = {field.name: field.default for field in dataclasses.fields(self)}
        parts = [f"{name}={value}" for name, value in given.items() if value != defaults[name]]
        return FOLDER / ",".join(parts).replace(" ", "")

    def scaled(self, scale: float) -> Recipe:
        def few(rows: int) -> int:
            return min(rows, max(round(rows * scale), FEWEST))

        return dataclasses.replace(self, rows=few(self.rows), held_out=few(self.held_out))

    def split(self, number: int) -> Recipe:
        return dataclasses.replace(self, seed=self.seed + number)

    def prepare(self) -> None:
        if (self.folder / "done").exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(self.seed)
        effects = sum(self._levels()[:INFORMATIVE]) or INFORMATIVE
        weights = rng.normal(size=(effects, 1 if self.classes == 2 else max(self.classes, 1)))
        for name, rows in (("train", self.rows), ("test", self.held_out)):
            arrays, scores = (self._coded if self._levels() else self._dense)(rng, rows, weights)
            (self.folder / name).mkdir(exist_ok=True)
            for key, array in {**arrays, "labels": _labels(rng, scores, self.classes)}.items():
                np.save(self.folder / name / f"{key}.npy", array)
        (self.folder / "done").touch()

    def load(self, name: str) -> Part:
        arrays = {path.stem: np.load(path) for path in (self.folder / name).glob("*.npy")}
        return Part(self._features(arrays), arrays["labels"])

    def _features(self, arrays: dict[str, Array]) -> Any:
        if "dense" in arrays:
            return arrays["dense"]
        codes = arrays["codes"]
        if self.cardinalities:
            levels = enumerate(self.cardinalities)
            return pd.DataFrame({f"c{j}": pd.Categorical.from_codes(codes[:, j], range(n)) for j, n in levels})
        indptr = np.arange(len(codes) + 1, dtype=np.int64) * codes.shape[1]
        ones = np.ones(codes.size, dtype=np.float32)
        return sp.csr_matrix(
            (ones, (codes + _starts(self._levels())).ravel(), indptr), shape=(len(codes), self.columns)
        )

    def _levels(self) -> tuple[int, ...]:
        return (self.one_hot,) * (self.columns // self.one_hot) if self.one_hot else self.cardinalities

    def _dense(self, rng: np.random.Generator, rows: int, weights: Array) -> tuple[dict[str, Array], Array]:
        values = rng.standard_normal((rows, self.columns), dtype=np.float32)
        scores = np.tanh(values[:, :INFORMATIVE]) @ weights
        scores[:, 0] += 2.0 * (values[:, 0] * values[:, 1] > 0)
        if self.missing:
            values[rng.random(values.shape, dtype=np.float32) < self.missing] = np.nan
        return {"dense": values}, scores

    def _coded(self, rng: np.random.Generator, rows: int, weights: Array) -> tuple[dict[str, Array], Array]:
        levels = self._levels()
        # Squared, so that some levels are frequent and most are rare.
        codes = (rng.random((rows, len(levels))) ** 2 * levels).astype(np.int32)
        return {"codes": codes}, weights[(codes + _starts(levels))[:, :INFORMATIVE]].sum(axis=1)


def _starts(levels: tuple[int, ...]) -> npt.NDArray[np.int32]:
    return np.asarray(np.cumsum((0, *levels[:-1])), dtype=np.int32)


def _labels(rng: np.random.Generator, scores: Array, classes: int) -> npt.NDArray[np.float32]:
    if classes == 0:
        return np.asarray(scores[:, 0] + rng.normal(size=len(scores)), dtype=np.float32)
    if classes == 2:
        noisy = scores[:, 0] - np.median(scores) + rng.logistic(size=len(scores))
        return np.asarray(noisy > 0, dtype=np.float32)
    return np.asarray((scores + rng.gumbel(size=scores.shape)).argmax(axis=1), dtype=np.float32)
