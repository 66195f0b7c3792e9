# SPDX-License-Identifier: Apache-2.0
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
