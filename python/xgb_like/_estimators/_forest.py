# SPDX-License-Identifier: Apache-2.0
"""Random forests: one round of many trees, each on its own sample."""

from __future__ import annotations

from typing import Any

from ._classifier import XGBClassifier
from ._estimator import XGBModel
from ._params import CLASS_WEIGHT_DOC, declare
from ._regressor import XGBRegressor

_ROUNDS_ONLY = ("early_stopping_rounds", "callbacks")
_OF_FORESTS: dict[str, Any] = {
    "learning_rate": 1.0,
    "subsample": 0.8,
    "colsample_bynode": 0.8,
    "reg_lambda": 1e-5,
}


class Forest(XGBModel):
    """What the forests have in common."""

    def _check_constructed(self) -> None:
        given = [name for name in _ROUNDS_ONLY if getattr(self, name) is not None]
        if given:
            raise NotImplementedError(
                "`early_stopping_rounds` and `callbacks` are not implemented for random forests, which have one round; "
                f"got `{given[0]}`. Use the estimator without RF in its name, with `num_parallel_tree`, for several."
            )

    def _fit(self, *args: Any) -> Any:
        self._check_constructed()
        return super()._fit(*args)

    def get_xgb_params(self) -> dict[str, Any]:
        """Return the parameters for :func:`xgb_like.train`: `n_estimators` trees are one round."""
        return {**super().get_xgb_params(), "num_parallel_tree": super().get_num_boosting_rounds()}

    def get_num_boosting_rounds(self) -> int:
        """Return how many rounds a fit has: 1."""
        return 1


@declare(**_OF_FORESTS, objective="binary:logistic", without=_ROUNDS_ONLY, further=(CLASS_WEIGHT_DOC,))
class XGBRFClassifier(Forest, XGBClassifier):
    """A random forest for classification. `n_estimators` is the number of its trees."""


@declare(**_OF_FORESTS, objective="reg:squarederror", without=_ROUNDS_ONLY)
class XGBRFRegressor(Forest, XGBRegressor):
    """A random forest for regression. `n_estimators` is the number of its trees."""
