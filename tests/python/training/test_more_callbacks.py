# SPDX-License-Identifier: Apache-2.0
import copy
import io
import pickle
import sys
import threading

import pytest

import xgb_like as xgb
from xgb_like.callback import MLflowLogging, OptunaPruning, ProgressBar, TensorBoardLogging, TimeLimit

PARAMS = {"max_depth": 2, "nthread": 1}


class Terminal(io.StringIO):
    """A stream that says that somebody looks at it."""

    def isatty(self):
        return True


def run(dtrain, *callbacks, rounds=3, **options):
    evals = options.pop("evals", [(dtrain, "t")])
    return xgb.train(PARAMS, dtrain, rounds, evals=evals, callbacks=list(callbacks), verbose_eval=False, **options)


@pytest.mark.parametrize("style", ["auto", "tqdm", "rich", "plain"])
def test_progress_is_drawn_on_terminals(dtrain, style):
    if style in ("tqdm", "rich"):
        pytest.importorskip(style)
    screen = Terminal()
    run(dtrain, ProgressBar(style, file=screen))
    assert "t-rmse: " in screen.getvalue()
    assert "3/3" in screen.getvalue() or "100%" in screen.getvalue()


@pytest.mark.parametrize("style", ["auto", "plain"])
def test_progress_is_quiet_in_logs(dtrain, style, capsys):
    file = io.StringIO()
    run(dtrain, ProgressBar(style, file=file), ProgressBar(style))
    assert not file.getvalue()
    assert not capsys.readouterr().err


def test_progress_is_shown_where_it_is_asked_for(dtrain):
    file = io.StringIO()
    run(dtrain, ProgressBar("plain", show=True, file=file), evals=())
    assert file.getvalue().endswith(f"\r[{'#' * 30}] 3/3 \n")
    silent = Terminal()
    run(dtrain, ProgressBar("plain", show=False, file=silent))
    assert not silent.getvalue()


def test_progress_without_libraries_is_plain(dtrain, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    screen = Terminal()
    run(dtrain, ProgressBar(file=screen))
    assert screen.getvalue().startswith("\r[##########....................] 1/3 t-rmse: ")


def test_progress_of_cross_validation(dtrain):
    screen = Terminal()
    xgb.cv(PARAMS, dtrain, 2, callbacks=[ProgressBar("plain", file=screen)])
    assert "2/2 train-rmse: " in screen.getvalue()


def test_bars_shrink_without_a_rest():
    file = io.StringIO()
    bar = xgb.callback.ProgressBar("plain", show=True, file=file)
    bar.planned_rounds = 2
    bar.before_training(None)
    bar.after_iteration(None, 0, {"t": {"a long name": [1]}})
    bar.after_iteration(None, 1, {})
    first, second = file.getvalue().split("\r")[1:]
    assert len(second) == len(first)


@pytest.mark.parametrize(("seconds", "rounds"), [(0, 1), (2.5, 2), (3, 3), (100, 9)])
def test_time_is_limited(dtrain, seconds, rounds):
    ticks = iter(range(100))
    assert run(dtrain, TimeLimit(seconds, clock=lambda: next(ticks)), rounds=9).num_boosted_rounds() == rounds


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: TimeLimit(-1), "`seconds` must be a number >= 0; got -1"),
        (lambda: TimeLimit("1h"), "`seconds` must be a number >= 0; got '1h'"),
        (lambda: TimeLimit(float("nan")), "`seconds` must be a number >= 0"),
        (lambda: ProgressBar("fancy"), "`style` must be one of auto, tqdm, rich, plain; got 'fancy'"),
        (lambda: TensorBoardLogging(3), "`log_dir` must be a path or a SummaryWriter; got int"),
    ],
)
def test_bad_arguments_are_refused(make, text):
    with pytest.raises(xgb.ParameterError, match=text):
        make()


