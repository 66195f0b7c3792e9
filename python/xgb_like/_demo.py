# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: T201  a command prints
"""What ``xgb-like demo`` runs: the whole way from a table to a model that was saved and loaded."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from . import _core
from ._booster import Booster
from ._callbacks import TrainingCallback
from ._data import DMatrix
from ._training import train
from ._typing import EvalsLog, Floats

_FEATURES = ("income", "age", "debt", "tenure", "visits", "distance", "rating", "noise_1", "noise_2", "noise_3")
_BAR = 40
_REPORTS = 8


class _Progress(TrainingCallback):
    """Prints a table with a line every some rounds."""

    def __init__(self, rounds: int) -> None:
        self._rounds, self._period = rounds, max(rounds // _REPORTS, 1)

    def before_training(self, model: Booster) -> Booster:
        print(f"{'round':>7}{'train log loss':>17}{'test log loss':>17}{'test error':>14}{'test AUC':>12}")
        return model

    def after_iteration(self, model: Booster, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        done = epoch + 1
        if done % self._period == 0 or done in (1, self._rounds):
            train, test = evals_log["train"], evals_log["test"]
            scores = f"{train['logloss'][-1]:17.4f}{test['logloss'][-1]:17.4f}"
            print(f"{done:7}{scores}{100 * test['error'][-1]:12.2f} %{test['auc'][-1]:12.4f}", flush=True)
        return False


def run_demo(rows: int, rounds: int, nthread: int, seed: int) -> None:
    """Train on a generated table and report on it."""
    features, label = make_table(rows, seed)
    cut = rows * 3 // 4
    train_set, test_set = (_matrix(features[part], label[part]) for part in (slice(cut), slice(cut, None)))
    threads = _core.thread_count(nthread)
    print(f"xgb-like {_core.__version__}: which customers pay late?")
    print(f"A table of {rows:,} rows and {len(_FEATURES)} columns, with missing cells, is generated;")
    print(f"{train_set.num_row():,} rows are trained on, with {threads} thread(s).\n")
    booster, log, seconds = _train(train_set, test_set, rounds, nthread)
    _report_quality(log, test_set, seconds)
    _report_importance(booster)
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


def _matrix(features: Floats, label: Floats) -> DMatrix:
    return DMatrix(features, label, feature_names=_FEATURES)


def _train(train_set: DMatrix, test_set: DMatrix, rounds: int, nthread: int) -> tuple[Booster, EvalsLog, float]:
    params = {
        "objective": "binary:logistic",
        "eval_metric": ["logloss", "error", "auc"],
        "learning_rate": 0.2,
        "nthread": nthread,
    }
    log: EvalsLog = {}
    began = time.perf_counter()
    booster = train(
        params,
        train_set,
        rounds,
        evals=[(train_set, "train"), (test_set, "test")],
        evals_result=log,
        verbose_eval=False,
        callbacks=[_Progress(rounds)],
    )
    return booster, log, time.perf_counter() - began


def _report_quality(log: EvalsLog, test_set: DMatrix, seconds: float) -> None:
    rounds = len(log["train"]["logloss"])
    print(f"\n{rounds} rounds, with metrics of both parts, took {seconds:.2f} s.\n")
    label = test_set.get_label()
    guess = min(label.mean(), 1 - label.mean())
    scores = {name: values[-1] for name, values in log["test"].items()}
    print(f"On {test_set.num_row():,} rows that were held out:")
    print(f"  wrong      {100 * scores['error']:6.2f} %   (always the more frequent answer: {100 * guess:.2f} %)")
    print(f"  AUC        {scores['auc']:8.4f}   (guessing: 0.5)")
    print(f"  log loss   {scores['logloss']:8.4f}\n")


def _report_importance(booster: Booster) -> None:
    gains = booster.get_score(importance_type="total_gain")
    shares = {name: float(np.sum(gain)) for name, gain in gains.items()}
    whole = sum(shares.values()) or 1.0
    print("What the splits of each feature gained:")
    for name, gain in sorted(shares.items(), key=lambda item: -item[1])[:_REPORTS]:
        bar = "#" * round(_BAR * gain / max(shares.values()))
        print(f"  {name:<10} {100 * gain / whole:5.1f} %  {bar}")
    print()


def _report_reload(booster: Booster, test_set: DMatrix) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.ubj"
        booster.save_model(path)
        size = path.stat().st_size
        loaded = Booster(model_file=path)
    same = np.array_equal(booster.predict(test_set), loaded.predict(test_set))
    state = "equal, bit for bit" if same else "NOT equal"
    print(f"Saved as UBJSON ({size / 1024:.0f} KiB, a file that XGBoost reads) and loaded again:")
    print(f"the predictions of both models are {state}.")
    if not same:
        raise _core.InternalError("The loaded model predicts otherwise than the saved one.")
