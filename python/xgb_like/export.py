# SPDX-License-Identifier: Apache-2.0
"""Models in forms that run without this package: a C file, ONNX, and trees for the package shap."""

from ._export._c import to_c
from ._export._forest import to_shap
from ._export._onnx import to_onnx

__all__ = ["to_c", "to_onnx", "to_shap"]
