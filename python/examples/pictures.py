# SPDX-License-Identifier: Apache-2.0
"""All pictures of a model, saved to a folder: ``python pictures.py FOLDER``."""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import xgb_like as xgb
from xgb_like import plotting

SCALE = 110


def main(folder: Path) -> list[str]:
    """Train a model, draw it, and return the names of the files."""
    rng = np.random.default_rng(0)
    rows = 3_000
    town = rng.choice(["Oslo", "Rome", "Bern", "Riga"], rows)
    frame = pd.DataFrame(
        {
            "income": rng.lognormal(3, 0.5, rows).round(1),
            "age": rng.integers(18, 80, rows),
            "debt": rng.normal(size=rows),
            "town": pd.Categorical(town),
        }
    )
    score = 2 * frame["debt"] - np.log(frame["income"]) + 3 + 0.03 * (frame["age"] - 40) + (town == "Rome")
    late = (score + rng.logistic(size=rows) > 0).astype(int)
    train, test = xgb.DMatrix(frame[:2_000], late[:2_000]), xgb.DMatrix(frame[2_000:], late[2_000:])
    history: dict[str, dict[str, list[float]]] = {}
    model = xgb.train(
        {"objective": "binary:logistic", "max_depth": 3, "eta": 0.1, "max_cat_to_onehot": 1},
        train,
        100,
        evals=[(train, "train"), (test, "test")],
        evals_result=history,
        verbose_eval=False,
    )
    pictures = {
        "importance": plotting.plot_importance(model, importance_type="total_gain"),
        "tree": plotting.plot_tree(model, tree_idx=0, with_stats=True),
        "metrics": plotting.plot_metrics(history),
        "dependence": plotting.plot_partial_dependence(model, frame, "age", kind="both"),
        "map": plotting.plot_partial_dependence(model, frame, ("debt", "age")),
        "splits": plotting.plot_split_value_histogram(model, "income"),
        "contributions": plotting.plot_shap_summary(model, frame),
        "calibration": plotting.plot_calibration(test, model, n_bins=8),
        **claims(rng),
    }
    for name, axes in pictures.items():
        axes.get_figure().savefig(folder / f"{name}.png", dpi=SCALE)
    return [f"{name}.png" for name in pictures]


def claims(rng: np.random.Generator) -> dict[str, Any]:
    """Draw how good two models of claims per year are, whose rows were insured for more or less of a year."""
    rows = 20_000
    years = rng.uniform(0.1, 1, rows)
    frame = pd.DataFrame({"age": rng.integers(18, 80, rows), "power": rng.integers(4, 15, rows)})
    mean = 0.1 * np.exp(1.5 * (frame["age"] < 25) + 0.12 * (frame["power"] - 8))
    per_year = rng.poisson(mean * years) / years
    params = {"objective": "count:poisson", "max_depth": 2, "eta": 0.2}
    half = rows // 2
    models = {}
    for name, columns in {"by age": ["age"], "by age and power": ["age", "power"]}.items():
        train = xgb.DMatrix(frame[columns][:half], per_year[:half], weight=years[:half])
        models[name] = xgb.train(params, train, 40).inplace_predict(frame[columns][half:])
    found, weight = per_year[half:], years[half:]
    return {
        "lift": plotting.plot_lift(found, models["by age and power"], sample_weight=weight, ylabel="Claims per year"),
        "double_lift": plotting.plot_double_lift(found, models, sample_weight=weight, ylabel="Claims per year"),
        "lorenz": plotting.plot_lorenz(found, models, sample_weight=weight),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for file in main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch)):
            print(file)
