# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ARG002, N818  what is called has a fixed signature; this end is no error
import json
import os
import signal
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._training import _checkpoint
from xgb_like.callback import EarlyStopping, LearningRateScheduler, TimeLimit, TrainingCallback, TrainingCheckPoint

PARAMS = {"max_depth": 3, "nthread": 1, "seed": 5}
SAMPLING = {"subsample": 0.5, "colsample_bynode": 0.5}


class Killed(Exception):
    """Stands for the end of the process."""


class Kill(TrainingCallback):
    """Ends training before a round."""

    def __init__(self, epoch):
        self.epoch = epoch

    def before_iteration(self, model, epoch, evals_log):
        if epoch == self.epoch:
            raise Killed
        return False


@pytest.fixture(autouse=True)
def each_round(monkeypatch):
    """Let the file be written after each round."""
    monkeypatch.setattr(_checkpoint, "_WORK_PER_WRITE", 0)


@pytest.fixture
def make(binary):
    """What makes the data anew, as another process would."""
    features, label = binary
    qid = np.arange(300) // 10
    return lambda: (xgb.DMatrix(features, label, qid=qid), xgb.DMatrix(features + 0.5, label, qid=qid))


def run(make, params, rounds=9, folder=None, callbacks=(), **options):
    """Train; return the model and all scores."""
    log = {}
    dtrain, other = make()
    options = {"evals": [(dtrain, "a"), (other, "b")], "early_stopping_rounds": 6, **options}
    more = {"checkpoint": folder, "callbacks": list(callbacks), "evals_result": log, "verbose_eval": False}
    return xgb.train(params, dtrain, rounds, **more, **options), log


def killed(make, params, folder, epochs=(2, 5), callbacks=(), **options):
    """Train and be killed, several times."""
    for epoch in epochs:
        with pytest.raises(Killed):
            run(make, params, folder=folder, callbacks=[*callbacks, Kill(epoch)], **options)


@pytest.mark.parametrize(
    "params",
    [
        {**SAMPLING},
        {**SAMPLING, "tree_method": "exact"},
        {"sampling_method": "goss"},
        {**SAMPLING, "booster": "dart", "rate_drop": 0.5, "sample_type": "weighted"},
        {**SAMPLING, "objective": "binary:logistic", "num_parallel_tree": 2, "eval_metric": ["auc", "logloss"]},
        {"objective": "reg:absoluteerror"},
        {"objective": "rank:ndcg", "lambdarank_unbiased": True},
        {"objective": "multi:softprob", "num_class": 2, "multi_strategy": "multi_output_tree"},
        {"objective": "binary:logistic", "booster": "adaboost"},
    ],
    ids=lambda params: " ".join(str(value) for value in params.values()),
)
def test_what_was_killed_goes_on_as_if_it_had_not_been(make, tmp_path, params):
    params = {**PARAMS, **params}
    whole = run(make, params)
    killed(make, params, tmp_path / "new" / "folder")
    again = run(make, params, folder=tmp_path / "new" / "folder")
    assert again[0].save_raw() == whole[0].save_raw()
    assert again[1] == whole[1]
    assert again[0].save_config() == whole[0].save_config()


def test_linear_models_go_on(make, tmp_path):
    params = {"booster": "gblinear", "nthread": 1, "feature_selector": "shuffle"}
    killed(make, params, tmp_path)
    assert run(make, params, folder=tmp_path)[0].save_raw() == run(make, params)[0].save_raw()


def test_early_stopping_goes_on_counting(make, tmp_path):
    params = {**PARAMS, "eta": 1}
    stop, again = (EarlyStopping(rounds=3, data_name="b") for _ in range(2))
    whole, _ = run(make, params, 40, callbacks=[stop], early_stopping_rounds=None)
    kill_at = whole.best_iteration + 2
    killed(
        make,
        params,
        tmp_path,
        [kill_at],
        [EarlyStopping(rounds=3, data_name="b")],
        rounds=40,
        early_stopping_rounds=None,
    )
    resumed, _ = run(make, params, 40, tmp_path, [again], early_stopping_rounds=None)
    assert resumed.save_raw() == whole.save_raw()
    assert again.stopping_history == stop.stopping_history


