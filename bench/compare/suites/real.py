"""Histogram training on every public data set against every peer."""

from ..jobs import fit_and_start
from ..peers import CATBOOST, LIGHTGBM, OURS, SKLEARN, XGBOOST
from ..real import RealSet
from ..sets import PARAMS, TASKS
from ..suite import Case, Measure, Suite

ROUNDS = 50

SUITE = Suite(
    title=f"Histogram training on public data sets, depth 6, eta 0.1, {ROUNDS} rounds (fit = matrix and training)",
    cases=tuple(Case(name, RealSet(name), {**PARAMS, **task}, ROUNDS) for name, task in TASKS.items()),
    peers=(OURS, XGBOOST, LIGHTGBM, CATBOOST, SKLEARN),
    job=fit_and_start,
    measures=(
        Measure("seconds", "Fit, seconds", ".3f"),
        Measure("first_seconds", "From the features to the end of the first round, seconds", ".4f"),
        Measure("peak_mb", "Peak memory above the input, MB", ".1f"),
        Measure("model_kb", "Size of the saved model, kB", ".0f", by_threads=False),
        Measure(
            "loss",
            "Log loss, rmse, deviance, 1 - ndcg or 1 - concordance on held-out rows",
            ".6g",
            compare="percent",
            by_threads=False,
        ),
    ),
)
