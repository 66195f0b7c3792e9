# SPDX-License-Identifier: Apache-2.0
"""Facts on types of data, under the names by which other programs import them from XGBoost."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ._base._exceptions import DataError
from ._base._libraries import is_instance, require
from ._base._typing import Floats
from ._data._ingest import read_frame
from ._data._text_files import warn_unused_missing
from .compat import _is_cupy_alike

__all__ = [
    "CAT_T",
    "is_nullable_dtype",
    "is_on_cuda",
    "is_pa_ext_categorical_dtype",
    "is_pa_ext_dtype",
    "is_pd_cat_dtype",
    "is_pd_sparse_dtype",
    "is_scipy_coo",
    "is_scipy_csc",
    "is_scipy_csr",
    "pandas_nullable_mapper",
    "pandas_pyarrow_mapper",
]

CAT_T = "c"

_warn_unused_missing = warn_unused_missing

_WIDTHS = (8, 16, 32, 64)
_INTEGERS = [f"{sign}int{width}" for sign in ("", "u") for width in _WIDTHS]

pandas_nullable_mapper: dict[str, str] = {
    **{name.replace("int", "Int").replace("uI", "UI"): "int" for name in _INTEGERS},
    "Float32": "float",
    "Float64": "float",
    "boolean": "i",
}
pandas_pyarrow_mapper: dict[str, str] = {
    **{f"{name}[pyarrow]": "int" for name in _INTEGERS},
    **{f"{name}[pyarrow]": "float" for name in ("float", "float32", "double", "float64")},
    "bool[pyarrow]": "i",
}


def is_scipy_csr(data: Any) -> bool:
    """Whether data is a sparse matrix by rows."""
    return is_instance(data, "scipy.sparse", "csr_matrix", "csr_array")


def is_scipy_csc(data: Any) -> bool:
    """Whether data is a sparse matrix by columns."""
    return is_instance(data, "scipy.sparse", "csc_matrix", "csc_array")


def is_scipy_coo(data: Any) -> bool:
    """Whether data is a sparse matrix of coordinates."""
    return is_instance(data, "scipy.sparse", "coo_matrix", "coo_array")


def is_pd_cat_dtype(dtype: Any) -> bool:
    """Whether a type of pandas is that of categories."""
    return is_instance(dtype, "pandas", "CategoricalDtype")


def is_pd_sparse_dtype(dtype: Any) -> bool:
    """Whether a type of pandas is sparse."""
    return is_instance(dtype, "pandas", "SparseDtype")


def is_pa_ext_dtype(dtype: Any) -> bool:
    """Whether a type of pandas is one of Arrow's."""
    return hasattr(dtype, "pyarrow_dtype")


def is_pa_ext_categorical_dtype(dtype: Any) -> bool:
    """Whether a type of pandas is Arrow's of categories."""
    return is_instance(getattr(dtype, "pyarrow_dtype", None), "pyarrow", "DictionaryType")


def is_nullable_dtype(dtype: Any) -> bool:
    """Whether a type of pandas has a value for missing that is not NaN."""
    return is_pd_cat_dtype(dtype) or getattr(dtype, "name", "") in pandas_nullable_mapper


def is_on_cuda(data: Any) -> bool:
    """Whether data is in the memory of a GPU."""
    return _is_cupy_alike(data)


def _lazy_load_cudf_is_cat() -> Callable[[Any], bool]:
    """Return what tells cuDF's type of categories; ImportError if cuDF is not installed."""
    kind = require("cudf", "_lazy_load_cudf_is_cat()").CategoricalDtype
    return lambda dtype: isinstance(dtype, kind)


def _lazy_load_cudf_is_bool() -> Callable[[Any], bool]:
    """Return what tells cuDF's type of bools; ImportError if cuDF is not installed."""
    test: Callable[[Any], bool] = require("cudf.api.types", "_lazy_load_cudf_is_bool()").is_bool_dtype
    return test


class PandasTransformed(NamedTuple):
    """The columns of a pandas data frame as numbers: categories as their codes, missing as NaN."""

    columns: list[Floats]

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return (len(self.columns[0]) if self.columns else 0, len(self.columns))


def _transform_pandas_df(
    data: Any,
    enable_categorical: bool,
    feature_names: Sequence[str] | None = None,
    feature_types: Sequence[str] | None = None,
    meta: str | None = None,
) -> tuple[PandasTransformed, Sequence[str] | None, Sequence[str] | None]:
    """Return a data frame as a matrix takes it, with names and types; `meta` is the field that it is for."""
    table = read_frame(data, enable_categorical)
    if table is None:
        raise DataError(f"`data` must be a data frame; got {type(data).__name__}.")
    if meta and meta not in ("label", "base_margin") and table.shape[1] > 1:
        raise DataError(f"`{meta}` must be one column; got {table.shape[1]}.")
    columns = PandasTransformed(list(table.arrays[0].T))
    return (columns, None, None) if meta else (columns, feature_names or table.names, feature_types or table.types)
