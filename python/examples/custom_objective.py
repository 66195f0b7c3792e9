# SPDX-License-Identifier: Apache-2.0
"""An objective and a metric of one's own."""

import numpy as np
import numpy.typing as npt

import xgb_like as xgb

Floats = npt.NDArray[np.float32]


def squared_log_error(margins: Floats, data: xgb.DMatrix) -> tuple[Floats, Floats]:
    """Return the first and second derivative of (log(1 + prediction) - log(1 + label))^2 / 2 by the prediction."""
    predictions = np.maximum(margins, -1 + 1e-6)
    ratio = np.log1p(predictions) - np.log1p(data.get_label())
    gradient = ratio / (predictions + 1)
    hessian = np.maximum((1 - ratio) / (predictions + 1) ** 2, 1e-6)
    return gradient.astype(np.float32), hessian.astype(np.float32)


def within_a_tenth(margins: Floats, data: xgb.DMatrix) -> tuple[str, float]:
    """Return the share of predictions that are off by less than 10 %."""
    label = data.get_label()
    return "within-10%", float(np.mean(np.abs(margins - label) < 0.1 * label))


def main() -> None:
    """Train with both."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3_000, 4))
    y = np.exp(1 + 0.5 * X[:, 0] + 0.3 * X[:, 1] * X[:, 2])
    train, test = xgb.DMatrix(X[:2_000], y[:2_000]), xgb.DMatrix(X[2_000:], y[2_000:])
    xgb.train(
        {"max_depth": 4, "eta": 0.3, "base_score": float(np.median(y)), "disable_default_eval_metric": True},
        train,
        100,
        obj=squared_log_error,
        custom_metric=within_a_tenth,
        evals=[(test, "test")],
        verbose_eval=25,
    )


if __name__ == "__main__":
    main()
