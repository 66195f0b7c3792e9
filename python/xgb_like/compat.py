# SPDX-License-Identifier: Apache-2.0
"""Helpers for libraries that may be there, under the names by which other programs import them from XGBoost."""

import importlib.util
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from ._base._exceptions import DataError, UnsupportedDataError
from ._base._libraries import is_instance, require

__all__ = [
    "concat",
    "import_cupy",
    "import_pandas",
    "import_polars",
    "import_pyarrow",
    "is_cudf_available",
    "is_cupy_available",
    "is_dataframe",
    "is_pandas_available",
    "is_pyarrow_available",
    "lazy_isinstance",
    "py_str",
]

# Classes of scikit-learn under XGBoost's names, imported when they are asked for.
_OF_SKLEARN = {
    "XGBClassifierBase": ("sklearn.base", "ClassifierMixin"),
    "XGBModelBase": ("sklearn.base", "BaseEstimator"),
    "XGBRegressorBase": ("sklearn.base", "RegressorMixin"),
    "XGBStratifiedKFold": ("sklearn.model_selection", "StratifiedKFold"),
}


def __getattr__(name: str) -> Any:
    if name == "SKLEARN_INSTALLED":
        return _is_installed("sklearn")
    if name not in _OF_SKLEARN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _OF_SKLEARN[name]
    return getattr(require(module, f"compat.{name}"), attribute)


def py_str(x: bytes | None) -> str:
    """Return text of bytes in UTF-8."""
    if x is None:
        raise DataError("`x` must be bytes; got None.")
    return x.decode()


def lazy_isinstance(instance: Any, module: str, name: str) -> bool:
    """Whether an object is of a class of this name in this module, neither of which has to be imported."""
    kind = instance.__class__
    return bool(kind.__module__ == module and kind.__name__ == name)


def _is_installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _test_of(name: str, title: str) -> Callable[[], bool]:
    def is_available() -> bool:
        return _is_installed(name)

    is_available.__name__ = is_available.__qualname__ = f"is_{name}_available"
    is_available.__doc__ = f"Whether {title} is installed."
    return is_available


def _import_of(name: str, title: str) -> Callable[[], ModuleType]:
    def load() -> ModuleType:
        module: ModuleType = require(name, f"import_{name}()")
        return module

    load.__name__ = load.__qualname__ = f"import_{name}"
    load.__doc__ = f"Return {title}; ImportError if it is not installed."
    return load


is_cudf_available = _test_of("cudf", "cuDF")
is_cupy_available, import_cupy = _test_of("cupy", "CuPy"), _import_of("cupy", "CuPy")
is_pandas_available, import_pandas = _test_of("pandas", "pandas"), _import_of("pandas", "pandas")
is_pyarrow_available, import_pyarrow = _test_of("pyarrow", "pyarrow"), _import_of("pyarrow", "pyarrow")
import_polars = _import_of("polars", "polars")


def _is_cupy_alike(data: Any) -> bool:
    return hasattr(data, "__cuda_array_interface__")


def _is_pandas_df(data: Any) -> bool:
    return is_instance(data, "pandas", "DataFrame")


def _is_pandas_series(data: Any) -> bool:
    return is_instance(data, "pandas", "Series")


def _is_polars(data: Any) -> bool:
    return is_instance(data, "polars", "DataFrame", "LazyFrame")


def _is_arrow(data: Any) -> bool:
    return is_instance(data, "pyarrow", "Table")


def is_dataframe(data: Any) -> bool:
    """Whether data is a data frame or a series of pandas or polars, or a table of pyarrow."""
    frames = _is_pandas_df(data) or _is_polars(data) or _is_arrow(data)
    return frames or _is_pandas_series(data) or is_instance(data, "polars", "Series")


def concat(value: Sequence[Any]) -> Any:
    """Join arrays, sparse matrices or data frames of one kind, one below the other."""
    if not len(value):
        raise DataError("`value` must have at least one array or data frame to join.")
    first = value[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(value, axis=0)
    if is_instance(first, "scipy.sparse", "spmatrix", "sparray"):
        layout = "csc" if first.format == "csc" else "csr"
        return require("scipy.sparse", "concat()").vstack(value, format=layout)
    if _is_pandas_df(first) or _is_pandas_series(first):
        return import_pandas().concat(value, axis=0)
    if is_instance(first, "polars", "DataFrame", "LazyFrame", "Series"):
        return import_polars().concat(value)
    if _is_arrow(first):
        return import_pyarrow().concat_tables(value)
    raise UnsupportedDataError(
        f"Cannot join data of type {type(first).__name__}. Pass numpy arrays, scipy sparse matrices or data frames."
    )
