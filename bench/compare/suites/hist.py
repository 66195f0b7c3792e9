"""Histogram training on generated data against every peer."""

from ..jobs import fit
from ..peers import CATBOOST, LIGHTGBM, OURS, SKLEARN, XGBOOST
from ..recipe import Recipe
from ..suite import Case, Measure, Suite

BINARY = {"objective": "binary:logistic", "tree_method": "hist", "max_depth": 6, "eta": 0.1, "max_bin": 256}
BEST_FIRST = {**BINARY, "grow_policy": "lossguide", "max_depth": 0, "max_leaves": 255}
CLASSES = {**BINARY, "objective": "multi:softprob", "num_class": 7}
REGRESSION = {**BINARY, "objective": "reg:squarederror"}

DENSE = Recipe(1_000_000, 28)
CARDINALITIES = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)

SUITE = Suite(
    title="Histogram training, eta 0.1, 256 bins (fit = matrix construction + training)",
    cases=(
        Case("dense_1m", DENSE, BINARY, rounds=100),
        Case("leaves_1m", DENSE, BEST_FIRST, rounds=100),
        Case("dense_10m", Recipe(10_000_000, 28), {**BINARY, "max_depth": 8}, rounds=20),
        Case("dense_100k", Recipe(100_000, 28), BINARY, rounds=200),
        Case("dense_10k", Recipe(10_000, 28), BINARY, rounds=200, repeats=3),
        Case("dense_1k", Recipe(1_000, 20), BINARY, rounds=100, repeats=20),
        Case("wide_50k", Recipe(50_000, 2_000, held_out=10_000), BINARY, rounds=100),
        Case("one_hot_1m", Recipe(1_000_000, 4_000, one_hot=100), BINARY, rounds=100),
        Case("classes_500k", Recipe(500_000, 54, classes=7), CLASSES, rounds=50),
        Case("categories_1m", Recipe(1_000_000, 10, cardinalities=CARDINALITIES), BINARY, rounds=100),
        Case("missing_1m", Recipe(1_000_000, 28, missing=0.3), BINARY, rounds=100),
        Case("regression_1m", Recipe(1_000_000, 28, classes=0), REGRESSION, rounds=100),
    ),
    peers=(OURS, XGBOOST, LIGHTGBM, CATBOOST, SKLEARN),
    job=fit,
    measures=(
        Measure("seconds", "Fit, seconds", ".3f"),
        Measure("peak_mb", "Peak memory above the input, MB", ".0f"),
        Measure("loss", "Log loss (rmse for regression) on held-out rows", ".5f", compare="percent"),
    ),
)
