# SPDX-License-Identifier: Apache-2.0
"""Pictures of models: what they learned, how, and how well. They need matplotlib; to_graphviz needs graphviz.

What is not named ``plot_`` returns the numbers behind pictures, and needs neither.
"""

from ._plots._curves import (
    CalibrationCurve,
    DoubleLift,
    LorenzCurve,
    calibration_curve,
    double_lift,
    gini_coefficient,
    lorenz_curve,
)
from ._plots._dependence import plot_partial_dependence
from ._plots._graphviz import to_graphviz
from ._plots._importance import plot_importance
from ._plots._metrics import plot_metrics
from ._plots._quality import plot_calibration, plot_double_lift, plot_lift, plot_lorenz
from ._plots._shap import plot_shap_summary
from ._plots._splits import plot_split_value_histogram
from ._plots._tree import plot_tree

__all__ = [
    "CalibrationCurve",
    "DoubleLift",
    "LorenzCurve",
    "calibration_curve",
    "double_lift",
    "gini_coefficient",
    "lorenz_curve",
    "plot_calibration",
    "plot_double_lift",
    "plot_importance",
    "plot_lift",
    "plot_lorenz",
    "plot_metrics",
    "plot_partial_dependence",
    "plot_shap_summary",
    "plot_split_value_histogram",
    "plot_tree",
    "to_graphviz",
]
