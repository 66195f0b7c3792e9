# SPDX-License-Identifier: Apache-2.0
"""Prediction intervals from quantiles, all by one model."""

import numpy as np

import xgb_like as xgb


def main() -> None:
    """Predict an interval that is to hold 80 % of the values, where the noise is not the same everywhere."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, size=(4_000, 1))
    y = x[:, 0] * np.sin(x[:, 0]) + rng.normal(scale=0.3 + 0.3 * x[:, 0])
    train, test = xgb.DMatrix(x[:3_000], y[:3_000]), xgb.DMatrix(x[3_000:], y[3_000:])

    params = {"objective": "reg:quantileerror", "quantile_alpha": [0.1, 0.5, 0.9], "max_depth": 4, "eta": 0.1}
    model = xgb.train(params, train, 100)
    low, median, high = model.predict(test).T
    inside = np.mean((low <= y[3_000:]) & (y[3_000:] <= high))
    print(f"{100 * inside:.1f} % of the test rows are inside of their interval")
    width, left = high - low, x[3_000:, 0] < 5
    print(
        f"intervals are {width[left].mean():.2f} wide where noise is small, {width[~left].mean():.2f} where it is large"
    )
    print(f"mean absolute error of the median: {np.abs(median - y[3_000:]).mean():.2f}")


if __name__ == "__main__":
    main()
