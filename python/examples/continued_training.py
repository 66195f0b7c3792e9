# SPDX-License-Identifier: Apache-2.0
"""Train a model further: the result is the same, bit for bit, as if training had not been interrupted."""

import numpy as np

import xgb_like as xgb


def main() -> None:
    """Train in one go, and in two."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_000, 5))
    y = X[:, 0] * X[:, 1] + X[:, 2]
    train = xgb.DMatrix(X, y)
    params = {"max_depth": 4, "eta": 0.2, "subsample": 0.8, "seed": 7}

    whole = xgb.train(params, train, 40)
    first = xgb.train(params, train, 15)
    second = xgb.train(params, train, 25, xgb_model=first)  # or the name of a model's file
    print("rounds:", second.num_boosted_rounds())
    print("equal to training in one go:", np.array_equal(whole.predict(train), second.predict(train)))

    newer = xgb.DMatrix(X[:500], y[:500] + 1)  # the world has changed
    refreshed = first.refit(newer, decay=0.5)  # the same trees, leaves half way to those of the new data
    print(f"mean prediction: {first.predict(newer).mean():.2f}, after refit {refreshed.predict(newer).mean():.2f}")


if __name__ == "__main__":
    main()
