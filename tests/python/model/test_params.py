# SPDX-License-Identifier: Apache-2.0
import pickle
import re

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import _core
from xgb_like._model._params import to_pairs, to_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0.1", "0.1"),
        (True, "1"),
        (np.bool_(False), "0"),
        (3, "3"),
        (np.int64(-3), "-3"),
        (0.1, "0.1"),
        (np.float32(0.1), "0.1"),
        (1e-30, "1e-30"),
        ((1, 0, -1), "[1,0,-1]"),
        (np.array([0.1, 0.9]), "[0.1,0.9]"),
        (np.array(0.25, np.float32), "0.25"),
        ([[0, 1], [2]], "[[0,1],[2]]"),
    ],
)
def test_values_become_text(value, text):
    assert to_text([("x", value)]) == [("x", text)]


def test_none_is_left_out_and_pairs_are_taken():
    assert to_pairs({"a": 1, "b": None}) == [("a", 1)]
    assert to_pairs([("a", 1), ["b", 2]]) == [("a", 1), ("b", 2)]
    assert to_pairs([]) == to_pairs(None) == []


@pytest.mark.parametrize("params", ["eta=1", 3, [("a",)], [1], ["ab"], [("a", 1, 2)]])
def test_other_forms_of_params_are_refused(params):
    with pytest.raises(xgb.ParameterError, match="`params` must be a dict or a list"):
        to_pairs(params)


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"objective": print}, "`objective` cannot be a function.*`obj`"),
        ({"eval_metric": ["rmse", print]}, "`eval_metric` cannot be a function.*custom_metric"),
        ({"eta": print}, "`eta` cannot be a function"),
        ({"eta": {}}, "`eta` must be a number.*dict"),
        ({"eval_metric": 3}, "Invalid type for the `eval_metric`: got 3.*a name or a list of names"),
        ({3: 1}, "Names of parameters are strings; got 3"),
        ({"interaction_constraints": ["ab"]}, "list of lists.*'ab'"),
    ],
)
def test_bad_values_are_refused_with_advice(params, text):
    with pytest.raises(xgb.ParameterError, match=text):
        xgb.Booster(params)


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"max_dpeth": 3}, "Unknown parameter `max_dpeth`.*`max_depth`"),
        ({"max_depth": -1}, "`max_depth` must be an int >= 0; got `-1`"),
        ({"max_depth": 1.5}, "`max_depth`.*1.5"),
        ({"subsample": 0}, "`subsample`.*> 0"),
        ({"eta": float("nan")}, "`eta`.*nan"),
        ({"objective": "binary:logistik"}, "binary:logistik.*binary:logistic"),
        ({"eval_metric": "rsme"}, "rsme.*rmse"),
        ({"grow_policy": "deptwise"}, "depthwise"),
        ({"num_class": 2**31 - 1}, "`num_class`.*<= 1048576; got `2147483647`"),
        ({"eval_metric": "rmse@3"}, "`eval_metric`.*`@3`.*Leave"),
        ({"objective": "reg:tweedie", "tweedie_variance_power": 2}, "got `2`.*`tweedie_variance_power`"),
    ],
)
def test_the_engine_names_parameter_value_and_remedy(params, text):
    with pytest.raises(xgb.ParameterError, match=text):
        xgb.Booster(params)


@pytest.mark.parametrize("method", ["gpu_hist", "exakt"])
def test_other_tree_methods_are_refused(method):
    with pytest.raises(xgb.ParameterError, match=r"`tree_method` must be one of auto, exact, approx, hist"):
        xgb.Booster({"tree_method": method})


def test_a_bad_parameter_changes_nothing(booster):
    before = booster.save_config()
    with pytest.raises(xgb.ParameterError):
        booster.set_param({"max_depth": 9, "subsample": -1})
    assert booster.save_config() == before


@pytest.mark.parametrize(
    "constraint", [(1, 0, 0, -1, 0), "(1,0,0,-1,0)", [1, 0, 0, -1, 0], {"a": 1, "d": -1}, {"d": "-1", "a": "1"}]
)
def test_monotone_constraints_in_every_form(regression, constraint):
    data = xgb.DMatrix(*regression, feature_names=list("abcde"))
    booster = xgb.train({"monotone_constraints": constraint}, data, 1)
    assert '"monotone_constraints":"(1,0,0,-1,0)"' in booster.save_config()


