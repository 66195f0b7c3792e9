# SPDX-License-Identifier: Apache-2.0
"""Columns of categories: no encoding before, and the same codes at prediction whatever the frame looks like."""

import numpy as np
import pandas as pd

import xgb_like as xgb


def main() -> None:
    """Predict rents, which depend on the town."""
    rng = np.random.default_rng(0)
    towns = np.array(["Oslo", "Rome", "Bern", "Riga", "Nice", "Cork"])
    town, area = rng.choice(towns, 2_000), rng.uniform(20, 120, 2_000)
    price = dict(zip(towns, [17, 13, 21, 8, 15, 12], strict=True))
    rent = area * np.array([price[name] for name in town]) + rng.normal(scale=30, size=2_000)

    frame = pd.DataFrame({"town": pd.Categorical(town), "area": area})
    model = xgb.train({"max_cat_to_onehot": 1, "max_depth": 4}, xgb.DMatrix(frame, rent), 40)

    # Another frame may have its categories in another order, or just some of them: they are matched by name.
    flats = pd.DataFrame({"town": pd.Categorical(["Riga", "Bern"]), "area": [50.0, 50.0]})
    riga, bern = model.predict(xgb.DMatrix(flats))
    print(f"50 square metres cost {riga:.0f} in Riga and {bern:.0f} in Bern")

    categories = model.get_categories(export_to_arrow=True).to_arrow()
    print("the model knows:", [(name, len(values) if values is not None else 0) for name, values in categories])
    print(model.get_dump()[0].splitlines()[0])


if __name__ == "__main__":
    main()
