# SPDX-License-Identifier: Apache-2.0
"""The constructor of the estimators for type checkers, which do not see the one that is made at run time."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np

    from .._base._typing import ArrayLike, Integer
    from .._data._categories import Categories
    from .._training._callbacks import TrainingCallback


class Constructor:
    """What estimators are made of."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            max_depth: Integer | None = ...,
            max_leaves: Integer | None = ...,
            max_bin: Integer | None = ...,
            grow_policy: str | None = ...,
            learning_rate: float | None = ...,
            n_estimators: Integer | None = ...,
            verbosity: int | None = ...,
            objective: str | Callable[..., Any] | None = ...,
            booster: str | None = ...,
            tree_method: str | None = ...,
            n_jobs: int | None = ...,
            gamma: float | None = ...,
            min_child_weight: float | None = ...,
            max_delta_step: float | None = ...,
            subsample: float | None = ...,
            sampling_method: str | None = ...,
            colsample_bytree: float | None = ...,
            colsample_bylevel: float | None = ...,
            colsample_bynode: float | None = ...,
            reg_alpha: float | None = ...,
            reg_lambda: float | None = ...,
            scale_pos_weight: float | None = ...,
            base_score: float | Sequence[float] | None = ...,
            random_state: Integer | np.random.RandomState | np.random.Generator | None = ...,
            missing: float = ...,
            num_parallel_tree: Integer | None = ...,
            monotone_constraints: str | Sequence[int] | Mapping[str, int] | None = ...,
            interaction_constraints: str | Sequence[Sequence[str | Integer]] | None = ...,
            importance_type: str | None = ...,
            device: str | None = ...,
            validate_parameters: bool | None = ...,
            enable_categorical: bool = ...,
            feature_types: Sequence[str] | Categories | None = ...,
            feature_weights: ArrayLike | None = ...,
            max_cat_to_onehot: Integer | None = ...,
            max_cat_threshold: Integer | None = ...,
            multi_strategy: str | None = ...,
            eval_metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = ...,
            early_stopping_rounds: Integer | None = ...,
            callbacks: Sequence[TrainingCallback] | None = ...,
            **kwargs: Any,
        ) -> None: ...
