"""Predictions from arrays: many rows at once, and few of them again and again as a server has them."""

from ..jobs import serve
from ..peers import CATBOOST, CATBOOST_SYMMETRIC, LIGHTGBM, OURS, XGBOOST
from ..recipe import Recipe
from ..suite import Case, Measure, Suite

DEPTH_6 = {"objective": "binary:logistic", "tree_method": "hist", "max_depth": 6, "eta": 0.1}
LEAVES = {**DEPTH_6, "grow_policy": "lossguide", "max_depth": 0, "max_leaves": 255}
CLASSES = {**DEPTH_6, "objective": "multi:softprob", "num_class": 7}
VECTORS = {**CLASSES, "multi_strategy": "multi_output_tree"}
ROWS, HELD_OUT = 50_000, 200_000

SUITE = Suite(
    title="Prediction from float32 arrays of 28 columns (every library trains its own model of the same shape)",
    cases=(
        Case("trees_100", Recipe(ROWS, 28, held_out=HELD_OUT), DEPTH_6, rounds=100),
        Case("missing", Recipe(ROWS, 28, missing=0.3, held_out=HELD_OUT), DEPTH_6, rounds=100),
        Case("leaves_500", Recipe(ROWS, 28, held_out=HELD_OUT), LEAVES, rounds=500),
        Case("classes_7", Recipe(ROWS, 28, classes=7, held_out=HELD_OUT), CLASSES, rounds=72),
        Case("classes_7_vector", Recipe(ROWS, 28, classes=7, held_out=HELD_OUT), VECTORS, rounds=72),
    ),
    peers=(OURS, XGBOOST, LIGHTGBM, CATBOOST, CATBOOST_SYMMETRIC),
    job=serve,
    measures=(
        Measure("row_ns", "Nanoseconds per row, 200,000 rows at once", ".0f"),
        Measure("us_1", "Microseconds per call, 1 row", ".1f"),
        Measure("us_10", "Microseconds per call, 10 rows", ".1f"),
        Measure("us_100", "Microseconds per call, 100 rows", ".1f"),
    ),
    number_of_turns=2,
)
