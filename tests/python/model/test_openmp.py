# SPDX-License-Identifier: Apache-2.0
"""Threads of OpenMP beside others, in forked processes, and where there are few; a process for each program."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import xgb_like as xgb

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")

# `fit(n)` gives the digest of a model of n threads, of as much data as make the engine use them.
PROGRAM = """
import hashlib, multiprocessing, os, sys, threading, time, warnings
import numpy as np

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 10)).astype(np.float32)
y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(np.float32)

def fit(nthread=3, rounds=5):
    import xgb_like as xgb
    params = {"objective": "binary:logistic", "max_depth": 4, "nthread": nthread}
    data = xgb.DMatrix(X, y, nthread=nthread)
    booster = xgb.train(params, data, rounds)
    assert np.isfinite(booster.predict(data)).all()
    return hashlib.md5(booster.save_raw()).hexdigest()

def threads():
    return len(os.listdir("/proc/self/task"))

def fewest():
    # without those that are about to end; what is kept is kept for longer
    return min((time.sleep(0.02), threads())[1] for _ in range(15))
"""


def run(program, *before, **environment):
    """What the program prints, as words."""
    command = [*before, sys.executable, "-c", PROGRAM + program]
    environment = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def wanted():
    """The digest of the model, whoever made it."""
    return run("print(fit(1))")[0]


OTHERS = {
    "sklearn": "from sklearn.ensemble import HistGradientBoostingClassifier as Model; Model(max_iter=3).fit(X, y)",
    "lightgbm": "import lightgbm; lightgbm.LGBMClassifier(n_estimators=3, n_jobs=2, verbose=-1).fit(X, y)",
    "xgboost": "import xgboost; xgboost.XGBClassifier(n_estimators=3, n_jobs=2).fit(X, y)",
    "torch": "import torch; torch.set_num_threads(2); torch.ones(512, 512) @ torch.ones(512, 512)",
}


@pytest.mark.parametrize("order", ["other first", "ours first"])
@pytest.mark.parametrize("library", OTHERS)
def test_other_libraries_in_the_same_process(library, order, wanted):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    other, ours = OTHERS[library], "print(fit())"
    steps = [other, ours] if order == "other first" else [ours, other]
    assert set(run("\n".join(steps * 2))) == {wanted}


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc")


@needs_proc
def test_build_info_says_whether_openmp_is_there():
    program = """
import re
import xgb_like as xgb
print(xgb.build_info()["USE_OPENMP"], re.search("lib[gi]?omp", open("/proc/self/maps").read()) is not None)
"""
    assert run(program) == [str(xgb.build_info()["USE_OPENMP"])] * 2


# One thread more than were asked for opens the region, and sleeps.
@needs_proc
@pytest.mark.parametrize(
    ("given", "environment", "most"),
    [
        (1, {}, 0),
        (2, {}, 2),
        (4, {}, 4),
        (0, {"OMP_NUM_THREADS": "1"}, 0),
        (0, {"OMP_NUM_THREADS": "3"}, 3),
        (4, {"OMP_THREAD_LIMIT": "1"}, 0),
        (4, {"OMP_THREAD_LIMIT": "2"}, 2),
    ],
)
def test_no_more_threads_than_asked_for(given, environment, most, wanted):
    program = f"fit(1); before = threads(); print(fit({given})); print(fewest() - before)"
    model, more = run(program, **environment)
    assert model == wanted
    assert min(most, 1) <= int(more) <= most


@needs_proc
def test_idle_threads_go_and_come_again(wanted):
    program = """
fit(1); before = threads()
for _ in range(2):
    print(fit(), threads() > before)
    until = time.monotonic() + 30
    while threads() > before and time.monotonic() < until:
        time.sleep(0.1)
    print(threads() - before)
"""
    assert run(program) == [wanted, "True", "0"] * 2


@pytest.mark.parametrize(
    "environment",
    [
        {"OMP_DYNAMIC": "true"},
        {"OMP_MAX_ACTIVE_LEVELS": "0"},
        {"OMP_PROC_BIND": "true"},
        {"OMP_WAIT_POLICY": "active"},
        {"OMP_WAIT_POLICY": "passive"},
    ],
    ids=str,
)
def test_smaller_teams_and_other_policies_give_the_same_model(environment, wanted):
    assert run("print(fit(4), fit(2))", **environment) == [wanted] * 2


def test_forked_processes_have_threads_of_their_own(wanted):
    program = """