def test_optuna_prunes_trials(dtrain):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def objective(trial):
        eta = trial.suggest_categorical("eta", [0.5, 0.001])
        log = {}
        options = {"evals": [(dtrain, "t")], "evals_result": log, "verbose_eval": False}
        xgb.train({**PARAMS, "eta": eta}, dtrain, 5, callbacks=[OptunaPruning(trial, "t-rmse")], **options)
        return log["t"]["rmse"][-1]

    pruner = optuna.pruners.MedianPruner(n_startup_trials=1)
    study = optuna.create_study(sampler=optuna.samplers.GridSampler({"eta": [0.5, 0.001]}, seed=0), pruner=pruner)
    study.enqueue_trial({"eta": 0.5})
    study.optimize(objective, n_trials=3)
    by_state = {trial.state.name: trial.params["eta"] for trial in study.trials}
    assert by_state["PRUNED"] == 0.001
    assert study.best_params == {"eta": 0.5}
    assert len(study.trials[0].intermediate_values) == 5


class Trial:
    """What OptunaPruning asks of a trial."""

    def __init__(self):
        self.reports = []

    def report(self, value, step):
        self.reports.append((step, value))

    def should_prune(self):
        return False


def test_optuna_gets_the_means_of_cross_validation(dtrain):
    trial = Trial()
    table = xgb.cv(PARAMS, dtrain, 2, callbacks=[OptunaPruning(trial, "test-rmse")])
    assert trial.reports == list(enumerate(table["test-rmse-mean"]))


@pytest.mark.parametrize("evals", [(), None])
def test_optuna_needs_a_metric_that_there_is(dtrain, evals):
    evals = [(dtrain, "t")] if evals is None else evals
    text = "`observation_key` 'test-rmse' is not among the metrics: (t-rmse|there are none).*such as"
    with pytest.raises(xgb.ParameterError, match=text):
        run(dtrain, OptunaPruning(Trial(), "test-rmse"), evals=evals)


@pytest.mark.filterwarnings("ignore")  # of that package
def test_mlflow_gets_metrics_of_each_round(dtrain, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as active:
        run(dtrain, MLflowLogging("m."), early_stopping_rounds=2)
    client = mlflow.MlflowClient()
    history = client.get_metric_history(active.info.run_id, "m.t-rmse")
    assert [entry.step for entry in history] == [0, 1, 2]
    assert client.get_run(active.info.run_id).data.params == {"m.num_boosted_rounds": "3", "m.best_iteration": "2"}


class Client:
    """What MLflowLogging asks of the module."""

    def __init__(self):
        self.metrics, self.params = [], {}

    def log_metrics(self, values, step):
        self.metrics.append((step, values))

    def log_param(self, name, value):
        self.params[name] = value


def test_mlflow_gets_deviations_and_names_that_it_takes(binary):
    client = Client()
    xgb.cv(PARAMS, xgb.DMatrix(*binary), 1, metrics="error@0.7", callbacks=[MLflowLogging(client=client)])
    assert set(client.metrics[0][1]) == {
        f"{data}-error_at_0.7{end}" for data in ("train", "test") for end in ("", "-std")
    }
    assert client.params == {"num_boosted_rounds": 1}


@pytest.mark.filterwarnings("ignore")  # of that package
def test_tensorboard_gets_files(dtrain, tmp_path):
    pytest.importorskip("tensorboardX")
    run(dtrain, TensorBoardLogging(tmp_path / "runs"))
    content = b"".join(file.read_bytes() for file in (tmp_path / "runs").iterdir())
    assert content.count(b"t/rmse") == 3


class Writer:
    """What TensorBoardLogging asks of a writer."""

    def __init__(self):
        self.calls = []

    def add_scalar(self, *call):
        self.calls.append(call)

    def flush(self):
        self.calls.append("flush")


def test_tensorboard_leaves_a_given_writer_open(dtrain):
    writer, log = Writer(), {}
    run(dtrain, TensorBoardLogging(writer), evals_result=log)
    assert writer.calls == [*(("t/rmse", value, step) for step, value in enumerate(log["t"]["rmse"])), "flush"]


@pytest.mark.parametrize(
    ("library", "callback", "text"),
    [
        ("mlflow", MLflowLogging(), "MLflowLogging needs mlflow. Install it with `pip install mlflow`"),
        ("tensorboardX", TensorBoardLogging("unused"), "needs tensorboardX or torch. Install it with"),
        ("tqdm", ProgressBar("tqdm", show=True), "needs tqdm. Install it"),
    ],
)
def test_absent_libraries_are_named(dtrain, monkeypatch, library, callback, text):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: True)
    with pytest.raises(ImportError, match=text):
        run(dtrain, callback)


