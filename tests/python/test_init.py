# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
import types

import pytest

import xgb_like as xgb

OPTIONAL = ("scipy", "pandas", "polars", "pyarrow", "narwhals", "sklearn", "matplotlib", "graphviz", "dask", "xgboost")


def test_all_is_sorted_and_exact():
    public = {name for name in dir(xgb) if not name.startswith("_")} | {"__version__"}
    assert list(xgb.__all__) == sorted(xgb.__all__)
    assert set(xgb.__all__) == public


@pytest.mark.parametrize("module", [xgb.core, xgb.training, xgb.callback, xgb.config], ids=lambda m: m.__name__)
def test_submodules_export_what_they_list(module):
    assert list(module.__all__) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


def test_import_imports_nothing_optional():
    program = "import sys, xgb_like; print(*{name.partition('.')[0] for name in sys.modules})"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not set(found) & set(OPTIONAL)


def test_training_on_numpy_imports_nothing_optional():
    program = (
        "import sys, numpy as np, xgb_like as xgb\n"
        "X = np.eye(9); b = xgb.train({}, xgb.DMatrix(X, X[:, 0]), 2); b.predict(xgb.DMatrix(X)); b.get_score()\n"
        "b.save_config(); b.save_raw(); print(*{name.partition('.')[0] for name in sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not set(found) & set(OPTIONAL)


def test_version_is_that_of_the_distribution():
    metadata = pytest.importorskip("importlib.metadata")
    assert xgb.__version__ == metadata.version("xgb_like")


def test_build_info_says_what_users_ask_for():
    info = xgb.build_info()
    assert {"USE_OPENMP", "USE_CUDA", "USE_FEDERATED", "simd_levels"} <= set(info)


def test_public_modules_have_docstrings():
    modules = [value for value in vars(xgb).values() if isinstance(value, types.ModuleType)]
    assert modules
    assert all(module.__doc__ for module in modules)
