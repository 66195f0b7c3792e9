# SPDX-License-Identifier: Apache-2.0
import threading

import pytest

import xgb_like as xgb


@pytest.fixture(autouse=True)
def _restored():
    with xgb.config_context():
        yield


def test_defaults():
    assert xgb.get_config() == {
        "nthread": 0,
        "on_unseen": "missing",
        "use_cuda_async_pool": False,
        "use_rmm": False,
        "verbosity": 1,
    }


def test_set_config_changes_what_is_given():
    xgb.set_config(verbosity=2, nthread=None)
    assert xgb.get_config()["verbosity"] == 2
    assert xgb.get_config()["nthread"] == 0


def test_contexts_nest_and_end_with_an_exception():
    with xgb.config_context(verbosity=0):
        with pytest.raises(KeyError), xgb.config_context(verbosity=3):
            raise KeyError
        assert xgb.get_config()["verbosity"] == 0
    assert xgb.get_config()["verbosity"] == 1


def test_settings_are_per_thread():
    xgb.set_config(verbosity=0)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(xgb.get_config()["verbosity"]))
    thread.start()
    thread.join()
    assert seen == [1]


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ({"verbose": 1}, "`verbose`"),
        ({"verbosity": 4}, "<= 3; got 4"),
        ({"verbosity": -1}, ">= 0"),
        ({"nthread": 1.5}, "1.5"),
        ({"use_rmm": "yes"}, "True or False"),
        ({"on_unseen": "ignore"}, "`on_unseen` must be missing or error; got 'ignore'"),
    ],
)
def test_bad_settings_are_refused_and_change_nothing(setting, text):
    before = xgb.get_config()
    with pytest.raises(xgb.ParameterError, match=text):
        xgb.set_config(**setting)
    assert xgb.get_config() == before


def test_nthread_reaches_new_boosters():
    with xgb.config_context(nthread=2):
        assert '"nthread":"2"' in xgb.Booster().save_config()
        assert '"nthread":"1"' in xgb.Booster({"n_jobs": 1}).save_config()


def test_verbosity_zero_silences_warnings(recwarn):
    with xgb.config_context(verbosity=0):
        xgb.Booster({"gpu_id": 0})
    assert not recwarn.list
