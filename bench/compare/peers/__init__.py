"""Small adapters to the libraries that are compared, one file each."""

from .base import Explainer, Fitted, Peer, Settings, UnsupportedError
from .catboost import CatBoost
from .lightgbm import LightGBM
from .sklearn import HistGradientBoosting
from .xgboost import XgboostInterface

OURS = XgboostInterface("xgb_like")
XGBOOST = XgboostInterface("xgboost")
LIGHTGBM = LightGBM()
CATBOOST = CatBoost("catboost")
CATBOOST_SYMMETRIC = CatBoost("catboost_symmetric", symmetric=True)
SKLEARN = HistGradientBoosting()

__all__ = [
    "CATBOOST",
    "CATBOOST_SYMMETRIC",
    "LIGHTGBM",
    "OURS",
    "SKLEARN",
    "XGBOOST",
    "Explainer",
    "Fitted",
    "Peer",
    "Settings",
    "UnsupportedError",
    "XgboostInterface",
]
