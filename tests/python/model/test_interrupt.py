# SPDX-License-Identifier: Apache-2.0
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import xgb_like as xgb

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
SECONDS = 1.0

PROGRAM = """
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may have it ignored

import numpy as np
import xgb_like as xgb

rng = np.random.default_rng(0)
features = rng.normal(size=(200_000, 20)).astype("f4")
data = xgb.DMatrix(features, features[:, 0])

def begun():
    booster = xgb.train({"max_depth": 2}, data, 1)
    booster.set_param({"max_depth": 12, "tree_method": "exact"})
    return booster

booster = begun()
try:
    print("ready", flush=True)
    for number in range(100_000):
        booster.update(data, number)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    # A round is there whole or not at all, wherever the signal came.
    again = begun()
    for number in range(booster.num_boosted_rounds() - 1):
        again.update(data, number)
    same = booster.save_raw() == again.save_raw()
    booster.set_param("max_depth", 2)
    booster.update(data, 0)
    print("stopped", same, booster.num_boosted_rounds() > 1, np.isfinite(booster.predict(data)).all(), flush=True)
"""


def test_ctrl_c_ends_training_and_leaves_a_usable_booster():
    child = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    assert time.monotonic() - sent < SECONDS
    out, _ = child.communicate(timeout=60)
    assert out == "stopped True True True\n"
    assert child.returncode == 0


class AlarmError(Exception):
    """What the handler of the signal raises."""


@pytest.fixture
def alarm():
    """A function that lets a signal come a little later, whose handler raises, and returns when it will come."""

    def stop(*_):
        raise AlarmError

    def start():
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        return time.monotonic() + 0.2

    before = signal.signal(signal.SIGALRM, stop)
    yield start
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def slow():
    """A model and data that take seconds to predict."""
    rng = np.random.default_rng(0)
    few = rng.normal(size=(500, 5)).astype(np.float32)
    params = {"num_parallel_tree": 2000, "subsample": 0.9, "nthread": 1, "max_depth": 12, "min_child_weight": 0}
    booster = xgb.train(params, xgb.DMatrix(few, few[:, 0] * few[:, 1]), 1)
    return booster, rng.normal(size=(1_000_000, 5)).astype(np.float32)


@pytest.mark.parametrize("way", ["values", "in place"])
def test_a_signal_ends_a_prediction_within_a_second(slow, alarm, way):
    booster, features = slow
    data = xgb.DMatrix(features)
    calls = {
        "values": lambda: booster.predict(data),
        "in place": lambda: booster.inplace_predict(features),
    }
    comes = alarm()
    with pytest.raises(AlarmError):
        calls[way]()
    assert time.monotonic() - comes < SECONDS


def test_a_signal_reaches_the_main_thread_only(slow, alarm):
    booster, features = slow
    data = xgb.DMatrix(features[:200_000])
    with ThreadPoolExecutor(2) as pool:
        alarm()
        others = [pool.submit(booster.predict, data) for _ in range(2)]
        with pytest.raises(AlarmError):
            booster.predict(xgb.DMatrix(features))
        found = [other.result() for other in others]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0][:100], booster.predict(xgb.DMatrix(features[:100])))


@pytest.fixture
def heard():
    """A function that prepares calls of growing size and makes them, until signals were heard in the middle of one.

    A signal that comes while the engine works is handled at the end in any case; only who listens hears several.
    """
    count = 0

    def hear(*_):
        nonlocal count
        count += 1

    def check(prepare, most=512):
        nonlocal count
        size = 1
        while size <= most:
            call = prepare(size)
            count = 0
            begun = time.thread_time()
            call()
            if count >= 8:
                return True
            if time.thread_time() - begun > 2.5:  # of work, however slow the machine
                return False
            size *= 2
        return True  # too quick ever to be in the way

    before = signal.signal(signal.SIGALRM, hear)
    signal.setitimer(signal.ITIMER_REAL, 0.03, 0.03)
    yield check
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def _features(rows, columns=10):
    return np.random.default_rng(0).normal(size=(rows, columns)).astype(np.float32)


def test_signals_are_heard_while_bins_are_made(heard):
    def prepare(size):
        features = _features(50_000 * size, 40)
        return lambda: xgb.QuantileDMatrix(features, max_bin=65535, nthread=1)

    assert heard(prepare, 32)


def test_signals_are_heard_within_one_large_query(heard):
    def prepare(size):
        rows = 5000 * size
        data = xgb.DMatrix(_features(rows, 1), np.arange(rows) % 5, qid=np.zeros(rows))
        params = {"objective": "rank:ndcg", "lambdarank_num_pair_per_sample": rows, "nthread": 1, "max_depth": 1}
        return lambda: xgb.train(params, data, 1)

    assert heard(prepare, 32)


def test_signals_are_heard_while_a_text_file_is_read(heard, tmp_path):

    def prepare(size):
        path = tmp_path / f"{size}.libsvm"
        path.write_text("1 0:0.5 1:0.25 2:-3.5 3:1e-3\n" * (200_000 * size))
        return lambda: xgb.DMatrix(f"{path}?format=libsvm", nthread=1)

    assert heard(prepare, 64)


def test_a_matrix_can_be_made_and_trained_on_after_an_interrupt(alarm):
    features = _features(300_000)
    data = xgb.DMatrix(features, features[:, 0])
    params = {"max_bin": 4096, "max_depth": 2, "nthread": 1}

    def train_for_ever():
        while True:
            data.set_weight(np.ones(len(features)))  # the bins are made anew
            xgb.train({**params, "max_bin": 65535}, data, 1)

    alarm()
    with pytest.raises(AlarmError):
        train_for_ever()
    data.set_weight(np.ones(len(features)))
    fresh = xgb.DMatrix(features, features[:, 0], weight=np.ones(len(features)))
    assert xgb.train(params, data, 1).save_raw() == xgb.train(params, fresh, 1).save_raw()