print(fit(), flush=True)
for _ in range(3):
    child = os.fork()
    if child == 0:
        if (grandchild := os.fork()) == 0:
            print(fit(), flush=True)
            os._exit(0)
        os.waitpid(grandchild, 0)
        print(fit(), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print(fit())
"""
    assert run(program) == [wanted] * 8


def test_a_process_forked_while_another_thread_trains(wanted):
    program = """
fit(1)  # a child would wait for ever for a module that another thread is importing
training = threading.Thread(target=fit, args=(3, 2000), daemon=True)
training.start()
context = multiprocessing.get_context("fork")
for _ in range(5):
    with context.Pool(2) as pool:
        print(*pool.map_async(fit, [3, 2]).get(60))
"""
    assert run(program) == [wanted] * 10


# The helpers of the other thread have come: it makes bins, of many columns.
@needs_proc
def test_a_process_forked_while_another_thread_prepares_the_same_matrix():
    program = """
import xgb_like as xgb
fit(1)
data = xgb.DMatrix(np.tile(X, 40), y, nthread=1)
def train():
    return hashlib.md5(xgb.train({"max_depth": 2, "nthread": 2}, data, 1).save_raw()).hexdigest()
training = threading.Thread(target=lambda: print(train(), flush=True))
before = threads()
training.start()
while training.is_alive() and threads() < before + 2:
    time.sleep(0.001)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.apply_async(train).get(60), flush=True)
training.join()
"""
    assert len(set(run(program))) == 1


def test_a_process_forked_while_another_thread_trains_the_same_booster():
    program = """
import xgb_like as xgb
fit(1)
data = xgb.DMatrix(X, y)
booster = xgb.train({"nthread": 2}, data, 1)
done = threading.Event()
def train():
    while not done.is_set():
        booster.update(data, 0)
training = threading.Thread(target=train)
training.start()
codes = set()
for _ in range(20):
    child = os.fork()
    if child == 0:
        assert np.isfinite(booster.predict(data)).all()
        booster.copy().update(data, 0)
        code = 0  # forked between two rounds
        try:
            booster.update(data, 0)
        except ValueError as error:
            assert "when this process was forked" in str(error), error
            code = 3
        os._exit(code)
    codes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
done.set()
training.join()
print(3 in codes, codes <= {0, 3})
"""
    assert run(program) == ["True", "True"]


def test_a_process_forked_while_other_threads_wait_for_the_gil_ends():
    program = """
import xgb_like as xgb
data = xgb.DMatrix(X[:100], y[:100])
booster = xgb.train({}, data, 1)
done = threading.Event()
def work():
    while not done.is_set():
        booster.predict(data)
others = [threading.Thread(target=work) for _ in range(4)]
for other in others:
    other.start()
for _ in range(30):
    child = os.fork()
    if child == 0:
        import atexit
        atexit._run_exitfuncs()  # as at the end of a program
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
done.set()
for other in others:
    other.join()
print("done")
"""
    assert run(program) == ["done"]


def test_limits_set_at_run_time():
    pytest.importorskip("threadpoolctl")
    program = """
import xgb_like as xgb
from threadpoolctl import threadpool_limits
with threadpool_limits(1):
    before = threads()
    fit(0)
    print(threads() - before)
"""
    if xgb.build_info()["USE_OPENMP"]:
        assert run(program) == ["0"]


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_within_joblib(backend, wanted):
    pytest.importorskip("joblib")
    program = f"""
import joblib
print(fit())
for _ in range(2):
    print(*joblib.Parallel(2, backend={backend!r})(joblib.delayed(fit)(n) for n in (1, 2, 3)))
"""
    assert run(program) == [wanted] * 7


def test_many_threads_of_python_at_once(wanted):
    program = """
from concurrent.futures import ThreadPoolExecutor
for _ in range(3):
    with ThreadPoolExecutor(6) as pool:
        print(*pool.map(fit, [1, 2, 3, 4, 5, 6]))
"""
    assert run(program) == [wanted] * 18


@pytest.mark.parametrize(
    "call", ["fit(3, 100_000)", "b.predict(d)", "b.eval(d)", "xgb.DMatrix(X)", "xgb.train({}, d, 2, obj=loss)"]
)
def test_daemon_threads_neither_hang_nor_break_the_exit(call):
    program = f"""
import xgb_like as xgb
d = xgb.DMatrix(X, y)
b = xgb.train({{}}, d, 2)
def loss(margins, data):
    return margins - data.get_label(), np.ones(len(margins))
def work():
    while True:
        {call}
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
"""
    for _ in range(3):
        assert run(program) == []


@needs_proc
def test_where_the_system_gives_few_threads(wanted):
    # Each has a stack of 512 MB, of which few fit.
    large_stacks = ["sh", "-c", 'ulimit -s 524288; exec "$0" "$@"']
    program = """
import resource
fit(1)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1800 << 20), resource.RLIM_INFINITY))
print(fit(200))
print(fit(200))
"""
    assert run(program, *large_stacks) == [wanted] * 2
