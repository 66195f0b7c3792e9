"""Held-out quality on public data sets, every objective of XGBoost's, equal parameters, means of eight splits."""

from typing import Any

from ..jobs import quality
from ..peers import CATBOOST, LIGHTGBM, OURS, XGBOOST
from ..quality_table import quality_table
from ..real import RealSet
from ..sets import PARAMS, TASKS
from ..suite import Case, Suite

SHALLOW: dict[str, Any] = {"max_depth": 3, "eta": 0.05}
GRADED = 1.0  # labels from here up are relevant, where only two grades are allowed


def _case(name: str, *, rounds: int = 100, relevant_from: float | None = None, **params: Any) -> Case:
    """`params` stand in place of the set's own."""
    given = {**PARAMS, **TASKS[name], **params}
    return Case(f"{name}/{given['objective']}", RealSet(name, relevant_from=relevant_from), given, rounds)


SUITE = Suite(
    title="Quality on held-out rows of public data sets: depth 6, eta 0.1, 100 rounds; depth 3, eta 0.05 for gamma, "
    "Tweedie and survival; means of eight splits",
    cases=(
        _case("hep_atlas_100k"),
        _case("magic"),
        _case("givemecredit"),
        _case("nycflights13_delay"),
        _case("adult"),
        _case("bank_marketing"),
        _case("amazon_access"),
        _case("polish_bankruptcy"),
        _case("celeba_attr"),
        _case("a9a"),
        _case("adult", objective="binary:logitraw"),
        _case("magic", objective="reg:logistic"),
        _case("magic", objective="binary:hinge"),
        _case("covertype_93k"),
        _case("letter"),
        _case("connect4"),
        _case("letter", objective="multi:softmax"),
        _case("beijing_pm25"),
        _case("california_housing"),
        _case("bike_hour"),
        _case("diamonds"),
        _case("kc_housing"),
        _case("movielens_100k"),
        _case("bike_hour", objective="reg:squaredlogerror"),
        _case("bike_hour", objective="reg:pseudohubererror", huber_slope=20.0),
        _case("california_housing", objective="reg:absoluteerror"),
        _case("diamonds", objective="reg:absoluteerror"),
        _case("california_housing", objective="reg:quantileerror", quantile_alpha=0.9),
        _case("bike_hour", objective="reg:quantileerror", quantile_alpha=[0.1, 0.5, 0.9]),
        _case("bike_hour", objective="reg:expectileerror", expectile_alpha=0.9),
        _case("fremtpl2_freq"),
        _case("bike_hour", objective="count:poisson"),
        _case("fremtpl2_sev", **SHALLOW),
        _case("diamonds", objective="reg:gamma", **SHALLOW, rounds=300),
        _case("fremtpl2_freq", objective="reg:tweedie", tweedie_variance_power=1.5, **SHALLOW),
        _case("mslr30k_f1_train5k"),
        _case("mslr10k_sample"),
        _case("lgb_lambdarank"),
        _case("lgb_lambdarank", objective="rank:pairwise"),
        _case("lgb_lambdarank", objective="rank:map", relevant_from=GRADED),
        _case("surv_flchain", **SHALLOW),
        _case("surv_metabric", **SHALLOW),
        _case("surv_rott2", **SHALLOW),
        _case("surv_flchain", objective="survival:aft", **SHALLOW),
        _case("surv_metabric", objective="survival:aft", **SHALLOW),
        _case("surv_hdfail", **SHALLOW),
    ),
    peers=(OURS, XGBOOST, LIGHTGBM, CATBOOST),
    job=quality,
    measures=(),
    threads=(2,),
    number_of_turns=1,
    table=quality_table,
)
