# SPDX-License-Identifier: Apache-2.0
"""The regressor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._estimator import XGBModel
from ._estimator_params import declare
from ._optional import require
from ._typing import Array, Floats

if TYPE_CHECKING:
    from sklearn.base import RegressorMixin
else:
    RegressorMixin = require("sklearn.base", "xgb_like.sklearn").RegressorMixin


@declare(objective="reg:squarederror")
class XGBRegressor(RegressorMixin, XGBModel):  # type: ignore[misc]
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

    _estimator_type = "regressor"

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "multioutput": True, "multioutput_only": False}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _answer(self, values: Floats) -> Array:
        return values.astype(np.float64) if values.ndim == 2 else values  # as scikit-learn has it