def test_schedules_and_parameters_that_callbacks_set_go_on(make, tmp_path):
    class Deeper(TrainingCallback):
        def before_iteration(self, model, epoch, evals_log):
            if epoch == 1:
                model.set_param("max_depth", 5)
            return False

    def callbacks():
        return [LearningRateScheduler(lambda epoch: 0.3 * 0.8**epoch), Deeper()]

    whole, _ = run(make, PARAMS, callbacks=callbacks())
    killed(make, PARAMS, tmp_path, callbacks=callbacks())
    assert run(make, PARAMS, folder=tmp_path, callbacks=callbacks())[0].save_raw() == whole.save_raw()


def test_training_that_continues_a_model_goes_on(make, booster, tmp_path):
    whole, _ = run(make, PARAMS, xgb_model=booster)
    killed(make, PARAMS, tmp_path, xgb_model=booster, callbacks=[TrainingCheckPoint(tmp_path, interval=3)])
    again, _ = run(
        make, PARAMS, folder=tmp_path, xgb_model=booster, callbacks=[TrainingCheckPoint(tmp_path, interval=3)]
    )
    assert again.save_raw() == whole.save_raw()
    assert again.num_boosted_rounds() == 13
    assert sorted(file.name for file in tmp_path.glob("model_*")) == ["model_10.ubj", "model_7.ubj"]


def test_what_is_done_is_not_repeated(make, tmp_path):
    first, log = run(make, PARAMS, folder=tmp_path)
    written = (tmp_path / "training.checkpoint").stat().st_mtime_ns
    again, same_log = run(make, PARAMS, folder=tmp_path, callbacks=[Kill(9)])
    assert again.save_raw() == first.save_raw()
    assert same_log == log
    assert (tmp_path / "training.checkpoint").stat().st_mtime_ns == written


def test_more_rounds_may_be_asked_for(make, tmp_path):
    run(make, PARAMS, 3, tmp_path)
    assert run(make, PARAMS, 7, tmp_path)[0].save_raw() == run(make, PARAMS, 7)[0].save_raw()


def test_more_patience_may_be_asked_for(make, tmp_path):
    params = {**PARAMS, "eta": 1}
    short, _ = run(make, params, 60, tmp_path, early_stopping_rounds=2)
    patient, log = run(make, params, 60, early_stopping_rounds=20)
    assert short.num_boosted_rounds() < patient.num_boosted_rounds()
    resumed, same_log = run(make, params, 60, tmp_path, early_stopping_rounds=20)
    assert resumed.save_raw() == patient.save_raw()
    assert same_log == log
    with pytest.raises(xgb.ParameterError, match="rounds=20; it may go on with more rounds, but not .* rounds=2"):
        run(make, params, 60, tmp_path, early_stopping_rounds=2)


def test_more_time_may_be_asked_for(make, tmp_path):
    assert run(make, PARAMS, 7, tmp_path, [TimeLimit(0)])[0].num_boosted_rounds() == 1
    assert run(make, PARAMS, 7, tmp_path, [TimeLimit(0)])[0].num_boosted_rounds() == 1
    assert run(make, PARAMS, 7, tmp_path, [TimeLimit(1000)])[0].save_raw() == run(make, PARAMS, 7)[0].save_raw()


def test_what_a_callback_of_ones_own_stopped_stays_so(make, tmp_path):
    class Stop(TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            return epoch == 2

    run(make, PARAMS, 7, tmp_path, [Stop()])
    assert run(make, PARAMS, 7, tmp_path, [Stop()])[0].num_boosted_rounds() == 3
    assert run(make, PARAMS, 7, tmp_path)[0].save_raw() == run(make, PARAMS, 7)[0].save_raw()


@pytest.mark.parametrize(
    ("first", "then", "text"),
    [
        (EarlyStopping(rounds=5, data_name="a"), EarlyStopping(rounds=5, data_name="b"), "'data_name': 'a'"),
        (EarlyStopping(rounds=5), EarlyStopping(rounds=5, min_delta=0.1), "'min_delta': 0.0"),
        (LearningRateScheduler([0.3] * 9), LearningRateScheduler(lambda _: 0.2), "other `learning_rates`: .0.3, 0.3"),
    ],
)
def test_other_rules_are_refused(make, tmp_path, first, then, text):
    run(make, PARAMS, 3, tmp_path, [first], early_stopping_rounds=None)
    run(make, PARAMS, 5, tmp_path, [first], early_stopping_rounds=None)
    with pytest.raises(xgb.ParameterError, match=text):
        run(make, PARAMS, 9, tmp_path, [then], early_stopping_rounds=None)


def test_other_threads_and_printing_are_no_other_training(make, tmp_path):
    run(make, PARAMS, 3, tmp_path)
    again, _ = run(make, {**PARAMS, "nthread": 2, "verbosity": 0}, 5, tmp_path)
    assert again.save_raw() == run(make, PARAMS, 5)[0].save_raw()
    assert '"nthread":"2"' in again.save_config()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"params": {**PARAMS, "max_depth": 4}}, r"its `params` are others \(max_depth=3\)"),
        ({"params": {**PARAMS, "eta": 0.2}}, r"its `params` are others \(fewer than here\)"),
        ({"rounds": 1}, "has 3 rounds, but `num_boost_round` is 1. Ask for as many or more"),
        ({"early_stopping_rounds": None}, "its callbacks with a state are EarlyStopping"),
        ({"evals": []}, "its `evals` is other data"),
        ({"obj": lambda p, d: (p - d.get_label(), p * 0 + 1)}, "it has no `obj`"),
    ],
)
def test_a_folder_of_another_training_is_refused(make, tmp_path, change, text):
    run(make, PARAMS, 3, tmp_path)
    with pytest.raises(xgb.ParameterError, match=text):
        run(make, folder=tmp_path, **{"params": PARAMS, "rounds": 3, **change})


