# SPDX-License-Identifier: Apache-2.0
"""The configuration of a booster as JSON, in the layout that XGBoost's users read and write.

All values are strings. Sections and keys that describe parts of XGBoost which this engine does not have carry XGBoost's
defaults, so that programs which look them up find them.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import ParameterError

_ABSENT = {  # keys of XGBoost's tree parameters that this engine has no use for, with XGBoost's defaults
    "sparse_threshold": "0.20000000000000001",
}
_BOTH_NAMES = ("alpha", "eta", "gamma", "lambda", "learning_rate", "min_split_loss", "reg_alpha", "reg_lambda")
_LINEAR_ALIASES = {"learning_rate": "eta", "reg_lambda": "lambda", "reg_alpha": "alpha"}
_OF_OURS = "xgb_like."  # how attributes in files begin that are parameters of objectives
_NO_LIMIT = str(2**64 - 1)  # what XGBoost writes for a limit that nobody set
_SMALL = np.finfo(np.float32).precision + 3  # digits by which XGBoost tells any two float32 apart


def config_of(booster: _core.Booster, has_drawn: bool) -> dict[str, Any]:
    """Return the configuration as nested dicts, of boosters that have drawn with the state of random numbers."""
    groups = booster.params()
    learner, boosting = groups["learner"], groups["boosting"]
    model = _model_head(booster)
    score = model["learner_model_param"][
        "base_score"
    ]  # model files have a single one as a number, which all tools read
    model["learner_model_param"]["base_score"] = score if score.startswith("[") else f"[{score}]"
    # All that is drawn from.
    state = {"rng_state": f"{groups['general']['seed']} {booster.num_boosted_rounds()}"} if has_drawn else {}
    model["objective"].pop("lambda_rank_param", None)  # in model files alone, for versions of XGBoost before 2.0
    metrics = []
    for name in booster.metric_names():  # with the parameters that they share with the objective
        group = _core.metrics().get(name.split("@", maxsplit=1)[0].rstrip("-"), {}).get("group")
        shared = {group: model["objective"][group]} if group in model["objective"] else {}
        metrics.append({**shared, "name": name})
    return {
        "learner": {
            "generic_param": {**_general(groups["general"]), **state},
            "gradient_booster": _kind(groups, booster.num_trees()),
            "learner_model_param": model["learner_model_param"],
            "learner_train_param": {
                "booster": boosting["booster"],
                **{name: learner[name] for name in ("disable_default_eval_metric", "multi_strategy", "objective")},
            },
            "metrics": metrics,
            "objective": model["objective"],
        },
        "version": [int(part) for part in _core.__version__.split(".")[:3]],
    }


def params_in(text: str) -> list[tuple[str, str]]:
    """Return the parameters that a configuration sets; raise ParameterError if the text is none."""
    try:
        config = json.loads(text)
        learner = config["learner"]
        found = dict(_sections(learner))
        metrics = [str(metric["name"]) for metric in learner.get("metrics", [])]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ParameterError(
            f"`config` must be the JSON text that save_config() returns; {type(error).__name__}: {error}."
        ) from None
    return list(found.items()) + [("eval_metric", name) for name in metrics]


def _sections(learner: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    known = {spec["name"] for spec in _core.param_specs()}
    booster = learner["gradient_booster"]
    if booster["name"] != "gblinear" and not booster.get("gbtree", booster).get("specified_updater", False):
        known.discard("updater")
    objective = learner.get("objective", {})
    sections = [learner["generic_param"], *_kind_sections(booster), learner["learner_train_param"]]
    sections += [values for values in objective.values() if isinstance(values, Mapping)]
    for section in sections:
        for name, value in section.items():
            if name in known and value not in ("", "()", _NO_LIMIT):
                yield name, _short(str(value))
            elif name in _ABSENT and value != _ABSENT[name]:
                yield name, str(value)  # the engine says what becomes of it


def _kind_sections(booster: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the objects in which a kind of booster keeps parameters."""
    if booster["name"] == "gblinear":
        parts = [booster["gblinear_train_param"], *booster["updater"].values()]
        return [part for part in parts if isinstance(part, Mapping)]
    forest = booster.get("gbtree", booster)
    sections = [forest["gbtree_model_param"], forest["gbtree_train_param"], forest["tree_train_param"]]
    sections += [step["hist_train_param"] for step in forest.get("updater", []) if "hist_train_param" in step]
    return [*sections, booster["dart_train_param"]] if "dart_train_param" in booster else sections


