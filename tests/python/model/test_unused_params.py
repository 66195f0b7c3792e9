# SPDX-License-Identifier: Apache-2.0
"""No parameter is passed over in silence: one that changes nothing beside the others in force is warned of.

For every parameter of the table and every setting, a model with it is compared with one without.
"""

import warnings

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import _core

LINEAR = {"booster": "gblinear", "updater": "coord_descent"}
RANKS = {"objective": "rank:ndcg", "lambdarank_num_pair_per_sample": 4}
# What is in force, besides few rows in a child.
SETTINGS = {
    "hist": {},
    "exact": {"tree_method": "exact"},
    "approx": {"tree_method": "approx", "max_bin": 8},
    "sampled": {"subsample": 0.6},
    "by gradient": {"subsample": 0.6, "sampling_method": "gradient_based"},
    "goss": {"sampling_method": "goss"},
    "refreshed": {"updater": "grow_quantile_histmaker,refresh", "subsample": 0.6, "reg_lambda": 2},
    "dart": {"booster": "dart", "rate_drop": 0.5, "skip_drop": 0.2, "subsample": 0.8},
    "dart, drops one": {"booster": "dart", "one_drop": True},
    "dart, drops none": {"booster": "dart"},
    "dart, skips all": {"booster": "dart", "rate_drop": 0.5, "skip_drop": 1},
    "adaboost": {"booster": "adaboost", "objective": "binary:logistic", "max_depth": 2},
    "linear": LINEAR,
    "greedy": {**LINEAR, "feature_selector": "greedy"},
    "logistic": {"objective": "binary:logistic"},
    "focal": {"objective": "binary:focal"},
    "poisson": {"objective": "count:poisson"},
    "tweedie": {"objective": "reg:tweedie"},
    "fair": {"objective": "reg:fair"},
    "huber": {"objective": "reg:huber"},
    "huber by quantile": {"objective": "reg:huber", "huber_quantile": 0.4},
    "pseudo-huber": {"objective": "reg:pseudohubererror"},
    "expectile": {"objective": "reg:expectileerror", "expectile_alpha": 0.4},
    "quantile": {"objective": "reg:quantileerror", "quantile_alpha": 0.4},
    "quantiles": {"objective": "reg:quantileerror", "quantile_alpha": [0.4, 0.5], "leaf_estimation_method": "newton"},
    "ranking": RANKS,
    "unbiased": {**RANKS, "lambdarank_unbiased": True},
    "yeti": {"objective": "rank:yeti"},
    "aft": {"objective": "survival:aft"},
}
# Another value than the default for each parameter, one that the data feel.
VALUES = {
    "seed": 5,
    "base_score": 0.3,
    "multi_strategy": "multi_output_tree",
    "booster": "dart",
    "tree_method": "exact",
    "updater": "grow_colmaker",
    "refresh_leaf": False,
    "num_parallel_tree": 2,
    "objective": "reg:gaussian",
    "learning_rate": 0.7,
    "min_split_loss": 30,
    "max_depth": 1,
    "max_leaves": 3,
    "grow_policy": "lossguide",
    "min_child_weight": 9,
    "reg_lambda": 5,
    "reg_alpha": 0.5,
    "max_delta_step": 0.05,
    "leaf_estimation_iterations": 3,
    "subsample": 0.4,
    "sampling_method": "gradient_based",
    "top_rate": 0.4,
    "other_rate": 0.3,
    "bagging_by_query": True,
    "colsample_bytree": 0.4,
    "colsample_bylevel": 0.4,
    "colsample_bynode": 0.4,
    "max_bin": 4,
    "max_cat_to_onehot": 40,
    "max_cat_threshold": 3,
    "cat_smooth": 30,
    "cut_proposal": "local",
    "gradient_bits": "32",
    "monotone_constraints": "(-1,-1,-1)",
    "interaction_constraints": "[[0,1]]",
    "rate_drop": 0.9,
    "sample_type": "weighted",
    "normalize_type": "forest",
    "one_drop": True,
    "skip_drop": 0.6,
    "feature_selector": "shuffle",
    "top_k": 1,
    "tolerance": 0.5,
    "focal_gamma": 1,
    "focal_alpha": 0.4,
    "scale_pos_weight": 3,
    "lambdarank_pair_method": "mean",
    "lambdarank_num_pair_per_sample": 2,
    "lambdarank_normalization": False,
    "lambdarank_score_normalization": False,
    "lambdarank_unbiased": True,
    "lambdarank_bias_norm": 3,
    "ndcg_exp_gain": False,
    "yeti_permutations": 3,
    "yeti_decay": 0.3,
    "leaf_estimation_method": "smooth",
    "expectile_alpha": 0.8,
    "fair_c": 0.3,
    "huber_delta": 0.1,
    "huber_quantile": 0.3,
    "huber_slope": 0.2,
    "quantile_alpha": 0.8,
    "sort_quantiles": False,
    "tweedie_variance_power": 1.2,
    "aft_loss_distribution": "logistic",
    "aft_loss_distribution_scale": 2,
}
# They change no model by intention: their docs say what else they do.
NO_MODEL = {
    "nthread": "threads",
    "seed_per_iteration": "kept for compatibility",
    "verbosity": "messages",
    "validate_parameters": "kept for compatibility",
    "device": "warned of when it is set",
    "num_class": "must match the labels",
    "num_target": "must match the labels",
    "eval_metric": "metrics",
    "disable_default_eval_metric": "metrics",
    "process_type": "takes a model that is there",
    "max_cached_hist_node": "memory",
}
# The data decide.
MAY_PASS = {"seed", "multi_strategy", "grow_policy", "objective", "booster", "updater", "tree_method", "gradient_bits"}
WHERE_IT_COUNTS = {
    "seed": "sampled",
    "refresh_leaf": "refreshed",
    "sampling_method": "sampled",
    "top_rate": "goss",
    "other_rate": "goss",
    "bagging_by_query": "sampled",
    "cut_proposal": "approx",
    "rate_drop": "dart",
    "sample_type": "dart",
    "normalize_type": "dart",
    "one_drop": "dart, drops none",
    "skip_drop": "dart",
    "feature_selector": "linear",
    "top_k": "greedy",
    "tolerance": "linear",
    "leaf_estimation_iterations": "logistic",
    "focal_gamma": "focal",
    "focal_alpha": "focal",
    "scale_pos_weight": "logistic",
    "leaf_estimation_method": "quantile",
    "expectile_alpha": "expectile",
    "fair_c": "fair",
    "huber_delta": "huber",
    "huber_quantile": "huber",
    "huber_slope": "pseudo-huber",
    "quantile_alpha": "quantile",
    "sort_quantiles": "quantiles",
    "tweedie_variance_power": "tweedie",
    "aft_loss_distribution": "aft",
    "aft_loss_distribution_scale": "aft",
    "lambdarank_bias_norm": "unbiased",
    "yeti_permutations": "yeti",
    "yeti_decay": "yeti",
    **dict.fromkeys(("ndcg_exp_gain", "lambdarank_unbiased"), "ranking"),
    **dict.fromkeys(("lambdarank_pair_method", "lambdarank_num_pair_per_sample"), "ranking"),
    **dict.fromkeys(("lambdarank_normalization", "lambdarank_score_normalization"), "ranking"),
}


