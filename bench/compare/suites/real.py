"""Histogram training on every public data set against every peer."""

from ..jobs import fit_and_start
from ..peers import CATBOOST, LIGHTGBM, OURS, SKLEARN, XGBOOST
from ..real import RealSet
from ..sets import PARAMS, TASKS, Task
from ..suite import Case, Measure, Suite

ROUNDS = 50
FEWER = {"connect4": 20, "fashion_mnist_20k": 20, "kddcup99_10pct": 10}  # a library takes more than a minute for 50
REPEATS = {  # as many as ours does in a tenth of a second
    "hep_atlas_100k": 2,
    "magic": 3,
    "adult": 2,
    "titanic": 10,
    "horse_colic": 10,
    "oil_spill": 10,
    "agaricus": 4,
    "california_housing": 2,
    "bike_hour": 5,
    "kc_housing": 2,
    "fremtpl2_sev": 4,
    "surv_flchain": 5,
    "surv_gbsg2": 10,
    "surv_metabric": 10,
    "surv_veteran": 20,
    "surv_rott2": 8,
}


def _case(name: str, task: Task) -> Case:
    return Case(name, RealSet(name), {**PARAMS, **task}, FEWER.get(name, ROUNDS), REPEATS.get(name, 1))


SUITE = Suite(
    title=f"Histogram training on public data sets, depth 6, eta 0.1, {ROUNDS} rounds "
    f"({', '.join(f'{name} {rounds}' for name, rounds in FEWER.items())}); fit = matrix construction + training",
    cases=tuple(_case(name, task) for name, task in TASKS.items()),
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
