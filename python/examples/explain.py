# SPDX-License-Identifier: Apache-2.0
"""Why a model predicts what it does: contributions, importance, dependence."""

import numpy as np

import xgb_like as xgb


def main() -> None:
    """Explain a model of house prices."""
    rng = np.random.default_rng(0)
    names = ["area", "age", "distance"]
    X = np.column_stack([rng.uniform(40, 200, 1_500), rng.uniform(0, 90, 1_500), rng.uniform(0, 30, 1_500)])
    price = 3 * X[:, 0] - 0.8 * X[:, 1] - 4 * X[:, 2] + rng.normal(scale=15, size=1_500)
    data = xgb.DMatrix(X, price, feature_names=names)
    model = xgb.train({"max_depth": 4, "eta": 0.1}, data, 100)

    contributions = model.predict(data, pred_contribs=True)  # SHAP values; the last column is the same for all rows
    print("house 0:", {name: round(float(v), 1) for name, v in zip([*names, "start"], contributions[0], strict=True)})
    print("they add up to the prediction:", np.allclose(contributions.sum(axis=1), model.predict(data), atol=1e-2))
    print("mean size:", dict(zip(names, np.abs(contributions[:, :-1]).mean(axis=0).round(1).tolist(), strict=True)))

    interactions = model.predict(data, pred_interactions=True)
    print("interaction of area and age:", round(float(np.abs(interactions[:, 0, 1]).mean()), 2))


if __name__ == "__main__":
    main()
