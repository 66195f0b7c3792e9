# SPDX-License-Identifier: Apache-2.0
import pytest

import xgb_like as xgb
from xgb_like.core import XGBoostError

ERRORS = [
    (xgb.ParameterError, TypeError),
    (xgb.DataError, ValueError),
    (xgb.UnsupportedDataError, TypeError),
    (xgb.ModelFormatError, ValueError),
    (xgb.ModelFileNotFoundError, FileNotFoundError),
    (xgb.InternalError, RuntimeError),
]


@pytest.mark.parametrize(("error", "builtin"), ERRORS)
def test_errors_are_of_the_package_and_of_a_builtin_kind(error, builtin):
    assert issubclass(error, (xgb.XgbLikeError,))
    assert issubclass(error, builtin)
    assert issubclass(error, ValueError)
    assert error.__module__ == "xgb_like"


def test_users_of_xgboost_catch_what_they_know():
    with pytest.raises(XGBoostError, match="max_depth"):
        xgb.Booster({"max_depth": -1})


def test_an_absent_model_file_is_named():
    with pytest.raises(XGBoostError, match="absent.json"):
        xgb.Booster(model_file="absent.json")
