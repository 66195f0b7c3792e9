"""Exact greedy training against XGBoost's `tree_method=exact`."""

from ..jobs import fit
from ..peers import OURS, XGBOOST
from ..recipe import Recipe
from ..suite import Case, Measure, Suite

PARAMS = {"objective": "binary:logistic", "tree_method": "exact", "max_depth": 6, "eta": 0.3}

SUITE = Suite(
    title="Exact greedy training, depth 6, binary:logistic (fit = matrix construction + training)",
    cases=(
        Case("dense_100k", Recipe(100_000, 28), PARAMS, rounds=50),
        Case("dense_1m", Recipe(1_000_000, 28), PARAMS, rounds=10),
        Case("one_hot_200k", Recipe(200_000, 2_000, one_hot=100), PARAMS, rounds=50),
        Case("missing_1m", Recipe(1_000_000, 28, missing=0.3), PARAMS, rounds=10),
    ),
    peers=(OURS, XGBOOST),
    job=fit,
    measures=(
        Measure("seconds", "Fit, seconds"),
        Measure("peak_mb", "Peak memory above the input, MB", ".0f"),
        Measure("loss", "Log loss on held-out rows", ".5f", compare="percent"),
    ),
)
