"""What a case needs of its data, generated (`recipe.py`) or real (`real.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


class DataMissingError(Exception):
    """The data are not on this machine; the message says where they were looked for."""


@dataclass(frozen=True)
class Part:
    """Features (a numpy array, a CSR matrix or a pandas frame with category columns), labels and what else there is."""

    features: Any
    labels: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32] | None = None
    queries: npt.NDArray[np.int64] | None = None  # rows of one are neighbours
    ends: npt.NDArray[np.float32] | None = None  # survival: infinite if the time in `labels` was seen without the event

    def rows(self, chosen: Any) -> Part:
        """These rows: a slice or an array of their numbers."""

        def of(array: Any) -> Any:
            return None if array is None else array[chosen]

        features = self.features.iloc[chosen] if hasattr(self.features, "iloc") else self.features[chosen]
        return Part(features, self.labels[chosen], of(self.weights), of(self.queries), of(self.ends))

    def head(self, rows: int) -> Part:
        return self.rows(slice(rows))

    def cells(self) -> int:
        """Cells that hold something: all of a dense table, the stored ones of a sparse one."""
        return int(self.features.nnz if hasattr(self.features, "nnz") else np.prod(self.features.shape))


class Source(Protocol):
    """Data in two parts that every process reads anew, so that all peers get the same bytes."""

    def prepare(self) -> None:
        """Make what `load` reads; raises `DataMissingError`."""

    def load(self, name: str) -> Part:
        """The part `train` or `test`."""

    def scaled(self, scale: float) -> Source:
        """The same data with this fraction of the rows."""

    def split(self, number: int) -> Source:
        """The same data, divided into the two parts in another way; 0 is the usual one."""
