# SPDX-License-Identifier: Apache-2.0
"""Survival analysis: times of which some are only known to be longer than what was seen."""

import numpy as np

import xgb_like as xgb


def main() -> None:
    """Fit an accelerated failure time model, and Cox's model, to the life of machines."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_000, 3))
    life = np.exp(1 + X[:, 0] - 0.5 * X[:, 1] + rng.normal(scale=0.4, size=2_000))
    end_of_study = rng.uniform(0.5, 12, size=2_000)
    seen = life <= end_of_study
    lower = np.minimum(life, end_of_study)
    upper = np.where(seen, life, np.inf)  # it was still running: no upper bound

    bounds = xgb.DMatrix(X, label_lower_bound=lower, label_upper_bound=upper)
    aft = {"objective": "survival:aft", "eval_metric": ["aft-nloglik", "cindex"], "max_depth": 3, "eta": 0.1}
    model = xgb.train(aft, bounds, 60, evals=[(bounds, "train")], verbose_eval=30)
    print(f"correlation of log times: {np.corrcoef(np.log(model.predict(bounds)), np.log(life))[0, 1]:.3f}")

    signed = xgb.DMatrix(X, np.where(seen, lower, -lower))  # for Cox: negative times are of rows without the event
    cox = xgb.train({"objective": "survival:cox", "max_depth": 3, "eta": 0.1}, signed, 60)
    print(f"correlation of log risk with log life: {np.corrcoef(np.log(cox.predict(signed)), np.log(life))[0, 1]:.3f}")


if __name__ == "__main__":
    main()
