"""Histogram training on public data sets against every peer."""

from typing import Any

from ..jobs import fit
from ..peers import CATBOOST, CATBOOST_SYMMETRIC, LIGHTGBM, OURS, SKLEARN, XGBOOST
from ..real import RealSet
from ..suite import Case, Measure, Suite

PARAMS = {"tree_method": "hist", "max_depth": 6, "eta": 0.1, "max_bin": 256}
BINARY = {**PARAMS, "objective": "binary:logistic"}
REGRESSION = {**PARAMS, "objective": "reg:squarederror"}


def _classes(number: int) -> dict[str, Any]:
    return {**PARAMS, "objective": "multi:softprob", "num_class": number}


def _case(name: str, params: dict[str, Any]) -> Case:
    return Case(name, RealSet(name), params, rounds=100)


SUITE = Suite(
    title="Histogram training on public data sets, depth 6, eta 0.1, 100 rounds (fit = matrix construction + training)",
    cases=(
        _case("hep_atlas_100k", BINARY),
        _case("givemecredit", BINARY),
        _case("adult", BINARY),  # numbers and categories
        _case("nycflights13_delay", BINARY),  # the same, up to 4,000 levels
        _case("amazon_access", BINARY),  # categories alone, up to 7,500 levels
        _case("imdb_bow", BINARY),  # sparse
        _case("covertype_93k", _classes(7)),
        _case("letter", _classes(26)),
        _case("beijing_pm25", REGRESSION),
        _case("california_housing", REGRESSION),
        _case("diamonds", REGRESSION),
    ),
    peers=(OURS, XGBOOST, LIGHTGBM, CATBOOST, CATBOOST_SYMMETRIC, SKLEARN),
    job=fit,
    measures=(
        Measure("seconds", "Fit, seconds", ".3f"),
        Measure("peak_mb", "Peak memory above the input, MB", ".0f"),
        Measure("loss", "Log loss (rmse for regression) on held-out rows", ".6g", compare="percent"),
    ),
)
