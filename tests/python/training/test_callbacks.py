# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ARG002, ARG005  what is called has a fixed signature
import pickle

import pytest

import xgb_like as xgb
from xgb_like.callback import (
    CallbackContainer,
    EarlyStopping,
    EvaluationMonitor,
    LearningRateScheduler,
    TrainingCallback,
    TrainingCheckPoint,
)

PARAMS = {"max_depth": 3, "nthread": 1}


def run(dtrain, callbacks, rounds=5, **options):
    return xgb.train(PARAMS, dtrain, rounds, callbacks=callbacks, verbose_eval=False, **options)


class Recorder(TrainingCallback):
    """Writes down what is called."""

    def __init__(self, calls, name="x", stop_after=None):
        self.calls, self.name, self.stop_after = calls, name, stop_after

    def before_training(self, model):
        self.calls.append(f"{self.name} begin {model.num_boosted_rounds()}")
        return model

    def after_training(self, model):
        self.calls.append(f"{self.name} end {model.num_boosted_rounds()}")
        return model

    def before_iteration(self, model, epoch, evals_log):
        self.calls.append(f"{self.name} before {epoch} {len(evals_log)}")
        return False

    def after_iteration(self, model, epoch, evals_log):
        self.calls.append(f"{self.name} after {epoch} {len(evals_log)}")
        return epoch == self.stop_after


def test_callbacks_run_in_their_order(dtrain):
    calls = []
    callbacks = [Recorder(calls, "a"), Recorder(calls, "b", stop_after=1)]
    booster = run(dtrain, callbacks, evals=[(dtrain, "t")])
    assert calls[:2] == ["a begin 0", "b begin 0"]
    assert calls[2:6] == ["a before 0 0", "b before 0 0", "a after 0 1", "b after 0 1"]
    assert calls[-2:] == ["a end 2", "b end 2"]
    assert booster.num_boosted_rounds() == 2
    assert len(callbacks) == 2


def test_training_may_stop_before_a_round(dtrain):
    class Stop(TrainingCallback):
        def before_iteration(self, model, epoch, evals_log):
            return epoch == 2

    assert run(dtrain, [Stop()]).num_boosted_rounds() == 2


@pytest.mark.parametrize("method", ["before_training", "after_training"])
def test_callbacks_must_return_the_model(dtrain, method):
    callback = type("Forgetful", (TrainingCallback,), {method: lambda self, model: None})()
    with pytest.raises(xgb.ParameterError, match=f"`{method}` of a callback must return the model; got NoneType"):
        run(dtrain, [callback])


def test_callbacks_may_use_the_model(dtrain):
    class Busy(TrainingCallback):
        def before_iteration(self, model, epoch, evals_log):
            model.set_param("max_depth", epoch + 1)
            return False

        def after_iteration(self, model, epoch, evals_log):
            assert len(model.predict(dtrain)) == 300
            assert len(model[epoch].get_dump()) == 1
            return False

    assert "\t\t\t\t" in run(dtrain, [Busy()]).get_dump()[4]


def test_early_stopping_returns_the_best_model(dtrain, regression):
    other = xgb.DMatrix(-regression[0], regression[1])
    stop = EarlyStopping(rounds=3, save_best=True, data_name="other", metric_name="rmse")
    booster = run(dtrain, [stop], rounds=30, evals=[(other, "other"), (dtrain, "train")])
    assert booster.num_boosted_rounds() == booster.best_iteration + 1
    assert len(stop.stopping_history["other"]["rmse"]) == booster.best_iteration + 4


@pytest.mark.parametrize(
    ("options", "text"),
    [({"data_name": "z"}, "No dataset named 'z'.*there are t"), ({"metric_name": "z"}, "No metric named 'z'.*rmse")],
)
def test_early_stopping_on_what_is_not_there_is_refused(dtrain, options, text):
    with pytest.raises(ValueError, match=text):
        run(dtrain, [EarlyStopping(rounds=2, **options)], evals=[(dtrain, "t")])


