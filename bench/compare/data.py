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
    """Features (a numpy array, a CSR matrix or a pandas frame with category columns) and labels."""

    features: Any
    labels: npt.NDArray[np.float32]

    def head(self, rows: int) -> Part:
        return Part(self.features[:rows], self.labels[:rows])

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
