# SPDX-License-Identifier: Apache-2.0
"""The errors of this package.

::

    XgbLikeError (ValueError)
    ├── ParameterError (TypeError)                       a parameter's name or value
    ├── DataError                                        the user's data
    │   └── UnsupportedDataError (TypeError)             data of a kind that cannot be read at all
    ├── ModelFormatError                                 a model file, or a matrix file
    │   └── ModelFileNotFoundError (FileNotFoundError)   there is no such file
    └── InternalError (RuntimeError)                     a defect of this package
"""

from .._core import DataError, InternalError, ModelFileNotFoundError, ModelFormatError, ParameterError, XgbLikeError


class UnsupportedDataError(DataError, TypeError):
    """Data of a type that this package cannot read."""

    __module__ = "xgb_like"


__all__ = [
    "DataError",
    "InternalError",
    "ModelFileNotFoundError",
    "ModelFormatError",
    "ParameterError",
    "UnsupportedDataError",
    "XgbLikeError",
]
