# SPDX-License-Identifier: Apache-2.0
"""Data that come in batches: the iterator that users write, and the code that reads it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base._exceptions import DataError, ParameterError

if TYPE_CHECKING:
    from ._matrix import DMatrix


class DataIter(ABC):
    """The base class of iterators over batches of rows.

    A subclass defines :meth:`next` and :meth:`reset`. ``DMatrix(iterator)`` reads all batches once and keeps them in
    memory, as one table or as sparse rows; ``QuantileDMatrix(iterator)`` reads them a few times and keeps their bins
    only, with the values of no more than one batch in memory at a time. The batches must be the same each time.

    Parameters
    ----------
    cache_prefix : str, optional
        Accepted for compatibility: no files are written.
    release_data : bool, default True
        Whether to release a batch after reading it. Otherwise :attr:`proxy` keeps it until the next one.
    on_host : bool
        Accepted for compatibility: there is no other memory.
    min_cache_page_bytes : int, optional
        Accepted for compatibility: there are no cache pages.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> class Halves(xgb.DataIter):
    ...     def __init__(self, features, label):
    ...         self.batches = list(zip(np.array_split(features, 2), np.array_split(label, 2)))
    ...         self.position = 0
    ...         super().__init__()
    ...
    ...     def next(self, input_data):
    ...         if self.position == len(self.batches):
    ...             return False
    ...         features, label = self.batches[self.position]
    ...         input_data(data=features, label=label)
    ...         self.position += 1
    ...         return True
    ...
    ...     def reset(self):
    ...         self.position = 0
    >>> features = np.arange(20.0).reshape(10, 2)
    >>> xgb.QuantileDMatrix(Halves(features, features[:, 0]), max_bin=8)
    <xgb_like.QuantileDMatrix: 10 rows, 2 columns, with label>
    """

    # What holds also for subclasses that do not call __init__
    cache_prefix: str | None = None
    release_data: bool = True
    _latest: DMatrix | None = None

    def __init__(
        self,
        cache_prefix: str | None = None,
        release_data: bool = True,
        *,
        on_host: bool = True,
        min_cache_page_bytes: int | None = None,
    ) -> None:
        self.cache_prefix = cache_prefix
        self.release_data = release_data
        self.on_host = on_host
        self.min_cache_page_bytes = min_cache_page_bytes

    @abstractmethod
    def next(self, input_data: Callable[..., None]) -> bool:
        """Hand over the next batch.

        Parameters
        ----------
        input_data
            Call it once, with ``data`` and whatever else is known about these rows: ``label``, ``weight``,
            ``base_margin``, ``group`` or ``qid``, ``label_lower_bound``, ``label_upper_bound``, ``feature_names``,
            ``feature_types``, ``feature_weights``. Pass all of them by name, as for a :class:`DMatrix`.

        Returns
        -------
        bool
            False if there are no more batches and `input_data` was not called.
        """

    @abstractmethod
    def reset(self) -> None:
        """Go back to the first batch."""

    @property
    def proxy(self) -> DMatrix | None:
        """The last batch that was read, if `release_data` is False."""
        return self._latest

    def get_callbacks(
        self,
        enable_categorical: bool,  # noqa: ARG002
    ) -> tuple[Callable[[], None], Callable[[Callable[..., None]], bool]]:
        """Return :meth:`reset` and :meth:`next`, for programs that drive the iterator themselves."""
        return self.reset, self.next

    def reraise(self) -> None:  # noqa: B027
        """Do nothing: what :meth:`next` raises is not held back here."""

    def _keep(self, batch: DMatrix) -> None:
        self._latest = None if self.release_data else batch


def each_batch(iterator: DataIter) -> Iterator[dict[str, Any]]:
    """Begin anew, and yield what each batch was handed over with."""
    iterator.reset()
    number = 0
    while True:
        given: list[dict[str, Any]] = []
        if not _go_on(iterator.next(_receiver(given))):
            return
        number += 1
        if len(given) != 1:
            raise DataError(
                f"next() must call `input_data` once for each batch; it did {len(given)} times for batch {number}. "
                "Return False, without calling it, when there are no more batches."
            )
        yield given.pop()


def _receiver(given: list[dict[str, Any]]) -> Callable[..., None]:
    """Return the function that takes a batch and puts it into the list."""

    def input_data(
        *args: Any,
        data: Any = None,
        label: Any = None,
        weight: Any = None,
        base_margin: Any = None,
        group: Any = None,
        qid: Any = None,
        label_lower_bound: Any = None,
        label_upper_bound: Any = None,
        feature_names: Any = None,
        feature_types: Any = None,
        feature_weights: Any = None,
    ) -> None:
        fields = locals()
        if fields.pop("args"):
            raise TypeError("Keyword argument is required: call input_data(data=..., label=...).")
        if data is None:
            raise TypeError("input_data() needs `data`, the features of the batch.")
        given.append({name: value for name, value in fields.items() if name != "given"})

    input_data.__qualname__ = "input_data"  # what Python says of unknown arguments
    return input_data


def _go_on(answer: Any) -> bool:
    if isinstance(answer, (bool, int, np.bool_, np.integer)):
        return bool(answer)
    raise ParameterError(
        f"next() must return whether there was a batch, True or False; got {answer!r} of type {type(answer).__name__}."
    )