@pytest.mark.parametrize("field", ["label", "weight", "features"])
def test_a_folder_of_other_data_is_refused(make, tmp_path, binary, field):
    def other():
        dtrain, test = make()
        if field == "features":
            features = binary[0].copy()
            features[7, 2] += 1
            return xgb.DMatrix(features, binary[1], qid=np.arange(300) // 10), test
        dtrain.set_info(**{field: np.arange(30 if field == "weight" else 300) % 2})
        return dtrain, test

    run(make, PARAMS, 2, tmp_path)
    with pytest.raises(xgb.ParameterError, match="another training: its `dtrain` is other data.*Use another folder"):
        run(other, PARAMS, 4, tmp_path)


def test_a_quantised_matrix_has_a_fingerprint(regression, tmp_path):
    for expected in (2, 4):
        data = xgb.QuantileDMatrix(*regression)
        assert xgb.train(PARAMS, data, expected, checkpoint=tmp_path).num_boosted_rounds() == expected
    with pytest.raises(xgb.ParameterError, match="`dtrain` is other data"):
        xgb.train(PARAMS, xgb.QuantileDMatrix(regression[0] + 1, regression[1]), 4, checkpoint=tmp_path)


DAMAGED = "training.checkpoint' cannot be read.*Delete it to train from the start"


@pytest.mark.parametrize("content", [b"", b"not an archive", None])
def test_a_damaged_file_is_refused(make, tmp_path, content):
    run(make, PARAMS, 2, tmp_path)
    file = tmp_path / "training.checkpoint"
    file.write_bytes(file.read_bytes()[:-40] if content is None else content)
    with pytest.raises(xgb.ModelFormatError, match=DAMAGED):
        run(make, PARAMS, 2, tmp_path)


def test_any_changed_byte_is_refused_or_does_not_matter(make, tmp_path):
    expected = run(make, PARAMS, 3, tmp_path)[0].save_raw()
    file = tmp_path / "training.checkpoint"
    whole, rng, refused = file.read_bytes(), np.random.default_rng(0), 0
    tail = len(whole) - whole.index(b"PK\x01\x02")  # the archive's own table, where most kinds of errors come from
    places = [*rng.integers(0, len(whole), 60), *range(len(whole) - tail, len(whole))]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        file.write_bytes(damaged)
        try:
            found = run(make, PARAMS, 3, tmp_path)[0].save_raw()
        except xgb.ModelFormatError as error:
            refused += "Delete it to train from the start" in str(error)
        else:
            assert found == expected
    assert refused > len(places) / 2


def changed(value, other):
    """Yield a JSON value with one part of it after the other replaced."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        for new in [*changed(part, other), other]:
            copied = value.copy()
            copied[key] = new
            yield copied


@pytest.mark.parametrize("other", [-(2**31), 10**30, None, "x", [], {}], ids=str)
def test_any_changed_value_is_refused(make, tmp_path, other):
    run(make, PARAMS, 2, tmp_path)
    file = tmp_path / "training.checkpoint"
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    state = json.loads(parts["state.json"])
    for number, wrong in enumerate(changed(state, other)):
        if wrong == state or number % 5:  # one in five, for time
            continue
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in (parts | {"state.json": json.dumps(wrong).encode()}).items():
                archive.writestr(name, content)
        with pytest.raises(xgb.ModelFormatError, match="Delete it to train from the start"):
            run(make, PARAMS, 2, tmp_path)


@pytest.mark.parametrize("version", [1, 2, 4])
def test_other_versions_than_that_of_0_1_0_are_refused(make, tmp_path, version):
    run(make, PARAMS, 2, tmp_path)
    file = tmp_path / "training.checkpoint"
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name != "digest"}
    parts["state.json"] = json.dumps(json.loads(parts["state.json"]) | {"version": version}).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    if version == 2:
        assert run(make, PARAMS, 4, tmp_path)[0].save_raw() == run(make, PARAMS, 4)[0].save_raw()
    else:
        with pytest.raises(xgb.ModelFormatError, match=f"is of version {version}, this program writes 3. Delete it"):
            run(make, PARAMS, 4, tmp_path)


def test_what_a_killed_write_left_is_removed(make, tmp_path):
    run(make, PARAMS, 2, tmp_path)
    left, others = tmp_path / "training.checkpoint.tmp-0123456789abcdef", ["training.checkpoint.bak", "notes"]
    for name in [left.name, *others]:
        (tmp_path / name).write_text("x")
    run(make, PARAMS, 2, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["training.checkpoint", *others])


@pytest.mark.skipif(os.name != "posix", reason="locks are others")
def test_what_another_process_is_writing_stays(make, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    run(make, PARAMS, 2, tmp_path)
    written = tmp_path / "training.checkpoint.tmp-0123456789abcdef"
    with written.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        run(make, PARAMS, 3, tmp_path)
        assert written.exists()
    run(make, PARAMS, 3, tmp_path)
    assert not written.exists()


@pytest.mark.skipif(os.name != "posix", reason="files have other rights")
def test_a_checkpoint_keeps_its_rights(make, tmp_path):
    run(make, PARAMS, 2, tmp_path)
    (tmp_path / "training.checkpoint").chmod(0o600)
    run(make, PARAMS, 3, tmp_path)
    assert (tmp_path / "training.checkpoint").stat().st_mode & 0o777 == 0o600


def test_the_path_must_be_a_folder(make, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(xgb.ParameterError, match="`checkpoint` must be a folder.*is a file"):
        run(make, PARAMS, 2, tmp_path / "file")
    with pytest.raises(xgb.ParameterError, match="`checkpoint` must be the path of a folder; got int"):
        run(make, PARAMS, 2, 3)


def test_updates_of_trees_are_refused(make, booster, tmp_path):
    params = {"process_type": "update", "updater": "refresh", "verbosity": 0}
    with pytest.raises(xgb.ParameterError, match="`checkpoint` is not possible with `process_type=update`"):
        xgb.train(params, make()[0], 2, xgb_model=booster, checkpoint=tmp_path)


def test_a_failed_write_leaves_the_last_file(make, tmp_path):
    resource = pytest.importorskip("resource")
    run(make, PARAMS, 3, tmp_path)
    before = (tmp_path / "training.checkpoint").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(xgb.ModelFormatError, match="Cannot write .*training.checkpoint"):
            run(make, PARAMS, 5, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [file.name for file in tmp_path.iterdir()] == ["training.checkpoint"]
    assert (tmp_path / "training.checkpoint").read_bytes() == before


def test_time_of_earlier_runs_counts(make, tmp_path):
    def limit():
        ticks = iter(range(100))
        return TimeLimit(6.5, clock=lambda: next(ticks))

    killed(make, PARAMS, tmp_path, [3], [limit()])
    assert run(make, PARAMS, 50, tmp_path, [limit()])[0].num_boosted_rounds() == 6


PROGRAM = """
import os, signal, sys
import numpy as np
import xgb_like as xgb
class Die(xgb.callback.TrainingCallback):
    def before_iteration(self, model, epoch, evals_log):
        if epoch == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        return False
features = np.random.default_rng(0).normal(size=(200, 4))
dtrain = xgb.DMatrix(features, features[:, 0])
xgb.train({"nthread": 1, "subsample": 0.5}, dtrain, 8, checkpoint=sys.argv[1], callbacks=[Die()])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_killed_process_goes_on(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    features = np.random.default_rng(0).normal(size=(200, 4))
    dtrain = xgb.DMatrix(features, features[:, 0])
    params = {"nthread": 1, "subsample": 0.5}
    again = xgb.train(params, dtrain, 8, checkpoint=tmp_path)
    assert again.save_raw() == xgb.train(params, dtrain, 8).save_raw()
