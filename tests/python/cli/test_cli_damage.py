# SPDX-License-Identifier: Apache-2.0
"""Damaged files of every format end in one line on standard error, never in a traceback or a signal."""

import gzip
import random
import subprocess
import sys

import numpy as np
import pytest

from xgb_like._cli import main

# Reads each of the files, of which the names come line by line, and says how that ended: a signal ends this process.
READ_ALL = """
import contextlib, io, sys
from xgb_like._cli import main
for line in sys.stdin:
    name = line.rstrip()
    err = io.StringIO()
    with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
        code = main(["train", name, "--rounds", "1", "--nthread", "1", "-q"])
    errors = [line for line in err.getvalue().splitlines() if not line.startswith("xgb-like: warning: ")]
    print(name, code, len(errors), all(line.startswith("xgb-like: ") for line in errors), flush=True)
"""


def table():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    return pandas.DataFrame({
        "city": pandas.Categorical(rng.choice(["Rome", "Oslo"], 60)), "name": [f"id{i % 7}" for i in range(60)],
        "x": rng.normal(size=60), "b": rng.integers(0, 2, 60).astype(bool),
        "when": pandas.date_range("2025-01-01", periods=60), "y": rng.integers(0, 2, 60),
    })  # fmt: skip


def seeds(kind):
    """Whole files of a kind."""
    if kind == "libsvm":
        return ["".join(f"{i % 2} qid:{i // 9} 1:{i % 7} 3:{i / 7}\n" for i in range(60)).encode()]
    frame = table()
    text = frame.to_csv(index=False).encode()
    if kind in ("csv", "csv.gz"):
        return [text, frame.to_csv(index=False).encode("utf-16")] if kind == "csv" else [gzip.compress(text, mtime=0)]
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    found = []
    for compression in ("uncompressed", "lz4" if kind == "arrow" else "snappy", "zstd"):
        sink = arrow.BufferOutputStream()
        native = arrow.Table.from_pandas(frame)
        if kind == "arrow":
            pytest.importorskip("pyarrow.feather").write_feather(native, sink, compression=compression)
        else:
            wanted = "none" if compression == "uncompressed" else compression
            arrow.parquet.write_table(native, sink, compression=wanted, use_dictionary=wanted != "none")
        found.append(sink.getvalue().to_pybytes())
    return found


def damaged(raw, rng):
    """Change some bytes, most of them near the end, where formats have what describes them."""
    data = bytearray(raw)
    for _ in range(rng.choice([1, 1, 2, 8])):
        place = rng.randrange(len(data)) if rng.random() < 0.6 else len(data) - 1 - rng.randrange(min(600, len(data)))
        change = rng.randrange(5)
        if change == 0:
            data[place] = rng.randrange(256)
        elif change == 1:
            data[place : place + 4] = rng.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80"])
        elif change == 2 and len(data) > 50:
            del data[place : place + rng.randrange(1, 40)]
        elif change == 3:
            data[place:place] = rng.randbytes(rng.randrange(1, 10))
        elif len(data) > 50 and rng.random() < 0.3:
            del data[max(place, 10) :]
    return bytes(data)


@pytest.mark.parametrize("kind", ["arrow", "parquet", "csv", "csv.gz", "libsvm"])
def test_damaged_files_are_told_in_one_line(folder, kind):
    rng = random.Random(21)  # noqa: S311
    whole = seeds(kind)
    names = [f"{i}.{kind}" for i in range(40)]
    for name in names:
        (folder / name).write_bytes(damaged(rng.choice(whole), rng))
    command = [sys.executable, "-W", "always", "-c", READ_ALL]
    done = subprocess.run(command, input="\n".join(names), capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout.splitlines()[-1:], done.stderr[-500:])
    for name, line in zip(names, done.stdout.splitlines(), strict=True):
        assert line in (f"{name} 0 0 True", f"{name} 1 1 True")


def test_a_column_whose_offsets_lie_is_refused(folder, capsys):
    arrow, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
    lengths = arrow.py_buffer(np.array([0, 1, 2**30, 3], dtype=np.int32))
    texts = arrow.StringArray.from_buffers(3, lengths, arrow.py_buffer(b"abc"))
    feather.write_feather(arrow.table({"x": texts, "y": [0, 1, 0]}), "data.arrow", compression="uncompressed")
    assert main(["train", "data.arrow"]) == 1
    found = capsys.readouterr().err
    assert found.startswith("xgb-like: 'data.arrow' cannot be read as Arrow: ")
    assert found.count("\n") == 1
    assert folder


def test_the_first_version_of_feather_is_refused(folder, capsys):
    (folder / "data.feather").write_bytes(b"FEA1 and what pyarrow would not check")
    pytest.importorskip("pyarrow")
    assert main(["train", "data.feather"]) == 1
    assert "'data.feather' is a Feather file of version 1" in capsys.readouterr().err


def test_what_a_file_has_in_it_does_not_reach_the_terminal_as_it_is(folder, capsys):
    (folder / "data.libsvm").write_bytes(b"1 1:\x1b[31m\x0b\x85\n")
    assert main(["train", "data.libsvm"]) == 1
    found = capsys.readouterr().err
    assert "\\x1b[31m\\x0b" in found
    assert len(found.splitlines()) == 1