def _kind(groups: Mapping[str, Mapping[str, str]], num_trees: int) -> dict[str, Any]:
    """Return the section of the kind of booster."""
    name, own = groups["boosting"]["booster"], groups["booster"]
    if name == "gblinear":
        return _linear(own)
    forest = _forest(groups, num_trees)
    if name == "dart":
        return {"dart_train_param": dict(own), "gbtree": {**forest, "name": "gbtree"}, "name": name}
    return {**({"dart_train_param": dict(own)} if own else {}), **forest, "name": name}


def _forest(groups: Mapping[str, Mapping[str, str]], num_trees: int) -> dict[str, Any]:
    boosting, tree = groups["boosting"], groups["tree"]
    method, known = boosting["tree_method"], _core.tree_methods().values()
    steps = boosting["updater"] or next(row["updater"] for row in known if method in (row["name"], *row["aliases"]))
    return {
        "gbtree_model_param": {"num_parallel_tree": boosting["num_parallel_tree"], "num_trees": str(num_trees)},
        "gbtree_train_param": {
            **{name: boosting[name] for name in ("process_type", "tree_method")},
            **dict.fromkeys(("updater", "updater_seq"), steps),
        },
        "specified_updater": bool(boosting["updater"]),
        "tree_train_param": _tree(tree, boosting["refresh_leaf"]),
        "updater": [{"name": step, **_step(step, tree)} for step in steps.split(",")],
    }


def _linear(own: Mapping[str, str]) -> dict[str, Any]:
    penalties = {alias: own[name] for name, alias in _LINEAR_ALIASES.items()}
    train = {name: own[name] for name in ("feature_selector", *_LINEAR_ALIASES)}
    coordinates = {"coordinate_param": {"top_k": own["top_k"]}} if own["updater"] == "coord_descent" else {}
    return {
        "gblinear_train_param": {"max_row_perbatch": _NO_LIMIT}
        | {name: own[name] for name in ("tolerance", "updater")},
        "name": "gblinear",
        "updater": {**coordinates, "linear_train_param": dict(sorted({**train, **penalties}.items()))},
    }


def _model_head(booster: _core.Booster) -> dict[str, Any]:
    """Return what a model file says beside the trees; one round is enough to have it written."""
    small = booster.slice(0, 1, 1) if booster.num_boosted_rounds() and not booster.is_linear() else booster
    head: dict[str, Any] = json.loads(small.save_raw("json"))["learner"]
    own = {name.removeprefix(_OF_OURS): text for name, text in head["attributes"].items() if name.startswith(_OF_OURS)}
    head["objective"] |= own
    return head


def _general(params: Mapping[str, str]) -> dict[str, str]:
    names = ("device", "nthread", "seed", "seed_per_iteration", "validate_parameters")
    aliases = {"n_jobs": params["nthread"], "random_state": params["seed"]}
    return {**{name: params[name] for name in names}, "fail_on_invalid_gpu_id": "0", **aliases}


def _step(name: str, params: Mapping[str, str]) -> dict[str, Any]:
    if name == "grow_colmaker":
        return {"colmaker_train_param": {"default_direction": "learn", "opt_dense_col": "1"}}
    if name in ("prune", "refresh"):
        return {}
    kept = params["max_cached_hist_node"]
    return {"hist_train_param": {"debug_synchronize": "0", "max_cached_hist_node": kept}}


def _tree(params: Mapping[str, str], refresh_leaf: str) -> dict[str, str]:
    section = {**_ABSENT, **params, "refresh_leaf": refresh_leaf}
    del section["max_cached_hist_node"]
    for spec in _core.param_specs():
        if spec["own"] and section.get(spec["name"]) == spec["default"]:
            del section[spec["name"]]  # such parameters are written where they are not at their defaults
        for alias in spec["aliases"]:
            if alias in _BOTH_NAMES and spec["name"] in params:
                section[alias] = params[spec["name"]]
    section["monotone_constraints"] = params["monotone_constraints"] or "()"
    return dict(sorted(section.items()))


def _short(text: str) -> str:
    """Return the shortest text of a float32 that was written with all its digits: 0.3 for 0.300000012."""
    try:
        value = np.float32(text)
    except ValueError:
        return text
    return str(value) if f"{value:.{_SMALL}g}" == text and "." in text else text
