# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ARG002  what is called has a fixed signature
import pickle

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like.callback import TrainingCallback

PARAMS = {"max_depth": 3, "nthread": 1}


@pytest.fixture
def data(regression):
    """Training data, and data on which training makes things worse soon."""
    features, label = regression
    noise = np.random.default_rng(3).normal(size=300).astype(np.float32)
    return xgb.DMatrix(features, label), xgb.DMatrix(features, label + 3 * noise)


@pytest.fixture
def stopped(data):
    """A model that stopped early."""
    return train(data)


def train(data, **options):
    evals = [(data[1], "b")]
    return xgb.train(
        {**PARAMS, "eta": 1}, data[0], 50, evals=evals, early_stopping_rounds=4, verbose_eval=False, **options
    )


def best(booster, matrix, **how):
    return booster.predict(matrix, iteration_range=(0, booster.best_iteration + 1), **how)


@pytest.mark.parametrize("how", [{}, {"output_margin": True}, {"pred_leaf": True}])
def test_predictions_use_the_best_rounds(stopped, data, how):
    assert stopped.num_boosted_rounds() > stopped.best_iteration + 1
    np.testing.assert_array_equal(stopped.predict(data[1], **how), best(stopped, data[1], **how))


def test_predictions_in_place_use_the_best_rounds(stopped, data, regression):
    np.testing.assert_array_equal(stopped.inplace_predict(regression[0]), best(stopped, data[1]))


def test_a_range_of_rounds_overrides_the_best(stopped, data):
    everything = stopped.predict(data[1], iteration_range=(0, stopped.num_boosted_rounds()))
    np.testing.assert_array_equal(everything, stopped[:].predict(data[1]))
    assert not np.array_equal(everything, stopped.predict(data[1]))


@pytest.mark.parametrize("form", ["json", "ubj", "pickle", "copy"])
def test_the_best_rounds_survive_saving(stopped, data, form):
    if form in ("json", "ubj"):
        again = xgb.Booster(model_file=stopped.save_raw(form))
    else:
        again = pickle.loads(pickle.dumps(stopped)) if form == "pickle" else stopped.copy()
    np.testing.assert_array_equal(again.predict(data[1]), best(stopped, data[1]))


def test_slices_use_all_of_their_rounds(stopped, data):
    part = stopped[: stopped.best_iteration + 3]
    assert part.attr("best_iteration") is None
    end = stopped.best_iteration + 3
    np.testing.assert_array_equal(part.predict(data[1]), stopped.predict(data[1], iteration_range=(0, end)))


def test_the_model_of_the_best_round_is_the_same_as_the_best_rounds(stopped, data):
    stop = xgb.callback.EarlyStopping(rounds=4, save_best=True)
    cut = xgb.train({**PARAMS, "eta": 1}, data[0], 50, evals=[(data[1], "b")], callbacks=[stop], verbose_eval=False)
    assert cut.best_iteration == stopped.best_iteration
    np.testing.assert_array_equal(cut.predict(data[1]), stopped.predict(data[1]))


def test_refitted_models_keep_the_best_round(stopped, data):
    again = stopped.refit(data[0], decay=0.5)
    np.testing.assert_array_equal(again.predict(data[1]), best(again, data[1]))
    assert again.best_iteration == stopped.best_iteration


def test_continued_training_starts_from_all_rounds_and_forgets_the_best(stopped, data):
    more = xgb.train({**PARAMS, "eta": 1}, data[0], 2, xgb_model=stopped)
    assert more.attr("best_iteration") is None
    assert more.attr("best_score") is None
    assert more.num_boosted_rounds() == stopped.num_boosted_rounds() + 2
    np.testing.assert_array_equal(more.predict(data[1]), more[:].predict(data[1]))


def test_no_further_rounds_keep_the_best(stopped, data):
    assert xgb.train(PARAMS, data[0], 0, xgb_model=stopped).best_iteration == stopped.best_iteration


def test_a_round_by_hand_forgets_the_best(stopped, data):
    stopped.update(data[0], stopped.num_boosted_rounds())
    with pytest.raises(AttributeError, match="early stopping is used: train with `early_stopping_rounds`"):
        _ = stopped.best_iteration


def test_merged_models_use_all_rounds(stopped, data):
    both = stopped.merge(stopped)
    assert both.attr("best_iteration") is None
    np.testing.assert_array_equal(both.predict(data[1]), both[:].predict(data[1]))


def test_callbacks_see_all_rounds_while_training(data):
    class Watch(TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            everything = model.predict(data[1], iteration_range=(0, epoch + 1))
            np.testing.assert_array_equal(model.predict(data[1]), everything)
            return False

    booster = train(data, callbacks=[Watch()])
    np.testing.assert_array_equal(booster.predict(data[1]), best(booster, data[1]))


def test_training_that_fails_leaves_a_booster_that_is_not_in_training(data):
    class Fail(TrainingCallback):
        def before_training(self, model):
            self.model = model
            return model

        def after_iteration(self, model, epoch, evals_log):
            raise RuntimeError("enough")

    fail = Fail()
    with pytest.raises(RuntimeError, match="enough"):
        train(data, callbacks=[fail])
    assert not fail.model._growing


def test_linear_models_use_all_rounds(data, recwarn):
    options = {"booster": "gblinear", "nthread": 1, "eta": 1}
    booster = xgb.train(options, data[0], 20, evals=[(data[1], "b")], early_stopping_rounds=2, verbose_eval=False)
    assert booster.best_iteration + 1 < booster.num_boosted_rounds()
    assert booster.predict(data[1]).shape == (300,)
    assert not recwarn.list


@pytest.mark.parametrize("value", ["soon", "-1", "1.5"])
def test_a_bad_attribute_is_refused(booster, dtrain, value):
    booster.set_attr(best_iteration=value)
    with pytest.raises(xgb.DataError, match=f"`best_iteration` .*got '{value}'. Remove it with set_attr"):
        booster.predict(dtrain)


def test_a_best_round_beyond_the_last_is_all_rounds(booster, dtrain):
    wanted = booster.predict(dtrain)
    booster.set_attr(best_iteration=99)
    np.testing.assert_array_equal(booster.predict(dtrain), wanted)
