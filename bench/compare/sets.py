"""The public data sets: what each is there to predict."""

from __future__ import annotations

from typing import Any

PARAMS = {"tree_method": "hist", "max_depth": 6, "eta": 0.1, "max_bin": 256}

Task = dict[str, Any]


def _classes(number: int) -> Task:
    return {"objective": "multi:softprob", "num_class": number}


BINARY: Task = {"objective": "binary:logistic"}
REGRESSION: Task = {"objective": "reg:squarederror"}
RANKING: Task = {"objective": "rank:ndcg"}
SURVIVAL: Task = {"objective": "survival:cox"}

TASKS = {
    "hep_atlas_100k": BINARY,
    "magic": BINARY,
    "givemecredit": BINARY,
    "nycflights13_delay": BINARY,  # numbers and categories, up to 4,000 levels
    "adult": BINARY,
    "bank_marketing": BINARY,
    "amazon_access": BINARY,  # categories alone, up to 7,500 levels
    "titanic": BINARY,
    "horse_colic": BINARY,
    "oil_spill": BINARY,
    "polish_bankruptcy": BINARY,
    "celeba_attr": BINARY,  # 39 flags
    "a9a": BINARY,  # sparse, as are the next two
    "agaricus": BINARY,
    "imdb_bow": BINARY,
    "covertype_93k": _classes(7),
    "kddcup99_10pct": _classes(23),
    "fashion_mnist_20k": _classes(10),  # 784 columns
    "letter": _classes(26),
    "connect4": _classes(3),  # categories of three levels
    "shuttle": _classes(7),
    "beijing_pm25": REGRESSION,
    "california_housing": REGRESSION,
    "bike_hour": REGRESSION,
    "diamonds": REGRESSION,
    "kc_housing": REGRESSION,
    "movielens_100k": REGRESSION,
    "fremtpl2_freq": {"objective": "count:poisson"},
    "fremtpl2_sev": {"objective": "reg:gamma"},
    "mslr30k_f1_train5k": RANKING,
    "mslr10k_sample": RANKING,
    "lgb_lambdarank": RANKING,
    "surv_flchain": SURVIVAL,
    "surv_gbsg2": SURVIVAL,
    "surv_metabric": SURVIVAL,
    "surv_veteran": SURVIVAL,
    "surv_rott2": SURVIVAL,
    "surv_hdfail": {"objective": "survival:aft"},
}
