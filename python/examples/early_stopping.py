# SPDX-License-Identifier: Apache-2.0
"""Stop when a held-out set no longer gets better, and look into training by callbacks."""

from typing import Any

import numpy as np

import xgb_like as xgb


class Patience(xgb.callback.TrainingCallback):
    """Tells whenever the test error has reached a new low."""

    def __init__(self) -> None:
        self.lowest = np.inf

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:  # noqa: ARG002
        """Look at the newest score; to return True would end the training."""
        newest = evals_log["test"]["rmse"][-1]
        if newest < 0.8 * self.lowest:
            print(f"round {epoch}: test rmse {newest:.4f}")
            self.lowest = newest
        return False


def main() -> None:
    """Train with a learning rate that falls, until the test error rises."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, size=(3_000, 4))
    y = np.sin(X[:, 0]) * X[:, 1] + rng.normal(scale=0.3, size=3_000)
    train, test = xgb.DMatrix(X[:2_000], y[:2_000]), xgb.DMatrix(X[2_000:], y[2_000:])

    history: dict[str, dict[str, list[float]]] = {}
    stop = xgb.callback.EarlyStopping(rounds=10, metric_name="rmse", data_name="test")
    slower = xgb.callback.LearningRateScheduler(lambda epoch: 0.3 * 0.98**epoch)
    model = xgb.train(
        {"max_depth": 4},
        train,
        500,
        evals=[(train, "train"), (test, "test")],
        evals_result=history,
        verbose_eval=False,
        callbacks=[stop, slower, Patience()],
    )
    print(f"{len(history['test']['rmse'])} rounds, the best is {model.best_iteration}: rmse {model.best_score:.4f}")

    best = model[: model.best_iteration + 1]  # a smaller model that is all one needs
    print("rounds kept:", best.num_boosted_rounds())


if __name__ == "__main__":
    main()
