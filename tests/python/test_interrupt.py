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
