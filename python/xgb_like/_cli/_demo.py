# SPDX-License-Identifier: Apache-2.0
"""``xgb-like demo``: the whole workflow from a table to a saved and reloaded model."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from .._base._typing import EvalsLog, Floats
from .._data._matrix import DMatrix
from .._model._booster import Booster
from .._training._train import train
from ._arguments import add_threads, size_of, whole_from
from ._output import Progress, print_bars

_FEATURES = ("income", "age", "debt", "tenure", "visits", "distance", "rating", "noise_1", "noise_2", "noise_3")


def add_to(commands: Any) -> None:
    demo = commands.add_parser("demo", help="train, evaluate, save and reload a model on generated data")
    add = demo.add_argument
    text = "rows of the table, at least 100 (%(default)s)"
    add("--rows", type=whole_from(100), default=20_000, metavar="N", help=text)
    add("--rounds", type=whole_from(1), default=100, metavar="N", help="rounds of boosting (%(default)s)")
    add_threads(demo)
    add("--seed", type=whole_from(0), default=0, metavar="N", help="seed of the table (%(default)s)")
    demo.set_defaults(run=lambda args: _run(args.rows, args.rounds, args.nthread, args.seed))


def _run(rows: int, rounds: int, nthread: int, seed: int) -> None:
    """Train on a generated table and report on it."""
    features, label = make_table(rows, seed)
    cut = rows * 3 // 4
    parts = slice(cut), slice(cut, None)
    train_set, test_set = (DMatrix(features[part], label[part], feature_names=_FEATURES) for part in parts)
    threads = _core.thread_count(nthread)
    print(f"xgb-like {_core.__version__}: which customers pay late?")
    print(f"A table of {rows:,} rows and {len(_FEATURES)} columns, with missing cells, is generated;")
    print(f"{train_set.num_row():,} rows are trained on, with {threads} thread(s).\n")
    params = {"objective": "binary:logistic", "eval_metric": ["error", "logloss", "auc"], "learning_rate": 0.2}
    log: EvalsLog = {}
    began = time.perf_counter()
    booster = train(
        {**params, "nthread": nthread},
        train_set,
        rounds,
        evals=[(train_set, "train"), (test_set, "held-out")],
        evals_result=log,
        verbose_eval=False,
        callbacks=[Progress(["logloss", "auc"])],
    )
    _report_quality(log, test_set, time.perf_counter() - began)
    gains = booster.get_score(importance_type="total_gain")
    print("What the splits of each feature gained:")
    print_bars({name: float(np.sum(gain)) for name, gain in gains.items()}, len(_FEATURES))
    print()
    _report_reload(booster, test_set)


def make_table(rows: int, seed: int) -> tuple[Floats, Floats]:
    """Return features and labels with a signal that trees can find, some noise, and missing cells."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(rows, len(_FEATURES))).astype(np.float32)
    income, age, debt, tenure, visits, distance, rating = table.T[:7]
    score = 1.5 * debt - income * (age > 0) - 0.8 * np.abs(tenure) + 0.5 * visits * distance - 0.4 * rating
    label = (score + rng.logistic(scale=0.4, size=rows) > 0).astype(np.float32)
    table[rng.random(table.shape) < 0.05] = np.nan
    return table, label


def _report_quality(log: EvalsLog, test_set: DMatrix, seconds: float) -> None:
    rounds = len(log["train"]["logloss"])
    print(f"\n{rounds} rounds, with metrics of both parts, took {seconds:.2f} s.\n")
    label = test_set.get_label()
    guess = min(label.mean(), 1 - label.mean())
    scores = {name: values[-1] for name, values in log["held-out"].items()}
    print(f"On {test_set.num_row():,} rows that were held out:")
    print(f"  wrong      {100 * scores['error']:6.2f} %   (always the more frequent answer: {100 * guess:.2f} %)")
    print(f"  AUC        {scores['auc']:8.4f}   (guessing: 0.5)")
    print(f"  log loss   {scores['logloss']:8.4f}\n")


def _report_reload(booster: Booster, test_set: DMatrix) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.ubj"
        booster.save_model(path)
        size = size_of(path)
        loaded = Booster(model_file=path)
    same = np.array_equal(booster.predict(test_set), loaded.predict(test_set))
    state = "equal, bit for bit" if same else "NOT equal"
    print(f"Saved as UBJSON ({size}, a file that XGBoost reads) and loaded again:")
    print(f"the predictions of both models are {state}.")
    if not same:
        raise _core.InternalError("The loaded model does not predict the same as the saved one.")
