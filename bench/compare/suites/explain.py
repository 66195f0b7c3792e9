"""Exact Shapley values and their interactions, path-dependent, beside the libraries that compute them."""

from ..jobs import explain
from ..peers import LIGHTGBM, OURS, XGBOOST
from ..recipe import Recipe
from ..suite import Case, Measure, Suite

DATA = Recipe(20_000, 28, held_out=10_000)
CLASSES = Recipe(20_000, 28, classes=7, held_out=2_000)
PARAMS = {"objective": "binary:logistic", "tree_method": "hist", "eta": 0.1}

SUITE = Suite(
    title="Contributions of 10,000 rows (2,000 of 7 classes), interactions of 500; 100 rounds",
    cases=(
        Case("depth_6", DATA, {**PARAMS, "max_depth": 6}, rounds=100, repeats=2),
        Case("depth_8", DATA, {**PARAMS, "max_depth": 8}, rounds=100),
        Case("depth_16", DATA, {**PARAMS, "max_depth": 16}, rounds=100, without={"lightgbm": "takes many minutes"}),
        Case(
            "classes_7",
            CLASSES,
            {**PARAMS, "max_depth": 6, "objective": "multi:softprob", "num_class": 7},
            rounds=100,
        ),
    ),
    peers=(OURS, XGBOOST, LIGHTGBM),
    job=explain,
    measures=(
        Measure("contributions", "Contributions, seconds", ".3f"),
        Measure("interactions", "Interactions, seconds", ".3f"),
    ),
    number_of_turns=2,
)
