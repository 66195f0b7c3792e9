# SPDX-License-Identifier: Apache-2.0
import contextlib
import multiprocessing
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import xgb_like as xgb


@pytest.fixture(scope="module")
def large():
    """As many cells as make the engine use several threads, a tenth of them missing."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60_000, 10)).astype(np.float32)
    label = features[:, 0] - features[:, 1] * features[:, 2] + rng.normal(size=60_000)
    features[rng.random(features.shape) < 0.1] = np.nan
    return features, label.astype(np.float32)


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_any_number_of_threads_gives_the_same_bytes(large, threads):
    params = {"max_depth": 5, "subsample": 0.8, "colsample_bylevel": 0.7, "seed": 2}
    one = xgb.train({**params, "nthread": 1}, xgb.DMatrix(*large, nthread=1), 3)
    many = xgb.train({**params, "nthread": threads}, xgb.DMatrix(*large, nthread=threads), 3)
    assert one.save_raw() == many.save_raw()


@pytest.mark.parametrize(
    "variant",
    [
        {},
        {"subsample": 0.5, "colsample_bynode": 0.5},
        {"num_parallel_tree": 2, "subsample": 0.9},
        {"sampling_method": "goss", "grow_policy": "lossguide", "max_leaves": 20},
        {"tree_method": "approx"},
        {"leaf_estimation_iterations": 2},
    ],
    ids=str,
)
def test_trees_of_classes_are_the_same_for_any_number_of_threads(large, variant):
    # Five trees a round: of two threads each grows two alone, and both the last.
    features, label = large
    classes = np.digitize(label, [-2, -0.5, 0.5, 2])
    params = {"objective": "multi:softprob", "num_class": 5, "max_depth": 5, "seed": 3, **variant}

    def model(threads):
        return xgb.train({**params, "nthread": threads}, xgb.DMatrix(features, classes, nthread=threads), 2).save_raw()

    one = model(1)
    assert all(model(threads) == one for threads in (2, 3, 8))


# Roots are summed eight classes at a time, and a count of classes may leave a thread without a tree.
@pytest.mark.parametrize("classes", [16, 17, 33])
def test_trees_of_many_classes_are_the_same_for_any_number_of_threads(large, classes):
    features, label = large
    target = np.digitize(label, np.quantile(label, np.linspace(0, 1, classes + 1)[1:-1]))
    params = {"objective": "multi:softprob", "num_class": classes, "max_depth": 3, "seed": 3}

    def model(threads):
        return xgb.train({**params, "nthread": threads}, xgb.DMatrix(features, target, nthread=threads), 1).save_raw()

    one = model(1)
    assert all(model(threads) == one for threads in (2, 3, 8))


# Nodes may be split ahead by threads, or until they are pruned: their rows stay theirs.
@pytest.mark.parametrize("method", ["hist", "approx", "exact"])
@pytest.mark.parametrize(
    "growth",
    [
        {"grow_policy": "lossguide", "max_leaves": 4, "max_depth": 0},
        {"grow_policy": "lossguide", "max_leaves": 20, "max_depth": 0, "subsample": 0.7},
        {"gamma": 50, "max_depth": 4},
        {"gamma": 20, "max_depth": 5, "subsample": 0.7},
    ],
    ids=str,
)
def test_rows_of_nodes_that_were_split_in_vain_are_not_lost(method, growth):
    rows = 50_000
    rng = np.random.default_rng(0)
    features = np.column_stack([-np.arange(rows), rng.normal(size=rows)]).astype(np.float32)
    time = np.arange(rows) / rows
    steps = np.select([time < 0.125, time < 0.25, time < 0.5, time < 0.75], [12, 8, 0, -9], -11)
    label = steps * 0.05 + rng.normal(size=rows) * 0.1
    params = {"tree_method": method, **growth, "eta": 1, "base_score": 0, "seed": 1}

    def model(threads):
        data = xgb.DMatrix(features, label, nthread=threads)
        log = {}
        booster = xgb.train(
            {**params, "nthread": threads}, data, 3, evals=[(data, "train")], evals_result=log, verbose_eval=False
        )
        error = np.sqrt(np.mean((booster.predict(data) - label) ** 2))
        np.testing.assert_allclose(log["train"]["rmse"][-1], error, rtol=1e-5)
        return booster.save_raw()

    one = model(1)
    assert all(model(threads) == one for threads in (2, 3, 8))


def test_many_threads_predict_on_one_booster(booster, regression):
    features = regression[0]
    data = xgb.DMatrix(features)
    expected = booster.predict(data)

    def work(number):
        found = booster.predict(data) if number % 2 else booster.inplace_predict(features)
        return np.array_equal(found, expected)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(64)))


def test_boosters_train_side_by_side(regression):
    data = xgb.DMatrix(*regression)
    with ThreadPoolExecutor(4) as pool:
        models = list(pool.map(lambda _: xgb.train({"max_depth": 4}, data, 5).save_raw(), range(8)))
    assert all(model == models[0] for model in models)


@pytest.fixture
def eager_threads():
    """Let threads change places often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(before)


