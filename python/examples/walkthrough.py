# SPDX-License-Identifier: Apache-2.0
"""The whole way: a matrix, training with an evaluation set, a prediction, a model file."""

import tempfile
from pathlib import Path

import numpy as np

import xgb_like as xgb


def main() -> None:
    """Train on customers who did or did not pay late."""
    rng = np.random.default_rng(0)
    names = ["income", "age", "debt"]
    X = rng.normal(size=(4_000, 3))
    late = 2 * X[:, 2] - X[:, 0] * (X[:, 1] > 0) + rng.logistic(scale=0.5, size=4_000) > 0
    X[rng.random(X.shape) < 0.05] = np.nan  # missing cells need no care

    train = xgb.DMatrix(X[:3_000], late[:3_000], feature_names=names)
    test = xgb.DMatrix(X[3_000:], late[3_000:], feature_names=names)
    print(train)

    params = {"objective": "binary:logistic", "eval_metric": ["error", "auc"], "max_depth": 4, "eta": 0.2}
    model = xgb.train(params, train, 60, evals=[(train, "train"), (test, "test")], verbose_eval=20)

    probability = model.predict(test)
    right = np.mean((probability > 0.5) == late[3_000:])
    print(f"{100 * right:.1f} % of the test rows are right")
    print(
        "gain:",
        {name: round(float(np.sum(gain))) for name, gain in model.get_score(importance_type="total_gain").items()},
    )

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "late.json"
        model.save_model(path)  # XGBoost reads it, too
        again = xgb.Booster(model_file=path)
    print("equal after a reload:", np.array_equal(again.predict(test), probability))


if __name__ == "__main__":
    main()