def matrix(setting):
    rng = np.random.default_rng(7)
    features = rng.normal(size=(240, 4)).astype(np.float32)
    features[:, 3] = rng.integers(0, 30, 240)
    signal = features[:, 0] + features[:, 1] * features[:, 2] + np.sin(features[:, 3]) + rng.normal(size=240)
    plain = setting in ("linear", "greedy", "exact")  # they take no categories
    fields = {"label": signal > 0.5, "feature_types": ["q", "q", "q", "q" if plain else "c"]}
    if setting == "aft":
        bound = np.exp(signal)
        fields |= {"label": None, "label_lower_bound": bound, "label_upper_bound": bound * 2}
    elif setting in ("hist", "exact", "approx", "fair", "huber", "huber by quantile", "pseudo-huber") or (
        "quantile" in setting or setting == "expectile"
    ):
        fields["label"] = np.round(signal)
    elif setting in ("ranking", "unbiased", "yeti"):
        fields["label"] = np.digitize(signal, [0, 1])
    return xgb.DMatrix(features, qid=np.arange(240) // 12, **fields)


def model_and_warnings(setting, **more):
    params = {"nthread": 1, "max_depth": 4, "base_score": 0.5, **SETTINGS[setting], **more}
    data = matrix(setting)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        booster = xgb.train(params, data, 12 if "dart" in setting else 4)
    shown = (booster.get_dump(with_stats=True), booster.predict(data).tobytes())
    return shown, " ".join(str(warning.message) for warning in caught)


@pytest.fixture(scope="module")
def plain():
    return {setting: model_and_warnings(setting)[0] for setting in SETTINGS}


def test_every_parameter_is_known_here():
    assert {spec["name"] for spec in _core.param_specs()} == set(VALUES) | set(NO_MODEL)


@pytest.mark.parametrize("name", VALUES)
def test_a_parameter_changes_the_model_or_is_warned_of(plain, name):
    for setting, params in SETTINGS.items():
        if name in params and name != "learning_rate":
            continue
        try:
            model, text = model_and_warnings(setting, **{name: VALUES[name]})
        except xgb.XgbLikeError:
            continue  # it says so
        warned = f"`{name}` has no effect" in text or f"`{name}` is not used" in text
        changed = model != plain[setting]
        assert not (warned and changed), (setting, text)
        assert warned or changed or name in MAY_PASS, setting


@pytest.mark.parametrize("name", sorted(set(VALUES) - MAY_PASS | {"seed"}))
def test_a_parameter_changes_the_model_where_it_counts(plain, name):
    setting = WHERE_IT_COUNTS.get(name, "hist")
    model, text = model_and_warnings(setting, **{name: VALUES[name]})
    assert f"`{name}` has no effect" not in text
    assert model != plain[setting]


@pytest.mark.parametrize("spec", _core.param_specs(), ids=lambda spec: f"{spec['group']}-{spec['name']}")
def test_a_default_is_never_warned_of(spec):
    name, value = spec["name"], spec["default"]
    for setting, params in SETTINGS.items():
        if name in params or name in {"booster", "objective", "tree_method"}:
            continue
        try:
            text = model_and_warnings(setting, **{name: value})[1]
        except xgb.XgbLikeError:
            continue  # what has no default that may be given
        assert f"`{name}`" not in text, setting