READERS = {
    "dump": lambda booster, _: booster.get_dump(with_stats=True),
    "raw": lambda booster, _: booster.save_raw(),
    "config": lambda booster, _: booster.save_config(),
    "histogram": lambda booster, _: booster.get_split_value_histogram("f0", as_pandas=False),
    "scores": lambda booster, _: booster.get_score(importance_type="gain"),
    "facts": lambda booster, _: (repr(booster), booster.attributes(), booster.feature_types),
    "predict": lambda booster, data: booster.predict(data),
    "leaves": lambda booster, data: booster.predict(data, pred_leaf=True, strict_shape=True),
    "slice": lambda booster, data: booster[: booster.num_boosted_rounds()].predict(data),
    "copy": lambda booster, data: booster.copy().eval(data),
    "pickle": lambda booster, data: pickle.loads(pickle.dumps(booster)).predict(data),
}


@pytest.mark.usefixtures("eager_threads")
@pytest.mark.parametrize("name", READERS)
def test_a_booster_is_read_while_another_thread_trains_it(dtrain, name):
    params = {"max_depth": 3, "nthread": 1}
    booster = xgb.train(params, dtrain, 1)
    trained = threading.Event()

    def read():
        while not trained.is_set():
            READERS[name](booster, dtrain)

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read), pool.submit(read)]
        for number in range(1, 200):
            booster.update(dtrain, number)
        trained.set()
        assert [reader.result() for reader in readers] == [None, None]
    assert booster.save_raw() == xgb.train(params, dtrain, 200).save_raw()


@pytest.mark.usefixtures("eager_threads")
def test_threads_that_train_one_booster_take_turns(dtrain):
    params = {"max_depth": 3, "subsample": 0.7}
    booster = xgb.train(params, dtrain, 1)

    def train(_):
        for number in range(20):
            booster.update(dtrain, number)
            booster.set_param("verbosity", 1)
            booster.eval(dtrain)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(train, range(3)))
    assert booster.save_raw() == xgb.train(params, dtrain, 61).save_raw()


def _train_and_predict(queue, features, label):
    booster = xgb.train({"max_depth": 3}, xgb.DMatrix(features, label), 3)
    queue.put(bytes(booster.save_raw()))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_trains(regression):
    before = xgb.train({"max_depth": 3}, xgb.DMatrix(*regression), 3)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_train_and_predict, args=(queue, *regression))
    child.start()
    assert queue.get(timeout=60) == bytes(before.save_raw())
    child.join(60)
    assert child.exitcode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_predicts_with_its_parents_model(booster, regression):
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        found = pool.map(booster.inplace_predict, [regression[0]] * 4)
    np.testing.assert_array_equal(found[3], booster.inplace_predict(regression[0]))


def test_cuts_can_be_asked_for_while_bins_are_made(large):
    data = xgb.DMatrix(*large)
    training = threading.Thread(target=xgb.train, args=({"nthread": 2}, data, 2))
    training.start()
    while training.is_alive():
        with contextlib.suppress(xgb.DataError):  # not made yet
            data.get_quantile_cut()
    assert len(data.get_quantile_cut()[0]) == 11
