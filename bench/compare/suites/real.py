"""Histogram training on every public data set against every peer."""

from typing import Any

from ..jobs import fit_and_start
from ..peers import CATBOOST, LIGHTGBM, OURS, SKLEARN, XGBOOST
from ..real import RealSet
from ..sets import PARAMS, TASKS, Task
from ..suite import Case, Measure, Suite

ROUNDS = 50
SHORTER: dict[str, Any] = {"rounds": 25}  # some library would take a minute for 50
UNUSUAL: dict[str, dict[str, Any]] = {  # repeats: as many fits as ours does in a tenth of a second
    "connect4": SHORTER,
    "fashion_mnist_20k": SHORTER,
    "kddcup99_10pct": {**SHORTER, "without": {"catboost": "takes half a minute a round"}},
    "hep_atlas_100k": {"repeats": 2},
    "magic": {"repeats": 3},
    "adult": {"repeats": 2},
    "titanic": {"repeats": 10},
    "horse_colic": {"repeats": 10},
    "oil_spill": {"repeats": 10},
    "agaricus": {"repeats": 4},
    "california_housing": {"repeats": 2},
    "bike_hour": {"repeats": 5},
    "kc_housing": {"repeats": 2},
    "fremtpl2_sev": {"repeats": 4},
    "surv_flchain": {"repeats": 5},
    "surv_gbsg2": {"repeats": 10},
    "surv_metabric": {"repeats": 10},
    "surv_veteran": {"repeats": 20},
    "surv_rott2": {"repeats": 8},
}


def _case(name: str, task: Task) -> Case:
    return Case(name, RealSet(name), {**PARAMS, **task}, **{"rounds": ROUNDS, **UNUSUAL.get(name, {})})


SUITE = Suite(
    title=f"Histogram training on public data sets, depth 6, eta 0.1, {ROUNDS} rounds "
    f"({SHORTER['rounds']} of {', '.join(name for name in UNUSUAL if 'rounds' in UNUSUAL[name])}); "
    "fit = matrix construction + training",
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
