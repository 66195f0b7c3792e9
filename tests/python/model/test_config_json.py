# SPDX-License-Identifier: Apache-2.0
import copy
import json
import pickle

import pytest

import xgb_like as xgb
from xgb_like import _core

SECTIONS = {
    "generic_param": {"device", "nthread", "n_jobs", "seed", "random_state", "seed_per_iteration"},
    "learner_model_param": {"base_score", "boost_from_average", "num_class", "num_feature", "num_target"},
    "learner_train_param": {"booster", "disable_default_eval_metric", "multi_strategy", "objective"},
}


def test_sections_and_keys_are_those_that_programs_look_up(booster):
    learner = json.loads(booster.save_config())["learner"]
    for section, keys in SECTIONS.items():
        assert keys <= set(learner[section]), section
    gbtree = learner["gradient_booster"]
    assert gbtree["gbtree_model_param"] == {"num_parallel_tree": "1", "num_trees": "4"}
    assert gbtree["gbtree_train_param"]["tree_method"] == "auto"
    assert gbtree["name"] == "gbtree"
    assert learner["objective"]["name"] == "reg:squarederror"
    assert learner["metrics"] == [{"name": "rmse"}]


def tree_section(booster):
    return json.loads(booster.save_config())["learner"]["gradient_booster"]["tree_train_param"]


@pytest.mark.peer
def test_parameters_of_trees_are_those_of_xgboost(regression, booster):
    real = pytest.importorskip("xgboost")
    theirs = real.train({"max_depth": 3}, real.DMatrix(*regression), 1)
    assert set(tree_section(booster)) == set(tree_section(theirs))


def test_parameters_of_ones_own_are_written_if_they_are_set(dtrain):
    own = {"cat_smooth": 1, "gradient_bits": "32"}
    assert own.keys() <= {spec["name"] for spec in _core.param_specs() if spec["own"]}
    given = tree_section(xgb.train(own, dtrain, 1)).keys() - tree_section(xgb.train({}, dtrain, 1)).keys()
    assert given == own.keys()


@pytest.mark.parametrize("label", [0.0, 1.0, 0.25])
def test_intercepts_are_a_list(label):
    booster = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix([[1.0], [1.0]], [label, label]), 1)
    head = json.loads(booster.save_config())["learner"]["learner_model_param"]
    assert json.loads(head["base_score"]) == [label]


def test_the_state_of_random_numbers_is_that_of_training_in_one_go(dtrain):
    def state(booster):
        return json.loads(booster.save_config())["learner"]["generic_param"]["rng_state"]

    params = {"subsample": 0.5, "seed": 7}
    whole, half = xgb.train(params, dtrain, 4), xgb.train(params, dtrain, 2)
    assert state(half) != state(whole)
    assert state(xgb.train(params, dtrain, 2, xgb_model=pickle.loads(pickle.dumps(half)))) == state(whole)
    assert state(xgb.train({**params, "seed": 8}, dtrain, 4)) != state(whole)


def test_the_state_of_random_numbers_is_known_to_what_was_trained_or_configured(booster, dtrain, tmp_path):
    def knows(model):
        return "rng_state" in json.loads(model.save_config())["learner"]["generic_param"]

    booster.save_model(tmp_path / "model.ubj")
    loaded = xgb.Booster(model_file=tmp_path / "model.ubj")
    for make in (
        xgb.Booster.copy,
        copy.deepcopy,
        lambda model: pickle.loads(pickle.dumps(model)),
        lambda model: model[1:3],
        lambda model: model.refit(dtrain),
        lambda model: xgb.Booster(model_file=model),
        lambda model: xgb.train({}, dtrain, 0, xgb_model=model),
    ):
        assert knows(make(booster))
        assert not knows(make(loaded))
    assert knows(xgb.train({}, dtrain, 1, xgb_model=loaded))
    assert not knows(xgb.Booster())
    config = loaded.save_config()
    configured = xgb.Booster(model_file=tmp_path / "model.ubj")
    configured.load_config(booster.save_config())
    assert knows(configured)
    configured.load_config(config)
    assert knows(configured)
    loaded.load_config(config)
    assert not knows(loaded)
    loaded.update(dtrain, 4)
    assert knows(loaded)


