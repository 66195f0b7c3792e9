# SPDX-License-Identifier: Apache-2.0
import signal
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
import xgb_like as xgb

rng = np.random.default_rng(0)
features = rng.normal(size=(200_000, 20)).astype("f4")
data = xgb.DMatrix(features, features[:, 0])
booster = xgb.train({"max_depth": 2}, data, 1)
before = booster.save_raw()
try:
    print("ready", flush=True)
    booster.set_param("max_depth", 12)
    for number in range(100_000):
        booster.update(data, number)
        before = booster.save_raw()
except KeyboardInterrupt:
    same = booster.save_raw() == before
    booster.set_param("max_depth", 2)
    booster.update(data, 0)
    print("stopped", same, booster.num_boosted_rounds() > 1, np.isfinite(booster.predict(data)).all(), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_training_and_leaves_a_usable_booster():
    child = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "stopped True True True\n"
    assert child.returncode == 0
