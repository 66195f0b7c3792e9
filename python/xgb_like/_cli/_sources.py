# SPDX-License-Identifier: Apache-2.0
"""Where a table comes from: a file, the standard input or a pipe, and whether it is compressed."""

import gzip
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._base._exceptions import DataError

FORMATS = {
    "csv": (".csv", ".tsv", ".txt"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "libsvm": (".libsvm", ".svm", ".svmlight"),
}
_STANDARD_INPUT = ("-", "/dev/stdin")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Source:
    """A file to read, of some format, under the name that the user knows."""

    name: str
    path: Path
    kind: str


@contextmanager
def opened(name: str, wanted: str | None = None) -> Iterator[Source]:
    """Give the file that has the data: of pipes and what is compressed a copy, which lives as long as it is used."""
    path = Path(name).expanduser()
    piped = name in _STANDARD_INPUT or path.is_fifo() or path.is_char_device()
    if not piped and not path.is_file():
        raise DataError(f"There is no file {name!r}.")
    compressed = path.suffix.lower() == ".gz"
    inner = path.with_suffix("") if compressed else path
    kind = wanted or ("csv" if piped else _format_of(inner, name))
    if not piped and not compressed:
        yield Source(name, path, kind)
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / (inner.name or "data")
        with nullcontext(sys.stdin.buffer) if name in _STANDARD_INPUT else path.open("rb") as stream:
            _copy(stream, copy, name)
        yield Source(name, copy, kind)


def _format_of(path: Path, name: str) -> str:
    ending = path.suffix.lower()
    for kind, endings in FORMATS.items():
        if ending in endings:
            return kind
    known = ", ".join(one for endings in FORMATS.values() for one in endings)
    raise DataError(
        f"The name {name!r} does not tell its format: it should end in one of {known}, and .gz if it is compressed. "
        "Or use --format."
    )


def _copy(stream: Any, copy: Path, name: str) -> None:
    packed = stream.peek(len(_GZIP))[: len(_GZIP)] == _GZIP
    try:
        with gzip.GzipFile(fileobj=stream) if packed else nullcontext(stream) as plain, copy.open("wb") as out:
            shutil.copyfileobj(plain, out)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{name!r} cannot be decompressed: {error}") from None
