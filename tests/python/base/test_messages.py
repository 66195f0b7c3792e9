# SPDX-License-Identifier: Apache-2.0
import re
import subprocess
import sys
import warnings

import pytest

import xgb_like as xgb


def test_a_parameter_without_effect_warns_once_at_the_users_line():
    with pytest.warns(UserWarning, match="`gpu_id` has no effect") as caught:
        xgb.Booster({"gpu_id": 0})
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_warnings_can_be_silenced(recwarn):
    xgb.Booster({"verbosity": 0, "gpu_id": 0})
    assert not recwarn.list


def test_warnings_turned_into_errors_leave_a_booster_usable(dtrain):
    booster = xgb.train({}, dtrain, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="device"):
            booster.set_param("device", "cuda")
    booster.update(dtrain, 1)
    assert booster.num_boosted_rounds() == 2


def test_a_parameter_of_another_objective_warns(classes):
    params = {"objective": "multi:softprob", "num_class": 3, "scale_pos_weight": 2}
    with pytest.warns(UserWarning, match="`scale_pos_weight` is not used by the objective `multi:softprob`"):
        xgb.train(params, xgb.DMatrix(*classes), 1)


def test_a_setting_silences_all_warnings(booster, tmp_path, recwarn):
    with xgb.config_context(verbosity=0):
        booster.save_model(tmp_path / "no ending")
        xgb.train({"gpu_id": 0}, xgb.DMatrix([[1.0]], [1]), 1)
    assert not recwarn.list


def test_the_verbosity_of_a_booster_counts_more_than_the_setting():
    with xgb.config_context(verbosity=0), pytest.warns(UserWarning, match="gpu_id"):
        xgb.Booster({"verbosity": 1, "gpu_id": 0})


def test_a_warning_comes_once_in_a_training(dtrain):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        xgb.train({"booster": "gblinear", "max_depth": 3}, dtrain, 4)
    assert [str(entry.message) for entry in caught] == ["Parameter `max_depth` is not used by the booster `gblinear`."]
    assert caught[0].filename == __file__


def test_nothing_is_printed_or_written_unasked(dtrain, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    params = {"verbosity": 0, "subsample": 0.5}
    booster = xgb.train(params, dtrain, 3, evals=[(dtrain, "a")], early_stopping_rounds=1, verbose_eval=False)
    xgb.cv(params, dtrain, 2, return_boosters=True)
    booster.predict(dtrain)
    assert not list(tmp_path.iterdir())
    assert capfd.readouterr() == ("", "")


def test_information_goes_to_the_logger(caplog):
    from xgb_like._base import _messages  # noqa: PLC0415

    class Engine:
        def take_messages(self):
            return [(2, "known"), (3, "details")]

        def given_params(self):
            return [("verbosity", "2")]

    with caplog.at_level("DEBUG", logger="xgb_like"):
        _messages.hand_on(Engine())
    assert [(record.levelname, record.message) for record in caplog.records] == [("INFO", "known")]


def test_information_is_shown_without_a_set_up_of_logging():
    program = """
import numpy as np, xgb_like as xgb
xgb.train({"verbosity": LEVEL, "nthread": 1}, xgb.DMatrix(np.eye(4), np.arange(4)), 1)
"""

    def shown(level):
        source = program.replace("LEVEL", str(level))
        done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
        assert not done.stdout
        return done.stderr

    assert not shown(1)
    assert shown(2).startswith("Training gbtree by hist on 4 rows of 4 features with 1 thread")
    assert "Round 0, tree 0: " in shown(3)


def told(caplog, params, data, rounds=2):
    caplog.clear()
    with caplog.at_level("DEBUG", logger="xgb_like"):
        xgb.train(params, data, rounds)
    return [(record.levelname, record.message) for record in caplog.records]


def test_verbosity_two_tells_what_a_training_begins_with(caplog, regression):
    text = r"Training gbtree by hist on 300 rows of 5 features with 1 thread; \d+ bins in 5 slots, ready in \d+ ms\.$"
    found = told(caplog, {"verbosity": 2, "nthread": 1}, xgb.DMatrix(*regression), 3)
    assert [level for level, _ in found] == ["INFO"]
    assert re.match(text, found[0][1])
    exact = told(caplog, {"verbosity": 2, "nthread": 1, "tree_method": "exact"}, xgb.DMatrix(*regression))
    assert ("INFO", "Training gbtree by exact on 300 rows of 5 features with 1 thread.") in exact
    linear = told(caplog, {"verbosity": 3, "nthread": 1, "booster": "gblinear"}, xgb.DMatrix(*regression))
    assert linear == [("INFO", "Training gblinear on 300 rows of 5 features with 1 thread.")]


def test_verbosity_three_tells_how_large_trees_are(caplog, classes):
    params = {"verbosity": 3, "objective": "multi:softprob", "num_class": 3, "max_depth": 2, "nthread": 2}
    data = xgb.DMatrix(*classes)
    booster = xgb.train({**params, "verbosity": 0}, data, 2)
    sizes = booster.trees_to_dataframe().groupby("Tree").size()
    found = [text for level, text in told(caplog, params, data) if level == "DEBUG"]
    assert len(found) == 6
    for tree, text in enumerate(found):
        nodes = sizes[tree]
        assert text == f"Round {tree // 3}, tree {tree}: {nodes} nodes, {nodes // 2 + 1} leaves, depth 2."
    stump = told(caplog, {"verbosity": 3}, xgb.DMatrix([[1.0]], [1]), 1)
    assert stump[-1] == ("DEBUG", "Round 0, tree 0: 1 node, 1 leaf, depth 0.")


def test_messages_that_nobody_wants_are_not_made(dtrain):
    def messages(booster):
        booster._handle.update(dtrain._handle)
        return [level for level, _ in booster._handle.take_messages()]

    assert messages(xgb.Booster({}, [dtrain])) == []
    assert messages(xgb.Booster({"verbosity": 2}, [dtrain])) == [2]
    assert messages(xgb.Booster({"verbosity": 3}, [dtrain])) == [2, 3]
    with xgb.config_context(verbosity=3):
        assert messages(xgb.Booster({"verbosity": 0}, [dtrain])) == []
        assert messages(xgb.Booster({"eta": 0.5}, [dtrain])) == [2, 3]


def test_usual_verbosity_tells_nothing(caplog, dtrain):
    assert not told(caplog, {}, dtrain)
    with xgb.config_context(verbosity=2):
        assert len(told(caplog, {}, dtrain)) == 1
