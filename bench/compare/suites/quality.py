"""Held-out quality on public data sets, every objective of XGBoost's, equal parameters, means of eight splits."""

from typing import Any

from ..jobs import quality
from ..peers import CATBOOST, LIGHTGBM, OURS, XGBOOST
from ..quality_table import quality_table
from ..real import RealSet
from ..suite import Case, Suite

PARAMS = {"tree_method": "hist", "max_depth": 6, "eta": 0.1, "max_bin": 256}
SHALLOW: dict[str, Any] = {"max_depth": 3, "eta": 0.05}
GRADED = 1.0  # labels from here up are relevant, where only two grades are allowed


def _case(name: str, objective: str, *, rounds: int = 100, relevant_from: float | None = None, **params: Any) -> Case:
    given = {**PARAMS, "objective": objective, **params}
    return Case(f"{name}/{objective}", RealSet(name, relevant_from=relevant_from), given, rounds)


SUITE = Suite(
    title="Quality on held-out rows of public data sets: depth 6, eta 0.1, 100 rounds; depth 3, eta 0.05 for gamma, "
    "Tweedie and survival; means of eight splits",
    cases=(
        _case("hep_atlas_100k", "binary:logistic"),
        _case("magic", "binary:logistic"),
        _case("givemecredit", "binary:logistic"),
        _case("nycflights13_delay", "binary:logistic"),
        _case("adult", "binary:logistic"),
        _case("bank_marketing", "binary:logistic"),
        _case("amazon_access", "binary:logistic"),
        _case("polish_bankruptcy", "binary:logistic"),
        _case("celeba_attr", "binary:logistic"),
        _case("a9a", "binary:logistic"),
        _case("adult", "binary:logitraw"),
        _case("magic", "reg:logistic"),
        _case("magic", "binary:hinge"),
        _case("covertype_93k", "multi:softprob", num_class=7),
        _case("letter", "multi:softprob", num_class=26),
        _case("connect4", "multi:softprob", num_class=3),
        _case("letter", "multi:softmax", num_class=26),
        _case("beijing_pm25", "reg:squarederror"),
        _case("california_housing", "reg:squarederror"),
        _case("bike_hour", "reg:squarederror"),
        _case("diamonds", "reg:squarederror"),
        _case("kc_housing", "reg:squarederror"),
        _case("movielens_100k", "reg:squarederror"),
        _case("bike_hour", "reg:squaredlogerror"),
        _case("bike_hour", "reg:pseudohubererror", huber_slope=20.0),
        _case("california_housing", "reg:absoluteerror"),
        _case("diamonds", "reg:absoluteerror"),
        _case("california_housing", "reg:quantileerror", quantile_alpha=0.9),
        _case("bike_hour", "reg:quantileerror", quantile_alpha=[0.1, 0.5, 0.9]),
        _case("bike_hour", "reg:expectileerror", expectile_alpha=0.9),
        _case("fremtpl2_freq", "count:poisson"),
        _case("bike_hour", "count:poisson"),
        _case("fremtpl2_sev", "reg:gamma", **SHALLOW),
        _case("diamonds", "reg:gamma", **SHALLOW, rounds=300),
        _case("fremtpl2_freq", "reg:tweedie", tweedie_variance_power=1.5, **SHALLOW),
        _case("mslr30k_f1_train5k", "rank:ndcg"),
        _case("mslr10k_sample", "rank:ndcg"),
        _case("lgb_lambdarank", "rank:ndcg"),
        _case("lgb_lambdarank", "rank:pairwise"),
        _case("lgb_lambdarank", "rank:map", relevant_from=GRADED),
        _case("surv_flchain", "survival:cox", **SHALLOW),
        _case("surv_metabric", "survival:cox", **SHALLOW),
        _case("surv_rott2", "survival:cox", **SHALLOW),
        _case("surv_flchain", "survival:aft", **SHALLOW),
        _case("surv_metabric", "survival:aft", **SHALLOW),
        _case("surv_hdfail", "survival:aft", **SHALLOW),
    ),
    peers=(OURS, XGBOOST, LIGHTGBM, CATBOOST),
    job=quality,
    measures=(),
    threads=(2,),
    number_of_turns=1,
    table=quality_table,
)