def test_a_callback_that_is_listed_twice_runs_once(dtrain):
    trial = Trial()
    pruning = OptunaPruning(trial, "t-rmse")
    run(dtrain, pruning, pruning)
    assert [step for step, _ in trial.reports] == [0, 1, 2]


def test_the_best_of_a_linear_model_is_refused_at_once(dtrain):
    stop = xgb.callback.EarlyStopping(rounds=2, save_best=True)
    with pytest.raises(xgb.ParameterError, match="`save_best` is not applicable to gblinear.*Drop it"):
        xgb.train({"booster": "gblinear"}, dtrain, 3, evals=[(dtrain, "t")], callbacks=[stop])
    assert not stop.stopping_history


class LockedWriter:
    """As those of TensorBoard: it cannot be copied."""

    def __init__(self, logdir):
        self.logdir, self.lock = logdir, threading.Lock()

    def add_scalar(self, *_):
        pass

    def flush(self):
        pass


def outside(tmp_path):
    """Callbacks that hold what cannot be copied, and the names of that."""
    writer, logger = LockedWriter(str(tmp_path)), MLflowLogging()
    logger._client = sys  # a module, as after training
    return [
        (ProgressBar(file=sys.__stderr__), "_file", None),
        (xgb.callback.EvaluationMonitor(logger=sys.__stderr__.write), "_logger", None),
        (TensorBoardLogging(writer), "_given", str(tmp_path)),
        (logger, "_client", None),
        (OptunaPruning(writer, "t-rmse"), "_trial", None),
    ]


@pytest.mark.parametrize("number", range(5))
def test_copies_share_what_is_outside_and_pickles_do_without(tmp_path, number):
    callback, name, left = outside(tmp_path)[number]
    for copied in (copy.copy(callback), copy.deepcopy(callback)):
        assert getattr(copied, name) == getattr(callback, name) is not None
        assert copied is not callback
    assert getattr(pickle.loads(pickle.dumps(callback)), name) == left


class OnlyInherited:
    """As locks of multiprocessing: its own error says that it cannot be pickled."""

    def __reduce__(self):
        raise RuntimeError("should only be shared between processes through inheritance")

    def __call__(self, message):
        """Take a message, as loggers do."""


def test_what_raises_any_error_when_pickled_is_left_out():
    callback = xgb.callback.EvaluationMonitor(logger=OnlyInherited())
    assert pickle.loads(pickle.dumps(callback))._logger is None


def test_what_can_be_pickled_is_kept():
    assert pickle.loads(pickle.dumps(xgb.callback.EvaluationMonitor(logger=len)))._logger is len


def test_estimators_with_callbacks_are_copied_and_pickled(regression, dtrain):
    base = pytest.importorskip("sklearn.base")
    search = pytest.importorskip("sklearn.model_selection").GridSearchCV
    screen = Terminal()
    screen.lock = threading.Lock()  # as streams of files, it cannot be copied
    model = xgb.XGBRegressor(n_estimators=2, callbacks=[ProgressBar("plain", file=screen)])
    assert base.clone(model).callbacks[0]._file is screen
    search(model, {"max_depth": [1, 2]}, cv=2).fit(*regression)
    assert screen.getvalue().count("2/2") == 5
    model.fit(*regression)
    assert (pickle.loads(pickle.dumps(model)).predict(regression[0]) == model.predict(regression[0])).all()
    run(dtrain, pickle.loads(pickle.dumps(OptunaPruning(screen, "t-rmse"))))
