"""Fits while something else keeps every core busy."""

from ..jobs import busy_fit
from ..peers import LIGHTGBM, OURS, XGBOOST
from ..recipe import Recipe
from ..suite import Case, Measure, Suite
from .hist import BINARY, DENSE

SUITE = Suite(
    title="Histogram training beside one busy process per core, eta 0.1, 256 bins (fit = matrix + training)",
    cases=(
        Case("dense_1m", DENSE, BINARY, rounds=40),
        Case("dense_100k", Recipe(100_000, 28), BINARY, rounds=100),
        Case("dense_10k", Recipe(10_000, 28), BINARY, rounds=200),
        Case("dense_1k", Recipe(1_000, 20), BINARY, rounds=200),
    ),
    peers=(OURS, XGBOOST, LIGHTGBM),
    job=busy_fit,
    measures=(Measure("seconds", "Fit, seconds", ".3f"),),
)
