# SPDX-License-Identifier: Apache-2.0
"""The regressor."""

from __future__ import annotations

import numpy as np

from .._base._typing import Array, Floats
from ._estimator import XGBModel
from ._params import declare
from ._peers import XGBRegressorMixIn


@declare(objective="reg:squarederror")
class XGBRegressor(XGBRegressorMixIn, XGBModel):
    """A regressor of one or several targets.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> features = np.random.default_rng(0).normal(size=(200, 3))
    >>> model = xgb.XGBRegressor(n_estimators=20).fit(features, features[:, 0])
    >>> model.predict(features).shape
    (200,)
    >>> model.score(features, features[:, 0]) > 0.9
    True
    """

    def _answer(self, values: Floats) -> Array:
        return values.astype(np.float64) if values.ndim == 2 else values  # check_estimator demands it