@pytest.mark.parametrize("constraint", [[["a", "c"], ["b"]], "[[0,2],[1]]", ((0, 2), (1,)), [{"a", "c"}, {"b"}]])
def test_interaction_constraints_in_every_form(regression, constraint):
    data = xgb.DMatrix(*regression, feature_names=list("abcde"))
    booster = xgb.train({"interaction_constraints": constraint}, data, 1)
    found = booster.save_config()
    assert '"interaction_constraints":"[[0, 2], [1]]"' in found or '"[[2, 0], [1]]"' in found


@pytest.mark.parametrize("params", [{"monotone_constraints": {"z": 1}}, {"interaction_constraints": [["a", "z"]]}])
def test_constraints_on_unknown_features_are_refused(regression, params):
    data = xgb.DMatrix(*regression, feature_names=list("abcde"))
    with pytest.raises(xgb.ParameterError, match="not a subset.*'z'.*'a', 'b'"):
        xgb.train(params, data, 1)


def test_nameless_columns_have_default_names(dtrain):
    booster = xgb.train({"monotone_constraints": {"f1": 1}}, dtrain, 1)
    assert '"(0,1,0,0,0)"' in booster.save_config()


def test_constraints_by_name_need_data():
    with pytest.raises(xgb.ParameterError, match="needs the training data"):
        xgb.Booster({"monotone_constraints": {"a": 1}})


def test_metrics_add_up(dtrain):
    booster = xgb.train([("eval_metric", "mae"), ("eval_metric", "rmse")], dtrain, 1)
    booster.set_param("eval_metric", ["rmse"])
    assert [part.split(":")[0] for part in booster.eval(dtrain).split()[1:]] == ["eval-mae", "eval-rmse"]


def test_a_metric_that_comes_after_training_stands_beside_the_objectives(dtrain, regression):
    def names(booster):
        return [part.split(":")[0] for part in booster.eval(dtrain).split()[1:]]

    trained = xgb.train({}, dtrain, 1)
    loaded = xgb.Booster(model_file=trained.save_raw())
    copies = [trained.copy(), xgb.train({"eval_metric": "mae"}, dtrain, 1, xgb_model=trained)]
    for booster in (trained, loaded, copies[0]):
        booster.set_param("eval_metric", "mae")
    assert names(trained) == names(copies[0]) == names(copies[1]) == ["eval-rmse", "eval-mae"]
    assert names(pickle.loads(pickle.dumps(trained))) == ["eval-rmse", "eval-mae"]
    assert names(loaded) == ["eval-mae"]
    silent = xgb.train({"disable_default_eval_metric": True}, dtrain, 1)
    silent.set_param("eval_metric", "mae")
    assert names(silent) == ["eval-mae"]

    pytest.importorskip("sklearn")
    estimator = xgb.XGBRegressor(n_estimators=1).fit(*regression)
    estimator.set_params(eval_metric=["mae"])
    assert names(estimator.get_booster()) == ["eval-rmse", "eval-mae"]
    estimator.set_params(eval_metric=np.dot)  # a function counts with the next fit
    assert names(estimator.get_booster()) == ["eval-rmse", "eval-mae"]


def test_xgboosts_aliases_mean_the_same(dtrain):
    ours = xgb.train({"learning_rate": 0.2, "min_split_loss": 0.1, "reg_lambda": 2, "reg_alpha": 0.1}, dtrain, 2)
    theirs = xgb.train({"eta": "0.2", "gamma": "0.1", "lambda": "2", "alpha": "0.1"}, dtrain, 2)
    assert ours.save_raw() == theirs.save_raw()