def test_a_finished_checkpoint_knows_the_state_of_random_numbers(dtrain, tmp_path):
    configs = [xgb.train({}, dtrain, 2, checkpoint=tmp_path).save_config() for _ in range(2)]
    assert "rng_state" in configs[0]
    assert configs[0] == configs[1]


def test_all_values_are_text(booster):
    def walk(node, path=""):
        if isinstance(node, dict):
            return [leaf for name, value in node.items() for leaf in walk(value, f"{path}.{name}")]
        return [] if isinstance(node, list) else [(path, node)]

    leaves = walk(json.loads(booster.save_config())["learner"])
    assert all(isinstance(value, str) for path, value in leaves if not path.endswith("specified_updater"))


def test_parameters_stand_under_all_their_names(booster):
    booster.set_param({"eta": 0.125, "gamma": 2, "lambda": 3, "alpha": 4, "n_jobs": 1, "random_state": 9})
    learner = json.loads(booster.save_config())["learner"]
    tree = learner["gradient_booster"]["tree_train_param"]
    assert tree["eta"] == tree["learning_rate"] == "0.125"
    assert tree["gamma"] == tree["min_split_loss"] == "2"
    assert tree["lambda"] == tree["reg_lambda"] == "3"
    assert tree["alpha"] == tree["reg_alpha"] == "4"
    assert learner["generic_param"]["nthread"] == learner["generic_param"]["n_jobs"] == "1"
    assert learner["generic_param"]["seed"] == learner["generic_param"]["random_state"] == "9"


@pytest.mark.parametrize(
    "params",
    [
        {"max_depth": 3, "eta": 0.1, "subsample": 0.7, "seed": 11},
        {"monotone_constraints": "(1,0,-1)", "interaction_constraints": "[[0,1],[2]]", "grow_policy": "lossguide"},
        {"eval_metric": ["mae", "error@0.3"], "base_score": 0.1, "updater": "grow_colmaker"},
        {"objective": "multi:softprob", "num_class": 4, "num_parallel_tree": 2},
    ],
)
def test_a_configuration_loads_into_another_booster(params):
    config = xgb.Booster(params).save_config()
    other = xgb.Booster()
    other.load_config(config)
    ours, theirs = (json.loads(text)["learner"] for text in (other.save_config(), config))
    assert ours["gradient_booster"] == theirs["gradient_booster"]
    assert ours["metrics"] == theirs["metrics"]
    assert ours["learner_train_param"] == theirs["learner_train_param"]
    assert ours["generic_param"] == theirs["generic_param"]


def test_saving_a_configuration_does_not_need_data():
    assert json.loads(xgb.Booster().save_config())["learner"]["learner_model_param"]["num_feature"] == "0"


@pytest.mark.parametrize("config", ["", "{}", "[1]", "nonsense", '{"learner": {"generic_param": {}}}', '"x"'])
def test_other_texts_are_refused(booster, config):
    before = booster.save_config()
    with pytest.raises(xgb.ParameterError, match="save_config"):
        booster.load_config(config)
    assert booster.save_config() == before


def test_a_method_that_is_not_there_is_refused(booster):
    config = booster.save_config().replace('"tree_method":"auto"', '"tree_method":"gpu_hist"')
    with pytest.raises(xgb.ParameterError, match="`tree_method` must be one of"):
        booster.load_config(config)


def test_metrics_are_loaded_once(dtrain):
    booster = xgb.train({"eval_metric": ["mae", "rmse"]}, dtrain, 1)
    text = booster.save_config()
    for _ in range(2):
        booster.load_config(text)
    assert booster.save_config() == text
    assert booster.eval(dtrain).count("mae") == 1
    given = pickle.loads(pickle.dumps(booster))._handle.given_params()
    assert [value for name, value in given if name == "eval_metric"] == ["mae", "rmse"]


def test_squared_log_error_has_no_parameters(regression):
    booster = xgb.train({"objective": "reg:squaredlogerror"}, xgb.DMatrix(regression[0], abs(regression[1])), 1)
    objective = {"name": "reg:squaredlogerror"}
    assert json.loads(booster.save_config())["learner"]["objective"] == objective
    assert json.loads(booster.save_raw("json"))["learner"]["objective"] == objective
