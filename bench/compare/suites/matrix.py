"""The construction of the binned matrix alone: every library in the way that makes the bins at once."""

from dataclasses import replace

from ..jobs import matrix
from ..peers import CATBOOST, LIGHTGBM, XgboostInterface
from ..suite import Measure, Suite
from .hist import SUITE as HIST

NAMES = ("dense_1m", "dense_1k", "wide_50k", "one_hot_1m", "categories_1m", "missing_1m")

SUITE = Suite(
    title="Construction of the matrix with bins (QuantileDMatrix, Dataset, quantized Pool)",
    cases=tuple(replace(HIST.case(name), rounds=1) for name in NAMES),
    peers=(XgboostInterface("xgb_like", binned=True), XgboostInterface("xgboost", binned=True), LIGHTGBM, CATBOOST),
    job=matrix,
    measures=(
        Measure("matrix_ns", "Nanoseconds per cell (sparse: per stored cell)", ".1f"),
        Measure("peak_mb", "Peak memory above the input, with one round of training, MB", ".0f"),
    ),
)
