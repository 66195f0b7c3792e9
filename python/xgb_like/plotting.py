# SPDX-License-Identifier: Apache-2.0
"""Pictures of models, of what they learnt and of how. They need matplotlib; to_graphviz needs graphviz."""

from ._plots._dependence import plot_partial_dependence
from ._plots._graphviz import to_graphviz
from ._plots._importance import plot_importance
from ._plots._metrics import plot_metrics
from ._plots._shap import plot_shap_summary
from ._plots._splits import plot_split_value_histogram
from ._plots._tree import plot_tree

__all__ = [
    "plot_importance",
    "plot_metrics",
    "plot_partial_dependence",
    "plot_shap_summary",
    "plot_split_value_histogram",
    "plot_tree",
    "to_graphviz",
]