def test_seeds_given_as_numpy_numbers(dtrain):
    params = {"subsample": 0.5, "seed": np.int32(3)}
    assert xgb.train(params, dtrain, 2).save_raw() == xgb.train({**params, "random_state": 3}, dtrain, 2).save_raw()


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"top_rate": 0.3}, "top_rate"),
        ({"cut_proposal": "local", "tree_method": "hist"}, "cut_proposal"),
        ({"gradient_bits": "32", "tree_method": "exact"}, "gradient_bits"),
        ({"refresh_leaf": False}, "refresh_leaf"),
    ],
)
def test_a_tree_parameter_that_changes_nothing_is_named(params, name):
    data = xgb.DMatrix(np.arange(6.0).reshape(6, 1), np.arange(6.0))
    with pytest.warns(UserWarning, match=f"`{name}` has no effect"):
        xgb.train(params, data, 1)


@pytest.mark.parametrize("name", ["max_depth", "tree_method", "num_parallel_tree", "refresh_leaf", "rate_drop"])
def test_what_linear_models_do_not_use_is_named(name):
    data = xgb.DMatrix(np.arange(6.0).reshape(6, 1), np.arange(6.0))
    value = {"tree_method": "hist", "rate_drop": 0.5, "refresh_leaf": False}.get(name, 2)
    with pytest.warns(UserWarning, match=f"`{name}` is not used by the booster `gblinear`"):
        xgb.train({"booster": "gblinear", name: value}, data, 1)


def test_classes_without_an_objective_are_told_apart(classes):
    data = xgb.DMatrix(*classes)
    named = xgb.train({"num_class": 3, "objective": "multi:softmax"}, data, 2)
    assert xgb.train({"num_class": 3}, data, 2).save_raw("json") == named.save_raw("json")
    assert "squarederror" in xgb.Booster({"num_class": 3, "objective": "reg:squarederror"}).save_config()


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("silent", "`verbosity`"), ("n_estimators", "`num_boost_round`"), ("early_stopping_rounds", "argument"),
     ("use_label_encoder", "labels of any kind"), ("enable_categorical", "DMatrix")],
)  # fmt: skip
def test_what_is_no_parameter_any_more_has_a_warning_with_the_remedy(name, remedy):
    with pytest.warns(UserWarning, match=f"`{name}` has no effect: .*{remedy}"):
        xgb.Booster({name: 1})


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("iterations", "The number of rounds is the argument `num_boost_round` of train"),
        ("n_estimator", "Did you mean `n_estimators` .the number of rounds is"),
        ("num_boost_rounds", "Did you mean `num_boost_round`"),
        ("num_leaves", "Use `max_leaves`"),
        ("Depth", "Use `max_depth`"),
        ("l2_leaf_reg", "Use `reg_lambda`"),
        ("lambda_l1", "Use `reg_alpha`"),
        ("bagging_fraction", "Use `subsample`"),
        ("min_child_samples", "Use `min_child_weight`, which is a sum of hessians"),
        ("n_iter_no_change", "Use `early_stopping_rounds`"),
        ("cat_features", "`feature_types` of DMatrix"),
        ("feature_weights", "It is an argument of DMatrix and of estimators"),
        ("importance_typ", "Did you mean `importance_type`. It is an argument of get_score"),
        ("earlystopping_rounds", "Did you mean `early_stopping_rounds`"),
        ("xyzzy", "`xgb-like params` lists"),
    ],
)
def test_names_of_other_libraries_are_answered(name, advice):
    with pytest.raises(xgb.ParameterError, match=f"Unknown parameter `{name}`.*{advice}"):
        xgb.Booster({name: 3})


def test_advice_names_what_there_is():
    known = {name for spec in _core.param_specs() for name in (spec["name"], *spec["aliases"])}
    elsewhere = "num_leaves depth max_bins shrinkage lambda_l1 lambda_l2 min_split_gain min_hessian max_leaf_output"
    elsewhere += " sub_row sub_feature rsm max_features drop_rate one_hot_max_size mc interaction_cst loss metric"
    elsewhere += " num_classes boosting bootstrap_type device_type thread_count random_seed min_data"
    for name in elsewhere.split():
        with pytest.raises(xgb.ParameterError) as refused:
            xgb.Booster({name: 1})
        assert re.search("Use `([a-z_]+)`", str(refused.value)).group(1) in known, name
