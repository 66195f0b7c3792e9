# SPDX-License-Identifier: Apache-2.0
"""Every example runs, without a warning, and says something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "python" / "examples").glob("*.py"))
NEEDS = {
    "categorical": ("pandas", "pyarrow"),
    "pictures": ("pandas", "matplotlib"),
    "scikit_learn": ("sklearn",),
}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, tmp_path):
    for package in NEEDS.get(path.stem, ()):
        pytest.importorskip(package)
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, "-W", "error:::__main__", str(path)],
        capture_output=True, text=True, check=False, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert "False" not in done.stdout
    assert not list(tmp_path.iterdir())


def test_there_are_examples():
    assert len(EXAMPLES) >= 10
