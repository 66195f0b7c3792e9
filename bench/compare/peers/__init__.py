"""Small adapters to the libraries that are compared, one file each."""

from .base import Explainer, Fitted, Peer, Settings, UnsupportedError
from .catboost import CatBoost
from .lightgbm import LightGBM
from .sklearn import HistGradientBoosting
from .xgboost import XgboostInterface

OURS = XgboostInterface("xgb_like")
OURS_BY_HISTOGRAMS = XgboostInterface("xgb_like_hist", of="xgb_like", tree_method="hist")
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
    "OURS_BY_HISTOGRAMS",
    "SKLEARN",
    "XGBOOST",
    "Explainer",
    "Fitted",
    "Peer",
    "Settings",
    "UnsupportedError",
    "XgboostInterface",
]
