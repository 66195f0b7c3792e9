# SPDX-License-Identifier: Apache-2.0
"""Models in forms that run without this package: a C file, ONNX, and trees for the package shap."""

from ._export._c import to_c
from ._export._onnx import to_onnx
from ._export._shap import to_shap

__all__ = ["to_c", "to_onnx", "to_shap"]
