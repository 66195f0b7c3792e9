# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._base._keywords import tolerate_positions


@tolerate_positions
def _call(first, *, second=2, third=3):
    return first, second, third


def test_keywords_pass_without_a_warning():
    assert _call(1, third=5) == (1, 2, 5)


def test_positions_are_taken_with_a_warning_at_the_callers_line():
    with pytest.warns(FutureWarning, match="Pass `second` as keyword args") as caught:
        assert _call(1, 7) == (1, 7, 3)
    assert caught[0].filename == __file__


def test_too_many_positions_are_refused():
    with pytest.raises(TypeError, match="positional"):
        _call(1, 2, 3, 4)


def test_of_a_name_given_twice_the_position_counts():
    with pytest.warns(FutureWarning, match="`second` is given by name, too, which does not count"):
        assert _call(1, 2, second=3) == (1, 2, 3)


X, Y = np.eye(6), np.arange(6)
OUTDATED = {
    "fit early": (lambda m, _: m.fit(X, Y, early_stopping_rounds=3), r"XGBRegressor.fit\(\) .*to the constructor"),
    "fit metric": (lambda m, _: m.fit(X, Y, eval_metric="mae"), "'eval_metric'. Pass it to the constructor"),
    "fit callbacks": (lambda m, _: m.fit(X, Y, callbacks=[]), "'callbacks'. Pass it to the constructor"),
    "fit of another": (lambda m, _: m.fit(X, Y, sample_weights=Y), "Did you mean `sample_weight`"),
    "predict": (lambda m, _: m.predict(X, ntree_limit=3), r"XGBRegressor.predict\(\) .*Use `iteration_range="),
    "apply": (lambda m, _: m.apply(X, ntree_limit=3), r"XGBRegressor.apply\(\) .*Use `iteration_range="),
    "booster": (lambda m, d: m.get_booster().predict(d, ntree_limit=3), r"^Booster.predict\(\) .*`iteration_range="),
    "train": (lambda _, d: xgb.train({}, d, 2, feval=max), r"^train\(\) .*It is `custom_metric` now"),
    "cv": (lambda _, d: xgb.cv({}, d, 2, feval=max), r"^cv\(\) .*It is `custom_metric` now"),
    "rates": (lambda _, d: xgb.train({}, d, 2, learning_rates=[1]), "callback LearningRateScheduler"),
    "matrix": (lambda _, __: xgb.DMatrix(X, weights=Y), "'weights'. Did you mean `weight`"),
    "first of predict": (lambda m, d: m.get_booster().predict(dat=d), r"^Booster.predict\(\) .*Did you mean `data`"),
    "first of train": (lambda _, d: xgb.train(parms={}, dtrain=d), r"^train\(\) .*Did you mean `params`"),
    "no argument of users": (lambda m, d: m.get_booster().predict(d, sel=1), "argument 'sel'.$"),
    "nothing like it": (lambda _, d: xgb.train({}, d, 2, zzz=1), "argument 'zzz'.$"),
}


@pytest.mark.parametrize("name", OUTDATED)
def test_arguments_that_are_gone_say_what_takes_their_place(name):
    pytest.importorskip("sklearn")
    call, message = OUTDATED[name]
    with pytest.raises(TypeError, match=message):
        call(xgb.XGBRegressor(n_estimators=1).fit(X, Y), xgb.DMatrix(X, Y))


def test_attributes_that_are_gone_say_what_takes_their_place():
    pytest.importorskip("sklearn")
    model = xgb.XGBRegressor(n_estimators=1).fit(X, Y)
    for owner in (model, model.get_booster()):
        assert not hasattr(owner, "best_ntree_limit")
        with pytest.raises(AttributeError, match="best_iteration"):
            _ = owner.best_ntree_limit


def test_rounds_of_estimators_have_another_name():
    pytest.importorskip("sklearn")
    with pytest.warns(UserWarning, match="`num_boost_round` has no effect: .*`n_estimators` of estimators"):
        xgb.XGBRegressor(num_boost_round=2, n_estimators=1).fit(X, Y)