@pytest.mark.parametrize(
    "options", [{"rounds": 0}, {"rounds": 1.5}, {"rounds": 1, "min_delta": -1}, {"rounds": 1, "save_best": "no"}]
)
def test_bad_early_stopping_is_refused(options):
    with pytest.raises(xgb.ParameterError):
        EarlyStopping(**options)


def test_early_stopping_takes_its_rounds_by_position():
    with pytest.warns(FutureWarning, match="`rounds` as keyword"):
        assert EarlyStopping(3).rounds == 3
    with pytest.raises(TypeError, match="rounds"):
        EarlyStopping()


def test_early_stopping_knows_the_direction_of_each_training():
    data = xgb.DMatrix([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    stop = EarlyStopping(rounds=2)
    for metric, rounds in {"rmse": 6, "auc": 3}.items():
        params = {"eval_metric": metric, "min_child_weight": 0}
        booster = xgb.train(params, data, 6, evals=[(data, "t")], callbacks=[stop], verbose_eval=False)
        assert (booster.num_boosted_rounds(), booster.best_iteration) == (rounds, rounds - 1 if rounds == 6 else 0)


@pytest.mark.parametrize(
    ("name", "best"),
    [
        *((name, 4) for name in ("auc_mine", "aucpr", "pre@3", "precision_at_k", "map", "map_at_5", "ndcg_mean", "f1")),
        *((name, 0) for name in ("mape", "mape_mine", "my_auc", "loss", "NDCG")),
    ],
)
def test_the_direction_of_own_metrics_is_told_by_what_their_names_begin_with(dtrain, name, best):
    values = iter(range(5))
    booster = run(
        dtrain, [EarlyStopping(rounds=9)], custom_metric=lambda *_: (name, next(values)), evals=[(dtrain, "t")]
    )
    assert booster.best_iteration == best


def test_small_gains_do_not_count(dtrain):
    booster = run(dtrain, [EarlyStopping(rounds=2, min_delta=100)], evals=[(dtrain, "t")], rounds=9)
    assert (booster.best_iteration, booster.num_boosted_rounds()) == (0, 3)


def test_early_stopping_may_be_used_again(dtrain):
    stop = EarlyStopping(rounds=2, min_delta=100)
    for _ in range(2):
        assert run(dtrain, [stop], evals=[(dtrain, "t")], rounds=9).num_boosted_rounds() == 3


@pytest.mark.parametrize("rates", [[0.1, 0.2, 0.3], (0.1, 0.2, 0.3), lambda epoch: (epoch + 1) / 10])
def test_learning_rates_hold_from_the_next_round(dtrain, rates):
    booster = run(dtrain, [LearningRateScheduler(rates)], rounds=3)
    by_hand = xgb.Booster(PARAMS, [dtrain])
    for number in range(3):
        by_hand.update(dtrain, number)
        by_hand.set_param("eta", (number + 1) / 10)
    assert booster.save_raw() == by_hand.save_raw()


def test_bad_learning_rates_are_refused(dtrain):
    with pytest.raises(TypeError, match="expected a function or a sequence"):
        LearningRateScheduler(3)
    with pytest.raises(IndexError, match="`learning_rates` has 1 rates"):
        run(dtrain, [LearningRateScheduler([0.1])], rounds=2)


@pytest.mark.parametrize(("interval", "rounds"), [(1, [1, 2, 3, 4, 5, 6]), (2, [2, 4, 6]), (3, [3, 6]), (100, [])])
def test_checkpoints(dtrain, tmp_path, interval, rounds):
    booster = run(dtrain, [TrainingCheckPoint(tmp_path, "m", interval=interval)], rounds=7)
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"m_{number}.ubj" for number in rounds]
    for number in rounds:
        loaded = xgb.Booster(model_file=tmp_path / f"m_{number}.ubj")
        assert loaded.save_raw() == booster[: number + 1].save_raw()


def test_checkpoints_as_pickles_continue_the_count(booster, dtrain, tmp_path):
    run(dtrain, [TrainingCheckPoint(tmp_path, interval=2, as_pickle=True)], rounds=3, xgb_model=booster)
    loaded = pickle.loads((tmp_path / "model_6.pkl").read_bytes())
    assert loaded.num_boosted_rounds() == 7


def test_checkpoints_need_a_folder(dtrain, tmp_path):
    with pytest.raises(xgb.XgbLikeError, match="absent"):
        run(dtrain, [TrainingCheckPoint(tmp_path / "absent", interval=1)])
    with pytest.raises(xgb.ParameterError, match="`interval` must be >= 1"):
        TrainingCheckPoint(tmp_path, interval=0)


def test_the_monitor_writes_where_it_is_told(dtrain):
    lines = []
    run(dtrain, [EvaluationMonitor(period=2, logger=lines.append)], evals=[(dtrain, "t")], rounds=4)
    assert [line.split("\t")[0] for line in lines] == ["[0]", "[2]", "[3]"]
    assert all(line.endswith("\n") for line in lines)


@pytest.mark.parametrize(("show", "text"), [(True, "[0]\tt-m:0.50000+0.25000\n"), (False, "[0]\tt-m:0.50000\n")])
def test_the_monitor_shows_deviations(show, text):
    lines = []
    EvaluationMonitor(show_stdv=show, logger=lines.append).after_iteration(None, 0, {"t": {"m": [(0.5, 0.25)]}})
    assert lines == [text]


def test_the_monitor_is_silent_without_data(dtrain, capsys):
    xgb.train(PARAMS, dtrain, 2)
    assert not capsys.readouterr().out


def test_the_container_keeps_the_history(booster, dtrain):
    container = CallbackContainer([], metric=lambda p, d: ("own", 1))
    assert container.after_iteration(booster, 0, dtrain, [(dtrain, "t")]) is False
    assert list(container.history["t"]) == ["rmse", "own"]


def test_a_schedule_without_a_rate_is_refused(dtrain):
    with pytest.raises(xgb.ParameterError, match="`learning_rates` must give a number.*None for round 0"):
        run(dtrain, [LearningRateScheduler(lambda _: None)])


def test_callbacks_of_other_libraries_are_taken(dtrain, tmp_path):
    class Foreign:  # derived from XGBoost's class, say
        epochs = ()

        def before_training(self, model):
            return model

        after_training = before_training

        def before_iteration(self, model, epoch, evals_log):
            self.epochs += (epoch,)
            return False

        after_iteration = before_iteration

    foreign = Foreign()
    run(dtrain, [foreign], rounds=2, checkpoint=tmp_path)
    assert foreign.epochs == (0, 0, 1, 1)
    with pytest.raises(xgb.ParameterError, match="Derive a class from it"):
        run(dtrain, [Foreign])


def test_another_process_is_left_to_report(dtrain, capsys):
    run(dtrain, [EvaluationMonitor(rank=1)], evals=[(dtrain, "t")])
    assert not capsys.readouterr().out


def test_two_metrics_of_one_name_are_told_of(dtrain):
    log = {}
    with pytest.warns(UserWarning, match="`custom_metric` returns 'rmse', which is the name of another metric") as told:
        run(dtrain, [], 2, evals=[(dtrain, "a")], custom_metric=lambda p, d: ("rmse", 1.0), evals_result=log)
    assert len(told) == 1
    assert len(log["a"]["rmse"]) == 4


def test_early_stopping_given_twice_is_told_of(dtrain):
    with pytest.warns(UserWarning, match="`early_stopping_rounds` is given, and `callbacks` has an EarlyStopping, too"):
        run(dtrain, [EarlyStopping(rounds=2)], 2, evals=[(dtrain, "a")], early_stopping_rounds=3)
